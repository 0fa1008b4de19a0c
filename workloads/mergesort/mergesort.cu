/*
 * mergesort -- sorts keys with their values
 *
 * suite: SDK
 * stresses: binary searches in shared and global memory, divergence, barriers, tiny launches
 * papers: buddy
 * kernels: mergesort_tiles, mergesort_sample_ranks, mergesort_merge_ranks, mergesort_merge_intervals
 * size: 65536 keys
 * large: 4194304 keys
 * odd: 7168
 * tiny: 3072
 * time: 3.1 s
 *
 * The method of Satish, Harris and Garland (IPDPS 2009).  mergesort_tiles: 512 threads sort a tile
 * of 1024 keys in shared memory by merging runs of 1, 2, 4, .. keys; a thread finds the place of a
 * key by binary search in the other run.  Then pairs of runs are merged, and runs double with each
 * level.  Every 128th key of both runs is a sample: mergesort_sample_ranks finds how many keys of
 * each run come before it.  For run A, and in a second launch for run B, mergesort_merge_ranks puts
 * these numbers of the samples of A and of B in one order.  Together they are limits that cut both
 * runs into intervals of at most 128 keys, of which a block of 128 threads each merges one of A and
 * one of B (mergesort_merge_intervals).  A run without a partner is copied by the host.
 *
 * Table II of the Buddy SM paper has 32 blocks of 512 threads, 15 launches of one block of 256 and
 * 5 of 256 blocks of 128: --size 32768.  The default has twice the keys and one level more; `large`
 * is the SDK's own size.  The sort is stable, so there is only one right order.
 */
#include "workload.h"

enum {
    TILE = 1024, /* keys that a block sorts */
    TILE_THREADS = TILE / 2,
    STRIDE = 128, /* from sample to sample */
    RANK_THREADS = 256,
};

struct pairs {
    unsigned *key;
    int *value; /* where the key stood in the input */
};

/* Of the n sorted keys, those that come before k: smaller ones, or also equal ones. */
static __device__ int count_below(const unsigned *keys, int n, unsigned k, bool equal_too)
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

/* Thread t has key t % run of both runs of its pair: equal keys of the first run come first. */
__global__ void mergesort_tiles(struct pairs in, struct pairs out)
{
    __shared__ unsigned key[TILE];
    __shared__ int value[TILE];
    int t = threadIdx.x, base = blockIdx.x * TILE;

    for (int i = t; i < TILE; i += TILE_THREADS) {
        key[i] = in.key[base + i];
        value[i] = in.value[base + i];
    }
    for (int run = 1; run < TILE; run *= 2) {
        int own = t & (run - 1), first = 2 * (t - own), a = first + own, b = a + run;

        __syncthreads();
        unsigned key_a = key[a], key_b = key[b];
        int value_a = value[a], value_b = value[b];
        int to_a = a + count_below(key + first + run, run, key_a, false);
        int to_b = a + count_below(key + first, run, key_b, true);

        __syncthreads(); /* all have read */
        key[to_a] = key_a;
        value[to_a] = value_a;
        key[to_b] = key_b;
        value[to_b] = value_b;
    }
    __syncthreads();
    for (int i = t; i < TILE; i += TILE_THREADS) {
        out.key[base + i] = key[i];
        out.value[base + i] = value[i];
    }
}

/* A pair of runs, A and right after it B; the last B may be shorter. */
struct merge {
    int first, n_a, n_b; /* keys; `first` of A */
};

/* The pair that this key belongs to. */
static __device__ struct merge merge_of(int key, int run, int n)
{
    struct merge m;

    m.first = key / (2 * run) * (2 * run);
    m.n_a = run;
    m.n_b = min(n - m.first - run, run);
    return m;
}

/*
 * A thread takes the same sample of A and of B.  Of each pair, ranks_a and ranks_b have an entry
 * for each sample of A, in order, and then one for each of B.
 */
