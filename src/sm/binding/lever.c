/* lever.c -- what mechanisms may ask of an SM: warps held back, fewer CTAs, prefetches; see sm.h */
#include "mem/cache_watch.h"
#include "sm/binding/group.h"
#include "sm/front/front.h"
#include "sm/front/sched.h"
#include "sm/memunit/memunit.h"

/* ---- warps that may not issue */

void lever_hold(struct front *fe, struct sched *s, u64 places)
{
    s->held &= ~places;
    for (u64 m = places; m; m &= m - 1) {
        u64 bit = m & -m, warp = (u64)1 << s->at[__builtin_ctzll(m)];

        if (fe->hold & warp || (fe->hold_mem & warp && s->need[UNIT_MEM] & bit))
            s->held |= bit;
    }
}

u32 lever_holder(const struct front *fe, const struct sched *s, u64 held)
{
    u64 oldest = held & -held, warp = (u64)1 << s->at[__builtin_ctzll(held)];
    u32 who = 0;

    while (who < MAX_LISTENERS && !(fe->lever[who].hold & warp) &&
           !(fe->lever[who].hold_mem & warp && s->need[UNIT_MEM] & oldest))
        who++;
    ensure(fe, who < MAX_LISTENERS);
    return who;
}

void sm_hold(struct sm *sm, u32 who, u64 all, u64 mem)
{
    struct front *fe = sm->front;

    ensure(sm, who < MAX_LISTENERS);
    fe->lever[who].hold = all, fe->lever[who].hold_mem = mem;
    fe->hold = fe->hold_mem = 0;
    for (u32 i = 0; i < MAX_LISTENERS; i++)
        fe->hold |= fe->lever[i].hold, fe->hold_mem |= fe->lever[i].hold_mem;
    for (u32 k = 0; k < fe->n_sched; k++)
        lever_hold(fe, &fe->sched[k], fe->sched[k].live);
    group_wake(sm->group, sm->now + 1);
}

/* ---- CTAs */

u32 lever_ctas(const struct front *fe)
{
    u32 most = UINT32_MAX;

    for (u32 i = 0; i < MAX_LISTENERS; i++)
        if (fe->lever[i].ctas && fe->lever[i].ctas < most)
            most = fe->lever[i].ctas;
    return most;
}

static void find_max_cta(struct front *fe)
{
    fe->max_cta = min_u32(fe->n_slot, lever_ctas(fe));
}

void sm_limit_ctas(struct sm *sm, u32 who, u32 ctas)
{
    ensure(sm, who < MAX_LISTENERS);
    sm->front->lever[who].ctas = ctas;
    find_max_cta(sm->front);
}

void sm_close(struct sm *sm, u32 who, bool closed)
{
    ensure(sm, who < MAX_LISTENERS);
    sm->front->closed = (sm->front->closed & ~(1u << who)) | (u32)closed << who;
}

void lever_begin(struct front *fe)
{
    for (u32 i = 0; i < MAX_LISTENERS; i++)
        fe->lever[i].ctas = 0;
    fe->closed = 0;
    find_max_cta(fe);
}

/* ---- caches */

/* Tokens: of L1I and of stores a warp's, all others a load's. */
static void who(const struct cache_watch *w, u32 token, struct cache_event *ev)
{
    const struct sm *sm = w->owner;

    if (token == REQ_NONE)
        return;
    if (ev->which == IN_L1I || ev->store) {
        ev->warp = token_slot(token);
    } else {
        const struct memop *op = &sm->mu->op[token & TOKEN_OP];

        ev->warp = op->slot;
        ev->pc = memop_pc(op);
    }
}

static void watch(struct sm *sm, struct cache *c, enum cache_which which)
{
    struct cache_watch *w = cache_watch(c);

    w->like = (struct cache_event){.cache = c, .sm = sm, .sm_id = sm->id, .which = (u8)which};
    w->now = &sm->now;
    w->who = who;
    w->owner = sm;
}

void sm_watch(struct sm *sm)
{
    watch(sm, &sm->mu->l1d, IN_L1D);
    watch(sm, &sm->mu->l1c, IN_L1C);
    watch(sm, &sm->mu->l1t, IN_L1T);
    watch(sm, &sm->front->own_l1i, IN_L1I);
}

void sm_prefetch(struct sm *sm, u64 addr, u64 *count)
{
    cache_prefetch(&sm->mu->l1d, addr, count);
    group_wake(sm->group, sm->now + 1);
}
