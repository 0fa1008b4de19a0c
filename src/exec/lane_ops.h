/*
 * lane_ops.h -- the functions that the expressions of op.def use, one lane at a time.
 *
 * All pure and without traps for any input, since lanes that are switched off are
 * computed too and then thrown away.  Host arithmetic is used where it is exact by
 * IEEE-754 (round to nearest even), so every host computes the same bits.
 */
#ifndef EXEC_LANE_OPS_H
#define EXEC_LANE_OPS_H

#include <string.h>

#include "base/base.h"
#include "exec/approx.h"
#include "isa/fp.h"
#include "isa/inst.h"

typedef float f32;
typedef double f64;

static inline u32 bits32(f32 x)
{
    u32 b;

    memcpy(&b, &x, 4);
    return b;
}

static inline f32 flt32(u32 b)
{
    f32 x;

    memcpy(&x, &b, 4);
    return x;
}

static inline u64 bits64(f64 x)
{
    u64 b;

    memcpy(&b, &x, 8);
    return b;
}

static inline f64 flt64(u64 b)
{
    f64 x;

    memcpy(&x, &b, 8);
    return x;
}

/* ---- flushing, saturating, NaN */

static inline f32 ftz(f32 x)
{
    u32 b = bits32(x);

    return flt32(b & 0x7f800000u ? b : b & 0x80000000u);
}

/* Single-precision NaNs become the one that NVIDIA's machines give. */
static inline u32 raw_f32(f32 v)
{
    return v != v ? FP32_NAN : bits32(v);
}

static inline f32 fz(f32 x, u32 m)
{
    return m & MOD_FTZ ? ftz(x) : x;
}

static inline u32 in32(u32 b, u32 m)
{
    return m & MOD_FTZ && !(b & 0x7f800000u) ? b & 0x80000000u : b;
}

static inline u32 out32(u32 b, u32 m)
{
    b = in32(b, m);
    return m & MOD_SAT ? fp32_sat(b) : b;
}

static inline u32 neg32(u32 b)
{
    return b ^ 0x80000000u;
}

/* The result r of a, b, c with the NaN that PTX wants if it is one. */
static inline f64 nan64(f64 r, f64 a, f64 b, f64 c)
{
    u64 n = a != a   ? bits64(a) | FP64_QUIET
            : b != b ? bits64(b) | FP64_QUIET
            : c != c ? bits64(c) | FP64_QUIET
                     : FP64_NAN;

    return r != r ? flt64(n) : r;
}

static inline u64 sub_f64(u64 a, u64 b, u32 rnd)
{
    if (fp64_is_nan(b))
        return fp64_nan2(a, b);
    return fp64_add(a, b ^ FP64_SIGN, rnd);
}

/*
 * p + c rounded to odd: if something is lost (err, Knuth's two-sum), the last bit is set, so that
 * a second rounding, to a shorter format, sees that the sum was not a tie.
 */
static inline f64 sum_odd(f64 p, f64 c)
{
    f64 s = p + c, t = s - p, err = (p - (s - t)) + (c - t);
    u64 odd = bits64(s);
    u64 toward = (err > 0) == (s > 0) ? odd | 1 : (odd - 1) | 1;

    return flt64(err == err && err != 0 && !(odd & 1) ? toward : odd);
}

static inline f32 fma32(f32 a, f32 b, f32 c)
{
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    return (f32)sum_odd((f64)a * b, c); /* the product is exact in double */
#endif
}

static inline f64 fma64(f64 a, f64 b, f64 c)
{
#ifdef __FMA__
    return __builtin_fma(a, b, c);
#else
    return flt64(fp64_fma(bits64(a), bits64(b), bits64(c), FP_RN));
#endif
}

static inline f32 sqrt32(f32 a)
{
    return __builtin_sqrtf(a);
}

static inline f64 sqrt64(f64 a)
{
    return __builtin_sqrt(a);
}

