/* shape.c -- see shape.h */
#include "sm/shape.h"

void shape_of_keys(struct shape *s, const struct sm_conf *sm, const struct cache_conf *l1d)
{
    *s = (struct shape){
        .on = true,
        .n_warp = (u32)sm->n_warp,
        .own_warps = (u32)sm->n_warp,
        .parts = 1,
        .shares = 1,
        .warp_words = (u32)sm->warp_words,
        .dp_words = (u32)sm->warp_words,
        .simd_width = (u32)sm->simd_width,
        .max_threads = (u32)sm->max_threads,
        .max_cta = (u32)sm->max_cta,
        .regs = (u32)sm->regs,
        .shared = (u32)sm->shared,
        .smem_banks = (u32)sm->smem_banks,
        .l1d_sets = (u32)l1d->sets,
        .l1d_ways = (u32)l1d->ways,
        .l1d_mshrs = (u32)l1d->mshrs,
        .l1i_by = 1,
        .l1c_by = 1,
        .l1t_by = 1,
    };
}

static u32 with_registers(u32 contexts, u32 regs, u64 warp_regs)
{
    u64 n = warp_regs ? regs / warp_regs : contexts;

    return n < contexts ? (u32)n : contexts;
}

/* Contexts [0, own) and [own_warps, own_warps + lent) have registers. */
struct usable {
    u32 own, lent;
};

static struct usable usable(const struct shape *s, u64 warp_regs)
{
    return (struct usable){with_registers(s->own_warps, s->regs, warp_regs),
                           with_registers(s->n_warp - s->own_warps, s->lent_regs, warp_regs)};
}

u32 shape_ctas(const struct shape *s, u32 contexts, u64 warp_regs)
{
    struct usable u = usable(s, warp_regs);

    if (u.own == s->own_warps)
        return (u.own + u.lent) / contexts;
    return u.own / contexts + u.lent / contexts;
}

u32 shape_context(const struct shape *s, u32 contexts, u64 warp_regs, u32 i)
{
    struct usable u = usable(s, warp_regs);
    u32 here = u.own / contexts;

    if (u.own == s->own_warps || i < here)
        return i * contexts;
    return s->own_warps + (i - here) * contexts;
}
