/* warp.c -- see warp.h: launches and CTAs from their making to their end */
#include "exec/warp.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exec/path.h"

enum { MAX_SMEM = 16 << 20 };

static bool check_dims(const struct launch *l, struct err *e)
{
    static const char axis[] = "xyz";

    for (u32 i = 0; i < 3; i++) {
        u32 max = i == 2 ? 64 : 1024, grid_max = i == 0 ? 0x7fffffff : 65535;

        if (l->grid[i] < 1 || l->grid[i] > grid_max)
            return err_set(e, "grid %c of %u is outside 1..%u", axis[i], l->grid[i], grid_max);
        if (l->block[i] < 1 || l->block[i] > max)
            return err_set(e, "block %c of %u is outside 1..%u", axis[i], l->block[i], max);
        if (l->func->reqntid[0] && l->block[i] != (l->func->reqntid[i] ? l->func->reqntid[i] : 1))
            return err_set(e, "block %c of %u: the kernel requires %u (.reqntid)", axis[i],
                           l->block[i], l->func->reqntid[i]);
    }
    return true;
}

static bool check_threads(const struct launch *l, struct err *e)
{
    const u32 *most = l->func->maxntid, *b = l->block;
    u64 threads = (u64)b[0] * b[1] * b[2];
    u64 limit = (u64)most[0] * (most[1] ? most[1] : 1) * (most[2] ? most[2] : 1);

    if (threads > 1024)
        return err_set(e, "a block of %llu threads; at most 1024 are possible",
                       (unsigned long long)threads);
    if (limit && threads > limit)
        return err_set(e, "a block of %llu threads; the kernel is made for at most %llu (.maxntid)",
                       (unsigned long long)threads, (unsigned long long)limit);
    return true;
}

static enum refusal check_sizes(const struct launch *l, struct err *e)
{
    if (!check_dims(l, e))
        return REFUSE_SHAPE;
    if (!check_threads(l, e))
        return REFUSE_THREADS;
    if (l->func->local > MAX_LOCAL) {
        err_set(e, "%u bytes of local memory per thread; at most %u are possible", l->func->local,
                MAX_LOCAL);
        return REFUSE_REGS;
    }
    if (l->smem > MAX_SMEM) {
        err_set(e, "%u bytes of dynamic shared memory; at most %u are possible", l->smem, MAX_SMEM);
        return REFUSE_SHARED;
    }
    return REFUSE_NONE;
}

bool launch_prepare(struct launch *l, struct err *e)
{
    const u32 *b = l->block;

    l->refusal = check_sizes(l, e);
    if (l->refusal)
        return err_at(e, "kernel %s", l->func->label);
    l->threads = b[0] * b[1] * b[2];
    l->warps = (l->threads + LANES - 1) / LANES;
    l->ctas = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    l->shared = l->smem || l->func->shared == 0 ? l->func->dynamic + l->smem : l->func->shared;
    l->tid = xcalloc(align_up(l->threads, MAX_WORDS * LANES), sizeof l->tid[0]);
    for (u32 t = 0; t < l->threads; t++) {
        l->tid[t][0] = (u16)(t % b[0]);
        l->tid[t][1] = (u16)(t / b[0] % b[1]);
        l->tid[t][2] = (u16)(t / (b[0] * b[1]));
    }
    return true;
}

void launch_release(struct launch *l)
{
    free(l->tid);
    l->tid = NULL;
}

static u8 *rows_new(size_t n)
{
    return xcalloc_lines(n * ROW_BYTES + 64, 1);
}

void warp_new(struct warp *w, const struct func *f, u32 words)
{
    w->n_word = words;
    w->cap = 16;
    w->stack = xcalloc(w->cap, sizeof w->stack[0]);
    for (u32 k = 0; k < words; k++) {
        w->word[k].reg = rows_new(f->rows);
        w->word[k].pred = xcalloc(f->preds + 1, sizeof(u32));
        w->word[k].local = xcalloc(LANES, (size_t)f->local + 8);
        w->word[k].thread = xcalloc(LANES, sizeof(u16));
    }
}

void warp_free(struct warp *w)
{
    for (u32 k = 0; k < w->n_word; k++)
        free(w->word[k].reg), free(w->word[k].pred), free(w->word[k].local),
            free(w->word[k].thread);
    free(w->stack), free(w->wide);
    path_free_all(w);
}

static void word_copy(struct word *to, const struct word *from, const struct func *f)
{
    memcpy(to->reg, from->reg, (size_t)f->rows * ROW_BYTES);
    memcpy(to->pred, from->pred, f->preds * sizeof(u32));
    memcpy(to->local, from->local, (size_t)LANES * f->local);
    memcpy(to->thread, from->thread, LANES * sizeof(u16));
}

