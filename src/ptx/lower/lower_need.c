/*
 * lower_need.c -- how many rows registers need at least, whatever the order they get them in.
 *
 * Those that are live at one time need rows of their own.  But pairs that are live at time t may
 * not share a row with any single that is held then (see lower_alloc.h), and of those singles the
 * ones that are live at some other time t' need rows of their own, too: together a clique.  The
 * largest over all t and t' is found by walking t.  A tree has for each t' how many of the
 * singles that are live or held at t are live at t', and at its root the most.  The same goes for
 * singles that are live and pairs that are held.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_alloc.h"

/* Updates of the trees per time; beyond, what was found so far has to do. */
enum { MAX_WORK = 64 };

/* Numbers at 0 .. n-1, for adding to ranges and asking for the greatest. */
struct peaks {
    u32 n;     /* a power of two */
    s32 *most; /* of node i, whose halves are 2i and 2i+1 */
    s32 *all;  /* added to everything below node i */
};

/* A register comes or goes. */
struct event {
    u32 reg, next;
    s32 step;
};

struct row_need {
    const struct ir_func *f;
    const struct ranges *r;
    u32 n_time, *first; /* event of each time */
    VEC(struct event) event;
    struct peaks peaks[2]; /* of singles, of pairs */
    u32 *change[2];        /* of the number that are live, per time */
    u64 work;
};

/* ---- peaks ---- */

static struct peaks peaks_new(u32 n)
{
    struct peaks p = {.n = 1};

    while (p.n < n)
        p.n *= 2;
    p.most = xcalloc(2 * (size_t)p.n, sizeof(s32));
    p.all = xcalloc(2 * (size_t)p.n, sizeof(s32));
    return p;
}

static void peaks_free(struct peaks *p)
{
    free(p->most);
    free(p->all);
}

static void add_node(struct peaks *p, u32 i, s32 step)
{
    p->most[i] += step;
    p->all[i] += step;
}

static void sum_up(struct peaks *p, u32 i)
{
    for (i /= 2; i; i /= 2) {
        s32 left = p->most[2 * i], right = p->most[2 * i + 1];

        p->most[i] = (left > right ? left : right) + p->all[i];
    }
}

static void peaks_add(struct peaks *p, struct range r, s32 step)
{
    u32 from = r.from + p->n, to = r.to + p->n;

    for (; from < to; from /= 2, to /= 2) {
        if (from % 2)
            add_node(p, from++, step);
        if (to % 2)
            add_node(p, --to, step);
    }
    sum_up(p, r.from + p->n);
    sum_up(p, r.to - 1 + p->n);
}

/* ---- events ---- */

static void add_event(struct row_need *x, u32 time, u32 reg, s32 step)
{
    *VEC_ADD(&x->event) = (struct event){reg, x->first[time], step};
    x->first[time] = x->event.n - 1;
}

/* Comes and goes with each stretch in which it is live or held. */
static void add_events(struct row_need *x, u32 reg)
{
    const struct interval *v = &x->r->of[reg], *held = &x->r->held[reg];
    struct range at = {0};

    for (u32 i = 0, k = 0; i < v->n || k < held->n;) {
        bool own = k == held->n || (i < v->n && v->at[i].from < held->at[k].from);
        struct range next = own ? v->at[i++] : held->at[k++];

        if (at.to && next.from <= at.to) {
            at.to = max_u32(at.to, next.to);
            continue;
        }
        if (at.to) {
            add_event(x, at.from, reg, 1);
            add_event(x, at.to, reg, -1);
        }
        at = next;
    }
    add_event(x, at.from, reg, 1);
    add_event(x, at.to, reg, -1);
}

static void find_events(struct row_need *x)
{
    for (u32 reg = 0; reg < x->r->n_reg; reg++) {
        const struct interval *v = &x->r->of[reg];
        u32 *change = x->change[x->f->cls[reg] == IRC_64];

        if (!lower_rows(x->f, reg) || !v->n)
            continue;
        add_events(x, reg);
        for (u32 i = 0; i < v->n; i++) {
            change[v->at[i].from]++;
            change[v->at[i].to]--;
        }
    }
}

static void happen(struct row_need *x, const struct event *e)
{
    const struct interval *v = &x->r->of[e->reg];

    for (u32 i = 0; i < v->n; i++)
        peaks_add(&x->peaks[x->f->cls[e->reg] == IRC_64], v->at[i], e->step);
    x->work += v->n;
}

/* ---- all of it ---- */

static u32 walk_events(struct row_need *x, u32 enough)
{
    u32 need = 0, live[2] = {0}, most[2];

    for (u32 t = 0; t <= x->n_time && need < enough && x->work <= MAX_WORK * (u64)x->n_time; t++) {
        for (u32 e = x->first[t]; e != IR_NONE; e = x->event.at[e].next)
            happen(x, &x->event.at[e]);
        for (u32 i = 0; i < 2; i++) {
            live[i] += x->change[i][t];
            most[i] = (u32)x->peaks[i].most[1];
        }
        need = max_u32(need, max_u32(most[0] + 2 * live[1], live[0] + 2 * most[1]));
    }
    return need;
}

u32 ranges_need(const struct ir_func *f, const struct ranges *r, u32 enough)
{
    struct row_need x = {.f = f, .r = r, .n_time = 2 * f->n_inst};

    x.first = xmalloc((x.n_time + 1) * sizeof(u32));
    memset(x.first, 0xff, (x.n_time + 1) * sizeof(u32));
    for (u32 i = 0; i < 2; i++) {
        x.peaks[i] = peaks_new(x.n_time);
        x.change[i] = xcalloc(x.n_time + 1, sizeof(u32));
    }
    find_events(&x);
    u32 need = walk_events(&x, enough);
    for (u32 i = 0; i < 2; i++) {
        peaks_free(&x.peaks[i]);
        free(x.change[i]);
    }
    VEC_FREE(&x.event);
    free(x.first);
    return need;
}
