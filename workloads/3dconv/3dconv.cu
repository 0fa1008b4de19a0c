/*
 * 3dconv -- convolution of a volume with weights of 3 x 3 x 3, one launch per plane
 *
 * suite: Polybench
 * stresses: many launches, global loads with neighbours in common, L1 and L2 hits
 * papers: amoeba
 * kernels: conv3d
 * size: 128 points along each side
 * large: 256 points along each side
 * odd: 35
 * tiny: 11
 * time: 4.1 s
 *
 * Every inner point becomes a weighted sum of its neighbourhood; the rim stays 0.  The host walks
 * along the first dimension and launches a kernel for each inner plane.  Blocks of 32 x 8 threads
 * as in Polybench-GPU, a thread per point; those of the rim do nothing.  The stencil is the one
 * there: nine weights in fifteen products, with 11 of the 27 points of the neighbourhood.
 *
 * Points are grey levels of 8 bits and weights are eighths: all sums are exact.
 */
#include "common/polybench.h"

/*
 * Plane i of b.  A point takes three of its own plane, above each other; of the planes below and
 * above, three each in the next column and one each, three times, in the column before.
 */
__global__ void conv3d(const float *a, float *b, int n, int i)
{
    const float weight[3][3] = {
        {0.125f, -0.375f, 0.5f}, {0.25f, 0.625f, 0.75f}, {-0.875f, -1.125f, 1.25f}};
    const float *here = a + i * n * n, *below = here - n * n, *above = here + n * n;
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;

    if (j < 1 || j >= n - 1 || k < 1 || k >= n - 1)
        return;
#pragma unroll
    for (int y = 0; y < 3; y++) {
        sum += weight[y][0] * below[(j - 1) * n + k - 1];
        sum += weight[y][2] * above[(j - 1) * n + k - 1];
        sum += weight[y][1] * here[(j + y - 1) * n + k];
        sum += weight[y][0] * below[(j + y - 1) * n + k + 1];
        sum += weight[y][2] * above[(j + y - 1) * n + k + 1];
    }
    b[(i * n + j) * n + k] = sum;
}

static void convolve_gpu(const float *a, float *b, int n)
{
    size_t n_value = (size_t)n * n * n;
    float *d_a = device_copy(a, n_value), *d_b = device_copy(b, n_value);

    for (int i = 1; i < n - 1; i++) {
        conv3d<<<grid_2d(n, n), block_2d>>>(d_a, d_b, n, i);
        CUDA_LAUNCHED();
    }
    device_take(b, d_b, n_value);
    CUDA(cudaFree(d_a));
}

/* One neighbour after the other, each for all points. */
static void convolve_cpu(const float *a, float *b, int n)
{
    static const struct neighbour {
        int i, j, k, eighths;
    } all[11] = {
        {-1, -1, -1, -4}, {1, -1, -1, 20}, {0, -1, 0, -3}, {0, 0, 0, 5},
        {0, 1, 0, -9},    {-1, -1, 1, 1},  {-1, 0, 1, 2},  {-1, 1, 1, -7},
        {1, -1, 1, 4},    {1, 0, 1, 6},    {1, 1, 1, 10},
    };

    for (const struct neighbour *p = all; p < all + 11; p++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const float *from = a + ((size_t)(i + p->i) * n + j + p->j) * n + p->k;
                float *to = b + ((size_t)i * n + j) * n;

                for (int k = 1; k < n - 1; k++)
                    to[k] += (float)p->eighths / 8 * from[k];
            }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "points along each side", .usual = 128, .large = 256, .least = 1, .most = 512});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n * n;
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
