/* f64_arc.c -- arc functions of doubles. */
#include "toolkit/math/f64_core.h"

/* (asin(a) - a)/a as a function of z = a^2 in [0, 1/4], error 2^-55.9 of asin(a) */
MATH f64 f64_asin_tail(f64 z)
{
    f64 p = 0x1.0571a565b8974p-5;

    p = fma64(p, z, -0x1.09de86047a47bp-6);
    p = fma64(p, z, 0x1.3ffb4667ed288p-6);
    p = fma64(p, z, 0x1.abc6a83859720p-8);
    p = fma64(p, z, 0x1.8ec3e0a8f016ep-7);
    p = fma64(p, z, 0x1.c6fda3a89c4b4p-7);
    p = fma64(p, z, 0x1.1c6be2eb6a56ep-6);
    p = fma64(p, z, 0x1.6e89f42efbe2dp-6);
    p = fma64(p, z, 0x1.f1c72c39810e6p-6);
    p = fma64(p, z, 0x1.6db6db4279490p-5);
    p = fma64(p, z, 0x1.333333336e81ap-4);
    p = fma64(p, z, 0x1.5555555555390p-3);
    return mul64(p, z);
}

/* From 1/2 on asin(a) is pi/2 - 2 asin(sqrt((1 - a)/2)). */
MATH_API f64 __nv_asin(f64 x)
{
    f64 a = abs64(x);
    int far = a > 0.5;
    f64 z = far ? fma64(a, -0.5, 0.5) : mul64(a, a);
    f64 s = far ? sqrt64(z) : a;
    f64 y = fma64(f64_asin_tail(z), s, s);

    if (far)
        y = add64(F64_HALF_PI, fma64(y, -2.0, F64_HALF_PI_LO));
    return f64_sign(y, x);
}

/* 2 asin(sqrt((1 - a)/2)) from 1/2 on, pi/2 - asin(a) below; of -a what is missing to pi. */
MATH_API f64 __nv_acos(f64 x)
{
    f64 a = abs64(x);
    int far = a > 0.5;
    f64 z = far ? fma64(a, -0.5, 0.5) : mul64(a, a);
    f64 s = far ? sqrt64(z) : x;
    f64 y = fma64(f64_asin_tail(z), s, s);

    if (!far)
        return add64(F64_HALF_PI, add64(F64_HALF_PI_LO, -y));
    return x < 0 ? add64(F64_PI, fma64(y, -2.0, F64_PI_LO)) : add64(y, y);
}

/* atan(a) for a in [0, 1], error 2^-54.6 */
MATH f64 f64_atan_poly(f64 a)
{
    f64 z = mul64(a, a);
    f64 p = -0x1.53e7a2c59599cp-16;

    p = fma64(p, z, 0x1.d3bd343273389p-13);
    p = fma64(p, z, -0x1.312b6150e8ed5p-10);
    p = fma64(p, z, 0x1.f96e3e5fffd37p-9);
    p = fma64(p, z, -0x1.2cf810e25b409p-7);
    p = fma64(p, z, 0x1.162ca5fe54938p-6);
    p = fma64(p, z, -0x1.a7270b4cf8315p-6);
    p = fma64(p, z, 0x1.1715fdeab02e7p-5);
    p = fma64(p, z, -0x1.4f4534b43c4f7p-5);
    p = fma64(p, z, 0x1.7ee3fdfd0e633p-5);
    p = fma64(p, z, -0x1.ad32bcbf9ebf2p-5);
    p = fma64(p, z, 0x1.e17817c81332fp-5);
    p = fma64(p, z, -0x1.11089d0f68627p-4);
    p = fma64(p, z, 0x1.3b12b2ea69afbp-4);
    p = fma64(p, z, -0x1.745d0231258ccp-4);
    p = fma64(p, z, 0x1.c71c709e1ba94p-4);
    p = fma64(p, z, -0x1.2492491fa219cp-3);
    p = fma64(p, z, 0x1.9999999984111p-3);
    p = fma64(p, z, -0x1.555555555544cp-2);
    return fma64(mul64(p, z), a, a);
}

MATH_API f64 __nv_atan(f64 x)
{
    f64 a = abs64(x);
    int far = a > 1.0;
    f64 y = f64_atan_poly(far ? rcp64(a) : a);

    if (far)
        y = add64(F64_HALF_PI, add64(F64_HALF_PI_LO, -y));
    return f64_sign(y, x);
}

MATH_API f64 __nv_atan2(f64 y, f64 x)
{
    f64 ay = abs64(y), ax = abs64(x);
    int steep = ay > ax;
    f64 high = steep ? ay : ax;
    f64 q = div64(steep ? ax : ay, high);

    q = high == 0 ? 0.0 : q;
    q = ax == ay && high == F64_INF ? 1.0 : q;
    f64 a = f64_atan_poly(q);
    if (steep)
        a = add64(F64_HALF_PI, add64(F64_HALF_PI_LO, -a));
    if (hi64(x) < 0)
        a = add64(F64_PI, add64(F64_PI_LO, -a));
    return x == x && y == y ? f64_sign(a, y) : add64(x, y);
}
