/* functional.c -- see functional.h */
#include "gpu/functional.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "exec/builtin_call.h"
#include "exec/path.h"
#include "gpu/machine.h"
#include "gpu/strays.h"
#include "gpu/watch.h"

enum { CTA_INSTS = 1024 }; /* of each warp, before the next CTA has its turn */

struct engine {
    struct device *d;
    struct launch *l;
    struct launch_result *r;
    struct exec x;
    struct cta **slot; /* resident CTAs, NULL where none is left */
    u32 n_slot;
    u64 next, done; /* CTAs started, ended */
    u64 *sm_clock;  /* instructions issued by each SM */
    struct watch watch;
    struct err *e;
};

static void start_cta(struct engine *g, u32 s)
{
    if (g->next < g->l->ctas) {
        cta_start(g->slot[s], g->l, g->next++, s % (u32)g->d->conf.gpu.n_sm);
        return;
    }
    cta_free(g->slot[s]);
    g->slot[s] = NULL;
}

static bool fail(struct engine *g, struct warp *w)
{
    g->r->end = RUN_FAULT;
    g->r->fault = g->x.fault;
    exec_fault_message(&g->x, w, w->stack[w->depth - 1].pc, g->e);
    return false;
}

static bool out_of_budget(struct engine *g)
{
    g->r->end = RUN_MAX_INSTS;
    return err_program(g->e, "kernel %s: stopped after %" PRIu64 " warp instructions (--max-insts)",
                       g->l->func->label, g->d->opts.max_insts);
}

/* One turn of a warp.  Sets *moved if it executed anything. */
static bool run_warp(struct engine *g, struct warp *w, bool *moved)
{
    u64 budget = g->d->conf.sim.slice, used;
    u64 total = g->d->n.warp_insts + g->x.n.warp_insts, max = g->d->opts.max_insts;

    if (w->done || w->waiting >= 0)
        return true;
    if (max && total >= max)
        return out_of_budget(g);
    if (max && budget > max - total)
        budget = max - total;
    g->x.clock = g->sm_clock[w->cta->sm];
    enum step s = exec_run(&g->x, w, budget, &used);

    g->sm_clock[w->cta->sm] = g->x.clock;
    *moved = true;
    if (UNLIKELY(g->x.stray.n))
        strays_tell(g->d, &g->x, 1, 1);
    return s == STEP_FAULT ? fail(g, w) : true;
}

/*
 * Its warps take turns; then it is the next CTA's.  Few instructions a turn keep the warps of a CTA
 * abreast, many before the next CTA keep their registers in the host's caches.
 */
static bool run_cta(struct engine *g, u32 s, bool *moved)
{
    struct cta *c = g->slot[s];
    bool more = true;

    for (u64 n = 0; more && n < CTA_INSTS; n += g->d->conf.sim.slice) {
        more = false;
        for (u32 i = 0; i < c->n_warp; i++)
            if (!run_warp(g, &c->warp[i], &more))
                return false;
        *moved |= more;
    }
    if (cta_done(c)) {
        check_here(g->done < g->next);
        g->done++;
        start_cta(g, s);
    }
    return true;
}

static bool deadlock(struct engine *g)
{
    char where[300];

    g->r->end = RUN_DEADLOCK;
    for (u32 s = 0; s < g->n_slot; s++)
        for (u32 i = 0; g->slot[s] && i < g->slot[s]->n_warp; i++) {
            const struct warp *w = &g->slot[s]->warp[i];

            if (w->done)
                continue;
            return err_program(
                g->e,
                "kernel %s: deadlock: warp %u of block %u,%u,%u waits at barrier %d for ever (%s)",
                g->l->func->label, i, w->cta->id[0], w->cta->id[1], w->cta->id[2], w->waiting,
                program_where(g->l->prog, w->stack[w->depth - 1].pc, where, sizeof where));
        }
    return false;
}

static bool stopped(struct engine *g)
{
    if (!g->d->opts.stop || !*g->d->opts.stop)
        return false;
    g->r->end = RUN_STOPPED;
    err_program(g->e, "kernel %s: interrupted after %" PRIu64 " of %" PRIu64 " blocks",
                g->l->func->label, g->done, g->l->ctas);
    return true;
}

