/*
 * layout.c -- where variables stand: module variables, shared memory, frames, parameters
 *
 * Module variables (.global, .const) follow each other from places->base, arrays aligned
 * to 128 bytes; with 64-bit addresses each has a tag (vmem.h).  Static shared memory of a kernel:
 * first what functions of the module use (they must find it at the same place whoever calls them),
 * then the kernel's own; dynamic shared memory follows.
 */
#include "ptx/select/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "isa/tag.h"
#include "ptx/select/builtin.h"
#include "ptx/select/select_int.h"

/* Sums of hostile sizes stay in 32 bits; layout_check refuses them. */
enum { LAYOUT_MAX = 1 << 30 };

static u32 capped(u64 n)
{
    return n > LAYOUT_MAX ? LAYOUT_MAX : (u32)n;
}

static u64 place_variable(u64 *at, const struct ptx_var *v)
{
    u64 align = v->size > 128 && v->align < 128 ? 128 : v->align;

    *at = align_up(*at, align ? align : 1);
    u64 here = *at;

    *at += v->size;
    return here;
}

/* Where variables of the module go: the next free place, and the tag of the last. */
struct var_place {
    u64 at, tag;
    bool tagged;
};

static u64 place_var(struct var_place *p, const struct ptx_var *v)
{
    u64 here = place_variable(&p->at, v);

    return p->tagged ? tag_put(here, p->tag++) : here;
}

/* What is named by a handle. */
static bool is_texture(const struct ptx_var *v)
{
    return v->space == PS_TEX || v->type == PT_TEXREF || v->type == PT_SURFREF;
}

const struct var_pin *layout_pin(const struct layout *l, const struct ptx_var *v)
{
    for (u32 i = 0; i < l->places->n_pin; i++)
        if (!strcmp(l->places->pin[i].name, v->name))
            return &l->places->pin[i];
    return NULL;
}

static void place_globals(struct layout *l)
{
    u64 base = l->places->base;
    struct var_place next = {base, base / 256, l->m->address_size == 64};

    l->texture = xcalloc(l->m->n_var + 1, sizeof l->texture[0]);
    l->texture_name = xcalloc(l->m->n_var + 1, sizeof l->texture_name[0]);
    for (u32 i = 0; i < l->m->n_var; i++) {
        const struct ptx_var *v = l->m->var[i];
        const struct var_pin *pin = layout_pin(l, v);

        l->texture[i] = IR_NONE;
        if (is_texture(v)) {
            l->texture_name[l->n_texture] = v->name;
            l->var_addr[i] = HANDLE_REF + l->n_texture;
            l->texture[i] = l->n_texture++;
        } else if (v->space == PS_GLOBAL || v->space == PS_CONST) {
            l->var_addr[i] = pin ? pin->addr : place_var(&next, v);
        }
    }
    for (u32 i = 0; i < l->m->n_func; i++) { /* static variables inside functions */
        const struct ptx_func *pf = l->m->func[i];

        for (u32 k = 0; k < pf->n_var; k++)
            if (pf->var[k]->space == PS_GLOBAL || pf->var[k]->space == PS_CONST)
                l->func[i].var_off[k] = place_var(&next, pf->var[k]);
    }
}

/* Which module .shared variables a function names. */
static void mark_shared(const struct ptx_opnd *o, u8 *used)
{
    if (o->var && !o->var->func && o->var->space == PS_SHARED)
        used[o->var->id] = 1;
    for (u32 i = 0; i < o->n_elem; i++)
        mark_shared(&o->elem[i], used);
}

static void shared_used(const struct ptx_func *pf, u8 *used)
{
    for (u32 i = 0; i < pf->n_inst; i++)
        for (u32 k = 0; k < pf->inst[i].n_opnd; k++)
            mark_shared(&pf->inst[i].opnd[k], used);
}

static bool has_calls(const struct ptx_func *pf)
{
    for (u32 i = 0; i < pf->n_inst; i++)
        if (!strcmp(pf->inst[i].name, "call"))
            return true;
    return false;
}

static u64 place_own_shared(struct layout *l, u32 id, u64 at)
{
    const struct ptx_func *pf = l->m->func[id];

    for (u32 k = 0; k < pf->n_var; k++)
        if (pf->var[k]->space == PS_SHARED && pf->var[k]->size)
            l->func[id].var_off[k] = capped(place_variable(&at, pf->var[k]));
    return at;
}

static void kernel_shared(struct layout *l, u32 id, const u8 *common, u64 common_end)
{
    struct func_layout *fl = &l->func[id];
    u8 *used = xcalloc(l->m->n_var + 1, 1);
    u64 at = has_calls(l->m->func[id]) ? common_end : 0;

    shared_used(l->m->func[id], used);
    for (u32 i = 0; i < l->m->n_var; i++)
        if (used[i] && common[i])
            at = at > common_end ? at : common_end;
    for (u32 i = 0; i < l->m->n_var; i++)
        if (used[i] && !common[i] && l->m->var[i]->size)
            fl->shared_addr[i] = place_variable(&at, l->m->var[i]);
    at = place_own_shared(l, id, at);
    fl->shared = capped(at);
    fl->dynamic = (u32)align_up(fl->shared, 16);
    free(used);
}

