/* t_op_float.c -- single precision against the host in each of its rounding modes */
#include "tests/props/op_test.h"
#include "tests/props/op_ref.h"

/* x, y, z: the operands, flushed if the form says so; the result likewise. */
#define REF(name, expr)                                                                            \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        volatile float x = ref_f32(ref_ftz(v[0], m->ftz)), y = ref_f32(ref_ftz(v[1], m->ftz));     \
        volatile float z = ref_f32(ref_ftz(v[2], m->ftz));                                         \
        (void)y, (void)z;                                                                          \
        ref_round(m->rnd);                                                                         \
        volatile float r = expr;                                                                   \
        ref_round(0);                                                                              \
        return ref_sat32(ref_ftz(ref_out32(r), m->ftz), m->sat);                                   \
    }

REF(add, x + y)
REF(sub, x - y)
REF(mul, x *y)
REF(div, x / y)
REF(fma, fmaf(x, y, z))
REF(rcp, 1.0f / x)
REF(sqrt, sqrtf(x))

/* Signs are bits, of NaNs too. */
static u64 ref_neg(const struct op_mod *m, const u64 *v)
{
    return ref_ftz(v[0], m->ftz) ^ 0x80000000;
}

static u64 ref_abs(const struct op_mod *m, const u64 *v)
{
    return ref_ftz(v[0], m->ftz) & 0x7fffffff;
}

static u64 ref_copysign(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return (v[0] & 0x80000000) | (v[1] & 0x7fffffff);
}

/* A number wins over a NaN, unless .NaN; -0 is less than +0; .xorsign.abs: by size. */
static u64 extreme(const struct op_mod *m, const u64 *v, bool want_less)
{
    u64 a = ref_ftz(v[0], m->ftz), b = ref_ftz(v[1], m->ftz), sign = (a ^ b) & 0x80000000;

    if (m->xorsign)
        a &= 0x7fffffff, b &= 0x7fffffff;
    bool na = ref_nan32(a), nb = ref_nan32(b);

    if ((na && nb) || (m->nan && (na || nb)))
        return REF_NAN32;
    if (na || nb)
        return (na ? b : a) | (m->xorsign ? sign : 0);
    bool a_less = ref_f32(a) < ref_f32(b) || (ref_f32(a) == ref_f32(b) && a >> 31 > b >> 31);

    return (a_less == want_less ? a : b) | (m->xorsign ? sign : 0);
}

static u64 ref_min(const struct op_mod *m, const u64 *v)
{
    return extreme(m, v, true);
}

static u64 ref_max(const struct op_mod *m, const u64 *v)
{
    return extreme(m, v, false);
}

/* PTX counts zeros as normal. */
#define CLASS(name, expr)                                                                          \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        int k = fpclassify(ref_f32(v[0]));                                                         \
        (void)m;                                                                                   \
        return expr;                                                                               \
    }

CLASS(finite, k != FP_NAN && k != FP_INFINITE)
CLASS(infinite, k == FP_INFINITE)
CLASS(number, k != FP_NAN)
CLASS(notanumber, k == FP_NAN)
CLASS(normal, k == FP_NORMAL || k == FP_ZERO)
CLASS(subnormal, k == FP_SUBNORMAL)

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#include "tests/props/forms_float.inc"
#undef ROW
};

OP_FAMILY(add_f32_in_all_roundings, "add")
OP_FAMILY(sub_f32_in_all_roundings, "sub")
OP_FAMILY(mul_f32_in_all_roundings, "mul")
OP_FAMILY(fma_f32_rounds_once, "fma")
OP_FAMILY(mad_f32_is_fused, "mad")
OP_FAMILY(div_f32_in_all_roundings, "div")
OP_FAMILY(rcp_and_sqrt_f32_in_all_roundings, "rcp sqrt")
OP_FAMILY(neg_abs_copysign_f32_move_the_sign, "neg abs copysign")
OP_FAMILY(min_and_max_f32_prefer_numbers_unless_told, "min max")
OP_FAMILY(testp_f32_tells_the_classes, "testp")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(add_f32_in_all_roundings),
    cmocka_unit_test(sub_f32_in_all_roundings),
    cmocka_unit_test(mul_f32_in_all_roundings),
    cmocka_unit_test(fma_f32_rounds_once),
    cmocka_unit_test(mad_f32_is_fused),
    cmocka_unit_test(div_f32_in_all_roundings),
    cmocka_unit_test(rcp_and_sqrt_f32_in_all_roundings),
    cmocka_unit_test(neg_abs_copysign_f32_move_the_sign),
    cmocka_unit_test(min_and_max_f32_prefer_numbers_unless_told),
    cmocka_unit_test(testp_f32_tells_the_classes),
};

TEST_MAIN(tests)