/* Of two numbers the other if one is NaN; -0 is below +0. */
static inline u32 pick_f32(u32 a, u32 b, u32 m, bool less, u32 equal)
{
    f32 x = flt32(a), y = flt32(b);
    u32 r = x == y ? equal : less ? a : b;

    r = y != y ? a : r;
    r = x != x ? b : r;
    bool nan = m & MOD_NAN ? ((x != x) | (y != y)) : ((x != x) & (y != y));

    return nan ? FP32_NAN : r;
}

static inline u32 min_f32(u32 a, u32 b, u32 m)
{
    return pick_f32(a, b, m, flt32(a) < flt32(b), a | b);
}

static inline u32 max_f32(u32 a, u32 b, u32 m)
{
    return pick_f32(a, b, m, flt32(a) > flt32(b), a & b);
}

static inline u64 pick_f64(u64 a, u64 b, bool less, u64 equal)
{
    f64 x = flt64(a), y = flt64(b);
    u64 r = x == y ? equal : less ? a : b;

    r = y != y ? a : r;
    r = x != x ? b : r;
    return ((x != x) & (y != y)) ? a | FP64_QUIET : r;
}

static inline u64 min_f64(u64 a, u64 b)
{
    return pick_f64(a, b, flt64(a) < flt64(b), a | b);
}

static inline u64 max_f64(u64 a, u64 b)
{
    return pick_f64(a, b, flt64(a) > flt64(b), a & b);
}

/* .xorsign.abs: by size alone, and the sign that the product would have. */
static inline u32 min_sign_f32(u32 a, u32 b, u32 m)
{
    u32 r = min_f32(a & ~FP32_SIGN, b & ~FP32_SIGN, m);

    return fp32_is_nan(r) ? r : r | ((a ^ b) & FP32_SIGN);
}

static inline u32 max_sign_f32(u32 a, u32 b, u32 m)
{
    u32 r = max_f32(a & ~FP32_SIGN, b & ~FP32_SIGN, m);

    return fp32_is_nan(r) ? r : r | ((a ^ b) & FP32_SIGN);
}

static inline f64 widen_f32(f32 a)
{
    u64 n = (u64)(bits32(a) & 0x80000000u) << 32 | FP64_INF | FP64_QUIET |
            (u64)(bits32(a) & 0x7fffffu) << 29;

    return a != a ? flt64(n) : (f64)a;
}

static inline s32 rzi_s32(f32 a)
{
    return a >= 2147483648.0f   ? 0x7fffffff
           : a < -2147483648.0f ? -0x7fffffff - 1
           : a != a             ? 0
                                : (s32)a;
}

static inline u32 rzi_u32(f32 a)
{
    return a >= 4294967296.0f ? ~0u : a > 0.0f ? (u32)(s64)a : 0u;
}

/* NaN of a double gives the most negative number (PTX ISA, cvt). */
static inline s32 rzi_s32_f64(f64 a)
{
    return a >= 2147483647.0 ? 0x7fffffff : a > -2147483649.0 ? (s32)a : -0x7fffffff - 1;
}

#include "exec/half_ops.h"

/* ---- integers */

static inline s32 sat_s32(s64 x)
{
    return x > 0x7fffffff ? 0x7fffffff : x < -0x80000000ll ? -0x7fffffff - 1 : (s32)x;
}

/* Clamped to `bits` bits and put side by side, a above b. */
static inline u32 pack_sat(s32 a, s32 b, u32 m)
{
    u32 bits = m & MOD_PACK_BITS, all = (1u << bits) - 1;
    s32 max = m & MOD_PACK_SIGNED ? (s32)(all >> 1) : (s32)all;
    s32 min = m & MOD_PACK_SIGNED ? -max - 1 : 0;

    a = a < min ? min : a > max ? max : a;
    b = b < min ? min : b > max ? max : b;
    return ((u32)a & all) << bits | ((u32)b & all);
}

static inline u64 mulhi_u64(u64 a, u64 b)
{
    return (u64)((unsigned __int128)a * b >> 64);
}

static inline s64 mulhi_s64(s64 a, s64 b)
{
    return (s64)((__int128)a * b >> 64);
}

static inline u64 u24(u32 x)
{
    return x & 0xffffffu;
}

static inline s64 s24(s32 x)
{
    return (s32)((u32)x << 8) >> 8;
}

