/*
 * reduction -- adds up all elements of a vector
 *
 * suite: SDK
 * stresses: shared memory, barriers, warps that run out of work, many short launches
 * papers: buddy
 * kernels: reduction_sum
 * size: 131072 elements
 * large: 16777216 elements
 * odd: 2011
 * tiny: 1001
 * time: 3.1 s
 *
 * A thread adds up elements a grid apart, two at a time, and its block adds its threads' sums in a
 * tree in shared memory: half of the threads add the other half's sums, and so on, with a barrier
 * after each step.  The number of threads is known to the compiler, which unrolls the tree.  A pass
 * leaves one element per block; passes follow until one is left.  All this is done ROUNDS times, as
 * the SDK does to take the time, after a first pass to warm up.
 *
 * Table II of the Buddy SM paper has 101 launches of 32 blocks of 256 threads and 100 of one block
 * of 16: --size 16384.  That takes half a second, so the default has eight times the elements: 64
 * blocks, of which each thread adds 8, and one of 32.  `large` is the SDK's own size.
 */
#include "workload.h"

#define THREADS 256   /* of a block, at most */
#define MAX_BLOCKS 64 /* larger inputs make longer threads instead */
#define ROUNDS 100

/* A block of a power of two threads; `out` gets its sum. */
template <int threads> __global__ void reduction_sum(const float *in, float *out, int n)
{
    __shared__ float sum[threads];
    int t = threadIdx.x;
    float mine = 0;

    for (int i = blockIdx.x * threads * 2 + t; i < n; i += gridDim.x * threads * 2) {
        mine += in[i];
        if (i + threads < n)
            mine += in[i + threads];
    }
    sum[t] = mine;
#pragma unroll
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sum[t] += sum[t + half];
    }
    if (t == 0)
        out[blockIdx.x] = sum[0]; /* its own last addition: no barrier needed */
}

/* The kernel for 2^i threads at i. */
static void (*const reduction_sums[])(const float *, float *, int) = {
    reduction_sum<1>,  reduction_sum<2>,  reduction_sum<4>,   reduction_sum<8>,  reduction_sum<16>,
    reduction_sum<32>, reduction_sum<64>, reduction_sum<128>, reduction_sum<256>};

/* Half as many threads as elements, as far as a block goes. */
static int log_threads_for(int n)
{
    int log = 0;

    while (1 << log < THREADS && 2 << log < n)
        log++;
    return log;
}

/* Returns how many blocks that was: the number of elements that are left. */
static int pass(const float *from, float *to, int n)
{
    int log = log_threads_for(n), threads = 1 << log;
    int blocks = (n + 2 * threads - 1) / (2 * threads);

    if (blocks > MAX_BLOCKS)
        blocks = MAX_BLOCKS;
    reduction_sums[log]<<<blocks, threads>>>(from, to, n);
    CUDA_LAUNCHED();
    return blocks;
}

static void reduce_on_gpu(const float *in, float sums[ROUNDS], int n)
{
    float *d_in = (float *)workload_upload(in, n * sizeof(float)), *d_out[2];

    for (int i = 0; i < 2; i++)
        CUDA(cudaMalloc((void **)&d_out[i], MAX_BLOCKS * sizeof(float)));
    pass(d_in, d_out[0], n);
    for (int round = 0; round < ROUNDS; round++) {
        int left = pass(d_in, d_out[0], n), last = 0;

        for (; left > 1; last = !last)
            left = pass(d_out[last], d_out[!last], left);
        CUDA(cudaMemcpy(&sums[round], d_out[last], sizeof(float), cudaMemcpyDeviceToHost));
    }
    for (int i = 0; i < 2; i++)
        CUDA(cudaFree(d_out[i]));
    CUDA(cudaFree(d_in));
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "elements", .usual = 131072, .large = 1 << 24, .least = 1, .most = 1 << 26});
    int n = (int)w.size;
    float *in = (float *)workload_alloc(n * sizeof(float));
    float got[ROUNDS], want[ROUNDS];
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += in[i] = workload_float(&w, 0, 1);
    for (int round = 0; round < ROUNDS; round++)
        want[round] = (float)sum;
    reduce_on_gpu(in, got, n);

    /*
     * On its way an element passes through the additions of its thread and through at most 8 + 6 in
     * trees.  Each rounds by at most 2^-24 of its result, and as no element is negative, that adds
     * up to a relative error of the sum.  One more: want is rounded to a float.
     */
    int in_thread = n / (MAX_BLOCKS * THREADS) + 2;

    workload_compare_f32(&w, "sum", got, want, ROUNDS, (in_thread + 15) / 16777216.0f);
    free(in);
    return workload_end(&w);
}
