/*
 * timing.h -- running a launch cycle by cycle.
 *
 * Time proceeds in windows of W cycles (machine.window).  In a window
 *
 *     1. groups of SMs run their cycles, each on its own: replies that arrive in the window were
 *        decided before it began, for each network takes at least W cycles;
 *     2. stores are applied in (cycle, group, sequence) order, and the request network decides;
 *     3. memory partitions run the same cycles, each on its own;
 *     4. the reply network decides; at the edge, built-in calls are performed, CTAs dispatched, and
 *        the end is noticed.
 *
 * 1 and 3 are spread over host threads.  Nothing depends on how: who meets whom, and when, is fixed
 * by the windows.  Windows in which nobody has anything to do are skipped; the edges stay
 * where they are, counted from the beginning of the launch.
 */
#ifndef GPU_TIMING_H
#define GPU_TIMING_H

#include "gpu/device.h"
#include "gpu/machine.h"

/*
 * Makes the plan of a launch; the most CTAs that an SM of it holds at a time.  0, why and a message
 * if not even one fits anywhere.
 */
u32 timing_plan(struct device *d, const struct launch *l, const char **limit, enum refusal *refusal,
                struct err *e);

/* ---- for launches that run at the same time (overlap.h) */

void timing_window(struct machine *m);    /* runs one */
u64 timing_next(const struct machine *m); /* the next cycle in which anything can happen */
bool timing_memory_is_idle(const struct machine *m);
void timing_start_anew(struct device *d); /* after a failure: with a new machine */

/* Runs the launch that was planned last. */
bool timing_run(struct device *d, struct launch *l, const struct texture_set *tex,
                struct launch_result *r, struct err *e);

#endif
