/*
 * sweep.h -- a study from options: every combination of some values, over some programs.
 *
 *     struct sweep w = {.gpu = "gtx480"};
 *     sweep_vary(&w, "l1d.size=16K,32K", &e) && sweep_vary(&w, "sm.scheduler=lrr,gto", &e);
 *     sweep_program(&w, "set:quick", &e), sweep_metric(&w, "total.cycles", &e);
 *     struct study *s = sweep_make(&w, &e);                four series, all points checked
 *     ..
 *     sweep_evaluate(&w, s, store, &e);
 *     sweep_free(&w);
 *
 * Of each metric there is a table, a row for each program and a column for each series, with the
 * geometric mean of the ratio to the first series below; and, if there is more than one series, a
 * picture of these ratios.
 */
#ifndef STUDY_SWEEP_H
#define STUDY_SWEEP_H

#include "study/study.h"
#include "workload/set.h"

struct sweep_axis {
    char *key;          /* of the GPU, or "gpu" or "mech" */
    struct words value; /* of mech: "none" is no mechanism */
};

struct sweep {
    const char *gpu;
    struct words set, mech, metric; /* of all points; and what is shown */
    VEC(struct sweep_axis) axis;
    struct set_info program;
    bool quick, large; /* workloads without arguments of their own get the tests' or large inputs */
};

/*
 * "KEY=A,B,..", or with ';' between values that have commas.  Behind a blank, a value may bring other
 * keys along: "l1d.size=32K,48K l1d.ways=6".  A key may be varied once, mech more often.
 */
bool sweep_vary(struct sweep *w, const char *text, struct err *e);
bool sweep_program(struct sweep *w, const char *text,
                   struct err *e); /* "set:NAME", "bfs --size 9" */
bool sweep_metric(struct sweep *w, const char *name, struct err *e);
void sweep_free(struct sweep *w);

struct study *sweep_make(struct sweep *w, struct err *e);
bool sweep_evaluate(const struct sweep *w, struct study *s, struct store *st, struct err *e);

#endif
