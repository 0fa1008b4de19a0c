/*
 * math_spec_ref.h -- the special functions in long double, for t_math_spec32 and t_math_spec64.
 *
 * libm's where they are good to a small part of a double's ulp; our own where it has none (inverse
 * error functions, erfcx, I0 and I1) or where they lose digits (beside the zeros of Bessel
 * functions, and in the tail of the normal distribution).
 */
#ifndef TESTS_PROPS_MATH_SPEC_REF_H
#define TESTS_PROPS_MATH_SPEC_REF_H

#include "tests/props/math_test.h"

#define REF_PI 3.14159265358979323846264338327950288L
#define REF_SQRT_2 1.41421356237309504880168872420969808L

/* --- error functions ------------------------------------------------------------------------- */

static inline long double ref_erf(const long double *x)
{
    return erfl(x[0]);
}

static inline long double ref_erfc(const long double *x)
{
    return erfcl(x[0]);
}

/* e^(k x^2), the square taken without rounding */
static inline long double exp_square(long double x, long double k)
{
    long double h = x * x, l = fmal(x, x, -h), e = expl(k * h);

    return isfinite(e) && isfinite(h) ? e + e * (k * l) : e;
}

/* By the asymptotic series beyond 30, where its 20th term is less than 1e-20. */
static inline long double erfcx_right(long double x)
{
    long double term = 1, sum = 1;

    if (x < 30)
        return exp_square(x, 1) * erfcl(x);
    for (u32 k = 1; k < 20; k++)
        sum += term *= -(2.0L * k - 1) / (2 * x * x);
    return sum / (x * sqrtl(REF_PI));
}

static inline long double ref_erfcx(const long double *x)
{
    if (isinf(x[0]))
        return x[0] > 0 ? 0 : x[0] * x[0];
    return x[0] < 0 ? exp_square(x[0], 1) * erfcl(x[0]) : erfcx_right(x[0]);
}

static inline long double ref_normcdf(const long double *x)
{
    long double z = fabsl(x[0]) / REF_SQRT_2;

    if (isinf(x[0]) || isnan(x[0]) || x[0] > -1)
        return erfcl(-x[0] / REF_SQRT_2) / 2;
    return exp_square(x[0], -0.5L) * erfcx_right(z) / 2;
}

/* Newton's method on log(erfc(z)) = log(q): concave, so that it converges from anywhere; q < 1 */
static inline long double erfc_inverse(long double q)
{
    long double goal = logl(q), z = 0.9L * sqrtl(-goal);

    for (u32 i = 0; i < 80; i++) {
        long double e = erfcx_right(z), step = logl(e) - z * z - goal;

        step *= e * sqrtl(REF_PI) / 2;
        z += step;
        if (fabsl(step) <= fabsl(z) * 0x1p-62L)
            break;
    }
    return z;
}

/* Near 0 from the other side, by the derivative 2/sqrt(pi) e^(-z^2); |x| <= 0.5 */
static inline long double erf_inverse(long double x)
{
    long double z = x * sqrtl(REF_PI) / 2;

    for (u32 i = 0; i < 20; i++) {
        long double step = (erfl(z) - x) * sqrtl(REF_PI) / 2 * expl(z * z);

        z -= step;
        if (fabsl(step) <= fabsl(z) * 0x1p-62L)
            break;
    }
    return z;
}

static inline long double ref_erfinv(const long double *x)
{
    long double a = fabsl(x[0]);

    if (!(a < 1))
        return a == 1 ? copysignl(HUGE_VALL, x[0]) : NAN;
    return a <= 0.5L ? (a > 0 ? erf_inverse(x[0]) : x[0]) : copysignl(erfc_inverse(1 - a), x[0]);
}

static inline long double erfcinv_of(long double y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? HUGE_VALL : y == 2 ? -HUGE_VALL : NAN;
    if (y >= 0.5L && y <= 1.5L)
        return erf_inverse(1 - y);
    return y < 1 ? erfc_inverse(y) : -erfc_inverse(2 - y);
}

static inline long double ref_erfcinv(const long double *x)
{
    return erfcinv_of(x[0]);
}

static inline long double ref_normcdfinv(const long double *x)
{
    return x[0] == 0.5L ? 0 : -REF_SQRT_2 * erfcinv_of(2 * x[0]);
}

/* --- gamma ----------------------------------------------------------------------------------- */

static inline long double ref_tgamma(const long double *x)
{
    return tgammal(x[0]);
}

static inline long double ref_lgamma(const long double *x)
{
    int sign;

    return lgammal_r(x[0], &sign);
}

/* --- Bessel ---------------------------------------------------------------------------------- */

enum kind { KIND_J, KIND_Y };

struct zero {
    enum kind kind;
    u32 order;
    long double z, low, slope; /* the zero is z + low */
};

