/* select_opnd.c -- operands: registers, immediates, addresses, and what PTX demands of them */
#include "ptx/select/select_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/fp.h"
#include "ptx/select/builtin.h"

bool sel_fail(struct sel *s, u32 col, const char *fmt, ...)
{
    char what[400];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return ptx_err(s->m, s->in->line, col, s->e, "%s", what);
}

bool sel_count(struct sel *s, u32 min, u32 max)
{
    u32 n = s->in->n_opnd;

    if (n >= min && n <= max)
        return true;
    if (min == max)
        return sel_fail(s, s->in->col, "%s takes %u operand%s, not %u", s->in->name, min,
                        min == 1 ? "" : "s", n);
    return sel_fail(s, s->in->col, "%s takes %u to %u operands, not %u", s->in->name, min, max, n);
}

bool ptx_type_is_float(enum ptx_type t)
{
    return t == PT_F32 || t == PT_F64 || ptx_type_is_half(t);
}

bool ptx_type_is_half(enum ptx_type t)
{
    return t == PT_F16 || t == PT_BF16 || t == PT_F16X2 || t == PT_BF16X2;
}

bool ptx_type_is_signed(enum ptx_type t)
{
    return t == PT_S8 || t == PT_S16 || t == PT_S32 || t == PT_S64;
}

bool ptx_type_is_bits(enum ptx_type t)
{
    return t == PT_B8 || t == PT_B16 || t == PT_B32 || t == PT_B64;
}

u32 sel_reg_bits(const struct sel *s, u32 reg)
{
    return 8 * ptx_type_bytes(s->pf->reg[reg].type);
}

/*
 * A register fits an operand of type t if the size is the same and not one float, the other
 * integer.
 */
static bool fits_register(struct sel *s, const struct ptx_opnd *o, enum ptx_type t)
{
    const struct ptx_reg *r = &s->pf->reg[o->reg];

    if (r->type == PT_PRED)
        return sel_fail(s, o->col, "%s: %s is a predicate; an operand of type .%s is needed",
                        s->in->name, r->name, ptx_type_name(t));
    if (ptx_type_bytes(r->type) != ptx_type_bytes(t))
        return sel_fail(s, o->col, "%s: %s is declared .%s; an operand of type .%s is needed",
                        s->in->name, r->name, ptx_type_name(r->type), ptx_type_name(t));
    if (!ptx_type_is_bits(t) && !ptx_type_is_bits(r->type) &&
        ptx_type_is_float(t) != ptx_type_is_float(r->type))
        return sel_fail(s, o->col, "%s: %s is declared .%s; an operand of type .%s is needed",
                        s->in->name, r->name, ptx_type_name(r->type), ptx_type_name(t));
    return true;
}

static bool immediate(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 *out)
{
    u64 v = o->imm;

    if (ptx_type_is_half(t))
        return sel_fail(s, o->col,
                        "%s: there are no constants of type .%s; move its bits to a "
                        "register, as in mov.b16 %%h1, 0x3C00",
                        s->in->name, ptx_type_name(t));
    if (o->kind == PO_INT && ptx_type_is_float(t))
        return sel_fail(
            s, o->col, "%s: a floating-point constant such as 0f3F800000 is needed, not an integer",
            s->in->name);
    if (o->kind != PO_INT && !ptx_type_is_float(t) && !ptx_type_is_bits(t))
        return sel_fail(s, o->col, "%s: an integer is needed, not a floating-point constant",
                        s->in->name);
    if (o->kind == PO_F32 && ptx_type_bytes(t) == 8)
        v = fp64_from_f32((u32)o->imm);
    if (o->kind == PO_FLOAT && ptx_type_bytes(t) == 4)
        v = fp32_from_f64(o->imm, FP_RN);
    if (ptx_type_bytes(t) <= 2)
        v = (u16)v;
    else if (ptx_type_bytes(t) == 4)
        v = (u32)v;
    *out = ir_imm(s->f, v);
    return true;
}

