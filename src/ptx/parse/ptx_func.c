/*
 * ptx_func.c -- the head of a function, what it returns and takes.
 *
 * A function may be declared before it is defined; both are one struct ptx_func,
 * which gets the head of the definition.  Parameters of the old register ABI
 * (.reg) become registers only where there is a body.
 */
#include "ptx/parse/ptx_int.h"

#include <string.h>

static bool one_param(struct ptx_parser *p, struct ptx_func *f, struct ptx_var *v)
{
    struct ptx_tok t;
    struct ptx_dims d;
    v->func = f;
    v->space = ptx_is_dot(p, "reg") ? PS_REG : PS_PARAM;
    if (!ptx_is_dot(p, "reg") && !ptx_is_dot(p, "param"))
        return ptx_expected(p, "'.param' or '.reg'");
    ptx_next(p);
    if (!ptx_decl_type(p, v) || !ptx_expect_name(p, "a parameter's name", &t))
        return false;
    v->name = t.name->s;
    v->line = t.line;
    if (v->space != PS_REG)
        return ptx_decl_dims(p, v, &d);
    v->align = ptx_type_bytes(v->type) < 4 ? 4 : ptx_type_bytes(v->type);
    v->size = v->align * v->vec; /* its slot in frames */
    return true;
}

/* ( ... ) or nothing */
static bool param_list(struct ptx_parser *p, struct ptx_func *f, u32 *n, struct ptx_var ***list)
{
    VEC(struct ptx_var *) v = {0};
    bool ok = true, more = ptx_take(p, '(');
    bool is_list = more;
    more = more && p->tok.kind != ')';
    while (ok && more) {
        struct ptx_var *one = ptx_alloc(&p->m->arena, sizeof(*one));
        one->id = v.n;
        *VEC_ADD(&v) = one;
        ok = one_param(p, f, one);
        more = ok && ptx_take(p, ',');
    }
    *n = v.n;
    *list = PTX_KEEP(p, &v);
    VEC_FREE(&v);
    return ok && (!is_list || ptx_expect(p, ')', "',' or ')'"));
}

static bool triple(struct ptx_parser *p, u32 v[3])
{
    ptx_next(p);
    v[0] = v[1] = v[2] = 1;
    for (u32 i = 0; i < 3; i++) {
        struct ptx_tok t = p->tok;
        if (!ptx_expr_u32(p, "a number of threads", &v[i]))
            return false;
        if (v[i] == 0)
            return ptx_fail(p, &t, "a number of threads is 0");
        if (!ptx_take(p, ','))
            break;
    }
    return true;
}

static bool single(struct ptx_parser *p, u32 *v)
{
    ptx_next(p);
    return ptx_expr_u32(p, "a number", v);
}

/* .maxntid and the like, between the parameters and the body. */
static bool tuning(struct ptx_parser *p, struct ptx_func *f)
{
    u32 unused;
    if (ptx_is_dot(p, "maxntid"))
        return triple(p, f->maxntid);
    if (ptx_is_dot(p, "reqntid"))
        return triple(p, f->reqntid);
    if (ptx_is_dot(p, "minnctapersm"))
        return single(p, &f->minnctapersm);
    if (ptx_is_dot(p, "maxnctapersm"))
        return single(p, &unused);
    if (ptx_is_dot(p, "maxnreg"))
        return single(p, &f->maxnreg);
    if (ptx_is_dot(p, "pragma"))
        return ptx_pragma_directive(p);
    if (ptx_take_dot(p, "attribute"))
        return ptx_decl_attribute(p);
    if (ptx_take_dot(p, "noreturn"))
        return true;
    if (ptx_is_dot(p, "explicitcluster") || ptx_is_dot(p, "reqnctapercluster") ||
        ptx_is_dot(p, "maxclusterrank") || ptx_is_dot(p, "blocksareclusters"))
        return ptx_unsupported(p);
    return ptx_fail(p, &p->tok, "unknown directive '.%.*s'", PTX_SHOW, p->tok.name->s);
}

static bool same_list(u32 n, struct ptx_var **a, struct ptx_var **b)
{
    for (u32 i = 0; i < n; i++)
        if (a[i]->space != b[i]->space || (a[i]->size && b[i]->size && a[i]->size != b[i]->size))
            return false;
    return true;
}

static bool same_head(const struct ptx_func *a, const struct ptx_func *b)
{
    return a->is_entry == b->is_entry && a->n_ret == b->n_ret && a->n_param == b->n_param &&
           same_list(a->n_ret, a->ret, b->ret) && same_list(a->n_param, a->param, b->param);
}

static void adopt(struct ptx_func *f, struct ptx_var **list, u32 n)
{
    for (u32 i = 0; i < n; i++)
        list[i]->func = f;
}

/* Gives *f to its name, or into the function that already has it; f is that one then. */
static bool enter_func(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_func **f)
{
    struct ptx_sym *s = t->name->sym;
    struct ptx_func *fresh = *f;
    if (!s) {
        s = ptx_declare(p, t, SYM_FUNC);
        s->func = fresh;
        fresh->id = p->module_func.n;
        *VEC_ADD(&p->module_func) = fresh;
        return true;
    }
    if (s->kind != SYM_FUNC || (s->func->has_body && fresh->has_body))
        return ptx_fail(p, t, "'%.*s' is already declared in line %u", PTX_SHOW, fresh->name,
                        s->line);
    if (!same_head(s->func, fresh))
        return ptx_fail(p, t, "'%.*s' is declared differently in line %u", PTX_SHOW, fresh->name,
                        s->line);
    *f = s->func;
    if (!s->func->has_body) {
        fresh->id = s->func->id;
        *s->func = *fresh;
        s->line = t->line;
        adopt(s->func, fresh->ret, fresh->n_ret);
        adopt(s->func, fresh->param, fresh->n_param);
    }
    return true;
}

