/* t_wide_memory.c -- accesses of warps of 64 and 128 lanes, counted by hand; see wide.h */
#include "tests/micro/wide.h"

/*
 * n packets of replies come to the SM one a cycle from t+174 on, the last in t+173+n; its line is filled in the
 * next cycle and written back two later: t+176+n (a line: 180).
 */
static u64 lines_take(u32 lines)
{
    return 176 + 4 * lines;
}

/*
 * Each line has lanes of one word of the warp, so its data are written to one word's registers; mov, mul.wide and add write all
 * words' (a hit of the constant cache takes no bank).
 */
static void load_check(const struct wide *w, const char *body, u32 lines)
{
    struct timed t;

    wide_check(&t, w, body, w->at + lines_take(lines) + 1);
    assert_int_equal(STAT(&t, sm.loads), 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), lines);
    assert_int_equal(STAT(&t, l1d.access), lines);
    assert_int_equal(STAT(&t, request.packets), lines);
    assert_int_equal(STAT(&t, reply.packets), 4 * lines);
    assert_int_equal(STAT(&t, sm.reg_writes), 3 * w->words + lines);
    timed_close(&t);
}

/* All lanes at one address: one access of 180, issued in 6 (it waits for no arithmetic), for the registers of all words. */
static void a_broadcast_is_one_access(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        wide_check(&t, w, TIMED_A "ld.global.u64 %rd1, [%rd0];", 6 + 180 + 1);
        assert_int_equal(STAT(&t, sm.reg_writes), w->words);
        assert_int_equal(STAT(&t, sm.mem_accesses), 1);
        assert_int_equal(STAT(&t, request.packets), 1);
        timed_close(&t);
    }
}

/* 256 or 512 bytes: a line for each 32 lanes. */
static void neighbouring_words_are_a_line_for_32_lanes(void **state)
{
    (void)state;
    EACH_WIDTH(w)
    load_check(w, LANES(4) "ld.global.u32 %r1, [%rd1];", w->words);
}

static void every_other_word_is_twice_as_many(void **state)
{
    (void)state;
    EACH_WIDTH(w)
    load_check(w, LANES(8) "ld.global.u32 %r1, [%rd1];", 2 * w->words);
}

/* 64 lines, 432.  128 are all the lines of L1D, and more than it has MSHRs: here it is larger, 688. */
static void a_line_per_lane_is_an_access_per_lane(void **state)
{
    static const char body[] = LANES(128) "ld.global.u32 %r1, [%rd1];";
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        const char *const *set = wide_set(w, NULL);

        path_check(&t, body, TIMED_SET(set[0], set[1], "l1d.mshrs=128", "l1d.ways=16"),
                   wide_lanes(w), w->at + lines_take(wide_lanes(w)) + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), wide_lanes(w));
        assert_int_equal(STAT(&t, l1d.miss), wide_lanes(w));
        timed_close(&t);
    }
}

/*
 * Lane i of word k reads element words * i + k: each line has lanes of all words, and is written to the registers of all.  As
 * many lines as with lanes in order.
 * tid 3, and 9 (L 1), shr 10 (L 1), mad behind it 17 (L 5), mul.wide 28 (L 4), add 38, the load 48.
 */
static void words_of_a_warp_share_lines(void **state)
{
    static const char *const body[] = {
        "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; and.b32 %r1, %r0, 31; shr.u32 %r2, %r0, 5;"
        "mad.lo.u32 %r3, %r1, 2, %r2; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1;"
        "ld.global.u32 %r4, [%rd1];",
        "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; and.b32 %r1, %r0, 31; shr.u32 %r2, %r0, 5;"
        "mad.lo.u32 %r3, %r1, 4, %r2; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1;"
        "ld.global.u32 %r4, [%rd1];"};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < 2; i++) {
        const struct wide w = {2 + 2 * i, 64 + 64 * i, 48};

        wide_check(&t, &w, body[i], w.at + lines_take(w.words) + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), w.words);
        assert_int_equal(STAT(&t, sm.reg_writes), 6 * w.words + w.words * w.words);
        timed_close(&t);
    }
}

/*
 * What skips L1D is an access for each sector.  One: 141.  Of 64 lanes 8, of 128 lanes 16, one a cycle from the latch
 * to the write-back: the last 7 and 15 later.
 */
static void sectors_are_shared_by_all_lanes(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        wide_check(&t, w, TIMED_A "ld.global.cg.u64 %rd1, [%rd0];", 6 + 141 + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), 1);
        timed_close(&t);
        wide_check(&t, w, LANES(4) "ld.global.cg.u32 %r1, [%rd1];",
                   w->at + 141 + 4 * w->words - 1 + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), 4 * w->words);
        timed_close(&t);
    }
}

