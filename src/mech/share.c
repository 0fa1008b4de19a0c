/*
 * share.c -- cross-core resource sharing (Dhar and Chen, "Efficient GPGPU Computing with Cross-Core
 * Resource Sharing and Core Reconfiguration").
 *
 * Before a launch SMs are taken in pairs (bal: trios) of neighbours.  The last of them is inactive: its
 * front end gets no CTAs, and the others, the active ones, have what it lends.
 *
 *     base        all SMs active, nothing is lent
 *     half        every second SM is off                                       section IV
 *     occ         contexts, registers, shared memory and L1D of the inactive   IV-A
 *     bal         the same, half of it to each of two active SMs               IV-B
 *     bigsm       warps of twice the width: the inactive SM's registers, collectors and pipelines
 *                 serve the upper half of each                                 IV-C
 *     bigsm_occ   and twice as many of them
 *
 * Where data cross to the neighbour a dummy stage makes all accesses equally long (V-A): to the
 * instruction buffers (V-B1), from the collectors to the pipelines but for bigsm, whose operands are
 * local (V-B2), to L1D and shared memory (V-B3).  Base goes around them.  One load/store unit, one
 * coalescer, one port to the network for each active SM.
 *
 * "Constrain warps with indices higher than that of the baseline to use registers from the inactive
 * SMs" (V-B2): contexts above sm.n_warp have their registers and collectors there, and only they.  A
 * CTA's contexts follow each other, so that where fewer than sm.n_warp fit an SM's registers it lies
 * wholly here or wholly there (place=cta), and CFD2 does not gain on bal (VI-C1).  But what V-B2 keeps
 * together is a warp's operands: with place=warp "that of the baseline" is how many fit, and CTAs go on
 * across the boundary.
 *
 * An inactive SM's units that are not lent are power gated (IV); the wiring leaks.  SMs that are left
 * over stay as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "mech/mech.h"
#include "sm/binding/bind.h"

#define SHEET_DEF "mech/share.def"
struct share_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/share.def"
struct share_stat {
#include "base/sheet_stats.inc"
};

#define SHEET share
#define SHEET_DEF "mech/share.def"
#define SHEET_DOC "cross-core resource sharing"
extern const struct sheet share_sheet;
#include "base/sheet_table.inc"

enum scheme { BASE, HALF, OCC, BAL, BIGSM, BIGSM_OCC, N_SCHEME };

static const char *const schemes[N_SCHEME] = {"base", "half", "occ", "bal", "bigsm", "bigsm_occ"};

/* A scheme for each kernel of a table; what is not in it has `scheme`. */
struct choice {
    char *kernel;
    enum scheme scheme;
};

struct share_keys {
    struct share_conf c;
    struct table {
        enum scheme other;
        VEC(struct choice) at;
    } * table; /* shared by all states */
};

struct share { /* of one SM */
    struct share_keys k;
    struct share_stat st;
    u32 timer0;
};

/* ---- which scheme */

static bool scheme_of(const char *name, enum scheme *scheme, struct err *e)
{
    for (u32 i = 0; i < N_SCHEME; i++)
        if (!strcmp(schemes[i], name)) {
            *scheme = (enum scheme)i;
            return true;
        }
    return err_no_such(e, name, schemes, N_SCHEME,
                       "there are base, half, occ, bal, bigsm, bigsm_occ and table:FILE",
                       "no scheme '%s'", name);
}

/* "KERNEL SCHEME", # comments; a kernel * stands for all others. */
static bool read_line(struct table *t, char *line, struct err *e)
{
    char *save = NULL, *kernel, *scheme, *more;
    enum scheme s = BASE;

    line[strcspn(line, "#")] = 0;
    kernel = strtok_r(line, " \t", &save);
    scheme = kernel ? strtok_r(NULL, " \t", &save) : NULL;
    more = scheme ? strtok_r(NULL, " \t", &save) : NULL;
    if (!kernel)
        return true;
    if (!scheme || more)
        return err_set(e, "'%s' is to be followed by its scheme, and by nothing else", kernel);
    if (!scheme_of(scheme, &s, e))
        return false;
    if (!strcmp(kernel, "*"))
        t->other = s;
    else
        *VEC_ADD(&t->at) = (struct choice){text_dup(kernel), s};
    return true;
}

