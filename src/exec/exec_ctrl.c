/*
 * exec_ctrl.c -- control flow: what branches, calls, exits and barriers do to the SIMT stack.  Each
 * says in x->out whether its lanes have jumped, disagreed or ended.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exec/builtin_call.h"
#include "exec/exec.h"
#include "exec/part.h"
#include "exec/path.h"

static bool any(const u32 *mask, u32 n)
{
    u32 r = 0;

    for (u32 i = 0; i < n; i++)
        r |= mask[i];
    return r != 0;
}

/* A copy of the top entry on top of it; the stack may move. */
static struct simt *push_top(struct warp *w)
{
    if (w->depth == w->cap) {
        w->cap *= 2;
        w->stack = xrealloc(w->stack, w->cap * sizeof w->stack[0]);
    }
    w->stack[w->depth] = w->stack[w->depth - 1];
    return &w->stack[w->depth++];
}

/* Entries without lanes, and those that are where they meet others, have nothing to run. */
void simt_settle(struct warp *w)
{
    while (w->depth && (!any(warp_top(w)->mask, w->n_word) || warp_top(w)->pc == warp_top(w)->rpc))
        w->depth--;
}

void simt_pop(struct warp *w)
{
    w->depth--;
    simt_settle(w);
}

/* They leave its stack, and those of warps that would have waited for them. */
static void drop_lanes(struct warp *w, const u32 *mask)
{
    for (; w; w = w->from) {
        for (u32 d = 0; d < w->depth; d++)
            for (u32 k = 0; k < w->n_word; k++)
                w->stack[d].mask[k] &= ~mask[k];
        simt_settle(w);
    }
}

/* Lanes of the top entry in which the guard holds, and how many. */
static u32 guarded_lanes(struct exec *x, struct warp *w, const struct inst *in, u32 mask[MAX_WORDS])
{
    u32 n = 0;

    for (u32 k = 0; k < w->n_word; k++) {
        const struct simt *e = warp_top(w);

        mask[k] = e->mask[k] & exec_guard(w->word[k].pred + e->pred, in);
        n += popc_32(mask[k]);
    }
    x->n.thread_insts += n;
    return n;
}

/* Turns the top entry into the meeting point of a divergence, unless there is none. */
static void meet_at(struct warp *w, u32 reconv)
{
    if (reconv != PC_NONE && reconv != warp_top(w)->rpc)
        warp_top(w)->pc = reconv;
    else
        w->depth--; /* the sides go on to where the entry itself would have gone */
}

static void push_side(struct warp *w, const struct simt *from, u32 pc, u32 rpc, const u32 *mask)
{
    if (!any(mask, w->n_word))
        return;
    if (!w->depth) {
        w->stack[0] = *from;
        w->depth = 1;
    } else {
        push_top(w);
    }
    struct simt *e = warp_top(w);

    *e = *from;
    e->pc = pc;
    e->rpc = rpc;
    memcpy(e->mask, mask, sizeof e->mask);
}

/* Lanes have gone backwards from pc, or others have not. */
static inline void may_spin(struct exec *x, struct warp *w, u32 pc)
{
    if (UNLIKELY(x->spin) && x->spin[pc] && x->out.taken)
        path_spin(x, w);
}

static enum step do_bra(struct exec *x, struct warp *w, const struct inst *in)
{
    u32 taken[MAX_WORDS] = {0}, not_taken[MAX_WORDS] = {0}, diff = 0;
    struct simt from = *warp_top(w);
    u32 n = guarded_lanes(x, w, in, taken);

    x->n.branches++;
    x->out.taken = n != 0;
    for (u32 k = 0; k < w->n_word; k++) {
        not_taken[k] = from.mask[k] & ~taken[k];
        diff |= not_taken[k];
    }
    if (!n || !diff) {
        warp_top(w)->pc = n ? in->target : from.pc + 1;
        simt_settle(w);
        may_spin(x, w, from.pc);
        return STEP_GO;
    }
    u32 rpc = in->reconv == PC_NONE ? from.rpc : in->reconv;

