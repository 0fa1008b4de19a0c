/*
 * t_amoeba.c -- AMOEBA, counted by hand: pairs that are fused, split and fuse again.
 *
 * Fused from the beginning are pairs with mode=scale_up, and in other modes, if the predictor says so,
 * those of a kernel's second launch.
 */
#include "tests/micro/amoeba.h"

#define UP "amoeba:mode=scale_up"
#define OFTEN "predictor=always,late=0,threshold=1,period=20,switch_cycles=5"
#define CUT "amoeba:mode=direct_split," OFTEN
#define REGROUP "amoeba:mode=warp_regroup," OFTEN
#define STAY REGROUP ",move=0"

/* ---- fused */

/* Lanes 2k and 2k + 1 want the same word: 32 lanes half a line, 64 a whole one. */
#define HALF_LINES                                                                                 \
    "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; shr.u32 %r0, %r0, 1;\n"                          \
    "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; ld.global.u32 %r1, [%rd1];"

/* mov 3, shr 9, mul.wide 16, add 26, load 36 (t_bind.c). */
static void a_fused_load_coalesces_over_64_lanes(void **state)
{
    struct timed t;

    (void)state;
    bound_path(&t, NULL, HALF_LINES, TIMED_SET(SMS(2)), 1, 64);
    assert_int_equal(STAT(&t, sm.loads), 2);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    timed_close(&t);
    assert_int_equal(bound_path(&t, UP ",late=0", HALF_LINES, TIMED_SET(SMS(2)), 1, 64),
                     36 + 180 + 1);
    assert_int_equal(STAT(&t, sm.loads), 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    timed_close(&t);
}

/*
 * A cycle more to decode and for L1D, d in all for each.  mov 3 + d, mul.wide 9 + d, add 19 + d, load
 * 29 + d, which misses: 180 + d.  Its reader goes when it is back, in 209 + 2d, and empties the buffer:
 * the second load is fetched then and issued in 211 + 3d; a hit takes 39 + d.
 */
static void l1_of_a_fused_pair_is_later(void **state)
{
    static const char body[] = LANES(4) "ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1;\n"
                                        "ld.global.u32 %r3, [%rd1];";
    struct timed t;

    (void)state;
    for (u32 d = 0; d < 4; d++) {
        assert_int_equal(bound_path(&t, with(UP, "late", d), body, TIMED_SET(SMS(2)), 1, 32),
                         211 + 3 * d + 39 + d + 1);
        assert_int_equal(STAT(&t, l1d.access), 2);
        assert_int_equal(STAT(&t, l1d.miss), 1);
        timed_close(&t);
    }
    assert_int_equal(bound_path(&t, UP, body, TIMED_SET(SMS(2)), 1, 32), 251 + 4);
    timed_close(&t);
}

/* 256 lines by 32 lanes, twice: 32 sets of 4 ways keep none of them until it is wanted again. */
#define LINES8                                                                                     \
    "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4096];"                                   \
    "ld.global.u32 %r3, [%rd1+8192]; ld.global.u32 %r4, [%rd1+12288];\n"                           \
    "ld.global.u32 %r5, [%rd1+16384]; ld.global.u32 %r6, [%rd1+20480];"                            \
    "ld.global.u32 %r7, [%rd1+24576]; ld.global.u32 %r8, [%rd1+28672];\n"

static void l1_of_a_fused_pair_has_the_ways_of_both(void **state)
{
    u32 ways[2][3];

    (void)state;
    for (u32 i = 0; i < 2; i++) {
        struct timed t;

        bound_path(&t, i ? UP : NULL, LANES(128) LINES8 LINES8, TIMED_SET(SMS(2)), 1, 32);
        assert_int_equal(STAT(&t, l1d.access), 512);
        assert_int_equal(STAT(&t, l1d.miss), i ? 256 : 512);
        ways[i][0] = sm_of(&t, 0)->mu->l1d.ways;
        ways[i][1] = sm_of(&t, 0)->mu->l1c.ways;
        ways[i][2] = sm_of(&t, 0)->front->l1i->ways;
        timed_close(&t);
    }
    for (u32 k = 0; k < 3; k++)
        assert_int_equal(ways[1][k], 2 * ways[0][k]);
}

/* Three SMs: the last is alone, with L1D and latencies of its own. */
static void an_sm_without_a_neighbour_stays_as_it_is(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, UP ",late=3", CLOCK(20) LOG, TIMED_SET(SMS(3)), 2, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), 3 + 3);
    assert_int_equal(clock_of(&t, 1, 0, 0), 3);
    assert_int_equal(amoebas(&t).fused, 1);
    timed_close(&t);
}

