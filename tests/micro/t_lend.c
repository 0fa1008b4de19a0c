/* t_lend.c -- contexts whose registers and collectors are another SM's, or a part of it. */
#include "tests/micro/bound.h"

#define LENT_HALF "bind:kind=lend,size=3"

/* ---- one borrower */

/* 32 warps do not fit 24 contexts; with those of the neighbour they do. */
static void a_cta_can_have_more_warps_than_an_sm(void **state)
{
    static const char *const set[] = {SMS(2), "sm.n_warp=24", "sm.max_threads=768",
                                      "sm.regs=131072", NULL};
    static const char body[] = "mov.u32 %r20, %tid.x; mov.u32 %r1, %ctaid.x;\n"
                               "ld.param.u64 %rd0, [a]; mad.lo.u32 %r2, %r1, 1024, %r20;\n"
                               "mul.wide.u32 %rd1, %r2, 4; add.u64 %rd0, %rd0, %rd1;\n"
                               "bar.sync 0; st.global.u32 [%rd0], %r2;\n";
    const u32 grid[3] = {2, 1, 1}, block[3] = {1024, 1, 1};
    struct timed t;

    (void)state;
    timed_mech = NULL;
    timed_open(&t, body, set);
    assert_false(device_run(t.d[0], t.p[0], "k", grid, block, 0, (const u8 *)&t.buf[0], &t.e));
    timed_close(&t);
    bound(&t, LENT, body, set, 2, 1024);
    for (u32 i = 0; i < 2 * 1024; i++)
        assert_int_equal(timed_u32(&t, 4 * i), i);
    /* 24 warps' operands are in the first SM, 8 in the second: mad 1, mul 1, add 2, st 2 */
    assert_int_equal(sm_of(&t, 1)->st.reg_reads * 3, sm_of(&t, 0)->st.reg_reads);
    assert_int_equal(issued_by(&t, 1), 0);
    timed_close(&t);
}

/*
 * Both warps issue in 3 and read in 5: warp 0 banks 1 and 2, warp 1 banks 2 and 3.  In one
 * register file the second's comes in 6: its reader in 14, and the launch takes 14 + 9; in two
 * both are read in 5: 13 + 9.
 */
#define MEET "add.u32 %r5, %r1, %r2; mov.u32 %r6, %r5;"

static void lent_registers_do_not_conflict_with_own(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        bound(&t, NULL, MEET, TIMED_SET(SMS(1), "sm.n_warp=2", "sm.fetch_width=2"), 1, 64), 14 + 9);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 1);
    timed_close(&t);
    assert_int_equal(
        bound(&t, LENT, MEET,
              TIMED_SET(SMS(2), "sm.n_warp=1", "sm.max_threads=32", "sm.fetch_width=2"), 1, 64),
        13 + 9);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 0);
    for (u32 i = 0; i < 2; i++) { /* of its own warp: add 2 and 1, mov 1 and 1 */
        assert_int_equal(sm_of(&t, i)->st.reg_reads, 3);
        assert_int_equal(sm_of(&t, i)->st.reg_writes, 2);
    }
    timed_close(&t);
}

/* ---- two borrowers, each with a half */

/* Two contexts of its own and one of the lender's two. */
#define TRIO SMS(3), "sm.n_warp=2", "sm.max_threads=64"

/* Of each CTA's three warps the last has its registers in the third SM, which issues nothing. */
static void each_of_two_borrowers_has_half_of_the_lenders_contexts(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, LENT_HALF, MEET, TIMED_SET(TRIO), 2, 96);
    for (u32 i = 0; i < 3; i++) {
        assert_int_equal(sm_of(&t, i)->st.reg_reads, 2 * 3);
        assert_int_equal(sm_of(&t, i)->st.reg_writes, 2 * 2);
        assert_int_equal(issued_by(&t, i), i < 2 ? 3 * 3 : 0);
    }
    timed_close(&t);
}

