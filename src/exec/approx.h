/*
 * approx.h -- the PTX approximations: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh, div.
 *
 * PTX bounds the error of these instructions and lists their results for special
 * operands; the bits of real machines are not public.  We compute in the host's
 * float where + - * / sqrt answer at once, otherwise in double, and round to float
 * at the end: every f32 result is within 0.51 ulp of the true value, which lies
 * inside every bound of the PTX ISA (its weakest are 2 ulp for div, 2^-20.5 absolute
 * for sin and cos in [-2 pi, 2 pi], 2^-22 for lg2, 2^-11 relative for tanh).
 * MODEL: a machine's sin, cos, lg2, ex2 and tanh are less accurate than these.
 *
 * The code is straight-line C on + - * / sqrt and bits, so that a compiler turns a
 * loop over the lanes of a warp into vector code and all hosts agree on every bit.
 * That needs -ffp-contract=off, and -fno-math-errno for sqrt to be one instruction.
 * The rounding mode of the process is round to nearest, and nothing is flushed.
 *
 * Subnormal operands and results are exact citizens here, as in the forms without
 * .ftz; the caller flushes operands and results for the forms with it (div.approx
 * and div.full included).  All f32 NaN results are 0x7fffffff.
 *
 *     operand    -inf   -x     -0    +0    +inf   NaN
 *     rcp        -0     ..     -inf  +inf  +0     NaN
 *     sqrt       NaN    NaN    -0    +0    +inf   NaN
 *     rsqrt      NaN    NaN    -inf  +inf  +0     NaN
 *     sin        NaN    ..     -0    +0    NaN    NaN
 *     cos        NaN    ..     1     1     NaN    NaN
 *     lg2        NaN    NaN    -inf  -inf  +inf   NaN
 *     ex2        +0     ..     1     1     +inf   NaN
 *     tanh       -1     ..     -0    +0    1      NaN
 */
#ifndef EXEC_APPROX_H
#define EXEC_APPROX_H

#include "base/base.h"

#define APX_NAN __builtin_nanf("0x3fffff")             /* 0x7fffffff */
#define APX_NAN64_FTZ __builtin_nan("0x7ffff00000000") /* 0x7fffffff00000000 */

/* Adding and subtracting this rounds a double below 2^51 to an integer. */
#define APX_ROUNDER 0x1.8p52

