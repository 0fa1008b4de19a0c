/* t_op_packed.c -- integers packed in words, bit by bit and byte by byte */
#include "tests/props/op_test.h"

static bool has(const struct op_mod *m, const char *word)
{
    return strstr(m->form->form, word) != NULL;
}

static u64 bit(u64 x, u64 i)
{
    return i < 32 ? x >> i & 1 : 0;
}

/* ---- dp4a, dp2a */

static s64 element(u64 word, u32 k, u32 bytes, bool is_signed)
{
    s64 v = 0;

    for (u32 i = 0; i < bytes; i++)
        v += (s64)(word >> 8 * (bytes * k + i) & 255) << 8 * i;
    return is_signed && v >> (8 * bytes - 1) ? v - (1ll << 8 * bytes) : v;
}

static u64 ref_dp4a(const struct op_mod *m, const u64 *v)
{
    s64 sum = (s64)v[2];

    for (u32 k = 0; k < 4; k++)
        sum +=
            element(v[0], k, 1, m->type[0][0] == 's') * element(v[1], k, 1, m->type[1][0] == 's');
    return (u64)sum;
}

static u64 ref_dp2a(const struct op_mod *m, const u64 *v)
{
    s64 sum = (s64)v[2];
    u32 from = has(m, ".hi.") ? 2 : 0;

    for (u32 k = 0; k < 2; k++)
        sum += element(v[0], k, 2, m->type[0][0] == 's') *
               element(v[1], from + k, 1, m->type[1][0] == 's');
    return (u64)sum;
}

/* ---- masks */

static u64 ref_bmsk(const struct op_mod *m, const u64 *v)
{
    bool wrap = has(m, ".wrap.");
    u64 at = wrap ? v[0] % 32 : v[0], n = wrap ? v[1] % 32 : v[1], r = 0;

    for (u64 i = 0; i < 32; i++)
        r |= (u64)(i >= at && i - at < n) << i;
    return r;
}

static u64 ref_szext(const struct op_mod *m, const u64 *v)
{
    u64 n = has(m, ".wrap.") ? v[1] % 32 : v[1] > 32 ? 32 : v[1], r = 0;
    u64 sign = m->type[0][0] == 's' && n ? bit(v[0], n - 1) : 0;

    for (u64 i = 0; i < 32; i++)
        r |= (i < n ? bit(v[0], i) : sign) << i;
    return r;
}

/* The loop of the PTX ISA; the test shifts the offset by 33. */
static u64 ref_fns(const struct op_mod *m, const u64 *v)
{
    s64 offset = (s32)((u32)v[2] - 33), at = (s64)v[1], count = (offset < 0 ? -offset : offset) - 1;

    (void)m;
    if (offset == 0)
        return bit(v[0], v[1]) ? v[1] : 0xffffffff;
    for (; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if (bit(v[0], (u64)at) && count-- == 0)
            return (u64)at;
    return 0xffffffff;
}

/* ---- cvt.pack: a above b, c above both */

static u64 ref_pack(const struct op_mod *m, const u64 *v)
{
    const char *t = strstr(m->form->form, ".sat.") + 5;
    u32 size = (u32)strtoul(t + 1, NULL, 10);
    s64 max = (1ll << (size - (t[0] == 's'))) - 1, min = t[0] == 's' ? -max - 1 : 0;
    u64 r = 0;

    for (u32 k = 0; k < 2; k++) {
        s64 x = (s64)v[1 - k];

        x = x < min ? min : x > max ? max : x;
        r |= ((u64)x & op_mask(size)) << k * size;
    }
    return size == 16 ? r : r | v[2] << 2 * size;
}

/* ---- lop3 with a predicate */

static u64 ref_lop3(const struct op_mod *m, const u64 *v)
{
    u32 lut = (u32)strtoul(strstr(m->form->text, "0x"), NULL, 16);
    u64 r = 0;

    for (u32 i = 0; i < 32; i++)
        r |= bit(lut, bit(v[0], i) << 2 | bit(v[1], i) << 1 | bit(v[2], i)) << i;
    return r;
}

static u64 ref_lop3_p(const struct op_mod *m, const u64 *v)
{
    bool some = ref_lop3(m, v) != 0;

    return has(m, ".or.") ? some || v[3] : some && v[3];
}

static const struct op_row forms[] = {
#define ROW(form, sig, ref) {form, sig, ref, NULL, 0, NULL},
#define TEXT(form, sig, ref, text) {form, sig, ref, text, 0, NULL},
#include "tests/props/forms_packed.inc"
#undef ROW
#undef TEXT
};

OP_FAMILY(dp4a_and_dp2a_of_all_signs, "dp4a dp2a")
OP_FAMILY(bmsk_szext_fns_bit_by_bit, "bmsk szext fns")
OP_FAMILY(cvt_pack_clamps_and_joins, "cvt")
OP_FAMILY(lop3_tells_whether_anything_is_set, "lop3")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(dp4a_and_dp2a_of_all_signs),
    cmocka_unit_test(bmsk_szext_fns_bit_by_bit),
    cmocka_unit_test(cvt_pack_clamps_and_joins),
    cmocka_unit_test(lop3_tells_whether_anything_is_set),
};

TEST_MAIN(tests)
