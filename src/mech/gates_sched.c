/* gates_sched.c -- see gates_sched.h */
#include "mech/gates_sched.h"

#include "base/text.h"

struct own {   /* of a scheduler */
    u8 first;  /* the type that goes first: PIPE_INT or PIPE_FP; the other one goes last */
    u8 dark;   /* bit of a type: all its pipelines are in Blackout, the other one goes first */
    u64 since; /* cycle in which `first` changed */
    u64 longest;
};

extern const struct sched_policy sched_gates;

static struct own *own_of(const struct sched *s)
{
    assert(s->policy == &sched_gates && s->own);
    return s->own;
}

/* Does an active warp wait with an instruction of this type?  INT_ACTV and FP_ACTV of the paper. */
static bool is_waiting(const struct sched *s, u32 type)
{
    return sched_of_type(s, sched_active(s), type);
}

/* Could one issue an instruction of this type? */
static bool is_ready(const struct sched *s, u32 type)
{
    return sched_of_type(s, sched_active(s) & ~sched_blocked(s), type);
}

/* The longest time of a type ends when the other can use it: a sleeping SM has no order. */
static void order(struct sched *s, u64 now)
{
    struct own *o = own_of(s);
    u32 other = !o->first;
    bool spent = o->longest && now - o->since >= o->longest && is_ready(s, other);

    if (!is_waiting(s, other) || o->dark >> other & 1)
        return;
    if (spent || o->dark >> o->first & 1 || !is_waiting(s, o->first))
        o->first = (u8)other, o->since = now;
}

/*
 * The type that goes first; memory; special functions, doubles, and control if it is of no type
 * (sm.sp_control), of which the paper says nothing; the other type.
 */
static u32 pick(struct sched *s, u64 ready, u64 *seen)
{
    const struct own *o = own_of(s);
    u64 in = ready & s->active;
    u64 class[] = {sched_of_type(s, in, o->first), in & s->need[UNIT_MEM],
                   in & (s->need[UNIT_SFU] | s->need[UNIT_DP] | s->need_flow),
                   sched_of_type(s, in, !o->first)};

    for (u32 k = 0; k < LEN(class); k++)
        if (class[k])
            return sched_next_after(s->last < 64 ? s->last : 63, class[k], seen);
    *seen = s->active;
    return NO_PICK;
}

const struct sched_policy sched_gates = {
    .name = "gates",
    .doc = "two_level that issues one of integer and float as long as an active warp has it",
    .size = sizeof(struct own),
    .look = sched_two_level_look,
    .order = order,
    .pick = pick,
};

void gates_sched_use(struct front *fe, u64 longest)
{
    for (u32 k = 0; k < fe->n_sched; k++) {
        sched_use(&fe->sched[k], &sched_gates);
        own_of(&fe->sched[k])->longest = longest;
    }
}

u8 *gates_sched_dark(const struct front *fe, u32 k)
{
    return fe->sched[k].policy == &sched_gates ? &own_of(&fe->sched[k])->dark : NULL;
}
