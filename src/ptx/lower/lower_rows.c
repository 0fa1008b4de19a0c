/*
 * lower_rows.c -- which rows are taken when, and which of the free ones suits a register.
 *
 * For every time there is a mask of rows, so that an interval is held against 64 rows at once.
 * Times come in chunks: a range that takes a whole chunk is noted there and not at its times, so
 * what a range costs hardly depends on its length.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_alloc.h"

enum { GROUP = 64, CHUNK = 64 };

#define EVEN_ROWS 0x5555555555555555ull

/* When each row of a group is taken. */
struct plane {
    u64 *at;  /* per time: by ranges that begin or end in its chunk */
    u64 *all; /* per chunk: by ranges that go through all of it */
    u64 *any; /* per chunk: at some time of it, by whichever */
};

/* Singles and pairs apart, [0] and [1]: see lower_alloc.h. */
struct row_group {
    struct plane live[2]; /* one is live in the row */
    struct plane shut[2]; /* one may not be: something is live, or one of the other width held */
    u64 rows;             /* that there are */
    u64 fits;             /* rows for the register at hand; of pairs the first */
    u64 *store;
};

struct rows {
    const u8 *cls;
    const struct interval *of, *held;
    size_t n_time, n_chunk, n_word; /* n_word: of a group's planes together */
    u32 n_group, cap;
    struct row_group *group;
};

struct rows *rows_new(const struct ir_func *f, const struct ranges *r)
{
    struct rows *x = xcalloc(1, sizeof(*x));

    x->cls = f->cls;
    x->of = r->of;
    x->held = r->held;
    x->n_time = 2 * (size_t)f->n_inst;
    x->n_chunk = x->n_time / CHUNK + 1;
    x->n_word = 4 * (x->n_time + 2 * x->n_chunk);
    return x;
}

void rows_free(struct rows *x)
{
    for (u32 g = 0; g < x->cap; g++)
        free(x->group[g].store);
    free(x->group);
    free(x);
}

static struct plane cut_plane(const struct rows *x, u64 *store)
{
    return (struct plane){store, store + x->n_time, store + x->n_time + x->n_chunk};
}

static void make_groups(struct rows *x, u32 n)
{
    x->group = xrealloc(x->group, n * sizeof(x->group[0]));
    for (; x->cap < n; x->cap++) {
        struct row_group *g = &x->group[x->cap];

        g->store = xmalloc(x->n_word * sizeof(u64));
        for (u32 i = 0; i < 2; i++) {
            g->live[i] = cut_plane(x, g->store + i * x->n_word / 4);
            g->shut[i] = cut_plane(x, g->store + (2 + i) * x->n_word / 4);
        }
    }
}

void rows_clear(struct rows *x, u32 n_row)
{
    x->n_group = (n_row + GROUP - 1) / GROUP;
    if (x->n_group > x->cap)
        make_groups(x, x->n_group);
    for (u32 g = 0; g < x->n_group; g++) {
        u32 n = min_u32(n_row - g * GROUP, GROUP);

        x->group[g].rows = ~0ull >> (GROUP - n);
        memset(x->group[g].store, 0, x->n_word * sizeof(u64));
    }
}

/* ---- taking ---- */

static void occupy_rows(u64 *set, u32 from, u32 to, u64 rows)
{
    for (u32 i = from; i < to; i++)
        set[i] |= rows;
}

/* A range that begins or ends in chunk c, or both. */
static void take_part(const struct plane *p, u32 c, struct range r, u64 rows)
{
    occupy_rows(p->at, max_u32(r.from, c * CHUNK), min_u32(r.to, (c + 1) * CHUNK), rows);
    p->any[c] |= rows;
}

static void take_rows(const struct plane *p, const struct interval *v, u64 rows)
{
    for (u32 i = 0; i < v->n; i++) {
        u32 first = v->at[i].from / CHUNK, last = (v->at[i].to - 1) / CHUNK;

        take_part(p, first, v->at[i], rows);
        if (first == last)
            continue;
        take_part(p, last, v->at[i], rows);
        occupy_rows(p->all, first + 1, last, rows);
        occupy_rows(p->any, first + 1, last, rows);
    }
}

