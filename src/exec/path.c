/* path.c -- see path.h: paths of a warp, and whose turn it is */
#include "exec/path.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exec/part.h"

/* ---- stacks */

static u32 lanes_of_stack(const struct simt *s, u32 depth)
{
    u32 mask = 0;

    for (u32 d = 0; d < depth; d++)
        mask |= s[d].mask[0];
    return mask;
}

static bool ends_here(const struct exec *x, const struct simt *e)
{
    const struct inst *in = &x->code[e->pc];

    return in->guard == PRED_NONE &&
           (in->op == OP_exit || (in->op == OP_ret && e->caller == PC_NONE));
}

/* Lanes that have something more to do than to end; *pc: where those wait that are not in the top. */
static u32 active_lanes(const struct exec *x, const struct simt *s, u32 depth, u32 *pc)
{
    u32 seen = 0, active = 0;

    for (u32 d = depth; d-- > 0;) {
        u32 own = s[d].mask[0] & ~seen;

        seen |= own;
        if (!own || ends_here(x, &s[d]))
            continue;
        if (pc && d + 1 < depth && !(active & ~s[depth - 1].mask[0]))
            *pc = s[d].pc;
        active |= own;
    }
    return active;
}

u32 path_waiting_lanes(const struct exec *x, const struct warp *w, u32 *pc)
{
    return w->depth ? active_lanes(x, w->stack, w->depth, pc) & ~warp_top(w)->mask[0] : 0;
}

/* Of lanes that are all in the top, each frame needs one entry: nobody waits where they pass. */
static void flatten(struct simt *s, u32 *depth)
{
    u32 n = 0;

    for (u32 d = 0; d < *depth; d++)
        if (s[d].mask[0] && s[d].mask[0] != s[*depth - 1].mask[0])
            return;
    for (u32 d = 0; d < *depth; d++) {
        if (!s[d].mask[0])
            continue;
        if (s[d].rpc != PC_NONE) { /* the lowest entry of a frame has none */
            assert(n);
            n--;
        }
        s[n] = s[d];
        s[n++].rpc = PC_NONE;
    }
    *depth = n;
}

static bool is_same_entry(const struct simt *a, const struct simt *b)
{
    return a->pc == b->pc && a->row == b->row && a->pred == b->pred && a->frame == b->frame &&
           a->func == b->func && a->site == b->site && a->caller == b->caller &&
           a->caller_frame == b->caller_frame;
}

static bool is_flat(const struct simt *s, u32 depth)
{
    for (u32 d = 0; d < depth; d++)
        if (s[d].rpc != PC_NONE || s[d].mask[0] != s[depth - 1].mask[0])
            return false;
    return true;
}

static bool is_same_place(const struct simt *a, u32 na, const struct simt *b, u32 nb)
{
    if (na != nb || !is_flat(a, na) || !is_flat(b, nb))
        return false;
    for (u32 d = 0; d < na; d++)
        if (!is_same_entry(&a[d], &b[d]))
            return false;
    return true;
}

/* ---- those that wait for their turn */

static struct path *new_path(const struct func *f)
{
    struct path *p = xcalloc(1, sizeof *p);
    struct warp w = {0};

    warp_new(&w, f, 1);
    p->cap = w.cap, p->stack = w.stack;
    p->reg = w.word[0].reg, p->pred = w.word[0].pred;
    p->wide = xcalloc(f->rows + 1, 1);
    free(w.word[0].local), free(w.word[0].thread);
    return p;
}

void path_free_all(struct warp *w)
{
    for (u32 i = 0; i < w->n_made; i++) {
        struct path *p = w->path[i];

        free(p->stack), free(p->reg), free(p->pred), free(p->wide), free(p);
    }
    free(w->path);
    w->path = NULL, w->n_path = w->n_made = 0;
}

/* One more, as the last. */
static struct path *add_path(struct warp *w)
{
    if (w->n_path == w->n_made) {
        w->path = xrealloc(w->path, (w->n_made + 1) * sizeof(struct path *));
        w->path[w->n_made++] = new_path(w->cta->kernel);
    }
    struct path *p = w->path[w->n_path++];

    p->depth = p->stands = 0, p->waiting = -1, p->bar = NULL, p->gather = false;
    return p;
}

