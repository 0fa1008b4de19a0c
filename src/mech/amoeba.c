/*
 * amoeba.c -- AMOEBA: pairs of SMs fuse into one of twice the width, if a predictor says so, and split
 * again while warps diverge.
 *
 * "AMOEBA: A Coarse Grained Reconfigurable Architecture for Dynamic GPU Scaling" (X. Cheng, H. Zhao,
 * M. Kandemir, B. Jiang, G. Mehta).  Fused, the first SM's front end and scheduler drive both datapaths
 * with warps of 64 lanes; L1 caches have the ways of both and take a cycle more; there is one
 * coalescing unit and one router, the other's being bypassed.
 *
 * The controller samples the first CTAs of a launch (section 4.1), alone unless `sampling` says
 * otherwise: when `sample` of them have ended, or after `length` cycles, its metrics go into a logistic
 * model.  What happens then to CTAs that run in a pair that is to be fused is `after_sample`:
 *
 *     stay          they end first: the pair gets no others until it has drained; if the sampled ones run
 *                   alone, a pair that has one of them is not fused in this launch
 *     fuse_around   they are held for the time that what is under way and the fusing take, and go on in
 *                   the fused pair as they are (sm/front/carry.c), others beside them
 *     restart       the same, for all pairs together: "next, we reconfigure the SMs according to this
 *                   result and start executing the kernel".  What the sample has executed is not executed
 *                   again, but its cycles count
 */
#include "mech/amoeba.h"

#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "sm/binding/bind.h"
#include "sm/occupancy.h"

#define SHEET amoeba
#define SHEET_DEF "mech/amoeba.def"
#define SHEET_DOC "AMOEBA: SMs that fuse and split"
extern const struct sheet amoeba_sheet;
#include "base/sheet_table.inc"

/* ---- metrics */

#define METRICS(M)                                                                                 \
    M(ctas)                                                                                        \
    M(divergence)                                                                                  \
    M(coalescing)                                                                                  \
    M(l1d_miss)                                                                                    \
    M(l1i_miss)                                                                                    \
    M(l1c_miss)                                                                                    \
    M(mshr_merge)                                                                                  \
    M(loads)                                                                                       \
    M(stores)                                                                                      \
    M(noc)                                                                                         \
    M(noc_latency)

enum {
#define M(name) M_##name,
    METRICS(M)
#undef M
        N_METRIC
};

static const char *const metric[] = {
#define M(name) #name,
    METRICS(M)
#undef M
};

static bool load_predictor(void *conf, struct err *e)
{
    struct amoeba_keys *k = conf;

    if (k->c.mode == SCALE_UP)
        return true;
    return logistic_load(&k->model, k->c.predictor, metric, N_METRIC, e) ||
           err_at(e, "amoeba.predictor");
}

static void unload(void *conf)
{
    logistic_free(&((struct amoeba_keys *)conf)->model);
}

struct looked { /* up in one kind of caches */
    u64 access, miss, joined;
};

struct seen { /* counters of all SMs and of the network */
    u64 ctas, simt_lanes, simt_slots, accesses, mem_insts, loads, stores, issued;
    struct looked l1d, l1i, l1c;
    u64 packets, flits, latency;
};

enum { MAX_KERNELS = 256 };

enum phase { IDLE, SAMPLING, FUSING, DONE };

struct amoeba_chip {
    struct amoeba_keys keys;
    struct amoeba_stat st;
    enum phase phase;
    u64 begin;
    struct seen before;
    struct decided {           /* of a kernel */
        char kernel[HASH_HEX]; /* its name */
        bool fuse;
    } decided[MAX_KERNELS];
    u32 n_decided;
};

static void see_network(const struct noc *n, struct seen *s)
{
    struct noc_stat st = {0};

    noc_count(n, &st);
    s->packets += st.packets, s->flits += st.flits, s->latency += st.latency_cycles;
}

static void see_cache(const struct cache *c, struct looked *l)
{
    l->access += c->st.access, l->miss += c->st.miss, l->joined += c->st.pending_hit;
}

static void see(const struct mech_chip *c, struct seen *s)
{
    *s = (struct seen){0};
    for (u32 i = 0; i < c->n_sm; i++) {
        const struct sm *sm = &c->sm[i];

        s->ctas += sm->st.ctas;
        s->simt_lanes += sm->st.simt_lanes, s->simt_slots += sm->st.simt_slots;
        s->accesses += sm->st.mem_accesses, s->mem_insts += sm->st.load_store_insts;
        s->loads += sm->st.loads, s->stores += sm->st.stores;
        for (u32 k = 0; k < sm->front->n_sched; k++)
            s->issued += sm->front->sched[k].st.issued;
        see_cache(&sm->mu->l1d, &s->l1d);
        see_cache(&sm->front->own_l1i, &s->l1i);
        see_cache(&sm->mu->l1c, &s->l1c);
    }
    see_network(c->sm[0].mu->request, s);
    see_network(c->sm[0].mu->reply, s);
}

