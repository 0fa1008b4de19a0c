/*
 * t_op_wide.c -- registers wider than the type of an instruction, and vectors
 *
 * The tables of the PTX ISA ("Operand Size Exceeding Instruction-Type Size") for ld, st and cvt: a
 * source is cut to the type, a destination extended, by zeros or by the sign, as the type is.  Moves
 * of vectors, sums in a mov, and accesses of 32 bytes.
 */
#include "tests/props/op_job.h"

struct type {
    const char *name;
    char kind; /* b u s f */
    u32 bits;
};

static const struct type types[] = {
    {"b8", 'b', 8},   {"b16", 'b', 16}, {"b32", 'b', 32}, {"b64", 'b', 64}, {"u8", 'u', 8},
    {"u16", 'u', 16}, {"u32", 'u', 32}, {"u64", 'u', 64}, {"s8", 's', 8},   {"s16", 's', 16},
    {"s32", 's', 32}, {"s64", 's', 64}, {"f32", 'f', 32}, {"f64", 'f', 64},
};

static const u64 value = 0x8899aabbccddeeff;

/* '-' same size, 'c' or 'z' or 's' wider and allowed, 'x' wider and not, ' ' narrower. */
static char table_entry(const struct type *t, const struct type *r)
{
    if (r->bits < t->bits)
        return ' ';
    if (r->bits == t->bits)
        return '-';
    if (t->kind == 'f' ? r->kind != 'b' : t->kind != 'b' && r->kind == 'f')
        return 'x';
    return t->kind == 's' ? 's' : 'z';
}

static u64 cut(u64 v, u32 bits)
{
    return bits == 64 ? v : v & ((1ull << bits) - 1);
}

static u64 extended(const struct type *t, const struct type *r)
{
    u64 v = cut(value, t->bits);

    if (t->kind == 's' && v >> (t->bits - 1))
        v |= ~cut(~0ull, t->bits);
    return cut(v, r->bits);
}

/* Kernel k<i>_<j>: type i through a register of type j. */
static void put_kernel(FILE *o, u32 i, u32 j, const char *body)
{
    const struct type *t = &types[i], *r = &types[j];

    fprintf(
        o,
        ".visible .entry k%u_%u(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %%d<9>; .reg .%s "
        "%%x; ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out];\n",
        i, j, r->name);
    for (; *body; body++)
        if (*body == 'T')
            fputs(t->name, o);
        else if (*body == 'R')
            fprintf(o, "b%u", r->bits);
        else
            fputc(*body, o);
    fputs("\nret;\n}\n", o);
}

static const char load[] = "ld.global.T %x, [%d1]; st.global.R [%d2], %x;",
                  store[] = "ld.global.R %x, [%d1]; st.global.T [%d2], %x;";

static bool loads(const char *body, u32 i, u32 j)
{
    struct kit k;
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);

    fputs(OP_HEAD, o);
    put_kernel(o, i, j, body);
    fclose(o);
    bool ok = kit_try_open(&k, text, KIT_LOWER, NULL, "gtx480");

    assert_true(ok || strstr(k.e.msg, "a register that holds"));
    kit_close(&k);
    free(text);
    return ok;
}

/* Every place of the table: refused, or what it says. */
static void check(const char *what, const char *body,
                  u64 (*ref)(const struct type *t, const struct type *r))
{
    for (u32 i = 0; i < LEN(types); i++)
        for (u32 j = 0; j < LEN(types); j++) {
            char entry = table_entry(&types[i], &types[j]), *text = NULL;
            u64 want = ref(&types[i], &types[j]);
            size_t size = 0;

            if (types[j].bits == 8) /* there are no registers of 8 bits to compute with */
                continue;
            if (entry == ' ' || entry == 'x') {
                assert_false(loads(body, i, j));
                continue;
            }
            FILE *o = open_memstream(&text, &size);

            fputs(OP_HEAD, o);
            put_kernel(o, i, j, body);
            fclose(o);
            struct op_job job = {.in = &value, .n_in = 8, .want = &want, .n_want = 8};

            job.grid = job.block = 1;
            snprintf(job.kernel, sizeof job.kernel, "k%u_%u", i, j);
            op_job_check(what, text, job);
            free(text);
        }
}

