/* t_diverge_sync.c -- barriers and waiting through memory, with warps that diverge, exit or spin */
#include "tests/micro/diverge.h"

#define SHARED ".shared .align 4 .b8 s[1024];\n"
#define SLOT "mul.wide.u32 %d1, %t, 4; mov.u64 %d2, s; add.u64 %d1, %d1, %d2;\n" /* %d1: &s[t] */

/* %r1: s[n - t] */
#define MIRROR(n)                                                                                  \
    "sub.u32 %r1, " #n ", %t; mul.wide.u32 %d3, %r1, 4; add.u64 %d3, %d3, %d2;\n"                  \
    "ld.shared.u32 %r1, [%d3];\n"

static u32 mirror_out(u32 t)
{
    u32 from = 63 - t;

    return from & 1 ? 3 * from : from;
}

/* The sides meet before the barrier, so that each warp arrives once; then all see all stores. */
static void a_barrier_after_an_if_is_reached_once(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = SHARED,
        .block = 64,
        .body = SLOT "and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra A;\n"
                     "mul.lo.u32 %r2, %t, 3; bra E;\n"
                     "A: mov.u32 %r2, %t;\n"
                     "E: st.shared.u32 [%d1], %r2; bar.sync 0;\n"
                     "MARK 1;\n" MIRROR(63) "OUT %r1;\n",
        .out = mirror_out,
        .log = {LOG({1, 0xffffffff}), LOG({1, 0xffffffff})},
    });
}

static u32 rotate_out(u32 t)
{
    return (t + 4) % 64;
}

/* Four turns of a ring through shared memory, two barriers each. */
static void barriers_in_a_loop_keep_warps_in_step(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = SHARED,
        .block = 64,
        .body = SLOT "add.u32 %r3, %t, 1; and.b32 %r3, %r3, 63; mul.wide.u32 %d3, %r3, 4;\n"
                     "add.u64 %d3, %d3, %d2;\n"
                     "mov.u32 %r1, %t; mov.u32 %r2, 0;\n"
                     "L: st.shared.u32 [%d1], %r1; bar.sync 0; ld.shared.u32 %r1, [%d3];\n"
                     "bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4; @%p1 bra L;\n"
                     "OUT %r1;\n",
        .out = rotate_out,
    });
}

static u32 exited_out(u32 t)
{
    return t >= 32 && t < 64 ? 0 : 96 - t;
}

/* Of three warps the middle one ends at once: the barrier is for the two that are left. */
static void a_barrier_does_not_wait_for_exited_warps(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = SHARED,
        .block = 96,
        .body = SLOT "shr.u32 %r1, %t, 5; setp.eq.u32 %p1, %r1, 1; @%p1 exit; add.u32 %r2, %t, 1;\n"
                     "st.shared.u32 [%d1], %r2; bar.sync 0;\n" MIRROR(95) "OUT %r1;\n",
        .out = exited_out,
    });
}

/* The others wait already when the middle warp, which spins for a while, ends. */
static void a_warp_that_ends_later_releases_the_barrier(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = SHARED,
        .block = 96,
        .body = SLOT
        "shr.u32 %r1, %t, 5; setp.ne.u32 %p1, %r1, 1; mov.u32 %r3, 0; @%p1 bra B;\n"
        "L: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3000; @%p2 bra L; exit;\n"
        "B: add.u32 %r2, %t, 1; st.shared.u32 [%d1], %r2; bar.sync 0;\n" MIRROR(95) "OUT %r1;\n",
        .out = exited_out,
    });
}

static u32 half_warp_out(u32 t)
{
    return t < 20 ? 0 : 59 - t + 1;
}

/* Lanes 0..19 of the first warp exit, the rest of it still counts; the block has 40 threads. */
static void lanes_that_exited_do_not_hold_up_their_warp(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = SHARED,
        .block = 40,
        .body = SLOT "setp.lt.u32 %p1, %t, 20; @%p1 exit; add.u32 %r2, %t, 1;\n"
                     "st.shared.u32 [%d1], %r2; bar.sync 0;\n" MIRROR(59) "OUT %r1;\n",
        .out = half_warp_out,
    });
}

static u32 pair_out(u32 t)
{
    return t < 32 ? 7 : 128 - t;
}

