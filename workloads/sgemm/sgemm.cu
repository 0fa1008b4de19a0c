/*
 * sgemm -- multiplies two square matrices of floats
 *
 * suite: SDK
 * stresses: fused multiply-add, registers, shared memory
 * papers: none
 * kernels: sgemm
 * size: 512 rows
 * large: 1024 rows
 * odd: 93
 * tiny: 37
 * time: 8.2 s
 *
 * C = alpha A B + beta C, all row by row.  A block of 16 x 8 threads computes a tile of 32 x 64
 * elements of C: it walks along the common dimension in steps of 16, keeps the step's pieces of A
 * and B in shared memory, and each thread keeps 4 x 4 sums in registers.  So an element that was
 * fetched once is used 32 or 64 times, and a value read from shared memory 4 times: registers, not
 * memory, are what the kernel runs out of.  The SDK's matrixMul has one element a thread and
 * squares of 16; this is the same product with the registers put to use.
 *
 * The inputs are such that no sum rounds (see below), so the comparison is exact.
 */
#include "workload.h"

#define BLOCK_X 16
#define BLOCK_Y 8
#define THREADS (BLOCK_X * BLOCK_Y)
#define EACH 4 /* a thread's rows, and columns, of the tile */
#define TILE_ROWS (BLOCK_Y * EACH)
#define TILE_COLS (BLOCK_X * EACH)
#define STEP 16

/* Copies rows x cols elements of the n x n matrix `from`; what lies outside of it counts as 0. */
__device__ static void load_tile(float *tile, int rows, int cols, int pitch, const float *from,
                                 int row, int col, int n)
{
    for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < rows * cols; i += THREADS) {
        int y = i / cols, x = i % cols;
        bool inside = row + y < n && col + x < n;

        tile[y * pitch + x] = inside ? from[(row + y) * n + col + x] : 0.0f;
    }
}

/* A thread's rows and columns lie BLOCK_Y and BLOCK_X apart: neighbours read neighbouring banks. */
__global__ void sgemm(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
    __shared__ float tile_a[TILE_ROWS][STEP + 1]; /* one more, against bank conflicts */
    __shared__ float tile_b[STEP][TILE_COLS];
    int row = blockIdx.y * TILE_ROWS, col = blockIdx.x * TILE_COLS;
    float sum[EACH][EACH] = {{0}};

    for (int k = 0; k < n; k += STEP) {
        load_tile(&tile_a[0][0], TILE_ROWS, STEP, STEP + 1, a, row, k, n);
        load_tile(&tile_b[0][0], STEP, TILE_COLS, TILE_COLS, b, k, col, n);
        __syncthreads();
#pragma unroll
        for (int s = 0; s < STEP; s++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    sum[i][j] +=
                        tile_a[threadIdx.y + i * BLOCK_Y][s] * tile_b[s][threadIdx.x + j * BLOCK_X];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            int y = row + threadIdx.y + i * BLOCK_Y, x = col + threadIdx.x + j * BLOCK_X;

            if (y < n && x < n)
                c[y * n + x] = alpha * sum[i][j] + beta * c[y * n + x];
        }
}

static void multiply_on_gpu(const float *a, const float *b, float *c, int n, float alpha,
                            float beta)
{
    size_t bytes = (size_t)n * n * sizeof(float);
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid((n + TILE_COLS - 1) / TILE_COLS, (n + TILE_ROWS - 1) / TILE_ROWS);
    float *d_a, *d_b, *d_c;

    CUDA(cudaMalloc((void **)&d_a, bytes));
    CUDA(cudaMalloc((void **)&d_b, bytes));
    CUDA(cudaMalloc((void **)&d_c, bytes));
    CUDA(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_c, c, bytes, cudaMemcpyHostToDevice));
    sgemm<<<grid, block>>>(d_a, d_b, d_c, n, alpha, beta);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
}

/* Row by row of C, in the order in which memory holds B. */
static void multiply_on_cpu(const float *a, const float *b, float *c, int n, float alpha,
                            float beta)
{
    double *sum = (double *)workload_alloc(n * sizeof(double));

    for (int y = 0; y < n; y++) {
        memset(sum, 0, n * sizeof(double));
        for (int k = 0; k < n; k++)
            for (int x = 0; x < n; x++)
                sum[x] += (double)a[y * n + k] * b[k * n + x];
        for (int x = 0; x < n; x++)
            c[y * n + x] = (float)(alpha * sum[x] + beta * c[y * n + x]);
    }
    free(sum);
}

/*
 * Multiples of 1/64 in -1..1.  A product of two is a multiple of 2^-12, and a sum of up to 2048 of
 * them is less than 2^11: 23 bits, which a float holds.  Scaled by powers of two, and with one
 * multiple of 1/64 added, it still fits.  So no order of summation rounds anything, and the
 * comparison can be exact.
 */
static void fill(struct workload *w, float *m, int n)
{
    for (int i = 0; i < n * n; i++)
        m[i] = ((int)workload_below(w, 129) - 64) / 64.0f;
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){
                           .unit = "rows", .usual = 512, .large = 1024, .least = 1, .most = 2048});
    int n = (int)w.size;
    size_t bytes = (size_t)n * n * sizeof(float);
    float *a = (float *)workload_alloc(bytes);
    float *b = (float *)workload_alloc(bytes);
    float *got = (float *)workload_alloc(bytes);
    float *want = (float *)workload_alloc(bytes);

    fill(&w, a, n);
    fill(&w, b, n);
    fill(&w, want, n);
    memcpy(got, want, bytes);
    multiply_on_cpu(a, b, want, n, 0.5f, 2.0f);
    multiply_on_gpu(a, b, got, n, 0.5f, 2.0f);
    workload_compare_f32(&w, "c", got, want, (size_t)n * n, 0);
    free(a);
    free(b);
    free(got);
    free(want);
    return workload_end(&w);
}
