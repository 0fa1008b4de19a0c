/*
 * t_levers.c -- what mechanisms can do to SMs, caches and DRAM, counted by hand; see memory_path.h for the
 * cycles of accesses.  The mechanism `probe` stands in this file, and takes the place of all others.
 */
#include "mech/mech.h"
#include "mem/cache_watch.h"
#include "tests/micro/memory_path.h"

#undef STAT /* of timed.h: the sheet needs the word */
#define SHEET_DEF "tests/micro/t_levers.def"
struct probe_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "tests/micro/t_levers.def"
struct probe_stat {
#include "base/sheet_stats.inc"
};
#define SHEET probe
#define SHEET_DEF "tests/micro/t_levers.def"
#define SHEET_DOC "for tests"
extern const struct sheet probe_sheet;
#include "base/sheet_table.inc"
#define COUNTED(t, field) ((t)->last->counters->field)

enum { NONE, BYPASS, BYPASS_ODD, HOLD, HOLD_MEM, CTAS, NEXT_SECTOR, NOWHERE, YOUNGEST, PREFETCH };

struct probe { /* of an SM, of a partition, of the chip */
    struct probe_conf conf;
    struct probe_stat st;
    u32 timer0;
    u64 at; /* the access that left for L1D last */
};

static void on_l1_route(void *self, struct cache_event *ev)
{
    struct probe *p = self;

    assert_int_equal(ev->which, IN_L1D);
    assert_int_not_equal(ev->pc, EVENT_NONE);
    p->st.route++;
    p->at = ev->addr;
    ev->bypass = p->conf.act == BYPASS || (p->conf.act == BYPASS_ODD && ev->addr >> 7 & 1);
}

static void on_l1_miss(void *self, struct cache_event *ev)
{
    struct probe *p = self;

    assert_int_equal(ev->sm_id, ev->sm->id);
    if (ev->which != IN_L1D)
        return;
    p->st.l1_miss += !ev->prefetch;
    if (p->conf.act == PREFETCH && !ev->prefetch)
        sm_prefetch(ev->sm, ev->addr + p->conf.arg, &p->st.issued);
}

static void on_l2_miss(void *self, struct cache_event *ev)
{
    struct probe *p = self;

    if (p->conf.act == NEXT_SECTOR && !ev->prefetch)
        assert_true(partition_prefetch(ev->part, ev->addr + p->conf.arg, &p->st.issued));
    else if (p->conf.act == NOWHERE)
        ev->insert = INSERT_NONE;
    p->st.l2_miss += !ev->prefetch;
}

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct probe *p = self;
    u64 first = p->conf.act == HOLD ? 2 : 0, mem = p->conf.act == HOLD_MEM ? 1 : 0;

    (void)arg;
    sm_hold(sm, mech_number(p->timer0), first, mem);
    if (p->conf.act == CTAS)
        sm_limit_ctas(sm, mech_number(p->timer0), 1);
}

static void on_cta_begin(void *self, struct sm *sm, u32 slot)
{
    struct probe *p = self;

    (void)slot;
    if (p->conf.act == HOLD || p->conf.act == HOLD_MEM)
        sm_timer(sm, p->timer0, sm->now, p->conf.arg);
    if (sm->front->n_cta > p->st.most_ctas)
        p->st.most_ctas = sm->front->n_cta;
}

static void on_timer(void *self, struct sm *sm, u32 timer)
{
    struct probe *p = self;

    if (timer != p->timer0)
        return;
    sm_hold(sm, mech_number(p->timer0), 0, 0);
}

static void on_edge(void *self, struct sm *sm, u32 arg)
{
    struct probe *p = self;

    (void)arg;
    if (p->conf.act == CTAS && p->conf.arg && sm->st.ctas)
        sm_limit_ctas(sm, mech_number(p->timer0), (u32)p->conf.arg);
}

