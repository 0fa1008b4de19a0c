/*
 * socgpu_window.c -- see socgpu.h: the instruction buffer and the dependence matrix.
 *
 * Chapter 4 of the thesis, in its three phases.  Decode: an instruction takes the first free entry;
 * its row gets a bit for each instruction in the buffer that it depends on.  Issue: a candidate is
 * valid, not issued, has a clear row, and does not reach the reconvergence point unless it is the
 * oldest.  Write-back: the entry is free, its column is cleared.
 *
 * "A flush is triggered when the next PC pointed by the SIMT stack of the warp is different than the
 * next not taken PC of the last issued instruction": when head is not where the stack stands.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"
#include "mech/socgpu.h"
#include "sm/front/sched.h"

/* ---- memory */

/* Entries are of an even number, so that what is behind their pcs is aligned. */
void windows_make(struct socgpu *g)
{
    u32 n = (u32)align_up(g->conf.entries, 2);
    bool timed = g->conf.policy == MOST_READY || g->conf.policy == LEAST_READY;

    g->stride = align_up(sizeof(struct window) + n * (4 * sizeof(u64) + 2 * sizeof(u32)), 64);
    g->windows = xcalloc_lines(MAX_WARPS, g->stride);
    for (u32 i = 0; i < MAX_WARPS; i++)
        window_at(g, i)->entries = (u8)n, window_at(g, i)->timed = timed;
}

void windows_free(struct socgpu *g)
{
    free(g->windows);
    g->windows = NULL;
}

/* ---- dependences */

/*
 * Of the instruction in entry e on that in entry p, one at least: RAW before WAW before WAR.  What came
 * before a flush may be of another frame.
 */
static u32 hazards_of(const struct front *fe, const struct window *w, u32 e, u32 p)
{
    const struct uop *u = &fe->uop[pcs_of(w)[e]];
    bool old = w->old & entry_bit(p);
    u32 d = pcs_of(w)[e] - pcs_of(w)[p] - 1;

    if (UNLIKELY(old || d >= 64))
        return uop_hazards(u, w->frame, &fe->uop[pcs_of(w)[p]], old ? frames_of(w)[p] : w->frame);
    return u->reads >> d & 1   ? HAZARD_RAW
           : u->again >> d & 1 ? HAZARD_WAW
           : u->waits >> d & 1 ? HAZARD_WAR
                               : 0;
}

/* Instructions in the buffer, of the path that the warp is on, before the one that is decoded next. */
struct predecessors {
    u64 near;  /* bit d: that d + 1 before it */
    u64 far;   /* entries of those further away */
    u8 at[64]; /* of near ones, by their pc: their entry */
};

static void find_predecessors(const struct window *w, u32 pc, struct predecessors *p)
{
    p->near = p->far = 0;
    for (u64 m = w->valid & ~w->old; m; m &= m - 1) {
        u32 e = (u32)__builtin_ctzll(m), its = pcs_of(w)[e], d = pc - its - 1;

        if (LIKELY(d < 64))
            p->near |= (u64)1 << d, p->at[its % 64] = (u8)e;
        else
            p->far |= m & -m;
    }
}

/* The instruction at pc is in entry e: those before it are one further away from the next. */
static void go_on(struct predecessors *p, u32 pc, u32 e)
{
    if (UNLIKELY(p->near >> 63))
        p->far |= entry_bit(p->at[pc % 64]); /* that 64 before it */
    p->near = p->near << 1 | 1;
    p->at[pc % 64] = (u8)e;
}

/* Entries whose registers the instruction of entry e, the last of its path, depends on. */
static u64 register_row(const struct front *fe, const struct window *w, u32 e,
                        const struct predecessors *p)
{
    u32 pc = pcs_of(w)[e];
    u64 row = 0;

    for (u64 m = fe->uop[pc].waits & p->near; m; m &= m - 1)
        row |= entry_bit(p->at[(pc - 1 - (u32)__builtin_ctzll(m)) % 64]);
    for (u64 m = p->far | (w->valid & w->old); m; m &= m - 1)
        if (hazards_of(fe, w, e, (u32)__builtin_ctzll(m)))
            row |= m & -m;
    return row;
}

/* ---- decode */

/*
 * Barrier-like instructions wait for all that is in the buffer, and all that follow wait for them.
 * With branches=issue those that only change the flow wait and are waited for until issue.
 */
