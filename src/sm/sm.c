/* sm.c -- see sm.h: the cycle, sleeping, and the accounts of schedulers */
#include "sm/sm.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "sm/sched.h"
#include "sm/stages.h"

#define SHEET sm
#define SHEET_DEF "sm/sm.def"
#define SHEET_DOC "streaming multiprocessor: what it holds, and how its stages work"
#include "base/sheet_table.inc"

#define SHEET op
#define SHEET_DEF "sm/opclass.def"
#define SHEET_DOC "operations: unit, latency and initiation interval of each class"
#define op_stat sm_stat /* it has none */
#include "base/sheet_table.inc"
#undef op_stat

#define SHEET ops
#define SHEET_DEF "sm/ops.def"
#define SHEET_DOC "lanes by kind of operation"
#define ops_conf sm_conf /* it has none */
#include "base/sheet_table.inc"
#undef ops_conf

#define SHEET stall
#define SHEET_DEF "sm/stall.def"
#define SHEET_DOC "where the cycles of schedulers went"
#define stall_conf sm_conf /* it has none */
#include "base/sheet_table.inc"
#undef stall_conf

enum { N_FLIGHT = 2048 };

/* ---- making one */

static void init_front(struct front *fe, const struct sm_env *env)
{
    struct err e;

    fe->n_warp = (u32)env->sm->n_warp;
    fe->n_sched = (u32)env->sm->schedulers;
    for (u32 k = 0; k < fe->n_sched; k++) {
        fe->sched[k].policy = sched_find(env->sm->scheduler, &e);
        fe->sched[k].sub = (u8)(k % env->sm->sub_cores);
        fe->sched[k].last = 64;
        fe->sched[k].active_max = (u32)env->sm->active_warps;
        fe->sched[k].order = &fe->sched[k].own;
        fe->sched[k].peer = &fe->sched[k], fe->sched[k].n_peer = 1;
    }
    fe->n_flight = N_FLIGHT;
    fe->flight = xcalloc(N_FLIGHT, sizeof fe->flight[0]);
    for (u32 i = 0; i < N_FLIGHT; i++)
        fe->flight[i].id = (u16)i, fe->flight[i].next = (u16)(i + 1 < N_FLIGHT ? i + 1 : NONE16);
    fetch_init(fe, env);
}

static void init_datapath(struct datapath *dp, const struct sm_conf *c)
{
    dp->n_sub = (u32)c->sub_cores;
    dp->width[UNIT_SP] = (u8)c->width_sp, dp->width[UNIT_SFU] = (u8)c->width_sfu;
    dp->width[UNIT_DP] = (u8)c->width_dp, dp->width[UNIT_MEM] = (u8)c->width_mem;
    pipe_init(dp, c);
    collector_init(dp, c);
    wheel_init(&dp->wheel, N_FLIGHT + N_TIMER);
}

void sm_init(struct sm *sm, u32 id, const struct sm_env *env, struct exec *x)
{
    memset(sm, 0, sizeof *sm);
    sm->id = id, sm->x = x, sm->conf = env->sm;
    sm->front.sm = sm->dp.sm = sm->mu.sm = sm;
    sm->front.dp[0] = &sm->dp, sm->front.n_dp = 1; /* the baseline binding */
    sm->dp.mu = &sm->mu;
    sm->mu.port = id;
    sm->wake = UINT64_MAX;
    init_front(&sm->front, env);
    init_datapath(&sm->dp, env->sm);
    lsu_init(&sm->mu, env);
    sm->mu.pool = &env->pools->pool[id];
}

void sm_free(struct sm *sm)
{
    warps_free(&sm->front);
    free(sm->front.flight);
    cache_free(&sm->front.l1i);
    wheel_free(&sm->dp.wheel);
    lsu_free(&sm->mu);
    VEC_FREE(&sm->calls);
}

void sm_begin(struct sm *sm, const struct launch *l, const struct uop *uop, u32 ctas, u64 now)
{
    struct front *fe = &sm->front;

    fe->uop = uop;
    fe->n_inst = l->prog->n_inst;
    /* Who goes first changes with each cycle that is counted: time between launches is not. */
    fe->phase = (u32)((sm->st.sm_cycles + fe->n_sched - now % fe->n_sched) % fe->n_sched);
    warps_begin(fe, l, sm->conf, ctas);
    sm->last = sm->resident_since = now;
    sm->last_done = now;
    sm->no_more = false;
    for (u32 k = 0; k < fe->n_sched; k++)
        fe->sched[k].why = fe->sched[k].why_asleep = STALL_no_warp;
    HOOK(sm, kernel_begin, 0);
}

void sm_end(struct sm *sm, u64 now)
{
    sm_settle(sm, now);
    sm_count_warps(sm, now, 0);
    HOOK(sm, kernel_end, 0);
}

/* ---- accounts */

static void count_why(struct sm *sm, struct sched *s, enum stall why, u32 pc, u64 n)
{
    u64 *st = (u64 *)(void *)&s->st;

    st[why] += n;
    s->st.scheduler_cycles += n;
    if (UNLIKELY(sm->line_stall) && why != STALL_issued && pc != PC_NONE)
        sm->line_stall[pc][why] += n;
}

