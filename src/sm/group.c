/* group.c -- see group.h: the cycle, and sleeping */
#include "sm/group.h"

#include <stdlib.h>

#include "base/text.h"

static void init_flights(struct flights *p, u32 n)
{
    p->n = n;
    p->at = xcalloc(n, sizeof p->at[0]);
    for (u32 i = 0; i < n; i++)
        p->at[i].id = (u16)i, p->at[i].next = (u16)(i + 1 < n ? i + 1 : NONE16);
}

void group_init(struct group *g, struct sm *const *sm, u32 n, struct exec *x, struct req_pool *pool)
{
    *g = (struct group){.wake = UINT64_MAX, .n = n, .x = x};
    init_flights(&g->flights, n * N_FLIGHT);
    for (u32 i = 0; i < n; i++) {
        g->sm[i] = sm[i];
        sm[i]->group = g;
        sm[i]->front->member = i;
        sm[i]->front->x = sm[i]->mu->x = x;
        sm[i]->front->flights = sm[i]->dp->flights = &g->flights;
        sm[i]->mu->pool = pool;
        wheel_free(&sm[i]->dp->wheel);
        wheel_init(&sm[i]->dp->wheel, g->flights.n);
    }
}

void group_free(struct group *g)
{
    free(g->flights.at);
    g->flights.at = NULL;
}

/* ---- the cycle */

static void fire_timers(struct sm *sm, u64 now)
{
    u32 e;

    while ((e = wheel_take(&sm->timers, now)) != WHEEL_NIL)
        HOOK(sm, timer, e);
}

/* A group of one: the same stages without the loops. */
static void step_one(struct sm *sm, u64 now)
{
    struct front *fe = sm->front;
    struct datapath *dp = sm->dp;
    struct memunit *mu = sm->mu;

    sm->now = now;
    if (fe->n_starting)
        warps_start(fe, now);
    reply_step(mu, now);
    writeback_step(dp, now);
    if (UNLIKELY(sm->timers.n_due))
        fire_timers(sm, now);
    execute_step(dp, now);
    lsu_return_step(mu, now);
    collector_step(dp, now);
    lsu_step(mu, now);
    issue_step(fe, now);
    decode_step(fe);
    fetch_step(fe, now);
}

static void step(struct group *g, u64 now)
{
    if (LIKELY(g->n == 1)) {
        step_one(g->sm[0], now);
        return;
    }
    for (u32 i = 0; i < g->n; i++) {
        g->sm[i]->now = now;
        if (g->sm[i]->front->n_starting)
            warps_start(g->sm[i]->front, now);
    }
    for (u32 i = 0; i < g->n; i++)
        reply_step(g->sm[i]->mu, now);
    for (u32 i = 0; i < g->n; i++)
        writeback_step(g->sm[i]->dp, now);
    for (u32 i = 0; i < g->n; i++)
        if (UNLIKELY(g->sm[i]->timers.n_due))
            fire_timers(g->sm[i], now);
    for (u32 i = 0; i < g->n; i++)
        execute_step(g->sm[i]->dp, now);
    for (u32 i = 0; i < g->n; i++)
        lsu_return_step(g->sm[i]->mu, now);
    for (u32 i = 0; i < g->n; i++)
        collector_step(g->sm[i]->dp, now);
    for (u32 i = 0; i < g->n; i++)
        lsu_step(g->sm[i]->mu, now);
    for (u32 i = 0; i < g->n; i++)
        issue_step(g->sm[i]->front, now);
    for (u32 i = 0; i < g->n; i++)
        decode_step(g->sm[i]->front);
    for (u32 i = 0; i < g->n; i++)
        fetch_step(g->sm[i]->front, now);
}

/*
 * Members that were asleep show that nothing happens, and their accounts are those of sleep: with
 * all of them (not skipping), or with those that have no warps (woken by a timer or a late reply:
 * their launch may be over already, and has no accounts to close).
 */
struct slept {
    u8 why[MAX_SCHED];
    u32 pc[MAX_SCHED];
};

static void keep_why(const struct front *fe, struct slept *s)
{
    for (u32 k = 0; k < fe->n_sched; k++)
        s->why[k] = (u8)fe->sched[k].why, s->pc[k] = fe->sched[k].why_pc;
}

static void put_why(struct front *fe, const struct slept *s)
{
    for (u32 k = 0; k < fe->n_sched; k++)
        fe->sched[k].why = (enum stall)s->why[k], fe->sched[k].why_pc = s->pc[k];
}

static bool has_accounts(const struct front *fe)
{
    return fe->n_resident || fe->n_starting;
}

static void step_asleep(struct group *g, u64 now)
{
    struct slept s[MAX_GROUP];

    for (u32 i = 0; i < g->n; i++)
        keep_why(g->sm[i]->front, &s[i]);
    step(g, now);
    for (u32 i = 0; i < g->n; i++)
        put_why(g->sm[i]->front, &s[i]);
}

static u64 next_wake(const struct group *g, u64 now)
{
    u64 next = UINT64_MAX, t;

    for (u32 i = 0; i < g->n; i++)
        if (front_has_work(g->sm[i]->front) || datapath_has_work(g->sm[i]->dp))
            return now + 1;
    for (u32 i = 0; i < g->n; i++) {
        const struct sm *sm = g->sm[i];

        t = memunit_next(sm->mu, now);
        if (t == now + 1)
            return t;
        next = t < next ? t : next;
        t = wheel_next(&sm->dp->wheel, now);
        next = t < next ? t : next;
        t = wheel_next(&sm->timers, now);
        next = t < next ? t : next;
        t = warps_next_start(sm->front);
        next = t < next ? t : next;
    }
    return next;
}

static void step_awake(struct group *g, u64 now)
{
    struct slept s[MAX_GROUP];
    u32 open = 0;

    for (u32 i = 0; i < g->n; i++)
        if (has_accounts(g->sm[i]->front)) {
            open |= 1u << i;
            sm_settle(g->sm[i], now);
        } else {
            keep_why(g->sm[i]->front, &s[i]);
        }
    step(g, now);
    g->wake = next_wake(g, now);
    for (u32 i = 0; i < g->n; i++) {
        if (!(open >> i & 1))
            put_why(g->sm[i]->front, &s[i]);
        if (g->wake > now + 1)
            issue_sleep(g->sm[i]->front);
    }
}

static inline bool has_failed(const struct group *g)
{
    if (g->sm[0]->front->failed)
        return true;
    for (u32 i = 1; i < g->n; i++)
        if (g->sm[i]->front->failed)
            return true;
    return false;
}

static u64 next_arrival(const struct memunit *mu)
{
    const struct noc_out *o = &mu->reply->out[mu->port];

    return o->arrived.n ? ring_head(&o->arrived).at : UINT64_MAX;
}

u64 group_next(const struct group *g)
{
    u64 next = g->wake;

    for (u32 i = 0; i < g->n; i++) {
        u64 t = next_arrival(g->sm[i]->mu);

        next = t < next ? t : next;
    }
    return next;
}

void group_run(struct group *g, u64 from, u64 to, bool no_skip)
{
    u64 next = group_next(g), now = from; /* replies may have come since it fell asleep */

    group_wake(g, next > from ? next : from);
    for (; now < to && !has_failed(g); now++) {
        if (now < g->wake && !no_skip)
            now = g->wake;
        if (now >= to)
            return;
        if (now < g->wake)
            step_asleep(g, now);
        else
            step_awake(g, now);
    }
}
