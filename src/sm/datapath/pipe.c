/*
 * pipe.c -- execution pipelines, result buses and write-back.
 *
 * A pipeline takes an instruction if its input is free (the one before has been there for its
 * initiation interval), none that is inside leaves in the same later cycle, and a result
 * bus is free then.  With all of that booked, nothing has to be stepped: the instruction comes
 * back from the wheel when it writes back, latency + 2 cycles after it was taken; sooner by sm.forward, but
 * not before the cycle after: who waits for it gets it on the way, from the end of the pipeline.
 */
#include "sm/datapath/datapath.h"

#include <string.h>

#include "base/hostile.h"
#include "sm/front/depend.h"
#include "sm/front/front.h"
#include "sm/sm.h"

static void add_pipe(struct subcore *sc, struct sm_stat *st, u32 unit, u32 half, u32 cluster)
{
    struct pipeline *p = &sc->pipe[sc->n_pipe++];

    ensure_here(sc->n_pipe <= MAX_PIPES);
    p->unit = (u8)unit, p->half = (u8)half, p->cluster = (u8)cluster;
    p->lanes[PIPE_INT] = cluster & 1 ? &st->sp1_int_lanes : &st->sp0_int_lanes;
    p->lanes[PIPE_FP] = cluster & 1 ? &st->sp1_fp_lanes : &st->sp0_fp_lanes;
}

/* The components that a pipeline is a part of: without sm.sp_split it is both the INT and the FP one. */
static void join_components(struct datapath *dp, const struct pipeline *p, u64 bit)
{
    u64 *pipes = dp->sm->residency.pipes;
    bool odd = p->cluster & 1;

    if (p->unit == UNIT_SFU)
        pipes[COMP_sfu] |= bit;
    else if (p->unit == UNIT_DP)
        pipes[COMP_dp] |= bit;
    else if (p->unit == UNIT_TENSOR)
        pipes[COMP_tensor] |= bit;
    if (p->unit != UNIT_SP || p->half == PIPE_FLOW) /* control has no component */
        return;
    if (p->half == PIPE_INT || !dp->split)
        pipes[odd ? COMP_sp1_int : COMP_sp0_int] |= bit;
    if (p->half == PIPE_FP || !dp->split)
        pipes[odd ? COMP_sp1_fp : COMP_sp0_fp] |= bit;
}

/* One pipeline each for all kinds, or one for INT and one for FP. */
static void add_clusters(struct subcore *sc, struct sm_stat *st, bool split)
{
    for (u32 k = 0; k < sc->n_cluster; k++) {
        memset(sc->sp[k], (int)sc->n_pipe, sizeof sc->sp[k]);
        add_pipe(sc, st, UNIT_SP, PIPE_INT, k);
        if (!split)
            continue;
        sc->sp[k][PIPE_FP] = (u8)sc->n_pipe;
        add_pipe(sc, st, UNIT_SP, PIPE_FP, k);
    }
}

void pipe_init(struct datapath *dp, const struct sm_conf *c)
{
    dp->split = c->sp_split != 0, dp->ports_two = c->sp_ports != 0, dp->choice = (u8)c->sp_choice;
    dp->result_buses = (u32)c->result_buses;
    dp->forward = (u32)c->forward;
    for (u32 i = 0; i < dp->n_sub; i++) {
        struct subcore *sc = &dp->sub[i];

        sc->n_cluster = (u32)c->sp_clusters;
        add_clusters(sc, dp->st, dp->split);
        for (u32 k = 0; k < c->sfu_units; k++)
            add_pipe(sc, dp->st, UNIT_SFU, PIPE_INT, k);
        for (u32 k = 0; k < c->dp_units; k++)
            add_pipe(sc, dp->st, UNIT_DP, PIPE_INT, k);
        for (u32 k = 0; k < c->tensor_units; k++)
            add_pipe(sc, dp->st, UNIT_TENSOR, PIPE_INT, k);
        for (u32 k = 0; k < sc->n_cluster && dp->split && !c->sp_control; k++) {
            sc->sp[k][PIPE_FLOW] = (u8)sc->n_pipe;
            add_pipe(sc, dp->st, UNIT_SP, PIPE_FLOW, k);
        }
        for (u32 k = 0; k < sc->n_pipe; k++)
            join_components(dp, &sc->pipe[k], (u64)1 << (i * MAX_PIPES + k));
    }
}

/* ---- booking ahead */

static void forget(struct subcore *sc, u64 chunk)
{
    u32 at = chunk % (AHEAD / CHUNK);

    memset(&sc->booked[at * CHUNK], 0, CHUNK);
    memset(sc->leaves[at], 0, sizeof sc->leaves[at]);
}

