/*
 * lower_int.h -- the passes of the lowering, for lower.c and each other.
 *
 *     rename -> fold, cse, dead, branches (until nothing changes) -> fuse -> sched -> alloc
 *
 * A pass that takes instructions out marks them and calls lower_remove.  Blocks may be empty
 * then; lower_rebuild makes proper ones again.  Between passes blocks are always proper.
 */
#ifndef PTX_LOWER_INT_H
#define PTX_LOWER_INT_H

#include "ptx/ir.h"

/* ---- lower.c ---- */

void lower_remove(struct ir_func *f, const bool *dead); /* per instruction; blocks may get empty */
void lower_rebuild(struct ir_func *f);                  /* blocks anew from branch targets */

/* Rows a register takes: 0 (a predicate), 1 or 2. */
static inline u32 lower_rows(const struct ir_func *f, u32 reg)
{
    return f->cls[reg] == IRC_PRED ? 0 : f->cls[reg] == IRC_64 ? 2 : 1;
}

/* Does it nothing but write its destinations? */
bool lower_is_pure(const struct ir_inst *in);

/* Does it read memory that nobody writes while the kernel runs? */
bool lower_reads_const(const struct ir_func *f, const struct ir_inst *in);

/* ---- liveness.c ---- */

u32 live_max_list(const struct live *l);                               /* longest live_list */
u32 live_list(const struct live *l, u32 block, bool at_end, u32 *reg); /* live in or out of block */

/* ---- lower_ssa.c: definitions and dominance ----
 *
 * A register is *single* if it has one definition, unguarded, that dominates every use.
 * The value of a single register at a use is the one its definition read its operands for:
 * if those are single too, they still have the values they had there.
 */
struct ssa {
    u32 *def;      /* instruction that defines a single register, else IR_NONE */
    u32 *n_use;    /* places that read each register */
    u32 *block;    /* of each instruction */
    u32 *in, *out; /* numbers of blocks in the dominator tree: a dominates b if in[a] <= in[b]
                      and out[b] <= out[a] */
};

struct ssa *ssa_new(const struct ir_func *f);
void ssa_free(struct ssa *s);
bool ssa_dominates(const struct ssa *s, u32 i, u32 j); /* is instruction i done before j, always? */

/*
 * Walking forward through the code: last[r] is the last instruction so far that wrote r.
 * Has r at instruction i the value that it had at instruction d, which stands before i in the
 * same block or, if r is single, dominates it?
 */
bool ssa_unchanged(const struct ssa *s, const u32 *last, u32 r, u32 d, u32 i);
u32 *ssa_last_new(const struct ir_func *f);
void ssa_last_step(const struct ir_func *f, u32 *last, u32 i); /* instruction i is passed */

/* Gives each stretch of a register within a block a name of its own. */
void lower_rename(struct ir_func *f);

/* ---- the passes ----  True if they changed something. */

bool lower_fold(struct ir_func *f);     /* copies, constants, addresses */
bool lower_cse(struct ir_func *f);      /* the same computed twice becomes a copy */
bool lower_dead(struct ir_func *f);     /* what nobody needs */
bool lower_branches(struct ir_func *f); /* jumps to jumps, jumps to the next instruction */
bool lower_fuse(struct ir_func *f, bool contract); /* multiply and add */
void lower_sched(struct ir_func *f, u32 max_regs); /* order within blocks */

/* Rows and predicate numbers; spills to stay within max_regs (0: no limit). */
bool lower_alloc(struct ir_func *f, u32 max_regs, struct err *e);

#endif
