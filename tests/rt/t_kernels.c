/*
 * Kernels of several streams on the same SM: sm/binding/kernels.h.
 *
 * Each case runs a program of its own (rt_child.h) on `tiny` with one SM, which has room for 8 warps, 4
 * CTAs and 16 KB of shared memory.
 */
#include "tests/rt/overlap.h"

#define ONE "--set gpu.n_sm=1 --set gpu.concurrent_kernels=4 "
#define APART ONE "--set gpu.sm_kernels=1 "

enum { TURNS = 300 };

static int *a, *b;
static cudaStream_t s, t;

static void begin(void)
{
    prepare();
    a = new_ints(4 * CTA, 1), b = new_ints(4 * CTA, 2);
    s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);
    struct cudaFuncAttributes attr;

    RT_OK(
        cudaFuncGetAttributes(&attr, kernel_swap)); /* its module is loaded before anything runs */
}

/* Waits for all; says how long it took. */
static void end(cudaEvent_t from)
{
    RT_OK(cudaDeviceSynchronize());
    printf("%.6f\n", ms(from, mark(NULL)));
}

static int is_mixed(int *p, int x, int v)
{
    return int_at(p, 7) == mixed(x, v, TURNS);
}

static int is_swapped(int *p, int x, int v)
{
    int model[CTA];

    for (int i = 0; i < CTA; i++)
        model[i] = x;
    swapped(model, v, 1, TURNS);
    return int_at(p, 7) == model[7];
}

/* One CTA each. */
static int two(void)
{
    begin();
    cudaEvent_t from = mark(NULL);

    mix(a, 5, 1, TURNS, s);
    mix(b, 6, 1, TURNS, t);
    end(from);
    return !is_mixed(a, 1, 5) || !is_mixed(b, 2, 6);
}

/* Of two modules. */
static int two_codes(void)
{
    begin();
    cudaEvent_t from = mark(NULL);

    mix(a, 5, 1, TURNS, s);
    swap(b, 6, 1, TURNS, 0, t);
    end(from);
    return !is_mixed(a, 1, 5) || !is_swapped(b, 2, 6);
}

/* Each wants more than half of the shared memory. */
static int much_shared(void)
{
    begin();
    cudaEvent_t from = mark(NULL);

    swap(a, 5, 1, TURNS, 8192, s);
    swap(b, 6, 1, TURNS, 8192, t);
    end(from);
    return !is_swapped(a, 1, 5) || !is_swapped(b, 2, 6);
}

/* Three CTAs of the first leave room for one of the second's two, until one of them ends. */
static int what_is_left(void)
{
    begin();
    cudaEvent_t from = mark(NULL);

    mix(a, 5, 3, TURNS, s);
    mix(b, 6, 2, TURNS, t);
    end(from);
    return !is_mixed(a, 1, 5) || !is_mixed(b, 2, 6);
}

/* All of them at the same time. */
static int three_and_one(void)
{
    begin();
    cudaEvent_t from = mark(NULL);

    mix(a, 5, 3, TURNS, s);
    mix(b, 6, 1, TURNS, t);
    end(from);
    return !is_mixed(a, 1, 5) || !is_mixed(b, 2, 6);
}

/* Eight kernels come, run beside each other, and go. */
static int many(void)
{
    begin();
    for (int i = 0; i < 8; i++) {
        cudaStream_t own = new_stream(cudaStreamNonBlocking);

        RT_OK(cudaStreamWaitEvent(own, mark(NULL), 0));
        if (i % 2)
            swap(i < 4 ? a : a + CTA, i, 1, 10 * i + 1, 0, i < 4 ? s : own);
        else
            mix(i < 4 ? b : b + CTA, i, 1, 20 * i + 1, i < 4 ? t : own);
        RT_OK(cudaStreamSynchronize(i == 6 ? own : s));
    }
    RT_OK(cudaDeviceSynchronize());
    return int_at(b, 7) != mixed(mixed(2, 0, 1), 2, 41);
}

static int strays(void)
{
    begin();
    mix(a, 5, 1, 100000, s);
    RT_OK(cudaLaunchKernel(kernel_stray, DIM(1), DIM(1), ARGS(&b), 0, t));
    RT_ERR(cudaStreamSynchronize(s), cudaErrorIllegalAddress);
    RT_OK(cudaDeviceReset());
    a = new_ints(CTA, 1);
    mix(a, 5, 1, 3, NULL);
    return int_at(a, 0) != mixed(1, 5, 3);
}

static int calls(void)
{
    long *at, bytes = 64, got[2] = {0, 0};

    begin();
    at = new_bytes(sizeof got);
    long *second = at + 1;

    for (int i = 0; i < 3; i++) {
        RT_OK(cudaLaunchKernel(kernel_grabs, DIM(1), DIM(1), ARGS(&at, &bytes), 0, s));
        RT_OK(cudaLaunchKernel(kernel_grabs, DIM(1), DIM(1), ARGS(&second, &bytes), 0, t));
        RT_OK(cudaLaunchKernel(kernel_hello, DIM(2), DIM(1), NULL, 0, i == 1 ? s : t));
    }
    RT_OK(cudaDeviceSynchronize());
    RT_OK(cudaMemcpy(got, at, sizeof got, cudaMemcpyDeviceToHost));
    return !got[0] || !got[1] || got[0] == got[1];
}

/* One that waits for ever beside one that does not. */
static int waits(void)
{
    begin();
    mix(a, 5, 1, TURNS, s);
    RT_OK(cudaLaunchKernel(kernel_half_wait, DIM(1), DIM(64), NULL, 0, t));
    return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 3 : 1;
}

