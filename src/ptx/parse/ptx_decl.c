/* ptx_decl.c -- declarations of variables and registers. */
#include "ptx/parse/ptx_int.h"

#include <string.h>

/* Of the words only .extern means something here: a module is linked with nothing. */
bool ptx_linkage(struct ptx_parser *p)
{
    bool is_extern = false;
    while (true) {
        if (ptx_take_dot(p, "extern"))
            is_extern = true;
        else if (!ptx_take_dot(p, "visible") && !ptx_take_dot(p, "weak") &&
                 !ptx_take_dot(p, "common"))
            return is_extern;
    }
}

static const char *const space_name[N_PS] = {
    [PS_REG] = "reg",     [PS_CONST] = "const",   [PS_GLOBAL] = "global", [PS_LOCAL] = "local",
    [PS_PARAM] = "param", [PS_SHARED] = "shared", [PS_TEX] = "tex",
};

enum ptx_space ptx_space_find(const char *s)
{
    for (u32 i = PS_NONE + 1; i < N_PS; i++)
        if (strcmp(space_name[i], s) == 0)
            return (enum ptx_space)i;
    return PS_NONE;
}

/* After .align */
static bool alignment(struct ptx_parser *p, u32 *align)
{
    struct ptx_tok t = p->tok;
    if (!ptx_expr_u32(p, "an alignment", align))
        return false;
    if (*align == 0 || (*align & (*align - 1)) || *align > 1u << 20)
        return ptx_fail(p, &t, "the alignment %u is not a power of two up to 2^20", *align);
    return true;
}

/* .attribute(.managed, .unified(19, 95)): nothing that changes how a program runs here. */
bool ptx_decl_attribute(struct ptx_parser *p)
{
    u32 open = 0;
    if (p->tok.kind != '(')
        return ptx_expected(p, "'('");
    do {
        open += p->tok.kind == '(';
        open -= p->tok.kind == ')';
        if (p->tok.kind == TK_END || p->tok.kind == TK_BAD || p->tok.kind == ';')
            return ptx_expected(p, "')' of .attribute");
        ptx_next(p);
    } while (open);
    return true;
}

/* .ptr .global .align 8: what a pointer parameter points to, for a compiler to know. */
static bool pointee(struct ptx_parser *p)
{
    u32 align;
    if (p->tok.kind == TK_DOT && ptx_space_find(p->tok.name->s) != PS_NONE)
        ptx_next(p);
    else if (ptx_is_dot(p, "generic"))
        ptx_next(p);
    return !ptx_take_dot(p, "align") || alignment(p, &align);
}

static u32 vector_of(const char *s)
{
    return strcmp(s, "v2") == 0 ? 2 : strcmp(s, "v4") == 0 ? 4 : 0;
}

static bool type_word(struct ptx_parser *p, struct ptx_var *v)
{
    struct ptx_tok t = p->tok;
    ptx_next(p);
    if (strcmp(t.name->s, "align") == 0)
        return alignment(p, &v->align);
    if (strcmp(t.name->s, "attribute") == 0)
        return ptx_decl_attribute(p);
    if (strcmp(t.name->s, "ptr") == 0)
        return pointee(p);
    if (vector_of(t.name->s)) {
        v->vec = vector_of(t.name->s);
        return true;
    }
    enum ptx_type type = ptx_type_find(t.name->s);
    if (type == PT_NONE)
        return ptx_fail(p, &t, "'.%.*s' is no type", PTX_SHOW, t.name->s);
    if (v->type != PT_NONE)
        return ptx_fail(p, &t, "a second type, .%s", t.name->s);
    v->type = type;
    return true;
}

/* The words between the space and the first name. */
bool ptx_decl_type(struct ptx_parser *p, struct ptx_var *v)
{
    v->vec = 1;
    struct ptx_tok t = p->tok;
    while (p->tok.kind == TK_DOT)
        if (!type_word(p, v))
            return false;
    if (v->type == PT_NONE)
        return ptx_expected(p, "a type");
    if (v->vec > 1 && ptx_type_bytes(v->type) * v->vec > 16)
        return ptx_fail(p, &t, "a vector of .%s is longer than 16 bytes", ptx_type_name(v->type));
    if (v->type == PT_PRED && v->space != PS_REG)
        return ptx_fail(p, &t, "a .pred can only be a register");
    if (v->space == PS_TEX)
        v->type = PT_TEXREF; /* .tex .u32 t is the old way to write .global .texref t */
    if (v->align == 0)
        v->align = v->type == PT_PRED ? 1 : ptx_type_bytes(v->type) * v->vec;
    return true;
}

