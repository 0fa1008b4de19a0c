/*
 * workload.h -- what the bundled programs share: options, input, comparison, verdict.
 *
 *     int main(int argc, char **argv)
 *     {
 *         struct workload w = workload_begin(argc, argv, (struct workload_size){
 *             .unit = "elements", .usual = 262144, .large = 1 << 22, .least = 1, .most = 1 << 24});
 *         ... workload_float(&w, -1, 1) ...            input, from the seed
 *         CUDA(cudaMalloc((void **)&d, bytes));        ends the program if a call fails
 *         kernel<<<grid, block>>>(...);
 *         CUDA_LAUNCHED();                             and if the launch did
 *         workload_compare_f32(&w, "c", got, want, n, 1e-6f);   FAIL and the first difference
 *         return workload_end(&w);                     PASS and 0, or 1 after a FAIL
 *     }
 *
 * Every program takes --size N|large, --seed N and --help, and says nothing but its verdict;
 * `large` is the input of its suite or of the papers.  Programs use nothing but CUDA and the C
 * library, and such GNU extensions as compound literals; those with texture references need a CUDA
 * before 12, which has dropped these.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An option of one program alone, with a number: "--version". */
struct workload_option {
    const char *name, *doc;
    long usual, least, most;
};

struct workload_size {
    const char *unit; /* "elements", "nodes", .. */
    long usual, large, least, most;
    long multiple;                /* sizes must be multiples of this; 0: any */
    struct workload_option extra; /* .name NULL: none */
};

struct workload {
    const char *name;
    long size, extra; /* of --size and of the program's own option */
    unsigned seed;
    unsigned long long state; /* of the generator */
    bool failed;
};

#define CUDA(call) workload_cuda((call), #call, __FILE__, __LINE__)
#define CUDA_LAUNCHED()                                                                            \
    do {                                                                                           \
        CUDA(cudaGetLastError());                                                                  \
        CUDA(cudaDeviceSynchronize());                                                             \
    } while (0)

