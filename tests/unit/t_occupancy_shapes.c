/*
 * t_occupancy_shapes.c -- how many CTAs an SM of some shape holds, and why no more: narrow and wide
 * warps, several front ends, limits of its own.
 */
#include "sm/occupancy.h"
#include "tests/test_main.h"

static struct sm_conf sm;
static struct shape shape;
static struct func func;
static struct launch l;
static struct err e;

/* 48 warps, 1536 threads and room for many CTAs; registers by 4, shared memory by 128 bytes. */
static int begin(void **state)
{
    static const struct cache_conf l1d = {.sets = 32, .ways = 4, .mshrs = 64};
    static char name[] = "k";

    (void)state;
    sm = (struct sm_conf){.n_warp = 48,
                          .warp_words = 1,
                          .max_threads = 1536,
                          .max_cta = 64,
                          .max_block_threads = 1024,
                          .regs = 32768,
                          .reg_granule = 4,
                          .shared = 49152,
                          .shared_granule = 128};
    shape_of_keys(&shape, &sm, &l1d);
    func = (struct func){.label = name};
    return 0;
}

static void block(u32 threads, u32 regs, u32 shared)
{
    func.regs = regs;
    l = (struct launch){.func = &func, .threads = threads, .shared = shared};
}

static void expect_fit(u32 ctas, const char *why)
{
    const char *limit;
    enum refusal refusal;

    assert_int_equal(occupancy(&shape, &sm, &l, &limit, &refusal, &e), ctas);
    assert_int_equal(refusal, REFUSE_NONE);
    assert_string_equal(limit, why);
}

static void expect_refusal(enum refusal why, const char *msg)
{
    const char *limit;
    enum refusal refusal;

    assert_int_equal(occupancy(&shape, &sm, &l, &limit, &refusal, &e), 0);
    assert_int_equal(refusal, why);
    assert_string_equal(e.msg, msg);
}

/* ---- as the keys say */

/* 100 threads are 4 warps: 1536 / 128 and 48 / 4 are both 12, and threads are asked first. */
static void warps_are_whole(void **state)
{
    (void)state;
    block(100, 8, 0);
    expect_fit(12, "threads");
    shape.max_threads = 8192;
    expect_fit(12, "warps");
}

/* 21 registers are 24: 256 x 24 = 6144, which is in 32768 five times. */
static void registers_are_allocated_by_the_granule(void **state)
{
    (void)state;
    block(256, 21, 0);
    expect_fit(5, "registers");
    sm.reg_granule = 1; /* 5376: six times, as threads are */
    expect_fit(6, "threads");
}

/* ---- several front ends */

/* 24 contexts of each of two front ends; 3 warps take two of the first: 12 CTAs, not 16. */
static void warps_are_dealt_out_to_front_ends(void **state)
{
    (void)state;
    shape.shares = 2, shape.n_warp = 24;
    block(96, 4, 0);
    expect_fit(12, "warps");
    block(128, 4, 0); /* two of each: 12 again, but 1536 / 128 are 12 too */
    expect_fit(12, "threads");
    block(32, 4, 0); /* one of the first: 24 */
    expect_fit(24, "warps");
}

/* 1024 threads are 32 warps: 16 contexts of each of two are enough, 15 are not. */
static void a_block_may_need_all_front_ends(void **state)
{
    (void)state;
    block(1024, 4, 0);
    shape.shares = 2, shape.n_warp = 16;
    expect_fit(1, "threads");
    shape.n_warp = 15;
    expect_refusal(
        REFUSE_THREADS,
        "kernel k: a block of 1024 threads does not fit an SM (sm.max_threads, sm.n_warp)");
    shape.shares = 1, shape.n_warp = 16;
    expect_refusal(
        REFUSE_THREADS,
        "kernel k: a block of 1024 threads does not fit an SM (sm.max_threads, sm.n_warp)");
}

/* ---- wide warps */

/*
 * 96 threads with 24 registers: 3 warps of 32 have 2304, which is in 32768 14 times; 2 of 64 have
 * 128 x 24 = 3072: 10 times.
 */
static void a_wide_warp_has_registers_for_all_its_lanes(void **state)
{
    (void)state;
    block(96, 24, 0);
    expect_fit(14, "registers");
    shape.warp_words = 2;
    expect_fit(10, "registers");
}

