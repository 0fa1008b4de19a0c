/* part.c -- see part.h: warps in parts, and back */
#include "exec/part.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Registers and a stack; threads and their local memory are those of others. */
static struct warp *new_control(struct cta *c)
{
    struct warp *p = xcalloc(1, sizeof *p);

    warp_new(p, c->kernel, c->warp[0].n_word);
    for (u32 k = 0; k < p->n_word; k++) {
        free(p->word[k].local), free(p->word[k].thread);
        p->word[k].local = NULL, p->word[k].thread = NULL;
    }
    p->wide = xcalloc(c->kernel->rows + 1, 1);
    return p;
}

/* ---- what rows hold */

void cta_track(struct cta *c)
{
    for (u32 i = 0; i < c->n_warp; i++)
        if (!c->warp[i].wide)
            c->warp[i].wide = xcalloc(c->kernel->rows + 1, 1);
}

void warp_track(struct warp *w, const struct inst_regs *r, u32 row)
{
    for (u32 i = 0; i < r->n_def; i++) {
        u8 *at = &w->wide[row + r->def[i].id];

        if (r->def[i].kind == REG_PRED)
            continue;
        if (r->def[i].id % 2 && at[-1] == ROW_64) /* pairs begin with even ones */
            at[-1] = ROW_NONE;
        at[0] = r->def[i].kind == REG_64 ? ROW_64 : ROW_32;
        if (at[0] == ROW_64)
            at[1] = ROW_NONE;
    }
}

/* ---- making */

/* A part that nobody uses, or a new one. */
static struct warp *spare_part(struct cta *c)
{
    for (u32 i = 0; i < c->n_part; i++)
        if (c->part[i]->spare)
            return c->part[i];
    if (c->n_part == c->cap_part) {
        c->cap_part = c->cap_part ? 2 * c->cap_part : 4;
        c->part = xrealloc(c->part, c->cap_part * sizeof c->part[0]);
    }
    return c->part[c->n_part++] = new_control(c);
}

static void need_depth(struct warp *w, u32 depth)
{
    if (w->cap >= depth)
        return;
    w->cap = depth;
    w->stack = xrealloc(w->stack, w->cap * sizeof w->stack[0]);
}

/* Local memory is each thread's own: it is where it was. */
static void copy_registers(struct warp *p, const struct warp *w)
{
    const struct func *f = w->cta->kernel;

    assert(p->n_word == w->n_word);
    for (u32 k = 0; k < w->n_word; k++) {
        memcpy(p->word[k].reg, w->word[k].reg, (size_t)f->rows * ROW_BYTES);
        memcpy(p->word[k].pred, w->word[k].pred, f->preds * sizeof(u32));
        p->word[k].local = w->word[k].local, p->word[k].thread = w->word[k].thread;
    }
    if (w->wide)
        memcpy(p->wide, w->wide, f->rows);
}

/* With the same threads, and an empty stack. */
static struct warp *new_part(struct warp *w)
{
    struct warp *p = spare_part(w->cta);

    copy_registers(p, w);
    p->cta = w->cta, p->id = w->id;
    p->waiting = -1, p->bar = NULL, p->done = p->spare = false;
    p->call.builtin = BUILTIN_NONE;
    p->from = NULL, p->n_part = 0;
    p->gathered = p->aside = false;
    p->depth = 0;
    memset(p->stands, 0, sizeof p->stands);
    w->cta->n_warp_now++;
    return p;
}

static void stand_for(struct warp *to, struct warp *from, const u32 *mask)
{
    for (u32 k = 0; k < from->n_word; k++) {
        to->stands[k] |= from->stands[k] & mask[k];
        from->stands[k] &= ~mask[k];
    }
}

static bool share_lanes(const struct simt *a, const struct simt *b, u32 n)
{
    u32 both = 0;

    for (u32 k = 0; k < n; k++)
        both |= a->mask[k] & b->mask[k];
    return both;
}

/* The entry below the top that waits for its lanes; those between are other sides. */
static s32 home_of(const struct warp *w, const struct simt *e)
{
    s32 at = (s32)w->depth - 2;

    while (at >= 0 && !share_lanes(&w->stack[at], e, w->n_word))
        at--;
    return at;
}

/* Lanes of `e`, which is no longer in the stack. */
static struct warp *leave_stack(struct warp *w, const struct simt *e)
{
    struct warp *p = new_part(w);
    s32 meet = home_of(w, e);

