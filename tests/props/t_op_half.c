/* t_op_half.c -- .f16, .bf16 and pairs of them against exact numbers, rounded by search */
#include "tests/props/op_job.h"
#include "tests/props/half_ref.h"

enum { NAN16 = 0x7fff };

static const struct ref_format *format_of(const struct op_mod *m)
{
    return strchr("eE", m->form->sig[1]) ? &ref_f16 : &ref_bf16;
}

static bool is_pair(const struct op_mod *m)
{
    return strchr("EB", m->form->sig[1]);
}

/* A reference of one number, for each half of the operands. */
typedef u64 one_fn(const struct op_mod *m, const u64 *v);

static u64 halves(const struct op_mod *m, const u64 *v, one_fn *one)
{
    u64 low[4], high[4];

    if (!is_pair(m))
        return one(m, v);
    for (u32 k = 0; k < 4; k++)
        low[k] = v[k] & 0xffff, high[k] = v[k] >> 16 & 0xffff;
    return one(m, low) | one(m, high) << 16;
}

#define REF(name)                                                                                  \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        return halves(m, v, one_##name);                                                           \
    }

static u64 finish(const struct op_mod *m, u64 h)
{
    const struct ref_format *f = format_of(m);
    u64 r = ref_half_sat(f, ref_half_ftz(f, h, m->ftz), m->sat);

    return m->relu && r & 0x8000 ? 0 : r;
}

static u64 infinity(const struct ref_format *f, bool neg)
{
    return f->top | (neg ? 0x8000u : 0);
}

static bool zero(u64 h)
{
    return !(h & 0x7fff);
}

/* a + b of a finite product, or infinities and NaN by their rules */
static u64 sum(const struct op_mod *m, u64 a, u64 b)
{
    const struct ref_format *f = format_of(m);

    a = ref_half_ftz(f, a, m->ftz), b = ref_half_ftz(f, b, m->ftz);
    bool ia = ref_half_inf(f, a), ib = ref_half_inf(f, b);

    if (ref_half_nan(f, a) || ref_half_nan(f, b) || (ia && ib && a != b))
        return finish(m, NAN16);
    if (ia || ib)
        return finish(m, ia ? a : b);
    return finish(m, ref_round_to(f, ref_plus(ref_number(f, (u32)a), ref_number(f, (u32)b)), 0));
}

static u64 one_add(const struct op_mod *m, const u64 *v)
{
    return sum(m, v[0], v[1]);
}

static u64 one_sub(const struct op_mod *m, const u64 *v)
{
    return sum(m, v[0], v[1] ^ 0x8000);
}

/* c is NULL for a product alone, which has no zero to be added that could change its sign. */
static u64 product(const struct op_mod *m, u64 a, u64 b, const u64 *c_)
{
    const struct ref_format *f = format_of(m);
    u64 c = c_ ? ref_half_ftz(f, *c_, m->ftz) : 0;

    a = ref_half_ftz(f, a, m->ftz), b = ref_half_ftz(f, b, m->ftz);
    bool inf = ref_half_inf(f, a) || ref_half_inf(f, b), neg = (a ^ b) >> 15 & 1;

    if (ref_half_nan(f, a) || ref_half_nan(f, b) || ref_half_nan(f, c) ||
        (inf && (zero(a) || zero(b))) || (inf && ref_half_inf(f, c) && neg != (c >> 15 & 1)))
        return finish(m, NAN16);
    if (inf)
        return finish(m, infinity(f, neg));
    if (ref_half_inf(f, c))
        return finish(m, c);
    struct exact p = ref_times(ref_number(f, (u32)a), ref_number(f, (u32)b));

    if (c_)
        p = ref_plus(p, ref_number(f, (u32)c));
    return finish(m, ref_round_to(f, p, 0));
}

static u64 one_mul(const struct op_mod *m, const u64 *v)
{
    return product(m, v[0], v[1], NULL);
}

static u64 one_fma(const struct op_mod *m, const u64 *v)
{
    return product(m, v[0], v[1], &v[2]);
}

