/*
 * cutil_math.h -- arithmetic on short vectors, component by component, as the SDK's header has it.
 *
 *     float2 float3 float4     + - * / with each other and with a float, dot, length, normalize,
 *                              lerp, clamp, min, max, floor, frac, fmod, fabs, reflect, cross
 *     int and uint vectors     + - * with each other and with a number, min, max, clamp, dot
 *
 * For host and device alike.
 */
#ifndef SMELT_CUTIL_MATH_H
#define SMELT_CUTIL_MATH_H

#include <cuda_runtime.h>

#include <math.h>

#define CUT_FN static inline __host__ __device__

/* --- one number, on both sides --- */

CUT_FN float cut_min(float a, float b)
{
    return a < b ? a : b;
}

CUT_FN float cut_max(float a, float b)
{
    return a > b ? a : b;
}

CUT_FN int cut_min(int a, int b)
{
    return a < b ? a : b;
}

CUT_FN int cut_max(int a, int b)
{
    return a > b ? a : b;
}

CUT_FN unsigned int cut_min(unsigned int a, unsigned int b)
{
    return a < b ? a : b;
}

CUT_FN unsigned int cut_max(unsigned int a, unsigned int b)
{
    return a > b ? a : b;
}

#if __cplusplus < 202002L /* later C++ has it */
CUT_FN float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}
#endif

CUT_FN float clamp(float v, float lo, float hi)
{
    return cut_max(lo, cut_min(v, hi));
}

CUT_FN int clamp(int v, int lo, int hi)
{
    return cut_max(lo, cut_min(v, hi));
}

CUT_FN unsigned int clamp(unsigned int v, unsigned int lo, unsigned int hi)
{
    return cut_max(lo, cut_min(v, hi));
}

CUT_FN float frac(float v)
{
    return v - floorf(v);
}

