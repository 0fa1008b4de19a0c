/*
 * intrinsics_parts.c -- integers of 16 or 8 bits in the parts of a word (see intrinsics.h).
 *
 * A function of parts is one of numbers: its parts are taken out with or without their sign,
 * computed in 32 bits, clamped where the name says so, and the low bits put back.
 */
#include "toolkit/math/intrinsics.h"

MATH s32 parts_s(s32 word, u32 width, u32 i)
{
    return (s32)((u32)word << (32 - width * (i + 1))) >> (32 - width);
}

MATH s32 parts_u(s32 word, u32 width, u32 i)
{
    return (s32)((u32)word << (32 - width * (i + 1)) >> (32 - width));
}

MATH s32 parts_clamp(s32 v, s32 lo, s32 hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

/* Greatest and least of a part; W is its width. */
#define PARTS_SMAX(W) ((1 << (W - 1)) - 1)
#define PARTS_SMIN(W) (-(1 << (W - 1)))
#define PARTS_UMAX(W) ((1 << W) - 1)

/* Does step for the parts x and y of a and b, with or without sign as get says. */
#define PARTS_FOR(n, W, get, step)                                                                 \
    for (u32 i = 0; i < n; i++) {                                                                  \
        s32 x = get(a, W, i), y = get(b, W, i);                                                    \
                                                                                                   \
        step;                                                                                      \
    }

#define PARTS_PUT(W, value) r |= ((u32)(value) & (u32)PARTS_UMAX(W)) << W * i

/* e2 and e4 are the expression for parts of 16 and of 8 bits. */
#define PARTS_BOTH(fn, get, e2, e4)                                                                \
    MATH_API s32 fn##2(s32 a, s32 b)                                                               \
    {                                                                                              \
        u32 r = 0;                                                                                 \
                                                                                                   \
        PARTS_FOR(2, 16, get, PARTS_PUT(16, e2));                                                  \
        return (s32)r;                                                                             \
    }                                                                                              \
    MATH_API s32 fn##4(s32 a, s32 b)                                                               \
    {                                                                                              \
        u32 r = 0;                                                                                 \
                                                                                                   \
        PARTS_FOR(4, 8, get, PARTS_PUT(8, e4));                                                    \
        return (s32)r;                                                                             \
    }

#define PARTS_SAME2(fn, get, e) PARTS_BOTH(fn, get, e, e)
#define PARTS_CLAMP_S(W, e) parts_clamp(e, PARTS_SMIN(W), PARTS_SMAX(W))
#define PARTS_CLAMP_U(W, e) parts_clamp(e, 0, PARTS_UMAX(W))

PARTS_SAME2(__nv_vadd, parts_u, x + y)
PARTS_BOTH(__nv_vaddss, parts_s, PARTS_CLAMP_S(16, x + y), PARTS_CLAMP_S(8, x + y))
PARTS_BOTH(__nv_vaddus, parts_u, PARTS_CLAMP_U(16, x + y), PARTS_CLAMP_U(8, x + y))
PARTS_SAME2(__nv_vsub, parts_u, x - y)
PARTS_BOTH(__nv_vsubss, parts_s, PARTS_CLAMP_S(16, x - y), PARTS_CLAMP_S(8, x - y))
PARTS_BOTH(__nv_vsubus, parts_u, PARTS_CLAMP_U(16, x - y), PARTS_CLAMP_U(8, x - y))
PARTS_SAME2(__nv_vabsdiffs, parts_s, x < y ? y - x : x - y)
PARTS_SAME2(__nv_vabsdiffu, parts_u, x < y ? y - x : x - y)
PARTS_SAME2(__nv_vavgs, parts_s,
            (x + y + (x + y >= 0)) >> 1) /* as PTX's vavrg: a half away from 0 */
PARTS_SAME2(__nv_vavgu, parts_u, (x + y + 1) >> 1)
PARTS_SAME2(__nv_vhaddu, parts_u, (x + y) >> 1)
PARTS_SAME2(__nv_vmaxs, parts_s, x > y ? x : y)
PARTS_SAME2(__nv_vmaxu, parts_u, x > y ? x : y)
PARTS_SAME2(__nv_vmins, parts_s, x < y ? x : y)
PARTS_SAME2(__nv_vminu, parts_u, x < y ? x : y)

#define PARTS_SUM2(fn, get)                                                                        \
    MATH_API s32 fn##2(s32 a, s32 b)                                                               \
    {                                                                                              \
        u32 r = 0;                                                                                 \
                                                                                                   \
        PARTS_FOR(2, 16, get, r += (u32)(x < y ? y - x : x - y));                                  \
        return (s32)r;                                                                             \
    }                                                                                              \
    MATH_API s32 fn##4(s32 a, s32 b)                                                               \
    {                                                                                              \
        u32 r = 0;                                                                                 \
                                                                                                   \
        PARTS_FOR(4, 8, get, r += (u32)(x < y ? y - x : x - y));                                   \
        return (s32)r;                                                                             \
    }

PARTS_SUM2(__nv_vsads, parts_s)
PARTS_SUM2(__nv_vsadu, parts_u)

#define PARTS_COMPARE(rel, get, op)                                                                \
    PARTS_SAME2(__nv_vcmp##rel, get, -(x op y))                                                    \
    PARTS_SAME2(__nv_vset##rel, get, x op y)

PARTS_COMPARE(eq, parts_u, ==)
PARTS_COMPARE(ne, parts_u, !=)
PARTS_COMPARE(ges, parts_s, >=)
PARTS_COMPARE(geu, parts_u, >=)
PARTS_COMPARE(gts, parts_s, >)
PARTS_COMPARE(gtu, parts_u, >)
PARTS_COMPARE(les, parts_s, <=)
PARTS_COMPARE(leu, parts_u, <=)
PARTS_COMPARE(lts, parts_s, <)
PARTS_COMPARE(ltu, parts_u, <)

#define PARTS_ONE_WORD(n)                                                                          \
    MATH_API s32 __nv_vneg##n(s32 a)                                                               \
    {                                                                                              \
        return __nv_vsub##n(0, a);                                                                 \
    }                                                                                              \
    MATH_API s32 __nv_vnegss##n(s32 a)                                                             \
    {                                                                                              \
        return __nv_vsubss##n(0, a);                                                               \
    }                                                                                              \
    MATH_API s32 __nv_vabs##n(s32 a)                                                               \
    {                                                                                              \
        return __nv_vabsdiffs##n(a, 0);                                                            \
    }                                                                                              \
    MATH_API s32 __nv_vabsss##n(s32 a)                                                             \
    {                                                                                              \
        return __nv_vmaxs##n(a, __nv_vnegss##n(a));                                                \
    }

PARTS_ONE_WORD(2)
PARTS_ONE_WORD(4)
