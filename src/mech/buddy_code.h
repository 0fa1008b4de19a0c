/*
 * buddy_code.h -- what Buddy SM has to know of a kernel's code, found once a kernel.
 *
 *     hints    branches that counterparts, threads of the same number in CTAs of different SMs, can
 *              take in different ways: their conditions follow from something that need not be the same
 *              for both, CTA numbers, memory, clocks.  As long as all have gone the same way, what is
 *              computed from thread numbers, parameters and constants alone is the same
 *     passes   does each way from an instruction to the end of the kernel pass another one?
 *
 * Both err on the safe side: a hint too many, a "no" where it is not known.
 */
#ifndef MECH_BUDDY_CODE_H
#define MECH_BUDDY_CODE_H

#include "exec/warp.h"
#include "sm/uop.h"

struct buddy_code {
    const struct program *prog;
    const struct func *func;
    bool *hint;  /* of each instruction of the kernel, from its first on */
    bool *pass;  /* .. whether it leads to instruction pass_to, in any case */
    u32 pass_to; /* PC_NONE: pass is not filled in */
};

/* Of the launch's kernel; nothing is done if it is the same as before. */
void buddy_code_read(struct buddy_code *c, const struct launch *l, const struct uop *uop);
void buddy_code_free(struct buddy_code *c);

bool buddy_code_hint(const struct buddy_code *c, u32 pc);
bool buddy_code_passes(struct buddy_code *c, u32 pc, u32 to);

#endif
