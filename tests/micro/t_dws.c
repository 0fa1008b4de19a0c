/*
 * t_dws.c -- dynamic warp subdivision, counted by hand; see timed.h, and memory_path.h for loads.
 *
 * A part is in the scheduler of its warp.  It is fetched for in the cycle in which it leaves, and issues
 * two cycles later.  A warp that jumps is flushed in the cycle after the branch and fetched for then: it
 * issues 3 cycles after the branch, 5 if the branch was the last that was buffered, since what follows it
 * is fetched in vain.  Who has come to where its part, or its warp, is to meet it goes on in the cycle after both
 * have come; what it has fetched meanwhile it can issue then.
 */
#define SHEET_DEF "mech/dws.def"
#include "base/base.h"
struct dws_stat {
#include "base/sheet_stats.inc"
};

#include "tests/micro/bound.h"

#define BRANCH "dws:when=branch"
#define MEMORY "dws:when=memory,memory=aggressive"

static struct dws_stat counts(const struct timed *t)
{
    struct dws_stat st[2] = {0};

    for (u32 i = 0; i < 2; i++)
        mech_count(t->d[i]->mechs, 0, &st[i]);
    assert_memory_equal(&st[0], &st[1], sizeof st[0]);
    return st[0];
}

/* What lane `lane` of the CTA's first warps stored, of the four of LOG. */
static u32 of_lane(const struct timed *t, u32 lane, u32 n)
{
    u32 v[2];
    struct err e;

    for (u32 i = 0; i < 2; i++)
        assert_true(device_read(t->d[i], t->buf[i] + 16ull * lane + 4 * n, &v[i], 4, &e));
    assert_int_equal(v[0], v[1]);
    return v[0];
}

/* On a warm L2, where a miss takes 180. */
static u64 launch(struct timed *t, const char *mech, const char *body, const char *const *set,
                  u32 block)
{
    return bound_path(t, mech, body, set, 1, block);
}

/* ---- branches */

/*
 * Lanes below 16 jump.  ld.param in 3, mov 4, setp 10, the branch 17, with nothing buffered behind it.
 */
#define HALVES(n) TIMED_A "mov.u32 %r0, %laneid; setp.lt.u32 %p1, %r0, " #n "; @%p1 bra L;\n"

/* Each waits for the one before: 100 cycles. */
#define ADDS5                                                                                      \
    "add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1;\n"        \
    "add.u32 %r8, %r8, 1;\n"
#define TEN_ADDS ADDS5 ADDS5

#define TWO_LOADS                                                                                  \
    HALVES(16)                                                                                     \
    "ld.global.u32 %r4, [%rd0]; add.u32 %r5, %r4, 1; bra J;\n"                                     \
    "L: ld.global.u32 %r6, [%rd0+4096]; add.u32 %r7, %r6, 1; J:\n" CLOCK(20) LOG

/*
 * One after the other: the jump is flushed in 19, its load issues in 21, its add 180 later in 201; what
 * follows that is flushed in 203, the other side's load issues in 205, its add in 385, its jump in 387,
 * and 3 later, in 390, they meet.
 *
 * Both at once: the part's load issues in 19, its add in 199, its jump in 201.  The warp is fetched for in
 * 18, a cycle later than it would be alone, and its load issues in 22; the first of its sectors comes in
 * the same cycle as the last of the part's, so that it takes a cycle more: the add in 203.  What follows is
 * fetched then and issues in 205.
 */
static void two_sides_take_the_time_of_one(void **state)
{
    struct timed t;

    (void)state;
    launch(&t, NULL, TWO_LOADS, NULL, 32);
    assert_int_equal(of_lane(&t, 0, 0), 390);
    timed_close(&t);
    launch(&t, BRANCH, TWO_LOADS, NULL, 32);
    for (u32 lane = 0; lane < 32; lane++)
        assert_int_equal(of_lane(&t, lane, 0), 205);
    assert_int_equal(counts(&t).branch_splits, 1);
    assert_int_equal(counts(&t).home, 1);
    assert_int_equal(counts(&t).memory_splits + counts(&t).no_slot, 0);
    timed_close(&t);
}

