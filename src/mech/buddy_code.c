/* buddy_code.c -- see buddy_code.h */
#include "mech/buddy_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "isa/inst.h"

/* ---- where an instruction leads */

enum { MAX_NEXT = 2 };

struct next {
    u32 n, pc[MAX_NEXT];
    const u32 *table; /* brx: how many, and their pcs; or NULL */
    bool unknown;     /* the thread may end */
};

static struct next next_of(const struct buddy_code *c, u32 pc)
{
    const struct inst *in = &c->prog->inst[pc];
    bool guarded = in->guard != PRED_NONE;
    struct next to = {0};

    switch (in->op) {
    case OP_bra:
        to.pc[to.n++] = in->target;
        break;
    case OP_brx:
        to.table = c->func->table[in->list];
        break;
    case OP_ret:
    case OP_exit:
    case OP_trap:
        to.unknown = true;
        break;
    default:
        guarded = true;
    }
    if (guarded && pc + 1 < c->func->pc + c->func->n_inst)
        to.pc[to.n++] = pc + 1;
    return to;
}

/* ---- passes */

static bool all_pass(const struct buddy_code *c, u32 pc)
{
    struct next to = next_of(c, pc);
    u32 first = c->func->pc;

    if (pc == c->pass_to)
        return true;
    if (to.unknown || (!to.n && !to.table))
        return false;
    for (u32 i = 0; i < to.n; i++)
        if (!c->pass[to.pc[i] - first])
            return false;
    for (u32 i = 0; to.table && i < to.table[0]; i++)
        if (!c->pass[to.table[i + 1] - first])
            return false;
    return true;
}

/* All do, until one is found that does not; again until nothing changes. */
static void find_passes(struct buddy_code *c, u32 to)
{
    u32 n = c->func->n_inst;
    bool changed = true;

    c->pass_to = to;
    memset(c->pass, true, n);
    while (changed) {
        changed = false;
        for (u32 i = n; i-- > 0;)
            if (c->pass[i] && !all_pass(c, c->func->pc + i))
                c->pass[i] = false, changed = true;
    }
}

static bool is_of_kernel(const struct buddy_code *c, u32 pc)
{
    return pc - c->func->pc < c->func->n_inst;
}

bool buddy_code_passes(struct buddy_code *c, u32 pc, u32 to)
{
    if (!is_of_kernel(c, pc) || !is_of_kernel(c, to))
        return false;
    if (c->pass_to != to)
        find_passes(c, to);
    return c->pass[pc - c->func->pc];
}

/* ---- hints: which registers can differ, before each instruction */

struct sets {
    u64 *at; /* n sets of `words` */
    u32 words;
};

static u64 *set_of(const struct sets *s, u32 i)
{
    return s->at + (size_t)i * s->words;
}

static bool has(const u64 *set, u32 reg)
{
    return set[reg / 64] >> (reg % 64) & 1;
}

static bool differs_by_itself(const struct inst *in, const struct uop *u)
{
    if (in->op == OP_mov_sreg || in->op == OP_mov_sreg_64)
        return (in->imm >= SR_CTAID_X && in->imm <= SR_CTAID_Z) || in->imm == SR_SMID ||
               in->imm == SR_PM;
    if (in->op == OP_mov_clock || in->op == OP_mov_clock_64 || in->op == OP_call ||
        in->op == OP_callx)
        return true;
    if (u->flags & (UOP_ATOM | UOP_TEX))
        return true;
    return u->flags & UOP_LOAD && u->space != SP_PARAM && u->space != SP_CONST;
}

static bool reads_any(const struct uop *u, const u64 *set)
{
    for (u32 i = 0; i < u->n_use; i++)
        if (has(set, u->use[i]))
            return true;
    return false;
}

/* What can differ behind the instruction, given what can before it; a call may change anything. */
static void go_on(const struct inst *in, const struct uop *u, u64 *set, u32 words)
{
    bool differs = differs_by_itself(in, u) || reads_any(u, set);

    if (in->op == OP_call || in->op == OP_callx)
        memset(set, 0xff, words * sizeof set[0]);
    for (u32 i = 0; i < u->n_def; i++) {
        u64 bit = (u64)1 << (u->def[i] % 64), *w = &set[u->def[i] / 64];

        if (differs)
            *w |= bit;
        else if (in->guard == PRED_NONE)
            *w &= ~bit;
    }
}

static bool add_to(const struct sets *s, u32 i, const u64 *more)
{
    u64 *set = set_of(s, i), new = 0;

    for (u32 k = 0; k < s->words; k++) {
        new |= more[k] & ~set[k];
        set[k] |= more[k];
    }
    return new != 0;
}

/* One time through the code; true if a set has grown. */
static bool flow(const struct buddy_code *c, const struct uop *uop, const struct sets *s,
                 u64 *behind)
{
    u32 first = c->func->pc;
    bool grown = false;

    for (u32 i = 0; i < c->func->n_inst; i++) {
        struct next to = next_of(c, first + i);

        memcpy(behind, set_of(s, i), s->words * sizeof behind[0]);
        go_on(&c->prog->inst[first + i], &uop[first + i], behind, s->words);
        for (u32 k = 0; k < to.n; k++)
            grown |= add_to(s, to.pc[k] - first, behind);
        for (u32 k = 0; to.table && k < to.table[0]; k++)
            grown |= add_to(s, to.table[k + 1] - first, behind);
    }
    return grown;
}

static void find_hints(struct buddy_code *c, const struct uop *uop)
{
    u32 n = c->func->n_inst, first = c->func->pc;
    struct sets s = {.words = (c->func->rows + c->func->preds + 64) / 64};
    u64 *behind;

    s.at = xcalloc((size_t)n * s.words, sizeof s.at[0]);
    behind = xcalloc(s.words, sizeof behind[0]);
    while (flow(c, uop, &s, behind))
        ;
    for (u32 i = 0; i < n; i++) {
        u32 op = c->prog->inst[first + i].op;

        c->hint[i] = (op == OP_bra || op == OP_brx) && reads_any(&uop[first + i], set_of(&s, i));
    }
    free(s.at), free(behind);
}

bool buddy_code_hint(const struct buddy_code *c, u32 pc)
{
    return !is_of_kernel(c, pc) || c->hint[pc - c->func->pc];
}

void buddy_code_read(struct buddy_code *c, const struct launch *l, const struct uop *uop)
{
    if (c->prog == l->prog && c->func == l->func)
        return;
    buddy_code_free(c);
    c->prog = l->prog, c->func = l->func;
    c->hint = xcalloc(c->func->n_inst, sizeof c->hint[0]);
    c->pass = xcalloc(c->func->n_inst, sizeof c->pass[0]);
    c->pass_to = PC_NONE;
    find_hints(c, uop);
}

void buddy_code_free(struct buddy_code *c)
{
    free(c->hint), free(c->pass);
    *c = (struct buddy_code){.pass_to = PC_NONE};
}
