/* select_ctrl.c -- branches, barriers, votes */
#include "ptx/select/select_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define O(k) (&s->in->opnd[k])

static bool sel_bra(struct sel *s)
{
    if (O(0)->kind != PO_LABEL)
        return sel_fail(s, O(0)->col, "bra needs a label");
    sel_emit(s, OP_bra)->target = O(0)->label;
    return true;
}

static bool sel_brx(struct sel *s)
{
    u32 index;

    if (!s->s.word || strcmp(s->s.word, "idx"))
        return sel_fail(s, s->in->col, "brx is written brx.idx");
    if (O(1)->kind != PO_TABLE || s->pf->table[O(1)->table].kind != PTAB_BRANCH)
        return sel_fail(s, O(1)->col, "brx.idx needs the label of a .branchtargets list");
    if (!sel_src(s, O(0), PT_U32, &index))
        return false;
    if (!ir_is_reg(index))
        return sel_fail(s, O(0)->col, "brx.idx needs a register as index");
    const struct ptx_table *t = &s->pf->table[O(1)->table];
    struct ir_func *f = s->f;
    struct ir_inst *in = sel_emit(s, OP_brx);

    in->src[0] = index, in->target = f->n_table++;
    f->table = xrealloc(f->table, f->n_table * sizeof f->table[0]);
    f->table[in->target] = (struct ir_table){t->n, xmalloc(t->n * sizeof(u32))};
    memcpy(f->table[in->target].target, t->label, t->n * sizeof(u32));
    return true;
}

static bool sel_plain(struct sel *s)
{
    static const struct {
        const char *name;
        u16 op;
    } row[] = {{"exit", OP_exit}, {"trap", OP_trap}, {"brkpt", OP_brkpt}};

    for (size_t i = 0; i < LEN(row); i++)
        if (!strcmp(row[i].name, s->in->name))
            sel_emit(s, row[i].op);
    return true;
}

/* ---- barriers */

static bool bar_result(struct sel *s, u32 *kind, u32 *dst, u32 *pdst)
{
    if (s->s.bool_op == 4) {
        *kind = BAR_RED_POPC;
        return sel_dst(s, O(0), PT_U32, dst);
    }
    if (s->s.bool_op != 1 && s->s.bool_op != 2)
        return sel_fail(s, s->in->col, "%s.red needs .popc.u32, .and.pred or .or.pred",
                        s->in->name);
    *kind = s->s.bool_op == 1 ? BAR_RED_AND : BAR_RED_OR;
    return sel_pred_dst(s, O(0), pdst);
}

static bool sel_bar_warp(struct sel *s)
{
    u32 mask;

    if (!sel_count(s, 1, 1) || !sel_src(s, O(0), PT_U32, &mask))
        return false;
    sel_emit(s, OP_bar_warp)->src[0] = mask;
    return true;
}

static bool sel_bar(struct sel *s)
{
    u32 kind = s->s.sync & SYNC_ARRIVE ? BAR_ARRIVE : BAR_SYNC, k = 0, n = s->in->n_opnd;
    u32 dst = IR_NONE, pdst = IR_NONE, psrc = IR_NONE, id, count = IR_NONE;
    bool neg = false, red = s->s.sync & SYNC_RED;

    if (s->s.sync & SYNC_WARP)
        return sel_bar_warp(s);
    if (!(s->s.sync & (SYNC_SYNC | SYNC_ARRIVE | SYNC_RED)))
        return sel_fail(s, s->in->col, "%s needs .sync, .arrive or .red", s->in->name);
    if (!sel_count(s, red ? 3 : kind == BAR_ARRIVE ? 2 : 1, red ? 4 : 2))
        return false;
    if (red && (!bar_result(s, &kind, &dst, &pdst) || !sel_pred(s, O(n - 1), &psrc, &neg)))
        return false;
    k += red;
    if (!sel_src(s, O(k), PT_U32, &id) ||
        (n - k - red > 1 && !sel_src(s, O(k + 1), PT_U32, &count)))
        return false;
    struct ir_inst *in = sel_emit(s, OP_bar);

    in->mod = (u16)kind, in->dst[0] = dst, in->pdst = pdst, in->psrc = psrc, in->psrc_not = neg;
    in->src[0] = id, in->src[1] = count;
    return true;
}

static bool sel_fence(struct sel *s)
{
    sel_emit(s, OP_membar);
    return true;
}