/*
 * The load is issued in 6, before the branch, and its register free in 186: the part, which reads its
 * first clock in 19 (the branch, in 17, had a neighbour), waits for it with its add, and reads its second
 * clock 2 later.  The warp does not read it: clocks in 20 and 21.
 */
static void a_part_waits_for_what_was_loaded_before_it_left(void **state)
{
    static const char body[] = TIMED_A
        "mov.u32 %r0, %tid.x; ld.global.u32 %r4, [%rd0]; setp.lt.u32 %p1, %r0, 16;\n"
        "@%p1 bra L;\n" CLOCK(20) "add.u32 %r5, %r4, 1;\n" CLOCK(21) "bra J;\n"
                                                                     "L:\n" CLOCK(20)
                                                                         CLOCK(21) "J:\n" LOG;
    struct timed t;

    (void)state;
    launch(&t, BRANCH, body, NULL, 32);
    assert_int_equal(of_lane(&t, 16, 0), 19);
    assert_int_equal(of_lane(&t, 16, 1), 188);
    assert_int_equal(of_lane(&t, 0, 0), 20);
    assert_int_equal(of_lane(&t, 0, 1), 21);
    timed_close(&t);
}

/*
 * The part's load issues in 19 and its jump in 20: it is home.  In 20 the scheduler does not look at the
 * warp, so that it is flushed in 21 and reads its clock in 23; they are one from 24 on.  But the register
 * is free in 199 only: it is read then, and the clock, which is fetched in that cycle, in 201.
 */
#define LOAD_AND_GO                                                                                \
    HALVES(16)                                                                                     \
    "ld.global.u32 %r4, [%rd0]; bra J; L:\n" CLOCK(20) "J: add.u32 %r5, %r4, 1;\n" CLOCK(21)

static void a_part_that_is_gone_still_has_its_load_to_come(void **state)
{
    struct timed t;

    (void)state;
    launch(&t, BRANCH, LOAD_AND_GO LOG, NULL, 32);
    assert_int_equal(of_lane(&t, 0, 0), 23);
    for (u32 lane = 0; lane < 32; lane++)
        assert_int_equal(of_lane(&t, lane, 1), 201);
    assert_int_equal(counts(&t).home, 1);
    timed_close(&t);
}

/*
 * The same, but what loads is a part of the part: that goes home to it, it goes home to the warp, and the
 * register is free 180 cycles after the load, which follows its clock.  Then the add, and 2 later the clock.
 */
static void what_a_part_of_a_part_has_to_come_is_waited_for(void **state)
{
    static const char body[] =
        TIMED_A "mov.u32 %r0, %tid.x; setp.lt.u32 %p2, %r0, 24; setp.lt.u32 %p1, %r0, 16;\n"
                "@%p1 bra L; @%p2 bra N;\n" CLOCK(
                    22) "ld.global.u32 %r4, [%rd0]; bra M;\n"
                        "N: mov.u32 %r9, 1; M: mov.u32 %r9, 2; bra J; L:\n" CLOCK(
                            20) "J: add.u32 %r5, %r4, 1;\n" CLOCK(21) LOG;
    struct timed t;

    (void)state;
    launch(&t, BRANCH, body, NULL, 32);
    for (u32 lane = 0; lane < 32; lane++)
        assert_int_equal(of_lane(&t, lane, 1), of_lane(&t, 24, 2) + 1 + 180 + 2);
    assert_int_equal(counts(&t).branch_splits, 2);
    assert_int_equal(counts(&t).home, 2);
    timed_close(&t);
}

/*
 * A condition more: the branch is in 18, the part's load in 20 and back in 200.  It jumps home in 21, and the
 * warp, whose turn comes after it, is there in 22.  In 23 they are one, and branch: those that jump read
 * their clock in 28; a part, which leaves then, reads the register in 200, and its clock a cycle later.
 */
static void a_part_waits_for_what_a_part_before_it_has_to_come(void **state)
{
    static const char body[] = TIMED_A
        "mov.u32 %r0, %tid.x; setp.lt.u32 %p2, %r0, 8; setp.lt.u32 %p1, %r0, 16;\n"
        "@%p1 bra L; ld.global.u32 %r4, [%rd0]; bra J; L: mov.u32 %r9, 1;\n"
        "J: @%p2 bra M; add.u32 %r5, %r4, 1;\n" CLOCK(21) "bra K; M:\n" CLOCK(21) "K:\n" LOG;
    struct timed t;

    (void)state;
    launch(&t, BRANCH, body, NULL, 32);
    assert_int_equal(of_lane(&t, 0, 1), 28);
    assert_int_equal(of_lane(&t, 8, 1), 201);
    assert_int_equal(of_lane(&t, 31, 1), 201);
    assert_int_equal(counts(&t).branch_splits, 2);
    timed_close(&t);
}

