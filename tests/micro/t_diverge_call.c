/* t_diverge_call.c -- functions entered and left by some lanes of a warp */
#include "tests/micro/diverge.h"

/* ---- one function */

#define TWICE                                                                                      \
    ".func (.param .b32 r) twice(.param .b32 x)\n{.reg .b32 %a;\n"                                 \
    "MARK 1;\n"                                                                                    \
    "ld.param.u32 %a, [x]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret;}\n"

static u32 guarded_call_out(u32 t)
{
    return t < 8 ? 2 * t : t;
}

/* Only lanes 0..7 enter; the others wait behind the call. */
static void a_guarded_call_is_entered_by_its_lanes(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = TWICE,
        .body = "setp.lt.u32 %p1, %t, 8; mov.u32 %r2, %t;\n"
                "{.param .b32 a, b; st.param.b32 [a], %t;\n"
                "@%p1 call (b), twice, (a);\n"
                "@%p1 ld.param.b32 %r2, [b];}\n"
                "MARK 2;\n"
                "OUT %r2;\n",
        .out = guarded_call_out,
        .log = {LOG({1, 0x000000ff}, {2, 0xffffffff})},
    });
}

static u32 both_calls_out(u32 t)
{
    return t < 16 ? 2 * t : 200;
}

/* The side that jumps (0..15) calls first. */
static void both_sides_of_a_branch_call_the_same_function(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = TWICE,
        .body = "setp.lt.u32 %p1, %t, 16; @%p1 bra A; call (%r2), twice, (100); bra E;\n"
                "A: call (%r2), twice, (%t);\n"
                "E: MARK 2;\n"
                "OUT %r2;\n",
        .out = both_calls_out,
        .log = {LOG({1, 0x0000ffff}, {1, 0xffff0000}, {2, 0xffffffff})},
    });
}

static u32 odd_out(u32 t)
{
    return t & 1 ? 7 : t + 1;
}

/* Odd lanes are back already while even ones run on; behind the call all are together. */
static void a_divergent_return_meets_behind_the_call(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".func (.param .b32 r) f(.param .b32 x)\n"
                  "{.reg .b32 %a, %b; .reg .pred %o;\n"
                  "ld.param.u32 %a, [x]; and.b32 %b, %a, 1; setp.ne.u32 %o, %b, 0;\n"
                  "st.param.b32 [r], 7;\n"
                  "@%o ret;\n"
                  "MARK 1;\n"
                  "add.u32 %a, %a, 1; st.param.b32 [r], %a; ret;}\n",
        .body = "call (%r2), f, (%t);\n"
                "MARK 2;\n"
                "OUT %r2;\n",
        .out = odd_out,
        .log = {LOG({1, 0x55555555}, {2, 0xffffffff})},
    });
}

static u32 two_returns_out(u32 t)
{
    return t < 12 ? 1 : 2;
}

/* A function with a return on each side of an if: its sides meet behind the call, not in it. */
static void returns_on_both_sides_meet_behind_the_call(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".func (.param .b32 r) f(.param .b32 x)\n"
                  "{.reg .b32 %a; .reg .pred %q;\n"
                  "ld.param.u32 %a, [x]; setp.lt.u32 %q, %a, 12; @%q bra A;\n"
                  "MARK 1;\n"
                  "st.param.b32 [r], 2; ret;\n"
                  "A: MARK 2;\n"
                  "st.param.b32 [r], 1; ret;}\n",
        .body = "call (%r2), f, (%t);\n"
                "MARK 3;\n"
                "OUT %r2;\n",
        .out = two_returns_out,
        .log = {LOG({2, 0x00000fff}, {1, 0xfffff000}, {3, 0xffffffff})},
    });
}

/* Lanes that exit in a function do not come back from it, nor does anyone wait for them. */
static void an_exit_in_a_function_ends_the_thread(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".func f(.param .b32 x)\n"
                  "{.reg .b32 %a; .reg .pred %q; ld.param.u32 %a, [x];\n"
                  "setp.ge.u32 %q, %a, 24; @%q exit;\n"
                  "MARK 1;\n"
                  "ret;}\n",
        .body = "setp.lt.u32 %p1, %t, 4; call f, (%t);\n"
                "MARK 2;\n"
                "@%p1 bra E;\n"
                "MARK 3;\n"
                "E: MARK 4;\n",
        .log = {LOG({1, 0x00ffffff}, {2, 0x00ffffff}, {3, 0x00fffff0}, {4, 0x00ffffff})},
    });
}

