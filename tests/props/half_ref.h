/*
 * half_ref.h -- formats of 16, 19 and 8 bits for the references: exact numbers, and a search for
 * the pattern that is nearest.
 *
 * A number is sign * mag * 2^exp with an integer mag.  Sums and products of operands of 16 bits
 * are exact, but that what lies more than 40 bits below the last bit of the larger term of a sum
 * is replaced by a one there: that is never as much as half of the last bit of any result, and
 * never nothing.  Rounding does not compute a pattern, it looks for it: patterns of one sign are
 * in the order of their numbers.
 */
#ifndef TESTS_PROPS_HALF_REF_H
#define TESTS_PROPS_HALF_REF_H

#include "base/base.h"

typedef unsigned __int128 ref_u128;

struct exact {
    bool neg;
    ref_u128 mag; /* below 2^80 */
    int exp;
};

struct ref_format {
    int frac, emin; /* bits of fraction; exponent of the smallest normal number */
    u32 top;        /* the first pattern that is no number: infinity, or a NaN */
    u32 sign;
    bool has_inf;
};

static const struct ref_format ref_f16 = {10, -14, 0x7c00, 0x8000, true};
static const struct ref_format ref_bf16 = {7, -126, 0x7f80, 0x8000, true};
static const struct ref_format ref_tf32 = {10, -126, 0x3fc00, 0x40000, true};
static const struct ref_format ref_e4m3 = {3, -6, 0x7f, 0x80, false};
static const struct ref_format ref_e5m2 = {2, -14, 0x7c, 0x80, true};

/* The number of a pattern; of `top`, what would come next. */
static inline struct exact ref_number(const struct ref_format *f, u32 pattern)
{
    u32 size = pattern & (f->sign - 1), e = size >> f->frac, m = size & ((1u << f->frac) - 1);
    struct exact x = {(pattern & f->sign) != 0, m, f->emin - f->frac};

    if (e)
        x.mag |= 1u << f->frac, x.exp += (int)e - 1;
    return x;
}

static inline struct exact ref_exact_f64(u64 bits)
{
    u64 e = bits >> 52 & 2047, m = bits & 0xfffffffffffff;

    return (struct exact){bits >> 63, e ? m | 1ull << 52 : m, (e ? (int)e : 1) - 1075};
}

static inline int ref_top_bit(const struct exact *x)
{
    int n = -1;

    while (n < 127 && x->mag >> (n + 1))
        n++;
    return n + x->exp;
}

/* -1, 0, 1: by size, not by sign */
static inline int ref_compare(struct exact a, struct exact b)
{
    if (!a.mag || !b.mag)
        return (a.mag != 0) - (b.mag != 0);
    int ta = ref_top_bit(&a), tb = ref_top_bit(&b);

    if (ta != tb)
        return ta < tb ? -1 : 1;
    while (a.exp > b.exp)
        a.mag <<= 1, a.exp--;
    while (b.exp > a.exp)
        b.mag <<= 1, b.exp--;
    return a.mag < b.mag ? -1 : a.mag > b.mag;
}

static inline struct exact ref_times(struct exact a, struct exact b)
{
    return (struct exact){a.neg != b.neg, a.mag * b.mag, a.exp + b.exp};
}

/* a + b; a zero sum is negative only if both are. */
static inline struct exact ref_plus(struct exact a, struct exact b)
{
    if (!a.mag || !b.mag) {
        struct exact r = a.mag ? a : b;

        r.neg = a.mag || b.mag ? r.neg : a.neg && b.neg;
        return r;
    }
    if (a.exp < b.exp) {
        struct exact t = a;

        a = b, b = t;
    }
    if (a.exp - b.exp > 40 && ref_top_bit(&a) - ref_top_bit(&b) > 40) {
        b.mag = 1, b.exp = a.exp - 40;
    }
    while (a.exp > b.exp)
        a.mag <<= 1, a.exp--;
    if (a.neg == b.neg)
        return (struct exact){a.neg, a.mag + b.mag, a.exp};
    if (a.mag == b.mag)
        return (struct exact){false, 0, a.exp};
    return a.mag > b.mag ? (struct exact){a.neg, a.mag - b.mag, a.exp}
                         : (struct exact){b.neg, b.mag - a.mag, a.exp};
}

/* rnd: rn rz rm rp rna.  What rounds past the last number is `top`. */
static inline u32 ref_round_to(const struct ref_format *f, struct exact x, u32 rnd)
{
    u32 lo = 0, hi = f->top; /* lo <= x < hi, or x >= top */

    if (ref_compare(x, ref_number(f, hi)) >= 0)
        return (rnd == 0 || rnd == 4 || rnd == (x.neg ? 2 : 3) ? f->top : f->top - 1) |
               (x.neg ? f->sign : 0);
    while (hi - lo > 1) {
        u32 mid = (lo + hi) / 2;

        *(ref_compare(x, ref_number(f, mid)) >= 0 ? &lo : &hi) = mid;
    }
    struct exact a = ref_number(f, lo), b = ref_number(f, hi);
    bool same = ref_compare(x, a) == 0;

    a.neg = b.neg = false;
    struct exact tie = ref_plus(a, b);

    tie.exp--;
    int side = ref_compare(x, tie);
    bool up = rnd == 0   ? side > 0 || (side == 0 && lo & 1)
              : rnd == 4 ? side >= 0
              : rnd == 2 ? x.neg && !same
                         : rnd == 3 && !x.neg && !same;

    return (up ? hi : lo) | (x.neg ? f->sign : 0);
}

static inline bool ref_half_nan(const struct ref_format *f, u64 h)
{
    return (h & 0x7fff) > f->top;
}

static inline bool ref_half_inf(const struct ref_format *f, u64 h)
{
    return (h & 0x7fff) == f->top;
}

/* Exact as a double too. */
static inline double ref_half_double(const struct ref_format *f, u64 h)
{
    if (ref_half_nan(f, h))
        return __builtin_nan("");
    if (ref_half_inf(f, h))
        return h & 0x8000 ? -__builtin_inf() : __builtin_inf();
    struct exact x = ref_number(f, (u32)h);
    double d = (double)(u64)x.mag;

    for (; x.exp > 0; x.exp--)
        d *= 2;
    for (; x.exp < 0; x.exp++)
        d /= 2;
    return h & 0x8000 ? -d : d;
}

/* Subnormals to zeros of their sign, if asked for. */
static inline u64 ref_half_ftz(const struct ref_format *f, u64 h, bool ftz)
{
    return ftz && (h & 0x7fff) < 1ull << f->frac ? h & 0x8000 : h;
}

/* To [0, 1]; NaN and -0 give +0. */
static inline u64 ref_half_sat(const struct ref_format *f, u64 h, bool sat)
{
    double x = ref_half_double(f, h);

    if (!sat)
        return h;
    return x >= 1 ? f == &ref_f16 ? 0x3c00 : 0x3f80 : x > 0 ? h : 0;
}

#endif
