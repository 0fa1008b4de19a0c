/*
 * t_sched.c -- which warp a scheduler issues from, counted by hand.
 *
 * Fetching begins with warp 1 (the round starts after warp 0), then 2, .., then 0: with W warps
 * warp 1 can first issue in 3, warp 2 in 4, .., warp 0 in W + 2.  Warp w belongs to scheduler w mod
 * n; in cycle t scheduler t mod n goes first.  Warps in order of age are 0, 1, 2, ..
 */
#include "tests/micro/clocks.h"

#define CLOCKS4 CLOCK(20) CLOCK(21) CLOCK(22) CLOCK(23)

/* Warp 1 in 3 4, 6 7; warp 0, fetched for in 2, 5: 4 5, 7 8. */
static void two_schedulers_issue_in_the_same_cycle(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCKS4 LOG, NULL, 1, 64);
    assert_clocks(&t, 0, 1, 3, 4);
    assert_later_clocks(&t, 0, 1, 6, 7);
    assert_clocks(&t, 0, 0, 4, 5);
    assert_later_clocks(&t, 0, 0, 7, 8);
    timed_close(&t);
}

/*
 * Warp 1 in 3 and, greedy, in 4, though warp 0 is ready in 4; its next pair can issue in 6.  Warp 0
 * in 5 and 6; its next pair in 8.  So they take turns of two: warp 1 7 8, warp 0 9 10.
 */
static void gto_stays_with_a_warp(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCKS4 LOG, TIMED_SET("sm.schedulers=1"), 1, 64);
    assert_clocks(&t, 0, 1, 3, 4);
    assert_later_clocks(&t, 0, 1, 7, 8);
    assert_clocks(&t, 0, 0, 5, 6);
    assert_later_clocks(&t, 0, 0, 9, 10);
    timed_close(&t);
}

/*
 * bar.sync of warp 1 in 3.  In 4 scheduler 0 goes first: its warp arrives, and warp 1, free again,
 * gets the one latch of the SFU in that very cycle, warp 0 in 5; they read the clock two cycles
 * later.  The launch takes an odd number of cycles, so the next one begins with the other
 * scheduler: there warp 1 has been looked at when warp 0 arrives; a cycle later scheduler 0 goes
 * first, and warp 0 is before warp 1.
 */
static void the_first_scheduler_changes_over_launches(void **state)
{
    static const char body[] = "bar.sync 0; ex2.approx.f32 %f2, %f1;" CLOCK(20) CLOCK(21) LOG;
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, body, NULL, 1, 64) % 2, 1);
    assert_int_equal(clock_of(&t, 0, 1, 0), 6);
    assert_int_equal(clock_of(&t, 0, 0, 0), 7);
    again(&t, 1, 64);
    assert_int_equal(clock_of(&t, 0, 1, 0), clock_of(&t, 0, 0, 0) + 1);
    timed_close(&t);
}

/* The same by turns: warp 1 odd, warp 0 even cycles; both always have something. */
static void lrr_changes_the_warp_every_cycle(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCKS4 LOG, TIMED_SET("sm.schedulers=1", "sm.scheduler=lrr"), 1, 64);
    assert_clocks(&t, 0, 1, 3, 5);
    assert_later_clocks(&t, 0, 1, 7, 9);
    assert_clocks(&t, 0, 0, 4, 6);
    assert_later_clocks(&t, 0, 0, 8, 10);
    timed_close(&t);
}

/*
 * Warp 1 3 4.  In 5 warps 0 and 2 are ready: 0 is older, 5 6.  In 7 warps 1 and 2: 1, 7 8; in 9
 * warp 0, 9 10.  And so on with the first of LOG: 1 in 11 12, 0 in 13 14; ld.param of 1 in 15, of 0
 * in 16.  In 17 both wait at mad for %ctaid (read in 12 and 14, there in 18 and 20): warp 2 at
 * last, 17 18.  mad of 1 in 19, of 0 in 20; both wait for it, and warp 2, fetched for in 18, goes
 * on in 21 22.
 */
