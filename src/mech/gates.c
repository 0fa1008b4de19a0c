/*
 * gates.c -- Warped Gates: power gating of the INT and FP pipelines, and a scheduler that makes
 * them idle for longer.  (Abdel-Majeed, Wong and Annavaram, MICRO 2013)
 *
 * Every pipeline has a gate:
 *
 *     ON --- idle for idle_detect cycles ---> OFF --- wanted ---> WAKING --- wakeup cycles ---> ON
 *
 * OFF is uncompensated for break_even cycles, in which its leakage saved no more than switching
 * cost, then compensated.  The variants, each with what the one before it has:
 *
 *     conv_pg       the gate as drawn; the GPU's own scheduler
 *     gates         the scheduler `gates` (gates_sched.h)
 *     naive         Blackout: not switched on before break_even
 *     coordinated   the last cluster of a type that is on goes off at once when no active warp has
 *                   an instruction of that type, and never while one has; the scheduler lets the
 *                   other type go first while all clusters of the first are in Blackout
 *     warped        idle_detect adapts to the number of critical wake-ups, INT and FP apart
 *
 * A pipeline is wanted when the scheduler would issue to it or when an instruction in front of it
 * finds the others of its type taken (issue.c, pipe.c).  One that an issued instruction is on its
 * way to is held: it is not switched off, and its idle period has ended.  With `ready` a ready instruction of its type that is not issued yet
 * holds and wakes it too: one pipeline for each (`each`), or all of them (`both`).  An SM without a
 * CTA has all its pipelines on and counts nothing: the paper's savings are those of SMs that work.
 */
#include "mech/gates_sched.h"
#include "mech/mech.h"

#define SHEET_DEF "mech/gates.def"
struct gates_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/gates.def"
struct gates_stat {
#include "base/sheet_stats.inc"
};

#define SHEET gates
#define SHEET_DEF "mech/gates.def"
#define SHEET_DOC "Warped Gates: power gating of execution units, and a scheduler that helps it"
extern const struct sheet gates_sheet;
#include "base/sheet_table.inc"

enum variant { CONV_PG, GATES, NAIVE, COORDINATED, WARPED };
enum type { TYPE_INT = PIPE_INT, TYPE_FP = PIPE_FP, TYPE_SFU, N_TYPE };

enum { READY_NONE, READY_EACH, READY_BOTH };
enum { MAX_UNITS = MAX_SUB * MAX_PIPES, NO_UNIT = 0xff };

_Static_assert(2 * MAX_UNITS <= MECH_TIMERS, "two timers for each pipeline");

#define NEVER UINT64_MAX

struct unit_stat { /* of one type, as UNIT_STATS declares them */
    u64 busy, uncompensated, compensated, waking, gatings, wakeups, critical;
    u64 idle_short, idle_middle, idle_long, longer, shorter;
};

struct alarm {
    u64 due;
    bool armed;
};

struct gate { /* a pipeline and its gate */
    u8 pipe;  /* sub * MAX_PIPES + pipeline */
    u8 type, power;
    bool black;        /* in Blackout */
    u64 since;         /* in this state */
    u64 counted;       /* its cycles up to here are in the counters */
    bool held;         /* an issued instruction is on its way to it, or it is being switched on */
    u64 busy_to;       /* what was inside leaves */
    u64 idle_from;     /* .. and nothing was on its way: an idle period begins */
    struct alarm idle; /* it may be time to switch off */
    struct alarm wake; /* Blackout or waking ends */
};

struct adaptive { /* idle detect of one type */
    u64 epoch;
    u32 detect, critical, quiet;
};

struct gates { /* of one SM */
    struct gates_conf conf;
    struct gates_stat st;
    u32 timer0;
    u32 n_unit;
    struct gate unit[MAX_UNITS];
    u8 unit_of[MAX_SUB * MAX_PIPES];
    struct adaptive adaptive[N_TYPE];
    u32 coming[MAX_SUB * MAX_PIPES]; /* issued, not yet executed: by pipe_slot */
    bool running;                    /* has a CTA */
    u64 run_since, active_since;
    u32 n_active;      /* warps, since active_since */
    u32 n_ready[2];    /* of INT and FP: ready instructions, 3: three or more */
    u64 last_ready[2]; /* cycle in which their number was higher for the last time */
};

