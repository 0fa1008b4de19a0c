/*
 * op_value.h -- operands for op_test.h: the letters of a signature, edge values, random values.
 *
 * Integers of every magnitude and around every power of two that matters; shift counts past
 * every width; floats with zeros, subnormals, neighbours of 1, ties, the largest, infinities
 * and NaNs quiet and signalling; for conversions, where they round and clamp.
 */
#ifndef TESTS_PROPS_OP_VALUE_H
#define TESTS_PROPS_OP_VALUE_H

#include <string.h>

#include "base/base.h"

/* ---- letters of a signature */

static inline u32 op_bits(char c)
{
    return strchr("hHeb", c) ? 16 : strchr("dDg", c) ? 64 : strchr("pP", c) ? 1 : c == 'q' ? 2 : 32;
}

static inline char op_reg(char c)
{
    return op_bits(c) == 16 ? 'h' : op_bits(c) == 64 ? 'd' : op_bits(c) == 32 ? 'w' : 'p';
}

static inline u64 op_mask(u32 bits)
{
    return bits == 64 ? ~0ull : (1ull << bits) - 1;
}

/* What the reference gets for the bits in a register. */
static inline u64 op_see(char c, u64 bits)
{
    bits &= op_mask(op_bits(c));
    switch (c) {
    case 'H':
        return (u64)(s64)(s16)bits;
    case 'W':
        return (u64)(s64)(s32)bits;
    case 'P':
        return !bits;
    default:
        return bits;
    }
}

/* ---- operands: edges and random values (splitmix64) */

