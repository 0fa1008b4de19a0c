/*
 * syrk -- a symmetric update: adds the product of a matrix with its own transpose
 *
 * suite: Polybench
 * stresses: global loads without coalescing in long loops, L1 thrashing, full grids
 * papers: none
 * kernels: syrk
 * size: 160 rows and columns
 * large: 1024 rows and columns
 * odd: 45
 * tiny: 19
 * time: 6.9 s
 *
 * C = alpha A A^T + beta C, all of C.  Blocks of 32 x 8 threads as in Polybench-GPU; a thread
 * computes one element, along two rows of A: the first one is the same for a whole warp, the
 * second ones lie below each other, so that their words come from 32 cache lines.
 *
 * No sum cancels (see polybench.h): an element has gone through about n roundings.
 */
#include "common/polybench.h"

#define ALPHA 1.5f
#define BETA 1.25f

__global__ void syrk(const float *a, float *c, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= n || j >= n)
        return;
    c[i * n + j] *= BETA;
    for (int k = 0; k < n; k++)
        c[i * n + j] += ALPHA * a[i * n + k] * a[j * n + k];
}

static void update_gpu(const float *a, float *c, int n)
{
    size_t n_value = (size_t)n * n;
    float *d_a = device_copy(a, n_value), *d_c = device_copy(c, n_value);

    syrk<<<grid_2d(n, n), block_2d>>>(d_a, d_c, n);
    CUDA_LAUNCHED();
    device_take(c, d_c, n_value);
    CUDA(cudaFree(d_a));
}

static void update_cpu(const float *a, float *c, int n)
{
    size_t n_value = (size_t)n * n;
    float *at = transposed_cpu(a, n, n), *product = host_array(n_value);

    product_cpu(a, at, product, n, n);
    for (size_t i = 0; i < n_value; i++)
        c[i] = ALPHA * product[i] + BETA * c[i];
    free(at);
    free(product);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 160, .large = 1024, .least = 1, .most = 4096});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n;
    float *a = host_random(&w, n_value);
    float *got = host_random(&w, n_value), *want = host_array(n_value);

    memcpy(want, got, n_value * sizeof *want);
    update_gpu(a, got, n);
    update_cpu(a, want, n);
    workload_compare_f32(&w, "c", got, want, n_value, roundings(n + 8));

    free(a);
    free(got);
    free(want);
    return workload_end(&w);
}
