/*
 * t_bind.c -- SMs that are bound to each other, counted by hand; see sm/bind.h and timed.h, and
 * memory_path.h for the cycles of accesses.
 *
 * The SMs of a test are those of one group (gpu.n_sm) unless it says otherwise, so that no SM is
 * left over to take CTAs alone.
 *
 * Long because: the kinds of bindings share kernels and checks.
 */
#include "base/base.h"

#define SHEET_DEF "mech/bind.def"
struct bind_stat {
#include "base/sheet_stats.inc"
};

#include "mech/mech.h"
#include "tests/micro/clocks.h"
#include "tests/micro/memory_path.h"

#define DEPENDENT "add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;"
#define SMS(n) "gpu.n_sm=" #n
#define LOCKED "bind:kind=lock_step,size=2"

/* A launch on a device with `mech`, whose stall reasons add up. */
static u64 bound(struct timed *t, const char *mech, const char *body, const char *const *set,
                 u32 grid, u32 block)
{
    timed_mech = mech;
    return run(t, body, set, grid, block);
}

/* The same on a warm L2, with the network of memory_path.h. */
static u64 bound_path(struct timed *t, const char *mech, const char *body, const char *const *set,
                      u32 grid, u32 block)
{
    timed_mech = mech;
    path_open(t, body, set);
    return again(t, grid, block);
}

static u64 bound_cycles(const char *mech, const char *body, const char *const *set, u32 grid,
                        u32 block)
{
    struct timed t;
    u64 cycles = bound(&t, mech, body, set, grid, block);

    timed_close(&t);
    return cycles;
}

/* What the mechanism counted; that of the device that does not skip is the same. */
static struct bind_stat counted(const struct timed *t)
{
    struct bind_stat st[2] = {0};

    for (u32 i = 0; i < 2; i++)
        mech_count(t->d[i]->mechs, 0, &st[i]);
    assert_memory_equal(&st[0], &st[1], sizeof st[0]);
    return st[0];
}

static const struct sm *sm_of(const struct timed *t, u32 i)
{
    return &t->d[0]->machine->sm[i];
}

static u64 issued_by(const struct timed *t, u32 sm)
{
    const struct front *fe = sm_of(t, sm)->front;
    u64 n = 0;

    for (u32 k = 0; k < fe->n_sched; k++)
        n += fe->sched[k].st.issued;
    return n;
}

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
    assert_int_equal(STAT(&t, front.thread_insts), 3 * 32 * n);
    assert_int_equal(STAT(&t, sm.ctas), n);
    assert_int_equal(STAT(&t, sm.fetches), 2);
    assert_int_equal(counted(&t).groups, 1);
    assert_int_equal(counted(&t).parted, 0);
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

static void alone_the_same_threads_execute_the_same_instructions(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, NULL, DEPENDENT, TIMED_SET(SMS(8)), 8, 32), 24);
    assert_int_equal(STAT(&t, stall.issued), 3 * 8);
    assert_int_equal(STAT(&t, stall.off), 0);
    assert_int_equal(STAT(&t, sm.simt_lanes), 3 * 32 * 8);
    assert_int_equal(STAT(&t, front.thread_insts), 3 * 32 * 8);
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
    assert_int_equal(counted(&t).parted, 0);
    assert_int_equal(issued_by(&t, 1) + issued_by(&t, 2) + issued_by(&t, 3), 0);
    timed_close(&t);
}

/* ---- lock step: members part */

/* The CTA of this number jumps; %r22 says who has passed where. */
#define PASS(n) "mov.u32 %r20, %clock; mov.u32 %r22, " #n ";\n"
#define JUMP(cta)                                                                                  \
    "mov.u32 %r21, %ctaid.x; setp.eq.u32 %p1, %r21, " #cta                                         \
    "; @%p1 bra L;\n" PASS(10) "bra J; L:\n" PASS(20) "J:\n" LOG

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
        assert_int_equal(counted(&t).parted, 1);
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
    assert_int_equal(counted(&t).parted, 1);
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
        assert_int_equal(counted(&t).parted, 1);
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
    assert_int_equal(counted(&t).parted, 2);
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

