/* t_lower_random.c -- random programs compute the same lowered, not lowered, and in few registers. */
#include "tests/test_main.h"

#include "gpu/device.h"
#include "tests/props/random_program.h"

enum { N_PROGRAM = 60 }; /* per case */

/* ---- running ---- */

struct variant {
    const char *lower;
    u32 cap;
    bool timed; /* with the timing model, on a small GPU: values must be the same */
};

static void run(const char *text, struct variant v, u8 *out)
{
    char cap[40];
    const char *set[] = {v.lower, cap};
    const u32 grid[3] = {1, 1, 1}, block[3] = {THREADS, 1, 1};
    struct run_opts opts = {.functional = !v.timed, .max_insts = 4000000};
    struct conf conf;
    struct err e = {0};

    snprintf(cap, sizeof(cap), "front.max_regs=%u", v.cap);
    bool ok = conf_make(&conf, v.timed ? "hostile" : "gtx480", set, 2, &e);
    struct device *d = ok ? device_new(&conf, &opts, &e) : NULL;
    struct program *p = d ? device_load(d, "random.ptx", text, strlen(text), &e) : NULL;
    u64 a = p ? device_alloc(d, THREADS * RECORD, &e) : 0;
    if (!a || !device_run(d, p, "k", grid, block, 0, (const u8 *)&a, &e) ||
        !device_read(d, a, out, THREADS * RECORD, &e)) {
        err_print(&e, stdout);
        puts(text);
        fail_msg("%s, %u registers: the program does not run", v.lower, v.cap);
    }
    if (v.cap)
        assert_true(program_kernel(p, "k", &e)->n_row <= v.cap);
    device_free(d);
    conf_free(&conf);
}

static void compare(const char *text, struct variant v, const u8 *want)
{
    static u8 got[THREADS * RECORD];

    run(text, v, got);
    for (u32 i = 0; i < sizeof(got); i++)
        if (got[i] != want[i]) {
            puts(text);
            fail_msg("%s, %u registers: thread %u, byte %u is %u, not %u", v.lower, v.cap,
                     i / RECORD, i % RECORD, got[i], want[i]);
        }
}

static void check_program(u64 seed, u32 n, bool with_flow, bool with_calls)
{
    static u8 want[THREADS * RECORD];
    char *text = program(seed, n, with_flow, with_calls, false);

    run(text, (struct variant){"front.lower=off", 0, false}, want);
    compare(text, (struct variant){"front.lower=on", 0, false}, want);
    compare(text, (struct variant){"front.lower=on", 16 + (u32)(seed % 9), false}, want);
    if (seed % 8 == 0) {
        compare(text, (struct variant){"front.lower=off", 0, true}, want);
        compare(text, (struct variant){"front.lower=on", 16 + (u32)(seed % 9), true}, want);
    }
    free(text);
}

static void straight_code_computes_the_same(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_program(1000 + i, 20 + i % 100, false, false);
}

static void branchy_code_computes_the_same(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_program(2000000 + i, 10 + i % 60, true, false);
}

static void code_with_calls_computes_the_same(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_program(3000000 + i, 10 + i % 40, i % 2, true);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(straight_code_computes_the_same),
    cmocka_unit_test(branchy_code_computes_the_same),
    cmocka_unit_test(code_with_calls_computes_the_same),
};

TEST_MAIN(tests)
