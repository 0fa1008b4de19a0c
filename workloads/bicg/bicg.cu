/*
 * bicg -- the two products of matrix and vector in a step of the biconjugate gradient method
 *
 * suite: Polybench
 * stresses: global loads with coalescing, then without it; few blocks, memory bandwidth
 * papers: none
 * kernels: bicg_columns, bicg_rows
 * size: 1024 rows and columns
 * large: 4096 rows and columns
 * odd: 301
 * tiny: 45
 * time: 4.2 s
 *
 * s = A^T r and q = A p.  Blocks of 256 threads as in Polybench-GPU, 4 by default and 16 at its
 * size.  In bicg_columns a thread has a column of A: the threads of a warp read neighbouring
 * words.  In bicg_rows it has a row: they read words that lie a whole row apart.
 *
 * No sum cancels (see polybench.h): an element has gone through about n roundings.
 */
#include "common/polybench.h"

__global__ void bicg_columns(const float *a, const float *r, float *s, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (j >= n)
        return;
    s[j] = 0;
    for (int i = 0; i < n; i++)
        s[j] += a[i * n + j] * r[i];
}

__global__ void bicg_rows(const float *a, const float *p, float *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    q[i] = 0;
    for (int j = 0; j < n; j++)
        q[i] += a[i * n + j] * p[j];
}

static void multiply_gpu(const float *a, const float *r, const float *p, float *s, float *q, int n)
{
    float *d_a = device_copy(a, (size_t)n * n), *d_r = device_copy(r, n), *d_p = device_copy(p, n);
    float *d_s = device_array(n), *d_q = device_array(n);

    bicg_columns<<<grid_1d(n), BLOCK>>>(d_a, d_r, d_s, n);
    CUDA_LAUNCHED();
    bicg_rows<<<grid_1d(n), BLOCK>>>(d_a, d_p, d_q, n);
    CUDA_LAUNCHED();
    device_take(s, d_s, n);
    device_take(q, d_q, n);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_r));
    CUDA(cudaFree(d_p));
}

static void multiply_cpu(const float *a, const float *r, const float *p, float *s, float *q, int n)
{
    columns_cpu(a, r, s, n);
    rows_cpu(a, p, q, n);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 1024, .large = 4096, .least = 1, .most = 8192});
    int n = (int)w.size;
    float *a = host_random(&w, (size_t)n * n), *r = host_random(&w, n), *p = host_random(&w, n);
    float *got_s = host_array(n), *want_s = host_array(n);
    float *got_q = host_array(n), *want_q = host_array(n);

    multiply_gpu(a, r, p, got_s, got_q, n);
    multiply_cpu(a, r, p, want_s, want_q, n);
    workload_compare_f32(&w, "s", got_s, want_s, n, roundings(n + 2));
    workload_compare_f32(&w, "q", got_q, want_q, n, roundings(n + 2));

    free(a);
    free(r);
    free(p);
    free(got_s);
    free(want_s);
    free(got_q);
    free(want_q);
    return workload_end(&w);
}
