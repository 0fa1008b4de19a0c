/* t_bind_lock.c -- SMs in lock step, counted by hand: together, parting, and waiting for each other. */
#include "tests/micro/bound.h"

/* ---- lock step */

/*
 * As alone: 3, 13, back in 23.  The followers' two schedulers each have no warp in cycle 0 and are
 * moved by the leader in 1..23.  An instruction issued once is executed, and counted, for each
 * member.
 */
static void check_lock_step(u32 n, const char *mech, const char *n_sm)
{
    struct timed t;

    assert_int_equal(bound(&t, mech, DEPENDENT, TIMED_SET(n_sm), n, 32), 24);
    assert_int_equal(STAT(&t, stall.issued), 3);
    assert_int_equal(issued_by(&t, 0), 3);
    assert_int_equal(STAT(&t, stall.off), 2 * 23 * (n - 1));
    assert_int_equal(STAT(&t, stall.no_warp), 2 * n);
    assert_int_equal(STAT(&t, sm.simt_lanes), 3 * 32 * n);
    assert_int_equal(STAT(&t, ptx.thread_insts), 3 * 32 * n);
    assert_int_equal(STAT(&t, sm.ctas), n);
    assert_int_equal(STAT(&t, sm.fetches), 2);
    assert_int_equal(counted(&t).groups, 1);
    assert_int_equal(counted(&t).unlocked, 0);
    timed_close(&t);
}

static void two_sms_in_lock_step_take_as_long_as_one(void **state)
{
    (void)state;
    check_lock_step(2, LOCKED, SMS(2));
}

static void four_sms_in_lock_step_take_as_long_as_one(void **state)
{
    (void)state;
    check_lock_step(4, "bind:kind=lock_step,size=4", SMS(4));
}

static void eight_sms_in_lock_step_take_as_long_as_one(void **state)
{
    (void)state;
    check_lock_step(8, "bind:kind=lock_step,size=8", SMS(8));
}

/*
 * A member has no warp in cycle 0, before its CTA begins, also if its group is awake in that cycle: one of these
 * timers of the launch before is due then.  (A CTA is left over, or cycle 0 would be booked with the placing.)
 */
static void a_member_waits_for_its_cta_asleep_or_awake(void **state)
{
    u64 off = 0, no_warp = 0;
    char noop[32];
    struct timed t;

    (void)state;
    for (u32 period = 0; period < 128; period++) {
        snprintf(noop, sizeof noop, "noop:timer=%u", period);
        timed_beside = noop;
        bound(&t, LOCKED, DEPENDENT, TIMED_SET(SMS(2)), 3, 32);
        timed_beside = NULL;
        again(&t, 3, 32);
        off = period ? off : STAT(&t, stall.off);
        no_warp = period ? no_warp : STAT(&t, stall.no_warp);
        assert_int_equal(STAT(&t, stall.off), off);
        assert_int_equal(STAT(&t, stall.no_warp), no_warp);
        timed_close(&t);
    }
}

static void alone_the_same_threads_execute_the_same_instructions(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, NULL, DEPENDENT, TIMED_SET(SMS(8)), 8, 32), 24);
    assert_int_equal(STAT(&t, stall.issued), 3 * 8);
    assert_int_equal(STAT(&t, stall.off), 0);
    assert_int_equal(STAT(&t, sm.simt_lanes), 3 * 32 * 8);
    assert_int_equal(STAT(&t, ptx.thread_insts), 3 * 32 * 8);
    timed_close(&t);
}

/*
 * Their results are their own: each CTA's warps in each member, through a barrier and shared
 * memory.
 */
