/* t_diverge.c -- branches and loops: who runs where, and that all meet again */
#include "tests/micro/diverge.h"

/* ---- if and else */

/* Lanes 0..7 jump and run their side first, then 8..31; after it all 32 are together. */
static void both_sides_of_an_if_meet_after_it(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "setp.lt.u32 %p1, %t, 8; @%p1 bra A;\n"
                "MARK 2;\n"
                "bra E;\n"
                "A: MARK 1;\n"
                "E: MARK 3;\n",
        .log = {LOG({1, 0x000000ff}, {2, 0xffffff00}, {3, 0xffffffff})},
    });
}

static u32 if_else_out(u32 t)
{
    return t < 16 ? t & 1 ? 1 : 2 : t & 1 ? 3 : 4;
}

/*
 * Outer: lanes below 16 jump to T.  Inner: odd lanes jump.  Even lanes are 5555, odd ones aaaa.
 * The side that jumped (0..15) comes first and is whole again (6) before it leaves.
 */
static void an_if_in_each_side_meets_inside_that_side(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r1, %t, 1; setp.ne.u32 %p2, %r1, 0; setp.lt.u32 %p1, %t, 16;\n"
                "@%p1 bra T; @%p2 bra FO;\n"
                "MARK 4;\n"
                "mov.u32 %r2, 4; bra FX;\n"
                "FO: MARK 3;\n"
                "mov.u32 %r2, 3;\n"
                "FX: MARK 5;\n"
                "bra E;\n"
                "T: @%p2 bra TO;\n"
                "MARK 2;\n"
                "mov.u32 %r2, 2; bra TX;\n"
                "TO: MARK 1;\n"
                "mov.u32 %r2, 1;\n"
                "TX: MARK 6;\n"
                "E: MARK 7;\n"
                "OUT %r2;\n",
        .out = if_else_out,
        .log = {LOG({1, 0x0000aaaa}, {2, 0x00005555}, {6, 0x0000ffff}, {3, 0xaaaa0000},
                    {4, 0x55550000}, {5, 0xffff0000}, {7, 0xffffffff})},
    });
}

#define DEEPER(level, bound)                                                                       \
    "setp.lt.u32 %p1, %t, " #bound "; @%p1 bra L" #level ";\n"                                     \
    "MARK " #level ";\n"
#define OUTER(level, mark)                                                                         \
    "L" #level ":\n"                                                                               \
    "MARK " #mark ";\n"

/* Each level loses the lanes below its bound and gets them back at its label, in reverse order. */
static void six_levels_of_ifs_unwind_one_by_one(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = DEEPER(1, 1) DEEPER(2, 2) DEEPER(3, 4) DEEPER(4, 8) DEEPER(5, 16) DEEPER(6, 24)
            OUTER(6, 16) OUTER(5, 15) OUTER(4, 14) OUTER(3, 13) OUTER(2, 12) OUTER(1, 11),
        .log = {LOG({1, 0xfffffffe}, {2, 0xfffffffc}, {3, 0xfffffff0}, {4, 0xffffff00},
                    {5, 0xffff0000}, {6, 0xff000000}, {16, 0xffff0000}, {15, 0xffffff00},
                    {14, 0xfffffff0}, {13, 0xfffffffc}, {12, 0xfffffffe}, {11, 0xffffffff})},
    });
}

/* A jump to what comes next anyway divides nobody. */
static void a_branch_to_the_next_instruction_changes_nothing(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "setp.lt.u32 %p1, %t, 5; @%p1 bra N;\n"
                "N: MARK 1;\n"
                "bra M;\n"
                "M: MARK 2;\n"
                "@!%p1 bra O;\n"
                "O: MARK 3;\n",
        .log = {LOG({1, 0xffffffff}, {2, 0xffffffff}, {3, 0xffffffff})},
    });
}

static u32 guard_out(u32 t)
{
    return t < 10 ? t + 100 : t >= 20 ? t + 7 : t;
}

