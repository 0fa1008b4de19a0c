/* t_cacheop.c -- which loads use L1D: .ca .cg .cv, sm.global_l1; see memory_path.h */
#include "tests/micro/memory_path.h"

/* One sector, sent in t+4: 141.  Nothing is left in L1D, so the second one takes as long. */
static void cg_skips_l1(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r1, [%rd0];", NULL, 32,
               6 + 2 * 141 + 1);
    assert_int_equal(STAT(&t, l1d.access), 0);
    assert_int_equal(STAT(&t, l2.access), 2);
    assert_int_equal(STAT(&t, reply.packets), 2);
    timed_close(&t);
}

/*
 * A warp's 128 bytes are four requests, sent in t+4 .. t+7; one slice takes one a cycle, and
 * everything behind it goes on at one a cycle: 141 + 3.
 */
static void cg_is_a_request_per_sector(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(4) "ld.global.cg.u32 %r1, [%rd1];", NULL, 32, 29 + 141 + 3 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 4);
    assert_int_equal(STAT(&t, request.packets), 4);
    assert_int_equal(STAT(&t, l2.access), 4);
    timed_close(&t);
}

/*
 * The reference's figures for an L2 hit: with the 7 cycles of gtx480's requests they are 181 and
 * 142.
 */
static void on_a_gtx480_requests_take_a_cycle_more(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", TIMED_SET("noc.request_latency=7"), 32,
               6 + 181 + 1);
    timed_close(&t);
    path_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0];", TIMED_SET("noc.request_latency=7"), 32,
               6 + 142 + 1);
    timed_close(&t);
}

/* .cv: do not cache, fetch again. */
static void cv_fetches_again(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.cv.u32 %r1, [%rd0]; ld.global.cv.u32 %r1, [%rd0];", NULL, 32,
               6 + 2 * 141 + 1);
    assert_int_equal(STAT(&t, l2.access), 2);
    timed_close(&t);
}

/* .ca is what loads are without a suffix. */
static void ca_uses_l1(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.ca.u32 %r1, [%rd0]; ld.global.ca.u32 %r1, [%rd0];", NULL, 32,
               6 + 180 + 39 + 1);
    timed_close(&t);
}

/* sm.global_l1=off: as .cg; the read-only path (.nc) still goes by L1D, and who says .ca. */
static void without_global_l1_loads_skip_it(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", TIMED_SET("sm.global_l1=off"), 32,
               6 + 141 + 1);
    assert_int_equal(STAT(&t, l1d.access), 0);
    timed_close(&t);
    path_check(&t, TIMED_A "ld.global.nc.u32 %r1, [%rd0];", TIMED_SET("sm.global_l1=off"), 32,
               6 + 180 + 1);
    assert_int_equal(STAT(&t, l1d.access), 1);
    timed_close(&t);
    path_check(&t, TIMED_A "ld.global.ca.u32 %r1, [%rd0]; ld.global.ca.u32 %r1, [%rd0];",
               TIMED_SET("sm.global_l1=off"), 32, 6 + 180 + 39 + 1);
    assert_int_equal(STAT(&t, l1d.access), 2);
    timed_close(&t);
}

/*
 * Values do not come from caches: lane i reads word i, which the host set to i + 1, in four ways.
 */
static void all_kinds_of_loads_see_the_same_values(void **state)
{
    struct timed t;
    u32 v[32];

    (void)state;
    path_cold(&t,
              LANES(4) "ld.global.ca.u32 %r1, [%rd1]; ld.global.cg.u32 %r2, [%rd1];"
                       "ld.global.cv.u32 %r3, [%rd1]; ld.volatile.global.u32 %r4, [%rd1];"
                       "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;"
                       "st.global.u32 [%rd1+128], %r1;",
              NULL);
    for (u32 i = 0; i < 32; i++)
        v[i] = i + 1;
    timed_write(&t, 0, v, sizeof v);
    timed_run(&t, 1, 32);
    timed_read(&t, 128, v, sizeof v);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(v[i], 4 * (i + 1));
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cg_skips_l1),
    cmocka_unit_test(cg_is_a_request_per_sector),
    cmocka_unit_test(on_a_gtx480_requests_take_a_cycle_more),
    cmocka_unit_test(cv_fetches_again),
    cmocka_unit_test(ca_uses_l1),
    cmocka_unit_test(without_global_l1_loads_skip_it),
    cmocka_unit_test(all_kinds_of_loads_see_the_same_values),
};

TEST_MAIN(tests)
