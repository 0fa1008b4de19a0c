/* spec_bessel_i32.c -- modified Bessel functions in float (see spec.h). */
#define SPEC_BITS 32
#include "toolkit/math/spec_type.h"
#undef SPEC_BITS

/* I0(x) in x^2, x < 8; 2.8e-10 */
static const f32 spec32_i0_in[] = {
    1.0f,           0.25f,           0.0156250019f,   0.000434026966f, 6.78183051e-06f,
    6.7802354e-08f, 4.71799877e-10f, 2.37213829e-12f, 1.00695726e-14f, 1.99132996e-17f,
    1.35664135e-19f};

/* e^(5 - x) sqrt(x) I0(x) in 1/x, x >= 8; 1.2e-9 */
static const f32 spec32_i0_out[] = {59.2082825f, 7.40098143f,  4.16963387f, 4.04453611f,
                                    12.632268f,  -45.3511124f, 271.232941f};

/* I1(x)/x in x^2, x < 8; 2.1e-9 */
static const f32 spec32_i1_in[] = {0.5f,
                                   0.0625000075f,
                                   0.00260416279f,
                                   5.42545749e-05f,
                                   6.78021649e-07f,
                                   5.66210367e-09f,
                                   3.31828939e-11f,
                                   1.61781396e-13f,
                                   3.50461523e-16f,
                                   2.7504293e-18f};

/* e^(5 - x) sqrt(x) I1(x) in 1/x, x >= 8; 1.5e-9 */
static const f32 spec32_i1_out[] = {59.2082825f,  -22.203043f, -6.9460063f, -5.73737478f,
                                    -15.3509197f, 50.1474113f, -308.240234f};

#define BESSEL_I_IN 8
#define BESSEL_I_INF 100 /* both functions have overflowed here, and so has e^(x - 5) */

#include "toolkit/math/spec_bessel_i.inc"
