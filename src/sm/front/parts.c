/* parts.c -- see parts.h */
#include "sm/front/parts.h"

#include <string.h>

#include "base/text.h"
#include "exec/part.h"
#include "sm/binding/group.h"
#include "sm/datapath/datapath.h"
#include "sm/front/depend.h"
#include "sm/front/front.h"

static u64 bit_of(u32 slot)
{
    return (u64)1 << slot;
}

/* ---- for the time of a kernel */

/* Contexts of each share of a front end that its CTAs will have. */
static u64 contexts_of_ctas(const struct front *home)
{
    u64 taken = 0;

    for (u32 i = 0; i < home->n_slot; i++) {
        u32 n = (home->slot[i].n + home->bind.n_share - 1) / home->bind.n_share;

        for (u32 k = 0; k < n; k++)
            taken |= bit_of(home->slot[i].first + k);
    }
    return taken;
}

/* Contexts that none of the launch's CTAs will ever have: its own, and those of whose warps it has some. */
static u64 spare_contexts(const struct front *fe)
{
    const struct group *g = fe->sm->group;
    u64 taken = 0;

    for (u32 i = 0; i < g->n; i++)
        for (u32 k = 0; k < g->front[i]->bind.n_share; k++)
            taken |= g->front[i]->bind.share[k] == fe ? contexts_of_ctas(g->front[i]) : 0;
    return ~taken;
}

/* Volatile accesses are how threads of a warp talk to each other through memory. */
static bool is_talk(const struct uop *u)
{
    return u->keeps & KEEPS_ORDER && !(u->flags & UOP_ATOM);
}

static bool is_gather(const struct front *fe, u32 pc)
{
    return inst_is_among_lanes(&fe->x->code[pc]) || is_talk(&fe->uop[pc]);
}

bool parts_has_gathers(const struct front *fe)
{
    const struct func *f = fe->x->launch->func;
    bool own = false, any = false, calls = false;

    for (u32 pc = 0; pc < fe->prog->n_inst; pc++) {
        bool of_it = pc - f->pc < f->n_inst;

        calls |= of_it && (fe->x->code[pc].op == OP_call || fe->x->code[pc].op == OP_callx);
        any |= is_gather(fe, pc);
        own |= of_it && is_gather(fe, pc);
    }
    return own || (calls && any);
}

void parts_allow(struct front *fe, const struct part_terms *t)
{
    u64 spare = spare_contexts(fe);
    u32 n = (u32)__builtin_popcountll(spare), words = (fe->n_regs + 63) / 64, i = 0;

    check(fe, !fe->parts.pend && !fe->depend);
    if (fe->by != fe || fe->lock.n > 1 || !fe->on || !t->max)
        return;
    for (u32 k = 0; k < fe->n_slot; k++)
        cta_track(fe->slot[k].cta);
    fe->parts.terms = *t;
    fe->parts.stops = !t->by_pc || parts_has_gathers(fe);
    fe->parts.ctx = spare;
    fe->parts.pend = xcalloc((size_t)2 * n * fe->n_regs, 1);
    fe->parts.rows = xcalloc((size_t)n * words, sizeof(u64));
    for (u64 m = spare; m; m &= m - 1, i++) {
        struct wctx *c = &fe->ctx[__builtin_ctzll(m)];

        *c = (struct wctx){.pend = fe->parts.pend + (size_t)i * fe->n_regs, .part = c->part};
        *c->part = (struct wpart){.legacy = fe->parts.rows + (size_t)i * words};
        if (fe->war)
            c->readers = fe->parts.pend + (size_t)(n + i) * fe->n_regs;
    }
}

static u64 contexts_in_use(const struct front *fe)
{
    u64 used = 0;

    for (u64 m = fe->parts.ctx; m; m &= m - 1)
        used |= fe->ctx[__builtin_ctzll(m)].w ? m & -m : 0;
    return used;
}

/* A free context of the same scheduler. */
static u32 find_context(const struct front *fe, const struct wctx *c)
{
    u64 used = contexts_in_use(fe);

    if ((u32)__builtin_popcountll(used) >= fe->parts.terms.max || fe->sched[c->sched].n >= 64)
        return NO_PART;
    for (u64 m = fe->parts.ctx & ~used; m; m &= m - 1)
        if ((u32)__builtin_ctzll(m) % fe->n_sched == c->sched)
            return (u32)__builtin_ctzll(m);
    return NO_PART;
}

