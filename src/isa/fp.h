/*
 * fp.h -- IEEE-754 binary32 and binary64 on bit patterns, in integers only.
 *
 * Every function rounds once, in the mode it is given, and answers the same bits
 * on every host: no libm, no host floating point, no rounding mode of the process.
 * It serves the forms the host has no instruction for (directed rounding, fused
 * multiply-add without FMA) and is the judge of the forms it has.  Subnormals are
 * full citizens; flushing them (ftz in exec/lane_ops.h) and saturating are separate steps the
 * caller composes:
 *
 *     add.rz.sat.f32:  fp32_sat(fp32_add(a, b, FP_RZ))
 *
 * There are no exception flags, as on the machine.  Subtraction is addition with
 * the sign bit of b flipped (for a NaN operand of fp64 that shows in the result's
 * sign).
 *
 * The 16-bit formats are binary16 and bfloat16; arithmetic on them needs no function here, since
 * host floats are wide enough for it (exec/half_ops.h), conversions in all roundings do.
 *
 * NaN.  PTX ISA, section "Floating-Point Instructions": payloads are supported for
 * double precision, single precision returns an unspecified NaN, and NVIDIA's
 * machines return 0x7fffffff.  We fix:
 *   fp32: every NaN result is FP32_NAN; of 16 bits, FP16_NAN in both formats.
 *   fp64: the first NaN operand in the order a, b, c, with its quiet bit set; with
 *         no NaN operand (an invalid operation), FP64_NAN.
 * fp64_nan2 and fp64_nan3 state the second rule for code that computes on the host
 * and then repairs the NaN it got.
 */
#ifndef ISA_FP_H
#define ISA_FP_H

#include "base/base.h"

/* To nearest even, to zero, to minus infinity, to plus infinity: .rn .rz .rm .rp */
enum fp_round { FP_RN, FP_RZ, FP_RM, FP_RP };
enum { FP_RNA = 4 }; /* to nearest, ties away from zero: .rna, for tf32 only */

enum fp_half { FP_F16, FP_BF16 };

#define FP16_NAN 0x7fffu /* of both */
#define FP32_NAN 0x7fffffffu
#define FP32_INF 0x7f800000u
#define FP32_ONE 0x3f800000u
#define FP32_SIGN 0x80000000u
#define FP64_NAN 0x7ff8000000000000u
#define FP64_INF 0x7ff0000000000000u
#define FP64_ONE 0x3ff0000000000000u
#define FP64_SIGN 0x8000000000000000u
#define FP64_QUIET 0x0008000000000000u

u32 fp32_add(u32 a, u32 b, u32 rnd);
u32 fp32_mul(u32 a, u32 b, u32 rnd);
u32 fp32_div(u32 a, u32 b, u32 rnd);
u32 fp32_fma(u32 a, u32 b, u32 c, u32 rnd);
u32 fp32_sqrt(u32 a, u32 rnd);
u32 fp32_rcp(u32 a, u32 rnd);

u64 fp64_add(u64 a, u64 b, u32 rnd);
u64 fp64_mul(u64 a, u64 b, u32 rnd);
u64 fp64_div(u64 a, u64 b, u32 rnd);
u64 fp64_fma(u64 a, u64 b, u64 c, u32 rnd);
u64 fp64_sqrt(u64 a, u32 rnd);
u64 fp64_rcp(u64 a, u32 rnd);

/* Widening is exact; a NaN keeps its sign and payload and becomes quiet. */
u32 fp32_from_f64(u64 a, u32 rnd);
u64 fp64_from_f32(u32 a);

u32 fp_half_from_f32(enum fp_half h, u32 a, u32 rnd);
u32 fp_half_from_f64(enum fp_half h, u64 a, u32 rnd);
u32 fp_half_from_s64(enum fp_half h, s64 v, u32 rnd);
u32 fp_half_from_u64(enum fp_half h, u64 v, u32 rnd);

/*
 * To 8 bits, nearest even, .satfinite: what is beyond the largest number becomes it, infinities
 * too.  e4m3 has no infinities and one NaN a sign, so its largest number is 448; e5m2's is 57344.
 * A NaN becomes 0x7f in both.
 */
u32 fp8_e4m3_from_f32(u32 a);
u32 fp8_e5m2_from_f32(u32 a);

/* tf32: a float whose 13 low bits of fraction are zero.  rnd may be FP_RNA. */
u32 fp_tf32_from_f32(u32 a, u32 rnd);

u32 fp32_from_s64(s64 v, u32 rnd);
u32 fp32_from_u64(u64 v, u32 rnd);
u64 fp64_from_s64(s64 v, u32 rnd);
u64 fp64_from_u64(u64 v, u32 rnd);

/* To an integral value of the same type; a result of zero keeps the sign of a. */
u32 fp32_rint(u32 a, u32 rnd);
u64 fp64_rint(u64 a, u32 rnd);

/*
 * cvt to an integer of 8, 16, 32 or 64 bits, clamped to its range.  A signed result
 * is sign-extended, an unsigned one is returned as its bits.  A NaN follows PTX ISA
 * 9.0, cvt: zero if the source is not .f64 and the destination is not 64 bits wide,
 * otherwise 1 << (bits - 1).  So the source type matters: do not widen an f32 and
 * call the f64 form.
 */
s64 fp32_to_int(u32 a, u32 rnd, u32 bits, bool is_signed);
s64 fp64_to_int(u64 a, u32 rnd, u32 bits, bool is_signed);

static inline bool fp32_is_nan(u32 a)
{
    return (a & ~FP32_SIGN) > FP32_INF;
}

static inline bool fp64_is_nan(u64 a)
{
    return (a & ~FP64_SIGN) > FP64_INF;
}

static inline u64 fp64_nan2(u64 a, u64 b)
{
    if (fp64_is_nan(a))
        return a | FP64_QUIET;
    return fp64_is_nan(b) ? b | FP64_QUIET : FP64_NAN;
}

static inline u64 fp64_nan3(u64 a, u64 b, u64 c)
{
    return fp64_is_nan(a) ? a | FP64_QUIET : fp64_nan2(b, c);
}

/* .sat: clamp to [+0, 1]; NaN and -0 become +0. */
static inline u32 fp32_sat(u32 a)
{
    if ((a & FP32_SIGN) || fp32_is_nan(a))
        return 0;
    return a > FP32_ONE ? FP32_ONE : a;
}

static inline u64 fp64_sat(u64 a)
{
    if ((a & FP64_SIGN) || fp64_is_nan(a))
        return 0;
    return a > FP64_ONE ? FP64_ONE : a;
}

#endif
