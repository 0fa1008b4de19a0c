/* t_gates.c -- Warped Gates: every transition of a gate, cycle by cycle; see gates_rig.h. */
#include "tests/micro/gates_rig.h"

/* ---- conventional gating */

static void off_after_idle_detect(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 104);
    assert_int_equal(power_of(&r, INT0), POWER_ON); /* idle in 100 .. 104: four cycles so far */
    to(&r, 105);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    assert_int_equal(power_of(&r, FP1), POWER_OFF);
    assert_int_equal(power_of(&r, SFU), POWER_ON); /* gates:sfu is off */
    assert_int_equal(count(&r, "int_gatings"), 2);
    rig_close(&r);
}

static void idle_begins_when_the_pipeline_is_empty(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 103);
    run(&r, INT0, 4); /* empty from 107, idle in 107 .. 111 */
    to(&r, 111);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    assert_int_equal(power_of(&r, INT1), POWER_OFF);
    to(&r, 112);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    assert_int_equal(count(&r, "int_busy"), 4);
    rig_close(&r);
}

static void or_when_nothing_enters(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg,idle=issue");
    to(&r, 103);
    run(&r, INT0, 30); /* its input is free from 104 */
    to(&r, 108);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    to(&r, 109);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    rig_close(&r);
}

static void each_use_begins_anew(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    for (u64 t = 100; t < 200; t += 8) { /* four idle cycles between two uses */
        to(&r, t);
        run(&r, FP0, 4);
        assert_int_equal(power_of(&r, FP0), POWER_ON);
    }
    to(&r, 196 + 4 + 4);
    assert_int_equal(power_of(&r, FP0), POWER_ON);
    to(&r, 196 + 4 + 5);
    assert_int_equal(power_of(&r, FP0), POWER_OFF);
    assert_int_equal(count(&r, "fp_idle_short"), 12);
    rig_close(&r);
}

static void uncompensated_to_waking_to_on(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 110); /* off since 105 */
    want_pipe(&r, INT0);
    assert_int_equal(power_of(&r, INT0), POWER_WAKING);
    assert_int_equal(power_of(&r, INT1), POWER_OFF); /* one wish, one pipeline */
    to(&r, 112);
    assert_int_equal(power_of(&r, INT0), POWER_WAKING);
    to(&r, 113);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    assert_int_equal(count(&r, "int_uncompensated"), 5);
    assert_int_equal(count(&r, "int_compensated"), 0);
    assert_int_equal(count(&r, "int_waking"), 3);
    assert_int_equal(count(&r, "int_wakeups"), 1);
    to(&r, 117); /* idle again since 113 */
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    to(&r, 118);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    rig_close(&r);
}

static void compensated_after_break_even(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 130); /* off since 105: 14 cycles that cost, 11 that save */
    want_pipe(&r, FP0);
    assert_int_equal(count(&r, "fp_uncompensated"), 14);
    assert_int_equal(count(&r, "fp_compensated"), 11);
    assert_int_equal(count(&r, "fp_critical"), 0);
    rig_close(&r);
}

static void another_wish_while_waking_changes_nothing(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 110);
    want_pipe(&r, INT0);
    to(&r, 112);
    want_pipe(&r, INT0);
    want_pipe(&r, INT1);
    assert_int_equal(power_of(&r, INT1), POWER_OFF);
    to(&r, 113);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    want_pipe(&r, INT1); /* INT0 is on and that is not enough */
    assert_int_equal(power_of(&r, INT1), POWER_WAKING);
    assert_int_equal(count(&r, "int_wakeups"), 2);
    rig_close(&r);
}

static void no_delay_is_on_at_once(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg,wakeup=0");
    to(&r, 110);
    want_pipe(&r, INT0);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    rig_close(&r);
}

static void zero_idle_detect_is_never(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg,idle_detect=0");
    to(&r, 3000);
    assert_int_equal(r.sm->dp->unit_off, 0);
    rig_close(&r);
}

static void what_is_on_its_way_keeps_it_on(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 104);
    issue(&r, INT0);
    to(&r, 120);
    assert_int_equal(power_of(&r, INT0), POWER_ON);  /* the first that is on gets it */
    assert_int_equal(power_of(&r, INT1), POWER_OFF); /* not this one */
    execute(&r, INT0, 4);
    to(&r, 128);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    to(&r, 129);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    rig_close(&r);
}

