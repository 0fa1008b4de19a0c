/* t_cache_watch.c -- mechanisms at one cache: what they are told, where blocks go, what they prefetch. */
#include "mem/cache_watch.h"
#include "tests/test_main.h"

static struct cache_conf conf;
static struct cache c;
static u64 now = 1000;
static u64 count[N_PREFETCH_STAT];

/* What was told, as "access hit 0x80, miss 0x0, .." would say it. */
static struct heard {
    enum cache_hook hook;
    struct cache_event ev;
} heard[64];
static u32 n_heard;
static enum cache_insert say_miss, say_fill; /* answers; the fill's only if say */
static bool say;

static void on_access(void *self, struct cache_event *ev)
{
    assert_ptr_equal(self, &c);
    heard[n_heard++] = (struct heard){ON_access, *ev};
}

static void on_miss(void *self, struct cache_event *ev)
{
    (void)self;
    heard[n_heard++] = (struct heard){ON_miss, *ev};
    ev->insert = (u8)say_miss;
}

static void on_fill(void *self, struct cache_event *ev)
{
    (void)self;
    heard[n_heard++] = (struct heard){ON_fill, *ev};
    if (say)
        ev->insert = (u8)say_fill;
}

static void on_evict(void *self, struct cache_event *ev)
{
    (void)self;
    heard[n_heard++] = (struct heard){ON_evict, *ev};
}

/* Tokens are warps. */
static void who(const struct cache_watch *w, u32 token, struct cache_event *ev)
{
    assert_ptr_equal(w->owner, &c);
    ev->warp = token;
}

static void start(bool listens)
{
    cache_init(&c, &conf);
    struct cache_watch *w = cache_watch(&c);

    w->like = (struct cache_event){.cache = &c, .which = IN_L2, .sm_id = 7};
    w->now = &now, w->who = who, w->owner = &c;
    if (listens) {
        cache_listen(&c, ON_access, on_access, &c);
        cache_listen(&c, ON_miss, on_miss, &c);
        cache_listen(&c, ON_fill, on_fill, &c);
        cache_listen(&c, ON_evict, on_evict, &c);
    }
    memset(count, 0, sizeof count);
    n_heard = 0, say = false;
    say_miss = say_fill = INSERT_MRU;
}

/* One set of 2 ways, lines of 4 sectors, stores kept. */
static int one_set(void **state)
{
    (void)state;
    sheet_defaults(&l2_sheet, &conf);
    conf.sets = 1, conf.ways = 2, conf.sector = 32;
    conf.write = WRITE_BACK, conf.write_miss = WRITE_LAZY;
    conf.mshrs = 4, conf.merges = 2, conf.miss_queue = 4;
    start(true);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    cache_free(&c);
    return 0;
}

static void restart(bool listens)
{
    cache_free(&c);
    start(listens);
}

static struct cache_send sent(void)
{
    assert_int_not_equal(c.send.n, 0);
    struct cache_send s = ring_head(&c.send);

    ring_pop(&c.send);
    return s;
}

static void bring(u64 addr)
{
    assert_int_equal(cache_load(&c, addr, 5), CACHE_MISS);
    assert_int_equal(sent().addr, addr);
    cache_fill(&c, addr);
    assert_int_equal(cache_ready(&c), 5);
}

static void expect(u32 i, enum cache_hook hook, u64 addr)
{
    assert_true(i < n_heard);
    assert_int_equal(heard[i].hook, hook);
    assert_int_equal(heard[i].ev.addr, addr);
    assert_int_equal(heard[i].ev.now, 1000);
    assert_int_equal(heard[i].ev.which, IN_L2);
    assert_int_equal(heard[i].ev.sm_id, 7);
    assert_ptr_equal(heard[i].ev.cache, &c);
}

/* ---- events */

