/* t_mech.c -- which mechanisms a set takes */
#include <stdio.h>

#include "mech/mech.h"
#include "tests/test_main.h"

/* The second of the two is refused, with the reason of dws. */
static void check_refused(const char *first, const char *second)
{
    struct mech_set s = {0};
    struct err e;
    char want[300];

    assert_true(mech_add(&s, first, &e));
    snprintf(want, sizeof want, "-m %s: %s does not go with %s: %s", second, second, first,
             mech_find("dws", &e)->why_not);
    assert_false(mech_add(&s, second, &e));
    assert_string_equal(e.msg, want);
    assert_int_equal(s.n, 1);
    mech_free(&s);
}

/* dws names amoeba, buddy and socgpu, which do not name it. */
static void each_of_those_that_are_excluded_is_refused_whoever_is_first(void **state)
{
    static const char *const other[] = {"amoeba", "buddy", "socgpu"};

    (void)state;
    for (u32 i = 0; i < LEN(other); i++) {
        check_refused("dws", other[i]);
        check_refused(other[i], "dws");
    }
}

static void others_go_together_but_each_only_once(void **state)
{
    struct mech_set s = {0};
    struct err e;

    (void)state;
    assert_true(mech_add(&s, "dws", &e));
    assert_true(mech_add(&s, "gates", &e));
    assert_true(mech_add(&s, "noop", &e));
    assert_false(mech_add(&s, "gates", &e));
    assert_string_equal(e.msg, "-m gates: gates is there already");
    assert_int_equal(s.n, 3);
    mech_free(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_of_those_that_are_excluded_is_refused_whoever_is_first),
    cmocka_unit_test(others_go_together_but_each_only_once),
};

TEST_MAIN(tests)