static void set_row(const struct front *fe, struct window *w, u32 e, const struct uop *u,
                    const struct predecessors *p)
{
    bool relaxed = socgpu_of(fe)->conf.branches, flow = u->keeps & KEEPS_FLOW;
    u64 at_issue = relaxed ? w->flow : 0;

    rows_of(w)[e] = register_row(fe, w, e, p) | (w->valid & w->wall & ~at_issue);
    befores_of(w)[e] = unissued(w) & at_issue;
    if (LIKELY(!(u->keeps & KEEPS_PLACE)))
        return;
    if (relaxed && flow)
        befores_of(w)[e] |= unissued(w);
    else
        rows_of(w)[e] |= w->valid;
    w->wall |= entry_bit(e);
    w->flow |= flow ? entry_bit(e) : 0;
}

/* True: it can be chosen at once. */
static bool insert(struct front *fe, struct window *w, u32 pc, struct predecessors *p)
{
    struct socgpu *g = socgpu_of(fe);
    const struct uop *u = &fe->uop[pc];
    u32 e = (u32)__builtin_ctzll(~w->valid);
    u64 bit = entry_bit(e);

    assert(e < g->conf.entries);
    pcs_of(w)[e] = pc;
    w->issued &= ~bit, w->wall &= ~bit, w->flow &= ~bit, w->old &= ~bit;
    set_row(fe, w, e, u, p);
    go_on(p, pc, e);
    order_insert(g, w, e, u);
    w->needed &= ~bit, w->waited &= ~bit;
    entry_waits(w, e);
    w->valid |= bit, w->blocked |= bit;
    w->n++;
    return entry_free(w, e, fe->sm->now);
}

static u32 n_free(const struct socgpu *g, const struct window *w)
{
    assert(w->n == __builtin_popcountll(w->valid));
    return (u32)g->conf.entries - w->n;
}

/* Asks the fetch stage, if there is room and it has not been asked. */
static void refill(struct front *fe, u32 slot)
{
    struct window *w = window_of(fe, slot);

    if (w->asked || w->end >= fe->prog->n_inst ||
        n_free(socgpu_of(fe), w) < socgpu_of(fe)->conf.refill)
        return;
    w->asked = true;
    fe->ctx[slot].fetch_pc = w->end;
    fe->want_fetch |= (u64)1 << slot;
}

static void start(struct front *fe, u32 slot)
{
    struct window *w = window_of(fe, slot);
    const struct simt *top = &fe->ctx[slot].w->stack[0];

    assert(!w->valid);
    w->head = w->end = top->pc;
    w->frame = frame_tag(top);
    w->asked = true;
    w->avoid = N_UNIT;
    w->n = w->stale = 0;
    w->blocked = w->old = 0;
}

static void next(struct front *fe, u32 slot);

/* What came is thrown away if the warp was flushed since it was asked for; they come in order. */
static void decode(struct front *fe, u32 slot, u32 pc)
{
    struct socgpu *g = socgpu_of(fe);
    struct window *w = window_at(g, slot);

    if (w->stale) {
        w->stale--;
        return;
    }
    if (fe->ctx[slot].ended)
        return;
    struct sched *s = sched_of(fe, &fe->ctx[slot]);
    u64 bit = pos_bit(&fe->ctx[slot]);
    bool ready = false;

    w->asked = false;
    if (pc == w->end) {
        u32 n = min_u32((u32)fe->conf->ibuffer, min_u32(n_free(g, w), fe->prog->n_inst - pc));

        struct predecessors p;

        find_predecessors(w, pc, &p);
        for (u32 i = 0; i < n; i++)
            ready |= insert(fe, w, pc + i, &p);
        w->end = pc + n;
    }
    if (!(s->valid & bit)) {
        next(fe, slot);
        return;
    }
    /* what is unsure is found out by a look, and so is what a warp waits for */
    s->dirty |= ready || w->unsure || sched_waits(s) & bit ? bit : 0;
    refill(fe, slot);
}

/* ---- which is next */

/* Of these entries, all of the present path, the oldest. */
static u32 oldest_of(const struct window *w, u64 entries)
{
    u32 e = (u32)__builtin_ctzll(entries);

    for (u64 m = entries & (entries - 1); m; m &= m - 1)
        e = pcs_of(w)[__builtin_ctzll(m)] < pcs_of(w)[e] ? (u32)__builtin_ctzll(m) : e;
    return e;
}

/* Can one of the buffer arrive at the point where the top of the stack ends? */
static bool is_near_end(const struct window *w)
{
    return w->end >= w->rpc && w->rpc != PC_NONE;
}

