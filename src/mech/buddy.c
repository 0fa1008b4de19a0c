/*
 * buddy.c -- Buddy SM: one front end for several SMs (Zhang et al., "Buddy SM: Sharing Pipeline
 * Front-End for Improved Energy Efficiency in GPGPUs", ACM TACO 12(2), 2015).
 *
 * At a launch neighbouring SMs form clusters (4.4).  The first of a cluster is the master: what it
 * issues all execute, each on its own registers, memories and SIMT stacks, a communicate stage later
 * (4.7); the other front ends are off.  Results of memory instructions are there when all SMs have
 * acknowledged them, others when the master's are (4.2).  CTAs come in sets (4.3).
 *
 * After a branch the SMs' lanes are compared, and where these do not say it, next PCs (4.5; hints:
 * buddy_code.h).  If they differ the cluster ungroups: front ends are switched on, what the master's
 * scoreboard holds comes back, and each SM goes on alone, I-caches cold.  Regrouping is at the next
 * launch, or halfway (4.6): warps stop at the reconvergence point of the branch that parted them, those
 * that will not pass it at once, and when all stand where their counterparts do the cluster is one
 * again.
 *
 * A launch that leaves a follower alone finds its I-cache as it was, by default: 4.5 speaks of warm-up at
 * ungrouping only, and clusters that are cut for a block are as fast as those that are not (6.3).
 *
 *     cluster    ramp-down      alone         waiting at the reconvergence point      cluster
 *     --------|-------------|----------------|-------------------------------------|--------->
 *           branch        parted          first warp there         all there, drained: joined
 *
 * Lock step itself is sm/binding/bind.h's.  State of an SM: `self`; those of its cluster follow one another, so
 * that b[k] is member k's.
 */
#include "mech/buddy_code.h"
#include "mech/mech.h"
#include "sm/binding/bind.h"

#define SHEET_DEF "mech/buddy.def"
struct buddy_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/buddy.def"
struct buddy_stat {
#include "base/sheet_stats.inc"
};

#define SHEET buddy
#define SHEET_DEF "mech/buddy.def"
#define SHEET_DOC "Buddy SM: one front end for several SMs"
extern const struct sheet buddy_sheet;
#include "base/sheet_table.inc"

struct buddy { /* of one SM */
    struct buddy_conf conf;
    struct buddy_stat st;
    u32 timer0;
    u64 held; /* warps that wait for their counterparts */
    /* of a master */
    u32 n;            /* members of its cluster in this launch */
    u64 start, since; /* of the launch, of this lock step */
    u64 together;     /* cycles of lock steps before it */
    bool meeting;     /* they are apart and wait for each other at meet_pc, up to `deadline` */
    bool armed;
    u32 meet_pc;
    u64 deadline;
    struct buddy_code code;
};

enum { ICACHE_LOST, ICACHE_KEPT, ICACHE_WARM };

/* ---- what is off: all of the front end but the SIMT stacks (4.1) */

static void power_front(struct sm *sm, enum power power, u64 now)
{
    static const enum component parts[] = {COMP_icache, COMP_fetch_decode, COMP_ibuffer,
                                           COMP_scoreboard, COMP_scheduler};

    for (u32 i = 0; i < LEN(parts); i++)
        residency_set(&sm->residency, parts[i], power == POWER_OFF ? RESIDENCY_WHOLE : 0,
                      power == POWER_WAKING ? RESIDENCY_WHOLE : 0, 0, now);
}

static void power_others(const struct front *master, u32 n, enum power power, u64 now)
{
    for (u32 k = 1; k < n; k++)
        power_front(master->lock.of[k]->sm, power, now);
}

/*
 * Of those that follow, which have fetched nothing since they began to: to forget when they begin is to
 * have forgotten in any case, and when they end, if they end.
 */
static void forget_code(const struct front *master, u32 n)
{
    for (u32 k = 1; k < n; k++)
        cache_invalidate(&master->lock.of[k]->own_l1i);
}

