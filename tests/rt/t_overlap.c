/*
 * Kernels of several streams at the same time, copies that take time, and their order.
 *
 * Each case runs a program of its own (rt_child.h) on `tiny` with four SMs.  It says what it
 * measured on its standard output.
 */
#include "base/rng.h"
#include "tests/rt/rt_child.h"

#define FOUR "--set gpu.n_sm=4 --set gpu.concurrent_kernels=4 "
#define ALONE "--set gpu.n_sm=4 "
#define BUS "--set gpu.copy_gbs=1 --set gpu.copy_latency=100 "

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

static char kernel_mix[1], kernel_stray[1];

static void prepare(void)
{
    void **m = register_text(overlap_ptx);

    register_kernel(m, kernel_mix, "mix");
    register_kernel(m, kernel_stray, "stray");
    __cudaRegisterFatBinaryEnd(m);
}

enum { CTA = 64 };

static void mix(int *p, int v, int ctas, int turns, cudaStream_t s)
{
    int n = ctas * CTA;

    RT_OK(cudaLaunchKernel(kernel_mix, DIM((unsigned int)ctas), DIM(CTA), ARGS(&p, &v, &n, &turns),
                           0, s));
}

static cudaEvent_t new_event(void)
{
    cudaEvent_t e;

    RT_OK(cudaEventCreate(&e));
    return e;
}

static cudaStream_t new_stream(unsigned int flags)
{
    cudaStream_t s;

    RT_OK(cudaStreamCreateWithFlags(&s, flags));
    return s;
}

static cudaEvent_t mark(cudaStream_t s)
{
    cudaEvent_t e = new_event();

    RT_OK(cudaEventRecord(e, s));
    return e;
}

static double ms(cudaEvent_t from, cudaEvent_t to)
{
    float t = -1;

    RT_OK(cudaEventElapsedTime(&t, from, to));
    return (double)t;
}

static int mixed(int x, int v, int turns)
{
    for (int i = 0; i < turns; i++)
        x = (int)((unsigned int)x * 3u + (unsigned int)v);
    return x;
}

/* --- what programs do; each prints figures that its case reads --- */

enum { TURNS = 300 };

/* Two streams, two kernels of two CTAs each: time from the first to the end of both. */
static int two_streams(void)
{
    int *a, *b;

    prepare();
    a = new_ints(2 * CTA, 1), b = new_ints(2 * CTA, 2);
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);
    cudaEvent_t from = mark(NULL);

    mix(a, 5, 2, TURNS, s);
    mix(b, 6, 2, TURNS, t);
    RT_OK(cudaDeviceSynchronize());
    cudaEvent_t to = mark(NULL);

    printf("%.6f\n", ms(from, to));
    return int_at(a, 7) == mixed(1, 5, TURNS) && int_at(b, 100) == mixed(2, 6, TURNS) ? 0 : 1;
}

/* A chain over two streams, held together by events, beside a third stream. */
static int chain(void)
{
    int *a, *b;

    prepare();
    a = new_ints(CTA, 1), b = new_ints(CTA, 2);
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking),
                 u = new_stream(cudaStreamNonBlocking);
    cudaEvent_t half;

    mix(a, 5, 1, TURNS, s);
    mix(b, 9, 1, 2 * TURNS, u);
    half = mark(s);
    RT_OK(cudaStreamWaitEvent(t, half, 0));
    cudaEvent_t before = mark(t);

    mix(a, 6, 1, TURNS, t);
    cudaEvent_t to = mark(t);

    RT_OK(cudaEventSynchronize(to));
    printf("%.6f %.6f\n", ms(half, to), ms(half, before));
    RT_OK(cudaDeviceSynchronize());
    return int_at(a, 3) == mixed(mixed(1, 5, TURNS), 6, TURNS) &&
                   int_at(b, 3) == mixed(2, 9, 2 * TURNS)
               ? 0
               : 1;
}