static u32 sum_out(u32 t)
{
    u32 n = t & 3;

    return n * (n + 1) / 2;
}

/* The loop is in the function: sum of 1..t%4.  Its trips are those of the lane with the most. */
static void a_loop_in_a_function_meets_before_it_returns(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".func (.param .b32 r) f(.param .b32 x)\n"
                  "{.reg .b32 %a, %s; .reg .pred %q;\n"
                  "ld.param.u32 %a, [x]; mov.u32 %s, 0;\n"
                  "L: setp.eq.u32 %q, %a, 0; @%q bra E;\n"
                  "MARK 1;\n"
                  "add.u32 %s, %s, %a; sub.u32 %a, %a, 1; bra L;\n"
                  "E: MARK 2;\n"
                  "st.param.b32 [r], %s; ret;}\n",
        .body = "and.b32 %r1, %t, 3; call (%r2), f, (%r1);\n"
                "MARK 3;\n"
                "OUT %r2;\n",
        .out = sum_out,
        .log = {LOG({1, 0xeeeeeeee}, {1, 0xcccccccc}, {1, 0x88888888}, {2, 0xffffffff},
                    {3, 0xffffffff})},
    });
}

static u32 outer_out(u32 t)
{
    return (t < 16 ? 2 * t : t) + 1;
}

/* f calls twice for lanes 0..15 only; both levels are whole again when their call is over. */
static void a_call_in_a_divergent_part_of_a_function(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = TWICE ".func (.param .b32 r) f(.param .b32 x)\n"
                        "{.reg .b32 %a; .reg .pred %q;\n"
                        "ld.param.u32 %a, [x]; setp.ge.u32 %q, %a, 16; @%q bra E;\n"
                        "call (%a), twice, (%a);\n"
                        "MARK 2;\n"
                        "E: MARK 3;\n"
                        "add.u32 %a, %a, 1; st.param.b32 [r], %a; ret;}\n",
        .body = "call (%r2), f, (%t);\n"
                "MARK 4;\n"
                "OUT %r2;\n",
        .out = outer_out,
        .log = {LOG({1, 0x0000ffff}, {2, 0x0000ffff}, {3, 0xffffffff}, {4, 0xffffffff})},
    });
}

/* ---- recursion */

static u32 factorial_out(u32 t)
{
    static const u32 f[] = {1, 1, 2, 6};

    return f[t & 3];
}

/*
 * n = t % 4.  Each level (1) is entered by the lanes with n left above 0, the others wait at Z.  On
 * the way back a level goes on behind its call (2), and has all lanes that entered it at its end
 * (3).
 */
static void recursion_goes_as_deep_as_each_lane_needs(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".func (.param .b32 r) fact(.param .b32 n);\n"
                  ".func (.param .b32 r) fact(.param .b32 n)\n"
                  "{.reg .b32 %a, %b; .reg .pred %q;\n"
                  "MARK 1;\n"
                  "ld.param.u32 %a, [n]; setp.eq.u32 %q, %a, 0; @%q bra Z;\n"
                  "sub.u32 %b, %a, 1; call (%b), fact, (%b);\n"
                  "MARK 2;\n"
                  "mul.lo.u32 %b, %a, %b; bra E;\n"
                  "Z: mov.u32 %b, 1;\n"
                  "E: MARK 3;\n"
                  "st.param.b32 [r], %b; ret;}\n",
        .body = "and.b32 %r1, %t, 3; call (%r2), fact, (%r1);\n"
                "MARK 4;\n"
                "OUT %r2;\n",
        .out = factorial_out,
        .log = {LOG({1, 0xffffffff}, {1, 0xeeeeeeee}, {1, 0xcccccccc}, {1, 0x88888888},
                    {3, 0x88888888}, {2, 0x88888888}, {3, 0xcccccccc}, {2, 0xcccccccc},
                    {3, 0xeeeeeeee}, {2, 0xeeeeeeee}, {3, 0xffffffff}, {4, 0xffffffff})},
    });
}

