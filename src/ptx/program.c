/* program.c -- see program.h */
#include "ptx/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mangle.h"
#include "base/text.h"
#include "ptx/encode.h"
#include "ptx/ir.h"
#include "ptx/lower/calls.h"
#include "ptx/select/builtin.h"
#include "ptx/select/select.h"

enum { MIN_BOUNDS_CAP = 16 }; /* what .maxntid and .minnctapersm ask for, at least */

/* What is at hand while a module becomes a program. */
struct build {
    const struct ptx_conf *conf;
    const struct reg_limits *limits; /* or NULL */
    struct layout layout;
    struct calls *calls;
};

static void copy_signature(struct func *f, const struct ptx_func *pf, const struct func_layout *fl)
{
    char label[256];

    f->name = pf->name;
    f->label = text_dup(mangle_show(pf->name, label, sizeof label));
    f->is_entry = pf->is_entry;
    f->id = pf->id;
    f->param_bytes = fl->param_bytes;
    f->n_param = pf->n_param;
    f->param = xcalloc(pf->n_param + 1, sizeof f->param[0]);
    for (u32 i = 0; i < pf->n_param; i++) {
        const struct ptx_var *v = pf->param[i];

        f->param[i] = (struct param){v->name, fl->param_off[i], (u32)v->size, v->type, v->is_array};
    }
    memcpy(f->maxntid, pf->maxntid, sizeof f->maxntid);
    memcpy(f->reqntid, pf->reqntid, sizeof f->reqntid);
    f->dynamic = fl->dynamic;
    f->shared = fl->shared;
}

/* ---- registers per thread */

static u32 least_cap(u32 a, u32 b) /* 0: none */
{
    return a && b ? min_u32(a, b) : a | b;
}

/*
 * .maxntid (or .reqntid) threads must be able to run at all, .minnctapersm times over if that is
 * given.  A number of CTAs that an SM cannot hold whatever their registers is ignored, as NVIDIA's
 * assembler does.
 */
static u32 bounds_cap(const struct reg_limits *g, const struct ptx_func *pf)
{
    const u32 *t = pf->reqntid[0] ? pf->reqntid : pf->maxntid;
    u64 threads = align_up((u64)t[0] * max_u32(t[1], 1) * max_u32(t[2], 1), g->warp_threads);
    u64 ctas = max_u32(pf->minnctapersm, 1);

    if (!threads)
        return 0;
    if (ctas > g->max_ctas || ctas * threads > g->max_threads)
        ctas = 1;
    u32 cap = (u32)(g->per_sm / (threads * ctas));
    return max_u32(cap - cap % g->granule, MIN_BOUNDS_CAP);
}

static u32 register_cap(const struct program *p, const struct build *b, const struct ptx_func *pf)
{
    u32 cap = least_cap((u32)b->conf->max_regs, pf->maxnreg);

    if (!p->lowered || !b->limits)
        return cap;
    cap = least_cap(cap, b->limits->per_thread);
    return least_cap(cap, bounds_cap(b->limits, pf));
}

/* ---- from functions to machine code */

static bool select_all(struct program *p, const struct build *b, struct err *e)
{
    for (u32 i = 0; i < p->n_func; i++) {
        const struct ptx_func *pf = p->ptx->func[i];

        copy_signature(&p->func[i], pf, &b->layout.func[i]);
        if (!pf->has_body)
            p->func[i].builtin = builtin_find(pf->name);
        else if (!(p->ir[i] = select_func(&b->layout, pf, e)))
            return false;
    }
    return true;
}

static bool give_rows(struct program *p, const struct build *b, struct ir_func *f, struct err *e)
{
    struct lower_opts opts = {.contract = b->conf->contract,
                              .schedule = b->conf->schedule,
                              .max_regs = b->calls->cap[f->id]};

    cfg_build(f, p->lowered);
    ir_fill_lines(f);
    calls_tell_sites(b->calls, f);
    if (!(p->lowered ? lower_func(f, &opts, e) : encode_plain_rows(f, e)))
        return err_at(e, "%s", p->path);
    return true;
}

/* Callees first: how many registers they need decides what callers may keep in theirs. */
static bool give_rows_to_all(struct program *p, const struct build *b, struct err *e)
{
    struct calls *c = b->calls;

    for (u32 i = 0; i < p->n_func; i++)
        c->cap[i] = register_cap(p, b, p->ptx->func[i]);
    calls_spread_caps(c);
    for (u32 i = 0; i < c->n; i++) {
        struct ir_func *f = c->order[i] < p->n_func ? p->ir[c->order[i]] : NULL;

        if (f && !give_rows(p, b, f, e))
            return false;
        calls_note_rows(c, i, f);
    }
    return true;
}

