/*
 * t_wide.c -- warps that are wider than the pipelines, counted by hand.
 *
 * A warp of W lanes on pipelines of S lanes takes P = W / S passes: it occupies the input of its pipeline P
 * times as long, and its last lanes are ready P - 1 cycles after its first.
 */
#include "tests/micro/clocks.h"

#define WIDE "sm.warp_words=2"
#define DEPENDENT "add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;"
#define INDEPENDENT "add.u32 %r5, %r1, %r2; add.u32 %r6, %r3, %r4;"

static u64 wide(const char *body, const char *const *set, u32 block)
{
    struct timed t;
    u64 cycles = run(&t, body, set, 1, block);

    timed_close(&t);
    return cycles;
}

/* ret in 3: L 2, so it ends in 3 + 7. */
static void two_passes_end_a_cycle_later(void **state)
{
    (void)state;
    assert_int_equal(wide("", TIMED_SET(WIDE), 64), 11);
}

/* 64 threads are one warp: one ret, with 64 lanes. */
static void a_wide_warp_is_one_instruction(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "", TIMED_SET(WIDE), 1, 64);
    assert_int_equal(STAT(&t, stall.issued), 1);
    assert_int_equal(STAT(&t, sm.simt_lanes), 64);
    assert_int_equal(STAT(&t, sm.simt_slots), 64);
    timed_close(&t);
}

/* add L 5: 3, 14, back in 25; ret 16. */
static void two_passes_add_a_cycle_to_a_dependence(void **state)
{
    (void)state;
    assert_int_equal(wide(DEPENDENT, TIMED_SET(WIDE), 64), 26);
}

/* Four passes, L 7: 3, 16, back in 29. */
static void four_passes_add_three_cycles_to_a_dependence(void **state)
{
    (void)state;
    assert_int_equal(wide(DEPENDENT, TIMED_SET("sm.warp_words=4"), 128), 30);
}

/* As wide as the pipelines: 3, 13, back in 23. */
static void pipelines_as_wide_as_the_warp_need_one_pass(void **state)
{
    (void)state;
    assert_int_equal(wide(DEPENDENT, TIMED_SET(WIDE, "sm.simd_width=64"), 64), 24);
}

/* 32 lanes on 16: two passes as well. */
static void narrow_pipelines_need_two_passes(void **state)
{
    (void)state;
    assert_int_equal(wide(DEPENDENT, TIMED_SET("sm.simd_width=16"), 32), 26);
}

/* One cluster: taken in 7 and 9, back in 9 + 5 + 2; ret, issued in 6, is taken in 11, back in 15. */
static void a_wide_warp_occupies_its_pipeline_for_two_cycles(void **state)
{
    (void)state;
    assert_int_equal(wide(INDEPENDENT, TIMED_SET(WIDE, "sm.sp_clusters=1"), 64), 17);
    assert_int_equal(wide(INDEPENDENT, TIMED_SET(WIDE, "sm.sp_clusters=1", "sm.simd_width=64"), 64),
                     15);
}

/* rcp: 16 cycles at the input, L 16: taken in 7 and 23, back in 23 + 16 + 2 = 41. */
static void a_long_interval_is_doubled(void **state)
{
    (void)state;
    assert_int_equal(wide("rcp.approx.f32 %f3, %f1; rcp.approx.f32 %f4, %f2;", TIMED_SET(WIDE), 64),
                     42);
}

/*
 * add reads two registers and writes one, the other add reads one and a constant; ret has none.  128 threads as 4, 2 or 1
 * warps: an access of a bank counts as one for each 32 lanes, so that the same threads' registers cost the same energy.
 */
