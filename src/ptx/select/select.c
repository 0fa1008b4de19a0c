/* select.c -- see select.h */
#include "ptx/select/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/select/select_int.h"

static const struct sel_op *find_in(const struct sel_op *row, const char *name)
{
    for (; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

static const struct sel_op *const tables[] = {sel_arith,  sel_move,   sel_convert,
                                              sel_videos, sel_mem,    sel_texture,
                                              sel_ctrl,   sel_matrix, sel_async};

static const struct sel_op *find_op(const char *name)
{
    const struct sel_op *row = NULL;

    for (size_t t = 0; t < LEN(tables) && !row; t++)
        row = find_in(tables[t], name);
    return row;
}

static u32 names_of(const char **out)
{
    u32 n = 0;

    for (size_t t = 0; t < LEN(tables); t++)
        for (const struct sel_op *row = tables[t]; row->name; row++)
            out[n++] = row->name;
    return n;
}

/* Of PTX, but of hardware that is not simulated: no "did you mean" for these. */
static const char *missing_part(const char *name)
{
    static const char *const row[][2] = {
        {"wgmma", "groups of warps"},
        {"mapa", "clusters"},
        {"getctarank", "clusters"},
        {"griddepcontrol", "clusters"},
    };

    for (size_t i = 0; i < LEN(row); i++)
        if (!strcmp(row[i][0], name))
            return row[i][1];
    return NULL;
}

static bool unknown_inst(struct sel *s)
{
    const char *names[224], *part = missing_part(s->in->name);
    struct err_hint h;

    if (part)
        return sel_fail(s, s->in->col, "instruction '%s' (%s) is not supported", s->in->name, part);
    err_hint(&h, s->in->name, names, names_of(names), "; did you mean '", "'?");
    return sel_fail(s, s->in->col, "instruction '%s' is not supported%s", s->in->name, h.text);
}

static bool select_inst(struct sel *s)
{
    const struct sel_op *row = find_op(s->in->name);

    if (!row)
        return unknown_inst(s);
    if (s->in->has_guard && s->pf->reg[s->in->guard].type != PT_PRED)
        return sel_fail(s, s->in->col, "the guard %s is not a predicate",
                        s->pf->reg[s->in->guard].name);
    for (u32 i = 0; i < s->in->n_opnd; i++)
        if (s->in->opnd[i].kind == PO_REG && s->in->opnd[i].off &&
            (i != 1 || strcmp(s->in->name, "mov") != 0))
            return sel_fail(s, s->in->opnd[i].col,
                            "%s: a register and an offset stand in brackets, or in a mov",
                            s->in->name);
    return sel_suffixes(s, row->allow, row->min_types, row->max_types) &&
           sel_count(s, row->min_opnd, row->max_opnd) && row->fn(s);
}

static void declare_regs(struct sel *s)
{
    for (u32 i = 0; i < s->pf->n_reg; i++) {
        enum ptx_type t = s->pf->reg[i].type;

        ir_reg(s->f, t == PT_PRED ? IRC_PRED : ptx_type_bytes(t) == 8 ? IRC_64 : IRC_32);
        s->f->number[i] = s->pf->reg[i].number;
    }
}

/* May the end of the text be where a function returns, with something to hand over? */
static bool returns_at_end(const struct sel *s)
{
    const struct ptx_func *pf = s->pf;
    const struct ptx_inst *in = pf->n_inst ? &pf->inst[pf->n_inst - 1] : NULL;

    if (pf->is_entry || (!pf->ret_reg && !s->m->n_reg))
        return false;
    for (u32 i = 0; i < pf->n_label; i++)
        if (pf->label[i].inst == pf->n_inst)
            return true;
    return !in || in->has_guard || strcmp(in->name, "ret");
}

/* Labels before an instruction become labels before the first of what it turned into. */
static bool select_body(struct sel *s)
{
    u32 *start = xcalloc(s->pf->n_inst + 1, sizeof *start);
    const struct ptx_inst edge = {.name = "ret", .line = s->pf->line}; /* of what nobody wrote */
    bool ok = true;

    s->in = &edge;
    sel_begin(s);
    for (u32 i = 0; i < s->pf->n_inst && ok; i++) {
        start[i] = s->f->n_inst;
        s->in = &s->pf->inst[i];
        ok = select_inst(s);
    }
    start[s->pf->n_inst] = s->f->n_inst;
    s->in = &edge;
    if (ok && returns_at_end(s))
        sel_ret(s);
    s->f->n_label = s->pf->n_label;
    s->f->label = xcalloc(s->pf->n_label + 1, sizeof(u32));
    for (u32 i = 0; i < s->pf->n_label; i++)
        s->f->label[i] = start[s->pf->label[i].inst];
    free(start);
    return ok;
}

struct ir_func *select_func(const struct layout *l, const struct ptx_func *pf, struct err *e)
{
    struct ir_func *f = xcalloc(1, sizeof *f);
    struct sel s = {
        .l = l, .fl = &l->func[pf->id], .m = l->m, .pf = pf, .f = f, .cc = IR_NONE, .e = e};

    f->name = pf->name;
    f->is_entry = pf->is_entry;
    f->id = pf->id;
    f->frame = l->func[pf->id].frame;
    declare_regs(&s);
    sel_find_module_regs(&s);
    bool ok = select_body(&s);

    free(s.module_used);
    if (ok)
        return f;
    ir_free(f);
    free(f);
    return NULL;
}
