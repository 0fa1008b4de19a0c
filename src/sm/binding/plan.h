/*
 * plan.h -- how the SMs of a GPU work together in one launch.
 *
 * It is made before CTAs are allocated: as the keys say, then changed by mechanisms (mech.h, `plan`).
 * SMs of a group are neighbours in number.  What their organs do for each other is bound when the
 * groups have been formed (`bind`), and may change while the kernel runs.
 */
#ifndef SM_PLAN_H
#define SM_PLAN_H

#include "exec/warp.h"
#include "sm/shape.h"

struct plan {
    const struct launch *l;
    u32 n_sm;
    struct shape *shape; /* of each SM */
    u16 *first;          /* of each SM: the first one of its group; alone: itself */
    u32 *ctas;           /* of each SM: CTAs that it holds at a time; from its shape */
};

void plan_init(struct plan *p, u32 n_sm);
void plan_free(struct plan *p);

/* Each SM on its own, as the keys say. */
void plan_begin(struct plan *p, const struct launch *l, const struct shape *keys);

/* SMs [first, first + n) are a group. */
void plan_group(struct plan *p, u32 first, u32 n);

#endif
