/*
 * syr2k -- a symmetric update: adds the products of two matrices with each other's transpose
 *
 * suite: Polybench
 * stresses: global loads without coalescing in long loops, L1 thrashing, full grids
 * papers: none
 * kernels: syr2k
 * size: 128 rows and columns
 * large: 2048 rows and columns
 * odd: 45
 * tiny: 19
 * time: 9.7 s
 *
 * C = alpha A B^T + alpha B A^T + beta C, all of C.  Blocks of 32 x 8 threads as in Polybench-GPU;
 * a thread computes one element, along two rows of A and two of B: the first ones are the same for
 * a whole warp, the second ones lie below each other, so that their words come from 2 x 32 cache
 * lines.
 *
 * No sum cancels (see polybench.h): an element has gone through about n roundings.
 */
#include "common/polybench.h"

#define ALPHA 1.5f
#define BETA 1.25f

__global__ void syr2k(const float *a, const float *b, float *c, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= n || j >= n)
        return;
    c[i * n + j] *= BETA;
    for (int k = 0; k < n; k++)
        c[i * n + j] += ALPHA * a[i * n + k] * b[j * n + k] + ALPHA * b[i * n + k] * a[j * n + k];
}

static void update_gpu(const float *a, const float *b, float *c, int n)
{
    size_t n_value = (size_t)n * n;
    float *d_a = device_copy(a, n_value), *d_b = device_copy(b, n_value);
    float *d_c = device_copy(c, n_value);

    syr2k<<<grid_2d(n, n), block_2d>>>(d_a, d_b, d_c, n);
    CUDA_LAUNCHED();
    device_take(c, d_c, n_value);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
}

/* B A^T is the transpose of A B^T. */
static void update_cpu(const float *a, const float *b, float *c, int n)
{
    float *bt = transposed_cpu(b, n, n), *product = host_array((size_t)n * n);

    product_cpu(a, bt, product, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            size_t at = (size_t)i * n + j;

            c[at] = ALPHA * (product[at] + product[(size_t)j * n + i]) + BETA * c[at];
        }
    free(bt);
    free(product);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 128, .large = 2048, .least = 1, .most = 4096});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n;
    float *a = host_random(&w, n_value), *b = host_random(&w, n_value);
    float *got = host_random(&w, n_value), *want = host_array(n_value);

    memcpy(want, got, n_value * sizeof *want);
    update_gpu(a, b, got, n);
    update_cpu(a, b, want, n);
    workload_compare_f32(&w, "c", got, want, n_value, roundings(n + 8));

    free(a);
    free(b);
    free(got);
    free(want);
    return workload_end(&w);
}