/* Computed with 50 digits. */
static const struct zero zeros[] = {
    {KIND_J, 0, 2.404825557695773, -1.17669165153089412209e-16L, -0.5191474972894667881402L},
    {KIND_J, 0, 5.520078110286311, 8.08859714614672230915e-17L, 0.3402648065583681485649L},
    {KIND_J, 1, 3.8317059702075125, -1.52691840900880674676e-16L, -0.402759395702552972096L},
    {KIND_J, 1, 7.015586669815619, -9.41416565341038909824e-17L, 0.3001157525261325632066L},
    {KIND_Y, 0, 0.8935769662791675, 2.65962315397203846439e-17L, 0.8794208024971947710548L},
    {KIND_Y, 0, 3.957678419314858, -1.07643406975627057823e-16L, -0.402542671775024235722L},
    {KIND_Y, 0, 7.086051060301773, -8.835285723085408112e-17L, 0.3000976149104751862253L},
    {KIND_Y, 1, 2.197141326031017, -4.82598358764549657619e-17L, 0.5207864124022675111072L},
    {KIND_Y, 1, 5.429681040794135, 4.16251402667037697388e-16L, -0.3403180455234405582259L},
};

/* Taylor's series at a zero; Bessel's equation gives a coefficient from the four before. */
static inline long double beside(const struct zero *o, long double x)
{
    long double z = o->z + o->low, d = x - o->z - o->low, power = d, sum = 0;
    long double a[24] = {0, o->slope};

    for (u32 k = 0; k + 2 < LEN(a); k++) {
        long double next = z * (2 * k + 1) * (k + 1) * a[k + 1];

        next += ((long double)k * k + z * z - o->order * o->order) * a[k];
        next += k >= 1 ? 2 * z * a[k - 1] : 0;
        next += k >= 2 ? a[k - 2] : 0;
        a[k + 2] = -next / (z * z * (k + 2) * (k + 1));
    }
    for (u32 k = 1; k < LEN(a); k++, power *= d)
        sum += a[k] * power;
    return sum;
}

/* f is libm's value at |x|. */
static inline long double with_zeros(enum kind kind, u32 order, long double x, long double f)
{
    for (u32 i = 0; i < LEN(zeros); i++)
        if (zeros[i].kind == kind && zeros[i].order == order && fabsl(x - zeros[i].z) < 0.1L)
            return beside(&zeros[i], x);
    return f;
}

static inline long double ref_j0(const long double *x)
{
    return with_zeros(KIND_J, 0, fabsl(x[0]), j0l(x[0]));
}

static inline long double ref_j1(const long double *x)
{
    long double r = with_zeros(KIND_J, 1, fabsl(x[0]), j1l(fabsl(x[0])));

    return signbit(x[0]) ? -r : r;
}

static inline long double ref_y0(const long double *x)
{
    return x[0] < 0 ? NAN : with_zeros(KIND_Y, 0, x[0], y0l(x[0]));
}

static inline long double ref_y1(const long double *x)
{
    return x[0] < 0 ? NAN : with_zeros(KIND_Y, 1, x[0], y1l(x[0]));
}

static inline long double ref_jn(const long double *x)
{
    return x[0] < 0 ? NAN : jnl((int)x[0], x[1]);
}

/* -0 is less than nothing to libm. */
static inline long double ref_yn(const long double *x)
{
    return x[0] < 0 || x[1] < 0 ? NAN : x[1] == 0 ? -HUGE_VALL : ynl((int)x[0], x[1]);
}

/* The guide's bound in ulps holds up to 8, and a difference beyond. */
static inline bool from_8(const long double *x)
{
    return fabsl(x[0]) >= 8;
}

static inline bool from_order(const long double *x)
{
    return fabsl(x[1]) >= x[0];
}

static inline u32 ulp_of_order(const long double *x)
{
    return x[0] < 2 ? 9 : (u32)ceill(2 + 2.5L * x[0]);
}

/* --- modified Bessel ------------------------------------------------------------------------- */

/* The series has no cancellation; it serves to 40, where the asymptotic one is good. */
static inline long double bessel_i(u32 order, long double x)
{
    long double term = 1, sum = 1;

    if (x < 40) {
        for (u32 k = 1; term > sum * 0x1p-70L; k++)
            sum += term *= x * x / (4.0L * k * (k + order));
        return order ? sum * x / 2 : sum;
    }
    for (u32 k = 1; k < 40; k++)
        sum += term *= ((2.0L * k - 1) * (2.0L * k - 1) - 4.0L * order * order) / (8.0L * k * x);
    return sum * expl(x) / sqrtl(2 * REF_PI * x);
}

static inline long double ref_cyl_bessel_i0(const long double *x)
{
    return isinf(x[0]) ? HUGE_VALL : bessel_i(0, fabsl(x[0]));
}