/* What each has by itself, but contexts: a warp of twice the lanes is one. */
static void a_fused_pair_has_all_of_both(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, UP, LOG,
          TIMED_SET(SMS(2), "sm.n_warp=24", "sm.max_threads=768", "sm.regs=16384", "sm.shared=16K",
                    "sm.smem_banks=16", "l1d.ways=4", "l1d.mshrs=16"),
          1, 64);
    const struct sm *sm = sm_of(&t, 0);
    const struct shape *s = &sm->shape;
    const struct cache *cache[] = {sm->front->l1i, &sm->mu->l1d, &sm->mu->l1c, &sm->mu->l1t};
    const struct cache_conf *alone[] = {&t.conf.l1i, &t.conf.l1d, &t.conf.l1c, &t.conf.l1t};

    assert_int_equal(s->warp_words, 2);
    assert_int_equal(s->max_threads, 1536);
    assert_int_equal(s->regs, 32768);
    assert_int_equal(s->shared, 32 << 10);
    assert_int_equal(s->smem_banks, 32);
    assert_int_equal(s->l1d_ways, 8);
    assert_int_equal(s->l1d_mshrs, 32);
    assert_int_equal(s->l1i_by, 2);
    assert_int_equal(s->l1c_by, 2);
    assert_int_equal(s->l1t_by, 2);
    for (u32 i = 0; i < LEN(cache); i++) {
        assert_int_equal(cache[i]->mshrs, 2 * alone[i]->mshrs);
        assert_int_equal(cache[i]->miss_queue, 2 * alone[i]->miss_queue);
    }
    assert_int_equal(sm->mu->l1c_latency, t.conf.l1c.latency + 1);
    assert_int_equal(sm->mu->l1t_latency, t.conf.l1t.latency + 1);
    assert_false(sm_of(&t, 1)->shape.on);
    timed_close(&t);
}

/* ---- routers */

/*
 * Four SMs and 12 slices in a row: slice m in place (2m + 1) * 16 / 24, so slices are in 0 2 3 4 6 7 8 10
 * 11 12 14 15 and SMs in 1 5 9 13.  A lane of SM 0 loads a sector: h links there and back.  141 cycles
 * are with networks of 6; these take 5h + 5 with one flit, the router of SM 1 saves 4 each way if it is
 * passed.  ld.param 3, load 6 + 3 = 9; 141 is with a register for the address.
 */
static u64 cycles_over(const char *mech, const char *load, u64 *hops)
{
    struct timed t;
    u64 cycles = bound_path(&t, mech, load,
                            TIMED_SET(SMS(4), "noc.kind=mesh", "noc.mesh_width=16",
                                      "noc.router_stages=4", "noc.link_latency=1", "sim.window=1"),
                            1, 1);

    *hops = STAT(&t, request.hops) + STAT(&t, reply.hops);
    timed_close(&t);
    return cycles;
}

#define LOAD_CG(byte) TIMED_A "ld.global.cg.u32 %r1, [%rd0+" #byte "];"

static void check_way(const char *load, u32 h, u32 passed)
{
    u64 alone, fused, hops[2];

    alone = cycles_over(NULL, load, &hops[0]);
    fused = cycles_over(UP ",late=0", load, &hops[1]);
    assert_int_equal(alone, 6 + 141 - 12 + 2 * (5 * h + 5) + 1);
    assert_int_equal(alone - fused, 2 * 4 * passed);
    assert_int_equal(hops[0], 2 * (h + 1));
    assert_int_equal(hops[0] - hops[1], 2 * passed);
}