/* `out` starts as 0xee in every byte. */
static u64 over(u64 v, u32 bits)
{
    return cut(v, bits) | (0xeeeeeeeeeeeeeeee & ~cut(~0ull, bits));
}

static u64 after_load(const struct type *t, const struct type *r)
{
    return over(extended(t, r), r->bits);
}

static u64 after_store(const struct type *t, const struct type *r)
{
    (void)r;
    return over(value, t->bits);
}

static void loads_extend_to_the_register(void **state)
{
    (void)state;
    check("ld", load, after_load);
}

static void stores_cut_the_register(void **state)
{
    (void)state;
    check("st", store, after_store);
}

/* 64-bit registers of bits with 8, 16 and 32 bits in them: 0xff is -1, 0xeeff -4353, .. */
static void conversions_cut_and_extend(void **state)
{
    static const char text[] = OP_HEAD
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %d<9>; .reg .b32 %w<4>; "
        ".reg "
        ".f64 %g;\nld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; ld.global.u64 %d3, [%d1]; "
        "ld.global.u32 %w1, [%d1];\n"
        "cvt.s64.s8 %d4, %d3; st.global.u64 [%d2], %d4; cvt.u64.u16 %d4, %d3; st.global.u64 "
        "[%d2+8], "
        "%d4; cvt.s64.s32 %d4, %d3; st.global.u64 [%d2+16], %d4;\n"
        "cvt.s8.s32 %d4, %w1; st.global.u64 [%d2+24], %d4; cvt.u16.u32 %d4, %w1; st.global.u64 "
        "[%d2+32], %d4; cvt.s16.s64 %w2, %d3; st.global.u32 [%d2+40], %w2; cvt.u8.u64 %w2, %d3; "
        "st.global.u32 [%d2+44], %w2;\n"
        "mov.b64 %d5, 0x123456783f800000; cvt.f64.f32 %g, %d5; st.global.f64 [%d2+48], %g; "
        "cvt.rn.f32.f64 %d6, 0d4000000000000000; st.global.u64 [%d2+56], %d6; ret;\n}\n";
    const u64 want[] = {~0ull,
                        0xeeff,
                        0xffffffffccddeeff,
                        ~0ull,
                        0xeeff,
                        0x000000ffffffeeff,
                        0x3ff0000000000000,
                        0x40000000};

    (void)state;
    op_job_check("cvt", text,
                 (struct op_job){.kernel = "k",
                                 .in = &value,
                                 .n_in = 8,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = 1});
}

/* ---- vectors */

/* {a, b, c, d} of 10, 20, 30, 40: rotated, swapped, with a constant and a sink. */
static void vectors_are_moved_at_once(void **state)
{
    static const char text[] = OP_HEAD
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %d<9>; .reg .b32 %w<9>; "
        ".reg "
        ".v4 .u32 %v; .reg .v2 .b64 %q; .reg .pred %p;\nld.param.u64 %d1, [in]; ld.param.u64 %d2, "
        "[out]; ld.global.v4.u32 %v, [%d1];\n"
        "mov.v4.u32 {%w1, %w2, %w3, %w4}, %v; mov.v4.b32 {%w1, %w2, %w3, %w4}, {%w2, %w3, %w4, "
        "%w1}; "
        "st.global.v4.u32 [%d2], {%w1, %w2, %w3, %w4};\n"
        "setp.eq.u32 %p, %w1, 20; @%p mov.v2.u32 {%w1, %w2}, {%w2, %w1}; @!%p mov.v2.u32 {%w3, "
        "%w4}, "
        "{1, 2}; mov.v2.u32 {_, %w4}, {5, 6}; st.global.v4.u32 [%d2+16], {%w1, %w2, %w3, %w4};\n"
        "mov.v2.b64 %q, {7, 8}; mov.v2.b64 %q, {%q.y, %q.x}; st.global.v2.b64 [%d2+32], %q; "
        "ret;\n}\n";
    static const u32 in[] = {10, 20, 30, 40}, want[] = {20, 30, 40, 10, 30, 20, 40, 6, 8, 0, 7, 0};

    (void)state;
    op_job_check("mov.v", text,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = 1});
}

