/*
 * issue.c -- each scheduler issues an instruction of one of its warps, or of several (sm.picks), or says
 * why not.
 *
 * A warp can issue if its next instruction is buffered, no hazard holds it (depend.h), it does
 * not wait for others, and the latch of the unit it needs has room.  Values are computed
 * here (exec_issue); everything behind this stage is time.
 */
#include "sm/front/front.h"

#include <string.h>

#include "base/hostile.h"
#include "sm/binding/bind.h"
#include "sm/binding/kernels.h"
#include "sm/datapath/datapath.h"
#include "sm/front/depend.h"
#include "sm/front/parts.h"
#include "sm/front/sched.h"
#include "sm/memunit/memunit.h"
#include "sm/sm.h"

/* ---- looking */

HOT void issue_look(struct front *fe, struct sched *s)
{
    u64 todo = s->dirty & s->valid;

    check(fe, !(s->valid & ~s->live));
    s->dirty = 0;
    for (; todo; todo &= todo - 1) {
        u32 p = (u32)__builtin_ctzll(todo);
        u64 bit = (u64)1 << p;

        const struct uop *u = depend_look(fe, s, s->at[p], bit);

        if (UNLIKELY(fe->ctx[s->at[p]].atoms || (fe->lock.n > 1 && warp_has_atoms(fe, s->at[p]))))
            s->atom = u->after_atoms || fe->dp[0]->mu->atom_blocks ? s->atom | bit : s->atom & ~bit;
        if (!(s->need[u->unit] & bit)) { /* mostly it is the same as before: one unit has it */
            for (u32 k = 0; k < N_UNIT; k++)
                s->need[k] &= ~bit;
            s->need[u->unit] |= bit;
        }
        s->need_fp = (s->need_fp & ~bit) | (u64)(u->pipe == PIPE_FP) << p;
        s->need_flow = (s->need_flow & ~bit) | (u64)(u->pipe == PIPE_FLOW) << p;
        if (UNLIKELY(fe->hold | fe->hold_mem))
            lever_hold(fe, s, bit);
    }
}

static inline bool datapath_has_room(const struct datapath *dp, u32 sub, u32 unit,
                                     const struct memunit *mu)
{
    const struct latch *l = &dp->sub[sub].issue[unit];

    return l->n < l->cap && (unit != UNIT_MEM || lsu_has_room(mu));
}

/*
 * Warps for which there is room: in all datapaths of a wide warp or a lock step, in its own for one
 * whose registers are there.
 */
static inline u64 has_room(struct front *fe, const struct sched *s, u32 unit)
{
    u64 can = 0;

    check(fe, fe->n_dp && fe->n_dp <= MAX_BIND);
    if (hostile(&fe->chance))
        return 0;
    if (LIKELY(fe->n_dp == 1) || fe->bind.own_warps < fe->n_warp) {
        const struct memunit *mu = fe->dp[0]->mu; /* of lent warps too */

        can = datapath_has_room(fe->dp[0], s->sub, unit, mu) ? ~s->lent : 0;
        if (UNLIKELY(s->lent) && datapath_has_room(fe->dp[1], s->sub + fe->bind.lent_sub, unit, mu))
            can |= s->lent;
        return can;
    }
    for (u32 k = 0; k < fe->n_dp; k++)
        if (!datapath_has_room(fe->dp[k], s->sub, unit, fe->dp[k]->mu))
            return k ? s->narrow : 0; /* in the first there is room for those */
    return ~can;
}

static inline bool has_flights(const struct front *fe)
{
    return fe->flights->used + fe->n_dp <= fe->flights->n;
}

/*
 * May it be issued?  Not if all pipelines for it are shut: then one of them goes to *off, and which
 * of several is switched on is for the mechanism to say.
 */
static bool is_open(const struct front *fe, const struct sched *s, const struct uop *u, u32 *off)
{
    const struct datapath *dp = fe->dp[0];
    const struct subcore *sc = &dp->sub[s->sub];
    bool serves = false;

    for (u32 i = 0; i < sc->n_pipe; i++) {
        u32 pipe = s->sub * MAX_PIPES + i;

        if (!pipe_serves(dp, sc, i, u, (u32)(s - fe->sched)))
            continue;
        if (!(dp->unit_shut >> pipe & 1))
            return true;
        *off = serves ? *off : pipe;
        serves = true;
    }
    return !serves;
}

