/* part.c -- see part.h: warps in parts, and back */
#include "exec/part.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static struct simt *top(const struct warp *w)
{
    return &w->stack[w->depth - 1];
}

/* ---- making */

/* A part that nobody uses, or a new one. */
static struct warp *find_part(struct cta *c)
{
    for (u32 i = 0; i < c->n_part; i++)
        if (c->part[i]->done)
            return c->part[i];
    if (c->n_part == c->cap_part) {
        c->cap_part = c->cap_part ? 2 * c->cap_part : 4;
        c->part = xrealloc(c->part, c->cap_part * sizeof c->part[0]);
    }
    struct warp *p = c->part[c->n_part++] = xcalloc(1, sizeof *p);

    p->cap = 16;
    p->stack = xcalloc(p->cap, sizeof p->stack[0]);
    return p;
}

static void need_depth(struct warp *w, u32 depth)
{
    if (w->cap >= depth)
        return;
    w->cap = depth;
    w->stack = xrealloc(w->stack, w->cap * sizeof w->stack[0]);
}

/* With the same words, and an empty stack. */
static struct warp *new_part(struct warp *w)
{
    struct warp *p = find_part(w->cta);

    p->n_word = w->n_word;
    memcpy(p->word, w->word, sizeof p->word);
    p->cta = w->cta, p->id = w->id;
    p->waiting = -1, p->bar = NULL, p->done = false;
    p->call.builtin = BUILTIN_NONE;
    p->from = NULL, p->n_part = 0;
    p->gathered = false;
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

/* Lanes of `e`, which goes home to the entry of w at `meet`; -1: to none. */
static struct warp *leave(struct warp *w, const struct simt *e, s32 meet)
{
    struct warp *p = new_part(w);

    p->from = w, p->meet = meet;
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

static bool overlap(const struct simt *a, const struct simt *b, u32 n)
{
    u32 both = 0;

    for (u32 k = 0; k < n; k++)
        both |= a->mask[k] & b->mask[k];
    return both;
}

struct warp *part_side(struct warp *w)
{
    if (w->depth < 2)
        return NULL;
    struct simt side = w->stack[w->depth - 2];

    if (side.rpc != top(w)->rpc || side.func != top(w)->func || overlap(&side, top(w), w->n_word))
        return NULL;
    w->stack[w->depth - 2] = *top(w);
    w->depth--;
    struct warp *p = leave(w, &side, (s32)w->depth - 2);

    p->cut = false;
    return p;
}

struct warp *part_cut(struct warp *w, const u32 *mask)
{
    struct simt e = *top(w);

    memcpy(e.mask, mask, sizeof e.mask);
    struct warp *p = leave(w, &e, (s32)w->depth - 2);

    p->cut = true;
    for (u32 k = 0; k < w->n_word; k++) {
        assert(!(mask[k] & ~top(w)->mask[k]));
        top(w)->mask[k] &= ~mask[k];
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
    p->scattered = w->scattered = true;
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

/* Its entry, and that of the others, is the second: the first is where they meet. */
bool part_is_beside(const struct warp *p)
{
    const struct warp *w = p->from;
    u32 own = p->meet >= 0;

    if (!w || !p->cut || p->depth != own + 1 || (s32)w->depth != p->meet + 2)
        return false;
    const struct simt *a = top(p), *b = top(w);

    return a->pc == b->pc && a->rpc == b->rpc && a->row == b->row && a->func == b->func &&
           a->frame == b->frame && w->waiting < 0;
}

static bool is_kin_left(const struct warp *w)
{
    const struct cta *c = w->cta;

    for (u32 i = 0; i < c->n_part; i++)
        if (c->part[i] != w && !c->part[i]->done && c->part[i]->id == w->id)
            return true;
    return &c->warp[w->id] != w && !c->warp[w->id].done;
}

void part_return(struct warp *p)
{
    struct warp *w = p->from;

    assert(!p->n_part && (part_is_home(p) || part_is_beside(p)));
    if (!part_is_home(p))
        for (u32 k = 0; k < w->n_word; k++)
            top(w)->mask[k] |= top(p)->mask[k];
    stand_for(w, p, p->stands);
    w->n_part--;
    p->done = true, p->depth = 0;
    p->cta->n_warp_now--;
    w->scattered = is_kin_left(w);
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
    return op_info[in->op].flags & OPF_CROSS;
}

void exec_gather(struct exec *x, struct warp *const *w, u32 n)
{
    const struct simt *e = top(w[0]);
    const struct inst *in = &x->code[e->pc];

    for (u32 k = 0; k < w[0]->n_word; k++) {
        u32 mask = 0;

        for (u32 i = 0; i < n; i++) {
            assert(warp_is_kin(w[0], w[i]) && top(w[i])->pc == e->pc && top(w[i])->row == e->row);
            mask |= top(w[i])->mask[k];
        }
        exec_bind(x, w[0], k);
        mask &= exec_guard(x->pred, in);
        if (mask)
            x->table[in->op](x, in, mask);
    }
    for (u32 i = 0; i < n; i++)
        w[i]->gathered = true;
}