static void a_miss_tells_miss_access_and_fill(void **state)
{
    (void)state;
    bring(0x40);
    assert_int_equal(n_heard, 3);
    expect(0, ON_miss, 0x40), expect(1, ON_access, 0x40), expect(2, ON_fill, 0x40);
    for (u32 i = 0; i < 3; i++)
        assert_int_equal(heard[i].ev.warp, 5);
    assert_int_equal(heard[1].ev.result, CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x44, 6), CACHE_HIT);
    assert_int_equal(n_heard, 4);
    expect(3, ON_access, 0x44);
    assert_int_equal(heard[3].ev.result, CACHE_HIT);
    assert_int_equal(heard[3].ev.warp, 6);
}

static void a_look_up_that_fails_is_told_when_it_succeeds(void **state)
{
    (void)state;
    for (u32 i = 0; i < 3; i++)
        assert_int_equal(cache_load(&c, 32 * i, 5), CACHE_MISS);
    n_heard = 0;
    assert_int_equal(cache_load(&c, 96, 5), CACHE_FAIL); /* the miss queue has no two places */
    assert_int_equal(n_heard, 0);
    sent();
    assert_int_equal(cache_load(&c, 96, 5), CACHE_MISS);
    assert_int_equal(n_heard, 2);
    assert_int_equal(cache_load(&c, 0, 6), CACHE_FAIL);
    sent(), sent();
    assert_int_equal(cache_load(&c, 0, 6), CACHE_PENDING);
    assert_int_equal(heard[2].ev.result, CACHE_PENDING);
    assert_int_equal(cache_load(&c, 0, 8), CACHE_FAIL); /* no merge left */
    assert_int_equal(n_heard, 3);
}

static void stores_and_evictions_are_told(void **state)
{
    (void)state;
    assert_int_equal(cache_store(&c, 0, 9, true, false), CACHE_MISS);
    assert_int_equal(n_heard, 2);
    expect(0, ON_miss, 0), expect(1, ON_access, 0);
    assert_true(heard[0].ev.store && heard[1].ev.store);
    bring(0x80), bring(0x100); /* the line of the store goes */
    expect(6, ON_evict, 0);
    assert_int_equal(heard[6].ev.warp, 9);
    assert_int_equal(sent().kind, SEND_BACK);
}

/* The last event is that the line at addr goes, which this warp's access had brought. */
static void expect_gone(u64 addr, u32 warp)
{
    assert_int_not_equal(n_heard, 0);
    for (u32 i = n_heard; i--;)
        if (heard[i].hook == ON_evict) {
            assert_int_equal(heard[i].ev.addr, addr);
            assert_int_equal(heard[i].ev.warp, warp);
            assert_int_equal(heard[i].ev.sm_id, warp == EVENT_NONE ? EVENT_NONE : 7);
            return;
        }
    fail_msg("nothing went");
}

/* Others come to its sectors later, and hit or fetch: it stays whose it was. */
static void an_eviction_says_whose_line_it_was(void **state)
{
    (void)state;
    assert_int_equal(cache_load(&c, 0, 11), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0, 12), CACHE_PENDING);
    sent(), cache_fill(&c, 0);
    assert_int_equal(cache_ready(&c), 11);
    assert_int_equal(cache_ready(&c), 12);
    bring(0x20);
    assert_int_equal(cache_load(&c, 0, 13), CACHE_HIT);
    bring(0x80), bring(0x100);
    expect_gone(0, 11);
    bring(0x180);
    expect_gone(0x80, 5);
}

/* A store's line is its own; a prefetch's and a copy's are nobody's, whoever used them. */
static void some_lines_are_nobodys(void **state)
{
    (void)state;
    cache_prefetch(&c, 0, count);
    cache_prefetch_step(&c);
    sent(), cache_fill(&c, 0);
    assert_int_equal(cache_ready(&c), REQ_NONE);
    assert_int_equal(cache_load(&c, 0, 5), CACHE_HIT);
    cache_warm(&c, 0x80);
    assert_int_equal(cache_store(&c, 0x100, 9, true, false), CACHE_MISS);
    expect_gone(0, EVENT_NONE);
    bring(0x180);
    expect_gone(0x80, EVENT_NONE);
    bring(0x200);
    expect_gone(0x100, 9);
}