/* Guards switch lanes off for one instruction: the mask is full before and after. */
static void guards_do_not_divide_a_warp(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "setp.lt.u32 %p1, %t, 10; setp.lt.u32 %p2, %t, 20; mov.u32 %r2, %t;\n"
                "MARK 1;\n"
                "@%p1 add.u32 %r2, %r2, 100; @!%p2 add.u32 %r2, %r2, 7;\n"
                "MARK 2;\n"
                "@%p1 OUT %r2;\n"
                "@!%p1 OUT %r2;\n"
                "MARK 3;\n",
        .out = guard_out,
        .log = {LOG({1, 0xffffffff}, {2, 0xffffffff}, {3, 0xffffffff})},
    });
}

static u32 switch_out(u32 t)
{
    static const u32 want[] = {11, 10, 1100, 1000};

    return want[t & 3];
}

/*
 * case 0 falls into 1, case 2 into the default.  Lanes of case 0 are 1111.., of 1 2222.., and so
 * on.  The chain of tests meets at E, but the last test (2 or default) at D: there 2 and 3 are
 * together.  Case 1 runs for case 0, which jumped first, and again for those who jumped to it.
 */
static void switch_cases_fall_through(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r1, %t, 3; mov.u32 %r2, 0; setp.eq.u32 %p0, %r1, 0;\n"
                "setp.eq.u32 %p1, %r1, 1;\n"
                "setp.eq.u32 %p2, %r1, 2; @%p0 bra C0; @%p1 bra C1; @%p2 bra C2; bra D;\n"
                "C0: MARK 1;\n"
                "add.u32 %r2, %r2, 1;\n"
                "C1: MARK 2;\n"
                "add.u32 %r2, %r2, 10; bra E;\n"
                "C2: MARK 3;\n"
                "add.u32 %r2, %r2, 100;\n"
                "D: MARK 4;\n"
                "add.u32 %r2, %r2, 1000;\n"
                "E: MARK 5;\n"
                "OUT %r2;\n",
        .out = switch_out,
        .log = {LOG({1, 0x11111111}, {2, 0x11111111}, {2, 0x22222222}, {3, 0x44444444},
                    {4, 0xcccccccc}, {5, 0xffffffff})},
    });
}

static u32 brx_out(u32 t)
{
    return t < 24 ? 1 + (t & 3) : 5;
}

/*
 * Lanes 0..23 go to one of four targets by their two low bits, the last target first; lanes 24..31
 * fail the guard, fall through and come last.
 */
static void brx_divides_a_warp_among_four_targets_and_the_guard(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r1, %t, 3; setp.lt.u32 %p1, %t, 24;\n"
                "T: .branchtargets A, B, C, D;\n"
                "@%p1 brx.idx %r1, T;\n"
                "MARK 5;\n"
                "mov.u32 %r2, 5; bra E;\n"
                "A: MARK 1;\n"
                "mov.u32 %r2, 1; bra E;\n"
                "B: MARK 2;\n"
                "mov.u32 %r2, 2; bra E;\n"
                "C: MARK 3;\n"
                "mov.u32 %r2, 3; bra E;\n"
                "D: MARK 4;\n"
                "mov.u32 %r2, 4;\n"
                "E: MARK 6;\n"
                "OUT %r2;\n",
        .out = brx_out,
        .log = {LOG({4, 0x00888888}, {3, 0x00444444}, {2, 0x00222222}, {1, 0x00111111},
                    {5, 0xff000000}, {6, 0xffffffff})},
    });
}

/* ---- loops */

static u32 trip_out(u32 t)
{
    return t % 4 + 1;
}