static void gto_takes_the_oldest(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCKS4 LOG, TIMED_SET("sm.schedulers=1"), 1, 96);
    assert_clocks(&t, 0, 1, 3, 4);
    assert_later_clocks(&t, 0, 1, 7, 8);
    assert_clocks(&t, 0, 0, 5, 6);
    assert_later_clocks(&t, 0, 0, 9, 10);
    assert_clocks(&t, 0, 2, 17, 18);
    assert_later_clocks(&t, 0, 2, 21, 22);
    timed_close(&t);
}

#define TWO_LEVEL "sm.schedulers=1", "sm.scheduler=two_level", "sm.active_warps=1"

/*
 * The active set is warp 0, the oldest, so that warp 1 does not issue in 3.  Warp 0: clock 4, min
 * 5, and until 24 it waits for a pipeline, which does not move it out of the set: mov 24, clock 25.
 * LOG: 27, 28, ld.param 30, mad 34 (28 + 6), mul 45, add 55, st 65 (fetched in 55), ret 66.
 * Nothing of that waits for ld.param, so warp 1 begins in 67.
 */
static void two_level_keeps_a_warp_that_waits_for_a_pipeline(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) "min.u32 %r3, %r1, %r2; mov.u32 %r4, %r3;" CLOCK(21) LOG,
        TIMED_SET(TWO_LEVEL), 1, 64);
    assert_clocks(&t, 0, 0, 4, 25);
    assert_int_equal(clock_of(&t, 0, 1, 0), 67);
    timed_close(&t);
}

/*
 * Warp 0: clock 4, ld.param 5.  In 7 its mov is in the buffer and waits for data (until 8): warp 1
 * takes its place: clock 7, ld.param 8.  Warp 0 could go on in 8, but warp 1 has the place until it
 * waits for data itself, in 10: mov 10, clock 11 of warp 0, which is never moved out again.
 * LOG as above: 13 14, 16, 20, 31, 41, 51, ret 52.  mov of warp 1 in 53, clock 54.
 */
static void two_level_replaces_a_warp_that_waits_for_memory(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) "ld.param.u64 %rd1, [a]; mov.u64 %rd2, %rd1;" CLOCK(21) LOG,
        TIMED_SET(TWO_LEVEL), 1, 64);
    assert_clocks(&t, 0, 0, 4, 11);
    assert_clocks(&t, 0, 1, 7, 54);
    timed_close(&t);
}

/*
 * Four schedulers, all warps fetched for in 1, two places in the latch to the SP collectors.  Cycle
 * 3: schedulers 3 and 0; 4: 0 and 1; 5: 1 and 2; 6: 2 and 3.
 */
static void only_two_sp_instructions_are_issued_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) CLOCK(21) LOG, TIMED_SET("sm.schedulers=4", "sm.fetch_width=4"), 1, 128);
    assert_clocks(&t, 0, 0, 3, 4);
    assert_clocks(&t, 0, 1, 4, 5);
    assert_clocks(&t, 0, 2, 5, 6);
    assert_clocks(&t, 0, 3, 3, 6);
    timed_close(&t);
}

/* Two schedulers, one place: cycle 3 scheduler 1, 4 scheduler 0, 5 and 6 likewise. */
static void schedulers_take_turns_at_a_latch_of_one(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) CLOCK(21) LOG, TIMED_SET("sm.width_sp=1", "sm.fetch_width=2"), 1, 64);
    assert_clocks(&t, 0, 1, 3, 5);
    assert_clocks(&t, 0, 0, 4, 6);
    timed_close(&t);
}

/*
 * Loads have one latch for both schedulers: fetch_width 2, clock of both in 3, ld.param of
 * scheduler 0 in 4, of 1 in 5.  Warp 0 goes on with a clock in 6 (fetch in 4), warp 1 in 7.
 */
static void only_one_load_is_issued_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) "ld.param.u64 %rd1, [a];" CLOCK(21) LOG, TIMED_SET("sm.fetch_width=2"), 1,
        64);
    assert_clocks(&t, 0, 0, 3, 6);
    assert_clocks(&t, 0, 1, 3, 7);
    timed_close(&t);
}

