/* launch.c -- a launch that has the GPU for itself: its plan, and its run; see timing.h */
#include <string.h>

#include "gpu/tenant.h"
#include "mech/mech.h"
#include "sm/occupancy.h"

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

bool timing_run(struct device *d, struct device_launch *l, struct err *e)
{
    struct timing *g = timing_of(d);
    struct tenant *t;

    tenant_begin(g, l, true);
    bool ok = timing_advance(g, UINT64_MAX, &t, e);

    if (ok)
        tenant_end(g, t);
    else
        tenants_abort(g), t = g->culprit;
    d->time_ps = l->end_ps;
    tenant_publish(t);
    return ok;
}
