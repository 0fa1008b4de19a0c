// Math functions by all their names: C's, C++'s overloads, std::, intrinsics; on both sides.
#include "check.h"

#include <algorithm>
#include <cmath>

__host__ __device__ static double many(double x, float y)
{
    double s = sin(x) + cos(x) + tan(x) + exp(x) + log(x) + pow(x, 1.5) + sqrt(x) + fabs(-x);
    s += floor(x) + ceil(x) + round(x) + trunc(x) + fmin(x, 2.0) + fmax(x, 2.0) + fmod(x, 0.7);
    s += sinf(y) + cosf(y) + expf(y) + logf(y) + powf(y, 2.5f) + sqrtf(y) + fabsf(-y) + floorf(y);
    s += sin(y) + sqrt(y) + pow(y, 2) + abs(-y) + abs(-3) + std::abs(-y) + std::sqrt(y) + std::sin(y);
    s += atan2(x, 2.0) + hypot(x, 3.0) + cbrt(x) + erf(x) + tgamma(x) + lgamma(x) + log1p(x) + expm1(x);
    s += isnan(x) + isinf(y) + std::isfinite(x) + signbit(-x) + copysign(1.0, -x) + ldexp(x, 3);
    s += min(3, 4) + max(3u, 4u) + min(1.5f, y) + max(x, 1.0) + rsqrt(x) + rsqrtf(y);
    return s;
}

__device__ static float fast(float x)
{
    return __sinf(x) + __cosf(x) + __expf(x) + __logf(x) + __powf(x, 2.0f) + __fdividef(x, 3.0f) +
           __frcp_rn(x) + __fsqrt_rn(x) + __fadd_rz(x, 1.0f) + __fmaf_rn(x, x, x) + __saturatef(x);
}

__device__ static int integers(int a, int b)
{
    return __mul24(a, b) + __mulhi(a, b) + __sad(a, b, 1) + __popc(a) + __clz(b) + __float2int_rn(2.5f) +
           __float_as_int(1.0f) + __double2int_rz(-2.7) + __byte_perm(a, b, 0x1234) + __hadd(a, b) +
           (int)__umulhi(3u << 30, 8u) + __ffs(a) + (int)__double2float_rn(4.25);
}

__global__ void work(double *d, float *f, int *n)
{
    d[0] = many(1.25, 0.75f);
    f[0] = fast(0.5f);
    n[0] = integers(1000, -77);
}

int main()
{
    double *d = shared_array<double>(1);
    float *f = shared_array<float>(1);
    int *n = shared_array<int>(1);
    work<<<1, 1>>>(d, f, n);
    finish_kernels();
    double want = many(1.25, 0.75f);
    CHECK(std::fabs(*d - want) < 1e-5 * want);
    float x = 0.5f, near = sinf(x) + cosf(x) + expf(x) + logf(x) + powf(x, 2.0f) + x / 3 + 1 / x +
                           sqrtf(x) + (x + 1) + (x * x + x) + x;
    CHECK(fabsf(*f - near) < 1e-4f);
    long long product = 1000ll * -77;
    int want_n = (int)product + (int)(product >> 32) + (1077 + 1) + __builtin_popcount(1000) + 0 + 2 +
                 0x3f800000 - 2 + 6 + 4 + __builtin_ffs(1000) + (1000 - 77) / 2;
    unsigned perm = 0; /* bytes 4, 3, 2, 1 of the eight of (b, a), from the lowest on */
    unsigned char eight[8];
    int a = 1000, b = -77;
    memcpy(eight, &a, 4);
    memcpy(eight + 4, &b, 4);
    for (int i = 0; i < 4; i++)
        perm |= (unsigned)eight[0x1234 >> 4 * i & 7] << 8 * i;
    CHECK(*n == (int)((unsigned)want_n + perm));
    return finish();
}
