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
#include "base/rng.h"
#include "mech/socgpu.h"
#include "sm/sched.h"

/* ---- dependences */

/* Place i of n registers of the running function in the warp's. */
static inline u32 place(const u16 *reg, u32 i, u32 n_row, u32 frame)
{
    return reg[i] + (i < n_row ? frame & 0xffff : frame >> 16);
}

static u64 signature(const u16 *reg, u32 n, u32 n_row, u32 frame)
{
    u64 s = 0;

    for (u32 i = 0; i < n; i++)
        s |= (u64)1 << (place(reg, i, n_row, frame) & 63);
    return s;
}

struct regs { /* that an instruction names, in its frame */
    const u16 *at;
    u32 n, n_row, frame;
};

static bool meet(struct regs a, struct regs b)
{
    for (u32 i = 0; i < a.n; i++)
        for (u32 k = 0; k < b.n; k++)
            if (place(a.at, i, a.n_row, a.frame) == place(b.at, k, b.n_row, b.frame))
                return true;
    return false;
}

enum { HAZARD_RAW = 1, HAZARD_WAW = 2, HAZARD_WAR = 4 };

/* Of the instruction in entry e on that in entry p. */
static u32 hazards(const struct front *fe, const struct window *w, u32 e, u32 p)
{
    const struct uop *ue = &fe->uop[w->pc[e]], *up = &fe->uop[w->pc[p]];
    struct regs use = {ue->use, ue->n_use, ue->n_use_row, w->frames[e]};
    struct regs def = {ue->def, ue->n_def, ue->n_def_row, w->frames[e]};
    struct regs used = {up->use, up->n_use, up->n_use_row, w->frames[p]};
    struct regs made = {up->def, up->n_def, up->n_def_row, w->frames[p]};

    return (meet(use, made) ? HAZARD_RAW : 0) | (meet(def, made) ? HAZARD_WAW : 0) |
           (meet(def, used) ? HAZARD_WAR : 0);
}

/* Entries whose registers the instruction of entry e depends on. */
static u64 register_row(const struct front *fe, const struct window *w, u32 e)
{
    u64 row = 0, any = w->use[e] | w->def[e], def = w->def[e];

    for (u64 m = w->valid; m; m &= m - 1) {
        u32 p = (u32)__builtin_ctzll(m);

        if (((any & w->def[p]) | (def & w->use[p])) && hazards(fe, w, e, p))
            row |= entry_bit(p);
    }
    return row;
}

/* ---- decode */

static bool is_wall(const struct inst *in)
{
    return in->op >= OP_bra || op_info[in->op].flags & OPF_PIN;
}

/*
 * Barrier-like instructions wait for all that is in the buffer, and all that follow wait for them.
 * With branches=issue those that only change the flow wait and are waited for until issue.
 */
static void set_row(const struct front *fe, struct window *w, u32 e, const struct inst *in)
{
    bool relaxed = socgpu_of(fe)->conf.branches;
    bool flow = in->op >= OP_bra && in->op != OP_bar;
    u64 at_issue = relaxed ? w->flow : 0;

    w->row[e] = register_row(fe, w, e) | (w->valid & w->wall & ~at_issue);
    w->before[e] = unissued(w) & at_issue;
    if (!is_wall(in))
        return;
    if (relaxed && flow)
        w->before[e] |= unissued(w);
    else
        w->row[e] |= w->valid;
    w->wall |= entry_bit(e);
    w->flow |= flow ? entry_bit(e) : 0;
}

static void insert(struct front *fe, struct window *w, u32 pc)
{
    struct socgpu *g = socgpu_of(fe);
    const struct uop *u = &fe->uop[pc];
    const struct inst *in = &fe->x->code[pc];
    u32 e = (u32)__builtin_ctzll(~w->valid);
    u64 bit = entry_bit(e);

    assert(e < g->conf.entries);
    w->pc[e] = pc;
    w->frames[e] = w->frame;
    w->age[e] = w->n_in++;
    w->use[e] = signature(u->use, u->n_use, u->n_use_row, w->frame);
    w->def[e] = signature(u->def, u->n_def, u->n_def_row, w->frame);
    w->issued &= ~bit, w->wall &= ~bit, w->flow &= ~bit;
    set_row(fe, w, e, in);
    order_insert(g, w, e, u, in);
    w->valid |= bit, w->blocked |= bit;
    entry_free(w, e, fe->sm->now);
}

static u32 n_free(const struct socgpu *g, const struct window *w)
{
    return (u32)g->conf.entries - (u32)__builtin_popcountll(w->valid);
}

/* Asks the fetch stage, if there is room and it has not been asked. */
static void refill(struct front *fe, u32 slot)
{
    struct window *w = &socgpu_of(fe)->warp[slot];

    if (w->asked || w->end >= fe->n_inst || n_free(socgpu_of(fe), w) < socgpu_of(fe)->conf.refill)
        return;
    w->asked = true;
    fe->ctx[slot].fetch_pc = w->end;
    fe->want_fetch |= (u64)1 << slot;
}

