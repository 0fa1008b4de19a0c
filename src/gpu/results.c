/* results.c -- what a timed launch leaves: its result, in the sums; and how long the host took */
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "gpu/joules.h"
#include "gpu/tenant.h"

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
