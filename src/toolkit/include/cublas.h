/*
 * cublas.h -- cuBLAS as it was before CUDA 4: no handles, numbers by value, results returned.
 *
 * The same functions and types as in cublas_api.h; errors are kept for cublasGetError.
 */
#ifndef CUBLAS_H_
#define CUBLAS_H_

#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h are two ways to say the same: one file includes one of them"
#endif

#include <cublas_api.h>

typedef cublasStatus_t cublasStatus;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetVersion(int *version);
cublasStatus cublasGetError(void); /* since the last time it was asked */
cublasStatus cublasAlloc(int n, int size, void **device);
cublasStatus cublasFree(void *device);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

#define CUBLAS_FUNCTIONS(S, s, type)                                                               \
    void cublas##S##axpy(int n, type alpha, const type *x, int incx, type *y, int incy);           \
    void cublas##S##copy(int n, const type *x, int incx, type *y, int incy);                       \
    void cublas##S##swap(int n, type *x, int incx, type *y, int incy);                             \
    void cublas##S##scal(int n, type alpha, type *x, int incx);                                    \
    void cublas##S##rot(int n, type *x, int incx, type *y, int incy, type c, type s);              \
    type cublas##S##dot(int n, const type *x, int incx, const type *y, int incy);                  \
    type cublas##S##nrm2(int n, const type *x, int incx);                                          \
    type cublas##S##asum(int n, const type *x, int incx);                                          \
    int cublasI##s##amax(int n, const type *x, int incx);                                          \
    int cublasI##s##amin(int n, const type *x, int incx);                                          \
    void cublas##S##gemv(char trans, int m, int n, type alpha, const type *a, int lda,             \
                         const type *x, int incx, type beta, type *y, int incy);                   \
    void cublas##S##ger(int m, int n, type alpha, const type *x, int incx, const type *y,          \
                        int incy, type *a, int lda);                                               \
    void cublas##S##gemm(char transa, char transb, int m, int n, int k, type alpha, const type *a, \
                         int lda, const type *b, int ldb, type beta, type *c, int ldc);
CUBLAS_FUNCTIONS(S, s, float)
CUBLAS_FUNCTIONS(D, d, double)
#undef CUBLAS_FUNCTIONS

#ifdef __cplusplus
}
#endif

#endif
