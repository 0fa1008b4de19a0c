/*
 * t_issue.c -- dependences and dual issue, counted by hand.
 *
 * A dependent instruction is issued d = L + 6 cycles after, L + 5 if its source has no register
 * operands.  In "a; b;" where b waits until cycle t, ret is fetched in t and issued in t + 2: the
 * launch takes t + 9 cycles.
 */
#include "tests/micro/clocks.h"

/* ret is issued in 3; it has no operands, so it writes back in 3 + 1 + 5 = 9: cycles 0 to 9. */
static void an_empty_kernel_takes_ten_cycles(void **state)
{
    struct timed t;

    (void)state;
    timed_open(&t, "", NULL);
    assert_int_equal(again(&t, 1, 32), 10);
    assert_int_equal(again(&t, 1, 32), 10);
    timed_close(&t);
}

/* Two warps of 40 threads: an addition of all, and one of threads 0 to 9. */
static void lanes_are_counted_on_and_off(void **state)
{
    struct timed t;

    (void)state;
    run(&t,
        "mov.u32 %r2, %tid.x; add.u32 %r1, %r2, 1; setp.lt.u32 %p1, %r2, 10; @%p1 add.u32 %r3, "
        "%r2, %r1;",
        NULL, 1, 40);
    assert_int_equal(STAT(&t, ops.iadd), 40 + 10);
    assert_int_equal(STAT(&t, ops.off_iadd), (64 - 40) + (64 - 10));
    timed_close(&t);
}

/* ---- read after write */

/*
 * The adds (L 4) issue in 3, 13, 23 and 33: 10 apart.  ret is fetched when the last has left the
 * buffer, in 33, and issued in 35; it would end in 41, but the warp waits for the last add,
 * which writes back in 43.
 */
static void dependent_adds_are_ten_cycles_apart(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;"
                         "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;",
                         NULL, 1, 32),
                     44);
    /* raw: 4..12, 15..22 (the second pair is decoded in 14, fetch in 14), 24..32 */
    assert_int_equal(STAT(&t, stall.raw), 9 + 8 + 9);
    timed_close(&t);
}

/* L 1: 3 + 7 = 10. */
static void a_move_is_ready_after_seven_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("mov.u32 %r2, %r1; mov.u32 %r3, %r2;", NULL), 10 + 9);
}

/* L 1 without register operands: 3 + 6 = 9. */
static void a_constant_is_ready_after_six_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("mov.u32 %r2, 7; mov.u32 %r3, %r2;", NULL), 9 + 9);
    assert_int_equal(cycles_of("mov.u32 %r2, %tid.x; mov.u32 %r3, %r2;", NULL), 9 + 9);
}

/* L 5: 3 + 11 = 14. */
static void an_integer_mad_is_ready_after_eleven_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("mad.lo.u32 %r4, %r1, %r2, %r3; mov.u32 %r5, %r4;", NULL), 14 + 9);
}

/* L 1, as GPGPU-Sim has it: 3 + 7. */
static void an_fma_is_ready_after_seven_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("fma.rn.f32 %f4, %f1, %f2, %f3; mov.f32 %f5, %f4;", NULL), 10 + 9);
}

/* L 13: 3 + 19 = 22; the scheduler waits in 4..21. */
static void a_minimum_is_ready_after_nineteen_cycles(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "min.u32 %r3, %r1, %r2; mov.u32 %r4, %r3;", NULL, 1, 32), 22 + 9);
    assert_int_equal(STAT(&t, stall.raw), 18);
    timed_close(&t);
}

/* SFU, L 8: 3 + 14; f32 division L 39: 3 + 45. */
static void special_functions_have_their_latency(void **state)
{
    (void)state;
    assert_int_equal(cycles_of("rcp.approx.f32 %f2, %f1; mov.f32 %f3, %f2;", NULL), 17 + 9);
    assert_int_equal(cycles_of("div.full.f32 %f3, %f1, %f2; mov.f32 %f4, %f3;", NULL), 48 + 9);
}

