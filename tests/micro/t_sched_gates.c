/* t_sched_gates.c -- the scheduler of Warped Gates: its order, and what it does to idle periods. */
#include "mech/gates_sched.h"
#include "sm/sm.h"
#include "tests/micro/timed.h"

/* ---- the scheduler, by itself */

/* A front end of one scheduler, with ten warps. */
struct ten {
    struct front fe;
    u64 cycle; /* a decision in each */
};

static struct sched *ten_warps(struct ten *t, u64 ints, u64 longest)
{
    memset(t, 0, sizeof *t);
    t->fe.n_sched = 1;
    gates_sched_use(&t->fe, longest);
    struct sched *s = &t->fe.sched[0];

    s->active_max = 32;
    s->last = 64;
    s->live = s->valid = s->need[UNIT_SP] = 0x3ff;
    s->need_fp = 0x3ff & ~ints;
    return s;
}

static void ten_free(struct ten *t)
{
    free(t->fe.sched[0].own);
}

static void decide(struct ten *t)
{
    struct sched *s = &t->fe.sched[0];

    s->policy->look(s);
    s->policy->order(s, t->cycle++);
}

static u32 pick(struct sched *s, u64 ready)
{
    u64 seen;
    u32 p = s->policy->pick(s, ready, &seen);

    s->last = p < 64 ? p : s->last;
    return p;
}

static u32 next_pick(struct ten *t, u64 ready)
{
    decide(t);
    return pick(&t->fe.sched[0], ready);
}

static void order_changes_when_a_type_is_used_up(void **state)
{
    struct ten t;
    struct sched *s = ten_warps(&t, 0x003, 0);

    (void)state;
    assert_int_equal(next_pick(&t, 0x3ff), 0);
    assert_int_equal(next_pick(&t, 0x3fe), 1);
    assert_int_equal(next_pick(&t, 0x3fc), 2); /* INT waits, but is not ready: FP fills the gap */
    assert_int_equal(pick(s, 0x3f9), 0);       /* and goes last */
    s->valid &= ~(u64)3;                       /* no warp has INT any more */
    assert_int_equal(next_pick(&t, 0x3f8), 3);
    s->valid |= 3;
    assert_int_equal(next_pick(&t, 0x3f3), 4); /* FP goes on being first */
    ten_free(&t);
}

static void order_changes_in_the_dark(void **state)
{
    struct ten t;

    (void)state;
    ten_warps(&t, 0x01f, 0);
    *gates_sched_dark(&t.fe, 0) = 1 << PIPE_INT;
    assert_int_equal(next_pick(&t, 0x3ff), 5);
    *gates_sched_dark(&t.fe, 0) = 1 << PIPE_INT | 1 << PIPE_FP; /* no use in changing */
    assert_int_equal(next_pick(&t, 0x3ff), 6);
    ten_free(&t);
}

/* Section 4: a longest time, whatever is issued in it. */
static void order_changes_after_max_switch(void **state)
{
    struct ten t;
    struct sched *s = ten_warps(&t, 0x01f, 2);

    (void)state;
    assert_int_equal(next_pick(&t, 0x3ff), 0);
    assert_int_equal(next_pick(&t, 0x3ff), 1);
    assert_int_equal(next_pick(&t, 0x3ff), 5);
    s->raw = 0x01f; /* no INT is ready: FP goes on being first */
    t.cycle += 7;
    assert_int_equal(next_pick(&t, 0x3e0), 6);
    assert_int_equal(pick(s, 0x3ff), 7);
    ten_free(&t);
}

/* With sm.sp_control=apart control is no type; it is issued before the type that goes last. */
static void control_does_not_wait_for_its_turn(void **state)
{
    struct ten t;
    struct sched *s = ten_warps(&t, 0x003, 0);

    (void)state; /* 0 1 INT, 2 control, the others FP */
    s->need_flow = 0x004, s->need_fp = 0x3f8;
    assert_int_equal(next_pick(&t, 0x3ff), 0);
    assert_int_equal(next_pick(&t, 0x3fe), 1);
    assert_int_equal(next_pick(&t, 0x3fc), 2);
    assert_int_equal(next_pick(&t, 0x3f8), 3);
    s->valid = 0x3fc; /* INT is used up; the branch does not count as INT */
    decide(&t);
    s->valid = 0x3ff;
    assert_int_equal(pick(s, 0x3ff), 4); /* FP goes first */
    ten_free(&t);
}

