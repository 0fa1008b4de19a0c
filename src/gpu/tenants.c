/* tenants.c -- which launch has which SM; see tenant.h, and overlap.h for the rules */
#include <stdlib.h>
#include <string.h>

#include "exec/builtin_call.h"
#include "exec/path.h"
#include "gpu/lines.h"
#include "gpu/tenant.h"
#include "mech/mech.h"

struct timing *timing_of(struct device *d)
{
    if (!d->timing) {
        d->timing = xcalloc(1, sizeof *d->timing);
        d->timing->d = d;
    }
    return d->timing;
}

void tenant_free(struct tenant *t)
{
    VEC_FREE(&t->samples);
    free(t->uop);
    free(t);
}

void timing_free(struct timing *g)
{
    if (!g)
        return;
    for (u32 k = 0; k < g->n; k++)
        tenant_free(g->at[k]);
    free(g->host), free(g->sm);
    free(g);
}

/* ---- time */

u64 timing_ps(const struct timing *g, u64 cycle)
{
    return g->anchor_ps + (cycle - g->anchor) * 1000000 / g->d->conf.gpu.core_mhz;
}

u64 timing_cycle(const struct timing *g, u64 ps)
{
    u64 mhz = g->d->conf.gpu.core_mhz;

    if (ps <= g->anchor_ps)
        return g->anchor;
    return ps - g->anchor_ps > UINT64_MAX / mhz - 1000000
               ? UINT64_MAX
               : g->anchor + ((ps - g->anchor_ps) * mhz + 999999) / 1000000;
}

/* ---- who has an SM */

u32 tenant_number(const struct timing *g, u32 i, const struct tenant *t)
{
    u32 k = 0;

    while (k < MAX_SM_KERNELS && g->host[i].at[k] != t)
        k++;
    return k;
}

/* What its executor needs to run the launch on SM i. */
static void init_exec(struct exec *x, const struct tenant *t, u32 i)
{
    const struct timing *g = t->timing;
    struct device *d = g->d;
    const struct machine *m = d->machine;
    struct ptx_stat n = x->n;
    struct err e;

    exec_init(x, &t->launch->l, &d->mem, &t->tex, d->opts.check);
    x->n = n; /* counts on */
    x->table = exec_table(d->opts.isa, &e);
    if (m->conf->sm.thread_scheduling)
        exec_independent(x, (u32)m->conf->sm.yield_after, m->conf->sm.yield_loops);
    x->n_sm = m->n_sm;
    x->sm_warps = (u32)m->conf->sm.n_warp;
    x->sm_shared = (u32)m->conf->sm.shared;
    x->print = d->opts.print, x->print_arg = d->opts.print_arg;
    x->insts_per_us = (u32)m->conf->gpu.core_mhz;
    x->start_ps = g->anchor_ps - g->anchor_offset_ps;
    x->log = &m->log[i];
    x->defer_atoms = x->defer_calls = true;
}

static void begin_exec(struct timing *g, u32 i, u32 k, struct tenant *t)
{
    struct exec *x = machine_exec(g->d->machine, i, k);

    g->host[i].at[k] = t, g->host[i].n++;
    g->host[i].ran[k] = x->n;
    init_exec(x, t, i);
}

/* It has nothing there any more; accounts are closed. */
static void strike_out(struct timing *g, u32 i, u32 k)
{
    struct front *fe = g->d->machine->sm[i].front;
    const struct kernel *here = &fe->board.kernel[k];
    struct exec *x = machine_exec(g->d->machine, i, k);
    struct host *h = &g->host[i];
    struct tenant *t = h->at[k];

    if (here->n_done && here->last_done >= t->end)
        t->end = here->last_done + 1;
    if (UNLIKELY(g->d->lines != NULL))
        t->lost += lines_leave(g->d, t->launch->l.prog, fe, k);
    g->d->n_uninit += x->n_uninit;
    builtin_flush(x);
    exec_release(x);
    h->at[k] = NULL, h->n--;
    h->ctas[k] = 0;
    memset(&h->issued[k], 0, sizeof h->issued[k]);
}

/* Nobody is there any more; the SM has been ended at `now`. */
static void clear_sm(struct timing *g, u32 i, u64 now)
{
    if (!g->host[i].n)
        return;
    tenants_account(g, i, now);
    for (u32 k = 0; k < MAX_SM_KERNELS; k++)
        if (g->host[i].at[k])
            strike_out(g, i, k);
}

