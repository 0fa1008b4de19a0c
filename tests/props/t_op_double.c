/* t_op_double.c -- double precision against the host in each of its rounding modes */
#include "tests/props/op_test.h"
#include "tests/props/op_ref.h"

#define REF(name, n, expr)                                                                         \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        volatile double x = ref_f64(v[0]), y = ref_f64(v[1]), z = ref_f64(v[2]);                   \
        (void)y, (void)z;                                                                          \
        ref_round(m->rnd);                                                                         \
        volatile double r = expr;                                                                  \
        ref_round(0);                                                                              \
        return isnan(r) ? ref_first_nan(v, n) : ref_bits64(r);                                     \
    }

REF(add, 2, x + y)
REF(sub, 2, x - y)
REF(mul, 2, x *y)
REF(div, 2, x / y)
REF(fma, 3, fma(x, y, z))
REF(rcp, 1, 1.0 / x)
REF(sqrt, 1, sqrt(x))

static const u64 sign = 1ull << 63;

static u64 ref_neg(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return v[0] ^ sign;
}

static u64 ref_abs(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return v[0] & ~sign;
}

static u64 ref_copysign(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return (v[0] & sign) | (v[1] & ~sign);
}

static u64 extreme(const u64 *v, bool want_less)
{
    double x = ref_f64(v[0]), y = ref_f64(v[1]);

    if (isnan(x) && isnan(y))
        return ref_first_nan(v, 2);
    if (isnan(x) || isnan(y))
        return isnan(x) ? v[1] : v[0];
    bool a_less = x < y || (x == y && v[0] >> 63 > v[1] >> 63);

    return a_less == want_less ? v[0] : v[1];
}

static u64 ref_min(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return extreme(v, true);
}

static u64 ref_max(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return extreme(v, false);
}

/* PTX counts zeros as normal. */
#define CLASS(name, expr)                                                                          \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        int k = fpclassify(ref_f64(v[0]));                                                         \
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
#include "tests/props/forms_double.inc"
#undef ROW
};

OP_FAMILY(add_and_sub_f64_in_all_roundings, "add sub")
OP_FAMILY(mul_f64_in_all_roundings, "mul")
OP_FAMILY(fma_and_mad_f64_round_once, "fma mad")
OP_FAMILY(div_rcp_sqrt_f64_in_all_roundings, "div rcp sqrt")
OP_FAMILY(neg_abs_copysign_f64_move_the_sign, "neg abs copysign")
OP_FAMILY(min_and_max_f64_prefer_numbers, "min max")
OP_FAMILY(testp_f64_tells_the_classes, "testp")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(add_and_sub_f64_in_all_roundings),
    cmocka_unit_test(mul_f64_in_all_roundings),
    cmocka_unit_test(fma_and_mad_f64_round_once),
    cmocka_unit_test(div_rcp_sqrt_f64_in_all_roundings),
    cmocka_unit_test(neg_abs_copysign_f64_move_the_sign),
    cmocka_unit_test(min_and_max_f64_prefer_numbers),
    cmocka_unit_test(testp_f64_tells_the_classes),
};

TEST_MAIN(tests)
