/*
 * mvt -- adds the products of a matrix and of its transpose with vectors to two others
 *
 * suite: Polybench
 * stresses: global loads without coalescing, then with it; few blocks, memory bandwidth
 * papers: none
 * kernels: mvt_rows, mvt_columns
 * size: 1024 rows and columns
 * large: 4096 rows and columns
 * odd: 301
 * tiny: 45
 * time: 3.1 s
 *
 * x1 += A y1 and x2 += A^T y2.  Blocks of 256 threads as in Polybench-GPU, 4 by default and 16 at
 * its size.  In mvt_rows a thread has a row of A: the threads of a warp read words that lie a
 * whole row apart.  In mvt_columns it has a column: they read neighbouring words.
 *
 * No sum cancels (see polybench.h): an element has gone through about n roundings.
 */
#include "common/polybench.h"

__global__ void mvt_rows(const float *a, const float *y1, float *x1, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    for (int j = 0; j < n; j++)
        x1[i] += a[i * n + j] * y1[j];
}

__global__ void mvt_columns(const float *a, const float *y2, float *x2, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (j >= n)
        return;
    for (int i = 0; i < n; i++)
        x2[j] += a[i * n + j] * y2[i];
}

/* x[0] += a y[0], x[1] += a^T y[1] */
static void multiply_gpu(const float *a, float *const y[2], float *const x[2], int n)
{
    float *d_a = device_copy(a, (size_t)n * n);
    float *d_y1 = device_copy(y[0], n), *d_y2 = device_copy(y[1], n);
    float *d_x1 = device_copy(x[0], n), *d_x2 = device_copy(x[1], n);

    mvt_rows<<<grid_1d(n), BLOCK>>>(d_a, d_y1, d_x1, n);
    CUDA_LAUNCHED();
    mvt_columns<<<grid_1d(n), BLOCK>>>(d_a, d_y2, d_x2, n);
    CUDA_LAUNCHED();
    device_take(x[0], d_x1, n);
    device_take(x[1], d_x2, n);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_y1));
    CUDA(cudaFree(d_y2));
}

static void multiply_cpu(const float *a, float *const y[2], float *const x[2], int n)
{
    float *sum = host_array(n);

    rows_cpu(a, y[0], sum, n);
    for (int i = 0; i < n; i++)
        x[0][i] += sum[i];
    columns_cpu(a, y[1], sum, n);
    for (int i = 0; i < n; i++)
        x[1][i] += sum[i];
    free(sum);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 1024, .large = 4096, .least = 1, .most = 8192});
    static const char *const what[2] = {"x1", "x2"};
    int n = (int)w.size;
    float *a = host_random(&w, (size_t)n * n), *y[2], *got[2], *want[2];

    for (int v = 0; v < 2; v++) {
        y[v] = host_random(&w, n);
        got[v] = host_random(&w, n);
        want[v] = host_array(n);
        memcpy(want[v], got[v], n * sizeof *want[v]);
    }
    multiply_gpu(a, y, got, n);
    multiply_cpu(a, y, want, n);
    for (int v = 0; v < 2; v++) {
        workload_compare_f32(&w, what[v], got[v], want[v], n, roundings(n + 4));
        free(y[v]);
        free(got[v]);
        free(want[v]);
    }
    free(a);
    return workload_end(&w);
}