/* Bytes 0, 256, .. are in channels 0, 1, ..: slices 0, 2, .. in places 0 3 6 8 11 14. */
static void the_second_router_of_a_fused_pair_is_bypassed(void **state)
{
    (void)state;
    check_way(LOAD_CG(0), 1, 0);
    check_way(LOAD_CG(256), 2, 0);
    check_way(LOAD_CG(512), 5, 1);
    check_way(LOAD_CG(768), 7, 1);
    check_way(LOAD_CG(1024), 10,
              1); /* the router of SM 2, in 9, works: its pair's is that of SM 3 */
    check_way(LOAD_CG(1280), 13, 2);
}

/*
 * With both ports the router of SM 1, in 5, works, and every second line goes by it: slice 0 in 0 is 5 links away
 * instead of 1, slice 4 in 6 one instead of 5.
 */
static void check_port(const char *load, u32 h, u32 h_fused)
{
    u64 alone, fused, hops[2];

    alone = cycles_over(NULL, load, &hops[0]);
    fused = cycles_over(UP ",late=0,ports=2", load, &hops[1]);
    assert_int_equal(alone, 6 + 141 - 12 + 2 * (5 * h + 5) + 1);
    assert_int_equal(fused, 6 + 141 - 12 + 2 * (5 * h_fused + 5) + 1);
    assert_int_equal(hops[0], 2 * (h + 1));
    assert_int_equal(hops[1], 2 * (h_fused + 1));
}

static void a_fused_pair_can_have_both_ports(void **state)
{
    (void)state;
    check_port(LOAD_CG(0), 1, 1);
    check_port(LOAD_CG(128), 1, 5);
    check_port(LOAD_CG(512), 5, 5);
    check_port(LOAD_CG(640), 5, 1);
}

/* ---- split */

/*
 * One warp of 64 lanes, of which those from `from` on, 8 of them, add 200 times while the others wait; all
 * then read the clock: those that were cut off from them early.
 */
#define SOME(from)                                                                                 \
    "mov.u32 %r0, %tid.x; sub.u32 %r1, %r0, " #from "; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"          \
    "setp.gt.u32 %p1, %r1, 7; @%p1 bra J;\n"                                                       \
    "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 200; @%p2 bra L; J: mov.u32 %r20, "             \
    "%clock;\n" LOG

enum { LOOP = 200 * 20 }; /* cycles of the loop, at least */

/* Lanes of its second launch that were early. */
static u64 early(const char *mech, const char *body, struct amoeba_stat *st)
{
    struct timed t;
    u64 mask = 0;
    u32 first = UINT32_MAX;

    bound(&t, mech, body, TIMED_SET(SMS(2)), 1, 64);
    assert_int_equal(amoebas(&t).splits, 0);
    again(&t, 1, 64);
    for (u32 i = 0; i < 64; i++)
        first = min_u32(first, logged(&t, 0, i).v[0]);
    for (u32 i = 0; i < 64; i++)
        mask |= (u64)(logged(&t, 0, i).v[0] < first + LOOP / 2) << i;
    *st = amoebas(&t);
    timed_close(&t);
    return mask;
}

static void check_early(const char *mech, const char *body, u64 mask)
{
    struct amoeba_stat st;

    assert_int_equal(early(mech, body, &st), mask);
    assert_int_equal(st.splits, 1);
    assert_int_equal(st.cut, 1);
    assert_int_equal(st.moved_fast, 0);
}

static void a_fused_pair_that_may_not_split_does_not(void **state)
{
    struct amoeba_stat st;

    (void)state;
    assert_int_equal(early(FUSE, SOME(20), &st), ~0ull); /* all together, late */
    assert_int_equal(st.splits + st.cut + st.split_cycles, 0);
}

static void a_warp_is_cut_in_the_middle(void **state)
{
    (void)state;
    check_early(CUT, SOME(20), 0xffffffff00000000);
    check_early(CUT, SOME(32), 0x00000000ffffffff);
}

