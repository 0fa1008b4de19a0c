/* warps.c -- hardware warps: CTAs are placed, warps get a scheduler, run, and retire */
#include "sm/front/front.h"

#include <string.h>

#include "base/text.h"
#include "exec/part.h"
#include "sm/binding/group.h"
#include "sm/binding/kernels.h"
#include "sm/datapath/datapath.h"
#include "sm/front/depend.h"
#include "sm/front/parts.h"
#include "sm/memunit/memunit.h"

/* ---- for the time of a kernel */

static void free_ctas(struct front *fe)
{
    for (u32 i = 0; i < fe->n_slot; i++)
        cta_free(fe->slot[i].cta);
    memset(fe->slot, 0, sizeof fe->slot);
    fe->n_slot = 0;
}

static u64 warp_regs(const struct front *fe, const struct launch *l)
{
    return align_up(l->func->regs, fe->conf->reg_granule) * LANES * fe->words;
}

/* A CTA's first context in each share. */
static u32 first_context(const struct front *fe, const struct launch *l, u32 per_share, u32 i)
{
    const struct shape *s = &fe->sm->shape;

    return s->lent_regs ? shape_context(s, per_share, warp_regs(fe, l), i) : i * per_share;
}

void warps_make_slots(struct front *fe, const struct launch *l, u32 ctas)
{
    u32 per_cta = (l->warps + fe->words - 1) / fe->words;
    u32 per_share = (per_cta + fe->bind.n_share - 1) / fe->bind.n_share;

    fe->n_slot = ctas;
    for (u32 i = 0; i < ctas; i++) {
        fe->slot[i].cta = cta_new(l, fe->words, fe->x->check);
        fe->slot[i].first = (u16)first_context(fe, l, per_share, i);
        fe->slot[i].n = (u16)per_cta;
    }
}

void warps_begin(struct front *fe, const struct launch *l, u32 ctas)
{
    u32 n_regs = l->func->rows + l->func->preds + 1;

    ensure(fe, ctas <= MAX_CTAS && fe->n_warp <= MAX_WARPS);
    check(fe, !fe->n_cta && !fe->n_starting);
    warps_free(fe);
    fe->opening = 0, fe->opens = UINT64_MAX;
    fe->parts.ctx = fe->parts.meeting = 0, fe->parts_due = false;
    fe->n_regs = n_regs;
    fe->pend_rows = xcalloc((size_t)2 * fe->n_warp * n_regs, 1);
    fe->bind.own_warps = shape_own_warps(&fe->sm->shape, warp_regs(fe, l));
    warps_make_slots(fe, l, ctas);
    lever_begin(fe);
    for (u32 w = fe->n_warp; w < MAX_WARPS; w++)
        fe->ctx[w] = (struct wctx){.part = &fe->parts.of[w]};
    for (u32 w = 0; w < fe->n_warp; w++) {
        fe->ctx[w] =
            (struct wctx){.pend = fe->pend_rows + (size_t)w * n_regs, .part = &fe->parts.of[w]};
        if (fe->war)
            fe->ctx[w].readers = fe->pend_rows + (size_t)(fe->n_warp + w) * n_regs;
    }
}

void warps_free(struct front *fe)
{
    free_ctas(fe);
    free(fe->pend_rows), free(fe->parts.rows), free(fe->parts.pend);
    fe->pend_rows = fe->parts.pend = NULL, fe->parts.rows = NULL;
}

/* ---- places: a scheduler's warps in order of age */

static u64 below(u32 place)
{
    return place < 64 ? ((u64)1 << place) - 1 : ~0ull;
}

static u64 squeeze(u64 mask, u64 keep)
{
    u64 r = 0;

    for (u32 to = 0; keep; keep &= keep - 1, to++)
        r |= (mask >> __builtin_ctzll(keep) & 1) << to;
    return r;
}

enum { N_MASK = 25 };

/* All sets of a scheduler's places but `live`. */
static void sched_masks(struct sched *s, u64 *mask[N_MASK])
{
    u64 *all[] = {&s->valid,
                  &s->wrong,
                  &s->dirty,
                  &s->raw,
                  &s->raw_mem,
                  &s->waw,
                  &s->war,
                  &s->bar,
                  &s->atom,
                  &s->fence,
                  &s->ended,
                  &s->imiss,
                  &s->need[UNIT_SP],
                  &s->need[UNIT_SFU],
                  &s->need[UNIT_DP],
                  &s->need[UNIT_MEM],
                  &s->need_fp,
                  &s->need_flow,
                  &s->active,
                  &s->held,
                  &s->lent,
                  &s->window,
                  &s->meet,
                  &s->narrow,
                  &s->need[UNIT_TENSOR]};

    _Static_assert(LEN(all) == N_MASK, "each of them");
    memcpy(mask, all, sizeof all);
}

