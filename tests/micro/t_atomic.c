/* t_atomic.c -- atomics on global and shared memory; see memory_path.h */
#include "tests/micro/memory_path.h"

/*
 * An atomic goes as a load that skips L1D: issued in 6, back in 6 + 141 = 147.  Until then its warp issues nothing:
 * ret, long in the buffer, goes in 147 and ends the launch 7 later.
 */
static void an_atomic_of_one_lane_holds_its_warp(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "atom.global.add.u32 %r1, [%rd0], 5;", NULL, 1, 147 + 7);
    assert_int_equal(timed_u32(&t, 0), 5);
    assert_int_equal(STAT(&t, sm.atomics), 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    assert_int_equal(STAT(&t, slice.atomic), 1);
    assert_int_equal(STAT(&t, request.flits), 1);
    assert_int_equal(STAT(&t, l1d.access), 0);
    timed_close(&t);
}

/* ret issues in 8; the warp ends with the atomic. */
static void without_atom_blocks_the_warp_goes_on(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "atom.global.add.u32 %r1, [%rd0], 5;", TIMED_SET("sm.atom_blocks=off"),
               1, 147 + 1);
    timed_close(&t);
}

/* The load waits for the reduction (issued in 6, back in 147), and shows what it left. */
static void without_atom_blocks_a_load_sees_the_atomic(void **state)
{
    struct timed t;

    (void)state;
    timed_open(&t,
               TIMED_A "red.global.add.u32 [%rd0], 5; ld.global.cg.u32 %r1, [%rd0];"
                       "st.global.u32 [%rd0+4], %r1;",
               TIMED_SET("sm.atom_blocks=off"));
    assert_true(timed_run(&t, 1, 1) > 147 + 141);
    assert_int_equal(timed_u32(&t, 4), 5);
    timed_close(&t);
}

/* Warp 0's atomic is under way when warp 1 frees its memory: the slice finds nothing there. */
static void memory_that_is_freed_meanwhile_is_a_fault(void **state)
{
    static const char text[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n"
        ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p);\n"
        ".visible .entry k(.param .u64 a) {\n"
        ".reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p; .param .b64 x; .param .b64 y;\n"
        "ld.param.u64 %d0, [a]; mov.u32 %r0, %tid.x; setp.ne.u32 %p, %r0, 0; @%p bra use;\n"
        "mov.u64 %d1, 4; st.param.b64 [x], %d1; call (y), malloc, (x); ld.param.b64 %d1, [y];\n"
        "st.global.u64 [%d0], %d1;\n"
        "use: bar.sync 0; ld.global.cg.u64 %d1, [%d0]; setp.eq.u32 %p, %r0, 32; @%p bra gone;\n"
        "add.u64 %d1, %d1, 0;\n"
        "atom.global.add.u32 %r1, [%d1], 1;\n"
        "ret;\n"
        "gone: st.param.b64 [x], %d1; call free, (x);\n"
        "ret; }\n";
    const u32 grid[3] = {1, 1, 1}, block[3] = {33, 1, 1};
    struct timed t;

    (void)state;
    timed_open_module(&t, text, NULL);
    for (u32 i = 0; i < 2; i++) {
        assert_false(device_run(t.d[i], t.p[i], "k", grid, block, 0, (const u8 *)&t.buf[i], &t.e));
        assert_string_equal(
            t.e.msg, "kernel k: global write of 4 bytes at 0x120010000 is out of bounds: inside "
                     "the freed heap "
                     "block 0x120010000..0x120010003 (test.ptx:12, thread 0,0,0 of block 0,0,0)"
                     "; --set mem.bounds=report goes on");
        assert_int_equal(t.d[i]->last.end, RUN_FAULT);
    }
    timed_close(&t);
}

/* 32 accesses, one a cycle through everything: 31 more than one. */
static void lanes_on_one_word_are_32_accesses(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "atom.global.add.u32 %r1, [%rd0], 1;", NULL, 32, 6 + 141 + 31 + 7);
    assert_int_equal(timed_u32(&t, 0), 32);
    assert_int_equal(STAT(&t, sm.mem_accesses), 32);
    assert_int_equal(STAT(&t, l2.access), 32);
    assert_int_equal(STAT(&t, slice.atomic), 32);
    timed_close(&t);
}