/* Half of all groups: those with most slow lanes, then the last. */
static void slow_groups_leave_a_warp(void **state)
{
    (void)state;
    check_early(STAY, SOME(20), 0x0000ffff0000ffff);            /* 16..23, 24..31, 48..63 */
    check_early(STAY ",group=1", SOME(20), 0x000000fff00fffff); /* 20..27, 40..63 */
    check_early(STAY ",group=4", SOME(20), 0x000000fff00fffff);
    check_early(STAY ",group=16", SOME(20), 0x0000ffff0000ffff);
    check_early(STAY ",group=32", SOME(20), 0xffffffff00000000);
    check_early(STAY, SOME(0), 0x000000ffffffff00); /* 0..7, 40..63 */
    check_early(STAY, SOME(56), 0x00000000ffffffff);
}

/*
 * Logical warps whose lanes talk stay whole: a word leaves.  A loop is 3 instructions, 600 or 150 of them, which are
 * issued by the second SM if their word has left and by the first if it has stayed.
 */
#define TALK "shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1;"
#define EIGHT_OF_BOTH                                                                              \
    "mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; mov.u32 %r2, 0; setp.lt.u32 %p3, %r0, 32;\n"       \
    "selp.u32 %r3, 200, 50, %p3; setp.gt.u32 %p1, %r1, 7; @%p1 bra J;\n"                           \
    "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r3; @%p2 bra L; J:\n"

static u64 issued_away(const char *body)
{
    struct timed t;

    bound(&t, STAY, body, TIMED_SET(SMS(2)), 1, 64);
    again(&t, 1, 64);
    assert_int_equal(amoebas(&t).cut, 1);
    u64 n = issued_by(&t, 1);

    timed_close(&t);
    return n;
}

static void the_word_with_more_slow_lanes_leaves_or_the_second(void **state)
{
    (void)state;
    check_early(STAY, SOME(8) TALK, 0xffffffff00000000);
    check_early(STAY, SOME(40) TALK, 0x00000000ffffffff);
    assert_in_range(issued_away(SOME(8) TALK), 500, 650);
    assert_in_range(issued_away(SOME(40) TALK), 500, 650);
    assert_in_range(issued_away(EIGHT_OF_BOTH TALK), 100, 200);
}

/* Four warps, one of them diverges: a quarter. */
static void a_pair_splits_from_the_threshold_on(void **state)
{
    static const char body[] =
        "mov.u32 %r2, 0; mov.u32 %r0, %tid.x; setp.eq.u32 %p1, %r0, 100; @%p1 bra N;\n"
        "setp.lt.u32 %p1, %r0, 128; setp.ge.u32 %p2, %r0, 64; and.pred %p1, %p1, %p2; @%p1 bra J;\n"
        "N: L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 100; @%p2 bra L; J: mov.u32 %r20, "
        "%r2;\n" LOG;
    struct timed t;

    (void)state;
    for (u32 i = 25; i <= 26; i++) {
        bound(&t, with(CUT, "threshold", i), body, TIMED_SET(SMS(2)), 1, 256);
        again(&t, 1, 256);
        assert_int_equal(amoebas(&t).splits != 0, i == 25);
        timed_close(&t);
    }
}

/*
 * Lanes of one word load a line that nobody has loaded, those of the other one that is in L1D: whose
 * thread's number has this bit 5 are late.  Nobody jumps.
 */
#define LATE_IF(bit5)                                                                              \
    TIMED_A "ld.global.u32 %r1, [%rd0+65536]; mov.u32 %r0, %tid.x; add.u32 %r2, %r1, %r0;\n"       \
            "and.b32 %r2, %r2, 32; xor.b32 %r2, %r2, 32 - 32 * " #bit5 ";\n"                       \
            "mul.wide.u32 %rd1, %r2, 128; add.u64 %rd1, %rd0, %rd1;\n"                             \
            "ld.global.u32 %r20, [%rd1+65536]; add.u32 %r21, %r20, %r0;\n" LOG