/* ld.param hits in the dispatch cycle: 3 + 3; that wait is for memory. */
static void a_parameter_is_ready_after_three_cycles(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, TIMED_A "mov.u64 %rd1, %rd0;", NULL, 1, 32), 6 + 9);
    assert_int_equal(STAT(&t, stall.raw_mem), 2);
    assert_int_equal(STAT(&t, stall.raw), 0);
    timed_close(&t);
}

/*
 * min is issued in 3 and ready in 22; bfi waits for it in 4 to 21.  (GPGPU-Sim looks at three
 * sources only.)
 */
static void a_fourth_source_is_waited_for(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "min.u32 %r4, %r5, %r6; bfi.b32 %r7, %r1, %r2, %r3, %r4;", NULL, 1, 32);
    assert_int_equal(STAT(&t, stall.raw), 18);
    timed_close(&t);
}

/* ---- predicates */

/* setp 3, the guarded mov in 10, true or not. */
static void a_guard_waits_for_its_predicate(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "setp.eq.u32 %p1, %r1, %r2; @%p1 mov.u32 %r3, 1;", NULL, 1, 32),
                     10 + 9);
    assert_int_equal(STAT(&t, stall.raw), 6);
    timed_close(&t);
    assert_int_equal(cycles_of("setp.eq.u32 %p1, %r1, %r2; @!%p1 mov.u32 %r3, 1;", NULL), 10 + 9);
}

/* A mov that no lane executes writes back all the same: setp 3, mov 10, its reader 16. */
static void what_the_guard_turns_off_still_takes_its_time(void **state)
{
    struct timed t;

    (void)state;
    /* the reader is fetched in 10 and could issue in 12; ret follows it in 17 */
    assert_int_equal(
        run(&t, "setp.ne.u32 %p1, %r1, %r2; @%p1 mov.u32 %r3, 1; mov.u32 %r4, %r3;", NULL, 1, 32),
        17 + 7);
    assert_int_equal(STAT(&t, ptx.warp_insts), 4);
    assert_int_equal(STAT(&t, ptx.thread_insts), 3 * 32);
    timed_close(&t);
}

/* ---- write after write, write after read */

/* The second writer waits as a reader would: until 22. */
static void a_second_writer_waits_for_the_first(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "min.u32 %r3, %r1, %r2; mov.u32 %r3, 7;", NULL, 1, 32), 22 + 9);
    assert_int_equal(STAT(&t, stall.waw), 18);
    assert_int_equal(STAT(&t, stall.raw), 0);
    timed_close(&t);
}

static u64 write_after_read(const char *war, u64 stalls)
{
    struct timed t;
    u64 cycles = run(&t, "mov.u32 %r3, %r1; mov.u32 %r1, 7;", TIMED_SET(war), 1, 32);

    assert_int_equal(STAT(&t, stall.war), stalls);
    timed_close(&t);
    return cycles;
}

/* The reader is issued in 3, the writer in 4: ret in 6. */
static void war_off_lets_a_writer_pass(void **state)
{
    (void)state;
    assert_int_equal(write_after_read("sm.war=off", 0), 13);
}

/* The reader reads in 5, before that cycle's issue: the writer in 5, ret in 7. */
static void war_read_holds_a_writer_until_the_operands_are_read(void **state)
{
    (void)state;
    assert_int_equal(write_after_read("sm.war=read", 1), 14);
}

/* The reader writes back in 10: the writer in 10, ret in 12. */
static void war_writeback_holds_a_writer_until_the_reader_has_written(void **state)
{
    (void)state;
    assert_int_equal(write_after_read("sm.war=writeback", 6), 19);
}