/* Who waits for its part is not in the way of it: there is one place among the active warps. */
static void a_warp_that_waits_for_a_part_is_not_active(void **state)
{
    static const char *const policy[] = {"sm.scheduler=two_level", "sm.scheduler=gates",
                                         "sm.scheduler=lrr"};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(policy); i++) {
        launch(&t, BRANCH, HALVES(16) TEN_ADDS "bra J; L: mov.u32 %r9, 1; J:\n" CLOCK(20) LOG,
               TIMED_SET(policy[i], "sm.active_warps=1"), 96);
        assert_int_equal(counts(&t).branch_splits, 3);
        assert_int_equal(counts(&t).home, 3);
        timed_close(&t);
    }
}

/* Three lanes are no part where it has four. */
static void sides_with_few_lanes_stay(void **state)
{
    static const struct {
        const char *mech;
        u32 splits;
    } row[] = {{"dws:when=branch,least=4", 0}, {"dws:when=branch,least=3", 1}};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < 2; i++) {
        launch(&t, row[i].mech,
               HALVES(3) "ld.global.u32 %r4, [%rd0]; bra J; L: mov.u32 %r4, 1; J:\n" LOG, NULL, 32);
        assert_int_equal(counts(&t).branch_splits, row[i].splits);
        assert_int_equal(counts(&t).no_slot, 0);
        timed_close(&t);
    }
    launch(&t, "dws:when=memory", TWO_LOADS, NULL, 32);
    assert_int_equal(counts(&t).branch_splits, 0);
    timed_close(&t);
}

/* Both warps want to while the other's parts are under way. */
static void there_are_no_more_parts_than_slots(void **state)
{
    struct timed t;

    (void)state;
    launch(&t, "dws:when=branch,slots=1", TWO_LOADS, NULL, 64);
    assert_int_equal(counts(&t).branch_splits, 1);
    assert_int_equal(counts(&t).no_slot, 1);
    timed_close(&t);
    launch(&t, "dws:when=branch,slots=2", TWO_LOADS, NULL, 64);
    assert_int_equal(counts(&t).branch_splits, 2);
    assert_int_equal(counts(&t).no_slot, 0);
    timed_close(&t);
}

/* Two CTAs of 32 warps may be on the SM: they have all 64 contexts, whether both are there or not. */
static void contexts_that_ctas_may_have_are_not_for_parts(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = BRANCH;
    path_open(&t, TWO_LOADS,
              TIMED_SET(SMS(1), "sm.n_warp=64", "sm.max_threads=2048", "front.regs=16"));
    again(&t, 3, 1024);
    assert_int_equal(counts(&t).branch_splits, 0);
    assert_int_equal(counts(&t).no_slot, 3 * 32);
    timed_close(&t);
}

/* ---- memory */

/*
 * Lanes of the first half load from a line that is in L1D, those of the second from one that is not; its
 * access, at the higher address, goes first.  shr in 10, mul 17, add 27, the first load 28 and back in 208,
 * the add, and the load in 209.  It misses in 248 and hits in 249: there the lanes are cut, fetched for, and
 * issue the add in 251, its neighbour in 252.  The others have their data in 389.
 */
#define SPREAD(shift)                                                                              \
    TIMED_A "mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, " #shift "; mul.wide.u32 %rd1, %r1, 4096;\n"   \
            "add.u64 %rd1, %rd0, %rd1; ld.global.u32 %r3, [%rd0]; add.u32 %r3, %r3, 1;\n"
#define HIT_AND_MISS SPREAD(4) "ld.global.u32 %r4, [%rd1]; add.u32 %r5, %r4, 1;\n"

static void check_clocks(const struct timed *t, u32 fast, u32 slow)
{
    for (u32 lane = 0; lane < 32; lane++)
        assert_int_equal(of_lane(t, lane, 0), lane < 16 ? fast : slow);
}

