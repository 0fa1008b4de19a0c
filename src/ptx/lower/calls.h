/*
 * calls.h -- the call graph of a module: who calls whom, what of it is recursive, and sums over it.
 *
 * A node is a function; one more stands for a call through a register, which may reach any
 * function of the module whose address is used somewhere.  Nodes are put in order, callees
 * first; those that can reach each other form a group (a strongly connected component).
 *
 * Registers.  Each call has rows of its own, above its caller's, for the interpreter.  A thread of
 * the hardware has no more than its cap: what does not fit side by side is spilled by the caller
 * (calls_tell_sites, lower_spill.c), as it is by a compiler whose calls follow an ABI.
 */
#ifndef PTX_CALLS_H
#define PTX_CALLS_H

#include "base/base.h"
#include "ptx/ir.h"
#include "ptx/program.h"

struct calls {
    u32 n;        /* nodes: n - 1 functions, then the one for calls through a register */
    u32 *at, *to; /* node v calls to[at[v] .. at[v+1]) */
    u32 *order;   /* all nodes, callees first; a group stands together */
    u32 *group;   /* of each node */
    bool *cyclic; /* per node: it can reach itself */
    u32 *cap;     /* per node: registers of a thread that runs it, 0: no limit */
    u32 *need;    /* per node: registers that it and its callees take, at most cap */
};

/* From ir[], the functions after selection; NULL for those without code. */
struct calls *calls_new(const struct ptx_module *m, struct ir_func *const *ir);
void calls_free(struct calls *c);

/* cap[] holds the kernels' caps, and of functions the GPU's: a function gets the least of the
 * kernels that reach it. */
void calls_spread_caps(struct calls *c);

/* Before f is lowered, and after all that it calls outside of its group: fills in its sites. */
void calls_tell_sites(const struct calls *c, struct ir_func *f);

/* order[i] has its rows; f is NULL if it has no code.  In this order. */
void calls_note_rows(struct calls *c, u32 i, const struct ir_func *f);

/* Of all functions: rows, preds and local memory with all that they call, and regs. */
void calls_sum(const struct calls *c, struct program *p, u32 depth);

#endif
