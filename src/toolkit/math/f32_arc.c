/* f32_arc.c -- inverse trigonometric functions (see f32_math.h) */
#include "toolkit/math/f32_math.h"

/* asin s = s + s z p(z) with z = s^2, to 2^-25.9 for s in [0, 1/2] */
MATH f32 f32_asin_poly(f32 s, f32 z)
{
    f32 p = 0x1.3a0ca4p-5f;

    p = fma32(p, z, 0x1.b107f8p-6f);
    p = fma32(p, z, 0x1.70cf0cp-5f);
    p = fma32(p, z, 0x1.332634p-4f);
    p = fma32(p, z, 0x1.55555ep-3f);
    return f32_odd(s, z, p);
}

/* Above 1/2 asin a = pi/2 - 2 asin sqrt((1 - a) / 2).  Beyond 1 the root is NaN. */
MATH_API f32 __nv_asinf(f32 x)
{
    f32 a = abs32(x), half = fma32(a, -0.5f, 0.5f);
    u32 big = a > 0.5f;
    f32 z = mul32(a, a), y = f32_asin_poly(big ? sqrt32(half) : a, big ? half : z);

    return f32_copysign(big ? fma32(-2.0f, y, F32_PI_2) : y, x);
}

/* pi/2 - asin x, and near -1 and 1 the root again, with pi for its other side. */
MATH_API f32 __nv_acosf(f32 x)
{
    f32 a = abs32(x), half = fma32(a, -0.5f, 0.5f);
    u32 big = a > 0.5f;
    f32 z = mul32(a, a), y = f32_asin_poly(big ? sqrt32(half) : x, big ? half : z);

    y = big ? add32(y, y) : add32(F32_PI_2, -y);
    return x < -0.5f ? add32(0x1.921fb6p1f, -y) : y;
}

/* atan a = a + a z p(z) with z = a^2, to 2^-26.0 for a in [0, 1] */
MATH f32 f32_atan_poly(f32 a)
{
    f32 z = mul32(a, a), p = -0x1.449a16p-9f;

    p = fma32(p, z, 0x1.c62ea6p-7f);
    p = fma32(p, z, -0x1.2a759ap-5f);
    p = fma32(p, z, 0x1.01e514p-4f);
    p = fma32(p, z, -0x1.636df2p-4f);
    p = fma32(p, z, 0x1.c423eep-4f);
    p = fma32(p, z, -0x1.246f74p-3f);
    p = fma32(p, z, 0x1.99984cp-3f);
    p = fma32(p, z, -0x1.555554p-2f);
    return f32_odd(a, z, p);
}

MATH_API f32 __nv_atanf(f32 x)
{
    f32 a = abs32(x), inverse = rcp_approx(a);
    u32 big = a > 1.0f;
    f32 y = f32_atan_poly(big ? inverse : a);

    return f32_copysign(big ? add32(F32_PI_2, -y) : y, x);
}

/* The angle of the smaller by the larger, then mirrored at pi/4 and at pi/2. */
MATH_API f32 __nv_atan2f(f32 y, f32 x)
{
    f32 a = abs32(y), b = abs32(x);
    u32 steep = a > b;
    f32 lo = steep ? b : a, hi = steep ? a : b, t = div32(lo, hi);

    t = hi == 0.0f ? 0.0f : t;    /* 0/0 */
    t = lo == F32_INF ? 1.0f : t; /* inf/inf */
    f32 r = f32_atan_poly(t);

    r = steep ? add32(F32_PI_2, -r) : r;
    r = bits32(x) >> 31 ? add32(0x1.921fb6p1f, -r) : r;
    u32 numbers = (a <= F32_INF) & (b <= F32_INF);

    return numbers ? f32_copysign(r, y) : add32(x, y);
}
