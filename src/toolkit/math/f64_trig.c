/* f64_trig.c -- sines, cosines and tangents of doubles. */
#include "toolkit/math/f64_core.h"

#define F64_TWO_OVER_PI 0x1.45f306dc9c883p-1
/* The rest of pi/2, both positive: fma(0, -c, -0) is -0. */
#define F64_HALF_PI_2 0x1.1a62633145c06p-54
#define F64_HALF_PI_3 0x1.c1cd129024e09p-107

/* Up to here three doubles of pi/2 are enough: n has 16 bits. */
#define F64_TRIG_NEAR 0x1.8p16

/* The bits of 2/pi after the point, behind 64 zeros. */
MATH_TABLE u64 f64_two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/* Word i of the table shifted left by b < 64. */
MATH u64 f64_two_over_pi_at(u32 i, u32 b)
{
    return f64_two_over_pi[i] << b | f64_two_over_pi[i + 1] >> 1 >> (63 - b);
}

/*
 * Payne and Hanek.  With x = m 2^(e-63), bits of 2/pi whose product with m is a multiple of 4 are
 * skipped; of the next 192 the product's 128 bits below 4 are right to 2^-126.  The first two are
 * the quadrant, and as no double is nearer to a multiple of pi/2 than 2^-61 of it, 64 are left.
 */
MATH_RARE struct f64_split f64_reduce_huge(f64 x)
{
    u64 b = bits64(x);
    u32 e = (u32)(b >> 52 & 0x7ff) - 1023;
    u64 m = b << 11 | 1ull << 63;

    if (e == 1024)
        return (struct f64_split){F64_NAN, 0};
    u32 i = (e - 1) >> 6, shift = (e - 1) & 63;
    u64 w1 = f64_two_over_pi_at(i + 1, shift);
    u64 lo = m * w1 + mulhi_u64(m, f64_two_over_pi_at(i + 2, shift));
    u64 hi = m * f64_two_over_pi_at(i, shift) + mulhi_u64(m, w1) + (lo < m * w1);
    s32 n = (s32)(hi >> 62);

    hi = hi << 2 | lo >> 62;
    lo <<= 2;
    u64 sign = hi >> 63; /* above 1/2: count on from the next quadrant */
    n += (s32)sign;
    hi ^= 0 - sign;
    lo ^= 0 - sign;
    u32 zeros = (u32)clz64(hi | 1);
    u64 digits = hi << zeros | lo >> 1 >> (63 - zeros);
    f64 r = mul64((f64)mulhi_u64(digits, 0xc90fdaa22168c235), f64_pow2(0u - 63 - zeros));

    if (sign ^ b >> 63)
        r = -r;
    return (struct f64_split){r, b >> 63 ? -n : n};
}

/* x = n pi/2 + r, |r| <= pi/4; n modulo 4 */
MATH struct f64_split f64_reduce(f64 x)
{
    f64 t = fma64(x, F64_TWO_OVER_PI, F64_ROUNDER);
    f64 n = add64(t, -F64_ROUNDER);
    f64 r = fma64(n, -F64_HALF_PI, x); /* exact */

    r = fma64(n, -F64_HALF_PI_2, r);
    r = fma64(n, -F64_HALF_PI_3, r);
    if (abs64(x) < F64_TRIG_NEAR)
        return (struct f64_split){r, lo64(t)};
    return f64_reduce_huge(x);
}

/* sin(r) for |r| <= pi/4, error 2^-58.0 */
MATH f64 f64_sin_poly(f64 r, f64 z)
{
    f64 p = 0x1.5d938a89519cbp-33;

    p = fma64(p, z, -0x1.ae5e684abc4e2p-26);
    p = fma64(p, z, 0x1.71de357aba707p-19);
    p = fma64(p, z, -0x1.a01a019c15bc2p-13);
    p = fma64(p, z, 0x1.111111110f8a4p-7);
    p = fma64(p, z, -0x1.5555555555549p-3);
    return fma64(fma64(p, z, 0.0), r, r);
}

/* cos(r) for |r| <= pi/4 and z = r^2, error 2^-64.2 */
MATH f64 f64_cos_poly(f64 z)
{
    f64 p = -0x1.8fb12c59097d1p-37;

    p = fma64(p, z, 0x1.1ee9f14e29e56p-29);
    p = fma64(p, z, -0x1.27e4f812b4c83p-22);
    p = fma64(p, z, 0x1.a01a019cbf635p-16);
    p = fma64(p, z, -0x1.6c16c16c1521fp-10);
    p = fma64(p, z, 0x1.555555555554cp-5);
    p = fma64(p, z, -0.5);
    return fma64(p, z, 1.0);
}

/*
 * sin(r + n pi/2): one polynomial whose coefficients are those of the sine or of the cosine, as
 * selecting is cheaper than a second polynomial or lanes apart.
 */
