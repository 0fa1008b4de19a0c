/*
 * cache.c -- see cache.h
 *
 * Long because: loads, stores, fills, prefetches and copies are made of the same inline steps over sets, ways
 * and MSHRs, which would have to be in a header for two files.
 */
#include "mem/cache.h"

#include <stdlib.h>
#include <string.h>

#include "mem/cache_mshr.h"
#include "mem/cache_watch.h"

/* A part of a host's line, or whole ones. */
static u32 mshr_bytes(u32 merges)
{
    u32 n = (u32)sizeof(struct mshr) + merges * (u32)sizeof(u32);

    return n > 64 ? (u32)align_up(n, 64) : n > 32 ? 64 : n > 16 ? 32 : 16;
}

static void init_mshrs(struct cache *c, u32 mshrs)
{
    ensure_here(mshrs <= CACHE_MSHRS); /* their numbers are u16, and 0 is none */
    c->mshrs = mshrs;
    c->bucket_mask = ring_slots(2 * c->mshrs) - 1;
    c->mshr_bytes = mshr_bytes(c->merges);
    c->mshr = xcalloc_lines(c->mshrs, c->mshr_bytes);
    c->bucket = xcalloc(c->bucket_mask + 1, sizeof(u16));
    ring_init(&c->ready, c->mshrs);
    for (u32 m = 1; m <= c->mshrs; m++)
        mshr_at(c, m)->next = (u16)(m < c->mshrs ? m + 1 : 0);
    c->mshr_free = 1;
}

enum { MARKS = sizeof(u64) }; /* that are compared at a time */
enum { UNUSED = -1, LATEST = INT16_MAX - 1 };

static void forget_lines(struct cache *c)
{
    u32 n = cache_places(c);

    memset(c->mark, 0, n), memset(c->pending, 0, n);
    memset(c->line, 0, n * sizeof c->line[0]), memset(c->tag, 0, n * sizeof c->tag[0]);
    for (u32 w = 0; w < n; w++)
        c->used[w] = UNUSED;
}

static void init_lines(struct cache *c, u32 sets, u32 ways)
{
    ensure_here(ways <= CACHE_WAYS);
    c->sets = sets, c->ways = ways, c->row = (u32)align_up(ways, MARKS);
    c->set_mask = sets & (sets - 1) ? 0 : sets - 1;
    u32 n = cache_places(c);

    c->mark = xcalloc_lines(n, 1), c->pending = xcalloc_lines(n, 1);
    c->used = xcalloc_lines(n, sizeof c->used[0]);
    c->line = xcalloc_lines(n, sizeof c->line[0]);
    c->tag = xcalloc_lines(n, sizeof c->tag[0]);
    c->clock = xcalloc(sets, sizeof c->clock[0]);
    forget_lines(c);
}

static void free_arrays(struct cache *c)
{
    free(c->mark), free(c->pending), free(c->used), free(c->line), free(c->tag), free(c->clock);
    free(c->mshr), free(c->bucket);
    ring_free(&c->ready);
}

/* A miss sends up to three things at once. */
static u32 send_places(u32 miss_queue)
{
    return miss_queue + 2;
}

void cache_init(struct cache *c, const struct cache_conf *conf)
{
    memset(c, 0, sizeof *c);
    c->line_shift = log2_u64(conf->line);
    c->block_shift = conf->sector ? log2_u64(conf->sector) : c->line_shift;
    c->index = conf->index, c->alloc = conf->alloc;
    c->write = conf->write, c->write_miss = conf->write_miss;
    c->miss_queue = (u32)conf->miss_queue;
    c->merges = (u32)conf->merges;
    ring_init(&c->send, send_places(c->miss_queue));
    init_lines(c, (u32)conf->sets, (u32)conf->ways);
    init_mshrs(c, (u32)conf->mshrs);
}

void cache_free(struct cache *c)
{
    cache_watch_free(c);
    free_arrays(c);
    ring_free(&c->send);
    memset(c, 0, sizeof *c);
}

