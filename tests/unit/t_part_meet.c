/* t_part_meet.c -- warps in parts: barriers, and operations among the lanes of a logical warp */
#include "tests/unit/parts.h"

/* ---- barriers */

/* Both sides have one. */
static const char meeting[] =
    KERNEL BELOW "@%p1 bra A; mul.lo.u32 %r3, %r1, 3; bar.sync 0; bra B;\n"
                 "A: popc.b32 %r3, %r1; bar.sync 0; B: st.global.u32 [%d1], %r3; ret; }\n";

static void a_barrier_waits_for_all_parts(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, meeting, 64, 5);
    struct warp *w = &r.c->warp[0], *v = &r.c->warp[1];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    go(&r, w, "bar");
    assert_int_equal(w->waiting, 0);
    assert_int_equal(r.c->bar[0].arrived, 5);
    go(&r, v, "bar");
    assert_int_equal(v->waiting, 0);
    assert_int_equal(r.c->bar[0].arrived, 5 + 32);
    go(&r, p, "bar");
    assert_true(w->waiting < 0 && v->waiting < 0 && p->waiting < 0);
    assert_int_equal(r.c->bar[0].arrived, 0);
    assert_true(part_is_awaited(w)); /* its side has ended with it */
    finish(&r);
    rig_close(&r);
}

/* A part of each warp, and no two of the four come one after the other. */
static void parts_of_several_warps_come_in_any_order(void **state)
{
    const u32 mask[MAX_WORDS] = {0xff};
    struct rig r;

    (void)state;
    open_parts(&r, meeting, 64, 64);
    struct warp *w[4] = {&r.c->warp[0], &r.c->warp[1]};

    w[2] = part_cut(w[0], mask), w[3] = part_cut(w[1], mask);
    for (u32 i = 0; i < 4; i++) {
        struct warp *next = w[(3 * i + 2) % 4];

        go(&r, next, "bar");
        assert_int_equal(next->waiting, i < 3 ? 0 : -1);
    }
    for (u32 i = 0; i < 4; i++)
        assert_int_equal(w[i]->waiting, -1);
    finish(&r);
    rig_close(&r);
}

/* Threads below n end in a function of their side, which the branch does not know. */
static const char ending[] =
    HEAD ".func f() { exit; }\n.visible .entry k(.param .u64 out, .param .u32 n) {\n" BELOW
         "@!%p1 bra A; call f; bra B; A: bar.sync 0; popc.b32 %r3, %r1;\n"
         "B: st.global.u32 [%d1], %r3; ret; }\n";

static void a_part_may_end_while_its_warp_waits_at_the_barrier(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, ending, 64, 5);
    struct warp *w = &r.c->warp[0], *v = &r.c->warp[1];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    go(&r, w, "bar");
    go(&r, v, "bar");
    assert_true(w->waiting == 0 && v->waiting == 0);
    assert_int_equal(r.c->bar[0].arrived, 27 + 32);
    go(&r, p, "exit");
    assert_true(p->done && w->waiting < 0 && v->waiting < 0);
    assert_int_equal(w->stands[0], ~0u);
    go(&r, w, "popc"); /* it does not wait for anybody to come home */
    assert_false(part_is_awaited(w));
    finish(&r);
    rig_close(&r);
}

/* Before: its warp stands for its threads, too. */
static void a_part_that_has_ended_is_not_waited_for(void **state)
{
    struct rig r;

    (void)state;
    open_parts(&r, ending, 64, 5);
    struct warp *w = &r.c->warp[0], *v = &r.c->warp[1];

    go(&r, w, "bra");
    struct warp *p = part_side(w);

    go(&r, p, "exit");
    go(&r, v, "bar");
    assert_int_equal(v->waiting, 0);
    go(&r, w, "bar");
    assert_true(w->waiting < 0 && v->waiting < 0);
    finish(&r);
    rig_close(&r);
}

/* .. and the other way round: the part stands for the threads of its warp, which have ended. */
static void a_warp_may_end_while_its_part_waits_at_the_barrier(void **state)
{
    static const char text[] = KERNEL BELOW "@%p1 exit; bar.sync 0; popc.b32 %r3, %r1; ret; }\n";
    const u32 mask[MAX_WORDS] = {~first(5)};
    struct rig r;

    (void)state;
    open_parts(&r, text, 64, 5);
    struct warp *w = &r.c->warp[0], *v = &r.c->warp[1], *p = part_cut(w, mask);

    go(&r, p, "bar");
    go(&r, v, "bar");
    assert_true(p->waiting == 0 && v->waiting == 0);
    go(&r, w, "exit");
    assert_true(p->waiting < 0 && v->waiting < 0);
    assert_false(w->done);
    finish(&r);
    assert_true(w->done);
    rig_close(&r);
}

