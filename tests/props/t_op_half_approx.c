/*
 * t_op_half_approx.c -- ex2 and tanh of 16 bits against long double, with the bounds of the PTX ISA
 *
 *     ex2   f16 2^-9.9, bf16 2^-7, relative
 *     tanh  f16 2^-10.987 absolute, bf16 2^-8 relative
 *
 * and half of the last bit where the result is subnormal.  In all ways smelt runs on some
 * operands, and on every operand once.
 */
#include <math.h>

#include "tests/props/half_ref.h"
#include "tests/props/op_job.h"

static const struct ref_format *format_of(const struct op_mod *m)
{
    return strchr("eE", m->form->sig[1]) ? &ref_f16 : &ref_bf16;
}

/* Infinities, NaN and zeros must match with their sign. */
static bool close16(const struct op_mod *m, u64 got, long double want, long double rel,
                    long double abs)
{
    const struct ref_format *f = format_of(m);
    long double last = ldexpl(1, f->emin - f->frac), have = ref_half_double(f, got);

    if (isnan(want))
        return got == 0x7fff;
    if (m->ftz && fabsl(want) < ldexpl(1, f->emin) && !(got & 0x7fff))
        return (got >> 15 != 0) == (signbit(want) != 0);
    if (isinf(want) || want == 0)
        return have == want && (got >> 15 != 0) == (signbit(want) != 0);
    if (isinf(have)) /* right if the number is past the tie with the largest */
        return fabsl(want) >= ldexpl(2.0L - ldexpl(1, -f->frac - 1), 1 - f->emin);
    long double slack = fmaxl(fmaxl(rel * fabsl(want), abs), last / 2);

    return fabsl(have - want) <= slack;
}

static bool one_ex2(const struct op_mod *m, u64 v, u64 got)
{
    const struct ref_format *f = format_of(m);
    long double x = ref_half_double(f, ref_half_ftz(f, v, m->ftz));

    return close16(m, got, exp2l(x), f == &ref_f16 ? exp2l(-9.9L) : 0x1p-7L, 0);
}

static bool one_tanh(const struct op_mod *m, u64 v, u64 got)
{
    const struct ref_format *f = format_of(m);
    bool is_f16 = f == &ref_f16;

    return close16(m, got, tanhl(ref_half_double(f, v)), is_f16 ? 0 : 0x1p-8L,
                   is_f16 ? exp2l(-10.987L) : 0);
}

#define NEAR_REF(name)                                                                             \
    static bool near_##name(const struct op_mod *m, const u64 *v, u64 got)                         \
    {                                                                                              \
        if (!strchr("EB", m->form->sig[1]))                                                        \
            return one_##name(m, v[0], got);                                                       \
        return one_##name(m, v[0] & 0xffff, got & 0xffff) && one_##name(m, v[0] >> 16, got >> 16); \
    }

NEAR_REF(ex2)
NEAR_REF(tanh)

static const struct op_row forms[] = {
#define NEAR(form, sig, near) {form, sig, NULL, NULL, OP_NO_IMM, near},
#include "tests/props/forms_half_approx.inc"
#undef NEAR
};

OP_FAMILY(ex2_of_16_bits_within_bounds, "ex2")
OP_FAMILY(tanh_of_16_bits_within_bounds, "tanh")

enum { ALL = 65536 };

/* Two operands a thread, the patterns 2 i and 2 i + 1, for forms of one and of two. */
static void run_all(const struct op_row *f)
{
    static u16 in[ALL], out[ALL];
    struct op_mod m = op_mod_of(f);
    bool pair = strchr("EB", f->sig[0]);
    char text[1000];
    struct kit k;

    snprintf(text, sizeof text,
             OP_HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                     ".reg .b64 %%d<3>; .reg .b32 %%w<6>; .reg .b16 %%h<6>;\n"
                     "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; mov.u32 %%w1, %%tid.x;\n"
                     "mov.u32 %%w2, %%ctaid.x; mad.lo.u32 %%w1, %%w2, 256, %%w1;\n"
                     "mad.wide.u32 %%d1, %%w1, 4, %%d1; mad.wide.u32 %%d2, %%w1, 4, %%d2;\n"
                     "ld.global.u32 %%w3, [%%d1]; mov.b32 {%%h1, %%h2}, %%w3;\n"
                     "%s %s; %s %s; %s st.global.u32 [%%d2], %%w4; ret;\n}\n",
             f->form, pair ? "%w4, %w3" : "%h3, %h1", f->form, pair ? "%w4, %w3" : "%h4, %h2",
             pair ? "" : "mov.b32 %w4, {%h3, %h4};");
    kit_open(&k, text, KIT_LOWER, "base");
    for (u32 i = 0; i < ALL; i++)
        in[i] = (u16)i;
    u64 from = kit_buf(&k, in, sizeof in), to = kit_buf(&k, NULL, sizeof out);

    kit_run(&k, "k", ALL / 512, 256, KIT_ARGS(from, to));
    kit_get(&k, to, out, sizeof out);
    kit_close(&k);
    for (u32 i = 0; i < ALL; i++)
        if (!(f->near == near_ex2 ? one_ex2 : one_tanh)(&m, i, out[i]))
            fail_msg("%s of %#x gives %#x", f->form, i, out[i]);
}

static void every_pattern_is_within_bounds(void **state)
{
    (void)state;
    for (u32 i = 0; i < LEN(forms); i++)
        run_all(&forms[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ex2_of_16_bits_within_bounds),
    cmocka_unit_test(tanh_of_16_bits_within_bounds),
    cmocka_unit_test(every_pattern_is_within_bounds),
};

TEST_MAIN(tests)
