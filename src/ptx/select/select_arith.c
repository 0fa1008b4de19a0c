/* select_arith.c -- arithmetic and logic: opcode by name, part and type */
#include "ptx/select/select_int.h"

#include <string.h>

#define O(k) (&s->in->opnd[k])

bool sel_simple(struct sel *s, enum op op, enum ptx_type d, enum ptx_type a, enum ptx_type b,
                enum ptx_type c)
{
    enum ptx_type t[3] = {a, b, c};
    u32 src[3] = {IR_NONE, IR_NONE, IR_NONE}, dst;

    for (u32 i = 0; i < 3 && t[i] != PT_NONE; i++)
        if (!sel_src(s, O(i + 1), t[i], &src[i]))
            return false;
    if (!sel_dst(s, O(0), d, &dst))
        return false;
    struct ir_inst *in = sel_emit(s, op);

    in->dst[0] = dst;
    memcpy(in->src, src, sizeof src);
    return true;
}

struct ir_inst *sel_last(struct sel *s)
{
    return &s->f->inst[s->f->n_inst - 1];
}

bool sel_bad_type(struct sel *s)
{
    return sel_fail(s, s->in->col, "%s: type '.%s' is not supported", s->in->name,
                    ptx_type_name(s->s.type[0]));
}

/* ---- integer operations: opcode by name, part and type */

int sel_int_index(enum ptx_type t)
{
    switch (t) {
    case PT_B16:
    case PT_U16:
        return I_U16;
    case PT_S16:
        return I_S16;
    case PT_B32:
    case PT_U32:
        return I_U32;
    case PT_S32:
        return I_S32;
    case PT_B64:
    case PT_U64:
        return I_U64;
    case PT_S64:
        return I_S64;
    default:
        return -1;
    }
}

#define SIX(n)                                                                                     \
    {                                                                                              \
        OP_##n##_u16, OP_##n##_s16, OP_##n##_u32, OP_##n##_s32, OP_##n##_u64, OP_##n##_s64         \
    }
#define PAIRS(n)                                                                                   \
    {                                                                                              \
        OP_##n##_16, OP_##n##_16, OP_##n##_32, OP_##n##_32, OP_##n##_64, OP_##n##_64               \
    }
#define WIDE(n)                                                                                    \
    {                                                                                              \
        OP_##n##_u16, OP_##n##_s16, OP_##n##_u32, OP_##n##_s32, N_OP, N_OP                         \
    }
#define TWO(n)                                                                                     \
    {                                                                                              \
        N_OP, N_OP, OP_##n##_32, OP_##n##_32, OP_##n##_64, OP_##n##_64                             \
    }
#define LOGIC(n)                                                                                   \
    {                                                                                              \
        OP_##n##_32, OP_##n##_32, OP_##n##_32, OP_##n##_32, OP_##n##_64, OP_##n##_64               \
    }
#define FOUR(n)                                                                                    \
    {                                                                                              \
        N_OP, N_OP, OP_##n##_u32, OP_##n##_s32, OP_##n##_u64, OP_##n##_s64                         \
    }
#define W32(n)                                                                                     \
    {                                                                                              \
        N_OP, N_OP, OP_##n##_u32, OP_##n##_s32, N_OP, N_OP                                         \
    }
#define S_ONLY(n)                                                                                  \
    {                                                                                              \
        N_OP, OP_##n##_s16, N_OP, OP_##n##_s32, N_OP, OP_##n##_s64                                 \
    }
#define SAT(n)                                                                                     \
    {                                                                                              \
        N_OP, N_OP, N_OP, OP_##n##_s32, N_OP, N_OP                                                 \
    }