/* Lanes on different words of a sector share an access: four sectors. */
static void lanes_on_32_words_are_four_accesses(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(4) "atom.global.add.u32 %r1, [%rd1], %r0;", NULL, 32, 29 + 141 + 3 + 7);
    assert_int_equal(STAT(&t, sm.mem_accesses), 4);
    assert_int_equal(STAT(&t, slice.atomic), 4);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(timed_u32(&t, 4 * i), i);
    timed_close(&t);
}

/* Two lanes a word: of each sector two accesses, 16 words in 2 sectors. */
static void pairs_of_lanes_are_two_accesses_a_sector(void **state)
{
    struct timed t;

    (void)state;
    /* and 9 (mov), mul.wide after it 16, add 26, the atomic 36 */
    path_check(&t,
               "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; and.b32 %r1, %r0, 15;"
               "mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd0, %rd1;"
               "atom.global.add.u32 %r2, [%rd1], 1;",
               NULL, 32, 36 + 141 + 3 + 7);
    assert_int_equal(STAT(&t, sm.mem_accesses), 4);
    for (u32 i = 0; i < 16; i++)
        assert_int_equal(timed_u32(&t, 4 * i), 2);
    timed_close(&t);
}

/*
 * The lanes get 0 to 31, each once, lane 0 first.  The atomic needs %rd0 only and is fetched when the add is issued, in 19: it
 * goes in 21 and is back 172 later; the store of the results, a whole line, issues then and is acknowledged 181 later.
 */
static void lanes_get_what_was_there_before(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(4) "atom.global.add.u32 %r2, [%rd0], 1; st.global.u32 [%rd1+128], %r2;",
               NULL, 32, 21 + 172 + 181 + 1);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(timed_u32(&t, 128 + 4 * i), i);
    timed_close(&t);
}

/* A whole number below 2048 as f16. */
static u32 f16_of(u32 n)
{
    u32 e = n ? 31 - (u32)__builtin_clz(n) : 0;

    return n ? (15 + e) << 10 | (n << (10 - e) & 0x3ff) : 0;
}

/* 32 lanes add 1 to one number of 16 bits; what is above it in memory stays. */
static void old_values_of_16_bits_come_back_too(void **state)
{
    struct timed t;

    (void)state;
    path_open(&t,
              LANES(4) ".reg .b16 %h<3>; mov.b16 %h1, 0x3C00;"
                       "atom.global.add.noftz.f16 %h2, [%rd0], %h1; cvt.u32.u16 %r2, %h2;"
                       "st.global.u32 [%rd1+128], %r2;",
              NULL);
    timed_run(&t, 1, 32);
    assert_int_equal(timed_u32(&t, 0), f16_of(32));
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(timed_u32(&t, 128 + 4 * i), f16_of(i));
    timed_close(&t);
}

/* red has no result, but is as much under way. */
static void red_goes_as_atom(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "red.global.add.u32 [%rd0], 5;", NULL, 1, 147 + 7);
    assert_int_equal(timed_u32(&t, 0), 5);
    timed_close(&t);
}

/* A sector that is not in L2 is fetched first: 270. */
static void an_atomic_that_misses_fetches_its_sector(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "atom.global.add.u32 %r1, [%rd0], 5;", 1, 6 + 270 + 7);
    assert_int_equal(timed_u32(&t, 0), 5);
    assert_int_equal(STAT(&t, l2.miss), 1);
    assert_int_equal(STAT(&t, dram.read), 1);
    timed_close(&t);
}

/*
 * Two SMs, 32 atomics each on one word: one a cycle at the slice, 64 in all.  The requests of both begin to arrive
 * in the same cycle and wait for each other; the last is answered 63 after the first.
 */
static void atomics_of_two_sms_meet_in_the_slice(void **state)
{
    struct timed t;

    (void)state;
    path_open(&t, TIMED_A "atom.global.add.u32 %r1, [%rd0], 1;", NULL);
    assert_int_equal(timed_run(&t, 2, 32), 6 + 141 + 63 + 7);
    assert_int_equal(timed_u32(&t, 0), 64);
    timed_close(&t);
}

