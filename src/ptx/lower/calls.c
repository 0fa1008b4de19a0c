/* calls.c -- see calls.h */
#include "ptx/lower/calls.h"

#include <string.h>

#include "base/text.h"
#include "ptx/select/select.h"

static u32 callee_of(const struct calls *c, const struct ir_site *s)
{
    return s->func == IR_NONE ? c->n - 1 : s->func;
}

static void take_relocs(const struct ptx_var *v, bool *taken)
{
    for (const struct ptx_reloc *r = v->reloc; r; r = r->next)
        if (r->func)
            taken[r->func->id] = true;
}

/* Whose address does the module use?  A constant that looks like one counts. */
static bool *find_taken(const struct ptx_module *m, struct ir_func *const *ir)
{
    bool *taken = xcalloc(m->n_func + 1, sizeof(bool));

    for (u32 i = 0; i < m->n_var; i++)
        take_relocs(m->var[i], taken);
    for (u32 i = 0; i < m->n_func; i++) {
        for (u32 k = 0; k < m->func[i]->n_var; k++)
            take_relocs(m->func[i]->var[k], taken);
        for (u32 k = 0; ir[i] && k < ir[i]->n_imm; k++) {
            u32 id = func_by_address(ir[i]->imm[k]);

            if (id < m->n_func)
                taken[id] = true;
        }
    }
    return taken;
}

static void add_edges(struct calls *c, const struct ptx_module *m, struct ir_func *const *ir)
{
    bool *taken = find_taken(m, ir);
    u32 n = c->n - 1, n_edge = n;

    for (u32 v = 0; v < n; v++)
        n_edge += ir[v] ? ir[v]->n_site : 0;
    c->to = xmalloc((n_edge + 1) * sizeof(u32));
    n_edge = 0;
    for (u32 v = 0; v < n; v++) {
        c->at[v] = n_edge;
        for (u32 s = 0; ir[v] && s < ir[v]->n_site; s++)
            c->to[n_edge++] = callee_of(c, &ir[v]->site[s]);
    }
    c->at[n] = n_edge;
    for (u32 v = 0; v < n; v++)
        if (ir[v] && !ir[v]->is_entry && taken[v])
            c->to[n_edge++] = v;
    c->at[n + 1] = n_edge;
    free(taken);
}

/* ---- groups: Tarjan, "Depth-first search and linear graph algorithms" (1972) */

struct tarjan {
    u32 n_seen, n_order, depth, n_open;
    u32 *number; /* of each node, in the order they are reached; IR_NONE: not yet */
    u32 *low;    /* the least number that the node's part of the tree leads back to */
    u32 *next;   /* the edge to follow next */
    u32 *stack;  /* the way to the node at hand */
    u32 *open;   /* nodes whose group is not complete */
};

static void reach_function(struct calls *c, struct tarjan *s, u32 v)
{
    s->number[v] = s->low[v] = s->n_seen++;
    s->next[v] = c->at[v];
    s->stack[s->depth++] = s->open[s->n_open++] = v;
    c->group[v] = IR_NONE;
}

static void close_group(struct calls *c, struct tarjan *s, u32 first)
{
    u32 v, from = s->n_order;

    do {
        v = s->open[--s->n_open];
        c->group[v] = first;
        c->order[s->n_order++] = v;
    } while (v != first);
    for (u32 i = from; s->n_order - from > 1 && i < s->n_order; i++)
        c->cyclic[c->order[i]] = true;
}

static void leave_function(struct calls *c, struct tarjan *s, u32 v)
{
    if (s->low[v] == s->number[v])
        close_group(c, s, v);
    if (--s->depth) {
        u32 up = s->stack[s->depth - 1];

        s->low[up] = min_u32(s->low[up], s->low[v]);
    }
}

