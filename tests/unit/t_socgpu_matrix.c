/* t_socgpu_matrix.c -- the dependence matrix of SOCGPU, driven by hand as the stages of an SM would. */
#include "mech/socgpu.h"
#include "sm/front/sched.h"
#include "tests/unit/issue.h"

#define TEXT                                                                                       \
    ".version 6.0 .target sm_35 .address_size 64\n.visible .entry k() {\n"                         \
    ".reg .b32 %r<16>;\n"                                                                          \
    "min.u32 %r3, %r1, %r2; min.u32 %r4, %r1, %r2;\n" /* 0, 1 */                                   \
    "min.u32 %r5, %r1, %r2; add.u32 %r6, %r3, 1;\n"   /* 2, 3: on 0 */                             \
    "add.u32 %r7, %r6, %r5; mov.u32 %r8, 4;\n"        /* 4: on 3; 5 */                             \
    "bar.sync 0; mov.u32 %r9, 5; ret; }\n"            /* 6, 7, 8 */

struct matrix {
    struct rig r;
    struct sm sm;
    struct front *fe;
    struct socgpu *g;
    struct uop *uop;
};

static void matrix_open(struct matrix *m, u32 entries)
{
    const struct conf *conf;

    memset(m, 0, sizeof *m);
    rig_open(&m->r, TEXT, KIT_OFF, 1);
    rig_launch(&m->r, "k", 32, NULL, 0);
    conf = &m->r.k.d->conf;
    m->fe = xcalloc_lines(1, sizeof *m->fe);
    m->g = xcalloc(1, sizeof *m->g);
    m->uop = uop_decode(m->r.k.p, m->r.l.func, &conf->sm, &conf->op, 1);
    uop_find_waits(m->uop, m->r.k.p->n_inst);
    m->g->conf.entries = entries, m->g->conf.refill = 1, m->g->conf.memory_order = ORDER_EXACT;
    windows_make(m->g);
    m->fe->sm = &m->sm, m->fe->by = m->fe, m->fe->x = &m->r.x;
    m->fe->conf = &conf->sm, m->fe->uop = m->uop, m->fe->prog = m->r.k.p;
    m->fe->depend = &socgpu_depend, m->fe->depend_own = m->g;
    m->fe->sched[0].live = 1;
    m->fe->ctx[0].w = &m->r.c->warp[0];
    socgpu_depend.start(m->fe, 0);
}

static void matrix_close(struct matrix *m)
{
    windows_free(m->g);
    free(m->fe), free(m->g), free(m->uop);
    rig_close(&m->r);
}

/* Issues the candidate, which is the instruction at pc; its entry. */
static u32 issue_at(struct matrix *m, u32 pc)
{
    struct front *fe = m->fe;

    socgpu_depend.look(fe, 0);
    assert_int_equal(fe->ctx[0].ib_pc, pc);
    assert_false(sched_waits(&fe->sched[0]) & 1);
    assert_int_equal(socgpu_depend.execute(fe, 0), STEP_GO);
    return socgpu_depend.issue(fe, 0, &m->uop[pc], 0);
}

static void release(struct matrix *m, u32 e)
{
    socgpu_depend.release(m->fe, 0, &m->uop[pcs_of(window_at(m->g, 0))[e]], e);
}

/*
 * Fig. 4.2 in kind: four entries whose instructions stand in no particular order.  Two that have
 * written back make room, and what comes takes the first free entries.
 */
static void rows_name_what_must_be_waited_for(void **state)
{
    struct matrix m;
    const struct window *w;

    (void)state;
    matrix_open(&m, 4);
    w = window_at(m.g, 0);
    socgpu_depend.decode(m.fe, 0, 0);
    socgpu_depend.decode(m.fe, 0, 2);
    assert_int_equal(w->valid, 0xf);
    assert_int_equal(rows_of(w)[3], 1 << 0);
    u32 e0 = issue_at(&m, 0), e1 = issue_at(&m, 1), e2 = issue_at(&m, 2);

    assert_true(e0 == 0 && e1 == 1 && e2 == 2);
    release(&m, e1), release(&m, e2);
    socgpu_depend.decode(m.fe, 0, 4);
    assert_true(pcs_of(w)[0] == 0 && pcs_of(w)[1] == 4 && pcs_of(w)[2] == 5 && pcs_of(w)[3] == 3);
    assert_int_equal(rows_of(w)[0], 0);
    assert_int_equal(rows_of(w)[1], 1 << 3); /* r5 is there already */
    assert_int_equal(rows_of(w)[2], 0);
    assert_int_equal(rows_of(w)[3], 1 << 0);
    issue_at(&m, 5);
    release(&m, e0);
    assert_int_equal(rows_of(w)[3], 0); /* its column is cleared */
    assert_int_equal(rows_of(w)[1], 1 << 3);
    issue_at(&m, 3);
    assert_int_equal(w->head, 4);
    matrix_close(&m);
}

