/* intrinsics.c -- functions that are an instruction or a few (see intrinsics.h) */
#include "toolkit/math/intrinsics.h"

#ifdef __NVPTX__

#define bitrev32 __builtin_bitreverse32
#define bitrev64 __builtin_bitreverse64

/* clang 14 makes conversions to nearest of its builtins for these: it takes .rz for C's own. */
#define INTRIN_ASM_FROM_INT(name, R, A, type, out, in)                                             \
    MATH R intrin_##name(A a)                                                                      \
    {                                                                                              \
        R r;                                                                                       \
                                                                                                   \
        __asm__("cvt.rz." type " %0, %1;" : out(r) : in(a));                                       \
        return r;                                                                                  \
    }

INTRIN_ASM_FROM_INT(i2f_rz, f32, s32, "f32.s32", "=f", "r")
INTRIN_ASM_FROM_INT(ui2f_rz, f32, u32, "f32.u32", "=f", "r")
INTRIN_ASM_FROM_INT(ll2f_rz, f32, s64, "f32.s64", "=f", "l")
INTRIN_ASM_FROM_INT(ull2f_rz, f32, u64, "f32.u64", "=f", "l")
INTRIN_ASM_FROM_INT(ll2d_rz, f64, s64, "f64.s64", "=d", "l")
INTRIN_ASM_FROM_INT(ull2d_rz, f64, u64, "f64.u64", "=d", "l")
#define __nvvm_i2f_rz intrin_i2f_rz
#define __nvvm_ui2f_rz intrin_ui2f_rz
#define __nvvm_ll2f_rz intrin_ll2f_rz
#define __nvvm_ull2f_rz intrin_ull2f_rz
#define __nvvm_ll2d_rz intrin_ll2d_rz
#define __nvvm_ull2d_rz intrin_ull2d_rz

#else
#include "toolkit/math/intrinsics_host.h"
#endif

/* --- arithmetic ------------------------------------------------------------------------------ */

#define INTRIN_UNARY(fn, op, T, t)                                                                 \
    MATH_API T fn##_rn(T a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rn_##t(a);                                                            \
    }                                                                                              \
    MATH_API T fn##_rz(T a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rz_##t(a);                                                            \
    }                                                                                              \
    MATH_API T fn##_rd(T a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rm_##t(a);                                                            \
    }                                                                                              \
    MATH_API T fn##_ru(T a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rp_##t(a);                                                            \
    }

/* sign: what stands before b, + or - */
#define INTRIN_BINARY(fn, op, sign, T, t)                                                          \
    MATH_API T fn##_rn(T a, T b)                                                                   \
    {                                                                                              \
        return __nvvm_##op##_rn_##t(a, sign b);                                                    \
    }                                                                                              \
    MATH_API T fn##_rz(T a, T b)                                                                   \
    {                                                                                              \
        return __nvvm_##op##_rz_##t(a, sign b);                                                    \
    }                                                                                              \
    MATH_API T fn##_rd(T a, T b)                                                                   \
    {                                                                                              \
        return __nvvm_##op##_rm_##t(a, sign b);                                                    \
    }                                                                                              \
    MATH_API T fn##_ru(T a, T b)                                                                   \
    {                                                                                              \
        return __nvvm_##op##_rp_##t(a, sign b);                                                    \
    }

#define INTRIN_TERNARY(fn, op, T, t)                                                               \
    MATH_API T fn##_rn(T a, T b, T c)                                                              \
    {                                                                                              \
        return __nvvm_##op##_rn_##t(a, b, c);                                                      \
    }                                                                                              \
    MATH_API T fn##_rz(T a, T b, T c)                                                              \
    {                                                                                              \
        return __nvvm_##op##_rz_##t(a, b, c);                                                      \
    }                                                                                              \
    MATH_API T fn##_rd(T a, T b, T c)                                                              \
    {                                                                                              \
        return __nvvm_##op##_rm_##t(a, b, c);                                                      \
    }                                                                                              \
    MATH_API T fn##_ru(T a, T b, T c)                                                              \
    {                                                                                              \
        return __nvvm_##op##_rp_##t(a, b, c);                                                      \
    }

INTRIN_BINARY(__nv_fadd, add, +, f32, f)
INTRIN_BINARY(__nv_fsub, add, -, f32, f)
INTRIN_BINARY(__nv_fmul, mul, +, f32, f)
INTRIN_BINARY(__nv_fdiv, div, +, f32, f)
INTRIN_UNARY(__nv_frcp, rcp, f32, f)
INTRIN_UNARY(__nv_fsqrt, sqrt, f32, f)
INTRIN_TERNARY(__nv_fmaf, fma, f32, f)
INTRIN_TERNARY(__nv_fmaf_ieee, fma, f32, f)
INTRIN_BINARY(__nv_dadd, add, +, f64, d)
INTRIN_BINARY(__nv_dsub, add, -, f64, d)
INTRIN_BINARY(__nv_dmul, mul, +, f64, d)
INTRIN_BINARY(__nv_ddiv, div, +, f64, d)
INTRIN_UNARY(__nv_drcp, rcp, f64, d)
INTRIN_UNARY(__nv_dsqrt, sqrt, f64, d)
INTRIN_TERNARY(__nv_fma, fma, f64, d)