static void remove_path(struct warp *w, u32 i)
{
    struct path *p = w->path[i];

    w->n_path--;
    memmove(&w->path[i], &w->path[i + 1], (w->n_path - i) * sizeof(struct path *));
    w->path[w->n_path] = p;
    w->aside = w->n_path != 0;
}

#define SWAP(a, b)                                                                                 \
    do {                                                                                           \
        __typeof__(a) kept_ = (a);                                                                 \
        (a) = (b), (b) = kept_;                                                                    \
    } while (0)

static void exchange(struct warp *w, struct path *p)
{
    SWAP(w->depth, p->depth);
    SWAP(w->cap, p->cap);
    SWAP(w->stack, p->stack);
    SWAP(w->word[0].reg, p->reg);
    SWAP(w->word[0].pred, p->pred);
    SWAP(w->wide, p->wide);
    SWAP(w->stands[0], p->stands);
    SWAP(w->waiting, p->waiting);
    SWAP(w->bar, p->bar);
}

static void suspend(struct warp *w, bool gather)
{
    struct path *p = add_path(w);

    exchange(w, p);
    p->gather = gather;
}

/* It is known from now on what rows are written as: what paths have from before is the same in all. */
static void track(struct warp *w)
{
    u32 rows = w->cta->kernel->rows;

    if (!w->wide)
        w->wide = xcalloc(rows + 1, 1);
    if (!w->n_path)
        memset(w->wide, ROW_NEW, rows);
    w->aside = true;
}

/* These lanes of all entries become a path. */
static void split_off(struct warp *w, u32 mask)
{
    const struct func *f = w->cta->kernel;

    track(w);
    struct path *p = add_path(w);

    if (p->cap < w->depth) {
        p->cap = w->cap;
        p->stack = xrealloc(p->stack, p->cap * sizeof p->stack[0]);
    }
    memcpy(p->stack, w->stack, w->depth * sizeof p->stack[0]);
    memcpy(p->reg, w->word[0].reg, (size_t)f->rows * ROW_BYTES);
    memcpy(p->pred, w->word[0].pred, f->preds * sizeof(u32));
    memcpy(p->wide, w->wide, f->rows);
    for (u32 d = 0; d < w->depth; d++)
        p->stack[d].mask[0] &= mask, w->stack[d].mask[0] &= ~mask;
    p->depth = w->depth;
    p->stands = w->stands[0] & mask, w->stands[0] &= ~mask;
    exchange(w, p), simt_settle(w), exchange(w, p);
    simt_settle(w);
    flatten(p->stack, &p->depth), flatten(w->stack, &w->depth);
    assert(p->depth && w->depth);
}

/* ---- paths meet */

/*
 * Both stand at the same instruction: of a row that they have written as something else, nobody will read
 * anything.  What neither has written is the same in both.
 */
static void take_registers(struct warp *w, const struct path *p, u32 mask)
{
    const struct func *f = w->cta->kernel;

    for (u32 r = 0; r < f->rows; r++) {
        u8 as = p->wide[r] ? p->wide[r] : w->wide[r];

        if (w->wide[r] && w->wide[r] != as)
            continue;
        w->wide[r] = as;
        if (as == ROW_32 || as == ROW_64)
            copy_lanes(w->word[0].reg + (size_t)r * ROW_BYTES, p->reg + (size_t)r * ROW_BYTES,
                       as == ROW_64 ? 8 : 4, mask);
    }
    for (u32 i = 0; i < f->preds; i++)
        w->word[0].pred[i] = (w->word[0].pred[i] & ~mask) | (p->pred[i] & mask);
}

static void join_path(struct warp *w, u32 i)
{
    struct path *p = w->path[i];

    take_registers(w, p, lanes_of_stack(p->stack, p->depth));
    for (u32 d = 0; d < w->depth; d++)
        w->stack[d].mask[0] |= p->stack[d].mask[0];
    w->stands[0] |= p->stands;
    remove_path(w, i);
}

/* Does path i stand where the running one does? */
static bool is_here(const struct warp *w, const struct path *p)
{
    return is_same_place(w->stack, w->depth, p->stack, p->depth);
}

static void join_here(struct warp *w)
{
    for (u32 i = w->n_path; i-- > 0 && w->waiting < 0;)
        if (w->path[i]->waiting < 0 && !w->path[i]->gather && is_here(w, w->path[i]))
            join_path(w, i);
}

