/* t_coalesce.c -- lanes' addresses become accesses; see memory_path.h */
#include "tests/micro/memory_path.h"

/* Neighbouring words: one access, one line. */
static void a_warp_of_words_is_one_access(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(4) "ld.global.u32 %r1, [%rd1];", NULL, 32, 29 + 180 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    assert_int_equal(STAT(&t, request.packets), 1);
    timed_close(&t);
}

/*
 * Every other word: two lines of one slice, requests in t+40 and t+41.  The second is behind the
 * sectors of the first in the slice: 8 replies in a row from t+168 on, the last at the SM in t+181,
 * filled in t+182, free in t+184.
 */
static void every_other_word_is_two_accesses(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(8) "ld.global.u32 %r1, [%rd1];", NULL, 32, 29 + 184 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    assert_int_equal(STAT(&t, reply.packets), 8);
    timed_close(&t);
}

/* Bytes 64 to 191 are two lines as well, although 128 bytes. */
static void a_misaligned_warp_touches_two_lines(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(4) "ld.global.u32 %r1, [%rd1+64];", NULL, 32, 29 + 184 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    assert_int_equal(STAT(&t, l2.access), 8);
    timed_close(&t);
}

/*
 * 32 lines: 32 requests in t+40 .. t+71 to 12 slices, whose 128 replies come faster than the SM
 * takes them: one a cycle from t+174 to t+301.  Filled in t+302, free in t+304.
 */
static void a_line_per_lane_is_32_accesses(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(128) "ld.global.u32 %r1, [%rd1];", NULL, 32, 29 + 304 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 32);
    assert_int_equal(STAT(&t, l1d.miss), 32);
    assert_int_equal(STAT(&t, request.packets), 32);
    assert_int_equal(STAT(&t, reply.packets), 128);
    timed_close(&t);
}

/* All lanes at one address. */
static void a_broadcast_is_one_access(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u64 %rd1, [%rd0];", NULL, 32, 6 + 180 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    timed_close(&t);
}

/* 16 bytes a lane are four lines, 512 bytes: 192, see t_l1.c. */
static void a_vector_of_four_is_four_accesses(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(16) "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1];", NULL, 32,
               29 + 192 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 4);
    timed_close(&t);
}

/*
 * Segments of bytes are 32 bytes: 64 bytes are two accesses to one line, at the tags in t+39 and
 * t+40.  The second joins the first in its MSHR; the line is filled in t+178, and they are written
 * back in t+180 and t+181.
 */
static void bytes_are_accesses_of_32(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(2) "ld.global.u8 %r1, [%rd1];", NULL, 32, 29 + 181 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    assert_int_equal(STAT(&t, l1d.pending_hit), 1);
    assert_int_equal(STAT(&t, request.packets), 1);
    timed_close(&t);
    path_check(&t, LANES(1) "ld.global.u8 %r1, [%rd1];", NULL, 32, 29 + 180 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    timed_close(&t);
}

/* Segments of halfwords are 64 bytes: 128 bytes are two accesses to one line. */
static void halfwords_are_accesses_of_64(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(4) "ld.global.u16 %r1, [%rd1];", NULL, 32, 29 + 181 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    timed_close(&t);
    path_check(&t, LANES(2) "ld.global.u16 %r1, [%rd1];", NULL, 32, 29 + 180 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    timed_close(&t);
}

/*
 * Lines 0 and 128, of which the first load, which needs %rd0 only, 21 .. 201, has brought one.  The
 * higher is at the tags in t+39, the lower in t+40; the one that misses decides: 180 if that is the
 * higher, 181 if it is the lower.
 */
static void the_highest_line_goes_first(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(8) "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd1];", NULL, 32,
               201 + 180 + 1);
    timed_close(&t);
    path_check(&t, LANES(8) "ld.global.u32 %r1, [%rd0+128]; ld.global.u32 %r1, [%rd1];", NULL, 32,
               201 + 181 + 1);
    timed_close(&t);
}

/*
 * Of eight lanes, a line each, the guard leaves lanes 0 and 4.  add issues in 19, and in 21, setp
 * in 28, the load in 35.  Lines 512 and 0 are in different channels, requested in t+40 and t+41; of
 * their eight packets the SM takes the first in t+174 and the last, of line 0, in t+181: 184 as if
 * from one slice.
 */
static void lanes_that_are_off_make_no_access(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               LANES(128) "and.b32 %r2, %r0, 3; setp.eq.u32 %p1, %r2, 0;"
                          "@%p1 ld.global.u32 %r1, [%rd1];",
               NULL, 8, 35 + 184 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    assert_int_equal(STAT(&t, request.packets), 2);
    timed_close(&t);
}

static void check_sectors(const char *body, u32 block, u32 fetched, u32 used)
{
    struct timed t;

    path_open(&t, body, NULL);
    timed_run(&t, 1, block);
    assert_int_equal(STAT(&t, sm.load_sectors), fetched);
    assert_int_equal(STAT(&t, sm.load_sectors_used), used);
    timed_close(&t);
}

/* L1D fetches lines, which are four sectors, and what goes around it fetches sectors; stores fetch nothing. */
static void loads_count_the_sectors_they_fetch_and_use(void **state)
{
    (void)state;
    check_sectors(LANES(4) "ld.global.u32 %r1, [%rd1];", 32, 4, 4);
    check_sectors(LANES(4) "ld.global.u32 %r1, [%rd1];", 1, 4, 1);
    check_sectors(LANES(32) "ld.global.u32 %r1, [%rd1];", 2, 4, 2);
    check_sectors(LANES(32) "ld.global.u32 %r1, [%rd1];", 32, 8 * 4, 32);
    check_sectors(LANES(4) "ld.global.cg.u32 %r1, [%rd1];", 32, 4, 4);
    check_sectors(LANES(64) "ld.global.cg.u32 %r1, [%rd1];", 32, 32, 32);
    check_sectors(LANES(4) "st.global.u32 [%rd1], %r0;", 32, 0, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_warp_of_words_is_one_access),
    cmocka_unit_test(every_other_word_is_two_accesses),
    cmocka_unit_test(a_misaligned_warp_touches_two_lines),
    cmocka_unit_test(a_line_per_lane_is_32_accesses),
    cmocka_unit_test(a_broadcast_is_one_access),
    cmocka_unit_test(a_vector_of_four_is_four_accesses),
    cmocka_unit_test(bytes_are_accesses_of_32),
    cmocka_unit_test(halfwords_are_accesses_of_64),
    cmocka_unit_test(the_highest_line_goes_first),
    cmocka_unit_test(lanes_that_are_off_make_no_access),
    cmocka_unit_test(loads_count_the_sectors_they_fetch_and_use),
};

TEST_MAIN(tests)
