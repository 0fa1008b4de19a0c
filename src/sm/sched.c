/* sched.c -- see sched.h */
#include "sm/sched.h"

#include <string.h>

static inline u32 first(u64 mask)
{
    return (u32)__builtin_ctzll(mask);
}

static inline u64 below(u32 place)
{
    return ((u64)1 << place) - 1;
}

static u32 gto_pick(struct sched *s, u64 ready, u64 *seen)
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
static u32 next_after(u32 last, u64 ready, u64 *seen)
{
    u64 up = last < 63 ? ready & ~below(last + 1) : 0;
    u32 p = first(up ? up : ready);

    *seen = up ? below(p) & ~below(last + 1) : below(p) | ~(last < 63 ? below(last + 1) : ~0ull);
    return p;
}

static u32 lrr_pick(struct sched *s, u64 ready, u64 *seen)
{
    return next_after(s->last < 64 ? s->last : 63, ready, seen);
}

/* Warps that wait for something long, or are no more. */
static inline u64 away(const struct sched *s)
{
    return s->raw_mem | s->bar | s->atom | s->fence | s->ended | ~s->live;
}

/*
 * Warps that wait for memory, a barrier or their end leave the active set; the oldest pending
 * ones that could run take their places.  Within the active set, round robin.
 * (Gebhart et al., ISCA 2011; Narasiman et al., MICRO 2011)
 */
static void two_level_look(struct sched *s)
{
    u64 pending;

    s->active &= ~away(s);
    pending = s->live & ~s->active & ~away(s);
    for (u32 n = (u32)__builtin_popcountll(s->active); n < s->active_max && pending; n++) {
        s->active |= pending & -pending;
        pending &= pending - 1;
    }
}

static u32 two_level_pick(struct sched *s, u64 ready, u64 *seen)
{
    if (!(ready & s->active)) {
        *seen = s->active;
        return NO_PICK;
    }
    return next_after(s->last < 64 ? s->last : 63, ready & s->active, seen);
}

/* ---- gates: integer and float instructions in turns, not mixed */

/* Does an active warp wait with an instruction of this type?  INT_ACTV and FP_ACTV of the paper. */
static bool is_waiting(const struct sched *s, u32 type)
{
    for (u32 k = 0; k < s->n_peer; k++)
        if (sched_of_type(&s->peer[k], sched_active(&s->peer[k]), type))
            return true;
    return false;
}

/* Could one issue an instruction of this type? */
static bool is_ready(const struct sched *s, u32 type)
{
    for (u32 k = 0; k < s->n_peer; k++) {
        const struct sched *p = &s->peer[k];

        if (sched_of_type(p, sched_active(p) & ~sched_blocked(p), type))
            return true;
    }
    return false;
}

/* The longest time of a type ends when the other can use it: a sleeping SM has no order. */
static void gates_order(struct sched *s, u64 now)
{
    struct issue_order *o = s->order;
    u32 other = !o->first;
    bool spent = o->longest && now - o->since >= o->longest && is_ready(s, other);

    if (!is_waiting(s, other) || o->dark >> other & 1)
        return;
    if (spent || o->dark >> o->first & 1 || !is_waiting(s, o->first))
        o->first = (u8)other, o->since = now;
}

/*
 * The type that goes first; memory; special functions, doubles and control, of which the paper says
 * nothing; the other type.
 */
static u32 gates_pick(struct sched *s, u64 ready, u64 *seen)
{
    struct issue_order *o = s->order;
    u64 in = ready & s->active;
    u64 class[] = {sched_of_type(s, in, o->first), in & s->need[UNIT_MEM],
                   in & (s->need[UNIT_SFU] | s->need[UNIT_DP] | s->need_flow),
                   o->hold ? 0 : sched_of_type(s, in, !o->first)};

    for (u32 k = 0; k < LEN(class); k++)
        if (class[k])
            return next_after(s->last < 64 ? s->last : 63, class[k], seen);
    *seen = s->active;
    return NO_PICK;
}

static const struct sched_policy gto = {"gto", "greedy, then oldest", NULL, NULL, gto_pick};
static const struct sched_policy lrr = {"lrr", "loose round robin", NULL, NULL, lrr_pick};
static const struct sched_policy two_level = {
    "two_level", "round robin in an active set; warps that wait for memory are swapped out",
    two_level_look, NULL, two_level_pick};
static const struct sched_policy gates = {
    "gates", "two_level that issues one of integer and float as long as an active warp has it",
    two_level_look, gates_order, gates_pick};

static const struct sched_policy *const policies[] = {&lrr, &gto, &two_level, &gates};

u64 sched_active(const struct sched *s)
{
    return s->policy->look ? s->active & ~away(s) : ~away(s);
}

const struct sched_policy *const *sched_list(u32 *n)
{
    *n = LEN(policies);
    return policies;
}

const struct sched_policy *sched_find(const char *name, struct err *e)
{
    const char *names[LEN(policies)];

    for (u32 i = 0; i < LEN(policies); i++) {
        if (!strcmp(policies[i]->name, name))
            return policies[i];
        names[i] = policies[i]->name;
    }
    const char *near = err_nearest(name, names, LEN(policies));

    if (near)
        err_set(e, "no scheduler '%s'; did you mean %s?", name, near);
    else
        err_set(e, "no scheduler '%s'; see smelt list schedulers", name);
    return NULL;
}
