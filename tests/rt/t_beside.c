/*
 * What works with kernels of several streams side by side: mechanisms, --lines, --sample, --kernels.
 *
 * Each case runs a program of its own (rt_child.h) on `tiny`, with four SMs on which each kernel finds
 * some of its own, and with one that they share.
 */
#include "tests/rt/overlap.h"

#define SMS(n) "--set gpu.n_sm=" #n " --set gpu.concurrent_kernels=4 "
#define FOUR SMS(4)
#define ONE SMS(1)
#define SERIAL "--set gpu.concurrent_kernels=1 "

enum { TURNS = 300 };

/* `rounds` launches of one CTA in each of two streams; their kernels are of two modules. */
static int launch_all(int rounds)
{
    int *a, *b, model[CTA], want = 1;

    prepare();
    a = new_ints(CTA, 1), b = new_ints(CTA, 2);
    cudaStream_t s = new_stream(cudaStreamDefault), t = new_stream(cudaStreamDefault);
    struct cudaFuncAttributes attr;

    RT_OK(cudaFuncGetAttributes(&attr, kernel_swap)); /* loaded before anything runs */
    for (int i = 0; i < CTA; i++)
        model[i] = 2;
    for (int i = 0; i < rounds; i++) {
        mix(a, 5, 1, TURNS, s);
        swap(b, 6, 1, TURNS, 0, t);
        want = mixed(want, 5, TURNS);
        swapped(model, 6, 1, TURNS);
    }
    RT_OK(cudaDeviceSynchronize());
    return int_at(a, 7) != want || int_at(b, 9) != model[9];
}

static int two(void)
{
    return launch_all(1);
}

static int six(void)
{
    return launch_all(3);
}

static const struct rt_child child[] = {{"two", two}, {"six", six}};

/* --- what a case reads --- */

static void launch(const char *name, const char *args)
{
    if (run(name, args) != 0)
        fail_msg("%s with %s: %s", name, args, err);
}

/* The same bytes on any number of host threads, and without skipping. */
static void is_the_same_each_time(const char *name, const char *how)
{
    static const char *const host[] = {"--threads 2", "--threads 4", "--no-skip"};
    char args[256];

    snprintf(args, sizeof args, "%s --threads 1", how);
    launch(name, args);
    char *first = without_host();

    for (unsigned int i = 0; i < sizeof host / sizeof host[0]; i++) {
        snprintf(args, sizeof args, "%s %s", how, host[i]);
        launch(name, args);
        char *other = without_host();

        assert_string_equal(first, other);
        free(other);
    }
    free(first);
}

/* Numbers with this key between two places, added up. */
static double sum_between(const char *from, const char *to, const char *key)
{
    char quoted[64];
    double sum = 0;

    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    while ((from = strstr(from, quoted)) && from < to) {
        from += strlen(quoted);
        sum += strtod(from, NULL);
    }
    return sum;
}

/* A number of the sums over all launches. */
static double of_all(const char *object, const char *key)
{
    const char *at = strstr(json, "\"total\": {");
    char quoted[64];

    snprintf(quoted, sizeof quoted, "\"%s\": {", object);
    at = at ? strstr(at, quoted) : NULL;
    assert_non_null(at);
    return sum_between(at, strchr(at, '}'), key);
}

/*
 * Two launches take at most 0.9 of the time that they take one after the other: each waits most of the
 * time for its own results.  Every cycle of each SM's one scheduler is some launch's.
 */
static void runs_beside(int sms, const char *how)
{
    char args[256];
    double span, insts;

    snprintf(args, sizeof args, SERIAL "--set gpu.n_sm=%d %s", sms, how);
    launch("two", args);
    span = total_of("span_cycles", "total"), insts = total_of("warp_insts", "total");
    assert_true(span == total_of("cycles", "total"));
    snprintf(args, sizeof args, "--set gpu.concurrent_kernels=4 --set gpu.n_sm=%d %s", sms, how);
    is_the_same_each_time("two", args);
    assert_true(total_of("span_cycles", "total") < 0.9 * span);
    assert_true(total_of("span_cycles", "total") < 0.9 * total_of("cycles", "total"));
    assert_true(total_of("warp_insts", "total") == insts);
    assert_true(sms * total_of("span_cycles", "total") == of_all("stalls", "scheduler_cycles"));
    assert_true(strstr(json, "\"lines\": [") || reasons_add_up()); /* lines have reasons too */
}

/* --- cases --- */

/* An SM works for as long as a CTA of any kernel is there. */
static void gates_work_with_kernels_side_by_side(void **state)
{
    (void)state;
    runs_beside(4, "--set sm.sp_split=on -m gates");
    runs_beside(1, "--set sm.sp_split=on -m gates");
    assert_true(of_all("stats", "gates_fp_gatings") > 0);
    assert_true(of_all("stats", "gates_cycles") == of_all("stats", "busy_cycles"));
}