/* ---- clusters: 4.4, 4.8 */

static bool clusters_fit(const void *conf, const struct mech_gpu *gpu, struct err *e)
{
    const struct buddy_conf *c = conf;

    if (c->size & (c->size - 1))
        return err_set(e, "size=%u: a cluster has 2, 4 or 8 SMs, or 1 for none", (u32)c->size);
    if (c->size > gpu->n_sm)
        return err_set(e, "size=%u: the GPU has %u SMs (gpu.n_sm)", (u32)c->size, gpu->n_sm);
    return true;
}

static void group(struct plan *p, u32 first, u32 n)
{
    if (n > 1)
        plan_group(p, first, n);
}

/*
 * Table I, for any size: of a cluster and the blocks that are left over, the first half stays one and
 * takes as many of them as it has SMs, if there are so many; the other half is cut for the rest.
 */
static void cut(struct plan *p, u32 first, u32 n, u64 left)
{
    u32 half = n / 2;

    if (!left || n == 1) {
        group(p, first, n);
        return;
    }
    group(p, first, half);
    cut(p, first + half, half, left >= half ? left - half : left);
}

/* Blocks for which a cluster is cut.  SMs that are in no cluster take what is left over. */
static u64 left_over(const struct buddy_conf *c, u64 ctas, u32 n_sm)
{
    return c->form && n_sm % c->size == 0 ? ctas % c->size : 0;
}

static void plan_clusters(const void *conf, struct plan *p)
{
    const struct buddy_conf *c = conf;
    u32 n = (u32)c->size, last = p->n_sm / n * n - n;

    for (u32 i = 0; i < last; i += n)
        group(p, i, n);
    cut(p, last, n, left_over(c, p->l->ctas, p->n_sm));
}

static void bind_cluster(void *self, struct group *g)
{
    struct buddy *b = self;
    const struct buddy_conf *c = &b->conf;

    if (g->n == 1)
        return;
    bind_lock_step(g, &(struct lock_terms){.wake = (u32)c->wake,
                                           .late = (u32)c->communicate,
                                           .ack = (u32)c->ack,
                                           .leader = true,
                                           .paths = c->compare != 0,
                                           .again = c->regroup != 0});
    if (c->icache == ICACHE_LOST)
        forget_code(g->sm[0]->front, g->n);
}

/* ---- packets: 4.7 */

enum { INST_BITS = 64, MASK_BITS = 64, MEM_BITS = 16, CTRL_BITS = 4 };

/* SMs of a cluster stand in two columns (Fig. 9); wires from member k to the master. */
static u64 wire_mm(const struct buddy *b, u32 k)
{
    return (k / 2 + k % 2) * b->conf.hop_mm;
}

static bool is_branch(const struct sm *sm)
{
    u32 op = sm->front->x->code[sm->front->last_issue.pc].op;

    return op == OP_bra || op == OP_brx;
}

/* An instruction of the master's has come to another SM. */
static void count_packets(struct buddy *b, const struct sm *sm)
{
    const struct uop *u = sm->front->last_issue.u;
    u64 bits = INST_BITS;

    b->st.inst_packets++;
    if (is_branch(sm))
        b->st.mask_packets++, bits += MASK_BITS;
    if (u->unit == UNIT_MEM && u->n_def)
        b->st.mem_packets++, bits += MEM_BITS;
    b->st.bit_mm += bits * wire_mm(b, sm->front->bind.member);
}

/* ---- halfway regrouping: 4.6 */

static void hold_warps(struct buddy *b, struct sm *sm, u64 warps)
{
    b->held = warps;
    sm_hold(sm, mech_number(b->timer0), warps, 0);
}

static bool stands(const struct buddy *b, const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    return !c->w || c->w->done || c->w->waiting >= 0 || b->held >> slot & 1;
}

