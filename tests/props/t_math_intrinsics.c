/* t_math_intrinsics.c -- one-instruction functions against the host's arithmetic */
#include <fenv.h>

#include "toolkit/math/intrinsics.h"
#include "tests/props/math_test.h"

/* --- arithmetic in the host's four rounding modes -------------------------------------------- */

/* Operands pass through volatile, so that the operation stays between the two mode changes. */
#define WANT_MODE(name, MODE, R, A, expr)                                                          \
    static u64 want_##name(const u64 *a)                                                           \
    {                                                                                              \
        volatile A x = math_as_##A(a[0]), y = math_as_##A(a[1]), z = math_as_##A(a[2]);            \
                                                                                                   \
        (void)y, (void)z;                                                                          \
        fesetround(MODE);                                                                          \
        volatile R r = expr;                                                                       \
        fesetround(FE_TONEAREST);                                                                  \
        return math_from_##R(r);                                                                   \
    }

#define WANT_ROUND(name, R, A, expr)                                                               \
    WANT_MODE(name##_rn, FE_TONEAREST, R, A, expr)                                                 \
    WANT_MODE(name##_rz, FE_TOWARDZERO, R, A, expr)                                                \
    WANT_MODE(name##_rd, FE_DOWNWARD, R, A, expr)                                                  \
    WANT_MODE(name##_ru, FE_UPWARD, R, A, expr)

#define math_as_f32 math_to_f32
#define math_as_f64 math_to_f64
#define math_as_s32 (s32)
#define math_as_u32 (u32)
#define math_as_s64 (s64)
#define math_as_u64 (u64)

WANT_ROUND(fadd, f32, f32, x + y)
WANT_ROUND(fsub, f32, f32, x - y)
WANT_ROUND(fmul, f32, f32, x *y)
WANT_ROUND(fdiv, f32, f32, x / y)
WANT_ROUND(frcp, f32, f32, 1 / x)
WANT_ROUND(fsqrt, f32, f32, sqrtf(x))
WANT_ROUND(fmaf, f32, f32, fmaf(x, y, z))
WANT_ROUND(dadd, f64, f64, x + y)
WANT_ROUND(dsub, f64, f64, x - y)
WANT_ROUND(dmul, f64, f64, x *y)
WANT_ROUND(ddiv, f64, f64, x / y)
WANT_ROUND(drcp, f64, f64, 1 / x)
WANT_ROUND(dsqrt, f64, f64, sqrt(x))
WANT_ROUND(fma, f64, f64, fma(x, y, z))
WANT_ROUND(double2float, f32, f64, (f32)x)
WANT_ROUND(int2float, f32, s32, (f32)x)
WANT_ROUND(uint2float, f32, u32, (f32)x)
WANT_ROUND(ll2float, f32, s64, (f32)x)
WANT_ROUND(ull2float, f32, u64, (f32)x)
WANT_ROUND(ll2double, f64, s64, (f64)x)
WANT_ROUND(ull2double, f64, u64, (f64)x)

static long double ref_rsqrt(const long double *a)
{
    return 1 / sqrtl(a[0]);
}

/* Subnormals are flushed, at most 20 bits of fraction used and given: any 2^-19 is as good. */
static long double ref_rcp(const long double *a)
{
    return 1 / a[0];
}

static bool skip_rcp64h(const long double *a)
{
    int e;

    return !(isinf(a[0]) || isnan(a[0]) || fabsl(frexpl(a[0], &e)) == 0.5L) ||
           fabsl(a[0]) < 0x1p-1022L || (isfinite(a[0]) && fabsl(a[0]) > 0x1p1021L);
}

static u64 want_saturate(const u64 *a)
{
    f32 x = math_to_f32(a[0]);

    return math_from_f32(x > 0 ? fminf(x, 1) : 0);
}

/* --- conversions ----------------------------------------------------------------------------- */

/* Clamped; NaN: 0 from f32 to 32 bits, else the highest bit alone (PTX ISA, cvt). */
static u64 to_int(enum math_type from, u64 b, long double (*round)(long double), u32 bits,
                  bool is_signed)
{
    long double x = round(math_number(from, b)), end = ldexpl(1, (int)bits - is_signed);
    u64 top = 1ull << (bits - 1), mask = bits == 64 ? ~0ull : (1ull << bits) - 1;

    if (isnan(x))
        return from == T_f32 && bits == 32 ? 0 : top;
    if (x >= end)
        return is_signed ? top - 1 : mask;
    if (x < (is_signed ? -end : 0))
        return is_signed ? top : 0;
    return (is_signed ? (u64)(s64)x : (u64)x) & mask;
}

#define WANT_TO_INT(name, A, bits, is_signed)                                                      \
    static u64 want_##name##_rn(const u64 *a)                                                      \
    {                                                                                              \
        return to_int(T_##A, a[0], rintl, bits, is_signed);                                        \
    }                                                                                              \
    static u64 want_##name##_rz(const u64 *a)                                                      \
    {                                                                                              \
        return to_int(T_##A, a[0], truncl, bits, is_signed);                                       \
    }                                                                                              \
    static u64 want_##name##_rd(const u64 *a)                                                      \
    {                                                                                              \
        return to_int(T_##A, a[0], floorl, bits, is_signed);                                       \
    }                                                                                              \
    static u64 want_##name##_ru(const u64 *a)                                                      \
    {                                                                                              \
        return to_int(T_##A, a[0], ceill, bits, is_signed);                                        \
    }

WANT_TO_INT(float2int, f32, 32, true)
WANT_TO_INT(float2uint, f32, 32, false)
WANT_TO_INT(float2ll, f32, 64, true)
WANT_TO_INT(float2ull, f32, 64, false)
WANT_TO_INT(double2int, f64, 32, true)
WANT_TO_INT(double2uint, f64, 32, false)
WANT_TO_INT(double2ll, f64, 64, true)
WANT_TO_INT(double2ull, f64, 64, false)

#define WANT(name, expr)                                                                           \
    static u64 want_##name(const u64 *a)                                                           \
    {                                                                                              \
        return expr;                                                                               \
    }

#define S0 ((s32)a[0])
#define S1 ((s32)a[1])
#define U0 ((u32)a[0])
#define U1 ((u32)a[1])
#define L0 ((s64)a[0])
#define L1 ((s64)a[1])

WANT(int2double, math_from_f64(S0))
WANT(uint2double, math_from_f64(U0))
WANT(same, a[0])
WANT(high, a[0] >> 32)
WANT(low, U0)
WANT(hilo, a[0] << 32 | a[1])

/* A half is a multiple of its unit, 2^-24 at least; 65520 and more are infinite. */
static u64 want_float2half(const u64 *a)
{
    f32 x = math_to_f32(a[0]), m = fabsf(x);
    u64 sign = signbit(x) ? 0x8000 : 0;
    int e;

    if (isnan(x))
        return 0x7fff;
    if (m >= 65520)
        return sign | 0x7c00;
    frexpf(m, &e);
    e = m < 0x1p-14f ? -24 : e - 11;
    u64 units = (u64)rint(ldexp((f64)m, -e)); /* the 1024 of a normal half count as exponent */
    return sign | (((u64)(e + 24) << 10) + units);
}

/* NaN compares equal to any other. */
static u64 want_half2float(const u64 *a)
{
    s32 e = (s32)(a[0] >> 10 & 31);
    f32 f = (f32)(a[0] & 1023), m = e ? ldexpf(1024 + f, e - 25) : ldexpf(f, -24);

    if (e == 31)
        m = f > 0 ? NAN : INFINITY;
    return math_from_f32(a[0] & 0x8000 ? -m : m);
}

/* --- integers -------------------------------------------------------------------------------- */

WANT(abs, (u32)llabs((s64)S0))
WANT(llabs, L0 < 0 ? 0 - a[0] : a[0])
WANT(max, (u32)(S0 > S1 ? S0 : S1))
WANT(min, (u32)(S0 < S1 ? S0 : S1))
WANT(umax, U0 > U1 ? U0 : U1)
WANT(umin, U0 < U1 ? U0 : U1)
WANT(llmax, L0 > L1 ? a[0] : a[1])
WANT(llmin, L0 < L1 ? a[0] : a[1])
WANT(ullmax, a[0] > a[1] ? a[0] : a[1])
WANT(ullmin, a[0] < a[1] ? a[0] : a[1])
WANT(mul24, (u32)((u64)((s64)((s32)(U0 << 8) >> 8) * ((s32)(U1 << 8) >> 8))))
WANT(umul24, (u32)((a[0] & 0xffffff) * (a[1] & 0xffffff)))
WANT(mulhi, (u32)((u64)(S1 *(s64)S0) >> 32))
WANT(umulhi, a[0] * a[1] >> 32)
WANT(mul64hi, (u64)(L1 *(__int128)L0 >> 64))
WANT(umul64hi, (u64)((unsigned __int128)a[0] * a[1] >> 64))
WANT(sad, (u32)((u64)llabs((s64)S0 - S1) + a[2]))
WANT(usad, (u32)((u64)llabs((s64)U0 - U1) + a[2]))
WANT(hadd, (u32)(((s64)S0 + S1) >> 1))
WANT(rhadd, (u32)(((s64)S0 + S1 + 1) >> 1))
WANT(uhadd, (a[0] + a[1]) >> 1)
WANT(urhadd, (a[0] + a[1] + 1) >> 1)

static u64 reversed(u64 x, u32 bits)
{
    u64 r = 0;

    for (u32 i = 0; i < bits; i++)
        r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

static u64 leading_zeros(u64 x, u32 bits)
{
    u64 n = 0;

    while (n < bits && !(x >> (bits - 1 - n) & 1))
        n++;
    return n;
}

WANT(brev, reversed(a[0], 32))
WANT(brevll, reversed(a[0], 64))
WANT(clz, leading_zeros(a[0], 32))
WANT(clzll, leading_zeros(a[0], 64))

static u64 want_ffs(const u64 *a)
{
    u64 n = 1;

    for (u64 x = a[0]; x; x >>= 1, n++)
        if (x & 1)
            return n;
    return 0;
}

static u64 want_popc(const u64 *a)
{
    u64 n = 0;

    for (u64 x = a[0]; x; x >>= 1)
        n += x & 1;
    return n;
}

static u64 want_byte_perm(const u64 *a)
{
    u8 from[8], to[4];
    u32 word[2] = {U0, U1}, r;

    memcpy(from, word, 8);
    for (u32 i = 0; i < 4; i++) {
        u32 s = (u32)a[2] >> 4 * i & 15;

        to[i] = from[s & 7];
        if (s & 8)
            to[i] = to[i] >> 7 ? 0xff : 0;
    }
    memcpy(&r, to, 4);
    return r;
}

/* --- arguments ------------------------------------------------------------------------------- */

/* Of like magnitude, so that sums round and cancel; the third near the product of the others. */
static u64 gen_f32(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return math_rand(rng) & 0xffffffff;
    if (j == 1)
        return math_from_f32((f32)(math_to_f32(arg[0]) * math_log_uniform(rng, -30, 30)));
    f64 p = (f64)math_to_f32(arg[0]) * math_to_f32(arg[1]);
    return math_from_f32((f32)(p * math_log_uniform(rng, -30, 30)));
}

static u64 gen_f64(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return math_rand(rng);
    if (j == 1)
        return math_from_f64(math_to_f64(arg[0]) * math_log_uniform(rng, -60, 60));
    return math_from_f64(math_to_f64(arg[0]) * math_to_f64(arg[1]) *
                         math_log_uniform(rng, -60, 60));
}

#define MATH_LIST "tests/props/math_intrinsics.inc"
#include "tests/props/math_main.h"
