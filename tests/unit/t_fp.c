/*
 * t_fp.c -- fp.h against the host's floating point, approx.h against long double.
 *
 * The judge of fp.h is the host's hardware in each of its rounding modes.  Operands
 * and results of the host pass through volatiles, so that no operation leaves the
 * fesetround around it.  The judge of approx.h is libm in long double.
 */
#include "tests/test_main.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>

#include "exec/approx.h"
#include "isa/fp.h"

enum { N_RANDOM = 1000000 };

static const int host_mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
static const char *const mode_name[] = {"rn", "rz", "rm", "rp"};

static float f32_of(u32 a)
{
    float x;
    memcpy(&x, &a, sizeof x);
    return x;
}

static u32 bits32(float x)
{
    u32 a;
    memcpy(&a, &x, sizeof a);
    return a;
}

static double f64_of(u64 a)
{
    return apx_double(a);
}

static u64 bits64(double x)
{
    return apx_bits(x);
}

/* splitmix64 */
static u64 next(u64 *seed)
{
    u64 z = *seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/*
 * A format as the generators and the table tests see it.  Operations take u64 and
 * ignore the operands they do not have.
 */
struct shape {
    u32 bits, frac;
    u32 mid; /* biased exponent of 1 */
};

static const struct shape s32f = {32, 23, 127};
static const struct shape s64f = {64, 52, 1023};

struct op {
    const char *name;
    const struct shape *shape;
    u32 n; /* operands */
    u64 (*soft)(u64 a, u64 b, u64 c, u32 rnd);
    u64 (*host)(u64 a, u64 b, u64 c);
};

#define SOFT(name, call)                                                                           \
    static u64 soft_##name(u64 a, u64 b, u64 c, u32 rnd)                                           \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return call;                                                                               \
    }

#define HOST32(name, expr)                                                                         \
    static u64 host_##name(u64 a, u64 b, u64 c)                                                    \
    {                                                                                              \
        volatile float x = f32_of((u32)a), y = f32_of((u32)b), z = f32_of((u32)c);                 \
        (void)x, (void)y, (void)z;                                                                 \
        volatile float r = expr;                                                                   \
        return r == r ? bits32(r) : FP32_NAN;                                                      \
    }

/* A NaN of the host is replaced by the one fp.h promises. */
#define HOST64(name, expr, nan)                                                                    \
    static u64 host_##name(u64 a, u64 b, u64 c)                                                    \
    {                                                                                              \
        volatile double x = f64_of(a), y = f64_of(b), z = f64_of(c);                               \
        (void)x, (void)y, (void)z;                                                                 \
        volatile double r = expr;                                                                  \
        return r == r ? bits64(r) : nan;                                                           \
    }

SOFT(add32, fp32_add((u32)a, (u32)b, rnd))
SOFT(mul32, fp32_mul((u32)a, (u32)b, rnd))
SOFT(div32, fp32_div((u32)a, (u32)b, rnd))
SOFT(fma32, fp32_fma((u32)a, (u32)b, (u32)c, rnd))
SOFT(sqrt32, fp32_sqrt((u32)a, rnd))
SOFT(rcp32, fp32_rcp((u32)a, rnd))
SOFT(rint32, fp32_rint((u32)a, rnd))
SOFT(add64, fp64_add(a, b, rnd))
SOFT(mul64, fp64_mul(a, b, rnd))
SOFT(div64, fp64_div(a, b, rnd))
SOFT(fma64, fp64_fma(a, b, c, rnd))
SOFT(sqrt64, fp64_sqrt(a, rnd))
SOFT(rcp64, fp64_rcp(a, rnd))
SOFT(rint64, fp64_rint(a, rnd))
SOFT(narrow, fp32_from_f64(a, rnd))
SOFT(widen, ((void)rnd, fp64_from_f32((u32)a)))
SOFT(s64_to_f32, fp32_from_s64((s64)a, rnd))
SOFT(u64_to_f32, fp32_from_u64(a, rnd))
SOFT(s64_to_f64, fp64_from_s64((s64)a, rnd))
SOFT(u64_to_f64, fp64_from_u64(a, rnd))

