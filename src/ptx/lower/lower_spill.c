/*
 * lower_spill.c -- registers that find no room live in local memory.
 *
 * A spilled register is stored after each definition and loaded before each use, into a register
 * of its own that lives for that one instruction.  What can simply be computed again (constants,
 * special registers, kernel parameters) is, and needs no memory.
 *
 * The victim at an instruction that takes too many rows is the register whose next use is
 * farthest away, loops weighing its uses.  So it is at a call, among those that live across it.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_alloc.h"

/* A place in the frame; registers share it if one's life ends before the next one's begins. */
struct slot {
    u32 off, size;
    u32 free_at; /* time */
};

struct spill {
    struct ir_func *f;
    struct ranges ranges;
    u32 *again;  /* per register: instruction that can be repeated instead, or IR_NONE */
    u32 *demand; /* rows taken at each instruction */
    u32 *cost;   /* per register: uses and definitions, weighed by loop depth */
    u32 **use;   /* per register: where it is read or written, in order */
    u32 *n_use, *use_store;
    u32 n_order, next, *order; /* registers that may be spilled, by the start of their lives */
    u32 n_near, *near;         /* those that may live at the instruction at hand */
    bool *chosen;
    u32 n_chosen;
    const struct spill_goal *goal;
    u32 *place; /* per register: its place in the frame */
    VEC(struct slot) slot;
};

/* ---- choosing ---- */

static void count_operands(struct spill *x)
{
    const struct ir_func *f = x->f;
    u32 reg[2 * IR_MAX_OPND];

    for (u32 b = 0; b < f->n_block; b++) {
        u32 depth = min_u32(f->block[b].loop_depth, 6);

        for (u32 i = f->block[b].first; i < f->block[b].first + f->block[b].n; i++) {
            u32 n = ir_uses(f, &f->inst[i], reg);
            n += ir_defs(f, &f->inst[i], reg + n);
            while (n-- > 0) {
                x->cost[reg[n]] += 1u << 3 * depth;
                if (x->use[reg[n]])
                    x->use[reg[n]][x->n_use[reg[n]]] = i;
                x->n_use[reg[n]]++;
            }
        }
    }
}

static void find_operands(struct spill *x)
{
    u32 n = 0, at = 0, n_reg = x->f->n_reg;

    count_operands(x);
    for (u32 r = 0; r < n_reg; r++)
        n += x->n_use[r];
    x->use_store = xmalloc((n + 1) * sizeof(u32));
    for (u32 r = 0; r < n_reg; r++) {
        x->use[r] = &x->use_store[at];
        at += x->n_use[r];
    }
    memset(x->cost, 0, n_reg * sizeof(u32));
    memset(x->n_use, 0, n_reg * sizeof(u32));
    count_operands(x);
}

/* Instructions until reg is used again; IR_NONE: instruction i itself uses it. */
static u32 distance_to_use(const struct spill *x, u32 reg, u32 i)
{
    u32 lo = 0, hi = x->n_use[reg];

    while (lo < hi) {
        u32 mid = (lo + hi) / 2;

        if (x->use[reg][mid] < i)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == x->n_use[reg]) /* only by way of a loop */
        return x->f->n_inst;
    return x->use[reg][lo] == i ? IR_NONE : x->use[reg][lo] - i;
}