void cache_invalidate(struct cache *c)
{
    forget_lines(c);
    if (UNLIKELY(c->armed))
        cache_watch_forget(c);
}

/* What only mechanisms need stays off the hot path, and what it shares with it is copied. */
#define COPIED static inline __attribute__((always_inline))

/* ---- tags */

/*
 * Fermi, found by microbenchmarks (Nugteren et al., HPCA 2014): low bits XOR scattered higher ones.
 */
static u32 fermi_set(const struct cache *c, u64 addr)
{
    u32 low = (u32)(addr >> 7) & 31;
    u32 high = (u32)(addr >> 13 & 1) | (u32)(addr >> 14 & 1) << 1 | (u32)(addr >> 15 & 1) << 2 |
               (u32)(addr >> 17 & 1) << 3 | (u32)(addr >> 19 & 1) << 4;

    return (low ^ high) | (c->sets == 64 ? (u32)(addr >> 12 & 1) << 5 : 0);
}

static inline u32 set_of_line(const struct cache *c, u64 addr)
{
    u64 line = addr >> c->line_shift;

    if (c->index == INDEX_FERMI)
        return fermi_set(c, addr);
    if (!c->set_mask)
        return (u32)(line % c->sets);
    if (c->index == INDEX_XOR) {
        u32 bits = log2_u64(c->sets);

        line ^= line >> bits ^ line >> 2 * bits;
    }
    return (u32)line & c->set_mask;
}

static inline u8 bit_of(const struct cache *c, u64 addr)
{
    if (c->block_shift == c->line_shift)
        return 1;
    return (u8)(1u << (addr >> c->block_shift & ((1u << (c->line_shift - c->block_shift)) - 1)));
}

enum { NO_WAY = 0xffffffffu };

static inline u8 mark_of(u64 tag)
{
    u8 hash = (u8)(tag * 0x9e3779b97f4a7c15ull >> 56);

    return hash ? hash : 1;
}

/* Bytes of x that are 0 have their top bit set in the result; so may others behind the first. */
static inline u64 zero_bytes(u64 x)
{
    return (x - 0x0101010101010101ull) & ~x & 0x8080808080808080ull;
}

/* The way that holds the line, as an index into tag[], or NO_WAY. */
static inline u32 find_way(const struct cache *c, u64 addr, u32 set)
{
    u64 want = (addr >> c->line_shift) + 1, marks = mark_of(want) * 0x0101010101010101ull;
    u32 first = set * c->row;

    for (u32 i = first; i < first + c->row; i += MARKS) {
        u64 x;

        memcpy(&x, &c->mark[i], sizeof x);
        for (x = zero_bytes(x ^ marks); x; x &= x - 1) {
            u32 w = i + (u32)__builtin_ctzll(x) / 8;

            if (LIKELY(c->tag[w] == want))
                return w;
        }
    }
    return NO_WAY;
}

bool cache_holds(const struct cache *c, u64 addr)
{
    u32 w = find_way(c, addr, set_of_line(c, addr));

    return w != NO_WAY && c->line[w].valid & bit_of(c, addr);
}

/* An invalid way, else the least recently used one of which nothing is on its way. */
static u32 find_victim(const struct cache *c, u32 set)
{
    u32 best = NO_WAY, first = set * c->row;
    s16 least = INT16_MAX;

    for (u32 w = first; w < first + c->ways; w++)
        if (c->used[w] < least && !c->pending[w])
            least = c->used[w], best = w;
    return best;
}

/* The set's clock begins anew; the order stays. */
RARE static s16 wind_back(struct cache *c, u32 set)
{
    s16 *used = &c->used[set * c->row], rank[CACHE_WAYS];

    for (u32 w = 0; w < c->ways; w++) {
        rank[w] = used[w] > 0 ? 1 : used[w];
        for (u32 v = 0; used[w] > 0 && v < c->ways; v++)
            rank[w] = (s16)(rank[w] + (used[v] > 0 && used[v] < used[w]));
    }
    memcpy(used, rank, c->ways * sizeof used[0]);
    return c->clock[set] = (s16)c->ways;
}

