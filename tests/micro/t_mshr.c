/* t_mshr.c -- misses outstanding in L1D: merging and its limits; see memory_path.h */
#include "tests/micro/memory_path.h"

/*
 * Warps are fetched for one after the other, so their loads issue in 6, 7 and 8 and are at the tags
 * in 45, 46, 47.  The first misses, the others join its MSHR: one request.  Filled in 6 + 178 =
 * 184; then one waiting access a cycle is chosen, in 185, 186, 187, and written back a cycle later:
 * the last in 188.
 */
static void warps_that_miss_on_a_line_share_one_request(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", NULL, 96, 188 + 1);
    assert_int_equal(STAT(&t, l1d.access), 3);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, l1d.pending_hit), 2);
    assert_int_equal(STAT(&t, sm.req_sent), 1);
    assert_int_equal(STAT(&t, l2.access), 4);
    timed_close(&t);
}

/*
 * With room for two in an MSHR the third, at the tags in 47, waits there until the line is filled
 * in 184, and hits.  The second is written back in 187.
 */
static void the_merge_limit_makes_an_access_wait(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", TIMED_SET("l1d.merges=2"), 96, 187 + 1);
    assert_int_equal(STAT(&t, l1d.pending_hit), 1);
    assert_int_equal(STAT(&t, l1d.reserv_fail), 184 - 47);
    assert_int_equal(STAT(&t, l1d.access), 3);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    timed_close(&t);
}

/*
 * GTX 480: eight.  Nine loads of one line by one warp issue in 6, 8, 9, 11, 12, 14, 15, 17 and 18.
 * The ninth is at the tags in 57 and waits until 184, where it hits.  The eighth is chosen in 192
 * and written back in 193.
 */
static void the_ninth_load_of_a_line_is_one_too_many(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r2, [%rd0];"
                       "ld.global.u32 %r3, [%rd0]; ld.global.u32 %r4, [%rd0];"
                       "ld.global.u32 %r5, [%rd0]; ld.global.u32 %r6, [%rd0];"
                       "ld.global.u32 %r7, [%rd0]; ld.global.u32 %r8, [%rd0];"
                       "ld.global.u32 %r9, [%rd0];",
               NULL, 32, 193 + 1);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, l1d.pending_hit), 7);
    assert_int_equal(STAT(&t, l1d.reserv_fail), 184 - 57);
    timed_close(&t);
}

/*
 * One MSHR: the second load, to another line, is issued in 8 and at the tags in 47.  The MSHR is
 * free when its only waiting access has been chosen for write-back, in 185, before the tags are
 * looked at.  From the tags it takes 180 - 39 more.
 */
static void without_an_mshr_a_miss_waits(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r2, [%rd0+1024];",
               TIMED_SET("l1d.mshrs=1"), 32, 185 + 141 + 1);
    assert_int_equal(STAT(&t, l1d.reserv_fail), 185 - 47);
    assert_int_equal(STAT(&t, l1d.miss), 2);
    timed_close(&t);
}

/*
 * The four lines of a store, issued in t = 29, are at the tags in t+39 .. t+42 and are packets of 4
 * flits.  The injection queue of 9 flits, which drains one a cycle, takes them in t+40, t+41, t+43
 * and t+47.  The load behind is at the tags in t+43 and finds a store in the miss queue of two; it
 * needs two places, so it waits until t+47.  It is sent in t+48 behind 8 flits, which enter the
 * network before it: t+56; it arrives in t+62 at its slice, which replies from t+184 on, and the
 * last of the replies is there in t+193.  By then 16 acknowledgements, from t+177 on, and 4 sectors
 * have come, of which the SM takes one a cycle: the last in t+196, filled in t+197, written back in
 * t+199.
 *
 * With the queue of 8 the load does not wait at the tags, but it leaves in the same cycle.
 */
static void a_load_needs_two_places_in_the_miss_queue(void **state)
{
    static const char body[] = LANES(16) "st.global.v4.u32 [%rd1], {%r4, %r5, %r6, %r7};"
                                         "ld.global.u32 %r1, [%rd0+1024];";
    struct timed t;

    (void)state;
    path_check(&t, body, TIMED_SET("l1d.miss_queue=2"), 32, 29 + 199 + 1);
    assert_int_equal(STAT(&t, l1d.reserv_fail), 4);
    assert_int_equal(STAT(&t, sm.noc_stalls), 4);
    timed_close(&t);
    path_check(&t, body, NULL, 32, 29 + 199 + 1);
    assert_int_equal(STAT(&t, l1d.reserv_fail), 0);
    assert_int_equal(STAT(&t, sm.noc_stalls), 4);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(warps_that_miss_on_a_line_share_one_request),
    cmocka_unit_test(the_merge_limit_makes_an_access_wait),
    cmocka_unit_test(the_ninth_load_of_a_line_is_one_too_many),
    cmocka_unit_test(without_an_mshr_a_miss_waits),
    cmocka_unit_test(a_load_needs_two_places_in_the_miss_queue),
};

TEST_MAIN(tests)
