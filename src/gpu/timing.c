/* timing.c -- see timing.h */
#include "gpu/timing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostile.h"
#include "base/log.h"
#include "base/text.h"
#include "exec/builtin_call.h"
#include "gpu/joules.h"
#include "gpu/lines.h"
#include "gpu/occupancy.h"
#include "gpu/watch.h"
#include "mech/mech.h"

struct run {
    struct device *d;
    struct machine *m;
    struct launch *l;
    struct launch_result *r;
    struct err *e;
    u64 start; /* first cycle of the launch */
    u64 next_sample;
    struct counters before, last_sample;
    struct watch watch;
};

static void count(struct run *g, u64 now, struct counters *c)
{
    machine_count(g->m, now, c);
    mech_count_charged(g->d->mechs, &c->charged);
}

/* ---- what a launch needs */

static void begin_exec(struct run *g, struct texture *tex, u32 i)
{
    struct machine *m = g->m;
    struct exec *x = &m->x[i];
    struct front_stat n = x->n;

    exec_init(x, g->l, &g->d->mem, tex, g->d->opts.check);
    x->n = n; /* counts on */
    x->table = exec_table(g->d->opts.isa, g->e);
    x->n_sm = m->n_sm;
    x->sm_warps = (u32)m->conf->sm.n_warp;
    x->print = g->d->opts.print, x->print_arg = g->d->opts.print_arg;
    x->insts_per_us = (u32)m->conf->gpu.core_mhz;
    x->start_ps = g->d->time_ps - g->start * 1000000 / m->conf->gpu.core_mhz;
    x->log = &m->log[i];
    x->defer_atoms = x->defer_calls = true;
}

/* ---- the plan */

/* A grid that does not fill the GPU is spread evenly. */
static void spread_evenly(const struct machine *m, struct plan *p)
{
    u64 n_on = 0;

    for (u32 i = 0; i < p->n_sm; i++)
        n_on += p->shape[i].on;
    for (u32 i = 0; i < p->n_sm && m->conf->gpu.spread; i++) {
        u64 even = (p->l->ctas + n_on - 1) / n_on;

        p->ctas[i] = even < p->ctas[i] ? (u32)even : p->ctas[i];
    }
}

u32 timing_plan(struct device *d, const struct launch *l, const char **limit, enum refusal *refusal,
                struct err *e)
{
    struct machine *m = d->machine;
    struct plan *p = &m->plan;
    u32 most = 0;

    plan_begin(p, l, &m->keys);
    mech_plan_launch(d->mechs, p);
    for (u32 i = 0; i < p->n_sm; i++) {
        const char *why = "CTAs";

        if (!p->shape[i].on)
            continue;
        if (i && !memcmp(&p->shape[i], &p->shape[i - 1], sizeof p->shape[i]))
            p->ctas[i] = p->ctas[i - 1];
        else
            p->ctas[i] = occupancy(&p->shape[i], &m->conf->sm, l, &why, refusal, e);
        if (p->ctas[i] > most)
            most = p->ctas[i], *limit = why;
    }
    if (!most)
        return 0;
    *refusal = REFUSE_NONE; /* a shape that takes it is enough */
    spread_evenly(m, p);
    return most;
}

/* ---- beginning and end */

static void begin(struct run *g, struct texture *tex)
{
    struct machine *m = g->m;

    team_check(m->team);
    g->start = m->now;
    g->next_sample = g->start + g->d->opts.sample;
    machine_form(m);
    mech_bind_groups(g->d->mechs, m->group, m->n_group);
    dispatch_begin(&m->dispatch, g->l);
    if (g->d->opts.lines)
        lines_begin(g->d, g->l->prog);
    for (u32 i = 0; i < m->n_part; i++)
        partition_restart(m->part[i], g->start);
    for (u32 i = 0; i < m->n_sm; i++)
        begin_exec(g, tex, i);
    for (u32 i = 0; i < m->n_sm; i++)
        sm_begin(&m->sm[i], g->l, machine_decode(m, g->l, m->plan.shape[i].dp_words),
                 m->plan.ctas[i], g->start);
    mech_begin(g->d->mechs, g->start);
    count(g, g->start, &g->before);
    g->last_sample = g->before;
}

static u64 end_cycle(const struct run *g)
{
    u64 end = g->start;

    for (u32 i = 0; i < g->m->n_sm; i++)
        end = g->m->sm[i].front->last_done >= end ? g->m->sm[i].front->last_done + 1 : end;
    return end;
}

static void finish(struct run *g, u64 end)
{
    struct machine *m = g->m;
    struct counters *c = xmalloc(sizeof *c);

    for (u32 i = 0; i < m->n_sm; i++)
        sm_end(&m->sm[i], end);
    count(g, end, c);
    counters_sub(c, &g->before);
    if (g->d->opts.lines)
        lines_end(g->d, g->l->prog, c);
    g->r->counters = c;
    g->r->n = c->front;
    g->r->cycles = c->cycles;
    g->r->time_ps = c->cycles * 1000000 / m->conf->gpu.core_mhz;
    g->d->time_ps += g->r->time_ps;
    sheet_add(&front_sheet, &g->d->n, &c->front);
    counters_add(&g->d->counters, c);
    if (g->d->conf.power.model) {
        struct energy e;

        joules_of(&g->d->conf, g->d->mechs, c, &e);
        joules_add(&g->d->energy, &e);
    }
    for (u32 i = 0; i < m->n_sm; i++) {
        g->d->n_uninit += m->x[i].n_uninit;
        builtin_flush(&m->x[i]);
        exec_release(&m->x[i]);
    }
}

