/* lower_ssa.c -- where registers are defined, dominance between instructions, local renaming */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"

/* Numbers the dominator tree: in[] on the way down, out[] on the way up. */
static void number_tree(struct ssa *s, const struct ir_func *f)
{
    u32 n = f->n_block, clock = 0, depth = 0;
    u32 *child = xmalloc(n * sizeof(u32)), *sibling = xmalloc(n * sizeof(u32));
    u32 *stack = xmalloc(n * sizeof(u32));

    memset(child, 0xff, n * sizeof(u32));
    for (u32 b = n; b-- > 1;) {
        u32 up = f->block[b].idom;
        sibling[b] = child[up];
        child[up] = b;
    }
    stack[depth++] = 0;
    s->in[0] = clock++;
    while (depth) {
        u32 top = stack[depth - 1], b = child[top];

        if (b == IR_NONE) {
            s->out[top] = clock++;
            depth--;
            continue;
        }
        child[top] = sibling[b];
        s->in[b] = clock++;
        stack[depth++] = b;
    }
    free(child);
    free(sibling);
    free(stack);
}

bool ssa_dominates(const struct ssa *s, u32 i, u32 j)
{
    u32 a = s->block[i], b = s->block[j];

    return a == b ? i < j : s->in[a] <= s->in[b] && s->out[b] <= s->out[a];
}

enum { SEVERAL = 0xfffffffe }; /* def[]: not single */

static void find_defs(struct ssa *s, const struct ir_func *f)
{
    u32 reg[IR_MAX_OPND];

    for (u32 i = 0; i < f->n_inst; i++)
        for (u32 n = ir_defs(f, &f->inst[i], reg); n-- > 0;) {
            u32 *def = &s->def[reg[n]];
            *def = *def == IR_NONE && f->inst[i].guard == IR_NONE ? i : (u32)SEVERAL;
        }
}

static void check_uses(struct ssa *s, const struct ir_func *f)
{
    u32 reg[IR_MAX_OPND];

    for (u32 i = 0; i < f->n_inst; i++)
        for (u32 n = ir_uses(f, &f->inst[i], reg); n-- > 0;) {
            u32 *def = &s->def[reg[n]];
            s->n_use[reg[n]]++;
            if (*def < SEVERAL && !ssa_dominates(s, *def, i))
                *def = SEVERAL;
        }
    for (u32 r = 0; r < f->n_reg; r++)
        if (s->def[r] == SEVERAL)
            s->def[r] = IR_NONE;
}

struct ssa *ssa_new(const struct ir_func *f)
{
    struct ssa *s = xcalloc(1, sizeof(*s));

    s->def = xmalloc((f->n_reg + 1) * sizeof(u32));
    s->n_use = xcalloc(f->n_reg + 1, sizeof(u32));
    s->block = xmalloc(f->n_inst * sizeof(u32));
    s->in = xcalloc(f->n_block, sizeof(u32));
    s->out = xcalloc(f->n_block, sizeof(u32));
    memset(s->def, 0xff, (f->n_reg + 1) * sizeof(u32));
    for (u32 b = 0; b < f->n_block; b++)
        for (u32 i = 0; i < f->block[b].n; i++)
            s->block[f->block[b].first + i] = b;
    number_tree(s, f);
    find_defs(s, f);
    check_uses(s, f);
    return s;
}

void ssa_free(struct ssa *s)
{
    free(s->def);
    free(s->n_use);
    free(s->block);
    free(s->in);
    free(s->out);
    free(s);
}

static u32 *all_ones(u32 n)
{
    u32 *a = xmalloc((n + 1) * sizeof(u32));

    memset(a, 0xff, (n + 1) * sizeof(u32));
    return a;
}

u32 *ssa_last_new(const struct ir_func *f)
{
    return all_ones(f->n_reg);
}

void ssa_last_step(const struct ir_func *f, u32 *last, u32 i)
{
    u32 reg[IR_MAX_OPND];

    for (u32 n = ir_defs(f, &f->inst[i], reg); n-- > 0;)
        last[reg[n]] = i;
}

