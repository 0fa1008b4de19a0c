/*
 * gesummv -- the weighted sum of two products of a matrix with the same vector
 *
 * suite: Polybench
 * stresses: global loads without coalescing, few blocks, L1 thrashing
 * papers: none
 * kernels: gesummv
 * size: 1024 rows and columns
 * large: 4096 rows and columns
 * odd: 201
 * tiny: 45
 * time: 9.3 s
 *
 * y = alpha A x + beta B x.  Blocks of 256 threads as in Polybench-GPU, 4 by default and 16 at its
 * size; a thread has a row of A and of B: the threads of a warp read words that lie a whole row
 * apart, and every warp on an SM needs 64 cache lines at a time.
 *
 * No sum cancels (see polybench.h): an element has gone through about n roundings.
 */
#include "common/polybench.h"

#define ALPHA 1.5f
#define BETA 1.25f

__global__ void gesummv(const float *a, const float *b, const float *x, float *t, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    t[i] = 0;
    y[i] = 0;
    for (int j = 0; j < n; j++) {
        t[i] += a[i * n + j] * x[j];
        y[i] += b[i * n + j] * x[j];
    }
    y[i] = ALPHA * t[i] + BETA * y[i];
}

static void multiply_gpu(const float *a, const float *b, const float *x, float *y, int n)
{
    float *d_a = device_copy(a, (size_t)n * n), *d_b = device_copy(b, (size_t)n * n);
    float *d_x = device_copy(x, n), *d_t = device_array(n), *d_y = device_array(n);

    gesummv<<<grid_1d(n), BLOCK>>>(d_a, d_b, d_x, d_t, d_y, n);
    CUDA_LAUNCHED();
    device_take(y, d_y, n);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_t));
}

static void multiply_cpu(const float *a, const float *b, const float *x, float *y, int n)
{
    float *t = host_array(n);

    rows_cpu(a, x, t, n);
    rows_cpu(b, x, y, n);
    for (int i = 0; i < n; i++)
        y[i] = ALPHA * t[i] + BETA * y[i];
    free(t);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 1024, .large = 4096, .least = 1, .most = 8192});
    int n = (int)w.size;
    float *a = host_random(&w, (size_t)n * n), *b = host_random(&w, (size_t)n * n);
    float *x = host_random(&w, n), *got = host_array(n), *want = host_array(n);

    multiply_gpu(a, b, x, got, n);
    multiply_cpu(a, b, x, want, n);
    workload_compare_f32(&w, "y", got, want, n, roundings(n + 8));

    free(a);
    free(b);
    free(x);
    free(got);
    free(want);
    return workload_end(&w);
}
