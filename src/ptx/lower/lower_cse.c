/*
 * lower_cse.c -- what is computed a second time becomes a copy of the first.
 *
 * The first may stand anywhere before in the same block, or in a block that dominates, if all
 * its operands are single (see lower_int.h) and so cannot have changed on the way.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"

enum { MAX_TRIES = 16 }; /* instructions of one hash that are looked at */

struct cse {
    struct ir_func *f;
    struct ssa *s;
    u32 *last; /* see ssa_unchanged */
    u32 mask;
    u32 *head; /* hash -> the last instruction with it */
    u32 *next; /* instruction -> the one before with the same hash */
};

/* The one register it writes, or IR_NONE. */
static u32 result(const struct ir_func *f, const struct ir_inst *in)
{
    u32 reg[IR_MAX_OPND];

    return ir_defs(f, in, reg) == 1 ? reg[0] : IR_NONE;
}

static bool is_candidate(const struct ir_func *f, const struct ir_inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (in->guard != IR_NONE || o->flags & OPF_CROSS || !lower_is_pure(in) || o->form == FORM_TEX ||
        (o->form == FORM_LD && !lower_reads_const(f, in)))
        return false;
    return in->op != OP_mov_32 && in->op != OP_mov_64 && in->op != OP_pmov &&
           result(f, in) != IR_NONE;
}

static u32 hash(const struct ir_inst *in)
{
    u64 h = in->op | (u64)(in->mod & ~MOD_FLOAT) << 16 | (u64)in->psrc_not << 32;

    for (u32 k = 0; k < LEN(in->src); k++)
        h = (h ^ in->src[k]) * 0x9e3779b97f4a7c15u;
    h = (h ^ in->psrc) * 0x9e3779b97f4a7c15u;
    h = (h ^ (u64)in->imm) * 0x9e3779b97f4a7c15u;
    return (u32)(h >> 32);
}

/* Is the one result of both at the same place? */
static bool same_places(const struct ir_inst *a, const struct ir_inst *b)
{
    for (u32 k = 0; k < LEN(a->dst); k++)
        if ((a->dst[k] == IR_NONE) != (b->dst[k] == IR_NONE))
            return false;
    return (a->pdst == IR_NONE) == (b->pdst == IR_NONE);
}

static bool same_inst(const struct ir_inst *a, const struct ir_inst *b)
{
    return a->op == b->op && !((a->mod ^ b->mod) & ~MOD_FLOAT) &&
           !memcmp(a->src, b->src, sizeof(a->src)) && a->psrc == b->psrc &&
           a->psrc_not == b->psrc_not && a->imm == b->imm && same_places(a, b);
}

/* Is what instruction d computed still there, and still what instruction i would compute? */
static bool still_there(const struct cse *x, u32 d, u32 i)
{
    const struct ir_inst *in = &x->f->inst[d];
    u32 r = result(x->f, in);

    if (x->s->def[r] != IR_NONE ? !ssa_dominates(x->s, d, i)
                                : x->last[r] != d || x->s->block[d] != x->s->block[i])
        return false;
    for (u32 k = 0; k < LEN(in->src); k++)
        if (!ssa_unchanged(x->s, x->last, in->src[k], d, i))
            return false;
    return ssa_unchanged(x->s, x->last, in->psrc, d, i);
}

static void replace_by_copy(struct ir_func *f, struct ir_inst *in, u32 from)
{
    static const u16 mov[] = {[IRC_32] = OP_mov_32, [IRC_64] = OP_mov_64, [IRC_PRED] = OP_pmov};

    u32 to = result(f, in); /* it may stand in any place: setp _|q, mov {_, d} */

    memset(in->dst, 0xff, sizeof(in->dst));
    in->pdst = IR_NONE;
    *(f->cls[from] == IRC_PRED ? &in->pdst : &in->dst[0]) = to;
    in->op = mov[f->cls[from]];
    in->mod = 0;
    in->imm = 0;
    in->psrc = IR_NONE;
    in->psrc_not = false;
    memset(in->src, 0xff, sizeof(in->src));
    in->src[0] = from;
}

static bool visit_inst(struct cse *x, u32 i)
{
    struct ir_inst *in = &x->f->inst[i];
    u32 *head = &x->head[hash(in) & x->mask];

    for (u32 d = *head, n = 0; d != IR_NONE && n < MAX_TRIES; d = x->next[d], n++) {
        u32 r = result(x->f, &x->f->inst[d]);

        if (same_inst(&x->f->inst[d], in) && x->f->cls[r] == x->f->cls[result(x->f, in)] &&
            still_there(x, d, i)) {
            replace_by_copy(x->f, in, r);
            return true;
        }
    }
    x->next[i] = *head;
    *head = i;
    return false;
}

bool lower_cse(struct ir_func *f)
{
    u32 size = 64;
    bool changed = false;

    while (size < 2 * f->n_inst)
        size *= 2;
    struct cse x = {f,
                    ssa_new(f),
                    ssa_last_new(f),
                    size - 1,
                    xmalloc(size * sizeof(u32)),
                    xmalloc(f->n_inst * sizeof(u32))};
    memset(x.head, 0xff, size * sizeof(u32));
    for (u32 i = 0; i < f->n_inst; i++) {
        if (is_candidate(f, &f->inst[i]))
            changed |= visit_inst(&x, i);
        ssa_last_step(f, x.last, i);
    }
    ssa_free(x.s);
    free(x.last);
    free(x.head);
    free(x.next);
    return changed;
}
