/* device.c -- see device.h */
#include "gpu/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gpu/functional.h"
#include "gpu/lines.h"
#include "gpu/machine.h"
#include "gpu/tenant.h"
#include "mech/mech.h"
#include "sm/occupancy.h"

static bool add_mechs(struct device *d, struct err *e)
{
    const struct conf *c = &d->conf;
    const struct mech_gpu gpu = {.sm = &c->sm,
                                 .op = &c->op,
                                 .l1i = &c->l1i,
                                 .l1d = &c->l1d,
                                 .l1c = &c->l1c,
                                 .l1t = &c->l1t,
                                 .l2 = &c->l2,
                                 .noc = &c->noc,
                                 .mem = &c->mem,
                                 .dram = &c->dram,
                                 .n_sm = (u32)c->gpu.n_sm,
                                 .core_mhz = c->gpu.core_mhz};

    for (u32 i = 0; i < d->opts.n_mech; i++)
        if (!mech_add(d->mechs, d->opts.mech[i], e))
            return false;
    return mech_fit(d->mechs, &gpu, e);
}

static void add_machine(struct device *d)
{
    const struct run_opts *o = &d->opts;

    /* what --check marks and says is not made for several threads */
    d->machine = machine_new(&d->conf, o->threads && !o->check ? o->threads : 1, o->no_skip);
    machine_attach(d->machine, d->mechs);
}

struct device *device_new(const struct conf *conf, const struct run_opts *opts, struct err *e)
{
    if (!exec_table(opts ? opts->isa : NULL, e))
        return NULL;
    struct device *d = xcalloc(1, sizeof *d);

    conf_copy(&d->conf, conf);
    if (opts)
        d->opts = *opts;
    vmem_init(&d->mem, conf->mem.base, conf->mem.size, conf->mem.guard, conf->mem.align,
              d->opts.check);
    d->mem.heap_size = d->heap_size = conf->mem.heap;
    d->mem.bounds = (enum bounds)conf->mem.bounds, d->mem.slack = conf->mem.slack;
    d->var_next = conf->mem.var_base;
    d->mechs = xcalloc(1, sizeof *d->mechs);
    if (!add_mechs(d, e)) {
        device_free(d);
        return NULL;
    }
    if (opts && !opts->functional)
        add_machine(d);
    return d;
}

static void release_last(struct device *d)
{
    free(d->last.counters);
    VEC_FREE(&d->last.samples);
}

void device_free(struct device *d)
{
    if (!d)
        return;
    for (u32 i = 0; i < d->n_prog; i++) {
        program_free(d->prog[i]);
        free(d->texture[i]);
    }
    vmem_free_all(&d->mem);
    conf_free(&d->conf);
    machine_free(d->machine);
    mech_free(d->mechs);
    free(d->mechs);
    lines_free(d->lines);
    timing_free(d->timing);
    VEC_FREE(&d->times);
    release_last(d);
    for (u32 i = 0; i < d->kernel.n; i++)
        free(d->kernel.at[i].counters);
    VEC_FREE(&d->kernel);
    VEC_FREE(&d->stray_line);
    free(d->prog), free(d->texture);
    VEC_FREE(&d->object);
    free(d);
}

static bool init_var(struct device *d, const struct program *p, const struct var *v, struct err *e)
{
    u8 *init = xmalloc(v->size);

    program_init_var(p, v, init);
    bool ok = vmem_write(&d->mem, v->addr, init, v->size, e);

    free(init);
    return ok;
}

/* Fresh memory is zero, so only what is not, or must count as written, is copied. */
static bool init_fresh_var(struct device *d, const struct program *p, const struct var *v,
                           struct err *e)
{
    if (!v->ptx->init && !v->ptx->reloc && !d->opts.check)
        return true;
    return init_var(d, p, v, e);
}

/* Variables are allocations of their own, so that an overrun of one is caught. */
static bool place_vars(struct device *d, const struct program *p, struct err *e)
{
    const struct mem_conf *mem = &d->conf.mem;
    u64 end = mem->var_base + mem->size < mem->base ? mem->var_base + mem->size : mem->base;

    for (u32 i = 0; i < p->n_var; i++) {
        const struct var *v = &p->var[i];

        if (v->is_texture || v->is_pinned || !v->size)
            continue;
        u64 top = (v->addr & TAG_PLAIN) + v->size;

        if (top > end)
            return err_set(e,
                           "%s: variable %s: no device memory left for its %" PRIu64
                           " bytes (mem.size, mem.var_base, mem.base)",
                           p->path, v->name, v->size);
        if (!vmem_alloc_var(&d->mem, v->addr, v->size, v->name, e))
            return err_at(e, "%s: variable %s", p->path, v->name);
        if (!init_fresh_var(d, p, v, e))
            return false;
        d->var_next = align_up(top, 256);
    }
    return true;
}