/* Way w of the set is the most recently used one. */
static inline void use(struct cache *c, u32 set, u32 w)
{
    s16 now = UNLIKELY(c->clock[set] == LATEST) ? wind_back(c, set) : c->clock[set];

    c->used[w] = c->clock[set] = (s16)(now + 1);
}

static void clear_way(struct cache *c, u32 w)
{
    c->tag[w] = 0, c->mark[w] = 0, c->used[w] = UNUSED;
    c->line[w] = (struct cache_line){0, 0, 0};
}

/* The line of way w goes; what it leaves to be written back, if `sectors` is not 0. */
static struct cache_send evict(struct cache *c, u32 w)
{
    struct cache_send back = {0, REQ_NONE, SEND_BACK, 0};

    if (!c->tag[w])
        return back;
    c->st.evict++;
    back.addr = (c->tag[w] - 1) << c->line_shift;
    back.sectors = c->line[w].dirty;
    clear_way(c, w);
    return back;
}

static void send_back(struct cache *c, struct cache_send back)
{
    if (!back.sectors)
        return;
    ring_push(&c->send, back);
    c->st.write_back += (u32)__builtin_popcount(back.sectors);
}

/* What is in `send` stays, and there is room for so many more. */
static void make_room(struct cache *c, u32 n)
{
    RING(struct cache_send) old = {0};

    memcpy(&old, &c->send, sizeof old);
    ring_init(&c->send, old.n + n);
    for (; old.n; ring_pop(&old))
        ring_push(&c->send, ring_head(&old));
    ring_free(&old);
}

/* Room in `send` for all that is in it and all dirty lines; afterwards it is as long as ever. */
static void write_all_back(struct cache *c)
{
    u32 n = cache_places(c), bound = c->send.cap;

    make_room(c, bound + n);
    for (u32 w = 0; w < n; w++)
        send_back(c, evict(c, w));
    c->send.cap = bound;
}

void cache_resize(struct cache *c, u32 sets, u32 ways, u32 mshrs)
{
    check_here(!c->n_mshr && !c->ready.n);
    check_here(sets == c->sets ||
               c->index == INDEX_LINEAR); /* others are made for certain numbers */
    if (sets == c->sets && ways == c->ways && mshrs == c->mshrs)
        return;
    write_all_back(c);
    free_arrays(c);
    init_lines(c, sets, ways);
    init_mshrs(c, mshrs);
    cache_watch_resize(c);
}

void cache_lengthen(struct cache *c, const struct cache_conf *conf, u32 by)
{
    if (c->miss_queue != conf->miss_queue * by)
        make_room(c, send_places((u32)conf->miss_queue * by));
    c->miss_queue = (u32)conf->miss_queue * by;
    c->send.cap = send_places(c->miss_queue);
}

static u32 take_way(struct cache *c, u64 addr, u32 set, struct cache_send *back)
{
    u32 w = find_victim(c, set);

    if (w == NO_WAY)
        return w;
    *back = evict(c, w);
    c->tag[w] = (addr >> c->line_shift) + 1;
    c->mark[w] = mark_of(c->tag[w]);
    return w;
}

/* ---- what mechanisms are told; only if c->armed */

enum access { LOAD, STORE, MODIFY };

/* The line of way w goes. */
RARE static void told_evict(struct cache *c, u32 w, bool store)
{
    struct cache_watch *x = c->watch;
    struct cache_event ev = {
        .addr = (c->tag[w] - 1) << c->line_shift, .store = store, .prefetched = x->line[w] != 0};

    if (x->line[w])
        watch_count(x, x->line_by[w], PREFETCH_unused, (u32)__builtin_popcount(x->line[w]));
    x->line[w] = 0;
    if (c->armed >> ON_evict & 1)
        cache_tell_evict(c, w, &ev);
}

