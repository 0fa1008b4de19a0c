/*
 * overlap.h -- programs whose kernels run at the same time: kernels, streams, events, and what their
 * cases read in the report.
 */
#ifndef TESTS_RT_OVERLAP_H
#define TESTS_RT_OVERLAP_H

#include "base/rng.h"
#include "tests/rt/rt_child.h"

/* mix(int *p, int v, int n, int turns): turns times p[i] = 3 p[i] + v, in registers */
static const char overlap_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".visible .entry mix(.param .u64 p, .param .u32 v, .param .u32 n, .param .u32 turns)\n"
    "{\n.reg .pred %q<3>; .reg .b32 %r<12>; .reg .b64 %d<4>;\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r4, %r1, %r2, %r3;\nld.param.u32 %r5, [n];\nsetp.ge.s32 %q1, %r4, %r5;\n"
    "@%q1 ret;\nld.param.u64 %d1, [p];\nmul.wide.s32 %d2, %r4, 4;\nadd.s64 %d3, %d1, %d2;\n"
    "ld.global.u32 %r6, [%d3];\nld.param.u32 %r7, [v];\nld.param.u32 %r8, [turns];\n"
    "L: mad.lo.s32 %r6, %r6, 3, %r7;\nsub.s32 %r8, %r8, 1;\nsetp.gt.s32 %q2, %r8, 0;\n@%q2 bra L;\n"
    "st.global.u32 [%d3], %r6;\nret;\n}\n"
    ".visible .entry stray(.param .u64 p)\n"
    "{\n.reg .b64 %d<2>; .reg .b32 %r<2>;\nld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1+8192];\n"
    "st.global.u32 [%d1], %r1;\nret;\n}\n";

/*
 * swap(int *p, int v, int turns), in a module of its own: turns times a thread gets what its opposite
 * in the CTA has, plus v, through shared memory; then p[i] = 3 p[i] + that, through an atomic and local
 * memory.
 */
static const char swap_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".visible .entry swap(.param .u64 p, .param .u32 v, .param .u32 turns)\n"
    "{\n.reg .pred %q<3>; .reg .b32 %r<20>; .reg .b64 %d<4>;\n.shared .align 4 .b8 s[512];\n"
    ".local .align 4 .b8 l[8];\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r4, %r1, %r2, %r3;\nld.param.u64 %d1, [p];\nmul.wide.s32 %d2, %r4, 4;\n"
    "add.s64 %d3, %d1, %d2;\nld.global.u32 %r5, [%d3];\nld.param.u32 %r6, [v];\n"
    "ld.param.u32 %r7, [turns];\nmov.u32 %r8, s; shl.b32 %r9, %r3, 2; add.s32 %r10, %r8, %r9;\n"
    "sub.s32 %r11, %r2, %r3; sub.s32 %r11, %r11, 1; shl.b32 %r11, %r11, 2;\n"
    "add.s32 %r12, %r8, %r11;\n"
    "L: st.shared.u32 [%r10], %r5;\nbar.sync 0;\nld.shared.u32 %r13, [%r12];\nbar.sync 0;\n"
    "add.s32 %r5, %r13, %r6;\nsub.s32 %r7, %r7, 1;\nsetp.gt.s32 %q2, %r7, 0;\n@%q2 bra L;\n"
    "st.local.u32 [l+4], %r5;\natom.global.add.u32 %r14, [%d3], 0;\nld.local.u32 %r15, [l+4];\n"
    "mad.lo.s32 %r16, %r14, 3, %r15;\nst.global.u32 [%d3], %r16;\nret;\n}\n";

static char kernel_mix[1], kernel_stray[1], kernel_swap[1];

static inline void prepare(void)
{
    void **m = register_text(overlap_ptx);

    register_kernel(m, kernel_mix, "mix");
    register_kernel(m, kernel_stray, "stray");
    __cudaRegisterFatBinaryEnd(m);
    m = register_text(swap_ptx);
    register_kernel(m, kernel_swap, "swap");
    __cudaRegisterFatBinaryEnd(m);
}

enum { CTA = 64 };