static void without_a_cta_all_is_on_and_nothing_counts(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=naive");
    to(&r, 110);
    r.sm->front->n_cta = 0;
    hook_call(&r.sm->hooks, HOOK_cta_end, r.sm, 0);
    assert_int_equal(r.sm->dp->unit_off | r.sm->dp->unit_cold, 0);
    assert_int_equal(count(&r, "int_uncompensated"), 10); /* two pipelines, 105 .. 109 */
    assert_int_equal(count(&r, "cycles"), 11);            /* 100 .. 110 */
    to(&r, 500);
    assert_int_equal(r.sm->dp->unit_off, 0);
    r.sm->front->n_cta = 1;
    hook_call(&r.sm->hooks, HOOK_cta_begin, r.sm, 0);
    to(&r, 504);
    assert_int_equal(r.sm->dp->unit_off, 0);
    to(&r, 505);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    rig_close(&r);
}

/* ---- idle periods */

static void a_period_ends_when_an_instruction_is_issued(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 103);
    issue(&r, INT0); /* idle in 100 .. 102; from now on INT0 is held */
    assert_int_equal(count(&r, "int_idle_short"), 1);
    to(&r, 110);
    execute(&r, INT0, 4); /* not ten cycles */
    assert_int_equal(count(&r, "int_idle_short"), 1);
    assert_int_equal(count(&r, "int_idle_middle"), 0);
    rig_close(&r);
}

static void none_begins_while_an_instruction_is_on_its_way(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 103);
    run(&r, INT0, 4); /* idle in 100 .. 102 */
    to(&r, 105);
    issue(&r, INT0);
    to(&r, 110);
    execute(&r, INT0, 4); /* empty since 107, and held */
    assert_int_equal(count(&r, "int_idle_short"), 1);
    assert_int_equal(count(&r, "int_idle_middle"), 0);
    rig_close(&r);
}

/* 104: the other pipeline takes what INT0 was held for.  Its idle cycles are counted from here on. */
static void one_begins_when_another_pipeline_took_it(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 103);
    issue(&r, INT0);
    to(&r, 104);
    execute(&r, INT1, 4);
    assert_int_equal(count(&r, "int_idle_short"), 2); /* 100 .. 102, and of INT1 100 .. 103 */
    to(&r, 108);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    to(&r, 109);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    rig_close(&r);
}

/* Section 3.1: the middle region ends where idle-detect + BET begins to be worth it: 5 + 14. */
static void a_period_of_idle_detect_and_break_even_is_long(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 118);
    issue(&r, INT0); /* 18 cycles */
    assert_int_equal(count(&r, "int_idle_middle"), 1);
    to(&r, 119);
    issue(&r, FP0); /* 19 */
    assert_int_equal(count(&r, "fp_idle_middle"), 0);
    assert_int_equal(count(&r, "fp_idle_long"), 1);
    rig_close(&r);
}

/* Section 5: with Blackout the middle is empty, though each instruction comes as early as it can. */
static void blackout_leaves_no_middle_period(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=naive");
    for (u64 t = 100; t < 2000; t += 40) { /* empty from t + 1, off in t + 6, Blackout to t + 20 */
        to(&r, t);
        run(&r, INT0, 1);
        to(&r, t + 20);
        issue(&r, INT0);
        assert_int_equal(power_of(&r, INT0), POWER_WAKING);
        to(&r, t + 30);
        execute(&r, INT0, 10);
    }
    assert_int_equal(count(&r, "int_idle_middle"), 0);
    assert_int_equal(count(&r, "int_idle_long"), 48);
    rig_close(&r);
}

/* ---- Blackout */

static void blackout_waits_for_break_even(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=naive");
    for (u64 t = 106; t < 119; t++) {
        to(&r, t);
        want_pipe(&r, INT0);
        assert_int_equal(power_of(&r, INT0), POWER_OFF);
    }
    to(&r, 119); /* 105 + 14 */
    want_pipe(&r, INT0);
    assert_int_equal(power_of(&r, INT0), POWER_WAKING);
    assert_int_equal(count(&r, "int_critical"), 1);
    assert_int_equal(count(&r, "int_uncompensated"), 14);
    assert_int_equal(count(&r, "int_compensated"), 0);
    to(&r, 122);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    rig_close(&r);
}

