/*
 * t_op_mma.c -- products of matrices among the lanes of a warp: mma.sync
 *
 * Each form is run by six warps: small numbers, any bits, numbers of very different size, infinities and
 * NaNs, subnormals, and extremes; into registers of its own, onto C, and onto A and B.  The
 * reference puts the lanes' registers into matrices as the tables of the PTX ISA say where each
 * element is, multiplies them element by element, and takes the lanes' results out again.
 */
#include "tests/props/mma_ref.h"
#include "tests/props/op_job.h"

#include <stdlib.h>

enum { WARPS = 6, WORDS = 32, VARIANTS = 3, MAX_M = 16, MAX_K = 256 };
enum { AT_A = 0, AT_B = 8, AT_C = 12, AT_D = 20 }; /* words of a lane's input; pairs: two each */

static const char *const forms[] = {
#define MMA(form) form,
#include "tests/props/forms_mma.inc"
#undef MMA
};

struct form {
    const char *text;
    u32 m, n, k;
    const struct mma_type *d, *a, *b, *c;
    bool a_col, b_col, sat, and, quads;
};

static struct form read_form(const char *text)
{
    struct form f = {.text = text};
    const struct mma_type **type[] = {&f.d, &f.a, &f.b, &f.c};
    u32 n_type = 0, n_layout = 0;

    for (const char *w = text; *w; w += strcspn(w, ".") + (w[strcspn(w, ".")] != 0)) {
        size_t len = strcspn(w, ".");
        const struct mma_type *t = mma_type_of(w, len);

        if (t)
            *type[n_type++] = t;
        sscanf(w, "m%un%uk%u", &f.m, &f.n, &f.k);
        if (!strncmp(w, "row", 3) || !strncmp(w, "col", 3))
            *(n_layout++ ? &f.b_col : &f.a_col) = w[0] == 'c';
        f.sat |= !strncmp(w, "satfinite", 9);
        f.and |= !strncmp(w, "and", 3);
    }
    f.quads = f.k == 4 && f.a->bits == 16;
    return f;
}

/* ---- where elements are: PTX ISA, "Matrix Fragments for mma" */

struct place {
    u32 row, col;
};

/* Of m8n8k4 of f16, of the lane's pair of quads. */
static struct place quad_a(const struct form *f, u32 lane, u32 i)
{
    u32 up = lane < 16 ? 0 : 4;

    return f->a_col ? (struct place){i % 4 + up, lane % 4} : (struct place){lane % 4 + up, i};
}

static struct place quad_b(const struct form *f, u32 lane, u32 i)
{
    u32 up = lane < 16 ? 0 : 4;

    return f->b_col ? (struct place){i, lane % 4 + up} : (struct place){lane % 4, i + up};
}

static struct place quad_sum(const struct mma_type *t, u32 lane, u32 i)
{
    u32 up = lane < 16 ? 0 : 4;

    if (t->bits == 16)
        return (struct place){lane % 4 + up, i};
    return (struct place){(lane & 1) + (i & 2) + up, (i & 4) + (lane & 2) + (i & 1)};
}

static struct place place_a(const struct form *f, u32 lane, u32 i)
{
    u32 group = lane >> 2, thread = lane % 4, per = f->a->bits == 64 ? 1 : 32 / f->a->bits;
    u32 n = f->m * f->k / 32; /* elements of a lane */
    bool second = f->k == 8 * per && i >= n / 2;

    if (f->quads)
        return quad_a(f, lane, i);
    return (struct place){f->m == 16 && i / per % 2 ? group + 8 : group,
                          thread * per + i % per + (second ? f->k / 2 : 0)};
}

static struct place place_b(const struct form *f, u32 lane, u32 i)
{
    u32 group = lane >> 2, thread = lane % 4, per = f->a->bits == 64 ? 1 : 32 / f->a->bits;

    if (f->quads)
        return quad_b(f, lane, i);
    return (struct place){thread * per + i % per + (i >= per ? f->k / 2 : 0), group};
}

static struct place place_sum(const struct form *f, const struct mma_type *t, u32 lane, u32 i)
{
    if (f->quads)
        return quad_sum(t, lane, i);
    return (struct place){i < 2 ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 2 + (i & 1)};
}

/* ---- the product */