__global__ void mergesort_sample_ranks(const unsigned *key, int *ranks_a, int *ranks_b, int n,
                                       int run, int n_thread)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n_thread)
        return;

    int sample = i & (run / STRIDE - 1), at = sample * STRIDE;
    struct merge m = merge_of(2 * (i - sample) * STRIDE, run, n);
    const unsigned *a = key + m.first, *b = a + m.n_a;
    int to_a = m.first / STRIDE + sample, to_b = to_a + run / STRIDE;

    ranks_a[to_a] = at;
    ranks_b[to_a] = count_below(b, m.n_b, a[at], false);
    if (at < m.n_b) {
        ranks_b[to_b] = at;
        ranks_a[to_b] = count_below(a, m.n_a, b[at], true);
    }
}

/* Merges, for each pair of runs, the ranks of A's samples with those of B's: both are in order. */
__global__ void mergesort_merge_ranks(const int *ranks, int *limits, int n, int run, int n_thread)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n_thread)
        return;

    int n_sample_a = run / STRIDE, sample = i & (n_sample_a - 1);
    struct merge m = merge_of(2 * (i - sample) * STRIDE, run, n);
    int n_sample_b = (m.n_b + STRIDE - 1) / STRIDE;
    const unsigned *a = (const unsigned *)ranks + m.first / STRIDE, *b = a + n_sample_a;
    int *to = limits + m.first / STRIDE + sample;

    to[count_below(b, n_sample_b, a[sample], false)] = a[sample];
    if (sample < n_sample_b)
        to[count_below(a, n_sample_a, b[sample], true)] = b[sample];
}

/* A block has the keys between two limits, at most STRIDE of A and of B. */
__global__ void mergesort_merge_intervals(struct pairs in, struct pairs out, const int *limits_a,
                                          const int *limits_b, int n, int run)
{
    __shared__ unsigned key_a[STRIDE], key_b[STRIDE], key[2 * STRIDE];
    __shared__ int value[2 * STRIDE];
    int t = threadIdx.x, interval = blockIdx.x;
    struct merge m = merge_of(interval * STRIDE, run, n);

    bool last = (interval + 1) * STRIDE >= m.first + m.n_a + m.n_b;
    int from_a = limits_a[interval], from_b = limits_b[interval];
    int n_a = (last ? m.n_a : limits_a[interval + 1]) - from_a;
    int n_b = (last ? m.n_b : limits_b[interval + 1]) - from_b;
    int at_a = m.first + from_a + t, at_b = m.first + m.n_a + from_b + t;

    if (t < n_a)
        key_a[t] = in.key[at_a];
    if (t < n_b)
        key_b[t] = in.key[at_b];
    __syncthreads();
    if (t < n_a) {
        int to = t + count_below(key_b, n_b, key_a[t], false);

        key[to] = key_a[t];
        value[to] = in.value[at_a];
    }
    if (t < n_b) {
        int to = t + count_below(key_a, n_a, key_b[t], true);

        key[to] = key_b[t];
        value[to] = in.value[at_b];
    }
    __syncthreads();
    for (int i = t; i < n_a + n_b; i += STRIDE) {
        out.key[m.first + from_a + from_b + i] = key[i];
        out.value[m.first + from_a + from_b + i] = value[i];
    }
}

/* Where the samples of a level lie: [2] of A and of B. */
struct samples {
    int *ranks[2], *limits[2];
};

/* Merges runs of `run` keys to runs of twice that; what has no partner stays as it is. */
static void merge_level(struct pairs from, struct pairs to, struct samples s, int n, int run)
{
    int rest = n % (2 * run), merged = rest > run ? n : n - rest;
    /* As many as there are samples in all runs A; a last run B may have fewer. */
    int n_thread = (merged + 2 * run - 1) / (2 * run) * (run / STRIDE);
    int blocks = (n_thread + RANK_THREADS - 1) / RANK_THREADS;

    if (merged > 0) {
        mergesort_sample_ranks<<<blocks, RANK_THREADS>>>(from.key, s.ranks[0], s.ranks[1], merged,
                                                         run, n_thread);
        CUDA_LAUNCHED();
        for (int i = 0; i < 2; i++) {
            mergesort_merge_ranks<<<blocks, RANK_THREADS>>>(s.ranks[i], s.limits[i], merged, run,
                                                            n_thread);
            CUDA_LAUNCHED();
        }
        mergesort_merge_intervals<<<merged / STRIDE, STRIDE>>>(from, to, s.limits[0], s.limits[1],
                                                               merged, run);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(to.key + merged, from.key + merged, (n - merged) * sizeof(unsigned),
                    cudaMemcpyDeviceToDevice));
    CUDA(cudaMemcpy(to.value + merged, from.value + merged, (n - merged) * sizeof(int),
                    cudaMemcpyDeviceToDevice));
}

