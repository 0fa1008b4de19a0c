/*
 * Kernels of several streams at the same time, copies that take time, and their order.
 *
 * Each case runs a program of its own (rt_child.h) on `tiny` with four SMs.  It says what it
 * measured on its standard output.
 */
#include "tests/rt/overlap.h"

#define FOUR "--set gpu.n_sm=4 --set gpu.concurrent_kernels=4 "
#define ALONE "--set gpu.n_sm=4 "
#define BUS "--set gpu.copy_gbs=1 --set gpu.copy_latency=100 "

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
    if (draw(w, 3) == 0) {
        swap(w->at[b], v, ctas, turns, 1024 * (size_t)draw(w, 12), w->stream[s]);
        swapped(w->model[b], v, ctas, turns);
        return;
    }
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

/* Four SMs wait for two launches one after the other, or for both at once; nothing else is different. */
static void launch_latency_is_waited_for_together(void **state)
{
    (void)state;
    double cycles;

    assert_int_equal(run("two_streams", ALONE), 0);
    cycles = total_of("span_cycles", "total");
    assert_int_equal(run("two_streams", ALONE "--set gpu.launch_latency=1000"), 0);
    assert_true(total_of("launch", "stalls") == 2 * 4 * 1000);
    assert_true(total_of("span_cycles", "total") == cycles + 2 * 1000);
    assert_true(reasons_add_up());
    assert_int_equal(run("two_streams", FOUR "--set gpu.launch_latency=1000"), 0);
    assert_true(total_of("launch", "stalls") == 4 * 1000);
    assert_true(4 * total_of("span_cycles", "total") == total_of("scheduler_cycles", "stalls"));
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

static void random_programs_do_as_the_model(int seed, const char *gpu)
{
    static const char *const how[] = {"--threads 2", "--threads 4", "--no-skip"};
    static char figure[TEXT], other[TEXT];
    char args[256];

    snprintf(args, sizeof args, "%s %s --threads 1", gpu, BUS);
    char *one = random_run(seed, args, figure);

    for (unsigned int i = 0; i < sizeof how / sizeof how[0]; i++) {
        snprintf(args, sizeof args, "%s %s %s", gpu, BUS, how[i]);
        char *same = random_run(seed, args, other);

        assert_string_equal(figure, other);
        assert_string_equal(one, same);
        free(same);
    }
    free(one);
}

static void random_programs_1(void **state)
{
    (void)state;
    for (int seed = 1; seed < 5; seed++)
        random_programs_do_as_the_model(seed, FOUR);
}

/* Kernels meet on the same SM. */
static void random_programs_2(void **state)
{
    (void)state;
    for (int seed = 11; seed < 15; seed++)
        random_programs_do_as_the_model(
            seed, seed % 2 ? "--set gpu.n_sm=1 --set gpu.concurrent_kernels=8 "
                             "--set gpu.launch_latency=777"
                           : "--set gpu.n_sm=2 --set gpu.concurrent_kernels=3 "
                             "--set sm.schedulers=2");
}

static void random_programs_one_after_the_other(void **state)
{
    (void)state;
    static char figure[TEXT];

    for (int seed = 21; seed < 25; seed++) {
        free(random_run(seed, ALONE, figure));
        free(random_run(seed, FOUR BUS "--functional", figure));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_of_two_streams_take_the_time_of_one),
    cmocka_unit_test(accounts_of_kernels_that_overlap_add_up),
    cmocka_unit_test(launch_latency_is_waited_for_together),
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
    cmocka_unit_test(random_programs_one_after_the_other),
};
RT_MAIN(tests, child)