static struct unit_stat *stat_of(struct gates *g, u32 type)
{
    _Static_assert(offsetof(struct gates_stat, fp_busy) - offsetof(struct gates_stat, int_busy) ==
                           sizeof(struct unit_stat) &&
                       offsetof(struct gates_stat, sfu_shorter) ==
                           offsetof(struct gates_stat, sfu_busy) +
                               offsetof(struct unit_stat, shorter),
                   "struct unit_stat is not what gates.def says");
    return (struct unit_stat *)(void *)&g->st.int_busy + type;
}

static const struct pipeline *pipeline_of(const struct sm *sm, const struct gate *u)
{
    return &sm->dp->sub[u->pipe / MAX_PIPES].pipe[u->pipe % MAX_PIPES];
}

static bool has_blackout(const struct gates *g, const struct gate *u)
{
    return g->conf.variant >= NAIVE && u->type != TYPE_SFU;
}

static bool is_coordinated(const struct gates *g, const struct gate *u)
{
    return g->conf.variant >= COORDINATED && u->type != TYPE_SFU;
}

static bool are_peers(const struct gate *a, const struct gate *b)
{
    return a->type == b->type && a->pipe / MAX_PIPES == b->pipe / MAX_PIPES;
}

/* ---- timers: two for each unit */

static void arm_alarm(struct gates *g, struct sm *sm, u32 timer, struct alarm *a)
{
    enum { LONGEST = WHEEL - 1 };
    u64 delay = a->due - sm->now;

    a->armed = true;
    sm_timer(sm, g->timer0 + timer, sm->now, delay < LONGEST ? delay : LONGEST);
}

/* An alarm that is armed already comes earlier, and then again. */
static void set_alarm(struct gates *g, struct sm *sm, struct gate *u, struct alarm *a, u64 due)
{
    a->due = due;
    if (!a->armed)
        arm_alarm(g, sm, (u32)(u - g->unit) * 2 + (a == &u->wake), a);
}

/* ---- accounts */

/* The cycles of a unit since it was counted last, up to `now` (exclusive). */
static void count_unit(struct gates *g, struct gate *u, u64 now)
{
    struct unit_stat *st = stat_of(g, u->type);
    u64 paid = u->since + g->conf.break_even;

    if (u->power == POWER_OFF) {
        u64 from = u->counted < paid ? u->counted : paid, to = now < paid ? now : paid;

        st->uncompensated += to > from ? to - from : 0;
        st->compensated += now - u->counted - (to > from ? to - from : 0);
    } else if (u->power == POWER_WAKING) {
        st->waking += now - u->counted;
    }
    u->counted = now;
}

/* Nothing is issued for it in Blackout; when it is just off, as at_issue says. */
static void set_shut(const struct gates *g, struct sm *sm, const struct gate *u)
{
    pipe_shut(sm->dp, u->pipe, u->black || (u->power != POWER_ON && g->conf.at_issue));
}

static void count_active(struct gates *g, u64 now)
{
    g->st.active_warps += g->n_active * (now - g->active_since);
    g->active_since = now;
}

static void count_idle_period(struct gates *g, struct gate *u, u64 length)
{
    struct unit_stat *st = stat_of(g, u->type);

    if (length <= g->conf.idle_detect)
        st->idle_short++;
    else if (length < g->conf.idle_detect + g->conf.break_even)
        st->idle_middle++;
    else
        st->idle_long++;
}

/* ---- what is on its way to a pipeline; idle periods */

/*
 * Where instructions wait for a pipeline: of their type, or of its own if schedulers have clusters.
 */
static u32 pipe_slot(const struct sm *sm, const struct gate *u)
{
    u32 first = u->pipe / MAX_PIPES * MAX_PIPES;

    if (u->type == TYPE_SFU)
        return first + MAX_PIPES - 1;
    return sm->dp->choice == 2 ? u->pipe : first + u->type;
}

/* Is an issued instruction on its way to it?  Of several that are on the first gets it. */
static bool is_held(const struct gates *g, const struct sm *sm, const struct gate *u)
{
    if (!g->coming[pipe_slot(sm, u)] || u->power == POWER_OFF)
        return false;
    if (sm->dp->choice == 2 && u->type != TYPE_SFU)
        return true;
    for (const struct gate *v = g->unit; v < u; v++)
        if (are_peers(u, v) && v->power == POWER_ON)
            return false;
    return true;
}

/*
 * An idle period ends when the pipeline is held or being switched on, and begins anew, its idle-detect
 * with it, when it no longer is and nothing has entered.
 */
