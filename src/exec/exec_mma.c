/*
 * exec_mma.c -- products of matrices among the lanes of a warp: what tensor cores compute.
 *
 * Integers are exact; their sum wraps, or saturates with .satfinite.  f64 is a chain of fused
 * multiplications and additions in order of k, each rounded to nearest.
 *
 * MODEL: floats of 16 bits and tf32 are summed as Volta's tensor cores sum them (Fasi, Higham,
 * Mikaitis, Pranesh: "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7:e330, 2021).  Products are
 * exact.  Four of them and the accumulator are one sum: all are aligned to the largest exponent (of a
 * product, the sum of its factors') and cut off below 2^-23 of it, added exactly, normalised once and cut
 * off to single precision, toward zero.  Blocks of four follow each other in order of k.  A result of f16 is
 * rounded to nearest even from that at the end of the instruction.  Subnormals are kept; a sum of nothing
 * but zeros is +0; beyond the largest number is infinity; every NaN is the canonical one.  tf32 has the upper
 * 19 bits of its register.  Newer chips add up more products at once (8 and more), with one or two bits more.
 *
 * All of it is in integers, so that every host gives the same bits.
 */
#include "exec/exec.h"

#include "exec/lane_ops.h"
#include "isa/mma.h"

enum { BLOCK = 4, MAX_K = 16, MAX_WORDS_K = 8, NO_EXPONENT = -100000 };

/* m * 2^(e - 23), or something special. */
enum num_kind { NUM_FINITE, NUM_INF, NUM_NAN };
struct mma_num {
    s32 e;
    u32 m; /* 24 bits at most */
    bool neg;
    u8 kind;
};

static struct mma_num num_of(u32 bits)
{
    u32 e = bits >> 23 & 255, f = bits & 0x7fffff;
    struct mma_num r = {
        .e = (s32)(e ? e : 1) - 127, .m = f | (e ? 1u << 23 : 0), .neg = bits >> 31};

    if (e == 255)
        r.kind = f ? NUM_NAN : NUM_INF;
    return r;
}

static u32 bits_of(struct mma_num n)
{
    u32 sign = n.neg ? FP32_SIGN : 0;

    if (n.kind != NUM_FINITE)
        return n.kind == NUM_NAN ? FP32_NAN : sign | FP32_INF;
    if (!n.m)
        return 0;
    return sign | (n.m >> 23 ? (u32)(n.e + 127) << 23 : 0) | (n.m & 0x7fffff);
}

/* sum * 2^(top - 23), cut off. */
static struct mma_num normalised(s64 sum, s32 top)
{
    struct mma_num r = {.neg = sum < 0};
    u64 m = sum < 0 ? 0 - (u64)sum : (u64)sum;

    if (!m)
        return (struct mma_num){0};
    s32 by = 40 - __builtin_clzll(m); /* to 24 bits */

    r.e = top + by;
    m = by > 0 ? m >> by : m << -by;
    if (r.e < -126)
        m = -126 - r.e > 31 ? 0 : m >> (-126 - r.e), r.e = -126;
    if (r.e > 127)
        r.kind = NUM_INF;
    r.m = (u32)m;
    return r;
}

static s64 aligned(u64 m, s32 down, bool neg)
{
    s64 v = down > 63 ? 0 : (s64)(m >> down);

    return neg ? -v : v;
}

/* One of the terms is no number. */
static struct mma_num add_non_finite(const struct mma_num *a, const struct mma_num *b,
                                     struct mma_num c)
{
    bool up = c.kind == NUM_INF && !c.neg, down = c.kind == NUM_INF && c.neg;
    bool nan = c.kind == NUM_NAN;

    for (u32 i = 0; i < BLOCK; i++) {
        bool inf = a[i].kind == NUM_INF || b[i].kind == NUM_INF, neg = a[i].neg != b[i].neg;

        nan |= a[i].kind == NUM_NAN || b[i].kind == NUM_NAN;
        nan |=
            inf && ((a[i].kind == NUM_FINITE && !a[i].m) || (b[i].kind == NUM_FINITE && !b[i].m));
        up |= inf && !neg, down |= inf && neg;
    }
    return (struct mma_num){.kind = nan || (up && down) ? NUM_NAN : NUM_INF, .neg = down};
}

static struct mma_num add_block(const struct mma_num *a, const struct mma_num *b, struct mma_num c)
{
    s32 top = c.m ? c.e : NO_EXPONENT;
    u32 special = c.kind;
    s64 sum = 0;

    for (u32 i = 0; i < BLOCK; i++) {
        special |= a[i].kind | b[i].kind;
        if (a[i].m && b[i].m && a[i].e + b[i].e > top)
            top = a[i].e + b[i].e;
    }
    if (UNLIKELY(special))
        return add_non_finite(a, b, c);
    for (u32 i = 0; i < BLOCK; i++)
        if (a[i].m && b[i].m)
            sum += aligned((u64)a[i].m * b[i].m, 23 + top - a[i].e - b[i].e, a[i].neg != b[i].neg);
    if (c.m)
        sum += aligned(c.m, top - c.e, c.neg);
    return normalised(sum, top);
}

