/*
 * histo -- histogram with many bins that count up to 255, of an image whose values are mostly close
 *
 * suite: Parboil
 * stresses: shared and global atomics, shared memory capacity, registers, barriers
 * papers: share
 * kernels: histo_prescan, histo_intermediates, histo_main, histo_final
 * size: 768 pixels of width
 * large: 996 pixels of width
 * odd: 62
 * tiny: 4
 * time: 3.2 s
 *
 * The image has 996 : 1040 format, and the histogram 1024 bins per pixel of width, in ranges that
 * fit into a block's shared memory with a byte per bin: 12 KB, so that GPUs with 16 KB do.  (The
 * original takes 24 KB where there are 48.)  A round is four launches, as in the original.
 * histo_prescan, 64 blocks of 512 threads, samples an eighth of the image and finds the ranges that
 * are within four deviations of the mean.  histo_intermediates, a thread per two pixels of a row
 * and 16 rows a block, works out where each pixel is counted: range, word, byte.  histo_main, 14
 * blocks of 512 threads for each of the ranges found, counts the pixels of its range in shared
 * memory, four counters to a word; the few pixels outside of all these ranges are counted in global
 * memory.  histo_final, 42 blocks of 512 threads, adds it all up and cuts it off at 255.  --rounds
 * repeats all this; the suite has 20 and more.
 *
 * Counts do not depend on the order of the atomic additions, so the result is unique.
 */
#include "workload.h"

enum {
    PRESCAN_BLOCKS = 64,
    PRESCAN_THREADS = 512,
    SAMPLED = 8, /* one of so many pixels is looked at by histo_prescan */
    ROWS = 16,   /* of a block of histo_intermediates */
    UNROLL = 4,  /* rows whose loads go out together */
    MAIN_BLOCKS = 14,
    MAIN_THREADS = 512,
    FINAL_BLOCKS = 42,
    FINAL_THREADS = 512,
    MOST = 255,             /* of a counter */
    RANGE_WORDS = 12 * 256, /* of counters in shared memory: 12 KB */
    RANGE_BINS = 4 * RANGE_WORDS,
    LARGE = 996,
};

/* Ranges, first and last, that are counted in shared memory. */
struct ranges {
    int first, last;
};

/* The sum over a block of PRESCAN_THREADS threads. */
static __device__ float block_sum(float value)
{
    __shared__ float partial[PRESCAN_THREADS];
    int t = threadIdx.x;
    float sum;

    partial[t] = value;
    __syncthreads();
    for (int half = PRESCAN_THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            partial[t] += partial[t + half];
        __syncthreads();
    }
    sum = partial[0];
    __syncthreads();
    return sum;
}

__global__ void histo_prescan(const unsigned *pixels, int n_pixel, int n_bin, struct ranges *ranges)
{
    int share = n_pixel / gridDim.x, n_sample = max(share / SAMPLED, 1);
    float sum = 0, mean, deviation;

    pixels += blockIdx.x * share;
    for (int i = threadIdx.x; i < n_sample; i += PRESCAN_THREADS)
        sum += pixels[i];
    mean = block_sum(sum) / n_sample;
    sum = 0;
    for (int i = threadIdx.x; i < n_sample; i += PRESCAN_THREADS)
        sum += (pixels[i] - mean) * (pixels[i] - mean);
    deviation = sqrtf(block_sum(sum) / n_sample);
    if (threadIdx.x == 0) {
        atomicMin(&ranges->first, (int)fmaxf(mean - 4 * deviation, 0) / RANGE_BINS);
        atomicMax(&ranges->last, (int)fminf(mean + 4 * deviation, n_bin - 1) / RANGE_BINS);
    }
}

/* Where a bin is: its word in the low half, then the range and the shift of the bin's byte. */
static __device__ unsigned place_of(unsigned bin)
{
    unsigned range = bin / RANGE_BINS, shift = bin % 4 * 8;

    return bin % RANGE_BINS / 4 | range << 16 | shift << 24;
}