struct matrices { /* bits of elements */
    u64 a[MAX_M][MAX_K], b[MAX_K][8], c[MAX_M][8], d[MAX_M][8];
};

static u64 element(const u32 *word, u32 bits, u32 i)
{
    if (bits == 64)
        return word[2 * i] | (u64)word[2 * i + 1] << 32;
    u64 low = bits == 32 ? ~0u : (1u << bits) - 1;

    return word[i * bits / 32] >> i * bits % 32 & low;
}

static void put_element(u32 *word, u32 bits, u32 i, u64 v)
{
    if (bits == 64) {
        word[2 * i] = (u32)v, word[2 * i + 1] = (u32)(v >> 32);
        return;
    }
    u32 low = bits == 32 ? ~0u : (1u << bits) - 1, at = i * bits % 32;

    word[i * bits / 32] = (word[i * bits / 32] & ~(low << at)) | ((u32)v & low) << at;
}

/* Does the lane hold a part of this product?  All do, but of one of four. */
static bool takes_part(const struct form *f, u32 lane, u32 product)
{
    return !f->quads || lane / 4 % 4 == product;
}

static void collect(const struct form *f, u32 (*in)[WORDS], u32 product, struct matrices *m)
{
    u32 lanes = f->quads ? 8 : 32;

    for (u32 lane = 0; lane < 32; lane++) {
        if (!takes_part(f, lane, product))
            continue;
        for (u32 i = 0; i < f->m * f->k / lanes; i++) {
            struct place p = place_a(f, lane, i);

            m->a[p.row][p.col] = element(&in[lane][AT_A], f->a->bits, i);
        }
        for (u32 i = 0; i < f->k * f->n / lanes; i++) {
            struct place p = place_b(f, lane, i);

            m->b[p.row][p.col] = element(&in[lane][AT_B], f->b->bits, i);
        }
        for (u32 i = 0; i < f->m * f->n / lanes; i++) {
            struct place p = place_sum(f, f->c, lane, i);

            m->c[p.row][p.col] = element(&in[lane][AT_C], f->c->bits, i);
        }
    }
}

static u64 float_element(const struct form *f, const struct matrices *m, u32 row, u32 col)
{
    double sum = ref_value(f->c, m->c[row][col]);

    for (u32 k = 0; k < f->k; k += 4) {
        double a[4], b[4];

        for (u32 i = 0; i < 4; i++) {
            a[i] = ref_value(f->a, m->a[row][k + i]);
            b[i] = ref_value(f->b, m->b[k + i][col]);
        }
        sum = ref_sum_of_five(a, b, sum);
    }
    return f->d->bits == 16 ? ref_f16_bits(sum) : ref_f32_bits(sum);
}

static u64 double_element(const struct matrices *m, u32 row, u32 col)
{
    double sum, a, b;
    u64 bits;

    memcpy(&sum, &m->c[row][col], 8);
    for (u32 k = 0; k < 4; k++) {
        memcpy(&a, &m->a[row][k], 8);
        memcpy(&b, &m->b[k][col], 8);
        sum = fma(a, b, sum);
    }
    memcpy(&bits, &sum, 8);
    return bits;
}

static u64 int_element(const struct form *f, const struct matrices *m, u32 row, u32 col)
{
    double sum = ref_value(f->c, m->c[row][col]);

    for (u32 k = 0; k < f->k; k++) {
        u64 a = m->a[row][k], b = m->b[k][col];

        sum += f->a->bits == 1 ? (double)(f->and ? a & b : a ^ b)
                               : ref_value(f->a, a) * ref_value(f->b, b);
    }
    if (f->sat)
        sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x1p31 ? -0x1p31 : sum;
    return (u32)(s64)sum;
}

static void multiply(const struct form *f, struct matrices *m)
{
    for (u32 row = 0; row < f->m; row++)
        for (u32 col = 0; col < f->n; col++)
            m->d[row][col] = f->a->bits == 64 ? double_element(m, row, col)
                             : f->a->is_float ? float_element(f, m, row, col)
                                              : int_element(f, m, row, col);
}

