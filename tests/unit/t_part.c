/* t_part.c -- warps in parts: how they leave and come home, and what becomes of their threads */
#include "tests/unit/parts.h"

/* Threads below n jump to A: pc 6 is the branch, 7 and 8 the side that does not, 9 A, 10 where they meet. */
static const char branching[] =
    KERNEL BELOW "@%p1 bra A; mul.lo.u32 %r3, %r1, 3; bra B; A: popc.b32 %r3, %r1;\n"
                 "B: st.global.u32 [%d1], %r3; ret; }\n";

enum { BRANCH = 6, OTHER = 7, TAKEN = 9, MEET = 10 };

static void check_entry(const struct warp *w, u32 at, u32 pc, u32 rpc, u32 mask)
{
    assert_int_equal(w->stack[at].pc, pc);
    assert_int_equal(w->stack[at].rpc, rpc);
    assert_int_equal(w->stack[at].mask[0], mask);
}

/* ---- a side of a branch */

static void the_side_that_waits_goes_on_by_itself(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, branching, 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    assert_int_equal(w->depth, 3);
    struct warp *p = part_side(w);

    assert_non_null(p);
    assert_int_equal(w->depth, 2);
    check_entry(w, 0, MEET, PC_NONE, ~0u);
    check_entry(w, 1, TAKEN, MEET, first(5));
    assert_int_equal(p->depth, 2);
    check_entry(p, 0, MEET, PC_NONE, ~first(5));
    check_entry(p, 1, OTHER, MEET, ~first(5));
    assert_int_equal(w->stands[0], first(5));
    assert_int_equal(p->stands[0], ~first(5));
    assert_ptr_equal(p->from, w);
    assert_ptr_equal(p->cta, r.c);
    assert_int_equal(p->id, 0);
    assert_int_equal(p->meet, 0);
    assert_int_equal(p->beside, 1);
    assert_int_equal(w->n_part, 1);
    assert_int_equal(r.c->n_warp_now, 2);
    assert_true(p->scattered && w->scattered && !p->cut && warp_is_kin(p, w));
    rig_close(&r);
}

static void a_warp_whose_lanes_agree_has_no_side(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, branching, 32, 32);
    struct warp *w = &r.c->warp[0];

    assert_null(part_side(w));
    go(&r, w, "bra");
    assert_null(part_side(w));
    assert_int_equal(r.c->n_warp_now, 1);
    rig_close(&r);
}

/* What is below the second side is the place where both meet. */
static void the_last_side_is_none_to_leave(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, branching, 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "popc");
    assert_int_equal(w->depth, 2);
    assert_null(part_side(w));
    rig_close(&r);
}

static void a_part_is_home_where_the_sides_meet_and_returns_when_its_warp_is_there(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, branching, 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    assert_false(part_is_home(p) || part_is_expected(p) || part_is_awaited(w));
    go(&r, p, "bra");
    assert_true(part_is_home(p));
    assert_false(part_is_expected(p) || part_is_awaited(w));
    go(&r, w, "popc");
    assert_int_equal(pc_of(w), MEET);
    assert_true(part_is_expected(p) && part_is_awaited(w));
    part_return(p);
    assert_true(p->done);
    assert_false(part_is_awaited(w) || w->scattered);
    assert_int_equal(w->stands[0], ~0u);
    assert_int_equal(w->n_part, 0);
    assert_int_equal(r.c->n_warp_now, 1);
    check_entry(w, 0, MEET, PC_NONE, ~0u);
    rig_close(&r);
}

static void a_warp_may_be_the_first_to_come(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, branching, 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    go(&r, w, "popc");
    assert_true(part_is_awaited(w));
    assert_false(part_is_home(p));
    go(&r, p, "bra");
    assert_true(part_is_expected(p));
    rig_close(&r);
}

/* Targets A, B and C for threads t % 4: 0 and 3, 1, 2.  The last one pushed runs; below it are two sides. */
static const char choosing[] =
    KERNEL BELOW "T: .branchtargets A, B, C, A; and.b32 %r4, %r1, 3; brx.idx %r4, T;\n"
                 "A: popc.b32 %r3, %r1; bra E; B: clz.b32 %r3, %r1; bra E; C: brev.b32 %r3, %r1;\n"
                 "E: st.global.u32 [%d1], %r3; ret; }\n";

