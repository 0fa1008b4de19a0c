/* timing.c -- see timing.h */
#include "gpu/timing.h"

#include <inttypes.h>

#include "base/hostile.h"
#include "base/log.h"
#include "gpu/run.h"
#include "gpu/strays.h"
#include "mech/mech.h"

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

void timing_window(struct machine *m)
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

u64 timing_next(const struct machine *m)
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

bool timing_memory_is_idle(const struct machine *m)
{
    if (!noc_is_idle(&m->request) || !noc_is_idle(&m->reply))
        return false;
    for (u32 i = 0; i < m->n_part; i++)
        if (partition_is_busy(m->part[i]))
            return false;
    return true;
}

static bool all_done(const struct run *g)
{
    const struct machine *m = g->m;

    if (!dispatch_is_done(&g->m->dispatch))
        return false;
    for (u32 i = 0; i < m->n_sm; i++)
        if (!sm_is_idle(&m->sm[i]))
            return false;
    return timing_memory_is_idle(m);
}

/* Cycles that --max-cycles leaves to this launch, counted from its beginning. */
static u64 cycles_left(const struct run *g)
{
    u64 max = g->d->opts.max_cycles, used = g->d->counters.cycles;

    if (!max)
        return UINT64_MAX - g->start;
    return max > used ? max - used : 0;
}

/*
 * False: nothing will ever happen again.  The window before an edge at
 * which there is something to do is never skipped.
 */
static bool jump(struct run *g)
{
    struct machine *m = g->m;
    u64 next = timing_next(m), limit = g->start + cycles_left(g);

    if (next == UINT64_MAX)
        return false;
    if (g->d->opts.sample && g->next_sample < limit)
        limit = g->next_sample;
    limit = g->watch.next < limit ? g->watch.next : limit;
    next = next < limit ? next : limit - 1;
    if (next > m->now && !m->no_skip)
        m->now += (next - m->now) / m->window * m->window;
    return true;
}

static bool find_fault(struct run *g)
{
    struct front *first = NULL;

    for (u32 i = 0; i < g->m->n_sm; i++) {
        struct front *fe = g->m->sm[i].front;

        if (fe->failed && (!first || fe->fault.at < first->fault.at))
            first = fe;
    }
    if (!first)
        return true;
    return run_fail(g, first->fault.x, first->fault.warp, first->fault.pc);
}

static bool stopped(struct run *g)
{
    const struct run_opts *o = &g->d->opts;

    if (o->stop && *o->stop) {
        g->r->end = RUN_STOPPED;
        return err_program(g->e, "kernel %s: interrupted in cycle %" PRIu64, g->l->func->label,
                           g->m->now - g->start);
    }
    return true;
}

static bool within_cycles(struct run *g)
{
    if (g->m->now - g->start < cycles_left(g))
        return true;
    g->r->end = RUN_MAX_CYCLES;
    return err_program(g->e, "kernel %s: stopped after %" PRIu64 " cycles (--max-cycles)",
                       g->l->func->label, g->d->opts.max_cycles);
}

u64 run_insts(const struct machine *m)
{
    u64 n = 0;

    for (u32 i = 0; i < m->n_sm; i++)
        n += m->x[i].n.warp_insts;
    return n;
}

static void show_progress(struct run *g)
{
    u64 done = 0;

    if (!g->d->opts.progress)
        return;
    for (u32 i = 0; i < g->m->n_sm; i++)
        done += g->m->sm[i].st.ctas;
    g->d->opts.progress(g->d->opts.progress_arg, done - g->before.sm.ctas, g->l->ctas,
                        run_insts(g->m));
}

static bool within_insts(struct run *g)
{
    u64 max = g->d->opts.max_insts;

    if (!max || run_insts(g->m) < max)
        return true;
    g->r->end = RUN_MAX_INSTS;
    return err_program(g->e, "kernel %s: stopped after %" PRIu64 " warp instructions (--max-insts)",
                       g->l->func->label, max);
}

/* What comes after the last CTA, until stores have drained, is not the launch's time. */
static bool has_ctas(const struct run *g)
{
    if (!dispatch_is_done(&g->m->dispatch))
        return true;
    for (u32 i = 0; i < g->m->n_sm; i++)
        if (g->m->sm[i].front->n_cta)
            return true;
    return false;
}