static u64 one_neg(const struct op_mod *m, const u64 *v)
{
    return ref_half_ftz(format_of(m), v[0], m->ftz) ^ 0x8000;
}

static u64 one_abs(const struct op_mod *m, const u64 *v)
{
    return ref_half_ftz(format_of(m), v[0], m->ftz) & 0x7fff;
}

/* PTX ISA, min: steps in its order; -0 is below +0. */
static u64 extreme(const struct op_mod *m, const u64 *v, bool want_less)
{
    const struct ref_format *f = format_of(m);
    u64 a = ref_half_ftz(f, v[0], m->ftz), b = ref_half_ftz(f, v[1], m->ftz), d;
    u64 sign = (a ^ b) & 0x8000;

    if (m->xorsign)
        a &= 0x7fff, b &= 0x7fff;
    bool na = ref_half_nan(f, a), nb = ref_half_nan(f, b);
    double x = ref_half_double(f, a), y = ref_half_double(f, b);

    if ((na && nb) || (m->nan && (na || nb)))
        return NAN16;
    if (na || nb)
        d = na ? b : a;
    else
        d = (x < y || (x == y && a > b)) == want_less ? a : b;
    return m->xorsign ? (d & 0x7fff) | sign : d;
}

static u64 one_min(const struct op_mod *m, const u64 *v)
{
    return extreme(m, v, true);
}

static u64 one_max(const struct op_mod *m, const u64 *v)
{
    return extreme(m, v, false);
}

REF(add)
REF(sub)
REF(mul)
REF(fma)
REF(neg)
REF(abs)
REF(min)
REF(max)

static u64 ref_first(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return v[0];
}

static u64 ref_selp(const struct op_mod *m, const u64 *v)
{
    (void)m;
    return v[2] ? v[0] : v[1];
}

/* ---- comparisons */

static bool holds(const struct op_mod *m, u64 a, u64 b)
{
    static const struct {
        const char *name;
        bool less, equal, greater, unordered;
    } table[] = {
        {"eq", 0, 1, 0, 0},  {"ne", 1, 0, 1, 0},  {"lt", 1, 0, 0, 0},  {"le", 1, 1, 0, 0},
        {"gt", 0, 0, 1, 0},  {"ge", 0, 1, 1, 0},  {"equ", 0, 1, 0, 1}, {"neu", 1, 0, 1, 1},
        {"ltu", 1, 0, 0, 1}, {"leu", 1, 1, 0, 1}, {"gtu", 0, 0, 1, 1}, {"geu", 0, 1, 1, 1},
        {"num", 1, 1, 1, 0}, {"nan", 0, 0, 0, 1},
    };
    const struct ref_format *f = format_of(m);
    double x = ref_half_double(f, ref_half_ftz(f, a, m->ftz));
    double y = ref_half_double(f, ref_half_ftz(f, b, m->ftz));

    for (u32 i = 0; i < LEN(table); i++)
        if (!strcmp(table[i].name, m->cmp))
            return x < y    ? table[i].less
                   : x > y  ? table[i].greater
                   : x == y ? table[i].equal
                            : table[i].unordered;
    fail_msg("no comparison '%s'", m->cmp);
    return false;
}

static bool combined(const struct op_mod *m, bool t, u64 c)
{
    return m->bool_op[0] == 'a'   ? t && c
           : m->bool_op[0] == 'o' ? t || c
           : m->bool_op[0] == 'x' ? t != (c != 0)
                                  : t;
}

/* Of one number p and its opposite q; of a pair p for the low and q for the high half. */
static u64 ref_setp(const struct op_mod *m, const u64 *v)
{
    bool p = holds(m, v[0] & 0xffff, v[1] & 0xffff);
    bool q = is_pair(m) ? holds(m, v[0] >> 16, v[1] >> 16) : !p;
    u64 both = (u64)combined(m, p, v[2]) | (u64)combined(m, q, v[2]) << 1;

    return m->form->sig[0] == 'p' ? both & 1 : both;
}