/* Drops the places of retired warps, so that the new ones follow in order of age. */
void warps_compact(struct front *fe, struct sched *s)
{
    u64 keep = s->live, *mask[N_MASK];
    u32 n = 0;

    check(fe, s->n <= 64 && !(keep & ~below(s->n)));
    if (keep == below(s->n))
        return;
    sched_masks(s, mask);
    for (u32 i = 0; i < N_MASK; i++)
        *mask[i] = squeeze(*mask[i], keep);
    s->last =
        s->last < 64 && keep >> s->last & 1 ? (u32)__builtin_popcountll(keep & below(s->last)) : 64;
    for (u32 p = 0; p < s->n; p++)
        if (keep >> p & 1) {
            s->at[n] = s->at[p];
            fe->ctx[s->at[n]].pos = (u8)n;
            n++;
        }
    s->n = n;
    s->live = below(n);
}

void warps_join_scheduler(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    u32 k = slot % fe->n_sched;
    struct sched *s = &fe->sched[k];

    ensure(c, s->n < LEN(s->at));
    check(c, c->w && fe->by == fe);
    c->sched = (u8)k;
    c->pos = (u8)s->n;
    s->at[s->n] = (u8)slot;
    s->lent = (s->lent & ~((u64)1 << s->n)) | (u64)c->dp << s->n;
    s->narrow = (s->narrow & ~((u64)1 << s->n)) | (u64)c->part->narrow << s->n;
    s->live |= (u64)1 << s->n++;
}

/* ---- CTAs */

bool warps_have_room(const struct front *fe)
{
    return fe->n_cta < fe->max_cta && !fe->closed && (!fe->bind.carries || carry_has_room(fe));
}

u64 warps_free_slots(const struct front *fe)
{
    u64 free = 0;

    for (u32 i = 0; i < fe->n_slot; i++)
        free |= (u64)(!fe->slot[i].used && (!fe->bind.carries || carry_leaves(fe, &fe->slot[i])))
                << i;
    return free;
}

void warps_place(struct front *fe, const struct launch *l, u32 slot, u64 cta, u64 start)
{
    struct cta_slot *s = &fe->slot[slot];

    ensure(fe, slot < fe->n_slot && s->cta);
    check(fe, !s->used && cta < l->ctas);
    if (UNLIKELY(fe->mixed))
        kernel_place(fe, slot);
    else
        check(fe, warps_have_room(fe));
    if (UNLIKELY(fe->bind.carries))
        s->first = (u16)kernel_contexts(fe, s->n);
    fe->board.kernel[s->kernel].n_cta++;
    cta_start(s->cta, l, cta, fe->sm->id);
    s->used = true;
    s->start = start;
    s->left = s->n;
    fe->n_cta++;
    fe->n_starting++;
}

u64 warps_next_start(const struct front *fe)
{
    u64 next = UINT64_MAX;

    for (u32 i = 0; i < fe->n_slot && fe->n_starting; i++)
        if (fe->slot[i].used && !fe->slot[i].started && fe->slot[i].start < next)
            next = fe->slot[i].start;
    return next;
}

/* Warps of a CTA that are in share k of n. */
static u32 warps_in(const struct cta_slot *s, u32 k, u32 n)
{
    return (s->n - k + n - 1) / n;
}

/* Warp i of the CTA in slot `cta` of fe; one that another front end moves needs no scheduler here. */
static void start_warp(struct front *home, u32 cta, u32 i)
{
    struct cta_slot *s = &home->slot[cta];
    struct front *fe = home->bind.share[i % home->bind.n_share];
    u32 slot = s->first + i / home->bind.n_share;
    struct wctx *c = &fe->ctx[slot];
    struct warp *w = &s->cta->warp[i];

    ensure(home, slot < fe->n_warp);
    check(c, !c->w && !c->gone);
    check(c, !c->in_flight && !c->n_pend && !c->stores && !c->atoms);
    c->w = w, c->home = home, c->cta = (u8)cta;
    c->ib_n = 0, c->fetch_pc = w->stack[0].pc;
    c->ended = c->fenced = false, c->copy_wait = 0;
    c->parts = fe->parts.ctx != 0;
    *c->part = (struct wpart){.legacy = c->part->legacy};
    s->at[i % home->bind.n_share] |= (u64)1 << slot;
    c->dp = slot >= fe->bind.own_warps;
    c->sub = (u8)(fe->sched[slot % fe->n_sched].sub + (c->dp ? fe->bind.lent_sub : 0));
    c->bank = (u8)(slot % fe->dp[c->dp]->banks);
    if (fe->by != fe)
        return;
    warps_join_scheduler(fe, slot);
    fe->want_fetch |= (u64)1 << slot;
    if (UNLIKELY(fe->depend))
        fe->depend->start(fe, slot);
}

