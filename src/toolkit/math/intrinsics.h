/*
 * intrinsics.h -- the functions of the library that are one instruction, or nearly so.
 *
 * Arithmetic rounded in a given direction, conversions, bit patterns, integers, and integers of 16
 * or 8 bits in the parts of a word.  Names and meaning are CUDA's (CUDA Math API: "Single Precision
 * Intrinsics", "Type Casting Intrinsics", "Integer Intrinsics", "SIMD Intrinsics").
 *
 * _rn _rz _rd _ru: to nearest even, to zero, down, up.
 */
#ifndef RT_MATH_INTRINSICS_H
#define RT_MATH_INTRINSICS_H

#include "toolkit/math/math.h"

#ifdef __NVPTX__
typedef unsigned short u16;
#endif

#define INTRIN_ROUND1(fn, R, A)                                                                    \
    R fn##_rn(A a);                                                                                \
    R fn##_rz(A a);                                                                                \
    R fn##_rd(A a);                                                                                \
    R fn##_ru(A a);
#define INTRIN_ROUND2(fn, T)                                                                       \
    T fn##_rn(T a, T b);                                                                           \
    T fn##_rz(T a, T b);                                                                           \
    T fn##_rd(T a, T b);                                                                           \
    T fn##_ru(T a, T b);
#define INTRIN_ROUND3(fn, T)                                                                       \
    T fn##_rn(T a, T b, T c);                                                                      \
    T fn##_rz(T a, T b, T c);                                                                      \
    T fn##_rd(T a, T b, T c);                                                                      \
    T fn##_ru(T a, T b, T c);

/* --- arithmetic ------------------------------------------------------------------------------ */

INTRIN_ROUND2(__nv_fadd, f32)
INTRIN_ROUND2(__nv_fsub, f32)
INTRIN_ROUND2(__nv_fmul, f32)
INTRIN_ROUND2(__nv_fdiv, f32)
INTRIN_ROUND1(__nv_frcp, f32, f32)
INTRIN_ROUND1(__nv_fsqrt, f32, f32)
INTRIN_ROUND3(__nv_fmaf, f32)
INTRIN_ROUND3(__nv_fmaf_ieee, f32) /* subnormals stay, whatever the program is compiled with */
INTRIN_ROUND2(__nv_dadd, f64)
INTRIN_ROUND2(__nv_dsub, f64)
INTRIN_ROUND2(__nv_dmul, f64)
INTRIN_ROUND2(__nv_ddiv, f64)
INTRIN_ROUND1(__nv_drcp, f64, f64)
INTRIN_ROUND1(__nv_dsqrt, f64, f64)
INTRIN_ROUND3(__nv_fma, f64)

f32 __nv_fmaf(f32 a, f32 b, f32 c);
f64 __nv_fma(f64 a, f64 b, f64 c);
f32 __nv_frsqrt_rn(f32 a);
f32 __nv_saturatef(f32 a); /* to [0, 1]; NaN to 0 */
f64 __nv_rcp64h(f64 a);    /* 1/a to 20 bits */

/* --- conversions ----------------------------------------------------------------------------- */

INTRIN_ROUND1(__nv_float2int, s32, f32)
INTRIN_ROUND1(__nv_float2uint, u32, f32)
INTRIN_ROUND1(__nv_float2ll, s64, f32)
INTRIN_ROUND1(__nv_float2ull, u64, f32)
INTRIN_ROUND1(__nv_double2int, s32, f64)
INTRIN_ROUND1(__nv_double2uint, u32, f64)
INTRIN_ROUND1(__nv_double2ll, s64, f64)
INTRIN_ROUND1(__nv_double2ull, u64, f64)
INTRIN_ROUND1(__nv_double2float, f32, f64)
INTRIN_ROUND1(__nv_int2float, f32, s32)
INTRIN_ROUND1(__nv_uint2float, f32, u32)
INTRIN_ROUND1(__nv_ll2float, f32, s64)
INTRIN_ROUND1(__nv_ull2float, f32, u64)
INTRIN_ROUND1(__nv_ll2double, f64, s64)
INTRIN_ROUND1(__nv_ull2double, f64, u64)
f64 __nv_int2double_rn(s32 a);
f64 __nv_uint2double_rn(u32 a);

u16 __nv_float2half_rn(f32 a);
f32 __nv_half2float(u16 h);

