/*
 * dispatch.h -- which SM gets which CTA, and when.
 *
 * At an edge the CTAs of the window to come are given out.  The baseline's policy: each SM that has
 * room may get one a cycle, round robin, going on where the last launch ended.  A mechanism may put
 * a policy of its own into struct dispatch, and hold SMs that get nothing until they are resumed.
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
    u64 next;  /* CTA that goes out next */
    u32 last;  /* SM that got the last one; goes on from launch to launch */
    u64 *held; /* bit of an SM: it gets none */
    /* One round: the CTAs that begin in cycle t; false if none could be placed.  NULL: round robin. */
    bool (*round)(void *arg, struct dispatch *d, u64 t);
    void *arg;
};

void dispatch_init(struct dispatch *d, struct sm *sm, u32 n_sm);
void dispatch_free(struct dispatch *d);
void dispatch_begin(struct dispatch *d, const struct launch *l);

/* Those that begin in the cycles [first, end). */
void dispatch_window(struct dispatch *d, u64 first, u64 end);

static inline bool dispatch_is_done(const struct dispatch *d)
{
    return d->next == d->l->ctas;
}

/* For policies: can SM i get one?  It gets the next. */
bool dispatch_can(const struct dispatch *d, u32 i);
void dispatch_place(struct dispatch *d, u32 i, u64 t);

static inline void dispatch_hold(struct dispatch *d, u32 i)
{
    d->held[i / 64] |= (u64)1 << (i & 63);
}

static inline void dispatch_resume(struct dispatch *d, u32 i)
{
    d->held[i / 64] &= ~((u64)1 << (i & 63));
}

#endif