/* A group has the executor of its first SM. */
static void use_own_exec(struct machine *m, u32 i)
{
    m->sm[i].front->x = m->sm[i].mu->x = machine_exec(m, m->first[i], 0);
}

/* The SM is idle, and nobody is there. */
static void enter_sm(struct timing *g, u32 i, struct tenant *t, u64 now)
{
    struct machine *m = g->d->machine;
    const struct launch *l = &t->launch->l;
    const struct uop *uop = t->uop ? t->uop : machine_decode(m, l, shape_passes(&m->plan.shape[i]));

    begin_exec(g, i, 0, t);
    use_own_exec(m, i);
    if (UNLIKELY(g->d->lines != NULL))
        lines_enter(l->prog, m->sm[i].front, 0);
    sm_begin(&m->sm[i], l, uop, g->alone ? m->plan.ctas[i] : t->launch->ctas, now, t->from - 1);
    if (dispatch_is_done(&t->dispatch))
        sm_set_no_more(&m->sm[i], true, now);
}

/* Beside those that are there, if they leave it room; its number. */
static u32 join_sm(struct timing *g, u32 i, struct tenant *t)
{
    struct machine *m = g->d->machine;
    u32 k = kernel_join(m->sm[i].front, &t->launch->l, t->uop, t->launch->ctas, g->sm_kernels);

    if (k == NO_KERNEL)
        return k;
    tenants_account(g, i, m->now);
    begin_exec(g, i, k, t);
    kernel_executes(m->sm[i].front, k, machine_exec(m, i, k));
    if (UNLIKELY(g->d->lines != NULL))
        lines_enter(t->launch->l.prog, m->sm[i].front, k);
    sm_set_no_more(&m->sm[i], false, m->now);
    return k;
}

/* For the tenant's dispatch: slots for its CTAs on this SM, which may become its own. */
static u64 takes(void *arg, u32 i)
{
    struct tenant *t = arg;
    struct timing *g = t->timing;
    struct sm *sm = &g->d->machine->sm[i];
    u32 k = tenant_number(g, i, t);

    if (k == NO_KERNEL && sm_is_idle(sm)) {
        u64 now = g->d->machine->now;

        sm_end(sm, now);
        clear_sm(g, i, now);
        enter_sm(g, i, t, now);
        k = 0;
    } else if (k == NO_KERNEL) {
        k = join_sm(g, i, t);
    }
    if (k == NO_KERNEL)
        return 0;
    return sm->front->mixed ? kernel_room(sm->front, k) : dispatch_slots(sm->front);
}

/* Do all who are on the SM have no CTA left to give out? */
static bool has_no_more(const struct timing *g, u32 i)
{
    for (u32 k = 0; k < MAX_SM_KERNELS; k++)
        if (g->host[i].at[k] && !dispatch_is_done(&g->host[i].at[k]->dispatch))
            return false;
    return true;
}

/*
 * Each round robin goes on where the last one ended.  SMs hear that no CTA is left at the edge; those of
 * a launch that is alone in the cycle in which the last was given out.
 */
void tenant_give_out(struct timing *g, struct tenant *t, u64 end)
{
    struct machine *m = g->d->machine;
    u64 first = t->from > m->now ? t->from : m->now;

    if (dispatch_is_done(&t->dispatch) || first >= end)
        return;
    t->dispatch.last = m->dispatch.last;
    dispatch_window(&t->dispatch, first, end);
    m->dispatch.last = t->dispatch.last;
    for (u32 i = 0; dispatch_is_done(&t->dispatch) && i < m->n_sm; i++)
        if (tenant_number(g, i, t) != NO_KERNEL && has_no_more(g, i))
            sm_set_no_more(&m->sm[i], true, g->alone ? first : m->now);
}

/* ---- beginning */

static void make_hosts(struct timing *g)
{
    u32 n = g->d->machine->n_sm;

    if (g->host)
        return;
    g->host = xcalloc(n, sizeof g->host[0]);
    g->sm = xcalloc(n, sizeof g->sm[0]);
}

