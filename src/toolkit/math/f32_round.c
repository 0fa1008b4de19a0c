/* f32_round.c -- rounding to whole numbers and remainders, all exact (see f32_math.h) */
#include "toolkit/math/f32_math.h"
#include "toolkit/math/intrinsics.h"

MATH_API f32 __nv_floorf(f32 x)
{
    return floor32(x);
}

MATH_API f32 __nv_ceilf(f32 x)
{
    return ceil32(x);
}

MATH_API f32 __nv_truncf(f32 x)
{
    return trunc32(x);
}

MATH_API f32 __nv_rintf(f32 x)
{
    return rint32(x);
}

MATH_API f32 __nv_nearbyintf(f32 x)
{
    return rint32(x);
}

/* The float below 1/2 is added: 1/2 itself would carry the float below 1/2 to 1. */
MATH_API f32 __nv_roundf(f32 x)
{
    return trunc32(sum32(x, f32_copysign(0x1.fffffep-2f, x)));
}

MATH_API s64 __nv_llrintf(f32 x)
{
    return __nv_float2ll_rn(x);
}

MATH_API s64 __nv_llroundf(f32 x)
{
    return __nv_float2ll_rz(__nv_roundf(x));
}

MATH_API f32 __nv_modff(f32 x, f32 *whole)
{
    f32 t = trunc32(x), rest = sum32(x, -t);

    *whole = t;
    return x == t ? f32_copysign(0.0f, x) : rest;
}

/* The remainder of a division of magnitudes, and the low bits of the quotient. */
struct f32_rest {
    f32 r;
    u32 q;
};

/*
 * One step, for a < 2^22 b: the quotient is at most one too large, the product is not rounded, and
 * a remainder of either sign fits a float.
 */
MATH struct f32_rest f32_rest_step(f32 a, f32 b)
{
    f32 q = trunc32(quot32(a, b)), r = fma32(-q, b, a);
    u32 over = r < 0.0f;

    return (struct f32_rest){over ? add32(r, b) : r, (u32)(s32)q - over};
}

/* Long division, 22 bits at a time. */
MATH struct f32_rest f32_rest_of(f32 a, f32 b)
{
    struct f32_rest d;
    f32 t = b;

    while (a >= mul32(t, 0x1p22f))
        t = mul32(t, 0x1p22f);
    for (;;) {
        d = f32_rest_step(a, t);
        a = d.r;
        if (t == b)
            return d;
        t = mul32(t, 0x1p-22f);
    }
}

/* x infinite, y zero, or one of them NaN: there is no remainder. */
MATH u32 f32_no_rest(f32 x, f32 y)
{
    return !(abs32(x) < F32_INF && abs32(y) > 0.0f);
}

MATH_API f32 __nv_fmodf(f32 x, f32 y)
{
    f32 a = abs32(x), b = abs32(y);

    if (f32_no_rest(x, y))
        return F32_NAN;
    return a < b ? x : f32_copysign(f32_rest_of(a, b).r, x);
}

/* To the nearer multiple of y, to the even one if x lies between two. */
MATH_API f32 __nv_remquof(f32 x, f32 y, s32 *quo)
{
    f32 a = abs32(x), b = abs32(y);
    struct f32_rest d = {a, 0};

    *quo = 0;
    if (f32_no_rest(x, y))
        return F32_NAN;
    if (a >= b)
        d = f32_rest_of(a, b);
    f32 other = add32(b, -d.r); /* exact where it could matter, y / 2 <= r */
    u32 up = d.r > other || (d.r == other && d.q & 1);
    s32 q = (s32)((d.q + up) & 7);

    d.r = up ? -other : d.r;
    *quo = (bits32(x) ^ bits32(y)) >> 31 ? -q : q;
    return flt32(bits32(d.r) ^ (bits32(x) & 0x80000000));
}

MATH_API f32 __nv_remainderf(f32 x, f32 y)
{
    s32 quo;

    return __nv_remquof(x, y, &quo);
}
