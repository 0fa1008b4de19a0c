/* t_const.c -- parameters and constants; see memory_path.h */
#include "tests/micro/memory_path.h"

#define HEAD                                                                                       \
    ".version 6.0\n.target sm_35\n.address_size 64\n.const .align 128 .b8 c[256];\n"               \
    ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<8>; .reg .b64 %rd<8>;\n"

/*
 * Two loads of a parameter without a register operand: issued in 3, done in 6; in 6 (WAW), done in
 * 9.
 */
static void a_hit_takes_3_without_a_register(void **state)
{
    struct timed t;

    (void)state;
    /* the add issues in 9, fetched in 6, and writes back in 19 */
    path_check(&t, TIMED_A TIMED_A "add.u64 %rd1, %rd0, 1;", NULL, 32, 9 + 10 + 1);
    assert_int_equal(STAT(&t, sm.const_insts), 2);
    timed_close(&t);
}

/*
 * mov 3 and 4, mul.wide 9, add 19, the load in 29.  16 lanes read one line of 64 bytes: 4 with a
 * register, so the add goes in 33.  32 lanes read two lines, one a cycle: 34.
 */
static void each_line_takes_a_cycle(void **state)
{
    static const char text[] = HEAD "mov.u32 %r0, %tid.x; mov.u64 %rd2, c;\n"
                                    "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd2, %rd1;\n"
                                    "ld.const.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1;\nret;\n}\n";
    struct timed t;

    (void)state;
    timed_open_module(&t, text, path_set(NULL));
    assert_int_equal(timed_run(&t, 1, 16), 29 + 4 + 10 + 1);
    assert_int_equal(timed_run(&t, 1, 32), 29 + 5 + 10 + 1);
    timed_close(&t);
}

/*
 * As above, with 7 cycles in front of the tags: 10 for each load, so that the add issues in 23.  With
 * sm.perfect_const there are no tags, but the way is as long.
 */
static void a_hit_takes_the_latency_of_the_cache_longer(void **state)
{
    static const char *const perfect[] = {"sm.perfect_const=on", "sm.perfect_const=off"};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(perfect); i++) {
        timed_open(&t, TIMED_A TIMED_A "add.u64 %rd1, %rd0, 1;",
                   path_set(TIMED_SET("l1c.latency=7", perfect[i], "gpu.n_sm=1")));
        timed_run(&t, 1, 32); /* the line is there from now on */
        assert_int_equal(timed_run(&t, 1, 32), 3 + 10 + 10 + 10 + 1);
        timed_close(&t);
    }
}

/* The load of each_line_takes_a_cycle; its lines go into the queue one a cycle and come out so. */
static void lines_follow_each_other_through_the_latency(void **state)
{
    static const char text[] = HEAD "mov.u32 %r0, %tid.x; mov.u64 %rd2, c;\n"
                                    "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd2, %rd1;\n"
                                    "ld.const.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1;\nret;\n}\n";
    struct timed t;

    (void)state;
    timed_open_module(&t, text, path_set(TIMED_SET("l1c.latency=20")));
    assert_int_equal(timed_run(&t, 1, 16), 29 + 4 + 20 + 10 + 1);
    assert_int_equal(timed_run(&t, 1, 32), 29 + 5 + 20 + 10 + 1);
    timed_close(&t);
}

/*
 * The parameter's line is nowhere yet.  Issued in 3, dispatched in 6, the miss is sent in 7 and at
 * the slice in 13; two sectors, looked up in T = 134 and 135.  Columns are read in T+115 and T+118,
 * so the second sector has its data in T+130, is filled in T+131, replied in T+133, at the SM in
 * T+139, fills the line in T+140, is chosen in T+141 and written back in T+142 = 276.  The second
 * load issues then and hits; ret is fetched then, too, and issues in 278.
 *
 * The next launch on this SM finds the line: 3 .. 6, 6 .. 9, and ret, fetched in 6, in 8.
 */
static void a_miss_is_fetched_once(void **state)
{
    struct timed t;

    (void)state;
    path_cold(&t, TIMED_A TIMED_A,
              TIMED_SET("sm.perfect_const=off", "gpu.mem_mhz=700", "gpu.n_sm=1"));
    assert_int_equal(timed_run(&t, 1, 32), 278 + 7);
    assert_int_equal(STAT(&t, l1c.access), 2);
    assert_int_equal(STAT(&t, l1c.miss), 1);
    assert_int_equal(STAT(&t, slice.constant), 2);
    assert_int_equal(STAT(&t, dram.read), 2);
    assert_int_equal(timed_run(&t, 1, 32), 8 + 7);
    assert_int_equal(STAT(&t, l1c.access), 2);
    assert_int_equal(STAT(&t, l1c.miss), 0);
    timed_close(&t);
}

/*
 * Both loads are issued before the line is there, in 3 and 4, and wait in one MSHR: written back
 * one after the other, in 276 and 277.
 */
static void loads_of_one_line_wait_in_one_mshr(void **state)
{
    struct timed t;

    (void)state;
    path_cold(&t, TIMED_A "ld.param.u64 %rd1, [a];",
              TIMED_SET("sm.perfect_const=off", "gpu.mem_mhz=700"));
    assert_int_equal(timed_run(&t, 1, 32), 277 + 1);
    assert_int_equal(STAT(&t, l1c.pending_hit), 1);
    assert_int_equal(STAT(&t, request.packets), 1);
    timed_close(&t);
}

/* Lines of 64 bytes at 0, 64 and 128, one load each, and then the first two once more. */
static void lines_are_told_apart(void **state)
{
    static const char text[] = HEAD "ld.const.u32 %r1, [c]; ld.const.u32 %r2, [c+64];\n"
                                    "ld.const.u32 %r3, [c+128]; ld.const.u32 %r4, [c+4];\n"
                                    "ld.const.u32 %r5, [c+124];\nret;\n}\n";
    struct timed t;

    (void)state;
    timed_open_module(&t, text, TIMED_SET("sm.perfect_const=off"));
    timed_run(&t, 1, 32);
    assert_int_equal(STAT(&t, l1c.access), 5);
    assert_int_equal(STAT(&t, l1c.miss), 3);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_hit_takes_3_without_a_register),
    cmocka_unit_test(each_line_takes_a_cycle),
    cmocka_unit_test(a_hit_takes_the_latency_of_the_cache_longer),
    cmocka_unit_test(lines_follow_each_other_through_the_latency),
    cmocka_unit_test(a_miss_is_fetched_once),
    cmocka_unit_test(loads_of_one_line_wait_in_one_mshr),
    cmocka_unit_test(lines_are_told_apart),
};

TEST_MAIN(tests)
