/* select_move.c -- moves, selection, comparisons */
#include "ptx/select/select_int.h"

#include <string.h>

#define O(k) (&s->in->opnd[k])

/* ---- moves and selection */

static bool pack_or_unpack(struct sel *s, bool pack)
{
    const struct ptx_opnd *vec = O(pack ? 1 : 0), *whole = O(pack ? 0 : 1);
    u32 bytes = ptx_type_bytes(s->s.type[0]), n = vec->n_elem, part[4], one;
    enum ptx_type t = bytes / (n ? n : 1) == 4 ? PT_B32 : bytes / (n ? n : 1) == 2 ? PT_B16 : PT_B8;

    if ((n != 2 && n != 4) || bytes / n < 1)
        return sel_fail(s, vec->col, "mov: a vector of 2 or 4 is needed");
    if (t == PT_B8)
        return sel_fail(s, vec->col, "mov: vectors of 8-bit registers are not supported");
    for (u32 i = 0; i < n; i++)
        if (!(pack ? sel_src(s, &vec->elem[i], t, &part[i])
                   : sel_dst_or_none(s, &vec->elem[i], t, &part[i])))
            return false;
    if (!(pack ? sel_dst(s, whole, s->s.type[0], &one) : sel_src(s, whole, s->s.type[0], &one)))
        return false;
    struct ir_inst *in = sel_emit(s, pack ? OP_pack : OP_unpack);

    in->mod = (u16)(n | (bytes / n) << 4);
    memcpy(pack ? in->src : in->dst, part, n * sizeof part[0]);
    *(pack ? in->dst : in->src) = one;
    return true;
}

static bool mov_pred(struct sel *s)
{
    u32 dst, src;
    bool neg;

    if (!sel_pred_dst(s, O(0), &dst))
        return false;
    if (O(1)->kind == PO_INT) {
        struct ir_inst *in = sel_emit(s, OP_pset);

        in->pdst = dst, in->imm = O(1)->imm != 0;
        return true;
    }
    if (!sel_pred(s, O(1), &src, &neg))
        return false;
    struct ir_inst *in = sel_emit(s, neg ? OP_pnot : OP_pmov);

    in->pdst = dst, in->src[0] = src;
    return true;
}

/* A mov that reads a special register or a frame address is the instruction that reads it. */
static bool mov_read(struct sel *s)
{
    u32 dst, before = s->f->n_inst, src;

    if (!sel_src(s, O(1), s->s.type[0], &src) || !sel_dst(s, O(0), s->s.type[0], &dst))
        return false;
    if (s->f->n_inst == before) {
        struct ir_inst *in = sel_emit(s, ptx_type_bytes(s->s.type[0]) == 8 ? OP_mov_64 : OP_mov_32);

        in->dst[0] = dst, in->src[0] = src;
        in->mod = ptx_type_is_float(s->s.type[0]) ? MOD_FLOAT : 0;
        return true;
    }
    sel_last(s)->dst[0] = dst;
    sel_last(s)->guard = s->in->has_guard ? s->in->guard : IR_NONE;
    sel_last(s)->guard_not = s->in->guard_not;
    return true;
}

/* mov.u32 d, a+4: as old compilers wrote additions of addresses. */
static bool mov_sum(struct sel *s)
{
    enum ptx_type t = s->s.type[0];
    u32 bytes = ptx_type_bytes(t), dst, src;

    if (ptx_type_is_float(t))
        return sel_fail(s, O(1)->col, "mov: a register and an offset need a type of integers");
    if (!sel_src(s, O(1), t, &src) || !sel_dst(s, O(0), t, &dst))
        return false;
    struct ir_inst *in = sel_emit(s, bytes == 8 ? OP_add_64 : bytes == 4 ? OP_add_32 : OP_add_16);

    in->dst[0] = dst, in->src[0] = src;
    in->src[1] = ir_imm(s->f, bytes == 8 ? (u64)O(1)->off : (u32)O(1)->off);
    return true;
}

