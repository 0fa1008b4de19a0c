/* t_op_cmp.c -- setp and set: every comparison of every type, combined with predicates */
#include "tests/props/op_test.h"
#include "tests/props/op_ref.h"

enum order { LESS, EQUAL, GREATER, UNORDERED };

static enum order order_of(const struct op_mod *m, const u64 *v)
{
    char c = m->form->sig[1];
    double x, y;

    if (c == 'f')
        x = ref_f32(ref_ftz(v[0], m->ftz)), y = ref_f32(ref_ftz(v[1], m->ftz));
    else if (c == 'g')
        x = ref_f64(v[0]), y = ref_f64(v[1]);
    else if (strchr("HWD", c))
        return (s64)v[0] < (s64)v[1] ? LESS : v[0] == v[1] ? EQUAL : GREATER;
    else
        return v[0] < v[1] ? LESS : v[0] == v[1] ? EQUAL : GREATER;
    return isunordered(x, y) ? UNORDERED : x < y ? LESS : x == y ? EQUAL : GREATER;
}

/* For which orders a comparison holds, a character each: less, equal, greater, unordered. */
static bool holds(const char *cmp, enum order o)
{
    static const struct {
        const char *name, *holds;
    } table[] = {
        {"eq", "-=--"},  {"ne", "<->-"},  {"lt", "<---"},  {"le", "<=--"},  {"gt", "-->-"},
        {"ge", "-=>-"},  {"equ", "-=-u"}, {"neu", "<->u"}, {"ltu", "<--u"}, {"leu", "<=-u"},
        {"gtu", "-->u"}, {"geu", "-=>u"}, {"num", "<=>-"}, {"nan", "---u"}, {"lo", "<---"},
        {"ls", "<=--"},  {"hi", "-->-"},  {"hs", "-=>-"},
    };

    for (u32 i = 0; i < LEN(table); i++)
        if (!strcmp(table[i].name, cmp))
            return table[i].holds[o] != '-';
    fail_msg("no comparison '%s'", cmp);
    return false;
}

static bool combine(const struct op_mod *m, bool t, u64 c)
{
    switch (m->bool_op[0]) {
    case 'a':
        return t && c;
    case 'o':
        return t || c;
    case 'x':
        return t != (c != 0);
    default:
        return t;
    }
}

/* Bit 0: the comparison combined with c; bit 1: its complement combined with c. */
static u64 ref_setp(const struct op_mod *m, const u64 *v)
{
    bool t = holds(m->cmp, order_of(m, v));

    return (u64)combine(m, t, v[2]) | (u64)combine(m, !t, v[2]) << 1;
}

static u64 ref_setp_q(const struct op_mod *m, const u64 *v)
{
    return !holds(m->cmp, order_of(m, v));
}

static u64 ref_set(const struct op_mod *m, const u64 *v)
{
    bool t = combine(m, holds(m->cmp, order_of(m, v)), v[2]);

    return !t ? 0 : m->type[0][0] == 'f' ? 0x3f800000 : 0xffffffff;
}

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#define TEXT(form, sig, ref, text) {form, sig, ref, text, 0, NULL},
#include "tests/props/forms_cmp.inc"
#undef ROW
#undef TEXT
};

/* The rows of one instruction whose operands have one of these letters. */
static void check(const char *name, const char *letters)
{
    struct op_row *some = calloc(LEN(forms), sizeof *some);
    u32 n = 0;

    assert_non_null(some);
    for (u32 i = 0; i < LEN(forms); i++)
        if (op_among(forms[i].form, strcspn(forms[i].form, "."), name) &&
            strchr(letters, forms[i].sig[1]))
            some[n++] = forms[i];
    op_check(some, n, NULL);
    free(some);
}

#define FAMILY(name, op, letters)                                                                  \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check(op, letters);                                                                        \
    }

FAMILY(setp_of_16_bits_and_or_xor_p_q, "setp", "hH")
FAMILY(setp_of_32_bits_and_or_xor_p_q, "setp", "wW")
FAMILY(setp_of_64_bits_and_or_xor_p_q, "setp", "dD")
FAMILY(setp_of_f32_ordered_and_not, "setp", "f")
FAMILY(setp_of_f64_ordered_and_not, "setp", "g")
FAMILY(set_of_integers_gives_all_ones_or_one, "set", "hHwWdD")
FAMILY(set_of_floats_gives_all_ones_or_one, "set", "fg")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(setp_of_16_bits_and_or_xor_p_q),
    cmocka_unit_test(setp_of_32_bits_and_or_xor_p_q),
    cmocka_unit_test(setp_of_64_bits_and_or_xor_p_q),
    cmocka_unit_test(setp_of_f32_ordered_and_not),
    cmocka_unit_test(setp_of_f64_ordered_and_not),
    cmocka_unit_test(set_of_integers_gives_all_ones_or_one),
    cmocka_unit_test(set_of_floats_gives_all_ones_or_one),
};

TEST_MAIN(tests)
