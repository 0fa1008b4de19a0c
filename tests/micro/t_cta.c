/*
 * t_cta.c -- where and when CTAs are placed, counted by hand.
 *
 * A CTA that starts in cycle c is fetched for in c, and an empty kernel of one warp ends in c + 8.
 * The first CTAs start in 1.  Each SM may get one a cycle.  The dispatcher acts at the edges of
 * windows, every 6 cycles here (the latency of the network): a CTA that takes the place of another
 * starts at the next edge.
 */
#include "tests/micro/clocks.h"

static const char plain[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                            ".visible .entry k(.param .u64 a) { ret; }\n";

/* ---- one a cycle */

/* Three fit (16 KB of shared memory each): start in 1, 2, 3. */
static void an_sm_gets_a_cta_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", TIMED_SET("gpu.n_sm=1"), 3, 32), 12);
    assert_int_equal(STAT(&t, sm.ctas), 3);
    timed_close(&t);
}

/* Two launches of 10 cycles; one of them takes 10 us at 1 MHz, 14,285.7 ps at 700. */
static void a_cycle_is_as_long_as_the_core_clock_says(void **state)
{
    static const struct {
        const char *mhz;
        u64 ps;
    } row[] = {{"gpu.core_mhz=1", 10000000}, {"gpu.core_mhz=500", 20000}, {NULL, 14285}};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(row); i++) {
        timed_open(&t, "", TIMED_SET("gpu.n_sm=1", row[i].mhz));
        timed_run(&t, 1, 32);
        assert_int_equal(timed_run(&t, 1, 32), 10);
        assert_int_equal(t.last->time_ps, row[i].ps);
        assert_int_equal(t.d[0]->time_ps, 2 * row[i].ps);
        timed_close(&t);
    }
}

/* Eight start in 1 to 8, across an edge; the last ends in 16. */
static void an_sm_gets_one_cta_in_the_cycle_of_an_edge_too(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t, plain, TIMED_SET("gpu.n_sm=1", "sm.fetch_width=2"));
    assert_int_equal(again(&t, 8, 32), 17);
    timed_close(&t);
}

/* All SMs get one in 1. */
static void sms_get_their_ctas_together(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", NULL, 15, 32), 10);
    assert_int_equal(STAT(&t, stall.issued), 15);
    timed_close(&t);
}

/* 16 CTAs, two on the first SM: 1 and 2. */
static void one_more_cta_than_sms_starts_a_cycle_later(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", NULL, 16, 32), 11);
    timed_close(&t);
}

/*
 * The first 15 of 20 CTAs, one on each SM, start in 1 and read their clock in 3; the others follow
 * in 4.
 */
static void a_small_grid_is_spread(void **state)
{
    struct timed t;

    (void)state;
    run(&t, CLOCK(20) LOG, NULL, 20, 32);
    for (u32 i = 0; i < 20; i++)
        assert_int_equal(clock_of(&t, i, 0, 0), i < 15 ? 3 : 4);
    timed_close(&t);
}

/* ---- the second wave */

/*
 * One CTA at a time: the first starts in 1 and ends in 9; the next edge is 12, where the second
 * starts; it ends in 20.  Scheduler 0 has no warp in 0, 10 and 11, scheduler 1 in 0 to 11; from 12
 * on no CTA is left.
 */
static void a_second_wave_starts_at_the_next_edge(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", TIMED_SET("gpu.n_sm=1", "sm.max_cta=1"), 2, 32), 21);
    assert_int_equal(STAT(&t, stall.no_warp), 3 + 12);
    assert_int_equal(STAT(&t, stall.tail), 9);
    assert_int_equal(STAT(&t, stall.fetch), 4);
    assert_int_equal(STAT(&t, stall.issued), 2);
    assert_int_equal(STAT(&t, stall.drain), 12);
    timed_close(&t);
}

/*
 * The same, 1000 cycles after the launch: both schedulers wait for it, and afterwards for what they
 * waited for before.  Of two SMs all four schedulers wait; in the cycle before the only CTA they have no
 * warp, and in the nine that are left three have none to come.
 */
