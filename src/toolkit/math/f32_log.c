/* f32_log.c -- logarithms and the inverse hyperbolic functions (see f32_math.h) */
#include "toolkit/math/f32_math.h"

/* x = 2^e (1 + f) with 1 + f in [m, 2 m), m as bits; exact for positive finite x. */
struct f32_split {
    f32 f, e;
};

#define F32_TWO_THIRDS 0x3f2aaaab
#define F32_ROOT_HALF 0x3f3504f3

MATH struct f32_split f32_log_split(f32 x, u32 m)
{
    u32 tiny = x < 0x1p-126f;
    u32 b = bits32(tiny ? x * 0x1p23f : x), i = (b - m) & 0xff800000;
    f32 e = fma32((f32)(s32)i, 0x1p-23f, tiny ? -23.0f : 0.0f);

    return (struct f32_split){add32(flt32(b - i), -1.0f), e};
}

/* r, or what logarithms are where there is no finite one. */
MATH f32 f32_log_special(f32 x, f32 r)
{
    r = bits32(x) >= 0x7f800000 ? fma32(x, F32_INF, F32_INF) : r; /* inf for inf, else NaN */
    return x == 0.0f ? -F32_INF : r;
}

/* log(1 + f) = f + f^2 q(f), to 2^-26.7 for |f| <= 1/3 */
MATH_API f32 __nv_logf(f32 x)
{
    struct f32_split s = f32_log_split(x, F32_TWO_THIRDS);
    f32 q = -0x1.087e8p-3f;

    q = fma32(q, s.f, 0x1.19b5a6p-3f);
    q = fma32(q, s.f, -0x1.f30748p-4f);
    q = fma32(q, s.f, 0x1.1fd5fp-3f);
    q = fma32(q, s.f, -0x1.559bf4p-3f);
    q = fma32(q, s.f, 0x1.99bfe6p-3f);
    q = fma32(q, s.f, -0x1.ffff0cp-3f);
    q = fma32(q, s.f, 0x1.55552cp-2f);
    q = fma32(q, s.f, -0.5f);
    return f32_log_special(x, fma32(s.e, F32_LN2, fma32(mul32(s.f, q), s.f, s.f)));
}

/* log2(1 + f) = f q(f), to 2^-26.1 for |f| <= 1/3 */
MATH_API f32 __nv_log2f(f32 x)
{
    struct f32_split s = f32_log_split(x, F32_TWO_THIRDS);
    f32 q = -0x1.8ab862p-3f;

    q = fma32(q, s.f, 0x1.96c594p-3f);
    q = fma32(q, s.f, -0x1.6474dap-3f);
    q = fma32(q, s.f, 0x1.9f721ep-3f);
    q = fma32(q, s.f, -0x1.ed27fep-3f);
    q = fma32(q, s.f, 0x1.278c8p-2f);
    q = fma32(q, s.f, -0x1.715262p-2f);
    q = fma32(q, s.f, 0x1.ec70bcp-2f);
    q = fma32(q, s.f, -0x1.715478p-1f);
    q = fma32(q, s.f, 0x1.715476p0f);
    return f32_log_special(x, fma32(s.f, q, s.e));
}

/*
 * log10(1 + f) = f q(f), to 2^-24.4 for f in [-0.293, 0.414].  This range is wider, but its ends
 * cancel least with e log10 2.
 */
MATH_API f32 __nv_log10f(f32 x)
{
    struct f32_split s = f32_log_split(x, F32_ROOT_HALF);
    f32 q = 0x1.3d562p-5f;

    q = fma32(q, s.f, -0x1.0216b4p-4f);
    q = fma32(q, s.f, 0x1.09e19p-4f);
    q = fma32(q, s.f, -0x1.263c8ep-4f);
    q = fma32(q, s.f, 0x1.62f688p-4f);
    q = fma32(q, s.f, -0x1.bcc584p-4f);
    q = fma32(q, s.f, 0x1.287ccp-3f);
    q = fma32(q, s.f, -0x1.bcb7a4p-3f);
    q = fma32(q, s.f, 0x1.bcb7bp-2f);
    return f32_log_special(x, fma32(s.e, 0x1.344136p-2f, mul32(s.f, q)));
}

/*
 * log(1 + x) for finite x > -1.  1 + x = 2^e (1 + f) with 1 + f in [3/4, 3/2), where the exponent
 * of the rounded sum 1 + x serves for e, and f = x 2^-e + (2^-e - 1) rounds only once.
 * log(1 + f) = f + f^2 q(f), to 2^-26.1.
 */
MATH f32 f32_log1p(f32 x)
{
    u32 i = (bits32(add32(x, 1.0f)) - 0x3f400000) & 0xff800000;
    f32 scale = flt32(0x40800000 - i); /* 2^(2-e), never subnormal */
    f32 f = add32(flt32(bits32(x) - i), fma32(0.25f, scale, -1.0f));
    f32 e = (f32)(s32)i * 0x1p-23f, q = -0x1.928ba2p-5f;

    q = fma32(q, f, 0x1.ba3f34p-4f);
    q = fma32(q, f, -0x1.0d452cp-3f);
    q = fma32(q, f, 0x1.275b46p-3f);
    q = fma32(q, f, -0x1.54defp-3f);
    q = fma32(q, f, 0x1.997a94p-3f);
    q = fma32(q, f, -0x1.00009cp-2f);
    q = fma32(q, f, 0x1.55557cp-2f);
    q = fma32(q, f, -0.5f);
    return fma32(e, F32_LN2, fma32(mul32(f, q), f, f));
}

MATH_API f32 __nv_log1pf(f32 x)
{
    f32 r = f32_log1p(x);

    if (!(x > -1.0f && x < F32_INF))
        r = x == -1.0f ? -F32_INF : fma32(x, F32_INF, F32_INF); /* inf for inf, else NaN */
    return x == 0.0f ? x : r;
}

/* log(a + sqrt(a^2 + 1)) = log1p(a + a^2 / (1 + sqrt(a^2 + 1))); from 2^30 on log(2 a). */
MATH_API f32 __nv_asinhf(f32 x)
{
    f32 a = abs32(x), root = sqrt32(fma32(a, a, 1.0f));
    f32 y = fma32(mul32(a, rcp_approx(add32(root, 1.0f))), a, a);
    u32 big = !(a < 0x1p30f);
    f32 r = f32_log1p(big ? a : y);

    r = big ? add32(r, F32_LN2) : r;
    return f32_copysign(a < F32_INF ? r : add32(a, a), x);
}

/* log1p(t + sqrt(t^2 + 2 t)) with t = x - 1; from 2^30 on log(2 x). */
MATH_API f32 __nv_acoshf(f32 x)
{
    f32 t = add32(x, -1.0f), y = add32(t, sqrt32(fma32(t, t, add32(t, t))));
    u32 big = x >= 0x1p30f;
    f32 r = f32_log1p(big ? t : y);

    r = big ? add32(r, F32_LN2) : r;
    r = x < F32_INF ? r : add32(x, x);
    return x < 1.0f ? F32_NAN : r;
}

/* log1p(2 a / (1 - a)) / 2 */
MATH_API f32 __nv_atanhf(f32 x)
{
    f32 a = abs32(x);

    return f32_copysign(0.5f * __nv_log1pf(div32(add32(a, a), add32(1.0f, -a))), x);
}
