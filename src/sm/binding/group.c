/* group.c -- see group.h: the cycle, and sleeping */
#include "sm/binding/group.h"

#include <stdlib.h>

#include "base/text.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

static void init_flights(struct flights *p, u32 n)
{
    p->n = n;
    p->at = xcalloc_lines(n, sizeof p->at[0]);
    for (u32 i = 0; i < n; i++)
        p->at[i].id = (u16)i, p->at[i].next = (u16)(i + 1 < n ? i + 1 : NONE16);
}

void group_init(struct group *g, struct sm *const *sm, u32 n, struct exec *x, struct req_pool *pool)
{
    ensure_here(n && n <= MAX_GROUP);
    *g = (struct group){.wake = UINT64_MAX, .n = n, .x = x, .pool = pool};
    init_flights(&g->flights, n * N_FLIGHT);
    for (u32 i = 0; i < n; i++) {
        g->sm[i] = sm[i];
        g->front[i] = sm[i]->front, g->dp[i] = sm[i]->dp, g->mu[i] = sm[i]->mu;
        g->in[i] = &sm[i]->mu->reply->out[sm[i]->mu->port];
        sm[i]->group = g;
        sm[i]->front->bind.member = i;
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

/*
 * What follows is compiled twice, for groups of one and of several: g->n is given as n, so that for
 * one the loops are gone.  Most stages have nothing to do in most cycles of a kernel that waits for
 * memory, and are not called then.
 */
#define MEMBERS(i) for (u32 i = 0; i < n; i++)
#define TWICE static inline __attribute__((always_inline))

TWICE void step(struct group *g, u32 n, u64 now)
{
    MEMBERS(i)
    {
        check(g->sm[i], now >= g->sm[i]->now);
        g->sm[i]->now = now;
        if (g->front[i]->n_starting)
            warps_start(g->front[i], now);
        if (UNLIKELY(g->front[i]->opens <= now))
            warps_open(g->front[i], now);
    }
    MEMBERS(i) if (g->mu[i]->queue.n | g->in[i]->arrived.n) reply_step(g->mu[i], now);
    MEMBERS(i) if (wheel_is_due(&g->dp[i]->wheel, now)) writeback_step(g->dp[i], now);
    MEMBERS(i) if (UNLIKELY(g->sm[i]->timers.n_due)) fire_timers(g->sm[i], now);
    MEMBERS(i) if (execute_has_work(g->dp[i])) execute_step(g->dp[i], now);
    MEMBERS(i) if (lsu_has_return(g->mu[i])) lsu_return_step(g->mu[i], now);
    MEMBERS(i) collector_step(g->dp[i], now);
    MEMBERS(i) lsu_step(g->mu[i], now);
    MEMBERS(i) issue_step(g->front[i], now);
    MEMBERS(i) if (g->front[i]->n_fetched) decode_step(g->front[i], now);
    MEMBERS(i) if (fetch_has_work(g->front[i])) fetch_step(g->front[i], now);
}

/*
 * Members that were asleep show that nothing happens, and their accounts are those of sleep: with
 * all of them (not skipping), or with those that have no warps (woken by a timer or a late reply:
 * their launch may be over already, and has no accounts to close).
 */
struct slept {
    u64 last; /* settled up to here */
    struct why why[MAX_SCHED];
};

static void keep_why(const struct front *fe, struct slept *s)
{
    s->last = fe->last;
    for (u32 k = 0; k < fe->n_sched; k++)
        s->why[k] = fe->sched[k].why;
}

static void put_why(struct front *fe, const struct slept *s)
{
    for (u32 k = 0; k < fe->n_sched && fe->last == s->last; k++)
        fe->sched[k].why = s->why[k];
}

static bool has_accounts(const struct front *fe)
{
    return fe->n_resident || fe->n_starting;
}

TWICE void step_asleep(struct group *g, u32 n, u64 now)
{
    struct slept s[MAX_GROUP];

    for (u32 i = 0; i < n; i++)
        keep_why(g->front[i], &s[i]);
    step(g, n, now);
    for (u32 i = 0; i < n; i++)
        put_why(g->front[i], &s[i]);
}

TWICE u64 next_wake(const struct group *g, u32 n, u64 now)
{
    u64 next = UINT64_MAX, t;

    for (u32 i = 0; i < n; i++)
        if (front_has_work(g->front[i], now) || datapath_has_work(g->dp[i]))
            return now + 1;
    for (u32 i = 0; i < n; i++) {
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
        next = sm->front->opens < next ? sm->front->opens : next;
    }
    return next;
}

TWICE void step_awake(struct group *g, u32 n, u64 now)
{
    struct slept s[MAX_GROUP];
    u32 open = 0;

    for (u32 i = 0; i < n; i++)
        if (has_accounts(g->front[i])) {
            open |= 1u << i;
            sm_settle(g->sm[i], now);
        } else {
            keep_why(g->front[i], &s[i]);
        }
    step(g, n, now);
    g->wake = next_wake(g, n, now);
    check(g, g->wake > now);
    for (u32 i = 0; i < n; i++) {
        bool has = has_accounts(g->front[i]);

        if (!(open >> i & 1))
            put_why(g->front[i], &s[i]);
        if (!(open >> i & 1) && has)
            sm_settle(g->sm[i], now); /* it has got a warp: the cycles before are not its */
        if (has ? g->wake > now + 1 : open >> i & 1)
            issue_sleep(g->front[i]);
    }
}

TWICE bool has_failed(const struct group *g, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (g->front[i]->failed)
            return true;
    return false;
}

u64 group_next(const struct group *g)
{
    u64 next = g->wake;

    for (u32 i = 0; i < g->n; i++) {
        const struct noc_out *in = g->in[i];

        if (in->arrived.n && ring_head(&in->arrived).at < next)
            next = ring_head(&in->arrived).at;
    }
    return next;
}

TWICE void run(struct group *g, u32 n, u64 from, u64 to, bool no_skip)
{
    for (u64 now = from; now < to && !has_failed(g, n); now++) {
        if (now < g->wake && !no_skip)
            now = g->wake;
        if (now >= to)
            return;
        if (now < g->wake)
            step_asleep(g, n, now);
        else
            step_awake(g, n, now);
    }
}

HOT void group_run(struct group *g, u64 from, u64 to, bool no_skip)
{
    u64 next = group_next(g); /* replies may have come since it fell asleep */

    group_wake(g, next > from ? next : from);
    if (g->wake >= to && !no_skip)
        return;
    ensure_works_for(ensure_tell_group, g);
    if (LIKELY(g->n == 1))
        run(g, 1, from, to, no_skip);
    else
        run(g, g->n, from, to, no_skip);
    ensure_works_for(NULL, NULL);
}
