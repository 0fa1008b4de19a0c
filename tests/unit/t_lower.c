/* t_lower.c -- what the lowering makes of small kernels */
#include "tests/test_main.h"

#include <stdlib.h>

#include "base/text.h"
#include "ptx/ir.h"
#include "ptx/program.h"

#define HEAD                                                                                       \
    ".version 6.0\n.target sm_60\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"                                         \
    ".reg .b32 %r<40>; .reg .b64 %d<40>; .reg .pred %p<8>;\n"                                      \
    "ld.param.u64 %d0, [a]; ld.param.u32 %r0, [n];\n"
#define TAIL "ret;\n}\n"

static struct program *load(const char *text, u32 max_regs, bool contract, struct err *e)
{
    struct ptx_conf conf;

    sheet_defaults(&ptx_sheet, &conf);
    conf.max_regs = max_regs;
    conf.contract = contract;
    struct program *p = program_load("t.ptx", text, strlen(text), &conf, NULL, 0x10000000, true, e);
    sheet_free(&ptx_sheet, &conf);
    return p;
}

static struct program *lowered(const char *text)
{
    struct err e = {0};
    struct program *p = load(text, 0, false, &e);

    if (!p) {
        err_print(&e, stdout);
        fail_msg("the PTX does not load");
    }
    return p;
}

static u32 count(const struct program *p, enum op op)
{
    u32 n = 0;

    for (u32 i = 0; i < p->ir[0]->n_inst; i++)
        n += p->ir[0]->inst[i].op == op;
    return n;
}

/* The place of the k-th instruction with this opcode. */
static u32 find(const struct program *p, enum op op, u32 k)
{
    for (u32 i = 0; i < p->ir[0]->n_inst; i++)
        if (p->ir[0]->inst[i].op == op && k-- == 0)
            return i;
    fail_msg("no such instruction");
    return 0;
}

static const struct ir_inst *inst(const struct program *p, enum op op, u32 k)
{
    return &p->ir[0]->inst[find(p, op, k)];
}

/* ---- folding ---- */

static void constants_and_copies_move_into_operands(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD "mov.u32 %r1, 6; mov.u32 %r2, 7; mul.lo.s32 %r3, %r1, %r2;\n"
                                     "mov.u32 %r4, %r3; add.s32 %r5, %r4, %r0; mov.b32 %r6, %r5;\n"
                                     "st.shared.u32 [%r6], %r4;\n" TAIL);
    const struct ir_inst *st = inst(p, OP_st_shared_32, 0);

    assert_int_equal(count(p, OP_mov_32), 0);
    assert_int_equal(count(p, OP_mul_lo_32), 0);
    assert_false(ir_is_reg(st->src[1]));
    assert_int_equal(p->ir[0]->imm[st->src[1] & ~IR_IMM], 42);
    program_free(p);
}

static void constant_offsets_move_into_addresses(void **state)
{
    (void)state;
    struct program *p =
        lowered(HEAD "add.s64 %d1, %d0, 16; add.s64 %d2, %d1, 8;\n"
                     "cvta.to.global.u64 %d3, %d2;\n"
                     "ld.global.u32 %r1, [%d3+4]; st.global.u32 [%d0], %r1;\n" TAIL);

    assert_int_equal(count(p, OP_add_64), 0);
    assert_int_equal(inst(p, OP_ld_global_32, 0)->imm, 28);
    program_free(p);
}

/* (base + c) wraps at 32 bits, base + offset does not. */
static void offsets_of_32_bit_addresses_stay(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD ".shared .b8 s[64];\nadd.s32 %r1, %r0, 16;\n"
                                     "st.shared.u32 [%r1], %r0;\n" TAIL);

    assert_int_equal(count(p, OP_add_32), 1);
    assert_int_equal(inst(p, OP_st_shared_32, 0)->imm, 0);
    program_free(p);
}