HOST32(add32, x + y)
HOST32(mul32, x *y)
HOST32(div32, x / y)
HOST32(fma32, fmaf(x, y, z))
HOST32(sqrt32, sqrtf(x))
HOST32(rcp32, 1.0f / x)
HOST32(rint32, rintf(x))
HOST64(add64, x + y, fp64_nan2(a, b))
HOST64(mul64, x *y, fp64_nan2(a, b))
HOST64(div64, x / y, fp64_nan2(a, b))
HOST64(fma64, fma(x, y, z), fp64_nan3(a, b, c))
HOST64(sqrt64, sqrt(x), fp64_nan2(a, a))
HOST64(rcp64, 1.0 / x, fp64_nan2(a, a))
HOST64(rint64, rint(x), fp64_nan2(a, a))

static u64 host_narrow(u64 a, u64 b, u64 c)
{
    (void)b, (void)c;
    volatile double x = f64_of(a);
    volatile float r = (float)x;
    return r == r ? bits32(r) : FP32_NAN;
}

static u64 host_widen(u64 a, u64 b, u64 c)
{
    (void)b, (void)c;
    volatile float x = f32_of((u32)a);
    volatile double r = x;
    return bits64(r);
}

#define HOST_INT(name, type, real, to_bits)                                                        \
    static u64 host_##name(u64 a, u64 b, u64 c)                                                    \
    {                                                                                              \
        (void)b, (void)c;                                                                          \
        volatile type v = (type)a;                                                                 \
        volatile real r = (real)v;                                                                 \
        return to_bits(r);                                                                         \
    }

HOST_INT(s64_to_f32, s64, float, bits32)
HOST_INT(s64_to_f64, s64, double, bits64)

/* Through long double, which holds all 64 bits: compilers convert a large u64 in steps. */
HOST_INT(u64_to_f32, long double, float, bits32)
HOST_INT(u64_to_f64, long double, double, bits64)

#define OP(name, shape, n)                                                                         \
    {                                                                                              \
#name, &shape, n, soft_##name, host_##name                                                 \
    }

/* Special fractions times special exponents, both signs: 44 patterns a format. */
static u32 special_patterns(const struct shape *s, u64 *out)
{
    u64 one = (u64)1 << s->frac, all = one - 1, top = 2 * (u64)s->mid + 1;
    u64 mid = (u64)s->mid << s->frac, inf = top << s->frac;
    const u64 list[] = {
        0,                                     /* zero */
        1,                                     /* least subnormal */
        all,                                   /* greatest subnormal */
        one >> 1,                              /* half of the least normal */
        one,                                   /* least normal */
        one + 1,                               /* and its neighbour */
        mid - one,                             /* 1/2 */
        mid - 1,                               /* 1 less half an ulp */
        mid,                                   /* 1 */
        mid + 1,                               /* 1 and an ulp */
        mid + (one >> 1),                      /* 1.5 */
        mid + all,                             /* 2 less an ulp */
        mid - (((u64)s->frac + 1) << s->frac), /* half an ulp of 1 */
        mid - (((u64)s->frac + 1) << s->frac) + 1,
        mid + ((u64)s->frac << s->frac) + 1, /* an odd integer just above 2^frac */
        mid >> 1,                            /* products and quotients near the edge */
        inf - one,                           /* half of the largest power */
        inf - 1,                             /* greatest finite */
        inf,                                 /* infinity */
        inf + 1,                             /* signalling NaN */
        inf + (one >> 1),                    /* quiet NaN */
        inf + all,                           /* NaN with a full payload */
    };
    u32 n = 0;
    for (u32 i = 0; i < LEN(list); i++) {
        out[n++] = list[i];
        out[n++] = list[i] | (u64)1 << (s->bits - 1);
    }
    return n;
}

/* A fraction of few set bits, or of a long run of ones: sums and products near ties. */
static u64 sparse(u64 r, u64 all)
{
    u64 two = (u64)1 << (r & 63) | (u64)1 << (r >> 6 & 63);
    return (r >> 12 & 1 ? two - 1 : two) & all;
}

/*
 * Four kinds: any bits; exponents near each other; the second far above the first, for
 * tiny quotients; exponents whose product is tiny.  The third operand moves about.
 */
