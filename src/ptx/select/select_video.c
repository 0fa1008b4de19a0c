/* select_video.c -- video instructions: types, selectors and second operations into one word */
#include "ptx/select/select_int.h"

#include <string.h>

#define O(k) (&s->in->opnd[k])

static const struct {
    const char *name;
    u16 op;
} rows[] = {
    {"vadd", OP_vadd},   {"vsub", OP_vsub},   {"vabsdiff", OP_vabsdiff},   {"vmin", OP_vmin},
    {"vmax", OP_vmax},   {"vshl", OP_vshl},   {"vshr", OP_vshr},           {"vset", OP_vset},
    {"vmad", OP_vmad},   {"vadd2", OP_vadd2}, {"vsub2", OP_vsub2},         {"vavrg2", OP_vavrg2},
    {"vmin2", OP_vmin2}, {"vmax2", OP_vmax2}, {"vabsdiff2", OP_vabsdiff2}, {"vset2", OP_vset2},
    {"vadd4", OP_vadd4}, {"vsub4", OP_vsub4}, {"vavrg4", OP_vavrg4},       {"vmin4", OP_vmin4},
    {"vmax4", OP_vmax4}, {"vset4", OP_vset4}, {"vabsdiff4", OP_vabsdiff4},
};

static enum op op_of(const struct sel *s)
{
    u32 i = 0;

    while (strcmp(rows[i].name, s->in->name))
        i++;
    return rows[i].op;
}

static bool has_suffix(const struct sel *s, const char *word)
{
    for (u32 i = 0; i < s->in->n_suf; i++)
        if (!strcmp(s->in->suf[i], word))
            return true;
    return false;
}

/* ---- types and words that all of them have */

static bool is_vset(enum op op)
{
    return op == OP_vset || op == OP_vset2 || op == OP_vset4;
}

/* vset has no type of its own: it gives 0 or 1. */
static bool types(struct sel *s, enum op op, u64 *how)
{
    u32 n = is_vset(op) ? 2 : 3, at = 3 - n;
    static const u64 flag[] = {VID_D_SIGNED, VID_A_SIGNED, VID_B_SIGNED};

    if (s->s.n_type != n)
        return sel_fail(s, s->in->col, "%s takes %u types, not %u", s->in->name, n, s->s.n_type);
    for (u32 i = 0; i < n; i++) {
        if (s->s.type[i] != PT_U32 && s->s.type[i] != PT_S32)
            return sel_fail(s, s->in->col, "%s: types are .u32 or .s32, not '.%s'", s->in->name,
                            ptx_type_name(s->s.type[i]));
        *how |= s->s.type[i] == PT_S32 ? flag[at + i] : 0;
    }
    if ((op == OP_vshl || op == OP_vshr) && s->s.type[2] != PT_U32)
        return sel_fail(s, s->in->col, "%s: the count is a .u32", s->in->name);
    return true;
}

static bool comparison(struct sel *s, enum op op, u64 *how)
{
    enum { L = MOD_CMP_LESS, E = MOD_CMP_EQUAL, G = MOD_CMP_GREATER };
    static const u8 holds[] = {[CMP_EQ] = E,     [CMP_NE] = L | G, [CMP_LT] = L,
                               [CMP_LE] = L | E, [CMP_GT] = G,     [CMP_GE] = G | E};

    if (!is_vset(op))
        return true;
    if (!(s->s.have & S_CMP) || s->s.cmp > CMP_GE)
        return sel_fail(s, s->in->col, "%s needs .eq, .ne, .lt, .le, .gt or .ge", s->in->name);
    *how |= (u64)holds[s->s.cmp] << VID_CMP;
    return true;
}