/* The default stream between two that block, and one that does not. */
static int default_stream(void)
{
    int *a;

    prepare();
    a = new_ints(CTA, 1);
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault),
                 free_one = new_stream(cudaStreamNonBlocking);

    mix(a, 5, 1, TURNS, s);
    cudaEvent_t one = mark(s);

    mix(a, 6, 1, TURNS, NULL);
    cudaEvent_t two = mark(NULL);

    mix(a, 7, 1, TURNS, t);
    cudaEvent_t three = mark(t), beside = mark(free_one);

    RT_OK(cudaDeviceSynchronize());
    printf("%.6f %.6f %.6f\n", ms(one, two), ms(two, three), ms(beside, one));
    return int_at(a, 3) == mixed(mixed(mixed(1, 5, TURNS), 6, TURNS), 7, TURNS) ? 0 : 1;
}

enum { BYTES = 20000 }; /* 20 us at 1 GB/s */

/* A copy beside a kernel, and one after it; the time of both. */
static int copy_beside(void)
{
    int *a;
    char *d, *host;

    prepare();
    a = new_ints(CTA, 1), d = new_bytes(BYTES);
    RT_OK(cudaMallocHost((void **)&host, BYTES));
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);
    cudaEvent_t from = mark(NULL);

    mix(a, 5, 1, 3000, s);
    cudaEvent_t kernel = mark(s);

    RT_OK(cudaMemcpyAsync(d, host, BYTES, cudaMemcpyHostToDevice, t));
    cudaEvent_t copy = mark(t);

    RT_OK(cudaMemcpyAsync(host, d, BYTES, cudaMemcpyDeviceToHost, t));
    cudaEvent_t back = mark(t);

    RT_OK(cudaDeviceSynchronize());
    cudaEvent_t to = mark(NULL);

    RT_OK(cudaMemcpy(host, d, BYTES, cudaMemcpyDeviceToHost));
    cudaEvent_t after = mark(NULL);

    RT_OK(cudaMemcpyAsync(d, host, BYTES, cudaMemcpyHostToDevice, s));
    RT_OK(cudaMemcpyAsync(host, d, BYTES, cudaMemcpyDeviceToHost, t)); /* nothing is read */
    RT_OK(cudaDeviceSynchronize());
    cudaEvent_t both = mark(NULL);

    printf("%.6f %.6f %.6f %.6f %.6f %.6f\n", ms(from, kernel), ms(from, copy), ms(copy, back),
           ms(from, to), ms(to, after), ms(after, both));
    return 0;
}

/* One kernel strays while another runs. */
static int stray_beside(void)
{
    int *a, *b;

    prepare();
    a = new_ints(2 * CTA, 1), b = new_ints(CTA, 2);
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);

    mix(a, 5, 2, 100000, s);
    RT_OK(cudaLaunchKernel(kernel_stray, DIM(1), DIM(1), ARGS(&b), 0, t));
    RT_OK(cudaGetLastError());
    mix(a, 5, 2, 10, t);
    RT_ERR(cudaStreamSynchronize(s), cudaErrorIllegalAddress);
    RT_ERR(cudaStreamQuery(t), cudaErrorIllegalAddress);
    RT_OK(cudaDeviceReset());
    a = new_ints(CTA, 1);
    mix(a, 5, 1, 3, NULL);
    return int_at(a, 0) == mixed(1, 5, 3) ? 0 : 1;
}

static int refusals(void)
{
    int *a;

    prepare();
    a = new_ints(CTA, 1);
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);
    int v = 1, n = 1, turns = 1;

    mix(a, 5, 1, 10, s);
    RT_ERR(cudaLaunchKernel(kernel_mix, DIM(1), DIM(4096), ARGS(&a, &v, &n, &turns), 0, t),
           cudaErrorInvalidConfiguration);
    RT_OK(cudaStreamSynchronize(s));
    return int_at(a, 0) == mixed(1, 5, 10) ? 0 : 1;
}

