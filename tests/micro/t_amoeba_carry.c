/*
 * t_amoeba_carry.c -- AMOEBA, counted by hand: pairs that are fused around CTAs that run (sm/front/carry.c).
 *
 * One CTA waits for loads, and the sample is over before it has ended.
 */
#include "tests/micro/amoeba.h"

#define AROUND "amoeba:predictor=always,mode=static_fuse,late=0,length=30,fuse_cycles=60"
#define RESTART AROUND ",after_sample=restart"
#define AT_ONCE AROUND ",sampling=running"

/* %r21, %r22: a clock behind the instruction that waits for the data, twice; %r23: what was loaded, counted. */
#define WAITING(cta)                                                                               \
    CLOCK(20)                                                                                      \
    TIMED_A "mov.u32 %r1, %ctaid.x; mov.u32 %r23, 0; setp.ne.u32 %p1, %r1, " #cta                  \
            "; @%p1 bra J;\n"                                                                      \
            "ld.global.cg.u32 %r2, [%rd0+32768]; add.u32 %r23, %r2, 1; mov.u32 %r21, %clock;\n"    \
            "ld.global.cg.u32 %r2, [%rd0+36864]; add.u32 %r3, %r2, 1; mov.u32 %r22, %clock;\n"     \
            "add.u32 %r23, %r23, %r3; J:\n" LOG

struct times {
    u32 first[4]; /* of each CTA */
    u32 data[2];  /* of the one that waits */
    u64 fused, carried;
};

static struct times times_of(const char *mech, const char *body, const char *const *set, u32 block,
                             u32 waits)
{
    struct timed t;
    struct times s = {{0}, {0}, 0, 0};

    bound(&t, mech, body, set, 4, block);
    for (u32 i = 0; i < 4; i++)
        s.first[i] = clock_of(&t, i, 0, 0);
    s.data[0] = clock_of(&t, waits, 0, 1), s.data[1] = clock_of(&t, waits, 0, 2);
    assert_int_equal(clock_of(&t, waits, 0, 3), 2);
    s.fused = amoebas(&t).fused, s.carried = amoebas(&t).carried;
    timed_close(&t);
    return s;
}

/* ---- when */

/*
 * By itself the add goes in 286, the clock behind it, which is fetched then, in 288.  Sampled alone it is held
 * from 30 on.  The other pair is fused there, and takes CTAs from 90 on, one a cycle, which read the
 * clock 2 later.  This pair stands still from 286 on: it is fused at the edge in 288, and its CTA goes on in 348, 62 cycles
 * late.
 */
static void a_pair_is_fused_around_a_cta(void **state)
{
    struct times alone = times_of(NULL, WAITING(0), TIMED_SET(SMS(4)), 32, 0);
    struct times s = times_of(AROUND, WAITING(0), TIMED_SET(SMS(4)), 32, 0);

    (void)state;
    assert_int_equal(alone.data[0], 288);
    assert_int_equal(s.data[0], 288 + 62);
    for (u32 i = 1; i < 4; i++)
        assert_int_equal(s.first[i], 30 + 60 + 2 + i - 1);
    assert_int_equal(s.fused, 2);
    assert_int_equal(s.carried, 1);
}

/* The only pair: others come beside it, when it goes on. */
static void ctas_come_beside_one_that_is_carried(void **state)
{
    struct times s = times_of(AROUND, WAITING(0), TIMED_SET(SMS(2)), 32, 0);

    (void)state;
    for (u32 i = 1; i < 4; i++)
        assert_int_equal(s.first[i], 288 + 60 + 2 + i - 1);
    assert_in_range(s.data[0], 350, 360); /* it is fetched for in turns with them */
    assert_int_equal(s.fused, 1);
    assert_int_equal(s.carried, 1);
}

/* The pair without a CTA waits for the other: both take CTAs from 348 on. */
static void all_pairs_begin_together(void **state)
{
    struct times s = times_of(RESTART, WAITING(0), TIMED_SET(SMS(4)), 32, 0);

    (void)state;
    assert_int_equal(s.first[1], 350);
    assert_int_equal(s.first[2], 350);
    assert_int_equal(s.first[3], 351);
    assert_in_range(s.data[0], 350, 352);
    assert_int_equal(s.fused, 2);
    assert_int_equal(s.carried, 1);
}

/* ---- where */

/* CTAs 1 to 3 of one wide warp each: so many of them find room beside CTA 0. */
static void check_beside(const char *const *set, u32 n)
{
    struct times s = times_of(AROUND, WAITING(0), set, 64, 0);

    assert_int_equal(s.carried, 1);
    for (u32 i = 1; i < 4; i++)
        if (i <= n)
            assert_int_equal(s.first[i], 350 + i);
        else
            assert_true(s.first[i] > 500);
    if (!n)
        assert_true(s.first[1] > s.data[1]);
}

/* Warps of 32 lanes take a context each, as wide ones do; all else adds up. */
static void a_carried_cta_keeps_what_it_has(void **state)
{
    (void)state;
    check_beside(TIMED_SET(SMS(2)), 3);
    check_beside(TIMED_SET(SMS(2), "sm.n_warp=2"), 0);
    check_beside(TIMED_SET(SMS(2), "sm.n_warp=3"), 1);
    check_beside(TIMED_SET(SMS(2), "sm.n_warp=4"), 2);
    check_beside(TIMED_SET(SMS(2), "sm.max_threads=64"), 1);
    check_beside(TIMED_SET(SMS(2), "sm.max_threads=96"), 2);
    check_beside(TIMED_SET(SMS(2), "sm.max_cta=1"), 1);
    check_beside(TIMED_SET(SMS(2), "sm.shared=16K"), 1);
}

