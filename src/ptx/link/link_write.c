/* link_write.c -- which definition is whose, and the joined text (see link.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mangle.h"
#include "base/text.h"
#include "ptx/link/link_int.h"
#include "ptx/select/builtin.h"

/* --- definitions --- */

struct index {
    VEC(struct link_piece *) at; /* definitions for all, by name, then by text */
};

static int compare_pieces(const void *a, const void *b)
{
    const struct link_piece *p = *(struct link_piece *const *)a,
                            *q = *(struct link_piece *const *)b;
    int order = strcmp(p->name, q->name);
    return order ? order : (int)p->s->number - (int)q->s->number;
}

static void collect(const struct ptx_link *l, struct index *x)
{
    for (u32 i = 0; i < l->text.n; i++)
        for (u32 k = 0; k < l->text.at[i]->piece.n; k++) {
            struct link_piece *p = &l->text.at[i]->piece.at[k];
            if (p->is_definition && !p->is_local)
                *VEC_ADD(&x->at) = p;
        }
    if (x->at.n)
        qsort(x->at.at, x->at.n, sizeof(x->at.at[0]), compare_pieces);
}

static const char *what_is(const struct link_piece *p)
{
    return p->kind == LINK_KERNEL ? "kernel"
           : p->kind == LINK_FUNC ? "device function"
                                  : "device variable";
}

/* "f (_Z1fv)", or the name alone if it is not mangled. */
static const char *show_name(const char *name, char *buf, size_t size)
{
    char label[256];
    mangle_show(name, label, sizeof(label));
    if (strcmp(label, name) == 0)
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, "%s (%.200s)", label, name);
    return buf;
}

/* Of the n definitions of one name the one that is taken. */
static bool choose_definition(struct link_piece **p, u32 n, struct err *e)
{
    const struct link_piece *best = p[0];
    char name[512];
    for (u32 i = 1; i < n; i++) {
        if (!best->is_weak && !p[i]->is_weak)
            return err_set(e, "%s: %s %s is defined in %s, too", p[i]->s->m.path, what_is(p[i]),
                           show_name(best->name, name, sizeof(name)), best->s->m.path);
        if (best->is_weak && !p[i]->is_weak)
            best = p[i];
    }
    for (u32 i = 0; i < n; i++)
        p[i]->taken = p[i] == best ? NULL : best;
    return true;
}

static bool choose_all(const struct index *x, struct err *e)
{
    for (u32 i = 0, n; i < x->at.n; i += n) {
        for (n = 1; i + n < x->at.n && !strcmp(x->at.at[i]->name, x->at.at[i + n]->name);)
            n++;
        if (!choose_definition(&x->at.at[i], n, e))
            return false;
    }
    return true;
}

static const struct link_piece *find_piece(const struct index *x, const char *name)
{
    u32 lo = 0, hi = x->at.n;
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        if (strcmp(x->at.at[mid]->name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == x->at.n || strcmp(x->at.at[lo]->name, name))
        return NULL;
    return x->at.at[lo]->taken ? x->at.at[lo]->taken : x->at.at[lo];
}

/* --- declarations of what is elsewhere --- */

/* Is the name in the text beyond its declarations, which have it once each? */
static bool is_used(const struct link_piece *p)
{
    struct link_text *s = p->s;
    struct err e;
    struct ptx_lex x;
    struct ptx_tok t;
    u32 n = 0;
    ptx_lex_init(&x, &s->m, &e);
    for (ptx_lex_next(&x, &t); t.kind != TK_END && t.kind != TK_BAD; ptx_lex_next(&x, &t))
        n += t.kind == TK_NAME && strcmp(t.name->s, p->name) == 0;
    ptx_lex_done(&x);
    for (u32 i = 0; i < s->piece.n; i++)
        n -= s->piece.at[i].name && strcmp(s->piece.at[i].name, p->name) == 0;
    return n > 0;
}

/* Code that reads .const memory is other code than that which reads .global memory. */
static bool agree(const struct link_piece *p, const struct link_piece *taken, struct err *e)
{
    char name[512];
    bool var = p->kind == LINK_VAR;
    if (p->kind == taken->kind && (!var || strcmp(p->space, taken->space) == 0))
        return true;
    return err_set(e, "%s: %s is declared as .%s, and defined in %s as .%s", p->s->m.path,
                   show_name(p->name, name, sizeof(name)), var ? p->space : "func",
                   taken->s->m.path,
                   taken->kind == LINK_VAR    ? taken->space
                   : taken->kind == LINK_FUNC ? "func"
                                              : "entry");
}

static bool resolve(struct link_piece *p, const struct index *x, struct err *e)
{
    char name[512];
    bool known = !p->name || p->is_definition || link_is_local(p->s, p->name);
    if (known)
        return true;
    p->taken = find_piece(x, p->name);
    if (p->taken)
        return agree(p, p->taken, e);
    if (p->kind == LINK_VAR ? strcmp(p->space, "shared") == 0 : builtin_find(p->name) != 0)
        return true;
    if (!is_used(p))
        return true;
    return err_set(e, "%s: undefined %s %s: no file that is linked defines it", p->s->m.path,
                   what_is(p), show_name(p->name, name, sizeof(name)));
}

static bool resolve_all(const struct ptx_link *l, const struct index *x, struct err *e)
{
    for (u32 i = 0; i < l->text.n; i++)
        for (u32 k = 0; k < l->text.at[i]->piece.n; k++)
            if (!resolve(&l->text.at[i]->piece.at[k], x, e))
                return false;
    return true;
}

/* --- writing --- */

struct writer {
    VEC(char) out;
};

static void put_span(struct writer *w, const char *from, const char *to)
{
    for (; from < to; from++)
        *VEC_ADD(&w->out) = *from;
}

static void put_ptx(struct writer *w, const char *text)
{
    put_span(w, text, text + strlen(text));
}

/* After .file, .loc or inlined_at. */
static void put_file_number(struct writer *w, const struct link_text *s, u64 number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, number + s->file_base);
    put_ptx(w, text);
}

