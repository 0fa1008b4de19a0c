/*
 * gemm -- the general product of matrices, in the plainest form
 *
 * suite: Polybench
 * stresses: global loads and stores in long loops, L1 and L2 bandwidth, full grids
 * papers: none
 * kernels: gemm
 * size: 256 rows and columns
 * large: 512 rows and columns
 * odd: 45
 * tiny: 19
 * time: 5.7 s
 *
 * C = alpha A B + beta C.  Blocks of 32 x 8 threads as in Polybench-GPU; a thread computes one
 * element, along a row of A (the same word for a whole warp) and a column of B (coalesced).
 *
 * No sum cancels (see polybench.h): an element has gone through about n roundings.
 */
#include "common/polybench.h"

#define ALPHA 1.5f
#define BETA 1.25f

__global__ void gemm(const float *a, const float *b, float *c, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= n || j >= n)
        return;
    c[i * n + j] *= BETA;
    for (int k = 0; k < n; k++)
        c[i * n + j] += ALPHA * a[i * n + k] * b[k * n + j];
}

static void multiply_gpu(const float *a, const float *b, float *c, int n)
{
    size_t n_value = (size_t)n * n;
    float *d_a = device_copy(a, n_value), *d_b = device_copy(b, n_value);
    float *d_c = device_copy(c, n_value);

    gemm<<<grid_2d(n, n), block_2d>>>(d_a, d_b, d_c, n);
    CUDA_LAUNCHED();
    device_take(c, d_c, n_value);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
}

static void multiply_cpu(const float *a, const float *b, float *c, int n)
{
    size_t n_value = (size_t)n * n;
    float *product = host_array(n_value);

    product_cpu(a, b, product, n, n);
    for (size_t i = 0; i < n_value; i++)
        c[i] = ALPHA * product[i] + BETA * c[i];
    free(product);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 256, .large = 512, .least = 1, .most = 4096});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n;
    float *a = host_random(&w, n_value), *b = host_random(&w, n_value);
    float *got = host_random(&w, n_value), *want = host_array(n_value);

    memcpy(want, got, n_value * sizeof *want);
    multiply_gpu(a, b, got, n);
    multiply_cpu(a, b, want, n);
    workload_compare_f32(&w, "c", got, want, n_value, roundings(n + 8));

    free(a);
    free(b);
    free(got);
    free(want);
    return workload_end(&w);
}