static void check_late(const char *body)
{
    static const struct {
        const char *mech;
        u32 splits;
    } row[] = {{CUT ",divergence=control", 0},
               {CUT ",divergence=memory", 1},
               {CUT ",divergence=both", 1},
               {REGROUP ",divergence=memory", 1}};
    struct timed t;

    for (u32 k = 0; k < LEN(row); k++) {
        bound_path(&t, row[k].mech, body, TIMED_SET(SMS(2)), 1, 64);
        again(&t, 1, 64);
        assert_int_equal(amoebas(&t).splits, row[k].splits);
        assert_int_equal(amoebas(&t).cut, row[k].splits);
        for (u32 i = 0; i < 64; i++)
            assert_int_equal(logged(&t, 0, i).v[1], i);
        timed_close(&t);
    }
}

static void late_data_make_a_warp_diverge(void **state)
{
    (void)state;
    check_late(LATE_IF(1));
    check_late(LATE_IF(0));
}

/* All lanes wait for the same line, looks are many until it is there, and nobody is slower than another. */
static void data_that_are_late_for_all_cut_nobody(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r20, [%rd0+65536]; mov.u32 %r0, %tid.x;\n"
                                       "add.u32 %r21, %r20, %r0;\n" LOG;
    struct timed t;

    (void)state;
    bound_path(&t, CUT ",divergence=memory", body, TIMED_SET(SMS(2)), 1, 64);
    again(&t, 1, 64);
    assert_int_equal(amoebas(&t).splits, 0);
    for (u32 i = 0; i < 64; i++)
        assert_int_equal(logged(&t, 0, i).v[1], i);
    timed_close(&t);
}

/* ---- values */

static const char *const ways[] = {
    CUT,
    CUT ",move=8",
    CUT ",divergence=memory",
    REGROUP,
    REGROUP ",group=1",
    REGROUP ",group=32,move=4",
    REGROUP ",divergence=control,move=0",
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
              TIMED_SET(SMS(2), "sm.n_warp=24", "sm.war_readers=1", set[i % LEN(set)]), 5, n);
        check_values(&t, 5, n);
        timed_write(&t, 0, (u8[65536]){0}, 65536);
        again(&t, 5, n);
        check_values(&t, 5, n);
        assert_true(strstr(ways[i / LEN(set)], "memory") || amoebas(&t).cut > 0);
        timed_close(&t);
    }
}

/* ---- and back */

/*
 * Warp 0's eight lanes are soon through; warp 1 goes around for long, all lanes of it.  The second SM
 * has nothing left then.
 */
#define ONE_OF_TWO                                                                                 \
    "mov.u32 %r0, %tid.x; mov.u32 %r3, 30; setp.lt.u32 %p1, %r0, 64; @%p1 bra K; mov.u32 %r3, "    \
    "200;\n"                                                                                       \
    "bra L; K: setp.gt.u32 %p1, %r0, 7; @%p1 bra J;\n"                                             \
    "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r3; @%p2 bra L; J: mov.u32 %r20, %r3;\n" LOG

static void a_pair_fuses_again(void **state)
{
    static const char *const mech[] = {CUT ",move=0", REGROUP ",move=0"};
    struct amoeba_stat st, before;
    struct timed t;
    u64 cycles;

    (void)state;
    for (u32 i = 0; i < LEN(mech); i++) {
        bound(&t, mech[i], "mov.u32 %r2, 0;\n" ONE_OF_TWO, TIMED_SET(SMS(2)), 1, 128);
        before = amoebas(&t);
        cycles = again(&t, 1, 128);
        st = amoebas(&t);
        assert_int_equal(st.splits, 1);
        assert_int_equal(st.fused_again, 1);
        assert_int_equal(st.cut, 1);
        assert_int_equal(st.fused_cycles - before.fused_cycles, cycles);
        assert_true(st.split_cycles > 30 * 20 && st.split_cycles < 100 * 20);
        assert_true(issued_by(&t, 1) > 0);
        timed_close(&t);
    }
}

/*
 * Cycles of the second SM are off while the pair is fused, whatever has been asked about them meanwhile:
 * the device that does not skip is asked every 50 cycles.
 */
static void the_second_sm_is_off_while_its_pair_is_fused(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, REGROUP ",move=0", "mov.u32 %r2, 0;\n" ONE_OF_TWO, TIMED_SET(SMS(2)), 1, 128);
    t.d[1]->opts.sample = 50;
    again(&t, 1, 128);
    assert_int_equal(amoebas(&t).fused_again, 1);
    assert_int_equal(STAT(&t, stall.off), 2 * STAT(&t, sm.off_cycles)); /* of two schedulers */
    assert_true(STAT(&t, sm.off_cycles) > 0);
    timed_close(&t);
}

