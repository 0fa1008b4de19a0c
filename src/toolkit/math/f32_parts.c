/* f32_parts.c -- sign, exponent and neighbours of a float, and comparisons (see f32_math.h) */
#include "toolkit/math/f32_math.h"

MATH_API f32 __nv_fabsf(f32 x)
{
    return abs32(x);
}

MATH_API f32 __nv_copysignf(f32 x, f32 sign)
{
    return f32_copysign(x, sign);
}

MATH_API f32 __nv_fmaxf(f32 a, f32 b)
{
    return max32(a, b);
}

MATH_API f32 __nv_fminf(f32 a, f32 b)
{
    return min32(a, b);
}

MATH_API f32 __nv_fdimf(f32 a, f32 b)
{
    return a <= b ? 0.0f : add32(a, -b);
}

MATH_API s32 __nv_isnanf(f32 x)
{
    return x != x;
}

MATH_API s32 __nv_isinff(f32 x)
{
    return abs32(x) == F32_INF;
}

MATH_API s32 __nv_finitef(f32 x)
{
    return abs32(x) < F32_INF;
}

MATH_API s32 __nv_signbitf(f32 x)
{
    return (s32)(bits32(x) >> 31);
}

MATH_API f32 __nv_nanf(const signed char *tag)
{
    (void)tag;
    return F32_NAN;
}

/* The bits of positive floats are in the order of the floats. */
MATH_API f32 __nv_nextafterf(f32 x, f32 to)
{
    u32 b = bits32(x);
    f32 r = flt32((x < to) == (x > 0.0f) ? b + 1 : b - 1);

    r = x == 0.0f ? f32_copysign(0x1p-149f, to) : r;
    r = x == to ? to : r;
    return x == x && to == to ? r : add32(x, to);
}

MATH_API f32 __nv_frexpf(f32 x, s32 *e)
{
    u32 tiny = abs32(x) < 0x1p-126f;
    u32 b = bits32(tiny ? x * 0x1p24f : x);
    s32 n = (s32)(b >> 23 & 0xff) - (tiny ? 150 : 126);
    u32 same = x == 0.0f || !(abs32(x) < F32_INF);

    *e = same ? 0 : n;
    return same ? add32(x, x) : flt32((b & 0x807fffff) | 0x3f000000);
}

/*
 * In up to three steps of at most 2^126, the least of them first: only the last can leave the
 * normal range and come out with anything but 0 or infinity.
 */
MATH_RARE f32 f32_ldexp_far(f32 x, s32 n)
{
    n = n < -300 ? -300 : n;
    n = n > 300 ? 300 : n;
    s32 sign = n < 0 ? -126 : 126, rest = n - sign;
    f32 step = flt32((u32)(sign + 127) << 23);

    if (rest < -126 || rest > 126) {
        rest -= sign;
        x = mul32(x, flt32((u32)(rest + 127) << 23));
        return mul32(mul32(x, step), step);
    }
    return mul32(mul32(x, flt32((u32)(rest + 127) << 23)), step);
}

MATH_API f32 __nv_ldexpf(f32 x, s32 n)
{
    if ((u32)(n + 126u) > 252)
        return f32_ldexp_far(x, n);
    return mul32(x, flt32((u32)(n + 127) << 23));
}

MATH_API f32 __nv_scalbnf(f32 x, s32 n)
{
    return __nv_ldexpf(x, n);
}

MATH_API s32 __nv_ilogbf(f32 x)
{
    u32 tiny = abs32(x) < 0x1p-126f;
    u32 b = bits32(tiny ? x * 0x1p24f : x);
    s32 e = (s32)(b >> 23 & 0xff) - (tiny ? 151 : 127);

    e = x == 0.0f || x != x ? -2147483647 - 1 : e;
    return abs32(x) == F32_INF ? 2147483647 : e;
}

MATH_API f32 __nv_logbf(f32 x)
{
    f32 e = (f32)__nv_ilogbf(x);

    e = x == 0.0f ? -F32_INF : e;
    return abs32(x) < F32_INF ? e : x * x;
}
