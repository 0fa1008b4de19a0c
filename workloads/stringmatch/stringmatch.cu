/*
 * stringmatch -- finds all lines of a text that are a keyword, by map-reduce
 *
 * suite: Mars
 * stresses: byte loads that do not coalesce, reuse of cache lines, few blocks, divergence
 * papers: amoeba
 * kernels: stringmatch_count, mars_scan, mars_scan_add, stringmatch_emit
 * size: 1024 copies of a text of 1 KB
 * large: 32768 copies of a text of 1 KB
 * odd: 301
 * tiny: 45
 * time: 2.5 s
 *
 * A map task is a chunk of the text, of 1,024 bytes and the rest of the line that begins or goes on
 * there, and a thread: it reads its chunk byte by byte, and compares each line that is as long as the keyword
 * with it.  stringmatch_count adds up the records that a task will emit and the bytes of their keys
 * and values, in global memory; three prefix sums give each task its places; stringmatch_emit
 * searches again and writes a match's place as key, its length as value, and a record that says
 * where they are.  There is nothing to reduce.  Neighbouring threads read bytes that lie a chunk
 * apart, so a warp touches 32 cache lines at once and needs each of them 128 times: the 256 threads
 * of a block have 32 KB of lines in use, as long as it runs.
 *
 * The default is what Mars' own script runs: 1,024 copies of a file of 1,024 bytes with words of 3
 * to 10 letters, a line each, and a keyword of 3 letters that is 12 of its 165 lines; that is some
 * 1,018 tasks in 4 blocks.  `large` is 32 MB, the smallest text of the paper on Mars.  Not as there:
 * a task stops at the end of its chunk, where Mars', which does not count line feeds, reads into the
 * next one; emitting has no barrier; keys and values are written in words.  The result is exact.
 */
#include "common/mars.h"

enum {
    TEXT = 1024,  /* bytes of a copy */
    CHUNK = 1024, /* bytes of a task, at least */
    KEYWORD = 3,  /* letters */
};

/* Bytes and records, of tasks in the order of their chunks; on the device. */
struct emitted {
    int *key, *value, *record; /* [n_task] */
};

/* On the device, or on the host; chunk i has the bytes first[i] .. first[i + 1]. */
struct tasks {
    int n_task;
    const char *text;
    const int *first; /* [n_task + 1] */
};

/* What is found: a key, a value, and where these are and how long, in bytes. */
struct matches {
    int *key, *value;
    int4 *record;
};

static __device__ const char *line_end(const char *line)
{
    while (*line != '\n')
        line++;
    return line;
}

static __device__ bool is_keyword(const char *line, const char *keyword)
{
    while (*line == *keyword) {
        line++;
        keyword++;
    }
    return *keyword == 0 && *line == '\n';
}

__global__ void stringmatch_count(struct tasks tasks, const char *keyword, struct emitted n)
{
    int task = blockIdx.x * blockDim.x + threadIdx.x;

    if (task >= tasks.n_task)
        return;
    const char *line = tasks.text + tasks.first[task], *end = tasks.text + tasks.first[task + 1];

    while (line < end) {
        const char *next = line_end(line) + 1;

        if (next - line == KEYWORD + 1 && is_keyword(line, keyword)) {
            n.key[task] += sizeof(int);
            n.value[task] += sizeof(int);
            n.record[task]++;
        }
        line = next;
    }
}

__global__ void stringmatch_emit(struct tasks tasks, const char *keyword, struct emitted offset,
                                 struct matches to)
{
    int task = blockIdx.x * blockDim.x + threadIdx.x;

    if (task >= tasks.n_task)
        return;
    const char *line = tasks.text + tasks.first[task], *end = tasks.text + tasks.first[task + 1];
    int key = offset.key[task], value = offset.value[task], record = offset.record[task];

    while (line < end) {
        const char *next = line_end(line) + 1;

        if (next - line == KEYWORD + 1 && is_keyword(line, keyword)) {
            to.key[key / sizeof(int)] = (int)(line - tasks.text);
            to.value[value / sizeof(int)] = (int)(next - line);
            to.record[record++] = make_int4(key, sizeof(int), value, sizeof(int));
            key += sizeof(int);
            value += sizeof(int);
        }
        line = next;
    }
}

