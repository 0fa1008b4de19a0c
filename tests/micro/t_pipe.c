/*
 * t_pipe.c -- execution pipelines, their ends and the result buses, counted by hand.
 *
 * With operands an instruction that is issued in t reaches the latch to the units in t + 3, is
 * taken in t + 4 and writes back in t + 6 + L; without operands all that is one cycle earlier.
 */
#include "tests/micro/clocks.h"

#define ADDS2 "add.u32 %r5, %r1, %r2; add.u32 %r6, %r3, %r4;"

/* ---- initiation interval */

/*
 * Issued in 3, 4 and 6.  Taken in 7, 15 and 23, for each is eight cycles at the input: the last
 * writes back in 23 + 8 + 2 = 33.
 */
static void the_sfu_takes_one_in_eight_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("rcp.approx.f32 %f4, %f1; rcp.approx.f32 %f5, %f2;"
                               "rcp.approx.f32 %f6, %f3;",
                               NULL),
                     34);
}

/*
 * One collector unit; a: issued 3, taken 7.  b: issued 4, unit 6, latch 8, taken 15.  c: issued 6
 * (b has left the latch before), unit 8, latch 15, taken 23.  d: ready in 7, but c is in the latch
 * until 8 while the SFU is free: a stall for the collector; issued 8, unit 15, latch 23, taken 31.
 * e: fetched in 8, ready in 10, but d is in the latch until 15 and b in front of the SFU: five
 * stalls for the unit; issued 15, unit 23, latch 31, taken 39, back in 49.
 */
static void a_busy_sfu_stalls_issue_when_the_collectors_are_full(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "rcp.approx.f32 %f11, %f1; rcp.approx.f32 %f12, %f2;"
                         "rcp.approx.f32 %f13, %f3; rcp.approx.f32 %f14, %f4;"
                         "rcp.approx.f32 %f15, %f5;",
                         TIMED_SET("sm.cu_sfu=1"), 1, 32),
                     50);
    assert_int_equal(STAT(&t, stall.collector), 1);
    assert_int_equal(STAT(&t, stall.unit_sfu), 5);
    assert_int_equal(STAT(&t, sm.issued_sfu), 5);
    timed_close(&t);
}

/*
 * One cluster: taken in 7 and 9, so the second writes back in 15; ret, issued in 6, is taken in 11.
 */
static void a_multiplication_is_two_cycles_at_the_input(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("mul.lo.u32 %r5, %r1, %r2; mul.lo.u32 %r6, %r3, %r4;",
                               TIMED_SET("sm.sp_clusters=1")),
                     16);
}

/* II 1: taken in 7 and 8, back in 14. */
static void an_addition_is_one_cycle_at_the_input(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(ADDS2, TIMED_SET("sm.sp_clusters=1")), 15);
}

/* The other cluster takes the second multiplication in 8. */
static void a_second_cluster_takes_what_the_first_cannot(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("mul.lo.u32 %r5, %r1, %r2; mul.lo.u32 %r6, %r3, %r4;", NULL), 15);
}

/* ---- the end of a pipeline, and the buses */

#define MEETING "mad.lo.u32 %r4, %r1, %r2, %r3; add.u32 %r7, %r5, %r6;"

/*
 * mad (L 5) is taken in 7 and leaves in 12.  add (L 4) could be taken in 8 and would leave in 12 as
 * well: it is taken in 9 and writes back in 15.
 */
static void two_instructions_do_not_leave_a_pipeline_together(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, MEETING, TIMED_SET("sm.sp_clusters=1"), 1, 32), 16);
    assert_int_equal(STAT(&t, sm.bus_waits), 0);
    timed_close(&t);
}

/* From two pipelines they may, with two buses: add is taken in 8, back in 14. */
static void two_pipelines_use_two_buses(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(MEETING, NULL), 15);
}

/* With one bus the second pipeline cannot take it in 8 either; the first does in 9. */
static void one_bus_takes_one_result_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, MEETING, TIMED_SET("sm.result_buses=1"), 1, 32), 16);
    assert_int_equal(STAT(&t, sm.bus_waits), 1);
    timed_close(&t);
}