static bool encode_all(struct program *p, struct err *e)
{
    size_t n = 1;

    for (u32 i = 0; i < p->n_func; i++)
        n += p->ir[i] ? p->ir[i]->n_inst : 0;
    p->inst = xmalloc(n * sizeof p->inst[0]);
    p->loc = xmalloc(n * sizeof p->loc[0]);
    p->regs = xmalloc(n * sizeof p->regs[0]);
    for (u32 i = 0; i < p->n_func; i++)
        if (p->ir[i] && !encode_func(p, &p->func[i], p->ir[i], e))
            return err_at(e, "%s", p->path);
    return true;
}

/* front.regs may tell another number of registers; and none is too few for the hardware. */
static void tell_regs(struct program *p, const struct ptx_conf *c)
{
    for (u32 i = 0; i < p->n_func; i++) {
        struct func *f = &p->func[i];
        u32 told = f->is_entry ? ptx_conf_regs(c, f->name) : 0;

        f->regs = told ? told : max_u32(f->regs, 1);
    }
}

/* Registers as PTX declares them say nothing about occupancy: liveness does. */
static void count_unlowered(struct program *p)
{
    for (u32 i = 0; i < p->n_func; i++) {
        struct ir_func *f = p->ir[i];

        if (!f)
            continue;
        struct live *l = live_new(f);
        u32 *n32 = xcalloc(f->n_inst + 1, sizeof *n32);

        live_count(l, f, n32);
        for (u32 k = 0; k < f->n_inst; k++)
            p->func[i].max_live = max_u32(p->func[i].max_live, n32[k]);
        free(n32);
        live_free(l);
    }
}

static void add_var(struct program *p, const struct ptx_var *v, u64 addr, u32 texture, bool pinned)
{
    p->var = xrealloc(p->var, (p->n_var + 1) * sizeof p->var[0]);
    p->var[p->n_var++] = (struct var){.name = v->name,
                                      .space = v->space,
                                      .size = v->size,
                                      .addr = addr,
                                      .is_texture = texture != IR_NONE,
                                      .is_pinned = pinned,
                                      .texture = texture,
                                      .ptx = v};
}

static void collect_vars(struct program *p, const struct layout *l)
{
    for (u32 i = 0; i < p->ptx->n_var; i++) {
        const struct ptx_var *v = p->ptx->var[i];

        if (v->space == PS_GLOBAL || v->space == PS_CONST || l->texture[i] != IR_NONE)
            add_var(p, v, l->var_addr[i], l->texture[i], layout_pin(l, v) != NULL);
    }
    for (u32 i = 0; i < p->ptx->n_func; i++)
        for (u32 k = 0; k < p->ptx->func[i]->n_var; k++) {
            const struct ptx_var *v = p->ptx->func[i]->var[k];

            if (v->space == PS_GLOBAL || v->space == PS_CONST)
                add_var(p, v, l->func[i].var_off[k], IR_NONE, false);
        }
    p->n_texture = l->n_texture;
}

static bool compile_module(struct program *p, struct build *b, struct err *e)
{
    if (!layout_check(&b->layout, e) || !select_all(p, b, e))
        return false;
    b->calls = calls_new(p->ptx, p->ir);
    if (!give_rows_to_all(p, b, e) || !encode_all(p, e))
        return false;
    collect_vars(p, &b->layout);
    if (!p->lowered)
        count_unlowered(p);
    calls_sum(b->calls, p, (u32)b->conf->call_depth);
    tell_regs(p, b->conf);
    return true;
}

static bool build(struct program *p, const struct ptx_conf *conf, const struct reg_limits *limits,
                  const struct var_places *places, struct err *e)
{
    struct build b = {.conf = conf, .limits = limits};

    p->n_func = p->ptx->n_func;
    p->func = xcalloc(p->n_func + 1, sizeof p->func[0]);
    p->ir = xcalloc(p->n_func + 1, sizeof p->ir[0]);
    layout_new(&b.layout, p->ptx, places);
    bool ok = compile_module(p, &b, e);

    layout_free(&b.layout);
    calls_free(b.calls);
    return ok;
}

static void free_ir(struct program *p)
{
    for (u32 i = 0; i < p->n_func && p->ir; i++)
        if (p->ir[i]) {
            cfg_free(p->ir[i]);
            ir_free(p->ir[i]);
            free(p->ir[i]);
        }
    free(p->ir);
    p->ir = NULL;
}

struct program *program_load(const char *path, const char *text, size_t len,
                             const struct ptx_conf *conf, const struct reg_limits *limits,
                             u64 var_base, bool keep_ir, struct err *e)
{
    return program_load_at(path, text, len, conf, limits, &(struct var_places){.base = var_base},
                           keep_ir, e);
}

