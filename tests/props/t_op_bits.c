/* t_op_bits.c -- logic, shifts, bit fields, permutations, moves and selection, bit by bit */
#include "tests/props/op_test.h"

#define REF(name, expr)                                                                            \
    static u64 ref_##name(const struct op_mod *m, const u64 *v)                                    \
    {                                                                                              \
        const u64 a = v[0], b = v[1], c = v[2];                                                    \
        (void)m, (void)a, (void)b, (void)c;                                                        \
        return (u64)(expr);                                                                        \
    }

static u32 width(const struct op_mod *m)
{
    return op_bits(m->form->sig[1]);
}

static u64 bit(u64 x, u32 i)
{
    return x >> i & 1;
}

REF(first, a)
REF(and, a &b)
REF(or, a | b)
REF(xor, a ^ b)
REF(not, ~a)
REF(cnot, a == 0)
REF(selp, c ? a : b)
REF(slct_s32, (s64)c >= 0 ? a : b)

/* Not below zero: -0 is not, NaN is; .ftz makes zeros of subnormals. */
static u64 ref_slct_f32(const struct op_mod *m, const u64 *v)
{
    u64 size = v[2] & 0x7fffffff, negative = v[2] >> 31;
    bool zero = size == 0 || (m->ftz && size < 0x800000), nan = size > 0x7f800000;

    return !nan && (zero || !negative) ? v[0] : v[1];
}

/* ---- shifts: a place at a time, at most as many as there are bits */

static u64 shift(const struct op_mod *m, u64 x, u64 n, bool left, u64 fill)
{
    u32 w = width(m);

    for (u64 i = 0; i < n && i < w; i++)
        x = left ? x << 1 : (x & op_mask(w)) >> 1 | fill << (w - 1);
    return x & op_mask(w);
}

REF(shl, shift(m, a, b, true, 0))
REF(shr, shift(m, a, b, false, 0))
REF(sar, shift(m, a, b, false, bit(a, width(m) - 1)))

static u64 funnel(const u64 *v, u64 n, bool left)
{
    u64 both = v[1] << 32 | v[0];

    for (u64 i = 0; i < n; i++)
        both = left ? both << 1 : both >> 1;
    return left ? both >> 32 : both & 0xffffffff;
}

REF(shf_l_clamp, funnel(v, c > 32 ? 32 : c, true))
REF(shf_l_wrap, funnel(v, c % 32, true))
REF(shf_r_clamp, funnel(v, c > 32 ? 32 : c, false))
REF(shf_r_wrap, funnel(v, c % 32, false))

/* ---- counting and finding */

static u64 ref_popc(const struct op_mod *m, const u64 *v)
{
    u64 n = 0;

    for (u32 i = 0; i < width(m); i++)
        n += bit(v[0], i);
    return n;
}

static u64 ref_clz(const struct op_mod *m, const u64 *v)
{
    u32 n = 0;

    while (n < width(m) && !bit(v[0], width(m) - 1 - n))
        n++;
    return n;
}

static u64 ref_brev(const struct op_mod *m, const u64 *v)
{
    u64 r = 0;

    for (u32 i = 0; i < width(m); i++)
        r |= bit(v[0], i) << (width(m) - 1 - i);
    return r;
}

/* The highest bit that is not the sign; signed forms look at negative numbers complemented. */
static u64 ref_bfind(const struct op_mod *m, const u64 *v)
{
    bool is_signed = strchr("WD", m->form->sig[1]) != NULL;
    u64 x = is_signed && (s64)v[0] < 0 ? ~v[0] : v[0];

    for (u32 i = width(m); i-- > 0;)
        if (bit(x, i))
            return i;
    return 0xffffffff;
}

static u64 ref_bfind_shift(const struct op_mod *m, const u64 *v)
{
    u64 r = ref_bfind(m, v);

    return r == 0xffffffff ? r : width(m) - 1 - r;
}

/* ---- fields, as the loops of the PTX ISA */

static u64 ref_bfe(const struct op_mod *m, const u64 *v)
{
    u32 msb = width(m) - 1, pos = v[1] & 255, len = v[2] & 255;
    bool is_signed = strchr("WD", m->form->sig[1]) != NULL;
    u64 sign = !is_signed || len == 0 ? 0 : bit(v[0], min_u32(pos + len - 1, msb)), d = 0;

    for (u32 i = 0; i <= msb; i++)
        d |= (i < len && pos + i <= msb ? bit(v[0], pos + i) : sign) << i;
    return d;
}

static u64 ref_bfi(const struct op_mod *m, const u64 *v)
{
    u32 msb = width(m) - 1, pos = v[2] & 255, len = v[3] & 255;
    u64 f = v[1];

    for (u32 i = 0; i < len && pos + i <= msb; i++)
        f = (f & ~(1ull << (pos + i))) | bit(v[0], i) << (pos + i);
    return f;
}