    x->n.diverged++;
    x->out.diverged = true;
    meet_at(w, in->reconv);
    push_side(w, &from, from.pc + 1, rpc, not_taken);
    push_side(w, &from, in->target, rpc, taken); /* the side that jumps runs first */
    simt_settle(w);
    may_spin(x, w, from.pc);
    return STEP_GO;
}

static const u32 *operand_row(const struct warp *w, u32 k, const struct simt *e, u16 opnd)
{
    return (const u32 *)(w->word[k].reg + (size_t)(e->row + opnd) * ROW_BYTES);
}

static bool indices_fit(struct exec *x, const struct warp *w, const struct inst *in,
                        const u32 *mask, u32 n)
{
    const struct simt *e = warp_top(w);

    for (u32 k = 0; k < w->n_word; k++)
        for (u32 i = 0; i < LANES; i++) {
            u32 index = operand_row(w, k, e, in->src[0])[i];

            if (!(mask[k] >> i & 1) || index < n)
                continue;
            x->word = k;
            exec_raise(x, FAULT_BRX, i, index, n);
            return false;
        }
    return true;
}

/* Lanes of `todo` that go to `target`; they are taken out of it. */
static void take_side(const struct warp *w, const struct simt *e, u16 opnd, const u32 *table,
                      u32 target, u32 *todo, u32 *side)
{
    for (u32 k = 0; k < w->n_word; k++) {
        const u32 *r = operand_row(w, k, e, opnd);

        side[k] = 0;
        for (u32 i = 0; i < LANES; i++)
            if (todo[k] >> i & 1 && table[r[i] + 1] == target)
                side[k] |= 1u << i;
        todo[k] &= ~side[k];
    }
}

/* One entry for each target that some lane wants; lanes that fail the guard fall through. */
static enum step do_brx(struct exec *x, struct warp *w, const struct inst *in)
{
    const u32 *table = x->func->table[in->list];
    u32 todo[MAX_WORDS] = {0}, side[MAX_WORDS] = {0};
    struct simt from = *warp_top(w);
    u32 rpc = in->reconv == PC_NONE ? from.rpc : in->reconv;

    u32 sides = 0;

    x->n.branches++;
    x->out.taken = guarded_lanes(x, w, in, todo) != 0;
    if (!indices_fit(x, w, in, todo, table[0]))
        return STEP_FAULT;
    for (u32 k = 0; k < w->n_word; k++)
        side[k] = from.mask[k] & ~todo[k];
    meet_at(w, in->reconv);
    sides += any(side, w->n_word);
    push_side(w, &from, from.pc + 1, rpc, side);
    for (u32 k = 0; k < w->n_word; k++)
        while (todo[k]) {
            u32 index = operand_row(w, k, &from, in->src[0])[__builtin_ctz(todo[k])];

            take_side(w, &from, in->src[0], table, table[index + 1], todo, side);
            push_side(w, &from, table[index + 1], rpc, side);
            sides++;
        }
    x->out.diverged = sides > 1;
    x->n.diverged += sides > 1;
    simt_settle(w);
    may_spin(x, w, from.pc);
    return STEP_GO;
}

/* ---- calls */

static void copy_params(struct exec *x, struct warp *w, const struct call_arg *a, u32 n, u32 from,
                        u32 to, const u32 *mask)
{
    u64 size = x->launch->func->local;

    for (u32 k = 0; k < w->n_word; k++)
        for (u32 lane = 0; lane < LANES; lane++) {
            u8 *local = w->word[k].local + lane * size;

            if (!(mask[k] >> lane & 1))
                continue;
            for (u32 i = 0; i < n; i++)
                memcpy(local + to + a[i].to, local + from + a[i].from, a[i].size);
        }
}

/*
 * Bytes of the callee's frame that the call itself touches: a wrong prototype may say more than it
 * has.
 */
