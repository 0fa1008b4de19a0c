/*
 * t_tensor.c -- tensor units, counted by hand; see timed.h for the cycles of an instruction.
 *
 * mma.m16n8k16 of f16 has 2048 products, which a unit of 128 a cycle takes in 16; with op.mma_lat=10 its
 * latency is 26.  Its ten operands are in ten banks, and read at once.
 */
#include "tests/micro/clocks.h"

#define TENSOR TIMED_SET("sm.tensor_units=1", "sm.cu_tensor=2", "op.mma_lat=10", "op.mma_f16=128")
#define MMA(d, c)                                                                                  \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " d                                         \
    ", {%r0, %r1, %r2, %r3}, {%r4, %r5}, " c ";"
#define D0 "{%f12, %f13, %f14, %f15}"
#define D1 "{%f16, %f17, %f18, %f19}"
#define C0 "{%f8, %f9, %f10, %f11}"

/* Issued in 3, taken in 7, leaves in 33, back in 35. */
static void mma_takes_its_operands_and_the_latency(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, MMA(D0, C0), TENSOR, 1, 32), 36);
    assert_int_equal(STAT(&t, sm.issued_tensor), 1);
    assert_int_equal(STAT(&t, sm.tensor_cycles), 16);
    assert_int_equal(STAT(&t, ops.mma), 32);
    timed_close(&t);
}

/* The second is taken when the first has been there for 16 cycles, in 23: back in 51. */
static void a_second_waits_until_the_unit_has_taken_the_first(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(MMA(D0, C0) MMA(D1, C0), TENSOR), 52);
}

/* Two units: taken in 7 and 8. */
static void two_units_work_beside_each_other(void **state)
{
    (void)state;
    assert_int_equal(
        cycles_of(MMA(D0, C0) MMA(D1, C0), TIMED_SET("sm.tensor_units=2", "sm.cu_tensor=2",
                                                     "op.mma_lat=10", "op.mma_f16=128")),
        37);
}

/* Issued when the sum is back, in 35: back in 67. */
static void a_chain_of_sums_pays_the_latency(void **state)
{
    (void)state;
    assert_int_equal(cycles_of(MMA(D0, C0) MMA(D1, D0), TENSOR), 68);
}

/* Bytes twice as fast: m16n8k32 has 4096 products, in 16 cycles; bits of m16n8k256 32768. */
static void other_types_have_rates_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(
        cycles_of(
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r12, %r13, %r14, %r15}, "
            "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r8, %r9, %r10, %r11};",
            TIMED_SET("sm.tensor_units=1", "sm.cu_tensor=2", "op.mma_lat=10", "op.mma_x8=256")),
        36);
}

/*
 * m8n8k4 of f16 with sums of f32 is four steps of 256 products, 2 cycles each; op.mma_step_lat=2, so a latency
 * of 4.  Issued in 3, 4, 6, 7, taken in 7, 9, 11, 13; the last leaves in 17 and is back in 19.
 */
static void m8n8k4_is_four_steps(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        run(&t,
            "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 "
            "{%f16, %f17, %f18, %f19, %f20, %f21, %f22, %f23}, {%r0, %r1}, {%r2, %r3}, "
            "{%f4, %f5, %f6, %f7, %f8, %f9, %f10, %f11};",
            TIMED_SET("sm.tensor_units=1", "sm.cu_tensor=4", "op.mma_step_lat=2", "op.mma_f16=128"),
            1, 32),
        20);
    assert_int_equal(STAT(&t, sm.issued_tensor), 4);
    assert_int_equal(STAT(&t, sm.tensor_cycles), 8);
    timed_close(&t);
}

/* Rows of 16 bytes side by side: a matrix is a cycle of shared memory, as wide as it is. */
static void ldmatrix_takes_a_cycle_for_each_matrix(void **state)
{
    static const char *const one = "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 4;"
                                   "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];";
    static const char *const four =
        "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 4;"
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, %r5}, [%r1];";
    struct timed t;

    (void)state;
    run(&t, one, NULL, 1, 32);
    assert_int_equal(STAT(&t, sm.shared_cycles), 1);
    timed_close(&t);
    run(&t, four, NULL, 1, 32);
    assert_int_equal(STAT(&t, sm.shared_cycles), 4);
    timed_close(&t);
}

/* Rows of 128 bytes: all begin in one bank. */
static void ldmatrix_of_rows_in_one_bank_takes_eight(void **state)
{
    struct timed t;

    (void)state;
    run(&t,
        "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 7;"
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];",
        NULL, 1, 32);
    assert_int_equal(STAT(&t, sm.shared_cycles), 8);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(mma_takes_its_operands_and_the_latency),
    cmocka_unit_test(a_second_waits_until_the_unit_has_taken_the_first),
    cmocka_unit_test(two_units_work_beside_each_other),
    cmocka_unit_test(a_chain_of_sums_pays_the_latency),
    cmocka_unit_test(other_types_have_rates_of_their_own),
    cmocka_unit_test(m8n8k4_is_four_steps),
    cmocka_unit_test(ldmatrix_takes_a_cycle_for_each_matrix),
    cmocka_unit_test(ldmatrix_of_rows_in_one_bank_takes_eight),
};

TEST_MAIN(tests)