/* A line of the set is about to be taken. */
RARE static void told_victim(struct cache *c, u32 set)
{
    u32 w = find_victim(c, set);

    if (w != NO_WAY && c->tag[w])
        told_evict(c, w, false);
}

RARE static void told_access(struct cache *c, u64 addr, u32 token, enum access kind,
                             enum cache_result result, bool prefetched)
{
    struct cache_event ev = {.addr = addr,
                             .result = (u8)result,
                             .store = kind == STORE,
                             .atomic = kind == MODIFY,
                             .prefetched = prefetched};

    if (c->armed >> ON_access & 1)
        cache_tell(c, ON_access, token, &ev);
}

/* A look-up of way w, or NO_WAY, that was answered; a prefetched block is useful once. */
RARE static void told_look_up(struct cache *c, u64 addr, u32 w, u32 token, enum access kind,
                              enum cache_result result)
{
    struct cache_watch *x = c->watch;
    bool first = w != NO_WAY && result == CACHE_HIT && x->line[w] & bit_of(c, addr);

    if (first) {
        x->line[w] &= (u8)~bit_of(c, addr);
        watch_count(x, x->line_by[w], PREFETCH_useful, 1);
    }
    told_access(c, addr, token, kind, result, first);
}

RARE static void told_pending(struct cache *c, u64 addr, u32 m, u32 token, enum access kind)
{
    struct cache_watch *x = c->watch;
    bool late = x->mshr_by[m - 1] != 0;

    if (late)
        watch_count(x, x->mshr_by[m - 1], PREFETCH_late, 1);
    x->mshr_by[m - 1] = 0;
    if (kind != STORE) /* cache_store tells those */
        told_access(c, addr, token, kind, CACHE_PENDING, late);
}

static enum cache_insert ask_miss(struct cache *c, u64 addr, u32 token, enum access kind, u32 set,
                                  u32 w, bool prefetch)
{
    struct cache_event ev = {
        .addr = addr, .store = kind == STORE, .atomic = kind == MODIFY, .prefetch = prefetch};

    if (!(c->armed >> ON_miss & 1))
        return INSERT_MRU;
    ev.no_way = w == NO_WAY && c->alloc == ALLOC_ON_MISS && find_victim(c, set) == NO_WAY;
    cache_tell(c, ON_miss, token, &ev);
    if (ev.insert == INSERT_NONE && (w != NO_WAY || kind == MODIFY))
        return INSERT_MRU;
    return ev.insert;
}

/* Where will the block go?  w is its line's way; NO_WAY: one is taken now, or on fill. */
RARE static enum cache_insert told_miss(struct cache *c, u64 addr, u32 token, enum access kind,
                                        u32 set, u32 w, bool prefetch)
{
    enum cache_insert insert = ask_miss(c, addr, token, kind, set, w, prefetch);

    if (w == NO_WAY && insert != INSERT_NONE && c->alloc == ALLOC_ON_MISS)
        told_victim(c, set);
    return insert;
}

/* An MSHR is taken for a miss of way w; the prefetcher `by` or, 0, somebody waits for it. */
static void told_mshr(struct cache *c, u32 m, u32 w, enum cache_insert insert, u32 by)
{
    if (insert == INSERT_LRU && w != NO_WAY && !c->line[w].valid &&
        !(c->pending[w] & (c->pending[w] - 1)))
        c->used[w] = 0; /* a line of which this is the first block */
    c->watch->mshr_by[m - 1] = (u8)by;
    c->watch->mshr_insert[m - 1] = (u8)insert;
}

RARE static void told_taken(struct cache *c, u64 addr, u32 m, u32 w, u32 token, enum access kind,
                            enum cache_insert insert)
{
    told_mshr(c, m, w, insert, 0);
    if (kind != STORE) /* cache_store tells those */
        told_access(c, addr, token, kind, CACHE_MISS, false);
}

