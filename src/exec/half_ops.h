/*
 * half_ops.h -- binary16 (f16) and bfloat16 (bf16), one lane at a time; part of lane_ops.h.
 *
 * Every operand is exact in single precision.  An operation is done there (fma: in double) and
 * rounded to 16 bits at the end, and that gives what one rounding would:
 *   add, sub  24 bits are at least 2 p + 2 for p = 11 and 8, so that the first rounding never makes
 *             a tie of what was none (Figueroa, "When is double rounding innocuous?", 1995); sums
 *             that are subnormal are exact in either format.
 *   mul       the product has 22 or 16 bits.  It is exact but for bf16 below 2^-126, where single
 *             precision keeps the bits down to 2^-149: to be taken for a tie at 2^-134 a product
 *             would need bits from there to 2^-150, 17 of them.
 *   fma       the product is exact in double; the sum is rounded to odd, to 53 and then to 24
 *             bits, which has no ties to make (Boldo and Melquiond, "Emulation of a FMA", 2008:
 *             two bits more than the last format has are enough).  Plain double is enough for f16,
 *             not for bf16: 1.00000001b + 2^-60 is just above a tie and would become it.
 * Subnormals are kept unless .ftz; each NaN that is computed is FP16_NAN.  m: the modifiers.
 */
#ifndef EXEC_HALF_OPS_H
#define EXEC_HALF_OPS_H

typedef u32 f16, bf16, f16x2, bf16x2; /* as op.def names them: bits */

/* Exact; a NaN stays some NaN. */
static inline f32 f16_wide(u32 h)
{
    u32 b = bits32(flt32((h & 0x7fffu) << 13) * 0x1p112f);

    b |= (h & 0x7c00u) == 0x7c00u ? FP32_INF : 0;
    return flt32(b | (h & 0x8000u) << 16);
}

static inline f32 bf16_wide(u32 h)
{
    return flt32(h << 16);
}

/* To nearest even.  Below 2^-14 the sum with 1/2 rounds where the last bit of a subnormal is. */
static inline u32 f16_round(f32 x)
{
    u32 b = bits32(x), u = b & ~FP32_SIGN;
    u32 tiny = bits32(flt32(u) + 0.5f) - 0x3f000000u;
    u32 r = u < 0x38800000u ? tiny : (u + 0xfffu + (u >> 13 & 1) - 0x38000000u) >> 13;

    r = r > 0x7c00u ? 0x7c00u : r;
    return u > FP32_INF ? FP16_NAN : r | (b >> 16 & 0x8000u);
}

static inline u32 bf16_round(f32 x)
{
    u32 b = bits32(x);

    return (b & ~FP32_SIGN) > FP32_INF ? FP16_NAN : (b + 0x7fffu + (b >> 16 & 1)) >> 16;
}

/* a * b + c rounded to odd, to single precision. */
static inline f32 fma_odd(f32 a, f32 b, f32 c)
{
    f64 d = sum_odd((f64)a * b, c), back = (f32)d;
    u32 u = bits32((f32)d);

    u = __builtin_fabs(back) > __builtin_fabs(d) ? u - 1 : u;
    return flt32(back != d ? u | 1 : u);
}

