/* t_math_spec32.c -- the special functions of the device math library, single precision. */
#include "rt/math/spec.h"
#include "tests/props/math_spec_ref.h"

#define GEN(name)                                                                                  \
    static u64 gen_##name(u64 *rng, const u64 *arg, u32 j)                                         \
    {                                                                                              \
        (void)arg, (void)j;                                                                        \
        return math_from_f32((f32)draw_##name(rng));                                               \
    }

GEN(erf)
GEN(unit)
GEN(sided_unit)
GEN(twice_unit)
GEN(gamma)
GEN(bessel)
GEN(bessel_i)

static u64 gen_nth(u64 *rng, const u64 *arg, u32 j)
{
    return j == 0 ? draw_order(rng) : math_from_f32((f32)draw_nth(rng, (s32)arg[0]));
}

/* The zeros of lgamma between the poles, where the guide promises nothing. */
static bool among_zeros(const long double *x)
{
    return x[0] > -10.001L && x[0] < -2.264L;
}

#define MATH_LIST "tests/props/math_spec32.inc"
#include "tests/props/math_main.h"
