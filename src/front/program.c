/* program.c -- see program.h */
#include "front/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mangle.h"
#include "base/text.h"
#include "front/builtin.h"
#include "front/encode.h"
#include "front/ir.h"
#include "front/select.h"

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

        f->param[i] =
            (struct param){v->name, fl->param_off[i], (u32)v->size, v->align, v->type, v->is_array};
    }
    memcpy(f->maxntid, pf->maxntid, sizeof f->maxntid);
    memcpy(f->reqntid, pf->reqntid, sizeof f->reqntid);
    f->dynamic = fl->dynamic;
    f->shared = fl->shared;
}

static u32 register_cap(const struct front_conf *c, const struct ptx_func *pf)
{
    u32 cap = pf->maxnreg, key = (u32)c->max_regs;

    return cap && key ? min_u32(cap, key) : cap | key;
}

static bool compile(struct program *p, const struct layout *l, const struct ptx_func *pf,
                    const struct front_conf *c, struct err *e)
{
    struct func *out = &p->func[pf->id];
    struct lower_opts opts = {.contract = c->contract, .max_regs = register_cap(c, pf)};

    copy_signature(out, pf, &l->func[pf->id]);
    if (!pf->has_body) {
        out->builtin = builtin_find(pf->name);
        return true;
    }
    struct ir_func *f = select_func(l, pf, e);

    if (!f)
        return false;
    p->ir[pf->id] = f;
    cfg_build(f, p->lowered);
    if (!(p->lowered ? lower_func(f, &opts, e) : encode_plain_rows(f, e)))
        return err_at(e, "%s", p->path);
    return encode_func(p, out, f, e) || err_at(e, "%s", p->path);
}

/* ---- sums over the call graph: registers, local memory, shared memory */

enum { UNSEEN, OPEN, DONE };

struct graph {
    struct program *p;
    u8 *state;
    u32 *local, *rows, *preds; /* of each function with its callees */
};

static u32 widest(u32 a, u32 b)
{
    return a > b ? a : b;
}

static void visit(struct graph *g, u32 id);

/* A call through a register may reach any function of the module that is not a kernel. */
static void visit_callees(struct graph *g, struct func *f, u32 most[3])
{
    for (u32 s = 0; s < f->n_site; s++)
        for (u32 c = 0; c < g->p->n_func; c++) {
            bool direct = f->site[s].func == c;
            bool any =
                f->site[s].func == IR_NONE && !g->p->func[c].is_entry && g->p->func[c].n_inst;

            if (!direct && !any)
                continue;
            visit(g, c);
            if (g->state[c] == OPEN)
                f->recursive = g->p->func[c].recursive = true;
            f->recursive |= g->p->func[c].recursive;
            most[0] = widest(most[0], g->local[c]);
            most[1] = widest(most[1], g->rows[c]);
            most[2] = widest(most[2], g->preds[c]);
        }
}

static void visit(struct graph *g, u32 id)
{
    struct func *f = &g->p->func[id];
    u32 most[3] = {0, 0, 0};

    if (g->state[id] != UNSEEN)
        return;
    g->state[id] = OPEN;
    g->local[id] = f->frame, g->rows[id] = f->n_row, g->preds[id] = f->n_pred;
    visit_callees(g, f, most);
    if (most[1]) /* a callee's registers start at an even row */
        g->rows[id] = (u32)align_up(f->n_row, 2) + most[1];
    g->local[id] = min_u32(g->local[id] + most[0], 2 * MAX_LOCAL_BYTES);
    g->preds[id] += most[2];
    g->state[id] = DONE;
}

/* A frame of the largest function for every level that a recursion may reach. */
static void reserve_recursion(struct program *p, struct func *f, u32 depth)
{
    u32 frame = 0, rows = 0, preds = 0;

    for (u32 i = 0; i < p->n_func; i++) {
        frame = widest(frame, p->func[i].frame);
        rows = widest(rows, (u32)align_up(p->func[i].n_row, 2));
        preds = widest(preds, p->func[i].n_pred);
    }
    if (frame && (u64)depth * frame > MAX_LOCAL_BYTES)
        depth = MAX_LOCAL_BYTES / frame;
    f->local += depth * frame;
    f->rows += depth * rows;
    f->preds += depth * preds;
}

