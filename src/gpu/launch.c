/* launch.c -- a launch that is timed: its plan, its beginning, its end; see run.h and timing.h */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "exec/builtin_call.h"
#include "exec/path.h"
#include "gpu/joules.h"
#include "gpu/lines.h"
#include "gpu/run.h"
#include "mech/mech.h"
#include "sm/occupancy.h"

void run_count(struct run *g, u64 now, struct counters *c)
{
    machine_count(g->m, now, c);
    mech_count_charged(g->d->mechs, &c->charged);
}

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double run_host_seconds(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double run_cpu_seconds(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- what a launch needs */

void run_begin_exec(struct device *d, struct exec *x, const struct launch *l,
                    const struct texture_set *tex, u32 i, u64 start_ps)
{
    struct machine *m = d->machine;
    struct ptx_stat n = x->n;
    struct err e;

    exec_init(x, l, &d->mem, tex, d->opts.check);
    x->n = n; /* counts on */
    x->table = exec_table(d->opts.isa, &e);
    if (m->conf->sm.thread_scheduling)
        exec_independent(x, (u32)m->conf->sm.yield_after, m->conf->sm.yield_loops);
    x->n_sm = m->n_sm;
    x->sm_warps = (u32)m->conf->sm.n_warp;
    x->sm_shared = (u32)m->conf->sm.shared;
    x->print = d->opts.print, x->print_arg = d->opts.print_arg;
    x->insts_per_us = (u32)m->conf->gpu.core_mhz;
    x->start_ps = start_ps;
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

void run_begin(struct run *g, const struct texture_set *tex)
{
    struct machine *m = g->m;
    u64 start_ps = g->d->time_ps - m->now * 1000000 / m->conf->gpu.core_mhz;

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
        run_begin_exec(g->d, &m->x[i], g->l, tex, i, start_ps);
    for (u32 i = 0; i < m->n_sm; i++)
        sm_begin(&m->sm[i], g->l, machine_decode(m, g->l, shape_passes(&m->plan.shape[i])),
                 m->plan.ctas[i], g->start, g->start + m->conf->gpu.launch_latency);
    mech_begin(g->d->mechs, g->start);
    run_count(g, g->start, &g->before);
    g->last_sample = g->before;
}

u64 run_end_cycle(const struct run *g)
{
    u64 end = g->start;

    for (u32 i = 0; i < g->m->n_sm; i++)
        end = g->m->sm[i].front->last_done >= end ? g->m->sm[i].front->last_done + 1 : end;
    return end;
}

void run_book(struct device *d, struct launch_result *r)
{
    const struct counters *c = r->counters;

    r->n = c->ptx;
    r->cycles = c->cycles;
    sheet_add(&ptx_sheet, &d->n, &c->ptx);
    counters_add(&d->counters, c);
    if (d->conf.power.model) {
        struct energy e;

        joules_of(&d->conf, d->mechs, c, &e);
        joules_add(&d->energy, &e);
    }
}

void run_finish(struct run *g, u64 end)
{
    struct machine *m = g->m;
    struct counters *c = xmalloc(sizeof *c);

    for (u32 i = 0; i < m->n_sm; i++)
        sm_end(&m->sm[i], end);
    run_count(g, end, c);
    counters_sub(c, &g->before);
    if (g->d->opts.lines)
        lines_end(g->d, g->l->prog, c);
    g->r->counters = c;
    g->r->time_ps = c->cycles * 1000000 / m->conf->gpu.core_mhz;
    g->d->time_ps += g->r->time_ps;
    run_book(g->d, g->r);
    for (u32 i = 0; i < m->n_sm; i++) {
        g->d->n_uninit += m->x[i].n_uninit;
        builtin_flush(&m->x[i]);
        exec_release(&m->x[i]);
    }
}

bool run_fail(struct run *g, struct exec *x, struct warp *w, u32 pc)
{
    g->r->end = RUN_FAULT;
    g->r->fault = x->fault;
    exec_fault_message(x, w, pc, g->e);
    return false;
}