static struct mma_num dot(const struct mma_num *a, const struct mma_num *b, u32 k, struct mma_num c)
{
    for (u32 i = 0; i < k; i += BLOCK)
        c = add_block(a + i, b + i, c);
    return c;
}

/* ---- operands */

static u32 *matrix_row(const struct exec *x, u32 o)
{
    return exec_row(x, o);
}

struct mma {
    struct exec *x;
    const struct inst *in;
    struct mma_shape s;
    const u16 *d, *a, *b, *c; /* operands, of x->func->list */
    u32 mask;
};

static struct mma mma_begin(struct exec *x, const struct inst *in, u32 mask)
{
    struct mma m = {.x = x, .in = in, .s = mma_shape(in->op, in->mod), .mask = mask};

    m.d = x->func->list + in->list;
    m.a = m.d + m.s.d, m.b = m.a + m.s.a, m.c = m.b + m.s.b;
    return m;
}

/* The registers of A and B in order of rows and columns: word j of a row has k from per * j on. */
struct mma_rows {
    u32 a[16][MAX_WORDS_K], b[8][MAX_WORDS_K];
};

static void gather_words(const struct mma *m, struct mma_rows *w)
{
    u32 groups = m->s.m / 8;

    for (u32 r = 0; r < m->s.m; r++)
        for (u32 j = 0; j < 4 * m->s.b; j++)
            w->a[r][j] = matrix_row(m->x, m->a[j / 4 * groups + r / 8])[r % 8 * 4 + j % 4];
    for (u32 c = 0; c < 8; c++)
        for (u32 j = 0; j < 4 * m->s.b; j++)
            w->b[c][j] = matrix_row(m->x, m->b[j / 4])[4 * c + j % 4];
}

/* D may be any registers, also those of C in another order: so it is written when all has been read. */
struct result {
    u32 at[4][LANES];
};

static void put_result(const struct mma *m, const struct result *r)
{
    for (u32 k = 0; k < m->s.d; k++)
        for (u32 lane = 0; lane < LANES; lane++)
            if (m->mask >> lane & 1)
                matrix_row(m->x, m->d[k])[lane] = r->at[k][lane];
}

/* ---- floats */

static u32 half_at(const u32 *word, u32 k)
{
    return word[k / 2] >> 16 * (k & 1) & 0xffff;
}

static struct mma_num element(u32 op, const u32 *word, u32 k)
{
    if (op == OP_mma_f32_tf32)
        return num_of(word[k] & ~0x1fffu);
    u32 h = half_at(word, k);

    return num_of(op == OP_mma_f32_bf16 ? h << 16 : bits32(f16_wide(h)));
}

struct factors {
    struct mma_num a[16][MAX_K], b[8][MAX_K];
};

static void read_factors(const struct mma *m, struct factors *f)
{
    struct mma_rows w;

    gather_words(m, &w);
    for (u32 k = 0; k < m->s.k; k++) {
        for (u32 r = 0; r < m->s.m; r++)
            f->a[r][k] = element(m->in->op, w.a[r], k);
        for (u32 c = 0; c < 8; c++)
            f->b[c][k] = element(m->in->op, w.b[c], k);
    }
}

static void mma_float(const struct mma *m)
{
    bool half = m->in->op == OP_mma_f16;
    struct result out = {{{0}}};
    struct factors f;

    read_factors(m, &f);
    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 i = 0; i < m->s.m / 4; i++) {
            u32 reg = half ? i / 2 : i, up = 16 * (i & 1), c = matrix_row(m->x, m->c[reg])[lane];
            struct mma_num acc = num_of(half ? bits32(f16_wide(c >> up & 0xffff)) : c);
            u32 r =
                bits_of(dot(f.a[lane / 4 + i / 2 * 8], f.b[lane % 4 * 2 + (i & 1)], m->s.k, acc));

            out.at[reg][lane] |= half ? f16_round(flt32(r)) << up : r;
        }
    put_result(m, &out);
}

static void mma_double(const struct mma *m)
{
    const u64 *a = (const u64 *)(const void *)matrix_row(m->x, m->a[0]);
    const u64 *b = (const u64 *)(const void *)matrix_row(m->x, m->b[0]);
    u64 r[2][LANES];

    for (u32 i = 0; i < 2; i++)
        for (u32 lane = 0; lane < LANES; lane++) {
            u32 row = lane / 4, col = lane % 4 * 2 + i;
            u64 sum = ((const u64 *)(const void *)matrix_row(m->x, m->c[i]))[lane];

            for (u32 k = 0; k < 4; k++)
                sum = fp64_fma(a[4 * row + k], b[4 * col + k], sum, FP_RN);
            r[i][lane] = sum;
        }
    for (u32 i = 0; i < 2; i++)
        for (u32 lane = 0; lane < LANES; lane++)
            if (m->mask >> lane & 1)
                ((u64 *)(void *)matrix_row(m->x, m->d[i]))[lane] = r[i][lane];
}

