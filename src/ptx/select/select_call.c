/* select_call.c -- calls and returns, and the calling convention */
#include "ptx/select/select_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/select/builtin.h"

#define O(k) (&s->in->opnd[k])

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

static u32 frame_slot(struct sel *s, u32 size, u32 align)
{
    u32 at = (u32)align_up(s->f->frame, align);

    s->f->frame = at + size;
    return at;
}

/* A register to or from local memory, at an address of the frame or of all functions (`common`). */
static void move_bytes(struct sel *s, bool load, u32 reg, u32 off, u32 bytes, bool common)
{
    static const u16 ld[] = {OP_ld_local_u8, OP_ld_local_u16, OP_ld_local_32, OP_ld_local_64},
                     st[] = {OP_st_local_8, OP_st_local_16, OP_st_local_32, OP_st_local_64};
    u32 log2 = (u32)__builtin_ctz(bytes);
    struct ir_inst *in = sel_emit(s, load ? ld[log2] : st[log2]);

    in->mod = (u16)(1 | (s->pf->is_entry || common ? 0 : MOD_FRAME));
    in->imm = off;
    *(load ? in->dst : &in->src[1]) = reg;
}

/* Predicates are words that are 0 or not. */
static void move_pred(struct sel *s, bool load, u32 pred, u32 off, bool common)
{
    u32 word = ir_reg(s->f, IRC_32);

    if (load) {
        move_bytes(s, true, word, off, 4, common);
        struct ir_inst *in = sel_emit(s, OP_setp_ne_u32);

        in->pdst = pred, in->src[0] = word, in->src[1] = ir_imm(s->f, 0);
        return;
    }
    struct ir_inst *in = sel_emit(s, OP_selp_32);

    in->dst[0] = word, in->psrc = pred;
    in->src[0] = ir_imm(s->f, 1), in->src[1] = ir_imm(s->f, 0);
    move_bytes(s, false, word, off, 4, common);
}

static bool is_pred_reg(const struct sel *s, u32 reg)
{
    return ir_is_reg(reg) && s->f->cls[reg] == IRC_PRED;
}

/*
 * Bytes from one element of a parameter to the next.  One that is no vector has a place of 4 or 8
 * bytes to itself; so has each element of a register parameter.
 */
static u32 step_of(const struct ptx_var *formal)
{
    u32 bytes = ptx_type_bytes(formal->type);

    return bytes == 8 ? 8 : formal->vec > 1 && formal->space != PS_REG ? bytes : 4;
}

static void move_value(struct sel *s, bool load, const struct ptx_var *formal, const u32 *reg,
                       u32 off)
{
    u32 step = step_of(formal);

    for (u32 k = 0; k < formal->vec; k++)
        if (is_pred_reg(s, reg[k]))
            move_pred(s, load, reg[k], off + k * step, false);
        else if (reg[k] != IR_NONE)
            move_bytes(s, load, reg[k], off + k * step, step, false);
}

static bool call_element(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, bool is_ret,
                         u32 *reg)
{
    bool neg;

    if (t != PT_PRED)
        return is_ret ? sel_dst(s, o, t, reg) : sel_src(s, o, t, reg);
    if (is_ret)
        return sel_pred_dst(s, o, reg);
    if (o->neg)
        return sel_fail(s, o->col, "call: a predicate is passed as it is, without '!'");
    return sel_pred(s, o, reg, &neg);
}

