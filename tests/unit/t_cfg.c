/* t_cfg.c -- blocks, dominators, post-dominators and loops of small functions drawn by hand */
#include "tests/test_main.h"

#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"
#include "ptx/ir.h"

enum { P = 0 }; /* a predicate */

/* A function with n labels, which nothing stands behind yet. */
static struct ir_func func(u32 n_label)
{
    struct ir_func f = {.name = "f", .is_entry = true, .n_label = n_label};

    f.label = xcalloc(n_label + 1, sizeof(u32));
    ir_reg(&f, IRC_PRED);
    return f;
}

static void label(struct ir_func *f, u32 l)
{
    f->label[l] = f->n_inst;
}

static void work(struct ir_func *f)
{
    ir_add(f, OP_pset, 1)->pdst = P;
}

static void jump(struct ir_func *f, u32 l, bool guarded)
{
    struct ir_inst *in = ir_add(f, OP_bra, 1);

    in->target = l;
    in->guard = guarded ? P : IR_NONE;
}

static void leave(struct ir_func *f, enum op op, bool guarded)
{
    ir_add(f, op, 1)->guard = guarded ? P : IR_NONE;
}

static void check_func(struct ir_func *f)
{
    struct err e;

    assert_true(ir_check(f, &e));
    u32 n = 0;
    for (u32 b = 0; b < f->n_block; b++) {
        assert_int_equal(f->block[b].first, n);
        assert_true(f->block[b].n > 0);
        n += f->block[b].n;
    }
    assert_int_equal(n, f->n_inst);
}

/* if (p) A else B; C */
static void a_diamond_reconverges_at_its_end(void **state)
{
    (void)state;
    struct ir_func f = func(2);
    jump(&f, 0, true);
    work(&f);
    jump(&f, 1, false);
    label(&f, 0), work(&f);
    label(&f, 1), leave(&f, OP_ret, false);
    cfg_build(&f, true);
    check_func(&f);
    assert_int_equal(f.n_block, 4);
    assert_int_equal(f.block[0].ipdom, 3);
    assert_int_equal(f.block[1].ipdom, 3);
    assert_int_equal(f.block[3].ipdom, IR_NONE);
    assert_int_equal(f.block[3].idom, 0);
    assert_int_equal(f.block[0].idom, IR_NONE);
    assert_int_equal(f.block[0].succ[0], 1); /* fall-through first */
    assert_int_equal(f.block[0].succ[1], 2);
    assert_int_equal(f.block[3].n_pred, 2);
    ir_free(&f);
}

static void falling_off_the_end_returns(void **state)
{
    (void)state;
    struct ir_func f = func(1);
    jump(&f, 0, true);
    work(&f);
    label(&f, 0); /* behind the last instruction */
    cfg_build(&f, false);
    check_func(&f);
    assert_int_equal(f.n_inst, 3);
    assert_int_equal(f.inst[2].op, OP_ret);
    assert_int_equal(f.block[0].ipdom, 2);
    ir_free(&f);

    f = func(0);
    cfg_build(&f, true);
    assert_int_equal(f.n_inst, 1);
    assert_int_equal(f.n_block, 1);
    ir_free(&f);
}

static void a_guarded_exit_has_two_ways_on(void **state)
{
    (void)state;
    struct ir_func f = func(1);
    jump(&f, 0, true);
    leave(&f, OP_exit, true);
    work(&f);
    label(&f, 0), leave(&f, OP_ret, false);
    cfg_build(&f, true);
    check_func(&f);
    assert_int_equal(f.n_block, 4);
    assert_int_equal(f.block[0].ipdom, IR_NONE); /* one side may leave */
    assert_int_equal(f.block[1].ipdom, IR_NONE);
    assert_int_equal(f.block[2].ipdom, 3);
    ir_free(&f);
}