static void sum_call_graph(struct program *p, const struct front_conf *c)
{
    struct graph g = {p, xcalloc(p->n_func + 1, 1), xcalloc(p->n_func + 1, 4),
                      xcalloc(p->n_func + 1, 4), xcalloc(p->n_func + 1, 4)};

    for (u32 i = 0; i < p->n_func; i++) {
        struct func *f = &p->func[i];

        memset(g.state, UNSEEN, p->n_func);
        visit(&g, i);
        f->local = g.local[i], f->rows = g.rows[i], f->preds = g.preds[i];
        f->regs = p->lowered ? f->rows : f->max_live;
        if (f->recursive)
            reserve_recursion(p, f, (u32)c->call_depth);
        u32 told = f->is_entry ? front_conf_regs(c, f->name) : 0;

        f->regs = told ? told : f->regs ? f->regs : 1;
    }
    free(g.state), free(g.local), free(g.rows), free(g.preds);
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
            p->func[i].max_live = widest(p->func[i].max_live, n32[k]);
        free(n32);
        live_free(l);
    }
}

static void add_var(struct program *p, const struct ptx_var *v, u64 addr, u32 texture)
{
    p->var = xrealloc(p->var, (p->n_var + 1) * sizeof p->var[0]);
    p->var[p->n_var++] = (struct var){.name = v->name,
                                      .space = v->space,
                                      .size = v->size,
                                      .addr = addr,
                                      .align = v->align,
                                      .is_texture = texture != IR_NONE,
                                      .texture = texture,
                                      .ptx = v};
}

static void collect_vars(struct program *p, const struct layout *l)
{
    for (u32 i = 0; i < p->ptx->n_var; i++) {
        const struct ptx_var *v = p->ptx->var[i];

        if (v->space == PS_GLOBAL || v->space == PS_CONST || l->texture[i] != IR_NONE)
            add_var(p, v, l->var_addr[i], l->texture[i]);
    }
    for (u32 i = 0; i < p->ptx->n_func; i++)
        for (u32 k = 0; k < p->ptx->func[i]->n_var; k++) {
            const struct ptx_var *v = p->ptx->func[i]->var[k];

            if (v->space == PS_GLOBAL || v->space == PS_CONST)
                add_var(p, v, l->func[i].var_off[k], IR_NONE);
        }
    p->n_texture = l->n_texture;
}

static bool build(struct program *p, const struct front_conf *c, u64 var_base, struct err *e)
{
    struct layout l;

    layout_new(&l, p->ptx, var_base);
    bool ok = layout_check(&l, e);

    p->n_func = p->ptx->n_func;
    p->func = xcalloc(p->n_func + 1, sizeof p->func[0]);
    p->ir = xcalloc(p->n_func + 1, sizeof p->ir[0]);
    for (u32 i = 0; i < p->n_func && ok; i++)
        ok = compile(p, &l, p->ptx->func[i], c, e);
    if (ok) {
        collect_vars(p, &l);
        if (!p->lowered)
            count_unlowered(p);
        sum_call_graph(p, c);
    }
    layout_free(&l);
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
                             const struct front_conf *conf, u64 var_base, bool keep_ir,
                             struct err *e)
{
    struct program *p = xcalloc(1, sizeof *p);

    p->path = text_dup(path);
    p->lowered = conf->lower;
    p->ptx = ptx_parse(path, text, len, e);
    if (!p->ptx || !build(p, conf, var_base, e)) {
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
    if (!found) {
        const char *near = err_nearest(name, names, n);

        if (near)
            err_set(e, "%s: no kernel '%s'; did you mean '%s'?", p->path, name, near);
        else if (n == 1)
            err_set(e, "%s: no kernel '%s'; it has only '%s'", p->path, name, names[0]);
        else if (n)
            err_set(e, "%s: no kernel '%s'; the first of its %u is '%s'", p->path, name, n,
                    names[0]);
        else
            err_set(e, "%s: no kernel '%s'; the module has none", p->path, name);
    }
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