/* The last to come of a bank. */
static u32 pick(const struct dram *d, u64 banks, u16 *before)
{
    struct probe *p = d->policy_state;
    u32 b = dram_turn(d, banks);

    p->st.picks++;
    for (u16 s = d->bank[b].first; d->slot[s - 1].next; s = d->slot[s - 1].next)
        *before = s;
    return b;
}

static void on_partition_begin(void *self, struct partition *part)
{
    static const struct dram_policy policy = {"youngest", "for this test", pick};
    struct probe *p = self;

    if (p->conf.act == YOUNGEST)
        partition_schedule(part, &policy, p);
}

static void on_chip_edge(void *self, const struct mech_chip *c)
{
    struct probe *p = self;
    u64 n = 0;

    for (u32 i = 0; i < c->n_sm; i++)
        n += ((const struct probe *)(const void *)c->sm_state)[i].st.route;
    for (u32 i = 0; i < c->n_partition; i++)
        assert_int_equal(partition_id(c->partition[i]), i);
    p->st.seen = n;
}

#define PLACE sizeof(struct probe), offsetof(struct probe, conf), offsetof(struct probe, st)

static const struct mech probe = {
    .name = "probe",
    .doc = "for tests",
    .holds = "for tests",
    .sheet = &probe_sheet,
    .size = sizeof(struct probe),
    .conf = offsetof(struct probe, conf),
    .stat = offsetof(struct probe, st),
    .conf_size = sizeof(struct probe_conf),
    .stat_size = sizeof(struct probe_stat),
    .timer0 = offsetof(struct probe, timer0),
    .partition = {PLACE},
    .chip = {PLACE},
    .on_kernel_begin = on_kernel_begin,
    .on_cta_begin = on_cta_begin,
    .on_timer = on_timer,
    .on_edge = on_edge,
    .on_l1_route = on_l1_route,
    .on_l1_miss = on_l1_miss,
    .on_l2_miss = on_l2_miss,
    .on_partition_begin = on_partition_begin,
    .on_chip_edge = on_chip_edge,
};

/* Another that holds warps. */
static const struct mech other = {
    .name = "other",
    .doc = "for tests, too",
    .holds = "for tests, too",
    .sheet = &probe_sheet,
    .size = sizeof(struct probe),
    .conf = offsetof(struct probe, conf),
    .stat = offsetof(struct probe, st),
    .conf_size = sizeof(struct probe_conf),
    .stat_size = sizeof(struct probe_stat),
    .timer0 = offsetof(struct probe, timer0),
    .on_kernel_begin = on_kernel_begin,
    .on_cta_begin = on_cta_begin,
    .on_timer = on_timer,
};

/* Instead of src/mech/list.c. */
const struct mech *const *mech_list(u32 *n)
{
    static const struct mech *const all[] = {&probe, &other};

    *n = LEN(all);
    return all;
}

/* What the mechanism of the skipping device counted; that of the other is the same. */
static struct probe_stat counted(const struct timed *t)
{
    struct probe_stat st[2] = {0};

    for (u32 i = 0; i < 2; i++)
        mech_count(t->d[i]->mechs, 0, &st[i]);
    assert_memory_equal(&st[0], &st[1], sizeof st[0]);
    return st[0];
}

static void run_and_see(struct timed *t, const char *mech, const char *body, u32 block, u64 cycles)
{
    timed_mech = mech;
    path_check(t, body, NULL, block, cycles);
}

/* ---- L1D */

/* As .cg: 141 each instead of 180 and 39. */
static void bypassed_loads_skip_l1d(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0];";
    struct timed t;

    (void)state;
    run_and_see(&t, "probe", body, 32, 6 + 180 + 39 + 1);
    assert_int_equal(counted(&t).route, 2);
    assert_int_equal(counted(&t).l1_miss, 1);
    assert_int_equal(COUNTED(&t, sm.load_sectors), 8);
    timed_close(&t);
    run_and_see(&t, "probe:act=bypass", body, 32, 6 + 2 * 141 + 1);
    assert_int_equal(counted(&t).route, 2);
    assert_int_equal(COUNTED(&t, l1d.access), 0);
    assert_int_equal(COUNTED(&t, l2.access), 2);
    assert_int_equal(COUNTED(&t, sm.load_sectors), 2);
    timed_close(&t);
}

