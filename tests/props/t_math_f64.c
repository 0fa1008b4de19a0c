/*
 * t_math_f64.c -- the double functions of the device math library that round, against long double.
 *
 * The host's long double has 64 bits, 11 more than a double, and its functions are good to an ulp
 * or so of it: of a double's ulp that is nothing beside the bounds.
 */
#define MATH_WRAP_F64
#include "toolkit/math/f64.h"
#include "tests/props/math_test.h"

#define TEST_PI 3.14159265358979323846264338327950288L

/* --- references ------------------------------------------------------------------------------ */

#define REF(fn, value)                                                                             \
    static long double ref_##fn(const long double *x)                                              \
    {                                                                                              \
        return value;                                                                              \
    }

REF(rsqrt, 1 / sqrtl(x[0]))
REF(cbrt, cbrtl(x[0]))
REF(rcbrt, 1 / cbrtl(x[0]))
REF(hypot, hypotl(x[0], x[1]))
REF(rhypot, 1 / hypotl(x[0], x[1]))
REF(exp, expl(x[0]))
REF(exp2, exp2l(x[0]))
REF(exp10, powl(10, x[0]))
REF(expm1, expm1l(x[0]))
REF(log, logl(x[0]))
REF(log2, log2l(x[0]))
REF(log10, log10l(x[0]))
REF(log1p, log1pl(x[0]))
REF(sin, sinl(x[0]))
REF(cos, cosl(x[0]))
REF(tan, tanl(x[0]))
REF(asin, asinl(x[0]))
REF(acos, acosl(x[0]))
REF(atan, atanl(x[0]))
REF(atan2, atan2l(x[0], x[1]))
REF(sinh, sinhl(x[0]))
REF(cosh, coshl(x[0]))
REF(tanh, tanhl(x[0]))
REF(asinh, asinhl(x[0]))
REF(acosh, acoshl(x[0]))
REF(atanh, atanhl(x[0]))
/* Powers of infinity are exact, and powl of glibc 2.36 has (-inf)^(-2^63) wrong. */
REF(pow, isinf(x[0]) ? pow((f64)x[0], (f64)x[1]) : powl(x[0], x[1]))

/* Elements beyond the function's are 0.  The exponents of long double reach for the squares. */
static long double ref_norm(const long double *x)
{
    for (u32 j = 0; j < 4; j++)
        if (isinf(x[j]))
            return HUGE_VALL;
    return sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
}

REF(rnorm, 1 / ref_norm(x))

/* sin(pi y) by way of the nearest multiple of 1/2, where the difference is exact. */
static long double wave_pi(long double y, int quarter)
{
    long double even = 2 * rintl(y / 2), n = rintl(2 * (y - even));
    long double r = TEST_PI * (y - even - n / 2);

    switch (((int)n + quarter) & 3) {
    case 0:
        return sinl(r);
    case 1:
        return cosl(r);
    case 2:
        return -sinl(r);
    default:
        return -cosl(r);
    }
}

/* IEEE 754: a zero of sinPi has the sign of the argument, one of cosPi is +0. */
static long double ref_sinpi(const long double *x)
{
    if (isinf(x[0]) || isnan(x[0]))
        return NAN;
    return x[0] == truncl(x[0]) ? copysignl(0, x[0]) : wave_pi(x[0], 0);
}

static long double ref_cospi(const long double *x)
{
    if (isinf(x[0]) || isnan(x[0]))
        return NAN;
    return wave_pi(x[0], 1) + 0.0L;
}

/* --- arguments ------------------------------------------------------------------------------- */

/* A few ulps from x. */
static f64 near(u64 *rng, f64 x)
{
    u64 r = math_rand(rng);

    return x + ldexp((f64)((s64)(r >> 8) % 1024), ilogb(x) - 52 - (int)(r % 8) + 2);
}

static u64 gen_wide(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    switch (math_rand(rng) & 3) {
    case 0:
        return math_from_f64(math_log_uniform(rng, -60, 60));
    case 1:
        return math_from_f64(math_log_uniform(rng, -1074, 1024));
    case 2:
        return math_from_f64(math_log_uniform(rng, -3, 5));
    default:
        return math_from_f64(math_uniform(rng, -2, 2));
    }
}

