/*
 * t_collector.c -- operand collectors and register banks, counted by hand.
 *
 * bank = (register number + warp) mod 16.  An instruction that is issued in t gets a collector unit
 * in t + 1, reads in t + 2 and leaves in t + 3.  In "a; b;" where b waits until cycle t, the launch
 * takes t + 9 cycles.
 */
#include "tests/micro/clocks.h"

/* ---- banks */

/* %r1 and %r17 are in bank 1: read in 5 and 6.  add (L 4) is ready in 3 + 11. */
static void two_operands_in_one_bank_cost_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "add.u32 %r3, %r1, %r17; mov.u32 %r4, %r3;", NULL, 1, 32), 14 + 9);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 1);
    assert_int_equal(STAT(&t, sm.reg_reads), 3);
    assert_int_equal(STAT(&t, sm.reg_writes), 2);
    timed_close(&t);
}

/* Three: read in 5, 6, 7.  mad (L 5) is ready in 3 + 13. */
static void three_operands_in_one_bank_cost_two_cycles(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "mad.lo.u32 %r4, %r1, %r17, %r33; mov.u32 %r5, %r4;", NULL, 1, 32),
                     16 + 9);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 2);
    timed_close(&t);
}

/*
 * Registers of different kinds with the same number modulo 16 share a bank: %p1 is read as %r17 is.
 */
static void a_predicate_operand_has_a_bank(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "selp.u32 %r4, %r17, %r3, %p1; mov.u32 %r5, %r4;", NULL, 1, 32),
                     11 + 9);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 1);
    timed_close(&t);
}

/* A guard is looked up at issue: setp 3, mov 10 (guarded by %p1, reads %r17): ready in 10 + 7. */
static void a_guard_has_no_bank(void **state)
{
    struct timed t;

    (void)state;
    /* the reader is fetched in 10; ret is second of its pair: 17, 18 */
    assert_int_equal(run(&t, "setp.eq.u32 %p1, %r1, %r2; @%p1 mov.u32 %r4, %r17; mov.u32 %r5, %r4;",
                         NULL, 1, 32),
                     18 + 7);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 0);
    timed_close(&t);
}

/* No number, no bank: x is not read, so it is ready in 3 + 9, and so is what only reads x. */
static void a_register_without_a_number_needs_no_bank(void **state)
{
    struct timed t;

    (void)state;
    /* ret in 14; the second add writes back in 12 + 9 = 21 */
    assert_int_equal(run(&t, ".reg .u32 x, y; add.u32 x, y, 1; add.u32 %r1, x, 1;", NULL, 1, 32),
                     22);
    assert_int_equal(STAT(&t, sm.reg_reads), 0);
    assert_int_equal(STAT(&t, sm.reg_writes), 1);
    timed_close(&t);
}

/*
 * Issued in 3 4, 6 7, 9.  The second mov writes %r5 in 4 + 7 = 11, when add (9) would read %r21
 * from the same bank: it reads in 12 and is ready in 9 + 11.  ret is fetched in 20.
 */
static void a_result_takes_the_bank_from_a_read(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t,
                         "mov.u32 %r50, 1; mov.u32 %r5, %r1; mov.u32 %r51, 1; mov.u32 %r52, 1;"
                         "add.u32 %r6, %r21, %r2; mov.u32 %r7, %r6;",
                         NULL, 1, 32),
                     20 + 9);
    timed_close(&t);
}

/* The same: one read had to wait for its bank. */
static void a_read_that_waits_for_a_write_is_counted_as_a_conflict(void **state)
{
    struct timed t;

    (void)state;
    run(&t,
        "mov.u32 %r50, 1; mov.u32 %r5, %r1; mov.u32 %r51, 1; mov.u32 %r52, 1;"
        "add.u32 %r6, %r21, %r2; mov.u32 %r7, %r6;",
        NULL, 1, 32);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 1);
    timed_close(&t);
}

/*
 * The load (no address register) writes back in 3 + 30 = 33.  min 4, ready in 23: add 23, which
 * writes %r20 in 33 too, bank 4.  The load's is bank 3: its reader in 33, ret in 35.
 */
#define LOAD_AND_ADD(to)                                                                           \
    "ld.shared.u32 %r3, [s]; min.u32 %r5, %r1, %r2;"                                               \
    "add.u32 " to ", %r5, %r6; mov.u32 %r7, %r3;"

static void a_load_writes_back_beside_another_bank(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(LOAD_AND_ADD("%r20"), NULL), 33 + 9);
}

/* %r19 is in the load's bank: the load waits, the add does not. */
static void a_load_waits_for_its_bank_to_write_back(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(LOAD_AND_ADD("%r19"), NULL), 34 + 9);
}

