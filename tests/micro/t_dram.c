/* t_dram.c -- what a load that goes to DRAM takes, all clocks alike; see memory_path.h */
#include "tests/micro/memory_path.h"

/* One sector, its bank closed. */
static void a_closed_row_takes_270(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0];", 32, 6 + 270 + 1);
    assert_int_equal(STAT(&t, l2.miss), 1);
    assert_int_equal(STAT(&t, dram.act), 1);
    assert_int_equal(STAT(&t, dram.pre), 0);
    assert_int_equal(STAT(&t, dram.read), 1);
    assert_int_equal(STAT(&t, dram.row_miss), 1);
    timed_close(&t);
}

/* Four sectors of one row: 315. */
static void a_line_is_four_columns_of_a_row(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", 32, 6 + 315 + 1);
    assert_int_equal(STAT(&t, l2.miss), 4);
    assert_int_equal(STAT(&t, dram.act), 1);
    assert_int_equal(STAT(&t, dram.read), 4);
    assert_int_equal(STAT(&t, dram.row_hit), 3);
    timed_close(&t);
}

/* The second load issues in 276; the row is open: no activate, 12 less. */
static void an_open_row_saves_the_activate(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r1, [%rd0+128];", 32,
               276 + 258 + 1);
    assert_int_equal(STAT(&t, dram.act), 1);
    assert_int_equal(STAT(&t, dram.row_hit), 1);
    timed_close(&t);
}

/* Another row of the bank: a precharge first, 12 more; tRAS and tRC are long over. */
static void another_open_row_needs_a_precharge(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r1, [%rd0+393216];", 32,
               276 + 282 + 1);
    assert_int_equal(STAT(&t, dram.act), 2);
    assert_int_equal(STAT(&t, dram.pre), 1);
    assert_int_equal(STAT(&t, dram.row_hit), 0);
    timed_close(&t);
}

/*
 * Loads in 6 and 8, looked up in 137 and 139, at their banks in 240 and 242.  The second activate
 * waits for tRRD: 246 instead of 242, 4 more than 270.
 */
static void two_banks_overlap(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r2, [%rd0+49152];", 32,
               8 + 270 + 4 + 1);
    assert_int_equal(STAT(&t, dram.act), 2);
    assert_int_equal(STAT(&t, dram.pre), 0);
    timed_close(&t);
}

/* The other slice of the channel is another bank of the same DRAM: the same. */
static void slices_of_a_channel_share_its_dram(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r2, [%rd0+1536];", 32,
               8 + 270 + 4 + 1);
    timed_close(&t);
}

/* Another channel is another DRAM. */
static void channels_do_not_meet(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r2, [%rd0+256];", 32,
               8 + 270 + 1);
    timed_close(&t);
}

/*
 * Two rows of one bank, loads in 6 and 8.  First: activate 240, read 252.  The bank takes the
 * second in 253; it may be precharged in 240 + tRAS = 268, activated in 268 + tRP = 240 + tRC =
 * 280, read in 292: data in 304, which is T+127 of T = 177 instead of 139: 38 more than 270.
 */
static void two_rows_of_a_bank_wait_for_each_other(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r2, [%rd0+393216];", 32,
               8 + 270 + 38 + 1);
    assert_int_equal(STAT(&t, dram.pre), 1);
    timed_close(&t);
}

/*
 * Rows 0, 1, 0 of a bank, loads in 6, 8 and 9.  FR-FCFS: after the read in 252 the third goes
 * first, tCCDL later in 255; the second as above in 292: 316.  FCFS: the second in 292, then the
 * third, with a precharge in 280 + tRAS = 308, activate 320, read 332: 40 more.
 */
static void the_open_row_goes_first_with_frfcfs_only(void **state)
{
    static const char body[] = TIMED_A "ld.global.cg.u32 %r1, [%rd0];"
                                       "ld.global.cg.u32 %r2, [%rd0+393216];"
                                       "ld.global.cg.u32 %r3, [%rd0+64];";
    struct timed t;

    (void)state;
    cold_check(&t, body, 32, 316 + 1);
    assert_int_equal(STAT(&t, dram.act), 2);
    assert_int_equal(STAT(&t, dram.row_hit), 1);
    timed_close(&t);
    path_cold(&t, body, TIMED_SET("gpu.mem_mhz=700", "dram.scheduler=fcfs"));
    assert_int_equal(timed_run(&t, 1, 32), 316 + 40 + 1);
    assert_int_equal(STAT(&t, dram.act), 3);
    assert_int_equal(STAT(&t, dram.pre), 2);
    assert_int_equal(STAT(&t, dram.row_hit), 0);
    timed_close(&t);
}

/*
 * The first launch reads word 8 (0) and writes 1 there; the second one, on another SM, reads that 1
 * from L2 and with it another line of the row that the first has opened.
 *
 *     mov 3, ld.param 4, ld 7: 270 or 141    mul 277 or 148, add 10 later, st in the cycle after it
 *     ld 20 after the mul: the row is open in both launches, 258
 */
static void rows_stay_open_between_launches(void **state)
{
    struct timed t;

    (void)state;
    path_cold(&t,
              "mov.u32 %r3, 1;" TIMED_A "ld.global.cg.u32 %r1, [%rd0+32];"
              "mul.wide.u32 %rd1, %r1, 128; add.u64 %rd1, %rd0, %rd1;"
              "st.global.cg.u32 [%rd0+32], %r3; ld.global.cg.u32 %r2, [%rd1];",
              TIMED_SET("gpu.mem_mhz=700"));
    assert_int_equal(timed_run(&t, 1, 32), 277 + 20 + 258 + 1);
    assert_int_equal(STAT(&t, dram.act), 1);
    assert_int_equal(STAT(&t, dram.read), 2);
    assert_int_equal(timed_run(&t, 1, 32), 148 + 20 + 258 + 1);
    assert_int_equal(STAT(&t, dram.act), 0);
    assert_int_equal(STAT(&t, dram.read), 1);
    assert_int_equal(STAT(&t, dram.row_hit), 1);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_closed_row_takes_270),
    cmocka_unit_test(a_line_is_four_columns_of_a_row),
    cmocka_unit_test(an_open_row_saves_the_activate),
    cmocka_unit_test(another_open_row_needs_a_precharge),
    cmocka_unit_test(two_banks_overlap),
    cmocka_unit_test(slices_of_a_channel_share_its_dram),
    cmocka_unit_test(channels_do_not_meet),
    cmocka_unit_test(two_rows_of_a_bank_wait_for_each_other),
    cmocka_unit_test(the_open_row_goes_first_with_frfcfs_only),
    cmocka_unit_test(rows_stay_open_between_launches),
};

TEST_MAIN(tests)
