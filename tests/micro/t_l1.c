/*
 * t_l1.c -- L1D: hits, misses, replacement, banks and sectors, counted by hand; see memory_path.h
 */
#include "tests/micro/memory_path.h"

/* The load is issued in 6 and its register is free in 6 + 180. */
static void a_miss_that_hits_in_l2_takes_180(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", NULL, 32, 6 + 180 + 1);
    assert_int_equal(STAT(&t, l1d.access), 1);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    assert_int_equal(STAT(&t, sm.req_sent), 1);
    assert_int_equal(STAT(&t, sm.reply_got), 4);
    assert_int_equal(STAT(&t, request.packets), 1);
    assert_int_equal(STAT(&t, reply.packets), 4);
    assert_int_equal(STAT(&t, l2.access), 4);
    assert_int_equal(STAT(&t, l2.miss), 0);
    assert_int_equal(STAT(&t, dram.read), 0);
    assert_int_equal(STAT(&t, sm.load_latency), 180);
    timed_close(&t);
}

/*
 * 180 = 39 to the tags, 1 to the network, 6, 120 + 2 in the slice, 6, 3 for the other sectors, 3 to
 * write back.  What is taken from a part is taken from the sum: 34 of the queue in front of the
 * tags, 120 of the slice, 2 * 5 of the network.  What remains is 16.
 */
static void the_parts_of_a_miss_add_up(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0];";
    struct timed t;

    (void)state;
    path_check(&t, body, TIMED_SET("l1d.latency=1"), 32, 6 + 180 - 34 + 1);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("mem.rop_latency=0"), 32, 6 + 180 - 120 + 1);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("noc.latency=1"), 32, 6 + 180 - 10 + 1);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("l1d.latency=1", "mem.rop_latency=0", "noc.latency=1"), 32,
               6 + 16 + 1);
    timed_close(&t);
}

/* The second load waits for the register of the first (WAW) and issues in 186; it hits: 225. */
static void a_hit_takes_39(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0];", NULL, 32,
               6 + 180 + 39 + 1);
    assert_int_equal(STAT(&t, l1d.access), 2);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, sm.load_latency), 180 + 39);
    timed_close(&t);
}

/*
 * 32 lanes of 16 bytes are four lines.  First load, issued in t: requests in t+40 (lines 384 and
 * 256, channel 1) to t+43 (128 and 0, channel 0).  Channel 1 replies from t+168 on, channel 0 from
 * t+170 on, eight packets each; at the SM they come in from t+174 on, one a cycle: the last of 16,
 * of line 0, in t+189.  Filled in t+190, written back in t+192.  29 + 192 = 221.  The second load
 * issues then and hits; its accesses are a cycle apart, the last 39 + 3 after the issue.
 */
static void four_hits_take_three_cycles_more_than_one(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(16) "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1];", NULL, 32,
               29 + 192 + 39 + 3 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 8);
    assert_int_equal(STAT(&t, l1d.access), 8);
    assert_int_equal(STAT(&t, l1d.miss), 4);
    assert_int_equal(STAT(&t, l2.access), 16);
    timed_close(&t);
}

/*
 * With two banks, lines 384 and 256 go in the same cycle, 128 and 0 in the next: the second load
 * takes 39 + 1.  The first one's four misses are found in t+39 and t+40, two a cycle, but leave one
 * a cycle: 192 as before.
 */
static void two_banks_take_two_lines_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(16) "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1];",
               TIMED_SET("l1d.banks=2"), 32, 29 + 192 + 39 + 1 + 1);
    assert_int_equal(STAT(&t, l1d.access), 8);
    timed_close(&t);
}

/*
 * Lines 256 bytes apart are all in bank 0, so two banks are of no use: one access a cycle, as in
 * a_load_with_many_accesses_blocks_the_next_one of t_lsu.c, and with the same cycles.
 */
static void lines_of_one_bank_go_one_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               LANES(256) "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1];"
                          "ld.shared.u32 %r3, [%r5]; add.u32 %r4, %r3, 1;",
               TIMED_SET("l1d.banks=2"), 32, 406 + 1);
    timed_close(&t);
}

/*
 * Bits 12 and 16 are not in the index: bytes 0, 4096, 65536 and 69632 are the four ways of set 0.
 * After 4 misses the first line is still there.
 */
