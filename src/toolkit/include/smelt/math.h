/*
 * math.h -- clang's sinf, expf, .., with what -use_fast_math changes according to the CUDA C
 * Programming Guide.  clang's own list of those functions is shorter.
 *
 * clang has no option for square roots, so -prec-sqrt=false comes as the macro that nvcc has too.
 */
#ifndef SMELT_MATH_H
#define SMELT_MATH_H

#if defined(__CUDA_PREC_SQRT) && !__CUDA_PREC_SQRT
#ifdef __CUDA_FTZ
#define __nv_sqrtf __nvvm_sqrt_approx_ftz_f
#else
#define __nv_sqrtf __nvvm_sqrt_approx_f
#endif
#endif
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
#define __nv_expf __nv_fast_expf
#define __nv_exp10f __nv_fast_exp10f
#define __nv_log10f __nv_fast_log10f
#define __nv_powf __nv_fast_powf
#define __nv_tanf __nv_fast_tanf
#endif

#include <__clang_cuda_math.h>

#undef __nv_sqrtf
#undef __nv_expf
#undef __nv_exp10f
#undef __nv_log10f
#undef __nv_powf
#undef __nv_tanf

#endif
