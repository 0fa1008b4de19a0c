/*
 * vector_types.h -- CUDA's short vectors, their make_ functions, and dim3.
 *
 * A vector of 2 or 4 is aligned to its whole size, at most 16 bytes; one of 1 or 3 only as its
 * elements are.  So a float4 moves in one access and a float3 takes 12 bytes.
 */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include <host_defines.h>

/* name: float; element: float; a, a2, a4: alignment of one, two and four of them. */
#define CUDA_VECTOR_STRUCTS(name, element, a, a2, a4)                                              \
    struct __align__(a) name##1                                                                    \
    {                                                                                              \
        element x;                                                                                 \
    };                                                                                             \
    struct __align__(a2) name##2                                                                   \
    {                                                                                              \
        element x, y;                                                                              \
    };                                                                                             \
    struct __align__(a) name##3                                                                    \
    {                                                                                              \
        element x, y, z;                                                                           \
    };                                                                                             \
    struct __align__(a4) name##4                                                                   \
    {                                                                                              \
        element x, y, z, w;                                                                        \
    };                                                                                             \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

#define CUDA_VECTOR_MAKERS(name, element)                                                          \
    static __inline__ __host__ __device__ name##1 make_##name##1(element x)                        \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##2 make_##name##2(element x, element y)             \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##3 make_##name##3(element x, element y, element z)  \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##4 make_##name##4(element x, element y, element z,  \
                                                                 element w)                        \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }

#define CUDA_VECTOR(name, element, a, a2, a4)                                                      \
    CUDA_VECTOR_STRUCTS(name, element, a, a2, a4)                                                  \
    CUDA_VECTOR_MAKERS(name, element)

CUDA_VECTOR(char, signed char, 1, 2, 4)
CUDA_VECTOR(uchar, unsigned char, 1, 2, 4)
CUDA_VECTOR(short, short, 2, 4, 8)
CUDA_VECTOR(ushort, unsigned short, 2, 4, 8)
CUDA_VECTOR(int, int, 4, 8, 16)
CUDA_VECTOR(uint, unsigned int, 4, 8, 16)
CUDA_VECTOR(long, long, 8, 16, 16)
CUDA_VECTOR(ulong, unsigned long, 8, 16, 16)
CUDA_VECTOR(longlong, long long, 8, 16, 16)
CUDA_VECTOR(ulonglong, unsigned long long, 8, 16, 16)
CUDA_VECTOR(float, float, 4, 8, 16)
CUDA_VECTOR(double, double, 8, 16, 16)

#undef CUDA_VECTOR
#undef CUDA_VECTOR_MAKERS
#undef CUDA_VECTOR_STRUCTS

/* Sizes of a grid or block; what is not given is 1. */
struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                                       unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#elif defined(__cplusplus)
    __host__ __device__ dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ operator uint3() const
    {
        return make_uint3(x, y, z);
    }
#endif
};
typedef struct dim3 dim3;

#endif
