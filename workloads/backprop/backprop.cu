/*
 * backprop -- one training step of a neural network with one hidden layer
 *
 * stresses: shared memory reduction, short blocks, streaming global reads and writes
 * papers: gates, share, socgpu
 * kernels: backprop_forward, backprop_adjust
 * size: 131072 inputs
 * time: 0.4 s
 *
 * Many inputs and a bias, 16 hidden units, one output, sigmoids.  backprop_forward: a block of 16 x
 * 16 threads multiplies 16 inputs with their weights and sums over the inputs in shared memory; the
 * host adds the blocks' sums, finishes the tiny rest of the network and computes the hidden units'
 * errors.  backprop_adjust: moves each weight between inputs and hidden units against its error,
 * with momentum.
 */
#include "workload.h"

enum { HIDDEN = 16, TILE = 16 }; /* a block is TILE inputs x HIDDEN units */

#define ETA 0.3f
#define MOMENTUM 0.3f

/* The network, on the host or on the device. */
struct net {
    int n_in;      /* with the bias, which is input 0 and always 1 */
    float *in;     /* [n_in] */
    float *weight; /* [n_in][HIDDEN] */
    float *step;   /* [n_in][HIDDEN]: the last change of each weight */
};

/* What one training step gives. */
struct result {
    float *partial; /* [blocks][HIDDEN] */
    float *weight, *step;
};

__global__ void backprop_forward(struct net net, float *partial)
{
    __shared__ float in[TILE];
    __shared__ float product[TILE][HIDDEN];
    int unit = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.x * TILE + y;

    if (unit == 0)
        in[y] = i < net.n_in ? net.in[i] : 0;
    __syncthreads();
    product[y][unit] = i < net.n_in ? net.weight[i * HIDDEN + unit] * in[y] : 0;
    __syncthreads();
    for (int half = TILE / 2; half > 0; half /= 2) {
        if (y < half)
            product[y][unit] += product[y + half][unit];
        __syncthreads();
    }
    if (y == 0)
        partial[blockIdx.x * HIDDEN + unit] = product[0][unit];
}

__global__ void backprop_adjust(struct net net, const float *delta)
{
    int unit = threadIdx.x;
    int i = blockIdx.x * TILE + threadIdx.y;

    if (i >= net.n_in)
        return;
    float step = ETA * delta[unit] * net.in[i] + MOMENTUM * net.step[i * HIDDEN + unit];

    net.weight[i * HIDDEN + unit] += step;
    net.step[i * HIDDEN + unit] = step;
}

static int n_block(int n_in)
{
    return (n_in + TILE - 1) / TILE;
}

/* The rest of the network: from the hidden units' sums forward to the output and back again. */
static void hidden_deltas(const double *sum, const float *out_weight, double *delta)
{
    const double target = 0.9;
    double hidden[HIDDEN], out = 0;

    for (int u = 0; u < HIDDEN; u++) {
        hidden[u] = 1 / (1 + exp(-sum[u]));
        out += hidden[u] * out_weight[u];
    }
    out = 1 / (1 + exp(-out));
    for (int u = 0; u < HIDDEN; u++)
        delta[u] = hidden[u] * (1 - hidden[u]) * out_weight[u] * out * (1 - out) * (target - out);
}

static void train_gpu(struct net net, const float *out_weight, struct result r)
{
    size_t bytes = (size_t)net.n_in * HIDDEN * sizeof(float);
    size_t partial_bytes = (size_t)n_block(net.n_in) * HIDDEN * sizeof(float);
    dim3 block(HIDDEN, TILE);
    struct net d = {net.n_in, (float *)workload_upload(net.in, net.n_in * sizeof(float)),
                    (float *)workload_upload(net.weight, bytes),
                    (float *)workload_upload(net.step, bytes)};
    double sum[HIDDEN] = {0}, delta[HIDDEN];
    float f_delta[HIDDEN], *d_partial;

    CUDA(cudaMalloc((void **)&d_partial, partial_bytes));
    backprop_forward<<<n_block(net.n_in), block>>>(d, d_partial);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(r.partial, d_partial, partial_bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n_block(net.n_in) * HIDDEN; i++)
        sum[i % HIDDEN] += r.partial[i];
    hidden_deltas(sum, out_weight, delta);
    for (int u = 0; u < HIDDEN; u++)
        f_delta[u] = (float)delta[u];

    float *d_delta = (float *)workload_upload(f_delta, sizeof f_delta);

    backprop_adjust<<<n_block(net.n_in), block>>>(d, d_delta);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(r.weight, d.weight, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.step, d.step, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.in));
    CUDA(cudaFree(d.weight));
    CUDA(cudaFree(d.step));
    CUDA(cudaFree(d_partial));
    CUDA(cudaFree(d_delta));
}

