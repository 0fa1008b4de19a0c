/*
 * conv-inference -- the first two layers of a convolutional network, for one image
 *
 * suite: DeepBench
 * stresses: fused multiply-add in straight code, registers, shared memory, gathers, constant memory
 * papers: socgpu
 * kernels: conv_inference_relu
 * size: 168 pixels a side
 * large: 224 pixels a side
 * odd: 17
 * tiny: 5
 * time: 16.9 s
 *
 * From 3 channels to 64 by filters of 7 x 7 at stride 2, then to 128 by filters of 3 x 3 at stride
 * 1: with an image of 224 x 224 pixels, DeepBench's 224 x 224 x 3 and 112 x 112 x 64
 * (code/kernels/conv_problems.h).  Each is an implicit matrix product, filters by patches of the
 * image (common/conv.cuh), and adds a bias and cuts off what is below 0 before it writes.  The
 * first has a short sum, of 147, the second of 576.
 *
 * Which kernel runs is chosen by GPU and size (common/product.cuh): where a thread may have 255
 * registers one with a tile in its name, as conv_inference_relu_128x64 (common/wide.cuh), and where
 * it may have 63, the plain one (common/gemm.cuh).  With 168 x 168 pixels, as with 224 x 224, the
 * second layer has tiles of 128x128 enough for 28 SMs, there two for each of them.
 *
 * Values are multiples of 1/4 in -1..1.  So those between the layers are multiples of 1/16 below
 * 149, and a sum of 576 of them by weights fits a float: nothing is rounded, and the comparison is
 * exact.
 */
#include "workload.h"
#include "common/conv.cuh"

enum {
    CHANNELS_0 = 3,
    CHANNELS_1 = 64,
    CHANNELS_2 = 128,
};

/* y = max(filter * x + bias, 0); the filter is [c][tap][k], its common dimension in whole steps. */
__global__ void __launch_bounds__(GEMM_THREADS)
    conv_inference_relu(const float *filter, const float *bias, const float *x, float *y,
                        struct conv s)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    float sum[GEMM_ROWS][GEMM_COLS];

    conv_multiply(filter, x, s, row, col, sum);
#pragma unroll
    for (int i = 0; i < GEMM_ROWS; i++) {
        float b = bias[row + gemm_row() + i];

#pragma unroll
        for (int j = 0; j < GEMM_COLS; j++)
            sum[i][j] = fmaxf(sum[i][j] + b, 0);
    }
    conv_write(y, s, row, col, sum);
}

template <int M, int N>
static __device__ __forceinline__ void relu(const float *filter, const float *bias, const float *x,
                                            float *y, struct conv s)
{
    int row = blockIdx.y * M, col = blockIdx.x * N;
    float sum[WIDE_SIDE][WIDE_SIDE];

    conv_wide_multiply<M, N>(filter, x, s, row, col, sum);
#pragma unroll
    for (int i = 0; i < WIDE_SIDE; i++) {
        int k = row + wide_tile<M, N>::row() + i / 4 * WIDE_ROW_GROUP + i % 4;
        float b = bias[k < s.k ? k : 0];

#pragma unroll
        for (int j = 0; j < WIDE_SIDE; j++)
            sum[i][j] = fmaxf(sum[i][j] + b, 0);
    }
    conv_wide_write<M, N>(y, s, row, col, sum);
}

