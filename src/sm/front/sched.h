/*
 * sched.h -- warp scheduler policies.
 *
 * A policy answers one question: of these ready warps, which issues?  It is asked once for each
 * warp that a scheduler may issue from in a cycle (sm.picks), and only if there is one.  `seen` gets the
 * places it looked at before:
 * a warp whose buffer holds the wrong path is flushed when a scheduler looks at it.  What a policy
 * keeps between cycles it brings up to date in `look`, which runs whenever something may have
 * changed, ready warps or not; looking twice is looking once.  What it decides once a cycle, before
 * it issues, is decided in `order`.  State of its own a policy has in sched.own.
 */
#ifndef SM_SCHED_H
#define SM_SCHED_H

#include "base/err.h"
#include "sm/front/front.h"

enum { NO_PICK = 64 };

struct sched_policy {
    const char *name, *doc;
    size_t size;                    /* of sched.own */
    void (*begin)(struct sched *s); /* or NULL; own is zeroed */
    void (*look)(struct sched *s);  /* or NULL */
    void (*order)(struct sched *s,
                  u64 now); /* or NULL; once a cycle, after `look`, which there is */
    u32 (*pick)(struct sched *s, u64 ready, u64 *seen); /* ready != 0; a place of it, or NO_PICK */
};

/* Warps that do not wait for something long; of policies with an active set, those in it. */
u64 sched_active(const struct sched *s);

/* Warps that a hazard holds, or that wait for others. */
static inline u64 sched_waits(const struct sched *s)
{
    return s->raw | s->raw_mem | s->waw | s->war | s->bar | s->atom | s->fence | s->window |
           s->meet;
}

/* Those, and warps that a mechanism holds. */
static inline u64 sched_blocked(const struct sched *s)
{
    return sched_waits(s) | s->held;
}

/* Of these warps, those whose next instruction is of the type PIPE_INT or PIPE_FP. */
static inline u64 sched_of_type(const struct sched *s, u64 warps, u32 type)
{
    return warps & s->valid & s->need[UNIT_SP] &
           (type == PIPE_FP ? s->need_fp : ~(s->need_fp | s->need_flow));
}

/* For policies: the first of `ready` after place `last`, round; the active set of two_level. */
u32 sched_next_after(u32 last, u64 ready, u64 *seen);
void sched_two_level_look(struct sched *s);

/* The policy decides for s from now on. */
void sched_use(struct sched *s, const struct sched_policy *policy);

const struct sched_policy *sched_find(const char *name, struct err *e);

/* All of them, those of mechanisms included: the list is theirs (mech/sched_list.c). */
const struct sched_policy *const *sched_list(u32 *n);

#endif