static void mark_held(struct gates *g, const struct sm *sm, struct gate *u)
{
    bool held = u->power == POWER_WAKING || is_held(g, sm, u);

    if (held == u->held)
        return;
    u->held = held;
    if (!held)
        u->idle_from = u->busy_to > sm->now ? u->busy_to : sm->now;
    else if (sm->now > u->idle_from)
        count_idle_period(g, u, sm->now - u->idle_from);
}

static void mark_peers(struct gates *g, const struct sm *sm, const struct gate *u)
{
    for (u32 i = 0; i < g->n_unit; i++)
        if (are_peers(u, &g->unit[i]))
            mark_held(g, sm, &g->unit[i]);
}

static void enter_power(struct gates *g, struct sm *sm, struct gate *u, enum power power)
{
    count_unit(g, u, sm->now);
    u->power = (u8)power;
    u->since = sm->now;
    pipe_switch(sm->dp, u->pipe, power, (u32)g->conf.break_even);
    set_shut(g, sm, u);
    mark_peers(g, sm, u);
}

/* ---- adaptive idle detect */

static void end_epoch(const struct gates_conf *c, struct adaptive *a, struct unit_stat *st)
{
    bool over = a->critical > c->threshold;

    a->epoch++;
    a->critical = 0;
    a->quiet = over ? 0 : a->quiet + 1;
    if (over && a->detect < c->detect_max) {
        a->detect++;
        st->longer++;
    } else if (a->quiet == c->quiet_epochs) {
        a->quiet = 0;
        if (a->detect <= c->detect_min)
            return;
        a->detect--;
        st->shorter++;
    }
}

/* Epochs that have ended meanwhile. */
static void catch_up(struct gates *g, u32 type, u64 now)
{
    struct adaptive *a = &g->adaptive[type];
    u64 epoch = now / g->conf.epoch;

    if (g->conf.variant != WARPED || type == TYPE_SFU)
        return;
    while (a->epoch < epoch) {
        if (a->detect <= g->conf.detect_min && !a->critical && !a->quiet) {
            a->quiet = (u32)((epoch - a->epoch) % g->conf.quiet_epochs); /* nothing else changes */
            a->epoch = epoch;
            return;
        }
        end_epoch(&g->conf, a, stat_of(g, type));
    }
}

/* ---- switching off */

/*
 * How many pipelines of a type its ready instructions hold on and wake.
 * MODEL: all schedulers' instructions count, also with sub-cores and with a cluster for each.
 */
static u32 n_served(const struct gates *g, u32 type)
{
    if (type == TYPE_SFU || !g->conf.ready || !g->n_ready[type])
        return 0;
    return g->conf.ready == READY_BOTH ? MAX_UNITS : g->n_ready[type];
}

/* Of those that are on the first are held. */
static bool is_served(const struct gates *g, const struct gate *u)
{
    u32 before = 0;

    for (const struct gate *v = g->unit; v < u; v++)
        before += are_peers(u, v) && v->power != POWER_OFF;
    return before < n_served(g, u->type);
}

/* The only one of its type that is on, of several. */
static bool is_last(const struct gates *g, const struct gate *u)
{
    u32 others = 0;

    for (u32 i = 0; i < g->n_unit; i++) {
        const struct gate *v = &g->unit[i];

        if (v == u || !are_peers(u, v))
            continue;
        if (v->power == POWER_ON)
            return false;
        others++;
    }
    return others;
}

static u64 idle_since(const struct gates *g, const struct gate *u)
{
    u64 since = u->idle_from;

    if (g->conf.ready && u->type != TYPE_SFU && g->last_ready[u->type] > since)
        since = g->last_ready[u->type];
    return since > u->since ? since : u->since;
}

/* When it goes off if nothing else happens. */
static u64 off_due(struct gates *g, struct sm *sm, const struct gate *u)
{
    u64 since = idle_since(g, u);

    if (u->power != POWER_ON || !g->running || u->held || !g->conf.idle_detect)
        return NEVER;
    if (is_served(g, u))
        return NEVER;
    if (is_coordinated(g, u) && is_last(g, u))
        return issue_subset(sm->front) >> u->type & 1 ? NEVER : since;
    return since + g->adaptive[u->type].detect;
}

/* Tells the schedulers which types have all their pipelines in Blackout. */
static void tell_dark(const struct gates *g, struct sm *sm)
{
    for (u32 k = 0; k < sm->front->n_sched; k++) {
        u8 dark = 1 << TYPE_INT | 1 << TYPE_FP, *told = gates_sched_dark(sm->front, k);

        for (u32 i = 0; i < g->n_unit; i++) {
            const struct gate *u = &g->unit[i];

            if (u->pipe / MAX_PIPES == sm->front->sched[k].sub && !u->black)
                dark &= (u8) ~(1u << u->type);
        }
        if (told)
            *told = dark;
    }
}

