/* t_part_registers.c -- warps in parts: what comes back of registers and predicates */
#include "tests/unit/parts.h"

static const char straight[] = KERNEL BELOW "popc.b32 %r3, %r1; st.global.u32 [%d1], %r3; ret; }\n";

/* ---- row by row */

/*
 * Rows of a warp and of lanes that were cut from it, written as registers of 32 and of 64 bits: a
 * value of 4 bytes of lane i is at 4 i of its row, one of 8 at 8 i of two.
 */
static void write_rows(struct warp *w, u32 row, bool wide, u32 mask, u64 value)
{
    const struct inst_regs regs = {.n_def = 1,
                                   .def = {{.id = (u16)row, .kind = wide ? REG_64 : REG_32}}};
    u32 size = wide ? 8 : 4;

    for (u32 i = 0; i < LANES; i++) {
        u64 v = value + i;

        if (mask >> i & 1)
            memcpy(w->word[0].reg + row * ROW_BYTES + size * i, &v, size);
    }
    warp_track(w, &regs, 0);
}

static void check_rows(const struct warp *w, u32 row, bool wide, u32 mask, u64 value)
{
    u32 size = wide ? 8 : 4;

    for (u32 i = 0; i < LANES; i++) {
        u64 v = 0;

        memcpy(&v, w->word[0].reg + row * ROW_BYTES + size * i, size);
        if (mask >> i & 1)
            assert_int_equal(v, wide ? value + i : (u32)(value + i));
    }
}

enum { ROW = 2, CUT = 0x0ff0a5c3 };
#define WIDE 0x1234567800000000ull

static struct warp *cut_at_start(struct rig *r, struct warp **w)
{
    const u32 mask[MAX_WORDS] = {CUT};

    open_parts(r, straight, 32, 0);
    *w = &r->c->warp[0];
    assert_true(r->c->kernel->rows >= 8);
    write_rows(*w, ROW, false, ~0u, 100);
    write_rows(*w, ROW + 2, true, ~0u, WIDE);
    return part_cut(*w, mask);
}

static void registers_of_either_width_come_back_lane_by_lane(void **state)
{
    struct warp *w, *p;
    struct rig r;

    (void)state;
    p = cut_at_start(&r, &w);
    check_rows(p, ROW, false, ~0u, 100);
    check_rows(p, ROW + 2, true, ~0u, WIDE);
    write_rows(p, ROW, false, CUT, 5000);
    write_rows(w, ROW, false, ~CUT, 6000);
    write_rows(p, ROW + 2, true, CUT, 7 * WIDE);
    part_return(p);
    check_rows(w, ROW, false, CUT, 5000);
    check_rows(w, ROW, false, ~CUT, 6000);
    check_rows(w, ROW + 2, true, CUT, 7 * WIDE);
    check_rows(w, ROW + 2, true, ~CUT, WIDE);
    rig_close(&r);
}

/* Both rows of a pair as two registers, and as one again. */
static void rows_may_have_had_another_width_in_between(void **state)
{
    struct warp *w, *p;
    struct rig r;

    (void)state;
    p = cut_at_start(&r, &w);
    write_rows(p, ROW + 2, false, CUT, 1);
    write_rows(p, ROW + 3, false, CUT, 2);
    write_rows(p, ROW + 2, true, CUT, 9 * WIDE);
    write_rows(w, ROW, true, ~CUT, 8 * WIDE);
    write_rows(w, ROW, false, ~CUT, 3000);
    part_return(p);
    check_rows(w, ROW, false, CUT, 100);
    check_rows(w, ROW, false, ~CUT, 3000);
    check_rows(w, ROW + 2, true, CUT, 9 * WIDE);
    check_rows(w, ROW + 2, true, ~CUT, WIDE);
    rig_close(&r);
}

/* What is something else on both sides, nobody reads: the lanes of the warp keep theirs. */
static void rows_of_different_widths_stay_the_warps(void **state)
{
    struct warp *w, *p;
    struct rig r;

    (void)state;
    p = cut_at_start(&r, &w);
    write_rows(p, ROW, true, CUT, 5 * WIDE); /* covers the next row, too */
    write_rows(w, ROW + 3, false, ~CUT, 77); /* the second of a pair */
    write_rows(w, ROW + 2, false, ~CUT, 66);
    part_return(p);
    check_rows(w, ROW, false, ~0u, 100);
    check_rows(w, ROW + 2, false, ~CUT, 66);
    check_rows(w, ROW + 3, false, ~CUT, 77);
    rig_close(&r);
}

