/*
 * allow.h -- what a study's file may have run, beyond what can only compute.
 *
 *     struct allow a = {0};
 *     allow_add(&a, "tools", &e);                 a folder, or "any"
 *     allow_program(&a, "tools/mine", &e)         is it in there?
 *
 * Bundled workloads and jobs are free: the first are ours, and a job is PTX that is simulated.  An
 * executable is the host's own: it may do whatever the user may.  So may a job that writes files
 * (`dump`), as far as these go.
 */
#ifndef STUDY_ALLOW_H
#define STUDY_ALLOW_H

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"

struct allow {
    bool any;
    VEC(char *) dir; /* from the root, without links, without a slash at the end */
};

bool allow_add(struct allow *a, const char *text, struct err *e);
void allow_free(struct allow *a);

/* NULL: nothing is allowed.  True for what is no program at all: others say that better (runnable.h). */
bool allow_program(const struct allow *a, const char *program, struct err *e);

#endif