static bool sel_nanosleep(struct sel *s)
{
    u32 t;

    if (!sel_src(s, O(0), PT_U32, &t))
        return false;
    sel_emit(s, OP_nanosleep)->src[0] = t;
    return true;
}

/* ---- among the lanes of a warp */

static bool sel_vote(struct sel *s)
{
    static const struct {
        const char *name;
        u16 op;
    } row[] = {{"all", OP_vote_all},
               {"any", OP_vote_any},
               {"uni", OP_vote_uni},
               {"ballot", OP_vote_ballot}};
    u32 k = LEN(row), p, dst, mask = IR_NONE, sync = s->s.have & S_SYNC ? 1 : 0;
    bool neg;

    for (u32 i = 0; i < LEN(row); i++)
        if (s->s.word && !strcmp(row[i].name, s->s.word))
            k = i;
    if (k == LEN(row))
        return sel_fail(s, s->in->col, "vote needs .all, .any, .uni or .ballot");
    if (!sel_count(s, 2 + sync, 2 + sync) || !sel_pred(s, O(1), &p, &neg))
        return false;
    if ((sync && !sel_src(s, O(2), PT_B32, &mask)) ||
        !(k == 3 ? sel_dst(s, O(0), PT_B32, &dst) : sel_pred_dst(s, O(0), &dst)))
        return false;
    struct ir_inst *in = sel_emit(s, row[k].op);

    in->psrc = p, in->psrc_not = neg, in->src[0] = mask;
    *(k == 3 ? in->dst : &in->pdst) = dst;
    return true;
}

static bool pair_dst(struct sel *s, enum ptx_type t, u32 *dst, u32 *pdst)
{
    *pdst = IR_NONE;
    if (O(0)->kind == PO_PAIR)
        return sel_dst(s, &O(0)->elem[0], t, dst) && sel_pred_dst(s, &O(0)->elem[1], pdst);
    return sel_dst(s, O(0), t, dst);
}

static bool sel_shfl(struct sel *s)
{
    static const char *const mode[] = {"up", "down", "bfly", "idx"};
    u32 m = LEN(mode), sync = s->s.have & S_SYNC ? 1 : 0, dst, pdst,
        src[4] = {IR_NONE, IR_NONE, IR_NONE, IR_NONE};

    for (u32 i = 0; i < LEN(mode); i++)
        if (s->s.word && !strcmp(mode[i], s->s.word))
            m = i;
    if (m == LEN(mode))
        return sel_fail(s, s->in->col, "shfl needs .up, .down, .bfly or .idx");
    if (s->s.type[0] != PT_B32)
        return sel_fail(s, s->in->col, "shfl takes the type .b32, not '.%s'",
                        ptx_type_name(s->s.type[0]));
    if (!sel_count(s, 4 + sync, 4 + sync) || !pair_dst(s, PT_B32, &dst, &pdst))
        return false;
    for (u32 i = 0; i < 3 + sync; i++)
        if (!sel_src(s, O(i + 1), i ? PT_U32 : PT_B32, &src[i]))
            return false;
    struct ir_inst *in = sel_emit(s, OP_shfl);

    in->mod = (u16)m, in->dst[0] = dst, in->pdst = pdst;
    memcpy(in->src, src, sizeof src);
    return true;
}

static bool sel_match(struct sel *s)
{
    bool all = s->s.word && !strcmp(s->s.word, "all"), is64 = ptx_type_bytes(s->s.type[0]) == 8;
    u32 dst, pdst, a, mask;

    if (!s->s.word || (!all && strcmp(s->s.word, "any")) ||
        (s->s.type[0] != PT_B32 && s->s.type[0] != PT_B64))
        return sel_fail(s, s->in->col, "match is written match.any|all.sync.b32|b64");
    if (!pair_dst(s, PT_B32, &dst, &pdst) || !sel_src(s, O(1), s->s.type[0], &a) ||
        !sel_src(s, O(2), PT_B32, &mask))
        return false;
    struct ir_inst *in = sel_emit(s, all    ? is64 ? OP_match_all_64 : OP_match_all_32
                                     : is64 ? OP_match_any_64
                                            : OP_match_any_32);

    in->dst[0] = dst, in->pdst = pdst, in->src[0] = a, in->src[1] = mask;
    return true;
}

