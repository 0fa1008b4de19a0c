/* amoeba.h -- AMOEBA's counters, and what a thread has left: for tests of its controller and its splitting. */
#ifndef TESTS_MICRO_AMOEBA_H
#define TESTS_MICRO_AMOEBA_H

#define SHEET_DEF "mech/amoeba.def"
#include "base/base.h"
struct amoeba_stat {
#include "base/sheet_stats.inc"
};

#define SHEET_DEF "mech/noop.def"
struct noop_stat {
#include "base/sheet_stats.inc"
};

#include "tests/micro/bound.h"

#define FUSE "amoeba:mode=static_fuse,predictor=always,sampling=running,after_sample=stay"

static inline struct amoeba_stat amoebas(const struct timed *t)
{
    struct amoeba_stat st[2] = {0};

    for (u32 i = 0; i < 2; i++)
        mech_count(t->d[i]->mechs, 0, &st[i]);
    assert_memory_equal(&st[0], &st[1], sizeof st[0]);
    return st[0];
}

static inline const char *with(const char *mech, const char *key, u32 v)
{
    static char text[160];

    snprintf(text, sizeof text, "%s,%s=%u", mech, key, v);
    return text;
}

/* What LOG has left of a thread. */
struct logged {
    u32 v[4];
};

static inline struct logged logged(const struct timed *t, u32 cta, u32 tid)
{
    struct logged l[2];
    struct err e;

    for (u32 i = 0; i < 2; i++)
        assert_true(device_read(t->d[i], t->buf[i] + 16ull * (256 * cta + tid), &l[i], 16, &e));
    assert_memory_equal(&l[0], &l[1], 16);
    return l[0];
}

/*
 * Threads go around as often as three bits of their number say, with values of 32 and 64 bits, a float
 * and a predicate that all depend on each turn.
 */
#define VALUES                                                                                     \
    "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 1000, %r0;\n"                \
    "and.b32 %r3, %r0, 7; mul.lo.u32 %r3, %r3, 9; mov.u32 %r4, 0; mov.u32 %r5, %r2;\n"             \
    "cvt.u64.u32 %rd8, %r2; mul.lo.u64 %rd8, %rd8, 4294967299; cvt.rn.f32.u32 %f1, %r0;\n"         \
    "setp.eq.u32 %p3, %r0, %r0;\n"                                                                 \
    "L: setp.ge.u32 %p1, %r4, %r3; @%p1 bra J;\n"                                                  \
    "mad.lo.u32 %r5, %r5, 3, %r4; mul.lo.u64 %rd8, %rd8, 5; add.u64 %rd8, %rd8, %rd8;\n"           \
    "add.f32 %f1, %f1, 0f3F800000; and.b32 %r6, %r5, 1; setp.eq.u32 %p3, %r6, 0;\n"                \
    "add.u32 %r4, %r4, 1; bra L;\n"                                                                \
    "J: cvt.u32.u64 %r21, %rd8; shr.u64 %rd9, %rd8, 32; cvt.u32.u64 %r22, %rd9;\n"                 \
    "cvt.rzi.u32.f32 %r23, %f1; selp.u32 %r7, 100000, 200000, %p3; add.u32 %r23, %r23, %r7;\n"     \
    "mov.u32 %r20, %r5;\n"

static inline struct logged value_of(u32 cta, u32 tid)
{
    u32 n = (tid & 7) * 9, v = 1000 * cta + tid;
    u64 w = (u64)v * 4294967299;
    bool even = true;

    for (u32 i = 0; i < n; i++) {
        v = 3 * v + i;
        w *= 10;
        even = v % 2 == 0;
    }
    return (struct logged){{v, (u32)w, (u32)(w >> 32), tid + n + (even ? 100000 : 200000)}};
}

static inline void check_values(const struct timed *t, u32 grid, u32 block)
{
    for (u32 i = 0; i < grid * block; i++) {
        struct logged want = value_of(i / block, i % block), have = logged(t, i / block, i % block);

        for (u32 k = 0; k < 4; k++)
            if (have.v[k] != want.v[k])
                fail_msg("thread %u of CTA %u: value %u is %u, not %u", i % block, i / block, k,
                         have.v[k], want.v[k]);
    }
}

#endif
