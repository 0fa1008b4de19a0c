/*
 * t_calls.c -- registers per thread: caps of kernels, of what they call, and of what calls itself
 */
#include "tests/kit.h"

#include "ptx/ir.h"

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n"

static const struct reg_limits fermi = {.per_thread = 63,
                                        .per_sm = 32768,
                                        .granule = 4,
                                        .warp_threads = 32,
                                        .max_threads = 1536,
                                        .max_ctas = 8};

static struct program *load(const char *text, const struct reg_limits *limits, bool lower)
{
    struct ptx_conf conf;
    struct err e = {0};

    sheet_defaults(&ptx_sheet, &conf);
    conf.lower = lower;
    struct program *p = program_load("t.ptx", text, strlen(text), &conf, limits, 0x1000, true, &e);
    sheet_free(&ptx_sheet, &conf);
    if (!p) {
        err_print(&e, stdout);
        fail_msg("the PTX does not load");
    }
    return p;
}

/* A function body that has n loaded values live at once, and stores their sums. */
static char *body(u32 n)
{
    char *text = text_printf("ld.param.u64 %%d1, [a];\n");

    for (u32 i = 0; i < 2 * n; i++) {
        char *more = i < n ? text_printf("%sld.global.u32 %%r%u, [%%d1+%u];\n", text, i, 4 * i)
                           : text_printf("%sadd.u32 %%r%u, %%r%u, %%r%u; st.global.u32 "
                                         "[%%d1+%u], %%r%u;\n",
                                         text, i, i - n, 2 * n - 1 - i, 4 * (i - n), i);
        free(text);
        text = more;
    }
    return text;
}

#define REGS ".reg .b32 %%r<200>; .reg .b64 %%d<3>;\n"

/* The kernel with these bounds: how many registers, of 50 that it would like? */
static const struct func *bounded(struct program **p, const char *bounds, bool lower)
{
    char *code = body(50), *text;

    text = text_printf(HEAD ".visible .entry k(.param .u64 a)\n%s{\n" REGS "%sret;\n}\n", bounds,
                       code);
    *p = load(text, &fermi, lower);
    free(code), free(text);
    return program_kernel(*p, "k", NULL);
}

static void check_bounds(const char *bounds, u32 least, u32 most)
{
    struct program *p;
    const struct func *f = bounded(&p, bounds, true);

    assert_in_range(f->regs, least, most);
    assert_int_equal(f->n_spill != 0, most < 50);
    program_free(p);
}

/* 32768 / (256 * 5) is 25.6, which in fours is 24. */
static void launch_bounds_limit_registers(void **state)
{
    (void)state;
    check_bounds("", 50, 63);
    check_bounds(".maxntid 256, 1, 1\n.minnctapersm 5\n", 21, 24);
    check_bounds(".maxntid 16, 16, 1\n.minnctapersm 4\n", 25, 32);
    check_bounds(".reqntid 256, 1, 1\n.minnctapersm 5\n", 21, 24);
    check_bounds(".maxntid 225, 1, 1\n.minnctapersm 5\n", 21, 24); /* whole warps */
    check_bounds(".maxntid 1024, 1, 1\n", 29, 32);                 /* one must fit at all */
    check_bounds(".maxntid 256, 1, 1\n", 50, 63);
}

/* More CTAs than an SM holds, or CTAs of nobody knows how many threads. */
static void bounds_that_cannot_be_met_are_ignored(void **state)
{
    (void)state;
    check_bounds(".maxntid 64, 1, 1\n.minnctapersm 9\n", 50, 63);
    check_bounds(".maxntid 512, 1, 1\n.minnctapersm 4\n", 50, 63);
    check_bounds(".minnctapersm 5\n", 50, 63);
}

static void without_lowering_nothing_is_limited(void **state)
{
    struct program *p;

    (void)state;
    assert_true(bounded(&p, ".maxntid 256, 1, 1\n.minnctapersm 5\n", false)->regs >= 50);
    program_free(p);
}

/* A kernel with n values of its own that live across its call of f, which has m. */
static char *caller(u32 n, u32 m)
{
    char *own = body(n), *theirs = body(m), *cut = strstr(own, "add.u32");
    char *text = text_printf(HEAD ".func f(.param .u64 a)\n{\n" REGS "%sret;\n}\n"
                                  ".visible .entry k(.param .u64 a)\n{\n" REGS
                                  "%.*s{ .param .b64 x; add.s64 %%d2, %%d1, 1024;\n"
                                  "st.param.b64 [x], %%d2; call f, (x); }\n%sret;\n}\n",
                             theirs, (int)(cut - own), own, cut);

    free(own), free(theirs);
    return text;
}

