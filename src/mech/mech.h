/*
 * mech.h -- a mechanism: one file that watches and steers the baseline.
 *
 * It watches through hooks (hook.h) and steers through data that the baseline reads anyway (unit_off of a
 * datapath, the policy of a scheduler, the binding of organs).  Its state is per SM, zeroed when it is attached;
 * its keys are the same for all SMs; its counters are summed.  Several mechanisms can be attached at
 * once: each hook calls them in the order in which they were named.
 *
 *     smelt run -m noop:timer=50 -m gates ..
 *
 * Timers: sm_timer(sm, self->timer0 + k, ..) with k below MECH_TIMERS comes back as hook `timer` with
 * that number; all mechanisms hear it, so each looks whether it is one of its own.
 *
 * Energy: what it switches off is in the SM's account (sm_switch, residency_set); what it adds are area, power, and
 * events of its own: a counter of its sheet times pJ, booked to a component.
 *
 * A mechanism that sees several SMs acts in the hook `edge`, when all groups stand still.
 */
#ifndef MECH_MECH_H
#define MECH_MECH_H

#include "base/base.h"
#include "base/err.h"
#include "base/sheet.h"
#include "mech/charge.h"
#include "mech/hook.h"
#include "mem/cache.h"
#include "mem/dram.h"
#include "mem/mem_conf.h"
#include "mem/noc.h"
#include "power/component.h"
#include "sm/sm.h"

enum { MECH_TIMERS = N_TIMER / MAX_MECHS };

struct mech_gpu { /* what it is to work on */
    const struct sm_conf *sm;
    const struct op_conf *op;
    const struct cache_conf *l1i, *l1d, *l1c, *l1t, *l2;
    const struct noc_conf *noc;
    const struct mem_conf *mem;
    const struct dram_conf *dram;
    u32 n_sm;
    u64 core_mhz;
};

struct mech_event { /* something that costs energy each time it happens */
    size_t stat;    /* where its counter is in the mechanism's */
    enum component component;
    double pj; /* at power.vdd_ref_mv, as those of power/event.def */
};

struct mech {
    const char *name, *doc;
    const struct sheet *sheet; /* its keys and counters */
    size_t size, conf, stat;   /* state of an SM; where keys and counters are in it */
    size_t conf_size, stat_size;
    size_t timer0;        /* a u32 in the state: the first of its MECH_TIMERS timers */
    const char *excludes; /* mechanisms it cannot be combined with, comma separated, or NULL */
    const char *why_not;  /* the reason */
    /* what it adds to an SM, as its paper computes it; or NULL */
    double (*area_mm2)(const void *conf);
    void (*power)(const void *conf, double *dynamic_w, double *static_w);  /* adds to both */
    u32 (*events)(const void *conf, struct mech_event event[MECH_EVENTS]); /* how many there are */
    /* Can it work on this GPU?  NULL: on all. */
    bool (*fits)(const void *conf, const struct mech_gpu *gpu, struct err *e);
#define H(name) void (*on_##name)(void *self, struct sm *sm, u32 arg);
    HOOKS(H)
#undef H
};

const struct mech *mech_find(const char *name, struct err *e);
const struct mech *const *mech_list(u32 *n);

/* The mechanisms of one device. */
struct mech_set {
    u32 n;
    struct mech_use {
        const struct mech *m;
        void *conf; /* its keys */
        char *text; /* as it was asked for */
        u8 *state;  /* n_sm of m->size */
    } at[MAX_MECHS];
    u32 n_sm;
};

/* "NAME" or "NAME:key=value,key=value"; refused with a reason if it does not go with the others. */
bool mech_add(struct mech_set *s, const char *text, struct err *e);
bool mech_fit(const struct mech_set *s, const struct mech_gpu *gpu, struct err *e); /* all? */
void mech_free(struct mech_set *s);

void mech_attach(struct mech_set *s, struct sm *sm, u32 n_sm); /* n_sm equal SMs, from sm on */

/* Counters of mechanism i, summed over SMs, added to `stat`. */
void mech_count(const struct mech_set *s, u32 i, void *stat);

/* Adds how often the events happened. */
void mech_count_charged(const struct mech_set *s, struct mech_charged *c);

#endif
