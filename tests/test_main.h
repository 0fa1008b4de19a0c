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
 * The files of a suite are linked into one program, which test_main.c runs:
 *
 *     unit                      all cases of all files
 *     unit t_cache              those of one file: this is what CTest calls
 *     unit t_cache CASE..       some of them, in this process, as a debugger wants it
 *     unit --list               FILE.CASE, one a line
 *
 * Each case has a folder of its own and only so much time, and must not depend on
 * another having run.  The cases of a file share a process (those of `rt`, which test
 * what a process does, do not); where it dies of one, the next ones get a new one.
 * A case that fails is named SUITE.FILE.CASE, with what it said.
 *
 * Exit status: 0 all passed, 1 a case failed, 2 no such file or case.
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

struct test_file {
    const char *name;
    const struct CMUnitTest *test;
    size_t n;
    int (*again)(void); /* main of the program that a case has started again with TEST_AGAIN=NAME */
};

/* Of this program, with NULL at the end; the build makes it. */
extern const struct test_file *const test_files[];

#define TEST_TEXT_(name) #name
#define TEST_TEXT(name) TEST_TEXT_(name)
#define TEST_NAME TEST_TEXT(TEST_FILE) /* the build defines TEST_FILE: t_cache */

#define TEST_MAIN_AGAIN(tests, again)                                                              \
    extern const struct test_file TEST_FILE;                                                       \
    const struct test_file TEST_FILE = {TEST_NAME, tests, sizeof(tests) / sizeof((tests)[0]),      \
                                        again};

#define TEST_MAIN(tests) TEST_MAIN_AGAIN(tests, NULL)

#endif