static void memory_and_special_functions_go_between(void **state)
{
    struct ten t;
    struct sched *s = ten_warps(&t, 0x00f, 0);

    (void)state; /* 0 .. 3 INT, 4 5 FP, 6 7 SFU, 8 9 memory */
    s->need[UNIT_SP] = 0x03f, s->need[UNIT_SFU] = 0x0c0, s->need[UNIT_MEM] = 0x300;
    static const u32 order[] = {0, 1, 2, 3, 8, 9, 6, 7, 4, 5};
    u64 ready = 0x3ff;

    for (u32 i = 0; i < LEN(order); i++) {
        assert_int_equal(next_pick(&t, ready), order[i]);
        ready &= ~((u64)1 << order[i]);
    }
    ten_free(&t);
}

/* ---- Fig. 4 in kind */

enum { MAX_EVENTS = 1024 };

struct event {
    u64 cycle;
    u32 type; /* of the pipeline that takes an instruction */
};

static struct events {
    u32 n;
    struct event at[MAX_EVENTS];
} events;

static void record(void *self, struct sm *sm, u32 pipe)
{
    struct events *v = self;
    const struct pipeline *p = &sm->dp->sub[0].pipe[pipe];

    if (v->n < MAX_EVENTS && p->unit == UNIT_SP && p->half != PIPE_FLOW)
        v->at[v->n].cycle = sm->now, v->at[v->n++].type = p->half;
}

/*
 * Ten warps wait at a barrier, then each has one addition, whose result its next instruction needs:
 *
 *     warp   0 1 2 3 4 5 6 7 8 9
 *            I I F I F I I I I F
 *
 * One scheduler, one cluster, latency 4, a new instruction each cycle.  Warp 9 comes last, when all
 * others have their addition in the buffer.
 */
static const char ten_additions[] =
    "mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 5; mov.u32 %r5, 0; mov.b32 %f1, 0;\n"
    "setp.ne.u32 %p2, %r1, 9; @%p2 bra COMMON;\n"
    "mov.u32 %r6, 0;\n"
    "LOOP: add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 40; @%p3 bra LOOP;\n"
    "COMMON: shl.b32 %r2, 1, %r1; and.b32 %r2, %r2, 0x214; setp.ne.u32 %p1, %r2, 0;\n"
    "@%p1 bra FLOAT;\n"
    "bar.sync 0; add.u32 %r7, %r5, 1; add.u32 %r8, %r7, 1; ret;\n"
    "FLOAT: bar.sync 0; add.f32 %f2, %f1, 0f3F800000; add.f32 %f3, %f2, 0f3F800000;";

/* Runs it with so many picks, places and clusters; the pipelines' events, from the addition that executes first. */
static const struct event *run_ten(const char *scheduler, u32 slots, u32 ints_before_first_float)
{
    char *set = text_printf("sm.scheduler=%s", scheduler);
    char *picks = text_printf("sm.picks=%u", slots), *width = text_printf("sm.width_sp=%u", slots);
    char *clusters = text_printf("sm.sp_clusters=%u", slots);
    struct timed t;
    u32 i = 0;

    timed_open(&t, ten_additions,
               TIMED_SET("sm.schedulers=1", "sm.sp_split=on", "sm.sp_ports=one",
                         "sm.active_warps=16", "op.iadd_lat=4", "op.iadd_ii=1", "op.fadd_lat=4",
                         "op.fadd_ii=1", set, picks, width, clusters));
    struct hooks *h = &t.d[0]->machine->sm[0].hooks;

    memset(&events, 0, sizeof events);
    h->armed |= 1u << HOOK_execute;
    h->at[HOOK_execute][h->n[HOOK_execute]++] = (struct listener){record, &events};
    timed_once(&t, 0, 1, 320);
    timed_close(&t);
    free(set), free(picks), free(width), free(clusters);
    while (i < events.n && events.at[i].type != PIPE_FP)
        i++;
    assert_in_range(i, ints_before_first_float, events.n - 10);
    return &events.at[i - ints_before_first_float];
}

/* The additions execute in this order of types, a blank where a cycle ends. */
static void check_order(const struct event *v, const char *types)
{
    u32 i = 0;
    u64 cycle = v[0].cycle;

    for (const char *s = types; *s; s++) {
        if (*s == ' ') {
            cycle++;
            continue;
        }
        assert_int_equal(v[i].cycle, cycle);
        assert_int_equal(v[i++].type, *s == 'F' ? PIPE_FP : PIPE_INT);
    }
}

