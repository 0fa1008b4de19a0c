/*
 * op_ref.h -- floating point for the references: the host's own, in its rounding modes.
 *
 * Operands and results pass through volatiles and the files that use ref_round are
 * compiled with -frounding-math, so that no operation leaves the mode around it.
 * NaN results follow the rule that the machine promises: f32 0x7fffffff; f64 the first
 * NaN operand made quiet, or 0x7ff8000000000000.
 */
#ifndef TESTS_PROPS_OP_REF_H
#define TESTS_PROPS_OP_REF_H

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "base/base.h"

#define REF_NAN32 0x7fffffffu
#define REF_NAN64 0x7ff8000000000000u
#define REF_QUIET64 0x0008000000000000u

static inline float ref_f32(u64 bits)
{
    u32 b = (u32)bits;
    float x;

    memcpy(&x, &b, sizeof x);
    return x;
}

static inline double ref_f64(u64 bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline u64 ref_bits32(float x)
{
    u32 b;

    memcpy(&b, &x, sizeof b);
    return b;
}

static inline u64 ref_bits64(double x)
{
    u64 b;

    memcpy(&b, &x, sizeof b);
    return b;
}

static inline bool ref_nan32(u64 b)
{
    return (b & 0x7fffffff) > 0x7f800000;
}

static inline bool ref_nan64(u64 b)
{
    return (b & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/* Subnormals to zeros of their sign, if asked for. */
static inline u64 ref_ftz(u64 b, bool ftz)
{
    return ftz && (b & 0x7fffffff) < 0x800000 ? b & 0x80000000 : b;
}

/* To [0, 1]; NaN and -0 give +0. */
static inline u64 ref_sat32(u64 b, bool sat)
{
    if (!sat)
        return b;
    float x = ref_f32(b);

    return x >= 1 ? 0x3f800000 : x > 0 ? b : 0;
}

static inline u64 ref_sat64(u64 b, bool sat)
{
    if (!sat)
        return b;
    double x = ref_f64(b);

    return x >= 1 ? 0x3ff0000000000000 : x > 0 ? b : 0;
}

static inline void ref_round(u32 rnd)
{
    static const int mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

    fesetround(mode[rnd]);
}

static inline u64 ref_out32(float r)
{
    return isnan(r) ? REF_NAN32 : ref_bits32(r);
}

static inline u64 ref_first_nan(const u64 *v, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (ref_nan64(v[i]))
            return v[i] | REF_QUIET64;
    return REF_NAN64;
}

#endif
