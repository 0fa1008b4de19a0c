/* t_cache.c -- what one cache answers: tags, sectors, MSHRs, stores and evictions. */
#include "base/rng.h"
#include "tests/unit/small_cache.h"

static void expect_sent(enum send_kind kind, u64 addr)
{
    struct cache_send s = sent();

    assert_int_equal(s.kind, kind);
    assert_int_equal(s.addr, addr);
}

/* A load that misses and is filled at once. */
static void bring(u64 addr)
{
    assert_int_equal(cache_load(&c, addr, 99), CACHE_MISS);
    expect_sent(SEND_READ, addr);
    cache_fill(&c, addr);
    assert_int_equal(cache_ready(&c), 99);
}

static void a_filled_sector_hits_and_its_neighbour_misses(void **state)
{
    (void)state;
    bring(0x1000);
    assert_int_equal(cache_load(&c, 0x1000, 1), CACHE_HIT);
    assert_int_equal(cache_load(&c, 0x1020, 2), CACHE_MISS);
    expect_sent(SEND_READ, 0x1020);
    assert_int_equal(c.st.evict, 0); /* same line */
    assert_int_equal(c.st.access, 3);
    assert_int_equal(c.st.miss, 2);
}

static void waiting_loads_come_back_in_order(void **state)
{
    (void)state;
    assert_int_equal(cache_load(&c, 0x1000, 1), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x1000, 2), CACHE_PENDING);
    assert_int_equal(cache_ready(&c), REQ_NONE);
    cache_fill(&c, 0x1000);
    assert_int_equal(cache_ready(&c), 1);
    assert_int_equal(cache_ready(&c), 2);
    assert_int_equal(cache_ready(&c), REQ_NONE);
    assert_int_equal(c.n_mshr, 0);
}

static void a_third_load_finds_no_merge(void **state)
{
    (void)state;
    cache_load(&c, 0x1000, 1), cache_load(&c, 0x1000, 2);
    assert_int_equal(cache_load(&c, 0x1000, 3), CACHE_FAIL);
    assert_int_equal(c.st.reserv_fail, 1);
    cache_fill(&c, 0x1000);
    assert_int_equal(cache_load(&c, 0x1000, 3), CACHE_HIT);
}

static void without_an_mshr_a_miss_fails(void **state)
{
    (void)state;
    for (u32 i = 0; i < 4; i++) {
        assert_int_equal(cache_load(&c, 0x1000 + 32 * i, i), CACHE_MISS);
        sent();
    }
    assert_int_equal(cache_load(&c, 0x1080, 4), CACHE_FAIL);
    cache_fill(&c, 0x1000);
    assert_int_equal(cache_load(&c, 0x1080, 4), CACHE_FAIL); /* its token is still to be taken */
    cache_ready(&c);
    assert_int_equal(cache_load(&c, 0x1080, 4), CACHE_MISS);
}

/* A miss queue of 4 takes a load while 2 places will be left. */
static void a_load_needs_two_places_in_the_miss_queue(void **state)
{
    (void)state;
    for (u32 i = 0; i < 3; i++)
        assert_int_equal(cache_load(&c, 0x1000 + 32 * i, i), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x1060, 3), CACHE_FAIL);
    sent();
    assert_int_equal(cache_load(&c, 0x1060, 3), CACHE_MISS);
}

/* Lines 0x0, 0x100, 0x200 share set 0 of two ways. */
static void the_least_recently_used_line_goes(void **state)
{
    (void)state;
    bring(0x000), bring(0x100);
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_HIT);
    bring(0x200);
    assert_true(cache_holds(&c, 0x000));
    assert_false(cache_holds(&c, 0x100));
    assert_int_equal(c.st.evict, 1);
    assert_int_equal(c.st.write_back, 0);
}

static void a_set_full_of_lines_on_their_way_fails(void **state)
{
    (void)state;
    cache_load(&c, 0x000, 1), cache_load(&c, 0x100, 2);
    sent(), sent();
    assert_int_equal(cache_load(&c, 0x200, 3), CACHE_FAIL);
    assert_int_equal(cache_store(&c, 0x200, 3, true, false), CACHE_FAIL);
    assert_int_equal(cache_load(&c, 0x080, 3), CACHE_MISS); /* the other set */
    cache_fill(&c, 0x000);
    assert_int_equal(cache_load(&c, 0x200, 3), CACHE_MISS);
}

static void a_full_store_is_readable(void **state)
{
    (void)state;
    assert_int_equal(cache_store(&c, 0x1000, 1, true, false), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x1000, 2), CACHE_HIT);
    assert_int_equal(c.send.n, 0);
}

