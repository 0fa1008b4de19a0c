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
 * mix: 4096
 * time: 5.5 s
 *
 * Many inputs and a bias, 16 hidden units, one output, sigmoids.  backprop_forward: a block of 16 x
 * 16 threads multiplies 16 inputs with their weights and sums over the inputs in shared memory, in
 * a tree whose active rows get further and further apart; the host adds the blocks' sums and the
 * bias, finishes the tiny rest of the network and computes the hidden units' errors.
 * backprop_adjust: moves each weight between inputs and hidden units against its error, with
 * momentum.
 *
 * Block, grid (1 x 4096), the number of inputs and the layout of the weights, in rows of 17, are
 * Rodinia's, and so is how the kernels compute: the tree's strides are powers of two by the special
 * function unit, a block's tree is left where its weights were, so that the host has to upload
 * these anew, and the rates of learning are double, so that the steps are too.  A number of inputs
 * that is no multiple of 16 is filled up with inputs that are 0.
 */
#include "workload.h"

enum {
    HIDDEN = 16,
    TILE = 16,          /* a block is TILE inputs x HIDDEN units */
    WIDTH = HIDDEN + 1, /* of a row of weights: its first element is not used */
};

#define ETA 0.3 /* double, and so is what is computed with it */
#define MOMENTUM 0.3

/* The network, on the host or on the device.  Input 0 is the bias and always 1. */
struct net {
    int n_in;      /* without the bias; a multiple of TILE */
    float *in;     /* [n_in + 1] */
    float *weight; /* [n_in + 1][WIDTH] */
    float *step;   /* [n_in + 1][WIDTH]: the last change of each weight */
};

/* What one training step gives. */
struct result {
    float *partial; /* [blocks][HIDDEN] */
    float *tree;    /* [n_in + 1][WIDTH]: what backprop_forward leaves of the weights */
    float *weight, *step;
};

/* A row of the tree adds the one half a stride below to itself if it is a multiple of the stride. */
__global__ void backprop_forward(struct net net, float *partial, int n_hidden)
{
    __shared__ float in[TILE];
    __shared__ float product[TILE][HIDDEN];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * TILE + y + 1;
    int at = (n_hidden + 1) * i + x + 1;

    if (x == 0)
        in[y] = net.in[i];
    __syncthreads();
    product[y][x] = net.weight[at];
    __syncthreads();
    product[y][x] *= in[y];
    __syncthreads();
    for (int level = 1; level <= __log2f(TILE); level++) {
        int stride = (int)__powf(2, level);

        if (y % stride == 0)
            product[y][x] += product[y + stride / 2][x];
        __syncthreads();
    }
    net.weight[at] = product[y][x];
    __syncthreads();
    if (x == 0)
        partial[blockIdx.y * n_hidden + y] = product[x][y];
}

__global__ void backprop_adjust(struct net net, const float *delta, int n_hidden)
{
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * TILE + y + 1;
    int at = (n_hidden + 1) * i + x + 1;

    net.weight[at] += ETA * delta[x] * net.in[i] + MOMENTUM * net.step[at];
    net.step[at] = ETA * delta[x] * net.in[i] + MOMENTUM * net.step[at];
    __syncthreads();
    if (y == 0 && blockIdx.y == 0) { /* the bias */
        net.weight[x + 1] += ETA * delta[x] + MOMENTUM * net.step[x + 1];
        net.step[x + 1] = ETA * delta[x] + MOMENTUM * net.step[x + 1];
    }
}

