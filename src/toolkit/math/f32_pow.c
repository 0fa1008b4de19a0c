/* f32_pow.c -- powers (see f32_math.h) */
#include "toolkit/math/f32_math.h"

/* A sum of two floats, the second below the last place of the first. */
struct f32_pair {
    f32 hi, lo;
};

/*
 * log2 of a positive finite a, to about 2^-33 of its value: a = 2^e (1 + f) with 1 + f in
 * [sqrt(1/2), sqrt(2)), and log2(1 + f) = s (c + z p(z)) with s = f / (2 + f), z = s^2,
 * c = 2 log2 e.  s and s c are pairs; the rest, to 2^-35, is small enough to be a float.
 */
MATH struct f32_pair f32_log2_pair(f32 a)
{
    u32 tiny = a < 0x1p-126f;
    u32 b = bits32(tiny ? a * 0x1p23f : a), i = (b - 0x3f3504f3) & 0xff800000;
    f32 e = fma32((f32)(s32)i, 0x1p-23f, tiny ? -23.0f : 0.0f);
    f32 f = add32(flt32(b - i), -1.0f), g = rcp_approx(add32(f, 2.0f)), s = mul32(f, g);
    f32 s_lo = mul32(g, fma32(-s, f, fma32(-2.0f, s, f))); /* f - s (2 + f), exact but for this */
    f32 z = mul32(s, s), p = 0x1.559bep-2f;

    p = fma32(p, z, 0x1.a5f254p-2f);
    p = fma32(p, z, 0x1.2776b2p-1f);
    p = fma32(p, z, 0x1.ec709ep-1f);
    f32 hi = mul32(s, 0x1.715476p1f), lo = fma32(s, 0x1.715476p1f, -hi);

    lo = fma32(s, 0x1.4ae0cp-25f, lo);
    lo = fma32(s_lo, 0x1.715476p1f, lo);
    lo = fma32(mul32(s, z), p, lo);
    f32 log = sum32(hi, lo), sum = sum32(e, log);

    lo = sum32(sum32(hi, -log), lo);
    return (struct f32_pair){sum, sum32(sum32(sum32(e, -sum), log), lo)};
}

/* a^y for positive finite a: 2 to the y log2 a, of which the integer j is split off as in expf. */
MATH f32 f32_pow_positive(f32 a, f32 y)
{
    struct f32_pair l = f32_log2_pair(a);
    f32 p = mul32(y, l.hi), p_lo = fma32(y, l.lo, fma32(y, l.hi, -p));
    f32 j = rint32(p), r = sum32(sum32(p, -j), p_lo);
    f32 g = ex2_approx(abs32(p) < 256.0f ? r : 0.0f);

    return mul32(add32(g, g), ex2_approx(add32(j, -1.0f)));
}

/* What is left out above: a is 0, infinite or 1, or an argument is NaN. */
MATH f32 f32_pow_special(f32 x, f32 y, f32 r)
{
    f32 a = abs32(x);

    if (a == 0.0f || a == F32_INF)
        r = (a == 0.0f) == (y < 0.0f) ? F32_INF : 0.0f;
    if (a == 1.0f)
        r = 1.0f;
    return a <= F32_INF && y == y ? r : add32(x, y);
}

MATH_API f32 __nv_powf(f32 x, f32 y)
{
    f32 half = y * 0.5f, a = abs32(x);
    u32 odd = abs32(fma32(-2.0f, trunc32(half), y)) == 1.0f;
    f32 r = f32_pow_special(x, y, f32_pow_positive(a, y));

    r = bits32(x) >> 31 && odd ? -r : r;
    if (x < 0.0f && a < F32_INF && trunc32(y) != y)
        r = F32_NAN;
    return x == 1.0f || y == 0.0f ? 1.0f : r;
}

/* By squaring; the error grows with n, as with CUDA's. */
MATH_API f32 __nv_powif(f32 x, s32 n)
{
    u32 k = n < 0 ? 0 - (u32)n : (u32)n;
    f32 r = k & 1 ? x : 1.0f;

    while (k >>= 1) {
        x = mul32(x, x);
        f32 more = mul32(r, x);

        r = k & 1 ? more : r;
    }
    return n < 0 ? rcp32(r) : r;
}
