/* f64_pow.c -- powers of doubles. */
#include "toolkit/math/f64_core.h"

#define F64_LN2_42 0x1.62e42fefa3800p-1 /* 42 bits: its product with an exponent is exact */
#define F64_LN2_42_LO 0x1.ef35793c76730p-45
#define F64_TWO_THIRDS 0x1.5555555555555p-1
#define F64_TWO_THIRDS_LO 0x1.5555555555555p-55

struct f64_pair {
    f64 hi, lo;
};

/* The sum of a and b + b_lo, where |a| >= |b| or a is 0. */
MATH struct f64_pair f64_pair_add(f64 a, f64 b, f64 lo)
{
    f64 hi = add64(a, b);

    return (struct f64_pair){hi, add64(add64(add64(a, -hi), b), lo)};
}

/* a * b */
MATH struct f64_pair f64_pair_mul(struct f64_pair a, struct f64_pair b)
{
    f64 hi = mul64(a.hi, b.hi);

    return (struct f64_pair){hi, fma64(a.lo, b.hi, fma64(a.hi, b.lo, fma64(a.hi, b.hi, -hi)))};
}

/* s = (m - 1)/(m + 1), m + 1 being two doubles itself */
MATH struct f64_pair f64_pow_ratio(f64 m)
{
    f64 f = add64(m, -1.0), d = add64(m, 1.0);
    f64 d_lo = add64(m, -add64(d, -1.0));
    f64 inverse = rcp64(d);
    f64 s = mul64(f, inverse);
    f64 rest = fma64(-s, d_lo, fma64(-s, d, f));

    return (struct f64_pair){s, mul64(rest, inverse)};
}

/*
 * ln(2^n m) for m in [1/sqrt 2, sqrt 2], to 2^-64 of it: 2 atanh(s) = 2s + s z (2/3 + z p(z)) with
 * z = s^2.  p, from 2/5 on, needs no second double.  Error of the polynomial 2^-66.2.
 */
MATH struct f64_pair f64_pow_log(f64 m, f64 n)
{
    struct f64_pair s = f64_pow_ratio(m);
    f64 z_hi = mul64(s.hi, s.hi);
    struct f64_pair z = {z_hi, fma64(add64(s.hi, s.hi), s.lo, fma64(s.hi, s.hi, -z_hi))};
    f64 p = 0x1.0e429871c2aecp-3;

    p = fma64(p, z_hi, 0x1.0f7feb048b2cap-3);
    p = fma64(p, z_hi, 0x1.3b1eec03bb254p-3);
    p = fma64(p, z_hi, 0x1.745ce9e359d1ap-3);
    p = fma64(p, z_hi, 0x1.c71c722d66bd1p-3);
    p = fma64(p, z_hi, 0x1.2492492457d59p-2);
    p = fma64(p, z_hi, 0x1.9999999999b30p-2);
    struct f64_pair c = f64_pair_add(F64_TWO_THIRDS, mul64(p, z_hi), F64_TWO_THIRDS_LO);
    struct f64_pair w = f64_pair_mul(f64_pair_mul(c, z), s);
    struct f64_pair y = f64_pair_add(add64(s.hi, s.hi), w.hi, fma64(s.lo, 2.0, w.lo));

    y = f64_pair_add(n * F64_LN2_42, y.hi, y.lo);
    y.lo = fma64(n, F64_LN2_42_LO, y.lo); /* up to 2^-44 of y.hi */
    return y;
}

/* a^y for a > 0, both finite */
MATH f64 f64_pow_positive(f64 a, f64 y)
{
    s32 bias = 0;

    if (hi64(a) < 0x00100000) {
        a = a * 0x1p54;
        bias = -54;
    }
    s32 n = (s32)((u32)hi64(a) - 0x3fe6a09e) >> 20;
    struct f64_pair l = f64_pow_log(f64_scale(a, (u32)-n), (f64)(n + bias));
    f64 t = mul64(y, l.hi);
    f64 lo = fma64(y, l.lo, fma64(y, l.hi, -t));
    struct f64_split s = f64_exp_split(t, f64_exp_round(t));

    return f64_exp_end(t, f64_exp_poly(add64(s.r, lo)), s.n, 708.0, 746.0);
}

/* Zero or infinite, as the power of something that is. */
MATH f64 f64_pow_limit(int large)
{
    return large ? F64_INF : 0.0;
}

MATH_API f64 __nv_pow(f64 x, f64 y)
{
    f64 a = abs64(x), half = y * 0.5;
    int odd = abs64(add64(half, -trunc64(half))) == 0.5;
    f64 r = f64_pow_positive(a, y);

    if (a == 0 || a == F64_INF)
        r = f64_pow_limit((a == 0) == (y < 0));
    else if (abs64(y) == F64_INF)
        r = a == 1.0 ? 1.0 : f64_pow_limit((a > 1.0) == (y > 0));
    else if (x < 0 && trunc64(y) != y)
        r = F64_NAN;
    if (hi64(x) < 0 && odd)
        r = -r;
    if (x != x || y != y)
        r = add64(x, y);
    return x == 1.0 || y == 0 ? 1.0 : r;
}

MATH_API f64 __nv_powi(f64 x, s32 n)
{
    return __nv_pow(x, (f64)n);
}
