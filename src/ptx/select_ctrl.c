/* select_ctrl.c -- branches, calls, barriers, votes */
#include "ptx/select_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/builtin.h"

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

/* ---- calls */

/* Offsets of a function's results and parameters in its frame: the calling convention. */
void sel_frame_offsets(const struct ptx_func *pf, u32 *ret, u32 *param, u32 *end)
{
    u64 at = 0;

    for (u32 i = 0; i < pf->n_ret; i++) {
        at = align_up(at, pf->ret[i]->align);
        ret[i] = (u32)(at < UINT32_MAX ? at : UINT32_MAX);
        at += pf->ret[i]->size;
    }
    for (u32 i = 0; i < pf->n_param; i++) {
        at = align_up(at, pf->param[i]->align);
        param[i] = (u32)(at < UINT32_MAX ? at : UINT32_MAX);
        at += pf->param[i]->size;
    }
    at = align_up(at, 16);
    *end = (u32)(at < UINT32_MAX ? at : UINT32_MAX);
}

static u32 frame_slot(struct sel *s, u32 size)
{
    u32 at = (u32)align_up(s->f->frame, size);

    s->f->frame = at + size;
    return at;
}

static void frame_move(struct sel *s, bool load, u32 reg, u32 off, u32 size)
{
    struct ir_inst *in = sel_emit(s, load        ? size == 8 ? OP_ld_local_64 : OP_ld_local_32
                                     : size == 8 ? OP_st_local_64
                                                 : OP_st_local_32);

    in->mod = (u16)(1 | (s->pf->is_entry ? 0 : MOD_FRAME));
    in->imm = off;
    *(load ? in->dst : &in->src[1]) = reg;
}

/* One value that goes in or comes back: a .param variable, or a register by way of a slot. */
static bool call_value(struct sel *s, const struct ptx_opnd *o, const struct ptx_var *formal,
                       bool is_ret, u32 *off, u32 *reg)
{
    bool frame;

    *reg = IR_NONE;
    if (o->kind == PO_VAR && o->var->space == PS_PARAM) {
        if (o->var->size != formal->size)
            return sel_fail(s, o->col, "call: '%s' has %llu bytes, the function's parameter %llu",
                            o->var->name, (unsigned long long)o->var->size,
                            (unsigned long long)formal->size);
        *off = (u32)sel_var_address(s, o->var, &frame);
        return true;
    }
    u32 size = (u32)formal->size == 8 ? 8 : 4;

    if (formal->is_array || formal->size > 8)
        return sel_fail(s, o->col,
                        "call: %s takes %u bytes at once; a .param variable is needed here",
                        formal->name, (u32)formal->size);
    if (!(is_ret ? sel_dst(s, o, formal->type, reg) : sel_src(s, o, formal->type, reg)))
        return false;
    *off = frame_slot(s, size);
    if (!is_ret)
        frame_move(s, false, *reg, *off, size);
    return true;
}

static bool call_list(struct sel *s, const struct ptx_opnd *list, const struct ptx_func *callee,
                      bool is_ret, struct ir_arg **out, u32 *reg)
{
    u32 n = is_ret ? callee->n_ret : callee->n_param, end, have = list ? list->n_elem : 0;
    u32 *ro = xcalloc(callee->n_ret + 1, sizeof *ro),
        *po = xcalloc(callee->n_param + 1, sizeof *po);
    bool ok = have == n;

    *out = xcalloc(n + 1, sizeof **out);
    sel_frame_offsets(callee, ro, po, &end);
    if (!ok)
        sel_fail(s, list ? list->col : s->in->col, "call: %s has %u %s%s, not %u",
                 callee->name ? callee->name : "the prototype", n, is_ret ? "result" : "parameter",
                 n == 1 ? "" : "s", have);
    for (u32 i = 0; i < n && ok; i++) {
        const struct ptx_var *formal = is_ret ? callee->ret[i] : callee->param[i];
        u32 off = 0;

        ok = call_value(s, &list->elem[i], formal, is_ret, &off, &reg[i]);
        (*out)[i] = is_ret ? (struct ir_arg){ro[i], off, (u32)formal->size}
                           : (struct ir_arg){off, po[i], (u32)formal->size};
    }
    free(ro), free(po);
    return ok;
}

/* Results that go to registers are read back from their slots. */
static void read_results(struct sel *s, const struct ptx_func *callee, const struct ir_arg *ret,
                         const u32 *reg)
{
    for (u32 i = 0; i < callee->n_ret; i++)
        if (reg[i] != IR_NONE)
            frame_move(s, true, reg[i], ret[i].to, callee->ret[i]->size == 8 ? 8 : 4);
}