/* PTX runs as it is, and the registers of what a compiler makes of it decide how many CTAs fit. */
static bool count_allocated(struct program *p, const char *text, size_t len,
                            const struct ptx_conf *conf, const struct reg_limits *limits,
                            const struct var_places *places, struct err *e)
{
    struct ptx_conf lowering = *conf; /* a copy of words that are conf's */

    lowering.lower = 1;
    struct program *as = program_load_at(p->path, text, len, &lowering, limits, places, false, e);

    if (!as)
        return false;
    for (u32 i = 0; i < p->n_func; i++)
        p->func[i].regs = as->func[i].regs;
    program_free(as);
    return true;
}

struct program *program_load_at(const char *path, const char *text, size_t len,
                                const struct ptx_conf *conf, const struct reg_limits *limits,
                                const struct var_places *places, bool keep_ir, struct err *e)
{
    struct program *p = xcalloc(1, sizeof *p);

    p->path = text_dup(path);
    p->lowered = conf->lower;
    p->ptx = ptx_parse(path, text, len, e);
    if (!p->ptx || !build(p, conf, limits, places, e)) {
        program_free(p);
        return NULL;
    }
    if (!p->lowered && conf->count && !count_allocated(p, text, len, conf, limits, places, e)) {
        program_free(p);
        return NULL;
    }
    if (!keep_ir)
        free_ir(p);
    return p;
}

static void free_func(struct func *f)
{
    for (u32 i = 0; i < f->n_table; i++)
        free(f->table[i]);
    for (u32 i = 0; i < f->n_site; i++)
        free(f->site[i].arg), free(f->site[i].ret);
    free(f->table), free(f->site), free(f->param), free(f->consts), free(f->list),
        free(f->row_number), free(f->label);
}

void program_free(struct program *p)
{
    if (!p)
        return;
    free_ir(p);
    for (u32 i = 0; i < p->n_func && p->func; i++)
        free_func(&p->func[i]);
    if (p->ptx)
        ptx_free(p->ptx);
    free(p->func), free(p->inst), free(p->loc), free(p->regs), free(p->var), free(p->path);
    free(p);
}

static void no_kernel(const struct program *p, const char *name, const char *const *names, u32 n,
                      struct err *e)
{
    struct err_hint h;

    if (*err_hint(&h, name, names, n, "; did you mean '", "'?"))
        err_set(e, "%s: no kernel '%s'%s", p->path, name, h.text);
    else if (n == 1)
        err_set(e, "%s: no kernel '%s'; it has only '%s'", p->path, name, names[0]);
    else if (n)
        err_set(e, "%s: no kernel '%s'; the first of its %u is '%s'", p->path, name, n, names[0]);
    else
        err_set(e, "%s: no kernel '%s'; the module has none", p->path, name);
}

struct func *program_kernel(const struct program *p, const char *name, struct err *e)
{
    const char **names = xcalloc(p->n_func + 1, sizeof *names);
    struct func *found = NULL;
    u32 n = 0;

    for (u32 i = 0; i < p->n_func; i++) {
        if (!p->func[i].is_entry)
            continue;
        names[n++] = p->func[i].name;
        if (!strcmp(p->func[i].name, name))
            found = &p->func[i];
    }
    if (!found)
        no_kernel(p, name, names, n, e);
    free(names);
    return found;
}

struct var *program_var(const struct program *p, const char *name)
{
    for (u32 i = 0; i < p->n_var; i++)
        if (!strcmp(p->var[i].name, name))
            return &p->var[i];
    return NULL;
}

static u64 reloc_address(const struct program *p, const struct ptx_reloc *r)
{
    if (r->func)
        return func_address(r->func->id);
    for (u32 i = 0; i < p->n_var; i++)
        if (p->var[i].ptx == r->var)
            return p->var[i].addr;
    return 0;
}

void program_init_var(const struct program *p, const struct var *v, u8 *buf)
{
    if (v->ptx->init)
        memcpy(buf, v->ptx->init, v->size);
    else
        memset(buf, 0, v->size);
    for (const struct ptx_reloc *r = v->ptx->reloc; r; r = r->next) {
        u64 a = (reloc_address(p, r) + (u64)r->addend) >> r->shift;

        memcpy(buf + r->off, &a, r->bytes);
    }
}

const char *program_where(const struct program *p, u32 pc, char *buf, size_t size)
{
    const struct src_loc *l = pc < p->n_inst ? &p->loc[pc] : NULL;

    if (!l)
        snprintf(buf, size, "%s", p->path);
    else if (l->src_line && l->file < p->ptx->n_file && p->ptx->file[l->file])
        snprintf(buf, size, "%s:%u (%s:%u)", p->path, l->line, p->ptx->file[l->file], l->src_line);
    else
        snprintf(buf, size, "%s:%u", p->path, l->line);
    return buf;
}