/*
 * A CTA has R registers.  Carried, all in the first SM's file; a wide one R / 2 in each: with R in a file none
 * comes beside it, with 1.5 R one, though 2 R are free in both.
 */
static void registers_stay_in_the_file_of_their_sm(void **state)
{
    struct timed t;
    char regs[2][32];

    (void)state;
    bound(&t, NULL, WAITING(0), TIMED_SET(SMS(2), "sm.reg_granule=32"), 1, 64);
    u64 r = sm_of(&t, 0)->front->board.kernel[0].need.regs;

    timed_close(&t);
    for (u32 n = 0; n < 2; n++) {
        snprintf(regs[n], sizeof regs[n], "sm.regs=%u", (u32)(r + n * r / 2));
        check_beside(TIMED_SET(SMS(2), "sm.reg_granule=32", regs[n]), n);
    }
}

/* Both SMs have one: its warp stays in the second front end, which is off as soon as it has ended. */
static void the_second_sm_works_until_its_ctas_have_ended(void **state)
{
    struct timed t;
    u64 cycles, on;

    (void)state;
    timed_mech = AT_ONCE;
    timed_open(&t, WAITING(1), TIMED_SET(SMS(2), "sm.max_cta=1"));
    cycles = again(&t, 6, 32);
    assert_int_equal(amoebas(&t).carried, 2);
    assert_int_equal(clock_of(&t, 1, 0, 3), 2);
    assert_int_equal(issued_by(&t, 1), 6 + 6 + 1 + 7 + 1);              /* all that CTA 1 has */
    assert_int_equal(STAT(&t, stall.off), 2 * STAT(&t, sm.off_cycles)); /* of two schedulers */
    on = cycles - STAT(&t, sm.off_cycles);
    assert_true(on > clock_of(&t, 1, 0, 2) && on < cycles - 100);
    timed_close(&t);
}

/* Nothing is left of it in the next launch, which is sampled, too, and takes as long. */
static void a_launch_may_end_while_a_pair_is_being_fused(void **state)
{
    struct timed t;
    u64 cycles[3];

    (void)state;
    timed_mech = AT_ONCE ",remember=off,fuse_cycles=1000";
    timed_open(&t, CLOCK(20) LOG, TIMED_SET(SMS(4), "sm.max_cta=1"));
    again(&t, 4, 32);
    for (u32 i = 0; i < 3; i++)
        cycles[i] = again(&t, 4, 32);
    assert_int_equal(cycles[1], cycles[0]);
    assert_int_equal(cycles[2], cycles[0]);
    timed_close(&t);
}

/* ---- what they compute */

static const char *const ways[] = {
    AROUND,
    AT_ONCE,
    RESTART,
    RESTART ",sampling=running,length=200",
    AROUND ",mode=warp_regroup,threshold=1,period=20,switch_cycles=5",
    AT_ONCE ",mode=warp_regroup,threshold=1,period=20,switch_cycles=5,length=300",
    AT_ONCE ",mode=direct_split,threshold=1,period=20,switch_cycles=5,length=100",
};

static void every_thread_keeps_its_registers(void **state)
{
    static const char *const set[] = {"sm.perfect_icache=off", "sm.sub_cores=2", "sm.issue_width=2",
                                      "sm.war=read", "sm.scheduler=gto"};
    static const u32 block[] = {64, 96, 200, 256};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(ways) * LEN(set); i++) {
        u32 n = block[i % LEN(block)];

        bound(&t, ways[i / LEN(set)], VALUES LOG,
              TIMED_SET(SMS(2), "sm.n_warp=24", set[i % LEN(set)]), 7, n);
        check_values(&t, 7, n);
        assert_true(amoebas(&t).carried > 0);
        timed_close(&t);
    }
}

/* Shared memory, barriers, fences and atomics, of which none happens twice. */
static void nothing_is_executed_twice(void **state)
{
    struct timed t;
    struct logged want[8 * 64];

    (void)state;
    bound(&t, NULL, BUSY, TIMED_SET(SMS(2)), 8, 64);
    for (u32 i = 0; i < LEN(want); i++)
        want[i] = logged(&t, i / 64, i % 64);
    timed_close(&t);
    for (u32 k = 0; k < LEN(ways); k++) {
        bound(&t, ways[k], BUSY, TIMED_SET(SMS(2), "sm.max_cta=2"), 8, 64);
        assert_true(amoebas(&t).carried > 0);
        for (u32 i = 0; i < LEN(want); i++) {
            struct logged have = logged(&t, i / 64, i % 64);

            assert_memory_equal(&have, &want[i], 12);
        }
        timed_close(&t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_pair_is_fused_around_a_cta),
    cmocka_unit_test(ctas_come_beside_one_that_is_carried),
    cmocka_unit_test(all_pairs_begin_together),
    cmocka_unit_test(a_carried_cta_keeps_what_it_has),
    cmocka_unit_test(registers_stay_in_the_file_of_their_sm),
    cmocka_unit_test(the_second_sm_works_until_its_ctas_have_ended),
    cmocka_unit_test(a_launch_may_end_while_a_pair_is_being_fused),
    cmocka_unit_test(every_thread_keeps_its_registers),
    cmocka_unit_test(nothing_is_executed_twice),
};

TEST_MAIN(tests)
