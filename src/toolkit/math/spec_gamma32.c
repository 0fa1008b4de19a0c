/* spec_gamma32.c -- gamma functions in float (see spec.h). */
#define SPEC_BITS 32
#include "toolkit/math/spec_type.h"
#undef SPEC_BITS

/* lgamma(2 + u)/u, -0.75 <= u < 1; 2.5e-9 */
static const f32 spec32_lgamma_in[] = {0.422784328f,    0.322467029f,     -0.0673523769f,
                                       0.020580532f,    -0.00738445437f,  0.00289287791f,
                                       -0.00119906862f, 0.000502047886f,  -0.000205787757f,
                                       0.000108188324f, -6.73310715e-05f, 2.11760635e-05f};

/* (lgamma(x) - (x - 0.5)(log(x) - 1) - c) x in 1/x^2, x >= 5; 1.1e-9 */
static const f32 spec32_lgamma_out[] = {0.0833333358f, -0.0027772875f, 0.00076015864f};

/* 1/gamma(1 + u), |u| <= 0.5; 2.1e-9 */
static const f32 spec32_rgamma[] = {1.0f,           0.577215672f,   -0.655878246f,   -0.0420042947f,
                                    0.166542411f,   -0.0421739742f, -0.00965360086f, 0.00709362747f,
                                    -0.00105718873f};

#include "toolkit/math/spec_gamma.inc"

/*
 * gamma(x) = gamma(1 + u) times or over a product of k factors.  The product is kept in two parts
 * (its rounding errors would add up to 8 ulp at 35), and a long one small, lest it overflow before
 * the result does.
 */
MATH f32 spec32_gamma(f32 x)
{
    f32 k = rint32(x), u = k == 0 ? x : add32(x, -k), f = k >= 1 ? add32(x, -1.0f) : u;
    s32 n = (s32)(k >= 1 ? add32(k, -1.0f) : add32(1.0f, -k));
    f32 scale = n > 20 ? 0x1p-60f : 1.0f, p = scale, low = 0, g = POLY(u, rgamma);

    for (; n > 0; n--) {
        f32 q = mul32(p, f);

        low = fma32(low, f, fma32(p, f, -q));
        p = q;
        f = add32(f, -1.0f);
    }
    p = low == 0 ? p : add32(p, low); /* for the sign of zero */
    return k >= 1 ? div32(div32(p, g), scale) : div32(scale, mul32(p, g));
}

MATH_API f32 __nv_tgammaf(f32 x)
{
    if (!(x <= 40.0f))
        return add32(x, INF);
    if (x < 0 && rint32(x) == x)
        return NOT_A_NUMBER;
    if (x < -44.0f) /* zero; one in two has a sign */
        return (s32)floor32(x) & 1 ? -0.0f : 0.0f;
    return spec32_gamma(x);
}
