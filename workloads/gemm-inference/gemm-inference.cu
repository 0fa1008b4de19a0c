/*
 * gemm-inference -- products of a big matrix of weights and a few columns
 *
 * suite: DeepBench
 * stresses: streaming of weights into registers, fused multiply-add in straight code, broadcasts
 * papers: socgpu
 * kernels: gemm_inference_16, gemm_inference_sum, gemm_inference_4
 * size: 1536 inputs
 * large: 2048 inputs
 * odd: 257
 * tiny: 9
 * time: 5.7 s
 *
 * Y = W X with 16 and then with 4 columns, DeepBench's 5124 x n x 2048; other sizes keep the ratio.
 * Every weight is used by one thread only, so weights, which are packed in advance, go from memory
 * straight into registers, four steps ahead of their use; X, which all threads read, goes through
 * shared memory, double buffered.  A thread has 2 x 16 or 4 x 4 elements of Y.  As these are few,
 * eight CTAs share them: each takes an eighth of the common dimension, and gemm_inference_sum adds
 * the parts.  With 16 columns arithmetic limits the speed, with 4 the memory.
 *
 * Values are multiples of 1/32 in -1..1.  A product is a multiple of 2^-10 and a sum of up to 2^14
 * of them fits a float: nothing is rounded, and the comparison is exact.
 */
#include "workload.h"

enum {
    BLOCK = 64,
    SPLITS = 8,
    WIDE = 16,     /* columns.. */
    WIDE_ROWS = 2, /* ..and the rows of a thread for these */
    NARROW = 4,
    NARROW_ROWS = 4,
    GROUP = 4,                            /* steps of k whose weights are loaded together */
    UNROLL = 2 * GROUP,                   /* steps of k without a branch */
    K_UNIT = SPLITS * BLOCK * 4 / NARROW, /* k is padded to a multiple of this, */
    M_UNIT = BLOCK * NARROW_ROWS,         /* and m to one of this */
};

/*
 * The weights of GROUP steps, ROWS rows each, one access a step.  The loads are written out so that
 * they stay where they are: ahead of the arithmetic of the group before.
 */
template <int ROWS> struct weights {
    float v[GROUP][ROWS];

    __device__ __forceinline__ void fetch(const float *from)
    {
#pragma unroll
        for (int k = 0; k < GROUP; k++)
            load(v[k], from + k * (BLOCK * ROWS));
    }
    static __device__ __forceinline__ void load(float (&to)[4], const float *from)
    {
        asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                     : "l"(from));
    }
    static __device__ __forceinline__ void load(float (&to)[2], const float *from)
    {
        asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "l"(from));
    }
};

/* sum += w x, for one step; x is the same for all threads. */
template <int ROWS, int COLS>
static __device__ __forceinline__ void multiply(const float (&w)[ROWS], const float4 *x,
                                                float (&sum)[COLS][ROWS])
{
#pragma unroll
    for (int j = 0; j < COLS; j += 4) {
        float4 four = x[j / 4];
        float column[4] = {four.x, four.y, four.z, four.w};

#pragma unroll
        for (int c = 0; c < 4; c++)
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                sum[j + c][i] += w[i] * column[c];
    }
}

template <int ROWS> static __device__ __forceinline__ void write(float *to, const float (&v)[ROWS])
{
    if (ROWS == 4)
        *(float4 *)to = make_float4(v[0], v[1], v[2], v[ROWS - 1]);
    else
        *(float2 *)to = make_float2(v[0], v[1]);
}

/*
 * A CTA's rows of Y, [COLS][pitch], and its part of k: `n_k` steps.  X is [k][COLS]; a chunk of it
 * has one float4 for each thread.  W is packed as the CTAs want it: [m / panel][k][panel].
 */
template <int ROWS, int COLS>
static __device__ __forceinline__ void skinny(const float *weight, const float *x, float *part,
                                              int pitch, int n_k)
{
    const int chunk = BLOCK * 4 / COLS, panel = BLOCK * ROWS;
    __shared__ float4 tile[2][BLOCK];
    int row = (blockIdx.x * BLOCK + threadIdx.x) * ROWS;
    const float *from =
        weight + (size_t)(blockIdx.x * gridDim.y + blockIdx.y) * n_k * panel + threadIdx.x * ROWS;
    const float4 *x_from = (const float4 *)(x + (size_t)blockIdx.y * n_k * COLS) + threadIdx.x;
    float sum[COLS][ROWS] = {{0}};
    weights<ROWS> now, next;

    now.fetch(from);
    tile[0][threadIdx.x] = __ldg(x_from);
    __syncthreads();
    for (int at = 0; at < n_k; at += chunk) {
        int half = at / chunk % 2;
        float4 x_next;

        x_from += BLOCK;
        x_next = __ldg(x_from);
#pragma unroll 1
        for (int k = 0; k < chunk; k += UNROLL) {
#pragma unroll
            for (int u = 0; u < UNROLL; u += GROUP) {
                next.fetch(from + (u + GROUP) * panel);
#pragma unroll
                for (int g = 0; g < GROUP; g++)
                    multiply(now.v[g], &tile[half][(k + u + g) * (COLS / 4)], sum);
                now = next;
            }
            from += UNROLL * panel;
        }
        tile[!half][threadIdx.x] = x_next;
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < COLS; j++)
        write(part + ((size_t)blockIdx.y * COLS + j) * pitch + row, sum[j]);
}

