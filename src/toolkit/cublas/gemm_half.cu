/* gemm_half.cu -- gemm of 16 bits, and of kinds that the program says in numbers. */
#include "gemm.h"

GEMM_FUNCTIONS(cublasHgemm, cublasHgemmBatched, cublasHgemmStridedBatched, __half, float)

/* What is computed in, also of those who say it as CUDA 10 did. */
static cudaDataType computed_in(cublasComputeType_t compute)
{
    switch ((int)compute) {
    case CUDA_R_16F:
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUDA_R_16F;
    case CUDA_R_32F:
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return CUDA_R_32F;
    case CUDA_R_64F:
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return CUDA_R_64F;
    default:
        return CUDA_C_8I; /* no kind that anything is computed in */
    }
}

API cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType type_a, int lda, long long stride_a,
    const void *b, cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *c,
    cudaDataType type_c, int ldc, long long stride_c, int batch, cublasComputeType_t compute,
    cublasGemmAlgo_t)
{
    cudaDataType in = computed_in(compute);
#define CASE(type_ab, In, type_out, Out, type_in, Acc, Scalar)                                     \
    if (type_a == type_ab && type_b == type_ab && type_c == type_out && in == type_in)             \
        return multiply<In, Out, Acc, Scalar>(                                                     \
            h, ta, tb, m, n, k, (const Scalar *)alpha, strided((const In *)a, stride_a), lda,      \
            strided((const In *)b, stride_b), ldb, (const Scalar *)beta,                           \
            strided((Out *)c, stride_c), ldc, batch);
    CASE(CUDA_R_16F, __half, CUDA_R_16F, __half, CUDA_R_16F, float, __half)
    CASE(CUDA_R_16F, __half, CUDA_R_16F, __half, CUDA_R_32F, float, float)
    CASE(CUDA_R_16F, __half, CUDA_R_32F, float, CUDA_R_32F, float, float)
    CASE(CUDA_R_16BF, __nv_bfloat16, CUDA_R_16BF, __nv_bfloat16, CUDA_R_32F, float, float)
    CASE(CUDA_R_16BF, __nv_bfloat16, CUDA_R_32F, float, CUDA_R_32F, float, float)
#undef CASE
#define CASE(type, T, function)                                                                    \
    if (type_a == type && type_b == type && type_c == type && in == type)                          \
        return function(h, ta, tb, m, n, k, (const T *)alpha, (const T *)a, lda, stride_a,         \
                        (const T *)b, ldb, stride_b, (const T *)beta, (T *)c, ldc, stride_c,       \
                        batch);
    CASE(CUDA_R_32F, float, cublasSgemmStridedBatched)
    CASE(CUDA_R_64F, double, cublasDgemmStridedBatched)
#undef CASE
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

API cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                                int n, int k, const void *alpha, const void *a, cudaDataType type_a,
                                int lda, const void *b, cudaDataType type_b, int ldb,
                                const void *beta, void *c, cudaDataType type_c, int ldc,
                                cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb,
                                      0, beta, c, type_c, ldc, 0, 1, compute, algorithm);
}