/* ---- who waits for whom */

/* What threads that ran together must not be without each other at. */
static bool is_limit(const struct uop *u)
{
    return u->flags & (UOP_CONTROL | UOP_BARRIER | UOP_FENCE | UOP_ATOM) || is_talk(u);
}

/* Do lanes that it was cut from, or that were cut from it, run in the same entry? */
static bool has_cut(const struct warp *w)
{
    const struct cta *c = w->cta;

    if (w->cut && part_is_along(w))
        return true;
    for (u32 i = 0; i < c->n_part && w->n_part; i++) {
        const struct warp *p = c->part[i];

        if (!p->done && p->from == w && p->cut && part_is_along(p))
            return true;
    }
    return false;
}

static bool waits_to_gather(const struct front *fe, const struct wctx *c)
{
    const struct warp *w = c->w;

    if (!w->scattered || w->gathered || c->part->together || !w->depth || w->waiting >= 0 ||
        part_is_home(w) || part_is_awaited(w))
        return false;
    return is_gather(fe, w->stack[w->depth - 1].pc);
}

static bool must_wait(const struct front *fe, const struct wctx *c)
{
    const struct warp *w = c->w;

    if (!w->depth || w->waiting >= 0 || w->call.builtin)
        return false;
    if (part_is_home(w) || part_is_awaited(w) || waits_to_gather(fe, c))
        return true;
    return fe->parts.stops && is_limit(&fe->uop[w->stack[w->depth - 1].pc]) && has_cut(w);
}

static bool is_fetching(const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    for (u32 i = 0; i < fe->n_fetched; i++)
        if (fe->fetched[i].slot == slot)
            return true;
    return fe->sched[c->sched].imiss & pos_bit(c);
}

static void hold_to_meet(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];

    if (!(sched_of(fe, c)->meet & pos_bit(c)))
        c->part->waits_since = fe->sm->now;
    sched_of(fe, c)->meet |= pos_bit(c);
    fe->parts.meeting |= bit_of(slot);
    if (!part_is_home(c->w))
        return;
    fe->want_fetch &= ~bit_of(slot); /* it has nothing more to run, and nothing to flush */
    sched_of(fe, c)->wrong &= ~pos_bit(c);
}

/* It may stand in front of what it must not come to alone. */
static void hold_if_due(struct front *fe, u32 slot)
{
    if (!must_wait(fe, &fe->ctx[slot]))
        return;
    hold_to_meet(fe, slot);
    fe->parts_due = true;
}

static void let_go(struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    sched_of(fe, c)->meet &= ~pos_bit(c);
    fe->parts.meeting &= ~bit_of(slot);
    if (!is_fetching(fe, slot)) /* otherwise decode will see where it stands */
        warp_next(fe, slot);
}

/* ---- a part leaves */

/* Of one that waits for others to come home, some lanes are theirs; one that is home runs no further. */
bool parts_possible(const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];

    return !c->atoms && !c->ended && !c->gone && !c->fenced && !warp_at_barrier(fe, c) &&
           !c->w->call.builtin && !c->w->gathered && !(fe->sched[c->sched].meet & pos_bit(c));
}

bool parts_would_wait(const struct front *fe, u32 slot)
{
    const struct warp *w = fe->ctx[slot].w;
    u32 pc = w->stack[w->depth - 1].pc;

    return fe->parts.stops && (is_limit(&fe->uop[pc]) || is_gather(fe, pc));
}

bool parts_have_room(const struct front *fe, u32 slot)
{
    return find_context(fe, &fe->ctx[slot]) != NO_PART;
}

static void inherit_from(struct front *fe, struct wctx *c, u32 at)
{
    struct wctx *p = &fe->ctx[at];

    for (u32 r = 0; r < fe->n_regs && c->n_pend; r++) {
        if (!c->pend[r])
            continue;
        check(p, p->part->legacy && r < fe->n_regs);
        c->part->heirs |= bit_of(at);
        p->n_pend += !p->pend[r], p->part->n_legacy += !p->pend[r];
        p->pend[r] |= c->pend[r];
        p->part->legacy[r / 64] |= (u64)1 << r % 64;
    }
}

