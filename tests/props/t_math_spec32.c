/* t_math_spec32.c -- the special functions of the device math library, single precision. */
#include "toolkit/math/spec.h"
#include "tests/props/math_spec_ref.h"

SPEC_GENERATORS(f32)

/* The zeros of lgamma between the poles, where the guide promises nothing. */
static bool among_zeros(const long double *x)
{
    return x[0] > -10.001L && x[0] < -2.264L;
}

#define MATH_LIST "tests/props/math_spec32.inc"
#include "tests/props/math_main.h"
