/*
 * stringmatch -- finds all places of a keyword in a text, by map-reduce
 *
 * suite: Mars
 * stresses: byte loads that do not coalesce, reuse of cache lines, divergence
 * papers: amoeba
 * kernels: stringmatch_count, mars_scan, mars_scan_add, stringmatch_emit
 * size: 32768 lines
 * large: 524288 lines
 * odd: 1501
 * tiny: 301
 * time: 15.2 s
 *
 * A map task is a line of the text, of 64 bytes on average, and a thread.  stringmatch_count tries
 * the keyword at every byte of it and counts matches; prefix sums give each line its place in the
 * output; stringmatch_emit searches again and writes where the matches are.  There is nothing to
 * reduce.  Threads read single bytes, neighbours a line of text apart, so a warp touches tens of
 * cache lines at once and comes back to them for every byte.  The text has few different letters
 * and many words that begin as the keyword does: threads leave the comparison at different times.
 * `large` is 32 MB of text.  The result is exact.
 */
#include "common/mars.h"

enum {
    LETTERS = 6,
    KEYWORD = 8, /* bytes */
    LINE_LEAST = 32,
    LINE_MOST = 96, /* bytes, with the line feed */
};

/* Lines on the host or on the device; line i has the bytes start[i] .. start[i + 1]. */
struct text {
    int n_line;
    char *byte;
    int *start; /* [n_line + 1] */
};

static __device__ bool is_match(const char *at, const char *end, const char *keyword)
{
    if (end - at < KEYWORD)
        return false;
    for (int i = 0; i < KEYWORD; i++)
        if (at[i] != keyword[i])
            return false;
    return true;
}

__global__ void stringmatch_count(struct text text, const char *keyword, int *count)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x, n = 0;

    if (line >= text.n_line)
        return;
    const char *end = text.byte + text.start[line + 1];

    for (const char *at = text.byte + text.start[line]; at < end; at++)
        n += is_match(at, end, keyword);
    count[line] = n;
}

__global__ void stringmatch_emit(struct text text, const char *keyword, const int *offset,
                                 int *match)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;

    if (line >= text.n_line)
        return;
    const char *end = text.byte + text.start[line + 1];

    match += offset[line];
    for (const char *at = text.byte + text.start[line]; at < end; at++)
        if (is_match(at, end, keyword))
            *match++ = (int)(at - text.byte);
}

/* Returns how many matches there are; `match` has room for one per byte of the text. */
static int search_gpu(struct text text, const char *keyword, int *match)
{
    int n_line = text.n_line, grid = mars_grid(n_line), n_match, *d_count, *d_offset, *d_match;
    struct text d = {n_line, (char *)workload_upload(text.byte, text.start[n_line]),
                     (int *)workload_upload(text.start, (n_line + 1) * sizeof *text.start)};
    char *d_keyword = (char *)workload_upload(keyword, KEYWORD);

    CUDA(cudaMalloc((void **)&d_count, n_line * sizeof *d_count));
    CUDA(cudaMalloc((void **)&d_offset, n_line * sizeof *d_offset));
    stringmatch_count<<<grid, MARS_BLOCK>>>(d, d_keyword, d_count);
    CUDA_LAUNCHED();
    n_match = mars_offsets(d_count, d_offset, n_line);
    CUDA(cudaMalloc((void **)&d_match, (n_match + 1) * sizeof *d_match));
    stringmatch_emit<<<grid, MARS_BLOCK>>>(d, d_keyword, d_offset, d_match);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(match, d_match, n_match * sizeof *match, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.byte));
    CUDA(cudaFree(d.start));
    CUDA(cudaFree(d_keyword));
    CUDA(cudaFree(d_count));
    CUDA(cudaFree(d_offset));
    CUDA(cudaFree(d_match));
    return n_match;
}

/* The reference.  The keyword has no line feed, so lines do not matter. */
static int search_cpu(struct text text, const char *keyword, int *match)
{
    int n_match = 0;

    for (int at = 0; at + KEYWORD <= text.start[text.n_line]; at++)
        if (memcmp(text.byte + at, keyword, KEYWORD) == 0)
            match[n_match++] = at;
    return n_match;
}

/* A word of at most n bytes, of random letters; every fourth begins as the keyword does. */
static int word_make(struct workload *w, const char *keyword, char *to, int n)
{
    int length = 2 + (int)workload_below(w, 9), known = 0;

    if (workload_below(w, 4) == 0)
        known = 1 + (int)workload_below(w, KEYWORD);
    for (int i = 0; i < length && i < n; i++)
        to[i] = i < known ? keyword[i] : (char)('a' + workload_below(w, LETTERS));
    return length < n ? length : n;
}

static void line_make(struct workload *w, const char *keyword, char *to, int n)
{
    for (int i = 0; i < n; i++) {
        i += word_make(w, keyword, to + i, n - i);
        if (i < n)
            to[i] = ' ';
    }
    to[n - 1] = '\n';
}

static struct text text_make(struct workload *w, const char *keyword, int n_line)
{
    struct text text = {n_line, (char *)workload_alloc((size_t)n_line * LINE_MOST),
                        (int *)workload_alloc((n_line + 1) * sizeof(int))};

    for (int i = 0; i < n_line; i++) {
        int n = LINE_LEAST + (int)workload_below(w, LINE_MOST - LINE_LEAST + 1);

        line_make(w, keyword, text.byte + text.start[i], n);
        text.start[i + 1] = text.start[i] + n;
    }
    return text;
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "lines", .usual = 32768, .large = 524288, .least = 1, .most = 1 << 20});
    char keyword[KEYWORD];

    for (int i = 0; i < KEYWORD; i++)
        keyword[i] = (char)('a' + workload_below(&w, LETTERS));

    struct text text = text_make(&w, keyword, (int)w.size);
    int n_byte = text.start[text.n_line];
    int *got = (int *)workload_alloc(n_byte * sizeof *got);
    int *want = (int *)workload_alloc(n_byte * sizeof *want);
    int n_got = search_gpu(text, keyword, got), n_want = search_cpu(text, keyword, want);

    workload_compare_i32(&w, "n_match", &n_got, &n_want, 1);
    workload_compare_i32(&w, "match", got, want, n_want);

    free(text.byte);
    free(text.start);
    free(got);
    free(want);
    return workload_end(&w);
}