/* The functions of one format: INF and ONE are its patterns of infinity and 1. */
#define HALF_OPS(T, INF, ONE)                                                                      \
    static inline u32 T##_in(u32 h, u32 m)                                                         \
    {                                                                                              \
        return m & MOD_FTZ && !(h & (INF)) ? h & 0x8000u : h;                                      \
    }                                                                                              \
    static inline u32 T##_out(u32 h, u32 m)                                                        \
    {                                                                                              \
        u32 r = T##_in(h, m);                                                                      \
        u32 sat = r & 0x8000u || r > (INF) ? 0 : r > (ONE) ? (ONE) : r;                            \
        u32 finite = (r & 0x7fffu) == (INF) ? r - 1 : r;                                           \
                                                                                                   \
        r = m & MOD_SATFINITE ? finite : r;                                                        \
        r = m & MOD_SAT ? sat : r;                                                                 \
        return m & MOD_RELU && r & 0x8000u ? 0 : r;                                                \
    }                                                                                              \
    static inline f32 T##_see(u32 h, u32 m)                                                        \
    {                                                                                              \
        return T##_wide(T##_in(h, m));                                                             \
    }                                                                                              \
    static inline u32 T##_add(u32 a, u32 b, u32 m)                                                 \
    {                                                                                              \
        return T##_out(T##_round(T##_see(a, m) + T##_see(b, m)), m);                               \
    }                                                                                              \
    static inline u32 T##_sub(u32 a, u32 b, u32 m)                                                 \
    {                                                                                              \
        return T##_out(T##_round(T##_see(a, m) - T##_see(b, m)), m);                               \
    }                                                                                              \
    static inline u32 T##_mul(u32 a, u32 b, u32 m)                                                 \
    {                                                                                              \
        return T##_out(T##_round(T##_see(a, m) * T##_see(b, m)), m);                               \
    }                                                                                              \
    static inline u32 T##_fma(u32 a, u32 b, u32 c, u32 m)                                          \
    {                                                                                              \
        return T##_out(T##_round(fma_odd(T##_see(a, m), T##_see(b, m), T##_see(c, m))), m);        \
    }                                                                                              \
    static inline u32 T##_neg(u32 a, u32 m)                                                        \
    {                                                                                              \
        return T##_in(a, m) ^ 0x8000u;                                                             \
    }                                                                                              \
    static inline u32 T##_abs(u32 a, u32 m)                                                        \
    {                                                                                              \
        return T##_in(a, m) & 0x7fffu;                                                             \
    }                                                                                              \
    /* As pick_f32, with the sign of the product if .xorsign.abs. */                               \
    static inline u32 T##_pick(u32 a, u32 b, u32 m, bool less)                                     \
    {                                                                                              \
        u32 size = m & MOD_XORSIGN ? 0x7fffu : 0xffffu, sign = (a ^ b) & ~size;                    \
        u32 p = T##_in(a, m) & size, q = T##_in(b, m) & size;                                      \
        f32 x = T##_wide(p), y = T##_wide(q);                                                      \
        u32 r = x == y ? less ? p | q : p & q : (x < y) == less ? p : q;                           \
                                                                                                   \
        r = y != y ? p : r;                                                                        \
        r = x != x ? q : r;                                                                        \
        bool nan = m & MOD_NAN ? ((x != x) | (y != y)) : ((x != x) & (y != y));                    \
                                                                                                   \
        return nan ? FP16_NAN : r | (sign & 0x8000u);                                              \
    }                                                                                              \
    static inline u32 T##_min(u32 a, u32 b, u32 m)                                                 \
    {                                                                                              \
        return T##_pick(a, b, m, true);                                                            \
    }                                                                                              \
    static inline u32 T##_max(u32 a, u32 b, u32 m)                                                 \
    {                                                                                              \
        return T##_pick(a, b, m, false);                                                           \
    }                                                                                              \
    static inline u32 T##_ex2(u32 a, u32 m)                                                        \
    {                                                                                              \
        return T##_out(T##_round(apx_ex2(T##_see(a, m))), m);                                      \
    }                                                                                              \
    static inline u32 T##_tanh(u32 a, u32 m)                                                       \
    {                                                                                              \
        return T##_out(T##_round(apx_tanh(T##_see(a, m))), m);                                     \
    }

HALF_OPS(f16, 0x7c00u, 0x3c00u)
HALF_OPS(bf16, 0x7f80u, 0x3f80u)

#undef HALF_OPS

/* ---- conversions from single precision: .rn or .rz, .relu, .satfinite */

static inline u32 f16_narrow(f32 x, u32 m)
{
    u32 r = m & MOD_RND ? fp_half_from_f32(FP_F16, bits32(x), m & MOD_RND) : f16_round(x);

    return f16_out(r, m);
}

static inline u32 bf16_narrow(f32 x, u32 m)
{
    u32 r = m & MOD_RND ? fp_half_from_f32(FP_BF16, bits32(x), m & MOD_RND) : bf16_round(x);

    return bf16_out(r, m);
}

static inline u32 tf32_narrow(f32 x, u32 m)
{
    u32 r = fp_tf32_from_f32(bits32(x), m & MOD_RNA ? FP_RNA : m & MOD_RND);
    u32 finite = (r & ~FP32_SIGN) == FP32_INF ? r - (1u << 13) : r;

    r = m & MOD_SATFINITE ? finite : r;
    return m & MOD_RELU && r & FP32_SIGN ? 0 : r;
}

static inline u32 e4m3_narrow(f32 x, u32 m)
{
    u32 r = fp8_e4m3_from_f32(bits32(x));

    return m & MOD_RELU && r & 0x80u ? 0 : r;
}

static inline u32 e5m2_narrow(f32 x, u32 m)
{
    u32 r = fp8_e5m2_from_f32(bits32(x));

    return m & MOD_RELU && r & 0x80u ? 0 : r;
}

/* Four bits of exponent in the place of five are those of a number 2^8 times smaller. */
static inline u32 f16_from_e4m3(u32 q)
{
    u32 r = f16_round(f16_wide((q & 0x7fu) << 7) * 256.0f);

    return (q & 0x7fu) == 0x7fu ? FP16_NAN : r | (q & 0x80u) << 8;
}

static inline u32 f16_from_e5m2(u32 q)
{
    return (q & 0x7fu) > 0x7cu ? FP16_NAN : q << 8;
}

/* Two in a word: each half by itself. */
#define HALVES1(f, a, m) (f((a)&0xffffu, m) | f((a) >> 16, m) << 16)
#define HALVES2(f, a, b, m) (f((a)&0xffffu, (b)&0xffffu, m) | f((a) >> 16, (b) >> 16, m) << 16)
#define HALVES3(f, a, b, c, m)                                                                     \
    (f((a)&0xffffu, (b)&0xffffu, (c)&0xffffu, m) | f((a) >> 16, (b) >> 16, (c) >> 16, m) << 16)

#endif
