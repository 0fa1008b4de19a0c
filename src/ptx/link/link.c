/* link.c -- see link.h.  The texts are cut into declarations here; link_write.c puts them together. */
#include "ptx/link/link_int.h"

#include <string.h>

#include "base/mangle.h"
#include "base/text.h"

struct cursor {
    struct link_text *s;
    struct ptx_lex x;
    struct ptx_tok t;
    const char *end; /* of the token before t */
};

static void next_token(struct cursor *c)
{
    c->end = c->x.at;
    ptx_lex_next(&c->x, &c->t);
}

static bool is_dot(const struct cursor *c, const char *word)
{
    return c->t.kind == TK_DOT && strcmp(c->t.name->s, word) == 0;
}

static bool is_dot_of(const struct cursor *c, const char *const *word, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (is_dot(c, word[i]))
            return true;
    return false;
}

static bool fail_here(struct cursor *c, const char *what)
{
    if (!c->x.failed)
        ptx_err(&c->s->m, c->t.line, c->t.col, c->x.e, "%s", what);
    return false;
}

static bool is_at_end(const struct cursor *c)
{
    return c->t.kind == TK_END || c->t.kind == TK_BAD;
}

/* From an opening mark to behind its closing one. */
static bool skip_balanced(struct cursor *c)
{
    u32 depth = 0;
    do {
        if (is_at_end(c))
            return fail_here(c, "the text ends within brackets");
        depth += c->t.kind == '(' || c->t.kind == '{' || c->t.kind == '[';
        depth -= c->t.kind == ')' || c->t.kind == '}' || c->t.kind == ']';
        next_token(c);
    } while (depth);
    return true;
}

/* To the mark, which is taken too; brackets are skipped as wholes. */
static bool skip_to(struct cursor *c, u32 mark)
{
    while (c->t.kind != mark) {
        bool open = c->t.kind == '(' || c->t.kind == '{' || c->t.kind == '[';
        if (is_at_end(c))
            return fail_here(c, "the text ends within a declaration");
        if (open && !skip_balanced(c))
            return false;
        if (!open)
            next_token(c);
    }
    next_token(c);
    return true;
}

/* --- heads --- */

/* .version 6.0  .target sm_35, texmode_independent  .address_size 64  .file 1 "x.cu", 2, 3 */
static bool take_head(struct cursor *c, struct link_piece *p)
{
    static const char *const words[] = {"version", "target", "address_size"};
    struct link_text *s = c->s;
    u32 which = 0;
    while (which < LEN(words) && !is_dot(c, words[which]))
        which++;
    next_token(c);
    const char *at = c->t.at;
    if (which == LEN(words) && c->t.kind == TK_INT)
        s->n_file = max_u32(s->n_file, (u32)c->t.value + 1);
    for (; c->t.kind != TK_DOT && !is_at_end(c); next_token(c))
        if (which < LEN(words) && c->t.kind == TK_STRING)
            return fail_here(c, "expected a version, a target or the size of addresses");
    const char **value[] = {&s->version, &s->target, &s->address_size};
    if (which == LEN(words))
        p->kind = LINK_OTHER;
    else if (at < c->end)
        *value[which] = link_keep(s, at, c->end);
    return true;
}

/* --- functions --- */

static bool is_declaration(const struct cursor *c)
{
    static const char *const words[] = {"visible", "weak",   "extern", "common", "func",
                                        "entry",   "global", "const",  "shared"};
    return is_dot_of(c, words, LEN(words));
}

static bool take_func(struct cursor *c, struct link_piece *p)
{
    p->kind = is_dot(c, "entry") ? LINK_KERNEL : LINK_FUNC;
    p->head = c->t.at;
    next_token(c);
    if (c->t.kind == '(' && !skip_balanced(c))
        return false;
    if (c->t.kind != TK_NAME)
        return fail_here(c, "expected the name of a function");
    p->name = c->t.name->s;
    next_token(c);
    if (c->t.kind == '(' && !skip_balanced(c))
        return false;
    p->head_end = c->end;
    while (c->t.kind == TK_DOT || c->t.kind == TK_INT || c->t.kind == ',') {
        if (is_declaration(c)) /* old compilers left the semicolon out */
            return true;
        next_token(c);
    }
    if (c->t.kind == '{') {
        p->is_definition = true;
        return skip_balanced(c);
    }
    return c->t.kind == ';' ? (next_token(c), true) : fail_here(c, "expected '{' or ';'");
}

/* --- variables --- */

