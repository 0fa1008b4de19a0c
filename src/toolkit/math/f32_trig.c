/* f32_trig.c -- sine, cosine, tangent (see f32_math.h) */
#include "toolkit/math/f32_math.h"

/* An angle: r in about [-pi/4, pi/4] and how many quarter turns came off (the low two bits). */
struct f32_angle {
    f32 r;
    u32 q;
};

/* 2/pi, 32 bits a word, after a word of zeros. */
MATH_TABLE u32 f32_two_over_pi[8] = {
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
};

/* The word of bits from bit n on. */
MATH u32 f32_funnel(u32 hi, u32 lo, u32 n)
{
    return (u32)(((u64)hi << 32 | lo) << n >> 32);
}

/*
 * Any finite x of at least 2^16: x 2/pi modulo 4, from the 96 bits of 2/pi that matter (Payne and
 * Hanek, 1983).  x is m 2^k with a 32-bit m; bits of 2/pi that m 2^k makes multiples of 4 are left
 * out, and what is cut off below is under 2^-62, when no float is nearer to a multiple of pi/2
 * than about 2^-30.
 */
MATH_RARE struct f32_angle f32_reduce_huge(f32 x)
{
    u32 b = bits32(x), m = b << 8 | 0x80000000;
    u32 first = (b >> 23 & 0xff) - 128; /* k + 30: the first bit that counts */
    u32 i = first / 32, n = first % 32;
    u32 h0 = f32_funnel(f32_two_over_pi[i], f32_two_over_pi[i + 1], n);
    u32 h1 = f32_funnel(f32_two_over_pi[i + 1], f32_two_over_pi[i + 2], n);
    u32 h2 = f32_funnel(f32_two_over_pi[i + 2], f32_two_over_pi[i + 3], n);
    u64 p = ((u64)(m * h0) << 32) + (u64)m * h1 + mulhi_u32(m, h2);
    u32 q = (u32)(p >> 62) + (u32)(p >> 61 & 1);
    f32 r = (f32)mul64((f64)(s64)(p << 2), 0x1.921fb54442d18p-64); /* pi/2 2^-64 */

    if (b >> 31)
        return (struct f32_angle){-r, 0 - q};
    return (struct f32_angle){r, q};
}

/*
 * x less the nearest multiple of pi/2, which is the sum of three floats; each step rounds relative
 * to its result, so that r keeps its accuracy near 0.  The three are positive: with j = 0 they
 * leave -0 alone.  Infinity becomes NaN here.
 */
MATH struct f32_angle f32_reduce(f32 x)
{
    f32 t = fma32(x, 0x1.45f306p-1f, F32_ROUNDER), j = add32(t, -F32_ROUNDER);
    f32 r = fma32(j, -0x1.921fb4p0f, x);

    if (abs32(x) > 0x1.9p16f && abs32(x) < F32_INF)
        return f32_reduce_huge(x);
    r = fma32(j, -0x1.4442dp-24f, r);
    return (struct f32_angle){fma32(j, -0x1.846988p-48f, r), bits32(t)};
}

/*
 * sin(r + q pi/2), |r| < pi/4: the sine or the cosine of r, by the coefficients that are chosen.
 *   sin r = r + r z s(z), to 2^-26.2; cos r = 1 - z/2 + z^2 c(z), to 2^-29.8; z = r^2
 */
MATH f32 f32_wave(f32 r, u32 q)
{
    u32 odd = q & 1;
    f32 z = mul32(r, r), base = odd ? 1.0f : r;
    f32 p = odd ? 0x1.9bc37cp-16f : 0.0f;

    p = fma32(p, z, odd ? -0x1.6c1298p-10f : -0x1.9aaee4p-13f);
    p = fma32(p, z, odd ? 0x1.555554p-5f : 0x1.110bdep-7f);
    p = fma32(p, z, odd ? -0.5f : -0x1.555552p-3f);
    return flt32(bits32(f32_odd(base, z, p)) ^ (q << 30 & 0x80000000));
}

MATH_API f32 __nv_sinf(f32 x)
{
    struct f32_angle a = f32_reduce(x);

    return f32_wave(a.r, a.q);
}

MATH_API f32 __nv_cosf(f32 x)
{
    struct f32_angle a = f32_reduce(x);

    return f32_wave(a.r, a.q + 1);
}

MATH_API void __nv_sincosf(f32 x, f32 *s, f32 *c)
{
    struct f32_angle a = f32_reduce(x);

    *s = f32_wave(a.r, a.q);
    *c = f32_wave(a.r, a.q + 1);
}

/* tan r = r + r z t(z), to 2^-24.2; a quarter turn on it is -1/tan r. */
MATH_API f32 __nv_tanf(f32 x)
{
    struct f32_angle a = f32_reduce(x);
    f32 z = mul32(a.r, a.r), t = 0x1.12a89cp-7f;

    t = fma32(t, z, 0x1.413d7ep-8f);
    t = fma32(t, z, 0x1.7d2946p-6f);
    t = fma32(t, z, 0x1.b8577ep-5f);
    t = fma32(t, z, 0x1.111762p-3f);
    t = fma32(t, z, 0x1.55554ep-2f);
    t = f32_odd(a.r, z, t);
    f32 inverse = rcp_approx(t);

    return a.q & 1 ? -inverse : t;
}

/* pi x less the nearest multiple of pi/2.  From 2^24 on every float is an even number. */
MATH struct f32_angle f32_reduce_pi(f32 x)
{
    f32 y = abs32(x) < 0x1p24f ? x : x * 0.0f;
    f32 j = rint32(add32(y, y)), r = fma32(j, -0.5f, y);

    r = fma32(r, 0x1.921fb6p1f, mul32(r, -0x1.777a5cp-24f));
    return (struct f32_angle){r, (u32)(s32)j};
}

/* A zero has the sign of x: r is 0 for whole x only. */
MATH f32 f32_sinpi(f32 x, struct f32_angle a)
{
    f32 s = f32_wave(a.r, a.q);

    return s == 0.0f ? x * 0.0f : s;
}

/* A zero is positive. */
MATH f32 f32_cospi(struct f32_angle a)
{
    return add32(f32_wave(a.r, a.q + 1), 0.0f);
}

MATH_API f32 __nv_sinpif(f32 x)
{
    return f32_sinpi(x, f32_reduce_pi(x));
}

MATH_API f32 __nv_cospif(f32 x)
{
    return f32_cospi(f32_reduce_pi(x));
}

MATH_API void __nv_sincospif(f32 x, f32 *s, f32 *c)
{
    struct f32_angle a = f32_reduce_pi(x);

    *s = f32_sinpi(x, a);
    *c = f32_cospi(a);
}
