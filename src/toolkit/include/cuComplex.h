/*
 * cuComplex.h -- complex numbers, for kernels and for the host, in C and C++.
 *
 * Quotients are scaled first and moduli come from hypot, so that neither overflows halfway.
 */
#ifndef SMELT_CU_COMPLEX_H
#define SMELT_CU_COMPLEX_H

#include <math.h>
#include <vector_types.h>

#define CU_COMPLEX(type, real, name, f)                                                            \
    typedef type name;                                                                             \
    static __inline__ __host__ __device__ real cuCreal##f(name x)                                  \
    {                                                                                              \
        return x.x;                                                                                \
    }                                                                                              \
    static __inline__ __host__ __device__ real cuCimag##f(name x)                                  \
    {                                                                                              \
        return x.y;                                                                                \
    }                                                                                              \
    static __inline__ __host__ __device__ name make_##name(real re, real im)                       \
    {                                                                                              \
        return make_##type(re, im);                                                                \
    }                                                                                              \
    static __inline__ __host__ __device__ name cuConj##f(name x)                                   \
    {                                                                                              \
        return make_##type(x.x, -x.y);                                                             \
    }                                                                                              \
    static __inline__ __host__ __device__ name cuCadd##f(name x, name y)                           \
    {                                                                                              \
        return make_##type(x.x + y.x, x.y + y.y);                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name cuCsub##f(name x, name y)                           \
    {                                                                                              \
        return make_##type(x.x - y.x, x.y - y.y);                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name cuCmul##f(name x, name y)                           \
    {                                                                                              \
        return make_##type(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                          \
    }                                                                                              \
    static __inline__ __host__ __device__ name cuCdiv##f(name x, name y)                           \
    {                                                                                              \
        real s = 1 / (fabs##f(y.x) + fabs##f(y.y)), a = x.x * s, b = x.y * s, c = y.x * s;         \
        real d = y.y * s, n = 1 / (c * c + d * d);                                                 \
        return make_##type((a * c + b * d) * n, (b * c - a * d) * n);                              \
    }                                                                                              \
    static __inline__ __host__ __device__ real cuCabs##f(name x)                                   \
    {                                                                                              \
        return hypot##f(x.x, x.y);                                                                 \
    }                                                                                              \
    static __inline__ __host__ __device__ name cuCfma##f(name x, name y, name z)                   \
    {                                                                                              \
        return cuCadd##f(cuCmul##f(x, y), z);                                                      \
    }

CU_COMPLEX(float2, float, cuFloatComplex, f)
CU_COMPLEX(double2, double, cuDoubleComplex, )
#undef CU_COMPLEX

typedef cuFloatComplex cuComplex;
#define make_cuComplex make_cuFloatComplex

static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_double2((double)x.x, (double)x.y);
}

static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_float2((float)x.x, (float)x.y);
}

#endif