/* Text and memory that kernels in flight together ask for. */
static int calls(void)
{
    long *a, bytes = 64, first = 0, second = 0;

    prepare();
    a = new_bytes(2 * sizeof *a);
    long *b = a + 1;
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);

    for (int i = 0; i < 3; i++) {
        RT_OK(cudaLaunchKernel(kernel_hello, DIM(2), DIM(1), NULL, 0, i == 1 ? s : t));
        RT_OK(cudaLaunchKernel(kernel_grabs, DIM(1), DIM(1), ARGS(&a, &bytes), 0, s));
        RT_OK(cudaLaunchKernel(kernel_grabs, DIM(1), DIM(1), ARGS(&b, &bytes), 0, t));
    }
    RT_OK(cudaDeviceSynchronize());
    RT_OK(cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost));
    RT_OK(cudaMemcpy(&second, b, sizeof second, cudaMemcpyDeviceToHost));
    return first && second && first != second ? 0 : 1;
}

/* Leaves without waiting for anything. */
static int leaves(void)
{
    int *a, *b;

    prepare();
    a = new_ints(CTA, 1), b = new_ints(CTA, 1);
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);

    mix(a, 5, 1, 30, s);
    mix(b, 5, 1, 30, t);
    return 0;
}

/* --- a random program --- */

/*
 * Buffers on the device and pinned on the host.  Each operation reads and writes some of them, in a
 * stream that is drawn; where the last use of a buffer was in another stream, and the default stream's
 * rule does not order the two, an event does.  So the result is that of doing all in the order in which
 * it was asked for, which is what the model does.
 */
enum { STREAMS = 5, BUFFERS = 8, N_DEVICE = 5, INTS = 3 * CTA, STEPS = 60 };

struct random_world {
    struct rng rng;
    cudaStream_t stream[STREAMS]; /* the default stream, two that block, two that do not */
    int *at[BUFFERS];
    int model[BUFFERS][INTS];
    int user[BUFFERS]; /* the stream that used it last, -1: none */
};

static int draw(struct random_world *w, int n)
{
    return (int)rng_below(&w->rng, (u32)n);
}

static int is_ordered(int s, int t) /* without an event */
{
    return s == t || (s == 0 && t <= 2) || (t == 0 && s <= 2);
}

static void use(struct random_world *w, int buffer, int s)
{
    int last = w->user[buffer];

    if (last >= 0 && !is_ordered(last, s)) {
        cudaEvent_t e = mark(w->stream[last]);

        RT_OK(cudaStreamWaitEvent(w->stream[s], e, 0));
        if (draw(w, 4) == 0)
            RT_OK(cudaEventRecord(e, w->stream[draw(w, STREAMS)])); /* too late to matter */
    }
    w->user[buffer] = s;
}

static void random_kernel(struct random_world *w, int s)
{
    int b = draw(w, N_DEVICE), v = draw(w, 100), turns = 1 + draw(w, 60), ctas = 1 + draw(w, 3);

    use(w, b, s);
    mix(w->at[b], v, ctas, turns, w->stream[s]);
    for (int i = 0; i < ctas * CTA; i++)
        w->model[b][i] = mixed(w->model[b][i], v, turns);
}

static void random_copy(struct random_world *w, int s)
{
    int to = draw(w, BUFFERS), from = draw(w, BUFFERS), at = draw(w, INTS),
        n = 1 + draw(w, INTS - at);

    use(w, to, s), use(w, from, s);
    if (to == from)
        return;
    RT_OK(cudaMemcpyAsync(w->at[to] + at, w->at[from] + at, (size_t)n * sizeof(int),
                          cudaMemcpyDefault, w->stream[s]));
    memcpy(w->model[to] + at, w->model[from] + at, (size_t)n * sizeof(int));
}

static void random_fill(struct random_world *w, int s)
{
    int b = draw(w, N_DEVICE), n = 1 + draw(w, INTS);

    use(w, b, s);
    RT_OK(cudaMemsetAsync(w->at[b], 7, (size_t)n * sizeof(int), w->stream[s]));
    memset(w->model[b], 7, (size_t)n * sizeof(int));
}