static inline u64 op_random(u64 *seed)
{
    u64 z = *seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* clang-format off */
static const u64 op_edges_int[] = {
    0, 1, 2, 3, 5, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0x8001, 0xffff,
    0x10000, 0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
    0x100000000, 0x123456789abcdef, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
    0xfffffffffffffffe, 0xffffffffffffffff, 0xffffffff80000000, 0x5555555555555555,
    0xaaaaaaaaaaaaaaaa, 0xff80ff80ff80ff80, 0x00ff00ff00ff00ff,
};

static const u64 op_edges_count[] = {
    0, 1, 2, 5, 7, 8, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 127, 128, 255, 256, 257, 0x120,
    0x7fffffff, 0x80000000, 0xffffffff,
};

static const u32 op_edges_f32[] = {
    0, 1, 0x7fffff, 0x400000, 0x800000, 0x800001, 0x3f000000, 0x3effffff, 0x3f7fffff, 0x3f800000,
    0x3f800001, 0x3fc00000, 0x3fffffff, 0x40000000, 0x33800000, 0x33800001, 0x4b000001, 0x4b800000,
    0x1fc00000, 0x5f800000, 0x7e800000, 0x7effffff, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001,
    0x7fc00000, 0x7fffffff,
};

static const u64 op_edges_f64[] = {
    0, 1, 0xfffffffffffff, 0x8000000000000, 0x10000000000000, 0x10000000000001, 0x3fe0000000000000,
    0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001, 0x3ff8000000000000,
    0x3fffffffffffffff, 0x4000000000000000, 0x3ca0000000000000, 0x3ca0000000000001,
    0x4330000000000001, 0x1ff8000000000000, 0x380fffffe0000000, 0x36a0000000000000,
    0x47efffffefffffff, 0x47effffff0000000, 0x5fe0000000000000, 0x7fd0000000000000,
    0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
    0x7ff80000deadbeef, 0x7fffffffffffffff,
};

static const u16 op_edges_f16[] = {
    0, 1, 2, 0x1ff, 0x200, 0x3ff, 0x400, 0x401, 0x1400, 0x37ff, 0x3800, 0x3bff, 0x3c00, 0x3c01, 0x3dff,
    0x3fff, 0x4000, 0x6400, 0x77ff, 0x7800, 0x7bff, 0x7c00, 0x7d01,
};

static const u16 op_edges_bf16[] = {
    0, 1, 2, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0x1fff, 0x3f7f, 0x3f80, 0x3f81, 0x3fff, 0x4000, 0x3b80,
    0x4380, 0x5f80, 0x7e7f, 0x7e80, 0x7f00, 0x7f7f, 0x7f80, 0x7f81,
};

/* For forms of one operand: where conversions round and clamp. */
static const double op_edges_cvt[] = {
    0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 126.5, 127, 127.5, 128, 128.5, 254.5, 255, 255.5, 256, 32766.5,
    32767, 32767.5, 32768, 32768.5, 65534.5, 65535, 65535.5, 65536, 8388607.5, 8388608, 16777215,
    16777216, 16777218, 2147483520, 2147483583, 2147483646.5, 2147483647, 2147483647.5, 2147483648,
    2147483648.5, 2147483904, 4294967040, 4294967294.5, 4294967295, 4294967295.5, 4294967296,
    4294967808, 4503599627370495.5, 4503599627370496, 9007199254740991, 9223371487098961920.0,
    9223372036854774784.0, 9223372036854775808.0, 9223373136366403584.0, 18446742974197923840.0,
    18446744073709549568.0, 18446744073709551616.0, 1e20, 1e30, 1e-30, 3.1415926535, 100.9,
    1.1754943e-38, 0.99999999, 1.0000001, 6.2831853, 88.0, 20.0, 9.5, 126, 150, 0x1p29, 0x1.8p-11,
};
/* clang-format on */

static inline u64 op_float_edge(bool is64, u64 r)
{
    u64 sign = r & 1;

    r >>= 1;
    if (is64)
        return op_edges_f64[r % LEN(op_edges_f64)] | sign << 63;
    return op_edges_f32[r % LEN(op_edges_f32)] | sign << 31;
}

/*
 * Any bits, or an exponent near 1 and a fraction with long runs, so that sums and products come
 * close to ties.
 */
static inline u64 op_float_random(bool is64, u64 r, u64 r2)
{
    u32 frac = is64 ? 52 : 23, bits = is64 ? 64 : 32;
    u64 mid = is64 ? 1023 : 127, all = (1ull << frac) - 1;
    u64 run = ((2ull << (r & 63)) - 1) ^ (1ull << (r >> 6 & 63));

    if ((r >> 12 & 3) == 0)
        return r2 & op_mask(bits);
    u64 exp = mid - 12 + (r >> 16) % 24, f = r >> 14 & 1 ? r2 & all : run & all;

    return f | exp << frac | (r >> 15 & 1) << (bits - 1);
}

/* The like of 16 bits, and of a pair: its lower half is the edge asked for. */
static inline bool op_is_half(char c)
{
    return c && strchr("ebEB", c);
}

static inline u64 op_half_edge(char c, u64 k)
{
    const u16 *edge = strchr("eE", c) ? op_edges_f16 : op_edges_bf16;
    u32 n = LEN(op_edges_f16);
    u64 low = edge[k / 2 % n] | (k & 1) << 15, high = edge[(k + k / 7) % n] | (k >> 1 & 1) << 15;

    return strchr("EB", c) ? low | high << 16 : low;
}

static inline u64 op_half_random(char c, u64 r, u64 r2)
{
    u32 frac = strchr("eE", c) ? 10 : 7;
    u64 mid = strchr("eE", c) ? 15 : 127, run = ((2ull << (r & 7)) - 1) ^ (1ull << (r >> 6 & 7));
    u64 f = (r >> 14 & 1 ? r2 : run) & op_mask(frac);
    u64 one = (r >> 12 & 3) == 0 ? r2 & 0xffff
                                 : f | (mid - 12 + (r >> 16) % 24) << frac | (r >> 15 & 1) << 15;

    return strchr("EB", c) ? one | (r2 >> 20 & 0xffff) << 16 : one;
}

static inline u32 op_n_edges(char c)
{
    if (op_is_half(c))
        return 2 * LEN(op_edges_f16);

    return c == 'n'   ? LEN(op_edges_count)
           : c == 'f' ? 2 * LEN(op_edges_f32)
           : c == 'g' ? 2 * LEN(op_edges_f64)
                      : LEN(op_edges_int);
}

static inline u64 op_edge(char c, u64 k)
{
    if (op_is_half(c))
        return op_half_edge(c, k);
    if (c == 'f' || c == 'g')
        return op_float_edge(c == 'g', k % op_n_edges(c));
    u64 v =
        c == 'n' ? op_edges_count[k % LEN(op_edges_count)] : op_edges_int[k % LEN(op_edges_int)];

    return v & op_mask(op_bits(c));
}

static inline u64 op_any(char c, u64 *seed)
{
    u64 r = op_random(seed), r2 = op_random(seed);

    if (c == 'f' || c == 'g')
        return op_float_random(c == 'g', r, r2);
    if (op_is_half(c))
        return op_half_random(c, r, r2);
    if (c == 'n')
        return r & 3 ? r2 % 70 : (u32)r2;
    return r2 >> (r & 63) & op_mask(op_bits(c)); /* every magnitude */
}

/* Bits of a number as f32 or f64; the test's own cast rounds to nearest. */
static inline u64 op_number(char c, double x)
{
    float f = (float)x;
    u32 b;
    u64 b64;

    memcpy(&b, &f, sizeof b);
    memcpy(&b64, &x, sizeof b64);
    return c == 'f' ? b : b64;
}

/*
 * Tuple i: first the cross product of the edges of one or two operands, or random picks
 * of the edges of more, then random values.
 */
static inline bool op_wants_edge(const char *sig, u32 n, u32 i, u64 *seed)
{
    if (n == 1)
        return i < op_n_edges(sig[1]);
    if (n == 2 && i < op_n_edges(sig[1]) * op_n_edges(sig[2]))
        return true;
    return op_random(seed) & 1;
}

static inline void op_tuple(const char *sig, u32 i, u64 *seed, u64 *v)
{
    u32 n = (u32)strlen(sig) - 1, at = i;

    for (u32 k = 0; k < n; k++) {
        char c = sig[k + 1];
        bool edge = op_wants_edge(sig, n, i, seed);
        u32 past = i - op_n_edges(c);

        if (op_reg(c) == 'p')
            v[k] = op_random(seed) & 1;
        else if (edge)
            v[k] = op_edge(c, n > 2 ? op_random(seed) : at);
        else if (n == 1 && strchr("fg", c) && past < 2 * LEN(op_edges_cvt))
            v[k] = op_number(c, op_edges_cvt[past / 2] * (past & 1 ? -1 : 1));
        else
            v[k] = op_any(c, seed);
        at /= op_n_edges(c);
    }
}

/* The guard of a tuple: whole warps on and off, single lanes, and random ones. */
static inline u64 op_guard_bit(u32 i, u64 r)
{
    u32 warp = i / 32 % 8, lane = i % 32;

    return warp == 0   ? 1
           : warp == 1 ? 0
           : warp == 2 ? lane == 31
           : warp == 3 ? lane == 0
           : warp == 4 ? lane != 7
                       : r >> 20 & 1;
}

#endif
