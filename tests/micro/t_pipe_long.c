/*
 * t_pipe_long.c -- pipelines whose results are booked far ahead, and that have slept, counted by
 * hand; see t_pipe.c for the cycles of an instruction.
 *
 * Loads are those of memory_path.h on a warm L2: 180 cycles, of which 120 are mem.rop_latency.
 * With a latency of R there a load that is issued in 6 has its register in 6 + 60 + R, and what
 * depends on it and is in the buffer is issued then; between lie R cycles in which nothing happens.
 */
#include "tests/micro/clocks.h"
#include "tests/micro/memory_path.h"

/* mad and add of this latency and one less: without waiting they would leave together. */
#define MEETING "mad.lo.u32 %r4, %r1, %r2, %r3; add.u32 %r7, %r5, %r6;"

static u64 run_meeting(struct timed *t, u32 lat, const char *further)
{
    char mad[32], add[32];

    snprintf(mad, sizeof mad, "op.imad_lat=%u", lat);
    snprintf(add, sizeof add, "op.iadd_lat=%u", lat - 1);
    return run(t, MEETING, TIMED_SET(mad, add, further), 1, 32);
}

/* ---- the largest latencies */

/* Issued in 3, taken in 7, leaves in 907, back in 909. */
static void the_largest_latency_is_as_long_as_it_says(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("add.u32 %r3, %r1, %r2;", TIMED_SET("op.iadd_lat=900")), 910);
}

/* Each 906 after the one before: issued in 3, 909 and 1815, back in 2721. */
static void a_chain_of_the_largest_latency(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; add.u32 %r4, %r3, 1;",
                               TIMED_SET("op.iadd_lat=900")),
                     2722);
}

/*
 * One lane: 32 passes of 3 cycles.  The last begins 93 cycles after the first: latency 993, the
 * most that fits (900 + 32 x 3 = 996, of 1000).  Taken in 7, leaves in 1000, back in 1002.
 */
static void passes_of_a_warp_make_it_longer_still(void **state)
{
    (void)state;
    assert_int_equal(
        cycles_of("add.u32 %r3, %r1, %r2;",
                  TIMED_SET("op.iadd_lat=900", "op.iadd_ii=3", "sm.simd_width=1", "op.ddiv_ii=1")),
        1003);
}

/* The same of the SFU, whose input is taken for 100 cycles: in 7 and 107; back in 1009. */
static void the_largest_latency_and_interval(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("rcp.approx.f32 %f3, %f1; rcp.approx.f32 %f4, %f2;",
                               TIMED_SET("op.sfu_lat=900", "op.sfu_ii=100")),
                     1010);
}

/* ---- leaving together */

/*
 * mad (L) is taken in 7 and leaves in 7 + L; add (L - 1) could be taken in 8 and would leave then
 * too: it is taken in 9 and writes back in L + 10.  Bookings are forgotten by 64 cycles: 896 is the
 * first of such a piece.
 */
static void results_far_ahead_do_not_meet(void **state)
{
    static const u32 lat[] = {64, 511, 887, 888, 889, 890, 900};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(lat); i++) {
        assert_int_equal(run_meeting(&t, lat[i], "sm.sp_clusters=1"), lat[i] + 11);
        assert_int_equal(STAT(&t, sm.bus_waits), 0);
        timed_close(&t);
    }
}

/* With one bus the other pipeline cannot take add in 8 either: a wait for the bus. */
static void one_bus_is_booked_far_ahead(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run_meeting(&t, 900, "sm.result_buses=1"), 911);
    assert_int_equal(STAT(&t, sm.bus_waits), 1);
    timed_close(&t);
}

/* With two buses and two pipelines add is taken in 8: both are back in 909. */
static void two_buses_far_ahead_take_both(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run_meeting(&t, 900, "sm.result_buses=2"), 910);
    assert_int_equal(STAT(&t, sm.bus_waits), 0);
    timed_close(&t);
}

/* add is two less: it overtakes, back in 908, and mad in 909. */
static void a_shorter_one_overtakes(void **state)
{
    (void)state;
    assert_int_equal(
        cycles_of(MEETING, TIMED_SET("op.imad_lat=900", "op.iadd_lat=898", "sm.sp_clusters=1")),
        910);
}

