/*
 * lstm.cuh -- a long short-term memory cell, forwards.
 *
 *     i, f, g, o = sigmoid, sigmoid, tanh, sigmoid of (x weights + h feedback + bias)
 *     c' = f c + i g
 *     h' = o tanh(c')
 */
#ifndef COMMON_LSTM_CUH
#define COMMON_LSTM_CUH

#include "common/rnn.cuh"

enum { LSTM_IN, LSTM_FORGET, LSTM_NEW, LSTM_OUT, LSTM_GATES };

/*
 * One step, a thread per element of the state.  `gate` [n_batch][4 n_hidden] has the share of the
 * input and gets the gates; `part` is the share of the hidden state, in parts.
 */
__global__ void lstm_forward(float *gate, const float *part, const float *bias, const float *cell,
                             float *next_cell, float *next_hidden, int n_hidden,
                             struct rnn_parts parts)
{
    int e = blockIdx.x * RNN_BLOCK + threadIdx.x, unit = e % n_hidden;
    int at = e / n_hidden * LSTM_GATES * n_hidden + unit;
    float v[LSTM_GATES], c;

#pragma unroll
    for (int g = 0; g < LSTM_GATES; g++) {
        float x = gate[at + g * n_hidden] + bias[unit + g * n_hidden] +
                  rnn_sum(part + at + g * n_hidden, parts);

        v[g] = g == LSTM_NEW ? rnn_tanh(x) : rnn_sigmoid(x);
        gate[at + g * n_hidden] = v[g];
    }
    c = v[LSTM_FORGET] * cell[e] + v[LSTM_IN] * v[LSTM_NEW];
    next_cell[e] = c;
    next_hidden[e] = v[LSTM_OUT] * rnn_tanh(c);
}

/*
 * All steps of all samples.  hidden and cell are [n_step + 1][n_batch][n_hidden], from the zeros of
 * the beginning on; gates [n_step][n_batch][4 n_hidden].
 */
static void lstm_forward_cpu(struct rnn_shape s, struct rnn_layer l, float *gates, float *cell,
                             float *hidden)
{
    const int n = s.n_hidden, n_row = s.n_step * s.n_batch;

    for (int row = 0; row < n_row; row++) {
        float *v = gates + (size_t)row * LSTM_GATES * n;
        size_t last = (size_t)row * n, next = last + rnn_n_state(s);

        memcpy(v, l.bias, LSTM_GATES * n * sizeof *v);
        rnn_row_cpu(l.input + last, l.weights, v, n, LSTM_GATES * n);
        rnn_row_cpu(hidden + last, l.feedback, v, n, LSTM_GATES * n);
        for (int u = 0; u < n; u++) {
            for (int g = 0; g < LSTM_GATES; g++)
                v[g * n + u] = g == LSTM_NEW ? tanhf(v[g * n + u]) : rnn_sigmoid_cpu(v[g * n + u]);
            cell[next + u] =
                v[LSTM_FORGET * n + u] * cell[last + u] + v[LSTM_IN * n + u] * v[LSTM_NEW * n + u];
            hidden[next + u] = v[LSTM_OUT * n + u] * tanhf(cell[next + u]);
        }
    }
}

#endif