static int n_block(int n_in)
{
    return n_in / TILE;
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
    backprop_forward<<<grid, block>>>(d, d_partial, HIDDEN);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(r.partial, d_partial, partial_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.tree, d.weight, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(d.weight, net.weight, bytes, cudaMemcpyHostToDevice));
    for (int u = 0; u < HIDDEN; u++)
        sum[u] = net.weight[u + 1];
    for (int i = 0; i < n_block(net.n_in) * HIDDEN; i++)
        sum[i % HIDDEN] += r.partial[i];
    hidden_deltas(sum, out_weight, delta);
    for (int u = 0; u < HIDDEN; u++)
        f_delta[u] = (float)delta[u];

    float *d_delta = (float *)workload_upload(f_delta, sizeof f_delta);

    backprop_adjust<<<grid, block>>>(d, d_delta, HIDDEN);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(r.weight, d.weight, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.step, d.step, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.in));
    CUDA(cudaFree(d.weight));
    CUDA(cudaFree(d.step));
    CUDA(cudaFree(d_partial));
    CUDA(cudaFree(d_delta));
}

/* A block's tree for unit u, whose root is its sum: from the leaves, all in double. */
static double tree_cpu(struct net net, int block, int u, float *tree)
{
    double sum[TILE];

    for (int y = 0; y < TILE; y++) {
        int i = block * TILE + y + 1;

        sum[y] = (double)net.in[i] * net.weight[i * WIDTH + u + 1];
    }
    for (int stride = 2; stride <= TILE; stride *= 2)
        for (int y = 0; y < TILE; y += stride)
            sum[y] += sum[y + stride / 2];
    for (int y = 0; y < TILE; y++)
        tree[(block * TILE + y + 1) * WIDTH + u + 1] = (float)sum[y];
    return sum[0];
}

/* The reference: all in double. */
static void train_cpu(struct net net, const float *out_weight, struct result r)
{
    double sum[HIDDEN], delta[HIDDEN];

    memcpy(r.tree, net.weight, n_weight(net.n_in) * sizeof(float));
    for (int u = 0; u < HIDDEN; u++) {
        sum[u] = net.weight[u + 1];
        for (int b = 0; b < n_block(net.n_in); b++) {
            double tile = tree_cpu(net, b, u, r.tree);

            sum[u] += tile;
            r.partial[b * HIDDEN + u] = (float)tile;
        }
    }
    hidden_deltas(sum, out_weight, delta);
    memcpy(r.weight, net.weight, n_weight(net.n_in) * sizeof(float));
    memcpy(r.step, net.step, n_weight(net.n_in) * sizeof(float));
    for (int i = 0; i <= net.n_in; i++)
        for (int u = 0; u < HIDDEN; u++) {
            int at = i * WIDTH + u + 1;
            double step = ETA * delta[u] * net.in[i] + MOMENTUM * net.step[at];

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
    float change = (float)ETA * sum / 32 + 4 * unit;

    workload_compare_f32(w, "partial", got.partial, want.partial, (size_t)n_block(n_in) * HIDDEN,
                         tile);
    workload_compare_f32(w, "tree", got.tree, want.tree, n_weight(n_in), tile);
    workload_compare_f32(w, "weight", got.weight, want.weight, n_weight(n_in), change);
    workload_compare_f32(w, "step", got.step, want.step, n_weight(n_in), change);
}

static struct result result_make(int n_in)
{
    size_t bytes = n_weight(n_in) * sizeof(float);
    struct result r = {(float *)workload_alloc((size_t)n_block(n_in) * HIDDEN * sizeof(float)),
                       (float *)workload_alloc(bytes), (float *)workload_alloc(bytes),
                       (float *)workload_alloc(bytes)};

    return r;
}

static void result_free(struct result r)
{
    free(r.partial);
    free(r.tree);
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
    int n_real = (int)w.size, n_in = (n_real + TILE - 1) / TILE * TILE;
    size_t bytes = n_weight(n_in) * sizeof(float);
    struct net net = {n_in, (float *)workload_alloc((n_in + 1) * sizeof(float)),
                      (float *)workload_alloc(bytes), (float *)workload_alloc(bytes)};
    struct result got = result_make(n_in), want = result_make(n_in);
    float out_weight[HIDDEN], largest = 1 / sqrtf((float)n_in);

    net.in[0] = 1;
    for (int i = 1; i <= n_real; i++)
        net.in[i] = workload_float(&w, 0, 1);
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
