/*
 * t_ptx_parse.c -- the PTX reader: each piece of the grammar as a tree, each mistake as a message
 *
 * HEAD is three lines, so what follows it begins in line 4; what follows BODY in line 9.
 */
#include "tests/test_main.h"

#include <stdlib.h>

#include "base/text.h"
#include "ptx/parse/ptx.h"

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n"
#define BODY                                                                                       \
    HEAD ".entry k(.param .u64 a, .param .u32 n)\n{\n.reg .pred p, q;\n.reg .b32 %r<8>;\n"         \
         ".reg .b64 %rd<4>;\n"

static struct ptx_module *m; /* of the last parse */

static void parse(const char *text)
{
    struct err e = {0};
    ptx_free(m);
    m = ptx_parse("t.ptx", text, strlen(text), &e);
    if (!m)
        fail_msg("%s\n%s", e.msg, e.excerpt);
}

/* A kernel with registers p, q, %r0..7 and %rd0..3. */
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
    assert_int_equal(f->inst[0].n_opnd, 2);
    return &f->inst[0].opnd[1];
}

static void expect_int(const char *text, s64 value)
{
    const struct ptx_opnd *o = operand(text);
    assert_int_equal(o->kind, PO_INT);
    if ((s64)o->imm != value)
        fail_msg("%s is %lld, not %lld", text, (long long)o->imm, (long long)value);
}

static void head_gives_target_and_size(void **state)
{
    (void)state;
    parse(".version 7.10 // x\n.target sm_90a, texmode_independent, debug\n.address_size 64\n");
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
    parse(HEAD ".visible .global .align 32 .v4 .f32 v, w[2];\n.extern .shared .b8 s[];\n"
               ".const .u32 a[4][8];\n.global .attribute(.managed) .s32 g;\n.tex .u32 t;\n"
               ".global .samplerref x = { filter_mode = nearest };");
    assert_int_equal(m->n_var, 7);
    assert_int_equal(m->var[0]->size, 16);
    assert_int_equal(m->var[0]->vec, 4);
    assert_int_equal(m->var[1]->size, 32);
    assert_int_equal(m->var[1]->align, 32);
    assert_true(m->var[2]->is_extern && m->var[2]->is_array && m->var[2]->size == 0);
    assert_int_equal(m->var[3]->space, PS_CONST);
    assert_int_equal(m->var[3]->size, 128);
    assert_int_equal(m->var[3]->align, 4);
    assert_int_equal(m->var[5]->type, PT_TEXREF);
    assert_int_equal(m->var[6]->id, 6);
}

/* Left-out braces and missing numbers as in C: {{1, 2}, {-1}} leaves a hole of one element. */
static void initialisers_become_bytes(void **state)
{
    (void)state;
    static const u8 a[] = {1, 0, 2, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0}, b[] = {1, 2, 3, 4, 255};
    static const float f[] = {1, 0.5f, -2, 3}, v[] = {1, 2, 0, 0, 5, 0, 0, 0};
    static const double d[] = {1, 0.1};
    parse(HEAD
          ".global .s16 a[2][3] = {{1, 2}, {-1}};\n.global .u8 b[] = {1, 0x2, 03, 0b100, -1};\n"
          ".const .f32 f[4] = {0f3F800000, 0.5, -2, 0d4008000000000000};\n"
          ".global .f64 d[2] = {0f3F800000, 1e-1};\n.global .v4 .f32 v[2] = {{1, 2}, {5}};\n"
          ".global .b32 w = 0f40000000;\n.global .u64 x = 0xffffffffffffffff;\n"
          ".global .u32 z[2][2] = {1, 2, 3, 4};");
    assert_memory_equal(m->var[0]->init, a, sizeof(a));
    assert_int_equal(m->var[1]->size, sizeof(b));
    assert_memory_equal(m->var[1]->init, b, sizeof(b));
    assert_memory_equal(m->var[2]->init, f, sizeof(f));
    assert_memory_equal(m->var[3]->init, d, sizeof(d));
    assert_memory_equal(m->var[4]->init, v, sizeof(v));
    assert_int_equal(m->var[5]->init[3], 0x40);
    assert_int_equal(m->var[6]->init[7], 0xff);
    assert_int_equal(m->var[7]->init[12], 4);
}

