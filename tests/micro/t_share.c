/* t_share.c -- cross-core sharing: what each scheme lends, and what its dummy stages cost. */
#include "tests/micro/bound.h"

#define WARPS "sm.n_warp=24", "sm.max_threads=768"
#define PAIR SMS(2), WARPS

/* Times of DEPENDENT: t_bind.c derives them for d stages to each of decode, collectors, pipelines. */
static u64 chain(const char *mech, const char *const *set, u32 threads)
{
    return bound_cycles(mech, DEPENDENT, set, 1, threads);
}

/* ---- dummy stages */

/*
 * One stage to decode and one from the collectors to the pipelines: adds in 3 + 1 and 13 + 2, back in
 * 23 + 3, for the warp whose registers are its own as for the one with borrowed ones.
 */
static void every_warp_of_occ_takes_the_dummy_cycles(void **state)
{
    (void)state;
    assert_int_equal(chain("share:scheme=occ", TIMED_SET(PAIR), 32), 23 + 3 + 1);
    assert_int_equal(
        chain("share:scheme=occ",
              TIMED_SET(SMS(2), "sm.n_warp=1", "sm.max_threads=32", "sm.fetch_width=2"), 64),
        23 + 3 + 1);
}

static void each_dummy_stage_is_a_key(void **state)
{
    (void)state;
    assert_int_equal(chain("share:scheme=occ,late_operands=0", TIMED_SET(PAIR), 32), 23 + 1 + 1);
    assert_int_equal(chain("share:scheme=occ,late_decode=0", TIMED_SET(PAIR), 32), 23 + 2 + 1);
    assert_int_equal(chain("share:scheme=occ,late_decode=0,late_operands=0", TIMED_SET(PAIR), 32),
                     23 + 1);
}

/* Its operands are local: only decode is longer. */
static void bigsm_has_no_dummy_stage_for_operands(void **state)
{
    (void)state;
    assert_int_equal(chain("share:scheme=bigsm", TIMED_SET(PAIR), 64), 23 + 1 + 1);
}

static void base_and_half_have_none(void **state)
{
    (void)state;
    assert_int_equal(chain("share:scheme=base", TIMED_SET(PAIR), 32), 23 + 1);
    assert_int_equal(chain("share:scheme=half", TIMED_SET(PAIR), 32), 23 + 1);
}

#define LOAD LANES(4) "ld.global.u32 %r1, [%rd1];"

/* mov 3, mul.wide 9, add 19, load 29, back 180 later; L1D alone is a cycle further. */
static void l1d_takes_one_more(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(bound_path(&t, "share:scheme=occ,late_decode=0,late_operands=0", LOAD,
                                TIMED_SET(PAIR), 1, 32),
                     29 + 180 + 1 + 1);
    timed_close(&t);
}

/* ---- what is lent */

static const struct shape *shape_of(const struct timed *t, u32 sm)
{
    return &sm_of(t, sm)->shape;
}

#define SMALL                                                                                      \
    WARPS, "sm.regs=16384", "sm.shared=16K", "sm.smem_banks=16", "l1d.ways=4", "l1d.mshrs=16"

static void occ_has_all_of_its_neighbours(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "share:scheme=occ", DEPENDENT, TIMED_SET(SMS(2), SMALL), 1, 32);
    const struct shape *s = shape_of(&t, 0);

    assert_int_equal(s->n_warp, 48);
    assert_int_equal(s->own_warps, 24);
    assert_int_equal(s->regs, 16384);
    assert_int_equal(s->lent_regs, 16384);
    assert_int_equal(s->shared, 32 << 10);
    assert_int_equal(s->smem_banks, 32);
    assert_int_equal(s->l1d_ways, 8);
    assert_int_equal(s->l1d_mshrs, 32);
    assert_int_equal(s->max_cta, 8);
    assert_false(shape_of(&t, 1)->on);
    timed_close(&t);
}

static void bal_gives_each_of_two_half_of_the_third(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "share:scheme=bal", DEPENDENT, TIMED_SET(SMS(3), SMALL), 1, 32);
    for (u32 i = 0; i < 2; i++) {
        const struct shape *s = shape_of(&t, i);

        assert_int_equal(s->n_warp, 36);
        assert_int_equal(s->max_threads, 1152);
        assert_int_equal(s->lent_regs, 8192);
        assert_int_equal(s->shared, 24 << 10);
        assert_int_equal(s->smem_banks, 24);
        assert_int_equal(s->l1d_ways, 6);
        assert_int_equal(s->l1d_mshrs, 24);
        assert_true(s->on);
    }
    assert_int_equal(shape_of(&t, 2)->parts, 2);
    assert_false(shape_of(&t, 2)->on);
    timed_close(&t);
}