/* A pair that has not when its launch ends is fused when the next begins. */
static void a_launch_may_end_split(void **state)
{
    struct amoeba_stat st[3];
    struct timed t;
    u64 cycles[3];

    (void)state;
    bound(&t, REGROUP, SOME(20), TIMED_SET(SMS(2)), 1, 64);
    for (u32 i = 0; i < 3; i++) {
        cycles[i] = again(&t, 1, 64);
        st[i] = amoebas(&t);
        assert_int_equal(st[i].splits, i + 1);
        assert_int_equal(st[i].fused_again, 0);
    }
    for (u32 i = 1; i < 3; i++) {
        u64 split = st[i].split_cycles - st[i - 1].split_cycles;

        assert_int_equal(st[i].fused_cycles - st[i - 1].fused_cycles, cycles[i]);
        assert_true(split > LOOP / 2 && split < cycles[i]);
    }
    timed_close(&t);
}

/* ---- across both SMs */

/* %r20: the number of the thread beside; %r21: who of 32 has an even one; both as CUDA says. */
static void threads_of_a_cut_warp_meet_to_exchange(void **state)
{
    static const char body[] = VALUES
        "mov.u32 %r8, %tid.x; shfl.sync.bfly.b32 %r20, %r8, 5, 31, -1; and.b32 %r9, %r8, 1;\n"
        "setp.eq.u32 %p4, %r9, 0; vote.sync.ballot.b32 %r22, %p4, -1;\n"
        "setp.lt.u32 %p5, %r8, 40; vote.sync.ballot.b32 %r23, %p5, -1;\n"
        "shfl.sync.idx.b32 %r21, %r5, 13, 31, -1;\n" LOG;
    struct timed t;

    (void)state;
    for (u32 k = 0; k < LEN(ways); k++) {
        bound(&t, ways[k], body, TIMED_SET(SMS(2)), 2, 128);
        again(&t, 2, 128);
        for (u32 i = 0; i < 256; i++) {
            u32 cta = i / 128, tid = i % 128, w = tid / 32;
            struct logged l = logged(&t, cta, tid);

            assert_int_equal(l.v[0], tid ^ 5);
            assert_int_equal(l.v[1], value_of(cta, 32 * w + 13).v[0]);
            assert_int_equal(l.v[2], 0x55555555);
            assert_int_equal(l.v[3], w == 0 ? 0xffffffff : w == 1 ? 0xff : 0);
        }
        assert_true(strstr(ways[k], "memory") || amoebas(&t).cut > 0);
        timed_close(&t);
    }
}

/* What the thread at the other end of the CTA has computed, through shared memory. */
static void a_barrier_waits_for_threads_in_both_sms(void **state)
{
    static const char body[] = VALUES
        "shl.b32 %r10, %r0, 2; st.shared.u32 [%r10], %r5; bar.sync 0; sub.u32 %r11, 508, %r10;\n"
        "ld.shared.u32 %r20, [%r11]; bar.sync 0; st.shared.u32 [%r10], %r0; bar.sync 0;\n"
        "ld.shared.u32 %r21, [%r11];\n" LOG;
    struct timed t;

    (void)state;
    for (u32 k = 0; k < LEN(ways); k++) {
        bound(&t, ways[k], body, TIMED_SET(SMS(2)), 3, 128);
        again(&t, 3, 128);
        for (u32 i = 0; i < 3 * 128; i++) {
            struct logged l = logged(&t, i / 128, i % 128);

            assert_int_equal(l.v[0], value_of(i / 128, 127 - i % 128).v[0]);
            assert_int_equal(l.v[1], 127 - i % 128);
        }
        timed_close(&t);
    }
}

/*
 * Eight lanes of warp 0 load again and again, each when the one before is back, and the second SM does
 * next to nothing meanwhile: each look moves so many of the others there, the three and, with fast=any, warp 0's
 * fast half, until none is left.  Warps that begin: the first launch has eight, the second four wide ones; the
 * slow half begins in the other SM, and so does what is moved, wide warps as two halves.  All end.
 */