/* Pixels and places in pairs, UNROLL rows at a time; the image is filled up to whole blocks. */
__global__ void histo_intermediates(const uint2 *__restrict__ pixels, uint2 *__restrict__ places)
{
    int at = blockIdx.x * ROWS * blockDim.x + threadIdx.x;

#pragma unroll 1
    for (int row = 0; row < ROWS; row += UNROLL) {
        uint2 pair[UNROLL];

#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            pair[i] = pixels[at + i * blockDim.x];
#pragma unroll
        for (int i = 0; i < UNROLL; i++, at += blockDim.x)
            places[at] = make_uint2(place_of(pair[i].x), place_of(pair[i].y));
    }
}

/*
 * Counts in a byte of a word.  If that and perhaps some bytes after it were full, the addition has
 * carried from each of them to the next one: a full one lost 256 and the next has one too many,
 * which is made good in the histogram in global memory.
 */
static __device__ void count_local(unsigned *word, int shift, unsigned *counted)
{
    unsigned old = atomicAdd(word, 1u << shift);

    while ((old >> shift & MOST) == MOST) {
        atomicAdd(counted++, MOST + 1);
        shift += 8;
        if (shift == 32)
            break;
        atomicSub(counted, 1);
    }
}

__global__ void histo_main(const unsigned *places, int n_pixel, struct ranges ranges,
                           unsigned *sub_histogram, unsigned *counted)
{
    __shared__ unsigned words[RANGE_WORDS];
    int range = ranges.first + blockIdx.y;

    for (int i = threadIdx.x; i < RANGE_WORDS; i += MAIN_THREADS)
        words[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * MAIN_THREADS + threadIdx.x; i < n_pixel;
         i += MAIN_BLOCKS * MAIN_THREADS) {
        int word = places[i] & 0xffff, its_range = places[i] >> 16 & 0xff, shift = places[i] >> 24;
        int bin = its_range * RANGE_BINS + word * 4 + shift / 8;

        if (its_range == range)
            count_local(&words[word], shift, &counted[bin]);
        else if (blockIdx.y == 0 && (its_range < ranges.first || its_range > ranges.last))
            atomicAdd(&counted[bin], 1);
    }
    __syncthreads();
    sub_histogram += (blockIdx.y * MAIN_BLOCKS + blockIdx.x) * RANGE_WORDS;
    for (int i = threadIdx.x; i < RANGE_WORDS; i += MAIN_THREADS)
        sub_histogram[i] = words[i];
}

/* A thread has the four bins of a word. */
__global__ void histo_final(const unsigned *sub_histogram, const uint4 *counted, int n_bin,
                            struct ranges ranges, uchar4 *histogram)
{
    for (int i = blockIdx.x * FINAL_THREADS + threadIdx.x; i < n_bin / 4;
         i += FINAL_BLOCKS * FINAL_THREADS) {
        uint4 count = counted[i];
        int range = i / RANGE_WORDS;

        if (range >= ranges.first && range <= ranges.last)
            for (int b = 0; b < MAIN_BLOCKS; b++) {
                int part = (range - ranges.first) * MAIN_BLOCKS + b;
                unsigned word = sub_histogram[part * RANGE_WORDS + i % RANGE_WORDS];

                count.x += word & MOST;
                count.y += word >> 8 & MOST;
                count.z += word >> 16 & MOST;
                count.w += word >> 24;
            }
        histogram[i] = make_uchar4(min(count.x, MOST), min(count.y, MOST), min(count.z, MOST),
                                   min(count.w, MOST));
    }
}

/* An image with as many rows as whole blocks have. */
struct image {
    int width, height, stored_height, n_bin;
    unsigned *pixel; /* [stored_height][width], values below n_bin */
};

/* Everything on the device. */
struct buffers {
    unsigned *pixels, *places, *sub_histogram, *counted;
    struct ranges *ranges;
    uchar4 *histogram;
};

