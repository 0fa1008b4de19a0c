/* cache.c -- see cache.h */
#include "mem/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Five modules with the keys and counters of cache.def. */
#define l1i_conf cache_conf
#define l1d_conf cache_conf
#define l1c_conf cache_conf
#define l1t_conf cache_conf
#define l2_conf cache_conf
#define l1i_stat cache_stat
#define l1d_stat cache_stat
#define l1c_stat cache_stat
#define l1t_stat cache_stat
#define l2_stat cache_stat

#define SHEET l1i
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "instruction cache of an SM"
#include "base/sheet_table.inc"

#define SHEET l1d
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "data cache of an SM"
#include "base/sheet_table.inc"

#define SHEET l1c
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "constant cache of an SM"
#include "base/sheet_table.inc"

#define SHEET l1t
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "texture cache of an SM"
#include "base/sheet_table.inc"

#define SHEET l2
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "one slice of the L2 cache"
#include "base/sheet_table.inc"

static bool is_power(u64 v)
{
    return v && !(v & (v - 1));
}

enum { MAX_SETS = 65536, MAX_WAYS = 256 }; /* as cache.def has it */

static bool index_takes(const struct cache_conf *c, u64 sets)
{
    if (c->index == INDEX_FERMI)
        return sets == 32 || sets == 64;
    return c->index != INDEX_XOR || is_power(sets);
}

/* The nearest number of sets, from n down or up, that the index function takes; 0 if there is none. */
static u64 near_sets(const struct cache_conf *c, u64 n, int step)
{
    for (; n >= 1 && n <= MAX_SETS; n += (u64)step)
        if (index_takes(c, n))
            return n;
    return 0;
}

/* " 32K or 64K, or l1d.ways=6": what would do instead of a size. */
static void good_sizes(const struct cache_conf *c, const struct sheet *s, char *text, size_t size)
{
    u64 set = c->ways * c->line, n = c->size / set < MAX_SETS ? c->size / set : MAX_SETS;
    u64 below = near_sets(c, n, -1), above = near_sets(c, n + 1, 1);
    u64 sets = below ? below : above, ways = c->size / (c->line * sets);
    char low[TEXT_NUMBER] = "", high[TEXT_NUMBER] = "", other[64] = "";

    if (below)
        text_show_size(below * set, low, sizeof low);
    if (above)
        text_show_size(above * set, high, sizeof high);
    if (ways >= 1 && ways <= MAX_WAYS && c->size % (c->line * sets) == 0)
        snprintf(other, sizeof other, ", or %s.ways=%" PRIu64, s->module, ways);
    snprintf(text, size, "%s%s%s%s", low, below && above ? " or " : "", high, other);
}

static bool bad_size(const struct cache_conf *c, const struct sheet *s, struct err *e)
{
    u64 set = c->ways * c->line;
    char is[TEXT_NUMBER], good[160];

    text_show_size(c->size, is, sizeof is);
    good_sizes(c, s, good, sizeof good);
    if (c->size % set)
        return err_set(e,
                       "%s.size: %s is no multiple of a set, %" PRIu64 " ways of %" PRIu64
                       " bytes: %s would do",
                       s->module, is, c->ways, c->line, good);
    return err_set(e,
                   "%s.size: %s is %" PRIu64 " sets of %" PRIu64 " ways, which %s.index does not "
                   "take: %s would do",
                   s->module, is, c->size / set, c->ways, s->module, good);
}

bool cache_conf_settle(struct cache_conf *c, const struct sheet *s, struct err *e)
{
    u64 set = c->ways * c->line;

    if (!c->size)
        return true;
    u64 sets = c->size / set;
    if (c->size % set || !sets || sets > MAX_SETS || !index_takes(c, sets))
        return bad_size(c, s, e);
    c->sets = sets;
    return true;
}