static bool take_var(struct cursor *c, struct link_piece *p)
{
    p->kind = LINK_VAR;
    p->space = c->t.name->s;
    if (is_dot(c, "reg"))
        return fail_here(c,
                         "a text with registers outside of functions cannot be linked with others");
    p->head = c->t.at;
    while (c->t.kind != ';' && c->t.kind != '=') {
        if (c->t.kind == TK_NAME)
            p->name = c->t.name->s;
        if (c->t.kind == ',')
            return fail_here(c,
                             "several variables in one declaration cannot be linked: give each its "
                             "own");
        if (c->t.kind == '(' || c->t.kind == '[') {
            if (!skip_balanced(c))
                return false;
        } else if (is_at_end(c)) {
            return fail_here(c, "the text ends within a declaration");
        } else {
            next_token(c);
        }
    }
    p->head_end = c->end;
    p->is_definition = !p->is_extern;
    return p->name ? skip_to(c, ';') : fail_here(c, "expected the name of a variable");
}

/* --- the text --- */

static bool take_declaration(struct cursor *c, struct link_piece *p)
{
    static const char *const other[] = {"pragma", "alias"};
    bool linkage = false;
    for (;; next_token(c)) {
        p->is_extern |= is_dot(c, "extern");
        p->is_weak |= is_dot(c, "weak") || is_dot(c, "common");
        if (!is_dot(c, "visible") && !is_dot(c, "extern") && !is_dot(c, "weak") &&
            !is_dot(c, "common"))
            break;
        linkage = true;
    }
    if (is_dot_of(c, other, LEN(other))) {
        p->kind = LINK_OTHER;
        return skip_to(c, ';');
    }
    if (c->t.kind != TK_DOT)
        return fail_here(c, "expected a declaration");
    bool func = is_dot(c, "func") || is_dot(c, "entry");
    if (!(func ? take_func(c, p) : take_var(c, p)))
        return false;
    bool alone = !linkage && p->kind != LINK_KERNEL;
    p->is_local = !p->is_extern && (alone || mangle_is_local(p->name));
    return true;
}

static bool take_piece(struct cursor *c)
{
    static const char *const head[] = {"version", "target", "address_size", "file"};
    struct link_piece p = {.s = c->s, .from = c->t.at, .kind = LINK_NOTHING};
    bool ok = true;
    if (is_dot_of(c, head, LEN(head)))
        ok = take_head(c, &p);
    else if (is_dot(c, "section"))
        ok = skip_to(c, '{') && skip_to(c, '}');
    else
        ok = take_declaration(c, &p);
    p.to = c->end;
    *VEC_ADD(&c->s->piece) = p;
    return ok;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_locals(struct link_text *s)
{
    for (u32 i = 0; i < s->piece.n; i++)
        if (s->piece.at[i].is_local)
            *VEC_ADD(&s->local) = s->piece.at[i].name;
    if (s->local.n)
        qsort(s->local.at, s->local.n, sizeof(s->local.at[0]), compare_names);
}

bool link_is_local(const struct link_text *s, const char *name)
{
    return s->local.n &&
           bsearch(&name, s->local.at, s->local.n, sizeof(s->local.at[0]), compare_names);
}

static bool cut_into_pieces(struct link_text *s, struct err *e)
{
    struct cursor c = {.s = s};
    ptx_lex_init(&c.x, &s->m, e);
    next_token(&c);
    bool ok = true;
    while (ok && !is_at_end(&c))
        ok = take_piece(&c);
    ok = ok && !c.x.failed;
    ptx_lex_done(&c.x);
    if (ok && (!s->version || !s->target))
        ok = err_set(e, "%s: no PTX: it does not say .version and .target", s->m.path);
    list_locals(s);
    return ok;
}

const char *link_keep(struct link_text *s, const char *from, const char *to)
{
    size_t n = (size_t)(to - from);
    char *copy = ptx_alloc(&s->m.arena, n + 1);
    memcpy(copy, from, n);
    return copy;
}

static void free_text(struct link_text *s)
{
    VEC_FREE(&s->piece);
    VEC_FREE(&s->local);
    ptx_alloc_free(&s->m.arena);
    free(s);
}

struct ptx_link *ptx_link_new(void)
{
    return xcalloc(1, sizeof(struct ptx_link));
}

void ptx_link_free(struct ptx_link *l)
{
    for (u32 i = 0; l && i < l->text.n; i++)
        free_text(l->text.at[i]);
    if (l)
        VEC_FREE(&l->text);
    free(l);
}

bool ptx_link_add(struct ptx_link *l, const char *path, const char *text, size_t len, struct err *e)
{
    if (len > TEXT_FILE_MAX)
        return err_set(e, "%s: a text of more than 2 GB", path);
    if (memchr(text, 0, len))
        return err_set(e, "%s: the text holds a byte 0: is this PTX?", path);
    struct link_text *s = xcalloc(1, sizeof(*s));
    s->m.path = link_keep(s, path, path + strlen(path));
    s->m.text = link_keep(s, text, text + len);
    s->m.len = len;
    s->number = l->text.n;
    if (!cut_into_pieces(s, e)) {
        free_text(s);
        return false;
    }
    *VEC_ADD(&l->text) = s;
    return true;
}

char *ptx_link_name(const char *name, u32 n)
{
    return text_printf("%s$%u", name, n);
}
