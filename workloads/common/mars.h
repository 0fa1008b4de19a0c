/*
 * mars.h -- what map-reduce programs in the manner of Mars (He et al., PACT 2008) share.
 *
 * Mars knows no lists that grow: tasks run twice.  The first time they count what they will emit,
 * mars_offsets adds the counts up, and the second time each task writes to its own place:
 *
 *     count<<<..>>>(.., d_count);
 *     n_record = mars_offsets(d_count, d_offset, n_task);
 *     emit<<<..>>>(.., d_offset, d_record);
 */
#ifndef MARS_H
#define MARS_H

#include "workload.h"

enum { MARS_BLOCK = 256 };

static inline int mars_grid(int n)
{
    return (n + MARS_BLOCK - 1) / MARS_BLOCK;
}

/* Sums before each element of a block, by doubling strides (Hillis and Steele 1986). */
__global__ static void mars_scan(const int *in, int *out, int *total, int n)
{
    __shared__ int sum[2][MARS_BLOCK];
    int t = threadIdx.x, i = blockIdx.x * MARS_BLOCK + t, own = i < n ? in[i] : 0, now = 0;

    sum[now][t] = own;
    for (int stride = 1; stride < MARS_BLOCK; stride *= 2) {
        __syncthreads();
        sum[!now][t] = sum[now][t] + (t >= stride ? sum[now][t - stride] : 0);
        now = !now;
    }
    if (i < n)
        out[i] = sum[now][t] - own;
    if (t == MARS_BLOCK - 1)
        total[blockIdx.x] = sum[now][t];
}

__global__ static void mars_scan_add(int *out, const int *before, int n)
{
    int i = blockIdx.x * MARS_BLOCK + threadIdx.x;

    if (i < n)
        out[i] += before[blockIdx.x];
}

/* offset[i] = the sum of the i first counts, for n of them; returns the sum of all. */
static int mars_offsets(const int *d_count, int *d_offset, int n)
{
    int grid = mars_grid(n), sum, *d_total, *d_before;

    CUDA(cudaMalloc((void **)&d_total, grid * sizeof *d_total));
    mars_scan<<<grid, MARS_BLOCK>>>(d_count, d_offset, d_total, n);
    CUDA_LAUNCHED();
    if (grid == 1) {
        CUDA(cudaMemcpy(&sum, d_total, sizeof sum, cudaMemcpyDeviceToHost));
    } else {
        CUDA(cudaMalloc((void **)&d_before, grid * sizeof *d_before));
        sum = mars_offsets(d_total, d_before, grid);
        mars_scan_add<<<grid, MARS_BLOCK>>>(d_offset, d_before, n);
        CUDA_LAUNCHED();
        CUDA(cudaFree(d_before));
    }
    CUDA(cudaFree(d_total));
    return sum;
}

#endif
