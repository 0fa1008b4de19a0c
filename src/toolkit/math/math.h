/*
 * math.h -- what the device math library is built on.
 *
 * The library is the set of functions __nv_sinf, __nv_exp, .. that clang's CUDA headers call
 * for sinf, exp, ..  Its C sources are compiled twice: by clang for the device, into a bitcode
 * file that `smelt cc` links into every kernel, and by the host's compiler for the tests.  Both
 * give the same bits, because all arithmetic is IEEE and nothing is left to contraction:
 *
 *   - a*b+c is written mul32/mul64 and a sum where it must round twice and fma32/fma64 where once
 *     (a plain `a * b + c` may be fused on the device, depending on the options of the program);
 *   - approximations (ex2_approx, ..) are the machine's instructions, on the host those of
 *     exec/approx.h;
 *   - no libm, no tables in memory that a thread would have to load without need.
 *
 * Kernels pay for every instruction here, in time and energy: code is as short as the accuracy
 * that CUDA documents allows, and rare cases (huge arguments) stand in functions of their own.
 */
#ifndef RT_MATH_MATH_H
#define RT_MATH_MATH_H

typedef float f32;
typedef double f64;

#ifdef __NVPTX__

typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;

#define MATH static inline __attribute__((always_inline)) /* a helper */
#define MATH_API __attribute__((always_inline))           /* a function of the library */
#define MATH_RARE static __attribute__((noinline))        /* a slow path: called, not copied */

#define fma32 __nvvm_fma_rn_f
#define fma64 __nvvm_fma_rn_d
#define add32 __nvvm_add_rn_f
#define add64 __nvvm_add_rn_d
#define div32 __nvvm_div_rn_f
#define div64 __nvvm_div_rn_d
#define rcp32 __nvvm_rcp_rn_f
#define rcp64 __nvvm_rcp_rn_d
#define sqrt32 __nvvm_sqrt_rn_f
#define sqrt64 __nvvm_sqrt_rn_d
#define ex2_approx __nvvm_ex2_approx_f
#define lg2_approx __nvvm_lg2_approx_f
#define sin_approx __nvvm_sin_approx_f
#define cos_approx __nvvm_cos_approx_f
#define rsqrt_approx __nvvm_rsqrt_approx_f
#define sqrt_approx __nvvm_sqrt_approx_f
#define div_approx __nvvm_div_approx_f
#define rsqrt64_approx __nvvm_rsqrt_approx_d
#define rint32 __builtin_rintf /* to nearest even: cvt.rni */
#define rint64 __builtin_rint
#define trunc32 __nvvm_trunc_f
#define trunc64 __nvvm_trunc_d
#define floor32 __nvvm_floor_f
#define floor64 __nvvm_floor_d
#define ceil32 __nvvm_ceil_f
#define ceil64 __nvvm_ceil_d
#define abs32 __nvvm_fabs_f
#define abs64 __nvvm_fabs_d
#define min32 __nvvm_fmin_f
#define min64 __nvvm_fmin_d
#define max32 __nvvm_fmax_f
#define max64 __nvvm_fmax_d
#define mulhi_u32 __nvvm_mulhi_ui
#define mulhi_u64 __nvvm_mulhi_ull
#define hi64 __nvvm_d2i_hi /* a double's words, as s32 */
#define lo64 __nvvm_d2i_lo
#define join64(hi, lo) __nvvm_lohi_i2d((s32)(lo), (s32)(hi))
#define d2ll_rn __nvvm_d2ll_rn /* saturating, NaN is the least s64: cvt.rni.s64.f64 */
#define d2ll_rz __nvvm_d2ll_rz
#define clz64 __builtin_clzll                                     /* of what is not 0 */
#define MATH_TABLE static const __attribute__((address_space(4))) /* constant memory */

/*
 * LLVM takes the nvvm forms of add and mul for plain + and *, and fuses those: only as text is a
 * product safe.  A constant operand costs a mov here; where nothing is added to the product, or it
 * is exact, a plain * is as good.
 */
MATH f32 mul32(f32 a, f32 b)
{
    f32 r;

    __asm__("mul.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}

/*
 * Nor is this sum fused with a product that the program passed as an argument, or rearranged in a
 * program compiled with -ffast-math.
 */
MATH f32 sum32(f32 a, f32 b)
{
    f32 r;

    __asm__("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}

/* And this quotient does not become an approximation there. */
MATH f32 quot32(f32 a, f32 b)
{
    f32 r;

    __asm__("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}

MATH f64 mul64(f64 a, f64 b)
{
    f64 r;

    __asm__("mul.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
    return r;
}

/* 1/sqrt(x) to 21 bits: the low word is zero. */
MATH f64 rsqrt64_guess(f64 x)
{
    f64 r;

    __asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    return r;
}

MATH f32 rcp_approx(f32 x)
{
    f32 r;

    __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

#else
#include "toolkit/math/math_host.h"
#endif

MATH u32 bits32(f32 x)
{
    union {
        f32 f;
        u32 u;
    } v = {x};

    return v.u;
}

MATH f32 flt32(u32 b)
{
    union {
        u32 u;
        f32 f;
    } v = {b};

    return v.f;
}

MATH u64 bits64(f64 x)
{
    union {
        f64 f;
        u64 u;
    } v = {x};

    return v.u;
}

MATH f64 flt64(u64 b)
{
    union {
        u64 u;
        f64 f;
    } v = {b};

    return v.f;
}

#endif
