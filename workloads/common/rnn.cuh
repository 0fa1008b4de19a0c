/*
 * rnn.cuh -- what the recurrent DeepBench workloads share: products of flat matrices, gates, input.
 *
 * Matrices are dense and row-major.  Batches have a row per sample; weights have a row per input
 * feature and a column per gate and unit, gate by gate.  All sizes are multiples of the tiles, so
 * that no thread has to ask whether it is inside.
 *
 * Which kernel makes a product is chosen by GPU and size, as for plain matrices (product.cuh).
 * Where a thread may have 255 registers it is one of wide.cuh.  Where it may have 63 it is
 * rnn_product: a thread has 4 x 4 elements of the result in registers, tiles of both operands lie
 * in shared memory twice, and while one pair of tiles is multiplied, in straight-line code, the
 * next is on its way into registers: one branch and one barrier a tile.  A batch makes a flat
 * matrix with few tiles; so the sum over k is split among gridDim.z CTAs, and whoever reads the
 * result adds up its parts.
 */
#ifndef COMMON_RNN_CUH
#define COMMON_RNN_CUH

#include "common/product.cuh"

enum {
    RNN_SPLIT = 4,   /* parts of a step's product by rnn_product */
    RNN_SLACK = 16,  /* rows that its last tile may have beyond a batch */
    RNN_PAD = 4,     /* of a row of a tile: fewer bank conflicts, and still whole float4 */
    RNN_BLOCK = 128, /* threads of a CTA of the kernels that go by element */
};

/* ---- GPU */

/*
 * The part of an operand that a thread brings to the tiles: where it is in memory, and COUNT
 * elements.  ALONG_K: neighbours in memory belong to different k and are stored one by one;
 * otherwise they belong to the same k and move by four.
 */
template <int SIDE, int DEPTH, int THREADS, bool ALONG_K> struct rnn_part;

template <int SIDE, int DEPTH, int THREADS> struct rnn_part<SIDE, DEPTH, THREADS, true> {
    enum { COUNT = SIDE * DEPTH / THREADS, ROWS = THREADS / DEPTH };
    const float *at;
    float v[COUNT];

    __device__ __forceinline__ void begin(const float *from, int pitch)
    {
        at = from + threadIdx.x / DEPTH * pitch + threadIdx.x % DEPTH;
    }

    /* The next DEPTH of k. */
    __device__ __forceinline__ void load(int pitch)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            v[i] = at[i * ROWS * pitch];
        at += DEPTH;
    }

    __device__ __forceinline__ void store(float (*tile)[SIDE + RNN_PAD]) const
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            tile[threadIdx.x % DEPTH][threadIdx.x / DEPTH + i * ROWS] = v[i];
    }
};

template <int SIDE, int DEPTH, int THREADS> struct rnn_part<SIDE, DEPTH, THREADS, false> {
    enum { COUNT = SIDE * DEPTH / THREADS / 4, ROW = SIDE / 4, ROWS = THREADS / ROW };
    const float *at;
    float v[COUNT][4];

    __device__ __forceinline__ void begin(const float *from, int pitch)
    {
        at = from + threadIdx.x / ROW * pitch + threadIdx.x % ROW * 4;
    }

    __device__ __forceinline__ void load(int pitch)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            float4 f = *(const float4 *)&at[i * ROWS * pitch];

            v[i][0] = f.x;
            v[i][1] = f.y;
            v[i][2] = f.z;
            v[i][3] = f.w;
        }
        at += DEPTH * pitch;
    }

    __device__ __forceinline__ void store(float (*tile)[SIDE + RNN_PAD]) const
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            *(float4 *)&tile[threadIdx.x / ROW + i * ROWS][threadIdx.x % ROW * 4] =
                make_float4(v[i][0], v[i][1], v[i][2], v[i][3]);
    }
};

template <int M, int N, int DEPTH>
static __device__ __forceinline__ void
rnn_multiply(float (*a)[M + RNN_PAD], float (*b)[N + RNN_PAD], int row, int column, float (*sum)[4])
{
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        float4 av = *(const float4 *)&a[k][row], bv = *(const float4 *)&b[k][column];
        float ar[4] = {av.x, av.y, av.z, av.w}, br[4] = {bv.x, bv.y, bv.z, bv.w};

#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[i][j] += ar[i] * br[j];
    }
}