/* L1D of Pascal takes a line when its data come, for the first that waits; one that is dropped is told, too. */
static void lines_taken_on_fill_have_owners_too(void **state)
{
    (void)state;
    conf.alloc = ALLOC_ON_FILL, conf.write = WRITE_THROUGH, conf.sector = 0;
    restart(true);
    assert_int_equal(cache_load(&c, 0, 11), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0, 12), CACHE_PENDING);
    sent(), cache_fill(&c, 0);
    assert_int_equal(cache_ready(&c), 11);
    assert_int_equal(cache_ready(&c), 12);
    bring(0x80), bring(0x100);
    expect_gone(0, 11);
    assert_int_equal(cache_store(&c, 0x80, 9, true, false), CACHE_HIT);
    expect_gone(0x80, 5);
}

static void nobody_listens_and_nothing_is_told(void **state)
{
    (void)state;
    restart(false);
    assert_int_equal(c.armed, 0);
    bring(0), bring(0x80), bring(0x100);
    assert_int_equal(n_heard, 0);
}

/* ---- insertion */

static void a_block_of_low_standing_is_replaced_first(void **state)
{
    (void)state;
    bring(0);
    say_miss = INSERT_LRU;
    bring(0x80);
    say_miss = INSERT_MRU;
    bring(0x100);
    assert_true(cache_holds(&c, 0));
    assert_false(cache_holds(&c, 0x80));
    assert_int_equal(cache_load(&c, 0, 5), CACHE_HIT);
}

static void a_hit_gives_it_back_its_standing(void **state)
{
    (void)state;
    bring(0);
    say_miss = INSERT_LRU;
    bring(0x80);
    say_miss = INSERT_MRU;
    assert_int_equal(cache_load(&c, 0x80, 5), CACHE_HIT);
    bring(0x100);
    assert_false(cache_holds(&c, 0));
    assert_true(cache_holds(&c, 0x80));
}

static void the_fill_has_the_last_word(void **state)
{
    (void)state;
    bring(0);
    say = true, say_fill = INSERT_LRU;
    bring(0x80);
    say = false;
    assert_int_equal(heard[5].ev.insert, INSERT_MRU); /* what the miss was told */
    bring(0x100);
    assert_true(cache_holds(&c, 0));
    say = true, say_fill = INSERT_NONE;
    assert_int_equal(cache_load(&c, 0x180, 5), CACHE_MISS);
    sent();
    cache_fill(&c, 0x180);
    assert_int_equal(cache_ready(&c), 5);
    assert_false(cache_holds(&c, 0x180));
}

/* What goes nowhere replaces nothing, waits in an MSHR as any other, and is answered. */
static void a_block_that_goes_nowhere_replaces_nothing(void **state)
{
    (void)state;
    bring(0), bring(0x80);
    say_miss = INSERT_NONE;
    assert_int_equal(cache_load(&c, 0x100, 5), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x100, 6), CACHE_PENDING);
    sent();
    cache_fill(&c, 0x100);
    assert_int_equal(cache_ready(&c), 5);
    assert_int_equal(cache_ready(&c), 6);
    assert_false(cache_holds(&c, 0x100));
    assert_true(cache_holds(&c, 0) && cache_holds(&c, 0x80));
    assert_int_equal(c.n_mshr, 0);
}

static void a_store_that_goes_nowhere_is_sent_on(void **state)
{
    (void)state;
    say_miss = INSERT_NONE;
    assert_int_equal(cache_store(&c, 0, 9, true, false), CACHE_MISS);
    struct cache_send s = sent();

    assert_int_equal(s.kind, SEND_WRITE);
    assert_int_equal(s.token, 9);
    assert_false(cache_holds(&c, 0));
    conf.write_miss = WRITE_ALLOCATE;
    restart(true);
    say_miss = INSERT_NONE;
    assert_int_equal(cache_store(&c, 0, 9, false, false), CACHE_MISS);
    assert_int_equal(sent().kind, SEND_WRITE);
    assert_int_equal(c.n_mshr, 0);
    assert_int_equal(c.st.access, 1);
    assert_int_equal(c.st.store_miss, 1);
}

