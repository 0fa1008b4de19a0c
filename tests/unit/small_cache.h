/* small_cache.h -- a small cache for tests: `conf`, `c`, and what it sends. */
#ifndef TESTS_UNIT_SMALL_CACHE_H
#define TESTS_UNIT_SMALL_CACHE_H

#include "mem/cache.h"
#include "tests/test_main.h"

static struct cache_conf conf;
static struct cache c;

/* 2 sets of 2 ways, lines of 4 sectors, as an L2 slice has it: 0x000, 0x100, .. share set 0. */
static inline int l2_like(void **state)
{
    (void)state;
    sheet_defaults(&l2_sheet, &conf);
    conf.sets = 2, conf.ways = 2, conf.sector = 32;
    conf.write = WRITE_BACK, conf.write_miss = WRITE_LAZY;
    conf.mshrs = 4, conf.merges = 2, conf.miss_queue = 4;
    cache_init(&c, &conf);
    return 0;
}

static inline int drop(void **state)
{
    (void)state;
    cache_free(&c);
    return 0;
}

static inline void restart(void)
{
    cache_free(&c);
    cache_init(&c, &conf);
}

/* The next thing in the miss queue. */
static inline struct cache_send sent(void)
{
    assert_int_not_equal(c.send.n, 0);
    struct cache_send s = ring_head(&c.send);

    ring_pop(&c.send);
    return s;
}

#endif
