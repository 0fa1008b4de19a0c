/*
 * noop.c -- a mechanism that listens to every hook and changes nothing.
 *
 * For tests: results with it are those without it.  And the shortest example of a mechanism.  With
 * `off` it says of a component that it is off after each CTA, though the SM goes on using it, and
 * with `issue_pj` it charges energy: then residency and joules differ, and nothing else.  With `model`
 * it reads a file, as predictors of other mechanisms do.
 */
#include <stdlib.h>

#include "base/conf_dir.h"
#include "base/logistic.h"
#include "mech/mech.h"

#define SHEET_DEF "mech/noop.def"
struct noop_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/noop.def"
struct noop_stat {
#include "base/sheet_stats.inc"
};

#define SHEET noop
#define SHEET_DEF "mech/noop.def"
#define SHEET_DOC "listens to every hook and changes nothing"
extern const struct sheet noop_sheet;
#include "base/sheet_table.inc"

struct noop { /* of one SM */
    struct noop_conf conf;
    struct noop_stat st;
    u32 timer0;
    bool armed;
    enum component off; /* N_COMPONENT: none */
    u32 parts;          /* of it, that are switched */
    enum power power;
};

enum { TIMER_TICK, TIMER_POWER }; /* from timer0 on */

struct noop_place { /* of a partition, of the chip */
    struct noop_conf conf;
    struct noop_stat st;
};

#define COUNTS(hook)                                                                               \
    static void on_##hook(void *self, struct sm *sm, u32 arg)                                      \
    {                                                                                              \
        (void)sm, (void)arg;                                                                       \
        ((struct noop *)self)->st.hook++;                                                          \
    }

COUNTS(kernel_end)
COUNTS(warp_begin)
COUNTS(warp_end)
COUNTS(issue)
COUNTS(branch)
COUNTS(execute)
COUNTS(unit_wanted)
COUNTS(subset)
COUNTS(load_done)
COUNTS(load_part)
COUNTS(unlocking)
COUNTS(unlocked)
COUNTS(relocked)

static void arm_tick(struct noop *n, struct sm *sm)
{
    if (!n->conf.timer || n->armed || !sm->front->n_cta)
        return;
    n->armed = true;
    sm_timer(sm, n->timer0 + TIMER_TICK, sm->now, n->conf.timer);
}

static void on_cta_begin(void *self, struct sm *sm, u32 slot)
{
    struct noop *n = self;

    (void)slot;
    n->st.cta_begin++;
    arm_tick(n, sm);
}

/* ---- residency */

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct noop *n = self;
    struct err e;

    (void)arg;
    n->st.kernel_begin++;
    sm->mu->keep_lanes = true;
    n->off = n->conf.off[0] ? component_find(n->conf.off, &e) : N_COMPONENT;
    if (n->off != N_COMPONENT)
        n->parts = min_u32((u32)n->conf.off_parts, sm->residency.whole[n->off]);
}

/* `power` from cycle `now` on, and for `cycles`. */
static void enter_power(struct noop *n, struct sm *sm, enum power power, u64 now, u64 cycles)
{
    n->power = power;
    residency_set(&sm->residency, n->off, power == POWER_OFF ? n->parts : 0,
                  power == POWER_WAKING ? n->parts : 0,
                  power == POWER_OFF ? n->conf.off_cost * n->parts : 0, now);
    if (power != POWER_ON)
        sm_timer(sm, n->timer0 + TIMER_POWER, sm->now, now - sm->now + cycles);
}

/* This cycle was still the CTA's. */
static void on_cta_end(void *self, struct sm *sm, u32 slot)
{
    struct noop *n = self;

    (void)slot;
    n->st.cta_end++;
    if (n->off != N_COMPONENT && n->power == POWER_ON)
        enter_power(n, sm, POWER_OFF, sm->now + 1, n->conf.off_cycles);
}

static void on_power_timer(struct noop *n, struct sm *sm)
{
    if (n->power == POWER_OFF && n->conf.off_waking)
        enter_power(n, sm, POWER_WAKING, sm->now, n->conf.off_waking);
    else
        enter_power(n, sm, POWER_ON, sm->now, 0);
}

/* ---- other events */

static void on_timer(void *self, struct sm *sm, u32 timer)
{
    struct noop *n = self;

    if (timer == n->timer0 + TIMER_POWER)
        on_power_timer(n, sm);
    if (timer != n->timer0 + TIMER_TICK)
        return;
    n->armed = false;
    n->st.timers++;
    arm_tick(n, sm);
}