RARE static enum cache_insert told_fill(struct cache *c, u64 addr, u32 m)
{
    struct cache_watch *x = c->watch;
    struct cache_event ev = {
        .addr = addr, .prefetch = x->mshr_by[m - 1] != 0, .insert = x->mshr_insert[m - 1]};

    if (c->armed >> ON_fill & 1)
        cache_tell(c, ON_fill, mshr_at(c, m)->wait[0], &ev);
    return ev.insert;
}

/* ---- accesses */

static inline enum cache_result reservation_failed(struct cache *c)
{
    c->st.reserv_fail++;
    return CACHE_FAIL;
}

static enum cache_result send_store(struct cache *c, u64 addr, u32 token, bool hit)
{
    if (c->send.n >= c->miss_queue)
        return reservation_failed(c);
    ring_push(&c->send, ((struct cache_send){cache_block(c, addr), token, SEND_WRITE, 0}));
    c->st.access++;
    c->st.miss += !hit;
    return hit ? CACHE_HIT : CACHE_MISS;
}

/*
 * A miss of a block whose line is in way w, or NO_WAY; `waits` is the token that waits for it,
 * REQ_NONE for a store's own fetch.  There are two copies: the plain one tells nobody.
 */
COPIED enum cache_result miss(struct cache *c, u64 addr, u32 token, u32 waits, u32 set, u32 w,
                              enum access kind, bool armed)
{
    u64 block = cache_block(c, addr);
    u32 m = mshr_find(c, block);
    enum cache_insert insert = INSERT_MRU;
    struct cache_send back = {0};

    if (c->send.n + 1 >= c->miss_queue && c->miss_queue > 1)
        return reservation_failed(c);
    if (m) {
        if (mshr_at(c, m)->n >= c->merges)
            return reservation_failed(c);
        c->st.access++, c->st.pending_hit++;
        mshr_wait(c, m, waits);
        if (w != NO_WAY)
            use(c, set, w);
        if (armed)
            told_pending(c, addr, m, token, kind);
        return CACHE_PENDING;
    }
    if (c->n_mshr >= c->mshrs || c->send.n >= c->miss_queue)
        return reservation_failed(c);
    if (armed)
        insert = told_miss(c, addr, token, kind, set, w, false);
    if (insert == INSERT_NONE && kind == STORE)
        return send_store(c, addr, token, false);
    if (c->alloc == ALLOC_ON_MISS && insert != INSERT_NONE) {
        bool taken = w == NO_WAY;

        if (taken)
            w = take_way(c, addr, set, &back);
        if (w == NO_WAY)
            return reservation_failed(c);
        if (armed && taken)
            cache_own(c, w, token, kind == STORE);
        c->pending[w] |= bit_of(c, addr);
        use(c, set, w);
    }
    m = mshr_take(c, block);
    mshr_wait(c, m, waits);
    ring_push(&c->send, ((struct cache_send){block, waits, SEND_READ, 0}));
    send_back(c, back);
    c->st.access++, c->st.miss++;
    if (armed)
        told_taken(c, addr, m, w, token, kind, insert);
    return CACHE_MISS;
}

static enum cache_result miss_load(struct cache *c, u64 addr, u32 token, u32 set, u32 w)
{
    return miss(c, addr, token, token, set, w, LOAD, false);
}

RARE static enum cache_result miss_told(struct cache *c, u64 addr, u32 token, u32 set, u32 w,
                                        enum access kind)
{
    return miss(c, addr, token, kind == STORE ? REQ_NONE : token, set, w, kind, true);
}