static void a_product_that_is_only_added_is_fused(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD "mul.lo.s32 %r1, %r0, 12; add.s32 %r2, %r1, %r0;\n"
                                     "mul.wide.s32 %d1, %r2, 4; add.s64 %d2, %d0, %d1;\n"
                                     "shl.b32 %r3, %r2, 3; add.s32 %r4, %r3, %r2;\n"
                                     "st.global.u32 [%d2], %r4;\n" TAIL);

    assert_int_equal(count(p, OP_mad_lo_32), 2);
    assert_int_equal(count(p, OP_mad_wide_s32), 1);
    assert_int_equal(count(p, OP_add_32) + count(p, OP_mul_lo_32) + count(p, OP_shl_32), 0);
    program_free(p);

    p = lowered(HEAD "mul.lo.s32 %r1, %r0, 12; add.s32 %r2, %r1, %r0;\n" /* used twice */
                     "st.global.u32 [%d0], %r2; st.global.u32 [%d0+4], %r1;\n" TAIL);
    assert_int_equal(count(p, OP_mad_lo_32), 0);
    program_free(p);
}

static void floats_are_fused_only_if_asked(void **state)
{
    (void)state;
    const char *text = HEAD "mul.f32 %r1, %r0, %r0; add.f32 %r2, %r1, %r0;\n"
                            "st.global.u32 [%d0], %r2;\n" TAIL;
    struct program *p = lowered(text);
    struct err e;

    assert_int_equal(count(p, OP_fma_f32), 0);
    program_free(p);
    p = load(text, 0, true, &e);
    assert_int_equal(count(p, OP_fma_f32), 1);
    assert_int_equal(count(p, OP_mul_f32), 0);
    program_free(p);
}

static void what_is_computed_twice_is_computed_once(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD "mul.hi.u32 %r1, %r0, 77; setp.gt.u32 %p0, %r1, 5;\n"
                                     "@%p0 bra X;\nmul.hi.u32 %r2, %r0, 77;\n"
                                     "st.global.u32 [%d0], %r2;\nX:\n" TAIL);

    assert_int_equal(count(p, OP_mul_hi_u32), 1);
    program_free(p);
}

/* ---- dead code and branches ---- */

static void what_nobody_needs_goes(void **state)
{
    (void)state;
    struct program *p = lowered(
        HEAD "ld.global.u32 %r1, [%d0]; mul.lo.s32 %r2, %r1, %r1;\n"
             "ld.volatile.global.u32 %r3, [%d0+4]; mov.u32 %r4, %clock;\n"
             "mov.u32 %r5, 0; mov.u32 %r6, 0;\nL: add.s32 %r5, %r5, 3;\n" /* r5: for itself */
             "add.s32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, %r0; @%p0 bra L;\n" TAIL);

    assert_int_equal(count(p, OP_ld_global_32), 1); /* the volatile one */
    assert_int_equal(count(p, OP_mov_clock), 1);
    assert_int_equal(count(p, OP_mul_lo_32), 0);
    assert_int_equal(count(p, OP_add_32), 1);
    program_free(p);
}

static void a_jump_around_a_jump_is_turned_over(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD "setp.eq.u32 %p0, %r0, 1; @%p0 bra A; bra B;\n"
                                     "A: st.global.u32 [%d0], %r0; bra C; C: bra D; D:\n"
                                     "B: bra E; E:\n" TAIL);

    assert_int_equal(count(p, OP_bra), 1);
    assert_true(inst(p, OP_bra, 0)->guard_not);
    assert_int_equal(p->ir[0]->n_block, 3);
    assert_int_equal(p->ir[0]->block[0].ipdom, 2);
    program_free(p);
}

/* ---- the order of instructions ---- */

static void loads_come_before_what_does_not_need_them(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD "mul.hi.u32 %r1, %r0, 3; mul.hi.u32 %r2, %r1, 5;\n"
                                     "ld.global.u32 %r3, [%d0]; add.s32 %r4, %r2, %r3;\n"
                                     "st.global.u32 [%d0+4], %r4;\n" TAIL);

    assert_true(find(p, OP_ld_global_32, 0) < find(p, OP_mul_hi_u32, 0));
    program_free(p);
}