static void addresses_in_initialisers_become_relocs(void **state)
{
    (void)state;
    parse(HEAD
          ".func f();\n.global .u32 g;\n"
          ".global .u64 a[4] = {g, 7, generic(g+1)+3, f};\n.global .b8 b[3] = {1, 0xFF00(g+8)};\n"
          ".global .u64 self = self;");
    const struct ptx_reloc *r = m->var[1]->reloc;
    assert_ptr_equal(r->var, m->var[0]);
    assert_true(r->off == 0 && r->bytes == 8 && !r->generic);
    r = r->next;
    assert_true(r->off == 16 && r->generic && r->addend == 4);
    r = r->next;
    assert_ptr_equal(r->func, m->func[0]);
    assert_null(r->next);
    assert_int_equal(m->var[1]->init[8], 7);
    r = m->var[2]->reloc;
    assert_true(r->off == 1 && r->bytes == 1 && r->shift == 8 && r->addend == 8);
    assert_ptr_equal(m->var[3]->reloc->var, m->var[3]);
}

static void an_extern_variable_is_merged_with_its_definition(void **state)
{
    (void)state;
    parse(HEAD
          ".extern .global .u32 x[];\n.global .u64 p = x;\n.visible .global .u32 x[2] = {1, 2};");
    assert_int_equal(m->n_var, 2);
    assert_false(m->var[0]->is_extern);
    assert_int_equal(m->var[0]->size, 8);
    assert_ptr_equal(m->var[1]->reloc->var, m->var[0]);
}

static void functions_have_results_parameters_and_tuning(void **state)
{
    (void)state;
    parse(
        HEAD
        ".extern .func (.param .b32 r) vprintf (.param .b64 _, .param .b64 _);\n"
        ".func .noreturn (.param .align 8 .b8 r[16]) f (.param .b8 s[3], .param .b32 x) { ret; }\n"
        ".visible .entry k(.param .u64 .ptr .global .align 4 a, .param .align 4 .b8 s[12])\n"
        ".maxntid 256, 2 .reqntid 8 .minnctapersm 2 .maxnreg 32 .pragma \"nounroll\"; { ret; }");
    assert_int_equal(m->n_func, 3);
    assert_false(m->func[0]->has_body);
    assert_int_equal(m->func[0]->n_param, 2);
    assert_false(m->func[1]->is_entry);
    assert_int_equal(m->func[1]->ret[0]->size, 16);
    assert_int_equal(m->func[1]->ret[0]->align, 8);
    const struct ptx_func *k = m->func[2];
    assert_true(k->is_entry && k->has_body && k->id == 2);
    assert_int_equal(k->param[0]->align, 8);
    assert_int_equal(k->param[1]->size, 12);
    assert_ptr_equal(k->param[1]->func, k);
    assert_true(k->maxntid[0] == 256 && k->maxntid[1] == 2 && k->maxntid[2] == 1);
    assert_true(k->reqntid[0] == 8 && k->reqntid[2] == 1 && k->minnctapersm == 2 &&
                k->maxnreg == 32);
}

static void a_declaration_is_merged_with_its_definition(void **state)
{
    (void)state;
    parse(HEAD
          ".func (.param .b32 _) f (.param .b32 _);\n.entry k() { .reg .b32 %r; .param .b32 a, b;\n"
          "call (b), f, (a); ret; }\n.func (.param .b32 r) f (.param .b32 x) { ret; }");
    assert_int_equal(m->n_func, 2);
    assert_true(m->func[0]->has_body);
    assert_string_equal(m->func[0]->param[0]->name, "x");
    assert_ptr_equal(m->func[0]->param[0]->func, m->func[0]);
    assert_ptr_equal(m->func[1]->inst[0].opnd[1].func, m->func[0]);
}