/* Its warps begin, in the front ends that have them. */
static void tell_warps(const struct front *home, const struct cta_slot *s)
{
    for (u32 i = 0; i < s->n; i++)
        HOOK(home->bind.share[i % home->bind.n_share]->sm, warp_begin,
             s->first + i / home->bind.n_share);
}

static void start_cta(struct front *fe, u32 i, u64 now)
{
    struct cta_slot *s = &fe->slot[i];
    struct memunit *mu = fe->dp[0]->mu;

    check(fe, fe->n_starting && s->left == s->n);
    s->started = true;
    fe->n_starting--;
    if (mu->empty)
        cache_invalidate(&mu->l1d);
    mu->empty = false;
    for (u32 k = 0; k < fe->bind.n_share; k++) {
        struct front *to = fe->bind.share[k];

        front_count_warps(to, now, (s32)warps_in(s, k, fe->bind.n_share));
        for (u32 p = 0; p < to->n_sched; p++)
            warps_compact(to, &to->sched[p]);
    }
    for (u32 w = 0; w < s->n; w++)
        start_warp(fe, i, w);
    HOOK(fe->sm, cta_begin, i);
    tell_warps(fe, s);
}

void warps_start(struct front *fe, u64 now)
{
    for (u32 i = 0; i < fe->n_slot && fe->n_starting; i++) {
        const struct cta_slot *s = &fe->slot[i];

        if (s->used && !s->started && s->start <= now)
            start_cta(fe, i, now);
    }
}

/* ---- barriers that have opened */

void warp_open(struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    fe->opening &= ~((u64)1 << slot);
    sched_of(fe, c)->bar &= ~pos_bit(c);
    warp_next(fe, slot);
    if (UNLIKELY(c->parts))
        parts_issued(fe, slot);
}

void warp_opens(struct front *fe, u32 slot, u64 at)
{
    fe->ctx[slot].opens = at;
    fe->opening |= (u64)1 << slot;
    if (at < fe->opens)
        fe->opens = at;
}

void warps_open(struct front *fe, u64 now)
{
    u64 next = UINT64_MAX;

    for (u64 m = fe->opening; m; m &= m - 1) {
        u32 slot = (u32)__builtin_ctzll(m);

        if (fe->ctx[slot].opens <= now)
            warp_open(fe, slot);
        else if (fe->ctx[slot].opens < next)
            next = fe->ctx[slot].opens;
    }
    fe->opens = next;
}

/* ---- warps */

/* Members of a lock step wait for each other: what one waits for, all do. */
#define EACH_LOCKED(c, fe, slot)                                                                   \
    for (u32 k_ = 0; k_ < (fe)->lock.n; k_++)                                                      \
        for (struct wctx *c = &(fe)->lock.of[k_]->ctx[slot]; c; c = NULL)

/* Memory instructions leave in order: when the fence has left, all before it are on their way. */
static bool fence_passed(const struct front *fe, u32 slot)
{
    EACH_LOCKED(c, fe, slot)
    if (!c->fence_sent || c->stores || c->atoms || (c->parts && c->part->ghosts))
        return false;
    return true;
}

/* Has a copy of one of these groups not come? */
static bool copies_left(const struct front *fe, u32 slot, u32 groups)
{
    EACH_LOCKED(c, fe, slot)
    for (u32 m = groups; m; m &= m - 1)
        if (c->copies[__builtin_ctz(m)])
            return true;
    return false;
}

static bool fence_is_over(const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    if (UNLIKELY(c->copy_wait))
        return !copies_left(fe, slot, c->copy_wait);
    return depend_idle(fe, slot) && (fe->conf->fence_waits == 0 || fence_passed(fe, slot));
}

