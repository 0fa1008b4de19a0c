/*
 * broken.h -- what is said when an invariant is broken: in a child, which is aborted.
 *
 *     static void break_it(void *arg) { .. }
 *     char said[BROKEN_SAID];
 *     broken_by(break_it, arg, said);                    fails the test if it is not aborted
 *     assert_non_null(strstr(said, "kernel k, "));
 */
#ifndef TESTS_BROKEN_H
#define TESTS_BROKEN_H

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test_main.h"

enum { BROKEN_SAID = 4096 };

static inline void broken_child(int out, void (*breaks)(void *), void *arg)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    dup2(out, STDERR_FILENO);
    breaks(arg);
    _exit(0);
}

/* What it has said on stderr. */
static inline void broken_by(void (*breaks)(void *), void *arg, char said[BROKEN_SAID])
{
    int end[2], status;
    size_t n = 0;
    ssize_t got;

    assert_int_equal(pipe(end), 0);
    pid_t pid = fork();

    if (!pid)
        broken_child(end[1], breaks, arg);
    close(end[1]);
    while ((got = read(end[0], said + n, BROKEN_SAID - 1 - n)) > 0)
        n += (size_t)got;
    said[n] = 0;
    close(end[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

#endif
