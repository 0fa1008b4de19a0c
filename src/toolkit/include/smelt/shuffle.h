/*
 * shuffle.h -- exchange among the lanes of a warp: __shfl.. of old and __shfl_.._sync.
 *
 * clang's header has them as well, but there (clang 14) those of unsigned long long call
 * themselves for ever; so it is read with the names out of the way, for all else that it has:
 * votes, __ldg, __syncwarp, funnel shifts, matches.
 */
#ifndef SMELT_SHUFFLE_H
#define SMELT_SHUFFLE_H

#pragma push_macro("__shfl")
#pragma push_macro("__shfl_up")
#pragma push_macro("__shfl_down")
#pragma push_macro("__shfl_xor")
#pragma push_macro("__shfl_sync")
#pragma push_macro("__shfl_up_sync")
#pragma push_macro("__shfl_down_sync")
#pragma push_macro("__shfl_xor_sync")
#define __shfl __clang_shfl
#define __shfl_up __clang_shfl_up
#define __shfl_down __clang_shfl_down
#define __shfl_xor __clang_shfl_xor
#define __shfl_sync __clang_shfl_sync
#define __shfl_up_sync __clang_shfl_up_sync
#define __shfl_down_sync __clang_shfl_down_sync
#define __shfl_xor_sync __clang_shfl_xor_sync
#include <__clang_cuda_intrinsics.h>
#pragma pop_macro("__shfl")
#pragma pop_macro("__shfl_up")
#pragma pop_macro("__shfl_down")
#pragma pop_macro("__shfl_xor")
#pragma pop_macro("__shfl_sync")
#pragma pop_macro("__shfl_up_sync")
#pragma pop_macro("__shfl_down_sync")
#pragma pop_macro("__shfl_xor_sync")

#if __CUDA_ARCH__ >= 300

/*
 * The instruction's last operand: how far a sub-warp of `width` lanes reaches (bits 8 to 12) and
 * the lane beyond which nothing is read, 31, or 0 where lanes look to lower ones.
 */
static __device__ __forceinline__ int __cuda_shfl_limit(int width, int last)
{
    return (32 - width) << 8 | last;
}

/*
 * A function per type, those of 64 bits in two halves.  `mask` is SYNC or OLD: with or without
 * the mask of lanes before the value.
 */
#define CUDA_PARAM_SYNC unsigned int lanes,
#define CUDA_PARAM_OLD
#define CUDA_ARG_SYNC lanes,
#define CUDA_ARG_OLD

#define CUDA_SHFL_32(name, type, mask, builtin, last, offset_type)                                 \
    static __device__ __forceinline__ type name(CUDA_PARAM_##mask type v, offset_type offset,      \
                                                int width = 32)                                    \
    {                                                                                              \
        int bits;                                                                                  \
        memcpy(&bits, &v, sizeof(bits));                                                           \
        bits = builtin(CUDA_ARG_##mask bits, offset, __cuda_shfl_limit(width, last));              \
        memcpy(&v, &bits, sizeof(v));                                                              \
        return v;                                                                                  \
    }

#define CUDA_SHFL_64(name, type, mask, offset_type)                                                \
    static __device__ __forceinline__ type name(CUDA_PARAM_##mask type v, offset_type offset,      \
                                                int width = 32)                                    \
    {                                                                                              \
        unsigned int half[2];                                                                      \
        memcpy(half, &v, sizeof(v));                                                               \
        half[0] = name(CUDA_ARG_##mask half[0], offset, width);                                    \
        half[1] = name(CUDA_ARG_##mask half[1], offset, width);                                    \
        memcpy(&v, half, sizeof(v));                                                               \
        return v;                                                                                  \
    }

#define CUDA_SHFL(name, mask, builtin, last, offset_type)                                          \
    CUDA_SHFL_32(name, int, mask, builtin, last, offset_type)                                      \
    CUDA_SHFL_32(name, unsigned int, mask, builtin, last, offset_type)                             \
    CUDA_SHFL_32(name, float, mask, builtin, last, offset_type)                                    \
    CUDA_SHFL_64(name, long, mask, offset_type)                                                    \
    CUDA_SHFL_64(name, unsigned long, mask, offset_type)                                           \
    CUDA_SHFL_64(name, long long, mask, offset_type)                                               \
    CUDA_SHFL_64(name, unsigned long long, mask, offset_type)                                      \
    CUDA_SHFL_64(name, double, mask, offset_type)

CUDA_SHFL(__shfl, OLD, __nvvm_shfl_idx_i32, 31, int)
CUDA_SHFL(__shfl_up, OLD, __nvvm_shfl_up_i32, 0, unsigned int)
CUDA_SHFL(__shfl_down, OLD, __nvvm_shfl_down_i32, 31, unsigned int)
CUDA_SHFL(__shfl_xor, OLD, __nvvm_shfl_bfly_i32, 31, int)
CUDA_SHFL(__shfl_sync, SYNC, __nvvm_shfl_sync_idx_i32, 31, int)
CUDA_SHFL(__shfl_up_sync, SYNC, __nvvm_shfl_sync_up_i32, 0, unsigned int)
CUDA_SHFL(__shfl_down_sync, SYNC, __nvvm_shfl_sync_down_i32, 31, unsigned int)
CUDA_SHFL(__shfl_xor_sync, SYNC, __nvvm_shfl_sync_bfly_i32, 31, int)

#undef CUDA_SHFL
#undef CUDA_SHFL_64
#undef CUDA_SHFL_32
#undef CUDA_ARG_OLD
#undef CUDA_ARG_SYNC
#undef CUDA_PARAM_OLD
#undef CUDA_PARAM_SYNC

#endif

#endif
