/* t_buddy.c -- Buddy SM, counted by hand: together, ungrouping, regrouping, CTAs in sets. */
#define SHEET_DEF "mech/buddy.def"
#include "base/base.h"
struct buddy_stat {
#include "base/sheet_stats.inc"
};

#include "tests/micro/bound.h"

#define TWO "buddy:size=2"
#define FOUR "buddy:size=4"

static struct buddy_stat buddies(const struct timed *t)
{
    struct buddy_stat st[2] = {0};

    for (u32 i = 0; i < 2; i++)
        mech_count(t->d[i]->mechs, 0, &st[i]);
    assert_memory_equal(&st[0], &st[1], sizeof st[0]);
    return st[0];
}

/* ---- together */

/*
 * Adds in 3 and 13, back in 23, without it.  The communicate stage is a cycle more for each, the
 * master's too.  To the other SM go three instructions, 64 bits over 5 mm.
 */
static void an_instruction_takes_the_communicate_stage(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, TWO, DEPENDENT, TIMED_SET(SMS(2)), 2, 32), 25 + 1);
    assert_int_equal(issued_by(&t, 0), 3);
    assert_int_equal(issued_by(&t, 1), 0);
    assert_int_equal(STAT(&t, sm.followed), 3);
    assert_int_equal(STAT(&t, ptx.warp_insts), 6);
    assert_int_equal(buddies(&t).inst_packets, 3);
    assert_int_equal(buddies(&t).bit_mm, 3 * 64 * 5);
    assert_int_equal(buddies(&t).ungrouped, 0);
    timed_close(&t);
    assert_int_equal(
        bound_cycles("buddy:size=2,communicate=0", DEPENDENT, TIMED_SET(SMS(2)), 2, 32), 23 + 1);
    assert_int_equal(
        bound_cycles("buddy:size=2,communicate=3", DEPENDENT, TIMED_SET(SMS(2)), 2, 32), 29 + 1);
    assert_int_equal(bound_cycles("buddy:size=1", DEPENDENT, TIMED_SET(SMS(2)), 2, 32), 23 + 1);
}

/* Members in two columns: 5, 5 and 10 mm; 5, 5, 10, 10, 15, 15 and 20. */
static void wires_are_as_long_as_the_cluster_is_large(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, FOUR, DEPENDENT, TIMED_SET(SMS(4)), 4, 32);
    assert_int_equal(buddies(&t).inst_packets, 3 * 3);
    assert_int_equal(buddies(&t).bit_mm, 3 * 64 * 20);
    timed_close(&t);
    bound(&t, "buddy:size=8", DEPENDENT, TIMED_SET(SMS(8)), 8, 32);
    assert_int_equal(buddies(&t).inst_packets, 3 * 7);
    assert_int_equal(buddies(&t).bit_mm, 3 * 64 * 80);
    timed_close(&t);
}

/*
 * Three packets of 64 bits over 5 mm, 960 bit mm.  A flit of 32 bytes that takes 2,944 pJ is 11.5 pJ a bit, over 11.5 mm 1 pJ a
 * bit and mm, over 23 mm a half; a wire takes 0.05.
 */
static void links_cost_what_the_network_does_or_a_wire(void **state)
{
    static const struct {
        const char *mech;
        double pj;
    } row[] = {{"buddy:size=2,link_energy=icnt", 960},
               {"buddy:size=2,link_energy=icnt,icnt_mm=23", 480},
               {"buddy:size=2,link_energy=wire", 48}};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(row); i++) {
        bound(&t, row[i].mech, DEPENDENT,
              TIMED_SET(SMS(2), "power.e_noc_flit=2944", "noc.flit_bytes=32"), 2, 32);
        assert_float_equal(t.d[0]->energy.part[COMP_mechanism].dynamic_j * 1e12, row[i].pj, 0.1);
        timed_close(&t);
    }
}

/*
 * t_bind_lock.c: lanes of one CTA load one word and are back after 180 cycles, those of the other four
 * lines, 192.  The address is computed in T, the clock, of the same pair, read in T + 1, and the load goes
 * in T + 11; it is back a communicate stage later, and if it was not the master's, known a cycle after
 * that.  Its reader goes then, second of its pair, and the second clock is read two cycles later.
 */
#define SPREAD(other)                                                                              \
    TIMED_A "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r0, 16, 256;\n"          \
            "xor.b32 %r1, %r1, " #other ";\n"                                                      \
            "mul.wide.u32 %rd1, %r2, %r1; add.u64 %rd1, %rd0, %rd1; mov.u32 %r20, %clock;\n"       \
            "ld.global.u32 %r4, [%rd1]; add.u32 %r5, %r4, 1; mov.u32 %r21, %clock;\n" LOG