static bool one_dim(struct ptx_parser *p, struct ptx_dims *d)
{
    struct ptx_tok t = p->tok;
    u64 len = 0;
    ptx_next(p);
    if (p->tok.kind == ']' && d->n == 0)
        d->open = true;
    else if (!ptx_expr_u64(p, PTX_MAX_VAR, "an array length", &len))
        return false;
    if (d->n == PTX_MAX_DIM)
        return ptx_fail(p, &t, "an array of more than %d dimensions", PTX_MAX_DIM);
    d->len[d->n++] = len;
    return ptx_expect(p, ']', "']'");
}

bool ptx_decl_dims(struct ptx_parser *p, struct ptx_var *v, struct ptx_dims *d)
{
    struct ptx_tok t = p->tok;
    *d = (struct ptx_dims){0};
    v->size = (u64)ptx_type_bytes(v->type) * v->vec;
    while (p->tok.kind == '[') {
        if (!one_dim(p, d))
            return false;
        u64 len = d->len[d->n - 1];
        if (v->size && len > PTX_MAX_VAR / v->size)
            return ptx_fail(p, &t, "an array of more than 1 GB");
        if (d->n > 1 || !d->open)
            v->size *= len;
    }
    v->is_array = d->n > 0;
    if (d->open)
        v->size = 0;
    if (v->vec > 1)
        d->len[d->n++] = v->vec;
    return true;
}

static bool same_decl(const struct ptx_var *a, const struct ptx_var *b)
{
    return a->space == b->space && a->type == b->type && a->vec == b->vec &&
           (a->size == b->size || a->size == 0 || b->size == 0);
}

/* A module may declare a variable .extern any number of times, and define it once. */
static bool merge_declaration(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_sym *s,
                              struct ptx_var *v)
{
    struct ptx_var *old = s->var;
    if (s->kind != SYM_VAR || (!old->is_extern && !v->is_extern))
        return ptx_fail(p, t, "'%.*s' is already declared in line %u", PTX_SHOW, v->name, s->line);
    if (!same_decl(old, v))
        return ptx_fail(p, t, "'%.*s' is declared differently in line %u", PTX_SHOW, v->name,
                        s->line);
    u32 align = old->align > v->align ? old->align : v->align;
    if (!v->is_extern) {
        v->id = old->id;
        *old = *v;
        s->line = t->line;
    } else if (v->size > old->size) {
        old->size = v->size;
    }
    old->align = align;
    return true;
}

/* Gives *v to its name; *v becomes the variable that had it, if there is one. */
static bool enter_var(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_var **v)
{
    struct ptx_sym *s = p->func ? NULL : t->name->sym;
    if (s && !merge_declaration(p, t, s, *v))
        return false;
    if (s) {
        *v = s->var;
        return true;
    }
    s = ptx_declare(p, t, SYM_VAR);
    if (!s)
        return false;
    s->var = *v;
    s->var->id = p->func ? p->var.n : p->module_var.n;
    if (p->func)
        *VEC_ADD(&p->var) = *v;
    else
        *VEC_ADD(&p->module_var) = *v;
    return true;
}

static bool initialiser(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_var *v,
                        struct ptx_dims *d)
{
    bool is_ref = v->type == PT_TEXREF || v->type == PT_SAMPLERREF || v->type == PT_SURFREF;
    if (is_ref && p->tok.kind == '{')
        return ptx_skip_braces(p); /* properties for a host that asks for them; ours sets its own */
    if (v->space != PS_GLOBAL && v->space != PS_CONST)
        return ptx_fail(p, t, "'%.*s' cannot have an initialiser: it is a .%s variable", PTX_SHOW,
                        v->name, space_name[v->space]);
    return ptx_init(p, v, d);
}

/* One name of a list; `like` has what stood before the names.  An initialiser may use the name. */
static bool declarator(struct ptx_parser *p, const struct ptx_var *like)
{
    struct ptx_tok t;
    struct ptx_dims d;
    struct ptx_var *v = ptx_alloc(&p->m->arena, sizeof(*v));
    *v = *like;
    if (!ptx_expect_name(p, "a variable's name", &t) || !ptx_decl_dims(p, v, &d))
        return false;
    v->name = t.name->s;
    v->line = t.line;
    bool has_init = p->tok.kind == '=';
    if (has_init && like->is_extern)
        return ptx_fail(p, &t, "'%.*s' is .extern and cannot have an initialiser", PTX_SHOW,
                        v->name);
    if (d.open && !has_init && !like->is_extern && v->space != PS_SHARED)
        return ptx_fail(p, &t, "the array '%.*s' needs a length", PTX_SHOW, v->name);
    return enter_var(p, &t, &v) && (!ptx_take(p, '=') || initialiser(p, &t, v, &d));
}

bool ptx_decl_vars(struct ptx_parser *p, bool is_extern)
{
    struct ptx_var like = {
        .space = ptx_space_find(p->tok.name->s), .is_extern = is_extern, .func = p->func};
    ptx_next(p);
    if (!ptx_decl_type(p, &like))
        return false;
    do {
        if (!declarator(p, &like))
            return false;
    } while (ptx_take(p, ','));
    return ptx_expect(p, ';', "',' or ';'");
}

