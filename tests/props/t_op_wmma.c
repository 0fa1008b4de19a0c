/*
 * t_op_wmma.c -- wmma.load, wmma.mma and wmma.store
 *
 * Matrices in memory, by rows or by columns, with lines as long as they are or longer; loaded,
 * multiplied and stored, from global, shared and generic addresses.  The reference multiplies what is in
 * memory and knows no lanes.  Then each register of the fragments is changed alike, as programs do.
 */
#include "tests/props/mma_ref.h"
#include "tests/props/op_job.h"

enum { MAX_BYTES = 4096, PAD = 16, N_SPACE = 3 };
enum { IN_A = 0, IN_B = MAX_BYTES, IN_C = 2 * MAX_BYTES, IN_ALL = 3 * MAX_BYTES };

struct row {
    const char *form, *shape, *al, *bl, *d, *a, *b, *c;
};

static const struct row forms[] = {
#define WMMA(form, shape, al, bl, d, a, b, c) {form, shape, al, bl, d, a, b, c},
#include "tests/props/forms_wmma.inc"
#undef WMMA
};

struct matrix {
    u32 rows, cols, line; /* of so many elements */
    bool col;
    const struct mma_type *t;
};

struct form {
    const struct row *r;
    struct matrix a, b, c, d;
    u32 m, n, k;
    bool sat;
};

static const struct mma_type *type_of(const char *name)
{
    return mma_type_of(name, strlen(name));
}

static struct matrix matrix(u32 rows, u32 cols, bool col, const char *type, u32 more)
{
    return (struct matrix){rows, cols, (col ? rows : cols) + more, col, type_of(type)};
}

/* `which` varies what the form does not say: layouts of C and D, lengths of lines. */
static struct form form_of(const struct row *r, u32 which)
{
    struct form f = {.r = r, .sat = strstr(r->form, "satfinite") != NULL};
    u32 more = which == 1 ? 0 : PAD;

    assert_int_equal(sscanf(r->shape, "m%un%uk%u", &f.m, &f.n, &f.k), 3);
    f.a = matrix(f.m, f.k, r->al[0] == 'c', r->a, more);
    f.b = matrix(f.k, f.n, r->bl[0] == 'c', r->b, more);
    f.c = matrix(f.m, f.n, which == 2, r->c, more);
    f.d = matrix(f.m, f.n, which != 2, r->d, more);
    return f;
}

/* ---- reference */

static u8 input[IN_ALL], want[MAX_BYTES];

static size_t place(const struct matrix *m, u32 row, u32 col)
{
    return (m->col ? col * m->line + row : row * m->line + col) * (m->t->bits / 8);
}

static u64 get(const struct matrix *m, const u8 *at, u32 row, u32 col)
{
    u64 v = 0;

    memcpy(&v, at + place(m, row, col), m->t->bits / 8);
    return v;
}

static u64 float_sum(const struct form *f, u32 row, u32 col)
{
    double sum = ref_value(f->c.t, get(&f->c, input + IN_C, row, col));

    for (u32 k = 0; k < f->k; k += 4) {
        double a[4], b[4];

        for (u32 i = 0; i < 4; i++) {
            a[i] = ref_value(f->a.t, get(&f->a, input + IN_A, row, k + i));
            b[i] = ref_value(f->b.t, get(&f->b, input + IN_B, k + i, col));
        }
        sum = ref_sum_of_five(a, b, sum);
    }
    return f->d.t->bits == 16 ? ref_f16_bits(sum) : ref_f32_bits(sum);
}

static u64 int_sum(const struct form *f, u32 row, u32 col)
{
    double sum = ref_value(f->c.t, get(&f->c, input + IN_C, row, col));

    for (u32 k = 0; k < f->k; k++)
        sum += ref_value(f->a.t, get(&f->a, input + IN_A, row, k)) *
               ref_value(f->b.t, get(&f->b, input + IN_B, k, col));
    if (f->sat)
        sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x1p31 ? -0x1p31 : sum;
    return (u32)(s64)sum;
}

static double as_double(u64 bits)
{
    double d;

    memcpy(&d, &bits, 8);
    return d;
}

static u64 double_sum(const struct form *f, u32 row, u32 col)
{
    double sum = as_double(get(&f->c, input + IN_C, row, col));
    u64 bits;

    for (u32 k = 0; k < f->k; k++)
        sum = fma(as_double(get(&f->a, input + IN_A, row, k)),
                  as_double(get(&f->b, input + IN_B, k, col)), sum);
    memcpy(&bits, &sum, 8);
    return bits;
}