/* for (;;) { if (p) break; if (p) break; } -- both leave to different blocks that meet again */
static void loop_with_two_exits(void **state)
{
    (void)state;
    struct ir_func f = func(4);
    work(&f);
    label(&f, 0), work(&f);
    jump(&f, 1, true);
    jump(&f, 2, true);
    jump(&f, 0, false);
    label(&f, 1), work(&f);
    jump(&f, 3, false);
    label(&f, 2), work(&f);
    label(&f, 3), leave(&f, OP_ret, false);
    cfg_build(&f, true);
    check_func(&f);
    assert_int_equal(f.n_block, 7);
    assert_int_equal(f.block[0].loop_depth, 0);
    assert_int_equal(f.block[1].loop_depth, 1);
    assert_int_equal(f.block[2].loop_depth, 1);
    assert_int_equal(f.block[3].loop_depth, 1);
    assert_int_equal(f.block[4].loop_depth, 0);
    assert_int_equal(f.block[1].ipdom, 6);
    assert_int_equal(f.block[2].ipdom, 6);
    ir_free(&f);
}

static void nested_loops_are_counted(void **state)
{
    (void)state;
    struct ir_func f = func(2);
    work(&f);
    label(&f, 0), work(&f);
    label(&f, 1), work(&f);
    jump(&f, 1, true);
    jump(&f, 0, true);
    leave(&f, OP_ret, false);
    cfg_build(&f, true);
    assert_int_equal(f.n_block, 5);
    assert_int_equal(f.block[0].loop_depth, 0);
    assert_int_equal(f.block[1].loop_depth, 1);
    assert_int_equal(f.block[2].loop_depth, 2);
    assert_int_equal(f.block[3].loop_depth, 1);
    assert_int_equal(f.block[4].loop_depth, 0);
    ir_free(&f);
}

/* Branches in a loop that never ends still reconverge inside it. */
static void an_infinite_loop_has_post_dominators(void **state)
{
    (void)state;
    struct ir_func f = func(2);
    label(&f, 0), work(&f);
    jump(&f, 1, true);
    work(&f);
    label(&f, 1), work(&f);
    jump(&f, 0, false);
    cfg_build(&f, true);
    check_func(&f);
    assert_int_equal(f.n_block, 3);
    assert_int_equal(f.block[0].ipdom, 2);
    assert_int_equal(f.block[2].ipdom, IR_NONE);
    ir_free(&f);
}

static void a_table_branch_reaches_all_its_targets(void **state)
{
    (void)state;
    struct ir_func f = func(4);
    u32 r = ir_reg(&f, IRC_32);
    f.table = xcalloc(1, sizeof(f.table[0]));
    f.n_table = 1;
    f.table[0] = (struct ir_table){4, xcalloc(4, sizeof(u32))};
    for (u32 i = 0; i < 4; i++)
        f.table[0].target[i] = i == 3 ? 0 : i;
    struct ir_inst *in = ir_add(&f, OP_brx, 1);
    in->src[0] = r, in->target = 0;
    for (u32 i = 0; i < 3; i++) {
        label(&f, i), work(&f);
        jump(&f, 3, false);
    }
    label(&f, 3), leave(&f, OP_ret, false);
    cfg_build(&f, true);
    check_func(&f);
    assert_int_equal(f.n_block, 5);
    assert_int_equal(f.block[0].n_succ, 3);
    assert_int_equal(f.block[0].ipdom, 4);
    assert_int_equal(f.table[0].target[3], 1);
    ir_free(&f);
}

static struct ir_func with_dead_code(void)
{
    struct ir_func f = func(2);

    jump(&f, 1, false);
    label(&f, 0), work(&f);
    jump(&f, 1, true);
    jump(&f, 0, false);
    label(&f, 1), leave(&f, OP_ret, false);
    return f;
}

static void unreachable_code_goes_only_if_asked(void **state)
{
    (void)state;
    struct ir_func f = with_dead_code();
    cfg_build(&f, false);
    check_func(&f);
    assert_int_equal(f.n_inst, 5);
    assert_int_equal(f.n_block, 4);
    assert_int_equal(f.block[1].ipdom, IR_NONE);
    assert_int_equal(f.block[1].idom, IR_NONE);
    assert_int_equal(f.block[1].loop_depth, 0);
    assert_int_equal(f.block[0].ipdom, 3);
    ir_free(&f);

    f = with_dead_code();
    cfg_build(&f, true);
    check_func(&f);
    assert_int_equal(f.n_inst, 2);
    assert_int_equal(f.n_block, 2);
    assert_int_equal(f.inst[0].target, 1);
    ir_free(&f);
}