/* The reference: all in double. */
static void train_cpu(struct net net, const float *out_weight, struct result r)
{
    double sum[HIDDEN] = {0}, delta[HIDDEN];

    for (int u = 0; u < HIDDEN; u++) {
        double tile = 0;

        for (int i = 0; i < net.n_in; i++) {
            double x = (double)net.in[i] * net.weight[i * HIDDEN + u];

            sum[u] += x;
            tile = i % TILE ? tile + x : x;
            r.partial[i / TILE * HIDDEN + u] = (float)tile;
        }
    }
    hidden_deltas(sum, out_weight, delta);
    for (int i = 0; i < net.n_in * HIDDEN; i++) {
        double step =
            (double)ETA * delta[i % HIDDEN] * net.in[i / HIDDEN] + (double)MOMENTUM * net.step[i];

        r.weight[i] = (float)(net.weight[i] + step);
        r.step[i] = (float)step;
    }
}

/*
 * Weights are below 1 / sqrt(n_in), so that the sigmoids do not saturate.  All values are below 1:
 * the bounds are absolute.  A block's sum has 5 roundings (product, 4 levels) of at most 16 terms;
 * over all blocks that adds up to `sum` at worst.  The errors follow the sums with a slope below
 * 1/32 (each sigmoid 1/4, the output's weights 1/4 and less), and the weights follow with ETA.
 */
static void compare(struct workload *w, int n_in, struct result got, struct result want)
{
    const float unit = 1.0f / (1 << 24), largest = 1 / sqrtf((float)n_in);
    float tile = 5 * unit * TILE * largest, sum = 5 * unit * n_in * largest;
    float change = ETA * sum / 32 + 4 * unit;
    size_t n_weight = (size_t)n_in * HIDDEN;

    workload_compare_f32(w, "partial", got.partial, want.partial, (size_t)n_block(n_in) * HIDDEN,
                         tile);
    workload_compare_f32(w, "weight", got.weight, want.weight, n_weight, change);
    workload_compare_f32(w, "step", got.step, want.step, n_weight, change);
}

static struct result result_make(int n_in)
{
    size_t bytes = (size_t)n_in * HIDDEN * sizeof(float);
    struct result r = {(float *)workload_alloc(n_block(n_in) * HIDDEN * sizeof(float)),
                       (float *)workload_alloc(bytes), (float *)workload_alloc(bytes)};

    return r;
}

static void result_free(struct result r)
{
    free(r.partial);
    free(r.weight);
    free(r.step);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){.unit = "inputs", .usual = 131072, .least = 1, .most = 1 << 22});
    int n_in = (int)w.size + 1;
    size_t n_weight = (size_t)n_in * HIDDEN;
    struct net net = {n_in, (float *)workload_alloc(n_in * sizeof(float)),
                      (float *)workload_alloc(n_weight * sizeof(float)),
                      (float *)workload_alloc(n_weight * sizeof(float))};
    struct result got = result_make(n_in), want = result_make(n_in);
    float out_weight[HIDDEN], largest = 1 / sqrtf((float)n_in);

    for (int i = 0; i < n_in; i++)
        net.in[i] = i ? workload_float(&w, 0, 1) : 1;
    for (size_t i = 0; i < n_weight; i++) {
        net.weight[i] = workload_float(&w, -largest, largest);
        net.step[i] = workload_float(&w, -largest, largest);
    }
    for (int u = 0; u < HIDDEN; u++)
        out_weight[u] = workload_float(&w, -0.25f, 0.25f);

    train_gpu(net, out_weight, got);
    train_cpu(net, out_weight, want);
    compare(&w, n_in, got, want);

    result_free(got);
    result_free(want);
    free(net.in);
    free(net.weight);
    free(net.step);
    return workload_end(&w);
}
