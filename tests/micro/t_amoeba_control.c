/* t_amoeba_control.c -- AMOEBA's controller, counted by hand: what is sampled, when a pair is fused. */
#include "tests/micro/amoeba.h"

#define ALONE "amoeba:predictor=paper" /* which says no here */

/*
 * SMs of one CTA each.  CLOCK in 3; the first two CTAs end, their stores acknowledged, before the edge in
 * E, at which the pair is fused; the edges are 6 cycles apart.  From R on, fuse_cycles later, it takes
 * two: they start in R and R + 1, and are fetched for in the same cycle, as the first of them does.
 */
static void check_fusing(u32 fuse_cycles)
{
    struct timed t;
    u32 first;

    bound(&t, with(FUSE ",late=0", "fuse_cycles", fuse_cycles), CLOCK(20) LOG,
          TIMED_SET(SMS(2), "sm.max_cta=1"), 6, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), 3);
    assert_int_equal(clock_of(&t, 1, 0, 0), 3);
    first = clock_of(&t, 2, 0, 0);
    assert_int_equal((first - 2) % 6, 0);
    assert_int_equal(clock_of(&t, 3, 0, 0), first + 1);
    assert_true(clock_of(&t, 4, 0, 0) > first + 1);
    assert_int_equal(amoebas(&t).sampled, 1);
    assert_int_equal(amoebas(&t).up, 1);
    assert_int_equal(amoebas(&t).fused, 1);
    assert_int_equal(amoebas(&t).recalled, 0);
    assert_int_equal(issued_by(&t, 1), 9); /* its one CTA */
    assert_int_equal(issued_by(&t, 0), 9 * 5);
    timed_close(&t);
}

static u32 third_cta(u32 fuse_cycles)
{
    struct timed t;
    u32 clock;

    bound(&t, with(FUSE ",late=0", "fuse_cycles", fuse_cycles), CLOCK(20) LOG,
          TIMED_SET(SMS(2), "sm.max_cta=1"), 6, 32);
    clock = clock_of(&t, 2, 0, 0);
    timed_close(&t);
    return clock;
}

static void a_pair_drains_and_takes_its_time_to_fuse(void **state)
{
    struct timed t;
    u32 alone;

    (void)state;
    bound(&t, NULL, CLOCK(20) LOG, TIMED_SET(SMS(2), "sm.max_cta=1"), 6, 32);
    alone = clock_of(&t, 2, 0, 0); /* at the same edge, if it took no time */
    timed_close(&t);
    check_fusing(60);
    check_fusing(100);
    assert_int_equal(third_cta(60), alone + 60);
    assert_int_equal(third_cta(61), alone + 66);
    assert_int_equal(third_cta(600), alone + 600);
}

/* One CTA waits for three loads, one after the other; %r21: when it has them. */
#define SLOW_CTA(cta)                                                                              \
    CLOCK(20)                                                                                      \
    TIMED_A "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, " #cta "; @%p1 bra J;\n"                 \
            "ld.global.cg.u32 %r2, [%rd0+32768]; add.u32 %r3, %r2, 1;\n"                           \
            "ld.global.cg.u32 %r2, [%rd0+36864]; add.u32 %r3, %r2, 1;\n"                           \
            "ld.global.cg.u32 %r2, [%rd0+40960]; add.u32 %r3, %r2, 1;\n"                           \
            "J: mov.u32 %r21, %clock;\n" LOG

/* SM 0, which has ended its CTA, gets nothing to do meanwhile. */
static void a_pair_waits_for_its_slower_sm(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, FUSE ",late=0,fuse_cycles=60", SLOW_CTA(1), TIMED_SET(SMS(2), "sm.max_cta=1"), 4, 32);
    assert_true(clock_of(&t, 1, 0, 1) > 3 * 141);
    for (u32 cta = 2; cta < 4; cta++)
        assert_true(clock_of(&t, cta, 0, 0) > clock_of(&t, 1, 0, 1) + 60);
    timed_close(&t);
}

