// cuBLAS: vectors, matrices by vectors, matrices by matrices, in both precisions, against plain loops.
// options: -lcublas
// timing
#include "check.h"
#include <cublas_v2.h>
#include <math.h>

/* What the functions are called for either type. */
#define NAMES(S, s, T)                                                                             \
    static cublasStatus_t axpy(cublasHandle_t h, int n, const T *a, const T *x, int ix, T *y,      \
                               int iy) { return cublas##S##axpy(h, n, a, x, ix, y, iy); }          \
    static cublasStatus_t copy(cublasHandle_t h, int n, const T *x, int ix, T *y, int iy)          \
    { return cublas##S##copy(h, n, x, ix, y, iy); }                                                \
    static cublasStatus_t swap(cublasHandle_t h, int n, T *x, int ix, T *y, int iy)                \
    { return cublas##S##swap(h, n, x, ix, y, iy); }                                                \
    static cublasStatus_t scal(cublasHandle_t h, int n, const T *a, T *x, int ix)                  \
    { return cublas##S##scal(h, n, a, x, ix); }                                                    \
    static cublasStatus_t rot(cublasHandle_t h, int n, T *x, T *y, const T *c, const T *si)        \
    { return cublas##S##rot(h, n, x, 1, y, 1, c, si); }                                            \
    static cublasStatus_t dot(cublasHandle_t h, int n, const T *x, int ix, const T *y, int iy,     \
                              T *r) { return cublas##S##dot(h, n, x, ix, y, iy, r); }              \
    static cublasStatus_t nrm2(cublasHandle_t h, int n, const T *x, int ix, T *r)                  \
    { return cublas##S##nrm2(h, n, x, ix, r); }                                                    \
    static cublasStatus_t asum(cublasHandle_t h, int n, const T *x, int ix, T *r)                  \
    { return cublas##S##asum(h, n, x, ix, r); }                                                    \
    static cublasStatus_t amax(cublasHandle_t h, int n, const T *x, int ix, int *r)                \
    { return cublasI##s##amax(h, n, x, ix, r); }                                                   \
    static cublasStatus_t amin(cublasHandle_t h, int n, const T *x, int ix, int *r)                \
    { return cublasI##s##amin(h, n, x, ix, r); }                                                   \
    static cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t t, int m, int n, const T *al,   \
                               const T *a, int lda, const T *x, int ix, const T *be, T *y, int iy) \
    { return cublas##S##gemv(h, t, m, n, al, a, lda, x, ix, be, y, iy); }                          \
    static cublasStatus_t ger(cublasHandle_t h, int m, int n, const T *al, const T *x,             \
                              const T *y, T *a, int lda)                                           \
    { return cublas##S##ger(h, m, n, al, x, 1, y, 1, a, lda); }                                    \
    static cublasStatus_t geam(cublasHandle_t h, int m, int n, const T *al, const T *a, int lda,   \
                               const T *be, const T *b, int ldb, T *c, int ldc)                    \
    { return cublas##S##geam(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, al, a, lda, be, b, ldb, c, ldc); } \
    static cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,       \
                               int m, int n, int k, const T *al, const T *a, int lda, const T *b,  \
                               int ldb, const T *be, T *c, int ldc)                                \
    { return cublas##S##gemm(h, ta, tb, m, n, k, al, a, lda, b, ldb, be, c, ldc); }
NAMES(S, s, float)
NAMES(D, d, double)

#define OK(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

/* Small integers: sums are exact in any order. */
template <class T> static void fill(T *p, int n, int seed)
{
    for (int i = 0; i < n; i++)
        p[i] = (T)((int)((unsigned)(i + seed) * 2654435761u >> 28) - 8);
}

template <class T> static void vectors(cublasHandle_t h)
{
    enum { N = 1500 };
    T *x = shared_array<T>(3 * N), *y = shared_array<T>(3 * N), *d = shared_array<T>(1);
    T want[N], v, sum = 0, squares = 0, size = 0, two = 2, c = 0, s = 1;
    int place = 0, *dp = shared_array<int>(1);
    fill(x, 3 * N, 1), fill(y, 3 * N, 2);
    for (int i = 0; i < N; i++) /* y from its end on */
        want[i] = y[2 * (N - 1 - i)] + 2 * x[3 * i];
    OK(axpy(h, N, &two, x, 3, y, -2));
    finish_kernels();
    for (int i = 0; i < N; i++)
        CHECK(y[2 * (N - 1 - i)] == want[i]);
    OK(copy(h, N, x, 1, y, 1));
    OK(scal(h, N, &two, y, 1));
    OK(swap(h, N, x, 1, y, 1));
    finish_kernels();
    for (int i = 0; i < N; i++) {
        CHECK(x[i] == 2 * y[i]);
        sum += x[i] * y[N - 1 - i], squares += x[i] * x[i], size += x[i] < 0 ? -x[i] : x[i];
    }
    OK(dot(h, N, x, 1, y, -1, &v));
    CHECK(v == sum);
    OK(nrm2(h, N, x, 1, &v));
    CHECK(fabs((double)v * v - squares) < 1e-5 * squares);
    OK(asum(h, N, x, 1, &v));
    CHECK(v == size);
    x[700] = -99, x[900] = 99, y[800] = 0;
    OK(amax(h, N, x, 1, &place));
    CHECK(place == 701);
    for (int i = 0; i < 3 * N; i++)
        y[i] = i == 801 || i == 1200 ? T(-0.25) : T(1);
    OK(amin(h, N, y, 3, &place));
    CHECK(place == 268);
    OK(rot(h, N, x, y, &c, &s));
    finish_kernels();
    CHECK(x[801] == T(-0.25) && y[700] == 99 && y[900] == -99);
    T huge = sizeof(T) == 4 ? T(1e30) : T(1e300);
    x[0] = 3 * huge, x[1] = 4 * huge;
    OK(nrm2(h, 2, x, 1, &v));
    CHECK(fabs((double)(v / huge) - 5) < 1e-5);
    OK(asum(h, 0, x, 1, &v));
    CHECK(v == 0);
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    OK(asum(h, 2, y + 700, 200, d));
    OK(amax(h, N, y, 1, dp));
    OK(scal(h, 1, d, y, 1));
    finish_kernels();
    CHECK(*d == 198 && *dp == 701 && y[0] != 0);
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
}

template <class T> static void matrix_by_vector(cublasHandle_t h)
{
    enum { M = 150, N = 70, LD = 153 };
    T *a = shared_array<T>(LD * N), *x = shared_array<T>(2 * M), *y = shared_array<T>(3 * M);
    T *b = shared_array<T>(M * N), alpha = 2, beta = -1, zero = 0;
    fill(a, LD * N, 3), fill(x, 2 * M, 4);
    for (int t = 0; t < 2; t++) {
        int rows = t ? N : M, cols = t ? M : N;
        T before[3 * M];
        fill(y, 3 * M, 5), memcpy(before, y, sizeof(before));
        OK(gemv(h, t ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, &alpha, a, LD, x, 2, &beta, y, 3));
        finish_kernels();
        for (int i = 0; i < rows; i++) {
            T sum = 0;
            for (int k = 0; k < cols; k++)
                sum += (t ? a[k + i * LD] : a[i + k * LD]) * x[2 * k];
            CHECK(y[3 * i] == 2 * sum - before[3 * i] && y[3 * i + 1] == before[3 * i + 1]);
        }
    }
    T corner = a[M - 1 + (N - 1) * LD];
    OK(ger(h, M, N, &alpha, x, y, a, LD));
    finish_kernels();
    CHECK(a[M - 1 + (N - 1) * LD] == corner + 2 * x[M - 1] * y[N - 1]);
    OK(geam(h, N, M, &alpha, a, LD, &zero, (T *)NULL, N, b, N)); /* b = 2 a' */
    finish_kernels();
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            CHECK(b[i + k * N] == 2 * a[k + i * LD]);
    CHECK(gemv(h, CUBLAS_OP_N, M, N, &alpha, a, M - 1, x, 1, &beta, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
}

template <class T> static void matrices(cublasHandle_t h)
{
    enum { M = 70, N = 37, K = 45, LD = 71 };
    T *a = shared_array<T>(LD * LD), *b = shared_array<T>(LD * LD), *c = shared_array<T>(LD * LD);
    T before[LD * LD], alpha = 3, beta = 2, zero = 0;
    fill(a, LD * LD, 6), fill(b, LD * LD, 7);
    for (int t = 0; t < 5; t++) {
        int ta = t & 1, tb = t >> 1 & 1;
        fill(c, LD * LD, 8), memcpy(before, c, sizeof(before));
        if (t == 4) /* nothing of C is read */
            c[0] = (T)NAN, beta = 0;
        OK(gemm(h, ta ? CUBLAS_OP_C : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, K, &alpha,
                a, LD, b, LD, &beta, c, LD));
        finish_kernels();
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                T sum = 0;
                for (int k = 0; k < K; k++)
                    sum += (ta ? a[k + i * LD] : a[i + k * LD]) * (tb ? b[j + k * LD] : b[k + j * LD]);
                CHECK(c[i + j * LD] == 3 * sum + (t == 4 ? 0 : 2 * before[i + j * LD]));
            }
        CHECK(c[M] == before[M] && c[N * LD] == before[N * LD]);
    }
    OK(gemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, &alpha, a, 2, b, 1, &zero, c, 2));
    finish_kernels();
    CHECK(c[0] == 0 && c[3] == 0);
}

int main()
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    vectors<float>(h), vectors<double>(h);
    matrix_by_vector<float>(h), matrix_by_vector<double>(h);
    matrices<float>(h), matrices<double>(h);
    CHECK(cublasSscal(NULL, 1, NULL, NULL, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE") == 0);
    OK(cublasDestroy(h));
    return finish();
}
