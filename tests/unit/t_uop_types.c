/*
 * t_uop_types.c -- which pipeline of a split cluster an instruction takes, and what its energy
 * counts as.
 *
 * The types are GPGPU-Sim's: the type that PTX writes; of cvt, set and slct that of the source;
 * control has none.  Its energy goes by the first type that is written.
 */
#include "sm/uop.h"
#include "tests/kit.h"

static const char head[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".visible .entry k()\n{\n"
                           ".reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b32 %r<9>; .reg .b64 %l<9>;\n"
                           ".reg .pred %p<9>;\n";

/* Of sm.def, and where additions of f64 are executed; 0: as gtx480 has them. */
struct keys {
    u32 sp_control, sp_f64, dadd_on_sp;
};

/* The first instruction of a kernel, not lowered. */
static struct uop first_with(const char *text, struct keys keys)
{
    char *all = text_printf("%s%s\nret;\n}\n", head, text);
    struct kit k;

    kit_open(&k, all, KIT_OFF, NULL);
    const struct func *f = program_kernel(k.p, "k", &k.e);
    k.conf.sm.sp_control = keys.sp_control, k.conf.sm.sp_f64 = keys.sp_f64;
    k.conf.op.dadd_unit = keys.dadd_on_sp ? UNIT_SP : k.conf.op.dadd_unit;
    struct uop *uop = uop_decode(k.p, f, &k.conf.sm, &k.conf.op, 1), u = uop[0];

    free(uop), free(all);
    kit_close(&k);
    return u;
}

static void has(const char *text, u32 pipe, u32 kind)
{
    struct uop u = first_with(text, (struct keys){0});

    if (u.pipe != pipe || u.kind != kind)
        fail_msg("%s: pipe %u, kind %u", text, u.pipe, u.kind);
}

static void moves_are_of_the_type_that_is_written(void **state)
{
    (void)state;
    has("mov.f32 %f1, %f2;", PIPE_FP, KIND_fother);
    has("mov.f64 %d1, %d2;", PIPE_FP, KIND_fother);
    has("mov.b32 %r1, %f2;", PIPE_INT, KIND_other);
    has("mov.u64 %l1, %l2;", PIPE_INT, KIND_other);
    has("mov.u32 %r1, %tid.x;", PIPE_INT, KIND_other);
    has("selp.f32 %f1, %f2, %f3, %p1;", PIPE_FP, KIND_fother);
    has("selp.b32 %r1, %r2, %r3, %p1;", PIPE_INT, KIND_other);
    has("slct.b32.f32 %r1, %r2, %r3, %f1;", PIPE_FP, KIND_other);
    has("slct.b32.s32 %r1, %r2, %r3, %r4;", PIPE_INT, KIND_other);
}

static void signs_of_floats_are_fp(void **state)
{
    (void)state;
    has("neg.f32 %f1, %f2;", PIPE_FP, KIND_fother);
    has("abs.f32 %f1, %f2;", PIPE_FP, KIND_fother);
    has("abs.s32 %r1, %r2;", PIPE_INT, KIND_other);
    has("xor.b32 %r1, %r2, %r3;", PIPE_INT, KIND_other);
}

static void conversions_go_by_their_source(void **state)
{
    (void)state;
    has("cvt.rn.f32.s32 %f1, %r1;", PIPE_INT, KIND_fother);
    has("cvt.rzi.s32.f32 %r1, %f1;", PIPE_FP, KIND_other);
    has("cvt.s64.s32 %l1, %r1;", PIPE_INT, KIND_other);
    has("setp.lt.f32 %p1, %f1, %f2;", PIPE_FP, KIND_fother);
    has("setp.lt.s32 %p1, %r1, %r2;", PIPE_INT, KIND_other);
    has("set.lt.u32.f32 %r1, %f1, %f2;", PIPE_FP, KIND_other);
}

static void control_is_neither(void **state)
{
    (void)state;
    has("bra L; L:", PIPE_FLOW, KIND_branch);
    has("bar.sync 0;", PIPE_FLOW, KIND_branch);
    has("exit;", PIPE_FLOW, KIND_branch);
}

static void control_may_be_int(void **state)
{
    struct keys as_int = {.sp_control = 1};

    (void)state;
    assert_int_equal(first_with("bra L; L:", as_int).pipe, PIPE_INT);
    assert_int_equal(first_with("bar.sync 0;", as_int).pipe, PIPE_INT);
    assert_int_equal(first_with("add.f32 %f1, %f2, %f3;", as_int).pipe, PIPE_FP);
}

/* mixed, fp, int; conversions go by what they convert. */
static void double_precision_is_of_the_type_that_the_key_says(void **state)
{
    static const struct {
        const char *text;
        u32 pipe[3];
    } row[] = {
        {"add.f64 %d1, %d2, %d3;", {PIPE_INT, PIPE_FP, PIPE_INT}},
        {"mov.f64 %d1, %d2;", {PIPE_FP, PIPE_FP, PIPE_INT}},
        {"setp.lt.f64 %p1, %d1, %d2;", {PIPE_FP, PIPE_FP, PIPE_INT}},
        {"cvt.rn.f64.s32 %d1, %r1;", {PIPE_INT, PIPE_INT, PIPE_INT}},
        {"cvt.f64.f32 %d1, %f1;", {PIPE_FP, PIPE_FP, PIPE_FP}},
        {"cvt.rn.f32.f64 %f1, %d1;", {PIPE_FP, PIPE_FP, PIPE_INT}},
        {"add.f32 %f1, %f2, %f3;", {PIPE_FP, PIPE_FP, PIPE_FP}},
    };

    (void)state;
    for (u32 i = 0; i < LEN(row); i++)
        for (u32 k = 0; k < 3; k++)
            assert_int_equal(
                first_with(row[i].text, (struct keys){.sp_f64 = k, .dadd_on_sp = 1}).pipe,
                row[i].pipe[k]);
}

static void arithmetic_is_what_it_was(void **state)
{
    (void)state;
    has("add.f32 %f1, %f2, %f3;", PIPE_FP, KIND_fadd);
    has("fma.rn.f32 %f1, %f2, %f3, %f4;", PIPE_FP, KIND_fp);
    has("add.s32 %r1, %r2, %r3;", PIPE_INT, KIND_iadd);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(moves_are_of_the_type_that_is_written),
    cmocka_unit_test(signs_of_floats_are_fp),
    cmocka_unit_test(conversions_go_by_their_source),
    cmocka_unit_test(control_is_neither),
    cmocka_unit_test(control_may_be_int),
    cmocka_unit_test(double_precision_is_of_the_type_that_the_key_says),
    cmocka_unit_test(arithmetic_is_what_it_was),
};

TEST_MAIN(tests)