static void a_partial_store_is_fetched_when_read(void **state)
{
    (void)state;
    assert_int_equal(cache_store(&c, 0x1000, 1, false, false), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x1000, 2), CACHE_MISS);
    expect_sent(SEND_READ, 0x1000);
    cache_fill(&c, 0x1000);
    assert_int_equal(cache_load(&c, 0x1000, 3), CACHE_HIT);
    assert_int_equal(c.st.evict, 0);
}

/* What cannot be read cannot be hit: each store to it is a miss, until one writes all of it. */
static void a_full_store_after_partial_ones_is_readable(void **state)
{
    (void)state;
    for (u32 i = 0; i < 3; i++)
        assert_int_equal(cache_store(&c, 0x1000, i, i == 2, false), CACHE_MISS);
    assert_int_equal(c.st.store_miss, 3);
    assert_int_equal(cache_store(&c, 0x1000, 3, false, false), CACHE_HIT);
    assert_int_equal(cache_load(&c, 0x1000, 4), CACHE_HIT);
    assert_int_equal(c.send.n, 0);
}

/* The miss itself is sent before what it evicts. */
static void a_dirty_line_is_written_back_when_evicted(void **state)
{
    (void)state;
    cache_store(&c, 0x000, 1, true, false);
    cache_store(&c, 0x060, 1, false, false);
    bring(0x100);
    assert_int_equal(cache_load(&c, 0x200, 2), CACHE_MISS);
    expect_sent(SEND_READ, 0x200);
    struct cache_send back = sent();
    assert_int_equal(back.kind, SEND_BACK);
    assert_int_equal(back.addr, 0x000);
    assert_int_equal(back.sectors, 9);
    assert_int_equal(c.st.write_back, 2);
}

static void a_store_evicts_too(void **state)
{
    (void)state;
    cache_store(&c, 0x000, 1, true, false), cache_store(&c, 0x100, 1, true, false);
    assert_int_equal(c.send.n, 0);
    assert_int_equal(cache_store(&c, 0x200, 1, true, false), CACHE_MISS);
    expect_sent(SEND_BACK, 0x000);
}

static void what_an_atomic_reads_becomes_dirty(void **state)
{
    (void)state;
    assert_int_equal(cache_modify(&c, 0x000, 1), CACHE_MISS);
    sent();
    cache_fill(&c, 0x000);
    assert_int_equal(cache_ready(&c), 1);
    bring(0x100);
    assert_int_equal(cache_modify(&c, 0x100, 2), CACHE_HIT);
    assert_int_equal(cache_load(&c, 0x200, 3), CACHE_MISS);
    sent();
    expect_sent(SEND_BACK, 0x000);
    cache_fill(&c, 0x200);
    assert_int_equal(cache_load(&c, 0x300, 3), CACHE_MISS);
    sent();
    expect_sent(SEND_BACK, 0x100);
}

static void a_warmed_sector_is_clean_and_costs_nothing(void **state)
{
    (void)state;
    cache_store(&c, 0x000, 1, true, false);
    cache_warm(&c, 0x100);
    cache_warm(&c, 0x200); /* in place of the dirty line */
    assert_int_equal(cache_load(&c, 0x200, 1), CACHE_HIT);
    assert_int_equal(cache_load(&c, 0x100, 1), CACHE_HIT);
    assert_false(cache_holds(&c, 0x000));
    assert_int_equal(c.send.n, 0);
    assert_int_equal(c.st.write_back, 0);
}

static void write_allocate_fetches_what_is_not_written(void **state)
{
    (void)state;
    conf.write_miss = WRITE_ALLOCATE;
    restart();
    assert_int_equal(cache_store(&c, 0x1000, 1, false, false), CACHE_MISS);
    expect_sent(SEND_READ, 0x1000);
    assert_int_equal(cache_load(&c, 0x1000, 2), CACHE_PENDING);
    cache_fill(&c, 0x1000);
    assert_int_equal(cache_ready(&c), 2); /* the store waits for nothing */
    assert_int_equal(cache_ready(&c), REQ_NONE);
}

/* Fermi's L1D: a store is sent on, and a line that it hits goes. */
static void a_store_through_evicts_a_line_without_sectors(void **state)
{
    (void)state;
    conf.sector = 0, conf.write = WRITE_LOCAL_BACK, conf.write_miss = WRITE_AROUND;
    restart();
    bring(0x1000);
    assert_int_equal(cache_load(&c, 0x1060, 1), CACHE_HIT);
    assert_int_equal(cache_store(&c, 0x1000, 1, true, false), CACHE_HIT);
    expect_sent(SEND_WRITE, 0x1000);
    assert_false(cache_holds(&c, 0x1000));
    assert_int_equal(cache_store(&c, 0x1000, 1, true, false), CACHE_MISS);
}