/* Warps whose next instruction is for the same pipelines as that of place p. */
static u64 of_same_kind(const struct sched *s, u32 p)
{
    u64 kind = s->need_fp >> p & 1     ? s->need_fp
               : s->need_flow >> p & 1 ? s->need_flow
                                       : ~(s->need_fp | s->need_flow);

    for (u32 u = 0; u < N_UNIT; u++)
        if (s->need[u] >> p & 1)
            return s->need[u] & kind;
    return (u64)1 << p;
}

/* What a policy may answer. */
static bool is_pick(u32 p, u64 can)
{
    return p == NO_PICK || (p < 64 && can >> p & 1);
}

/*
 * If the pipelines for what was picked are shut, they are wanted and the policy picks again among
 * the others.  The places that were held go to *off.
 */
static u32 pick_open(struct front *fe, struct sched *s, u64 can, u32 p, u64 *seen, u64 *off)
{
    u32 pipe = 0;

    while (p != NO_PICK) {
        const struct uop *u = next_uop(fe, &fe->ctx[s->at[p]]);

        if (is_open(fe, s, u, &pipe))
            return p;
        HOOK(fe->dp[0]->sm, unit_wanted, pipe);
        *off |= can & of_same_kind(s, p);
        can &= ~of_same_kind(s, p);
        p = can ? s->policy->pick(s, can, seen) : NO_PICK;
        check(fe, is_pick(p, can));
    }
    return p;
}

static inline u64 with_room(struct front *fe, const struct sched *s, u64 ready)
{
    u64 can = 0;

    if (UNLIKELY(!has_flights(fe)))
        return 0;
#define CAN(unit)                                                                                  \
    if (ready & s->need[unit])                                                                     \
    can |= s->need[unit] & has_room(fe, s, unit)
    CAN(UNIT_SP);
    CAN(UNIT_SFU);
    CAN(UNIT_DP);
    CAN(UNIT_TENSOR);
    CAN(UNIT_MEM);
#undef CAN
    return ready & can;
}

/* ---- issuing */

static inline void count_issue(struct front *fe, const struct uop *u)
{
    const struct exec_out *out = &fe->x->out;
    struct sm_stat *st = fe->st;
    u32 words = fe->words;

    ((u64 *)(void *)fe->ops)[u->kind] += out->n;
    ((u64 *)(void *)fe->ops)[N_OP_KIND + u->kind] += 32 * words - out->n;
    st->reg_read_lanes += u->n_read * out->n;
    st->other_operands += u->n_operand * words;
    st->reg_write_lanes += u->n_write * out->n;
    for (u32 k = 0; k < words; k++)
        st->simt_lanes += lanes_in(out->simt[k]);
    st->simt_slots += 32 * words;
    for (u32 k = 0; k < u->n_count; k++)
        ((u64 *)(void *)st)[u->count[k]]++;
}

/* Warps of the CTA that the last arrival or exit has released: now, or op.barrier_lat later. */
static void release_barriers(const struct front *home, u32 slot, u64 now)
{
    for (u32 k = 0; k < LEN(home->bind.share); k++)
        for (u64 m = home->slot[slot].at[k]; m; m &= m - 1) {
            struct front *fe = home->bind.share[k];
            u32 at = (u32)__builtin_ctzll(m);
            struct wctx *c = &fe->ctx[at];
            struct sched *s = sched_of(fe, c);
            u64 bit = pos_bit(c);

            check(c, c->w && c->home == home && c->cta == slot);
            if (c->gone || !(s->bar & bit) || c->w->waiting >= 0 || fe->opening >> at & 1)
                continue;
            if (LIKELY(fe->barrier_lat == 1))
                warp_open(fe, at);
            else
                warp_opens(fe, at, now + fe->barrier_lat);
        }
}

/*
 * Has it come to a barrier last, and so opened it?  MODEL: one that has other paths goes on at once, as
 * it does if it has not opened it.
 */
static bool opens_barrier(const struct front *fe, const struct wctx *c, const struct uop *u,
                          enum step step)
{
    const struct exec_out *out = &fe->x->out;

    return u->flags & UOP_BARRIER && step == STEP_GO && out->n &&
           (out->in->mod & MOD_BAR_KIND) != BAR_ARRIVE && !c->w->n_path;
}