MATH_API f32 __nv_fmaf(f32 a, f32 b, f32 c)
{
    return fma32(a, b, c);
}

MATH_API f64 __nv_fma(f64 a, f64 b, f64 c)
{
    return fma64(a, b, c);
}

/*
 * One step on the machine's approximation y: with e = 1 - a y^2, taken from the exact product a y =
 * p + low, the root is y (1 - e)^(-1/2) = y + y/2 (e + 3/4 e^2 + ..).  This rounds correctly: tried
 * for all floats of two binades, the rest being their multiples.
 */
MATH_API f32 __nv_frsqrt_rn(f32 a)
{
    f32 y = rsqrt_approx(a), p = mul32(a, y), low = fma32(a, y, -p);
    f32 e = fma32(-low, y, fma32(-p, y, 1.0f));
    f32 r = fma32(mul32(y, 0.5f), fma32(mul32(e, 0.75f), e, e), y);

    return a > 0.0f && a < __builtin_inff() ? r : y;
}

MATH_API f32 __nv_saturatef(f32 a)
{
    return __nvvm_saturate_f(a);
}

MATH_API f64 __nv_rcp64h(f64 a)
{
    return __nvvm_rcp_approx_ftz_d(a);
}

/* --- conversions ----------------------------------------------------------------------------- */

#define INTRIN_CONVERT(fn, op, R, A)                                                               \
    MATH_API R fn##_rn(A a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rn(a);                                                                \
    }                                                                                              \
    MATH_API R fn##_rz(A a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rz(a);                                                                \
    }                                                                                              \
    MATH_API R fn##_rd(A a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rm(a);                                                                \
    }                                                                                              \
    MATH_API R fn##_ru(A a)                                                                        \
    {                                                                                              \
        return __nvvm_##op##_rp(a);                                                                \
    }

INTRIN_CONVERT(__nv_float2int, f2i, s32, f32)
INTRIN_CONVERT(__nv_float2uint, f2ui, u32, f32)
INTRIN_CONVERT(__nv_float2ll, f2ll, s64, f32)
INTRIN_CONVERT(__nv_float2ull, f2ull, u64, f32)
INTRIN_CONVERT(__nv_double2int, d2i, s32, f64)
INTRIN_CONVERT(__nv_double2uint, d2ui, u32, f64)
INTRIN_CONVERT(__nv_double2ll, d2ll, s64, f64)
INTRIN_CONVERT(__nv_double2ull, d2ull, u64, f64)
INTRIN_CONVERT(__nv_double2float, d2f, f32, f64)
INTRIN_CONVERT(__nv_int2float, i2f, f32, s32)
INTRIN_CONVERT(__nv_uint2float, ui2f, f32, u32)
INTRIN_CONVERT(__nv_ll2float, ll2f, f32, s64)
INTRIN_CONVERT(__nv_ull2float, ull2f, f32, u64)
INTRIN_CONVERT(__nv_ll2double, ll2d, f64, s64)
INTRIN_CONVERT(__nv_ull2double, ull2d, f64, u64)

MATH_API f64 __nv_int2double_rn(s32 a)
{
    return a;
}

MATH_API f64 __nv_uint2double_rn(u32 a)
{
    return a;
}

/*
 * To nearest even: the fraction is cut at 13 bits, or where that of a subnormal ends.
 * MODEL: cvt.rn.f16.f32 does this in one instruction, but the simulator has no 16-bit floats.
 */
MATH_API u16 __nv_float2half_rn(f32 a)
{
    u32 b = bits32(a), sign = b >> 16 & 0x8000, mag = b & 0x7fffffff;
    u32 h = ((mag + 0xfff + (mag >> 13 & 1)) >> 13) - (112 << 10);

    if (mag < 0x38800000) /* below 2^-14: adding 1/2 leaves units of 2^-24 */
        h = bits32(add32(flt32(mag), 0.5f)) - 0x3f000000;
    h = mag >= 0x477ff000 ? 0x7c00 : h; /* from 65520 on */
    return mag > 0x7f800000 ? 0x7fff : (u16)(sign | h);
}

/* The exponent is moved up by 112 by a product, which takes care of subnormals as well. */
MATH_API f32 __nv_half2float(u16 h)
{
    u32 sign = (u32)(h & 0x8000) << 16, mag = h & 0x7fff;
    u32 b = bits32(mul32(flt32(mag << 13), 0x1p112f));

    b = mag >= 0x7c00 ? 0x7f800000 | mag << 13 : b;
    return flt32(sign | b);
}