/*
 * c[z] = a b over the z-th part of k, where c is m x n.  A_TURNED: a is there as k x m, and
 * B_TURNED: b as n x k.  A CTA has M / 4 * N / 4 threads and makes M x N elements; its part of k
 * has an even number of tiles.
 */
template <int M, int N, int DEPTH, bool A_TURNED, bool B_TURNED>
static __device__ __forceinline__ void rnn_product(const float *a, const float *b, float *c,
                                                   struct gemm_shape s)
{
    enum { THREADS = M / 4 * (N / 4) };
    __shared__ __align__(16) float a_tile[2][DEPTH][M + RNN_PAD], b_tile[2][DEPTH][N + RNN_PAD];
    const int row = threadIdx.x / (N / 4) * 4, column = threadIdx.x % (N / 4) * 4;
    const int m = s.m, n = s.n, n_k = s.n_step * GEMM_STEP;
    const int a_pitch = A_TURNED ? m : n_k, b_pitch = B_TURNED ? n_k : n;
    const int n_tile = n_k / (int)gridDim.z / DEPTH;
    struct rnn_part<M, DEPTH, THREADS, !A_TURNED> a_part;
    struct rnn_part<N, DEPTH, THREADS, B_TURNED> b_part;
    float sum[4][4] = {};

    a += blockIdx.y * M * (A_TURNED ? 1 : n_k) + blockIdx.z * n_tile * DEPTH * (A_TURNED ? m : 1);
    b += blockIdx.x * N * (B_TURNED ? n_k : 1) + blockIdx.z * n_tile * DEPTH * (B_TURNED ? 1 : n);
    c += (blockIdx.z * m + blockIdx.y * M + row) * n + blockIdx.x * N + column;
    a_part.begin(a, a_pitch);
    b_part.begin(b, b_pitch);
    a_part.load(a_pitch);
    b_part.load(b_pitch);
    a_part.store(a_tile[0]);
    b_part.store(b_tile[0]);
    __syncthreads();
    for (int tile = 2;; tile += 2) {
        a_part.load(a_pitch);
        b_part.load(b_pitch);
        rnn_multiply<M, N, DEPTH>(a_tile[0], b_tile[0], row, column, sum);
        a_part.store(a_tile[1]);
        b_part.store(b_tile[1]);
        __syncthreads();
        if (tile == n_tile)
            break;
        a_part.load(a_pitch);
        b_part.load(b_pitch);
        rnn_multiply<M, N, DEPTH>(a_tile[1], b_tile[1], row, column, sum);
        a_part.store(a_tile[0]);
        b_part.store(b_tile[0]);
        __syncthreads();
    }
    rnn_multiply<M, N, DEPTH>(a_tile[1], b_tile[1], row, column, sum);
#pragma unroll
    for (int i = 0; i < 4; i++)
        *(float4 *)&c[i * n] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* How a product is stored: in n parts of `size` elements each, which are to be added. */
struct rnn_parts {
    int n, size;
};

static __device__ __forceinline__ float rnn_sum(const float *part, struct rnn_parts p)
{
    float sum = 0;

    for (int i = 0; i < p.n; i++)
        sum += part[(size_t)i * p.size];
    return sum;
}

static __device__ __forceinline__ float rnn_sigmoid(float x)
{
    return __fdividef(1, 1 + __expf(-x));
}

static __device__ __forceinline__ float rnn_tanh(float x)
{
    return 2 * rnn_sigmoid(2 * x) - 1;
}

/* ---- host */

struct rnn_shape {
    int n_hidden; /* also input features */
    int n_batch, n_step, n_gate;
};

/* Elements of the hidden state of all samples, of that at all steps, of weights, of all gates. */
static size_t rnn_n_state(struct rnn_shape s)
{
    return (size_t)s.n_batch * s.n_hidden;
}

static size_t rnn_n_states(struct rnn_shape s)
{
    return rnn_n_state(s) * s.n_step;
}

static size_t rnn_n_weight(struct rnn_shape s)
{
    return (size_t)s.n_hidden * s.n_gate * s.n_hidden;
}

static size_t rnn_n_gates(struct rnn_shape s)
{
    return rnn_n_states(s) * s.n_gate;
}

static float *rnn_alloc(size_t n)
{
    return (float *)workload_alloc(n * sizeof(float));
}

static float *rnn_random(struct workload *w, size_t n, float limit)
{
    float *v = rnn_alloc(n);

    for (size_t i = 0; i < n; i++)
        v[i] = workload_float(w, -limit, limit);
    return v;
}

/* Device memory of zeros. */
static float *rnn_device(size_t n)
{
    float *d;

    CUDA(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA(cudaMemset(d, 0, n * sizeof *d));
    return d;
}

/* For a product of m rows and n columns: all of its parts, and of each the rows beyond. */
static float *rnn_device_parts(int m, int n)
{
    return rnn_device((size_t)PRODUCT_SPLITS * (m + RNN_SLACK) * n);
}

static float *rnn_upload(const float *from, size_t n)
{
    return (float *)workload_upload(from, n * sizeof *from);
}

/* The product of a step: in parts, which its reader adds up. */
template <int N>
static struct rnn_parts rnn_step(const product_kernel (&table)[N], const float *a, const float *b,
                                 float *c, struct gemm_shape s)
{
    int n_sm, parts = RNN_SPLIT;
    const product_kernel *k = product_choose(table, s.m, s.n, &n_sm);

    if (k == &table[N - 1])
        s.m = product_parts(s.m, k->rows) * k->rows;
    else
        parts = product_splits(product_tiles(k, s.m, s.n), n_sm, s.n_step);
    s.steps = product_parts(s.n_step, parts);
    parts = product_parts(s.n_step, s.steps);
    k->run<<<dim3(product_parts(s.n, k->cols), product_parts(s.m, k->rows), parts), k->threads>>>(
        a, b, c, s);
    CUDA_LAUNCHED();
    return (struct rnn_parts){parts, s.m * s.c_pitch};
}

/* That of all steps at once. */
template <int N>
static void rnn_steps(const product_kernel (&table)[N], const float *a, const float *b, float *c,
                      struct gemm_shape s)
{
    int n_sm;
    const product_kernel *k = product_choose(table, s.m, s.n, &n_sm);

    if (k != &table[N - 1]) {
        product_gpu(table, a, b, c, s);
        return;
    }
    s.m = product_parts(s.m, k->rows) * k->rows;
    s.steps = s.n_step;
    k->run<<<dim3(s.n / k->cols, s.m / k->rows), k->threads>>>(a, b, c, s);
    CUDA_LAUNCHED();
}

static void rnn_download(float *to, const float *from, size_t n)
{
    CUDA(cudaMemcpy(to, from, n * sizeof *to, cudaMemcpyDeviceToHost));
}

/* out += v weights, where weights are n x n_out */
static void rnn_row_cpu(const float *v, const float *weights, float *out, int n, int n_out)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n_out; j++)
            out[j] += v[k] * weights[(size_t)k * n_out + j];
}

