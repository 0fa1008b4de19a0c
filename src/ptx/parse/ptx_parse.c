/* ptx_parse.c -- the module level of PTX, and the parser's small moves. */
#include "ptx/parse/ptx_int.h"

#include <stdarg.h>
#include <string.h>

void ptx_next(struct ptx_parser *p)
{
    ptx_lex_next(&p->lex, &p->tok);
}

bool ptx_is_dot(const struct ptx_parser *p, const char *s)
{
    return p->tok.kind == TK_DOT && strcmp(p->tok.name->s, s) == 0;
}

bool ptx_take(struct ptx_parser *p, u32 kind)
{
    if (p->tok.kind != kind)
        return false;
    ptx_next(p);
    return true;
}

bool ptx_take_dot(struct ptx_parser *p, const char *s)
{
    return ptx_is_dot(p, s) && ptx_take(p, TK_DOT);
}

bool ptx_fail(struct ptx_parser *p, const struct ptx_tok *t, const char *fmt, ...)
{
    if (p->failed || p->lex.failed)
        return false;
    p->failed = true;
    char what[sizeof(p->e->msg)];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof(what), fmt, ap);
    va_end(ap);
    return ptx_err(p->m, t->line, t->col, p->e, "%s", what);
}

bool ptx_expected(struct ptx_parser *p, const char *what)
{
    const struct ptx_tok *t = &p->tok;
    if (t->kind == TK_END)
        return ptx_fail(p, t, "expected %s, but the text ends here", what);
    if (t->kind == TK_STRING)
        return ptx_fail(p, t, "expected %s, found a string", what);
    return ptx_fail(p, t, "expected %s, found '%.*s'", what, (int)min_u32(t->len, PTX_SHOW), t->at);
}

bool ptx_expect(struct ptx_parser *p, u32 kind, const char *what)
{
    return ptx_take(p, kind) || ptx_expected(p, what);
}

bool ptx_expect_name(struct ptx_parser *p, const char *what, struct ptx_tok *name)
{
    *name = p->tok;
    return ptx_expect(p, TK_NAME, what);
}

void *ptx_keep(struct ptx_parser *p, const void *at, size_t n, size_t size)
{
    if (n == 0)
        return NULL;
    return memcpy(ptx_alloc(&p->m->arena, n * size), at, n * size);
}

bool ptx_skip_braces(struct ptx_parser *p)
{
    struct ptx_tok open = p->tok;
    if (!ptx_expect(p, '{', "'{'"))
        return false;
    for (u64 depth = 1; depth; ptx_next(p)) {
        if (p->tok.kind == TK_END || p->tok.kind == TK_BAD)
            return ptx_fail(p, &open, "a '{' that has no '}'");
        depth += p->tok.kind == '{';
        depth -= p->tok.kind == '}';
    }
    return true;
}

bool ptx_unsupported(struct ptx_parser *p)
{
    return ptx_fail(p, &p->tok, "'.%.*s' is not supported", PTX_SHOW, p->tok.name->s);
}

/* .file 1 "a.cu"[, time, size] */
bool ptx_file_directive(struct ptx_parser *p)
{
    u64 number, rest;
    ptx_next(p);
    if (!ptx_expr_u64(p, PTX_MAX_FILE - 1, "a file number", &number))
        return false;
    struct ptx_tok name = p->tok;
    if (!ptx_expect(p, TK_STRING, "the file's name as a string"))
        return false;
    while (p->file.n <= number)
        *VEC_ADD(&p->file) = NULL;
    p->file.at[number] = ptx_name_get(&p->lex, name.at, name.len)->s;
    for (u32 i = 0; i < 2 && ptx_take(p, ','); i++)
        if (!ptx_expr_u64(p, UINT64_MAX, "a time or a size", &rest))
            return false;
    return true;
}

static bool take_keyword(struct ptx_parser *p, const char *word)
{
    return p->tok.kind == TK_NAME && strcmp(p->tok.name->s, word) == 0 && ptx_take(p, TK_NAME);
}

static bool three_numbers(struct ptx_parser *p, u32 v[3])
{
    static const char *const what[3] = {"a file number", "a line number", "a column"};
    for (u32 i = 0; i < 3; i++)
        if (!ptx_expr_u32(p, what[i], &v[i]))
            return false;
    return true;
}