static void a_later_wake_up_is_not_critical(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=naive");
    to(&r, 120);
    want_pipe(&r, INT0);
    assert_int_equal(power_of(&r, INT0), POWER_WAKING);
    assert_int_equal(count(&r, "int_critical"), 0);
    assert_int_equal(count(&r, "int_compensated"), 1);
    rig_close(&r);
}

static void the_sfu_has_no_blackout(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=coordinated,sfu=on");
    to(&r, 105);
    assert_int_equal(power_of(&r, SFU), POWER_OFF);
    to(&r, 106);
    want_pipe(&r, SFU);
    assert_int_equal(power_of(&r, SFU), POWER_WAKING);
    assert_int_equal(count(&r, "sfu_uncompensated"), 1);
    rig_close(&r);
}

/* ---- issuing for pipelines that are off */

static void issuing_wakes_one(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    to(&r, 110);
    assert_int_equal(r.sm->dp->unit_shut, 0);
    issue(&r, INT0);
    assert_int_equal(power_of(&r, INT0), POWER_WAKING);
    assert_int_equal(power_of(&r, INT1), POWER_OFF);
    to(&r, 113);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    issue(&r, INT0); /* the one that is on will do */
    assert_int_equal(power_of(&r, INT1), POWER_OFF);
    assert_int_equal(count(&r, "int_wakeups"), 1);
    rig_close(&r);
}

static void blackout_lets_nothing_issue(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=naive");
    to(&r, 104);
    assert_int_equal(r.sm->dp->unit_shut, 0);
    to(&r, 105);
    assert_int_equal(r.sm->dp->unit_shut, 1 << INT0 | 1 << FP0 | 1 << INT1 | 1 << FP1);
    to(&r, 118);
    assert_int_equal(r.sm->dp->unit_shut, 1 << INT0 | 1 << FP0 | 1 << INT1 | 1 << FP1);
    to(&r, 119);
    assert_int_equal(r.sm->dp->unit_shut, 0);
    issue(&r, FP0);
    assert_int_equal(power_of(&r, FP0), POWER_WAKING);
    assert_int_equal(count(&r, "fp_critical"), 1);
    rig_close(&r);
}

static void or_nothing_issues_until_one_is_on(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg,at_issue=wait");
    to(&r, 105);
    assert_int_equal(r.sm->dp->unit_shut, 1 << INT0 | 1 << FP0 | 1 << INT1 | 1 << FP1);
    to(&r, 110);
    want_pipe(&r, INT0);
    to(&r, 112);
    assert_true(r.sm->dp->unit_shut >> INT0 & 1);
    to(&r, 113);
    assert_false(r.sm->dp->unit_shut >> INT0 & 1);
    rig_close(&r);
}

/* ---- ready instructions that are not issued yet */

static void a_ready_instruction_holds_one(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg,ready=each");
    have(&r, true, false);
    to(&r, 105);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    assert_int_equal(power_of(&r, INT1), POWER_OFF);
    assert_int_equal(power_of(&r, FP0), POWER_OFF);
    to(&r, 300);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    have(&r, false, false); /* its idle cycles are counted from here on */
    to(&r, 304);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    to(&r, 305);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    rig_close(&r);
}

static void or_it_holds_both(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg,ready=both");
    have(&r, true, false);
    to(&r, 300);
    assert_int_equal(r.sm->dp->unit_off, 1 << FP0 | 1 << FP1);
    have(&r, false, false);
    to(&r, 304);
    assert_int_equal(r.sm->dp->unit_off, 1 << FP0 | 1 << FP1);
    to(&r, 305);
    assert_int_equal(r.sm->dp->unit_off, 1 << FP0 | 1 << FP1 | 1 << INT0 | 1 << INT1);
    rig_close(&r);
}

static void what_is_not_ready_holds_nothing(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg,ready=both");
    r.sm->front->sched[0].raw = 1;
    have(&r, true, false);
    to(&r, 105);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    rig_close(&r);
}

static void a_ready_instruction_wakes(const char *mech, enum power second)
{
    struct rig r;

    rig_open(&r, mech);
    to(&r, 110);
    have(&r, true, false);
    assert_int_equal(power_of(&r, INT0), POWER_WAKING);
    assert_int_equal(power_of(&r, INT1), second);
    assert_int_equal(power_of(&r, FP0), POWER_OFF);
    to(&r, 113);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    rig_close(&r);
}