static void end_warp(struct front *fe, struct wctx *c, struct sched *s, u64 bit)
{
    c->ended = true;
    c->ib_n = 0;
    s->ended |= bit;
    s->valid &= ~bit, s->wrong &= ~bit;
    fe->want_fetch &= ~((u64)1 << s->at[c->pos]);
}

static void call_system(struct front *fe, u32 slot, u64 now)
{
    *VEC_ADD(&fe->calls) = (struct sys_call){now, (u16)fe->sm->id, (u16)slot};
}

/* What the instruction did to the flow: its own warp's and that of others at its barrier. */
static void follow(struct front *fe, u32 slot, const struct uop *u, enum step step, u64 now)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    u64 bit = pos_bit(c);

    switch (step) {
    case STEP_BARRIER:
        s->bar |= bit;
        break;
    case STEP_EXIT:
        end_warp(fe, c, s, bit);
        break;
    case STEP_CALL:
        s->fence |= bit;
        call_system(fe, slot, now);
        break;
    case STEP_FAULT:
        front_fail(fe, c->w, fe->x->out.pc, now);
        break;
    default:
        break;
    }
    if (u->flags & UOP_BARRIER)
        fe->st->barriers++;
    if (UNLIKELY(fe->barrier_lat > 1) && opens_barrier(fe, c, u, step))
        s->bar |= bit;
    if (u->flags & UOP_FENCE && u->unit != UNIT_MEM)
        warp_copy_fence(fe, slot, fe->x->out.in);
    else if (u->flags & UOP_FENCE) {
        c->fenced = true;
        for (u32 k = 0; k < fe->lock.n; k++)
            fe->lock.of[k]->ctx[slot].fence_sent = false;
        s->fence |= bit;
        warp_waited(fe, slot);
    }
    if (u->flags & UOP_BARRIER || step == STEP_EXIT || step == STEP_BARRIER)
        release_barriers(c->home, c->cta, now);
}

/* Control flow: a thread that ends empties the buffer of its warp. */
static void follow_lanes(struct front *fe, struct wctx *c, u32 slot, enum step step)
{
    if (fe->x->out.diverged)
        HOOK(fe->sm, branch, slot);
    if (step == STEP_GO && fe->x->out.n_exited) {
        c->ib_n = 0;
        if (UNLIKELY(fe->x->spin)) /* a path of the warp may wait at a barrier for these */
            release_barriers(c->home, c->cta, fe->sm->now);
    }
}

static inline struct flight *send_to(struct front *fe, struct datapath *dp, u32 slot,
                                     const struct uop *u, u64 now)
{
    struct wctx *c = &fe->ctx[slot];
    struct flight *f = flight_new(fe->flights);

    check(c, c->sub < dp->n_sub && u->unit < N_UNIT);
    f->u = u, f->fe = fe, f->dp = dp, f->lead = f, f->slot = (u16)slot;
    f->from = now + 1 + dp->late_issue;
    f->age = LIKELY(!fe->bind.by_cycle) ? fe->n_issued : (u32)now;
    f->sub = c->sub, f->sched = c->sched;
    f->bank = c->bank;
    f->parts = 1, f->alone = true, f->loose = false;
    f->mem = REQ_NONE;
    latch_add(&dp->sub[c->sub].issue[u->unit], f);
    dp->sub[c->sub].issued |= 1u << u->unit;
    return f;
}

/* Lanes of the instruction that datapath k of n executes. */
static u32 lanes_of(const struct front *fe, u32 k, u32 n)
{
    u32 words = fe->words, lanes = 0;

    for (u32 i = k * words / n; i < (k + 1) * words / n; i++)
        lanes += lanes_in(fe->x->out.mask[i]);
    return lanes;
}

/* To each SM whose datapath has got something of it. */
static inline void tell_issue(struct sm *sm, const struct uop *u, u32 pc, u32 sched, u32 slot)
{
    if (LIKELY(!(sm->hooks.armed >> HOOK_issue & 1)))
        return;
    sm->front->last_issue = (struct issued){u, pc, sched};
    HOOK(sm, issue, slot);
}

/* The other words of a wide warp go to the other datapaths. */
static RARE void send_words(struct front *fe, struct flight *lead, u64 now)
{
    u32 n = fe->n_dp;

    for (u32 k = 1; k < n; k++) {
        struct flight *f = send_to(fe, fe->dp[k], lead->slot, lead->u, now);

        f->lead = lead, f->tag = lead->tag, f->alone = false;
        f->lanes = (u8)lanes_of(fe, k, n);
        tell_issue(fe->dp[k]->sm, f->u, (u32)(f->u - fe->uop), f->sched, f->slot);
    }
    lead->lanes = (u8)lanes_of(fe, 0, n);
    lead->parts = lead->reads = (u8)n, lead->alone = false;
}