/*
 * A barrier for 64 threads joins warps 1 and 2 only.  In 64-lane warps warp 1 shares its hardware
 * warp with warp 0, which does not come: it must count for 32 there.
 */
static void a_barrier_with_a_count_is_for_that_many_threads(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = SHARED,
        .block = 96,
        .body = SLOT "setp.lt.u32 %p1, %t, 32; mov.u32 %r1, 7; @%p1 bra E; add.u32 %r2, %t, 1;\n"
                     "st.shared.u32 [%d1], %r2;\n"
                     "bar.sync 1, 64;\n" MIRROR(127) "E: OUT %r1;\n",
        .out = pair_out,
    });
}

static u32 consumer_out(u32 t)
{
    return t < 128 ? 0 : 3000 + 3 * (t - 128);
}

/*
 * Threads 0..127 produce three rounds of 1000 * round + t, 128..255 add them up.  Barrier 1: full
 * (the producers only arrive), barrier 2: empty again (the consumers only arrive).
 */
static void producers_arrive_and_consumers_wait(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = SHARED,
        .block = 256,
        .body = "and.b32 %r2, %t, 127; mul.wide.u32 %d1, %r2, 4; mov.u64 %d2, s;\n"
                "add.u64 %d1, %d1, %d2;\n"
                "setp.ge.u32 %p1, %t, 128; mov.u32 %r3, 0; mov.u32 %r4, 0; @%p1 bra C;\n"
                "P: mad.lo.u32 %r5, %r3, 1000, %r2; st.shared.u32 [%d1], %r5;\n"
                "bar.arrive 1, 256; bar.sync 2, 256;\n"
                "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra P; bra E;\n"
                "C: bar.sync 1, 256; ld.shared.u32 %r5, [%d1]; add.u32 %r4, %r4, %r5;\n"
                "bar.arrive 2, 256;\n"
                "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra C;\n"
                "E: OUT %r4;\n",
        .out = consumer_out,
    });
}

/* ---- reductions at a barrier */

static u32 red_out(u32 t)
{
    (void)t;
    return 40 + 24 * 100 + 10000 * (0 + 2 + 4 + 0);
}

/* t < 40 holds in 40 of 64 threads: not in all, but in some; t < 64 in all, t >= 64 in none. */
static void reductions_count_all_threads_of_the_block(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .block = 64,
        .body = "setp.lt.u32 %p1, %t, 40; setp.lt.u32 %p2, %t, 64;\n"
                "bar.red.popc.u32 %r1, 0, %p1; bar.red.popc.u32 %r2, 0, !%p1;\n"
                "mad.lo.u32 %r1, %r2, 100, %r1;\n"
                "bar.red.and.pred %p3, 0, %p1; @%p3 add.u32 %r1, %r1, 10000;\n"
                "bar.red.or.pred %p4, 0, %p1; @%p4 add.u32 %r1, %r1, 20000;\n"
                "bar.red.and.pred %p5, 1, 64, %p2; @%p5 add.u32 %r1, %r1, 40000;\n"
                "bar.red.or.pred %p6, 1, 64, !%p2; @%p6 add.u32 %r1, %r1, 80000;\n"
                "OUT %r1;\n",
        .out = red_out,
    });
}

static u32 red_part_out(u32 t)
{
    (void)t;
    return 40 + 100;
}

/* Lanes that do not exist in a partial warp neither count nor spoil an .and. */
static void reductions_ignore_lanes_without_a_thread(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .block = 40,
        .body = "setp.lt.u32 %p1, %t, 100; bar.red.popc.u32 %r1, 0, %p1;\n"
                "bar.red.and.pred %p2, 0, %p1;\n"
                "@%p2 add.u32 %r1, %r1, 100;\n"
                "OUT %r1;\n",
        .out = red_part_out,
    });
}

/* ---- waiting through memory */

static u32 flag_out(u32 g)
{
    return 10 + g / 32;
}

