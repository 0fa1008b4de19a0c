/*
 * lower_sched.c -- the order of instructions within a block: list scheduling.
 *
 * A block is cut at what may not move at all (OPF_PIN, the jump at its end); each stretch in
 * between is ordered by its longest path of latencies, so that loads come early, unless more
 * registers would be live than `limit`: then whatever frees the most goes first.  Only a window
 * of instructions is looked at, from the oldest that is not placed yet: that bounds the time, and
 * keeps the code near the order of the source.
 *
 * Blocks are walked backwards, because what is live after a stretch decides what dies in it.
 */
#include "ptx/lower/lower_sched.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"

enum {
    WINDOW = 256,
    FREE_ROWS = 24, /* live registers that cost nothing: fewer do not let more warps run */
};

struct list_sched {
    struct ir_func *f;
    struct builder *builder;
    struct deps deps;
    u32 max_regs;
    struct ir_inst *copy; /* of the stretch, in its old order */

    /* walking backwards: what is live here */
    bool *live; /* per register */
    u32 rows;

    /* a value is one definition of a register, or what it held before the stretch */
    u32 *n_read; /* per definition (N_DEF a node): its reads, one more if the value lives on */
    u32 *left;   /* per register: reads of its present value that are still to come */

    /* placing */
    u32 *height, *earliest;
    u32 n_ready, *ready;
    u32 now, limit, peak;
};

/* ---- liveness, backwards ---- */

static void step_back(struct list_sched *x, const struct ir_inst *in)
{
    u32 reg[IR_MAX_OPND];

    for (u32 n = ir_defs(x->f, in, reg); n-- > 0;)
        if (x->live[reg[n]]) {
            x->live[reg[n]] = false;
            x->rows -= lower_rows(x->f, reg[n]);
        }
    for (u32 n = ir_uses(x->f, in, reg); n-- > 0;)
        if (!x->live[reg[n]]) {
            x->live[reg[n]] = true;
            x->rows += lower_rows(x->f, reg[n]);
        }
    x->peak = x->rows > x->peak ? x->rows : x->peak;
}

/* ---- reads of each value ---- */

enum { N_DEF = IR_MAX_DEF };

static u32 def_of(const struct ir_inst *in, u32 k)
{
    return k < IR_MAX_DST ? in->dst[k] : in->pdst;
}

/*
 * Backwards: reads are counted in left[] until the definition that they belong to is met, which
 * takes the count away.  What remains belongs to values from before the stretch.
 */
static void count_reads(struct list_sched *x, const struct ir_inst *code, u32 n)
{
    u32 reg[IR_MAX_OPND];

    for (u32 i = 0; i < n; i++) {
        for (u32 k = ir_uses(x->f, &code[i], reg); k-- > 0;)
            x->left[reg[k]] = x->live[reg[k]];
        for (u32 k = ir_defs(x->f, &code[i], reg); k-- > 0;)
            x->left[reg[k]] = x->live[reg[k]];
    }
    for (u32 i = n; i-- > 0;) {
        for (u32 k = N_DEF; k-- > 0;) {
            u32 r = def_of(&code[i], k);

            if (r == IR_NONE)
                continue;
            x->n_read[N_DEF * i + k] = x->left[r];
            x->left[r] = 0;
        }
        for (u32 k = ir_uses(x->f, &code[i], reg); k-- > 0;)
            x->left[reg[k]]++;
    }
}

/* Does the i-th of the n registers read die here?  Of equal ones only the last is asked. */
static bool dies(const struct list_sched *x, const u32 *reg, u32 n, u32 i)
{
    u32 times = 0;

    for (u32 k = 0; k < n; k++) {
        if (k > i && reg[k] == reg[i])
            return false;
        times += reg[k] == reg[i];
    }
    return times == x->left[reg[i]];
}

/* Rows that are live more (or fewer) once the node is placed. */
static s32 pressure_change(const struct list_sched *x, u32 node)
{
    const struct ir_inst *in = &x->copy[node];
    u32 reg[IR_MAX_OPND], n = ir_uses(x->f, in, reg);
    s32 change = 0;

    for (u32 i = 0; i < n; i++)
        if (dies(x, reg, n, i))
            change -= (s32)lower_rows(x->f, reg[i]);
    for (u32 k = 0; k < N_DEF; k++)
        if (def_of(in, k) != IR_NONE && x->n_read[N_DEF * node + k])
            change += (s32)lower_rows(x->f, def_of(in, k));
    return change;
}

static void update_pressure(struct list_sched *x, u32 node)
{
    const struct ir_inst *in = &x->copy[node];
    u32 reg[IR_MAX_OPND];

    x->rows = (u32)((s32)x->rows + pressure_change(x, node));
    for (u32 n = ir_uses(x->f, in, reg); n-- > 0;)
        x->left[reg[n]]--;
    for (u32 k = 0; k < N_DEF; k++)
        if (def_of(in, k) != IR_NONE)
            x->left[def_of(in, k)] = x->n_read[N_DEF * node + k];
}

/* ---- placing ---- */

static void find_heights(struct list_sched *x, u32 n)
{
    for (u32 i = n; i-- > 0;) {
        x->height[i] = dep_latency(&x->copy[i]);
        for (u32 e = x->deps.first[i]; e != IR_NONE; e = x->deps.edge.at[e].next) {
            const struct dep_edge *d = &x->deps.edge.at[e];
            u32 h = d->latency + x->height[d->to];

            x->height[i] = h > x->height[i] ? h : x->height[i];
        }
    }
}