/* Four instructions with a result: four writes, though one had to be tried twice. */
static void a_write_that_waits_is_counted_once(void **state)
{
    struct timed t;

    (void)state;
    run(&t, LOAD_AND_ADD("%r19"), NULL, 1, 32);
    assert_int_equal(STAT(&t, sm.reg_writes), 4);
    timed_close(&t);
}

/* ---- several warps */

static u64 two_warps(const char *body, const char *sub_cores, u64 conflicts)
{
    struct timed t;
    u64 cycles = run(&t, body, TIMED_SET("sm.fetch_width=2", sub_cores), 1, 64);

    assert_int_equal(STAT(&t, sm.bank_conflicts), conflicts);
    timed_close(&t);
    return cycles;
}

/* Both add in 3.  Warp 0 reads banks 1 and 2, warp 1 banks 2 and 3: one of them a cycle later. */
static void a_bank_moves_on_with_the_warp(void **state)
{
    (void)state;
    assert_int_equal(two_warps("add.u32 %r5, %r1, %r2; mov.u32 %r6, %r5;", "sm.sub_cores=1", 1),
                     14 + 9);
}

/* The same register of neighbours, here banks 1 3 and 2 4, is in different banks. */
static void the_same_register_of_two_warps_is_in_two_banks(void **state)
{
    (void)state;
    assert_int_equal(two_warps("add.u32 %r5, %r1, %r3; mov.u32 %r6, %r5;", "sm.sub_cores=1", 0),
                     13 + 9);
}

/* Each scheduler has banks of its own. */
static void sub_cores_have_banks_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(two_warps("add.u32 %r5, %r1, %r2; mov.u32 %r6, %r5;", "sm.sub_cores=2", 0),
                     13 + 9);
}

/* Four warps, four sub-cores, each with two places in its latch: all in 3 and 4. */
static void sub_cores_have_latches_of_their_own(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) CLOCK(21) LOG,
        TIMED_SET("sm.schedulers=4", "sm.sub_cores=4", "sm.fetch_width=4"), 1, 128);
    for (u32 w = 0; w < 4; w++)
        assert_clocks(&t, 0, w, 3, 4);
    timed_close(&t);
}

/* ---- collector units */

#define ADDS4                                                                                      \
    "add.u32 %r10, %r1, %r2; add.u32 %r11, %r3, %r4;"                                              \
    "add.u32 %r12, %r5, %r6; add.u32 %r13, %r7, %r8;"

/* Issued in 3 4, 6 7; the last is back in 17; ret 9. */
static void six_collector_units_are_enough_for_one_warp(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, ADDS4, NULL, 1, 32), 18);
    assert_int_equal(STAT(&t, sm.collector_waits), 0);
    timed_close(&t);
}

/*
 * One unit, two cycles for each: it is given away in 4, 6, 8, 10 and to ret in 12.  Issued as
 * before (the latch has two places), so they waited 0 + 1 + 1 + 2 + 2 cycles.  The last add leaves
 * in 12, is taken in 13, back in 19.
 */
static void one_collector_unit_takes_an_instruction_every_two_cycles(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, ADDS4, TIMED_SET("sm.cu_sp=1"), 1, 32), 20);
    assert_int_equal(STAT(&t, sm.collector_waits), 6);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_operands_in_one_bank_cost_a_cycle),
    cmocka_unit_test(three_operands_in_one_bank_cost_two_cycles),
    cmocka_unit_test(a_predicate_operand_has_a_bank),
    cmocka_unit_test(a_guard_has_no_bank),
    cmocka_unit_test(a_register_without_a_number_needs_no_bank),
    cmocka_unit_test(a_result_takes_the_bank_from_a_read),
    cmocka_unit_test(a_read_that_waits_for_a_write_is_counted_as_a_conflict),
    cmocka_unit_test(a_load_writes_back_beside_another_bank),
    cmocka_unit_test(a_load_waits_for_its_bank_to_write_back),
    cmocka_unit_test(a_write_that_waits_is_counted_once),
    cmocka_unit_test(a_bank_moves_on_with_the_warp),
    cmocka_unit_test(the_same_register_of_two_warps_is_in_two_banks),
    cmocka_unit_test(sub_cores_have_banks_of_their_own),
    cmocka_unit_test(sub_cores_have_latches_of_their_own),
    cmocka_unit_test(six_collector_units_are_enough_for_one_warp),
    cmocka_unit_test(one_collector_unit_takes_an_instruction_every_two_cycles),
};

TEST_MAIN(tests)