static void launch_latency_is_a_reason_of_its_own(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        run(&t, "", TIMED_SET("gpu.n_sm=1", "sm.max_cta=1", "gpu.launch_latency=1000"), 2, 32),
        1021);
    assert_int_equal(STAT(&t, stall.launch), 2 * 1000);
    assert_int_equal(STAT(&t, stall.no_warp), 3 + 12);
    assert_int_equal(STAT(&t, stall.tail), 9);
    assert_int_equal(STAT(&t, stall.scheduler_cycles), 2 * 1021);
    timed_close(&t);
    assert_int_equal(run(&t, "", TIMED_SET("gpu.n_sm=2", "gpu.launch_latency=1000"), 1, 32),
                     1000 + 10);
    assert_int_equal(STAT(&t, stall.launch), 4 * 1000);
    assert_int_equal(STAT(&t, stall.no_warp), 4 * 1);
    assert_int_equal(STAT(&t, stall.tail), 3 * 9);
    timed_close(&t);
}

/* A window of 4: the edge after 9 is 12; of 5: it is 10, and the second ends in 18. */
static void the_window_decides_when_a_second_wave_starts(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", TIMED_SET("gpu.n_sm=1", "sm.max_cta=1", "sim.window=4"), 2, 32),
                     21);
    timed_close(&t);
    assert_int_equal(run(&t, "", TIMED_SET("gpu.n_sm=1", "sm.max_cta=1", "sim.window=5"), 2, 32),
                     19);
    timed_close(&t);
}

/*
 * Three at a time: 1, 2, 3, ended in 9, 10, 11; at the edge in 12 the fourth, fifth and sixth, in
 * 12, 13, 14.
 */
static void places_that_became_free_are_filled_one_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", TIMED_SET("gpu.n_sm=1"), 6, 32), 14 + 8 + 1);
    timed_close(&t);
}

/* ---- limits */

static void fits(const char *set, u32 block, u32 ctas, const char *limit)
{
    struct timed t;

    timed_open_module(&t, plain, TIMED_SET(set));
    again(&t, 1, block);
    assert_int_equal(t.last->ctas_per_sm, ctas);
    assert_string_equal(t.last->limit, limit);
    timed_close(&t);
}

static void at_most_eight_ctas(void **state)
{
    (void)state;
    fits("front.regs=4", 32, 8, "CTAs");
}

/* 1536 / 512. */
static void threads_limit_ctas(void **state)
{
    (void)state;
    fits("front.regs=4", 512, 3, "threads");
}

/* 193 threads count as 224: 1536 / 224 = 6.9; with 193 it would be 7. */
static void threads_are_padded_to_warps(void **state)
{
    (void)state;
    fits("front.regs=4", 193, 6, "threads");
}

/* 21 registers count as 24: 32768 / (24 * 256) = 5.3; with 21 it would be 6. */
static void registers_limit_ctas_in_steps_of_four(void **state)
{
    (void)state;
    fits("front.regs=21", 256, 5, "registers");
}

/* 49152 / 16384. */
static void shared_memory_limits_ctas(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "", NULL, 1, 32);
    assert_int_equal(t.last->ctas_per_sm, 3);
    assert_string_equal(t.last->limit, "shared memory");
    timed_close(&t);
}

/* ---- occupancy */

/* On board from 1 to 9: a warp, and an SM with a CTA, in nine cycles; fourteen SMs have none. */
static void a_warp_is_resident_until_it_ends(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(run(&t, "", NULL, 1, 32), 10);
    assert_int_equal(STAT(&t, sm.sm_cycles), 150);
    assert_int_equal(STAT(&t, sm.busy_cycles), 9);
    assert_int_equal(STAT(&t, sm.warp_cycles), 9);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_sm_gets_a_cta_a_cycle),
    cmocka_unit_test(a_cycle_is_as_long_as_the_core_clock_says),
    cmocka_unit_test(an_sm_gets_one_cta_in_the_cycle_of_an_edge_too),
    cmocka_unit_test(sms_get_their_ctas_together),
    cmocka_unit_test(one_more_cta_than_sms_starts_a_cycle_later),
    cmocka_unit_test(a_small_grid_is_spread),
    cmocka_unit_test(a_second_wave_starts_at_the_next_edge),
    cmocka_unit_test(launch_latency_is_a_reason_of_its_own),
    cmocka_unit_test(the_window_decides_when_a_second_wave_starts),
    cmocka_unit_test(places_that_became_free_are_filled_one_a_cycle),
    cmocka_unit_test(at_most_eight_ctas),
    cmocka_unit_test(threads_limit_ctas),
    cmocka_unit_test(threads_are_padded_to_warps),
    cmocka_unit_test(registers_limit_ctas_in_steps_of_four),
    cmocka_unit_test(shared_memory_limits_ctas),
    cmocka_unit_test(a_warp_is_resident_until_it_ends),
};

TEST_MAIN(tests)
