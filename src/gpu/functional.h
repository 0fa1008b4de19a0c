/*
 * functional.h -- running a launch for its results alone, without timing.
 *
 * As many CTAs as fit on the GPU are resident and take turns; within its turn, so do the
 * warps of a CTA, each to a barrier, its end, or sim.slice instructions, until each has had
 * some thousand.  So a CTA that waits for another through global memory sees it make
 * progress, and warps of a CTA stay abreast: there are programs that leave out barriers
 * because on hardware no warp is ever hundreds of instructions ahead.  A slice of 8
 * costs no time (the CTA's registers stay in the host's caches).  Atomics act at once.
 * The order depends on the configuration alone: two runs give the same bytes.
 *
 * Time, for events and %globaltimer: each scheduler issues one instruction a cycle, so
 * a launch takes as many cycles as the busiest SM has issued, by sm.schedulers, and at
 * least one.  It begins when the launch before it ended.
 */
#ifndef GPU_FUNCTIONAL_H
#define GPU_FUNCTIONAL_H

#include "gpu/device.h"

bool functional_run(struct device *d, struct launch *l, const struct texture_set *tex,
                    struct launch_result *r, struct err *e);

#endif