static void a_kernel_and_its_callee_stay_within_the_cap(void **state)
{
    (void)state;
    char *text = caller(40, 40);
    struct program *p = load(text, &fermi, true);
    const struct func *f = program_kernel(p, "k", NULL);

    assert_true(f->regs <= 63);
    assert_in_range(f->n_spill, 17, 25); /* 63 less some 42 of f leaves 21 or so of 42 */
    assert_int_equal(p->func[0].n_spill, 0);
    program_free(p);
    free(text);

    text = caller(20, 30); /* side by side: nothing is spilled */
    p = load(text, &fermi, true);
    f = program_kernel(p, "k", NULL);
    assert_int_equal(f->n_spill, 0);
    assert_int_equal(f->regs, align_up(f->n_row, 2) + p->func[0].n_row);
    program_free(p);
    free(text);
}

/* What f adds it adds elsewhere; the kernel's own sums are those of its input. */
static void spilled_across_a_call_values_are_right(void **state)
{
    (void)state;
    char *text = caller(40, 40);
    u32 in[512], out[512];
    struct kit k;

    for (u32 i = 0; i < LEN(in); i++)
        in[i] = i * i + 7;
    kit_open(&k, text, KIT_LOWER, NULL);
    u64 a = kit_buf(&k, in, sizeof in);
    kit_run(&k, "k", 1, 1, KIT_ARGS(a));
    kit_get(&k, a, out, sizeof out);
    for (u32 i = 0; i < 40; i++) {
        assert_int_equal(out[i], in[i] + in[39 - i]);
        assert_int_equal(out[256 + i], in[256 + i] + in[256 + 39 - i]);
    }
    kit_close(&k);
    free(text);
}

/* f(n) = n ? n + f(n - 1) : 0 */
static const char recursive[] =
    HEAD ".func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %r<6>; .reg .pred %p;\n"
         "ld.param.u32 %r1, [a]; mov.u32 %r3, 0; setp.eq.u32 %p, %r1, 0; @%p bra E;\n"
         "add.u32 %r2, %r1, -1;\n"
         "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), f, (x);\n"
         "ld.param.u32 %r4, [y]; }\nadd.u32 %r3, %r4, %r1;\n"
         "E: st.param.b32 [r], %r3; ret;\n}\n"
         ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<6>; .reg .b64 %d<3>;\n"
         "ld.param.u64 %d1, [a]; mov.u32 %r1, 20;\n"
         "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f, (x);\n"
         "ld.param.u32 %r2, [y]; }\nst.global.u32 [%d1], %r2; ret;\n}\n";

/* There is one register file, however deep the calls: what f needs after its call is in memory. */
static void a_recursive_function_keeps_nothing_in_registers(void **state)
{
    (void)state;
    struct program *p = load(recursive, &fermi, true);
    struct kit k;
    u32 sum;

    assert_true(p->func[0].n_spill > 0);
    assert_int_equal(p->func[0].regs, p->func[0].n_row);
    program_free(p);

    kit_open(&k, recursive, KIT_LOWER, NULL);
    u64 a = kit_buf(&k, NULL, 4);
    kit_run(&k, "k", 1, 1, KIT_ARGS(a));
    kit_get(&k, a, &sum, 4);
    assert_int_equal(sum, 210);
    kit_close(&k);
}

/* Of two kernels that call f, the one with bounds decides what f may take. */
static void a_function_obeys_the_tightest_kernel_that_reaches_it(void **state)
{
    (void)state;
    char *theirs = body(50);
    char *text =
        text_printf(HEAD ".func f(.param .u64 a)\n{\n" REGS "%sret;\n}\n"
                         ".visible .entry k(.param .u64 a)\n.maxntid 256, 1, 1\n"
                         ".minnctapersm 5\n{\n" REGS "ld.param.u64 %%d1, [a];\n"
                         "{ .param .b64 x; st.param.b64 [x], %%d1; call f, (x); }\nret;\n}\n"
                         ".visible .entry l(.param .u64 a)\n{\n" REGS "ld.param.u64 %%d1, [a];\n"
                         "{ .param .b64 x; st.param.b64 [x], %%d1; call f, (x); }\nret;\n}\n",
                    theirs);
    struct program *p = load(text, &fermi, true);

    assert_true(p->func[0].n_row <= 24);
    assert_true(program_kernel(p, "k", NULL)->regs <= 24);
    program_free(p);
    free(theirs), free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(launch_bounds_limit_registers),
    cmocka_unit_test(bounds_that_cannot_be_met_are_ignored),
    cmocka_unit_test(without_lowering_nothing_is_limited),
    cmocka_unit_test(a_kernel_and_its_callee_stay_within_the_cap),
    cmocka_unit_test(spilled_across_a_call_values_are_right),
    cmocka_unit_test(a_recursive_function_keeps_nothing_in_registers),
    cmocka_unit_test(a_function_obeys_the_tightest_kernel_that_reaches_it),
};

TEST_MAIN(tests)