/*
 * Forgets what was booked for chunks that have passed.  What has passed of the present one stays:
 * nobody asks for it, and AHEAD cycles later it will be gone.
 */
static inline void pass_time(struct subcore *sc, u64 now)
{
    u64 to = now / CHUNK;

    if (LIKELY(sc->chunk == to))
        return;
    if (to - sc->chunk > AHEAD / CHUNK)
        sc->chunk = to - AHEAD / CHUNK;
    for (; sc->chunk < to; sc->chunk++)
        forget(sc, sc->chunk);
}

static inline u64 *leaving(struct subcore *sc, u32 i, u64 when)
{
    return &sc->leaves[when / CHUNK % LEN(sc->leaves)][i];
}

static inline bool can_take(struct datapath *dp, struct subcore *sc, u32 i, const struct uop *u,
                            u64 now)
{
    u64 when = now + u->lat;

    check(dp, u->lat < AHEAD - CHUNK);
    if (sc->pipe[i].free_at > now || *leaving(sc, i, when) >> (when % CHUNK) & 1)
        return false;
    if (sc->booked[when % AHEAD] < dp->result_buses)
        return true;
    dp->st->bus_waits++;
    return false;
}

static inline void take(struct datapath *dp, struct subcore *sc, u32 i, struct flight *f, u64 now)
{
    struct pipeline *p = &sc->pipe[i];
    const struct uop *u = f->u;
    u64 when = now + u->lat;

    check(f, pipe_serves(dp, sc, i, u, f->sched) || u->pipe == PIPE_FLOW);
    check(f, p->free_at <= now && f->from <= now);
    p->free_at = now + u->ii;
    if (when > p->empty_at)
        p->empty_at = when;
    *leaving(sc, i, when) |= (u64)1 << (when % CHUNK);
    sc->booked[when % AHEAD]++;
    if (p->unit == UNIT_SP && u->pipe != PIPE_FLOW)
        *p->lanes[u->pipe] += f->lanes;
    else if (UNLIKELY(p->unit == UNIT_TENSOR))
        dp->st->tensor_cycles += u->ii;
    HOOK(dp->sm, execute, (u32)(sc - dp->sub) * MAX_PIPES + i);
    u64 back = when + 2 - dp->forward;

    wheel_at(&dp->wheel, now, back > now ? back : now + 1, f->id);
}

/* ---- execute */

/* Entry e of the latch into pipeline i; true if it went. */
static inline bool offer(struct datapath *dp, u32 sub, u32 i, struct latch *l, u32 e, u64 now)
{
    struct subcore *sc = &dp->sub[sub];

    if (dp->unit_off >> (sub * MAX_PIPES + i) & 1 || hostile(&dp->chance))
        return false;
    if (!can_take(dp, sc, i, l->at[e]->u, now))
        return false;
    take(dp, sc, i, l->at[e], now);
    latch_drop(l, e);
    return true;
}

/* The oldest instruction that cluster k may take, l->n if there is none. */
static u32 entry_for(const struct datapath *dp, const struct subcore *sc, const struct latch *l,
                     u32 k, u64 now)
{
    u32 e = 0;

    while (e < l->n &&
           (l->at[e]->from > now || (dp->choice == 2 && l->at[e]->sched % sc->n_cluster != k)))
        e++;
    return e;
}

/* Cluster k takes an instruction; with two ports one of another kind as well. */
static void feed_cluster(struct datapath *dp, u32 sub, u32 k, u64 now)
{
    struct subcore *sc = &dp->sub[sub];
    struct latch *l = &sc->exec[UNIT_SP];
    u32 taken = 0, ports = dp->split && dp->ports_two ? 2 : 1;

    for (u32 n = 0; n < ports; n++) {
        u32 e = entry_for(dp, sc, l, k, now);

        if (e == l->n)
            return;
        u32 pipe = l->at[e]->u->pipe;

        if (taken >> pipe & 1 || !offer(dp, sub, sc->sp[k][pipe], l, e, now))
            return;
        taken |= 1u << pipe;
    }
}

/* Could a pipeline that is off take the oldest instruction that no other took? */
static void want(struct datapath *dp, u32 sub, u32 unit, u64 now)
{
    struct subcore *sc = &dp->sub[sub];
    const struct flight *f = sc->exec[unit].at[0];

    if (f->from > now)
        return;
    for (u32 i = 0; i < sc->n_pipe; i++) {
        if (!(dp->unit_off >> (sub * MAX_PIPES + i) & 1) || !pipe_serves(dp, sc, i, f->u, f->sched))
            continue;
        if (can_take(dp, sc, i, f->u, now)) {
            HOOK(dp->sm, unit_wanted, sub * MAX_PIPES + i);
            return;
        }
    }
}

