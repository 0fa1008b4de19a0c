/* overlap.c -- see overlap.h; accounts are in shares.c */
#include "gpu/overlap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exec/builtin_call.h"
#include "gpu/run.h"
#include "gpu/strays.h"
#include "gpu/tenant.h"

bool device_overlaps(const struct device *d)
{
    const struct run_opts *o = &d->opts;

    return d->conf.gpu.concurrent_kernels > 1 && d->machine && !d->mechs->n && !o->first_timed &&
           !o->lines && !o->sample;
}

u32 device_in_flight(const struct device *d)
{
    return d->overlap ? d->overlap->n : 0;
}

u64 device_launch_end_ps(const struct device_launch *l)
{
    return l->end_ps;
}

/* ---- time: edges are counted from the first launch of those that overlap */

static u64 ps_of(const struct overlap *o, u64 cycle)
{
    return o->anchor_ps + (cycle - o->anchor) * 1000000 / o->d->conf.gpu.core_mhz;
}

/* The first cycle that is not before this time. */
static u64 cycle_of(const struct overlap *o, u64 ps)
{
    u64 mhz = o->d->conf.gpu.core_mhz;

    if (ps <= o->anchor_ps)
        return o->anchor;
    return ps - o->anchor_ps > UINT64_MAX / mhz - 1000000
               ? UINT64_MAX
               : o->anchor + ((ps - o->anchor_ps) * mhz + 999999) / 1000000;
}

/* ---- who has an SM */

static struct exec *exec_at(const struct overlap *o, u32 i, u32 k)
{
    return &o->x[i * MAX_RESIDENTS + k];
}

/* Its number on the SM, or NO_KERNEL. */
static u32 number_of(const struct overlap *o, u32 i, const struct tenant *t)
{
    u32 k = 0;

    while (k < MAX_RESIDENTS && o->host[i].at[k] != t)
        k++;
    return k;
}

/* It has nothing there any more; accounts are closed. */
static void strike_out(struct overlap *o, u32 i, u32 k)
{
    const struct resident *r = &o->d->machine->sm[i].front->board.kernel[k];
    struct host *h = &o->host[i];
    struct tenant *t = h->at[k];
    struct exec *x = exec_at(o, i, k);

    if (r->n_done && r->last_done >= t->end)
        t->end = r->last_done + 1;
    o->d->n_uninit += x->n_uninit;
    builtin_flush(x);
    exec_release(x);
    h->at[k] = NULL, h->n--;
    h->ctas[k] = 0;
    memset(&h->issued[k], 0, sizeof h->issued[k]);
}

/* The SM is idle: all go that are there. */
static void leave_sm(struct overlap *o, u32 i, u64 now)
{
    sm_end(&o->d->machine->sm[i], now);
    tenants_account(o, i, now);
    for (u32 k = 0; k < MAX_RESIDENTS; k++)
        if (o->host[i].at[k])
            strike_out(o, i, k);
}

static void begin_exec(struct overlap *o, u32 i, u32 k, struct tenant *t)
{
    o->host[i].at[k] = t, o->host[i].n++;
    run_begin_exec(o->d, exec_at(o, i, k), &t->launch->l, &t->tex, i,
                   ps_of(o, o->anchor) - o->anchor_offset_ps);
}

/* The SM is idle, and nobody is there. */
static void enter_sm(struct overlap *o, u32 i, struct tenant *t, u64 now)
{
    struct sm *sm = &o->d->machine->sm[i];

    begin_exec(o, i, 0, t);
    sm->front->x = sm->mu->x = exec_at(o, i, 0);
    sm_begin(sm, &t->launch->l, t->uop, t->launch->ctas, now, t->from - 1);
    if (dispatch_is_done(&t->dispatch))
        sm_set_no_more(sm, true, now);
}

/* Beside those that are there, if they leave it room; its number. */
static u32 join_sm(struct overlap *o, u32 i, struct tenant *t)
{
    struct machine *m = o->d->machine;
    u32 k = resident_join(m->sm[i].front, &t->launch->l, t->uop, exec_at(o, i, 0), t->launch->ctas,
                          (u32)o->d->conf.gpu.sm_kernels);

    if (k == NO_KERNEL)
        return k;
    tenants_account(o, i, m->now);
    begin_exec(o, i, k, t);
    sm_set_no_more(&m->sm[i], false, m->now);
    return k;
}

