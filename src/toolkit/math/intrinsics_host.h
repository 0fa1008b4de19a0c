/*
 * intrinsics_host.h -- clang's names for the machine's instructions, for intrinsics.c on the host.
 *
 * Arithmetic comes from isa/fp.h, which rounds in any direction without touching the rounding
 * mode of the process.
 */
#ifndef RT_MATH_INTRINSICS_HOST_H
#define RT_MATH_INTRINSICS_HOST_H

#include "isa/fp.h"
#include "toolkit/math/math.h"

/* name of clang, name of fp.h, direction */
#define HOST_UNARY(op, r, RND)                                                                     \
    static inline f32 __nvvm_##op##_##r##_f(f32 a)                                                 \
    {                                                                                              \
        return flt32(fp32_##op(bits32(a), RND));                                                   \
    }                                                                                              \
    static inline f64 __nvvm_##op##_##r##_d(f64 a)                                                 \
    {                                                                                              \
        return flt64(fp64_##op(bits64(a), RND));                                                   \
    }

#define HOST_BINARY(op, r, RND)                                                                    \
    static inline f32 __nvvm_##op##_##r##_f(f32 a, f32 b)                                          \
    {                                                                                              \
        return flt32(fp32_##op(bits32(a), bits32(b), RND));                                        \
    }                                                                                              \
    static inline f64 __nvvm_##op##_##r##_d(f64 a, f64 b)                                          \
    {                                                                                              \
        return flt64(fp64_##op(bits64(a), bits64(b), RND));                                        \
    }

#define HOST_FMA(r, RND)                                                                           \
    static inline f32 __nvvm_fma_##r##_f(f32 a, f32 b, f32 c)                                      \
    {                                                                                              \
        return flt32(fp32_fma(bits32(a), bits32(b), bits32(c), RND));                              \
    }                                                                                              \
    static inline f64 __nvvm_fma_##r##_d(f64 a, f64 b, f64 c)                                      \
    {                                                                                              \
        return flt64(fp64_fma(bits64(a), bits64(b), bits64(c), RND));                              \
    }

#define HOST_TO_INT(name, T, r, RND, bits, is_signed)                                              \
    static inline T __nvvm_f2##name##_##r(f32 a)                                                   \
    {                                                                                              \
        return (T)fp32_to_int(bits32(a), RND, bits, is_signed);                                    \
    }                                                                                              \
    static inline T __nvvm_d2##name##_##r(f64 a)                                                   \
    {                                                                                              \
        return (T)fp64_to_int(bits64(a), RND, bits, is_signed);                                    \
    }

#define HOST_FROM_INT(name, T, r, RND, from)                                                       \
    static inline f32 __nvvm_##name##2f_##r(T a)                                                   \
    {                                                                                              \
        return flt32(fp32_from_##from(a, RND));                                                    \
    }                                                                                              \
    static inline f64 __nvvm_##name##2d_##r(T a)                                                   \
    {                                                                                              \
        return flt64(fp64_from_##from(a, RND));                                                    \
    }

#define HOST_ALL(r, RND)                                                                           \
    HOST_UNARY(rcp, r, RND)                                                                        \
    HOST_UNARY(sqrt, r, RND)                                                                       \
    HOST_BINARY(add, r, RND)                                                                       \
    HOST_BINARY(mul, r, RND)                                                                       \
    HOST_BINARY(div, r, RND)                                                                       \
    HOST_FMA(r, RND)                                                                               \
    HOST_TO_INT(i, s32, r, RND, 32, true)                                                          \
    HOST_TO_INT(ui, u32, r, RND, 32, false)                                                        \
    HOST_TO_INT(ll, s64, r, RND, 64, true)                                                         \
    HOST_TO_INT(ull, u64, r, RND, 64, false)                                                       \
    HOST_FROM_INT(i, s32, r, RND, s64)                                                             \
    HOST_FROM_INT(ui, u32, r, RND, u64)                                                            \
    HOST_FROM_INT(ll, s64, r, RND, s64)                                                            \
    HOST_FROM_INT(ull, u64, r, RND, u64)                                                           \
    static inline f32 __nvvm_d2f_##r(f64 a)                                                        \
    {                                                                                              \
        return flt32(fp32_from_f64(bits64(a), RND));                                               \
    }

HOST_ALL(rn, FP_RN)
HOST_ALL(rz, FP_RZ)
HOST_ALL(rm, FP_RM)
HOST_ALL(rp, FP_RP)

static inline f32 __nvvm_saturate_f(f32 a)
{
    return flt32(fp32_sat(bits32(a)));
}

static inline f64 __nvvm_rcp_approx_ftz_d(f64 a)
{
    return apx_rcp64(a);
}

static inline s32 __nvvm_mul24_i(s32 a, s32 b)
{
    s64 x = (s32)((u32)a << 8) >> 8, y = (s32)((u32)b << 8) >> 8;

    return (s32)(x * y);
}

static inline u32 __nvvm_mul24_ui(u32 a, u32 b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}

static inline s32 __nvvm_mulhi_i(s32 a, s32 b)
{
    return (s32)((s64)a * b >> 32);
}

static inline s64 __nvvm_mulhi_ll(s64 a, s64 b)
{
    return (s64)((__int128)a * b >> 64);
}

#define __nvvm_mulhi_ui mulhi_u32
#define __nvvm_mulhi_ull mulhi_u64

static inline u32 __nvvm_prmt(u32 a, u32 b, u32 sel)
{
    u64 all = (u64)b << 32 | a;
    u32 r = 0;

    for (u32 i = 0; i < 4; i++, sel >>= 4) {
        u32 byte = all >> 8 * (sel & 7) & 0xff;

        if (sel & 8) /* the sign bit, eight times */
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    return r;
}

static inline s32 __nvvm_sad_i(s32 a, s32 b, s32 c)
{
    return (s32)((a < b ? (u32)b - (u32)a : (u32)a - (u32)b) + (u32)c);
}

static inline u32 __nvvm_sad_ui(u32 a, u32 b, u32 c)
{
    return (a < b ? b - a : a - b) + c;
}

static inline u32 bitrev32(u32 x)
{
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    return __builtin_bswap32(x);
}

static inline u64 bitrev64(u64 x)
{
    return (u64)bitrev32((u32)x) << 32 | bitrev32((u32)(x >> 32));
}

#endif