bool cache_conf_check(const struct cache_conf *c, const struct sheet *s, struct err *e)
{
    if (!is_power(c->line))
        return err_set(e, "%s.line: %" PRIu64 " bytes is not 32, 64 or 128", s->module, c->line);
    if (c->sector && c->sector != SECTOR)
        return err_set(e, "%s.sector: %" PRIu64 " bytes is neither 0 nor 32", s->module, c->sector);
    if (c->index == INDEX_FERMI && c->sets != 32 && c->sets != 64)
        return err_set(e, "%s.sets: %" PRIu64 " with %s.index=fermi, which is for 32 or 64",
                       s->module, c->sets, s->module);
    if (c->index == INDEX_XOR && !is_power(c->sets))
        return err_set(e, "%s.sets: %" PRIu64 " is not a power of two, as %s.index=xor needs",
                       s->module, c->sets, s->module);
    if (!is_power(c->banks))
        return err_set(e, "%s.banks: %" PRIu64 " is not a power of two", s->module, c->banks);
    if (c->alloc == ALLOC_ON_FILL && (c->write == WRITE_BACK || c->write == WRITE_LOCAL_BACK))
        return err_set(e, "%s.alloc: on_fill is for caches that keep no stores (%s.write)",
                       s->module, s->module);
    return true;
}

static u32 log2_of(u64 v)
{
    return 63 - (u32)__builtin_clzll(v);
}

static void init_mshrs(struct cache *c, const struct cache_conf *conf)
{
    c->mshrs = (u32)conf->mshrs;
    c->merges = (u32)conf->merges;
    c->bucket_mask = ring_slots(2 * c->mshrs) - 1;
    c->mshr_block = xcalloc(c->mshrs, sizeof(u64));
    c->mshr_wait = xcalloc((size_t)c->mshrs * c->merges, sizeof(u32));
    c->mshr_n = xcalloc(c->mshrs, sizeof(u16));
    c->mshr_next = xcalloc(c->mshrs, sizeof(u16));
    c->bucket = xcalloc(c->bucket_mask + 1, sizeof(u16));
    ring_init(&c->ready, c->mshrs);
    for (u32 i = 0; i < c->mshrs; i++) /* numbers are place + 1, so that 0 ends a list */
        c->mshr_next[i] = (u16)(i + 2 <= c->mshrs ? i + 2 : 0);
    c->mshr_free = 1;
}

void cache_init(struct cache *c, const struct cache_conf *conf)
{
    size_t n = (size_t)conf->sets * conf->ways;

    memset(c, 0, sizeof *c);
    c->sets = (u32)conf->sets, c->ways = (u32)conf->ways;
    c->set_mask = is_power(conf->sets) ? c->sets - 1 : 0;
    c->line_shift = log2_of(conf->line);
    c->block_shift = conf->sector ? log2_of(conf->sector) : c->line_shift;
    c->index = conf->index, c->alloc = conf->alloc;
    c->write = conf->write, c->write_miss = conf->write_miss;
    c->miss_queue = (u32)conf->miss_queue;
    c->tag = xcalloc(n, sizeof(u64));
    c->used = xcalloc(n, sizeof(u64));
    c->valid = xcalloc(4 * n, 1);
    c->dirty = c->valid + n, c->pending = c->valid + 2 * n, c->unread = c->valid + 3 * n;
    ring_init(&c->send, conf->miss_queue + 1);
    init_mshrs(c, conf);
}

void cache_free(struct cache *c)
{
    free(c->tag), free(c->used), free(c->valid);
    free(c->mshr_block), free(c->mshr_wait), free(c->mshr_n), free(c->mshr_next), free(c->bucket);
    ring_free(&c->send);
    ring_free(&c->ready);
    memset(c, 0, sizeof *c);
}

void cache_invalidate(struct cache *c)
{
    size_t n = (size_t)c->sets * c->ways;

    memset(c->tag, 0, n * sizeof c->tag[0]);
    memset(c->valid, 0, 4 * n);
}

/* ---- tags */