static u32 call_bytes(const struct call_site *s)
{
    u32 n = 0, end;

    for (u32 i = 0; i < s->n_arg; i++)
        n = (end = s->arg[i].to + s->arg[i].size) > n ? end : n;
    for (u32 i = 0; i < s->n_ret; i++)
        n = (end = s->ret[i].from + s->ret[i].size) > n ? end : n;
    return n;
}

static void raise_first(struct exec *x, const struct warp *w, enum fault_kind kind, const u32 *mask,
                        u64 addr, u32 bytes)
{
    u32 k = 0;

    while (k + 1 < w->n_word && !mask[k])
        k++;
    x->word = k;
    exec_raise(x, kind, mask[k] ? (u32)__builtin_ctz(mask[k]) : 0, addr, bytes);
}

/* Enters `callee` with these lanes; the entry below waits with its pc behind the call. */
static bool enter_function(struct exec *x, struct warp *w, const struct simt *from, u32 callee,
                           u32 site, const u32 *mask)
{
    const struct program *p = x->launch->prog;
    const struct func *f = &p->func[callee], *caller = &p->func[from->func];
    const struct func *kernel = x->launch->func;
    struct simt e = *from;
    u32 need = call_bytes(&caller->site[site]);

    need = need > f->frame ? need : f->frame;
    e.frame = from->frame + caller->frame;
    e.row = from->row + (u32)align_up(caller->n_row, 2);
    e.pred = from->pred + caller->n_pred;
    if (e.frame + need > kernel->local || e.row + f->n_row > kernel->rows ||
        e.pred + f->n_pred > kernel->preds) {
        raise_first(x, w, FAULT_STACK, mask, 0, 0);
        return false;
    }
    e.pc = f->pc, e.rpc = PC_NONE, e.func = callee;
    e.site = site, e.caller = from->func, e.caller_frame = from->frame;
    copy_params(x, w, caller->site[site].arg, caller->site[site].n_arg, from->frame, e.frame, mask);
    push_side(w, &e, e.pc, PC_NONE, mask);
    return true;
}

static u32 callee_at(const struct program *p, u64 address)
{
    u32 id = func_by_address(address);

    return id >= p->n_func || p->func[id].is_entry || !p->func[id].n_inst ? PC_NONE : id;
}

/* The lanes are counted already and the warp stands behind the call. */
static enum step call_later(struct exec *x, struct warp *w, const struct call_site *site, u32 pc,
                            const u32 *mask)
{
    w->call = (struct pending_call){.builtin = x->launch->prog->func[site->func].builtin,
                                    .pc = pc,
                                    .frame = x->frame,
                                    .site = site};
    memcpy(w->call.mask, mask, sizeof w->call.mask);
    simt_settle(w);
    return STEP_CALL;
}

enum step exec_call(struct exec *x, struct warp *w)
{
    struct pending_call c = w->call;

    assert(c.builtin);
    x->warp = w;
    x->cta = w->cta;
    x->word = 0;
    x->frame = c.frame;
    w->call.builtin = BUILTIN_NONE;
    return builtin_call(x, w, c.builtin, c.site, c.mask) ? STEP_GO : STEP_FAULT;
}

static enum step do_call(struct exec *x, struct warp *w, const struct inst *in)
{
    u32 mask[MAX_WORDS] = {0}, n = guarded_lanes(x, w, in, mask);
    const struct call_site *site = &x->func->site[in->list];
    enum builtin builtin = x->launch->prog->func[site->func].builtin;
    struct simt from = *warp_top(w);

    warp_top(w)->pc++;
    x->out.taken = n && !builtin;
    if (n && builtin && x->defer_calls)
        return call_later(x, w, site, from.pc, mask);
    if (n && !(builtin ? builtin_call(x, w, builtin, site, mask)
                       : enter_function(x, w, &from, site->func, in->list, mask))) {
        warp_top(w)->pc = from.pc;
        return STEP_FAULT;
    }
    simt_settle(w);
    return STEP_GO;
}

