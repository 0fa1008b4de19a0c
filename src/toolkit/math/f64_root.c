/* f64_root.c -- roots and lengths of vectors of doubles. */
#include "toolkit/math/f64_core.h"

MATH_API f64 __nv_sqrt(f64 x)
{
    return sqrt64(x);
}

MATH_API f64 __nv_rsqrt(f64 x)
{
    return rcp64(sqrt64(x));
}

/* a = 8^n m with m in [1, 8); a > 0 and normal */
MATH struct f64_split f64_cube_split(f64 a)
{
    s32 n = (((hi64(a) >> 20) - 1023) * 21846) >> 16; /* a third, rounded down */

    return (struct f64_split){f64_scale(a, (u32)(-3 * n)), n};
}

/* m^(power) to about 2^-21, for m in [1, 8) and power 1/3 or -1/3 */
MATH f64 f64_cube_guess(f64 m, f32 power)
{
    return (f64)ex2_approx(mul32(lg2_approx((f32)m), power));
}

/* One step of Halley; y has 24 bits, so that y^2 is exact. */
MATH_API f64 __nv_cbrt(f64 x)
{
    f64 a = abs64(x);
    int tiny = f64_top(x) < 0x00100000;
    struct f64_split s = f64_cube_split(tiny ? a * 0x1p54 : a);
    f64 y = f64_cube_guess(s.r, 1.0f / 3);
    f64 yy = mul64(y, y);
    f64 d = div64(fma64(-yy, y, s.r), fma64(add64(yy, yy), y, s.r));
    f64 r = f64_scale(fma64(y, d, y), (u32)(s.n - (tiny ? 18 : 0)));

    return a > 0 && a < F64_INF ? f64_sign(r, x) : add64(x, x);
}

/* y (1 - e)^(-1/3) with e = 1 - m y^3, two terms of the series. */
MATH_API f64 __nv_rcbrt(f64 x)
{
    f64 a = abs64(x);
    int tiny = f64_top(x) < 0x00100000;
    struct f64_split s = f64_cube_split(tiny ? a * 0x1p54 : a);
    f64 y = f64_cube_guess(s.r, -1.0f / 3);
    f64 e = fma64(mul64(mul64(y, y), y), -s.r, 1.0);
    f64 r = fma64(mul64(y, e), fma64(e, 2.0 / 9, 1.0 / 3), y);

    r = f64_sign(f64_scale(r, (u32)((tiny ? 18 : 0) - s.n)), x);
    return a > 0 && a < F64_INF ? r : rcp64(x);
}

/* 1/sqrt(x + more), x not far from 1: a guess of 21 bits, whose square is exact, and one step. */
MATH f64 f64_rsqrt_step(f64 x, f64 more)
{
    f64 y = rsqrt64_guess(x);
    f64 yy = mul64(y, y);
    f64 e = fma64(-more, yy, fma64(-x, yy, 1.0));

    return fma64(fma64(e, 0.375, 0.5), mul64(e, y), y);
}

/* --- scaling --------------------------------------------------------------------------------- */

/* Powers of two that bring the largest of some numbers to about 1 and back. */
struct f64_scales {
    f64 down, up;
};

MATH struct f64_scales f64_scales_for(f64 largest)
{
    s32 e = hi64(largest) & 0x7ff00000;

    e = e > 0x7fc00000 ? 0x7fc00000 : e;
    return (struct f64_scales){join64(0x7fd00000 - e, 0), join64(e + 0x00100000, 0)};
}

/* acc + (x * scale)^2 */
MATH f64 f64_add_square(f64 acc, f64 x, f64 scale)
{
    f64 t = mul64(x, scale);

    return fma64(t, t, acc);
}

/* --- lengths --------------------------------------------------------------------------------- */

/* From the sum of the scaled squares.  Infinity wins over NaNs, which max64 passes by. */
MATH f64 f64_length(f64 sum, f64 largest, struct f64_scales s)
{
    return largest == F64_INF ? F64_INF : mul64(sqrt64(sum), s.up);
}

MATH_API f64 __nv_hypot(f64 x, f64 y)
{
    f64 largest = max64(abs64(x), abs64(y));
    struct f64_scales s = f64_scales_for(largest);
    f64 sum = f64_add_square(0.0, y, s.down);

    return f64_length(f64_add_square(sum, x, s.down), largest, s);
}

MATH_API f64 __nv_norm3d(f64 x, f64 y, f64 z)
{
    f64 largest = max64(max64(abs64(x), abs64(y)), abs64(z));
    struct f64_scales s = f64_scales_for(largest);
    f64 sum = f64_add_square(0.0, z, s.down);

    sum = f64_add_square(sum, y, s.down);
    return f64_length(f64_add_square(sum, x, s.down), largest, s);
}