static const struct int_row {
    const char *name;
    u8 part;
    bool sat;
    u16 op[N_I];
} int_rows[] = {
    {"add", 0, 0, PAIRS(add)},
    {"add", 0, 1, SAT(add_sat)},
    {"sub", 0, 0, PAIRS(sub)},
    {"sub", 0, 1, SAT(sub_sat)},
    {"mul", PART_LO, 0, PAIRS(mul_lo)},
    {"mul", PART_HI, 0, SIX(mul_hi)},
    {"mul", PART_WIDE, 0, WIDE(mul_wide)},
    {"mad", PART_LO, 0, PAIRS(mad_lo)},
    {"mad", PART_HI, 0, SIX(mad_hi)},
    {"mad", PART_WIDE, 0, WIDE(mad_wide)},
    {"mad", PART_HI, 1, SAT(mad_hi_sat)},
    {"mul24", PART_LO, 0, W32(mul24_lo)},
    {"mul24", PART_HI, 0, W32(mul24_hi)},
    {"mad24", PART_LO, 0, W32(mad24_lo)},
    {"mad24", PART_HI, 0, W32(mad24_hi)},
    {"mad24", PART_HI, 1, SAT(mad24_hi_sat)},
    {"sad", 0, 0, SIX(sad)},
    {"div", 0, 0, SIX(div)},
    {"rem", 0, 0, SIX(rem)},
    {"min", 0, 0, SIX(min)},
    {"max", 0, 0, SIX(max)},
    {"neg", 0, 0, PAIRS(neg)},
    {"abs", 0, 0, S_ONLY(abs)},
    {"and", 0, 0, LOGIC(and)},
    {"or", 0, 0, LOGIC(or)},
    {"xor", 0, 0, LOGIC(xor)},
    {"not", 0, 0, PAIRS(not )},
    {"cnot", 0, 0, PAIRS(cnot)},
    {"shl", 0, 0, PAIRS(shl)},
    {"shr", 0, 0, SIX(shr)},
    {"popc", 0, 0, TWO(popc)},
    {"clz", 0, 0, TWO(clz)},
    {"brev", 0, 0, TWO(brev)},
    {"bfind", 0, 0, FOUR(bfind)},
    {"bfe", 0, 0, FOUR(bfe)},
    {"bfi", 0, 0, TWO(bfi)},
};

static enum op int_op(struct sel *s, u32 part, bool sat)
{
    int i = sel_int_index(s->s.type[0]);

    for (size_t r = 0; r < LEN(int_rows) && i >= 0; r++)
        if (!strcmp(int_rows[r].name, s->in->name) && int_rows[r].part == part &&
            int_rows[r].sat == sat)
            return int_rows[r].op[i];
    return N_OP;
}

/* The PTX type of an operand of an opcode whose own type is t. */
static enum ptx_type opnd_ptx(u8 ot, enum ptx_type t)
{
    switch (ot) {
    case OT_NONE:
        return PT_NONE;
    case OT_u16:
    case OT_s16:
    case OT_f16:
    case OT_bf16:
        return ptx_type_bytes(t) == 2 ? t : PT_B16;
    case OT_u32:
    case OT_s32:
    case OT_f32:
    case OT_f16x2:
    case OT_bf16x2:
        return ptx_type_bytes(t) == 4 ? t : PT_B32;
    default:
        return ptx_type_bytes(t) == 8 ? t : PT_B64;
    }
}

/* dst and sources as the opcode's row says; shift amounts and such are plain 32-bit integers. */
bool sel_row(struct sel *s, enum op op, u32 mod)
{
    const struct op_info *o = &op_info[op];
    enum ptx_type t = s->s.type[0];
    bool half = ptx_type_bytes(t) == 2 && (op == OP_and_32 || op == OP_or_32 ||
                                           op == OP_xor_32); /* as wide as their registers */
    u32 n = 0, src[4] = {IR_NONE, IR_NONE, IR_NONE, IR_NONE}, dst;

    while (n < 4 && o->src[n] != OT_NONE)
        n++;
    if (!sel_count(s, n + 1, n + 1))
        return false;
    for (u32 i = 0; i < n; i++) {
        bool narrow = o->src[i] == OT_u32 && ptx_type_bytes(t) != 4;

        if (!sel_src(s, O(i + 1), half ? t : narrow ? PT_U32 : opnd_ptx(o->src[i], t), &src[i]))
            return false;
    }
    if (!sel_dst(s, O(0), half ? t : opnd_ptx(o->dst, t), &dst))
        return false;
    struct ir_inst *in = sel_emit(s, op);

    in->dst[0] = dst;
    in->mod = (u16)mod;
    memcpy(in->src, src, sizeof src);
    return true;
}

/* ---- float operations */

struct flt_row {
    const char *name;
    u16 plain, ftz, x, d_plain, d_x; /* f32: nearest, flushed, by modifiers; f64 */
};