u64 sel_var_address(struct sel *s, const struct ptx_var *v, bool *frame)
{
    *frame = false;
    if (!v->func) {
        if (v->space == PS_SHARED)
            return v->size == 0 && v->is_extern ? s->fl->dynamic : s->fl->shared_addr[v->id];
        return s->l->var_addr[v->id];
    }
    *frame = !s->pf->is_entry && v->space != PS_SHARED;
    for (u32 i = 0; i < s->pf->n_param; i++)
        if (s->pf->param[i] == v)
            return s->fl->param_off[i];
    for (u32 i = 0; i < s->pf->n_ret; i++)
        if (s->pf->ret[i] == v)
            return s->fl->ret_off[i];
    if (v->space == PS_SHARED && v->size == 0)
        return s->fl->dynamic;
    if (v->space == PS_CONST || v->space == PS_GLOBAL)
        *frame = false;
    return s->fl->var_off[v->id];
}

static bool address_of(struct sel *s, const struct ptx_opnd *o, u32 *out)
{
    bool frame = false;

    if (o->kind == PO_FUNC && !o->func->has_body && builtin_find(o->func->name))
        return sel_fail(s, o->col, "'%s' is provided by the device and has no address",
                        o->func->name);
    u64 a = o->kind == PO_FUNC ? func_address(o->func->id)
                               : sel_var_address(s, o->var, &frame) + (u64)o->off;

    if (!frame) {
        *out = ir_imm(s->f, a);
        return true;
    }
    struct ir_inst *in = sel_emit(s, OP_mov_frame);

    in->guard = IR_NONE;
    in->imm = (s64)a;
    *out = in->dst[0] = ir_reg(s->f, IRC_64);
    return true;
}

bool sel_sreg(struct sel *s, const struct ptx_opnd *o, enum sreg *out)
{
    if (!strncmp(o->name, "%pm", 3))
        return *out = SR_PM, true;
    if (!strncmp(o->name, "%envreg", 7))
        return *out = SR_ENVREG, true;
    for (u32 i = 0; i < N_SREG; i++)
        if (!strcmp(sreg_name[i], o->name))
            return *out = (enum sreg)i, true;
    return sel_fail(s, o->col, "special register '%s' is not supported", o->name);
}

static bool read_sreg(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 *out)
{
    static const u8 wide[N_SREG] = {[SR_CLOCK64] = 1, [SR_GLOBALTIMER] = 1};
    bool is64 = ptx_type_bytes(t) == 8;
    enum sreg r = SR_PM;

    if (!sel_sreg(s, o, &r))
        return false;
    if (wide[r] && !is64)
        return sel_fail(s, o->col, "%s: %s has 64 bits; an operand of type .%s is needed",
                        s->in->name, o->name, ptx_type_name(t));
    bool is_clock = r >= SR_CLOCK && r <= SR_GLOBALTIMER_HI;
    struct ir_inst *in = sel_emit(s, is_clock ? is64 ? OP_mov_clock_64 : OP_mov_clock
                                     : is64   ? OP_mov_sreg_64
                                              : OP_mov_sreg);

    in->guard = IR_NONE;
    in->imm = r;
    *out = in->dst[0] = ir_reg(s->f, is64 ? IRC_64 : IRC_32);
    return true;
}

bool sel_src(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 *out)
{
    switch (o->kind) {
    case PO_REG:
        *out = o->reg;
        if (o->neg)
            return sel_fail(s, o->col, "%s: '!' is for predicates only", s->in->name);
        return fits_register(s, o, t);
    case PO_INT:
    case PO_FLOAT:
    case PO_F32:
        return immediate(s, o, t, out);
    case PO_VAR:
    case PO_FUNC:
        if (ptx_type_bytes(t) < 4)
            return sel_fail(s, o->col, "%s: an address does not fit type .%s", s->in->name,
                            ptx_type_name(t));
        return address_of(s, o, out);
    case PO_SREG:
        return read_sreg(s, o, t, out);
    default:
        return sel_fail(s, o->col, "%s: a register or a constant is needed here", s->in->name);
    }
}

bool sel_dst_or_none(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 *out)
{
    *out = IR_NONE;
    return o->kind == PO_SINK || sel_dst(s, o, t, out);
}

