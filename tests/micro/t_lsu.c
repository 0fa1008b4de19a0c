/* t_lsu.c -- the load/store unit: its latch and its write-back; see memory_path.h */
#include "tests/micro/memory_path.h"

/*
 * 32 lanes 128 bytes apart are 32 accesses, one a cycle.  The first load, issued in t = 29, misses:
 * 32 requests, whose 128 packets the SM takes one a cycle from t+174 on without a gap; the last in
 * t+301, filled in t+302, written back in t+304 = 333.
 *
 * The second load issues in 333 and hits; its last access enters the queue in 333 + 35 = 368 and
 * hits in 403.  The shared load, fetched in 333, issues in 335 and would be in the latch in 338,
 * but gets there in 368: dispatched in 369, through the 26 stages in 395, written back in 396.
 * Then the add: 406.
 */
static void a_load_with_many_accesses_blocks_the_next_one(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               LANES(128) "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1];"
                          "ld.shared.u32 %r3, [%r5]; add.u32 %r4, %r3, 1;",
               NULL, 32, 406 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 64);
    assert_int_equal(STAT(&t, l1d.miss), 32);
    timed_close(&t);
}

/*
 * Two warps, fetched for in 1 and 2.  Their movs issue in 3 and 4, the muls 6 later in 9 and 10,
 * the stores 10 later in 19 and 20.  A store has 32 words in one bank and holds the latch for 32
 * cycles.  The first comes into it in 22 and is dispatched from 23 to 54; the second is let in then
 * and dispatched from 55 to 86, where its warp ends.
 */
static void bank_conflicts_of_one_warp_hold_up_the_other(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, "mov.u32 %r0, %laneid; mul.lo.u32 %r1, %r0, 128; st.shared.u32 [%r1], %r2;",
               NULL, 64, 86 + 1);
    assert_int_equal(STAT(&t, sm.shared_insts), 2);
    assert_int_equal(STAT(&t, sm.shared_cycles), 64);
    timed_close(&t);
}

/*
 * A bypassed load issued in 6 is chosen for write-back in 6 + 140 = 146, less what rop_latency
 * takes from 120; a shared load issued in 8 comes out of its pipe and is chosen in 8 + 30 = 38,
 * written back in 39.
 *
 *     rop 11   chosen in 37 and 38: written back in 38 and 39
 *     rop 12   both could be chosen in 38; shared memory is first in the round: 39, and the other 40
 *     rop 13   chosen in 38 and 39: 39 and 40
 */
static void one_load_is_written_back_a_cycle(void **state)
{
    static const char body[] = TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.shared.u32 %r2, [%r5];";
    struct timed t;

    (void)state;
    path_check(&t, body, TIMED_SET("mem.rop_latency=11"), 32, 39 + 1);
    assert_int_equal(STAT(&t, sm.load_latency), 32);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("mem.rop_latency=12"), 32, 40 + 1);
    assert_int_equal(STAT(&t, sm.load_latency), 34);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("mem.rop_latency=13"), 32, 40 + 1);
    assert_int_equal(STAT(&t, sm.load_latency), 34);
    timed_close(&t);
}

/*
 * A hit frees its register at the tags.  The second load issues in 186 and hits in 225.  mov issues
 * in 187, the shared load 7 later in 194 and is written back in 194 + 31 = 225 too.  The add needs
 * both: 225, and 10 more.
 */
static void a_hit_needs_no_write_back_slot(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0]; mov.u32 %r5, %r6;"
                       "ld.shared.u32 %r2, [%r5]; add.u32 %r3, %r1, %r2;",
               NULL, 32, 225 + 10 + 1);
    assert_int_equal(STAT(&t, sm.load_latency), 180 + 39);
    timed_close(&t);
}

/*
 * A generic address goes where it points to.  To shared memory: mov 3, cvta 9, the load in 16 takes
 * 31.
 */
static void a_generic_load_of_shared_memory_is_a_shared_load(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, "mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1; ld.u32 %r1, [%rd1];", NULL, 32,
               16 + 31 + 1);
    assert_int_equal(STAT(&t, sm.shared_insts), 1);
    assert_int_equal(STAT(&t, sm.req_sent), 0);
    timed_close(&t);
}

/* To global memory. */
static void a_generic_load_of_global_memory_is_a_global_load(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.u32 %r1, [%rd0];", NULL, 32, 6 + 180 + 1);
    assert_int_equal(STAT(&t, sm.loads), 1);
    timed_close(&t);
}

static u64 cycles_of_load(const char *registers)
{
    char *body = text_printf("%sld.global.v2.u32 %s, [%%rd0];", TIMED_A, registers);
    struct timed t;

    timed_open(&t, body, NULL);
    u64 cycles = timed_run(&t, 1, 32);

    timed_close(&t);
    free(body);
    return cycles;
}

/* Of 16 banks, %r1 and %r17 have the same: the second one is written a cycle later. */
static void registers_of_one_load_in_one_bank_are_written_in_turns(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_load("{%r1, %r17}"), cycles_of_load("{%r1, %r2}") + 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_load_with_many_accesses_blocks_the_next_one),
    cmocka_unit_test(bank_conflicts_of_one_warp_hold_up_the_other),
    cmocka_unit_test(one_load_is_written_back_a_cycle),
    cmocka_unit_test(a_hit_needs_no_write_back_slot),
    cmocka_unit_test(a_generic_load_of_shared_memory_is_a_shared_load),
    cmocka_unit_test(a_generic_load_of_global_memory_is_a_global_load),
    cmocka_unit_test(registers_of_one_load_in_one_bank_are_written_in_turns),
};

TEST_MAIN(tests)
