/*
 * rnn_inference.cuh -- products for a small batch: samples by weights.
 *
 * Sizes of DeepBench's list for servers (code/kernels/rnn_problems.h), batches of 4: `large` is a
 * layer of 1536 units with the list's steps; others have few steps.  Tiles for 63 registers are
 * 16 x 64.
 */
#ifndef COMMON_RNN_INFERENCE_CUH
#define COMMON_RNN_INFERENCE_CUH

#include "common/rnn.cuh"

enum {
    RNN_BATCH = 4,
    RNN_TILE_M = RNN_SLACK,
    RNN_TILE_N = 64,
    RNN_TILE_THREADS = RNN_TILE_M / 4 * (RNN_TILE_N / 4),
    RNN_LARGE = 1536,
    RNN_FEW_STEPS = 8, /* of layers that are smaller */
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

static struct rnn_shape rnn_inference_shape(long n_hidden, int n_gate, int large_steps)
{
    int n_step = n_hidden < RNN_LARGE ? RNN_FEW_STEPS : large_steps;

    return (struct rnn_shape){(int)n_hidden, RNN_BATCH, n_step, n_gate};
}

static struct workload_size rnn_inference_size(void)
{
    return (struct workload_size){.unit = "hidden units",
                                  .usual = 512,
                                  .large = RNN_LARGE,
                                  .least = 64,
                                  .most = 2048,
                                  .multiple = 64};
}

#endif