/* 11 contexts of 64 threads: five CTAs of 2 warps, and a context is left. */
static void a_wide_warp_takes_one_context(void **state)
{
    (void)state;
    shape.warp_words = 2, shape.n_warp = 11;
    block(96, 4, 0);
    expect_fit(5, "warps");
    block(64, 4, 0);
    expect_fit(11, "warps");
}

/* Two front ends of 5 contexts of 64 threads; 129 threads are 3 warps, two of them on the first. */
static void wide_warps_are_dealt_out_too(void **state)
{
    (void)state;
    shape.shares = 2, shape.warp_words = 2, shape.n_warp = 5;
    block(129, 4, 0);
    expect_fit(2, "warps");
    block(640, 4, 0); /* all ten contexts */
    expect_fit(1, "warps");
    block(641, 4, 0);
    expect_refusal(
        REFUSE_THREADS,
        "kernel k: a block of 641 threads does not fit an SM (sm.max_threads, sm.n_warp)");
}

/* 97 threads are one warp of 128: more than 127 threads that an SM may have. */
static void the_lanes_that_are_left_count_as_threads(void **state)
{
    (void)state;
    shape.warp_words = 4, shape.max_threads = 127;
    block(97, 4, 0);
    expect_refusal(
        REFUSE_THREADS,
        "kernel k: a block of 97 threads does not fit an SM (sm.max_threads, sm.n_warp)");
    shape.max_threads = 128;
    expect_fit(1, "threads");
}

/* ---- limits of its own, whatever the keys say */

static void a_shape_has_limits_of_its_own(void **state)
{
    (void)state;
    block(32, 4, 1000); /* 128 registers, 1024 bytes */
    shape.max_cta = 12;
    expect_fit(12, "CTAs");
    shape.n_warp = 11;
    expect_fit(11, "warps");
    shape.max_threads = 320;
    expect_fit(10, "threads");
    shape.regs = 9 * 128 + 127;
    expect_fit(9, "registers");
    shape.shared = 8 * 1024 + 1023;
    expect_fit(8, "shared memory");
}

/* Twice of everything that an SM of the keys has. */
static void a_shape_may_have_more_than_the_keys(void **state)
{
    (void)state;
    shape.n_warp = 96, shape.max_threads = 3072, shape.regs = 65536, shape.shared = 98304;
    block(512, 16, 12000); /* 12032 bytes: 8; 8192 registers: 8; 16 warps: 6; 3072 threads: 6 */
    expect_fit(6, "threads");
    block(32, 64, 65536); /* more than the 49152 of sm.shared */
    expect_fit(1, "shared memory");
}

/* ---- refusals */

static void too_many_threads_are_refused(void **state)
{
    (void)state;
    block(1025, 4, 0);
    expect_refusal(REFUSE_THREADS, "kernel k: a block of 1025 threads; the GPU takes at most 1024 "
                                   "(sm.max_block_threads)");
}

/* 49153 bytes are 49280; a shape may have less. */
static void too_much_shared_memory_is_refused(void **state)
{
    (void)state;
    block(32, 4, 49153);
    expect_refusal(
        REFUSE_SHARED,
        "kernel k: a block needs 49280 bytes of shared memory; an SM has 49152 (sm.shared)");
    shape.shared = 4096;
    block(32, 4, 4097);
    expect_refusal(
        REFUSE_SHARED,
        "kernel k: a block needs 4224 bytes of shared memory; an SM has 4096 (sm.shared)");
    block(32, 4, 4096);
    expect_fit(1, "shared memory");
}

/* 33 registers are 36: 36864.  32 are just right; of warps twice as wide 480 threads are 512. */
static void too_many_registers_are_refused(void **state)
{
    (void)state;
    block(1024, 33, 0);
    expect_refusal(REFUSE_REGS,
                   "kernel k: a block needs 36864 registers; an SM has 32768 (sm.regs)");
    block(1024, 32, 0);
    expect_fit(1, "threads");
    shape.warp_words = 2, shape.regs = 512 * 32 - 1;
    block(480, 32, 0);
    expect_refusal(REFUSE_REGS,
                   "kernel k: a block needs 16384 registers; an SM has 16383 (sm.regs)");
}

#define CASE(name) cmocka_unit_test_setup(name, begin)