static const struct launch *launch_of(const struct mech_chip *c)
{
    return c->sm[0].front->x->launch;
}

static double rate(u64 a, u64 b)
{
    return b ? (double)a / (double)b : 0;
}

static double at_most(double a, double b)
{
    return a < b ? a : b;
}

/* Of an SM when all run, whether they do in the sample or not. */
static double concurrent_ctas(const struct mech_chip *c)
{
    return at_most(c->sm[0].front->n_slot, (double)launch_of(c)->ctas / c->n_sm);
}

static bool says_yes(const struct logistic *m)
{
    return m->term.n || m->constant > 0;
}

/* Do CTAs that are not sampled wait?  A model that says no to everything gives them no reason to. */
static bool alone(const struct amoeba_keys *k)
{
    return k->c.sampling == ALONE && says_yes(&k->model);
}

/* SMs that have CTAs in the sample. */
static double working(const struct amoeba_chip *a, const struct mech_chip *c)
{
    double n = at_most(c->n_sm, (double)launch_of(c)->ctas);

    return alone(&a->keys) ? at_most(n, (double)a->keys.c.sample) : n;
}

static void measure(const struct amoeba_chip *a, const struct mech_chip *c, double m[N_METRIC])
{
    struct seen s;
    const struct seen *b = &a->before;

    see(c, &s);
    m[M_ctas] = concurrent_ctas(c);
    m[M_divergence] = 1 - rate(s.simt_lanes - b->simt_lanes, s.simt_slots - b->simt_slots);
    m[M_coalescing] = rate(s.accesses - b->accesses, LANES * (s.mem_insts - b->mem_insts));
    m[M_l1d_miss] = rate(s.l1d.miss - b->l1d.miss, s.l1d.access - b->l1d.access);
    m[M_l1i_miss] = rate(s.l1i.miss - b->l1i.miss, s.l1i.access - b->l1i.access);
    m[M_l1c_miss] = rate(s.l1c.miss - b->l1c.miss, s.l1c.access - b->l1c.access);
    m[M_mshr_merge] =
        rate(s.l1d.joined - b->l1d.joined, s.l1d.joined - b->l1d.joined + s.l1d.miss - b->l1d.miss);
    m[M_loads] = rate(s.loads - b->loads, s.issued - b->issued);
    m[M_stores] = rate(s.stores - b->stores, s.issued - b->issued);
    m[M_noc] = rate(s.flits - b->flits, c->now - a->begin) / working(a, c);
    m[M_noc_latency] = rate(s.latency - b->latency, 100 * (s.packets - b->packets));
}

static void keep_metrics(struct amoeba_stat *st, const double m[N_METRIC])
{
#define M(name) st->m_##name += (u64)(1e6 * m[M_##name] + 0.5);
    METRICS(M)
#undef M
}

/* ---- fusing */

static struct amoeba *state_of(const struct mech_chip *c, u32 sm)
{
    return &((struct amoeba *)(void *)c->sm_state)[sm];
}

/* What the front end of a fused pair has; and the other SM of it. */
static void fuse_shapes(struct shape *s, struct shape *other, const struct amoeba_conf *c)
{
    other->on = false;
    s->warp_words *= 2, other->warp_words *= 2;
    s->max_threads *= 2, s->max_cta *= 2, s->regs *= 2;
    s->shared *= 2, s->smem_banks *= 2;
    s->l1d_ways *= 2, s->l1d_mshrs *= 2;
    s->l1i_by = s->l1c_by = s->l1t_by = 2;
    s->late_l1 = s->late_decode = (u32)c->late;
    if (c->joined == JOINED_WAYS)
        return;
    s->l1_queues = 2;
    s->late_l1_read = (u32)c->late;
}

static bool fused_shape(const void *conf, u32 i, struct shape *s)
{
    const struct amoeba_keys *k = conf;
    struct shape other = *s;

    if (i || (k->c.mode != SCALE_UP && !says_yes(&k->model)))
        return false;
    fuse_shapes(s, &other, &k->c);
    return true;
}

static void bypass(const struct mech_chip *c, u32 node, bool on)
{
    noc_bypass(c->sm[0].mu->request, node, on);
    noc_bypass(c->sm[0].mu->reply, node, on);
}

