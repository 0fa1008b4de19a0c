/* f64_bits.c -- doubles taken apart: rounding, exponents, classes. */
#include "toolkit/math/f64_core.h"

MATH_API f64 __nv_fabs(f64 x)
{
    return abs64(x);
}

MATH_API f64 __nv_fmin(f64 x, f64 y)
{
    return min64(x, y);
}

MATH_API f64 __nv_fmax(f64 x, f64 y)
{
    return max64(x, y);
}

MATH_API f64 __nv_fdim(f64 x, f64 y)
{
    return x <= y ? 0.0 : add64(x, -y);
}

MATH_API f64 __nv_copysign(f64 x, f64 y)
{
    return f64_sign(abs64(x), y);
}

/* --- rounding -------------------------------------------------------------------------------- */

MATH_API f64 __nv_trunc(f64 x)
{
    return trunc64(x);
}

MATH_API f64 __nv_floor(f64 x)
{
    return floor64(x);
}

MATH_API f64 __nv_ceil(f64 x)
{
    return ceil64(x);
}

MATH_API f64 __nv_rint(f64 x)
{
    return rint64(x);
}

MATH_API f64 __nv_nearbyint(f64 x)
{
    return rint64(x);
}

/*
 * Halves go away from zero.  What is added is the double before 1/2: with it 1/2 - 2^-54 stays
 * below 1, and from 1/2 on the sum rounds up where it should.
 */
MATH_API f64 __nv_round(f64 x)
{
    f64 almost_half = join64((hi64(x) & 0x80000000) | 0x3fdfffff, 0xffffffff);

    return trunc64(add64(x, almost_half));
}

MATH_API s64 __nv_llrint(f64 x)
{
    return d2ll_rn(x);
}

MATH_API s64 __nv_llround(f64 x)
{
    return d2ll_rz(__nv_round(x));
}

MATH_API f64 __nv_modf(f64 x, f64 *whole)
{
    f64 t = trunc64(x);
    f64 rest = abs64(x) == F64_INF ? 0.0 : abs64(add64(x, -t));

    *whole = t;
    return f64_sign(rest, x);
}

/* --- exponents ------------------------------------------------------------------------------- */

/* x = 2^n r with |r| in [1/2, 1); x finite and not 0 */
MATH struct f64_split f64_take_apart(f64 x)
{
    s32 bias = 1022;

    if (f64_top(x) < 0x00100000) {
        x = x * 0x1p54;
        bias = 1022 + 54;
    }
    s32 field = f64_top(x) >> 20;
    return (struct f64_split){join64((hi64(x) & 0x800fffff) | 0x3fe00000, lo64(x)), field - bias};
}

/* Neither 0 nor infinite nor NaN. */
MATH int f64_has_exponent(f64 x)
{
    return abs64(x) > 0 && abs64(x) < F64_INF;
}

MATH_API f64 __nv_frexp(f64 x, s32 *exponent)
{
    struct f64_split s = f64_take_apart(x);
    int has = f64_has_exponent(x);

    *exponent = has ? s.n : 0;
    return has ? s.r : add64(x, x);
}

/* One rounding, when the result is subnormal: the exponent goes in exactly, 54 too large. */
MATH_API f64 __nv_ldexp(f64 x, s32 n)
{
    struct f64_split s = f64_take_apart(x);

    n = n > 5000 ? 5000 : n;
    n = n < -5000 ? -5000 : n;
    n += s.n;
    f64 y = f64_scale(s.r, (u32)n);
    if (n < -1021)
        y = n < -1074 ? s.r * 0.0 : f64_scale(s.r, (u32)(n + 54)) * 0x1p-54;
    if (n > 1024)
        y = s.r * F64_INF;
    return f64_has_exponent(x) ? y : add64(x, x);
}

MATH_API f64 __nv_scalbn(f64 x, s32 n)
{
    return __nv_ldexp(x, n);
}

MATH_API s32 __nv_ilogb(f64 x)
{
    s32 n = f64_take_apart(x).n - 1;

    if (f64_has_exponent(x))
        return n;
    return abs64(x) == F64_INF ? 0x7fffffff : (s32)0x80000000;
}

MATH_API f64 __nv_logb(f64 x)
{
    f64 n = (f64)(f64_take_apart(x).n - 1);

    if (f64_has_exponent(x))
        return n;
    return x == 0 ? -F64_INF : mul64(x, x);
}

/* Neighbours are neighbouring integers; those of 0 are the least subnormals. */
MATH_API f64 __nv_nextafter(f64 x, f64 y)
{
    s64 b = (s64)bits64(x);
    s64 step = (x < y) == (b >= 0) ? 1 : -1;
    f64 next = x == 0 ? f64_sign(flt64(1), y) : flt64((u64)(b + step));

    if (x == y)
        next = y;
    return x == x && y == y ? next : add64(x, y);
}

/* --- classes --------------------------------------------------------------------------------- */

MATH_API s32 __nv_isnand(f64 x)
{
    return x != x;
}

MATH_API s32 __nv_isinfd(f64 x)
{
    return abs64(x) == F64_INF;
}

MATH_API s32 __nv_isfinited(f64 x)
{
    return abs64(x) < F64_INF;
}

MATH_API s32 __nv_signbitd(f64 x)
{
    return (s32)((u32)hi64(x) >> 31);
}

/* The value of a digit, at least 16 for what is none. */
MATH u32 f64_digit(u32 c)
{
    if (c - '0' < 10)
        return c - '0';
    c |= 0x20;
    return c - 'a' < 6 ? c - 'a' + 10 : 16;
}

/* A number as in C becomes the NaN's low 51 bits; anything else stands for 0. */
MATH_RARE u64 f64_payload(const signed char *s)
{
    u32 base = 10;
    u64 v = 0;

    if (s[0] == '0') {
        int hex = (s[1] | 0x20) == 'x';

        base = hex ? 16 : 8;
        s += hex ? 2 : 1;
    }
    for (; *s; s++) {
        u32 d = f64_digit((u32)*s);

        if (d >= base)
            return 0;
        v = v * base + d;
    }
    return v & 0x0007ffffffffffff;
}

MATH_API f64 __nv_nan(const signed char *payload)
{
    return flt64(0x7ff8000000000000 | f64_payload(payload));
}
