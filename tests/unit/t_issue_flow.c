/*
 * t_issue_flow.c -- what exec_issue reports about control flow, and its two halves by themselves.
 *
 * Kernels are not lowered, so that a pc is the place of an instruction in the text.
 */
#include "tests/unit/issue.h"

#define HEAD ".version 6.0 .target sm_35 .address_size 64\n"
#define KERNEL HEAD ".visible .entry k(.param .u64 out, .param .u32 n) {\n"
/* p1: threads below n */
#define BELOW                                                                                      \
    ".reg .b32 %r<9>; .reg .b64 %d<6>; .reg .pred %p<4>; mov.u32 %r1, %tid.x;\n"                   \
    "ld.param.u32 %r2, [n]; setp.lt.u32 %p1, %r1, %r2;\n"

static u32 first(u32 n) /* lanes of a word that are below n */
{
    return n >= 32 ? ~0u : (1u << n) - 1;
}

static u32 first_of_next(u32 n) /* the same of the second word */
{
    return n > 32 ? first(n - 32) : 0;
}

struct want {
    u32 next_pc;
    u32 next[2]; /* lanes of the top afterwards */
    u32 exited[2];
    bool taken, diverged;
};

static void check(const struct rig *r, const struct want *w)
{
    const struct exec_out *o = &r->x.out;

    assert_int_equal(o->next_pc, w->next_pc);
    assert_int_equal(o->next[0], w->next[0]);
    assert_int_equal(o->next[1], w->next[1]);
    assert_int_equal(o->exited[0], w->exited[0]);
    assert_int_equal(o->exited[1], w->exited[1]);
    assert_int_equal(o->n_exited,
                     __builtin_popcount(w->exited[0]) + __builtin_popcount(w->exited[1]));
    assert_int_equal(o->taken, w->taken);
    assert_int_equal(o->diverged, w->diverged);
    assert_int_equal(o->next[2] | o->next[3] | o->exited[2] | o->exited[3], 0);
}

static void open_at(struct rig *r, const char *text, u32 words, u32 n, const char *name)
{
    rig_open(r, text, KIT_OFF, words);
    u64 out = kit_buf(&r->k, NULL, 4 * 64);

    rig_launch(r, "k", 32 * words, KIT_ARGS(out, n));
    if (name)
        rig_until(r, &r->c->warp[0], name);
}

static u32 target_of(const struct rig *r)
{
    return r->x.out.in->target;
}

/* ---- branches */

static const char branching[] = KERNEL BELOW "@%p1 bra A; mul.lo.u32 %r3, %r1, 3; bra B; A: "
                                             "popc.b32 %r3, %r1; B: clz.b32 %r4, %r3; ret; }\n";

static void a_branch_that_all_lanes_take_goes_to_its_target(void **state)
{
    struct rig r;

    (void)state;
    for (u32 words = 1; words <= 2; words++) {
        open_at(&r, branching, words, 64, "bra");
        check(&r, &(struct want){.next_pc = target_of(&r),
                                 .next = {~0u, words == 2 ? ~0u : 0},
                                 .taken = true});
        assert_int_equal(r.x.n.diverged, 0);
        rig_close(&r);
    }
}

static void a_branch_that_no_lane_takes_goes_on(void **state)
{
    struct rig r;

    (void)state;
    open_at(&r, branching, 1, 0, "bra");
    check(&r, &(struct want){.next_pc = r.x.out.pc + 1, .next = {~0u}});
    rig_until(&r, &r.c->warp[0], "bra"); /* the one without a guard */
    check(&r, &(struct want){.next_pc = target_of(&r), .next = {~0u}, .taken = true});
    rig_close(&r);
}

static void a_branch_whose_lanes_disagree_runs_those_that_take_it_first(void **state)
{
    struct rig r;

    (void)state;
    for (u32 n = 3; n < 64; n += 20) {
        u32 side[2] = {first(n), first_of_next(n)};

        open_at(&r, branching, 2, n, "bra");
        check(&r, &(struct want){.next_pc = target_of(&r),
                                 .next = {side[0], side[1]},
                                 .taken = true,
                                 .diverged = true});
        assert_int_equal(r.x.n.diverged, 1);
        rig_close(&r);
    }
}

/* No control flow, but it stands before the place where the sides meet. */
static void an_instruction_that_ends_a_side_leads_to_the_other_side(void **state)
{
    struct rig r;

    (void)state;
    open_at(&r, branching, 1, 5, "popc");
    check(&r,
          &(struct want){.next_pc = r.x.out.pc - 2, .next = {~first(5)}}); /* the multiplication */
    rig_until(&r, &r.c->warp[0], "mul.lo");
    check(&r, &(struct want){.next_pc = r.x.out.pc + 1, .next = {~first(5)}});
    rig_until(&r, &r.c->warp[0], "bra");
    check(&r, &(struct want){.next_pc = target_of(&r), .next = {~0u}, .taken = true});
    rig_until(&r, &r.c->warp[0], "clz");
    check(&r, &(struct want){.next_pc = r.x.out.pc + 1, .next = {~0u}});
    rig_close(&r);
}

