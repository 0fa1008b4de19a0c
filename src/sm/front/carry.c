/*
 * carry.c -- CTAs that stay when their front end becomes one of a fused pair (bind.h).
 *
 * Their warps, of 32 lanes, go on in the contexts that they have, in the front end that has them, and
 * their registers are where they are: each is executed by the datapath of its own SM alone, as narrow
 * warps (parts.h) are.  Memory unit and instruction cache are the pair's from then on.
 *
 * CTAs of wide warps come beside them: to contexts, threads and shared memory that they leave, and to
 * registers of each SM by itself, for half of those of a wide CTA are in either file.
 *
 * MODEL: what L1D and L1I held is lost, as when the SM is fused without CTAs.
 */
#include "sm/front/front.h"

#include <string.h>

#include "sm/binding/group.h"
#include "sm/binding/kernels.h"
#include "sm/memunit/memunit.h"

static bool is_quiet(const struct wctx *c)
{
    return !c->in_flight && !c->n_pend && !c->stores && !c->atoms;
}

bool carry_is_possible(const struct front *fe)
{
    if (fe->n_starting || fe->n_fetched || fe->own_l1i.n_mshr)
        return false;
    for (u32 slot = 0; slot < fe->n_warp; slot++)
        if (!is_quiet(&fe->ctx[slot]))
            return false;
    return true;
}

/* The CTA that was in slot `was` is in slot `is` from now on. */
static void carry_cta(struct front *fe, const struct cta_slot *cta, u32 was, u32 is)
{
    fe->slot[is] = *cta;
    fe->slot[is].carried = true;
    fe->slot[is].place = fe->sm->mu->first_thread + (u64)was * cta->n * LANES;
    for (u64 m = cta->at[0]; m; m &= m - 1) {
        struct wctx *c = &fe->ctx[__builtin_ctzll(m)];

        check(c, c->w && c->home == fe && !c->gone && c->w->n_word == 1);
        c->cta = (u8)is;
        c->parts = c->part->narrow = true;
        sched_of(fe, c)->narrow |= pos_bit(c);
    }
}

/* Those that come have the first slots. */
void carry_ctas(struct front *fe, const struct launch *l, u32 ctas)
{
    struct cta_slot old[MAX_CTAS];
    u32 n = fe->n_slot, at = min_u32(ctas, MAX_CTAS - fe->n_cta);

    check(fe, carry_is_possible(fe) && !fe->bind.wide && !fe->mixed && !fe->parts.ctx);
    fe->bind.carries = true;
    fe->bind.carried = (struct carried){fe->n_cta, fe->board.kernel[0].need};
    memcpy(old, fe->slot, sizeof old);
    memset(fe->slot, 0, sizeof fe->slot);
    warps_make_slots(fe, l, at);
    for (u32 i = 0; i < n; i++)
        if (old[i].used)
            carry_cta(fe, &old[i], i, at++);
        else
            cta_free(old[i].cta);
    fe->n_slot = at;
    lever_begin(fe);
}

void carry_end(struct front *fe, const struct cta_slot *s)
{
    check(fe, s->carried && fe->bind.carried.n);
    fe->bind.carried.n--;
}

/* ---- room */

bool carry_leaves(const struct front *fe, const struct cta_slot *s)
{
    return !s->carried && s->cta && kernel_contexts(fe, s->n) < MAX_WARPS;
}

bool carry_has_room(const struct front *fe)
{
    const struct shape *s = &fe->sm->shape;
    const struct need *new = &fe->board.kernel[0].need;
    u64 n = fe->n_cta - fe->bind.carried.n + 1, ctas = n;
    u64 threads = n * new->threads, shared = n *new->shared;

    for (u32 i = 0; i < fe->sm->group->n; i++) {
        const struct carried *c = &fe->sm->group->front[i]->bind.carried;

        ctas += c->n, threads += c->n * c->need.threads, shared += c->n * c->need.shared;
        if (c->n * c->need.regs + n * new->regs / 2 > s->regs / 2)
            return false;
    }
    return ctas <= s->max_cta && threads <= s->max_threads && shared <= s->shared;
}