static void resume(struct warp *w, u32 i)
{
    assert(!w->depth && !w->stands[0]);
    exchange(w, w->path[i]);
    remove_path(w, i);
    w->spins = 0;
}

/* ---- among lanes */

static u16 member_operand(const struct inst *in)
{
    switch (in->op) {
    case OP_shfl:
        return in->src[3];
    case OP_vote_all:
    case OP_vote_any:
    case OP_vote_uni:
    case OP_vote_ballot:
    case OP_bar_warp:
        return in->src[0];
    case OP_match_any_32:
    case OP_match_any_64:
    case OP_match_all_32:
    case OP_match_all_64:
    case OP_redux:
        return in->src[1];
    default:
        return OPND_NONE;
    }
}

/* All lanes take part, without a mask.  (Loads of matrices are not here: a path would issue one without effect.) */
static bool is_of_all_lanes(u32 op)
{
    return op_info[op].form == FORM_MMA || op == OP_movmatrix;
}

/* Whom a lane acts with. */
static u32 members_of_lane(const struct exec *x, const struct simt *e, const u8 *reg, u32 lane)
{
    const struct inst *in = &x->code[e->pc];
    u16 o = member_operand(in);

    if (o == OPND_NONE)
        return is_of_all_lanes(in->op) ? ~0u : 0;
    const u8 *base = o & OPND_CONST ? x->funcs[e->func].consts : reg + (size_t)e->row * ROW_BYTES;

    return ((const u32 *)(base + (size_t)(o & 0x7fff) * ROW_BYTES))[lane];
}

/* The same of all lanes of the entry in which its instruction's guard holds, and all of them together. */
static u32 members_of(const struct exec *x, const struct simt *e, const u8 *reg, const u32 *pred,
                      u32 member[LANES])
{
    u32 all = 0;

    memset(member, 0, LANES * sizeof member[0]);
    for (u32 m = e->mask[0] & exec_guard(pred + e->pred, &x->code[e->pc]); m; m &= m - 1) {
        u32 lane = (u32)__builtin_ctz(m);

        all |= member[lane] = members_of_lane(x, e, reg, lane);
    }
    return all;
}

static u32 members_of_path(const struct exec *x, const struct path *p)
{
    u32 member[LANES];

    return members_of(x, &p->stack[p->depth - 1], p->reg, p->pred, member);
}

/* Lanes of the warp that may still come anywhere. */
static u32 lanes_to_come(const struct exec *x, const struct warp *w)
{
    u32 mask = active_lanes(x, w->stack, w->depth, NULL);

    for (u32 i = 0; i < w->n_path; i++)
        mask |= active_lanes(x, w->path[i]->stack, w->path[i]->depth, NULL);
    return mask;
}

/* Of the running path, whose next instruction is among lanes: those that have to wait for others. */
static u32 lanes_alone(const struct exec *x, const struct warp *w)
{
    const struct simt *e = warp_top(w);
    u32 member[LANES], alone = 0;

    if (LIKELY(e->mask[0] == ~0u))
        return 0;
    u32 need = members_of(x, e, w->word[0].reg, w->word[0].pred, member) & ~e->mask[0];

    if (!need || !(need &= lanes_to_come(x, w)))
        return 0;
    for (u32 i = 0; i < LANES; i++)
        alone |= (u32)((member[i] & need) != 0) << i;
    return alone;
}

/* In place of the operations among lanes. */
static void gather_lanes(struct exec *x, const struct inst *in, u32 mask)
{
    struct warp *w = x->warp;

    if (!w->forced && lanes_alone(x, w)) {
        x->fault = FAULT_GATHER;
        return;
    }
    w->forced = false;
    x->lanes[in->op](x, in, mask);
}

static bool is_at_warp_barrier(const struct exec *x, const struct path *p)
{
    return p->gather && x->code[p->stack[p->depth - 1].pc].op == OP_bar_warp;
}

/* Do these two wait to act together? */
static bool gathers_with(const struct exec *x, const struct path *a, const struct path *b)
{
    if (!a->gather || !b->gather)
        return false;
    if (is_at_warp_barrier(x, a)) /* of all in a program, with the same members */
        return is_at_warp_barrier(x, b) && members_of_path(x, a) == members_of_path(x, b);
    return is_same_place(a->stack, a->depth, b->stack, b->depth);
}

