/*
 * fp.c -- one algorithm per operation, for both formats.
 *
 *     bits -> unpack -> struct num -> exact or jammed result -> pack -> bits
 *
 * A finite number is unpacked into a 64-bit significand with its top bit set, which
 * leaves at least 11 bits below binary64's precision.  An inexact intermediate
 * result is "jammed": if anything was lost below bit 0, bit 0 is set.  Rounding
 * only asks whether the lost part is below, at or above a half, and bit 0 lies
 * below the half in both formats, so pack() still rounds once and right.
 *
 * The exported functions answer NaN operands first; the code below them never sees
 * one.
 */
#include "isa/fp.h"

#include <assert.h>

__extension__ typedef unsigned __int128 u128;

struct format {
    u32 frac;      /* bits of fraction stored */
    s32 emin;      /* exponent of the smallest normal number */
    u64 inf;       /* pattern of +infinity; also the mask of the exponent */
    u64 nan;       /* result of an invalid operation */
    u32 sign_at;   /* position of the sign bit */
    u32 root_bits; /* result bits sqrt computes: precision, a half bit, one spare */
};

static const struct format f32 = {23, -126, FP32_INF, FP32_NAN, 31, 26};
static const struct format f64 = {52, -1022, FP64_INF, FP64_NAN, 63, 55};
static const struct format halves[] = {
    [FP_F16] = {10, -14, 0x7c00, FP16_NAN, 15, 13},
    [FP_BF16] = {7, -126, 0x7f80, FP16_NAN, 15, 10},
};
static const struct format e4m3 = {3, -6, 0x78, 0x7f, 7, 6};
static const struct format e5m2 = {2, -14, 0x7c, 0x7f, 7, 5};
static const struct format tf32 = {10, -126, 0x3fc00, 0x3ffff, 18, 13};

enum num_class { ZERO, FINITE, INF };

struct num {
    enum num_class class;
    bool neg;
    s32 exp; /* FINITE: the value is sig * 2^(exp - 63) */
    u64 sig; /* FINITE: bit 63 is set */
};

static inline u64 with_sign(const struct format *f, bool neg, u64 magnitude)
{
    return (u64)neg << f->sign_at | magnitude;
}

static struct num normalize(bool neg, s32 exp, u64 sig)
{
    if (!sig)
        return (struct num){.class = ZERO, .neg = neg};
    s32 n = __builtin_clzll(sig);
    return (struct num){FINITE, neg, exp - n, sig << n};
}

static struct num unpack(const struct format *f, u64 a)
{
    bool neg = a >> f->sign_at & 1;
    u64 biased = (a & f->inf) >> f->frac;
    u64 frac = a & (((u64)1 << f->frac) - 1);
    if ((a & f->inf) == f->inf)
        return (struct num){.class = INF, .neg = neg};
    u32 up = 63 - f->frac;
    if (!biased)
        return normalize(neg, f->emin, frac << up);
    u64 sig = (frac | (u64)1 << f->frac) << up;
    return (struct num){FINITE, neg, (s32)biased - 1 + f->emin, sig};
}

/* Does the mode push a value away from zero, given what lies below the last bit kept? */
static inline bool rounds_up(bool neg, bool odd, bool half, bool below, u32 rnd)
{
    switch (rnd) {
    case FP_RN:
        return half && (below || odd);
    case FP_RM:
        return neg && (half || below);
    case FP_RP:
        return !neg && (half || below);
    case FP_RNA:
        return half;
    default:
        return false;
    }
}

/* sig / 2^shift as an integer, rounded; the sum cannot overflow as shift 0 is exact. */
static u64 round_shift(u64 sig, u32 shift, bool neg, u32 rnd)
{
    if (shift == 0)
        return sig;
    if (shift > 64)
        return rounds_up(neg, false, false, sig != 0, rnd);
    u64 kept = shift == 64 ? 0 : sig >> shift;
    u64 lost = sig << (64 - shift);
    return kept + rounds_up(neg, kept & 1, lost >> 63, lost << 1 != 0, rnd);
}

