/*
 * rnn_train.cuh -- products for training, in tiles of 32 x 64, and what the weights learn.
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
    RNN_LARGE = 512, /* hidden units of `large`, */
    RNN_STEPS = 25,  /* and its time steps */
};

__global__ void rnn_gemm_nn(const float *a, const float *b, float *c, int m, int n, int n_k)
{
    rnn_product<RNN_TILE_M, RNN_TILE_N, 8, false, false>(a, b, c, m, n, n_k);
}

__global__ void rnn_gemm_nt(const float *a, const float *b, float *c, int m, int n, int n_k)
{
    rnn_product<RNN_TILE_M, RNN_TILE_N, 8, false, true>(a, b, c, m, n, n_k);
}

__global__ void rnn_gemm_tn(const float *a, const float *b, float *c, int m, int n, int n_k)
{
    rnn_product<RNN_TILE_M, RNN_TILE_N, 16, true, false>(a, b, c, m, n, n_k);
}

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

static dim3 rnn_grid(int m, int n, int split)
{
    return dim3(n / RNN_TILE_N, m / RNN_TILE_M, split);
}

static void rnn_forward(struct rnn_shape s, const float *sample, int n_row, const float *weights,
                        float *gates, int split)
{
    const int n_column = s.n_gate * s.n_hidden;

    rnn_gemm_nn<<<rnn_grid(n_row, n_column, split), RNN_TILE_THREADS>>>(
        sample, weights, gates, n_row, n_column, s.n_hidden);
    CUDA_LAUNCHED();
}

static void rnn_back(struct rnn_shape s, const float *d_gates, int n_row, const float *weights,
                     float *d_sample, int split)
{
    rnn_gemm_nt<<<rnn_grid(n_row, s.n_hidden, split), RNN_TILE_THREADS>>>(
        d_gates, weights, d_sample, n_row, s.n_hidden, s.n_gate * s.n_hidden);
    CUDA_LAUNCHED();
}

static void rnn_weights(struct rnn_shape s, const float *sample, const float *d_gates,
                        float *d_weights)
{
    const int n_column = s.n_gate * s.n_hidden;

    rnn_gemm_tn<<<rnn_grid(s.n_hidden, n_column, 1), RNN_TILE_THREADS>>>(
        sample, d_gates, d_weights, s.n_hidden, n_column, s.n_step * s.n_batch);
    CUDA_LAUNCHED();
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

/* Steps grow with the square of the hidden units, to DeepBench's 25 for its 512. */
static struct rnn_shape rnn_train_shape(long n_hidden, int n_gate)
{
    int n_step = (int)(RNN_STEPS * n_hidden * n_hidden / (RNN_LARGE * RNN_LARGE));

    n_step = n_step < 2 ? 2 : n_step > RNN_STEPS ? RNN_STEPS : n_step;
    return (struct rnn_shape){(int)n_hidden, RNN_BATCH, n_step, n_gate};
}

static struct workload_size rnn_train_size(void)
{
    return (struct workload_size){.unit = "hidden units",
                                  .usual = 256,
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
