/*
 * barrier.h -- barriers and fences that the compiler respects too.
 *
 * clang 14 believes that no intrinsic writes variables of the module (LLVM's GlobalsAA), so it
 * would go on using what it has loaded from a __shared__ variable before a barrier.  It does not
 * believe that of assembly, so each has an empty piece of it on both sides.
 */
#ifndef SMELT_BARRIER_H
#define SMELT_BARRIER_H

static inline __device__ void __smelt_memory(void)
{
    asm volatile("" ::: "memory");
}

#define SMELT_BARRIER_VALUE(name)                                                                  \
    static inline __device__ int __smelt_##name(int p)                                             \
    {                                                                                              \
        __smelt_memory();                                                                          \
        int v = __##name(p);                                                                       \
        __smelt_memory();                                                                          \
        return v;                                                                                  \
    }
SMELT_BARRIER_VALUE(syncthreads_and)
SMELT_BARRIER_VALUE(syncthreads_or)
SMELT_BARRIER_VALUE(syncthreads_count)
#undef SMELT_BARRIER_VALUE

#define __syncthreads() (__smelt_memory(), __syncthreads(), __smelt_memory())
#define __syncthreads_and(p) __smelt_syncthreads_and(p)
#define __syncthreads_or(p) __smelt_syncthreads_or(p)
#define __syncthreads_count(p) __smelt_syncthreads_count(p)
#define __syncwarp(...) (__smelt_memory(), __syncwarp(__VA_ARGS__), __smelt_memory())
#define __barrier_sync(id) (__smelt_memory(), __barrier_sync(id), __smelt_memory())
#define __barrier_sync_count(id, n)                                                                \
    (__smelt_memory(), __barrier_sync_count(id, n), __smelt_memory())
#define __threadfence() (__smelt_memory(), __threadfence(), __smelt_memory())
#define __threadfence_block() (__smelt_memory(), __threadfence_block(), __smelt_memory())
#define __threadfence_system() (__smelt_memory(), __threadfence_system(), __smelt_memory())

#endif