static void check_big(const char *mech, u32 warps)
{
    struct timed t;

    bound(&t, mech, DEPENDENT, TIMED_SET(SMS(2), SMALL), 1, 64);
    const struct shape *s = shape_of(&t, 0);

    assert_int_equal(s->n_warp, warps);
    assert_int_equal(s->warp_words, 2);
    assert_int_equal(s->max_threads, 64 * warps);
    assert_int_equal(s->regs, 32768);
    assert_int_equal(s->shared, 32 << 10);
    assert_int_equal(s->l1d_ways, 8);
    for (u32 i = 0; i < 2; i++) /* each half of the warp in its own register file */
        assert_int_equal(sm_of(&t, i)->st.reg_reads, 2);
    timed_close(&t);
}

static void bigsm_has_warps_of_64_lanes(void **state)
{
    (void)state;
    check_big("share:scheme=bigsm", 24);
    check_big("share:scheme=bigsm_occ", 48);
}

/* 64 lanes of one line of 256 bytes in two of 128. */
static void a_load_of_64_lanes_coalesces_across_both_halves(void **state)
{
    static const char body[] = "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; shr.u32 %r0, %r0, 1;\n"
                               "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;\n"
                               "ld.global.u32 %r1, [%rd1];";
    struct timed t;

    (void)state;
    bound_path(&t, "share:scheme=bigsm", body, TIMED_SET(PAIR), 1, 64);
    assert_int_equal(STAT(&t, sm.loads), 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    timed_close(&t);
}

static void each_piece_is_a_key(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "share:scheme=occ,contexts=off,shared=off,l1d=off,mshrs=off,max_cta=16", DEPENDENT,
          TIMED_SET(SMS(2), SMALL), 1, 32);
    const struct shape *s = shape_of(&t, 0);

    assert_int_equal(s->n_warp, 24);
    assert_int_equal(s->lent_regs, 0);
    assert_int_equal(s->shared, 16 << 10);
    assert_int_equal(s->l1d_ways, 4);
    assert_int_equal(s->l1d_mshrs, 16);
    assert_int_equal(s->max_cta, 16);
    timed_close(&t);
    bound(&t, "share:scheme=occ,registers=off,banks=own", DEPENDENT, TIMED_SET(SMS(2), SMALL), 1,
          32);
    s = shape_of(&t, 0);
    assert_int_equal(s->n_warp, 48);
    assert_int_equal(s->own_warps, 48);
    assert_int_equal(s->lent_regs, 0);
    assert_int_equal(s->shared, 32 << 10);
    assert_int_equal(s->smem_banks, 16);
    timed_close(&t);
}

/* ---- registers: only warps above the baseline's number have the lender's */

static void expect_slots(const struct timed *t, u32 n, u32 first)
{
    const struct front *fe = sm_of(t, 0)->front;

    assert_int_equal(fe->n_slot, n);
    if (n > 1)
        assert_int_equal(fe->slot[1].first, first);
}

/* 8 warps of 64 registers take all 16384: one CTA, in occ one more, in bal not. */
static void a_register_limited_kernel_gains_where_a_whole_cta_fits_the_lender(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "share:scheme=occ,place=cta", DEPENDENT,
          TIMED_SET(SMS(2), SMALL, "front.regs=64", "gpu.spread=off"), 8, 256);
    expect_slots(&t, 2, 24);
    timed_close(&t);
    bound(&t, "share:scheme=bal,place=cta", DEPENDENT,
          TIMED_SET(SMS(3), SMALL, "front.regs=64", "gpu.spread=off"), 8, 256);
    expect_slots(&t, 1, 0);
    timed_close(&t);
}

/*
 * 6 warps of 48 registers: 10 warps fit an SM, 20 a pair, so that three CTAs do where whole ones are two.
 * The second has its last two warps in the lender, the third all six: of 18 warps' accesses 8 are there.
 */
static void a_cta_may_have_its_last_warps_registers_in_the_lender(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "share:scheme=occ,place=warp", DEPENDENT,
          TIMED_SET(SMS(2), SMALL, "front.regs=48", "sm.shared=48K", "gpu.spread=off"), 3, 192);
    expect_slots(&t, 3, 6);
    assert_int_equal(sm_of(&t, 0)->st.reg_reads * 8, sm_of(&t, 1)->st.reg_reads * 10);
    timed_close(&t);
    bound(&t, "share:scheme=bal,place=warp", DEPENDENT,
          TIMED_SET(SMS(3), SMALL, "front.regs=48", "sm.shared=48K", "gpu.spread=off"), 8, 192);
    expect_slots(&t, 2, 6);
    timed_close(&t);
}

/* ---- power */

static u64 off(const struct timed *t, u32 sm, enum component c)
{
    return sm_of(t, sm)->residency.account[c].off;
}

