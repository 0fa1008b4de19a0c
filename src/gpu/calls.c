/* calls.c -- calls of the system that kernels make, performed at edges; see run.h */
#include <stdlib.h>

#include "exec/builtin_call.h"
#include "gpu/run.h"

/* In the order in which they were made. */
static int by_time(const void *a, const void *b)
{
    const struct sys_call *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->sm != y->sm ? (x->sm < y->sm ? -1 : 1) : 0;
}

static bool perform(struct run *g, const struct sys_call *c)
{
    struct sm *sm = &g->m->sm[c->sm];
    struct wctx *ctx = &sm->front->ctx[c->slot];
    /* one for all, so that text stays in order, unless they are of several launches */
    struct exec *x = g->together ? exec_of(sm->front, ctx) : &g->m->x[0];

    x->clock = c->cycle;
    g->sm = c->sm, g->kernel = sm->front->slot[ctx->cta].kernel;
    if (exec_call(x, ctx->w) == STEP_FAULT)
        return run_fail(g, x, ctx->w, ctx->w->call.pc);
    if (g->together)
        builtin_flush(x);
    warp_called(sm->front, c->slot);
    group_wake(sm->group, g->m->now);
    return true;
}

bool run_perform_calls(struct run *g)
{
    VEC(struct sys_call) all = {0};
    bool ok = true;

    for (u32 i = 0; i < g->m->n_sm; i++) {
        struct front *fe = g->m->sm[i].front;

        for (u32 k = 0; k < fe->calls.n; k++)
            *VEC_ADD(&all) = fe->calls.at[k];
        fe->calls.n = 0;
    }
    if (all.n) {
        qsort(all.at, all.n, sizeof all.at[0], by_time);
        for (u32 i = 0; i < all.n && ok; i++)
            ok = perform(g, &all.at[i]);
        builtin_flush(&g->m->x[0]);
    }
    VEC_FREE(&all);
    return ok;
}