static const struct rt_child child[] = {
    {"two", two},     {"two_codes", two_codes}, {"much_shared", much_shared},
    {"many", many},   {"strays", strays},       {"what_is_left", what_is_left},
    {"calls", calls}, {"waits", waits},         {"three_and_one", three_and_one},
};

/* --- cases --- */

static double time_of(const char *name, const char *args)
{
    double t_ms;

    if (run(name, args) != 0)
        fail_msg("%s with %s: %s", name, args, err);
    figures(&t_ms, 1);
    return t_ms;
}

/* The number after the key in each of two kernels. */
static void of_kernels(const char *key, double n[2])
{
    char quoted[64];
    const char *at = strstr(json, "\"kernels\": [");

    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    for (int i = 0; i < 2; i++) {
        at = at ? strstr(at, quoted) : NULL;
        assert_non_null(at);
        at += strlen(quoted);
        n[i] = strtod(at, NULL);
    }
}

/* 2 warps of one dependent chain each leave most cycles to others: both take the time of one. */
static void two_kernels_take_the_time_of_one(void **state)
{
    (void)state;
    double together = time_of("two", ONE), apart = time_of("two", APART);

    assert_true(together > 0.5 * apart && together < 0.6 * apart);
}

static void kernels_of_two_modules_have_their_own_code(void **state)
{
    (void)state;
    double together = time_of("two_codes", ONE), misses[2];

    of_kernels("l1i_miss", misses); /* none finds the other's code in the I-cache */
    assert_true(misses[0] + misses[1] == 4);
    double apart = time_of("two_codes", APART);

    of_kernels("l1i_miss", misses);
    assert_true(misses[0] == 2 && misses[1] == 2);
    assert_true(together > 0.5 * apart && together < 0.9 * apart);
}

static void what_does_not_fit_beside_waits(void **state)
{
    (void)state;
    double together = time_of("much_shared", ONE), apart = time_of("much_shared", APART);

    assert_true(together > 0.99 * apart && together < 1.01 * apart);
}

/* CTA slots: 3 + 1, then 1; apart 3, then 2.  Of 6 warps, which are what one scheduler is kept busy by. */
static void a_kernel_takes_what_is_left(void **state)
{
    (void)state;
    double together = time_of("what_is_left", ONE), apart = time_of("what_is_left", APART);

    assert_true(together > 0.88 * apart && together < 0.95 * apart);
}

/* What a kernel executes is its own; cycles are counted once. */
static void accounts_are_kept_apart(void **state)
{
    (void)state;
    static const char *const own[] = {"warp_insts", "thread_insts", "ctas", "mem_accesses"};
    double apart[2], together[2];

    for (unsigned int i = 0; i < sizeof own / sizeof own[0]; i++) {
        time_of("two_codes", APART);
        of_kernels(own[i], apart);
        time_of("two_codes", ONE);
        of_kernels(own[i], together);
        assert_true(apart[0] > 0 && apart[0] == together[0]);
        assert_true(apart[1] > 0 && apart[1] == together[1]);
    }
    assert_true(reasons_add_up());
    assert_true(total_of("span_cycles", "total") == total_of("scheduler_cycles", "stalls"));
}

/*
 * Look-ups of L1D are divided by accesses: a load and a store of each of two warps, by three CTAs and one.  One
 * may be on its way to its look-up when the first kernel ends.
 */
static void caches_are_accounted_by_accesses(void **state)
{
    double accesses[2], lookups[2];

    (void)state;
    time_of("three_and_one", ONE);
    of_kernels("mem_accesses", accesses);
    of_kernels("l1d_access", lookups);
    assert_true(accesses[0] == 4 && accesses[1] == 12); /* b's ends first */
    assert_true(lookups[0] + lookups[1] == 16);
    assert_true(lookups[0] >= 4 && lookups[0] <= 5);
}

static void kernels_come_and_go(void **state)
{
    (void)state;
    static char first[TEXT];

    assert_int_equal(run("many", ONE "--set gpu.concurrent_kernels=8"), 0);
    char *one = without_host();

    memcpy(first, one, strlen(one) + 1);
    free(one);
    assert_int_equal(run("many", ONE "--set gpu.concurrent_kernels=8 --no-skip --threads 2"), 0);
    one = without_host();
    assert_string_equal(first, one);
    free(one);
    assert_true(reasons_add_up());
}

static void a_fault_is_that_of_its_kernel(void **state)
{
    (void)state;
    assert_int_equal(run("strays", ONE), 0);
    assert_string_equal(word, "fault");
    assert_non_null(strstr(err, "kernel stray"));
}

static void kernels_print_and_allocate(void **state)
{
    (void)state;
    assert_int_equal(run("calls", ONE), 0);
    assert_string_equal(out, "hi\nhi\nhi\nhi\nhi\nhi\n");
    assert_int_equal(run("calls", ONE "--set mem.bounds=report --check"), 0);
}

static void one_that_waits_for_ever_is_named(void **state)
{
    (void)state;
    assert_int_equal(run("waits", ONE), 3);
    assert_non_null(strstr(err, "kernel half_wait"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_kernels_take_the_time_of_one),
    cmocka_unit_test(kernels_of_two_modules_have_their_own_code),
    cmocka_unit_test(what_does_not_fit_beside_waits),
    cmocka_unit_test(a_kernel_takes_what_is_left),
    cmocka_unit_test(accounts_are_kept_apart),
    cmocka_unit_test(caches_are_accounted_by_accesses),
    cmocka_unit_test(kernels_come_and_go),
    cmocka_unit_test(a_fault_is_that_of_its_kernel),
    cmocka_unit_test(kernels_print_and_allocate),
    cmocka_unit_test(one_that_waits_for_ever_is_named),
};
RT_MAIN(tests, child)