static void registers_of_a_wide_warp_cost_what_its_threads_do(void **state)
{
    static const char *const words[] = {"sm.warp_words=1", WIDE, "sm.warp_words=4"};
    double joules[LEN(words)];
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(words); i++) {
        run(&t, "add.u32 %r5, %r1, %r2; add.u32 %r6, %r3, 1;", TIMED_SET(words[i]), 1, 128);
        assert_int_equal(STAT(&t, stall.issued), 3 * 4 >> i);
        assert_int_equal(STAT(&t, sm.reg_reads), (2 + 1) * 4);
        assert_int_equal(STAT(&t, sm.reg_writes), (1 + 1) * 4);
        assert_int_equal(STAT(&t, sm.other_operands), 1 * 4);
        joules[i] = t.d[0]->energy.part[COMP_regfile].dynamic_j;
        timed_close(&t);
    }
    assert_true(joules[0] > 0 && joules[1] == joules[0] && joules[2] == joules[0]);
}

/* ---- sm.wide_issue */

/*
 * Independent adds in 3 and 5, a scheduler's words of the first in between; taken in 7 and 9 by two clusters, L 5, back in
 * 9 + 5 + 2 = 16.  ret: fetched in 6, issued in 7, which waits for the second add's words, L 2, back in 14.  Not held: 3, 4, 15.
 */
static void a_scheduler_is_held_for_each_word(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(wide(INDEPENDENT, TIMED_SET(WIDE), 64), 15 + 1);
    assert_int_equal(run(&t, INDEPENDENT, TIMED_SET(WIDE, "sm.wide_issue=words"), 1, 64), 16 + 1);
    assert_int_equal(STAT(&t, stall.issued), 3);
    assert_int_equal(STAT(&t, stall.words), 3);
    timed_close(&t);
    /* four words, L 7: 3 and 7, taken in 11, back in 20; 3 and 4, back in 17 */
    assert_int_equal(wide(INDEPENDENT, TIMED_SET("sm.warp_words=4"), 128), 17 + 1);
    assert_int_equal(
        run(&t, INDEPENDENT, TIMED_SET("sm.warp_words=4", "sm.wide_issue=words"), 1, 128), 20 + 1);
    assert_int_equal(STAT(&t, stall.words), 3 * 3);
    timed_close(&t);
}

/*
 * One scheduler, greedy.  The first warp's buffer is empty after 3 and 4: the second's clock is read in 5.  Held, it goes in 3, 5,
 * and, filled again, in 7 and 9; mad waits for what they move, and the clock is read in 11.
 */
static void a_held_scheduler_issues_no_other_warp(void **state)
{
    static const char *const set[] = {"sm.wide_issue=one", "sm.wide_issue=words"};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(set); i++) {
        run(&t, CLOCK(20) LOG, TIMED_SET(WIDE, "sm.schedulers=1", "sm.fetch_width=2", set[i]), 1,
            128);
        assert_int_equal(clock_of(&t, 0, 0, 0), 3);
        assert_int_equal(clock_of(&t, 0, 2, 0), i ? 11 : 5);
        timed_close(&t);
    }
}

/* As wide as its datapath's words: nothing is held. */
static void a_warp_of_one_word_holds_nothing(void **state)
{
    struct timed t;

    (void)state;
    run(&t, INDEPENDENT, TIMED_SET("sm.wide_issue=words"), 1, 32);
    assert_int_equal(STAT(&t, stall.words), 0);
    timed_close(&t);
    assert_int_equal(wide(INDEPENDENT, TIMED_SET("sm.wide_issue=words"), 32),
                     wide(INDEPENDENT, NULL, 32));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_passes_end_a_cycle_later),
    cmocka_unit_test(a_wide_warp_is_one_instruction),
    cmocka_unit_test(two_passes_add_a_cycle_to_a_dependence),
    cmocka_unit_test(four_passes_add_three_cycles_to_a_dependence),
    cmocka_unit_test(pipelines_as_wide_as_the_warp_need_one_pass),
    cmocka_unit_test(narrow_pipelines_need_two_passes),
    cmocka_unit_test(a_wide_warp_occupies_its_pipeline_for_two_cycles),
    cmocka_unit_test(a_long_interval_is_doubled),
    cmocka_unit_test(registers_of_a_wide_warp_cost_what_its_threads_do),
    cmocka_unit_test(a_scheduler_is_held_for_each_word),
    cmocka_unit_test(a_held_scheduler_issues_no_other_warp),
    cmocka_unit_test(a_warp_of_one_word_holds_nothing),
};

TEST_MAIN(tests)