/* .loc file line column[, function_name name[+offset], inlined_at file line column] */
bool ptx_loc_directive(struct ptx_parser *p)
{
    u32 v[3];
    s64 off;
    ptx_next(p);
    if (!three_numbers(p, v))
        return false;
    p->loc_file = v[0], p->loc_line = v[1];
    while (ptx_take(p, ',')) {
        struct ptx_tok name;
        if (take_keyword(p, "inlined_at")) {
            if (!three_numbers(p, v))
                return false;
        } else if (!take_keyword(p, "function_name")) {
            return ptx_expected(p, "function_name or inlined_at");
        } else if (!ptx_expect_name(p, "a name in .debug_str", &name) ||
                   !ptx_expr_offset(p, &off)) {
            return false;
        }
    }
    return true;
}

bool ptx_pragma_directive(struct ptx_parser *p)
{
    do {
        ptx_next(p);
        if (!ptx_expect(p, TK_STRING, "a string"))
            return false;
    } while (p->tok.kind == ',');
    return ptx_expect(p, ';', "';'");
}

static bool section_directive(struct ptx_parser *p)
{
    ptx_next(p);
    if (p->tok.kind != TK_DOT && p->tok.kind != TK_NAME)
        return ptx_expected(p, "the section's name");
    ptx_next(p);
    return ptx_skip_braces(p);
}

/* The digits before and after the point: 7.10 is not 7.1. */
static bool version_directive(struct ptx_parser *p)
{
    if (!ptx_take_dot(p, "version"))
        return ptx_expected(p, "'.version' first");
    const struct ptx_tok *t = &p->tok;
    u32 v[2] = {0, 0}, part = 0;
    for (u32 i = 0; t->kind == TK_F64 && i < t->len; i++) {
        if (t->at[i] == '.')
            part++;
        else if (t->at[i] < '0' || t->at[i] > '9' || v[part] > 99)
            part = 2;
        else
            v[part] = v[part] * 10 + (u32)(t->at[i] - '0');
        if (part == 2)
            break;
    }
    if (part != 1)
        return ptx_expected(p, "a version like 3.2");
    if (v[0] == 0 || (v[0] == 1 && v[1] < 4) || v[0] > 8)
        return ptx_fail(p, t, "PTX version %u.%u is not supported (1.4 to 8.x are)", v[0], v[1]);
    ptx_next(p);
    return true;
}

/* sm_35, sm_90a */
static bool target_word(struct ptx_parser *p)
{
    static const char *const word[] = {"texmode_unified", "texmode_independent", "texmode_raw",
                                       "debug", "map_f64_to_f32"};
    struct ptx_tok t;
    if (!ptx_expect_name(p, "a target like sm_35", &t))
        return false;
    u32 sm = 0, n = 3;
    if (strncmp(t.name->s, "sm_", 3) == 0)
        for (; n < 7 && t.name->s[n] >= '0' && t.name->s[n] <= '9'; n++)
            sm = sm * 10 + (u32)(t.name->s[n] - '0');
    if (sm &&
        (t.name->len == n || strcmp(t.name->s + n, "a") == 0 || strcmp(t.name->s + n, "f") == 0)) {
        p->m->sm = sm;
        return true;
    }
    for (u32 i = 0; i < LEN(word); i++)
        if (strcmp(t.name->s, word[i]) == 0)
            return true;
    return ptx_fail(p, &t, "unknown target '%.*s'", PTX_SHOW, t.name->s);
}

static bool target_directive(struct ptx_parser *p)
{
    struct ptx_tok start = p->tok;
    if (!ptx_take_dot(p, "target"))
        return ptx_expected(p, "'.target' after .version");
    do {
        if (!target_word(p))
            return false;
    } while (ptx_take(p, ','));
    return p->m->sm || ptx_fail(p, &start, ".target names no sm_NN");
}

static bool address_size_directive(struct ptx_parser *p)
{
    u32 v;
    p->m->address_size = 0;
    if (!ptx_take_dot(p, "address_size"))
        return true;
    struct ptx_tok t = p->tok;
    if (!ptx_expr_u32(p, "32 or 64", &v))
        return false;
    p->m->address_size = v;
    return v == 32 || v == 64 || ptx_fail(p, &t, "the address size is %u, not 32 or 64", v);
}

/* Before 2.3 there was no directive, and the code says what it was compiled for. */
static bool calls_by_64_bits(const struct ptx_func *f)
{
    for (u32 i = 0; i < f->n_inst; i++) {
        const struct ptx_inst *in = &f->inst[i];
        for (u32 k = 0; k < in->n_opnd && strcmp(in->name, "call") == 0; k++)
            if (in->opnd[k].kind == PO_REG && ptx_type_bytes(f->reg[in->opnd[k].reg].type) == 8)
                return true;
    }
    return f->name && strcmp(f->name, "vprintf") == 0 && f->n_param && f->param[0]->size == 8;
}

