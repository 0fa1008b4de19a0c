/*
 * lower_dead.c -- takes out what nobody needs.
 *
 * Needed is what has an effect, and all that defines a register that something needed reads:
 * so a loop counter that only counts itself goes too.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"

/* Definitions of register r: inst[at[r] .. at[r+1]). */
struct defs {
    u32 *at, *inst;
};

static struct defs defs_new(const struct ir_func *f)
{
    struct defs d = {xcalloc(f->n_reg + 2, sizeof(u32)), NULL};
    u32 reg[IR_MAX_OPND];

    for (u32 i = 0; i < f->n_inst; i++)
        for (u32 n = ir_defs(f, &f->inst[i], reg); n-- > 0;)
            d.at[reg[n] + 2]++;
    for (u32 r = 0; r < f->n_reg; r++)
        d.at[r + 2] += d.at[r + 1];
    d.inst = xmalloc((d.at[f->n_reg + 1] + 1) * sizeof(u32));
    for (u32 i = 0; i < f->n_inst; i++)
        for (u32 n = ir_defs(f, &f->inst[i], reg); n-- > 0;)
            d.inst[d.at[reg[n] + 1]++] = i; /* now at[r+1] is the end of r's */
    return d;
}

struct mark {
    const struct ir_func *f;
    struct defs defs;
    bool *dead;
    bool *wanted; /* per register: its definitions are needed */
    u32 n, *todo; /* needed instructions whose operands are still to be followed */
};

static void need(struct mark *m, u32 i)
{
    if (m->dead[i]) {
        m->dead[i] = false;
        m->todo[m->n++] = i;
    }
}

static void need_operands(struct mark *m, u32 i)
{
    u32 reg[IR_MAX_OPND];

    for (u32 n = ir_uses(m->f, &m->f->inst[i], reg); n-- > 0;) {
        u32 r = reg[n];

        for (u32 k = m->defs.at[r]; !m->wanted[r] && k < m->defs.at[r + 1]; k++)
            need(m, m->defs.inst[k]);
        m->wanted[r] = true;
    }
}

bool lower_dead(struct ir_func *f)
{
    struct mark m = {f,
                     defs_new(f),
                     xmalloc(f->n_inst),
                     xcalloc(f->n_reg + 1, sizeof(bool)),
                     0,
                     xmalloc(f->n_inst * sizeof(u32))};

    memset(m.dead, true, f->n_inst);
    for (u32 i = 0; i < f->n_inst; i++)
        if (!lower_is_pure(&f->inst[i]))
            need(&m, i);
    while (m.n)
        need_operands(&m, m.todo[--m.n]);
    bool any = memchr(m.dead, true, f->n_inst);
    if (any) {
        lower_remove(f, m.dead);
        lower_rebuild(f);
    }
    free(m.defs.at);
    free(m.defs.inst);
    free(m.dead);
    free(m.wanted);
    free(m.todo);
    return any;
}
