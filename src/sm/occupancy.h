/*
 * occupancy.h -- how many CTAs of a launch an SM of some shape holds at a time, and what limits them.
 */
#ifndef SM_OCCUPANCY_H
#define SM_OCCUPANCY_H

#include "base/err.h"
#include "exec/warp.h"
#include "sm/shape.h"

struct need { /* of one CTA, as the SM allocates it */
    u64 threads, warps, regs, shared;
};

struct need occupancy_need(const struct shape *s, const struct sm_conf *sm, const struct launch *l);

/*
 * 0, why (for CUDA's error codes) and a message if not even one fits.  *limit: "threads", "warps",
 * "registers", "shared memory" or "CTAs".
 */
u32 occupancy(const struct shape *s, const struct sm_conf *sm, const struct launch *l,
              const char **limit, enum refusal *refusal, struct err *e);

#endif
