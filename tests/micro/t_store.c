/* t_store.c -- stores: acknowledgements, sizes, what they do to L1D; see memory_path.h */
#include "tests/micro/memory_path.h"

/* The store is issued in 6 and acknowledged in 6 + 175; ret was issued in 8, and the warp waits. */
static void a_warp_ends_when_its_stores_are_acknowledged(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "st.global.u32 [%rd0], %r1;", NULL, 32, 6 + 175 + 1);
    assert_int_equal(STAT(&t, l1d.access), 1);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, l2.access), 1);
    assert_int_equal(STAT(&t, l2.miss), 0);
    assert_int_equal(STAT(&t, slice.write), 1);
    assert_int_equal(STAT(&t, reply.packets), 1);
    timed_close(&t);
}

/* L2 takes a line for it and answers at once; nothing is fetched. */
static void a_store_that_misses_in_l2_takes_as_long(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "st.global.u32 [%rd0], %r1;", 32, 6 + 175 + 1);
    assert_int_equal(STAT(&t, l2.miss), 1);
    assert_int_equal(STAT(&t, dram.request), 0);
    timed_close(&t);
}

/*
 * 8 lanes write 32 bytes: one flit of 40 with the header.  16 lanes write 64: two flits, the tail a
 * cycle later, and the acknowledgement of the second sector one more: 177.  32 lanes: four flits, 3
 * + 3 more than 175; and so do 24 lanes, which touch three sectors: nothing lies between 64 and 128
 * bytes.
 */
static void a_store_is_as_large_as_what_it_writes(void **state)
{
    static const char body[] = LANES(4) "st.global.u32 [%rd1], %r0;";
    static const u32 size[][4] = {
        {8, 1, 1, 175}, {16, 2, 2, 177}, {24, 4, 4, 181}, {32, 4, 4, 181}};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(size); i++) {
        path_check(&t, body, NULL, size[i][0], 29 + size[i][3] + 1);
        assert_int_equal(STAT(&t, request.packets), 1);
        assert_int_equal(STAT(&t, request.flits), size[i][1]);
        assert_int_equal(STAT(&t, reply.packets), size[i][2]);
        timed_close(&t);
    }
}

/*
 * The load brings the line, 6 .. 186.  The store needs its register: 186, at the tags in 225, where
 * it evicts the line.  The next load, issued in 187, misses in 226: 187 + 180.
 */
static void a_store_evicts_the_line_it_hits(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; st.global.u32 [%rd0], %r1;"
                       "ld.global.u32 %r2, [%rd0];",
               NULL, 32, 187 + 180 + 1);
    assert_int_equal(STAT(&t, l1d.access), 3);
    assert_int_equal(STAT(&t, l1d.miss), 2);
    timed_close(&t);
}

/*
 * To another line: the load of 187 hits in 226, and the warp waits for the acknowledgement in 186 +
 * 175.
 */
static void a_store_leaves_other_lines(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; st.global.u32 [%rd0+128], %r1;"
                       "ld.global.u32 %r2, [%rd0];",
               NULL, 32, 186 + 175 + 1);
    assert_int_equal(STAT(&t, l1d.miss), 2);
    assert_int_equal(STAT(&t, sm.load_latency), 180 + 39);
    timed_close(&t);
}

/* A cache with sectors keeps what is stored to: load 6 .. 183, store 183, the load of 184 hits. */
static void a_store_leaves_a_sector(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "ld.global.u32 %r1, [%rd0]; st.global.u32 [%rd0], %r1;"
                       "ld.global.u32 %r2, [%rd0];",
               TIMED_SET("sm.coalesce=sector", "l1d.sector=32"), 32, 183 + 175 + 1);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, sm.load_latency), 177 + 39);
    timed_close(&t);
}

/* Lane i stores i; the lanes of a second launch on another SM read what the first wrote. */
static void what_is_stored_is_read(void **state)
{
    struct timed t;

    (void)state;
    path_open(&t,
              LANES(4) "ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, %r0;"
                       "add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1;",
              NULL);
    timed_run(&t, 1, 32);
    timed_run(&t, 1, 32);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(timed_u32(&t, 4 * i), 2 * (i + 1));
    timed_close(&t);
}

/*
 * ld 6 .. 186.  membar, fetched in 6, issues in 8 and holds the warp until the load is done; the
 * add behind it issues in 186.
 */
static void a_fence_waits_for_loads(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0]; membar.gl; add.u32 %r3, %r2, 1;";
    struct timed t;

    (void)state;
    path_check(&t, body, NULL, 32, 186 + 10 + 1);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("sm.fence_waits=all"), 32, 186 + 10 + 1);
    timed_close(&t);
}

/*
 * fence_waits=loads: the add issues in 9, and the launch ends with the acknowledgement in 6 + 175.
 */
static void a_fence_does_not_wait_for_stores(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "st.global.u32 [%rd0], %r1; membar.gl; add.u32 %r3, %r2, 1;", NULL, 32,
               181 + 1);
    assert_int_equal(STAT(&t, stall.fence), 0);
    timed_close(&t);
}

/*
 * fence_waits=all: membar issues in 11, when the store is in the queue in front of L1D; the add
 * behind it in 181.
 */
static void a_fence_waits_for_stores_if_told_so(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t,
               TIMED_A "st.global.u32 [%rd0], %r1; add.u32 %r5, %r4, 1; add.u32 %r6, %r4, 1;"
                       "membar.gl; add.u32 %r3, %r2, 1;",
               TIMED_SET("sm.fence_waits=all"), 32, 181 + 10 + 1);
    timed_close(&t);
}

/*
 * The same for a store that is still on its way to the load/store unit: membar issues in 8, the
 * store is dispatched in 10.
 */
static void a_fence_waits_for_the_store_right_before_it(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "st.global.u32 [%rd0], %r1; membar.gl; add.u32 %r3, %r2, 1;",
               TIMED_SET("sm.fence_waits=all"), 32, 181 + 10 + 1);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_warp_ends_when_its_stores_are_acknowledged),
    cmocka_unit_test(a_store_that_misses_in_l2_takes_as_long),
    cmocka_unit_test(a_store_is_as_large_as_what_it_writes),
    cmocka_unit_test(a_store_evicts_the_line_it_hits),
    cmocka_unit_test(a_store_leaves_other_lines),
    cmocka_unit_test(a_store_leaves_a_sector),
    cmocka_unit_test(what_is_stored_is_read),
    cmocka_unit_test(a_fence_waits_for_loads),
    cmocka_unit_test(a_fence_does_not_wait_for_stores),
    cmocka_unit_test(a_fence_waits_for_stores_if_told_so),
    cmocka_unit_test(a_fence_waits_for_the_store_right_before_it),
};

TEST_MAIN(tests)