__global__ void __launch_bounds__(THREADS_128X128, 2)
    conv_inference_relu_128x128(const float *filter, const float *bias, const float *x, float *y,
                                struct conv s)
{
    relu<128, 128>(filter, bias, x, y, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    conv_inference_relu_128x64(const float *filter, const float *bias, const float *x, float *y,
                               struct conv s)
{
    relu<64, 128>(filter, bias, x, y, s);
}

__global__ void __launch_bounds__(THREADS_64X64)
    conv_inference_relu_64x64(const float *filter, const float *bias, const float *x, float *y,
                              struct conv s)
{
    relu<64, 64>(filter, bias, x, y, s);
}

typedef product_tile<void(const float *filter, const float *bias, const float *x, float *y,
                          struct conv s)>
    relu_tile;

static const relu_tile tiles[] = {
    {conv_inference_relu_128x128, 128, 128, THREADS_128X128},
    {conv_inference_relu_128x64, 64, 128, THREADS_128X64},
    {conv_inference_relu_64x64, 64, 64, THREADS_64X64},
    {conv_inference_relu, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};

struct layer {
    struct conv s;
    float *filter, *bias;
};

static int common(struct conv s)
{
    return s.c * s.taps * s.taps;
}

static size_t filter_size(struct conv s)
{
    return (size_t)conv_aligned(common(s)) * s.k;
}

static void layer_gpu(const struct layer *l, const float *x, float *y)
{
    struct conv s = l->s;
    int n = common(s), taps = s.taps * s.taps, n_sm;
    const relu_tile *t = product_choose(tiles, s.k, s.out_plane, &n_sm);
    struct conv_entry *entry = (struct conv_entry *)workload_alloc(n * sizeof(struct conv_entry));
    float *filter = (float *)workload_upload(l->filter, filter_size(s) * sizeof(float));
    float *bias = (float *)workload_upload(l->bias, s.k * sizeof(float));

    for (int i = 0; i < n; i++)
        entry[i] = conv_row(s, i / taps, i % taps);
    conv_table_set(entry, n);
    t->run<<<dim3(product_parts(s.out_plane, t->cols), product_parts(s.k, t->rows)), t->threads>>>(
        filter, bias, x, y, s);
    CUDA_LAUNCHED();
    CUDA(cudaFree(filter));
    CUDA(cudaFree(bias));
    free(entry);
}

/* One plane of the input by one tap of a filter. */
static void tap_cpu(const float *x, float *y, float weight, int tap, struct conv s)
{
    int dy = tap / s.taps - s.pad, dx = tap % s.taps - s.pad;

    for (int i = 0; i < s.out; i++) {
        int row = i * s.stride + dy;
        int from = dx < 0 ? (-dx + s.stride - 1) / s.stride : 0, to = s.out;

        if (row < 0 || row >= s.in)
            continue;
        while ((to - 1) * s.stride + dx >= s.in)
            to--;
        for (int j = from; j < to; j++)
            y[i * s.out + j] += weight * x[row * s.in + j * s.stride + dx];
    }
}

static void layer_cpu(const struct layer *l, const float *x, float *y)
{
    struct conv s = l->s;
    int taps = s.taps * s.taps;

    for (int k = 0; k < s.k; k++) {
        float *plane = y + (size_t)k * s.out_plane;

        for (int i = 0; i < s.out_plane; i++)
            plane[i] = l->bias[k];
        for (int i = 0; i < s.c * taps; i++)
            tap_cpu(x + (size_t)(i / taps) * s.in_plane, plane, l->filter[(size_t)i * s.k + k],
                    i % taps, s);
        for (int i = 0; i < s.out_plane; i++)
            plane[i] = plane[i] > 0 ? plane[i] : 0;
    }
}

/* The first `used` of `n` values; the others stay 0. */
static float *values_make(struct workload *w, size_t n, size_t used)
{
    float *v = (float *)workload_alloc(n * sizeof *v);

    for (size_t i = 0; i < used; i++)
        v[i] = ((int)workload_below(w, 9) - 4) / 4.0f;
    return v;
}

static struct layer layer_make(struct workload *w, struct conv s)
{
    size_t used = (size_t)common(s) * s.k;

    return (struct layer){s, values_make(w, filter_size(s), used), values_make(w, s.k, s.k)};
}

static void layer_free(struct layer *l)
{
    free(l->filter);
    free(l->bias);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "pixels a side", .usual = 168, .large = 224, .least = 1, .most = 512});
    struct layer first = layer_make(&w, conv_make(1, CHANNELS_0, CHANNELS_1, (int)w.size, 7, 2));
    struct layer second = layer_make(&w, conv_make(1, CHANNELS_1, CHANNELS_2, first.s.out, 3, 1));
    size_t n_x = (size_t)CHANNELS_0 * first.s.in_plane;
    size_t n_middle = (size_t)CHANNELS_1 * first.s.out_plane;
    size_t n_y = (size_t)CHANNELS_2 * second.s.out_plane;
    float *x = values_make(&w, n_x, n_x), *middle = values_make(&w, n_middle, 0);
    float *got = values_make(&w, n_y, 0), *want = values_make(&w, n_y, 0);
    float *d_x = (float *)workload_upload(x, n_x * sizeof(float)), *d_middle, *d_y;

    CUDA(cudaMalloc((void **)&d_middle, n_middle * sizeof(float)));
    CUDA(cudaMalloc((void **)&d_y, n_y * sizeof(float)));
    layer_gpu(&first, d_x, d_middle);
    layer_gpu(&second, d_middle, d_y);
    CUDA(cudaMemcpy(got, d_y, n_y * sizeof(float), cudaMemcpyDeviceToHost));
    layer_cpu(&first, x, middle);
    layer_cpu(&second, middle, want);
    workload_compare_f32(&w, "y", got, want, n_y, 0);

    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_middle));
    CUDA(cudaFree(d_y));
    free(x);
    free(middle);
    free(got);
    free(want);
    layer_free(&first);
    layer_free(&second);
    return workload_end(&w);
}
