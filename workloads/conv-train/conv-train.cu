/*
 * conv-train -- a convolutional layer, forward and both ways backward
 *
 * suite: DeepBench
 * stresses: fused multiply-add in straight code, registers, shared memory, gathers, constant memory
 * papers: socgpu
 * kernels: conv_train_forward, conv_train_backward_data, conv_train_backward_filter, conv_train_sum
 * size: 112 rows of pixels
 * large: 448 rows of pixels
 * odd: 3
 * tiny: 1
 * time: 19.3 s
 *
 * DeepBench's layer of 64 channels and 64 filters of 3 x 3, stride 1, for 8 images of 56 x 56
 * pixels (code/kernels/conv_problems.h); the default is two of these images.  Images below 56 x 56
 * are of as many pixels a side, and if that is below 8, as many, so that tests are short.
 *
 * Each of the three is an implicit matrix product (common/conv.cuh): filters by patches of the
 * images; filters by patches of the gradients; patches by gradients.  The last has few elements and
 * sums over all pixels of all images, so each image is left to CTAs of its own, several if that is
 * what makes one for each SM, and conv_train_sum adds what they found.
 *
 * Which kernel runs is chosen by GPU and size (common/product.cuh): where a thread may have 255
 * registers one with a tile in its name, as conv_train_forward_128x64 (common/wide.cuh), and where
 * it may have 63, the plain one (common/gemm.cuh).
 *
 * Values are multiples of 1/16 in -1..1.  A product is a multiple of 2^-8 and a sum of up to 2^15
 * of them fits a float: nothing is rounded, and the comparison is exact.
 */
#include "workload.h"
#include "common/conv.cuh"

enum {
    WHOLE = 56,    /* pixels a side of an image of the layer */
    CHANNELS = 64, /* in and out */
    SIDE = 3,
    TAPS = SIDE * SIDE,
    WEIGHTS = CHANNELS * TAPS * CHANNELS,
    SUM_BLOCK = 128,
};

/* The filter is [c][tap][k]: as [c,tap][k], its k are rows of A. */
__global__ void __launch_bounds__(GEMM_THREADS)
    conv_train_forward(const float *filter, const float *x, float *y, struct conv s)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    float sum[GEMM_ROWS][GEMM_COLS];

    conv_multiply(filter, x, s, row, col, sum);
    conv_write(y, s, row, col, sum);
}

template <int M, int N>
static __device__ __forceinline__ void forward(const float *filter, const float *x, float *y,
                                               struct conv s)
{
    int row = blockIdx.y * M, col = blockIdx.x * N;
    float sum[WIDE_SIDE][WIDE_SIDE];

    conv_wide_multiply<M, N>(filter, x, s, row, col, sum);
    conv_wide_write<M, N>(y, s, row, col, sum);
}

__global__ void __launch_bounds__(THREADS_128X64)
    conv_train_forward_128x64(const float *filter, const float *x, float *y, struct conv s)
{
    forward<64, 128>(filter, x, y, s);
}

__global__ void __launch_bounds__(THREADS_64X64)
    conv_train_forward_64x64(const float *filter, const float *x, float *y, struct conv s)
{
    forward<64, 64>(filter, x, y, s);
}

/* As [c][tap,k], its c are; `s` is the layer backward, which makes x of y. */
__global__ void __launch_bounds__(GEMM_THREADS)
    conv_train_backward_data(const float *filter, const float *dy, float *dx, struct conv s)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(gemm_turned(filter, TAPS * CHANNELS, row, CHANNELS, 0),
                  conv_columns<GEMM_TILE, GEMM_THREADS, GEMM_PITCH>(dy, s, col),
                  CHANNELS * TAPS / GEMM_STEP, sum);
    conv_write(dx, s, row, col, sum);
}

template <int M, int N>
static __device__ __forceinline__ void backward_data(const float *filter, const float *dy,
                                                     float *dx, struct conv s)
{
    enum { THREADS = wide_tile<M, N>::THREADS };
    int row = blockIdx.y * M, col = blockIdx.x * N;
    float sum[WIDE_SIDE][WIDE_SIDE];

    wide_multiply<M, N>(wide_turned<M, THREADS>(filter, TAPS * CHANNELS, row, CHANNELS, 0),
                        conv_columns<N, THREADS, N>(dy, s, col), CHANNELS * TAPS / WIDE_STEP, sum);
    conv_wide_write<M, N>(dx, s, row, col, sum);
}