static void start(struct front *fe, u32 slot)
{
    struct window *w = &socgpu_of(fe)->warp[slot];
    const struct simt *top = &fe->ctx[slot].w->stack[0];

    assert(!w->valid);
    w->head = w->end = top->pc;
    w->frame = frame_tag(top);
    w->asked = true;
    w->avoid = N_UNIT;
    w->blocked = 0;
}

/* What came is thrown away if the warp was flushed since it was asked for. */
static void decode(struct front *fe, u32 slot, u32 pc)
{
    struct socgpu *g = socgpu_of(fe);
    struct window *w = &g->warp[slot];

    if (fe->ctx[slot].ended)
        return;
    w->asked = false;
    if (pc == w->end) {
        u32 n = min_u32((u32)fe->conf->ibuffer, min_u32(n_free(g, w), fe->n_inst - pc));

        for (u32 i = 0; i < n; i++)
            insert(fe, w, pc + i);
        w->end = pc + n;
    }
    warp_next(fe, slot);
}

/* ---- which is next */

/* Of these entries, the oldest. */
static u32 oldest_of(const struct window *w, u64 entries)
{
    u32 e = (u32)__builtin_ctzll(entries);

    for (u64 m = entries & (entries - 1); m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);

        e = w->age[k] - w->age[e] > UINT32_MAX / 2 ? k : e;
    }
    return e;
}

/* Those that do not arrive at the point where the top of the stack ends, but for the oldest. */
static u64 inside(const struct front *fe, const struct window *w, u64 ready, u32 rpc)
{
    u64 out = 0;

    for (u64 m = ready; m; m &= m - 1)
        if (w->pc[__builtin_ctzll(m)] + 1 >= rpc)
            out |= m & -m;
    if (out)
        out &= ~entry_bit(oldest_of(w, socgpu_of(fe)->conf.oldest ? unissued(w) : w->valid));
    return ready & ~out;
}

/* Of the candidate units, those that are not to be avoided. */
static u64 of_other_units(const struct front *fe, const struct window *w, u64 ready)
{
    for (u64 m = ready; m; m &= m - 1)
        if (fe->uop[w->pc[__builtin_ctzll(m)]].unit == w->avoid)
            ready &= ~(m & -m);
    return ready;
}

/* Those that need not wait for atomics of the warp; all, if each has to. */
static u64 past_atoms(const struct front *fe, const struct window *w, u64 ready)
{
    u64 free = 0;

    for (u64 m = ready; m; m &= m - 1)
        if (!fe->uop[w->pc[__builtin_ctzll(m)]].after_atoms)
            free |= m & -m;
    return free ? free : ready;
}

static u32 longest(const struct window *w, u64 ready, bool most)
{
    u32 e = (u32)__builtin_ctzll(ready);

    for (u64 m = ready & (ready - 1); m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);

        if (most ? w->since[k] < w->since[e] : w->since[k] > w->since[e])
            e = k;
    }
    return e;
}

/* A new draw in each cycle, the same however often it is looked at. */
static u32 draw(const struct front *fe, u32 slot, u64 ready)
{
    const struct socgpu *g = socgpu_of(fe);
    struct rng r =
        rng_make(fe->sm->now * MAX_WARPS + slot + (g->conf.seed << 48) + ((u64)fe->sm->id << 40));
    u32 n = rng_below(&r, (u32)__builtin_popcountll(ready));

    for (; n; n--)
        ready &= ready - 1;
    return (u32)__builtin_ctzll(ready);
}

static u32 youngest_of(const struct window *w, u64 ready)
{
    u32 e = (u32)__builtin_ctzll(ready);

    for (u64 m = ready & (ready - 1); m; m &= m - 1)
        e = w->pc[__builtin_ctzll(m)] > w->pc[e] ? (u32)__builtin_ctzll(m) : e;
    return e;
}