static void search_from(struct calls *c, struct tarjan *s, u32 root)
{
    reach_function(c, s, root);
    while (s->depth) {
        u32 v = s->stack[s->depth - 1];

        if (s->next[v] == c->at[v + 1]) {
            leave_function(c, s, v);
            continue;
        }
        u32 w = c->to[s->next[v]++];
        c->cyclic[v] |= w == v;
        if (s->number[w] == IR_NONE)
            reach_function(c, s, w);
        else if (c->group[w] == IR_NONE)
            s->low[v] = min_u32(s->low[v], s->number[w]);
    }
}

static void find_groups(struct calls *c)
{
    u32 *all = xmalloc((size_t)5 * c->n * sizeof(u32));
    struct tarjan s = {.number = all,
                       .low = all + c->n,
                       .next = all + 2 * c->n,
                       .stack = all + 3 * c->n,
                       .open = all + 4 * c->n};

    memset(s.number, 0xff, c->n * sizeof(u32));
    for (u32 v = 0; v < c->n; v++)
        if (s.number[v] == IR_NONE)
            search_from(c, &s, v);
    free(all);
}

struct calls *calls_new(const struct ptx_module *m, struct ir_func *const *ir)
{
    struct calls *c = xcalloc(1, sizeof *c);

    c->n = m->n_func + 1;
    c->at = xcalloc(c->n + 1, sizeof(u32));
    c->order = xcalloc(c->n, sizeof(u32));
    c->group = xcalloc(c->n, sizeof(u32));
    c->cyclic = xcalloc(c->n, sizeof(bool));
    c->cap = xcalloc(c->n, sizeof(u32));
    c->need = xcalloc(c->n, sizeof(u32));
    add_edges(c, m, ir);
    find_groups(c);
    return c;
}

void calls_free(struct calls *c)
{
    if (!c)
        return;
    free(c->at), free(c->to), free(c->order), free(c->group), free(c->cyclic);
    free(c->cap), free(c->need);
    free(c);
}

/* ---- registers */

static void lower_cap(u32 *cap, u32 to)
{
    if (to && (!*cap || to < *cap))
        *cap = to;
}

/* Where the group that ends before place `end` of the order begins. */
static u32 group_start(const struct calls *c, u32 end)
{
    u32 first = end - 1;

    while (first && c->group[c->order[first - 1]] == c->group[c->order[end - 1]])
        first--;
    return first;
}

/* Callers first.  Within a group a cap goes round to all. */
void calls_spread_caps(struct calls *c)
{
    for (u32 end = c->n, first; end > 0; end = first) {
        u32 cap = 0;

        first = group_start(c, end);
        for (u32 i = first; i < end; i++)
            lower_cap(&cap, c->cap[c->order[i]]);
        for (u32 i = first; i < end; i++) {
            u32 v = c->order[i];

            c->cap[v] = cap;
            for (u32 k = c->at[v]; k < c->at[v + 1]; k++)
                lower_cap(&c->cap[c->to[k]], cap);
        }
    }
}

void calls_tell_sites(const struct calls *c, struct ir_func *f)
{
    for (u32 s = 0; s < f->n_site; s++) {
        u32 v = callee_of(c, &f->site[s]);

        f->site[s].cycles = c->group[v] == c->group[f->id];
        f->site[s].need = f->site[s].cycles ? 0 : c->need[v];
    }
}

/* Side by side with the greediest callee if that fits; who was made to spill has its cap. */
static u32 own_need(const struct calls *c, u32 v, const struct ir_func *f)
{
    u32 n_row = f ? f->n_row : 0, rows = n_row;

    for (u32 k = c->at[v]; k < c->at[v + 1]; k++) {
        u32 w = c->to[k];

        if (c->group[w] != c->group[v] && c->need[w])
            rows = max_u32(rows, (u32)align_up(n_row, 2) + c->need[w]);
    }
    return c->cap[v] ? min_u32(rows, c->cap[v]) : rows;
}

