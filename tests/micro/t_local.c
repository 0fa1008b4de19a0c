/* t_local.c -- local memory: interleaved by thread, kept in L1D; see memory_path.h */
#include "tests/micro/memory_path.h"

#define HEAD                                                                                       \
    ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"         \
    ".local .align 8 .b8 l[256];\n.reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
#define TAIL "\nret;\n}\n"

/* Word 0 of 32 threads is a line: a store of 128 bytes, issued in 3, acknowledged in 3 + 181. */
static void the_same_word_of_all_lanes_is_one_line(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t, HEAD "st.local.u32 [l], %r1;" TAIL, path_set(NULL));
    assert_int_equal(timed_run(&t, 1, 32), 3 + 181 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    assert_int_equal(STAT(&t, request.flits), 4);
    assert_int_equal(STAT(&t, reply.packets), 4);
    timed_close(&t);
}

/* Eight bytes are two words and two lines; the second store is 4 flits behind the first: 185. */
static void eight_bytes_are_two_lines(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t, HEAD "st.local.u64 [l], %rd1;" TAIL, path_set(NULL));
    assert_int_equal(timed_run(&t, 1, 32), 3 + 185 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    assert_int_equal(STAT(&t, request.flits), 8);
    timed_close(&t);
}

/* Lane i writes its word i: 32 lines, of each 4 bytes in one sector. */
static void different_words_are_different_lines(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t,
                      HEAD "mov.u32 %r0, %tid.x; mov.u64 %rd0, l; mul.wide.u32 %rd1, %r0, 4;"
                           "add.u64 %rd1, %rd0, %rd1; st.local.u32 [%rd1], %r0;" TAIL,
                      path_set(NULL));
    timed_run(&t, 1, 32);
    assert_int_equal(STAT(&t, sm.mem_accesses), 32);
    assert_int_equal(STAT(&t, request.packets), 32);
    assert_int_equal(STAT(&t, request.flits), 32);
    assert_int_equal(STAT(&t, reply.packets), 32);
    timed_close(&t);
}

/*
 * The load has no register operand, 314 instead of 315 from DRAM: 3 .. 317.  The store then hits in L1D, which keeps it:
 * at the tags in 317 + 39 its warp is done with it.
 */
static void a_store_that_hits_stays_in_l1(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t, HEAD "ld.local.u32 %r1, [l]; st.local.u32 [l], %r1;" TAIL,
                      path_set(TIMED_SET("gpu.mem_mhz=700")));
    assert_int_equal(timed_run(&t, 1, 32), 317 + 39 + 1);
    assert_int_equal(STAT(&t, l1d.access), 2);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, request.packets), 1);
    timed_close(&t);
}

/* Each thread has its own: lane i writes i to both words of 8 bytes and reads their sum back. */
static void each_thread_has_its_own_words(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t,
                      HEAD "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; mul.wide.u32 %rd1, %r0, 4;"
                           "add.u64 %rd1, %rd0, %rd1; st.local.v2.u32 [l+8], {%r0, %r0};"
                           "ld.local.u32 %r1, [l+8]; ld.local.u32 %r2, [l+12];"
                           "add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;" TAIL,
                      path_set(NULL));
    timed_run(&t, 1, 64);
    for (u32 i = 0; i < 64; i++)
        assert_int_equal(timed_u32(&t, 4 * i), 2 * i);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_same_word_of_all_lanes_is_one_line),
    cmocka_unit_test(eight_bytes_are_two_lines),
    cmocka_unit_test(different_words_are_different_lines),
    cmocka_unit_test(a_store_that_hits_stays_in_l1),
    cmocka_unit_test(each_thread_has_its_own_words),
};

TEST_MAIN(tests)
