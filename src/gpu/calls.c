/* calls.c -- calls of the system that kernels make, performed at edges; see tenant.h */
#include <stdlib.h>

#include "exec/builtin_call.h"
#include "gpu/tenant.h"

/* In the order in which they were made. */
static int by_time(const void *a, const void *b)
{
    const struct sys_call *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->sm != y->sm ? (x->sm < y->sm ? -1 : 1) : 0;
}

/* False: it has failed, and is *whose. */
static bool perform(struct timing *g, const struct sys_call *c, struct tenant **whose,
                    struct err *e)
{
    struct sm *sm = &g->d->machine->sm[c->sm];
    struct wctx *ctx = &sm->front->ctx[c->slot];
    struct exec *x = exec_of(sm->front, ctx);

    x->clock = c->cycle;
    if (exec_call(x, ctx->w) == STEP_FAULT) {
        *whose = g->host[c->sm].at[kernel_number(ctx)];
        (*whose)->fault = x->fault;
        exec_fault_message(x, ctx->w, ctx->w->call.pc, e);
        return false;
    }
    builtin_flush(x);
    warp_called(sm->front, c->slot);
    group_wake(sm->group, g->d->machine->now);
    return true;
}

bool tenants_perform_calls(struct timing *g, struct tenant **whose, struct err *e)
{
    VEC(struct sys_call) all = {0};
    bool ok = true;

    for (u32 i = 0; i < g->d->machine->n_sm; i++) {
        struct front *fe = g->d->machine->sm[i].front;

        for (u32 k = 0; k < fe->calls.n; k++)
            *VEC_ADD(&all) = fe->calls.at[k];
        fe->calls.n = 0;
    }
    if (all.n)
        qsort(all.at, all.n, sizeof all.at[0], by_time);
    for (u32 i = 0; i < all.n && ok; i++)
        ok = perform(g, &all.at[i], whose, e);
    VEC_FREE(&all);
    return ok;
}
