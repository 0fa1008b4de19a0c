/*
 * runnable.h -- what PROGRAM of `smelt run` may be.
 *
 *     ptx     x.ptx, or "-": one module, and options say what is launched
 *     job     x.job: a file that says it
 *     cuda    a bundled workload's name, or an executable
 *
 * A name without '/' is a workload even if a file is called so: ./bfs is the file.
 */
#ifndef WORKLOAD_RUNNABLE_H
#define WORKLOAD_RUNNABLE_H

#include "base/base.h"
#include "base/err.h"

const char *runnable_kind(const char *program); /* "ptx", "job" or "cuda"; NULL if it is none */

/* Why it is none, and what would be one; always false. */
bool runnable_none(const char *program, struct err *e);

/* The executable of "cuda": compiled if it is a workload that has none yet; to be freed, or NULL. */
char *runnable_executable(const char *program, struct err *e);

/* A path as a job file means it, from the job's folder; to be freed. */
char *runnable_beside(const char *job, const char *path);

/* Cuts a job's line into words in place; a word that starts with # and all after it is a comment. */
u32 runnable_words(char *line, char ***word);

#endif
