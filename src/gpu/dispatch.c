/* dispatch.c -- see dispatch.h */
#include "gpu/dispatch.h"

#include "sm/binding/bind.h"

void dispatch_init(struct dispatch *d, struct sm *sm, u32 n_sm)
{
    *d = (struct dispatch){.sm = sm, .n_sm = n_sm, .last = n_sm - 1};
}

void dispatch_begin(struct dispatch *d, const struct launch *l)
{
    d->l = l;
    d->next = 0;
}

/* A lock step takes a set, one for each member, all in the same slot; one of those that are free. */
u64 dispatch_slots(const struct front *fe)
{
    u64 free = ~0ull;

    if (fe->lock.ending || fe->by != fe)
        return 0;
    for (u32 k = 0; k < fe->lock.n_set; k++)
        free &= warps_have_room(fe->lock.of[k]) ? warps_free_slots(fe->lock.of[k]) : 0;
    return fe->lock.n_set ? free : 0;
}

static bool is_empty(const struct front *fe)
{
    for (u32 k = 0; k < fe->lock.n_set; k++)
        if (fe->lock.of[k]->n_cta)
            return false;
    return true;
}

/* Is there one, alone or of a small set, that will take so few? */
static bool another_takes(const struct dispatch *d, u64 n)
{
    for (u32 i = 0; i < d->n_sm; i++) {
        const struct front *fe = d->sm[i].front;

        if (fe->on && fe->n_slot && fe->by == fe && fe->lock.n_set &&
            (fe->lock.n_set <= n || fe->lock.ending))
            return true;
    }
    return false;
}

/* To the SM, and those that are in its set; for the last few, a lock step ends that has none left. */
static bool place(struct dispatch *d, struct front *fe, u64 free, u64 t)
{
    u64 left = d->l->ctas - d->next;

    check(fe, d->next < d->l->ctas && fe->lock.n_set);
    if (left < fe->lock.n_set) {
        if (is_empty(fe) && !another_takes(d, left))
            bind_unlock(fe, t);
        return false;
    }
    for (u32 k = 0; k < fe->lock.n_set; k++)
        sm_place(fe->lock.of[k]->sm, d->l, (u32)__builtin_ctzll(free), d->next++, t);
    return true;
}

/* Those that begin in cycle t; false if none could be placed. */
static bool one_round(struct dispatch *d, u64 t)
{
    u32 from = d->last + 1 == d->n_sm ? 0 : d->last + 1, i = from;

    ensure_here(from < d->n_sm);
    bool placed = false;

    do {
        u64 free = dispatch_is_done(d) ? 0 : d->takes(d->tenant, i);

        if (free && place(d, d->sm[i].front, free, t)) {
            d->last = i;
            placed = true;
        }
        i = i + 1 == d->n_sm ? 0 : i + 1;
    } while (i != from);
    return placed;
}

void dispatch_window(struct dispatch *d, u64 first, u64 end)
{
    for (u64 t = first; t < end && !dispatch_is_done(d); t++)
        if (!one_round(d, t))
            return;
    check_here(d->next <= d->l->ctas);
}
