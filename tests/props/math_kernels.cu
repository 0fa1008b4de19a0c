/*
 * math_kernels.cu -- a kernel for every row of one list of functions (math_test.h says how).
 *
 * The compiler that makes the PTX is given the list as MATH_LIST.  Kernel k_FN computes row FN for
 * n sets of arguments: v holds the first arguments, the second, .. and last the results, each in 64
 * bits of its own.
 */
#define __device__ __attribute__((device))
#define CUDA_VERSION 9000 /* so that the functions on parts of words are declared */
#include <__clang_cuda_libdevice_declares.h>

typedef signed char s8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

#define MATH_WRAP_F32
#define MATH_WRAP_F64
#define DEVICE static __attribute__((device)) inline
#include "tests/props/math_wrap.h"

template <typename T> DEVICE T get(const u64 *v)
{
    return *(const T *)v;
}

template <typename T> DEVICE void put(u64 *v, T value)
{
    *v = 0;
    *(T *)v = value;
}

#define KERNEL(fn, R, call)                                                                        \
    extern "C" __attribute__((global)) void k_##fn(u64 *v, u32 n)                                  \
    {                                                                                              \
        u32 i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +                   \
                __nvvm_read_ptx_sreg_tid_x();                                                      \
                                                                                                   \
        if (i < n)                                                                                 \
            put<R>(v + 4 * n + i, call);                                                           \
    }
#define ARG(T, j) get<T>(v + j * n + i)

#define MATH1(fn, R, A, ...) KERNEL(fn, R, __nv_##fn(ARG(A, 0)))
#define MATH2(fn, R, A, B, ...) KERNEL(fn, R, __nv_##fn(ARG(A, 0), ARG(B, 1)))
#define MATH3(fn, R, A, B, C, ...) KERNEL(fn, R, __nv_##fn(ARG(A, 0), ARG(B, 1), ARG(C, 2)))
#define MATH4(fn, R, A, B, C, D, ...)                                                              \
    KERNEL(fn, R, __nv_##fn(ARG(A, 0), ARG(B, 1), ARG(C, 2), ARG(D, 3)))

#include MATH_LIST
