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

#define FUSE "amoeba:mode=static_fuse,predictor=always,sampling=running"

static struct amoeba_stat amoebas(const struct timed *t)
{
    struct amoeba_stat st[2] = {0};

    for (u32 i = 0; i < 2; i++)
        mech_count(t->d[i]->mechs, 0, &st[i]);
    assert_memory_equal(&st[0], &st[1], sizeof st[0]);
    return st[0];
}

static const char *with(const char *mech, const char *key, u32 v)
{
    static char text[160];

    snprintf(text, sizeof text, "%s,%s=%u", mech, key, v);
    return text;
}

/* What LOG has left of a thread. */
static struct logged {
    u32 v[4];
} logged(const struct timed *t, u32 cta, u32 tid)
{
    struct logged l[2];
    struct err e;

    for (u32 i = 0; i < 2; i++)
        assert_true(device_read(t->d[i], t->buf[i] + 16ull * (256 * cta + tid), &l[i], 16, &e));
    assert_memory_equal(&l[0], &l[1], 16);
    return l[0];
}

#endif
