/*
 * cfg.c -- basic blocks, dominators, post-dominators and loops.
 *
 * Dominators are found as in Lengauer, Tarjan: "A fast algorithm for finding dominators in a
 * flowgraph" (1979), with path compression: n log n however deep branches are nested.
 * Post-dominators by the same on the reversed graph, from a virtual exit behind all returns.  A
 * region that never returns gets an edge from its last block to that exit, so that its branches
 * have a reconvergence point too.
 *
 * The succ and pred lists of all blocks stand in one array, which begins at block[0].succ.
 */
#include "ptx/ir.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"

static bool ends_block(const struct ir_inst *in)
{
    return op_info[in->op].flags & OPF_END;
}

static bool falls_through(const struct ir_inst *in)
{
    return !ends_block(in) || in->guard != IR_NONE;
}

static bool leaves_function(const struct ir_inst *in)
{
    return in->op == OP_ret || in->op == OP_exit || in->op == OP_trap;
}

static const struct ir_inst *last_inst(const struct ir_func *f, u32 b)
{
    return &f->inst[f->block[b].first + f->block[b].n - 1];
}

/* ---- blocks ---- */

/* Calls visit for every place that holds a label (later: a block). */
static void each_target(struct ir_func *f, void (*visit)(void *arg, u32 *target), void *arg)
{
    for (u32 i = 0; i < f->n_inst; i++)
        if (f->inst[i].op == OP_bra)
            visit(arg, &f->inst[i].target);
    for (u32 t = 0; t < f->n_table; t++)
        for (u32 i = 0; i < f->table[t].n; i++)
            visit(arg, &f->table[t].target[i]);
}

struct leaders {
    const struct ir_func *f;
    u32 *block; /* of each instruction that starts one (counted later), else IR_NONE */
};

static void mark_leader(void *arg, u32 *target)
{
    struct leaders *l = arg;

    assert(*target < l->f->n_label && l->f->label[*target] <= l->f->n_inst);
    l->block[l->f->label[*target]] = 0;
}

static void label_to_block(void *arg, u32 *target)
{
    struct leaders *l = arg;

    *target = l->block[l->f->label[*target]];
}

/* Is there a way to run past the last instruction? */
static bool falls_off(struct ir_func *f, const struct leaders *l)
{
    return f->n_inst == 0 || falls_through(&f->inst[f->n_inst - 1]) || l->block[f->n_inst] == 0;
}

static void add_ret(struct ir_func *f)
{
    u32 line = f->n_inst ? f->inst[f->n_inst - 1].line : 0;
    struct ir_inst *in = ir_add(f, OP_ret, line);

    if (f->n_inst > 1) {
        in->loc_file = in[-1].loc_file;
        in->loc_line = in[-1].loc_line;
    }
}

static void make_blocks(struct ir_func *f)
{
    struct leaders l = {f, xmalloc((f->n_inst + 2) * sizeof(u32))};

    memset(l.block, 0xff, (f->n_inst + 2) * sizeof(u32));
    each_target(f, mark_leader, &l);
    if (falls_off(f, &l))
        add_ret(f);
    l.block[0] = 0;
    for (u32 i = 0; i + 1 < f->n_inst; i++)
        if (ends_block(&f->inst[i]))
            l.block[i + 1] = 0;

    f->block = xcalloc(f->n_inst, sizeof(f->block[0]));
    for (u32 i = 0; i < f->n_inst; i++) {
        if (l.block[i] != IR_NONE) {
            l.block[i] = f->n_block;
            f->block[f->n_block++].first = i;
        }
        f->block[f->n_block - 1].n++;
    }
    f->block = xrealloc(f->block, f->n_block * sizeof(f->block[0]));
    each_target(f, label_to_block, &l);
    free(l.block);
}

/* ---- edges ---- */

/* At most this many successors has block b, double ones included. */
static u32 max_succ(const struct ir_func *f, u32 b)
{
    const struct ir_inst *in = last_inst(f, b);

    return 1 + (in->op == OP_bra) + (in->op == OP_brx ? f->table[in->target].n : 0);
}

/* seen[] holds, for each block, the last block that got an edge to it. */
static void add_succ(struct ir_block *block, u32 b, u32 to, u32 *seen)
{
    if (seen[to] == b)
        return;
    seen[to] = b;
    block[b].succ[block[b].n_succ++] = to;
    block[to].n_pred++;
}

static void fill_succ(struct ir_func *f, u32 b, u32 *seen)
{
    const struct ir_inst *in = last_inst(f, b);

    if (falls_through(in))
        add_succ(f->block, b, b + 1, seen);
    if (in->op == OP_bra)
        add_succ(f->block, b, in->target, seen);
    for (u32 i = 0; in->op == OP_brx && i < f->table[in->target].n; i++)
        add_succ(f->block, b, f->table[in->target].target[i], seen);
}

