/*
 * lower_alloc.c -- gives registers their rows: linear scan over intervals with holes.
 *
 * At least as many rows are needed as are taken at once.  Pairs must be aligned and intervals
 * have to keep their row throughout, so that number does not always suffice: several orders are
 * tried with it, then with one more, and so on.  A try that fails tells which register found no
 * room; in the next try that one goes first.  Numbers of rows that cannot suffice in any order
 * (lower_need.c) are not tried.
 *
 * Registers that are copies of each other and never alive at the same time become one first, and
 * the moves between them go away.
 */
#include "ptx/lower/lower_alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
    EXTRA_ROWS = 3, /* beyond what is needed at once, until moves are kept to do better */
    WORK = 400000,  /* intervals placed in all tries for one number of rows, at most */
    MIN_TRIES = 6,
    MAX_TRIES = 60,
};

struct alloc {
    struct ir_func *f;
    struct ranges ranges;
    u32 *same;  /* per register: the one it was joined with, or itself */
    u32 *hint;  /* per register: another whose row it would like, or IR_NONE */
    u32 *first; /* per register: goes before others in the order, 0: no wish */
    u32 n_order, *order;
    bool joined; /* some */
    u32 need;    /* rows that it takes at least; 0: not asked yet */
    struct rows *rows;
};

static u32 find_same(const struct alloc *x, u32 reg)
{
    while (x->same[reg] != reg)
        reg = x->same[reg] = x->same[x->same[reg]];
    return reg;
}

/* ---- joining copies ---- */

static bool is_move(const struct ir_inst *in)
{
    return (in->op == OP_mov_32 || in->op == OP_mov_64 || in->op == OP_pmov) &&
           in->guard == IR_NONE && ir_is_reg(in->src[0]);
}

static void join_move(struct alloc *x, const struct ir_inst *in)
{
    u32 d = find_same(x, in->dst[0] == IR_NONE ? in->pdst : in->dst[0]);
    u32 s = find_same(x, in->src[0]);

    if (d == s || x->f->cls[d] != x->f->cls[s] || ranges_meet(&x->ranges.of[d], &x->ranges.of[s]))
        return;
    ranges_join(&x->ranges.of[d], &x->ranges.of[s]);
    ranges_join(&x->ranges.held[d], &x->ranges.held[s]);
    x->same[s] = d;
    x->joined = true;
}

/* The moves of inner loops first: they are worth more. */
static void join_moves(struct alloc *x)
{
    const struct ir_func *f = x->f;
    u32 deepest = 0;

    for (u32 b = 0; b < f->n_block; b++)
        deepest = f->block[b].loop_depth > deepest ? f->block[b].loop_depth : deepest;
    for (u32 depth = deepest + 1; depth-- > 0;)
        for (u32 b = 0; b < f->n_block; b++)
            for (u32 i = 0; f->block[b].loop_depth == depth && i < f->block[b].n; i++)
                if (is_move(&f->inst[f->block[b].first + i]))
                    join_move(x, &f->inst[f->block[b].first + i]);
}

/* ---- hints ---- */

/* A result would like the row of the operand it continues: the sum, the moved value. */
static void find_hints(struct alloc *x)
{
    const struct ir_func *f = x->f;

    for (u32 i = 0; i < f->n_inst; i++) {
        const struct ir_inst *in = &f->inst[i];
        u32 d = in->dst[0] == IR_NONE ? in->pdst : in->dst[0];

        if (d == IR_NONE || op_info[in->op].form != FORM_ALU)
            continue;
        for (u32 k = 3; k-- > 0;)
            if (ir_is_reg(in->src[k]) && f->cls[in->src[k]] == f->cls[d] &&
                x->hint[find_same(x, d)] == IR_NONE)
                x->hint[find_same(x, d)] = find_same(x, in->src[k]);
    }
}