__global__ void __launch_bounds__(THREADS_128X64)
    conv_train_backward_data_128x64(const float *filter, const float *dy, float *dx, struct conv s)
{
    backward_data<64, 128>(filter, dy, dx, s);
}

__global__ void __launch_bounds__(THREADS_64X64)
    conv_train_backward_data_64x64(const float *filter, const float *dy, float *dx, struct conv s)
{
    backward_data<64, 64>(filter, dy, dx, s);
}

/* Where a CTA's part of the pixels is: of one image, `g.steps` steps of its `g.n_step`. */
struct pixels {
    int image, k, n_step;
};

static __device__ __forceinline__ struct pixels part_of(struct gemm_shape g)
{
    int n_part = (g.n_step + g.steps - 1) / g.steps, first = blockIdx.z % n_part * g.steps;
    int left = g.n_step - first;

    return (struct pixels){(int)blockIdx.z / n_part, first * GEMM_STEP,
                           left < g.steps ? left : g.steps};
}

/* Rows are c and tap of the filter, columns k; the common dimension, pixels of one image. */
__global__ void __launch_bounds__(GEMM_THREADS)
    conv_train_backward_filter(const float *x, const float *dy, float *part, struct conv s,
                               struct gemm_shape g)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    int own = row + threadIdx.x % GEMM_TILE;
    struct pixels p = part_of(g);
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(
        conv_patches<GEMM_TILE, GEMM_THREADS, GEMM_PITCH>(
            x + (size_t)p.image * CHANNELS * s.in_plane, conv_row(s, own / TAPS, own % TAPS), p.k),
        gemm_turned(dy + (size_t)p.image * CHANNELS * s.out_plane, s.out_plane, col, CHANNELS, p.k),
        p.n_step, sum);
    gemm_write(part + (size_t)blockIdx.z * WEIGHTS, CHANNELS, row, col, CHANNELS * TAPS, CHANNELS,
               sum);
}

template <int M, int N>
static __device__ __forceinline__ void backward_filter(const float *x, const float *dy, float *part,
                                                       struct conv s, struct gemm_shape g)
{
    enum { THREADS = wide_tile<M, N>::THREADS };
    int row = blockIdx.y * M, col = blockIdx.x * N, own = row + threadIdx.x % M;
    struct pixels p = part_of(g);
    float sum[WIDE_SIDE][WIDE_SIDE];

    wide_multiply<M, N>(conv_patches<M, THREADS, M>(x + (size_t)p.image * CHANNELS * s.in_plane,
                                                    conv_row(s, own / TAPS, own % TAPS), p.k),
                        wide_turned<N, THREADS>(dy + (size_t)p.image * CHANNELS * s.out_plane,
                                                s.out_plane, col, CHANNELS, p.k),
                        p.n_step, sum);
    part += (size_t)blockIdx.z * WEIGHTS + (size_t)row * CHANNELS + col;
    wide_write<M, N>(part, CHANNELS, CHANNELS * TAPS - row, CHANNELS - col, sum);
}

__global__ void __launch_bounds__(THREADS_128X64)
    conv_train_backward_filter_64x128(const float *x, const float *dy, float *part, struct conv s,
                                      struct gemm_shape g)
{
    backward_filter<128, 64>(x, dy, part, s, g);
}

__global__ void __launch_bounds__(THREADS_64X64)
    conv_train_backward_filter_64x64(const float *x, const float *dy, float *part, struct conv s,
                                     struct gemm_shape g)
{
    backward_filter<64, 64>(x, dy, part, s, g);
}

typedef product_tile<void(const float *filter, const float *x, float *y, struct conv s)> data_tile;
typedef product_tile<void(const float *x, const float *dy, float *part, struct conv s,
                          struct gemm_shape g)>
    filter_tile;