static void check_load(const char *mech, const char *body, u32 load)
{
    struct timed t;

    bound_path(&t, mech, body, TIMED_SET(SMS(2)), 2, 32);
    for (u32 cta = 0; cta < 2; cta++)
        assert_int_equal(clock_of(&t, cta, 0, 1) - clock_of(&t, cta, 0, 0), 10 + load + 2);
    assert_int_equal(buddies(&t).ungrouped, 0);
    timed_close(&t);
}

static void a_late_load_of_one_holds_the_reader_of_all(void **state)
{
    (void)state;
    check_load(TWO, SPREAD(0), 192 + 1 + 1);
    check_load("buddy:size=2,ack=5", SPREAD(0), 192 + 1 + 5);
}

/* Then the other SM's, back 12 cycles earlier, has been known for long. */
static void the_masters_own_load_needs_no_acknowledgement(void **state)
{
    (void)state;
    check_load(TWO, SPREAD(1), 192 + 1);
}

/* A load and no other instruction of these is acknowledged: ld.param, ld.shared. */
static void only_results_of_memory_are_acknowledged(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, TWO,
          TIMED_A "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; st.shared.u32 [%r2], %r1;\n"
                  "ld.shared.u32 %r3, [%r2]; add.u32 %r4, %r3, 1;",
          TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).mem_packets, 2);
    timed_close(&t);
}

/* ---- apart */

static void check_parted(const char *mech, const char *body, u32 jumps, u32 c0, u32 c1)
{
    struct timed t;

    bound(&t, mech, body, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(clock_of(&t, 0, 0, 0), c0);
    assert_int_equal(clock_of(&t, 1, 0, 0), c1);
    for (u32 cta = 0; cta < 2; cta++)
        assert_int_equal(clock_of(&t, cta, 0, 2), cta == jumps ? 20 : 10);
    assert_int_equal(buddies(&t).ungrouped, 1);
    assert_int_equal(buddies(&t).ctrl_packets, 1);
    assert_int_equal(buddies(&t).hints, 1);
    timed_close(&t);
}

/*
 * ctaid 3, setp 10, bra 18: a communicate stage each.  Lanes go out in 19, the answer is there in 20,
 * and 12 cycles later the master goes on with what it had buffered; the other fetches in 32 and goes
 * on in 34, as does a master that jumps.
 */
static void sms_that_go_different_ways_ungroup(void **state)
{
    (void)state;
    check_parted(TWO, JUMP(1), 1, 18 + 1 + 1 + 12, 18 + 1 + 1 + 12 + 2);
    check_parted(TWO, JUMP(0), 0, 34, 34);
}

/* The branch is back in 18 + 6 + 1, later than 18 + 1 + 1 + 1. */
static void ungrouping_waits_for_the_masters_scoreboard(void **state)
{
    (void)state;
    check_parted("buddy:size=2,wake=1", JUMP(1), 1, 25, 27);
    check_parted("buddy:size=2,wake=1", JUMP(0), 0, 27, 27);
}

/* 19 + 1 + 12 from the branch on both; before it they were together for 18 cycles, from 0 on. */
static void buddy_time_ends_at_the_branch(void **state)
{
    struct timed t;
    u64 cycles;

    (void)state;
    cycles = bound(&t, TWO, JUMP(1), TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).buddy_cycles, 2 * 18);
    assert_int_equal(buddies(&t).ramp_cycles, 2 * 14);
    assert_int_equal(buddies(&t).cluster_cycles, 2 * cycles);
    timed_close(&t);
    cycles = bound(&t, TWO, DEPENDENT, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).buddy_cycles, 2 * cycles);
    timed_close(&t);
}

static void check_front_end(const struct timed *t, u64 off, u64 waking)
{
    const struct sm_stat *st = &t->last->counters->sm;
    const u64 row[][2] = {{st->icache_off, st->icache_waking},
                          {st->fetch_decode_off, st->fetch_decode_waking},
                          {st->ibuffer_off, st->ibuffer_waking},
                          {st->scoreboard_off, st->scoreboard_waking},
                          {st->scheduler_off, st->scheduler_waking}};

    for (u32 i = 0; i < LEN(row); i++) {
        assert_int_equal(row[i][0], off * RESIDENCY_WHOLE);
        assert_int_equal(row[i][1], waking * RESIDENCY_WHOLE);
    }
    assert_int_equal(st->simt_stack_off, 0); /* each keeps its own (4.1) */
}