/* Fermi, found by microbenchmarks (Nugteren et al., HPCA 2014): low bits XOR scattered higher ones. */
static u32 fermi_set(const struct cache *c, u64 addr)
{
    u32 low = (u32)(addr >> 7) & 31;
    u32 high = (u32)(addr >> 13 & 1) | (u32)(addr >> 14 & 1) << 1 | (u32)(addr >> 15 & 1) << 2 |
               (u32)(addr >> 17 & 1) << 3 | (u32)(addr >> 19 & 1) << 4;

    return (low ^ high) | (c->sets == 64 ? (u32)(addr >> 12 & 1) << 5 : 0);
}

static inline u32 set_of(const struct cache *c, u64 addr)
{
    u64 line = addr >> c->line_shift;

    if (c->index == INDEX_FERMI)
        return fermi_set(c, addr);
    if (!c->set_mask)
        return (u32)(line % c->sets);
    if (c->index == INDEX_XOR) {
        u32 bits = log2_of(c->sets);

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

/* The way that holds the line, as an index into tag[], or NO_WAY. */
static inline u32 find_way(const struct cache *c, u64 addr, u32 set)
{
    u64 want = (addr >> c->line_shift) + 1;
    const u64 *tag = &c->tag[(size_t)set * c->ways];

    for (u32 w = 0; w < c->ways; w++)
        if (tag[w] == want)
            return set * c->ways + w;
    return NO_WAY;
}

/* An invalid way, else the least recently used one of which nothing is on its way. */
static u32 find_victim(const struct cache *c, u32 set)
{
    u32 best = NO_WAY, first = set * c->ways;

    for (u32 w = first; w < first + c->ways; w++) {
        if (c->pending[w])
            continue;
        if (!c->tag[w])
            return w;
        if (best == NO_WAY || c->used[w] < c->used[best])
            best = w;
    }
    return best;
}

/* The line of way w goes; what it leaves to be written back, if `sectors` is not 0. */
static struct cache_send evict(struct cache *c, u32 w)
{
    struct cache_send back = {0, REQ_NONE, SEND_BACK, 0};

    if (!c->tag[w])
        return back;
    c->st.evict++;
    back.addr = (c->tag[w] - 1) << c->line_shift;
    back.sectors = c->dirty[w];
    c->tag[w] = 0;
    c->valid[w] = c->dirty[w] = c->unread[w] = 0;
    return back;
}

static u32 take_way(struct cache *c, u64 addr, u32 set, struct cache_send *back)
{
    u32 w = find_victim(c, set);

    if (w == NO_WAY)
        return w;
    *back = evict(c, w);
    c->tag[w] = (addr >> c->line_shift) + 1;
    return w;
}

static void send_back(struct cache *c, struct cache_send back)
{
    if (!back.sectors)
        return;
    ring_push(&c->send, back);
    c->st.write_back += (u32)__builtin_popcount(back.sectors);
}

/* ---- MSHRs */

static inline u32 bucket_of(const struct cache *c, u64 block)
{
    return (u32)((block >> 5) * 0x9e3779b97f4a7c15ull >> 40) & c->bucket_mask;
}

static u32 mshr_find(const struct cache *c, u64 block)
{
    u32 m = c->bucket[bucket_of(c, block)];

    while (m && c->mshr_block[m - 1] != block)
        m = c->mshr_next[m - 1];
    return m;
}

static u32 mshr_take(struct cache *c, u64 block)
{
    u32 m = c->mshr_free, b = bucket_of(c, block);

    c->mshr_free = c->mshr_next[m - 1];
    c->mshr_next[m - 1] = c->bucket[b];
    c->bucket[b] = (u16)m;
    c->mshr_block[m - 1] = block;
    c->mshr_n[m - 1] = 0;
    c->n_mshr++;
    return m;
}

static void mshr_wait(struct cache *c, u32 m, u32 token)
{
    c->mshr_wait[(size_t)(m - 1) * c->merges + c->mshr_n[m - 1]++] = token;
}

/* Out of the look-up: what misses from now on is another miss. */
static void mshr_unlink(struct cache *c, u32 m)
{
    u16 *p = &c->bucket[bucket_of(c, c->mshr_block[m - 1])];

    while (*p != m)
        p = &c->mshr_next[*p - 1];
    *p = c->mshr_next[m - 1];
}

/* ---- accesses */

static inline enum cache_result failed(struct cache *c)
{
    c->st.reserv_fail++;
    return CACHE_FAIL;
}

static enum cache_result miss_load(struct cache *c, u64 addr, u32 token, u32 set, u32 w)
{
    u64 block = cache_block(c, addr);
    u32 m = mshr_find(c, block);
    struct cache_send back = {0};

    if (c->send.n + 1 >= c->miss_queue && c->miss_queue > 1)
        return failed(c);
    if (m) {
        if (c->mshr_n[m - 1] >= c->merges)
            return failed(c);
        c->st.access++, c->st.pending_hit++;
        mshr_wait(c, m, token);
        if (w != NO_WAY)
            c->used[w] = ++c->clock;
        return CACHE_PENDING;
    }
    if (c->n_mshr >= c->mshrs || c->send.n >= c->miss_queue)
        return failed(c);
    if (c->alloc == ALLOC_ON_MISS) {
        if (w == NO_WAY)
            w = take_way(c, addr, set, &back);
        if (w == NO_WAY)
            return failed(c);
        c->pending[w] |= bit_of(c, addr);
        c->used[w] = ++c->clock;
    }
    mshr_wait(c, mshr_take(c, block), token);
    ring_push(&c->send, ((struct cache_send){block, token, SEND_READ, 0}));
    send_back(c, back);
    c->st.access++, c->st.miss++;
    return CACHE_MISS;
}

enum cache_result cache_load(struct cache *c, u64 addr, u32 token)
{
    u32 set = set_of(c, addr), w = find_way(c, addr, set);

    if (LIKELY(w != NO_WAY && c->valid[w] & ~c->unread[w] & bit_of(c, addr))) {
        c->used[w] = ++c->clock;
        c->st.access++;
        return CACHE_HIT;
    }
    return miss_load(c, addr, token, set, w);
}

void cache_mark_dirty(struct cache *c, u64 addr)
{
    u32 w = find_way(c, addr, set_of(c, addr));

    if (w != NO_WAY)
        c->dirty[w] |= bit_of(c, addr);
}

enum cache_result cache_modify(struct cache *c, u64 addr, u32 token)
{
    enum cache_result r = cache_load(c, addr, token);

    if (r != CACHE_FAIL) /* a line that is on its way is not evicted before it has come */
        cache_mark_dirty(c, addr);
    return r;
}

static enum cache_result send_store(struct cache *c, u64 addr, u32 token, bool hit)
{
    if (c->send.n >= c->miss_queue)
        return failed(c);
    ring_push(&c->send, ((struct cache_send){cache_block(c, addr), token, SEND_WRITE, 0}));
    c->st.access++;
    c->st.miss += !hit;
    return hit ? CACHE_HIT : CACHE_MISS;
}

static enum cache_result store_through(struct cache *c, u64 addr, u32 token, u32 w)
{
    bool hit = w != NO_WAY && c->valid[w] & bit_of(c, addr);
    enum cache_result r = send_store(c, addr, token, hit);

    if (r == CACHE_HIT && c->block_shift == c->line_shift) {
        c->tag[w] = 0; /* Fermi: the line is evicted, L2 has what is valid */
        c->valid[w] = c->dirty[w] = c->unread[w] = 0;
    }
    return r;
}

/* A store that takes a line without fetching it. */
static enum cache_result store_lazy(struct cache *c, u64 addr, u32 set, u32 w, bool full)
{
    u8 bit = bit_of(c, addr);
    struct cache_send back = {0};

    if (c->send.n >= c->miss_queue)
        return failed(c);
    c->st.store_sector += w != NO_WAY;
    if (w == NO_WAY)
        w = take_way(c, addr, set, &back);
    if (w == NO_WAY)
        return failed(c);
    send_back(c, back);
    c->valid[w] |= bit, c->dirty[w] |= bit;
    c->unread[w] = (u8)(full ? c->unread[w] & ~bit : c->unread[w] | bit);
    c->used[w] = ++c->clock;
    c->st.access++, c->st.miss++;
    return CACHE_MISS;
}

/* A store that fetches what it does not write itself. */
static enum cache_result store_allocate(struct cache *c, u64 addr, u32 set, u32 w, bool full)
{
    if (full)
        return store_lazy(c, addr, set, w, full);
    enum cache_result r = miss_load(c, addr, REQ_NONE, set, w);

    if (r == CACHE_MISS || r == CACHE_PENDING)
        cache_mark_dirty(c, addr);
    return r == CACHE_FAIL ? r : CACHE_MISS;
}

static enum cache_result store_any(struct cache *c, u64 addr, u32 token, bool full, bool local)
{
    u32 set = set_of(c, addr), w = find_way(c, addr, set);

    if (c->write == WRITE_THROUGH || (c->write == WRITE_LOCAL_BACK && !local))
        return store_through(c, addr, token, w);
    if (w != NO_WAY && c->valid[w] & ~c->unread[w] & bit_of(c, addr)) {
        c->dirty[w] |= bit_of(c, addr);
        c->used[w] = ++c->clock;
        c->st.access++;
        return CACHE_HIT;
    }
    if (c->write_miss == WRITE_AROUND)
        return send_store(c, addr, token, false);
    return c->write_miss == WRITE_LAZY ? store_lazy(c, addr, set, w, full)
                                       : store_allocate(c, addr, set, w, full);
}

enum cache_result cache_store(struct cache *c, u64 addr, u32 token, bool full, bool local)
{
    u64 misses = c->st.miss; /* a store to a line on its way fetches nothing and is no miss */
    enum cache_result r = store_any(c, addr, token, full, local);

    c->st.store += r != CACHE_FAIL;
    c->st.store_miss += c->st.miss - misses;
    return r;
}

/* ---- fills */

static void fill_line(struct cache *c, u64 addr)
{
    u32 set = set_of(c, addr), w = find_way(c, addr, set);

    struct cache_send back; /* nothing: what allocates on fill keeps no stores */

    if (w == NO_WAY && c->alloc == ALLOC_ON_FILL)
        w = take_way(c, addr, set, &back);
    if (w == NO_WAY)
        return;
    u8 bit = bit_of(c, addr);

    if (c->alloc == ALLOC_ON_FILL || !(c->pending[w] & bit))
        c->used[w] = ++c->clock;
    c->pending[w] &= (u8)~bit;
    c->valid[w] |= bit;
    c->unread[w] &= (u8)~bit;
}

void cache_fill(struct cache *c, u64 addr)
{
    u32 m = mshr_find(c, cache_block(c, addr));

    assert(m);
    fill_line(c, addr);
    mshr_unlink(c, m);
    ring_push(&c->ready, (u16)m);
}

u32 cache_ready(struct cache *c)
{
    while (c->ready.n) {
        u32 m = ring_head(&c->ready), token;

        token = c->mshr_wait[(size_t)(m - 1) * c->merges + c->ready_at++];
        if (c->ready_at == c->mshr_n[m - 1]) {
            c->ready_at = 0;
            ring_pop(&c->ready);
            c->mshr_next[m - 1] = c->mshr_free;
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
    u32 set = set_of(c, addr), w = find_way(c, addr, set);
    struct cache_send
        back; /* MODEL: what the victim held costs no write-back, as copies cost no time */

    if (w == NO_WAY)
        w = take_way(c, addr, set, &back);
    if (w == NO_WAY)
        return;
    c->used[w] = ++c->clock;
    c->valid[w] |= bit_of(c, addr);
    c->dirty[w] &= (u8)~bit_of(c, addr);
    c->unread[w] &= (u8)~bit_of(c, addr);
}

bool cache_is_valid(const struct cache *c, u64 addr)
{
    u32 w = find_way(c, addr, set_of(c, addr));

    return w != NO_WAY && c->valid[w] & bit_of(c, addr);
}