static void old_register_parameters_are_registers(void **state)
{
    (void)state;
    parse(".version 1.4\n.target sm_10\n.func (.reg .u32 r) f (.reg .u32 x, .reg .pred c)\n"
          "{ @c add.u32 r, x, 1; ret; }");
    const struct ptx_func *f = m->func[0];
    assert_int_equal(f->n_reg, 3);
    assert_int_equal(f->param[0]->space, PS_REG);
    assert_int_equal(f->inst[0].opnd[0].reg, f->ret_reg[0]);
    assert_int_equal(f->inst[0].opnd[1].reg, f->param_reg[0]);
    assert_int_equal(f->inst[0].guard, f->param_reg[1]);
}

static void registers_come_in_ranges_alone_and_as_vectors(void **state)
{
    (void)state;
    const struct ptx_func *f = parse_body(".reg .f32 x, %f<3>; .reg .v4 .f32 %v;\n"
                                          "mov.f32 %v.y, %f2; mov.f32 x, %v.a; ld.v4.f32 %v, [a];");
    assert_int_equal(f->n_reg, 2 + 8 + 4 + 4 + 4);
    assert_string_equal(f->reg[2].name, "%r0");
    assert_int_equal(f->reg[9].number, 7);
    assert_int_equal(f->reg[14].number, -1);
    assert_int_equal(f->reg[14].type, PT_F32);
    assert_string_equal(f->reg[19].name, "%v.y");
    assert_int_equal(f->reg[18].vec, 4);
    assert_int_equal(f->inst[0].opnd[0].reg, 19);
    assert_int_equal(f->inst[0].opnd[1].reg, 17);
    assert_int_equal(f->inst[1].opnd[1].reg, 21);
    const struct ptx_opnd *whole = &f->inst[2].opnd[0];
    assert_true(whole->kind == PO_VEC && whole->n_elem == 4 && whole->elem[3].reg == 21);
}

/* As LLVM writes a call: the same names in every block. */
static void blocks_have_their_own_names(void **state)
{
    (void)state;
    const struct ptx_func *f =
        parse_body("{ .param .b32 x; .reg .b32 %r1; st.param.b32 [x+0], %r1; }\n"
                   "{ .param .b64 x; st.param.b64 [x], %rd1; { .reg .b64 x; mov.b64 x, 0; } "
                   "}\nmov.b32 %r1, 0;");
    assert_int_equal(f->n_var, 2);
    assert_ptr_equal(f->inst[0].opnd[0].elem[0].var, f->var[0]);
    assert_ptr_equal(f->inst[1].opnd[0].elem[0].var, f->var[1]);
    assert_int_equal(f->inst[0].opnd[1].reg, 14);
    assert_int_equal(f->inst[2].opnd[0].kind, PO_REG);
    assert_int_equal(f->inst[3].opnd[0].reg, 3);
}

static void labels_may_be_used_before_they_stand(void **state)
{
    (void)state;
    const struct ptx_func *f =
        parse_body("bra $L__BB0_2;\nL1: mov.b32 %r1, 0;\n"
                   "@!p bra.uni L1; { bra in; }\n$L__BB0_2: { in: ret; }\nend:");
    assert_int_equal(f->n_label, 4);
    assert_string_equal(f->label[f->inst[0].opnd[0].label].name, "$L__BB0_2");
    assert_int_equal(f->label[f->inst[0].opnd[0].label].inst, 4);
    assert_int_equal(f->label[f->inst[2].opnd[0].label].inst, 1);
    assert_string_equal(f->label[f->inst[3].opnd[0].label].name, "in");
    assert_int_equal(f->label[3].inst, 5);
    assert_true(f->inst[2].has_guard && f->inst[2].guard_not && f->inst[2].guard == 0);
}

/* Inline assembly that is used twice brings its labels twice. */
static void a_label_of_the_own_block_comes_first(void **state)
{
    (void)state;
    const struct ptx_func *f = parse_body("L: { bra L; L: ret; }\n{ L: ret; { bra L; } }\nbra L;");
    assert_int_equal(f->inst[0].opnd[0].label, 1);
    assert_int_equal(f->inst[3].opnd[0].label, 2);
    assert_int_equal(f->inst[4].opnd[0].label, 0);
}

