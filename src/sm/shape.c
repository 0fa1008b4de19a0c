/* shape.c -- see shape.h */
#include "sm/shape.h"

void shape_of_keys(struct shape *s, const struct sm_conf *sm)
{
    *s = (struct shape){
        .on = true,
        .n_warp = (u32)sm->n_warp,
        .warp_words = (u32)sm->warp_words,
        .max_threads = (u32)sm->max_threads,
        .max_cta = (u32)sm->max_cta,
        .regs = (u32)sm->regs,
        .shared = (u32)sm->shared,
    };
}