static void tell_pair(const struct mech_chip *c, u32 i)
{
    if (state_of(c, i)->keys.c.ports == 1)
        bypass(c, i + 1, true);
    else
        bind_ports(c->sm[i].group);
    pair_begin(state_of(c, i), &c->sm[i], c->now);
}

static u32 n_ctas(const struct mech_chip *c, u32 i)
{
    return c->sm[i].front->n_cta + c->sm[i + 1].front->n_cta;
}

/* SMs i and i + 1, which are idle, or whose CTAs stay. */
static void fuse(const struct mech_chip *c, u32 i)
{
    struct sm *a = &c->sm[i], *b = &c->sm[i + 1];
    struct shape s = a->shape, other = b->shape;
    const char *limit;
    enum refusal refusal;
    struct err e;

    fuse_shapes(&s, &other, &state_of(c, i)->keys.c);
    u32 ctas = occupancy(&s, a->front->conf, a->front->x->launch, &limit, &refusal, &e);
    u32 carried = n_ctas(c, i);

    assert(ctas);
    other.on = b->front->n_cta != 0;
    (carried ? sm_refit_around : sm_refit)(a, &s, ctas, c->now);
    (carried ? sm_refit_around : sm_refit)(b, &other, 0, c->now);
    bind_fuse(a->group);
    state_of(c, i)->st.carried += carried;
    tell_pair(c, i);
}

static bool is_pair(const struct mech_chip *c, u32 i)
{
    return i + 1 < c->n_sm && c->sm[i].group->n == 2;
}

#define EACH_PAIR(i, c) for (u32 i = 0; is_pair(c, i); i += 2)

static u32 number(const struct mech_chip *c)
{
    return mech_number(state_of(c, 0)->timer0);
}

static void close(const struct mech_chip *c, u32 i, bool closed)
{
    sm_close(&c->sm[i], number(c), closed);
    sm_close(&c->sm[i + 1], number(c), closed);
}

/* Will it not be fused in this launch, or is it? */
static bool is_settled(const struct amoeba_chip *a, const struct mech_chip *c, u32 i)
{
    if (c->sm[i].front->bind.wide || state_of(c, i)->stays)
        return true;
    return c->sm[i].front->no_more && (a->keys.c.after_sample == STAY || !n_ctas(c, i));
}

static bool is_still(const struct mech_chip *c, u32 i)
{
    return sm_is_still(&c->sm[i]) && sm_is_still(&c->sm[i + 1]);
}

static bool all_are_still(const struct mech_chip *c)
{
    EACH_PAIR(i, c)
    if (!is_still(c, i))
        return false;
    return true;
}

static bool can_fuse(const struct amoeba_chip *a, const struct mech_chip *c, u32 i)
{
    if (a->keys.c.after_sample != STAY && n_ctas(c, i))
        return is_still(c, i);
    return sm_is_idle(&c->sm[i]) && sm_is_idle(&c->sm[i + 1]);
}

/* Those that are ready; with after_sample=restart only when all are. */
static u32 fuse_ready(struct amoeba_chip *a, const struct mech_chip *c)
{
    bool wait = a->keys.c.after_sample == RESTART && !all_are_still(c);
    u32 left = 0;

    EACH_PAIR(i, c)
    {
        if (is_settled(a, c, i))
            continue;
        left++;
        if (wait || !can_fuse(a, c, i))
            continue;
        fuse(c, i);
        close(c, i, true);
        pair_ready_at(state_of(c, i), &c->sm[i], c->now, c->now + a->keys.c.fuse_cycles);
    }
    return left;
}

/*
 * A pair that has drained, or stands still, is fused, if there is a CTA left for it; it takes a time, of
 * which the edge is the end that is not before it.
 */
static void fuse_drained(struct amoeba_chip *a, const struct mech_chip *c)
{
    u32 left = fuse_ready(a, c);

    EACH_PAIR(i, c)
    {
        struct amoeba *p = state_of(c, i);

        if (!p->ready)
            continue;
        if (p->ready > c->now) {
            left++;
            continue;
        }
        p->ready = 0;
        close(c, i, false);
        pair_halt(p, &c->sm[i], false);
    }
    a->phase = left ? FUSING : DONE;
}

/*
 * A pair that still has CTAs which were sampled alone stays as it is in this launch: they may be waiting for
 * CTAs that have no place elsewhere.  It opens when the others do, or it would have all of these.
 */
static bool has_to_stay(const struct amoeba_chip *a, const struct mech_chip *c, u32 i)
{
    return a->keys.c.after_sample == STAY && alone(&a->keys) && n_ctas(c, i);
}

