/* select_cvt.c -- conversions: of one number, of two into a word, of integers packed */
#include "ptx/select/select_int.h"

#include <string.h>

#define O(k) (&s->in->opnd[k])

static enum opnd_type opnd_type_of(enum ptx_type t)
{
    static const u8 map[N_PT] = {
        [PT_B8] = OT_u8,   [PT_U8] = OT_u8,   [PT_S8] = OT_s8,   [PT_B16] = OT_u16,
        [PT_U16] = OT_u16, [PT_S16] = OT_s16, [PT_B32] = OT_u32, [PT_U32] = OT_u32,
        [PT_S32] = OT_s32, [PT_F32] = OT_f32, [PT_B64] = OT_u64, [PT_U64] = OT_u64,
        [PT_S64] = OT_s64, [PT_F64] = OT_f64, [PT_F16] = OT_f16, [PT_BF16] = OT_bf16,
    };

    return map[t];
}

/* Does d hold every number of a? */
static bool widens(enum ptx_type d, enum ptx_type a)
{
    return d == a || d == PT_F64 || (d == PT_F32 && a != PT_F64);
}

static bool cvt_rounding(struct sel *s, bool to_flt, bool from_flt)
{
    enum ptx_type d = s->s.type[0], a = s->s.type[1];
    bool int_to_flt = to_flt && !from_flt, narrow = to_flt && from_flt && !widens(d, a);
    bool same = d == a && to_flt;

    if ((int_to_flt || narrow) && !(s->s.have & S_RND))
        return sel_fail(s, s->in->col, "cvt.%s.%s needs a rounding mode such as .rn",
                        ptx_type_name(d), ptx_type_name(a));
    if (from_flt && !to_flt && !(s->s.have & S_RNDI))
        return sel_fail(s, s->in->col, "cvt.%s.%s needs an integer rounding mode such as .rzi",
                        ptx_type_name(d), ptx_type_name(a));
    if (s->s.have & S_RND && !int_to_flt && !narrow)
        return sel_fail(s, s->in->col, "cvt.%s.%s takes no rounding mode", ptx_type_name(d),
                        ptx_type_name(a));
    if (s->s.have & S_RNDI && !(from_flt && !to_flt) && !same)
        return sel_fail(s, s->in->col, "cvt.%s.%s takes no integer rounding mode", ptx_type_name(d),
                        ptx_type_name(a));
    return true;
}

/* A register of a conversion may be wider than its type. */
static bool cvt_reg(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, bool is_dst, u32 *out,
                    bool *is64)
{
    if (o->kind != PO_REG) {
        *is64 = ptx_type_bytes(t) == 8;
        return is_dst ? sel_dst(s, o, t, out)
                      : sel_src(s, o, ptx_type_bytes(t) == 1 ? PT_B16 : t, out);
    }
    enum ptx_type r = s->pf->reg[o->reg].type;

    if (r == PT_PRED || ptx_type_bytes(r) < ptx_type_bytes(t) ||
        (ptx_type_bytes(r) != ptx_type_bytes(t) && !sel_may_be_wider(t, r)))
        return sel_fail(s, o->col, "cvt: %s is declared .%s; a register that holds .%s is needed",
                        s->pf->reg[o->reg].name, ptx_type_name(r), ptx_type_name(t));
    *is64 = ptx_type_bytes(r) == 8;
    *out = o->reg;
    return true;
}