/* Lane t makes t % 4 + 1 trips: in trip i those with t % 4 >= i run; afterwards all do. */
static void a_loop_runs_until_its_last_lane_leaves(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r2, %t, 3; mov.u32 %r1, 0;\n"
                "L: MARK 1;\n"
                "add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r2; @%p1 bra L;\n"
                "MARK 2;\n"
                "OUT %r1;\n",
        .out = trip_out,
        .log = {LOG({1, 0xffffffff}, {1, 0xeeeeeeee}, {1, 0xcccccccc}, {1, 0x88888888},
                    {2, 0xffffffff})},
    });
}

static u32 nested_out(u32 t)
{
    u32 inner = 1 + (t & 1);

    return t < 8 ? 2 * inner : 3 * inner;
}

/*
 * Inner loop: even lanes once, odd lanes twice.  Outer loop: 3 trips, but lanes below 8 break out
 * of it in the second; they wait at OE while the others make the third.
 */
static void breaks_of_nested_loops_meet_after_the_loop_they_leave(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r3, %t, 1; setp.lt.u32 %p2, %t, 8; mov.u32 %r4, 0; mov.u32 %r1, 0;\n"
                "O: mov.u32 %r2, 0;\n"
                "I: MARK 1;\n"
                "add.u32 %r4, %r4, 1; add.u32 %r2, %r2, 1;\n"
                "setp.gt.u32 %p1, %r2, %r3; @%p1 bra IE; bra I;\n"
                "IE: MARK 2;\n"
                "setp.eq.and.u32 %p3, %r1, 1, %p2; @%p3 bra OE;\n"
                "add.u32 %r1, %r1, 1; setp.lt.u32 %p4, %r1, 3; @%p4 bra O;\n"
                "OE: MARK 3;\n"
                "OUT %r4;\n",
        .out = nested_out,
        .log = {LOG({1, 0xffffffff}, {1, 0xaaaaaaaa}, {2, 0xffffffff}, {1, 0xffffffff},
                    {1, 0xaaaaaaaa}, {2, 0xffffffff}, {1, 0xffffff00}, {1, 0xaaaaaa00},
                    {2, 0xffffff00}, {3, 0xffffffff})},
    });
}

static u32 two_exits_out(u32 t)
{
    return t >= 1 && t <= 4 ? 100 + t : 204;
}

/*
 * Trip i: lane i leaves to A; in trip 4 the rest leaves to B.  A and B meet at E only, so a lane
 * that leaves runs A at once and then waits until the loop is over.
 */
static void a_loop_with_two_exits_meets_after_both(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "mov.u32 %r1, 0;\n"
                "L: MARK 1;\n"
                "add.u32 %r1, %r1, 1; setp.eq.u32 %p1, %r1, %t; @%p1 bra A;\n"
                "setp.ge.u32 %p2, %r1, 4; @%p2 bra B; bra L;\n"
                "A: MARK 2;\n"
                "add.u32 %r2, %r1, 100; bra E;\n"
                "B: MARK 3;\n"
                "add.u32 %r2, %r1, 200;\n"
                "E: MARK 4;\n"
                "OUT %r2;\n",
        .out = two_exits_out,
        .log = {LOG({1, 0xffffffff}, {2, 0x00000002}, {1, 0xfffffffd}, {2, 0x00000004},
                    {1, 0xfffffff9}, {2, 0x00000008}, {1, 0xfffffff1}, {2, 0x00000010},
                    {3, 0xffffffe1}, {4, 0xffffffff})},
    });
}

static u32 continue_out(u32 t)
{
    return t & 1 ? 2 : t < 16 ? 2 : 1;
}

/*
 * Four trips i; (i + t) odd: continue at C.  i == 2 and t >= 16: break to E.  Because of the break
 * C is no post-dominator of the continue: odd lanes, who continue in trip 0, run their whole loop
 * first: trips 1 and 3 mark 2, trip 2 continues.  Then even lanes from the middle of their trip 0,
 * which marks 2: trip 1 continues, trip 2 marks 2 for lanes below 16 only, trip 3 continues.
 */
