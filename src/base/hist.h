/*
 * hist.h -- a histogram of cycle counts: bucket b counts values v with 2^(b-1) <= v < 2^b, bucket 0
 * zeros.
 */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include "base/base.h"

enum { HIST = 24 };

struct hist {
    u64 sum, n;
    u64 bucket[HIST];
};

static inline void hist_add(struct hist *h, u64 v)
{
    u32 b = v ? 64u - (u32)__builtin_clzll(v) : 0;

    h->bucket[b < HIST ? b : HIST - 1]++;
    h->sum += v;
    h->n++;
}

static inline void hist_merge(struct hist *to, const struct hist *from)
{
    for (u32 i = 0; i < HIST; i++)
        to->bucket[i] += from->bucket[i];
    to->sum += from->sum;
    to->n += from->n;
}

#endif
