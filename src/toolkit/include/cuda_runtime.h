/*
 * cuda_runtime.h -- all of CUDA's runtime: for kernels, for programs, for plain C and C++.
 *
 *     clang compiling CUDA     everything; `smelt cc` includes it before a .cu file's first line,
 *                              in the turn for the device and in the turn for the host
 *     other C++ compilers      types, the functions of libcudart.so, their templates
 *     C compilers              types and functions
 *
 * What CUDA calls built-in (threadIdx, __syncthreads, sinf, ..) comes from the headers that clang
 * brings along, __clang_cuda_*.h; smelt/ adds what NVIDIA's own headers would define besides.
 * Math functions end up in __nv_sinf and its like, which math.bc has.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include <smelt/letters_off.h>

#if defined(__CUDA__) && defined(__cplusplus)

/* The order of all that follows is a contract with clang's headers: see its runtime wrapper. */
#include <__clang_cuda_math_forward_declares.h>
#include <cmath>
#include <cstdlib>

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 10
#define __CUDACC_VER_MINOR__ 1
#define __CUDACC_VER_BUILD__ 105

#include <cuda.h>
#include <cuda_device_runtime_api.h>
#include <cuda_runtime_api.h>

/* Device functions of headers have no lines of their own: a fault in one names its caller's. */
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device)) __attribute__((nodebug))

#include <__clang_cuda_builtin_vars.h>

/* In the host's turn kernels are read as well, so everything any GPU has must be declared. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif

/* __vadd4 and its like as functions of math.bc: from 9.2 on they would be video instructions. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#include <smelt/math.h>
#include <smelt/texture.h>
#include <smelt/surface.h>

/* What a kernel can call that is not in its own code: libcudart.so and the simulator have these. */
extern "C" {
__device__ int vprintf(const char *format, const char *args);
__device__ int printf(const char *format, ...); /* becomes a call of vprintf */
__device__ void *malloc(size_t size) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void *p) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned int line,
                             const char *function, size_t char_size);

/* What assert() of <assert.h> calls. */
__device__ static inline void __assert_fail(const char *message, const char *file,
                                            unsigned int line, const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
}

/* Said again, so that std::malloc is the device's too: <cstdlib> only knew the host's. */
namespace std
{
using ::free;
using ::malloc;
} // namespace std

#include <new> /* clang's, with new and delete of the device, which call those */

/* dim3 d = blockDim; and so on. */
#define CUDA_BUILTIN_VAR(name)                                                                     \
    __device__ inline __cuda_builtin_##name##_t::operator dim3() const                             \
    {                                                                                              \
        return dim3(x, y, z);                                                                      \
    }                                                                                              \
    __device__ inline __cuda_builtin_##name##_t::operator uint3() const                            \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }
CUDA_BUILTIN_VAR(threadIdx)
CUDA_BUILTIN_VAR(blockIdx)
CUDA_BUILTIN_VAR(blockDim)
CUDA_BUILTIN_VAR(gridDim)
#undef CUDA_BUILTIN_VAR

#include <__clang_cuda_cmath.h>
#include <smelt/atomic.h>
#if __CUDA_ARCH__ >= 610
#include <smelt/dot.h>
#endif
#include <smelt/shuffle.h>
#include <smelt/cached.h>
#include <smelt/barrier.h> /* after the others: it renames what they declare */
#include <smelt/old_names.h>

#pragma pop_macro("__CUDA_ARCH__")

#include <smelt/more_math.h>
#include <smelt/managed.h>
#include <smelt/runtime.h>

#pragma pop_macro("__device__")

#else

#include <cuda_runtime_api.h>
#ifdef __cplusplus
#include <smelt/runtime.h>
#endif

#endif

#include <smelt/letters_on.h>

#endif