void rows_take(struct rows *x, u32 reg, u32 row)
{
    bool wide = x->cls[reg] == IRC_64;
    const struct row_group *g = &x->group[row / GROUP];
    u64 rows = (wide ? 3ull : 1ull) << row % GROUP;

    take_rows(&g->live[wide], &x->of[reg], rows);
    take_rows(&g->shut[0], &x->of[reg], rows);
    take_rows(&g->shut[1], &x->of[reg], rows);
    take_rows(&g->shut[!wide], &x->held[reg], rows);
}

/* ---- choosing ---- */

static u64 sum(const u64 *set, u32 from, u32 to)
{
    u64 rows = 0;

    for (u32 i = from; i < to; i++)
        rows |= set[i];
    return rows;
}

/* Rows that are taken at some time of the interval. */
static u64 taken(const struct plane *p, const struct interval *v)
{
    u64 rows = 0;

    for (u32 i = 0; i < v->n; i++) {
        u32 from = v->at[i].from, to = v->at[i].to;
        u32 first = from / CHUNK, last = (to - 1) / CHUNK;

        rows |= p->all[first] | p->all[last];
        if (first == last) {
            rows |= sum(p->at, from, to);
            continue;
        }
        rows |= sum(p->at, from, (first + 1) * CHUNK) | sum(p->at, last * CHUNK, to);
        rows |= sum(p->any, first + 1, last);
    }
    return rows;
}

/* Fills in what fits reg; false: nothing does. */
static bool find_fits(struct rows *x, u32 reg)
{
    bool wide = x->cls[reg] == IRC_64;
    u64 some = 0;

    for (u32 i = 0; i < x->n_group; i++) {
        struct row_group *g = &x->group[i];

        g->fits = g->rows & ~taken(&g->shut[wide], &x->of[reg]);
        if (g->fits)
            g->fits &= ~taken(&g->live[!wide], &x->held[reg]);
        if (wide)
            g->fits &= g->fits >> 1 & EVEN_ROWS;
        some |= g->fits;
    }
    return some;
}

/* Rows whose neighbour, the other half of a pair, is not free. */
static u64 without_neighbour(u64 fits)
{
    return fits & ~((fits & EVEN_ROWS) << 1 | (fits >> 1 & EVEN_ROWS));
}

/* A single register should not break up a free pair. */
static void spare_pairs(struct rows *x)
{
    u64 some = 0;

    for (u32 i = 0; i < x->n_group; i++)
        some |= without_neighbour(x->group[i].fits);
    for (u32 i = 0; some && i < x->n_group; i++)
        x->group[i].fits = without_neighbour(x->group[i].fits);
}

static u32 lowest_fit(const struct rows *x)
{
    for (u32 i = 0; i < x->n_group; i++)
        if (x->group[i].fits)
            return i * GROUP + (u32)__builtin_ctzll(x->group[i].fits);
    return IR_NONE;
}

/* The lowest fitting row that is taken at time t, or IR_NONE. */
static u32 fit_taken_at(const struct rows *x, u32 t)
{
    for (u32 i = 0; i < x->n_group; i++) {
        const struct plane *p = x->group[i].live;
        u64 hit = p[0].at[t] | p[1].at[t] | p[0].all[t / CHUNK] | p[1].all[t / CHUNK];

        if (hit & x->group[i].fits)
            return i * GROUP + (u32)__builtin_ctzll(hit & x->group[i].fits);
    }
    return IR_NONE;
}

static bool chunk_has_fit(const struct rows *x, u32 c)
{
    u64 some = 0;

    for (u32 i = 0; i < x->n_group; i++)
        some |= (x->group[i].live[0].any[c] | x->group[i].live[1].any[c]) & x->group[i].fits;
    return some;
}

/* The one that was idle for the shortest time before `from`: little is lost with it. */
static u32 tightest_fit(const struct rows *x, u32 from)
{
    for (u32 t = from; t;) {
        if (!chunk_has_fit(x, (t - 1) / CHUNK)) {
            t = (t - 1) / CHUNK * CHUNK;
            continue;
        }
        u32 row = fit_taken_at(x, --t);
        if (row != IR_NONE)
            return row;
    }
    return lowest_fit(x);
}

u32 rows_choose(struct rows *x, u32 reg, u32 hint)
{
    if (!find_fits(x, reg))
        return IR_NONE;
    if (hint != IR_NONE && x->group[hint / GROUP].fits >> hint % GROUP & 1)
        return hint;
    if (x->cls[reg] != IRC_64)
        spare_pairs(x);
    return tightest_fit(x, x->of[reg].at[0].from);
}
