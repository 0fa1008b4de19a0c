/*
 * t_residency.c -- residency of an SM that runs: pipelines by component, and a component that counts as off for some
 * cycles after each CTA (mechanism noop), in kernels that do not notice.
 */
#include "mech/mech.h"
#include "tests/micro/timed.h"

/* ---- pipelines */

/* Pipeline `pipe` of an idle SM of this GPU off in cycles 10 to 19, waking in 20 and 21; it costs 14. */
static void switch_pipe(const char *gpu, const char *const *set, u32 pipe, struct residency *r)
{
    struct run_opts opts = {.threads = 1};
    struct conf conf;
    struct err e;
    u32 n = 0;

    while (set && set[n])
        n++;
    assert_true(conf_make(&conf, gpu, set, n, &e));
    struct device *d = device_new(&conf, &opts, &e);
    struct sm *sm = &d->machine->sm[0];

    residency_begin(&sm->residency, 0);
    sm->now = 10;
    pipe_switch(sm->dp, pipe, POWER_OFF, 14);
    sm->now = 20;
    pipe_switch(sm->dp, pipe, POWER_WAKING, 14);
    sm->now = 22;
    pipe_switch(sm->dp, pipe, POWER_ON, 14);
    residency_end(&sm->residency, 100);
    assert_int_equal(sm->residency.dark, 0);
    *r = sm->residency;
    r->changes.at = NULL;
    device_free(d);
    conf_free(&conf);
}

/* These components, and no other, have the pipeline's account. */
static void check_only(const struct residency *r, u32 components)
{
    for (u32 c = 0; c < N_COMPONENT; c++) {
        bool is = components >> c & 1;

        assert_int_equal(r->account[c].off, is ? 10 : 0);
        assert_int_equal(r->account[c].waking, is ? 2 : 0);
        assert_int_equal(r->account[c].gating, is ? 14 : 0);
    }
}

/* Cluster 0 and 1, INT and FP in each, the SFU. */
static void pipelines_of_split_clusters_are_a_component_each(void **state)
{
    static const u32 is[] = {COMP_sp0_int, COMP_sp0_fp, COMP_sp1_int, COMP_sp1_fp, COMP_sfu};
    struct residency r;

    (void)state;
    for (u32 pipe = 0; pipe < LEN(is); pipe++) {
        switch_pipe("gates", NULL, pipe, &r);
        check_only(&r, 1u << is[pipe]);
    }
}

static void a_pipeline_for_both_is_the_int_and_the_fp_component(void **state)
{
    struct residency r;

    (void)state;
    switch_pipe("gtx480", NULL, 0, &r);
    check_only(&r, 1u << COMP_sp0_int | 1u << COMP_sp0_fp);
    switch_pipe("gtx480", NULL, 1, &r);
    check_only(&r, 1u << COMP_sp1_int | 1u << COMP_sp1_fp);
}

/* Pipelines of a sub-core: two clusters, an SFU, two DP units. */
static void double_precision_is_apart_from_the_sfu(void **state)
{
    struct residency r;

    (void)state;
    const char *const *set = TIMED_SET("sm.dp_units=2", "sm.cu_dp=1");

    switch_pipe("gtx480", set, 2, &r);
    check_only(&r, 1u << COMP_sfu);
    switch_pipe("gtx480", set, 3, &r);
    check_only(&r, 1u << COMP_dp);
    assert_int_equal(r.whole[COMP_dp], 2);
}

/* A second pipeline of the component: both off in 15 to 19. */
static void pipelines_of_a_component_are_summed(void **state)
{
    struct run_opts opts = {.threads = 1};
    struct conf conf;
    struct err e;

    (void)state;
    assert_true(conf_make(&conf, "gtx480", TIMED_SET("sm.sp_clusters=3"), 1, &e));
    struct device *d = device_new(&conf, &opts, &e);
    struct sm *sm = &d->machine->sm[0];

    residency_begin(&sm->residency, 0);
    sm->now = 10, pipe_switch(sm->dp, 0, POWER_OFF, 3);
    sm->now = 15, pipe_switch(sm->dp, 2, POWER_OFF, 3);
    sm->now = 20, pipe_switch(sm->dp, 0, POWER_ON, 0);
    residency_end(&sm->residency, 30);
    assert_int_equal(sm->residency.account[COMP_sp0_int].off, 10 + 15);
    assert_int_equal(sm->residency.account[COMP_sp0_int].gating, 6);
    assert_int_equal(sm->residency.account[COMP_sp1_int].off, 0);
    device_free(d);
    conf_free(&conf);
}

/* ---- components, while kernels run */

