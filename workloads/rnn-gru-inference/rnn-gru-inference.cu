/*
 * rnn-gru-inference -- runs a GRU layer over a sequence, for a small batch
 *
 * suite: DeepBench
 * stresses: float arithmetic in straight-line code, shared memory, weights read again at each step
 * papers: socgpu
 * kernels: rnn_gemm_nn, gru_forward
 * size: 512 hidden units
 * large: 1536 hidden units
 * odd: 192
 * tiny: 64
 * time: 3.1 s
 *
 * One product of the inputs of all time steps with their weights; then, step by step, the product
 * of the hidden state with the feedback weights, in parts along k, and gru_forward, which adds
 * these up and applies the gates.  DeepBench's layers for servers (code/kernels/rnn_problems.h), a
 * batch of 4 sequences: --size large is that of 1536 units and 187 steps; smaller ones have 8
 * steps, the list's of 512 units a single one.
 *
 * Which kernel makes a product is chosen by GPU and size (common/product.cuh): where a thread may
 * have 255 registers one with a tile in its name, as rnn_gemm_nn_128x32 (common/wide.cuh), and
 * where it may have 63, the plain one (common/rnn.cuh).
 *
 * Values stay below 1 and the gates do not amplify: rounding and the fast exponential leave an
 * error of a few millionths.
 */
#include "common/gru.cuh"
#include "common/rnn_inference.cuh"

enum { LARGE_STEPS = 187 };

static void run_gpu(struct rnn_shape s, struct rnn_layer l, float *hidden)
{
    const size_t n_state = rnn_n_state(s), n_part = n_state * s.n_gate;
    struct rnn_layer d = rnn_layer_upload(l, s);
    float *d_gates = rnn_device(rnn_n_gates(s) + RNN_SLACK * s.n_gate * s.n_hidden),
          *d_part = rnn_device_parts(s.n_batch, s.n_gate * s.n_hidden);
    float *d_fed = rnn_device(n_state),
          *d_hidden = rnn_device(n_state + rnn_n_states(s) + RNN_SLACK * s.n_hidden);

    rnn_forward(s, d.input, d.weights, d_gates);
    for (int t = 0; t < s.n_step; t++) {
        float *h = d_hidden + t * n_state;
        struct rnn_parts parts = rnn_forward_step(s, h, d.feedback, d_part);

        gru_forward<<<n_state / RNN_BLOCK, RNN_BLOCK>>>(d_gates + t * n_part, d_part, d.bias, h,
                                                        d_fed, h + n_state, s.n_hidden, parts);
        CUDA_LAUNCHED();
    }
    rnn_download(hidden, d_hidden, n_state + rnn_n_states(s));
    rnn_layer_free_device(d);
    CUDA(cudaFree(d_gates));
    CUDA(cudaFree(d_part));
    CUDA(cudaFree(d_fed));
    CUDA(cudaFree(d_hidden));
}

static void run_cpu(struct rnn_shape s, struct rnn_layer l, float *hidden)
{
    float *gates = rnn_alloc(rnn_n_gates(s)), *fed = rnn_alloc(rnn_n_states(s));

    gru_forward_cpu(s, l, gates, fed, hidden);
    free(gates);
    free(fed);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv, rnn_inference_size());
    struct rnn_shape s = rnn_inference_shape(w.size, GRU_GATES, LARGE_STEPS);
    struct rnn_layer layer = rnn_layer_make(&w, s);
    size_t n_value = rnn_n_state(s) + rnn_n_states(s);
    float *got = rnn_alloc(n_value), *want = rnn_alloc(n_value);

    run_gpu(s, layer, got);
    run_cpu(s, layer, want);
    workload_compare_f32(&w, "hidden", got, want, n_value, 1e-4f);

    rnn_layer_free(layer);
    free(got);
    free(want);
    return workload_end(&w);
}
