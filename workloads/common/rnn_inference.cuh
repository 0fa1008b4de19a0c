/*
 * rnn_inference.cuh -- products for a small batch: samples by weights, in tiles of 16 x 64.
 */
#ifndef COMMON_RNN_INFERENCE_CUH
#define COMMON_RNN_INFERENCE_CUH

#include "common/rnn.cuh"

enum {
    RNN_BATCH = 16,
    RNN_TILE_M = RNN_BATCH,
    RNN_TILE_N = 64,
    RNN_MAX_STEPS = 50,
};

__global__ void rnn_gemm_nn(const float *a, const float *b, float *c, int m, int n, int n_k)
{
    rnn_product<RNN_TILE_M, RNN_TILE_N, 8, false, false>(a, b, c, m, n, n_k);
}

/* n_row samples, at one step or at many, by weights for all gates. */
static void rnn_forward(struct rnn_shape s, const float *sample, int n_row, const float *weights,
                        float *gates, int split)
{
    const int n_column = s.n_gate * s.n_hidden;
    dim3 grid(n_column / RNN_TILE_N, n_row / RNN_TILE_M, split);

    rnn_gemm_nn<<<grid, RNN_TILE_M / 4 * (RNN_TILE_N / 4)>>>(sample, weights, gates, n_row,
                                                             n_column, s.n_hidden);
    CUDA_LAUNCHED();
}

static struct rnn_shape rnn_inference_shape(long n_hidden, int n_gate)
{
    int n_step = (int)n_hidden / 10;

    return (struct rnn_shape){(int)n_hidden, RNN_BATCH,
                              n_step < RNN_MAX_STEPS ? n_step : RNN_MAX_STEPS, n_gate};
}

static struct workload_size rnn_inference_size(void)
{
    return (struct workload_size){.unit = "hidden units",
                                  .usual = 256,
                                  .large = 1536,
                                  .least = 64,
                                  .most = 2048,
                                  .multiple = 64};
}

#endif