/*
 * rcp (L 8): issued 3, taken 7; mov 4; mad (L 5): issued 6, taken 10; add (L 4): issued 7, could be
 * taken in 11.  All three would be on a bus in 15, and there are two: add is taken in 12 and writes
 * back in 18.
 */
static void a_third_result_waits_for_a_bus(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "rcp.approx.f32 %f2, %f1; mov.u32 %r10, 1;" MEETING, NULL, 1, 32), 19);
    assert_int_equal(STAT(&t, sm.bus_waits), 1);
    timed_close(&t);
}

/*
 * add (issued 3, read in 5) and the constant (issued 4, no operands) reach the latch to the one
 * pipeline together, in 6.  A latch gives the oldest first: add is taken in 7, and its reader,
 * ready to issue in 6, goes in 13 and ret in 14.  These two reach the latch together in 16 and are
 * taken in 17 and 18: ret is back in 21.
 */
static void the_older_instruction_leaves_the_latch_first(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "add.u32 %r3, %r1, %r2; mov.u32 %r4, 7; mov.u32 %r5, %r3;",
                         TIMED_SET("sm.sp_clusters=1"), 1, 32),
                     22);
    assert_int_equal(STAT(&t, stall.raw), 7); /* 6..12 */
    timed_close(&t);
}

/* The second add, and the end of the kernel, wait for the write-back of the one before: two cycles each. */
static void a_result_is_there_sooner_if_it_is_forwarded(void **state)
{
    static const char chain[] = "add.u32 %r5, %r1, %r2; add.u32 %r6, %r5, %r4;";
    u32 through = cycles_of(chain, NULL);

    (void)state;
    assert_int_equal(cycles_of(chain, TIMED_SET("sm.forward=1")), through - 2 * 1);
    assert_int_equal(cycles_of(chain, TIMED_SET("sm.forward=2")), through - 2 * 2);
    assert_int_equal(
        cycles_of(chain, TIMED_SET("sm.forward=4", "op.iadd_lat=1")),
        cycles_of(chain, TIMED_SET("sm.forward=2", "op.iadd_lat=1"))); /* not at once */
}

/* ---- INT and FP */

#define INT_FP "add.u32 %r3, %r1, %r2; add.f32 %f6, %f4, %f5;"
#define DUAL "sm.issue_width=2", "sm.sp_clusters=1"

/* Both issued in 3, in the latch in 6, taken in 7 and 8, back in 14; ret issued in 5. */
static void one_sp_pipeline_takes_int_and_fp_in_turn(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(INT_FP, TIMED_SET(DUAL)), 15);
}

/* Two pipelines behind one port: the same. */
static void a_split_cluster_with_one_port_takes_one_a_cycle(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(INT_FP, TIMED_SET(DUAL, "sm.sp_split=on", "sm.sp_ports=one")), 15);
}

/* Both are taken in 7: back in 13. */
static void a_split_cluster_with_two_ports_takes_int_and_fp_together(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, INT_FP, TIMED_SET(DUAL, "sm.sp_split=on", "sm.sp_ports=two"), 1, 32),
                     14);
    assert_int_equal(STAT(&t, sm.issued_int), 1); /* ret is neither */
    assert_int_equal(STAT(&t, sm.issued_fp), 1);
    timed_close(&t);
}

/* Two of one half: 7 and 8. */
static void two_ports_do_not_take_two_of_one_half(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(ADDS2, TIMED_SET(DUAL, "sm.sp_split=on", "sm.sp_ports=two")), 15);
}

/* ---- clusters */

/* Both taken in 7, one by each cluster: back in 13. */
static void two_clusters_take_two_of_one_warp(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(ADDS2, TIMED_SET("sm.issue_width=2")), 14);
}

/* One scheduler's instructions all go to its cluster: taken in 7 and 8. */
static void a_cluster_of_its_own_scheduler_takes_one_a_cycle(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(ADDS2, TIMED_SET("sm.issue_width=2", "sm.sp_choice=scheduler")), 15);
}

