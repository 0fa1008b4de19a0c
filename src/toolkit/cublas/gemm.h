/*
 * gemm.h -- C = alpha op(A) op(B) + beta C, for one pair of matrices or many.
 *
 * A CTA of 256 threads computes a tile of 64 x 64 elements of C, a thread 4 x 4 of them, 16 apart.
 * Tiles of A and B, 16 deep, go through shared memory.  What lies beyond the matrices is zero there.
 * Numbers of 16 bits are made single precision on their way in and rounded on their way out.
 */
#ifndef SMELT_CUBLAS_GEMM_H
#define SMELT_CUBLAS_GEMM_H

#include "context.h"

#pragma GCC visibility push(hidden)

enum {
    TILE = 64,
    DEPTH = 16,
    SIDE = 16,
    OWN = TILE / SIDE,
    THREADS = SIDE * SIDE,
    MOST_GRID_Z = 65535
};

/* The matrices of a batch: at equal distances, or each where an array on the device says. */
template <class T> struct matrices {
    T *first;
    T *const *each;
    long long stride;

    __device__ T *operator[](int i) const
    {
        return each ? each[i] : first + i * stride;
    }
};

template <class T> static matrices<T> one_matrix(T *first)
{
    matrices<T> m = {first, NULL, 0};
    return m;
}

template <class T> static matrices<T> strided(T *first, long long stride)
{
    matrices<T> m = {first, NULL, stride};
    return m;
}

template <class T> static matrices<T> listed(T *const *each)
{
    matrices<T> m = {NULL, each, 0};
    return m;
}

/*
 * A tile of op(X) with `rows` rows in all and `depth` columns, from (row, begin) on: to[k][i].
 * `Across`: rows of op(X) are side by side in memory, else its columns are; so are the threads.
 */
template <bool Across, class In, class Acc>
static __device__ __forceinline__ void load_tile(Acc to[DEPTH][TILE + 1], const In *x, long ld,
                                                 int rows, int depth, int row, int begin)
{
    for (int e = threadIdx.x; e < TILE * DEPTH; e += THREADS) {
        int i = Across ? e % TILE : e / DEPTH, k = Across ? e / TILE : e % DEPTH;
        bool within = row + i < rows && begin + k < depth;
        long at = Across ? row + i + (begin + k) * ld : begin + k + (row + i) * ld;
        to[k][i] = within ? (Acc)x[at] : Acc(0);
    }
}

template <bool TransA, bool TransB, class In, class Out, class Acc, class Scalar>
static __global__ void __launch_bounds__(THREADS)
    gemm(int m, int n, int k, scalar<Scalar> alpha, matrices<const In> a, long lda,
         matrices<const In> b, long ldb, scalar<Scalar> beta, matrices<Out> c, long ldc, int batch)
{
    __shared__ Acc tile_a[DEPTH][TILE + 1], tile_b[DEPTH][TILE + 1];
    int row = blockIdx.x * TILE, col = blockIdx.y * TILE;
    int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    Acc by = (Acc)alpha.get(), keep = (Acc)beta.get();

    for (int z = blockIdx.z; z < batch; z += gridDim.z) {
        Acc sum[OWN][OWN] = {};
        for (int begin = 0; begin < k && by != Acc(0); begin += DEPTH) {
            load_tile<!TransA>(tile_a, a[z], lda, m, k, row, begin);
            load_tile<TransB>(tile_b, b[z], ldb, n, k, col, begin);
            __syncthreads();
#pragma unroll 4
            for (int d = 0; d < DEPTH; d++) {
                Acc u[OWN], v[OWN];
                for (int i = 0; i < OWN; i++)
                    u[i] = tile_a[d][x + i * SIDE], v[i] = tile_b[d][y + i * SIDE];
                for (int i = 0; i < OWN; i++)
                    for (int j = 0; j < OWN; j++)
                        sum[i][j] += u[i] * v[j];
            }
            __syncthreads();
        }
        for (int j = 0; j < OWN; j++)
            for (int i = 0; i < OWN; i++) {
                int to_row = row + x + i * SIDE, to_col = col + y + j * SIDE;
                if (to_row >= m || to_col >= n)
                    continue;
                Out *to = c[z] + to_row + to_col * ldc;
                *to = (Out)(by * sum[i][j] + (keep == Acc(0) ? Acc(0) : keep * (Acc)*to));
            }
    }
}

template <class In, class Out, class Acc, class Scalar>
static cublasStatus_t multiply(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                               int n, int k, const Scalar *alpha, matrices<const In> a, int lda,
                               matrices<const In> b, int ldb, const Scalar *beta, matrices<Out> c,
                               int ldc, int batch)
{
    bool is_ta = ta != CUBLAS_OP_N, is_tb = tb != CUBLAS_OP_N;
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_operation(ta) || !is_operation(tb) || m < 0 || n < 0 || k < 0 || batch < 0 ||
        !is_leading(lda, is_ta ? k : m) || !is_leading(ldb, is_tb ? n : k) || !is_leading(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!alpha || !beta || (!c.first && !c.each) ||
        (k > 0 && ((!a.first && !a.each) || (!b.first && !b.each))))
        return CUBLAS_STATUS_INVALID_VALUE;
    auto kernel = is_ta   ? is_tb ? gemm<true, true, In, Out, Acc, Scalar>
                                  : gemm<true, false, In, Out, Acc, Scalar>
                    : is_tb ? gemm<false, true, In, Out, Acc, Scalar>
                          : gemm<false, false, In, Out, Acc, Scalar>;
    dim3 grid(ceil_div(m, TILE), ceil_div(n, TILE),
              (unsigned int)(batch < MOST_GRID_Z ? batch : MOST_GRID_Z));
    kernel<<<grid, THREADS, 0, h->stream>>>(m, n, k, scalar<Scalar>(h, alpha), a, lda, b, ldb,
                                            scalar<Scalar>(h, beta), c, ldc, batch);
    return launched();
}

#pragma GCC visibility pop

/* The three functions of a type: one pair of matrices, listed ones, strided ones. */
#define GEMM_FUNCTIONS(name, batched_name, strided_name, T, Acc)                                   \
    API cublasStatus_t name(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
                            int n, int k, const T *alpha, const T *a, int lda, const T *b,         \
                            int ldb, const T *beta, T *c, int ldc)                                 \
    {                                                                                              \
        return multiply<T, T, Acc, T>(h, ta, tb, m, n, k, alpha, one_matrix(a), lda,               \
                                      one_matrix(b), ldb, beta, one_matrix(c), ldc, 1);            \
    }                                                                                              \
    API cublasStatus_t batched_name(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,  \
                                    int m, int n, int k, const T *alpha, const T *const a[],       \
                                    int lda, const T *const b[], int ldb, const T *beta,           \
                                    T *const c[], int ldc, int batch)                              \
    {                                                                                              \
        return multiply<T, T, Acc, T>(h, ta, tb, m, n, k, alpha, listed(a), lda, listed(b), ldb,   \
                                      beta, listed(c), ldc, batch);                                \
    }                                                                                              \
    API cublasStatus_t strided_name(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,  \
                                    int m, int n, int k, const T *alpha, const T *a, int lda,      \
                                    long long stride_a, const T *b, int ldb, long long stride_b,   \
                                    const T *beta, T *c, int ldc, long long stride_c, int batch)   \
    {                                                                                              \
        return multiply<T, T, Acc, T>(h, ta, tb, m, n, k, alpha, strided(a, stride_a), lda,        \
                                      strided(b, stride_b), ldb, beta, strided(c, stride_c), ldc,  \
                                      batch);                                                      \
    }

#endif
