/*
 * issue.c -- each scheduler issues an instruction of one of its warps, or says why not.
 *
 * A warp can issue if its next instruction is buffered, no hazard holds it (scoreboard.h), it does
 * not wait for others, and the latch of the unit it needs has room.  Values are computed
 * here (exec_issue); everything behind this stage is time.
 */
#include "sm/sched.h"
#include "sm/scoreboard.h"
#include "sm/stages.h"

/* ---- looking */

static void look_again(struct front *fe, struct sched *s)
{
    u64 todo = s->dirty & s->valid;

    s->dirty = 0;
    for (; todo; todo &= todo - 1) {
        u32 p = (u32)__builtin_ctzll(todo);
        u64 bit = (u64)1 << p;
        const struct wctx *c = &fe->ctx[s->at[p]];
        const struct uop *u = &fe->uop[c->ib_pc];

        scoreboard_check(c, u, s, bit);
        if (UNLIKELY(c->atoms))
            s->atom = u->after_atoms || fe->sm->mu.atom_blocks ? s->atom | bit : s->atom & ~bit;
        for (u32 k = 0; k < N_UNIT; k++)
            s->need[k] &= ~bit;
        s->need[u->unit] |= bit;
        s->need_fp = u->pipe == PIPE_FP ? s->need_fp | bit : s->need_fp & ~bit;
        s->need_flow = u->pipe == PIPE_FLOW ? s->need_flow | bit : s->need_flow & ~bit;
    }
}