/* For the tenant's dispatch: slots for its CTAs on this SM, which may become its own. */
static u64 takes(void *arg, u32 i)
{
    struct tenant *t = arg;
    struct overlap *o = t->o;
    struct sm *sm = &o->d->machine->sm[i];
    u32 k = number_of(o, i, t);

    if (k == NO_KERNEL && sm_is_idle(sm)) {
        leave_sm(o, i, o->d->machine->now);
        enter_sm(o, i, t, o->d->machine->now);
        k = 0;
    } else if (k == NO_KERNEL) {
        k = join_sm(o, i, t);
    }
    if (k == NO_KERNEL)
        return 0;
    if (sm->front->mixed)
        return resident_room(sm->front, k);
    return warps_have_room(sm->front) ? warps_free_slots(sm->front) : 0;
}

/* Do all who are on the SM have no CTA left to give out? */
static bool has_no_more(const struct overlap *o, u32 i)
{
    for (u32 k = 0; k < MAX_RESIDENTS; k++)
        if (o->host[i].at[k] && !dispatch_is_done(&o->host[i].at[k]->dispatch))
            return false;
    return true;
}

/* CTAs for the window to come; each round robin goes on where the last one ended. */
static void give_out(struct overlap *o, struct tenant *t)
{
    struct machine *m = o->d->machine;
    u64 end = m->now + m->window, first = t->from > m->now ? t->from : m->now;

    if (dispatch_is_done(&t->dispatch) || first >= end)
        return;
    t->dispatch.last = m->dispatch.last;
    dispatch_window(&t->dispatch, first, end);
    m->dispatch.last = t->dispatch.last;
    for (u32 i = 0; dispatch_is_done(&t->dispatch) && i < m->n_sm; i++)
        if (number_of(o, i, t) != NO_KERNEL && has_no_more(o, i))
            sm_set_no_more(&m->sm[i], true, m->now);
}

/* ---- beginning */

static void begin_together(struct overlap *o)
{
    struct device *d = o->d;
    struct machine *m = d->machine;

    team_check(m->team);
    o->anchor = m->now, o->anchor_ps = d->time_ps;
    o->anchor_offset_ps = o->anchor * 1000000 / d->conf.gpu.core_mhz;
    plan_begin(&m->plan, NULL, &m->keys);
    machine_form(m);
    for (u32 i = 0; i < m->n_part; i++)
        partition_restart(m->part[i], m->now);
    watch_begin(&o->watch, m->conf, m->now);
    if (!o->host) {
        o->host = xcalloc(m->n_sm, sizeof o->host[0]);
        o->x = xcalloc_lines((size_t)m->n_sm * MAX_RESIDENTS, sizeof o->x[0]);
        o->sm = xcalloc(m->n_sm, sizeof o->sm[0]);
    }
}

static struct tenant *new_tenant(struct overlap *o, struct device_launch *l)
{
    struct device *d = o->d;
    struct machine *m = d->machine;
    struct tenant *t = xcalloc(1, sizeof *t);
    const struct program *p = l->l.prog;

    t->o = o, t->launch = l;
    t->start = t->end = m->now;
    t->from = m->now + 1 + d->conf.gpu.launch_latency;
    t->stream = d->stream;
    t->host_start = run_host_seconds();
    t->tex = (struct texture_set){d->texture[l->prog], d->object.at, p->n_texture, d->object.n};
    t->uop = uop_decode(p, l->l.func, &m->conf->sm, &m->conf->op, shape_passes(&m->keys));
    t->dispatch = m->dispatch;
    t->dispatch.takes = takes, t->dispatch.tenant = t;
    l->l.id = d->n_launch + o->n;
    dispatch_begin(&t->dispatch, &l->l);
    return t;
}

void device_begin(struct device *d, struct device_launch *l)
{
    if (!d->overlap) {
        d->overlap = xcalloc(1, sizeof *d->overlap);
        d->overlap->d = d;
    }
    struct overlap *o = d->overlap;
    bool first = !o->n;

    assert(o->n < LEN(o->at));
    if (first)
        begin_together(o);
    else
        tenants_share(o, d->machine->now);
    struct tenant *t = o->at[o->n++] = new_tenant(o, l);

    for (u32 i = 0; first && i < d->machine->n_sm; i++)
        enter_sm(o, i, t, d->machine->now);
    if (first)
        tenants_begin(o, d->machine->now);
    give_out(o, t);
}

/* ---- the end of one */

