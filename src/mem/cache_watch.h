/*
 * cache_watch.h -- mechanisms at a cache: who listens, and what they have prefetched.
 *
 * A cache without mechanisms has no watch, and `armed` of the cache is 0: each place in cache.c
 * that has something to tell tests that word and goes on.
 *
 * Prefetches.  A mechanism asks at any time, in its hooks too (cache_prefetch): the block joins a
 * short queue.  The owner of the cache looks one up in a cycle in which no miss waits to be sent
 * (cache_prefetch_step).  It is dropped if it would take the last MSHR or finds no way, and leads
 * to nothing if the block is there or on its way; else it goes out as a miss that nobody waits for.
 * Nothing is acknowledged to a warp, and the cache's own counters do not count it.  What became of
 * it is counted where the mechanism says: the rows PREFETCH_STATS of its sheet.
 */
#ifndef MEM_CACHE_WATCH_H
#define MEM_CACHE_WATCH_H

#include "base/base.h"
#include "mem/cache.h"
#include "mem/cache_hook.h"

/*
 * Counters of a prefetcher, for the sheet of a mechanism; `count` below is the address of the
 * first.
 */
#define PREFETCH_STATS                                                                             \
    STAT(issued, "blocks", "prefetches sent to the next level")                                    \
    STAT(useful, "blocks", "of them used when they were there")                                    \
    STAT(late, "blocks", "of them wanted before they were there")                                  \
    STAT(unused, "blocks", "of them replaced before they were used")                               \
    STAT(dropped, "blocks", "prefetches for which there was no MSHR, way or room in the queue")    \
    STAT(there, "blocks", "prefetches of what was there already, or on its way")

enum prefetch_stat {
#define STAT(name, unit, doc) PREFETCH_##name,
    PREFETCH_STATS
#undef STAT
        N_PREFETCH_STAT
};

/* Bits of cache.armed beside 1 << enum cache_hook. */
enum {
    ARMED_ASKED = 1 << 8, /* prefetches wait to be looked up */
    ARMED_MARKS = 1 << 9, /* some were sent */
};

struct prefetch {
    u64 addr;
    u8 by; /* number of its counters, from 1 */
};

enum { PREFETCH_QUEUE = 16 };

struct line_owner { /* whose access took the line: as in a cache_event */
    u32 sm_id, warp, pc;
};

struct cache_watch {
    u8 n[N_CACHE_HOOK];
    struct cache_listener at[N_CACHE_HOOK][MAX_LISTENERS];
    struct cache_event like; /* what its events have in common */
    const u64 *now;
    /* Who made the access that has this token (or REQ_NONE), and the address as SMs know it. */
    void (*who)(const struct cache_watch *w, u32 token, struct cache_event *ev);
    const void *owner;
    RING(struct prefetch) asked;
    u32 n_client;
    u64 *client[MAX_LISTENERS];  /* counters of prefetchers */
    u8 *line, *line_by;          /* of each way: sectors prefetched and not used; by whom */
    struct line_owner *owner_of; /* of each way */
    u8 *mshr_by, *mshr_insert;   /* of each MSHR: the prefetcher, 0: none; enum cache_insert */
};

/* Makes a watch if there is none yet; the caller fills `like`, `now`, `who` and `owner`. */
struct cache_watch *cache_watch(struct cache *c);
void cache_watch_free(struct cache *c);
void cache_watch_forget(struct cache *c); /* its lines are gone, see cache_invalidate */
void cache_watch_resize(struct cache *c); /* see cache_resize */

/* Somebody listens; call may be NULL. */
void cache_listen(struct cache *c, enum cache_hook hook,
                  void (*call)(void *self, struct cache_event *ev), void *self);

/* The line of way w has been taken for the access with this token; REQ_NONE: for nobody's. */
void cache_own(const struct cache *c, u32 w, u32 token, bool store);

/* Tells that it goes. */
void cache_tell_evict(const struct cache *c, u32 w, struct cache_event *ev);

/*
 * Tells it; the event is completed, by the token of the access or REQ_NONE, and may come back
 * changed.
 */
void cache_tell(const struct cache *c, enum cache_hook hook, u32 token, struct cache_event *ev);

/* Tells an event that is complete. */
static inline void cache_call(const struct cache_watch *w, enum cache_hook hook,
                              struct cache_event *ev)
{
    for (u32 i = 0; i < w->n[hook]; i++)
        w->at[hook][i].call(w->at[hook][i].self, ev);
}

/*
 * Asks for the block of an address.  Of all prefetches of a cache `count` is where they are
 * counted: N_PREFETCH_STAT counters, which live as long as the cache.
 */
void cache_prefetch(struct cache *c, u64 addr, u64 *count);

static inline void watch_count(const struct cache_watch *w, u32 by, enum prefetch_stat what, u32 n)
{
    w->client[by - 1][what] += n;
}

#endif
