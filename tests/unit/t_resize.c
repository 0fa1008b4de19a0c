/* t_resize.c -- a cache that gets another size: what it sends, what it holds, what stays. */
#include "mem/cache_watch.h"
#include "tests/unit/small_cache.h"

static void miss(u64 addr, u32 token)
{
    assert_int_equal(cache_load(&c, addr, token), CACHE_MISS);
    struct cache_send s = sent();

    assert_int_equal(s.kind, SEND_READ);
    assert_int_equal(s.addr, addr);
}

/* A load that misses and is filled at once. */
static void bring(u64 addr)
{
    miss(addr, 99);
    cache_fill(&c, addr);
    assert_int_equal(cache_ready(&c), 99);
}

static void keep(u64 addr)
{
    assert_int_equal(cache_store(&c, addr, 1, true, false), CACHE_MISS);
}

/* The dirty sectors of the line that are on their way back; 0: none. */
static u32 sent_back(u64 line)
{
    u32 sectors = 0;

    for (u32 i = 0; i < c.send.n; i++) {
        struct cache_send s = ring_at(&c.send, i);

        assert_int_equal(s.kind, SEND_BACK);
        assert_int_equal(s.token, REQ_NONE);
        if (s.addr == line)
            sectors |= s.sectors;
    }
    return sectors;
}

/* ---- what it sends */

/* Sectors 0 and 1 of line 0, sector 3 of line 0x80; line 0x100 has been read only. */
static void dirty_lines_are_written_back_and_clean_ones_are_not(void **state)
{
    (void)state;
    keep(0x000), keep(0x020), keep(0x0e0);
    bring(0x100);
    cache_resize(&c, 4, 2, 4);
    assert_int_equal(c.send.n, 2);
    assert_int_equal(sent_back(0x000), 1 | 2);
    assert_int_equal(sent_back(0x080), 8);
    assert_int_equal(c.st.write_back, 3);
}

/* One sector of the line was read, another written: only that one goes. */
static void only_the_dirty_sectors_of_a_line_go(void **state)
{
    (void)state;
    bring(0x100);
    keep(0x140);
    cache_resize(&c, 1, 1, 4);
    assert_int_equal(c.send.n, 1);
    assert_int_equal(sent_back(0x100), 4);
    assert_int_equal(c.st.write_back, 1);
}

static void a_clean_cache_sends_nothing(void **state)
{
    (void)state;
    bring(0x000), bring(0x080), bring(0x100), bring(0x180);
    cache_resize(&c, 1, 2, 4);
    assert_int_equal(c.send.n, 0);
    assert_int_equal(c.st.write_back, 0);
}

/* A store that was sent on waits, behind a queue that has turned round once. */
static void what_waited_to_be_sent_goes_first(void **state)
{
    (void)state;
    conf.write = WRITE_LOCAL_BACK;
    restart();
    for (u32 i = 0; i < 7; i++) {
        cache_store(&c, 0x1000, 3, true, false);
        sent();
    }
    cache_store(&c, 0x400, 7, true, false), cache_store(&c, 0x420, 8, true, false);
    assert_int_equal(cache_store(&c, 0x000, 9, true, true), CACHE_MISS);
    cache_resize(&c, 2, 4, 4);
    struct cache_send first = sent(), second = sent();

    assert_int_equal(first.kind, SEND_WRITE);
    assert_int_equal(first.addr, 0x400);
    assert_int_equal(first.token, 7);
    assert_int_equal(second.kind, SEND_WRITE);
    assert_int_equal(second.addr, 0x420);
    assert_int_equal(second.token, 8);
    assert_int_equal(c.send.n, 1);
    assert_int_equal(sent_back(0x000), 1);
}

static void fill_with_dirty_lines(u32 n)
{
    for (u32 i = 0; i < n; i++)
        keep(0x80 * (u64)i);
}

/* Sixteen lines wait where four places are; a load needs two of them. */
static void while_write_backs_wait_nothing_goes_out(void **state)
{
    (void)state;
    conf.sets = 4, conf.ways = 4;
    restart();
    fill_with_dirty_lines(16);
    cache_resize(&c, 2, 2, 4);
    assert_int_equal(c.send.n, 16);
    for (u32 left = 16; left > 2; left--) {
        assert_int_equal(c.send.n, left);
        assert_int_equal(cache_load(&c, 0x000, 1), CACHE_FAIL);
        if (left >= 4)
            assert_int_equal(cache_store(&c, 0x000, 1, true, false), CACHE_FAIL);
        assert_int_equal(sent().kind, SEND_BACK);
    }
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_MISS);
    assert_int_equal(sent().kind, SEND_BACK);
    assert_int_equal(sent().kind, SEND_BACK);
    assert_int_equal(sent().kind, SEND_READ);
    assert_int_equal(c.st.write_back, 16);
}

