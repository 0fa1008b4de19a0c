/* shape.c -- see shape.h */
#include "sm/shape.h"

void shape_of_keys(struct shape *s, const struct sm_conf *sm, const struct cache_conf *l1d)
{
    *s = (struct shape){
        .on = true,
        .n_warp = (u32)sm->n_warp,
        .warp_words = (u32)sm->warp_words,
        .max_threads = (u32)sm->max_threads,
        .max_cta = (u32)sm->max_cta,
        .regs = (u32)sm->regs,
        .shared = (u32)sm->shared,
        .simd_width = (u32)sm->simd_width,
        .banks = (u32)sm->banks,
        .cu_sp = (u32)sm->cu_sp,
        .cu_sfu = (u32)sm->cu_sfu,
        .cu_dp = (u32)sm->cu_dp,
        .cu_mem = (u32)sm->cu_mem,
        .cu_any = (u32)sm->cu_any,
        .smem_banks = (u32)sm->smem_banks,
        .l1d_sets = (u32)l1d->sets,
        .l1d_ways = (u32)l1d->ways,
        .l1d_mshrs = (u32)l1d->mshrs,
    };
}