/* Have all come that path i waits for, and that those wait for? */
static bool path_is_complete(const struct exec *x, const struct warp *w, u32 i)
{
    const struct path *p = w->path[i];
    u32 need = members_of_path(x, p), have = lanes_of_stack(p->stack, p->depth), before;

    do {
        before = have;
        for (u32 j = 0; j < w->n_path; j++) {
            const struct path *q = w->path[j];

            if (q->depth && gathers_with(x, p, q) &&
                lanes_of_stack(q->stack, q->depth) & need & ~have) {
                have |= lanes_of_stack(q->stack, q->depth);
                need |= members_of_path(x, q);
            }
        }
    } while (have != before);
    return !(need & ~have & lanes_to_come(x, w));
}

/* Those of a barrier of the warp go on where they are: each has issued it already. */
static void pass_warp_barrier(const struct exec *x, struct warp *w, u32 i)
{
    u32 members = members_of_path(x, w->path[i]);

    for (u32 j = 0; j < w->n_path; j++) {
        struct path *q = w->path[j];

        if (is_at_warp_barrier(x, q) && members_of_path(x, q) == members)
            q->gather = false, q->stack[q->depth - 1].pc++;
    }
}

/* The running one waited to gather, and those that it acts with are here. */
static void join_gathered(const struct exec *x, struct warp *w)
{
    u32 member[LANES], i = 0;

    while (i < w->n_path) {
        const struct path *q = w->path[i];
        const struct simt *e = warp_top(w);
        u32 need = members_of(x, e, w->word[0].reg, w->word[0].pred, member);

        if (q->gather && is_here(w, q) && lanes_of_stack(q->stack, q->depth) & need)
            join_path(w, i), i = 0;
        else
            i++;
    }
}

/* ---- whose turn it is */

static void take_turn(const struct exec *x, struct warp *w, u32 i)
{
    if (is_at_warp_barrier(x, w->path[i]))
        pass_warp_barrier(x, w, i);
    bool gathers = w->path[i]->gather;

    resume(w, i);
    if (gathers)
        join_gathered(x, w);
    else
        join_here(w);
}

/* Nobody else can come to where paths wait to gather: the first goes on with those that have. */
static void force_turn(const struct exec *x, struct warp *w)
{
    u32 i = 0;

    while (i < w->n_path && !w->path[i]->gather)
        i++;
    if (i < w->n_path) {
        resume(w, i);
        join_gathered(x, w);
        w->forced = true;
    } else { /* all wait at barriers of the CTA */
        resume(w, 0);
    }
}

/* The next that can go on; none runs. */
static void next_turn(const struct exec *x, struct warp *w)
{
    for (u32 i = 0; i < w->n_path; i++) {
        const struct path *p = w->path[i];

        if (p->waiting < 0 && (!p->gather || path_is_complete(x, w, i))) {
            take_turn(x, w, i);
            return;
        }
    }
    force_turn(x, w);
}

void path_leave_others(const struct exec *x, struct warp *w)
{
    u32 others = lanes_of_stack(w->stack, w->depth) & ~warp_top(w)->mask[0];

    if (others && (w->n_path || path_waiting_lanes(x, w, NULL)))
        split_off(w, others);
    if (w->n_path)
        flatten(w->stack, &w->depth);
}

void path_block(struct exec *x, struct warp *w)
{
    suspend(w, false);
    next_turn(x, w);
}

void path_spin(struct exec *x, struct warp *w)
{
    if ((w->depth < 2 && !w->n_path) || ++w->spins < x->yield)
        return;
    w->spins = 0;
    path_leave_others(x, w);
    if (w->n_path)
        path_block(x, w);
}

void path_arrive(struct exec *x, struct warp *w)
{
    u32 others = lanes_of_stack(w->stack, w->depth) & ~lanes_alone(x, w);

    if (others)
        split_off(w, others);
    flatten(w->stack, &w->depth);
    suspend(w, true);
    next_turn(x, w);
}

s32 path_end(struct exec *x, struct warp *w)
{
    struct path *heir = w->path[0];
    s32 at = heir->waiting;

    if (at >= 0)
        w->cta->bar[at].arrived += popc_32(w->stands[0]);
    heir->stands |= w->stands[0], w->stands[0] = 0;
    next_turn(x, w);
    return at;
}

