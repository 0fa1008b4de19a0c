/*
 * gru.cuh -- a gated recurrent unit, forwards; the form whose feedback is one product.
 *
 *     r, z = sigmoid of (x weights + h feedback + bias)
 *     n = tanh(x weights + bias + r (h feedback))
 *     h' = (1 - z) n + z h
 */
#ifndef COMMON_GRU_CUH
#define COMMON_GRU_CUH

#include "common/rnn.cuh"

enum { GRU_RESET, GRU_UPDATE, GRU_NEW, GRU_GATES };

/*
 * One step, a thread per element of the state.  `gate` [n_batch][3 n_hidden] has the share of the
 * input and gets the gates; `part` is the share of the hidden state, in parts, of which `fed` gets that of the new value, before the reset.
 */
__global__ void gru_forward(float *gate, const float *part, const float *bias, const float *hidden,
                            float *fed, float *next_hidden, int n_hidden, struct rnn_parts parts)
{
    int e = blockIdx.x * RNN_BLOCK + threadIdx.x, unit = e % n_hidden;
    int at = e / n_hidden * GRU_GATES * n_hidden + unit;
    float x[GRU_GATES], h[GRU_GATES], reset, update, fresh;

#pragma unroll
    for (int g = 0; g < GRU_GATES; g++) {
        x[g] = gate[at + g * n_hidden] + bias[unit + g * n_hidden];
        h[g] = rnn_sum(part + at + g * n_hidden, parts);
    }
    reset = rnn_sigmoid(x[GRU_RESET] + h[GRU_RESET]);
    update = rnn_sigmoid(x[GRU_UPDATE] + h[GRU_UPDATE]);
    fresh = rnn_tanh(x[GRU_NEW] + reset * h[GRU_NEW]);
    gate[at + GRU_RESET * n_hidden] = reset;
    gate[at + GRU_UPDATE * n_hidden] = update;
    gate[at + GRU_NEW * n_hidden] = fresh;
    fed[e] = h[GRU_NEW];
    next_hidden[e] = fresh + update * (hidden[e] - fresh);
}

/*
 * All steps of all samples.  hidden is [n_step + 1][n_batch][n_hidden], from the zeros of the
 * beginning on; gates [n_step][n_batch][3 n_hidden], fed [n_step][n_batch][n_hidden].
 */
static void gru_forward_cpu(struct rnn_shape s, struct rnn_layer l, float *gates, float *fed,
                            float *hidden)
{
    const int n = s.n_hidden, n_row = s.n_step * s.n_batch;
    float *back = rnn_alloc(GRU_GATES * n); /* the share of the hidden state */

    for (int row = 0; row < n_row; row++) {
        float *v = gates + (size_t)row * GRU_GATES * n;
        size_t last = (size_t)row * n, next = last + rnn_n_state(s);

        memcpy(v, l.bias, GRU_GATES * n * sizeof *v);
        memset(back, 0, GRU_GATES * n * sizeof *back);
        rnn_row_cpu(l.input + last, l.weights, v, n, GRU_GATES * n);
        rnn_row_cpu(hidden + last, l.feedback, back, n, GRU_GATES * n);
        for (int u = 0; u < n; u++) {
            float r = rnn_sigmoid_cpu(v[GRU_RESET * n + u] + back[GRU_RESET * n + u]);
            float z = rnn_sigmoid_cpu(v[GRU_UPDATE * n + u] + back[GRU_UPDATE * n + u]);
            float fresh = tanhf(v[GRU_NEW * n + u] + r * back[GRU_NEW * n + u]);

            v[GRU_RESET * n + u] = r;
            v[GRU_UPDATE * n + u] = z;
            v[GRU_NEW * n + u] = fresh;
            fed[last + u] = back[GRU_NEW * n + u];
            hidden[next + u] = (1 - z) * fresh + z * hidden[last + u];
        }
    }
    free(back);
}

#endif