static u64 overflow(const struct format *f, bool neg, u32 rnd)
{
    bool to_inf = rnd == FP_RN || rnd == FP_RNA || rnd == (neg ? FP_RM : FP_RP);
    return with_sign(f, neg, to_inf ? f->inf : f->inf - 1);
}

/*
 * The fields of a pattern are laid out so that a carry out of the fraction steps
 * the exponent: the same addition makes subnormals, normals, the step from one to
 * the other and the step to infinity.
 */
static u64 fields(const struct format *f, struct num r, u32 rnd)
{
    u32 steps = r.exp > f->emin ? (u32)(r.exp - f->emin) : 0;
    u32 below = r.exp < f->emin ? (u32)(f->emin - r.exp) : 0;
    u64 kept = round_shift(r.sig, 63 - f->frac + below, r.neg, rnd);
    return ((u64)steps << f->frac) + kept;
}

static u64 pack(const struct format *f, struct num r, u32 rnd)
{
    if (r.class != FINITE)
        return with_sign(f, r.neg, r.class == INF ? f->inf : 0);
    s32 emax = 1 - f->emin;
    if (r.exp > emax)
        return overflow(f, r.neg, rnd);
    return with_sign(f, r.neg, fields(f, r, rnd));
}

static inline u128 shift_jam(u128 v, u32 n)
{
    if (n == 0)
        return v;
    if (n > 127)
        return v != 0;
    return v >> n | (v << (128 - n) != 0);
}

static struct num normalize_wide(bool neg, s32 exp, u128 sig)
{
    u64 high = (u64)(sig >> 64);
    u32 n = high ? (u32)__builtin_clzll(high) : 64 + (u32)__builtin_clzll((u64)sig);
    sig <<= n;
    return (struct num){FINITE, neg, exp - (s32)n, (u64)(sig >> 64) | ((u64)sig != 0)};
}

/*
 * The sum of two finite numbers whose significands have 128 bits, the value being
 * sig * 2^(exp - 127) with bit 127 set.  One bit of headroom is made at the top;
 * the operands have at most 106 bits, so none is lost at the bottom.  Where the
 * smaller is jammed, the exponents differ by two or more and the difference
 * cancels at most one leading bit: bit 0 stays far below the half.
 */
static struct num add_wide(bool a_neg, s32 a_exp, u128 a, bool b_neg, s32 b_exp, u128 b, u32 rnd)
{
    s32 exp = a_exp > b_exp ? a_exp : b_exp;
    a = shift_jam(a, (u32)(exp - a_exp) + 1);
    b = shift_jam(b, (u32)(exp - b_exp) + 1);
    if (a_neg == b_neg)
        return normalize_wide(a_neg, exp + 1, a + b);
    if (a == b)
        return (struct num){.class = ZERO, .neg = rnd == FP_RM};
    return a > b ? normalize_wide(a_neg, exp + 1, a - b) : normalize_wide(b_neg, exp + 1, b - a);
}

/* x + y where at least one is zero or infinite, and not infinities of both signs. */
static struct num add_special(struct num x, struct num y, u32 rnd)
{
    if (x.class == ZERO && y.class == ZERO && x.neg != y.neg)
        return (struct num){.class = ZERO, .neg = rnd == FP_RM};
    return x.class == INF || y.class == ZERO ? x : y;
}

static inline bool opposite_inf(struct num x, struct num y)
{
    return x.class == INF && y.class == INF && x.neg != y.neg;
}

/* The 64-bit twin of add_wide: 53-bit operands leave ten bits below the headroom. */
static struct num add_finite(struct num x, struct num y, u32 rnd)
{
    if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
        struct num t = x;
        x = y, y = t;
    }
    u32 n = (u32)(x.exp - y.exp) + 1;
    u64 a = x.sig >> 1;
    u64 b = n > 63 ? 1 : y.sig >> n | (y.sig << (64 - n) != 0);
    struct num sum = normalize(x.neg, x.exp + 1, x.neg == y.neg ? a + b : a - b);
    if (sum.class == ZERO)
        sum.neg = rnd == FP_RM;
    return sum;
}