/* When they have gone the queue takes three loads, and no fourth, as it did before. */
static void afterwards_the_queue_is_as_long_as_ever(void **state)
{
    (void)state;
    conf.sets = 4, conf.ways = 4;
    restart();
    fill_with_dirty_lines(16);
    cache_resize(&c, 2, 2, 4);
    while (c.send.n)
        sent();
    assert_int_equal(ring_room(&c.send), conf.miss_queue + 2);
    for (u32 i = 0; i < 3; i++)
        assert_int_equal(cache_load(&c, 32 * (u64)i, i), CACHE_MISS);
    assert_int_equal(cache_load(&c, 0x60, 3), CACHE_FAIL);
}

/* ---- what it holds */

static void nothing_hits_afterwards(void **state)
{
    (void)state;
    bring(0x000), bring(0x080);
    keep(0x100);
    cache_resize(&c, 2, 4, 4);
    assert_int_equal(sent_back(0x100), 1);
    sent();
    for (u64 line = 0; line <= 0x100; line += 0x80)
        assert_false(cache_holds(&c, line));
    bring(0x000), bring(0x080), bring(0x100);
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_HIT);
}

/* Set 0 keeps four lines; the fifth takes the place of the one that was used first. */
static void more_ways_hold_more(void **state)
{
    (void)state;
    cache_resize(&c, 2, 4, 4);
    for (u64 i = 0; i < 4; i++)
        bring(0x100 * i);
    for (u64 i = 0; i < 4; i++)
        assert_true(cache_holds(&c, 0x100 * i));
    bring(0x400);
    assert_false(cache_holds(&c, 0x000));
    assert_true(cache_holds(&c, 0x100));
}

/* With four sets line 0x100 is in set 2, and 0x000, 0x200, 0x400 share set 0. */
static void more_sets_keep_lines_apart(void **state)
{
    (void)state;
    cache_resize(&c, 4, 2, 4);
    bring(0x000), bring(0x100), bring(0x200);
    assert_true(cache_holds(&c, 0x000));
    bring(0x400);
    assert_false(cache_holds(&c, 0x000));
    assert_true(cache_holds(&c, 0x100));
}

/* Three sets, no power of two: lines 0, 1 and 2 are apart, 3 is where 0 is. */
static void any_number_of_sets_will_do(void **state)
{
    (void)state;
    cache_resize(&c, 3, 1, 4);
    bring(0x000), bring(0x080), bring(0x100);
    assert_true(cache_holds(&c, 0x000));
    bring(0x180);
    assert_false(cache_holds(&c, 0x000));
    assert_true(cache_holds(&c, 0x080));
    cache_resize(&c, 2, 1, 4); /* and back: 0x080 and 0x180 share set 1 */
    bring(0x080), bring(0x180);
    assert_false(cache_holds(&c, 0x080));
}

static void one_line_is_the_least(void **state)
{
    (void)state;
    cache_resize(&c, 1, 1, 1);
    bring(0x000);
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_HIT);
    bring(0x080);
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_MISS);
}

/* ---- MSHRs */

/* So many misses are outstanding, no more, and each brings its token. */
static void expect_mshrs(u32 n)
{
    for (u32 i = 0; i < n; i++)
        miss(32 * (u64)i, 10 + i);
    assert_int_equal(cache_load(&c, 32 * (u64)n, 10 + n), CACHE_FAIL);
    for (u32 i = 0; i < n; i++) {
        cache_fill(&c, 32 * (u64)i);
        assert_int_equal(cache_ready(&c), 10 + i);
    }
    assert_int_equal(cache_ready(&c), REQ_NONE);
}

static void mshrs_follow(void **state)
{
    (void)state;
    expect_mshrs(4);
    cache_resize(&c, 2, 2, 7);
    expect_mshrs(7);
    cache_resize(&c, 2, 2, 1);
    expect_mshrs(1);
    cache_resize(&c, 2, 2, 4);
    expect_mshrs(4);
}

/* Two tokens may wait for a miss, whatever the number of misses. */
static void merges_stay(void **state)
{
    (void)state;
    cache_resize(&c, 2, 2, 8);
    miss(0x000, 1);
    assert_int_equal(cache_load(&c, 0x000, 2), CACHE_PENDING);
    assert_int_equal(cache_load(&c, 0x000, 3), CACHE_FAIL);
    cache_fill(&c, 0x000);
    assert_int_equal(cache_ready(&c), 1);
    assert_int_equal(cache_ready(&c), 2);
}

/* ---- the same size */

static void the_same_size_changes_nothing(void **state)
{
    (void)state;
    bring(0x000);
    keep(0x080);
    cache_resize(&c, 2, 2, 4);
    assert_int_equal(c.send.n, 0);
    assert_int_equal(c.st.write_back, 0);
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_HIT);
    assert_int_equal(cache_load(&c, 0x080, 1), CACHE_HIT);
    cache_resize(&c, 1, 1, 4); /* still dirty */
    assert_int_equal(sent_back(0x080), 1);
}

