/*
 * hook.h -- where mechanisms listen: the complete list of hooks.
 *
 * The baseline calls HOOK(h, name, arg) on edges, never "every cycle"; what must happen N cycles
 * later is a timer (sm_timer), so that a mechanism cannot break idle skipping.  A hook that nobody
 * listens to costs the test of one bit.  Mechanisms steer only through data that the baseline reads
 * anyway: unit_off of a datapath, the policy of a scheduler, the binding of organs.
 *
 * Hooks of an SM are HOOKS.  Hooks of caches are CACHE_HOOKS: each cache has listeners of its own,
 * and what they are told, and may answer, is a struct cache_event (mem/cache_watch.h calls them).
 *
 * A new hook is one line here and one call.
 */
#ifndef MECH_HOOK_H
#define MECH_HOOK_H

#include "base/base.h"

/* HOOKS(H): name, who calls it, what arg is */
#define HOOKS(H)                                                                                   \
    H(kernel_begin) /* a launch begins on this SM */                                               \
    H(kernel_end)   /* it has ended */                                                             \
    H(cta_begin)    /* slot of the CTA that was placed */                                          \
    H(cta_end)      /* slot of the CTA whose last warp has retired */                              \
    H(warp_end)     /* hardware warp that has retired */                                           \
    H(issue)   /* hardware warp of which its datapath has got an instruction: see last_issue */    \
    H(branch)  /* hardware warp whose lanes did not agree */                                       \
    H(execute) /* pipeline that has got an instruction */                                          \
    H(unit_wanted) /* pipeline that is off and would have got an instruction */                    \
    H(subset)      /* what the active warps are, see issue_subset, when that changes */            \
    H(load_done)   /* hardware warp whose load has all its data */                                 \
    H(load_part)   /* hardware warp of whose load some lanes have their data: see load_part */     \
    H(timer)       /* timer armed with sm_timer */                                                 \
    H(parting) /* the lock step of so many SMs that its front end leads is to end: sm/bind.h */    \
    H(parted)  /* it has ended; 1: they are no set any more */                                     \
    H(joined)  /* it has begun again */                                                            \
    H(edge)    /* a window has ended: all groups stand still */

enum hook {
#define H(name) HOOK_##name,
    HOOKS(H)
#undef H
        N_HOOK
};

struct sm;

enum { MAX_LISTENERS = 8 };

struct listener {
    void (*call)(void *self, struct sm *sm, u32 arg);
    void *self;
};

struct hooks {
    u32 armed; /* bit h: somebody listens to hook h */
    u8 n[N_HOOK];
    struct listener at[N_HOOK][MAX_LISTENERS];
};

static inline void hook_call(const struct hooks *h, u32 hook, struct sm *sm, u32 arg)
{
    for (u32 i = 0; i < h->n[hook]; i++)
        h->at[hook][i].call(h->at[hook][i].self, sm, arg);
}

#define HOOK(sm, name, arg)                                                                        \
    do {                                                                                           \
        if (UNLIKELY((sm)->hooks.armed >> HOOK_##name & 1))                                        \
            hook_call(&(sm)->hooks, HOOK_##name, sm, arg);                                         \
    } while (0)

/* ---- caches */

/*
 * CACHE_HOOKS(H): of L1D, L1C, L1T and L1I of an SM, as l1_NAME, and of the slices of L2, as
 * l2_NAME.  A look-up that must be repeated (no MSHR, no room) is told when it succeeds.
 */
#define CACHE_HOOKS(H)                                                                             \
    H(access) /* a look-up was answered: `result`; `prefetched`: the first use of a prefetch */    \
    H(miss)   /* a block is about to be fetched, or a line taken by a store: say where it goes */  \
    H(fill)   /* its data have come: `insert` is what the miss was told, and may still change */   \
    H(evict)  /* a line goes; `prefetched`: blocks that were prefetched in vain go with it */

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

enum { EVENT_NONE = 0xffffffffu };

struct cache;
struct partition;

struct cache_event {
    struct cache *cache;
    struct sm *sm;          /* L1: of which SM; L2: NULL */
    struct partition *part; /* L2: of which partition; L1: NULL */
    u64 addr;               /* global, of a byte of the block; evict: of the line's first byte */
    u64 now;                /* core cycle */
    u32 sm_id;              /* SM whose access it is; EVENT_NONE: nobody's, as of an evicted line */
    u32 warp, pc;           /* hardware warp and instruction; EVENT_NONE: not known here */
    u8 which;               /* enum cache_which */
    u8 result;              /* access: enum cache_result */
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
