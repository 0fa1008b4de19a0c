/*
 * t_shared.c -- shared memory, counted by hand.
 *
 * A load that is issued in t is in the latch of the unit in t + 3, spends n cycles there for an
 * n-way conflict, 26 in the pipeline, and writes back in t + 30 + n.
 */
#include "tests/micro/clocks.h"

/* tid 3, shift 9, access 16. */
#define AT(shift) "mov.u32 %r1, %tid.x; " shift " "

/*
 * The reader is issued in 16 + 30 + n, ret, fetched then, two cycles later: 16 + 30 + n + 9 in all.
 */
static void load_takes(const char *body, u64 n)
{
    struct timed t;

    assert_int_equal(run(&t, body, NULL, 1, 32), 16 + 30 + n + 9);
    assert_int_equal(STAT(&t, sm.shared_insts), 1);
    assert_int_equal(STAT(&t, sm.shared_cycles), n);
    timed_close(&t);
}

#define LOAD "ld.shared.u32 %r3, [%r2]; mov.u32 %r4, %r3;"

static void neighbouring_words_do_not_conflict(void **state)
{
    (void)state;
    load_takes(AT("shl.b32 %r2, %r1, 2;") LOAD, 1);
}

static void every_other_word_conflicts_two_ways(void **state)
{
    (void)state;
    load_takes(AT("shl.b32 %r2, %r1, 3;") LOAD, 2);
}

static void words_of_one_bank_conflict_32_ways(void **state)
{
    (void)state;
    load_takes(AT("shl.b32 %r2, %r1, 7;") LOAD, 32);
}

/* All lanes at address 0. */
static void one_word_for_all_is_broadcast(void **state)
{
    (void)state;
    load_takes(AT("shr.u32 %r2, %r1, 5;") LOAD, 1);
}

/* Four lanes share each of the words 0 to 7: eight banks. */
static void bytes_of_one_word_do_not_conflict(void **state)
{
    (void)state;
    load_takes(AT("shr.u32 %r2, %r1, 0;") "ld.shared.u8 %r3, [%r2]; mov.u32 %r4, %r3;", 1);
}

/*
 * tid 3, 9, 16 (address 0 for lanes 0..15, 128 for the others), load 23: two words of bank 0.  Its
 * reader 23 + 32, ret, second of its pair, in 56.
 */
static void two_broadcasts_in_one_bank_conflict_two_ways(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(AT("shr.u32 %r5, %r1, 4;") "shl.b32 %r2, %r5, 7;" LOAD, NULL), 63);
}

/*
 * Who waits for shared memory waits for a pipeline: 4..8, 11..15 (the load is decoded in 10),
 * 17..46.
 */
static void a_shared_load_stalls_as_a_computation(void **state)
{
    struct timed t;

    (void)state;
    run(&t, AT("shl.b32 %r2, %r1, 2;") LOAD, NULL, 1, 32);
    assert_int_equal(STAT(&t, stall.raw), 5 + 5 + 30);
    assert_int_equal(STAT(&t, stall.raw_mem), 0);
    timed_close(&t);
}

/* Issued in 16 it leaves from the latch in 20; ret 17 ends in 23. */
static void a_store_leaves_from_the_latch(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(AT("shl.b32 %r2, %r1, 2;") "st.shared.u32 [%r2], %r1;", NULL), 24);
}

/* It leaves in 20 + 31: the warp ends then. */
static void a_store_conflicts_as_a_load_does(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(AT("shl.b32 %r2, %r1, 7;") "st.shared.u32 [%r2], %r1;", NULL), 52);
}

/*
 * The store (16) is in the latch from 19 to 51.  ld.param, issued in 19 behind a mov, enters it in
 * 51 and is done in 52, not in 22: its reader 52, ret 54.
 */
static void a_conflict_blocks_the_unit_for_everything(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        run(&t,
            AT("shl.b32 %r2, %r1, 7;") "st.shared.u32 [%r2], %r1; mov.u32 %r5, 1;" TIMED_A
                                       "mov.u64 %rd1, %rd0;",
            NULL, 1, 32),
        52 + 9);
    assert_int_equal(STAT(&t, stall.raw_mem), 32); /* 20..51 */
    timed_close(&t);
}

/*
 * The first warp's load is issued in 16 and in the latch in 19.  Each has the latch for 32 cycles
 * and hands it on in the cycle in which it leaves: 51, 83, .., 19 + 7 * 32 = 243.  The last
 * writes back in 243 + 27; all rets are long done.
 */
static void conflicts_of_seven_warps_add_up(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "mov.u32 %r1, %laneid; shl.b32 %r2, %r1, 7;"
                         "ld.shared.u32 %r3, [%r2];",
                         NULL, 1, 224),
                     271);
    assert_int_equal(STAT(&t, sm.shared_cycles), 224);
    timed_close(&t);
}

/*
 * Two loads without conflict are a cycle apart: 16 and 17 (same bank of neither), back in 47 and
 * 48.
 */
static void the_pipeline_takes_a_load_every_cycle(void **state)
{
    (void)state;
    /* ret: fetched in 17, issued in 19 */
    assert_int_equal(
        cycles_of(
            AT("shl.b32 %r2, %r1, 2;") "ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r4, [%r2+4];",
            NULL),
        49);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(neighbouring_words_do_not_conflict),
    cmocka_unit_test(every_other_word_conflicts_two_ways),
    cmocka_unit_test(words_of_one_bank_conflict_32_ways),
    cmocka_unit_test(one_word_for_all_is_broadcast),
    cmocka_unit_test(bytes_of_one_word_do_not_conflict),
    cmocka_unit_test(two_broadcasts_in_one_bank_conflict_two_ways),
    cmocka_unit_test(a_shared_load_stalls_as_a_computation),
    cmocka_unit_test(a_store_leaves_from_the_latch),
    cmocka_unit_test(a_store_conflicts_as_a_load_does),
    cmocka_unit_test(a_conflict_blocks_the_unit_for_everything),
    cmocka_unit_test(conflicts_of_seven_warps_add_up),
    cmocka_unit_test(the_pipeline_takes_a_load_every_cycle),
};

TEST_MAIN(tests)