/* It waits for what its warp waits for, by the registers; also for what parts that are gone have issued. */
static void inherit(struct front *fe, u32 slot, u32 at)
{
    struct wctx *c = &fe->ctx[slot];

    inherit_from(fe, c, at);
    for (u64 m = c->part->ghosts; m; m &= m - 1)
        inherit_from(fe, &fe->ctx[__builtin_ctzll(m)], at);
}

static void drop_legacy(struct wctx *p, u32 r)
{
    u64 bit = (u64)1 << r % 64;

    if (!(p->part->legacy[r / 64] & bit))
        return;
    check(p, p->n_pend && p->part->n_legacy && p->pend[r]);
    p->part->legacy[r / 64] &= ~bit;
    p->pend[r] = 0;
    p->n_pend--, p->part->n_legacy--;
}

/* It is no heir any more. */
static void disinherit(struct front *fe, u32 slot)
{
    struct wctx *p = &fe->ctx[slot], *c = &fe->ctx[p->part->owner];

    for (u32 r = 0; r < fe->n_regs && p->part->n_legacy; r++)
        drop_legacy(p, r);
    c->part->heirs &= ~bit_of(slot);
    for (u64 m = c->part->ghosts; m; m &= m - 1)
        fe->ctx[__builtin_ctzll(m)].part->heirs &= ~bit_of(slot);
}

/* Place i of the registers that it writes, whose frame is tag. */
static u32 def_at(const struct uop *u, u32 i, u32 tag)
{
    return (i < u->n_def_row ? tag & 0xffff : tag >> 16) + u->def[i];
}

static u32 leave_context(struct front *fe, u32 slot, struct warp *w)
{
    struct wctx *c = &fe->ctx[slot];
    u32 at = find_context(fe, c);
    struct wctx *p = &fe->ctx[at];
    struct cta_slot *cta = &c->home->slot[c->cta];

    ensure(c, at != NO_PART);
    check(c, c->w && w->cta == c->w->cta && w->id == c->w->id);
    check(p, !p->w && !p->gone && !p->n_pend && !p->part->n_legacy);
    p->w = w, p->home = c->home, p->cta = c->cta;
    p->dp = c->dp, p->sub = c->sub, p->bank = c->bank;
    p->ib_n = 0, p->fetch_pc = w->stack[w->depth - 1].pc;
    p->ended = p->fenced = p->gone = p->part->moved = p->part->together = p->part->guest = false;
    p->copy_wait = 0;
    p->part->narrow = c->part->narrow;
    p->part->heirs = p->part->ghosts = 0;
    p->parts = c->parts = true, p->part->owner = (u8)slot;
    inherit(fe, slot, at);
    cta->at[fe != c->home->bind.share[0]] |= bit_of(at);
    cta->left++;
    warps_join_scheduler(fe, at);
    fe->want_fetch |= bit_of(at);
    fe->parts.stat.left++;
    hold_if_due(fe, slot), hold_if_due(fe, at);
    HOOK(fe->sm, warp_begin, at);
    return at;
}

u32 parts_side(struct front *fe, u32 slot)
{
    struct warp *w = part_side(fe->ctx[slot].w);

    return w ? leave_context(fe, slot, w) : NO_PART;
}

u32 parts_cut(struct front *fe, u32 slot, const u32 *mask, const struct uop *ready, u32 tag)
{
    u32 at = leave_context(fe, slot, part_cut(fe->ctx[slot].w, mask));

    for (u32 i = 0; ready && i < ready->n_def; i++)
        drop_legacy(&fe->ctx[at], def_at(ready, i, tag));
    if (!fe->ctx[at].part->n_legacy)
        disinherit(fe, at);
    return at;
}

/* ---- it moves, or ends */

/* Its stack is empty: its lanes have ended as parts, or before them. */
static void end(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);

    fe->parts.meeting &= ~bit_of(slot);
    s->meet &= ~pos_bit(c), s->valid &= ~pos_bit(c), s->wrong &= ~pos_bit(c);
    fe->want_fetch &= ~bit_of(slot);
    c->ended = true, c->ib_n = 0;
    s->ended |= pos_bit(c);
    if (c->w->from)
        disinherit(fe, slot);
    warp_waited(fe, slot);
}

/* Threads of it have ended: those that it came from may have, too. */
static void tell_owners(struct front *fe, u32 slot)
{
    for (u32 k = 0; k < MAX_WARPS && fe->ctx[slot].w->from; k++) {
        slot = fe->ctx[slot].part->owner;
        if (fe->ctx[slot].ended)
            warp_waited(fe, slot);
        else if (!fe->ctx[slot].w->depth)
            end(fe, slot);
        else
            fe->parts.meeting |= bit_of(slot);
    }
}

