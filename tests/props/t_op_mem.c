/*
 * t_op_mem.c -- loads and stores: spaces, types, vectors, register widths, cache operators
 *
 * Loads.  128 threads read from 2048 bytes in four variants: neighbours; scattered, with an
 * offset in the address; the same under a guard; all the same word.  The space holds a copy
 * of the input (local memory: 64 bytes a thread); generic addresses mean another space in
 * each of four neighbouring threads.
 *
 * Stores.  Each thread writes into its 16 bytes of four regions: registers, under a guard,
 * immediates, and packed; all bytes of the regions are compared.
 */
#include "tests/props/op_job.h"

enum { N = 128, SLOT = 16, SPAN = N * SLOT, LOCAL = 64, MAX_VEC = 4, JOBS = 40 };
enum { NEXT, SCATTERED, GUARDED, SAME, N_VARIANT };
enum { IMMEDIATE = 2, PACKED = 3 }; /* variants 2 and 3 of stores */

struct access {
    const char *form;
    bool load;
    char space;          /* g s l c p, or * for generic */
    u32 vec, bytes, reg; /* reg: bits of the register */
    char kind;           /* b u s f */
};

static u32 word_start(const char *form, const char *word)
{
    const char *p = strstr(form, word);

    return p ? (u32)(p - form) + 1 : 0;
}

static struct access parse(const char *form, u32 reg)
{
    static const char *const space[] = {".global", ".shared", ".local", ".const", ".param"};
    const char *type = strrchr(form, '.') + 1;
    struct access a = {
        .form = form, .load = form[0] == 'l', .space = '*', .vec = 1, .reg = reg, .kind = type[0]};

    for (u32 i = 0; i < LEN(space); i++)
        if (word_start(form, space[i]))
            a.space = space[i][1];
    a.vec = word_start(form, ".v2") ? 2 : word_start(form, ".v4") ? 4 : 1;
    a.bytes = (u32)strtoul(type + 1, NULL, 10) / 8;
    if (!a.reg)
        a.reg = a.bytes == 1 ? 16 : 8 * a.bytes;
    return a;
}

static const char *reg_name(u32 bits)
{
    return bits == 16 ? "h" : bits == 32 ? "w" : "d";
}

/* ---- the text of a kernel */

static void put_vector(FILE *o, const struct access *a, u32 first)
{
    fputs(a->vec > 1 ? "{" : "", o);
    for (u32 e = 0; e < a->vec; e++)
        fprintf(o, "%s%%%s%u", e ? ", " : "", reg_name(a->reg), first + e);
    fputs(a->vec > 1 ? "}" : "", o);
}

static void put_head(FILE *o, const struct access *a, u32 id, u32 shared, u32 local)
{
    fprintf(o, ".visible .entry k%u(.param .u64 in, .param .u64 out%s)\n{\n", id,
            a->space == 'p' ? ", .param .align 16 .b8 par[64]" : "");
    fprintf(o, ".shared .align 16 .b8 sh[%u]; .local .align 16 .b8 lo[%u];\n", shared, local);
    fputs(".reg .b16 %h<16>; .reg .b32 %w<16>; .reg .b64 %d<32>; .reg .pred %p<4>;\n"
          "ld.param.u64 %d20, [in]; ld.param.u64 %d21, [out]; mov.u32 %w8, %tid.x; cvt.u64.u32 "
          "%d22, %w8;\n"
          "and.b32 %w9, %w8, 3; setp.eq.u32 %p2, %w9, 2;\n"
          "mul.lo.u32 %w10, %w8, 11; shr.u32 %w10, %w10, 3; and.b32 %w10, %w10, 1; setp.ne.u32 "
          "%p1, %w10, 0;\n",
          o);
}

/* Copies 16 bytes of the input at byte `from` to `to`. */
static void put_copy(FILE *o, const char *from, const char *to)
{
    fprintf(o, "ld.global.v2.u64 {%%d24, %%d25}, [%s]; st.%s, {%%d24, %%d25};\n", from, to);
}

