/*
 * cache.h -- one cache: tags, MSHRs and the queue of what it sends on.  No data, no time.
 *
 * Whoever owns a cache (the LSU, fetch, an L2 slice) looks one block up at a time and is told hit,
 * miss, pending or fail.  A block is a line, or a sector where the cache has sectors.  A token is a
 * number of the owner's: it waits in an MSHR until cache_fill brings its block and cache_ready
 * gives it back, one after the other in order of arrival.
 *
 *     load hit        nothing else happens
 *     load miss       a line is reserved (alloc on_miss), an MSHR taken, SEND_READ queued; a dirty
 *                     victim queues SEND_BACK after it
 *     load pending    the token joins the MSHR of its block
 *     fail            nothing has changed: try again next cycle.  Causes: no MSHR, no merge left,
 *                     all ways reserved, too little room in the miss queue (a load that misses may
 *                     need two places)
 *     store           by `write` and `write_miss` of the configuration; see cache_store
 *
 * The miss queue `send` is emptied by the owner, as fast as its network takes it.
 * Mechanisms listen and prefetch through cache_watch.h; where a block goes in the order of
 * replacement is theirs to say.
 * Not modelled: data, ports (the owner's), ECC.
 */
#ifndef MEM_CACHE_H
#define MEM_CACHE_H

#include "base/base.h"
#include "base/err.h"
#include "base/ring.h"
#include "base/sheet.h"
#include "mem/req.h"

#define CACHE_STORES
#define CACHE_QUEUE
#define SHEET_DEF "mem/cache.def"
struct cache_conf { /* all that one of them has */
#include "base/sheet_fields.inc"
};
#undef CACHE_STORES
#undef CACHE_QUEUE
#define SHEET_DEF "mem/cache.def"
struct cache_stat {
#include "base/sheet_stats.inc"
};
extern const struct sheet l1i_sheet, l1d_sheet, l1c_sheet, l1t_sheet, l2_sheet;

enum { CACHE_WAYS = 256, CACHE_MSHRS = UINT16_MAX }; /* at most, whoever adds them up */

enum cache_index { INDEX_LINEAR, INDEX_FERMI, INDEX_XOR };
enum cache_alloc { ALLOC_ON_MISS, ALLOC_ON_FILL };
enum cache_write { WRITE_THROUGH, WRITE_BACK, WRITE_LOCAL_BACK };
enum cache_write_miss { WRITE_AROUND, WRITE_ALLOCATE, WRITE_LAZY, WRITE_BOTH };

/* "l1d.sets: .." on failure. */
/* `size`, if given, becomes sets; false with the sizes that would do.  Before cache_conf_check. */
bool cache_conf_settle(struct cache_conf *c, const struct sheet *sheet, struct err *e);

bool cache_conf_check(const struct cache_conf *c, const struct sheet *sheet, struct err *e);

enum cache_result { CACHE_HIT, CACHE_MISS, CACHE_PENDING, CACHE_FAIL };

enum send_kind { SEND_READ, SEND_WRITE, SEND_BACK };
struct cache_send {
    u64 addr;
    u32 token;  /* of the access that caused it; REQ_NONE for SEND_BACK */
    u8 kind;    /* enum send_kind */
    u8 sectors; /* SEND_BACK: the dirty ones of the line; SEND_WRITE: how many, for L2 to say */
};

struct cache_line {          /* masks of sectors */
    u8 valid, dirty, unread; /* unread: written in part, not readable */
};

struct mshr {
    u64 block;
    u16 n, next; /* waiting; in its bucket or among the free ones: place + 1, 0: the last */
    u32 wait[];  /* tokens */
};

