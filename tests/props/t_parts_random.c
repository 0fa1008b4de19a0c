/*
 * t_parts_random.c -- random programs compute the same with warps in parts, whenever these leave and
 * re-unite, and whatever they wait for; and with paths of warps that take turns.
 */
#include "tests/test_main.h"

#include "gpu/device.h"
#include "tests/props/random_program.h"

enum { N_PROGRAM = 16 }; /* per case */

struct variant {
    const char *gpu, *mech, *lower; /* mech NULL: without timing, unless it is wanted */
    const char *turns;              /* of paths: sm.yield_after; or NULL */
    bool timing;
};

static void fill(struct device *d, const struct program *p)
{
    static u8 table[TABLE];
    struct rng r = rng_make(5);
    struct err e;

    for (u32 i = 0; i < TABLE; i++)
        table[i] = (u8)rng_below(&r, 256);
    assert_true(device_write(d, program_var(p, "table")->addr, table, TABLE, &e));
}

static void run(const char *text, const struct variant *v, u8 *out)
{
    const u32 grid[3] = {1, 1, 1}, block[3] = {THREADS, 1, 1};
    struct run_opts opts = {.functional = !v->mech && !v->timing,
                            .max_insts = 4000000,
                            .mech = &v->mech,
                            .n_mech = v->mech != NULL};
    const char *set[] = {v->lower, v->turns, "sm.thread_scheduling=independent",
                         "sm.yield_loops=all"};
    struct conf conf;
    struct err e = {0};

    bool ok = conf_make(&conf, v->gpu, set, v->turns ? 4 : 1, &e);
    struct device *d = ok ? device_new(&conf, &opts, &e) : NULL;
    struct program *p = d ? device_load(d, "random.ptx", text, strlen(text), &e) : NULL;
    u64 a = p ? device_alloc(d, THREADS * RECORD, &e) : 0;

    if (p && program_var(p, "table"))
        fill(d, p);
    if (!a || !device_run(d, p, "k", grid, block, 0, (const u8 *)&a, &e) ||
        !device_read(d, a, out, THREADS * RECORD, &e)) {
        err_print(&e, stdout);
        puts(text);
        fail_msg("%s, %s, %s: the program does not run", v->gpu, v->mech ? v->mech : "-", v->lower);
    }
    device_free(d);
    conf_free(&conf);
}

static void compare(const char *text, const struct variant *v, const u8 *want)
{
    static u8 got[THREADS * RECORD];

    run(text, v, got);
    for (u32 i = 0; i < sizeof got; i++)
        if (got[i] != want[i]) {
            puts(text);
            fail_msg("%s, %s, %s: thread %u, byte %u is %u, not %u", v->gpu,
                     v->mech ? v->mech : v->turns, v->lower, i / RECORD, i % RECORD, got[i],
                     want[i]);
        }
}

static const char *const keys[] = {
    "dws",
    "dws:least=1",
    "dws:reunite=pc,least=1",
    "dws:memory=aggressive,least=1",
    "dws:reunite=pc,memory=aggressive,least=1",
    "dws:when=branch,least=1,slots=3",
    "dws:when=memory,memory=aggressive,least=1,slots=2",
    "dws:when=memory,memory=aggressive,least=2,reunite=pc",
};

static void check_program(u64 seed, u32 n, bool flow, bool calls)
{
    static const char *const gpu[] = {"hostile", "tiny", "gtx480"};
    static u8 want[THREADS * RECORD];
    char *text = program(seed, n, flow, calls, true);

    run(text, &(struct variant){.gpu = "gtx480", .lower = "front.lower=off"}, want);
    for (u32 i = 0; i < 3; i++) {
        u64 k = 5 * seed + 3 * i;
        struct variant v = {.gpu = gpu[i],
                            .mech = keys[k % LEN(keys)],
                            .lower = seed % 2 ? "front.lower=off" : "front.lower=on"};

        compare(text, &v, want);
    }
    free(text);
}

static void straight_code_computes_the_same(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_program(4000000 + i, 20 + i % 100, false, false);
}

static void branchy_code_computes_the_same(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_program(5000000 + i, 10 + i % 60, true, false);
}

static void code_with_calls_computes_the_same(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_program(6000000 + i, 10 + i % 40, true, true);
}

/* Lanes go ahead of others at each loop: who runs together is not plain, so they do not talk. */
static void check_turns(u64 seed, u32 n, bool calls)
{
    static const char *const turns[] = {"sm.yield_after=1", "sm.yield_after=2", "sm.yield_after=3"};
    static u8 want[THREADS * RECORD];
    char *text = program(seed, n, true, calls, false);

    run(text, &(struct variant){.gpu = "gtx480", .lower = "front.lower=off"}, want);
    for (u32 i = 0; i < 4; i++) {
        struct variant v = {.gpu = i == 3 ? "hostile" : "gtx480",
                            .lower = i % 2 ? "front.lower=on" : "front.lower=off",
                            .turns = turns[(seed + i) % LEN(turns)],
                            .timing = i >= 2};

        compare(text, &v, want);
    }
    free(text);
}

static void branchy_code_computes_the_same_in_turns(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_turns(7000000 + i, 10 + i % 60, false);
}

static void code_with_calls_computes_the_same_in_turns(void **state)
{
    (void)state;
    for (u32 i = 0; i < n_programs(N_PROGRAM); i++)
        check_turns(8000000 + i, 10 + i % 40, true);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(straight_code_computes_the_same),
    cmocka_unit_test(branchy_code_computes_the_same),
    cmocka_unit_test(code_with_calls_computes_the_same),
    cmocka_unit_test(branchy_code_computes_the_same_in_turns),
    cmocka_unit_test(code_with_calls_computes_the_same_in_turns),
};

TEST_MAIN(tests)