    p->from = w, p->meet = meet, p->beside = w->depth - 1;
    p->scattered = w->scattered = true;
    w->n_part++;
    stand_for(p, w, e->mask);
    if (meet >= 0) {
        p->stack[p->depth] = w->stack[meet];
        p->stack[p->depth].rpc = PC_NONE;
        memcpy(p->stack[p->depth++].mask, e->mask, sizeof e->mask);
    }
    p->stack[p->depth++] = *e;
    return p;
}

struct warp *part_side(struct warp *w)
{
    if (w->depth < 2)
        return NULL;
    struct simt side = w->stack[w->depth - 2];

    if (side.rpc != warp_top(w)->rpc || side.func != warp_top(w)->func ||
        share_lanes(&side, warp_top(w), w->n_word))
        return NULL;
    w->stack[w->depth - 2] = *warp_top(w);
    w->depth--;
    struct warp *p = leave_stack(w, &side);

    p->cut = false;
    return p;
}

struct warp *part_cut(struct warp *w, const u32 *mask)
{
    struct simt e = *warp_top(w);

    memcpy(e.mask, mask, sizeof e.mask);
    struct warp *p = leave_stack(w, &e);

    p->cut = true;
    for (u32 k = 0; k < w->n_word; k++) {
        assert(!(mask[k] & ~warp_top(w)->mask[k]));
        warp_top(w)->mask[k] &= ~mask[k];
    }
    return p;
}

/* All entries, so that they meet among themselves; what has no lanes left is popped. */
struct warp *part_share(struct warp *w, const u32 *mask)
{
    struct warp *p = new_part(w);

    assert(!w->n_part && !w->from && w->waiting < 0 && !w->call.builtin);
    need_depth(p, w->depth);
    p->cut = false;
    for (u32 k = 0; k < w->n_word; k++) /* a word is a logical warp */
        w->scattered |= mask[k] && ~mask[k];
    p->scattered = w->scattered;
    memcpy(p->stack, w->stack, w->depth * sizeof p->stack[0]);
    p->depth = w->depth;
    for (u32 d = 0; d < w->depth; d++)
        for (u32 k = 0; k < w->n_word; k++) {
            p->stack[d].mask[k] &= mask[k];
            w->stack[d].mask[k] &= ~mask[k];
        }
    stand_for(p, w, mask);
    simt_settle(p), simt_settle(w);
    assert(p->depth && w->depth);
    return p;
}

u32 warp_lanes(const struct warp *w, u32 mask[MAX_WORDS])
{
    u32 n = 0;

    memset(mask, 0, MAX_WORDS * sizeof mask[0]);
    for (u32 k = 0; k < w->n_word; k++) {
        for (u32 d = 0; d < w->depth; d++)
            mask[k] |= w->stack[d].mask[k];
        n += popc_32(mask[k] &= w->stands[k]);
    }
    return n;
}

/* ---- home */

bool part_is_home(const struct warp *p)
{
    return p->from && p->meet >= 0 && p->depth == 1;
}

bool part_is_expected(const struct warp *p)
{
    return part_is_home(p) && (s32)p->from->depth == p->meet + 1;
}

/* Its own entry is the second, if the first is where it goes home to. */
bool part_is_along(const struct warp *p)
{
    const struct warp *w = p->from;
    u32 own = p->meet >= 0;

    if (!w || p->depth != own + 1 || w->depth != p->beside + 1)
        return false;
    const struct simt *a = warp_top(p), *b = warp_top(w);

    return a->rpc == b->rpc && a->row == b->row && a->func == b->func && a->frame == b->frame;
}

bool part_is_beside(const struct warp *p)
{
    return part_is_along(p) && warp_top(p)->pc == warp_top(p->from)->pc && p->from->waiting < 0;
}

static bool is_kin_left(const struct warp *w)
{
    const struct cta *c = w->cta;

    for (u32 i = 0; i < c->n_part; i++)
        if (c->part[i] != w && !c->part[i]->done && c->part[i]->id == w->id)
            return true;
    return &c->warp[w->id] != w && !c->warp[w->id].done;
}

void copy_lanes(u8 *to, const u8 *from, u32 size, u32 mask)
{
    for (u32 m = mask; m; m &= m - 1) {
        u32 at = (u32)__builtin_ctz(m) * size;

        memcpy(to + at, from + at, size);
    }
}

/*
 * Both are at the same instruction: a row that they have written as something else, nobody will read.
 * One that only the part has written may be read by its lanes.
 */
