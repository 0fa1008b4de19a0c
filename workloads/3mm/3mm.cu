/*
 * 3mm -- three products of matrices, the last of the first two's results
 *
 * suite: Polybench
 * stresses: global loads and stores in long loops, L1 and L2 bandwidth, full grids
 * papers: amoeba
 * kernels: mm3_e, mm3_f, mm3_g
 * size: 192 rows and columns
 * large: 512 rows and columns
 * odd: 45
 * tiny: 19
 * time: 5.7 s
 *
 * E = A B, F = C D, then G = E F.  Blocks of 32 x 8 threads as in Polybench-GPU; a thread computes
 * one element, along a row of the left matrix (the same word for a whole warp) and a column of the
 * right one (coalesced).  All five sizes of the original are the same here, as they are by its
 * default.
 *
 * No sum cancels (see polybench.h): an element of G has gone through about 3 n roundings.
 */
#include "common/polybench.h"

__global__ void mm3_e(const float *a, const float *b, float *e, int n)
{
    product_element(a, b, e, n);
}

__global__ void mm3_f(const float *c, const float *d, float *f, int n)
{
    product_element(c, d, f, n);
}

__global__ void mm3_g(const float *e, const float *f, float *g, int n)
{
    product_element(e, f, g, n);
}

/* in: A, B, C and D */
static void multiply_gpu(float *const in[4], float *g, int n)
{
    size_t n_value = (size_t)n * n;
    float *d_in[4], *d_e = device_array(n_value), *d_f = device_array(n_value);
    float *d_g = device_array(n_value);

    for (int i = 0; i < 4; i++)
        d_in[i] = device_copy(in[i], n_value);
    mm3_e<<<grid_2d(n, n), block_2d>>>(d_in[0], d_in[1], d_e, n);
    CUDA_LAUNCHED();
    mm3_f<<<grid_2d(n, n), block_2d>>>(d_in[2], d_in[3], d_f, n);
    CUDA_LAUNCHED();
    mm3_g<<<grid_2d(n, n), block_2d>>>(d_e, d_f, d_g, n);
    CUDA_LAUNCHED();
    device_take(g, d_g, n_value);
    CUDA(cudaFree(d_e));
    CUDA(cudaFree(d_f));
    for (int i = 0; i < 4; i++)
        CUDA(cudaFree(d_in[i]));
}

static void multiply_cpu(float *const in[4], float *g, int n)
{
    float *e = host_array((size_t)n * n), *f = host_array((size_t)n * n);

    product_cpu(in[0], in[1], e, n, n);
    product_cpu(in[2], in[3], f, n, n);
    product_cpu(e, f, g, n, n);
    free(e);
    free(f);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 192, .large = 512, .least = 1, .most = 4096});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n;
    float *in[4], *got = host_array(n_value), *want = host_array(n_value);

    for (int i = 0; i < 4; i++)
        in[i] = host_random(&w, n_value);
    multiply_gpu(in, got, n);
    multiply_cpu(in, want, n);
    workload_compare_f32(&w, "g", got, want, n_value, roundings(3 * n + 8));

    for (int i = 0; i < 4; i++)
        free(in[i]);
    free(got);
    free(want);
    return workload_end(&w);
}