static void mov_one(struct sel *s, u32 dst, u32 src)
{
    struct ir_inst *in = sel_emit(s, ptx_type_bytes(s->s.type[0]) == 8 ? OP_mov_64 : OP_mov_32);

    in->dst[0] = dst, in->src[0] = src;
    in->mod = ptx_type_is_float(s->s.type[0]) ? MOD_FLOAT : 0;
}

/* mov.v4.f32 {a, b, c, d}, v: a move for each.  All are read before any is written. */
static bool mov_vector(struct sel *s)
{
    u32 n = s->s.vec, dst[8], src[8];
    bool is64 = ptx_type_bytes(s->s.type[0]) == 8;

    for (u32 k = 0; k < 2; k++)
        if (O(k)->kind != PO_VEC || O(k)->n_elem != n)
            return sel_fail(s, O(k)->col, "mov.v%u: a vector of %u is needed here", n, n);
    for (u32 i = 0; i < n; i++)
        if (!sel_src(s, &O(1)->elem[i], s->s.type[0], &src[i]) ||
            !sel_dst_or_none(s, &O(0)->elem[i], s->s.type[0], &dst[i]))
            return false;
    for (u32 i = 0; i < n; i++)
        for (u32 k = i + 1; k < n; k++)
            if (dst[i] == src[k] && dst[i] != IR_NONE) { /* it is written before it is read */
                u32 copy = ir_reg(s->f, is64 ? IRC_64 : IRC_32);

                mov_one(s, copy, src[k]);
                src[k] = copy;
            }
    for (u32 i = 0; i < n; i++)
        if (dst[i] != IR_NONE)
            mov_one(s, dst[i], src[i]);
    return true;
}

static bool sel_mov(struct sel *s)
{
    if (s->s.type[0] == PT_PRED)
        return mov_pred(s);
    if (ptx_type_bytes(s->s.type[0]) < 2)
        return sel_bad_type(s);
    if (s->s.have & S_VEC)
        return mov_vector(s);
    if (O(1)->kind == PO_REG && O(1)->off)
        return mov_sum(s);
    if (O(0)->kind == PO_VEC)
        return pack_or_unpack(s, false);
    if (O(1)->kind == PO_VEC)
        return pack_or_unpack(s, true);
    return mov_read(s);
}

static bool sel_selp(struct sel *s)
{
    u32 p;
    bool neg;

    if (!sel_pred(s, O(3), &p, &neg))
        return false;
    if (!sel_simple(s, ptx_type_bytes(s->s.type[0]) == 8 ? OP_selp_64 : OP_selp_32, s->s.type[0],
                    s->s.type[0], s->s.type[0], PT_NONE))
        return false;
    sel_last(s)->psrc = p, sel_last(s)->psrc_not = neg;
    sel_last(s)->mod = ptx_type_is_float(s->s.type[0]) ? MOD_FLOAT : 0;
    return true;
}

static bool sel_slct(struct sel *s)
{
    bool is64 = ptx_type_bytes(s->s.type[0]) == 8, flt = s->s.type[1] == PT_F32;

    if (s->s.type[1] != PT_S32 && s->s.type[1] != PT_F32)
        return sel_fail(s, s->in->col, "slct: the selector's type is .s32 or .f32");
    enum op op = flt    ? is64 ? OP_slct_64_f32 : OP_slct_32_f32
                 : is64 ? OP_slct_64_s32
                        : OP_slct_32_s32;

    if (!sel_simple(s, op, s->s.type[0], s->s.type[0], s->s.type[0], s->s.type[1]))
        return false;
    sel_last(s)->mod = (u16)sel_float_mod(s);
    return true;
}

static bool sel_cvta(struct sel *s)
{
    static const u64 window[N_PS] = {[PS_SHARED] = WINDOW_SHARED, [PS_LOCAL] = WINDOW_LOCAL};
    enum ptx_type t = s->s.type[0];
    u64 w = window[s->s.space];

    if (!(s->s.have & S_SPACE))
        return sel_fail(s, s->in->col, "cvta needs a state space, as in cvta.to.global.u64");
    if (t != PT_U64 && t != PT_U32)
        return sel_bad_type(s);
    if (s->s.space == PS_PARAM)
        w = s->pf->is_entry ? WINDOW_PARAM : WINDOW_LOCAL;
    if (!sel_simple(s, t == PT_U64 ? OP_cvta_64 : OP_cvta_32, t, t, PT_NONE, PT_NONE))
        return false;
    sel_last(s)->src[1] = ir_imm(s->f, s->s.have & S_TO ? t == PT_U64 ? 0 - w : (u32)(0 - w) : w);
    return true;
}

