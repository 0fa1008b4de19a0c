/* f64_core.h -- what several files of double functions share. */
#ifndef RT_MATH_F64_CORE_H
#define RT_MATH_F64_CORE_H

#include "toolkit/math/f64.h"

#define F64_INF __builtin_inf()
#define F64_NAN __builtin_nan("")

/* Added to a double below 2^51 it leaves the nearest integer in the low bits of the sum. */
#define F64_ROUNDER 0x1.8p52

/* Constants in two parts. */
#define F64_LOG2E 0x1.71547652b82fep+0
#define F64_LOG2E_LO 0x1.777d0ffda0d24p-56
#define F64_LN2 0x1.62e42fefa39efp-1
#define F64_LN2_LO 0x1.abc9e3b39803fp-56
#define F64_LOG10_2 0x1.34413509f79ffp-2
#define F64_LOG10_2_LO -0x1.9dc1da994fd21p-59
#define F64_PI 0x1.921fb54442d18p+1
#define F64_PI_LO 0x1.1a62633145c07p-53
#define F64_HALF_PI 0x1.921fb54442d18p+0
#define F64_HALF_PI_LO 0x1.1a62633145c07p-54

/* The high word without its sign: for comparing magnitudes. */
MATH s32 f64_top(f64 x)
{
    return hi64(x) & 0x7fffffff;
}

/* 2^n for n in [-1022, 1023].  Here and below n is unsigned: it may overflow if it is garbage. */
MATH f64 f64_pow2(u32 n)
{
    return join64((n + 1023) << 20, 0);
}

/* x * 2^n where neither x nor the result is subnormal. */
MATH f64 f64_scale(f64 x, u32 n)
{
    return join64((u32)hi64(x) + (n << 20), lo64(x));
}

/* x >= 0 with the sign of s. */
MATH f64 f64_sign(f64 x, f64 s)
{
    return join64((u32)hi64(x) | ((u32)hi64(s) & 0x80000000), lo64(x));
}

/* e^r - 1 - r, over r^2.  |r| <= ln(2)/2, error 2^-57.8 of e^r. */
MATH f64 f64_exp_tail(f64 r)
{
    f64 p = 0x1.addec4876a96fp-26;

    p = fma64(p, r, 0x1.28aee1f932443p-22);
    p = fma64(p, r, 0x1.71deefdf30f62p-19);
    p = fma64(p, r, 0x1.a01998868d3ffp-16);
    p = fma64(p, r, 0x1.a01a013f29839p-13);
    p = fma64(p, r, 0x1.6c16c184b723bp-10);
    p = fma64(p, r, 0x1.11111111247e2p-7);
    p = fma64(p, r, 0x1.5555555550601p-5);
    p = fma64(p, r, 0x1.5555555555504p-3);
    return fma64(p, r, 0x1.000000000000ap-1);
}

struct f64_split {
    f64 r; /* what is left of the argument */
    s32 n; /* of the unit that was taken away */
};

/* x/ln(2), |x| below 2^31, as an integer n in the low bits. */
MATH f64 f64_exp_round(f64 x)
{
    return fma64(x, F64_LOG2E, F64_ROUNDER);
}

/* x = n ln(2) + r for the n in t. */
MATH struct f64_split f64_exp_split(f64 x, f64 t)
{
    f64 n = add64(t, -F64_ROUNDER);
    f64 r = fma64(n, -F64_LN2, x);

    return (struct f64_split){fma64(n, -F64_LN2_LO, r), lo64(t)};
}

/* e^r from f64_exp_tail. */
MATH f64 f64_exp_poly(f64 r)
{
    return fma64(fma64(f64_exp_tail(r), r, 1.0), r, 1.0);
}

/*
 * p * 2^n, p in [1/sqrt 2, sqrt 2], the last step of exp(x) and its kin: n is sane for |x| < safe
 * and the result then normal, for |x| < end it takes two steps, and beyond it is 0 or infinite.
 */
MATH f64 f64_exp_end(f64 x, f64 p, s32 n, f64 safe, f64 end)
{
    if (abs64(x) < safe)
        return f64_scale(p, (u32)n);
    if (abs64(x) < end)
        return mul64(f64_scale(p, (u32)(n >> 1)), f64_pow2((u32)(n - (n >> 1))));
    return x < 0 ? 0.0 : x * F64_INF; /* NaN stays NaN */
}

#endif
