/* spec_erf32.c -- error functions and the normal distribution in float (see spec.h). */
#define SPEC_BITS 32
#include "toolkit/math/spec_type.h"
#undef SPEC_BITS

/* erf(x)/x - 1 in x^2, |x| < 1; 1.2e-9 */
static const f32 spec32_erf_in[] = {0.128379166f,   -0.37612626f,   0.112836003f,
                                    -0.0268544462f, 0.00518953754f, -0.000802085386f,
                                    7.88914695e-05f};

/* log2(erfc(x)) in x - 1, 1 <= x < 4, weight erfc(x); 1.0e-9 */
static const f32 spec32_erf_out[] = {-2.66841674f,  -3.80722427f,    -1.2163626f,    -0.0598728396f,
                                     0.0142695438f, -0.00263459771f, 0.000267726748f};

/* ((x + 0.5) erfcx(x) - 0.5)/d in d - 1, d = 2x/(x + 3), x >= 0; weight d; 4.6e-9 */
static const f32 spec32_erfcx[] = {0.126504034f,     -0.194314554f,  0.170533463f,
                                   -0.105711609f,    0.0460740887f,  -0.0119145587f,
                                   3.24288849e-05f,  0.00121407455f, -0.000276136852f,
                                   -8.38541237e-05f, 3.74201591e-05f};

/* erfinv(x)/x in w - 1, w < 5; 5.6e-9 */
static const f32 spec32_inv_in[] = {
    1.12737441f,     0.247832894f,     0.00425064284f,   -0.00237644278f, 0.000100281315f,
    3.82289763e-05f, -4.40157328e-06f, -5.24693348e-07f, 1.41910675e-07f, -8.79093243e-09f};

/* erfinv(x)/sqrt(w) in 1/sqrt(w) - 0.25, 5 <= w < 104; 3.9e-9 */
static const f32 spec32_inv_out[] = {0.959945917f,  -0.198196188f, 0.0802219063f, 0.553674519f,
                                     -0.871347904f, 0.882279634f,  -3.65980029f,  -2.49134827f,
                                     8.31925869f,   142.802505f,   -320.501495f};

#define ERF_ONE 4    /* erf(x) is 1 from here on, rounded */
#define ERFC_ZERO 11 /* erfc(x) is 0 from here on, and erfcx(-x) infinite */
#define NORMCDF_ZERO 15
#define INVERSE_IN 5.0f
#define INVERSE_CENTRE 1.0f

/* erfinv(x)/sqrt(w), r = 1/sqrt(w) */
MATH f32 spec32_inverse_tail(f32 r, f32 w)
{
    (void)w;
    return POLY(add32(r, -0.25f), inv_out);
}

#include "toolkit/math/spec_erf.inc"
