/* f32_root.c -- roots and norms (see f32_math.h) */
#include "toolkit/math/f32_math.h"

MATH_API f32 __nv_sqrtf(f32 x)
{
    return sqrt32(x);
}

MATH_API f32 __nv_rsqrtf(f32 x)
{
    return rsqrt_approx(x);
}

/* a^(-1/3) to about 2^-18 */
MATH f32 f32_rcbrt_start(f32 a)
{
    return ex2_approx(lg2_approx(a) * -0x1.555556p-2f);
}

/*
 * y = a r^2 with r from the start above, and one Newton step: y + (a - y^3) / (3 y^2), where r^2
 * serves for 1 / y^2.  Small a are scaled by 2^24, or a - y^3 would underflow.
 */
MATH_API f32 __nv_cbrtf(f32 x)
{
    f32 a = abs32(x);
    u32 tiny = a < 0x1p-96f;

    a = tiny ? a * 0x1p24f : a;
    f32 r = f32_rcbrt_start(a), r2 = mul32(r, r), y = mul32(a, r2);
    f32 e = fma32(-mul32(y, y), y, a);

    y = fma32(e, r2 * 0x1.555556p-2f, y);
    y = f32_copysign(tiny ? y * 0x1p-8f : y, x);
    return add32(x, x) == x ? x : y; /* zero and infinity */
}

/* r + r (1 - a r^3) / 3 */
MATH_API f32 __nv_rcbrtf(f32 x)
{
    f32 a = abs32(x), r = f32_rcbrt_start(a);
    f32 e = fma32(-mul32(a, r), mul32(r, r), 1.0f);
    f32 y = fma32(r * 0x1.555556p-2f, e, r);

    return f32_copysign(add32(x, x) == x ? r : y, x);
}

/*
 * Norms are taken of components scaled by a power of two: from the largest magnitude m, as bits,
 * comes the power 2^e near it, and 2^-e is as far from the ends of the range.
 */
MATH u32 f32_norm_scale(u32 m)
{
    u32 e = m & 0x7f800000;

    e = e < 0x00800000 ? 0x00800000 : e;
    return e > 0x7e800000 ? 0x7e800000 : e;
}

MATH u32 f32_max_bits(u32 m, f32 x)
{
    u32 b = bits32(x) & 0x7fffffff;

    return b > m ? b : m;
}

/* An infinite component rules even where another is NaN. */
MATH u32 f32_is_inf(f32 x)
{
    return abs32(x) == F32_INF;
}

/* sum: of the squares of the components times 2^-e. */
MATH f32 f32_norm(f32 sum, u32 e, u32 inf)
{
    f32 r = mul32(sqrt32(sum), flt32(e));

    return inf ? F32_INF : r;
}

MATH f32 f32_rnorm(f32 sum, u32 e, u32 inf)
{
    f32 r = mul32(rsqrt_approx(sum), flt32(0x7f000000 - e));

    return inf ? 0.0f : r;
}

MATH u32 f32_max4(f32 a, f32 b, f32 c, f32 d)
{
    return f32_max_bits(f32_max_bits(f32_max_bits(f32_max_bits(0, a), b), c), d);
}

MATH u32 f32_any_inf(f32 a, f32 b, f32 c, f32 d)
{
    return f32_is_inf(a) | f32_is_inf(b) | f32_is_inf(c) | f32_is_inf(d);
}

/* The sum of the squares of two components, and of more. */
MATH f32 f32_sum2(f32 a, f32 b, u32 e)
{
    f32 s = flt32(0x7f000000 - e);

    a = mul32(a, s), b = mul32(b, s);
    return fma32(a, a, mul32(b, b));
}

MATH f32 f32_sum_more(f32 sum, f32 c, u32 e)
{
    c = mul32(c, flt32(0x7f000000 - e));
    return fma32(c, c, sum);
}

MATH_API f32 __nv_hypotf(f32 a, f32 b)
{
    u32 e = f32_norm_scale(f32_max4(a, b, 0, 0));

    return f32_norm(f32_sum2(a, b, e), e, f32_any_inf(a, b, 0, 0));
}

MATH_API f32 __nv_rhypotf(f32 a, f32 b)
{
    u32 e = f32_norm_scale(f32_max4(a, b, 0, 0));

    return f32_rnorm(f32_sum2(a, b, e), e, f32_any_inf(a, b, 0, 0));
}

MATH_API f32 __nv_norm3df(f32 a, f32 b, f32 c)
{
    u32 e = f32_norm_scale(f32_max4(a, b, c, 0));

    return f32_norm(f32_sum_more(f32_sum2(a, b, e), c, e), e, f32_any_inf(a, b, c, 0));
}

MATH_API f32 __nv_rnorm3df(f32 a, f32 b, f32 c)
{
    u32 e = f32_norm_scale(f32_max4(a, b, c, 0));

    return f32_rnorm(f32_sum_more(f32_sum2(a, b, e), c, e), e, f32_any_inf(a, b, c, 0));
}

MATH_API f32 __nv_norm4df(f32 a, f32 b, f32 c, f32 d)
{
    u32 e = f32_norm_scale(f32_max4(a, b, c, d));
    f32 sum = f32_sum_more(f32_sum_more(f32_sum2(a, b, e), c, e), d, e);

    return f32_norm(sum, e, f32_any_inf(a, b, c, d));
}

MATH_API f32 __nv_rnorm4df(f32 a, f32 b, f32 c, f32 d)
{
    u32 e = f32_norm_scale(f32_max4(a, b, c, d));
    f32 sum = f32_sum_more(f32_sum_more(f32_sum2(a, b, e), c, e), d, e);

    return f32_rnorm(sum, e, f32_any_inf(a, b, c, d));
}

struct f32_squares {
    f32 sum;
    u32 e, inf;
};

/* One pass for the scale, one for the sum. */
MATH struct f32_squares f32_norm_of(s32 n, const f32 *v)
{
    struct f32_squares r = {0.0f, 0, 0};
    u32 m = 0;

    for (s32 i = 0; i < n; i++) {
        m = f32_max_bits(m, v[i]);
        r.inf |= f32_is_inf(v[i]);
    }
    r.e = f32_norm_scale(m);
    for (s32 i = 0; i < n; i++) {
        f32 x = mul32(v[i], flt32(0x7f000000 - r.e));

        r.sum = fma32(x, x, r.sum);
    }
    return r;
}

MATH_API f32 __nv_normf(s32 n, const f32 *v)
{
    struct f32_squares r = f32_norm_of(n, v);

    return f32_norm(r.sum, r.e, r.inf);
}

MATH_API f32 __nv_rnormf(s32 n, const f32 *v)
{
    struct f32_squares r = f32_norm_of(n, v);

    return f32_rnorm(r.sum, r.e, r.inf);
}
