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

/* The first instruction of a kernel, not lowered. */
static struct uop first_of(const char *text, enum kit_mode mode)
{
    char *all = text_printf("%s%s\nret;\n}\n", head, text);
    struct kit k;

    kit_open(&k, all, mode, NULL);
    const struct func *f = program_kernel(k.p, "k", &k.e);
    struct uop *uop = uop_decode(k.p, f, &k.conf.sm, &k.conf.op, 1), u = uop[0];

    free(uop), free(all);
    kit_close(&k);
    return u;
}

static void has(const char *text, u32 pipe, u32 kind)
{
    struct uop u = first_of(text, KIT_OFF);

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
    cmocka_unit_test(arithmetic_is_what_it_was),
};

TEST_MAIN(tests)