/* A barrier waits for all that is there, and all that come wait for it. */
static void barriers_wait_for_all_and_all_for_them(void **state)
{
    struct matrix m;
    const struct window *w;

    (void)state;
    matrix_open(&m, 16);
    w = window_at(m.g, 0);
    for (u32 pc = 0; pc < 8; pc += 2)
        socgpu_depend.decode(m.fe, 0, pc);
    assert_int_equal(rows_of(w)[6], 0x3f);
    assert_int_equal(rows_of(w)[7], 1 << 6);
    assert_int_equal(w->wall, 1 << 6);
    matrix_close(&m);
}

/* What is decoded for another place than the warp is at is thrown away, and asked for again. */
static void stale_instructions_are_thrown_away(void **state)
{
    struct matrix m;

    (void)state;
    matrix_open(&m, 8);
    socgpu_depend.decode(m.fe, 0, 6);
    assert_int_equal(window_at(m.g, 0)->valid, 0);
    assert_true(m.fe->want_fetch & 1);
    assert_int_equal(m.fe->ctx[0].fetch_pc, 0);
    matrix_close(&m);
}

/*
 * A flush asks for 0 while the instructions at 4 are on their way: those are thrown away when they come, and
 * then come those at 0.  A miss is lost instead, and no decode is to be thrown away.
 */
static void a_flush_asks_again_whatever_is_under_way(void **state)
{
    (void)state;
    for (u32 miss = 0; miss < 2; miss++) {
        struct matrix m;

        matrix_open(&m, 8);
        m.fe->want_fetch = 0, m.fe->ctx[0].asked_pc = 4;
        m.fe->sched[0].imiss = miss;
        socgpu_depend.flush(m.fe, 0);
        socgpu_depend.next(m.fe, 0);
        assert_true(m.fe->want_fetch & 1 && m.fe->ctx[0].fetch_pc == 0);
        assert_int_equal(m.fe->ctx[0].lost, miss);
        assert_int_equal(m.fe->sched[0].imiss, 0);
        if (!miss)
            socgpu_depend.decode(m.fe, 0, 4);
        assert_int_equal(window_at(m.g, 0)->valid, 0);
        socgpu_depend.decode(m.fe, 0, 0);
        assert_int_equal(window_at(m.g, 0)->valid, 3);
        matrix_close(&m);
    }
}

/* Entry 0 is a store to one space, and then, used again, one to another: a load of the first waits for nobody. */
static void an_entry_that_is_used_again_forgets_its_space(void **state)
{
    static const u8 space[] = {SP_GLOBAL, SP_SHARED, SP_LOCAL};

    (void)state;
    for (u32 i = 0; i < LEN(space); i++) {
        const struct uop first = {.flags = UOP_STORE, .space = space[i]},
                         other = {.flags = UOP_STORE, .space = space[(i + 1) % LEN(space)]},
                         load = {.flags = UOP_LOAD, .space = space[i]};
        struct socgpu g = {.conf = {.entries = 4, .memory_order = ORDER_STORE}};

        windows_make(&g);
        struct window *w = window_at(&g, 0);

        w->valid = 3;
        order_insert(&g, w, 0, &first);
        order_insert(&g, w, 1, &load);
        assert_int_equal(befores_of(w)[1], 1);
        befores_of(w)[1] = 0;
        order_insert(&g, w, 0, &other);
        order_insert(&g, w, 1, &load);
        assert_int_equal(befores_of(w)[1], 0);
        windows_free(&g);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_name_what_must_be_waited_for),
    cmocka_unit_test(barriers_wait_for_all_and_all_for_them),
    cmocka_unit_test(stale_instructions_are_thrown_away),
    cmocka_unit_test(a_flush_asks_again_whatever_is_under_way),
    cmocka_unit_test(an_entry_that_is_used_again_forgets_its_space),
};

TEST_MAIN(tests)