/* Each leaves the entry below the top; all meet in the first. */
static void all_sides_of_a_table_may_leave(void **state)
{
    u8 want[THREADS * RECORD], have[THREADS * RECORD];
    struct rig r;

    (void)state;
    open_parts(&r, choosing, 32, 0);
    results_of_whole(&r, 32, 0, want);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "brx");
    assert_int_equal(w->depth, 4);
    assert_int_equal(top_of(w)->mask[0], 0x44444444);
    struct warp *b = part_side(w), *a = part_side(w);

    assert_int_equal(top_of(b)->mask[0], 0x22222222);
    assert_int_equal(top_of(a)->mask[0], 0x99999999);
    assert_int_equal(b->meet, 0);
    assert_int_equal(a->meet, 0);
    assert_int_equal(b->beside, 2);
    assert_int_equal(a->beside, 1);
    assert_null(part_side(w));
    assert_int_equal(w->n_part, 2);
    go(&r, w, "brev");
    assert_true(part_is_awaited(w));
    go(&r, a, "bra");
    part_return(a);
    assert_true(part_is_awaited(w) && w->scattered);
    go(&r, b, "bra");
    part_return(b);
    assert_false(part_is_awaited(w) || w->scattered);
    finish(&r);
    results(&r, have);
    assert_memory_equal(have, want, sizeof want);
    rig_close(&r);
}

/* In a function the place to go home to is behind the call. */
static const char calling[] =
    HEAD ".func f(.param .b32 a) { .reg .b32 %x; .reg .pred %q; ld.param.b32 %x, [a];\n"
         "setp.lt.u32 %q, %x, 9; @%q bra L; brev.b32 %x, %x; ret; L: clz.b32 %x, %x; ret; }\n"
         ".visible .entry k(.param .u64 out, .param .u32 n) {\n" BELOW
         "{ .param .b32 a; st.param.b32 [a], %r1; call f, (a); } popc.b32 %r3, %r1;\n"
         "st.global.u32 [%d1], %r3; ret; }\n";

static void sides_of_a_function_meet_behind_its_call(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, calling, 32, 0);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "call");
    u32 behind = w->stack[0].pc;

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    assert_non_null(p);
    assert_int_equal(p->meet, 0);
    go(&r, p, "ret");
    assert_true(part_is_home(p));
    assert_int_equal(pc_of(p), behind);
    go(&r, w, "ret");
    assert_true(part_is_expected(p));
    part_return(p);
    assert_int_equal(top_of(w)->mask[0], ~0u);
    finish(&r);
    rig_close(&r);
}

/* ---- lanes that are cut */

static const char straight[] = KERNEL BELOW
    "popc.b32 %r3, %r1; clz.b32 %r4, %r1; brev.b32 %r5, %r1; mad.lo.u32 %r6, %r3, 7, %r4;\n"
    "xor.b32 %r6, %r6, %r5; st.global.u32 [%d1], %r6; ret; }\n";

static void lanes_that_are_cut_stand_beside_the_others_at_the_same_pc(void **state)
{
    const u32 mask[MAX_WORDS] = {0x0f0f0f0f};
    struct rig r;

    (void)state;
    open_parts(&r, straight, 32, 0);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "popc");
    struct warp *p = part_cut(w, mask);

    assert_int_equal(w->depth, 1);
    assert_int_equal(p->depth, 1);
    check_entry(w, 0, 7, PC_NONE, 0xf0f0f0f0);
    check_entry(p, 0, 7, PC_NONE, 0x0f0f0f0f);
    assert_int_equal(p->meet, -1);
    assert_int_equal(p->beside, 0);
    assert_int_equal(w->stands[0], 0xf0f0f0f0);
    assert_true(p->cut && part_is_beside(p) && part_is_along(p));
    step(&r, p);
    assert_true(part_is_along(p));
    assert_false(part_is_beside(p));
    step(&r, p);
    step(&r, w);
    assert_false(part_is_beside(p));
    step(&r, w);
    assert_true(part_is_beside(p));
    assert_false(part_is_home(p));
    part_return(p);
    check_entry(w, 0, 9, PC_NONE, ~0u);
    assert_int_equal(w->stands[0], ~0u);
    assert_int_equal(r.c->n_warp_now, 1);
    rig_close(&r);
}

