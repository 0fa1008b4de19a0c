/* math_host.h -- the machine's arithmetic on the host, for the tests (see math.h). */
#ifndef RT_MATH_MATH_HOST_H
#define RT_MATH_MATH_HOST_H

#include "base/base.h"
#include "exec/approx.h"

#define MATH static inline
#define MATH_API
#define MATH_RARE static

#define fma32 __builtin_fmaf
#define fma64 __builtin_fma
#define add32(a, b) ((f32)(a) + (f32)(b))
#define sum32 add32
#define quot32 div32
#define add64(a, b) ((f64)(a) + (f64)(b))
#define mul32(a, b) ((f32)(a) * (f32)(b))
#define mul64(a, b) ((f64)(a) * (f64)(b))
#define div32(a, b) ((f32)(a) / (f32)(b))
#define div64(a, b) ((f64)(a) / (f64)(b))
#define rcp32(a) (1.0f / (f32)(a))
#define rcp64(a) (1.0 / (f64)(a))
#define sqrt32 __builtin_sqrtf
#define sqrt64 __builtin_sqrt
#define ex2_approx apx_ex2
#define lg2_approx apx_lg2
#define sin_approx apx_sin
#define cos_approx apx_cos
#define rcp_approx(a) host_ftz(apx_rcp(host_ftz(a)))
#define rsqrt_approx apx_rsqrt
#define sqrt_approx apx_sqrt
#define div_approx apx_div
#define rsqrt64_approx apx_rsqrt64
#define rsqrt64_guess apx_rsqrt64_ftz
#define rint32 __builtin_rintf
#define rint64 __builtin_rint
#define trunc32 __builtin_truncf
#define trunc64 __builtin_trunc
#define floor32 __builtin_floorf
#define floor64 __builtin_floor
#define ceil32 __builtin_ceilf
#define ceil64 __builtin_ceil
#define abs32 __builtin_fabsf
#define abs64 __builtin_fabs
#define mulhi_u32(a, b) ((u32)((u64)(u32)(a) * (u32)(b) >> 32))
#define mulhi_u64(a, b) ((u64)((unsigned __int128)(u64)(a) * (u64)(b) >> 64))

#define d2ll_rn(a) host_d2ll(__builtin_rint(a))
#define d2ll_rz(a) host_d2ll(__builtin_trunc(a))
#define clz64 __builtin_clzll
#define MATH_TABLE static const

static inline s32 hi64(f64 x)
{
    return (s32)(apx_bits(x) >> 32);
}

static inline s32 lo64(f64 x)
{
    return (s32)apx_bits(x);
}

static inline f64 host_join64(u32 hi, u32 lo)
{
    return apx_double((u64)hi << 32 | lo);
}
#define join64(hi, lo) host_join64((u32)(hi), (u32)(lo))

static inline s64 host_d2ll(f64 x)
{
    if (x >= 0x1p63)
        return INT64_MAX;
    return x >= -0x1p63 ? (s64)x : INT64_MIN;
}

/* NaN loses, -0 is less than +0. */
#define HOST_LESSER(fn, T, less, sign)                                                             \
    static inline T fn(T a, T b)                                                                   \
    {                                                                                              \
        if (a != a || b != b)                                                                      \
            return a != a ? b : a;                                                                 \
        return a less b || (a == b && sign __builtin_signbit(a)) ? a : b;                          \
    }
HOST_LESSER(min32, f32, <, !!)
HOST_LESSER(min64, f64, <, !!)
HOST_LESSER(max32, f32, >, !)
HOST_LESSER(max64, f64, >, !)
#undef HOST_LESSER

static inline f32 host_ftz(f32 x)
{
    return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0, x) : x;
}

#endif