/* From and to memory that is not pinned: the first may change at once, the second is there at once. */
static void random_pageable(struct random_world *w, int s)
{
    int b = draw(w, N_DEVICE), host[INTS];

    use(w, b, s);
    for (int i = 0; i < INTS; i++)
        host[i] = draw(w, 1000);
    if (draw(w, 2)) {
        RT_OK(cudaMemcpyAsync(w->at[b], host, sizeof host, cudaMemcpyHostToDevice, w->stream[s]));
        memcpy(w->model[b], host, sizeof host);
        memset(host, 0, sizeof host);
        return;
    }
    RT_OK(cudaMemcpyAsync(host, w->at[b], sizeof host, cudaMemcpyDeviceToHost, w->stream[s]));
    assert_memory_equal(host, w->model[b], sizeof host);
}

/* What a stream, or all, have done is there. */
static void random_wait(struct random_world *w, int s)
{
    if (draw(w, 4) == 0) {
        RT_OK(cudaDeviceSynchronize());
        memset(w->user, -1, sizeof w->user);
    } else if (draw(w, 2)) {
        RT_OK(cudaStreamSynchronize(w->stream[s]));
    } else {
        RT_OK(cudaEventSynchronize(mark(w->stream[s])));
    }
    for (int b = N_DEVICE; b < BUFFERS; b++)
        if (w->user[b] == s || w->user[b] < 0)
            assert_memory_equal(w->at[b], w->model[b], sizeof w->model[b]);
}

static void random_step(struct random_world *w)
{
    int s = draw(w, STREAMS), what = draw(w, 16);

    if (what < 8)
        random_kernel(w, s);
    else if (what < 11)
        random_copy(w, s);
    else if (what < 13)
        random_fill(w, s);
    else if (what < 15)
        random_pageable(w, s);
    else
        random_wait(w, s);
}

static void random_begin(struct random_world *w)
{
    w->stream[0] = NULL;
    for (int i = 1; i < STREAMS; i++)
        w->stream[i] = new_stream(i > 2 ? cudaStreamNonBlocking : cudaStreamDefault);
    for (int b = 0; b < BUFFERS; b++) {
        w->user[b] = -1;
        for (int i = 0; i < INTS; i++)
            w->model[b][i] = draw(w, 1000);
        if (b < N_DEVICE)
            w->at[b] = new_bytes(sizeof w->model[b]);
        else
            RT_OK(cudaMallocHost((void **)&w->at[b], sizeof w->model[b]));
        RT_OK(cudaMemcpy(w->at[b], w->model[b], sizeof w->model[b], cudaMemcpyDefault));
    }
}

static int random_program(void)
{
    static struct random_world w;

    prepare();
    w.rng = rng_make(strtoull(getenv("RT_SEED"), NULL, 10));
    random_begin(&w);
    cudaEvent_t from = mark(NULL);

    for (int i = 0; i < STEPS; i++)
        random_step(&w);
    RT_OK(cudaDeviceSynchronize());
    printf("%.6f\n", ms(from, mark(NULL)));
    for (int b = 0; b < BUFFERS; b++) {
        int got[INTS];

        RT_OK(cudaMemcpy(got, w.at[b], sizeof got, cudaMemcpyDefault));
        assert_memory_equal(got, w.model[b], sizeof got);
    }
    return 0;
}

static const struct rt_child child[] = {
    {"two_streams", two_streams},
    {"chain", chain},
    {"default_stream", default_stream},
    {"copy_beside", copy_beside},
    {"stray_beside", stray_beside},
    {"refusals", refusals},
    {"calls", calls},
    {"leaves", leaves},
    {"random_program", random_program},
};

/* --- cases --- */

/* What a child printed, as numbers. */
static void figures(double *to, int n)
{
    char *at = out;

    for (int i = 0; i < n; i++)
        to[i] = strtod(at, &at);
}

static double json_number(const char *key)
{
    char quoted[64];

    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);

    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

/* Of the object with this name that is the last in the report: the sum over launches. */
static double total_of(const char *key, const char *object)
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
static int reasons_add_up(void)
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