/* Idle periods of a pipeline in the 15 cycles from the first addition on; latency 4. */
static u32 idle_periods(const struct event *v, u32 type, u32 *period)
{
    u64 from = v[0].cycle;
    u32 n = 0;

    for (u32 i = 0; i < 10; i++) {
        if (v[i].type != type)
            continue;
        if (v[i].cycle > from)
            period[n++] = (u32)(v[i].cycle - from);
        from = v[i].cycle + 4;
    }
    if (from < v[0].cycle + 15)
        period[n++] = (u32)(v[0].cycle + 15 - from);
    return n;
}

/*
 * Two-level: in order of the warps, in cycles 0 .. 9.  FP takes one in 2, 4 and 9 and is inside in
 * 2 .. 7 and 9 .. 12: idle for 2, 1 and 2 cycles.  INT: 0 1 3 5 6 7 8, inside in 0 .. 11: idle for
 * 3.
 */
static void two_level_mixes_types(void **state)
{
    const struct event *v = run_ten("two_level", 1, 2);
    u32 period[10];

    (void)state;
    check_order(v, "I I F I F I I I I F");
    assert_int_equal(idle_periods(v, PIPE_FP, period), 3);
    assert_int_equal(period[0], 2);
    assert_int_equal(period[1], 1);
    assert_int_equal(period[2], 2);
    assert_int_equal(idle_periods(v, PIPE_INT, period), 1);
    assert_int_equal(period[0], 3);
}

/*
 * GATES: INT in 0 .. 6, inside in 0 .. 9, idle for 5; FP in 7 8 9, inside in 7 .. 12, idle for 7
 * and 2.  The warps whose INT addition has issued wait for its result with another INT instruction.
 */
static void gates_keeps_types_together(void **state)
{
    const struct event *v = run_ten("gates", 1, 7);
    u32 period[10];

    (void)state;
    check_order(v, "I I I I I I I F F F");
    assert_int_equal(idle_periods(v, PIPE_FP, period), 2);
    assert_int_equal(period[0], 7);
    assert_int_equal(period[1], 2);
    assert_int_equal(idle_periods(v, PIPE_INT, period), 1);
    assert_int_equal(period[0], 5);
}

/* Two issue slots: two warps a cycle, in order of the warps. */
static void one_scheduler_picks_two_warps(void **state)
{
    (void)state;
    check_order(run_ten("two_level", 2, 2), "II FI FI II IF");
}

/*
 * Sections 4.1 and 6: while two INT instructions are ready both slots are theirs, from any warps; the seventh is alone, so the
 * second slot of its cycle is filled with the oldest FP instruction, there being none for memory or SFU.
 */
static void gates_fills_the_second_slot(void **state)
{
    (void)state;
    check_order(run_ten("gates", 2, 7), "II II II IF FF");
}

/* ---- the pipelines */

/*
 * Eight dependent FP additions, 10 cycles each, keep their pipeline on and give INT's time to go off.  The INT addition
 * behind them wakes it as it is issued and waits in front of it: longer by what waking takes longer.
 */
static u64 cycles_with_wakeup(u32 wakeup)
{
#define TWICE(text) text text
    static const char body[] =
        TWICE(TWICE(TWICE("add.f32 %f1, %f1, 0f3F800000;\n"))) "add.u32 %r2, %r1, 1;";
    char *mech = text_printf("gates:variant=conv_pg,idle_detect=30,wakeup=%u", wakeup);
    struct timed t;

    timed_mech = mech;
    timed_open(&t, body,
               TIMED_SET("sm.schedulers=1", "sm.sp_clusters=1", "sm.sp_split=on", "sm.width_sp=1",
                         "op.iadd_lat=4", "op.iadd_ii=1", "op.fadd_lat=4", "op.fadd_ii=1"));
    u64 cycles = timed_run(&t, 1, 32);

    timed_close(&t);
    timed_mech = NULL;
    free(mech);
    return cycles;
}

static void an_instruction_waits_for_its_own_pipeline(void **state)
{
    (void)state;
    assert_int_equal(cycles_with_wakeup(20), cycles_with_wakeup(10) + 10);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_instruction_waits_for_its_own_pipeline),
    cmocka_unit_test(order_changes_when_a_type_is_used_up),
    cmocka_unit_test(order_changes_in_the_dark),
    cmocka_unit_test(order_changes_after_max_switch),
    cmocka_unit_test(control_does_not_wait_for_its_turn),
    cmocka_unit_test(memory_and_special_functions_go_between),
    cmocka_unit_test(two_level_mixes_types),
    cmocka_unit_test(gates_keeps_types_together),
    cmocka_unit_test(one_scheduler_picks_two_warps),
    cmocka_unit_test(gates_fills_the_second_slot),
};

TEST_MAIN(tests)
