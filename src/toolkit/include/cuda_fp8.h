/*
 * cuda_fp8.h -- floating point of 8 bits: of e4m3 kind, up to 448 and without infinities, and of e5m2
 * kind, up to 57344 (Micikevicius et al., "FP8 formats for deep learning", 2022).
 *
 *     types        __nv_fp8_e4m3, __nv_fp8_e5m2; two and four of them: __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, ..
 *     functions    __nv_cvt_float_to_fp8(v, __NV_SATFINITE, __NV_E4M3), .. of bits: __nv_fp8_storage_t, ..
 *
 * Conversions round to nearest, even.  What is above the largest number becomes it with __NV_SATFINITE,
 * as in all conversions of the types; with __NV_NOSAT it becomes an infinity of e5m2 and a NaN of e4m3,
 * with its sign.  A NaN becomes 0x7f of both.  On the device this is the instruction of the simulator,
 * whatever architecture is compiled for.  There is no arithmetic.  C has the plain types alone.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include <vector_types.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus

#include <smelt/fp8_bits.h>
#include <vector_functions.h>

/* --- functions of bits --- */

#define SMELT_FP8_OF(kind, function, args)                                                         \
    ((kind) == __NV_E4M3 ? __smelt::function<__smelt::e4m3> args                                   \
                         : __smelt::function<__smelt::e5m2>                                        \
                               args)

SMELT_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t kind)
{
    return SMELT_FP8_OF(kind, fp8_from2, (x.x, x.y, saturate == __NV_SATFINITE));
}

SMELT_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind)
{
    return SMELT_FP8_OF(kind, fp8_from, (x, saturate == __NV_SATFINITE));
}

SMELT_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind)
{
    return SMELT_FP8_OF(kind, fp8_from_floats, (x.x, x.y, saturate == __NV_SATFINITE));
}

SMELT_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(make_float2(x, 0), saturate, kind);
}

SMELT_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x,
                                                           __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t kind)
{
    unsigned int pair = __smelt::f16::join(x.x, x.y);
    return SMELT_FP8_OF(kind, fp8_from_halves, (pair, saturate == __NV_SATFINITE));
}

SMELT_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind)
{
    __half2_raw pair = {x.x, 0};
    return (__nv_fp8_storage_t)__nv_cvt_halfraw2_to_fp8x2(pair, saturate, kind);
}

SMELT_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                               __nv_saturation_t saturate,
                                                               __nv_fp8_interpretation_t kind)
{
    float2 wide = make_float2(__smelt::bf16::to_float(x.x), __smelt::bf16::to_float(x.y));
    return __nv_cvt_float2_to_fp8x2(wide, saturate, kind);
}

SMELT_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                          __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__smelt::bf16::to_float(x.x), saturate, kind);
}

SMELT_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                  __nv_fp8_interpretation_t kind)
{
    unsigned int pair = SMELT_FP8_OF(kind, fp8_to_halves, (x));
    __half2_raw halves = {__smelt::f16::low(pair), __smelt::f16::high(pair)};
    return halves;
}

SMELT_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    __half_raw half = {__nv_cvt_fp8x2_to_halfraw2(x, kind).x};
    return half;
}

#undef SMELT_FP8_OF

/* --- types --- */

#define SMELT_FP8 __nv_fp8_e4m3
#define SMELT_FP8X2 __nv_fp8x2_e4m3
#define SMELT_FP8X4 __nv_fp8x4_e4m3
#define SMELT_FP8_KIND __NV_E4M3
#include <smelt/fp8_type.inc>

#define SMELT_FP8 __nv_fp8_e5m2
#define SMELT_FP8X2 __nv_fp8x2_e5m2
#define SMELT_FP8X4 __nv_fp8x4_e5m2
#define SMELT_FP8_KIND __NV_E5M2
#include <smelt/fp8_type.inc>

#endif

#endif