static u32 address_size_of_code(const struct ptx_module *m)
{
    for (u32 i = 0; i < m->n_func; i++)
        if (calls_by_64_bits(m->func[i]))
            return 64;
    return 32;
}

static bool declaration(struct ptx_parser *p)
{
    bool is_extern = ptx_linkage(p);
    if (ptx_take_dot(p, "entry"))
        return ptx_func_decl(p, true);
    if (ptx_take_dot(p, "func"))
        return ptx_func_decl(p, false);
    if (p->tok.kind != TK_DOT)
        return ptx_expected(p, "a directive");
    enum ptx_space s = ptx_space_find(p->tok.name->s);
    if (s == PS_REG && ptx_take_dot(p, "reg"))
        return ptx_decl_regs(p);
    if (s == PS_PARAM)
        return ptx_fail(p, &p->tok, "a .param variable cannot be declared outside functions");
    if (s == PS_NONE)
        return ptx_fail(p, &p->tok, "unknown directive '.%.*s'", PTX_SHOW, p->tok.name->s);
    return ptx_decl_vars(p, is_extern);
}

static bool module_item(struct ptx_parser *p)
{
    if (ptx_take(p, ';'))
        return true;
    if (ptx_is_dot(p, "file"))
        return ptx_file_directive(p);
    if (ptx_is_dot(p, "loc"))
        return ptx_loc_directive(p);
    if (ptx_is_dot(p, "pragma"))
        return ptx_pragma_directive(p);
    if (ptx_is_dot(p, "section"))
        return section_directive(p);
    if (ptx_is_dot(p, "target"))
        return target_directive(p);
    if (ptx_is_dot(p, "alias"))
        return ptx_unsupported(p);
    return declaration(p);
}

static bool parse_module(struct ptx_parser *p)
{
    struct ptx_module *m = p->m;
    const char *zero = memchr(m->text, 0, m->len);
    if (zero) {
        u32 line = 1;
        for (const char *s = m->text; s < zero; s++)
            line += *s == '\n';
        return ptx_err(m, line, 0, p->e, "the text holds a byte 0: is this PTX?");
    }
    ptx_next(p);
    if (!version_directive(p) || !target_directive(p) || !address_size_directive(p))
        return false;
    while (p->tok.kind != TK_END)
        if (!module_item(p))
            return false;
    m->var = PTX_KEEP(p, &p->module_var);
    m->n_var = p->module_var.n;
    m->reg = PTX_KEEP(p, &p->module_reg);
    m->n_reg = p->module_reg.n;
    m->func = PTX_KEEP(p, &p->module_func);
    m->n_func = p->module_func.n;
    m->file = PTX_KEEP(p, &p->file);
    m->n_file = p->file.n;
    m->address_size = m->address_size ? m->address_size : address_size_of_code(m);
    return true;
}

static void parser_done(struct ptx_parser *p)
{
    ptx_lex_done(&p->lex);
    ptx_alloc_free(&p->scratch);
    VEC_FREE(&p->module_var);
    VEC_FREE(&p->module_func);
    VEC_FREE(&p->module_reg);
    VEC_FREE(&p->file);
    VEC_FREE(&p->reg);
    VEC_FREE(&p->var);
    VEC_FREE(&p->inst);
    VEC_FREE(&p->label);
    VEC_FREE(&p->table);
    VEC_FREE(&p->ref);
    VEC_FREE(&p->elem);
}

static char *keep_text(struct ptx_chunk **arena, const char *s, size_t len)
{
    char *copy = ptx_alloc(arena, len + 1);
    if (len)
        memcpy(copy, s, len);
    return copy;
}

struct ptx_module *ptx_parse(const char *path, const char *text, size_t len, struct err *e)
{
    if (len > TEXT_FILE_MAX) { /* lines, columns and lengths are 32 bits wide */
        err_set(e, "%s: a text of more than 2 GB", path);
        return NULL;
    }
    struct ptx_chunk *arena = NULL;
    struct ptx_module *m = ptx_alloc(&arena, sizeof(*m));
    m->path = keep_text(&arena, path, strlen(path));
    m->text = keep_text(&arena, text, len);
    m->len = len;
    m->arena = arena;
    struct ptx_parser p = {.m = m, .e = e, .n_scope = 1};
    ptx_lex_init(&p.lex, m, e);
    bool ok = parse_module(&p);
    parser_done(&p);
    if (ok)
        return m;
    ptx_free(m);
    return NULL;
}