/* d10: where the access's space begins. */
static void put_base(FILE *o, char space)
{
    switch (space) {
    case 'g':
        fputs("mov.u64 %d10, %d21;\n", o);
        break;
    case 's':
        fputs("mov.u64 %d10, sh;\n", o);
        break;
    case 'l':
        fputs("mov.u64 %d10, lo;\n", o);
        break;
    case 'c':
        fputs("mov.u64 %d10, ctab;\n", o);
        break;
    default:
        fputs("mov.u64 %d10, sh; cvta.shared.u64 %d10, %d10; mov.u64 %d11, lo; cvta.local.u64 "
              "%d11, %d11;\n"
              "setp.eq.u32 %p3, %w9, 1; selp.b64 %d10, %d10, %d21, %p3; selp.b64 %d10, %d11, %d10, "
              "%p2;\n"
              "mov.u64 %d11, ctab; cvta.const.u64 %d11, %d11; setp.eq.u32 %p3, %w9, 3;\n",
              o);
    }
}

static bool may_be(const struct access *a, char space)
{
    return a->space == space || a->space == '*';
}

static void put_fill_for_load(FILE *o, const struct access *a)
{
    if (may_be(a, 's')) {
        fputs("mad.lo.u32 %w11, %w8, 16, 0; mad.wide.u32 %d23, %w8, 16, %d20; mov.u32 %w12, sh; "
              "add.u32 %w12, %w12, %w11;\n",
              o);
        put_copy(o, "%d23", "shared.v2.u64 [%w12]");
        fputs("bar.sync 0;\n", o);
    }
    if (may_be(a, 'l')) {
        fputs("and.b32 %w11, %w8, 0xfffffffc; mad.wide.u32 %d23, %w11, 16, %d20;\n", o);
        for (u32 i = 0; i < LOCAL; i += SLOT) {
            char from[32], to[48];

            snprintf(from, sizeof from, "%%d23+%u", i);
            snprintf(to, sizeof to, "local.v2.u64 [lo+%u]", i);
            put_copy(o, from, to);
        }
    }
}

/* d12: the address of a variant, d10 + its offset. */
static void put_load_address(FILE *o, const struct access *a, u32 variant)
{
    if (variant == NEXT)
        fprintf(o, "mul.lo.u64 %%d12, %%d22, %u;\n", a->bytes * a->vec);
    else if (variant == SAME)
        fputs("mov.u64 %d12, 48;\n", o);
    else
        fputs("mul.lo.u64 %d12, %d22, 5; and.b64 %d12, %d12, 127; shl.b64 %d12, %d12, 4;\n", o);
    if (a->space == 'l')
        fputs("and.b64 %d12, %d12, 63;\n", o);
    if (a->space == '*')
        fputs("and.b64 %d13, %d12, 63; selp.b64 %d12, %d13, %d12, %p2;\n", o);
    fprintf(o, "add.s64 %%d12, %%d12, %%d10; add.s64 %%d12, %%d12, %d;\n",
            variant == SCATTERED ? -32 : 0);
}

static void put_load(FILE *o, const struct access *a, u32 variant)
{
    if (a->space != 'p')
        put_load_address(o, a, variant);
    for (u32 e = 0; e < a->vec && variant == GUARDED; e++)
        fprintf(o, "ld.global.b%u %%%s%u, [%%d20+%u];\n", a->reg, reg_name(a->reg), e, 8 * e);
    fprintf(o, "%s%s ", variant == GUARDED ? "@%p1 " : "", a->form);
    put_vector(o, a, 0);
    if (a->space == 'p')
        fprintf(o, ", [par+%u];\n", SLOT * variant);
    else
        fprintf(o, ", [%%d12%s];\n", variant == SCATTERED ? "+32" : "");
    for (u32 e = 0; e < a->vec; e++)
        fprintf(o, "st.global.b%u [%%d16+%u], %%%s%u;\n", a->reg, 8 * (variant * MAX_VEC + e),
                reg_name(a->reg), e);
}

