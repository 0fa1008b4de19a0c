/*
 * rnn_train.cuh -- products for training, and what the weights learn.
 *
 * Sizes of DeepBench's list (code/kernels/rnn_problems.h), batches of 32: `large` is a layer of
 * 1024 units with 25 steps; others have few steps.  Tiles for 63 registers are 32 x 64.
 *
 * Three products: samples by weights, forwards (nn); gradients of gates by the same weights, turned
 * around (nt); and samples by gradients, over all samples and steps, which is the gradient of the
 * weights (tn).
 */
#ifndef COMMON_RNN_TRAIN_CUH
#define COMMON_RNN_TRAIN_CUH

#include "common/rnn.cuh"

enum {
    RNN_BATCH = 32,
    RNN_TILE_M = 32,
    RNN_TILE_N = 64,
    RNN_TILE_THREADS = RNN_TILE_M / 4 * (RNN_TILE_N / 4),
    RNN_BIAS_BLOCK = 64,
    RNN_LARGE = 1024, /* hidden units of `large`, */
    RNN_STEPS = 25,   /* and its time steps */
    RNN_FEW_STEPS = 2,
};

/* Samples by weights. */
__global__ void __launch_bounds__(THREADS_128X128, 2)
    rnn_gemm_nn_128x128(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<128, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    rnn_gemm_nn_128x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<64, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X32)
    rnn_gemm_nn_128x32(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<32, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(RNN_TILE_THREADS)
    rnn_gemm_nn(const float *a, const float *b, float *c, struct gemm_shape s)
{
    rnn_product<RNN_TILE_M, RNN_TILE_N, 8, false, false>(a, b, c, s);
}

static const product_kernel rnn_nn[] = {
    {rnn_gemm_nn_128x128, 128, 128, THREADS_128X128},
    {rnn_gemm_nn_128x64, 64, 128, THREADS_128X64},
    {rnn_gemm_nn_128x32, 32, 128, THREADS_128X32},
    {rnn_gemm_nn, RNN_TILE_M, RNN_TILE_N, RNN_TILE_THREADS},
};

/* Gradients of gates by the same weights: TN, as the BLAS counts. */
__global__ void __launch_bounds__(THREADS_128X128, 2)
    rnn_gemm_nt_128x128(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_tn<128, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    rnn_gemm_nt_128x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_tn<64, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X32)
    rnn_gemm_nt_128x32(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_tn<32, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(RNN_TILE_THREADS)
    rnn_gemm_nt(const float *a, const float *b, float *c, struct gemm_shape s)
{
    rnn_product<RNN_TILE_M, RNN_TILE_N, 8, false, true>(a, b, c, s);
}

static const product_kernel rnn_nt[] = {
    {rnn_gemm_nt_128x128, 128, 128, THREADS_128X128},
    {rnn_gemm_nt_128x64, 64, 128, THREADS_128X64},
    {rnn_gemm_nt_128x32, 32, 128, THREADS_128X32},
    {rnn_gemm_nt, RNN_TILE_M, RNN_TILE_N, RNN_TILE_THREADS},
};

/* Samples, turned, by gradients: NT. */
__global__ void __launch_bounds__(THREADS_128X128, 2)
    rnn_gemm_tn_128x128(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nt<128, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    rnn_gemm_tn_128x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nt<64, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X32)
    rnn_gemm_tn_128x32(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nt<32, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(RNN_TILE_THREADS)
    rnn_gemm_tn(const float *a, const float *b, float *c, struct gemm_shape s)
{
    rnn_product<RNN_TILE_M, RNN_TILE_N, 16, true, false>(a, b, c, s);
}

static const product_kernel rnn_tn[] = {
    {rnn_gemm_tn_128x128, 128, 128, THREADS_128X128},
    {rnn_gemm_tn_128x64, 64, 128, THREADS_128X64},
    {rnn_gemm_tn_128x32, 32, 128, THREADS_128X32},
    {rnn_gemm_tn, RNN_TILE_M, RNN_TILE_N, RNN_TILE_THREADS},
};

/* Sums of columns, a thread each; n_row is a multiple of 16. */
__global__ void rnn_bias_gradient(const float *gradient, float *sum, int n_row, int n_column)
{
    int column = blockIdx.x * RNN_BIAS_BLOCK + threadIdx.x;
    float s = 0;

#pragma unroll 1
    for (int row = 0; row < n_row; row += 16)
#pragma unroll
        for (int i = 0; i < 16; i++)
            s += gradient[(row + i) * n_column + column];
    sum[column] = s;
}

/* Gradients of what a layer gets and has. */
struct rnn_gradient {
    float *input, *weights, *feedback, *bias;
};

/* n_row samples of one step, or of all, by weights for all gates. */
static struct gemm_shape rnn_forward_shape(struct rnn_shape s, int n_row)
{
    const int n_column = s.n_gate * s.n_hidden;

    return (struct gemm_shape){
        n_row, n_column, s.n_hidden, n_column, n_column, s.n_hidden / GEMM_STEP, 0};
}

static struct rnn_parts rnn_forward_step(struct rnn_shape s, const float *hidden,
                                         const float *weights, float *part)
{
    return rnn_step(rnn_nn, hidden, weights, part, rnn_forward_shape(s, s.n_batch));
}

static void rnn_forward(struct rnn_shape s, const float *input, const float *weights, float *gates)
{
    rnn_steps(rnn_nn, input, weights, gates, rnn_forward_shape(s, s.n_step * s.n_batch));
}

/* The gradient of n_row samples, from that of their gates. */
static struct gemm_shape rnn_back_shape(struct rnn_shape s, int n_row)
{
    const int n_column = s.n_gate * s.n_hidden;

    return (struct gemm_shape){n_row,      s.n_hidden,           n_column, n_column,
                               s.n_hidden, n_column / GEMM_STEP, 0};
}

static struct rnn_parts rnn_back_step(struct rnn_shape s, const float *d_gates,
                                      const float *weights, float *part)
{
    return rnn_step(rnn_nt, d_gates, weights, part, rnn_back_shape(s, s.n_batch));
}

static void rnn_back(struct rnn_shape s, const float *d_gates, const float *weights,
                     float *d_sample)
{
    rnn_steps(rnn_nt, d_gates, weights, d_sample, rnn_back_shape(s, s.n_step * s.n_batch));
}

static void rnn_weights(struct rnn_shape s, const float *sample, const float *d_gates,
                        float *d_weights)
{
    const int n_column = s.n_gate * s.n_hidden;

    rnn_steps(rnn_tn, sample, d_gates, d_weights,
              (struct gemm_shape){s.n_hidden, n_column, s.n_hidden, n_column, n_column,
                                  s.n_step * s.n_batch / GEMM_STEP, 0});
}

static void rnn_bias(struct rnn_shape s, const float *d_gates, float *d_bias)
{
    const int n_column = s.n_gate * s.n_hidden;

    rnn_bias_gradient<<<n_column / RNN_BIAS_BLOCK, RNN_BIAS_BLOCK>>>(
        d_gates, d_bias, s.n_step * s.n_batch, n_column);
    CUDA_LAUNCHED();
}

static float rnn_dot_cpu(const float *a, const float *b, int n)
{
    float part[8] = {0}, sum = 0;

    for (int i = 0; i < n; i += 8)
        for (int j = 0; j < 8; j++)
            part[j] += a[i + j] * b[i + j];
    for (int j = 0; j < 8; j++)
        sum += part[j];
    return sum;
}

/* The gradient of one sample's gates back to the sample, and to the weights, to which it adds. */
static void rnn_back_cpu(const float *d_gate, const float *sample, const float *weights,
                         float *d_sample, float *d_weights, int n, int n_column)
{
    for (int k = 0; k < n; k++) {
        float *row = d_weights + (size_t)k * n_column;

        d_sample[k] = rnn_dot_cpu(d_gate, weights + (size_t)k * n_column, n_column);
        for (int j = 0; j < n_column; j++)
            row[j] += sample[k] * d_gate[j];
    }
}

static void rnn_bias_cpu(const float *d_gate, float *d_bias, int n_column)
{
    for (int j = 0; j < n_column; j++)
        d_bias[j] += d_gate[j];
}

static struct rnn_shape rnn_train_shape(long n_hidden, int n_gate)
{
    int n_step = n_hidden < RNN_LARGE ? RNN_FEW_STEPS : RNN_STEPS;

    return (struct rnn_shape){(int)n_hidden, RNN_BATCH, n_step, n_gate};
}

static struct workload_size rnn_train_size(void)
{
    return (struct workload_size){.unit = "hidden units",
                                  .usual = 512,
                                  .large = RNN_LARGE,
                                  .least = 64,
                                  .most = 2048,
                                  .multiple = 64};
}

static struct rnn_gradient rnn_gradient_make(struct rnn_shape s)
{
    return (struct rnn_gradient){rnn_alloc(rnn_n_states(s)), rnn_alloc(rnn_n_weight(s)),
                                 rnn_alloc(rnn_n_weight(s)),
                                 rnn_alloc((size_t)s.n_gate * s.n_hidden)};
}

static struct rnn_gradient rnn_gradient_make_device(struct rnn_shape s)
{
    return (struct rnn_gradient){rnn_device(rnn_n_states(s)), rnn_device(rnn_n_weight(s)),
                                 rnn_device(rnn_n_weight(s)),
                                 rnn_device((size_t)s.n_gate * s.n_hidden)};
}

/* To the host; the device's are freed. */
static void rnn_gradient_download(struct rnn_gradient to, struct rnn_gradient from,
                                  struct rnn_shape s)
{
    rnn_download(to.input, from.input, rnn_n_states(s));
    rnn_download(to.weights, from.weights, rnn_n_weight(s));
    rnn_download(to.feedback, from.feedback, rnn_n_weight(s));
    rnn_download(to.bias, from.bias, (size_t)s.n_gate * s.n_hidden);
    CUDA(cudaFree(from.input));
    CUDA(cudaFree(from.weights));
    CUDA(cudaFree(from.feedback));
    CUDA(cudaFree(from.bias));
}

static void rnn_gradient_compare(struct workload *w, struct rnn_gradient got,
                                 struct rnn_gradient want, struct rnn_shape s)
{
    const float tolerance = 1e-4f;

    workload_compare_f32(w, "d_input", got.input, want.input, rnn_n_states(s), tolerance);
    workload_compare_f32(w, "d_weights", got.weights, want.weights, rnn_n_weight(s), tolerance);
    workload_compare_f32(w, "d_feedback", got.feedback, want.feedback, rnn_n_weight(s), tolerance);
    workload_compare_f32(w, "d_bias", got.bias, want.bias, (size_t)s.n_gate * s.n_hidden,
                         tolerance);
}

static void rnn_gradient_free(struct rnn_gradient g)
{
    free(g.input);
    free(g.weights);
    free(g.feedback);
    free(g.bias);
}

#endif
