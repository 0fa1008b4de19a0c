/*
 * reduction -- adds up all elements of a vector
 *
 * stresses: shared memory, barriers, warps that run out of work
 * papers: buddy
 * kernels: reduce
 * size: 8388608 elements
 * time: 0.3 s
 *
 * A block adds 512 elements in a tree in shared memory: each thread adds two while loading them,
 * then half of the threads add the other half's sums, and so on, with a barrier after each step.
 * A pass leaves one element per block; passes follow until one element is left.
 */
#include "workload.h"

#define THREADS 256
#define PER_BLOCK (2 * THREADS)

__global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float sum[THREADS];
    int t = threadIdx.x, i = blockIdx.x * PER_BLOCK + t;
    float mine = i < n ? in[i] : 0.0f;

    if (i + THREADS < n)
        mine += in[i + THREADS];
    sum[t] = mine;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sum[t] += sum[t + half];
    }
    if (t == 0)
        out[blockIdx.x] = sum[0]; /* its own last addition: no barrier needed */
}

/* Passes go back and forth between two buffers.  Returns the number of passes. */
static int reduce_on_gpu(const float *in, float *sum, int n)
{
    int n_block = (n + PER_BLOCK - 1) / PER_BLOCK, passes = 0;
    float *from, *to;

    CUDA(cudaMalloc((void **)&from, n * sizeof(float)));
    CUDA(cudaMalloc((void **)&to, n_block * sizeof(float)));
    CUDA(cudaMemcpy(from, in, n * sizeof(float), cudaMemcpyHostToDevice));
    do {
        n_block = (n + PER_BLOCK - 1) / PER_BLOCK;
        reduce<<<n_block, THREADS>>>(from, to, n);
        CUDA_LAUNCHED();
        float *swap = from;
        from = to;
        to = swap;
        n = n_block;
        passes++;
    } while (n > 1);
    CUDA(cudaMemcpy(sum, from, sizeof(float), cudaMemcpyDeviceToHost));
    CUDA(cudaFree(from));
    CUDA(cudaFree(to));
    return passes;
}

int main(int argc, char **argv)
{
    struct workload_size sizes = {"elements", 1 << 23, 1, 1 << 26, 0};
    struct workload w = workload_begin(argc, argv, sizes);
    int n = (int)w.size;
    float *in = (float *)workload_alloc(n * sizeof(float));
    double sum = 0;
    float got, want;

    for (int i = 0; i < n; i++)
        sum += in[i] = workload_float(&w, 0, 1);
    want = (float)sum;

    int passes = reduce_on_gpu(in, &got, n);

    /*
     * On its way an element passes through log2(512) = 9 additions per pass.  Each rounds by at
     * most 2^-24 of its result, and as no element is negative, that adds up to a relative error of
     * the sum.  One more: want is rounded to a float.
     */
    workload_compare_f32(&w, "sum", &got, &want, 1, (9 * passes + 1) / 16777216.0f);
    free(in);
    return workload_end(&w);
}
