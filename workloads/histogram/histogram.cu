/*
 * histogram -- counts how often each value occurs in an image, in 64 and in 256 bins
 *
 * suite: SDK
 * stresses: shared memory with 1-byte accesses, atomics, lanes that collide, tree reductions
 * papers: buddy
 * kernels: histogram_64, histogram_64_merge, histogram_256, histogram_256_merge
 * size: 2097152 bytes
 * large: 67108864 bytes
 * odd: 20011
 * tiny: 1003
 * time: 5.9 s
 *
 * histogram_64: each of a block's 64 threads has its own counters, single bytes in shared memory,
 * and so counts no more than 240 pixels; then a thread adds up a bin of all threads.
 * histogram_256: there is no room for that; 32 threads share counters, six such groups a block, and
 * a thread whose counter was changed by another while it added has to try again, so that lanes with
 * equal pixels go one by one.  Both write a histogram a block to global memory; the merging kernels
 * add these up, a block of 256 threads for each bin, in a tree.  As in the SDK, each histogram is
 * made to warm up and then once more.
 *
 * Table II of the Buddy SM paper has 2 launches each of 18 blocks of 64 threads (one for each 15360
 * bytes), 64 of 256, 240 of 192 and 256 of 256: --size 262144.  That is a fraction of a second, so
 * the default has eight times the bytes; `large` is the SDK's own size.
 *
 * Neighbouring pixels of an image are alike, which is what makes lanes collide: so is the input, a
 * walk up and down with a few edges.  Counts are whole numbers: the comparison is exact.
 */
#include "workload.h"

enum {
    THREADS_64 = 64,
    WORDS_64 = 60, /* a thread's, of 4 pixels each: no byte of its counters overflows */
    PER_BLOCK_64 = THREADS_64 * WORDS_64,
    GROUP = 32, /* threads that share a histogram of 256 bins */
    GROUPS = 6,
    THREADS_256 = GROUPS * GROUP,
    MAX_BLOCKS_256 = 240, /* more pixels than threads: each thread counts several words */
    MERGE_THREADS = 256,
};

/* The upper six bits of each of the word's four pixels; `counters` has THREADS_64 bytes a bin. */
static __device__ void count_64(unsigned char *counters, unsigned word)
{
    for (int shift = 2; shift < 32; shift += 8)
        counters[(word >> shift & 63) * THREADS_64]++;
}

__global__ void histogram_64(const unsigned *words, int n_word, unsigned *partial)
{
    __shared__ unsigned counters[64][THREADS_64 / 4]; /* [bin], four threads' bytes a word */
    int t = threadIdx.x;
    int first = blockIdx.x * PER_BLOCK_64, end = min(first + PER_BLOCK_64, n_word);
    unsigned sum = 0;

    for (int i = 0; i < THREADS_64 / 4; i++)
        counters[i * 4 + t / 16][t % 16] = 0;
    __syncthreads();
    /* Thread t has byte t / 16 of word t % 16: 16 neighbours use different banks. */
    for (int i = first + t; i < end; i += THREADS_64)
        count_64((unsigned char *)counters + t % 16 * 4 + t / 16, words[i]);
    __syncthreads();
    for (int i = 0; i < THREADS_64 / 4; i++) {
        unsigned four = counters[t][(i + t) % 16]; /* each thread begins at another bank */

        sum += (four & 255) + (four >> 8 & 255) + (four >> 16 & 255) + (four >> 24);
    }
    partial[blockIdx.x * 64 + t] = sum;
}

/* Adds one to a counter that others change, too. */
static __device__ void increment(unsigned *counter)
{
    unsigned seen;

    do
        seen = *(volatile unsigned *)counter;
    while (atomicCAS(counter, seen, seen + 1) != seen);
}

__global__ void histogram_256(const unsigned *words, int n_word, unsigned *partial)
{
    __shared__ unsigned counters[GROUPS][256];
    unsigned *mine = counters[threadIdx.x / GROUP];

    for (int i = threadIdx.x; i < GROUPS * 256; i += THREADS_256)
        counters[i / 256][i % 256] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS_256 + threadIdx.x; i < n_word; i += gridDim.x * THREADS_256)
        for (int shift = 0; shift < 32; shift += 8)
            increment(&mine[words[i] >> shift & 255]);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += THREADS_256) {
        unsigned sum = 0;

        for (int g = 0; g < GROUPS; g++)
            sum += counters[g][bin];
        partial[blockIdx.x * 256 + bin] = sum;
    }
}