static void fill_pred(struct ir_func *f, u32 *at)
{
    for (u32 b = 0; b < f->n_block; b++) {
        f->block[b].pred = at;
        at += f->block[b].n_pred;
        f->block[b].n_pred = 0;
    }
    for (u32 b = 0; b < f->n_block; b++)
        for (u32 i = 0; i < f->block[b].n_succ; i++) {
            struct ir_block *to = &f->block[f->block[b].succ[i]];
            to->pred[to->n_pred++] = b;
        }
}

static void make_edges(struct ir_func *f)
{
    u32 n = 0, *seen = xmalloc(f->n_block * sizeof(u32));

    memset(seen, 0xff, f->n_block * sizeof(u32));
    for (u32 b = 0; b < f->n_block; b++)
        n += max_succ(f, b);
    u32 *at = xmalloc(2 * n * sizeof(u32));
    for (u32 b = 0; b < f->n_block; b++)
        f->block[b].n_succ = f->block[b].n_pred = 0;
    for (u32 b = 0; b < f->n_block; b++) {
        f->block[b].succ = at;
        fill_succ(f, b, seen);
        at += f->block[b].n_succ;
    }
    fill_pred(f, at);
    free(seen);
}

/* ---- code that cannot be reached ---- */

/* True for each block that can be reached from the entry. */
static bool *reachable_blocks(const struct ir_func *f)
{
    bool *seen = xcalloc(f->n_block, sizeof(bool));
    u32 n = 0, *todo = xmalloc(f->n_block * sizeof(u32));

    seen[0] = true;
    todo[n++] = 0;
    while (n) {
        const struct ir_block *b = &f->block[todo[--n]];

        for (u32 i = 0; i < b->n_succ; i++)
            if (!seen[b->succ[i]]) {
                seen[b->succ[i]] = true;
                todo[n++] = b->succ[i];
            }
    }
    free(todo);
    return seen;
}

/* A table that only removed code used may name removed blocks: any number will do. */
static void renumber(void *arg, u32 *target)
{
    const u32 *now = arg;

    *target = now[*target] == IR_NONE ? 0 : now[*target];
}

static void remove_blocks(struct ir_func *f, const bool *keep)
{
    u32 *now = xmalloc(f->n_block * sizeof(u32));
    u32 n = 0, n_inst = 0;

    for (u32 b = 0; b < f->n_block; b++) {
        struct ir_block old = f->block[b];

        now[b] = keep[b] ? n : IR_NONE;
        if (!keep[b])
            continue;
        memmove(&f->inst[n_inst], &f->inst[old.first], old.n * sizeof(f->inst[0]));
        f->block[n++] = (struct ir_block){.first = n_inst, .n = old.n};
        n_inst += old.n;
    }
    f->n_block = n;
    f->n_inst = n_inst;
    each_target(f, renumber, now);
    free(now);
}

/* Takes unreachable blocks out; `seen` then is true for all that are left. */
static void prune_blocks(struct ir_func *f, bool *seen)
{
    if (!memchr(seen, false, f->n_block))
        return;
    free(f->block[0].succ);
    remove_blocks(f, seen);
    make_edges(f);
    memset(seen, true, f->n_block);
}

/* ---- dominators ---- */

/* Node v has edges to to[at[v] .. at[v+1]). */
struct flow_graph {
    u32 n;
    u32 *at, *to;
};

static struct flow_graph graph_new(u32 n, u32 n_edge)
{
    return (struct flow_graph){n, xcalloc(n + 2, sizeof(u32)), xmalloc((n_edge + 1) * sizeof(u32))};
}

static void graph_free(struct flow_graph *g)
{
    free(g->at);
    free(g->to);
}

static struct flow_graph transpose(const struct flow_graph *g)
{
    struct flow_graph r = graph_new(g->n, g->at[g->n]);

    for (u32 i = 0; i < g->at[g->n]; i++)
        r.at[g->to[i] + 2]++;
    for (u32 v = 0; v < g->n; v++)
        r.at[v + 2] += r.at[v + 1];
    for (u32 v = 0; v < g->n; v++)
        for (u32 i = g->at[v]; i < g->at[v + 1]; i++)
            r.to[r.at[g->to[i] + 1]++] = v;
    return r;
}

/* The blocks and, as the last node, the exit; leaves[b]: b has an edge to the exit. */
static struct flow_graph flow_graph(const struct ir_func *f, const bool *leaves)
{
    u32 n = 0, n_edge = f->n_block;