static bool second_operation(struct sel *s, bool simd, u64 *how)
{
    static const u8 as[N_ATOM] = {[ATOM_ADD] = VID_ADD, [ATOM_MIN] = VID_MIN, [ATOM_MAX] = VID_MAX};

    if (!(s->s.have & S_ATOM))
        return true;
    if (!as[s->s.atom] || (simd && s->s.atom != ATOM_ADD))
        return sel_fail(s, s->in->col, "%s: the second operation is %s", s->in->name,
                        simd ? ".add" : ".add, .min or .max");
    if (simd && s->s.have & S_SAT)
        return sel_fail(s, s->in->col, "%s: .add and .sat exclude each other", s->in->name);
    *how |= (u64)as[s->s.atom] << VID_SECOND;
    return true;
}

/* ---- selectors */

static bool bad_selector(struct sel *s, const struct ptx_opnd *o, const char *want)
{
    return sel_fail(s, o->col, "%s: selector '.%s' is not %s", s->in->name, o->sel, want);
}

/* .b0 to .b3, .h0, .h1; none is the whole register. */
static bool part_selector(struct sel *s, const struct ptx_opnd *o, u32 shift, u64 *how)
{
    const char *t = o->sel;

    if (!t)
        return true;
    bool byte = t[0] == 'b';

    if (t[2] || t[1] < '0' || t[1] > (byte ? '3' : '1'))
        return bad_selector(s, o, ".b0 to .b3, .h0 or .h1");
    *how |= ((u64)(byte ? VID_B0 : VID_H0) + (u64)(t[1] - '0')) << shift;
    return true;
}

/* .h32, .b7654: for each part, the highest first, which one of a and b; or as they stand. */
static bool parts(struct sel *s, const struct ptx_opnd *o, u32 n, u32 first, u32 shift, u64 *how)
{
    const char *t = o->sel;

    if (t && (t[0] != (n == 2 ? 'h' : 'b') || strlen(t + 1) != n))
        return bad_selector(s, o, n == 2 ? ".h and 2 digits" : ".b and 4 digits");
    for (u32 i = 0; i < n; i++) {
        u32 at = t ? (u32)(t[n - i] - '0') : first + i;

        if (at >= 2 * n)
            return bad_selector(s, o, n == 2 ? "of parts 0 to 3" : "of parts 0 to 7");
        *how |= (u64)at << (shift + 3 * i);
    }
    return true;
}

/* Which parts are written, in descending order: .h10, .b310. */
static bool mask(struct sel *s, const struct ptx_opnd *o, u32 n, u64 *how)
{
    const char *t = o->sel;
    u32 set = t ? 0 : (1u << n) - 1, last = n;

    if (t && t[0] != (n == 2 ? 'h' : 'b'))
        return bad_selector(s, o, "a mask of its parts");
    for (u32 i = 1; t && t[i]; i++) {
        u32 at = (u32)(t[i] - '0');

        if (at >= last)
            return bad_selector(s, o, "a mask of its parts");
        set |= 1u << at, last = at;
    }
    *how |= (u64)set << VID_MASK;
    return true;
}

/* ---- operands: d, a, b and c, or zero for it */

static bool emit_video(struct sel *s, enum op op, u64 how)
{
    u32 dst, src[3] = {IR_NONE, IR_NONE, IR_NONE};

    for (u32 i = 0; i < 3; i++)
        if (i + 1 == s->in->n_opnd)
            src[i] = ir_imm(s->f, 0);
        else if (!sel_src(s, O(i + 1), PT_B32, &src[i]))
            return false;
    if (!sel_dst(s, O(0), PT_B32, &dst))
        return false;
    struct ir_inst *in = sel_emit(s, op);

    in->dst[0] = dst, in->imm = (s64)how;
    memcpy(in->src, src, sizeof src);
    return true;
}

static bool no_minus(struct sel *s)
{
    for (u32 i = 0; i < s->in->n_opnd; i++)
        if (O(i)->minus)
            return sel_fail(s, O(i)->col, "%s: '-' is for the sources of vmad", s->in->name);
    return true;
}