/* Has one of its counterparts retired, and another will? */
static bool will_retire(const struct front *fe, u32 slot)
{
    bool gone = false, done = false;

    for (u32 k = 0; k < fe->lock.n_set; k++) {
        const struct warp *w = fe->lock.of[k]->ctx[slot].w;

        gone |= !w, done |= w && w->done;
    }
    return gone && done;
}

static bool all_stand(const struct buddy *b, const struct front *fe)
{
    for (u32 slot = 0; slot < fe->n_warp; slot++) {
        for (u32 k = 0; k < fe->lock.n_set; k++)
            if (!stands(&b[k], fe->lock.of[k], slot))
                return false;
        if (will_retire(fe, slot))
            return false;
    }
    return true;
}

/* Each stays alone until the next launch; on_unlocked releases them. */
static void give_up(struct buddy *b, struct sm *sm)
{
    b->st.gave_up++;
    bind_unlock(sm->front, sm->now);
}

static void look_around(struct buddy *b, struct sm *sm)
{
    struct front *fe = sm->front;

    if (!b->meeting || fe->lock.beginning || !all_stand(b, fe))
        return;
    if (bind_is_aligned(fe))
        bind_relock(fe);
    else
        give_up(b, sm);
}

/* Does the warp have to stop where it is?  Not if it will come to meet_pc. */
static bool stops(struct buddy *master, const struct front *fe, u32 slot)
{
    const struct warp *w = fe->ctx[slot].w;
    u32 pc = w->done ? PC_NONE : w->stack[w->depth - 1].pc;

    return pc == master->meet_pc || !buddy_code_passes(&master->code, pc, master->meet_pc);
}

static void wait_until(struct buddy *b, struct sm *sm)
{
    u64 left = b->deadline - sm->now;

    b->armed = true;
    sm_timer(sm, b->timer0, sm->now, left < WHEEL ? left : WHEEL - 1);
}

static void meet(struct buddy *b, struct sm *sm)
{
    struct front *fe = sm->front;

    b->meet_pc = fe->x->code[fe->lock.end_pc].reconv;
    b->meeting = true;
    b->deadline = sm->now + b->conf.patience;
    if (b->meet_pc == PC_NONE) {
        give_up(b, sm);
        return;
    }
    for (u32 k = 0; k < fe->lock.n_set; k++) {
        const struct front *m = fe->lock.of[k];
        u64 warps = 0;

        for (u32 slot = 0; slot < m->n_warp; slot++)
            if (m->ctx[slot].w && stops(b, m, slot))
                warps |= (u64)1 << slot;
        hold_warps(&b[k], m->sm, warps);
    }
    if (!b->armed)
        wait_until(b, sm);
    look_around(b, sm);
}

static void release_held(struct buddy *b, const struct front *fe)
{
    b->meeting = false;
    for (u32 k = 0; k < b->n; k++)
        if (b[k].held)
            hold_warps(&b[k], fe->lock.of[k]->sm, 0);
}

/* An SM of a set that is apart: the state of its master. */
static struct buddy *master_of(struct buddy *b, const struct sm *sm)
{
    return b - sm->front->bind.member;
}

static bool is_apart(const struct sm *sm)
{
    const struct front *master = sm->group->front[0];

    return master->lock.n_set > 1 && master->lock.n == 1;
}

static void on_own_issue(struct buddy *b, struct sm *sm, u32 slot)
{
    struct buddy *master = master_of(b, sm);
    const struct warp *w = sm->front->ctx[slot].w;

    if (!master->meeting || !is_apart(sm))
        return;
    if (!w->done && w->stack[w->depth - 1].pc == master->meet_pc)
        hold_warps(b, sm, b->held | (u64)1 << slot);
    if (stands(b, sm->front, slot))
        look_around(master, sm->group->sm[0]);
}

static void on_warp_end(void *self, struct sm *sm, u32 slot)
{
    struct buddy *b = self;

    if (b->held >> slot & 1)
        hold_warps(b, sm, b->held & ~((u64)1 << slot));
    if (is_apart(sm))
        look_around(master_of(b, sm), sm->group->sm[0]);
}

