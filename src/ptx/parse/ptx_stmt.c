/* ptx_stmt.c -- the body of a function: blocks, labels, tables, instructions. */
#include "ptx/parse/ptx_int.h"

#include <string.h>

static bool branch_targets(struct ptx_parser *p, struct ptx_table *table)
{
    VEC(struct ptx_tok) list = {0};
    bool ok;
    do
        ok = ptx_expect_name(p, "a label", VEC_ADD(&list));
    while (ok && ptx_take(p, ','));
    table->n = list.n;
    table->label = ptx_alloc(&p->m->arena, list.n * sizeof(table->label[0]));
    for (u32 i = 0; ok && i < list.n; i++)
        ptx_refer_label(p, list.at[i].name, list.at[i].line, list.at[i].col, &table->label[i]);
    VEC_FREE(&list);
    return ok && ptx_expect(p, ';', "',' or ';'");
}

static bool one_target(struct ptx_parser *p, const struct ptx_func **f)
{
    struct ptx_tok t;
    if (!ptx_expect_name(p, "a function", &t))
        return false;
    if (!t.name->sym)
        return ptx_undeclared(p, &t);
    if (t.name->sym->kind != SYM_FUNC)
        return ptx_fail(p, &t, "'%.*s' is no function", PTX_SHOW, t.name->s);
    *f = t.name->sym->func;
    return true;
}

static bool call_targets(struct ptx_parser *p, struct ptx_table *table)
{
    VEC(const struct ptx_func *) list = {0};
    bool ok;
    do
        ok = one_target(p, VEC_ADD(&list));
    while (ok && ptx_take(p, ','));
    table->n = list.n;
    table->func = PTX_KEEP(p, &list);
    VEC_FREE(&list);
    return ok && ptx_expect(p, ';', "',' or ';'");
}

/* What follows a name and its colon: a table's directive, or the name is a label. */
static bool labelled(struct ptx_parser *p, const struct ptx_tok *t)
{
    struct ptx_table table = {0};
    if (ptx_is_dot(p, "branchtargets"))
        table.kind = PTAB_BRANCH;
    else if (ptx_is_dot(p, "calltargets"))
        table.kind = PTAB_CALL;
    else if (ptx_is_dot(p, "callprototype"))
        table.kind = PTAB_PROTO;
    else
        return ptx_declare_label(p, t);
    struct ptx_sym *s = ptx_declare(p, t, SYM_TABLE);
    if (!s)
        return false;
    s->index = p->table.n;
    ptx_next(p);
    bool ok = table.kind == PTAB_BRANCH ? branch_targets(p, &table)
              : table.kind == PTAB_CALL ? call_targets(p, &table)
                                        : ptx_func_prototype(p, &table.proto);
    *VEC_ADD(&p->table) = table;
    return ok;
}

static u16 short_col(u32 col)
{
    return col > UINT16_MAX ? UINT16_MAX : (u16)col;
}

static bool suffixes(struct ptx_parser *p, struct ptx_inst *in)
{
    for (; p->tok.kind == TK_DOT; ptx_next(p)) {
        if (in->n_suf == PTX_MAX_SUFFIX)
            return ptx_fail(p, &p->tok, "more than %d suffixes", PTX_MAX_SUFFIX);
        in->suf[in->n_suf] = p->tok.name->s;
        in->suf_col[in->n_suf++] = short_col(p->tok.col);
    }
    return true;
}

/* Whom a call calls: its first operand that is not a list. */
static bool check_call(struct ptx_parser *p, const struct ptx_inst *in, const struct ptx_opnd *o)
{
    u32 i = in->n_opnd && o[0].kind == PO_LIST;
    struct ptx_tok t = {.line = in->line, .col = in->col};
    if (i >= in->n_opnd)
        return ptx_fail(p, &t, "call without a function");
    t.col = o[i].col;
    if (o[i].kind == PO_VAR)
        return ptx_fail(p, &t, "call: '%.*s' is a variable, not a function", PTX_SHOW,
                        o[i].var->name);
    return o[i].kind == PO_FUNC || o[i].kind == PO_REG ||
           ptx_fail(p, &t, "call of something that is no function");
}