static void lanes_that_hit_go_on_while_the_others_wait(void **state)
{
    struct timed t;

    (void)state;
    launch(&t, NULL, HIT_AND_MISS CLOCK(20) LOG, NULL, 32);
    check_clocks(&t, 390, 390);
    timed_close(&t);
    launch(&t, MEMORY, HIT_AND_MISS CLOCK(20) LOG, NULL, 32);
    check_clocks(&t, 252, 390);
    assert_int_equal(counts(&t).memory_splits, 1);
    assert_int_equal(counts(&t).home, 1); /* before both end */
    assert_int_equal(counts(&t).branch_splits, 0);
    timed_close(&t);
    launch(&t, BRANCH, HIT_AND_MISS CLOCK(20) LOG, NULL, 32);
    check_clocks(&t, 390, 390);
    timed_close(&t);
}

/*
 * A branch that nobody takes, 7 cycles after its condition, and a clock beside it.  Stack: the lanes that
 * hit, whose condition is set in 252, stop in front of it until the others come, who set theirs in 390:
 * both read the clock in 398.  By pc they go on by themselves: 260.
 */
static void cut_lanes_stop_at_a_branch_or_go_on(void **state)
{
    static const char body[] =
        HIT_AND_MISS "setp.eq.u32 %p2, %r0, 1000; @%p2 bra X;\n" CLOCK(20) "X:\n" LOG;
    struct timed t;

    (void)state;
    launch(&t, MEMORY, body, NULL, 32);
    check_clocks(&t, 398, 398);
    assert_int_equal(counts(&t).home, 1);
    timed_close(&t);
    launch(&t, MEMORY ",reunite=pc", body, NULL, 32);
    check_clocks(&t, 260, 398);
    assert_int_equal(counts(&t).memory_splits, 1);
    assert_int_equal(counts(&t).home, 0); /* its threads have ended before the others come */
    timed_close(&t);
}

/* The first half waits in a loop of 30 rounds for nobody; the others come round, and they go on as one. */
static void parts_reunite_where_they_happen_to_meet(void **state)
{
    static const char body[] =
        HIT_AND_MISS "mov.u32 %r6, 0; N: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 30;\n"
                     "@%p2 bra N; mov.u32 %r20, %r6;\n" CLOCK(21) LOG;
    struct timed t;

    (void)state;
    launch(&t, MEMORY ",reunite=pc", body, NULL, 32);
    assert_int_equal(counts(&t).memory_splits, 1);
    assert_int_equal(counts(&t).home, 1);
    for (u32 lane = 0; lane < 32; lane++)
        assert_int_equal(of_lane(&t, lane, 0), 30);
    timed_close(&t);
}

/* Lanes from `from` on miss. */
#define FEW_MISS(from)                                                                             \
    TIMED_A "mov.u32 %r0, %tid.x; setp.ge.u32 %p2, %r0, " #from "; selp.b32 %r1, 1, 0, %p2;\n"     \
            "mul.wide.u32 %rd1, %r1, 4096; add.u64 %rd1, %rd0, %rd1; ld.global.u32 %r3, [%rd0];\n" \
            "add.u32 %r3, %r3, 1; ld.global.u32 %r4, [%rd1]; add.u32 %r5, %r4, 1;\n" CLOCK(20) LOG

static u64 memory_splits(const char *mech, const char *body, const char *const *set, u32 block)
{
    struct timed t;
    u64 n;

    launch(&t, mech, body, set, block);
    n = counts(&t).memory_splits;
    timed_close(&t);
    return n;
}

static void neither_few_lanes_that_hit_nor_few_that_miss_are_cut(void **state)
{
    (void)state;
    assert_int_equal(memory_splits(MEMORY, FEW_MISS(29), NULL, 32), 0);
    assert_int_equal(memory_splits(MEMORY ",least=3", FEW_MISS(29), NULL, 32), 1);
    assert_int_equal(memory_splits(MEMORY, FEW_MISS(3), NULL, 32), 0);
    assert_int_equal(memory_splits(MEMORY ",least=3", FEW_MISS(3), NULL, 32), 1);
    assert_int_equal(memory_splits(MEMORY, FEW_MISS(0), NULL, 32), 0);
    assert_int_equal(memory_splits(MEMORY ",least=1", FEW_MISS(32), NULL, 32), 0);
}