static void put_load_kernel(FILE *o, const struct access *a, u32 id)
{
    put_head(o, a, id, SPAN, LOCAL);
    fprintf(o, "mad.wide.u32 %%d16, %%w8, %u, %%d21;\n", 8 * N_VARIANT * MAX_VEC);
    fputs("mov.u64 %d21, %d20;\n", o); /* the global space of a load is its input */
    put_fill_for_load(o, a);
    put_base(o, a->space);
    if (a->space == '*')
        fputs("selp.b64 %d10, %d11, %d10, %p3;\n", o);
    for (u32 v = 0; v < N_VARIANT; v++)
        put_load(o, a, v);
    fputs("ret;\n}\n", o);
}

/* The four regions of a store: in global and shared memory a span each, in local 16 bytes each. */
static void put_store_address(FILE *o, const struct access *a, u32 variant, const char *reg)
{
    u32 stride = variant == PACKED ? a->bytes * a->vec : SLOT;

    fprintf(o, "mul.lo.u64 %s, %%d22, %u; add.s64 %s, %s, %u;\n", reg, stride, reg, reg,
            variant * SPAN);
    if (a->space == 'l')
        fprintf(o, "mov.u64 %s, %u;\n", reg, variant * SLOT);
    if (a->space == '*')
        fprintf(o, "selp.b64 %s, %u, %s, %%p2;\n", reg, variant * SLOT, reg);
    fprintf(o, "add.s64 %s, %s, %%d10;\n", reg, reg);
}

/* Each thread's 16 bytes of every region between the space and the buffers. */
static void put_regions(FILE *o, const struct access *a, bool out)
{
    static const struct {
        char space;
        const char *word, *to;
    } sp[] = {{'s', "shared", "%w12"}, {'l', "local", "%w13"}};

    fputs("mov.u32 %w12, sh; mad.lo.u32 %w12, %w8, 16, %w12; mov.u32 %w13, lo;\n", o);
    for (u32 v = 0; v < N_VARIANT; v++)
        for (u32 i = 0; i < LEN(sp); i++) {
            bool guard = a->space == '*'; /* threads of the other spaces keep their global bytes */
            u32 step = sp[i].space == 's' ? SPAN : SLOT;

            if (!may_be(a, sp[i].space))
                continue;
            fprintf(o, "setp.eq.u32 %%p3, %%w9, %u; mad.wide.u32 %%d23, %%w8, 16, %%d%u;\n", i + 1,
                    out ? 21 : 20);
            if (out)
                fprintf(o,
                        "ld.%s.v2.u64 {%%d24, %%d25}, [%s+%u]; %sst.global.v2.u64 [%%d23+%u], "
                        "{%%d24, %%d25};\n",
                        sp[i].word, sp[i].to, v * step, guard ? "@%p3 " : "", v * SPAN);
            else
                fprintf(o,
                        "ld.global.v2.u64 {%%d24, %%d25}, [%%d23+%u]; st.%s.v2.u64 [%s+%u], "
                        "{%%d24, %%d25};\n",
                        v * SPAN, sp[i].word, sp[i].to, v * step);
        }
    fputs("bar.sync 0;\n", o);
}

static u64 immediate(u32 e)
{
    return 0xfedcba9876543210 >> 4 * e;
}

static void put_immediates(FILE *o, const struct access *a)
{
    fputs(a->vec > 1 ? "{" : "", o);
    for (u32 e = 0; e < a->vec; e++) {
        fputs(e ? ", " : "", o);
        if (a->kind == 'f')
            fprintf(o, a->bytes == 4 ? "0f%08" PRIx64 : "0d%016" PRIx64,
                    immediate(e) & op_mask(8 * a->bytes));
        else
            fprintf(o, "%" PRIu64, immediate(e) & op_mask(8 * a->bytes));
    }
    fputs(a->vec > 1 ? "}" : "", o);
}