/*
 * Words of a wide warp are executed one by one, but for memory instructions of a pair that is split: in
 * one datapath they would wait for each other in front of the load/store unit, which takes them at once.
 */
static bool is_several(const struct front *fe, u32 slot, const struct uop *u)
{
    return !(fe->ctx[slot].parts && fe->ctx[slot].part->narrow) &&
           (u->unit != UNIT_MEM || fe->dp[0] != fe->dp[1]);
}

/* To the datapath of the warp's registers. */
static inline struct flight *send_off(struct front *fe, u32 slot, const struct uop *u, u32 frame,
                                      u64 now)
{
    struct flight *lead = send_to(fe, fe->dp[fe->ctx[slot].dp], slot, u, now);

    lead->lanes = (u8)fe->x->out.n;
    lead->tag = depend_issue(fe, slot, u, frame);
    if (UNLIKELY(fe->bind.wide) && is_several(fe, slot, u))
        send_words(fe, lead, now);
    if (u->unit == UNIT_MEM)
        lead->mem = lsu_make(fe->dp[0]->mu, lead, now);
    fe->n_issued++;
    fe->ctx[slot].in_flight++;
    return lead;
}

/* ---- lock step */

struct way { /* where a warp goes on */
    u32 pc, depth;
    u32 mask[MAX_WORDS];
};

static struct way way_of(const struct front *fe, u32 slot, bool paths)
{
    const struct exec_out *out = &fe->x->out;
    struct way w = {.pc = out->next_pc, .depth = fe->ctx[slot].w->depth};

    if (!paths)
        memcpy(w.mask, out->next, sizeof w.mask);
    return w;
}

/* A member's own part of what the leader has issued; loose: the leader does not wait for it. */
static void send_member(struct front *fe, u32 slot, struct flight *lead, bool loose, u64 now)
{
    struct flight *f = send_to(fe, fe->dp[0], slot, lead->u, now);

    f->lead = lead, f->tag = lead->tag, f->alone = false, f->loose = loose;
    f->age = lead->age, f->bank = lead->bank, f->sched = lead->sched;
    f->lanes = (u8)fe->x->out.n;
    if (f->u->unit == UNIT_MEM)
        f->mem = lsu_make(fe->dp[0]->mu, f, now);
    if (f->u->unit == UNIT_MEM || loose)
        fe->ctx[slot].in_flight++;
    tell_issue(fe->sm, f->u, fe->x->out.pc, f->sched, slot);
}

/* The same instruction for the other members; they part if a warp goes another way than the first. */
static RARE void issue_members(struct front *fe, struct sched *s, u32 slot, struct flight *lead,
                               u64 now)
{
    bool mem = lead->u->unit == UNIT_MEM, loose = !mem && fe->lock.terms.leader;
    const struct way first = way_of(fe, slot, fe->lock.terms.paths);

    if (!loose)
        lead->parts = lead->reads = (u8)fe->lock.n, lead->alone = false;
    for (u32 k = 1; k < fe->lock.n; k++) {
        struct front *m = fe->lock.of[k];
        enum step step = exec_issue(m->x, m->ctx[slot].w);
        const struct way way = way_of(m, slot, fe->lock.terms.paths);

        check(&m->ctx[slot], m->by == fe && m->x->out.pc == (u32)(lead->u - fe->uop));
        if (step == STEP_FAULT) {
            if (!loose)
                lead->parts--, lead->reads--;
            front_fail(m, m->ctx[slot].w, m->x->out.pc, now);
            return;
        }
        if (UNLIKELY(m->has_lines))
            m->board.line[0].issued[lead->u - fe->uop]++;
        count_issue(m, lead->u);
        m->st->barriers += (lead->u->flags & UOP_BARRIER) != 0;
        if (m->x->out.diverged)
            HOOK(m->sm, branch, slot);
        m->st->followed++, m->st->followed_mem += mem;
        send_member(m, slot, lead, loose, now);
        if (step == STEP_CALL) {
            s->fence |= pos_bit(&fe->ctx[slot]);
            call_system(m, slot, now);
        }
        if (memcmp(&way, &first, sizeof way) != 0)
            bind_differ(fe, (u32)(lead->u - fe->uop), now);
    }
}