/* A set that comes while they wait for each other. */
static void on_cta_begin(void *self, struct sm *sm, u32 cta)
{
    struct buddy *b = self, *master = master_of(b, sm);
    const struct cta_slot *s = &sm->front->slot[cta];
    u64 warps = 0;

    if (!is_apart(sm) || !master->meeting)
        return;
    for (u32 slot = s->first; slot < s->first + (u32)s->n; slot++)
        if (sm->group->front[0]->lock.beginning || stops(master, sm->front, slot))
            warps |= (u64)1 << slot;
    hold_warps(b, sm, b->held | warps);
}

static void on_timer(void *self, struct sm *sm, u32 timer)
{
    struct buddy *b = self;

    if (timer != b->timer0)
        return;
    b->armed = false;
    if (!b->meeting)
        return;
    if (sm->now >= b->deadline && !sm->front->lock.beginning)
        give_up(b, sm);
    else
        b->deadline = sm->now >= b->deadline ? sm->now + 1 : b->deadline, wait_until(b, sm);
}

/* ---- what happens to a cluster */

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct buddy *b = self;
    struct front *fe = sm->front;

    (void)arg;
    b->meeting = false;
    hold_warps(b, sm, 0);
    power_front(sm, fe->by != fe ? POWER_OFF : POWER_ON, fe->last);
    b->n = fe->lock.n;
    if (!sm->id)
        b->st.cut += left_over(&b->conf, fe->x->launch->ctas, fe->x->n_sm) != 0;
    if (b->n == 1)
        return;
    b->st.clusters++;
    b->start = b->since = fe->last, b->together = 0;
    buddy_code_read(&b->code, fe->x->launch, fe->uop);
}

static void on_kernel_end(void *self, struct sm *sm, u32 arg)
{
    struct buddy *b = self;
    struct front *fe = sm->front;

    (void)arg;
    if (b->n == 1)
        return;
    if (fe->lock.n > 1 && !fe->lock.ending)
        b->together += fe->last - b->since;
    b->st.buddy_cycles += b->n * b->together;
    b->st.cluster_cycles += b->n * (fe->last - b->start);
    if (fe->last > b->start)
        b->st.time_shares += 1000000 * b->together / (fe->last - b->start);
}

static void on_issue(void *self, struct sm *sm, u32 slot)
{
    struct buddy *b = self;
    struct front *fe = sm->front;

    if (fe->by != fe) {
        count_packets(b, sm);
    } else if (fe->lock.n > 1) {
        b->st.checks++;
        b->st.hints += is_branch(sm) && buddy_code_hint(&b->code, fe->last_issue.pc);
    } else {
        on_own_issue(b, sm, slot);
    }
}

static void on_unlocking(void *self, struct sm *sm, u32 n)
{
    struct buddy *b = self;
    struct front *fe = sm->front;

    b->together += fe->lock.end_since - b->since;
    power_others(fe, n, POWER_WAKING, fe->lock.end_since);
    if (b->conf.icache == ICACHE_KEPT) /* "some warmup time for the instruction cache" (4.5) */
        forget_code(fe, n);
    if (fe->lock.end_pc == PC_NONE) {
        b->st.residue++;
    } else {
        b->st.ungrouped++;
        b->st.ctrl_packets++, b->st.bit_mm += CTRL_BITS * b->conf.hop_mm;
    }
}

static void on_unlocked(void *self, struct sm *sm, u32 n)
{
    struct buddy *b = self;
    struct front *fe = sm->front;

    if (n == 1) {
        release_held(b, fe);
        return;
    }
    power_others(fe, n, POWER_ON, sm->now);
    if (fe->lock.end_pc != PC_NONE)
        b->st.ramp_cycles += n * (sm->now - fe->lock.end_since);
    if (fe->lock.n_set > 1)
        meet(b, sm);
}

