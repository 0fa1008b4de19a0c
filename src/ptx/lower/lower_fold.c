/*
 * lower_fold.c -- copies, constants and address arithmetic move into the operands that use them.
 *
 * Nothing is taken out here: what has lost its last use is removed by lower_dead.
 */
#include "base/text.h"
#include "ptx/lower/lower_int.h"

struct fold {
    struct ir_func *f;
    struct ssa *s;
    u32 *last; /* see ssa_unchanged */
    bool changed;
};

/* The instruction that gave r the value it has at i, if it is unguarded and known. */
static u32 origin(const struct fold *x, u32 r, u32 i)
{
    u32 d = x->s->def[r];

    if (d != IR_NONE)
        return d;
    d = x->last[r];
    return d != IR_NONE && x->s->block[d] == x->s->block[i] && x->f->inst[d].guard == IR_NONE
               ? d
               : IR_NONE;
}

static bool is_copy(const struct ir_inst *in)
{
    return in->guard == IR_NONE &&
           (in->op == OP_mov_32 || in->op == OP_mov_64 || in->op == OP_pmov);
}

static bool is_constant(const struct ir_func *f, u32 opnd, u64 *v)
{
    if (ir_is_reg(opnd) || opnd == IR_NONE)
        return false;
    *v = f->imm[opnd & ~IR_IMM];
    return true;
}

/* ---- copies ---- */

/* May source k of the instruction be a constant instead of register r? */
static bool takes_constant(const struct ir_func *f, const struct ir_inst *in, u32 k, u32 r)
{
    const struct op_info *o = &op_info[in->op];

    switch (o->form) {
    case FORM_ALU:
    case FORM_CMP:
    case FORM_MMA:
        return true;
    case FORM_ST: /* a narrow store of a wide register says so by its register */
        return k > 0 && (f->cls[r] == IRC_64) == (o->src[1] == OT_u64);
    case FORM_ATOM:
        return k > 0;
    default:
        return in->op == OP_pack || (in->op == OP_shfl && k > 0);
    }
}

/* What operand r of instruction i is a copy of, as far back as that can be told. */
static u32 copied(const struct fold *x, u32 i, u32 r, bool const_ok)
{
    for (u32 hops = 0; ir_is_reg(r) && hops < 64; hops++) {
        u32 d = origin(x, r, i);

        if (d == IR_NONE || !is_copy(&x->f->inst[d]))
            break;
        u32 from = x->f->inst[d].src[0];
        if (ir_is_reg(from) ? !ssa_unchanged(x->s, x->last, from, d, i) : !const_ok)
            break;
        r = from;
    }
    return r;
}

static void fold_copy(struct fold *x, u32 i, u32 *opnd, bool const_ok)
{
    if (!ir_is_reg(*opnd))
        return;
    u32 to = copied(x, i, *opnd, const_ok);
    x->changed |= to != *opnd;
    *opnd = to;
}

static void fold_copies(struct fold *x, u32 i)
{
    struct ir_inst *in = &x->f->inst[i];

    for (u32 k = 0; k < LEN(in->src); k++)
        if (ir_is_reg(in->src[k]))
            fold_copy(x, i, &in->src[k], takes_constant(x->f, in, k, in->src[k]));
    fold_copy(x, i, &in->psrc, false);
    fold_copy(x, i, &in->guard, false);
}

/* A guard that is the complement of another predicate. */
static void fold_guard(struct fold *x, u32 i)
{
    struct ir_inst *in = &x->f->inst[i];

    if (in->guard == IR_NONE)
        return;
    u32 d = origin(x, in->guard, i);
    if (d == IR_NONE || x->f->inst[d].op != OP_pnot)
        return;
    u32 from = x->f->inst[d].src[0];
    if (!ssa_unchanged(x->s, x->last, from, d, i))
        return;
    in->guard = from;
    in->guard_not = !in->guard_not;
    x->changed = true;
}

/* ---- addresses ---- */

static u16 addr32_bit(const struct ir_inst *in)
{
    return op_info[in->op].form == FORM_ATOM ? MOD_ATOM_ADDR32 : MOD_ADDR32;
}

