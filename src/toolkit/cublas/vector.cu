/* vector.cu -- operations that treat each element by itself: axpy, copy, swap, scal, rot. */
#include "context.h"

enum { BLOCK = 256, MOST_CTAS = 1024 };

/* Vectors of any length on a grid of some: what is left over is done in further rounds. */
#define EACH(i, n)                                                                                 \
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;                                          \
    i < (n);                                                                                       \
    i += (long)gridDim.x * blockDim.x

static unsigned int ctas(int n)
{
    unsigned int all = ceil_div(n, BLOCK);
    return all < MOST_CTAS ? all : MOST_CTAS;
}

template <class T>
static __global__ void axpy(int n, scalar<T> alpha, const T *x, long incx, T *y, long incy)
{
    T a = alpha.get();
    for (EACH(i, n))
        y[i * incy] += a * x[i * incx];
}

template <class T> static __global__ void copy(int n, const T *x, long incx, T *y, long incy)
{
    for (EACH(i, n))
        y[i * incy] = x[i * incx];
}

template <class T> static __global__ void swap(int n, T *x, long incx, T *y, long incy)
{
    for (EACH(i, n)) {
        T v = x[i * incx];
        x[i * incx] = y[i * incy];
        y[i * incy] = v;
    }
}

template <class T> static __global__ void scal(int n, scalar<T> alpha, T *x, long incx)
{
    T a = alpha.get();
    for (EACH(i, n))
        x[i * incx] *= a;
}

template <class T>
static __global__ void rot(int n, T *x, long incx, T *y, long incy, scalar<T> cosine, scalar<T> sine)
{
    T c = cosine.get(), s = sine.get();
    for (EACH(i, n)) {
        T u = x[i * incx], v = y[i * incy];
        x[i * incx] = c * u + s * v;
        y[i * incy] = c * v - s * u;
    }
}

/* Of two vectors: without elements there is nothing to do. */
#define BEGIN(...)                                                                                 \
    if (!h)                                                                                        \
        return CUBLAS_STATUS_NOT_INITIALIZED;                                                      \
    if (n <= 0)                                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    const void *pointers[] = {__VA_ARGS__};                                                        \
    for (const void *p : pointers)                                                                 \
        if (!p)                                                                                    \
            return CUBLAS_STATUS_INVALID_VALUE;

#define FUNCTIONS(S, T)                                                                            \
    API cublasStatus_t cublas##S##axpy_v2(cublasHandle_t h, int n, const T *alpha, const T *x,     \
                                          int incx, T *y, int incy)                                \
    {                                                                                              \
        BEGIN(alpha, x, y)                                                                         \
        axpy<T><<<ctas(n), BLOCK, 0, h->stream>>>(n, scalar<T>(h, alpha), first(x, n, incx), incx, \
                                                  first(y, n, incy), incy);                        \
        return launched();                                                                         \
    }                                                                                              \
    API cublasStatus_t cublas##S##copy_v2(cublasHandle_t h, int n, const T *x, int incx, T *y,     \
                                          int incy)                                                \
    {                                                                                              \
        BEGIN(x, y)                                                                                \
        copy<T><<<ctas(n), BLOCK, 0, h->stream>>>(n, first(x, n, incx), incx, first(y, n, incy),   \
                                                  incy);                                           \
        return launched();                                                                         \
    }                                                                                              \
    API cublasStatus_t cublas##S##swap_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) \
    {                                                                                              \
        BEGIN(x, y)                                                                                \
        swap<T><<<ctas(n), BLOCK, 0, h->stream>>>(n, first(x, n, incx), incx, first(y, n, incy),   \
                                                  incy);                                           \
        return launched();                                                                         \
    }                                                                                              \
    API cublasStatus_t cublas##S##scal_v2(cublasHandle_t h, int n, const T *alpha, T *x, int incx) \
    {                                                                                              \
        BEGIN(alpha, x)                                                                            \
        if (incx <= 0)                                                                             \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        scal<T><<<ctas(n), BLOCK, 0, h->stream>>>(n, scalar<T>(h, alpha), x, incx);                \
        return launched();                                                                         \
    }                                                                                              \
    API cublasStatus_t cublas##S##rot_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy,  \
                                         const T *c, const T *s)                                   \
    {                                                                                              \
        BEGIN(x, y, c, s)                                                                          \
        rot<T><<<ctas(n), BLOCK, 0, h->stream>>>(n, first(x, n, incx), incx, first(y, n, incy),    \
                                                 incy, scalar<T>(h, c), scalar<T>(h, s));          \
        return launched();                                                                         \
    }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
