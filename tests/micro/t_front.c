/* t_front.c -- fetch, decode, branches and the instruction cache, counted by hand */
#include "tests/micro/clocks.h"

#define MOVS2 "mov.u32 %r1, 1; mov.u32 %r2, 2;\n"
#define MOVS4 MOVS2 "mov.u32 %r3, 3; mov.u32 %r4, 4;\n"

/* ---- pairs */

/*
 * Fetches in 1, 4, 7, 10; issues in 3 4, 6 7, 9 10, and ret in 12, which ends in 18.
 * The scheduler of the warp: cycle 0 no CTA yet; fetch in 1 2 5 8 11; drain in 13..18.
 */
static void a_warp_issues_two_instructions_in_three_cycles(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        run(&t, MOVS4 "mov.u32 %r5, 5; mov.u32 %r6, 6;", TIMED_SET("gpu.n_sm=1"), 1, 32), 19);
    assert_int_equal(STAT(&t, sm.fetches), 4);
    assert_int_equal(STAT(&t, stall.issued), 7);
    assert_int_equal(STAT(&t, stall.fetch), 5);
    assert_int_equal(STAT(&t, stall.drain), 6);
    assert_int_equal(STAT(&t, stall.no_warp), 2);
    assert_int_equal(STAT(&t, stall.tail), 18);
    timed_close(&t);
}

/* Fetches in 1 and 6: issues in 3 4 5 6 and ret in 8. */
static void a_buffer_of_four_issues_four_in_a_row(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(MOVS4, TIMED_SET("sm.ibuffer=4")), 15);
}

/* Fetches in 1, 3, 5: issues in 3, 5 and ret in 7. */
static void a_buffer_of_one_issues_every_other_cycle(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(MOVS2, TIMED_SET("sm.ibuffer=1")), 14);
}

/* Eight warps are fetched for in 1 to 8; the last ret is issued in 10. */
static void warps_share_one_fetch_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", NULL, 1, 256), 17);
    assert_int_equal(STAT(&t, sm.fetches), 8);
    timed_close(&t);
}

/* Two a cycle: 1 to 4; the last rets are issued in 6, one by each scheduler. */
static void two_fetches_a_cycle_serve_two_warps(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", TIMED_SET("sm.fetch_width=2"), 1, 256), 13);
    timed_close(&t);
}

/* ---- branches */

/* bra in 3; the scheduler finds the wrong instruction in 4, fetch in 4, ret in 6. */
static void a_branch_that_is_first_of_its_pair_costs_three(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "bra L; mov.u32 %r1, 1; L:", TIMED_SET("gpu.n_sm=1"), 1, 32), 13);
    assert_int_equal(STAT(&t, sm.flushes), 1);
    assert_int_equal(STAT(&t, sm.fetches), 2);
    timed_close(&t);
}

/*
 * mov 3, bra 4; the fall-through is fetched in 4, decoded in 5 and found wrong in 6; fetch in 6,
 * ret in 8.
 */
static void a_branch_that_is_second_of_its_pair_costs_four(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "mov.u32 %r1, 1; bra L; mov.u32 %r2, 1; mov.u32 %r3, 1; L:",
                         TIMED_SET("gpu.n_sm=1"), 1, 32),
                     15);
    assert_int_equal(STAT(&t, sm.flushes), 1);
    assert_int_equal(STAT(&t, sm.fetches), 3);
    timed_close(&t);
}

/* As above: in 4 the buffer holds what the branch left; in 5 it is empty. */
static void a_cycle_with_the_wrong_path_buffered_is_a_control_stall(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "bra L; mov.u32 %r1, 1; L:", TIMED_SET("gpu.n_sm=1"), 1, 32);
    assert_int_equal(STAT(&t, stall.control), 1);
    assert_int_equal(STAT(&t, stall.fetch), 3); /* 1, 2, 5 */
    timed_close(&t);
}

/* A branch to the next instruction finds it in the buffer: bra 3, mov 4, ret 6. */
static void a_branch_to_what_is_buffered_costs_nothing(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "bra L; L: mov.u32 %r1, 1;", NULL, 1, 32), 13);
    assert_int_equal(STAT(&t, sm.flushes), 0);
    timed_close(&t);
}

