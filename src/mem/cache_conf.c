/* cache_conf.c -- the sheets of the caches, and keys that only make sense together */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "mem/cache.h"

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

#define CACHE_QUEUE
#define SHEET l1c
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "constant cache of an SM"
#include "base/sheet_table.inc"

#define SHEET l1t
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "texture cache of an SM"
#include "base/sheet_table.inc"

#define CACHE_STORES
#define SHEET l1d
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "data cache of an SM"
#include "base/sheet_table.inc"

#undef CACHE_QUEUE
#define SHEET l2
#define SHEET_DEF "mem/cache.def"
#define SHEET_DOC "one slice of the L2 cache"
#include "base/sheet_table.inc"

enum { MAX_SETS = 65536 }; /* as cache.def has it */

static bool index_takes(const struct cache_conf *c, u64 sets)
{
    if (c->index == INDEX_FERMI)
        return sets == 32 || sets == 64;
    return c->index != INDEX_XOR || is_power_of_two(sets);
}

/*
 * The nearest number of sets, from n down or up, that the index function takes; 0 if there is none.
 */
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
    if (ways >= 1 && ways <= CACHE_WAYS && c->size % (c->line * sets) == 0)
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
    if (!is_power_of_two(c->line))
        return err_set(e, "%s.line: %" PRIu64 " bytes is not 32, 64 or 128", s->module, c->line);
    if (c->sector && c->sector != SECTOR)
        return err_set(e, "%s.sector: %" PRIu64 " bytes is neither 0 nor 32", s->module, c->sector);
    if (c->index == INDEX_FERMI && c->sets != 32 && c->sets != 64)
        return err_set(e, "%s.sets: %" PRIu64 " with %s.index=fermi, which is for 32 or 64",
                       s->module, c->sets, s->module);
    if (c->index == INDEX_XOR && !is_power_of_two(c->sets))
        return err_set(e, "%s.sets: %" PRIu64 " is not a power of two, as %s.index=xor needs",
                       s->module, c->sets, s->module);
    if (!is_power_of_two(c->banks))
        return err_set(e, "%s.banks: %" PRIu64 " is not a power of two", s->module, c->banks);
    if (c->alloc == ALLOC_ON_FILL && (c->write == WRITE_BACK || c->write == WRITE_LOCAL_BACK))
        return err_set(e, "%s.alloc: on_fill is for caches that keep no stores (%s.write)",
                       s->module, s->module);
    return true;
}

void cache_multiply(struct cache *c, const struct cache_conf *conf, u32 ways, u32 queues)
{
    cache_resize(c, c->sets, (u32)conf->ways * ways, (u32)conf->mshrs * queues);
    cache_lengthen(c, conf, queues);
}