static enum op cvt_fast(struct sel *s, bool d64, bool a64)
{
    static const struct {
        u8 d, a, rnd;
        u16 op;
    } row[] = {
        {PT_U32, PT_U64, 0, OP_cvt_u32_u64},   {PT_S32, PT_U64, 0, OP_cvt_u32_u64},
        {PT_U32, PT_S64, 0, OP_cvt_u32_u64},   {PT_S32, PT_S64, 0, OP_cvt_u32_u64},
        {PT_U64, PT_U32, 0, OP_cvt_u64_u32},   {PT_S64, PT_U32, 0, OP_cvt_u64_u32},
        {PT_S64, PT_S32, 0, OP_cvt_s64_s32},   {PT_U64, PT_S32, 0, OP_cvt_s64_s32},
        {PT_F32, PT_S32, 0, OP_cvt_f32_s32},   {PT_F32, PT_U32, 0, OP_cvt_f32_u32},
        {PT_F64, PT_S32, 0, OP_cvt_f64_s32},   {PT_F64, PT_U32, 0, OP_cvt_f64_u32},
        {PT_F64, PT_F32, 0, OP_cvt_f64_f32},   {PT_F32, PT_F64, 0, OP_cvt_f32_f64},
        {PT_S32, PT_F32, 1, OP_cvt_s32_f32},   {PT_U32, PT_F32, 1, OP_cvt_u32_f32},
        {PT_S32, PT_F64, 1, OP_cvt_s32_f64},   {PT_S32, PT_S16, 0, OP_cvt_s32_s16},
        {PT_U32, PT_S16, 0, OP_cvt_s32_s16},   {PT_U32, PT_U32, 0, OP_mov_32},
        {PT_S32, PT_U32, 0, OP_mov_32},        {PT_U32, PT_S32, 0, OP_mov_32},
        {PT_S32, PT_S32, 0, OP_mov_32},        {PT_U64, PT_U64, 0, OP_mov_64},
        {PT_S64, PT_U64, 0, OP_mov_64},        {PT_U64, PT_S64, 0, OP_mov_64},
        {PT_S64, PT_S64, 0, OP_mov_64},        {PT_F32, PT_F16, 0, OP_cvt_f32_f16},
        {PT_F16, PT_F32, 0, OP_cvt_f16_f32},   {PT_F32, PT_BF16, 0, OP_cvt_f32_bf16},
        {PT_BF16, PT_F32, 0, OP_cvt_bf16_f32},
    };

    if (s->s.have & (S_SAT | S_FTZ))
        return N_OP;
    for (size_t i = 0; i < LEN(row); i++)
        if (s->s.type[0] == row[i].d && s->s.type[1] == row[i].a &&
            s->s.rnd + s->s.rndi == row[i].rnd && d64 == opnd_is_64(op_info[row[i].op].dst) &&
            a64 == opnd_is_64(op_info[row[i].op].src[0]))
            return row[i].op;
    return N_OP;
}

static bool cvt_scalar(struct sel *s)
{
    enum ptx_type d = s->s.type[0], a = s->s.type[1];
    bool to_flt = ptx_type_is_float(d), from_flt = ptx_type_is_float(a), d64, a64;
    u32 dst, src;

    if (d == PT_PRED || a == PT_PRED || d == PT_B8 || a == PT_B8)
        return sel_bad_type(s);
    if (!cvt_rounding(s, to_flt, from_flt) || !cvt_reg(s, O(0), d, true, &dst, &d64) ||
        !cvt_reg(s, O(1), a, false, &src, &a64))
        return false;
    enum op op = cvt_fast(s, d64, a64);
    bool fast = op != N_OP;
    struct ir_inst *in = sel_emit(s, fast ? op : OP_cvt_x);

    in->dst[0] = dst, in->src[0] = src;
    if (!fast)
        in->mod = (u16)((s->s.rnd | s->s.rndi) | (s->s.have & S_FTZ ? MOD_FTZ : 0) |
                        (s->s.have & S_SAT ? MOD_SAT : 0) | (s->s.have & S_RNDI ? MOD_CVT_INT : 0) |
                        opnd_type_of(d) << MOD_CVT_DST | opnd_type_of(a) << MOD_CVT_SRC |
                        (d64 ? MOD_CVT_DST64 : 0) | (a64 ? MOD_CVT_SRC64 : 0));
    return true;
}

/* ---- .relu and .satfinite, pairs, tf32, 8 bits: nearest or to zero, of floats only */