/* Of all but the master: one of two, three of four; for all of a launch, or as above. */
static void five_parts_of_the_other_front_ends_are_off(void **state)
{
    struct timed t;
    u64 cycles;

    (void)state;
    cycles = bound(&t, TWO, DEPENDENT, TIMED_SET(SMS(2)), 2, 32);
    check_front_end(&t, cycles, 0);
    timed_close(&t);
    cycles = bound(&t, FOUR, DEPENDENT, TIMED_SET(SMS(4)), 4, 32);
    check_front_end(&t, 3 * cycles, 0);
    timed_close(&t);
    bound(&t, TWO, JUMP(1), TIMED_SET(SMS(2)), 2, 32);
    check_front_end(&t, 18, 14);
    timed_close(&t);
}

/* Lines of four instructions: the other SM has fetched none of them before. */
static void an_i_cache_that_was_off_is_cold(void **state)
{
    struct timed t;
    u64 misses[2];

    (void)state;
    for (u32 i = 0; i < 2; i++) {
        bound(&t, i ? TWO : NULL, JUMP(1), TIMED_SET(SMS(2), "sm.perfect_icache=off"), 2, 32);
        again(&t, 2, 32);
        misses[i] = STAT(&t, l1i.miss);
        timed_close(&t);
    }
    assert_true(misses[1] > misses[0]);
}

#define COLD SMS(2), "sm.perfect_icache=off", "l1i.line=32" /* lines of four instructions */

/* A launch of three is two CTAs on SM 0 and one on SM 1, both alone; one of two is a cluster. */
static u64 misses_of(struct timed *t, u32 grid)
{
    again(t, grid, 32);
    return STAT(t, l1i.miss);
}

/* 16 instructions are four lines, for each SM; SM 1 follows in between and fetches none. */
static void a_launch_keeps_the_code_of_followers_or_loses_it(void **state)
{
    static const struct {
        const char *mech;
        u64 misses;
    } row[] = {{"buddy:size=2,icache=warm", 0},
               {"buddy:size=2,icache=kept", 0},
               {"buddy:size=2,icache=lost", 4}};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(row); i++) {
        bound(&t, row[i].mech, PASS(1) PASS(2) PASS(3) PASS(4) LOG, TIMED_SET(COLD), 3, 32);
        assert_int_equal(STAT(&t, l1i.miss), 2 * 4);
        assert_int_equal(misses_of(&t, 2), 0);
        assert_int_equal(misses_of(&t, 3), row[i].misses);
        timed_close(&t);
    }
}

/*
 * Both have the code; they part at the third instruction, and the follower jumps to the seventh of 16: it fetches three lines
 * again, the second to the fourth.
 */
static void ungrouping_loses_the_code_of_followers_or_does_not(void **state)
{
    static const char *const mech[] = {"buddy:size=2,icache=warm", "buddy:size=2,icache=kept",
                                       "buddy:size=2,icache=lost"};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(mech); i++) {
        bound(&t, mech[i], JUMP(1), TIMED_SET(COLD), 3, 32);
        assert_int_equal(misses_of(&t, 2), i ? 3 : 0);
        assert_int_equal(buddies(&t).ungrouped, 1);
        timed_close(&t);
    }
}

/* Some lanes of CTA 1's warp jump, none of the other's; or some of both, other ones. */
#define LANES_JUMP                                                                                 \
    "mov.u32 %r21, %ctaid.x; mov.u32 %r1, %tid.x; add.u32 %r2, %r21, 7;\n"                         \
    "setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; mov.u32 %r20, 1; bra J; L: mov.u32 %r20, 2; J:\n" LOG

static void lanes_are_compared_or_only_where_they_go(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, TWO, LANES_JUMP, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).ungrouped, 1);
    timed_close(&t);
    bound(&t, "buddy:size=2,compare=paths", LANES_JUMP, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).ungrouped, 0);
    timed_close(&t);
    bound(&t, "buddy:size=2,compare=paths", JUMP(1), TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).ungrouped, 1);
    timed_close(&t);
}

/* The condition is of thread numbers alone: all go the same way, and it needs no hint. */
static void counterparts_agree_on_their_thread_numbers(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, TWO,
          "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 8; @%p1 bra L; mov.u32 %r20, 1; bra J;\n"
          "L: mov.u32 %r20, 2; J:\n" LOG,
          TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).ungrouped, 0);
    assert_int_equal(buddies(&t).hints, 0);
    assert_int_equal(buddies(&t).mask_packets, 2);
    timed_close(&t);
}

