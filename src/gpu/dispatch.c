/* dispatch.c -- see dispatch.h */
#include "gpu/dispatch.h"

#include <stdlib.h>

#include "base/text.h"

void dispatch_init(struct dispatch *d, struct sm *sm, u32 n_sm)
{
    *d = (struct dispatch){.sm = sm, .n_sm = n_sm, .last = n_sm - 1};
    d->held = xcalloc((n_sm + 63) / 64, sizeof d->held[0]);
}

void dispatch_free(struct dispatch *d)
{
    free(d->held);
}

void dispatch_begin(struct dispatch *d, const struct launch *l)
{
    d->l = l;
    d->next = 0;
}

bool dispatch_can(const struct dispatch *d, u32 i)
{
    return d->next < d->l->ctas && !(d->held[i / 64] >> (i & 63) & 1) && sm_has_room(&d->sm[i]);
}

void dispatch_place(struct dispatch *d, u32 i, u64 t)
{
    assert(dispatch_can(d, i));
    sm_place(&d->sm[i], d->l, d->next++, t);
    d->last = i;
}

/* Each SM may get one. */
static bool round_robin(struct dispatch *d, u64 t)
{
    u32 from = d->last + 1 == d->n_sm ? 0 : d->last + 1, i = from;
    bool placed = false;

    do {
        if (dispatch_can(d, i)) {
            dispatch_place(d, i, t);
            placed = true;
        }
        i = i + 1 == d->n_sm ? 0 : i + 1;
    } while (i != from);
    return placed;
}

static void tell_all(struct dispatch *d, u64 now)
{
    for (u32 i = 0; i < d->n_sm; i++)
        if (!d->sm[i].front->no_more)
            sm_set_no_more(&d->sm[i], now);
}

void dispatch_window(struct dispatch *d, u64 first, u64 end)
{
    for (u64 t = first; t < end && !dispatch_is_done(d); t++)
        if (!(d->round ? d->round(d->arg, d, t) : round_robin(d, t)))
            return;
    if (dispatch_is_done(d))
        tell_all(d, first);
}
