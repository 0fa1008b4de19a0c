/* legacy.cpp -- the functions of cublas.h, on a handle that all share. */
#include <cublas.h>

#include "context.h"

static cublasHandle_t shared_handle;
static cublasStatus_t kept;

static void keep(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        kept = status;
}

API cublasStatus cublasInit(void)
{
    return shared_handle ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&shared_handle);
}

API cublasStatus cublasShutdown(void)
{
    cublasStatus_t status = cublasDestroy_v2(shared_handle);
    shared_handle = NULL;
    return status;
}

API cublasStatus cublasGetVersion(int *version)
{
    return cublasGetVersion_v2(shared_handle, version);
}

API cublasStatus cublasGetError(void)
{
    cublasStatus_t status = kept;
    kept = CUBLAS_STATUS_SUCCESS;
    return status;
}

API cublasStatus cublasAlloc(int n, int size, void **device)
{
    if (n <= 0 || size <= 0 || !device)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMalloc(device, (size_t)n * (size_t)size) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_ALLOC_FAILED;
}

API cublasStatus cublasFree(void *device)
{
    return cudaFree(device) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

API cublasStatus cublasSetKernelStream(cudaStream_t stream)
{
    return cublasSetStream_v2(shared_handle, stream);
}

/* 'n', 't' or 'c', also as capitals; what is none of them the function refuses. */
static cublasOperation_t operation(char c)
{
    switch (c | 0x20) {
    case 'n':
        return CUBLAS_OP_N;
    case 't':
        return CUBLAS_OP_T;
    case 'c':
        return CUBLAS_OP_C;
    default:
        return (cublasOperation_t)-1;
    }
}

#define FUNCTIONS(S, s, T)                                                                         \
    API void cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy)                 \
    {                                                                                              \
        keep(cublas##S##axpy_v2(shared_handle, n, &alpha, x, incx, y, incy));                      \
    }                                                                                              \
    API void cublas##S##copy(int n, const T *x, int incx, T *y, int incy)                          \
    {                                                                                              \
        keep(cublas##S##copy_v2(shared_handle, n, x, incx, y, incy));                              \
    }                                                                                              \
    API void cublas##S##swap(int n, T *x, int incx, T *y, int incy)                                \
    {                                                                                              \
        keep(cublas##S##swap_v2(shared_handle, n, x, incx, y, incy));                              \
    }                                                                                              \
    API void cublas##S##scal(int n, T alpha, T *x, int incx)                                       \
    {                                                                                              \
        keep(cublas##S##scal_v2(shared_handle, n, &alpha, x, incx));                               \
    }                                                                                              \
    API void cublas##S##rot(int n, T *x, int incx, T *y, int incy, T cosine, T sine)               \
    {                                                                                              \
        keep(cublas##S##rot_v2(shared_handle, n, x, incx, y, incy, &cosine, &sine));               \
    }                                                                                              \
    API T cublas##S##dot(int n, const T *x, int incx, const T *y, int incy)                        \
    {                                                                                              \
        T result = 0;                                                                              \
        keep(cublas##S##dot_v2(shared_handle, n, x, incx, y, incy, &result));                      \
        return result;                                                                             \
    }                                                                                              \
    API T cublas##S##nrm2(int n, const T *x, int incx)                                             \
    {                                                                                              \
        T result = 0;                                                                              \
        keep(cublas##S##nrm2_v2(shared_handle, n, x, incx, &result));                              \
        return result;                                                                             \
    }                                                                                              \
    API T cublas##S##asum(int n, const T *x, int incx)                                             \
    {                                                                                              \
        T result = 0;                                                                              \
        keep(cublas##S##asum_v2(shared_handle, n, x, incx, &result));                              \
        return result;                                                                             \
    }                                                                                              \
    API int cublasI##s##amax(int n, const T *x, int incx)                                          \
    {                                                                                              \
        int result = 0;                                                                            \
        keep(cublasI##s##amax_v2(shared_handle, n, x, incx, &result));                             \
        return result;                                                                             \
    }                                                                                              \
    API int cublasI##s##amin(int n, const T *x, int incx)                                          \
    {                                                                                              \
        int result = 0;                                                                            \
        keep(cublasI##s##amin_v2(shared_handle, n, x, incx, &result));                             \
        return result;                                                                             \
    }                                                                                              \
    API void cublas##S##gemv(char trans, int m, int n, T alpha, const T *a, int lda, const T *x,   \
                             int incx, T beta, T *y, int incy)                                     \
    {                                                                                              \
        keep(cublas##S##gemv_v2(shared_handle, operation(trans), m, n, &alpha, a, lda, x, incx,    \
                                &beta, y, incy));                                                  \
    }                                                                                              \
    API void cublas##S##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy,     \
                            T *a, int lda)                                                         \
    {                                                                                              \
        keep(cublas##S##ger_v2(shared_handle, m, n, &alpha, x, incx, y, incy, a, lda));            \
    }                                                                                              \
    API void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *a,   \
                             int lda, const T *b, int ldb, T beta, T *c, int ldc)                  \
    {                                                                                              \
        keep(cublas##S##gemm_v2(shared_handle, operation(transa), operation(transb), m, n, k,      \
                                &alpha, a, lda, b, ldb, &beta, c, ldc));                           \
    }
FUNCTIONS(S, s, float)
FUNCTIONS(D, d, double)