static void round_gpu(struct image im, struct buffers d)
{
    struct ranges ranges = {im.n_bin, 0};
    int n_pixel = im.width * im.height;

    CUDA(cudaMemcpy(d.ranges, &ranges, sizeof ranges, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(d.counted, 0, im.n_bin * sizeof *d.counted));
    histo_prescan<<<PRESCAN_BLOCKS, PRESCAN_THREADS>>>(d.pixels, n_pixel, im.n_bin, d.ranges);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(&ranges, d.ranges, sizeof ranges, cudaMemcpyDeviceToHost));
    histo_intermediates<<<im.stored_height / ROWS, im.width / 2>>>((uint2 *)d.pixels,
                                                                   (uint2 *)d.places);
    CUDA_LAUNCHED();
    histo_main<<<dim3(MAIN_BLOCKS, ranges.last - ranges.first + 1), MAIN_THREADS>>>(
        d.places, n_pixel, ranges, d.sub_histogram, d.counted);
    CUDA_LAUNCHED();
    histo_final<<<FINAL_BLOCKS, FINAL_THREADS>>>(d.sub_histogram, (uint4 *)d.counted, im.n_bin,
                                                 ranges, d.histogram);
    CUDA_LAUNCHED();
}

static void histogram_gpu(struct image im, int rounds, unsigned char *histogram)
{
    size_t n_stored = (size_t)im.width * im.stored_height;
    struct buffers d;

    d.pixels = (unsigned *)workload_upload(im.pixel, n_stored * sizeof *im.pixel);
    CUDA(cudaMalloc((void **)&d.places, n_stored * sizeof *d.places));
    CUDA(cudaMalloc((void **)&d.ranges, sizeof *d.ranges));
    CUDA(cudaMalloc((void **)&d.counted, im.n_bin * sizeof *d.counted));
    CUDA(cudaMalloc((void **)&d.sub_histogram, MAIN_BLOCKS * ((size_t)im.n_bin + RANGE_BINS)));
    CUDA(cudaMalloc((void **)&d.histogram, im.n_bin));
    for (int round = 0; round < rounds; round++)
        round_gpu(im, d);
    CUDA(cudaMemcpy(histogram, d.histogram, im.n_bin, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.pixels));
    CUDA(cudaFree(d.places));
    CUDA(cudaFree(d.ranges));
    CUDA(cudaFree(d.counted));
    CUDA(cudaFree(d.sub_histogram));
    CUDA(cudaFree(d.histogram));
}

static void histogram_cpu(struct image im, unsigned char *histogram)
{
    for (int i = 0; i < im.width * im.height; i++)
        if (histogram[im.pixel[i]] < MOST)
            histogram[im.pixel[i]]++;
}

/*
 * A quarter of the image is flat, with one of two neighbouring values.  The others are around
 * these, about normally distributed, and 1 of 128 of them is far off.
 */
static unsigned pixel_make(struct workload *w, int n_bin, int spread)
{
    float value = n_bin / 2, wide = workload_below(w, 128) ? 1 : 16;

    if (workload_below(w, 4) == 0)
        return n_bin / 2 + workload_below(w, 2);
    for (int i = 0; i < 4; i++)
        value += wide * workload_float(w, -spread, spread);
    return (unsigned)fminf(fmaxf(value, 0), n_bin - 1);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){.unit = "pixels of width",
                               .usual = 768,
                               .large = LARGE,
                               .least = 2,
                               .most = LARGE,
                               .multiple = 2,
                               .extra = {"--rounds", "of the four kernels", 2, 1, 10000}});
    int width = (int)w.size, height = (width * 1040 + 995) / 996;
    struct image im = {width, height, (height + ROWS - 1) / ROWS * ROWS, 1024 * width, NULL};
    unsigned char *got = (unsigned char *)workload_alloc(im.n_bin);
    unsigned char *want = (unsigned char *)workload_alloc(im.n_bin);

    im.pixel = (unsigned *)workload_alloc((size_t)width * im.stored_height * sizeof *im.pixel);
    for (int i = 0; i < width * height; i++)
        im.pixel[i] = pixel_make(&w, im.n_bin, width);
    histogram_gpu(im, (int)w.extra, got);
    histogram_cpu(im, want);
    workload_compare_u8(&w, "histogram", got, want, im.n_bin);

    free(im.pixel);
    free(got);
    free(want);
    return workload_end(&w);
}