static void place_shared(struct layout *l)
{
    const struct ptx_module *m = l->m;
    u8 *common = xcalloc(m->n_var + 1, 1);
    u64 *addr = xcalloc(m->n_var + 1, sizeof *addr), at = 0;
    u32 dynamic = 0;
    bool dynamic_in_func = false;

    for (u32 i = 0; i < m->n_func; i++)
        if (!m->func[i]->is_entry)
            shared_used(m->func[i], common);
    for (u32 i = 0; i < m->n_var; i++) {
        dynamic_in_func |= common[i] && !m->var[i]->size;
        if (common[i])
            addr[i] = place_variable(&at, m->var[i]);
    }
    for (u32 i = 0; i < m->n_func; i++)
        if (!m->func[i]->is_entry)
            at = place_own_shared(l, i, at);
    for (u32 i = 0; i < m->n_func; i++) {
        memcpy(l->func[i].shared_addr, addr, m->n_var * sizeof *addr);
        if (m->func[i]->is_entry)
            kernel_shared(l, i, common, at);
        dynamic = l->func[i].dynamic > dynamic ? l->func[i].dynamic : dynamic;
    }
    for (u32 i = 0; i < m->n_func; i++) /* functions must find it in one place in all kernels */
        if (dynamic_in_func)
            l->func[i].dynamic = dynamic;
    free(common), free(addr);
}

/* Local variables of the module: at the beginning of every kernel's local memory. */
static u64 place_locals(struct layout *l)
{
    u64 at = 0;

    for (u32 i = 0; i < l->m->n_var; i++)
        if (l->m->var[i]->space == PS_LOCAL)
            l->var_addr[i] = capped(place_variable(&at, l->m->var[i]));
    return at;
}

static void place_frame(struct layout *l, u32 id, u64 locals)
{
    const struct ptx_func *pf = l->m->func[id];
    struct func_layout *fl = &l->func[id];
    u32 end;
    u64 at;

    sel_frame_offsets(pf, fl->ret_off, fl->param_off, &end);
    fl->param_bytes = end;
    if (pf->is_entry && pf->n_param) {
        const struct ptx_var *p = pf->param[pf->n_param - 1];

        fl->param_bytes = capped(fl->param_off[pf->n_param - 1] + p->size);
    }
    at = pf->is_entry ? locals : end;
    for (u32 k = 0; k < pf->n_var; k++)
        if (pf->var[k]->space == PS_LOCAL || pf->var[k]->space == PS_PARAM)
            fl->var_off[k] = capped(place_variable(&at, pf->var[k]));
    fl->frame = capped(align_up(at, 16));
}

void layout_new(struct layout *l, const struct ptx_module *m, const struct var_places *places)
{
    memset(l, 0, sizeof *l);
    l->m = m;
    l->places = places;
    l->var_addr = xcalloc(m->n_var + 1, sizeof l->var_addr[0]);
    u64 locals = place_locals(l);

    l->func = xcalloc(m->n_func + 1, sizeof l->func[0]);
    for (u32 i = 0; i < m->n_func; i++) {
        struct func_layout *fl = &l->func[i];

        fl->var_off = xcalloc(m->func[i]->n_var + 1, sizeof(u64));
        fl->ret_off = xcalloc(m->func[i]->n_ret + 1, sizeof(u32));
        fl->param_off = xcalloc(m->func[i]->n_param + 1, sizeof(u32));
        fl->shared_addr = xcalloc(m->n_var + 1, sizeof(u64));
        place_frame(l, i, locals);
    }
    place_globals(l);
    place_shared(l);
}

static bool check_func(const struct ptx_module *m, const struct ptx_func *pf,
                       const struct func_layout *fl, struct err *e)
{
    const char *what = pf->is_entry ? "kernel" : "function";

    for (u32 i = 0; pf->is_entry && i < pf->n_param; i++)
        if (pf->param[i]->space == PS_REG)
            return ptx_err(m, pf->line, 0, e, "kernel '%s': a parameter of a kernel must be .param",
                           pf->name);
    if (pf->is_entry && fl->param_bytes > MAX_PARAM_BYTES)
        return ptx_err(m, pf->line, 0, e, "kernel '%s' has more than %u bytes of parameters",
                       pf->name, MAX_PARAM_BYTES);
    if (fl->frame > MAX_LOCAL_BYTES)
        return ptx_err(m, pf->line, 0, e, "%s '%s' has more than %u bytes of local memory", what,
                       pf->name, MAX_LOCAL_BYTES);
    if (fl->shared > MAX_SHARED_BYTES)
        return ptx_err(m, pf->line, 0, e, "%s '%s' has more than %u bytes of shared memory", what,
                       pf->name, MAX_SHARED_BYTES);
    return true;
}

static bool check_reloc(const struct ptx_module *m, const struct ptx_var *v, struct err *e)
{
    for (const struct ptx_reloc *r = v->reloc; r; r = r->next)
        if (r->func && !r->func->has_body && builtin_find(r->func->name))
            return ptx_err(m, v->line, 0, e,
                           "variable '%s': '%s' is provided by the device and has no address",
                           v->name, r->func->name);
    return true;
}

bool layout_check(const struct layout *l, struct err *e)
{
    for (u32 i = 0; i < l->m->n_var; i++)
        if (!check_reloc(l->m, l->m->var[i], e))
            return false;
    for (u32 i = 0; i < l->m->n_func; i++)
        if (!check_func(l->m, l->m->func[i], &l->func[i], e))
            return false;
    return true;
}

void layout_free(struct layout *l)
{
    for (u32 i = 0; i < l->m->n_func; i++) {
        free(l->func[i].var_off), free(l->func[i].ret_off);
        free(l->func[i].param_off), free(l->func[i].shared_addr);
    }
    free(l->func), free(l->var_addr), free(l->texture), free(l->texture_name);
}
