/* f32_exp.c -- exponentials and hyperbolic functions (see f32_math.h) */
#include "toolkit/math/f32_math.h"

/*
 * 2^(x (hi + lo) + shift).  The integer j nearest to x hi is split off: what remains is exact but
 * for 2^-26, and the machine's 2^r is good to its 2 ulp.  2^j is taken as 2 times 2^(j-1), so that
 * neither the largest results nor the subnormal ones round twice.  From |x| = 256 on the remainder
 * means nothing, and 2^j alone is infinite, zero or NaN.
 */
MATH f32 f32_exp_base(f32 x, f32 hi, f32 lo, f32 shift)
{
    f32 j = add32(fma32(x, hi, F32_ROUNDER), -F32_ROUNDER);
    f32 r = fma32(x, lo, fma32(x, hi, -j));
    f32 y = ex2_approx(abs32(x) < 256.0f ? r : 0.0f);

    return mul32(add32(y, y), ex2_approx(add32(j, shift - 1.0f)));
}

/* e^x 2^shift */
MATH f32 f32_exp(f32 x, f32 shift)
{
    return f32_exp_base(x, 0x1.715476p0f, 0x1.4ae0cp-26f, shift); /* log2 e */
}

MATH_API f32 __nv_expf(f32 x)
{
    return f32_exp(x, 0.0f);
}

MATH_API f32 __nv_exp2f(f32 x)
{
    return ex2_approx(x);
}

MATH_API f32 __nv_exp10f(f32 x)
{
    return f32_exp_base(x, 0x1.a934fp1f, 0x1.2f346ep-24f, 0.0f); /* log2 10 */
}

/* e^r - 1 for |r| < 0.43: r + r^2 q(r) to 2^-28.9 */
MATH f32 f32_expm1_poly(f32 r)
{
    f32 q = 0x1.a27dp-13f;

    q = fma32(q, r, 0x1.6dc642p-10f);
    q = fma32(q, r, 0x1.110fep-7f);
    q = fma32(q, r, 0x1.55548ep-5f);
    q = fma32(q, r, 0x1.555556p-3f);
    q = fma32(q, r, 0.5f);
    return f32_odd(r, r, q);
}

/*
 * x = j ln 2 + r: 2^j (e^r - 1) + (2^j - 1), halved until the end for the sake of j = 128.  Up to
 * 0.43 j is 0: with j = 1 the parts would cancel.  Below -25 the result is -1 anyway.
 */
MATH_API f32 __nv_expm1f(f32 x)
{
    f32 low = x < -25.0f ? -25.0f : x;
    f32 j = add32(fma32(low, 0x1.715476p0f, F32_ROUNDER), -F32_ROUNDER);

    j = abs32(x) < 0.43f ? 0.0f : j;
    f32 r = fma32(j, -0x1.efa39ep-25f, fma32(j, -0x1.62e42ep-1f, low)); /* ln 2, both parts > 0 */
    f32 p = f32_expm1_poly(r), s = ex2_approx(add32(j, -1.0f));
    f32 e = fma32(s, p, add32(s, -0.5f));

    e = j == 0.0f ? p : add32(e, e);
    return x > 89.0f ? F32_INF : e;
}

/* (e^a + e^-a) / 2, from a quarter of e^a, which is finite as long as the result is. */
MATH_API f32 __nv_coshf(f32 x)
{
    f32 c = f32_exp(abs32(x), -2.0f);

    return fma32(2.0f, c, 0.125f * rcp_approx(c));
}

/* Below 1 x + x z p(z) with z = x^2, to 2^-30.2. */
MATH_API f32 __nv_sinhf(f32 x)
{
    f32 a = abs32(x), z = mul32(x, x), p = 0x1.725236p-19f;

    if (a >= 1.0f) {
        f32 c = f32_exp(a, -2.0f);

        return f32_copysign(fma32(2.0f, c, -0.125f * rcp_approx(c)), x);
    }
    p = fma32(p, z, 0x1.a03554p-13f);
    p = fma32(p, z, 0x1.1110c6p-7f);
    p = fma32(p, z, 0x1.555556p-3f);
    return f32_odd(x, z, p);
}

/* Below 0.6 x + x z p(z) with z = x^2, to 2^-26.4; above 1 - 2 / (e^2a + 1). */
MATH_API f32 __nv_tanhf(f32 x)
{
    f32 a = abs32(x), z = mul32(x, x), p = -0x1.9cb4ccp-8f;

    if (a >= 0.6f) {
        f32 e = f32_exp(add32(a, a), 0.0f);

        return f32_copysign(fma32(-2.0f, rcp_approx(add32(e, 1.0f)), 1.0f), x);
    }
    p = fma32(p, z, 0x1.5a3cc6p-6f);
    p = fma32(p, z, -0x1.b96134p-5f);
    p = fma32(p, z, 0x1.110f2p-3f);
    p = fma32(p, z, -0x1.555554p-2f);
    return f32_odd(x, z, p);
}
