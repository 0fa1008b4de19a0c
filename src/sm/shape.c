/* shape.c -- see shape.h */
#include "sm/shape.h"

#include <inttypes.h>

#include "exec/warp.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

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
        .l1_queues = 1,
    };
}

/* What it would have, and the most that its arrays have room for. */
struct bound {
    const char *key, *what;
    u64 is, most;
};

bool shape_check(const struct shape *s, const struct shape_of *of, struct err *e)
{
    const struct bound bound[] = {
        {"sm.n_warp", "warps", s->n_warp, MAX_WARPS},
        {"sm.warp_words", "words in a warp", s->warp_words, MAX_WORDS},
        {"sm.shared", "bytes of shared memory", s->shared, WINDOW_SIZE},
        {"sm.smem_banks", "banks of shared memory", s->smem_banks, SMEM_BANKS},
        {"l1d.ways", "ways of L1D", s->l1d_ways, CACHE_WAYS},
        {"l1d.mshrs", "MSHRs of L1D", s->l1d_mshrs, CACHE_MSHRS},
        {"l1i.ways", "ways of L1I", s->l1i_by * of->l1i->ways, CACHE_WAYS},
        {"l1c.ways", "ways of L1C", s->l1c_by * of->l1c->ways, CACHE_WAYS},
        {"l1t.ways", "ways of L1T", s->l1t_by * of->l1t->ways, CACHE_WAYS},
        {"sm.sub_cores", "parts of sub-cores", s->parts * of->sm->sub_cores, MAX_SUB},
        {"sm.banks", "parts of a register file", s->parts, of->sm->banks},
    };

    for (u32 i = 0; i < LEN(bound); i++)
        if (bound[i].is > bound[i].most)
            return err_set(
                e, "one SM would have %" PRIu64 " %s; at most %" PRIu64 " are possible (%s)",
                bound[i].is, bound[i].what, bound[i].most, bound[i].key);
    return true;
}

static u32 with_registers(u32 contexts, u32 regs, u64 warp_regs)
{
    u64 n = warp_regs ? regs / warp_regs : contexts;

    return n < contexts ? (u32)n : contexts;
}

u32 shape_own_warps(const struct shape *s, u64 warp_regs)
{
    return s->split_ctas ? with_registers(s->own_warps, s->regs, warp_regs) : s->own_warps;
}

/* Contexts [0, own) and [shape_own_warps, .. + lent) have registers; one after the other, or with a gap. */
struct usable {
    u32 own, lent;
    bool gap;
};

static struct usable usable(const struct shape *s, u64 warp_regs)
{
    u32 first = shape_own_warps(s, warp_regs);
    u32 own = with_registers(first, s->regs, warp_regs);

    return (struct usable){own, with_registers(s->n_warp - first, s->lent_regs, warp_regs),
                           own < first};
}

u32 shape_ctas(const struct shape *s, u32 contexts, u64 warp_regs)
{
    struct usable u = usable(s, warp_regs);

    return u.gap ? u.own / contexts + u.lent / contexts : (u.own + u.lent) / contexts;
}

u32 shape_context(const struct shape *s, u32 contexts, u64 warp_regs, u32 i)
{
    struct usable u = usable(s, warp_regs);
    u32 here = u.own / contexts;

    if (!u.gap || i < here)
        return i * contexts;
    return s->own_warps + (i - here) * contexts;
}
