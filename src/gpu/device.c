/* device.c -- see device.h */
#include "gpu/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "gpu/functional.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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
    d->var_next = conf->mem.var_base;
    return d;
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
    free(d->prog), free(d->texture), free(d->launch);
    free(d);
}

/* Fresh memory is zero, so only what is not, or must count as written, is copied. */
static void init_var(struct device *d, const struct program *p, const struct var *v, struct err *e)
{
    if (!v->ptx->init && !v->ptx->reloc && !d->opts.check)
        return;
    u8 *init = xmalloc(v->size);

    program_init_var(p, v, init);
    vmem_write(&d->mem, v->addr, init, v->size, e);
    free(init);
}

/* Variables are allocations of their own, so that an overrun of one is caught. */
static bool place_vars(struct device *d, const struct program *p, struct err *e)
{
    const struct mem_conf *mem = &d->conf.mem;
    u64 end = mem->var_base + mem->size < mem->base ? mem->var_base + mem->size : mem->base;

    for (u32 i = 0; i < p->n_var; i++) {
        const struct var *v = &p->var[i];

        if (v->is_texture || !v->size)
            continue;
        if (v->addr + v->size > end)
            return err_set(e,
                           "%s: variable %s: no device memory left for its %" PRIu64
                           " bytes (mem.size, mem.var_base, mem.base)",
                           p->path, v->name, v->size);
        if (!vmem_alloc_at(&d->mem, v->addr, v->size, e))
            return err_at(e, "%s: variable %s", p->path, v->name);
        init_var(d, p, v, e);
        d->var_next = align_up(v->addr + v->size, 256);
    }
    return true;
}

struct program *device_load(struct device *d, const char *path, const char *text, size_t len,
                            struct err *e)
{
    struct front_conf front = d->conf.front; /* the hardware's limit is a cap like any other */

    if (!front.max_regs || front.max_regs > d->conf.sm.max_regs_thread)
        front.max_regs = d->conf.sm.max_regs_thread;
    struct program *p = program_load(path, text, len, &front, d->var_next, false, e);

    if (!p)
        return NULL;
    if (!place_vars(d, p, e)) {
        program_free(p);
        return NULL;
    }
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
    return vmem_write(&d->mem, addr, from, bytes, e);
}

bool device_read(struct device *d, u64 addr, void *to, u64 bytes, struct err *e)
{
    return vmem_read(&d->mem, addr, to, bytes, e);
}

static u32 index_of(const struct device *d, const struct program *p)
{
    u32 i = 0;

    while (i < d->n_prog && d->prog[i] != p)
        i++;
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

/* ---- occupancy */

static void limit_by(u32 *best, const char **limit, u64 n, const char *what)
{
    if (n < *best)
        *best = (u32)n, *limit = what;
}

u32 device_occupancy(const struct device *d, const struct launch *l, const char **limit,
                     struct err *e)
{
    const struct sm_conf *sm = &d->conf.sm;
    u32 warp = (u32)sm->warp_words * LANES, best = (u32)sm->max_cta;
    u64 threads = align_up(l->threads, warp),
        regs = threads * align_up(l->func->regs, sm->reg_granule);
    u64 shared = align_up(l->shared, sm->shared_granule);

    *limit = "CTAs";
    if (l->threads > sm->max_block_threads)
        return err_set(e,
                       "kernel %s: a block of %u threads; the GPU takes at most %" PRIu64
                       " (sm.max_block_threads)",
                       l->func->name, l->threads, sm->max_block_threads);
    if (shared > sm->shared)
        return err_set(e,
                       "kernel %s: a block needs %" PRIu64
                       " bytes of shared memory; an SM has %" PRIu64 " (sm.shared)",
                       l->func->name, shared, sm->shared);
    if (regs > sm->regs)
        return err_set(
            e, "kernel %s: a block needs %" PRIu64 " registers; an SM has %" PRIu64 " (sm.regs)",
            l->func->name, regs, sm->regs);
    limit_by(&best, limit, sm->max_threads / threads, "threads");
    limit_by(&best, limit, sm->n_warp / (threads / warp), "warps");
    limit_by(&best, limit, sm->regs / regs, "registers");
    if (shared)
        limit_by(&best, limit, sm->shared / shared, "shared memory");
    if (!best)
        return err_set(
            e, "kernel %s: a block of %u threads does not fit an SM (sm.max_threads, sm.n_warp)",
            l->func->name, l->threads);
    return best;
}

/* ---- launches */

static struct launch_result *new_result(struct device *d, const struct launch *l)
{
    d->launch = xrealloc(d->launch, (d->n_launch + 1) * sizeof d->launch[0]);
    struct launch_result *r = &d->launch[d->n_launch++];

    memset(r, 0, sizeof *r);
    r->kernel = l->func->name;
    memcpy(r->grid, l->grid, sizeof r->grid);
    memcpy(r->block, l->block, sizeof r->block);
    r->smem = l->smem, r->regs = l->func->regs, r->shared = l->shared, r->local = l->func->local;
    return r;
}

static bool run_prepared(struct device *d, struct launch *l, u32 prog, struct err *e)
{
    const char *limit;
    u32 per_sm = device_occupancy(d, l, &limit, e);
    double start = now();

    if (!per_sm)
        return false;
    struct launch_result *r = new_result(d, l);

    r->ctas_per_sm = per_sm;
    r->limit = limit;
    if (d->n_launch == 1)
        d->first_start = start;
    bool ok = functional_run(d, l, d->texture[prog], r, e);

    d->last_end = now();
    r->seconds = d->last_end - start;
    return ok;
}

bool device_run(struct device *d, struct program *p, const char *kernel, const u32 grid[3],
                const u32 block[3], u32 smem, const u8 *param, struct err *e)
{
    struct func *f = program_kernel(p, kernel, e);
    struct launch l = {.prog = p, .func = f, .smem = smem, .param = param, .id = d->n_launch};

    if (!f)
        return false;
    memcpy(l.grid, grid, sizeof l.grid);
    memcpy(l.block, block, sizeof l.block);
    bool ok = launch_prepare(&l, e) && run_prepared(d, &l, index_of(d, p), e);

    launch_release(&l);
    return ok;
}