/*
 * A generic atomic of a thread on its own memory is performed at once and sends nothing; what the warp sent before it is
 * not sent again.  Lanes of the other half mean global memory: 16 words, two sectors.
 */
static void an_atomic_on_local_memory_sends_nothing(void **state)
{
    static const char text[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
        ".local .align 8 .b8 l[8]; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p;\n"
        "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [a]; mul.wide.u32 %d1, %r0, 4;\n"
        "add.u64 %d1, %d0, %d1; atom.global.add.u32 %r1, [%d1], 1;\n"
        "mov.u64 %d2, l; cvta.local.u64 %d2, %d2; st.local.u32 [l], %r0;\n"
        "atom.add.u32 %r2, [%d2], 5; ld.local.u32 %r3, [l];\n"
        "setp.lt.u32 %p, %r0, 16; selp.b64 %d3, %d1, %d2, %p; atom.add.u32 %r4, [%d3], 7;\n"
        "st.global.u32 [%d1+128], %r2; st.global.u32 [%d1+256], %r3; st.global.u32 [%d1+384], "
        "%r4;\n"
        "ret;\n}\n";
    struct timed t;

    (void)state;
    timed_open_module(&t, text, NULL);
    timed_run(&t, 1, 32);
    assert_int_equal(STAT(&t, sm.atomics), 3);
    assert_int_equal(STAT(&t, slice.atomic), 4 + 0 + 2);
    for (u32 i = 0; i < 32; i++) {
        assert_int_equal(timed_u32(&t, 4 * i), i < 16 ? 8 : 1);
        assert_int_equal(timed_u32(&t, 128 + 4 * i), i);
        assert_int_equal(timed_u32(&t, 256 + 4 * i), i + 5);
        assert_int_equal(timed_u32(&t, 384 + 4 * i), i < 16 ? 1 : i + 5);
    }
    timed_close(&t);
}

/* Shared memory: 31, one word of a bank whatever the lanes; ret in 3 + 31. */
static void a_shared_atomic_takes_as_long_as_a_load(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, "atom.shared.add.u32 %r1, [%r5], 1;", NULL, 32, 3 + 31 + 7);
    assert_int_equal(STAT(&t, sm.shared_insts), 1);
    assert_int_equal(STAT(&t, sm.req_sent), 0);
    timed_close(&t);
}

/* 32 lanes count to 32; then each stores what is there. */
static void shared_atomics_add_up(void **state)
{
    struct timed t;

    (void)state;
    path_open(&t,
              LANES(4) "atom.shared.add.u32 %r1, [%r5], 1; ld.shared.u32 %r2, [%r5];"
                       "add.u32 %r2, %r2, %r1; st.global.u32 [%rd1], %r2;",
              NULL);
    timed_run(&t, 1, 32);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(timed_u32(&t, 4 * i), 32 + i);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_atomic_of_one_lane_holds_its_warp),
    cmocka_unit_test(without_atom_blocks_the_warp_goes_on),
    cmocka_unit_test(without_atom_blocks_a_load_sees_the_atomic),
    cmocka_unit_test(memory_that_is_freed_meanwhile_is_a_fault),
    cmocka_unit_test(lanes_on_one_word_are_32_accesses),
    cmocka_unit_test(lanes_on_32_words_are_four_accesses),
    cmocka_unit_test(pairs_of_lanes_are_two_accesses_a_sector),
    cmocka_unit_test(lanes_get_what_was_there_before),
    cmocka_unit_test(old_values_of_16_bits_come_back_too),
    cmocka_unit_test(red_goes_as_atom),
    cmocka_unit_test(an_atomic_that_misses_fetches_its_sector),
    cmocka_unit_test(atomics_of_two_sms_meet_in_the_slice),
    cmocka_unit_test(an_atomic_on_local_memory_sends_nothing),
    cmocka_unit_test(a_shared_atomic_takes_as_long_as_a_load),
    cmocka_unit_test(shared_atomics_add_up),
};

TEST_MAIN(tests)
