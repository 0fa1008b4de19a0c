/*
 * matrix_vector.cu -- gemv and ger, and geam, which is as little work an element.
 *
 * Matrices are stored by columns, so threads side by side take rows side by side: in gemv of A a
 * thread has a row and sums over the columns; of A transposed a warp has a column and sums its rows.
 */
#include "context.h"

enum { BLOCK = 128, WARP = 32, TILE = 32, TILE_ROWS = 8 };

/* beta * y, of which nothing is read if beta is 0. */
template <class T> static __device__ T scaled(T beta, const T *y)
{
    return beta == T(0) ? T(0) : beta * *y;
}

/* Elements of x that all rows need come from shared memory, BLOCK at a time. */
template <class T>
static __global__ void gemv_n(int m, int n, scalar<T> alpha, const T *a, long lda, const T *x,
                              long incx, scalar<T> beta, T *y, long incy)
{
    __shared__ T some[BLOCK];
    int row = blockIdx.x * BLOCK + threadIdx.x;
    T sum = 0;
    for (int begin = 0; begin < n; begin += BLOCK) {
        int count = min(BLOCK, n - begin);
        if ((int)threadIdx.x < count)
            some[threadIdx.x] = x[(begin + (long)threadIdx.x) * incx];
        __syncthreads();
        for (int col = 0; row < m && col < count; col++)
            sum += a[row + (begin + col) * lda] * some[col];
        __syncthreads();
    }
    if (row < m)
        y[row * incy] = alpha.get() * sum + scaled(beta.get(), y + row * incy);
}

template <class T>
static __global__ void gemv_t(int m, int n, scalar<T> alpha, const T *a, long lda, const T *x,
                              long incx, scalar<T> beta, T *y, long incy)
{
    long col = blockIdx.x * (long)(BLOCK / WARP) + threadIdx.x / WARP;
    int lane = threadIdx.x % WARP;
    T sum = 0;
    if (col >= n) /* the whole warp */
        return;
    for (int row = lane; row < m; row += WARP)
        sum += a[row + col * lda] * x[row * incx];
    for (int step = WARP / 2; step; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0)
        y[col * incy] = alpha.get() * sum + scaled(beta.get(), y + col * incy);
}

template <class T>
static cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha,
                           const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_operation(op) || m < 0 || n < 0 || !is_leading(lda, m) || !incx || !incy)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!alpha || !a || !x || !beta || !y)
        return CUBLAS_STATUS_INVALID_VALUE;
    int n_x = op == CUBLAS_OP_N ? n : m, n_y = op == CUBLAS_OP_N ? m : n;
    scalar<T> by(h, alpha), keep(h, beta);
    x = first(x, n_x, incx), y = first(y, n_y, incy);
    if (op == CUBLAS_OP_N)
        gemv_n<T><<<ceil_div(m, BLOCK), BLOCK, 0, h->stream>>>(m, n, by, a, lda, x, incx, keep, y,
                                                               incy);
    else
        gemv_t<T><<<ceil_div(n, BLOCK / WARP), BLOCK, 0, h->stream>>>(m, n, by, a, lda, x, incx,
                                                                      keep, y, incy);
    return launched();
}

template <class T>
static __global__ void ger(int m, int n, scalar<T> alpha, const T *x, long incx, const T *y,
                           long incy, T *a, long lda)
{
    int row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= m)
        return;
    T ax = alpha.get() * x[row * incx];
    for (long col = blockIdx.y; col < n; col += gridDim.y)
        a[row + col * lda] += ax * y[col * incy];
}

template <class T>
static cublasStatus_t rank_one(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx,
                               const T *y, int incy, T *a, int lda)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || !is_leading(lda, m) || !incx || !incy)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!alpha || !x || !y || !a)
        return CUBLAS_STATUS_INVALID_VALUE;
    dim3 grid(ceil_div(m, BLOCK), (unsigned int)(n < 1024 ? n : 1024));
    ger<T><<<grid, BLOCK, 0, h->stream>>>(m, n, scalar<T>(h, alpha), first(x, m, incx), incx,
                                          first(y, n, incy), incy, a, lda);
    return launched();
}