/* Registers 1 and 9 are in different banks of 16, and in one of 8. */
static void half_of_a_register_file_has_half_of_its_banks(void **state)
{
    static const char body[] = "add.u32 %r5, %r1, %r9; mov.u32 %r6, %r5;";
    struct timed t;

    (void)state;
    bound(&t, LENT, body, TIMED_SET(SMS(2), "sm.n_warp=2", "sm.max_threads=64"), 1, 96);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 0);
    timed_close(&t);
    bound(&t, LENT_HALF, body, TIMED_SET(TRIO), 2, 96);
    assert_int_equal(STAT(&t, sm.bank_conflicts), 2);
    assert_int_equal(sm_of(&t, 2)->st.bank_conflicts, 2);
    timed_close(&t);
}

/* The reader of the conflicting pair comes a cycle later, in the lent warp alone. */
static void halves_do_not_disturb_each_other(void **state)
{
    (void)state;
    assert_int_equal(bound_cycles(LENT_HALF, MEET, TIMED_SET(TRIO), 1, 96),
                     bound_cycles(LENT_HALF, MEET, TIMED_SET(TRIO), 2, 96));
}

static u32 collectors(const struct timed *t, u32 sm, u32 sub)
{
    return popc_32(sm_of(t, sm)->dp->sub[sub].set[UNIT_SP].mask);
}

static void collectors_are_halved_and_whole_again(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, LENT_HALF, MEET, TIMED_SET(TRIO, "sm.cu_sp=6", "sm.cu_mem=1"), 2, 96);
    assert_int_equal(sm_of(&t, 2)->dp->n_sub, 2);
    assert_int_equal(collectors(&t, 0, 0), 6);
    assert_int_equal(collectors(&t, 2, 0), 3);
    assert_int_equal(collectors(&t, 2, 1), 3);
    assert_int_equal(popc_32(sm_of(&t, 2)->dp->sub[1].set[UNIT_MEM].mask), 1); /* at least one */
    timed_close(&t);
}

/* A warp of 32 registers takes 1024; its SM has room for one of two, the lender's half for one. */
static void warps_without_registers_leave_their_contexts_empty(void **state)
{
    static const char body[] = "mov.u32 %r1, %ctaid.x; ld.param.u64 %rd0, [a];\n"
                               "mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1;\n"
                               "st.global.u32 [%rd0], %r1;\n";
    struct timed t;

    (void)state;
    bound(&t, LENT_HALF, body, TIMED_SET(TRIO, "sm.regs=2047", "front.regs=32", "gpu.spread=off"),
          4, 32);
    for (u32 i = 0; i < 2; i++) {
        assert_int_equal(sm_of(&t, i)->front->n_slot, 1);
        assert_int_equal(sm_of(&t, i)->front->slot[0].first, 0);
    }
    timed_close(&t);
    bound(&t, LENT_HALF, body, TIMED_SET(TRIO, "sm.regs=2048", "front.regs=32", "gpu.spread=off"),
          4, 32);
    for (u32 i = 0; i < 4; i++)
        assert_int_equal(timed_u32(&t, 4 * i), i);
    timed_close(&t);
}

/* ---- what cannot be lent */

static void a_front_end_has_at_most_64_warps(void **state)
{
    (void)state;
    check_refused("bind:kind=lend",
                  "-m bind:kind=lend: one SM would have 96 warps; at most 64 are possible "
                  "(sm.n_warp)");
    check_refused("bind:kind=lend,size=3",
                  "-m bind:kind=lend,size=3: one SM would have 72 warps; at most 64 are possible "
                  "(sm.n_warp)");
}

static void a_register_file_has_at_most_four_parts(void **state)
{
    (void)state;
    check_refused(
        "bind:kind=lend,size=8",
        "-m bind:kind=lend,size=8: one SM would have 7 parts of sub-cores; at most 4 are possible "
        "(sm.sub_cores)");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cta_can_have_more_warps_than_an_sm),
    cmocka_unit_test(lent_registers_do_not_conflict_with_own),
    cmocka_unit_test(each_of_two_borrowers_has_half_of_the_lenders_contexts),
    cmocka_unit_test(half_of_a_register_file_has_half_of_its_banks),
    cmocka_unit_test(halves_do_not_disturb_each_other),
    cmocka_unit_test(collectors_are_halved_and_whole_again),
    cmocka_unit_test(warps_without_registers_leave_their_contexts_empty),
    cmocka_unit_test(a_front_end_has_at_most_64_warps),
    cmocka_unit_test(a_register_file_has_at_most_four_parts),
};

TEST_MAIN(tests)
