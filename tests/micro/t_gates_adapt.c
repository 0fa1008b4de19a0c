/* t_gates_adapt.c -- Warped Gates: Adaptive idle detect, epoch by epoch; see gates_rig.h. */
#include "tests/micro/gates_rig.h"

/* On to the cycle in which the pipeline is on, or off. */
static void until(struct rig *r, u32 pipe, enum power power)
{
    for (u32 i = 0; power_of(r, pipe) != power; i++) {
        assert_true(i < 100);
        if (power == POWER_ON)
            want_pipe(r, pipe);
        to(r, r->sm->now + 1);
    }
}

/* So many critical wake-ups of INT1, while INT0 is busy. */
static void be_critical(struct rig *r, u32 n)
{
    have(r, true, true);
    until(r, INT0, POWER_ON);
    run(r, INT0, 900);
    until(r, INT1, POWER_ON);
    for (u32 i = 0; i < n; i++) {
        until(r, INT1, POWER_OFF);
        to(r, r->sm->now + 14);
        want_pipe(r, INT1);
        assert_int_equal(power_of(r, INT1), POWER_WAKING);
        to(r, r->sm->now + 3);
    }
}

/* How long a pipeline is idle before it goes off while the other one is busy. */
static u64 detect_of(struct rig *r, u32 pipe)
{
    have(r, true, true);
    until(r, pipe ^ 2, POWER_ON);
    run(r, pipe ^ 2, 100);
    until(r, pipe, POWER_ON);
    run(r, pipe, 1);
    until(r, pipe, POWER_OFF);
    return r->sm->now - r->sm->dp->sub[0].pipe[pipe].empty_at;
}

static void more_than_five_critical_make_it_longer(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=warped");
    to(&r, 1000);
    be_critical(&r, 5);
    to(&r, 2000);
    assert_int_equal(count(&r, "int_longer"), 0);
    be_critical(&r, 6);
    assert_int_equal(detect_of(&r, INT1), 5); /* not before the epoch has ended */
    to(&r, 3000);
    assert_int_equal(detect_of(&r, INT1), 6);
    assert_int_equal(detect_of(&r, FP1), 5); /* INT and FP apart */
    assert_int_equal(count(&r, "int_longer"), 1);
    rig_close(&r);
}

static void four_quiet_epochs_make_it_shorter(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=warped");
    to(&r, 1000);
    be_critical(&r, 6);
    to(&r, 2000);
    be_critical(&r, 6);
    to(&r, 3000);
    assert_int_equal(detect_of(&r, INT1), 7);
    to(&r, 6800);
    assert_int_equal(detect_of(&r, INT1), 7); /* epochs 3 .. 6 are quiet */
    to(&r, 7100);
    assert_int_equal(detect_of(&r, INT1), 6);
    to(&r, 11100);
    assert_int_equal(detect_of(&r, INT1), 5);
    to(&r, 30000);
    assert_int_equal(detect_of(&r, INT1), 5); /* detect_min */
    rig_close(&r);
}

static void it_has_an_upper_bound(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=warped,detect_max=7");
    for (u32 i = 1; i < 6; i++) {
        to(&r, i * 1000);
        be_critical(&r, 6);
    }
    to(&r, 6000);
    assert_int_equal(detect_of(&r, INT1), 7);
    assert_int_equal(count(&r, "int_longer"), 2);
    rig_close(&r);
}

/* Bounds that are the same leave nothing to adapt. */
static void its_bounds_may_be_the_same(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=warped,detect_min=5,detect_max=5");
    to(&r, 1000);
    be_critical(&r, 8);
    to(&r, 2000);
    assert_int_equal(detect_of(&r, INT1), 5);
    to(&r, 7000);
    assert_int_equal(detect_of(&r, INT1), 5);
    assert_int_equal(count(&r, "int_longer") + count(&r, "int_shorter"), 0);
    rig_close(&r);
}

static void others_do_not_adapt(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gates:variant=coordinated");
    to(&r, 1000);
    be_critical(&r, 8);
    to(&r, 2000);
    assert_int_equal(detect_of(&r, INT1), 5);
    rig_close(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(more_than_five_critical_make_it_longer),
    cmocka_unit_test(four_quiet_epochs_make_it_shorter),
    cmocka_unit_test(it_has_an_upper_bound),
    cmocka_unit_test(its_bounds_may_be_the_same),
    cmocka_unit_test(others_do_not_adapt),
};

TEST_MAIN(tests)
