/* f64_log.c -- logarithms and inverse hyperbolic functions of doubles. */
#include "toolkit/math/f64_core.h"

#define F64_LOG10E 0x1.bcb7b1526e50ep-2
#define F64_LOG10E_LO 0x1.95355baaafad3p-57

/*
 * ln(1 + f) - f for 1 + f in [1/sqrt 2, sqrt 2].  With s = f/(2 + f) the logarithm is 2 atanh(s) =
 * 2s + s R and 2s = f - s f.  R = s^2 p(s^2) has an error of 2^-59.5 of the logarithm.
 */
MATH f64 f64_log_tail(f64 f, f64 more)
{
    f64 s = div64(f, add64(f, 2.0));
    f64 z = mul64(s, s);
    f64 p = 0x1.2f033b543c652p-3;

    p = fma64(p, z, 0x1.39a1f4796b49bp-3);
    p = fma64(p, z, 0x1.74663c8a9b1bcp-3);
    p = fma64(p, z, 0x1.c71c5215aedd3p-3);
    p = fma64(p, z, 0x1.24924941e07e2p-2);
    p = fma64(p, z, 0x1.999999997ff1ap-2);
    p = fma64(p, z, 0x1.5555555555592p-1);
    return fma64(s, fma64(p, z, -f), more);
}

/* The n for which top * 2^-n, the high word of a number, lies from 1/sqrt 2 to sqrt 2. */
MATH s32 f64_log_exponent(s32 top)
{
    return (s32)((u32)top - 0x3fe6a09e) >> 20;
}

/* x = 2^n (1 + f) */
MATH struct f64_split f64_log_split(f64 x)
{
    s32 bias = 0;

    if (hi64(x) < 0x00100000) { /* subnormal */
        x = x * 0x1p54;
        bias = -54;
    }
    s32 n = f64_log_exponent(hi64(x));
    return (struct f64_split){add64(f64_scale(x, (u32)-n), -1.0), n + bias};
}

/* True for arguments with a finite logarithm. */
MATH int f64_log_finite(f64 x)
{
    return x > 0 && x < F64_INF;
}

/* The logarithm of the others, in any base. */
MATH f64 f64_log_special(f64 x)
{
    return x == 0 ? -F64_INF : fma64(x, F64_INF, F64_INF); /* -x: inf - inf */
}

MATH_API f64 __nv_log(f64 x)
{
    struct f64_split s = f64_log_split(x);
    f64 n = (f64)s.n;
    f64 y = fma64(n, F64_LN2, add64(s.r, f64_log_tail(s.r, n * F64_LN2_LO)));

    return f64_log_finite(x) ? y : f64_log_special(x);
}

/* ln(1 + f) * (c + c_lo) + more: the logarithm in two parts, and one rounding. */
MATH f64 f64_log_base(f64 f, f64 c, f64 c_lo, f64 more)
{
    f64 t = f64_log_tail(f, 0.0);
    f64 y = add64(f, t);
    f64 rest = add64(add64(f, -y), t);

    return fma64(y, c, fma64(y, c_lo, fma64(rest, c, more)));
}

MATH_API f64 __nv_log2(f64 x)
{
    struct f64_split s = f64_log_split(x);
    f64 y = add64((f64)s.n, f64_log_base(s.r, F64_LOG2E, F64_LOG2E_LO, 0.0));

    return f64_log_finite(x) ? y : f64_log_special(x);
}

MATH_API f64 __nv_log10(f64 x)
{
    struct f64_split s = f64_log_split(x);
    f64 n = (f64)s.n;
    f64 y = f64_log_base(s.r, F64_LOG10E, F64_LOG10E_LO, n * F64_LOG10_2_LO);

    y = fma64(n, F64_LOG10_2, y);
    return f64_log_finite(x) ? y : f64_log_special(x);
}

/*
 * ln(1 + x) + twos ln(2).  1 + x rounds, but only serves to find n: f = 2^-n x + (2^-n - 1) is
 * rounded once, and what that lost is added at the end.  Beyond 2^1000 the 1 is nothing, and 2^-n
 * would be subnormal.
 */
MATH f64 f64_log1p(f64 x, s32 twos)
{
    s32 bias = twos;
    f64 small = x;

    if (f64_top(x) >= 0x7e700000) {
        small = x * 0x1p-64;
        bias = twos + 64;
    }
    f64 u = add64(small, 1.0);
    s32 n = f64_log_exponent(hi64(u));
    f64 unit = f64_pow2((u32)-n);
    f64 rest = add64(unit, -1.0);
    f64 f = fma64(small, unit, rest);
    f64 e = (f64)(n + bias);
    f64 more = fma64(e, F64_LN2_LO, fma64(small, unit, add64(rest, -f)));
    f64 y = fma64(e, F64_LN2, add64(f, f64_log_tail(f, more)));

    return f64_log_finite(u) ? y : f64_log_special(u);
}

MATH_API f64 __nv_log1p(f64 x)
{
    return f64_top(x) < 0x3c900000 ? x : f64_log1p(x, 0); /* 2^-54 */
}

/* ln(a + sqrt(a^2 + 1)) */
MATH_API f64 __nv_asinh(f64 x)
{
    f64 a = abs64(x);
    int huge = f64_top(x) >= 0x43500000; /* 2^54: ln(2a) */
    f64 z = mul64(a, a);
    f64 t = add64(a, div64(z, add64(sqrt64(fma64(a, a, 1.0)), 1.0)));
    f64 y = f64_log1p(huge ? a : t, huge);

    return f64_sign(f64_top(x) < 0x3e300000 ? a : y, x); /* 2^-28 */
}

/* ln(x + sqrt(x^2 - 1)), in terms of x - 1 */
MATH_API f64 __nv_acosh(f64 x)
{
    int huge = x >= 0x1p54;
    f64 t = add64(x, -1.0);
    f64 y = f64_log1p(huge ? x : add64(t, sqrt64(fma64(t, t, add64(t, t)))), huge);

    return x < 1.0 ? F64_NAN : y;
}

/* ln((1 + a)/(1 - a))/2 */
MATH_API f64 __nv_atanh(f64 x)
{
    f64 a = abs64(x);
    f64 y = f64_log1p(div64(add64(a, a), add64(1.0, -a)), 0);

    return f64_sign(f64_top(x) < 0x3e300000 ? a : y * 0.5, x); /* 2^-28 */
}