static void a_ready_instruction_wakes_one_or_both(void **state)
{
    (void)state;
    a_ready_instruction_wakes("gates:variant=conv_pg,ready=each", POWER_OFF);
    a_ready_instruction_wakes("gates:variant=conv_pg,ready=both", POWER_WAKING);
}

static void blackout_lets_ready_instructions_wait(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=naive,ready=both");
    to(&r, 110);
    have(&r, true, false);
    to(&r, 118);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    to(&r, 119); /* 105 + 14: the moment Blackout ends */
    assert_int_equal(power_of(&r, INT0), POWER_WAKING);
    assert_int_equal(power_of(&r, INT1), POWER_WAKING);
    assert_int_equal(power_of(&r, FP0), POWER_OFF);
    assert_int_equal(count(&r, "int_critical"), 2);
    rig_close(&r);
}

/* ---- a launch that is cut short */

static void the_end_of_a_launch_closes_the_accounts(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=conv_pg");
    have(&r, true, false);
    to(&r, 130); /* off since 105 */
    r.sm->front->last = 130;
    for (u32 i = 0; i < 2; i++) { /* the second time there is nothing left */
        hook_call(&r.sm->hooks, HOOK_kernel_end, r.sm, 0);
        assert_int_equal(count(&r, "cycles"), 30);
        assert_int_equal(count(&r, "int_uncompensated"), 2 * 14);
        assert_int_equal(count(&r, "int_compensated"), 2 * 11);
        assert_int_equal(count(&r, "active_warps"), 30);
    }
    rig_close(&r);
}

/* ---- Coordinated Blackout */

static void the_last_one_goes_at_once_if_no_warp_waits(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=coordinated");
    to(&r, 103);
    run(&r, INT1,
        10); /* idle from 113: by itself it would stay until 118; INT0 was held for it up to 103 */
    to(&r, 108);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    assert_int_equal(power_of(&r, INT1), POWER_ON); /* not while something is inside */
    to(&r, 112);
    assert_int_equal(power_of(&r, INT1), POWER_ON);
    to(&r, 113);
    assert_int_equal(power_of(&r, INT1), POWER_OFF);
    rig_close(&r);
}

static void the_last_one_stays_while_a_warp_waits(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=coordinated");
    have(&r, true, false);
    to(&r, 102);
    run(&r, INT0, 4);
    to(&r, 105);
    assert_int_equal(power_of(&r, INT1), POWER_OFF);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    assert_int_equal(power_of(&r, FP0), POWER_OFF);
    assert_int_equal(power_of(&r, FP1), POWER_OFF); /* nobody waits for FP */
    to(&r, 900);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    have(&r, false, true);
    assert_int_equal(power_of(&r, INT0), POWER_OFF); /* the cycle in which the last one is gone */
    rig_close(&r);
}

static void with_the_other_on_idle_detect_counts_again(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=coordinated");
    have(&r, true, false);
    to(&r, 102);
    run(&r, INT0, 4);
    to(&r, 119);
    want_pipe(&r, INT1); /* INT0 is on and was taken */
    run(&r, INT0, 4);    /* until 123 */
    to(&r, 122);
    assert_int_equal(power_of(&r, INT1), POWER_ON);
    run(&r, INT1, 4); /* until 126 */
    to(&r, 127);
    assert_int_equal(power_of(&r, INT0), POWER_ON);
    to(&r, 128); /* idle in 123 .. 127 */
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    assert_int_equal(power_of(&r, INT1), POWER_ON);
    to(&r, 600);
    assert_int_equal(power_of(&r, INT1), POWER_ON); /* now it is the last one */
    rig_close(&r);
}

static void the_scheduler_knows_what_is_dark(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=coordinated");
    const u8 *dark = gates_sched_dark(r.sm->front, 0);

    to(&r, 104);
    assert_int_equal(*dark, 0);
    to(&r, 105);
    assert_int_equal(*dark, 1 << PIPE_INT | 1 << PIPE_FP);
    to(&r, 118);
    assert_int_equal(*dark, 1 << PIPE_INT | 1 << PIPE_FP);
    to(&r, 119); /* Blackout is over: whoever issues wakes them */
    assert_int_equal(*dark, 0);
    rig_close(&r);
}