/* Those that do not arrive there, but for the oldest. */
static u64 inside(const struct front *fe, const struct window *w, u64 ready)
{
    u64 out = 0;

    for (u64 m = ready; m; m &= m - 1)
        if (pcs_of(w)[__builtin_ctzll(m)] + 1 >= w->rpc)
            out |= m & -m;
    u64 among = socgpu_of(fe)->conf.oldest ? unissued(w) : w->valid;

    if (out && !(among & w->old))
        out &= ~entry_bit(oldest_of(w, among));
    return ready & ~out;
}

/* Of the candidate units, those that are not to be avoided. */
static u64 of_other_units(const struct front *fe, const struct window *w, u64 ready)
{
    for (u64 m = ready; m; m &= m - 1)
        if (fe->uop[pcs_of(w)[__builtin_ctzll(m)]].unit == w->avoid)
            ready &= ~(m & -m);
    return ready;
}

/* Those that need not wait for atomics of the warp; all, if each has to. */
static u64 past_atoms(const struct front *fe, const struct window *w, u64 ready)
{
    u64 free = 0;

    for (u64 m = ready; m; m &= m - 1)
        if (!fe->uop[pcs_of(w)[__builtin_ctzll(m)]].after_atoms)
            free |= m & -m;
    return free ? free : ready;
}

static u32 longest(const struct window *w, u64 ready, bool most)
{
    u32 e = (u32)__builtin_ctzll(ready);

    for (u64 m = ready & (ready - 1); m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);

        if (most ? sinces_of(w)[k] < sinces_of(w)[e] : sinces_of(w)[k] > sinces_of(w)[e])
            e = k;
    }
    return e;
}

/* A new draw in each cycle, the same however often it is looked at. */
static u32 draw(const struct front *fe, u32 slot, u64 ready)
{
    const struct socgpu *g = socgpu_of(fe);
    struct rng of_warp = rng_make(g->conf.seed << 32 | fe->sm->id << 8 | slot);
    struct rng r = rng_make(rng_u64(&of_warp) + fe->sm->now);
    u32 n = rng_below(&r, (u32)__builtin_popcountll(ready));

    for (; n; n--)
        ready &= ready - 1;
    return (u32)__builtin_ctzll(ready);
}

static u32 youngest_of(const struct window *w, u64 ready)
{
    u32 e = (u32)__builtin_ctzll(ready);

    for (u64 m = ready & (ready - 1); m; m &= m - 1)
        e = pcs_of(w)[__builtin_ctzll(m)] > pcs_of(w)[e] ? (u32)__builtin_ctzll(m) : e;
    return e;
}

/* Section 4.1. */
static u32 choose(struct front *fe, u32 slot, u64 ready)
{
    const struct socgpu *g = socgpu_of(fe);
    const struct window *w = window_at(g, slot);

    switch ((enum socgpu_policy)g->conf.policy) {
    case OLDER:
        return oldest_of(w, ready);
    case YOUNGER:
        return youngest_of(w, ready);
    case MOST_READY:
    case LEAST_READY:
        return longest(w, ready, g->conf.policy == MOST_READY);
    case RANDOM:
        if (ready & (ready - 1))
            sched_of(fe, &fe->ctx[slot])->dirty |= pos_bit(&fe->ctx[slot]);
        return draw(fe, slot, ready);
    case FIRST:
        break;
    }
    return (u32)__builtin_ctzll(ready);
}

/* ---- why nothing can be issued */

enum wait { WAIT_WINDOW, WAIT_WAR, WAIT_WAW, WAIT_RAW, WAIT_LOAD }; /* the least first */

/* All that it depends on must write back: of that the most, as the scoreboard has it. */
static enum wait wait_of(const struct front *fe, const struct window *w, u32 e)
{
    u32 all = 0;

    for (u64 m = rows_of(w)[e]; m; m &= m - 1) {
        u32 p = (u32)__builtin_ctzll(m), h = hazards_of(fe, w, e, p);

        all |= h;
        if (h & HAZARD_RAW && fe->uop[pcs_of(w)[p]].slow)
            return WAIT_LOAD;
    }
    return all & HAZARD_RAW   ? WAIT_RAW
           : all & HAZARD_WAW ? WAIT_WAW
           : all & HAZARD_WAR ? WAIT_WAR
                              : WAIT_WINDOW;
}

