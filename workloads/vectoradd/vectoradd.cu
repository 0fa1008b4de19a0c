/*
 * vectoradd -- adds two vectors
 *
 * suite: SDK
 * stresses: global memory bandwidth, no reuse
 * papers: none
 * kernels: vector_add
 * size: 4194304 elements
 * large: 16777216 elements
 * odd: 10007
 * tiny: 2003
 * time: 3.6 s
 *
 * One thread adds one pair of elements: two loads and a store for one addition, all of them
 * coalesced.  The first program of every CUDA course, and the plainest measure of memory
 * bandwidth.  Blocks of 256 threads as in the SDK, whose own vectors have only 50000 elements.
 */
#include "workload.h"

#define THREADS 256

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

static void add_on_gpu(const float *a, const float *b, float *c, int n)
{
    size_t bytes = n * sizeof(float);
    float *d_a, *d_b, *d_c;

    CUDA(cudaMalloc((void **)&d_a, bytes));
    CUDA(cudaMalloc((void **)&d_b, bytes));
    CUDA(cudaMalloc((void **)&d_c, bytes));
    CUDA(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    vector_add<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_a, d_b, d_c, n);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "elements", .usual = 1 << 22, .large = 1 << 24, .least = 1, .most = 1 << 26});
    int n = (int)w.size;
    float *a = (float *)workload_alloc(n * sizeof(float));
    float *b = (float *)workload_alloc(n * sizeof(float));
    float *got = (float *)workload_alloc(n * sizeof(float));
    float *want = (float *)workload_alloc(n * sizeof(float));

    for (int i = 0; i < n; i++) {
        a[i] = workload_float(&w, -100, 100);
        b[i] = workload_float(&w, -100, 100);
        want[i] = a[i] + b[i];
    }
    add_on_gpu(a, b, got, n);
    workload_compare_f32(&w, "c", got, want, n, 0); /* one IEEE addition: not a bit may differ */
    free(a);
    free(b);
    free(got);
    free(want);
    return workload_end(&w);
}