/* Types of conversions only: no register is declared so. */
enum { EX_TF32 = N_PT, EX_E4M3X2, EX_E5M2X2, N_EX };

static const char *const extra_name[] = {"tf32", "e4m3x2", "e5m2x2"};

/* The last suffix but `back`, as a type. */
static u32 any_type(const struct sel *s, u32 back)
{
    const char *text = s->in->n_suf > back ? s->in->suf[s->in->n_suf - 1 - back] : "";

    for (u32 i = 0; i < LEN(extra_name); i++)
        if (!strcmp(extra_name[i], text))
            return N_PT + i;
    return ptx_type_find(text);
}

enum {
    F_RZ = 1,        /* .rz may stand for .rn */
    F_RELU = 2,      /* .relu may stand */
    F_SATFINITE = 4, /* .satfinite may stand */
    F_MUST_SAT = 8,  /* .satfinite must */
    F_RNA = 16,      /* .rna may stand for .rn */
};

static const struct narrow_row {
    u8 d, a;
    u8 flags;
    u8 n_src;
    u16 op;
} narrow_rows[] = {
    {PT_F16, PT_F32, F_RZ | F_RELU | F_SATFINITE, 1, OP_cvt_x_f16_f32},
    {PT_BF16, PT_F32, F_RZ | F_RELU | F_SATFINITE, 1, OP_cvt_x_bf16_f32},
    {PT_F16X2, PT_F32, F_RZ | F_RELU | F_SATFINITE, 2, OP_cvt_f16x2_f32},
    {PT_BF16X2, PT_F32, F_RZ | F_RELU | F_SATFINITE, 2, OP_cvt_bf16x2_f32},
    {EX_TF32, PT_F32, F_RZ | F_RNA | F_RELU | F_SATFINITE, 1, OP_cvt_tf32_f32},
    {EX_E4M3X2, PT_F32, F_RELU | F_SATFINITE | F_MUST_SAT, 2, OP_cvt_e4m3x2_f32},
    {EX_E5M2X2, PT_F32, F_RELU | F_SATFINITE | F_MUST_SAT, 2, OP_cvt_e5m2x2_f32},
    {EX_E4M3X2, PT_F16X2, F_RELU | F_SATFINITE | F_MUST_SAT, 1, OP_cvt_e4m3x2_f16x2},
    {EX_E5M2X2, PT_F16X2, F_RELU | F_SATFINITE | F_MUST_SAT, 1, OP_cvt_e5m2x2_f16x2},
    {PT_F16X2, EX_E4M3X2, F_RELU, 1, OP_cvt_f16x2_e4m3x2},
    {PT_F16X2, EX_E5M2X2, F_RELU, 1, OP_cvt_f16x2_e5m2x2},
};

static enum ptx_type register_of(u32 t)
{
    return t == EX_TF32 ? PT_B32 : t > N_PT ? PT_B16 : (enum ptx_type)t;
}

static bool narrow_suffixes(struct sel *s, const struct narrow_row *r)
{
    u32 have = s->s.have;

    if (have & (S_FTZ | S_SAT | S_RNDI) || s->s.rnd > 1 || (s->s.rnd && !(r->flags & F_RZ)) ||
        (have & S_RNA && (!(r->flags & F_RNA) || have & (S_RND | S_RELU))) ||
        (have & S_RELU && !(r->flags & F_RELU)) ||
        (have & S_SATFINITE && !(r->flags & F_SATFINITE)))
        return sel_fail(s, s->in->col, "cvt: these suffixes do not go with these types");
    if (!(have & (S_RND | S_RNA)))
        return sel_fail(s, s->in->col, "cvt between these types needs a rounding mode such as .rn");
    if (r->flags & F_MUST_SAT && !(have & S_SATFINITE))
        return sel_fail(s, s->in->col, "cvt to 8 bits needs .satfinite");
    return sel_count(s, 1 + r->n_src, 1 + r->n_src);
}