/* ---- comparisons */

static enum op cmp_op(struct sel *s, enum ptx_type t)
{
    static const u8 unsigned_of[] = {CMP_LT, CMP_LE, CMP_GT, CMP_GE};
    u32 cmp = s->s.cmp;
    int i = sel_int_index(t);

    if (ptx_type_is_float(t) && cmp > CMP_NAN)
        return N_OP;
    if (t == PT_F16X2 || t == PT_BF16X2)
        return t == PT_F16X2 ? OP_setp_f16x2 : OP_setp_bf16x2;
    if (ptx_type_is_float(t))
        return (t == PT_F32   ? OP_setp_eq_f32
                : t == PT_F64 ? OP_setp_eq_f64
                : t == PT_F16 ? OP_setp_eq_f16
                              : OP_setp_eq_bf16) +
               cmp;
    bool is_bits = t == PT_B16 || t == PT_B32 || t == PT_B64;

    if (cmp >= CMP_LO && i >= 0 && !ptx_type_is_signed(t) && !is_bits)
        cmp = unsigned_of[cmp - CMP_LO];
    if (i < 0 || cmp > CMP_GE || (is_bits && cmp > CMP_NE))
        return N_OP;
    return (enum op)(OP_setp_eq_u16 + 6 * i + (int)cmp);
}

/* Of pairs: for which orders the comparison holds. */
static u32 orders_of(struct sel *s, enum ptx_type t)
{
    enum { L = MOD_CMP_LESS, E = MOD_CMP_EQUAL, G = MOD_CMP_GREATER, U = MOD_CMP_UNORDERED };
    static const u8 holds[] = {
        [CMP_EQ] = E,          [CMP_NE] = L | G,      [CMP_LT] = L,      [CMP_LE] = L | E,
        [CMP_GT] = G,          [CMP_GE] = G | E,      [CMP_EQU] = E | U, [CMP_NEU] = L | G | U,
        [CMP_LTU] = L | U,     [CMP_LEU] = L | E | U, [CMP_GTU] = G | U, [CMP_GEU] = G | E | U,
        [CMP_NUM] = L | E | G, [CMP_NAN] = U,
    };

    return t == PT_F16X2 || t == PT_BF16X2 ? (u32)holds[s->s.cmp] << MOD_CMP : 0;
}

static bool select_compare(struct sel *s, enum ptx_type t, u32 dst, u32 q, u32 mod)
{
    enum op op = cmp_op(s, t);
    u32 a, b, c = IR_NONE;
    bool neg = false;

    if (!(s->s.have & S_CMP))
        return sel_fail(s, s->in->col, "%s needs a comparison such as .lt", s->in->name);
    if (op == N_OP)
        return sel_fail(s, s->in->col, "%s: this comparison does not exist for type '.%s'",
                        s->in->name, ptx_type_name(t));
    if (s->s.have & S_FTZ && (t == PT_BF16 || t == PT_BF16X2))
        return sel_fail(s, s->in->col, "%s: .%s does not take .ftz", s->in->name, ptx_type_name(t));
    if (!sel_count(s, s->s.have & S_BOOL ? 4 : 3, s->s.have & S_BOOL ? 4 : 3))
        return false;
    if (!sel_src(s, O(1), t, &a) || !sel_src(s, O(2), t, &b))
        return false;
    if (s->s.have & S_BOOL && !sel_pred(s, O(3), &c, &neg))
        return false;
    struct ir_inst *in = sel_emit(s, op);

    in->src[0] = a, in->src[1] = b, in->psrc = c, in->psrc_not = neg;
    in->mod = (u16)(mod | (s->s.have & S_FTZ ? MOD_FTZ : 0) | (u32)(s->s.bool_op & 3) << 4 |
                    orders_of(s, t));
    if (mod & MOD_SET_REG)
        in->dst[0] = dst;
    else
        in->pdst = dst, in->dst[0] = q;
    return true;
}

