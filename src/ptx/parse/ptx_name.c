/*
 * ptx_name.c -- what a name means in the block being read.
 *
 * Every name points to its innermost meaning, and a meaning to the one it hides;
 * closing a block takes back its declarations.  So a lookup is one load, and
 * blocks and lookups cost nothing more however many names there are.
 *
 * Labels differ: they may be used before they stand.  A use is noted (ptx_ref)
 * and settled when its block closes, else handed to the block around it.  A use
 * that is left at the end of the function may still mean a label in a block that
 * was closed, if there is just one of that name: name->label is its index + 1 or
 * LABEL_MANY, valid if name->label_func is the current function's serial number.
 */
#include <stdio.h>
#include <string.h>

#include "isa/inst.h"
#include "ptx/parse/ptx_int.h"

#define LABEL_MANY UINT32_MAX

bool ptx_scope_open(struct ptx_parser *p)
{
    if (p->n_scope == LEN(p->scope))
        return ptx_fail(p, &p->tok, "blocks are nested more than %d deep", PTX_MAX_DEPTH);
    p->scope[p->n_scope++] = (struct ptx_scope){NULL, p->ref.n};
    return true;
}

static u32 block_label(const struct ptx_parser *p, const struct ptx_name *name)
{
    const struct ptx_sym *s = name->sym;
    bool here = s && s->kind == SYM_LABEL && s->depth == p->n_scope - 1;
    return here ? s->index : UINT32_MAX;
}

static bool no_label(struct ptx_parser *p, const struct ptx_ref *r)
{
    struct ptx_tok t = {.line = r->line, .col = r->col};
    struct err_hint h;
    if (r->name->label_func == p->func_serial && r->name->label == LABEL_MANY)
        return ptx_fail(p, &t, "label '%.*s' stands in several other blocks", PTX_SHOW, r->name->s);
    const char **names = xmalloc(p->label.n * sizeof(names[0]));
    for (u32 i = 0; i < p->label.n; i++)
        names[i] = p->label.at[i].name;
    err_hint(&h, r->name->s, names, p->label.n, "; did you mean '", "'?");
    free(names);
    return ptx_fail(p, &t, "there is no label '%.*s' in this function%s", PTX_SHOW, r->name->s,
                    h.text);
}

/* Settles the uses in the block that closes; what is left belongs to the block around it. */
static bool settle_refs(struct ptx_parser *p, u32 first, bool is_last)
{
    u32 n = first;
    for (u32 i = first; i < p->ref.n; i++) {
        struct ptx_ref *r = &p->ref.at[i];
        u32 label = block_label(p, r->name);
        if (label == UINT32_MAX && is_last && r->name->label_func == p->func_serial &&
            r->name->label != LABEL_MANY)
            label = r->name->label - 1;
        if (label != UINT32_MAX)
            *r->slot = label;
        else if (is_last)
            return no_label(p, r);
        else
            p->ref.at[n++] = *r;
    }
    p->ref.n = n;
    return true;
}

static void remember_label(struct ptx_parser *p, const struct ptx_sym *s)
{
    struct ptx_name *name = s->name;
    name->label = name->label_func == p->func_serial ? LABEL_MANY : s->index + 1;
    name->label_func = p->func_serial;
}

bool ptx_scope_close(struct ptx_parser *p)
{
    struct ptx_scope *scope = &p->scope[p->n_scope - 1];
    if (!settle_refs(p, scope->first_ref, p->n_scope == 2))
        return false;
    for (struct ptx_sym *s = scope->sym, *next; s; s = next) {
        next = s->next;
        if (s->kind == SYM_LABEL)
            remember_label(p, s);
        s->name->sym = s->outer;
        s->next = p->free_sym;
        p->free_sym = s;
    }
    p->n_scope--;
    return true;
}

static struct ptx_sym *new_sym(struct ptx_parser *p)
{
    struct ptx_sym *s = p->free_sym;
    if (!s)
        return ptx_alloc(&p->scratch, sizeof(*s));
    p->free_sym = s->next;
    return s;
}

