/*
 * f32_math.h -- the functions of single precision.
 *
 * Names and special values are those of C99 and CUDA (CUDA Math API, "Single Precision Mathematical
 * Functions").  Errors are within what CUDA documents (CUDA C Programming Guide, appendix
 * "Mathematical Functions"); tests/props/math_f32.inc states and checks them.  Subnormal arguments
 * and results are exact citizens.
 *
 * Odd functions end in x + x * t with t formed by an fma that adds +0: t is then never -0, and the
 * sum keeps the sign of a zero.
 *
 * A plain * stands where no sum can take the product in: it is exact, or goes to an fma, an
 * approximation or bits.  Products and reciprocals, being text to the compiler, are computed before
 * the choice between them and something else, or they would become branches.
 */
#ifndef RT_MATH_F32_MATH_H
#define RT_MATH_F32_MATH_H

#include "toolkit/math/math.h"

/* f32_exp.c */
f32 __nv_expf(f32 x);
f32 __nv_exp2f(f32 x);
f32 __nv_exp10f(f32 x);
f32 __nv_expm1f(f32 x);
f32 __nv_sinhf(f32 x);
f32 __nv_coshf(f32 x);
f32 __nv_tanhf(f32 x);

/* f32_log.c */
f32 __nv_logf(f32 x);
f32 __nv_log2f(f32 x);
f32 __nv_log10f(f32 x);
f32 __nv_log1pf(f32 x);
f32 __nv_asinhf(f32 x);
f32 __nv_acoshf(f32 x);
f32 __nv_atanhf(f32 x);

/* f32_pow.c */
f32 __nv_powf(f32 x, f32 y);
f32 __nv_powif(f32 x, s32 n);

/* f32_root.c */
f32 __nv_sqrtf(f32 x);
f32 __nv_rsqrtf(f32 x);
f32 __nv_cbrtf(f32 x);
f32 __nv_rcbrtf(f32 x);
f32 __nv_hypotf(f32 a, f32 b);
f32 __nv_rhypotf(f32 a, f32 b);
f32 __nv_norm3df(f32 a, f32 b, f32 c);
f32 __nv_rnorm3df(f32 a, f32 b, f32 c);
f32 __nv_norm4df(f32 a, f32 b, f32 c, f32 d);
f32 __nv_rnorm4df(f32 a, f32 b, f32 c, f32 d);
f32 __nv_normf(s32 n, const f32 *v);
f32 __nv_rnormf(s32 n, const f32 *v);

/* f32_trig.c */
f32 __nv_sinf(f32 x);
f32 __nv_cosf(f32 x);
void __nv_sincosf(f32 x, f32 *s, f32 *c);
f32 __nv_tanf(f32 x);
f32 __nv_sinpif(f32 x);
f32 __nv_cospif(f32 x);
void __nv_sincospif(f32 x, f32 *s, f32 *c);

/* f32_arc.c */
f32 __nv_asinf(f32 x);
f32 __nv_acosf(f32 x);
f32 __nv_atanf(f32 x);
f32 __nv_atan2f(f32 y, f32 x);

/* f32_round.c */
f32 __nv_floorf(f32 x);
f32 __nv_ceilf(f32 x);
f32 __nv_truncf(f32 x);
f32 __nv_rintf(f32 x);
f32 __nv_nearbyintf(f32 x);
f32 __nv_roundf(f32 x);
s64 __nv_llrintf(f32 x);
s64 __nv_llroundf(f32 x);
f32 __nv_fmodf(f32 x, f32 y);
f32 __nv_remainderf(f32 x, f32 y);
f32 __nv_remquof(f32 x, f32 y, s32 *quo); /* quo: the low three bits, with the sign */
f32 __nv_modff(f32 x, f32 *whole);

/* f32_parts.c */
f32 __nv_fabsf(f32 x);
f32 __nv_copysignf(f32 x, f32 sign);
f32 __nv_fmaxf(f32 a, f32 b);
f32 __nv_fminf(f32 a, f32 b);
f32 __nv_fdimf(f32 a, f32 b);
s32 __nv_isnanf(f32 x);
s32 __nv_isinff(f32 x);
s32 __nv_finitef(f32 x);
s32 __nv_signbitf(f32 x);
f32 __nv_nanf(const signed char *tag); /* the tag is not looked at */
f32 __nv_nextafterf(f32 x, f32 to);
f32 __nv_frexpf(f32 x, s32 *e);
f32 __nv_ldexpf(f32 x, s32 n);
f32 __nv_scalbnf(f32 x, s32 n);
s32 __nv_ilogbf(f32 x);
f32 __nv_logbf(f32 x);

/* f32_fast.c: the intrinsics __sinf, .. and what -use_fast_math makes of sinf, .. */
f32 __nv_fast_sinf(f32 x);
f32 __nv_fast_cosf(f32 x);
void __nv_fast_sincosf(f32 x, f32 *s, f32 *c);
f32 __nv_fast_tanf(f32 x);
f32 __nv_fast_expf(f32 x);
f32 __nv_fast_exp10f(f32 x);
f32 __nv_fast_logf(f32 x);
f32 __nv_fast_log2f(f32 x);
f32 __nv_fast_log10f(f32 x);
f32 __nv_fast_powf(f32 x, f32 y);
f32 __nv_fast_fdividef(f32 x, f32 y);

#define F32_INF __builtin_inff()
#define F32_NAN __builtin_nanf("")

/* Adding and subtracting this rounds a float below 2^22 to an integer. */
#define F32_ROUNDER 0x1.8p23f

#define F32_LN2 0x1.62e43p-1f
#define F32_PI_2 0x1.921fb6p0f

/* With the sign of another; the sign of x itself is dropped. */
MATH f32 f32_copysign(f32 x, f32 sign)
{
    return flt32((bits32(x) & 0x7fffffff) | (bits32(sign) & 0x80000000));
}

/* x + x z p: an odd function from its polynomial in z = x x. */
MATH f32 f32_odd(f32 x, f32 z, f32 p)
{
    return fma32(fma32(z, p, 0.0f), x, x);
}

#endif
