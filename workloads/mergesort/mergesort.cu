/*
 * mergesort -- sorts keys with their values
 *
 * stresses: binary search in memory, divergence, scattered stores, barriers
 * papers: buddy
 * kernels: sort_blocks, merge_pairs
 * size: 131072 keys
 * time: 0.2 s
 *
 * First, each block sorts 512 keys by a bitonic network in shared memory (Batcher 1968), a barrier
 * after each of its 45 steps.  Then pairs of sorted runs are merged, and runs double with each
 * pass: a thread takes one key, finds by binary search how many keys of the other run come before
 * it, and so knows its place.  The sort is stable: equal keys keep their order.
 */
#include "workload.h"

#define THREADS 256
#define RUN (2 * THREADS) /* keys that a block sorts */

struct pairs {
    unsigned *key;
    int *value; /* where the key stood in the input */
};

/* Swaps elements i < j unless they are in order, or in reverse order if `up` is false. */
__device__ static void order(unsigned *key, int *value, int i, int j, bool up)
{
    unsigned a = key[i], b = key[j];
    int va = value[i], vb = value[j];
    bool after = a > b || (a == b && va > vb);

    if (after == up) {
        key[i] = b;
        key[j] = a;
        value[i] = vb;
        value[j] = va;
    }
}

/* The last block is filled up with what comes after all others: largest key, index past the end. */
__global__ void sort_blocks(struct pairs in, struct pairs out, int n)
{
    __shared__ unsigned key[RUN];
    __shared__ int value[RUN];
    int t = threadIdx.x, base = blockIdx.x * RUN;

    for (int i = t; i < RUN; i += THREADS) {
        key[i] = base + i < n ? in.key[base + i] : 0xffffffffu;
        value[i] = base + i;
    }
    for (int sorted = 2; sorted <= RUN; sorted *= 2)
        for (int apart = sorted / 2; apart > 0; apart /= 2) {
            int i = 2 * t - (t & (apart - 1)); /* skips the partners of those before it */

            __syncthreads();
            order(key, value, i, i + apart, (i & sorted) == 0);
        }
    __syncthreads();
    for (int i = t; i < RUN && base + i < n; i += THREADS) {
        out.key[base + i] = key[i];
        out.value[base + i] = value[i];
    }
}

/* How many of the n keys are below k, or not above it. */
__device__ static int rank(const unsigned *keys, int n, unsigned k, bool equal_too)
{
    int low = 0, high = n;

    while (low < high) {
        int mid = (low + high) / 2;

        if (keys[mid] < k || (equal_too && keys[mid] == k))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Runs of `run` keys, the last ones perhaps shorter or missing, become runs of twice that. */
__global__ void merge_pairs(struct pairs in, struct pairs out, int n, int run)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;

    int left = i / (2 * run) * (2 * run);
    int middle = min(left + run, n), end = min(middle + run, n);
    unsigned k = in.key[i];
    int to; /* keys of the left run come before equal ones of the right run */

    if (i < middle)
        to = i + rank(in.key + middle, end - middle, k, false);
    else
        to = i - middle + left + rank(in.key + left, middle - left, k, true);
    out.key[to] = k;
    out.value[to] = in.value[i];
}

static struct pairs device_pairs(int n)
{
    struct pairs p;

    CUDA(cudaMalloc((void **)&p.key, n * sizeof(unsigned)));
    CUDA(cudaMalloc((void **)&p.value, n * sizeof(int)));
    return p;
}

static void free_device_pairs(struct pairs p)
{
    CUDA(cudaFree(p.key));
    CUDA(cudaFree(p.value));
}

static void sort_on_gpu(const unsigned *key, struct pairs result, int n)
{
    struct pairs from = device_pairs(n), to = device_pairs(n), swap;

    CUDA(cudaMemcpy(to.key, key, n * sizeof(unsigned), cudaMemcpyHostToDevice));
    sort_blocks<<<(n + RUN - 1) / RUN, THREADS>>>(to, from, n);
    CUDA_LAUNCHED();
    for (int run = RUN; run < n; run *= 2) {
        merge_pairs<<<(n + THREADS - 1) / THREADS, THREADS>>>(from, to, n, run);
        CUDA_LAUNCHED();
        swap = from;
        from = to;
        to = swap;
    }
    CUDA(cudaMemcpy(result.key, from.key, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(result.value, from.value, n * sizeof(int), cudaMemcpyDeviceToHost));
    free_device_pairs(from);
    free_device_pairs(to);
}

/* On the CPU a key and its index make one number, and no two are equal: any sort is stable then. */
static int by_number(const void *a, const void *b)
{
    unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;

    return (x > y) - (x < y);
}

static void sort_on_cpu(const unsigned *key, struct pairs result, int n)
{
    size_t each = sizeof(unsigned long long);
    unsigned long long *both = (unsigned long long *)workload_alloc(n * each);

    for (int i = 0; i < n; i++)
        both[i] = (unsigned long long)key[i] << 32 | (unsigned)i;
    qsort(both, n, each, by_number);
    for (int i = 0; i < n; i++) {
        result.key[i] = (unsigned)(both[i] >> 32);
        result.value[i] = (int)(both[i] & 0xffffffff);
    }
    free(both);
}

static struct pairs host_pairs(int n)
{
    struct pairs p;

    p.key = (unsigned *)workload_alloc(n * sizeof(unsigned));
    p.value = (int *)workload_alloc(n * sizeof(int));
    return p;
}

static void free_host_pairs(struct pairs p)
{
    free(p.key);
    free(p.value);
}

int main(int argc, char **argv)
{
    struct workload_size sizes = {"keys", 1 << 17, 1, 1 << 24, 0};
    struct workload w = workload_begin(argc, argv, sizes);
    int n = (int)w.size;
    unsigned *key = (unsigned *)workload_alloc(n * sizeof(unsigned));
    struct pairs got = host_pairs(n), want = host_pairs(n);

    /* Many keys twice or more, so that stability shows, 0 and the largest key among them. */
    for (int i = 0; i < n; i++)
        key[i] = workload_below(&w, 16) ? workload_below(&w, 2 * n) * (0xffffffffu / (2 * n))
                                        : 0u - workload_below(&w, 2);
    sort_on_cpu(key, want, n);
    sort_on_gpu(key, got, n);
    workload_compare_i32(&w, "key", (int *)got.key, (int *)want.key, n);
    workload_compare_i32(&w, "value", got.value, want.value, n);
    free(key);
    free_host_pairs(got);
    free_host_pairs(want);
    return workload_end(&w);
}