static bool cvt_narrow(struct sel *s)
{
    u32 d = any_type(s, 1), a = any_type(s, 0);

    for (size_t i = 0; i < LEN(narrow_rows); i++) {
        const struct narrow_row *r = &narrow_rows[i];

        if (r->d != d || r->a != a)
            continue;
        if (!narrow_suffixes(s, r) ||
            !sel_simple(s, r->op, register_of(d), register_of(a),
                        r->n_src == 2 ? register_of(a) : PT_NONE, PT_NONE))
            return false;
        sel_last(s)->mod = (u16)(s->s.rnd | (s->s.have & S_RNA ? MOD_RNA : 0) |
                                 (s->s.have & S_RELU ? MOD_RELU : 0) |
                                 (s->s.have & S_SATFINITE ? MOD_SATFINITE : 0));
        return true;
    }
    return sel_fail(s, s->in->col, "cvt: there is no conversion from '.%s' to '.%s'%s",
                    s->in->suf[s->in->n_suf - 1],
                    s->in->n_suf > 1 ? s->in->suf[s->in->n_suf - 2] : "",
                    s->s.have & (S_RELU | S_SATFINITE) ? " with these suffixes" : "");
}

/* ---- cvt.pack.sat.u16.s32 and cvt.pack.sat.u8.s32.b32: c goes above the two */

static bool cvt_pack(struct sel *s)
{
    static const struct {
        const char *name;
        u8 bits;
        bool is_signed;
    } row[] = {{"u16", 16, 0}, {"s16", 16, 1}, {"u8", 8, 0}, {"s8", 8, 1},
               {"u4", 4, 0},   {"s4", 4, 1},   {"u2", 2, 0}, {"s2", 2, 1}};
    const struct ptx_inst *in = s->in;

    for (u32 i = 0; i < LEN(row) && in->n_suf >= 4; i++) {
        bool c = row[i].bits < 16;

        if (strcmp(in->suf[0], "pack") || strcmp(in->suf[1], "sat") ||
            strcmp(in->suf[2], row[i].name) || strcmp(in->suf[3], "s32") || in->n_suf != 4u + c ||
            (c && strcmp(in->suf[4], "b32")))
            continue;
        if (!sel_count(s, 3 + c, 3 + c) || !sel_simple(s, c ? OP_cvt_pack_c : OP_cvt_pack, PT_B32,
                                                       PT_S32, PT_S32, c ? PT_B32 : PT_NONE))
            return false;
        sel_last(s)->mod = (u16)(row[i].bits | (row[i].is_signed ? MOD_PACK_SIGNED : 0));
        return true;
    }
    return sel_fail(s, in->col,
                    "cvt.pack is written cvt.pack.sat.u16|s16.s32 or .u8|s8|u4|s4|u2|s2.s32.b32");
}

static bool sel_cvt(struct sel *s)
{
    if (s->in->n_suf && !strcmp(s->in->suf[0], "pack"))
        return cvt_pack(s);
    for (u32 i = 0; i < s->s.n_type; i++)
        if (s->s.type[i] == PT_F16X2 || s->s.type[i] == PT_BF16X2)
            return cvt_narrow(s);
    if (s->s.word || s->s.have & (S_RELU | S_SATFINITE | S_RNA))
        return cvt_narrow(s);
    if (s->s.n_type < 2)
        return sel_fail(s, s->in->col, "cvt needs 2 types, as in cvt.u32.s32");
    if (s->s.n_type > 2)
        return sel_fail(s, s->in->col, "cvt takes 2 types, not %u", s->s.n_type);
    return sel_count(s, 2, 2) && cvt_scalar(s);
}

enum { S_CVT = S_RND | S_RNDI | S_FTZ | S_SAT | S_HALF | S_RELU | S_SATFINITE | S_RNA | S_WORD };

const struct sel_op sel_convert[] = {
    {"cvt", sel_cvt, S_CVT, 1, 3, 2, 4},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
