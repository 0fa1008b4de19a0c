/*
 * covariance -- how every two coordinates of many points vary together
 *
 * suite: Polybench
 * stresses: few blocks, triangular loops that leave lanes idle, stores without coalescing
 * papers: amoeba
 * kernels: covariance_mean, covariance_reduce, covariance_covar
 * size: 768 coordinates of 24 points
 * large: 2048 coordinates of 2048 points
 * odd: 151
 * tiny: 35
 * time: 9.6 s
 *
 * covariance_mean, a thread per coordinate, computes its mean; covariance_reduce, a thread per
 * value, moves the data to mean 0; covariance_covar, a thread per coordinate, multiplies it with
 * itself and with all that follow, point by point.  (The sums are not divided by the number of
 * points.)  Blocks of 256 threads, in covariance_reduce of 32 x 8, as in Polybench-GPU.  Its size
 * of 2048 coordinates makes 8 blocks of 256; the default makes 3, and has 24 points instead of
 * 2048.  As there, points and coordinates count from 1: rows are one word longer, and few of them
 * begin with a cache line.
 *
 * Terms of the sums have nearly all the same sign (see host_points), and go through as many
 * roundings as there are points; an error of a mean moves all points of a coordinate, and the
 * other coordinate's mean of 0 takes it back.  Twice that is allowed, for the few terms that
 * cancel.
 */
#include "common/polybench.h"

__global__ void covariance_mean(const float *data, float *mean, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;

    if (j > n)
        return;
    mean[j] = 0;
    for (int i = 1; i <= m; i++)
        mean[j] += data[i * (n + 1) + j];
    mean[j] /= m;
}

__global__ void covariance_reduce(float *data, const float *mean, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;

    if (i > m || j > n)
        return;
    data[i * (n + 1) + j] -= mean[j];
}

__global__ void covariance_covar(const float *data, float *covar, int m, int n)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x + 1;

    if (j1 > n)
        return;
    for (int j2 = j1; j2 <= n; j2++) {
        covar[j1 * (n + 1) + j2] = 0;
        for (int i = 1; i <= m; i++)
            covar[j1 * (n + 1) + j2] += data[i * (n + 1) + j1] * data[i * (n + 1) + j2];
        covar[j2 * (n + 1) + j1] = covar[j1 * (n + 1) + j2];
    }
}

static void covary_gpu(const float *data, float *covar, int m, int n)
{
    size_t n_value = (size_t)(m + 1) * (n + 1), n_pair = (size_t)(n + 1) * (n + 1);
    float *d_data = device_copy(data, n_value), *d_covar = device_copy(covar, n_pair);
    float *d_mean = device_array(n + 1);

    covariance_mean<<<grid_1d(n), BLOCK>>>(d_data, d_mean, m, n);
    CUDA_LAUNCHED();
    covariance_reduce<<<grid_2d(m, n), block_2d>>>(d_data, d_mean, m, n);
    CUDA_LAUNCHED();
    covariance_covar<<<grid_1d(n), BLOCK>>>(d_data, d_covar, m, n);
    CUDA_LAUNCHED();
    device_take(covar, d_covar, n_pair);
    CUDA(cudaFree(d_data));
    CUDA(cudaFree(d_mean));
}

/* The row of one coordinate, of mean 0. */
static void centre(float *row, int m)
{
    double mean = 0;

    for (int i = 1; i <= m; i++)
        mean += row[i];
    mean /= m;
    for (int i = 1; i <= m; i++)
        row[i] = (float)(row[i] - mean);
}

static void covary_cpu(const float *data, float *covar, int m, int n)
{
    float *rows = transposed_cpu(data, m + 1, n + 1);

    for (int j = 1; j <= n; j++)
        centre(rows + (size_t)j * (m + 1), m);

    float *columns = transposed_cpu(rows, n + 1, m + 1);

    product_cpu(rows, columns, covar, n + 1, m + 1);
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

    covary_gpu(data, got, m, n);
    covary_cpu(data, want, m, n);
    workload_compare_f32(&w, "covar", got, want, n_pair, roundings(2 * m + 16));

    free(data);
    free(got);
    free(want);
    return workload_end(&w);
}