static void feed_sp(struct datapath *dp, u32 sub, u64 now)
{
    struct subcore *sc = &dp->sub[sub];
    u32 k = dp->choice == 1 ? sc->next_cluster : 0;

    for (u32 n = 0; n < sc->n_cluster && sc->exec[UNIT_SP].n; n++) {
        u32 before = sc->exec[UNIT_SP].n;

        feed_cluster(dp, sub, k, now);
        k = k + 1 == sc->n_cluster ? 0 : k + 1;
        if (sc->exec[UNIT_SP].n != before)
            sc->next_cluster = (u8)k;
    }
    if (UNLIKELY(dp->unit_off) && sc->exec[UNIT_SP].n)
        want(dp, sub, UNIT_SP, now);
}

static void feed_others(struct datapath *dp, u32 sub, u64 now)
{
    struct subcore *sc = &dp->sub[sub];

    for (u32 i = 0; i < sc->n_pipe; i++) {
        u32 unit = sc->pipe[i].unit;

        if (unit != UNIT_SP && sc->exec[unit].n && sc->exec[unit].at[0]->from <= now)
            offer(dp, sub, i, &sc->exec[unit], 0, now);
    }
    if (UNLIKELY(dp->unit_off) && sc->exec[UNIT_SFU].n)
        want(dp, sub, UNIT_SFU, now);
}

HOT void execute_step(struct datapath *dp, u64 now)
{
    for (u32 i = 0; i < dp->n_sub; i++) {
        struct subcore *sc = &dp->sub[i];

        pass_time(sc, now);
        if (sc->exec[UNIT_SP].n)
            feed_sp(dp, i, now);
        if (sc->exec[UNIT_SFU].n | sc->exec[UNIT_DP].n | sc->exec[UNIT_TENSOR].n)
            feed_others(dp, i, now);
    }
}

/* ---- switching off */

void pipe_switch(struct datapath *dp, u32 pipe, enum power power, u32 cost)
{
    u64 bit = (u64)1 << pipe;

    ensure(dp, pipe < MAX_SUB * MAX_PIPES);
    dp->unit_off = power == POWER_ON ? dp->unit_off & ~bit : dp->unit_off | bit;
    dp->unit_cold = power == POWER_OFF ? dp->unit_cold | bit : dp->unit_cold & ~bit;
    check(dp, !(dp->unit_cold & ~dp->unit_off));
    for (u32 c = COMP_sp0_int; c <= COMP_tensor; c++) {
        u64 pipes = dp->sm->residency.pipes[c], waking = dp->unit_off & ~dp->unit_cold;

        if (pipes & bit)
            residency_set(&dp->sm->residency, (enum component)c,
                          (u32)__builtin_popcountll(dp->unit_cold & pipes),
                          (u32)__builtin_popcountll(waking & pipes), power == POWER_OFF ? cost : 0,
                          dp->sm->now);
    }
}

/* ---- write-back */

static inline void end_instruction(struct flight *lead)
{
    struct front *fe = lead->fe;

    depend_release(fe, lead->slot, lead->u, lead->tag);
    flight_landed(&fe->ctx[lead->slot]);
    warp_waited(fe, lead->slot);
    flight_free(fe->flights, lead);
}

static void end_loose(struct flight *f)
{
    flight_landed(&f->fe->ctx[f->slot]);
    warp_waited(f->fe, f->slot);
    flight_free(f->fe->flights, f);
}

/* One of several flights of an instruction, which has ended when all of them have. */
static RARE void end_part(struct flight *f)
{
    struct flight *lead = f->lead;
    struct flights *p = lead->fe->flights;

    if (f->loose) {
        end_loose(f);
        return;
    }
    check(f, lead->parts && lead->fe == f->fe->by);
    if (f == lead)
        p->held++;
    else
        flight_free(p, f);
    if (--lead->parts)
        return;
    check(lead, p->held);
    p->held--;
    end_instruction(lead);
}

static inline void retire(struct flight *f)
{
    u32 written = 0;

    check(f, !f->wait && f->mem == REQ_NONE);
    /* A result bus never waits for a bank. */
    collector_write(f->dp, &f->dp->sub[f->sub], f->u, f->bank, f->dp->words, &written);
    if (LIKELY(f->alone))
        end_instruction(f);
    else
        end_part(f);
}

HOT void writeback_step(struct datapath *dp, u64 now)
{
    u32 e;

    while ((e = wheel_take(&dp->wheel, now)) != WHEEL_NIL)
        retire(&dp->flights->at[e]);
}
