/*
 * path.h -- independent thread scheduling: paths of a warp that take turns.
 *
 * With a SIMT stack alone lanes wait where paths meet again, for as long as the running path takes.  If
 * that one waits for them (for a lock that one of them holds, for a flag that one of them is to set) it
 * waits for ever.  With exec_independent they get their turn: a path that has gone round in loops that
 * may wait, `yield` times while other lanes of its warp wait, stops.  These lanes become a path of their
 * own, with a SIMT stack and registers of their own, and go on; later it is the other's turn again.
 *
 * The one that runs is in struct warp, as without paths: who executes a warp or follows it sees its stack
 * change, as at a branch.  Those that wait for their turn are in warp.path, the first to come first.
 *
 *     a loop that may wait   has an atomic whose result is used, a volatile load, a fence, a sleep, or a
 *                            call that may lead to one: what threads see each other's writes with.  It is counted where it
 *                            jumps backwards.  Others cannot wait for another thread without a data
 *                            race, and are counted too if `all_loops` says so
 *     at a barrier of CTAs   each path counts for its own lanes, and the others run before it goes on
 *     among lanes            an operation with a mask of members (shfl.sync, vote.sync, ..) waits until
 *                            all of them that live have come to it.  A path that comes alone has issued
 *                            it without effect, and does so again with the others.  bar.warp.sync has
 *                            an end for all who came to any, each where it stands
 *     paths meet             where they gather; where a barrier releases them; and where one has its
 *                            turn and another stands at the same instruction of the same call
 *
 * MODEL: NVIDIA does not publish when a Volta GPU changes from one path to the other, nor where its
 * compiler makes them meet.
 *
 * Atomics under way would be answered into registers that have been left: there are none at a branch,
 * barrier or exit, with sm.atom_blocks.  Registers of two widths are kept apart as in part.h.  A warp is
 * one word, and not in parts.
 */
#ifndef EXEC_PATH_H
#define EXEC_PATH_H

#include "exec/exec.h"

struct path {
    u32 depth, cap;
    struct simt *stack;
    u8 *reg, *wide;
    u32 *pred;
    u32 stands;
    s32 waiting; /* as in struct warp */
    const struct inst *bar;
    bool gather; /* it waits for others at an operation among lanes */
};

/* From now on, with x->table set: after so many loops, all or such as may wait, it is another path's turn. */
void exec_independent(struct exec *x, u32 yield, bool all_loops);

/* The warp has jumped backwards in a loop that may wait. */
void path_spin(struct exec *x, struct warp *w);

/* It has come to a barrier of its CTA: the other lanes are no part of it any more. */
void path_leave_others(const struct exec *x, struct warp *w);

/* It cannot go on: another path runs, or all wait at barriers; w->waiting says so. */
void path_block(struct exec *x, struct warp *w);

/* Its last lane has ended, but there are others; the barrier at which one is that now stands for it, or -1. */
s32 path_end(struct exec *x, struct warp *w);

/* It has come to an operation among lanes without all members (x->fault is FAULT_GATHER). */
void path_arrive(struct exec *x, struct warp *w);

/* Calls for each path that waits at this barrier as if it were the running one; then one of them runs. */
void path_release(struct exec *x, struct warp *w, u32 barrier,
                  void (*release)(struct exec *x, struct warp *w));

/* Lanes of the running path's stack that wait for others, and where; they may end without doing anything more. */
u32 path_waiting_lanes(const struct exec *x, const struct warp *w, u32 *pc);

/* A path that waits for its turn, to be looked at as a warp: `to` is a copy of w already. */
void path_copy(struct warp *to, const struct warp *w, u32 i, const struct launch *l);

void path_free_all(struct warp *w);

#endif
