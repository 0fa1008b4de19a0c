/* t_math_f64_exact.c -- the double functions of the device math library with one right answer. */
#include <ctype.h>
#include <stdlib.h>

#define MATH_WRAP_F64
#include "toolkit/math/f64.h"
#include "tests/props/math_test.h"

#define X math_to_f64(arg[0])
#define Y math_to_f64(arg[1])

#define WANT(fn, value)                                                                            \
    static u64 want_##fn(const u64 *arg)                                                           \
    {                                                                                              \
        return math_from_f64(value);                                                               \
    }
#define WANT_INT(fn, value)                                                                        \
    static u64 want_##fn(const u64 *arg)                                                           \
    {                                                                                              \
        return (u32)(value);                                                                       \
    }

WANT(fmod, fmod(X, Y))
WANT(remainder, (f64)remainderl(X, Y)) /* glibc 2.36 errs on subnormal doubles */
WANT(sqrt, sqrt(X))
WANT(fabs, fabs(X))
WANT(fdim, fdim(X, Y))
WANT(copysign, copysign(X, Y))
WANT(nextafter, nextafter(X, Y))
WANT(trunc, trunc(X))
WANT(floor, floor(X))
WANT(ceil, ceil(X))
WANT(rint, rint(X))
WANT(round, round(X))
WANT(logb, logb(X))
WANT(ldexp, scalbn(X, (s32)arg[1]))
WANT_INT(ilogb, ilogb(X))
WANT_INT(isnan, !!isnan(X))
WANT_INT(isinf, !!isinf(X))
WANT_INT(isfinite, !!isfinite(X))
WANT_INT(signbit, !!signbit(X))

/* PTX orders the zeros, C does not; and a signalling NaN is no more than a quiet one. */
static u64 want_fmin(const u64 *arg)
{
    if (isnan(X) || isnan(Y))
        return arg[isnan(X)];
    return X == 0 && Y == 0 ? arg[0] | arg[1] : arg[Y < X];
}

static u64 want_fmax(const u64 *arg)
{
    if (isnan(X) || isnan(Y))
        return arg[isnan(X)];
    return X == 0 && Y == 0 ? arg[0] & arg[1] : arg[Y > X];
}

/* Three bits with the quotient's sign; 0 where there is no quotient. */
static u64 want_quo(const u64 *arg)
{
    int quo = 0;

    if (isnan(remquol(X, Y, &quo)))
        return 0;
    return (u32)(quo < 0 ? -(-quo & 7) : quo & 7);
}

static u64 saturate(f64 whole)
{
    if (whole >= 0x1p63)
        return INT64_MAX;
    return whole >= -0x1p63 ? (u64)(s64)whole : (u64)INT64_MIN; /* NaN too */
}

static u64 want_llrint(const u64 *arg)
{
    return saturate(rint(X));
}

static u64 want_llround(const u64 *arg)
{
    return saturate(round(X));
}

static u64 want_modf(const u64 *arg)
{
    f64 whole;

    return math_from_f64(modf(X, &whole));
}

static u64 want_frexp(const u64 *arg)
{
    int e;

    return math_from_f64(frexp(X, &e));
}

static u64 want_frexp_exponent(const u64 *arg)
{
    int e = 0;

    frexp(X, &e);
    return isfinite(X) ? (u32)e : 0;
}

/* The payload as strtoull reads it, if it reads all. */
static u64 want_nan(const u64 *arg)
{
    char text[9] = {0}, *end;

    memcpy(text, arg, 8);
    bool number = isalnum((unsigned char)text[0]);
    u64 v = number ? strtoull(text, &end, 0) : 0;
    return 0x7ff8000000000000 | (number && *end == 0 ? v & 0x0007ffffffffffff : 0);
}

static u64 gen_payload(u64 *rng, const u64 *arg, u32 j)
{
    static const char *const formats[] = {"%llu", "0x%llx", "0X%llX", "0%llo", "%llx", "%lluz"};
    u64 r = math_rand(rng), v = 0;
    char text[40];

    (void)arg, (void)j;
    snprintf(text, sizeof text, formats[r % LEN(formats)], (unsigned long long)(r >> 45));
    memcpy(&v, text, strlen(text) < 8 ? strlen(text) : 8);
    return v;
}

/* Numbers whose quotient is of any size, or the second a multiple of the first or next to it. */
static u64 gen_ratio(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return math_from_f64(math_log_uniform(rng, -1074, 1024));
    switch (math_rand(rng) & 7) {
    case 0:
        return math_from_f64(math_log_uniform(rng, -1074, 1024));
    case 1:
        return math_from_f64(X / rint(math_log_uniform(rng, 0, 20)));
    case 2:
        return math_from_f64(X / (rint(math_log_uniform(rng, 0, 10)) + 0.5));
    case 3:
        return arg[0] ^ (math_rand(rng) & 3);
    case 4:
        return math_from_f64(X * math_log_uniform(rng, -60, 2));
    default:
        return math_from_f64(rint(X) * math_log_uniform(rng, -8, 1));
    }
}

/* Integers, halves and what is next to them. */
static u64 gen_whole(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    u64 b = math_from_f64(rint(math_log_uniform(rng, -1, 64)) / 2);

    return math_rand(rng) & 1 ? b + (math_rand(rng) % 3) - 1
                              : math_from_f64(math_log_uniform(rng, -4, 66));
}

static u64 gen_scale(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return math_from_f64(math_log_uniform(rng, -1074, 1024));
    int e = ilogb(X), to = (int)math_uniform(rng, -1080, 1030);
    return (u32)(to - (e > -2000 && e < 2000 ? e : 0));
}

#define MATH_LIST "tests/props/math_f64_exact.inc"
#include "tests/props/math_main.h"
