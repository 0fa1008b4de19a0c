/* t_math_f32.c -- single-precision functions against the host's long double */
#define MATH_WRAP_F32
#include "toolkit/math/f32_math.h"
#include "tests/props/math_test.h"

#define PI_L 0xc.90fdaa22168c235p-2L

#define REF1(name, f)                                                                              \
    static long double ref_##name(const long double *a)                                            \
    {                                                                                              \
        return f(a[0]);                                                                            \
    }

REF1(exp, expl)
REF1(exp2, exp2l)
REF1(expm1, expm1l)
REF1(sinh, sinhl)
REF1(cosh, coshl)
REF1(tanh, tanhl)
REF1(log, logl)
REF1(log2, log2l)
REF1(log10, log10l)
REF1(log1p, log1pl)
REF1(asinh, asinhl)
REF1(acosh, acoshl)
REF1(atanh, atanhl)
REF1(sqrt, sqrtl)
REF1(cbrt, cbrtl)
REF1(sin, sinl)
REF1(cos, cosl)
REF1(tan, tanl)
REF1(asin, asinl)
REF1(acos, acosl)
REF1(atan, atanl)

static long double ref_exp10(const long double *a)
{
    return powl(10, a[0]);
}

/* The host's powl takes some large even numbers for odd ones if x is -inf. */
static long double ref_pow(const long double *a)
{
    bool even = fabsl(a[1]) >= 0x1p24L;

    return powl(even && isinf(a[0]) ? fabsl(a[0]) : a[0], a[1]);
}

static long double ref_atan2(const long double *a)
{
    return atan2l(a[0], a[1]);
}

static long double ref_div(const long double *a)
{
    return a[0] / a[1];
}

static long double ref_rsqrt(const long double *a)
{
    return 1 / sqrtl(a[0]);
}

static long double ref_rcbrt(const long double *a)
{
    return 1 / cbrtl(a[0]);
}

/* Squares of floats neither overflow nor vanish in a long double. */
static long double norm_of(const long double *a, u32 n)
{
    long double sum = 0;
    bool inf = false;

    for (u32 i = 0; i < n; i++) {
        sum += a[i] * a[i];
        inf |= isinf(a[i]);
    }
    return inf ? (long double)INFINITY : sqrtl(sum);
}

#define REF_NORM(n)                                                                                \
    static long double ref_norm##n(const long double *a)                                           \
    {                                                                                              \
        return norm_of(a, n);                                                                      \
    }                                                                                              \
    static long double ref_rnorm##n(const long double *a)                                          \
    {                                                                                              \
        return 1 / norm_of(a, n);                                                                  \
    }

REF_NORM(2)
REF_NORM(3)
REF_NORM(4)

/* Zeros of sinpi have the sign of x, those of cospi are positive (IEEE 754-2008, 9.2.1). */
static long double ref_sinpi(const long double *a)
{
    long double r = remainderl(a[0], 2);

    if (r == 0 || fabsl(r) == 1)
        return copysignl(0, a[0]);
    return sinl(r * PI_L);
}

static long double ref_cospi(const long double *a)
{
    long double r = fabsl(remainderl(a[0], 2));

    return r == 0.5L ? 0 : sinl((0.5L - r) * PI_L);
}

/* --- arguments ------------------------------------------------------------------------------- */

static u64 near_bits(u64 *rng, f64 x)
{
    return (math_from_f32((f32)x) + math_rand(rng) % 5 - 2) & 0xffffffff;
}

static u64 gen_exp(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    if (math_rand(rng) & 1)
        return math_from_f32((f32)math_uniform(rng, -110, 110));
    return math_from_f32((f32)math_log_uniform(rng, -30, 8));
}

static u64 gen_small(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    return math_from_f32((f32)math_log_uniform(rng, -14, 6));
}

static u64 gen_unit(u64 *rng, const u64 *arg, u32 j)
{
    f64 x = math_log_uniform(rng, -24, 0);

    (void)arg, (void)j;
    return math_from_f32((f32)(math_rand(rng) & 1 ? x : copysign(1 - fabs(x), x)));
}

/* Around 1, where the logarithm is 0, and all other magnitudes. */
static u64 gen_log(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    if (math_rand(rng) & 1)
        return math_from_f32((f32)math_uniform(rng, 0.4, 2.5));
    if (math_rand(rng) & 1)
        return math_from_f32((f32)(1 + math_log_uniform(rng, -24, -1)));
    return math_rand(rng) & 0x7fffffff;
}