/* ---- together again */

/*
 * On their own from 32 on.  The master: clock 32, %r22 34, bra J 35.  The other: 34, 35, and J follows.
 * What they issued in 35 is back in 41: they are one again, and the master, whose buffer is flushed in
 * 36 and filled in 38, goes on then.
 */
#define JUMP_CLOCK(cta)                                                                            \
    "mov.u32 %r21, %ctaid.x; setp.eq.u32 %p1, %r21, " #cta                                         \
    "; @%p1 bra L;\n" PASS(10) "bra J; L:\n" PASS(20) "J: mov.u32 %r21, %clock;\n" LOG

static void halfway_they_regroup_where_ways_meet(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "buddy:size=2,regroup=halfway", JUMP_CLOCK(1), TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).ungrouped, 1);
    assert_int_equal(buddies(&t).regrouped, 1);
    assert_int_equal(clock_of(&t, 0, 0, 0), 32);
    assert_int_equal(clock_of(&t, 1, 0, 0), 34);
    assert_int_equal(clock_of(&t, 0, 0, 1), 41);
    assert_int_equal(clock_of(&t, 1, 0, 1), 41);
    timed_close(&t);
}

/* One of them does 8 dependent adds on its side, and the other waits: both read the same clock. */
static void the_first_to_arrive_waits(void **state)
{
    static const char body[] =
        "mov.u32 %r21, %ctaid.x; setp.eq.u32 %p1, %r21, 1; @%p1 bra L;\n" PASS(
            10) "bra J; L:\n" PASS(20) "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, "
                                       "%r1, 1; add.u32 %r1, %r1, 1;\n"
                                       "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, "
                                       "%r1, 1; add.u32 %r1, %r1, 1;\n"
                                       "J: mov.u32 %r21, %clock;\n" LOG;
    struct timed t;

    (void)state;
    bound(&t, "buddy:size=2,regroup=halfway", body, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).regrouped, 1);
    assert_int_equal(clock_of(&t, 0, 0, 1), clock_of(&t, 1, 0, 1));
    assert_true(clock_of(&t, 0, 0, 1) >= 36 + 80);
    timed_close(&t);
    bound(&t, "buddy:size=2,regroup=halfway,patience=20", body, TIMED_SET(SMS(2)), 2, 32);
    assert_int_equal(buddies(&t).gave_up, 1);
    assert_true(clock_of(&t, 0, 0, 1) < clock_of(&t, 1, 0, 1));
    timed_close(&t);
}

/* Four times around: CTA 1 goes another way in the third. */
static void a_loop_may_part_them_again_and_again(void **state)
{
    static const char body[] =
        "mov.u32 %r21, %ctaid.x; mov.u32 %r20, 0; mov.u32 %r22, 0;\n"
        "N: and.b32 %r1, %r22, 1; setp.eq.u32 %p1, %r1, %r21; @%p1 bra L;\n"
        "add.u32 %r20, %r20, 100; bra J; L: add.u32 %r20, %r20, 1; J: add.u32 %r22, %r22, 1;\n"
        "setp.lt.u32 %p2, %r22, 4; @%p2 bra N;\n" LOG;
    struct timed t;

    (void)state;
    bound(&t, "buddy:size=2,regroup=halfway", body, TIMED_SET(SMS(2)), 2, 96);
    for (u32 cta = 0; cta < 2; cta++)
        for (u32 w = 0; w < 3; w++)
            assert_int_equal(clock_of(&t, cta, w, 0), 202);
    assert_int_equal(buddies(&t).regrouped, buddies(&t).ungrouped);
    assert_true(buddies(&t).ungrouped >= 4);
    timed_close(&t);
}

/* ---- CTAs in sets */

/*
 * An SM holds one.  All lanes of CTA 1 store, to a line each, which CTA 0 does not: alone SM 0 goes on
 * with CTA 2 before SM 1 does with CTA 3, in a set when both have all acknowledgements.
 */
static void a_set_waits_for_the_slowest_member(void **state)
{
    static const char body[] =
        TIMED_A "mov.u32 %r20, %clock; mov.u32 %r21, %ctaid.x; setp.eq.u32 %p1, %r21, 1;\n"
                "mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 128; add.u64 %rd1, %rd0, %rd1;\n"
                "@%p1 st.global.u32 [%rd1+65536], %r21;\n" LOG;
    struct timed t;
    u32 alone;

    (void)state;
    bound(&t, NULL, body, TIMED_SET(SMS(2), "sm.max_cta=1"), 4, 32);
    alone = clock_of(&t, 2, 0, 0);
    assert_true(alone < clock_of(&t, 3, 0, 0));
    timed_close(&t);
    bound(&t, TWO, body, TIMED_SET(SMS(2), "sm.max_cta=1"), 4, 32);
    assert_int_equal(clock_of(&t, 2, 0, 0), clock_of(&t, 3, 0, 0));
    assert_true(clock_of(&t, 2, 0, 0) > alone);
    assert_int_equal(buddies(&t).ungrouped, 0);
    timed_close(&t);
}