static void expect_warp(const struct form *f, u32 (*in)[WORDS], u32 (*out)[8])
{
    static struct matrices m;
    u32 lanes = f->quads ? 8 : 32;

    for (u32 product = 0; product < (f->quads ? 4 : 1); product++) {
        collect(f, in, product, &m);
        multiply(f, &m);
        for (u32 lane = 0; lane < 32; lane++)
            for (u32 i = 0; takes_part(f, lane, product) && i < f->m * f->n / lanes; i++) {
                struct place p = place_sum(f, f->d, lane, i);

                put_element(out[lane], f->d->bits, i, m.d[p.row][p.col]);
            }
    }
}

/* ---- operands */

static u32 input[WARPS * 32][WORDS];

/* What a float of 16 or 32 bits is like: around 1, of any size, special, subnormal. */
static u32 some_float(u32 bits, u32 frac, u32 kind, u64 r)
{
    u32 e_bits = bits - 1 - frac, bias = (1u << (e_bits - 1)) - 1, top = (1u << e_bits) - 1;
    u32 e = kind == 0   ? bias - 3 + (u32)(r >> 40) % 7
            : kind == 4 ? (u32)(r >> 40) % 3
                        : (u32)(r >> 40) & top;

    if (kind == 2)
        e = (u32)(r >> 40) % 5 ? bias / 2 + (u32)(r >> 41) % bias : 0;
    if (kind == 3 && (r >> 50) % 11 == 0)
        e = top;
    u32 m = (u32)r & ((1u << frac) - 1), sign = (u32)(r >> 63) << (bits - 1);

    return sign | e << frac |
           ((kind == 3 && (r >> 50) % 33 == 0) || (kind == 4 && r >> 55 & 1) ? 0 : m);
}

static u32 some_word(const struct mma_type *t, u32 kind, u64 *seed)
{
    u64 r = op_random(seed), s = op_random(seed);

    if (!strcmp(t->name, "f16"))
        return some_float(16, 10, kind, r) | some_float(16, 10, kind, s) << 16;
    if (!strcmp(t->name, "bf16"))
        return some_float(16, 7, kind, r) | some_float(16, 7, kind, s) << 16;
    if (t->is_float && t->bits == 32)
        return some_float(32, 23, kind, r);
    return kind == 5 ? (r & 1 ? 0x7fffffffu : 0x80000000u) ^ (u32)(r >> 60) : (u32)r;
}

static double some_double(u64 *seed)
{
    return ldexp((double)(s64)op_random(seed), -60);
}

static void fill(const struct form *f, u64 *seed)
{
    for (u32 l = 0; l < WARPS * 32; l++)
        for (u32 i = 0; i < WORDS; i++) {
            const struct mma_type *t = i < AT_B ? f->a : i < AT_C ? f->b : i < AT_D ? f->c : f->d;
            double x = some_double(seed);

            if (t->bits == 64)
                memcpy(&input[l][i & ~1u], &x, 8);
            else
                input[l][i] = some_word(t, l / 32, seed);
        }
}

/* ---- the kernel */

static u32 registers(const struct form *f, const struct mma_type *t, u32 elements)
{
    return t->bits == 64 ? elements / 32 : elements * t->bits / 32 / (f->quads ? 8 : 32);
}

static void put_list(FILE *o, char name, u32 first, u32 n)
{
    fputc('{', o);
    for (u32 i = 0; i < n; i++)
        fprintf(o, "%s%%%c%u", i ? ", " : "", name, first + i);
    fputc('}', o);
}

static void put_loads(FILE *o, char name, u32 first, u32 n)
{
    for (u32 i = 0; i < n; i++)
        fprintf(o, "ld.global.b%u %%%c%u, [%%rd2+%u];\n", name == 'd' ? 64 : 32, name, first + i,
                name == 'd' ? 4 * first + 8 * i : 4 * (first + i));
}

/* Where D goes: its own registers, those of C, or those of A, then B, as far as they reach. */
static u32 d_at(u32 variant)
{
    return variant == 0 ? AT_D : variant == 1 ? AT_C : AT_A;
}

