/*
 * t_op_ctrl.c -- branches, tables, calls, exits, barriers, fences, against what each thread should
 * do
 */
#include "tests/props/op_job.h"

enum { N = 256 };

/* 256 threads; w1 the thread, d2 its word of out, d1 in */
#define KERNEL                                                                                     \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"                                      \
    ".reg .b32 %w<16>; .reg .b64 %d<16>; .reg .pred %p<8>;\n"                                      \
    "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %w1, %tid.x; mad.wide.u32 %d2, "     \
    "%w1, 4, %d2;\n"
#define STORE(reg) "st.global.u32 [%d2], " reg ";\n"

static void check(const char *what, const char *text, u32 (*want)(u32 t))
{
    static u32 in[N], expected[N];

    for (u32 t = 0; t < N; t++)
        in[t] = t, expected[t] = want(t);
    op_job_check(what, text,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = expected,
                                 .n_want = sizeof expected,
                                 .grid = 1,
                                 .block = N});
}

/*
 * ---- branches: a loop of t % 16 turns with a choice of three in it, then a tail of its own for
 * odd threads
 */

static const char loops[] =
    OP_HEAD KERNEL "and.b32 %w2, %w1, 15; mov.u32 %w3, 0;\n"
                   "LOOP: setp.eq.u32 %p1, %w2, 0; @%p1 bra DONE;\n"
                   "and.b32 %w4, %w2, 3; setp.eq.u32 %p2, %w4, 0; @%p2 bra ZERO; setp.eq.u32 %p2, "
                   "%w4, 1; @!%p2 bra MANY;\n"
                   "add.u32 %w3, %w3, 100; bra.uni NEXT;\n"
                   "ZERO: add.u32 %w3, %w3, 10000; bra NEXT;\n"
                   "MANY: add.u32 %w3, %w3, %w4;\n"
                   "NEXT: sub.u32 %w2, %w2, 1; bra.uni LOOP;\n"
                   "DONE: and.b32 %w4, %w1, 1; setp.eq.u32 %p3, %w4, 1; @%p3 bra ODD;\n" STORE(
                       "%w3") "ret;\n"
                              "ODD: add.u32 %w3, %w3, 7000000;\n" STORE("%w3") "ret.uni;\n}\n";

static u32 want_loops(u32 t)
{
    u32 sum = 0;

    for (u32 n = t & 15; n; n--)
        sum += n % 4 == 0 ? 10000 : n % 4 == 1 ? 100 : n % 4;
    return sum + (t & 1 ? 7000000 : 0);
}

static void bra_and_ret_in_loops_that_diverge(void **state)
{
    (void)state;
    check("bra, ret", loops, want_loops);
}

/* ---- exit: in main code, in a branch, and from inside a function */

static const char leaving[] = OP_HEAD
    ".func f(.param .b32 a)\n{\n.reg .b32 %w<4>; .reg .pred %p<2>;\n"
    "ld.param.b32 %w1, [a]; and.b32 %w2, %w1, 7; setp.eq.u32 %p1, %w2, 6; @%p1 exit; "
    "ret;\n}\n" KERNEL "and.b32 %w2, %w1, 7; setp.eq.u32 %p1, %w2, 0; @%p1 "
    "exit;\n" STORE("1") "setp.eq.u32 %p2, %w2, 1; @!%p2 bra ON; "
                         "exit;\nON:" STORE("2") "setp.gt.u32 %p3, %w2, 4; @!%p3 "
                                                 "bra OVER;\n"
                                                 "{\n.param .b32 a; st.param.b32 "
                                                 "[a], %w1; call f, "
                                                 "(a);\n}\n" STORE("3") "OVER: setp.eq.u32 %p4, "
                                                                        "%w2, 3; @%p4 ret;\n"
                                                                        "ld.global.u32 %w3, "
                                                                        "[%d2]; add.u32 %w3, "
                                                                        "%w3, 10;\n" STORE(
                                                                            "%w3") "exit;\n}\n";

static u32 want_leaving(u32 t)
{
    static const u32 want[8] = {0xeeeeeeee, 1, 12, 2, 12, 13, 2, 13};

    return want[t & 7];
}

static void exit_takes_lanes_out_wherever_they_are(void **state)
{
    (void)state;
    check("exit", leaving, want_leaving);
}

/* ---- brx: four targets, one of them twice; threads that fail the guard fall through */