/* Could it be issued before any other?  Not if it waits for one that was not issued itself. */
static bool could_be_next(const struct window *w, u32 e)
{
    u32 pc = pcs_of(w)[e];

    return !(befores_of(w)[e] | (rows_of(w)[e] & ~w->issued)) && (pc == w->head || pc + 1 < w->rpc);
}

/*
 * One of those that could be next must come to be ready: any of them will do, so the warp waits for what
 * the one with the least to wait for does, the oldest of several.  In order there is one such instruction,
 * and the reason is the scoreboard's.
 */
static u32 say_why(const struct front *fe, struct sched *s, const struct window *w, u64 bit)
{
    u64 *const of[] = {[WAIT_WINDOW] = &s->window,
                       [WAIT_WAR] = &s->war,
                       [WAIT_WAW] = &s->waw,
                       [WAIT_RAW] = &s->raw,
                       [WAIT_LOAD] = &s->raw_mem};
    u32 best = 0, least = WAIT_LOAD + 1;

    for (u64 m = unissued(w); m; m &= m - 1) {
        u32 e = (u32)__builtin_ctzll(m), wait;

        if (!could_be_next(w, e))
            continue;
        wait = wait_of(fe, w, e);
        if (wait < least || (wait == least && pcs_of(w)[e] < pcs_of(w)[best]))
            best = e, least = wait;
    }
    assert(least <= WAIT_LOAD);
    *of[least] |= bit;
    return pcs_of(w)[best];
}

static void look_at_window(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    struct window *w = window_of(fe, slot);
    u64 bit = pos_bit(c), ready;

    s->raw &= ~bit, s->raw_mem &= ~bit, s->waw &= ~bit, s->war &= ~bit, s->window &= ~bit;
    if (w->unsure)
        order_look(fe, slot);
    ready = unissued(w) & ~w->blocked;
    if (ready && is_near_end(w))
        ready = inside(fe, w, ready);
    if (w->avoid != N_UNIT)
        ready = of_other_units(fe, w, ready);
    if (UNLIKELY(c->atoms) && ready)
        ready = past_atoms(fe, w, ready);
    w->avoid = N_UNIT;
    if (ready) {
        w->at = (u8)choose(fe, slot, ready);
        c->ib_pc = pcs_of(w)[w->at];
    } else {
        c->ib_pc = say_why(fe, s, w, bit);
    }
}

static void second(struct front *fe, u32 slot, const struct uop *first)
{
    window_of(fe, slot)->avoid = first->unit;
}

/* ---- issue */

/* Nobody waits for entry e to be issued any more. */
static void clear_before(struct window *w, u32 e, u64 now)
{
    u64 bit = entry_bit(e);

    for (u64 m = w->waited & bit ? unissued(w) & w->blocked : 0; m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);

        if (!(befores_of(w)[k] & bit))
            continue;
        befores_of(w)[k] &= ~bit;
        entry_free(w, k, now);
    }
}

static u32 head_of(const struct window *w)
{
    u64 left = unissued(w);

    return left ? pcs_of(w)[oldest_of(w, left)] : w->end;
}

/* The stack goes on to the oldest instruction that was not issued. */
static void advance(struct front *fe, struct warp *warp, const struct window *w)
{
    u32 depth = warp->depth;

    while (warp->depth == depth && warp->stack[depth - 1].pc != w->head)
        exec_advance(fe->x, warp);
}

static enum step execute(struct front *fe, u32 slot)
{
    struct socgpu *g = socgpu_of(fe);
    struct window *w = window_at(g, slot);
    struct warp *warp = fe->ctx[slot].w;
    u32 e = w->at, pc = pcs_of(w)[e];
    bool control = fe->uop[pc].flags & UOP_CONTROL, is_head = pc == w->head;
    enum step step;

    assert(unissued(w) & ~w->blocked & entry_bit(e));
    assert(warp->stack[warp->depth - 1].pc == w->head && (is_head || !(w->wall & entry_bit(e))));
    step = control ? exec_issue(fe->x, warp) : exec_compute(fe->x, warp, pc);
    if (step == STEP_FAULT)
        return step;
    w->issued |= entry_bit(e);
    g->st.ahead += !is_head;
    g->st.barrier_like += w->wall >> e & 1;
    clear_before(w, e, fe->sm->now);
    if (g->conf.memory_order == ORDER_NONE && fe->uop[pc].unit == UNIT_MEM)
        order_issue(fe, slot, e);
    if (is_head) {
        w->head = head_of(w);
        if (!control)
            advance(fe, warp, w);
    }
    return step;
}