/* Of all kinds: shared memory and barriers, a store and its fence, an atomic, loads. */
#define BUSY                                                                                       \
    TIMED_A                                                                                        \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;\n"                  \
    "mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1; shl.b32 %r4, %r1, 2;\n"                  \
    "st.shared.u32 [%r4], %r3; bar.sync 0; xor.b32 %r5, %r4, 252; ld.shared.u32 %r20, [%r5];\n"    \
    "st.global.u32 [%rd1+65536], %r20; membar.gl;\n"                                               \
    "atom.global.add.u32 %r22, [%rd1+65536], 1000; bar.sync 0;\n"                                  \
    "ld.global.cg.u32 %r21, [%rd1+65536];\n" LOG

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
 * SMs 0 1 and 2 3: CTAs 0 to 3 begin in 1.  One is left, which the dispatcher would place in 2:
 * for it the first lock step is to end, in 2 + 12, and as it fills a window before its first
 * cycle, CTAs 0 and 1 have not issued yet.  The leader's ret is in 14, that of SM 1, fetched then,
 * in 16.  The dispatcher sees two SMs at the edge, in 18, and the last CTA, which begins then,
 * ends in 26.
 */
static void the_last_ctas_wait_for_the_end_of_a_lock_step(void **state)
{
    static const u64 issued[] = {2, 1, 1, 0};
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, LOCKED, "", TIMED_SET(SMS(4)), 5, 32), 27);
    assert_int_equal(STAT(&t, sm.ctas), 5);
    assert_int_equal(counted(&t).groups, 2);
    assert_int_equal(counted(&t).parted, 1);
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

/* ---- wide */

#define WIDE "bind:kind=wide,size=2"
#define WIDE4 "bind:kind=wide,size=4"

/*
 * As pipelines that are as wide as the warp: 3, 13, back in 23.  The other front ends are off all
 * the time.
 */
static void check_wide(const char *mech, const char *n_sm, u32 n)
{
    struct timed t;

    assert_int_equal(bound(&t, mech, DEPENDENT, TIMED_SET(n_sm), 1, 32 * n), 24);
    assert_int_equal(STAT(&t, stall.issued), 3);
    assert_int_equal(STAT(&t, sm.simt_lanes), 3 * 32 * n);
    assert_int_equal(STAT(&t, stall.off), 2 * 24 * (n - 1));
    for (u32 i = 0; i < n; i++) { /* the register operands of its own word */
        assert_int_equal(sm_of(&t, i)->st.reg_reads, 2);
        assert_int_equal(sm_of(&t, i)->st.reg_writes, 2);
    }
    timed_close(&t);
}

static void a_warp_of_64_lanes_over_two_datapaths_needs_one_pass(void **state)
{
    (void)state;
    check_wide(WIDE, SMS(2), 2);
}

static void a_warp_of_128_lanes_over_four_datapaths_needs_one_pass(void **state)
{
    (void)state;
    check_wide(WIDE4, SMS(4), 4);
}

/*
 * Words of one line for all lanes, so many of which share one: one access of one instruction.  mov
 * 3, shr 9, mul.wide 16, add 26, load 36.
 */
