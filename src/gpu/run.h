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
};

/* All counters up to `now`, those of mechanisms too. */
void run_count(struct run *g, u64 now, struct counters *c);

void run_begin(struct run *g, const struct texture_set *tex);
u64 run_end_cycle(const struct run *g); /* the one after the last in which a warp retired */
void run_finish(struct run *g, u64 end);

/* The kernel has failed at pc, as x says; false. */
bool run_fail(struct run *g, struct exec *x, struct warp *w, u32 pc);

/* printf, malloc, .. of the window that has ended; false if one of them failed. */
bool run_perform_calls(struct run *g);

#endif
