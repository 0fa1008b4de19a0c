/*
 * gemm-train -- the matrix products of one training step of a recurrent layer
 *
 * suite: DeepBench
 * stresses: fused multiply-add in straight code, registers, shared memory
 * papers: socgpu
 * kernels: gemm_train_nn, gemm_train_sum, gemm_train_tn, gemm_train_nt
 * size: 640 hidden units
 * large: 1760 hidden units
 * odd: 97
 * tiny: 17
 * time: 5.2 s
 *
 * With weights W, inputs X and gradients dY of a batch of 128: Y = W X (gemm_train_nn),
 * dX = W' dY (gemm_train_tn) and dW = dY X' (gemm_train_nt), DeepBench's 1760 x 128 x 1760, plain
 * and transposed.  The tile is that of common/gemm.cuh, 64 x 64.  The first two products have few
 * tiles, so as libraries do, four CTAs share one: each takes a quarter of the common dimension, and
 * gemm_train_sum adds the quarters.
 *
 * Values are multiples of 1/32 in -1..1.  A product is a multiple of 2^-10 and a sum of up to 2^14
 * of them fits a float: nothing is rounded, and the comparison is exact.
 */
#include "workload.h"
#include "common/gemm.cuh"

enum {
    BATCH = 128,
    SPLITS = 4,
    SUM_BLOCK = 128,
};

/* Y = W X, a quarter of the sum: W [n][n], X and Y [n][BATCH]. */
__global__ void gemm_train_nn(const float *weight, const float *x, float *part, int n)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    int k = blockIdx.z * (n / SPLITS);
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(gemm_turned(weight, n, row, n, k), gemm_straight(x, BATCH, col, BATCH, k),
                  n / SPLITS / GEMM_STEP, sum);
    gemm_write(part + (size_t)blockIdx.z * n * BATCH, BATCH, row, col, n, BATCH, sum);
}

/* dX = W' dY, a quarter of the sum. */
__global__ void gemm_train_tn(const float *weight, const float *dy, float *part, int n)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    int k = blockIdx.z * (n / SPLITS);
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(gemm_straight(weight, n, row, n, k), gemm_straight(dy, BATCH, col, BATCH, k),
                  n / SPLITS / GEMM_STEP, sum);
    gemm_write(part + (size_t)blockIdx.z * n * BATCH, BATCH, row, col, n, BATCH, sum);
}

/* dW = dY X': there are tiles enough, and the sum is short. */
__global__ void gemm_train_nt(const float *dy, const float *x, float *dweight, int n)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(gemm_turned(dy, BATCH, row, n, 0), gemm_turned(x, BATCH, col, n, 0),
                  BATCH / GEMM_STEP, sum);
    gemm_write(dweight, n, row, col, n, n, sum);
}

/* A thread adds the quarters of 4 elements; the padding of n makes these whole blocks. */
__global__ void gemm_train_sum(const float4 *part, float4 *to, int n)
{
    int i = blockIdx.x * SUM_BLOCK + threadIdx.x;
    float4 sum = part[i];

#pragma unroll
    for (int split = 1; split < SPLITS; split++) {
        float4 v = part[(size_t)split * n * (BATCH / 4) + i];

        sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    }
    to[i] = sum;
}

/* All of one training step; n is the number of units, padded. */
struct layer {
    int n;
    float *weight, *dweight; /* [n][n] */
    float *x, *y, *dx, *dy;  /* [n][BATCH] */
};

static void sum_gpu(const float *part, float *to, int n)
{
    gemm_train_sum<<<n *(BATCH / 4) / SUM_BLOCK, SUM_BLOCK>>>((const float4 *)part, (float4 *)to,
                                                              n);
    CUDA_LAUNCHED();
}

