/*
 * energy.h -- joules from counters: events times their energy, leakage times time, base power.
 *
 * A pure function of the counters of some span of time: a sample, a launch, a run.  So it costs
 * nothing while the simulation runs, and intervals add up (the two SP clusters together: they share
 * by lanes).  Per component there are four parts:
 *
 *     dynamic   events x power.e_* x (vdd / vdd_ref)^2, those of mechanisms likewise
 *     static    power.leak_* x instances x time x vdd / vdd_ref x leak_scale, without the time that
 *               parts are off
 *     gating    leakage of a part x the cycles that switching it off cost, as the mechanism says
 *     base      power that is there whatever happens: idle SMs, the board, memory controllers
 *
 * Energies are multiples of 2^-44 J, so that up to 512 J they add up exactly in any order.
 */
#ifndef POWER_ENERGY_H
#define POWER_ENERGY_H

#include "base/sheet.h"
#include "mem/cache.h"
#include "mem/dram.h"
#include "mem/noc.h"
#include "sm/component.h"
#include "sm/sm_conf.h"

#define SHEET_DEF "power/power.def"
struct power_conf {
#include "base/sheet_fields.inc"
};
extern const struct sheet power_sheet;

struct energy_input { /* counters of the span, and the machine */
    const struct ptx_stat *ptx;
    const struct sm_stat *sm;
    const struct ops_stat *ops;
    const struct cache_stat *l1i, *l1d, *l1c, *l1t, *l2;
    const struct dram_stat *dram;
    const struct noc_stat *request, *reply;
    const struct sm_conf *machine;
    u64 cycles, core_mhz, n_sm;
    u64 n_port;                           /* of the network: SMs and slices of L2 */
    double mech_dynamic_w, mech_static_w; /* of mechanisms, an SM: while it has a warp; always */
    double mech_pj[N_COMPONENT];          /* events of mechanisms times their energy, at vdd_ref */
};

struct energy {
    struct energy_part {
        double dynamic_j, static_j, gating_j, base_j;
    } part[N_COMPONENT];
    double kind_j[N_OP_KIND]; /* dynamic energy of the units, by kind of operation */
    double no_front_j;        /* of the pipeline's front part that energy_front has to leave out */
    double seconds;
};

void energy_compute(struct energy *e, const struct power_conf *p, const struct energy_input *i);

double energy_total(const struct energy *e);
double energy_noleak(const struct energy *e); /* dynamic and base */
double energy_front_share(const struct energy *e, const struct power_conf *p); /* of dynamic */
double energy_front(const struct energy *e, const struct power_conf *p);       /* with leakage */

/* mm2 of a component of the whole chip, and of all. */
double area_of(const struct power_conf *p, enum component c, u64 n_sm);
double area_total(const struct power_conf *p, u64 n_sm);

#endif