void path_release(struct exec *x, struct warp *w, u32 barrier,
                  void (*release)(struct exec *x, struct warp *w))
{
    bool released = false;

    for (u32 i = 0; i < w->n_path; i++) {
        struct path *p = w->path[i];

        if (p->waiting != (s32)barrier)
            continue;
        exchange(w, p), release(x, w), exchange(w, p);
        released = true;
    }
    if (released && w->waiting >= 0)
        path_block(x, w);
    else if (released)
        join_here(w);
}

/* ---- for a launch */

/* Through these, and atomics, a thread sees what another has written. */
static bool may_wait(const struct inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (o->form == FORM_ATOM)
        return in->dst != OPND_NONE;
    if (o->form == FORM_LD)
        return in->mod & MOD_VOLATILE || (in->mod >> MOD_CACHE & 7) == CACHE_CV;
    return o->cls == CL_FENCE || o->cls == CL_WAIT;
}

/* Does a function that calls may lead to? */
static bool calls_may_wait(const struct exec *x)
{
    const struct program *p = x->launch->prog;

    for (u32 i = 0; i < p->n_func; i++)
        for (u32 k = 0; k < p->func[i].n_inst && !p->func[i].is_entry; k++)
            if (may_wait(&x->code[p->func[i].pc + k]))
                return true;
    return false;
}

enum loops { LOOPS_WAITING, LOOPS_WAITING_CALLS, LOOPS_ALL };

static bool counts(const struct inst *in, enum loops which)
{
    bool call = in->op == OP_call || in->op == OP_callx;

    return which == LOOPS_ALL || may_wait(in) || (call && which == LOOPS_WAITING_CALLS);
}

/* The lowest pc that it may jump to. */
static u32 lowest_target(const struct func *f, const struct inst *in)
{
    if (in->op == OP_bra)
        return in->target;
    u32 least = PC_NONE;

    for (u32 i = 0; in->op == OP_brx && i < f->table[in->list][0]; i++)
        least = min_u32(least, f->table[in->list][i + 1]);
    return least;
}

/*
 * Any way round in the code that passes an instruction jumps backwards across it, or to it, somewhere: so
 * it is enough to look at what lies between a branch and its target.
 */
static void find_spins(const struct exec *x, const struct func *f, enum loops which, u8 *spin)
{
    u32 *n = xcalloc((size_t)f->n_inst + 1, sizeof n[0]);

    for (u32 i = 0; i < f->n_inst; i++)
        n[i + 1] = n[i] + counts(&x->code[f->pc + i], which);
    for (u32 i = 0; i < f->n_inst; i++) {
        u32 to = lowest_target(f, &x->code[f->pc + i]);

        spin[f->pc + i] = to >= f->pc && to <= f->pc + i && n[i + 1] != n[to - f->pc];
    }
    free(n);
}

void exec_independent(struct exec *x, u32 yield, bool all_loops)
{
    const struct program *p = x->launch->prog;
    u8 *spin = xcalloc((size_t)p->n_inst + 1, 1);
    enum loops which = all_loops           ? LOOPS_ALL
                       : calls_may_wait(x) ? LOOPS_WAITING_CALLS
                                           : LOOPS_WAITING;

    for (u32 i = 0; i < p->n_func; i++)
        find_spins(x, &p->func[i], which, spin);
    x->spin = spin, x->yield = yield;
    x->lanes = x->table;
    x->own_table = xcalloc(N_OP, sizeof x->own_table[0]);
    memcpy(x->own_table, x->lanes, N_OP * sizeof x->own_table[0]);
    for (u32 op = 0; op < N_OP; op++)
        if (member_operand(&(struct inst){.op = (u16)op}) != OPND_NONE || is_of_all_lanes(op))
            x->own_table[op] = gather_lanes;
    x->table = x->own_table;
}

void path_copy(struct warp *to, const struct warp *w, u32 i, const struct launch *l)
{
    const struct path *p = w->path[i];

    if (to->cap < p->depth) {
        to->cap = p->cap;
        to->stack = xrealloc(to->stack, to->cap * sizeof to->stack[0]);
    }
    to->depth = p->depth, to->waiting = p->waiting;
    memcpy(to->stack, p->stack, p->depth * sizeof to->stack[0]);
    memcpy(to->word[0].reg, p->reg, (size_t)l->func->rows * ROW_BYTES);
    memcpy(to->word[0].pred, p->pred, l->func->preds * sizeof(u32));
}