/* The row that reg would like, or IR_NONE. */
static u32 hint_of(const struct alloc *x, u32 reg)
{
    u32 hint = x->hint[reg] == IR_NONE ? OPND_NONE : x->f->row[find_same(x, x->hint[reg])];

    return hint == OPND_NONE ? IR_NONE : hint;
}

/* ---- tries ---- */

enum strategy { BY_START, PAIRS_FIRST, LONG_FIRST, N_STRATEGY };

struct rank {
    u64 key;
    u32 reg;
};

static int compare_rank(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->reg < y->reg ? -1 : x->reg > y->reg;
}

static u32 interval_length(const struct interval *v)
{
    u32 n = 0;

    for (u32 i = 0; i < v->n; i++)
        n += v->at[i].to - v->at[i].from;
    return n;
}

static u64 order_key(const struct alloc *x, u32 reg, enum strategy s)
{
    const struct interval *v = &x->ranges.of[reg];
    u64 wish = 0xffff - (u64)min_u32(x->first[reg], 0xffff), key = v->at[0].from;

    if (s == PAIRS_FIRST)
        key |= (u64)(x->f->cls[reg] != IRC_64) << 40;
    if (s == LONG_FIRST)
        key = 0xffffffff - interval_length(v);
    return wish << 48 | key;
}

static void sort_order(struct alloc *x, enum strategy s)
{
    struct rank *rank = xmalloc((x->n_order + 1) * sizeof(*rank));

    for (u32 i = 0; i < x->n_order; i++)
        rank[i] = (struct rank){order_key(x, x->order[i], s), x->order[i]};
    qsort(rank, x->n_order, sizeof(*rank), compare_rank);
    for (u32 i = 0; i < x->n_order; i++)
        x->order[i] = rank[i].reg;
    free(rank);
}

/* The order is sorted but for reg, whose wish has grown: it moves to the front or near it. */
static void move_forward(struct alloc *x, u32 reg, enum strategy s)
{
    struct rank own = {order_key(x, reg, s), reg};
    u32 from = 0, to = 0;

    while (x->order[from] != reg)
        from++;
    for (; to < from; to++) {
        struct rank there = {order_key(x, x->order[to], s), x->order[to]};

        if (compare_rank(&own, &there) < 0)
            break;
    }
    memmove(&x->order[to + 1], &x->order[to], (from - to) * sizeof(u32));
    x->order[to] = reg;
}

/* Places all in order; returns the register that finds no room, or IR_NONE. */
static u32 try_order(struct alloc *x, u32 n_row)
{
    rows_clear(x->rows, n_row);
    for (u32 i = 0; i < x->n_order; i++)
        x->f->row[x->order[i]] = OPND_NONE;
    for (u32 i = 0; i < x->n_order; i++) {
        u32 reg = x->order[i], row = rows_choose(x->rows, reg, hint_of(x, reg));

        if (row == IR_NONE)
            return reg;
        x->f->row[reg] = (u16)row;
        rows_take(x->rows, reg, row);
    }
    return IR_NONE;
}

/* Is it certain that so few rows do not suffice?  Asked once a try has failed: most do not. */
static bool is_hopeless(struct alloc *x, u32 n_row, u32 max_row)
{
    if (!x->need)
        x->need = ranges_need(x->f, &x->ranges, max_row + 1);
    return n_row < x->need;
}

/* max_row: the most that will be tried. */
static bool try_rows(struct alloc *x, u32 n_row, u32 max_row, bool hard)
{
    u32 tries = x->n_order ? WORK / x->n_order / N_STRATEGY : 1;

    tries = !hard ? 1 : tries < MIN_TRIES ? MIN_TRIES : min_u32(tries, MAX_TRIES);
    for (u32 s = 0; s < N_STRATEGY; s++) {
        memset(x->first, 0, (x->f->n_reg + 1) * sizeof(u32));
        sort_order(x, (enum strategy)s);
        for (u32 i = 0; i < tries; i++) {
            u32 failed = try_order(x, n_row);
            if (failed == IR_NONE)
                return true;
            if (is_hopeless(x, n_row, max_row))
                return false;
            x->first[failed] += 1 + i / 4;
            move_forward(x, failed, (enum strategy)s);
        }
    }
    return false;
}