static void a_break_keeps_a_continue_from_meeting_in_the_loop(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "setp.ge.u32 %p2, %t, 16; mov.u32 %r1, 0; mov.u32 %r4, 0;\n"
                "L: MARK 1;\n"
                "add.u32 %r2, %r1, %t; and.b32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0;\n"
                "@%p1 bra C;\n"
                "setp.eq.and.u32 %p3, %r1, 2, %p2; @%p3 bra E;\n"
                "MARK 2;\n"
                "add.u32 %r4, %r4, 1;\n"
                "C: add.u32 %r1, %r1, 1; setp.lt.u32 %p4, %r1, 4; @%p4 bra L;\n"
                "E: MARK 3;\n"
                "OUT %r4;\n",
        .out = continue_out,
        .log = {LOG({1, 0xffffffff}, {1, 0xaaaaaaaa}, {2, 0xaaaaaaaa}, {1, 0xaaaaaaaa},
                    {1, 0xaaaaaaaa}, {2, 0xaaaaaaaa}, {2, 0x55555555}, {1, 0x55555555},
                    {1, 0x55555555}, {2, 0x00005555}, {1, 0x00005555}, {3, 0xffffffff})},
    });
}

/* Without a break the continue meets the others at the end of each trip. */
static void a_continue_alone_meets_at_the_end_of_each_trip(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "mov.u32 %r1, 0;\n"
                "L: MARK 1;\n"
                "add.u32 %r2, %r1, %t; and.b32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0;\n"
                "@%p1 bra C;\n"
                "MARK 2;\n"
                "C: MARK 3;\n"
                "add.u32 %r1, %r1, 1; setp.lt.u32 %p4, %r1, 2; @%p4 bra L;\n",
        .log = {LOG({1, 0xffffffff}, {2, 0x55555555}, {3, 0xffffffff}, {1, 0xffffffff},
                    {2, 0xaaaaaaaa}, {3, 0xffffffff})},
    });
}

static u32 power_out(u32 t)
{
    u32 x = 1;

    while (x <= t || x == 1)
        x *= 2;
    return x;
}

/* for (;;) with its only way out in the middle: x doubles until it is above t. */
static void an_endless_loop_ends_by_its_break(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "mov.u32 %r1, 1;\n"
                "L: MARK 1;\n"
                "shl.b32 %r1, %r1, 1; setp.gt.u32 %p1, %r1, %t; @%p1 bra E;\n"
                "bra.uni L;\n"
                "E: MARK 2;\n"
                "OUT %r1;\n",
        .out = power_out,
        .log = {LOG({1, 0xffffffff}, {1, 0xfffffffc}, {1, 0xfffffff0}, {1, 0xffffff00},
                    {1, 0xffff0000}, {2, 0xffffffff})},
    });
}

static u32 goto_out(u32 t)
{
    return t >= 16 ? t & 1 ? 1 : 6 : t & 1 ? 3 : 5;
}

/*
 * A loop of A (x += 1; odd lanes leave) and B (x += 2; leave unless x < 4) with two ways in: lanes
 * below 16 begin at B.  It can be left from both, so all meet at E.  0..15 first: B (x = 2), A (3),
 * even ones B (5).  Then 16..31: A, even ones B (3), A (4), B (6).
 */
static void a_loop_with_two_entries_still_meets_after_it(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r1, %t, 1; setp.ne.u32 %p2, %r1, 0; setp.lt.u32 %p1, %t, 16;\n"
                "mov.u32 %r2, 0;\n"
                "@%p1 bra B;\n"
                "A: MARK 1;\n"
                "add.u32 %r2, %r2, 1; @%p2 bra E;\n"
                "B: MARK 2;\n"
                "add.u32 %r2, %r2, 2; setp.lt.u32 %p3, %r2, 4; @%p3 bra A;\n"
                "E: MARK 3;\n"
                "OUT %r2;\n",
        .out = goto_out,
        .log = {LOG({2, 0x0000ffff}, {1, 0x0000ffff}, {2, 0x00005555}, {1, 0xffff0000},
                    {2, 0x55550000}, {1, 0x55550000}, {2, 0x55550000}, {3, 0xffffffff})},
    });
}

