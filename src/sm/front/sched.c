/* sched.c -- see sched.h */
#include "sm/front/sched.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sm/front/front.h"

static inline u32 first(u64 mask)
{
    return (u32)__builtin_ctzll(mask);
}

static inline u64 below(u32 place)
{
    return ((u64)1 << place) - 1;
}

HOT static u32 gto_pick(struct sched *s, u64 ready, u64 *seen)
{
    u64 greedy = s->last < 64 ? (u64)1 << s->last : 0;

    if (ready & greedy) {
        *seen = greedy;
        return s->last;
    }
    u32 p = first(ready); /* places are in order of age */

    *seen = below(p) | greedy;
    return p;
}

/* The first of `ready` after place `last`, round. */
u32 sched_next_after(u32 last, u64 ready, u64 *seen)
{
    u64 up = last < 63 ? ready & ~below(last + 1) : 0;
    u32 p = first(up ? up : ready);

    check_here(ready && last < 64);
    *seen = up ? below(p) & ~below(last + 1) : below(p) | ~(last < 63 ? below(last + 1) : ~0ull);
    return p;
}

HOT static u32 lrr_pick(struct sched *s, u64 ready, u64 *seen)
{
    return sched_next_after(s->last < 64 ? s->last : 63, ready, seen);
}

/* Warps that wait for something long, or are no more. */
static inline u64 away(const struct sched *s)
{
    return s->raw_mem | s->bar | s->atom | s->fence | s->held | s->meet | s->ended | ~s->live;
}

/*
 * Warps that wait for memory, a barrier, their parts or their end leave the active set; the oldest
 * pending ones that could run take their places.  Within the active set, round robin.
 * (Gebhart et al., ISCA 2011; Narasiman et al., MICRO 2011)
 */
void sched_two_level_look(struct sched *s)
{
    u64 pending;

    s->active &= ~away(s);
    pending = s->live & ~s->active & ~away(s);
    for (u32 n = (u32)__builtin_popcountll(s->active); n < s->active_max && pending; n++) {
        s->active |= pending & -pending;
        pending &= pending - 1;
    }
    check(s->fe, popc_64(s->active) <= s->active_max && !(s->active & ~s->live));
}

static u32 two_level_pick(struct sched *s, u64 ready, u64 *seen)
{
    if (!(ready & s->active)) {
        *seen = s->active;
        return NO_PICK;
    }
    return sched_next_after(s->last < 64 ? s->last : 63, ready & s->active, seen);
}

const struct sched_policy sched_gto = {
    .name = "gto", .doc = "greedy, then oldest", .pick = gto_pick};
const struct sched_policy sched_lrr = {.name = "lrr", .doc = "loose round robin", .pick = lrr_pick};
const struct sched_policy sched_two_level = {
    .name = "two_level",
    .doc = "round robin in an active set; warps that wait for memory are swapped out",
    .look = sched_two_level_look,
    .pick = two_level_pick,
};

void sched_use(struct sched *s, const struct sched_policy *policy)
{
    check_here(policy->look || !policy->order);
    free(s->own);
    s->policy = policy;
    s->own = policy->size ? xcalloc(1, policy->size) : NULL;
    if (policy->begin)
        policy->begin(s);
}

u64 sched_active(const struct sched *s)
{
    return s->policy->look ? s->active & ~away(s) : ~away(s);
}

const struct sched_policy *sched_find(const char *name, struct err *e)
{
    const char *names[64];
    u32 n;
    const struct sched_policy *const *policy = sched_list(&n);

    assert(n <= LEN(names));
    for (u32 i = 0; i < n; i++) {
        if (!strcmp(policy[i]->name, name))
            return policy[i];
        names[i] = policy[i]->name;
    }
    err_no_such(e, name, names, n, "see smelt list schedulers", "no scheduler '%s'", name);
    return NULL;
}