/* A load may pass a store to other bytes from the same base, and one to another space. */
static void a_load_passes_only_stores_that_cannot_touch_it(void **state)
{
    (void)state;
    struct program *p =
        lowered(HEAD ".shared .b8 s[64];\nmul.hi.u32 %r1, %r0, 3; mul.hi.u32 %r2, %r1, 5;\n"
                     "st.global.u32 [%d0+4], %r2; st.shared.u32 [s], %r2;\n"
                     "ld.global.u32 %r3, [%d0]; st.global.u32 [%d0+12], %r3;\n" TAIL);
    assert_true(find(p, OP_ld_global_32, 0) < find(p, OP_st_global_32, 0));
    assert_true(find(p, OP_ld_global_32, 0) < find(p, OP_st_shared_32, 0));
    program_free(p);

    p = lowered(HEAD "mul.wide.u32 %d1, %r0, 4; add.s64 %d2, %d0, %d1;\n"
                     "mul.hi.u32 %r1, %r0, 3; mul.hi.u32 %r2, %r1, 5;\n"
                     "st.global.u32 [%d2], %r2;\n"
                     "ld.global.u32 %r3, [%d0]; st.global.u32 [%d0+12], %r3;\n" TAIL);
    assert_true(find(p, OP_ld_global_32, 0) > find(p, OP_st_global_32, 0));
    program_free(p);
}

/* Addresses wrap: bytes from 2^63 - 4 on are followed by those from -2^63 on. */
static void a_load_stays_behind_a_store_that_wraps_onto_it(void **state)
{
    (void)state;
    struct program *p = lowered(
        HEAD "mul.hi.u32 %r1, %r0, 3; cvt.u64.u32 %d1, %r1;\n"
             "st.global.u64 [%d0+0x7ffffffffffffffc], %d1;\n"
             "ld.global.u32 %r3, [%d0+0x8000000000000000]; st.global.u32 [%d0+12], %r3;\n" TAIL);

    assert_true(find(p, OP_ld_global_32, 0) > find(p, OP_st_global_64, 0));
    program_free(p);
}

/* Sums of offsets wrap as addresses do. */
static void offsets_at_the_end_of_the_address_space_fold(void **state)
{
    (void)state;
    struct program *p =
        lowered(HEAD ".local .b8 l[32]; .shared .b8 s[32];\nmov.u64 %d1, l;\n"
                     "st.local.u32 [%d1+0x7fffffffffffffff], %r0; st.local.u32 [%d1-4], %r0;\n"
                     "st.shared.u32 [s+0x7fffffffffffffff], %r0;\n"
                     "st.global.u32 [0x7ffffffffffffffc+8], %r0;\n" TAIL);

    assert_int_equal(inst(p, OP_st_global_32, 0)->imm, INT64_MIN + 4);
    program_free(p);
}

static void volatile_accesses_and_clocks_keep_their_order(void **state)
{
    (void)state;
    struct program *p =
        lowered(HEAD "mov.u32 %r1, %clock; ld.volatile.global.u32 %r2, [%d0];\n"
                     "st.global.u32 [%d0+8], %r1; st.volatile.global.u32 [%d0+4], %r2;\n"
                     "ld.global.u32 %r4, [%d0+64]; mov.u32 %r3, %clock; bar.sync 0;\n"
                     "st.global.u32 [%d0+16], %r3; st.global.u32 [%d0+20], %r4;\n" TAIL);
    static const u16 want[] = {OP_mov_clock,    OP_ld_global_32, OP_st_global_32, OP_st_global_32,
                               OP_ld_global_32, OP_mov_clock,    OP_bar,          OP_st_global_32,
                               OP_st_global_32, OP_ret};
    u32 k = 0;

    for (u32 i = 0; i < p->ir[0]->n_inst; i++)
        if (op_info[p->ir[0]->inst[i].op].space != SP_PARAM)
            assert_int_equal(p->ir[0]->inst[i].op, want[k++]);
    assert_int_equal(k, LEN(want));
    program_free(p);
}

/* ---- lines of source ---- */

static u32 line_of(const struct program *p, enum op op, u32 k)
{
    return inst(p, op, k)->loc_line;
}