/* ---- all of it ---- */

static void alloc_free(struct alloc *x)
{
    rows_free(x->rows);
    ranges_free(&x->ranges);
    free(x->same);
    free(x->hint);
    free(x->first);
    free(x->order);
}

static u32 *filled(u32 n)
{
    u32 *a = xmalloc((n + 1) * sizeof(u32));

    memset(a, 0xff, (n + 1) * sizeof(u32));
    return a;
}

static struct alloc alloc_new(struct ir_func *f, bool join)
{
    struct alloc x = {.f = f,
                      .ranges = ranges_new(f),
                      .same = filled(f->n_reg),
                      .hint = filled(f->n_reg),
                      .first = filled(f->n_reg),
                      .order = filled(f->n_reg)};

    free(f->row);
    f->row = xmalloc((f->n_reg + 1) * sizeof(f->row[0]));
    for (u32 r = 0; r < f->n_reg; r++) {
        f->row[r] = OPND_NONE;
        x.same[r] = r;
    }
    ranges_find_held(&x.ranges, f);
    if (join)
        join_moves(&x);
    find_hints(&x);
    x.rows = rows_new(f, &x.ranges);
    return x;
}

static void take_order(struct alloc *x, bool predicates)
{
    x->n_order = 0;
    for (u32 r = 0; r < x->f->n_reg; r++)
        if (x->ranges.of[r].n && (x->f->cls[r] == IRC_PRED) == predicates)
            x->order[x->n_order++] = r;
}

/* Predicates have no cap: as many as it takes in the order of their starts. */
static void alloc_predicates(struct alloc *x)
{
    u32 n = 1;

    take_order(x, true);
    memset(x->first, 0, (x->f->n_reg + 1) * sizeof(u32));
    sort_order(x, BY_START);
    while (try_order(x, n) != IR_NONE)
        n += 1 + n / 8;
    x->f->n_pred = 0;
    for (u32 i = 0; i < x->n_order; i++)
        if (x->f->row[x->order[i]] >= x->f->n_pred)
            x->f->n_pred = x->f->row[x->order[i]] + 1u;
}

static void count_rows(struct alloc *x)
{
    u32 n = 0;

    for (u32 i = 0; i < x->n_order; i++) {
        u32 end = x->f->row[x->order[i]] + lower_rows(x->f, x->order[i]);
        n = end > n ? end : n;
    }
    x->f->n_row = n;
}

/* Every register takes the name of the one it was joined with. */
static void rename_opnd(const struct alloc *x, u32 *opnd)
{
    if (ir_is_reg(*opnd))
        *opnd = find_same(x, *opnd);
}

static void rename_all(struct alloc *x)
{
    struct ir_func *f = x->f;

    for (u32 i = 0; i < f->n_inst; i++) {
        struct ir_inst *in = &f->inst[i];

        if (is_move(in)) { /* the same row by chance or hint */
            u32 d = find_same(x, in->dst[0] == IR_NONE ? in->pdst : in->dst[0]);
            u32 s = find_same(x, in->src[0]);
            if (f->row[d] == f->row[s])
                x->same[s] = d;
        }
    }
    for (u32 i = 0; i < f->n_inst; i++) {
        struct ir_inst *in = &f->inst[i];

        for (u32 k = 0; k < LEN(in->src); k++)
            rename_opnd(x, &in->src[k]);
        for (u32 k = 0; k < LEN(in->dst); k++)
            rename_opnd(x, &in->dst[k]);
        rename_opnd(x, &in->pdst);
        rename_opnd(x, &in->psrc);
        rename_opnd(x, &in->guard);
    }
}