static void tables_list_labels_functions_and_prototypes(void **state)
{
    (void)state;
    parse(HEAD ".func f(); .func g();\n.entry k() { .reg .b32 i; .reg .b64 h;\n"
               "T: .branchtargets A, B, A;\nC: .calltargets f, g;\n"
               "P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[12]);\n"
               "A: brx.idx i, T; B: call h, C; call (_), h, (), P; }");
    const struct ptx_func *k = m->func[2];
    assert_int_equal(k->n_table, 3);
    assert_int_equal(k->table[0].n, 3);
    assert_int_equal(k->label[k->table[0].label[1]].inst, 1);
    assert_ptr_equal(k->table[1].func[1], m->func[1]);
    assert_int_equal(k->table[2].proto->n_ret, 1);
    assert_int_equal(k->table[2].proto->param[1]->size, 12);
    assert_int_equal(k->inst[0].opnd[1].kind, PO_TABLE);
    assert_int_equal(k->inst[2].opnd[3].table, 2);
    assert_int_equal(k->inst[2].opnd[2].n_elem, 0);
}

static void an_instruction_has_name_suffixes_and_columns(void **state)
{
    (void)state;
    const struct ptx_func *f = parse_body("  ld.volatile.shared::cta.v2.b32 {%r1, _}, [%rd1+-4];");
    const struct ptx_inst *in = &f->inst[0];
    assert_string_equal(in->name, "ld");
    assert_int_equal(in->n_suf, 4);
    assert_string_equal(in->suf[1], "shared::cta");
    assert_true(in->line == 9 && in->col == 3 && in->suf_col[0] == 5);
    assert_int_equal(in->opnd[0].elem[1].kind, PO_SINK);
    assert_int_equal(in->opnd[1].col, 44);
    assert_int_equal(in->opnd[1].off, -4);
    assert_int_equal(in->opnd[1].elem[0].reg, 11);
}

static void operands_of_every_kind(void **state)
{
    (void)state;
    assert_int_equal(operand("0f3F800000")->imm, 0x3f800000);
    assert_int_equal(operand("-0f3F800000")->kind, PO_F32);
    assert_int_equal(operand("0d3FF0000000000000")->kind, PO_FLOAT);
    assert_true(operand("1.5")->imm == operand("0d3FF8000000000000")->imm);
    assert_true(operand("-.5e1")->imm == operand("0dC014000000000000")->imm);
    assert_string_equal(operand("%tid.x")->name, "%tid.x");
    assert_string_equal(operand("%envreg31")->name, "%envreg31");
    assert_int_equal(operand("%clock64")->kind, PO_SREG);
    assert_int_equal(operand("a+8")->off, 8);
    assert_int_equal(operand("k")->kind, PO_FUNC);
    assert_int_equal(operand("[16+4]")->elem[0].imm, 20);
    assert_int_equal(operand("[a-4]")->off, -4);
    const struct ptx_inst *in = parse_body("setp.lt.and.s32 p|q, %r1, 4, !q;")->inst;
    assert_true(in->opnd[0].kind == PO_PAIR && in->opnd[0].elem[1].reg == 1 && in->opnd[3].neg);
    in = parse_body("tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd1, %rd2, {%r5, %r6}];")->inst;
    assert_true(in->opnd[1].kind == PO_TEX && in->opnd[1].n_elem == 3);
    assert_int_equal(in->opnd[1].elem[2].n_elem, 2);
}