COPIED enum cache_result load(struct cache *c, u64 addr, u32 token, enum access kind)
{
    u32 set = set_of_line(c, addr), w = find_way(c, addr, set);

    if (LIKELY(w != NO_WAY && c->line[w].valid & ~c->line[w].unread & bit_of(c, addr))) {
        use(c, set, w);
        c->st.access++;
        if (UNLIKELY(c->armed))
            told_look_up(c, addr, w, token, kind, CACHE_HIT);
        return CACHE_HIT;
    }
    if (UNLIKELY(c->armed))
        return miss_told(c, addr, token, set, w, kind);
    return miss_load(c, addr, token, set, w);
}

HOT enum cache_result cache_load(struct cache *c, u64 addr, u32 token)
{
    return load(c, addr, token, LOAD);
}

static void mark_dirty(struct cache *c, u64 addr)
{
    u32 w = find_way(c, addr, set_of_line(c, addr));

    if (w != NO_WAY)
        c->line[w].dirty |= bit_of(c, addr);
}

enum cache_result cache_modify(struct cache *c, u64 addr, u32 token)
{
    enum cache_result r = load(c, addr, token, MODIFY);

    if (r != CACHE_FAIL) /* a line that is on its way is not evicted before it has come */
        mark_dirty(c, addr);
    return r;
}

/* The line of way w is clean, and a store has made it wrong. */
static void drop_line(struct cache *c, u32 w)
{
    if (UNLIKELY(c->armed))
        told_evict(c, w, true);
    clear_way(c, w);
}

void cache_drop(struct cache *c, u64 addr)
{
    u32 w = find_way(c, addr, set_of_line(c, addr));

    if (w != NO_WAY && !c->pending[w] && !c->line[w].dirty)
        drop_line(c, w);
}

static enum cache_result store_through(struct cache *c, u64 addr, u32 token, u32 w)
{
    bool hit = w != NO_WAY && c->line[w].valid & bit_of(c, addr);
    enum cache_result r = send_store(c, addr, token, hit);

    if (r == CACHE_HIT && c->block_shift == c->line_shift)
        drop_line(c, w); /* Fermi: the line is evicted, L2 has what is valid */
    return r;
}

/* A store that takes a line without fetching it. */
static enum cache_result store_lazy(struct cache *c, u64 addr, u32 token, u32 set, u32 w, bool full)
{
    u8 bit = bit_of(c, addr);
    enum cache_insert insert = INSERT_MRU;
    struct cache_send back = {0};

    if (c->send.n >= c->miss_queue)
        return reservation_failed(c);
    if (UNLIKELY(c->armed))
        insert = told_miss(c, addr, token, STORE, set, w, false);
    if (UNLIKELY(insert == INSERT_NONE))
        return send_store(c, addr, token, false);
    c->st.store_sector += w != NO_WAY;
    bool taken = w == NO_WAY;

    if (taken)
        w = take_way(c, addr, set, &back);
    if (w == NO_WAY)
        return reservation_failed(c);
    if (UNLIKELY(c->armed) && taken)
        cache_own(c, w, token, true);
    send_back(c, back);
    c->line[w].valid |= bit, c->line[w].dirty |= bit;
    c->line[w].unread = (u8)(full ? c->line[w].unread & ~bit : c->line[w].unread | bit);
    use(c, set, w);
    if (UNLIKELY(insert != INSERT_MRU) && c->line[w].valid == bit)
        c->used[w] = 0;
    c->st.access++, c->st.miss++;
    return CACHE_MISS;
}

/*
 * A store that fetches its line, and is kept or, with WRITE_BOTH, sent on, so that the line is clean;
 * that needs room for three: the store, the fetch and a line that goes.
 */
static enum cache_result store_fetch(struct cache *c, u64 addr, u32 token, u32 set, u32 w)
{
    bool both = c->write_miss == WRITE_BOTH;
    u32 n_mshr = c->n_mshr;

    if (both && c->send.n + min_u32(2, c->miss_queue - 1) >= c->miss_queue)
        return reservation_failed(c);
    enum cache_result r = UNLIKELY(c->armed) ? miss_told(c, addr, token, set, w, STORE)
                                             : miss_load(c, addr, REQ_NONE, set, w);