static void check_wide_load(const char *mech, const char *n_sm, const char *body, u32 lanes)
{
    struct timed t;

    assert_int_equal(bound_path(&t, mech, body, TIMED_SET(n_sm), 1, lanes), 36 + 180 + 1);
    assert_int_equal(STAT(&t, sm.loads), 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    timed_close(&t);
}

#define ONE_LINE(shift)                                                                            \
    "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; shr.u32 %r0, %r0, " #shift ";\n"                 \
    "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; ld.global.u32 %r1, [%rd1];"

static void loads_of_a_wide_warp_coalesce_as_one(void **state)
{
    (void)state;
    check_wide_load(WIDE, SMS(2), ONE_LINE(1), 64);
    check_wide_load(WIDE4, SMS(4), ONE_LINE(2), 128);
}

/* Two lines, each for one datapath's lanes: 8 sectors, 4 cycles more than one line's 180. */
static void a_wide_load_takes_as_long_as_its_lines(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(
        bound_path(&t, WIDE, LANES(4) "ld.global.u32 %r1, [%rd1];", TIMED_SET(SMS(2)), 1, 64),
        29 + 184 + 1);
    assert_int_equal(STAT(&t, sm.loads), 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    timed_close(&t);
}

/*
 * Two warps of 64: as two of 32 in t_barrier.c, warp 1 arrives in 3 and warp 0 in 4; on in 5 and
 * 6.
 */
static void wide_warps_meet_at_a_barrier(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, WIDE, "bar.sync 0;" CLOCK(20) LOG, TIMED_SET(SMS(2), "sm.schedulers=1"), 1, 128);
    for (u32 w = 0; w < 4; w++)
        assert_int_equal(clock_of(&t, 0, w, 0), w < 2 ? 5 : 6);
    assert_int_equal(STAT(&t, sm.barriers), 2);
    timed_close(&t);
}

/* %r20: what the thread at the other end of a CTA of so many has written to shared memory. */
#define MIRROR(last_byte)                                                                          \
    "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; st.shared.u32 [%r2], %r1; bar.sync 0;\n"            \
    "sub.u32 %r3, " #last_byte ", %r2; ld.shared.u32 %r20, [%r3];\n" LOG

static void check_mirror(const char *mech, const char *const *set, const char *body, u32 n)
{
    struct timed t;

    bound(&t, mech, body, set, 3, n);
    for (u32 i = 0; i < 3 * n; i += 32)
        assert_int_equal(clock_of(&t, i / n, i % n / 32, 0), n - 1 - i % n);
    timed_close(&t);
}

static void words_of_wide_warps_share_memory(void **state)
{
    (void)state;
    check_mirror(WIDE, TIMED_SET(SMS(2)), MIRROR(1020), 256);
    check_mirror(WIDE4, TIMED_SET(SMS(4)), MIRROR(1020), 256);
}

/* ---- lend */

#define LENT "bind:kind=lend"

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

/* ---- join */

#define JOINED "bind:kind=join"

/* One front end fetches for warp 1 in 1 and for warp 0 in 2; two, each with a warp, both in 1. */
static void both_front_ends_of_a_joined_sm_issue(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, NULL, CLOCK(20) LOG, TIMED_SET(SMS(2)), 1, 64);
    assert_int_equal(clock_of(&t, 0, 0, 0), 4);
    assert_int_equal(clock_of(&t, 0, 1, 0), 3);
    timed_close(&t);
    bound(&t, JOINED, CLOCK(20) LOG, TIMED_SET(SMS(2)), 1, 64);
    assert_int_equal(clock_of(&t, 0, 0, 0), 3);
    assert_int_equal(clock_of(&t, 0, 1, 0), 3);
    assert_int_equal(issued_by(&t, 0), 9);
    assert_int_equal(issued_by(&t, 1), 9);
    assert_int_equal(STAT(&t, stall.off), 0);
    timed_close(&t);
}

/* Both arrive in 3, warp 1 last, when warp 0 has had its turn: both go on in 4. */
static void a_barrier_joins_warps_of_both_front_ends(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, JOINED, "bar.sync 0;" CLOCK(20) LOG, TIMED_SET(SMS(2)), 1, 64);
    assert_int_equal(clock_of(&t, 0, 0, 0), 4);
    assert_int_equal(clock_of(&t, 0, 1, 0), 4);
    assert_int_equal(STAT(&t, sm.barriers), 2);
    timed_close(&t);
}

static void both_front_ends_see_one_shared_memory(void **state)
{
    (void)state;
    check_mirror(JOINED, TIMED_SET(SMS(2)), MIRROR(252), 64);
    check_mirror(JOINED, TIMED_SET(SMS(2)), MIRROR(380), 96);
}

/* ---- stages of one cycle more */

static const char *late(const char *how, u32 d)
{
    static char text[80];

    snprintf(text, sizeof text, "bind:%s,late=%u", how, d);
    return text;
}

/*
 * With d cycles more to decode, d to the collectors and d to the pipelines: adds in 3 + d and 13 +
 * 3d, back in 23 + 5d.  ret is fetched with the second, issued in 15 + 4d, and ends in 21 + 6d.
 */
static void each_stage_adds_its_cycles_to_a_dependence(void **state)
{
    static const u64 cycles[] = {23 + 1, 28 + 1, 33 + 1, 39 + 1};

    (void)state;
    for (u32 d = 0; d < LEN(cycles); d++)
        assert_int_equal(bound_cycles(late("kind=join", d), DEPENDENT, TIMED_SET(SMS(2)), 1, 32),
                         cycles[d]);
}

/*
 * mov 3 + d, mul.wide 9 + 3d, add 19 + 5d, load 29 + 7d; it takes 180 and to collectors, unit and
 * L1D 3d.
 */