/* The bits as they are. */
s32 __nv_float_as_int(f32 a);
u32 __nv_float_as_uint(f32 a);
f32 __nv_int_as_float(s32 a);
f32 __nv_uint_as_float(u32 a);
u64 __nv_double_as_longlong(f64 a);
f64 __nv_longlong_as_double(s64 a);
s32 __nv_double2hiint(f64 a);
s32 __nv_double2loint(f64 a);
f64 __nv_hiloint2double(s32 hi, s32 lo);

/* --- integers -------------------------------------------------------------------------------- */

s32 __nv_abs(s32 a);
s64 __nv_llabs(s64 a);
s32 __nv_max(s32 a, s32 b);
s32 __nv_min(s32 a, s32 b);
u32 __nv_umax(u32 a, u32 b);
u32 __nv_umin(u32 a, u32 b);
s64 __nv_llmax(s64 a, s64 b);
s64 __nv_llmin(s64 a, s64 b);
u64 __nv_ullmax(u64 a, u64 b);
u64 __nv_ullmin(u64 a, u64 b);
s32 __nv_brev(s32 a);
s64 __nv_brevll(s64 a);
s32 __nv_clz(s32 a);
s32 __nv_clzll(s64 a);
s32 __nv_ffs(s32 a);
s32 __nv_ffsll(s64 a);
s32 __nv_popc(s32 a);
s32 __nv_popcll(s64 a);
s32 __nv_byte_perm(s32 a, s32 b, s32 sel);
s32 __nv_mul24(s32 a, s32 b);
u32 __nv_umul24(u32 a, u32 b);
s32 __nv_mulhi(s32 a, s32 b);
u32 __nv_umulhi(u32 a, u32 b);
s64 __nv_mul64hi(s64 a, s64 b);
u64 __nv_umul64hi(u64 a, u64 b);
s32 __nv_sad(s32 a, s32 b, s32 c);
u32 __nv_usad(u32 a, u32 b, u32 c);
s32 __nv_hadd(s32 a, s32 b);
s32 __nv_rhadd(s32 a, s32 b);
s32 __nv_uhadd(u32 a, u32 b);
u32 __nv_urhadd(u32 a, u32 b);

/* --- parts of words -------------------------------------------------------------------------- */

/* Each with 2 parts of 16 bits and 4 parts of 8.  s: signed, u: unsigned, ss, us: saturating. */
#define INTRIN_PARTS1(fn)                                                                          \
    s32 fn##2(s32 a);                                                                              \
    s32 fn##4(s32 a);
#define INTRIN_PARTS2(fn)                                                                          \
    s32 fn##2(s32 a, s32 b);                                                                       \
    s32 fn##4(s32 a, s32 b);
/* cmp: all ones or zero in each part; set: one or zero. */
#define INTRIN_COMPARE(rel)                                                                        \
    INTRIN_PARTS2(__nv_vcmp##rel)                                                                  \
    INTRIN_PARTS2(__nv_vset##rel)

INTRIN_PARTS1(__nv_vabs)
INTRIN_PARTS1(__nv_vabsss)
INTRIN_PARTS1(__nv_vneg)
INTRIN_PARTS1(__nv_vnegss)
INTRIN_PARTS2(__nv_vadd)
INTRIN_PARTS2(__nv_vaddss)
INTRIN_PARTS2(__nv_vaddus)
INTRIN_PARTS2(__nv_vsub)
INTRIN_PARTS2(__nv_vsubss)
INTRIN_PARTS2(__nv_vsubus)
INTRIN_PARTS2(__nv_vabsdiffs)
INTRIN_PARTS2(__nv_vabsdiffu)
INTRIN_PARTS2(__nv_vavgs) /* rounded up */
INTRIN_PARTS2(__nv_vavgu)
INTRIN_PARTS2(__nv_vhaddu) /* rounded down */
INTRIN_PARTS2(__nv_vmaxs)
INTRIN_PARTS2(__nv_vmaxu)
INTRIN_PARTS2(__nv_vmins)
INTRIN_PARTS2(__nv_vminu)
INTRIN_PARTS2(__nv_vsads) /* the sum of the absolute differences, one word */
INTRIN_PARTS2(__nv_vsadu)
INTRIN_COMPARE(eq)
INTRIN_COMPARE(ne)
INTRIN_COMPARE(ges)
INTRIN_COMPARE(geu)
INTRIN_COMPARE(gts)
INTRIN_COMPARE(gtu)
INTRIN_COMPARE(les)
INTRIN_COMPARE(leu)
INTRIN_COMPARE(lts)
INTRIN_COMPARE(ltu)

#endif
