/*
 * functional.h -- running a launch for its results alone, without timing.
 *
 * As many CTAs as fit on the GPU are resident; they take turns, one warp after the
 * other, each to a barrier, its end, or sim.slice instructions.  So a CTA that waits
 * for another through global memory sees it make progress.  Atomics act at once.
 * The order depends on the configuration alone: two runs give the same bytes.
 *
 * Time, for events and %globaltimer: each scheduler issues one instruction a cycle, so
 * a launch takes as many cycles as the busiest SM has issued, by sm.schedulers, and at
 * least one.  It begins when the launch before it ended.
 */
#ifndef GPU_FUNCTIONAL_H
#define GPU_FUNCTIONAL_H

#include "gpu/device.h"

bool functional_run(struct device *d, struct launch *l, struct texture *tex,
                    struct launch_result *r, struct err *e);

#endif