static void a_register_and_an_offset_are_moved(void **state)
{
    static const char text[] = OP_HEAD
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %d<9>; .reg .b32 %w<9>; "
        ".reg "
        ".u16 %h<3>;\nld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; ld.global.u32 %w1, [%d1]; "
        "ld.global.u64 %d3, [%d1]; cvt.u16.u32 %h1, %w1;\n"
        "mov.u32 %w2, %w1+4; mov.s32 %w3, %w1-20; mov.u64 %d4, %d3 + 2*8; mov.u16 %h2, %h1+1; "
        "cvt.u32.u16 %w4, %h2;\n"
        "st.global.v2.u32 [%d2], {%w2, %w3}; st.global.u64 [%d2+8], %d4; st.global.u32 [%d2+16], "
        "%w4; "
        "ret;\n}\n";
    static const u32 in[] = {10, 0x80000000}, want[] = {14, (u32)-10, 26, 0x80000000, 11};

    (void)state;
    op_job_check("mov a, b+4", text,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = 1});
}

/* 32 bytes of each thread, turned around; lanes 4 to 7 of 8 leave out a word, or do nothing. */
static void accesses_have_up_to_32_bytes(void **state)
{
    static const char text[] = OP_HEAD
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %d<9>; .reg .b32 %w<12>; "
        ".reg "
        ".f32 %f<9>; .reg .f64 %g<5>; .reg .pred %p;\nld.param.u64 %d1, [in]; ld.param.u64 %d2, "
        "[out]; "
        "mov.u32 %w9, %tid.x; mul.wide.u32 %d3, %w9, 32; add.u64 %d1, %d1, %d3; mad.wide.u32 %d2, "
        "%w9, "
        "128, %d2; and.b32 %w10, %w9, 4; setp.eq.u32 %p, %w10, 0;\n"
        "ld.global.v8.b32 {%w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8}, [%d1];\n"
        "st.global.v8.b32 [%d2], {%w8, %w7, %w6, %w5, %w4, %w3, %w2, %w1};\n"
        "ld.global.v4.b64 {%d4, %d5, %d6, %d7}, [%d1]; st.global.v4.b64 [%d2+32], {%d7, %d6, %d5, "
        "%d4};\n"
        "ld.global.v8.f32 {%f1, _, %f3, %f4, %f5, %f6, %f7, %f8}, [%d1]; mov.f32 %f2, 0f00000000;\n"
        "@%p st.global.v8.f32 [%d2+64], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};\n"
        "ld.global.v4.f64 {%g1, %g2, %g3, %g4}, [%d1]; @!%p ld.global.nc.v4.f64 {%g4, %g3, %g2, "
        "%g1}, "
        "[%d1]; st.global.v4.f64 [%d2+96], {%g1, %g2, %g3, %g4}; ret;\n}\n";
    enum { N = 64 };
    static u32 in[N][8], want[N][32];
    u64 seed = 3;

    (void)state;
    for (u32 t = 0; t < N; t++) {
        bool on = !(t & 4);

        for (u32 k = 0; k < 8; k++)
            in[t][k] = (u32)op_random(&seed) & 0x3fffffff;
        for (u32 k = 0; k < 8; k++) {
            want[t][k] = in[t][7 - k];
            want[t][8 + k] = in[t][(3 - k / 2) * 2 + k % 2];
            want[t][16 + k] = !on ? 0xeeeeeeee : k == 1 ? 0 : in[t][k];
            want[t][24 + k] = on ? in[t][k] : in[t][(3 - k / 2) * 2 + k % 2];
        }
    }
    op_job_check("v8", text,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = N});
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(loads_extend_to_the_register),
    cmocka_unit_test(stores_cut_the_register),
    cmocka_unit_test(conversions_cut_and_extend),
    cmocka_unit_test(vectors_are_moved_at_once),
    cmocka_unit_test(a_register_and_an_offset_are_moved),
    cmocka_unit_test(accesses_have_up_to_32_bytes),
};

TEST_MAIN(tests)