    for (u32 b = 0; b < f->n_block; b++)
        n_edge += f->block[b].n_succ;
    struct flow_graph g = graph_new(f->n_block + 1, n_edge);
    for (u32 b = 0; b < f->n_block; b++) {
        g.at[b] = n;
        for (u32 i = 0; i < f->block[b].n_succ; i++)
            g.to[n++] = f->block[b].succ[i];
        if (leaves[b])
            g.to[n++] = f->n_block;
    }
    g.at[f->n_block] = g.at[f->n_block + 1] = n;
    return g;
}

/* A depth-first walk.  Nodes are numbered in the order in which they are reached. */
struct walk {
    u32 n;
    u32 *node;   /* of each number */
    u32 *number; /* of each node, IR_NONE: not reached */
    u32 *parent; /* of each number: the number it was reached from */
};

/* From root; rank[] gets the postorder numbers of the nodes. */
static struct walk walk_new(const struct flow_graph *g, u32 root, u32 *rank)
{
    struct walk w = {0, xmalloc(g->n * sizeof(u32)), xmalloc(g->n * sizeof(u32)),
                     xmalloc(g->n * sizeof(u32))};
    u32 *next = xmalloc(g->n * sizeof(u32)); /* edge of the node to follow next */
    u32 left = 0, at = 0;

    memset(w.number, 0xff, g->n * sizeof(u32));
    for (u32 v = root, from = 0;;) {
        if (w.number[v] == IR_NONE) {
            w.parent[w.n] = from;
            w.node[w.n] = v;
            w.number[v] = at = w.n++;
            next[v] = g->at[v];
        }
        u32 top = w.node[at];
        if (next[top] < g->at[top + 1]) {
            v = g->to[next[top]++];
            from = at;
            continue;
        }
        rank[top] = left++;
        if (!at)
            break;
        at = w.parent[at];
        v = w.node[at];
    }
    free(next);
    return w;
}

static void walk_free(struct walk *w)
{
    free(w->node);
    free(w->number);
    free(w->parent);
}

/* What Lengauer and Tarjan keep, all by number. */
struct forest {
    u32 *semi;     /* semidominator */
    u32 *best;     /* of least semi on the way up to, but not including, the root of its tree */
    u32 *up;       /* ancestor in the forest, shortened by compression; IR_NONE: a root */
    u32 *way;      /* scratch: of compression */
    u32 *has, *in; /* has[s]: first of those whose semi is s; in[v]: next of them */
};

static struct forest forest_new(u32 n)
{
    u32 *all = xmalloc((size_t)6 * n * sizeof(u32));
    struct forest x = {all, all + n, all + 2 * n, all + 3 * n, all + 4 * n, all + 5 * n};

    memset(all, 0xff, (size_t)6 * n * sizeof(u32));
    for (u32 v = 0; v < n; v++)
        x.semi[v] = x.best[v] = v;
    return x;
}

/* The one of least semi above v, v included, below the root of its tree. */
static u32 find_best(struct forest *x, u32 v)
{
    u32 n = 0;

    if (x->up[v] == IR_NONE)
        return v;
    for (u32 a = v; x->up[x->up[a]] != IR_NONE; a = x->up[a])
        x->way[n++] = a;
    while (n-- > 0) { /* from the root down */
        u32 a = x->way[n], above = x->up[a];

        if (x->semi[x->best[above]] < x->semi[x->best[a]])
            x->best[a] = x->best[above];
        x->up[a] = x->up[above];
    }
    return x->best[v];
}

/* Those whose semidominator is `from`: their dominator, or one that has the same. */
static void empty_bucket(struct forest *x, u32 from, u32 *idom)
{
    for (u32 v = x->has[from]; v != IR_NONE; v = x->in[v]) {
        u32 u = find_best(x, v);

        idom[v] = x->semi[u] < x->semi[v] ? u : from;
    }
    x->has[from] = IR_NONE;
}

/* Immediate dominators by number; r is the transpose of the graph that was walked. */
static u32 *number_dominators(const struct walk *w, const struct flow_graph *r)
{
    struct forest x = forest_new(w->n);
    u32 *idom = xcalloc(w->n, sizeof(u32));

    for (u32 v = w->n; v-- > 1;) {
        for (u32 j = r->at[w->node[v]]; j < r->at[w->node[v] + 1]; j++) {
            u32 from = w->number[r->to[j]];
            u32 s = from == IR_NONE ? v : x.semi[find_best(&x, from)];

            x.semi[v] = min_u32(x.semi[v], s);
        }
        x.in[v] = x.has[x.semi[v]];
        x.has[x.semi[v]] = v;
        x.up[v] = w->parent[v];
        empty_bucket(&x, w->parent[v], idom);
    }
    for (u32 v = 1; v < w->n; v++)
        if (idom[v] != x.semi[v])
            idom[v] = idom[idom[v]];
    free(x.semi);
    return idom;
}

/*
 * Immediate dominators of what root reaches in g, whose transpose is r; IR_NONE elsewhere.
 * rank[] gets the postorder numbers.
 */