static const char tables[] =
    OP_HEAD KERNEL "rem.u32 %w2, %w1, 5; setp.lt.u32 %p1, %w2, 4; mov.u32 %w3, 9;\n"
                   "T: .branchtargets A, B, A, C;\n"
                   "@%p1 brx.idx %w2, T;\n"
                   "add.u32 %w3, %w3, 1000; bra.uni JOIN;\n"
                   "A: add.u32 %w3, %w3, 100; bra.uni JOIN;\n"
                   "B: add.u32 %w3, %w3, 200;\n"
                   "C: add.u32 %w3, %w3, 300;\n"
                   "JOIN: mov.u32 %w4, 1;\n"
                   "U: .branchtargets X, Y;\n"
                   "brx.idx.uni %w4, U;\n"
                   "X: add.u32 %w3, %w3, 50000;\n"
                   "Y: add.u32 %w3, %w3, 70000;\n" STORE("%w3") "ret;\n}\n";

static u32 want_tables(u32 t)
{
    static const u32 want[5] = {109, 509, 109, 309, 1009};

    return want[t % 5] + 70000;
}

static void brx_idx_goes_where_each_lane_says(void **state)
{
    (void)state;
    check("brx.idx", tables, want_tables);
}

static void brx_idx_past_its_table_is_an_error(void **state)
{
    struct kit k;
    char text[sizeof tables];

    (void)state;
    memcpy(text, tables, sizeof tables);
    memcpy(strstr(text, "%w4, 1;"), "%w4, 2;", 7);
    kit_open(&k, text, KIT_LOWER, NULL);
    u64 a = kit_buf(&k, NULL, 4 * N);

    assert_false(kit_try(&k, "k", 1, N, KIT_ARGS(a, a)));
    assert_non_null(strstr(k.e.msg, "brx.idx: index 2"));
    kit_close(&k);
}

/* ---- calls: by a table of addresses, with a prototype and with a list of targets */

static const char by_address[] = OP_HEAD
    ".func (.param .b32 r) plus(.param .b32 a)\n{\n.reg .b32 %w<4>;\nld.param.b32 %w1, [a]; "
    "add.u32 %w1, %w1, 5; st.param.b32 [r], %w1; ret;\n}\n"
    ".func (.param .b32 r) times(.param .b32 a)\n{\n.reg .b32 %w<4>;\nld.param.b32 %w1, [a]; "
    "mul.lo.u32 %w1, %w1, 7; st.param.b32 [r], %w1; ret;\n}\n"
    ".func (.param .b32 r) both(.param .b32 a)\n{\n.reg .b32 %w<4>;\n.param .b32 x; .param .b32 "
    "y;\n"
    "ld.param.b32 %w1, [a]; st.param.b32 [x], %w1; call (y), times, (x); ld.param.b32 %w1, [y];\n"
    "st.param.b32 [x], %w1; call (y), plus, (x); ld.param.b32 %w1, [y]; st.param.b32 [r], %w1; "
    "ret;\n}\n"
    ".global .align 8 .u64 tab[3] = {plus, times, both};\n" KERNEL
    "rem.u32 %w2, %w1, 3; mov.u64 %d3, tab; mad.wide.u32 %d3, %w2, 8, %d3; ld.global.u64 %d4, "
    "[%d3];\n"
    "and.b32 %w3, %w1, 16; setp.eq.u32 %p1, %w3, 0; mov.u32 %w5, 1000000;\n"
    ".param .b32 x; .param .b32 y;\n"
    "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    "Q: .calltargets plus, times, both;\n"
    "st.param.b32 [x], %w1; call (y), %d4, (x), P; ld.param.b32 %w4, [y];\n"
    "st.param.b32 [x], %w4; st.param.b32 [y], %w5; @%p1 call (y), %d4, (x), Q; ld.param.b32 %w5, "
    "[y];\n"
    "add.u32 %w4, %w4, %w5;\n" STORE("%w4") "ret;\n}\n";

static u32 called(u32 which, u32 a)
{
    return which == 0 ? a + 5 : which == 1 ? a * 7 : a * 7 + 5;
}

static u32 want_by_address(u32 t)
{
    u32 first = called(t % 3, t);

    return first + (t & 16 ? 1000000 : called(t % 3, first));
}

static void call_through_a_table_of_addresses(void **state)
{
    (void)state;
    check("call", by_address, want_by_address);
}

