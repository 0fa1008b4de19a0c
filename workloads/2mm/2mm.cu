/*
 * 2mm -- two products of matrices, the second of the first one's result
 *
 * suite: Polybench
 * stresses: global loads and stores in long loops, L1 and L2 bandwidth, full grids
 * papers: none
 * kernels: mm2_c, mm2_e
 * size: 256 rows and columns
 * large: 2048 rows and columns
 * odd: 45
 * tiny: 19
 * time: 7.2 s
 *
 * C = A B, then E = C D.  Blocks of 32 x 8 threads as in Polybench-GPU; a thread computes one
 * element, along a row of the left matrix (the same word for a whole warp) and a column of the
 * right one (coalesced).  All four sizes of the original are the same here, as they are by its
 * default.
 *
 * No sum cancels (see polybench.h): an element of E has gone through about 2 n roundings.
 */
#include "common/polybench.h"

__global__ void mm2_c(const float *a, const float *b, float *c, int n)
{
    product_element(a, b, c, n);
}

__global__ void mm2_e(const float *c, const float *d, float *e, int n)
{
    product_element(c, d, e, n);
}

static void multiply_gpu(const float *a, const float *b, const float *d, float *e, int n)
{
    size_t n_value = (size_t)n * n;
    float *d_a = device_copy(a, n_value), *d_b = device_copy(b, n_value);
    float *d_c = device_array(n_value);
    float *d_d = device_copy(d, n_value), *d_e = device_array(n_value);

    mm2_c<<<grid_2d(n, n), block_2d>>>(d_a, d_b, d_c, n);
    CUDA_LAUNCHED();
    mm2_e<<<grid_2d(n, n), block_2d>>>(d_c, d_d, d_e, n);
    CUDA_LAUNCHED();
    device_take(e, d_e, n_value);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
    CUDA(cudaFree(d_d));
}

static void multiply_cpu(const float *a, const float *b, const float *d, float *e, int n)
{
    float *c = host_array((size_t)n * n);

    product_cpu(a, b, c, n, n);
    product_cpu(c, d, e, n, n);
    free(c);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 256, .large = 2048, .least = 1, .most = 4096});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n;
    float *a = host_random(&w, n_value), *b = host_random(&w, n_value);
    float *d = host_random(&w, n_value);
    float *got = host_array(n_value), *want = host_array(n_value);

    multiply_gpu(a, b, d, got, n);
    multiply_cpu(a, b, d, want, n);
    workload_compare_f32(&w, "e", got, want, n_value, roundings(2 * n + 4));

    free(a);
    free(b);
    free(d);
    free(got);
    free(want);
    return workload_end(&w);
}
