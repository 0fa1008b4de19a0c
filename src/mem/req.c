/* req.c -- see req.h */
#include "mem/req.h"

#include <stdlib.h>

#include "base/text.h"

void req_pools_init(struct req_pools *p, u32 n)
{
    p->n = n;
    p->pool = xcalloc(n, sizeof p->pool[0]);
    for (u32 i = 0; i < n; i++) {
        p->pool[i].id = i;
        req_pool_reserve(&p->pool[i], 256);
    }
}

void req_pools_free(struct req_pools *p)
{
    for (u32 i = 0; i < p->n; i++)
        free(p->pool[i].at);
    free(p->pool);
    p->pool = NULL, p->n = 0;
}

void req_pool_reserve(struct req_pool *p, u32 room)
{
    u32 old = p->cap;

    if (p->n_free >= room)
        return;
    p->cap = old ? 2 * old : 256;
    while (p->cap - old + p->n_free < room)
        p->cap *= 2;
    ensure_here(p->cap <= 1u << REQ_BITS);
    p->at = xrealloc(p->at, (size_t)p->cap * sizeof p->at[0]);
    for (u32 i = p->cap; i-- > old;) {
        p->at[i].next = p->free;
        p->free = i;
        p->n_free++;
    }
}