static void publish(struct device *d, struct tenant *t)
{
    struct launch_result *r = device_new_result(d, &t->launch->l);

    r->ctas_per_sm = t->launch->per_sm, r->limit = t->launch->limit;
    r->end = t->end_kind, r->fault = t->fault;
    if (d->n_launch == 1)
        d->first_start = t->host_start;
    r->counters = xmalloc(sizeof *r->counters);
    *r->counters = t->c;
    r->begin_ps = ps_of(d->overlap, t->start);
    r->time_ps = t->launch->end_ps - r->begin_ps;
    r->stream = t->stream;
    run_book(d, r);
    d->last_end = run_host_seconds();
    device_add_result(d);
}

static void free_tenant(struct tenant *t)
{
    free(t->uop);
    free(t);
}

/* What is still under way to memory when the last one has ended takes no time that is counted. */
static void drain(struct machine *m)
{
    while (!timing_memory_is_idle(m)) {
        u64 next = timing_next(m);

        if (next > m->now && next != UINT64_MAX && !m->no_skip)
            m->now += (next - m->now) / m->window * m->window;
        timing_window(m);
    }
}

/* It leaves this SM; who was alone there leaves it to the heir, or to nobody. */
static void leave(struct overlap *o, u32 i, u32 k, struct tenant *heir, u64 now)
{
    struct sm *sm = &o->d->machine->sm[i];

    if (o->host[i].n > 1) {
        strike_out(o, i, k);
        resident_leave(sm->front, k);
        return;
    }
    leave_sm(o, i, now);
    sm->front->x = sm->mu->x = &o->d->machine->x[i];
    if (heir)
        enter_sm(o, i, heir, now);
}

/* SMs of one that has ended go to the oldest that is left, or to nobody; accounts are closed. */
static void hand_over(struct overlap *o, const struct tenant *t, struct tenant *heir)
{
    for (u32 i = 0; i < o->d->machine->n_sm; i++) {
        u32 k = number_of(o, i, t);

        if (k != NO_KERNEL)
            leave(o, i, k, heir, o->d->machine->now);
    }
}

static void remove_tenant(struct overlap *o, const struct tenant *t)
{
    u32 k = 0;

    while (o->at[k] != t)
        k++;
    o->n--;
    memmove(&o->at[k], &o->at[k + 1], (o->n - k) * sizeof o->at[0]);
}

/* Its accounts are closed. */
static void close_tenant(struct overlap *o, struct tenant *t)
{
    t->c.cycles = t->end - t->start;
    t->launch->end_ps = ps_of(o, t->end);
}

static void end_tenant(struct overlap *o, struct tenant *t)
{
    struct machine *m = o->d->machine;
    struct tenant *heir = o->n == 1 ? NULL : o->at[0] == t ? o->at[1] : o->at[0];
    u64 now = m->now;

    tenants_count_sms(o, now);
    hand_over(o, t, heir);
    if (!heir)
        drain(m);
    tenants_share(o, now);
    remove_tenant(o, t);
    close_tenant(o, t);
    publish(o->d, t);
    free_tenant(t);
    if (!heir)
        watch_end(&o->watch);
}

/* Of a kernel whose CTAs have ended nothing is under way; alone, it leaves its SM idle. */
static bool is_gone(const struct overlap *o, u32 i, u32 k)
{
    const struct sm *sm = &o->d->machine->sm[i];

    return o->host[i].n > 1 ? !sm->front->board.kernel[k].n_cta : sm_is_idle(sm);
}

static bool has_ended(const struct overlap *o, const struct tenant *t)
{
    if (!dispatch_is_done(&t->dispatch))
        return false;
    for (u32 i = 0; i < o->d->machine->n_sm; i++) {
        u32 k = number_of(o, i, t);

        if (k != NO_KERNEL && !is_gone(o, i, k))
            return false;
    }
    return true;
}

static struct tenant *find_ended(const struct overlap *o)
{
    for (u32 k = 0; k < o->n; k++)
        if (has_ended(o, o->at[k]))
            return o->at[k];
    return NULL;
}

/* ---- edges; false and who is to blame: they cannot go on */

static bool blame(struct tenant *t, enum run_end end)
{
    t->end_kind = end;
    t->o->culprit = t;
    return false;
}