static u64 ref_set(const struct op_mod *m, const u64 *v)
{
    u64 yes = strstr(m->type[0], "bf16") ? 0x3f80 : strstr(m->type[0], "f16") ? 0x3c00 : 0xffff;
    bool low = combined(m, holds(m, v[0] & 0xffff, v[1] & 0xffff), v[2]);

    if (is_pair(m))
        return (low ? yes : 0) |
               (combined(m, holds(m, v[0] >> 16, v[1] >> 16), v[2]) ? yes << 16 : 0);
    return !low ? 0 : yes == 0xffff ? 0xffffffff : yes;
}

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, OP_NO_IMM, NULL},
#include "tests/props/forms_half.inc"
#undef ROW
};

OP_FAMILY(add_and_sub_of_16_bits_round_once, "add sub")
OP_FAMILY(mul_of_16_bits_rounds_once, "mul")
OP_FAMILY(fma_of_16_bits_rounds_once_and_relu_takes_the_sign, "fma")
OP_FAMILY(neg_and_abs_of_16_bits_move_the_sign, "neg abs")
OP_FAMILY(min_and_max_of_16_bits_by_value_or_by_size, "min max")
OP_FAMILY(mov_and_selp_of_16_bits, "mov selp")
OP_FAMILY(setp_of_16_bits_and_of_pairs, "setp")
OP_FAMILY(set_of_16_bits_gives_ones_or_one, "set")

/* ---- every pattern, the same for all operands of a form: one thread each */

enum { ALL = 65536 };

static void run_all(const char *form, const char *sig,
                    u64 (*ref)(const struct op_mod *, const u64 *))
{
    static const char *const opnd[2][4] = {{"", ", %h1", ", %h1, %h1", ", %h1, %h1, %h1"},
                                           {"", ", %w3", ", %w3, %w3", ", %w3, %w3, %w3"}};
    static u32 in[ALL], want[ALL];
    struct op_row row = {form, sig, ref, NULL, 0, NULL};
    struct op_mod m = op_mod_of(&row);
    bool pair = is_pair(&m);
    char text[1000];

    for (u32 i = 0; i < ALL; i++) {
        in[i] = pair ? i | (i * 40503u + 12345) << 16 : i;
        want[i] = (u32)ref(&m, (const u64[]){in[i], in[i], in[i], 0});
    }
    snprintf(text, sizeof text,
             OP_HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                     ".reg .b64 %%d<3>; .reg .b32 %%w<6>; .reg .b16 %%h<3>;\n"
                     "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; mov.u32 %%w1, %%tid.x;\n"
                     "mov.u32 %%w2, %%ctaid.x; mad.lo.u32 %%w1, %%w2, 256, %%w1;\n"
                     "mad.wide.u32 %%d1, %%w1, 4, %%d1; mad.wide.u32 %%d2, %%w1, 4, %%d2;\n"
                     "ld.global.u32 %%w3, [%%d1]; cvt.u16.u32 %%h1, %%w3;\n"
                     "%s %s%s; %s st.global.u32 [%%d2], %%w4;\nret;\n}\n",
             form, pair ? "%w4" : "%h2", opnd[pair][strlen(sig) - 1],
             pair ? "" : "cvt.u32.u16 %w4, %h2;");
    struct op_job job = {.kernel = "k", .in = in, .n_in = sizeof in, .want = want};

    job.n_want = sizeof want, job.grid = ALL / 256, job.block = 256;
    op_job_check(form, text, job);
}

static void neg_and_abs_of_all_patterns(void **state)
{
    (void)state;
    run_all("neg.f16", "ee", ref_neg);
    run_all("neg.ftz.f16", "ee", ref_neg);
    run_all("neg.bf16", "bb", ref_neg);
    run_all("neg.bf16x2", "BB", ref_neg);
    run_all("abs.f16", "ee", ref_abs);
    run_all("abs.ftz.f16x2", "EE", ref_abs);
    run_all("abs.bf16", "bb", ref_abs);
}