/* Those that wait look again whether it is for this one, wherever they are. */
static void remind(const struct wctx *c)
{
    for (u32 i = 0; i < LEN(c->home->bind.share); i++) {
        struct front *fe = c->home->bind.share[i];

        if (fe)
            fe->parts_due |= fe->parts.meeting || fe->parts.terms.by_pc;
    }
}

void parts_issued(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];

    c->part->moved = true, c->part->together = false;
    if (c->w->from && c->ended)
        disinherit(fe, slot);
    if (c->w->from && (c->ended || fe->x->out.n_exited))
        tell_owners(fe, slot);
    if (!c->ended)
        hold_if_due(fe, slot);
    remind(c);
}

/* Of a context whose warp now shares threads with others that do not go home: they meet to gather. */
static void watch(struct front *fe, u32 slot)
{
    fe->ctx[slot].parts = true;
    parts_issued(fe, slot);
}

/* ---- home */

static bool can_return(const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];
    const struct warp *w = c->w;

    if (!w->from || w->n_part || warp_at_barrier(fe, c) || w->call.builtin || c->fenced ||
        c->gone || c->atoms || is_fetching(fe, slot))
        return false;
    if (part_is_home(w))
        return part_is_expected(w) && w->from->waiting < 0;
    return c->part->moved && (w->cut || fe->parts.terms.by_pc) && part_is_beside(w) &&
           !fe->ctx[c->part->owner].fenced && !w->gathered && !w->from->gathered;
}

static void leave_scheduler(struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    u64 bit = pos_bit(c);

    s->live &= ~bit, s->valid &= ~bit, s->wrong &= ~bit, s->meet &= ~bit;
    s->raw &= ~bit, s->raw_mem &= ~bit, s->waw &= ~bit, s->war &= ~bit, s->atom &= ~bit;
    s->fence &= ~bit, s->held &= ~bit, s->bar &= ~bit, s->dirty &= ~bit, s->active &= ~bit;
    fe->want_fetch &= ~bit_of(slot), fe->opening &= ~bit_of(slot);
    fe->parts.meeting &= ~bit_of(slot);
}

/* What is under way of it, and of parts of its own that are gone, is its warp's to wait for. */
static void go_home(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];

    check(c, c->w->from && fe->ctx[c->part->owner].w == c->w->from);
    part_return(c->w);
    leave_scheduler(fe, slot);
    disinherit(fe, slot);
    c->gone = true, c->ib_n = 0;
    for (u64 m = c->part->ghosts; m; m &= m - 1)
        fe->ctx[__builtin_ctzll(m)].part->owner = c->part->owner;
    fe->ctx[c->part->owner].part->ghosts |= c->part->ghosts | bit_of(slot);
    c->part->ghosts = 0;
    fe->parts.stat.home++;
    parts_landed(fe, slot);
}

bool parts_landed(struct front *fe, u32 slot)
{
    struct wctx *p = &fe->ctx[slot];
    struct wctx *c = &fe->ctx[p->part->owner];

    if (!p->gone) {
        remind(p);
        return false;
    }
    if (p->in_flight || p->stores || p->atoms || p->n_pend)
        return true;
    struct cta_slot *cta = &p->home->slot[p->cta];

    check(p, cta->left > 1 && !p->part->ghosts && c->part->ghosts & bit_of(slot));
    cta->at[fe != p->home->bind.share[0]] &= ~bit_of(slot);
    cta->left--;
    part_release(p->w);
    p->w = NULL, p->gone = p->parts = false, p->part->heirs = 0;
    c->part->ghosts &= ~bit_of(slot);
    depend_dirty(fe, c);
    warp_waited(fe, p->part->owner);
    HOOK(fe->sm, warp_end, slot);
    return true;
}

/* ---- registers */

/* Has any of those that it is the heir of still to bring it? */
static bool is_to_come(const struct front *fe, u32 heir, u32 r)
{
    const struct wctx *c = &fe->ctx[fe->ctx[heir].part->owner];
    u8 state = c->part->heirs & bit_of(heir) ? c->pend[r] : 0;

    for (u64 m = c->part->ghosts; m; m &= m - 1) {
        const struct wctx *g = &fe->ctx[__builtin_ctzll(m)];

        state |= g->part->heirs & bit_of(heir) ? g->pend[r] : 0;
    }
    return state;
}