static inline long double ref_cyl_bessel_i1(const long double *x)
{
    return isinf(x[0]) ? x[0] : copysignl(bessel_i(1, fabsl(x[0])), x[0]);
}

/* --- arguments ------------------------------------------------------------------------------- */

/* All of both tails of the error functions and the normal distribution. */
static inline f64 draw_erf(u64 *rng)
{
    static const f64 reach[] = {1.5, 5, 12, 30, 40};

    if (math_rand(rng) & 1)
        return math_log_uniform(rng, -30, 6);
    f64 r = reach[math_rand(rng) % LEN(reach)];
    return math_uniform(rng, -r, r);
}

/* [0, 1], ever nearer to the ends */
static inline f64 draw_unit(u64 *rng)
{
    switch (math_rand(rng) % 4) {
    case 0:
        return fabs(math_log_uniform(rng, -1074, 0));
    case 1:
        return fabs(math_log_uniform(rng, -60, 0));
    case 2:
        return 1 - fabs(math_log_uniform(rng, -54, -1));
    default:
        return math_uniform(rng, 0, 1);
    }
}

static inline f64 draw_sided_unit(u64 *rng)
{
    return math_rand(rng) & 1 ? draw_unit(rng) : -draw_unit(rng);
}

static inline f64 draw_twice_unit(u64 *rng)
{
    return 2 * draw_unit(rng);
}

/* Where gamma neither overflows nor is nil, and beside the integers. */
static inline f64 draw_gamma(u64 *rng)
{
    switch (math_rand(rng) % 8) {
    case 0:
        return math_uniform(rng, -190, 180);
    case 1:
        return math_uniform(rng, -2.3, 6);
    case 2:
        return rint(math_uniform(rng, -20, 20)) + math_log_uniform(rng, -50, -1);
    case 3:
        return 1 + (f64)(math_rand(rng) & 1) + math_log_uniform(rng, -50, -1);
    case 4:
        return math_log_uniform(rng, -100, 100);
    default:
        return math_uniform(rng, -45, 40);
    }
}

static inline f64 draw_bessel(u64 *rng)
{
    switch (math_rand(rng) % 4) {
    case 0:
        return math_log_uniform(rng, -40, 40);
    case 1:
        return (f64)zeros[math_rand(rng) % LEN(zeros)].z + math_log_uniform(rng, -56, -2);
    case 2:
        return math_uniform(rng, 7, 100);
    default:
        return math_uniform(rng, -8, 8);
    }
}

static inline f64 draw_bessel_i(u64 *rng)
{
    static const f64 reach[] = {8, 13, 93, 720};
    f64 r = reach[math_rand(rng) % LEN(reach)];

    return math_rand(rng) & 3 ? math_uniform(rng, -r, r) : math_log_uniform(rng, -40, 10);
}

/* Low orders, and few high ones: time goes with the order. */
static inline u64 draw_order(u64 *rng)
{
    u64 n = math_rand(rng);

    return n % 64 ? n >> 8 & 7 : n % 4096 ? n >> 12 & 31 : n % 8192 ? 128 : 0xffffffff;
}

/* An argument for order n */
static inline f64 draw_nth(u64 *rng, f64 n)
{
    static const f64 special[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -2};

    switch (math_rand(rng) % 64) {
    case 0:
        return special[math_rand(rng) % LEN(special)];
    case 1:
    case 2:
    case 3:
        return math_log_uniform(rng, -60, 20);
    default:
        return math_uniform(rng, -0.1, 2) * (n + 1);
    }
}

/* gen_erf and so on, for the tables: what the draw_ functions give, as bits of the type. */
#define SPEC_GENERATOR(type, name)                                                                 \
    static u64 gen_##name(u64 *rng, const u64 *arg, u32 j)                                         \
    {                                                                                              \
        (void)arg, (void)j;                                                                        \
        return math_from_##type((type)draw_##name(rng));                                           \
    }
#define SPEC_GENERATORS(type)                                                                      \
    SPEC_GENERATOR(type, erf)                                                                      \
    SPEC_GENERATOR(type, unit)                                                                     \
    SPEC_GENERATOR(type, sided_unit)                                                               \
    SPEC_GENERATOR(type, twice_unit)                                                               \
    SPEC_GENERATOR(type, gamma)                                                                    \
    SPEC_GENERATOR(type, bessel)                                                                   \
    SPEC_GENERATOR(type, bessel_i)                                                                 \
    static u64 gen_nth(u64 *rng, const u64 *arg, u32 j)                                            \
    {                                                                                              \
        return j == 0 ? draw_order(rng) : math_from_##type((type)draw_nth(rng, (s32)arg[0]));      \
    }

#endif
