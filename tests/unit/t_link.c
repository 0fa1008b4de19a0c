/* t_link.c -- PTX texts joined: whose name is whose, what is refused */
#include "ptx/link/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/parse/ptx.h"
#include "tests/test_main.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"

/* The joined text of up to three, called a, b and c; NULL and e. */
static char *join(const char *const text[3], struct err *e)
{
    static const char *const path[] = {"a", "b", "c"};
    struct ptx_link *l = ptx_link_new();
    bool ok = true;

    for (u32 i = 0; i < 3 && text[i] && ok; i++)
        ok = ptx_link_add(l, path[i], text[i], strlen(text[i]), e);
    char *joined = ok ? ptx_link_finish(l, e) : NULL;

    ptx_link_free(l);
    return joined;
}

#define JOIN(...) join((const char *const[3]){__VA_ARGS__}, &(struct err){.status = 0})

static void refuses(const char *want, const char *a, const char *b)
{
    struct err e;
    char *joined = join((const char *const[3]){a, b, NULL}, &e);

    assert_null(joined);
    assert_string_equal(e.msg, want);
}

static struct ptx_module *parse(const char *text)
{
    struct err e;
    struct ptx_module *m = ptx_parse("joined", text, strlen(text), &e);

    if (!m)
        err_print(&e, stdout);
    assert_non_null(m);
    return m;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static void declarations_find_their_definitions(void **state)
{
    (void)state;
    char *text =
        JOIN(HEAD ".extern .func (.param .b32 r) f(.param .b32 p);\n"
                  ".extern .global .align 4 .u32 x;\n"
                  ".visible .entry k()\n{\n.reg .b32 %r<2>;\nld.global.u32 %r1, [x];\nret;\n}\n",
             HEAD ".visible .global .align 4 .u32 x = 3;\n"
                  ".visible .func (.param .b32 r) f(.param .b32 p)\n{\nret;\n}\n");
    struct ptx_module *m = parse(text);

    assert_int_equal(m->n_func, 2);
    assert_int_equal(m->n_var, 1);
    assert_false(m->var[0]->is_extern);
    assert_int_equal(m->var[0]->init[0], 3);
    ptx_free(m);
    free(text);
}

static void a_table_is_declared_as_it_is_defined(void **state)
{
    (void)state;
    char *text =
        JOIN(HEAD ".extern .global .align 8 .b8 t[];\n"
                  ".visible .entry k()\n{\n.reg .b64 %d<2>;\nld.global.u64 %d1, [t+8];\nret;\n}\n",
             HEAD ".visible .func f()\n{\nret;\n}\n"
                  ".visible .global .align 8 .u64 t[2] = {f, f};\n");
    struct ptx_module *m = parse(text);

    assert_int_equal(m->var[0]->size, 16);
    ptx_free(m);
    free(text);
}

static void what_is_of_one_text_stays_apart(void **state)
{
    (void)state;
    const char *one =
        HEAD ".global .u32 own = 1;\n.visible .global .u32 _ZL1s;\n"
             ".func add()\n{\nret;\n}\n"
             ".weak .entry _ZL1kv()\n{\n.reg .b32 %r<3>;\nld.global.u32 %r1, [own];\n"
             "add.u32 %r2, %r1, 1;\nst.global.u32 [_ZL1s], %r2;\ncall add;\nret;\n}\n";
    char *text = JOIN(one, one);
    struct ptx_module *m = parse(text);

    assert_int_equal(m->n_func, 4);
    assert_int_equal(m->n_var, 4);
    has(text, "[own$0]"), has(text, "[own$1]"), has(text, "[_ZL1s$1]"), has(text, "call add$1;");
    has(text, "add.u32 %r2"), has(text, ".entry _ZL1kv$0(");
    ptx_free(m);
    free(text);
}

static void weak_ones_give_way(void **state)
{
    (void)state;
    char *text =
        JOIN(HEAD ".weak .global .u32 x = 1;\n.weak .func f()\n{\nexit;\n}\n"
                  ".visible .entry k()\n{\ncall f;\nret;\n}\n.weak .entry t()\n{\nret;\n}\n",
             HEAD ".weak .global .u32 x = 2;\n.visible .func f()\n{\ntrap;\n}\n"
                  ".weak .entry t()\n{\ntrap;\n}\n");
    struct ptx_module *m = parse(text);

    assert_int_equal(m->n_func, 3);
    assert_int_equal(m->var[0]->init[0], 1);
    assert_null(strstr(text, "exit"));
    ptx_free(m);
    free(text);
}

static void lines_of_the_source_are_kept(void **state)
{
    (void)state;
    const char *a = HEAD ".visible .entry k()\n{\n.loc 2 7 0\nret;\n}\n.file 1 \"a.cu\"\n"
                         ".file 2 \"a.h\"\n.section .debug_loc { }\n";
    const char *b = ".version 7.1\n.target sm_80\n.address_size 64\n"
                    ".visible .entry q()\n{\n.loc 1 9 0\nret;\n}\n.file 1 \"b.cu\", 1, 2\n";
    char *text = JOIN(a, b);
    struct ptx_module *m = parse(text);

    assert_int_equal(m->sm, 80);
    assert_string_equal(m->file[m->func[0]->inst[0].loc_file], "a.h");
    assert_string_equal(m->file[m->func[1]->inst[0].loc_file], "b.cu");
    assert_int_equal(m->func[1]->inst[0].loc_line, 9);
    ptx_free(m);
    free(text);
}

static void the_device_provides_some(void **state)
{
    (void)state;
    char *text = JOIN(HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                           ".extern .func never();\n.extern .shared .align 4 .b8 s[];\n"
                           ".visible .entry k()\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, s;\nret;\n}\n");

    assert_non_null(text);
    free(text);
}

static void mistakes_name_the_texts(void **state)
{
    (void)state;
    const char *uses =
        HEAD ".extern .func _Z1fv();\n.visible .entry k()\n{\ncall _Z1fv;\nret;\n}\n";
    const char *var = HEAD ".visible .global .u32 x;\n";

    refuses("a: undefined device function f (_Z1fv): no file that is linked defines it", uses, var);
    refuses("b: device variable x is defined in a, too", var, var);
    refuses("b: kernel k is defined in a, too", HEAD ".visible .entry k()\n{\nret;\n}\n",
            HEAD ".visible .entry k()\n{\ntrap;\n}\n");
    refuses("b: x is declared as .const, and defined in a as .global", var,
            HEAD ".extern .const .u32 x;\n.visible .entry k()\n{\n.reg .b32 %r<2>;\n"
                 "ld.const.u32 %r1, [x];\nret;\n}\n");
    refuses("b: addresses of 32 bits cannot be linked with a's, of 64", var,
            ".version 6.0\n.target sm_35\n.address_size 32\n");
}

static void texts_that_cannot_be_cut_are_refused(void **state)
{
    (void)state;
    refuses("a: no PTX: it does not say .version and .target", "", NULL);
    refuses("a:7: the text ends within brackets", HEAD ".visible .entry k()\n{\nret;\n", NULL);
    refuses("a:4: several variables in one declaration cannot be linked: give each its own",
            HEAD ".global .u32 a, b;\n", NULL);
    refuses("a:4: a text with registers outside of functions cannot be linked with others",
            HEAD ".reg .u32 %r;\n", NULL);
    refuses("a:4: expected a declaration", HEAD ".visible x;\n", NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(declarations_find_their_definitions),
    cmocka_unit_test(a_table_is_declared_as_it_is_defined),
    cmocka_unit_test(what_is_of_one_text_stays_apart),
    cmocka_unit_test(weak_ones_give_way),
    cmocka_unit_test(lines_of_the_source_are_kept),
    cmocka_unit_test(the_device_provides_some),
    cmocka_unit_test(mistakes_name_the_texts),
    cmocka_unit_test(texts_that_cannot_be_cut_are_refused),
};
TEST_MAIN(tests)