/* The next launch, some cycles later, finds nothing booked. */
static void a_second_launch_takes_as_long(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run_meeting(&t, 900, "sm.sp_clusters=1"), 911);
    assert_int_equal(again(&t, 1, 32), 911);
    assert_int_equal(again(&t, 1, 32), 911);
    timed_close(&t);
}

/* ---- after a sleep */

static u64 after_sleep(struct timed *t, const char *body, u32 rop, const char *mad, const char *add)
{
    char far[40];

    snprintf(far, sizeof far, "mem.rop_latency=%u", rop);
    path_open(t, body, TIMED_SET(far, mad, add, "sm.sp_clusters=1", "sm.result_buses=1"));
    return again(t, 1, 32);
}

/*
 * ld.param 3, add 4 (taken in 8, leaves in 12), load 6.  The second add is issued in 66 + R, taken
 * in 70 + R, leaves in 74 + R and is back in 76 + R.  With R = 2048 k - 62 it leaves 2048 k cycles
 * after the first, where bookings have come round to the same place: they are forgotten, and it
 * does not wait.
 */
static void old_bookings_are_forgotten_while_it_sleeps(void **state)
{
    static const u32 rop[] = {1985, 1986, 1987, 2 * 2048 - 62, 2 * 2048 - 61, 3 * 2048 - 62, 9000};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(rop); i++) {
        assert_int_equal(after_sleep(&t,
                                     TIMED_A "add.u32 %r5, %r6, 1; ld.global.u32 %r1, [%rd0];"
                                             "add.u32 %r8, %r1, 1;",
                                     rop[i], "op.imad_lat=5", "op.iadd_lat=4"),
                         77 + rop[i]);
        assert_int_equal(STAT(&t, sm.bus_waits), 0);
        timed_close(&t);
    }
}

/*
 * ld.param 3, load 6, mad 66 + R, add 67 + R.  mad (L) is taken in 70 + R and leaves in 70 + R + L;
 * add (L - 1) could be taken in 71 + R, is in 72 + R, and back in 73 + R + L.
 */
static void after_a_sleep_results_do_not_meet(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0];" MEETING;
    static const u32 rop[] = {120, 1990, 2050, 5000, 9999};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(rop); i++) {
        assert_int_equal(after_sleep(&t, body, rop[i], "op.imad_lat=5", "op.iadd_lat=4"),
                         74 + rop[i] + 5);
        timed_close(&t);
        assert_int_equal(after_sleep(&t, body, rop[i], "op.imad_lat=900", "op.iadd_lat=899"),
                         74 + rop[i] + 900);
        timed_close(&t);
    }
}

/*
 * What is inside stays booked while the SM sleeps.  rcp (L 900) is issued in 3, taken in 7 and on
 * the one bus in 907.  mad (L 451) is issued in 4, taken in 8 and back in 461; add, which reads it,
 * is issued then, could be taken in 465 and, with L 442, would be on the bus in 907 too: it is
 * taken in 466 and back in 910.
 */
static void a_booking_survives_a_sleep(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "rcp.approx.f32 %f2, %f1; mad.lo.u32 %r4, %r1, %r2, %r3;"
                         "add.u32 %r5, %r4, 1;",
                         TIMED_SET("op.sfu_lat=900", "op.imad_lat=451", "op.iadd_lat=442",
                                   "sm.result_buses=1", "sm.sp_clusters=1"),
                         1, 32),
                     911);
    assert_int_equal(STAT(&t, sm.bus_waits), 1);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_largest_latency_is_as_long_as_it_says),
    cmocka_unit_test(a_chain_of_the_largest_latency),
    cmocka_unit_test(passes_of_a_warp_make_it_longer_still),
    cmocka_unit_test(the_largest_latency_and_interval),
    cmocka_unit_test(results_far_ahead_do_not_meet),
    cmocka_unit_test(one_bus_is_booked_far_ahead),
    cmocka_unit_test(two_buses_far_ahead_take_both),
    cmocka_unit_test(a_shorter_one_overtakes),
    cmocka_unit_test(a_second_launch_takes_as_long),
    cmocka_unit_test(old_bookings_are_forgotten_while_it_sleeps),
    cmocka_unit_test(after_a_sleep_results_do_not_meet),
    cmocka_unit_test(a_booking_survives_a_sleep),
};

TEST_MAIN(tests)