static void members_compute_their_own_results(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r1, 2;\n"
        "mad.lo.u32 %r4, %r2, 1000, %r1; st.shared.u32 [%r3], %r4;\n"
        "bar.sync 0; xor.b32 %r3, %r3, 252; ld.shared.u32 %r20, [%r3];\n" LOG;
    struct timed t;

    (void)state;
    bound(&t, "bind:kind=lock_step,size=4", body, TIMED_SET(SMS(4)), 8, 64);
    for (u32 cta = 0; cta < 8; cta++)
        for (u32 w = 0; w < 2; w++)
            assert_int_equal(clock_of(&t, cta, w, 0), 1000 * cta + 63 - 32 * w);
    assert_int_equal(counted(&t).unlocked, 0);
    assert_int_equal(issued_by(&t, 1) + issued_by(&t, 2) + issued_by(&t, 3), 0);
    timed_close(&t);
}

/* ---- lock step: members part */

/* Where the clocks of CTAs 0 and 1 were read. */
static void check_parted(const char *mech, const char *body, u32 jumps, u32 c0, u32 c1)
{
    struct timed t;

    bound(&t, mech, body, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), c0);
    assert_int_equal(clock_of(&t, 1, 0, 0), c1);
    for (u32 cta = 0; cta < 2; cta++) {
        assert_int_equal(clock_of(&t, cta, 0, 1), cta);
        assert_int_equal(clock_of(&t, cta, 0, 2), cta == jumps ? 20 : 10);
    }
    if (mech)
        assert_int_equal(counted(&t).unlocked, 1);
    timed_close(&t);
}

/* ctaid 3, setp 9, bra 16 (first of its pair): on in 17, or, if it jumps, in 19. */
static void alone_they_go_on_at_once(void **state)
{
    (void)state;
    check_parted(NULL, JUMP(1), 1, 17, 19);
    check_parted(NULL, JUMP(0), 0, 19, 17);
}

/*
 * bra in 16 and 12 cycles: the leader goes on in 28 with what it had buffered, the other, which
 * must fetch in 28, in 30.  If it is the leader that jumps, it flushes in 28 and issues in 30 as
 * well.
 */
static void members_that_go_different_ways_part_after_wake(void **state)
{
    (void)state;
    check_parted(LOCKED, JUMP(1), 1, 28, 30);
    check_parted(LOCKED, JUMP(0), 0, 30, 30);
}

/* bra comes back in 16 + 6: not earlier, even with wake=1. */
static void parting_waits_for_what_is_under_way(void **state)
{
    (void)state;
    check_parted(LOCKED ",wake=1", JUMP(1), 1, 22, 24);
    check_parted(LOCKED ",wake=1", JUMP(0), 0, 24, 24);
}

/* Warp 1 has ended when warp 0 of the CTAs goes different ways: it retires where it was. */
static void warps_that_had_ended_retire_after_parting(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, LOCKED,
          "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 exit;\n"
          "mov.u32 %r2, %r1; mov.u32 %r3, %r2; mov.u32 %r4, %r3;\n" JUMP(1),
          TIMED_SET(SMS(2)), 2, 64);
    assert_int_equal(clock_of(&t, 0, 0, 2), 10);
    assert_int_equal(clock_of(&t, 1, 0, 2), 20);
    assert_int_equal(counted(&t).unlocked, 1);
    assert_int_equal(STAT(&t, sm.ctas), 2);
    timed_close(&t);
}

/*
 * Two instructions of a warp a cycle: behind the branch that parts them the leader has one more in
 * its buffer.  The other goes on with an atomic, which must not be lost.
 */
static void nothing_is_issued_with_the_branch_that_parts_them(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, LOCKED,
          TIMED_A "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; mov.u32 %r20, 1;\n"
                  "@%p1 bra L; mov.u32 %r20, 2; bra J;\n"
                  "L: atom.global.add.u32 %r2, [%rd0+1024], 5; J:\n" LOG,
          TIMED_SET(SMS(2), "sm.issue_width=2"), 2, 1);
    assert_int_equal(timed_u32(&t, 1024), 5);
    assert_int_equal(STAT(&t, sm.atomics), 1);
    assert_int_equal(clock_of(&t, 0, 0, 0), 2);
    assert_int_equal(clock_of(&t, 1, 0, 0), 1);
    timed_close(&t);
}

