/* t_op_half_cvt.c -- conversions of short floats against exact numbers, rounded by search */
#include "tests/props/op_job.h"
#include "tests/props/op_ref.h"
#include "tests/props/half_ref.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static bool is_float(const char *t)
{
    return strchr(t, 'f') != NULL;
}

static const struct ref_format *format_of(const char *t)
{
    return strstr(t, "bf16")   ? &ref_bf16
           : strstr(t, "f16")  ? &ref_f16
           : is(t, "tf32")     ? &ref_tf32
           : strstr(t, "e4m3") ? &ref_e4m3
                               : &ref_e5m2;
}

/* ---- what a source holds: an integer, or a float as a double, which is exact */

static __int128 integer(const char *t, u64 raw)
{
    u32 n = (u32)strtoul(t + 1, NULL, 10);
    u64 low = raw & op_mask(n);

    return t[0] == 's' && low >> (n - 1) ? (__int128)low - ((__int128)1 << n) : (__int128)low;
}

static double real(const struct op_mod *m, const char *t, u64 v)
{
    return is(t, "f32")   ? ref_f32(ref_ftz(v, m->ftz))
           : is(t, "f64") ? ref_f64(v)
                          : ref_half_double(format_of(t), v);
}

static u64 round_double(const struct ref_format *f, double x, u32 rnd)
{
    if (isnan(x))
        return 2ull * f->sign - 1 - f->sign; /* all ones but the sign */
    if (isinf(x))
        return f->top | (x < 0 ? f->sign : 0);
    return ref_round_to(f, ref_exact_f64(ref_bits64(x)), rnd);
}

static u64 to_half(const struct op_mod *m, u64 v)
{
    const struct ref_format *f = format_of(m->type[0]);
    __int128 n = is_float(m->type[1]) ? 0 : integer(m->type[1], v);

    if (!is_float(m->type[1]))
        return ref_half_sat(
            f, ref_round_to(f, (struct exact){n < 0, (ref_u128)(n < 0 ? -n : n), 0}, m->rnd),
            m->sat);
    double x = real(m, m->type[1], v);

    if (m->rni && !isnan(x)) {
        volatile double whole = x;

        ref_round(m->rnd);
        x = rint(whole);
        ref_round(0);
    }
    return ref_half_sat(f, round_double(f, x, m->rnd), m->sat);
}

/* PTX ISA, cvt: a NaN gives 0, or the top bit alone of 64. */
static u64 to_integer(const struct op_mod *m, u64 v)
{
    const char *t = m->type[0];
    u32 n = (u32)strtoul(t + 1, NULL, 10);
    volatile double x = real(m, m->type[1], v);
    __int128 least = t[0] == 's' ? -((__int128)1 << (n - 1)) : 0;
    __int128 most = ((__int128)1 << (n - (t[0] == 's'))) - 1;

    if (isnan(x))
        return n == 64 ? 1ull << 63 : 0;
    ref_round(m->rnd);
    volatile double r = rint(x);
    ref_round(0);
    __int128 i = r > 0x1p70 ? most : r < -0x1p70 ? least : (__int128)r;

    return (u64)(i < least ? least : i > most ? most : i);
}

static u64 ref_cvt(const struct op_mod *m, const u64 *v)
{
    const char *d = m->type[0];

    if (!is_float(d))
        return to_integer(m, v[0]);
    if (strstr(d, "f16"))
        return to_half(m, v[0]);
    double x = real(m, m->type[1], v[0]);

    if (is(d, "f64"))
        return ref_sat64(isnan(x) ? 0x7fffffffe0000000 : ref_bits64(x), m->sat);
    return ref_sat32(ref_ftz(isnan(x) ? REF_NAN32 : ref_bits32((float)x), m->ftz), m->sat);
}

/* ---- .relu, .satfinite, pairs, tf32, 8 bits */

static u64 narrow(const struct op_mod *m, double x)
{
    const struct ref_format *f = format_of(m->type[0]);
    u64 r = round_double(f, x, m->rna ? 4 : m->rnd), size = r & (f->sign - 1);
    bool nan = isnan(x);

    if (m->satfinite && !nan && size >= f->top)
        r = (r & f->sign) | (f->top - 1);
    if (m->relu && !nan && r & f->sign)
        r = 0;
    return is(m->type[0], "tf32") ? nan ? REF_NAN32 : r << 13 : r;
}

/* The first operand, or the upper half of the only one, goes to the upper half. */
static u64 ref_narrow(const struct op_mod *m, const u64 *v)
{
    bool pair = is(m->type[1], "f16x2"), two = strlen(m->form->sig) == 3;
    u32 bits = m->type[0][0] == 'e' ? 8 : 16;
    double a = pair ? ref_half_double(&ref_f16, v[0] >> 16) : ref_f32(v[0]);
    double b = pair ? ref_half_double(&ref_f16, v[0] & 0xffff) : ref_f32(v[1]);

    return pair || two ? narrow(m, a) << bits | narrow(m, b) : narrow(m, a);
}

