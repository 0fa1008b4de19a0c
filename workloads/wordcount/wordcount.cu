/*
 * wordcount -- counts how often each word occurs in a text, by map-reduce
 *
 * suite: Mars
 * stresses: many short launches, streaming global loads and stores, divergence, byte loads
 * papers: none
 * kernels: wc_count, mars_scan, mars_scan_add, wc_emit, wc_sort, wc_heads, wc_starts, wc_reduce
 * size: 60000 words
 * large: 1000000 words
 * odd: 3001
 * tiny: 301
 * time: 6.6 s
 *
 * Map, a thread per line of the text: wc_count counts its words; after prefix sums wc_emit reads it
 * again and writes a record for each word, its hash and where it begins.  Group: wc_sort, a launch
 * per step of a bitonic sort (Batcher 1968), sorts the records; wc_heads marks those that differ
 * from the one before, and after prefix sums of the marks wc_starts lists where groups start.
 * Reduce, a thread per group: wc_reduce counts the records of the group one by one.  Words are as
 * frequent as Zipf's law says, so that a few groups are long and most are short.
 *
 * The vocabulary is made so that its hashes differ; so a group is a word, and the result is exact.
 */
#include "common/mars.h"

typedef unsigned long long u64;

enum {
    VOCABULARY = 2048,
    LONGEST = 10, /* letters of a word */
    PER_LINE = 8, /* words of a line, on average */
};

/* Words with a space or a line feed after each; line i has the bytes start[i] .. start[i + 1]. */
struct text {
    int n_line, n_word;
    char *byte;
    int *start; /* [n_line + 1] */
};

/* What is counted for the groups, in the order of their hashes. */
struct counts {
    int n;
    int *word; /* where it occurs first */
    int *count;
};

static __device__ bool is_letter(char c)
{
    return c >= 'a';
}

static __host__ __device__ unsigned hash_step(unsigned hash, char c)
{
    return (hash ^ (unsigned char)c) * 16777619u; /* FNV-1a */
}

#define HASH_BEGIN 2166136261u

__global__ void wc_count(struct text text, int *count)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x, n = 0;

    if (line >= text.n_line)
        return;
    for (int i = text.start[line]; i < text.start[line + 1]; i++)
        n += !is_letter(text.byte[i]);
    count[line] = n;
}

__global__ void wc_emit(struct text text, const int *offset, u64 *record)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;

    if (line >= text.n_line)
        return;
    int i = text.start[line], end = text.start[line + 1];

    record += offset[line];
    while (i < end) {
        unsigned hash = HASH_BEGIN;
        int begin = i;

        for (; is_letter(text.byte[i]); i++)
            hash = hash_step(hash, text.byte[i]);
        *record++ = (u64)hash << 32 | begin;
        i++;
    }
}

/* One step: pairs at this distance, in order in every other run of `run` records, else reversed. */
__global__ void wc_sort(u64 *record, unsigned run, unsigned distance)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned low = 2 * t - (t & (distance - 1)), high = low + distance;
    u64 a = record[low], b = record[high];

    if ((a > b) == ((low & run) == 0)) {
        record[low] = b;
        record[high] = a;
    }
}

__global__ void wc_heads(const u64 *record, int *head, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        head[i] = i == 0 || record[i] >> 32 != record[i - 1] >> 32;
}

__global__ void wc_starts(const int *head, const int *group, int *start, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && head[i])
        start[group[i]] = i;
}

/* d.n groups, that is words, and n_word records in all. */
__global__ void wc_reduce(const u64 *record, const int *start, int n_word, struct counts d)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, n = 0;

    if (g >= d.n)
        return;
    unsigned hash = record[start[g]] >> 32;

    for (int i = start[g]; i < n_word && record[i] >> 32 == hash; i++)
        n++;
    d.word[g] = (int)record[start[g]];
    d.count[g] = n;
}

/* The records of all words on the device, and room to sort: a power of two; to be freed. */
static u64 *map_gpu(struct text d, unsigned n_room)
{
    int grid = mars_grid(d.n_line), *d_count, *d_offset;
    u64 *record;

    CUDA(cudaMalloc((void **)&d_count, d.n_line * sizeof *d_count));
    CUDA(cudaMalloc((void **)&d_offset, d.n_line * sizeof *d_offset));
    CUDA(cudaMalloc((void **)&record, n_room * sizeof *record));
    CUDA(cudaMemset(record, 0xff, n_room * sizeof *record)); /* what no word has: goes to the end */
    wc_count<<<grid, MARS_BLOCK>>>(d, d_count);
    CUDA_LAUNCHED();
    mars_offsets(d_count, d_offset, d.n_line);
    wc_emit<<<grid, MARS_BLOCK>>>(d, d_offset, record);
    CUDA_LAUNCHED();
    CUDA(cudaFree(d_count));
    CUDA(cudaFree(d_offset));
    return record;
}

static void sort_gpu(u64 *record, unsigned n)
{
    unsigned block = n / 2 < MARS_BLOCK ? n / 2 : MARS_BLOCK;

    for (unsigned run = 2; run <= n; run *= 2)
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
            wc_sort<<<n / 2 / block, block>>>(record, run, distance);
            CUDA_LAUNCHED();
        }
}

/* Where groups of sorted records start, on the device; to be freed. */
static int *group_gpu(const u64 *record, int n, int *n_group)
{
    int grid = mars_grid(n), *d_head, *d_group, *d_start;

    CUDA(cudaMalloc((void **)&d_head, n * sizeof *d_head));
    CUDA(cudaMalloc((void **)&d_group, n * sizeof *d_group));
    wc_heads<<<grid, MARS_BLOCK>>>(record, d_head, n);
    CUDA_LAUNCHED();
    *n_group = mars_offsets(d_head, d_group, n);
    CUDA(cudaMalloc((void **)&d_start, *n_group * sizeof *d_start));
    wc_starts<<<grid, MARS_BLOCK>>>(d_head, d_group, d_start, n);
    CUDA_LAUNCHED();
    CUDA(cudaFree(d_head));
    CUDA(cudaFree(d_group));
    return d_start;
}