/* A narrow warp has the lanes of one word, whichever they are. */
static RARE void follow_part(struct front *fe, u32 slot, const struct uop *u, u32 pc, u32 frame)
{
    const struct wctx *c = &fe->ctx[slot];
    u32 words = c->part->narrow ? fe->words - 1 : 0;

    fe->st->simt_slots -= 32 * words;
    fe->st->other_operands -= u->n_operand * words;
    if (c->w->wide)
        warp_track(c->w, &fe->x->launch->prog->regs[pc], frame & 0xffff);
    parts_issued(fe, slot);
}

/* Who executed it is who could: its lanes are of the running entry, and those that ended too. */
static bool lanes_are_live(const struct front *fe)
{
    const struct exec_out *out = &fe->x->out;

    for (u32 k = 0; k < fe->words; k++)
        if ((out->mask[k] | (out->n_exited ? out->exited[k] : 0)) & ~out->simt[k])
            return false;
    return true;
}

HOT static const struct uop *issue(struct front *fe, struct sched *s, u32 place, u64 now)
{
    u32 slot = s->at[place], pc = next_pc(&fe->ctx[slot]);
    struct wctx *c = &fe->ctx[slot];
    const struct uop *u = next_uop(fe, c);
    u32 frame = c->frame;
    enum step step;

    check(c, c->w && !c->ended && !c->gone && c->ib_n && s->valid & pos_bit(c));
    check(c, !(sched_blocked(s) & pos_bit(c)) && fe->by == fe);
    if (UNLIKELY(fe->mixed))
        kernel_issues(fe, c);
    fe->x->clock = now;
    step = depend_execute(fe, slot);
    check(c, fe->x->out.pc == pc && (step == STEP_FAULT || lanes_are_live(fe)));
    if (u->flags & UOP_CONTROL)
        follow_lanes(fe, c, slot, step);
    if (UNLIKELY(fe->has_lines))
        fe->board.line[kernel_number(c)].issued[pc]++;
    count_issue(fe, u);
    if (LIKELY(step != STEP_FAULT)) {
        struct flight *lead = send_off(fe, slot, u, frame, now);

        if (UNLIKELY(fe->lock.n > 1))
            issue_members(fe, s, slot, lead, now);
    }
    if (step != STEP_GO || u->flags & (UOP_BARRIER | UOP_FENCE))
        follow(fe, slot, u, step, now);
    warp_next(fe, slot);
    if (UNLIKELY(c->parts))
        follow_part(fe, slot, u, pc, frame);
    s->last = place;
    tell_issue(fe->sm, u, pc, c->sched, slot);
    if (UNLIKELY(fe->mixed))
        kernel_issued(fe, c);
    return u;
}

/* sm.issue_width 2: the next instruction of the same warp, if it can go too. */
static void issue_second(struct front *fe, struct sched *s, u32 place, const struct uop *first,
                         u64 now)
{
    u64 bit = (u64)1 << place;
    u32 off;

    if (fe->failed || fe->lock.ending || !(s->valid & bit))
        return;
    depend_second(fe, s, s->at[place], first);
    issue_look(fe, s);
    depend_again(fe, s, bit);
    if (sched_blocked(s) & bit)
        return;
    const struct uop *u = next_uop(fe, &fe->ctx[s->at[place]]);

    if (fe->conf->dual_issue && u->unit == first->unit)
        return;
    if (!is_open(fe, s, u, &off) || !has_flights(fe) || !(has_room(fe, s, u->unit) & bit))
        return;
    issue(fe, s, place, now);
    fe->st->dual_issued++;
}

static void flush_seen(struct front *fe, struct sched *s, u64 seen)
{
    for (u64 m = s->wrong & seen; m; m &= m - 1) {
        u32 slot = s->at[__builtin_ctzll(m)];
        const struct warp *w = fe->ctx[slot].w;

        check(&fe->ctx[slot], w && w->depth);
        fe->st->flushes++;
        warp_flush(fe, slot, w->stack[w->depth - 1].pc);
    }
}

/* ---- why nothing was issued */

/* A warp could issue, but its unit takes nothing. */
static enum stall structural(const struct front *fe, const struct sched *s, u64 ready, u64 off)
{
    const struct subcore *sc = &fe->dp[0]->sub[s->sub];
    u64 oldest = ready & -ready;

