/*
 * rnn-gru-train -- trains a GRU layer: over a sequence, and back through time
 *
 * suite: DeepBench
 * stresses: float arithmetic in straight-line code, shared memory, many short dependent launches
 * papers: socgpu
 * kernels: rnn_gemm_nn, gru_forward, gru_backward, rnn_gemm_nt, rnn_gemm_tn, rnn_bias_gradient
 * size: 512 hidden units
 * large: 1024 hidden units
 * odd: 192
 * tiny: 64
 * time: 6.2 s
 *
 * Forwards: one product of all inputs with their weights, then for each step one of the hidden
 * state with the feedback weights, and gru_forward, which applies the gates and keeps them.  Back:
 * for each step gru_backward, the gradient of the gates, and its product with the weights, which is
 * part of the gradient of the hidden state before.  Then, over all steps at once, the gradients of
 * input, weights, feedback weights and bias.  DeepBench's layers (code/kernels/rnn_problems.h), a
 * batch of 32: --size large is that of 1024 units, with the 25 steps of the LSTM instead of 1500;
 * smaller ones have 2 steps, the list's of 512 units a single one.
 *
 * Which kernel makes a product is chosen by GPU and size (common/product.cuh): where a thread may
 * have 255 registers one with a tile in its name, as rnn_gemm_nn_128x32 (common/wide.cuh), and
 * where it may have 63, the plain one (common/rnn.cuh).
 *
 * Gates do not amplify, and the longest sums are of 4096 products: rounding and the fast exponential
 * leave errors of a hundred-thousandth.
 */
#include "common/gru.cuh"
#include "common/rnn_train.cuh"

/* Of all steps; hidden begins with the state before the first. */
struct activations {
    float *gates, *fed, *hidden;
};

/*
 * One step back, a thread per element of the state.  `error` is what the loss says of the step's
 * output, `part` and d_kept what the next step says, by its gates, in parts, and by what it
 * kept of the state.  The gates' gradient towards the hidden state differs from that towards the
 * input by the reset.
 */
__global__ void gru_backward(const float *gate, const float *fed, const float *hidden,
                             const float *error, const float *part, float *d_kept, float *d_gate,
                             float *d_fed_gate, int n_hidden, struct rnn_parts parts)
{
    int e = blockIdx.x * RNN_BLOCK + threadIdx.x;
    int at = e / n_hidden * GRU_GATES * n_hidden + e % n_hidden;
    float reset = gate[at + GRU_RESET * n_hidden], update = gate[at + GRU_UPDATE * n_hidden];
    float fresh = gate[at + GRU_NEW * n_hidden];
    float d = error[e] + d_kept[e] + rnn_sum(part + e, parts);
    float d_fresh = d * (1 - update) * (1 - fresh * fresh);
    float d_update = d * (hidden[e] - fresh) * update * (1 - update);
    float d_reset = d_fresh * fed[e] * reset * (1 - reset);

    d_gate[at + GRU_RESET * n_hidden] = d_fed_gate[at + GRU_RESET * n_hidden] = d_reset;
    d_gate[at + GRU_UPDATE * n_hidden] = d_fed_gate[at + GRU_UPDATE * n_hidden] = d_update;
    d_gate[at + GRU_NEW * n_hidden] = d_fresh;
    d_fed_gate[at + GRU_NEW * n_hidden] = d_fresh * reset;
    d_kept[e] = d * update;
}

static void forward_gpu(struct rnn_shape s, struct rnn_layer d, struct activations a)
{
    const size_t n_state = rnn_n_state(s), n_part = n_state * s.n_gate;
    float *d_part = rnn_device_parts(s.n_batch, s.n_gate * s.n_hidden);

    rnn_forward(s, d.input, d.weights, a.gates);
    for (int t = 0; t < s.n_step; t++) {
        float *hidden = a.hidden + t * n_state;
        struct rnn_parts parts = rnn_forward_step(s, hidden, d.feedback, d_part);

        gru_forward<<<n_state / RNN_BLOCK, RNN_BLOCK>>>(a.gates + t * n_part, d_part, d.bias,
                                                        hidden, a.fed + t * n_state,
                                                        hidden + n_state, s.n_hidden, parts);
        CUDA_LAUNCHED();
    }
    CUDA(cudaFree(d_part));
}

/* d_error: [n_step][n_batch][n_hidden] */
static void backward_gpu(struct rnn_shape s, struct rnn_layer d, struct activations a,
                         const float *d_error, struct rnn_gradient g)
{
    const size_t n_state = rnn_n_state(s), n_gate = n_state * s.n_gate;
    float *d_gates = rnn_device(rnn_n_gates(s)), *d_fed_gates = rnn_device(rnn_n_gates(s));
    float *d_part = rnn_device_parts(s.n_batch, s.n_hidden), *d_kept = rnn_device(n_state);
    struct rnn_parts parts = {0, 0}; /* the last step gets nothing from a next one */

    for (int t = s.n_step - 1; t >= 0; t--) {
        gru_backward<<<n_state / RNN_BLOCK, RNN_BLOCK>>>(
            a.gates + t * n_gate, a.fed + t * n_state, a.hidden + t * n_state,
            d_error + t * n_state, d_part, d_kept, d_gates + t * n_gate, d_fed_gates + t * n_gate,
            s.n_hidden, parts);
        CUDA_LAUNCHED();
        if (t > 0)
            parts = rnn_back_step(s, d_fed_gates + t * n_gate, d.feedback, d_part);
    }
    rnn_back(s, d_gates, d.weights, g.input);
    rnn_weights(s, d.input, d_gates, g.weights);
    rnn_weights(s, a.hidden, d_fed_gates, g.feedback);
    rnn_bias(s, d_gates, g.bias);
    CUDA(cudaFree(d_gates));
    CUDA(cudaFree(d_fed_gates));
    CUDA(cudaFree(d_part));
    CUDA(cudaFree(d_kept));
}