/* setp 3; its predicate is there in 10: bra, not taken; then 12, 13 and ret in 15. */
static void a_branch_not_taken_costs_nothing(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "setp.ne.u32 %p1, %r1, %r2; @%p1 bra L;" MOVS2 "L:", NULL, 1, 32), 22);
    assert_int_equal(STAT(&t, sm.flushes), 0);
    timed_close(&t);
}

/* ---- lanes that part */

/*
 * tid 3, setp 9, bra 16 (first of its pair): lanes 0..15 jump, and run first: flush, mov 19 at E.
 * They stop at J, the buffered ret is not the others': flush, mov 22, bra J 23 (second of its
 * pair), ret 27.
 */
static void the_side_that_jumps_runs_first(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16;\n"
                         "@%p1 bra E;\n mov.u32 %r2, 1; bra J;\n E: mov.u32 %r3, 2;\n J:",
                         NULL, 1, 32),
                     34);
    assert_int_equal(STAT(&t, sm.flushes), 3);
    assert_int_equal(STAT(&t, ptx.warp_insts), 7);
    assert_int_equal(STAT(&t, sm.simt_lanes), 3 * 32 + 3 * 16 + 32);
    timed_close(&t);
}

/*
 * tid 3, setp 9, add 11, bra 16: lanes 0..15 go back.  It was second of its pair: the target could
 * issue in 20, but the add has it wait until 21.  add 22, bra 28 (setp + 7), not taken; ret 29.
 */
static void lanes_that_loop_again_flush_once(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "mov.u32 %r1, %tid.x;\n"
                         "L: setp.lt.u32 %p1, %r1, 16; add.u32 %r1, %r1, 16; @%p1 bra L;",
                         NULL, 1, 32),
                     36);
    assert_int_equal(STAT(&t, sm.flushes), 1);
    assert_int_equal(STAT(&t, ptx.diverged), 1);
    assert_int_equal(STAT(&t, ptx.warp_insts), 8);
    assert_int_equal(STAT(&t, sm.simt_lanes), 32 + 3 * 32 + 3 * 16 + 32);
    timed_close(&t);
}

/*
 * tid 3, setp 9, exit 16 for half of the lanes: mov was buffered behind it, and is fetched again
 * in 16: mov 18, ret 19.
 */
static void lanes_that_exit_empty_the_buffer(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16;\n"
                         "@%p1 exit; mov.u32 %r2, 1;",
                         NULL, 1, 32),
                     26);
    assert_int_equal(STAT(&t, sm.flushes), 0);
    timed_close(&t);
}

/* The same without a lane that exits: mov 17 from the buffer; mov 19, ret 20. */
static void an_exit_without_lanes_keeps_the_buffer(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 0;\n"
                         "@%p1 exit; mov.u32 %r2, 1; mov.u32 %r3, 1;",
                         NULL, 1, 32),
                     27);
    timed_close(&t);
}

/* ---- the instruction cache */

/*
 * Launch 1 brings the line from DRAM into L2.  Launch 2 runs on the other SM: miss and request in
 * 1, at the slice in 8 (noc.request_latency of gtx480), four sectors wait until 128, enter the
 * queue in 128..131, are looked up in 129..132, sent in 130..133, arrive in 136..139, one a cycle;
 * the last goes from the reply queue to the cache in 140.  Fetch in 140, decode in 141, ret in 142.
 * Launch 3 runs on the first SM again and hits.
 */
static void a_miss_that_hits_in_l2_costs_139_cycles(void **state)
{
    struct timed t;

    (void)state;
    timed_open(&t, "", TIMED_SET("sm.perfect_icache=off", "gpu.n_sm=2"));
    assert_true(again(&t, 1, 32) > 149);
    assert_int_equal(STAT(&t, l1i.miss), 1);
    assert_int_equal(again(&t, 1, 32), 149);
    assert_int_equal(STAT(&t, l1i.miss), 1);
    assert_int_equal(STAT(&t, stall.imiss), 139); /* 2..140 */
    assert_int_equal(STAT(&t, stall.fetch), 2);   /* 1, 141 */
    assert_int_equal(again(&t, 1, 32), 10);
    assert_int_equal(STAT(&t, l1i.miss), 0);
    timed_close(&t);
}