bool ssa_unchanged(const struct ssa *s, const u32 *last, u32 r, u32 d, u32 i)
{
    if (!ir_is_reg(r) || s->def[r] != IR_NONE)
        return true;
    return s->block[d] == s->block[i] && d < i && (last[r] == IR_NONE || last[r] < d);
}

/* ---- renaming ---- */

enum { N_DEF = IR_MAX_DEF };

static u32 *def_place(struct ir_inst *in, u32 i)
{
    return i < IR_MAX_DST ? &in->dst[i] : &in->pdst;
}

struct rename {
    struct ir_func *f;
    u32 *n_def;
    u32 *later; /* last block, seen backwards, in which the register was written */
    u32 *name;  /* the register's name at this place of block `stamp` */
    u32 *stamp;
    u16 *keeps; /* per instruction, a bit per N_DEF: the value lives on after the block */
};

/* Which definitions of block b are the last of a register that is live at its end? */
static void find_last(struct rename *r, const struct live *l, u32 b)
{
    struct ir_func *f = r->f;

    for (u32 i = f->block[b].first + f->block[b].n; i-- > f->block[b].first;)
        for (u32 d = N_DEF; d-- > 0;) {
            u32 reg = *def_place(&f->inst[i], d);

            if (reg == IR_NONE || f->inst[i].guard != IR_NONE || r->later[reg] == b)
                continue;
            r->later[reg] = b;
            if (live_at_end(l, b, reg))
                r->keeps[i] |= (u16)(1 << d);
        }
}

static void rename_use(struct rename *r, u32 b, u32 *opnd)
{
    if (ir_is_reg(*opnd) && r->stamp[*opnd] == b)
        *opnd = r->name[*opnd];
}

static void rename_def(struct rename *r, u32 b, u32 i, u32 d)
{
    u32 *opnd = def_place(&r->f->inst[i], d), reg = *opnd;

    if (reg == IR_NONE)
        return;
    if (r->f->inst[i].guard != IR_NONE) {
        rename_use(r, b, opnd);
        return;
    }
    bool keep = r->keeps[i] >> d & 1 || r->n_def[reg] < 2;
    r->stamp[reg] = b;
    r->name[reg] = *opnd = keep ? reg : ir_reg(r->f, (enum ir_class)r->f->cls[reg]);
    if (!keep)
        r->f->number[*opnd] = r->f->number[reg];
}

static void rename_block(struct rename *r, u32 b)
{
    struct ir_func *f = r->f;

    for (u32 i = f->block[b].first; i < f->block[b].first + f->block[b].n; i++) {
        struct ir_inst *in = &f->inst[i];

        for (u32 k = 0; k < LEN(in->src); k++)
            rename_use(r, b, &in->src[k]);
        rename_use(r, b, &in->psrc);
        rename_use(r, b, &in->guard);
        for (u32 d = 0; d < N_DEF; d++)
            rename_def(r, b, i, d);
    }
}

static u32 *count_defs(const struct ir_func *f)
{
    u32 reg[IR_MAX_OPND], *n_def = xcalloc(f->n_reg + 1, sizeof(u32));

    for (u32 i = 0; i < f->n_inst; i++)
        for (u32 n = ir_defs(f, &f->inst[i], reg); n-- > 0;)
            n_def[reg[n]]++;
    return n_def;
}

void lower_rename(struct ir_func *f)
{
    u32 n = f->n_reg; /* new names are never looked up: they stand where they belong already */
    struct rename r = {f,           count_defs(f), all_ones(n),
                       all_ones(n), all_ones(n),   xcalloc(f->n_inst, sizeof(u16))};
    struct live *l = live_new(f);

    for (u32 b = 0; b < f->n_block; b++)
        find_last(&r, l, b);
    for (u32 b = 0; b < f->n_block; b++)
        rename_block(&r, b);
    live_free(l);
    free(r.n_def);
    free(r.later);
    free(r.name);
    free(r.stamp);
    free(r.keeps);
}