void parts_released(struct front *fe, u32 slot, const struct uop *u, u32 tag)
{
    struct wctx *c = &fe->ctx[slot];

    if (c->gone)
        depend_dirty(fe, &fe->ctx[c->part->owner]);
    for (u64 m = c->part->heirs; m; m &= m - 1) {
        u32 at = (u32)__builtin_ctzll(m);
        struct wctx *p = &fe->ctx[at];

        for (u32 i = 0; i < u->n_def; i++)
            if (!is_to_come(fe, at, def_at(u, i, tag)))
                drop_legacy(p, def_at(u, i, tag));
        parts_released(fe, at, u, tag); /* what it was still waiting for, its own heirs are too */
        if (!p->part->n_legacy)
            disinherit(fe, at);
        depend_dirty(fe, p);
        warp_waited(fe, at);
    }
}

void parts_look(struct front *fe, struct sched *s, u32 slot, const struct uop *u, u64 bit)
{
    const struct wctx *c = &fe->ctx[slot];
    u8 src = 0, dst = 0;

    for (u64 m = c->part->ghosts; m; m &= m - 1) {
        const u8 *pend = fe->ctx[__builtin_ctzll(m)].pend;

        src |= board_or(pend, c->frame, u->use, u->n_use_row, u->n_use);
        dst |= board_or(pend, c->frame, u->def, u->n_def_row, u->n_def);
    }
    s->raw_mem |= src > REG_BUSY ? bit : 0;
    s->raw |= src == REG_BUSY ? bit : 0;
    s->waw |= dst && !src ? bit : 0;
}

/* ---- those that wait */

/* Each context that has a warp of the same threads as c's, in the front ends that have its CTA. */
#define EACH_KIN(f, k, c)                                                                          \
    for (u32 i_ = 0; i_ < LEN((c)->home->bind.share); i_++)                                        \
        for (u64 m_ = (c)->home->slot[(c)->cta].at[i_]; m_; m_ &= m_ - 1)                          \
            for (struct front *f = (c)->home->bind.share[i_]; f; f = NULL)                         \
                for (struct wctx *k = &f->ctx[__builtin_ctzll(m_)];                                \
                     k && !k->gone && k->w && k->w->id == (c)->w->id; k = NULL)

/* Nobody of them can come to anything without another. */
static bool is_stuck(const struct wctx *c)
{
    EACH_KIN(fe, k, c)
    if (!k->ended && k->w->waiting < 0 && !(sched_of(fe, k)->meet & pos_bit(k)))
        return false;
    return true;
}

/* Who stands where it does, and waits as it does. */
static bool stands_with(const struct front *fe, const struct wctx *a, const struct wctx *b)
{
    if (!waits_to_gather(fe, b))
        return false;
    const struct simt *x = &a->w->stack[a->w->depth - 1], *y = &b->w->stack[b->w->depth - 1];

    return x->pc == y->pc && x->row == y->row && x->pred == y->pred && x->frame == y->frame;
}

static bool has_atoms(const struct wctx *c)
{
    EACH_KIN(fe, k, c)
    if (k->atoms)
        return true;
    return false;
}

/* All that have come where it is perform the operation together. */
static void gather(struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];
    struct warp *w[MAX_WARPS];
    const struct simt at = c->w->stack[c->w->depth - 1];
    u32 n = 0;

    EACH_KIN(f, k, c)
    if (stands_with(f, c, k)) {
        ensure(k, n < LEN(w));
        w[n++] = k->w, k->part->together = true;
    }
    c->home->parts.stat.gathered++;
    if (inst_is_among_lanes(&fe->x->code[at.pc]))
        exec_gather(fe->x, w, n);
    EACH_KIN(f, k, c)
    f->parts_due = true;
}

/* The one that waits longest goes first, so that each has its turn. */
static u32 first_to_gather(const struct front *fe)
{
    u32 first = NO_PART;

    for (u64 m = fe->parts.meeting; m; m &= m - 1) {
        u32 slot = (u32)__builtin_ctzll(m);
        const struct wctx *c = &fe->ctx[slot];

        if (c->w->depth && waits_to_gather(fe, c) && is_stuck(c) && !has_atoms(c) &&
            (first == NO_PART || c->part->waits_since < fe->ctx[first].part->waits_since))
            first = slot;
    }
    return first;
}

