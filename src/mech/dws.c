/*
 * dws.c -- dynamic warp subdivision: lanes of a warp that go different ways, or whose data come at
 * different times, are scheduled as warps of their own until they meet again.
 *
 * "Dynamic Warp Subdivision for Integrated Branch and Memory Divergence Tolerance" (J. Meng, D. Tarjan,
 * K. Skadron, ISCA 2010).  Here as the comparison of AMOEBA's section 5.4.  What a part is, and how it
 * goes home, is in sm/front/parts.h; this file says when a warp is cut.
 */
#include "mech/mech.h"

#include "sm/front/depend.h"
#include "sm/front/parts.h"
#include "sm/front/sched.h"

#define SHEET_DEF "mech/dws.def"
struct dws_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/dws.def"
struct dws_stat {
#include "base/sheet_stats.inc"
};

#define SHEET dws
#define SHEET_DEF "mech/dws.def"
#define SHEET_DOC "dynamic warp subdivision"
extern const struct sheet dws_sheet;
#include "base/sheet_table.inc"

enum { AT_BRANCH, AT_MEMORY, AT_BOTH };
enum { LAZY, AGGRESSIVE };

struct dws { /* of one SM */
    struct dws_conf conf;
    struct dws_stat st;
    struct part_stat before; /* of the front end, when the launch began */
};

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct dws *d = self;

    (void)arg;
    d->before = sm->front->parts.stat;
    sm->mu->keep_lanes |= d->conf.when != AT_BRANCH;
    parts_allow(sm->front,
                &(struct part_terms){.max = (u32)d->conf.slots, .by_pc = d->conf.reunite});
}

static void on_kernel_end(void *self, struct sm *sm, u32 arg)
{
    struct dws *d = self;

    (void)arg;
    d->st.home += sm->front->parts.stat.home - d->before.home;
    d->st.gathered += sm->front->parts.stat.gathered - d->before.gathered;
}

/* The sides of the branch are the top of the stack and the entry below it. */
static void on_branch(void *self, struct sm *sm, u32 slot)
{
    struct dws *d = self;
    struct front *fe = sm->front;
    const struct warp *w = fe->ctx[slot].w;

    if (d->conf.when == AT_MEMORY || w->depth < 2)
        return;
    const struct simt *top = &w->stack[w->depth - 1];

    if (popc_words(top[0].mask, w->n_word) < d->conf.least ||
        popc_words(top[-1].mask, w->n_word) < d->conf.least || top[-1].pc == top[0].rpc ||
        !parts_possible(fe, slot))
        return;
    if (!parts_have_room(fe, slot))
        d->st.no_slot++;
    else if (parts_side(fe, slot) != NO_PART)
        d->st.branch_splits++;
}

/* Could another warp of its scheduler issue?  As of now: what it last looked at may be over. */
static bool has_others(struct front *fe, const struct wctx *c)
{
    struct sched *s = sched_of(fe, c);

    if (s->dirty)
        issue_look(fe, s);
    return s->valid & ~sched_blocked(s) & ~pos_bit(c);
}

/* Lanes of the running path that have all they have asked for with this load. */
static bool find_fast(const struct dws *d, const struct warp *w, const struct memop *op, u32 *fast)
{
    const struct simt *top = &w->stack[w->depth - 1];
    u32 n_fast = 0, n_slow = 0;

    for (u32 k = 0; k < MAX_WORDS; k++) {
        fast[k] = top->mask[k] & ~op->slow[k];
        n_fast += popc_32(fast[k]), n_slow += popc_32(top->mask[k] & op->slow[k]);
    }
    return n_fast >= d->conf.least && n_slow >= d->conf.least;
}

static void on_load_part(void *self, struct sm *sm, u32 slot)
{
    struct dws *d = self;
    const struct memop *op = sm->mu->load_part;
    struct front *fe = op->fe;
    const struct wctx *c = &fe->ctx[slot];
    u32 fast[MAX_WORDS];

    if (d->conf.when == AT_BRANCH || c->gone || c->ended || !c->w->depth || op->lead ||
        (d->conf.memory == LAZY && has_others(fe, c)) || !find_fast(d, c->w, op, fast) ||
        !parts_possible(fe, slot) || parts_would_wait(fe, slot))
        return;
    if (!parts_have_room(fe, slot)) {
        d->st.no_slot++;
        return;
    }
    parts_cut(fe, slot, fast, op->u, op->tag);
    d->st.memory_splits++;
}

const struct mech mech_dws = {
    .name = "dws",
    .doc = "dynamic warp subdivision at branches and at loads",
    .sheet = &dws_sheet,
    .size = sizeof(struct dws),
    .conf = offsetof(struct dws, conf),
    .stat = offsetof(struct dws, st),
    .conf_size = sizeof(struct dws_conf),
    .stat_size = sizeof(struct dws_stat),
    .apart = true, /* parts of warps have the contexts that the launch leaves free */
    .one_path = true,
    .excludes = "amoeba,buddy,socgpu",
    .why_not = "parts of a warp have a scoreboard each, follow nobody in lock step, and are not "
               "moved to another SM",
    .on_kernel_begin = on_kernel_begin,
    .on_kernel_end = on_kernel_end,
    .on_branch = on_branch,
    .on_load_part = on_load_part,
};