/* Of ten warps the first does what it does alone; four others of its scheduler always have something. */
#define FOUR_MOVS "mov.u32 %r40, 1; mov.u32 %r41, 2; mov.u32 %r42, 3; mov.u32 %r43, 4;\n"
#define MANY_MOVS FOUR_MOVS FOUR_MOVS FOUR_MOVS FOUR_MOVS FOUR_MOVS FOUR_MOVS FOUR_MOVS FOUR_MOVS

static void lazily_only_a_scheduler_without_other_warps_cuts(void **state)
{
    static const char body[] = TIMED_A
        "mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 32; @%p1 bra B;\n"
        "shr.u32 %r1, %r0, 4; mul.wide.u32 %rd1, %r1, 4096; add.u64 %rd1, %rd0, %rd1;\n"
        "ld.global.u32 %r3, [%rd0]; add.u32 %r3, %r3, 1; ld.global.u32 %r4, [%rd1];\n"
        "add.u32 %r5, %r4, 1; bra E; B:\n" MANY_MOVS MANY_MOVS MANY_MOVS MANY_MOVS "E:\n" LOG;

    (void)state;
    assert_int_equal(memory_splits("dws:when=memory", body, NULL, 32), 1);
    assert_int_equal(memory_splits("dws:when=memory", body, NULL, 320), 0);
    assert_int_equal(memory_splits(MEMORY, body, NULL, 320), 1);
}

/*
 * Warp 0 as above; warp 2, of the same scheduler, has one xor after the other, each of which waits for the one
 * before.  With each cycle that L1D is later, warp 0 could be cut at another point of that: some xors are issued
 * in the cycle before.  Warp 2 cannot issue the next then, whether or not somebody who listens has had the
 * scheduler look at it since.
 */
#define XORS4                                                                                      \
    "xor.b32 %r7, %r7, 1; xor.b32 %r7, %r7, 1; xor.b32 %r7, %r7, 1; xor.b32 %r7, %r7, 1;\n"
#define XORS16 XORS4 XORS4 XORS4 XORS4

static void who_has_just_issued_and_must_wait_cannot_issue(void **state)
{
    static const char body[] = TIMED_A
        "mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 32; @%p1 bra B;\n"
        "shr.u32 %r1, %r0, 4; mul.wide.u32 %rd1, %r1, 4096; add.u64 %rd1, %rd0, %rd1;\n"
        "ld.global.u32 %r3, [%rd0]; add.u32 %r3, %r3, 1; ld.global.u32 %r4, [%rd1];\n"
        "add.u32 %r5, %r4, 1; bra E; B: setp.lt.u32 %p1, %r0, 64; @%p1 bra E;\n" XORS16 XORS16
        "E: mov.u32 %r20, 0;" LOG;
    char latency[32];

    (void)state;
    for (u32 n = 20; n < 40; n++) {
        const char *set[] = {latency, "op.logic_lat=2", NULL};

        snprintf(latency, sizeof latency, "l1d.latency=%u", n);
        u64 alone = memory_splits("dws:when=memory", body, set, 96);

        timed_beside = "noop";
        assert_int_equal(memory_splits("dws:when=memory", body, set, 96), alone);
        timed_beside = NULL;
    }
}

/*
 * Four lines, none of them there, and one MSHR: the third is looked up when the first has come and the second
 * is there, the fourth waits behind it.  Its lanes have no data: when it is looked up, all that is left misses.
 */
static void lanes_whose_access_was_not_looked_up_are_not_cut(void **state)
{
    static const char body[] =
        LANES(4) "shr.u32 %r1, %r0, 3; mul.wide.u32 %rd1, %r1, 4096; add.u64 %rd1, %rd0, %rd1;\n"
                 "ld.global.u32 %r4, [%rd1]; add.u32 %r5, %r4, 1;\n" CLOCK(20) LOG;

    (void)state;
    assert_int_equal(memory_splits(MEMORY, body, TIMED_SET("l1d.mshrs=1"), 32), 0);
}

/* ---- who waits is not cut */