static const struct flt_row flt_rows[] = {
    {"add", OP_add_f32, OP_add_ftz_f32, OP_add_x_f32, OP_add_f64, OP_add_x_f64},
    {"sub", OP_sub_f32, OP_sub_ftz_f32, OP_sub_x_f32, OP_sub_f64, OP_sub_x_f64},
    {"mul", OP_mul_f32, OP_mul_ftz_f32, OP_mul_x_f32, OP_mul_f64, OP_mul_x_f64},
    {"fma", OP_fma_f32, OP_fma_ftz_f32, OP_fma_x_f32, OP_fma_f64, OP_fma_x_f64},
    {"mad", OP_mad_f32, OP_mad_x_f32, OP_mad_x_f32, OP_fma_f64, OP_fma_x_f64},
    {"div", OP_div_f32, OP_div_x_f32, OP_div_x_f32, OP_div_f64, OP_div_x_f64},
    {"rcp", OP_rcp_f32, OP_rcp_x_f32, OP_rcp_x_f32, OP_rcp_f64, OP_rcp_x_f64},
    {"sqrt", OP_sqrt_f32, OP_sqrt_x_f32, OP_sqrt_x_f32, OP_sqrt_f64, OP_sqrt_x_f64},
};

u32 sel_float_mod(const struct sel *s)
{
    return s->s.rnd | (s->s.have & S_FTZ ? MOD_FTZ : 0) | (s->s.have & S_SAT ? MOD_SAT : 0);
}

static bool sel_float(struct sel *s)
{
    u32 mod = sel_float_mod(s);
    bool is64 = s->s.type[0] == PT_F64;

    if (ptx_type_is_half(s->s.type[0]))
        return sel_half(s);
    if (s->s.have & S_RELU)
        return sel_fail(s, s->in->col, "%s: .relu is for types of 16 bits only", s->in->name);
    if (is64 && s->s.have & (S_FTZ | S_SAT))
        return sel_fail(s, s->in->col, "%s: .ftz and .sat are for .f32 only", s->in->name);
    for (size_t i = 0; i < LEN(flt_rows); i++) {
        const struct flt_row *r = &flt_rows[i];

        if (strcmp(r->name, s->in->name))
            continue;
        u32 rn = s->s.have & S_RND ? MOD_RN : 0;

        if (is64)
            return sel_row(s, mod ? r->d_x : r->d_plain, mod | rn);
        return sel_row(s, !mod ? r->plain : mod == MOD_FTZ ? r->ftz : r->x, mod | rn);
    }
    return sel_bad_type(s);
}

static bool sel_fused(struct sel *s) /* fma */
{
    if (!ptx_type_is_float(s->s.type[0]))
        return sel_bad_type(s);
    if (!(s->s.have & S_RND))
        return sel_fail(s, s->in->col, "%s needs a rounding mode, as in fma.rn.f32", s->in->name);
    return sel_float(s);
}

/* ---- carry chains: add.cc, addc, sub.cc, subc, mad.lo.cc, madc */

static enum op carry_op(struct sel *s)
{
    bool is64 = ptx_type_bytes(s->s.type[0]) == 8;
    bool sign = ptx_type_is_signed(s->s.type[0]);

    if (s->in->name[0] == 'a')
        return is64 ? OP_addc_64 : OP_addc_32;
    if (s->in->name[0] == 's')
        return is64 ? OP_subc_64 : OP_subc_32;
    if (s->s.part == PART_LO)
        return is64 ? OP_madc_lo_64 : OP_madc_lo_32;
    return is64 ? sign ? OP_madc_hi_s64 : OP_madc_hi_u64 : sign ? OP_madc_hi_s32 : OP_madc_hi_u32;
}

static bool sel_carry(struct sel *s, bool carry_in)
{
    bool is_mad = s->in->name[0] == 'm';

    if (sel_int_index(s->s.type[0]) < I_U32)
        return sel_bad_type(s);
    if (is_mad && s->s.part != PART_LO && s->s.part != PART_HI)
        return sel_fail(s, s->in->col, "%s needs .lo or .hi", s->in->name);
    if (!sel_row(s, carry_op(s), 0))
        return false;
    if (s->cc == IR_NONE)
        s->cc = ir_reg(s->f, IRC_PRED);
    sel_last(s)->psrc = carry_in ? s->cc : IR_NONE;
    sel_last(s)->pdst = s->s.have & S_CC ? s->cc : IR_NONE;
    return true;
}

static bool sel_addc(struct sel *s)
{
    return sel_carry(s, true);
}

