/* t_op_mul.c -- integer products, sums of products and their carries, against 128-bit C */
#include "tests/props/op_test.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

/* The exact product; u64 * u64 needs the unsigned type, and keeps its bits in either. */
static uwide product(const struct op_mod *m, const u64 *v)
{
    if (strchr("HWD", m->form->sig[1]))
        return (uwide)((wide)(s64)v[0] * (s64)v[1]);
    return (uwide)v[0] * v[1];
}

static u32 width(const struct op_mod *m)
{
    return op_bits(m->form->sig[1]);
}

static u64 high(const struct op_mod *m, const u64 *v)
{
    return (u64)(product(m, v) >> width(m));
}

static s64 clamp_s32(s64 x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

#define REF(name, expr)                                                                            \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        (void)m;                                                                                   \
        return (u64)(expr);                                                                        \
    }

REF(mul_lo, product(m, v))
REF(mul_hi, high(m, v))
REF(mad_lo, (u64)product(m, v) + v[2])
REF(mad_hi, high(m, v) + v[2])
REF(mad_hi_sat, clamp_s32((s64)(s32)high(m, v) + (s64)v[2]))

/* ---- 24-bit forms: the low 24 bits of the operands, with the sign of bit 23 if signed */

static s64 low24(const struct op_mod *m, u64 v)
{
    s64 x = (s64)(v & 0xffffff);

    return m->form->sig[1] == 'W' && x >> 23 ? x - 0x1000000 : x;
}

static s64 product24(const struct op_mod *m, const u64 *v)
{
    return low24(m, v[0]) * low24(m, v[1]); /* 48 bits */
}

REF(mul24_lo, product24(m, v))
REF(mul24_hi, (u64)product24(m, v) >> 16)
REF(mad24_lo, (u64)product24(m, v) + v[2])
REF(mad24_hi, ((u64)product24(m, v) >> 16) + v[2])
REF(mad24_hi_sat, clamp_s32((s64)(s32)((u64)product24(m, v) >> 16) + (s64)v[2]))

/* ---- chains */

static u64 low_bits(const struct op_mod *m, u64 v)
{
    return v & op_mask(width(m));
}

static u64 carry_of(const struct op_mod *m, uwide sum)
{
    return (u64)(sum >> width(m)) & 1;
}

/* The carry that add.cc of e and a leaves. */
static u64 carry_in(const struct op_mod *m, const u64 *v)
{
    return carry_of(m, (uwide)low_bits(m, v[3]) + low_bits(m, v[0]));
}

static u64 half(const struct op_mod *m, const u64 *v, bool hi)
{
    return low_bits(m, hi ? high(m, v) : (u64)product(m, v));
}

static u64 after(const struct op_mod *m, const u64 *v, bool hi, u64 in)
{
    return 2 * v[3] + carry_of(m, (uwide)half(m, v, hi) + low_bits(m, v[2]) + in);
}

REF(mad_lo_carry, after(m, v, false, 0))
REF(mad_hi_carry, after(m, v, true, 0))
REF(madc_lo, half(m, v, false) + v[2] + carry_in(m, v))
REF(madc_hi, half(m, v, true) + v[2] + carry_in(m, v))
REF(madc_lo_carry, after(m, v, false, carry_in(m, v)))
REF(madc_hi_carry, after(m, v, true, carry_in(m, v)))

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#define TEXT(form, sig, ref, text) {form, sig, ref, text, 0, NULL},
#include "tests/props/forms_mul.inc"
#undef ROW
#undef TEXT
};

OP_FAMILY(mul_gives_low_high_or_wide_products, "mul")
OP_FAMILY(mad_adds_to_low_high_or_wide_products_and_sets_carry, "mad")
OP_FAMILY(madc_takes_and_sets_carry, "madc")
OP_FAMILY(mul24_and_mad24_multiply_24_bits, "mul24 mad24")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(mul_gives_low_high_or_wide_products),
    cmocka_unit_test(mad_adds_to_low_high_or_wide_products_and_sets_carry),
    cmocka_unit_test(madc_takes_and_sets_carry),
    cmocka_unit_test(mul24_and_mad24_multiply_24_bits),
};

TEST_MAIN(tests)