/* Makes the names of a parameter list known in the body. */
static bool bind_parameters(struct ptx_parser *p, u32 n, struct ptx_var **list, u32 **reg)
{
    for (u32 i = 0; i < n; i++) {
        struct ptx_tok t = {.line = list[i]->line};
        struct ptx_name *name = ptx_name_get(&p->lex, list[i]->name, strlen(list[i]->name));
        if (list[i]->space == PS_REG) {
            *reg = *reg ? *reg : ptx_alloc(&p->m->arena, n * sizeof(**reg));
            if (!ptx_reg_add(p, name, &t, list[i]->type, list[i]->vec, &(*reg)[i]))
                return false;
        } else if (strcmp(name->s, "_") != 0) {
            struct ptx_sym *s = ptx_declare_name(p, name, &t, SYM_VAR);
            if (!s)
                return false;
            s->var = list[i];
        }
    }
    return true;
}

static void body_start(struct ptx_parser *p, struct ptx_func *f)
{
    p->func = f;
    p->func_serial++;
    p->reg.n = p->var.n = p->inst.n = p->label.n = p->table.n = p->ref.n = p->elem.n = 0;
    p->loc_file = p->loc_line = 0;
}

static void body_end(struct ptx_parser *p)
{
    struct ptx_func *f = p->func;
    f->n_reg = p->reg.n;
    f->reg = PTX_KEEP(p, &p->reg);
    f->n_var = p->var.n;
    f->var = PTX_KEEP(p, &p->var);
    f->n_inst = p->inst.n;
    f->inst = PTX_KEEP(p, &p->inst);
    f->n_label = p->label.n;
    f->label = PTX_KEEP(p, &p->label);
    f->n_table = p->table.n;
    f->table = PTX_KEEP(p, &p->table);
    p->func = NULL;
}

/* Registers of the module are registers of every function; select keeps them equal. */
static bool bind_module_regs(struct ptx_parser *p, struct ptx_func *f)
{
    f->module_reg = ptx_alloc(&p->m->arena, (p->module_reg.n + 1) * sizeof(u32));
    for (u32 i = 0; i < p->module_reg.n; i++) {
        const struct ptx_module_reg *r = &p->module_reg.at[i];
        struct ptx_name *name = ptx_name_get(&p->lex, r->name, strlen(r->name));
        struct ptx_tok t = {.line = r->line};
        if (!ptx_reg_add(p, name, &t, r->type, r->vec, &f->module_reg[i]))
            return false;
    }
    return true;
}

/* Three scopes, so that the body may hide a parameter, and both a register of the module. */
static bool function_body(struct ptx_parser *p, struct ptx_func *f)
{
    body_start(p, f);
    ptx_next(p);
    if (!ptx_scope_open(p) || !bind_module_regs(p, f) || !ptx_scope_open(p) ||
        !bind_parameters(p, f->n_ret, f->ret, &f->ret_reg) ||
        !bind_parameters(p, f->n_param, f->param, &f->param_reg) || !ptx_scope_open(p) ||
        !ptx_body(p) || !ptx_scope_close(p) || !ptx_scope_close(p))
        return false;
    body_end(p);
    return true;
}

/* A prototype of old compilers has no ';': what follows is the module's next directive, or nothing. */
static bool prototype_ends(const struct ptx_parser *p)
{
    static const char *const word[] = {"visible", "extern", "weak", "common",  "entry",
                                       "func",    "file",   "loc",  "section", "target"};
    if (p->tok.kind != TK_DOT)
        return p->tok.kind == TK_END;
    for (u32 i = 0; i < LEN(word); i++)
        if (ptx_is_dot(p, word[i]))
            return true;
    return ptx_space_find(p->tok.name->s) != PS_NONE;
}

bool ptx_func_decl(struct ptx_parser *p, bool is_entry)
{
    struct ptx_func *f = ptx_alloc(&p->m->arena, sizeof(*f));
    struct ptx_tok t;
    f->is_entry = is_entry;
    while (!is_entry && p->tok.kind == TK_DOT)
        if (!tuning(p, f))
            return false;
    if (!is_entry && !param_list(p, f, &f->n_ret, &f->ret))
        return false;
    if (!ptx_expect_name(p, "a function's name", &t) || !param_list(p, f, &f->n_param, &f->param))
        return false;
    f->name = t.name->s;
    f->line = t.line;
    while (p->tok.kind == TK_DOT && !prototype_ends(p))
        if (!tuning(p, f))
            return false;
    f->has_body = p->tok.kind == '{';
    bool old = !is_entry && prototype_ends(p);
    if (!f->has_body && p->tok.kind != ';' && !old)
        return ptx_expected(p, "'{' or ';'");
    return enter_func(p, &t, &f) &&
           (p->tok.kind == '{' ? function_body(p, f) : old || ptx_take(p, ';'));
}

/* (results) _ (parameters) [.noreturn] ; */
bool ptx_func_prototype(struct ptx_parser *p, struct ptx_func **f)
{
    struct ptx_tok t;
    struct ptx_func *proto = *f = ptx_alloc(&p->m->arena, sizeof(*proto));
    proto->line = p->tok.line;
    if (!param_list(p, proto, &proto->n_ret, &proto->ret) || !ptx_expect_name(p, "'_'", &t) ||
        !param_list(p, proto, &proto->n_param, &proto->param))
        return false;
    ptx_take_dot(p, "noreturn");
    return ptx_expect(p, ';', "';'");
}
