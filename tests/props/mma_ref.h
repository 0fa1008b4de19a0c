/*
 * mma_ref.h -- products of matrices, one element of the result after the other.
 *
 * Numbers of up to 32 bits are doubles here: their products are exact, and what a sum of four of them and
 * an accumulator is (src/exec/exec_mma.c, MODEL) is said with trunc and ldexp.
 */
#ifndef TESTS_PROPS_MMA_REF_H
#define TESTS_PROPS_MMA_REF_H

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "tests/props/half_ref.h"

struct mma_type {
    const char *name;
    u32 bits;
    bool is_signed, is_float;
};

static const struct mma_type mma_types[] = {
    {"f16", 16, true, true}, {"bf16", 16, true, true}, {"tf32", 32, true, true},
    {"f32", 32, true, true}, {"f64", 64, true, true},  {"s32", 32, true, false},
    {"s8", 8, true, false},  {"u8", 8, false, false},  {"s4", 4, true, false},
    {"u4", 4, false, false}, {"b1", 1, false, false},
};

static inline const struct mma_type *mma_type_of(const char *word, size_t len)
{
    for (size_t i = 0; i < LEN(mma_types); i++)
        if (strlen(mma_types[i].name) == len && !strncmp(mma_types[i].name, word, len))
            return &mma_types[i];
    return NULL;
}

static inline double ref_f32(u32 bits)
{
    float f;

    memcpy(&f, &bits, 4);
    return (double)f;
}

static inline double ref_value(const struct mma_type *t, u64 bits)
{
    if (!strcmp(t->name, "f16"))
        return ref_half_double(&ref_f16, bits);
    if (!strcmp(t->name, "bf16"))
        return ref_f32((u32)bits << 16);
    if (!strcmp(t->name, "tf32"))
        return ref_f32((u32)bits >> 13 << 13);
    if (t->is_float)
        return ref_f32((u32)bits);
    return t->is_signed && bits >> (t->bits - 1) & 1 ? (double)bits - ldexp(1, (int)t->bits)
                                                     : (double)bits;
}

/* Of single precision, whose smallest numbers share one. */
static inline int ref_exponent(double x)
{
    int e = ilogb(x);

    return e < -126 ? -126 : e;
}

static inline double ref_cut_f32(double x)
{
    if (x == 0 || !isfinite(x))
        return x == 0 ? 0 : x;
    int e = ref_exponent(x);
    double r = ldexp(trunc(ldexp(x, 23 - e)), e - 23);

    return r == 0 ? 0 : fabs(r) >= 0x1p128 ? copysign(INFINITY, r) : r;
}

static inline double ref_sum_of_five(const double *a, const double *b, double c)
{
    double all = c, sum = 0;
    int top = -100000;

    for (u32 i = 0; i < 4; i++)
        all += a[i] * b[i];
    if (!isfinite(c) || !isfinite(a[0] * b[0]) || !isfinite(a[1] * b[1]) ||
        !isfinite(a[2] * b[2]) || !isfinite(a[3] * b[3]))
        return all;
    for (u32 i = 0; i < 4; i++)
        if (a[i] != 0 && b[i] != 0)
            top = top > ref_exponent(a[i]) + ref_exponent(b[i])
                      ? top
                      : ref_exponent(a[i]) + ref_exponent(b[i]);
    if (c != 0)
        top = top > ref_exponent(c) ? top : ref_exponent(c);
    if (top == -100000)
        return 0;
    for (u32 i = 0; i < 4; i++)
        sum += trunc(ldexp(a[i] * b[i], 23 - top));
    sum += trunc(ldexp(c, 23 - top));
    return ref_cut_f32(ldexp(sum, top - 23));
}

static inline u32 ref_f32_bits(double x)
{
    float f = (float)x;
    u32 bits;

    memcpy(&bits, &f, 4);
    return isnan(x) ? 0x7fffffff : bits;
}

static inline u32 ref_f16_bits(double x)
{
    u64 bits;

    if (isnan(x))
        return 0x7fff;
    if (isinf(x))
        return x < 0 ? 0xfc00 : 0x7c00;
    memcpy(&bits, &x, 8);
    return ref_round_to(&ref_f16, ref_exact_f64(bits), 0);
}

#endif
