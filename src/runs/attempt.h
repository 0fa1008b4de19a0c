/*
 * attempt.h -- one run of a point: a process in a folder, watched until it has ended (runner.h).
 *
 *     struct attempt a;
 *     attempt_start(&a, dir, &point, &e);
 *     while (!attempt_ended(&a))                      sleep a little, then
 *         attempt_watch(&a, &options);                what it holds, and whether its time is over
 *     attempt_finish(&a, &e);                         DIR/KEY.json and DIR/KEY.row
 *
 * A run that is asked to end (SIGTERM) and does not within ATTEMPT_GRACE seconds is killed, with all
 * that it has started.
 */
#ifndef RUNS_ATTEMPT_H
#define RUNS_ATTEMPT_H

#include "runs/runner.h"
#include "store/store.h"

enum { ATTEMPT_GRACE = 3, ATTEMPT_LINES = 10, ATTEMPT_BYTES = 2048 /* of what it printed */ };

enum attempt_why { ATTEMPT_ITSELF, ATTEMPT_TIME, ATTEMPT_MEMORY, ATTEMPT_STOPPED };

struct attempt {
    const struct point *point;
    char *dir, *part, *log;
    pid_t pid; /* 0: it has ended */
    int status;
    double began, asked; /* seconds; asked to end, 0: not */
    double seconds, cpu_seconds;
    u64 peak;
    u64 limit; /* the one that it went over */
    enum attempt_why why;
};

double attempt_now(void); /* seconds of a clock that is never set */

bool attempt_start(struct attempt *a, const char *dir, const struct point *p, struct err *e);
bool attempt_ended(struct attempt *a); /* asks the kernel; does not wait */
void attempt_watch(struct attempt *a, const struct runner_options *o);
void attempt_stop(struct attempt *a); /* ask it to end */
void attempt_kill(struct attempt *a); /* do not ask */

/*
 * After its end.  True if there are a KEY.json and a KEY.row, or a KEY.row that says why there is no
 * result; or nothing at all, if it was stopped.  False if the folder cannot be written.
 */
bool attempt_finish(struct attempt *a, struct err *e);
void attempt_free(struct attempt *a);

/* The last lines of a log (ATTEMPT_LINES, ATTEMPT_BYTES), to be freed. */
char *attempt_last_lines(const char *path);

/* SMELT_SET and its like would reach the programs, and change results unseen: they are removed. */
void attempt_clean_environment(void);

#endif
