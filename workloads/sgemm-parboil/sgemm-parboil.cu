/*
 * sgemm-parboil -- product of two matrices, with the result's tile in registers
 *
 * suite: Parboil
 * stresses: float arithmetic, registers, shared memory broadcasts
 * papers: buddy, gates, share
 * kernels: sgemm_parboil_tile
 * size: 512 rows
 * large: 1024 rows
 * odd: 150
 * tiny: 40
 * mix: 128
 * time: 8.9 s
 *
 * C = alpha A B + beta C for column-major A and C and a transposed B, as sgemm's NT case.  The
 * suite's inputs have m rows, an inner dimension of m - 32 and m + 32 columns, and so have ours;
 * `large` is its medium input.  A block of 16 x 8 threads has a tile of 128 rows and 16 columns of
 * C: a thread has a row of the tile in 16 registers.  It takes a column of A straight from global
 * memory, and 8 rows of B's tile at a time from shared memory, where all threads read the same
 * word.  --columns sets the columns of B and C alone: `--size 128 --columns 496` is a grid of 1 x
 * 31 blocks.
 *
 * Like the original, the kernel knows whole tiles only: the host fills the matrices up with zeros.
 * All values are small whole numbers, and alpha and beta powers of two: every sum is exact.
 */
#include "workload.h"

enum {
    WIDTH = 16, /* of a block of threads, and of a tile */
    HEIGHT = 8, /* of a block of threads, and rows of B in shared memory */
    ROWS = WIDTH * HEIGHT,
};

#define ALPHA 0.5f
#define BETA 0.25f

/* a: m x k, b: n x k (transposed), c: m x n, all column by column. */
struct product {
    int m, n, k;
    float *a, *b, *c;
};

/* The matrices with the number of rows that each has in memory, as BLAS has it. */
__global__ void sgemm_parboil_tile(const float *a, int a_pitch, const float *b, int b_pitch,
                                   float *c, int c_pitch, int n_k, float alpha, float beta)
{
    __shared__ float b_tile[HEIGHT][WIDTH];
    int row = blockIdx.x * ROWS + threadIdx.y * blockDim.x + threadIdx.x;
    int column = blockIdx.y * WIDTH + threadIdx.x; /* of the element that it brings from B */
    int first = c_pitch * blockIdx.y * WIDTH + row;
    float sum[WIDTH] = {0};

    for (int k = 0; k < n_k; k += HEIGHT) {
        b_tile[threadIdx.y][threadIdx.x] = b[column + (k + threadIdx.y) * b_pitch];
        __syncthreads();
        for (int i = 0; i < HEIGHT; i++) {
            float value = a[row + (k + i) * a_pitch];

            for (int j = 0; j < WIDTH; j++)
                sum[j] += value * b_tile[i][j];
        }
        __syncthreads();
    }
    for (int j = 0; j < WIDTH; j++)
        c[first + j * c_pitch] = beta * c[first + j * c_pitch] + alpha * sum[j];
}

static void multiply_gpu(struct product p, float *c)
{
    size_t c_bytes = (size_t)p.m * p.n * sizeof *c;
    struct product d = {p.m, p.n, p.k, NULL, NULL, NULL};

    d.a = (float *)workload_upload(p.a, (size_t)p.m * p.k * sizeof *p.a);
    d.b = (float *)workload_upload(p.b, (size_t)p.n * p.k * sizeof *p.b);
    d.c = (float *)workload_upload(p.c, c_bytes);
    sgemm_parboil_tile<<<dim3(p.m / ROWS, p.n / WIDTH), dim3(WIDTH, HEIGHT)>>>(
        d.a, p.m, d.b, p.n, d.c, p.m, p.k, ALPHA, BETA);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(c, d.c, c_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.a));
    CUDA(cudaFree(d.b));
    CUDA(cudaFree(d.c));
}

/* The reference, in place: a column of C after the other. */
static void multiply_cpu(struct product p)
{
    for (int j = 0; j < p.n; j++) {
        float *c = p.c + (size_t)j * p.m;

        for (int i = 0; i < p.m; i++)
            c[i] *= BETA;
        for (int k = 0; k < p.k; k++) {
            const float *a = p.a + (size_t)k * p.m;
            float b = ALPHA * p.b[(size_t)k * p.n + j];

            for (int i = 0; i < p.m; i++)
                c[i] += a[i] * b;
        }
    }
}

/* Whole numbers in the first rows and columns, zeros in the others. */
static float *matrix_make(struct workload *w, int stored_rows, int stored_columns, int rows,
                          int columns)
{
    float *a = (float *)workload_alloc((size_t)stored_rows * stored_columns * sizeof *a);

    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            a[(size_t)j * stored_rows + i] = (float)workload_below(w, 9) - 4;
    return a;
}

static int round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){
                           .unit = "rows",
                           .usual = 512,
                           .large = 1024,
                           .least = 1,
                           .most = 8192,
                           .extra = {"--columns", "columns; 0: 32 more than rows", 0, 0, 8192}});
    int m = (int)w.size, n = w.extra ? (int)w.extra : m + 32, k = m > 32 ? m - 32 : 1;
    struct product p = {
        round_up(m, ROWS), round_up(n, WIDTH), round_up(k, HEIGHT), NULL, NULL, NULL};
    float *got = (float *)workload_alloc((size_t)p.m * p.n * sizeof *got);

    p.a = matrix_make(&w, p.m, p.k, m, k);
    p.b = matrix_make(&w, p.n, p.k, n, k);
    p.c = matrix_make(&w, p.m, p.n, m, n);
    multiply_gpu(p, got);
    multiply_cpu(p);
    workload_compare_f32(&w, "c", got, p.c, (size_t)p.m * p.n, 0);

    free(p.a);
    free(p.b);
    free(p.c);
    free(got);
    return workload_end(&w);
}
