/* t_lower_rows.c -- rows and how many of them it takes, against a model that looks at every time */
#include "tests/test_main.h"

#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"
#include "ptx/lower/lower_alloc.h"

enum { MAX_REG = 80, N_RANGE = 4, N_ROW = 150, N_INST = 150, N_TIME = 2 * N_INST };

/* Registers with made-up lives. */
struct lives {
    struct ir_func f;
    struct ranges r;
    u8 cls[MAX_REG];
    struct interval of[MAX_REG], held[MAX_REG];
    struct range store[2][MAX_REG][N_RANGE];
};

static void begin(struct lives *x)
{
    memset(x, 0, sizeof(*x));
    x->f.n_inst = N_INST;
    x->f.cls = x->cls;
    x->r = (struct ranges){.of = x->of, .held = x->held};
    for (u32 i = 0; i < MAX_REG; i++) {
        x->of[i].at = x->store[0][i];
        x->held[i].at = x->store[1][i];
    }
}

static u32 add(struct lives *x, enum ir_class cls, u32 from, u32 to)
{
    u32 reg = x->f.n_reg++;

    x->r.n_reg = x->f.n_reg;
    x->cls[reg] = (u8)cls;
    ranges_append(&x->of[reg], (struct range){from, to});
    return reg;
}

static void hold(struct lives *x, u32 reg, u32 from, u32 to)
{
    ranges_append(&x->held[reg], (struct range){from, to});
}

static void random_interval(struct rng *g, struct interval *v, u32 n)
{
    for (u32 i = 0, from = rng_below(g, 200); i < n && from < N_TIME - 1; i++) {
        u32 longest = rng_below(g, 4) ? 20 : 300, to = from + 1 + rng_below(g, longest);

        ranges_append(v, (struct range){from, min_u32(to, N_TIME)});
        from = to + 1 + rng_below(g, 60);
    }
}

static void random_lives(struct lives *x, struct rng *g, u32 n)
{
    begin(x);
    while (x->f.n_reg < n) {
        u32 reg = x->f.n_reg++;

        x->cls[reg] = rng_below(g, 3) ? IRC_32 : IRC_64;
        random_interval(g, &x->of[reg], 1 + rng_below(g, N_RANGE));
        random_interval(g, &x->held[reg], rng_below(g, N_RANGE));
    }
    x->r.n_reg = x->f.n_reg;
}

static bool is_in(const struct interval *v, u32 t)
{
    for (u32 i = 0; i < v->n; i++)
        if (v->at[i].from <= t && t < v->at[i].to)
            return true;
    return false;
}

static bool is_wide(const struct lives *x, u32 reg)
{
    return x->cls[reg] == IRC_64;
}

/* ---- a plain allocator ---- */

static bool conflict(const struct lives *x, u32 a, u32 b)
{
    for (u32 t = 0; t < N_TIME; t++) {
        bool live_a = is_in(&x->of[a], t), live_b = is_in(&x->of[b], t);

        if (live_a && live_b)
            return true;
        if (is_wide(x, a) != is_wide(x, b) &&
            ((live_a && is_in(&x->held[b], t)) || (live_b && is_in(&x->held[a], t))))
            return true;
    }
    return false;
}

/* row[k] is where register k < n was put. */
static bool is_free(const struct lives *x, const u32 *row, u32 n, u32 r)
{
    for (u32 k = 0; k < n; k++)
        if (r >= row[k] && r <= row[k] + is_wide(x, k) && conflict(x, k, n))
            return false;
    return true;
}

static u32 idle_before(const struct lives *x, const u32 *row, u32 n, u32 r)
{
    u32 from = x->of[n].at[0].from;

    for (u32 t = from; t-- > 0;)
        for (u32 k = 0; k < n; k++)
            if (r >= row[k] && r <= row[k] + is_wide(x, k) && is_in(&x->of[k], t))
                return from - t;
    return from + 1;
}

static u32 plain_choice(const struct lives *x, const u32 *row, u32 n, u32 n_row, u32 hint)
{
    bool wide = is_wide(x, n), free_row[N_ROW + 1] = {0};
    u32 best = IR_NONE, least = IR_NONE;

    for (u32 r = 0; r < n_row; r++)
        free_row[r] = is_free(x, row, n, r);
    for (u32 r = 0; r < n_row; r += 1 + wide) {
        if (!free_row[r] || (wide && !free_row[r + 1]))
            continue;
        u32 bad = idle_before(x, row, n, r) + (!wide && free_row[r ^ 1] ? 10 * N_TIME : 0);
        if (r == hint)
            return r;
        if (bad < least) {
            least = bad;
            best = r;
        }
    }
    return best;
}

/* ---- rows ---- */