static u64 gen_log1p(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg, (void)j;
    if (math_rand(rng) & 1)
        return math_from_f32((f32)math_uniform(rng, -1, 4));
    return math_from_f32((f32)fabs(math_log_uniform(rng, -30, 128)) - 1);
}

/* In the range of the fast path, close to multiples of pi/2 up to the largest, and huge. */
static u64 gen_angle(u64 *rng, const u64 *arg, u32 j)
{
    u64 k = math_rand(rng) >> (math_rand(rng) % 20 + 40);

    (void)arg, (void)j;
    switch (math_rand(rng) & 3) {
    case 0:
        return math_from_f32((f32)math_uniform(rng, -10, 10));
    case 1:
        return near_bits(rng, (f64)k * M_PI_2);
    case 2:
        return math_from_f32((f32)math_log_uniform(rng, -20, 18));
    default:
        return math_from_f32((f32)math_log_uniform(rng, 16, 128));
    }
}

static u64 gen_turn(u64 *rng, const u64 *arg, u32 j)
{
    u64 k = math_rand(rng) >> (math_rand(rng) % 28 + 36);

    (void)arg, (void)j;
    if (math_rand(rng) & 1)
        return math_from_f32((f32)math_log_uniform(rng, -24, 26));
    return near_bits(rng, (f64)k * (math_rand(rng) & 1 ? 0.25 : -0.5));
}

/* Exponents that leave the result in range, half of them close to its ends. */
static u64 gen_pow(u64 *rng, const u64 *arg, u32 j)
{
    if (j == 0 && math_rand(rng) & 1)
        return math_from_f32((f32)(1 + math_log_uniform(rng, -24, -1)));
    if (j == 0)
        return math_rand(rng) & (math_rand(rng) & 7 ? 0x7fffffff : 0xffffffff);
    if ((math_rand(rng) & 7) == 0)
        return math_from_f32((f32)(math_rand(rng) % 64) - 32);
    f64 l = log2(fabs((f64)math_to_f32(arg[0]))), p = math_uniform(rng, -150, 129);
    return math_from_f32((f32)(p / l));
}

static u64 gen_powi(u64 *rng, const u64 *arg, u32 j)
{
    (void)arg;
    if (j == 0)
        return math_from_f32((f32)math_log_uniform(rng, -6, 6));
    return (u32)(math_rand(rng) % 65) - 32;
}

/* Components within 2^16 of each other, at any magnitude. */
static u64 gen_norm(u64 *rng, const u64 *arg, u32 j)
{
    f64 scale = j == 0 ? math_log_uniform(rng, -149, 127) : (f64)math_to_f32(arg[0]);

    return math_from_f32((f32)(j == 0 ? scale : scale * math_log_uniform(rng, -8, 8)));
}

/* --- bounds that depend on the arguments ----------------------------------------------------- */

static u32 ulp_fast_exp(const long double *a)
{
    return isfinite(a[0]) ? 2 + (u32)floorl(fabsl(1.173L * a[0])) : 0;
}

static u32 ulp_fast_exp10(const long double *a)
{
    return isfinite(a[0]) ? 2 + (u32)floorl(fabsl(2.97L * a[0])) : 0;
}

static u32 ulp_powi(const long double *a)
{
    return (u32)fabsl(a[1]);
}

/* --- where nothing is promised --------------------------------------------------------------- */

static bool skip_turn(const long double *a)
{
    return fabsl(a[0]) > PI_L;
}

static bool skip_one(const long double *a)
{
    return fabsl(a[0]) > 1;
}

/* By squaring, 1/x^n overflows early and loses bits where x^n is subnormal. */
static bool skip_powi(const long double *a)
{
    long double r = fabsl(a[1]) <= 32 ? fabsl(powl(a[0], a[1])) : 0;

    return isnan(a[0]) || r < 0x1p-120L || r > 0x1p120L;
}

/* Negative x, and results near the ends of the range. */
static bool skip_fast_pow(const long double *a)
{
    long double p = a[1] * log2l(a[0]);

    return !(a[0] > 0 && fabsl(p) < 120 && fabsl(a[1]) < 1000) || isinf(a[0]);
}

static bool skip_big_div(const long double *a)
{
    return fabsl(a[1]) > 0x1p126L;
}

#define MATH_LIST "tests/props/math_f32.inc"
#include "tests/props/math_main.h"
