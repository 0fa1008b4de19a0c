/* f64_exp.c -- exponentials and hyperbolic functions of doubles. */
#include "toolkit/math/f64_core.h"

#define F64_LOG2_10 0x1.a934f0979a371p+1

MATH_API f64 __nv_exp(f64 x)
{
    struct f64_split s = f64_exp_split(x, f64_exp_round(x));

    return f64_exp_end(x, f64_exp_poly(s.r), s.n, 708.0, 746.0);
}

/* 2^r = 1 + r p(r) for |r| <= 1/2, error 2^-57.0 */
MATH_API f64 __nv_exp2(f64 x)
{
    f64 t = add64(x, F64_ROUNDER);
    f64 r = add64(x, -add64(t, -F64_ROUNDER));
    f64 p = 0x1.f0e9428207a05p-32;

    p = fma64(p, r, 0x1.e63b63ba7374cp-28);
    p = fma64(p, r, 0x1.b520824414faap-24);
    p = fma64(p, r, 0x1.62bfb4b87380ep-20);
    p = fma64(p, r, 0x1.ffcbfe6684582p-17);
    p = fma64(p, r, 0x1.4309131674710p-13);
    p = fma64(p, r, 0x1.5d87fe78457f6p-10);
    p = fma64(p, r, 0x1.3b2ab6fb9daeap-7);
    p = fma64(p, r, 0x1.c6b08d704a26fp-5);
    p = fma64(p, r, 0x1.ebfbdff82c5b3p-3);
    p = fma64(p, r, F64_LN2);
    p = fma64(p, r, 1.0);
    return f64_exp_end(x, p, lo64(t), 1022.0, 1077.0);
}

/* 10^r = 1 + r p(r) for |r| <= log10(2)/2, error 2^-56.5 */
MATH_API f64 __nv_exp10(f64 x)
{
    f64 t = fma64(x, F64_LOG2_10, F64_ROUNDER);
    f64 n = add64(t, -F64_ROUNDER);
    f64 r = fma64(n, -F64_LOG10_2_LO, fma64(n, -F64_LOG10_2, x));
    f64 p = 0x1.f1d0e642c4de8p-13;

    p = fma64(p, r, 0x1.2f79d5a0a3458p-10);
    p = fma64(p, r, 0x1.489c759e008b6p-8);
    p = fma64(p, r, 0x1.411659b7fc2bbp-6);
    p = fma64(p, r, 0x1.16e4de15209e5p-4);
    p = fma64(p, r, 0x1.a7ed70a4a3fc1p-3);
    p = fma64(p, r, 0x1.1429ffd25820cp-1);
    p = fma64(p, r, 0x1.2bd7609fd4517p+0);
    p = fma64(p, r, 0x1.0470591de2aaap+1);
    p = fma64(p, r, 0x1.53524c73cea7ap+1);
    p = fma64(p, r, 0x1.26bb1bbb55516p+1);
    p = fma64(p, r, 1.0);
    return f64_exp_end(x, p, lo64(t), 307.0, 324.0);
}

/* e^r - 1 for |r| <= 1/2, error 2^-57.7 */
MATH f64 f64_expm1_poly(f64 r)
{
    f64 p = 0x1.612b25a64d324p-33;

    p = fma64(p, r, 0x1.20344b3e76259p-29);
    p = fma64(p, r, 0x1.ae6579588d426p-26);
    p = fma64(p, r, 0x1.27e430a8bf602p-22);
    p = fma64(p, r, 0x1.71de397cf1d72p-19);
    p = fma64(p, r, 0x1.a01a02188ba9ep-16);
    p = fma64(p, r, 0x1.a01a01a09537bp-13);
    p = fma64(p, r, 0x1.6c16c16bf42d1p-10);
    p = fma64(p, r, 0x1.1111111110f3ep-7);
    p = fma64(p, r, 0x1.55555555555dcp-5);
    p = fma64(p, r, 0x1.5555555555556p-3);
    p = fma64(p, r, 0.5);
    return fma64(mul64(p, r), r, r);
}