static u64 add_rounded(const struct format *f, u64 a, u64 b, u32 rnd)
{
    struct num x = unpack(f, a), y = unpack(f, b);
    if (opposite_inf(x, y))
        return f->nan;
    if (x.class != FINITE || y.class != FINITE)
        return pack(f, add_special(x, y, rnd), rnd);
    return pack(f, add_finite(x, y, rnd), rnd);
}

static inline bool zero_times_inf(struct num x, struct num y)
{
    return (x.class == ZERO && y.class == INF) || (x.class == INF && y.class == ZERO);
}

/* x * y where one is zero or infinite, but not zero times infinity; finite gives zero. */
static struct num mul_special(struct num x, struct num y)
{
    bool inf = x.class == INF || y.class == INF;
    return (struct num){.class = inf ? INF : ZERO, .neg = x.neg != y.neg};
}

static u64 mul(const struct format *f, u64 a, u64 b, u32 rnd)
{
    struct num x = unpack(f, a), y = unpack(f, b);
    if (zero_times_inf(x, y))
        return f->nan;
    if (x.class != FINITE || y.class != FINITE)
        return pack(f, mul_special(x, y), rnd);
    u128 product = (u128)x.sig * y.sig;
    return pack(f, normalize_wide(x.neg != y.neg, x.exp + y.exp + 1, product), rnd);
}

static u64 fma_finite(const struct format *f, struct num x, struct num y, struct num z, u32 rnd)
{
    bool neg = x.neg != y.neg;
    s32 exp = x.exp + y.exp + 1;
    u128 product = (u128)x.sig * y.sig;
    if (z.class == ZERO)
        return pack(f, normalize_wide(neg, exp, product), rnd);
    if (!(product >> 127)) {
        product <<= 1;
        exp--;
    }
    return pack(f, add_wide(neg, exp, product, z.neg, z.exp, (u128)z.sig << 64, rnd), rnd);
}

static u64 fma_any(const struct format *f, u64 a, u64 b, u64 c, u32 rnd)
{
    struct num x = unpack(f, a), y = unpack(f, b), z = unpack(f, c);
    if (zero_times_inf(x, y))
        return f->nan;
    if (x.class == FINITE && y.class == FINITE && z.class != INF)
        return fma_finite(f, x, y, z, rnd);
    struct num product = mul_special(x, y);
    if (opposite_inf(product, z))
        return f->nan;
    return pack(f, add_special(product, z, rnd), rnd);
}

/* The quotient of two significands lies in (1/2, 2): 63 or 64 bits of it, jammed. */
static u64 div_any(const struct format *f, u64 a, u64 b, u32 rnd)
{
    struct num x = unpack(f, a), y = unpack(f, b);
    bool neg = x.neg != y.neg;
    if (x.class == y.class && x.class != FINITE)
        return f->nan;
    if (x.class == INF || y.class == ZERO)
        return with_sign(f, neg, f->inf);
    if (x.class == ZERO || y.class == INF)
        return with_sign(f, neg, 0);
    u128 dividend = (u128)x.sig << 63;
    u64 quotient = (u64)(dividend / y.sig);
    u64 exact = (u128)quotient * y.sig == dividend;
    return pack(f, normalize(neg, x.exp - y.exp, quotient | !exact), rnd);
}

/* One result bit per step, as on paper; the remainder stays below 2^(root_bits + 3). */
static u64 sqrt_any(const struct format *f, u64 a, u32 rnd)
{
    struct num x = unpack(f, a);
    if (x.class == ZERO || (x.class == INF && !x.neg))
        return a;
    if (x.neg)
        return f->nan;
    bool odd = x.exp & 1;
    u64 digits = odd ? x.sig : x.sig >> 1;
    u64 root = 0, rem = 0;
    for (u32 i = 0; i < f->root_bits; i++) {
        rem = rem << 2 | digits >> 62;
        digits <<= 2;
        u64 trial = root << 2 | 1;
        bool fits = rem >= trial;
        rem -= fits ? trial : 0;
        root = root << 1 | fits;
    }
    u64 sig = root << (64 - f->root_bits) | (rem != 0);
    return pack(f, (struct num){FINITE, false, (x.exp - odd) / 2, sig}, rnd);
}