MATH_API f64 __nv_norm4d(f64 x, f64 y, f64 z, f64 w)
{
    f64 largest = max64(max64(abs64(x), abs64(y)), max64(abs64(z), abs64(w)));
    struct f64_scales s = f64_scales_for(largest);
    f64 sum = f64_add_square(0.0, w, s.down);

    sum = f64_add_square(sum, z, s.down);
    sum = f64_add_square(sum, y, s.down);
    return f64_length(f64_add_square(sum, x, s.down), largest, s);
}

/* The same of n elements. */
struct f64_sum {
    f64 sum, largest;
    struct f64_scales scales;
};

MATH struct f64_sum f64_squares(s32 n, const f64 *v)
{
    f64 largest = 0.0, sum = 0.0;

    for (s32 i = 0; i < n; i++)
        largest = max64(largest, abs64(v[i]));
    struct f64_scales s = f64_scales_for(largest);
    for (s32 i = 0; i < n; i++)
        sum = f64_add_square(sum, v[i], s.down);
    return (struct f64_sum){sum, largest, s};
}

MATH_API f64 __nv_norm(s32 n, const f64 *v)
{
    struct f64_sum a = f64_squares(n, v);

    return f64_length(a.sum, a.largest, a.scales);
}

MATH_API f64 __nv_rnorm(s32 n, const f64 *v)
{
    struct f64_sum a = f64_squares(n, v);

    if (a.largest == F64_INF)
        return 0.0;
    return a.sum > 0 ? mul64(f64_rsqrt_step(a.sum, 0.0), a.scales.down) : rcp64(a.sum);
}

/* --- inverse lengths ------------------------------------------------------------------------- */

/*
 * Their bound is half that of lengths, where the root's ulps are large.  So the largest square
 * comes last, and that sum is two doubles.
 */
struct f64_vector {
    f64 largest, others; /* an element, and the others' sum of scaled squares */
    struct f64_scales scales;
};

/* Two numbers in order; a NaN stays one of them. */
struct f64_order {
    f64 high, low;
};

MATH struct f64_order f64_sort(f64 a, f64 b)
{
    return (struct f64_order){a > b ? a : b, a > b ? b : a};
}

/* most: the largest magnitude but for NaNs. */
MATH f64 f64_inverse_length(struct f64_vector v, f64 most)
{
    f64 t = mul64(v.largest, v.scales.down), square = mul64(t, t);
    f64 sum = add64(square, v.others);
    f64 more = add64(add64(add64(square, -sum), v.others), fma64(t, t, -square));

    if (sum > 0 && sum < F64_INF)
        return mul64(f64_rsqrt_step(sum, more), v.scales.down);
    if (sum == 0)
        return F64_INF;
    return most == F64_INF ? 0.0 : F64_NAN;
}

MATH_API f64 __nv_rhypot(f64 x, f64 y)
{
    f64 a = abs64(x), b = abs64(y);
    struct f64_order o = f64_sort(a, b);
    struct f64_scales s = f64_scales_for(o.high);
    f64 others = f64_add_square(0.0, o.low, s.down);

    return f64_inverse_length((struct f64_vector){o.high, others, s}, max64(a, b));
}

MATH_API f64 __nv_rnorm3d(f64 x, f64 y, f64 z)
{
    f64 a = abs64(x), b = abs64(y), c = abs64(z);
    struct f64_order o = f64_sort(a, b), top = f64_sort(o.high, c);
    struct f64_scales s = f64_scales_for(top.high);
    f64 others = f64_add_square(f64_add_square(0.0, o.low, s.down), top.low, s.down);

    return f64_inverse_length((struct f64_vector){top.high, others, s}, max64(max64(a, b), c));
}

MATH_API f64 __nv_rnorm4d(f64 x, f64 y, f64 z, f64 w)
{
    f64 a = abs64(x), b = abs64(y), c = abs64(z), d = abs64(w);
    struct f64_order ab = f64_sort(a, b), cd = f64_sort(c, d), top = f64_sort(ab.high, cd.high);
    struct f64_scales s = f64_scales_for(top.high);
    f64 others = f64_add_square(f64_add_square(0.0, cd.low, s.down), ab.low, s.down);

    others = f64_add_square(others, top.low, s.down);
    return f64_inverse_length((struct f64_vector){top.high, others, s},
                              max64(max64(a, b), max64(c, d)));
}