MATH f64 f64_wave(f64 r, s32 n)
{
    int odd = n & 1;
    f64 z = mul64(r, r);
    f64 p = odd ? -0x1.8fb12c59097d1p-37 : 0x1.5d938a89519cbp-33;

    p = fma64(p, z, odd ? 0x1.1ee9f14e29e56p-29 : -0x1.ae5e684abc4e2p-26);
    p = fma64(p, z, odd ? -0x1.27e4f812b4c83p-22 : 0x1.71de357aba707p-19);
    p = fma64(p, z, odd ? 0x1.a01a019cbf635p-16 : -0x1.a01a019c15bc2p-13);
    p = fma64(p, z, odd ? -0x1.6c16c16c1521fp-10 : 0x1.111111110f8a4p-7);
    p = fma64(p, z, odd ? 0x1.555555555554cp-5 : -0x1.5555555555549p-3);
    p = fma64(p, z, odd ? -0.5 : 0.0);
    p = fma64(p, odd ? z : r, odd ? 1.0 : r);
    return n & 2 ? -p : p;
}

MATH_API f64 __nv_sin(f64 x)
{
    struct f64_split s = f64_reduce(x);

    return f64_wave(s.r, s.n);
}

MATH_API f64 __nv_cos(f64 x)
{
    struct f64_split s = f64_reduce(x);

    return f64_wave(s.r, s.n + 1);
}

/* Sine and cosine of r + n pi/2. */
MATH void f64_both(f64 r, s32 n, f64 *sine, f64 *cosine)
{
    f64 z = mul64(r, r), s = f64_sin_poly(r, z), c = f64_cos_poly(z);
    f64 a = n & 1 ? c : s, b = n & 1 ? s : c;

    *sine = n & 2 ? -a : a;
    *cosine = (n + 1) & 2 ? -b : b;
}

MATH_API void __nv_sincos(f64 x, f64 *s, f64 *c)
{
    struct f64_split a = f64_reduce(x);

    f64_both(a.r, a.n, s, c);
}

/* -1/(y + more), as if y had not been rounded */
MATH f64 f64_minus_inverse(f64 y, f64 more)
{
    f64 q = div64(-1.0, y);
    f64 e = fma64(more, q, fma64(y, q, 1.0));

    return fma64(e, q, q);
}

/* tan(r) for |r| <= pi/4, error 2^-56.2; -1/tan(r) in odd quadrants */
MATH_API f64 __nv_tan(f64 x)
{
    struct f64_split s = f64_reduce(x);
    f64 z = mul64(s.r, s.r);
    f64 p = 0x1.5e304543e7ee9p-16;

    p = fma64(p, z, -0x1.78c897682ba8ap-15);
    p = fma64(p, z, 0x1.777e857a82862p-14);
    p = fma64(p, z, -0x1.bbfe5f4f6b7cfp-16);
    p = fma64(p, z, 0x1.1e6ddeba25c45p-13);
    p = fma64(p, z, 0x1.d24f4481e0331p-13);
    p = fma64(p, z, 0x1.37fd6671119dcp-11);
    p = fma64(p, z, 0x1.7d5b0500f73cep-10);
    p = fma64(p, z, 0x1.d6d93b0075c04p-9);
    p = fma64(p, z, 0x1.226e12260988cp-7);
    p = fma64(p, z, 0x1.664f49aa5333bp-6);
    p = fma64(p, z, 0x1.ba1ba1b460f4ep-5);
    p = fma64(p, z, 0x1.11111111183c2p-3);
    p = fma64(p, z, 0x1.55555555554f1p-2);
    p = fma64(p, z, 0.0);
    f64 y = fma64(p, s.r, s.r);
    return s.n & 1 ? f64_minus_inverse(y, fma64(p, s.r, add64(s.r, -y))) : y;
}

/* pi x = n pi/2 + r.  First an even number is taken from x: all of it, if x is large. */
MATH struct f64_split f64_reduce_pi(f64 x)
{
    f64 y = fma64(rint64(x * 0.5), -2.0, x);
    f64 t = fma64(y, 2.0, F64_ROUNDER);
    f64 r = fma64(add64(t, -F64_ROUNDER), -0.5, y); /* exact, as y was */

    return (struct f64_split){fma64(r, F64_PI, r * F64_PI_LO), lo64(t)};
}

MATH_API f64 __nv_sinpi(f64 x)
{
    struct f64_split s = f64_reduce_pi(x);

    return trunc64(x) == x ? x * 0.0 : f64_wave(s.r, s.n); /* the zero's sign is that of x */
}

MATH_API f64 __nv_cospi(f64 x)
{
    struct f64_split s = f64_reduce_pi(x);

    return add64(f64_wave(s.r, s.n + 1), 0.0); /* no -0 */
}

MATH_API void __nv_sincospi(f64 x, f64 *s, f64 *c)
{
    struct f64_split a = f64_reduce_pi(x);

    f64_both(a.r, a.n, s, c);
    *c = add64(*c, 0.0);
    if (trunc64(x) == x)
        *s = x * 0.0;
}