/* .loc with line 0: a compiler that moved the code does not know. */
static void every_instruction_has_a_line_of_source(void **state)
{
    (void)state;
    struct program *p =
        load(".version 6.0\n.target sm_60\n.address_size 64\n.file 1 \"k.cu\"\n"
             ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
             ".reg .b32 %r<40>; .reg .b64 %d<40>; .reg .pred %p<8>;\n"
             "ld.param.u64 %d0, [a]; ld.param.u32 %r0, [n];\n" /* before any: the first */
             ".loc 1 10 1\nsetp.eq.u32 %p0, %r0, 3; @%p0 bra E;\n"
             ".loc 1 0 1\nmul.hi.u32 %r1, %r0, 3;\n" /* the next of its block */
             ".loc 1 12 1\nld.global.u32 %r2, [%d0]; st.global.u32 [%d0+4], %r1;\n"
             ".loc 1 0 1\nst.global.u32 [%d0+8], %r2; bra E;\nE:\n" /* the last before */
             "xor.b32 %r3, %r0, 5; st.global.u64 [%d0+16], %d0;\n"
             ".loc 1 15 1\nst.shared.u32 [%r3], %r3; ret;\n}\n",
             0, false, &(struct err){0});

    assert_non_null(p);
    assert_int_equal(line_of(p, OP_ld_param_64, 0), 10);
    assert_int_equal(line_of(p, OP_mul_hi_u32, 0), 12);
    assert_int_equal(line_of(p, OP_ld_global_32, 0), 12);
    assert_int_equal(line_of(p, OP_st_global_32, 1), 12);
    assert_int_equal(line_of(p, OP_st_global_64, 0), 15);
    for (u32 i = 0; i < p->n_inst; i++) {
        assert_true(p->loc[i].src_line > 0);
        assert_int_equal(p->loc[i].file, 1);
    }
    program_free(p);
}

/* What is spilled belongs to the instruction that needs it. */
static void spills_have_lines_too(void **state)
{
    (void)state;
    struct program *p =
        load(".version 6.0\n.target sm_60\n.address_size 64\n.file 1 \"k.cu\"\n"
             ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<40>; .reg .b64 %d0;\n"
             "ld.param.u64 %d0, [a];\n.loc 1 3 1\n"
             "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0]; ld.global.v4.u32 {%r5, %r6, %r7, %r8}, "
             "[%d0+16];\n"
             "ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%d0+32];\n.loc 1 4 1\n"
             "bar.sync 0;\n.loc 1 5 1\nst.global.v4.u32 [%d0+48], {%r12, %r11, %r10, %r9};\n"
             "st.global.v4.u32 [%d0+64], {%r8, %r7, %r6, %r5};\n"
             "st.global.v4.u32 [%d0+80], {%r4, %r3, %r2, %r1}; ret;\n}\n",
             8, false, &(struct err){0});

    assert_non_null(p);
    assert_true(count(p, OP_st_local_32) > 0 && count(p, OP_ld_local_32) > 0);
    for (u32 i = 0; i < p->n_inst; i++) {
        assert_true(p->loc[i].src_line > 0);
        if (p->inst[i].op == OP_st_local_32)
            assert_int_equal(p->loc[i].src_line, 3);
        if (p->inst[i].op == OP_ld_local_32)
            assert_int_equal(p->loc[i].src_line, 5);
    }
    program_free(p);
}

/* ---- registers ---- */

static bool overlap(const struct ir_func *f, u32 a, u32 b)
{
    u32 end_a = f->row[a] + (f->cls[a] == IRC_64 ? 2u : 1u);
    u32 end_b = f->row[b] + (f->cls[b] == IRC_64 ? 2u : 1u);

    if ((f->cls[a] == IRC_PRED) != (f->cls[b] == IRC_PRED))
        return false;
    return f->row[a] < end_b && f->row[b] < end_a;
}

/* No definition may hit the row of a register that is live after it, at the ends of blocks at
 * least; and pairs are even. */
static void check_rows(const struct ir_func *f)
{
    struct live *l = live_new(f);

    for (u32 r = 0; r < f->n_reg; r++) {
        if (f->row[r] == OPND_NONE)
            continue;
        assert_true(f->cls[r] != IRC_64 || f->row[r] % 2 == 0);
        for (u32 s = 0; s < r; s++)
            for (u32 b = 0; b < f->n_block; b++)
                if (f->row[s] != OPND_NONE && live_at_end(l, b, r) && live_at_end(l, b, s))
                    assert_false(overlap(f, r, s));
    }
    live_free(l);
}