static void multiply(const struct form *f)
{
    memset(want, 0xee, sizeof want);
    for (u32 row = 0; row < f->m; row++)
        for (u32 col = 0; col < f->n; col++) {
            u64 v = f->a.t->bits == 64 ? double_sum(f, row, col)
                    : f->a.t->is_float ? float_sum(f, row, col)
                                       : int_sum(f, row, col);

            memcpy(want + place(&f->d, row, col), &v, f->d.t->bits / 8);
        }
}

/* ---- operands: numbers near 1, or any integers */

static void fill_matrix(const struct matrix *m, u8 *at, u64 *seed)
{
    for (u32 row = 0; row < m->rows; row++)
        for (u32 col = 0; col < m->cols; col++) {
            u64 r = op_random(seed), v = r;

            if (m->t->bits == 64) {
                double d = (double)(s64)r * 0x1p-62;

                memcpy(&v, &d, 8);
            } else if (!strcmp(m->t->name, "f16")) {
                v = (r & 0x83ff) | (12 + (r >> 40) % 6) << 10;
            } else if (!strcmp(m->t->name, "bf16")) {
                v = (r & 0x807f) | (124 + (r >> 40) % 6) << 7;
            } else if (m->t->is_float) {
                v = (r & 0x807fffff) | (124 + (r >> 40) % 6) << 23;
            }
            memcpy(at + place(m, row, col), &v, m->t->bits / 8);
        }
}

/* ---- the kernel */

static u32 registers(const struct form *f, const struct matrix *m)
{
    if (m->t->bits == 64)
        return m->rows * m->cols / 32;
    if (!strcmp(m->t->name, "f16") && m != &f->c && m != &f->d)
        return 8;
    return m->rows * m->cols * m->t->bits / 32 / 32;
}

static const char *const names[] = {"f", "r", "d"};

static const char *name_of(const struct mma_type *t)
{
    return t->bits == 64 ? names[2] : !strcmp(t->name, "f32") ? names[0] : names[1];
}

static void put_list(FILE *o, const struct form *f, const struct matrix *m, u32 first)
{
    fputc('{', o);
    for (u32 i = 0; i < registers(f, m); i++)
        fprintf(o, "%s%%%s%u", i ? ", " : "", name_of(m->t), first + i);
    fputc('}', o);
}

static void put_access(FILE *o, const struct form *f, const struct matrix *m, const char *what,
                       u32 which, u32 first, u32 at)
{
    static const char *const space[] = {".global", "", ".shared"};
    bool store = what[0] == 's';
    char stride[16] = "";

    if (which != 1)
        snprintf(stride, sizeof stride, ", %u", m->line);
    fprintf(o, "wmma.%s.sync.aligned.%s.%s%s.%s ", what, m->col ? "col" : "row", f->r->shape,
            space[which], m->t->name);
    if (store)
        fprintf(o, "[%s+%u], ", which == 2 ? "%a" : "%out", which == 2 ? at : 0);
    put_list(o, f, m, first);
    if (!store)
        fprintf(o, ", [%s+%u]", which == 2 ? "%a" : "%in", at);
    fprintf(o, "%s;\n", stride);
}

/* 16 KB of shared memory: the input, and a place for D that begins as `out` does. */
static void put_copies(FILE *o, bool before)
{
    fprintf(o,
            "mov.u32 %%i, %%tid.x; mul.lo.u32 %%i, %%i, 4;\nL%u:\n"
            "cvt.u64.u32 %%x, %%i; add.u64 %%y, %%x, %%%s; add.u32 %%j, %%i, %%a;\n",
            before, before ? "in" : "out");
    fputs(before ? "ld.global.u32 %w, [%y]; st.shared.u32 [%j], %w;\n"
                 : "ld.shared.u32 %w, [%j+12288]; st.global.u32 [%y], %w;\n",
          o);
    if (before)
        fprintf(o,
                "mov.u32 %%w, 0xeeeeeeee; setp.lt.u32 %%q, %%i, %u; @%%q st.shared.u32 "
                "[%%j+12288], %%w;\n",
                MAX_BYTES);
    fprintf(o, "add.u32 %%i, %%i, 128; setp.lt.u32 %%q, %%i, %u; @%%q bra L%u;\nbar.sync 0;\n",
            before ? IN_ALL : MAX_BYTES, before);
}

