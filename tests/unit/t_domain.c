/* t_domain.c -- ticks of a clock domain in core cycles: exact, without drift, and invertible. */
#include "mem/domain.h"
#include "tests/test_main.h"

static struct domain d;

/* At 924 and 700 MHz 25 core cycles are 33 ticks; tick 0 comes with core cycle 0. */
static void ticks_of_924_in_700_mhz(void **state)
{
    (void)state;
    domain_init(&d, 700, 924);
    assert_int_equal(domain_ticks(&d, 0), 1);
    assert_int_equal(domain_ticks(&d, 1), 2); /* tick 1 at 25/33 */
    assert_int_equal(domain_ticks(&d, 2), 3); /* tick 2 at 50/33 */
    assert_int_equal(domain_ticks(&d, 3), 4); /* tick 3 at 75/33 = 2.27 */
    assert_int_equal(domain_ticks(&d, 4), 6); /* ticks 4 and 5 at 3.03 and 3.79 */
    assert_int_equal(domain_ticks(&d, 25), 34);
    assert_int_equal(domain_ticks(&d, 25000000000u), 33000000001u);
}

static void check_inverse(u64 core, u64 mhz)
{
    domain_init(&d, core, mhz);
    domain_restart(&d, 1000);
    u64 n = domain_ticks(&d, 999);
    for (u64 c = 1000; c < 3000; c++) {
        u64 end = domain_ticks(&d, c);
        assert_int_equal(end, d.base + (c - 1000) * mhz / core + 1);
        for (; n < end; n++)
            assert_int_equal(domain_cycle(&d, n), c);
    }
}

static void the_cycle_of_a_tick_is_the_inverse(void **state)
{
    (void)state;
    check_inverse(700, 924);
    check_inverse(924, 700);
    check_inverse(1000, 1000);
    check_inverse(1481, 2002);
    check_inverse(19997, 3);
    check_inverse(3, 19997);
}

/* 300 in 700 MHz: ticks in the cycles 0, 3 (at 7/3), 5 (at 14/3) and 7. */
static void a_slow_domain_has_cycles_without_a_tick(void **state)
{
    (void)state;
    domain_init(&d, 700, 300);
    assert_int_equal(domain_from(&d, 0), 0);
    assert_int_equal(domain_from(&d, 1), 3);
    assert_int_equal(domain_from(&d, 3), 3);
    assert_int_equal(domain_from(&d, 4), 5);
    assert_int_equal(domain_from(&d, 6), 7);
}

static void a_restart_counts_on(void **state)
{
    (void)state;
    domain_init(&d, 700, 924);
    domain_restart(&d, 4); /* after cycle 3, which ends with 4 ticks */
    assert_int_equal(domain_ticks(&d, 3), 4);
    assert_int_equal(domain_ticks(&d, 4), 5);
    assert_int_equal(domain_ticks(&d, 4 + 25), 4 + 34);
    assert_int_equal(domain_cycle(&d, 4), 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ticks_of_924_in_700_mhz),
    cmocka_unit_test(the_cycle_of_a_tick_is_the_inverse),
    cmocka_unit_test(a_slow_domain_has_cycles_without_a_tick),
    cmocka_unit_test(a_restart_counts_on),
};

TEST_MAIN(tests)
