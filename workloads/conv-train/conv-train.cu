/*
 * conv-train -- a convolutional layer, forward and both ways backward
 *
 * suite: DeepBench
 * stresses: fused multiply-add in straight code, registers, shared memory, gathers, constant memory
 * papers: socgpu
 * kernels: conv_train_forward, conv_train_backward_data, conv_train_backward_filter, conv_train_sum
 * size: 20 pixels a side
 * large: 56 pixels a side
 * odd: 3
 * tiny: 1
 * time: 16.2 s
 *
 * DeepBench's layer of 64 channels and 64 filters of 3 x 3, stride 1, for 8 images, of 56 x 56
 * pixels there.  Each of the three is an implicit matrix product (common/conv.cuh): filters by
 * patches of the images; filters by patches of the gradients; patches by gradients.  The last has
 * few elements and sums over all pixels of all images, so each image is left to CTAs of its own,
 * and conv_train_sum adds what they found.
 *
 * Values are multiples of 1/16 in -1..1.  A product is a multiple of 2^-8 and a sum of up to 2^15
 * of them fits a float: nothing is rounded, and the comparison is exact.
 */
#include "workload.h"
#include "common/conv.cuh"

enum {
    IMAGES = 8,    /* fewer if they are smaller than 8 x 8, so that tests are short */
    CHANNELS = 64, /* in and out */
    SIDE = 3,
    TAPS = SIDE * SIDE,
    WEIGHTS = CHANNELS * TAPS * CHANNELS,
    SUM_BLOCK = 128,
};

/* The filter is [c][tap][k]: as [c,tap][k], its k are rows of A. */
__global__ void conv_train_forward(const float *filter, const float *x, float *y, struct conv s)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(gemm_straight(filter, CHANNELS, row, CHANNELS, 0), conv_columns(x, s, col),
                  CHANNELS * TAPS / GEMM_STEP, sum);
    conv_write(y, s, row, col, sum);
}

/* As [c][tap,k], its c are; `s` is the layer backward, which makes x of y. */
__global__ void conv_train_backward_data(const float *filter, const float *dy, float *dx,
                                         struct conv s)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(gemm_turned(filter, TAPS * CHANNELS, row, CHANNELS, 0), conv_columns(dy, s, col),
                  CHANNELS * TAPS / GEMM_STEP, sum);
    conv_write(dx, s, row, col, sum);
}

/* Rows are c and tap of the filter, columns k; the common dimension, pixels of one image. */
__global__ void conv_train_backward_filter(const float *x, const float *dy, float *part,
                                           struct conv s)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE, image = blockIdx.z;
    int own = row + threadIdx.x % GEMM_TILE;
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(
        conv_patches(x + (size_t)image * CHANNELS * s.in_plane,
                     conv_row(s, own / TAPS, own % TAPS)),
        gemm_turned(dy + (size_t)image * CHANNELS * s.out_plane, s.out_plane, col, CHANNELS, 0),
        s.out_plane / GEMM_STEP, sum);
    gemm_write(part + (size_t)image * WEIGHTS, CHANNELS, row, col, CHANNELS * TAPS, CHANNELS, sum);
}

/* A thread adds the parts of 4 weights. */
__global__ void conv_train_sum(const float4 *part, float4 *dfilter)
{
    int i = blockIdx.x * SUM_BLOCK + threadIdx.x;
    float4 sum = part[i];

#pragma unroll
    for (int image = 1; image < IMAGES; image++) {
        float4 v = part[image * (WEIGHTS / 4) + i];

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

/* Stride 1: images are as large as their gradients, and the layer backward is like the layer. */
static void train_gpu(const struct tensors *t, struct conv s)
{
    size_t bytes = (size_t)s.n_image * CHANNELS * s.in_plane * sizeof(float);
    size_t filter_bytes = WEIGHTS * sizeof(float);
    float *x = (float *)workload_upload(t->x, bytes), *dy = (float *)workload_upload(t->dy, bytes);
    float *filter = (float *)workload_upload(t->filter, filter_bytes), *dfilter, *to, *part;
    int tiles = gemm_tiles(CHANNELS), pixel_tiles = gemm_tiles(s.n_image * s.out_plane);

    CUDA(cudaMalloc((void **)&to, bytes));
    CUDA(cudaMalloc((void **)&dfilter, filter_bytes));
    CUDA(cudaMalloc((void **)&part, IMAGES * filter_bytes));
    CUDA(cudaMemset(part, 0, IMAGES * filter_bytes));
    table_forward(s);
    conv_train_forward<<<dim3(pixel_tiles, tiles), GEMM_THREADS>>>(filter, x, to, s);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(t->y, to, bytes, cudaMemcpyDeviceToHost));
    table_backward_data(s);
    conv_train_backward_data<<<dim3(pixel_tiles, tiles), GEMM_THREADS>>>(filter, dy, to, s);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(t->dx, to, bytes, cudaMemcpyDeviceToHost));
    table_backward_filter(s);
    conv_train_backward_filter<<<dim3(tiles, gemm_tiles(CHANNELS * TAPS), s.n_image),
                                 GEMM_THREADS>>>(x, dy, part, s);
    CUDA_LAUNCHED();
    conv_train_sum<<<WEIGHTS / 4 / SUM_BLOCK, SUM_BLOCK>>>((float4 *)part, (float4 *)dfilter);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(t->dfilter, dfilter, filter_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(x));
    CUDA(cudaFree(dy));
    CUDA(cudaFree(filter));
    CUDA(cudaFree(dfilter));
    CUDA(cudaFree(to));
    CUDA(cudaFree(part));
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
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "pixels a side", .usual = 20, .large = 56, .least = 1, .most = 60});
    int images = w.size < IMAGES ? (int)w.size : IMAGES;
    struct conv s = conv_make(images, CHANNELS, CHANNELS, (int)w.size, SIDE, 1);
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