static void rows_that_only_the_part_has_written_come_along(void **state)
{
    struct warp *w, *p;
    struct rig r;

    (void)state;
    p = cut_at_start(&r, &w);
    write_rows(p, ROW + 4, true, CUT, 3 * WIDE);
    write_rows(p, ROW + 6, false, CUT, 444);
    part_return(p);
    check_rows(w, ROW + 4, true, CUT, 3 * WIDE);
    check_rows(w, ROW + 6, false, CUT, 444);
    const u32 mask[MAX_WORDS] = {0xff};

    p = part_cut(w, mask); /* and what they are is known: they come back from the next part, too */
    write_rows(p, ROW + 4, true, 0xff, 4 * WIDE);
    part_return(p);
    check_rows(w, ROW + 4, true, 0xff, 4 * WIDE);
    check_rows(w, ROW + 4, true, CUT & ~0xffu, 3 * WIDE);
    rig_close(&r);
}

static void predicates_come_back_lane_by_lane(void **state)
{
    struct warp *w, *p;
    struct rig r;

    (void)state;
    p = cut_at_start(&r, &w);
    w->word[0].pred[1] = 0xffff0000;
    p->word[0].pred[1] = 0x55555555;
    part_return(p);
    assert_int_equal(w->word[0].pred[1], (0xffff0000 & ~CUT) | (0x55555555 & CUT));
    rig_close(&r);
}

/* ---- a kernel */

/* Registers of both widths, predicates and a loop; lowered, so that rows are used again. */
static const char mixed[] = KERNEL BELOW
    "mul.wide.u32 %d3, %r1, 77777; cvt.u32.u64 %r3, %d3; and.b32 %r9, %r1, 3; mov.u32 %r10, 0;\n"
    "@%p1 bra A; mul.wide.u32 %d4, %r3, %r3; xor.b64 %d3, %d3, %d4; shr.u64 %d5, %d4, 7;\n"
    "cvt.u32.u64 %r4, %d5; setp.gt.u32 %p2, %r4, 500; bra B;\n"
    "A: popc.b32 %r4, %r3; clz.b32 %r5, %r3; add.u32 %r4, %r4, %r5; mad.lo.u32 %r6, %r4, %r5, 9;\n"
    "cvt.u64.u32 %d6, %r6; add.u64 %d3, %d3, %d6; setp.lt.u32 %p2, %r4, 20;\n"
    "B: @%p2 add.u64 %d3, %d3, 1;\n"
    "L: add.u32 %r10, %r10, 1; mad.lo.u32 %r4, %r4, 5, %r10; cvt.u64.u32 %d5, %r4;\n"
    "add.u64 %d3, %d3, %d5; setp.le.u32 %p3, %r10, %r9; @%p3 bra L;\n"
    "st.global.u64 [%d1], %d3; st.global.u32 [%d1+8], %r4; ret; }\n";

/* After so many instructions of the warp lanes are cut, or a side leaves; -1: no such place. */
static s32 check_parts_at(enum kit_mode mode, u32 after, u32 mask, bool parts_first)
{
    u8 want[THREADS * RECORD], have[THREADS * RECORD];
    struct warp *p;
    struct rig r;

    open_mode(&r, mixed, mode, 1, 32, 11);
    results_of_whole(&r, 32, 11, want);
    struct warp *w = &r.c->warp[0];

    for (u32 i = 0; i < after && !w->done; i++)
        step(&r, w);
    s32 there = w->done ? -1 : 0;

    if (!there && mask) {
        const u32 cut[MAX_WORDS] = {top_of(w)->mask[0] & mask};

        if (cut[0] && cut[0] != top_of(w)->mask[0])
            part_cut(w, cut), there = 1;
    } else if (!there && (p = part_side(w))) {
        there = 1;
    }
    finish_in_order(&r, parts_first);
    results(&r, have);
    assert_memory_equal(have, want, sizeof want);
    rig_close(&r);
    return there;
}

/* Wherever they leave, and whoever runs first. */
static void threads_compute_the_same_in_parts(void **state)
{
    static const u32 masks[] = {0, 0x0000ffff, 0x33333333, 0x80000001};
    u32 left = 0;

    (void)state;
    for (u32 m = 0; m < LEN(masks); m++)
        for (u32 k = 0; k < 4; k++) {
            s32 there;

            for (u32 after = 0;
                 (there = check_parts_at(k & 1 ? KIT_LOWER : KIT_OFF, after, masks[m], k & 2)) >= 0;
                 after++)
                left += (u32)there;
        }
    assert_true(left > 300);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(registers_of_either_width_come_back_lane_by_lane),
    cmocka_unit_test(rows_may_have_had_another_width_in_between),
    cmocka_unit_test(rows_of_different_widths_stay_the_warps),
    cmocka_unit_test(rows_that_only_the_part_has_written_come_along),
    cmocka_unit_test(predicates_come_back_lane_by_lane),
    cmocka_unit_test(threads_compute_the_same_in_parts),
};

TEST_MAIN(tests)
