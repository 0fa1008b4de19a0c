// cuda_fp8.h: every number of 8 bits, and every number of 16 bits rounded to 8, against a search among
// the 256; ties, infinities, NaN, both saturations; the device's are the host's.
#include "check.h"
#include <cuda_fp8.h>
#include <limits.h>
#include <math.h>

enum { CODES = 256, HALVES = 65536, THREADS = 256 };

/* --- the reference: a number is its fields, and the nearest is found by looking --- */

struct format {
    __nv_fp8_interpretation_t kind;
    int fraction_bits, bias, largest;
    double value[CODES /
                 2]; /* of codes as if all were numbers: to see what rounds beyond the largest */

    format(__nv_fp8_interpretation_t k, int bits, int b, int most)
        : kind(k), fraction_bits(bits), bias(b), largest(most)
    {
        for (int size = 0; size < CODES / 2; size++) {
            int exponent = size >> bits;
            double v = exponent ? 1 : 0;
            for (int bit = 0; bit < bits; bit++)
                if (size >> bit & 1)
                    v += pow(2, bit - bits);
            value[size] = v * pow(2, (exponent ? exponent : 1) - bias);
        }
    }
};

static const format E4M3(__NV_E4M3, 3, 7, 0x7e), E5M2(__NV_E5M2, 2, 15, 0x7b);

static int nearest(const format &f, double v, __nv_saturation_t saturate)
{
    int sign = signbit(v) ? 0x80 : 0, best = 0;
    if (v != v)
        return 0x7f;
    v = fmin(fabs(v), 1e6); /* (far away, all distances are alike) */
    for (int size = 1; size <= f.largest + 1; size++) {
        double before = fabs(f.value[best] - v), now = fabs(f.value[size] - v);
        if (now < before || (now == before && size % 2 == 0))
            best = size;
    }
    if (best > f.largest) /* the next code is e4m3's NaN and e5m2's infinity */
        best = saturate == __NV_SATFINITE ? f.largest : f.largest + 1;
    return best | sign;
}

static double meaning(const format &f, int code)
{
    int size = code & 0x7f;
    double v = size <= f.largest                     ? f.value[size]
               : size == 0x7c && f.kind == __NV_E5M2 ? HUGE_VAL
                                                     : NAN;
    return code & 0x80 ? -v : v;
}

static bool same(double a, double b)
{
    return a != a ? b != b : a == b && !signbit(a) == !signbit(b);
}

/* --- codes to other types and back --- */

template <class One> static void codes(const format &f)
{
    for (int code = 0; code < CODES; code++) {
        One q;
        q.__x = (unsigned char)code;
        double want = meaning(f, code);
        CHECK(same((float)q, want) && same((double)q, want));
        CHECK(same(__half2float((__half)q), want));
        CHECK(same(__bfloat162float((__nv_bfloat16)q), want));
        CHECK((bool)q == ((code & 0x7f) != 0));
        if (want == want) {
            double in_int = fmin(fmax(trunc(want), INT_MIN), INT_MAX);
            CHECK((int)q == (int)in_int &&
                  (long long)q ==
                      (isinf(want) ? want > 0 ? LLONG_MAX : LLONG_MIN : (long long)want));
            CHECK((signed char)q == (int)fmin(fmax(trunc(want), -128), 127));
            CHECK((unsigned char)q == (int)fmin(fmax(trunc(want), 0), 255));
            CHECK((unsigned short)q == (int)fmin(fmax(trunc(want), 0), 65535));
        }
        int back = want != want ? 0x7f : isinf(want) ? code - 1 : code; /* saturated */
        CHECK(One((float)q).__x == back && One((double)q).__x == back);
        CHECK(One((__half)q).__x == back && One((__nv_bfloat16)q).__x == back);
        back = want != want ? 0x7f : code;
        CHECK(__nv_cvt_float_to_fp8((float)q, __NV_NOSAT, f.kind) == back);
    }
}

/* --- ties and their neighbours, of floats and doubles --- */

static void check_double(const format &f, double v)
{
    for (int i = 0; i < 4; i++) {
        __nv_saturation_t mode = i % 2 ? __NV_SATFINITE : __NV_NOSAT;
        double x = i / 2 ? -v : v;
        CHECK(__nv_cvt_double_to_fp8(x, mode, f.kind) == nearest(f, x, mode));
        CHECK(__nv_cvt_float_to_fp8((float)x, mode, f.kind) == nearest(f, (float)x, mode));
    }
}

static void ties(const format &f)
{
    const double ends[] = {0,     4.9e-324, 1e-300,   1e-46, 1e-40,
                           1e300, 1.8e308,  HUGE_VAL, NAN,   3.4e38};
    for (int size = 0; size <= f.largest; size++) {
        double tie = (f.value[size] + f.value[size + 1]) / 2;
        check_double(f, tie);
        check_double(f, nextafter(tie, 0)), check_double(f, nextafter(tie, HUGE_VAL));
        check_double(f, nextafterf((float)tie, 0)),
            check_double(f, nextafterf((float)tie, HUGE_VALF));
    }
    for (double v : ends)
        check_double(f, v);
}

