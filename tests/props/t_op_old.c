/*
 * t_op_old.c -- what old compilers wrote: prototypes without a semicolon, registers and local
 * variables outside functions, parameters in registers, 64-bit code that does not say so
 *
 * Kernels read a word for each thread from `in` and write what the comment of the case says.
 */
#include "tests/props/op_job.h"

enum { N = 64 };

#define OLD(version) ".version " version "\n.target sm_20\n"
#define KERNEL(text)                                                                               \
    ".entry k(.param .u64 in, .param .u64 out)\n{\n.reg .u32 %r<8>; .reg .u64 %d<6>; .reg .pred "  \
    "%p<4>; .reg .f32 %f<8>;\nld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r1, "      \
    "%tid.x; mul.wide.u32 %d3, %r1, 4; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;\n"            \
    "ld.global.u32 %r1, [%d1];\n" text "\nst.global.u32 [%d2], %r2;\nexit;\n}\n"

static u32 in[N], want[N];

/* want[i] is worked out by `ref` from in[i]. */
static void check(const char *what, const char *text, u32 (*ref)(u32 a))
{
    u64 seed = 5;

    for (u32 i = 0; i < N; i++) {
        in[i] = i < 8 ? i : (u32)op_random(&seed);
        want[i] = ref(in[i]);
    }
    op_job_check(what, text,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = N});
}

static u32 times_3(u32 a)
{
    return 3 * a;
}

static u32 plus_7(u32 a)
{
    return a + 7;
}

static u32 is_even(u32 a)
{
    return a % 2 == 0 ? 10 : 20;
}

static u32 sum_of_four(u32 a)
{
    return a + 2 * a + 3 * a + 4 * a;
}

#define TRIPLE_HEAD ".func (.param .u32 r) triple (.param .u32 a)"
#define TRIPLE                                                                                     \
    ".visible " TRIPLE_HEAD "\n{\n.reg .u32 %r<3>; ld.param.u32 %r1, [a]; mul.lo.u32 %r1, %r1, "   \
    "3; st.param.u32 [r], %r1; ret;\n}\n"

static void a_prototype_needs_no_semicolon(void **state)
{
    (void)state;
    check("before .visible",
          OLD("2.3") ".address_size 64\n.extern " TRIPLE_HEAD
                     "\n" TRIPLE KERNEL("call (%r2), triple, (%r1);"),
          times_3);
    check("before .entry",
          OLD("2.3") ".address_size 64\n" TRIPLE_HEAD "\n" KERNEL("call (%r2), triple, (%r1);")
              TRIPLE,
          times_3);
    check("before a variable, and at the end",
          OLD("2.3") ".address_size 64\n.extern " TRIPLE_HEAD "\n.global .u32 x;\n" TRIPLE KERNEL(
              "call (%r2), triple, (%r1);") ".extern .func other (.param .u32 a)",
          times_3);
}

/* %g is one register for kernel and functions; f names it, between does not. */
#define MODULE_REG                                                                                 \
    OLD("2.2")                                                                                     \
    ".reg .u32 %g<2>; .reg .u64 %w; .reg .pred %q; .reg .v2 .u32 %v;\n"                            \
    ".func f ()\n{\nadd.u32 %g1, %g1, 3; add.u64 %w, %w, 4; not.pred %q, %q; mov.u32 %v.y, "       \
    "%v.x;\n"                                                                                      \
    "}\n.func between ()\n{\ncall f; ret;\n}\n"

static void a_register_of_the_module_is_one_for_all_functions(void **state)
{
    (void)state;
    check("module .reg",
          MODULE_REG KERNEL("mov.u32 %g1, %r1; mov.u64 %w, 0; call between; cvt.u32.u64 %r3, %w; "
                            "add.u32 %r2, %g1, %r3;"),
          plus_7);
    check("module .reg .pred",
          MODULE_REG KERNEL("and.b32 %r3, %r1, 1; setp.eq.u32 %q, %r3, 1; call between; "
                            "selp.u32 %r2, 10, 20, %q;"),
          is_even);
    check("module .reg .v2",
          MODULE_REG KERNEL(
              "add.u32 %v.x, %r1, 7; mov.u32 %v.y, 0; call between; mov.u32 %r2, %v.y;"),
          plus_7);
    check(
        "hidden by a register of its own",
        MODULE_REG KERNEL("add.u32 %r2, %r1, 7; { .reg .u32 %g1; mov.u32 %g1, 1; } call between;"),
        plus_7);
}

/* A thread has its own; the kernel's array beside it is not touched. */
static void a_local_variable_of_the_module_is_one_for_all_functions(void **state)
{
    (void)state;
    check(
        "module .local",
        OLD("2.2") ".local .u32 l[2];\n.local .align 8 .b8 big[16];\n"
                   ".func f ()\n{\n.reg .u32 %r<3>; ld.local.u32 %r1, [l+4]; add.u32 %r1, %r1, 3; "
                   "st.local.u32 [l+4], %r1; ret;\n}\n" KERNEL(
                       ".local .u32 own; st.local.u32 [own], 4; st.local.u32 [l+4], %r1; call f; "
                       "ld.local.u32 %r2, [l+4]; ld.local.u32 %r3, [own]; add.u32 %r2, %r2, %r3;"),
        plus_7);
    check(
        "module .local through its address",
        OLD("2.2") ".local .u32 l[2];\n" KERNEL(
            "st.local.u32 [l+4], %r1; mov.u64 %d4, l; ld.local.u32 %r2, [%d4+4]; add.u32 %r2, %r2, "
            "7;"),
        plus_7);
}

