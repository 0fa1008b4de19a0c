/* t_op_cvt.c -- conversions between all types, against the host's and 128-bit integers */
#include "tests/props/op_test.h"
#include "tests/props/op_ref.h"

typedef __int128 wide;

static u32 type_bits(const char *t)
{
    return (u32)strtoul(t + 1, NULL, 10);
}

/* The integer that the low bits of a register hold. */
static wide integer(const char *t, u64 raw)
{
    u32 n = type_bits(t);
    u64 low = raw & op_mask(n);

    return t[0] == 's' && low >> (n - 1) ? (wide)low - ((wide)1 << n) : (wide)low;
}

static wide least(const char *t)
{
    return t[0] == 's' ? -((wide)1 << (type_bits(t) - 1)) : 0;
}

static wide greatest(const char *t)
{
    return ((wide)1 << (type_bits(t) - (t[0] == 's'))) - 1;
}

static wide clamp(const char *t, wide x)
{
    return x < least(t) ? least(t) : x > greatest(t) ? greatest(t) : x;
}

/* An integer in a register: its bits, extended by its sign if it has one. */
static u64 to_register(const char *t, wide x)
{
    return (u64)integer(t, (u64)x);
}

static u64 int_to_int(const struct op_mod *m, wide x)
{
    return to_register(m->type[0], m->sat ? clamp(m->type[0], x) : x);
}

/* Through long double, which holds all 64 bits, so that only the last step rounds. */
static u64 int_to_float(const struct op_mod *m, wide x)
{
    volatile long double exact = (long double)x;

    ref_round(m->rnd);
    volatile float f = (float)exact;
    volatile double d = (double)exact;
    ref_round(0);
    return m->type[0][1] == '3' ? ref_sat32(ref_bits32(f), m->sat)
                                : ref_sat64(ref_bits64(d), m->sat);
}

static double integral(double x, u32 rnd)
{
    volatile double v = x;

    ref_round(rnd);
    volatile double r = rint(v);
    ref_round(0);
    return r;
}

/* PTX ISA, cvt: a NaN gives 0, or the top bit alone if either type has 64 bits. */
static u64 nan_to_int(const struct op_mod *m)
{
    bool wide_type = m->type[1][1] == '6' || type_bits(m->type[0]) == 64;

    return wide_type ? to_register(m->type[0], (wide)1 << (type_bits(m->type[0]) - 1)) : 0;
}

static u64 float_to_int(const struct op_mod *m, double x)
{
    if (isnan(x))
        return nan_to_int(m);
    double r = integral(x, m->rnd);

    if (r >= 0x1p64 || r <= -0x1p64)
        return to_register(m->type[0], r < 0 ? least(m->type[0]) : greatest(m->type[0]));
    return to_register(m->type[0], clamp(m->type[0], (wide)r));
}

static u64 from_f64(const struct op_mod *m, u64 a)
{
    volatile double x = ref_f64(a);

    if (m->type[0][1] == '6') {
        u64 r = isnan(x) ? ref_first_nan(&a, 1) : ref_bits64(m->rni ? integral(x, m->rnd) : x);

        return ref_sat64(r, m->sat);
    }
    ref_round(m->rnd);
    volatile float f = (float)x;
    ref_round(0);
    return ref_sat32(ref_ftz(ref_out32(f), m->ftz), m->sat);
}

/* A NaN that widens keeps sign and payload and becomes quiet. */
static u64 from_f32(const struct op_mod *m, u64 a)
{
    a = ref_ftz(a, m->ftz);
    if (m->type[0][1] == '6' && ref_nan32(a))
        return m->sat ? 0 : (a >> 31) << 63 | 0x7ff8000000000000 | (a & 0x7fffff) << 29;
    if (m->type[0][1] == '6')
        return ref_sat64(ref_bits64(ref_f32(a)), m->sat);
    u64 r = ref_nan32(a) ? REF_NAN32 : m->rni ? ref_bits32((float)integral(ref_f32(a), m->rnd)) : a;

    return ref_sat32(ref_ftz(r, m->ftz), m->sat);
}

static u64 ref_cvt(const struct op_mod *m, const u64 *v)
{
    const char *d = m->type[0], *s = m->type[1];

    if (s[0] != 'f')
        return d[0] == 'f' ? int_to_float(m, integer(s, v[0])) : int_to_int(m, integer(s, v[0]));
    if (d[0] != 'f')
        return float_to_int(m,
                            s[1] == '6' ? ref_f64(v[0]) : (double)ref_f32(ref_ftz(v[0], m->ftz)));
    return s[1] == '6' ? from_f64(m, v[0]) : from_f32(m, v[0]);
}

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#include "tests/props/forms_cvt.inc"
#undef ROW
};

/* All rows whose destination and source are floats or not. */
static void check(bool to_float, bool from_float)
{
    struct op_row *some = calloc(LEN(forms), sizeof *some);
    u32 n = 0;

    assert_non_null(some);
    for (u32 i = 0; i < LEN(forms); i++) {
        struct op_mod m = op_mod_of(&forms[i]);

        if ((m.type[0][0] == 'f') == to_float && (m.type[1][0] == 'f') == from_float)
            some[n++] = forms[i];
    }
    op_check(some, n, NULL);
    free(some);
}

static void cvt_between_integers_extends_cuts_or_saturates(void **state)
{
    (void)state;
    check(false, false);
}

static void cvt_from_integers_to_floats_rounds(void **state)
{
    (void)state;
    check(true, false);
}

static void cvt_from_floats_to_integers_rounds_and_clamps(void **state)
{
    (void)state;
    check(false, true);
}

static void cvt_between_floats_rounds_flushes_and_saturates(void **state)
{
    (void)state;
    check(true, true);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cvt_between_integers_extends_cuts_or_saturates),
    cmocka_unit_test(cvt_from_integers_to_floats_rounds),
    cmocka_unit_test(cvt_from_floats_to_integers_rounds_and_clamps),
    cmocka_unit_test(cvt_between_floats_rounds_flushes_and_saturates),
};

TEST_MAIN(tests)