static void random_operands(const struct shape *s, u64 *seed, u64 v[3])
{
    u64 all = ((u64)1 << s->frac) - 1, r = next(seed);
    u64 base = next(seed) % (2 * s->mid), kind = r & 3;
    if (kind == 3)
        base = s->mid / 2;
    for (u32 i = 0; i < 3; i++) {
        u64 raw = next(seed) >> (64 - s->bits);
        u64 near = base + (raw >> 3) % (s->frac / 2) + (r >> 40) % (s->frac * 2) * (i == 2);
        u64 frac = r >> (8 + i) & 1 ? sparse(raw, all) : raw & all;
        u64 exp = (kind == 2 && i == 1 ? near + s->mid : near) % (2 * s->mid + 1);
        v[i] = kind == 0 ? raw : frac | exp << s->frac | (raw >> 1 & 1) << (s->bits - 1);
    }
}

static void check_one(const struct op *op, const u64 v[3], u32 rnd)
{
    u64 want = op->host(v[0], v[1], v[2]);
    u64 got = op->soft(v[0], v[1], v[2], rnd);
    if (got == want)
        return;
    fesetround(FE_TONEAREST);
    fail_msg("%s.%s %#" PRIx64 " %#" PRIx64 " %#" PRIx64 ": got %#" PRIx64 ", host %#" PRIx64,
             op->name, mode_name[rnd], v[0], v[1], v[2], got, want);
}

static void check_specials(const struct op *op, u32 rnd)
{
    u64 list[64];
    u32 n = special_patterns(op->shape, list);
    u32 nb = op->n > 1 ? n : 1, nc = op->n > 2 ? n : 1;
    for (u32 i = 0; i < n; i++)
        for (u32 j = 0; j < nb; j++)
            for (u32 k = 0; k < nc; k++)
                check_one(op, (u64[]){list[i], list[j], list[k]}, rnd);
}

static void check_op(const struct op *op)
{
    for (u32 rnd = FP_RN; rnd <= FP_RP; rnd++) {
        fesetround(host_mode[rnd]);
        check_specials(op, rnd);
        u64 seed = 1 + rnd, v[3];
        for (u32 i = 0; i < N_RANDOM / 2; i++) {
            random_operands(op->shape, &seed, v);
            check_one(op, v, rnd);
        }
    }
    fesetround(FE_TONEAREST);
}

static void check_ops(const struct op *ops, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_op(&ops[i]);
}

static void add_matches_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(add32, s32f, 2), OP(add64, s64f, 2)};
    check_ops(ops, LEN(ops));
}

static void mul_matches_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(mul32, s32f, 2), OP(mul64, s64f, 2)};
    check_ops(ops, LEN(ops));
}

static void div_matches_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(div32, s32f, 2), OP(div64, s64f, 2)};
    check_ops(ops, LEN(ops));
}

static void fma_matches_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(fma32, s32f, 3), OP(fma64, s64f, 3)};
    check_ops(ops, LEN(ops));
}

static void sqrt_matches_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(sqrt32, s32f, 1), OP(sqrt64, s64f, 1)};
    check_ops(ops, LEN(ops));
}

static void rcp_matches_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(rcp32, s32f, 1), OP(rcp64, s64f, 1)};
    check_ops(ops, LEN(ops));
}

static void rint_matches_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(rint32, s32f, 1), OP(rint64, s64f, 1)};
    check_ops(ops, LEN(ops));
}

static void float_conversions_match_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(narrow, s64f, 1), OP(widen, s32f, 1)};
    check_ops(ops, LEN(ops));
}

/* The random doubles reach float's subnormals rarely: aim at them. */
static void narrowing_to_subnormals_matches_the_host(void **state)
{
    (void)state;
    static const struct op narrow = OP(narrow, s64f, 1);
    for (u32 rnd = FP_RN; rnd <= FP_RP; rnd++) {
        fesetround(host_mode[rnd]);
        u64 seed = 77;
        for (u32 i = 0; i < N_RANDOM; i++) {
            u64 r = next(&seed), exp = 1023 - 152 + (r >> 56) % 28;
            u64 frac = r & 1 ? sparse(r >> 1, ((u64)1 << 52) - 1) : next(&seed) >> 12;
            check_one(&narrow, (u64[]){frac | exp << 52 | (r >> 8 & 1) << 63, 0, 0}, rnd);
        }
    }
    fesetround(FE_TONEAREST);
}