/* A fraction is gone once the exponent reaches the width of the fraction field. */
static u64 rint_any(const struct format *f, u64 a, u32 rnd)
{
    struct num x = unpack(f, a);
    if (x.class != FINITE || x.exp >= (s32)f->frac)
        return a;
    u64 whole = round_shift(x.sig, (u32)(63 - x.exp), x.neg, rnd);
    return pack(f, normalize(x.neg, 63, whole), rnd);
}

u32 fp32_add(u32 a, u32 b, u32 rnd)
{
    if (fp32_is_nan(a) || fp32_is_nan(b))
        return FP32_NAN;
    return (u32)add_rounded(&f32, a, b, rnd);
}

u32 fp32_mul(u32 a, u32 b, u32 rnd)
{
    if (fp32_is_nan(a) || fp32_is_nan(b))
        return FP32_NAN;
    return (u32)mul(&f32, a, b, rnd);
}

u32 fp32_div(u32 a, u32 b, u32 rnd)
{
    if (fp32_is_nan(a) || fp32_is_nan(b))
        return FP32_NAN;
    return (u32)div_any(&f32, a, b, rnd);
}

u32 fp32_fma(u32 a, u32 b, u32 c, u32 rnd)
{
    if (fp32_is_nan(a) || fp32_is_nan(b) || fp32_is_nan(c))
        return FP32_NAN;
    return (u32)fma_any(&f32, a, b, c, rnd);
}

u32 fp32_sqrt(u32 a, u32 rnd)
{
    return fp32_is_nan(a) ? FP32_NAN : (u32)sqrt_any(&f32, a, rnd);
}

u32 fp32_rcp(u32 a, u32 rnd)
{
    return fp32_div(FP32_ONE, a, rnd);
}

u64 fp64_add(u64 a, u64 b, u32 rnd)
{
    if (fp64_is_nan(a) || fp64_is_nan(b))
        return fp64_nan2(a, b);
    return add_rounded(&f64, a, b, rnd);
}

u64 fp64_mul(u64 a, u64 b, u32 rnd)
{
    if (fp64_is_nan(a) || fp64_is_nan(b))
        return fp64_nan2(a, b);
    return mul(&f64, a, b, rnd);
}

u64 fp64_div(u64 a, u64 b, u32 rnd)
{
    if (fp64_is_nan(a) || fp64_is_nan(b))
        return fp64_nan2(a, b);
    return div_any(&f64, a, b, rnd);
}

u64 fp64_fma(u64 a, u64 b, u64 c, u32 rnd)
{
    if (fp64_is_nan(a) || fp64_is_nan(b) || fp64_is_nan(c))
        return fp64_nan3(a, b, c);
    return fma_any(&f64, a, b, c, rnd);
}

u64 fp64_sqrt(u64 a, u32 rnd)
{
    return fp64_is_nan(a) ? a | FP64_QUIET : sqrt_any(&f64, a, rnd);
}

u64 fp64_rcp(u64 a, u32 rnd)
{
    return fp64_div(FP64_ONE, a, rnd);
}

u32 fp32_from_f64(u64 a, u32 rnd)
{
    return fp64_is_nan(a) ? FP32_NAN : (u32)pack(&f32, unpack(&f64, a), rnd);
}

u64 fp64_from_f32(u32 a)
{
    if (fp32_is_nan(a)) {
        u64 payload = (u64)(a & 0x7fffff) << 29;
        return with_sign(&f64, a >> 31, FP64_INF | FP64_QUIET | payload);
    }
    return pack(&f64, unpack(&f32, a), FP_RN);
}

u32 fp_half_from_f32(enum fp_half h, u32 a, u32 rnd)
{
    return fp32_is_nan(a) ? FP16_NAN : (u32)pack(&halves[h], unpack(&f32, a), rnd);
}

u32 fp_half_from_f64(enum fp_half h, u64 a, u32 rnd)
{
    return fp64_is_nan(a) ? FP16_NAN : (u32)pack(&halves[h], unpack(&f64, a), rnd);
}