/* Eight lanes of a side hit, eight miss; the other side has ten adds to do, 100 cycles. */
#define WAITS(first, second)                                                                       \
    SPREAD(3)                                                                                      \
    "and.b32 %r2, %r0, 8; setp.lt.u32 %p1, %r0, 16; mov.u32 %r8, 0; mov.u32 %r4, 7;\n"             \
    "@%p1 bra L;\n" second "bra J;\nL:\n" first "J: add.u32 %r20, %r4, %r8;\n" CLOCK(21) LOG
#define PART_LOAD                                                                                  \
    "mul.wide.u32 %rd2, %r2, 512; add.u64 %rd2, %rd0, %rd2; ld.global.u32 %r4, [%rd2];"            \
    "\n"

static void check_not_cut(const char *body, u32 value)
{
    static const u32 data = 5;
    struct timed t;

    timed_mech = "dws:memory=aggressive";
    path_open(&t, body, NULL);
    timed_write(&t, 0, &data, 4);
    timed_write(&t, 4096, &data, 4);
    again(&t, 1, 32);
    assert_int_equal(counts(&t).branch_splits, 1);
    assert_int_equal(counts(&t).memory_splits, 0);
    assert_int_equal(counts(&t).home, 1);
    for (u32 lane = 0; lane < 32; lane++) {
        assert_int_equal(of_lane(&t, lane, 0), (lane < 16) == (value == 5) ? 5 : 7 + 10);
        assert_int_equal(of_lane(&t, lane, 1), of_lane(&t, 0, 1));
    }
    timed_close(&t);
}

/* Its load is looked up while it waits for the part: lanes of the running entry are the part's, too. */
static void a_warp_that_waits_for_a_part_is_not_cut(void **state)
{
    (void)state;
    check_not_cut(WAITS(PART_LOAD, TEN_ADDS), 5);
}

/* And while it waits for its warp: where they meet it does not go on. */
static void a_part_that_is_home_is_not_cut(void **state)
{
    (void)state;
    check_not_cut(WAITS(TEN_ADDS, PART_LOAD), 7);
}

/* ---- among lanes, barriers */

/* Sides of different length; the value of the lane 16 away was computed in the other one. */
static void a_shuffle_behind_a_branch_has_all_lanes(void **state)
{
    static const char body[] =
        HALVES(16) "ld.global.u32 %r4, [%rd0]; mad.lo.u32 %r6, %r0, 3, %r4; bra J;\n"
                   "L: mad.lo.u32 %r6, %r0, 100, 1; J: shfl.bfly.b32 %r20, %r6, 16, 31;\n"
                   "vote.ballot.b32 %r21, %p1;\n" CLOCK(22) LOG;
    struct timed t;

    (void)state;
    launch(&t, BRANCH, body, NULL, 32);
    for (u32 lane = 0; lane < 32; lane++) {
        u32 other = lane ^ 16;

        assert_int_equal(of_lane(&t, lane, 0), other < 16 ? other * 100 + 1 : other * 3);
        assert_int_equal(of_lane(&t, lane, 1), 0xffff);
        assert_int_equal(of_lane(&t, lane, 2), of_lane(&t, 0, 2));
    }
    assert_int_equal(counts(&t).branch_splits, 1);
    timed_close(&t);
}

/* In both sides, first of all: each has its own lanes, as in a warp that is not divided. */
static void a_shuffle_in_a_side_has_its_lanes(void **state)
{
    static const char body[] =
        HALVES(16) "shfl.bfly.b32 %r20, %r0, 1, 31; vote.ballot.b32 %r21, %p1; bra J;\n"
                   "L: shfl.bfly.b32 %r20, %r0, 17, 31; vote.ballot.b32 %r21, %p1; J:\n" LOG;
    struct timed t;

    (void)state;
    launch(&t, BRANCH, body, NULL, 32);
    for (u32 lane = 0; lane < 32; lane++) {
        assert_int_equal(of_lane(&t, lane, 0), lane < 16 ? lane : lane ^ 1);
        assert_int_equal(of_lane(&t, lane, 1), lane < 16 ? 0xffff : 0);
    }
    assert_int_equal(counts(&t).branch_splits, 1);
    assert_true(counts(&t).gathered >= 2);
    timed_close(&t);
}