/* Integers of every length, random and next to ties. */
static void integers_convert_as_on_the_host(void **state)
{
    (void)state;
    static const struct op ops[] = {OP(s64_to_f32, s64f, 1), OP(u64_to_f32, s64f, 1),
                                    OP(s64_to_f64, s64f, 1), OP(u64_to_f64, s64f, 1)};
    for (u32 i = 0; i < 4 * LEN(ops); i++) {
        u32 rnd = i % 4;
        fesetround(host_mode[rnd]);
        u64 seed = i;
        for (u32 k = 0; k < N_RANDOM / 4; k++) {
            u64 r = next(&seed), v = next(&seed) >> (r & 63);
            v = r >> 6 & 1 ? sparse(r >> 7, UINT64_MAX) : v;
            check_one(&ops[i / 4], (u64[]){r >> 60 & 1 ? -v : v, 0, 0}, rnd);
        }
    }
    fesetround(FE_TONEAREST);
}

/* The integer a host's rint in long double, clamped by comparison, arrives at. */
static s64 host_to_int(double a, u32 bits, bool is_signed)
{
    volatile long double r = rintl((long double)a);
    long double top = ldexpl(1.0L, (int)bits - (is_signed ? 1 : 0));
    if (r >= top)
        return is_signed ? (s64)(((u64)1 << (bits - 1)) - 1) : (s64)(UINT64_MAX >> (64 - bits));
    if (is_signed)
        return r < -top ? (s64)(-((u64)1 << (bits - 1))) : (s64)r;
    return r < 0 ? 0 : (s64)(u64)r;
}

static void check_to_int(u64 a, u32 rnd, u32 bits, bool is_signed)
{
    s64 want = host_to_int(f64_of(a), bits, is_signed);
    s64 got = fp64_to_int(a, rnd, bits, is_signed);
    u32 narrow = fp32_from_f64(a, FP_RN);
    bool same32 = fp64_is_nan(a) || fp64_from_f32(narrow) != a ||
                  fp32_to_int(narrow, rnd, bits, is_signed) == want;
    if (got == want && same32)
        return;
    fesetround(FE_TONEAREST);
    fail_msg("%c%u from %#" PRIx64 " %s: got %" PRId64 ", host %" PRId64, is_signed ? 's' : 'u',
             bits, a, mode_name[rnd], got, want);
}

/* Doubles of a magnitude that matters to the width, some with only a float's precision. */
static void floats_convert_to_clamped_integers(void **state)
{
    (void)state;
    static const u32 width[] = {8, 16, 32, 64};
    for (u32 i = 0; i < 32; i++) {
        u32 rnd = i % 4, bits = width[i / 4 % 4];
        fesetround(host_mode[rnd]);
        u64 seed = i;
        for (u32 k = 0; k < N_RANDOM / 16; k++) {
            u64 r = next(&seed), exp = 1020 + (r >> 32) % (bits + 6);
            u64 frac = r & 1 ? sparse(r >> 1, ((u64)1 << 52) - 1) : next(&seed) >> 12;
            frac &= r >> 20 & 1 ? ~(((u64)1 << 29) - 1) : UINT64_MAX;
            check_to_int(frac | exp << 52 | (r >> 31 & 1) << 63, rnd, bits, i >= 16);
        }
        u64 edge[] = {0, FP64_SIGN, 1, FP64_SIGN | 1, FP64_INF, FP64_SIGN | FP64_INF};
        for (u32 k = 0; k < LEN(edge); k++)
            check_to_int(edge[k], rnd, bits, i >= 16);
    }
    fesetround(FE_TONEAREST);
}

/* PTX ISA 9.0, cvt: zero unless the source is f64 or the destination 64 bits wide. */
static void nan_to_integer_follows_ptx(void **state)
{
    (void)state;
    assert_int_equal(fp32_to_int(FP32_NAN, FP_RZ, 32, true), 0);
    assert_int_equal(fp32_to_int(FP32_NAN, FP_RZ, 8, false), 0);
    assert_true(fp32_to_int(FP32_NAN, FP_RZ, 64, true) == INT64_MIN);
    assert_true(fp32_to_int(FP32_NAN, FP_RZ, 64, false) == INT64_MIN);
    assert_true(fp64_to_int(FP64_NAN, FP_RZ, 32, true) == INT32_MIN);
    assert_true(fp64_to_int(FP64_NAN, FP_RZ, 32, false) == 0x80000000);
    assert_true(fp64_to_int(FP64_NAN, FP_RZ, 16, true) == INT16_MIN);
    assert_true(fp64_to_int(FP64_NAN, FP_RZ, 64, false) == INT64_MIN);
}

