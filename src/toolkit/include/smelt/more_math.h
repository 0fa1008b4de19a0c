/*
 * more_math.h -- math functions that CUDA has and neither C++ (for the host) nor clang's headers
 * (for the device) have.
 *
 * min and max are in the global namespace, for every pair of arithmetic types that C++ would
 * convert without a question.  On the device clang has them for int.
 */
#ifndef SMELT_MORE_MATH_H
#define SMELT_MORE_MATH_H

#define CUDA_MIN_MAX(where, a_type, b_type, type)                                                  \
    static inline where type min(a_type a, b_type b)                                               \
    {                                                                                              \
        return (type)a < (type)b ? (type)a : (type)b;                                              \
    }                                                                                              \
    static inline where type max(a_type a, b_type b)                                               \
    {                                                                                              \
        return (type)a > (type)b ? (type)a : (type)b;                                              \
    }
#define CUDA_BOTH __host__ __device__
#define CUDA_MIN_MAX_MIXED(where, small, large)                                                    \
    CUDA_MIN_MAX(where, small, large, large)                                                       \
    CUDA_MIN_MAX(where, large, small, large)

CUDA_MIN_MAX(__host__, int, int, int)
CUDA_MIN_MAX(__host__, float, float, float)
CUDA_MIN_MAX(__host__, double, double, double)
CUDA_MIN_MAX(CUDA_BOTH, unsigned int, unsigned int, unsigned int)
CUDA_MIN_MAX(CUDA_BOTH, long, long, long)
CUDA_MIN_MAX(CUDA_BOTH, unsigned long, unsigned long, unsigned long)
CUDA_MIN_MAX(CUDA_BOTH, long long, long long, long long)
CUDA_MIN_MAX(CUDA_BOTH, unsigned long long, unsigned long long, unsigned long long)
CUDA_MIN_MAX_MIXED(CUDA_BOTH, int, unsigned int)
CUDA_MIN_MAX_MIXED(CUDA_BOTH, long, unsigned long)
CUDA_MIN_MAX_MIXED(CUDA_BOTH, long long, unsigned long long)
CUDA_MIN_MAX_MIXED(__host__, float, double)
#undef CUDA_MIN_MAX_MIXED
#undef CUDA_BOTH
#undef CUDA_MIN_MAX

/* On the device one instruction, which prefers a number to a NaN. */
#define CUDA_MIN_MAX(a_type, b_type, type, suffix)                                                 \
    static __device__ __forceinline__ type min(a_type a, b_type b)                                 \
    {                                                                                              \
        return fmin##suffix(a, b);                                                                 \
    }                                                                                              \
    static __device__ __forceinline__ type max(a_type a, b_type b)                                 \
    {                                                                                              \
        return fmax##suffix(a, b);                                                                 \
    }
CUDA_MIN_MAX(float, float, float, f)
CUDA_MIN_MAX(double, double, double, )
CUDA_MIN_MAX(float, double, double, )
CUDA_MIN_MAX(double, float, double, )
#undef CUDA_MIN_MAX

/* Quiet NaNs; which one the text asks for is the implementation's choice. */
static __device__ __forceinline__ float nanf(const char *)
{
    return __builtin_nanf("");
}

static __device__ __forceinline__ double nan(const char *)
{
    return __builtin_nan("");
}

static __device__ __forceinline__ float round(float x)
{
    return roundf(x);
}

/* --- for the host, whose glibc has more of them in each version --- */

#if !__GLIBC_PREREQ(2, 42)
static inline __host__ float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}

static inline __host__ double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
#endif

static inline __host__ float rsqrt(float x)
{
    return rsqrtf(x);
}

static inline __host__ float rcbrtf(float x)
{
    return 1.0f / cbrtf(x);
}

static inline __host__ double rcbrt(double x)
{
    return 1.0 / cbrt(x);
}

#if !__GLIBC_PREREQ(2, 41)
/* sin(pi x): the remainder after whole turns is exact, so that large x lose nothing. */
static inline __host__ double sinpi(double x)
{
    return sin(M_PI * fmod(x, 2.0));
}

static inline __host__ double cospi(double x)
{
    return cos(M_PI * fmod(x, 2.0));
}

static inline __host__ float sinpif(float x)
{
    return (float)sinpi((double)x);
}

static inline __host__ float cospif(float x)
{
    return (float)cospi((double)x);
}
#endif

static inline __host__ float fdividef(float x, float y)
{
    return x / y;
}

#endif