/* Is a to be placed rather than b, as long as registers are not scarce? */
static bool more_urgent(const struct list_sched *x, u32 a, u32 b)
{
    u32 wait_a = x->earliest[a] > x->now ? x->earliest[a] - x->now : 0;
    u32 wait_b = x->earliest[b] > x->now ? x->earliest[b] - x->now : 0;

    if (wait_a != wait_b)
        return wait_a < wait_b;
    if (x->height[a] != x->height[b])
        return x->height[a] > x->height[b];
    return a < b;
}

/* The index in ready[] of what comes next. */
static u32 choose_node(const struct list_sched *x)
{
    u32 best = 0, thrifty = 0;
    s32 least = pressure_change(x, x->ready[0]);

    for (u32 i = 1; i < x->n_ready; i++) {
        u32 node = x->ready[i];
        s32 change = pressure_change(x, node);

        if (more_urgent(x, node, x->ready[best]))
            best = i;
        if (change < least || (change == least && node < x->ready[thrifty])) {
            least = change;
            thrifty = i;
        }
    }
    s32 change = pressure_change(x, x->ready[best]);
    bool scarce = change > 0 && (s32)x->rows + change > (s32)x->limit;
    return scarce ? thrifty : best;
}

static void release_users(struct list_sched *x, u32 node, u32 open)
{
    u32 done = x->now++;

    for (u32 e = x->deps.first[node]; e != IR_NONE; e = x->deps.edge.at[e].next) {
        const struct dep_edge *d = &x->deps.edge.at[e];

        if (x->earliest[d->to] < done + d->latency)
            x->earliest[d->to] = done + d->latency;
        if (--x->deps.n_pred[d->to] == 0 && d->to < open)
            x->ready[x->n_ready++] = d->to;
    }
}

/* Writes the stretch in its new order. */
static void place_in_order(struct list_sched *x, struct ir_inst *out, u32 n)
{
    u32 open = 0, oldest = 0; /* nodes below open are in the window */
    bool *placed = xcalloc(n, sizeof(bool));

    x->n_ready = x->now = 0;
    memset(x->earliest, 0, n * sizeof(u32));
    for (u32 done = 0; done < n; done++) {
        while (oldest < n && placed[oldest])
            oldest++;
        for (; open < n && open < oldest + WINDOW; open++)
            if (x->deps.n_pred[open] == 0)
                x->ready[x->n_ready++] = open;
        u32 at = choose_node(x), node = x->ready[at];
        x->ready[at] = x->ready[--x->n_ready];
        update_pressure(x, node);
        placed[node] = true;
        out[done] = x->copy[node];
        release_users(x, node, open);
    }
    free(placed);
}

/* ---- stretches and blocks ---- */

static void schedule_stretch(struct list_sched *x, u32 first, u32 n)
{
    struct ir_inst *code = &x->f->inst[first];

    memcpy(x->copy, code, n * sizeof(code[0]));
    count_reads(x, x->copy, n);
    x->peak = x->rows;
    for (u32 i = n; i-- > 0;)
        step_back(x, &x->copy[i]);
    u32 rows = x->rows;
    x->limit = x->peak > FREE_ROWS ? x->peak : FREE_ROWS;
    if (x->max_regs && x->limit > x->max_regs)
        x->limit = x->max_regs;
    deps_build(x->builder, &x->deps, x->copy, n);
    find_heights(x, n);
    place_in_order(x, code, n);
    x->rows = rows;
}

static bool is_pinned(const struct ir_inst *in)
{
    return op_info[in->op].flags & (OPF_PIN | OPF_END);
}

static void schedule_block(struct list_sched *x, const struct live *l, u32 b, u32 *list)
{
    u32 first = x->f->block[b].first, end = first + x->f->block[b].n;
    u32 n_list = live_list(l, b, true, list);

    x->rows = 0;
    for (u32 i = 0; i < n_list; i++) {
        x->live[list[i]] = true;
        x->rows += lower_rows(x->f, list[i]);
    }
    while (end > first) {
        u32 from = end;

        while (from > first && !is_pinned(&x->f->inst[from - 1]))
            from--;
        if (end - from > 0)
            schedule_stretch(x, from, end - from);
        if (from > first)
            step_back(x, &x->f->inst[--from]);
        end = from;
    }
    n_list = live_list(l, b, false, list);
    for (u32 i = 0; i < n_list; i++)
        x->live[list[i]] = false;
}

static u32 longest_block(const struct ir_func *f)
{
    u32 n = 0;

    for (u32 b = 0; b < f->n_block; b++)
        n = f->block[b].n > n ? f->block[b].n : n;
    return n;
}

void lower_sched(struct ir_func *f, u32 max_regs)
{
    u32 n = longest_block(f);
    struct live *l = live_new(f);
    u32 *list = xmalloc((live_max_list(l) + 1) * sizeof(u32));
    struct list_sched x = {.f = f, .max_regs = max_regs, .builder = deps_builder_new(f)};

    x.deps.first = xmalloc(n * sizeof(u32));
    x.deps.n_pred = xmalloc(n * sizeof(u32));
    x.copy = xmalloc(n * sizeof(x.copy[0]));
    x.live = xcalloc(f->n_reg + 1, sizeof(bool));
    x.n_read = xmalloc((size_t)N_DEF * n * sizeof(u32));
    x.left = xcalloc(f->n_reg + 1, sizeof(u32));
    x.height = xmalloc(n * sizeof(u32));
    x.earliest = xmalloc(n * sizeof(u32));
    x.ready = xmalloc(n * sizeof(u32));
    for (u32 b = 0; b < f->n_block; b++)
        schedule_block(&x, l, b, list);
    live_free(l);
    deps_builder_free(x.builder);
    VEC_FREE(&x.deps.edge);
    free(x.deps.first);
    free(x.deps.n_pred);
    free(x.copy);
    free(x.live);
    free(x.n_read);
    free(x.left);
    free(x.height);
    free(x.earliest);
    free(x.ready);
    free(list);
}