/*
 * Four CTAs on four SMs, the last of them late; the first pair, when it is fused, takes the fifth, and the
 * launch has ended before the second is.  So it is in the next launch, from the beginning.
 */
static void a_launch_may_end_before_a_pair_is_fused(void **state)
{
    struct timed t;
    u64 first = 0;

    (void)state;
    timed_mech = FUSE ",remember=off,fuse_cycles=1000";
    path_open(&t, SLOW_CTA(3), TIMED_SET(SMS(4), "sm.max_cta=1"));
    for (u32 i = 0; i < 4; i++) {
        u64 cycles = again(&t, 5, 32);
        u32 slow = clock_of(&t, 3, 0, 1) - clock_of(&t, 0, 0, 0);
        u32 fifth = clock_of(&t, 4, 0, 0) - clock_of(&t, 0, 0, 0);

        assert_int_equal(amoebas(&t).fused, 2 * (i + 1));
        assert_true(fifth > 1000 && cycles < slow + 1100);
        first = i ? first : cycles;
        assert_int_equal(cycles, first); /* no timer is early or late */
    }
    timed_close(&t);
}

/* Without a decision to fuse all is as if there were none to take. */
static void a_pair_that_should_not_is_not_fused(void **state)
{
    struct timed t;
    u64 cycles = bound_cycles(NULL, CLOCK(20) LOG, TIMED_SET(SMS(2), "sm.max_cta=1"), 6, 32);

    (void)state;
    assert_int_equal(bound(&t, "amoeba:predictor=never", CLOCK(20) LOG,
                           TIMED_SET(SMS(2), "sm.max_cta=1"), 6, 32),
                     cycles);
    assert_int_equal(amoebas(&t).sampled, 1);
    assert_int_equal(amoebas(&t).up, 0);
    assert_int_equal(amoebas(&t).fused, 0);
    assert_int_equal(amoebas(&t).fused_cycles, 0);
    again(&t, 6, 32);
    assert_int_equal(amoebas(&t).sampled, 1);
    assert_int_equal(amoebas(&t).recalled, 1);
    timed_close(&t);
}

/* The second launch is fused from its beginning, all of its cycles; or sampled again. */
static void what_was_decided_for_a_kernel_is_remembered(void **state)
{
    struct timed t;
    u64 before, cycles;

    (void)state;
    bound(&t, FUSE, CLOCK(20) LOG, TIMED_SET(SMS(2)), 2, 64);
    before = amoebas(&t).fused_cycles;
    cycles = again(&t, 2, 64);
    assert_int_equal(amoebas(&t).sampled, 1);
    assert_int_equal(amoebas(&t).recalled, 1);
    assert_int_equal(amoebas(&t).fused_cycles - before, cycles);
    assert_int_equal(STAT(&t, sm.simt_slots), 2 * 9 * 64);
    assert_int_equal(issued_by(&t, 1), 2 * 9); /* as before */
    timed_close(&t);
    bound(&t, FUSE ",remember=off", CLOCK(20) LOG, TIMED_SET(SMS(2)), 2, 64);
    again(&t, 2, 64);
    assert_int_equal(amoebas(&t).sampled, 2);
    assert_int_equal(amoebas(&t).recalled, 0);
    timed_close(&t);
}

/* The program's first kernel is not its second: it is not looked at, and is not fused in any launch. */
static void a_kernel_that_is_left_out_is_not_sampled(void **state)
{
    struct timed t;

    (void)state;
    for (u32 only = 1; only <= 2; only++) {
        bound(&t, with(FUSE, "only", only), CLOCK(20) LOG, TIMED_SET(SMS(2), "sm.max_cta=1"), 6,
              32);
        again(&t, 6, 32);
        assert_int_equal(amoebas(&t).sampled, only == 1);
        assert_int_equal(amoebas(&t).recalled, 1);
        assert_int_equal(amoebas(&t).fused, only == 1 ? 2 : 0);
        timed_close(&t);
    }
}

/*
 * The second launch finds its caches empty, since they have other ways than in the first; the third what
 * the second has left, lines of local memory that are dirty included.
 */