static void nan_results_are_the_promised_ones(void **state)
{
    (void)state;
    u64 first = 0xfff0000000000123, second = 0x7ff8000000000456;
    assert_true(fp64_add(first, second, FP_RN) == 0xfff8000000000123);
    assert_true(fp64_add(FP64_ONE, second, FP_RN) == second);
    assert_true(fp64_fma(0, FP64_INF, first, FP_RN) == 0xfff8000000000123);
    assert_true(fp64_fma(0, FP64_INF, FP64_ONE, FP_RN) == FP64_NAN);
    assert_true(fp64_sqrt(FP64_SIGN | FP64_ONE, FP_RN) == FP64_NAN);
    assert_int_equal(fp32_mul(0xff800001, FP32_ONE, FP_RN), FP32_NAN);
    assert_int_equal(fp32_add(FP32_INF, FP32_SIGN | FP32_INF, FP_RN), FP32_NAN);
    assert_int_equal(fp32_rint(0xffc00000, FP_RN), FP32_NAN);
}

static void saturation_clamps_to_zero_and_one(void **state)
{
    (void)state;
    assert_int_equal(fp32_sat(FP32_NAN), 0);
    assert_int_equal(fp32_sat(0xffc00000), 0);
    assert_int_equal(fp32_sat(FP32_SIGN), 0);
    assert_int_equal(fp32_sat(FP32_SIGN | FP32_INF), 0);
    assert_int_equal(fp32_sat(FP32_INF), FP32_ONE);
    assert_int_equal(fp32_sat(FP32_ONE + 1), FP32_ONE);
    assert_int_equal(fp32_sat(FP32_ONE - 1), FP32_ONE - 1);
    assert_int_equal(fp32_sat(1), 1);
    assert_true(fp64_sat(FP64_NAN) == 0);
    assert_true(fp64_sat(FP64_SIGN) == 0);
    assert_true(fp64_sat(FP64_INF) == FP64_ONE);
    assert_true(fp64_sat(FP64_ONE - 1) == FP64_ONE - 1);
}

/* An approximation, its judge, and the exponents its random operands are drawn from. */
struct curve {
    const char *name;
    float (*got)(float);
    long double (*want)(long double);
    s32 exp_min, exp_max;
    bool negative; /* draw both signs */
};

static long double rcp_l(long double x)
{
    return 1.0L / x;
}

static long double rsqrt_l(long double x)
{
    return 1.0L / sqrtl(x);
}

/* The distance of two float neighbours at x, that of the subnormals at least. */
static long double ulp32(long double x)
{
    int e;
    frexpl(x, &e);
    return ldexpl(1.0L, e < -125 ? -149 : e - 24);
}

/* True where |got - want| <= bound ulp; beyond the greatest float infinity is right. */
static bool within_ulp(float got, long double want, long double bound)
{
    if (fabsl(want) >= 0x1.ffffffp127L)
        return isinf(got) && (got > 0) == (want > 0);
    return fabsl((long double)got - want) <= bound * ulp32(want);
}

static float random_float(u64 *seed, s32 exp_min, s32 exp_max, bool negative)
{
    u64 r = next(seed);
    s32 exp = exp_min + (s32)((r >> 32) % (u64)(exp_max - exp_min + 1));
    float x = (float)ldexp(1.0 + (double)(r & 0x7fffff) * 0x1p-23, exp);
    return negative && r >> 31 & 1 ? -x : x;
}

static void check_curve(const struct curve *c)
{
    u64 seed = 5;
    for (u32 i = 0; i < N_RANDOM; i++) {
        float x = random_float(&seed, c->exp_min, c->exp_max, c->negative);
        float got = c->got(x);
        long double want = c->want(x);
        if (!within_ulp(got, want, 0.51L))
            fail_msg("%s(%a): got %a, want %La", c->name, x, got, want);
    }
}

