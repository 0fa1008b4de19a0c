/* cache_watch.c -- see cache_watch.h */
#include "mem/cache_watch.h"

#include <stdlib.h>
#include <string.h>

static void init_marks(struct cache_watch *w, const struct cache *c)
{
    size_t n = cache_places(c);

    w->line = xcalloc(2 * n, 1);
    w->line_by = w->line + n;
    w->mshr_by = xcalloc(2 * (size_t)c->mshrs, 1);
    w->mshr_insert = w->mshr_by + c->mshrs;
}

struct cache_watch *cache_watch(struct cache *c)
{
    if (c->watch)
        return c->watch;
    struct cache_watch *w = xcalloc(1, sizeof *w);

    ring_init(&w->asked, PREFETCH_QUEUE);
    init_marks(w, c);
    c->watch = w;
    return w;
}

void cache_watch_resize(struct cache *c)
{
    if (!c->watch)
        return;
    free(c->watch->line), free(c->watch->mshr_by);
    init_marks(c->watch, c);
}

void cache_watch_free(struct cache *c)
{
    if (!c->watch)
        return;
    ring_free(&c->watch->asked);
    free(c->watch->line), free(c->watch->mshr_by);
    free(c->watch);
}

void cache_watch_forget(struct cache *c)
{
    memset(c->watch->line, 0, cache_places(c));
}

void cache_listen(struct cache *c, enum cache_hook hook,
                  void (*call)(void *self, struct cache_event *ev), void *self)
{
    struct cache_watch *w = c->watch;

    if (!call)
        return;
    assert(w->n[hook] < MAX_LISTENERS);
    w->at[hook][w->n[hook]++] = (struct cache_listener){call, self};
    c->armed |= 1u << hook;
}

void cache_tell(const struct cache *c, enum cache_hook hook, u32 token, struct cache_event *ev)
{
    const struct cache_watch *w = c->watch;

    ev->cache = w->like.cache, ev->sm = w->like.sm, ev->part = w->like.part;
    ev->which = w->like.which;
    ev->sm_id = w->like.sm_id;
    ev->warp = ev->pc = EVENT_NONE;
    ev->now = *w->now;
    w->who(w, token, ev);
    cache_call(w, hook, ev);
}

/* The number of the prefetcher with these counters. */
static u32 client(struct cache_watch *w, u64 *count)
{
    u32 i = 0;

    while (i < w->n_client && w->client[i] != count)
        i++;
    assert(i < MAX_LISTENERS);
    if (i == w->n_client)
        w->client[w->n_client++] = count;
    return i + 1;
}

/* Addresses that no memory can have come of strides that lead out of it. */
enum { ADDR_BITS = 48 };

void cache_prefetch(struct cache *c, u64 addr, u64 *count)
{
    struct cache_watch *w = c->watch;

    if (addr >> ADDR_BITS || ring_full(&w->asked)) {
        count[PREFETCH_dropped]++;
        return;
    }
    ring_push(&w->asked, ((struct prefetch){cache_block(c, addr), (u8)client(w, count)}));
    c->armed |= ARMED_ASKED;
}