static void fast_warps_move_to_an_sm_that_stalls(void **state)
{
    static const char body[] = TIMED_A
        "mov.u32 %r0, %tid.x; mov.u32 %r2, 0; setp.ge.u32 %p1, %r0, 64; @%p1 bra F;\n"
        "setp.gt.u32 %p1, %r0, 7; @%p1 bra J;\n"
        "L: ld.global.cg.u32 %r1, [%rd0+65536]; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, %r1;\n"
        "setp.lt.u32 %p2, %r2, 20; @%p2 bra L; bra J;\n"
        "F: ld.global.cg.u32 %r1, [%rd0+98304]; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, %r1;\n"
        "setp.lt.u32 %p2, %r2, 20; @%p2 bra F; J: mov.u32 %r20, %r2;\n" LOG;
    static const u32 moves[] = {0, 1, 3, 8};
    struct timed t;

    (void)state;
    timed_beside = "noop";
    for (u32 k = 0; k < 2 * LEN(moves); k++) {
        struct noop_stat noop = {0};
        u32 move = moves[k / 2], half = k % 2;

        bound_path(&t, with(half ? REGROUP ",fast=any" : REGROUP, "move", move), body,
                   TIMED_SET(SMS(2)), 1, 256);
        again(&t, 1, 256);
        assert_int_equal(amoebas(&t).cut, 1);
        assert_int_equal(amoebas(&t).moved_fast, move ? 3 + half : 0);
        mech_count(t.d[0]->mechs, 1, &noop);
        assert_int_equal(noop.warp_begin, 8 + 4 + 1 + (move ? 3 * 2 + half : 0));
        assert_int_equal(noop.warp_end, noop.warp_begin);
        for (u32 i = 0; i < 256; i++)
            assert_int_equal(logged(&t, 0, i).v[0], i > 7 && i < 64 ? 0 : 20);
        timed_close(&t);
    }
    timed_beside = NULL;
}

/*
 * Eight lanes of warp 0 go around in the second SM, 3 instructions in 20 cycles or a little more, of the 40 or so that its
 * two schedulers could have issued: more than 6 %, less than 8.  Warp 1 would be moved there.
 */
static void a_second_sm_stalls_by_what_it_could_issue(void **state)
{
    struct timed t;

    (void)state;
    for (u32 percent = 6; percent <= 8; percent += 2) {
        bound(&t, with(REGROUP ",period=400", "stalling", percent),
              "mov.u32 %r0, %tid.x; mov.u32 %r2, 0; setp.ge.u32 %p1, %r0, 64; @%p1 bra L;\n"
              "setp.gt.u32 %p1, %r0, 7; @%p1 bra J;\n"
              "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 200; @%p2 bra L; J: mov.u32 %r20, "
              "%r2;\n" LOG,
              TIMED_SET(SMS(2)), 1, 128);
        again(&t, 1, 128);
        assert_int_equal(amoebas(&t).cut, 1);
        assert_int_equal(amoebas(&t).moved_fast, percent == 8);
        timed_close(&t);
    }
}

static u64 lanes_away(const char *mech)
{
    struct timed t;

    bound(&t, mech, "mov.u32 %r2, 0;\n" ONE_OF_TWO, TIMED_SET(SMS(2)), 1, 128);
    u64 before = sm_of(&t, 1)->st.sp0_int_lanes + sm_of(&t, 1)->st.sp1_int_lanes;

    again(&t, 1, 128);
    assert_int_equal(amoebas(&t).fused_again, 1);
    u64 after = sm_of(&t, 1)->st.sp0_int_lanes + sm_of(&t, 1)->st.sp1_int_lanes;

    timed_close(&t);
    return after - before;
}

/*
 * While the pair is split for warp 0, warp 1 goes around all the time: its second word is executed in
 * the second SM, 2 instructions of INT each time, as while it is fused; or in the first, until it is again.
 */