/* The line is there in 140, too late for that cycle's fetch: looked up again in 141, ret in 143. */
static void a_line_that_came_can_be_looked_up_again(void **state)
{
    struct timed t;

    (void)state;
    timed_open(&t, "", TIMED_SET("sm.perfect_icache=off", "gpu.n_sm=2", "sm.fetch_again=on"));
    again(&t, 1, 32);
    assert_int_equal(again(&t, 1, 32), 150);
    assert_int_equal(STAT(&t, l1i.miss), 1);
    assert_int_equal(STAT(&t, l1i.access), 2);
    assert_int_equal(STAT(&t, sm.fetches), 2);
    timed_close(&t);
}

/* Two warps of one SM wait for one line: fetched for in 140 and 141, the second ret in 143. */
static void warps_merge_in_a_miss_and_are_served_one_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    timed_open(&t, "", TIMED_SET("sm.perfect_icache=off", "gpu.n_sm=2"));
    again(&t, 1, 64);
    assert_int_equal(again(&t, 1, 64), 150);
    assert_int_equal(STAT(&t, request.packets), 1);
    timed_close(&t);
}

static u64 lines_of(const char *body)
{
    struct timed t;
    u64 n;

    run(&t, body, TIMED_SET("sm.perfect_icache=off", "gpu.n_sm=1"), 1, 32);
    n = STAT(&t, l1i.miss);
    timed_close(&t);
    return n;
}

/* 15 and ret are one line of 128 bytes; one more is in the next. */
static void a_line_has_sixteen_instructions(void **state)
{
    (void)state;
    assert_int_equal(lines_of(MOVS4 MOVS4 MOVS4 MOVS2 "mov.u32 %r1, 1;"), 1);
    assert_int_equal(lines_of(MOVS4 MOVS4 MOVS4 MOVS4), 2);
}

/* From instruction 3 on pairs are odd: 15 and 16 come with one fetch from the line of 15. */
static void a_pair_across_the_end_of_a_line_needs_only_the_first(void **state)
{
    (void)state;
    assert_int_equal(lines_of("bra L;" MOVS2 "L:" MOVS4 MOVS4 MOVS4 "mov.u32 %r1, 1;"), 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_warp_issues_two_instructions_in_three_cycles),
    cmocka_unit_test(a_buffer_of_four_issues_four_in_a_row),
    cmocka_unit_test(a_buffer_of_one_issues_every_other_cycle),
    cmocka_unit_test(warps_share_one_fetch_a_cycle),
    cmocka_unit_test(two_fetches_a_cycle_serve_two_warps),
    cmocka_unit_test(a_branch_that_is_first_of_its_pair_costs_three),
    cmocka_unit_test(a_branch_that_is_second_of_its_pair_costs_four),
    cmocka_unit_test(a_cycle_with_the_wrong_path_buffered_is_a_control_stall),
    cmocka_unit_test(a_branch_to_what_is_buffered_costs_nothing),
    cmocka_unit_test(a_branch_not_taken_costs_nothing),
    cmocka_unit_test(the_side_that_jumps_runs_first),
    cmocka_unit_test(lanes_that_loop_again_flush_once),
    cmocka_unit_test(lanes_that_exit_empty_the_buffer),
    cmocka_unit_test(an_exit_without_lanes_keeps_the_buffer),
    cmocka_unit_test(a_miss_that_hits_in_l2_costs_139_cycles),
    cmocka_unit_test(a_line_that_came_can_be_looked_up_again),
    cmocka_unit_test(warps_merge_in_a_miss_and_are_served_one_a_cycle),
    cmocka_unit_test(a_line_has_sixteen_instructions),
    cmocka_unit_test(a_pair_across_the_end_of_a_line_needs_only_the_first),
};

TEST_MAIN(tests)
