/*
 * cublas_api.h -- cuBLAS: linear algebra on vectors and matrices of the device.
 *
 * Matrices are stored by columns.  Of the types S and D, single and double precision, there are
 *
 *     vectors      axpy, copy, swap, scal, dot, nrm2, asum, amax, amin, rot
 *     a matrix     gemv, ger
 *     matrices     gemm, gemmBatched, gemmStridedBatched, geam
 *
 * and gemm of 16 bits (cublasHgemm, cublasGemmEx and their batched forms), accumulated in single
 * precision.  They are kernels of src/toolkit/cublas, simulated like a program's own.  Functions
 * have the symbols of NVIDIA's library: those that are older under another name end in _v2.
 * What is not here is not in the library either.
 */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include <stddef.h>

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <library_types.h>

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

#define CUBLAS_VER_MAJOR 10
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 105
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 1000 + CUBLAS_VER_MINOR * 100)

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2 /* of real numbers the same as T */
} cublasOperation_t;

typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;

/* Where are alpha, beta and results that are one number? */
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;

/* Which algorithm is the library's to choose: all mean the same. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

/* --- the library --- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
/* Remembered, without effect: sums are made in the same order, and in full precision, always. */
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* --- copies between host and device --- */

cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *device_y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *device_x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *a, int lda, void *device_b,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *device_a, int lda, void *b,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *device_y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *device_x, int incx, void *y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *a, int lda,
                                    void *device_b, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *device_a, int lda,
                                    void *b, int ldb, cudaStream_t stream);

/* --- S and D --- */

#define CUBLAS_FUNCTIONS(S, s, type)                                                               \
    cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const type *alpha,             \
                                      const type *x, int incx, type *y, int incy);                 \
    cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const type *x, int incx,       \
                                      type *y, int incy);                                          \
    cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, type *x, int incx, type *y,    \
                                      int incy);                                                   \
    cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const type *alpha, type *x,    \
                                      int incx);                                                   \
    cublasStatus_t cublas##S##rot_v2(cublasHandle_t handle, int n, type *x, int incx, type *y,     \
                                     int incy, const type *c, const type *s);                      \
    cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const type *x, int incx,        \
                                     const type *y, int incy, type *result);                       \
    cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const type *x, int incx,       \
                                      type *result);                                               \
    cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const type *x, int incx,       \
                                      type *result);                                               \
    cublasStatus_t cublasI##s##amax_v2(cublasHandle_t handle, int n, const type *x, int incx,      \
                                       int *result);                                               \
    cublasStatus_t cublasI##s##amin_v2(cublasHandle_t handle, int n, const type *x, int incx,      \
                                       int *result);                                               \
    cublasStatus_t cublas##S##gemv_v2(                                                             \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n, const type *alpha,           \
        const type *a, int lda, const type *x, int incx, const type *beta, type *y, int incy);     \
    cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const type *alpha,       \
                                     const type *x, int incx, const type *y, int incy, type *a,    \
                                     int lda);                                                     \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, const type *alpha,      \
                                   const type *a, int lda, const type *beta, const type *b,        \
                                   int ldb, type *c, int ldc);
CUBLAS_FUNCTIONS(S, s, float)
CUBLAS_FUNCTIONS(D, d, double)
#undef CUBLAS_FUNCTIONS

#define CUBLAS_GEMM(name, batched, strided, type)                                                  \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                        int m, int n, int k, const type *alpha, const type *a, int lda,            \
                        const type *b, int ldb, const type *beta, type *c, int ldc);               \
    cublasStatus_t batched(cublasHandle_t handle, cublasOperation_t transa,                        \
                           cublasOperation_t transb, int m, int n, int k, const type *alpha,       \
                           const type *const a[], int lda, const type *const b[], int ldb,         \
                           const type *beta, type *const c[], int ldc, int batch);                 \
    cublasStatus_t strided(cublasHandle_t handle, cublasOperation_t transa,                        \
                           cublasOperation_t transb, int m, int n, int k, const type *alpha,       \
                           const type *a, int lda, long long int stride_a, const type *b, int ldb, \
                           long long int stride_b, const type *beta, type *c, int ldc,             \
                           long long int stride_c, int batch);
CUBLAS_GEMM(cublasSgemm_v2, cublasSgemmBatched, cublasSgemmStridedBatched, float)
CUBLAS_GEMM(cublasDgemm_v2, cublasDgemmBatched, cublasDgemmStridedBatched, double)
CUBLAS_GEMM(cublasHgemm, cublasHgemmBatched, cublasHgemmStridedBatched, __half)
#undef CUBLAS_GEMM

/*
 * A and B of one kind, C of the same or CUDA_R_32F: 16F, 16BF and 32F with CUBLAS_COMPUTE_32F, 64F
 * with CUBLAS_COMPUTE_64F, all three 16F with CUBLAS_COMPUTE_16F; alpha and beta are of the kind
 * computed in, which may be said as a cudaDataType, too.  Others are not supported.
 */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType type_a, int lda, const void *b,
                            cudaDataType type_b, int ldb, const void *beta, void *c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a,
                                          int lda, long long int stride_a, const void *b,
                                          cudaDataType type_b, int ldb, long long int stride_b,
                                          const void *beta, void *c, cudaDataType type_c, int ldc,
                                          long long int stride_c, int batch,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a,
                                          int lda, const void *b, cudaDataType type_b, int ldb,
                                          const void *beta, void *c, cudaDataType type_c, int ldc,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb,
                        beta, c, type_c, ldc, (cublasComputeType_t)compute, algorithm);
}
#endif

#endif
