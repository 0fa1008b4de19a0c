/*
 * cache_hook.h -- where mechanisms listen to caches: the complete list of hooks.
 *
 * Each cache has listeners of its own; what they are told, and may answer, is a struct cache_event
 * (cache_watch.h calls them).  As those of SMs (sm/hook.h) they are called on edges, never every
 * cycle, and cost the test of one bit where nobody listens.
 *
 * A new hook is one line here and one call.
 */
#ifndef MEM_CACHE_HOOK_H
#define MEM_CACHE_HOOK_H

#include "base/base.h"

/*
 * CACHE_HOOKS(H): of L1D, L1C, L1T and L1I of an SM, as l1_NAME, and of the slices of L2, as
 * l2_NAME.  A look-up that must be repeated (no MSHR, no room) is told when it succeeds.
 */
#define CACHE_HOOKS(H)                                                                             \
    H(access) /* a look-up was answered: `result`; `prefetched`: the first use of a prefetch */    \
    H(miss)   /* a block is about to be fetched, or a line taken by a store: say where it goes */  \
    H(fill)   /* its data have come: `insert` is what the miss was told, and may still change */   \
    H(evict)  /* a line goes: whose access had brought it; `prefetched`: blocks that were in vain */

/* And one of the load/store unit: an access of global memory leaves for L1D, or around it. */
enum cache_hook {
#define H(name) ON_##name,
    CACHE_HOOKS(H)
#undef H
        ON_route,
    N_CACHE_HOOK
};

enum cache_which { IN_L1D, IN_L1C, IN_L1T, IN_L1I, IN_L2 };

/* Where a block goes in the order of replacement: last, next to be replaced, or nowhere. */
enum cache_insert { INSERT_MRU, INSERT_LRU, INSERT_NONE };

enum { MAX_LISTENERS = 8 }; /* to each hook, of a cache or of an SM */

enum { EVENT_NONE = 0xffffffffu };

struct cache;
struct partition;

struct cache_event {
    struct cache *cache;
    struct sm *sm;          /* L1: of which SM; L2: NULL */
    struct partition *part; /* L2: of which partition; L1: NULL */
    u64 addr;               /* global, of a byte of the block; evict: of the line's first byte */
    u64 now;                /* core cycle */
    /*
     * Whose access it is: SM, hardware warp and instruction; EVENT_NONE: nobody's (a prefetch, a copy
     * from the host), or not known here (L2: only the SM; stores: no instruction).  evict: the access
     * that took the line when its first block was fetched, whoever came later; its hardware warp may
     * have ended since and another have begun there (hook `warp_begin`).
     */
    u32 sm_id, warp, pc;
    u8 which;  /* enum cache_which */
    u8 result; /* access: enum cache_result */
    bool store, atomic;
    bool prefetch;   /* miss, fill: nobody waits for it but a prefetcher */
    bool prefetched; /* access, evict: see there */
    bool no_way;     /* miss: all ways wait for data; it is repeated unless told to go nowhere */
    /* answers */
    bool bypass; /* route: around L1D */
    u8 insert; /* miss, fill: enum cache_insert; not `none` if the line is there, or an atomic's */
};

struct cache_listener {
    void (*call)(void *self, struct cache_event *ev);
    void *self;
};

#endif
