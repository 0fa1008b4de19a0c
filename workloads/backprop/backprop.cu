/*
 * backprop -- one training step of a neural network with one hidden layer
 *
 * suite: Rodinia
 * stresses: shared memory reduction, divergence, short blocks, rows that are not aligned
 * papers: gates, share, socgpu
 * kernels: backprop_forward, backprop_adjust
 * size: 65536 inputs
 * large: 65536 inputs
 * odd: 777
 * tiny: 97
 * time: 2.1 s
 *
 * Many inputs and a bias, 16 hidden units, one output, sigmoids.  backprop_forward: a block of 16 x
 * 16 threads multiplies 16 inputs with their weights and sums over the inputs in shared memory, in
 * a tree whose active rows get further and further apart; the host adds the blocks' sums and the
 * bias, finishes the tiny rest of the network and computes the hidden units' errors.
 * backprop_adjust: moves each weight between inputs and hidden units against its error, with
 * momentum.
 *
 * Block, grid (1 x 4096), the number of inputs and the layout of the weights, in rows of 17, are
 * Rodinia's.
 */
#include "workload.h"

enum {
    HIDDEN = 16,
    TILE = 16,          /* a block is TILE inputs x HIDDEN units */
    WIDTH = HIDDEN + 1, /* of a row of weights: its first element is not used */
};

#define ETA 0.3f
#define MOMENTUM 0.3f

/* The network, on the host or on the device.  Input 0 is the bias and always 1. */
struct net {
    int n_in;      /* without the bias */
    float *in;     /* [n_in + 1] */
    float *weight; /* [n_in + 1][WIDTH] */
    float *step;   /* [n_in + 1][WIDTH]: the last change of each weight */
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
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * TILE + y + 1;

    if (x == 0)
        in[y] = i <= net.n_in ? net.in[i] : 0;
    __syncthreads();
    product[y][x] = i <= net.n_in ? net.weight[i * WIDTH + x + 1] * in[y] : 0;
    __syncthreads();
    for (int apart = 2; apart <= TILE; apart *= 2) {
        if (y % apart == 0)
            product[y][x] += product[y + apart / 2][x];
        __syncthreads();
    }
    if (x == 0)
        partial[blockIdx.y * HIDDEN + y] = product[0][y];
}

static __device__ void adjust(struct net net, int at, float error, float in)
{
    float step = ETA * error * in + MOMENTUM * net.step[at];

    net.weight[at] += step;
    net.step[at] = step;
}

__global__ void backprop_adjust(struct net net, const float *delta)
{
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * TILE + y + 1;

    if (i <= net.n_in)
        adjust(net, i * WIDTH + x + 1, delta[x], net.in[i]);
    if (y == 0 && blockIdx.y == 0) /* the bias */
        adjust(net, x + 1, delta[x], 1);
}

static int n_block(int n_in)
{
    return (n_in + TILE - 1) / TILE;
}

static size_t n_weight(int n_in)
{
    return (size_t)(n_in + 1) * WIDTH;
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
    size_t bytes = n_weight(net.n_in) * sizeof(float);
    size_t partial_bytes = (size_t)n_block(net.n_in) * HIDDEN * sizeof(float);
    dim3 grid(1, n_block(net.n_in)), block(HIDDEN, TILE);
    struct net d = {net.n_in, (float *)workload_upload(net.in, (net.n_in + 1) * sizeof(float)),
                    (float *)workload_upload(net.weight, bytes),
                    (float *)workload_upload(net.step, bytes)};
    double sum[HIDDEN], delta[HIDDEN];
    float f_delta[HIDDEN], *d_partial;

    CUDA(cudaMalloc((void **)&d_partial, partial_bytes));
    backprop_forward<<<grid, block>>>(d, d_partial);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(r.partial, d_partial, partial_bytes, cudaMemcpyDeviceToHost));
    for (int u = 0; u < HIDDEN; u++)
        sum[u] = net.weight[u + 1];
    for (int i = 0; i < n_block(net.n_in) * HIDDEN; i++)
        sum[i % HIDDEN] += r.partial[i];
    hidden_deltas(sum, out_weight, delta);
    for (int u = 0; u < HIDDEN; u++)
        f_delta[u] = (float)delta[u];

    float *d_delta = (float *)workload_upload(f_delta, sizeof f_delta);

    backprop_adjust<<<grid, block>>>(d, d_delta);
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
    double sum[HIDDEN] = {0}, tile[HIDDEN] = {0}, delta[HIDDEN];

    for (int i = 0; i <= net.n_in; i++)
        for (int u = 0; u < HIDDEN; u++) {
            double x = (double)net.in[i] * net.weight[i * WIDTH + u + 1];

            sum[u] += x;
            if (i == 0)
                continue;
            tile[u] = (i - 1) % TILE ? tile[u] + x : x;
            r.partial[(i - 1) / TILE * HIDDEN + u] = (float)tile[u];
        }
    hidden_deltas(sum, out_weight, delta);
    memcpy(r.weight, net.weight, n_weight(net.n_in) * sizeof(float));
    memcpy(r.step, net.step, n_weight(net.n_in) * sizeof(float));
    for (int i = 0; i <= net.n_in; i++)
        for (int u = 0; u < HIDDEN; u++) {
            int at = i * WIDTH + u + 1;
            double step = (double)ETA * delta[u] * net.in[i] + (double)MOMENTUM * net.step[at];

            r.weight[at] = (float)(net.weight[at] + step);
            r.step[at] = (float)step;
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

    workload_compare_f32(w, "partial", got.partial, want.partial, (size_t)n_block(n_in) * HIDDEN,
                         tile);
    workload_compare_f32(w, "weight", got.weight, want.weight, n_weight(n_in), change);
    workload_compare_f32(w, "step", got.step, want.step, n_weight(n_in), change);
}

static struct result result_make(int n_in)
{
    size_t bytes = n_weight(n_in) * sizeof(float);
    struct result r = {(float *)workload_alloc((size_t)n_block(n_in) * HIDDEN * sizeof(float)),
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
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){.unit = "inputs",
                                              .usual = 65536,
                                              .large = 65536,
                                              .least = 1,
                                              .most = 65535 * TILE}); /* a grid's y */
    int n_in = (int)w.size;
    size_t bytes = n_weight(n_in) * sizeof(float);
    struct net net = {n_in, (float *)workload_alloc((n_in + 1) * sizeof(float)),
                      (float *)workload_alloc(bytes), (float *)workload_alloc(bytes)};
    struct result got = result_make(n_in), want = result_make(n_in);
    float out_weight[HIDDEN], largest = 1 / sqrtf((float)n_in);

    for (int i = 0; i <= n_in; i++)
        net.in[i] = i ? workload_float(&w, 0, 1) : 1;
    for (size_t i = 0; i < n_weight(n_in); i++) {
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