/* The machine stands still, and is made ready for the first. */
static void begin_first(struct timing *g, bool alone)
{
    struct device *d = g->d;
    struct machine *m = d->machine;

    team_check(m->team);
    make_hosts(g);
    g->alone = alone;
    g->sm_kernels = mech_keeps_apart(d->mechs) ? 1 : (u32)d->conf.gpu.sm_kernels;
    g->anchor = m->now, g->anchor_ps = d->time_ps;
    g->anchor_offset_ps = g->anchor * 1000000 / d->conf.gpu.core_mhz;
    g->n_edge = 0, g->ctas = 0, g->ctas_before = 0;
    for (u32 i = 0; i < m->n_sm; i++)
        g->ctas_before += m->sm[i].st.ctas;
    if (!alone)
        plan_begin(&m->plan, NULL, &m->keys);
    machine_form(m);
    mech_bind_groups(d->mechs, m->group, m->n_group);
    for (u32 i = 0; i < m->n_part; i++)
        partition_restart(m->part[i], m->now);
}

static struct uop *decode(const struct machine *m, const struct launch *l)
{
    struct uop *u =
        uop_decode(l->prog, l->func, &m->conf->sm, &m->conf->op, shape_passes(&m->keys));

    if (m->reorders)
        uop_find_waits(u, l->prog->n_inst);
    return u;
}

static struct tenant *new_tenant(struct timing *g, struct device_launch *l)
{
    struct device *d = g->d;
    struct machine *m = d->machine;
    struct tenant *t = xcalloc(1, sizeof *t);

    t->timing = g, t->launch = l;
    t->start = t->end = m->now;
    t->from = m->now + 1 + d->conf.gpu.launch_latency;
    t->next_sample = d->opts.sample ? t->start + d->opts.sample : UINT64_MAX;
    t->stream = d->stream;
    t->host_start = host_seconds();
    t->tex =
        (struct texture_set){d->texture[l->prog], d->object.at, l->l.prog->n_texture, d->object.n};
    t->uop = g->alone ? NULL : decode(m, &l->l);
    t->dispatch = m->dispatch;
    t->dispatch.takes = takes, t->dispatch.tenant = t;
    l->l.id = d->n_launch + g->n;
    dispatch_begin(&t->dispatch, &l->l);
    g->ctas += l->l.ctas;
    return t;
}

/* All SMs are the first one's; mechanisms hear of it. */
static void settle_in(struct timing *g, struct tenant *t)
{
    struct machine *m = g->d->machine;

    if (g->d->opts.lines)
        lines_begin(g->d, t->launch->l.prog);
    for (u32 i = 0; i < m->n_sm; i++)
        enter_sm(g, i, t, m->now);
    mech_begin(g->d->mechs, m->now);
    tenants_count_from(g, m->now);
    if (g->alone)
        m->now = t->from - 1; /* edges are counted from its first CTA */
    watch_begin(&g->watch, m->conf, m->now);
}

void tenant_begin(struct timing *g, struct device_launch *l, bool alone)
{
    struct machine *m = g->d->machine;
    bool first = !g->n;

    assert(g->n < LEN(g->at) && (first || !(alone | g->alone)));
    if (first)
        begin_first(g, alone);
    else
        tenants_share(g, m->now);
    struct tenant *t = new_tenant(g, l);

    g->at[g->n++] = t;
    if (first)
        settle_in(g, t);
    /* a window of one cycle is over before the first CTA begins */
    tenant_give_out(g, t, m->now + (alone && m->window < 2 ? 2 : m->window));
}

/* ---- the end */

bool tenant_has_ctas(const struct timing *g, const struct tenant *t)
{
    if (!dispatch_is_done(&t->dispatch))
        return true;
    for (u32 i = 0; i < g->d->machine->n_sm; i++) {
        u32 k = tenant_number(g, i, t);

        if (k != NO_KERNEL && g->d->machine->sm[i].front->board.kernel[k].n_cta)
            return true;
    }
    return false;
}

/* Of a kernel whose CTAs have ended nothing is under way; by itself it leaves its SM idle. */
static bool is_gone(const struct timing *g, u32 i, u32 k)
{
    const struct sm *sm = &g->d->machine->sm[i];

    return g->host[i].n > 1 ? !sm->front->board.kernel[k].n_cta : sm_is_idle(sm);
}