/* The cycle that was stepped has its reason; those that were slept through have another. */
void sm_settle(struct sm *sm, u64 now)
{
    u64 n = now - sm->last;

    if (now <= sm->last)
        return;
    for (u32 k = 0; k < sm->front.n_sched; k++) {
        struct sched *s = &sm->front.sched[k];

        count_why(sm, s, s->why, s->why_pc, 1);
        if (n > 1)
            count_why(sm, s, s->why_asleep, s->asleep_pc, n - 1);
        s->why = s->why_asleep, s->why_pc = s->asleep_pc;
    }
    if (UNLIKELY(sm->dp.unit_cold))
        pipe_count_off(sm, n);
    sm->st.sm_cycles += n;
    sm->last = now;
}

void sm_count_warps(struct sm *sm, u64 now, s32 by)
{
    u64 n = now - sm->resident_since;

    sm->st.warp_cycles += n * sm->n_resident;
    sm->st.busy_cycles += sm->n_resident ? n : 0;
    sm->resident_since = now;
    sm->n_resident = (u32)((s32)sm->n_resident + by);
}

void sm_set_no_more(struct sm *sm, u64 now)
{
    sm_settle(sm, now);
    sm->no_more = true;
    for (u32 k = 0; k < sm->front.n_sched; k++) {
        struct sched *s = &sm->front.sched[k];

        s->why = s->why == STALL_no_warp ? STALL_tail : s->why;
        s->why_asleep = s->why_asleep == STALL_no_warp ? STALL_tail : s->why_asleep;
    }
}

/* ---- the cycle */

static void step(struct sm *sm, u64 now)
{
    sm->now = now;
    if (sm->front.n_starting)
        warps_start(sm, now);
    reply_step(sm, now);
    writeback_step(sm, now);
    execute_step(sm, now);
    lsu_step(sm, now);
    issue_step(sm, now);
    decode_step(sm, now);
    fetch_step(sm, now);
}

/* Without skipping it shows that nothing happens.  The accounts are those of sleep. */
static void step_asleep(struct sm *sm, u64 now)
{
    enum stall why[MAX_SCHED];
    u32 pc[MAX_SCHED];

    for (u32 k = 0; k < sm->front.n_sched; k++)
        why[k] = sm->front.sched[k].why, pc[k] = sm->front.sched[k].why_pc;
    step(sm, now);
    for (u32 k = 0; k < sm->front.n_sched; k++)
        sm->front.sched[k].why = why[k], sm->front.sched[k].why_pc = pc[k];
}

static bool front_has_work(const struct front *fe)
{
    if (fe->n_fetched || fe->want_fetch || fe->may_retire || fe->l1i.send.n || fe->l1i.ready.n)
        return true;
    for (u32 k = 0; k < fe->n_sched; k++) {
        const struct sched *s = &fe->sched[k];
        u64 held = s->raw | s->raw_mem | s->waw | s->war | s->bar | s->atom | s->fence;

        if (s->valid & (~held | s->dirty) || s->wrong)
            return true;
    }
    return false;
}

static bool datapath_has_work(const struct datapath *dp)
{
    for (u32 i = 0; i < dp->n_sub; i++) {
        const struct subcore *sc = &dp->sub[i];

        if (collector_has_work(sc))
            return true;
        for (u32 u = 0; u < N_UNIT; u++)
            if (sc->exec[u].n)
                return true;
    }
    return false;
}

static u64 next_start(const struct front *fe)
{
    u64 next = UINT64_MAX;

    for (u32 i = 0; i < fe->n_slot && fe->n_starting; i++)
        if (fe->slot[i].used && !fe->slot[i].started && fe->slot[i].start < next)
            next = fe->slot[i].start;
    return next;
}

static u64 next_wake(const struct sm *sm, u64 now)
{
    if (front_has_work(&sm->front) || datapath_has_work(&sm->dp))
        return now + 1;
    u64 next = lsu_next(&sm->mu, now), t;

    if (next == now + 1)
        return next;
    t = wheel_next(&sm->dp.wheel, now);
    next = t < next ? t : next;
    t = next_start(&sm->front);
    return t < next ? t : next;
}

/*
 * An SM without warps that is woken by a timer or a late reply has no accounts to close: its launch
 * may be over already.
 */
static void step_awake(struct sm *sm, u64 now)
{
    if (sm->n_resident || sm->front.n_starting) {
        sm_settle(sm, now);
        step(sm, now);
    } else {
        step_asleep(sm, now);
    }
    sm->wake = next_wake(sm, now);
    if (sm->wake > now + 1)
        issue_sleep(sm);
}

void sm_run(struct sm *sm, u64 from, u64 to, bool no_skip)
{
    const struct noc_out *o = &sm->mu.reply->out[sm->mu.port];
    u64 now = from;

    if (o->arrived.n) /* replies may have come since it fell asleep */
        sm_wake(sm, ring_head(&o->arrived).at > from ? ring_head(&o->arrived).at : from);
    for (; now < to && !sm->failed; now++) {
        if (now < sm->wake && !no_skip)
            now = sm->wake;
        if (now >= to)
            return;
        if (now < sm->wake)
            step_asleep(sm, now);
        else
            step_awake(sm, now);
    }
}

void sm_timer(struct sm *sm, u32 timer, u64 now, u64 delay)
{
    assert(timer < N_TIMER && delay);
    wheel_at(&sm->dp.wheel, now, now + delay, sm->front.n_flight + timer);
    sm_wake(sm, now + delay);
}

bool sm_is_idle(const struct sm *sm)
{
    return !sm->front.n_cta && lsu_is_idle(&sm->mu) && !sm->front.l1i.n_mshr;
}
