/* dispatch.c -- see dispatch.h */
#include "gpu/dispatch.h"

#include "sm/bind.h"

void dispatch_init(struct dispatch *d, struct sm *sm, u32 n_sm)
{
    *d = (struct dispatch){.sm = sm, .n_sm = n_sm, .last = n_sm - 1};
}

void dispatch_begin(struct dispatch *d, const struct launch *l)
{
    d->l = l;
    d->next = 0;
    d->parting = NULL;
}

/* A lock step takes a set, one for each member. */
static bool has_room(const struct front *fe)
{
    if (fe->parting || fe->by != fe)
        return false;
    for (u32 k = 0; k < fe->n_lock; k++)
        if (!warps_have_room(fe->lock[k]))
            return false;
    return true;
}

/* To the SM, and those that are in lock step with it; for the last few, one lock step ends. */
static bool place(struct dispatch *d, struct front *fe, u64 t)
{
    if (d->l->ctas - d->next < fe->n_lock) {
        if (!d->parting || !d->parting->parting)
            bind_part(fe, t + fe->part_wake), d->parting = fe;
        return false;
    }
    for (u32 k = 0; k < fe->n_lock; k++)
        sm_place(fe->lock[k]->sm, d->l, d->next++, t);
    return true;
}

/* Those that begin in cycle t; false if none could be placed. */
static bool one_round(struct dispatch *d, u64 t)
{
    u32 from = d->last + 1 == d->n_sm ? 0 : d->last + 1, i = from;
    bool placed = false;

    do {
        if (!dispatch_is_done(d) && has_room(d->sm[i].front) && place(d, d->sm[i].front, t)) {
            d->last = i;
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
        if (!one_round(d, t))
            return;
    if (dispatch_is_done(d))
        tell_all(d, first);
}