static bool sel_redux(struct sel *s)
{
    enum ptx_type t = s->s.type[0];
    static const u8 logic[] = {0, REDUX_AND, REDUX_OR, REDUX_XOR};
    bool is_signed = t == PT_S32, bits = s->s.have & S_BOOL && s->s.bool_op <= 3;
    u32 op, dst, a, mask;

    if (bits)
        op = logic[s->s.bool_op];
    else if (s->s.have & S_ATOM && s->s.atom <= ATOM_MAX)
        op = s->s.atom == ATOM_ADD   ? REDUX_ADD
             : s->s.atom == ATOM_MIN ? is_signed ? REDUX_MIN_S32 : REDUX_MIN_U32
             : is_signed             ? REDUX_MAX_S32
                                     : REDUX_MAX_U32;
    else
        return sel_fail(s, s->in->col, "redux needs .add, .min, .max, .and, .or or .xor");
    if (!(s->s.sync & SYNC_SYNC) || (bits ? t != PT_B32 : t != PT_U32 && t != PT_S32))
        return sel_fail(s, s->in->col,
                        "redux is written redux.sync.add|min|max.u32|s32 or .and|or|xor.b32");
    if (!sel_src(s, O(1), t, &a) || !sel_src(s, O(2), PT_B32, &mask) || !sel_dst(s, O(0), t, &dst))
        return false;
    struct ir_inst *in = sel_emit(s, OP_redux);

    in->mod = (u16)op, in->dst[0] = dst, in->src[0] = a, in->src[1] = mask;
    return true;
}

static bool sel_activemask(struct sel *s)
{
    u32 dst;

    if (!sel_dst(s, O(0), PT_B32, &dst))
        return false;
    sel_emit(s, OP_activemask)->dst[0] = dst;
    return true;
}

static bool sel_isspacep(struct sel *s)
{
    static const u8 space[N_PS] = {[PS_GLOBAL] = SP_GLOBAL,
                                   [PS_SHARED] = SP_SHARED,
                                   [PS_LOCAL] = SP_LOCAL,
                                   [PS_CONST] = SP_CONST,
                                   [PS_PARAM] = SP_PARAM};
    u32 dst, a;
    bool is32 = O(1)->kind == PO_REG && sel_reg_bits(s, O(1)->reg) == 32;

    if (!(s->s.have & S_SPACE))
        return sel_fail(s, s->in->col, "isspacep needs a state space, as in isspacep.shared");
    if (!sel_pred_dst(s, O(0), &dst) || !sel_src(s, O(1), is32 ? PT_U32 : PT_U64, &a))
        return false;
    if (is32) { /* widened first: addresses are compared as 64 bits */
        struct ir_inst *w = sel_emit(s, OP_cvt_u64_u32);

        w->src[0] = a;
        a = w->dst[0] = ir_reg(s->f, IRC_64);
    }
    struct ir_inst *in = sel_emit(s, OP_isspacep);

    in->pdst = dst, in->src[0] = a, in->imm = space[s->s.space];
    return true;
}

const struct sel_op sel_ctrl[] = {
    {"bra", sel_bra, S_UNI, 0, 0, 1, 1},
    {"brx", sel_brx, S_WORD | S_UNI, 0, 0, 2, 2},
    {"call", sel_call, S_UNI, 0, 0, 1, 4},
    {"ret", sel_ret, S_UNI, 0, 0, 0, 0},
    {"exit", sel_plain, 0, 0, 0, 0, 0},
    {"trap", sel_plain, 0, 0, 0, 0, 0},
    {"brkpt", sel_plain, 0, 0, 0, 0, 0},
    {"bar", sel_bar, S_SYNC | S_BOOL | S_SCOPE, 0, 1, 1, 4},
    {"barrier", sel_bar, S_SYNC | S_BOOL | S_SCOPE, 0, 1, 1, 4},
    {"membar", sel_fence, S_SCOPE, 0, 0, 0, 0},
    {"fence", sel_fence, S_SCOPE | S_SEM, 0, 0, 0, 0},
    {"nanosleep", sel_nanosleep, 0, 1, 1, 1, 1},
    {"vote", sel_vote, S_WORD | S_SYNC, 0, 1, 2, 3},
    {"shfl", sel_shfl, S_WORD | S_SYNC, 1, 1, 4, 5},
    {"match", sel_match, S_WORD | S_SYNC, 1, 1, 3, 3},
    {"redux", sel_redux, S_ATOM | S_BOOL | S_SYNC, 1, 1, 3, 3},
    {"activemask", sel_activemask, 0, 1, 1, 1, 1},
    {"isspacep", sel_isspacep, S_SPACE, 0, 0, 2, 2},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