static bool read_table(struct table *t, const char *path, struct err *e)
{
    char *text = text_read_file(path, NULL, e), *at = text;
    bool ok = text != NULL;

    for (u32 n = 1; ok && at && *at; n++) {
        char *end = strchr(at, '\n');

        if (end)
            *end = 0;
        if (!read_line(t, at, e))
            ok = err_at(e, "%s:%u", path, n);
        at = end ? end + 1 : NULL;
    }
    free(text);
    return ok;
}

static bool load_scheme(void *conf, struct err *e)
{
    struct share_keys *k = conf;
    const char *s = k->c.scheme;

    k->table = xcalloc(1, sizeof *k->table);
    return strncmp(s, "table:", 6) ? scheme_of(s, &k->table->other, e)
                                   : read_table(k->table, s + 6, e);
}

static void unload(void *conf)
{
    struct table *t = ((struct share_keys *)conf)->table;

    for (u32 i = 0; t && i < t->at.n; i++)
        free(t->at.at[i].kernel);
    if (t)
        VEC_FREE(&t->at);
    free(t);
}

/* A template's instances may be told apart by their arguments, or all be one. */
static bool is_kernel(const char *label, const char *name)
{
    size_t n = strcspn(label, "<(");

    return !strcmp(label, name) || (strlen(name) == n && !strncmp(label, name, n));
}

static enum scheme scheme_for(const struct share_keys *k, const char *kernel)
{
    for (u32 i = 0; i < k->table->at.n; i++)
        if (is_kernel(kernel, k->table->at.at[i].kernel))
            return k->table->at.at[i].scheme;
    return k->table->other;
}

static bool may_be(const struct table *t, enum scheme s)
{
    for (u32 i = 0; i < t->at.n; i++)
        if (t->at.at[i].scheme == s)
            return true;
    return t->other == s;
}

/* ---- can this GPU do it */

/* SMs that go together. */
static u32 size_of(enum scheme s)
{
    return s == BASE ? 1 : s == BAL ? 3 : 2;
}

static bool lends(enum scheme s)
{
    return s == OCC || s == BAL;
}

static bool is_wide(enum scheme s)
{
    return s == BIGSM || s == BIGSM_OCC;
}

static bool scheme_fits(enum scheme s, const struct mech_gpu *g, struct err *e)
{
    if (is_wide(s) && g->sm->thread_scheduling)
        return err_set(e, "%s: wide warps have one SIMT stack each (sm.thread_scheduling=stack)",
                       schemes[s]);
    return true;
}

static bool table_fits(const void *conf, const struct mech_gpu *gpu, struct err *e)
{
    const struct share_keys *k = conf;

    for (u32 s = 0; s < N_SCHEME; s++)
        if (may_be(k->table, (enum scheme)s) && !scheme_fits((enum scheme)s, gpu, e))
            return false;
    return true;
}

/*
 * "A hardware register informs the scheduler how many SMs are available" (V-B).  A program that wants
 * all its CTAs on the GPU at once, for a barrier over the whole grid, asks for them.
 */
static u32 active_sms(const void *conf, u32 n_sm)
{
    const struct share_keys *k = conf;
    u32 least = n_sm;

    for (u32 s = 0; s < N_SCHEME; s++) {
        u32 active = n_sm - (s == BASE ? 0 : n_sm / size_of((enum scheme)s));

        if (may_be(k->table, (enum scheme)s) && active < least)
            least = active;
    }
    return least;
}

/* ---- the plan */