void warp_copy(struct warp *to, const struct warp *from, const struct launch *l)
{
    assert(to->n_word == from->n_word);
    if (to->cap < from->depth) {
        to->cap = from->cap;
        to->stack = xrealloc(to->stack, to->cap * sizeof to->stack[0]);
    }
    memcpy(to->stack, from->stack, from->depth * sizeof to->stack[0]);
    to->depth = from->depth, to->cta = from->cta, to->id = from->id;
    to->waiting = from->waiting, to->bar = from->bar, to->done = from->done, to->call = from->call;
    memcpy(to->stands, from->stands, sizeof to->stands);
    for (u32 k = 0; k < to->n_word; k++)
        word_copy(&to->word[k], &from->word[k], l->func);
}

bool warp_equal(const struct warp *a, const struct warp *b, const struct launch *l)
{
    const struct func *f = l->func;

    if (a->depth != b->depth || memcmp(a->stack, b->stack, a->depth * sizeof a->stack[0]))
        return false;
    for (u32 k = 0; k < a->n_word; k++) {
        const struct word *x = &a->word[k], *y = &b->word[k];

        if (memcmp(x->pred, y->pred, f->preds * sizeof(u32)) ||
            memcmp(x->reg, y->reg, (size_t)f->rows * ROW_BYTES) ||
            memcmp(x->local, y->local, (size_t)LANES * f->local))
            return false;
    }
    return true;
}

struct cta *cta_new(const struct launch *l, u32 words, bool check)
{
    struct cta *c = xcalloc(1, sizeof *c);

    c->kernel = l->func;
    c->n_warp = (l->warps + words - 1) / words;
    c->warp = xcalloc(c->n_warp, sizeof c->warp[0]);
    c->shared = xcalloc(1, (size_t)l->shared + 64);
    c->shared_shadow = check ? xcalloc(1, (size_t)l->shared + 1) : NULL;
    for (u32 i = 0; i < c->n_warp; i++)
        warp_new(&c->warp[i], l->func, words);
    return c;
}

/*
 * Registers start as zero, so that a program which reads before it writes does the same everywhere.
 */
static void warp_start(struct warp *w, struct cta *c, const struct launch *l, u32 id)
{
    u32 first = id * w->n_word * LANES;

    w->cta = c, w->id = id, w->waiting = -1, w->bar = NULL, w->done = false;
    w->from = NULL, w->n_part = 0, w->scattered = w->gathered = w->aside = false;
    w->n_path = w->spins = 0, w->forced = false;
    if (w->wide)
        memset(w->wide, 0, l->func->rows);
    w->call.builtin = BUILTIN_NONE;
    w->depth = 1;
    w->stack[0] =
        (struct simt){.pc = l->func->pc, .rpc = PC_NONE, .func = l->func->id, .caller = PC_NONE};
    for (u32 k = 0; k < w->n_word; k++) {
        u32 t0 = first + k * LANES, n = t0 < l->threads ? min_u32(l->threads - t0, LANES) : 0;
        u32 mask = n == LANES ? ~0u : (1u << n) - 1;

        w->stack[0].mask[k] = mask;
        w->stands[k] = ~0u;
        for (u32 lane = 0; lane < LANES; lane++)
            w->word[k].thread[lane] = (u16)(lane < n ? t0 + lane : 0);
        memset(w->word[k].reg, 0, (size_t)l->func->rows * ROW_BYTES);
        memset(w->word[k].pred, 0, l->func->preds * sizeof(u32));
        memset(w->word[k].local, 0, (size_t)LANES * l->func->local);
    }
}

void cta_start(struct cta *c, const struct launch *l, u64 seq, u32 sm)
{
    c->sm = sm;
    c->id[0] = (u32)(seq % l->grid[0]);
    c->id[1] = (u32)(seq / l->grid[0] % l->grid[1]);
    c->id[2] = (u32)(seq / ((u64)l->grid[0] * l->grid[1]));
    c->n_warp_now = c->n_warp;
    c->standing = c->n_warp * c->warp[0].n_word * LANES;
    memset(c->bar, 0, sizeof c->bar);
    memset(c->shared, 0, l->shared);
    if (c->shared_shadow)
        memset(c->shared_shadow, 0, l->shared);
    for (u32 i = 0; i < c->n_warp; i++)
        warp_start(&c->warp[i], c, l, i);
    for (u32 i = 0; i < c->n_part; i++)
        c->part[i]->done = c->part[i]->spare = true;
}

bool cta_done(const struct cta *c)
{
    return !c->n_warp_now;
}

/* Local memory and threads are another's. */
static void free_part(struct warp *p)
{
    for (u32 k = 0; k < p->n_word; k++)
        free(p->word[k].reg), free(p->word[k].pred);
    free(p->stack), free(p->wide), free(p);
}

void cta_free(struct cta *c)
{
    if (!c)
        return;
    for (u32 i = 0; i < c->n_warp; i++)
        warp_free(&c->warp[i]);
    for (u32 i = 0; i < c->n_part; i++)
        free_part(c->part[i]);
    if (c->gather)
        free_part(c->gather);
    free(c->warp), free(c->part), free(c->shared), free(c->shared_shadow);
    free(c);
}
