/*
 * clocks.h -- timed.h for tests of the pipeline: in which cycle did which warp issue?
 *
 *     run(&t, CLOCK(20) CLOCK(21) LOG, NULL, 1, 64);
 *     assert_clocks(&t, 0, 1, 3, 4);     warp 1 of CTA 0 read %clock in cycles 3 and 4
 *     timed_close(&t);
 *
 * CLOCK(n) is one instruction without register operands (SP, L 1); %clock is the cycle of its
 * issue, counted from the start of the first launch.  LOG stores %r20 to %r23: seven instructions,
 * which run after whatever is looked at.  Every run checks that the stall reasons sum to the cycles
 * of all schedulers.
 */
#ifndef TESTS_MICRO_CLOCKS_H
#define TESTS_MICRO_CLOCKS_H

#include "tests/micro/timed.h"

#define CLOCK(n) "mov.u32 %r" #n ", %clock;\n"
#define LOG                                                                                        \
    "mov.u32 %r30, %tid.x; mov.u32 %r31, %ctaid.x; ld.param.u64 %rd6, [a];\n"                      \
    "mad.lo.u32 %r32, %r31, 256, %r30; mul.wide.u32 %rd5, %r32, 16; add.u64 %rd7, %rd6, %rd5;\n"   \
    "st.global.v4.u32 [%rd7], {%r20, %r21, %r22, %r23};\n"

static inline u64 stall_sum(const struct timed *t)
{
    const u64 *row = (const u64 *)(const void *)&t->last->counters->stall;
    u64 sum = 0;

    for (u32 i = 0; i < N_STALL; i++)
        sum += i == STALL_scheduler_cycles ? 0 : row[i];
    return sum;
}

/* A launch of an open kernel. */
static inline u64 again(struct timed *t, u32 grid, u32 block)
{
    u64 cycles = timed_run(t, grid, block);

    assert_int_equal(STAT(t, stall.scheduler_cycles),
                     cycles * t->conf.gpu.n_sm * t->conf.sm.schedulers);
    assert_int_equal(stall_sum(t), STAT(t, stall.scheduler_cycles));
    return cycles;
}

static inline u64 run(struct timed *t, const char *body, const char *const *set, u32 grid,
                      u32 block)
{
    timed_open(t, body, set);
    return again(t, grid, block);
}

/* The cycles alone, of one warp. */
static inline u64 cycles_of(const char *body, const char *const *set)
{
    struct timed t;
    u64 cycles = run(&t, body, set, 1, 32);

    timed_close(&t);
    return cycles;
}

static inline u32 clock_of(const struct timed *t, u32 cta, u32 warp, u32 n)
{
    u64 off = 16ull * (256 * cta + 32 * warp) + 4 * n;
    u32 c[2];
    struct err e;

    for (u32 i = 0; i < 2; i++)
        assert_true(device_read(t->d[i], t->buf[i] + off, &c[i], 4, &e));
    assert_int_equal(c[0], c[1]);
    return c[0];
}

/* The first two clocks of a warp, and the last two. */
static inline void assert_clocks(const struct timed *t, u32 cta, u32 warp, u32 c0, u32 c1)
{
    assert_int_equal(clock_of(t, cta, warp, 0), c0);
    assert_int_equal(clock_of(t, cta, warp, 1), c1);
}

static inline void assert_later_clocks(const struct timed *t, u32 cta, u32 warp, u32 c2, u32 c3)
{
    assert_int_equal(clock_of(t, cta, warp, 2), c2);
    assert_int_equal(clock_of(t, cta, warp, 3), c3);
}

#endif