    if (oldest & off)
        return STALL_gated;
    for (u32 u = 0; u < N_UNIT; u++) {
        if (!(s->need[u] & oldest))
            continue;
        if (u == UNIT_MEM)
            return sc->exec[u].n || fe->dp[0]->mu->latch != REQ_NONE ? STALL_lsu : STALL_collector;
        if (sc->exec[u].n < sc->exec[u].cap)
            return STALL_collector;
        return u == UNIT_SP    ? STALL_unit_sp
               : u == UNIT_SFU ? STALL_unit_sfu
               : u == UNIT_DP  ? STALL_unit_dp
                               : STALL_unit_tensor;
    }
    return STALL_collector;
}

/* Warps that could issue if no mechanism held them. */
static inline u64 held_alone(const struct sched *s)
{
    return s->valid & s->held & ~sched_waits(s);
}

static enum stall reason(const struct front *fe, const struct sched *s, u64 ready, u64 off)
{
    u64 empty = s->live & ~s->valid & ~s->wrong & ~s->ended & ~s->bar & ~s->fence;

    if (ready)
        return structural(fe, s, ready, off);
    if (UNLIKELY(s->held) && held_alone(s))
        return STALL_held + lever_holder(fe, s, held_alone(s));
    if (s->valid & s->raw_mem)
        return STALL_raw_mem;
    if (s->valid & s->raw)
        return STALL_raw;
    if (s->valid & s->waw)
        return STALL_waw;
    if (s->valid & s->war)
        return STALL_war;
    if (s->atom)
        return STALL_atomic;
    if (s->fence)
        return STALL_fence;
    if (s->meet)
        return STALL_meet;
    if (s->window)
        return STALL_window;
    if (s->wrong)
        return STALL_control;
    if (empty & ~s->imiss)
        return STALL_fetch;
    if (empty)
        return STALL_imiss;
    if (s->bar)
        return STALL_barrier;
    if (s->live)
        return STALL_drain;
    if (UNLIKELY(!fe->on || (fe->by != fe && fe->n_resident)))
        return STALL_off;
    return fe->no_more ? STALL_tail : STALL_no_warp;
}

/* --lines: the instruction of the oldest warp that the reason is about. */
static void blame(const struct front *fe, const struct sched *s, u64 ready, u32 *pc, u8 *kernel)
{
    u64 who = ready                         ? ready
              : held_alone(s)               ? held_alone(s)
              : s->valid & s->raw_mem       ? s->valid & s->raw_mem
              : s->valid & sched_blocked(s) ? s->valid & sched_blocked(s)
              : s->live & ~s->ended         ? s->live & ~s->ended
                                            : 0;

    *pc = PC_NONE;
    if (!who)
        return;
    const struct wctx *c = &fe->ctx[s->at[__builtin_ctzll(who)]];

    *pc = UNLIKELY(fe->depend) && s->valid & pos_bit(c) ? next_pc(c)
                                                        : c->w->stack[c->w->depth - 1].pc;
    *kernel = (u8)kernel_number(c);
}

/* An instruction of a warp that has not issued in this cycle: its place, or NO_PICK. */
static inline u32 issue_one(struct front *fe, struct sched *s, u64 issued, u64 now)
{
    u64 ready = s->valid & ~sched_blocked(s) & ~issued, off = 0, seen = ~0ull;
    u64 can = ready ? with_room(fe, s, ready) : 0;
    u32 p = NO_PICK;

    if (can)
        p = s->policy->pick(s, can, &seen);
    check(fe, is_pick(p, can));
    if (UNLIKELY(fe->dp[0]->unit_shut))
        p = pick_open(fe, s, can, p, &seen, &off);
    if (p == NO_PICK && !issued) {
        s->why.stall = reason(fe, s, ready, off);
        if (UNLIKELY(fe->has_lines))
            blame(fe, s, ready, &s->why.pc, &s->why_of);
    }
    if (s->wrong & seen)
        flush_seen(fe, s, seen);
    if (p == NO_PICK)
        return NO_PICK;
    s->why.stall = STALL_issued;
    const struct uop *u = issue(fe, s, p, now);

    if (fe->issue_width > 1)
        issue_second(fe, s, p, u, now);
    return p;
}

