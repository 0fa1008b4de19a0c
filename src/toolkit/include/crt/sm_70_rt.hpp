/*
 * sm_70_rt.hpp -- what clang's intrinsics header expects in this place: the functions of sm_70
 * that NVIDIA's headers build on the __match builtins.
 */
#ifndef CRT_SM_70_RT_HPP
#define CRT_SM_70_RT_HPP

#define CUDA_MATCH(type, bits, as)                                                                 \
    static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int lanes, type v)    \
    {                                                                                              \
        return __match##bits##_any_sync(lanes, as(v));                                             \
    }                                                                                              \
    static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int lanes, type v,    \
                                                                    int *all)                      \
    {                                                                                              \
        return __match##bits##_all_sync(lanes, as(v), all);                                        \
    }
CUDA_MATCH(int, 32, (unsigned int))
CUDA_MATCH(unsigned int, 32, (unsigned int))
CUDA_MATCH(float, 32, __float_as_uint)
CUDA_MATCH(long, 64, (unsigned long long))
CUDA_MATCH(unsigned long, 64, (unsigned long long))
CUDA_MATCH(long long, 64, (unsigned long long))
CUDA_MATCH(unsigned long long, 64, (unsigned long long))
CUDA_MATCH(double, 64, __double_as_longlong)
#undef CUDA_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned int ns)
{
    asm volatile("nanosleep.u32 %0;" : : "r"(ns));
}

#endif
