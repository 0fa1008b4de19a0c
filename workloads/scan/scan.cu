/*
 * scan -- sums of all elements before each element of many short arrays
 *
 * suite: SDK
 * stresses: global memory bandwidth, 16-byte accesses, shared memory, barriers
 * papers: buddy
 * kernels: scan_short
 * size: 1048576 elements
 * large: 6815744 elements
 * odd: 13312
 * tiny: 3072
 * time: 8.1 s
 *
 * Exclusive prefix sums of a batch of arrays of equal length, for each length from 4 to 1024, a
 * launch each; all launches have the same number of elements.  A thread takes 4 elements at once
 * and scans them in registers.  The threads' totals are scanned in shared memory, array by array,
 * by the method of Hillis and Steele (1986): in step k a total gets that of 2^k threads before it
 * added.  Each array has as many zeros before it in shared memory, so that no thread must ask where
 * its array begins.
 *
 * Table II of the Buddy SM paper has 9 launches of 6656 blocks of 256 threads: the size `large`.
 * The default has a smaller batch, 1024 blocks.  Sums of unsigned numbers wrap: the comparison is
 * exact.
 */
#include "workload.h"

enum {
    THREADS = 256,
    PER_BLOCK = 4 * THREADS, /* elements, so a multiple of every length */
    SHORTEST = 4,
    LONGEST = 1024,
};

/*
 * The sum of v of this thread and of those before it, in its group of `width` threads (a power of
 * two); `sums` has two words a thread.
 */
static __device__ unsigned scan_threads(unsigned v, unsigned *sums, int width)
{
    int at =
        2 * threadIdx.x - (threadIdx.x & (width - 1)); /* the groups' zeros and values in turn */

    sums[at] = 0;
    at += width;
    sums[at] = v;
    for (int apart = 1; apart < width; apart *= 2) {
        __syncthreads();
        v += sums[at - apart];
        __syncthreads(); /* all have read */
        sums[at] = v;
    }
    return v;
}

__global__ void scan_short(const uint4 *in, uint4 *out, int length)
{
    __shared__ unsigned sums[2 * THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    uint4 v = in[i];
    unsigned total = v.x + v.y + v.z + v.w;
    unsigned before = scan_threads(total, sums, length / 4) - total;

    out[i] = make_uint4(before, before + v.x, before + v.x + v.y, before + v.x + v.y + v.z);
}

static void scan_on_cpu(const unsigned *in, unsigned *out, size_t n, int length)
{
    unsigned sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (i % length == 0)
            sum = 0;
        out[i] = sum;
        sum += in[i];
    }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "elements",
                                                              .usual = 1 << 20,
                                                              .large = 6656 * PER_BLOCK,
                                                              .least = PER_BLOCK,
                                                              .most = 1 << 25,
                                                              .multiple = PER_BLOCK});
    size_t n = (size_t)w.size, bytes = n * sizeof(unsigned);
    unsigned *in = (unsigned *)workload_alloc(bytes);
    unsigned *got = (unsigned *)workload_alloc(bytes);
    unsigned *want = (unsigned *)workload_alloc(bytes);
    uint4 *d_in, *d_out;

    for (size_t i = 0; i < n; i++)
        in[i] = workload_u32(&w);
    d_in = (uint4 *)workload_upload(in, bytes);
    CUDA(cudaMalloc((void **)&d_out, bytes));
    for (int length = SHORTEST; length <= LONGEST; length *= 2) {
        scan_short<<<(int)(n / PER_BLOCK), THREADS>>>(d_in, d_out, length);
        CUDA_LAUNCHED();
        CUDA(cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost));
        scan_on_cpu(in, want, n, length);
        workload_compare_u32(&w, "out", got, want, n);
    }
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    free(in);
    free(got);
    free(want);
    return workload_end(&w);
}