/*
 * A group that comes round again while a copy of it is under way is waited for with it; and of more than
 * COPY_GROUPS - 2 groups that may be under way, the oldest are waited for.
 */
void warp_copy_fence(struct front *fe, u32 slot, const struct inst *in)
{
    struct wctx *c = &fe->ctx[slot];
    u32 all = (1u << COPY_GROUPS) - 1, last = COPY_GROUPS - 2;

    if (in->op == OP_cp_async_commit) {
        EACH_LOCKED(m, fe, slot)
        m->copy_group = (u8)((m->copy_group + 1) % COPY_GROUPS);
        return;
    }
    c->copy_wait = (u8)all;
    if (in->imm >= 0) /* not the open group, nor the last before it */
        for (u32 i = 0; i <= (in->imm < last ? (u32)in->imm : last); i++)
            c->copy_wait &= (u8) ~(1u << (c->copy_group + COPY_GROUPS - i) % COPY_GROUPS);
    c->fenced = true;
    sched_of(fe, c)->fence |= pos_bit(c);
    warp_waited(fe, slot);
}

static bool is_quiet(const struct front *fe, u32 slot)
{
    EACH_LOCKED(c, fe, slot)
    if (c->in_flight || c->stores || c->atoms)
        return false;
    return true;
}

HOT void warp_waited(struct front *fe, u32 slot)
{
    struct wctx *c;

    fe = fe->by;
    c = &fe->ctx[slot];
    check(c, c->w);
    if (UNLIKELY(c->parts) && parts_landed(fe, slot))
        return;
    if (c->fenced && fence_is_over(fe, slot)) {
        c->fenced = false, c->copy_wait = 0;
        sched_of(fe, c)->fence &= ~((u64)1 << c->pos);
    }
    if (c->ended && !fe->lock.ending && (LIKELY(!c->parts) || parts_have_ended(c)) &&
        depend_idle(fe, slot) && is_quiet(fe, slot) && !(sched_of(fe, c)->imiss & pos_bit(c)) &&
        !c->lost)
        fe->may_retire |= (u64)1 << slot;
}

void warp_wait_atoms(struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->by->ctx[slot];

    sched_of(fe->by, c)->atom |= pos_bit(c);
}

bool warp_has_atoms(const struct front *fe, u32 slot)
{
    EACH_LOCKED(c, fe, slot)
    if (c->atoms)
        return true;
    return false;
}

void warp_no_atoms(struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->by->ctx[slot];

    if (!warp_has_atoms(fe->by, slot))
        sched_of(fe->by, c)->atom &= ~pos_bit(c);
}

void warp_called(struct front *fe, u32 slot)
{
    const struct wctx *own = &fe->by->ctx[slot];

    EACH_LOCKED(c, fe->by, slot)
    if (c->w->call.builtin)
        return;
    sched_of(fe->by, own)->fence &= ~pos_bit(own);
}

/* Has nobody a CTA whose memory unit is this one's? */
static bool memory_is_unused(const struct front *fe)
{
    const struct group *g = fe->sm->group;

    for (u32 i = 0; i < g->n; i++)
        if (g->front[i]->n_cta && g->front[i]->mu == fe->mu)
            return false;
    return true;
}

static void end_cta(struct front *fe, struct cta_slot *cta, u64 now)
{
    for (u32 k = 0; k < fe->bind.n_share; k++) /* this cycle was still theirs */
        front_count_warps(fe->bind.share[k], now + 1, -(s32)warps_in(cta, k, fe->bind.n_share));
    check(fe, cta->used && cta->started && !(cta->at[0] | cta->at[1]));
    cta->used = cta->started = false;
    check(fe, fe->n_cta && fe->board.kernel[cta->kernel].n_cta);
    fe->n_cta--;
    fe->board.kernel[cta->kernel].n_cta--, fe->board.kernel[cta->kernel].n_done++;
    fe->board.kernel[cta->kernel].last_done = now;
    fe->st->ctas++;
    if (UNLIKELY(cta->carried))
        carry_end(fe, cta);
    if (!fe->n_cta && !fe->conf->l1_keep && memory_is_unused(fe))
        fe->dp[0]->mu->empty = true;
    HOOK(fe->sm, cta_end, (u32)(cta - fe->slot));
}