CUT_FN float smoothstep(float lo, float hi, float x)
{
    float t = clamp((x - lo) / (hi - lo), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/* --- vectors, all of them --- */

/* CUT_VV2(f, a, b) is f(a.x, b.x), f(a.y, b.y); in VS the second is a number, in SV the first. */
#define CUT_PLUS(a, b) (a) + (b)
#define CUT_MINUS(a, b) (a) - (b)
#define CUT_TIMES(a, b) (a) * (b)
#define CUT_OVER(a, b) (a) / (b)
#define CUT_VV2(f, a, b) f(a.x, b.x), f(a.y, b.y)
#define CUT_VV3(f, a, b) CUT_VV2(f, a, b), f(a.z, b.z)
#define CUT_VV4(f, a, b) CUT_VV3(f, a, b), f(a.w, b.w)
#define CUT_VS2(f, a, b) f(a.x, b), f(a.y, b)
#define CUT_VS3(f, a, b) CUT_VS2(f, a, b), f(a.z, b)
#define CUT_VS4(f, a, b) CUT_VS3(f, a, b), f(a.w, b)
#define CUT_SV2(f, a, b) f(a, b.x), f(a, b.y)
#define CUT_SV3(f, a, b) CUT_SV2(f, a, b), f(a, b.z)
#define CUT_SV4(f, a, b) CUT_SV3(f, a, b), f(a, b.w)
#define CUT_V2(f, a) f(a.x), f(a.y)
#define CUT_V3(f, a) CUT_V2(f, a), f(a.z)
#define CUT_V4(f, a) CUT_V3(f, a), f(a.w)
#define CUT_SUM2(a, b) a.x *b.x + a.y *b.y
#define CUT_SUM3(a, b) CUT_SUM2(a, b) + a.z *b.z
#define CUT_SUM4(a, b) CUT_SUM3(a, b) + a.w *b.w

#define CUT_OPERATOR(type, n, scalar, op, f)                                                       \
    CUT_FN type##n operator op(type##n a, type##n b)                                               \
    {                                                                                              \
        return make_##type##n(CUT_VV##n(f, a, b));                                                 \
    }                                                                                              \
    CUT_FN type##n operator op(type##n a, scalar b)                                                \
    {                                                                                              \
        return make_##type##n(CUT_VS##n(f, a, b));                                                 \
    }                                                                                              \
    CUT_FN type##n operator op(scalar a, type##n b)                                                \
    {                                                                                              \
        return make_##type##n(CUT_SV##n(f, a, b));                                                 \
    }                                                                                              \
    CUT_FN void operator op##=(type##n &a, type##n b)                                              \
    {                                                                                              \
        a = a op b;                                                                                \
    }                                                                                              \
    CUT_FN void operator op##=(type##n &a, scalar b)                                               \
    {                                                                                              \
        a = a op b;                                                                                \
    }

#define CUT_VECTOR(type, n, scalar)                                                                \
    CUT_OPERATOR(type, n, scalar, +, CUT_PLUS)                                                     \
    CUT_OPERATOR(type, n, scalar, -, CUT_MINUS)                                                    \
    CUT_OPERATOR(type, n, scalar, *, CUT_TIMES)                                                    \
    CUT_FN type##n min(type##n a, type##n b)                                                       \
    {                                                                                              \
        return make_##type##n(CUT_VV##n(cut_min, a, b));                                           \
    }                                                                                              \
    CUT_FN type##n max(type##n a, type##n b)                                                       \
    {                                                                                              \
        return make_##type##n(CUT_VV##n(cut_max, a, b));                                           \
    }                                                                                              \
    CUT_FN type##n clamp(type##n v, scalar lo, scalar hi)                                          \
    {                                                                                              \
        type##n low = make_##type##n(CUT_VS##n(cut_min, v, hi));                                   \
        return make_##type##n(CUT_VS##n(cut_max, low, lo));                                        \
    }                                                                                              \
    CUT_FN type##n clamp(type##n v, type##n lo, type##n hi)                                        \
    {                                                                                              \
        return max(lo, min(v, hi));                                                                \
    }                                                                                              \
    CUT_FN scalar dot(type##n a, type##n b)                                                        \
    {                                                                                              \
        return CUT_SUM##n(a, b);                                                                   \
    }

CUT_VECTOR(int, 2, int)
CUT_VECTOR(int, 3, int)
CUT_VECTOR(int, 4, int)
CUT_VECTOR(uint, 2, unsigned int)
CUT_VECTOR(uint, 3, unsigned int)
CUT_VECTOR(uint, 4, unsigned int)
CUT_VECTOR(float, 2, float)
CUT_VECTOR(float, 3, float)
CUT_VECTOR(float, 4, float)

/* --- vectors of float, and of int a sign --- */

#define CUT_NEGATE(type, n)                                                                        \
    CUT_FN type##n operator-(type##n a)                                                            \
    {                                                                                              \
        return make_##type##n(CUT_V##n(-, a));                                                     \
    }
CUT_NEGATE(int, 2)
CUT_NEGATE(int, 3)
CUT_NEGATE(int, 4)

#define CUT_FLOATS(n)                                                                              \
    CUT_NEGATE(float, n)                                                                           \
    CUT_OPERATOR(float, n, float, /, CUT_OVER)                                                     \
    CUT_FN float length(float##n v)                                                                \
    {                                                                                              \
        return sqrtf(dot(v, v));                                                                   \
    }                                                                                              \
    CUT_FN float##n normalize(float##n v)                                                          \
    {                                                                                              \
        return v * (1.0f / sqrtf(dot(v, v)));                                                      \
    }                                                                                              \
    CUT_FN float##n lerp(float##n a, float##n b, float t)                                          \
    {                                                                                              \
        return a + t * (b - a);                                                                    \
    }                                                                                              \
    CUT_FN float##n floor(float##n v)                                                              \
    {                                                                                              \
        return make_float##n(CUT_V##n(floorf, v));                                                 \
    }                                                                                              \
    CUT_FN float##n frac(float##n v)                                                               \
    {                                                                                              \
        return v - floor(v);                                                                       \
    }                                                                                              \
    CUT_FN float##n fmod(float##n a, float##n b)                                                   \
    {                                                                                              \
        return make_float##n(CUT_VV##n(fmodf, a, b));                                              \
    }                                                                                              \
    CUT_FN float##n fabs(float##n v)                                                               \
    {                                                                                              \
        return make_float##n(CUT_V##n(fabsf, v));                                                  \
    }                                                                                              \
    CUT_FN float##n fminf(float##n a, float##n b)                                                  \
    {                                                                                              \
        return min(a, b);                                                                          \
    }                                                                                              \
    CUT_FN float##n fmaxf(float##n a, float##n b)                                                  \
    {                                                                                              \
        return max(a, b);                                                                          \
    }                                                                                              \
    CUT_FN float##n reflect(float##n i, float##n normal)                                           \
    {                                                                                              \
        return i - 2.0f * normal * dot(normal, i);                                                 \
    }
CUT_FLOATS(2)
CUT_FLOATS(3)
CUT_FLOATS(4)

CUT_FN float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* --- vectors from other things --- */

#define CUT_MAKE(type, other, scalar)                                                              \
    CUT_FN type##2 make_##type##2(scalar s)                                                        \
    {                                                                                              \
        return make_##type##2(s, s);                                                               \
    }                                                                                              \
    CUT_FN type##3 make_##type##3(scalar s)                                                        \
    {                                                                                              \
        return make_##type##3(s, s, s);                                                            \
    }                                                                                              \
    CUT_FN type##4 make_##type##4(scalar s)                                                        \
    {                                                                                              \
        return make_##type##4(s, s, s, s);                                                         \
    }                                                                                              \
    CUT_FN type##2 make_##type##2(type##3 v)                                                       \
    {                                                                                              \
        return make_##type##2(v.x, v.y);                                                           \
    }                                                                                              \
    CUT_FN type##3 make_##type##3(type##2 v, scalar z = 0)                                         \
    {                                                                                              \
        return make_##type##3(v.x, v.y, z);                                                        \
    }                                                                                              \
    CUT_FN type##3 make_##type##3(type##4 v)                                                       \
    {                                                                                              \
        return make_##type##3(v.x, v.y, v.z);                                                      \
    }                                                                                              \
    CUT_FN type##4 make_##type##4(type##3 v, scalar w = 0)                                         \
    {                                                                                              \
        return make_##type##4(v.x, v.y, v.z, w);                                                   \
    }                                                                                              \
    CUT_FN type##2 make_##type##2(other##2 v)                                                      \
    {                                                                                              \
        return make_##type##2((scalar)v.x, (scalar)v.y);                                           \
    }                                                                                              \
    CUT_FN type##3 make_##type##3(other##3 v)                                                      \
    {                                                                                              \
        return make_##type##3((scalar)v.x, (scalar)v.y, (scalar)v.z);                              \
    }                                                                                              \
    CUT_FN type##4 make_##type##4(other##4 v)                                                      \
    {                                                                                              \
        return make_##type##4((scalar)v.x, (scalar)v.y, (scalar)v.z, (scalar)v.w);                 \
    }
CUT_MAKE(float, int, float)
CUT_MAKE(int, float, int)
CUT_MAKE(uint, int, unsigned int)

#undef CUT_MAKE
#undef CUT_FLOATS
#undef CUT_NEGATE
#undef CUT_VECTOR
#undef CUT_OPERATOR
#undef CUT_PLUS
#undef CUT_MINUS
#undef CUT_TIMES
#undef CUT_OVER
#undef CUT_VV2
#undef CUT_VV3
#undef CUT_VV4
#undef CUT_VS2
#undef CUT_VS3
#undef CUT_VS4
#undef CUT_SV2
#undef CUT_SV3
#undef CUT_SV4
#undef CUT_V2
#undef CUT_V3
#undef CUT_V4
#undef CUT_SUM2
#undef CUT_SUM3
#undef CUT_SUM4
#undef CUT_FN

#endif
