/*
 * shape.h -- how much a CTA finds on an SM in a launch.
 *
 * In the baseline that is what the keys say.  A binding changes it: a front end with borrowed contexts
 * has more warps, one that drives two datapaths has wider ones.  Shapes change at launches, when an SM
 * is drained.
 */
#ifndef SM_SHAPE_H
#define SM_SHAPE_H

#include "base/base.h"
#include "sm/sm_conf.h"

struct shape {
    bool on; /* gets CTAs */
    u32 n_warp, warp_words, max_threads, max_cta;
    u32 regs, shared;
};

/* As the keys say. */
void shape_of_keys(struct shape *s, const struct sm_conf *sm);

#endif