/* ---- integers */

static s32 element_in_word(u32 word, u32 i, u32 bits, bool is_signed)
{
    u32 up = word << (32 - bits * (i + 1));

    return is_signed ? (s32)up >> (32 - bits) : (s32)(up >> (32 - bits));
}

static s64 int_dot(const struct mma *m, const u32 *a, const u32 *b)
{
    u32 bits = 32 / m->s.per, mod = m->in->mod;
    s64 sum = 0;

    for (u32 j = 0; j < 4 * m->s.b; j++) {
        if (m->in->op == OP_mma_s32_b1) {
            sum += popc_32(mod & MOD_MMA_AND ? a[j] & b[j] : a[j] ^ b[j]);
            continue;
        }
        for (u32 i = 0; i < m->s.per; i++)
            sum += element_in_word(a[j], i, bits, mod & MOD_MMA_A_SIGNED) *
                   element_in_word(b[j], i, bits, mod & MOD_MMA_B_SIGNED);
    }
    return sum;
}

static void mma_int(const struct mma *m)
{
    struct result out;
    struct mma_rows w;

    gather_words(m, &w);
    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 i = 0; i < m->s.c; i++) {
            s64 sum = int_dot(m, w.a[lane / 4 + i / 2 * 8], w.b[lane % 4 * 2 + (i & 1)]);

            sum += (s32)matrix_row(m->x, m->c[i])[lane];
            out.at[i][lane] = (u32)(m->in->mod & MOD_MMA_SAT ? sat_s32(sum) : sum);
        }
    put_result(m, &out);
}

/* ---- m8n8k4 of f16: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type" */

/* Element i of A, B, or C of f16 in the lane of the pair of quads that has it. */
static u32 quad_half(const struct mma *m, const u16 *reg, u32 quad, u32 high, u32 t, u32 i)
{
    return matrix_row(m->x, reg[i / 2])[16 * high + 4 * quad + t] >> 16 * (i & 1) & 0xffff;
}

static u32 quad_c(const struct mma *m, u32 quad, u32 row, u32 col)
{
    u32 first = mma_884_first_c(m->in->mod);

    if (!(m->in->mod & MOD_MMA_C_F32))
        return bits32(f16_wide(quad_half(m, m->c - first, quad, row / 4, row % 4, col)));
    u32 i = (col & 4) | (row & 2) | (col & 1), t = (row & 1) | (col & 2);

    return matrix_row(m->x, m->c[i - first])[16 * (row / 4) + 4 * quad + t];
}

static u32 quad_product(const struct mma *m, u32 quad, u32 row, u32 col)
{
    struct mma_num a[BLOCK], b[BLOCK];
    u32 mod = m->in->mod;

    for (u32 k = 0; k < BLOCK; k++) {
        bool ac = mod & MOD_MMA_A_COL, bc = mod & MOD_MMA_B_COL;
        u32 ha = quad_half(m, m->a, quad, row / 4, ac ? k : row % 4, ac ? row % 4 : k);
        u32 hb = quad_half(m, m->b, quad, col / 4, bc ? col % 4 : k, bc ? k : col % 4);

        a[k] = num_of(bits32(f16_wide(ha))), b[k] = num_of(bits32(f16_wide(hb)));
    }
    return bits_of(add_block(a, b, num_of(quad_c(m, quad, row, col))));
}

static void mma_quads(const struct mma *m)
{
    u32 step = m->in->mod >> MOD_MMA_STEP & 3;
    struct result out = {{{0}}};
    bool wide = m->in->mod & MOD_MMA_D_F32;

    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 e = 0; e < (wide ? 2 : 4); e++) {
            u32 i = wide ? 2 * step + e : 4 * step + e, t = lane % 4, up = lane / 16 * 4;
            u32 row = up + (wide ? (t & 1) + (i & 2) : t),
                col = wide ? (i & 4) + (t & 2) + (i & 1) : i;
            u32 r = quad_product(m, lane / 4 % 4, row, col);

            out.at[wide ? e : e / 2][lane] |= wide ? r : f16_round(flt32(r)) << 16 * (e & 1);
        }
    put_result(m, &out);
}

void exec_mma(struct exec *x, const struct inst *in, u32 mask)
{
    struct mma m = mma_begin(x, in, mask);

    switch (in->op) {
    case OP_mma_884:
        mma_quads(&m);
        return;
    case OP_mma_f64:
        mma_double(&m);
        return;
    case OP_mma_s32_x8:
    case OP_mma_s32_x4:
    case OP_mma_s32_b1:
        mma_int(&m);
        return;
    default:
        mma_float(&m);
    }
}