struct ptx_sym *ptx_declare_name(struct ptx_parser *p, struct ptx_name *name,
                                 const struct ptx_tok *t, enum ptx_sym_kind kind)
{
    u32 depth = p->n_scope - 1;
    if (name->sym && name->sym->depth == depth) {
        const char *what = kind == SYM_LABEL && name->sym->kind == SYM_LABEL ? "label " : "";
        ptx_fail(p, t, "%s'%.*s' is already declared in line %u", what, PTX_SHOW, name->s,
                 name->sym->line);
        return NULL;
    }
    struct ptx_scope *scope = &p->scope[depth];
    struct ptx_sym *s = new_sym(p);
    *s = (struct ptx_sym){.name = name,
                          .outer = name->sym,
                          .next = scope->sym,
                          .kind = kind,
                          .depth = depth,
                          .line = t->line};
    scope->sym = name->sym = s;
    return s;
}

struct ptx_sym *ptx_declare(struct ptx_parser *p, const struct ptx_tok *t, enum ptx_sym_kind kind)
{
    return ptx_declare_name(p, t->name, t, kind);
}

bool ptx_declare_label(struct ptx_parser *p, const struct ptx_tok *t)
{
    struct ptx_sym *s = ptx_declare(p, t, SYM_LABEL);
    if (!s)
        return false;
    s->index = p->label.n;
    *VEC_ADD(&p->label) = (struct ptx_label){t->name->s, p->inst.n};
    return true;
}

void ptx_refer_label(struct ptx_parser *p, struct ptx_name *name, u32 line, u32 col, u32 *slot)
{
    *VEC_ADD(&p->ref) = (struct ptx_ref){name, slot, line, col};
}

/* Names that PTX has and the machine has not: known, so that the message is the right one. */
static const char *const no_machine[] = {
    "%aggr_smem_size",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%current_graph_exec",
    "%is_explicit_cluster",
    "%clusterid",
    "%nclusterid",
    "%cluster_ctaid",
    "%cluster_nctaid",
    "%cluster_ctarank",
    "%cluster_nctarank",
};

/* "%pm3", "%pm3_64", "%envreg17", "%reserved_smem_offset_1": a number of at most two digits. */
static bool is_numbered(const char *name, const char *stem, const char *end, u32 limit)
{
    size_t n = strlen(stem);
    if (strncmp(name, stem, n) != 0 || name[n] < '0' || name[n] > '9')
        return false;
    u32 v = (u32)(name[n++] - '0');
    if (v && name[n] >= '0' && name[n] <= '9')
        v = v * 10 + (u32)(name[n++] - '0');
    return v < limit && strcmp(name + n, end) == 0;
}

bool ptx_sreg_known(const char *name)
{
    size_t n = strlen(name);

    for (u32 i = 0; i < SR_PM; i++) /* "%tid" is a name of "%tid.x" */
        if (!strncmp(sreg_name[i], name, n) && (!sreg_name[i][n] || sreg_name[i][n] == '.'))
            return true;
    for (u32 i = 0; i < LEN(no_machine); i++)
        if (strcmp(no_machine[i], name) == 0)
            return true;
    return is_numbered(name, "%pm", "", 8) || is_numbered(name, "%pm", "_64", 8) ||
           is_numbered(name, "%envreg", "", 32) ||
           is_numbered(name, "%reserved_smem_offset_", "", 2);
}

bool ptx_undeclared(struct ptx_parser *p, const struct ptx_tok *t)
{
    VEC(const char *) names = {0};
    char stem[SR_PM][24];

    for (struct ptx_name *i = p->lex.names.first; i; i = i->later)
        if (i->sym)
            *VEC_ADD(&names) = i->s;
    for (u32 i = 0; i < SR_PM; i++) { /* without .x: the element is a token of its own */
        snprintf(stem[i], sizeof(stem[i]), "%.*s", (int)strcspn(sreg_name[i], "."), sreg_name[i]);
        *VEC_ADD(&names) = stem[i];
    }
    struct err_hint h;

    err_hint(&h, t->name->s, names.at, names.n, "; did you mean '", "'?");
    VEC_FREE(&names);
    return ptx_fail(p, t, "'%.*s' is not declared%s", PTX_SHOW, t->name->s, h.text);
}