/* One sector: 175.  Whole lines of 4 flits: 181, each further one 4 cycles behind. */
static void stores_are_coalesced_as_loads_are(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        wide_check(&t, w, TIMED_A "st.global.u32 [%rd0], %r1;", 6 + 175 + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), 1);
        assert_int_equal(STAT(&t, request.flits), 1);
        timed_close(&t);
        wide_check(&t, w, LANES(4) "st.global.u32 [%rd1], %r0;",
                   w->at + 181 + 4 * (w->words - 1) + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), w->words);
        assert_int_equal(STAT(&t, request.flits), 4 * w->words);
        for (u32 i = 0; i < wide_lanes(w); i++)
            assert_int_equal(timed_u32(&t, 4 * i), i);
        timed_close(&t);
    }
}

/* A parameter is one line of the constant cache for all lanes. */
static void a_parameter_is_one_access_of_a_constant(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        path_open(&t, TIMED_A, wide_set(w, "sm.perfect_const=off"));
        timed_run(&t, 1, wide_lanes(w));
        assert_int_equal(STAT(&t, sm.const_insts), 1);
        assert_int_equal(STAT(&t, l1c.miss), 1);
        assert_int_equal(STAT(&t, request.packets), 1);
        timed_close(&t);
    }
}

/* The same word of 64 threads is two lines of local memory, of 128 threads four: stores of 4 flits each. */
static void local_words_of_all_lanes_are_neighbours(void **state)
{
    static const char text[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
        ".local .align 8 .b8 l[256];\n.reg .b32 %r<8>;\nst.local.u32 [l], %r1;\nret;\n}\n";
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        timed_open_module(&t, text, path_set(wide_set(w, NULL)));
        assert_int_equal(timed_run(&t, 1, wide_lanes(w)), 3 + 181 + 4 * (w->words - 1) + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), w->words);
        assert_int_equal(STAT(&t, request.flits), 4 * w->words);
        timed_close(&t);
    }
}

/* ---- shared memory */

/*
 * tid 3; P 1: shift 9 (L 1), load 16.  P 2: shift 10 (L 2), load 18.  P 4: shift 12 (L 4), load 22.  Its reader issues 30 + n later for n
 * different words in a bank, ret two after it, and the launch is over 7 + P - 1 after that.
 */
static void shared_takes(const struct wide *w, const char *shift, const char *more, u32 n)
{
    char *body = text_printf(
        "mov.u32 %%r1, %%tid.x; %s ld.shared.u32 %%r3, [%%r2]; mov.u32 %%r4, %%r3;", shift);
    u32 passes = wide_passes(w), load = passes == 1 ? 16 : passes == 2 ? 18 : 22;
    struct timed t;

    path_check(&t, body, wide_set(w, more), wide_lanes(w), load + 30 + n + 2 + 7 + passes - 1);
    assert_int_equal(STAT(&t, sm.shared_insts), 1);
    assert_int_equal(STAT(&t, sm.shared_cycles), n);
    timed_close(&t);
    free(body);
}

/* 32 banks give 32 words a cycle: 64 words take two. */
static void neighbouring_words_take_a_cycle_for_32_lanes(void **state)
{
    (void)state;
    EACH_WIDTH(w)
    shared_takes(w, "shl.b32 %r2, %r1, 2;", NULL, w->words);
}

static void as_many_banks_as_lanes_take_one_cycle(void **state)
{
    (void)state;
    EACH_WIDTH(w)
    shared_takes(w, "shl.b32 %r2, %r1, 2;", "sm.smem_banks=64", w->words / 2);
}

static void every_other_word_takes_twice_as_long(void **state)
{
    (void)state;
    EACH_WIDTH(w)
    shared_takes(w, "shl.b32 %r2, %r1, 3;", NULL, 2 * w->words);
}

static void words_of_one_bank_take_a_cycle_per_lane(void **state)
{
    (void)state;
    EACH_WIDTH(w)
    shared_takes(w, "shl.b32 %r2, %r1, 7;", NULL, wide_lanes(w));
}

/* All lanes at address 0. */
static void one_word_for_all_takes_one_cycle(void **state)
{
    (void)state;
    EACH_WIDTH(w)
    shared_takes(w, "shr.u32 %r2, %r1, 7;", NULL, 1);
}

/* Each word of the warp reads words 0 to 31: one cycle for all of them. */
static void the_same_words_in_each_word_take_one_cycle(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid; shl.b32 %r2, %r1, 2; ld.shared.u32 %r3, [%r2];";
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        path_open(&t, body, wide_set(w, NULL));
        timed_run(&t, 1, wide_lanes(w));
        assert_int_equal(STAT(&t, sm.shared_cycles), 1);
        timed_close(&t);
    }
}

/* ---- sm.wide_memory: words by themselves */

#define APART "sm.wide_memory=words"