static void rcp_sqrt_rsqrt_are_within_half_an_ulp(void **state)
{
    (void)state;
    check_curve(&(struct curve){"rcp", apx_rcp, rcp_l, -149, 127, true});
    check_curve(&(struct curve){"sqrt", apx_sqrt, sqrtl, -149, 127, false});
    check_curve(&(struct curve){"rsqrt", apx_rsqrt, rsqrt_l, -149, 127, false});
}

static void sin_cos_are_within_half_an_ulp_below_2_to_29(void **state)
{
    (void)state;
    check_curve(&(struct curve){"sin", apx_sin, sinl, -149, 28, true});
    check_curve(&(struct curve){"sin", apx_sin, sinl, -6, 8, true});
    check_curve(&(struct curve){"cos", apx_cos, cosl, -149, 28, true});
    check_curve(&(struct curve){"cos", apx_cos, cosl, -6, 8, true});
}

static void lg2_is_within_half_an_ulp(void **state)
{
    (void)state;
    check_curve(&(struct curve){"lg2", apx_lg2, log2l, -149, 127, false});
    check_curve(&(struct curve){"lg2", apx_lg2, log2l, -2, 1, false});
}

static void ex2_is_within_half_an_ulp(void **state)
{
    (void)state;
    check_curve(&(struct curve){"ex2", apx_ex2, exp2l, -149, 127, true});
    check_curve(&(struct curve){"ex2", apx_ex2, exp2l, -8, 7, true});
}

static void tanh_is_within_half_an_ulp(void **state)
{
    (void)state;
    check_curve(&(struct curve){"tanh", apx_tanh, tanhl, -149, 127, true});
    check_curve(&(struct curve){"tanh", apx_tanh, tanhl, -14, 4, true});
}

/* Next to one, and next to multiples of pi/2, relative accuracy is hardest to keep. */
static void roots_of_the_curves_keep_their_accuracy(void **state)
{
    (void)state;
    for (s32 i = -20000; i <= 20000; i++) {
        float x = f32_of((u32)((s32)FP32_ONE + i));
        assert_true(within_ulp(apx_lg2(x), log2l(x), 0.51L));
        float y = (float)(i * 0x1.921fb54442d18p+0);
        assert_true(within_ulp(apx_sin(y), sinl(y), 0.51L));
        assert_true(within_ulp(apx_cos(y), cosl(y), 0.51L));
    }
}

static void powers_of_two_are_exact(void **state)
{
    (void)state;
    for (s32 e = -149; e <= 127; e++) {
        float x = (float)ldexp(1.0, e);
        assert_true(apx_ex2((float)e) == x);
        assert_true(apx_lg2(x) == (float)e);
    }
    assert_true(apx_ex2(-150.0f) == 0.0f);
    assert_true(apx_ex2(128.0f) == INFINITY);
}

/* The table in approx.h. */
static void approximations_answer_special_operands(void **state)
{
    (void)state;
    enum { PZ = 0, NZ = 0x80000000, PI = 0x7f800000, NI = 0xff800000, QN = 0x7fffffff };
    enum { P1 = 0x3f800000, N1 = 0xbf800000 };
    static const u32 operand[] = {NI, NZ, PZ, PI, 0xffc00001, 0x7f800001};
    static const struct {
        float (*f)(float);
        u32 want[LEN(operand)];
    } row[] = {
        {apx_rcp, {NZ, NI, PI, PZ, QN, QN}},   {apx_sqrt, {QN, NZ, PZ, PI, QN, QN}},
        {apx_rsqrt, {QN, NI, PI, PZ, QN, QN}}, {apx_sin, {QN, NZ, PZ, QN, QN, QN}},
        {apx_cos, {QN, P1, P1, QN, QN, QN}},   {apx_lg2, {QN, NI, NI, PI, QN, QN}},
        {apx_ex2, {PZ, P1, P1, PI, QN, QN}},   {apx_tanh, {N1, NZ, PZ, P1, QN, QN}},
    };
    for (u32 i = 0; i < LEN(row); i++)
        for (u32 k = 0; k < LEN(operand); k++)
            assert_int_equal(bits32(row[i].f(f32_of(operand[k]))), row[i].want[k]);
}