static const char sum_of_loads[] = HEAD
    "ld.global.u64 %d1, [%d0+8]; ld.global.u64 %d2, [%d0+16]; ld.global.u64 %d3, [%d0+24];\n"
    "ld.global.u64 %d4, [%d0+32]; ld.global.u64 %d5, [%d0+40]; ld.global.u64 %d6, [%d0+48];\n"
    "mov.u32 %r2, 0;\n"
    "L: add.s64 %d1, %d1, %d2; add.s64 %d2, %d2, %d3; add.s64 %d3, %d3, %d4;\n"
    "add.s64 %d4, %d4, %d5; add.s64 %d5, %d5, %d6; add.s64 %d6, %d6, %d1;\n"
    "add.s32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, %r0; @%p0 bra L;\n"
    "st.global.u64 [%d0], %d6; st.global.u64 [%d0+8], %d5; st.global.u64 [%d0+16], %d4;\n"
    "st.global.u64 [%d0+24], %d3; st.global.u64 [%d0+32], %d2; st.global.u64 [%d0+40], %d1;\n" TAIL;

static void registers_are_no_more_than_are_live(void **state)
{
    (void)state;
    struct program *p = lowered(sum_of_loads);
    const struct ir_func *f = p->ir[0];

    check_rows(f);
    assert_int_equal(f->max_live, 16); /* six sums, the base, n and the counter */
    assert_true(f->n_row <= f->max_live + 3);
    assert_int_equal(f->n_spill, 0);
    assert_int_equal(count(p, OP_mov_64), 0);
    program_free(p);
}

static void a_cap_is_kept_by_spilling(void **state)
{
    (void)state;
    for (u32 cap = 4; cap < 13; cap++) {
        struct err e = {0};
        struct program *p = load(sum_of_loads, cap, false, &e);

        assert_non_null(p);
        check_rows(p->ir[0]);
        assert_true(p->ir[0]->n_row <= cap);
        assert_true(p->ir[0]->n_spill > 0);
        assert_true(p->func[0].frame >= 8);
        program_free(p);
    }
}

static void a_cap_that_no_instruction_fits_is_refused(void **state)
{
    (void)state;
    struct err e = {0};

    assert_null(load(sum_of_loads, 3, false, &e));
    assert_non_null(strstr(e.msg, "kernel k cannot run in 3 registers; it needs at least 4"));
}

static void a_register_that_is_read_before_it_is_written_works(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD "setp.eq.u32 %p0, %r0, 1; @%p0 bra X; mov.u32 %r1, 5;\n"
                                     "X: add.s32 %r2, %r1, %r3; st.global.u32 [%d0], %r2;\n" TAIL);

    check_rows(p->ir[0]);
    program_free(p);
}

/* Each of several results has a row of its own, apart from the operands. */
static void results_of_a_vector_load_stay_clear_of_its_base(void **state)
{
    (void)state;
    struct program *p = lowered(HEAD "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0];\n"
                                     "add.s32 %r1, %r1, %r2; add.s32 %r3, %r3, %r4;\n"
                                     "st.shared.u32 [%r1], %r3;\n" TAIL);
    const struct ir_inst *ld = inst(p, OP_ld_global_32, 0);

    for (u32 i = 0; i < 4; i++) {
        assert_false(overlap(p->ir[0], ld->dst[i], ld->src[0]));
        for (u32 k = 0; k < i; k++)
            assert_false(overlap(p->ir[0], ld->dst[i], ld->dst[k]));
    }
    program_free(p);
}

/*
 * Lanes on one side of a branch hold a pair while those on the other write single registers: in
 * the layout of rows these would lie in each other's way.
 */
