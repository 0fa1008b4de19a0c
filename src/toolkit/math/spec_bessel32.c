/* spec_bessel32.c -- Bessel functions in float (see spec.h). */
#define SPEC_BITS 32
#include "toolkit/math/spec_type.h"
#undef SPEC_BITS

/* zeros of J0, J1, Y0 and Y1 in two parts */
static const f32 spec32_j0_z1[] = {2.40482545f, 1.08705905e-07f};
static const f32 spec32_j0_z2[] = {5.52007818f, -7.19341458e-08f};
static const f32 spec32_j1_z1[] = {3.83170605f, -7.68505899e-08f};
static const f32 spec32_j1_z2[] = {7.01558685f, -1.83211725e-07f};
static const f32 spec32_y0_z1[] = {0.89357698f, -1.33579787e-08f};
static const f32 spec32_y0_z2[] = {3.95767832f, 1.01291178e-07f};
static const f32 spec32_y0_z3[] = {7.08605099f, 7.30581178e-08f};
static const f32 spec32_y1_z1[] = {2.19714141f, -8.28892723e-08f};
static const f32 spec32_y1_z2[] = {5.42968082f, 2.16514351e-07f};

/* J0(x)/(x^2 - z1^2) in x^2 - 10, x < 4; 2.9e-9 */
static const f32 spec32_j0_near[] = {-0.0735258386f,  0.00707166037f,   -0.000239707617f,
                                     4.21134746e-06f, -4.55190303e-08f, 3.34667294e-10f,
                                     -1.86241972e-12f};

/* J0(x)/(x - z2) in x - 6.75, 4 <= x < 8; 3.6e-9 */
static const f32 spec32_j0_mid[] = {0.235345662f,     -0.126042873f,   -0.0200300161f,
                                    0.0116898809f,    0.000409014756f, -0.000370273512f,
                                    -2.08374377e-06f, 6.14059127e-06f, -2.42664751e-08f,
                                    -6.83427572e-08f, -2.51130627e-09f};

/* J1(x)/(x (x^2 - z1^2)) in x^2 - 20, x < 5.5; 1.7e-9 */
static const f32 spec32_j1_near[] = {-0.00939545874f,  0.000699853816f, -1.95353859e-05f,
                                     2.92818697e-07f,  -2.7652447e-09f, 1.80362808e-11f,
                                     -8.64506559e-14f, 3.48497307e-16f};

/* J1(x)/(x - z2) in x - z2, 5.5 <= x < 8; 1.6e-9 */
static const f32 spec32_j1_mid[] = {0.300115764f,     -0.0213892125f,  -0.0469704904f,
                                    0.0031302874f,    0.00210564071f,  -0.000125482242f,
                                    -4.50649968e-05f, 2.35331709e-06f, 5.94298626e-07f};

/* (Y0(x) - (2/pi) log(x/z1) J0(x))/(x^2 - z1^2) in x^2, x < 2.4; 5.1e-10 */
static const f32 spec32_y0_near[] = {0.182144299f,     -0.0167446714f,  0.000561791123f,
                                     -9.89326145e-06f, 1.07327018e-07f, -7.26896376e-10f};

/* Y0(x)/(x - z2) in x - z2, 2.4 <= x < 5.5; 2.1e-9 */
static const f32 spec32_y0_mid[] = {-0.402542681f,    0.0508559048f,    0.0585238263f,
                                    -0.00685252296f,  -0.00218354026f,  0.000195174594f,
                                    5.0957653e-05f,   -4.80946755e-06f, -3.18549752e-07f,
                                    -5.33394768e-08f, 2.68879656e-08f};

/* Y0(x)/(x - z3) in x - z3, 5.5 <= x < 8; 1.6e-9 */
static const f32 spec32_y0_far[] = {0.300097615f,     -0.0211752374f,  -0.0480240807f,
                                    0.00331836008f,   0.00217604078f,  -0.000140612639f,
                                    -4.60443662e-05f, 2.67345376e-06f, 6.21192498e-07f};

/* (Y1(x) - (2/pi) (log(x) J1(x) - 1/x))/x in x^2, x < 1.5; 7.1e-9 */
static const f32 spec32_y1_near[] = {-0.196057096f, 0.0543486625f, -0.00295521622f, 7.15381466e-05f,
                                     -9.41697749e-07f};

/* Y1(x)/(x - z1) in x - z1, 1.5 <= x < 4; 5.0e-9 */
static const f32 spec32_y1_mid[] = {
    0.520786405f,    -0.118514523f,    -0.0328574851f,   -0.00479832944f, 0.00742385443f,
    -0.00259295618f, 0.00105977198f,   -0.000510100916f, 0.000249927107f, -0.000119181364f,
    4.54441142e-05f, -1.08689055e-05f, 1.15959801e-06f};

/* Y1(x)/(x - z2) in x - 6.75, 4 <= x < 8; 4.1e-9 */
static const f32 spec32_y1_far[] = {-0.225473985f,   0.127388343f,     0.0169932842f,
                                    -0.0113167344f,  -0.000311951269f, 0.000353898737f,
                                    1.08582958e-06f, -5.91840035e-06f, 3.51830813e-08f,
                                    6.61611068e-08f, 2.73147394e-09f};

/* Hankel P0 in 1/x^2, x >= 8; 5.2e-8 */
static const f32 spec32_bes0_p[] = {0.99999994f, -0.070250161f, 0.100821093f};

/* Hankel Q0 x in 1/x^2, x >= 8; 1.4e-7 */
static const f32 spec32_bes0_q[] = {-0.124999858f, 0.0730664432f, -0.194557264f};

/* Hankel P1 in 1/x^2, x >= 8; 6.2e-8 */
static const f32 spec32_bes1_p[] = {1.00000012f, 0.117113158f, -0.130716667f};

/* Hankel Q1 x in 1/x^2, x >= 8; 1.7e-7 */
static const f32 spec32_bes1_q[] = {0.374999821f, -0.102334484f, 0.239779055f};

#define JN_TINY 0x1p-12f
#define JN_LARGE 0x1p30f /* numbers above are scaled down by the square of it */
#define JN_ABOVE 9
#define JN_NIL -160 /* of the logarithm of the least number, with a margin */

#include "toolkit/math/spec_bessel.inc"