static u64 one_from_8(const struct op_mod *m, u64 q)
{
    const struct ref_format *f = format_of(m->type[1]);
    bool inf = f->has_inf && (q & 127) == f->top, nan = !inf && (q & 127) >= f->top;

    if (nan)
        return 0x7fff;
    if (m->relu && q & 0x80)
        return 0;
    if (inf)
        return 0x7c00 | (q & 0x80) << 8;
    return ref_round_to(&ref_f16, ref_number(f, (u32)q), 0);
}

static u64 ref_from_8(const struct op_mod *m, const u64 *v)
{
    return one_from_8(m, v[0] & 255) | one_from_8(m, v[0] >> 8 & 255) << 16;
}

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#define HALF(form, sig, ref) {form, sig, ref, NULL, OP_NO_IMM, NULL},
#include "tests/props/forms_half_cvt.inc"
#undef ROW
#undef HALF
};

/* The rows whose destination is one of these types. */
static void check(const char *types)
{
    struct op_row *some = calloc(LEN(forms), sizeof *some);
    u32 n = 0;

    assert_non_null(some);
    for (u32 i = 0; i < LEN(forms); i++) {
        struct op_mod m = op_mod_of(&forms[i]);

        if (op_among(m.type[0], strlen(m.type[0]), types))
            some[n++] = forms[i];
    }
    op_check(some, n, NULL);
    free(some);
}

#define TYPES(name, types)                                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check(types);                                                                              \
    }

TYPES(cvt_to_f16_rounds_once, "f16")
TYPES(cvt_to_bf16_rounds_once, "bf16")
TYPES(cvt_of_16_bits_to_integers_rounds_and_clamps, "u8 s8 u16 s16 u32 s32 u64 s64")
TYPES(cvt_of_16_bits_to_longer_floats_is_exact, "f32 f64")
TYPES(cvt_to_pairs_takes_the_first_as_the_upper, "f16x2 bf16x2")
TYPES(cvt_to_tf32_and_8_bits, "tf32 e4m3x2 e5m2x2")

/* ---- every tie between neighbours, and what is next to it */

enum { SIDES = 3, PATTERNS = 0x8000, N = PATTERNS * SIDES * 2 };

/* The float half way from a pattern to the next, or one step beside it; of either sign. */
static u32 near_tie(const struct ref_format *f, u32 i)
{
    u32 pattern = i / (2 * SIDES), side = i / 2 % SIDES, sign = i & 1;

    if (pattern >= f->top)
        return 0x7f800000 | sign << 31;
    struct exact a = ref_number(f, pattern), tie = ref_plus(a, ref_number(f, pattern + 1));
    double x = ldexp((double)(u64)tie.mag, tie.exp - 1);

    return ((u32)ref_bits32((float)x) + side - 1) | sign << 31;
}

static void run_ties(const char *type, const char *rnd)
{
    static u32 in[N], want[N];
    char form[32], text[1000];

    snprintf(form, sizeof form, "cvt.%s.%s.f32", rnd, type);
    struct op_row row = {form, "ef", NULL, NULL, 0, NULL};
    struct op_mod m = op_mod_of(&row);

    for (u32 i = 0; i < N; i++) {
        in[i] = near_tie(format_of(type), i);
        want[i] = (u32)to_half(&m, in[i]);
    }
    snprintf(text, sizeof text,
             OP_HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                     ".reg .b64 %%d<3>; .reg .b32 %%w<6>; .reg .b16 %%h<3>; .reg .f32 %%f<3>;\n"
                     "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; mov.u32 %%w1, %%tid.x;\n"
                     "mov.u32 %%w2, %%ctaid.x; mad.lo.u32 %%w1, %%w2, 256, %%w1;\n"
                     "mad.wide.u32 %%d1, %%w1, 4, %%d1; mad.wide.u32 %%d2, %%w1, 4, %%d2;\n"
                     "ld.global.f32 %%f1, [%%d1]; %s %%h1, %%f1;\n"
                     "cvt.u32.u16 %%w4, %%h1; st.global.u32 [%%d2], %%w4; ret;\n}\n",
             form);
    struct op_job job = {.kernel = "k", .in = in, .n_in = sizeof in, .want = want};

    job.n_want = sizeof want, job.grid = N / 256, job.block = 256;
    op_job_check(form, text, job);
}

static void cvt_at_every_tie_of_16_bits(void **state)
{
    static const char *const rnd[] = {"rn", "rz", "rm", "rp"};

    (void)state;
    for (u32 i = 0; i < LEN(rnd); i++)
        run_ties("f16", rnd[i]), run_ties("bf16", rnd[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cvt_to_f16_rounds_once),
    cmocka_unit_test(cvt_to_bf16_rounds_once),
    cmocka_unit_test(cvt_of_16_bits_to_integers_rounds_and_clamps),
    cmocka_unit_test(cvt_of_16_bits_to_longer_floats_is_exact),
    cmocka_unit_test(cvt_to_pairs_takes_the_first_as_the_upper),
    cmocka_unit_test(cvt_to_tf32_and_8_bits),
    cmocka_unit_test(cvt_at_every_tie_of_16_bits),
};

TEST_MAIN(tests)
