/*
 * half_round.h -- numbers of 16 bits as the host computes them: every operation in double
 * precision, rounded once.
 *
 * A format has Digits bits of precision and exponents up to Top: 11 and 15 of __half, 8 and 127 of
 * __nv_bfloat16.  Doubles have more than twice as many bits and two more, so a sum, product,
 * quotient or root that is rounded to double first is the same in the end; fma is not, hence
 * add_odd.  On the device all this is an instruction each (half_bits.inc).
 */
#ifndef SMELT_HALF_ROUND_H
#define SMELT_HALF_ROUND_H

#include <math.h>
#include <string.h>

#include <smelt/both.h>

namespace __smelt
{

/* In the order of PTX's .rn .rz .rm .rp. */
enum rounding { to_nearest, to_zero, to_minus, to_plus };

/* A number as sign, significand and exponent: significand * 2^exponent. */
struct parts {
    bool negative;
    unsigned long long significand;
    int exponent;
};

/* Does one more unit in the last place come nearer to what was meant, of which `rest` is lost? */
SMELT_BOTH bool rounds_up(bool negative, bool odd, unsigned long long rest, unsigned long long half,
                          rounding r)
{
    if (r == to_nearest)
        return rest > half || (rest == half && odd);
    return rest && r == (negative ? to_minus : to_plus);
}

template <int Digits, int Top> SMELT_BOTH unsigned short half_overflow(bool negative, rounding r)
{
    bool infinite = r == to_nearest || r == (negative ? to_minus : to_plus);
    unsigned int infinity = (2u * Top + 1) << (Digits - 1);
    return (unsigned short)((negative ? 0x8000u : 0u) | (infinite ? infinity : infinity - 1));
}

/* A number that is not 0, rounded to Digits bits, or to fewer below the exponent 1 - Bias; the exponent
 * becomes that of the last bit.  Rounded up, it may be of one bit more. */
template <int Digits, int Bias> SMELT_BOTH parts rounded(parts v, rounding r)
{
    int high = 63 - __builtin_clzll(v.significand) + v.exponent; /* of its first bit */
    int low = (high < 1 - Bias ? 1 - Bias : high) - (Digits - 1);
    int lost = low - v.exponent;
    unsigned long long kept = v.significand;
    if (lost <= 0) {
        kept <<= -lost;
    } else {
        unsigned long long rest = lost < 64 ? kept & ((1ull << lost) - 1) : kept;
        unsigned long long half = lost <= 64 ? 1ull << (lost - 1) : ~0ull;
        kept = lost < 64 ? kept >> lost : 0;
        kept += rounds_up(v.negative, kept & 1, rest, half, r);
    }
    parts all = {v.negative, kept, low};
    return all;
}

template <int Digits, int Top> SMELT_BOTH unsigned short half_from(parts v, rounding r)
{
    unsigned int sign = v.negative ? 0x8000u : 0u;
    if (v.significand == 0)
        return (unsigned short)sign;
    v = rounded<Digits, Top>(v, r);
    unsigned long long kept = v.significand;
    int low = v.exponent;
    if (kept >> Digits)
        kept >>= 1, low++;
    if (low + Digits - 1 > Top)
        return half_overflow<Digits, Top>(v.negative, r);
    unsigned int biased = kept >> (Digits - 1) ? (unsigned int)(low + Digits - 1 + Top) : 0u;
    unsigned int fraction = (unsigned int)kept & ((1u << (Digits - 1)) - 1);
    return (unsigned short)(sign | biased << (Digits - 1) | fraction);
}

/* Of any number that is one.  An infinity is one of 2^1024. */
SMELT_BOTH parts parts_of(double v)
{
    unsigned long long bits;
    memcpy(&bits, &v, sizeof(bits));
    int biased = (int)(bits >> 52 & 0x7ff);
    unsigned long long fraction = bits & ((1ull << 52) - 1);
    parts p = {(bits >> 63) != 0, biased ? fraction | 1ull << 52 : fraction,
               (biased ? biased : 1) - 1075};
    return p;
}

template <int Digits, int Top> SMELT_BOTH unsigned short half_from(double v, rounding r)
{
    parts p = parts_of(v);
    if (v != v)
        return 0x7fff;
    if (p.exponent == 0x7ff - 1075)
        return half_overflow<Digits, Top>(p.negative, p.negative ? to_minus : to_plus);
    return half_from<Digits, Top>(p, r);
}

template <int Digits, int Top> SMELT_BOTH unsigned short half_from(float v, rounding r)
{
    return half_from<Digits, Top>((double)v, r);
}

template <int Digits, int Top> SMELT_BOTH unsigned short half_from(long long v, rounding r)
{
    unsigned long long bits = (unsigned long long)v;
    parts p = {v < 0, v < 0 ? 0 - bits : bits, 0};
    return half_from<Digits, Top>(p, r);
}

template <int Digits, int Top> SMELT_BOTH unsigned short half_from(unsigned long long v, rounding r)
{
    parts p = {false, v, 0};
    return half_from<Digits, Top>(p, r);
}

/* Both formats are a float's upper part, once the exponent has as many bits. */
template <int Digits, int Top> SMELT_BOTH float half_to_float(unsigned short h)
{
    const unsigned int one = 1u << (Digits - 1), infinity = 2u * Top + 1;
    unsigned int biased = h >> (Digits - 1) & infinity, fraction = h & (one - 1), bits;
    unsigned int sign = (unsigned int)(h & 0x8000) << 16;
    if (biased == 0) {
        float v = ldexpf((float)fraction, 2 - Top - Digits);
        return sign ? -v : v;
    }
    if (biased == infinity)
        bits = fraction ? 0x7fffffffu : sign | 0x7f800000u;
    else
        bits = sign | (biased + 127 - Top) << 23 | fraction << (24 - Digits);
    float v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* a + b, and where that is not exact, the neighbour whose last bit is odd: rounding it once more,
 * to fewer bits, gives what rounding the exact sum would. */
SMELT_BOTH double add_odd(double a, double b)
{
    double sum = a + b, of_b = sum - a;
    double lost = (a - (sum - of_b)) + (b - of_b);
    unsigned long long bits;
    memcpy(&bits, &sum, sizeof(bits));
    if (lost == 0 || lost != lost || bits & 1)
        return sum;
    bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
    memcpy(&sum, &bits, sizeof(sum));
    return sum;
}

SMELT_BOTH double to_integral(double v, rounding r)
{
    return r == to_nearest ? rint(v) : r == to_zero ? trunc(v) : r == to_minus ? floor(v) : ceil(v);
}

/* What no Int has becomes the end of its range; a NaN 0, of 64 bits the highest bit. */
template <class Int> SMELT_BOTH Int to_integer(double v, rounding r)
{
    const bool is_signed = (Int)-1 < (Int)0;
    const double end = (is_signed ? 0.5 : 1.0) * (double)(1ull << (8 * sizeof(Int) - 1)) * 2.0;
    v = to_integral(v, r);
    if (v != v)
        return sizeof(Int) == 8 ? (Int)(1ull << 63) : (Int)0;
    if (v >= end)
        return (Int)(~0ull >> (64 - 8 * sizeof(Int) + is_signed));
    if (v < (is_signed ? -end : 0.0))
        return is_signed ? (Int)(1ull << (8 * sizeof(Int) - 1)) : (Int)0;
    return (Int)v;
}

} // namespace __smelt

#endif