static bool sel_int(struct sel *s)
{
    enum op op = int_op(s, s->s.part, s->s.have & S_SAT);

    if (op == N_OP && (!strncmp(s->in->name, "mul", 3) || !strncmp(s->in->name, "mad", 3)) &&
        !s->s.part)
        return sel_fail(s, s->in->col, "%s of integers needs .lo, .hi or .wide", s->in->name);
    if (op == N_OP && s->s.part == PART_WIDE)
        return sel_fail(s, s->in->col, "%s.wide takes 16- and 32-bit types, not '.%s'", s->in->name,
                        ptx_type_name(s->s.type[0]));
    return op == N_OP ? sel_bad_type(s) : sel_row(s, op, 0);
}

static bool sel_addsub(struct sel *s)
{
    if (s->s.have & S_CC)
        return sel_carry(s, false);
    return ptx_type_is_float(s->s.type[0]) ? sel_float(s) : sel_int(s);
}

static bool sel_div(struct sel *s)
{
    enum ptx_type t = s->s.type[0];

    if (!ptx_type_is_float(t))
        return sel_int(s);
    if (s->s.have & S_APPROX && t == PT_F32)
        return sel_row(s, s->s.full ? OP_div_full_f32 : OP_div_approx_f32, sel_float_mod(s));
    if (!(s->s.have & S_RND))
        return sel_fail(s, s->in->col, "div.%s needs %sa rounding mode such as .rn",
                        ptx_type_name(t), t == PT_F32 ? ".approx, .full or " : "");
    return sel_float(s);
}

/* rcp, sqrt: approximate or rounded */
static bool sel_root(struct sel *s)
{
    enum ptx_type t = s->s.type[0];
    bool is_rcp = s->in->name[0] == 'r';

    if (!ptx_type_is_float(t))
        return sel_bad_type(s);
    if (s->s.have & S_APPROX && t == PT_F32)
        return sel_row(s, is_rcp ? OP_rcp_approx_f32 : OP_sqrt_approx_f32, sel_float_mod(s));
    if (s->s.have & S_APPROX && is_rcp && s->s.have & S_FTZ)
        return sel_row(s, OP_rcp_approx_f64, 0);
    if (!(s->s.have & S_RND))
        return sel_fail(s, s->in->col, "%s.%s needs %sa rounding mode such as .rn", s->in->name,
                        ptx_type_name(t), t == PT_F32 ? ".approx or " : "");
    return sel_float(s);
}

static bool sel_special(struct sel *s) /* rsqrt sin cos lg2 ex2 tanh: .approx only */
{
    static const struct {
        const char *name;
        u16 op;
    } row[] = {{"rsqrt", OP_rsqrt_approx_f32}, {"sin", OP_sin_approx_f32},
               {"cos", OP_cos_approx_f32},     {"lg2", OP_lg2_approx_f32},
               {"ex2", OP_ex2_approx_f32},     {"tanh", OP_tanh_approx_f32}};

    if (!(s->s.have & S_APPROX) || s->s.full)
        return sel_fail(s, s->in->col, "%s needs .approx", s->in->name);
    if (ptx_type_is_half(s->s.type[0]))
        return sel_half_special(s);
    if (s->s.type[0] == PT_F64 && !strcmp(s->in->name, "rsqrt"))
        return sel_row(s, OP_rsqrt_approx_f64, sel_float_mod(s));
    for (size_t i = 0; i < LEN(row); i++)
        if (!strcmp(row[i].name, s->in->name) && s->s.type[0] == PT_F32)
            return sel_row(s, row[i].op, sel_float_mod(s));
    return sel_bad_type(s);
}

static bool sel_negabs(struct sel *s)
{
    bool is_neg = s->in->name[0] == 'n';

    if (ptx_type_is_half(s->s.type[0]))
        return sel_half_sign(s);
    if (s->s.type[0] == PT_F32)
        return sel_row(s, is_neg ? OP_neg_f32 : OP_abs_f32, sel_float_mod(s));
    if (s->s.type[0] == PT_F64)
        return sel_row(s, is_neg ? OP_neg_f64 : OP_abs_f64, 0);
    return sel_int(s);
}

