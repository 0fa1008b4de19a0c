/* t_math_parts.c -- functions on the parts of words against arrays of small integers */
#include "toolkit/math/intrinsics.h"
#include "tests/props/math_test.h"

/* An array of the parts of a word. */
union parts {
    u32 all;
    s16 s2[2];
    u16 u2[2];
    s8 s4[4];
    u8 u4[4];
};

static s32 least(s32 a, s32 b)
{
    return a < b ? a : b;
}

static s32 clamp(s32 v, s32 lo, s32 hi)
{
    return v < lo ? lo : least(v, hi);
}

/* Each part of r from x and y, the parts of the two words; as T, the member of the union. */
#define WANT_PARTS(fn, n, T, expr)                                                                 \
    static u64 want_##fn(const u64 *a)                                                             \
    {                                                                                              \
        union parts p = {(u32)a[0]}, q = {(u32)a[1]}, r = {0};                                     \
                                                                                                   \
        for (u32 i = 0; i < n; i++) {                                                              \
            s64 x = p.T[i], y = q.T[i];                                                            \
                                                                                                   \
            (void)y;                                                                               \
            r.T[i] = (__typeof__(r.T[0]))(expr);                                                   \
        }                                                                                          \
        return r.all;                                                                              \
    }

#define WANT_S(fn, expr)                                                                           \
    WANT_PARTS(fn##2, 2, s2, expr)                                                                 \
    WANT_PARTS(fn##4, 4, s4, expr)
#define WANT_U(fn, expr)                                                                           \
    WANT_PARTS(fn##2, 2, u2, expr)                                                                 \
    WANT_PARTS(fn##4, 4, u4, expr)
#define WANT_SS(fn, expr)                                                                          \
    WANT_PARTS(fn##2, 2, s2, clamp((s32)(expr), -32768, 32767))                                    \
    WANT_PARTS(fn##4, 4, s4, clamp((s32)(expr), -128, 127))
#define WANT_US(fn, expr)                                                                          \
    WANT_PARTS(fn##2, 2, u2, clamp((s32)(expr), 0, 65535))                                         \
    WANT_PARTS(fn##4, 4, u4, clamp((s32)(expr), 0, 255))

WANT_S(vabs, llabs(x))
WANT_SS(vabsss, llabs(x))
WANT_S(vneg, -x)
WANT_SS(vnegss, -x)
WANT_U(vadd, x + y)
WANT_SS(vaddss, x + y)
WANT_US(vaddus, x + y)
WANT_U(vsub, x - y)
WANT_SS(vsubss, x - y)
WANT_US(vsubus, x - y)
WANT_S(vabsdiffs, llabs(x - y))
WANT_U(vabsdiffu, llabs(x - y))
WANT_S(vavgs, lround((f64)(x + y) / 2)) /* halves away from zero: PTX ISA, vavrg2 */
WANT_U(vavgu, lround((f64)(x + y) / 2))
WANT_U(vhaddu, (x + y) / 2)
WANT_S(vmaxs, fmax((f64)x, (f64)y))
WANT_U(vmaxu, fmax((f64)x, (f64)y))
WANT_S(vmins, fmin((f64)x, (f64)y))
WANT_U(vminu, fmin((f64)x, (f64)y))

#define WANT_COMPARE(rel, SU, op)                                                                  \
    WANT_##SU(vcmp##rel, x op y ? -1 : 0) WANT_##SU(vset##rel, x op y ? 1 : 0)

WANT_COMPARE(eq, U, ==)
WANT_COMPARE(ne, U, !=)
WANT_COMPARE(ges, S, >=)
WANT_COMPARE(geu, U, >=)
WANT_COMPARE(gts, S, >)
WANT_COMPARE(gtu, U, >)
WANT_COMPARE(les, S, <=)
WANT_COMPARE(leu, U, <=)
WANT_COMPARE(lts, S, <)
WANT_COMPARE(ltu, U, <)

#define WANT_SAD(fn, n, T)                                                                         \
    static u64 want_##fn(const u64 *a)                                                             \
    {                                                                                              \
        union parts p = {(u32)a[0]}, q = {(u32)a[1]};                                              \
        u32 sum = 0;                                                                               \
                                                                                                   \
        for (u32 i = 0; i < n; i++)                                                                \
            sum += (u32)abs(p.T[i] - q.T[i]);                                                      \
        return sum;                                                                                \
    }

WANT_SAD(vsads2, 2, s2)
WANT_SAD(vsads4, 4, s4)
WANT_SAD(vsadu2, 2, u2)
WANT_SAD(vsadu4, 4, u4)

/* Parts that are equal, neighbours, or at the ends of their range are common. */
static u64 gen_parts(u64 *rng, const u64 *arg, u32 j)
{
    static const u8 end[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe};
    union parts w = {(u32)(j ? arg[0] : math_rand(rng))};

    for (u32 i = 0; i < 4; i++) {
        u64 r = math_rand(rng);

        if (r & 1)
            w.u4[i] = end[(r >> 8) % LEN(end)];
        else if (r & 2)
            w.u4[i] = (u8)(r >> 8);
    }
    return w.all;
}

#define MATH_LIST "tests/props/math_parts.inc"
#include "tests/props/math_main.h"
