/*
 * dispatch.h -- which SM gets which CTA, and when.
 *
 * At an edge the CTAs of the window to come are given out: each SM that has room may get one a cycle,
 * round robin, going on where the last launch ended.  SMs in lock step get theirs together; the
 * last ones, too few for all of them, go to SMs that are alone or of a smaller set.  If there are none,
 * one lock step ends, when it has finished what it had.
 */
#ifndef GPU_DISPATCH_H
#define GPU_DISPATCH_H

#include "base/base.h"
#include "exec/warp.h"
#include "sm/sm.h"

struct dispatch {
    struct sm *sm;
    u32 n_sm;
    const struct launch *l;
    u64 next; /* CTA that goes out next */
    u32 last; /* SM that got the last one; goes on from launch to launch */
    u64 (*takes)(void *tenant, u32 sm); /* slots of the SM that the launch may use now */
    void *tenant;
};

void dispatch_init(struct dispatch *d, struct sm *sm, u32 n_sm);
void dispatch_begin(struct dispatch *d, const struct launch *l);

/* Those that begin in the cycles [first, end). */
void dispatch_window(struct dispatch *d, u64 first, u64 end);

/* Slots of an SM with one kernel. */
u64 dispatch_slots(const struct front *fe);

static inline bool dispatch_is_done(const struct dispatch *d)
{
    return d->next == d->l->ctas;
}

#endif