static bool sel_minmax(struct sel *s)
{
    bool is_min = s->in->name[1] == 'i', sign = s->s.have & S_XORSIGN;
    enum op op = is_min ? sign ? OP_min_sign_f32 : OP_min_f32 : sign ? OP_max_sign_f32 : OP_max_f32;

    if (sign && s->s.xorsign != 3)
        return sel_fail(s, s->in->col, "%s: .xorsign and .abs go together", s->in->name);
    if (ptx_type_is_half(s->s.type[0]))
        return sel_half_minmax(s);
    if (sign && s->s.type[0] != PT_F32)
        return sel_fail(s, s->in->col, "%s: .xorsign.abs is for .f32 and types of 16 bits only",
                        s->in->name);
    if (s->s.type[0] == PT_F32)
        return sel_row(s, op, sel_float_mod(s) | (s->s.have & S_NAN ? MOD_NAN : 0));
    if (s->s.type[0] == PT_F64)
        return sel_row(s, is_min ? OP_min_f64 : OP_max_f64, 0);
    return sel_int(s);
}

static bool sel_copysign(struct sel *s)
{
    if (!ptx_type_is_float(s->s.type[0]))
        return sel_bad_type(s);
    return sel_row(s, s->s.type[0] == PT_F32 ? OP_copysign_f32 : OP_copysign_f64, 0);
}

/* ---- logic */

static bool pred_logic(struct sel *s)
{
    static const struct {
        const char *name;
        u16 op;
    } row[] = {{"and", OP_pand}, {"or", OP_por}, {"xor", OP_pxor}, {"not", OP_pnot}};
    u32 src[2] = {IR_NONE, IR_NONE}, dst;
    bool neg;

    for (u32 i = 1; i < s->in->n_opnd; i++)
        if (!sel_pred(s, O(i), &src[i - 1], &neg))
            return false;
        else if (neg)
            return sel_fail(s, O(i)->col, "%s: '!' is not allowed here", s->in->name);
    if (!sel_pred_dst(s, O(0), &dst))
        return false;
    for (size_t i = 0; i < LEN(row); i++)
        if (!strcmp(row[i].name, s->in->name)) {
            if (!sel_count(s, i == 3 ? 2 : 3, i == 3 ? 2 : 3))
                return false;
            struct ir_inst *in = sel_emit(s, row[i].op);

            in->pdst = dst;
            memcpy(in->src, src, sizeof src);
        }
    return true;
}

static bool sel_logic(struct sel *s)
{
    if (s->s.type[0] == PT_PRED)
        return pred_logic(s);
    if (ptx_type_is_float(s->s.type[0]))
        return sel_bad_type(s);
    return sel_int(s);
}

static bool sel_bfind(struct sel *s)
{
    enum op op = int_op(s, 0, false);

    return op == N_OP ? sel_bad_type(s) : sel_row(s, op, s->s.have & S_WORD ? 1 : 0);
}

static bool sel_shf(struct sel *s)
{
    bool left = s->in->n_suf > 0 && !strcmp(s->in->suf[0], "l");
    bool wrap = s->in->n_suf > 1 && !strcmp(s->in->suf[1], "wrap");

    if (s->in->n_suf != 3 || s->s.type[0] != PT_B32)
        return sel_fail(s, s->in->col, "shf is written shf.l|r.clamp|wrap.b32");
    return sel_row(s,
                   left   ? wrap ? OP_shf_l_wrap : OP_shf_l_clamp
                   : wrap ? OP_shf_r_wrap
                          : OP_shf_r_clamp,
                   0);
}

