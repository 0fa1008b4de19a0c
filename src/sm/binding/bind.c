/* bind.c -- see bind.h */
#include "sm/binding/bind.h"

#include <string.h>

#include "sm/datapath/datapath.h"
#include "sm/front/depend.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

void bind_own(struct sm *sm)
{
    struct front *fe = sm->front;

    check(sm, !fe->n_cta && !fe->lock.acks.n);
    fe->dp[0] = sm->dp, fe->n_dp = 1;
    fe->lock.of[0] = fe->by = fe, fe->lock.n = 1;
    fe->bind.share[0] = fe, fe->bind.share[1] = NULL, fe->bind.n_share = 1;
    fe->lock.n_set = 1;
    fe->bind.wide = fe->lock.ending = fe->lock.beginning = false;
    fe->lock.end_at = 0;
    fe->lock.terms = (struct lock_terms){0};
    fe->bind.by_cycle = fe->bind.carries = false;
    fe->bind.carried = (struct carried){0};
    fe->mu = sm->mu;
    fe->l1i = &fe->own_l1i;
    sm->dp->mu = sm->mu;
    fe->bind.lent_sub = 0;
    for (u32 i = 0; i < sm->dp->n_sub; i++)
        sm->dp->sub[i].units = &sm->dp->sub[i];
    sm->mu->dp[0] = sm->dp, sm->mu->n_dp = 1;
    sm->mu->dp_turn = 0;
    sm->mu->home = sm->mu, sm->mu->beside = NULL;
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

    check(g, fe->words == g->n * g->sm[0]->dp->words);
    share_memory(g);
    for (u32 i = 0; i < g->n; i++)
        fe->dp[i] = g->sm[i]->dp;
    fe->n_dp = g->n;
    fe->bind.wide = g->n > 1;
}

void bind_ports(struct group *g)
{
    struct memunit *mu = g->sm[0]->mu;

    check(g, g->n == 2 && g->sm[1]->dp->mu == mu);
    mu->beside = g->sm[1]->mu;
    mu->beside->home = mu;
}

void bind_lend(struct group *g)
{
    struct datapath *lent = g->sm[g->n - 1]->dp;

    check(g, g->n > 1 && lent->sm->shape.parts == g->n - 1);
    for (u32 k = 0; k + 1 < g->n; k++) {
        struct front *fe = g->sm[k]->front;
        struct datapath *dp = g->sm[k]->dp;

        fe->dp[1] = lent, fe->n_dp = 2;
        fe->bind.lent_sub = k * dp->n_sub;
        ensure(fe, fe->bind.lent_sub + dp->n_sub <= lent->n_sub);
        for (u32 i = 0; i < dp->n_sub; i++)
            lent->sub[fe->bind.lent_sub + i].units = &dp->sub[i];
    }
}

void bind_join(struct group *g)
{
    struct front *first = g->sm[0]->front;

    ensure(g, g->n <= LEN(first->bind.share));
    share_memory(g);
    for (u32 i = 0; i < g->n; i++) {
        struct front *fe = g->sm[i]->front;

        fe->mu = first->mu, fe->l1i = first->l1i;
        fe->on = true;
        first->bind.share[i] = fe;
    }
    first->bind.n_share = g->n;
}

/* ---- a pair */

void bind_fuse(struct group *g)
{
    struct front *fe = g->sm[0]->front, *other = g->sm[1]->front;

    check(g, g->n == 2 && other->words == fe->words);
    bind_wide(g);
    other->mu = fe->mu, other->l1i = fe->l1i;
    fe->bind.share[1] = other; /* nothing is dealt out to it: warps are moved there */
}

void bind_split(struct group *g, bool works, bool one)
{
    struct front *fe = g->sm[0]->front, *other = g->sm[1]->front;

    check(fe, fe->bind.wide && fe->bind.share[1] == other);
    check(other, works || parts_room(other) == other->n_warp);
    fe->dp[1] = g->sm[one ? 0 : 1]->dp;
    fe->bind.by_cycle = other->bind.by_cycle = works && !one;
    if (other->on == works)
        return;
    sm_settle(other->sm, fe->sm->now);
    front_count_warps(other, fe->sm->now, 0);
    other->on = works;
    if (!other->n_resident)
        front_set_idle(other);
}

/* ---- lock step */

/* The leader moves all warps of its set, and they take its way to the collectors. */
static void lock(struct front *leader, u32 n)
{
    check(leader, leader->lock.n == 1 && n <= MAX_BIND);
    leader->n_dp = leader->lock.n = n;
    for (u32 k = 0; k < n; k++) {
        struct front *fe = leader->lock.of[k];

        fe->by = leader;
        datapath_late_issue(fe->sm->dp, fe->sm->shape.late_issue + leader->lock.terms.late);
    }
}

static void unlock(struct front *leader)
{
    for (u32 k = 0; k < leader->lock.n; k++) {
        struct front *fe = leader->lock.of[k];

        check(fe, fe->by == leader);
        fe->by = fe;
        datapath_late_issue(fe->sm->dp, fe->sm->shape.late_issue);
    }
    leader->n_dp = leader->lock.n = 1;
}