static void sample(struct run *g)
{
    struct counters c;

    if (!g->d->opts.sample || g->m->now < g->next_sample || !has_ctas(g))
        return;
    run_count(g, g->m->now, &c);
    struct counters *s = VEC_ADD(&g->r->samples);

    *s = c;
    counters_sub(s, &g->last_sample);
    g->last_sample = c;
    while (g->next_sample <= g->m->now)
        g->next_sample += g->d->opts.sample;
}

static bool deadlock(struct run *g)
{
    g->r->end = RUN_DEADLOCK;
    machine_describe(g->m);
    return err_program(g->e, "kernel %s: deadlock in cycle %" PRIu64 ": nothing can move",
                       g->l->func->label, g->m->now - g->start);
}

/* ---- the watchdog */

static bool stuck(struct run *g)
{
    g->r->end = RUN_DEADLOCK;
    machine_describe(g->m);
    return err_program(g->e,
                       "kernel %s: deadlock in cycle %" PRIu64
                       ": no instruction was issued for %" PRIu64 " cycles (sim.watchdog)",
                       g->l->func->label, g->m->now - g->start, g->watch.limit);
}

/* What a CTA does that has not begun is not known. */
bool run_sm_waits(struct watch *w, const struct sm *sm)
{
    const struct front *fe = sm->front;

    for (u32 i = 0; i < MAX_WARPS; i++)
        if (fe->ctx[i].w && fe->ctx[i].w->depth &&
            !watch_waits(w, exec_of(fe, &fe->ctx[i]), fe->ctx[i].w, fe->dp[0]->mu, &fe->ctx[i]))
            return false;
    return !fe->n_starting;
}

static bool look(struct run *g)
{
    const struct machine *m = g->m;

    if (!watch_issues(&g->watch, m->now, run_insts(m)))
        return stuck(g);
    for (u32 i = 0; i < m->n_sm; i++)
        if (!run_sm_waits(&g->watch, &m->sm[i]))
            return true;
    if (watch_goes_on(&g->watch, g->l, team_threads(m->team), g->e))
        return true;
    g->r->end = RUN_DEADLOCK;
    return false;
}

/* After each window; false: the launch cannot go on. */
static bool edge(struct run *g)
{
    for (u32 i = 0; i < g->m->n_sm; i++)
        HOOK(&g->m->sm[i], edge, 0);
    if (UNLIKELY(g->d->mechs->has_edge))
        mech_edge(g->d->mechs, g->m->now);
    if (UNLIKELY(g->d->mem.bounds == BOUNDS_REPORT))
        strays_tell(g->d, g->m->x, g->m->n_sm);
    if (!find_fault(g) || !run_perform_calls(g) || !within_insts(g))
        return false;
    if (g->d->opts.max_cycles && has_ctas(g) && !within_cycles(g))
        return false;
    sample(g);
    if (g->m->now >= g->watch.next && !look(g))
        return false;
    if (!dispatch_is_done(&g->m->dispatch))
        dispatch_window(&g->m->dispatch, g->m->now, g->m->now + g->m->window);
    return true;
}

static bool run_all(struct run *g)
{
    u32 n = 0;

    g->m->now += g->m->conf->gpu.launch_latency;
    watch_begin(&g->watch, g->m->conf, g->m->now);
    dispatch_window(&g->m->dispatch, g->m->now + 1,
                    g->m->now + (g->m->window > 1 ? g->m->window : 2));
    while (!all_done(g)) {
        timing_window(g->m);
        if (!edge(g))
            return false;
        if (++n % 1024 == 0) {
            show_progress(g);
            if (!stopped(g))
                return false;
        }
        if (!all_done(g) && !jump(g))
            return deadlock(g);
    }
    return true;
}

/* What a failed launch leaves in the pipelines is of no use to the next one. */
void timing_start_anew(struct device *d)
{
    struct machine *m = d->machine;
    u64 now = m->now;

    d->machine = machine_new(&d->conf, m->threads, m->no_skip);
    d->machine->now = now;
    machine_attach(d->machine, d->mechs);
    machine_free(m);
}

bool timing_run(struct device *d, struct launch *l, const struct texture_set *tex,
                struct launch_result *r, struct err *e)
{
    struct run g = {.d = d, .m = d->machine, .l = l, .r = r, .e = e};

    run_begin(&g, tex);
    bool ok = run_all(&g);

    watch_end(&g.watch);
    run_finish(&g, ok ? run_end_cycle(&g) : g.m->now);
    if (!ok)
        timing_start_anew(d);
    return ok;
}
