/*
 * amoeba_split.c -- see amoeba.h: section 4.3 of the paper.
 *
 * "We set up a threshold to decide when to split, which is a fixed ratio of divergent warps to the total
 * warps running in the large SM."  Divergent warps go to the second SM, each cut in the middle into two
 * (direct split); or its threads are labelled fast and slow in small groups, and the slow half goes
 * (warp regrouping).  "When the second SM finishes all divergent warps, we re-fuse the two SMs into
 * one."  Meanwhile "we periodically move some fast warps" there if it stalls.
 *
 * A warp is moved when nothing of it is under way; until then it is held.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exec/part.h"
#include "mech/amoeba.h"
#include "sm/binding/bind.h"
#include "sm/front/parts.h"

enum { BY_CONTROL, BY_MEMORY, BY_BOTH };
enum { RETRY = 8 }; /* cycles after which a warp that was busy is looked at again */

static struct front *second(const struct sm *sm)
{
    return sm->group->sm[1]->front;
}

static void arm_timer(struct amoeba *a, struct sm *sm, u32 timer, u64 delay)
{
    if (a->armed[timer])
        return;
    a->armed[timer] = true;
    sm_timer(sm, a->timer0 + timer, sm->now, delay);
}

static void hold_marked(struct amoeba *a, struct sm *sm)
{
    u32 who = mech_number(a->timer0);
    bool all = a->still || a->halts;

    sm_hold(sm, who, all ? ~0ull : a->marked, 0);
    sm_hold(sm->group->sm[1], who, all ? ~0ull : 0, 0);
}

void pair_halt(struct amoeba *a, struct sm *sm, bool halts)
{
    if (a->halts == halts)
        return;
    a->halts = halts;
    hold_marked(a, sm);
}

/* ---- who diverges */

/* Lanes that the others wait for: of the running path, and those whose data came late. */
static u32 slow_lanes(const struct amoeba *a, u32 slot, const struct warp *w, u32 slow[MAX_WORDS])
{
    const struct simt *top = &w->stack[w->depth - 1];
    u32 live[MAX_WORDS], n = warp_lanes(w, live);
    bool parted = popc_words(top->mask, w->n_word) < n && a->keys.c.divergence != BY_MEMORY;
    bool late = a->late >> slot & 1 && a->keys.c.divergence != BY_CONTROL;

    memset(slow, 0, MAX_WORDS * sizeof slow[0]);
    for (u32 k = 0; k < w->n_word; k++)
        slow[k] = live[k] & ((parted ? top->mask[k] : 0) | (late ? a->slow[slot][k] : 0));
    return popc_words(slow, w->n_word);
}

static bool diverges(const struct amoeba *a, const struct front *fe, u32 slot)
{
    const struct warp *w = fe->ctx[slot].w;
    u32 slow[MAX_WORDS], live[MAX_WORDS], n = slow_lanes(a, slot, w, slow);

    return n && n < warp_lanes(w, live);
}

/* Wide warps that run; a narrow one has been cut before. */
static bool is_whole(const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    return c->w && !c->ended && !c->part->narrow && c->w->depth && !warp_at_barrier(fe, c);
}

/* ---- cutting and moving */

/* Lanes of the second word. */
static void cut_middle(const struct warp *w, u32 mask[MAX_WORDS])
{
    for (u32 k = 0; k < MAX_WORDS; k++)
        mask[k] = k >= w->n_word / 2 && k < w->n_word ? ~0u : 0;
}

static u32 group_mask(u32 group, u32 size, u32 word)
{
    u32 first = group * size, bits = size == LANES ? ~0u : (1u << size) - 1;

    return first / LANES == word ? bits << first % LANES : 0;
}

/* The word with most slow lanes: of equal ones the second. */
static void cut_words(const struct warp *w, const u32 *slow, u32 mask[MAX_WORDS])
{
    cut_middle(w, mask);
    if (popc_32(slow[0]) <= popc_32(slow[1]))
        return;
    mask[0] = ~0u, mask[1] = 0;
}

/*
 * Half of all lanes, in groups: those with most slow ones; of equal groups the later.  Logical warps
 * whose lanes talk to each other stay whole.
 */
static void cut_groups(const struct amoeba *a, u32 slot, const struct warp *w, u32 mask[MAX_WORDS])
{
    u32 size = (u32)a->keys.c.group, n = w->n_word * LANES / size, slow[MAX_WORDS];
    bool taken[MAX_WORDS * LANES] = {false};

    slow_lanes(a, slot, w, slow);
    if (a->talks) {
        cut_words(w, slow, mask);
        return;
    }
    memset(mask, 0, MAX_WORDS * sizeof mask[0]);
    for (u32 left = n / 2; left; left--) {
        u32 best = n, most = 0;

        for (u32 g = 0; g < n; g++) {
            u32 score = popc_32(slow[g * size / LANES] & group_mask(g, size, g * size / LANES));

            if (!taken[g] && (best == n || score >= most))
                best = g, most = score;
        }
        taken[best] = true;
        mask[best * size / LANES] |= group_mask(best, size, best * size / LANES);
    }
}

