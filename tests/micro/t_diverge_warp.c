/* t_diverge_warp.c -- votes, shuffles, matches and atomics in code that only some lanes run */
#include "base/text.h"
#include "tests/micro/diverge.h"

/* Lanes below 16 run `low` (first), the others `high`; each side leaves its result in %r1. */
#define SIDES(low, high)                                                                           \
    "setp.lt.u32 %p1, %t, 16; @%p1 bra A;\n" high "bra E;\nA:\n" low "E:\n"                        \
    "MARK 9;\n"                                                                                    \
    "OUT %r1;\n"

static u32 ballot_out(u32 t)
{
    return t < 16 ? 0x0000cccc : 0xcccc0000;
}

/*
 * Bit 1 of t is set in lanes 2, 3, 6, 7, ..: cccc of each half.  Lanes that are elsewhere are
 * zeros.
 */
static void a_ballot_has_the_lanes_that_take_part(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r2, %t, 2; setp.ne.u32 %p2, %r2, 0;\n" SIDES(
            "vote.ballot.b32 %r1, %p2;\n", "vote.sync.ballot.b32 %r1, %p2, 0xffff0000;\n"),
        .out = ballot_out,
        .log = {LOG({9, 0xffffffff})},
    });
}

static u32 vote_out(u32 t)
{
    return t < 16 ? 1 + 4 : 2;
}

/*
 * Low side: t < 16 in all, t >= 16 in none, t < 16 the same in all.  High side: t < 20 in some
 * only.
 */
static void votes_ask_only_the_lanes_that_are_there(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "mov.u32 %r1, 0; setp.lt.u32 %p2, %t, 20; setp.ge.u32 %p3, %t, 16;\n" SIDES(
            "vote.all.pred %p4, %p1; @%p4 add.u32 %r1, %r1, 1; vote.any.pred %p5, %p3;\n"
            "@%p5 add.u32 %r1, %r1, 2;\n"
            "vote.uni.pred %p6, %p1; @%p6 add.u32 %r1, %r1, 4;\n",
            "vote.all.pred %p4, %p2; @%p4 add.u32 %r1, %r1, 1; vote.any.pred %p5, %p2;\n"
            "@%p5 add.u32 %r1, %r1, 2;\n"
            "vote.uni.pred %p6, %p2; @%p6 add.u32 %r1, %r1, 4;\n"),
        .out = vote_out,
    });
}

static u32 shuffle_out(u32 t)
{
    return t < 16 ? t ^ 1 : t == 31 ? 31 : t + 1;
}

/*
 * Low side: neighbours change places.  High side: from the next lane of the half, the last keeps
 * its own.
 */
static void shuffles_work_within_a_side(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = SIDES("shfl.bfly.b32 %r1, %t, 1, 0x1f;\n",
                      "shfl.sync.down.b32 %r1, %t, 1, 0x101f, 0xffff0000;\n"),
        .out = shuffle_out,
    });
}

static u32 shuffle_pred_out(u32 t)
{
    return t < 16 ? t < 4 ? 100 + t : t - 4 : 24;
}

/*
 * Low side: from four lanes below; the predicate is false where there is none.  High side: from
 * lane 24.
 */
static void a_shuffle_tells_who_has_no_source(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = SIDES("shfl.up.b32 %r1|%p2, %t, 4, 0; @!%p2 add.u32 %r1, %t, 100;\n",
                      "shfl.idx.b32 %r1, %t, 24, 0x1f;\n"),
        .out = shuffle_pred_out,
    });
}

static u32 match_out(u32 t)
{
    return t < 16 ? 0xfu << (t & ~3u) : 0xffff0000;
}

/* Low side: four lanes each have t / 4.  High side: all have 5, so they are all each other's. */
static void matches_are_sought_within_a_side(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "shr.u32 %r2, %t, 2; mov.u32 %r3, 5;\n" SIDES(
            "match.any.sync.b32 %r1, %r2, 0xffff;\n",
            "match.all.sync.b32 %r1|%p2, %r3, 0xffff0000; @!%p2 mov.u32 %r1, 0;\n"),
        .out = match_out,
    });
}

static u32 match_all_out(u32 t)
{
    return t < 16 ? 1000 : 3;
}

/* match.all of values that differ gives 0 and false. */
static void a_match_of_all_fails_if_one_differs(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "cvt.u64.u32 %d1, %t;\n" SIDES(
            "match.all.sync.b64 %r1|%p2, %d1, 0xffff; @!%p2 add.u32 %r1, %r1, 1000;\n",
            "mov.u64 %d1, 9; match.all.sync.b64 %r1|%p2, %d1, 0xffff0000;\n"
            "selp.u32 %r1, 3, 4, %p2;\n"),
        .out = match_all_out,
    });
}

static u32 atomic_out(u32 t)
{
    return t;
}

/* The low side adds first, the lowest lane first: each sees how many came before. */
static void atomics_of_a_side_come_lane_by_lane(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".global .u32 n;\n",
        .body = SIDES("atom.global.add.u32 %r1, [n], 1;\n", "atom.global.add.u32 %r1, [n], 1;\n"),
        .out = atomic_out,
    });
}

static u32 shared_atomic_out(u32 t)
{
    return t < 16 ? 15 : 31;
}