static void remove_moves(struct ir_func *f)
{
    bool *dead = xcalloc(f->n_inst, sizeof(bool));

    for (u32 i = 0; i < f->n_inst; i++) {
        const struct ir_inst *in = &f->inst[i];
        dead[i] = is_move(in) && in->src[0] == (in->dst[0] == IR_NONE ? in->pdst : in->dst[0]);
    }
    lower_remove(f, dead);
    lower_rebuild(f);
    free(dead);
}

static u32 most(const u32 *n, u32 len)
{
    u32 max = 0;

    for (u32 i = 0; i < len; i++)
        max = n[i] > max ? n[i] : max;
    return max;
}

static u32 max_demand(const struct ir_func *f)
{
    u32 *n = xmalloc((f->n_inst + 1) * sizeof(u32));
    struct ranges r = ranges_new(f);

    ranges_demand(f, &r, n);
    u32 max = most(n, f->n_inst);
    ranges_free(&r);
    free(n);
    return max;
}

static u32 max_live(const struct ir_func *f)
{
    u32 *n = xmalloc((f->n_inst + 1) * sizeof(u32));
    struct live *l = live_new(f);

    live_count(l, f, n);
    u32 max = most(n, f->n_inst);
    live_free(l);
    free(n);
    return max;
}

/*
 * Rows for all, n_row or up to max_row; false: they do not suffice, or more than limit are needed.
 * *join: whether to join copies, and then, whether there were any.
 */
static bool place_all(struct ir_func *f, bool *join, u32 n_row, u32 max_row, u32 limit)
{
    struct alloc x = alloc_new(f, *join);
    bool ok = false, hard = max_row - n_row <= EXTRA_ROWS;

    take_order(&x, false);
    for (u32 n = n_row; n <= max_row && !ok; n = max_u32(n + 1, x.need))
        ok = try_rows(&x, n, max_row, hard);
    if (ok)
        count_rows(&x);
    ok = ok && f->n_row <= limit;
    if (ok) {
        alloc_predicates(&x);
        rename_all(&x);
        remove_moves(f);
        f->max_live = max_live(f);
    }
    *join = x.joined;
    alloc_free(&x);
    return ok;
}

/* The least that needs no further moves, else the least at all. */
static bool place_within(struct ir_func *f, u32 max_row, u32 limit)
{
    u32 n = max_demand(f), soft = min_u32(n + EXTRA_ROWS, max_row);

    bool join = true, keep = false;

    if (n > max_row)
        return false;
    return place_all(f, &join, n, soft, limit) || (join && place_all(f, &keep, n, soft, limit)) ||
           (soft < max_row && place_all(f, &keep, soft + 1, max_row, limit));
}

/* Rows that leave room for the greediest callee's, which begin at an even one. */
static u32 rows_beside_callees(const struct ir_func *f, u32 max_regs)
{
    u32 need = 0;

    for (u32 s = 0; s < f->n_site; s++)
        need = max_u32(need, f->site[s].need);
    return need ? (max_regs - min_u32(need, max_regs)) & ~1u : max_regs;
}

/*
 * Rows side by side with those of callees if they fit; if not, what lives across calls makes
 * room; if pairs still do not fit, with one row less at a time.
 */
bool lower_alloc(struct ir_func *f, u32 max_regs, struct err *e)
{
    struct spill_goal goal = {max_regs, f->n_reg, max_regs, false};
    u32 limit = rows_beside_callees(f, max_regs);
    bool anew = true; /* no use in trying the same again */

    if (!max_regs)
        return place_within(f, MAX_ROWS, MAX_ROWS) ||
               err_set(e, "%s needs more than %u registers", f->name, MAX_ROWS);
    for (;;) {
        if (!lower_spill(f, &goal, &anew, e))
            return false;
        if (anew && place_within(f, max_regs, goal.squeeze ? max_regs : limit))
            return true;
        anew = limit < max_regs && !goal.squeeze; /* another limit */
        if (anew)
            goal.squeeze = true;
        else
            goal.target--;
    }
}