static const char choosing[] =
    KERNEL BELOW "T: .branchtargets A, B, C; mov.u32 %r4, 2; @%p1 mov.u32 %r4, 0;\n"
                 "brx.idx %r4, T; A: popc.b32 %r3, %r1; bra E; B: clz.b32 %r3, %r1; bra E;\n"
                 "C: brev.b32 %r3, %r1; E: ret; }\n";

static void a_branch_by_table_reports_whether_its_lanes_agree(void **state)
{
    struct rig r;

    (void)state;
    open_at(&r, choosing, 1, 32, "brx");
    check(&r, &(struct want){.next_pc = r.x.out.pc + 1, .next = {~0u}, .taken = true});
    rig_close(&r);
    open_at(&r, choosing, 1, 0, "brx");
    check(&r, &(struct want){.next_pc = r.x.out.pc + 5, .next = {~0u}, .taken = true});
    assert_int_equal(r.x.n.diverged, 0);
    rig_close(&r);
    open_at(&r, choosing, 1, 9, "brx"); /* targets are pushed lane 0 first; the last one runs */
    check(&r, &(struct want){
                  .next_pc = r.x.out.pc + 5, .next = {~first(9)}, .taken = true, .diverged = true});
    assert_int_equal(r.x.n.diverged, 1);
    rig_close(&r);
}

/* ---- the end of threads */

static const char leaving[] = KERNEL BELOW "@%p1 exit; popc.b32 %r3, %r1; exit; }\n";

static void lanes_that_exit_are_told_and_the_others_go_on(void **state)
{
    struct rig r;

    (void)state;
    for (u32 n = 0; n < 64; n += 21) {
        u32 gone[2] = {first(n), first_of_next(n)};

        open_at(&r, leaving, 2, n, "exit");
        check(&r, &(struct want){.next_pc = r.x.out.pc + 1,
                                 .next = {~gone[0], ~gone[1]},
                                 .exited = {gone[0], gone[1]}});
        rig_until(&r, &r.c->warp[0], "popc");
        check(&r, &(struct want){.next_pc = r.x.out.pc + 1, .next = {~gone[0], ~gone[1]}});
        rig_close(&r);
    }
}

static void a_warp_whose_last_lanes_exit_is_nowhere(void **state)
{
    struct rig r;

    (void)state;
    open_at(&r, leaving, 1, 7, "popc");
    assert_int_equal(exec_issue(&r.x, &r.c->warp[0]), STEP_EXIT);
    check(&r, &(struct want){.next_pc = PC_NONE, .exited = {~first(7)}});
    rig_close(&r);
}

/* ---- calls */

static const char calling[] =
    HEAD ".func f(.param .b32 a) { .reg .b32 %x; .reg .pred %q; ld.param.b32 %x, [a];\n"
         "setp.lt.u32 %q, %x, 4; @%q ret; brev.b32 %x, %x; ret; }\n"
         ".visible .entry k(.param .u64 out, .param .u32 n) {\n" BELOW
         "{ .param .b32 a; st.param.b32 [a], %r1; @%p1 call f, (a); } popc.b32 %r3, %r1; ret; }\n";

static void a_call_enters_the_function_with_its_lanes(void **state)
{
    struct rig r;

    (void)state;
    open_at(&r, calling, 1, 20, "call");
    u32 behind = r.x.out.pc + 1;
    const struct func *f = r.k.p->func[0].is_entry ? &r.k.p->func[1] : &r.k.p->func[0];

    check(&r, &(struct want){.next_pc = f->pc, .next = {first(20)}, .taken = true});
    rig_until(&r, &r.c->warp[0], "ret"); /* of the first four */
    check(&r, &(struct want){
                  .next_pc = r.x.out.pc + 1, .next = {first(20) & ~first(4)}, .taken = true});
    rig_until(&r, &r.c->warp[0], "ret"); /* of the others: all are back behind the call */
    check(&r, &(struct want){.next_pc = behind, .next = {~0u}, .taken = true});
    rig_until(&r, &r.c->warp[0], "ret"); /* of the kernel: it ends the threads */
    check(&r, &(struct want){.next_pc = PC_NONE, .exited = {~0u}});
    rig_close(&r);
}

static void a_call_by_no_lane_goes_on(void **state)
{
    struct rig r;

    (void)state;
    open_at(&r, calling, 1, 0, "call");
    check(&r, &(struct want){.next_pc = r.x.out.pc + 1, .next = {~0u}});
    rig_close(&r);
}

/* ---- barriers */

static const char meeting[] = KERNEL BELOW "bar.sync 0; popc.b32 %r3, %r1; ret; }\n";