static void a_warp_that_was_not_cut_has_both_datapaths(void **state)
{
    u64 both = lanes_away(STAY), one = lanes_away(STAY ",uncut=one");

    (void)state;
    assert_true(both > 2 * 200 * 32);
    assert_true(one < both - 2 * 25 * 32);
}

/* ---- in company */

/* The line of 16 lanes is there when all 32 want theirs: some have their data before others. */
#define SOME_LATE                                                                                  \
    LANES(8)                                                                                       \
    "setp.lt.u32 %p1, %r0, 16; @%p1 ld.global.u32 %r1, [%rd1];\n"                                  \
    "add.u32 %r2, %r1, 1; ld.global.u32 %r3, [%rd1];"

static u64 cycles_beside(const char *mech, const char *beside)
{
    struct timed t;

    timed_beside = beside;
    u64 cycles = bound_path(&t, mech, SOME_LATE, TIMED_SET(SMS(2)), 1, 32);

    if (beside) {
        struct noop_stat st = {0};

        mech_count(t.d[0]->mechs, 1, &st);
        assert_int_equal(st.load_part, 2); /* all lanes of the first load are late */
    }
    timed_close(&t);
    timed_beside = NULL;
    return cycles;
}

/* noop wants to hear of lanes whose data come late; then all do. */
static void a_pair_that_never_splits_hears_of_late_lanes(void **state)
{
    (void)state;
    assert_int_equal(cycles_beside(UP, "noop"), cycles_beside(UP, NULL));
}

/* ---- the watchdog */

/* It looks at all warps every 1000 cycles: of a pair, whose warps are wide, and of a third SM. */
static void warps_of_several_widths_are_watched(void **state)
{
    static const char *const mech[] = {UP, CUT, REGROUP};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(mech); i++) {
        bound(&t, mech[i], SOME(20), TIMED_SET(SMS(3), "sim.watchdog=1000"), 6, 64);
        again(&t, 6, 64);
        timed_close(&t);
    }
}

/* ---- what cannot be */

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    check_refused("amoeba:group=3",
                  "-m amoeba:group=3: amoeba.group: a warp is cut into groups of 1, 2, "
                  "4, 8, 16 or 32 threads");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fused_load_coalesces_over_64_lanes),
    cmocka_unit_test(l1_of_a_fused_pair_is_later),
    cmocka_unit_test(l1_of_a_fused_pair_has_the_ways_of_both),
    cmocka_unit_test(an_sm_without_a_neighbour_stays_as_it_is),
    cmocka_unit_test(a_fused_pair_has_all_of_both),
    cmocka_unit_test(the_second_router_of_a_fused_pair_is_bypassed),
    cmocka_unit_test(a_fused_pair_can_have_both_ports),
    cmocka_unit_test(a_fused_pair_that_may_not_split_does_not),
    cmocka_unit_test(a_warp_is_cut_in_the_middle),
    cmocka_unit_test(slow_groups_leave_a_warp),
    cmocka_unit_test(the_word_with_more_slow_lanes_leaves_or_the_second),
    cmocka_unit_test(a_pair_splits_from_the_threshold_on),
    cmocka_unit_test(late_data_make_a_warp_diverge),
    cmocka_unit_test(data_that_are_late_for_all_cut_nobody),
    cmocka_unit_test(every_thread_keeps_its_registers),
    cmocka_unit_test(a_pair_fuses_again),
    cmocka_unit_test(the_second_sm_is_off_while_its_pair_is_fused),
    cmocka_unit_test(a_launch_may_end_split),
    cmocka_unit_test(threads_of_a_cut_warp_meet_to_exchange),
    cmocka_unit_test(a_barrier_waits_for_threads_in_both_sms),
    cmocka_unit_test(fast_warps_move_to_an_sm_that_stalls),
    cmocka_unit_test(a_second_sm_stalls_by_what_it_could_issue),
    cmocka_unit_test(a_warp_that_was_not_cut_has_both_datapaths),
    cmocka_unit_test(a_pair_that_never_splits_hears_of_late_lanes),
    cmocka_unit_test(warps_of_several_widths_are_watched),
    cmocka_unit_test(what_does_not_fit_is_refused),
};

TEST_MAIN(tests)