static inline void workload_cuda(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    printf("FAIL: %s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

/* ---- options */

/* The output function of splitmix64 (Steele et al. 2014). */
static inline unsigned long long workload_mixed(unsigned long long x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static inline void workload_usage(const char *name, struct workload_size s, FILE *to)
{
    fprintf(to, "usage: %s [--size N|large] [--seed N]", name);
    if (s.extra.name)
        fprintf(to, " [%s N]", s.extra.name);
    fprintf(to, "\n  --size N      %s, %ld..%ld", s.unit, s.least, s.most);
    if (s.multiple)
        fprintf(to, ", a multiple of %ld", s.multiple);
    fprintf(to, "; default %ld\n  --size large  %ld, as in the suite or paper\n", s.usual, s.large);
    fprintf(to, "  --seed N      of the input; default 1\n");
    if (s.extra.name)
        fprintf(to, "  %s N  %s, %ld..%ld; default %ld\n", s.extra.name, s.extra.doc, s.extra.least,
                s.extra.most, s.extra.usual);
}

static inline void workload_mistake(const char *name, struct workload_size s, const char *what,
                                    const char *value)
{
    fprintf(stderr, "%s: %s%s%s\n", name, what, value ? " " : "", value ? value : "");
    workload_usage(name, s, stderr);
    exit(2);
}

static inline long workload_number(const char *name, struct workload_size s, const char *option,
                                   const char *text, long least, long most)
{
    char *end;
    long v = text && *text ? strtol(text, &end, 10) : 0;

    if (!text || !*text || *end || v < least || v > most)
        workload_mistake(name, s, option, text ? text : "needs a value");
    return v;
}

static inline long workload_size_of(const char *name, struct workload_size s, const char *text)
{
    if (text && strcmp(text, "large") == 0)
        return s.large;
    long size = workload_number(name, s, "--size", text, s.least, s.most);

    if (s.multiple && size % s.multiple)
        workload_mistake(name, s, "--size is no multiple of what is needed:", text);
    return size;
}

static inline struct workload workload_begin(int argc, char **argv, struct workload_size s)
{
    const char *slash = strrchr(argv[0], '/');
    struct workload w = {slash ? slash + 1 : argv[0], s.usual, s.extra.usual, 1, 0, false};

    for (int i = 1; i < argc; i++) {
        const char *value = argv[i + 1];

        if (strcmp(argv[i], "--help") == 0) {
            workload_usage(w.name, s, stdout);
            exit(0);
        } else if (strcmp(argv[i], "--size") == 0) {
            w.size = workload_size_of(w.name, s, value);
            i++;
        } else if (strcmp(argv[i], "--seed") == 0) {
            w.seed = (unsigned)workload_number(w.name, s, "--seed", value, 0, 0x7fffffff);
            i++;
        } else if (s.extra.name && strcmp(argv[i], s.extra.name) == 0) {
            w.extra = workload_number(w.name, s, s.extra.name, value, s.extra.least, s.extra.most);
            i++;
        } else {
            workload_mistake(w.name, s, "unknown option", argv[i]);
        }
    }
    w.state = workload_mixed(w.seed); /* seeds are far apart in the sequence */
    return w;
}

/* ---- input: the same on every machine */

static inline unsigned workload_u32(struct workload *w)
{
    w->state += 0x9e3779b97f4a7c15ull;
    return (unsigned)(workload_mixed(w->state) >> 32);
}

static inline unsigned workload_below(struct workload *w, unsigned n)
{
    return (unsigned)((unsigned long long)workload_u32(w) * n >> 32);
}

static inline float workload_float(struct workload *w, float lo, float hi)
{
    return lo + (hi - lo) * (float)(workload_u32(w) >> 8) * (1.0f / 16777216.0f);
}

static inline void *workload_alloc(size_t bytes)
{
    void *p = calloc(bytes ? bytes : 1, 1);

    if (!p) {
        printf("FAIL: out of host memory\n");
        exit(1);
    }
    return p;
}

/* A device buffer with a copy of these host bytes; the caller frees it. */
static inline void *workload_upload(const void *from, size_t bytes)
{
    void *d;

    CUDA(cudaMalloc(&d, bytes));
    CUDA(cudaMemcpy(d, from, bytes, cudaMemcpyHostToDevice));
    return d;
}

/* ---- comparison: the first difference of the program is told */

/* Equal if |got - want| <= tolerance * max(|want|, 1), and both are finite. */
static inline void workload_compare_f32(struct workload *w, const char *what, const float *got,
                                        const float *want, size_t n, float tolerance)
{
    for (size_t i = 0; i < n && !w->failed; i++) {
        float scale = fabsf(want[i]) > 1 ? fabsf(want[i]) : 1;

        if (isfinite(want[i]) && fabsf(got[i] - want[i]) <= tolerance * scale)
            continue;
        printf("FAIL: %s[%zu] is %.9g, should be %.9g\n", what, i, got[i], want[i]);
        w->failed = true;
    }
}

static inline void workload_compare_f64(struct workload *w, const char *what, const double *got,
                                        const double *want, size_t n, double tolerance)
{
    for (size_t i = 0; i < n && !w->failed; i++) {
        double scale = fabs(want[i]) > 1 ? fabs(want[i]) : 1;

        if (isfinite(want[i]) && fabs(got[i] - want[i]) <= tolerance * scale)
            continue;
        printf("FAIL: %s[%zu] is %.17g, should be %.17g\n", what, i, got[i], want[i]);
        w->failed = true;
    }
}

static inline void workload_compare_i32(struct workload *w, const char *what, const int *got,
                                        const int *want, size_t n)
{
    for (size_t i = 0; i < n && !w->failed; i++) {
        if (got[i] == want[i])
            continue;
        printf("FAIL: %s[%zu] is %d, should be %d\n", what, i, got[i], want[i]);
        w->failed = true;
    }
}

static inline void workload_compare_u32(struct workload *w, const char *what, const unsigned *got,
                                        const unsigned *want, size_t n)
{
    for (size_t i = 0; i < n && !w->failed; i++) {
        if (got[i] == want[i])
            continue;
        printf("FAIL: %s[%zu] is %u, should be %u\n", what, i, got[i], want[i]);
        w->failed = true;
    }
}

static inline void workload_compare_u8(struct workload *w, const char *what,
                                       const unsigned char *got, const unsigned char *want,
                                       size_t n)
{
    for (size_t i = 0; i < n && !w->failed; i++) {
        if (got[i] == want[i])
            continue;
        printf("FAIL: %s[%zu] is %u, should be %u\n", what, i, got[i], want[i]);
        w->failed = true;
    }
}

static inline int workload_end(const struct workload *w)
{
    if (!w->failed)
        printf("PASS\n");
    return w->failed;
}

#endif