/* base = c: the address is absolute. */
static bool fold_absolute(struct fold *x, struct ir_inst *in, u32 opnd)
{
    u64 c;

    if (!is_constant(x->f, opnd, &c))
        return false;
    in->imm = (s64)((u64)in->imm + (in->mod & addr32_bit(in) ? (u32)c : c));
    in->mod &= (u16)~addr32_bit(in);
    in->src[0] = IR_NONE;
    return true;
}

/*
 * base = r + c.  Not for 32-bit bases: r + c wraps at 32 bits, and the sum of a base and an
 * offset does not.
 */
static bool fold_sum(struct fold *x, u32 i, struct ir_inst *in, u32 d)
{
    const struct ir_inst *add = &x->f->inst[d];
    u64 c;

    if (in->mod & addr32_bit(in) || (add->op != OP_add_64 && add->op != OP_cvta_64) ||
        !ir_is_reg(add->src[0]) || !is_constant(x->f, add->src[1], &c) ||
        !ssa_unchanged(x->s, x->last, add->src[0], d, i))
        return false;
    in->imm = (s64)((u64)in->imm + c);
    in->src[0] = add->src[0];
    return true;
}

/* base = the address of a variable in the frame. */
static bool fold_frame(struct ir_inst *in, const struct ir_inst *mov)
{
    if (mov->op != OP_mov_frame || op_info[in->op].space != SP_LOCAL || in->mod & addr32_bit(in))
        return false;
    in->imm = (s64)((u64)in->imm + (u64)mov->imm);
    in->mod |= MOD_FRAME;
    in->src[0] = IR_NONE;
    return true;
}

static void fold_address(struct fold *x, u32 i)
{
    struct ir_inst *in = &x->f->inst[i];
    u8 form = op_info[in->op].form;

    if (form != FORM_LD && form != FORM_ST && form != FORM_ATOM)
        return;
    while (ir_is_reg(in->src[0]) && !(form != FORM_ATOM && in->mod & MOD_FRAME)) {
        u32 d = origin(x, in->src[0], i);

        if (d == IR_NONE)
            return;
        const struct ir_inst *from = &x->f->inst[d];
        if (!(is_copy(from) && fold_absolute(x, in, from->src[0])) && !fold_sum(x, i, in, d) &&
            !fold_frame(in, from))
            return;
        x->changed = true;
    }
}

/* ---- arithmetic ---- */

static void become_copy(struct fold *x, struct ir_inst *in, u32 opnd)
{
    in->op = x->f->cls[in->dst[0]] == IRC_64 ? OP_mov_64 : OP_mov_32;
    in->mod = 0;
    in->src[0] = opnd;
    for (u32 k = 1; k < LEN(in->src); k++)
        in->src[k] = IR_NONE;
    x->changed = true;
}

/* Operations that are worked out here: what they do, on how many bits, giving how many. */
enum fold_kind { F_ADD, F_SUB, F_MUL, F_AND, F_OR, F_XOR, F_SHL, F_SHR, F_MAD };

struct fold_op {
    u16 op;
    u8 kind, bits, bits_out;
    bool is_signed;
};

