/*
 * t_copy.c -- asynchronous copies: a load that nobody waits for but cp.async.wait; see memory_path.h
 *
 * A copy that is issued in 6 has come in 6 + 180, from L2.  What waits for it is issued in that cycle: a ret, which
 * ends the launch 7 cycles later.
 */
#include "tests/micro/clocks.h"
#include "tests/micro/memory_path.h"

#define COPY(to, from) "cp.async.ca.shared.global [s+" #to "], [%rd0+" #from "], 4;\n"
#define ADD "add.u32 %r2, %r2, 1;\n"

/* ret is issued in 7 or so; the warp ends with the copy. */
static void a_warp_ends_when_its_copies_are_there(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A COPY(0, 0), NULL, 32, 6 + 180 + 1);
    assert_int_equal(STAT(&t, sm.loads), 1);
    assert_int_equal(STAT(&t, l1d.access), 1);
    timed_close(&t);
}

static void wait_all_is_over_when_the_copy_is_there(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A COPY(0, 0) "cp.async.wait_all;", NULL, 32, 6 + 180 + 7);
    timed_close(&t);
}

/* Eight additions that depend on each other, 10 cycles each, take nothing beside the copy. */
static void a_warp_works_while_a_copy_is_under_way(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A COPY(0, 0) ADD ADD ADD ADD ADD ADD ADD ADD "cp.async.wait_all;", NULL,
               32, 6 + 180 + 7);
    timed_close(&t);
}

/* A load would have to be waited for before it can be stored: 180, then the store, then the additions. */
static void a_load_and_a_store_take_longer(void **state)
{
    struct timed t;
    u64 cycles;

    (void)state;
    path_open(&t,
              TIMED_A
              "ld.global.u32 %r3, [%rd0]; st.shared.u32 [s], %r3;" ADD ADD ADD ADD ADD ADD ADD ADD,
              NULL);
    cycles = timed_run(&t, 1, 32);
    assert_true(cycles > 6 + 180 + 70);
    timed_close(&t);
}

/* In which cycle is the instruction behind the wait issued? */
static u32 waits_until(const char *wait)
{
    char *body = text_printf("%s%scp.async.commit_group;\n%scp.async.commit_group;\n%s\n%s%s",
                             TIMED_A, COPY(0, 0), COPY(16, 262144), wait, CLOCK(20), LOG);
    struct timed t;
    u32 cycle;

    path_open(&t, body, NULL);
    timed_run(&t, 1, 32);
    timed_read(&t, 0, &cycle, sizeof cycle);
    timed_close(&t);
    free(body);
    return cycle;
}

/* The first group comes from L2, the second from DRAM: 135 cycles more, and it was issued later. */
static void wait_group_leaves_the_last_groups_under_way(void **state)
{
    u32 none, one, two, all;

    (void)state;
    two = waits_until("cp.async.wait_group 2;"), one = waits_until("cp.async.wait_group 1;");
    none = waits_until("cp.async.wait_group 0;"), all = waits_until("cp.async.wait_all;");
    assert_in_range(two, 6, 30);
    assert_int_equal(one, 6 + 180);
    assert_true(none > one + 100);
    assert_int_equal(none, all);
}

/* A copy of no group: wait_group does not wait for it, wait_all does. */
static void wait_group_does_not_wait_for_the_open_group(void **state)
{
    struct timed t;
    u32 cycle;

    (void)state;
    path_open(&t, TIMED_A COPY(0, 0) "cp.async.wait_group 0;\n" CLOCK(20) LOG, NULL);
    timed_run(&t, 1, 32);
    timed_read(&t, 0, &cycle, sizeof cycle);
    assert_in_range(cycle, 6, 30);
    timed_close(&t);
}

/* Nothing is read, so nothing is fetched, and there is nothing to wait for. */
static void a_copy_of_zeros_asks_no_memory(void **state)
{
    struct timed t;

    (void)state;
    path_open(&t, TIMED_A "cp.async.ca.shared.global [s], [%rd0], 4, 0; cp.async.wait_all;", NULL);
    assert_in_range(timed_run(&t, 1, 32), 10, 40);
    assert_int_equal(STAT(&t, l1d.access), 0);
    assert_int_equal(STAT(&t, request.packets), 0);
    timed_close(&t);
}

/* .cg goes around L1D: 141. */
static void a_copy_with_cg_goes_around_l1d(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "cp.async.cg.shared.global [s], [%rd0], 16; cp.async.wait_all;", NULL,
               32, 6 + 141 + 7);
    assert_int_equal(STAT(&t, l1d.access), 0);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_warp_ends_when_its_copies_are_there),
    cmocka_unit_test(wait_all_is_over_when_the_copy_is_there),
    cmocka_unit_test(a_warp_works_while_a_copy_is_under_way),
    cmocka_unit_test(a_load_and_a_store_take_longer),
    cmocka_unit_test(wait_group_leaves_the_last_groups_under_way),
    cmocka_unit_test(wait_group_does_not_wait_for_the_open_group),
    cmocka_unit_test(a_copy_of_zeros_asks_no_memory),
    cmocka_unit_test(a_copy_with_cg_goes_around_l1d),
};

TEST_MAIN(tests)