static void return_registers(struct warp *w, const struct warp *p, const u32 *mask)
{
    const struct func *f = w->cta->kernel;

    for (u32 k = 0; k < w->n_word; k++) {
        const struct word *from = &p->word[k];
        struct word *to = &w->word[k];

        for (u32 r = 0; r < f->rows; r++)
            if ((p->wide[r] == ROW_32 || p->wide[r] == ROW_64) &&
                (w->wide[r] == p->wide[r] || w->wide[r] == ROW_NEW))
                copy_lanes(to->reg + (size_t)r * ROW_BYTES, from->reg + (size_t)r * ROW_BYTES,
                           p->wide[r] == ROW_64 ? 8 : 4, mask[k]);
        for (u32 i = 0; i < f->preds; i++)
            to->pred[i] = (to->pred[i] & ~mask[k]) | (from->pred[i] & mask[k]);
    }
    for (u32 r = 0; r < f->rows; r++)
        w->wide[r] = w->wide[r] == ROW_NEW ? p->wide[r] : w->wide[r];
}

void part_return(struct warp *p)
{
    struct warp *w = p->from;

    assert(!p->n_part && (part_is_expected(p) || part_is_beside(p)));
    return_registers(w, p, p->stands);
    if (!part_is_home(p))
        for (u32 k = 0; k < w->n_word; k++)
            warp_top(w)->mask[k] |= warp_top(p)->mask[k];
    stand_for(w, p, p->stands);
    w->n_part--;
    p->done = true, p->depth = 0;
    p->cta->n_warp_now--;
    w->scattered = is_kin_left(w);
}

void part_release(struct warp *p)
{
    assert(p->done);
    p->spare = true;
}

bool part_is_awaited(const struct warp *w)
{
    const struct cta *c = w->cta;

    for (u32 i = 0; i < c->n_part && w->n_part; i++)
        if (!c->part[i]->done && c->part[i]->from == w && (s32)w->depth - 1 <= c->part[i]->meet)
            return true;
    return false;
}

/* ---- among lanes */

bool inst_is_among_lanes(const struct inst *in)
{
    return op_info[in->op].flags & OPF_CROSS && in->op < OP_bra; /* no barriers of CTAs */
}

/* Operands of lanes between a word of a warp and one in which all lanes of the word are together. */
static void move_operands(struct word *to, const struct word *from, const struct simt *e,
                          const struct reg_ref *r, u32 n, u32 mask)
{
    for (u32 i = 0; i < n; i++) {
        size_t at = (size_t)(e->row + r[i].id) * ROW_BYTES;
        u32 p = e->pred + r[i].id;

        if (r[i].kind == REG_PRED)
            to->pred[p] = (to->pred[p] & ~mask) | (from->pred[p] & mask);
        else
            copy_lanes(to->reg + at, from->reg + at, r[i].kind == REG_64 ? 8 : 4, mask);
    }
}

static void gather_word(struct exec *x, struct warp *const *w, u32 n, u32 k)
{
    const struct simt *e = warp_top(w[0]);
    const struct inst *in = &x->code[e->pc];
    const struct inst_regs *r = &x->launch->prog->regs[e->pc];
    struct warp *all = w[0]->cta->gather;
    u32 mask = 0;

    for (u32 i = 0; i < n; i++) {
        assert(warp_is_kin(w[0], w[i]) && warp_top(w[i])->pc == e->pc &&
               warp_top(w[i])->row == e->row);
        move_operands(&all->word[k], &w[i]->word[k], e, r->use, r->n_use, warp_top(w[i])->mask[k]);
        mask |= warp_top(w[i])->mask[k];
    }
    all->word[k].local = w[0]->word[k].local, all->word[k].thread = w[0]->word[k].thread;
    all->stack[0] = *e, all->depth = 1, all->cta = w[0]->cta;
    exec_bind(x, all, k);
    mask &= exec_guard(x->pred, in);
    if (mask)
        x->table[in->op](x, in, mask);
    for (u32 i = 0; i < n; i++)
        move_operands(&w[i]->word[k], &all->word[k], e, r->def, r->n_def,
                      warp_top(w[i])->mask[k] & mask);
}

void exec_gather(struct exec *x, struct warp *const *w, u32 n)
{
    if (!w[0]->cta->gather)
        w[0]->cta->gather = new_control(w[0]->cta);
    for (u32 k = 0; k < w[0]->n_word; k++)
        gather_word(x, w, n, k);
    for (u32 i = 0; i < n; i++)
        w[i]->gathered = w[i]->aside = true;
}