static void put_store_kernel(FILE *o, const struct access *a, u32 id)
{
    put_head(o, a, id, may_be(a, 's') ? N_VARIANT * SPAN : SLOT, N_VARIANT * SLOT);
    put_regions(o, a, false);
    put_base(o, a->space);
    for (u32 e = 0; e < a->vec; e++) /* values: of another part of the input */
        fprintf(o, "mad.wide.u32 %%d23, %%w8, 32, %%d20; ld.global.b%u %%%s%u, [%%d23+%u];\n",
                a->reg, reg_name(a->reg), e, 8 * e);
    for (u32 v = 0; v < N_VARIANT; v++) {
        put_store_address(o, a, v, "%d12");
        fprintf(o, "%s%s [%%d12], ", v == 1 ? "@%p1 " : "", a->form);
        if (v == IMMEDIATE)
            put_immediates(o, a);
        else
            put_vector(o, a, 0);
        fputs(";\n", o);
    }
    fputs("bar.sync 0;\n", o);
    put_regions(o, a, true);
    fputs("ret;\n}\n", o);
}

/* ---- what they should do */

static bool guard_of(u32 t)
{
    return t * 11 >> 3 & 1;
}

static u64 extended(const struct access *a, const u8 *p)
{
    u64 v = 0;
    u32 bits = 8 * a->bytes;

    memcpy(&v, p, a->bytes);
    if (a->kind == 's' && v >> (bits - 1))
        v |= ~op_mask(bits);
    return v;
}

static u32 load_offset(const struct access *a, u32 variant, u32 t)
{
    u32 at = variant == NEXT ? t * a->bytes * a->vec : variant == SAME ? 48 : (t * 5 & 127) * SLOT;

    if (a->space == 'p')
        return variant * SLOT;
    if (a->space == 'l' || (a->space == '*' && t % 4 == 2))
        return (t & ~3u) * SLOT + at % LOCAL;
    return at;
}

static void expect_load(const struct access *a, const u8 *in, u8 *want)
{
    for (u32 t = 0; t < N; t++)
        for (u32 v = 0; v < N_VARIANT; v++)
            for (u32 e = 0; e < a->vec; e++) {
                u64 value = extended(a, in + load_offset(a, v, t) + e * a->bytes);

                if (v == GUARDED && !guard_of(t))
                    memcpy(&value, in + 8 * e, 8);
                memcpy(want + 8 * ((t * N_VARIANT + v) * MAX_VEC + e), &value, a->reg / 8);
            }
}

/*
 * Packed stores of generic addresses overlap between spaces only in the compared bytes: each
 * thread copies its own 16 bytes out of its space.
 */
static u32 packed_owner(const struct access *a, u32 t)
{
    return t * a->bytes * a->vec / SLOT;
}

static void stored_value(const struct access *a, const u8 *in, u32 t, u32 v, u8 *to)
{
    for (u32 e = 0; e < a->vec; e++) {
        u64 value = immediate(e);

        if (v != IMMEDIATE)
            memcpy(&value, in + 32 * t + 8 * e, 8);
        memcpy(to + e * a->bytes, &value, a->bytes);
    }
}

static u32 space_of(const struct access *a, u32 t)
{
    return a->space == '*' ? (t % 4 == 1 ? 1 : t % 4 == 2 ? 2 : 0) : a->space == 'l' ? 2 : 0;
}

static void expect_store(const struct access *a, const u8 *in, u8 *want)
{
    memcpy(want, in, N_VARIANT * SPAN);
    for (u32 t = 0; t < N; t++)
        for (u32 v = 0; v < N_VARIANT; v++) {
            u32 at = v == PACKED && space_of(a, t) != 2 ? t * a->bytes * a->vec : t * SLOT;
            bool seen = v != PACKED || space_of(a, t) == 2 ||
                        space_of(a, packed_owner(a, t)) == space_of(a, t);

            if ((v != 1 || guard_of(t)) && seen)
                stored_value(a, in, t, v, want + v * SPAN + at);
        }
}

/* ---- running them */

static u8 input[N_VARIANT * SPAN];

static void write_const(struct kit *k, void *arg)
{
    struct var *v = program_var(k->p, "ctab");

    (void)arg;
    assert_true(v && device_write(k->d, v->addr, input, SPAN, &k->e));
}

