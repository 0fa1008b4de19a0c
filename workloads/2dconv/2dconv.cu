/*
 * 2dconv -- convolution of a picture with 3 x 3 weights
 *
 * suite: Polybench
 * stresses: global loads with neighbours in common, L1 hits, memory bandwidth, full grids
 * papers: none
 * kernels: conv2d
 * size: 2048 rows and columns
 * large: 4096 rows and columns
 * odd: 301
 * tiny: 45
 * time: 5.9 s
 *
 * Every inner point becomes the weighted sum of itself and its eight neighbours; the rim stays 0.
 * Blocks of 32 x 8 threads as in Polybench-GPU, a thread per point; those of the rim do nothing.
 *
 * Points are grey levels of 8 bits and weights are eighths: all sums are exact.
 */
#include "common/polybench.h"

__global__ void conv2d(const float *a, float *b, int n)
{
    const float weight[3][3] = {
        {0.125f, -0.375f, 0.5f}, {0.25f, 0.625f, 0.75f}, {-0.875f, -1.125f, 1.25f}};
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;

    if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1)
        return;
#pragma unroll
    for (int y = 0; y < 3; y++)
#pragma unroll
        for (int x = 0; x < 3; x++)
            sum += weight[y][x] * a[(i + y - 1) * n + j + x - 1];
    b[i * n + j] = sum;
}

static void convolve_gpu(const float *a, float *b, int n)
{
    size_t n_value = (size_t)n * n;
    float *d_a = device_copy(a, n_value), *d_b = device_copy(b, n_value);

    conv2d<<<grid_2d(n, n), block_2d>>>(d_a, d_b, n);
    CUDA_LAUNCHED();
    device_take(b, d_b, n_value);
    CUDA(cudaFree(d_a));
}

/* One weight after the other, each for all points. */
static void convolve_cpu(const float *a, float *b, int n)
{
    static const int eighths[9] = {1, -3, 4, 2, 5, 6, -7, -9, 10};

    for (int w = 0; w < 9; w++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[(size_t)i * n + j] +=
                    (float)eighths[w] / 8 * a[(size_t)(i + w / 3 - 1) * n + j + w % 3 - 1];
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 2048, .large = 4096, .least = 1, .most = 8192});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n;
    float *a = host_array(n_value), *got = host_array(n_value), *want = host_array(n_value);

    for (size_t i = 0; i < n_value; i++)
        a[i] = (float)workload_below(&w, 256);
    convolve_gpu(a, got, n);
    convolve_cpu(a, want, n);
    workload_compare_f32(&w, "b", got, want, n_value, 0);

    free(a);
    free(got);
    free(want);
    return workload_end(&w);
}