/* For 64 of the CTA's 96 threads: the third warp never comes. */
static void a_barrier_for_some_threads_counts_those_of_parts(void **state)
{
    static const char text[] =
        KERNEL BELOW "setp.ge.u32 %p2, %r1, 64; @%p2 bra E; bar.sync 1, 64; popc.b32 %r3, %r1;\n"
                     "E: ret; }\n";
    const u32 mask[MAX_WORDS] = {0xffff};
    struct rig r;

    (void)state;
    open_parts(&r, text, 96, 0);
    struct warp *w = &r.c->warp[0], *v = &r.c->warp[1], *p = part_cut(w, mask);

    go(&r, w, "bar");
    go(&r, v, "bar");
    assert_int_equal(r.c->bar[1].arrived, 16 + 32);
    assert_true(w->waiting == 1 && v->waiting == 1);
    go(&r, p, "bar");
    assert_true(w->waiting < 0 && v->waiting < 0);
    finish(&r);
    rig_close(&r);
}

/* How many of 64 threads are below n, whether all are, and whether any is. */
static const char reducing[] = KERNEL BELOW
    "bar.red.popc.u32 %r3, 0, %p1; bar.red.and.pred %p2, 0, %p1;\n"
    "bar.red.or.pred %p3, 0, %p1; selp.b32 %r4, 1, 0, %p2; selp.b32 %r5, 1, 0, %p3;\n"
    "st.global.u32 [%d1], %r3; st.global.u32 [%d1+4], %r4; st.global.u32 [%d1+8], %r5;\n"
    "ret; }\n";

static void a_reduction_has_the_lanes_of_all_parts(void **state)
{
    static const u32 below[] = {0, 5, 40, 64};
    const u32 mask[MAX_WORDS] = {0x0ff000f0}, more[MAX_WORDS] = {0x00f000f0};
    u8 have[THREADS * RECORD];
    struct rig r;

    (void)state;
    for (u32 i = 0; i < LEN(below); i++) {
        open_parts(&r, reducing, 64, below[i]);
        struct warp *p = part_cut(&r.c->warp[0], mask);

        part_cut(p, more);
        part_cut(&r.c->warp[1], mask);
        finish_in_order(&r, i % 2);
        results(&r, have);
        for (u32 t = 0; t < 64; t++) {
            u32 got[3];

            memcpy(got, have + t * RECORD, sizeof got);
            assert_int_equal(got[0], below[i]);
            assert_int_equal(got[1], below[i] == 64);
            assert_int_equal(got[2], below[i] > 0);
        }
        rig_close(&r);
    }
}

/* ---- among lanes */

static void operations_among_lanes_are_no_barriers_of_a_cta(void **state)
{
    static const char text[] =
        KERNEL BELOW "shfl.sync.idx.b32 %r3, %r1, 1, 31, -1; vote.sync.any.pred %p2, %p1, -1;\n"
                     "bar.warp.sync -1; activemask.b32 %r4; match.any.sync.b32 %r5, %r1, -1;\n"
                     "bar.sync 0; membar.gl; ret; }\n";
    struct rig r;
    u32 n = 0;

    (void)state;
    open_parts(&r, text, 32, 0);
    for (u32 pc = 0; pc < r.k.p->n_inst; pc++) {
        bool among = inst_is_among_lanes(&r.x.code[pc]);

        n += among;
        assert_false(among && r.x.code[pc].op == OP_bar);
    }
    assert_int_equal(n, 5);
    rig_close(&r);
}

/* r4, d4: values of few kinds; r5: a lane; p2: odd threads. */
#define AMONG(op)                                                                                  \
    KERNEL BELOW                                                                                   \
        "and.b32 %r4, %r1, 5; mul.wide.u32 %d4, %r4, 65537; shl.b64 %d4, %d4, 20;\n"               \
        "mad.lo.u32 %r5, %r1, 7, 3; and.b32 %r5, %r5, 31; mad.lo.u32 %r6, %r1, 1000, 1;\n"         \
        "and.b32 %r7, %r1, 1; setp.ne.u32 %p2, %r7, 0; mov.u32 %r3, 99; setp.lt.u32 %p3, %r1, "    \
        "0;\n" op " selp.b32 %r8, 1, 0, %p3;\n"                                                    \
        "st.global.u32 [%d1], %r3; st.global.u32 [%d1+4], %r8; ret; }\n"