/* Of a side: its lanes are in the entry where the sides meet, too. */
static void a_cut_of_a_side_goes_home_where_the_sides_meet(void **state)
{
    const u32 mask[MAX_WORDS] = {0x3};
    struct rig r;

    (void)state;
    open_parts(&r, branching, 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_cut(w, mask);

    assert_int_equal(w->depth, 3);
    assert_int_equal(p->depth, 2);
    assert_int_equal(p->meet, 0);
    assert_int_equal(p->beside, 2);
    check_entry(p, 0, MEET, PC_NONE, 0x3);
    check_entry(p, 1, TAKEN, MEET, 0x3);
    check_entry(w, 2, TAKEN, MEET, 0x1c);
    go(&r, p, "popc");
    assert_true(part_is_home(p));
    go(&r, w,
       "popc"); /* of its own lanes; the other side comes next, and has no lanes of the cut */
    assert_int_equal(pc_of(w), OTHER);
    assert_false(part_is_expected(p) || part_is_along(p) || part_is_awaited(w));
    go(&r, w, "bra");
    assert_true(part_is_expected(p) && part_is_awaited(w));
    part_return(p);
    check_entry(w, 0, MEET, PC_NONE, ~0u);
    rig_close(&r);
}

/* The stack is as deep as when they left, but by another way: the other side, and a function of it. */
static const char deep[] =
    HEAD ".func f(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; brev.b32 %x, %x; ret; }\n"
         ".visible .entry k(.param .u64 out, .param .u32 n) {\n" BELOW
         "@%p1 bra A; { .param .b32 a; st.param.b32 [a], %r1; call f, (a); } bra B;\n"
         "A: popc.b32 %r3, %r1; B: st.global.u32 [%d1], %r3; ret; }\n";

static void a_part_is_along_only_in_the_entry_that_it_left(void **state)
{
    const u32 mask[MAX_WORDS] = {0x3};
    struct rig r;

    (void)state;
    open_parts(&r, deep, 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_cut(w, mask);

    go(&r, w, "popc");
    go(&r, w, "call");
    assert_int_equal(w->depth, p->beside + 1);
    assert_false(part_is_along(p) || part_is_beside(p));
    finish(&r);
    rig_close(&r);
}

/* A part of a part: it goes home to that, which only then does. */
static void parts_have_parts(void **state)
{
    const u32 mask[MAX_WORDS] = {0xff000000};
    u8 want[THREADS * RECORD], have[THREADS * RECORD];
    struct rig r;

    (void)state;
    open_parts(&r, branching, 32, 5);
    results_of_whole(&r, 32, 5, want);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_side(w), *q = part_cut(p, mask);

    assert_ptr_equal(q->from, p);
    assert_int_equal(q->meet, 0);
    assert_int_equal(p->stands[0], 0x00ffffe0);
    assert_int_equal(q->stands[0], 0xff000000);
    go(&r, w, "popc");
    go(&r, p, "bra");
    assert_true(part_is_home(p) && part_is_awaited(p));
    go(&r, q, "bra");
    assert_true(part_is_expected(q));
    part_return(q);
    assert_int_equal(p->stands[0], ~first(5));
    part_return(p);
    finish(&r);
    results(&r, have);
    assert_memory_equal(have, want, sizeof want);
    rig_close(&r);
}

/* ---- shares */

static void check_share(u32 mask, u32 p_depth, u32 p_pc, u32 w_depth, u32 w_pc)
{
    const u32 lanes[MAX_WORDS] = {mask};
    u8 want[THREADS * RECORD], have[THREADS * RECORD];
    struct rig r;

    open_parts(&r, branching, 32, 5);
    results_of_whole(&r, 32, 5, want);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_share(w, lanes);

    assert_null(p->from);
    assert_int_equal(p->depth, p_depth);
    assert_int_equal(w->depth, w_depth);
    assert_int_equal(pc_of(p), p_pc);
    assert_int_equal(pc_of(w), w_pc);
    assert_int_equal(p->stack[0].mask[0], mask);
    assert_int_equal(w->stack[0].mask[0], ~mask);
    assert_int_equal(p->stands[0], mask);
    assert_int_equal(w->stands[0], ~mask);
    assert_int_equal(w->n_part, 0);
    assert_false(part_is_home(p) || part_is_beside(p));
    finish(&r);
    results(&r, have);
    assert_memory_equal(have, want, sizeof want);
    rig_close(&r);
}

/* Lanes of both sides; of one; all of one: an entry without lanes is none. */
static void a_share_has_lanes_of_all_entries(void **state)
{
    (void)state;
    check_share(0x0000ff07, 3, TAKEN, 3, TAKEN);
    check_share(0x00000003, 3, TAKEN, 3, TAKEN);
    check_share(0x0000ff00, 2, OTHER, 3, TAKEN);
    check_share(first(5), 3, TAKEN, 2, OTHER);
}

/* ---- lanes */

static void lanes_of_a_warp_are_those_that_it_controls_and_that_live(void **state)
{
    const u32 cut[MAX_WORDS] = {0x0000ff00};
    u32 mask[MAX_WORDS];
    struct rig r;

    (void)state;
    open_parts(&r, branching, 28, 5); /* the last four have no thread */
    struct warp *w = &r.c->warp[0];

    assert_int_equal(warp_lanes(w, mask), 28);
    assert_int_equal(mask[0], first(28));
    go(&r, w, "bra");
    struct warp *p = part_side(w);

    assert_int_equal(warp_lanes(w, mask), 5);
    assert_int_equal(mask[0], first(5));
    assert_int_equal(warp_lanes(p, mask), 23);
    struct warp *q = part_cut(p, cut);

    assert_int_equal(warp_lanes(p, mask), 15);
    assert_int_equal(warp_lanes(q, mask), 8);
    assert_int_equal(mask[0], 0x0000ff00);
    rig_close(&r);
}

/* ---- the end of threads */

/* Both sides call a function, in which threads below `most` end: so the branch knows nothing of that. */
#define ENDING(most)                                                                               \
    HEAD ".func f(.param .b32 a) { .reg .b32 %x; .reg .pred %q; ld.param.b32 %x, [a];\n"           \
         "setp.lt.u32 %q, %x, " #most "; @%q exit; brev.b32 %x, %x; ret; }\n"                      \
         ".visible .entry k(.param .u64 out, .param .u32 n) {\n" BELOW                             \
         "{ .param .b32 a; st.param.b32 [a], %r1; @!%p1 bra A; mul.lo.u32 %r3, %r1, 3;\n"          \
         "call f, (a); bra B; A: popc.b32 %r3, %r1; call f, (a); }\n"                              \
         "B: clz.b32 %r4, %r3; st.global.u32 [%d1], %r3; ret; }\n"

/* Threads below 5 are the part; it is in the function, and the entry below is the kernel's. */
static void lanes_that_end_in_a_part_leave_the_entries_of_its_warp(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, ENDING(2), 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    go(&r, p, "exit");
    assert_int_equal(r.x.out.exited[0], 0x3);
    assert_int_equal(p->depth, 3);
    for (u32 d = 0; d < 3; d++)
        assert_int_equal(p->stack[d].mask[0], 0x1c);
    assert_int_equal(w->stack[0].mask[0], ~0x3u);
    assert_int_equal(w->stack[1].mask[0], ~first(5));
    assert_int_equal(p->stands[0], first(5)); /* those that have ended, too */
    go(&r, p, "bra");
    go(&r, w, "ret");
    part_return(p);
    assert_int_equal(top_of(w)->mask[0], ~0x3u);
    assert_int_equal(w->stands[0], ~0u);
    finish(&r);
    rig_close(&r);
}

static void a_part_whose_lanes_have_all_ended_is_done(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, ENDING(5), 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    go(&r, w, "ret");
    assert_true(part_is_awaited(w));
    go(&r, p, "exit");
    assert_true(p->done);
    assert_int_equal(r.c->n_warp_now, 1);
    assert_int_equal(w->n_part, 0);
    assert_int_equal(w->stands[0], ~0u);
    assert_int_equal(top_of(w)->mask[0], ~first(5));
    assert_false(part_is_awaited(w));
    finish(&r);
    rig_close(&r);
}

/* Where they were to meet are only lanes of the part, and these end. */
static void a_warp_that_waits_for_a_part_ends_with_it(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, ENDING(32), 32, 5);
    struct warp *w = &r.c->warp[0];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    go(&r, w, "exit");
    assert_int_equal(w->depth, 1);
    assert_int_equal(top_of(w)->mask[0], first(5));
    assert_true(part_is_awaited(w));
    go(&r, p, "exit");
    assert_int_equal(w->depth, 0);
    assert_true(w->done && p->done && cta_done(r.c));
    rig_close(&r);
}

static void a_warp_whose_own_lanes_have_ended_is_done_when_its_parts_are(void **state)
{
    const u32 mask[MAX_WORDS] = {0x0000ffff}, half[MAX_WORDS] = {0x000000ff};
    struct rig r;

    (void)state;
    open_parts(&r, straight, 32, 0);
    struct warp *w = &r.c->warp[0], *p, *q;

    go(&r, w, "popc");
    p = part_cut(w, mask);
    q = part_cut(p, half);
    go(&r, w, "ret");
    assert_int_equal(w->depth, 0);
    assert_false(w->done);
    assert_int_equal(w->stands[0], 0);
    assert_int_equal(p->stands[0], 0xffffff00); /* it stands for them now */
    go(&r, p, "ret");
    assert_false(w->done || p->done || cta_done(r.c));
    assert_int_equal(q->stands[0], ~0u);
    go(&r, q, "ret");
    assert_true(w->done && p->done && q->done && cta_done(r.c));
    rig_close(&r);
}

/* ---- use again */

static void a_part_is_used_again_when_it_was_released(void **state)
{
    const u32 mask[MAX_WORDS] = {0xff};
    struct rig r;

    (void)state;
    open_parts(&r, straight, 64, 0);
    struct warp *w = &r.c->warp[0], *v = &r.c->warp[1];
    struct warp *p = part_cut(w, mask);

    part_return(p);
    struct warp *q = part_cut(w, mask);

    assert_ptr_not_equal(q, p); /* somebody may still look at it */
    part_release(p);
    assert_ptr_equal(part_cut(v, mask), p);
    assert_int_equal(p->id, 1);
    assert_false(p->done || p->gathered);
    assert_int_equal(r.c->n_part, 2);
    cta_start(r.c, &r.l, 0, 0);
    assert_int_equal(r.c->n_warp_now, 2);
    assert_true(p->done && q->done);
    part_cut(w, mask);
    assert_int_equal(r.c->n_part, 2);
    rig_close(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_side_that_waits_goes_on_by_itself),
    cmocka_unit_test(a_warp_whose_lanes_agree_has_no_side),
    cmocka_unit_test(the_last_side_is_none_to_leave),
    cmocka_unit_test(a_part_is_home_where_the_sides_meet_and_returns_when_its_warp_is_there),
    cmocka_unit_test(a_warp_may_be_the_first_to_come),
    cmocka_unit_test(all_sides_of_a_table_may_leave),
    cmocka_unit_test(sides_of_a_function_meet_behind_its_call),
    cmocka_unit_test(lanes_that_are_cut_stand_beside_the_others_at_the_same_pc),
    cmocka_unit_test(a_cut_of_a_side_goes_home_where_the_sides_meet),
    cmocka_unit_test(a_part_is_along_only_in_the_entry_that_it_left),
    cmocka_unit_test(parts_have_parts),
    cmocka_unit_test(a_share_has_lanes_of_all_entries),
    cmocka_unit_test(lanes_of_a_warp_are_those_that_it_controls_and_that_live),
    cmocka_unit_test(lanes_that_end_in_a_part_leave_the_entries_of_its_warp),
    cmocka_unit_test(a_part_whose_lanes_have_all_ended_is_done),
    cmocka_unit_test(a_warp_that_waits_for_a_part_ends_with_it),
    cmocka_unit_test(a_warp_whose_own_lanes_have_ended_is_done_when_its_parts_are),
    cmocka_unit_test(a_part_is_used_again_when_it_was_released),
};

TEST_MAIN(tests)
