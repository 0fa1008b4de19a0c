/* lower_sched.h -- the dependence graph that lower_deps.c builds and lower_sched.c orders */
#ifndef PTX_LOWER_SCHED_H
#define PTX_LOWER_SCHED_H

#include "base/text.h"
#include "ptx/ir.h"

struct dep_edge {
    u32 to, next; /* next edge of the same node, IR_NONE: none */
    u32 latency;  /* cycles from one to the other */
};

/* Nodes are the instructions of a stretch, numbered from 0; edges lead forward. */
struct deps {
    u32 *first;  /* first edge of each node */
    u32 *n_pred; /* edges into each node */
    VEC(struct dep_edge) edge;
};

struct builder;
struct builder *deps_builder_new(const struct ir_func *f);
void deps_builder_free(struct builder *x);

/* Of code[0..n); d->first and d->n_pred have room for n. */
void deps_build(struct builder *x, struct deps *d, const struct ir_inst *code, u32 n);

u32 dep_latency(const struct ir_inst *in); /* cycles until its result can be used, roughly */

#endif