static void constant_expressions_are_computed(void **state)
{
    (void)state;
    expect_int("-5", -5);
    expect_int("017", 15);
    expect_int("0b101U", 5);
    expect_int("1+2*3-4/2 % 3", 5);
    expect_int("(1+2)*-3", -9);
    expect_int("1<<4|3&2^1", 19);
    expect_int("~0 >> 60", -1);
    expect_int("(.u64)(-1) >> 60", 15);
    expect_int("-1 < 1U", 0);
    expect_int("-1 < 1 && !(2 == 3) || 0", 1);
    expect_int("2 >= 3 ? 1 : 3 != 4 ? 7 : 8", 7);
    expect_int("WARP_SZ - 1", 31);
    expect_int("(-0x7fffffffffffffff - 1) / -1", INT64_MIN);
}

static void debug_lines_are_kept_and_sections_skipped(void **state)
{
    (void)state;
    parse(HEAD "@@DWARF .byte 0\n/* { */ .file 2 \"a.cu\", 1, 2\n.entry k() {\n"
               ".loc 2 17 5, function_name $s+4, inlined_at 1 2 3\n.pragma \"nounroll\";\nret; }\n"
               ".section .debug_info { .b8 1,2\nL: .b64 x+4 { } }\n.file 1 \"b.cu\"");
    assert_int_equal(m->n_file, 3);
    assert_null(m->file[0]);
    assert_string_equal(m->file[2], "a.cu");
    assert_int_equal(m->func[0]->inst[0].loc_file, 2);
    assert_int_equal(m->func[0]->inst[0].loc_line, 17);
}

static const struct {
    const char *text, *msg;
} module_error[] = {
    {"", "1: expected '.version' first, but the text ends here"},
    {".target sm_20", "1: expected '.version' first, found '.target'"},
    {".version 6.0\n.entry", "2: expected '.target' after .version, found '.entry'"},
    {".version 1.3", "1: PTX version 1.3 is not supported (1.4 to 8.x are)"},
    {".version 4", "1: expected a version like 3.2, found '4'"},
    {".version 4.0 .target sm_x", "1: unknown target 'sm_x'"},
    {".version 4.0 .target debug", "1: .target names no sm_NN"},
    {".version 4.0 .target sm_20 .address_size 16", "1: the address size is 16, not 32 or 64"},
    {HEAD "/* x", "4: a comment that begins here has no end"},
    {HEAD ".pragma \"x\n;", "4: a string that begins here has no end"},
    {HEAD "#", "4: unexpected character: '#'"},
    {HEAD ".foo", "4: unknown directive '.foo'"},
    {HEAD ".alias a, b;", "4: '.alias' is not supported"},
    {HEAD ".entry k() .maxclusterrank 8 {}", "4: '.maxclusterrank' is not supported"},
    {HEAD ".param .b32 r;", "4: a .param variable cannot be declared outside functions"},
    {HEAD ".reg .b32 r;\n.reg .b32 r;", "5: 'r' is already declared in line 4"},
    {HEAD ".reg .b32 r<2000>;", "4: more than 1024 registers outside functions"},
    {HEAD ".entry k()\n.visible .entry l() { ret; }", "5: expected '{' or ';', found '.visible'"},
    {HEAD ".global .u33 x;", "4: '.u33' is no type"},
    {HEAD ".global x;", "4: expected a type, found 'x'"},
    {HEAD ".global .u32 x", "4: expected ',' or ';', but the text ends here"},
    {HEAD ".global .align 3 .u32 x;", "4: the alignment 3 is not a power of two up to 2^20"},
    {HEAD ".global .u32 x;\n.const .u32 x;", "5: 'x' is already declared in line 4"},
    {HEAD ".extern .global .u32 x;\n.global .u64 x;", "5: 'x' is declared differently in line 4"},
    {HEAD ".global .u32 x[];", "4: the array 'x' needs a length"},
    {HEAD ".global .u32 x[1000000000];", "4: an array of more than 1 GB"},
    {HEAD ".shared .u32 x = 1;", "4: 'x' cannot have an initialiser: it is a .shared variable"},
    {HEAD ".extern .global .u32 x = 1;", "4: 'x' is .extern and cannot have an initialiser"},
    {HEAD ".global .u32 x[2] = {1,2,3};", "4: the initialiser of 'x' has more than its 8 bytes"},
    {HEAD ".global .u32 x[2] = {{1}};", "4: there are more braces than dimensions"},
    {HEAD ".global .u8 x = 256;", "4: 256 does not fit in a .u8"},
    {HEAD ".global .u32 x = 1.5;", "4: a floating-point number cannot initialise a .u32"},
    {HEAD ".global .f16 x = 1;", "4: a .f16 cannot have an initialiser"},
    {HEAD ".global .u8 x = x;", "4: an address does not fit in a .u8"},
    {HEAD ".global .u64 x = yy;", "4: 'yy' is not declared"},
    {HEAD ".global .u64 x = 99999999999999999999;",
     "4: number does not fit in 64 bits: '99999999999999999999'"},
    {HEAD ".global .f32 x = 0f12;", "4: malformed number: '0f12'"},
    {HEAD ".global .f64 x = 1e999;", "4: number is outside the range of .f64: '1e999'"},
    {HEAD ".global .b8 x[67108865] = {1};", "4: initialisers of more than 64 MB, or 256 MB in all"},
    {HEAD ".func f() {}\n.func f() {}", "5: 'f' is already declared in line 4"},
    {HEAD ".func f();\n.func f(.param .b32 x) {}", "5: 'f' is declared differently in line 4"},
    {HEAD ".entry k(.param .b32 x,\n.param .b32 x) {}", "5: 'x' is already declared in line 4"},
    {HEAD ".entry k(.u32 x) {}", "4: expected '.param' or '.reg', found '.u32'"},
    {HEAD ".section .x {", "4: a '{' that has no '}'"},
    {HEAD ".entry k() {",
     "4: expected an instruction, a declaration or '}', but the text ends here"},
};

