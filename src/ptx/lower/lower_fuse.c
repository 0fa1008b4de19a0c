/*
 * lower_fuse.c -- a product that is only added to something is one instruction with the sum.
 *
 * Only within a block, if the product has no other use.  Integers give the same bits; floats do
 * not (the product is not rounded), so that is done only where the user and PTX allow it.
 */
#include "base/text.h"
#include "ptx/lower/lower_int.h"

/* add of mul gives fused; is_shift: mul is a shift left by a constant. */
struct fuse_rule {
    u16 add, mul, fused;
    bool is_shift, is_float;
};

static const struct fuse_rule rules[] = {
    {OP_add_16, OP_mul_lo_16, OP_mad_lo_16, 0, 0},
    {OP_add_32, OP_mul_lo_32, OP_mad_lo_32, 0, 0},
    {OP_add_64, OP_mul_lo_64, OP_mad_lo_64, 0, 0},
    {OP_add_32, OP_mul_wide_u16, OP_mad_wide_u16, 0, 0},
    {OP_add_32, OP_mul_wide_s16, OP_mad_wide_s16, 0, 0},
    {OP_add_64, OP_mul_wide_u32, OP_mad_wide_u32, 0, 0},
    {OP_add_64, OP_mul_wide_s32, OP_mad_wide_s32, 0, 0},
    {OP_add_32, OP_shl_32, OP_mad_lo_32, 1, 0},
    {OP_add_64, OP_shl_64, OP_mad_lo_64, 1, 0},
    {OP_add_f32, OP_mul_f32, OP_fma_f32, 0, 1},
    {OP_add_ftz_f32, OP_mul_ftz_f32, OP_fma_ftz_f32, 0, 1},
    {OP_add_f64, OP_mul_f64, OP_fma_f64, 0, 1},
};

struct fuse {
    struct ir_func *f;
    struct ssa *s;
    u32 *last; /* see ssa_unchanged */
    bool contract;
};

/* The product that operand r of instruction i is, if it may be taken from its place. */
static const struct ir_inst *product(const struct fuse *x, u32 r, u32 i)
{
    if (!ir_is_reg(r) || x->s->n_use[r] != 1 || x->s->def[r] == IR_NONE)
        return NULL;
    u32 d = x->s->def[r];
    const struct ir_inst *mul = &x->f->inst[d];
    if (x->s->block[d] != x->s->block[i] || !ssa_unchanged(x->s, x->last, mul->src[0], d, i) ||
        !ssa_unchanged(x->s, x->last, mul->src[1], d, i))
        return NULL;
    return mul;
}

/* The second factor: the product's, or what its shift multiplies by; IR_NONE: none. */
static u32 factor(struct ir_func *f, const struct ir_inst *mul, const struct fuse_rule *r)
{
    if (!r->is_shift)
        return mul->src[1];
    if (ir_is_reg(mul->src[1]))
        return IR_NONE;
    u32 k = (u32)f->imm[mul->src[1] & ~IR_IMM];
    return k < (r->mul == OP_shl_32 ? 32 : 64) ? ir_imm(f, 1ull << k) : IR_NONE;
}

static const struct fuse_rule *find_rule(const struct fuse *x, const struct ir_inst *add,
                                         const struct ir_inst *mul)
{
    for (u32 i = 0; i < LEN(rules); i++) {
        const struct fuse_rule *r = &rules[i];

        if (r->add != add->op || r->mul != mul->op)
            continue;
        return !r->is_float || (x->contract && add->mod == mul->mod && !(add->mod & ~MOD_FTZ))
                   ? r
                   : NULL;
    }
    return NULL;
}

static bool fuse_operand(struct fuse *x, u32 i, u32 k)
{
    struct ir_inst *add = &x->f->inst[i];
    const struct ir_inst *mul = product(x, add->src[k], i);
    const struct fuse_rule *r = mul ? find_rule(x, add, mul) : NULL;

    if (!r)
        return false;
    u32 b = factor(x->f, mul, r), c = add->src[1 - k];
    if (b == IR_NONE)
        return false;
    add->op = r->fused;
    add->src[0] = mul->src[0];
    add->src[1] = b;
    add->src[2] = c;
    return true;
}

bool lower_fuse(struct ir_func *f, bool contract)
{
    struct fuse x = {f, ssa_new(f), ssa_last_new(f), contract};
    bool changed = false;

    for (u32 i = 0; i < f->n_inst; i++) {
        struct ir_inst *in = &f->inst[i];

        if (in->guard == IR_NONE && in->pdst == IR_NONE && op_info[in->op].form == FORM_ALU)
            changed |= fuse_operand(&x, i, 0) || fuse_operand(&x, i, 1);
        ssa_last_step(f, x.last, i);
    }
    ssa_free(x.s);
    free(x.last);
    return changed;
}
