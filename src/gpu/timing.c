/* timing.c -- see timing.h: the loop that runs whatever is in flight */
#include "gpu/timing.h"

#include <inttypes.h>

#include "base/hostile.h"
#include "gpu/strays.h"
#include "gpu/tenant.h"
#include "mech/mech.h"

enum { SELDOM = 1024 }; /* edges between two looks at what the host wants */

/* ---- a window */

static void run_group(void *arg, u32 i)
{
    struct machine *m = arg;

    group_run(&m->group[i], m->now, m->window_end, m->no_skip);
}

static void run_partition(void *arg, u32 i)
{
    struct machine *m = arg;

    partition_run(m->part[i], m->now, m->window_end, m->no_skip);
}

static void run_each(struct machine *m, void (*work)(void *, u32), u32 n, u32 awake)
{
    if (m->threads > 1 && awake > 1) {
        team_run(m->team, work, m, n);
        return;
    }
    for (u32 i = 0; i < n; i++)
        work(m, i);
}

static u32 awake_groups(const struct machine *m)
{
    u32 n = 0;

    for (u32 i = 0; i < m->n_group; i++)
        n += group_next(&m->group[i]) < m->window_end;
    return n;
}

static u32 awake_partitions(const struct machine *m)
{
    u32 n = 0;

    for (u32 i = 0; i < m->n_part; i++)
        n += partition_next(m->part[i], m->now) < m->window_end;
    return n;
}

/* In a hostile build. */
static void check_groups(const struct machine *m)
{
    for (u32 i = 0; SMELT_HOSTILE && i < m->n_group; i++)
        group_check(&m->group[i]);
}

static void window(struct machine *m)
{
    u32 most = 8 * m->window + 64; /* requests that an SM can make in a window */

    m->window_end = m->now + m->window;
    for (u32 i = 0; i < m->n_group; i++)
        req_pool_reserve(m->group[i].pool, most * m->group[i].n);
    run_each(m, run_group, m->n_group, m->threads > 1 ? awake_groups(m) : 0);
    store_logs_apply(m->logs, m->n_group);
    noc_advance(&m->request, m->now, m->window_end);
    run_each(m, run_partition, m->n_part, m->threads > 1 ? awake_partitions(m) : 0);
    noc_advance(&m->reply, m->now, m->window_end);
    m->now = m->window_end;
    check_groups(m);
}

/* ---- between windows */

/* The next cycle in which anything can happen. */
static u64 next_event(const struct machine *m)
{
    u64 next = noc_next(&m->request), t = noc_next(&m->reply);

    next = t < next ? t : next;
    for (u32 i = 0; i < m->n_group; i++) {
        t = group_next(&m->group[i]);
        next = t < next ? t : next;
    }
    for (u32 i = 0; i < m->n_part; i++) {
        t = partition_next(m->part[i], m->now);
        next = t < next ? t : next;
    }
    for (u32 i = 0; i < m->request.n_out; i++)
        if (m->request.out[i].arrived.n) {
            t = ring_head(&m->request.out[i].arrived).at;
            next = t < next ? t : next;
        }
    return next;
}

/* To the window of cycle `next`. */
static void skip_to(struct machine *m, u64 next)
{
    if (next > m->now && !m->no_skip)
        m->now += (next - m->now) / m->window * m->window;
}

bool timing_memory_is_idle(const struct machine *m)
{
    if (!noc_is_idle(&m->request) || !noc_is_idle(&m->reply))
        return false;
    for (u32 i = 0; i < m->n_part; i++)
        if (partition_is_busy(m->part[i]))
            return false;
    return true;
}

void timing_drain(struct machine *m)
{
    while (!timing_memory_is_idle(m)) {
        u64 next = next_event(m);

        if (next != UINT64_MAX)
            skip_to(m, next);
        window(m);
    }
}

/* Cycles that --max-cycles leaves to each of those in flight: what it limits is the sum over launches. */
static u64 cycles_left(const struct timing *g)
{
    u64 max = g->d->opts.max_cycles, used = g->d->counters.cycles;

    if (!max)
        return UINT64_MAX;
    for (u32 k = 0; k < g->n; k++)
        used += g->d->machine->now - g->at[k]->start;
    return max > used ? (max - used + g->n - 1) / g->n : 0;
}

