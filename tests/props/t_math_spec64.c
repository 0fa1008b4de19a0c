/* t_math_spec64.c -- the special functions of the device math library, double precision. */
#include "toolkit/math/spec.h"
#include "tests/props/math_spec_ref.h"

SPEC_GENERATORS(f64)

/* The zeros of lgamma between the poles, where the guide promises nothing. */
static bool among_zeros(const long double *x)
{
    return x[0] > -23.0001L && x[0] < -2.2637L;
}

/* From 8 on Y0 and Y1, which Yn begins with, are only good to the difference that is allowed. */
static u32 ulp_of_yn(const long double *x)
{
    return fabsl(x[1]) < 8 ? ulp_of_order(x) : (u32)(5e-12L * 0x1p53L);
}

#define MATH_LIST "tests/props/math_spec64.inc"
#include "tests/props/math_main.h"