/* False: one side would have nobody. */
static bool has_both(const struct warp *w, const u32 *mask)
{
    u32 live[MAX_WORDS], n = warp_lanes(w, live), of = 0;

    for (u32 k = 0; k < w->n_word; k++)
        of += popc_32(live[k] & mask[k]);
    return of && of < n;
}

/* All of it, as one or two narrow warps. */
static void send_halves(struct sm *sm, u32 slot)
{
    struct front *fe = sm->front;
    struct warp *w = fe->ctx[slot].w;
    u32 mask[MAX_WORDS];

    cut_middle(w, mask);
    if (has_both(w, mask))
        parts_host(second(sm), fe, slot, part_share(w, mask));
    parts_host(second(sm), fe, slot, w);
}

/* The slow ones; the fast ones stay. */
static void send_slow(const struct amoeba *a, struct sm *sm, u32 slot)
{
    struct front *fe = sm->front;
    struct warp *w = fe->ctx[slot].w;
    u32 mask[MAX_WORDS];

    cut_groups(a, slot, w, mask);
    if (!has_both(w, mask)) {
        send_halves(sm, slot);
        return;
    }
    parts_host(second(sm), fe, slot, part_share(w, mask));
    parts_narrow(fe, slot);
}

static void send(struct amoeba *a, struct sm *sm, u32 slot)
{
    u64 bit = (u64)1 << slot;

    if (a->fast & bit && sm->front->ctx[slot].part->narrow)
        parts_host(second(sm), sm->front, slot, sm->front->ctx[slot].w);
    else if (a->fast & bit || a->keys.c.mode == DIRECT_SPLIT)
        send_halves(sm, slot);
    else
        send_slow(a, sm, slot);
    a->st.moved_fast += a->fast >> slot & 1;
    a->st.cut += !(a->fast & bit);
}

/* Those that can go; who waits for others at a barrier, has ended, or finds no place, stays. */
static void move(struct amoeba *a, struct sm *sm)
{
    struct front *fe = sm->front;

    for (u64 m = a->marked; m; m &= m - 1) {
        u32 slot = (u32)__builtin_ctzll(m);
        const struct wctx *c = &fe->ctx[slot];

        if (c->w && !c->ended && c->w->waiting < 0 && parts_room(second(sm)) >= 2) {
            if (!parts_is_still(fe, slot))
                continue;
            send(a, sm, slot);
        }
        a->marked &= ~(m & -m), a->fast &= ~(m & -m);
    }
    hold_marked(a, sm);
    if (a->marked)
        arm_timer(a, sm, TIMER_MOVE, RETRY);
}

/* ---- the pair */

static void be_still(struct amoeba *a, struct sm *sm)
{
    a->still = true;
    hold_marked(a, sm);
    arm_timer(a, sm, TIMER_MOVE, a->keys.c.switch_cycles);
}

static void account(struct amoeba *a, u64 now)
{
    a->st.fused_cycles += a->state ? now - a->since : 0;
    a->st.split_cycles += a->state == PAIR_SPLIT ? now - a->since : 0;
    a->since = now;
}

/* Without a CTA the launch may be over, and the accounts that this changes closed: it waits for the next one. */
static void bind_state(const struct amoeba *a, struct sm *sm)
{
    bool split = a->state == PAIR_SPLIT;

    if (sm->front->n_cta)
        bind_split(sm->group, split || second(sm)->n_resident,
                   split && a->keys.c.uncut == UNCUT_ONE);
}

static void enter_pair_state(struct amoeba *a, struct sm *sm, enum pair_state state)
{
    account(a, sm->now);
    a->state = state;
    bind_state(a, sm);
    be_still(a, sm);
}

static void look_fused(struct amoeba *a, struct sm *sm)
{
    const struct front *fe = sm->front;
    u64 who = 0;
    u32 n = 0, room = parts_room(second(sm));

    for (u32 slot = 0; slot < fe->n_warp; slot++) {
        n += fe->ctx[slot].w && !fe->ctx[slot].ended;
        if (is_whole(fe, slot) && diverges(a, fe, slot))
            who |= (u64)1 << slot;
    }
    if (!who || (u64)__builtin_popcountll(who) * 100 < n * a->keys.c.threshold)
        return;
    for (; room >= 2 && who; room -= 2, who &= who - 1)
        a->marked |= who & -who;
    a->st.splits++;
    enter_pair_state(a, sm, PAIR_SPLIT);
}

static u64 issued_by(const struct front *fe)
{
    return fe->n_issued;
}

/* Has the second issued too few of the instructions that its schedulers could have? */
static bool stalls(const struct amoeba *a, const struct sm *sm)
{
    const struct front *fe = second(sm);
    u64 n = issued_by(fe) - a->issued, most = a->keys.c.period * fe->n_sched;

    return 100 * n <= a->keys.c.stalling * most;
}