/* Where the only access of such a load begins, from the beginning of the buffer on. */
static u64 route_of(const char *load, u32 block)
{
    struct timed t;

    timed_mech = "probe";
    path_open(&t, load, NULL);
    timed_run(&t, 1, block);
    assert_int_equal(counted(&t).route, 1);
    const struct probe *p = (const void *)t.d[0]->mechs->at[0].state; /* of the first SM */
    u64 at = p->at - t.buf[0];

    timed_close(&t);
    return at;
}

/* A word is a sector, 8 lanes of them too; 16 lanes half a line, and more of them a whole one. */
static void an_access_begins_with_what_it_wants(void **state)
{
#define WORD_AT(off) TIMED_A "ld.global.u32 %r1, [%rd0+" #off "];"
#define WORDS_AT(off) LANES(4) "ld.global.u32 %r1, [%rd1+" #off "];"
    (void)state;
    assert_int_equal(route_of(WORD_AT(4), 32), 0);
    assert_int_equal(route_of(WORD_AT(132), 32), 128);
    assert_int_equal(route_of(WORD_AT(172), 32), 128 + 32);
    assert_int_equal(route_of(WORD_AT(192), 32), 128 + 64);
    assert_int_equal(route_of(WORD_AT(252), 32), 128 + 96);
    assert_int_equal(route_of(WORDS_AT(224), 8), 128 + 96);
    assert_int_equal(route_of(WORDS_AT(128), 16), 128);
    assert_int_equal(route_of(WORDS_AT(192), 16), 128 + 64);
    assert_int_equal(route_of(WORDS_AT(160), 16), 128);
    assert_int_equal(route_of(WORDS_AT(128), 32), 128);
}

/* Of the four lines of a load two go around; it is done when all have come, and right. */
static void some_accesses_of_a_load_can_skip_l1d(void **state)
{
    u32 value[512];
    struct timed t;

    (void)state;
    for (u32 i = 0; i < LEN(value); i++)
        value[i] = i;
    timed_mech = "probe:act=bypass_odd";
    path_open(
        &t,
        LANES(16) "ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 1; st.global.u32 [%rd1+4], %r1;",
        NULL);
    timed_write(&t, 0, value, sizeof value);
    timed_run(&t, 1, 32);
    assert_int_equal(COUNTED(&t, l1d.access), 4); /* two of the load, two of the store */
    assert_int_equal(counted(&t).route, 8);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(timed_u32(&t, 16 * i + 4), 4 * i + 1);
    timed_close(&t);
}

/* Line 0 was loaded; the store goes around L1D and takes it from there: the next load misses. */
static void a_bypassed_store_leaves_no_old_line(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "probe:act=bypass_odd";
    path_open(&t,
              TIMED_A "ld.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, 7; st.global.u32 [%rd0], %r1;"
                      "membar.gl; ld.global.u32 %r2, [%rd0]; st.global.u32 [%rd0+4], %r2;",
              NULL);
    timed_run(&t, 1, 1);
    assert_int_equal(timed_u32(&t, 4), 7);
    timed_close(&t);
}

/*
 * The second load, of the next line, waits for the register of the first and issues in 186; the prefetch left in
 * the cycle after the miss and has come: a hit.
 */
static void a_prefetched_line_hits(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd0+128];";
    struct timed t;

    (void)state;
    run_and_see(&t, "probe", body, 32, 6 + 180 + 180 + 1);
    timed_close(&t);
    run_and_see(&t, "probe:act=prefetch,arg=128", body, 32, 6 + 180 + 39 + 1);
    assert_int_equal(counted(&t).issued, 1);
    assert_int_equal(counted(&t).useful, 1);
    assert_int_equal(COUNTED(&t, l1d.miss), 1);
    assert_int_equal(COUNTED(&t, l2.access), 8);
    timed_close(&t);
}