/* The lanes of warp 1 of this CTA exit; warp 0 is at the barrier long before. */
#define EXIT(cta)                                                                                  \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; setp.lt.u32 %p2, %r2, 32; @%p2 bra B;\n"          \
    "add.u32 %r3, %r1, 0; setp.eq.u32 %p1, %r3, " #cta "; @%p1 exit;\n"                            \
    "B: bar.sync 0; mov.u32 %r20, 9;\n" LOG

/* Warp 0 of both waits when warp 1 of one CTA exits: that one's barrier opens, not the other's. */
static void members_that_part_keep_their_places_at_a_barrier(void **state)
{
    static const char *const body[] = {EXIT(0), EXIT(1)};
    struct timed t;

    (void)state;
    for (u32 exits = 0; exits < 2; exits++) {
        bound(&t, LOCKED, body[exits], TIMED_SET(SMS(2)), 2, 64);
        for (u32 cta = 0; cta < 2; cta++) {
            assert_int_equal(clock_of(&t, cta, 0, 0), 9);
            assert_int_equal(clock_of(&t, cta, 1, 0), cta == exits ? 0 : 9);
        }
        assert_int_equal(counted(&t).unlocked, 1);
        timed_close(&t);
    }
}

/* The next launch binds them again. */
static void the_next_launch_is_in_lock_step_again(void **state)
{
    struct timed t;

    (void)state;
    u64 first = bound(&t, LOCKED, JUMP(1), TIMED_SET(SMS(2)), 2, 32);

    assert_int_equal(again(&t, 2, 32), first);
    assert_int_equal(counted(&t).groups, 2);
    assert_int_equal(counted(&t).unlocked, 2);
    timed_close(&t);
}

/* ---- lock step: members wait for each other */

/*
 * All lanes of CTA 0 load one word; those of CTA 1 load four lines, in other channels: 16 sectors,
 * which come one a cycle, the last 12 after the last of one line: 192 cycles instead of 180.  The
 * address is computed second of its pair in T: clock, fetched in T, in T + 2, and the load in T +
 * 10.  So, from the first clock to the second, behind the load's reader: 8 + 180 or 192 + 1.
 */
#define SPREAD                                                                                     \
    TIMED_A "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r0, 16, 256;\n"          \
            "mul.wide.u32 %rd1, %r2, %r1; add.u64 %rd1, %rd0, %rd1; mov.u32 %r20, %clock;\n"       \
            "ld.global.u32 %r4, [%rd1]; add.u32 %r5, %r4, 1; mov.u32 %r21, %clock;\n" LOG

static void check_spread(const char *mech, u32 load0, u32 load1)
{
    struct timed t;

    bound_path(&t, mech, SPREAD, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(clock_of(&t, 0, 0, 1) - clock_of(&t, 0, 0, 0), 8 + load0 + 1);
    assert_int_equal(clock_of(&t, 1, 0, 1) - clock_of(&t, 1, 0, 0), 8 + load1 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1 + 4 + 2 * 4);
    timed_close(&t);
}

static void alone_each_waits_for_its_own_load(void **state)
{
    (void)state;
    check_spread(NULL, 180, 192);
}

static void in_lock_step_all_wait_for_the_slowest_load(void **state)
{
    (void)state;
    check_spread(LOCKED, 192, 192);
}

/* ld.param 3, ctaid 4, setp 10, what only CTA 1 does in 17. */
#define ONLY_CTA_1 TIMED_A "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 "

/*
 * The store, 17, is acknowledged in 17 + 175.  The fence is issued in 19, in the latch of the
 * load/store unit in 21, and gone in 22: where there is no store, the clock behind it is read
 * then.
 */
static void check_fence(const char *mech, u32 c0, u32 c1)
{
    struct timed t;

    bound_path(&t, mech, ONLY_CTA_1 "st.global.u32 [%rd0+1024], %r2; membar.gl;\n" CLOCK(20) LOG,
               TIMED_SET(SMS(2), "sm.fence_waits=all"), 2, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), c0);
    assert_int_equal(clock_of(&t, 1, 0, 0), c1);
    timed_close(&t);
}

