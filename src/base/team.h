/*
 * team.h -- a few host threads that work through numbered items together.
 *
 *     struct team *t = team_new(2);            1: nobody but the caller
 *     team_run(t, step, &machine, 15);         step(&machine, i) for i in 0..14, neighbours together
 *
 * team_run returns when all items are done; what the caller wrote before is seen by all, and what
 * they wrote is seen by it.  Made for calls a microsecond apart: members spin for a while before
 * they sleep.  There are no more of them than CPUs, and if they keep the caller waiting because
 * they have no core, it works alone for a while (pace.h).  Where a member runs out of memory, all
 * finish or leave what they do, and then the caller has run out of it (memory.h).
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include "base/base.h"

struct team;

struct team *team_new(u32 threads);
void team_free(struct team *t);

/* After a fork, and before the first team_run: the child works alone. */
void team_check(struct team *t);

u32 team_threads(const struct team *t); /* how many it has, the caller included */

void team_run(struct team *t, void (*work)(void *arg, u32 item), void *arg, u32 n);

#endif