static bool is_before_file_number(const struct ptx_tok *t)
{
    return (t->kind == TK_DOT && (!strcmp(t->name->s, "file") || !strcmp(t->name->s, "loc"))) ||
           (t->kind == TK_NAME && !strcmp(t->name->s, "inlined_at"));
}

/* add.s32 is an instruction, also where a function is called `add`. */
static bool is_ours_alone(const struct link_text *s, const struct ptx_tok *t)
{
    return t->kind == TK_NAME && t->at[t->len] != '.' && link_is_local(s, t->name->s);
}

static void put_whole(struct writer *w, const struct link_piece *p)
{
    struct link_text *s = p->s;
    struct err e;
    struct ptx_lex x;
    struct ptx_tok t, before = {.kind = TK_END};
    const char *done = p->from;
    ptx_lex_init(&x, &s->m, &e);
    x.at = p->from;
    for (ptx_lex_next(&x, &t); t.at < p->to && t.kind != TK_END; ptx_lex_next(&x, &t)) {
        if (t.kind == TK_INT && is_before_file_number(&before)) {
            put_span(w, done, t.at);
            put_file_number(w, s, t.value);
            done = t.at + t.len;
        } else if (is_ours_alone(s, &t)) {
            char *name = ptx_link_name(t.name->s, s->number);
            put_span(w, done, t.at);
            put_ptx(w, name);
            free(name);
            done = t.at + t.len;
        }
        before = t;
    }
    put_span(w, done, p->to);
    ptx_lex_done(&x);
}

/*
 * What is elsewhere is declared as its definition has it: a table of pointers is .u64 there and .b8
 * to a compiler that does not see its values.  Kernels need no declaration.
 */
static void put_piece(struct writer *w, const struct link_piece *p)
{
    if (p->kind == LINK_NOTHING || (p->taken && p->kind == LINK_KERNEL))
        return;
    if (p->taken) {
        put_ptx(w, ".extern ");
        put_span(w, p->taken->head, p->taken->head_end);
        put_ptx(w, ";");
    } else {
        put_whole(w, p);
    }
    put_ptx(w, "\n");
}

/* 6.0 and 7.1; sm_35 and sm_80: which is newer? */
static bool is_newer(const char *a, const char *b)
{
    const char *digit = "0123456789";
    char *rest_a, *rest_b;
    unsigned long x = strtoul(a + strcspn(a, digit), &rest_a, 10);
    unsigned long y = strtoul(b + strcspn(b, digit), &rest_b, 10);
    if (x != y || *rest_a != '.' || *rest_b != '.')
        return x > y;
    return strtoul(rest_a + 1, NULL, 10) > strtoul(rest_b + 1, NULL, 10);
}

static bool put_head(struct writer *w, const struct ptx_link *l, struct err *e)
{
    const struct link_text *first = l->text.at[0];
    const char *version = first->version, *target = first->target;
    const char *size = first->address_size ? first->address_size : "32";
    for (u32 i = 1; i < l->text.n; i++) {
        const struct link_text *s = l->text.at[i];
        const char *own = s->address_size ? s->address_size : "32";
        version = is_newer(s->version, version) ? s->version : version;
        target = is_newer(s->target, target) ? s->target : target;
        if (strcmp(own, size))
            return err_set(e, "%s: addresses of %s bits cannot be linked with %s's, of %s",
                           s->m.path, own, first->m.path, size);
    }
    char *head = text_printf(".version %s\n.target %s\n.address_size %s\n", version, target, size);
    put_ptx(w, head);
    free(head);
    return true;
}

static bool put_all(struct writer *w, const struct ptx_link *l, struct err *e)
{
    u32 file_base = 0;
    if (!put_head(w, l, e))
        return false;
    for (u32 i = 0; i < l->text.n; i++) {
        struct link_text *s = l->text.at[i];
        s->file_base = file_base;
        file_base += s->n_file;
        for (u32 k = 0; k < s->piece.n; k++)
            put_piece(w, &s->piece.at[k]);
    }
    *VEC_ADD(&w->out) = 0;
    return true;
}

char *ptx_link_finish(struct ptx_link *l, struct err *e)
{
    struct index x = {0};
    struct writer w = {0};
    if (!l->text.n)
        return err_set(e, "there is nothing to link"), NULL;
    collect(l, &x);
    bool ok = choose_all(&x, e) && resolve_all(l, &x, e) && put_all(&w, l, e);
    VEC_FREE(&x.at);
    if (!ok)
        VEC_FREE(&w.out);
    return w.out.at;
}
