/* t_ensure.c -- what is said of a broken invariant by code that knows of no SM. */
#include "base/ensure.h"
#include "tests/broken.h"

static char said[BROKEN_SAID];

static void tell_name(FILE *f, const void *subject)
{
    fprintf(f, "the one named %s", (const char *)subject);
}

static void break_here(void *arg)
{
    ensure_here(arg != arg);
}

static void break_of(void *arg)
{
    ensure_of(tell_name, arg, sizeof said == 0);
}

static void break_at_work(void *arg)
{
    ensure_works_for(tell_name, arg);
    break_here(NULL);
}

static void break_with_settings(void *arg)
{
    ensure_settings(arg);
    break_here(NULL);
}

static void what_holds_says_nothing(void **state)
{
    (void)state;
    ensure_here(1 + 1 == 2);
    ensure_of(tell_name, "two", 1 + 1 == 2);
}

static void the_condition_and_its_place_are_named(void **state)
{
    (void)state;
    broken_by(break_here, NULL, said);
    assert_ptr_equal(strstr(said, "smelt: broken invariant: arg != arg ("), said);
    assert_non_null(strstr(said, "t_ensure.c:"));
    assert_non_null(strstr(said, "\n    no kernel is running\n"));
}

static void the_subject_tells_who_it_is(void **state)
{
    (void)state;
    broken_by(break_of, (char[]){"A"}, said);
    assert_non_null(strstr(said, "\n    the one named A\n"));
}

static void without_a_subject_it_is_whom_the_thread_works_for(void **state)
{
    (void)state;
    broken_by(break_at_work, (char[]){"B"}, said);
    assert_non_null(strstr(said, "\n    the one named B\n"));
}

/* .. by a shell: what is not a plain word is in quotes. */
static void the_command_can_be_given_again(void **state)
{
    (void)state;
    broken_by(break_here, NULL, said);
    assert_non_null(strstr(said, "\n    again: "));
    assert_null(strstr(said, "SMELT_ARGS"));
    assert_non_null(strstr(said, "/tests/unit"));
    broken_by(break_with_settings, (char[]){"--gpu tiny --set sm.scheduler=it\\'s"}, said);
    assert_non_null(
        strstr(said, "\n    again: SMELT_ARGS='--gpu tiny --set sm.scheduler=it\\'\\''s' "));
}

static bool is_asked(u32 *n)
{
    return ++*n;
}

static void checks_are_made_where_asserts_are(void **state)
{
    u32 n = 0;

    (void)state;
    check_here(is_asked(&n));
    check_of(tell_name, "two", is_asked(&n));
#ifdef NDEBUG
    assert_int_equal(n, 0);
#else
    assert_int_equal(n, 2);
#endif
    ensure_here(is_asked(&n));
    assert_true(n == 1 || n == 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_holds_says_nothing),
    cmocka_unit_test(the_condition_and_its_place_are_named),
    cmocka_unit_test(the_subject_tells_who_it_is),
    cmocka_unit_test(without_a_subject_it_is_whom_the_thread_works_for),
    cmocka_unit_test(the_command_can_be_given_again),
    cmocka_unit_test(checks_are_made_where_asserts_are),
};

TEST_MAIN(tests)