static u64 callee_address(const struct exec *x, const struct warp *w, const struct simt *e,
                          const struct inst *in, u32 k, u32 lane)
{
    u16 o = in->src[0];
    const u8 *base = o & OPND_CONST ? x->func->consts : w->word[k].reg + (size_t)e->row * ROW_BYTES;
    const u8 *row = base + (size_t)(o & 0x7fff) * ROW_BYTES;

    return in->mod & MOD_ADDR32 ? ((const u32 *)row)[lane] : ((const u64 *)row)[lane];
}

/* Lanes of `todo` that call `target`; they are taken out of it. */
static void take_callers(const struct exec *x, const struct warp *w, const struct simt *e,
                         const struct inst *in, u64 target, u32 *todo, u32 *side)
{
    for (u32 k = 0; k < w->n_word; k++) {
        side[k] = 0;
        for (u32 i = 0; i < LANES; i++)
            side[k] |= todo[k] & (u32)(callee_address(x, w, e, in, k, i) == target) << i;
        todo[k] &= ~side[k];
    }
}

/* Through a register: the lanes of each target enter one after the other. */
static enum step do_callx(struct exec *x, struct warp *w, const struct inst *in)
{
    u32 todo[MAX_WORDS] = {0}, side[MAX_WORDS] = {0};
    struct simt from = *warp_top(w);

    x->out.taken = guarded_lanes(x, w, in, todo) != 0;
    warp_top(w)->pc++;
    for (u32 k = 0; k < w->n_word; k++)
        while (todo[k]) {
            u64 target = callee_address(x, w, &from, in, k, (u32)__builtin_ctz(todo[k]));
            u32 callee = callee_at(x->launch->prog, target);

            take_callers(x, w, &from, in, target, todo, side);
            if (callee == PC_NONE)
                raise_first(x, w, FAULT_CALL, side, target, 0);
            if (callee == PC_NONE || !enter_function(x, w, &from, callee, in->list, side)) {
                warp_top(w)->pc = from.pc;
                return STEP_FAULT;
            }
        }
    simt_settle(w);
    return STEP_GO;
}

/* ---- the end of threads, and what barriers make of it */

static void write_red(struct exec *x, struct warp *w, const struct barrier *b)
{
    const struct simt *e = warp_top(w);
    u32 kind = w->bar->mod & MOD_BAR_KIND;
    u32 truth = kind == BAR_RED_AND ? b->popc == b->lanes : b->popc != 0;

    for (u32 k = 0; k < w->n_word; k++) {
        u32 *pred = w->word[k].pred + e->pred;
        u32 mask = e->mask[k] & exec_guard(pred, w->bar);

        if (kind == BAR_RED_POPC && w->bar->dst != OPND_NONE) {
            u32 *d = (u32 *)(w->word[k].reg + (size_t)(e->row + w->bar->dst) * ROW_BYTES);

            for (u32 i = 0; i < LANES; i++)
                d[i] = mask >> i & 1 ? b->popc : d[i];
        } else if (w->bar->pdst != PRED_NONE) {
            pred[w->bar->pdst] = (pred[w->bar->pdst] & ~mask) | (truth ? mask : 0);
        }
    }
    if (w->aside)
        warp_track(w, &x->launch->prog->regs[e->pc], e->row);
}

/* Each of the CTA's that is not done. */
#define EACH_WARP(w, c)                                                                            \
    for (u32 i_ = 0; i_ < (c)->n_warp + (c)->n_part; i_++)                                         \
        for (struct warp *w = i_ < (c)->n_warp ? &(c)->warp[i_] : (c)->part[i_ - (c)->n_warp];     \
             w && !w->done; w = NULL)

static void leave_barrier(struct exec *x, struct warp *w)
{
    if (w->bar)
        write_red(x, w, &w->cta->bar[w->waiting]);
    w->bar = NULL;
    w->waiting = -1;
    warp_top(w)->pc++;
    if (warp_top(w)->pc == warp_top(w)->rpc)
        simt_pop(w);
}