/*
 * A line for each word, the same: the first is back as ever, those of the others wait for the same miss and are written back one
 * a cycle behind it.
 */
static void apart_a_broadcast_is_an_access_for_each_word(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        path_check(&t, TIMED_A "ld.global.u64 %rd1, [%rd0];", wide_set(w, APART), wide_lanes(w),
                   6 + 180 + (w->words - 1) + 1);
        assert_int_equal(STAT(&t, sm.reg_writes), w->words);
        assert_int_equal(STAT(&t, sm.mem_accesses), w->words);
        assert_int_equal(STAT(&t, request.packets), 1);
        timed_close(&t);
    }
}

/* Every word's lanes are in lines of their own in any case. */
static void apart_neighbouring_words_are_what_they_were(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        path_check(&t, LANES(4) "ld.global.u32 %r1, [%rd1];", wide_set(w, APART), wide_lanes(w),
                   w->at + lines_take(w->words) + 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), w->words);
        timed_close(&t);
    }
}

/* As above: each word has lanes in as many lines as there are words. */
static void apart_words_do_not_share_lines(void **state)
{
    static const char body[] =
        "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; and.b32 %r1, %r0, 31; shr.u32 %r2, %r0, 5;"
        "mad.lo.u32 %r3, %r1, 2, %r2; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1;"
        "ld.global.u32 %r4, [%rd1];";
    struct timed t;

    (void)state;
    path_open(&t, body, TIMED_SET("sm.warp_words=2", APART));
    timed_run(&t, 1, 64);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2 * 2);
    assert_int_equal(STAT(&t, request.packets), 2);
    assert_int_equal(STAT(&t, sm.reg_writes), 6 * 2 + 2 * 2);
    timed_close(&t);
}

static void apart_shared_takes(const char *address, u32 two, u32 four)
{
    char *body = text_printf("mov.u32 %%r1, %%tid.x; %s ld.shared.u32 %%r3, [%%r2];", address);
    struct timed t;

    EACH_WIDTH(w)
    {
        path_open(&t, body, wide_set(w, APART));
        timed_run(&t, 1, wide_lanes(w));
        assert_int_equal(STAT(&t, sm.shared_cycles), w->words == 2 ? two : four);
        timed_close(&t);
    }
    free(body);
}

/* One word for all; 32 of each word in 32 banks, every other one, all in one bank. */
static void apart_shared_memory_takes_the_sum_of_the_words(void **state)
{
    (void)state;
    apart_shared_takes("shr.u32 %r2, %r1, 7;", 2, 4);
    apart_shared_takes("shl.b32 %r2, %r1, 2;", 2, 4);
    apart_shared_takes("shl.b32 %r2, %r1, 3;", 4, 8);
    apart_shared_takes("shl.b32 %r2, %r1, 7;", 64, 128);
}

/* Lanes of the first word alone, 32 in a bank; a word without lanes takes nothing. */
static void apart_a_word_that_is_off_takes_nothing(void **state)
{
    struct timed t;

    (void)state;
    path_open(&t,
              "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; shl.b32 %r2, %r1, 7;"
              "@%p1 ld.shared.u32 %r3, [%r2];",
              TIMED_SET("sm.warp_words=2", APART));
    timed_run(&t, 1, 64);
    assert_int_equal(STAT(&t, sm.shared_cycles), 32);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_broadcast_is_one_access),
    cmocka_unit_test(neighbouring_words_are_a_line_for_32_lanes),
    cmocka_unit_test(every_other_word_is_twice_as_many),
    cmocka_unit_test(a_line_per_lane_is_an_access_per_lane),
    cmocka_unit_test(words_of_a_warp_share_lines),
    cmocka_unit_test(sectors_are_shared_by_all_lanes),
    cmocka_unit_test(stores_are_coalesced_as_loads_are),
    cmocka_unit_test(a_parameter_is_one_access_of_a_constant),
    cmocka_unit_test(local_words_of_all_lanes_are_neighbours),
    cmocka_unit_test(neighbouring_words_take_a_cycle_for_32_lanes),
    cmocka_unit_test(as_many_banks_as_lanes_take_one_cycle),
    cmocka_unit_test(every_other_word_takes_twice_as_long),
    cmocka_unit_test(words_of_one_bank_take_a_cycle_per_lane),
    cmocka_unit_test(one_word_for_all_takes_one_cycle),
    cmocka_unit_test(the_same_words_in_each_word_take_one_cycle),
    cmocka_unit_test(apart_a_broadcast_is_an_access_for_each_word),
    cmocka_unit_test(apart_neighbouring_words_are_what_they_were),
    cmocka_unit_test(apart_words_do_not_share_lines),
    cmocka_unit_test(apart_shared_memory_takes_the_sum_of_the_words),
    cmocka_unit_test(apart_a_word_that_is_off_takes_nothing),
};

TEST_MAIN(tests)
