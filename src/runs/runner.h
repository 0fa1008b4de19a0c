/*
 * runner.h -- runs points on this machine, several at once, into a store.
 *
 *     struct runner_options o = {.jobs = 2, .seconds = 600, .bytes = 4 << 30};
 *     struct runner_result r;
 *     bool ok = runner_run(store, point, n, &o, &r, &e);
 *
 * What the store has is not run again, nor what another process is at: that is waited for, and run
 * here if the other vanishes.  A run works in the folder beside the store, STORE.d: its result KEY.json
 * and its row KEY.row appear there when it has ended, go into the store and are removed; what it writes
 * until then is KEY.HOST.PID.part and .log.  A process that is killed takes its runs with it; what it
 * left behind goes into the store when the next one begins, if it is whole, and is removed.
 *
 * A run that fails (a status that is not 0, a result that is not "done", too much time or memory) is
 * a row too, with the reason and its last lines; the others go on.  Ctrl-C stops the runs, keeps
 * what is finished, and ends with runner_result.stopped.
 */
#ifndef RUNS_RUNNER_H
#define RUNS_RUNNER_H

#include "runs/point.h"
#include "store/store.h"

struct runner_options {
    u32 jobs;    /* at once */
    u64 seconds; /* wall, of one run; 0: no limit */
    u64 bytes;   /* of memory that one run holds; 0: no limit */
    bool retry;  /* those that failed before too */
};

struct runner_result {
    u32 there;    /* in the store already, or run by another process meanwhile */
    u32 done;     /* run now */
    u32 failed;   /* of all these */
    bool stopped; /* by Ctrl-C or SIGTERM */
};

/*
 * False if it could not go on at all: the store cannot be written, a program does not compile.
 * Points of the same key are run, and counted, once.
 */
bool runner_run(struct store *s, const struct point *p, u32 n, const struct runner_options *o,
                struct runner_result *r, struct err *e);

/*
 * One point, for whoever has points but no store at hand (slurm.h): runs it with its limits and leaves
 * DIR/KEY.json and DIR/KEY.row, which runner_take_in brings into a store.  True also if it failed.
 */
bool runner_one(const char *dir, const struct point *p, const struct runner_options *o,
                struct err *e);

/* Takes what lies finished in a folder into the store; *n of them. */
bool runner_take_in(struct store *s, const char *dir, u32 *n, struct err *e);

#endif
