/*
 * t_barrier.c -- barriers, counted by hand.
 *
 * Fetching begins with warp 1, then 2, .., then 0; warp w belongs to scheduler w mod n, and in
 * cycle t scheduler t mod n goes first.
 */
#include "tests/micro/clocks.h"

/* Warp 1 arrives in 3, warp 0 in 4; both could go on in 5, and gto stays with warp 0: 5, then 6. */
static void a_barrier_opens_in_the_cycle_of_the_last_arrival(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "bar.sync 0;" CLOCK(20) LOG, TIMED_SET("sm.schedulers=1"), 1, 64);
    assert_int_equal(clock_of(&t, 0, 0, 0), 5);
    assert_int_equal(clock_of(&t, 0, 1, 0), 6);
    assert_int_equal(STAT(&t, sm.barriers), 2);
    timed_close(&t);
}

/*
 * Warps 1 to 7 arrive in 3 to 9, warp 0 in 10.  Scheduler 0 goes first in 10, so scheduler 1 can go
 * on in 10: with warp 7, which it issued from last, and then with the oldest, warp 1 in 11.
 * Scheduler 0 in 11 with warp 0, in 12 with warp 2.  What follows bar is in the buffers all the
 * time.
 */
static void eight_warps_go_on_at_once(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "bar.sync 0;" CLOCK(20) LOG, NULL, 1, 256);
    assert_int_equal(clock_of(&t, 0, 7, 0), 10);
    assert_int_equal(clock_of(&t, 0, 1, 0), 11);
    assert_int_equal(clock_of(&t, 0, 0, 0), 11);
    assert_int_equal(clock_of(&t, 0, 2, 0), 12);
    assert_int_equal(STAT(&t, sm.barriers), 8);
    timed_close(&t);
}

/* Alone it need not wait: bar 3, clock 4. */
static void a_warp_alone_passes_a_barrier(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "bar.sync 0;" CLOCK(20) LOG, NULL, 1, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), 4);
    assert_int_equal(STAT(&t, stall.barrier), 0);
    timed_close(&t);
}

/* Arrivals in 3 and 4 as above; 7 cycles later, in 11, both can go on. */
static void a_barrier_takes_its_latency(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "bar.sync 0;" CLOCK(20) LOG, TIMED_SET("sm.schedulers=1", "op.barrier_lat=7"), 1, 64);
    assert_int_equal(clock_of(&t, 0, 0, 0), 4 + 7);
    assert_int_equal(clock_of(&t, 0, 1, 0), 4 + 7 + 1);
    /* the scheduler issues nothing else from 5 to 10, while both wait */
    assert_int_equal(STAT(&t, stall.barrier), 6);
    timed_close(&t);
}

/* Nobody is waited for, but the barrier takes its time: bar 3, clock 10; one for no lane takes none. */
static void a_warp_alone_waits_for_the_latency(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "bar.sync 0;" CLOCK(20) LOG, TIMED_SET("op.barrier_lat=7"), 1, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), 3 + 7);
    timed_close(&t);
    run(&t, "@%p1 bar.sync 0;" CLOCK(20) LOG, TIMED_SET("op.barrier_lat=7"), 1, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), 4);
    timed_close(&t);
}

/* bar 0 in 3, bar 1 in 23, the clock, fetched in 23, in 43. */
static void barriers_in_a_row_take_their_latency_each(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "bar.sync 0; bar.sync 1;" CLOCK(20) LOG, TIMED_SET("op.barrier_lat=20"), 1, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), 3 + 20 + 20);
    timed_close(&t);
}

/*
 * Warp 1: tid 3, setp 9, exit 16.  Warp 0: 4, 10, exit (for no lane) 17, bar 18: nobody is left to
 * wait for.  clock is fetched in 18: 20.
 */
static void a_warp_that_has_ended_is_not_waited_for(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0;" CLOCK(20) LOG,
        NULL, 1, 64);
    assert_int_equal(clock_of(&t, 0, 0, 0), 20);
    timed_close(&t);
}