/* CTA c counts to 1 + 40 c. */
static const char text[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".visible .entry k(.param .u64 a)\n{\n"
                           ".reg .b32 %r<4>; .reg .pred %p;\n"
                           "mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 40, 1;\n"
                           "again:\nsub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p, %r2, 0;\n"
                           "@%p bra again;\nret;\n}\n";

struct lab {
    struct conf conf;
    struct device *d;
    struct program *p;
    struct err e;
};

static void lab_open(struct lab *l, const char *mech, u32 threads, bool no_skip)
{
    struct run_opts opts = {
        .threads = threads, .no_skip = no_skip, .mech = &mech, .n_mech = mech ? 1 : 0};

    assert_true(conf_make(&l->conf, "tiny", NULL, 0, &l->e));
    l->d = device_new(&l->conf, &opts, &l->e);
    l->p = l->d ? device_load(l->d, "test.ptx", text, strlen(text), &l->e) : NULL;
    if (!l->p)
        fail_msg("%s", l->e.msg);
}

static const struct launch_result *lab_run(struct lab *l, u32 ctas)
{
    const u32 grid[3] = {ctas, 1, 1}, block[3] = {32, 1, 1};
    u64 none = 0;

    if (!device_run(l->d, l->p, "k", grid, block, 0, (const u8 *)&none, &l->e))
        fail_msg("%s", l->e.msg);
    return &l->d->last;
}

static void lab_close(struct lab *l)
{
    device_free(l->d);
    conf_free(&l->conf);
}

/*
 * Two SMs, a CTA each: the first one ends early, so it is off for all its cycles; the last one ends with the
 * launch.  Or it is off for longer than the launch lasts, which ends that too.
 */
static void off_after_a_cta_until_the_time_or_the_launch_is_over(void **state)
{
    static const char *const mech[] = {"noop:off=icache,off_cycles=20,off_waking=7,off_cost=5",
                                       "noop:off=icache,off_cycles=1000,off_waking=7,off_cost=5"};

    (void)state;
    for (u32 k = 0; k < 2; k++) {
        struct lab l;

        lab_open(&l, mech[k], 1, false);
        const struct launch_result *r = lab_run(&l, 2);
        const struct sm *sm = l.d->machine->sm;
        u64 early = sm[0].front->last_done, late = sm[1].front->last_done;

        assert_true(late > early + 100);
        assert_int_equal(r->counters->sm.icache_off, (k ? late - early : 20) * RESIDENCY_WHOLE);
        assert_int_equal(r->counters->sm.icache_waking, (k ? 0 : 7) * RESIDENCY_WHOLE);
        assert_int_equal(r->counters->sm.icache_gating, 5 * RESIDENCY_WHOLE);
        lab_close(&l);
    }
}

/* Several launches of many CTAs: any component, in any part. */
static void check_component(u32 c, u64 base_cycles, const struct counters *base)
{
    static const struct {
        u32 threads;
        bool no_skip;
    } how[] = {{1, false}, {1, true}, {2, false}};
    struct counters first[3];
    char *mech = text_printf("noop:off=%s,off_parts=%u,off_cycles=%u,off_waking=3,off_cost=2",
                             component_name[c], 1 + 7 * c, 30 + 10 * c);

    for (u32 h = 0; h < LEN(how); h++) {
        struct lab l;

        lab_open(&l, mech, how[h].threads, how[h].no_skip);
        for (u32 i = 0; i < 3; i++) {
            const struct launch_result *r = lab_run(&l, 9);

            if (h)
                assert_memory_equal(r->counters, &first[i], sizeof first[i]);
            first[i] = *r->counters;
        }
        const struct residency *s = &l.d->machine->sm[0].residency;

        assert_int_equal(first[2].cycles, base_cycles);
        assert_memory_equal(&first[2].stall, &base->stall, sizeof base->stall);
        assert_memory_equal(&first[2].ptx, &base->ptx, sizeof base->ptx);
        assert_true(s->account[c].off && s->account[c].waking && s->account[c].gating);
        assert_true(s->account[c].off + s->account[c].waking <=
                    (first[0].cycles + first[1].cycles + first[2].cycles) * s->whole[c]);
        lab_close(&l);
    }
    free(mech);
}

static void a_component_that_counts_as_off_changes_nothing_else(void **state)
{
    struct lab l;
    struct counters base = {0};

    (void)state;
    lab_open(&l, NULL, 1, false);
    for (u32 i = 0; i < 3; i++)
        base = *lab_run(&l, 9)->counters;
    lab_close(&l);
    for (u32 c = 0; c < N_COMPONENT; c++)
        if (component_is_of_sm((enum component)c))
            check_component(c, base.cycles, &base);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pipelines_of_split_clusters_are_a_component_each),
    cmocka_unit_test(a_pipeline_for_both_is_the_int_and_the_fp_component),
    cmocka_unit_test(double_precision_is_apart_from_the_sfu),
    cmocka_unit_test(pipelines_of_a_component_are_summed),
    cmocka_unit_test(off_after_a_cta_until_the_time_or_the_launch_is_over),
    cmocka_unit_test(a_component_that_counts_as_off_changes_nothing_else),
};

TEST_MAIN(tests)