static bool sel_video(struct sel *s)
{
    enum op op = op_of(s);
    u64 how = s->s.have & S_SAT ? VID_SAT : 0;
    bool shift = op == OP_vshl || op == OP_vshr, third = O(0)->sel || s->s.have & S_ATOM;

    if (!types(s, op, &how) || !comparison(s, op, &how) || !second_operation(s, false, &how) ||
        !no_minus(s))
        return false;
    if (O(0)->sel && s->s.have & S_ATOM)
        return sel_fail(s, O(0)->col, "%s: a second operation and a part of c exclude each other",
                        s->in->name);
    if (shift && !has_suffix(s, "clamp") && !has_suffix(s, "wrap"))
        return sel_fail(s, s->in->col, "%s needs .clamp or .wrap", s->in->name);
    how |= shift && has_suffix(s, "wrap") ? VID_WRAP : 0;
    return sel_count(s, 3 + third, 3 + third) && part_selector(s, O(0), VID_D_SEL, &how) &&
           part_selector(s, O(1), VID_A_SEL, &how) && part_selector(s, O(2), VID_B_SEL, &how) &&
           emit_video(s, op, how);
}

static bool sel_vmad(struct sel *s)
{
    bool po = has_suffix(s, "po"), product = O(1)->minus != O(2)->minus;
    u64 how = (s->s.have & S_SAT ? VID_SAT : 0) | (po ? VID_PLUS_ONE : 0) |
              (has_suffix(s, "shr7") ? VID_SHR7 : 0) | (has_suffix(s, "shr15") ? VID_SHR15 : 0) |
              (product ? VID_NEG_AB : 0) | (O(3)->minus ? VID_NEG_C : 0);

    if (!types(s, OP_vmad, &how))
        return false;
    if (O(0)->sel || O(3)->sel)
        return sel_fail(s, O(0)->col, "vmad: only a and b have selectors");
    if (product + O(3)->minus + po > 1)
        return sel_fail(s, s->in->col,
                        "vmad: one of the product, c and .po may be chosen: they "
                        "all add one to a complement");
    return part_selector(s, O(1), VID_A_SEL, &how) && part_selector(s, O(2), VID_B_SEL, &how) &&
           emit_video(s, OP_vmad, how);
}

static bool sel_simd(struct sel *s)
{
    enum op op = op_of(s);
    u32 n = op < OP_vadd4 ? 2 : 4;
    u64 how = s->s.have & S_SAT ? VID_SAT : 0;

    return types(s, op, &how) && comparison(s, op, &how) && second_operation(s, true, &how) &&
           no_minus(s) && mask(s, O(0), n, &how) && parts(s, O(1), n, 0, VID_A_PART, &how) &&
           parts(s, O(2), n, n, VID_B_PART, &how) && emit_video(s, op, how);
}

enum { S_SCALAR = S_SAT | S_ATOM };

const struct sel_op sel_videos[] = {
    {"vadd", sel_video, S_SCALAR, 1, 3, 3, 4},
    {"vsub", sel_video, S_SCALAR, 1, 3, 3, 4},
    {"vabsdiff", sel_video, S_SCALAR, 1, 3, 3, 4},
    {"vmin", sel_video, S_SCALAR, 1, 3, 3, 4},
    {"vmax", sel_video, S_SCALAR, 1, 3, 3, 4},
    {"vshl", sel_video, S_SCALAR | S_WORD, 1, 3, 3, 4},
    {"vshr", sel_video, S_SCALAR | S_WORD, 1, 3, 3, 4},
    {"vset", sel_video, S_CMP | S_ATOM, 1, 2, 3, 4},
    {"vmad", sel_vmad, S_SAT | S_WORD, 1, 3, 4, 4},
    {"vadd2", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vsub2", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vavrg2", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vabsdiff2", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vmin2", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vmax2", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vset2", sel_simd, S_CMP | S_ATOM, 1, 2, 4, 4},
    {"vadd4", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vsub4", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vavrg4", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vabsdiff4", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vmin4", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vmax4", sel_simd, S_SCALAR, 1, 3, 4, 4},
    {"vset4", sel_simd, S_CMP | S_ATOM, 1, 2, 4, 4},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
