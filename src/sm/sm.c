/* sm.c -- see sm.h */
#include "sm/sm.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "sm/binding/bind.h"
#include "sm/binding/group.h"
#include "sm/binding/kernels.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

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
#define SHEET_DEF "sm/ops_counts.def"
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

_Static_assert(sizeof(struct stall_stat) == N_STALL * sizeof(u64), "a counter for each reason");

void stall_add(struct stall_stat *to, const struct stall_stat *from)
{
    u64 *sum = (u64 *)(void *)to;

    for (u32 k = 0; k < N_STALL; k++)
        sum[k] += ((const u64 *)(const void *)from)[k];
}

void stall_sub(struct stall_stat *to, const struct stall_stat *from)
{
    u64 *rest = (u64 *)(void *)to;

    for (u32 k = 0; k < N_STALL; k++)
        rest[k] -= ((const u64 *)(const void *)from)[k];
}

void sm_init(struct sm *sm, u32 id, const struct sm_env *env)
{
    memset(sm, 0, sizeof *sm);
    sm->id = id;
    sm->front = xcalloc_lines(1, sizeof *sm->front);
    sm->dp = xcalloc_lines(1, sizeof *sm->dp);
    sm->mu = xcalloc_lines(1, sizeof *sm->mu);
    sm->front->sm = sm->dp->sm = sm->mu->sm = sm;
    sm->front->st = sm->dp->st = sm->mu->st = &sm->st;
    sm->front->ops = &sm->ops;
    sm->front->chance = sm->dp->chance = sm->mu->chance = id;
    sm->mu->port = id;
    residency_init(&sm->residency, env->sm);
    front_init(sm->front, env);
    datapath_init(sm->dp, env->sm);
    memunit_init(sm->mu, env);
    wheel_init(&sm->timers, N_TIMER);
    shape_of_keys(&sm->shape, env->sm, env->l1d);
    front_reshape(sm->front, &sm->shape);
    datapath_reshape(sm->dp, &sm->shape);
    bind_own(sm);
}

static void reshape(struct sm *sm, const struct shape *s)
{
    front_reshape(sm->front, s);
    datapath_reshape(sm->dp, s);
    memunit_reshape(sm->mu, &sm->shape, s);
    sm->shape = *s;
    if (sm->mu->l1d.send.n) /* what the lines that went have left */
        group_wake(sm->group, 0);
}

void sm_reshape(struct sm *sm, const struct shape *s)
{
    check(sm, sm_is_idle(sm) && !sm->front->n_resident);
    reshape(sm, s);
}

void sm_refit(struct sm *sm, const struct shape *s, u32 ctas, u64 now)
{
    struct front *fe = sm->front;

    sm_settle(sm, now);
    front_count_warps(fe, now, 0);
    sm_reshape(sm, s);
    bind_own(sm);
    warps_begin(fe, fe->x->launch, ctas);
    kernel_refit(fe, ctas);
    front_set_idle(fe);
}

void sm_refit_around(struct sm *sm, const struct shape *s, u32 ctas, u64 now)
{
    struct front *fe = sm->front;

    check(sm, sm_is_still(sm));
    sm_settle(sm, now);
    front_count_warps(fe, now, 0);
    reshape(sm, s);
    carry_ctas(fe, fe->x->launch, ctas);
    kernel_refit(fe, ctas);
    sm->mu->empty = false; /* what L1D had has gone */
    if (!fe->n_resident)
        front_set_idle(fe);
}

void sm_free(struct sm *sm)
{
    front_free(sm->front);
    datapath_free(sm->dp);
    memunit_free(sm->mu);
    wheel_free(&sm->timers);
    residency_free(&sm->residency);
    free(sm->front), free(sm->dp), free(sm->mu);
}

void sm_begin(struct sm *sm, const struct launch *l, const struct uop *uop, u32 ctas, u64 now,
              u64 from)
{
    struct front *fe = sm->front;

    check(sm, !fe->n_cta && ctas <= MAX_CTAS);
    sm->now = now; /* for hooks that switch something off before the first cycle */
    fe->uop = uop;
    fe->prog = l->prog;
    /* Who goes first changes with each cycle that is counted: time between launches is not. */
    fe->phase = (u32)((sm->st.sm_cycles + fe->n_sched - now % fe->n_sched) % fe->n_sched);
    warps_begin(fe, l, ctas);
    kernel_first(fe, l, uop, ctas);
    fe->last = fe->resident_since = now;
    fe->launched = from;
    fe->last_done = now;
    fe->no_more = false;
    residency_begin(&sm->residency, now);
    front_set_idle(fe);
    HOOK(sm, kernel_begin, 0);
}

void sm_end(struct sm *sm, u64 now)
{
    sm_settle(sm, now);
    front_count_warps(sm->front, now, 0);
    residency_end(&sm->residency, now);
    HOOK(sm, kernel_end, 0);
}

HOT void sm_settle(struct sm *sm, u64 now)
{
    u64 n = now - sm->front->last;

    if (now <= sm->front->last)
        return;
    front_settle(sm->front, now);
    if (UNLIKELY(sm->residency.dark))
        residency_settle(&sm->residency, now);
    sm->st.sm_cycles += n;
}

void sm_place(struct sm *sm, const struct launch *l, u32 slot, u64 cta, u64 start)
{
    warps_place(sm->front, l, slot, cta, start);
    group_wake(sm->group, start);
}

void sm_set_no_more(struct sm *sm, bool no_more, u64 now)
{
    sm_settle(sm, now);
    front_set_no_more(sm->front, no_more);
}

void sm_timer(struct sm *sm, u32 timer, u64 now, u64 delay)
{
    ensure(sm, timer < N_TIMER);
    check(sm, delay && delay < WHEEL);
    wheel_at(&sm->timers, now, now + delay, timer);
    group_wake(sm->group, now + delay);
}

bool sm_is_idle(const struct sm *sm)
{
    return !sm->front->n_cta && memunit_is_idle(sm->mu) && !sm->front->own_l1i.n_mshr;
}

bool sm_is_still(const struct sm *sm)
{
    const struct memunit *mu = sm->mu;

    return memunit_is_idle(mu) && !(mu->l1d.n_mshr | mu->l1c.n_mshr | mu->l1t.n_mshr) &&
           carry_is_possible(sm->front);
}