static void kernels_of_two_streams_take_the_time_of_one(void **state)
{
    (void)state;
    double together, one_by_one;

    assert_int_equal(run("two_streams", ALONE), 0);
    figures(&one_by_one, 1);
    assert_int_equal(run("two_streams", FOUR), 0);
    figures(&together, 1);
    assert_true(together > 0.5 * one_by_one && together < 0.6 * one_by_one);
}

/* Sums over launches are those of the GPU: each scheduler's cycle is counted once. */
static void accounts_of_kernels_that_overlap_add_up(void **state)
{
    (void)state;
    double insts, span;

    assert_int_equal(run("two_streams", ALONE), 0);
    assert_non_null(strstr(json, "\"timeline\""));
    assert_true(total_of("span_cycles", "total") == total_of("cycles", "total"));
    insts = total_of("warp_insts", "total");
    assert_true(4 * total_of("cycles", "total") == total_of("scheduler_cycles", "stalls"));
    assert_int_equal(run("two_streams", FOUR), 0);
    assert_true(total_of("warp_insts", "total") == insts);
    span = total_of("span_cycles", "total");
    assert_true(span < 0.6 * total_of("cycles", "total"));
    assert_true(4 * span == total_of("scheduler_cycles", "stalls"));
    assert_true(reasons_add_up());
}

static void a_stream_waits_for_an_event_of_another(void **state)
{
    (void)state;
    double t[2], alone;

    assert_int_equal(run("two_streams", FOUR), 0);
    figures(&alone, 1);
    assert_int_equal(run("chain", FOUR), 0);
    figures(t, 2);
    assert_true(t[0] > 0.7 * alone && t[0] < 1.3 * alone);
    assert_true(t[1] == 0);
    assert_int_equal(run("chain", ALONE), 0);
    assert_int_equal(run("chain", FOUR "--functional"), 0);
}

static void the_default_stream_waits_and_is_waited_for(void **state)
{
    (void)state;
    static const char *const how[] = {FOUR, ALONE, FOUR "--functional"};
    double t[3];

    for (int i = 0; i < 3; i++) {
        assert_int_equal(run("default_stream", how[i]), 0);
        figures(t, 3);
        assert_true(t[0] > 0 && t[1] > 0 && t[2] > 0);
    }
}

static void copies_take_time_beside_kernels(void **state)
{
    (void)state;
    static const char *const how[] = {FOUR BUS, ALONE BUS, ALONE BUS "--functional"};
    double t[6];

    for (int i = 0; i < 3; i++) {
        assert_int_equal(run("copy_beside", how[i]), 0);
        figures(t, 6);
        assert_true(t[1] > 0.02009 && t[1] < 0.02011);                           /* one copy */
        assert_true(t[2] > 0.02009 && t[2] < 0.02011);                           /* and back */
        assert_true(t[3] < 1.001 * (t[0] > 0.0402 ? t[0] : 0.0402) && t[3] > 0); /* beside */
        assert_true(t[4] > 0.02009 && t[4] < 0.02011); /* the host waits for it */
        assert_true(t[5] > 0.04019 && t[5] < 0.04021); /* one engine: one after the other */
    }
    assert_int_equal(run("copy_beside", ALONE BUS "--set gpu.copy_engines=2"), 0);
    figures(t, 6);
    assert_true(t[5] > 0.02009 && t[5] < 0.02011);
    assert_int_equal(run("copy_beside", ALONE BUS "--set gpu.copy_engines=0"), 0);
    figures(t, 6);
    assert_true(t[3] > t[0] + 0.0401); /* none: no kernel beside a copy */
    assert_int_equal(run("copy_beside", ALONE), 0);
    figures(t, 6);
    assert_true(t[1] == 0 && t[4] == 0 && t[3] == t[0]);
}