static inline bool has_room(struct sm *sm, const struct subcore *sc, u32 unit)
{
    if (hostile(&sm->chance))
        return false;
    if (sc->issue[unit].n >= sc->issue[unit].cap || sm->front.free_flight == NONE16)
        return false;
    return unit != UNIT_MEM || lsu_has_room(&sm->mu);
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

/*
 * If the pipelines for what was picked are shut, they are wanted and the policy picks again among
 * the others.  The places that were held go to *off.
 */
static u32 pick_open(struct sm *sm, struct sched *s, u64 can, u32 p, u64 *seen, u64 *off)
{
    u32 pipe;

    while (p != NO_PICK) {
        const struct uop *u = &sm->front.uop[sm->front.ctx[s->at[p]].ib_pc];

        if (is_open(&sm->front, s, u, &pipe))
            return p;
        HOOK(sm, unit_wanted, pipe);
        *off |= can & of_same_kind(s, p);
        can &= ~of_same_kind(s, p);
        p = can ? s->policy->pick(s, can, seen) : NO_PICK;
    }
    return p;
}

static u64 with_room(struct sm *sm, const struct sched *s, u64 ready)
{
    const struct subcore *sc = &sm->front.dp[0]->sub[s->sub];
    u64 can = 0;

    for (u32 u = 0; u < N_UNIT; u++)
        if (ready & s->need[u] && has_room(sm, sc, u))
            can |= s->need[u];
    return ready & can;
}

/* ---- issuing */

static struct flight *new_flight(struct front *fe)
{
    struct flight *f = &fe->flight[fe->free_flight];

    assert(fe->free_flight != NONE16);
    fe->free_flight = f->next;
    return f;
}

static void count(struct sm *sm, const struct uop *u)
{
    const struct exec *x = sm->x;

    ((u64 *)(void *)&sm->ops)[u->kind] += x->out.n;
    sm->st.reg_read_lanes += u->n_read * x->out.n;
    sm->st.other_operands += u->n_operand;
    sm->st.reg_write_lanes += u->n_write * x->out.n;
    for (u32 k = 0; k < sm->conf->warp_words; k++)
        sm->st.simt_lanes += (u32)__builtin_popcount(x->out.simt[k]);
    sm->st.simt_slots += 32 * sm->conf->warp_words;
    switch (u->unit) {
    case UNIT_SP:
        sm->st.issued_sp++;
        sm->st.issued_fp += u->pipe == PIPE_FP;
        sm->st.issued_fmove += u->pipe == PIPE_FP && (u->cls == CL_MOV || u->cls == CL_LOGIC);
        sm->st.issued_itof += u->pipe == PIPE_INT && u->cls == CL_CVT && u->kind == KIND_fother;
        sm->st.issued_int += u->pipe == PIPE_INT;
        break;
    case UNIT_SFU:
        sm->st.issued_sfu++;
        break;
    case UNIT_DP:
        sm->st.issued_dp++;
        break;
    default:
        sm->st.issued_mem++;
    }
}

/* Warps of the CTA that the last arrival or exit has released. */
static void release_barriers(struct front *fe, const struct cta_slot *cta)
{
    for (u32 i = cta->first; i < (u32)cta->first + cta->n; i++) {
        struct wctx *c = &fe->ctx[i];
        struct sched *s = sched_of(fe, c);
        u64 bit = (u64)1 << c->pos;

        if (!c->w || !(s->bar & bit) || c->w->waiting >= 0)
            continue;
        s->bar &= ~bit;
        warp_next(fe, i);
    }
}

static void end_warp(struct front *fe, struct wctx *c, struct sched *s, u64 bit)
{
    c->ended = true;
    c->ib_n = 0;
    s->ended |= bit;
    s->valid &= ~bit, s->wrong &= ~bit;
    fe->want_fetch &= ~((u64)1 << s->at[c->pos]);
}

/* What the instruction did to the flow: its own warp's and that of others at its barrier. */
static void follow(struct sm *sm, u32 slot, const struct uop *u, enum step step)
{
    struct front *fe = &sm->front;
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    u64 bit = (u64)1 << c->pos;

    switch (step) {
    case STEP_BARRIER:
        s->bar |= bit;
        break;
    case STEP_EXIT:
        end_warp(fe, c, s, bit);
        break;
    case STEP_CALL:
        s->fence |= bit;
        *VEC_ADD(&sm->calls) = (struct sys_call){sm->x->clock, (u16)sm->id, (u16)slot};
        break;
    case STEP_FAULT:
        sm_fail(sm, c->w, c->w->stack[c->w->depth - 1].pc);
        break;
    default:
        break;
    }
    if (u->flags & UOP_BARRIER)
        sm->st.barriers++;
    if (u->flags & UOP_FENCE) {
        c->fenced = true;
        c->fence_sent = false;
        s->fence |= bit;
        warp_waited(fe, slot);
    }
    if (u->flags & UOP_BARRIER || step == STEP_EXIT)
        release_barriers(fe, &fe->slot[c->cta]);
}

static u32 live_lanes(const struct warp *w)
{
    u32 n = 0;

    for (u32 k = 0; k < w->n_word; k++)
        n += (u32)__builtin_popcount(w->word[k].live);
    return n;
}

/* Control flow: a thread that ends empties the buffer of its warp. */
static enum step execute_control(struct sm *sm, struct wctx *c, u32 slot)
{
    u32 live = live_lanes(c->w);
    u64 diverged = sm->x->n.diverged;
    enum step step = exec_issue(sm->x, c->w);

    if (sm->x->n.diverged != diverged)
        HOOK(sm, branch, slot);
    if (step == STEP_GO && live_lanes(c->w) != live)
        c->ib_n = 0;
    return step;
}

static void send_off(struct sm *sm, struct sched *s, u32 slot, const struct uop *u, struct frame f,
                     u64 now)
{
    struct front *fe = &sm->front;
    struct wctx *c = &fe->ctx[slot];
    struct flight *g = new_flight(fe);
    struct latch *l = &fe->dp[0]->sub[s->sub].issue[u->unit];

    g->u = u, g->fe = fe, g->slot = (u16)slot;
    g->age = fe->n_issued++;
    g->lanes = (u8)sm->x->out.n;
    g->row0 = (u16)f.row0, g->pred0 = (u16)f.pred0;
    g->sub = s->sub, g->sched = c->sched;
    g->bank = c->bank;
    g->mem = u->unit == UNIT_MEM ? lsu_make(sm, u, slot, f, s->sub, now) : REQ_NONE;
    l->at[l->n++] = g;
    c->in_flight++;
    scoreboard_reserve(c, u, f);
    if (c->readers)
        scoreboard_read(c, u, f.row0, f.pred0, 1);
}

static const struct uop *issue(struct sm *sm, struct sched *s, u32 place, u64 now)
{
    struct front *fe = &sm->front;
    u32 slot = s->at[place], pc = fe->ctx[slot].ib_pc;
    struct wctx *c = &fe->ctx[slot];
    const struct uop *u = &fe->uop[pc];
    struct frame f = frame_of(c->w);
    enum step step;

    c->ib_pc++, c->ib_n--;
    c->fetch_pc = pc + 1;
    sm->x->clock = now;
    step = u->flags & UOP_CONTROL ? execute_control(sm, c, slot) : exec_issue(sm->x, c->w);
    if (UNLIKELY(sm->line_issued))
        sm->line_issued[pc]++;
    count(sm, u);
    if (LIKELY(step != STEP_FAULT))
        send_off(sm, s, slot, u, f, now);
    if (step != STEP_GO || u->flags & (UOP_BARRIER | UOP_FENCE))
        follow(sm, slot, u, step);
    warp_next(fe, slot);
    s->last = place;
    fe->last_issue = (struct issued){u, pc, c->sched};
    HOOK(sm, issue, slot);
    return u;
}

/* sm.issue_width 2: the next instruction of the same warp, if it can go too. */
static void issue_second(struct sm *sm, struct sched *s, u32 place, const struct uop *first,
                         u64 now)
{
    u64 bit = (u64)1 << place;

    if (sm->failed || !(s->valid & bit))
        return;
    look_again(&sm->front, s);
    if (sched_blocked(s) & bit)
        return;
    const struct uop *u = &sm->front.uop[sm->front.ctx[s->at[place]].ib_pc];

    if (sm->conf->dual_issue && u->unit == first->unit)
        return;
    u32 off;

    if (!is_open(&sm->front, s, u, &off))
        return;
    if (!has_room(sm, &sm->front.dp[0]->sub[s->sub], u->unit))
        return;
    issue(sm, s, place, now);
    sm->st.dual_issued++;
}

static void flush_seen(struct sm *sm, struct sched *s, u64 seen)
{
    for (u64 m = s->wrong & seen; m; m &= m - 1) {
        u32 slot = s->at[__builtin_ctzll(m)];
        const struct warp *w = sm->front.ctx[slot].w;

        sm->st.flushes++;
        warp_flush(&sm->front, slot, w->stack[w->depth - 1].pc);
    }
}

/* ---- why nothing was issued */

/* A warp could issue, but its unit takes nothing. */
static enum stall structural(const struct sm *sm, const struct sched *s, u64 ready, u64 off)
{
    const struct subcore *sc = &sm->front.dp[0]->sub[s->sub];
    u64 oldest = ready & -ready;

    if (oldest & off)
        return STALL_gated;
    for (u32 u = 0; u < N_UNIT; u++) {
        if (!(s->need[u] & oldest))
            continue;
        if (u == UNIT_MEM)
            return sc->exec[u].n || sm->mu.latch != REQ_NONE ? STALL_lsu : STALL_collector;
        if (sc->exec[u].n < sc->exec[u].cap)
            return STALL_collector;
        return u == UNIT_SP ? STALL_unit_sp : u == UNIT_SFU ? STALL_unit_sfu : STALL_unit_dp;
    }
    return STALL_collector;
}

static enum stall reason(const struct sm *sm, const struct sched *s, u64 ready, u64 off)
{
    u64 empty = s->live & ~s->valid & ~s->wrong & ~s->ended & ~s->bar & ~s->fence;

    if (ready)
        return structural(sm, s, ready, off);
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
    return sm->no_more ? STALL_tail : STALL_no_warp;
}

/* --lines: the instruction of the oldest warp that the reason is about. */
static u32 blame(const struct sm *sm, const struct sched *s, u64 ready)
{
    u64 who = ready                         ? ready
              : s->valid & s->raw_mem       ? s->valid & s->raw_mem
              : s->valid & sched_blocked(s) ? s->valid & sched_blocked(s)
              : s->live & ~s->ended         ? s->live & ~s->ended
                                            : 0;

    if (!who)
        return PC_NONE;
    const struct wctx *c = &sm->front.ctx[s->at[__builtin_ctzll(who)]];

    return c->w->stack[c->w->depth - 1].pc;
}

static void schedule(struct sm *sm, struct sched *s, u64 now)
{
    u64 ready, can, off = 0, seen = ~0ull;
    u32 p = NO_PICK;

    if (s->dirty)
        look_again(&sm->front, s);
    if (s->policy->look)
        s->policy->look(s);
    ready = s->valid & ~sched_blocked(s);
    can = ready ? with_room(sm, s, ready) : 0;
    if (can)
        p = s->policy->pick(s, can, &seen);
    if (UNLIKELY(sm->front.dp[0]->unit_shut))
        p = pick_open(sm, s, can, p, &seen, &off);
    if (p == NO_PICK) {
        s->why = reason(sm, s, ready, off);
        if (UNLIKELY(sm->line_stall))
            s->why_pc = blame(sm, s, ready);
    }
    if (s->wrong & seen)
        flush_seen(sm, s, seen);
    if (p == NO_PICK)
        return;
    s->why = STALL_issued;
    const struct uop *u = issue(sm, s, p, now);

    if (sm->conf->issue_width > 1)
        issue_second(sm, s, p, u, now);
}

/* The SM falls asleep: until it wakes, nothing changes. */
void issue_sleep(struct sm *sm)
{
    for (u32 k = 0; k < sm->front.n_sched; k++) {
        struct sched *s = &sm->front.sched[k];
        u64 ready = s->valid & ~sched_blocked(s);

        s->why_asleep = reason(sm, s, ready, 0);
        if (UNLIKELY(sm->line_stall))
            s->asleep_pc = blame(sm, s, ready);
    }
}

u32 sm_subset(struct sm *sm)
{
    u32 types = 0, n = 0, ready[] = {0, 0};

    for (u32 k = 0; k < sm->front.n_sched; k++) {
        struct sched *s = &sm->front.sched[k];
        u64 active;

        if (s->dirty)
            look_again(&sm->front, s);
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

static void watch_subset(struct sm *sm)
{
    u32 subset = sm_subset(sm);

    if (subset == sm->front.subset)
        return;
    sm->front.subset = subset;
    HOOK(sm, subset, subset);
}

/* ---- what schedulers decide together */

/* Instructions that could be issued now and go before those of type `last`. */
static u32 n_before(struct sm *sm, const struct sched *s, u32 last)
{
    u64 can = with_room(sm, s, s->valid & ~sched_blocked(s) & sched_active(s));
    u64 first = sched_of_type(s, can, !last);
    u32 off;

    can &= ~sched_of_type(s, can, last);
    if (first && sm->front.dp[0]->unit_shut &&
        !is_open(&sm->front, s, &sm->front.uop[sm->front.ctx[s->at[__builtin_ctzll(first)]].ib_pc],
                 &off))
        can &= ~first;
    return (u32)__builtin_popcountll(can);
}

/* Section 4.1: INT and FP together only if what goes before does not fill the cycle. */
static bool is_full(struct sm *sm, const struct sched *s)
{
    u32 n = 0;

    for (u32 k = 0; k < s->n_peer; k++)
        n += n_before(sm, &s->peer[k], !s->order->first);
    return n >= s->n_peer;
}

static void order_types(struct sm *sm, u64 now)
{
    struct front *fe = &sm->front;

    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];

        if (s->dirty)
            look_again(fe, s);
        s->policy->look(s);
    }
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];

        if (s->order != &s->own)
            continue;
        s->policy->order(s, now);
        s->own.hold = s->own.strict && s->n_peer > 1 && is_full(sm, s);
    }
}

void issue_step(struct sm *sm, u64 now)
{
    struct front *fe = &sm->front;
    u32 n = fe->n_sched, k = (u32)(now + fe->phase) & (n - 1);

    if (UNLIKELY(n == 3))
        k = (u32)((now + fe->phase) % 3);
    if (UNLIKELY(fe->sched[0].policy->order != NULL))
        order_types(sm, now);
    for (u32 i = 0; i < n && !sm->failed; i++) {
        schedule(sm, &fe->sched[k], now);
        k = k + 1 == n ? 0 : k + 1;
    }
    if (UNLIKELY(sm->hooks.armed >> HOOK_subset & 1))
        watch_subset(sm);
}