static inline void mix(int *p, int v, int ctas, int turns, cudaStream_t s)
{
    int n = ctas * CTA;

    RT_OK(cudaLaunchKernel(kernel_mix, DIM((unsigned int)ctas), DIM(CTA), ARGS(&p, &v, &n, &turns),
                           0, s));
}

/* shared: bytes beside its own */
static inline void swap(int *p, int v, int ctas, int turns, size_t shared, cudaStream_t s)
{
    RT_OK(cudaLaunchKernel(kernel_swap, DIM((unsigned int)ctas), DIM(CTA), ARGS(&p, &v, &turns),
                           shared, s));
}

static inline cudaEvent_t new_event(void)
{
    cudaEvent_t e;

    RT_OK(cudaEventCreate(&e));
    return e;
}

static inline cudaStream_t new_stream(unsigned int flags)
{
    cudaStream_t s;

    RT_OK(cudaStreamCreateWithFlags(&s, flags));
    return s;
}

static inline cudaEvent_t mark(cudaStream_t s)
{
    cudaEvent_t e = new_event();

    RT_OK(cudaEventRecord(e, s));
    return e;
}

static inline double ms(cudaEvent_t from, cudaEvent_t to)
{
    float t = -1;

    RT_OK(cudaEventElapsedTime(&t, from, to));
    return (double)t;
}

static inline int mixed(int x, int v, int turns)
{
    for (int i = 0; i < turns; i++)
        x = (int)((unsigned int)x * 3u + (unsigned int)v);
    return x;
}

/* What swap leaves in a buffer. */
static inline void swapped(int *p, int v, int ctas, int turns)
{
    for (int c = 0; c < ctas; c++, p += CTA) {
        unsigned int x[CTA], odd = (unsigned int)turns & 1;

        for (unsigned int i = 0; i < CTA; i++)
            x[i] = (unsigned int)p[odd ? CTA - 1 - i : i] + (unsigned int)(turns * v);
        for (unsigned int i = 0; i < CTA; i++)
            p[i] = (int)((unsigned int)p[i] * 3u + x[i]);
    }
}

/* --- what a case reads --- */

/* What a child printed, as numbers. */
static inline void figures(double *to, int n)
{
    char *at = out;

    for (int i = 0; i < n; i++)
        to[i] = strtod(at, &at);
}

static inline double json_number(const char *key)
{
    char quoted[64];

    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);

    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

/* Of the object with this name that is the last in the report: the sum over launches. */
static inline double total_of(const char *key, const char *object)
{
    char quoted[64];
    const char *at = json, *last = NULL;

    snprintf(quoted, sizeof quoted, "\"%s\": {", object);
    while ((at = strstr(at, quoted)))
        last = at++;
    assert_non_null(last);
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    at = strstr(last, quoted);
    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

/* In each object "stalls" the members after the first, which is their sum. */
static inline int reasons_add_up(void)
{
    const char *at = json;
    int n = 0, ok = 1;

    while ((at = strstr(at, "\"stalls\": {")) != NULL) {
        const char *end = strchr(at, '}');
        double all = -1, sum = 0;

        for (at = strchr(at, '{'); (at = strstr(at, "\": ")) && at < end; at += 3)
            if (all < 0)
                all = strtod(at + 3, NULL);
            else
                sum += strtod(at + 3, NULL);
        ok &= all == sum;
        at = end;
        n++;
    }
    return ok && n >= 2;
}

/* Is this line of a report about the host, and how fast it was? */
static inline int is_of_host(const char *line, const char *end)
{
    static const char *const words[] = {"seconds\"", "_per_second\"", "\"threads\"", "\"skip\"",
                                        "\"date\""};

    char text[128]; /* lines are short where it matters */
    size_t n = (size_t)(end - line) < sizeof text ? (size_t)(end - line) : sizeof text - 1;

    memcpy(text, line, n);
    text[n] = 0;
    for (unsigned int i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]))
            return 1;
    return 0;
}

/* The report without such lines. */
static inline char *without_host(void)
{
    char *kept = calloc(1, TEXT), *to = kept;

    for (const char *line = json, *end; (end = strchr(line, '\n')); line = end + 1)
        if (!is_of_host(line, end)) {
            memcpy(to, line, (size_t)(end + 1 - line));
            to += end + 1 - line;
        }
    return kept;
}

#endif