static void release_barrier(struct exec *x, struct cta *c, u32 id)
{
    EACH_WARP(w, c)
    {
        if (w->waiting == (s32)id)
            leave_barrier(x, w);
        if (UNLIKELY(w->n_path))
            path_release(x, w, id, leave_barrier);
    }
    memset(&c->bar[id], 0, sizeof c->bar[id]);
}

/* Threads that it stands for; of words with lanes in `mask`, or of all. */
static u32 stands_for(const struct warp *w, const u32 *mask)
{
    u32 n = 0;

    for (u32 k = 0; k < w->n_word; k++)
        n += !mask || mask[k] ? lanes_in(w->stands[k]) : 0;
    return n;
}

/* Complete when as many threads have come as it is for, or all of warps that still run. */
static bool barrier_is_complete(const struct cta *c, const struct barrier *b)
{
    return b->arrived >= (b->count ? b->count : c->standing);
}

/* Another stands for what it stood for; one that waits at a barrier has come there for these too. */
static void pass_standing_on(struct warp *w, struct warp *to)
{
    if (to->waiting >= 0)
        to->cta->bar[to->waiting].arrived += stands_for(w, NULL);
    for (u32 k = 0; k < w->n_word; k++)
        to->stands[k] |= w->stands[k], w->stands[k] = 0;
}

/* A part of w, or of its parts. */
static struct warp *some_part(const struct warp *w)
{
    EACH_WARP(p, w->cta)
    if (p->from == w)
        return p;
    return NULL;
}

/* Its last lane has ended: it is done, unless it has parts that are not; so may be those before it. */
static void end_one(struct warp *w)
{
    struct warp *from = w->from;

    if (w->n_part) {
        pass_standing_on(w, some_part(w));
        return;
    }
    w->done = true;
    w->cta->n_warp_now--;
    if (from)
        from->n_part--;
    if (from && (from->depth || from->n_part)) {
        pass_standing_on(w, from->depth ? from : some_part(from));
        return;
    }
    w->cta->standing -= stands_for(w, NULL);
    if (from)
        end_one(from);
}

static enum step warp_end(struct exec *x, struct warp *w)
{
    struct cta *c = w->cta;

    end_one(w);
    for (u32 id = 0; id < N_BARRIER; id++)
        if (c->bar[id].waiting && !c->bar[id].count && barrier_is_complete(c, &c->bar[id]))
            release_barrier(x, c, id);
    return STEP_EXIT;
}

/* Others of the warp go on; one that waits at a barrier now stands there for those that have ended. */
static enum step path_ended(struct exec *x, struct warp *w)
{
    struct cta *c = w->cta;
    s32 id = path_end(x, w);

    if (id >= 0 && barrier_is_complete(c, &c->bar[id]))
        release_barrier(x, c, (u32)id);
    return w->waiting >= 0 ? STEP_BARRIER : STEP_GO;
}

static enum step do_exit(struct exec *x, struct warp *w, const struct inst *in)
{
    u32 *mask = x->out.exited, n = x->out.n_exited = guarded_lanes(x, w, in, mask);

    warp_top(w)->pc++; /* for the lanes that stay */
    if (n)
        drop_lanes(w, mask);
    else
        simt_settle(w);
    if (w->depth)
        return STEP_GO;
    return w->n_path ? path_ended(x, w) : warp_end(x, w);
}

static enum step do_ret(struct exec *x, struct warp *w, const struct inst *in)
{
    struct simt e = *warp_top(w);
    u32 mask[MAX_WORDS] = {0};

    if (e.caller == PC_NONE)
        return do_exit(x, w, in);
    x->out.taken = guarded_lanes(x, w, in, mask) != 0;
    const struct call_site *s = &x->launch->prog->func[e.caller].site[e.site];