void calls_note_rows(struct calls *c, u32 i, const struct ir_func *f)
{
    u32 v = c->order[i], most = 0;

    c->need[v] = own_need(c, v, f);
    if (i + 1 < c->n && c->group[c->order[i + 1]] == c->group[v])
        return;
    u32 first = group_start(c, i + 1);
    for (u32 k = first; k <= i; k++)
        most = max_u32(most, c->need[c->order[k]]);
    for (u32 k = first; k <= i; k++)
        c->need[c->order[k]] = most;
}

/* ---- sums */

struct call_sums { /* of a function with all that it calls */
    u64 local, rows, preds;
    bool recursive;
};

static void add_func(struct call_sums *s, const struct func *f)
{
    s->local += f->frame;
    s->rows += align_up(f->n_row, 2); /* a callee's registers start at an even row */
    s->preds += f->n_pred;
}

static void widen_sums(struct call_sums *s, const struct call_sums *by)
{
    s->local = by->local > s->local ? by->local : s->local;
    s->rows = by->rows > s->rows ? by->rows : s->rows;
    s->preds = by->preds > s->preds ? by->preds : s->preds;
    s->recursive |= by->recursive;
}

/* What the nodes order[first .. end) of a group call outside of it, the most of each. */
static struct call_sums sum_callees(const struct calls *c, const struct call_sums *of, u32 first,
                                    u32 end)
{
    struct call_sums most = {0};

    for (u32 i = first; i < end; i++)
        for (u32 v = c->order[i], k = c->at[v]; k < c->at[v + 1]; k++)
            if (c->group[c->to[k]] != c->group[v])
                widen_sums(&most, &of[c->to[k]]);
    return most;
}

/* Of a cycle, once around and the function itself once more: the rest is reserve_recursion's. */
static void sum_group(const struct calls *c, const struct program *p, struct call_sums *of,
                      u32 first, u32 end)
{
    struct call_sums below = sum_callees(c, of, first, end);
    bool cyclic = c->cyclic[c->order[first]];

    below.recursive |= cyclic;
    for (u32 i = first; cyclic && i < end; i++)
        if (c->order[i] < p->n_func)
            add_func(&below, &p->func[c->order[i]]);
    for (u32 i = first; i < end; i++) {
        struct call_sums *s = &of[c->order[i]];

        *s = below;
        if (c->order[i] < p->n_func)
            add_func(s, &p->func[c->order[i]]);
        s->local = s->local < 2 * MAX_LOCAL_BYTES ? s->local : 2 * MAX_LOCAL_BYTES;
    }
}

/* A frame of the largest function for every level that a recursion may reach. */
static void reserve_recursion(const struct program *p, struct func *f, u32 depth)
{
    u32 frame = 0, rows = 0, preds = 0;

    for (u32 i = 0; i < p->n_func; i++) {
        frame = max_u32(frame, p->func[i].frame);
        rows = max_u32(rows, (u32)align_up(p->func[i].n_row, 2));
        preds = max_u32(preds, p->func[i].n_pred);
    }
    if (frame && (u64)depth * frame > MAX_LOCAL_BYTES)
        depth = MAX_LOCAL_BYTES / frame;
    f->local += depth * frame;
    f->rows += depth * rows;
    f->preds += depth * preds;
}

void calls_sum(const struct calls *c, struct program *p, u32 depth)
{
    struct call_sums *of = xcalloc(c->n, sizeof *of);

    for (u32 i = 0, end; i < c->n; i = end) {
        for (end = i + 1; end < c->n && c->group[c->order[end]] == c->group[c->order[i]];)
            end++;
        sum_group(c, p, of, i, end);
    }
    for (u32 v = 0; v < p->n_func; v++) {
        struct func *f = &p->func[v];

        f->local = (u32)of[v].local, f->rows = (u32)of[v].rows, f->preds = (u32)of[v].preds;
        f->regs = p->lowered ? c->need[v] : f->max_live;
        if (f->is_entry && of[v].recursive)
            reserve_recursion(p, f, depth);
    }
    free(of);
}