static void on_relocked(void *self, struct sm *sm, u32 n)
{
    struct buddy *b = self;
    struct front *fe = sm->front;

    b->st.regrouped++;
    b->since = sm->now;
    power_others(fe, n, POWER_OFF, sm->now);
    if (b->conf.icache == ICACHE_LOST)
        forget_code(fe, n);
    release_held(b, fe);
}

static void drop_code(void *self)
{
    buddy_code_free(&((struct buddy *)self)->code);
}

/* ---- what it costs: 4.7, 5.1 */

/* "Four bits need to be added for each entry in a master SM's scoreboard"; of all, a share. */
static double added_bits(const struct buddy_conf *c)
{
    return (double)(c->size > 4 ? c->size : 4) / (double)c->entry_bits;
}

/* "The total area of the cluster NoC is estimated to be 2.3% of the area of the GPU interconnection
 * network." */
static double cluster_mm2(const void *conf, const struct mech_cost_of *of)
{
    const struct buddy_conf *c = conf;

    if (c->size == 1)
        return 0;
    return 0.023 * of->area_mm2[COMP_noc] / (double)of->n_sm +
           of->area_mm2[COMP_scoreboard] * added_bits(c) / (double)c->size;
}

/* "We linearly scale the scoreboard power according to the ratio of the added bits over the original
 * bits." */
static void scoreboard_power(const void *conf, const struct mech_cost_of *of, double *dynamic_w,
                             double *static_w)
{
    const struct buddy_conf *c = conf;

    (void)dynamic_w;
    if (c->size > 1)
        *static_w += of->leak_mw[COMP_scoreboard] * 1e-3 * added_bits(c) / (double)c->size;
}

/*
 * 4.7 has 50 fJ for low swing, where it compares a packet with an I-cache's read.  5.1.1, on how power is
 * modelled, takes the interconnection network's, "linearly proportional to the average distance and
 * amount of data transferred".
 */
static double bit_mm_pj(const struct buddy_conf *c, const struct mech_cost_of *of)
{
    enum { LINK_ICNT, LINK_WIRE };

    return c->link_energy == LINK_WIRE ? 0.05 : of->e_noc_bit / c->icnt_mm;
}

static u32 events(const void *conf, const struct mech_cost_of *of,
                  struct mech_event event[MECH_EVENTS])
{
    double check = of ? of->e_scoreboard * added_bits(conf) : 0, bit = of ? bit_mm_pj(conf, of) : 0;

    event[0] = (struct mech_event){offsetof(struct buddy_stat, bit_mm), COMP_mechanism, bit};
    event[1] = (struct mech_event){offsetof(struct buddy_stat, checks), COMP_scoreboard, check};
    return 2;
}

const struct mech mech_buddy = {
    .name = "buddy",
    .doc = "Buddy SM: SMs in lock step behind one front end",
    .holds = "warps wait for their counterparts on the other SMs, to go on together",
    .sheet = &buddy_sheet,
    .size = sizeof(struct buddy),
    .conf = offsetof(struct buddy, conf),
    .conf_size = sizeof(struct buddy_conf),
    .stat = offsetof(struct buddy, st),
    .stat_size = sizeof(struct buddy_stat),
    .one_path = true,
    .alone = true,
    .timer0 = offsetof(struct buddy, timer0),
    .excludes = "bind,share,socgpu",
    .why_not = "the SMs of a cluster follow one scoreboard and are bound to each other alone",
    .area_mm2 = cluster_mm2,
    .power = scoreboard_power,
    .events = events,
    .drop = drop_code,
    .fits = clusters_fit,
    .on_plan = plan_clusters,
    .on_bind = bind_cluster,
    .on_kernel_begin = on_kernel_begin,
    .on_kernel_end = on_kernel_end,
    .on_cta_begin = on_cta_begin,
    .on_warp_end = on_warp_end,
    .on_issue = on_issue,
    .on_timer = on_timer,
    .on_unlocking = on_unlocking,
    .on_unlocked = on_unlocked,
    .on_relocked = on_relocked,
};
