/*
 * t_war.c -- sm.war_readers: how many instructions of a warp may be reading one register, counted by hand.
 *
 * The first mov is issued in 3, has read its operand in 5 before that cycle's issue, and writes back in
 * 10.  Another reader of the same register waits for one of these if there are as many already.
 */
#include "tests/micro/clocks.h"

#define BACK "sm.war=writeback"
#define READ "sm.war=read"
#define ONE "sm.war_readers=1"
#define TWO "sm.war_readers=2"

/* Cycles of a body, in which schedulers wait so many cycles for registers that are being read. */
static u64 waiting(const char *body, const char *const *set, u32 threads, u64 stalls)
{
    struct timed t;
    u64 cycles = run(&t, body, set, 1, threads);

    assert_int_equal(STAT(&t, stall.war), stalls);
    assert_int_equal(STAT(&t, stall.waw), 0);
    timed_close(&t);
    return cycles;
}

#define PAIR "mov.u32 %r3, %r1; mov.u32 %r4, %r1;"
#define THREE "mov.u32 %r3, %r1; mov.u32 %r4, %r1; mov.u32 %r5, %r1;"

/* 3 and 4, ret in 6. */
static void any_number_reads_at_once(void **state)
{
    (void)state;
    assert_int_equal(waiting(PAIR, TIMED_SET(BACK), 32, 0), 13);
    assert_int_equal(waiting(PAIR, TIMED_SET(BACK, TWO), 32, 0), 13);
    assert_int_equal(waiting(PAIR, TIMED_SET(READ), 32, 0), 13);
}

/* Nothing is marked. */
static void war_off_counts_no_readers(void **state)
{
    (void)state;
    assert_int_equal(waiting(PAIR, TIMED_SET("sm.war=off", ONE), 32, 0), 13);
}

/* 3 and 10, ret in 12. */
static void a_second_reader_waits_for_write_back(void **state)
{
    (void)state;
    assert_int_equal(waiting(PAIR, TIMED_SET(BACK, ONE), 32, 6), 19);
}

/* 3 and 5, ret in 7. */
static void a_second_reader_waits_for_the_first_to_read(void **state)
{
    (void)state;
    assert_int_equal(waiting(PAIR, TIMED_SET(READ, ONE), 32, 1), 14);
}

/*
 * The third is there from 6 on.  With two it waits for the first, which is back in 10: ret in 11.  With one:
 * 3; 10, back in 17; the third, there from 12 on, in 17; ret in 18.  With three: 3, 4, 6, 7.
 */
static void a_third_reader_waits_for_one_of_two(void **state)
{
    (void)state;
    assert_int_equal(waiting(THREE, TIMED_SET(BACK, TWO), 32, 4), 18);
    assert_int_equal(waiting(THREE, TIMED_SET(BACK, ONE), 32, 6 + 5), 25);
    assert_int_equal(waiting(THREE, TIMED_SET(BACK, "sm.war_readers=3"), 32, 0), 14);
}

/*
 * The add names the register twice, which takes its bank in 5 and 6, and is one reader: it is back in 14.
 * Beside it mov is issued in 4, reads in 7, a cycle late, and is back in 12: a third reader goes then, ret
 * in 13.  With one reader mov waits for the add.
 */
static void an_instruction_is_one_reader_of_a_register_that_it_names_twice(void **state)
{
    const char *two = "add.u32 %r3, %r1, %r1; mov.u32 %r4, %r1;";
    const char *three = "add.u32 %r3, %r1, %r1; mov.u32 %r4, %r1; mov.u32 %r5, %r1;";

    (void)state;
    assert_int_equal(waiting("add.u32 %r3, %r1, %r1;", TIMED_SET(BACK, ONE), 32, 0), 15);
    assert_int_equal(waiting(two, TIMED_SET(BACK, TWO), 32, 0), 15);
    assert_int_equal(waiting(three, TIMED_SET(BACK, TWO), 32, 12 - 6), 13 + 7);
    assert_int_equal(waiting(two, TIMED_SET(BACK, ONE), 32, 14 - 4), 16 + 7);
}

/* A guard is a source: without register operands the first is back in 9. */
static void guards_are_read_too(void **state)
{
    const char *body = "@%p1 mov.u32 %r3, 1; @%p1 mov.u32 %r4, 2;";

    (void)state;
    assert_int_equal(waiting(body, TIMED_SET(BACK), 32, 0), 13);
    assert_int_equal(waiting(body, TIMED_SET(BACK, ONE), 32, 5), 11 + 7);
}

/* Who waits for a result does so first: min in 3, back in 22, when %r1 is free as well. */
static void waiting_for_a_result_comes_first(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "min.u32 %r3, %r1, %r2; add.u32 %r4, %r3, %r1;", TIMED_SET(BACK, ONE), 1, 32);
    assert_int_equal(STAT(&t, stall.war), 0);
    assert_int_equal(STAT(&t, stall.raw), 22 - 4);
    timed_close(&t);
}

/*
 * ld.param in 3, the first load in 6, back in 314; the second, there from 8 on, has the same address
 * register and waits until then.  When it is read the load goes in 8.
 */
static void a_load_holds_the_register_of_its_address(void **state)
{
    const char *body = TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r2, [%rd0+128];";

    (void)state;
    waiting(body, TIMED_SET(BACK, ONE), 32, 314 - 8);
    waiting(body, TIMED_SET(READ, ONE), 32, 0);
    waiting(body, TIMED_SET(BACK), 32, 0);
}

/* Not in one cycle: 3 and 10, ret in 12.  With two readers: 3 3, ret in 5. */
static void dual_issue_does_not_pair_two_readers(void **state)
{
    (void)state;
    assert_int_equal(waiting(PAIR, TIMED_SET(BACK, ONE, "sm.issue_width=2"), 32, 6), 19);
    assert_int_equal(waiting(PAIR, TIMED_SET(BACK, TWO, "sm.issue_width=2"), 32, 0), 12);
}

/* Two passes write back a cycle later, in 11; a wide instruction is one reader, and its ret ends 8 later. */
static void a_wide_warp_is_one_reader(void **state)
{
    (void)state;
    assert_int_equal(waiting(PAIR, TIMED_SET(BACK, ONE, "sm.warp_words=2"), 64, 7), 13 + 8);
    assert_int_equal(waiting(PAIR, TIMED_SET(BACK, TWO, "sm.warp_words=2"), 64, 0), 6 + 8);
}

/* Each in a sub-core of its own, as one warp alone. */
static void warps_do_not_hold_each_other(void **state)
{
    (void)state;
    assert_int_equal(
        waiting(PAIR, TIMED_SET(BACK, ONE, "sm.schedulers=2", "sm.sub_cores=2", "sm.fetch_width=2"),
                64, 2 * 6),
        19);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_number_reads_at_once),
    cmocka_unit_test(war_off_counts_no_readers),
    cmocka_unit_test(a_second_reader_waits_for_write_back),
    cmocka_unit_test(a_second_reader_waits_for_the_first_to_read),
    cmocka_unit_test(a_third_reader_waits_for_one_of_two),
    cmocka_unit_test(an_instruction_is_one_reader_of_a_register_that_it_names_twice),
    cmocka_unit_test(guards_are_read_too),
    cmocka_unit_test(waiting_for_a_result_comes_first),
    cmocka_unit_test(a_load_holds_the_register_of_its_address),
    cmocka_unit_test(dual_issue_does_not_pair_two_readers),
    cmocka_unit_test(a_wide_warp_is_one_reader),
    cmocka_unit_test(warps_do_not_hold_each_other),
};

TEST_MAIN(tests)