static void put_kernel(FILE *o, const struct form *f, u32 which)
{
    fputs(".visible .entry k(.param .u64 pin, .param .u64 pout)\n{\n"
          ".reg .b32 %r<64>; .reg .f32 %f<64>; .reg .f64 %d<32>; .reg .b64 %in, %out, %x, %y; .reg "
          ".b32 %a, %i, "
          "%j, %w; .reg .pred %q;\n.shared .align 32 .b8 s[16384];\n"
          "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout]; mov.u32 %a, s;\n",
          o);
    if (which == 2)
        put_copies(o, true);
    put_access(o, f, &f->a, "load.a", which, 0, IN_A);
    put_access(o, f, &f->b, "load.b", which, 8, IN_B);
    put_access(o, f, &f->c, "load.c", which, 16, IN_C);
    fprintf(o, "%s ", f->r->form);
    put_list(o, f, &f->d, which == 1 ? 16 : 0), fputs(", ", o), put_list(o, f, &f->a, 0);
    fputs(", ", o), put_list(o, f, &f->b, 8), fputs(", ", o), put_list(o, f, &f->c, 16);
    fputs(";\n", o);
    put_access(o, f, &f->d, "store.d", which, which == 1 ? 16 : 0, IN_ALL);
    if (which == 2)
        put_copies(o, false);
    fputs("ret;\n}\n", o);
}

static void check(const struct row *r, u32 which)
{
    struct form f = form_of(r, which);
    char *ptx = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&ptx, &size);
    u64 seed = which + strlen(r->form);

    memset(input, 0, sizeof input);
    fill_matrix(&f.a, input + IN_A, &seed);
    fill_matrix(&f.b, input + IN_B, &seed);
    fill_matrix(&f.c, input + IN_C, &seed);
    multiply(&f);
    fputs(OP_HEAD, o);
    put_kernel(o, &f, which);
    fclose(o);
    op_job_check(r->form, ptx,
                 (struct op_job){.kernel = "k",
                                 .in = input,
                                 .n_in = sizeof input,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = 32});
    free(ptx);
}

#define FAMILY(name, test)                                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        for (u32 i = 0; i < LEN(forms); i++) {                                                     \
            const struct row *r = &forms[i];                                                       \
            for (u32 which = 0; which < N_SPACE && (test); which++)                                \
                check(r, which);                                                                   \
        }                                                                                          \
    }

FAMILY(wmma_of_f16_with_sums_of_either_kind, !strcmp(r->a, "f16"))
FAMILY(wmma_of_bf16, !strcmp(r->a, "bf16"))
FAMILY(wmma_of_tf32, !strcmp(r->a, "tf32"))
FAMILY(wmma_of_f64, !strcmp(r->a, "f64"))
FAMILY(wmma_of_bytes, strlen(r->a) == 2)

/* Twice a fragment, element by element as CUDA programs scale theirs, is twice the product. */
static void every_register_of_a_fragment_may_be_changed_alike(void **state)
{
    static const char text[] = OP_HEAD
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .b32 %r<24>; .reg .f32 %f<16>; .reg .b64 %d<4>;\n"
        "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];\n"
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%d1], 16;\n"
        "wmma.load.b.sync.aligned.col.m16n16k16.f16 {%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15}, "
        "[%d1+512], 16;\n"
        "add.f16x2 %r0, %r0, %r0; add.f16x2 %r1, %r1, %r1; add.f16x2 %r2, %r2, %r2; add.f16x2 %r3, "
        "%r3, %r3;\n"
        "add.f16x2 %r4, %r4, %r4; add.f16x2 %r5, %r5, %r5; add.f16x2 %r6, %r6, %r6; add.f16x2 %r7, "
        "%r7, %r7;\n"
        "mov.f32 %f0, 0f3F800000;\n"
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, "
        "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15}, "
        "{%f0,%f0,%f0,%f0,%f0,%f0,%f0,%f0};\n"
        "wmma.store.d.sync.aligned.row.m16n16k16.f32 [%d2], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, "
        "16;\n"
        "ret;\n}\n";
    u16 in[512];
    float out[256];

    (void)state;
    for (u32 i = 0; i < 512; i++)
        in[i] = i % 5 ? 0x3c00 : 0x4000; /* 1 and 2 */
    for (u32 i = 0; i < 256; i++) {
        float sum = 1;

        for (u32 k = 0; k < 16; k++)
            sum += 2 * (float)((i / 16 * 16 + k) % 5 ? 1 : 2) *
                   (float)((256 + i % 16 * 16 + k) % 5 ? 1 : 2);
        out[i] = sum;
    }
    op_job_check("a fragment doubled", text,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = out,
                                 .n_want = sizeof out,
                                 .grid = 1,
                                 .block = 32});
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(wmma_of_f16_with_sums_of_either_kind),
    cmocka_unit_test(wmma_of_bf16),
    cmocka_unit_test(wmma_of_tf32),
    cmocka_unit_test(wmma_of_f64),
    cmocka_unit_test(wmma_of_bytes),
    cmocka_unit_test(every_register_of_a_fragment_may_be_changed_alike),
};

TEST_MAIN(tests)
