/*
 * gates_sched.h -- the scheduler GATES of Warped Gates: INT and FP instructions in turns, not
 * mixed.
 *
 * One type goes first as long as an active warp has an instruction of it; the other goes last.
 * Which that is the active warps of the SM decide together, or those of each scheduler.
 */
#ifndef MECH_GATES_SCHED_H
#define MECH_GATES_SCHED_H

#include "sm/front/sched.h"

struct gates_order {
    u64 longest;   /* for how long a type may be first, cycles; 0: any time */
    bool strict;   /* INT and FP in one cycle only if the SM has no two others to issue */
    bool together; /* one order for the SM */
};

/* All schedulers of a front end use it from now on. */
void gates_sched_use(struct front *fe, const struct gates_order *how);

/*
 * Where scheduler k is told, by a bit for each type, that all pipelines of it are in Blackout; the
 * other type goes first then.  NULL: it is no scheduler of this kind.
 */
u8 *gates_sched_dark(const struct front *fe, u32 k);

/* Does scheduler k decide together with the others? */
bool gates_sched_together(const struct front *fe, u32 k);

#endif
