/*
 * product.cuh -- products of matrices as a library runs them: which kernel, how many CTAs.
 *
 * The matrices of the BLAS lie column by column.  What is C [m x n] there is here, row by row,
 * [n][m], the product of its B and A: rows are counted by n, and a tile of cuBLAS's 128x64 has 64
 * rows.  Kernels come in a table, largest tile first and the one for 63 registers last.
 *
 * The choice knows the GPU and the size: compute capability 3.5 and up has 255 registers.  Of the
 * tiles that fit an SM it is the largest of which C has one for each SM and fills three quarters;
 * if there is none, the smallest, and the common dimension is shared by as many CTAs as make one
 * for each SM, at most 8; gemm_sum adds up their parts.  That is the order of cuBLAS's kernels for
 * Maxwell and Pascal, as profiles name them: 128x128, 128x64, 64x64.
 */
#ifndef COMMON_PRODUCT_CUH
#define COMMON_PRODUCT_CUH

#include "workload.h"
#include "common/wide.cuh"

enum {
    PRODUCT_SPLITS = 8,
    PRODUCT_PART = 16, /* steps of k of a CTA, at least */
    PRODUCT_SUM_BLOCK = 128,
    PRODUCT_SAMPLES = 256, /* rows of C that are compared */
};

enum {
    THREADS_128X128 = wide_tile<128, 128>::THREADS,
    THREADS_128X64 = wide_tile<64, 128>::THREADS,
    THREADS_64X64 = wide_tile<64, 64>::THREADS,
    THREADS_128X32 = wide_tile<32, 128>::THREADS,
};

/* A kernel of a table, and its tile; RUN is the type of all of the table. */
template <class RUN> struct product_tile {
    RUN *run;
    int rows, cols, threads;
};

typedef product_tile<void(const float *a, const float *b, float *c, struct gemm_shape s)>
    product_kernel;

/* A thread adds the parts of 4 elements. */
__global__ void gemm_sum(const float4 *part, float4 *to, int n, int n_part)
{
    int i = blockIdx.x * PRODUCT_SUM_BLOCK + threadIdx.x;
    float4 sum;

    if (i >= n)
        return;
    sum = part[i];
    for (int p = 1; p < n_part; p++) {
        float4 v = part[(size_t)p * n + i];

        sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    }
    to[i] = sum;
}

static inline int product_parts(int n, int of)
{
    return (n + of - 1) / of;
}

template <class TILE> static inline int product_tiles(const TILE *t, int m, int n)
{
    return product_parts(m, t->rows) * product_parts(n, t->cols);
}

/* Without spilling: on a small register file a kernel that asks for two CTAs gets few registers. */
template <class TILE> static inline bool product_fits(const TILE *t)
{
    struct cudaFuncAttributes of;
    int ctas = 0;

    CUDA(cudaFuncGetAttributes(&of, (const void *)t->run));
    return of.localSizeBytes == 0 &&
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, (const void *)t->run, t->threads,
                                                         0) == cudaSuccess &&
           ctas > 0;
}

/* Of a table, for C of m rows and n columns. */
template <class TILE, int N>
static inline const TILE *product_choose(const TILE (&table)[N], int m, int n, int *n_sm)
{
    const TILE *narrow = &table[N - 1], *smallest = narrow;
    struct cudaDeviceProp gpu;

    CUDA(cudaGetDeviceProperties(&gpu, 0));
    *n_sm = gpu.multiProcessorCount;
    if (gpu.major * 10 + gpu.minor < 35)
        return narrow;
    for (const TILE *t = table; t < narrow; t++) {
        double tiles = product_tiles(t, m, n);

        if (!product_fits(t))
            continue;
        if (tiles >= *n_sm && (double)m * n >= 0.75 * tiles * t->rows * t->cols)
            return t;
        smallest = t;
    }
    return smallest;
}

/* Into how many parts k is cut so that each SM has a CTA. */
static inline int product_splits(int tiles, int n_sm, int n_step)
{
    int parts = product_parts(n_sm, tiles), most = n_step / PRODUCT_PART;

    parts = parts < PRODUCT_SPLITS ? parts : PRODUCT_SPLITS;
    parts = parts < most ? parts : most;
    return parts > 1 ? parts : 1;
}

