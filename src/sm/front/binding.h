/*
 * binding.h -- where the organs of other SMs come in, as a front end sees it: bind.h makes it.
 *
 * The datapaths that a front end drives, and the memory unit through which it fetches, are among its
 * own fields, for the baseline has them too.  This is what only other bindings set.
 */
#ifndef SM_BINDING_H
#define SM_BINDING_H

#include "base/base.h"
#include "sm/occupancy.h"

struct front;

struct carried { /* CTAs that were there before its pair was fused: carry.c */
    u32 n;
    struct need need; /* of each */
};

struct binding {
    u32 member;    /* which of its group's front ends it is */
    bool wide;     /* word k of a warp is executed by datapath k of n_dp */
    u32 own_warps; /* contexts whose registers are in dp[0]; those of the others in dp[1] */
    u32 lent_sub;  /* of dp[1], if warps have their registers there: our first sub-core */
    struct front *share[2]; /* where the warps of its CTAs are */
    u32 n_share;
    bool
        by_cycle; /* another front end issues to a datapath of its: an instruction is as old as its cycle */
    bool carries; /* .. or has carried CTAs, in this launch */
    struct carried carried;
};

#endif
