/*
 * point.h -- one run of `smelt run` as data, and the key that tells it from every other.
 *
 *     struct point p = {0};
 *     p.program = text_dup("bfs"), p.gpu = text_dup("gtx480");
 *     point_add(&p.args, "--size"), point_add(&p.args, "2000"), point_add(&p.set, "l1d.size=32K");
 *     if (!point_check(&p, &e)) ..             everything a user can get wrong, told before a run
 *     p.key                                    32 hex digits
 *
 * The key is a hash of what decides the result, and of nothing else:
 *
 *     the program     contents of its executable (of a workload: what it is made of), job or PTX file
 *                     and of the files that a job names; its arguments; contents of arguments that
 *                     are files
 *     the machine     the effective value of every key of the GPU, and mechanisms with the effective
 *                     value of every one of theirs, in order: two ways to say the same are one point
 *     the simulator   contents of the library that simulates, and for a job, of smelt itself
 *     what is asked   the period of samples
 *
 * So a result of another build, program or table of energies is never taken for this one's, and a
 * comment in a GPU's file changes nothing.
 */
#ifndef RUNS_POINT_H
#define RUNS_POINT_H

#include "base/base.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/text.h"

struct words {
    char **at;
    u32 n, cap;
};

struct point {
    char *program;          /* a workload's name, an executable, x.job */
    char *gpu;              /* a name or a path */
    struct words args;      /* the program's */
    struct words mech, set; /* "gates:variant=naive", "sm.n_warp=8" */
    u64 sample;             /* cycles, 0: none */
    char key[HASH_HEX];     /* from point_check on */
};

void point_add(struct words *w, const char *word); /* a copy */
void point_free_words(struct words *w);
void point_free(struct point *p);

/* Is there such a program, GPU, mechanism and key?  Makes the key; compiles nothing. */
bool point_check(struct point *p, struct err *e);

/* What must be there before it runs: a workload's executable, compiled if need be. */
bool point_prepare(const struct point *p, struct err *e);

/* argv of its `smelt run`, with the result in `json`; ends with NULL, freed by point_argv_free. */
char **point_argv(const struct point *p, const char *json);
void point_argv_free(char **argv);

/* All of it but the key, as an object; and back.  False and a message if it is no such object. */
void point_json(const struct point *p, struct json *j);
bool point_from_json(struct point *p, const struct json_value *v, struct err *e);

/* "bfs --size 2000 -g gtx480 --set l1d.size=32K": for messages; to be freed. */
char *point_text(const struct point *p);
char *point_words(const struct words *w); /* "--size 2000", in quotes where a shell needs them */

/* The hash of the library that simulates, as it is in keys. */
const char *point_build(void);

#endif