/*
 * A goto from one side of an if into the middle of the other: lanes 0..15 jump to T, of which 0..7
 * jump back into the else side at M.  T's other lanes pass by M, so the two sides meet at E, and M
 * runs twice.
 */
static void a_goto_into_the_other_side_runs_it_twice(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "setp.lt.u32 %p1, %t, 16; setp.lt.u32 %p2, %t, 8; @%p1 bra T;\n"
                "MARK 1;\n"
                "M: MARK 2;\n"
                "bra E;\n"
                "T: MARK 3;\n"
                "@%p2 bra M;\n"
                "MARK 4;\n"
                "E: MARK 5;\n",
        .log = {LOG({3, 0x0000ffff}, {2, 0x000000ff}, {4, 0x0000ff00}, {1, 0xffff0000},
                    {2, 0xffff0000}, {5, 0xffffffff})},
    });
}

/* ---- threads that end */

static u32 early_out(u32 t)
{
    return t < 4 ? 1 : 2;
}

/* Lanes 0..3 jump away and return; the others never see them again. */
static void lanes_that_return_are_not_waited_for(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "setp.lt.u32 %p1, %t, 4; setp.lt.u32 %p2, %t, 20; @%p1 bra R;\n"
                "MARK 2;\n"
                "mov.u32 %r1, 2;\n"
                "OUT %r1;\n"
                "@%p2 bra E;\n"
                "MARK 3;\n"
                "E: MARK 4;\n"
                "ret;\n"
                "R: MARK 1;\n"
                "mov.u32 %r1, 1;\n"
                "OUT %r1;\n",
        .out = early_out,
        .log = {LOG({1, 0x0000000f}, {2, 0xfffffff0}, {3, 0xfff00000}, {4, 0xfffffff0})},
    });
}

static u32 exit_out(u32 t)
{
    return t % 8;
}

/* Trip i ends the lanes with t % 8 == i, so bit i of each byte of the mask goes. */
static void lanes_exit_a_loop_one_by_one(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r2, %t, 7; mov.u32 %r1, 0;\n"
                "L: MARK 1;\n"
                "setp.eq.u32 %p1, %r1, %r2; @%p1 OUT %r1;\n"
                "@%p1 exit; add.u32 %r1, %r1, 1; bra L;\n",
        .out = exit_out,
        .log = {LOG({1, 0xffffffff}, {1, 0xfefefefe}, {1, 0xfcfcfcfc}, {1, 0xf8f8f8f8},
                    {1, 0xf0f0f0f0}, {1, 0xe0e0e0e0}, {1, 0xc0c0c0c0}, {1, 0x80808080})},
    });
}

static u32 while_out(u32 t)
{
    return (t & 3) >= 2 && t >= 16 ? 99 : t & 3;
}

/*
 * while (i < t % 4) if (++i == 2 && t >= 16) return.  Because of the return nothing but the end
 * post-dominates the loop: who leaves runs to the end before those in the loop go on, and who
 * returns, by falling through, comes last.  Left at i = 0: 1111.., 1: 2222.., 2: 00004444, 3:
 * 00008888; returned: cccc0000.
 */
static void a_return_in_a_loop_leaves_only_the_end_to_meet_at(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .body = "and.b32 %r2, %t, 3; setp.ge.u32 %p2, %t, 16; mov.u32 %r1, 0;\n"
                "L: MARK 1;\n"
                "setp.ge.u32 %p1, %r1, %r2; @%p1 bra E; add.u32 %r1, %r1, 1;\n"
                "setp.eq.and.u32 %p3, %r1, 2, %p2; @!%p3 bra L;\n"
                "MARK 3;\n"
                "mov.u32 %r1, 99;\n"
                "OUT %r1;\n"
                "ret;\n"
                "E: MARK 2;\n"
                "OUT %r1;\n",
        .out = while_out,
        .log = {LOG({1, 0xffffffff}, {2, 0x11111111}, {1, 0xeeeeeeee}, {2, 0x22222222},
                    {1, 0x0000cccc}, {2, 0x00004444}, {1, 0x00008888}, {2, 0x00008888},
                    {3, 0xcccc0000})},
    });
}

