/*
 * atax -- multiplies a vector with a matrix, and the result with its transpose
 *
 * suite: Polybench
 * stresses: global loads without coalescing, then with it; few blocks, memory bandwidth
 * papers: amoeba
 * kernels: atax_rows, atax_columns
 * size: 1024 rows and columns
 * large: 4096 rows and columns
 * odd: 301
 * tiny: 45
 * time: 3.9 s
 *
 * t = A x, then y = A^T t.  Blocks of 256 threads as in Polybench-GPU, 4 by default and 16 at its
 * size.  In atax_rows a thread has a row of A: the threads of a warp read words that lie a whole
 * row apart.  In atax_columns it has a column: they read neighbouring words.
 *
 * No sum cancels (see polybench.h): an element of y has gone through about 2 n roundings.
 */
#include "common/polybench.h"

__global__ void atax_rows(const float *a, const float *x, float *t, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    t[i] = 0;
    for (int j = 0; j < n; j++)
        t[i] += a[i * n + j] * x[j];
}

__global__ void atax_columns(const float *a, const float *t, float *y, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (j >= n)
        return;
    y[j] = 0;
    for (int i = 0; i < n; i++)
        y[j] += a[i * n + j] * t[i];
}

static void multiply_gpu(const float *a, const float *x, float *y, int n)
{
    float *d_a = device_copy(a, (size_t)n * n), *d_x = device_copy(x, n);
    float *d_t = device_array(n), *d_y = device_array(n);

    atax_rows<<<grid_1d(n), BLOCK>>>(d_a, d_x, d_t, n);
    CUDA_LAUNCHED();
    atax_columns<<<grid_1d(n), BLOCK>>>(d_a, d_t, d_y, n);
    CUDA_LAUNCHED();
    device_take(y, d_y, n);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_t));
}

static void multiply_cpu(const float *a, const float *x, float *y, int n)
{
    float *t = host_array(n);

    rows_cpu(a, x, t, n);
    columns_cpu(a, t, y, n);
    free(t);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 1024, .large = 4096, .least = 1, .most = 8192});
    int n = (int)w.size;
    float *a = host_random(&w, (size_t)n * n), *x = host_random(&w, n);
    float *got = host_array(n), *want = host_array(n);

    multiply_gpu(a, x, got, n);
    multiply_cpu(a, x, want, n);
    workload_compare_f32(&w, "y", got, want, n, roundings(2 * n + 4));

    free(a);
    free(x);
    free(got);
    free(want);
    return workload_end(&w);
}