static const struct {
    const char *text, *msg;
} body_error[] = {
    {"mov.b32 %r1 %r2;", "9: expected ',' or ';', found '%r2'"},
    {"mov.b32 %r1, ;", "9: expected an operand, found ';'"},
    {"mov.b32 %r1,\n%q2;", "10: '%q2' is not declared; did you mean '%r2'?"},
    {"mov.b32 %r1, %tod.x;", "9: '%tod' is not declared; did you mean '%tid'?"},
    {"mov.b32 %r1, %r2.x;", "9: '%r2' has no element '.x'"},
    {"mov.b32 %r1, 1/0;", "9: division by zero in a constant expression"},
    {"mov.b32 %r1, 1<<64;", "9: a constant is shifted by less than 0 or more than 63 bits"},
    {"mov.b32 %r1, ~1.5;", "9: '~' needs integer constants"},
    {"mov.b32 %r1, !n;", "9: 'n' is no register"},
    {".reg .b32 %r<3>;\n", "9: '%r0' is already declared in line 7"},
    {".reg .b32 x<1048577>;", "9: more than 1048576 registers in a function"},
    {".reg .b32 x<1048570>;", "9: more than 1048576 registers in a function"},
    {"@%r1 ret;", "9: the guard '%r1' is no predicate"},
    {"bra L;\nM:", "9: there is no label 'L' in this function"},
    {"bra $L_10;\n$L_11:", "9: there is no label '$L_10' in this function; did you mean '$L_11'?"},
    {"bra L; { L: } { L: }", "9: label 'L' stands in several other blocks"},
    {"L:\nL:", "10: label 'L' is already declared in line 9"},
    {"call a;", "9: call: 'a' is a variable, not a function"},
    {"call (%r1);", "9: call without a function"},
    {"T: .calltargets n;", "9: 'n' is no function"},
    {"ld.b32 %r1, [%rd1;", "9: expected ']', found ';'"},
    {"ld.b32 %r1, [1.5];", "9: an address must begin with a register, a variable or a number"},
    {"foo 1,2,3,4,5,6,7,8,9;", "9: more than 8 operands"},
    {"foo.a.a.a.a.a.a.a.a.a.a.a.a.a;", "9: more than 12 suffixes"},
    {".section .x {}", "9: unknown directive '.section'"},
    {".local .pred x;", "9: a .pred can only be a register"},
};

