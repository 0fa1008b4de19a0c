/* overlap.c -- see overlap.h */
#include "gpu/overlap.h"

#include <string.h>

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
