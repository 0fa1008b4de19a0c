/* describe.c -- what an SM is waiting for, warp by warp: for a deadlock report */
#include <inttypes.h>

#include "base/text.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"
#include "sm/sm.h"

static const char *waits_for(const struct sched *s, const struct wctx *c)
{
    u64 bit = (u64)1 << c->pos;

    return c->gone            ? "its stores and loads to end"
           : s->bar & bit     ? "a barrier"
           : s->meet & bit    ? "other parts of it"
           : s->atom & bit    ? "an atomic"
           : s->fence & bit   ? "a fence or call"
           : s->raw_mem & bit ? "a load"
           : s->raw & bit     ? "a result"
           : s->waw & bit     ? "a register to be written"
           : s->war & bit     ? "a register to be read"
           : s->window & bit  ? "its instruction window"
           : s->meet & bit    ? "its other parts"
           : s->imiss & bit   ? "instructions"
           : c->ended         ? "its stores and loads to end"
           : c->ib_n          ? "a unit"
                              : "fetch";
}

static void describe_warp(const struct front *fe, u32 slot, FILE *f)
{
    const struct wctx *c = &fe->ctx[slot];
    const struct warp *w = c->w;
    char where[300] = "its end";

    if (w->depth)
        program_where(kernel_of(c)->l->prog, w->stack[w->depth - 1].pc, where, sizeof where);
    fprintf(f,
            "SM %u warp %u of block %u,%u,%u waits for %s at %s: %u instructions, %u registers, %u "
            "stores, %u atomics under way\n",
            fe->sm->id, w->id, w->cta->id[0], w->cta->id[1], w->cta->id[2],
            waits_for(&fe->sched[c->sched], c), where, c->in_flight, c->n_pend, c->stores,
            c->atoms);
}

static void describe_memory(const struct memunit *mu, FILE *f)
{
    if (memunit_is_idle(mu))
        return;
    fprintf(f,
            "SM %u memory unit: %u operations, latch %s, %u in front of L1D, %u MSHRs, %u to send, "
            "%u replies waiting\n",
            mu->sm->id, mu->used_op, mu->latch == REQ_NONE ? "free" : "taken", mu->n_l1q,
            mu->l1d.n_mshr, mu->l1d.send.n + mu->l1c.send.n + mu->l1t.send.n,
            mu->queue.n + mu->fifo.n);
}

void sm_describe(const struct sm *sm, FILE *f)
{
    const struct front *fe = sm->front;

    for (u32 i = 0; i < MAX_WARPS; i++)
        if (fe->ctx[i].w)
            describe_warp(fe, i, f);
    describe_memory(sm->mu, f);
}
