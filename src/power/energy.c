/* energy.c -- see energy.h */
#include "power/energy.h"

#include <math.h>
#include <string.h>

#include "ptx/ptx_conf.h"
#include "sm/residency.h"

#define SHEET power
#define SHEET_DEF "power/power.def"
#define SHEET_DOC "energy of events, leakage and area of components"
#define power_stat sm_stat /* it has none */
#include "base/sheet_table.inc"
#undef power_stat

enum { PER_SM, PER_PIPE = PER_SM, PER_RARE_PIPE = PER_SM, PER_CHIP, PER_PORT = PER_CHIP };

/* Two more places to book to, shared out to the clusters afterwards. */
enum { COMP_sp_int = N_COMPONENT, COMP_sp_fp, N_BOOK };

static double exact(double joules)
{
    return ldexp(nearbyint(ldexp(joules, 44)), -44);
}

/* ---- dynamic */

static void book_events(double *joules, const struct power_conf *p, const struct energy_input *i)
{
    double v = p->vdd_mv / p->vdd_ref_mv, scale = v * v * 1e-12;

#define EVENT(name, component, count, pj, doc)                                                     \
    joules[COMP_##component] += (double)(count) * (p->e_##name * scale);
#include "power/event.def"
}

/*
 * Lanes that are off in an operation take a share of its energy.
 *
 * LANES(kind, event, share, component): power.e_EVENT, power.SHARE.
 */
#define LANE_EVENTS(LANES)                                                                         \
    LANES(other, int_other, lane_off, sp_int)                                                      \
    LANES(fother, fp_other, lane_off, sp_fp)                                                       \
    LANES(iadd, int_add, lane_off, sp_int)                                                         \
    LANES(imul, int_mul, lane_off, sfu)                                                            \
    LANES(imul24, int_mul24, lane_off, sfu)                                                        \
    LANES(imul32, int_mul, lane_off_sfu, sfu)                                                      \
    LANES(idiv, int_div, lane_off_sfu, sfu)                                                        \
    LANES(fadd, fp_add, lane_off, sp_fp)                                                           \
    LANES(fp, fp_fma, lane_off, sp_fp)                                                             \
    LANES(fmul, fp_mul, lane_off, sp_fp)                                                           \
    LANES(fdiv, fp_div, lane_off_sfu, sp_fp)                                                       \
    LANES(sqrt, sqrt, lane_off_sfu, sfu)                                                           \
    LANES(log, log, lane_off_sfu, sfu)                                                             \
    LANES(sin, sin, lane_off_sfu, sfu)                                                             \
    LANES(exp, exp, lane_off_sfu, sfu)                                                             \
    LANES(dp, dp_add, lane_off, dp)                                                                \
    LANES(dmul, dp_mul, lane_off, dp)                                                              \
    LANES(ddiv, dp_div, lane_off_sfu, dp)                                                          \
    LANES(shfl, shfl, lane_off, sp_int)

static void book_lanes_off(double *joules, const struct power_conf *p, const struct ops_stat *o)
{
    double v = p->vdd_mv / p->vdd_ref_mv, scale = v * v * 1e-12;

#define LANES(kind, event, share, component)                                                       \
    joules[COMP_##component] += (double)o->off_##kind * (p->share * (p->e_##event * scale));
    LANE_EVENTS(LANES)
#undef LANES
}

static double share_of(u64 part, u64 whole)
{
    return whole ? (double)part / (double)whole : 0.5;
}

static void split_clusters(double *joules, const struct sm_stat *st)
{
    double a = share_of(st->sp0_int_lanes, st->sp0_int_lanes + st->sp1_int_lanes);
    double b = share_of(st->sp0_fp_lanes, st->sp0_fp_lanes + st->sp1_fp_lanes);

    joules[COMP_sp0_int] = joules[COMP_sp_int] * a;
    joules[COMP_sp1_int] = joules[COMP_sp_int] * (1 - a);
    joules[COMP_sp0_fp] = joules[COMP_sp_fp] * b;
    joules[COMP_sp1_fp] = joules[COMP_sp_fp] * (1 - b);
}

/* What a front end would have used, for instructions that follow another SM's. */
static double front_pipe(const struct power_conf *p, const struct energy_input *i)
{
    double v = p->vdd_mv / p->vdd_ref_mv, scale = v * v * 1e-12;

    return (double)i->sm->followed * p->pipe_front_share * (p->e_pipe_inst * scale);
}

static void add_dynamic(struct energy *e, const struct power_conf *p, const struct energy_input *i)
{
    double joules[N_BOOK] = {0};

    book_events(joules, p, i);
    book_lanes_off(joules, p, i->ops);
    joules[COMP_pipeline] -= front_pipe(p, i);
    split_clusters(joules, i->sm);
    for (u32 c = 0; c < N_COMPONENT; c++)
        e->part[c].dynamic_j = exact(joules[c]);
    e->no_front_j = exact(front_pipe(p, i) * (1 - p->pipe_front_share));
}

/* What the units of each kind of operation took; memory is booked to its components. */
static void add_kinds(struct energy *e, const struct power_conf *p, const struct energy_input *i)
{
    double v = p->vdd_mv / p->vdd_ref_mv, scale = v * v * 1e-12;
    const struct ops_stat *o = i->ops;

#define LANES(kind, event, share, component)                                                       \
    e->kind_j[KIND_##kind] =                                                                       \
        exact(((double)o->kind + p->share * (double)o->off_##kind) * (p->e_##event * scale));
    LANE_EVENTS(LANES)
#undef LANES
}

/* ---- static, gating, base */

struct gated {            /* of a component that can be off, all SMs together */
    u64 off_cycles, cost; /* of parts */
    double parts;         /* of one */
};

#define GATE_CHIP(name) ((struct gated){0, 0, 1})
#define GATE_SM(name)                                                                              \
    ((struct gated){i->sm->name##_off, i->sm->name##_gating,                                       \
                    (double)residency_parts(i->machine, COMP_##name)})
#define GATE_PIPE GATE_SM
#define GATE_RARE_PIPE GATE_SM
#define GATE_PORT(name)                                                                            \
    ((struct gated){i->sm->name##_off, i->sm->name##_gating,                                       \
                    (double)(residency_parts(i->machine, COMP_##name) * i->n_port)})

/*
 * A component leaks while the chip is on; cycles of all its instances, less those that are gated.
 */
static void leak(struct energy_part *e, u32 per, double milliwatts, struct gated g,
                 const struct power_conf *p, const struct energy_input *i)
{
    double hz = (double)i->core_mhz * 1e6;
    double watts = milliwatts * 1e-3 * p->leak_scale * (p->vdd_mv / p->vdd_ref_mv);
    double cycles = (double)i->cycles * (per == PER_SM ? (double)i->n_sm : 1);

    e->static_j = exact(watts * (cycles - (double)g.off_cycles / g.parts) / hz);
    e->gating_j = exact(watts * (double)g.cost / g.parts / hz);
}

static void add_static(struct energy *e, const struct power_conf *p, const struct energy_input *i)
{
#define COMPONENT(name, per, doc)                                                                  \
    leak(&e->part[COMP_##name], PER_##per, p->leak_##name, GATE_##per(name), p, i);
#include "sm/component.def"
}

/* What mechanisms say of themselves, beside power.leak_mechanism. */
static void add_mechanisms(struct energy *e, const struct power_conf *p,
                           const struct energy_input *i)
{
    struct energy_part *part = &e->part[COMP_mechanism];
    double hz = (double)i->core_mhz * 1e6, all = (double)i->cycles * (double)i->n_sm;
    double v = p->vdd_mv / p->vdd_ref_mv, scale = v * v * 1e-12;

    part->dynamic_j += exact(i->mech_dynamic_w * (double)i->sm->busy_cycles / hz);
    part->static_j += exact(i->mech_static_w * all / hz);
    for (u32 c = 0; c < N_COMPONENT; c++)
        e->part[c].dynamic_j += exact(i->mech_pj[c] * scale);
}

static void add_base(struct energy *e, const struct power_conf *p, const struct energy_input *i)
{
    u64 waiting = i->sm->sm_cycles - i->sm->busy_cycles - i->sm->off_cycles;
    double idle = (double)waiting / ((double)i->core_mhz * 1e6);

    e->part[COMP_idle_sm].base_j = exact(p->idle_sm * idle);
    e->part[COMP_constant].base_j = exact(p->constant * e->seconds);
    e->part[COMP_mc].base_j = exact(p->mc_base * e->seconds);
}

void energy_compute(struct energy *e, const struct power_conf *p, const struct energy_input *i)
{
    memset(e, 0, sizeof *e);
    e->seconds = (double)i->cycles / ((double)i->core_mhz * 1e6);
    add_dynamic(e, p, i);
    add_kinds(e, p, i);
    add_static(e, p, i);
    add_mechanisms(e, p, i);
    add_base(e, p, i);
}

/* ---- sums */

double energy_total(const struct energy *e)
{
    double sum = 0;

    for (u32 c = 0; c < N_COMPONENT; c++)
        sum += e->part[c].dynamic_j + e->part[c].static_j + e->part[c].gating_j + e->part[c].base_j;
    return sum;
}

double energy_noleak(const struct energy *e)
{
    double sum = 0;

    for (u32 c = 0; c < N_COMPONENT; c++)
        sum += e->part[c].dynamic_j + e->part[c].base_j;
    return sum;
}

/*
 * The front end as the `buddy` paper draws it: up to the scheduler, and its part of the pipeline.  An
 * instruction that follows another SM's has gone through the other part alone.
 */
static double front_dynamic(const struct energy *e, const struct power_conf *p)
{
    double front = e->part[COMP_pipeline].dynamic_j * p->pipe_front_share;

    for (u32 c = COMP_icache; c <= COMP_simt_stack; c++)
        front += e->part[c].dynamic_j;
    return front - e->no_front_j;
}

double energy_front(const struct energy *e, const struct power_conf *p)
{
    double front = front_dynamic(e, p);

    front +=
        (e->part[COMP_pipeline].static_j + e->part[COMP_pipeline].gating_j) * p->pipe_front_share;
    for (u32 c = COMP_icache; c <= COMP_simt_stack; c++)
        front += e->part[c].static_j + e->part[c].gating_j;
    return front;
}

double energy_front_share(const struct energy *e, const struct power_conf *p)
{
    double front = front_dynamic(e, p), all = 0;

    for (u32 c = 0; c < N_COMPONENT; c++)
        all += e->part[c].dynamic_j;
    return all > 0 ? front / all : 0;
}

double area_of(const struct power_conf *p, enum component want, u64 n_sm)
{
#define COMPONENT(name, per, doc)                                                                  \
    if (want == COMP_##name)                                                                       \
        return p->area_##name * (PER_##per == PER_SM ? (double)n_sm : 1);
#include "sm/component.def"
    return 0;
}

double area_total(const struct power_conf *p, u64 n_sm)
{
    double sum = 0;

    for (u32 c = 0; c < N_COMPONENT; c++)
        sum += area_of(p, (enum component)c, n_sm);
    return sum;
}