static void look_at_peers(struct gates *g, struct sm *sm, const struct gate *u);

static void switch_off(struct gates *g, struct sm *sm, struct gate *u)
{
    assert(!is_coordinated(g, u) || !is_last(g, u) || !(issue_subset(sm->front) >> u->type & 1));
    enter_power(g, sm, u, POWER_OFF);
    stat_of(g, u->type)->gatings++;
    if (has_blackout(g, u) && g->conf.break_even) {
        u->black = true;
        set_shut(g, sm, u);
        set_alarm(g, sm, u, &u->wake, sm->now + g->conf.break_even);
    }
    if (is_coordinated(g, u)) {
        tell_dark(g, sm);
        look_at_peers(g, sm, u);
    }
}

/* Is it time to switch it off?  If that will be later, look again then. */
static void look_at_unit(struct gates *g, struct sm *sm, struct gate *u)
{
    catch_up(g, u->type, sm->now);
    u64 due = off_due(g, sm, u), since = idle_since(g, u);

    if (due == NEVER)
        return;
    if (due <= sm->now) {
        switch_off(g, sm, u);
        return;
    }
    if (is_coordinated(g, u) && since > sm->now)
        due = since; /* it may become the last one on */
    if (g->conf.variant == WARPED) {
        u64 next = (sm->now / g->conf.epoch + 1) * g->conf.epoch;

        due = due < next ? due : next;
    }
    set_alarm(g, sm, u, &u->idle, due);
}

static void look_at_peers(struct gates *g, struct sm *sm, const struct gate *u)
{
    for (u32 i = 0; i < g->n_unit; i++)
        if (&g->unit[i] != u && are_peers(u, &g->unit[i]))
            look_at_unit(g, sm, &g->unit[i]);
}

/* ---- switching on */

static void switch_on(struct gates *g, struct sm *sm, struct gate *u)
{
    enter_power(g, sm, u, POWER_ON);
    look_at_unit(g, sm, u);
    look_at_peers(g, sm, u); /* what was on its way to one of them may be for this one now */
}

static void wake(struct gates *g, struct sm *sm, struct gate *u)
{
    struct unit_stat *st = stat_of(g, u->type);

    assert(!has_blackout(g, u) || sm->now >= u->since + g->conf.break_even);
    st->wakeups++;
    if (has_blackout(g, u) && sm->now == u->since + g->conf.break_even) {
        catch_up(g, u->type, sm->now);
        st->critical++;
        g->adaptive[u->type].critical++;
    }
    enter_power(g, sm, u, POWER_WAKING);
    if (g->conf.wakeup)
        set_alarm(g, sm, u, &u->wake, sm->now + g->conf.wakeup);
    else
        switch_on(g, sm, u);
}

/*
 * A pipeline like this one is wanted: one that may be switched on is, unless one already is.  For
 * an instruction that has just been issued one that is on will do.
 */
static void want(struct gates *g, struct sm *sm, u32 pipe, bool issued)
{
    struct gate *u = &g->unit[g->unit_of[pipe]], *found = NULL;
    bool only = sm->dp->choice == 2 && u->type != TYPE_SFU;

    for (u32 i = 0; i < g->n_unit; i++) {
        struct gate *v = &g->unit[i];

        if (v != u && (only || !are_peers(u, v)))
            continue;
        if (v->power == POWER_WAKING || (issued && v->power == POWER_ON))
            return;
        if (!found && v->power == POWER_OFF && !v->black)
            found = v;
    }
    if (found)
        wake(g, sm, found);
}

/* Wakes as many pipelines of a sub-core as the ready instructions want and Blackout lets. */
static void serve_ready(struct gates *g, struct sm *sm, u32 type)
{
    for (u32 i = 0; i < g->n_unit && g->running; i++) {
        struct gate *u = &g->unit[i];

        if (u->type == type && u->power == POWER_OFF && !u->black && is_served(g, u))
            wake(g, sm, u);
    }
}

static void on_unit_wanted(void *self, struct sm *sm, u32 pipe)
{
    const struct gates *g = self;

    if (g->unit_of[pipe] != NO_UNIT) /* not one that another mechanism has switched off */
        want(self, sm, pipe, false);
}

