/*
 * old_names.h -- device functions that CUDA had under other names before version 9, and those of
 * NVIDIA's headers that clang's have not.
 *
 * Templates, so that a program's own function of the same name is preferred, not refused.
 */
#ifndef SMELT_OLD_NAMES_H
#define SMELT_OLD_NAMES_H

#define CUDA_OLD_NAME(result, old, type, now)                                                      \
    template <int = 0> static __device__ __forceinline__ result old(type a, type b)                \
    {                                                                                              \
        return now(a, b);                                                                          \
    }
CUDA_OLD_NAME(int, mul24, int, __mul24)
CUDA_OLD_NAME(unsigned int, umul24, unsigned int, __umul24)
CUDA_OLD_NAME(int, mulhi, int, __mulhi)
CUDA_OLD_NAME(unsigned int, umulhi, unsigned int, __umulhi)
CUDA_OLD_NAME(float, fdividef, float, __fdividef)
#undef CUDA_OLD_NAME

template <int = 0> static __device__ __forceinline__ float saturate(float x)
{
    return __saturatef(x);
}

template <int = 0> static __device__ __forceinline__ float int_as_float(int x)
{
    return __int_as_float(x);
}

template <int = 0> static __device__ __forceinline__ int float_as_int(float x)
{
    return __float_as_int(x);
}

/* In which memory does a generic address lie? */
static __device__ __forceinline__ unsigned int __isGlobal(const void *p)
{
    return __nvvm_isspacep_global(p);
}

static __device__ __forceinline__ unsigned int __isShared(const void *p)
{
    return __nvvm_isspacep_shared(p);
}

static __device__ __forceinline__ unsigned int __isConstant(const void *p)
{
    return __nvvm_isspacep_const(p);
}

static __device__ __forceinline__ unsigned int __isLocal(const void *p)
{
    return __nvvm_isspacep_local(p);
}

/* A generic address as one of that memory, for inline assembly, and back. */
#define SMELT_CVTA(name, space)                                                                    \
    static __device__ __forceinline__ size_t __cvta_generic_to_##name(const void *p)               \
    {                                                                                              \
        size_t at;                                                                                 \
        asm("cvta.to." #space ".u64 %0, %1;" : "=l"(at) : "l"(p));                                 \
        return at;                                                                                 \
    }                                                                                              \
    static __device__ __forceinline__ void *__cvta_##name##_to_generic(size_t at)                  \
    {                                                                                              \
        void *p;                                                                                   \
        asm("cvta." #space ".u64 %0, %1;" : "=l"(p) : "l"(at));                                    \
        return p;                                                                                  \
    }
SMELT_CVTA(global, global)
SMELT_CVTA(shared, shared)
SMELT_CVTA(local, local)
SMELT_CVTA(constant, const)
#undef SMELT_CVTA

#endif
