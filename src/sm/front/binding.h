/*
 * binding.h -- where the organs of other SMs come in, as a front end sees it: bind.h makes it.
 *
 * The datapaths that a front end drives, and the memory unit through which it fetches, are among its
 * own fields, for the baseline has them too.  This is what only other bindings set.
 */
#ifndef SM_BINDING_H
#define SM_BINDING_H

#include "base/base.h"

struct front;

struct binding {
    u32 member;    /* which of its group's front ends it is */
    bool wide;     /* word k of a warp is executed by datapath k of n_dp */
    u32 own_warps; /* contexts whose registers are in dp[0]; those of the others in dp[1] */
    u32 lent_sub;  /* of dp[1], if warps have their registers there: our first sub-core */
    struct front *share[2]; /* where the warps of its CTAs are */
    u32 n_share;
};

#endif
