/* plan.c -- see plan.h */
#include "sm/binding/plan.h"

#include <stdlib.h>

#include "base/text.h"
#include "sm/binding/group.h"

void plan_init(struct plan *p, u32 n_sm)
{
    *p = (struct plan){.n_sm = n_sm};
    p->shape = xcalloc(n_sm, sizeof p->shape[0]);
    p->first = xcalloc(n_sm, sizeof p->first[0]);
    p->ctas = xcalloc(n_sm, sizeof p->ctas[0]);
}

void plan_free(struct plan *p)
{
    free(p->shape), free(p->first), free(p->ctas);
}

void plan_begin(struct plan *p, const struct launch *l, const struct shape *keys)
{
    p->l = l;
    for (u32 i = 0; i < p->n_sm; i++)
        p->shape[i] = *keys, p->first[i] = (u16)i, p->ctas[i] = 0;
}

void plan_group(struct plan *p, u32 first, u32 n)
{
    ensure_here(n && n <= MAX_GROUP && first + n <= p->n_sm);
    for (u32 i = first; i < first + n; i++) {
        check_here(p->first[i] == i);
        p->first[i] = (u16)first;
    }
}