/* Zeros, on the device. */
static int *device_zeros(int n)
{
    int *d;

    CUDA(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA(cudaMemset(d, 0, n * sizeof *d));
    return d;
}

/* The sums before each task; returns that of all records. */
static int emitted_scan(struct emitted n, struct emitted offset, int n_task)
{
    mars_offsets(n.key, offset.key, n_task);
    mars_offsets(n.value, offset.value, n_task);
    return mars_offsets(n.record, offset.record, n_task);
}

static struct emitted emitted_make(int n_task)
{
    return (struct emitted){device_zeros(n_task), device_zeros(n_task), device_zeros(n_task)};
}

static void emitted_free(struct emitted n)
{
    CUDA(cudaFree(n.key));
    CUDA(cudaFree(n.value));
    CUDA(cudaFree(n.record));
}

/* Returns how many there are; there is room for a match per line. */
static int search_gpu(struct tasks tasks, const char *keyword, struct matches to)
{
    const int n_task = tasks.n_task, grid = mars_grid(n_task);
    struct tasks d = {n_task, (char *)workload_upload(tasks.text, tasks.first[n_task]),
                      (int *)workload_upload(tasks.first, (n_task + 1) * sizeof *tasks.first)};
    const char *d_keyword = (char *)workload_upload(keyword, KEYWORD + 1);
    struct emitted n = emitted_make(n_task), offset = emitted_make(n_task);
    struct matches found;
    int n_match;

    stringmatch_count<<<grid, MARS_BLOCK>>>(d, d_keyword, n);
    CUDA_LAUNCHED();
    n_match = emitted_scan(n, offset, n_task);
    found.key = device_zeros(n_match + 1);
    found.value = device_zeros(n_match + 1);
    found.record = (int4 *)device_zeros(4 * (n_match + 1));
    stringmatch_emit<<<grid, MARS_BLOCK>>>(d, d_keyword, offset, found);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(to.key, found.key, n_match * sizeof *to.key, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(to.value, found.value, n_match * sizeof *to.value, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(to.record, found.record, n_match * sizeof *to.record, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(found.key));
    CUDA(cudaFree(found.value));
    CUDA(cudaFree(found.record));
    CUDA(cudaFree((void *)d.text));
    CUDA(cudaFree((void *)d.first));
    CUDA(cudaFree((void *)d_keyword));
    emitted_free(n);
    emitted_free(offset);
    return n_match;
}

/* The reference: a line that is the keyword stands between line feeds. */
static int search_cpu(const char *text, int n_byte, const char *keyword, struct matches to)
{
    int n_match = 0;

    for (int at = 0; at + KEYWORD < n_byte; at++) {
        if (memcmp(text + at, keyword, KEYWORD) != 0 || text[at + KEYWORD] != '\n' ||
            (at > 0 && text[at - 1] != '\n'))
            continue;
        to.key[n_match] = at;
        to.value[n_match] = KEYWORD + 1;
        to.record[n_match] = make_int4(n_match * 4, 4, n_match * 4, 4);
        n_match++;
    }
    return n_match;
}

static void word_draw(struct workload *w, char *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (char)('a' + workload_below(w, 26));
}

/* Lines of as many letters as in Mars' file, on average; 2 of 7 with three of them are the keyword. */
static void text_draw(struct workload *w, const char *keyword, char *to)
{
    static const int letters[] = {3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 8, 9, 10};

    for (int at = 0; at < TEXT; at++) {
        int n = letters[workload_below(w, 16)], rest = TEXT - at - 1;

        if (rest - n < KEYWORD + 2) /* no room for another line: this one is the last */
            n = rest;
        word_draw(w, to + at, n);
        if (n == KEYWORD && workload_below(w, 7) < 2)
            memcpy(to + at, keyword, KEYWORD);
        at += n;
        to[at] = '\n';
    }
}

static struct tasks tasks_make(const char *text, int n_byte)
{
    int *first = (int *)workload_alloc((n_byte / CHUNK + 2) * sizeof *first), n = 0;

    for (int at = 0; at < n_byte; n++) {
        for (at += CHUNK; at < n_byte && text[at] != '\n'; at++)
            ;
        at = at < n_byte ? at + 1 : n_byte; /* behind the line feed */
        first[n + 1] = at;
    }
    return (struct tasks){n, text, first};
}

static struct matches matches_make(int n)
{
    return (struct matches){(int *)workload_alloc(n * sizeof(int)),
                            (int *)workload_alloc(n * sizeof(int)),
                            (int4 *)workload_alloc(n * sizeof(int4))};
}

static void matches_free(struct matches m)
{
    free(m.key);
    free(m.value);
    free(m.record);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "copies of a text of 1 KB",
                                                              .usual = 1024,
                                                              .large = 32768,
                                                              .least = 1,
                                                              .most = 1 << 17});
    int n_byte = (int)w.size * TEXT;
    char keyword[KEYWORD + 1] = "", *text = (char *)workload_alloc(n_byte);

    word_draw(&w, keyword, KEYWORD);
    text_draw(&w, keyword, text);
    for (int i = 1; i < w.size; i++)
        memcpy(text + (size_t)i * TEXT, text, TEXT);

    struct tasks tasks = tasks_make(text, n_byte);
    struct matches got = matches_make(n_byte / (KEYWORD + 1));
    struct matches want = matches_make(n_byte / (KEYWORD + 1));
    int n_got = search_gpu(tasks, keyword, got), n_want = search_cpu(text, n_byte, keyword, want);

    workload_compare_i32(&w, "n_match", &n_got, &n_want, 1);
    workload_compare_i32(&w, "key", got.key, want.key, n_want);
    workload_compare_i32(&w, "value", got.value, want.value, n_want);
    workload_compare_i32(&w, "record", (int *)got.record, (int *)want.record, 4 * n_want);

    free(text);
    free((void *)tasks.first);
    matches_free(got);
    matches_free(want);
    return workload_end(&w);
}