static bool cta_waits(struct engine *g, const struct cta *c)
{
    for (u32 i = 0; i < c->n_warp; i++)
        if (!watch_waits(&g->watch, &g->x, &c->warp[i], NULL, NULL))
            return false;
    return true;
}

static bool look_for_deadlock(struct engine *g)
{
    u64 n = g->x.n.warp_insts;

    watch_issues(&g->watch, n, n);
    for (u32 s = 0; s < g->n_slot; s++)
        if (g->slot[s] && !cta_waits(g, g->slot[s]))
            return true;
    if (watch_goes_on(&g->watch, g->l, g->d->machine ? team_threads(g->d->machine->team) : 1, g->e))
        return true;
    g->r->end = RUN_DEADLOCK;
    return false;
}

static bool run_all(struct engine *g)
{
    watch_begin(&g->watch, &g->d->conf, 0);
    while (g->done < g->l->ctas) {
        bool moved = false;

        for (u32 s = 0; s < g->n_slot; s++)
            if (g->slot[s] && !run_cta(g, s, &moved))
                return false;
        if (!moved)
            return deadlock(g);
        if (stopped(g) || (g->x.n.warp_insts >= g->watch.next && !look_for_deadlock(g)))
            return false;
        if (g->d->opts.progress)
            g->d->opts.progress(g->d->opts.progress_arg, g->done, g->l->ctas,
                                g->d->n.warp_insts + g->x.n.warp_insts);
    }
    return true;
}

static void set_up(struct engine *g)
{
    struct conf *c = &g->d->conf;
    u64 fit = c->gpu.n_sm * g->r->ctas_per_sm;

    exec_init(&g->x, g->l, &g->d->mem, NULL, g->d->opts.check);
    g->x.table = exec_table(g->d->opts.isa, g->e);
    if (c->sm.thread_scheduling)
        exec_independent(&g->x, (u32)c->sm.yield_after, c->sm.yield_loops);
    g->x.n_sm = (u32)c->gpu.n_sm;
    g->x.sm_warps = (u32)c->sm.n_warp;
    g->x.sm_shared = (u32)c->sm.shared;
    g->x.print = g->d->opts.print;
    g->x.print_arg = g->d->opts.print_arg;
    g->x.start_ps = g->d->time_ps;
    g->x.insts_per_us = (u32)(c->gpu.core_mhz * c->sm.schedulers);
    g->n_slot = (u32)(fit < g->l->ctas ? fit : g->l->ctas);
    g->slot = xcalloc(g->n_slot, sizeof g->slot[0]);
    g->sm_clock = xcalloc(c->gpu.n_sm, sizeof g->sm_clock[0]);
    for (u32 s = 0; s < g->n_slot; s++) {
        g->slot[s] = cta_new(g->l, (u32)c->sm.warp_words, g->d->opts.check);
        start_cta(g, s);
    }
}

static u64 elapsed_ps(const struct engine *g)
{
    const struct conf *c = &g->d->conf;
    u64 most = 1;

    for (u32 i = 0; i < c->gpu.n_sm; i++)
        most = g->sm_clock[i] > most ? g->sm_clock[i] : most;
    u64 cycles = (most + c->sm.schedulers - 1) / c->sm.schedulers;

    return cycles * 1000000 / c->gpu.core_mhz;
}

static void tear_down(struct engine *g)
{
    g->r->n = g->x.n;
    g->r->time_ps = elapsed_ps(g);
    g->d->time_ps += g->r->time_ps;
    sheet_add(&ptx_sheet, &g->d->n, &g->x.n);
    g->d->n_uninit += g->x.n_uninit;
    for (u32 s = 0; s < g->n_slot; s++)
        cta_free(g->slot[s]);
    free(g->slot), free(g->sm_clock);
    builtin_flush(&g->x);
    exec_release(&g->x);
}

bool functional_run(struct device *d, struct launch *l, const struct texture_set *tex,
                    struct launch_result *r, struct err *e)
{
    struct engine g = {.d = d, .l = l, .r = r, .e = e};

    set_up(&g);
    g.x.texture = tex;
    bool ok = run_all(&g);

    watch_end(&g.watch);
    tear_down(&g);
    return ok;
}
