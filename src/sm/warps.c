/* warps.c -- hardware warps: CTAs are placed, warps get a scheduler, run, and retire */
#include <string.h>

#include "base/text.h"
#include "sm/depend.h"
#include "sm/group.h"

/* ---- for the time of a kernel */

static void free_ctas(struct front *fe)
{
    for (u32 i = 0; i < fe->n_slot; i++)
        cta_free(fe->slot[i].cta);
    memset(fe->slot, 0, sizeof fe->slot);
    fe->n_slot = 0;
}

void warps_begin(struct front *fe, const struct launch *l, u32 ctas)
{
    u32 words = (u32)fe->conf->warp_words, per_cta = (l->warps + words - 1) / words;
    u32 n_regs = l->func->rows + l->func->preds + 1;

    warps_free(fe);
    fe->n_regs = n_regs;
    fe->pend_rows = xcalloc((size_t)2 * fe->n_warp * n_regs, 1);
    fe->n_slot = ctas;
    lever_begin(fe);
    for (u32 i = 0; i < ctas; i++) {
        fe->slot[i].cta = cta_new(l, words, fe->x->check);
        fe->slot[i].first = (u16)(i * per_cta);
        fe->slot[i].n = (u16)per_cta;
    }
    for (u32 w = 0; w < fe->n_warp; w++) {
        fe->ctx[w] = (struct wctx){.pend = fe->pend_rows + (size_t)w * n_regs};
        if (fe->war)
            fe->ctx[w].readers = fe->pend_rows + (size_t)(fe->n_warp + w) * n_regs;
    }
}

void warps_free(struct front *fe)
{
    free_ctas(fe);
    free(fe->pend_rows);
    fe->pend_rows = NULL;
}

/* ---- places: a scheduler's warps in order of age */

static u64 squeeze(u64 mask, u64 keep)
{
    u64 r = 0;

    for (u32 to = 0; keep; keep &= keep - 1, to++)
        r |= (mask >> __builtin_ctzll(keep) & 1) << to;
    return r;
}

/* Drops the places of retired warps, so that the new ones follow in order of age. */
static void compact(struct front *fe, struct sched *s)
{
    u64 keep = s->live;
    u64 *mask[] = {&s->valid,         &s->wrong,
                   &s->dirty,         &s->raw,
                   &s->raw_mem,       &s->waw,
                   &s->war,           &s->bar,
                   &s->atom,          &s->fence,
                   &s->ended,         &s->imiss,
                   &s->need[UNIT_SP], &s->need[UNIT_SFU],
                   &s->need[UNIT_DP], &s->need[UNIT_MEM],
                   &s->need_fp,       &s->need_flow,
                   &s->active,        &s->held};
    u32 n = 0;

    if (keep == (s->n < 64 ? ((u64)1 << s->n) - 1 : ~0ull))
        return;
    for (u32 i = 0; i < LEN(mask); i++)
        *mask[i] = squeeze(*mask[i], keep);
    s->last = s->last < 64 && keep >> s->last & 1
                  ? (u32)__builtin_popcountll(keep & (((u64)1 << s->last) - 1))
                  : 64;
    for (u32 p = 0; p < s->n; p++)
        if (keep >> p & 1) {
            s->at[n] = s->at[p];
            fe->ctx[s->at[n]].pos = (u8)n;
            n++;
        }
    s->n = n;
    s->live = n < 64 ? ((u64)1 << n) - 1 : ~0ull;
}

static void join_scheduler(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    u32 k = slot % fe->n_sched;
    struct sched *s = &fe->sched[k];

    c->sched = (u8)k;
    c->pos = (u8)s->n;
    s->at[s->n] = (u8)slot;
    s->live |= (u64)1 << s->n++;
}

/* ---- CTAs */

bool warps_have_room(const struct front *fe)
{
    return fe->n_cta < fe->max_cta;
}

void warps_place(struct front *fe, const struct launch *l, u64 cta, u64 start)
{
    u32 i = 0;

    assert(warps_have_room(fe));

    while (fe->slot[i].used)
        i++;
    struct cta_slot *s = &fe->slot[i];

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

static void start_warp(struct front *fe, struct cta_slot *s, u32 cta, u32 i)
{
    u32 slot = s->first + i;
    struct wctx *c = &fe->ctx[slot];
    struct warp *w = &s->cta->warp[i];

    assert(!c->w && !c->in_flight && !c->n_pend && !c->stores && !c->atoms);
    c->w = w, c->cta = (u8)cta;
    c->ib_n = 0, c->fetch_pc = w->stack[0].pc;
    c->ended = c->fenced = false;
    c->bank = (u8)(slot % fe->dp[0]->banks);
    join_scheduler(fe, slot);
    fe->want_fetch |= (u64)1 << slot;
}

void warps_start(struct front *fe, u64 now)
{
    struct memunit *mu = fe->dp[0]->mu;

    for (u32 i = 0; i < fe->n_slot && fe->n_starting; i++) {
        struct cta_slot *s = &fe->slot[i];

        if (!s->used || s->started || s->start > now)
            continue;
        s->started = true;
        fe->n_starting--;
        if (mu->empty)
            cache_invalidate(&mu->l1d);
        mu->empty = false;
        front_count_warps(fe, now, s->n);
        for (u32 k = 0; k < fe->n_sched; k++)
            compact(fe, &fe->sched[k]);
        for (u32 w = 0; w < s->n; w++)
            start_warp(fe, s, i, w);
        HOOK(fe->sm, cta_begin, i);
    }
}

/* ---- warps */

/* Memory instructions leave in order: when the fence has left, all before it are on their way. */
static bool fence_passed(const struct wctx *c)
{
    return c->fence_sent && !c->stores && !c->atoms;
}

HOT void warp_waited(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];

    if (c->fenced && depend_idle(fe, slot) && (fe->conf->fence_waits == 0 || fence_passed(c))) {
        c->fenced = false;
        sched_of(fe, c)->fence &= ~((u64)1 << c->pos);
    }
    if (c->ended && !c->in_flight && depend_idle(fe, slot) && !c->stores && !c->atoms)
        fe->may_retire |= (u64)1 << slot;
}

void warp_retire(struct front *fe, u32 slot, u64 now)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    struct cta_slot *cta = &fe->slot[c->cta];
    u64 bit = (u64)1 << c->pos;

    assert(c->w && c->ended && !c->in_flight && !c->stores && !c->atoms && cta->left);
    s->live &= ~bit, s->ended &= ~bit;
    fe->may_retire &= ~((u64)1 << slot);
    c->w = NULL;
    fe->last_done = now;
    HOOK(fe->sm, warp_end, slot);
    if (--cta->left)
        return;
    front_count_warps(fe, now + 1, -(s32)cta->n); /* this cycle was still theirs */
    cta->used = cta->started = false;
    assert(fe->n_cta);
    fe->n_cta--;
    fe->st->ctas++;
    if (!fe->n_cta && !fe->conf->l1_keep)
        fe->dp[0]->mu->empty = true;
    HOOK(fe->sm, cta_end, c->cta);
}

HOT void warp_next(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    u64 bit = (u64)1 << c->pos;

    s->valid &= ~bit, s->wrong &= ~bit;
    if (c->ended)
        return;
    if (!c->ib_n) {
        if (!(s->imiss & bit))
            fe->want_fetch |= (u64)1 << slot;
        return;
    }
    if (s->bar & bit) /* goes on where it is released */
        return;
    const struct simt *top = &c->w->stack[c->w->depth - 1];

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
    warp_next(fe, slot);
}