static void negative_operands_of_sqrt_rsqrt_lg2_give_nan(void **state)
{
    (void)state;
    static const u32 operand[] = {0xbf800000, 0x80000001, 0x80800000, 0xff7fffff};
    for (u32 i = 0; i < LEN(operand); i++) {
        float x = f32_of(operand[i]);
        assert_int_equal(bits32(apx_sqrt(x)), FP32_NAN);
        assert_int_equal(bits32(apx_rsqrt(x)), FP32_NAN);
        assert_int_equal(bits32(apx_lg2(x)), FP32_NAN);
    }
}

static void huge_angles_count_as_zero(void **state)
{
    (void)state;
    static const float huge[] = {0x1p29f, -0x1p40f, 0x1.fffffep127f};
    for (u32 i = 0; i < LEN(huge); i++) {
        assert_true(apx_sin(huge[i]) == 0.0f);
        assert_true(apx_cos(huge[i]) == 1.0f);
    }
}

static void tanh_returns_subnormals_unchanged(void **state)
{
    (void)state;
    for (u32 a = 1; a < 0x00800000; a += 4099) {
        assert_int_equal(bits32(apx_tanh(f32_of(a))), a);
        assert_int_equal(bits32(apx_tanh(f32_of(a | FP32_SIGN))), a | FP32_SIGN);
    }
}

static void div_is_within_half_an_ulp(void **state)
{
    (void)state;
    u64 seed = 9;
    for (u32 i = 0; i < N_RANDOM; i++) {
        float a = random_float(&seed, -149, 127, true);
        float b = random_float(&seed, -126, 125, true);
        assert_true(within_ulp(apx_div(a, b), (long double)a / b, 0.51L));
        float c = random_float(&seed, -149, 127, true);
        assert_true(within_ulp(apx_div_full(a, c), (long double)a / c, 0.51L));
    }
}

/* PTX ISA, div.approx: for 2^126 < |b| < 2^128 NaN if a is infinite, otherwise zero. */
static void div_approx_by_huge_divisors_gives_zero(void **state)
{
    (void)state;
    float huge = 0x1.000002p126f, max = 0x1.fffffep127f;
    assert_int_equal(bits32(apx_div(max, huge)), 0);
    assert_int_equal(bits32(apx_div(-1.0f, max)), FP32_SIGN);
    assert_int_equal(bits32(apx_div(INFINITY, huge)), FP32_NAN);
    assert_true(apx_div(max, 0x1p126f) == 0x1.fffffep1f);
    assert_true(apx_div_full(max, huge) == 0x1.fffffap1f);
}

static void div_answers_special_operands(void **state)
{
    (void)state;
    assert_int_equal(bits32(apx_div(1.0f, 0.0f)), FP32_INF);
    assert_int_equal(bits32(apx_div(-1.0f, 0.0f)), FP32_SIGN | FP32_INF);
    assert_int_equal(bits32(apx_div(0.0f, 0.0f)), FP32_NAN);
    assert_int_equal(bits32(apx_div(1.0f, f32_of(0xffc00000))), FP32_NAN);
    assert_int_equal(bits32(apx_div(INFINITY, INFINITY)), FP32_NAN);
    assert_int_equal(bits32(apx_div_full(0.0f, 0.0f)), FP32_NAN);
    assert_int_equal(bits32(apx_div_full(1.0f, INFINITY)), 0);
}

/* A relative error of 2^-20: the operand loses up to 2^-20, the result half of that. */
static void f64_forms_on_high_words_keep_20_bits(void **state)
{
    (void)state;
    u64 seed = 3;
    for (u32 i = 0; i < N_RANDOM; i++) {
        u64 r = next(&seed) & ~FP64_SIGN;
        double x = f64_of(r % ((u64)2040 << 52) + ((u64)1 << 52));
        double y = apx_rcp64(x), z = apx_rsqrt64_ftz(x);
        assert_true((u32)bits64(y) == 0 && (u32)bits64(z) == 0);
        if (x < 0x1p1021)
            assert_true(fabsl((long double)y * x - 1.0L) < 0x1.8p-20L);
        assert_true(fabsl((long double)z * sqrtl(x) - 1.0L) < 0x1.8p-20L);
    }
}

