/*
 * wide.h -- the machines of memory_path.h with warps of several words of 32 lanes.
 *
 * What reaches the load/store unit is a warp, whatever its width and that of the pipelines: the way of an access is that of
 * memory_path.h.  Wider than the pipelines (P passes), a warp computes its addresses later.  After LANES its load issues
 *
 *     P 1   in 29: mov 3 (L 1), mul.wide 9 (L 4), add 19 (L 4)
 *     P 2   in 33: mov 3 (L 2), mul.wide 10 (two cycles at the input of its pipeline: L 4 + 2), add 22 (L 5)
 *     P 4   in 41: mov 3 (L 4), mul.wide 12 (L 4 + 6), add 28 (L 7)
 *
 * and a ret that ends its launch 7 cycles after its issue (L 1) does so 7 + P - 1 after it.
 */
#ifndef TESTS_MICRO_WIDE_H
#define TESTS_MICRO_WIDE_H

#include "tests/micro/memory_path.h"

struct wide {
    u32 words, simd; /* of a warp, of a pipeline */
    u32 at;          /* cycle in which the instruction behind LANES issues */
};

static const struct wide wide_all[] = {
    {2, 64, 29}, {2, 32, 33}, {4, 128, 29}, {4, 64, 33}, {4, 32, 41}};

#define EACH_WIDTH(w) for (const struct wide *w = wide_all; w < wide_all + LEN(wide_all); w++)

static inline u32 wide_lanes(const struct wide *w)
{
    return 32 * w->words;
}

static inline u32 wide_passes(const struct wide *w)
{
    return wide_lanes(w) / w->simd;
}

/* Its settings, and one more or NULL. */
static inline const char *const *wide_set(const struct wide *w, const char *more)
{
    static char words[40], simd[40];
    static const char *set[] = {words, simd, NULL, NULL};

    snprintf(words, sizeof words, "sm.warp_words=%u", w->words);
    snprintf(simd, sizeof simd, "sm.simd_width=%u", w->simd);
    set[2] = more;
    return set;
}

/* One launch of one warp, all lanes of it, that takes so many cycles. */
static inline void wide_check(struct timed *t, const struct wide *w, const char *body, u64 cycles)
{
    path_check(t, body, wide_set(w, NULL), wide_lanes(w), cycles);
}

#endif