static void expect_message(const char *head, const char *text, const char *msg)
{
    struct err e = {0};
    char *whole = text_printf("%s%s", head, text), *full = text_printf("t.ptx:%s", msg);
    struct ptx_module *got = ptx_parse("t.ptx", whole, strlen(whole), &e);
    assert_null(got);
    assert_string_equal(e.msg, full);
    free(whole);
    free(full);
}

static void mistakes_in_modules_are_told(void **state)
{
    (void)state;
    for (u32 i = 0; i < LEN(module_error); i++)
        expect_message("", module_error[i].text, module_error[i].msg);
}

static void mistakes_in_functions_are_told(void **state)
{
    (void)state;
    for (u32 i = 0; i < LEN(body_error); i++) {
        char *text = text_printf("%s\n}", body_error[i].text);
        expect_message(BODY, text, body_error[i].msg);
        free(text);
    }
}

static void a_message_shows_the_line_and_a_caret(void **state)
{
    (void)state;
    struct err e = {0};
    static const char text[] = HEAD "\t.global .u32 x[;\n";
    assert_null(ptx_parse("t.ptx", text, strlen(text), &e));
    assert_string_equal(e.excerpt, "\t.global .u32 x[;\n\t               ^\n");
}

static void a_zero_byte_is_refused(void **state)
{
    (void)state;
    struct err e = {0};
    static const char text[] = HEAD "\0";
    assert_null(ptx_parse("t.ptx", text, sizeof(text), &e));
    assert_string_equal(e.msg, "t.ptx:4: the text holds a byte 0: is this PTX?");
}

static char *repeat(const char *s, u32 n)
{
    size_t len = strlen(s);
    char *out = xcalloc(n * len + 1, 1);
    for (u32 i = 0; i < n; i++)
        memcpy(out + i * len, s, len);
    return out;
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    char *blocks = repeat("{", 100), *minus = repeat("-", 100), *parens = repeat("(", 100);
    char *deep = text_printf("mov.b32 %%r1, %s1;", minus),
         *deeper = text_printf("mov.b32 %%r1, %s1;", parens);
    expect_message(BODY, blocks, "9: blocks are nested more than 64 deep");
    expect_message(BODY, deep, "9: an expression is nested more than 64 deep");
    expect_message(BODY, deeper, "9: an expression is nested more than 64 deep");
    free(blocks), free(minus), free(parens), free(deep), free(deeper);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(head_gives_target_and_size),
    cmocka_unit_test(types_have_names_and_sizes),
    cmocka_unit_test(variables_have_space_type_size_and_alignment),
    cmocka_unit_test(initialisers_become_bytes),
    cmocka_unit_test(addresses_in_initialisers_become_relocs),
    cmocka_unit_test(an_extern_variable_is_merged_with_its_definition),
    cmocka_unit_test(functions_have_results_parameters_and_tuning),
    cmocka_unit_test(a_declaration_is_merged_with_its_definition),
    cmocka_unit_test(old_register_parameters_are_registers),
    cmocka_unit_test(registers_come_in_ranges_alone_and_as_vectors),
    cmocka_unit_test(blocks_have_their_own_names),
    cmocka_unit_test(labels_may_be_used_before_they_stand),
    cmocka_unit_test(a_label_of_the_own_block_comes_first),
    cmocka_unit_test(tables_list_labels_functions_and_prototypes),
    cmocka_unit_test(an_instruction_has_name_suffixes_and_columns),
    cmocka_unit_test(operands_of_every_kind),
    cmocka_unit_test(constant_expressions_are_computed),
    cmocka_unit_test(debug_lines_are_kept_and_sections_skipped),
    cmocka_unit_test(mistakes_in_modules_are_told),
    cmocka_unit_test(mistakes_in_functions_are_told),
    cmocka_unit_test(a_message_shows_the_line_and_a_caret),
    cmocka_unit_test(a_zero_byte_is_refused),
    cmocka_unit_test(nesting_is_bounded),
};

TEST_MAIN(tests)