/* Opcodes write their result unasked, so '_' is a register that nobody reads. */
bool sel_dst(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 *out)
{
    if (o->kind == PO_SINK) {
        *out = ir_reg(s->f, ptx_type_bytes(t) == 8 ? IRC_64 : IRC_32);
        return true;
    }
    *out = IR_NONE;
    if (o->kind != PO_REG || o->neg)
        return sel_fail(s, o->col, "%s: a register is needed as destination", s->in->name);
    *out = o->reg;
    return fits_register(s, o, t);
}

bool sel_pred_dst(struct sel *s, const struct ptx_opnd *o, u32 *out)
{
    *out = IR_NONE;
    if (o->kind == PO_SINK)
        return true;
    if (o->kind != PO_REG || o->neg || s->pf->reg[o->reg].type != PT_PRED)
        return sel_fail(s, o->col, "%s: a predicate register is needed as destination",
                        s->in->name);
    *out = o->reg;
    return true;
}

/* A constant predicate becomes a register of its own. */
bool sel_pred(struct sel *s, const struct ptx_opnd *o, u32 *out, bool *neg)
{
    *neg = o->neg;
    if (o->kind == PO_INT) {
        struct ir_inst *in = sel_emit(s, OP_pset);

        in->guard = IR_NONE;
        in->imm = o->imm != 0;
        *out = in->pdst = ir_reg(s->f, IRC_PRED);
        return true;
    }
    if (o->kind != PO_REG || s->pf->reg[o->reg].type != PT_PRED)
        return sel_fail(s, o->col, "%s: a predicate is needed here", s->in->name);
    *out = o->reg;
    return true;
}

static bool space_matches(enum ptx_space want, enum ptx_space have)
{
    return want == have || (want == PS_NONE && (have == PS_GLOBAL || have == PS_CONST)) ||
           (want == PS_CONST && have == PS_GLOBAL) || (want == PS_GLOBAL && have == PS_CONST);
}

static bool symbol_base(struct sel *s, const struct ptx_opnd *o, const struct ptx_opnd *b,
                        enum ptx_space space, s64 *imm, bool *frame)
{
    static const char *const name[] = {"generic", "register", "const",  "global",
                                       "local",   "param",    "shared", "tex"};
    u64 window = 0;

    if (space == PS_NONE && b->var->space == PS_SHARED)
        window = WINDOW_SHARED;
    else if (space == PS_NONE && b->var->space == PS_LOCAL)
        window = WINDOW_LOCAL;
    else if (!space_matches(space, b->var->space))
        return sel_fail(s, b->col, "%s: '%s' is in .%s memory, not .%s", s->in->name, b->var->name,
                        name[b->var->space], name[space]);
    *imm = (s64)(sel_var_address(s, b->var, frame) + window + (u64)b->off + (u64)o->off);
    return true;
}

bool sel_addr(struct sel *s, const struct ptx_opnd *o, enum ptx_space space, u32 *base, s64 *imm,
              bool *addr32, bool *frame)
{
    const struct ptx_opnd *b = o->elem;

    *base = IR_NONE, *imm = o->off, *addr32 = *frame = false;
    if (o->kind != PO_ADDR)
        return sel_fail(s, o->col, "%s: an address in brackets is needed, as in [%%rd1+4]",
                        s->in->name);
    if (b->kind == PO_INT)
        return *imm = (s64)(b->imm + (u64)o->off), true;
    if (b->kind == PO_VAR)
        return symbol_base(s, o, b, space, imm, frame);
    if (b->kind != PO_REG)
        return sel_fail(s, b->col, "%s: an address is a register or a variable", s->in->name);
    const struct ptx_reg *r = &s->pf->reg[b->reg];
    u32 bytes = ptx_type_bytes(r->type);

    if (ptx_type_is_float(r->type) || bytes < 4 || r->type == PT_PRED)
        return sel_fail(s, b->col,
                        "%s: %s is declared .%s; an address needs an integer of 32 or 64 bits",
                        s->in->name, r->name, ptx_type_name(r->type));
    *base = b->reg;
    *addr32 = bytes == 4;
    return true;
}

struct ir_inst *sel_emit(struct sel *s, enum op op)
{
    struct ir_inst *in = ir_add(s->f, op, s->in->line);

    in->loc_file = s->in->loc_file;
    in->loc_line = s->in->loc_line;
    if (s->in->has_guard) {
        in->guard = s->in->guard;
        in->guard_not = s->in->guard_not;
    }
    return in;
}