static void a_fence_waits_for_the_stores_of_all_members(void **state)
{
    (void)state;
    check_fence(NULL, 22, 192);
    check_fence(LOCKED, 192, 192);
}

/* One lane: back in 17 + 141, while the clock, fetched in 17, could be read in 19. */
static void check_atomic(const char *mech, u32 c0, u32 c1)
{
    struct timed t;

    bound_path(&t, mech, ONLY_CTA_1 "atom.global.add.u32 %r3, [%rd0+1024], 5;\n" CLOCK(20) LOG,
               TIMED_SET(SMS(2)), 2, 1);
    assert_int_equal(clock_of(&t, 0, 0, 0), c0);
    assert_int_equal(clock_of(&t, 1, 0, 0), c1);
    assert_int_equal(timed_u32(&t, 1024), 5);
    timed_close(&t);
}

static void an_atomic_of_one_member_holds_all(void **state)
{
    (void)state;
    check_atomic(NULL, 19, 158);
    check_atomic(LOCKED, 158, 158);
}

/* ---- lock step ends when it is wanted */

#define ADDS4(r)                                                                                   \
    "add.u32 " r ", " r ", 1; add.u32 " r ", " r ", 1;\n"                                          \
    "add.u32 " r ", " r ", 1; add.u32 " r ", " r ", 1;\n"

/*
 * Adds in 3, 13, .., 73, back in 83.  The end is wanted in 40: the add of 33 comes back in 43, and
 * the fifth, which would go then, goes in 40 + 12 in the leader and, fetched then, two later in
 * the other: 11 cycles more.  With wake=1 it is the two of the fetch.
 */
static void a_lock_step_ends_on_demand(void **state)
{
    static const char body[] = ADDS4("%r1") ADDS4("%r1");

    (void)state;
    assert_int_equal(bound_cycles(LOCKED, body, TIMED_SET(SMS(2)), 2, 32), 84);
    assert_int_equal(bound_cycles(LOCKED ",part=40", body, TIMED_SET(SMS(2)), 2, 32), 84 + 11);
    assert_int_equal(bound_cycles(LOCKED ",part=40,wake=1", body, TIMED_SET(SMS(2)), 2, 32),
                     84 + 2);
}

/*
 * Whenever they are separated: each thread has its mirror's number, adds 1000 to it, and sees
 * that.
 */
static void what_is_computed_does_not_depend_on_when(void **state)
{
    struct timed t;
    char mech[80];

    (void)state;
    for (u32 part = 1; part < 700; part += 19) {
        snprintf(mech, sizeof mech, "%s,part=%u,wake=%u", LOCKED, part, 1 + part % 20);
        bound(&t, mech, BUSY, TIMED_SET(SMS(2), "sm.fence_waits=all"), 2, 64);
        for (u32 i = 0; i < 128; i += 32) {
            u32 v = i / 64 * 64 + 63 - i % 64;

            assert_clocks(&t, i / 64, i % 64 / 32, v, v + 1000);
            assert_int_equal(clock_of(&t, i / 64, i % 64 / 32, 2), v);
        }
        timed_close(&t);
    }
}

/* ---- CTAs that are no whole set */

/*
 * SMs 0 1 and 2 3: CTAs 0 to 3 begin in 1 and end in 9.  One is left.  At the edge in 12 the dispatcher
 * finds the first lock step without a CTA and ends it, in 12 + 12; it sees two SMs at the edge in 30,
 * and the last CTA, which begins then, ends in 38.
 */