/* ---- warps and CTAs */

/*
 * Two warps of nothing but `ret`.  The round of fetch begins after warp 0: warp 1 could issue in 3, warp 0 issues
 * in 4.  The CTA begins in 1 and the timer fires in 201: warp 1 issues then; the launch takes 7 more.
 */
static void a_held_warp_issues_nothing(void **state)
{
    struct timed t;

    (void)state;
    run_and_see(&t, "probe", "", 64, 4 + 7);
    timed_close(&t);
    run_and_see(&t, "probe:act=hold,arg=200", "", 64, 201 + 7);
    assert_int_equal(COUNTED(&t, stall.held[0]), 201 - 3);
    timed_close(&t);
}

/* Of two that hold it the first one is charged while it does, which is until 101. */
static void the_first_of_several_holders_is_charged(void **state)
{
    struct timed t;

    (void)state;
    timed_beside = "other:act=hold,arg=200";
    run_and_see(&t, "probe:act=hold,arg=100", "", 64, 201 + 7);
    assert_int_equal(COUNTED(&t, stall.held[0]), 101 - 3);
    assert_int_equal(COUNTED(&t, stall.held[1]), 100);
    timed_close(&t);
    timed_beside = "probe:act=hold_mem,arg=200";
    run_and_see(&t, "other:act=hold,arg=100", "", 64, 101 + 7);
    assert_int_equal(COUNTED(&t, stall.held[0]), 101 - 3);
    assert_int_equal(COUNTED(&t, stall.held[1]), 0);
    timed_close(&t);
    timed_beside = NULL;
}

/* The additions go on; ld.param, in the same buffer as the load, waits until 201. */
static void a_warp_can_be_held_from_memory_alone(void **state)
{
    struct timed t;

    (void)state;
    run_and_see(&t, "probe:act=hold_mem,arg=200", TIMED_A "ld.global.u32 %r1, [%rd0];", 32,
                201 + 3 + 180 + 1);
    assert_int_equal(COUNTED(&t, stall.held[0]), 201 - 3);
    timed_close(&t);
    run_and_see(&t, "probe:act=hold_mem,arg=200", "mov.u32 %r1, 1;", 32, 4 + 7);
    assert_int_equal(COUNTED(&t, stall.held[0]), 0);
    timed_close(&t);
}

/* 60 CTAs on 15 SMs, whose shared memory is enough for three: at a time three, one, or one and then two. */
static void fewer_ctas_than_fit(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0]; st.global.u32 [%rd0+128], %r1;";
    struct timed t;

    (void)state;
    timed_mech = "probe";
    path_open(&t, body, NULL);
    timed_run(&t, 60, 32);
    assert_int_equal(counted(&t).most_ctas, 15 * 3);
    timed_close(&t);
    timed_mech = "probe:act=ctas";
    path_open(&t, body, NULL);
    timed_run(&t, 60, 32);
    assert_int_equal(counted(&t).most_ctas, 15 * 1);
    assert_int_equal(COUNTED(&t, sm.ctas), 60);
    timed_close(&t);
    timed_mech = "probe:act=ctas,arg=2";
    path_open(&t, body, NULL);
    timed_run(&t, 60, 32);
    assert_int_equal(counted(&t).most_ctas, 15 * 2);
    timed_close(&t);
}

/* ---- the memory side */

/* Sector 1 comes from DRAM with sector 0, and hits in L2 when it is loaded: 141 instead of 258 and more. */
static void l2_can_be_prefetched_into(void **state)
{
    static const char body[] =
        TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r1, [%rd0+32];";
    struct timed t;

    (void)state;
    timed_mech = "probe:act=next_sector,arg=32";
    cold_check(&t, body, 32, 6 + 270 + 141 + 1);
    assert_int_equal(counted(&t).issued, 1);
    assert_int_equal(counted(&t).useful, 1);
    assert_int_equal(counted(&t).l2_miss, 1);
    assert_int_equal(COUNTED(&t, dram.read), 2);
    timed_close(&t);
}

