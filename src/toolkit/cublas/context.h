/*
 * context.h -- what a cuBLAS handle remembers, and what the files of this library have in common.
 *
 * Every function checks its arguments, launches its kernels on the handle's stream, and returns at
 * once; only results that are one number in host memory are waited for.
 */
#ifndef SMELT_CUBLAS_CONTEXT_H
#define SMELT_CUBLAS_CONTEXT_H

#include <cublas_api.h>

/* Each file is a module of its own, loaded when a kernel of it is launched; no symbols but CUDA's. */
#pragma GCC visibility push(hidden)

enum { MOST_PARTS = 64 }; /* CTAs of a reduction */

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics_mode;
    cublasMath_t math_mode;
    void *scratch; /* of the device: MOST_PARTS + 1 parts of a reduction */
};

/* A number that kernels take: its value, or where on the device it is. */
template <class T> struct scalar {
    T value;
    const T *at;

    scalar(const cublasContext *h, const T *p) : value(), at(NULL)
    {
        if (h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
            at = p;
        else
            value = *p;
    }
    __device__ T get() const
    {
        return at ? *at : value;
    }
    bool is_zero() const /* as far as the host knows */
    {
        return !at && (float)value == 0.0f;
    }
};

/* The first element of a vector: with a negative step it is stored last. */
template <class T> static inline T *first(T *x, int n, int inc)
{
    return inc < 0 ? x + (ptrdiff_t)(1 - n) * inc : x;
}

static inline unsigned int ceil_div(int n, int by)
{
    return (unsigned int)(n / by + (n % by != 0));
}

static inline cublasStatus_t launched(void)
{
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                : CUBLAS_STATUS_EXECUTION_FAILED;
}

static inline bool is_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

/* Is `ld` a column's distance for so many rows? */
static inline bool is_leading(int ld, int rows)
{
    return ld >= (rows > 1 ? rows : 1);
}

#pragma GCC visibility pop

#define API extern "C" __attribute__((visibility("default")))

#endif
