/* overlap.c -- see overlap.h */
#include "gpu/overlap.h"

#include <string.h>
#include <time.h>

#include "base/text.h"
#include "gpu/joules.h"
#include "gpu/tenant.h"
#include "mech/mech.h"

bool device_overlaps(const struct device *d)
{
    return d->conf.gpu.concurrent_kernels > 1 && d->machine && !mech_is_alone(d->mechs);
}

bool device_is_timed(const struct device_launch *l)
{
    return l->timed;
}

u32 device_in_flight(const struct device *d)
{
    return d->timing ? d->timing->n : 0;
}

u64 device_launch_end_ps(const struct device_launch *l)
{
    return l->end_ps;
}

/* ---- the host's time */

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double host_seconds(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double host_cpu_seconds(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- results */

static void book(struct device *d, struct launch_result *r)
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

void tenant_publish(struct tenant *t)
{
    const struct device_launch *l = t->launch;
    struct device *d = t->timing->d;
    struct launch_result *r = device_new_result(d, &l->l);

    r->ctas_per_sm = l->per_sm, r->limit = l->limit;
    r->end = t->end_kind, r->fault = t->fault;
    if (d->n_launch == 1)
        d->first_start = t->host_start;
    r->counters = xmalloc(sizeof *r->counters);
    *r->counters = t->c;
    r->samples.at = t->samples.at, r->samples.n = t->samples.n, r->samples.cap = t->samples.cap;
    memset(&t->samples, 0, sizeof t->samples);
    r->begin_ps = timing_ps(t->timing, t->start);
    r->time_ps = l->end_ps - r->begin_ps;
    r->stream = t->stream;
    book(d, r);
    d->last_end = host_seconds();
    device_add_result(d);
    tenant_free(t);
}

/* ---- launches in flight */

void device_begin(struct device *d, struct device_launch *l)
{
    tenant_begin(timing_of(d), l, false);
}

bool device_next_aborted(struct device *d)
{
    struct timing *g = d->timing;
    u32 k = g->n_aborted > 1 && g->at[0] == g->culprit;
    struct tenant *t = g->at[k];

    g->n_aborted--;
    memmove(&g->at[k], &g->at[k + 1], (g->n_aborted - k) * sizeof g->at[0]);
    tenant_publish(t);
    return g->n_aborted > 0;
}

static bool advance(struct timing *g, u64 until, struct device_launch **ended, struct err *e)
{
    struct tenant *t;

    if (!timing_advance(g, until, &t, e)) {
        tenants_abort(g);
        return false;
    }
    g->d->time_ps = timing_ps(g, g->d->machine->now);
    if (t) {
        *ended = t->launch;
        tenant_end(g, t);
        tenant_publish(t);
    }
    return true;
}

bool device_advance(struct device *d, u64 until_ps, struct device_launch **ended, struct err *e)
{
    struct timing *g = d->timing;
    double cpu = host_cpu_seconds();

    *ended = NULL;
    bool ok = advance(g, until_ps == UINT64_MAX ? UINT64_MAX : timing_cycle(g, until_ps), ended, e);

    d->cpu_seconds += host_cpu_seconds() - cpu;
    return ok;
}