static bool sel_prmt(struct sel *s)
{
    static const char *const mode[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    u32 m = 0;

    if (s->s.type[0] != PT_B32)
        return sel_bad_type(s);
    for (u32 i = 0; i < LEN(mode); i++)
        if (s->s.word && !strcmp(mode[i], s->s.word))
            m = i + 1;
    return sel_row(s, OP_prmt, m);
}

/* lop3.or.b32 d|p, a, b, c, lut, q: p says whether the result is not zero, or q. */
static bool lop3_pred(struct sel *s)
{
    u32 p, q, dst, src[3];
    bool neg;

    if (O(0)->kind != PO_PAIR || (s->s.bool_op != 1 && s->s.bool_op != 2) || s->in->n_opnd != 6)
        return sel_fail(s, s->in->col,
                        "lop3 with a predicate is written lop3.or|and.b32 d|p, a, b, "
                        "c, table, q");
    for (u32 i = 0; i < 3; i++)
        if (!sel_src(s, O(i + 1), PT_B32, &src[i]))
            return false;
    if (!sel_pred(s, O(5), &q, &neg) || !sel_dst(s, &O(0)->elem[0], PT_B32, &dst) ||
        !sel_pred_dst(s, &O(0)->elem[1], &p))
        return false;
    struct ir_inst *in = sel_emit(s, OP_lop3_p);

    in->dst[0] = dst, in->pdst = p, in->psrc = q, in->psrc_not = neg;
    in->mod = (u16)(O(4)->imm | (s->s.bool_op == 1 ? MOD_LOP3_AND : 0));
    memcpy(in->src, src, sizeof src);
    return true;
}

static bool sel_lop3(struct sel *s)
{
    if (s->s.type[0] != PT_B32)
        return sel_bad_type(s);
    bool with_pred = s->s.have & S_BOOL;

    if (!with_pred && !sel_count(s, 5, 5))
        return false;
    if (O(4)->kind != PO_INT || O(4)->imm > 255)
        return sel_fail(s, O(4)->col, "lop3: the look-up table is a constant of 0 to 255");
    if (with_pred)
        return lop3_pred(s);
    if (!sel_simple(s, OP_lop3, PT_B32, PT_B32, PT_B32, PT_B32))
        return false;
    sel_last(s)->mod = (u16)O(4)->imm;
    return true;
}

/* ---- sums of products of packed integers */

static bool sel_dot(struct sel *s)
{
    static const u16 row[2][2][3] = {{{OP_dp4a_u32_u32, OP_dp2a_lo_u32_u32, OP_dp2a_hi_u32_u32},
                                      {OP_dp4a_u32_s32, OP_dp2a_lo_u32_s32, OP_dp2a_hi_u32_s32}},
                                     {{OP_dp4a_s32_u32, OP_dp2a_lo_s32_u32, OP_dp2a_hi_s32_u32},
                                      {OP_dp4a_s32_s32, OP_dp2a_lo_s32_s32, OP_dp2a_hi_s32_s32}}};
    enum ptx_type a = s->s.type[0], b = s->s.type[1];
    bool four = s->in->name[2] == '4', sum = a == PT_S32 || b == PT_S32;
    u32 k = four ? 0 : s->s.part == PART_LO ? 1 : 2;

    if ((a != PT_U32 && a != PT_S32) || (b != PT_U32 && b != PT_S32))
        return sel_fail(s, s->in->col, "%s: types are .u32 or .s32", s->in->name);
    if (!four && s->s.part != PART_LO && s->s.part != PART_HI)
        return sel_fail(s, s->in->col, "dp2a needs .lo or .hi");
    return sel_simple(s, row[a == PT_S32][b == PT_S32][k], sum ? PT_S32 : PT_U32, a, b,
                      sum ? PT_S32 : PT_U32);
}

/* bmsk, szext: .clamp or .wrap */
static bool sel_mask(struct sel *s)
{
    bool is_bmsk = s->in->name[0] == 'b', wrap = s->s.word && !strcmp(s->s.word, "wrap");
    enum ptx_type t = s->s.type[0];

    if (!wrap && !(s->s.word && !strcmp(s->s.word, "clamp")))
        return sel_fail(s, s->in->col, "%s needs .clamp or .wrap", s->in->name);
    if (is_bmsk ? t != PT_B32 : t != PT_U32 && t != PT_S32)
        return sel_bad_type(s);
    if (is_bmsk)
        return sel_row(s, wrap ? OP_bmsk_wrap : OP_bmsk_clamp, 0);
    return sel_simple(s,
                      wrap          ? t == PT_S32 ? OP_szext_wrap_s32 : OP_szext_wrap_u32
                      : t == PT_S32 ? OP_szext_clamp_s32
                                    : OP_szext_clamp_u32,
                      t, t, PT_U32, PT_NONE);
}

static bool sel_fns(struct sel *s)
{
    if (s->s.type[0] != PT_B32)
        return sel_bad_type(s);
    return sel_simple(s, OP_fns, PT_B32, PT_B32, PT_B32, PT_S32);
}

static bool sel_mad(struct sel *s)
{
    if (ptx_type_is_float(s->s.type[0]))
        return sel_float(s);
    return s->s.have & S_CC ? sel_carry(s, false) : sel_int(s);
}

static bool sel_mul(struct sel *s)
{
    return ptx_type_is_float(s->s.type[0]) ? sel_float(s) : sel_int(s);
}

enum { S_FLT = S_RND | S_FTZ | S_SAT };

const struct sel_op sel_arith[] = {
    {"add", sel_addsub, S_FLT | S_CC | S_HALF, 1, 1, 3, 3},
    {"sub", sel_addsub, S_FLT | S_CC | S_HALF, 1, 1, 3, 3},
    {"addc", sel_addc, S_CC, 1, 1, 3, 3},
    {"subc", sel_addc, S_CC, 1, 1, 3, 3},
    {"madc", sel_addc, S_CC | S_PART, 1, 1, 4, 4},
    {"mul", sel_mul, S_FLT | S_PART | S_HALF, 1, 1, 3, 3},
    {"mad", sel_mad, S_FLT | S_PART | S_CC, 1, 1, 4, 4},
    {"fma", sel_fused, S_FLT | S_RELU | S_HALF, 1, 1, 4, 4},
    {"mul24", sel_int, S_PART, 1, 1, 3, 3},
    {"mad24", sel_int, S_PART | S_SAT, 1, 1, 4, 4},
    {"sad", sel_int, 0, 1, 1, 4, 4},
    {"div", sel_div, S_RND | S_FTZ | S_APPROX, 1, 1, 3, 3},
    {"rem", sel_int, 0, 1, 1, 3, 3},
    {"abs", sel_negabs, S_FTZ | S_HALF, 1, 1, 2, 2},
    {"neg", sel_negabs, S_FTZ | S_HALF, 1, 1, 2, 2},
    {"min", sel_minmax, S_FTZ | S_NAN | S_XORSIGN | S_HALF, 1, 1, 3, 3},
    {"max", sel_minmax, S_FTZ | S_NAN | S_XORSIGN | S_HALF, 1, 1, 3, 3},
    {"rcp", sel_root, S_RND | S_FTZ | S_APPROX, 1, 1, 2, 2},
    {"sqrt", sel_root, S_RND | S_FTZ | S_APPROX, 1, 1, 2, 2},
    {"rsqrt", sel_special, S_FTZ | S_APPROX, 1, 1, 2, 2},
    {"sin", sel_special, S_FTZ | S_APPROX, 1, 1, 2, 2},
    {"cos", sel_special, S_FTZ | S_APPROX, 1, 1, 2, 2},
    {"lg2", sel_special, S_FTZ | S_APPROX, 1, 1, 2, 2},
    {"ex2", sel_special, S_FTZ | S_APPROX | S_HALF, 1, 1, 2, 2},
    {"tanh", sel_special, S_APPROX | S_HALF, 1, 1, 2, 2},
    {"copysign", sel_copysign, 0, 1, 1, 3, 3},
    {"and", sel_logic, 0, 1, 1, 3, 3},
    {"or", sel_logic, 0, 1, 1, 3, 3},
    {"xor", sel_logic, 0, 1, 1, 3, 3},
    {"not", sel_logic, 0, 1, 1, 2, 2},
    {"cnot", sel_int, 0, 1, 1, 2, 2},
    {"shl", sel_int, 0, 1, 1, 3, 3},
    {"shr", sel_int, 0, 1, 1, 3, 3},
    {"shf", sel_shf, S_WORD, 1, 1, 4, 4},
    {"popc", sel_int, 0, 1, 1, 2, 2},
    {"clz", sel_int, 0, 1, 1, 2, 2},
    {"brev", sel_int, 0, 1, 1, 2, 2},
    {"bfind", sel_bfind, S_WORD, 1, 1, 2, 2},
    {"bfe", sel_int, 0, 1, 1, 4, 4},
    {"bfi", sel_int, 0, 1, 1, 5, 5},
    {"prmt", sel_prmt, S_WORD, 1, 1, 4, 4},
    {"lop3", sel_lop3, S_BOOL, 1, 1, 5, 6},
    {"dp4a", sel_dot, 0, 2, 2, 4, 4},
    {"dp2a", sel_dot, S_PART, 2, 2, 4, 4},
    {"bmsk", sel_mask, S_WORD, 1, 1, 3, 3},
    {"szext", sel_mask, S_WORD, 1, 1, 3, 3},
    {"fns", sel_fns, 0, 1, 1, 4, 4},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