static void l1d_is_a_stage_further(void **state)
{
    struct timed t;

    (void)state;
    for (u32 d = 0; d < 4; d++) {
        assert_int_equal(bound_path(&t, late("kind=join", d), LANES(4) "ld.global.u32 %r1, [%rd1];",
                                    TIMED_SET(SMS(2)), 1, 32),
                         29 + 7 * d + 180 + 3 * d + 1);
        timed_close(&t);
    }
}

/*
 * mov 3 + d, shl 9 + 3d, load 16 + 5d, which takes 31 + 3d; its reader in 47 + 8d, ret, fetched
 * then, in 49 + 9d, and the launch takes 7 + 2d more.
 */
static void shared_memory_is_a_stage_further(void **state)
{
    static const char body[] = "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;\n"
                               "ld.shared.u32 %r3, [%r2]; mov.u32 %r4, %r3;";

    (void)state;
    for (u32 d = 0; d < 4; d++)
        assert_int_equal(bound_cycles(late("kind=join", d), body, TIMED_SET(SMS(2)), 1, 32),
                         56 + 11 * d);
}

#define MOVS5(a, b, c, d, e)                                                                       \
    "mov.u32 %r" #a ", 1; mov.u32 %r" #b ", 1; mov.u32 %r" #c ", 1;"                               \
    "mov.u32 %r" #d ", 1; mov.u32 %r" #e ", 1;\n"
#define MOVS20                                                                                     \
    MOVS5(1, 2, 3, 4, 5) MOVS5(6, 7, 8, 9, 10) MOVS5(11, 12, 13, 14, 15) MOVS5(16, 17, 18, 19, 20)

/* Eight warps are fetched for in turns, two instructions each: ten rounds of 8 cycles for 20. */
static void later_stages_hold_up_no_independent_instructions(void **state)
{
    (void)state;
    for (u32 d = 0; d < 4; d++) {
        const char *const *set = TIMED_SET(SMS(2));
        u64 once = bound_cycles(late("kind=lock_step", d), MOVS20, set, 2, 256);

        assert_int_equal(bound_cycles(late("kind=lock_step", d), MOVS20 MOVS20, set, 2, 256),
                         once + 80);
    }
}

/* ---- L1D */

/* 256 lines, by 32 lanes a load, twice. */
#define LINES8                                                                                     \
    "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4096];"                                   \
    "ld.global.u32 %r3, [%rd1+8192]; ld.global.u32 %r4, [%rd1+12288];\n"                           \
    "ld.global.u32 %r5, [%rd1+16384]; ld.global.u32 %r6, [%rd1+20480];"                            \
    "ld.global.u32 %r7, [%rd1+24576]; ld.global.u32 %r8, [%rd1+28672];\n"

/*
 * 4 ways of 32 sets are 128 lines: when a line is asked for again, the last recently used has
 * gone.
 */
static void twice_the_ways_hold_twice_the_lines(void **state)
{
    struct timed t;

    (void)state;
    bound_path(&t, JOINED ",l1d=1", LANES(128) LINES8 LINES8, TIMED_SET(SMS(2)), 1, 32);
    assert_int_equal(STAT(&t, l1d.miss), 512);
    timed_close(&t);
    bound_path(&t, JOINED ",l1d=2", LANES(128) LINES8 LINES8, TIMED_SET(SMS(2)), 1, 32);
    assert_int_equal(STAT(&t, l1d.access), 512);
    assert_int_equal(STAT(&t, l1d.miss), 256);
    timed_close(&t);
}

/* ---- all of them */

/* Local memory too; %r23 is the thread's own number. */
#define LOCAL                                                                                      \
    ".local .align 4 .b8 l[64]; mov.u32 %r7, %tid.x; mov.u32 %r8, %ctaid.x;\n"                     \
    "mad.lo.u32 %r9, %r8, 64, %r7; st.local.u32 [l+4], %r9; ld.local.u32 %r23, [l+4];\n"

/* Seven CTAs of 64 threads, on 15 SMs of which some are left over. */
static void check_results(const char *mech, const char *const *set)
{
    struct timed t;

    bound(&t, mech, LOCAL BUSY, set, 7, 64);
    assert_int_equal(STAT(&t, sm.ctas), 7);
    for (u32 i = 0; i < 7 * 64; i += 32) {
        u32 cta = i / 64, w = i % 64 / 32, v = 64 * cta + 63 - 32 * w;

        assert_clocks(&t, cta, w, v, v + 1000);
        assert_later_clocks(&t, cta, w, v, 64 * cta + 32 * w);
    }
    timed_close(&t);
}