/* Does the first range that ends after time `end` begin by time `start`? */
static bool lives_between(const struct interval *v, u32 end, u32 start)
{
    u32 lo = 0, hi = v->n;

    while (lo < hi) {
        u32 mid = (lo + hi) / 2;

        if (v->at[mid].to <= end)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < v->n && v->at[lo].from <= start;
}

static bool is_live_at(const struct interval *v, u32 i)
{
    return lives_between(v, 2 * i, 2 * i + 1);
}

/* Is there a value in it while call i is under way? */
static bool is_live_across(const struct interval *v, u32 i)
{
    return lives_between(v, 2 * i + 1, 2 * i);
}

/* Does the instruction give the same wherever it stands? */
static bool is_repeatable(const struct ir_func *f, const struct ir_inst *in)
{
    if ((in->op == OP_mov_32 || in->op == OP_mov_64) && !ir_is_reg(in->src[0]))
        return true;
    if (in->op == OP_mov_sreg || in->op == OP_mov_sreg_64 || in->op == OP_mov_frame)
        return true;
    return lower_reads_const(f, in) && (in->mod & MOD_VEC) == 1 && in->src[0] == IR_NONE;
}

static u32 *find_repeatable(const struct ir_func *f)
{
    struct ssa *s = ssa_new(f);
    u32 *again = xmalloc((f->n_reg + 1) * sizeof(u32));

    for (u32 r = 0; r < f->n_reg; r++) {
        u32 d = s->def[r];
        again[r] = d != IR_NONE && is_repeatable(f, &f->inst[d]) ? d : IR_NONE;
    }
    ssa_free(s);
    return again;
}

/* Takes those whose lives have begun by instruction i into near[], and those that are over out. */
static void come_near(struct spill *x, u32 i)
{
    u32 n = 0;

    for (; x->next < x->n_order; x->next++) {
        if (x->ranges.of[x->order[x->next]].at[0].from > 2 * i + 1)
            break;
        x->near[x->n_near++] = x->order[x->next];
    }
    for (u32 k = 0; k < x->n_near; k++) {
        const struct interval *v = &x->ranges.of[x->near[k]];

        if (!x->chosen[x->near[k]] && v->at[v->n - 1].to > 2 * i)
            x->near[n++] = x->near[k];
    }
    x->n_near = n;
}

/* The best register to spill at instruction i, or across it, or IR_NONE. */
static u32 choose_register(const struct spill *x, u32 i, bool across)
{
    u32 best = IR_NONE;
    u64 best_gain = 0, best_cost = 1;

    for (u32 k = 0; k < x->n_near; k++) {
        u32 r = x->near[k];

        const struct interval *v = &x->ranges.of[r];

        if (x->chosen[r] || !(across ? is_live_across(v, i) : is_live_at(v, i)))
            continue;
        u32 far = distance_to_use(x, r, i + across);
        if (far == IR_NONE && !across)
            continue;
        far = far == IR_NONE ? 1 : far;
        u64 gain = (u64)far * (x->again[r] != IR_NONE ? 4 : 1), cost = x->cost[r];
        if (best == IR_NONE || gain * best_cost > best_gain * cost) {
            best = r;
            best_gain = gain;
            best_cost = cost;
        }
    }
    return best;
}

/* The register takes no rows any more, but for the instructions that use it. */
static void spill_register(struct spill *x, u32 reg)
{
    const struct interval *v = &x->ranges.of[reg];

    for (u32 k = 0; k < v->n; k++)
        for (u32 i = v->at[k].from / 2; i < (v->at[k].to + 1) / 2; i++)
            x->demand[i] -= lower_rows(x->f, reg);
    for (u32 k = 0; k < x->n_use[reg]; k++)
        if (!k || x->use[reg][k] != x->use[reg][k - 1])
            x->demand[x->use[reg][k]] += lower_rows(x->f, reg);
    x->chosen[reg] = true;
    x->n_chosen++;
}

/* False: instruction i takes too much and nothing at it can be spilled. */
static bool relieve(struct spill *x, u32 i)
{
    if (x->demand[i] > x->goal->target)
        come_near(x, i);
    while (x->demand[i] > x->goal->target) {
        u32 reg = choose_register(x, i, false);

        if (reg == IR_NONE)
            return false;
        spill_register(x, reg);
    }
    return true;
}

/* Rows that may keep values across instruction i; IR_NONE: any number. */
static u32 room_across(const struct spill *x, u32 i)
{
    const struct ir_inst *in = &x->f->inst[i];

    if (in->op != OP_call && in->op != OP_callx)
        return IR_NONE;
    const struct ir_site *s = &x->f->site[in->target];
    if (s->cycles)
        return 0;
    return x->goal->squeeze ? x->goal->max_regs - min_u32(s->need, x->goal->max_regs) : IR_NONE;
}

static void relieve_call(struct spill *x, u32 i)
{
    u32 room = room_across(x, i), rows = 0;

    if (room == IR_NONE)
        return;
    come_near(x, i);
    for (u32 k = 0; k < x->n_near; k++)
        if (is_live_across(&x->ranges.of[x->near[k]], i))
            rows += lower_rows(x->f, x->near[k]);
    while (rows > room) {
        u32 reg = choose_register(x, i, true);

        rows -= lower_rows(x->f, reg);
        spill_register(x, reg);
    }
}

/* ---- rewriting ---- */

struct rewrite {
    struct spill *x;
    u32 from[IR_MAX_OPND], to[IR_MAX_OPND]; /* names within one instruction */
    u32 n;
    struct ir_inst *old; /* the code before */
};

/* A slot that is free for the register's life. */
static struct slot *find_slot(struct spill *x, u32 size, u32 from)
{
    for (u32 i = 0; i < x->slot.n; i++)
        if (x->slot.at[i].size == size && x->slot.at[i].free_at <= from)
            return &x->slot.at[i];
    struct slot *s = VEC_ADD(&x->slot);
    *s = (struct slot){(u32)align_up(x->f->frame, size), size, 0};
    x->f->frame = s->off + size;
    return s;
}

static u32 slot_of_register(struct spill *x, u32 reg)
{
    const struct interval *v = &x->ranges.of[reg];

    if (x->place[reg] == IR_NONE) {
        struct slot *s = find_slot(x, 4 * lower_rows(x->f, reg), v->at[0].from);

        s->free_at = v->at[v->n - 1].to;
        x->place[reg] = s->off;
        x->f->n_spill++;
    }
    return x->place[reg];
}

static struct ir_inst *emit_near(struct rewrite *w, const struct ir_inst *near, enum op op)
{
    struct ir_inst *in = ir_add(w->x->f, op, near->line);

    in->loc_file = near->loc_file;
    in->loc_line = near->loc_line;
    return in;
}

static struct ir_inst *emit_local(struct rewrite *w, const struct ir_inst *near, enum op op,
                                  u32 reg)
{
    struct ir_inst *in = emit_near(w, near, op);

    in->mod = (u16)(1 | (w->x->f->is_entry ? 0 : MOD_FRAME));
    in->imm = slot_of_register(w->x, reg);
    return in;
}

/* reg's value into a new register that stands for it in the instruction near. */
static u32 load_spilled(struct rewrite *w, const struct ir_inst *near, u32 reg)
{
    struct ir_func *f = w->x->f;
    u32 to = ir_reg(f, (enum ir_class)f->cls[reg]);

    if (w->x->again[reg] != IR_NONE) {
        struct ir_inst copy = w->old[w->x->again[reg]];
        struct ir_inst *in = emit_near(w, near, (enum op)copy.op);

        copy.line = in->line;
        copy.loc_file = in->loc_file;
        copy.loc_line = in->loc_line;
        copy.dst[0] = to;
        *in = copy;
    } else {
        emit_local(w, near, f->cls[reg] == IRC_64 ? OP_ld_local_64 : OP_ld_local_32, reg)->dst[0] =
            to;
    }
    return to;
}

static void emit_store(struct rewrite *w, const struct ir_inst *near, u32 reg, u32 from)
{
    bool is64 = w->x->f->cls[reg] == IRC_64;

    emit_local(w, near, is64 ? OP_st_local_64 : OP_st_local_32, reg)->src[1] = from;
}

static bool is_chosen(const struct rewrite *w, u32 opnd)
{
    return ir_is_reg(opnd) && opnd < w->x->ranges.n_reg && w->x->chosen[opnd];
}

/* The name of reg within the instruction; IR_NONE: it has none yet. */
static u32 name_within(const struct rewrite *w, u32 reg)
{
    for (u32 i = 0; i < w->n; i++)
        if (w->from[i] == reg)
            return w->to[i];
    return IR_NONE;
}

static void set_name(struct rewrite *w, u32 reg, u32 to)
{
    w->from[w->n] = reg;
    w->to[w->n++] = to;
}

static void rewrite_uses(struct rewrite *w, struct ir_inst *in)
{
    u32 reg[IR_MAX_OPND];

    for (u32 n = ir_uses(w->x->f, in, reg); n-- > 0;)
        if (is_chosen(w, reg[n]) && name_within(w, reg[n]) == IR_NONE)
            set_name(w, reg[n], load_spilled(w, in, reg[n]));
    for (u32 k = 0; k < LEN(in->src); k++)
        if (is_chosen(w, in->src[k]))
            in->src[k] = name_within(w, in->src[k]);
}

/* The new name of result reg. */
static u32 rewrite_def(struct rewrite *w, const struct ir_inst *in, u32 reg)
{
    struct ir_func *f = w->x->f;
    u32 to = in->guard == IR_NONE ? IR_NONE : name_within(w, reg);

    return to == IR_NONE ? ir_reg(f, (enum ir_class)f->cls[reg]) : to;
}

static void rewrite_inst(struct rewrite *w, const struct ir_inst *old)
{
    struct ir_inst in = *old;
    u32 was[4], now[4], n = 0;

    w->n = 0;
    if (is_chosen(w, in.dst[0]) && w->x->again[in.dst[0]] != IR_NONE)
        return; /* computed again where it is used */
    rewrite_uses(w, &in);
    for (u32 k = 0; k < LEN(in.dst); k++)
        if (is_chosen(w, in.dst[k])) {
            was[n] = in.dst[k];
            now[n++] = in.dst[k] = rewrite_def(w, old, in.dst[k]);
        }
    *emit_near(w, old, OP_ret) = in;
    for (u32 k = 0; k < n; k++)
        emit_store(w, old, was[k], now[k]);
}

static void rewrite(struct spill *x)
{
    struct ir_func *f = x->f;
    struct rewrite w = {.x = x, .old = f->inst};

    f->inst = NULL;
    f->n_inst = f->cap_inst = 0;
    for (u32 b = 0; b < f->n_block; b++) {
        u32 first = f->n_inst;

        for (u32 i = 0; i < f->block[b].n; i++)
            rewrite_inst(&w, &w.old[f->block[b].first + i]);
        f->block[b].first = first;
        f->block[b].n = f->n_inst - first;
    }
    free(w.old);
    lower_rebuild(f);
}

/* ---- all of it ---- */

struct start {
    u32 from, reg;
};

static int compare_start(const void *a, const void *b)
{
    const struct start *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->reg < y->reg ? -1 : x->reg > y->reg;
}

static void find_order(struct spill *x, u32 first_temp)
{
    struct start *start = xmalloc((first_temp + 1) * sizeof(*start));

    for (u32 r = 0; r < first_temp; r++)
        if (x->f->cls[r] != IRC_PRED && x->ranges.of[r].n)
            start[x->n_order++] = (struct start){x->ranges.of[r].at[0].from, r};
    qsort(start, x->n_order, sizeof(*start), compare_start);
    x->order = xmalloc((x->n_order + 1) * sizeof(u32));
    x->near = xmalloc((x->n_order + 1) * sizeof(u32));
    for (u32 i = 0; i < x->n_order; i++)
        x->order[i] = start[i].reg;
    free(start);
}

static struct spill spill_new(struct ir_func *f, const struct spill_goal *goal)
{
    u32 n = f->n_reg + 1;
    struct spill x = {.f = f, .ranges = ranges_new(f), .again = find_repeatable(f), .goal = goal};

    x.demand = xcalloc(f->n_inst + 1, sizeof(u32));
    x.cost = xcalloc(n, sizeof(u32));
    x.use = xcalloc(n, sizeof(u32 *));
    x.n_use = xcalloc(n, sizeof(u32));
    x.chosen = xcalloc(n, sizeof(bool));
    x.place = xmalloc(n * sizeof(u32));
    memset(x.place, 0xff, n * sizeof(u32));
    ranges_demand(f, &x.ranges, x.demand);
    find_operands(&x);
    find_order(&x, goal->first_temp);
    return x;
}

static void spill_free(struct spill *x)
{
    ranges_free(&x->ranges);
    free(x->again);
    free(x->demand);
    free(x->cost);
    free(x->use);
    free(x->use_store);
    free(x->n_use);
    free(x->chosen);
    free(x->place);
    free(x->order);
    free(x->near);
    VEC_FREE(&x->slot);
}

/* One round: how many registers went, and in *need the rows of an instruction that cannot do
 * with fewer than the target, or 0. */
static u32 spill_round(struct ir_func *f, const struct spill_goal *goal, u32 *need)
{
    struct spill x = spill_new(f, goal);

    *need = 0;
    for (u32 i = 0; i < f->n_inst; i++) {
        relieve_call(&x, i);
        if (!relieve(&x, i) && x.demand[i] > *need)
            *need = x.demand[i];
    }
    if (x.n_chosen && !*need)
        rewrite(&x);
    spill_free(&x);
    return x.n_chosen;
}

bool lower_spill(struct ir_func *f, const struct spill_goal *goal, bool *changed, struct err *e)
{
    u32 need;

    while (spill_round(f, goal, &need) && !need)
        *changed = true;
    if (need)
        return err_set(e, "kernel %s cannot run in %u registers; it needs at least %u", f->name,
                       goal->max_regs, need + goal->max_regs - goal->target);
    return true;
}
