/*
 * rt_managed.c -- __managed__ variables: one variable for the host and for kernels.
 *
 * The host's stand-in for such a variable is the variable: it lies in a section of its own, by
 * which it is known (smelt/managed.h), and kernels reach it at its own address like any memory of
 * the host that is mapped.  Its initial value is in the PTX only, so that is read before main.
 */
#include <stdlib.h>
#include <string.h>

#include "rt/fatbin.h"
#include "rt/rt.h"

struct host_range {
    const u8 *begin, *end;
};

static VEC(struct host_range) ranges;

void __smeltRegisterManaged(void *begin, void *end)
{
    RT_VOID(*VEC_ADD(&ranges) = ((struct host_range){begin, end}));
}

bool rt_is_managed(const void *shadow)
{
    const u8 *at = shadow;

    for (u32 i = 0; i < ranges.n; i++)
        if (at >= ranges.at[i].begin && at < ranges.at[i].end)
            return true;
    return false;
}

/* The next managed variable of the module from the *i-th symbol on, NULL: there is none. */
static const struct rt_symbol *next_managed(const struct rt_module *m, u32 *i)
{
    const struct rt_symbol *s;

    while ((s = rt_symbol_at((*i)++)))
        if (s->managed && s->module == m)
            return s;
    return NULL;
}

static u8 *bytes_of_shadow(const struct rt_symbol *s)
{
    return (u8 *)(uintptr_t)s->shadow;
}

static void fill_shadow(const struct ptx_module *ptx, const struct rt_symbol *s)
{
    for (u32 i = 0; i < ptx->n_var; i++) {
        const struct ptx_var *v = ptx->var[i];

        if (!strcmp(v->name, s->name) && v->init)
            memcpy(bytes_of_shadow(s), v->init, v->size);
    }
}

/* What is wrong with a text is told when the program first uses it. */
void rt_managed_begin(struct rt_module *m)
{
    struct err unread;
    u32 i = 0;
    const struct rt_symbol *s = next_managed(m, &i);
    struct ptx_module *ptx = s ? ptx_parse(m->name, m->text, m->len, &unread) : NULL;

    for (; s && ptx; s = next_managed(m, &i))
        fill_shadow(ptx, s);
    if (ptx)
        ptx_free(ptx);
}

struct var_pin *rt_managed_pins(const struct rt_module *m, u32 *n)
{
    VEC(struct var_pin) pin = {0};
    u32 i = 0;

    for (const struct rt_symbol *s; (s = next_managed(m, &i));)
        *VEC_ADD(&pin) = (struct var_pin){s->name, (u64)(uintptr_t)s->shadow};
    *n = pin.n;
    return pin.at;
}

/* Addresses in the initial value are only known now; after a reset all of it counts again. */
static void fill_again(const struct rt_module *m, const struct rt_symbol *s, const struct var *v,
                       bool anew)
{
    u8 *init = xmalloc(v->size);

    program_init_var(m->prog, v, init);
    if (anew)
        memcpy(bytes_of_shadow(s), init, v->size);
    for (const struct ptx_reloc *r = v->ptx->reloc; r; r = r->next)
        memcpy(bytes_of_shadow(s) + r->off, init + r->off, r->bytes);
    free(init);
}

bool rt_managed_map(struct rt_module *m, bool anew, struct err *e)
{
    u32 i = 0;

    for (const struct rt_symbol *s; (s = next_managed(m, &i));) {
        const struct var *v = program_var(m->prog, s->name);

        if (!v || !v->size) /* no kernel uses it */
            continue;
        const struct rt_host h = {.at = bytes_of_shadow(s), .size = v->size, .kind = RT_VARIABLE};

        if (!rt_host_map(&h, e))
            return err_at(e, "%s: __managed__ variable %s (is it linked with -no-pie?)", m->name,
                          s->name);
        fill_again(m, s, v, anew);
    }
    return true;
}
