/* t_buddy_code.c -- what Buddy SM finds in a kernel's code: which branches can differ, what is passed. */
#include "mech/buddy_code.h"
#include "tests/unit/issue.h"

#define HEAD                                                                                       \
    ".version 6.0 .target sm_35 .address_size 64\n"                                                \
    ".visible .entry k(.param .u64 a, .param .u32 n) {\n"                                          \
    ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>;\n"

struct found {
    struct rig r;
    struct uop *uop;
    struct buddy_code c;
};

static void found_open(struct found *f, const char *text)
{
    const struct conf *conf;
    static const u64 params[2];

    memset(f, 0, sizeof *f);
    rig_open(&f->r, text, KIT_OFF, 1);
    rig_launch(&f->r, "k", 32, params, 2);
    conf = &f->r.k.d->conf;
    f->uop = uop_decode(f->r.k.p, f->r.l.func, &conf->sm, &conf->op, 1);
    buddy_code_read(&f->c, &f->r.l, f->uop);
}

static void found_close(struct found *f)
{
    buddy_code_free(&f->c);
    free(f->uop);
    rig_close(&f->r);
}

/* The only branch of a kernel that computes %p1 by `text`. */
static bool hint_for(const char *text)
{
    char *whole = text_printf("%s%s%s", HEAD, text, "@%p1 bra L; mov.u32 %r9, 1; L: ret; }\n");
    struct found f;
    u32 n = 0;
    bool hint = false;

    found_open(&f, whole);
    for (u32 pc = 0; pc < f.r.k.p->n_inst; pc++)
        if (f.r.k.p->inst[pc].op == OP_bra)
            n++, hint = buddy_code_hint(&f.c, pc);
    assert_int_equal(n, 1);
    found_close(&f);
    free(whole);
    return hint;
}

static void threads_parameters_and_constants_are_the_same(void **state)
{
    (void)state;
    assert_false(hint_for("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5;"));
    assert_false(hint_for("ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, 5;"));
    assert_false(
        hint_for("mov.u32 %r1, %ntid.x; mov.u32 %r2, %laneid; setp.lt.u32 %p1, %r1, %r2;"));
}

static void ctas_memory_and_clocks_can_differ(void **state)
{
    (void)state;
    assert_true(hint_for("mov.u32 %r1, %ctaid.x; setp.lt.u32 %p1, %r1, 5;"));
    assert_true(hint_for("mov.u32 %r1, %smid; setp.lt.u32 %p1, %r1, 5;"));
    assert_true(hint_for("mov.u32 %r1, %clock; setp.lt.u32 %p1, %r1, 5;"));
    assert_true(
        hint_for("ld.param.u64 %rd0, [a]; ld.global.u32 %r1, [%rd0]; setp.lt.u32 %p1, %r1, 5;"));
    assert_true(hint_for(
        "ld.param.u64 %rd0, [a]; atom.global.add.u32 %r1, [%rd0], 1; setp.lt.u32 %p1, %r1, 5;"));
}

static void what_is_computed_from_them_can_too(void **state)
{
    (void)state;
    assert_true(hint_for("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r1, 32, %r2;"
                         "setp.lt.u32 %p1, %r3, 5;"));
    assert_true(hint_for("mov.u32 %r1, %ctaid.x; setp.eq.u32 %p2, %r1, 0; mov.u32 %r3, 1;"
                         "selp.u32 %r3, 1, 2, %p2; setp.lt.u32 %p1, %r3, 5;"));
    /* a write under a condition that differs */
    assert_true(hint_for("mov.u32 %r1, %ctaid.x; setp.eq.u32 %p2, %r1, 0; mov.u32 %r3, 1;"
                         "@%p2 mov.u32 %r3, 2; setp.lt.u32 %p1, %r3, 5;"));
    /* .. and one that overwrites what differed */
    assert_false(hint_for("mov.u32 %r1, %ctaid.x; mov.u32 %r1, 3; setp.lt.u32 %p1, %r1, 5;"));
}

/* A register that is the same at first, and not when the loop comes round. */
static void loops_are_followed_round(void **state)
{
    struct found f;

    (void)state;
    found_open(&f, HEAD "mov.u32 %r1, 0; mov.u32 %r2, %ctaid.x;\n"  /* 0, 1 */
                        "N: setp.lt.u32 %p1, %r1, 5; @%p1 bra M;\n" /* 2, 3 */
                        "mov.u32 %r9, 1; M: add.u32 %r1, %r1, %r2;\n"
                        "setp.lt.u32 %p2, %r1, 50; @%p2 bra N; ret; }\n");
    assert_int_equal(f.r.k.p->inst[3].op, OP_bra);
    assert_true(buddy_code_hint(&f.c, 3));
    found_close(&f);
}

/* 0 setp, 1 bra L, 2, 3 bra J, 4 (L), 5 (J), 6 bra to 0, 7 ret. */
static void what_leads_where(void **state)
{
    struct found f;

    (void)state;
    found_open(&f, HEAD "N: setp.eq.u32 %p1, %r1, 0; @%p1 bra L; mov.u32 %r2, 1; bra J;\n"
                        "L: mov.u32 %r2, 2; J: setp.lt.u32 %p2, %r2, 9; @%p2 bra N; ret; }\n");
    for (u32 pc = 0; pc <= 5; pc++)
        assert_true(buddy_code_passes(&f.c, pc, 5));
    assert_false(buddy_code_passes(&f.c, 6, 5)); /* it may end */
    assert_false(buddy_code_passes(&f.c, 7, 5));
    assert_false(buddy_code_passes(&f.c, 0, 4));
    assert_true(buddy_code_passes(&f.c, 6, 7));
    assert_true(buddy_code_passes(&f.c, 0, 7));
    assert_false(buddy_code_passes(&f.c, PC_NONE, 5));
    assert_false(buddy_code_passes(&f.c, 0, PC_NONE));
    found_close(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_parameters_and_constants_are_the_same),
    cmocka_unit_test(ctas_memory_and_clocks_can_differ),
    cmocka_unit_test(what_is_computed_from_them_can_too),
    cmocka_unit_test(loops_are_followed_round),
    cmocka_unit_test(what_leads_where),
};

TEST_MAIN(tests)