static void a_pair_stays_fused_between_launches(void **state)
{
    static const char body[] =
        ".local .align 4 .b8 l[64]; mov.u32 %r7, %tid.x; st.local.u32 [l+4], %r7;\n"
        "ld.local.u32 %r20, [l+4];\n" LOG;
    struct timed t;

    (void)state;
    bound(&t, FUSE, body, TIMED_SET(SMS(2), "sm.perfect_icache=off"), 2, 64);
    for (u32 i = 1; i < 4; i++) {
        again(&t, 2, 64);
        assert_int_equal(STAT(&t, l1i.miss) > 0, i == 1);
        for (u32 k = 0; k < 128; k++)
            assert_int_equal(logged(&t, k / 64, k % 64).v[0], k % 64);
    }
    assert_int_equal(amoebas(&t).recalled, 3);
    timed_close(&t);
}

/* As many CTAs as are sampled, one on each SM; all others begin when they have ended. */
static void check_alone(u32 sample)
{
    struct timed t;
    u32 n = 0;

    bound(&t, with(ALONE, "sample", sample), CLOCK(20) CLOCK(21) LOG, TIMED_SET(SMS(2)), 8, 32);
    for (u32 cta = 0; cta < 8; cta++)
        n += clock_of(&t, cta, 0, 0) < 40;
    assert_int_equal(n, sample);
    assert_int_equal(amoebas(&t).sampled, 1);
    assert_int_equal(amoebas(&t).up, 0);
    timed_close(&t);
}

static void sampled_ctas_are_alone(void **state)
{
    (void)state;
    check_alone(1);
    check_alone(2);
}

/* CTA 0 takes longer: the others begin at the next edge, one every 6 cycles, and 2 later read the clock. */
static u32 begins_after(u32 length)
{
    struct timed t;
    u32 clock;

    bound(&t, with(ALONE, "length", length), SLOW_CTA(0) LOG, TIMED_SET(SMS(2)), 4, 32);
    clock = clock_of(&t, 1, 0, 0);
    assert_int_equal(clock_of(&t, 2, 0, 0), clock); /* on the other SM */
    assert_int_equal(amoebas(&t).sampled, 1);
    timed_close(&t);
    return clock;
}

/* The only pair has a CTA that has not ended: it stays, and has the others 60 cycles later; the next launch fuses. */
static void a_pair_with_a_sampled_cta_stays(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "amoeba:predictor=always,after_sample=stay,length=30,fuse_cycles=60", SLOW_CTA(0) LOG,
          TIMED_SET(SMS(2)), 4, 32);
    assert_int_equal(clock_of(&t, 1, 0, 0), 30 + 60 + 2);
    assert_int_equal(clock_of(&t, 2, 0, 0), 30 + 60 + 2);
    assert_int_equal(amoebas(&t).up, 1);
    assert_int_equal(amoebas(&t).fused, 0);
    again(&t, 4, 32);
    assert_int_equal(amoebas(&t).fused, 1);
    timed_close(&t);
}

static void a_sample_ends_in_time(void **state)
{
    (void)state;
    assert_int_equal(begins_after(30), 30 + 2);
    assert_int_equal(begins_after(31), 36 + 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_pair_drains_and_takes_its_time_to_fuse),
    cmocka_unit_test(a_pair_waits_for_its_slower_sm),
    cmocka_unit_test(a_launch_may_end_before_a_pair_is_fused),
    cmocka_unit_test(a_pair_that_should_not_is_not_fused),
    cmocka_unit_test(what_was_decided_for_a_kernel_is_remembered),
    cmocka_unit_test(a_kernel_that_is_left_out_is_not_sampled),
    cmocka_unit_test(a_pair_stays_fused_between_launches),
    cmocka_unit_test(sampled_ctas_are_alone),
    cmocka_unit_test(a_sample_ends_in_time),
    cmocka_unit_test(a_pair_with_a_sampled_cta_stays),
};

TEST_MAIN(tests)
