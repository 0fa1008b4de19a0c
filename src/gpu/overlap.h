/*
 * overlap.h -- kernels of different streams that run at the same time.
 *
 * Launches that are in flight together are tenants of the GPU.  CTAs are given out at the edges of
 * windows, to the oldest tenant first: it fills what it can, those after it get the SMs that are left,
 * and what the CTAs of others leave free of an SM (what is known as the leftover policy; gpu.sm_kernels
 * says how many share one, sm/binding/kernels.h how).  A launch begins at the edge at which it is told to, and
 * has ended at the edge at which it has nothing on any SM; its cycles are those from its beginning to
 * the end of its last warp.
 *
 * Accounts.  What an SM counts belongs to the tenant that has it; an SM that nobody wants stays with
 * its last tenant, and goes to the oldest when that one ends.  Where several are on an SM, what is
 * counted while an instruction is issued is its kernel's, and so are CTAs; L1D, constant and texture
 * cache and latencies are divided by accesses, the rest (stalls, cycles, fetching, what mechanisms
 * count there) by instructions.  What networks, L2 and DRAM count, and mechanisms beside them, is
 * divided, between two changes of who is there, by the memory accesses that the tenants made in that
 * time.  Cycles of the chip (counters.chip_cycles), and so the energy of what is merely on, are divided
 * by the SM cycles that they had.  So sums over launches are those of the GPU; only their cycles overlap.
 *
 * Samples (--sample).  Each launch has its own, counted from its beginning: what its account has got
 * since the one before.  Everything is divided when one is taken, as when somebody comes or goes, so
 * that the samples of a launch add up to its counters; cycles do not depend on it, parts of what is
 * divided may.
 *
 * Lines (--lines) belong to programs: a lost cycle to the instruction that is to blame, of whichever
 * kernel it is.
 *
 * Who runs alone.  A mechanism that plans, binds or steers for one launch at a time says so
 * (mech.alone), and launches follow each other; one that can only have one kernel on an SM (mech.apart)
 * is as gpu.sm_kernels = 1.  A launch that is not timed (--kernels) begins when none is in flight, and
 * is over before another begins.  With --functional launches follow each other, and with
 * gpu.concurrent_kernels = 1.
 */
#ifndef GPU_OVERLAP_H
#define GPU_OVERLAP_H

#include "gpu/device.h"

struct device_launch; /* one that can begin */

/* Does the device run kernels of different streams at the same time? */
bool device_overlaps(const struct device *d);

/* As device_run asks for; parameters are copied.  NULL and a message if it is refused. */
struct device_launch *device_launch_new(struct device *d, struct program *p, const char *kernel,
                                        const u32 grid[3], const u32 block[3], u32 smem,
                                        const u8 *param, struct err *e);
void device_launch_free(struct device_launch *l); /* NULL is none; it is not in flight */

/* Alone, to its end, as device_run; nothing is in flight. */
bool device_run_launch(struct device *d, struct device_launch *l, struct err *e);

bool device_is_timed(const struct device_launch *l); /* if not, it can only run alone */

u32 device_in_flight(const struct device *d);

/* Joins those in flight, at d->time_ps; d->stream is its own.  The device overlaps. */
void device_begin(struct device *d, struct device_launch *l);

/*
 * Time goes on, until d->time_ps is until_ps or later, or a launch has ended, which is in d->last then.
 * False if one has failed: then all have ended.  Those that were in flight with it are put in d->last
 * one by one by device_next_aborted; it says false with the one that failed.
 */
bool device_advance(struct device *d, u64 until_ps, struct device_launch **ended, struct err *e);
bool device_next_aborted(struct device *d);

u64 device_launch_end_ps(const struct device_launch *l); /* when it has ended */

#endif