static void leave_cta(struct front *fe, u32 slot, u64 now)
{
    struct wctx *c = &fe->ctx[slot];
    struct cta_slot *cta = &c->home->slot[c->cta];

    check(c, c->w && c->w->done && !c->gone && cta->left);
    check(c, !c->in_flight && !c->stores && !c->atoms);
    if (UNLIKELY(c->parts))
        part_release(c->w);
    c->w = NULL;
    if (UNLIKELY(c->parts) && c->part->guest)
        front_count_warps(fe, now + 1, -1);
    cta->at[fe != c->home->bind.share[0]] &= ~((u64)1 << slot);
    fe->last_done = now;
    HOOK(fe->sm, warp_end, slot);
    if (!--cta->left)
        end_cta(c->home, cta, now);
}

void warp_retire(struct front *fe, u32 slot, u64 now)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);

    check(c, fe->by == fe && c->ended && s->live & s->ended & pos_bit(c));
    check(c, depend_idle(fe, slot));
    s->live &= ~pos_bit(c), s->ended &= ~pos_bit(c);
    fe->may_retire &= ~((u64)1 << slot);
    for (u32 k = 0; k < fe->lock.n; k++)
        leave_cta(fe->lock.of[k], slot, now);
}

/* ---- lock step begins and ends */

void warps_follow(struct front *fe)
{
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];
        u64 *mask[N_MASK];

        sched_masks(s, mask);
        for (u32 i = 0; i < N_MASK; i++)
            *mask[i] = 0;
        s->live = 0;
        s->n = 0, s->last = 64;
    }
    fe->want_fetch = fe->may_retire = 0;
}

/* A warp that was moved by the leader, in a scheduler of its own. */
static void take_over(struct front *fe, const struct front *leader, u32 slot)
{
    const struct wctx *led = &leader->ctx[slot];
    struct wctx *c = &fe->ctx[slot];

    check(c, c->w && led->w);
    c->fenced = led->fenced, c->copy_wait = led->copy_wait, c->bank = led->bank;
    c->ib_n = 0;
    warps_join_scheduler(fe, slot);
    c->ended = c->w->done;
    if (c->ended) {
        sched_of(fe, c)->ended |= pos_bit(c);
        return;
    }
    c->fetch_pc = c->w->stack[c->w->depth - 1].pc;
    fe->want_fetch |= (u64)1 << slot;
    if (c->w->waiting >= 0)
        sched_of(fe, c)->bar |= pos_bit(c);
}

/* What it still waits for is its own. */
static void wait_alone(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    u64 bit = pos_bit(c);

    s->fence = c->fenced || c->w->call.builtin ? s->fence | bit : s->fence & ~bit;
    s->atom &= ~bit; /* none is under way */
    warp_waited(fe, slot);
}

void warps_go_on(struct front *fe, const struct front *leader)
{
    for (u32 k = 0; k < leader->n_sched; k++) {
        const struct sched *s = &leader->sched[k];

        for (u64 live = s->live; live; live &= live - 1) {
            u32 slot = s->at[__builtin_ctzll(live)];

            if (fe != leader)
                take_over(fe, leader, slot);
            wait_alone(fe, slot);
        }
    }
}

/* What it goes on with has been fetched, and is decoded in a cycle to come. */
static bool is_decoding(const struct front *fe, u32 slot)
{
    for (u32 i = 0; i < fe->n_fetched; i++)
        if (fe->fetched[i].slot == slot && fe->fetched[i].pc == fe->ctx[slot].fetch_pc)
            return true;
    return false;
}

HOT void warp_next(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    u64 bit = (u64)1 << c->pos;

    if (UNLIKELY(fe->depend)) {
        fe->depend->next(fe, slot);
        return;
    }
    s->valid &= ~bit, s->wrong &= ~bit;
    if (c->ended)
        return;
    if (!c->ib_n) {
        if (!(s->imiss & bit) && !is_decoding(fe, slot))
            fe->want_fetch |= (u64)1 << slot;
        return;
    }
    if (s->bar & bit) /* goes on where it is released */
        return;
    const struct simt *top = &c->w->stack[c->w->depth - 1];

    check(c, c->w->depth && c->w->depth <= c->w->cap);
    if (c->ib_pc == top->pc) {
        s->valid |= bit, s->dirty |= bit;
        c->frame = frame_tag(top);
    } else {
        s->wrong |= bit;
    }
}

void warp_flush(struct front *fe, u32 slot, u32 pc)
{
    struct wctx *c = &fe->ctx[slot];

    c->ib_n = 0;
    c->fetch_pc = pc;
    if (UNLIKELY(fe->depend))
        fe->depend->flush(fe, slot);
    warp_next(fe, slot);
}