/* ---- other events */

static void on_timer(void *self, struct sm *sm, u32 timer)
{
    struct gates *g = self;
    u32 k = timer - g->timer0;

    if (timer < g->timer0 || k >= MECH_TIMERS)
        return;
    struct gate *u = &g->unit[k / 2];
    struct alarm *a = k & 1 ? &u->wake : &u->idle;

    a->armed = false;
    if (a->due > sm->now) {
        arm_alarm(g, sm, k, a);
    } else if (a == &u->idle) {
        look_at_unit(g, sm, u);
    } else if (u->power == POWER_WAKING) {
        switch_on(g, sm, u);
    } else if (u->black) {
        u->black = false;
        set_shut(g, sm, u);
        if (is_coordinated(g, u))
            tell_dark(g, sm);
        serve_ready(g, sm, u->type);
    }
}

/* The first pipeline that can get what was issued. */
static u32 pipe_for(const struct sm *sm, const struct issued *i)
{
    u32 sub = sm->front->sched[i->sched].sub, p = 0;

    while (!pipe_serves(sm->dp, &sm->dp->sub[sub], p, i->u, i->sched))
        p++;
    return sub * MAX_PIPES + p;
}

static void on_issue(void *self, struct sm *sm, u32 slot)
{
    struct gates *g = self;
    const struct issued *i = &sm->front->last_issue;

    (void)slot;
    if (i->u->unit != UNIT_SP && !(i->u->unit == UNIT_SFU && g->conf.sfu))
        return;
    if (i->u->unit == UNIT_SP && i->u->pipe == PIPE_FLOW)
        return;
    u32 pipe = pipe_for(sm, i);

    g->coming[pipe_slot(sm, &g->unit[g->unit_of[pipe]])]++;
    want(g, sm, pipe, true);
    mark_peers(g, sm, &g->unit[g->unit_of[pipe]]);
}

static void on_execute(void *self, struct sm *sm, u32 pipe)
{
    struct gates *g = self;
    struct gate *u = g->unit_of[pipe] == NO_UNIT ? NULL : &g->unit[g->unit_of[pipe]];

    if (!u)
        return;
    u32 slot = pipe_slot(sm, u);
    const struct pipeline *p = pipeline_of(sm, u);
    u64 until = g->conf.idle ? p->free_at : p->empty_at, from = u->busy_to;

    if (!u->held && sm->now > u->idle_from)
        count_idle_period(g, u, sm->now - u->idle_from);
    stat_of(g, u->type)->busy += until - (sm->now > from ? sm->now : from);
    u->idle_from = u->busy_to = until;
    if (!--g->coming[slot]) {
        mark_peers(g, sm, u);
        look_at_peers(g, sm, u);
    }
    if (!u->idle.armed)
        look_at_unit(g, sm, u);
}

/* Fewer are ready: idle cycles of those that are held no longer count from now on. */
static void note_ready(struct gates *g, struct sm *sm, u32 subset, u32 type)
{
    u32 n = subset_ready(subset, type), was = g->n_ready[type];

    g->n_ready[type] = n;
    if (!g->conf.ready || n == was)
        return;
    if (n > was) {
        serve_ready(g, sm, type);
        return;
    }
    g->last_ready[type] = sm->now;
    for (u32 i = 0; i < g->n_unit; i++)
        if (g->unit[i].type == type)
            look_at_unit(g, sm, &g->unit[i]);
}

static void on_subset(void *self, struct sm *sm, u32 subset)
{
    struct gates *g = self;

    count_active(g, sm->now);
    g->n_active = subset >> SUBSET_WARPS;
    note_ready(g, sm, subset, TYPE_INT);
    note_ready(g, sm, subset, TYPE_FP);
    for (u32 i = 0; i < g->n_unit && g->conf.variant >= COORDINATED; i++)
        if (!(subset >> g->unit[i].type & 1) && g->unit[i].type != TYPE_SFU)
            look_at_unit(g, sm, &g->unit[i]);
}

/* ---- SMs with and without work */

