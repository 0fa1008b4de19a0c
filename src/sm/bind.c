/* bind.c -- see bind.h */
#include "sm/bind.h"

#include "sm/depend.h"

void bind_own(struct sm *sm)
{
    struct front *fe = sm->front;

    fe->dp[0] = sm->dp, fe->n_dp = 1;
    fe->lock[0] = fe->by = fe, fe->n_lock = 1;
    fe->share[0] = fe, fe->n_share = 1;
    fe->wide = fe->parting = false;
    fe->part_at = 0;
    fe->mu = sm->mu;
    fe->l1i = &fe->own_l1i;
    sm->dp->mu = sm->mu;
    fe->lent_sub = 0;
    for (u32 i = 0; i < sm->dp->n_sub; i++)
        sm->dp->sub[i].units = &sm->dp->sub[i];
    sm->mu->dp[0] = sm->dp, sm->mu->n_dp = 1;
    sm->mu->dp_turn = 0;
}

/* The first's memory unit takes memory instructions of all datapaths. */
static void share_memory(struct group *g)
{
    struct memunit *mu = g->sm[0]->mu;

    for (u32 i = 0; i < g->n; i++) {
        g->sm[i]->mu->n_dp = 0;
        g->sm[i]->dp->mu = mu;
        mu->dp[i] = g->sm[i]->dp;
    }
    mu->n_dp = g->n;
}

void bind_wide(struct group *g)
{
    struct front *fe = g->sm[0]->front;

    assert(fe->words == g->n * g->sm[0]->dp->words);
    share_memory(g);
    for (u32 i = 0; i < g->n; i++)
        fe->dp[i] = g->sm[i]->dp;
    fe->n_dp = g->n;
    fe->wide = g->n > 1;
}

void bind_lend(struct group *g)
{
    struct datapath *lent = g->sm[g->n - 1]->dp;

    assert(g->n > 1 && lent->sm->shape.parts == g->n - 1);
    for (u32 k = 0; k + 1 < g->n; k++) {
        struct front *fe = g->sm[k]->front;
        struct datapath *dp = g->sm[k]->dp;

        fe->dp[1] = lent, fe->n_dp = 2;
        fe->lent_sub = k * dp->n_sub;
        for (u32 i = 0; i < dp->n_sub; i++)
            lent->sub[fe->lent_sub + i].units = &dp->sub[i];
    }
}

void bind_join(struct group *g)
{
    struct front *first = g->sm[0]->front;

    assert(g->n <= LEN(first->share));
    share_memory(g);
    for (u32 i = 0; i < g->n; i++) {
        struct front *fe = g->sm[i]->front;

        fe->mu = first->mu, fe->l1i = first->l1i;
        fe->on = true;
        first->share[i] = fe;
    }
    first->n_share = g->n;
}

void bind_lock_step(struct group *g, u32 wake)
{
    struct front *leader = g->sm[0]->front;

    for (u32 i = 0; i < g->n; i++) {
        leader->dp[i] = g->sm[i]->dp;
        leader->lock[i] = g->sm[i]->front;
        g->sm[i]->front->by = leader;
    }
    leader->n_dp = leader->n_lock = g->n;
    leader->part_wake = wake;
}

void bind_part(struct front *fe, u64 from)
{
    assert(fe->by == fe);
    if (fe->n_lock == 1 || fe->parting)
        return;
    fe->parting = true;
    fe->part_at = from;
    group_wake(fe->sm->group, from);
}

/* Nothing of it waits for another member's. */
static bool is_drained(const struct front *fe)
{
    for (u32 slot = 0; slot < fe->n_warp; slot++) {
        if (!depend_idle(fe, slot))
            return false;
        for (u32 k = 0; k < fe->n_lock; k++)
            if (fe->lock[k]->ctx[slot].in_flight || fe->lock[k]->ctx[slot].atoms)
                return false;
    }
    return true;
}

bool bind_parted(struct front *fe, u64 now)
{
    u32 n = fe->n_lock;

    assert(fe->parting);
    if (now < fe->part_at || !is_drained(fe))
        return false;
    fe->parting = false;
    fe->n_dp = fe->n_lock = 1;
    for (u32 k = 1; k < n; k++) {
        fe->lock[k]->by = fe->lock[k];
        warps_go_on(fe->lock[k], fe);
    }
    warps_go_on(fe, fe);
    HOOK(fe->sm, parted, n);
    return true;
}
