/* t_op_int.c -- integer arithmetic other than multiplication, against C in wider types */
#include "tests/props/op_job.h"

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

/* No borrow sets the flag; a flag that is set takes nothing off. */
static u64 ref_sub_addc(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return v[2] + v[3] + (v[0] >= v[1]);
}

static u64 ref_add_subc(const struct op_mod *m, const u64 *v)
{
    return v[2] - v[3] - !carry_of(m, (uwide)v[0] + v[1]);
}

static u64 ref_add_subc_addc(const struct op_mod *m, const u64 *v)
{
    uwide take = (uwide)v[3] + !carry_of(m, (uwide)v[0] + v[1]);

    return v[0] + v[1] + (v[2] >= take);
}

static u64 ref_sub_madc(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return v[0] * v[2] + v[3] + (v[0] >= v[1]);
}

static u64 ref_mad_subc(const struct op_mod *m, const u64 *v)
{
    u64 product = v[0] * v[1] & op_mask(op_bits(m->form->sig[0]));

    return v[2] - v[3] - !carry_of(m, (uwide)product + v[2]);
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
OP_FAMILY(mad_and_sub_share_the_flag, "mad madc")
OP_FAMILY(neg_and_abs_wrap_at_the_least_integer, "neg abs")
OP_FAMILY(sad_adds_the_absolute_difference, "sad")
OP_FAMILY(div_and_rem_have_values_for_zero_and_overflow, "div rem")
OP_FAMILY(min_and_max_of_integers, "min max")

/*
 * By hand, in 32 and 64 bits: 5 - 3 does not borrow, so the flag is set and 10 + 20 + 1 = 31 and
 * 10 - 20 = -10; 3 - 5 borrows: 30 and -11.  All ones + 1 carries: as the first.
 */
static void the_flag_is_the_adders_carry(void **state)
{
    static const char text[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 in, .param "
        ".u64 out)\n{\n.reg .b32 %w<9>; .reg .b64 %d<9>;\nld.param.u64 %d1, [in]; ld.param.u64 "
        "%d2, "
        "[out]; ld.global.v2.u32 {%w1, %w2}, [%d1]; cvt.u64.u32 %d5, %w1; cvt.u64.u32 %d6, %w2;\n"
        "sub.cc.u32 %w3, %w1, %w2; addc.u32 %w4, 10, 20; subc.u32 %w5, 10, 20; st.global.v2.u32 "
        "[%d2], {%w4, %w5};\nsub.cc.u64 %d3, %d6, %d5; addc.u64 %d3, 10, 20; subc.u64 %d4, 10, 20; "
        "st.global.v2.u64 [%d2+16], {%d3, %d4};\nadd.cc.u32 %w3, -1, 1; addc.u32 %w4, 10, 20; "
        "subc.u32 %w5, 10, 20; st.global.v2.u32 [%d2+8], {%w4, %w5}; ret;\n}\n";
    static const u32 in[] = {5, 3};
    static const u32 want[] = {31, (u32)-10, 31, (u32)-10, 30, 0, (u32)-11, ~0u};

    (void)state;
    op_job_check("mixed carries", text,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = 1});
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(add_and_sub_wrap_or_saturate),
    cmocka_unit_test(addc_and_subc_carry_through_chains),
    cmocka_unit_test(mad_and_sub_share_the_flag),
    cmocka_unit_test(the_flag_is_the_adders_carry),
    cmocka_unit_test(neg_and_abs_wrap_at_the_least_integer),
    cmocka_unit_test(sad_adds_the_absolute_difference),
    cmocka_unit_test(div_and_rem_have_values_for_zero_and_overflow),
    cmocka_unit_test(min_and_max_of_integers),
};

TEST_MAIN(tests)