void bind_lock_step(struct group *g, const struct lock_terms *t)
{
    struct front *leader = g->sm[0]->front;

    leader->lock.terms = *t;
    for (u32 i = 0; i < g->n; i++) {
        leader->dp[i] = g->sm[i]->dp;
        leader->lock.of[i] = g->sm[i]->front;
        g->sm[i]->front->lock.n_set = i ? 0 : g->n;
    }
    if (t->ack && !leader->lock.acks.at) /* each member's operation can end in a cycle */
        ring_init(&leader->lock.acks, N_FLIGHT * MAX_GROUP);
    lock(leader, g->n);
}

/* ---- its end */

static void dissolve(struct front *fe)
{
    u32 n = fe->lock.n_set;

    for (u32 k = 0; k < n; k++)
        fe->lock.of[k]->lock.n_set = 1;
    fe->lock.beginning = false;
}

static void part(struct front *fe, u32 pc, u64 now, u64 from)
{
    check(fe, fe->by == fe && fe->lock.n > 1);
    if (fe->lock.ending)
        return;
    fe->lock.ending = true;
    fe->lock.end_pc = pc;
    fe->lock.end_since = now;
    fe->lock.end_at = from + fe->lock.terms.wake;
    group_wake(fe->sm->group, fe->lock.end_at);
    HOOK(fe->sm, unlocking, fe->lock.n);
}

void bind_unlock(struct front *fe, u64 now)
{
    if (fe->lock.n > 1) {
        part(fe, PC_NONE, now, now);
    } else if (fe->lock.n_set > 1) {
        dissolve(fe);
        HOOK(fe->sm, unlocked, 1);
    }
}

/* Lanes go out with the branch, and a follower answers. */
void bind_differ(struct front *fe, u32 pc, u64 now)
{
    part(fe, pc, now, now + fe->lock.terms.late + fe->lock.terms.ack);
}

/* Nothing of it waits for another member's. */
static bool is_drained(const struct front *fe, u32 n)
{
    for (u32 slot = 0; slot < fe->n_warp; slot++)
        for (u32 k = 0; k < n; k++) {
            const struct wctx *c = &fe->lock.of[k]->ctx[slot];

            if (!depend_idle(fe->lock.of[k], slot) || c->in_flight || c->atoms)
                return false;
        }
    return true;
}

bool bind_has_unlocked(struct front *fe, u64 now)
{
    u32 n = fe->lock.n;

    check(fe, fe->lock.ending);
    if (now < fe->lock.end_at || fe->opening || !is_drained(fe, n))
        return false;
    check(fe, !fe->lock.acks.n);
    fe->lock.ending = false;
    unlock(fe);
    for (u32 k = 1; k < n; k++)
        warps_go_on(fe->lock.of[k], fe);
    warps_go_on(fe, fe);
    if (fe->lock.end_pc == PC_NONE || !fe->lock.terms.again)
        dissolve(fe);
    HOOK(fe->sm, unlocked, n);
    return true;
}

/* ---- and its beginning */

static bool stands_with(const struct simt *a, const struct simt *b, u32 words, bool paths)
{
    return a->pc == b->pc && a->rpc == b->rpc && a->row == b->row && a->pred == b->pred &&
           a->func == b->func && a->site == b->site && a->caller == b->caller &&
           (paths || !memcmp(a->mask, b->mask, words * sizeof a->mask[0]));
}

static bool warps_stand_together(const struct warp *a, const struct warp *b, bool paths)
{
    if (a->done || b->done)
        return a->done && b->done;
    if (a->depth != b->depth || a->waiting != b->waiting || a->call.builtin || b->call.builtin)
        return false;
    for (u32 i = 0; i < a->depth; i++)
        if (!stands_with(&a->stack[i], &b->stack[i], a->n_word, paths))
            return false;
    return true;
}

bool bind_is_aligned(const struct front *fe)
{
    for (u32 k = 1; k < fe->lock.n_set; k++)
        for (u32 slot = 0; slot < fe->n_warp; slot++) {
            const struct warp *a = fe->ctx[slot].w, *b = fe->lock.of[k]->ctx[slot].w;

            if ((a != NULL) != (b != NULL) ||
                (a && !warps_stand_together(a, b, fe->lock.terms.paths)))
                return false;
        }
    return true;
}

void bind_relock(struct front *fe)
{
    check(fe, fe->lock.n == 1 && fe->lock.n_set > 1);
    fe->lock.beginning = true;
    group_wake(fe->sm->group, fe->sm->now + 1);
}

/* No instruction is on its way to a warp, and none waits for a fence. */
static bool is_still(const struct front *fe)
{
    u64 waits = 0;

    for (u32 k = 0; k < fe->n_sched; k++)
        waits |= fe->sched[k].imiss | fe->sched[k].fence | fe->sched[k].atom;
    return !waits && !fe->opening && !fe->n_fetched && !fe->n_starting && !fe->own_l1i.n_mshr;
}

bool bind_has_relocked(struct front *fe)
{
    u32 n = fe->lock.n_set;

    check(fe, fe->lock.beginning && n > 1);
    for (u32 k = 0; k < n; k++)
        if (!is_still(fe->lock.of[k]))
            return false;
    if (!is_drained(fe, n))
        return false;
    check(fe, bind_is_aligned(fe));
    fe->lock.beginning = false;
    for (u32 k = 1; k < n; k++)
        warps_follow(fe->lock.of[k]);
    lock(fe, n);
    fe->may_retire = 0;
    for (u32 slot = 0; slot < fe->n_warp; slot++)
        if (fe->ctx[slot].w)
            warp_waited(fe, slot);
    HOOK(fe->sm, relocked, n);
    return true;
}
