/*
 * run.h -- one launch that is being timed: what timing.c, launch.c and calls.c share.
 *
 *     launch.c   the plan, the beginning, the end and its accounts
 *     timing.c   windows, and what happens at the edges between them
 *     calls.c    calls of the system that kernels make, at edges
 */
#ifndef GPU_RUN_H
#define GPU_RUN_H

#include "gpu/timing.h"
#include "gpu/watch.h"

struct run {
    struct device *d;
    struct machine *m;
    struct launch *l;
    struct launch_result *r;
    struct err *e;
    u64 start; /* first cycle of the launch */
    u64 next_sample;
    struct counters before, last_sample;
    struct watch watch;
    bool together;  /* it stands for several (overlap.h): each SM has its own executors */
    u32 sm, kernel; /* whose call was performed last */
};

/* All counters up to `now`, those of mechanisms too. */
void run_count(struct run *g, u64 now, struct counters *c);

/* SM i is about to run the launch, with this executor; start_ps: the time of cycle 0. */
void run_begin_exec(struct device *d, struct exec *x, const struct launch *l,
                    const struct texture_set *tex, u32 i, u64 start_ps);

void run_begin(struct run *g, const struct texture_set *tex);
u64 run_end_cycle(const struct run *g); /* the one after the last in which a warp retired */
void run_finish(struct run *g, u64 end);

void run_book(struct device *d, struct launch_result *r); /* its counters, and in the sums */

/* Does all that is on the SM wait for ever?  See watch_waits. */
bool run_sm_waits(struct watch *w, const struct sm *sm);
u64 run_insts(const struct machine *m); /* issued so far */

double run_host_seconds(void); /* the host's clock, and its processors' */
double run_cpu_seconds(void);

/* The kernel has failed at pc, as x says; false. */
bool run_fail(struct run *g, struct exec *x, struct warp *w, u32 pc);

/* printf, malloc, .. of the window that has ended; false if one of them failed. */
bool run_perform_calls(struct run *g);

#endif