/* ---- sm.picks */

#define TWO_PICKS "sm.schedulers=1", "sm.picks=2", "sm.fetch_width=2"

/* Both are fetched for in 1, and in 5 again; the oldest issues first, the other beside it. */
static void two_picks_are_of_different_warps(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCKS4 LOG, TIMED_SET(TWO_PICKS), 1, 64);
    assert_clocks(&t, 0, 0, 3, 4);
    assert_later_clocks(&t, 0, 0, 6, 7);
    assert_clocks(&t, 0, 1, 3, 4);
    assert_later_clocks(&t, 0, 1, 6, 7);
    timed_close(&t);
}

/* A warp alone issues one a cycle. */
static void two_picks_are_never_of_one_warp(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCKS4 LOG, TIMED_SET(TWO_PICKS), 1, 32);
    assert_clocks(&t, 0, 0, 3, 4);
    assert_later_clocks(&t, 0, 0, 6, 7);
    assert_int_equal(STAT(&t, sm.more_picked), 0);
    timed_close(&t);
}

/*
 * Loads have one latch.  Clocks of both in 3, of warp 1 last, with which gto goes on: its ld.param in 4, that of
 * warp 0 in 5; the next clocks in 6 and 7, as in only_one_load_is_issued_a_cycle.
 */
static void two_picks_share_a_latch(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) "ld.param.u64 %rd1, [a];" CLOCK(21) LOG, TIMED_SET(TWO_PICKS), 1, 64);
    assert_clocks(&t, 0, 0, 3, 7);
    assert_clocks(&t, 0, 1, 3, 6);
    timed_close(&t);
}

/* ---- sm.const_wait */

/*
 * As in two_level_replaces_a_warp_that_waits_for_memory, with a constant: its load takes as long.  If
 * that is short warp 0 keeps its place: mov in 8, clock 9, and warp 1 comes after its end, two cycles sooner than there.
 */
static void two_level_may_keep_a_warp_that_waits_for_a_constant(void **state)
{
    static const char module[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n.const .align 8 .b8 c[64];\n"
        ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<64>; .reg .b64 %rd<32>;\n" CLOCK(
            20) "ld.const.u64 %rd1, [c]; mov.u64 %rd2, %rd1;\n" CLOCK(21) LOG "ret;\n}\n";
    static const char *const wait[] = {"sm.const_wait=long", "sm.const_wait=short"};

    (void)state;
    for (u32 i = 0; i < 2; i++) {
        struct timed t;

        timed_open_module(&t, module, TIMED_SET(TWO_LEVEL, wait[i]));
        again(&t, 1, 64);
        assert_clocks(&t, 0, 0, 4, i ? 9 : 11);
        assert_int_equal(clock_of(&t, 0, 1, 0), i ? 51 : 7);
        timed_close(&t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_schedulers_issue_in_the_same_cycle),
    cmocka_unit_test(the_first_scheduler_changes_over_launches),
    cmocka_unit_test(gto_stays_with_a_warp),
    cmocka_unit_test(lrr_changes_the_warp_every_cycle),
    cmocka_unit_test(gto_takes_the_oldest),
    cmocka_unit_test(two_level_keeps_a_warp_that_waits_for_a_pipeline),
    cmocka_unit_test(two_level_replaces_a_warp_that_waits_for_memory),
    cmocka_unit_test(only_two_sp_instructions_are_issued_a_cycle),
    cmocka_unit_test(schedulers_take_turns_at_a_latch_of_one),
    cmocka_unit_test(only_one_load_is_issued_a_cycle),
    cmocka_unit_test(two_picks_are_of_different_warps),
    cmocka_unit_test(two_picks_are_never_of_one_warp),
    cmocka_unit_test(two_picks_share_a_latch),
    cmocka_unit_test(two_level_may_keep_a_warp_that_waits_for_a_constant),
};

TEST_MAIN(tests)
