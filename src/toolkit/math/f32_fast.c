/*
 * f32_fast.c -- the short forms, with the machine's approximations as they are (see f32_math.h).
 *
 * Errors are as CUDA documents them for __sinf and so on: absolute ones for sine and cosine,
 * growing with |x| for the exponentials and powers.
 */
#include "toolkit/math/f32_math.h"

MATH_API f32 __nv_fast_sinf(f32 x)
{
    return sin_approx(x);
}

MATH_API f32 __nv_fast_cosf(f32 x)
{
    return cos_approx(x);
}

MATH_API void __nv_fast_sincosf(f32 x, f32 *s, f32 *c)
{
    *s = sin_approx(x);
    *c = cos_approx(x);
}

MATH_API f32 __nv_fast_tanf(f32 x)
{
    return div_approx(sin_approx(x), cos_approx(x));
}

MATH_API f32 __nv_fast_expf(f32 x)
{
    return ex2_approx(x * 0x1.715476p0f);
}

MATH_API f32 __nv_fast_exp10f(f32 x)
{
    return ex2_approx(x * 0x1.a934fp1f);
}

MATH_API f32 __nv_fast_logf(f32 x)
{
    return lg2_approx(x) * F32_LN2;
}

MATH_API f32 __nv_fast_log2f(f32 x)
{
    return lg2_approx(x);
}

MATH_API f32 __nv_fast_log10f(f32 x)
{
    return lg2_approx(x) * 0x1.344136p-2f;
}

MATH_API f32 __nv_fast_powf(f32 x, f32 y)
{
    return ex2_approx(y * lg2_approx(x));
}

MATH_API f32 __nv_fast_fdividef(f32 x, f32 y)
{
    return div_approx(x, y);
}