static u32 *dominators(const struct flow_graph *g, const struct flow_graph *r, u32 root, u32 *rank)
{
    struct walk w = walk_new(g, root, rank);
    u32 *by_number = number_dominators(&w, r), *idom = xmalloc(g->n * sizeof(u32));

    memset(idom, 0xff, g->n * sizeof(u32));
    for (u32 v = 0; v < w.n; v++)
        idom[w.node[v]] = w.node[by_number[v]];
    free(by_number);
    walk_free(&w);
    return idom;
}

/* Marks in `leaves` one block of each region that cannot reach the exit, the last in the text. */
static void add_pseudo_exits(const struct ir_func *f, const bool *live, bool *leaves)
{
    bool *done = xcalloc(f->n_block, sizeof(bool));
    u32 n = 0, *todo = xmalloc(f->n_block * sizeof(u32));

    for (u32 b = 0; b < f->n_block; b++)
        if (leaves[b])
            done[b] = true, todo[n++] = b;
    for (u32 last = f->n_block; n || last;) {
        if (!n) {
            if (live[--last] && !done[last])
                leaves[last] = done[last] = true, todo[n++] = last;
            continue;
        }
        const struct ir_block *b = &f->block[todo[--n]];
        for (u32 i = 0; i < b->n_pred; i++)
            if (!done[b->pred[i]])
                done[b->pred[i]] = true, todo[n++] = b->pred[i];
    }
    free(done);
    free(todo);
}

static void find_dominators(struct ir_func *f, const bool *live, u32 *rank)
{
    bool *leaves = xcalloc(f->n_block, sizeof(bool));
    u32 end = f->n_block;

    for (u32 b = 0; b < f->n_block; b++)
        leaves[b] = leaves_function(last_inst(f, b)) || f->block[b].n_succ == 0;
    add_pseudo_exits(f, live, leaves);
    struct flow_graph g = flow_graph(f, leaves), r = transpose(&g);
    u32 *pdom = dominators(&r, &g, end, rank), *dom = dominators(&g, &r, 0, rank);
    for (u32 b = 0; b < f->n_block; b++) {
        f->block[b].idom = b ? dom[b] : IR_NONE;
        f->block[b].ipdom = !live[b] || pdom[b] == end ? IR_NONE : pdom[b];
    }
    free(dom);
    free(pdom);
    free(leaves);
    graph_free(&g);
    graph_free(&r);
}

/* ---- loops ---- */

struct loops {
    u32 *in;   /* header whose loop the block was found in last */
    u32 *todo; /* blocks whose predecessors are to be visited */
};

static bool dominates(const struct ir_func *f, u32 a, u32 b)
{
    while (b != a && b != IR_NONE)
        b = f->block[b].idom;
    return b == a;
}

static void visit_loop(struct ir_func *f, struct loops *l, u32 head, u32 b, u32 *n)
{
    if (l->in[b] == head || (b && f->block[b].idom == IR_NONE))
        return;
    l->in[b] = head;
    f->block[b].loop_depth++;
    l->todo[(*n)++] = b;
}

/*
 * One loop per header: all blocks that reach a back edge to it without passing it.  Only an edge
 * to a block of no lower postorder rank can be a back edge.
 */
static void find_loops(struct ir_func *f, const u32 *rank)
{
    struct loops l = {xmalloc(f->n_block * sizeof(u32)), xmalloc(f->n_block * sizeof(u32))};

    memset(l.in, 0xff, f->n_block * sizeof(u32));
    for (u32 head = 0; head < f->n_block; head++) {
        u32 n = 0;

        for (u32 i = 0; i < f->block[head].n_pred; i++) {
            u32 tail = f->block[head].pred[i];
            if (rank[tail] > rank[head] || !dominates(f, head, tail))
                continue;
            visit_loop(f, &l, head, head, &n);
            visit_loop(f, &l, head, tail, &n);
        }
        while (n) {
            u32 b = l.todo[--n];
            for (u32 i = 0; b != head && i < f->block[b].n_pred; i++)
                visit_loop(f, &l, head, f->block[b].pred[i], &n);
        }
    }
    free(l.in);
    free(l.todo);
}

void cfg_build(struct ir_func *f, bool remove_dead)
{
    cfg_free(f);
    make_blocks(f);
    make_edges(f);
    bool *live = reachable_blocks(f);
    if (remove_dead)
        prune_blocks(f, live);
    u32 *rank = xcalloc(f->n_block + 1, sizeof(u32));
    find_dominators(f, live, rank);
    find_loops(f, rank);
    free(live);
    free(rank);
}

void cfg_free(struct ir_func *f)
{
    if (f->block)
        free(f->block[0].succ);
    free(f->block);
    f->block = NULL;
    f->n_block = 0;
}