/* Returns make others return: until nobody does. */
static void settle(struct front *fe)
{
    bool moved;

    do {
        u64 look =
            fe->parts.terms.by_pc ? contexts_in_use(fe) | fe->parts.meeting : fe->parts.meeting;

        moved = false;
        for (; look; look &= look - 1) {
            u32 slot = (u32)__builtin_ctzll(look);
            const struct wctx *c = &fe->ctx[slot];

            if (!c->ended && !c->gone && can_return(fe, slot))
                go_home(fe, slot), moved = true;
        }
    } while (moved);
}

void parts_step(struct front *fe)
{
    u32 slot;

    fe->parts_due = false;
    settle(fe);
    for (u64 m = fe->parts.meeting; m; m &= m - 1) {
        slot = (u32)__builtin_ctzll(m);
        if (!must_wait(fe, &fe->ctx[slot]))
            let_go(fe, slot);
        else
            hold_to_meet(fe, slot);
    }
    if ((slot = first_to_gather(fe)) != NO_PART)
        gather(fe, slot);
    for (u32 k = 0; k < fe->n_sched; k++)
        if (fe->sched[k].n > 48)
            warps_compact(fe, &fe->sched[k]);
}

/* ---- between front ends */

bool parts_is_still(const struct front *fe, u32 slot)
{
    const struct wctx *c = &fe->ctx[slot];
    const struct warp *w = c->w;

    return !c->in_flight && !c->n_pend && !c->stores && !c->atoms && !c->ended && !c->fenced &&
           !(c->part->heirs | c->part->ghosts) && !w->from && !w->n_part && !w->gathered &&
           !warp_at_barrier(fe, c) && !w->call.builtin && !is_fetching(fe, slot);
}

u32 parts_room(const struct front *fe)
{
    u32 n = 0;

    for (u32 i = 0; i < fe->n_warp; i++)
        n += !fe->ctx[i].w;
    return n;
}

static u32 first_free(const struct front *fe)
{
    u32 at = 0;

    while (at < fe->n_warp && fe->ctx[at].w)
        at++;
    ensure(fe, at < fe->n_warp);
    return at;
}

void parts_narrow(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];

    check(c, c->w && fe->bind.wide);
    c->part->narrow = true;
    sched_of(fe, c)->narrow |= pos_bit(c);
    warp_next(fe, slot); /* its entry may be another */
    watch(fe, slot);
}

/* Its warp goes on elsewhere. */
static void move_away(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];

    leave_scheduler(fe, slot);
    c->home->slot[c->cta].at[fe != c->home->bind.share[0]] &= ~bit_of(slot);
    if (c->part->guest)
        front_count_warps(fe, fe->sm->now, -1);
    c->w = NULL, c->parts = c->part->guest = false;
    HOOK(fe->sm, warp_end, slot);
}

void parts_host(struct front *to, struct front *fe, u32 slot, struct warp *w)
{
    struct wctx *c = &fe->ctx[slot];
    u32 at = first_free(to);
    struct wctx *p = &to->ctx[at];
    struct cta_slot *cta = &c->home->slot[c->cta];

    check(c, parts_is_still(fe, slot) && to != fe && to->by == to);
    check(p, !p->n_pend && !p->in_flight && !p->stores);
    p->w = w, p->home = c->home, p->cta = c->cta;
    p->dp = 0, p->sub = to->sched[at % to->n_sched].sub;
    p->bank = (u8)(at % to->dp[0]->banks);
    p->ib_n = 0, p->fetch_pc = w->stack[w->depth - 1].pc;
    p->ended = p->fenced = p->gone = p->part->moved = p->part->together = false;
    p->copy_wait = 0;
    p->part->heirs = p->part->ghosts = 0;
    p->part->narrow = p->part->guest = true;
    cta->at[to != c->home->bind.share[0]] |= bit_of(at);
    front_count_warps(to, to->sm->now, 1);
    warps_compact(to, &to->sched[at % to->n_sched]);
    warps_join_scheduler(to, at);
    to->want_fetch |= bit_of(at);
    watch(to, at);
    if (w != c->w)
        cta->left++;
    else
        move_away(fe, slot);
    HOOK(to->sm, warp_begin, at);
}