/*
 * (e^x - 1)/4 for x in [-700, 710.5]: as 2^n p + (2^n - 1), which loses too much if n is 1 and the
 * result below 1/2; so n is 0 up to |x| = 1/2.
 */
MATH f64 f64_quarter_expm1(f64 x)
{
    f64 t = abs64(x) < 0.5 ? F64_ROUNDER : f64_exp_round(x);
    struct f64_split s = f64_exp_split(x, t);
    f64 unit = f64_pow2((u32)s.n - 2);

    return fma64(f64_expm1_poly(s.r), unit, add64(unit, -0.25));
}

MATH_API f64 __nv_expm1(f64 x)
{
    f64 y = f64_quarter_expm1(x) * 4.0;

    if (f64_top(x) < 0x3c900000) /* below 2^-54; a quarter may be subnormal */
        y = x;
    if (!(x < 709.8)) /* infinite or NaN */
        y = x * F64_INF;
    return x < -50.0 ? -1.0 : y;
}

/* With h = (e^|x| - 1)/2 it is h + h/(2h + 1). */
MATH_API f64 __nv_sinh(f64 x)
{
    f64 a = abs64(x);
    f64 q = f64_quarter_expm1(a);
    f64 y = add64(q, div64(q, fma64(q, 4.0, 1.0))) * 2.0;

    y = f64_top(x) < 0x3e300000 ? a : y; /* below 2^-28 */
    y = a < 710.5 ? y : a * F64_INF;
    return f64_sign(y, x);
}

/* e^|x|/4 is finite wherever cosh is. */
MATH_API f64 __nv_cosh(f64 x)
{
    f64 a = abs64(x);
    struct f64_split s = f64_exp_split(a, f64_exp_round(a));
    f64 quarter = f64_scale(f64_exp_poly(s.r), (u32)s.n - 2);
    f64 y = fma64(quarter, 2.0, div64(0.125, quarter));

    return a < 711.0 ? y : a * F64_INF;
}

/* tanh(a) for a < 0.55, error 2^-59.4 */
MATH f64 f64_tanh_small(f64 a)
{
    f64 z = mul64(a, a);
    f64 p = -0x1.4664ac858f64bp-16;

    p = fma64(p, z, 0x1.5d311c1e0fd77p-14);
    p = fma64(p, z, -0x1.e959440762627p-13);
    p = fma64(p, z, 0x1.3481922f10d0ep-11);
    p = fma64(p, z, -0x1.7d8f957031dcep-10);
    p = fma64(p, z, 0x1.d6d2970e4d7e3p-9);
    p = fma64(p, z, -0x1.226e2ef9f5ff6p-7);
    p = fma64(p, z, 0x1.664f4858b680fp-6);
    p = fma64(p, z, -0x1.ba1ba1b97ac40p-5);
    p = fma64(p, z, 0x1.111111111077ap-3);
    p = fma64(p, z, -0x1.555555555554fp-2);
    return fma64(mul64(p, z), a, a);
}

/* Further out it is 1 - 2/(e^2a + 1), from 20 on 1. */
MATH f64 f64_tanh_large(f64 a)
{
    f64 b = a > 20.0 ? 20.0 : a; /* NaN stays NaN */
    f64 twice = add64(b, b);
    struct f64_split s = f64_exp_split(twice, f64_exp_round(twice));
    f64 p = mul64(fma64(f64_exp_tail(s.r), s.r, 1.0), s.r); /* e^r - 1 */
    f64 unit = f64_pow2((u32)s.n);

    return fma64(rcp64(fma64(p, unit, add64(unit, 1.0))), -2.0, 1.0);
}

MATH_API f64 __nv_tanh(f64 x)
{
    f64 a = abs64(x);

    return f64_sign(a < 0.55 ? f64_tanh_small(a) : f64_tanh_large(a), x);
}