/* Block b adds up bin b of all partial histograms; there are as many bins as blocks. */
static __device__ void merge_bin(const unsigned *partial, int n_partial, unsigned *histogram)
{
    __shared__ unsigned sums[MERGE_THREADS];
    int t = threadIdx.x;
    unsigned sum = 0;

    for (int i = t; i < n_partial; i += MERGE_THREADS)
        sum += partial[i * gridDim.x + blockIdx.x];
    sums[t] = sum;
    for (int half = MERGE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        histogram[blockIdx.x] = sums[0];
}

__global__ void histogram_64_merge(const unsigned *partial, int n_partial, unsigned *histogram)
{
    merge_bin(partial, n_partial, histogram);
}

__global__ void histogram_256_merge(const unsigned *partial, int n_partial, unsigned *histogram)
{
    merge_bin(partial, n_partial, histogram);
}

static int blocks_64(int n_word)
{
    return (n_word + PER_BLOCK_64 - 1) / PER_BLOCK_64;
}

static int blocks_256(int n_word)
{
    int blocks = (n_word + THREADS_256 - 1) / THREADS_256;

    return blocks < MAX_BLOCKS_256 ? blocks : MAX_BLOCKS_256;
}

/* A histogram of 64 bins, then one of 256, each twice. */
static void count_words(const unsigned *words, int n_word, unsigned *partial, unsigned *bins_64,
                        unsigned *bins_256)
{
    int blocks = blocks_64(n_word);

    for (int i = 0; i < 2; i++) {
        histogram_64<<<blocks, THREADS_64>>>(words, n_word, partial);
        CUDA_LAUNCHED();
        histogram_64_merge<<<64, MERGE_THREADS>>>(partial, blocks, bins_64);
        CUDA_LAUNCHED();
    }
    blocks = blocks_256(n_word);
    for (int i = 0; i < 2; i++) {
        histogram_256<<<blocks, THREADS_256>>>(words, n_word, partial);
        CUDA_LAUNCHED();
        histogram_256_merge<<<256, MERGE_THREADS>>>(partial, blocks, bins_256);
        CUDA_LAUNCHED();
    }
}

/* A last word that is not full is filled up with zeros, which are taken off the results again. */
static void count_on_gpu(const unsigned char *bytes, int n, unsigned *bins_64, unsigned *bins_256)
{
    int n_word = (n + 3) / 4;
    size_t n_partial = (size_t)blocks_64(n_word) * 64 + (size_t)blocks_256(n_word) * 256;
    unsigned *words, *partial, *bins;

    CUDA(cudaMalloc((void **)&words, (size_t)n_word * 4));
    CUDA(cudaMalloc((void **)&partial, n_partial * sizeof(unsigned)));
    CUDA(cudaMalloc((void **)&bins, (64 + 256) * sizeof(unsigned)));
    CUDA(cudaMemset(words + n_word - 1, 0, 4));
    CUDA(cudaMemcpy(words, bytes, n, cudaMemcpyHostToDevice));
    count_words(words, n_word, partial, bins, bins + 64);
    CUDA(cudaMemcpy(bins_64, bins, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(bins_256, bins + 64, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost));
    bins_64[0] -= n_word * 4 - n;
    bins_256[0] -= n_word * 4 - n;
    CUDA(cudaFree(words));
    CUDA(cudaFree(partial));
    CUDA(cudaFree(bins));
}

/* From pixel to pixel at most 3 shades up or down; every 64th or so any shade, an edge. */
static void image_make(struct workload *w, unsigned char *bytes, int n)
{
    int shade = 128;

    for (int i = 0; i < n; i++) {
        unsigned r = workload_u32(w);

        shade = r % 64 ? shade + (int)(r >> 8) % 7 - 3 : (int)(r >> 24);
        shade = shade < 0 ? 0 : shade > 255 ? 255 : shade;
        bytes[i] = (unsigned char)shade;
    }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "bytes", .usual = 1 << 21, .large = 1 << 26, .least = 1, .most = 1 << 28});
    int n = (int)w.size;
    unsigned char *bytes = (unsigned char *)workload_alloc(n);
    unsigned got_64[64], got_256[256], want_64[64] = {0}, want_256[256] = {0};

    image_make(&w, bytes, n);
    for (int i = 0; i < n; i++) {
        want_64[bytes[i] / 4]++;
        want_256[bytes[i]]++;
    }
    count_on_gpu(bytes, n, got_64, got_256);
    workload_compare_u32(&w, "64 bins", got_64, want_64, 64);
    workload_compare_u32(&w, "256 bins", got_256, want_256, 256);
    free(bytes);
    return workload_end(&w);
}