static void be_late(const struct share_conf *c, enum scheme s, struct shape *of)
{
    of->late_decode = (u32)c->late_decode;
    of->late_l1 = (u32)c->late_l1, of->late_shared = (u32)c->late_shared;
    of->late_operands = lends(s) ? (u32)c->late_operands : 0;
}

/* Of an active SM: what it gets of n SMs' memories. */
static void borrow_memory(const struct share_conf *c, u32 among, struct shape *s)
{
    if (c->shared) {
        s->shared += s->shared / among;
        s->smem_banks += c->banks ? 0 : s->smem_banks / among;
    }
    s->l1d_ways += c->l1d ? s->l1d_ways / among : 0;
    s->l1d_mshrs += c->mshrs ? s->l1d_mshrs / among : 0;
}

static void borrow_contexts(const struct share_conf *c, u32 among, struct shape *s)
{
    if (!c->contexts)
        return;
    s->max_threads += s->max_threads / among;
    s->n_warp += s->n_warp / among;
    if (c->registers)
        s->lent_regs = s->regs / among, s->split_ctas = c->place;
    else
        s->own_warps = s->n_warp;
}

static void widen(const struct share_conf *c, enum scheme scheme, struct shape *s)
{
    s->warp_words *= 2, s->max_threads *= 2, s->regs *= 2;
    if (scheme == BIGSM_OCC && c->contexts)
        s->n_warp *= 2, s->max_threads *= 2, s->own_warps = s->n_warp;
}

static void plan_active(const struct share_conf *c, enum scheme scheme, struct shape *s)
{
    u32 among = size_of(scheme) - 1;

    if (scheme == HALF)
        return;
    borrow_memory(c, among, s);
    if (lends(scheme))
        borrow_contexts(c, among, s);
    else
        widen(c, scheme, s);
    s->max_cta = c->max_cta ? (u32)c->max_cta : s->max_cta;
}

/* What SM k of those that go together becomes. */
static void become(struct shape *of, u32 k, const struct share_conf *c, enum scheme s)
{
    u32 n = size_of(s);

    if (s != HALF)
        be_late(c, s, of);
    if (k + 1 < n) {
        plan_active(c, s, of);
        return;
    }
    of->on = false;
    of->parts = lends(s) ? n - 1 : 1;
}

static bool sharing_shape(const void *conf, u32 i, struct shape *of)
{
    const struct share_keys *k = conf;
    enum { MOST = 3 }; /* that go together */
    enum scheme s = i / MOST;

    if (i >= N_SCHEME * MOST)
        return false;
    if (s != BASE && may_be(k->table, s) && i % MOST < size_of(s))
        become(of, i % MOST, &k->c, s);
    return true;
}

static void plan_sharing(const void *conf, struct plan *p)
{
    const struct share_keys *k = conf;
    enum scheme scheme = scheme_for(k, p->l->func->label);
    u32 n = size_of(scheme);

    for (u32 i = 0; n > 1 && i + n <= p->n_sm; i += n) {
        if (scheme != HALF)
            plan_group(p, i, n);
        for (u32 m = 0; m < n; m++)
            become(&p->shape[i + m], m, &k->c, scheme);
    }
}

static void bind_sharing(void *self, struct group *g)
{
    const struct shape *s = &g->sm[0]->shape;

    (void)self;
    if (g->n == 1)
        return;
    if (s->lent_regs)
        bind_lend(g);
    else if (s->warp_words > s->dp_words)
        bind_wide(g);
}

/* ---- what is off */

static void gate(struct sm *sm, enum component c, bool off)
{
    residency_set(&sm->residency, c, off ? RESIDENCY_WHOLE : 0, 0, 0, sm->front->last);
}