/* --- vectors and integers --- */

template <class One, class Two, class Four> static void vectors(const format &f)
{
    const double v[4] = {1.5, -300, 0.01, 70000};
    unsigned want = 0;
    for (int i = 0; i < 4; i++)
        want |= (unsigned)nearest(f, v[i], __NV_SATFINITE) << 8 * i;
    __half2 low = __floats2half2_rn(1.5f, -300), high = __floats2half2_rn(0.01f, 70000);
    __nv_bfloat162 b = __floats2bfloat162_rn(1.5f, -300);
    CHECK(Two(make_float2(1.5f, -300)).__x == (want & 0xffff) && Two(low).__x == (want & 0xffff));
    CHECK(Two(make_double2(1.5, -300)).__x == (want & 0xffff) && Two(b).__x == (want & 0xffff));
    CHECK(Four(make_float4(1.5f, -300, 0.01f, 70000)).__x == want && Four(low, high).__x == want);
    CHECK(Four(make_double4(1.5, -300, 0.01, 70000)).__x == want);
    CHECK(Four(b, b).__x == (want & 0xffff) * 0x10001u);
    float2 two = (float2)Two(low);
    __half2 halves = (__half2)Two(low);
    float4 four = (float4)Four(low, high);
    CHECK(two.x == 1.5f && two.y == (float)One(-300) && __low2float(halves) == 1.5f);
    CHECK(four.x == 1.5f && four.y == two.y && four.z == (float)One(0.01) &&
          four.w == (float)One(70000));
    CHECK(One(17).__x == nearest(f, 17, __NV_SATFINITE) && One((short)-3).__x == One(-3.0).__x);
    CHECK(One(~0ull).__x == f.largest && One(-9000000000000ll).__x == (f.largest | 0x80));
    CHECK(sizeof(One) == 1 && sizeof(Two) == 2 && sizeof(Four) == 4);
}

/* --- all halves: both formats and modes, in that order; on the device with what it has --- */

static __host__ __device__ unsigned convert(unsigned short bits)
{
    __half_raw h = {bits};
    unsigned of_e4m3 = __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3);
    unsigned of_e5m2 = __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E5M2);
    of_e4m3 |= __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E4M3) << 8;
    of_e5m2 |= __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2) << 8;
    return of_e4m3 | of_e5m2 << 16;
}

static __host__ __device__ unsigned convert_bfloat(unsigned short bits)
{
    __nv_bfloat16_raw b = {bits};
    __nv_bfloat162_raw two = {bits, bits};
    unsigned nosat = __nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, __NV_E5M2);
    return __nv_cvt_bfloat16raw2_to_fp8x2(two, __NV_SATFINITE, __NV_E4M3) | nosat << 16;
}

__global__ void convert_all(unsigned *half, unsigned *bfloat, float4 *wide)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    half[i] = convert((unsigned short)i), bfloat[i] = convert_bfloat((unsigned short)i);
    if (i < CODES) { /* a code of each format, and a double */
        __nv_fp8_e4m3 a;
        __nv_fp8x2_e5m2 b;
        a.__x = (unsigned char)i, b.__x = (unsigned short)(i << 8);
        wide[i] = make_float4((float)a, ((float2)b).y, (float)__nv_fp8_e5m2((double)i * 300.1).__x,
                              (float)(int)a);
    }
}

static void halves(void)
{
    unsigned *half = shared_array<unsigned>(HALVES), *bfloat = shared_array<unsigned>(HALVES);
    float4 *wide = shared_array<float4>(CODES);
    convert_all<<<HALVES / THREADS, THREADS>>>(half, bfloat, wide);
    finish_kernels();
    for (int i = 0; i < HALVES; i++) {
        double v = __half2float(__ushort_as_half((unsigned short)i));
        unsigned want = nearest(E4M3, v, __NV_SATFINITE) | nearest(E4M3, v, __NV_NOSAT) << 8;
        want |= (unsigned)(nearest(E5M2, v, __NV_SATFINITE) | nearest(E5M2, v, __NV_NOSAT) << 8)
                << 16;
        CHECK(convert((unsigned short)i) == want && half[i] == want);
        v = __bfloat162float(__ushort_as_bfloat16((unsigned short)i));
        want = (unsigned)nearest(E4M3, v, __NV_SATFINITE) * 0x101;
        want |= (unsigned)nearest(E5M2, v, __NV_NOSAT) << 16;
        CHECK(convert_bfloat((unsigned short)i) == want && bfloat[i] == want);
    }
    for (int i = 0; i < CODES; i++) {
        double v = meaning(E4M3, i);
        CHECK(same(wide[i].x, v) && same(wide[i].y, meaning(E5M2, i)));
        CHECK(wide[i].z == nearest(E5M2, i * 300.1, __NV_SATFINITE));
        CHECK(wide[i].w == (v == v ? trunc(v) : 0));
    }
}

int main()
{
    codes<__nv_fp8_e4m3>(E4M3);
    codes<__nv_fp8_e5m2>(E5M2);
    ties(E4M3);
    ties(E5M2);
    vectors<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(E4M3);
    vectors<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(E5M2);
    halves();
    return finish();
}