static const struct fold_op fold_ops[] = {
    {OP_add_16, F_ADD, 16, 16, 0},       {OP_add_32, F_ADD, 32, 32, 0},
    {OP_add_64, F_ADD, 64, 64, 0},       {OP_cvta_32, F_ADD, 32, 32, 0},
    {OP_cvta_64, F_ADD, 64, 64, 0},      {OP_cvt_u64_u32, F_ADD, 32, 64, 0},
    {OP_cvt_s64_s32, F_ADD, 32, 64, 1},  {OP_cvt_u32_u64, F_ADD, 64, 32, 0},
    {OP_sub_16, F_SUB, 16, 16, 0},       {OP_sub_32, F_SUB, 32, 32, 0},
    {OP_sub_64, F_SUB, 64, 64, 0},       {OP_mul_lo_16, F_MUL, 16, 16, 0},
    {OP_mul_lo_32, F_MUL, 32, 32, 0},    {OP_mul_lo_64, F_MUL, 64, 64, 0},
    {OP_mul_wide_u16, F_MUL, 16, 32, 0}, {OP_mul_wide_s16, F_MUL, 16, 32, 1},
    {OP_mul_wide_u32, F_MUL, 32, 64, 0}, {OP_mul_wide_s32, F_MUL, 32, 64, 1},
    {OP_and_32, F_AND, 32, 32, 0},       {OP_and_64, F_AND, 64, 64, 0},
    {OP_or_32, F_OR, 32, 32, 0},         {OP_or_64, F_OR, 64, 64, 0},
    {OP_xor_32, F_XOR, 32, 32, 0},       {OP_xor_64, F_XOR, 64, 64, 0},
    {OP_shl_32, F_SHL, 32, 32, 0},       {OP_shl_64, F_SHL, 64, 64, 0},
    {OP_shr_u32, F_SHR, 32, 32, 0},      {OP_shr_u64, F_SHR, 64, 64, 0},
    {OP_mad_lo_16, F_MAD, 16, 16, 0},    {OP_mad_lo_32, F_MAD, 32, 32, 0},
    {OP_mad_lo_64, F_MAD, 64, 64, 0},    {OP_mad_wide_u16, F_MAD, 16, 32, 0},
    {OP_mad_wide_s16, F_MAD, 16, 32, 1}, {OP_mad_wide_u32, F_MAD, 32, 64, 0},
    {OP_mad_wide_s32, F_MAD, 32, 64, 1},
};

static const struct fold_op *find_fold_op(u32 op)
{
    for (u32 i = 0; i < LEN(fold_ops); i++)
        if (fold_ops[i].op == op)
            return &fold_ops[i];
    return NULL;
}

static u64 low_bits_of(u64 v, u32 bits)
{
    return bits == 64 ? v : v & ((1ull << bits) - 1);
}

/* The low bits of v as a number. */
static u64 extend(u64 v, const struct fold_op *o)
{
    u64 low = low_bits_of(v, o->bits), sign = 1ull << (o->bits - 1);

    return o->is_signed ? (low ^ sign) - sign : low;
}

static bool evaluate_op(const struct fold_op *o, u64 a, u64 b, u64 *v)
{
    u64 x = extend(a, o), y = o->kind == F_SHL || o->kind == F_SHR ? (u32)b : extend(b, o);

    switch ((enum fold_kind)o->kind) {
    case F_ADD:
        *v = x + y;
        break;
    case F_SUB:
        *v = x - y;
        break;
    case F_MUL:
        *v = x * y;
        break;
    case F_AND:
        *v = x & y;
        break;
    case F_OR:
        *v = x | y;
        break;
    case F_XOR:
        *v = x ^ y;
        break;
    case F_SHL:
        *v = y < o->bits ? x << y : 0;
        break;
    case F_SHR:
        *v = y < o->bits ? x >> y : 0;
        break;
    case F_MAD:
        return false;
    }
    *v = low_bits_of(*v, o->bits_out);
    return true;
}

static bool fold_constants(struct fold *x, struct ir_inst *in, const struct fold_op *o)
{
    u64 a, b = 0, v = 0;

    if (!is_constant(x->f, in->src[0], &a) ||
        (in->src[1] != IR_NONE && !is_constant(x->f, in->src[1], &b)) || !evaluate_op(o, a, b, &v))
        return false;
    become_copy(x, in, ir_imm(x->f, v));
    return true;
}

/* A constant operand stands second; a constant is added, not subtracted. */
static void make_canonical(struct fold *x, struct ir_inst *in, const struct fold_op *o)
{
    bool commutes = o->kind != F_SUB && o->kind != F_SHL && o->kind != F_SHR;
    u64 c;

    if (commutes && !ir_is_reg(in->src[0]) && ir_is_reg(in->src[1])) {
        u32 swap = in->src[0];
        in->src[0] = in->src[1];
        in->src[1] = swap;
    }
    if (o->kind == F_SUB && o->bits >= 32 && is_constant(x->f, in->src[1], &c)) {
        in->op = o->bits == 64 ? OP_add_64 : OP_add_32;
        in->src[1] = ir_imm(x->f, low_bits_of(0 - c, o->bits));
        x->changed = true;
    }
}