/* Without a body: one that the device provides, and declared as that is? */
static bool call_builtin(struct sel *s, u32 col, const struct ptx_func *callee)
{
    enum builtin b = builtin_find(callee->name);

    if (!b)
        return sel_fail(s, col,
                        "call: function '%s' has no body in this module, nor does the device "
                        "provide it; it provides %s",
                        callee->name, builtin_names());
    if (!builtin_declared_well(b, callee, s->m->address_size))
        return sel_fail(s, col, "call: '%s' is declared otherwise than the device provides it: %s",
                        callee->name, builtin_declaration(b));
    return true;
}

/* (ret), f, (args), prototype: which operand is what; any but the function may be absent. */
static bool call_parts(struct sel *s, const struct ptx_opnd **ret, const struct ptx_opnd **f,
                       const struct ptx_opnd **args, const struct ptx_func **callee)
{
    u32 k = 0, n = s->in->n_opnd;

    *ret = k < n && O(k)->kind == PO_LIST ? O(k++) : NULL;
    *f = k < n ? O(k++) : NULL;
    *args = k < n && O(k)->kind == PO_LIST ? O(k++) : NULL;
    const struct ptx_opnd *proto = k < n ? O(k++) : NULL;

    if (!*f || k != n)
        return sel_fail(s, s->in->col, "call is written call (result), function, (parameters)");
    if ((*f)->kind == PO_FUNC) {
        *callee = (*f)->func;
        if ((*callee)->is_entry)
            return sel_fail(s, (*f)->col, "call: '%s' is a kernel; only functions can be called",
                            (*callee)->name);
        return (*callee)->has_body || call_builtin(s, (*f)->col, *callee);
    }
    if (!proto || proto->kind != PO_TABLE || s->pf->table[proto->table].kind == PTAB_BRANCH)
        return sel_fail(s, s->in->col,
                        "call through a register needs a .callprototype or .calltargets");
    const struct ptx_table *t = &s->pf->table[proto->table];

    if (t->kind == PTAB_CALL && t->n == 0)
        return sel_fail(s, proto->col, "call: the list of targets is empty");
    *callee = t->kind == PTAB_PROTO ? t->proto : t->func[0];
    return true;
}

static struct ir_site *new_site(struct ir_func *f)
{
    f->site = xrealloc(f->site, (f->n_site + 1) * sizeof f->site[0]);
    memset(&f->site[f->n_site], 0, sizeof f->site[0]);
    return &f->site[f->n_site++];
}

static bool sel_call(struct sel *s)
{
    const struct ptx_opnd *ret, *f, *args;
    const struct ptx_func *callee = NULL;
    u32 target = IR_NONE;

    if (!call_parts(s, &ret, &f, &args, &callee))
        return false;
    if (f->kind != PO_FUNC && !sel_src(s, f, s->m->address_size == 32 ? PT_U32 : PT_U64, &target))
        return false;
    struct ir_site *site = new_site(s->f);
    u32 at = s->f->n_site - 1, *reg = xcalloc(callee->n_ret + callee->n_param + 1, sizeof *reg);
    struct ir_arg *arg = NULL, *back = NULL;
    bool ok =
        call_list(s, args, callee, false, &arg, reg) && call_list(s, ret, callee, true, &back, reg);

    site = &s->f->site[at];
    site->arg = arg, site->ret = back;
    site->n_arg = arg ? callee->n_param : 0, site->n_ret = back ? callee->n_ret : 0;
    site->func = f->kind == PO_FUNC ? callee->id : IR_NONE;
    if (ok) {
        struct ir_inst *in = sel_emit(s, f->kind == PO_FUNC ? OP_call : OP_callx);

        in->src[0] = target, in->target = at;
        in->mod = s->m->address_size == 32 ? MOD_ADDR32 : 0;
        read_results(s, callee, back, reg);
    }
    free(reg);
    return ok;
}

/* Old register results go to the frame before a function returns. */
static bool sel_ret(struct sel *s)
{
    if (s->pf->ret_reg && !s->pf->is_entry)
        for (u32 i = 0; i < s->pf->n_ret; i++)
            if (s->pf->ret[i]->space == PS_REG)
                frame_move(s, false, s->pf->ret_reg[i], s->fl->ret_off[i],
                           s->pf->ret[i]->size == 8 ? 8 : 4);
    sel_emit(s, OP_ret);
    return true;
}

void sel_load_reg_params(struct sel *s)
{
    if (s->pf->param_reg && !s->pf->is_entry)
        for (u32 i = 0; i < s->pf->n_param; i++)
            if (s->pf->param[i]->space == PS_REG)
                frame_move(s, true, s->pf->param_reg[i], s->fl->param_off[i],
                           s->pf->param[i]->size == 8 ? 8 : 4);
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
    {"activemask", sel_activemask, 0, 1, 1, 1, 1},
    {"isspacep", sel_isspacep, S_SPACE, 0, 0, 2, 2},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