/* CTAs are given out at the edge before the window in which they can begin. */
static u64 next_beginning(const struct timing *g)
{
    const struct machine *m = g->d->machine;
    u64 next = UINT64_MAX;

    for (u32 k = 0; k < g->n; k++) {
        u64 from = g->at[k]->from;

        if (from < m->now || dispatch_is_done(&g->at[k]->dispatch))
            continue;
        from = from > m->now + m->window ? from - m->window : m->now;
        next = from < next ? from : next;
    }
    return next;
}

static u64 next_sample(const struct timing *g)
{
    u64 next = UINT64_MAX;

    for (u32 k = 0; k < g->n && g->d->opts.sample; k++)
        next = g->at[k]->next_sample < next ? g->at[k]->next_sample : next;
    return next;
}

/* To the window before the next edge at which there is something to do; false: there is none. */
static bool jump(struct timing *g, u64 until)
{
    struct machine *m = g->d->machine;
    u64 next = next_event(m), t = next_beginning(g), left = cycles_left(g), limit = until;

    next = t < next ? t : next;
    if (next == UINT64_MAX && until == UINT64_MAX)
        return false;
    limit = left < limit - m->now ? m->now + left : limit;
    t = next_sample(g);
    limit = t < limit ? t : limit;
    limit = g->watch.next < limit ? g->watch.next : limit;
    skip_to(m, next < limit ? next : limit - 1);
    return true;
}

/* ---- edges; false and who is to blame: they cannot go on */

static bool blame(struct timing *g, struct tenant *t, enum run_end end)
{
    t->end_kind = end;
    g->culprit = t;
    return false;
}

static bool find_fault(struct timing *g, struct err *e)
{
    const struct machine *m = g->d->machine;
    const struct front *first = NULL;

    for (u32 i = 0; i < m->n_sm; i++) {
        const struct front *fe = m->sm[i].front;

        if (fe->failed && (!first || fe->fault.at < first->fault.at))
            first = fe;
    }
    if (!first)
        return true;
    struct tenant *t = g->host[first->sm->id].at[machine_number(m, first->fault.x)];

    t->fault = first->fault.x->fault;
    exec_fault_message(first->fault.x, first->fault.warp, first->fault.pc, e);
    return blame(g, t, RUN_FAULT);
}

static bool perform_calls(struct timing *g, struct err *e)
{
    struct tenant *whose;

    return tenants_perform_calls(g, &whose, e) || blame(g, whose, RUN_FAULT);
}

static bool within_insts(struct timing *g, struct err *e)
{
    u64 max = g->d->opts.max_insts;

    if (!max || machine_insts(g->d->machine) < max)
        return true;
    err_program(e, "kernel %s: stopped after %" PRIu64 " warp instructions (--max-insts)",
                g->at[0]->launch->l.func->label, max);
    return blame(g, g->at[0], RUN_MAX_INSTS);
}

/* What comes after the last CTA, until stores have drained, is not the launch's time. */
static bool has_ctas(const struct timing *g)
{
    for (u32 k = 0; k < g->n; k++)
        if (tenant_has_ctas(g, g->at[k]))
            return true;
    return false;
}

static bool within_cycles(struct timing *g, struct err *e)
{
    if (!g->d->opts.max_cycles || !has_ctas(g) || cycles_left(g))
        return true;
    err_program(e, "kernel %s: stopped after %" PRIu64 " cycles (--max-cycles)",
                g->at[0]->launch->l.func->label, g->d->opts.max_cycles);
    return blame(g, g->at[0], RUN_MAX_CYCLES);
}

static void show_progress(const struct timing *g)
{
    const struct run_opts *o = &g->d->opts;
    const struct machine *m = g->d->machine;
    u64 done = 0;

    for (u32 i = 0; i < m->n_sm; i++)
        done += m->sm[i].st.ctas;
    if (o->progress)
        o->progress(o->progress_arg, done - g->ctas_before, g->ctas, machine_insts(m));
}

static bool goes_on(struct timing *g, struct err *e)
{
    const volatile int *stop = g->d->opts.stop;

    show_progress(g);
    if (!stop || !*stop)
        return true;
    err_program(e, "kernel %s: interrupted in cycle %" PRIu64, g->at[0]->launch->l.func->label,
                g->d->machine->now - g->at[0]->start);
    return blame(g, g->at[0], RUN_STOPPED);
}

