/*
 * noop.c -- a mechanism that listens to every hook and changes nothing.
 *
 * For tests: results with it are those without it.  And the shortest example of a mechanism.
 */
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
};

#define COUNTS(hook)                                                                               \
    static void on_##hook(void *self, struct sm *sm, u32 arg)                                      \
    {                                                                                              \
        (void)sm, (void)arg;                                                                       \
        ((struct noop *)self)->st.hook++;                                                          \
    }

COUNTS(kernel_begin)
COUNTS(kernel_end)
COUNTS(cta_end)
COUNTS(warp_end)
COUNTS(issue)
COUNTS(branch)
COUNTS(execute)
COUNTS(unit_wanted)
COUNTS(subset)
COUNTS(load_done)

static void arm(struct noop *n, struct sm *sm)
{
    if (!n->conf.timer || n->armed || !sm->front->n_cta)
        return;
    n->armed = true;
    sm_timer(sm, n->timer0, sm->now, n->conf.timer);
}

static void on_cta_begin(void *self, struct sm *sm, u32 slot)
{
    struct noop *n = self;

    (void)slot;
    n->st.cta_begin++;
    arm(n, sm);
}

static void on_timer(void *self, struct sm *sm, u32 timer)
{
    struct noop *n = self;

    if (timer != n->timer0)
        return;
    n->armed = false;
    n->st.timers++;
    arm(n, sm);
}

/* Windows are how the simulator proceeds, no event of the machine: not counted. */
static void on_edge(void *self, struct sm *sm, u32 arg)
{
    (void)self, (void)sm, (void)arg;
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
    .on_kernel_begin = on_kernel_begin,
    .on_kernel_end = on_kernel_end,
    .on_cta_begin = on_cta_begin,
    .on_cta_end = on_cta_end,
    .on_warp_end = on_warp_end,
    .on_issue = on_issue,
    .on_branch = on_branch,
    .on_execute = on_execute,
    .on_unit_wanted = on_unit_wanted,
    .on_subset = on_subset,
    .on_load_done = on_load_done,
    .on_timer = on_timer,
    .on_edge = on_edge,
};
