/*
 * histogram -- counts how often each of 256 values occurs
 *
 * stresses: atomics in shared memory, lanes that collide
 * papers: buddy, share
 * kernels: count_bytes, merge_counts
 * size: 16777216 bytes
 * time: 0.2 s
 *
 * 240 blocks of 192 threads walk over the bytes, four at a time.  Each 32 threads of a block count
 * in a histogram of their own in shared memory, by atomic additions, so that fewer threads meet;
 * then the block adds its six up and writes one to global memory.  The second kernel adds up the
 * blocks' histograms, one block for each bin.  The input is a bell, as in a picture: values in the
 * middle are about three times as frequent as in a uniform one.
 */
#include "workload.h"

#define BINS 256
#define SHARERS 32 /* threads that share a histogram */
#define COPIES 6
#define THREADS (COPIES * SHARERS)
#define BLOCKS 240
#define MERGE_THREADS 128

__global__ void count_bytes(const unsigned *words, int n_word, unsigned *partial)
{
    __shared__ unsigned counts[COPIES][BINS];
    unsigned *mine = counts[threadIdx.x / SHARERS];

    for (int i = threadIdx.x; i < COPIES * BINS; i += THREADS)
        counts[i / BINS][i % BINS] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n_word; i += gridDim.x * THREADS) {
        unsigned four = words[i];

        atomicAdd(&mine[four & 255], 1u);
        atomicAdd(&mine[four >> 8 & 255], 1u);
        atomicAdd(&mine[four >> 16 & 255], 1u);
        atomicAdd(&mine[four >> 24], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned sum = 0;

        for (int k = 0; k < COPIES; k++)
            sum += counts[k][bin];
        partial[blockIdx.x * BINS + bin] = sum;
    }
}

/* Block b adds up bin b of all partial histograms. */
__global__ void merge_counts(const unsigned *partial, int n_partial, int *histogram)
{
    __shared__ unsigned sums[MERGE_THREADS];
    int t = threadIdx.x;
    unsigned sum = 0;

    for (int i = t; i < n_partial; i += MERGE_THREADS)
        sum += partial[i * BINS + blockIdx.x];
    sums[t] = sum;
    for (int half = MERGE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        histogram[blockIdx.x] = (int)sums[0];
}

/* A last word that is not full is filled up with zeros, which are taken off the result again. */
static void count_on_gpu(const unsigned char *bytes, int n, int *histogram)
{
    int n_word = (n + 3) / 4;
    unsigned *words, *partial;
    int *d_histogram;

    CUDA(cudaMalloc((void **)&words, n_word * 4));
    CUDA(cudaMalloc((void **)&partial, BLOCKS * BINS * sizeof(unsigned)));
    CUDA(cudaMalloc((void **)&d_histogram, BINS * sizeof(int)));
    CUDA(cudaMemset(words + n_word - 1, 0, 4));
    CUDA(cudaMemcpy(words, bytes, n, cudaMemcpyHostToDevice));
    count_bytes<<<BLOCKS, THREADS>>>(words, n_word, partial);
    CUDA_LAUNCHED();
    merge_counts<<<BINS, MERGE_THREADS>>>(partial, BLOCKS, d_histogram);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(histogram, d_histogram, BINS * sizeof(int), cudaMemcpyDeviceToHost));
    histogram[0] -= n_word * 4 - n;
    CUDA(cudaFree(words));
    CUDA(cudaFree(partial));
    CUDA(cudaFree(d_histogram));
}

/* The mean of the four bytes of a random word: a bell around 127. */
static unsigned char next_byte(struct workload *w)
{
    unsigned r = workload_u32(w);

    return (unsigned char)(((r & 255) + (r >> 8 & 255) + (r >> 16 & 255) + (r >> 24)) / 4);
}

int main(int argc, char **argv)
{
    struct workload_size sizes = {"bytes", 1 << 24, 1, 1 << 28, 0};
    struct workload w = workload_begin(argc, argv, sizes);
    int n = (int)w.size;
    unsigned char *bytes = (unsigned char *)workload_alloc(n);
    int got[BINS], want[BINS] = {0};

    for (int i = 0; i < n; i++) {
        bytes[i] = next_byte(&w);
        want[bytes[i]]++;
    }
    count_on_gpu(bytes, n, got);
    workload_compare_i32(&w, "histogram", got, want, BINS);
    free(bytes);
    return workload_end(&w);
}
