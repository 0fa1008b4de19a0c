/*
 * check.c -- do the counts of a group add up?  For hostile builds, at edges; see group_check.
 *
 * What is under way is counted twice: by whoever waits for it, and by the places that it can be in.
 * A binding that changes must keep both equal.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "sm/binding/group.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

/* As assert, in every build: whoever calls group_check wants to know. */
#define REQUIRE(truth) ((truth) ? (void)0 : broken(#truth, __LINE__))

static _Noreturn void broken(const char *what, int line)
{
    fprintf(stderr, "smelt: check.c:%d: counts of a group do not add up: %s\n", line, what);
    abort();
}

/* ---- flights: in a latch, in a collector unit, or in a pipeline */

static u32 flights_in(const struct datapath *dp)
{
    u32 n = dp->wheel.n_due;

    for (u32 i = 0; i < dp->n_sub; i++) {
        const struct subcore *sc = &dp->sub[i];
        u32 all = 0;

        for (u32 u = 0; u < N_UNIT; u++) {
            n += sc->issue[u].n + sc->exec[u].n;
            all |= sc->set[u].mask;
        }
        REQUIRE(!(sc->cu_free & sc->cu_ready) && !(sc->cu_free & ~all));
        n += (u32)__builtin_popcount(all & ~sc->cu_free);
    }
    return n;
}

static void check_flights(const struct group *g)
{
    u32 n = 0, instructions = 0, landed = 0;
    bool parts = false;

    for (u32 i = 0; i < g->n; i++) {
        const struct front *fe = g->sm[i]->front;
        const struct memunit *mu = g->sm[i]->mu;

        n += flights_in(g->sm[i]->dp);
        landed += (mu->latch != REQ_NONE) + mu->smem.n;
        parts |= fe->bind.wide || fe->lock.n > 1;
        for (u32 w = 0; w < MAX_WARPS; w++)
            instructions += fe->ctx[w].in_flight;
    }
    REQUIRE(n + g->flights.held == g->flights.used);
    REQUIRE(parts || instructions == n + landed);
}

/* ---- warps */

static void check_registers(const struct front *fe, const struct wctx *c)
{
    u32 n = 0;

    for (u32 r = 0; c->pend && r < fe->n_regs; r++)
        n += c->pend[r] != 0;
    REQUIRE(fe->depend || n == c->n_pend);
}

static void check_schedulers(const struct front *fe)
{
    u32 live = 0, warps = 0;

    for (u32 k = 0; k < fe->n_sched; k++) {
        const struct sched *s = &fe->sched[k];

        live += (u32)__builtin_popcountll(s->live);
        REQUIRE(!((s->valid | s->wrong | s->bar | s->ended) & ~s->live) && !(s->valid & s->wrong));
        for (u64 m = s->live; m; m &= m - 1) {
            u32 p = (u32)__builtin_ctzll(m);

            REQUIRE(fe->ctx[s->at[p]].w && fe->ctx[s->at[p]].pos == p &&
                    fe->ctx[s->at[p]].sched == k);
        }
    }
    for (u32 w = 0; w < MAX_WARPS; w++)
        warps += fe->ctx[w].w && !fe->ctx[w].gone;
    REQUIRE(live == (fe->by == fe ? warps : 0));
}

/* Wherever its warps are. */
static void check_ctas(const struct group *g, const struct front *fe)
{
    u32 used = 0, starting = 0, left = 0, warps = 0;

    for (u32 i = 0; i < fe->n_slot; i++) {
        const struct cta_slot *s = &fe->slot[i];

        used += s->used;
        starting += s->used && !s->started;
        left += s->used && s->started ? s->left : 0;
    }
    for (u32 i = 0; i < g->n; i++)
        for (u32 w = 0; w < MAX_WARPS; w++) {
            const struct wctx *c = &g->sm[i]->front->ctx[w];

            warps += c->w && c->home == fe;
        }
    REQUIRE(used == fe->n_cta && starting == fe->n_starting && left == warps);
}

static void check_front(const struct group *g, const struct front *fe)
{
    check_schedulers(fe);
    check_ctas(g, fe);
    for (u32 w = 0; w < MAX_WARPS; w++)
        check_registers(fe, &fe->ctx[w]);
}

/* ---- memory operations and acknowledgements */

static void check_operations(const struct memunit *mu)
{
    u32 n_op = 0, n_list = 0, n_l1q = 0;

    for (u32 i = mu->free_op; i != REQ_NONE; i = mu->op[i].next)
        n_op++;
    for (u32 i = mu->free_list; i < N_LIST; i = mu->list[i].next_free)
        n_list++;
    for (u32 b = 0; b < mu->l1q_banks; b++)
        n_l1q += mu->l1q[b].n;
    REQUIRE(n_op + mu->used_op == mu->n_op && n_list + mu->n_list_used == N_LIST);
    REQUIRE(n_l1q == mu->n_l1q);
}

static u32 stores_waited_for(const struct group *g)
{
    u32 n = 0;

    for (u32 i = 0; i < g->n; i++)
        for (u32 w = 0; w < MAX_WARPS; w++)
            n += g->sm[i]->front->ctx[w].stores;
    return n;
}

/* Acknowledgements that the network still has to bring: those of requests that are not free. */
static u32 stores_sent(const struct req_pool *p)
{
    u8 *free_one;
    u32 n = 0;

    if (p->n_free == p->cap)
        return 0;
    free_one = xcalloc(p->cap + 1, 1);
    for (u32 k = 0, i = p->free; k < p->n_free; k++, i = p->at[i].next)
        free_one[i] = 1;
    for (u32 i = 0; i < p->cap; i++)
        if (!free_one[i] && p->at[i].kind == REQ_WRITE && p->at[i].owner != REQ_NONE)
            n += p->at[i].left;
    free(free_one);
    return n;
}

static u32 stores_kept(const struct memunit *mu)
{
    u32 n = 0;

    for (u32 b = 0; b < mu->l1q_banks; b++)
        for (u32 i = 0; i < mu->l1q[b].n; i++)
            if (ring_at(&mu->l1q[b], i).is_store)
                n += (u32)__builtin_popcount(store_sectors(ring_at(&mu->l1q[b], i).store));
    for (u32 i = 0; i < mu->l1d.send.n; i++)
        if (ring_at(&mu->l1d.send, i).kind == SEND_WRITE)
            n += (u32)__builtin_popcount(store_sectors(ring_at(&mu->l1d.send, i).token));
    return n;
}

static void check_stores(const struct group *g)
{
    u32 n = stores_sent(g->sm[0]->mu->pool);

    for (u32 i = 0; i < g->n; i++)
        n += stores_kept(g->sm[i]->mu);
    REQUIRE(n == stores_waited_for(g));
}

static void check_cache(const struct cache *c)
{
    u32 n = 0;

    for (u32 m = c->mshr_free; m; m = mshr_at(c, m)->next)
        n++;
    REQUIRE(n + c->n_mshr == c->mshrs);
}

void group_check(const struct group *g)
{
    check_flights(g);
    check_stores(g);
    for (u32 i = 0; i < g->n; i++) {
        const struct sm *sm = g->sm[i];

        check_front(g, sm->front);
        check_operations(sm->mu);
        check_cache(&sm->front->own_l1i);
        check_cache(&sm->mu->l1d), check_cache(&sm->mu->l1c), check_cache(&sm->mu->l1t);
    }
}