/* On fill: nothing is reserved, so two misses of a one-way set do not get into each other's way. */
static void alloc_on_fill_reserves_nothing(void **state)
{
    (void)state;
    conf.ways = 1, conf.sector = 0, conf.alloc = ALLOC_ON_FILL, conf.write = WRITE_THROUGH;
    restart();
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x100, 2), CACHE_MISS);
    cache_fill(&c, 0x000), cache_fill(&c, 0x100);
    assert_int_equal(cache_ready(&c), 1);
    assert_int_equal(cache_ready(&c), 2);
    assert_false(cache_holds(&c, 0x000));
    assert_true(cache_holds(&c, 0x100));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, l2_like, drop)

/*
 * 40 lines that are drawn at random, 200,000 times, in a set of 11 ways: its clock of 16 bits begins
 * anew six times.  The model is a list, the most recent first.
 */
static void the_least_recently_used_line_goes_however_long_it_runs(void **state)
{
    (void)state;
    struct rng rng = rng_make(7);
    u64 order[11] = {0}; /* line + 1 */

    conf.sets = 1, conf.ways = 11, conf.sector = 0;
    restart();
    for (u32 i = 0; i < 200000; i++) {
        u64 line = rng_below(&rng, 40);
        u32 at = 0;

        while (at < 10 && order[at] != line + 1)
            at++;
        bool held = order[at] == line + 1;

        assert_int_equal(cache_load(&c, line * 128, 1), held ? CACHE_HIT : CACHE_MISS);
        memmove(order + 1, order, at * sizeof order[0]);
        order[0] = line + 1;
        if (held)
            continue;
        expect_sent(SEND_READ, line * 128);
        cache_fill(&c, line * 128);
        assert_int_equal(cache_ready(&c), 1);
    }
}

/*
 * The store and its fetch leave one after the other, and need room for a dirty line besides: a queue of
 * 4 takes them while 2 are in it.  A second store to the line waits for the same fetch.
 */
static void a_store_that_misses_can_be_sent_on_and_fetch_its_line(void **state)
{
    (void)state;
    conf.write_miss = WRITE_BOTH, conf.sector = 0;
    restart();
    assert_int_equal(cache_store(&c, 0x1000, 7, false, false), CACHE_MISS);
    expect_sent(SEND_READ, 0x1000);
    assert_int_equal(cache_store(&c, 0x1020, 8, true, false), CACHE_MISS);
    struct cache_send s = sent();
    assert_int_equal(s.kind, SEND_WRITE);
    assert_int_equal(s.token, 7);
    expect_sent(SEND_WRITE, 0x1000);
    assert_int_equal(c.send.n, 0);
    cache_fill(&c, 0x1000);
    assert_int_equal(cache_ready(&c), REQ_NONE);
    assert_int_equal(c.line[0].dirty | c.line[1].dirty, 0);
    assert_int_equal(cache_store(&c, 0x1040, 9, false, false), CACHE_HIT);
    assert_int_equal(c.send.n, 0);
    assert_int_equal(cache_store(&c, 0x2000, 7, false, false), CACHE_MISS);
    assert_int_equal(cache_store(&c, 0x3080, 7, false, false), CACHE_FAIL);
    sent();
    assert_int_equal(cache_store(&c, 0x3080, 7, false, false), CACHE_MISS);
}

static const struct CMUnitTest tests[] = {
    CASE(a_filled_sector_hits_and_its_neighbour_misses),
    CASE(the_least_recently_used_line_goes_however_long_it_runs),
    CASE(waiting_loads_come_back_in_order),
    CASE(a_third_load_finds_no_merge),
    CASE(without_an_mshr_a_miss_fails),
    CASE(a_load_needs_two_places_in_the_miss_queue),
    CASE(the_least_recently_used_line_goes),
    CASE(a_set_full_of_lines_on_their_way_fails),
    CASE(a_full_store_is_readable),
    CASE(a_partial_store_is_fetched_when_read),
    CASE(a_full_store_after_partial_ones_is_readable),
    CASE(a_dirty_line_is_written_back_when_evicted),
    CASE(a_store_evicts_too),
    CASE(what_an_atomic_reads_becomes_dirty),
    CASE(a_warmed_sector_is_clean_and_costs_nothing),
    CASE(write_allocate_fetches_what_is_not_written),
    CASE(a_store_through_evicts_a_line_without_sectors),
    CASE(alloc_on_fill_reserves_nothing),
    CASE(a_store_that_misses_can_be_sent_on_and_fetch_its_line),
};

TEST_MAIN(tests)