struct program *device_load(struct device *d, const char *path, const char *text, size_t len,
                            struct err *e)
{
    return device_load_pinned(d, path, text, len, NULL, 0, e);
}

/* Where code that is loaded after it begins: no line of a cache has code of both. */
static u32 code_end(const struct program *p)
{
    return (u32)align_up(p->first_inst + p->n_inst, 256);
}

struct program *device_load_pinned(struct device *d, const char *path, const char *text, size_t len,
                                   const struct var_pin *pin, u32 n_pin, struct err *e)
{
    struct reg_limits limits = conf_reg_limits(&d->conf);
    const struct var_places places = {d->var_next, pin, n_pin};
    struct program *p = program_load_at(path, text, len, &d->conf.ptx, &limits, &places, false, e);

    if (!p)
        return NULL;
    hash_bytes(text, len, p->hash);
    if (!place_vars(d, p, e)) {
        program_free(p);
        return NULL;
    }
    p->first_inst = d->n_prog ? code_end(d->prog[d->n_prog - 1]) : 0;
    d->prog = xrealloc(d->prog, (d->n_prog + 1) * sizeof d->prog[0]);
    d->texture = xrealloc(d->texture, (d->n_prog + 1) * sizeof d->texture[0]);
    d->texture[d->n_prog] = xcalloc(p->n_texture + 1, sizeof(struct texture));
    return d->prog[d->n_prog++] = p;
}

u64 device_alloc(struct device *d, u64 bytes, struct err *e)
{
    return vmem_alloc(&d->mem, bytes, e);
}

bool device_release(struct device *d, u64 addr, struct err *e)
{
    return vmem_release(&d->mem, addr, e);
}

bool device_write(struct device *d, u64 addr, const void *from, u64 bytes, struct err *e)
{
    if (!vmem_write(&d->mem, addr, from, bytes, e))
        return false;
    if (d->machine)
        machine_warm(d->machine, vmem_bus(&d->mem, addr), bytes);
    return true;
}

bool device_read(struct device *d, u64 addr, void *to, u64 bytes, struct err *e)
{
    return vmem_read(&d->mem, addr, to, bytes, e);
}

bool device_set(struct device *d, u64 addr, int byte, u64 bytes, struct err *e)
{
    return vmem_set(&d->mem, addr, byte, bytes, e);
}

bool device_map(struct device *d, void *host, u64 bytes, struct err *e)
{
    return vmem_map(&d->mem, host, bytes, e);
}

bool device_unmap(struct device *d, const void *host, struct err *e)
{
    return vmem_unmap(&d->mem, host, e);
}

bool device_set_heap(struct device *d, u64 bytes, struct err *e)
{
    if (d->mem.heap_touched)
        return err_program(e, "the heap cannot be resized: a kernel has used malloc");
    if (bytes > d->conf.mem.size)
        return err_program(e,
                           "a heap of %" PRIu64 " bytes is more than the device's memory, %" PRIu64
                           " (mem.size)",
                           bytes, d->conf.mem.size);
    d->mem.heap_size = d->heap_size = bytes;
    return true;
}

bool device_reset_vars(struct device *d, struct program *p, struct err *e)
{
    for (u32 i = 0; i < p->n_var; i++)
        if (!p->var[i].is_texture && !p->var[i].is_pinned && p->var[i].size &&
            !init_var(d, p, &p->var[i], e))
            return false;
    return true;
}

bool device_reset(struct device *d, struct err *e)
{
    vmem_reset(&d->mem);
    d->mem.heap_size = d->heap_size = d->conf.mem.heap;
    d->object.n = 0;
    for (u32 i = 0; i < d->n_prog; i++) {
        memset(d->texture[i], 0, d->prog[i]->n_texture * sizeof d->texture[i][0]);
        if (!device_reset_vars(d, d->prog[i], e))
            return false;
    }
    return true;
}

static u32 index_of(const struct device *d, const struct program *p)
{
    u32 i = 0;

    while (i < d->n_prog && d->prog[i] != p)
        i++;
    ensure_here(i < d->n_prog);
    return i;
}

bool device_bind_texture(struct device *d, struct program *p, const char *name,
                         const struct texture *t, struct err *e)
{
    const struct var *v = program_var(p, name);

    if (!v || !v->is_texture)
        return err_set(e, "%s: no texture '%s'", p->path, name);
    d->texture[index_of(d, p)][v->texture] = *t;
    d->texture[index_of(d, p)][v->texture].bound = true;
    return true;
}

/* The lowest number that is free, so that a program which makes and drops them needs few. */
u64 device_texture_new(struct device *d, const struct texture *t)
{
    u32 n = 0;

    while (n < d->object.n && d->object.at[n].bound)
        n++;
    if (n == d->object.n)
        VEC_ADD(&d->object);
    d->object.at[n] = *t;
    d->object.at[n].bound = true;
    return n + 1;
}