/* The gated pipelines of a sub-core; sm.sp_split puts INT and FP of a cluster side by side. */
static void add_units(struct gates *g, const struct sm *sm, u32 sub)
{
    for (u32 i = 0; i < sm->dp->sub[sub].n_pipe; i++) {
        const struct pipeline *p = &sm->dp->sub[sub].pipe[i];
        u32 pipe = sub * MAX_PIPES + i;

        g->unit_of[pipe] = NO_UNIT;
        if (p->unit != UNIT_SP && !(p->unit == UNIT_SFU && g->conf.sfu))
            continue;
        if (p->unit == UNIT_SP && p->half == PIPE_FLOW)
            continue;
        g->unit_of[pipe] = (u8)g->n_unit;
        g->unit[g->n_unit++] = (struct gate){
            .pipe = (u8)pipe, .type = (u8)(p->unit == UNIT_SP ? p->half : (u32)TYPE_SFU)};
    }
}

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct gates *g = self;

    (void)arg;
    if (g->n_unit)
        return;
    for (u32 i = 0; i < sm->dp->n_sub; i++)
        add_units(g, sm, i);
    for (u32 t = 0; t < N_TYPE; t++)
        g->adaptive[t].detect = (u32)g->conf.idle_detect;
    if (g->conf.variant != CONV_PG)
        gates_sched_use(sm->front, g->conf.max_switch);
}

static void on_cta_begin(void *self, struct sm *sm, u32 slot)
{
    struct gates *g = self;

    (void)slot;
    if (g->running)
        return;
    g->running = true;
    g->run_since = g->active_since = sm->now;
    for (u32 i = 0; i < g->n_unit; i++) {
        struct gate *u = &g->unit[i];

        u->since = u->counted = u->busy_to = u->idle_from = sm->now;
        look_at_unit(g, sm, u);
    }
}

/* Closes the accounts at `now`, exclusively. */
static void settle(struct gates *g, u64 now)
{
    for (u32 i = 0; i < g->n_unit; i++)
        count_unit(g, &g->unit[i], now);
    count_active(g, now);
    g->st.cycles += now - g->run_since;
    g->run_since = now;
}

/* A launch that is cut short leaves SMs with work. */
static void on_kernel_end(void *self, struct sm *sm, u32 arg)
{
    struct gates *g = self;

    (void)arg;
    if (g->running)
        settle(g, sm->front->last);
}

static void on_cta_end(void *self, struct sm *sm, u32 slot)
{
    struct gates *g = self;

    (void)slot;
    if (sm->front->n_cta)
        return;
    g->running = false;
    for (u32 i = 0; i < g->n_unit; i++) {
        struct gate *u = &g->unit[i];

        if (u->power != POWER_ON)
            u->black = false;
        enter_power(g, sm, u, POWER_ON);
    }
    tell_dark(g, sm);
    count_active(g, sm->now + 1);
    g->st.cycles += sm->now + 1 - g->run_since;
}

/* ---- the mechanism */

static bool pipes_fit(const void *conf, const struct mech_gpu *gpu, struct err *e)
{
    const struct gates_conf *c = conf;

    if (!gpu->sm->sp_split)
        return err_set(
            e, "INT and FP have one pipeline; it needs sm.sp_split=on, as GPU gates has it");
    if (c->detect_min > c->detect_max)
        return err_set(e, "detect_min is above detect_max");
    return true;
}

/* Section 7.5: the counters of GATES and Blackout, synthesised. */
static double counters_mm2(const void *conf, const struct mech_cost_of *of)
{
    (void)of;
    return ((const struct gates_conf *)conf)->variant == CONV_PG ? 0 : 1210.8e-6;
}

static void counters_power(const void *conf, const struct mech_cost_of *of, double *dynamic_w,
                           double *static_w)
{
    (void)of;
    if (((const struct gates_conf *)conf)->variant == CONV_PG)
        return;
    *dynamic_w += 1.55e-3;
    *static_w += 1.21e-5;
}

const struct mech mech_gates = {
    .name = "gates",
    .doc = "Warped Gates: power gating of INT and FP pipelines, and a scheduler that helps it",
    .sheet = &gates_sheet,
    .size = sizeof(struct gates),
    .conf = offsetof(struct gates, conf),
    .stat = offsetof(struct gates, st),
    .conf_size = sizeof(struct gates_conf),
    .stat_size = sizeof(struct gates_stat),
    .timer0 = offsetof(struct gates, timer0),
    .area_mm2 = counters_mm2,
    .power = counters_power,
    .fits = pipes_fit,
    .on_kernel_begin = on_kernel_begin,
    .on_kernel_end = on_kernel_end,
    .on_cta_begin = on_cta_begin,
    .on_cta_end = on_cta_end,
    .on_issue = on_issue,
    .on_execute = on_execute,
    .on_unit_wanted = on_unit_wanted,
    .on_subset = on_subset,
    .on_timer = on_timer,
};