static void rows_are_those_that_a_plain_search_finds(void **state)
{
    struct rng g = rng_make(4);
    struct lives x;

    (void)state;
    for (u32 i = 0; i < 15; i++) {
        static const u32 few[] = {5, 24, 64, 127, N_ROW};
        u32 n_row = few[i % LEN(few)], row[MAX_REG], got = 0;

        random_lives(&x, &g, MAX_REG);
        struct rows *rows = rows_new(&x.f, &x.r);
        rows_clear(rows, i % 2 ? N_ROW : 1); /* whatever was before is gone */
        rows_take(rows, 0, 0);
        rows_clear(rows, n_row);
        for (u32 reg = 0; reg < MAX_REG && got != IR_NONE; reg++) {
            u32 hint = reg % 3 ? IR_NONE : rng_below(&g, n_row);

            got = rows_choose(rows, reg, hint);
            assert_int_equal(got, plain_choice(&x, row, reg, n_row, hint));
            if (got != IR_NONE)
                rows_take(rows, reg, row[reg] = got);
        }
        rows_free(rows);
    }
}

static void a_single_leaves_free_pairs_whole(void **state)
{
    struct lives x;

    (void)state;
    begin(&x);
    u32 a = add(&x, IRC_32, 4, 200), b = add(&x, IRC_32, 20, 30);
    struct rows *rows = rows_new(&x.f, &x.r);
    rows_clear(rows, 4);
    rows_take(rows, a, 2);
    assert_int_equal(rows_choose(rows, b, IR_NONE), 3);
    assert_int_equal(rows_choose(rows, b, 0), 0); /* unless it wishes otherwise */
    rows_free(rows);
}

static void a_pair_does_not_take_a_row_that_a_waiting_lane_holds(void **state)
{
    struct lives x;

    (void)state;
    begin(&x);
    u32 a = add(&x, IRC_32, 4, 10), pair = add(&x, IRC_64, 20, 30), b = add(&x, IRC_32, 20, 30);
    hold(&x, a, 12, 40);
    struct rows *rows = rows_new(&x.f, &x.r);
    rows_clear(rows, 4);
    rows_take(rows, a, 0);
    assert_int_equal(rows_choose(rows, pair, IR_NONE), 2);
    assert_int_equal(rows_choose(rows, b, 0), 0); /* another single may */
    rows_free(rows);
}

/* ---- how many it takes ---- */

/* Two singles are live at 5, where a pair is live at 25 they are only held: four rows, not two. */
static void what_is_held_counts_beside_pairs(void **state)
{
    struct lives x;

    (void)state;
    begin(&x);
    u32 a = add(&x, IRC_32, 4, 10), b = add(&x, IRC_32, 5, 10);
    add(&x, IRC_64, 20, 30);
    assert_int_equal(ranges_need(&x.f, &x.r, 100), 2);
    hold(&x, a, 24, 26);
    assert_int_equal(ranges_need(&x.f, &x.r, 100), 3);
    hold(&x, b, 10, 26);
    assert_int_equal(ranges_need(&x.f, &x.r, 100), 4);
    assert_int_equal(ranges_need(&x.f, &x.r, 1), 1);
}

/* Those of width `wide` that are live at t, and the others that are live or held then and live at u. */
static u32 clique(const struct lives *x, u32 t, u32 u, bool wide)
{
    u32 rows = 0;

    for (u32 reg = 0; reg < x->f.n_reg; reg++) {
        bool live = is_in(&x->of[reg], t), there = live || is_in(&x->held[reg], t);

        if (is_wide(x, reg) == wide ? live : there && is_in(&x->of[reg], u))
            rows += 1 + is_wide(x, reg);
    }
    return rows;
}

static void need_is_the_largest_clique_of_its_kind(void **state)
{
    struct rng g = rng_make(7);
    struct lives x;

    (void)state;
    for (u32 i = 0; i < 2; i++) {
        u32 most = 0;

        random_lives(&x, &g, 12 + 8 * i);
        for (u32 t = 0; t < N_TIME; t++)
            for (u32 u = 0; u < N_TIME; u++)
                most = max_u32(most, max_u32(clique(&x, t, u, false), clique(&x, t, u, true)));
        assert_int_equal(ranges_need(&x.f, &x.r, 1000), most);
    }
}

static void no_allocation_does_with_less_than_the_need(void **state)
{
    struct rng g = rng_make(9);
    struct lives x;

    (void)state;
    for (u32 i = 0; i < 70; i++) {
        random_lives(&x, &g, 10 + i % 70);
        struct rows *rows = rows_new(&x.f, &x.r);
        u32 used = 0;

        rows_clear(rows, 2 * MAX_REG);
        for (u32 reg = 0; reg < x.f.n_reg; reg++) {
            u32 row = rows_choose(rows, reg, IR_NONE);

            rows_take(rows, reg, row);
            used = max_u32(used, row + 1 + is_wide(&x, reg));
        }
        assert_true(ranges_need(&x.f, &x.r, 1000) <= used);
        rows_free(rows);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_are_those_that_a_plain_search_finds),
    cmocka_unit_test(a_single_leaves_free_pairs_whole),
    cmocka_unit_test(a_pair_does_not_take_a_row_that_a_waiting_lane_holds),
    cmocka_unit_test(what_is_held_counts_beside_pairs),
    cmocka_unit_test(need_is_the_largest_clique_of_its_kind),
    cmocka_unit_test(no_allocation_does_with_less_than_the_need),
};

TEST_MAIN(tests)
