/* shrQATest.h -- how the samples of CUDA 4 say that they begin, and whether they passed. */
#ifndef SMELT_SHR_QA_TEST_H
#define SMELT_SHR_QA_TEST_H

#include <stdio.h>
#include <stdlib.h>

enum eQAstatus { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };

static inline void shrQAStart(int argc, char **argv)
{
    (void)argc;
    printf("[%s] starting...\n", argv[0]);
}

static inline void shrQAFinish(int argc, const char **argv, int status)
{
    static const char *const names[] = {"FAILED", "PASSED", "WAIVED"};
    (void)argc;
    printf("[%s] test results...\n%s\n", argv[0], names[status]);
}

static inline void shrQAFinishExit(int argc, const char **argv, int status)
{
    shrQAFinish(argc, argv, status);
    exit(status == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS);
}

#define shrQAFinish2(quiet, argc, argv, status) shrQAFinish(argc, argv, status)
#define shrQAFinishExit2(quiet, argc, argv, status) shrQAFinishExit(argc, argv, status)

#endif