/* Of the inactive SM what is not lent is off for the whole launch, of the active one nothing. */
static void what_is_not_lent_is_gated(void **state)
{
    struct timed t;
    u64 cycles = bound(&t, "share:scheme=occ", DEPENDENT, TIMED_SET(PAIR), 1, 32);
    u64 whole = cycles * RESIDENCY_WHOLE;

    (void)state;
    assert_int_equal(off(&t, 1, COMP_icache), whole);
    assert_int_equal(off(&t, 1, COMP_scheduler), whole);
    assert_int_equal(off(&t, 1, COMP_lsu), whole);
    assert_int_equal(off(&t, 1, COMP_tex_cache), whole);
    assert_int_equal(off(&t, 1, COMP_core_other), whole);
    assert_int_equal(off(&t, 1, COMP_sfu), cycles);
    assert_int_equal(off(&t, 1, COMP_ibuffer), 0);
    assert_int_equal(off(&t, 1, COMP_regfile), 0);
    assert_int_equal(off(&t, 1, COMP_l1_shared), 0);
    for (u32 c = 0; c < N_COMPONENT; c++)
        assert_int_equal(off(&t, 0, (enum component)c), 0);
    timed_close(&t);
}

/* The second launch begins where the first has ended. */
static void every_launch_is_counted_from_its_beginning(void **state)
{
    struct timed t;

    (void)state;
    bound_path(&t, "share:scheme=occ", LOAD, TIMED_SET(PAIR), 1, 32);
    assert_true(sm_of(&t, 1)->st.off_cycles > 0);
    assert_int_equal(off(&t, 1, COMP_sfu), sm_of(&t, 1)->st.off_cycles);
    assert_int_equal(off(&t, 1, COMP_lsu), RESIDENCY_WHOLE * sm_of(&t, 1)->st.off_cycles);
    timed_close(&t);
}

static void bigsm_keeps_registers_and_pipelines_of_both(void **state)
{
    struct timed t;
    u64 cycles = bound(&t, "share:scheme=bigsm,undiff=on", DEPENDENT, TIMED_SET(PAIR), 1, 64);

    (void)state;
    assert_int_equal(off(&t, 1, COMP_ibuffer), cycles * RESIDENCY_WHOLE);
    assert_int_equal(off(&t, 1, COMP_lsu), cycles * RESIDENCY_WHOLE);
    assert_int_equal(off(&t, 1, COMP_regfile), 0);
    assert_int_equal(off(&t, 1, COMP_sfu), 0);
    assert_int_equal(off(&t, 1, COMP_core_other), 0);
    timed_close(&t);
}

static void half_gates_the_whole_sm(void **state)
{
    struct timed t;
    u64 cycles = bound(&t, "share:scheme=half", DEPENDENT, TIMED_SET(PAIR), 1, 32);

    (void)state;
    assert_int_equal(off(&t, 1, COMP_regfile), cycles * RESIDENCY_WHOLE);
    assert_int_equal(off(&t, 1, COMP_l1_shared), cycles * RESIDENCY_WHOLE);
    assert_int_equal(STAT(&t, sm.off_cycles), cycles);
    timed_close(&t);
}

/* ---- who is bound */

static void sms_left_over_stay_as_they_are(void **state)
{
    struct timed t;

    (void)state;
    bound(&t, "share:scheme=occ", DEPENDENT, TIMED_SET(SMS(3), WARPS), 3, 32);
    assert_int_equal(shape_of(&t, 2)->lent_regs, 0);
    assert_int_equal(shape_of(&t, 2)->late_operands, 0);
    assert_true(shape_of(&t, 2)->on);
    assert_int_equal(issued_by(&t, 1), 0);
    assert_true(issued_by(&t, 2) > 0);
    timed_close(&t);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    check_refused("share:scheme=bigs",
                  "-m share:scheme=bigs: no scheme 'bigs'; did you mean bigsm?");
    check_refused("share:scheme=occ",
                  "-m share:scheme=occ: one SM would have 96 warps; at most 64 are possible "
                  "(sm.n_warp)");
    check_refused("share:scheme=table:/nowhere/best",
                  "-m share:scheme=table:/nowhere/best: /nowhere/best: No such file or directory");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_warp_of_occ_takes_the_dummy_cycles),
    cmocka_unit_test(each_dummy_stage_is_a_key),
    cmocka_unit_test(bigsm_has_no_dummy_stage_for_operands),
    cmocka_unit_test(base_and_half_have_none),
    cmocka_unit_test(l1d_takes_one_more),
    cmocka_unit_test(occ_has_all_of_its_neighbours),
    cmocka_unit_test(bal_gives_each_of_two_half_of_the_third),
    cmocka_unit_test(bigsm_has_warps_of_64_lanes),
    cmocka_unit_test(a_load_of_64_lanes_coalesces_across_both_halves),
    cmocka_unit_test(each_piece_is_a_key),
    cmocka_unit_test(a_register_limited_kernel_gains_where_a_whole_cta_fits_the_lender),
    cmocka_unit_test(a_cta_may_have_its_last_warps_registers_in_the_lender),
    cmocka_unit_test(what_is_not_lent_is_gated),
    cmocka_unit_test(every_launch_is_counted_from_its_beginning),
    cmocka_unit_test(bigsm_keeps_registers_and_pipelines_of_both),
    cmocka_unit_test(half_gates_the_whole_sm),
    cmocka_unit_test(sms_left_over_stay_as_they_are),
    cmocka_unit_test(what_cannot_be_is_refused),
};

TEST_MAIN(tests)