/* Of many caches few lines are in the host's: a set's small things lie side by side. */
struct cache {
    /* hot */
    u8 *mark;    /* of each way: a hash of its tag; 0: invalid */
    u8 *pending; /* sectors that are on their way */
    s16 *used;   /* when, by the set's clock; UNUSED: invalid */
    s16 *clock;  /* of each set: the LRU order */
    struct cache_line *line;
    u64 *tag;                      /* line number + 1; 0: invalid */
    u32 sets, ways, row, set_mask; /* row: places of a set; set_mask 0: sets is no power of two */
    u32 line_shift, block_shift;
    u32 index, alloc, write, write_miss;
    u32 armed; /* a mechanism listens or prefetches: see cache_watch.h; 0: none */
    u32 miss_queue;
    RING(struct cache_send) send;
    /* MSHRs */
    u32 mshrs, merges, n_mshr; /* n_mshr in use */
    u8 *mshr;                  /* mshr_bytes each: mshr_at */
    u32 mshr_bytes;
    u16 *bucket;
    u32 bucket_mask;
    u16 mshr_free;
    RING(u16) ready; /* MSHRs that have been filled */
    u32 ready_at;    /* token of the first of them that is next */
    struct cache_stat st;
    struct cache_watch *watch; /* what mechanisms are told and have asked for, or NULL */
};

void cache_init(struct cache *c, const struct cache_conf *conf);
void cache_free(struct cache *c);
void cache_invalidate(struct cache *c); /* lines only; nothing may be pending or dirty */

/*
 * Another size, at a time when nothing is pending.  All lines go; the dirty ones are in `send`, and no
 * miss goes out before they have.
 */
void cache_resize(struct cache *c, u32 sets, u32 ways, u32 mshrs);

/* .. so many times the ways of the keys, and their MSHRs and miss queue; or the queue alone. */
void cache_multiply(struct cache *c, const struct cache_conf *conf, u32 ways, u32 queues);
void cache_lengthen(struct cache *c, const struct cache_conf *conf, u32 by);

static inline struct mshr *mshr_at(const struct cache *c, u32 m) /* m: place + 1 */
{
    return (struct mshr *)(void *)(c->mshr + (size_t)(m - 1) * c->mshr_bytes);
}

static inline u32 cache_places(const struct cache *c) /* of lines, for what is kept of each */
{
    return c->sets * c->row;
}

static inline u64 cache_block(const struct cache *c, u64 addr)
{
    return addr >> c->block_shift << c->block_shift;
}

enum cache_result cache_load(struct cache *c, u64 addr, u32 token);

/*
 * A store to one block.  full: every byte of it is written; local: to local memory.
 *
 *     through, or local_back of a global   hit invalidates nothing of a Pascal cache (sectors
 *                                          stay), and evicts the line of a Fermi cache (no
 *                                          sectors); SEND_WRITE
 *     back, or local_back of a local       hit marks it dirty; a miss goes by write_miss
 *     around      SEND_WRITE, MISS
 *     both        SEND_READ of the line, unless it is on its way, and SEND_WRITE; MISS
 *     lazy        takes a line, marks the sector dirty; a later load of a sector that was not
 *                 written in full fetches it.  MISS
 *     allocate    as lazy, but a sector that is not written in full is fetched at once (token
 *                 REQ_NONE)
 */
enum cache_result cache_store(struct cache *c, u64 addr, u32 token, bool full, bool local);

/* Read and modified in place: as a load, and the sector becomes dirty (atomics in L2). */
enum cache_result cache_modify(struct cache *c, u64 addr, u32 token);

/* The block of an outstanding miss has come. */
void cache_fill(struct cache *c, u64 addr);

/* One token whose block has come, REQ_NONE if there is none. */
u32 cache_ready(struct cache *c);
static inline bool cache_has_ready(const struct cache *c)
{
    return c->ready.n != 0;
}

/* Looks up one prefetch, if some wait (ARMED_ASKED) and no miss does. */
void cache_prefetch_step(struct cache *c);

/* Is the block there to be read?  Nothing changes. */
bool cache_holds(const struct cache *c, u64 addr);

/* A store that went around the cache: a clean copy is no longer right. */
void cache_drop(struct cache *c, u64 addr);

/* Valid and clean without an access: a copy from the host has left it here. */
void cache_warm(struct cache *c, u64 addr);

#endif