static const data_tile forward_tiles[] = {
    {conv_train_forward_128x64, 64, 128, THREADS_128X64},
    {conv_train_forward_64x64, 64, 64, THREADS_64X64},
    {conv_train_forward, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};
static const data_tile backward_data_tiles[] = {
    {conv_train_backward_data_128x64, 64, 128, THREADS_128X64},
    {conv_train_backward_data_64x64, 64, 64, THREADS_64X64},
    {conv_train_backward_data, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};
static const filter_tile backward_filter_tiles[] = {
    {conv_train_backward_filter_64x128, 128, 64, THREADS_128X64},
    {conv_train_backward_filter_64x64, 64, 64, THREADS_64X64},
    {conv_train_backward_filter, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};

/* A thread adds the parts of 4 weights. */
__global__ void conv_train_sum(const float4 *part, float4 *dfilter, int n_part)
{
    int i = blockIdx.x * SUM_BLOCK + threadIdx.x;
    float4 sum = part[i];

    for (int p = 1; p < n_part; p++) {
        float4 v = part[(size_t)p * (WEIGHTS / 4) + i];

        sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    }
    dfilter[i] = sum;
}

/* The layer's tensors: images [image][CHANNELS][plane], filters [c][tap][k]. */
struct tensors {
    float *x, *y, *dx, *dy, *filter, *dfilter;
};

static void table_forward(struct conv s)
{
    struct conv_entry entry[CHANNELS * TAPS];

    for (int i = 0; i < CHANNELS * TAPS; i++)
        entry[i] = conv_row(s, i / TAPS, i % TAPS);
    conv_table_set(entry, CHANNELS * TAPS);
}

/* What a tap brought to y, it takes back from there: it lies opposite. */
static void table_backward_data(struct conv s)
{
    struct conv_entry entry[CHANNELS * TAPS];

    for (int i = 0; i < CHANNELS * TAPS; i++)
        entry[i] = conv_row(s, i % CHANNELS, TAPS - 1 - i / CHANNELS);
    conv_table_set(entry, CHANNELS * TAPS);
}

static void table_backward_filter(struct conv s)
{
    struct conv_entry *entry =
        (struct conv_entry *)workload_alloc(s.out_plane * sizeof(struct conv_entry));

    for (int i = 0; i < s.out_plane; i++)
        entry[i] = conv_pixel(s, i);
    conv_table_set(entry, s.out_plane);
    free(entry);
}

/* Filters by patches, by the table's kernel for the size. */
template <int N>
static void data_gpu(const data_tile (&table)[N], const float *filter, const float *x, float *y,
                     float *result, struct conv s)
{
    int n_pixel = s.n_image * s.out_plane, n_sm;
    const data_tile *t = product_choose(table, CHANNELS, n_pixel, &n_sm);

    t->run<<<dim3(product_parts(n_pixel, t->cols), product_parts(CHANNELS, t->rows)), t->threads>>>(
        filter, x, y, s);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(result, y, (size_t)n_pixel * CHANNELS * sizeof(float), cudaMemcpyDeviceToHost));
}

static void filter_gpu(const float *x, const float *dy, float *result, struct conv s)
{
    struct gemm_shape g = {CHANNELS * TAPS, CHANNELS, 0, 0, CHANNELS, s.out_plane / GEMM_STEP, 0};
    size_t bytes = WEIGHTS * sizeof(float);
    float *part, *dfilter;
    int n_sm, n_part;
    const filter_tile *t = product_choose(backward_filter_tiles, g.m * s.n_image, g.n, &n_sm);

    g.steps = product_parts(g.n_step,
                            product_splits(product_tiles(t, g.m, g.n) * s.n_image, n_sm, g.n_step));
    n_part = s.n_image * product_parts(g.n_step, g.steps);
    CUDA(cudaMalloc((void **)&dfilter, bytes));
    CUDA(cudaMalloc((void **)&part, n_part * bytes));
    t->run<<<dim3(product_parts(g.n, t->cols), product_parts(g.m, t->rows), n_part), t->threads>>>(
        x, dy, part, s, g);
    CUDA_LAUNCHED();
    conv_train_sum<<<WEIGHTS / 4 / SUM_BLOCK, SUM_BLOCK>>>((float4 *)part, (float4 *)dfilter,
                                                           n_part);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(result, dfilter, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(dfilter));
    CUDA(cudaFree(part));
}

/* Stride 1: images are as large as their gradients, and the layer backward is like the layer. */
static void train_gpu(const struct tensors *t, struct conv s)
{
    size_t bytes = (size_t)s.n_image * CHANNELS * s.in_plane * sizeof(float);
    float *x = (float *)workload_upload(t->x, bytes), *dy = (float *)workload_upload(t->dy, bytes);
    float *filter = (float *)workload_upload(t->filter, WEIGHTS * sizeof(float)), *to;

    CUDA(cudaMalloc((void **)&to, bytes));
    table_forward(s);
    data_gpu(forward_tiles, filter, x, to, t->y, s);
    table_backward_data(s);
    data_gpu(backward_data_tiles, filter, dy, to, t->dx, s);
    table_backward_filter(s);
    filter_gpu(x, dy, t->dfilter, s);
    CUDA(cudaFree(x));
    CUDA(cudaFree(dy));
    CUDA(cudaFree(filter));
    CUDA(cudaFree(to));
}

/* All three for one weight, tap (r, q), and the planes of `side` x `side` that it connects. */
static float weight_cpu(const float *x, float *y, float *dx, const float *dy, float weight, int r,
                        int q, int side)
{
    int x0 = q < 1 ? 1 : 0, x1 = q > 1 ? side - 1 : side;
    float gradient = 0;

    for (int i = 0; i < side; i++) {
        int from = (i + r - 1) * side + q - 1, to = i * side;

        if (i + r - 1 < 0 || i + r - 1 >= side)
            continue;
        for (int j = x0; j < x1; j++) {
            y[to + j] += weight * x[from + j];
            dx[from + j] += weight * dy[to + j];
        }
        for (int j = x0; j < x1; j++)
            gradient += x[from + j] * dy[to + j];
    }
    return gradient;
}

static void train_cpu(const struct tensors *t, struct conv s)
{
    for (int i = 0; i < s.n_image * WEIGHTS; i++) {
        int image = i / WEIGHTS, w = i % WEIGHTS;
        int c = w / (TAPS * CHANNELS), tap = w / CHANNELS % TAPS, k = w % CHANNELS;
        size_t in = (size_t)(image * CHANNELS + c) * s.in_plane;
        size_t out = (size_t)(image * CHANNELS + k) * s.out_plane;

        t->dfilter[w] += weight_cpu(t->x + in, t->y + out, t->dx + in, t->dy + out, t->filter[w],
                                    tap / SIDE, tap % SIDE, s.in);
    }
}

/* `used` of every `pitch` values; what pads them stays 0. */
static float *values_make(struct workload *w, size_t n, size_t used, size_t pitch)
{
    float *v = (float *)workload_alloc(n * sizeof *v);

    for (size_t i = 0; i < n; i++)
        v[i] = i % pitch < used ? ((int)workload_below(w, 33) - 16) / 16.0f : 0;
    return v;
}

static struct tensors outputs_make(size_t n_value)
{
    struct tensors t = {NULL, NULL, NULL, NULL, NULL, NULL};

    t.y = (float *)workload_alloc(n_value * sizeof(float));
    t.dx = (float *)workload_alloc(n_value * sizeof(float));
    t.dfilter = (float *)workload_alloc(WEIGHTS * sizeof(float));
    return t;
}

static void outputs_free(struct tensors *t)
{
    free(t->y);
    free(t->dx);
    free(t->dfilter);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "rows of pixels",
                                                              .usual = 2 * WHOLE,
                                                              .large = 8 * WHOLE,
                                                              .least = 1,
                                                              .most = 1792});
    int side = w.size < WHOLE ? (int)w.size : WHOLE;
    int images = w.size < 8 ? (int)w.size : product_parts((int)w.size, WHOLE);
    struct conv s = conv_make(images, CHANNELS, CHANNELS, side, SIDE, 1);
    size_t n_value = (size_t)images * CHANNELS * s.in_plane;
    struct tensors got = outputs_make(n_value), want = outputs_make(n_value);

    got.x = want.x = values_make(&w, n_value, s.in * s.in, s.in_plane);
    got.dy = want.dy = values_make(&w, n_value, s.in * s.in, s.in_plane);
    got.filter = want.filter = values_make(&w, WEIGHTS, WEIGHTS, WEIGHTS);
    train_gpu(&got, s);
    train_cpu(&want, s);
    workload_compare_f32(&w, "y", got.y, want.y, n_value, 0);
    workload_compare_f32(&w, "dx", got.dx, want.dx, n_value, 0);
    workload_compare_f32(&w, "dfilter", got.dfilter, want.dfilter, WEIGHTS, 0);

    free(want.x);
    free(want.dy);
    free(want.filter);
    outputs_free(&got);
    outputs_free(&want);
    return workload_end(&w);
}
