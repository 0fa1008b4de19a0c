// Numbers of 16 bits: what the device computes is what the host does, bit for bit, of random values
// and special ones; functions that are approximations agree to a unit in the last place.
// timing
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { N = 4 * 96, FIELDS = 160, EXACT = 140 };

static __host__ __device__ unsigned bits(half h) { return __half_as_ushort(h); }
static __host__ __device__ unsigned bits(nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
static __host__ __device__ unsigned bits(bool b) { return b; }
static __host__ __device__ unsigned bits(int i) { return (unsigned)i; }
static __host__ __device__ unsigned bits(unsigned u) { return u; }
static __host__ __device__ unsigned bits(half2 p) { return bits(p.x) | bits(p.y) << 16; }
static __host__ __device__ unsigned bits(nv_bfloat162 p) { return bits(p.x) | bits(p.y) << 16; }

/* Everything that has one name for both formats. */
template <class T, class T2> static __host__ __device__ void work(T a, T b, T c, unsigned *o)
{
    T2 p(a, b), q(b, c), r(c, a);
    T d = a;
    T2 e = p;
    int n = 0;
#define PUT(v) o[n++] = bits(v)
    PUT(__hadd(a, b)), PUT(__hsub(a, b)), PUT(__hmul(a, b)), PUT(__hdiv(a, b));
    PUT(__hadd_rn(a, b)), PUT(__hsub_rn(a, b)), PUT(__hmul_rn(a, b));
    PUT(__hadd_sat(a, b)), PUT(__hsub_sat(a, b)), PUT(__hmul_sat(a, b));
    PUT(__hfma(a, b, c)), PUT(__hfma_sat(a, b, c)), PUT(__hfma_relu(a, b, c));
    PUT(__hneg(a)), PUT(__habs(a)), PUT(__hmin(a, b)), PUT(__hmax(a, b));
    PUT(__hmin_nan(a, b)), PUT(__hmax_nan(a, b));
    PUT(__hadd2(p, q)), PUT(__hsub2(p, q)), PUT(__hmul2(p, q)), PUT(__h2div(p, q));
    PUT(__hadd2_rn(p, q)), PUT(__hsub2_rn(p, q)), PUT(__hmul2_rn(p, q));
    PUT(__hadd2_sat(p, q)), PUT(__hsub2_sat(p, q)), PUT(__hmul2_sat(p, q));
    PUT(__hfma2(p, q, r)), PUT(__hfma2_sat(p, q, r)), PUT(__hfma2_relu(p, q, r));
    PUT(__hcmadd(p, q, r)), PUT(__hneg2(p)), PUT(__habs2(p));
    PUT(__hmin2(p, q)), PUT(__hmax2(p, q)), PUT(__hmin2_nan(p, q)), PUT(__hmax2_nan(p, q));
    PUT(hceil(a)), PUT(hfloor(a)), PUT(htrunc(a)), PUT(hrint(a));
    PUT(h2ceil(p)), PUT(h2floor(p)), PUT(h2trunc(p)), PUT(h2rint(p));
#define COMPARE(op)                                                                                \
    PUT(__h##op(a, b)), PUT(__h##op##u(a, b)), PUT(__h##op##2(p, q)), PUT(__h##op##u2(p, q)),      \
        PUT(__hb##op##2(p, q)), PUT(__hb##op##u2(p, q)), PUT(__h##op##2_mask(p, q))
    COMPARE(eq), COMPARE(ne), COMPARE(lt), COMPARE(le), COMPARE(gt), COMPARE(ge);
    PUT(__hisnan(a)), PUT(__hisinf(a)), PUT(__hisnan2(p));
    PUT(a + b), PUT(a - b), PUT(a * b), PUT(a / b), PUT(-a), PUT(+a);
    PUT(d += b), PUT(d -= b), PUT(d *= c), PUT(d /= c), PUT(++d), PUT(d++), PUT(d--), PUT(--d);
    PUT(a == b), PUT(a != b), PUT(a < b), PUT(a <= b), PUT(a > b), PUT(a >= b);
    PUT(p + q), PUT(p - q), PUT(p * q), PUT(p / q), PUT(-p), PUT(e += q), PUT(e *= q), PUT(e--);
    PUT(p == q), PUT(p != q), PUT(p < q), PUT(p <= q), PUT(p > q), PUT(p >= q);
    while (n < EXACT)
        o[n++] = 0;
    PUT(hsqrt(a)), PUT(hrsqrt(a)), PUT(hrcp(a)), PUT(hexp(a)), PUT(hexp2(a)), PUT(hexp10(a));
    PUT(hlog(a)), PUT(hlog2(a)), PUT(hlog10(a)), PUT(hsin(a)), PUT(hcos(a)), PUT(htanh(a));
    PUT(h2sqrt(p)), PUT(h2rcp(p)), PUT(h2exp(p)), PUT(h2log(p)), PUT(h2sin(p)), PUT(h2cos(p));
    while (n < FIELDS)
        o[n++] = 0;
}

/* Zeros, the least and greatest numbers, infinities, NaNs; then whatever comes. */
static __host__ __device__ unsigned short pattern(int i, int nth, bool is_half)
{
    const unsigned short one = is_half ? 0x3c00 : 0x3f80, infinity = is_half ? 0x7c00 : 0x7f80;
    const unsigned short special[] = {0, 1, one, (unsigned short)(infinity - 1), infinity, 0x7fff};
    unsigned x = (unsigned)(3 * i + nth) * 2654435761u ^ 0x9e3779b9u;
    x ^= x >> 15, x *= 0x2c1b3c6du, x ^= x >> 12;
    if (x % 8 == 0)
        return (unsigned short)(special[x / 8 % 6] | (x >> 16 & 0x8000));
    if (x % 8 < 4) /* of the size of one, so that sums and products cancel and round */
        return (unsigned short)((x >> 16 & 0x83ff) | one);
    return (unsigned short)(x >> 16);
}

__global__ void halves(unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    work<half, half2>(__ushort_as_half(pattern(i, 0, true)), __ushort_as_half(pattern(i, 1, true)),
                      __ushort_as_half(pattern(i, 2, true)), out + i * FIELDS);
}

__global__ void bfloats(unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    work<nv_bfloat16, nv_bfloat162>(__ushort_as_bfloat16(pattern(i, 0, false)),
                                    __ushort_as_bfloat16(pattern(i, 1, false)),
                                    __ushort_as_bfloat16(pattern(i, 2, false)), out + i * FIELDS);
}

/* The same but for the sign and payload of a NaN, and for `ulp` units. */
static bool near(unsigned a, unsigned b, unsigned infinity, int ulp)
{
    unsigned x = a & 0x7fff, y = b & 0x7fff;
    if (x > infinity || y > infinity)
        return x > infinity && y > infinity;
    int d = (a & 0x8000 ? -(int)x : (int)x) - (b & 0x8000 ? -(int)y : (int)y);
    return ulp ? d <= ulp && d >= -ulp : a == b;
}

static void compare(const unsigned *got, const unsigned *want, int i, unsigned infinity)
{
    for (int k = 0; k < FIELDS; k++) {
        int ulp = k < EXACT ? 0 : 1;
        bool same = got[k] == want[k] || (near(got[k] & 0xffff, want[k] & 0xffff, infinity, ulp) &&
                                          near(got[k] >> 16, want[k] >> 16, infinity, ulp));
        if (!same && n_wrong++ < 5)
            printf("value %d, result %d: %#x, not %#x\n", i, k, got[k], want[k]);
    }
}

int main()
{
    unsigned *out = shared_array<unsigned>(N * FIELDS), want[FIELDS];
    halves<<<N / 96, 96>>>(out);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        work<half, half2>(__ushort_as_half(pattern(i, 0, true)),
                          __ushort_as_half(pattern(i, 1, true)),
                          __ushort_as_half(pattern(i, 2, true)), want);
        compare(out + i * FIELDS, want, i, 0x7c00);
    }
    bfloats<<<N / 96, 96>>>(out);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        work<nv_bfloat16, nv_bfloat162>(__ushort_as_bfloat16(pattern(i, 0, false)),
                                        __ushort_as_bfloat16(pattern(i, 1, false)),
                                        __ushort_as_bfloat16(pattern(i, 2, false)), want);
        compare(out + i * FIELDS, want, i, 0x7f80);
    }
    /* and what it is, by hand */
    CHECK(bits(__hfma(half(3), half(0.25f), half(-1))) == 0xb400);
    CHECK(bits(half(1) / half(3)) == 0x3555 && bits(nv_bfloat16(1) / nv_bfloat16(3)) == 0x3eab);
    CHECK(bits(half(65504) + half(16)) == 0x7c00 && bits(half(65504) + half(15)) == 0x7bff);
    CHECK(__hlt(half(-1), half(2)) && !(CUDART_NAN_FP16 == CUDART_NAN_FP16));
    return finish();
}