static u32 issue(struct front *fe, u32 slot, const struct uop *u, u32 frame)
{
    (void)u, (void)frame;
    return window_of(fe, slot)->at;
}

static void read_operands(struct front *fe, u32 slot, const struct uop *u, u32 e)
{
    (void)fe, (void)slot, (void)u, (void)e;
}

/* ---- write-back */

static void release_entry(struct front *fe, u32 slot, const struct uop *u, u32 e)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    struct window *w = window_of(fe, slot);
    bool looked = !is_near_end(w); /* otherwise it matters who is the oldest */
    u64 bit = entry_bit(e);

    (void)u;
    assert(w->valid & w->issued & bit && &fe->uop[pcs_of(w)[e]] == u);
    w->valid &= ~bit;
    w->n--;
    for (u64 m = w->needed & bit ? unissued(w) & w->blocked : 0; m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);

        if (!(rows_of(w)[k] & bit))
            continue;
        rows_of(w)[k] &= ~bit;
        entry_free(w, k, fe->sm->now);
        looked = false;
    }
    if (c->ended)
        return;
    s->dirty |= looked ? 0 : s->valid & pos_bit(c);
    if (!(s->wrong & pos_bit(c)))
        refill(fe, slot);
    if (w->asked && !unissued(w))
        s->window &= ~pos_bit(c);
}

static bool idle(const struct front *fe, u32 slot)
{
    const struct window *w = window_of(fe, slot);

    return !(w->valid & w->issued);
}

/* ---- flow */

static void drop_unissued(struct front *fe, u32 slot)
{
    struct socgpu *g = socgpu_of(fe);
    struct window *w = window_at(g, slot);
    u64 gone = unissued(w);

    u32 n = (u32)__builtin_popcountll(gone);

    g->st.dropped += n;
    w->valid &= ~gone;
    w->n = (u8)(w->n - n);
    if (g->overtakers.n)
        order_drop(g, slot, gone);
}

static void next(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    struct window *w = window_of(fe, slot);
    u64 bit = pos_bit(c);

    s->valid &= ~bit, s->wrong &= ~bit, s->window &= ~bit;
    c->ib_n = 0;
    if (c->ended) {
        drop_unissued(fe, slot);
        return;
    }
    if (s->bar & bit) { /* goes on where it is released */
        refill(fe, slot);
        return;
    }
    const struct simt *top = &c->w->stack[c->w->depth - 1];

    if (w->head != top->pc || w->frame != frame_tag(top)) {
        s->wrong |= bit;
        return;
    }
    refill(fe, slot);
    w->rpc = top->rpc;
    c->frame = w->frame;
    if (unissued(w)) {
        c->ib_n = 1;
        s->valid |= bit, s->dirty |= bit;
    } else if (!w->asked) {
        s->window |= bit;
        socgpu_of(fe)->st.full++;
    }
}

/* What is under way is not waited for, unless it is what the warp wants; it can ask again at once. */
static void forget_fetch(struct front *fe, u32 slot, struct window *w, u32 pc)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);

    if (!w->asked || fe->want_fetch >> slot & 1 || c->asked_pc == pc)
        return;
    if (s->imiss & pos_bit(c))
        s->imiss &= ~pos_bit(c), c->lost++;
    else
        w->stale++;
    w->asked = false;
}

static void flush(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct window *w = window_of(fe, slot);
    const struct simt *top = &c->w->stack[c->w->depth - 1];

    forget_fetch(fe, slot, w, top->pc);
    drop_unissued(fe, slot);
    for (u64 m = w->valid & ~w->old; m; m &= m - 1)
        frames_of(w)[__builtin_ctzll(m)] = w->frame;
    w->old = w->valid;
    w->head = w->end = top->pc;
    w->frame = frame_tag(top);
    c->fetch_pc = top->pc;
}

const struct depend socgpu_depend = {
    .start = start,
    .decode = decode,
    .next = next,
    .flush = flush,
    .look = look_at_window,
    .execute = execute,
    .issue = issue,
    .read = read_operands,
    .release = release_entry,
    .idle = idle,
};

const struct depend socgpu_depend_smart = {
    .start = start,
    .decode = decode,
    .next = next,
    .flush = flush,
    .look = look_at_window,
    .second = second,
    .execute = execute,
    .issue = issue,
    .read = read_operands,
    .release = release_entry,
    .idle = idle,
};