/* ---- against the definition: x post-dominates b if b cannot leave once x is taken out ---- */

static bool leaves_without(const struct ir_func *f, u32 b, u32 x, bool *seen)
{
    const struct ir_block *k = &f->block[b];

    if (b == x || seen[b])
        return false;
    seen[b] = true;
    if (f->inst[k->first + k->n - 1].op == OP_ret)
        return true;
    for (u32 i = 0; i < k->n_succ; i++)
        if (leaves_without(f, k->succ[i], x, seen))
            return true;
    return false;
}

static bool post_dominates(const struct ir_func *f, u32 x, u32 b)
{
    bool *seen = xcalloc(f->n_block, sizeof(bool));
    bool leaves = leaves_without(f, b, x, seen);

    free(seen);
    return !leaves;
}

static bool can_leave(const struct ir_func *f)
{
    for (u32 b = 0; b < f->n_block; b++)
        if (post_dominates(f, IR_NONE, b))
            return false;
    return true;
}

static struct ir_func random_func(struct rng *r)
{
    u32 n = 3 + rng_below(r, 12);
    struct ir_func f = func(n);

    for (u32 i = 0; i < n; i++) {
        label(&f, i), work(&f);
        if (rng_below(r, 6) == 0)
            leave(&f, OP_ret, rng_below(r, 2));
        else if (rng_below(r, 4))
            jump(&f, rng_below(r, n), rng_below(r, 4));
    }
    cfg_build(&f, true);
    return f;
}

static void check_ipdoms(const struct ir_func *f)
{
    for (u32 b = 0; b < f->n_block; b++) {
        u32 ip = f->block[b].ipdom;

        assert_true(ip == IR_NONE || (ip != b && post_dominates(f, ip, b)));
        for (u32 x = 0; x < f->n_block; x++) /* every other one post-dominates the nearest */
            if (x != b && x != ip && post_dominates(f, x, b))
                assert_true(ip != IR_NONE && post_dominates(f, x, ip));
    }
}

static void random_graphs_match_the_definition(void **state)
{
    (void)state;
    struct rng r = rng_make(1);
    u32 n = 0;

    for (u32 i = 0; i < 2000; i++) {
        struct ir_func f = random_func(&r);

        check_func(&f);
        if (can_leave(&f)) {
            check_ipdoms(&f);
            n++;
        }
        ir_free(&f);
    }
    assert_true(n > 500);
}

static void equal_constants_share_a_place(void **state)
{
    (void)state;
    struct ir_func f = func(0);

    for (u64 i = 0; i < 1000; i++)
        assert_int_equal(ir_imm(&f, i << 32), IR_IMM | i);
    assert_int_equal(ir_imm(&f, 77ull << 32), IR_IMM | 77);
    assert_int_equal(f.n_imm, 1000);
    ir_free(&f);
}

static void a_guarded_write_reads_its_target(void **state)
{
    (void)state;
    struct ir_func f = func(0);
    u32 reg[IR_MAX_OPND], a = ir_reg(&f, IRC_32), b = ir_reg(&f, IRC_32);
    struct ir_inst *in = ir_add(&f, OP_mov_32, 1);

    in->dst[0] = a, in->src[0] = b;
    assert_int_equal(ir_uses(&f, in, reg), 1);
    assert_int_equal(reg[0], b);
    in->guard = P;
    assert_int_equal(ir_uses(&f, in, reg), 3);
    assert_int_equal(ir_defs(&f, in, reg), 1);
    assert_int_equal(reg[0], a);
    ir_free(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_diamond_reconverges_at_its_end),
    cmocka_unit_test(falling_off_the_end_returns),
    cmocka_unit_test(a_guarded_exit_has_two_ways_on),
    cmocka_unit_test(loop_with_two_exits),
    cmocka_unit_test(nested_loops_are_counted),
    cmocka_unit_test(an_infinite_loop_has_post_dominators),
    cmocka_unit_test(a_table_branch_reaches_all_its_targets),
    cmocka_unit_test(unreachable_code_goes_only_if_asked),
    cmocka_unit_test(random_graphs_match_the_definition),
    cmocka_unit_test(equal_constants_share_a_place),
    cmocka_unit_test(a_guarded_write_reads_its_target),
};

TEST_MAIN(tests)
