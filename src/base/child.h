/*
 * child.h -- starts a program that ends when we do.
 *
 *     pid_t pid = child_start(path, argv, -1, &e);      < 0: "PATH: No such file or directory"
 *     waitpid(pid, &status, 0);
 *
 * However this process ends, by SIGKILL too, the kernel then kills the child; its own children are
 * its own affair.  To be called by the main thread, since it is the thread's end that counts.  The
 * child has SIGINT and SIGTERM as they are by default, and blocks no signal: a shell starts
 * background commands with SIGINT ignored, but who asks us to stop asks the program to.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

#include "base/base.h"
#include "base/err.h"

/* `log`, unless negative, is a file for what the child prints.  argv ends with NULL. */
pid_t child_start(const char *path, char *const *argv, int log, struct err *e);

#endif