/* An atomic's result is kept by the line alone, and a line that is there has its place. */
static void atomics_and_lines_that_are_there_stay(void **state)
{
    (void)state;
    say_miss = INSERT_NONE;
    assert_int_equal(cache_modify(&c, 0, 5), CACHE_MISS);
    assert_true(heard[0].ev.atomic);
    sent();
    cache_fill(&c, 0);
    assert_true(cache_holds(&c, 0));
    bring(0x20);
    assert_true(cache_holds(&c, 0x20));
}

/* Both ways wait for data: it is asked again and again, and may go around them. */
static void a_full_set_can_be_gone_around(void **state)
{
    (void)state;
    assert_int_equal(cache_load(&c, 0, 5), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x80, 5), CACHE_MISS);
    sent(), sent();
    n_heard = 0;
    assert_int_equal(cache_load(&c, 0x100, 5), CACHE_FAIL);
    assert_int_equal(cache_load(&c, 0x100, 5), CACHE_FAIL);
    assert_int_equal(n_heard, 2);
    assert_true(heard[0].ev.no_way && heard[1].ev.no_way);
    say_miss = INSERT_NONE;
    assert_int_equal(cache_load(&c, 0x100, 5), CACHE_MISS);
}

/* ---- prefetches */

static void step(void)
{
    if (c.armed & ARMED_ASKED)
        cache_prefetch_step(&c);
}

static void expect_count(enum prefetch_stat what, u64 n)
{
    assert_int_equal(count[what], n);
}

static void a_prefetched_block_is_useful_once(void **state)
{
    (void)state;
    restart(false);
    cache_prefetch(&c, 0x47, count);
    step();
    assert_int_equal(sent().addr, 0x40);
    cache_fill(&c, 0x40);
    assert_int_equal(cache_ready(&c), REQ_NONE);
    assert_int_equal(c.n_mshr, 0);
    expect_count(PREFETCH_issued, 1), expect_count(PREFETCH_useful, 0);
    assert_int_equal(cache_load(&c, 0x44, 5), CACHE_HIT);
    assert_int_equal(cache_load(&c, 0x44, 5), CACHE_HIT);
    expect_count(PREFETCH_useful, 1);
    assert_int_equal(c.st.access, 2);
    assert_int_equal(c.st.miss, 0);
}

static void who_comes_before_the_data_finds_it_late(void **state)
{
    (void)state;
    cache_prefetch(&c, 0x40, count);
    step();
    assert_true(heard[0].ev.prefetch);
    sent();
    assert_int_equal(cache_load(&c, 0x40, 5), CACHE_PENDING);
    assert_true(heard[1].ev.prefetched);
    cache_fill(&c, 0x40);
    assert_false(heard[2].ev.prefetch);
    assert_int_equal(cache_ready(&c), 5);
    assert_int_equal(cache_load(&c, 0x40, 5), CACHE_HIT);
    expect_count(PREFETCH_late, 1), expect_count(PREFETCH_useful, 0);
}

static void what_is_there_or_coming_is_not_fetched(void **state)
{
    (void)state;
    bring(0);
    assert_int_equal(cache_load(&c, 0x20, 5), CACHE_MISS);
    sent();
    cache_prefetch(&c, 0, count), cache_prefetch(&c, 0x20, count);
    step(), step();
    expect_count(PREFETCH_there, 2), expect_count(PREFETCH_issued, 0);
    assert_int_equal(c.send.n, 0);
    assert_int_equal(c.armed & ARMED_ASKED, 0);
}

/* Misses that wait go first, the last MSHR is not for prefetches, and the queue has an end. */
static void prefetches_take_what_is_left(void **state)
{
    (void)state;
    restart(false);
    assert_int_equal(cache_load(&c, 0, 5), CACHE_MISS);
    cache_prefetch(&c, 0x20, count);
    step();
    assert_int_equal(c.send.n, 1);
    expect_count(PREFETCH_issued, 0), expect_count(PREFETCH_dropped, 0);
    sent(), step(), sent();
    expect_count(PREFETCH_issued, 1);
    assert_int_equal(cache_load(&c, 0x40, 5), CACHE_MISS);
    sent();
    cache_prefetch(&c, 0x60, count);
    step();
    expect_count(PREFETCH_dropped, 1);
    assert_int_equal(c.send.n, 0);
    for (u32 i = 0; i < PREFETCH_QUEUE; i++)
        cache_prefetch(&c, 0x60, count);
    expect_count(PREFETCH_dropped, 1);
    cache_prefetch(&c, 0x60, count);
    expect_count(PREFETCH_dropped, 2);
    cache_prefetch(&c, 0ull - 0x80, count); /* a stride below the first byte */
    expect_count(PREFETCH_dropped, 3);
}