static void rsqrt_f64_is_within_two_ulp(void **state)
{
    (void)state;
    u64 seed = 4;
    for (u32 i = 0; i < N_RANDOM; i++) {
        double x = f64_of(next(&seed) % (FP64_INF - 1) + 1);
        long double error = (long double)apx_rsqrt64(x) * sqrtl(x) - 1.0L;
        assert_true(fabsl(error) < 0x1p-52L);
    }
}

static void f64_forms_answer_special_operands(void **state)
{
    (void)state;
    static const struct {
        u64 a, rcp, rsqrt_ftz, rsqrt;
    } row[] = {
        {0, FP64_INF, FP64_INF, FP64_INF},
        {FP64_SIGN, FP64_SIGN | FP64_INF, FP64_SIGN | FP64_INF, FP64_SIGN | FP64_INF},
        {FP64_INF, 0, 0, 0},
        {FP64_SIGN | FP64_INF, FP64_SIGN, 0x7fffffff00000000, FP64_NAN},
        {FP64_INF | 1, 0x7fffffff00000000, 0x7fffffff00000000, FP64_NAN | 1},
        {0xfff0123400000000, 0x7fffffff00000000, 0x7fffffff00000000, 0xfff8123400000000},
        {0xbff0000000000000, 0xbff0000000000000, 0x7fffffff00000000, FP64_NAN},
        {0x0004000000000000, FP64_INF, FP64_INF, 0x5ff0000000000000},
        {0x7fe0000000000000, 0, 0x1ff6a09e00000000, 0x1ff6a09e667f3bcc}, /* an ulp low */
    };
    for (u32 i = 0; i < LEN(row); i++) {
        double a = f64_of(row[i].a);
        assert_true(bits64(apx_rcp64(a)) == row[i].rcp);
        assert_true(bits64(apx_rsqrt64_ftz(a)) == row[i].rsqrt_ftz);
        assert_true(bits64(apx_rsqrt64(a)) == row[i].rsqrt);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(add_matches_the_host),
    cmocka_unit_test(mul_matches_the_host),
    cmocka_unit_test(div_matches_the_host),
    cmocka_unit_test(fma_matches_the_host),
    cmocka_unit_test(sqrt_matches_the_host),
    cmocka_unit_test(rcp_matches_the_host),
    cmocka_unit_test(rint_matches_the_host),
    cmocka_unit_test(float_conversions_match_the_host),
    cmocka_unit_test(narrowing_to_subnormals_matches_the_host),
    cmocka_unit_test(integers_convert_as_on_the_host),
    cmocka_unit_test(floats_convert_to_clamped_integers),
    cmocka_unit_test(nan_to_integer_follows_ptx),
    cmocka_unit_test(nan_results_are_the_promised_ones),
    cmocka_unit_test(saturation_clamps_to_zero_and_one),
    cmocka_unit_test(rcp_sqrt_rsqrt_are_within_half_an_ulp),
    cmocka_unit_test(sin_cos_are_within_half_an_ulp_below_2_to_29),
    cmocka_unit_test(lg2_is_within_half_an_ulp),
    cmocka_unit_test(ex2_is_within_half_an_ulp),
    cmocka_unit_test(tanh_is_within_half_an_ulp),
    cmocka_unit_test(roots_of_the_curves_keep_their_accuracy),
    cmocka_unit_test(powers_of_two_are_exact),
    cmocka_unit_test(approximations_answer_special_operands),
    cmocka_unit_test(negative_operands_of_sqrt_rsqrt_lg2_give_nan),
    cmocka_unit_test(huge_angles_count_as_zero),
    cmocka_unit_test(tanh_returns_subnormals_unchanged),
    cmocka_unit_test(div_is_within_half_an_ulp),
    cmocka_unit_test(div_approx_by_huge_divisors_gives_zero),
    cmocka_unit_test(div_answers_special_operands),
    cmocka_unit_test(f64_forms_on_high_words_keep_20_bits),
    cmocka_unit_test(rsqrt_f64_is_within_two_ulp),
    cmocka_unit_test(f64_forms_answer_special_operands),
};

TEST_MAIN(tests)
