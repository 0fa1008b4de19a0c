/*
 * fp8_bits.h -- numbers of 8 bits, as functions of bits: what cuda_fp8.h's types and functions do.
 *
 * On the device what there is an instruction for is that: floats and halves to the nearest, at most the
 * largest number, and back to halves.  All else, and the host, goes by doubles, rounded once.
 */
#ifndef SMELT_FP8_BITS_H
#define SMELT_FP8_BITS_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <smelt/half_round.h>

#ifdef __CUDA_ARCH__
#define SMELT_PICK(device, host) device
#else
#define SMELT_PICK(device, host) host
#endif

namespace __smelt
{

typedef unsigned char fp8_bits;
typedef unsigned short fp8_pair; /* the first is in the low byte */

/* Formats: the pattern of the largest number, and of what is above it: e4m3 has no infinity. */
struct e4m3 {
    enum { digits = 4, bias = 7, largest = 0x7e, above = 0x7f, has_infinity = 0 };
};

struct e5m2 {
    enum { digits = 3, bias = 15, largest = 0x7b, above = 0x7c, has_infinity = 1 };
};

/* Exponents count on past the format's last, so the largest number is a bound on the pattern. */
template <class F> SMELT_BOTH fp8_bits fp8_from(double v, bool finite)
{
    parts p = parts_of(v);
    int size = 0;
    if (v != v)
        return 0x7f;
    if (p.significand) {
        p = rounded<F::digits, F::bias>(p, to_nearest);
        size = ((p.exponent + F::digits + F::bias - 2) << (F::digits - 1)) + (int)p.significand;
    }
    if (size > F::largest)
        size = finite ? F::largest : F::above;
    return (fp8_bits)(size | (p.negative ? 0x80 : 0));
}

template <class F> SMELT_BOTH float fp8_to_float(fp8_bits q)
{
    const int one = 1 << (F::digits - 1);
    int size = q & 0x7f, biased = size / one, fraction = size % one;
    if (size > F::largest && !(F::has_infinity && size == F::above))
        return half_to_float<11, 15>(0x7fff);
    float v = half_to_float<11, 15>(0x7c00);
    if (size <= F::largest)
        v = ldexpf((float)(biased ? fraction + one : fraction),
                   (biased ? biased : 1) - F::bias - (F::digits - 1));
    return q & 0x80 ? -v : v;
}

SMELT_BOTH fp8_pair fp8_join(fp8_bits low, fp8_bits high)
{
    return (fp8_pair)(low | high << 8);
}

/* --- instructions --- */

#ifdef __CUDA_ARCH__
#define SMELT_FP8(format)                                                                          \
    static __device__ __forceinline__ fp8_pair fp8_floats(format, float low, float high)           \
    {                                                                                              \
        fp8_pair q;                                                                                \
        asm("cvt.rn.satfinite." #format "x2.f32 %0, %1, %2;" : "=h"(q) : "f"(high), "f"(low));     \
        return q;                                                                                  \
    }                                                                                              \
    static __device__ __forceinline__ fp8_pair fp8_halves(format, unsigned int pair)               \
    {                                                                                              \
        fp8_pair q;                                                                                \
        asm("cvt.rn.satfinite." #format "x2.f16x2 %0, %1;" : "=h"(q) : "r"(pair));                 \
        return q;                                                                                  \
    }                                                                                              \
    static __device__ __forceinline__ unsigned int fp8_widened(format, fp8_pair q)                 \
    {                                                                                              \
        unsigned int pair;                                                                         \
        asm("cvt.rn.f16x2." #format "x2 %0, %1;" : "=r"(pair) : "h"(q));                           \
        return pair;                                                                               \
    }
SMELT_FP8(e4m3)
SMELT_FP8(e5m2)
#undef SMELT_FP8
#endif

/* --- pairs of other numbers, and back --- */

template <class F> SMELT_BOTH fp8_pair fp8_from2(double low, double high, bool finite)
{
    return fp8_join(fp8_from<F>(low, finite), fp8_from<F>(high, finite));
}

template <class F> SMELT_BOTH fp8_pair fp8_from_floats(float low, float high, bool finite)
{
    SMELT_PICK(if (finite) return fp8_floats(F(), low, high);, )
    return fp8_from2<F>(low, high, finite);
}

template <class F> SMELT_BOTH fp8_pair fp8_from_halves(unsigned int pair, bool finite)
{
    SMELT_PICK(if (finite) return fp8_halves(F(), pair);, )
    return fp8_from2<F>(f16::to_float(f16::low(pair)), f16::to_float(f16::high(pair)), finite);
}

template <class F> SMELT_BOTH unsigned int fp8_to_halves(fp8_pair q)
{
    SMELT_PICK(return fp8_widened(F(), q);
               , return f16::join(f16::round(fp8_to_float<F>((fp8_bits)q)),
                                  f16::round(fp8_to_float<F>((fp8_bits)(q >> 8))));)
}

} // namespace __smelt

#undef SMELT_PICK

#endif
