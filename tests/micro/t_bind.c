/* t_bind.c -- wide and joined SMs, further stages, and bindings that cannot be made. */
#include "tests/micro/bound.h"

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
        check_results(mech[i / LEN(set)], TIMED_SET("sm.n_warp=24", "sm.fence_waits=all",
                                                    "sm.war_readers=1", set[i % LEN(set)]));
}

/* ---- what cannot be bound */

static void only_two_sms_are_joined(void **state)
{
    (void)state;
    check_refused("bind:kind=join,size=4",
                  "-m bind:kind=join,size=4: kind=join binds two SMs: size=2");
}

static void a_warp_has_32_64_or_128_lanes(void **state)
{
    (void)state;
    check_refused("bind:kind=wide,size=3",
                  "-m bind:kind=wide,size=3: kind=wide: warps of 96 lanes; "
                  "32, 64 or 128 are possible: size=2");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_warp_of_64_lanes_over_two_datapaths_needs_one_pass),
    cmocka_unit_test(a_warp_of_128_lanes_over_four_datapaths_needs_one_pass),
    cmocka_unit_test(loads_of_a_wide_warp_coalesce_as_one),
    cmocka_unit_test(a_wide_load_takes_as_long_as_its_lines),
    cmocka_unit_test(wide_warps_meet_at_a_barrier),
    cmocka_unit_test(words_of_wide_warps_share_memory),
    cmocka_unit_test(both_front_ends_of_a_joined_sm_issue),
    cmocka_unit_test(a_barrier_joins_warps_of_both_front_ends),
    cmocka_unit_test(both_front_ends_see_one_shared_memory),
    cmocka_unit_test(each_stage_adds_its_cycles_to_a_dependence),
    cmocka_unit_test(l1d_is_a_stage_further),
    cmocka_unit_test(shared_memory_is_a_stage_further),
    cmocka_unit_test(later_stages_hold_up_no_independent_instructions),
    cmocka_unit_test(twice_the_ways_hold_twice_the_lines),
    cmocka_unit_test(all_kinds_compute_the_same_on_all_kinds_of_sms),
    cmocka_unit_test(only_two_sms_are_joined),
    cmocka_unit_test(a_warp_has_32_64_or_128_lanes),
};

TEST_MAIN(tests)