static void begin_fusing(struct amoeba_chip *a, const struct mech_chip *c)
{
    EACH_PAIR(i, c)
    {
        struct amoeba *p = state_of(c, i);

        close(c, i, true);
        p->stays = has_to_stay(a, c, i);
        if (p->stays)
            pair_ready_at(p, &c->sm[i], c->now, c->now + a->keys.c.fuse_cycles);
        else if (a->keys.c.after_sample != STAY && n_ctas(c, i))
            pair_halt(p, &c->sm[i], true);
    }
    a->phase = FUSING;
    fuse_drained(a, c);
}

/* ---- the controller */

static void name_of(const struct launch *l, char hex[HASH_HEX])
{
    hash_bytes(l->func->label, strlen(l->func->label), hex);
}

static const struct decided *find_decided(const struct amoeba_chip *a, const struct launch *l)
{
    char kernel[HASH_HEX];

    name_of(l, kernel);
    for (u32 i = 0; i < a->n_decided; i++)
        if (!strcmp(a->decided[i].kernel, kernel))
            return &a->decided[i];
    return NULL;
}

static const struct decided *recall(const struct amoeba_chip *a, const struct launch *l)
{
    return a->keys.c.remember ? find_decided(a, l) : NULL;
}

static void note_decided(struct amoeba_chip *a, const struct launch *l, bool fuse)
{
    if (a->n_decided == MAX_KERNELS || find_decided(a, l)) /* more are sampled at each launch */
        return;
    struct decided *d = &a->decided[a->n_decided++];

    name_of(l, d->kernel);
    d->fuse = fuse;
}

/* Is it one that `only` leaves out?  Its number is its place among those that have been launched. */
static bool is_left_out(const struct amoeba_chip *a, const struct launch *l)
{
    const struct decided *d = find_decided(a, l);

    return a->keys.c.only && (d ? (u32)(d - a->decided) : a->n_decided) + 1 != a->keys.c.only;
}

/* Only those CTAs run that are sampled: one at a time on each of the first SMs. */
static void limit_sampled(const struct amoeba_chip *a, const struct mech_chip *c, bool on)
{
    if (!alone(&a->keys))
        return;
    for (u32 i = 0; i < c->n_sm; i++) {
        sm_limit_ctas(&c->sm[i], number(c), on);
        sm_close(&c->sm[i], number(c), on && i >= a->keys.c.sample);
    }
}

static void decide(struct amoeba_chip *a, const struct mech_chip *c)
{
    double m[N_METRIC];

    measure(a, c, m);
    keep_metrics(&a->st, m);
    bool up = logistic_logit(&a->keys.model, metric, m, N_METRIC) > 0;

    a->st.sampled++;
    a->st.up += up;
    note_decided(a, launch_of(c), up);
    limit_sampled(a, c, false);
    a->phase = DONE;
    if (up)
        begin_fusing(a, c);
}

static void on_chip_begin(void *self, const struct mech_chip *c)
{
    struct amoeba_chip *a = self;

    for (u32 i = 0; i < c->n_sm; i++)
        bypass(c, i, false);
    a->phase = IDLE;
    EACH_PAIR(i, c)
    if (c->sm[i].front->bind.wide)
        tell_pair(c, i);
    if (a->keys.c.mode == SCALE_UP)
        return;
    if (recall(a, launch_of(c))) {
        a->st.recalled++;
        return;
    }
    if (is_left_out(a, launch_of(c))) {
        note_decided(a, launch_of(c), false);
        return;
    }
    a->phase = SAMPLING, a->begin = c->now;
    see(c, &a->before);
    limit_sampled(a, c, true);
    pair_sampled_at(state_of(c, 0), &c->sm[0], c->now, c->now + a->keys.c.length);
}

static void on_chip_edge(void *self, const struct mech_chip *c)
{
    struct amoeba_chip *a = self;
    u64 ended = 0;

    if (a->phase == FUSING)
        fuse_drained(a, c);
    if (a->phase != SAMPLING)
        return;
    for (u32 i = 0; i < c->n_sm; i++)
        ended += c->sm[i].st.ctas;
    if (ended - a->before.ctas >= a->keys.c.sample || c->now >= state_of(c, 0)->sampled)
        decide(a, c);
}

/* ---- SMs */

/* A pair that was fused stays so from launch to launch, with what is in its caches. */
static void plan_pairs(const void *self, struct plan *p)
{
    const struct amoeba_chip *a = self;
    const struct decided *d = recall(a, p->l);

    for (u32 i = 0; i + 2 <= p->n_sm; i += 2) {
        plan_group(p, i, 2);
        if (a->keys.c.mode == SCALE_UP || (d && d->fuse))
            fuse_shapes(&p->shape[i], &p->shape[i + 1], &a->keys.c);
    }
}