/* ---- built-in calls: at edges, in the order in which they were made */

static int by_time(const void *a, const void *b)
{
    const struct sys_call *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->sm != y->sm ? (x->sm < y->sm ? -1 : 1) : 0;
}

static bool fail(struct run *g, struct exec *x, struct warp *w, u32 pc)
{
    g->r->end = RUN_FAULT;
    g->r->fault = x->fault;
    exec_fault_message(x, w, pc, g->e);
    return false;
}

static bool perform(struct run *g, const struct sys_call *c)
{
    struct sm *sm = &g->m->sm[c->sm];
    struct wctx *ctx = &sm->front->ctx[c->slot];
    struct exec *x = &g->m->x[0]; /* one for all, so that text stays in order */

    x->clock = c->cycle;
    if (exec_call(x, ctx->w) == STEP_FAULT)
        return fail(g, x, ctx->w, ctx->w->call.pc);
    warp_called(sm->front, c->slot);
    group_wake(sm->group, g->m->now);
    return true;
}

static bool perform_calls(struct run *g)
{
    VEC(struct sys_call) all = {0};
    bool ok = true;

    for (u32 i = 0; i < g->m->n_sm; i++) {
        struct front *fe = g->m->sm[i].front;

        for (u32 k = 0; k < fe->calls.n; k++)
            *VEC_ADD(&all) = fe->calls.at[k];
        fe->calls.n = 0;
    }
    if (all.n) {
        qsort(all.at, all.n, sizeof all.at[0], by_time);
        for (u32 i = 0; i < all.n && ok; i++)
            ok = perform(g, &all.at[i]);
        builtin_flush(&g->m->x[0]);
    }
    VEC_FREE(&all);
    return ok;
}

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

static void run_window(struct machine *m)
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

static bool all_done(const struct run *g)
{
    const struct machine *m = g->m;

    if (!dispatch_is_done(&g->m->dispatch))
        return false;
    for (u32 i = 0; i < m->n_sm; i++)
        if (!sm_is_idle(&m->sm[i]))
            return false;
    if (!noc_is_idle(&m->request) || !noc_is_idle(&m->reply))
        return false;
    for (u32 i = 0; i < m->n_part; i++)
        if (partition_is_busy(m->part[i]))
            return false;
    return true;
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
    u64 next = next_event(m), limit = g->start + cycles_left(g);

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

        if (fe->failed && (!first || fe->failed_at < first->failed_at))
            first = fe;
    }
    if (!first)
        return true;
    return fail(g, first->x, first->failed_warp, first->failed_pc);
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

static u64 insts_so_far(const struct machine *m)
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
                        insts_so_far(g->m));
}

static bool within_insts(struct run *g)
{
    u64 max = g->d->opts.max_insts;

    if (!max || insts_so_far(g->m) < max)
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
    count(g, g->m->now, &c);
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
static bool sm_waits(struct run *g, const struct sm *sm)
{
    const struct front *fe = sm->front;

    for (u32 i = 0; i < fe->n_warp; i++)
        if (fe->ctx[i].w &&
            !watch_waits(&g->watch, fe->x, fe->ctx[i].w, fe->dp[fe->ctx[i].dp]->mu, &fe->ctx[i]))
            return false;
    return !fe->n_starting;
}

static bool look(struct run *g)
{
    const struct machine *m = g->m;

    if (!watch_issues(&g->watch, m->now, insts_so_far(m)))
        return stuck(g);
    for (u32 i = 0; i < m->n_sm; i++)
        if (!sm_waits(g, &m->sm[i]))
            return true;
    if (watch_goes_on(&g->watch, g->l, team_threads(m->team), g->e))
        return true;
    g->r->end = RUN_DEADLOCK;
    return false;
}

/* In a hostile build, now and then. */
static void check_groups(const struct machine *m)
{
    for (u32 i = 0; SMELT_HOSTILE && m->now / m->window % 16 == 0 && i < m->n_group; i++)
        group_check(&m->group[i]);
}

/* After each window; false: the launch cannot go on. */
static bool edge(struct run *g)
{
    check_groups(g->m);
    for (u32 i = 0; i < g->m->n_sm; i++)
        HOOK(&g->m->sm[i], edge, 0);
    if (UNLIKELY(g->d->mechs->has_edge))
        mech_edge(g->d->mechs, g->m->now);
    if (!find_fault(g) || !perform_calls(g) || !within_insts(g))
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
        run_window(g->m);
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
static void start_anew(struct device *d)
{
    struct machine *m = d->machine;
    u64 now = m->now;

    d->machine = machine_new(&d->conf, m->threads, m->no_skip);
    d->machine->now = now;
    mech_attach(d->mechs, d->machine->sm, d->machine->n_sm, d->machine->part, d->machine->n_part);
    machine_free(m);
}

bool timing_run(struct device *d, struct launch *l, struct texture *tex, struct launch_result *r,
                struct err *e)
{
    struct run g = {.d = d, .m = d->machine, .l = l, .r = r, .e = e};

    begin(&g, tex);
    bool ok = run_all(&g);

    watch_end(&g.watch);
    finish(&g, ok ? end_cycle(&g) : g.m->now);
    if (!ok)
        start_anew(d);
    return ok;
}