/* Elements of a like size. */
static u64 gen_vector(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return gen_wide(rng, arg, j);
    f64 x = math_to_f64(arg[0]) * math_log_uniform(rng, -8, 8);
    return math_from_f64(math_rand(rng) & 7 ? x : math_log_uniform(rng, -1074, 1024));
}

static u64 gen_exp(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    switch (math_rand(rng) & 3) {
    case 0:
        return math_from_f64(math_uniform(rng, -1100, 1100));
    case 1:
        return math_from_f64(math_uniform(rng, -330, 330));
    case 2:
        return math_from_f64(math_uniform(rng, -2, 2));
    default:
        return math_from_f64(math_log_uniform(rng, -60, 7));
    }
}

static u64 gen_log(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    switch (math_rand(rng) & 3) {
    case 0:
        return math_from_f64(fabs(math_log_uniform(rng, -1074, 1024)));
    case 1:
        return math_from_f64(1 + math_log_uniform(rng, -53, -1));
    case 2:
        return math_from_f64(math_uniform(rng, 0.5, 2));
    default:
        return math_from_f64(math_uniform(rng, 0, 100));
    }
}

static u64 gen_log1p(u64 *rng, const u64 *arg, u32 j)
{
    return math_rand(rng) & 1 ? gen_log(rng, arg, j) : math_from_f64(math_log_uniform(rng, -60, 0));
}

/* Any, those next to multiples of pi/4, and the double that is nearest to a multiple of pi/2. */
static u64 gen_angle(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    if (math_rand(rng) % 1024 == 0)
        return math_from_f64(0x1.6ac5b262ca1ffp+849);
    switch (math_rand(rng) & 7) {
    case 0:
        return math_from_f64(math_log_uniform(rng, -30, 1024));
    case 1:
        return math_from_f64(math_log_uniform(rng, 15, 18));
    case 2:
    case 3:
        return math_from_f64(math_uniform(rng, -10, 10));
    case 4:
        return math_from_f64(math_uniform(rng, -100000, 100000));
    default:
        return math_from_f64(near(rng, (f64)(TEST_PI / 4 * rintl(math_log_uniform(rng, 0, 40)))));
    }
}

static u64 gen_turns(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    switch (math_rand(rng) & 3) {
    case 0:
        return math_from_f64(math_log_uniform(rng, -60, 60));
    case 1:
        return math_from_f64(rint(math_log_uniform(rng, 0, 55)) / 4);
    case 2:
        return math_from_f64(near(rng, rint(math_log_uniform(rng, 0, 30)) / 4));
    default:
        return math_from_f64(math_uniform(rng, -4, 4));
    }
}

static u64 gen_unit(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    switch (math_rand(rng) & 3) {
    case 0:
        return math_from_f64(math_log_uniform(rng, -60, 0));
    case 1:
        return math_from_f64(1 - fabs(math_log_uniform(rng, -53, -1)));
    default:
        return math_from_f64(math_uniform(rng, -1, 1));
    }
}

static u64 gen_above_1(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    switch (math_rand(rng) & 1) {
    case 0:
        return math_from_f64(1 + fabs(math_log_uniform(rng, -52, 3)));
    default:
        return math_from_f64(fabs(math_log_uniform(rng, 0, 1024)));
    }
}

/* The base near 1 or anywhere; the power such that the result is finite, or a small integer. */
static u64 gen_pow(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return math_rand(rng) & 1 ? gen_log(rng, arg, j)
                                  : math_from_f64(math_log_uniform(rng, -20, 20));
    f64 room = log2(fabs(math_to_f64(arg[0])));
    if (math_rand(rng) & 3)
        return math_from_f64(math_uniform(rng, -1085, 1085) / room);
    return math_from_f64(rint(math_uniform(rng, -40, 40)) / (f64)(1 + (math_rand(rng) & 1)));
}

static u64 gen_powi(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0)
        return gen_pow(rng, arg, j);
    f64 room = log2(fabs(math_to_f64(arg[0])));
    f64 n = math_uniform(rng, -1085, 1085) / (fabs(room) > 0x1p-20 ? room : 0x1p-20);
    return (u32)(s32)n;
}

#define MATH_LIST "tests/props/math_f64.inc"
#include "tests/props/math_main.h"