/* One that has the GPU for itself ends when all has drained, and no other waits for it. */
bool tenant_has_ended(const struct timing *g, const struct tenant *t)
{
    if (!dispatch_is_done(&t->dispatch))
        return false;
    for (u32 i = 0; i < g->d->machine->n_sm; i++) {
        u32 k = tenant_number(g, i, t);

        if (k != NO_KERNEL && !is_gone(g, i, k))
            return false;
    }
    return !g->alone || timing_memory_is_idle(g->d->machine);
}

/* Behind its last warp. */
static u64 end_of(const struct timing *g, const struct tenant *t)
{
    u64 end = t->end;

    for (u32 i = 0; i < g->d->machine->n_sm; i++) {
        u32 k = tenant_number(g, i, t);

        if (k == NO_KERNEL)
            continue;
        const struct kernel *here = &g->d->machine->sm[i].front->board.kernel[k];

        end = here->n_done && here->last_done >= end ? here->last_done + 1 : end;
    }
    return end;
}

/* It leaves this SM; who was by itself there leaves it to the heir, or to nobody. */
static void leave_sm(struct timing *g, u32 i, u32 k, struct tenant *heir, u64 now)
{
    struct machine *m = g->d->machine;

    if (g->host[i].n > 1) {
        tenants_account(g, i, now);
        strike_out(g, i, k);
        kernel_leave(m->sm[i].front, k);
        return;
    }
    clear_sm(g, i, now);
    use_own_exec(m, i);
    if (heir)
        enter_sm(g, i, heir, now);
}

/* SMs of one that has ended go to the oldest that is left, or to nobody; accounts are closed. */
static void hand_over(struct timing *g, const struct tenant *t, struct tenant *heir, u64 now)
{
    struct machine *m = g->d->machine;

    for (u32 i = 0; i < m->n_sm; i++)
        if (g->host[i].n == 1 && tenant_number(g, i, t) != NO_KERNEL)
            sm_end(&m->sm[i], now);
    for (u32 i = 0; i < m->n_sm; i++) {
        u32 k = tenant_number(g, i, t);

        if (k != NO_KERNEL)
            leave_sm(g, i, k, heir, now);
    }
}

static void remove_tenant(struct timing *g, const struct tenant *t)
{
    u32 k = 0;

    while (g->at[k] != t)
        k++;
    g->n--;
    memmove(&g->at[k], &g->at[k + 1], (g->n - k) * sizeof g->at[0]);
}

/* Its accounts are closed. */
static void close_tenant(struct timing *g, struct tenant *t)
{
    t->c.cycles = t->end - t->start;
    t->launch->end_ps = timing_ps(g, t->end);
    if (UNLIKELY(g->d->lines != NULL))
        lines_end(g->d, &t->c, t->lost);
}

/* Accounts of one that has the GPU for itself end with its last warp, those of others at an edge. */
void tenant_end(struct timing *g, struct tenant *t)
{
    struct machine *m = g->d->machine;
    struct tenant *heir = g->n == 1 ? NULL : g->at[0] == t ? g->at[1] : g->at[0];
    u64 now = g->alone ? end_of(g, t) : m->now;

    hand_over(g, t, heir, now);
    if (!heir)
        timing_drain(m);
    tenants_share(g, now);
    remove_tenant(g, t);
    close_tenant(g, t);
    if (!heir)
        watch_end(&g->watch);
}

/* What a failed launch leaves in the pipelines is of no use to the next one. */
static void start_anew(struct device *d)
{
    struct machine *m = d->machine;
    u64 now = m->now;

    d->machine = machine_new(&d->conf, m->threads, m->no_skip);
    d->machine->now = now;
    machine_attach(d->machine, d->mechs);
    machine_free(m);
}

void tenants_abort(struct timing *g)
{
    struct machine *m = g->d->machine;
    u64 now = m->now;

    for (u32 i = 0; i < m->n_sm; i++)
        sm_end(&m->sm[i], now);
    for (u32 i = 0; i < m->n_sm; i++)
        clear_sm(g, i, now);
    tenants_share(g, now);
    for (u32 k = 0; k < g->n; k++) {
        struct tenant *t = g->at[k];

        t->end = now, t->end_kind = g->culprit->end_kind, t->fault = g->culprit->fault;
        close_tenant(g, t);
    }
    watch_end(&g->watch);
    start_anew(g->d);
    g->n_aborted = g->n;
    g->n = 0;
}