static inline u64 apx_bits(double x)
{
    u64 bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double apx_double(u64 bits)
{
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float apx_quiet(float x)
{
    return x == x ? x : APX_NAN;
}

static inline float apx_rcp(float x)
{
    return apx_quiet(1.0f / x);
}

static inline float apx_sqrt(float x)
{
    return apx_quiet(__builtin_sqrtf(x));
}

static inline float apx_rsqrt(float x)
{
    return apx_quiet((float)(1.0 / __builtin_sqrt((double)x)));
}

static inline float apx_div_full(float a, float b)
{
    return apx_quiet(a / b);
}

/*
 * a * (1/b), where the machine flushes 1/b to zero for |b| above 2^126: the result
 * is then a zero, or NaN if a is infinite.
 */
static inline float apx_div(float a, float b)
{
    float big = __builtin_fabsf(b) > 0x1p126f ? __builtin_inff() : 1.0f;
    return apx_quiet(a / (b * big));
}

/*
 * 2^x for |x| <= 1000, to about 2^-42 relative: 2^n from the exponent field, 2^f for
 * f in [-1/2, 1/2] from the Taylor series of e^(f ln 2).  Exact for integers.
 */
static inline double apx_exp2(double x)
{
    double t = x + APX_ROUNDER;
    double y = (x - (t - APX_ROUNDER)) * 0x1.62e42fefa39efp-1;
    double p = 1.0 / 3628800;
    p = p * y + 1.0 / 362880;
    p = p * y + 1.0 / 40320;
    p = p * y + 1.0 / 5040;
    p = p * y + 1.0 / 720;
    p = p * y + 1.0 / 120;
    p = p * y + 1.0 / 24;
    p = p * y + 1.0 / 6;
    p = p * y + 0.5;
    p = p * y + 1.0;
    p = p * y + 1.0;
    return p * apx_double((apx_bits(t) + 1023) << 52);
}

/* Beyond +-200 a float is infinite or zero anyway. */
static inline float apx_ex2(float x)
{
    double d = x;
    d = d < -200.0 ? -200.0 : d;
    d = d > 200.0 ? 200.0 : d;
    return apx_quiet((float)apx_exp2(d));
}

/*
 * (1 - e) / (1 + e) with e = 2^(-2 |x| log2 e).  Near zero 1 - e cancels: below 2^-10
 * two terms of the series are as good, and a subnormal comes back as it went in.
 */
static inline float apx_tanh(float x)
{
    double d = x;
    double a = d < 0 ? -d : d;
    double e = apx_exp2((a > 20.0 ? 20.0 : a) * -0x1.71547652b82fep+1);
    double wide = (1.0 - e) / (1.0 + e);
    double near = d * (1.0 - d * d * (1.0 / 3));
    wide = d < 0 ? -wide : wide;
    return apx_quiet((float)(a < 0x1p-10 ? near : wide));
}

/*
 * ln m for m in [0.70, 1.41]: 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.172.  m - 1
 * is exact, so the result keeps its relative accuracy at 1.
 */
static inline double apx_ln(double m)
{
    double s = (m - 1.0) / (m + 1.0);
    double z = s * s;
    double p = 2.0 / 17;
    p = p * z + 2.0 / 15;
    p = p * z + 2.0 / 13;
    p = p * z + 2.0 / 11;
    p = p * z + 2.0 / 9;
    p = p * z + 2.0 / 7;
    p = p * z + 2.0 / 5;
    p = p * z + 2.0 / 3;
    return s * (p * z + 2.0);
}

/*
 * x = 2^n * m.  The pattern is shifted so that its exponent field steps at
 * m = sqrt(1/2) instead of 1.  n reaches double through the fraction of 2^52.
 */
static inline float apx_lg2(float x)
{
    u64 half_root = 0x3fe6a09e00000000, one = 0x3ff0000000000000;
    u64 i = apx_bits((double)x) + (one - half_root);
    double m = apx_double((i & 0x000fffffffffffff) + half_root);
    double n = apx_double(i >> 52 | 0x4330000000000000) - (0x1p52 + 1023.0);
    double r = n + apx_ln(m) * 0x1.71547652b82fep+0;
    r = x > 0x1.fffffep127f ? (double)x : r;
    r = x == 0.0f ? -__builtin_inf() : r;
    return x >= 0.0f ? (float)r : APX_NAN;
}

/* sin and cos of y in [-pi/4, pi/4], Taylor: the first term left out is below 2^-41. */
static inline double apx_sin_poly(double y)
{
    double z = y * y;
    double p = 1.0 / 6227020800;
    p = p * z - 1.0 / 39916800;
    p = p * z + 1.0 / 362880;
    p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120;
    p = p * z - 1.0 / 6;
    return y * (p * z + 1.0);
}

static inline double apx_cos_poly(double y)
{
    double z = y * y;
    double p = 1.0 / 479001600;
    p = p * z - 1.0 / 3628800;
    p = p * z + 1.0 / 40320;
    p = p * z - 1.0 / 720;
    p = p * z + 1.0 / 24;
    p = p * z - 0.5;
    return p * z + 1.0;
}

/*
 * sin(x + quarter * pi/2).  pi/2 is the sum of three constants, the first two of 24
 * bits, so that k times them is exact and x less them too, for |x| < 2^29: the error
 * of y is below 2^-70.  A float from there on is a multiple of 32 and names no angle;
 * MODEL: it counts as zero (machines return some value in [-1, 1]).
 */
static inline float apx_wave(float x, u64 quarter)
{
    double d = __builtin_fabsf(x) < 0x1p29f ? (double)x : 0.0;
    double t = d * 0x1.45f306dc9c883p-1 + APX_ROUNDER;
    double k = t - APX_ROUNDER;
    double y = ((d - k * 0x1.921fb4p+0) - k * 0x1.4442dp-24) - k * 0x1.8469898cc5170p-48;
    u64 q = apx_bits(t) + quarter;
    u64 odd = 0 - (q & 1);
    u64 r = (apx_bits(apx_sin_poly(y)) & ~odd) | (apx_bits(apx_cos_poly(y)) & odd);
    r ^= (q & 2) << 62;
    return x - x == 0.0f ? (float)apx_double(r) : APX_NAN;
}

static inline float apx_sin(float x)
{
    return apx_wave(x, 0);
}

static inline float apx_cos(float x)
{
    return apx_wave(x, 1);
}

/* rsqrt.approx.f64.  NaN as in fp.h: a NaN operand is quieted, a negative one gives FP64_NAN. */
static inline double apx_rsqrt64(double x)
{
    u64 bits = apx_bits(x);
    u64 nan = x != x ? bits | 0x0008000000000000 : 0x7ff8000000000000;
    double r = 1.0 / __builtin_sqrt(x);
    return r == r ? r : apx_double(nan);
}

/* The high word of x with subnormals flushed: what the two forms below compute from. */
static inline double apx_high(double x)
{
    u64 bits = apx_bits(x) & 0xffffffff00000000;
    bool tiny = __builtin_fabs(apx_double(bits)) < 0x1p-1022;
    return apx_double(tiny ? bits & 0x8000000000000000 : bits);
}

/* A result rounded to its high word; x is the operand, whose NaN may hide in the low word. */
static inline double apx_to_high(double x, double r)
{
    double high = apx_high(apx_double(apx_bits(r) + 0x80000000));
    return x == x && r == r ? high : APX_NAN64_FTZ;
}

/* rcp.approx.ftz.f64: 20 bits of fraction in and out, the low word zero. */
static inline double apx_rcp64(double x)
{
    return apx_to_high(x, 1.0 / apx_high(x));
}

/* rsqrt.approx.ftz.f64 */
static inline double apx_rsqrt64_ftz(double x)
{
    return apx_to_high(x, 1.0 / __builtin_sqrt(apx_high(x)));
}

#endif