static const char *const among[] = {
    AMONG("shfl.sync.idx.b32 %r3|%p3, %r6, %r5, 31, -1;"),
    AMONG("shfl.sync.bfly.b32 %r3|%p3, %r6, 13, 31, -1;"),
    AMONG("shfl.sync.up.b32 %r3|%p3, %r6, 3, 0, -1;"),
    AMONG("shfl.sync.down.b32 %r3|%p3, %r6, 5, 31, -1;"),
    AMONG("@%p1 shfl.sync.bfly.b32 %r3|%p3, %r6, 1, 31, -1;"),           /* some lanes are off */
    AMONG("shfl.sync.idx.b32 %r6, %r6, %r5, 31, -1; mov.b32 %r3, %r6;"), /* onto its source */
    AMONG("vote.sync.ballot.b32 %r3, %p2, -1;"),
    AMONG("vote.sync.all.pred %p3, %p2, -1;"),
    AMONG("@%p2 vote.sync.all.pred %p3, %p2, -1;"),
    AMONG("match.any.sync.b32 %r3, %r4, -1;"),
    AMONG("match.any.sync.b64 %r3, %d4, -1;"),
    AMONG("match.all.sync.b32 %r3|%p3, %r4, -1;"),
    AMONG("activemask.b32 %r3;"),
};

static void issue_gathered(struct rig *r, struct warp *const *w, u32 n)
{
    u64 threads = r->x.n.thread_insts, lanes = 0;

    exec_gather(&r->x, w, n);
    assert_int_equal(r->x.n.thread_insts, threads); /* who issues it counts */
    for (u32 i = 0; i < n; i++) {
        u32 pc = pc_of(w[i]);

        assert_true(w[i]->gathered);
        assert_int_equal(step(r, w[i]), STEP_GO);
        assert_false(w[i]->gathered);
        assert_int_equal(pc_of(w[i]), pc + 1);
        lanes += r->x.out.n;
    }
    assert_int_equal(r->x.n.thread_insts, threads + lanes);
}

static void check_gather(const char *text, enum kit_mode mode, u32 words, const u32 *mask,
                         const u32 *more)
{
    u8 want[THREADS * RECORD], have[THREADS * RECORD];
    struct rig r;

    open_mode(&r, text, mode, words, 32 * words, 11);
    results_of_whole(&r, 32 * words, 11, want);
    struct warp *w[3] = {&r.c->warp[0]};

    while (!inst_is_among_lanes(&r.x.code[pc_of(w[0])]))
        step(&r, w[0]);
    w[1] = part_cut(w[0], mask), w[2] = part_cut(w[0], more);
    issue_gathered(&r, (struct warp *[]){w[1], w[0], w[2]}, 3);
    finish(&r);
    results(&r, have);
    assert_memory_equal(have, want, sizeof want);
    rig_close(&r);
}

/* Three parts, whatever their lanes: the whole warp's result, in each lane. */
static void what_is_gathered_is_what_the_whole_warp_computes(void **state)
{
    static const u32 mask[][MAX_WORDS] = {
        {0x0000ffff, 0xf0f0f0f0}, {0x55555555, 0x1}, {0x80000001, 0}};
    static const u32 more[][MAX_WORDS] = {
        {0xff000000, 0x0f}, {0x0000aaaa, 0xfe}, {0x7f, 0xffffffff}};

    (void)state;
    for (u32 i = 0; i < LEN(among); i++)
        for (u32 k = 0; k < LEN(mask); k++)
            for (u32 words = 1; words <= 2; words++) {
                u32 a[MAX_WORDS] = {mask[k][0], words > 1 ? mask[k][1] : 0};
                u32 b[MAX_WORDS] = {more[k][0] & ~a[0], words > 1 ? more[k][1] & ~a[1] : 0};

                check_gather(among[i], KIT_OFF, words, a, b);
                check_gather(among[i], KIT_LOWER, words, a, b);
            }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_barrier_waits_for_all_parts),
    cmocka_unit_test(parts_of_several_warps_come_in_any_order),
    cmocka_unit_test(a_part_that_has_ended_is_not_waited_for),
    cmocka_unit_test(a_part_may_end_while_its_warp_waits_at_the_barrier),
    cmocka_unit_test(a_warp_may_end_while_its_part_waits_at_the_barrier),
    cmocka_unit_test(a_barrier_for_some_threads_counts_those_of_parts),
    cmocka_unit_test(a_reduction_has_the_lanes_of_all_parts),
    cmocka_unit_test(operations_among_lanes_are_no_barriers_of_a_cta),
    cmocka_unit_test(what_is_gathered_is_what_the_whole_warp_computes),
};

TEST_MAIN(tests)
