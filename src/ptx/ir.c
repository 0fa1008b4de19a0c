/* ir.c -- building an ir_func, and what its instructions read and write */
#include "ptx/ir.h"

#include <string.h>

#include "base/text.h"
#include "isa/mma.h"

u32 ir_reg(struct ir_func *f, enum ir_class cls)
{
    if (f->n_reg == f->cap_reg) {
        f->cap_reg = f->cap_reg ? 2 * f->cap_reg : 64;
        f->cls = xrealloc(f->cls, f->cap_reg * sizeof(f->cls[0]));
        f->number = xrealloc(f->number, f->cap_reg * sizeof(f->number[0]));
    }
    f->cls[f->n_reg] = (u8)cls;
    f->number[f->n_reg] = -1;
    return f->n_reg++;
}

/* Where value stands in the hash, or the empty place where it should. */
static u32 *imm_place(const struct ir_func *f, u64 value)
{
    u32 mask = 2 * f->cap_imm - 1;
    u32 at = (u32)(value * 0x9e3779b97f4a7c15u >> 32) & mask;

    while (f->imm_slot[at] != IR_NONE && f->imm[f->imm_slot[at]] != value)
        at = (at + 1) & mask;
    return &f->imm_slot[at];
}

static void imm_grow(struct ir_func *f)
{
    f->cap_imm = f->cap_imm ? 2 * f->cap_imm : 32;
    f->imm = xrealloc(f->imm, f->cap_imm * sizeof(f->imm[0]));
    f->imm_slot = xrealloc(f->imm_slot, 2 * f->cap_imm * sizeof(f->imm_slot[0]));
    memset(f->imm_slot, 0xff, 2 * f->cap_imm * sizeof(f->imm_slot[0]));
    for (u32 i = 0; i < f->n_imm; i++)
        *imm_place(f, f->imm[i]) = i;
}

u32 ir_imm(struct ir_func *f, u64 value)
{
    if (f->n_imm == f->cap_imm)
        imm_grow(f);
    u32 *place = imm_place(f, value);
    if (*place == IR_NONE) {
        *place = f->n_imm;
        f->imm[f->n_imm++] = value;
    }
    return IR_IMM | *place;
}

struct ir_inst *ir_add(struct ir_func *f, enum op op, u32 line)
{
    if (f->n_inst == f->cap_inst) {
        f->cap_inst = f->cap_inst ? 2 * f->cap_inst : 64;
        f->inst = xrealloc(f->inst, f->cap_inst * sizeof(f->inst[0]));
    }
    struct ir_inst *in = &f->inst[f->n_inst++];
    *in = (struct ir_inst){
        .op = (u16)op,
        .guard = IR_NONE,
        .pdst = IR_NONE,
        .psrc = IR_NONE,
        .target = IR_NONE,
        .line = line,
    };
    memset(in->dst, 0xff, sizeof in->dst);
    memset(in->src, 0xff, sizeof in->src);
    return in;
}

void ir_free(struct ir_func *f)
{
    cfg_free(f);
    for (u32 i = 0; i < f->n_table; i++)
        free(f->table[i].target);
    for (u32 i = 0; i < f->n_site; i++) {
        free(f->site[i].arg);
        free(f->site[i].ret);
    }
    free(f->table);
    free(f->site);
    free(f->cls);
    free(f->number);
    free(f->inst);
    free(f->label);
    free(f->imm);
    free(f->imm_slot);
    free(f->row);
    *f = (struct ir_func){.name = f->name};
}

static u32 add_reg(u32 *reg, u32 n, u32 opnd)
{
    if (ir_is_reg(opnd))
        reg[n++] = opnd;
    return n;
}

u32 ir_defs(const struct ir_func *f, const struct ir_inst *in, u32 reg[IR_MAX_OPND])
{
    u32 n = 0;

    (void)f;
    for (u32 i = 0; i < LEN(in->dst); i++)
        n = add_reg(reg, n, in->dst[i]);
    return add_reg(reg, n, in->pdst);
}

u32 ir_uses(const struct ir_func *f, const struct ir_inst *in, u32 reg[IR_MAX_OPND])
{
    u32 n = in->guard == IR_NONE ? 0 : ir_defs(f, in, reg);

    for (u32 i = 0; i < LEN(in->src); i++)
        n = add_reg(reg, n, in->src[i]);
    n = add_reg(reg, n, in->psrc);
    return add_reg(reg, n, in->guard);
}

