/* occupancy.c -- see occupancy.h */
#include "gpu/occupancy.h"

#include <inttypes.h>

#include "base/text.h"

static void limit_by(u32 *best, const char **limit, u64 n, const char *what)
{
    if (n < *best)
        *best = (u32)n, *limit = what;
}

struct need { /* of one CTA, as the SM allocates it */
    u64 threads, regs, shared;
};

static struct need need_of(const struct shape *s, const struct sm_conf *sm, const struct launch *l)
{
    u64 threads = align_up(l->threads, (u64)s->warp_words * LANES);

    return (struct need){threads, threads * align_up(l->func->regs, sm->reg_granule),
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
    if (n->regs > s->regs) {
        err_set(e, "a block needs %" PRIu64 " registers; an SM has %u (sm.regs)", n->regs, s->regs);
        return REFUSE_REGS;
    }
    if (n->threads > s->max_threads || n->threads > shape_threads(s)) {
        err_set(e, "a block of %u threads does not fit an SM (sm.max_threads, sm.n_warp)",
                l->threads);
        return REFUSE_THREADS;
    }
    return REFUSE_NONE;
}

u32 occupancy(const struct shape *s, const struct sm_conf *sm, const struct launch *l,
              const char **limit, enum refusal *refusal, struct err *e)
{
    const struct need n = need_of(s, sm, l);
    u64 warps = n.threads / (s->warp_words * LANES), contexts = (warps + s->shares - 1) / s->shares;
    u32 best = s->max_cta;

    *limit = "CTAs";
    *refusal = too_large(s, sm, l, &n, e);
    if (*refusal)
        return err_at(e, "kernel %s", l->func->label);
    limit_by(&best, limit, s->max_threads / n.threads, "threads");
    limit_by(&best, limit, s->n_warp / contexts, "warps");
    limit_by(&best, limit, s->regs / n.regs, "registers");
    if (n.shared)
        limit_by(&best, limit, s->shared / n.shared, "shared memory");
    return best;
}
