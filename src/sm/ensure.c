/* ensure.c -- see ensure.h: who broke an invariant, in words */
#include "sm/ensure.h"

#include <inttypes.h>

#include "sm/binding/group.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

static void tell_kernel(FILE *f, const struct launch *l)
{
    if (l)
        fprintf(f, "kernel %s, ", l->func->label);
}

static void tell_place(FILE *f, const struct sm *sm)
{
    fprintf(f, "cycle %" PRIu64 ", SM %u", sm->now, sm->id);
}

/* Between launches what is on board has gone. */
void ensure_tell_sm(FILE *f, const void *subject)
{
    const struct sm *sm = subject;

    if (sm->residency.open)
        tell_kernel(f, sm->front->board.kernel[0].l);
    tell_place(f, sm);
}

void ensure_tell_front(FILE *f, const void *subject)
{
    ensure_tell_sm(f, ((const struct front *)subject)->sm);
}

void ensure_tell_datapath(FILE *f, const void *subject)
{
    ensure_tell_sm(f, ((const struct datapath *)subject)->sm);
}

void ensure_tell_memunit(FILE *f, const void *subject)
{
    ensure_tell_sm(f, ((const struct memunit *)subject)->sm);
}

void ensure_tell_group(FILE *f, const void *subject)
{
    const struct group *g = subject;

    ensure_tell_sm(f, g->sm[0]);
    if (g->n > 1)
        fprintf(f, " to %u", g->sm[g->n - 1]->id);
}

static void tell_pc(FILE *f, const struct program *p, u32 pc)
{
    char where[300];

    if (pc < p->n_inst)
        fprintf(f, " at %s", program_where(p, pc, where, sizeof where));
}

/* A hardware warp; pc: an instruction of it, or PC_NONE: the one where it stands. */
static void tell_warp(FILE *f, const struct front *fe, u32 slot, u32 pc)
{
    const struct wctx *c = &fe->ctx[slot];
    const struct warp *w = c->w;
    const struct launch *l = w ? kernel_of(c)->l : NULL;

    if (!l) {
        ensure_tell_front(f, fe);
        fprintf(f, ", warp %u, which is free", slot);
        return;
    }
    tell_kernel(f, l);
    tell_place(f, fe->sm);
    fprintf(f, ", warp %u (warp %u of block %u,%u,%u)", slot, w->id, w->cta->id[0], w->cta->id[1],
            w->cta->id[2]);
    if (pc == PC_NONE && w->depth)
        pc = w->stack[w->depth - 1].pc;
    tell_pc(f, l->prog, pc);
}

/* A context does not know whose it is: some front end of the group of its CTA's. */
void ensure_tell_wctx(FILE *f, const void *subject)
{
    const struct wctx *c = subject;
    const struct group *g = c->home ? c->home->sm->group : NULL;

    for (u32 i = 0; g && i < g->n; i++)
        if (c >= g->front[i]->ctx && c < g->front[i]->ctx + MAX_WARPS) {
            tell_warp(f, g->front[i], (u32)(c - g->front[i]->ctx), PC_NONE);
            return;
        }
    ensure_tell_worker(f, NULL);
}

static u32 pc_of(const struct front *fe, u32 slot, const struct uop *u)
{
    const struct wctx *c = &fe->ctx[slot];

    return c->w ? (u32)(u - uops_of(fe, c)) : PC_NONE;
}

void ensure_tell_flight(FILE *f, const void *subject)
{
    const struct flight *i = subject;

    tell_warp(f, i->fe, i->slot, pc_of(i->fe, i->slot, i->u));
}

void ensure_tell_memop(FILE *f, const void *subject)
{
    const struct memop *op = subject;

    tell_warp(f, op->fe, op->slot, pc_of(op->fe, op->slot, op->u));
}