/* sm.picks: the same scheduler issues from other warps as well. */
static void issue_more(struct front *fe, struct sched *s, u32 p, u64 now)
{
    u64 issued = 0;

    for (u32 n = 1; n < fe->picks && p != NO_PICK; n++) {
        issued |= (u64)1 << p;
        if (fe->failed || fe->lock.ending)
            return;
        if (s->dirty)
            issue_look(fe, s);
        p = issue_one(fe, s, issued, now);
        fe->st->more_picked += p != NO_PICK;
    }
}

/* What few machines ask for: sm.picks, and sm.wide_issue, with which a wide instruction holds its scheduler. */
static RARE void issue_specially(struct front *fe, struct sched *s, u64 now)
{
    if (s->busy > now) {
        s->why = (struct why){.stall = STALL_words, .pc = PC_NONE};
        return;
    }
    u32 p = issue_one(fe, s, 0, now);

    if (p != NO_PICK && fe->conf->wide_issue)
        s->busy = now + fe->dp[0]->words;
    issue_more(fe, s, p, now);
}

static void schedule(struct front *fe, struct sched *s, u64 now)
{
    if (s->dirty)
        issue_look(fe, s);
    if (s->policy->look) {
        s->policy->look(s);
        if (s->policy->order)
            s->policy->order(s, now);
    }
    if (UNLIKELY(fe->special))
        issue_specially(fe, s, now);
    else
        issue_one(fe, s, 0, now);
}

void issue_sleep(struct front *fe)
{
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];
        u64 ready = s->valid & ~sched_blocked(s);

        s->asleep.stall = reason(fe, s, ready, 0);
        if (UNLIKELY(fe->has_lines))
            blame(fe, s, ready, &s->asleep.pc, &s->asleep_of);
    }
}

u32 issue_subset(struct front *fe)
{
    u32 types = 0, n = 0, ready[] = {0, 0};

    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];
        u64 active;

        if (s->dirty)
            issue_look(fe, s);
        active = sched_active(s);
        n += (u32)__builtin_popcountll(active);
        for (u32 t = PIPE_INT; t <= PIPE_FP; t++) {
            u64 of_type = sched_of_type(s, active, t);

            types |= (u32) !!of_type << t;
            ready[t] += (u32)__builtin_popcountll(of_type & ~sched_blocked(s));
        }
    }
    for (u32 t = PIPE_INT; t <= PIPE_FP; t++)
        types |= (ready[t] < 3 ? ready[t] : 3) << (SUBSET_READY + 2 * t);
    return types | n << SUBSET_WARPS;
}

static void watch_subset(struct front *fe)
{
    u32 subset = issue_subset(fe);

    if (subset == fe->subset)
        return;
    fe->subset = subset;
    HOOK(fe->sm, subset, subset);
}

/* Members of a lock step are to part: nothing is issued until all is back. */
static void wait_for_unlocking(struct front *fe)
{
    for (u32 k = 0; k < fe->n_sched; k++)
        fe->sched[k].why.stall = fe->sched[k].live ? STALL_drain : reason(fe, &fe->sched[k], 0, 0);
}

/* Members' results that have come to be known. */
static RARE void take_acks(struct front *fe, u64 now)
{
    while (fe->lock.acks.n && ring_head(&fe->lock.acks).at <= now) {
        struct flight *lead = ring_head(&fe->lock.acks).lead;
        u32 slot = lead->slot;

        check(lead, lead->fe == fe && lead->parts);
        ring_pop(&fe->lock.acks);
        memop_ended(lead);
        warp_waited(fe, slot);
    }
}

HOT void issue_step(struct front *fe, u64 now)
{
    u32 n = fe->n_sched, k = (u32)(now + fe->phase) & (n - 1);

    if (UNLIKELY(fe->lock.acks.n))
        take_acks(fe, now);
    if (UNLIKELY(fe->lock.ending) && !bind_has_unlocked(fe, now)) {
        wait_for_unlocking(fe);
        return;
    }
    if (UNLIKELY(fe->lock.beginning))
        bind_has_relocked(fe);
    if (UNLIKELY(fe->parts_due))
        parts_step(fe);
    if (UNLIKELY(n == 3))
        k = (u32)((now + fe->phase) % 3);
    struct sched *s = &fe->sched[k], *end = fe->sched + n;

    for (; n && !fe->failed; n--) {
        schedule(fe, s, now);
        s = s + 1 == end ? fe->sched : s + 1;
    }
    if (UNLIKELY(fe->sm->hooks.armed >> HOOK_subset & 1))
        watch_subset(fe);
}