static void copy_line(struct ir_inst *to, const struct ir_inst *from)
{
    if (to->loc_line)
        return;
    to->loc_file = from->loc_file;
    to->loc_line = from->loc_line;
}

static void fill_back(struct ir_func *f, u32 first, u32 n)
{
    for (u32 i = first + n; i-- > first + 1;)
        copy_line(&f->inst[i - 1], &f->inst[i]);
}

void ir_fill_lines(struct ir_func *f)
{
    for (u32 b = 0; b < f->n_block; b++)
        fill_back(f, f->block[b].first, f->block[b].n);
    for (u32 i = 1; i < f->n_inst; i++)
        copy_line(&f->inst[i], &f->inst[i - 1]);
    fill_back(f, 0, f->n_inst);
}

/* ---- ir_check ---- */

struct check {
    const struct ir_func *f;
    const struct ir_inst *in;
    struct err *e;
};

static bool bad_inst(const struct check *c, const char *what)
{
    return err_set(c->e, "%s: instruction %u (%s, line %u): %s", c->f->name,
                   (u32)(c->in - c->f->inst), op_info[c->in->op].name, c->in->line, what);
}

/* A register that exists, a constant that exists, or nothing. */
static bool opnd_exists(const struct check *c, u32 opnd)
{
    if (opnd == IR_NONE)
        return true;
    return ir_is_reg(opnd) ? opnd < c->f->n_reg : (opnd & ~IR_IMM) < c->f->n_imm;
}

static bool all_exist(const struct check *c)
{
    const struct ir_inst *in = c->in;
    bool ok = opnd_exists(c, in->guard) && opnd_exists(c, in->psrc) && opnd_exists(c, in->pdst);

    for (u32 i = 0; i < LEN(in->src); i++)
        ok &= opnd_exists(c, in->src[i]);
    for (u32 i = 0; i < LEN(in->dst); i++)
        ok &= opnd_exists(c, in->dst[i]) && (in->dst[i] == IR_NONE || ir_is_reg(in->dst[i]));
    return ok || bad_inst(c, "an operand that does not exist");
}

static bool is_pred_opnd(const struct check *c, u32 opnd)
{
    return opnd == IR_NONE || (ir_is_reg(opnd) && c->f->cls[opnd] == IRC_PRED);
}

/* The operand fits a value of type t; constants fit any but predicates. */
static bool fits_operand_type(const struct check *c, u32 opnd, enum opnd_type t)
{
    if (!ir_is_reg(opnd))
        return t != OT_PRED || opnd == IR_NONE;
    if (t == OT_PRED)
        return c->f->cls[opnd] == IRC_PRED;
    return c->f->cls[opnd] == (opnd_is_64(t) ? IRC_64 : IRC_32);
}

static bool check_alu(const struct check *c)
{
    const struct ir_inst *in = c->in;
    const struct op_info *o = &op_info[in->op];

    if (!fits_operand_type(c, in->dst[0], (enum opnd_type)o->dst))
        return bad_inst(c, "destination of the wrong class");
    for (u32 i = 0; i < LEN(o->src); i++)
        if (o->src[i] ? in->src[i] == IR_NONE ||
                            !fits_operand_type(c, in->src[i], (enum opnd_type)o->src[i])
                      : in->src[i] != IR_NONE)
            return bad_inst(c, "a source is missing, too many or of the wrong class");
    return true;
}

static bool check_cmp(const struct check *c)
{
    const struct ir_inst *in = c->in;
    const struct op_info *o = &op_info[in->op];

    for (u32 i = 0; i < 2; i++)
        if (in->src[i] == IR_NONE || !fits_operand_type(c, in->src[i], (enum opnd_type)o->src[i]))
            return bad_inst(c, "a source is missing or of the wrong class");
    if (!fits_operand_type(c, in->dst[0], in->mod & MOD_SET_Q ? OT_PRED : OT_u32))
        return bad_inst(c, "destination of the wrong class");
    return true;
}