static const char recursion[] =
    OP_HEAD ".func (.param .b32 r) sum(.param .b32 n);\n"
            ".func (.param .b32 r) sum(.param .b32 n)\n{\n.reg .b32 %w<4>; .reg .pred "
            "%p<2>;\n.param .b32 x; .param .b32 y;\n"
            "ld.param.b32 %w1, [n]; setp.eq.u32 %p1, %w1, 0; @%p1 bra END;\n"
            "sub.u32 %w2, %w1, 1; st.param.b32 [x], %w2; call.uni (y), sum, (x); ld.param.b32 %w3, "
            "[y]; add.u32 %w1, %w1, %w3;\n"
            "END: st.param.b32 [r], %w1; ret;\n}\n"
            ".func (.reg .b32 %r) three(.reg .b32 %a, .reg .b32 %b)\n{\nmad.lo.u32 %r, %a, 3, %b; "
            "ret;\n}\n" KERNEL "and.b32 %w2, %w1, 7;\n{\n.param .b32 x; .param .b32 y;\n"
            "st.param.b32 [x], %w2; call.uni (y), sum, (x); ld.param.b32 %w3, [y];\n}\n"
            "call.uni (%w4), three, (%w3, %w1);\n" STORE("%w4") "ret;\n}\n";

static u32 want_recursion(u32 t)
{
    u32 n = t & 7;

    return n * (n + 1) / 2 * 3 + t;
}

static void call_uni_recursive_and_with_register_parameters(void **state)
{
    (void)state;
    check("call.uni", recursion, want_recursion);
}

/* ---- barriers: mirrored through shared memory; producers that only arrive; two halves apart */

static const char barriers[] = OP_HEAD KERNEL
    ".shared .align 4 .b8 sh[1024]; .shared .align 4 .b8 s2[1024];\n"
    "mov.u32 %w2, sh; mad.lo.u32 %w2, %w1, 4, %w2; xor.b32 %w3, %w1, 255; mov.u32 %w4, sh; "
    "mad.lo.u32 %w4, %w3, 4, %w4;\n"
    "st.shared.u32 [%w2], %w1; bar.sync 0; ld.shared.u32 %w5, [%w4];\n"
    "barrier.sync 1, 256; add.u32 %w6, %w5, 1; st.shared.u32 [%w2], %w6; barrier.sync.aligned 2; "
    "ld.shared.u32 %w5, [%w4];\n"
    "setp.lt.u32 %p1, %w1, 128; mov.u32 %w7, s2; mad.lo.u32 %w8, %w1, 4, %w7; bar.sync 0;\n"
    "@!%p1 bra TAKE;\n"
    "mul.lo.u32 %w9, %w5, 3; st.shared.u32 [%w8], %w9; bar.arrive 3, 256; bar.sync 4, 128; mov.u32 "
    "%w12, 5; barrier.arrive 6, 256; bra.uni JOIN;\n"
    "TAKE: mov.u32 %w11, 3; mov.u32 %w12, 256; bar.sync %w11, %w12; ld.shared.u32 %w9, [%w8+-512]; "
    "add.u32 %w5, %w5, %w9; bar.sync 5, 128; bar.sync 6, 256;\n"
    "JOIN: bar.sync 0;\n" STORE("%w5") "ret;\n}\n";

static u32 want_barriers(u32 t)
{
    u32 mine = t + 1; /* the mirrored thread holds 255 - (255 - t) + 1 */

    return t < 128 ? mine : mine + 3 * (t - 128 + 1);
}

static void bar_sync_and_arrive_order_shared_memory(void **state)
{
    (void)state;
    check("bar", barriers, want_barriers);
}

static const char reductions[] =
    OP_HEAD KERNEL "rem.u32 %w2, %w1, 3; setp.eq.u32 %p1, %w2, 0; setp.lt.u32 %p2, %w1, 256; "
                   "setp.eq.u32 %p3, %w1, 77; setp.gt.u32 %p4, %w1, 999;\n"
                   "bar.red.popc.u32 %w3, 0, %p1; bar.red.popc.u32 %w4, 1, 256, !%p1; "
                   "barrier.red.popc.u32 %w10, 2, %p3;\n"
                   "bar.red.and.pred %p5, 0, %p2; selp.u32 %w5, 1, 0, %p5; bar.red.and.pred %p5, "
                   "0, %p1; selp.u32 %w6, 2, 0, %p5;\n"
                   "bar.red.or.pred %p6, 0, 256, %p3; selp.u32 %w7, 4, 0, %p6; bar.red.or.pred "
                   "%p6, 0, %p4; selp.u32 %w8, 8, 0, %p6;\n"
                   "bar.red.or.pred %p6, 0, !%p4; selp.u32 %w9, 16, 0, %p6; or.b32 %w5, %w5, %w6; "
                   "or.b32 %w5, %w5, %w7; or.b32 %w5, %w5, %w8; or.b32 %w5, %w5, %w9;\n"
                   "mad.lo.u32 %w5, %w3, 100, %w5; mad.lo.u32 %w5, %w4, 100000, %w5; mad.lo.u32 "
                   "%w5, %w10, 100000000, %w5;\n" STORE("%w5") "ret;\n}\n";