/*
 * x + 0, x * 1 and their like.  Not for 16 bits: those operations also cut off what a
 * register may hold above.
 */
static bool fold_neutral(struct fold *x, struct ir_inst *in, const struct fold_op *o)
{
    u64 c, neutral = o->kind == F_MUL ? 1 : o->kind == F_AND ? low_bits_of(~0ull, o->bits) : 0;

    if (o->bits < 32 || o->bits != o->bits_out || o->kind == F_MAD ||
        !is_constant(x->f, in->src[1], &c))
        return false;
    if (o->kind == F_SHL || o->kind == F_SHR)
        c = (u32)c;
    if (low_bits_of(c, o->bits) != neutral)
        return false;
    become_copy(x, in, in->src[0]);
    return true;
}

/* (y + a) + b = y + (a + b), if nobody else wants y + a. */
static bool fold_sums(struct fold *x, u32 i, struct ir_inst *in)
{
    u64 a, b;

    if ((in->op != OP_add_32 && in->op != OP_add_64) || !ir_is_reg(in->src[0]) ||
        x->s->n_use[in->src[0]] != 1 || !is_constant(x->f, in->src[1], &b))
        return false;
    u32 d = origin(x, in->src[0], i);
    if (d == IR_NONE || x->f->inst[d].op != in->op ||
        !is_constant(x->f, x->f->inst[d].src[1], &a) ||
        !ssa_unchanged(x->s, x->last, x->f->inst[d].src[0], d, i))
        return false;
    in->src[0] = x->f->inst[d].src[0];
    in->src[1] = ir_imm(x->f, in->op == OP_add_64 ? a + b : (u32)(a + b));
    x->changed = true;
    return true;
}

/* The instruction that widened 32-bit operand opnd of instruction i to 64 bits, or NULL. */
static const struct ir_inst *widened(const struct fold *x, u32 i, u32 opnd)
{
    u32 d = ir_is_reg(opnd) ? origin(x, opnd, i) : IR_NONE;

    if (d == IR_NONE)
        return NULL;
    const struct ir_inst *cvt = &x->f->inst[d];
    if ((cvt->op != OP_cvt_s64_s32 && cvt->op != OP_cvt_u64_u32) || !ir_is_reg(cvt->src[0]) ||
        !ssa_unchanged(x->s, x->last, cvt->src[0], d, i))
        return NULL;
    return cvt;
}

/* A widened index shifted left is a wide product; cut again, it is what it was. */
static void fold_widened(struct fold *x, u32 i, struct ir_inst *in)
{
    const struct ir_inst *cvt = widened(x, i, in->src[0]);
    u64 k;

    if (!cvt)
        return;
    if (in->op == OP_cvt_u32_u64) {
        become_copy(x, in, cvt->src[0]);
    } else if (in->op == OP_shl_64 && is_constant(x->f, in->src[1], &k) && (u32)k <= 30) {
        in->op = cvt->op == OP_cvt_s64_s32 ? OP_mul_wide_s32 : OP_mul_wide_u32;
        in->src[0] = cvt->src[0];
        in->src[1] = ir_imm(x->f, 1ull << k);
        x->changed = true;
    }
}

static void fold_arithmetic(struct fold *x, u32 i)
{
    struct ir_inst *in = &x->f->inst[i];
    const struct fold_op *o = find_fold_op(in->op);

    if (!o || in->dst[0] == IR_NONE)
        return;
    make_canonical(x, in, o);
    o = find_fold_op(in->op);
    if (!fold_constants(x, in, o) && !fold_neutral(x, in, o) && !fold_sums(x, i, in))
        fold_widened(x, i, in);
}

bool lower_fold(struct ir_func *f)
{
    struct fold x = {f, ssa_new(f), ssa_last_new(f), false};

    for (u32 i = 0; i < f->n_inst; i++) {
        fold_copies(&x, i);
        fold_guard(&x, i);
        fold_address(&x, i);
        fold_arithmetic(&x, i);
        ssa_last_step(f, x.last, i);
    }
    ssa_free(x.s);
    free(x.last);
    return x.changed;
}