    if (r == CACHE_FAIL)
        return r;
    if (!both)
        mark_dirty(c, addr);
    else if (r != CACHE_MISS || c->n_mshr != n_mshr) /* not sent on alone, as told */
        ring_push(&c->send, ((struct cache_send){cache_block(c, addr), token, SEND_WRITE, 0}));
    return CACHE_MISS;
}

static enum cache_result store_any(struct cache *c, u64 addr, u32 token, bool full, bool local)
{
    u32 set = set_of_line(c, addr), w = find_way(c, addr, set);

    if (c->write == WRITE_THROUGH || (c->write == WRITE_LOCAL_BACK && !local))
        return store_through(c, addr, token, w);
    if (w != NO_WAY && c->line[w].valid & ~c->line[w].unread & bit_of(c, addr)) {
        c->line[w].dirty |= bit_of(c, addr);
        use(c, set, w);
        c->st.access++;
        return CACHE_HIT;
    }
    if (c->write_miss == WRITE_AROUND)
        return send_store(c, addr, token, false);
    if (c->write_miss == WRITE_LAZY || (c->write_miss == WRITE_ALLOCATE && full))
        return store_lazy(c, addr, token, set, w, full);
    return store_fetch(c, addr, token, set, w);
}

enum cache_result cache_store(struct cache *c, u64 addr, u32 token, bool full, bool local)
{
    u64 misses = c->st.miss; /* a store to a line on its way fetches nothing and is no miss */
    enum cache_result r = store_any(c, addr, token, full, local);

    c->st.store += r != CACHE_FAIL;
    c->st.store_miss += c->st.miss - misses;
    if (UNLIKELY(c->armed) && r != CACHE_FAIL)
        told_look_up(c, addr, find_way(c, addr, set_of_line(c, addr)), token, STORE, r);
    return r;
}

/* ---- fills */

/* The way that it went to, or NO_WAY. */
COPIED u32 fill_line(struct cache *c, u64 addr, enum cache_insert insert)
{
    u32 set = set_of_line(c, addr), w = find_way(c, addr, set);

    struct cache_send back; /* nothing: what allocates on fill keeps no stores */

    if (w == NO_WAY && c->alloc == ALLOC_ON_FILL && LIKELY(insert != INSERT_NONE))
        w = take_way(c, addr, set, &back);
    if (w == NO_WAY)
        return w;
    u8 bit = bit_of(c, addr);

    if (c->alloc == ALLOC_ON_FILL || !(c->pending[w] & bit))
        use(c, set, w);
    c->pending[w] &= (u8)~bit;
    c->line[w].valid |= bit;
    c->line[w].unread &= (u8)~bit;
    return w;
}

/* Where the block of MSHR m goes by what a mechanism says; a line that has more of it stays. */
RARE static void fill_as_told(struct cache *c, u64 addr, u32 m)
{
    struct cache_watch *x = c->watch;
    enum cache_insert insert = told_fill(c, addr, m);
    u32 set = set_of_line(c, addr), w;
    u8 bit = bit_of(c, addr);

    bool taken =
        c->alloc == ALLOC_ON_FILL && insert != INSERT_NONE && find_way(c, addr, set) == NO_WAY;

    if (taken)
        told_victim(c, set);
    w = fill_line(c, addr, insert);
    if (w == NO_WAY)
        return;
    if (taken)
        cache_own(c, w, mshr_at(c, m)->wait[0], false);
    if (insert == INSERT_NONE && c->line[w].valid == bit && !c->pending[w] && !c->line[w].dirty) {
        clear_way(c, w);
        return;
    }
    if (insert == INSERT_LRU && (c->alloc == ALLOC_ON_FILL || insert != x->mshr_insert[m - 1]))
        c->used[w] = 0;
    if (insert == INSERT_MRU && insert != x->mshr_insert[m - 1])
        use(c, set, w);
    if (x->mshr_by[m - 1])
        x->line[w] |= bit, x->line_by[w] = x->mshr_by[m - 1];
}