static void the_last_ctas_wait_for_the_end_of_a_lock_step(void **state)
{
    static const u64 issued[] = {2, 0, 1, 0};
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, LOCKED, "", TIMED_SET(SMS(4)), 5, 32), 39);
    assert_int_equal(STAT(&t, sm.ctas), 5);
    assert_int_equal(counted(&t).groups, 2);
    assert_int_equal(counted(&t).unlocked, 1);
    for (u32 i = 0; i < LEN(issued); i++)
        assert_int_equal(issued_by(&t, i), issued[i]);
    timed_close(&t);
}

/* SM 2 is alone, and takes it in 2: no lock step has to end. */
static void an_sm_that_is_alone_takes_the_last_cta(void **state)
{
    static const u64 issued[] = {1, 0, 2};
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, LOCKED, "", TIMED_SET(SMS(3)), 4, 32), 11);
    assert_int_equal(counted(&t).unlocked, 0);
    for (u32 i = 0; i < LEN(issued); i++)
        assert_int_equal(issued_by(&t, i), issued[i]);
    timed_close(&t);
}

/* One CTA: nothing is placed in 1, the lock step ends in 13, the edge is in 18. */
static void a_single_cta_is_executed_by_one_sm(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, LOCKED, "", TIMED_SET(SMS(2)), 1, 32), 27);
    assert_int_equal(issued_by(&t, 0), 1);
    timed_close(&t);
}

/* 15 SMs, of which one is alone; 8 and 7; more CTAs than fit at a time.  %smid is told too. */
static void all_ctas_of_any_number_are_executed(void **state)
{
    static const char body[] = "mov.u32 %r20, %ctaid.x; mov.u32 %r21, %smid;\n" LOG;
    static const char *const mech[] = {LOCKED, "bind:kind=lock_step,size=4",
                                       "bind:kind=lock_step,size=8"};
    static const u32 grid[] = {1, 7, 15, 31, 101};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(mech) * LEN(grid); i++) {
        u32 n = grid[i % LEN(grid)];

        bound(&t, mech[i / LEN(grid)], body, NULL, n, 32);
        assert_int_equal(STAT(&t, sm.ctas), n);
        assert_int_equal(STAT(&t, sm.simt_lanes), 10 * 32 * n);
        for (u32 cta = 0; cta < n; cta++)
            assert_int_equal(clock_of(&t, cta, 0, 0), cta);
        timed_close(&t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_sms_in_lock_step_take_as_long_as_one),
    cmocka_unit_test(four_sms_in_lock_step_take_as_long_as_one),
    cmocka_unit_test(eight_sms_in_lock_step_take_as_long_as_one),
    cmocka_unit_test(a_member_waits_for_its_cta_asleep_or_awake),
    cmocka_unit_test(alone_the_same_threads_execute_the_same_instructions),
    cmocka_unit_test(members_compute_their_own_results),
    cmocka_unit_test(alone_they_go_on_at_once),
    cmocka_unit_test(members_that_go_different_ways_part_after_wake),
    cmocka_unit_test(parting_waits_for_what_is_under_way),
    cmocka_unit_test(warps_that_had_ended_retire_after_parting),
    cmocka_unit_test(nothing_is_issued_with_the_branch_that_parts_them),
    cmocka_unit_test(members_that_part_keep_their_places_at_a_barrier),
    cmocka_unit_test(the_next_launch_is_in_lock_step_again),
    cmocka_unit_test(alone_each_waits_for_its_own_load),
    cmocka_unit_test(in_lock_step_all_wait_for_the_slowest_load),
    cmocka_unit_test(a_fence_waits_for_the_stores_of_all_members),
    cmocka_unit_test(an_atomic_of_one_member_holds_all),
    cmocka_unit_test(a_lock_step_ends_on_demand),
    cmocka_unit_test(what_is_computed_does_not_depend_on_when),
    cmocka_unit_test(the_last_ctas_wait_for_the_end_of_a_lock_step),
    cmocka_unit_test(an_sm_that_is_alone_takes_the_last_cta),
    cmocka_unit_test(a_single_cta_is_executed_by_one_sm),
    cmocka_unit_test(all_ctas_of_any_number_are_executed),
};

TEST_MAIN(tests)
