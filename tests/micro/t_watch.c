/* t_watch.c -- launches that cannot end are ended, others are not */
#include "gpu/watch.h"

#include "tests/micro/timed.h"

/* Both ways of running it end with this message, in the same cycle. */
static void ends_with(const char *body, const char *const *set, u32 block, const char *text)
{
    const u32 g[3] = {1, 1, 1}, b[3] = {block, 1, 1};
    struct timed t;
    u64 cycles[2];

    timed_open(&t, body, set);
    for (u32 i = 0; i < 2; i++) {
        assert_false(device_run(t.d[i], t.p[i], "k", g, b, 0, (const u8 *)&t.buf[i], &t.e));
        assert_int_equal(t.e.status, ERR_PROGRAM);
        if (!strstr(t.e.msg, text))
            fail_msg("%s", t.e.msg);
        assert_int_equal(t.d[i]->last.end, RUN_DEADLOCK);
        cycles[i] = t.d[i]->last.cycles;
    }
    assert_int_equal(cycles[0], cycles[1]);
    timed_close(&t);
}

static void a_load_that_takes_longer_than_the_watchdog_ends_the_launch(void **state)
{
    (void)state;
    ends_with(TIMED_A "ld.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, 1;",
              TIMED_SET("sim.watchdog=100"), 32,
              "no instruction was issued for 100 cycles (sim.watchdog)");
}

static void a_flag_that_nobody_sets_is_a_loop_for_ever(void **state)
{
    (void)state;
    ends_with(TIMED_A "L: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;",
              TIMED_SET("sim.watchdog=5000"), 64, "kernel k: loops for ever: nobody writes what");
}

/* Each lane but one waits for that one, which waits for them where lanes meet again. */
static void a_lock_between_lanes_is_a_loop_for_ever(void **state)
{
    (void)state;
    ends_with(TIMED_A "L: atom.global.cas.b32 %r1, [%rd0], 0, 1; setp.ne.u32 %p1, %r1, 0;"
                      "@%p1 bra L; atom.global.exch.b32 %r2, [%rd0], 0;",
              TIMED_SET("sim.watchdog=5000"), 96, "kernel k: loops for ever: nobody writes what");
    ends_with(
        TIMED_A "L: atom.global.cas.b32 %r1, [%rd0], 0, 1; setp.ne.u32 %p1, %r1, 0;"
                "@%p1 bra L;\natom.global.exch.b32 %r2, [%rd0], 0;",
        TIMED_SET("sim.watchdog=5000"), 32,
        "(test.ptx:10); 1 of its warp's lanes must wait until it leaves the loop (test.ptx:11)");
}

/* Nobody sets the flag, though each lane gets its turn; and a lane waits for another warp's at a barrier. */
static void paths_that_nobody_ends_are_loops_for_ever(void **state)
{
    (void)state;
    ends_with(TIMED_A
              "mov.u32 %r0, %laneid; setp.lt.u32 %p2, %r0, 5; @%p2 bra M;"
              "L: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"
              "M: ld.volatile.global.u32 %r1, [%rd0+4]; setp.eq.u32 %p1, %r1, 0; @%p1 bra M;"
              "bar.sync 0;",
              TIMED_SET("sim.watchdog=5000", "sm.thread_scheduling=independent"), 64,
              "kernel k: loops for ever: nobody writes what");
}

/* Warp 1 waits at the barrier, warp 0 for a flag. */
static void warps_at_a_barrier_do_not_hide_a_loop(void **state)
{
    (void)state;
    ends_with(TIMED_A "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; @%p0 bra M;"
                      "L: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"
                      "M: bar.sync 0;",
              TIMED_SET("sim.watchdog=5000"), 64, "kernel k: loops for ever");
}

static void gets_through(const char *body, const char *const *set)
{
    struct timed t;

    timed_open(&t, body, set);
    assert_true(timed_run(&t, 1, 64) > 20000);
    timed_close(&t);
}

/* 3000 times around, looked at each 5000 cycles: the counter is another one each time. */
static void a_loop_that_counts_is_left_alone(void **state)
{
    (void)state;
    gets_through("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3000; @%p1 bra L;",
                 TIMED_SET("sim.watchdog=5000"));
}

/* At L all registers are as they were; the clock is not. */
static void a_loop_that_reads_the_clock_is_left_alone(void **state)
{
    (void)state;
    gets_through("L: mov.u32 %r1, %clock; setp.lt.u32 %p1, %r1, 30000; mov.u32 %r1, 0; @%p1 bra L;",
                 TIMED_SET("sim.watchdog=5000"));
}

/* One warp writes after a while what the other waits for. */
static void a_warp_that_waits_for_another_is_left_alone(void **state)
{
    (void)state;
    gets_through(TIMED_A
                 "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; @%p0 bra M;"
                 "L: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L; ret;"
                 "M: mov.u32 %r1, 0;"
                 "N: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3000; @%p1 bra N;"
                 "st.global.u32 [%rd0], 1;",
                 TIMED_SET("sim.watchdog=5000"));
}

/* Host memory: the program's other threads may write it. */
static void only_other_threads_can_write_host_memory(void **state)
{
    struct cta cta = {.id = {1, 0, 0}};
    struct watch w = {.limit = 1, .found = {.cta = &cta, .host = true, .addr = 0x1000}};
    struct timed t;
    u16 tid[1][4] = {{3, 0, 0, 0}};

    (void)state;
    timed_open(&t, "mov.u32 %r1, 0;", NULL);
    struct launch l = {.prog = t.p[0], .func = &t.p[0]->func[0]};

    l.tid = (void *)tid;
    assert_true(watch_goes_on(&w, &l, 0, &t.e));
    assert_true(w.noted);
    w.noted = false;
    assert_false(watch_goes_on(&w, &l, 1000, &t.e));
    assert_non_null(
        strstr(t.e.msg, "waits for the host for ever: thread 3,0,0 of block 1,0,0 reads"));
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_load_that_takes_longer_than_the_watchdog_ends_the_launch),
    cmocka_unit_test(a_flag_that_nobody_sets_is_a_loop_for_ever),
    cmocka_unit_test(a_lock_between_lanes_is_a_loop_for_ever),
    cmocka_unit_test(paths_that_nobody_ends_are_loops_for_ever),
    cmocka_unit_test(warps_at_a_barrier_do_not_hide_a_loop),
    cmocka_unit_test(a_loop_that_counts_is_left_alone),
    cmocka_unit_test(a_loop_that_reads_the_clock_is_left_alone),
    cmocka_unit_test(a_warp_that_waits_for_another_is_left_alone),
    cmocka_unit_test(only_other_threads_can_write_host_memory),
};

TEST_MAIN(tests)