#define COUNTS_CACHE(hook)                                                                         \
    static void on_l1_##hook(void *self, struct cache_event *ev)                                   \
    {                                                                                              \
        ((struct noop *)self)->st.l1_##hook += !ev->no_way;                                        \
    }                                                                                              \
    static void on_l2_##hook(void *self, struct cache_event *ev)                                   \
    {                                                                                              \
        ((struct noop_place *)self)->st.l2_##hook += !ev->no_way;                                  \
    }

COUNTS_CACHE(access)
COUNTS_CACHE(miss)
COUNTS_CACHE(fill)
COUNTS_CACHE(evict)

static void on_l1_route(void *self, struct cache_event *ev)
{
    (void)ev;
    ((struct noop *)self)->st.l1_route++;
}

static void on_partition_begin(void *self, struct partition *p)
{
    (void)p;
    ((struct noop_place *)self)->st.partition_begin++;
}

static void on_chip_begin(void *self, const struct mech_chip *c)
{
    (void)c;
    ((struct noop_place *)self)->st.chip_begin++;
}

/* Windows are how the simulator proceeds, no event of the machine: not counted. */
static void on_edge(void *self, struct sm *sm, u32 arg)
{
    (void)self, (void)sm, (void)arg;
}

static u32 events(const void *conf, const struct mech_cost_of *of,
                  struct mech_event event[MECH_EVENTS])
{
    const struct noop_conf *c = conf;
    struct err e;

    (void)of;
    event[0] = (struct mech_event){offsetof(struct noop_stat, issue),
                                   component_find(c->issue_to, &e), c->issue_pj};
    return 1;
}

static bool load_model(void *conf, struct err *e)
{
    const char *name = ((const struct noop_conf *)conf)->model;
    char *path = name[0] ? conf_dir_find("predictor", "predictor", name, e) : NULL;
    struct logistic m;
    bool ok = path && logistic_read(&m, path, e);

    if (ok)
        logistic_free(&m);
    free(path);
    return ok || !name[0] || err_at(e, "noop.model");
}

static bool components_fit(const void *conf, const struct mech_gpu *gpu, struct err *e)
{
    const struct noop_conf *c = conf;

    if (component_find(c->issue_to, e) == N_COMPONENT)
        return err_at(e, "noop.issue_to");
    if (!c->off[0])
        return true;
    enum component off = component_find(c->off, e);

    if (off == N_COMPONENT)
        return err_at(e, "noop.off");
    if (off == COMP_noc && gpu->noc->kind == 0)
        return err_set(e, "noop.off: noc: with noc.kind=ideal an SM has no router");
    return component_is_of_sm(off) || err_set(e, "noop.off: %s is the chip's, not an SM's", c->off);
}

static void on_chip_edge(void *self, const struct mech_chip *c)
{
    (void)self, (void)c;
}

const struct mech mech_noop = {
    .name = "noop",
    .doc = "listens to every hook and changes nothing",
    .sheet = &noop_sheet,
    .size = sizeof(struct noop),
    .conf = offsetof(struct noop, conf),
    .stat = offsetof(struct noop, st),
    .conf_size = sizeof(struct noop_conf),
    .stat_size = sizeof(struct noop_stat),
    .timer0 = offsetof(struct noop, timer0),
    .events = events,
    .load = load_model,
    .fits = components_fit,
    .partition = {sizeof(struct noop_place), offsetof(struct noop_place, conf),
                  offsetof(struct noop_place, st)},
    .chip = {sizeof(struct noop_place), offsetof(struct noop_place, conf),
             offsetof(struct noop_place, st)},
    .on_kernel_begin = on_kernel_begin,
    .on_kernel_end = on_kernel_end,
    .on_cta_begin = on_cta_begin,
    .on_cta_end = on_cta_end,
    .on_warp_begin = on_warp_begin,
    .on_warp_end = on_warp_end,
    .on_issue = on_issue,
    .on_branch = on_branch,
    .on_execute = on_execute,
    .on_unit_wanted = on_unit_wanted,
    .on_subset = on_subset,
    .on_load_done = on_load_done,
    .on_load_part = on_load_part,
    .on_unlocking = on_unlocking,
    .on_unlocked = on_unlocked,
    .on_relocked = on_relocked,
    .on_timer = on_timer,
    .on_edge = on_edge,
    .on_l1_route = on_l1_route,
    .on_l1_access = on_l1_access,
    .on_l1_miss = on_l1_miss,
    .on_l1_fill = on_l1_fill,
    .on_l1_evict = on_l1_evict,
    .on_l2_access = on_l2_access,
    .on_l2_miss = on_l2_miss,
    .on_l2_fill = on_l2_fill,
    .on_l2_evict = on_l2_evict,
    .on_partition_begin = on_partition_begin,
    .on_chip_begin = on_chip_begin,
    .on_chip_edge = on_chip_edge,
};
