/* lower_branch.c -- jumps to jumps, jumps to the next instruction, jumps around jumps */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"

static struct ir_inst *block_end(struct ir_func *f, u32 b)
{
    return &f->inst[f->block[b].first + f->block[b].n - 1];
}

/* Is the block nothing but one unguarded jump? */
static bool is_jump(const struct ir_func *f, u32 b)
{
    const struct ir_inst *in = &f->inst[f->block[b].first];

    return f->block[b].n == 1 && in->op == OP_bra && in->guard == IR_NONE;
}

/* Where a jump to b ends up.  A ring of jumps has no end: any of its blocks will do. */
static u32 final_target(const struct ir_func *f, u32 b)
{
    for (u32 hops = 0; hops < f->n_block && is_jump(f, b); hops++)
        b = f->inst[f->block[b].first].target;
    return b;
}

static bool redirect(const struct ir_func *f, u32 *target)
{
    u32 to = final_target(f, *target);

    if (to == *target || is_jump(f, to))
        return false;
    *target = to;
    return true;
}

static bool thread_jumps(struct ir_func *f)
{
    bool changed = false;

    for (u32 b = 0; b < f->n_block; b++)
        if (block_end(f, b)->op == OP_bra)
            changed |= redirect(f, &block_end(f, b)->target);
    for (u32 t = 0; t < f->n_table; t++)
        for (u32 i = 0; i < f->table[t].n; i++)
            changed |= redirect(f, &f->table[t].target[i]);
    return changed;
}

/* "@p bra A; bra B; A:" is "@!p bra B; A:" */
static bool invert(struct ir_func *f, u32 b, bool *dead)
{
    struct ir_inst *in = block_end(f, b);

    if (in->op != OP_bra || in->guard == IR_NONE || in->target != b + 2 || !is_jump(f, b + 1) ||
        f->block[b + 1].n_pred != 1 || dead[f->block[b + 1].first])
        return false;
    in->guard_not = !in->guard_not;
    in->target = f->inst[f->block[b + 1].first].target;
    dead[f->block[b + 1].first] = true;
    return true;
}

/* Does block b jump to where it would fall through to?  next: the first block behind it that has
 * instructions left. */
static bool jumps_to_next(struct ir_func *f, u32 b, u32 next)
{
    const struct ir_inst *in = block_end(f, b);

    return in->op == OP_bra && in->target > b && in->target <= next;
}

static bool block_is_empty(const struct ir_func *f, u32 b, const bool *dead)
{
    return !memchr(dead + f->block[b].first, false, f->block[b].n);
}

/* Last block first: a jump around nothing but jumps that go is gone in the same sweep. */
static bool sweep(struct ir_func *f, bool *dead)
{
    bool changed = false;

    for (u32 b = f->n_block, next = b; b-- > 0;) {
        if (jumps_to_next(f, b, next))
            changed = dead[block_end(f, b) - f->inst] = true;
        else
            changed |= invert(f, b, dead);
        next = block_is_empty(f, b, dead) ? next : b;
    }
    return changed;
}

bool lower_branches(struct ir_func *f)
{
    bool any = false, changed = true;

    while (changed) {
        bool *dead = xcalloc(f->n_inst, sizeof(bool));

        changed = thread_jumps(f);
        changed |= sweep(f, dead);
        if (changed) {
            lower_remove(f, dead);
            lower_rebuild(f);
        }
        any |= changed;
        free(dead);
    }
    return any;
}