/* ---- several warps */

/* 40 threads: the second warp has lanes 0..7 and divides as a full one does. */
static void a_partial_last_warp_has_only_its_lanes(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .block = 40,
        .body = "MARK 1;\n"
                "and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra A;\n"
                "MARK 2;\n"
                "bra E;\n"
                "A: MARK 3;\n"
                "E: MARK 4;\n",
        .log = {LOG({1, 0xffffffff}, {3, 0xaaaaaaaa}, {2, 0x55555555}, {4, 0xffffffff}),
                LOG({1, 0x000000ff}, {3, 0x000000aa}, {2, 0x00000055}, {4, 0x000000ff})},
    });
}

static u32 warps_out(u32 t)
{
    return 1 + t / 16;
}

/*
 * Lane t makes 1 + t / 16 trips: in each warp the upper half makes one more than the lower.  In a
 * wide hardware warp four logical warps share the loop, and each sees what it sees alone.
 */
static void warps_of_a_wide_warp_diverge_each_for_itself(void **state)
{
    (void)state;
    dv_run(&(struct dv_case){
        .block = 128,
        .body = "shr.u32 %r2, %t, 4; mov.u32 %r1, 0;\n"
                "L: MARK 1;\n"
                "add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r2; @%p1 bra L;\n"
                "MARK 2;\n"
                "OUT %r1;\n",
        .out = warps_out,
        .log = {LOG({1, 0xffffffff}, {1, 0xffff0000}, {2, 0xffffffff}),
                LOG({1, 0xffffffff}, {1, 0xffffffff}, {1, 0xffffffff}, {1, 0xffff0000},
                    {2, 0xffffffff}),
                LOG({1, 0xffffffff}, {1, 0xffffffff}, {1, 0xffffffff}, {1, 0xffffffff},
                    {1, 0xffffffff}, {1, 0xffff0000}, {2, 0xffffffff})},
    });
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_sides_of_an_if_meet_after_it),
    cmocka_unit_test(an_if_in_each_side_meets_inside_that_side),
    cmocka_unit_test(six_levels_of_ifs_unwind_one_by_one),
    cmocka_unit_test(a_branch_to_the_next_instruction_changes_nothing),
    cmocka_unit_test(guards_do_not_divide_a_warp),
    cmocka_unit_test(switch_cases_fall_through),
    cmocka_unit_test(brx_divides_a_warp_among_four_targets_and_the_guard),
    cmocka_unit_test(a_loop_runs_until_its_last_lane_leaves),
    cmocka_unit_test(breaks_of_nested_loops_meet_after_the_loop_they_leave),
    cmocka_unit_test(a_loop_with_two_exits_meets_after_both),
    cmocka_unit_test(a_break_keeps_a_continue_from_meeting_in_the_loop),
    cmocka_unit_test(a_continue_alone_meets_at_the_end_of_each_trip),
    cmocka_unit_test(an_endless_loop_ends_by_its_break),
    cmocka_unit_test(a_loop_with_two_entries_still_meets_after_it),
    cmocka_unit_test(a_goto_into_the_other_side_runs_it_twice),
    cmocka_unit_test(lanes_that_return_are_not_waited_for),
    cmocka_unit_test(lanes_exit_a_loop_one_by_one),
    cmocka_unit_test(a_return_in_a_loop_leaves_only_the_end_to_meet_at),
    cmocka_unit_test(a_partial_last_warp_has_only_its_lanes),
    cmocka_unit_test(warps_of_a_wide_warp_diverge_each_for_itself),
};

TEST_MAIN(tests)