/* ---- a cache that is watched */

static u64 count[N_PREFETCH_STAT];
static u64 now;
static u32 n_access;

static void who(const struct cache_watch *w, u32 token, struct cache_event *ev)
{
    (void)w;
    ev->warp = token;
}

static void on_access(void *self, struct cache_event *ev)
{
    (void)self, (void)ev;
    n_access++;
}

static void watch(void)
{
    struct cache_watch *w = cache_watch(&c);

    w->like = (struct cache_event){.cache = &c, .which = IN_L2};
    w->now = &now, w->who = who, w->owner = &c;
    cache_listen(&c, ON_access, on_access, &c);
    memset(count, 0, sizeof count);
    n_access = 0;
}

static void prefetched(u64 addr)
{
    cache_prefetch(&c, addr, count);
    cache_prefetch_step(&c);
    assert_int_equal(sent().addr, addr);
    cache_fill(&c, addr);
    assert_int_equal(cache_ready(&c), REQ_NONE);
}

/* Every way and every MSHR of the larger cache has its mark: the sanitizers see where they end. */
static void a_watched_cache_grows(void **state)
{
    (void)state;
    watch();
    bring(0x000);
    cache_resize(&c, 4, 8, 8);
    for (u64 i = 0; i < 32; i++)
        prefetched(0x80 * i);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(cache_load(&c, 0x80 * (u64)i, i), CACHE_HIT);
    assert_int_equal(count[PREFETCH_issued], 32);
    assert_int_equal(count[PREFETCH_useful], 32);
    assert_int_equal(n_access, 1 + 32);
    for (u32 i = 0; i < 8; i++)
        miss(0x2000 + 0x80 * (u64)i, i);
    assert_int_equal(cache_load(&c, 0x3000, 9), CACHE_FAIL);
}

/* The line that a prefetch brought is gone: its first load is an ordinary miss, then a hit. */
static void marks_of_prefetches_go_with_their_lines(void **state)
{
    (void)state;
    watch();
    prefetched(0x000), prefetched(0x080);
    cache_resize(&c, 1, 2, 4);
    bring(0x000), bring(0x080);
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_HIT);
    assert_int_equal(cache_load(&c, 0x080, 1), CACHE_HIT);
    assert_int_equal(count[PREFETCH_useful], 0);
    assert_int_equal(n_access, 4);
}

/* Asked for before, looked up after: the line was there, and is not any more. */
static void a_prefetch_that_waits_survives(void **state)
{
    (void)state;
    watch();
    bring(0x000);
    cache_prefetch(&c, 0x000, count);
    cache_resize(&c, 4, 2, 4);
    cache_prefetch_step(&c);
    assert_int_equal(count[PREFETCH_there], 0);
    assert_int_equal(count[PREFETCH_issued], 1);
    assert_int_equal(sent().addr, 0x000);
    cache_fill(&c, 0x000);
    assert_int_equal(cache_load(&c, 0x000, 1), CACHE_HIT);
    assert_int_equal(count[PREFETCH_useful], 1);
}

/* The write-backs of the first have not gone when the second comes. */
static void write_backs_outlast_a_second_resize(void **state)
{
    u32 lines = c.sets * c.ways;

    (void)state;
    for (u32 i = 0; i < lines; i++)
        cache_store(&c, 0x80 * (u64)i, 1, true, false);
    u32 n = c.send.n;

    cache_resize(&c, 1, 1, 4);
    assert_int_equal(c.send.n, n + lines);
    cache_resize(&c, 1, 2, 4);
    assert_int_equal(c.send.n, n + lines);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, l2_like, drop)

static const struct CMUnitTest tests[] = {
    CASE(dirty_lines_are_written_back_and_clean_ones_are_not),
    CASE(only_the_dirty_sectors_of_a_line_go),
    CASE(a_clean_cache_sends_nothing),
    CASE(what_waited_to_be_sent_goes_first),
    CASE(while_write_backs_wait_nothing_goes_out),
    CASE(afterwards_the_queue_is_as_long_as_ever),
    CASE(nothing_hits_afterwards),
    CASE(more_ways_hold_more),
    CASE(more_sets_keep_lines_apart),
    CASE(any_number_of_sets_will_do),
    CASE(one_line_is_the_least),
    CASE(mshrs_follow),
    CASE(merges_stay),
    CASE(the_same_size_changes_nothing),
    CASE(a_watched_cache_grows),
    CASE(marks_of_prefetches_go_with_their_lines),
    CASE(a_prefetch_that_waits_survives),
    CASE(write_backs_outlast_a_second_resize),
};

TEST_MAIN(tests)