/* Without .address_size, a call through 64 bits says what the code is. */
static void calls_through_64_bits_need_no_address_size(void **state)
{
    (void)state;
    check("indirect call of PTX 2.1",
          OLD("2.1") TRIPLE KERNEL("mov.u64 %d4, triple;\nproto: .callprototype (.param .u32 _) _ "
                                   "(.param .u32 _);\ncall (%r2), %d4, (%r1), proto;"),
          times_3);
    check("indirect call through 32 bits",
          OLD("2.1") TRIPLE KERNEL("mov.u32 %r4, triple;\nproto: .callprototype (.param .u32 _) _ "
                                   "(.param .u32 _);\ncall (%r2), %r4, (%r1), proto;"),
          times_3);
}

/* ---- parameters that are predicates and vectors */

static void predicates_are_parameters_and_results(void **state)
{
    (void)state;
    check(".reg .pred",
          OLD("2.2") ".func (.reg .pred r) invert (.reg .pred a, .reg .u32 b)\n{\nnot.pred r, "
                     "a;\n}\n" KERNEL("and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 1; call (%p2), "
                                      "invert, (%p1, %r1); "
                                      "selp.u32 %r2, 10, 20, %p2;"),
          is_even);
}

#define FOUR "mul.lo.u32 %r4, %r1, 2; mul.lo.u32 %r5, %r1, 3; mul.lo.u32 %r6, %r1, 4;"

static void vectors_are_parameters_and_results(void **state)
{
    (void)state;
    check(
        ".reg .v4",
        OLD("2.2") ".func (.reg .u32 r) add4 (.reg .v4 .u32 a)\n{\nadd.u32 r, a.x, a.y; add.u32 r, "
                   "r, a.z; add.u32 r, r, a.w; ret;\n}\n" KERNEL(
                       FOUR "call (%r2), add4, ({%r1, %r4, %r5, %r6});"),
        sum_of_four);
    check(
        ".reg .v2 as a whole, and as a result",
        OLD("2.2") ".func (.reg .v2 .u32 r) swap (.reg .v2 .u32 a)\n{\nmov.u32 r.x, a.y; mov.u32 "
                   "r.y, a.x; ret;\n}\n" KERNEL(
                       ".reg .v2 .u32 v, w; mov.u32 v.x, 7; mov.u32 v.y, %r1; call (w), swap, (v); "
                       "add.u32 %r2, w.x, 7;"),
        plus_7);
    check(
        ".param .v4 .u32",
        OLD("2.2") ".func (.param .v2 .u32 r) add4 (.param .v4 .u32 a)\n{\n.reg .u32 %r<6>; "
                   "ld.param.v4.u32 {%r1, %r2, %r3, %r4}, [a]; add.u32 %r1, %r1, %r2; add.u32 %r1, "
                   "%r1, %r3; add.u32 %r1, %r1, %r4; st.param.v2.u32 [r], {%r2, %r1}; "
                   "ret;\n}\n" KERNEL(FOUR "call ({%r3, %r2}), add4, ({%r1, %r4, %r5, %r6});"),
        sum_of_four);
    check(
        ".param .v2 .u16",
        OLD("2.2") ".func (.param .u32 r) second (.param .v2 .u16 a)\n{\n.reg .u16 %h<3>; .reg "
                   ".u32 "
                   "%r<3>; ld.param.v2.u16 {%h1, %h2}, [a]; cvt.u32.u16 %r1, %h2; cvt.u32.u16 %r2, "
                   "%h1; shl.b32 %r1, %r1, 16; or.b32 %r1, %r1, %r2; st.param.u32 [r], %r1; "
                   "ret;\n}\n" KERNEL(
                       ".reg .u16 %h<3>; mov.b32 {%h1, %h2}, %r1; call (%r2), second, ({%h1, "
                       "%h2}); add.u32 %r2, %r2, 7;"),
        plus_7);
}

/* A loop back to the first instruction must not read the parameters again. */
static void the_first_instruction_may_be_a_loop(void **state)
{
    (void)state;
    check(
        "a loop from the first instruction",
        OLD("2.2") ".func (.reg .u32 r) count (.reg .u32 a, .reg .u32 n)\n{\n.reg .pred p;\n"
                   "L: add.u32 a, a, 1; sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra L; mov.u32 r, "
                   "a; ret;\n}\n" KERNEL("call (%r2), count, (%r1, 7);"),
        plus_7);
    check("a guarded first instruction",
          OLD("2.2") ".func (.reg .u32 r) add7 (.reg .u32 a, .reg .pred p)\n{\n@p add.u32 r, a, 7; "
                     "@!p mov.u32 r, 0; ret;\n}\n" KERNEL(
                         "setp.eq.u32 %p1, %r1, %r1; call (%r2), add7, (%r1, %p1);"),
          plus_7);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_prototype_needs_no_semicolon),
    cmocka_unit_test(a_register_of_the_module_is_one_for_all_functions),
    cmocka_unit_test(a_local_variable_of_the_module_is_one_for_all_functions),
    cmocka_unit_test(calls_through_64_bits_need_no_address_size),
    cmocka_unit_test(predicates_are_parameters_and_results),
    cmocka_unit_test(vectors_are_parameters_and_results),
    cmocka_unit_test(the_first_instruction_may_be_a_loop),
};

TEST_MAIN(tests)
