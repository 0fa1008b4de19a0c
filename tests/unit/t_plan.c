/* t_plan.c -- what SMs are in a launch, from the keys, and which of them work together. */
#include "sm/binding/group.h"
#include "sm/binding/plan.h"
#include "tests/test_main.h"

static const struct sm_conf sm = {.n_warp = 48,
                                  .warp_words = 2,
                                  .max_threads = 1536,
                                  .max_cta = 8,
                                  .regs = 32768,
                                  .shared = 49152,
                                  .smem_banks = 16};
static const struct cache_conf l1d = {.sets = 32, .ways = 4, .mshrs = 64};

static struct plan p;
static struct shape keys;
static struct launch l;

static int begin(void **state)
{
    (void)state;
    plan_init(&p, 10);
    shape_of_keys(&keys, &sm, &l1d);
    plan_begin(&p, &l, &keys);
    return 0;
}

static int end(void **state)
{
    (void)state;
    plan_free(&p);
    return 0;
}

static void expect_first(const u16 want[10])
{
    for (u32 i = 0; i < 10; i++)
        assert_int_equal(p.first[i], want[i]);
}

static void a_shape_is_what_the_keys_say(void **state)
{
    (void)state;
    assert_true(keys.on);
    assert_int_equal(keys.n_warp, 48);
    assert_int_equal(keys.own_warps, 48);
    assert_int_equal(keys.shares, 1);
    assert_int_equal(keys.warp_words, 2);
    assert_int_equal(keys.dp_words, 2);
    assert_int_equal(keys.max_threads, 1536);
    assert_int_equal(keys.max_cta, 8);
    assert_int_equal(keys.regs, 32768);
    assert_int_equal(keys.shared, 49152);
    assert_int_equal(keys.smem_banks, 16);
    assert_int_equal(keys.l1d_sets, 32);
    assert_int_equal(keys.l1d_ways, 4);
    assert_int_equal(keys.l1d_mshrs, 64);
    assert_int_equal(keys.late_decode + keys.late_issue + keys.late_operands, 0);
    assert_int_equal(keys.late_l1 + keys.late_shared, 0);
}

/* 48 warps of 64 threads, twice with two front ends. */
static void contexts_of_all_front_ends_count(void **state)
{
    struct shape s = keys;

    (void)state;
    assert_int_equal(shape_threads(&s), 3072);
    s.shares = 2;
    assert_int_equal(shape_threads(&s), 6144);
    s.warp_words = 1;
    assert_int_equal(shape_threads(&s), 3072);
}

static void at_first_each_sm_is_alone(void **state)
{
    (void)state;
    expect_first((const u16[10]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    assert_ptr_equal(p.l, &l);
    for (u32 i = 0; i < 10; i++) {
        assert_int_equal(p.shape[i].n_warp, 48);
        assert_int_equal(p.ctas[i], 0);
    }
}

static void neighbours_form_a_group(void **state)
{
    (void)state;
    plan_group(&p, 1, 3);
    plan_group(&p, 6, 2);
    expect_first((const u16[10]){0, 1, 1, 1, 4, 5, 6, 6, 8, 9});
}

/* From the first SM, to the last one, as many as there may be. */
static void groups_reach_to_both_ends(void **state)
{
    (void)state;
    assert_int_equal(MAX_GROUP, 8);
    plan_group(&p, 0, 2);
    plan_group(&p, 2, MAX_GROUP);
    expect_first((const u16[10]){0, 0, 2, 2, 2, 2, 2, 2, 2, 2});
}

static void a_group_of_one_is_an_sm_alone(void **state)
{
    (void)state;
    plan_group(&p, 9, 1);
    expect_first((const u16[10]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

/* Nothing of a launch's plan is left in that of the next. */
static void the_next_launch_begins_anew(void **state)
{
    static struct launch next;

    (void)state;
    plan_group(&p, 0, 4);
    p.shape[2].on = false, p.shape[3].n_warp = 7, p.ctas[5] = 3;
    plan_begin(&p, &next, &keys);
    assert_ptr_equal(p.l, &next);
    expect_first((const u16[10]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    assert_true(p.shape[2].on);
    assert_int_equal(p.shape[3].n_warp, 48);
    assert_int_equal(p.ctas[5], 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

static const struct CMUnitTest tests[] = {
    CASE(a_shape_is_what_the_keys_say), CASE(contexts_of_all_front_ends_count),
    CASE(at_first_each_sm_is_alone),    CASE(neighbours_form_a_group),
    CASE(groups_reach_to_both_ends),    CASE(a_group_of_one_is_an_sm_alone),
    CASE(the_next_launch_begins_anew),
};

TEST_MAIN(tests)
