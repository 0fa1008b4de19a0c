/*
 * test_main.h -- the frame around a test file.
 *
 * A test file is a handful of static functions, one behaviour each and named
 * after it, a table of them, and TEST_MAIN:
 *
 *     #include "tests/test_main.h"
 *
 *     static void one_and_one_is_two(void **state)
 *     {
 *         (void)state;
 *         assert_int_equal(1 + 1, 2);
 *     }
 *
 *     static const struct CMUnitTest tests[] = {
 *         cmocka_unit_test(one_and_one_is_two),
 *     };
 *
 *     TEST_MAIN(tests)
 *
 * The program runs all cases, or only those named on its command line, or prints
 * the names with --list.  The build asks for that list and makes every case a
 * CTest test of its own, so a case must not depend on another having run.
 *
 * Exit status: 0 all passed, 1 a case failed, 2 no such case.
 */
#ifndef TESTS_TEST_MAIN_H
#define TESTS_TEST_MAIN_H

/* cmocka.h wants these four before it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static int test_list(const struct CMUnitTest *test, size_t n)
{
    for (size_t i = 0; i < n; i++)
        puts(test[i].name);
    return 0;
}

static int test_run_one(const struct CMUnitTest *test, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(test[i].name, name) == 0)
            return _cmocka_run_group_tests(name, &test[i], 1, NULL, NULL) ? 1 : 0;
    fprintf(stderr, "no test case named %s; --list shows them\n", name);
    return 2;
}

static int test_main(const struct CMUnitTest *test, size_t n, int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return test_list(test, n);
    if (argc < 2)
        return _cmocka_run_group_tests("tests", test, n, NULL, NULL) ? 1 : 0;
    int worst = 0;
    for (int i = 1; i < argc; i++) {
        int status = test_run_one(test, n, argv[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

#define TEST_MAIN(tests)                                                                           \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return test_main(tests, sizeof(tests) / sizeof((tests)[0]), argc, argv);                   \
    }

#endif