/* --- alpha op(A) + beta op(B) --- */

/* A tile of op(A) whose first element is (row, col), in shared memory; read by columns of A. */
template <class T>
static __device__ void load_tile(T tile[TILE][TILE + 1], bool transposed, int m, int n, int row,
                                 int col, const T *a, long lda)
{
    for (int k = threadIdx.y; k < TILE; k += TILE_ROWS) {
        int i = row + (transposed ? k : (int)threadIdx.x), j = col + (transposed ? (int)threadIdx.x : k);
        if (i < m && j < n)
            tile[j - col][i - row] = transposed ? a[j + i * lda] : a[i + j * lda];
    }
}

template <class T>
static __global__ void geam(bool ta, bool tb, int m, int n, scalar<T> alpha, const T *a, long lda,
                            scalar<T> beta, const T *b, long ldb, T *c, long ldc)
{
    __shared__ T tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
    T by_a = alpha.get(), by_b = beta.get();
    int row = blockIdx.x * TILE, col = blockIdx.y * TILE, i = row + threadIdx.x;
    if (by_a != T(0))
        load_tile(tile_a, ta, m, n, row, col, a, lda);
    if (by_b != T(0))
        load_tile(tile_b, tb, m, n, row, col, b, ldb);
    __syncthreads();
    for (int k = threadIdx.y; k < TILE; k += TILE_ROWS)
        if (i < m && col + k < n)
            c[i + (col + k) * ldc] = (by_a != T(0) ? by_a * tile_a[k][threadIdx.x] : T(0)) +
                                     (by_b != T(0) ? by_b * tile_b[k][threadIdx.x] : T(0));
}

template <class T>
static cublasStatus_t add(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                          int n, const T *alpha, const T *a, int lda, const T *beta, const T *b,
                          int ldb, T *c, int ldc)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_operation(ta) || !is_operation(tb) || m < 0 || n < 0 ||
        !is_leading(lda, ta == CUBLAS_OP_N ? m : n) || !is_leading(ldb, tb == CUBLAS_OP_N ? m : n) ||
        !is_leading(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!alpha || !beta || !c)
        return CUBLAS_STATUS_INVALID_VALUE;
    scalar<T> by_a(h, alpha), by_b(h, beta);
    if ((!a && !by_a.is_zero()) || (!b && !by_b.is_zero()))
        return CUBLAS_STATUS_INVALID_VALUE;
    /* in place: each tile is read whole before it is written, if it is the same tile */
    if ((c == a && (ta != CUBLAS_OP_N || lda != ldc)) || (c == b && (tb != CUBLAS_OP_N || ldb != ldc)))
        return CUBLAS_STATUS_INVALID_VALUE;
    dim3 grid(ceil_div(m, TILE), ceil_div(n, TILE));
    geam<T><<<grid, dim3(TILE, TILE_ROWS), 0, h->stream>>>(
        ta != CUBLAS_OP_N, tb != CUBLAS_OP_N, m, n, by_a, a, lda, by_b, b, ldb, c, ldc);
    return launched();
}

#define FUNCTIONS(S, T)                                                                            \
    API cublasStatus_t cublas##S##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n,    \
                                          const T *alpha, const T *a, int lda, const T *x,         \
                                          int incx, const T *beta, T *y, int incy)                 \
    {                                                                                              \
        return gemv(h, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                           \
    }                                                                                              \
    API cublasStatus_t cublas##S##ger_v2(cublasHandle_t h, int m, int n, const T *alpha,           \
                                         const T *x, int incx, const T *y, int incy, T *a,         \
                                         int lda)                                                  \
    {                                                                                              \
        return rank_one(h, m, n, alpha, x, incx, y, incy, a, lda);                                 \
    }                                                                                              \
    API cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t ta,                     \
                                       cublasOperation_t tb, int m, int n, const T *alpha,         \
                                       const T *a, int lda, const T *beta, const T *b, int ldb,    \
                                       T *c, int ldc)                                              \
    {                                                                                              \
        return add(h, ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                          \
    }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