static u32 run_batch(const struct access *a, u32 n)
{
    static u8 want[JOBS][N_VARIANT * SPAN > 8 * N * N_VARIANT * MAX_VEC
                             ? N_VARIANT * SPAN
                             : 8 * N * N_VARIANT * MAX_VEC];
    struct op_job job[JOBS];
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);

    fprintf(o, OP_HEAD ".const .align 16 .b8 ctab[%u];\n", SPAN);
    for (u32 i = 0; i < n; i++) {
        job[i] = (struct op_job){.what = a[i].form,
                                 .in = input,
                                 .n_in = sizeof input,
                                 .want = want[i],
                                 .grid = 1,
                                 .block = N};
        snprintf(job[i].kernel, sizeof job[i].kernel, "k%u", i);
        job[i].n_want = a[i].load ? 8 * N * N_VARIANT * MAX_VEC : N_VARIANT * SPAN;
        job[i].overlay = a[i].load ? 0 : sizeof input;
        memcpy(job[i].param, input, sizeof job[i].param);
        memset(want[i], 0xee, sizeof want[i]);
        (a[i].load ? put_load_kernel : put_store_kernel)(o, &a[i], i);
        (a[i].load ? expect_load : expect_store)(&a[i], input, want[i]);
    }
    fclose(o);
    u32 bad = op_jobs_bad(&(struct op_jobs){text, job, n, write_const, NULL});

    free(text);
    return bad;
}

static const char *const forms[] = {
#define LD(form) form,
#define ST(form) form,
#include "tests/props/forms_mem.inc"
#undef LD
#undef ST
};

/* Every register that may hold the element: of its own width, and wider ones for integers. */
static u32 widths(const char *form, u32 reg[3])
{
    struct access a = parse(form, 0);
    u32 n = 0;

    for (u32 bits = 16; bits <= 64; bits *= 2)
        if (bits >= 8 * a.bytes && (bits == 8 * a.bytes || a.kind != 'f'))
            reg[n++] = bits;
    return n;
}

static void check(bool load, char space)
{
    struct access *a = calloc(JOBS, sizeof *a);
    u32 n = 0, bad = 0;
    u64 seed = 77;

    assert_non_null(a);
    for (u32 i = 0; i < sizeof input; i++)
        input[i] = (u8)op_random(&seed);
    for (u32 i = 0; i < LEN(forms); i++) {
        u32 reg[3], n_reg = widths(forms[i], reg);

        if (parse(forms[i], 0).load != load || parse(forms[i], 0).space != space)
            continue;
        for (u32 r = 0; r < n_reg; r++) {
            a[n++] = parse(forms[i], reg[r]);
            if (n == JOBS)
                bad += run_batch(a, n), n = 0;
        }
    }
    bad += n ? run_batch(a, n) : 0;
    free(a);
    if (bad)
        fail_msg("%u runs differ from the reference", bad);
}

#define FAMILY(name, load, space)                                                                  \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check(load, space);                                                                        \
    }

FAMILY(ld_global_with_every_cache_operator, true, 'g')
FAMILY(ld_shared_and_volatile, true, 's')
FAMILY(ld_local, true, 'l')
FAMILY(ld_const, true, 'c')
FAMILY(ld_param_of_a_kernel, true, 'p')
FAMILY(ld_generic_from_four_spaces_at_once, true, '*')
FAMILY(st_global_with_every_cache_operator, false, 'g')
FAMILY(st_shared_and_volatile, false, 's')
FAMILY(st_local, false, 'l')
FAMILY(st_generic_to_three_spaces_at_once, false, '*')

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ld_global_with_every_cache_operator),
    cmocka_unit_test(ld_shared_and_volatile),
    cmocka_unit_test(ld_local),
    cmocka_unit_test(ld_const),
    cmocka_unit_test(ld_param_of_a_kernel),
    cmocka_unit_test(ld_generic_from_four_spaces_at_once),
    cmocka_unit_test(st_global_with_every_cache_operator),
    cmocka_unit_test(st_shared_and_volatile),
    cmocka_unit_test(st_local),
    cmocka_unit_test(st_generic_to_three_spaces_at_once),
};

TEST_MAIN(tests)