/* Section 4.1. */
static u32 choose(struct front *fe, u32 slot, u64 ready)
{
    const struct socgpu *g = socgpu_of(fe);
    const struct window *w = &g->warp[slot];

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

/* Nothing can be issued: what the oldest instruction waits for. */
static RARE void say_why(const struct front *fe, struct sched *s, const struct window *w, u64 bit)
{
    u32 e = oldest_of(w, unissued(w)), all = 0;

    for (u64 m = w->row[e]; m; m &= m - 1) {
        u32 p = (u32)__builtin_ctzll(m), h = hazards(fe, w, e, p);

        all |= h;
        if (h & HAZARD_RAW && fe->uop[w->pc[p]].flags & UOP_LONG)
            s->raw_mem |= bit;
    }
    if (s->raw_mem & bit)
        return;
    u64 *why = all & HAZARD_RAW   ? &s->raw
               : all & HAZARD_WAW ? &s->waw
               : all & HAZARD_WAR ? &s->war
                                  : &s->window;
    *why |= bit;
}

static void look(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    struct window *w = &socgpu_of(fe)->warp[slot];
    u64 bit = pos_bit(c), ready;

    s->raw &= ~bit, s->raw_mem &= ~bit, s->waw &= ~bit, s->war &= ~bit, s->window &= ~bit;
    if (w->unsure)
        order_look(fe, slot);
    ready = unissued(w) & ~w->blocked;
    u32 rpc = c->w->stack[c->w->depth - 1].rpc;

    if (ready && rpc != PC_NONE)
        ready = inside(fe, w, ready, rpc);
    if (w->avoid != N_UNIT)
        ready = of_other_units(fe, w, ready);
    if (UNLIKELY(c->atoms) && ready)
        ready = past_atoms(fe, w, ready);
    w->avoid = N_UNIT;
    if (ready) {
        w->at = (u8)choose(fe, slot, ready);
        c->ib_pc = w->pc[w->at];
    } else {
        c->ib_pc = w->head;
        say_why(fe, s, w, bit);
    }
}

static void second(struct front *fe, u32 slot, const struct uop *first)
{
    socgpu_of(fe)->warp[slot].avoid = first->unit;
}

/* ---- issue */

/* Nobody waits for entry e to be issued any more. */
static void clear_before(struct window *w, u32 e, u64 now)
{
    u64 bit = entry_bit(e);

    for (u64 m = unissued(w) & w->blocked; m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);

        if (!(w->before[k] & bit))
            continue;
        w->before[k] &= ~bit;
        entry_free(w, k, now);
    }
}

static u32 head_of(const struct window *w)
{
    u64 left = unissued(w);

    return left ? w->pc[oldest_of(w, left)] : w->end;
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
    struct window *w = &g->warp[slot];
    struct warp *warp = fe->ctx[slot].w;
    u32 e = w->at, pc = w->pc[e];
    bool control = fe->x->code[pc].op >= OP_bra, is_head = pc == w->head;
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
    return socgpu_of(fe)->warp[slot].at;
}

static void read_operands(struct front *fe, u32 slot, const struct uop *u, u32 e)
{
    (void)fe, (void)slot, (void)u, (void)e;
}

/* ---- write-back */

static void release(struct front *fe, u32 slot, const struct uop *u, u32 e)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    struct window *w = &socgpu_of(fe)->warp[slot];
    u64 bit = entry_bit(e);

    (void)u;
    assert(w->valid & w->issued & bit && &fe->uop[w->pc[e]] == u);
    w->valid &= ~bit;
    for (u64 m = unissued(w) & w->blocked; m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);

        if (!(w->row[k] & bit))
            continue;
        w->row[k] &= ~bit;
        entry_free(w, k, fe->sm->now);
    }
    if (c->ended)
        return;
    s->dirty |= s->valid & pos_bit(c);
    if (!(s->wrong & pos_bit(c)))
        refill(fe, slot);
    if (w->asked && !unissued(w))
        s->window &= ~pos_bit(c);
}

static bool idle(const struct front *fe, u32 slot)
{
    const struct window *w = &socgpu_of(fe)->warp[slot];

    return !(w->valid & w->issued);
}

/* ---- flow */

static void drop(struct front *fe, u32 slot)
{
    struct socgpu *g = socgpu_of(fe);
    struct window *w = &g->warp[slot];
    u64 gone = unissued(w);

    g->st.dropped += (u32)__builtin_popcountll(gone);
    w->valid &= ~gone;
    if (g->overtakers.n)
        order_drop(g, slot, gone);
}

static void next(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct sched *s = sched_of(fe, c);
    struct window *w = &socgpu_of(fe)->warp[slot];
    u64 bit = pos_bit(c);

    s->valid &= ~bit, s->wrong &= ~bit, s->window &= ~bit;
    c->ib_n = 0;
    if (c->ended) {
        drop(fe, slot);
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
    c->frame = w->frame;
    if (unissued(w)) {
        c->ib_n = 1;
        s->valid |= bit, s->dirty |= bit;
    } else if (!w->asked) {
        s->window |= bit;
        socgpu_of(fe)->st.full++;
    }
}

static void flush(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];
    struct window *w = &socgpu_of(fe)->warp[slot];
    const struct simt *top = &c->w->stack[c->w->depth - 1];

    drop(fe, slot);
    w->head = w->end = top->pc;
    w->frame = frame_tag(top);
    c->fetch_pc = top->pc;
}

const struct depend socgpu_depend = {
    .start = start,
    .decode = decode,
    .next = next,
    .flush = flush,
    .look = look,
    .execute = execute,
    .issue = issue,
    .read = read_operands,
    .release = release,
    .idle = idle,
};

const struct depend socgpu_depend_smart = {
    .start = start,
    .decode = decode,
    .next = next,
    .flush = flush,
    .look = look,
    .second = second,
    .execute = execute,
    .issue = issue,
    .read = read_operands,
    .release = release,
    .idle = idle,
};