static void a_block_replaced_before_its_use_was_in_vain(void **state)
{
    (void)state;
    cache_prefetch(&c, 0, count);
    step(), sent();
    cache_fill(&c, 0);
    assert_int_equal(cache_ready(&c), REQ_NONE);
    bring(0x80), bring(0x100);
    expect_count(PREFETCH_unused, 1);
    for (u32 i = 0; i < n_heard; i++)
        if (heard[i].hook == ON_evict)
            assert_true(heard[i].ev.prefetched);
    cache_invalidate(&c);
    bring(0);
    assert_int_equal(cache_load(&c, 0, 5), CACHE_HIT);
    expect_count(PREFETCH_useful, 0);
}

/* A dirty line makes room for a prefetch as for a miss, and each prefetcher has its own counters. */
static void prefetchers_have_counters_of_their_own(void **state)
{
    u64 other[N_PREFETCH_STAT] = {0};

    (void)state;
    restart(false);
    assert_int_equal(cache_store(&c, 0, 9, true, false), CACHE_MISS);
    bring(0x80);
    cache_prefetch(&c, 0x100, count);
    step();
    assert_int_equal(sent().kind, SEND_READ);
    assert_int_equal(sent().kind, SEND_BACK);
    cache_prefetch(&c, 0x180, other);
    step(), sent();
    cache_fill(&c, 0x180), cache_fill(&c, 0x100);
    assert_int_equal(cache_ready(&c), REQ_NONE);
    assert_int_equal(cache_load(&c, 0x180, 5), CACHE_HIT);
    assert_int_equal(other[PREFETCH_useful], 1);
    assert_int_equal(cache_load(&c, 0x100, 5), CACHE_HIT);
    expect_count(PREFETCH_issued, 1), expect_count(PREFETCH_useful, 1);
    assert_int_equal(other[PREFETCH_issued], 1);
}

static void a_store_that_went_around_drops_a_clean_line_only(void **state)
{
    (void)state;
    bring(0);
    cache_drop(&c, 0);
    assert_false(cache_holds(&c, 0));
    cache_store(&c, 0x80, 9, true, false);
    cache_drop(&c, 0x80);
    assert_true(cache_holds(&c, 0x80));
    cache_drop(&c, 0x4000);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, one_set, drop)

static const struct CMUnitTest tests[] = {
    CASE(a_miss_tells_miss_access_and_fill),
    CASE(a_look_up_that_fails_is_told_when_it_succeeds),
    CASE(stores_and_evictions_are_told),
    CASE(an_eviction_says_whose_line_it_was),
    CASE(some_lines_are_nobodys),
    CASE(lines_taken_on_fill_have_owners_too),
    CASE(nobody_listens_and_nothing_is_told),
    CASE(a_block_of_low_standing_is_replaced_first),
    CASE(a_hit_gives_it_back_its_standing),
    CASE(the_fill_has_the_last_word),
    CASE(a_block_that_goes_nowhere_replaces_nothing),
    CASE(a_store_that_goes_nowhere_is_sent_on),
    CASE(atomics_and_lines_that_are_there_stay),
    CASE(a_full_set_can_be_gone_around),
    CASE(a_prefetched_block_is_useful_once),
    CASE(who_comes_before_the_data_finds_it_late),
    CASE(what_is_there_or_coming_is_not_fetched),
    CASE(prefetches_take_what_is_left),
    CASE(a_block_replaced_before_its_use_was_in_vain),
    CASE(prefetchers_have_counters_of_their_own),
    CASE(a_store_that_went_around_drops_a_clean_line_only),
};

TEST_MAIN(tests)
