/*
 * transpose -- transposes a matrix, directly and through shared memory
 *
 * stresses: coalescing, memory partitions, shared-memory banks
 * papers: buddy
 * kernels: transpose_direct, transpose_tiled
 * size: 2048 columns
 * time: 0.3 s
 *
 * The same job twice.  Directly, a warp reads a row and writes a column: every lane of a store
 * hits a line of its own.  Tiled, a block of 32 x 8 threads brings a 32 x 32 tile into shared
 * memory row by row and writes it out row by row, turned; the tile's rows are 33 words apart, so
 * that a column of it lies in 32 different banks.  The matrix has 3/4 as many rows as columns.
 */
#include "workload.h"

#define TILE 32
#define BLOCK_Y 8

__global__ void transpose_direct(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x;

    for (int i = threadIdx.y; i < TILE; i += BLOCK_Y) {
        int y = blockIdx.y * TILE + i;

        if (x < cols && y < rows)
            out[x * rows + y] = in[y * cols + x];
    }
}

__global__ void transpose_tiled(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int col = blockIdx.x * TILE, row = blockIdx.y * TILE, x = threadIdx.x;

    for (int y = threadIdx.y; y < TILE; y += BLOCK_Y)
        if (col + x < cols && row + y < rows)
            tile[y][x] = in[(row + y) * cols + col + x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += BLOCK_Y)
        if (row + x < rows && col + y < cols)
            out[(col + y) * rows + row + x] = tile[x][y];
}

/* Leaves what the two kernels made of `in` in `direct` and `tiled`. */
static void transpose_on_gpu(const float *in, float *direct, float *tiled, int rows, int cols)
{
    size_t bytes = (size_t)rows * cols * sizeof(float);
    dim3 block(TILE, BLOCK_Y), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    float *d_in, *d_out;

    CUDA(cudaMalloc((void **)&d_in, bytes));
    CUDA(cudaMalloc((void **)&d_out, bytes));
    CUDA(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
    transpose_direct<<<grid, block>>>(d_in, d_out, rows, cols);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(direct, d_out, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemset(d_out, 0, bytes)); /* the second must not pass on the first one's work */
    transpose_tiled<<<grid, block>>>(d_in, d_out, rows, cols);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(tiled, d_out, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
}

int main(int argc, char **argv)
{
    struct workload_size sizes = {"columns", 2048, 1, 8192, 0};
    struct workload w = workload_begin(argc, argv, sizes);
    int cols = (int)w.size, rows = cols - cols / 4;
    size_t n = (size_t)rows * cols;
    float *in = (float *)workload_alloc(n * sizeof(float));
    float *direct = (float *)workload_alloc(n * sizeof(float));
    float *tiled = (float *)workload_alloc(n * sizeof(float));
    float *want = (float *)workload_alloc(n * sizeof(float));

    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            want[x * rows + y] = in[y * cols + x] = workload_float(&w, -1, 1);
    transpose_on_gpu(in, direct, tiled, rows, cols);
    workload_compare_f32(&w, "direct", direct, want, n, 0);
    workload_compare_f32(&w, "tiled", tiled, want, n, 0);
    free(in);
    free(direct);
    free(tiled);
    free(want);
    return workload_end(&w);
}