static bool operands(struct ptx_parser *p, struct ptx_inst *in)
{
    struct ptx_opnd o[PTX_MAX_OPND];
    if (p->tok.kind != ';') {
        do {
            if (in->n_opnd == PTX_MAX_OPND)
                return ptx_fail(p, &p->tok, "more than %d operands", PTX_MAX_OPND);
            if (!ptx_opnd(p, in->name, &o[in->n_opnd++]))
                return false;
        } while (ptx_take(p, ','));
    }
    if (strcmp(in->name, "call") == 0 && !check_call(p, in, o))
        return false;
    in->opnd = ptx_keep(p, o, in->n_opnd, sizeof(o[0]));
    return ptx_expect(p, ';', in->n_opnd ? "',' or ';'" : "an operand or ';'");
}

/* Labels were read as names only, because they may come later. */
static void refer_labels(struct ptx_parser *p, const struct ptx_inst *in)
{
    for (u32 i = 0; i < in->n_opnd; i++) {
        struct ptx_opnd *o = &in->opnd[i];
        if (o->kind == PO_LABEL && o->name)
            ptx_refer_label(p, ptx_name_get(&p->lex, o->name, strlen(o->name)), in->line, o->col,
                            &o->label);
    }
}

static bool instruction(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_inst *in)
{
    in->name = t->name->s;
    in->line = t->line;
    in->col = short_col(t->col);
    in->loc_file = p->loc_file;
    in->loc_line = p->loc_line;
    if (!suffixes(p, in) || !operands(p, in))
        return false;
    refer_labels(p, in);
    *VEC_ADD(&p->inst) = *in;
    return true;
}

/* @p or @!p, then an instruction */
static bool guarded_inst(struct ptx_parser *p)
{
    struct ptx_inst in = {.has_guard = true};
    ptx_next(p);
    in.guard_not = ptx_take(p, '!');
    struct ptx_tok t = p->tok;
    if (!ptx_opnd_reg(p, &in.guard))
        return false;
    if (p->reg.at[in.guard].type != PT_PRED)
        return ptx_fail(p, &t, "the guard '%.*s' is no predicate", PTX_SHOW,
                        p->reg.at[in.guard].name);
    return ptx_expect_name(p, "an instruction", &t) && instruction(p, &t, &in);
}

static bool label_or_inst(struct ptx_parser *p)
{
    struct ptx_tok t = p->tok;
    struct ptx_inst in = {0};
    ptx_next(p);
    return ptx_take(p, ':') ? labelled(p, &t) : instruction(p, &t, &in);
}

static bool directive(struct ptx_parser *p)
{
    if (ptx_is_dot(p, "loc"))
        return ptx_loc_directive(p);
    if (ptx_take_dot(p, "reg"))
        return ptx_decl_regs(p);
    if (ptx_is_dot(p, "pragma"))
        return ptx_pragma_directive(p);
    if (ptx_is_dot(p, "file"))
        return ptx_file_directive(p);
    bool is_extern = ptx_linkage(p);
    if (p->tok.kind != TK_DOT)
        return ptx_expected(p, "a state space");
    enum ptx_space s = ptx_space_find(p->tok.name->s);
    if (s == PS_NONE || s == PS_REG)
        return ptx_fail(p, &p->tok, "unknown directive '.%.*s'", PTX_SHOW, p->tok.name->s);
    return ptx_decl_vars(p, is_extern);
}

static bool statement(struct ptx_parser *p)
{
    switch (p->tok.kind) {
    case ';':
        ptx_next(p);
        return true;
    case '{':
        ptx_next(p);
        return ptx_scope_open(p);
    case '}':
        ptx_next(p);
        return ptx_scope_close(p);
    case '@':
        return guarded_inst(p);
    case TK_NAME:
        return label_or_inst(p);
    case TK_DOT:
        return directive(p);
    default:
        return ptx_expected(p, "an instruction, a declaration or '}'");
    }
}

bool ptx_body(struct ptx_parser *p)
{
    u32 outside = p->n_scope - 1;
    while (p->n_scope > outside)
        if (!statement(p))
            return false;
    return true;
}
