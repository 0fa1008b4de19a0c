/*
 * timing.h -- running launches cycle by cycle.
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
 *
 * A launch alone and launches of several streams are the same to the loop: tenants (tenant.h).
 */
#ifndef GPU_TIMING_H
#define GPU_TIMING_H

#include "gpu/device.h"
#include "gpu/machine.h"

struct timing;
struct tenant;
struct device_launch;

/*
 * Until cycle `until`, or until a launch has ended, which is *ended then.  False: one cannot go on, and
 * is timing.culprit.
 */
bool timing_advance(struct timing *g, u64 until, struct tenant **ended, struct err *e);

/* What is still under way to memory when the last launch has ended takes no time that is counted. */
void timing_drain(struct machine *m);

bool timing_memory_is_idle(const struct machine *m);

/* ---- launch.c: one that has the GPU for itself */

/*
 * Makes the plan of a launch; the most CTAs that an SM of it holds at a time.  0, why and a message
 * if not even one fits anywhere.
 */
u32 timing_plan(struct device *d, const struct launch *l, const char **limit, enum refusal *refusal,
                struct err *e);

/* Runs the launch that was planned last to its end; its result is in d->last. */
bool timing_run(struct device *d, struct device_launch *l, struct err *e);

#endif
