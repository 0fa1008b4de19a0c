/* occupancy.c -- see occupancy.h */
#include "sm/occupancy.h"

#include <inttypes.h>

#include "base/text.h"

static void limit_by(u32 *best, const char **limit, u64 n, const char *what)
{
    if (n < *best)
        *best = (u32)n, *limit = what;
}

struct need occupancy_need(const struct shape *s, const struct sm_conf *sm, const struct launch *l)
{
    u64 threads = align_up(l->threads, (u64)s->warp_words * LANES);

    return (struct need){threads, threads / ((u64)s->warp_words * LANES),
                         threads * align_up(l->func->regs, sm->reg_granule),
                         align_up(l->shared, sm->shared_granule)};
}

/* What one CTA alone has too much of. */
static enum refusal too_large(const struct shape *s, const struct sm_conf *sm,
                              const struct launch *l, const struct need *n, struct err *e)
{
    if (l->threads > sm->max_block_threads) {
        err_set(e,
                "a block of %u threads; the GPU takes at most %" PRIu64 " (sm.max_block_threads)",
                l->threads, sm->max_block_threads);
        return REFUSE_THREADS;
    }
    if (n->shared > s->shared) {
        err_set(e, "a block needs %" PRIu64 " bytes of shared memory; an SM has %u (sm.shared)",
                n->shared, s->shared);
        return REFUSE_SHARED;
    }
    if (n->regs > s->regs + s->lent_regs) {
        err_set(e, "a block needs %" PRIu64 " registers; an SM has %u (sm.regs)", n->regs,
                s->regs + s->lent_regs);
        return REFUSE_REGS;
    }
    if (n->threads > s->max_threads || n->threads > shape_threads(s)) {
        err_set(e, "a block of %u threads does not fit an SM (sm.max_threads, sm.n_warp)",
                l->threads);
        return REFUSE_THREADS;
    }
    if (s->lent_regs && !shape_ctas(s, (u32)n->warps, n->regs / n->warps)) {
        err_set(e, "a block needs %" PRIu64 " registers, and a warp's are in one SM (sm.regs)",
                n->regs);
        return REFUSE_REGS;
    }
    return REFUSE_NONE;
}

/* Contexts and registers of its own and, behind them, the lender's. */
static void limit_lent(u32 *best, const char **limit, const struct shape *s, const struct need *n)
{
    u32 ctas = shape_ctas(s, (u32)n->warps, n->regs / n->warps);
    bool of_warps = ctas == s->n_warp / n->warps;

    limit_by(best, limit, ctas, of_warps ? "warps" : "registers");
}

u32 occupancy(const struct shape *s, const struct sm_conf *sm, const struct launch *l,
              const char **limit, enum refusal *refusal, struct err *e)
{
    const struct need n = occupancy_need(s, sm, l);
    u64 contexts = (n.warps + s->shares - 1) / s->shares;
    u32 best = s->max_cta;

    *limit = "CTAs";
    *refusal = too_large(s, sm, l, &n, e);
    if (*refusal)
        return err_at(e, "kernel %s", l->func->label);
    limit_by(&best, limit, s->max_threads / n.threads, "threads");
    if (s->lent_regs) {
        limit_lent(&best, limit, s, &n);
    } else {
        limit_by(&best, limit, s->n_warp / contexts, "warps");
        limit_by(&best, limit, s->regs / n.regs, "registers");
    }
    if (n.shared)
        limit_by(&best, limit, s->shared / n.shared, "shared memory");
    return best;
}