/* ---- a lender: 24 contexts of its own with 16384 registers, so many more with those of another */

static void lend(u32 contexts, u32 regs)
{
    shape.own_warps = 24, shape.n_warp = 24 + contexts;
    shape.regs = 16384, shape.lent_regs = regs;
}

static void expect_contexts(u32 warps, u64 warp_regs, const u32 *first, u32 n)
{
    for (u32 i = 0; i < n; i++)
        assert_int_equal(shape_context(&shape, warps, warp_regs, i), first[i]);
}

/* 640 registers a warp: 25 and 12 fit. */
static void ctas_may_have_warps_on_both_sides_if_registers_suffice(void **state)
{
    (void)state;
    lend(12, 8192);
    block(256, 20, 0);
    expect_fit(4, "warps");
    expect_contexts(8, 640, (const u32[]){0, 8, 16, 24}, 4);
    block(160, 20, 0);
    expect_fit(7, "warps");
    expect_contexts(5, 640, (const u32[]){0, 5, 10, 15, 20, 25, 30}, 7);
}

/* 1024 registers a warp: 16 of 24 contexts and 8 of 12. */
static void contexts_without_registers_stay_empty(void **state)
{
    (void)state;
    lend(12, 8192);
    block(256, 32, 0);
    expect_fit(3, "registers");
    expect_contexts(8, 1024, (const u32[]){0, 8, 24}, 3);
}

/* Six warps of 1536 registers: one CTA in 16384 registers, none in half of them. */
static void half_a_lender_may_be_too_little_for_a_cta(void **state)
{
    (void)state;
    lend(12, 8192);
    block(192, 48, 0);
    expect_fit(1, "registers");
    lend(24, 16384);
    expect_fit(2, "registers");
    expect_contexts(6, 1536, (const u32[]){0, 24}, 2);
}

/* 12 warps of 2048 registers fit neither side, though both together have enough. */
static void a_cta_whose_registers_fit_neither_side_is_refused(void **state)
{
    (void)state;
    lend(24, 16384);
    block(384, 64, 0);
    expect_refusal(REFUSE_REGS,
                   "kernel k: a block needs 24576 registers, and a warp's are in one SM "
                   "(sm.regs)");
}

/*
 * 1536 registers a warp: 10 of 16384, 5 of 8192.  Whole CTAs of six warps are one and one, or one and
 * none; across the boundary they are three, or two.  The second has its last two warps in the lender.
 */
static void a_cta_may_lie_in_both_register_files(void **state)
{
    (void)state;
    shape.split_ctas = true;
    lend(24, 16384);
    block(192, 48, 0);
    expect_fit(3, "registers");
    expect_contexts(6, 1536, (const u32[]){0, 6, 12}, 3);
    assert_int_equal(shape_own_warps(&shape, 1536), 10);
    lend(12, 8192);
    expect_fit(2, "registers");
    lend(24, 16384);
    block(384, 40, 0); /* 12 warps of 1280: 12 here, 12 there */
    expect_fit(2, "registers");
    block(192, 20, 0); /* all contexts have registers: nothing to choose */
    expect_fit(8, "threads");
    assert_int_equal(shape_own_warps(&shape, 640), 24);
}

static const struct CMUnitTest tests[] = {
    CASE(warps_are_whole),
    CASE(registers_are_allocated_by_the_granule),
    CASE(warps_are_dealt_out_to_front_ends),
    CASE(a_block_may_need_all_front_ends),
    CASE(a_wide_warp_has_registers_for_all_its_lanes),
    CASE(a_wide_warp_takes_one_context),
    CASE(wide_warps_are_dealt_out_too),
    CASE(the_lanes_that_are_left_count_as_threads),
    CASE(a_shape_has_limits_of_its_own),
    CASE(a_shape_may_have_more_than_the_keys),
    CASE(too_many_threads_are_refused),
    CASE(too_much_shared_memory_is_refused),
    CASE(too_many_registers_are_refused),
    CASE(ctas_may_have_warps_on_both_sides_if_registers_suffice),
    CASE(contexts_without_registers_stay_empty),
    CASE(half_a_lender_may_be_too_little_for_a_cta),
    CASE(a_cta_whose_registers_fit_neither_side_is_refused),
    CASE(a_cta_may_lie_in_both_register_files),
};

TEST_MAIN(tests)