static void pairs_and_singles_of_two_sides_share_no_row(void **state)
{
    (void)state;
    struct program *p = lowered(
        HEAD "ld.global.u64 %d1, [%d0]; mov.u32 %r9, %tid.x; setp.lt.u32 %p0, %r9, 7;\n"
             "@%p0 bra A;\nld.global.v2.u32 {%r1, %r2}, [%d0+8]; mul.hi.u32 %r3, %r1, %r2;\n"
             "st.global.u32 [%d0+16], %r3; bra B;\nA: mul.lo.s64 %d2, %d1, %d1;\n"
             "st.global.u64 [%d0+24], %d2;\nB:\n" TAIL);
    const struct ir_func *f = p->ir[0];
    u32 pair = inst(p, OP_ld_global_64, 0)->dst[0];
    const struct ir_inst *single = inst(p, OP_ld_global_32, 0);

    assert_false(overlap(f, pair, single->dst[0]));
    assert_false(overlap(f, pair, single->dst[1]));
    assert_false(overlap(f, pair, inst(p, OP_mul_hi_u32, 0)->dst[0]));
    program_free(p);
}

static u32 registers(bool lower, bool allocated, u32 *n_inst)
{
    static const char text[] =
        HEAD "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3;\n"
             "add.u32 %r4, %r0, %r1; add.u32 %r5, %r4, %r2; add.u32 %r6, %r5, %r3;\n"
             "st.global.u32 [%d0], %r6;\n" TAIL;
    struct ptx_conf conf;
    struct err e = {0};

    sheet_defaults(&ptx_sheet, &conf);
    conf.lower = lower, conf.count = allocated;
    struct program *p =
        program_load("t.ptx", text, sizeof text - 1, &conf, NULL, 0x10000000, false, &e);
    assert_non_null(p);
    u32 regs = p->func[0].regs;

    *n_inst = p->n_inst;
    program_free(p);
    sheet_free(&ptx_sheet, &conf);
    return regs;
}

/*
 * As PTX has it, an address, the parameter and three constants are live at once: 2 + 1 + 3.  Lowered,
 * constants are in the additions, and one register is left for the sum: 2 + 1.
 */
static void ptx_as_it_is_can_have_the_registers_of_lowered_code(void **state)
{
    u32 n[3];

    (void)state;
    assert_int_equal(registers(false, false, &n[0]), 6);
    assert_int_equal(registers(false, true, &n[1]), 3);
    assert_int_equal(registers(true, false, &n[2]), 3);
    assert_int_equal(n[0], 10);
    assert_int_equal(n[1], 10);
    assert_true(n[2] < 10);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(constants_and_copies_move_into_operands),
    cmocka_unit_test(constant_offsets_move_into_addresses),
    cmocka_unit_test(offsets_of_32_bit_addresses_stay),
    cmocka_unit_test(a_product_that_is_only_added_is_fused),
    cmocka_unit_test(floats_are_fused_only_if_asked),
    cmocka_unit_test(what_is_computed_twice_is_computed_once),
    cmocka_unit_test(what_nobody_needs_goes),
    cmocka_unit_test(a_jump_around_a_jump_is_turned_over),
    cmocka_unit_test(loads_come_before_what_does_not_need_them),
    cmocka_unit_test(a_load_passes_only_stores_that_cannot_touch_it),
    cmocka_unit_test(a_load_stays_behind_a_store_that_wraps_onto_it),
    cmocka_unit_test(offsets_at_the_end_of_the_address_space_fold),
    cmocka_unit_test(volatile_accesses_and_clocks_keep_their_order),
    cmocka_unit_test(every_instruction_has_a_line_of_source),
    cmocka_unit_test(spills_have_lines_too),
    cmocka_unit_test(registers_are_no_more_than_are_live),
    cmocka_unit_test(a_cap_is_kept_by_spilling),
    cmocka_unit_test(a_cap_that_no_instruction_fits_is_refused),
    cmocka_unit_test(a_register_that_is_read_before_it_is_written_works),
    cmocka_unit_test(results_of_a_vector_load_stay_clear_of_its_base),
    cmocka_unit_test(pairs_and_singles_of_two_sides_share_no_row),
    cmocka_unit_test(ptx_as_it_is_can_have_the_registers_of_lowered_code),
};

TEST_MAIN(tests)
