/*
 * cc_check.c -- what nvlink would say of a whole program's device code: names that exist nowhere
 * (see cc.h).
 */
#include <string.h>

#include "base/mangle.h"
#include "base/text.h"
#include "cc/cc.h"
#include "ptx/parse/ptx.h"
#include "ptx/select/builtin.h"

struct name_check {
    const struct ptx_module *m;
    u32 line;                  /* of the PTX, of the instruction that uses the name */
    const struct ptx_var *var; /* or the variable that does */
    struct err *e;
};

/*
 * Without the line of PTX, which has nothing that the message has not.  Nothing says where
 * variables stand in the source, so their names have to do.
 */
static bool undefined(const struct name_check *k, const char *what, const char *name)
{
    char label[256], user[256];
    mangle_show(name, label, sizeof(label));
    if (k->var)
        return err_set(k->e, "%s: undefined device %s %s (%s) in the initial value of %s",
                       k->m->path, what, label, name,
                       mangle_show(k->var->name, user, sizeof(user)));
    ptx_err(k->m, k->line, 0, k->e,
            "undefined device %s %s (%s): it is declared, but nowhere defined", what, label, name);
    k->e->excerpt[0] = 0;
    return false;
}

static bool check_callee(const struct name_check *k, const struct ptx_func *f)
{
    return f->has_body || builtin_find(f->name) || undefined(k, "function", f->name);
}

/* Shared memory of unknown size is the launch's. */
static bool check_var(const struct name_check *k, const struct ptx_var *v)
{
    bool elsewhere = v->is_extern && (v->space == PS_GLOBAL || v->space == PS_CONST);
    return !elsewhere || undefined(k, "variable", v->name);
}

static bool check_opnd(const struct name_check *k, const struct ptx_opnd *o)
{
    if ((o->kind == PO_FUNC && !check_callee(k, o->func)) ||
        (o->kind == PO_VAR && !check_var(k, o->var)))
        return false;
    for (u32 i = 0; i < o->n_elem; i++)
        if (!check_opnd(k, &o->elem[i]))
            return false;
    return true;
}

static bool check_body(struct name_check *k, const struct ptx_func *f)
{
    for (u32 i = 0; i < f->n_inst; i++) {
        const struct ptx_inst *in = &f->inst[i];
        k->line = in->line;
        for (u32 o = 0; o < in->n_opnd; o++)
            if (!check_opnd(k, &in->opnd[o]))
                return false;
    }
    return true;
}

static bool check_init(struct name_check *k, const struct ptx_var *v)
{
    k->var = v;
    for (const struct ptx_reloc *r = v->reloc; r; r = r->next)
        if ((r->func && !check_callee(k, r->func)) || (r->var && !check_var(k, r->var)))
            return false;
    return true;
}

static bool check_module(const struct ptx_module *m, struct err *e)
{
    struct name_check k = {.m = m, .e = e};
    for (u32 i = 0; i < m->n_func; i++)
        if (!check_body(&k, m->func[i]))
            return false;
    for (u32 i = 0; i < m->n_var; i++)
        if (!check_init(&k, m->var[i]))
            return false;
    return true;
}

/* PTX that cannot be read is told when the program wants it: much of a program may never do so. */
bool cc_check_names(const struct cc_input *in, const char *ptx, struct err *e)
{
    struct err unread;
    size_t len;
    char *text = text_read_file(ptx, &len, e);
    if (!text)
        return false;
    struct ptx_module *m = ptx_parse(in->path, text, strlen(text), &unread);
    bool ok = !m || check_module(m, e);
    ptx_free(m);
    free(text);
    return ok;
}