static void a_set_holds_four_lines(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0+4096];"
                       "ld.global.u32 %r1, [%rd0+65536]; ld.global.u32 %r1, [%rd0+69632];"
                       "ld.global.u32 %r1, [%rd0];",
               NULL, 32, 6 + 4 * 180 + 39 + 1);
    assert_int_equal(STAT(&t, l1d.miss), 4);
    assert_int_equal(STAT(&t, l1d.evict), 0);
    timed_close(&t);
}

/*
 * The same with two ways: 0, 4096, 0 again (used last), 65536 replaces 4096.  0 hits twice, 4096
 * misses once more and replaces the older of 0 and 65536, which is 65536 after the hit.
 */
static void the_least_recently_used_line_is_replaced(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0+4096];"
                       "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0+65536];"
                       "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0+4096];"
                       "ld.global.u32 %r1, [%rd0];",
               TIMED_SET("l1d.ways=2"), 32, 6 + 4 * 180 + 3 * 39 + 1);
    assert_int_equal(STAT(&t, l1d.miss), 4);
    assert_int_equal(STAT(&t, l1d.evict), 2);
    timed_close(&t);
}

/*
 * One way: the second load, issued in 8, is at the tags in 47 and finds the only way of its set
 * reserved, until the first is filled in 6 + 178 = 184, before the tags are looked at in that
 * cycle.  184 - 47 failures; from its tags in 184 it takes 180 - 39: 325.
 */
static void a_miss_waits_while_all_ways_are_reserved(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r2, [%rd0+4096];",
               TIMED_SET("l1d.ways=1"), 32, 184 + 141 + 1);
    assert_int_equal(STAT(&t, l1d.reserv_fail), 184 - 47);
    assert_int_equal(STAT(&t, l1d.evict), 1);
    timed_close(&t);
}

/* The only SM has run empty between the launches: the line is gone, unless sm.l1_keep. */
static void lines_are_forgotten_between_launches(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0];";
    struct timed t;

    (void)state;
    path_check(&t, body, TIMED_SET("gpu.n_sm=1"), 32, 6 + 180 + 1);
    assert_int_equal(timed_run(&t, 1, 32), 6 + 180 + 1);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("gpu.n_sm=1", "sm.l1_keep=on"), 32, 6 + 180 + 1);
    assert_int_equal(timed_run(&t, 1, 32), 6 + 39 + 1);
    timed_close(&t);
}

/*
 * A miss fetches one sector: its only packet is at the SM in t+174, the register is free in t+177.
 * The next sector of the line misses too, the first one then hits.
 */
static void a_sectored_l1_misses_by_sector(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0+32];"
                       "ld.global.u32 %r1, [%rd0];",
               TIMED_SET("sm.coalesce=sector", "l1d.sector=32"), 32, 6 + 2 * 177 + 39 + 1);
    assert_int_equal(STAT(&t, l1d.access), 3);
    assert_int_equal(STAT(&t, l1d.miss), 2);
    assert_int_equal(STAT(&t, l2.access), 2);
    assert_int_equal(STAT(&t, l1d.evict), 0);
    timed_close(&t);
}

/* sm.coalesce=sector: a warp's 128 bytes are four accesses, here hits the second time: 39 + 3. */
static void sectors_are_accesses_of_their_own(void **state)
{
    struct timed t;

    (void)state;
    /*
     * first: requests in t+40 .. t+43 to one slice, packets in t+174 .. t+177, as of one line: 180
     */
    path_check(&t, LANES(4) "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1];",
               TIMED_SET("sm.coalesce=sector", "l1d.sector=32"), 32, 29 + 180 + 42 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 8);
    assert_int_equal(STAT(&t, l1d.miss), 4);
    assert_int_equal(STAT(&t, request.packets), 4);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_miss_that_hits_in_l2_takes_180),
    cmocka_unit_test(the_parts_of_a_miss_add_up),
    cmocka_unit_test(a_hit_takes_39),
    cmocka_unit_test(four_hits_take_three_cycles_more_than_one),
    cmocka_unit_test(two_banks_take_two_lines_a_cycle),
    cmocka_unit_test(lines_of_one_bank_go_one_a_cycle),
    cmocka_unit_test(a_set_holds_four_lines),
    cmocka_unit_test(the_least_recently_used_line_is_replaced),
    cmocka_unit_test(a_miss_waits_while_all_ways_are_reserved),
    cmocka_unit_test(lines_are_forgotten_between_launches),
    cmocka_unit_test(a_sectored_l1_misses_by_sector),
    cmocka_unit_test(sectors_are_accesses_of_their_own),
};

TEST_MAIN(tests)