/* Two operands in one bank are read in 5 and 6: the writer in 6, ret in 8; the add ends in 14. */
static void war_read_waits_for_the_last_operand(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        run(&t, "add.u32 %r3, %r1, %r17; mov.u32 %r1, 7;", TIMED_SET("sm.war=read"), 1, 32), 15);
    assert_int_equal(STAT(&t, stall.war), 2);
    timed_close(&t);
}

/* ---- two instructions of a warp in one cycle */

#define MOVS4 "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; mov.u32 %r4, 4;"

/* 3 3, fetch in 3, 5 5, fetch in 5, ret in 7. */
static void dual_issue_takes_a_pair_in_one_cycle(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, MOVS4, TIMED_SET("sm.issue_width=2"), 1, 32), 14);
    assert_int_equal(STAT(&t, sm.dual_issued), 2);
    assert_int_equal(STAT(&t, stall.issued), 3); /* cycles, not instructions */
    timed_close(&t);
}

/* One unit for all: 3 4, 6 7, ret in 9. */
static void dual_issue_to_another_unit_refuses_the_same_unit(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        run(&t, MOVS4, TIMED_SET("sm.issue_width=2", "sm.dual_issue=other_unit"), 1, 32), 16);
    assert_int_equal(STAT(&t, sm.dual_issued), 0);
    timed_close(&t);
}

/* SP and load/store in turns: 3 3, 5 5, ret in 7. */
static void dual_issue_to_another_unit_pairs_a_move_with_a_load(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "mov.u32 %r1, 1; ld.param.u64 %rd0, [a];"
                         "mov.u32 %r2, 1; ld.param.u64 %rd1, [a];",
                         TIMED_SET("sm.issue_width=2", "sm.dual_issue=other_unit"), 1, 32),
                     14);
    assert_int_equal(STAT(&t, sm.dual_issued), 2);
    timed_close(&t);
}

/* The second needs the first: 3, 9 as without; ret, alone in its cycle, in 11. */
static void dual_issue_does_not_break_a_dependence(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        run(&t, "mov.u32 %r1, 1; mov.u32 %r2, %r1;", TIMED_SET("sm.issue_width=2"), 1, 32), 9 + 9);
    assert_int_equal(STAT(&t, sm.dual_issued), 0);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_kernel_takes_ten_cycles),
    cmocka_unit_test(lanes_are_counted_on_and_off),
    cmocka_unit_test(dependent_adds_are_ten_cycles_apart),
    cmocka_unit_test(a_move_is_ready_after_seven_cycles),
    cmocka_unit_test(a_constant_is_ready_after_six_cycles),
    cmocka_unit_test(an_integer_mad_is_ready_after_eleven_cycles),
    cmocka_unit_test(an_fma_is_ready_after_seven_cycles),
    cmocka_unit_test(a_minimum_is_ready_after_nineteen_cycles),
    cmocka_unit_test(special_functions_have_their_latency),
    cmocka_unit_test(a_parameter_is_ready_after_three_cycles),
    cmocka_unit_test(a_fourth_source_is_waited_for),
    cmocka_unit_test(a_guard_waits_for_its_predicate),
    cmocka_unit_test(what_the_guard_turns_off_still_takes_its_time),
    cmocka_unit_test(a_second_writer_waits_for_the_first),
    cmocka_unit_test(war_off_lets_a_writer_pass),
    cmocka_unit_test(war_read_holds_a_writer_until_the_operands_are_read),
    cmocka_unit_test(war_writeback_holds_a_writer_until_the_reader_has_written),
    cmocka_unit_test(war_read_waits_for_the_last_operand),
    cmocka_unit_test(dual_issue_takes_a_pair_in_one_cycle),
    cmocka_unit_test(dual_issue_to_another_unit_refuses_the_same_unit),
    cmocka_unit_test(dual_issue_to_another_unit_pairs_a_move_with_a_load),
    cmocka_unit_test(dual_issue_does_not_break_a_dependence),
};

TEST_MAIN(tests)