static void all_kinds_compute_the_same_on_all_kinds_of_sms(void **state)
{
    static const char *const mech[] = {LOCKED,        "bind:kind=lock_step,size=8,late=1",
                                       WIDE ",l1d=2", WIDE4 ",late=2",
                                       LENT ",l1d=8", JOINED ",late=3,l1d=2"};
    static const char *const set[] = {"sm.perfect_icache=off", "sm.sub_cores=2", "sm.issue_width=2",
                                      "sm.war=read", "sm.atom_blocks=off"};

    (void)state;
    for (u32 i = 0; i < LEN(mech) * LEN(set); i++)
        check_results(mech[i / LEN(set)],
                      TIMED_SET("sm.n_warp=24", "sm.fence_waits=all", set[i % LEN(set)]));
}

/* ---- what cannot be bound */

static void check_refused(const char *mech, const char *why)
{
    struct run_opts opts = {.threads = 1, .mech = &mech, .n_mech = 1};
    struct conf conf;
    struct err e = {0};

    assert_true(conf_make(&conf, "gtx480", NULL, 0, &e));
    assert_null(device_new(&conf, &opts, &e));
    assert_string_equal(e.msg, why);
    conf_free(&conf);
}

static void a_front_end_has_at_most_64_warps(void **state)
{
    (void)state;
    check_refused("bind:kind=lend",
                  "-m bind:kind=lend: kind=lend: 96 warps; a front end has at most "
                  "64 (sm.n_warp)");
}

static void only_two_sms_are_joined_or_lent(void **state)
{
    (void)state;
    check_refused("bind:kind=join,size=4",
                  "-m bind:kind=join,size=4: kind=join binds two SMs: size=2");
    check_refused("bind:kind=lend,size=4",
                  "-m bind:kind=lend,size=4: kind=lend binds two SMs: size=2");
}

static void a_warp_has_32_64_or_128_lanes(void **state)
{
    (void)state;
    check_refused("bind:kind=wide,size=3",
                  "-m bind:kind=wide,size=3: kind=wide: warps of 96 lanes; "
                  "32, 64 or 128 are possible: size=2");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_sms_in_lock_step_take_as_long_as_one),
    cmocka_unit_test(four_sms_in_lock_step_take_as_long_as_one),
    cmocka_unit_test(eight_sms_in_lock_step_take_as_long_as_one),
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
    cmocka_unit_test(a_single_cta_is_executed_by_one_sm),
    cmocka_unit_test(all_ctas_of_any_number_are_executed),
    cmocka_unit_test(a_warp_of_64_lanes_over_two_datapaths_needs_one_pass),
    cmocka_unit_test(a_warp_of_128_lanes_over_four_datapaths_needs_one_pass),
    cmocka_unit_test(loads_of_a_wide_warp_coalesce_as_one),
    cmocka_unit_test(a_wide_load_takes_as_long_as_its_lines),
    cmocka_unit_test(wide_warps_meet_at_a_barrier),
    cmocka_unit_test(words_of_wide_warps_share_memory),
    cmocka_unit_test(a_cta_can_have_more_warps_than_an_sm),
    cmocka_unit_test(lent_registers_do_not_conflict_with_own),
    cmocka_unit_test(both_front_ends_of_a_joined_sm_issue),
    cmocka_unit_test(a_barrier_joins_warps_of_both_front_ends),
    cmocka_unit_test(both_front_ends_see_one_shared_memory),
    cmocka_unit_test(each_stage_adds_its_cycles_to_a_dependence),
    cmocka_unit_test(l1d_is_a_stage_further),
    cmocka_unit_test(shared_memory_is_a_stage_further),
    cmocka_unit_test(later_stages_hold_up_no_independent_instructions),
    cmocka_unit_test(twice_the_ways_hold_twice_the_lines),
    cmocka_unit_test(all_kinds_compute_the_same_on_all_kinds_of_sms),
    cmocka_unit_test(a_front_end_has_at_most_64_warps),
    cmocka_unit_test(only_two_sms_are_joined_or_lent),
    cmocka_unit_test(a_warp_has_32_64_or_128_lanes),
};

TEST_MAIN(tests)
