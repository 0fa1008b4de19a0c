/*
 * sched.h -- warp scheduler policies.
 *
 * A policy answers one question: of these ready warps, which issues?  It is asked at most once per
 * scheduler and cycle and only if there is one.  `seen` gets the places it looked at before:
 * a warp whose buffer holds the wrong path is flushed when a scheduler looks at it.
 */
#ifndef SM_SCHED_H
#define SM_SCHED_H

#include "base/err.h"
#include "sm/sm.h"

enum { NO_PICK = 64 };

struct sched_policy {
    const char *name, *doc;
    u32 (*pick)(struct sched *s, u64 ready, u64 *seen); /* ready != 0; a place of it, or NO_PICK */
};

const struct sched_policy *sched_find(const char *name, struct err *e);
const struct sched_policy *const *sched_list(u32 *n);

#endif
