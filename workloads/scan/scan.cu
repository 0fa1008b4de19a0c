/*
 * scan -- sums of all elements before each element of a vector
 *
 * stresses: shared memory, barriers, few active threads per warp
 * papers: buddy
 * kernels: scan_blocks, add_block_sums
 * size: 2097152 elements
 * time: 0.3 s
 *
 * The exclusive prefix sum by the work-efficient method (Blelloch 1990).  A block scans 512
 * elements in shared memory: up a tree of sums, then down it, where a node hands its own prefix to
 * its left child, and that plus the left child's sum to its right child.  The blocks' totals are
 * scanned in the same way, level by level, and then added to all elements of their blocks.
 */
#include "workload.h"

#define THREADS 256
#define PER_BLOCK (2 * THREADS)
#define BANKS 32

/* Strides of the tree are powers of two; skipping a word per row of banks spreads them. */
__device__ static int spread(int i)
{
    return i + i / BANKS;
}

/* From the leaves to the root: x[right] becomes the sum below it. */
__device__ static void sweep_up(int *x, int t)
{
    for (int stride = 1; stride < PER_BLOCK; stride *= 2) {
        int right = (t + 1) * 2 * stride - 1;

        __syncthreads();
        if (right < PER_BLOCK)
            x[spread(right)] += x[spread(right - stride)];
    }
}

/* From the root, which holds 0, to the leaves: x[right] becomes the sum before its subtree. */
__device__ static void sweep_down(int *x, int t)
{
    for (int stride = PER_BLOCK / 2; stride > 0; stride /= 2) {
        int right = (t + 1) * 2 * stride - 1;

        __syncthreads();
        if (right < PER_BLOCK) {
            int left_sum = x[spread(right - stride)];

            x[spread(right - stride)] = x[spread(right)];
            x[spread(right)] += left_sum;
        }
    }
}

__global__ void scan_blocks(const int *in, int *out, int *totals, int n)
{
    __shared__ int x[PER_BLOCK + PER_BLOCK / BANKS];
    int t = threadIdx.x, low = blockIdx.x * PER_BLOCK + t, high = low + THREADS;

    x[spread(t)] = low < n ? in[low] : 0;
    x[spread(t + THREADS)] = high < n ? in[high] : 0;
    sweep_up(x, t);
    __syncthreads();
    if (t == 0) {
        totals[blockIdx.x] = x[spread(PER_BLOCK - 1)];
        x[spread(PER_BLOCK - 1)] = 0;
    }
    sweep_down(x, t);
    __syncthreads();
    if (low < n)
        out[low] = x[spread(t)];
    if (high < n)
        out[high] = x[spread(t + THREADS)];
}

__global__ void add_block_sums(int *out, const int *sums, int n)
{
    int i = blockIdx.x * PER_BLOCK + threadIdx.x;
    int sum = sums[blockIdx.x];

    if (i < n)
        out[i] += sum;
    if (i + THREADS < n)
        out[i + THREADS] += sum;
}

/* One level: scans the blocks, then has their totals scanned, in place, by the next one. */
static void scan_level(const int *in, int *out, int n)
{
    int n_block = (n + PER_BLOCK - 1) / PER_BLOCK;
    int *totals;

    CUDA(cudaMalloc((void **)&totals, n_block * sizeof(int)));
    scan_blocks<<<n_block, THREADS>>>(in, out, totals, n);
    CUDA_LAUNCHED();
    if (n_block > 1) {
        scan_level(totals, totals, n_block);
        add_block_sums<<<n_block, THREADS>>>(out, totals, n);
        CUDA_LAUNCHED();
    }
    CUDA(cudaFree(totals));
}

static void scan_on_gpu(const int *in, int *out, int n)
{
    int *d_in, *d_out;

    CUDA(cudaMalloc((void **)&d_in, n * sizeof(int)));
    CUDA(cudaMalloc((void **)&d_out, n * sizeof(int)));
    CUDA(cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice));
    scan_level(d_in, d_out, n);
    CUDA(cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
}

int main(int argc, char **argv)
{
    struct workload_size sizes = {"elements", 1 << 21, 1, 1 << 25, 0};
    struct workload w = workload_begin(argc, argv, sizes);
    int n = (int)w.size, sum = 0;
    int *in = (int *)workload_alloc(n * sizeof(int));
    int *got = (int *)workload_alloc(n * sizeof(int));
    int *want = (int *)workload_alloc(n * sizeof(int));

    for (int i = 0; i < n; i++) {
        in[i] = (int)workload_below(&w, 64); /* 2^25 of them stay below 2^31 */
        want[i] = sum;
        sum += in[i];
    }
    scan_on_gpu(in, got, n);
    workload_compare_i32(&w, "out", got, want, n);
    free(in);
    free(got);
    free(want);
    return workload_end(&w);
}
