/*
 * shape.h -- what an SM has for a launch: how much, how wide, how late.
 *
 * In the baseline that is what its keys say.  A binding changes it: a front end with borrowed
 * contexts has more warps, one that drives two datapaths has wider ones, and what lies in a
 * neighbour is a cycle away.  Shapes change at launches, when an SM is drained.
 */
#ifndef SM_SHAPE_H
#define SM_SHAPE_H

#include "base/base.h"
#include "mem/cache.h"
#include "sm/sm_conf.h"

struct shape {
    bool on; /* gets CTAs */
    /* how much a CTA finds */
    u32 n_warp, warp_words, max_threads, max_cta;
    u32 regs, shared;
    /* datapath */
    u32 simd_width;
    u32 banks;                                /* register banks of a sub-core */
    u32 cu_sp, cu_sfu, cu_dp, cu_mem, cu_any; /* collector units of a sub-core */
    /* memory unit */
    u32 smem_banks;
    u32 l1d_sets, l1d_ways, l1d_mshrs;
    /* cycles added: to filling an instruction buffer, from collectors to units, to L1D, to shared memory */
    u32 late_decode, late_operands, late_l1d, late_shared;
};

/* As the keys say. */
void shape_of_keys(struct shape *s, const struct sm_conf *sm, const struct cache_conf *l1d);

/* Are decoded instructions (uop.h) the same for both? */
static inline bool shape_decodes_alike(const struct shape *a, const struct shape *b)
{
    return a->warp_words == b->warp_words && a->simd_width == b->simd_width && a->banks == b->banks;
}

#endif