/* Warp 1 arrives in 17, and in 17 warp 0 exits: clock, fetched in 17, in 19. */
static void the_end_of_a_warp_opens_a_barrier(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0;" CLOCK(20) LOG,
        NULL, 1, 64);
    assert_int_equal(clock_of(&t, 0, 1, 0), 19);
    timed_close(&t);
}

/* The same, with 7 cycles after the exit in 17. */
static void the_end_of_a_warp_opens_it_after_the_latency(void **state)
{
    struct timed t;

    (void)state;
    run(&t, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0;" CLOCK(20) LOG,
        TIMED_SET("op.barrier_lat=7"), 1, 64);
    assert_int_equal(clock_of(&t, 0, 1, 0), 17 + 7);
    timed_close(&t);
}

/*
 * tid 3/4, setp 9/10, bra 16/17.  Warp 1 jumps: flush 17, bar 19.  Warp 0 goes on: min 18, its
 * reader is fetched in 18 and issued in 37, bar 38, first in that cycle: warp 1 goes on in 38.  It
 * had its clock in the buffer since 20: barrier stalls in 20 to 37.
 */
static void waiting_at_a_barrier_is_counted(void **state)
{
    struct timed t;

    (void)state;
    run(&t,
        "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 bra B;\n"
        "min.u32 %r3, %r1, %r2; mov.u32 %r4, %r3;\n B: bar.sync 0;" CLOCK(20) LOG,
        TIMED_SET("gpu.n_sm=1"), 1, 64);
    assert_int_equal(clock_of(&t, 0, 1, 0), 38);
    assert_int_equal(STAT(&t, stall.barrier), 18);
    timed_close(&t);
}

/*
 * CTA 1 is placed a cycle after CTA 0.  Fetches: warp 1 of CTA 0 in 1, warps 0 and 1 of CTA 1 in 2
 * and 3, warp 0 of CTA 0 in 4.  CTA 0: ctaid 3/6, setp 9/12, bra (not taken) 16/19, bar 17/20.
 * Scheduler 0 goes first in 20, so warp 1, whose clock was fetched in 17, goes on in 20; warp 0
 * fetches its clock in 20: 22.  CTA 1 arrives more than 145 cycles later.
 */
static void ctas_do_not_wait_for_each_other(void **state)
{
    struct timed t;

    (void)state;
    run(&t,
        "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra SLOW; bar.sync 0;" CLOCK(20) LOG
        "ret; SLOW: div.u32 %r2, %r3, %r4; mov.u32 %r5, %r2; bar.sync 0;" CLOCK(20) LOG,
        TIMED_SET("gpu.n_sm=1"), 2, 64);
    assert_int_equal(clock_of(&t, 0, 1, 0), 20);
    assert_int_equal(clock_of(&t, 0, 0, 0), 22);
    assert_true(clock_of(&t, 1, 0, 0) > 165);
    assert_int_equal(STAT(&t, sm.barriers), 4);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_barrier_opens_in_the_cycle_of_the_last_arrival),
    cmocka_unit_test(eight_warps_go_on_at_once),
    cmocka_unit_test(a_warp_alone_passes_a_barrier),
    cmocka_unit_test(a_warp_that_has_ended_is_not_waited_for),
    cmocka_unit_test(a_barrier_takes_its_latency),
    cmocka_unit_test(a_warp_alone_waits_for_the_latency),
    cmocka_unit_test(barriers_in_a_row_take_their_latency_each),
    cmocka_unit_test(the_end_of_a_warp_opens_a_barrier),
    cmocka_unit_test(the_end_of_a_warp_opens_it_after_the_latency),
    cmocka_unit_test(waiting_at_a_barrier_is_counted),
    cmocka_unit_test(ctas_do_not_wait_for_each_other),
};

TEST_MAIN(tests)