static bool find_fault(struct overlap *o, struct err *e)
{
    const struct machine *m = o->d->machine;
    u32 at = 0;
    const struct front *first = NULL;

    for (u32 i = 0; i < m->n_sm; i++) {
        const struct front *fe = m->sm[i].front;

        if (fe->failed && (!first || fe->fault.at < first->fault.at))
            first = fe, at = i;
    }
    if (!first)
        return true;
    struct tenant *t = o->host[at].at[first->fault.x - exec_at(o, at, 0)];

    t->fault = first->fault.x->fault;
    exec_fault_message(first->fault.x, first->fault.warp, first->fault.pc, e);
    return blame(t, RUN_FAULT);
}

static bool perform_calls(struct overlap *o, struct err *e)
{
    struct launch_result r = {.end = RUN_DONE};
    struct run g = {.d = o->d, .m = o->d->machine, .r = &r, .e = e, .together = true};

    if (run_perform_calls(&g))
        return true;
    struct tenant *t = o->host[g.sm].at[g.kernel];

    t->fault = r.fault;
    return blame(t, r.end);
}

static u64 executed(struct overlap *o)
{
    tenants_count_insts(o);
    return run_insts(o->d->machine);
}

static bool within_insts(struct overlap *o, struct err *e)
{
    u64 max = o->d->opts.max_insts;

    if (!max || executed(o) < max)
        return true;
    err_program(e, "kernel %s: stopped after %" PRIu64 " warp instructions (--max-insts)",
                o->at[0]->launch->l.func->label, max);
    return blame(o->at[0], RUN_MAX_INSTS);
}

/* Cycles that --max-cycles leaves to each of those in flight: what it limits is the sum over launches. */
static u64 cycles_left(const struct overlap *o)
{
    u64 max = o->d->opts.max_cycles, used = o->d->counters.cycles;

    if (!max)
        return UINT64_MAX;
    for (u32 k = 0; k < o->n; k++)
        used += o->d->machine->now - o->at[k]->start;
    return max > used ? (max - used + o->n - 1) / o->n : 0;
}

static bool within_cycles(struct overlap *o, struct err *e)
{
    if (cycles_left(o))
        return true;
    err_program(e, "kernel %s: stopped after %" PRIu64 " cycles (--max-cycles)",
                o->at[0]->launch->l.func->label, o->d->opts.max_cycles);
    return blame(o->at[0], RUN_MAX_CYCLES);
}

static bool is_stopped(struct overlap *o, struct err *e)
{
    const struct run_opts *opts = &o->d->opts;
    u64 done = 0, all = 0;

    if (++o->n_edge % 1024)
        return false;
    for (u32 k = 0; k < o->n; k++)
        done += o->at[k]->dispatch.next, all += o->at[k]->launch->l.ctas;
    if (opts->progress)
        opts->progress(opts->progress_arg, done, all, executed(o));
    if (!opts->stop || !*opts->stop)
        return false;
    err_program(e, "kernel %s: interrupted in cycle %" PRIu64, o->at[0]->launch->l.func->label,
                o->d->machine->now - o->at[0]->start);
    blame(o->at[0], RUN_STOPPED);
    return true;
}

/* idle: cycles without an instruction, 0 if there will never be one. */
static bool deadlock(struct overlap *o, struct err *e, u64 idle)
{
    const char *label = o->at[0]->launch->l.func->label;
    u64 cycle = o->d->machine->now - o->at[0]->start;

    machine_describe(o->d->machine);
    if (idle)
        err_program(e,
                    "kernel %s: deadlock in cycle %" PRIu64
                    ": no instruction was issued for %" PRIu64 " cycles (sim.watchdog)",
                    label, cycle, idle);
    else
        err_program(e, "kernel %s: deadlock in cycle %" PRIu64 ": nothing can move", label, cycle);
    return blame(o->at[0], RUN_DEADLOCK);
}

/* Whose CTA is it? */
static struct tenant *tenant_of(const struct overlap *o, const struct cta *cta)
{
    for (u32 i = 0; i < o->d->machine->n_sm; i++) {
        const struct front *fe = o->d->machine->sm[i].front;

        for (u32 k = 0; k < fe->n_slot; k++)
            if (fe->slot[k].cta == cta)
                return o->host[i].at[fe->slot[k].kernel];
    }
    return NULL;
}