static struct pairs upload(struct pairs p, int n)
{
    struct pairs d = {(unsigned *)workload_upload(p.key, n * sizeof(unsigned)),
                      (int *)workload_upload(p.value, n * sizeof(int))};

    return d;
}

static void free_device_pairs(struct pairs p)
{
    CUDA(cudaFree(p.key));
    CUDA(cudaFree(p.value));
}

/* Sorts `p` in place. */
static void sort_on_gpu(struct pairs p, int n)
{
    struct pairs from = upload(p, n), to = upload(p, n), swap;
    struct samples s;

    for (int i = 0; i < 2; i++) {
        CUDA(cudaMalloc((void **)&s.ranks[i], n / STRIDE * sizeof(int)));
        CUDA(cudaMalloc((void **)&s.limits[i], n / STRIDE * sizeof(int)));
    }
    mergesort_tiles<<<n / TILE, TILE_THREADS>>>(to, from);
    CUDA_LAUNCHED();
    for (int run = TILE; run < n; run *= 2) {
        merge_level(from, to, s, n, run);
        swap = from;
        from = to;
        to = swap;
    }
    CUDA(cudaMemcpy(p.key, from.key, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p.value, from.value, n * sizeof(int), cudaMemcpyDeviceToHost));
    free_device_pairs(from);
    free_device_pairs(to);
    for (int i = 0; i < 2; i++) {
        CUDA(cudaFree(s.ranks[i]));
        CUDA(cudaFree(s.limits[i]));
    }
}

/* On the CPU a key and its index make one number, and no two are equal: any sort is stable then. */
static int by_number(const void *a, const void *b)
{
    unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;

    return (x > y) - (x < y);
}

static void sort_on_cpu(struct pairs p, int n)
{
    size_t each = sizeof(unsigned long long);
    unsigned long long *both = (unsigned long long *)workload_alloc(n * each);

    for (int i = 0; i < n; i++)
        both[i] = (unsigned long long)p.key[i] << 32 | (unsigned)p.value[i];
    qsort(both, n, each, by_number);
    for (int i = 0; i < n; i++) {
        p.key[i] = (unsigned)(both[i] >> 32);
        p.value[i] = (int)(both[i] & 0xffffffff);
    }
    free(both);
}

static struct pairs host_pairs(int n)
{
    struct pairs p = {(unsigned *)workload_alloc(n * sizeof(unsigned)),
                      (int *)workload_alloc(n * sizeof(int))};

    return p;
}

static void free_host_pairs(struct pairs p)
{
    free(p.key);
    free(p.value);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "keys",
                                                              .usual = 65536,
                                                              .large = 1 << 22,
                                                              .least = TILE,
                                                              .most = 1 << 24,
                                                              .multiple = TILE});
    int n = (int)w.size;
    struct pairs got = host_pairs(n), want = host_pairs(n);

    /* Many keys twice or more, so that stability shows, 0 and the largest key among them. */
    for (int i = 0; i < n; i++) {
        unsigned key = workload_below(&w, 2 * n) * (0xffffffffu / (2 * n));

        got.key[i] = want.key[i] = workload_below(&w, 16) ? key : 0u - workload_below(&w, 2);
        got.value[i] = want.value[i] = i;
    }
    sort_on_cpu(want, n);
    sort_on_gpu(got, n);
    workload_compare_u32(&w, "key", got.key, want.key, n);
    workload_compare_i32(&w, "value", got.value, want.value, n);
    free_host_pairs(got);
    free_host_pairs(want);
    return workload_end(&w);
}
