/*
 * t_residency.c -- the account of what is on, off and waking, against a diary that is written cycle by cycle.
 */
#include "sm/sm.h"
#include "tests/test_main.h"

static u64 seed;

static u32 draw(u32 below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (u32)(seed >> 33) % below;
}

/* Two sub-cores of three clusters: four pipelines are sp0, two sp1, two SFUs, six DP units. */
static const struct sm_conf conf = {
    .sub_cores = 2, .sp_clusters = 3, .sfu_units = 1, .dp_units = 3};

/* ---- parts */

static void pipelines_are_parts_and_anything_else_has_192(void **state)
{
    static const struct sm_conf fermi = {.sub_cores = 1, .sp_clusters = 1, .sfu_units = 1};
    struct residency r;

    (void)state;
    assert_int_equal(residency_parts(&conf, COMP_sp0_int), 4);
    assert_int_equal(residency_parts(&conf, COMP_sp1_int), 2);
    assert_int_equal(residency_parts(&conf, COMP_sp0_fp), 4);
    assert_int_equal(residency_parts(&conf, COMP_sp1_fp), 2);
    assert_int_equal(residency_parts(&conf, COMP_sfu), 2);
    assert_int_equal(residency_parts(&conf, COMP_dp), 6);
    assert_int_equal(residency_parts(&conf, COMP_l1_shared), 192);
    assert_int_equal(residency_parts(&conf, COMP_noc), 192);
    assert_int_equal(residency_parts(&fermi, COMP_sp1_fp), 1);
    assert_int_equal(residency_parts(&fermi, COMP_dp), 1);
    residency_init(&r, &conf);
    assert_int_equal(r.whole[COMP_icache], 192);
    assert_int_equal(r.whole[COMP_l2], 0);
    residency_free(&r);
}

/* ---- the account */

struct diary { /* what is true in each cycle, kept the slow way */
    struct power_parts now[N_COMPONENT];
    struct account sum[N_COMPONENT];
    u64 on[N_COMPONENT];
};

static void write_cycle(struct diary *d, const struct residency *r)
{
    for (u32 c = 0; c < N_COMPONENT; c++) {
        d->sum[c].off += d->now[c].off;
        d->sum[c].waking += d->now[c].waking;
        d->on[c] += r->whole[c] - d->now[c].off - d->now[c].waking;
    }
}

static void check_account(const struct residency *r, const struct diary *d, u64 cycles)
{
    for (u32 c = 0; c < N_COMPONENT; c++) {
        assert_int_equal(r->account[c].off, d->sum[c].off);
        assert_int_equal(r->account[c].waking, d->sum[c].waking);
        assert_int_equal(r->account[c].gating, d->sum[c].gating);
        assert_int_equal(r->account[c].off + r->account[c].waking + d->on[c], cycles * r->whole[c]);
    }
}

/* A component of the SM gets another state; its cost is the diary's only if the launch is not over. */
static void change(struct residency *r, struct diary *d, u64 now, bool counts)
{
    u32 c = draw(N_COMPONENT), cost = draw(50);

    if (!r->whole[c])
        return;
    d->now[c].off = (u8)draw(r->whole[c] + 1u);
    d->now[c].waking = (u8)draw(r->whole[c] - d->now[c].off + 1u);
    d->sum[c].gating += counts ? cost : 0;
    residency_set(r, (enum component)c, d->now[c].off, d->now[c].waking, cost, now);
}

/*
 * Launches of random length, closed now and then as sm_settle does, with time between them; after the end of a launch,
 * which the SM does not know yet, it goes on changing for some cycles.
 */
static void off_waking_and_on_are_all_cycles_of_all_parts(void **state)
{
    (void)state;
    for (seed = 1; seed < 200; seed += 7) {
        struct residency r;
        struct diary d = {0};
        u64 now = draw(1000), cycles = 0;

        residency_init(&r, &conf);
        for (u32 launch = 0; launch < 5; launch++) {
            u64 end = (now += draw(100)) + 1 + draw(300), over = end + draw(20);

            residency_begin(&r, now);
            for (u64 t = now; t < over; t++) {
                if (t < end && !draw(8))
                    residency_settle(&r, t);
                while (!draw(4))
                    change(&r, &d, t, t < end);
                if (t < end)
                    write_cycle(&d, &r), cycles++;
            }
            residency_end(&r, end);
            check_account(&r, &d, cycles);
            now = over;
        }
        residency_free(&r);
    }
}

