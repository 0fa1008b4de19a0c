/* spec_poly.h -- polynomials given as tables; the loop and the loads are gone when compiled. */
#ifndef RT_MATH_SPEC_POLY_H
#define RT_MATH_SPEC_POLY_H

#include "toolkit/math/math.h"

#ifdef __NVPTX__
#define SPEC_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SPEC_UNROLL
#endif

/* c[0] + c[1] x + .. + c[n - 1] x^(n - 1) */
MATH f32 spec32_poly(f32 x, const f32 *c, s32 n)
{
    f32 p = c[n - 1];

    SPEC_UNROLL
    for (s32 i = n - 2; i >= 0; i--)
        p = fma32(p, x, c[i]);
    return p;
}

MATH f64 spec64_poly(f64 x, const f64 *c, s32 n)
{
    f64 p = c[n - 1];

    SPEC_UNROLL
    for (s32 i = n - 2; i >= 0; i--)
        p = fma64(p, x, c[i]);
    return p;
}

#endif
