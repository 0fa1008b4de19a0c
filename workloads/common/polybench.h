/*
 * polybench.h -- what the workloads after Polybench-GPU share: launch shapes, arrays, products.
 *
 * Their kernels are naive on purpose: a thread per output, no shared memory, and sums that grow in
 * global memory.  As nothing tells the compiler that arrays do not overlap, a sum is stored again
 * after every term; only its loads are saved.
 *
 * Matrices are stored row by row.  Elements of matrices and vectors lie between 0 and 1, so that no
 * sum of products cancels: its relative error is at most half an ulp for every rounding that one
 * term goes through, and that is the tolerance of the comparisons.
 */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include "workload.h"

enum {
    BLOCK = 256, /* threads of a block on a vector.. */
    BLOCK_X = 32,
    BLOCK_Y = 8, /* ..and on a matrix: x along its rows */
};

static const dim3 block_2d(BLOCK_X, BLOCK_Y);

static inline int grid_1d(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static inline dim3 grid_2d(int rows, int columns)
{
    return dim3((columns + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);
}

/* A thread's element of c = a b, n x n, for programs with several kernels that do this. */
static inline __device__ void product_element(const float *a, const float *b, float *c, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= n || j >= n)
        return;
    c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* ---- arrays */

static inline float *host_array(size_t n)
{
    return (float *)workload_alloc(n * sizeof(float));
}

static inline float *host_random(struct workload *w, size_t n)
{
    float *a = host_array(n);

    for (size_t i = 0; i < n; i++)
        a[i] = workload_float(w, 0, 1);
    return a;
}

/* The option of programs about points; by default there are few, see n_point. */
static const struct workload_option points_option = {
    "--points", "points; 0: 24, below 2048 coordinates, or as many", 0, 0, 4096};

/*
 * Points to so many coordinates: as many in the original, which has 2048; far fewer below that
 * size, as it is the coordinates that make the blocks.
 */
static inline int n_point(int n_coordinate, long points)
{
    if (points)
        return (int)points;
    return n_coordinate < 2048 ? 24 : n_coordinate;
}

/*
 * m points of n coordinates, counted from 1 as in Polybench: row 0 and column 0 are 0 and of no
 * meaning.  Under the noise lies a chessboard, so that every coordinate varies (by a deviation of
 * 0.09 and more, if m > 1) and every two of them correlate: no sum of their products cancels.
 */
static inline float *host_points(struct workload *w, int m, int n)
{
    float *a = host_array((size_t)(m + 1) * (n + 1));

    for (int i = 1; i <= m; i++)
        for (int j = 1; j <= n; j++)
            a[(size_t)i * (n + 1) + j] = workload_float(w, 0, 0.4f) + ((i + j) % 2 ? 0.6f : 0);
    return a;
}

static inline float *device_array(size_t n)
{
    void *d;

    CUDA(cudaMalloc(&d, n * sizeof(float)));
    return (float *)d;
}

static inline float *device_copy(const float *from, size_t n)
{
    return (float *)workload_upload(from, n * sizeof(float));
}

/* Back to the host; the device's array is freed. */
static inline void device_take(float *to, float *d, size_t n)
{
    CUDA(cudaMemcpy(to, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d));
}

/* ---- references: sums in double */

/* c = a b; n x n sums of m products, in an order of loops that reads b row by row. */
static inline void product_cpu(const float *a, const float *b, float *c, int n, int m)
{
    double *sum = (double *)workload_alloc(n * sizeof *sum);

    for (int i = 0; i < n; i++) {
        memset(sum, 0, n * sizeof *sum);
        for (int k = 0; k < m; k++) {
            double factor = a[(size_t)i * m + k];

            for (int j = 0; j < n; j++)
                sum[j] += factor * b[(size_t)k * n + j];
        }
        for (int j = 0; j < n; j++)
            c[(size_t)i * n + j] = (float)sum[j];
    }
    free(sum);
}

/* Of m rows and n columns. */
static inline float *transposed_cpu(const float *a, int m, int n)
{
    float *t = host_array((size_t)m * n);

    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[(size_t)j * m + i] = a[(size_t)i * n + j];
    return t;
}

/* y = a x, n x n */
static inline void rows_cpu(const float *a, const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;

        for (int j = 0; j < n; j++)
            sum += (double)a[(size_t)i * n + j] * x[j];
        y[i] = (float)sum;
    }
}

/* y = a^T x, n x n */
static inline void columns_cpu(const float *a, const float *x, float *y, int n)
{
    double *sum = (double *)workload_alloc(n * sizeof *sum);

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum[j] += (double)a[(size_t)i * n + j] * x[i];
    for (int j = 0; j < n; j++)
        y[j] = (float)sum[j];
    free(sum);
}

/* The tolerance after so many roundings. */
static inline float roundings(int n)
{
    return (float)n * (1.0f / (1 << 24));
}

#endif