/* One value that goes in or comes back: a .param variable, or registers by way of a slot. */
static bool call_value(struct sel *s, const struct ptx_opnd *o, const struct ptx_var *formal,
                       bool is_ret, u32 *off, u32 reg[4])
{
    bool frame;
    u32 n = formal->vec;

    if (o->kind == PO_VAR && o->var->space == PS_PARAM) {
        if (o->var->size != formal->size)
            return sel_fail(s, o->col, "call: '%s' has %llu bytes, the function's parameter %llu",
                            o->var->name, (unsigned long long)o->var->size,
                            (unsigned long long)formal->size);
        *off = (u32)sel_var_address(s, o->var, &frame);
        return true;
    }
    if (formal->is_array || ptx_type_bytes(formal->type) > 8)
        return sel_fail(s, o->col,
                        "call: %s takes %u bytes at once; a .param variable is needed here",
                        formal->name, (u32)formal->size);
    if (n > 1 && (o->kind != PO_VEC || o->n_elem != n))
        return sel_fail(s, o->col, "call: %s is a vector of %u; one of as many is needed here",
                        formal->name, n);
    for (u32 k = 0; k < n; k++)
        if (!call_element(s, n > 1 ? &o->elem[k] : o, formal->type, is_ret, &reg[k]))
            return false;
    *off = frame_slot(s, n * step_of(formal), n > 1 ? 16 : step_of(formal));
    if (!is_ret)
        move_value(s, false, formal, reg, *off);
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

        ok = call_value(s, &list->elem[i], formal, is_ret, &off, &reg[4 * i]);
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
        move_value(s, true, callee->ret[i], &reg[4 * i], ret[i].to);
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

/* ---- registers of the module: see struct ptx_module_reg */

static void mark_reg(struct sel *s, u32 reg)
{
    for (u32 i = 0; i < s->m->n_reg; i++)
        if (reg - s->pf->module_reg[i] < s->m->reg[i].vec)
            s->module_used[i] = true;
}

static void mark_operand(struct sel *s, const struct ptx_opnd *o)
{
    if (o->kind == PO_REG)
        mark_reg(s, o->reg);
    for (u32 i = 0; i < o->n_elem; i++)
        mark_operand(s, &o->elem[i]);
}

void sel_find_module_regs(struct sel *s)
{
    s->module_used = xcalloc(s->m->n_reg + 1, sizeof s->module_used[0]);
    for (u32 i = 0; s->m->n_reg && i < s->pf->n_inst; i++) {
        const struct ptx_inst *in = &s->pf->inst[i];

        if (in->has_guard)
            mark_reg(s, in->guard);
        for (u32 k = 0; k < in->n_opnd; k++)
            mark_operand(s, &in->opnd[k]);
    }
}

/* Those that this function names, from or to where the others look for them. */
static void move_module_regs(struct sel *s, bool load)
{
    for (u32 i = 0; i < s->m->n_reg; i++)
        for (u32 k = 0; s->module_used[i] && k < s->m->reg[i].vec; k++) {
            u32 reg = s->pf->module_reg[i] + k, off = (u32)s->l->var_addr[s->m->reg[i].slot->id];

            if (is_pred_reg(s, reg))
                move_pred(s, load, reg, off + 8 * k, true);
            else
                move_bytes(s, load, reg, off + 8 * k, s->f->cls[reg] == IRC_64 ? 8 : 4, true);
        }
}

/* A parameter or result that is registers `reg` and following. */
static void move_frame_regs(struct sel *s, bool load, const struct ptx_var *v, u32 reg, u32 off)
{
    const u32 all[4] = {reg, reg + 1, reg + 2, reg + 3};

    move_value(s, load, v, all, off);
}

/* ---- calls and returns */

static struct ir_site *new_site(struct ir_func *f)
{
    f->site = xrealloc(f->site, (f->n_site + 1) * sizeof f->site[0]);
    memset(&f->site[f->n_site], 0, sizeof f->site[0]);
    return &f->site[f->n_site++];
}

bool sel_call(struct sel *s)
{
    const struct ptx_opnd *ret, *f, *args;
    const struct ptx_func *callee = NULL;
    u32 target = IR_NONE;

    if (!call_parts(s, &ret, &f, &args, &callee))
        return false;
    if (f->kind != PO_FUNC && !sel_src(s, f, s->m->address_size == 32 ? PT_U32 : PT_U64, &target))
        return false;
    struct ir_site *site = new_site(s->f);
    u32 at = s->f->n_site - 1, n = callee->n_ret + callee->n_param, *reg = xmalloc(16 * n + 16);
    struct ir_arg *arg = NULL, *back = NULL;

    memset(reg, 0xff, 16 * n + 16);
    bool ok = call_list(s, args, callee, false, &arg, reg + 4 * callee->n_ret) &&
              call_list(s, ret, callee, true, &back, reg);

    site = &s->f->site[at];
    site->arg = arg, site->ret = back;
    site->n_arg = arg ? callee->n_param : 0, site->n_ret = back ? callee->n_ret : 0;
    site->func = f->kind == PO_FUNC ? callee->id : IR_NONE;
    if (ok) {
        move_module_regs(s, false);
        struct ir_inst *in = sel_emit(s, f->kind == PO_FUNC ? OP_call : OP_callx);

        in->src[0] = target, in->target = at;
        in->mod = s->m->address_size == 32 ? MOD_ADDR32 : 0;
        move_module_regs(s, true);
        read_results(s, callee, back, reg);
    }
    free(reg);
    return ok;
}

/* Old register results, and the module's registers, go to memory before a function returns. */
bool sel_ret(struct sel *s)
{
    for (u32 i = 0; s->pf->ret_reg && !s->pf->is_entry && i < s->pf->n_ret; i++)
        if (s->pf->ret[i]->space == PS_REG)
            move_frame_regs(s, false, s->pf->ret[i], s->pf->ret_reg[i], s->fl->ret_off[i]);
    if (!s->pf->is_entry)
        move_module_regs(s, false);
    sel_emit(s, OP_ret);
    return true;
}

void sel_begin(struct sel *s)
{
    for (u32 i = 0; s->pf->param_reg && !s->pf->is_entry && i < s->pf->n_param; i++)
        if (s->pf->param[i]->space == PS_REG)
            move_frame_regs(s, true, s->pf->param[i], s->pf->param_reg[i], s->fl->param_off[i]);
    if (!s->pf->is_entry)
        move_module_regs(s, true);
}
