/*
 * runner_int.h -- what the files of the runner share.
 *
 *     runner.c          which points are run, when and by whom; progress
 *     runner_one.c      one point without a store, and the signals of both
 *     runner_take.c     finished runs go from a folder into the store
 *     attempt.c         one run as a process
 */
#ifndef RUNS_RUNNER_INT_H
#define RUNS_RUNNER_INT_H

#include <signal.h>

#include "runs/runner.h"

#define RUNNER_TICK 0.2 /* s between looks at what runs hold */

/*
 * While runs are watched, requests to stop and ends of children are not interruptions but what
 * runner_sleep returns: the number of a signal, or 0 when the time is over.
 */
struct runner_signals {
    sigset_t mask;
};

void runner_block_signals(struct runner_signals *old);
void runner_restore_signals(const struct runner_signals *old);
int runner_sleep(double seconds);
bool runner_is_stop(int number);

/* Programs of points, each once: what does not compile is told before anything runs. */
bool runner_prepare(const struct point *const *p, u32 n, struct err *e);

/* "failed: POINT: why", from its row. */
void runner_tell_failure(struct store *s, const struct point *p);

/* KEY.json and KEY.row of a folder into the store; *took: there were any, and they were whole. */
bool runner_take_key(struct store *s, const char *dir, const char *key, bool *took, struct err *e);

/*
 * What processes that are gone have left in STORE.d: results go into the store, the rest is removed.
 * Of runs that were over when their process was killed only the points can tell what they were.
 */
bool runner_clean_up(struct store *s, const char *dir, const struct point *p, u32 n, struct err *e);

/* The same for one point, whose claim is ours by now. */
bool runner_clean_key(struct store *s, const char *dir, const struct point *p, struct err *e);

#endif
