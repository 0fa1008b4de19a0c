// Numbers of 16 bits from and to all other types, in every direction of rounding: the device's are
// the host's, and the host's nearest halves are those of a search.
#include "check.h"
#include <cuda_bf16.hpp>
#include <cuda_fp16.hpp>

enum { N = 1024, FIELDS = 84 };

#define PUT(v) o[n++] = (unsigned long long)(v)

#define FROM(type, name, v)                                                                        \
    PUT(__half_as_ushort(__##name##2half_rn(v))), PUT(__half_as_ushort(__##name##2half_rz(v))),    \
        PUT(__half_as_ushort(__##name##2half_rd(v))), PUT(__half_as_short(__##name##2half_ru(v))), \
        PUT(__bfloat16_as_ushort(__##name##2bfloat16_rn(v))),                                      \
        PUT(__bfloat16_as_ushort(__##name##2bfloat16_rz(v))),                                      \
        PUT(__bfloat16_as_short(__##name##2bfloat16_rd(v))),                                       \
        PUT(__bfloat16_as_ushort(__##name##2bfloat16_ru(v)))

static __host__ __device__ void from(unsigned long long v, float f, unsigned long long *o)
{
    int n = 0;
    FROM(float, float, f);
    FROM(short, short, (short)v);
    FROM(unsigned short, ushort, (unsigned short)v);
    FROM(int, int, (int)v);
    FROM(unsigned, uint, (unsigned)v);
    FROM(long long, ll, (long long)v);
    FROM(unsigned long long, ull, v);
    PUT(__half_as_ushort(__double2half((double)f * 1.0000000001)));
    PUT(__bfloat16_as_ushort(__double2bfloat16((double)f * 1.0000000001)));
    PUT(__half_as_ushort(__float2half(f)));
    PUT(__half_as_ushort(half((long)v))), PUT(__half_as_ushort(half((unsigned)v)));
    while (n < FIELDS)
        o[n++] = 0;
}

#define TO(name)                                                                                   \
    PUT(__half2##name##_rn(h)), PUT(__half2##name##_rz(h)), PUT(__half2##name##_rd(h)),            \
        PUT(__half2##name##_ru(h)), PUT(__bfloat162##name##_rn(b)),                                \
        PUT(__bfloat162##name##_rz(b)), PUT(__bfloat162##name##_rd(b)),                            \
        PUT(__bfloat162##name##_ru(b))

static __host__ __device__ void to(unsigned short v, unsigned long long *o)
{
    int n = 0;
    half h = __ushort_as_half(v);
    nv_bfloat16 b = __short_as_bfloat16((short)v);
    TO(short), TO(ushort), TO(int), TO(uint), TO(ll), TO(ull);
    float f = __half2float(h), g = __bfloat162float(b);
    unsigned word;
    memcpy(&word, &f, sizeof(word));
    PUT(f == f ? word : 0);
    memcpy(&word, &g, sizeof(word));
    PUT(g == g ? word : 0);
    PUT((int)h), PUT((unsigned short)b), PUT((long)h), PUT((bool)b), PUT(float(h) == f);
    while (n < FIELDS)
        o[n++] = 0;
}

/* Floats around what halves can say, halfway cases among them. */
static __host__ __device__ float single(unsigned i)
{
    unsigned x = i * 2654435761u, bits;
    x ^= x >> 16;
    bits = (x & 0x80000000u) | (100 + x % 44) << 23 | (i % 4 == 0 ? x & 0x7ff000 : x & 0x7fffff);
    bits = i % 32 == 0 ? x : bits;
    float f;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

static __host__ __device__ unsigned long long integer(unsigned i)
{
    unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull;
    return (x ^ x >> 29) >> i % 61;
}

__global__ void all(unsigned long long *there, unsigned long long *back)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    from(integer(i), single(i), there + i * FIELDS);
    to((unsigned short)(i * 67), back + i * FIELDS);
}

static void compare(const char *what, int i, const unsigned long long *got,
                    const unsigned long long *want)
{
    for (int k = 0; k < FIELDS; k++)
        if (got[k] != want[k] && n_wrong++ < 5)
            printf("%s: value %d, result %d: %#llx, not %#llx\n", what, i, k, got[k], want[k]);
}

/* --- pairs --- */

__global__ void pairs(half *h, nv_bfloat16 *b, float *f)
{
    half2 p = __floats2half2_rn(1, 2), q = make_half2(half(3), half(4));
    half2 all_p[] = {__low2half2(p),   __high2half2(p),         __lows2half2(p, q),
                     __highs2half2(p, q), __lowhigh2highlow(p), __half2half2(q.y),
                     __float2half2_rn(5), __halves2half2(q.y, p.x)};
    for (int i = 0; i < 8; i++)
        h[2 * i] = __low2half(all_p[i]), h[2 * i + 1] = __high2half(all_p[i]);
    nv_bfloat162 r = __floats2bfloat162_rn(1, 2), s = make_bfloat162(__float2bfloat16(3), __float2bfloat16(4));
    nv_bfloat162 all_r[] = {__low2bfloat162(r),       __high2bfloat162(r),
                            __lows2bfloat162(r, s),   __highs2bfloat162(r, s),
                            __lowhigh2highlow(r),     __bfloat162bfloat162(s.y),
                            __float2bfloat162_rn(5),  __halves2bfloat162(s.y, r.x)};
    for (int i = 0; i < 8; i++)
        b[2 * i] = __low2bfloat16(all_r[i]), b[2 * i + 1] = __high2bfloat16(all_r[i]);
    float2 v = __half22float2(q), w = __bfloat1622float2(s);
    f[0] = v.x, f[1] = v.y, f[2] = w.x, f[3] = w.y;
    f[4] = __low2float(q), f[5] = __high2float(s);
}

/* The nearest of all halves, of two the even one; f is not a NaN. */
static unsigned nearest(float f)
{
    static double values[0x7c01];
    double v = fabs((double)f);
    for (unsigned h = 1; h < 0x7c01 && !values[0x7c00]; h++)
        values[h] = ldexp(h < 0x400 ? h : 0x400 + (h & 0x3ff), (h < 0x400 ? 1 : h >> 10) - 25);
    unsigned above = 0;
    while (above < 0x7c00 && values[above] < v)
        above++;
    unsigned below = above ? above - 1 : 0;
    double to_above = values[above] - v, to_below = v - values[below];
    bool up = to_above < to_below || (to_above == to_below && above % 2 == 0);
    return (up ? above : below) | (signbit(f) ? 0x8000 : 0);
}

int main()
{
    unsigned long long *there = shared_array<unsigned long long>(N * FIELDS);
    unsigned long long *back = shared_array<unsigned long long>(N * FIELDS), want[FIELDS];
    all<<<N / 128, 128>>>(there, back);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        from(integer(i), single(i), want);
        compare("from", i, there + i * FIELDS, want);
        to((unsigned short)(i * 67), want);
        compare("to", i, back + i * FIELDS, want);
        if (single(i) == single(i))
            CHECK(__half_as_ushort(__float2half_rn(single(i))) == nearest(single(i)));
    }
    CHECK(__half_as_ushort(__float2half_rz(1e6f)) == 0x7bff);
    CHECK(__half_as_ushort(__float2half_ru(1e-9f)) == 1 && (short)half(-7.9f) == -7);
    CHECK(__half2int_rz(CUDART_INF_FP16) == 0x7fffffff && __half2int_rn(CUDART_NAN_FP16) == 0);

    half *h = shared_array<half>(16);
    nv_bfloat16 *b = shared_array<nv_bfloat16>(16);
    float *f = shared_array<float>(6);
    pairs<<<1, 1>>>(h, b, f);
    finish_kernels();
    const float expect[] = {1, 1, 2, 2, 1, 3, 2, 4, 2, 1, 4, 4, 5, 5, 4, 1};
    for (int i = 0; i < 16; i++)
        CHECK((float)h[i] == expect[i] && (float)b[i] == expect[i]);
    CHECK(f[0] == 3 && f[1] == 4 && f[2] == 3 && f[3] == 4 && f[4] == 3 && f[5] == 4);
    return finish();
}
