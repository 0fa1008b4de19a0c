/* t_math_f32_exact.c -- exact single-precision functions against the host's */
#define MATH_WRAP_F32
#include "toolkit/math/f32_math.h"
#include "tests/props/math_test.h"

#define A0 math_to_f32(a[0])
#define A1 math_to_f32(a[1])

#define WANT(name, expr)                                                                           \
    static u64 want_##name(const u64 *a)                                                           \
    {                                                                                              \
        return math_from_f32(expr);                                                                \
    }

#define WANT_S32(name, expr)                                                                       \
    static u64 want_##name(const u64 *a)                                                           \
    {                                                                                              \
        return (u32)(expr);                                                                        \
    }

WANT(floor, floorf(A0))
WANT(ceil, ceilf(A0))
WANT(trunc, truncf(A0))
WANT(rint, rintf(A0))
WANT(round, roundf(A0))
WANT(fmod, fmodf(A0, A1))
WANT(remainder, remainderf(A0, A1))
WANT(fabs, fabsf(A0))
WANT(copysign, copysignf(A0, A1))
WANT(fdim, fdimf(A0, A1))
WANT(nextafter, nextafterf(A0, A1))
WANT(ldexp, ldexpf(A0, (s32)a[1]))
WANT(logb, logbf(A0))
WANT_S32(isnan, isnan(A0) != 0)
WANT_S32(isinf, isinf(A0) != 0)
WANT_S32(finite, isfinite(A0) != 0)
WANT_S32(signbit, signbit(A0) != 0)
WANT_S32(ilogb, ilogbf(A0))

static u64 want_nan(const u64 *a)
{
    (void)a;
    return math_from_f32(NAN);
}

/* The number if one is NaN, even a signalling one; C leaves open which zero is the larger. */
static u64 want_fmax(const u64 *a)
{
    if (A0 == 0 && A1 == 0)
        return a[0] & a[1];
    return isnan(A0) || A0 < A1 ? a[1] : a[0];
}

static u64 want_fmin(const u64 *a)
{
    if (A0 == 0 && A1 == 0)
        return a[0] | a[1];
    return isnan(A0) || A0 > A1 ? a[1] : a[0];
}

/* PTX clamps, and makes 2^63 of a NaN. */
static u64 clamped(f32 x)
{
    if (isnan(x) || x < -0x1p63f)
        return 1ull << 63;
    return x >= 0x1p63f ? ~0ull >> 1 : (u64)(s64)x;
}

static u64 want_llrint(const u64 *a)
{
    return clamped(rintf(A0));
}

static u64 want_llround(const u64 *a)
{
    return clamped(roundf(A0));
}

static u64 want_modf_rest(const u64 *a)
{
    f32 whole;

    return math_from_f32(modff(A0, &whole));
}

/* Three bits of it, where the host may return 8; 0 if there is no remainder. */
static u64 want_remquo(const u64 *a)
{
    int quo = 0;

    if (isnan(remquof(A0, A1, &quo)))
        return 0;
    return (u32)(quo % 8);
}

static u64 want_frexp(const u64 *a)
{
    int e;

    return math_from_f32(frexpf(A0, &e));
}

static u64 want_frexp_e(const u64 *a)
{
    int e = 0;

    if (!isfinite(A0))
        return 0;
    frexpf(A0, &e);
    return (u32)e;
}

/* Halves, whole numbers and their neighbours; any magnitude up to 2^70. */
static u64 gen_whole(u64 *rng, const u64 *arg, u32 j)
{
    f64 x = math_log_uniform(rng, -4, 70);

    (void)arg, (void)j;
    if (math_rand(rng) & 1)
        x = (f64)(s64)(2 * math_log_uniform(rng, -1, 25)) * 0.5;
    return (math_from_f32((f32)x) + math_rand(rng) % 3 - 1) & 0xffffffff;
}

/* Quotients from 1/4 to 2^60, half of them near whole numbers and halves. */
static u64 gen_rest(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return math_rand(rng) & 0xffffffff;
    f64 x = math_to_f32(arg[0]), q = math_log_uniform(rng, -2, math_rand(rng) & 1 ? 6 : 60);

    return math_from_f32((f32)(x / (math_rand(rng) & 1 ? q : rint(2 * q) * 0.5)));
}

static u64 gen_close(u64 *rng, const u64 *arg, u32 j)
{
    return j == 0 ? math_rand(rng) & 0xffffffff : (arg[0] + math_rand(rng) % 5 - 2) & 0xffffffff;
}

static u64 gen_ldexp(u64 *rng, const u64 *arg, u32 j)
{
    s32 e = 127 - (s32)(arg[0] >> 23 & 0xff);

    if (j == 0)
        return math_rand(rng) & 0xffffffff;
    return (u32)(math_rand(rng) & 1 ? e - 120 - (s32)(math_rand(rng) % 32)
                                    : (s32)(math_rand(rng) % 600) - 300);
}

#define MATH_LIST "tests/props/math_f32_exact.inc"
#include "tests/props/math_main.h"
