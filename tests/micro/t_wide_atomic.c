/* t_wide_atomic.c -- global atomics of warps of 64 and 128 lanes, counted by hand; see wide.h and t_atomic.c */
#include "tests/micro/wide.h"

/* An atomic issued in t is back in t + 141, each further access a cycle later; ret issues then. */
static u64 atomic_takes(const struct wide *w, u64 at, u32 accesses)
{
    return at + 141 + accesses - 1 + 7 + wide_passes(w) - 1;
}

/* 64 and 128 accesses, one a cycle through everything; each writes the registers of one word. */
static void lanes_on_one_word_are_an_access_each(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        wide_check(&t, w, TIMED_A "atom.global.add.u32 %r1, [%rd0], 1;",
                   atomic_takes(w, 6, wide_lanes(w)));
        assert_int_equal(timed_u32(&t, 0), wide_lanes(w));
        assert_int_equal(STAT(&t, sm.atomics), 1);
        assert_int_equal(STAT(&t, sm.mem_accesses), wide_lanes(w));
        assert_int_equal(STAT(&t, slice.atomic), wide_lanes(w));
        assert_int_equal(STAT(&t, sm.reg_writes), wide_lanes(w));
        timed_close(&t);
    }
}

/* Four sectors for each 32 lanes. */
static void lanes_on_different_words_share_sectors(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        wide_check(&t, w, LANES(4) "atom.global.add.u32 %r1, [%rd1], %r0;",
                   atomic_takes(w, w->at, 4 * w->words));
        assert_int_equal(STAT(&t, sm.mem_accesses), 4 * w->words);
        for (u32 i = 0; i < wide_lanes(w); i++)
            assert_int_equal(timed_u32(&t, 4 * i), i);
        timed_close(&t);
    }
}

/* The same lane of each word of the warp is at the same address: of each of four sectors an access for every word. */
static void words_of_a_warp_on_one_line_take_turns(void **state)
{
    static const char body[] = "mov.u32 %r0, %laneid; ld.param.u64 %rd0, [a];"
                               "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;"
                               "atom.global.add.u32 %r2, [%rd1], 1;";
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        wide_check(&t, w, body, atomic_takes(w, w->at, 4 * w->words));
        assert_int_equal(STAT(&t, sm.mem_accesses), 4 * w->words);
        for (u32 i = 0; i < 32; i++)
            assert_int_equal(timed_u32(&t, 4 * i), w->words);
        timed_close(&t);
    }
}

/* Lane by lane, the first first, whichever word it is in. */
static void lanes_get_what_was_there_before(void **state)
{
    struct timed t;

    (void)state;
    EACH_WIDTH(w)
    {
        path_open(&t, LANES(4) "atom.global.add.u32 %r2, [%rd0], 1; st.global.u32 [%rd1+4], %r2;",
                  wide_set(w, NULL));
        timed_run(&t, 1, wide_lanes(w));
        for (u32 i = 0; i < wide_lanes(w); i++)
            assert_int_equal(timed_u32(&t, 4 + 4 * i), i);
        timed_close(&t);
    }
}

/* Elements 4 lane + word: of a 64-lane warp two, of a 128-lane warp all four words of a lane lie side by side. */
#define MIXED                                                                                      \
    "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; and.b32 %r1, %r0, 31; shr.u32 %r2, %r0, 5;"      \
    "mad.lo.u32 %r3, %r1, 4, %r2; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1;"            \
    "mul.wide.u32 %rd2, %r0, 4; add.u64 %rd2, %rd0, %rd2;"

/*
 * 512 bytes, 16 sectors: each an access, with two lanes of every word of the warp; they get back what was in their own
 * element, its number.
 */
static void an_access_has_lanes_of_several_words(void **state)
{
    struct timed t;
    u32 number[128];

    (void)state;
    for (u32 i = 0; i < 128; i++)
        number[i] = i;
    EACH_WIDTH(w)
    {
        path_open(&t,
                  MIXED "atom.global.exch.b32 %r4, [%rd1], %r0; st.global.u32 [%rd2+4096], %r4;",
                  wide_set(w, NULL));
        timed_write(&t, 0, number, sizeof number);
        timed_run(&t, 1, wide_lanes(w));
        assert_int_equal(STAT(&t, sm.mem_accesses), 16 + w->words);
        assert_int_equal(STAT(&t, slice.atomic), 16);
        for (u32 i = 0; i < wide_lanes(w); i++) {
            u32 element = 4 * (i & 31) + i / 32;

            assert_int_equal(timed_u32(&t, 4 * element), i);
            assert_int_equal(timed_u32(&t, 4096 + 4 * i), element);
        }
        timed_close(&t);
    }
}

/* Thread 40's atomic, in the second word, is under way when another warp frees its memory. */
static void the_thread_whose_memory_is_gone_is_named(void **state)
{
    static const char text[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n"
        ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p);\n"
        ".visible .entry k(.param .u64 a) {\n"
        ".reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p; .param .b64 x; .param .b64 y;\n"
        "ld.param.u64 %d0, [a]; mov.u32 %r0, %tid.x; setp.ne.u32 %p, %r0, 0; @%p bra use;\n"
        "mov.u64 %d1, 4; st.param.b64 [x], %d1; call (y), malloc, (x); ld.param.b64 %d1, [y];\n"
        "st.global.u64 [%d0], %d1;\n"
        "use: bar.sync 0; ld.global.cg.u64 %d1, [%d0]; setp.eq.u32 %p, %r0, 64; @%p bra gone;\n"
        "setp.eq.u32 %p, %r0, 40; add.u64 %d1, %d1, 0;\n"
        "@%p atom.global.add.u32 %r1, [%d1], 1;\n"
        "ret;\n"
        "gone: st.param.b64 [x], %d1; call free, (x);\n"
        "ret; }\n";
    const u32 grid[3] = {1, 1, 1}, block[3] = {65, 1, 1};
    struct timed t;

    (void)state;
    timed_open_module(&t, text, wide_set(&wide_all[0], NULL));
    for (u32 i = 0; i < 2; i++) {
        assert_false(device_run(t.d[i], t.p[i], "k", grid, block, 0, (const u8 *)&t.buf[i], &t.e));
        assert_non_null(strstr(t.e.msg, "inside the freed heap block"));
        assert_non_null(strstr(t.e.msg, "(test.ptx:12, thread 40,0,0 of block 0,0,0)"));
    }
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lanes_on_one_word_are_an_access_each),
    cmocka_unit_test(lanes_on_different_words_share_sectors),
    cmocka_unit_test(words_of_a_warp_on_one_line_take_turns),
    cmocka_unit_test(lanes_get_what_was_there_before),
    cmocka_unit_test(an_access_has_lanes_of_several_words),
    cmocka_unit_test(the_thread_whose_memory_is_gone_is_named),
};

TEST_MAIN(tests)