static bool sel_setp(struct sel *s)
{
    enum ptx_type t = s->s.type[0];
    u32 p, q = IR_NONE;

    if ((t == PT_F16X2 || t == PT_BF16X2) && O(0)->kind != PO_PAIR)
        return sel_fail(s, O(0)->col, "setp.%s needs two predicates, as in %%p1|%%p2",
                        ptx_type_name(t));
    if (O(0)->kind == PO_PAIR) {
        if (!sel_pred_dst(s, &O(0)->elem[0], &p) || !sel_pred_dst(s, &O(0)->elem[1], &q))
            return false;
    } else if (!sel_pred_dst(s, O(0), &p)) {
        return false;
    }
    return select_compare(s, s->s.type[0], p, q, q == IR_NONE ? 0 : MOD_SET_Q);
}

/* PTX ISA, set: pairs give a pair or a word; .f16 and .bf16 go with any type but pairs. */
static bool set_type_ok(enum ptx_type d, enum ptx_type t)
{
    bool word = d == PT_U32 || d == PT_S32;

    if (t == PT_F16X2 || t == PT_BF16X2)
        return d == t || word;
    if (t == PT_F16 || t == PT_BF16)
        return d == t || word || d == PT_U16 || d == PT_S16;
    return word || d == PT_F32 || d == PT_F16 || d == PT_BF16;
}

static bool sel_set(struct sel *s)
{
    enum ptx_type d = s->s.type[0], t = s->s.type[1];
    u32 dst;

    if (!set_type_ok(d, t) && !ptx_type_is_half(d) && !ptx_type_is_half(t))
        return sel_fail(s, s->in->col, "set: the result's type is .u32, .s32 or .f32");
    if (!set_type_ok(d, t))
        return sel_fail(s, s->in->col, "set: a comparison of .%s does not give a .%s",
                        ptx_type_name(t), ptx_type_name(d));
    if (!sel_dst(s, O(0), d, &dst))
        return false;
    return select_compare(s, t, dst, IR_NONE,
                          d == PT_F32                      ? MOD_SET_F32
                          : d == PT_F16 || d == PT_F16X2   ? MOD_SET_F16
                          : d == PT_BF16 || d == PT_BF16X2 ? MOD_SET_BF16
                                                           : MOD_SET_U32);
}

static bool sel_testp(struct sel *s)
{
    static const char *const kind[] = {"finite",     "infinite", "number",
                                       "notanumber", "normal",   "subnormal"};
    u32 dst, src;

    if (!ptx_type_is_float(s->s.type[0]))
        return sel_bad_type(s);
    if (!sel_pred_dst(s, O(0), &dst) || !sel_src(s, O(1), s->s.type[0], &src))
        return false;
    for (u32 i = 0; i < LEN(kind); i++)
        if (s->s.word && !strcmp(kind[i], s->s.word)) {
            struct ir_inst *in = sel_emit(s, s->s.type[0] == PT_F32 ? OP_testp_f32 : OP_testp_f64);

            in->pdst = dst, in->src[0] = src, in->mod = (u16)i;
            return true;
        }
    return sel_fail(s, s->in->col,
                    "testp needs .finite, .infinite, .number, .notanumber, .normal or .subnormal");
}

const struct sel_op sel_move[] = {
    {"testp", sel_testp, S_WORD, 1, 1, 2, 2},
    {"mov", sel_mov, S_VEC | S_HALF, 1, 1, 2, 2},
    {"selp", sel_selp, S_HALF, 1, 1, 4, 4},
    {"slct", sel_slct, S_FTZ, 2, 2, 4, 4},
    {"cvta", sel_cvta, S_TO | S_SPACE, 1, 1, 2, 2},
    {"setp", sel_setp, S_CMP | S_BOOL | S_FTZ | S_HALF, 1, 1, 3, 4},
    {"set", sel_set, S_CMP | S_BOOL | S_FTZ | S_HALF, 2, 2, 3, 4},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
