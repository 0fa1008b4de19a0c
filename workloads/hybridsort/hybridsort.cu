/*
 * hybridsort -- sorts floats: into buckets first, then by merging inside of each bucket
 *
 * suite: Rodinia
 * stresses: shared atomics, scattered stores, texture fetches, divergence, few threads in the end
 * papers: socgpu
 * kernels: sort_bins, bucket_count, bucket_prefix, bucket_sort, merge_first, merge_pass, merge_pack
 * size: 262144 keys
 * large: 4194304 keys
 * odd: 20011
 * tiny: 301
 * time: 6.1 s
 *
 * sort_bins counts the keys in 1024 equal intervals, from which the host makes the 1023 pivots
 * of buckets with about equally many keys.  bucket_count finds each key's bucket by binary search
 * in the pivots (through a texture) and its place among those of the block in that bucket;
 * bucket_prefix adds up the blocks' counts; bucket_sort moves each key into its bucket.  There,
 * merge_first sorts groups of four keys, a float4 per thread; merge_pass, launched again until the
 * lists are as long as the largest bucket, merges pairs of sorted lists, a thread a pair, four keys
 * at a time (lists through a texture, the buckets' bounds in constant memory); merge_pack closes
 * the gaps between buckets, which start at whole float4s.
 *
 * Launches and block shapes are those of the original: 64 blocks of three warps with a histogram
 * per warp; a single warp and 4096 keys per block for the buckets; 256 threads for merging.  Where
 * the original lets the lanes of a warp compete with tagged stores, this uses atomics in shared
 * memory.  Their order decides where a key is in its bucket, but not the result: sorted floats.
 */
#include "workload.h"

enum {
    BUCKETS = 1024, /* and bins of the histogram */
    WARP = 32,
    HISTOGRAM_WARPS = 3,
    HISTOGRAM_GRID = 64,
    BUCKET_BLOCK = 32,
    BUCKET_KEYS = 128, /* of a thread */
    PREFIX_BLOCK = 128,
    MERGE_BLOCK = 256,
};

static texture<float, 1, cudaReadModeElementType> pivot_texture; /* [BUCKETS], the first unused */
static texture<float4, 1, cudaReadModeElementType> list_texture;
static __constant__ int bucket_start[BUCKETS + 1]; /* in the list with gaps, in float4s */
static __constant__ int final_start[BUCKETS + 1];  /* in the result, in keys */

/* The interval of a key; scale is BUCKETS / (maximum - minimum), or 0. */
__global__ void sort_bins(const float *keys, int n, float minimum, float scale, int *histogram)
{
    __shared__ int count[HISTOGRAM_WARPS][BUCKETS];
    int block = HISTOGRAM_WARPS * WARP, t = threadIdx.x;

    for (int i = t; i < HISTOGRAM_WARPS * BUCKETS; i += block)
        count[i / BUCKETS][i % BUCKETS] = 0;
    __syncthreads();
    for (int i = blockIdx.x * block + t; i < n; i += gridDim.x * block) {
        int bin = min((int)((keys[i] - minimum) * scale), BUCKETS - 1);

        atomicAdd(&count[t / WARP][bin], 1);
    }
    __syncthreads();
    for (int i = t; i < BUCKETS; i += block) {
        int sum = 0;

        for (int w = 0; w < HISTOGRAM_WARPS; w++)
            sum += count[w][i];
        atomicAdd(&histogram[i], sum);
    }
}

/* ---- buckets */

static __device__ int bucket_of(float key)
{
    int bucket = 0;

    for (int step = BUCKETS / 2; step > 0; step /= 2)
        if (key >= tex1Dfetch(pivot_texture, bucket + step))
            bucket += step;
    return bucket;
}