/* 256 bytes further is another channel: not this partition's to fetch. */
static void a_partition_refuses_what_is_not_its_own(void **state)
{
    u64 count[N_PREFETCH_STAT] = {0};
    struct timed t;

    (void)state;
    timed_mech = "probe";
    path_cold(&t, "", NULL);
    struct partition *const *part = t.d[0]->machine->part;

    assert_false(partition_prefetch(part[0], t.buf[0] + 256, count));
    assert_true(partition_prefetch(part[1], t.buf[0] + 256, count));
    timed_close(&t);
}

/* Never kept: the second load of the sector finds its row open, no more. */
static void l2_can_be_left_out(void **state)
{
    static const char body[] =
        TIMED_A "ld.global.cg.u32 %r1, [%rd0]; ld.global.cg.u32 %r1, [%rd0];";
    struct timed t;

    (void)state;
    timed_mech = "probe";
    cold_check(&t, body, 32, 6 + 270 + 141 + 1);
    timed_close(&t);
    timed_mech = "probe:act=nowhere";
    cold_check(&t, body, 32, 6 + 270 + 258 + 1);
    assert_int_equal(counted(&t).l2_miss, 2);
    assert_int_equal(COUNTED(&t, dram.read), 2);
    timed_close(&t);
}

/*
 * Stores that L2 does not keep go to DRAM at once.  They are answered before: those of the first launch are
 * written in the second one.
 */
static void stores_go_through_a_l2_that_keeps_nothing(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "probe:act=nowhere";
    path_cold(&t, LANES(4) "st.global.u32 [%rd1], %r0;", TIMED_SET("gpu.mem_mhz=700"));
    timed_run(&t, 1, 32);
    assert_int_equal(COUNTED(&t, l2.store_miss), 4);
    timed_run(&t, 1, 32);
    assert_int_equal(COUNTED(&t, l2.store_miss), 4);
    assert_int_equal(COUNTED(&t, dram.write), 4);
    assert_int_equal(COUNTED(&t, dram.write_back), 0);
    assert_int_equal(timed_u32(&t, 4 * 31), 31);
    timed_close(&t);
}

static void a_mechanism_brings_its_own_dram_scheduler(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "probe:act=youngest";
    cold_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0];", 32, 6 + 270 + 1);
    assert_int_equal(counted(&t).picks, 1);
    timed_close(&t);
}

/* What SMs count in their states the chip sees at the edge, and is counted on top. */
static void the_chip_sees_all_sms(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "probe";
    path_open(&t, TIMED_A "ld.global.u32 %r1, [%rd0]; add.u32 %r2, %r1, 1;", NULL);
    timed_run(&t, 20, 64);
    assert_int_equal(counted(&t).route, 40);
    assert_int_equal(counted(&t).seen, 40);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bypassed_loads_skip_l1d),
    cmocka_unit_test(an_access_begins_with_what_it_wants),
    cmocka_unit_test(some_accesses_of_a_load_can_skip_l1d),
    cmocka_unit_test(a_bypassed_store_leaves_no_old_line),
    cmocka_unit_test(a_prefetched_line_hits),
    cmocka_unit_test(a_held_warp_issues_nothing),
    cmocka_unit_test(the_first_of_several_holders_is_charged),
    cmocka_unit_test(a_warp_can_be_held_from_memory_alone),
    cmocka_unit_test(fewer_ctas_than_fit),
    cmocka_unit_test(l2_can_be_prefetched_into),
    cmocka_unit_test(a_partition_refuses_what_is_not_its_own),
    cmocka_unit_test(l2_can_be_left_out),
    cmocka_unit_test(stores_go_through_a_l2_that_keeps_nothing),
    cmocka_unit_test(a_mechanism_brings_its_own_dram_scheduler),
    cmocka_unit_test(the_chip_sees_all_sms),
};

TEST_MAIN(tests)