static void a_warp_waits_at_its_barrier_and_the_last_one_goes_through(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, meeting, KIT_OFF, 1);
    u64 out = kit_buf(&r.k, NULL, 4);

    rig_launch(&r, "k", 64, KIT_ARGS(out, 0));
    rig_until(&r, &r.c->warp[0], "bar");
    assert_int_equal(r.c->warp[0].waiting, 0);
    check(&r, &(struct want){.next_pc = r.x.out.pc, .next = {~0u}});
    rig_until(&r, &r.c->warp[1], "bar");
    assert_int_equal(r.c->warp[0].waiting, -1);
    check(&r, &(struct want){.next_pc = r.x.out.pc + 1, .next = {~0u}});
    rig_close(&r);
}

/* ---- computing apart from going on */

static const char storing[] =
    KERNEL BELOW "ld.param.u64 %d1, [out]; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;\n"
                 "mad.lo.u32 %r3, %r1, 5, 1; xor.b32 %r4, %r1, 77; @%p1 add.u32 %r4, %r4, %r3;\n"
                 "st.global.u32 [%d1], %r4; ret; }\n";

/* Neighbours that do not depend on each other, the younger one first; then the warp goes on. */
static void younger_instructions_may_be_computed_first(void **state)
{
    struct rig r;
    u32 have[64];

    (void)state;
    for (u32 words = 1; words <= 2; words++) {
        open_at(&r, storing, words, 40, "add");
        struct warp *w = &r.c->warp[0];
        const struct simt *top = &w->stack[w->depth - 1];
        u32 pc = top->pc;
        u64 n = r.x.n.warp_insts;

        assert_int_equal(exec_compute(&r.x, w, pc + 1), STEP_GO);
        assert_true(rig_is(&r.x, "xor"));
        assert_int_equal(r.x.out.pc, pc + 1);
        assert_int_equal(top->pc, pc);
        assert_int_equal(exec_compute(&r.x, w, pc), STEP_GO);
        assert_true(rig_is(&r.x, "mad"));
        assert_int_equal(top->pc, pc);
        exec_advance(&r.x, w);
        exec_advance(&r.x, w);
        assert_int_equal(top->pc, pc + 2);
        check(&r, &(struct want){.next_pc = pc + 2, .next = {~0u, words == 2 ? ~0u : 0}});
        assert_int_equal(r.x.n.warp_insts, n + 2);
        rig_finish(&r);
        u64 out;

        memcpy(&out, r.param, sizeof out);
        kit_get(&r.k, out, have, 4 * 32 * words);
        for (u32 i = 0; i < 32 * words; i++)
            assert_int_equal(have[i], (i ^ 77) + (i < 40 ? 5 * i + 1 : 0));
        rig_close(&r);
    }
}

/* The guard counts: what is computed ahead has the lanes of the top and its own predicate. */
static void what_is_computed_ahead_reports_its_own_lanes(void **state)
{
    struct rig r;

    (void)state;
    open_at(&r, storing, 1, 11, "xor");
    u32 pc = r.x.out.next_pc;

    assert_int_equal(exec_compute(&r.x, &r.c->warp[0], pc), STEP_GO);
    assert_int_equal(r.x.out.mask[0], first(11));
    assert_int_equal(r.x.out.simt[0], ~0u);
    assert_int_equal(r.x.out.n, 11);
    rig_close(&r);
}

static void a_fault_of_what_is_computed_ahead_names_its_own_pc(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, storing, KIT_OFF, 1);
    rig_launch(&r, "k", 32, KIT_ARGS(0x10, 0));
    rig_until(&r, &r.c->warp[0], "add");
    u32 pc = r.x.out.next_pc;

    assert_int_equal(exec_compute(&r.x, &r.c->warp[0], pc + 3), STEP_FAULT);
    assert_true(rig_is(&r.x, "st.global"));
    assert_int_equal(r.x.out.pc, pc + 3);
    assert_int_equal(r.c->warp[0].stack[r.c->warp[0].depth - 1].pc, pc);
    rig_close(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_branch_that_all_lanes_take_goes_to_its_target),
    cmocka_unit_test(a_branch_that_no_lane_takes_goes_on),
    cmocka_unit_test(a_branch_whose_lanes_disagree_runs_those_that_take_it_first),
    cmocka_unit_test(an_instruction_that_ends_a_side_leads_to_the_other_side),
    cmocka_unit_test(a_branch_by_table_reports_whether_its_lanes_agree),
    cmocka_unit_test(lanes_that_exit_are_told_and_the_others_go_on),
    cmocka_unit_test(a_warp_whose_last_lanes_exit_is_nowhere),
    cmocka_unit_test(a_call_enters_the_function_with_its_lanes),
    cmocka_unit_test(a_call_by_no_lane_goes_on),
    cmocka_unit_test(a_warp_waits_at_its_barrier_and_the_last_one_goes_through),
    cmocka_unit_test(younger_instructions_may_be_computed_first),
    cmocka_unit_test(what_is_computed_ahead_reports_its_own_lanes),
    cmocka_unit_test(a_fault_of_what_is_computed_ahead_names_its_own_pc),
};

TEST_MAIN(tests)
