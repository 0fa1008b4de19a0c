/*
 * atomic.h -- CUDA's atomic functions, by overloading, on those that clang has by name.
 *
 * __iAtomicAdd works on int, __u.. on unsigned, __ull.. on unsigned long long and so on.  Plain
 * functions are atomic for the whole GPU, _block ones for a CTA, _system ones for the host too.
 * As with NVIDIA's headers, what the architecture compiled for has not is not declared.
 */
#ifndef SMELT_ATOMIC_H
#define SMELT_ATOMIC_H

#define CUDA_ATOMIC(name, builtin, type)                                                           \
    static __device__ __forceinline__ type name(type *p, type v)                                   \
    {                                                                                              \
        return builtin(p, v);                                                                      \
    }

#define CUDA_ATOMIC_32(name)                                                                       \
    CUDA_ATOMIC(atomic##name, __iAtomic##name, int)                                                \
    CUDA_ATOMIC(atomic##name, __uAtomic##name, unsigned int)

CUDA_ATOMIC_32(Add)
CUDA_ATOMIC_32(Exch)
CUDA_ATOMIC_32(Min)
CUDA_ATOMIC_32(Max)
CUDA_ATOMIC_32(And)
CUDA_ATOMIC_32(Or)
CUDA_ATOMIC_32(Xor)
CUDA_ATOMIC(atomicInc, __uAtomicInc, unsigned int)
CUDA_ATOMIC(atomicDec, __uAtomicDec, unsigned int)
CUDA_ATOMIC(atomicAdd, __fAtomicAdd, float)
CUDA_ATOMIC(atomicExch, __fAtomicExch, float)
CUDA_ATOMIC(atomicAdd, __ullAtomicAdd, unsigned long long)
CUDA_ATOMIC(atomicExch, __ullAtomicExch, unsigned long long)

static __device__ __forceinline__ int atomicSub(int *p, int v)
{
    return __iAtomicAdd(p, (int)(0u - (unsigned int)v));
}

static __device__ __forceinline__ unsigned int atomicSub(unsigned int *p, unsigned int v)
{
    return __uAtomicAdd(p, 0u - v);
}

#define CUDA_ATOMIC_CAS(name, builtin, type)                                                       \
    static __device__ __forceinline__ type name(type *p, type compare, type v)                     \
    {                                                                                              \
        return builtin(p, compare, v);                                                             \
    }

CUDA_ATOMIC_CAS(atomicCAS, __iAtomicCAS, int)
CUDA_ATOMIC_CAS(atomicCAS, __uAtomicCAS, unsigned int)
CUDA_ATOMIC_CAS(atomicCAS, __ullAtomicCAS, unsigned long long)

#if __CUDA_ARCH__ >= 320
CUDA_ATOMIC(atomicMin, __illAtomicMin, long long)
CUDA_ATOMIC(atomicMax, __illAtomicMax, long long)
CUDA_ATOMIC(atomicAnd, __llAtomicAnd, long long)
CUDA_ATOMIC(atomicOr, __llAtomicOr, long long)
CUDA_ATOMIC(atomicXor, __llAtomicXor, long long)
CUDA_ATOMIC(atomicMin, __ullAtomicMin, unsigned long long)
CUDA_ATOMIC(atomicMax, __ullAtomicMax, unsigned long long)
CUDA_ATOMIC(atomicAnd, __ullAtomicAnd, unsigned long long)
CUDA_ATOMIC(atomicOr, __ullAtomicOr, unsigned long long)
CUDA_ATOMIC(atomicXor, __ullAtomicXor, unsigned long long)
#endif

#if __CUDA_ARCH__ >= 600
CUDA_ATOMIC(atomicAdd, __dAtomicAdd, double)

#define CUDA_ATOMIC_SCOPED(name, type, builtin)                                                    \
    CUDA_ATOMIC(atomic##name##_block, builtin##_block, type)                                       \
    CUDA_ATOMIC(atomic##name##_system, builtin##_system, type)
#define CUDA_ATOMIC_SCOPED_32(name)                                                                \
    CUDA_ATOMIC_SCOPED(name, int, __iAtomic##name)                                                 \
    CUDA_ATOMIC_SCOPED(name, unsigned int, __uAtomic##name)

CUDA_ATOMIC_SCOPED_32(Add)
CUDA_ATOMIC_SCOPED_32(Exch)
CUDA_ATOMIC_SCOPED_32(Min)
CUDA_ATOMIC_SCOPED_32(Max)
CUDA_ATOMIC_SCOPED_32(And)
CUDA_ATOMIC_SCOPED_32(Or)
CUDA_ATOMIC_SCOPED_32(Xor)
CUDA_ATOMIC_SCOPED(Inc, unsigned int, __uAtomicInc)
CUDA_ATOMIC_SCOPED(Dec, unsigned int, __uAtomicDec)
CUDA_ATOMIC_SCOPED(Add, float, __fAtomicAdd)
CUDA_ATOMIC_SCOPED(Add, double, __dAtomicAdd)
CUDA_ATOMIC_SCOPED(Add, unsigned long long, __ullAtomicAdd)
CUDA_ATOMIC_SCOPED(Exch, unsigned long long, __ullAtomicExch)
CUDA_ATOMIC_CAS(atomicCAS_block, __iAtomicCAS_block, int)
CUDA_ATOMIC_CAS(atomicCAS_block, __uAtomicCAS_block, unsigned int)
CUDA_ATOMIC_CAS(atomicCAS_block, __ullAtomicCAS_block, unsigned long long)
CUDA_ATOMIC_CAS(atomicCAS_system, __iAtomicCAS_system, int)
CUDA_ATOMIC_CAS(atomicCAS_system, __uAtomicCAS_system, unsigned int)
CUDA_ATOMIC_CAS(atomicCAS_system, __ullAtomicCAS_system, unsigned long long)
#undef CUDA_ATOMIC_SCOPED_32
#undef CUDA_ATOMIC_SCOPED
#endif

#undef CUDA_ATOMIC_CAS
#undef CUDA_ATOMIC_32
#undef CUDA_ATOMIC

#endif