static void fuse_pair(void *self, struct group *g)
{
    (void)self;
    if (g->n == 2 && g->sm[0]->shape.warp_words > 1)
        bind_fuse(g);
}

static void on_kernel_end(void *self, struct sm *sm, u32 arg)
{
    struct amoeba *a = self;

    (void)arg;
    if (a->halts)
        pair_halt(a, sm, false);
    if (a->state)
        pair_end(a, sm, sm->front->last);
    a->ready = a->sampled = 0;
    a->stays = false;
}

static void on_cta_begin(void *self, struct sm *sm, u32 slot)
{
    (void)slot;
    pair_cta(self, sm);
}

/* The last one that the second SM had when the pair was fused: from the next cycle on it stands still. */
static void on_cta_end(void *self, struct sm *sm, u32 slot)
{
    (void)slot;
    if (sm->front->bind.member && sm->front->bind.carries && !sm->front->n_cta)
        pair_carried((struct amoeba *)self - 1, sm->group->sm[0]);
}

static void on_timer(void *self, struct sm *sm, u32 timer)
{
    struct amoeba *a = self;

    if (timer >= a->timer0 && timer < a->timer0 + N_PAIR_TIMER)
        pair_timer(a, sm, timer - a->timer0);
}

static void on_load_part(void *self, struct sm *sm, u32 slot)
{
    pair_load_part(self, sm, slot);
}

/* Whether the other SM's L1D could have served it. */
static void on_l1_miss(void *self, struct cache_event *ev)
{
    struct amoeba *a = self;
    const struct group *g = ev->sm->group;

    if (ev->which != IN_L1D || ev->store || ev->no_way || g->n != 2 || g->front[0]->bind.wide)
        return;
    a->st.loads_missed++;
    a->st.loads_beside += cache_holds(&g->mu[g->sm[0] == ev->sm]->l1d, ev->addr);
}

static void drop_pair(void *self)
{
    pair_free(self);
}

static bool pairs_fit(const void *conf, const struct mech_gpu *gpu, struct err *e)
{
    const struct amoeba_conf *c = conf;

    if (gpu->sm->warp_words != 1)
        return err_set(e, "two SMs fuse to warps of 64 lanes: sm.warp_words=1");
    if (gpu->n_sm < 2)
        return err_set(e, "a GPU of one SM has no pair: gpu.n_sm=2");
    if (32 % c->group)
        return err_set(e,
                       "amoeba.group: a warp is cut into groups of 1, 2, 4, 8, 16 or 32 threads");
    return true;
}

/*
 * Section 5.5: 0.021 mm2 of buffers for each SM and 1.53 mm2 of controllers, at 45 nm; of a GPU of 128
 * SMs and 480 mm2 0.88 %.
 */
static double pair_logic_mm2(const void *conf, const struct mech_cost_of *of)
{
    (void)conf;
    return 0.021 + 1.53 / (double)of->n_sm;
}

const struct mech mech_amoeba = {
    .name = "amoeba",
    .doc = "AMOEBA: pairs of SMs that fuse, if a predictor says so, and split while warps diverge",
    .holds = "warps wait to be moved to the other SM, or for their pair to fuse or split",
    .sheet = &amoeba_sheet,
    .size = sizeof(struct amoeba),
    .conf = offsetof(struct amoeba, keys),
    .stat = offsetof(struct amoeba, st),
    .conf_size = sizeof(struct amoeba_keys),
    .stat_size = sizeof(struct amoeba_stat),
    .one_path = true,
    .chip = {sizeof(struct amoeba_chip), offsetof(struct amoeba_chip, keys),
             offsetof(struct amoeba_chip, st)},
    .alone = true,
    .timer0 = offsetof(struct amoeba, timer0),
    .excludes = "bind,buddy,share,socgpu",
    .why_not = "they bind the same SMs in other ways, or have no scoreboard of a part's own",
    .load = load_predictor,
    .unload = unload,
    .drop = drop_pair,
    .area_mm2 = pair_logic_mm2,
    .fits = pairs_fit,
    .shape = fused_shape,
    .on_chip_plan = plan_pairs,
    .on_bind = fuse_pair,
    .on_kernel_end = on_kernel_end,
    .on_cta_begin = on_cta_begin,
    .on_cta_end = on_cta_end,
    .on_timer = on_timer,
    .on_load_part = on_load_part,
    .on_l1_miss = on_l1_miss,
    .on_chip_begin = on_chip_begin,
    .on_chip_edge = on_chip_edge,
};