static float rnn_sigmoid_cpu(float x)
{
    return 1 / (1 + expf(-x));
}

/* The layer: what it gets and what it has learnt. */
struct rnn_layer {
    float *input;              /* [n_step][n_batch][n_hidden] */
    float *weights, *feedback; /* for the input and for the hidden state: [n_hidden][gates] */
    float *bias;               /* [gates] */
};

static struct rnn_layer rnn_layer_make(struct workload *w, struct rnn_shape s)
{
    float limit = 1 / sqrtf((float)s.n_hidden);
    struct rnn_layer l;

    l.input = rnn_random(w, rnn_n_states(s), 1);
    l.weights = rnn_random(w, rnn_n_weight(s), limit);
    l.feedback = rnn_random(w, rnn_n_weight(s), limit);
    l.bias = rnn_random(w, (size_t)s.n_gate * s.n_hidden, limit);
    return l;
}

static struct rnn_layer rnn_layer_upload(struct rnn_layer l, struct rnn_shape s)
{
    struct rnn_layer d;

    d.input = rnn_device(rnn_n_states(s) + RNN_SLACK * s.n_hidden);
    CUDA(cudaMemcpy(d.input, l.input, rnn_n_states(s) * sizeof(float), cudaMemcpyHostToDevice));
    d.weights = rnn_upload(l.weights, rnn_n_weight(s));
    d.feedback = rnn_upload(l.feedback, rnn_n_weight(s));
    d.bias = rnn_upload(l.bias, (size_t)s.n_gate * s.n_hidden);
    return d;
}

static void rnn_layer_free(struct rnn_layer l)
{
    free(l.input);
    free(l.weights);
    free(l.feedback);
    free(l.bias);
}

static void rnn_layer_free_device(struct rnn_layer l)
{
    CUDA(cudaFree(l.input));
    CUDA(cudaFree(l.weights));
    CUDA(cudaFree(l.feedback));
    CUDA(cudaFree(l.bias));
}

#endif