/*
 * Two warps of two schedulers: ld.param in 3, the adds of both in 4, in the latch in 7.  Each has a
 * cluster of its own, so both are taken in 8 and write back in 14; the rets, issued in 6, end in
 * 12.
 */
static void clusters_of_two_schedulers_do_not_wait_for_each_other(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "ld.param.u64 %rd1, [a]; add.u32 %r5, %r1, %r3;",
                         TIMED_SET("sm.sp_choice=scheduler", "sm.fetch_width=2", "sm.width_mem=2"),
                         1, 64),
                     15);
    timed_close(&t);
}

/*
 * Four adds are issued in 3, 4, 6 and 7 and taken in 7, 8, 10 and 11, ret behind them.  The first cluster is free
 * each time; in turns each has two.
 */
static void clusters_are_asked_in_order_or_in_turns(void **state)
{
    static const char adds[] = ADDS2 "add.u32 %r7, %r1, %r2; add.u32 %r8, %r3, %r4;";
    struct timed t;

    (void)state;
    u64 cycles = run(&t, adds, TIMED_SET("sm.sp_choice=first"), 1, 32);

    assert_int_equal(STAT(&t, sm.sp0_int_lanes), 4 * 32);
    assert_int_equal(STAT(&t, sm.sp1_int_lanes), 0);
    timed_close(&t);
    assert_int_equal(run(&t, adds, TIMED_SET("sm.sp_choice=alternate"), 1, 32), cycles);
    assert_int_equal(STAT(&t, sm.sp0_int_lanes), 2 * 32);
    assert_int_equal(STAT(&t, sm.sp1_int_lanes), 2 * 32);
    timed_close(&t);
}

/*
 * Three of eight lanes each, by their number: the first and the third are in the same cluster.  A launch begins
 * with the first cluster.
 */
static void turns_go_on_where_they_were(void **state)
{
    static const char adds[] = "add.u32 %r5, %r1, %r2; add.u32 %r6, %r3, %r4;"
                               "add.u32 %r7, %r1, %r2;";
    struct timed t;

    (void)state;
    run(&t, adds, TIMED_SET("sm.sp_choice=alternate"), 1, 8);
    assert_int_equal(STAT(&t, sm.sp0_int_lanes), 2 * 8);
    assert_int_equal(STAT(&t, sm.sp1_int_lanes), 8);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_sfu_takes_one_in_eight_cycles),
    cmocka_unit_test(a_busy_sfu_stalls_issue_when_the_collectors_are_full),
    cmocka_unit_test(a_multiplication_is_two_cycles_at_the_input),
    cmocka_unit_test(an_addition_is_one_cycle_at_the_input),
    cmocka_unit_test(a_second_cluster_takes_what_the_first_cannot),
    cmocka_unit_test(two_instructions_do_not_leave_a_pipeline_together),
    cmocka_unit_test(two_pipelines_use_two_buses),
    cmocka_unit_test(one_bus_takes_one_result_a_cycle),
    cmocka_unit_test(a_third_result_waits_for_a_bus),
    cmocka_unit_test(a_result_is_there_sooner_if_it_is_forwarded),
    cmocka_unit_test(the_older_instruction_leaves_the_latch_first),
    cmocka_unit_test(one_sp_pipeline_takes_int_and_fp_in_turn),
    cmocka_unit_test(a_split_cluster_with_one_port_takes_one_a_cycle),
    cmocka_unit_test(a_split_cluster_with_two_ports_takes_int_and_fp_together),
    cmocka_unit_test(two_ports_do_not_take_two_of_one_half),
    cmocka_unit_test(two_clusters_take_two_of_one_warp),
    cmocka_unit_test(a_cluster_of_its_own_scheduler_takes_one_a_cycle),
    cmocka_unit_test(clusters_of_two_schedulers_do_not_wait_for_each_other),
    cmocka_unit_test(clusters_are_asked_in_order_or_in_turns),
    cmocka_unit_test(turns_go_on_where_they_were),
};

TEST_MAIN(tests)
