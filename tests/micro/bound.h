/*
 * bound.h -- SMs that are bound to each other, counted by hand; see sm/binding/bind.h and timed.h, and
 * memory_path.h for the cycles of accesses.
 *
 * The SMs of a test are those of one group (gpu.n_sm) unless it says otherwise, so that no SM is
 * left over to take CTAs alone.
 */
#ifndef TESTS_MICRO_BOUND_H
#define TESTS_MICRO_BOUND_H

#include "base/base.h"

#define SHEET_DEF "mech/bind.def"
struct bind_stat {
#include "base/sheet_stats.inc"
};

#include "mech/mech.h"
#include "tests/micro/clocks.h"
#include "tests/micro/memory_path.h"

#define DEPENDENT "add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;"
#define SMS(n) "gpu.n_sm=" #n
#define LENT "bind:kind=lend"
#define LOCKED "bind:kind=lock_step,size=2"

/* A launch on a device with `mech`, whose stall reasons add up. */
static inline u64 bound(struct timed *t, const char *mech, const char *body, const char *const *set,
                        u32 grid, u32 block)
{
    timed_mech = mech;
    return run(t, body, set, grid, block);
}

/* The same on a warm L2, with the network of memory_path.h. */
static inline u64 bound_path(struct timed *t, const char *mech, const char *body,
                             const char *const *set, u32 grid, u32 block)
{
    timed_mech = mech;
    path_open(t, body, set);
    return again(t, grid, block);
}

static inline u64 bound_cycles(const char *mech, const char *body, const char *const *set, u32 grid,
                               u32 block)
{
    struct timed t;
    u64 cycles = bound(&t, mech, body, set, grid, block);

    timed_close(&t);
    return cycles;
}

/* What the mechanism counted; that of the device that does not skip is the same. */
static inline struct bind_stat counted(const struct timed *t)
{
    struct bind_stat st[2] = {0};

    for (u32 i = 0; i < 2; i++)
        mech_count(t->d[i]->mechs, 0, &st[i]);
    assert_memory_equal(&st[0], &st[1], sizeof st[0]);
    return st[0];
}

/* gtx480 with `mech` is refused. */
static inline void check_refused(const char *mech, const char *why)
{
    struct run_opts opts = {.threads = 1, .mech = &mech, .n_mech = 1};
    struct conf conf;
    struct err e = {0};

    assert_true(conf_make(&conf, "gtx480", NULL, 0, &e));
    assert_null(device_new(&conf, &opts, &e));
    assert_string_equal(e.msg, why);
    conf_free(&conf);
}

static inline const struct sm *sm_of(const struct timed *t, u32 i)
{
    return &t->d[0]->machine->sm[i];
}

static inline u64 issued_by(const struct timed *t, u32 sm)
{
    const struct front *fe = sm_of(t, sm)->front;
    u64 n = 0;

    for (u32 k = 0; k < fe->n_sched; k++)
        n += fe->sched[k].st.issued;
    return n;
}

/* The CTA of this number jumps; %r22 says who has passed where. */
#define PASS(n) "mov.u32 %r20, %clock; mov.u32 %r22, " #n ";\n"
#define JUMP(cta)                                                                                  \
    "mov.u32 %r21, %ctaid.x; setp.eq.u32 %p1, %r21, " #cta                                         \
    "; @%p1 bra L;\n" PASS(10) "bra J; L:\n" PASS(20) "J:\n" LOG

/* Of all kinds: shared memory and barriers, a store and its fence, an atomic, loads. */
#define BUSY                                                                                       \
    TIMED_A                                                                                        \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;\n"                  \
    "mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1; shl.b32 %r4, %r1, 2;\n"                  \
    "st.shared.u32 [%r4], %r3; bar.sync 0; xor.b32 %r5, %r4, 252; ld.shared.u32 %r20, [%r5];\n"    \
    "st.global.u32 [%rd1+65536], %r20; membar.gl;\n"                                               \
    "atom.global.add.u32 %r22, [%rd1+65536], 1000; bar.sync 0;\n"                                  \
    "ld.global.cg.u32 %r21, [%rd1+65536];\n" LOG

#endif
