// cuBLAS: many products in one call, numbers of 16 bits, streams, matrices copied in part.
// options: -lcublas
// timing
#include "check.h"
#include <cublas_v2.h>

#define OK(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

enum { M = 20, N = 18, K = 17, BATCH = 3 };

static int value(int i, int seed)
{
    return (int)((unsigned)(i + seed) * 2654435761u >> 29) - 3;
}

template <class T> static T *filled(int n, int seed)
{
    T *p = shared_array<T>(n);
    for (int i = 0; i < n; i++)
        p[i] = T((float)value(i, seed));
    return p;
}

/* Element (i, j) of the product number z of the matrices that seeds 1 and 2 fill. */
static float product(int i, int j, int z)
{
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += (float)(value(z * M * K + i + k * M, 1) * value(z * K * N + k + j * K, 2));
    return sum;
}

template <class T> static void check(const T *c, float beta_c)
{
    finish_kernels();
    for (int z = 0; z < BATCH; z++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++)
                CHECK((float)c[z * M * N + i + j * M] == product(i, j, z) + beta_c);
}

static void batches(cublasHandle_t h)
{
    float *a = filled<float>(BATCH * M * K, 1), *b = filled<float>(BATCH * K * N, 2);
    float *c = shared_array<float>(BATCH * M * N), one = 1, zero = 0;
    OK(cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, M, M * K, b, K,
                                 K * N, &zero, c, M, M * N, BATCH));
    check(c, 0);
    float **each = shared_array<float *>(3 * BATCH);
    for (int z = 0; z < BATCH; z++)
        each[z] = a + z * M * K, each[BATCH + z] = b + z * K * N, each[2 * BATCH + z] = c + z * M * N;
    memset(c, 0, BATCH * M * N * sizeof(float));
    OK(cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, each, M, each + BATCH, K,
                          &one, each + 2 * BATCH, M, BATCH));
    check(c, 0);
}

template <class T> static void kinds(cublasHandle_t h, cudaDataType type)
{
    T *a = filled<T>(BATCH * M * K, 1), *b = filled<T>(BATCH * K * N, 2);
    T *c = shared_array<T>(BATCH * M * N);
    float *wide = shared_array<float>(BATCH * M * N), one = 1, zero = 0;
    OK(cublasGemmStridedBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, type, M, M * K, b,
                                  type, K, K * N, &zero, c, type, M, M * N, BATCH,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    check(c, 0);
    for (int i = 0; i < BATCH * M * N; i++)
        wide[i] = 5;
    OK(cublasGemmStridedBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, type, M, M * K, b,
                                  type, K, K * N, &one, wide, CUDA_R_32F, M, M * N, BATCH,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    check(wide, 5);
    CHECK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, type, M, b, type, K, &zero, c,
                       CUDA_R_64F, M, CUDA_R_32F, CUBLAS_GEMM_DFALT) == CUBLAS_STATUS_NOT_SUPPORTED);
}

static void halves(cublasHandle_t h)
{
    __half *a = filled<__half>(M * K, 1), *b = filled<__half>(K * N, 2);
    __half *c = shared_array<__half>(M * N), one = 1.0f, zero = 0.0f;
    OK(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a, M, b, K, &zero, c, M));
    finish_kernels();
    CHECK((float)c[M * N - 1] == product(M - 1, N - 1, 0));
    kinds<__half>(h, CUDA_R_16F);
    kinds<__nv_bfloat16>(h, CUDA_R_16BF);
}

/* A part of a matrix there and back, on a stream. */
static void copies(cublasHandle_t h)
{
    cudaStream_t stream, is = NULL;
    double host[5 * 4], back[5 * 4] = {0}, *d, two = 2, x[3] = {1, 2, 3}, y[6] = {0};
    for (int i = 0; i < 20; i++)
        host[i] = i;
    cudaStreamCreate(&stream);
    OK(cublasSetStream(h, stream));
    OK(cublasGetStream(h, &is));
    CHECK(is == stream && cudaMalloc(&d, 12 * sizeof(double)) == cudaSuccess);
    OK(cublasSetMatrixAsync(3, 4, sizeof(double), host, 5, d, 3, stream));
    OK(cublasDscal(h, 12, &two, d, 1));
    OK(cublasGetMatrixAsync(3, 4, sizeof(double), d, 3, back, 5, stream));
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 20; i++)
        CHECK(back[i] == (i % 5 < 3 ? 2 * i : 0));
    OK(cublasSetVector(3, sizeof(double), x, 1, d, 2));
    OK(cublasGetVector(3, sizeof(double), d, 2, y, 2));
    CHECK(y[0] == 1 && y[2] == 2 && y[4] == 3 && y[1] == 0);
    OK(cublasSetStream(h, 0));
    cudaStreamDestroy(stream);
    cudaFree(d);
}

int main()
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    batches(h);
    halves(h);
    copies(h);
    OK(cublasDestroy(h));
    return finish();
}