/* The watchdog: all that are there wait, and for each other; see watch.h. */
static bool look(struct overlap *o, struct err *e)
{
    struct machine *m = o->d->machine;

    if (!watch_issues(&o->watch, m->now, executed(o)))
        return deadlock(o, e, o->watch.limit);
    for (u32 i = 0; i < m->n_sm; i++)
        if (!run_sm_waits(&o->watch, &m->sm[i]))
            return true;
    struct tenant *t = o->watch.found.cta ? tenant_of(o, o->watch.found.cta) : NULL;

    if (!t || watch_goes_on(&o->watch, &t->launch->l, team_threads(m->team), e))
        return true;
    return blame(t, RUN_DEADLOCK);
}

static bool edge(struct overlap *o, struct err *e)
{
    struct machine *m = o->d->machine;

    if (UNLIKELY(o->d->mem.bounds == BOUNDS_REPORT))
        strays_tell(o->d, o->x, m->n_sm * MAX_RESIDENTS);
    if (!find_fault(o, e) || !perform_calls(o, e) || !within_insts(o, e) || !within_cycles(o, e) ||
        is_stopped(o, e))
        return false;
    if (m->now >= o->watch.next && !look(o, e))
        return false;
    for (u32 k = 0; k < o->n; k++)
        give_out(o, o->at[k]);
    return true;
}

/* To the window before the next edge at which there is something to do; false: there is none. */
static bool jump(struct overlap *o, u64 until)
{
    struct machine *m = o->d->machine;
    u64 next = timing_next(m), left = cycles_left(o), limit = until;

    for (u32 k = 0; k < o->n; k++) {
        u64 from = o->at[k]->from;

        if (from < m->now || dispatch_is_done(&o->at[k]->dispatch))
            continue;
        /* CTAs are given out at the edge before the window in which they can begin */
        from = from > m->now + m->window ? from - m->window : m->now;
        next = from < next ? from : next;
    }
    if (next == UINT64_MAX && until == UINT64_MAX)
        return false;
    limit = left < limit - m->now ? m->now + left : limit;
    limit = o->watch.next < limit ? o->watch.next : limit;
    next = next < limit ? next : limit - 1;
    if (next > m->now && !m->no_skip)
        m->now += (next - m->now) / m->window * m->window;
    return true;
}

/* ---- one has failed */

static void abort_all(struct overlap *o)
{
    u64 now = o->d->machine->now;

    tenants_count_sms(o, now);
    for (u32 i = 0; i < o->d->machine->n_sm; i++)
        leave_sm(o, i, now);
    tenants_share(o, now);
    for (u32 k = 0; k < o->n; k++) {
        struct tenant *t = o->at[k];

        t->end = now, t->end_kind = o->culprit->end_kind, t->fault = o->culprit->fault;
        close_tenant(o, t);
    }
    watch_end(&o->watch);
    timing_start_anew(o->d);
    o->n_aborted = o->n;
    o->n = 0;
}

bool device_next_aborted(struct device *d)
{
    struct overlap *o = d->overlap;
    u32 k = 0;

    if (o->n_aborted > 1 && o->at[0] == o->culprit)
        k = 1;
    struct tenant *t = o->at[k];

    o->n_aborted--;
    memmove(&o->at[k], &o->at[k + 1], (o->n_aborted - k) * sizeof o->at[0]);
    publish(d, t);
    free_tenant(t);
    return o->n_aborted > 0;
}

/* ---- going on */

static bool advance(struct overlap *o, u64 until, struct device_launch **ended, struct err *e)
{
    struct machine *m = o->d->machine;

    for (;;) {
        struct tenant *t = find_ended(o);

        o->d->time_ps = ps_of(o, m->now);
        if (t) {
            *ended = t->launch;
            end_tenant(o, t);
            return true;
        }
        if (m->now >= until)
            return true;
        if (!jump(o, until))
            return deadlock(o, e, 0);
        timing_window(m);
        if (!edge(o, e))
            return false;
    }
}

bool device_advance(struct device *d, u64 until_ps, struct device_launch **ended, struct err *e)
{
    struct overlap *o = d->overlap;
    double cpu = run_cpu_seconds();

    *ended = NULL;
    bool ok = advance(o, until_ps == UINT64_MAX ? UINT64_MAX : cycle_of(o, until_ps), ended, e);

    if (!ok)
        abort_all(o);
    d->cpu_seconds += run_cpu_seconds() - cpu;
    return ok;
}

void overlap_free(struct overlap *o)
{
    if (!o)
        return;
    for (u32 k = 0; k < o->n; k++)
        free_tenant(o->at[k]);
    free(o->host), free(o->x), free(o->sm);
    free(o);
}
