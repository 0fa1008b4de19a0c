/*
 * f64.h -- the double-precision elementary functions of the device math library.
 *
 * Names and signatures are those of clang's __clang_cuda_libdevice_declares.h.  The largest errors
 * are the ones that the CUDA C Programming Guide documents for its own library (tests/props has
 * them, function by function); special values are those of C99's annex F.
 */
#ifndef RT_MATH_F64_H
#define RT_MATH_F64_H

#include "toolkit/math/math.h"

/* f64_exp.c */
f64 __nv_exp(f64 x);
f64 __nv_exp2(f64 x);
f64 __nv_exp10(f64 x);
f64 __nv_expm1(f64 x);
f64 __nv_sinh(f64 x);
f64 __nv_cosh(f64 x);
f64 __nv_tanh(f64 x);

/* f64_log.c */
f64 __nv_log(f64 x);
f64 __nv_log2(f64 x);
f64 __nv_log10(f64 x);
f64 __nv_log1p(f64 x);
f64 __nv_asinh(f64 x);
f64 __nv_acosh(f64 x);
f64 __nv_atanh(f64 x);

/* f64_pow.c */
f64 __nv_pow(f64 x, f64 y);
f64 __nv_powi(f64 x, s32 n);

/* f64_trig.c */
f64 __nv_sin(f64 x);
f64 __nv_cos(f64 x);
f64 __nv_tan(f64 x);
f64 __nv_sinpi(f64 x);
f64 __nv_cospi(f64 x);
void __nv_sincos(f64 x, f64 *s, f64 *c);
void __nv_sincospi(f64 x, f64 *s, f64 *c);

/* f64_arc.c */
f64 __nv_asin(f64 x);
f64 __nv_acos(f64 x);
f64 __nv_atan(f64 x);
f64 __nv_atan2(f64 y, f64 x);

/* f64_root.c */
f64 __nv_sqrt(f64 x);
f64 __nv_rsqrt(f64 x);
f64 __nv_cbrt(f64 x);
f64 __nv_rcbrt(f64 x);
f64 __nv_hypot(f64 x, f64 y);
f64 __nv_rhypot(f64 x, f64 y);
f64 __nv_norm3d(f64 x, f64 y, f64 z);
f64 __nv_rnorm3d(f64 x, f64 y, f64 z);
f64 __nv_norm4d(f64 x, f64 y, f64 z, f64 w);
f64 __nv_rnorm4d(f64 x, f64 y, f64 z, f64 w);
f64 __nv_norm(s32 n, const f64 *v);
f64 __nv_rnorm(s32 n, const f64 *v);

/* f64_rem.c */
f64 __nv_fmod(f64 x, f64 y);
f64 __nv_remainder(f64 x, f64 y);
f64 __nv_remquo(f64 x, f64 y, s32 *quo);

/* f64_bits.c */
f64 __nv_fabs(f64 x);
f64 __nv_fmin(f64 x, f64 y);
f64 __nv_fmax(f64 x, f64 y);
f64 __nv_fdim(f64 x, f64 y);
f64 __nv_copysign(f64 x, f64 y);
f64 __nv_nextafter(f64 x, f64 y);
f64 __nv_trunc(f64 x);
f64 __nv_floor(f64 x);
f64 __nv_ceil(f64 x);
f64 __nv_rint(f64 x);
f64 __nv_nearbyint(f64 x);
f64 __nv_round(f64 x);
s64 __nv_llrint(f64 x);
s64 __nv_llround(f64 x);
f64 __nv_modf(f64 x, f64 *whole);
f64 __nv_frexp(f64 x, s32 *exponent);
f64 __nv_ldexp(f64 x, s32 n);
f64 __nv_scalbn(f64 x, s32 n);
f64 __nv_logb(f64 x);
s32 __nv_ilogb(f64 x);
s32 __nv_isnand(f64 x);
s32 __nv_isinfd(f64 x);
s32 __nv_isfinited(f64 x);
s32 __nv_signbitd(f64 x);
f64 __nv_nan(const signed char *payload);

#endif
