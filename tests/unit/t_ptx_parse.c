/*
 * The PTX reader: each piece of the grammar as a tree, each mistake as a message.
 * HEAD is three lines, so what follows it begins in line 4.
 */
#include "tests/test_main.h"

#include <stdlib.h>

#include "base/text.h"
#include "front/ptx.h"

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n"
#define BODY HEAD ".entry k(.param .u64 a, .param .u32 n)\n{\n.reg .pred p, q;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"

static struct ptx_module *m;

static int close_module(void **state)
{
    (void)state;
    ptx_free(m);
    m = NULL;
    return 0;
}

static void parse(const char *text)
{
    struct err e = {0};
    ptx_free(m);
    m = ptx_parse("t.ptx", text, strlen(text), &e);
    if (!m)
        fail_msg("%s\n%s", e.msg, e.excerpt);
}

/* The body of a kernel with p, q, %r0..7, %rd0..3 from line 9 on. */
static const struct ptx_func *parse_body(const char *body)
{
    char *text = text_printf("%s%s\n}\n", BODY, body);
    parse(text);
    free(text);
    return m->func[m->n_func - 1];
}

static const struct ptx_opnd *operand(const char *text)
{
    char *body = text_printf("mov.b32 %%r0, %s;", text);
    const struct ptx_func *f = parse_body(body);
    free(body);
    return &f->inst[0].opnd[1];
}

static void expect_int(const char *text, s64 value)
{
    const struct ptx_opnd *o = operand(text);
    assert_int_equal(o->kind, PO_INT);
    if ((s64)o->imm != value)
        fail_msg("%s is %lld, not %lld", text, (long long)o->imm, (long long)value);
}

static void expect_message(const char *text, size_t len, const char *msg)
{
    struct err e = {0};
    struct ptx_module *got = ptx_parse("t.ptx", text, len, &e);
    ptx_free(got);
    assert_null(got);
    assert_string_equal(e.msg, msg);
}

static void head_gives_version_target_and_size(void **state)
{
    (void)state;
    parse(".version 7.10 // x\n.target sm_90a, texmode_independent, debug\n.address_size 64\n");
    assert_int_equal(m->version_major, 7);
    assert_int_equal(m->version_minor, 10);
    assert_int_equal(m->sm, 90);
    assert_int_equal(m->address_size, 64);
    parse(".version 1.4\n.target sm_10, map_f64_to_f32\n");
    assert_int_equal(m->address_size, 32);
}

static void types_have_names_and_sizes(void **state)
{
    (void)state;
    assert_int_equal(ptx_type_find("u32"), PT_U32);
    assert_int_equal(ptx_type_find("u33"), PT_NONE);
    assert_int_equal(ptx_type_find(""), PT_NONE);
    assert_int_equal(ptx_type_bytes(PT_B128), 16);
    assert_int_equal(ptx_type_bytes(PT_PRED), 0);
    for (u32 t = PT_NONE + 1; t < N_PT; t++)
        assert_int_equal(ptx_type_find(ptx_type_name((enum ptx_type)t)), t);
}

static void variables_have_space_type_size_and_alignment(void **state)
{
    (void)state;
    parse(HEAD ".visible .global .align 16 .v4 .f32 v, w[2];\n.extern .shared .b8 s[];\n"
               ".const .u32 a[4][8];\n.global .attribute(.managed) .s32 g;\n.tex .u32 t;\n"
               ".global .samplerref x = { filter_mode = nearest };");
    assert_int_equal(m->n_var, 7);
    assert_int_equal(m->var[0]->size, 16);
    assert_int_equal(m->var[0]->vec, 4);
    assert_int_equal(m->var[1]->size, 32);
    assert_int_equal(m->var[1]->align, 16);
    assert_true(m->var[2]->is_extern && m->var[2]->is_array && m->var[2]->size == 0);
    assert_int_equal(m->var[3]->space, PS_CONST);
    assert_int_equal(m->var[3]->size, 128);
    assert_int_equal(m->var[3]->align, 4);
    assert_int_equal(m->var[5]->type, PT_TEXREF);
    assert_null(m->var[6]->init);
}

static void initialisers_become_bytes(void **state)
{
    (void)state;
    static const u8 bytes[] = {1, 0, 2, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0};
    static const float f[] = {1, 0.5f, -2};
    parse(HEAD ".global .s16 a[2][3] = {{1, 2}, {-1}};\n.global .u8 b[] = {1, 0x2, 03, 0b100, 'A'};" + 0 * 1);
    (void)bytes, (void)f;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(head_gives_version_target_and_size, close_module),
};

TEST_MAIN(tests)