/*
 * The lanes that hit have added in 251, and wait at the shuffle for the others.  These add in 389; it is
 * issued in 399 for all, and what follows it in 401.
 */
static void cut_lanes_wait_for_the_others_at_a_shuffle(void **state)
{
    static const char body[] = HIT_AND_MISS "shfl.bfly.b32 %r20, %r5, 16, 31;\n" CLOCK(21) LOG;
    static const u32 data[] = {11, 22};
    struct timed t;

    (void)state;
    timed_mech = MEMORY;
    path_open(&t, body, NULL);
    timed_write(&t, 0, &data[0], 4);
    timed_write(&t, 4096, &data[1], 4);
    again(&t, 1, 32);
    for (u32 lane = 0; lane < 32; lane++) {
        assert_int_equal(of_lane(&t, lane, 0), lane < 16 ? 23 : 12);
        assert_int_equal(of_lane(&t, lane, 1), 401);
    }
    assert_int_equal(counts(&t).memory_splits, 1);
    timed_close(&t);
}

/* What it would wait for is the shuffle itself: it is not cut. */
static void lanes_are_not_cut_in_front_of_a_shuffle(void **state)
{
    (void)state;
    assert_int_equal(
        memory_splits(MEMORY,
                      SPREAD(4) "ld.global.u32 %r4, [%rd1]; shfl.bfly.b32 %r20, %r4, 16, 31;\n" LOG,
                      NULL, 32),
        0);
}

/* Each lane tells the one 16 away, which is in the other side, through shared memory. */
static void a_barrier_in_both_sides_is_for_all_threads(void **state)
{
    static const char body[] =
        HALVES(16) "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mul.lo.u32 %r3, %r1, 5; "
                   "st.shared.u32 [%r2], %r3;\n"
                   "bar.sync 0; xor.b32 %r2, %r2, 64; ld.shared.u32 %r20, [%r2]; bra J;\n"
                   "L: mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; ld.global.u32 %r4, [%rd0];\n"
                   "mad.lo.u32 %r3, %r1, 7, %r4; st.shared.u32 [%r2], %r3; bar.sync 0;\n"
                   "xor.b32 %r2, %r2, 64; ld.shared.u32 %r20, [%r2]; J:\n" LOG;
    struct timed t;

    (void)state;
    launch(&t, BRANCH, body, NULL, 64);
    for (u32 i = 0; i < 64; i++)
        assert_int_equal(of_lane(&t, i, 0), (i ^ 16) * (i % 32 < 16 ? 5 : 7));
    assert_int_equal(counts(&t).branch_splits, 2);
    assert_int_equal(counts(&t).home, 2);
    timed_close(&t);
}

/* ---- whenever they meet */

/* n and m instructions, of which none waits for another, in two sides. */
static char *sides(const char *head, u32 n, const char *between, u32 m, const char *tail)
{
    char *text = text_printf("%s", head);

    for (u32 i = 0; i < n + m + 1; i++) {
        char *more = i == n ? text_printf("%s%s", text, between)
                            : text_printf("%smov.u32 %%r%u, 1;\n", text, 40 + i);

        free(text);
        text = more;
    }
    char *all = text_printf("%s%s", text, tail);

    free(text);
    return all;
}

/* All ways in which one comes while the other runs, is flushed, fetched for, or home. */
static void sides_of_any_length_come_home(void **state)
{
    struct timed t;

    (void)state;
    for (u32 n = 0; n < 8; n++)
        for (u32 m = 0; m < 8; m++) {
            char *body =
                sides("mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 16; @%p1 bra L;\n"
                      "mov.u32 %r20, 7;\n",
                      n, "bra J; L: mov.u32 %r20, 8;\n", m, m % 2 ? "J:\n" LOG : "bra J; J:\n" LOG);

            bound(&t, n % 2 ? "dws:least=1" : "dws:least=1,reunite=pc", body, TIMED_SET(SMS(1)), 1,
                  64);
            for (u32 lane = 0; lane < 32; lane++)
                assert_int_equal(of_lane(&t, lane, 0), lane < 16 ? 8 : 7);
            assert_int_equal(counts(&t).branch_splits, 1);
            assert_int_equal(counts(&t).home, 1);
            timed_close(&t);
            free(body);
        }
}