/*
 * The last pipeline on is the first or the last of them all.  By 107 the three others are in Blackout (FP0 was held up to
 * 102 for what FP1 took); when it is over nothing wakes them, and only what is switched off when its last warp is gone, in 900, begins another one.
 */
static void check_last_one(bool has_int, u32 pipe, u32 other_type)
{
    struct rig r;

    rig_open(&r, "gates:variant=coordinated");
    const u8 *dark = gates_sched_dark(r.sm->front, 0);

    have(&r, has_int, !has_int);
    to(&r, 102);
    run(&r, pipe, 4);
    to(&r, 107);
    assert_int_equal(r.sm->dp->unit_off,
                     (1 << INT0 | 1 << FP0 | 1 << INT1 | 1 << FP1) & ~(1 << pipe));
    assert_int_equal(*dark, 1 << other_type);
    to(&r, 900);
    assert_int_equal(power_of(&r, pipe), POWER_ON);
    assert_int_equal(*dark, 0);
    have(&r, !has_int, has_int);
    assert_int_equal(power_of(&r, pipe), POWER_OFF);
    rig_close(&r);
}

static void the_last_one_may_be_the_first_or_the_last(void **state)
{
    (void)state;
    check_last_one(true, INT0, PIPE_FP);
    check_last_one(false, FP1, PIPE_INT);
}

/* ---- a wish for one cluster */

static void a_scheduler_wants_its_own_cluster(void **state)
{
    struct rig r;

    (void)state;
    rig_open_set(&r, "gates:variant=conv_pg", TIMED_SET("sm.sp_choice=scheduler"));
    r.sm->now = 100;
    r.sm->front->n_cta = 1;
    hook_call(&r.sm->hooks, HOOK_cta_begin, r.sm, 0);
    to(&r, 110);
    want_pipe(&r, INT1);
    assert_int_equal(power_of(&r, INT0), POWER_OFF);
    assert_int_equal(power_of(&r, INT1), POWER_WAKING);
    rig_close(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(off_after_idle_detect),
    cmocka_unit_test(idle_begins_when_the_pipeline_is_empty),
    cmocka_unit_test(or_when_nothing_enters),
    cmocka_unit_test(each_use_begins_anew),
    cmocka_unit_test(uncompensated_to_waking_to_on),
    cmocka_unit_test(compensated_after_break_even),
    cmocka_unit_test(another_wish_while_waking_changes_nothing),
    cmocka_unit_test(no_delay_is_on_at_once),
    cmocka_unit_test(zero_idle_detect_is_never),
    cmocka_unit_test(what_is_on_its_way_keeps_it_on),
    cmocka_unit_test(without_a_cta_all_is_on_and_nothing_counts),
    cmocka_unit_test(a_period_ends_when_an_instruction_is_issued),
    cmocka_unit_test(none_begins_while_an_instruction_is_on_its_way),
    cmocka_unit_test(one_begins_when_another_pipeline_took_it),
    cmocka_unit_test(a_period_of_idle_detect_and_break_even_is_long),
    cmocka_unit_test(blackout_leaves_no_middle_period),
    cmocka_unit_test(blackout_waits_for_break_even),
    cmocka_unit_test(a_later_wake_up_is_not_critical),
    cmocka_unit_test(the_sfu_has_no_blackout),
    cmocka_unit_test(issuing_wakes_one),
    cmocka_unit_test(blackout_lets_nothing_issue),
    cmocka_unit_test(or_nothing_issues_until_one_is_on),
    cmocka_unit_test(a_ready_instruction_holds_one),
    cmocka_unit_test(or_it_holds_both),
    cmocka_unit_test(what_is_not_ready_holds_nothing),
    cmocka_unit_test(a_ready_instruction_wakes_one_or_both),
    cmocka_unit_test(blackout_lets_ready_instructions_wait),
    cmocka_unit_test(the_end_of_a_launch_closes_the_accounts),
    cmocka_unit_test(the_last_one_goes_at_once_if_no_warp_waits),
    cmocka_unit_test(the_last_one_stays_while_a_warp_waits),
    cmocka_unit_test(the_last_one_may_be_the_first_or_the_last),
    cmocka_unit_test(with_the_other_on_idle_detect_counts_again),
    cmocka_unit_test(the_scheduler_knows_what_is_dark),
    cmocka_unit_test(a_scheduler_wants_its_own_cluster),
};

TEST_MAIN(tests)