static void sums_and_products_of_all_patterns_with_themselves(void **state)
{
    (void)state;
    run_all("add.f16", "eee", ref_add);
    run_all("add.bf16", "bbb", ref_add);
    run_all("mul.f16", "eee", ref_mul);
    run_all("mul.ftz.f16", "eee", ref_mul);
    run_all("mul.sat.f16", "eee", ref_mul);
    run_all("mul.bf16", "bbb", ref_mul);
    run_all("mul.bf16x2", "BBB", ref_mul);
    run_all("fma.rn.f16", "eeee", ref_fma);
    run_all("fma.rn.relu.f16x2", "EEEE", ref_fma);
    run_all("fma.rn.bf16", "bbbb", ref_fma);
}

/* ---- products of small integers, many of them ties, and a third operand that decides */

static void fma_sees_what_lies_far_below_a_tie(void **state)
{
    static const u16 far[2][5] = {{0, 1, 0x8001, 0x3c00, 0xbc00}, {0, 1, 0x8001, 0x1e80, 0xa180}};
    static struct {
        u16 a, b, c, unused;
    } in[ALL];
    static u32 want[ALL];
    static const char *const form[] = {"fma.rn.f16", "fma.rn.bf16"};

    (void)state;
    for (u32 k = 0; k < 2; k++) {
        struct op_row row = {form[k], k ? "bbbb" : "eeee", NULL, NULL, 0, NULL};
        struct op_mod m = op_mod_of(&row);
        const struct ref_format *f = format_of(&m);
        char text[1000];

        for (u32 i = 0; i < ALL; i++) {
            in[i].a = (u16)ref_round_to(f, (struct exact){false, i >> 8, 0}, 0);
            in[i].b = (u16)ref_round_to(f, (struct exact){(i & 1) != 0, i & 255, 0}, 0);
            in[i].c = far[k][(i + (i >> 8)) % 5];
            want[i] = (u32)one_fma(&m, (const u64[]){in[i].a, in[i].b, in[i].c, 0});
        }
        snprintf(text, sizeof text,
                 OP_HEAD
                 ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                 ".reg .b64 %%d<3>; .reg .b32 %%w<6>; .reg .b16 %%h<6>;\n"
                 "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; mov.u32 %%w1, %%tid.x;\n"
                 "mov.u32 %%w2, %%ctaid.x; mad.lo.u32 %%w1, %%w2, 256, %%w1;\n"
                 "mad.wide.u32 %%d1, %%w1, 8, %%d1; mad.wide.u32 %%d2, %%w1, 4, %%d2;\n"
                 "ld.global.v4.b16 {%%h1, %%h2, %%h3, %%h4}, [%%d1];\n"
                 "%s %%h5, %%h1, %%h2, %%h3; cvt.u32.u16 %%w4, %%h5;\n"
                 "st.global.u32 [%%d2], %%w4; ret;\n}\n",
                 form[k]);
        struct op_job job = {.kernel = "k", .in = in, .n_in = sizeof in, .want = want};

        job.n_want = sizeof want, job.grid = ALL / 256, job.block = 256;
        op_job_check(form[k], text, job);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(add_and_sub_of_16_bits_round_once),
    cmocka_unit_test(mul_of_16_bits_rounds_once),
    cmocka_unit_test(fma_of_16_bits_rounds_once_and_relu_takes_the_sign),
    cmocka_unit_test(neg_and_abs_of_16_bits_move_the_sign),
    cmocka_unit_test(min_and_max_of_16_bits_by_value_or_by_size),
    cmocka_unit_test(mov_and_selp_of_16_bits),
    cmocka_unit_test(setp_of_16_bits_and_of_pairs),
    cmocka_unit_test(set_of_16_bits_gives_ones_or_one),
    cmocka_unit_test(neg_and_abs_of_all_patterns),
    cmocka_unit_test(fma_sees_what_lies_far_below_a_tie),
    cmocka_unit_test(sums_and_products_of_all_patterns_with_themselves),
};

TEST_MAIN(tests)