static u32 fibonacci(u32 n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static u32 fibonacci_out(u32 t)
{
    return fibonacci(t & 7);
}

/* Two calls a level, one after the other, so that frames are left and entered again. */
static void recursion_with_two_calls_a_level(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = ".func (.reg .u32 r) fib(.reg .u32 n)\n"
                  "{.reg .u32 %a, %b; .reg .pred %q;\n"
                  "setp.lt.u32 %q, n, 2; mov.u32 r, n; @%q ret; sub.u32 %a, n, 1;\n"
                  "call (%a), fib, (%a);\n"
                  "sub.u32 %b, n, 2; call (%b), fib, (%b); add.u32 r, %a, %b; ret;}\n",
        .body = "and.b32 %r1, %t, 7; call (%r2), fib, (%r1);\n"
                "MARK 1;\n"
                "OUT %r2;\n",
        .out = fibonacci_out,
        .log = {LOG({1, 0xffffffff})},
    });
}

/* ---- calls through a register */

#define TARGET(name, mark, what)                                                                   \
    ".func (.param .b32 r) " name "(.param .b32 x)\n{.reg .b32 %a;\n"                              \
    "MARK " #mark ";\n"                                                                            \
    "ld.param.u32 %a, [x];\n" what " st.param.b32 [r], %a; ret;}\n"

static const char three[] =
    TARGET("inc", 10, "add.u32 %a, %a, 1;") TARGET("dbl", 11, "shl.b32 %a, %a, 1;")
        TARGET("neg", 12, "neg.s32 %a, %a;") ".global .u64 tab[4] = {inc, dbl, neg, neg};\n";

#define LOOK_UP                                                                                    \
    "and.b32 %r1, %t, 3; mul.wide.u32 %d1, %r1, 8; mov.u64 %d2, tab; add.u64 %d2, %d2, %d1;\n"     \
    "ld.global.u64 %d3, [%d2];\n"

static u32 indirect_out(u32 t)
{
    return (t & 3) == 0 ? t + 1 : (t & 3) == 1 ? 2 * t : -t;
}

/*
 * Lanes with the same target go together: 1111.. to inc, 2222.. to dbl, cccc.. to neg; the last
 * first.
 */
static void an_indirect_call_visits_each_target_once(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = three,
        .body = LOOK_UP "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                        "call (%r2), %d3, (%t), P;\n"
                        "MARK 1;\n"
                        "OUT %r2;\n",
        .out = indirect_out,
        .log = {LOG({12, 0xcccccccc}, {11, 0x22222222}, {10, 0x11111111}, {1, 0xffffffff})},
    });
}

/* The same with a list of targets, and for lanes 0..15 only. */
static void a_guarded_indirect_call_takes_its_lanes_only(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = three,
        .body = LOOK_UP "setp.lt.u32 %p1, %t, 16; mov.u32 %r2, 5;\n"
                        "Q: .calltargets inc, dbl, neg;\n"
                        "{.param .b32 a, b; st.param.b32 [a], %t; @%p1 call (b), %d3, (a), Q;}\n"
                        "MARK 1;\n",
        .log = {LOG({12, 0x0000cccc}, {11, 0x00002222}, {10, 0x00001111}, {1, 0xffffffff})},
    });
}

/* An address that all lanes share is one visit. */
static void an_indirect_call_of_one_target_does_not_divide(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .before = three,
        .body = "mov.u64 %d3, dbl;\n"
                "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                "call (%r2), %d3, (%t), P;\n"
                "MARK 1;\n",
        .log = {LOG({11, 0xffffffff}, {1, 0xffffffff})},
    });
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_guarded_call_is_entered_by_its_lanes),
    cmocka_unit_test(both_sides_of_a_branch_call_the_same_function),
    cmocka_unit_test(a_divergent_return_meets_behind_the_call),
    cmocka_unit_test(returns_on_both_sides_meet_behind_the_call),
    cmocka_unit_test(an_exit_in_a_function_ends_the_thread),
    cmocka_unit_test(a_loop_in_a_function_meets_before_it_returns),
    cmocka_unit_test(a_call_in_a_divergent_part_of_a_function),
    cmocka_unit_test(recursion_goes_as_deep_as_each_lane_needs),
    cmocka_unit_test(recursion_with_two_calls_a_level),
    cmocka_unit_test(an_indirect_call_visits_each_target_once),
    cmocka_unit_test(a_guarded_indirect_call_takes_its_lanes_only),
    cmocka_unit_test(an_indirect_call_of_one_target_does_not_divide),
};

TEST_MAIN(tests)
