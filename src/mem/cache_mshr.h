/*
 * cache_mshr.h -- MSHRs of a cache: blocks that are on their way, and who waits for them.
 *
 * An MSHR is known by its place + 1, so that 0 ends a list.  Those in use hang in buckets by their
 * block, until it has come; the others in a list of free ones.
 */
#ifndef MEM_CACHE_MSHR_H
#define MEM_CACHE_MSHR_H

#include "mem/cache.h"

static inline u32 bucket_of(const struct cache *c, u64 block)
{
    return (u32)((block >> 5) * 0x9e3779b97f4a7c15ull >> 40) & c->bucket_mask;
}

static inline u32 mshr_find(const struct cache *c, u64 block)
{
    u32 m = c->bucket[bucket_of(c, block)];

    while (m && mshr_at(c, m)->block != block)
        m = mshr_at(c, m)->next;
    return m;
}

static inline u32 mshr_take(struct cache *c, u64 block)
{
    u32 m = c->mshr_free, b = bucket_of(c, block);
    struct mshr *at = mshr_at(c, m);

    ensure_here(m && c->n_mshr < c->mshrs);
    c->mshr_free = at->next;
    at->next = c->bucket[b];
    c->bucket[b] = (u16)m;
    at->block = block;
    at->n = 0;
    c->n_mshr++;
    return m;
}

static inline void mshr_wait(struct cache *c, u32 m, u32 token)
{
    struct mshr *at = mshr_at(c, m);

    check_here(at->n < c->merges);
    at->wait[at->n++] = token;
}

/* Out of the look-up: what misses from now on is another miss. */
static inline void mshr_unlink(struct cache *c, u32 m)
{
    u16 *p = &c->bucket[bucket_of(c, mshr_at(c, m)->block)];

    while (*p != m)
        p = &mshr_at(c, *p)->next;
    *p = mshr_at(c, m)->next;
}

#endif