/* place[i]: the key's bucket and, from bit 10 on, how many of the block's are before it there. */
__global__ void bucket_count(const float *keys, int n, int *place, int *block_count)
{
    __shared__ int count[BUCKETS];
    int first = blockIdx.x * BUCKET_BLOCK * BUCKET_KEYS;
    int end = min(first + BUCKET_BLOCK * BUCKET_KEYS, n);

    for (int b = threadIdx.x; b < BUCKETS; b += BUCKET_BLOCK)
        count[b] = 0;
    __syncthreads();
    for (int i = first + threadIdx.x; i < end; i += BUCKET_BLOCK) {
        int bucket = bucket_of(keys[i]);

        place[i] = atomicAdd(&count[bucket], 1) * BUCKETS + bucket;
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BUCKETS; b += BUCKET_BLOCK)
        block_count[blockIdx.x * BUCKETS + b] = count[b];
}

/* Each block's counts become the sums of those before it; a thread has a bucket. */
__global__ void bucket_prefix(int *block_count, int n_block, int *bucket_size)
{
    int bucket = blockIdx.x * PREFIX_BLOCK + threadIdx.x, sum = 0;

    for (int b = 0; b < n_block; b++) {
        int count = block_count[b * BUCKETS + bucket];

        block_count[b * BUCKETS + bucket] = sum;
        sum += count;
    }
    bucket_size[bucket] = sum;
}

__global__ void bucket_sort(const float *keys, int n, const int *place, const int *block_offset,
                            const int *start, float *list)
{
    __shared__ int offset[BUCKETS];
    int first = blockIdx.x * BUCKET_BLOCK * BUCKET_KEYS;
    int end = min(first + BUCKET_BLOCK * BUCKET_KEYS, n);

    for (int b = threadIdx.x; b < BUCKETS; b += BUCKET_BLOCK)
        offset[b] = 4 * start[b] + block_offset[blockIdx.x * BUCKETS + b];
    __syncthreads();
    for (int i = first + threadIdx.x; i < end; i += BUCKET_BLOCK)
        list[offset[place[i] % BUCKETS] + place[i] / BUCKETS] = keys[i];
}

/* ---- merging */

static __device__ float4 sort_four(float4 r)
{
    float4 half = {fminf(r.x, r.y), fmaxf(r.x, r.y), fminf(r.z, r.w), fmaxf(r.z, r.w)};
    float low = fmaxf(half.x, half.z), high = fminf(half.y, half.w);

    return make_float4(fminf(half.x, half.z), fminf(low, high), fmaxf(low, high),
                       fmaxf(half.y, half.w));
}

/* The lower and the higher half of two sorted fours, not sorted. */
static __device__ float4 lowest(float4 a, float4 b)
{
    return make_float4(fminf(a.x, b.w), fminf(a.y, b.z), fminf(a.z, b.y), fminf(a.w, b.x));
}

static __device__ float4 highest(float4 a, float4 b)
{
    return make_float4(fmaxf(a.x, b.w), fmaxf(a.y, b.z), fmaxf(a.z, b.y), fmaxf(a.w, b.x));
}

__global__ void merge_first(float4 *list, int n_four)
{
    int i = blockIdx.x * MERGE_BLOCK + threadIdx.x;

    if (i < n_four)
        list[i] = sort_four(tex1Dfetch(list_texture, i));
}

/* Lists of half the length, two of which a thread merges; a bucket has `threads` threads. */
__global__ void merge_pass(float4 *list, int length, int threads)
{
    int t = blockIdx.x * MERGE_BLOCK + threadIdx.x, bucket = t / threads;

    if (bucket >= BUCKETS)
        return;
    int a = bucket_start[bucket] + t % threads * length;
    int end = min(a + length, bucket_start[bucket + 1]);
    int a_end = min(a + length / 2, end), b = a_end, to = a;

    if (a >= end)
        return;
    float4 rest = tex1Dfetch(list_texture, a++);

    /* `rest` are the largest four so far; the next are taken from the list that begins lower.  At
     * a list's end, the four behind it are fetched in vain; behind the texture they are 0. */
    while (a < a_end || b < end) {
        float4 a_next = tex1Dfetch(list_texture, a), b_next = tex1Dfetch(list_texture, b);
        bool from_a = b >= end || (a < a_end && a_next.x < b_next.x);
        float4 next = from_a ? a_next : b_next;

        a += from_a;
        b += !from_a;
        list[to++] = sort_four(lowest(rest, next));
        rest = sort_four(highest(rest, next));
    }
    list[to] = rest;
}

