/* t_op_int.c -- integer arithmetic other than multiplication, against C in wider types */
#include "tests/props/op_test.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

static bool is_signed(const struct op_mod *m)
{
    return strchr("HWD", m->form->sig[1]) != NULL;
}

/* Operands come extended to 64 bits, so that one more step of width holds every exact result. */
static wide exact(const struct op_mod *m, u64 v)
{
    return is_signed(m) ? (wide)(s64)v : (wide)v;
}

#define REF(name, expr)                                                                            \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        wide a = exact(m, v[0]), b = exact(m, v[1]);                                               \
        (void)b;                                                                                   \
        return (u64)(expr);                                                                        \
    }

static wide clamp_s32(wide x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

REF(add, a + b)
REF(sub, a - b)
REF(add_sat, clamp_s32(a + b))
REF(sub_sat, clamp_s32(a - b))
REF(min, a < b ? a : b)
REF(max, a > b ? a : b)
REF(div, b == 0 ? -1 : a / b) /* by zero: all bits set, as NVIDIA's machines have it */
REF(rem, b == 0 ? a : a % b)

static u64 ref_neg(const struct op_mod *m, const u64 *v)
{
    return (u64)-exact(m, v[0]);
}

static u64 ref_abs(const struct op_mod *m, const u64 *v)
{
    wide a = exact(m, v[0]);

    return (u64)(a < 0 ? -a : a);
}

static u64 ref_sad(const struct op_mod *m, const u64 *v)
{
    wide d = exact(m, v[0]) - exact(m, v[1]);

    return (u64)(exact(m, v[2]) + (d < 0 ? -d : d));
}

/* ---- chains: carry or borrow of the first step, computed in a type that holds it */

static u64 carry_of(const struct op_mod *m, uwide sum)
{
    return (u64)(sum >> op_bits(m->form->sig[0])) & 1;
}

static u64 ref_addc(const struct op_mod *m, const u64 *v)
{
    return v[2] + v[3] + carry_of(m, (uwide)v[0] + v[1]);
}

static u64 ref_addc2(const struct op_mod *m, const u64 *v)
{
    u64 c1 = carry_of(m, (uwide)v[0] + v[1]);

    return v[0] + v[1] + carry_of(m, (uwide)v[2] + v[3] + c1);
}

static u64 ref_subc(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return v[2] - v[3] - (v[0] < v[1]);
}

static u64 ref_subc2(const struct op_mod *m, const u64 *v)
{
    uwide take = (uwide)v[3] + (v[0] < v[1]);

    (void)m;
    return v[0] - v[1] - (v[2] < take);
}

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#define TEXT(form, sig, ref, text) {form, sig, ref, text, 0, NULL},
#include "tests/props/forms_int.inc"
#undef ROW
#undef TEXT
};

OP_FAMILY(add_and_sub_wrap_or_saturate, "add sub")
OP_FAMILY(addc_and_subc_carry_through_chains, "addc subc")
OP_FAMILY(neg_and_abs_wrap_at_the_least_integer, "neg abs")
OP_FAMILY(sad_adds_the_absolute_difference, "sad")
OP_FAMILY(div_and_rem_have_values_for_zero_and_overflow, "div rem")
OP_FAMILY(min_and_max_of_integers, "min max")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(add_and_sub_wrap_or_saturate),
    cmocka_unit_test(addc_and_subc_carry_through_chains),
    cmocka_unit_test(neg_and_abs_wrap_at_the_least_integer),
    cmocka_unit_test(sad_adds_the_absolute_difference),
    cmocka_unit_test(div_and_rem_have_values_for_zero_and_overflow),
    cmocka_unit_test(min_and_max_of_integers),
};

TEST_MAIN(tests)