static void what_comes_later_may_be_said_earlier(void **state)
{
    struct residency r;

    (void)state;
    residency_init(&r, &conf);
    residency_begin(&r, 100);
    residency_set(&r, COMP_icache, 192, 0, 0, 111);
    residency_set(&r, COMP_lsu, 10, 0, 5, 110); /* of the cycle before */
    residency_settle(&r, 111);
    assert_int_equal(r.account[COMP_icache].off, 0);
    assert_int_equal(r.account[COMP_lsu].off, 10);
    assert_int_equal(r.account[COMP_lsu].gating, 5);
    residency_set(&r, COMP_icache, 0, 0, 0, 121);
    residency_end(&r, 130);
    assert_int_equal(r.account[COMP_icache].off, 10 * 192);
    assert_int_equal(r.account[COMP_lsu].off, 20 * 10);
    assert_int_equal(r.dark, 1u << COMP_lsu);
    residency_free(&r);
}

static void an_sm_with_everything_on_has_nothing_to_count(void **state)
{
    struct residency r;

    (void)state;
    residency_init(&r, &conf);
    residency_begin(&r, 0);
    assert_int_equal(r.dark, 0);
    residency_set(&r, COMP_regfile, 0, 3, 0, 5);
    assert_int_not_equal(r.dark, 0);
    residency_set(&r, COMP_regfile, 0, 0, 0, 8);
    residency_settle(&r, 20);
    assert_int_equal(r.dark, 0);
    assert_int_equal(r.account[COMP_regfile].waking, 9);
    residency_free(&r);
}

static void between_launches_nothing_is_counted(void **state)
{
    struct residency r;

    (void)state;
    residency_init(&r, &conf);
    residency_set(&r, COMP_icache, 192, 0, 1000, 3); /* is off when the launch begins */
    residency_begin(&r, 50);
    residency_end(&r, 60);
    assert_int_equal(r.account[COMP_icache].off, 10 * 192);
    assert_int_equal(r.account[COMP_icache].gating, 0);
    residency_begin(&r, 500);
    residency_end(&r, 501);
    assert_int_equal(r.account[COMP_icache].off, 11 * 192);
    residency_free(&r);
}

/* Rows of results: every component of an SM, SP and SFU pipelines without the waking cycles. */
static void rows_are_those_of_the_components(void **state)
{
    struct residency r;
    struct sm_stat st = {0};
    u64 sum = 0, want = 0;

    (void)state;
    residency_init(&r, &conf);
    for (u32 c = 0; c < N_COMPONENT; c++)
        if (r.whole[c]) {
            r.account[c] = (struct account){1 + c, 100 + c, 1000 + c};
            want += 1 + c + 1000 + c + (c >= COMP_sp0_int && c <= COMP_sfu ? 0 : 100 + c);
        }
    residency_add(&r, &st);
    for (u32 i = 0; i < sizeof st / sizeof(u64); i++)
        sum += ((u64 *)(void *)&st)[i];
    assert_int_equal(sum, want);
    assert_int_equal(st.sp0_int_off, 1 + COMP_sp0_int);
    assert_int_equal(st.sfu_gating, 1000 + COMP_sfu);
    assert_int_equal(st.tex_cache_waking, 100 + COMP_tex_cache);
    assert_int_equal(st.noc_off, 1 + COMP_noc);
    residency_free(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pipelines_are_parts_and_anything_else_has_192),
    cmocka_unit_test(off_waking_and_on_are_all_cycles_of_all_parts),
    cmocka_unit_test(what_comes_later_may_be_said_earlier),
    cmocka_unit_test(an_sm_with_everything_on_has_nothing_to_count),
    cmocka_unit_test(between_launches_nothing_is_counted),
    cmocka_unit_test(rows_are_those_of_the_components),
};

TEST_MAIN(tests)
