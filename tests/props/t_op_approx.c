/*
 * t_op_approx.c -- the approximations against long double, with the bounds of the PTX ISA
 *
 *     rcp 1 ulp, div 2 ulp, sqrt rsqrt ex2 2^-22 relative, lg2 2^-22 relative or absolute,
 *     sin and cos 2^-20.5 absolute in [-2 pi, 2 pi], tanh 2^-11 relative
 *
 * Special operands have their results in PTX's tables, and those are exact.
 */
#include "tests/props/op_test.h"
#include "tests/props/op_ref.h"

/*
 * Is got within rel * |want| or abs of want?  Infinities, NaN and zeros must match with their sign.
 */
static bool close32(const struct op_mod *m, u64 got, long double want, long double rel,
                    long double abs)
{
    if (isnan(want))
        return got == REF_NAN32;
    u64 rounded = ref_ftz(ref_bits32((float)want), m->ftz);

    if (got == rounded)
        return true;
    if ((rounded & 0x7fffffff) == 0x7f800000 || ref_nan32(got) || (got & 0x7fffffff) == 0x7f800000)
        return false;
    if (want == 0)
        return false; /* an exact zero has one encoding */
    long double slack = rel * fabsl(want);

    if (slack < 0x1p-149L) /* an ulp of a subnormal */
        slack = m->ftz ? 0x1p-126L : 0x1p-149L;
    slack = slack < abs ? abs : slack;
    return fabsl((long double)ref_f32(got) - want) <= slack;
}

static long double in32(const struct op_mod *m, u64 v)
{
    return ref_f32(ref_ftz(v, m->ftz));
}

static const long double ulp = 0x1p-23L, none = 0;

static bool near_div_full(const struct op_mod *m, const u64 *v, u64 got)
{
    return close32(m, got, in32(m, v[0]) / in32(m, v[1]), 2 * ulp, none);
}

/* Above 2^126 the reciprocal of b is flushed: zero, or NaN for an infinite a. */
static bool near_div(const struct op_mod *m, const u64 *v, u64 got)
{
    long double a = in32(m, v[0]), b = in32(m, v[1]);

    if (fabsl(b) > 0x1p126L && !isinf(b) && !isnan(a))
        return isinf(a) ? got == REF_NAN32 : got == ((v[0] ^ v[1]) & 0x80000000);
    return near_div_full(m, v, got);
}

static bool near_rcp(const struct op_mod *m, const u64 *v, u64 got)
{
    return close32(m, got, 1 / in32(m, v[0]), ulp, none);
}

static bool near_sqrt(const struct op_mod *m, const u64 *v, u64 got)
{
    return close32(m, got, sqrtl(in32(m, v[0])), 0x1p-22L, none);
}

static bool near_rsqrt(const struct op_mod *m, const u64 *v, u64 got)
{
    return close32(m, got, 1 / sqrtl(in32(m, v[0])), 0x1p-22L, none);
}

/* Better than PTX asks, and much further out; beyond, any value in [-1, 1] will do. */
static bool near_wave(const struct op_mod *m, u64 got, long double x, long double want)
{
    if (fabsl(x) > 0x1p20L && !isinf(x))
        return fabsf(ref_f32(got)) <= 1;
    return close32(m, got, want, none, 0x1p-21L);
}

static bool near_sin(const struct op_mod *m, const u64 *v, u64 got)
{
    long double x = in32(m, v[0]);

    return near_wave(m, got, x, sinl(x));
}

static bool near_cos(const struct op_mod *m, const u64 *v, u64 got)
{
    long double x = in32(m, v[0]);

    return near_wave(m, got, x, cosl(x));
}

static bool near_lg2(const struct op_mod *m, const u64 *v, u64 got)
{
    return close32(m, got, log2l(in32(m, v[0])), 0x1p-22L, 0x1p-22L);
}

static bool near_ex2(const struct op_mod *m, const u64 *v, u64 got)
{
    return close32(m, got, exp2l(in32(m, v[0])), 0x1p-22L, none);
}

static bool near_tanh(const struct op_mod *m, const u64 *v, u64 got)
{
    return close32(m, got, tanhl(in32(m, v[0])), 0x1p-11L, none);
}

/* ---- double precision */

static bool close64(u64 got, long double want, long double rel)
{
    u64 rounded = ref_bits64((double)want);

    if (got == rounded)
        return true;
    if (isinf((double)want) || want == 0 || isinf(ref_f64(got)) || ref_nan64(got))
        return false;
    return fabsl(ref_f64(got) - want) <= rel * fabsl(want);
}

/* The .ftz forms see the high word, flush subnormals, and give a high word: 20 bits of fraction. */
static double high_word(u64 v)
{
    v &= 0xffffffff00000000;
    return fabs(ref_f64(v)) < 0x1p-1022 ? ref_f64(v & 0x8000000000000000) : ref_f64(v);
}

static bool near_high(u64 v, u64 got, long double want)
{
    if (ref_nan64(v) || isnan(want))
        return got == 0x7fffffff00000000;
    if (got & 0xffffffff)
        return false;
    if (fabsl(want) < 0x1p-1022L)
        return (got & 0x7fffffffffffffff) == 0;
    return close64(got, want, 0x1p-20L);
}

static bool near_rcp64(const struct op_mod *m, const u64 *v, u64 got)
{
    (void)m;
    return near_high(v[0], got, 1.0L / high_word(v[0]));
}

static bool near_rsqrt64(const struct op_mod *m, const u64 *v, u64 got)
{
    if (m->ftz)
        return near_high(v[0], got, 1 / sqrtl(high_word(v[0])));
    long double want = 1 / sqrtl(ref_f64(v[0]));

    return isnan(want) ? got == ref_first_nan(v, 1) : close64(got, want, 0x1p-51L);
}

static const struct op_row forms[] = {
#define NEAR(form, sig, near) {form, sig, NULL, NULL, 0, near},
#include "tests/props/forms_approx.inc"
#undef NEAR
};

OP_FAMILY(div_approx_and_full_within_2_ulp, "div")
OP_FAMILY(rcp_approx_within_1_ulp_or_20_bits, "rcp")
OP_FAMILY(sqrt_and_rsqrt_approx_within_bounds, "sqrt rsqrt")
OP_FAMILY(sin_and_cos_approx_within_bounds, "sin cos")
OP_FAMILY(lg2_and_ex2_approx_within_bounds, "lg2 ex2")
OP_FAMILY(tanh_approx_within_bounds, "tanh")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(div_approx_and_full_within_2_ulp),
    cmocka_unit_test(rcp_approx_within_1_ulp_or_20_bits),
    cmocka_unit_test(sqrt_and_rsqrt_approx_within_bounds),
    cmocka_unit_test(sin_and_cos_approx_within_bounds),
    cmocka_unit_test(lg2_and_ex2_approx_within_bounds),
    cmocka_unit_test(tanh_approx_within_bounds),
};

TEST_MAIN(tests)
