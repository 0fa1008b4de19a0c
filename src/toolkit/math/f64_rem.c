/* f64_rem.c -- remainders of doubles, exact. */
#include "toolkit/math/f64_core.h"

/* What is left of a by b, and the quotient's low bits. */
struct f64_rest {
    f64 r;
    u32 q;
};

/* b > 0, a/b < 2^52: the quotient may come out one too large, its product with b is exact. */
MATH struct f64_rest f64_rest_step(f64 a, f64 b)
{
    f64 q = trunc64(div64(a, b));
    f64 r = fma64(-q, b, a);
    u32 low = (u32)(s64)q;

    if (r < 0)
        return (struct f64_rest){add64(r, b), low - 1};
    return (struct f64_rest){r, low};
}

/*
 * a > b > 0, and a/b may be as large as 2^2098: multiples of b 2^48k are taken away first, for
 * falling k, which leaves the quotient's low bits alone.
 */
MATH_RARE f64 f64_rest_far(f64 a, f64 b)
{
    f64 c = b;

    while (c <= a * 0x1p-48)
        c = c * 0x1p48;
    for (; c > b; c = c * 0x1p-48)
        a = f64_rest_step(a, c).r;
    return a;
}

/* 0 <= a < inf, b > 0 */
MATH struct f64_rest f64_rest(f64 a, f64 b)
{
    if (a < b)
        return (struct f64_rest){a, 0};
    if (b <= a * 0x1p-48)
        a = f64_rest_far(a, b);
    return f64_rest_step(a, b);
}

MATH_API f64 __nv_fmod(f64 x, f64 y)
{
    f64 a = abs64(x), b = abs64(y);

    if (!(a < F64_INF && b > 0)) /* NaN for infinite x, zero y and NaN */
        return div64(mul64(x, y), mul64(x, y));
    return f64_sign(f64_rest(a, b).r, x);
}

/* As f64_rest, but to the nearest multiple, the even one of two. */
MATH struct f64_rest f64_rest_near(f64 a, f64 b)
{
    struct f64_rest s = f64_rest(a, b);
    f64 other = add64(b, -s.r); /* what is missing to the next multiple */

    if (s.r > other || (s.r == other && s.q & 1))
        return (struct f64_rest){-other, s.q + 1};
    return s;
}

MATH_API f64 __nv_remquo(f64 x, f64 y, s32 *quo)
{
    f64 a = abs64(x), b = abs64(y);

    *quo = 0;
    if (!(a < F64_INF && b > 0))
        return div64(mul64(x, y), mul64(x, y));
    struct f64_rest s = f64_rest_near(a, b);
    s32 q = (s32)(s.q & 7);
    *quo = (hi64(x) ^ hi64(y)) < 0 ? -q : q;
    return hi64(x) < 0 ? -s.r : s.r;
}

MATH_API f64 __nv_remainder(f64 x, f64 y)
{
    s32 quo;

    return __nv_remquo(x, y, &quo);
}