/* Each block raises its flag, then its first thread spins until it sees the other's. */
static void two_blocks_wait_for_each_other(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".global .u32 flag[2];\n",
        .grid = 2,
        .body = "mov.u32 %r2, %ctaid.x; xor.b32 %r3, %r2, 1; mov.u64 %d3, flag;\n"
                "mul.wide.u32 %d1, %r2, 4; mul.wide.u32 %d2, %r3, 4;\n"
                "add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3; setp.ne.u32 %p1, %t, 0;\n"
                "@%p1 bra W;\n"
                "st.volatile.global.u32 [%d1], 1; membar.gl;\n"
                "S: ld.volatile.global.u32 %r4, [%d2]; setp.eq.u32 %p2, %r4, 0; @%p2 bra S;\n"
                "W: bar.sync 0; add.u32 %r1, %r2, 10;\n"
                "OUT %r1;\n",
        .out = flag_out,
    });
}

static u32 turn_out(u32 g)
{
    return g % 32 ? 0 : 8 + g / 32;
}

/*
 * A number goes to and fro: block b may raise it when it is even (0) or odd (1), five times each.
 */
static void two_blocks_take_turns(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".global .u32 turn;\n",
        .grid = 2,
        .body = "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %t, 0; mov.u32 %r3, 0; @%p1 exit;\n"
                "L: ld.volatile.global.u32 %r4, [turn]; and.b32 %r5, %r4, 1;\n"
                "setp.ne.u32 %p2, %r5, %r2; @%p2 bra L;\n"
                "add.u32 %r6, %r4, 1; st.volatile.global.u32 [turn], %r6; membar.gl;\n"
                "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5; @%p3 bra L;\n"
                "OUT %r4;\n",
        .out = turn_out,
    });
}

static u32 lock_out(u32 t)
{
    return t;
}

/*
 * A lock that is taken and given back inside the loop: of the lanes that try, the lowest gets it,
 * runs the critical part alone, and the others try again.  So lane t finds the count at t.
 */
static void lanes_of_a_warp_take_a_lock_one_by_one(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".global .u32 lock, count;\n",
        .body = "L: atom.global.cas.b32 %r2, [lock], 0, 1; setp.ne.u32 %p1, %r2, 0;\n"
                "@%p1 bra N;\n"
                "MARK 1;\n"
                "ld.volatile.global.u32 %r3, [count]; add.u32 %r4, %r3, 1;\n"
                "st.volatile.global.u32 [count], %r4; membar.gl;\n"
                "atom.global.exch.b32 %r5, [lock], 0;\n"
                "N: @%p1 bra L;\n"
                "MARK 2;\n"
                "OUT %r3;\n",
        .out = lock_out,
        .log = {LOG({1, 1u << 0}, {1, 1u << 1}, {1, 1u << 2}, {1, 1u << 3}, {1, 1u << 4},
                    {1, 1u << 5}, {1, 1u << 6}, {1, 1u << 7}, {1, 1u << 8}, {1, 1u << 9},
                    {1, 1u << 10}, {1, 1u << 11}, {1, 1u << 12}, {1, 1u << 13}, {1, 1u << 14},
                    {1, 1u << 15}, {1, 1u << 16}, {1, 1u << 17}, {1, 1u << 18}, {1, 1u << 19},
                    {1, 1u << 20}, {1, 1u << 21}, {1, 1u << 22}, {1, 1u << 23}, {1, 1u << 24},
                    {1, 1u << 25}, {1, 1u << 26}, {1, 1u << 27}, {1, 1u << 28}, {1, 1u << 29},
                    {1, 1u << 30}, {1, 1u << 31}, {2, 0xffffffff})},
    });
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_barrier_after_an_if_is_reached_once),
    cmocka_unit_test(barriers_in_a_loop_keep_warps_in_step),
    cmocka_unit_test(a_barrier_does_not_wait_for_exited_warps),
    cmocka_unit_test(a_warp_that_ends_later_releases_the_barrier),
    cmocka_unit_test(lanes_that_exited_do_not_hold_up_their_warp),
    cmocka_unit_test(a_barrier_with_a_count_is_for_that_many_threads),
    cmocka_unit_test(producers_arrive_and_consumers_wait),
    cmocka_unit_test(reductions_count_all_threads_of_the_block),
    cmocka_unit_test(reductions_ignore_lanes_without_a_thread),
    cmocka_unit_test(two_blocks_wait_for_each_other),
    cmocka_unit_test(two_blocks_take_turns),
    cmocka_unit_test(lanes_of_a_warp_take_a_lock_one_by_one),
};

TEST_MAIN(tests)