static struct texture *object_of(struct device *d, u64 handle)
{
    return handle - 1 < d->object.n && d->object.at[handle - 1].bound ? &d->object.at[handle - 1]
                                                                      : NULL;
}

const struct texture *device_texture(struct device *d, u64 handle)
{
    return object_of(d, handle);
}

bool device_texture_free(struct device *d, u64 handle, struct err *e)
{
    struct texture *t = object_of(d, handle);

    if (!t)
        return err_set(e, "0x%" PRIx64 " is no texture or surface object", handle);
    t->bound = false;
    return true;
}

/* ---- occupancy */

static u32 occupancy_of_keys(const struct device *d, const struct launch *l, const char **limit,
                             enum refusal *refusal, struct err *e)
{
    struct shape shape;

    shape_of_keys(&shape, &d->conf.sm, &d->conf.l1d);
    return occupancy(&shape, &d->conf.sm, l, limit, refusal, e);
}

u32 device_fit(const struct device *d, struct program *p, const char *kernel, const u32 block[3],
               u32 smem, const char **limit, struct err *e)
{
    struct launch l = {.prog = p,
                       .func = program_kernel(p, kernel, e),
                       .grid = {1, 1, 1},
                       .block = {block[0], block[1], block[2]},
                       .smem = smem};
    enum refusal unused;
    bool ready = l.func && launch_prepare(&l, e);
    u32 n = ready ? occupancy_of_keys(d, &l, limit, &unused, e) : 0;

    launch_release(&l);
    return n;
}

/* ---- launches */

struct launch_result *device_new_result(struct device *d, const struct launch *l)
{
    struct launch_result *r = &d->last;

    release_last(d);
    memset(r, 0, sizeof *r);
    d->n_launch++;
    r->kernel = l->func->name;
    r->label = l->func->label;
    memcpy(r->grid, l->grid, sizeof r->grid);
    memcpy(r->block, l->block, sizeof r->block);
    r->smem = l->smem, r->regs = l->func->regs, r->shared = l->shared, r->local = l->func->local;
    return r;
}

static struct kernel_sum *sum_of(struct device *d, const struct launch_result *r)
{
    for (u32 i = 0; i < d->kernel.n; i++)
        if (d->kernel.at[i].kernel == r->kernel)
            return &d->kernel.at[i];
    struct kernel_sum *s = VEC_ADD(&d->kernel);

    *s = (struct kernel_sum){.kernel = r->kernel,
                             .label = r->label,
                             .regs = r->regs,
                             .ctas_per_sm = r->ctas_per_sm,
                             .limit = r->limit};
    memcpy(s->first_grid, r->grid, sizeof r->grid);
    memcpy(s->first_block, r->block, sizeof r->block);
    return s;
}

static void add_time(struct device *d, const struct launch_result *r)
{
    d->several_streams |= d->times.n && d->times.at[0].stream != r->stream;
    if (d->times.n < MAX_TIMES)
        *VEC_ADD(&d->times) = (struct launch_time){.kernel = r->kernel,
                                                   .stream = r->stream,
                                                   .begin_ps = r->begin_ps,
                                                   .end_ps = r->begin_ps + r->time_ps};
}

void device_add_result(struct device *d)
{
    const struct launch_result *r = &d->last;
    struct kernel_sum *s = sum_of(d, r);

    add_time(d, r);

    memcpy(s->last_grid, r->grid, sizeof r->grid);
    memcpy(s->last_block, r->block, sizeof r->block);
    s->n++;
    s->warp_insts += r->n.warp_insts;
    if (r->counters) {
        s->n_timed++;
        s->cycles += r->cycles;
        s->timed_insts += r->n.thread_insts;
        s->timed_ctas += (u64)r->grid[0] * r->grid[1] * r->grid[2];
        if (!s->counters)
            s->counters = xcalloc(1, sizeof *s->counters);
        counters_add(s->counters, r->counters);
    }
}

/* Launches are counted from 1; those outside the range that was asked for only compute. */
static bool is_timed(const struct device *d, u32 launch)
{
    const struct run_opts *o = &d->opts;

    if (o->functional)
        return false;
    return !o->first_timed || (launch >= o->first_timed && launch <= o->last_timed);
}

/* The first instruction of the kernel, or of what it may call, that needs a tensor unit; or PC_NONE. */
static u32 tensor_inst(const struct launch *l)
{
    const struct func *f = l->func;
    u32 own = PC_NONE, any = PC_NONE;
    bool calls = false;

    for (u32 pc = l->prog->n_inst; pc-- > 0;) {
        bool of_it = pc - f->pc < f->n_inst;
        u32 op = l->prog->inst[pc].op;

        calls |= of_it && (op == OP_call || op == OP_callx);
        any = op_info[op].cls == CL_MMA ? pc : any;
        own = op_info[op].cls == CL_MMA && of_it ? pc : own;
    }
    return own != PC_NONE ? own : calls ? any : PC_NONE;
}