    copy_params(x, w, s->ret, s->n_ret, e.frame, e.caller_frame, mask);
    warp_top(w)->pc++;
    for (u32 k = 0; k < w->n_word; k++)
        warp_top(w)->mask[k] &= ~mask[k];
    simt_settle(w);
    return STEP_GO;
}

static enum step do_trap(struct exec *x, struct warp *w, const struct inst *in)
{
    u32 mask[MAX_WORDS] = {0};

    if (!guarded_lanes(x, w, in, mask)) {
        warp_top(w)->pc++;
        simt_settle(w);
        return STEP_GO;
    }
    raise_first(x, w, FAULT_TRAP, mask, 0, 0);
    return STEP_FAULT;
}

/* ---- barriers */

static u32 uniform(struct exec *x, struct warp *w, u16 o, const u32 *mask)
{
    u32 k = 0;

    while (k + 1 < w->n_word && !mask[k])
        k++;
    const u8 *base =
        o & OPND_CONST ? x->func->consts : w->word[k].reg + (size_t)warp_top(w)->row * ROW_BYTES;
    const u32 *r = (const u32 *)(base + (size_t)(o & 0x7fff) * ROW_BYTES);

    return r[mask[k] ? __builtin_ctz(mask[k]) : 0];
}

static void count_red(struct warp *w, const struct inst *in, struct barrier *b, const u32 *mask)
{
    for (u32 k = 0; k < w->n_word && in->psrc != PRED_NONE; k++) {
        u32 p = w->word[k].pred[warp_top(w)->pred + (in->psrc & ~PRED_NOT)];

        p = in->psrc & PRED_NOT ? ~p : p;
        b->popc += (u32)__builtin_popcount(p & mask[k]);
        b->lanes += (u32)__builtin_popcount(mask[k]);
    }
}

static enum step do_bar(struct exec *x, struct warp *w, const struct inst *in)
{
    u32 mask[MAX_WORDS] = {0}, kind = in->mod & MOD_BAR_KIND;
    struct cta *c = w->cta;

    if (!guarded_lanes(x, w, in, mask)) {
        warp_top(w)->pc++;
        simt_settle(w);
        return STEP_GO;
    }
    u32 id = uniform(x, w, in->src[0], mask),
        count = in->src[1] == OPND_NONE ? 0 : uniform(x, w, in->src[1], mask);

    if (id >= N_BARRIER || count % LANES || count > c->n_warp * w->n_word * LANES) {
        raise_first(x, w, FAULT_BARRIER, mask, id, count);
        return STEP_FAULT;
    }
    struct barrier *b = &c->bar[id];

    if (UNLIKELY(x->spin))
        path_leave_others(x, w);
    b->count = count;
    b->arrived +=
        stands_for(w, count ? mask : NULL); /* some warps: of a wide one, the words that came */
    count_red(w, in, b, mask);
    if (kind == BAR_ARRIVE) {
        warp_top(w)->pc++;
        simt_settle(w);
    } else {
        w->waiting = (s32)id;
        w->bar = kind >= BAR_RED_POPC ? in : NULL;
        b->waiting++;
    }
    if (barrier_is_complete(c, b))
        release_barrier(x, c, id);
    else if (UNLIKELY(w->n_path) && w->waiting >= 0)
        path_block(x, w);
    return w->waiting >= 0 ? STEP_BARRIER : STEP_GO;
}

HOT enum step exec_ctrl(struct exec *x, struct warp *w, const struct inst *in)
{
    switch (in->op) {
    case OP_bra:
        return do_bra(x, w, in);
    case OP_brx:
        return do_brx(x, w, in);
    case OP_call:
        return do_call(x, w, in);
    case OP_callx:
        return do_callx(x, w, in);
    case OP_ret:
        return do_ret(x, w, in);
    case OP_exit:
        return do_exit(x, w, in);
    case OP_trap:
        return do_trap(x, w, in);
    default:
        assert(in->op == OP_bar);
        return do_bar(x, w, in);
    }
}