static void gate_pipelines(struct sm *sm, bool off)
{
    for (u32 i = 0; i < (u32)sm->dp->conf->sub_cores; i++)
        for (u32 k = 0; k < sm->dp->sub[i].n_pipe; k++)
            pipe_switch(sm->dp, i * MAX_PIPES + k, off ? POWER_OFF : POWER_ON, 0);
}

/* Units of an SM that is not active; base: they are on again. */
static void gate_units(const struct share_conf *c, struct sm *sm, enum scheme s)
{
    bool off = s != BASE, shares = off && s != HALF;
    bool contexts = shares && c->contexts && s != BIGSM;
    bool registers = is_wide(s) || (lends(s) && c->registers && c->contexts);
    static const enum component front[] = {COMP_icache, COMP_fetch_decode, COMP_scoreboard,
                                           COMP_scheduler},
                                others[] = {COMP_lsu, COMP_const_cache, COMP_tex_cache};

    for (u32 i = 0; i < LEN(front); i++)
        gate(sm, front[i], off);
    for (u32 i = 0; i < LEN(others); i++)
        gate(sm, others[i], off);
    gate(sm, COMP_ibuffer, off && !contexts), gate(sm, COMP_simt_stack, off && !contexts);
    gate(sm, COMP_regfile, off && !registers), gate(sm, COMP_collector, off && !registers);
    gate(sm, COMP_l1_shared, off && !(shares && (c->shared || c->l1d)));
    gate(sm, COMP_pipeline, off && !is_wide(s));
    gate(sm, COMP_core_other, off && !c->undiff);
    gate_pipelines(sm, off && !is_wide(s));
}

static void count_scheme(struct share_stat *st, enum scheme s)
{
    u64 *const of[N_SCHEME] = {&st->base, &st->half,  &st->occ,
                               &st->bal,  &st->bigsm, &st->bigsm_occ};

    ++*of[s];
}

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct share *sh = self;
    enum scheme s = scheme_for(&sh->k, sm->front->x->launch->func->label);

    (void)arg;
    if (!sm->id)
        count_scheme(&sh->st, s);
    if (!sm->front->on)
        gate_units(&sh->k.c, sm, s);
    else if (sm->residency.dark)
        gate_units(&sh->k.c, sm, BASE);
}

/* ---- section VI-A; a machine that never shares has nothing of it */

static bool ever_shares(const void *conf)
{
    const struct table *t = ((const struct share_keys *)conf)->table;

    return t->at.n || t->other != BASE;
}

/* 4.71 mm2 of wiring a pair; issue unit and boundary buffers, 0.064 and 0.0887 um2, vanish beside it. */
static double wiring_mm2(const void *conf, const struct mech_cost_of *of)
{
    (void)of;
    return ever_shares(conf) ? 4.71 / 2 + (0.064 + 0.0887) * 1e-6 : 0;
}

/* Table III, additional wiring. */
static void wiring_power(const void *conf, const struct mech_cost_of *of, double *dynamic_w,
                         double *static_w)
{
    (void)of;
    (void)dynamic_w;
    *static_w += ever_shares(conf) ? 0.0385416 : 0;
}

const struct mech mech_share = {
    .name = "share",
    .doc = "cross-core sharing: SMs lend contexts, registers, memories or pipelines to neighbours",
    .sheet = &share_sheet,
    .size = sizeof(struct share),
    .conf = offsetof(struct share, k),
    .conf_size = sizeof(struct share_keys),
    .stat = offsetof(struct share, st),
    .stat_size = sizeof(struct share_stat),
    .alone = true,
    .timer0 = offsetof(struct share, timer0),
    .excludes = "bind",
    .why_not = "both bind SMs to each other",
    .area_mm2 = wiring_mm2,
    .power = wiring_power,
    .load = load_scheme,
    .unload = unload,
    .active_sms = active_sms,
    .fits = table_fits,
    .shape = sharing_shape,
    .on_plan = plan_sharing,
    .on_bind = bind_sharing,
    .on_kernel_begin = on_kernel_begin,
};
