/* t_mixed.c -- compiled CUDA against the same C on the host, in every way of running it */
#include "base/text.h"
#include "places.h"
#include "tests/kit.h"

#define DEVICE static
#define CONSTANT static const
#define NOINLINE __attribute__((noinline))
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#include "tests/props/mixed_body.h"

enum { N = 1000 };

static void run_with(const char *ptx, const char *set)
{
    char *path = text_printf("%s/tests/props/%s", SMELT_SOURCE_DIR, ptx);
    struct mixed p = {5, 2.5f, 100, {1, 2, 3, 4, 5, 6, 7}};
    struct kit k = {.d = NULL};
    struct run_opts opts = {.functional = true};
    u32 in[N], out[N], x = 12345;
    size_t len;
    char *text = text_read_file(path, &len, &k.e);

    assert_non_null(text);
    assert_true(conf_make(&k.conf, "gtx480", &set, 1, &k.e));
    k.d = device_new(&k.conf, &opts, &k.e);
    k.p = device_load(k.d, ptx, text, len, &k.e);
    if (!k.p)
        fail_msg("%s", k.e.msg);
    for (u32 i = 0; i < N; i++)
        in[i] = x = x * 1664525 + 1013904223;
    u64 a = kit_buf(&k, in, sizeof in), b = kit_buf(&k, NULL, sizeof out);
    const struct func *f = program_kernel(k.p, "mixed", &k.e);
    const u32 grid[3] = {9, 1, 1}, block[3] = {120, 1, 1}, n = N;
    u8 param[128] = {0};

    memcpy(param + f->param[0].off, &a, 8);
    memcpy(param + f->param[1].off, &b, 8);
    memcpy(param + f->param[2].off, &n, 4);
    memcpy(param + f->param[3].off, &p, sizeof p);
    if (!device_run(k.d, k.p, "mixed", grid, block, 0, param, &k.e))
        fail_msg("%s", k.e.msg);
    kit_get(&k, b, out, sizeof out);
    for (u32 i = 0; i < N; i++)
        if (out[i] != mixed_value(in[i], p))
            fail_msg("%s %s: out[%u] of %08x is %08x, want %08x", ptx, set, i, in[i], out[i],
                     mixed_value(in[i], p));
    kit_close(&k);
    free(text);
    free(path);
}

#define CASE(name, set)                                                                            \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        run_with("mixed_O0.ptx", set);                                                             \
        run_with("mixed_O2.ptx", set);                                                             \
    }

CASE(lowered_code_computes_what_the_host_does, "front.lower=on")
CASE(ptx_as_it_is_computes_what_the_host_does, "front.lower=off")
CASE(spilled_code_computes_what_the_host_does, "front.max_regs=14")
CASE(warps_of_64_lanes_compute_what_the_host_does, "sm.warp_words=2")
CASE(warps_of_128_lanes_compute_what_the_host_does, "sm.warp_words=4")
CASE(turns_of_one_instruction_change_nothing, "sim.slice=1")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lowered_code_computes_what_the_host_does),
    cmocka_unit_test(ptx_as_it_is_computes_what_the_host_does),
    cmocka_unit_test(spilled_code_computes_what_the_host_does),
    cmocka_unit_test(warps_of_64_lanes_compute_what_the_host_does),
    cmocka_unit_test(warps_of_128_lanes_compute_what_the_host_does),
    cmocka_unit_test(turns_of_one_instruction_change_nothing),
};

TEST_MAIN(tests)