static void reduce_gpu(const u64 *record, const int *d_start, int n_word, struct counts *counts)
{
    size_t bytes = counts->n * sizeof(int);
    struct counts d = {counts->n, NULL, NULL};

    CUDA(cudaMalloc((void **)&d.word, bytes));
    CUDA(cudaMalloc((void **)&d.count, bytes));
    wc_reduce<<<mars_grid(d.n), MARS_BLOCK>>>(record, d_start, n_word, d);
    CUDA_LAUNCHED();
    counts->word = (int *)workload_alloc(bytes);
    counts->count = (int *)workload_alloc(bytes);
    CUDA(cudaMemcpy(counts->word, d.word, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(counts->count, d.count, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.word));
    CUDA(cudaFree(d.count));
}

static struct counts count_gpu(struct text text)
{
    struct text d = text;
    struct counts counts;
    unsigned n_room = 2;

    while (n_room < (unsigned)text.n_word)
        n_room *= 2;
    d.byte = (char *)workload_upload(text.byte, text.start[text.n_line]);
    d.start = (int *)workload_upload(text.start, (text.n_line + 1) * sizeof *text.start);

    u64 *record = map_gpu(d, n_room);

    sort_gpu(record, n_room);

    int *d_start = group_gpu(record, text.n_word, &counts.n);

    reduce_gpu(record, d_start, text.n_word, &counts);
    CUDA(cudaFree(d.byte));
    CUDA(cudaFree(d.start));
    CUDA(cudaFree(record));
    CUDA(cudaFree(d_start));
    return counts;
}

/* A word, its frequency and that of all before it. */
struct entry {
    unsigned hash;
    int length;
    char letter[LONGEST];
    double weight, before;
};

static struct entry entry_make(struct workload *w, int rank)
{
    struct entry e = {HASH_BEGIN, 2 + (int)workload_below(w, LONGEST - 1), {0}, 0, 0};

    for (int i = 0; i < e.length; i++) {
        e.letter[i] = (char)('a' + workload_below(w, 26));
        e.hash = hash_step(e.hash, e.letter[i]);
    }
    e.weight = 1 / (rank + 2.7); /* Zipf's law with Mandelbrot's shift */
    return e;
}

static bool is_known(const struct entry *vocabulary, int n, unsigned hash)
{
    for (int i = 0; i < n; i++)
        if (vocabulary[i].hash == hash)
            return true;
    return false;
}

static int by_hash(const void *a, const void *b)
{
    const struct entry *v = (const struct entry *)a, *w = (const struct entry *)b;

    return v->hash < w->hash ? -1 : v->hash > w->hash;
}

/* Words with different hashes, in the order of these. */
static void vocabulary_make(struct workload *w, struct entry *vocabulary)
{
    for (int n = 0; n < VOCABULARY;) {
        vocabulary[n] = entry_make(w, n + 1);
        n += !is_known(vocabulary, n, vocabulary[n].hash);
    }
    qsort(vocabulary, VOCABULARY, sizeof *vocabulary, by_hash);
    for (int i = 1; i < VOCABULARY; i++)
        vocabulary[i].before = vocabulary[i - 1].before + vocabulary[i - 1].weight;
}

static int word_choose(struct workload *w, const struct entry *vocabulary)
{
    const struct entry *last = &vocabulary[VOCABULARY - 1];
    double place = (last->before + last->weight) * workload_u32(w) / 4294967296.0;
    int low = 0, high = VOCABULARY;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        *(vocabulary[middle].before <= place ? &low : &high) = middle;
    }
    return low;
}

/* Writes a text and counts, which is the reference: `want` gets words as they are written. */
static struct text text_make(struct workload *w, int n_word, struct counts *want)
{
    struct entry vocabulary[VOCABULARY];
    struct text text = {0, n_word, (char *)workload_alloc((size_t)n_word * (LONGEST + 1)),
                        (int *)workload_alloc((n_word + 1) * sizeof(int))};
    int first[VOCABULARY], count[VOCABULARY] = {0}, n_byte = 0;

    vocabulary_make(w, vocabulary);
    for (int i = 0; i < n_word; i++) {
        int v = word_choose(w, vocabulary), length = vocabulary[v].length;
        bool last = i == n_word - 1 || workload_below(w, PER_LINE) == 0;

        if (count[v]++ == 0)
            first[v] = n_byte;
        memcpy(text.byte + n_byte, vocabulary[v].letter, length);
        n_byte += length + 1;
        text.byte[n_byte - 1] = last ? '\n' : ' ';
        if (last)
            text.start[++text.n_line] = n_byte;
    }
    for (int v = 0; v < VOCABULARY; v++) {
        if (!count[v])
            continue;
        want->word[want->n] = first[v];
        want->count[want->n++] = count[v];
    }
    return text;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "words", .usual = 60000, .large = 1000000, .least = 1, .most = 1 << 24});
    int want_word[VOCABULARY], want_count[VOCABULARY];
    struct counts want = {0, want_word, want_count};
    struct text text = text_make(&w, (int)w.size, &want);
    struct counts got = count_gpu(text);

    workload_compare_i32(&w, "n_group", &got.n, &want.n, 1);
    workload_compare_i32(&w, "word", got.word, want.word, want.n);
    workload_compare_i32(&w, "count", got.count, want.count, want.n);

    free(text.byte);
    free(text.start);
    free(got.word);
    free(got.count);
    return workload_end(&w);
}