static void put_kernel(FILE *o, const struct form *f, u32 id)
{
    char name = f->a->bits == 64 ? 'd' : 'r';
    u32 na = registers(f, f->a, f->m * f->k), nb = registers(f, f->b, f->k * f->n);
    u32 nc = registers(f, f->c, f->m * f->n), nd = registers(f, f->d, f->m * f->n);

    fprintf(o, ".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n", id);
    fprintf(o, ".reg .b32 %%r<40>; .reg .b64 %%d<40>; .reg .b64 %%rd<4>; .reg .b32 %%t;\n"
               "ld.param.u64 %%rd2, [in]; ld.param.u64 %%rd3, [out]; mov.u32 %%t, %%tid.x;\n");
    fprintf(o, "mad.wide.u32 %%rd2, %%t, %u, %%rd2; mad.wide.u32 %%rd3, %%t, %u, %%rd3;\n",
            4 * WORDS, 32 * VARIANTS);
    for (u32 v = 0; v < VARIANTS; v++) {
        put_loads(o, name, AT_A, na), put_loads(o, name, AT_B, nb), put_loads(o, name, AT_C, nc);
        fprintf(o, "%s ", f->text);
        put_list(o, name, d_at(v), nd), fputs(", ", o), put_list(o, name, AT_A, na);
        fputs(", ", o), put_list(o, name, AT_B, nb), fputs(", ", o), put_list(o, name, AT_C, nc);
        fputs(";\n", o);
        for (u32 i = 0; i < nd; i++)
            fprintf(o, "st.global.b%u [%%rd3+%u], %%%c%u;\n", name == 'd' ? 64 : 32,
                    32 * v + (name == 'd' ? 8 : 4) * i, name, d_at(v) + i);
    }
    fputs("ret;\n}\n", o);
}

static void check_form(const char *text)
{
    static u32 want[WARPS * 32][VARIANTS][8];
    struct form f = read_form(text);
    char *ptx = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&ptx, &size);
    u64 seed = strlen(text) * 7919 + f.k;

    fill(&f, &seed);
    memset(want, 0xee, sizeof want);
    for (u32 w = 0; w < WARPS; w++) {
        u32 out[32][8];

        memset(out, 0xee, sizeof out);
        expect_warp(&f, &input[32 * w], out);
        for (u32 lane = 0; lane < 32; lane++)
            for (u32 v = 0; v < VARIANTS; v++)
                memcpy(want[32 * w + lane][v], out[lane], sizeof out[lane]);
    }
    fputs(OP_HEAD, o);
    put_kernel(o, &f, 0);
    fclose(o);
    op_job_check(text, ptx,
                 (struct op_job){.kernel = "k0",
                                 .in = input,
                                 .n_in = sizeof input,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = 32 * WARPS});
    free(ptx);
}

static bool has(const char *form, const char *word)
{
    return strstr(form, word) != NULL;
}

#define FAMILY(name, test)                                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        u32 n = 0;                                                                                 \
        (void)state;                                                                               \
        for (u32 i = 0; i < LEN(forms); i++) {                                                     \
            const char *f = forms[i];                                                              \
            if (!(test))                                                                           \
                continue;                                                                          \
            check_form(f);                                                                         \
            n++;                                                                                   \
        }                                                                                          \
        assert_true(n > 0);                                                                        \
    }

FAMILY(mma_m8n8k4_of_f16_is_four_products, has(f, "m8n8k4.") && has(f, ".f16.f16."))
FAMILY(mma_of_f16, has(f, "m16n8") && has(f, ".f16.f16."))
FAMILY(mma_of_bf16, has(f, ".bf16."))
FAMILY(mma_of_tf32, has(f, ".tf32."))
FAMILY(mma_of_f64, has(f, ".f64."))
FAMILY(mma_of_bytes_of_either_sign, has(f, "s8.") || has(f, "u8."))
FAMILY(mma_of_4_bits_of_either_sign, has(f, "s4.") || has(f, "u4."))
FAMILY(mma_of_bits_counts_them, has(f, ".b1."))

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(mma_m8n8k4_of_f16_is_four_products),
    cmocka_unit_test(mma_of_f16),
    cmocka_unit_test(mma_of_bf16),
    cmocka_unit_test(mma_of_tf32),
    cmocka_unit_test(mma_of_f64),
    cmocka_unit_test(mma_of_bytes_of_either_sign),
    cmocka_unit_test(mma_of_4_bits_of_either_sign),
    cmocka_unit_test(mma_of_bits_counts_them),
};

TEST_MAIN(tests)