/* Exponents count on past the format's last, so the largest number is a bound on the pattern. */
static u32 to_8_bits(const struct format *f, u32 a, u32 largest)
{
    if (fp32_is_nan(a))
        return (u32)f->nan;
    struct num x = unpack(&f32, a);
    u64 size = x.class == ZERO ? 0 : x.class == INF ? largest : fields(f, x, FP_RN);
    return (u32)with_sign(f, x.neg, size < largest ? size : largest);
}

u32 fp8_e4m3_from_f32(u32 a)
{
    return to_8_bits(&e4m3, a, 0x7e);
}

u32 fp8_e5m2_from_f32(u32 a)
{
    return to_8_bits(&e5m2, a, 0x7b);
}

u32 fp_tf32_from_f32(u32 a, u32 rnd)
{
    return fp32_is_nan(a) ? FP32_NAN : (u32)pack(&tf32, unpack(&f32, a), rnd) << 13;
}

static struct num num_from_s64(s64 v)
{
    return v < 0 ? normalize(true, 63, -(u64)v) : normalize(false, 63, (u64)v);
}

u32 fp_half_from_s64(enum fp_half h, s64 v, u32 rnd)
{
    return (u32)pack(&halves[h], num_from_s64(v), rnd);
}

u32 fp_half_from_u64(enum fp_half h, u64 v, u32 rnd)
{
    return (u32)pack(&halves[h], normalize(false, 63, v), rnd);
}

u32 fp32_from_s64(s64 v, u32 rnd)
{
    return (u32)pack(&f32, num_from_s64(v), rnd);
}

u32 fp32_from_u64(u64 v, u32 rnd)
{
    return (u32)pack(&f32, normalize(false, 63, v), rnd);
}

u64 fp64_from_s64(s64 v, u32 rnd)
{
    return pack(&f64, num_from_s64(v), rnd);
}

u64 fp64_from_u64(u64 v, u32 rnd)
{
    return pack(&f64, normalize(false, 63, v), rnd);
}

u32 fp32_rint(u32 a, u32 rnd)
{
    return fp32_is_nan(a) ? FP32_NAN : (u32)rint_any(&f32, a, rnd);
}

u64 fp64_rint(u64 a, u32 rnd)
{
    return fp64_is_nan(a) ? a | FP64_QUIET : rint_any(&f64, a, rnd);
}

/* |x| rounded to an integer, or the largest u64 where that has no room for it. */
static u64 magnitude(struct num x, u32 rnd)
{
    if (x.class == ZERO)
        return 0;
    if (x.class == INF || x.exp > 63)
        return UINT64_MAX;
    return round_shift(x.sig, (u32)(63 - x.exp), x.neg, rnd);
}

static s64 to_int(struct num x, u32 rnd, u32 bits, bool is_signed)
{
    assert(bits == 8 || bits == 16 || bits == 32 || bits == 64);
    u64 mag = magnitude(x, rnd);
    u64 top = (u64)1 << (bits - 1);
    if (!is_signed)
        return x.neg ? 0 : (s64)min_u64(mag, top - 1 + top);
    return x.neg ? (s64)-min_u64(mag, top) : (s64)min_u64(mag, top - 1);
}

/* 1 << (bits - 1), which as a signed integer is the smallest of its width. */
static s64 nan_to_int(u32 bits, bool is_signed)
{
    u64 top = (u64)1 << (bits - 1);
    return is_signed ? (s64)-top : (s64)top;
}

s64 fp32_to_int(u32 a, u32 rnd, u32 bits, bool is_signed)
{
    if (fp32_is_nan(a))
        return bits == 64 ? nan_to_int(bits, is_signed) : 0;
    return to_int(unpack(&f32, a), rnd, bits, is_signed);
}

s64 fp64_to_int(u64 a, u32 rnd, u32 bits, bool is_signed)
{
    if (fp64_is_nan(a))
        return nan_to_int(bits, is_signed);
    return to_int(unpack(&f64, a), rnd, bits, is_signed);
}
