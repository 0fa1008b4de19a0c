/*
 * kernels.h -- kernels that are on one SM at the same time.
 *
 * A front end begins with one kernel (sm_begin), for which all CTA slots and contexts are laid out.
 * Others may come on board beside it while its CTAs run: each has slots of its own, and a CTA gets
 * contexts, threads, registers and shared memory of what the CTAs of all leave free.  From the first
 * that joins until the SM begins anew the front end is `mixed`: code and executor are looked up for
 * each warp that fetches, is looked at or issues (kernel_turn).  Everything behind issue knows
 * instructions by their own uop, and warps by their context, and need not know of kernels.
 *
 * MODEL: the contexts of a CTA are neighbours.  A CTA that finds enough of them, but not side by side,
 * waits.  Nothing is moved, and no kernel is held back for another.
 *
 * Who joins, and when, is for gpu/tenants.c.  Kernels join and leave between windows; SMs are not
 * bound, and no mechanism is on that keeps kernels apart (mech.h).
 */
#ifndef SM_KERNELS_H
#define SM_KERNELS_H

#include "sm/front/front.h"

enum { NO_KERNEL = MAX_SM_KERNELS };

/* The only kernel of an SM that begins; it has all slots. */
void kernel_first(struct front *fe, const struct launch *l, const struct uop *uop, u32 ctas);
void kernel_refit(struct front *fe, u32 ctas); /* .. has so many from now on: sm_refit */

/*
 * On board from now on, with ctas slots or as many as there are: its number, by which the caller gives
 * it an executor.  NO_KERNEL: there is no room for one of its CTAs now, or as many kernels as there may
 * be at most.
 */
u32 kernel_join(struct front *fe, const struct launch *l, const struct uop *uop, u32 ctas,
                u32 most);
void kernel_executes(struct front *fe, u32 kernel, struct exec *x);

/* It has no CTA here any more. */
void kernel_leave(struct front *fe, u32 kernel);

/* Slots that a CTA of it could be put in now: none if there is no room for one. */
u64 kernel_room(const struct front *fe, u32 kernel);

/* The first of n neighbours that no CTA has; MAX_WARPS: there are none. */
u32 kernel_contexts(const struct front *fe, u32 n);

/* Contexts for the CTA that is about to be put in this slot. */
void kernel_place(struct front *fe, u32 slot);

/* The front end works for this warp now: its kernel's code and values. */
void kernel_turn(struct front *fe, const struct wctx *c);

/* .. to issue an instruction of it, and has: what was counted meanwhile is its kernel's. */
void kernel_issues(struct front *fe, const struct wctx *c);
void kernel_issued(struct front *fe, const struct wctx *c);

#endif
