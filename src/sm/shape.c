/* shape.c -- see shape.h */
#include "sm/shape.h"

void shape_of_keys(struct shape *s, const struct sm_conf *sm, const struct cache_conf *l1d)
{
    *s = (struct shape){
        .on = true,
        .n_warp = (u32)sm->n_warp,
        .own_warps = (u32)sm->n_warp,
        .shares = 1,
        .warp_words = (u32)sm->warp_words,
        .dp_words = (u32)sm->warp_words,
        .max_threads = (u32)sm->max_threads,
        .max_cta = (u32)sm->max_cta,
        .regs = (u32)sm->regs,
        .shared = (u32)sm->shared,
        .smem_banks = (u32)sm->smem_banks,
        .l1d_sets = (u32)l1d->sets,
        .l1d_ways = (u32)l1d->ways,
        .l1d_mshrs = (u32)l1d->mshrs,
    };
}