static inline u32 lo24(u64 a, u64 b)
{
    return (u32)(a * b);
}

static inline s64 div_s64(s64 a, s64 b)
{
    return b == 0 ? -1 : b == -1 ? (s64)(0 - (u64)a) : a / b;
}

static inline s64 rem_s64(s64 a, s64 b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

static inline u32 lop3(u32 a, u32 b, u32 c, u32 lut)
{
    u32 r = 0;

    for (u32 k = 0; k < 8; k++) {
        u32 term = (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);

        r |= term & (0u - (lut >> k & 1));
    }
    return r;
}

static inline u32 funnel_l(u32 lo, u32 hi, u32 n)
{
    return (u32)((((u64)hi << 32 | lo) << n) >> 32);
}

static inline u32 funnel_r(u32 lo, u32 hi, u32 n)
{
    return (u32)(((u64)hi << 32 | lo) >> n);
}

static inline u32 clz_32(u32 a)
{
    return a ? (u32)__builtin_clz(a) : 32;
}

static inline u32 clz_64(u64 a)
{
    return a ? (u32)__builtin_clzll(a) : 64;
}

static inline u32 brev_32(u32 a)
{
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
}

static inline u64 brev_64(u64 a)
{
    return (u64)brev_32((u32)a) << 32 | brev_32((u32)(a >> 32));
}

/* Position of the highest set bit, or the shift that would bring it to the top. */
static inline u32 bfind(u32 top, u32 zeros, u32 shiftamt)
{
    return zeros > top ? ~0u : shiftamt ? zeros : top - zeros;
}

/* Bit fields: position and length are the low 8 bits of their operands. */
static inline u64 low_bits(u32 n)
{
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}

/* n set bits from a place on; n and the place are at most 32. */
static inline u32 bits_from(u32 at, u32 n)
{
    return (u32)(low_bits(n) << at);
}

static inline u32 bmsk_clamp(u32 at, u32 n)
{
    return bits_from(at > 32 ? 32 : at, n > 32 ? 32 : n);
}

/* The low n bits of a as a number with a sign; 0 of none. */
static inline u32 szext(u32 a, u32 n)
{
    u32 low = (u32)(a & low_bits(n)), sign = n ? 1u << (n - 1) : 0;

    return (low ^ sign) - sign;
}

/* The place of the |n|-th set bit from `base` on, up or down; of n = 0, base itself if it is set. */
static inline u32 fns(u32 mask, u32 base, s32 n)
{
    s32 step = n < 0 ? -1 : 1;
    s64 left = n < 0 ? -(s64)n : n ? n : 1;

    for (s64 at = base; at >= 0 && at < 32; at += step) {
        left -= mask >> at & 1;
        if (left == 0)
            return (u32)at;
        if (n == 0)
            break;
    }
    return ~0u;
}

/* Part k of a word that has parts of so many bits. */
static inline s32 word_part(u32 w, u32 k, u32 bits, bool is_signed)
{
    u32 up = 32 - bits, top = w << (up - k * bits);

    return is_signed ? (s32)top >> up : (s32)(top >> up);
}

static inline u32 dp4a(u32 a, u32 b, u32 c, bool sa, bool sb)
{
    for (u32 k = 0; k < 4; k++)
        c += (u32)(word_part(a, k, 8, sa) * word_part(b, k, 8, sb));
    return c;
}

static inline u32 dp2a(u32 a, u32 b, u32 c, bool sa, bool sb)
{
    for (u32 k = 0; k < 2; k++)
        c += (u32)(word_part(a, k, 16, sa) * word_part(b, k, 8, sb));
    return c;
}

static inline u32 bfe_u32(u32 a, u32 pos, u32 len)
{
    pos &= 255, len &= 255;
    return pos > 31 ? 0 : (u32)((u64)(a >> pos) & low_bits(len));
}

static inline u64 bfe_u64(u64 a, u32 pos, u32 len)
{
    pos &= 255, len &= 255;
    return pos > 63 ? 0 : (a >> pos) & low_bits(len);
}

/* The sign is the field's top bit, or the word's if the field reaches beyond it. */
static inline u32 bfe_s32(u32 a, u32 pos, u32 len)
{
    pos &= 255, len &= 255;
    u32 top = pos + len - 1 > 31 ? 31 : pos + len - 1;
    u64 sign = len == 0 ? 0 : a >> (top & 31) & 1;
    u64 field = pos > 31 ? 0 : (u64)(a >> pos) & low_bits(len);
    u32 have = pos > 31 ? 0 : len > 32 - pos ? 32 - pos : len;

    return (u32)(field | (sign ? ~low_bits(have) : 0));
}

static inline u64 bfe_s64(u64 a, u32 pos, u32 len)
{
    pos &= 255, len &= 255;
    u32 top = pos + len - 1 > 63 ? 63 : pos + len - 1;
    u64 sign = len == 0 ? 0 : a >> (top & 63) & 1;
    u64 field = pos > 63 ? 0 : (a >> pos) & low_bits(len);
    u32 have = pos > 63 ? 0 : len > 64 - pos ? 64 - pos : len;

    return field | (sign ? ~low_bits(have) : 0);
}

static inline u32 bfi_32(u32 a, u32 b, u32 pos, u32 len)
{
    pos &= 255, len &= 255;
    u32 mask = pos > 31 ? 0 : (u32)(low_bits(len) << pos);

    return (b & ~mask) | ((u32)((u64)a << (pos & 63)) & mask);
}

static inline u64 bfi_64(u64 a, u64 b, u32 pos, u32 len)
{
    pos &= 255, len &= 255;
    u64 mask = pos > 63 ? 0 : low_bits(len) << pos;

    return (b & ~mask) | (a << (pos & 63) & mask);
}

/* Selector nibbles of the modes .f4e .b4e .rc8 .ecl .ecr .rc16 (mode 1..6) for c = 0..3. */
static inline u32 prmt_selector(u32 c, u32 mode)
{
    static const u16 sel[7][4] = {
        {0, 0, 0, 0},
        {0x3210, 0x4321, 0x5432, 0x6543},
        {0x5670, 0x6701, 0x7012, 0x0123},
        {0x0000, 0x1111, 0x2222, 0x3333},
        {0x3210, 0x3211, 0x3222, 0x3333},
        {0x0000, 0x1110, 0x2210, 0x3210},
        {0x1010, 0x3232, 0x1010, 0x3232},
    };

    return mode ? sel[mode][c & 3] : c;
}

static inline u32 prmt(u32 a, u32 b, u32 c, u32 mode)
{
    u64 bytes = (u64)b << 32 | a;
    u32 sel = prmt_selector(c, mode), r = 0;

    for (u32 i = 0; i < 4; i++) {
        u32 n = sel >> 4 * i & 15;
        u32 byte = (u32)(bytes >> 8 * (n & 7)) & 255;

        if (n & 8)
            byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * i;
    }
    return r;
}

/* ---- cube maps: where a direction leaves the cube (CUDA programming guide, cubemap textures) */

/* Faces are those of +x, -x, +y, -y, +z, -z. */
static inline u32 cube_face(f32 x, f32 y, f32 z)
{
    f32 ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
    u32 axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    f32 major = axis == 0 ? x : axis == 1 ? y : z;

    return 2 * axis + (major < 0);
}

/* 0 at one edge of the face, 1 at the other. */
static inline f32 cube_place(f32 v, f32 major)
{
    return (v / major + 1) / 2;
}

static inline f32 cube_major(u32 face, f32 x, f32 y, f32 z)
{
    f32 v = face < 2 ? x : face < 4 ? y : z;

    return v < 0 ? -v : v;
}

static inline f32 cube_s(f32 x, f32 y, f32 z)
{
    u32 face = cube_face(x, y, z);
    f32 s = face == 0 ? -z : face == 1 ? z : face == 5 ? -x : x;

    return cube_place(s, cube_major(face, x, y, z));
}

static inline f32 cube_t(f32 x, f32 y, f32 z)
{
    u32 face = cube_face(x, y, z);
    f32 t = face == 2 ? z : face == 3 ? -z : -y;

    return cube_place(t, cube_major(face, x, y, z));
}

#include "exec/video_ops.h"

#endif
