/*
 * dwthaar1d -- Haar wavelet decomposition of a signal
 *
 * suite: SDK
 * stresses: shared memory with padded strides, barriers, warps that run out of work
 * papers: buddy
 * kernels: dwt_haar
 * size: 2097152 samples
 * large: 262144 samples
 * odd: 20001
 * tiny: 3001
 * time: 4.1 s
 *
 * The signal is cut into frames of 262144 samples (a short signal is one frame, filled up with
 * zeros to a power of two).  For each frame, dwt_haar runs with 256 blocks of 512 threads: a block
 * takes 1024 samples through ten levels in shared memory, each of which halves them to averages and
 * stores the differences.  It leaves one average; dwt_haar then decomposes these 256 with one block
 * of 128 threads.  The paper's launches are those of one frame: it is `large`, although the default
 * has eight.
 *
 * Samples are noise around zero, so that coefficients are of the order of one on all levels, and
 * each level adds errors of two roundings, or three with the inexact factor: 18 * 3 * 2^-24 < 4e-6
 * of what are a few units at most.
 */
#include "workload.h"

enum {
    FRAME = 1 << 18, /* samples at most */
    BLOCK = 512,
    PER_BLOCK = 2 * BLOCK, /* samples */
    BANKS = 32,
};

#define INV_SQRT_2 0.70710678f

/* Strides are powers of two; skipping a word per row of banks spreads them. */
static __device__ int spread(int i)
{
    return i + i / BANKS;
}

/*
 * Decomposes n samples, a power of two; each block does two per thread.  `out` gets differences,
 * those of the first level in its upper half, of the next in the upper half of the rest, and so on;
 * `average` gets what is left, a value per block.
 */
__global__ void dwt_haar(const float *in, float *out, float *average, int n)
{
    __shared__ float x[PER_BLOCK + PER_BLOCK / BANKS];
    int t = threadIdx.x, first = 2 * blockIdx.x * blockDim.x;

    x[spread(t)] = in[first + t];
    x[spread(t + blockDim.x)] = in[first + t + blockDim.x];
    for (int stride = 1, left = blockDim.x; left > 0; stride *= 2, left /= 2) {
        __syncthreads();
        n /= 2;
        if (t < left) { /* averages stay where their first sample was */
            float a = x[spread(2 * t * stride)], b = x[spread(2 * t * stride + stride)];

            out[n + blockIdx.x * left + t] = (a - b) * INV_SQRT_2;
            x[spread(2 * t * stride)] = (a + b) * INV_SQRT_2;
        }
    }
    if (t == 0)
        average[blockIdx.x] = x[0];
}

/* One frame of n samples on the device; `average` is room for a value per block. */
static void decompose_frame(float *in, float *out, float *average, int n)
{
    while (n > 1) {
        int block = n < PER_BLOCK ? n / 2 : BLOCK, grid = n / (2 * block);

        dwt_haar<<<grid, block>>>(in, out, grid > 1 ? average : out, n);
        CUDA_LAUNCHED();
        in = average;
        n = grid;
    }
}

static void decompose_gpu(const float *signal, float *out, int n_frame, int n)
{
    size_t bytes = (size_t)n_frame * n * sizeof *signal;
    float *d_in = (float *)workload_upload(signal, bytes), *d_out, *d_average;

    CUDA(cudaMalloc((void **)&d_out, bytes));
    CUDA(cudaMalloc((void **)&d_average, FRAME / PER_BLOCK * sizeof *d_average));
    for (int f = 0; f < n_frame; f++)
        decompose_frame(d_in + (size_t)f * n, d_out + (size_t)f * n, d_average, n);
    CUDA(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    CUDA(cudaFree(d_average));
}

/* The reference: level by level, in double. */
static void decompose_cpu(const float *signal, float *out, int n)
{
    double *x = (double *)workload_alloc(n * sizeof *x);

    for (int i = 0; i < n; i++)
        x[i] = signal[i];
    for (n /= 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++) {
            double a = x[2 * i], b = x[2 * i + 1];

            out[n + i] = (float)((a - b) * sqrt(0.5));
            x[i] = (a + b) * sqrt(0.5);
        }
    out[0] = (float)x[0];
    free(x);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "samples", .usual = 1 << 21, .large = FRAME, .least = 2, .most = 1 << 24});
    int n = 2;

    while (n < FRAME && n < w.size)
        n *= 2;

    int n_frame = (int)((w.size + n - 1) / n);
    size_t n_sample = (size_t)n_frame * n;
    float *signal = (float *)workload_alloc(n_sample * sizeof *signal);
    float *got = (float *)workload_alloc(n_sample * sizeof *got);
    float *want = (float *)workload_alloc(n_sample * sizeof *want);

    for (long i = 0; i < w.size; i++)
        signal[i] = workload_float(&w, -1, 1);
    decompose_gpu(signal, got, n_frame, n);
    for (int f = 0; f < n_frame; f++)
        decompose_cpu(signal + (size_t)f * n, want + (size_t)f * n, n);
    workload_compare_f32(&w, "out", got, want, n_sample, 1e-5f);

    free(signal);
    free(got);
    free(want);
    return workload_end(&w);
}