/* idle: cycles without an instruction, 0 if there will never be one. */
static bool deadlock(struct timing *g, struct err *e, u64 idle)
{
    const char *label = g->at[0]->launch->l.func->label;
    u64 cycle = g->d->machine->now - g->at[0]->start;

    machine_describe(g->d->machine);
    if (idle)
        err_program(e,
                    "kernel %s: deadlock in cycle %" PRIu64
                    ": no instruction was issued for %" PRIu64 " cycles (sim.watchdog)",
                    label, cycle, idle);
    else
        err_program(e, "kernel %s: deadlock in cycle %" PRIu64 ": nothing can move", label, cycle);
    return blame(g, g->at[0], RUN_DEADLOCK);
}

/* ---- the watchdog; see watch.h */

/* What a CTA does that has not begun is not known. */
static bool sm_waits(struct watch *w, const struct sm *sm)
{
    const struct front *fe = sm->front;

    for (u32 i = 0; i < MAX_WARPS; i++)
        if (fe->ctx[i].w && fe->ctx[i].w->depth &&
            !watch_waits(w, exec_of(fe, &fe->ctx[i]), fe->ctx[i].w, fe->dp[0]->mu, &fe->ctx[i]))
            return false;
    return !fe->n_starting;
}

/* Whose CTA is it? */
static struct tenant *tenant_of(const struct timing *g, const struct cta *cta)
{
    for (u32 i = 0; i < g->d->machine->n_sm; i++) {
        const struct front *fe = g->d->machine->sm[i].front;

        for (u32 k = 0; k < fe->n_slot; k++)
            if (fe->slot[k].cta == cta)
                return g->host[i].at[fe->slot[k].kernel];
    }
    return NULL;
}

/* All that are there wait, and for each other. */
static bool look_for_deadlock(struct timing *g, struct err *e)
{
    struct machine *m = g->d->machine;

    if (!watch_issues(&g->watch, m->now, machine_insts(m)))
        return deadlock(g, e, g->watch.limit);
    for (u32 i = 0; i < m->n_sm; i++)
        if (!sm_waits(&g->watch, &m->sm[i]))
            return true;
    struct tenant *t = g->watch.found.cta ? tenant_of(g, g->watch.found.cta) : NULL;

    if (!t || watch_goes_on(&g->watch, &t->launch->l, team_threads(m->team), e))
        return true;
    return blame(g, t, RUN_DEADLOCK);
}

/* ---- the loop */

/* After each window. */
static bool edge(struct timing *g, struct err *e)
{
    struct device *d = g->d;
    struct machine *m = d->machine;

    for (u32 i = 0; i < m->n_sm; i++)
        HOOK(&m->sm[i], edge, 0);
    if (UNLIKELY(d->mechs->has_edge))
        mech_edge(d->mechs, m->now);
    if (UNLIKELY(d->mem.bounds == BOUNDS_REPORT))
        strays_tell(d, m->x, machine_n_exec(m), m->n_sm);
    if (!find_fault(g, e) || !perform_calls(g, e) || !within_insts(g, e) || !within_cycles(g, e))
        return false;
    if (UNLIKELY(m->now >= next_sample(g)))
        tenants_sample(g, m->now);
    if (m->now >= g->watch.next && !look_for_deadlock(g, e))
        return false;
    for (u32 k = 0; k < g->n; k++)
        tenant_give_out(g, g->at[k], m->now + m->window);
    return ++g->n_edge % SELDOM || goes_on(g, e);
}

static struct tenant *find_ended(const struct timing *g)
{
    for (u32 k = 0; k < g->n; k++)
        if (tenant_has_ended(g, g->at[k]))
            return g->at[k];
    return NULL;
}

/* The first window is never skipped: at its edge mechanisms have their first say. */
bool timing_advance(struct timing *g, u64 until, struct tenant **ended, struct err *e)
{
    struct machine *m = g->d->machine;

    while (!(*ended = find_ended(g)) && m->now < until) {
        if (g->n_edge && !jump(g, until))
            return deadlock(g, e, 0);
        window(m);
        if (!edge(g, e))
            return false;
    }
    return true;
}
