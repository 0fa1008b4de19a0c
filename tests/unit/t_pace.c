/* t_pace.c -- when host threads work together, and what they do then; times are made up */
#define _GNU_SOURCE /* sched_setaffinity */
#include "base/pace.h"

#include <sched.h>

#include "base/team.h"
#include "tests/test_main.h"

/* n pieces of `own` and `waited` ns; the time afterwards. */
static u64 tell(struct pace *p, u64 now, u32 n, u64 own, u64 waited)
{
    for (u32 i = 0; i < n; i++) {
        now += own + waited;
        pace_tell(p, own, waited, 1, now);
    }
    return now;
}

static void members_that_keep_up_are_called_again(void **state)
{
    struct pace p;

    (void)state;
    pace_init(&p);
    assert_true(pace_together(&p, 0));
    for (u64 now = 0; now < 100000000;) {
        now = tell(&p, now, 10, 5000, 4000);
        assert_true(pace_together(&p, now));
    }
}

/* 4 ms lost, all but what was saved before: alone for 32 times that. */
static void a_member_without_a_core_is_left_alone_for_longer_than_it_cost(void **state)
{
    struct pace p;

    (void)state;
    pace_init(&p);
    u64 now = tell(&p, 0, 1, 5000, 4000000);

    assert_int_equal(p.alone_until, now + 32 * (4000000 - 5000));
    assert_false(pace_together(&p, now));
    assert_false(pace_together(&p, p.alone_until - 1));
    assert_true(pace_together(&p, p.alone_until));
}

/* Of a second, a member that never has a core costs less than 2 %, and then less and less. */
static void losses_stay_small(void **state)
{
    struct pace p;
    u64 now = 0, lost = 0;

    (void)state;
    pace_init(&p);
    while (now < 10000000000) {
        if (pace_together(&p, now)) {
            now = tell(&p, now, 1, 5000, 4000000);
            lost += 4000000;
        } else {
            now += 10000;
        }
        if (now > 1000000000)
            assert_true(lost < now / 50);
    }
    assert_true(lost < now / 250);
}

/* Waking threads takes some time; that is made up for. */
static void a_slow_start_is_forgiven(void **state)
{
    struct pace p;

    (void)state;
    pace_init(&p);
    u64 now = tell(&p, 0, 1, 5000, 100000);

    assert_true(pace_together(&p, now));
    tell(&p, now, 1000, 5000, 1000);
    assert_int_equal(p.account, 1000 * 4000 - 95000);
}

/* 4 ms without a core after a good time are no loss; the third time they are. */
static void what_was_saved_may_be_lost_again(void **state)
{
    struct pace p;

    (void)state;
    pace_init(&p);
    u64 now = tell(&p, 0, 2400, 5000, 1000);

    assert_int_equal(p.account, 9600000);
    now = tell(&p, now, 2, 5000, 4000000);
    assert_true(pace_together(&p, now));
    now = tell(&p, now, 1, 5000, 4000000);
    assert_int_equal(p.alone_until, now + 32 * (3 * (4000000 - 5000) - 9600000));
    tell(&p, now, 10000, 5000, 0);
    assert_int_equal(p.account, PACE_CREDIT);
}

/* Waits a little longer than the other one works: a loss each time, found after 200 of them. */
static void small_losses_add_up(void **state)
{
    struct pace p;
    u64 now = 0;
    u32 n = 0;

    (void)state;
    pace_init(&p);
    for (; pace_together(&p, now); n++)
        now = tell(&p, now, 1, 5000, 6000);
    assert_int_equal(n, 201);
}

/* The factor grows with each loss in a row, and a good time makes it small again. */
static void good_times_are_noticed(void **state)
{
    struct pace p;

    (void)state;
    pace_init(&p);
    u64 now = tell(&p, 0, 1, 5000, 4000000);

    assert_int_equal(p.factor, 2 * PACE_ALONE);
    now = tell(&p, p.alone_until, 1, 5000, 4000000);
    assert_int_equal(p.factor, 4 * PACE_ALONE);
    tell(&p, p.alone_until, 1000, 5000, 1000);
    assert_int_equal(p.factor, PACE_ALONE);
    (void)now;
}

/* A piece that took the caller 10 ms did not save that: it had no core itself. */
static void a_caller_without_a_core_saves_nothing(void **state)
{
    struct pace p;

    (void)state;
    pace_init(&p);
    tell(&p, 0, 1, 10000000, 0);
    assert_int_equal(p.account, PACE_MOST);
}

static void a_quota_is_whole_cpus_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(pace_quota("max 100000\n"), 0);
    assert_int_equal(pace_quota("100000 100000\n"), 1);
    assert_int_equal(pace_quota("150000 100000\n"), 2);
    assert_int_equal(pace_quota("5000 100000\n"), 1);
    assert_int_equal(pace_quota(" "), 0);
    assert_int_equal(pace_quota(""), 0);
}

static void add_one(void *arg, u32 item)
{
    ((u32 *)arg)[item]++;
}

static void run_some(u32 threads, u32 most)
{
    struct team *t = team_new(threads);
    u32 n[30] = {0};

    assert_in_range(team_threads(t), 1, most);
    for (u32 i = 0; i < 1000; i++)
        team_run(t, add_one, n, LEN(n));
    for (u32 i = 0; i < LEN(n); i++)
        assert_int_equal(n[i], 1000);
    team_free(t);
}

static void every_item_is_done_once(void **state)
{
    (void)state;
    for (u32 threads = 1; threads < 6; threads++)
        run_some(threads, threads);
}

static void on_one_cpu_a_team_is_its_caller(void **state)
{
    cpu_set_t all, one;
    int cpu = 0;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(pace_cpus(), 1);
    run_some(4, 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_in_range(pace_cpus(), 1, CPU_COUNT(&all));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(members_that_keep_up_are_called_again),
    cmocka_unit_test(a_member_without_a_core_is_left_alone_for_longer_than_it_cost),
    cmocka_unit_test(losses_stay_small),
    cmocka_unit_test(a_slow_start_is_forgiven),
    cmocka_unit_test(what_was_saved_may_be_lost_again),
    cmocka_unit_test(small_losses_add_up),
    cmocka_unit_test(good_times_are_noticed),
    cmocka_unit_test(a_caller_without_a_core_saves_nothing),
    cmocka_unit_test(a_quota_is_whole_cpus_rounded_up),
    cmocka_unit_test(every_item_is_done_once),
    cmocka_unit_test(on_one_cpu_a_team_is_its_caller),
};

TEST_MAIN(tests)