static void a_fault_ends_all_that_are_in_flight(void **state)
{
    (void)state;
    assert_int_equal(run("stray_beside", FOUR), 0);
    assert_string_equal(word, "fault");
    assert_non_null(strstr(err, "kernel stray"));
    assert_non_null(strstr(json, "\"name\": \"mix\""));
    assert_non_null(strstr(json, "\"name\": \"stray\""));
}

static void a_launch_that_cannot_be_is_refused_at_once(void **state)
{
    (void)state;
    assert_int_equal(run("refusals", FOUR), 0);
    assert_non_null(strstr(err, "4096"));
}

static void kernels_in_flight_print_and_allocate(void **state)
{
    (void)state;
    assert_int_equal(run("calls", FOUR), 0);
    assert_string_equal(out, "hi\nhi\nhi\nhi\nhi\nhi\n");
    assert_int_equal(run("calls", FOUR "--set mem.bounds=report --check"), 0);
}

static void what_was_asked_for_is_done_at_the_end(void **state)
{
    (void)state;
    assert_int_equal(run("leaves", FOUR), 0);
    assert_true(json_number("launches") >= 1);
    assert_non_null(strstr(json, "\"timeline\""));
}

static void cycles_of_all_count_for_max_cycles(void **state)
{
    (void)state;
    assert_int_equal(run("two_streams", FOUR "--max-cycles 2000"), 1);
    assert_string_equal(word, "max_cycles");
    assert_non_null(strstr(json, "\"partial\": true"));
}

/* Is this line of a report about the host, and how fast it was? */
static int is_of_host(const char *line, const char *end)
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
static char *without_host(void)
{
    char *kept = calloc(1, TEXT), *to = kept;

    for (const char *line = json, *end; (end = strchr(line, '\n')); line = end + 1)
        if (!is_of_host(line, end)) {
            memcpy(to, line, (size_t)(end + 1 - line));
            to += end + 1 - line;
        }
    return kept;
}

static char *random_run(int seed, const char *args, char *figure)
{
    char text[32];

    snprintf(text, sizeof text, "%d", seed);
    setenv("RT_SEED", text, 1);
    if (run("random_program", args) != 0)
        fail_msg("seed %d with %s: %s", seed, args, err);
    memcpy(figure, out, sizeof out);
    return without_host();
}

static void random_programs_do_as_the_model(int first, int n)
{
    static const char *const how[] = {FOUR BUS "--threads 2", FOUR BUS "--threads 4",
                                      FOUR BUS "--no-skip"};
    static char figure[TEXT], other[TEXT];

    for (int seed = first; seed < first + n; seed++) {
        char *one = random_run(seed, FOUR BUS "--threads 1", figure);

        for (unsigned int i = 0; i < sizeof how / sizeof how[0]; i++) {
            char *same = random_run(seed, how[i], other);

            assert_string_equal(figure, other);
            assert_string_equal(one, same);
            free(same);
        }
        free(one);
        free(random_run(seed, ALONE, other));
        free(random_run(seed, FOUR BUS "--functional", other));
    }
}

static void random_programs_1(void **state)
{
    (void)state;
    random_programs_do_as_the_model(1, 2);
}

static void random_programs_2(void **state)
{
    (void)state;
    random_programs_do_as_the_model(11, 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_of_two_streams_take_the_time_of_one),
    cmocka_unit_test(accounts_of_kernels_that_overlap_add_up),
    cmocka_unit_test(a_stream_waits_for_an_event_of_another),
    cmocka_unit_test(the_default_stream_waits_and_is_waited_for),
    cmocka_unit_test(copies_take_time_beside_kernels),
    cmocka_unit_test(a_fault_ends_all_that_are_in_flight),
    cmocka_unit_test(a_launch_that_cannot_be_is_refused_at_once),
    cmocka_unit_test(kernels_in_flight_print_and_allocate),
    cmocka_unit_test(what_was_asked_for_is_done_at_the_end),
    cmocka_unit_test(cycles_of_all_count_for_max_cycles),
    cmocka_unit_test(random_programs_1),
    cmocka_unit_test(random_programs_2),
};
RT_CHILD_MAIN
