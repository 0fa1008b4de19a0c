/*
 * t_close.c -- SMs that get no CTAs for a while, counted by hand; see t_cta.c: a CTA of an empty
 * kernel that starts in c ends in c + 8, the first start in 1, and one that takes the place of
 * another starts at the next of the edges, every 6 cycles.  The mechanism `porter` stands in this
 * file, and takes the place of all others.
 */
#include "mech/mech.h"
#include "tests/micro/timed.h"

#undef STAT /* of timed.h: the sheet needs the word */
#define SHEET_DEF "tests/micro/t_close.def"
struct porter_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "tests/micro/t_close.def"
struct porter_stat {
#include "base/sheet_stats.inc"
};
#define SHEET porter
#define SHEET_DEF "tests/micro/t_close.def"
#define SHEET_DOC "for tests"
extern const struct sheet porter_sheet;
#include "base/sheet_table.inc"

enum { NONE, OTHERS, ALL, FIRST_LAUNCH, UNTIL_ONE_IS_DONE, GROW };

struct porter { /* of an SM, of the chip */
    struct porter_conf conf;
    struct porter_stat st;
    u32 timer0;
};

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct porter *p = self;
    bool closed = p->conf.act == ALL ||
                  (p->conf.act != NONE && p->conf.act != GROW && sm->id != p->conf.open);

    (void)arg;
    if (p->conf.act == FIRST_LAUNCH && p->st.launches)
        closed = false;
    p->st.launches++;
    if (closed)
        sm_close(sm, mech_number(p->timer0), true);
}

static void on_cta_begin(void *self, struct sm *sm, u32 slot)
{
    struct porter *p = self;

    (void)slot;
    if (sm->id == p->conf.open)
        p->st.here++;
    else
        p->st.elsewhere++;
}

/* Its CTA has not ended yet. */
static void on_warp_end(void *self, struct sm *sm, u32 slot)
{
    struct porter *p = self;

    assert_true(slot < 32 && sm->front->n_cta);
    p->st.ended++;
}

static void on_chip_edge(void *self, const struct mech_chip *c)
{
    const struct porter *p = self;

    if (p->conf.act != UNTIL_ONE_IS_DONE || !c->sm[p->conf.open].st.ctas)
        return;
    for (u32 i = 0; i < c->n_sm; i++)
        sm_close(&c->sm[i], mech_number(p->timer0), false);
}

static void on_plan(const void *conf, struct plan *p)
{
    const struct porter_conf *c = conf;

    for (u32 i = 0; i < p->n_sm && c->act == GROW && p->l->ctas == 1; i++)
        p->shape[i].l1d_ways *= 2;
}

static const struct mech porter = {
    .alone = true,
    .on_plan = on_plan,
    .name = "porter",
    .doc = "for tests",
    .sheet = &porter_sheet,
    .size = sizeof(struct porter),
    .conf = offsetof(struct porter, conf),
    .stat = offsetof(struct porter, st),
    .conf_size = sizeof(struct porter_conf),
    .stat_size = sizeof(struct porter_stat),
    .timer0 = offsetof(struct porter, timer0),
    .chip = {sizeof(struct porter), offsetof(struct porter, conf), offsetof(struct porter, st)},
    .on_kernel_begin = on_kernel_begin,
    .on_cta_begin = on_cta_begin,
    .on_warp_end = on_warp_end,
    .on_chip_edge = on_chip_edge,
};

/* Instead of src/mech/list.c. */
const struct mech *const *mech_list(u32 *n)
{
    static const struct mech *const all[] = {&porter};

    *n = 1;
    return all;
}

/* An empty kernel on three SMs, of which each takes a CTA at a time. */
static void open_with(struct timed *t, const char *mech)
{
    timed_mech = mech;
    timed_open(t, "", TIMED_SET("gpu.n_sm=3", "sm.max_cta=1"));
}

static void expect_begun(const struct timed *t, u64 here, u64 elsewhere)
{
    for (u32 i = 0; i < 2; i++) {
        struct porter_stat st = {0};

        mech_count(t->d[i]->mechs, 0, &st);
        assert_int_equal(st.here, here);
        assert_int_equal(st.elsewhere, elsewhere);
    }
}

/* All start in 1 and end in 9. */
static void sms_are_open_at_first(void **state)
{
    struct timed t;

    (void)state;
    open_with(&t, "porter");
    assert_int_equal(timed_run(&t, 3, 32), 10);
    expect_begun(&t, 1, 2);
    timed_close(&t);
}

/* One after the other: 1 to 9, 12 to 20, 24 to 32. */
static void all_ctas_go_to_the_one_sm_that_is_open(void **state)
{
    static const char *const mech[] = {"porter:act=others", "porter:act=others,open=1",
                                       "porter:act=others,open=2"};
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(mech); i++) {
        open_with(&t, mech[i]);
        assert_int_equal(timed_run(&t, 3, 32), 33);
        expect_begun(&t, 3, 0);
        assert_int_equal(t.last->counters->sm.ctas, 3);
        timed_close(&t);
    }
}

/* It closes them in each launch, so they are closed in the second too. */
static void closed_sms_of_a_second_launch(void **state)
{
    struct timed t;

    (void)state;
    open_with(&t, "porter:act=others,open=2");
    timed_run(&t, 3, 32);
    assert_int_equal(timed_run(&t, 3, 32), 33);
    expect_begun(&t, 6, 0);
    timed_close(&t);
}