/*
 * ---- prmt: bytes 0-3 are a's, 4-7 are b's; the selectors of the modes are the table of the PTX
 * ISA
 */

static u64 pick_bytes(const u64 *v, const char *selector)
{
    u64 r = 0;

    for (u32 i = 0; i < 4; i++) {
        u32 n = (u32)(selector[i] - '0');

        r = r << 8 | ((n < 4 ? v[0] : v[1]) >> 8 * (n & 3) & 255);
    }
    return r;
}

static u64 ref_prmt(const struct op_mod *m, const u64 *v)
{
    u64 r = 0;

    (void)m;
    for (u32 i = 0; i < 4; i++) {
        u32 nibble = v[2] >> 4 * i & 15, n = nibble & 7;
        u64 byte = (n < 4 ? v[0] : v[1]) >> 8 * (n & 3) & 255;

        r |= (nibble < 8 ? byte : byte > 127 ? 255 : 0) << 8 * i;
    }
    return r;
}

#define PRMT(mode, s0, s1, s2, s3)                                                                 \
    static u64 ref_prmt_##mode(const struct op_mod *m, const u64 *v)                               \
    {                                                                                              \
        static const char *const sel[] = {s0, s1, s2, s3};                                         \
        (void)m;                                                                                   \
        return pick_bytes(v, sel[v[2] & 3]);                                                       \
    }

PRMT(f4e, "3210", "4321", "5432", "6543")
PRMT(b4e, "5670", "6701", "7012", "0123")
PRMT(rc8, "0000", "1111", "2222", "3333")
PRMT(ecl, "3210", "3211", "3222", "3333")
PRMT(ecr, "0000", "1110", "2210", "3210")
PRMT(rc16, "1010", "3232", "1010", "3232")

/* ---- packing */

REF(pack_2x16, a | b << 16)
REF(pack_2x32, a | b << 32)
REF(pack_4x16, a | b << 16 | c << 32 | v[3] << 48)
REF(low, a)
REF(high_16, a >> 16)
REF(high_32, a >> 32)
REF(part_2, a >> 32)

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#define TEXT(form, sig, ref, text) {form, sig, ref, text, 0, NULL},
#define REGS(form, sig, ref, text) {form, sig, ref, text, OP_NO_IMM, NULL},
#include "tests/props/forms_bits.inc"
#undef ROW
#undef TEXT
#undef REGS
};

/* ---- lop3: each of the 256 functions */

static u64 ref_lop3(const struct op_mod *m, const u64 *v)
{
    u32 lut = (u32)strtoul(strstr(m->form->text, "0x"), NULL, 16);
    u64 r = 0;

    for (u32 i = 0; i < 32; i++)
        r |= bit(lut, (u32)(bit(v[0], i) << 2 | bit(v[1], i) << 1 | bit(v[2], i))) << i;
    return r;
}

static void lop3_computes_every_function_of_three_bits(void **state)
{
    struct op_row rows[256];
    char text[256][48];

    (void)state;
    for (u32 i = 0; i < 256; i++) {
        snprintf(text[i], sizeof text[i], "lop3.b32 $d, $a, $b, $c, 0x%x", i);
        rows[i] = (struct op_row){"lop3.b32", "wwww", ref_lop3, text[i], 0, NULL};
    }
    op_check(rows, 256, NULL);
}

OP_FAMILY(and_or_xor_not_cnot_of_words_and_predicates, "and or xor not cnot")
OP_FAMILY(shl_and_shr_go_past_the_width, "shl shr")
OP_FAMILY(shf_clamps_or_wraps_its_count, "shf")
OP_FAMILY(popc_clz_brev_bfind_look_at_every_bit, "popc clz brev bfind")
OP_FAMILY(bfe_and_bfi_cut_fields_that_reach_past_the_end, "bfe bfi")
OP_FAMILY(prmt_has_all_modes, "prmt")
OP_FAMILY(mov_copies_packs_and_takes_apart, "mov")
OP_FAMILY(selp_and_slct_choose, "selp slct")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(and_or_xor_not_cnot_of_words_and_predicates),
    cmocka_unit_test(shl_and_shr_go_past_the_width),
    cmocka_unit_test(shf_clamps_or_wraps_its_count),
    cmocka_unit_test(popc_clz_brev_bfind_look_at_every_bit),
    cmocka_unit_test(bfe_and_bfi_cut_fields_that_reach_past_the_end),
    cmocka_unit_test(prmt_has_all_modes),
    cmocka_unit_test(lop3_computes_every_function_of_three_bits),
    cmocka_unit_test(mov_copies_packs_and_takes_apart),
    cmocka_unit_test(selp_and_slct_choose),
};

TEST_MAIN(tests)
