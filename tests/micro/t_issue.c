/* t_issue.c -- cycles of fetch, decode and issue, counted by hand */
#include "tests/micro/timed.h"

/* ret is issued in 3; it has no operands, so it writes back in 3 + 1 + 5 = 9: cycles 0 to 9. */
static void an_empty_kernel_takes_ten_cycles(void **state)
{
    struct timed t;

    (void)state;
    timed_open(&t, "", NULL);
    assert_int_equal(timed_run(&t, 1, 32), 10);
    assert_int_equal(timed_run(&t, 1, 32), 10);
    timed_close(&t);
}

/*
 * The adds (L 4) issue in 3, 13, 23 and 33: 10 apart.  ret is fetched when the last has left the
 * buffer, in 33, and issued in 35; it would end in 41, but the warp waits for the last add,
 * which writes back in 43.
 */
static void dependent_adds_are_ten_cycles_apart(void **state)
{
    struct timed t;

    (void)state;
    timed_open(&t, "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;"
                   "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;",
               NULL);
    assert_int_equal(timed_run(&t, 1, 32), 44);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_kernel_takes_ten_cycles),
    cmocka_unit_test(dependent_adds_are_ten_cycles_apart),
};

TEST_MAIN(tests)