__global__ void merge_pack(const float *list, float *sorted)
{
    int bucket = blockIdx.y, i = blockIdx.x * MERGE_BLOCK + threadIdx.x;

    if (i < final_start[bucket + 1] - final_start[bucket])
        sorted[final_start[bucket] + i] = list[4 * bucket_start[bucket] + i];
}

/* ---- host */

static int in_blocks(int n, int block)
{
    return (n + block - 1) / block;
}

/* Bounds of buckets with equally many keys, if these are spread evenly in each interval. */
static void pivots_make(const int *histogram, int n, float minimum, float maximum, float *pivot)
{
    double below = 0, width = ((double)maximum - minimum) / BUCKETS;
    int bin = 0;

    pivot[0] = minimum;
    for (int b = 1; b < BUCKETS; b++) {
        double want = (double)n * b / BUCKETS;

        while (bin < BUCKETS - 1 && below + histogram[bin] < want)
            below += histogram[bin++];
        pivot[b] = (float)(minimum + width * (bin + (want - below) / histogram[bin]));
    }
}

/* The pivots for these keys, on the device. */
static float *pivots_find(const float *keys, const float *d_keys, int n)
{
    float minimum = keys[0], maximum = keys[0], pivot[BUCKETS];
    int histogram[BUCKETS] = {0};
    int *d_histogram = (int *)workload_upload(histogram, sizeof histogram);

    for (int i = 1; i < n; i++) {
        minimum = keys[i] < minimum ? keys[i] : minimum;
        maximum = keys[i] > maximum ? keys[i] : maximum;
    }
    sort_bins<<<HISTOGRAM_GRID, HISTOGRAM_WARPS * WARP>>>(
        d_keys, n, minimum, maximum > minimum ? BUCKETS / (maximum - minimum) : 0, d_histogram);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(histogram, d_histogram, sizeof histogram, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_histogram));
    pivots_make(histogram, n, minimum, maximum, pivot);
    return (float *)workload_upload(pivot, sizeof pivot);
}

/* The list of keys in buckets, each filled up to whole float4s with 3.4e38: above all keys. */
struct list {
    float4 *four; /* on the device */
    int n_four;
    int largest; /* bucket, in float4s */
};

/* Where the buckets begin, into constant memory and d_start. */
static struct list list_make(const int *bucket_size, int *d_start)
{
    int start[BUCKETS + 1] = {0}, final[BUCKETS + 1] = {0};
    struct list list = {NULL, 0, 0};

    for (int b = 0; b < BUCKETS; b++) {
        int fours = in_blocks(bucket_size[b], 4);

        start[b + 1] = start[b] + fours;
        final[b + 1] = final[b] + bucket_size[b];
        list.largest = fours > list.largest ? fours : list.largest;
    }
    list.n_four = start[BUCKETS];
    CUDA(cudaMemcpy(d_start, start, sizeof start, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpyToSymbol(bucket_start, start, sizeof start));
    CUDA(cudaMemcpyToSymbol(final_start, final, sizeof final));
    CUDA(cudaMalloc((void **)&list.four, list.n_four * sizeof *list.four));
    CUDA(cudaMemset(list.four, 0x7f, list.n_four * sizeof *list.four)); /* bytes of 3.4e38 */
    return list;
}

static struct list buckets_fill(const float *keys, int n)
{
    int grid = in_blocks(n, BUCKET_BLOCK * BUCKET_KEYS), size[BUCKETS];
    float *d_keys = (float *)workload_upload(keys, n * sizeof *keys);
    float *d_pivot = pivots_find(keys, d_keys, n);
    int *d_place, *d_count, *d_size, *d_start;