/* c = a b; s but for its `steps` is the caller's. */
template <int N>
static inline void product_gpu(const product_kernel (&table)[N], const float *a, const float *b,
                               float *c, struct gemm_shape s)
{
    int n_sm;
    const product_kernel *k = product_choose(table, s.m, s.n, &n_sm);
    int parts = product_splits(product_tiles(k, s.m, s.n), n_sm, s.n_step);
    int n = s.m * (s.c_pitch / 4);
    float *part = c;

    s.steps = product_parts(s.n_step, parts);
    parts = product_parts(s.n_step, s.steps);
    if (parts > 1)
        CUDA(cudaMalloc((void **)&part, (size_t)parts * n * sizeof(float4)));
    k->run<<<dim3(product_parts(s.n, k->cols), product_parts(s.m, k->rows), parts), k->threads>>>(
        a, b, part, s);
    CUDA_LAUNCHED();
    if (parts == 1)
        return;
    gemm_sum<<<product_parts(n, PRODUCT_SUM_BLOCK), PRODUCT_SUM_BLOCK>>>((const float4 *)part,
                                                                         (float4 *)c, n, parts);
    CUDA_LAUNCHED();
    CUDA(cudaFree(part));
}

/* ---- input and comparison */

/* Row by row, [rows][pitch], with rows and columns of zeros up to multiples of a step. */
struct product_matrix {
    int rows, cols, pitch;
    float *v;
};

static inline int product_aligned(int n)
{
    return product_parts(n, GEMM_STEP) * GEMM_STEP;
}

static inline struct product_matrix product_empty(int rows, int cols)
{
    int pitch = product_aligned(cols);

    return (struct product_matrix){
        rows, cols, pitch,
        (float *)workload_alloc((size_t)product_aligned(rows) * pitch * sizeof(float))};
}

/* Multiples of 1/32 in -1..1: a sum of up to 2^14 products fits a float, so nothing is rounded. */
static inline struct product_matrix product_random(struct workload *w, int rows, int cols)
{
    struct product_matrix m = product_empty(rows, cols);

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m.v[(size_t)i * m.pitch + j] = ((int)workload_below(w, 65) - 32) / 32.0f;
    return m;
}

static inline struct product_matrix product_transposed(struct product_matrix m)
{
    struct product_matrix t = product_empty(m.cols, m.rows);

    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.cols; j++)
            t.v[(size_t)j * t.pitch + i] = m.v[(size_t)i * m.pitch + j];
    return t;
}

static inline float *product_upload(struct product_matrix m)
{
    return (float *)workload_upload(m.v, (size_t)product_aligned(m.rows) * m.pitch * sizeof(float));
}

static inline void product_download(struct product_matrix to, const float *from)
{
    CUDA(
        cudaMemcpy(to.v, from, (size_t)to.rows * to.pitch * sizeof(float), cudaMemcpyDeviceToHost));
}

/* One row of A B. */
static inline void product_row_cpu(struct product_matrix a, struct product_matrix b, int row,
                                   float *c)
{
    memset(c, 0, b.cols * sizeof *c);
    for (int k = 0; k < b.rows; k++) {
        const float *from = b.v + (size_t)k * b.pitch;
        float v = a.v[(size_t)row * a.pitch + k];

        for (int j = 0; j < b.cols; j++)
            c[j] += v * from[j];
    }
}

/* All rows of C, or that many spread over it, the first and the last among them. */
static inline void product_compare(struct workload *w, const char *what, struct product_matrix got,
                                   struct product_matrix a, struct product_matrix b)
{
    int n = got.rows < PRODUCT_SAMPLES ? got.rows : PRODUCT_SAMPLES;
    float *want = (float *)workload_alloc(got.cols * sizeof *want);

    for (int i = 0; i < n; i++) {
        int row = n > 1 ? (int)((long)i * (got.rows - 1) / (n - 1)) : 0;

        product_row_cpu(a, b, row, want);
        workload_compare_f32(w, what, got.v + (size_t)row * got.pitch, want, got.cols, 0);
    }
    free(want);
}

#endif
