/*
 * correlation -- how strongly every two coordinates of many points depend on each other
 *
 * suite: Polybench
 * stresses: few blocks, triangular loops that leave lanes idle, stores without coalescing
 * papers: amoeba
 * kernels: correlation_mean, correlation_std, correlation_reduce, correlation_corr
 * size: 768 coordinates of 24 points
 * large: 2048 coordinates of 2048 points
 * odd: 151
 * tiny: 35
 * time: 8.7 s
 *
 * correlation_mean and correlation_std, a thread per coordinate, compute its mean and its standard
 * deviation; correlation_reduce, a thread per value, moves the data to mean 0 and scales them to
 * deviation 1; correlation_corr, a thread per coordinate, multiplies it with all that follow,
 * point by point.  Blocks of 256 threads, in correlation_reduce of 32 x 8, as in Polybench-GPU.
 * Its size of 2048 coordinates makes 8 blocks of 256; the default makes 3, and has 24 points
 * instead of 2048.  As there, points and coordinates count from 1: rows are one word longer, and
 * few of them begin with a cache line.
 *
 * A coordinate that hardly varies is left as it is; no input comes near that limit.  A correlation
 * is 1 at most, and so are its terms together, whatever their signs.  They go through as many
 * roundings as there are points, and so do the deviations, whose roots halve that and of which two
 * are used; an error of a mean moves all points of a coordinate, and the other coordinate's mean
 * of 0 takes it back.  So the absolute error is at most about a whole ulp for every point.
 */
#include "common/polybench.h"

#define LEAST_STD 0.005f

__global__ void correlation_mean(const float *data, float *mean, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;

    if (j > n)
        return;
    mean[j] = 0;
    for (int i = 1; i <= m; i++)
        mean[j] += data[i * (n + 1) + j];
    mean[j] /= m;
}

__global__ void correlation_std(const float *data, const float *mean, float *std, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;

    if (j > n)
        return;
    std[j] = 0;
    for (int i = 1; i <= m; i++)
        std[j] += (data[i * (n + 1) + j] - mean[j]) * (data[i * (n + 1) + j] - mean[j]);
    std[j] = sqrtf(std[j] / m);
    if (std[j] <= LEAST_STD)
        std[j] = 1;
}

__global__ void correlation_reduce(float *data, const float *mean, const float *std, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;

    if (i > m || j > n)
        return;
    data[i * (n + 1) + j] -= mean[j];
    data[i * (n + 1) + j] /= sqrtf((float)m) * std[j];
}

__global__ void correlation_corr(const float *data, float *corr, int m, int n)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x + 1;

    if (j1 > n)
        return;
    corr[j1 * (n + 1) + j1] = 1;
    for (int j2 = j1 + 1; j2 <= n; j2++) {
        corr[j1 * (n + 1) + j2] = 0;
        for (int i = 1; i <= m; i++)
            corr[j1 * (n + 1) + j2] += data[i * (n + 1) + j1] * data[i * (n + 1) + j2];
        corr[j2 * (n + 1) + j1] = corr[j1 * (n + 1) + j2];
    }
}

static void correlate_gpu(const float *data, float *corr, int m, int n)
{
    size_t n_value = (size_t)(m + 1) * (n + 1), n_pair = (size_t)(n + 1) * (n + 1);
    float *d_data = device_copy(data, n_value), *d_corr = device_copy(corr, n_pair);
    float *d_mean = device_array(n + 1), *d_std = device_array(n + 1);

    correlation_mean<<<grid_1d(n), BLOCK>>>(d_data, d_mean, m, n);
    CUDA_LAUNCHED();
    correlation_std<<<grid_1d(n), BLOCK>>>(d_data, d_mean, d_std, m, n);
    CUDA_LAUNCHED();
    correlation_reduce<<<grid_2d(m, n), block_2d>>>(d_data, d_mean, d_std, m, n);
    CUDA_LAUNCHED();
    correlation_corr<<<grid_1d(n), BLOCK>>>(d_data, d_corr, m, n);
    CUDA_LAUNCHED();
    device_take(corr, d_corr, n_pair);
    CUDA(cudaFree(d_data));
    CUDA(cudaFree(d_mean));
    CUDA(cudaFree(d_std));
}

/* The row of one coordinate, of mean 0 and, but for a constant one, of length 1. */
static void normalise(float *row, int m)
{
    double mean = 0, square = 0;

    for (int i = 1; i <= m; i++)
        mean += row[i];
    mean /= m;
    for (int i = 1; i <= m; i++)
        square += (row[i] - mean) * (row[i] - mean);
    if (square <= (double)LEAST_STD * LEAST_STD * m)
        square = m;
    for (int i = 1; i <= m; i++)
        row[i] = (float)((row[i] - mean) / sqrt(square));
}

static void correlate_cpu(const float *data, float *corr, int m, int n)
{
    float *rows = transposed_cpu(data, m + 1, n + 1);

    for (int j = 1; j <= n; j++)
        normalise(rows + (size_t)j * (m + 1), m);

    float *columns = transposed_cpu(rows, n + 1, m + 1);

    product_cpu(rows, columns, corr, n + 1, m + 1);
    for (int j = 1; j <= n; j++)
        corr[(size_t)j * (n + 1) + j] = 1;
    free(rows);
    free(columns);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "coordinates",
                                                              .usual = 768,
                                                              .large = 2048,
                                                              .least = 1,
                                                              .most = 4096,
                                                              .extra = points_option});
    int n = (int)w.size, m = n_point(n, w.extra);
    size_t n_pair = (size_t)(n + 1) * (n + 1);
    float *data = host_points(&w, m, n);
    float *got = host_array(n_pair), *want = host_array(n_pair);

    correlate_gpu(data, got, m, n);
    correlate_cpu(data, want, m, n);
    workload_compare_f32(&w, "corr", got, want, n_pair, roundings(2 * m + 16));

    free(data);
    free(got);
    free(want);
    return workload_end(&w);
}