__global__ void gemm_inference_16(const float *weight, const float *x, float *part, int pitch,
                                  int n_k)
{
    skinny<WIDE_ROWS, WIDE>(weight, x, part, pitch, n_k);
}

__global__ void gemm_inference_4(const float *weight, const float *x, float *part, int pitch,
                                 int n_k)
{
    skinny<NARROW_ROWS, NARROW>(weight, x, part, pitch, n_k);
}

/* A thread adds the parts of 4 elements, which lie n elements apart. */
__global__ void gemm_inference_sum(const float4 *part, float4 *y, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 sum = part[i];

#pragma unroll
    for (int split = 1; split < SPLITS; split++) {
        float4 v = part[(size_t)split * (n / 4) + i];

        sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    }
    y[i] = sum;
}

/* Kernels load ahead: the buffers hold a group of weights, and a chunk of X, more. */
static size_t weights_ahead(int m, int k, int panel)
{
    return (size_t)k * m + GROUP * panel;
}

static size_t x_ahead(int k, int cols)
{
    return (size_t)k * cols + BLOCK * 4;
}

static int rows_of_thread(int cols)
{
    return cols == WIDE ? WIDE_ROWS : NARROW_ROWS;
}

/* Y [cols][m] for packed weights and X [k][cols]; `m` and `k` as padded. */
static void infer_gpu(const float *packed, const float *x, float *y, int m, int k, int cols)
{
    int panel = BLOCK * rows_of_thread(cols);
    size_t y_bytes = (size_t)cols * m * sizeof(float);
    float *weight = (float *)workload_upload(packed, weights_ahead(m, k, panel) * sizeof(float));
    float *d_x = (float *)workload_upload(x, x_ahead(k, cols) * sizeof(float)), *d_y, *part;
    dim3 grid(m / panel, SPLITS);

    CUDA(cudaMalloc((void **)&d_y, y_bytes));
    CUDA(cudaMalloc((void **)&part, SPLITS * y_bytes));
    if (cols == WIDE)
        gemm_inference_16<<<grid, BLOCK>>>(weight, d_x, part, m, k / SPLITS);
    else
        gemm_inference_4<<<grid, BLOCK>>>(weight, d_x, part, m, k / SPLITS);
    CUDA_LAUNCHED();
    gemm_inference_sum<<<cols * m / (BLOCK * 4), BLOCK>>>((float4 *)part, (float4 *)d_y, cols * m);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(weight));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(part));
}

/* Y [cols][m] for weights [k][m]. */
static void infer_cpu(const float *weight, const float *x, float *y, int m, int k, int cols)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < cols; j++)
            for (int row = 0; row < m; row++)
                y[(size_t)j * m + row] += weight[(size_t)i * m + row] * x[(size_t)i * cols + j];
}

/* `rows` x `cols` values in `size`; what pads them stays 0. */
static float *matrix_make(struct workload *w, int rows, int cols, int pitch, size_t size)
{
    float *m = (float *)workload_alloc(size * sizeof *m);

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[(size_t)i * pitch + j] = ((int)workload_below(w, 65) - 32) / 32.0f;
    return m;
}

static float *pack(const float *weight, int m, int k, int panel)
{
    float *packed = (float *)workload_alloc(weights_ahead(m, k, panel) * sizeof *packed);
    float *to = packed;

    for (int row = 0; row < m; row += panel)
        for (int i = 0; i < k; i++, to += panel)
            memcpy(to, weight + (size_t)i * m + row, panel * sizeof *to);
    return packed;
}

static void infer(struct workload *w, const char *what, int cols)
{
    int n_in = (int)w->size, n_out = n_in * 5 / 2 + 4;
    int m = (n_out + M_UNIT - 1) / M_UNIT * M_UNIT, k = (n_in + K_UNIT - 1) / K_UNIT * K_UNIT;
    float *weight = matrix_make(w, n_in, n_out, m, (size_t)k * m);
    float *packed = pack(weight, m, k, BLOCK * rows_of_thread(cols));
    float *x = matrix_make(w, n_in, cols, cols, x_ahead(k, cols));
    float *got = matrix_make(w, 0, 0, 0, (size_t)cols * m);
    float *want = matrix_make(w, 0, 0, 0, (size_t)cols * m);

    infer_gpu(packed, x, got, m, k, cols);
    infer_cpu(weight, x, want, m, k, cols);
    workload_compare_f32(w, what, got, want, (size_t)cols * m, 0);
    free(weight);
    free(packed);
    free(x);
    free(got);
    free(want);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "inputs", .usual = 1536, .large = 2048, .least = 1, .most = 8192});

    infer(&w, "y of 16 columns", WIDE);
    infer(&w, "y of 4 columns", NARROW);
    return workload_end(&w);
}
