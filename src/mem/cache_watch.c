/* cache_watch.c -- see cache_watch.h */
#include "mem/cache_watch.h"

#include <stdlib.h>
#include <string.h>

static void init_marks(struct cache_watch *w, const struct cache *c)
{
    size_t n = cache_places(c);

    w->line = xcalloc(2 * n, 1);
    w->line_by = w->line + n;
    w->owner_of = xcalloc(n, sizeof w->owner_of[0]);
    w->mshr_by = xcalloc(2 * (size_t)c->mshrs, 1);
    w->mshr_insert = w->mshr_by + c->mshrs;
}

static void free_marks(struct cache_watch *w)
{
    free(w->line), free(w->owner_of), free(w->mshr_by);
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
    free_marks(c->watch);
    init_marks(c->watch, c);
}

void cache_watch_free(struct cache *c)
{
    if (!c->watch)
        return;
    ring_free(&c->watch->asked);
    free_marks(c->watch);
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
    ensure_here(w->n[hook] < MAX_LISTENERS);
    w->at[hook][w->n[hook]++] = (struct cache_listener){call, self};
    c->armed |= 1u << hook;
}

static void complete(const struct cache_watch *w, u32 token, struct cache_event *ev)
{

    ev->cache = w->like.cache, ev->sm = w->like.sm, ev->part = w->like.part;
    ev->which = w->like.which;
    ev->sm_id = w->like.sm_id;
    ev->warp = ev->pc = EVENT_NONE;
    ev->now = *w->now;
    w->who(w, token, ev);
}

void cache_tell(const struct cache *c, enum cache_hook hook, u32 token, struct cache_event *ev)
{
    complete(c->watch, token, ev);
    cache_call(c->watch, hook, ev);
}

void cache_own(const struct cache *c, u32 w, u32 token, bool store)
{
    struct cache_event ev = {.store = store};

    if (!(c->armed >> ON_evict & 1))
        return;
    complete(c->watch, token, &ev);
    c->watch->owner_of[w] = token == REQ_NONE
                                ? (struct line_owner){EVENT_NONE, EVENT_NONE, EVENT_NONE}
                                : (struct line_owner){ev.sm_id, ev.warp, ev.pc};
}

void cache_tell_evict(const struct cache *c, u32 w, struct cache_event *ev)
{
    const struct line_owner *of = &c->watch->owner_of[w];

    complete(c->watch, REQ_NONE, ev);
    ev->sm_id = of->sm_id, ev->warp = of->warp, ev->pc = of->pc;
    cache_call(c->watch, ON_evict, ev);
}

/* The number of the prefetcher with these counters. */
static u32 client(struct cache_watch *w, u64 *count)
{
    u32 i = 0;

    while (i < w->n_client && w->client[i] != count)
        i++;
    ensure_here(i < MAX_LISTENERS);
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