static bool check_pred(const struct check *c)
{
    const struct ir_inst *in = c->in;
    const struct op_info *o = &op_info[in->op];

    for (u32 i = 0; i < 2; i++)
        if ((o->src[i] != OT_NONE) != (in->src[i] != IR_NONE) || !is_pred_opnd(c, in->src[i]))
            return bad_inst(c, "a source is missing, too many or no predicate");
    return true;
}

static bool check_mem(const struct check *c, bool is_atom)
{
    const struct ir_inst *in = c->in;
    u32 n = is_atom ? 1 : mod_vec(in->mod);
    bool narrow = in->mod & (is_atom ? MOD_ATOM_ADDR32 : MOD_ADDR32);

    if (n != 1 && n != 2 && n != 4 && n != 8)
        return bad_inst(c, "a vector of 1, 2, 4 or 8 elements");
    if (!fits_operand_type(c, in->src[0], narrow ? OT_u32 : OT_u64) ||
        (!ir_is_reg(in->src[0]) && in->src[0] != IR_NONE))
        return bad_inst(c, "the base is no register of the address's width");
    for (u32 i = 1; op_info[in->op].form == FORM_ST && i <= n; i++)
        if (in->src[i] == IR_NONE || (ir_is_reg(in->src[i]) && is_pred_opnd(c, in->src[i])))
            return bad_inst(c, "a value to store is missing or a predicate");
    return true;
}

static bool check_mma(const struct check *c)
{
    struct mma_shape s = mma_shape(c->in->op, c->in->mod);
    enum opnd_type t = c->in->op == OP_mma_f64 ? OT_f64 : OT_u32;

    for (u32 i = 0; i < s.d; i++)
        if (c->in->dst[i] == IR_NONE || !fits_operand_type(c, c->in->dst[i], t))
            return bad_inst(c, "a destination is missing or of another width");
    for (u32 i = 0; i < s.a + s.b + s.c; i++)
        if (c->in->src[i] == IR_NONE || !fits_operand_type(c, c->in->src[i], t))
            return bad_inst(c, "a source is missing or of another width");
    return true;
}

static bool check_target(const struct check *c)
{
    u32 op = c->in->op, t = c->in->target;
    u32 n = c->f->n_block ? c->f->n_block : c->f->n_label;

    if (op == OP_bra && t >= n)
        return bad_inst(c, "no such target");
    if (op == OP_brx && t >= c->f->n_table)
        return bad_inst(c, "no such table of targets");
    for (u32 i = 0; op == OP_brx && i < c->f->table[t].n; i++)
        if (c->f->table[t].target[i] >= n)
            return bad_inst(c, "no such target in its table");
    if ((op == OP_call || op == OP_callx) && t >= c->f->n_site)
        return bad_inst(c, "no such call site");
    return true;
}

static bool check_inst(const struct check *c)
{
    if (c->in->op >= N_OP)
        return err_set(c->e, "%s: instruction %u: no such opcode", c->f->name,
                       (u32)(c->in - c->f->inst));
    if (!all_exist(c))
        return false;
    if (!is_pred_opnd(c, c->in->guard) || !is_pred_opnd(c, c->in->psrc) ||
        !is_pred_opnd(c, c->in->pdst))
        return bad_inst(c, "guard, psrc or pdst is no predicate");
    switch ((enum op_form)op_info[c->in->op].form) {
    case FORM_ALU:
        return check_alu(c);
    case FORM_CMP:
        return check_cmp(c);
    case FORM_PRED:
        return check_pred(c);
    case FORM_LD:
    case FORM_ST:
        return check_mem(c, false);
    case FORM_ATOM:
        return check_mem(c, true);
    case FORM_CTRL:
        return check_target(c);
    case FORM_MMA:
        return check_mma(c);
    case FORM_COPY:
        return fits_operand_type(c, c->in->src[1], OT_u64) ||
               bad_inst(c, "the address copied from has no 64 bits");
    case FORM_TEX:
    case FORM_MISC:
        return true;
    }
    return true;
}

bool ir_check(const struct ir_func *f, struct err *e)
{
    struct check c = {f, NULL, e};

    for (u32 i = 0; i < f->n_inst; i++) {
        c.in = &f->inst[i];
        if (!check_inst(&c))
            return false;
    }
    return true;
}
