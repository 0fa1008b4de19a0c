/*
 * spec.h -- the special functions of the device math library, float and double.
 *
 * Error functions, normal distribution, gamma, Bessel.  Names and signatures are those of clang's
 * __clang_cuda_libdevice_declares.h.  The largest errors are the ones that the CUDA C Programming
 * Guide documents for its own library (tests/props has them, function by function).
 *
 * Both precisions take the same steps, so each step stands once, in spec_X.inc, written in the
 * words of spec_type.h; spec_X32.c and spec_X64.c are what differs: the polynomials, and where one
 * interval ends and the next begins.  All polynomials are minimax ones computed for this library
 * by Remez' exchange; beside each is its variable, its interval and its largest error, relative
 * where nothing else is said.
 */
#ifndef RT_MATH_SPEC_H
#define RT_MATH_SPEC_H

#include "toolkit/math/f32_math.h"
#include "toolkit/math/f64.h"

/* spec_erf.inc */
f32 __nv_erff(f32 x);
f32 __nv_erfcf(f32 x);
f32 __nv_erfcxf(f32 x);
f32 __nv_normcdff(f32 x);
f32 __nv_erfinvf(f32 x);
f32 __nv_erfcinvf(f32 x);
f32 __nv_normcdfinvf(f32 x);
f64 __nv_erf(f64 x);
f64 __nv_erfc(f64 x);
f64 __nv_erfcx(f64 x);
f64 __nv_normcdf(f64 x);
f64 __nv_erfinv(f64 x);
f64 __nv_erfcinv(f64 x);
f64 __nv_normcdfinv(f64 x);

/* spec_gamma.inc */
f32 __nv_lgammaf(f32 x);
f32 __nv_tgammaf(f32 x);
f64 __nv_lgamma(f64 x);
f64 __nv_tgamma(f64 x);

/* spec_bessel.inc */
f32 __nv_j0f(f32 x);
f32 __nv_j1f(f32 x);
f32 __nv_jnf(s32 n, f32 x);
f32 __nv_y0f(f32 x);
f32 __nv_y1f(f32 x);
f32 __nv_ynf(s32 n, f32 x);
f64 __nv_j0(f64 x);
f64 __nv_j1(f64 x);
f64 __nv_jn(s32 n, f64 x);
f64 __nv_y0(f64 x);
f64 __nv_y1(f64 x);
f64 __nv_yn(s32 n, f64 x);

/* spec_bessel_i.inc */
f32 __nv_cyl_bessel_i0f(f32 x);
f32 __nv_cyl_bessel_i1f(f32 x);
f64 __nv_cyl_bessel_i0(f64 x);
f64 __nv_cyl_bessel_i1(f64 x);

#endif