static void train_gpu(struct rnn_shape s, struct rnn_layer l, const float *error, float *hidden,
                      struct rnn_gradient gradient)
{
    const size_t n_all = rnn_n_state(s) + rnn_n_states(s);
    struct rnn_layer d = rnn_layer_upload(l, s);
    struct activations a = {rnn_device(rnn_n_gates(s)), rnn_device(rnn_n_states(s)),
                            rnn_device(n_all)};
    struct rnn_gradient g = rnn_gradient_make_device(s);
    float *d_error = rnn_upload(error, rnn_n_states(s));

    forward_gpu(s, d, a);
    backward_gpu(s, d, a, d_error, g);
    rnn_download(hidden, a.hidden, n_all);
    rnn_gradient_download(gradient, g, s);
    rnn_layer_free_device(d);
    CUDA(cudaFree(a.gates));
    CUDA(cudaFree(a.fed));
    CUDA(cudaFree(a.hidden));
    CUDA(cudaFree(d_error));
}

/*
 * The gradient of one sample's gates, towards the input in place of the gates, and towards the
 * hidden state in `d_fed`; d_hidden becomes what the step kept of it.
 */
static void gates_back_cpu(float *gate, const float *fed, const float *hidden, float *d_hidden,
                           float *d_fed, int n)
{
    for (int u = 0; u < n; u++) {
        float r = gate[GRU_RESET * n + u], z = gate[GRU_UPDATE * n + u];
        float fresh = gate[GRU_NEW * n + u], d = d_hidden[u];

        gate[GRU_UPDATE * n + u] = d * (hidden[u] - fresh) * z * (1 - z);
        gate[GRU_NEW * n + u] = d * (1 - z) * (1 - fresh * fresh);
        gate[GRU_RESET * n + u] = gate[GRU_NEW * n + u] * fed[u] * r * (1 - r);
        for (int g = 0; g < GRU_GATES; g++)
            d_fed[g * n + u] = gate[g * n + u] * (g == GRU_NEW ? r : 1);
        d_hidden[u] = d * z;
    }
}

/* Sample by sample, each back through all steps. */
static void backward_cpu(struct rnn_shape s, struct rnn_layer l, struct activations a,
                         const float *error, struct rnn_gradient gradient)
{
    const int n = s.n_hidden, n_column = GRU_GATES * n;
    float *d_hidden = rnn_alloc(n), *d_before = rnn_alloc(n), *d_fed = rnn_alloc(n_column);

    for (int b = 0; b < s.n_batch; b++) {
        memset(d_hidden, 0, n * sizeof *d_hidden);
        for (int t = s.n_step - 1; t >= 0; t--) {
            size_t row = (size_t)t * s.n_batch + b, at = row * n;
            float *gate = a.gates + row * n_column;

            for (int u = 0; u < n; u++)
                d_hidden[u] += error[at + u];
            gates_back_cpu(gate, a.fed + at, a.hidden + at, d_hidden, d_fed, n);
            rnn_back_cpu(gate, l.input + at, l.weights, gradient.input + at, gradient.weights, n,
                         n_column);
            rnn_back_cpu(d_fed, a.hidden + at, l.feedback, d_before, gradient.feedback, n,
                         n_column);
            rnn_bias_cpu(gate, gradient.bias, n_column);
            for (int u = 0; u < n; u++)
                d_hidden[u] += d_before[u];
        }
    }
    free(d_hidden);
    free(d_before);
    free(d_fed);
}

static void train_cpu(struct rnn_shape s, struct rnn_layer l, const float *error, float *hidden,
                      struct rnn_gradient gradient)
{
    struct activations a = {rnn_alloc(rnn_n_gates(s)), rnn_alloc(rnn_n_states(s)), hidden};

    gru_forward_cpu(s, l, a.gates, a.fed, a.hidden);
    backward_cpu(s, l, a, error, gradient);
    free(a.gates);
    free(a.fed);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv, rnn_train_size());
    struct rnn_shape s = rnn_train_shape(w.size, GRU_GATES);
    struct rnn_layer layer = rnn_layer_make(&w, s);
    float *error = rnn_random(&w, rnn_n_states(s), 1);
    size_t n_value = rnn_n_state(s) + rnn_n_states(s);
    float *got_hidden = rnn_alloc(n_value), *want_hidden = rnn_alloc(n_value);
    struct rnn_gradient got = rnn_gradient_make(s), want = rnn_gradient_make(s);

    train_gpu(s, layer, error, got_hidden, got);
    train_cpu(s, layer, error, want_hidden, want);
    workload_compare_f32(&w, "hidden", got_hidden, want_hidden, n_value, 1e-4f);
    rnn_gradient_compare(&w, got, want, s);

    rnn_layer_free(layer);
    free(error);
    free(got_hidden);
    free(want_hidden);
    rnn_gradient_free(got);
    rnn_gradient_free(want);
    return workload_end(&w);
}