/* One of 32 lanes from before the pair was fused stays where its registers are. */
static bool is_fast(const struct amoeba *a, const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    if (!c->w || c->ended || !c->w->depth || c->w->waiting >= 0)
        return false;
    if (c->parts && c->part->narrow && (a->keys.c.fast == FAST_WHOLE || c->w->n_word == 1))
        return false;
    return !diverges(a, fe, slot);
}

/* Warps of the first that do not diverge, if the second stalls. */
static void mark_fast(struct amoeba *a, struct sm *sm)
{
    const struct front *fe = sm->front;
    u32 n = (u32)a->keys.c.move;

    if (!stalls(a, sm) || parts_room(second(sm)) < 2 * n)
        return;
    for (u32 slot = 0; slot < fe->n_warp && n; slot++) {
        if (!is_fast(a, fe, slot))
            continue;
        a->marked |= (u64)1 << slot, a->fast |= (u64)1 << slot;
        n--;
    }
}

static void look_split(struct amoeba *a, struct sm *sm)
{
    if (!second(sm)->n_resident && !a->marked) {
        a->st.fused_again++;
        enter_pair_state(a, sm, PAIR_FUSED);
        return;
    }
    if (a->marked)
        return;
    mark_fast(a, sm);
    if (a->marked)
        move(a, sm);
}

/*
 * Somebody is awake in the cycle before `edge`, so that it is not skipped.  A timer may be of an earlier
 * launch, which ended before; none is later than what is waited for now.
 */
static void wait_edge(struct amoeba *a, struct sm *sm, u32 timer, u64 edge)
{
    const u64 most = 1000;

    if (edge > sm->now + 1)
        arm_timer(a, sm, timer, edge - 1 - sm->now < most ? edge - 1 - sm->now : most);
}

void pair_ready_at(struct amoeba *a, struct sm *sm, u64 now, u64 ready)
{
    a->ready = ready;
    sm->now = now;
    wait_edge(a, sm, TIMER_READY, ready);
}

void pair_sampled_at(struct amoeba *a, struct sm *sm, u64 now, u64 sampled)
{
    a->sampled = sampled;
    sm->now = now;
    wait_edge(a, sm, TIMER_SAMPLED, sampled);
}

void pair_timer(struct amoeba *a, struct sm *sm, u32 timer)
{
    a->armed[timer] = false;
    if (timer == TIMER_READY || timer == TIMER_SAMPLED) {
        wait_edge(a, sm, timer, timer == TIMER_READY ? a->ready : a->sampled);
        return;
    }
    if (!a->state)
        return;
    if (timer == TIMER_CARRIED) {
        bind_state(a, sm);
        return;
    }
    if (timer == TIMER_MOVE) {
        a->still = false;
        move(a, sm);
        return;
    }
    if (a->still) {
        arm_timer(a, sm, TIMER_LOOK, a->keys.c.period);
        return;
    }
    if (a->state == PAIR_FUSED)
        look_fused(a, sm);
    else
        look_split(a, sm);
    a->issued = issued_by(second(sm));
    a->late = 0;
    memset(a->slow, 0, MAX_WARPS * sizeof a->slow[0]);
    if (sm->front->n_cta)
        arm_timer(a, sm, TIMER_LOOK, a->keys.c.period);
}

/* Lanes that wait while others have their data. */
void pair_load_part(struct amoeba *a, struct sm *sm, u32 slot)
{
    const struct memop *op = sm->mu->load_part;

    if (!a->slow || !a->state || op->fe != sm->front) /* no slow: it never splits */
        return;
    a->late |= (u64)1 << slot;
    for (u32 k = 0; k < MAX_WORDS; k++)
        a->slow[slot][k] |= op->slow[k];
}

void pair_begin(struct amoeba *a, struct sm *sm, u64 now)
{
    a->state = PAIR_FUSED, a->since = now;
    a->st.fused++;
    if (a->keys.c.mode < DIRECT_SPLIT)
        return;
    a->talks = parts_has_gathers(sm->front);
    if (!a->slow)
        a->slow = xcalloc(MAX_WARPS, sizeof a->slow[0]);
    sm->mu->keep_lanes |= a->keys.c.divergence != BY_CONTROL;
}

void pair_end(struct amoeba *a, struct sm *sm, u64 now)
{
    account(a, now);
    a->state = PAIR_NONE;
    a->marked = a->fast = a->late = 0;
    a->still = false;
    hold_marked(a, sm);
}

void pair_carried(struct amoeba *a, struct sm *sm)
{
    if (a->state)
        arm_timer(a, sm, TIMER_CARRIED, 1);
}

void pair_cta(struct amoeba *a, struct sm *sm)
{
    if (!a->state)
        return;
    bind_state(a, sm);
    if (a->keys.c.mode < DIRECT_SPLIT)
        return;
    arm_timer(a, sm, TIMER_LOOK, a->keys.c.period);
}

void pair_free(struct amoeba *a)
{
    free(a->slow);
    a->slow = NULL;
}