static u32 want_reductions(u32 t)
{
    (void)t;
    return 100000000 + 170 * 100000 + 86 * 100 + 1 + 4 + 16;
}

static void bar_red_counts_and_combines(void **state)
{
    (void)state;
    check("bar.red", reductions, want_reductions);
}

/* ---- fences and hints: no effect on values, with and without a guard */

static const char fences[] = OP_HEAD KERNEL
    "setp.lt.u32 %p1, %w1, 100; mov.u32 %w2, 20; .local .align 4 .b8 lo[16];\n" STORE(
        "%w1") "membar.cta; membar.gl; membar.sys; fence.sc.cta; fence.sc.gpu; fence.sc.sys; "
               "fence.acq_rel.cta; fence.acq_rel.gpu; fence.acq_rel.sys;\n"
               "@%p1 membar.gl; @%p1 fence.acq_rel.gpu; nanosleep.u32 100; nanosleep.u32 %w2; @%p1 "
               "nanosleep.u32 5; brkpt; @%p1 brkpt;\n"
               "bar.warp.sync 0xffffffff; bar.warp.sync -1;\n"
               "mov.u64 %d3, lo; cvta.local.u64 %d4, %d3; prefetch.global.L1 [%d2]; "
               "prefetch.global.L2 [%d2+4]; prefetch.local.L1 [%d3]; prefetch.L1 [%d4];\n"
               "prefetchu.L1 [%d2]; prefetch.global.L2 [0];\n"
               "ld.global.u32 %w3, [%d2]; add.u32 %w3, %w3, 1;\n" STORE("%w3") "ret;\n}\n";

static u32 want_next(u32 t)
{
    return t + 1;
}

static void fences_sleeps_and_prefetches_change_no_value(void **state)
{
    (void)state;
    check("fences", fences, want_next);
}

/* ---- trap: only if a lane comes to it */

static const char traps[] = OP_HEAD KERNEL
    "ld.global.u32 %w2, [%d1]; setp.eq.u32 %p1, %w1, %w2; @%p1 trap; add.u32 %w3, %w1, 1;\n" STORE(
        "%w3") "ret;\n}\n";

static void trap_stops_the_kernel_and_names_the_thread(void **state)
{
    struct kit k;
    u32 never = 5000, hit = 70;

    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        kit_open(&k, traps, mode, NULL);
        u64 out = kit_buf(&k, NULL, 4 * N), no = kit_buf(&k, &never, 4), yes = kit_buf(&k, &hit, 4);

        kit_run(&k, "k", 1, N, KIT_ARGS(no, out));
        assert_false(kit_try(&k, "k", 1, N, KIT_ARGS(yes, out)));
        assert_non_null(strstr(k.e.msg, "trap"));
        assert_non_null(strstr(k.e.msg, "thread 70,0,0"));
        assert_int_equal(k.e.status, ERR_PROGRAM);
        kit_close(&k);
    }
}

/* The list the census reads must not promise more than the kernels above hold. */
static void every_listed_form_is_in_its_kernel(void **state)
{
    static const struct {
        const char *form, *text;
    } list[] = {
#define CTRL(form, text) {form " ", text}, {form ";", text},
#include "tests/props/forms_ctrl.inc"
#undef CTRL
    };

    (void)state;
    for (u32 i = 0; i < LEN(list); i += 2)
        if (!strstr(list[i].text, list[i].form) && !strstr(list[i].text, list[i + 1].form))
            fail_msg("%s is listed but not tested", list[i].form);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bra_and_ret_in_loops_that_diverge),
    cmocka_unit_test(exit_takes_lanes_out_wherever_they_are),
    cmocka_unit_test(brx_idx_goes_where_each_lane_says),
    cmocka_unit_test(brx_idx_past_its_table_is_an_error),
    cmocka_unit_test(call_through_a_table_of_addresses),
    cmocka_unit_test(call_uni_recursive_and_with_register_parameters),
    cmocka_unit_test(bar_sync_and_arrive_order_shared_memory),
    cmocka_unit_test(bar_red_counts_and_combines),
    cmocka_unit_test(fences_sleeps_and_prefetches_change_no_value),
    cmocka_unit_test(trap_stops_the_kernel_and_names_the_thread),
    cmocka_unit_test(every_listed_form_is_in_its_kernel),
};

TEST_MAIN(tests)
