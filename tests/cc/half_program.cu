// Numbers of 16 bits in memory, in lanes and in atomic additions; loads and stores by cache.
// timing
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { N = 512, BLOCK = 128 };

/* A dot product as programs of machine learning have it: pairs, a warp's tree, one atomic a warp. */
__global__ void dot(const half2 *a, const half2 *b, half *sum, half2 *pair, float *exact)
{
    half2 s = __float2half2_rn(0);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N / 2; i += gridDim.x * blockDim.x)
        s = __hfma2(__ldg(a + i), __ldcg(b + i), s);
    for (int step = 16; step; step /= 2)
        s = __hadd2(s, __shfl_down_sync(~0u, s, step));
    half one = __low2half(s) + __high2half(s);
    one = __shfl_sync(~0u, one, 0);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum, one);
        atomicAdd(pair, s);
        atomicAdd(exact, __half2float(one));
    }
}

__global__ void lanes(half *h, nv_bfloat16 *b, nv_bfloat162 *p)
{
    int i = threadIdx.x;
    h[i] = __shfl_xor_sync(~0u, half(i), 5);
    h[32 + i] = __shfl_up_sync(~0u, half(i), 1);
    b[i] = __shfl_down_sync(~0u, nv_bfloat16(i), 2, 8);
    nv_bfloat162 v(nv_bfloat16(i), nv_bfloat16(-i));
    p[i] = __shfl_sync(~0u, v, i / 2);
    atomicAdd(p + 32, v);
    atomicAdd(b + 32, nv_bfloat16(2));
}

/* Each type through each of the caches. */
template <class T> __global__ void through(const T *in, T *out)
{
    int i = threadIdx.x;
    __stwb(out + 5 * i, __ldca(in + i));
    __stcg(out + 5 * i + 1, __ldcg(in + i));
    __stcs(out + 5 * i + 2, __ldcs(in + i));
    __stwt(out + 5 * i + 3, __ldlu(in + i));
    out[5 * i + 4] = __ldcv(in + i);
}

template <class T> static void check_through(void)
{
    T *in = shared_array<T>(8), *out = shared_array<T>(40);
    for (unsigned i = 0; i < 8 * sizeof(T); i++)
        ((unsigned char *)in)[i] = (unsigned char)(i * 37 + 5);
    through<<<1, 8>>>(in, out);
    finish_kernels();
    for (int i = 0; i < 40; i++)
        CHECK(memcmp((void *)(out + i), (void *)(in + i / 5), sizeof(T)) == 0);
}

int main()
{
    half2 *a = shared_array<half2>(N / 2), *b = shared_array<half2>(N / 2);
    half2 *pair = shared_array<half2>(1);
    half *sum = shared_array<half>(1);
    float *exact = shared_array<float>(1), want = 0;
    for (int i = 0; i < N; i++) { /* small integers: every order of additions is exact */
        ((half *)a)[i] = __int2half_rn(i % 5 - 2);
        ((half *)b)[i] = __int2half_rn(i % 3);
        want += (i % 5 - 2) * (i % 3);
    }
    dot<<<2, BLOCK>>>(a, b, sum, pair, exact);
    finish_kernels();
    CHECK(__half2float(*sum) == want && *exact == want);
    CHECK(__half2float(pair->x + pair->y) == want);

    half *h = shared_array<half>(64);
    nv_bfloat16 *bf = shared_array<nv_bfloat16>(34);
    nv_bfloat162 *p = shared_array<nv_bfloat162>(33);
    lanes<<<1, 32>>>(h, bf, p);
    finish_kernels();
    for (int i = 0; i < 32; i++) {
        CHECK((float)h[i] == (i ^ 5) && (float)h[32 + i] == (i ? i - 1 : 0));
        CHECK((float)bf[i] == (i % 8 < 6 ? i + 2 : i));
        CHECK((float)p[i].x == i / 2 && (float)p[i].y == -(i / 2));
    }
    CHECK((float)bf[32] == 64 && (float)p[32].x > 480 && (float)p[32].x == -(float)p[32].y);

    check_through<half>();
    check_through<nv_bfloat162>();
    check_through<char>();
    check_through<float>();
    check_through<double>();
    check_through<float2>();
    check_through<int4>();
    return finish();
}