/* Nobody closes them in the second launch: all CTAs start in 1. */
static void a_launch_begins_with_all_sms_open(void **state)
{
    struct timed t;

    (void)state;
    open_with(&t, "porter:act=first_launch,open=1");
    assert_int_equal(timed_run(&t, 3, 32), 33);
    expect_begun(&t, 3, 0);
    assert_int_equal(timed_run(&t, 3, 32), 10);
    expect_begun(&t, 4, 2);
    timed_close(&t);
}

/* The first CTA ends in 9.  At the edge of 12 the others open: three start then, and end in 20. */
static void what_opens_at_an_edge_gets_ctas_at_once(void **state)
{
    struct timed t;

    (void)state;
    open_with(&t, "porter:act=until_one_is_done,open=1");
    assert_int_equal(timed_run(&t, 4, 32), 21);
    expect_begun(&t, 2, 2);
    timed_close(&t);
}

static void no_sm_is_open_for_ever(const char *text)
{
    const u32 g[3] = {3, 1, 1}, b[3] = {32, 1, 1};
    struct timed t;

    open_with(&t, text);
    for (u32 i = 0; i < 2; i++) {
        assert_false(device_run(t.d[i], t.p[i], "k", g, b, 0, (const u8 *)&t.buf[i], &t.e));
        assert_int_equal(t.e.status, ERR_PROGRAM);
        assert_non_null(strstr(t.e.msg, "kernel k: deadlock in cycle "));
        assert_non_null(strstr(t.e.msg, ": nothing can move"));
        assert_int_equal(t.d[i]->last.end, RUN_DEADLOCK);
    }
    expect_begun(&t, 0, 0);
    timed_close(&t);
}

/* The second names an SM that is not there. */
static void with_all_sms_closed_nothing_can_move(void **state)
{
    (void)state;
    no_sm_is_open_for_ever("porter:act=all");
    no_sm_is_open_for_ever("porter:act=others,open=3");
}

/* Five CTAs of four warps each, the last of 4 threads; a mechanism hears of each warp. */
static void each_warp_that_ends_is_told(void **state)
{
    struct timed t;

    (void)state;
    open_with(&t, "porter");
    timed_run(&t, 5, 100);
    for (u32 i = 0; i < 2; i++) {
        struct porter_stat st = {0};

        mech_count(t.d[i]->mechs, 0, &st);
        assert_int_equal(st.ended, 20);
    }
    timed_close(&t);
}

static u32 dirty_lines(const struct timed *t, u32 sm)
{
    const struct cache *c = &t->d[0]->machine->sm[sm].mu->l1d;
    u32 n = 0;

    for (u32 i = 0; i < cache_places(c); i++)
        n += c->line[i].dirty != 0;
    return n;
}

/* Each SM has a dirty line when L1D grows; two of them get no CTA, and write theirs back all the same. */
static void sms_without_ctas_write_back_what_a_resize_left(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "porter:act=grow";
    timed_open(&t,
               ".local .align 4 .b8 x[256]; ld.local.u32 %r1, [x]; add.u32 %r1, %r1, 1;\n"
               "st.local.u32 [x], %r1;",
               TIMED_SET("gpu.n_sm=3"));
    timed_run(&t, 3, 32);
    u64 sectors = 0;

    for (u32 i = 0; i < 3; i++) {
        assert_int_equal(dirty_lines(&t, i), 1);
        sectors += t.d[0]->machine->sm[i].mu->l1d.st.write_back;
    }
    assert_int_equal(sectors, 0);
    timed_run(&t, 1, 32);
    for (u32 i = 0; i < 3; i++) {
        assert_true(t.d[0]->machine->sm[i].mu->l1d.st.write_back);
        assert_int_equal(t.d[0]->machine->sm[i].mu->l1d.send.n, 0);
    }
    timed_close(&t);
}

/* Two close it, and both must open it. */
static void each_mechanism_has_a_say(void **state)
{
    struct timed t;

    (void)state;
    open_with(&t, "porter");
    timed_run(&t, 3, 32);
    struct sm *sm = &t.d[0]->machine->sm[1];

    assert_true(warps_have_room(sm->front));
    sm_close(sm, 0, true), sm_close(sm, MAX_LISTENERS - 1, true), sm_close(sm, 0, true);
    assert_false(warps_have_room(sm->front));
    sm_close(sm, 0, false);
    assert_false(warps_have_room(sm->front));
    sm_close(sm, MAX_LISTENERS - 1, false);
    assert_true(warps_have_room(sm->front));
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sms_are_open_at_first),
    cmocka_unit_test(all_ctas_go_to_the_one_sm_that_is_open),
    cmocka_unit_test(closed_sms_of_a_second_launch),
    cmocka_unit_test(a_launch_begins_with_all_sms_open),
    cmocka_unit_test(what_opens_at_an_edge_gets_ctas_at_once),
    cmocka_unit_test(with_all_sms_closed_nothing_can_move),
    cmocka_unit_test(sms_without_ctas_write_back_what_a_resize_left),
    cmocka_unit_test(each_warp_that_ends_is_told),
    cmocka_unit_test(each_mechanism_has_a_say),
};

TEST_MAIN(tests)