/*
 * Three CTAs for a cluster of four.  Default: it ungroups, wanted in 1, done in 13, and from the edge
 * in 18 on three SMs have one each, which ends in 26.  Adaptive: two and one from the beginning.
 */
static void blocks_that_are_left_over(void **state)
{
    static const u64 apart[] = {1, 1, 1, 0}, cut[] = {1, 0, 1, 0};
    struct timed t;

    (void)state;
    assert_int_equal(bound(&t, FOUR ",form=default", "", TIMED_SET(SMS(4)), 3, 32), 27);
    assert_int_equal(buddies(&t).residue, 1);
    for (u32 i = 0; i < 4; i++)
        assert_int_equal(issued_by(&t, i), apart[i]);
    timed_close(&t);
    bound(&t, FOUR, "", TIMED_SET(SMS(4)), 3, 32);
    assert_int_equal(buddies(&t).residue, 0);
    assert_int_equal(buddies(&t).cut, 1);
    assert_int_equal(buddies(&t).clusters, 1);
    for (u32 i = 0; i < 4; i++)
        assert_int_equal(issued_by(&t, i), cut[i]);
    timed_close(&t);
}

/* Table I, and what follows from it for eight. */
static void clusters_are_cut_as_table_1_says(void **state)
{
    static const struct {
        const char *mech;
        u32 ctas, clusters;
    } row[] = {{FOUR, 16, 4},
               {FOUR, 17, 4},
               {FOUR, 18, 5},
               {FOUR, 19, 4},
               {TWO, 17, 7},
               {TWO, 16, 8},
               {"buddy:size=8", 17, 3},
               {"buddy:size=8", 18, 4},
               {"buddy:size=8", 20, 3},
               {"buddy:size=8", 23, 3},
               {"buddy:size=8", 16, 2}};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(row); i++) {
        bound(&t, row[i].mech, "", TIMED_SET(SMS(16)), row[i].ctas, 32);
        assert_int_equal(buddies(&t).clusters, row[i].clusters);
        assert_int_equal(buddies(&t).residue, 0);
        assert_int_equal(STAT(&t, sm.ctas), row[i].ctas);
        timed_close(&t);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    check_refused("buddy:size=3",
                  "-m buddy:size=3: size=3: a cluster has 2, 4 or 8 SMs, or 1 for none");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_instruction_takes_the_communicate_stage),
    cmocka_unit_test(wires_are_as_long_as_the_cluster_is_large),
    cmocka_unit_test(links_cost_what_the_network_does_or_a_wire),
    cmocka_unit_test(a_late_load_of_one_holds_the_reader_of_all),
    cmocka_unit_test(the_masters_own_load_needs_no_acknowledgement),
    cmocka_unit_test(only_results_of_memory_are_acknowledged),
    cmocka_unit_test(sms_that_go_different_ways_ungroup),
    cmocka_unit_test(ungrouping_waits_for_the_masters_scoreboard),
    cmocka_unit_test(buddy_time_ends_at_the_branch),
    cmocka_unit_test(five_parts_of_the_other_front_ends_are_off),
    cmocka_unit_test(an_i_cache_that_was_off_is_cold),
    cmocka_unit_test(a_launch_keeps_the_code_of_followers_or_loses_it),
    cmocka_unit_test(ungrouping_loses_the_code_of_followers_or_does_not),
    cmocka_unit_test(lanes_are_compared_or_only_where_they_go),
    cmocka_unit_test(counterparts_agree_on_their_thread_numbers),
    cmocka_unit_test(halfway_they_regroup_where_ways_meet),
    cmocka_unit_test(the_first_to_arrive_waits),
    cmocka_unit_test(a_loop_may_part_them_again_and_again),
    cmocka_unit_test(a_set_waits_for_the_slowest_member),
    cmocka_unit_test(blocks_that_are_left_over),
    cmocka_unit_test(clusters_are_cut_as_table_1_says),
    cmocka_unit_test(what_does_not_fit_is_refused),
};

TEST_MAIN(tests)