static s32 number_at_end(const struct ptx_name *name)
{
    u32 n = name->len;
    u64 v = 0;
    while (n && name->s[n - 1] >= '0' && name->s[n - 1] <= '9')
        n--;
    for (u32 i = n; i < name->len && v <= INT32_MAX; i++)
        v = v * 10 + (u64)(name->s[i] - '0');
    return n == name->len || v > INT32_MAX ? -1 : (s32)v;
}

static const char *part_name(struct ptx_parser *p, const struct ptx_name *name, u32 part)
{
    char *s = ptx_alloc(&p->m->arena, name->len + 3);
    memcpy(s, name->s, name->len);
    s[name->len] = '.';
    s[name->len + 1] = "xyzw"[part];
    return s;
}

/* Its name is declared in each function: see ptx_func.c. */
static bool module_reg_add(struct ptx_parser *p, struct ptx_name *name, const struct ptx_tok *t,
                           enum ptx_type type, u32 vec)
{
    if ((p->n_reg_all += vec) > PTX_MAX_REG_ALL)
        return ptx_fail(p, t, "more than %u registers in a module", PTX_MAX_REG_ALL);
    for (u32 i = 0; i < p->module_reg.n; i++)
        if (p->module_reg.at[i].name == name->s)
            return ptx_fail(p, t, "'%.*s' is already declared in line %u", PTX_SHOW, name->s,
                            p->module_reg.at[i].line);
    if (p->module_reg.n == PTX_MAX_MODULE_REG)
        return ptx_fail(p, t, "more than %d registers outside functions", PTX_MAX_MODULE_REG);
    struct ptx_var *slot = ptx_alloc(&p->m->arena, sizeof(*slot));
    *slot = (struct ptx_var){.name = "",
                             .space = PS_LOCAL,
                             .type = PT_B64,
                             .vec = 1,
                             .align = 8,
                             .size = 8 * (u64)vec,
                             .line = t->line,
                             .id = p->module_var.n};
    *VEC_ADD(&p->module_var) = slot;
    *VEC_ADD(&p->module_reg) = (struct ptx_module_reg){name->s, type, vec, t->line, slot};
    return true;
}

bool ptx_reg_add(struct ptx_parser *p, struct ptx_name *name, const struct ptx_tok *t,
                 enum ptx_type type, u32 vec, u32 *index)
{
    if (!p->func)
        return module_reg_add(p, name, t, type, vec);
    if (p->reg.n + vec > PTX_MAX_REG)
        return ptx_fail(p, t, "more than %u registers in a function", PTX_MAX_REG);
    if ((p->n_reg_all += vec) > PTX_MAX_REG_ALL)
        return ptx_fail(p, t, "more than %u registers in a module", PTX_MAX_REG_ALL);
    struct ptx_sym *s = ptx_declare_name(p, name, t, SYM_REG);
    if (!s)
        return false;
    *index = s->index = p->reg.n;
    for (u32 i = 0; i < vec; i++)
        *VEC_ADD(&p->reg) = (struct ptx_reg){.name = vec == 1 ? name->s : part_name(p, name, i),
                                             .type = type,
                                             .vec = vec,
                                             .number = number_at_end(name)};
    return true;
}

/* %r<100>: %r0 to %r99.  The count is not an expression, for it ends in a > */
static bool reg_range(struct ptx_parser *p, const struct ptx_tok *t, const struct ptx_var *like)
{
    struct ptx_tok count = p->tok;
    u32 index;
    if (!ptx_expect(p, TK_INT, "the number of registers"))
        return false;
    if (count.value > PTX_MAX_REG)
        return ptx_fail(p, &count, "more than %u registers in a function", PTX_MAX_REG);
    char *name = xmalloc(t->len + 12);
    memcpy(name, t->at, t->len);
    bool ok = true;
    for (u32 i = 0; ok && i < count.value; i++) {
        int n = snprintf(name + t->len, 12, "%u", i);
        ok = ptx_reg_add(p, ptx_name_get(&p->lex, name, t->len + (u32)n), t, like->type, like->vec,
                         &index);
    }
    free(name);
    return ok && ptx_expect(p, '>', "'>'");
}

bool ptx_decl_regs(struct ptx_parser *p)
{
    struct ptx_var like = {.space = PS_REG};
    if (!ptx_decl_type(p, &like))
        return false;
    do {
        struct ptx_tok t;
        u32 index;
        if (!ptx_expect_name(p, "a register's name", &t))
            return false;
        bool ok = ptx_take(p, '<') ? reg_range(p, &t, &like)
                                   : ptx_reg_add(p, t.name, &t, like.type, like.vec, &index);
        if (!ok)
            return false;
    } while (ptx_take(p, ','));
    return ptx_expect(p, ';', "',' or ';'");
}