void cache_fill(struct cache *c, u64 addr)
{
    u32 m = mshr_find(c, cache_block(c, addr));

    ensure_here(m);
    if (UNLIKELY(c->armed))
        fill_as_told(c, addr, m);
    else
        fill_line(c, addr, INSERT_MRU);
    mshr_unlink(c, m);
    ring_push(&c->ready, (u16)m);
}

/* ---- prefetches */

/* It goes out as a miss that nobody waits for; false: no room. */
RARE static bool send_prefetch(struct cache *c, u64 addr, u32 set, u32 w, u32 by)
{
    struct cache_send back = {0};

    if (c->n_mshr + 1 >= c->mshrs || c->miss_queue < 2)
        return false;
    enum cache_insert insert = told_miss(c, addr, REQ_NONE, LOAD, set, w, true);

    if (insert == INSERT_NONE)
        return false;
    if (c->alloc == ALLOC_ON_MISS) {
        bool taken = w == NO_WAY;

        w = taken ? take_way(c, addr, set, &back) : w;
        if (w == NO_WAY)
            return false;
        if (taken)
            cache_own(c, w, REQ_NONE, false);
        c->pending[w] |= bit_of(c, addr);
        use(c, set, w);
    }
    u32 m = mshr_take(c, addr);

    mshr_wait(c, m, REQ_NONE);
    ring_push(&c->send, ((struct cache_send){addr, REQ_NONE, SEND_READ, 0}));
    send_back(c, back);
    told_mshr(c, m, w, insert, by);
    c->armed |= ARMED_MARKS;
    return true;
}

void cache_prefetch_step(struct cache *c)
{
    struct cache_watch *x = c->watch;

    if (c->send.n)
        return;
    struct prefetch p = ring_head(&x->asked);
    u32 set = set_of_line(c, p.addr), w = find_way(c, p.addr, set);

    ring_pop(&x->asked);
    if (!x->asked.n)
        c->armed &= ~(u32)ARMED_ASKED;
    if ((w != NO_WAY && c->line[w].valid & bit_of(c, p.addr)) || mshr_find(c, p.addr))
        watch_count(x, p.by, PREFETCH_there, 1);
    else if (send_prefetch(c, p.addr, set, w, p.by))
        watch_count(x, p.by, PREFETCH_issued, 1);
    else
        watch_count(x, p.by, PREFETCH_dropped, 1);
}

u32 cache_ready(struct cache *c)
{
    while (c->ready.n) {
        u32 m = ring_head(&c->ready), token;
        struct mshr *at = mshr_at(c, m);

        token = at->wait[c->ready_at++];
        if (c->ready_at == at->n) {
            c->ready_at = 0;
            ring_pop(&c->ready);
            at->next = c->mshr_free;
            c->mshr_free = (u16)m;
            c->n_mshr--;
        }
        if (token != REQ_NONE) /* a store's own fetch wakes nobody */
            return token;
    }
    return REQ_NONE;
}

void cache_warm(struct cache *c, u64 addr)
{
    u32 set = set_of_line(c, addr), w = find_way(c, addr, set);
    struct cache_send
        back; /* MODEL: what the victim held costs no write-back, as copies cost no time */

    bool taken = w == NO_WAY;

    if (UNLIKELY(c->armed) && taken)
        told_victim(c, set);
    if (taken)
        w = take_way(c, addr, set, &back);
    if (w == NO_WAY)
        return;
    if (UNLIKELY(c->armed) && taken)
        cache_own(c, w, REQ_NONE, false);
    use(c, set, w);
    c->line[w].valid |= bit_of(c, addr);
    c->line[w].dirty &= (u8)~bit_of(c, addr);
    c->line[w].unread &= (u8)~bit_of(c, addr);
}