MATH_API s32 __nv_float_as_int(f32 a)
{
    return (s32)bits32(a);
}

MATH_API u32 __nv_float_as_uint(f32 a)
{
    return bits32(a);
}

MATH_API f32 __nv_int_as_float(s32 a)
{
    return flt32((u32)a);
}

MATH_API f32 __nv_uint_as_float(u32 a)
{
    return flt32(a);
}

MATH_API u64 __nv_double_as_longlong(f64 a)
{
    return bits64(a);
}

MATH_API f64 __nv_longlong_as_double(s64 a)
{
    return flt64((u64)a);
}

MATH_API s32 __nv_double2hiint(f64 a)
{
    return (s32)(bits64(a) >> 32);
}

MATH_API s32 __nv_double2loint(f64 a)
{
    return (s32)bits64(a);
}

MATH_API f64 __nv_hiloint2double(s32 hi, s32 lo)
{
    return flt64((u64)(u32)hi << 32 | (u32)lo);
}

/* --- integers -------------------------------------------------------------------------------- */

/* The most negative number is its own absolute value. */
MATH_API s32 __nv_abs(s32 a)
{
    return a < 0 ? (s32)(0 - (u32)a) : a;
}

MATH_API s64 __nv_llabs(s64 a)
{
    return a < 0 ? (s64)(0 - (u64)a) : a;
}

#define INTRIN_ORDER(max, min, T)                                                                  \
    MATH_API T max(T a, T b)                                                                       \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    MATH_API T min(T a, T b)                                                                       \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }

INTRIN_ORDER(__nv_max, __nv_min, s32)
INTRIN_ORDER(__nv_umax, __nv_umin, u32)
INTRIN_ORDER(__nv_llmax, __nv_llmin, s64)
INTRIN_ORDER(__nv_ullmax, __nv_ullmin, u64)

MATH_API s32 __nv_brev(s32 a)
{
    return (s32)bitrev32((u32)a);
}

MATH_API s64 __nv_brevll(s64 a)
{
    return (s64)bitrev64((u64)a);
}

MATH_API s32 __nv_clz(s32 a)
{
    return a ? __builtin_clz((u32)a) : 32;
}

MATH_API s32 __nv_clzll(s64 a)
{
    return a ? __builtin_clzll((u64)a) : 64;
}

MATH_API s32 __nv_ffs(s32 a)
{
    return __builtin_ffs(a);
}

MATH_API s32 __nv_ffsll(s64 a)
{
    return __builtin_ffsll(a);
}

MATH_API s32 __nv_popc(s32 a)
{
    return __builtin_popcount((u32)a);
}

MATH_API s32 __nv_popcll(s64 a)
{
    return __builtin_popcountll((u64)a);
}

MATH_API s32 __nv_byte_perm(s32 a, s32 b, s32 sel)
{
    return (s32)__nvvm_prmt((u32)a, (u32)b, (u32)sel);
}

MATH_API s32 __nv_mul24(s32 a, s32 b)
{
    return __nvvm_mul24_i(a, b);
}

MATH_API u32 __nv_umul24(u32 a, u32 b)
{
    return __nvvm_mul24_ui(a, b);
}

MATH_API s32 __nv_mulhi(s32 a, s32 b)
{
    return __nvvm_mulhi_i(a, b);
}

MATH_API u32 __nv_umulhi(u32 a, u32 b)
{
    return __nvvm_mulhi_ui(a, b);
}

MATH_API s64 __nv_mul64hi(s64 a, s64 b)
{
    return __nvvm_mulhi_ll(a, b);
}

MATH_API u64 __nv_umul64hi(u64 a, u64 b)
{
    return __nvvm_mulhi_ull(a, b);
}

MATH_API s32 __nv_sad(s32 a, s32 b, s32 c)
{
    return __nvvm_sad_i(a, b, c);
}

MATH_API u32 __nv_usad(u32 a, u32 b, u32 c)
{
    return __nvvm_sad_ui(a, b, c);
}

/* (a + b) / 2 without the carry: what both have, and half of what one has. */
MATH_API s32 __nv_hadd(s32 a, s32 b)
{
    return (a & b) + ((a ^ b) >> 1);
}

MATH_API s32 __nv_rhadd(s32 a, s32 b)
{
    return (a | b) - ((a ^ b) >> 1);
}

MATH_API s32 __nv_uhadd(u32 a, u32 b)
{
    return (s32)((a & b) + ((a ^ b) >> 1));
}

MATH_API u32 __nv_urhadd(u32 a, u32 b)
{
    return (a | b) - ((a ^ b) >> 1);
}