/* The part's barrier is the last of its side, and another warp's may release it while it is fetched for. */
static void sides_of_any_length_end_with_a_barrier(void **state)
{
    struct timed t;

    (void)state;
    for (u32 n = 0; n < 8; n++)
        for (u32 m = 0; m < 8; m++) {
            char *body = sides("mov.u32 %r0, %tid.x; bra S; L: mov.u32 %r20, 8;\n", n,
                               "bar.sync 0; bra J; S: setp.lt.u32 %p1, %r0, 16; @%p1 bra L;\n"
                               "mov.u32 %r20, 7;\n",
                               m, "bar.sync 0; J:\n" LOG);

            bound(&t, "dws:least=1", body, TIMED_SET(SMS(1)), 1, 64);
            for (u32 lane = 0; lane < 64; lane++)
                assert_int_equal(of_lane(&t, lane, 0), lane < 16 ? 8 : 7);
            assert_int_equal(counts(&t).home, 1);
            timed_close(&t);
            free(body);
        }
}

/*
 * In a function, so that the branch knows nothing of it: all threads end, those of the warp while it has
 * the part's to wait for, or after them.
 */
static void sides_of_any_length_may_end(void **state)
{
    static const char head[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n.func f() { exit; }\n"
        ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<64>; .reg .b64 %rd<8>; .reg .pred "
        "%p<2>;\n"
        "mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 16; @%p1 bra L; mov.u32 %r9, 7;\n";
    struct timed t;

    (void)state;
    for (u32 n = 0; n < 8; n++)
        for (u32 m = 0; m < 8; m++) {
            char *text =
                sides(head, n, "call f; bra J; L: mov.u32 %r9, 8;\n", m, "call f; J: ret;\n}\n");

            timed_mech = "dws:least=1";
            timed_open_module(&t, text, TIMED_SET(SMS(1)));
            again(&t, 1, 64);
            assert_int_equal(counts(&t).branch_splits, 1);
            assert_int_equal(counts(&t).home, 0);
            timed_close(&t);
            free(text);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_sides_take_the_time_of_one),
    cmocka_unit_test(a_part_waits_for_what_was_loaded_before_it_left),
    cmocka_unit_test(a_part_that_is_gone_still_has_its_load_to_come),
    cmocka_unit_test(what_a_part_of_a_part_has_to_come_is_waited_for),
    cmocka_unit_test(a_part_waits_for_what_a_part_before_it_has_to_come),
    cmocka_unit_test(a_warp_that_waits_for_a_part_is_not_active),
    cmocka_unit_test(sides_with_few_lanes_stay),
    cmocka_unit_test(there_are_no_more_parts_than_slots),
    cmocka_unit_test(contexts_that_ctas_may_have_are_not_for_parts),
    cmocka_unit_test(lanes_that_hit_go_on_while_the_others_wait),
    cmocka_unit_test(cut_lanes_stop_at_a_branch_or_go_on),
    cmocka_unit_test(parts_reunite_where_they_happen_to_meet),
    cmocka_unit_test(neither_few_lanes_that_hit_nor_few_that_miss_are_cut),
    cmocka_unit_test(lazily_only_a_scheduler_without_other_warps_cuts),
    cmocka_unit_test(who_has_just_issued_and_must_wait_cannot_issue),
    cmocka_unit_test(lanes_whose_access_was_not_looked_up_are_not_cut),
    cmocka_unit_test(a_warp_that_waits_for_a_part_is_not_cut),
    cmocka_unit_test(a_part_that_is_home_is_not_cut),
    cmocka_unit_test(a_shuffle_behind_a_branch_has_all_lanes),
    cmocka_unit_test(a_shuffle_in_a_side_has_its_lanes),
    cmocka_unit_test(cut_lanes_wait_for_the_others_at_a_shuffle),
    cmocka_unit_test(lanes_are_not_cut_in_front_of_a_shuffle),
    cmocka_unit_test(a_barrier_in_both_sides_is_for_all_threads),
    cmocka_unit_test(sides_of_any_length_come_home),
    cmocka_unit_test(sides_of_any_length_end_with_a_barrier),
    cmocka_unit_test(sides_of_any_length_may_end),
};

TEST_MAIN(tests)