/* A maximum in shared memory: the low side sees its own, the high side comes after it. */
static void atomics_on_shared_memory_under_divergence(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".shared .u32 most;\n",
        .body = SIDES("red.shared.max.u32 [most], %t; ld.shared.u32 %r1, [most];\n",
                      "red.shared.max.u32 [most], %t; ld.shared.u32 %r1, [most];\n"),
        .out = shared_atomic_out,
    });
}

static u32 rank_out(u32 t)
{
    return t;
}

/*
 * The first active lane adds for all and hands the old value round: 10 lanes (0..9), then 22.
 * Written as compilers do it: active mask, rank by popc, leader by bfind of the lowest bit, shfl of
 * the base.
 */
static void one_lane_adds_for_its_side(void **state)
{
    (void)state;
    static const char step[] =
        "activemask.b32 %r2; mov.u32 %r3, %lanemask_lt; and.b32 %r3, %r3, %r2;\n"
        "popc.b32 %r4, %r3;\n"
        "setp.eq.u32 %p2, %r4, 0; popc.b32 %r5, %r2; brev.b32 %r6, %r2;\n"
        "clz.b32 %r6, %r6;\n"
        "@%p2 atom.global.add.u32 %r7, [n], %r5;\n"
        "shfl.sync.idx.b32 %r7, %r7, %r6, 0x1f, %r2;\n"
        "add.u32 %r1, %r7, %r4;\n";
    char *body = text_printf("setp.lt.u32 %%p1, %%t, 10; @%%p1 bra A;\n%sbra E;\nA:\n%sE:\n%s",
                             step, step, "OUT %r1;\n");

    dv_run(&(struct dv_case){.before = ".global .u32 n;\n", .body = body, .out = rank_out});
    free(body);
}

static u32 rounds_out(u32 t)
{
    static const u32 sum[] = {32, 32 + 24, 32 + 24 + 16, 32 + 24 + 16 + 8};

    return sum[t & 3];
}

/* In a loop of t % 4 + 1 trips the ballot of `true` counts those still in it: 32, 24, 16, 8. */
static void a_ballot_in_a_loop_counts_who_is_left(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r2, %t, 3; mov.u32 %r3, 0; mov.u32 %r1, 0; setp.ge.u32 %p1, %t, 0;\n"
                "L: vote.ballot.b32 %r4, %p1;\n"
                "popc.b32 %r4, %r4; add.u32 %r1, %r1, %r4; add.u32 %r3, %r3, 1;\n"
                "setp.le.u32 %p2, %r3, %r2; @%p2 bra L;\n"
                "MARK 1;\n"
                "OUT %r1;\n",
        .out = rounds_out,
        .log = {LOG({1, 0xffffffff})},
    });
}

static u32 lane_out(u32 t)
{
    return (t % 32) * 100 + t / 32;
}

/* Lane and warp numbers are those of CUDA's 32-thread warp however wide the hardware's is. */
static void lane_and_warp_numbers_do_not_depend_on_the_width(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .block = 128,
        .body = "mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; mad.lo.u32 %r1, %r1, 100, %r2;\n"
                "OUT %r1;\n",
        .out = lane_out,
    });
}

static u32 word_out(u32 t)
{
    return t / 32 == 2 ? 0x5555 : 0xffff0000;
}

/*
 * The side with odd halves: warp 2 goes one way with even lanes of its low half, all others another
 * way.
 */
static void votes_of_a_wide_warp_stay_within_32_threads(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .block = 128,
        .body = "shr.u32 %r2, %t, 5; and.b32 %r3, %t, 31; and.b32 %r4, %t, 1;\n"
                "setp.eq.u32 %p1, %r2, 2; setp.lt.u32 %p2, %r3, 16;\n"
                "setp.eq.and.u32 %p3, %r4, 0, %p2; @%p1 bra A; vote.ballot.b32 %r1, !%p2;\n"
                "bra E;\n"
                "A: vote.ballot.b32 %r1, %p3;\n"
                "E: OUT %r1;\n",
        .out = word_out,
    });
}

/* bar.warp.sync holds up nobody: the lanes it names are together already. */
static void a_warp_barrier_in_a_side_is_passed(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "mov.u32 %r1, 1;\n" SIDES("bar.warp.sync 0xffff;\n"
                                          "MARK 1;\n",
                                          "bar.warp.sync 0xffff0000;\n"
                                          "MARK 2;\n"),
        .log = {LOG({1, 0x0000ffff}, {2, 0xffff0000}, {9, 0xffffffff})},
    });
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ballot_has_the_lanes_that_take_part),
    cmocka_unit_test(votes_ask_only_the_lanes_that_are_there),
    cmocka_unit_test(shuffles_work_within_a_side),
    cmocka_unit_test(a_shuffle_tells_who_has_no_source),
    cmocka_unit_test(matches_are_sought_within_a_side),
    cmocka_unit_test(a_match_of_all_fails_if_one_differs),
    cmocka_unit_test(atomics_of_a_side_come_lane_by_lane),
    cmocka_unit_test(atomics_on_shared_memory_under_divergence),
    cmocka_unit_test(one_lane_adds_for_its_side),
    cmocka_unit_test(a_ballot_in_a_loop_counts_who_is_left),
    cmocka_unit_test(lane_and_warp_numbers_do_not_depend_on_the_width),
    cmocka_unit_test(votes_of_a_wide_warp_stay_within_32_threads),
    cmocka_unit_test(a_warp_barrier_in_a_side_is_passed),
};

TEST_MAIN(tests)