    CUDA(cudaMalloc((void **)&d_place, n * sizeof *d_place));
    CUDA(cudaMalloc((void **)&d_count, (size_t)grid * BUCKETS * sizeof *d_count));
    CUDA(cudaMalloc((void **)&d_size, sizeof size));
    CUDA(cudaMalloc((void **)&d_start, (BUCKETS + 1) * sizeof *d_start));
    CUDA(cudaBindTexture(NULL, pivot_texture, d_pivot, BUCKETS * sizeof *d_pivot));
    bucket_count<<<grid, BUCKET_BLOCK>>>(d_keys, n, d_place, d_count);
    CUDA_LAUNCHED();
    bucket_prefix<<<BUCKETS / PREFIX_BLOCK, PREFIX_BLOCK>>>(d_count, grid, d_size);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(size, d_size, sizeof size, cudaMemcpyDeviceToHost));

    struct list list = list_make(size, d_start);

    bucket_sort<<<grid, BUCKET_BLOCK>>>(d_keys, n, d_place, d_count, d_start, (float *)list.four);
    CUDA_LAUNCHED();
    CUDA(cudaUnbindTexture(pivot_texture));
    CUDA(cudaFree(d_keys));
    CUDA(cudaFree(d_pivot));
    CUDA(cudaFree(d_place));
    CUDA(cudaFree(d_count));
    CUDA(cudaFree(d_size));
    CUDA(cudaFree(d_start));
    return list;
}

/* Sorts every bucket, back and forth between the list and a second one. */
static void merge_sort(struct list *list)
{
    size_t bytes = list->n_four * sizeof *list->four;
    float4 *from = list->four, *to, *swap;
    int threads = list->largest + 1;

    CUDA(cudaMalloc((void **)&to, bytes));
    for (int length = 1; threads > 1; length *= 2) {
        CUDA(cudaBindTexture(NULL, list_texture, from, bytes));
        threads = in_blocks(list->largest, length);
        if (length == 1)
            merge_first<<<in_blocks(list->n_four, MERGE_BLOCK), MERGE_BLOCK>>>(to, list->n_four);
        else
            merge_pass<<<in_blocks(BUCKETS * threads, MERGE_BLOCK), MERGE_BLOCK>>>(to, length,
                                                                                   threads);
        CUDA_LAUNCHED();
        swap = from, from = to, to = swap;
    }
    CUDA(cudaUnbindTexture(list_texture));
    CUDA(cudaFree(to));
    list->four = from;
}

static void sort_gpu(const float *keys, int n, float *sorted)
{
    struct list list = buckets_fill(keys, n);
    float *d_sorted;

    CUDA(cudaMalloc((void **)&d_sorted, n * sizeof *d_sorted));
    merge_sort(&list);
    merge_pack<<<dim3(in_blocks(4 * list.largest, MERGE_BLOCK), BUCKETS), MERGE_BLOCK>>>(
        (float *)list.four, d_sorted);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(sorted, d_sorted, n * sizeof *sorted, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_sorted));
    CUDA(cudaFree(list.four));
}

static int order(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "keys", .usual = 1 << 18, .large = 1 << 22, .least = 1, .most = 1 << 24});
    int n = (int)w.size;
    float *keys = (float *)workload_alloc(n * sizeof *keys);
    float *got = (float *)workload_alloc(n * sizeof *got);

    for (int i = 0; i < n; i++) /* dense in the middle: buckets are other than intervals */
        keys[i] = workload_float(&w, -1, 1) + workload_float(&w, -1, 1);
    sort_gpu(keys, n, got);
    qsort(keys, n, sizeof *keys, order);
    workload_compare_f32(&w, "sorted", got, keys, n, 0);

    free(keys);
    free(got);
    return workload_end(&w);
}
