/* gates_sched.c -- see gates_sched.h */
#include "mech/gates_sched.h"

#include "base/text.h"
#include "sm/datapath/datapath.h"
#include "sm/sm.h"

struct issue_order {
    u8 first;    /* the type that goes first: PIPE_INT or PIPE_FP; the other one goes last */
    u8 dark;     /* bit of a type: all its pipelines are in Blackout, the other one goes first */
    bool strict; /* see struct gates_order */
    bool hold;   /* so in this cycle: nothing of the type that goes last */
    u64 since;   /* cycle in which `first` changed */
    u64 longest;
};

struct own { /* of a scheduler */
    struct issue_order mine, *order;
    const struct sched *peer; /* the schedulers whose warps decide the order */
    u32 n_peer;
};

extern const struct sched_policy sched_gates;

static struct own *own_of(const struct sched *s)
{
    assert(s->policy == &sched_gates && s->own);
    return s->own;
}

/* Does an active warp wait with an instruction of this type?  INT_ACTV and FP_ACTV of the paper. */
static bool is_waiting(const struct own *o, u32 type)
{
    for (u32 k = 0; k < o->n_peer; k++)
        if (sched_of_type(&o->peer[k], sched_active(&o->peer[k]), type))
            return true;
    return false;
}

/* Could one issue an instruction of this type? */
static bool is_ready(const struct own *o, u32 type)
{
    for (u32 k = 0; k < o->n_peer; k++) {
        const struct sched *p = &o->peer[k];

        if (sched_of_type(p, sched_active(p) & ~sched_blocked(p), type))
            return true;
    }
    return false;
}

/* The longest time of a type ends when the other can use it: a sleeping SM has no order. */
static void choose_first(const struct own *w, u64 now)
{
    struct issue_order *o = w->order;
    u32 other = !o->first;
    bool spent = o->longest && now - o->since >= o->longest && is_ready(w, other);

    if (!is_waiting(w, other) || o->dark >> other & 1)
        return;
    if (spent || o->dark >> o->first & 1 || !is_waiting(w, o->first))
        o->first = (u8)other, o->since = now;
}

/* Instructions that could be issued now and go before those of type `last`. */
static u32 n_before(struct front *fe, const struct sched *s, u32 last)
{
    u64 can = issue_with_room(fe, s, s->valid & ~sched_blocked(s) & sched_active(s));
    u64 first = sched_of_type(s, can, !last);
    u32 off;

    can &= ~sched_of_type(s, can, last);
    if (first && fe->dp[0]->unit_shut &&
        !issue_is_open(fe, s, next_uop(fe, &fe->ctx[s->at[__builtin_ctzll(first)]]), &off))
        can &= ~first;
    return (u32)__builtin_popcountll(can);
}

/* Section 4.1: INT and FP together only if what goes before does not fill the cycle. */
static bool is_full(struct front *fe, const struct own *o)
{
    u32 n = 0;

    for (u32 k = 0; k < o->n_peer; k++)
        n += n_before(fe, &o->peer[k], !o->order->first);
    return n >= o->n_peer;
}

static void order(struct front *fe, u64 now)
{
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct own *o = own_of(&fe->sched[k]);

        if (o->order != &o->mine)
            continue;
        choose_first(o, now);
        o->mine.hold = o->mine.strict && o->n_peer > 1 && is_full(fe, o);
    }
}

/*
 * The type that goes first; memory; special functions, doubles and control, of which the paper says
 * nothing; the other type.
 */
static u32 pick(struct sched *s, u64 ready, u64 *seen)
{
    const struct issue_order *o = own_of(s)->order;
    u64 in = ready & s->active;
    u64 class[] = {sched_of_type(s, in, o->first), in & s->need[UNIT_MEM],
                   in & (s->need[UNIT_SFU] | s->need[UNIT_DP] | s->need_flow),
                   o->hold ? 0 : sched_of_type(s, in, !o->first)};

    for (u32 k = 0; k < LEN(class); k++)
        if (class[k])
            return sched_next_after(s->last < 64 ? s->last : 63, class[k], seen);
    *seen = s->active;
    return NO_PICK;
}

/* Without the mechanism each scheduler decides for itself. */
static void begin(struct sched *s)
{
    struct own *o = s->own;

    o->order = &o->mine;
    o->peer = s, o->n_peer = 1;
}

const struct sched_policy sched_gates = {
    .name = "gates",
    .doc = "two_level that issues one of integer and float as long as an active warp has it",
    .size = sizeof(struct own),
    .begin = begin,
    .look = sched_two_level_look,
    .order = order,
    .pick = pick,
};

void gates_sched_use(struct front *fe, const struct gates_order *how)
{
    for (u32 k = 0; k < fe->n_sched; k++) {
        sched_use(&fe->sched[k], &sched_gates);
        struct own *o = own_of(&fe->sched[k]);

        o->mine.longest = how->longest;
        o->mine.strict = how->strict;
        if (!how->together)
            continue;
        o->order = &own_of(&fe->sched[0])->mine;
        o->peer = fe->sched, o->n_peer = fe->n_sched;
    }
}

u8 *gates_sched_dark(const struct front *fe, u32 k)
{
    return fe->sched[k].policy == &sched_gates ? &own_of(&fe->sched[k])->order->dark : NULL;
}

bool gates_sched_together(const struct front *fe, u32 k)
{
    return fe->sched[k].policy == &sched_gates && own_of(&fe->sched[k])->n_peer > 1;
}
