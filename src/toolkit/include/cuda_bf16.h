/*
 * cuda_bf16.h -- the upper half of a float: __nv_bfloat16 and pairs of them.
 *
 *     types          __nv_bfloat16, __nv_bfloat162; without constructors __nv_bfloat16_raw, __nv_bfloat162_raw
 *     host, device   conversions, arithmetic, comparisons, functions, operators
 *     device         shuffles, atomicAdd, __ldg
 *
 * Whatever architecture is compiled for, each operation is the instruction of this type that the
 * simulator has.  All is in smelt/half_*.inc, once for both formats.  C has the plain types alone.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <vector_types.h>

typedef struct __align__(2)
{
    unsigned short x;
}
__nv_bfloat16_raw;

typedef struct __align__(4)
{
    unsigned short x, y;
}
__nv_bfloat162_raw;

#ifndef __cplusplus

typedef __nv_bfloat16_raw __nv_bfloat16;
typedef __nv_bfloat162_raw __nv_bfloat162;

#else

#include <smelt/half_round.h>

#define SMELT_BITS bf16
#define SMELT_PTX "bf16"
#define SMELT_P 8
#define SMELT_E_MAX 127
#define SMELT_HALF __nv_bfloat16
#define SMELT_HALF2 __nv_bfloat162
#define SMELT_HALF_RAW __nv_bfloat16_raw
#define SMELT_HALF2_RAW __nv_bfloat162_raw
#define SMELT_NAME bfloat16
#define SMELT_NAME2 bfloat162
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define SMELT_HAS_CONVERSIONS
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define SMELT_HAS_OPERATORS
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define SMELT_HAS_OPERATORS2
#endif

#include <smelt/half_bits.inc>
#include <smelt/half_type.inc>
#include <smelt/half_math.inc>

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#endif

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#endif