/* What has no units for it is not timed. */
static bool has_units(const struct device *d, const struct launch *l, struct err *e)
{
    u32 pc = d->conf.sm.tensor_units ? PC_NONE : tensor_inst(l);

    if (pc == PC_NONE)
        return true;
    return err_set(
        e,
        "%s:%u: kernel %s multiplies matrices, and %s has no tensor units (sm.tensor_units); "
        "use -g v100, or --functional for its results alone",
        l->prog->path, l->prog->loc[pc].line, l->func->label, d->conf.gpu.name);
}

/* What the result of a launch begins with. */
static struct launch_result *begin_result(struct device *d, const struct device_launch *l)
{
    struct launch_result *r = device_new_result(d, &l->l);

    r->begin_ps = d->time_ps, r->stream = d->stream;
    r->ctas_per_sm = l->per_sm, r->limit = l->limit;
    if (d->n_launch == 1)
        d->first_start = host_seconds();
    return r;
}

static bool run_functional(struct device *d, struct device_launch *l, struct err *e)
{
    struct launch_result *r = begin_result(d, l);
    const struct texture_set tex = {d->texture[l->prog], d->object.at, l->l.prog->n_texture,
                                    d->object.n};
    bool ok = functional_run(d, &l->l, &tex, r, e);

    d->last_end = host_seconds();
    device_add_result(d);
    return ok;
}

static bool run_prepared(struct device *d, struct device_launch *l, struct err *e)
{
    double cpu = host_cpu_seconds();

    if (l->timed && !has_units(d, &l->l, e))
        return false;
    l->per_sm = l->timed ? timing_plan(d, &l->l, &l->limit, &d->refusal, e)
                         : occupancy_of_keys(d, &l->l, &l->limit, &d->refusal, e);
    if (!l->per_sm)
        return false;
    bool ok = l->timed ? timing_run(d, l, e) : run_functional(d, l, e);

    d->cpu_seconds += host_cpu_seconds() - cpu;
    return ok;
}

/* The launch that was asked for; false, with the reason in d->refusal too, if there is none. */
static bool prepare(struct device *d, struct device_launch *dl, struct program *p,
                    const char *kernel, const u32 grid[3], const u32 block[3], struct err *e)
{
    struct launch *l = &dl->l;

    d->refusal = REFUSE_KERNEL;
    dl->prog = index_of(d, p);
    dl->timed = is_timed(d, d->n_asked + 1);
    l->prog = p;
    l->func = program_kernel(p, kernel, e);
    if (!l->func)
        return false;
    memcpy(l->grid, grid, sizeof l->grid);
    memcpy(l->block, block, sizeof l->block);
    bool ready = launch_prepare(l, e);

    d->refusal = l->refusal;
    return ready;
}

bool device_run(struct device *d, struct program *p, const char *kernel, const u32 grid[3],
                const u32 block[3], u32 smem, const u8 *param, struct err *e)
{
    struct device_launch l = {.l = {.smem = smem, .param = param, .id = d->n_launch}};
    bool ok = prepare(d, &l, p, kernel, grid, block, e) && run_prepared(d, &l, e);

    d->n_asked += l.per_sm > 0;
    launch_release(&l.l);
    return ok;
}

/* ---- launches that may overlap: overlap.h */

struct device_launch *device_launch_new(struct device *d, struct program *p, const char *kernel,
                                        const u32 grid[3], const u32 block[3], u32 smem,
                                        const u8 *param, struct err *e)
{
    struct device_launch *l = xcalloc(1, sizeof *l);

    l->l.smem = smem;
    if (prepare(d, l, p, kernel, grid, block, e) && (!l->timed || has_units(d, &l->l, e)))
        l->per_sm = occupancy_of_keys(d, &l->l, &l->limit, &d->refusal, e);
    if (!l->per_sm) {
        device_launch_free(l);
        return NULL;
    }
    u64 n_sm = d->conf.gpu.n_sm, even = (l->l.ctas + n_sm - 1) / n_sm;

    d->n_asked++;
    l->ctas = d->conf.gpu.spread && even < l->per_sm ? (u32)even : l->per_sm;
    l->param = xmalloc(l->l.func->param_bytes + 1);
    memcpy(l->param, param, l->l.func->param_bytes);
    l->l.param = l->param;
    return l;
}

void device_launch_free(struct device_launch *l)
{
    if (!l)
        return;
    launch_release(&l->l);
    free(l->param);
    free(l);
}

bool device_run_launch(struct device *d, struct device_launch *l, struct err *e)
{
    l->l.id = d->n_launch;
    return run_prepared(d, l, e);
}
