/*
 * cuda_fp16.h -- floating point of 16 bits as IEEE 754 has it: __half and pairs of them.
 *
 *     types          __half, __half2; without constructors __half_raw, __half2_raw
 *     host, device   conversions, arithmetic, comparisons, functions, operators
 *     device         shuffles, atomicAdd, __ldg
 *
 * Whatever architecture is compiled for, each operation is the instruction of this type that the
 * simulator has.  All is in smelt/half_*.inc, once for both formats.  C has the plain types alone.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include <vector_types.h>

typedef struct __align__(2)
{
    unsigned short x;
}
__half_raw;

typedef struct __align__(4)
{
    unsigned short x, y;
}
__half2_raw;

#ifndef __cplusplus

typedef __half_raw __half;
typedef __half2_raw __half2;

#else

#include <smelt/half_round.h>

#define SMELT_BITS f16
#define SMELT_PTX "f16"
#define SMELT_P 11
#define SMELT_E_MAX 15
#define SMELT_HAS_SAT
#define SMELT_HALF __half
#define SMELT_HALF2 __half2
#define SMELT_HALF_RAW __half_raw
#define SMELT_HALF2_RAW __half2_raw
#define SMELT_NAME half
#define SMELT_NAME2 half2
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define SMELT_HAS_CONVERSIONS
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define SMELT_HAS_OPERATORS
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define SMELT_HAS_OPERATORS2
#endif

#include <smelt/half_bits.inc>
#include <smelt/half_type.inc>
#include <smelt/half_math.inc>

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#endif

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#endif