static void joules_of_mechanisms_add_up(void **state)
{
    (void)state;
    const char *end;
    double sum, all;

    runs_beside(1, "-m noop:timer=20,issue_pj=500,off=scheduler");
    end = strstr(json, "\"total\": {");
    assert_non_null(end);
    sum = sum_between(json, end, "energy_j"), all = total_of("energy_j", "total");
    assert_true(all > 0 && sum > 0.999999 * all && sum < 1.000001 * all);
}

/* A mechanism that wants an SM to have one kernel at a time: as with gpu.sm_kernels=1, where it makes none. */
static void kernels_can_be_kept_apart(void **state)
{
    (void)state;
    static const char *const name[] = {"-m dws", "-m socgpu"};
    char args[256];

    for (int i = 0; i < 2; i++) {
        runs_beside(4, name[i]);
        snprintf(args, sizeof args, ONE "%s", name[i]);
        is_the_same_each_time("two", args);
        double span = total_of("span_cycles", "total");

        snprintf(args, sizeof args, ONE "--set gpu.sm_kernels=1 %s", name[i]);
        launch("two", args);
        assert_true(span == total_of("span_cycles", "total"));
    }
}

/* One that binds SMs for a launch. */
static void launches_follow_each_other_where_one_must_be_alone(void **state)
{
    (void)state;
    is_the_same_each_time("two", FOUR "-m bind:kind=lock_step,size=2");
    assert_true(total_of("span_cycles", "total") == total_of("cycles", "total"));
    const char *at = strstr(json, "\"timeline\"");

    assert_non_null(at);
    at = strstr(at, "\"end_cycle\": ");
    assert_non_null(at);
    double end = strtod(at + strlen("\"end_cycle\": "), NULL);

    at = strstr(at, "\"begin_cycle\": ");
    assert_non_null(at);
    assert_true(strtod(at + strlen("\"begin_cycle\": "), NULL) == end);
}

/* An instruction issues or a cycle is lost, on a line or elsewhere; each kernel's lines are its own. */
static void lines_add_up(void **state)
{
    (void)state;
    static const int sms[] = {4, 1};

    for (int i = 0; i < 2; i++) {
        runs_beside(sms[i], "--lines");
        const char *at = strstr(json, "\"lines\": ["), *end = strstr(json, "\"elsewhere\": ");

        assert_non_null(at);
        assert_non_null(end);
        assert_true(sum_between(at, end, "issued") == total_of("warp_insts", "total"));
        assert_true(sum_between(at, end, "issued") + sum_between(at, end, "stalled") +
                        json_number("elsewhere") ==
                    of_all("stalls", "scheduler_cycles"));
    }
}

/* Of the launch whose entry begins here; its own come first. */
static const char *samples_add_up(const char *kernel)
{
    static const char *const key[] = {"l1d_access", "l2_access",        "dram_read",
                                      "dram_write", "scheduler_cycles", "issued"};
    const char *at = strstr(kernel, "\"samples\": ["), *end;

    assert_non_null(at);
    end = strchr(at, ']');
    for (unsigned int i = 0; i < sizeof key / sizeof key[0]; i++) {
        double own = sum_between(kernel, at, key[i]);

        assert_true(own == sum_between(at, end, key[i]));
    }
    return end;
}

static void samples_of_a_launch_add_up(void **state)
{
    (void)state;
    static const int sms[] = {4, 1};

    for (int i = 0; i < 2; i++) {
        runs_beside(sms[i], "--sample 500");
        samples_add_up(samples_add_up(strstr(json, "\"kernels\": [")));
    }
}

static int n_timed(void)
{
    const char *at = json;
    int n = 0;

    while ((at = strstr(at, "\"timed\": true")))
        at++, n++;
    return n;
}

/* The third and fourth of six; the fifth and sixth wait until these have ended. */
static void launches_that_are_timed_run_side_by_side(void **state)
{
    (void)state;
    double span;

    launch("two", FOUR);
    span = total_of("span_cycles", "total");
    is_the_same_each_time("six", FOUR "--kernels 3-4");
    assert_int_equal(n_timed(), 2);
    assert_true(total_of("span_cycles", "total") < 0.9 * total_of("cycles", "total"));
    assert_true(total_of("span_cycles", "total") > 0.9 * span &&
                total_of("span_cycles", "total") < 1.1 * span);
    assert_true(4 * total_of("span_cycles", "total") == of_all("stalls", "scheduler_cycles"));
    is_the_same_each_time("six", ONE "--kernels 2-5 --lines --sample 300 -m noop");
    assert_int_equal(n_timed(), 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gates_work_with_kernels_side_by_side),
    cmocka_unit_test(joules_of_mechanisms_add_up),
    cmocka_unit_test(kernels_can_be_kept_apart),
    cmocka_unit_test(launches_follow_each_other_where_one_must_be_alone),
    cmocka_unit_test(lines_add_up),
    cmocka_unit_test(samples_of_a_launch_add_up),
    cmocka_unit_test(launches_that_are_timed_run_side_by_side),
};
RT_MAIN(tests, child)