static void train_gpu(struct layer *l)
{
    int n = l->n, tiles = gemm_tiles(n), batch_tiles = gemm_tiles(BATCH);
    size_t bytes = (size_t)n * BATCH * sizeof(float), weight_bytes = (size_t)n * n * sizeof(float);
    float *weight = (float *)workload_upload(l->weight, weight_bytes);
    float *x = (float *)workload_upload(l->x, bytes), *dy = (float *)workload_upload(l->dy, bytes);
    float *dweight, *to, *part;

    CUDA(cudaMalloc((void **)&dweight, weight_bytes));
    CUDA(cudaMalloc((void **)&to, bytes));
    CUDA(cudaMalloc((void **)&part, SPLITS * bytes));
    gemm_train_nn<<<dim3(batch_tiles, tiles, SPLITS), GEMM_THREADS>>>(weight, x, part, n);
    CUDA_LAUNCHED();
    sum_gpu(part, to, n);
    CUDA(cudaMemcpy(l->y, to, bytes, cudaMemcpyDeviceToHost));
    gemm_train_tn<<<dim3(batch_tiles, tiles, SPLITS), GEMM_THREADS>>>(weight, dy, part, n);
    CUDA_LAUNCHED();
    sum_gpu(part, to, n);
    CUDA(cudaMemcpy(l->dx, to, bytes, cudaMemcpyDeviceToHost));
    gemm_train_nt<<<dim3(tiles, tiles), GEMM_THREADS>>>(dy, x, dweight, n);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(l->dweight, dweight, weight_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(weight));
    CUDA(cudaFree(x));
    CUDA(cudaFree(dy));
    CUDA(cudaFree(dweight));
    CUDA(cudaFree(to));
    CUDA(cudaFree(part));
}

/* Each weight takes part in a row of Y, one of dX, and has a gradient. */
static void train_cpu(struct layer *l)
{
    int n = l->n;

    memset(l->y, 0, (size_t)n * BATCH * sizeof *l->y);
    memset(l->dx, 0, (size_t)n * BATCH * sizeof *l->dx);
    for (int i = 0; i < n; i++) {
        float *y = l->y + (size_t)i * BATCH;
        const float *dy = l->dy + (size_t)i * BATCH;

        for (int j = 0; j < n; j++) {
            const float *x = l->x + (size_t)j * BATCH;
            float *dx = l->dx + (size_t)j * BATCH, weight = l->weight[(size_t)i * n + j];
            float gradient = 0;

            for (int b = 0; b < BATCH; b++) {
                y[b] += weight * x[b];
                dx[b] += weight * dy[b];
            }
            for (int b = 0; b < BATCH; b++)
                gradient += dy[b] * x[b];
            l->dweight[(size_t)i * n + j] = gradient;
        }
    }
}

/* `rows` x `cols` values; what pads them stays 0. */
static float *matrix_make(struct workload *w, int rows, int cols, int padded_rows, int pitch)
{
    float *m = (float *)workload_alloc((size_t)padded_rows * pitch * sizeof *m);

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[(size_t)i * pitch + j] = ((int)workload_below(w, 65) - 32) / 32.0f;
    return m;
}

static struct layer layer_make(struct workload *w, int units)
{
    int whole = SPLITS * GEMM_STEP, n = (units + whole - 1) / whole * whole;
    struct layer l = {n, NULL, NULL, NULL, NULL, NULL, NULL};

    l.weight = matrix_make(w, units, units, n, n);
    l.x = matrix_make(w, units, BATCH, n, BATCH);
    l.dy = matrix_make(w, units, BATCH, n, BATCH);
    l.dweight = matrix_make(w, 0, 0, n, n);
    l.y = matrix_make(w, 0, 0, n, BATCH);
    l.dx = matrix_make(w, 0, 0, n, BATCH);
    return l;
}

static void layer_free(struct layer *l)
{
    free(l->weight);
    free(l->dweight);
    free(l->x);
    free(l->y);
    free(l->dx);
    free(l->dy);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "hidden units", .usual = 640, .large = 1760, .least = 1, .most = 4096});
    struct layer want = layer_make(&w, (int)w.size), got = want;
    size_t values = (size_t)want.n * BATCH, weights = (size_t)want.n * want.n;

    got.dweight = matrix_make(&w, 0, 0, got.n, got.n);
    got.y = matrix_make(&w, 0, 0, got.n, BATCH);
    got.dx = matrix_make(&w, 0, 0, got.n, BATCH);
    train_gpu(&got);
    train_cpu(&want);
    workload_compare_f32(&w, "y", got.y, want.y, values, 0);
    workload_compare_f32(&w, "dx", got.dx, want.dx, values, 0);
    workload_compare_f32(&w, "dweight", got.dweight, want.dweight, weights, 0);

    free(got.dweight);
    free(got.y);
    free(got.dx);
    layer_free(&want);
    return workload_end(&w);
}
