// cuRAND within kernels: published values of XORWOW and Philox, jumps that are as many steps, and on
// the device what the host has.  (More of MRG32k3a: curand_mrg.cu.)
// timing
#include "check.h"
#include <curand_kernel.h>
#include <math.h>

enum { N = 32, FIELDS = 12 };

static void published(void)
{
    /* Marsaglia's "Xorshift RNGs", its example's state */
    curandState x = {6615241, {123456789, 362436069, 521288629, 88675123, 5783321}, 0, 0, 0, 0};
    const unsigned of_x[] = {246875399, 3690007200u, 1264581005, 3906711041u, 1866187943};
    for (unsigned v : of_x)
        CHECK(curand(&x) == v);
    /* Random123's test: counter and key are zero */
    curandStatePhilox4_32_10_t p;
    curand_init(0, 0, 0, &p);
    uint4 v = curand4(&p);
    CHECK(v.x == 0x6627e8d5 && v.y == 0xe169c58d && v.z == 0xbc57ac4c && v.w == 0x9b00dbd8);
}

template <class State> static void next_subsequence(State *s)
{
    skipahead_sequence(1, s);
}

static void next_subsequence(curandStateMRG32k3a *s)
{
    skipahead_subsequence(1, s);
}

template <class State> static void jumps(void)
{
    State a, b;
    curand_init(77, 5, 1000, &a);
    curand_init(77, 5, 0, &b);
    for (int i = 0; i < 1000; i++)
        curand(&b);
    CHECK(curand(&a) == curand(&b));
    skipahead(3, &a);
    curand(&b), curand(&b), curand(&b);
    CHECK(curand(&a) == curand(&b));
    curand_init(77, 7, 0, &a);
    curand_init(77, 6, 0, &b);
    next_subsequence(&b);
    CHECK(curand(&a) == curand(&b));
}

/* Subsequences are 2^67 steps apart: 16 times 2^63. */
static void distance(void)
{
    curandState a, b;
    curand_init(3, 1, 0, &a);
    curand_init(3, 0, 0, &b);
    for (int i = 0; i < 16; i++)
        skipahead(1ull << 63, &b);
    CHECK(curand(&a) == curand(&b));
}

template <class State> static __host__ __device__ void work(int i, unsigned *u, double *d)
{
    State s;
    curand_init(1234567890123ull, i, i % 4, &s);
#pragma unroll 1
    for (int k = 0; k < FIELDS; k++)
        u[k] = curand(&s);
    d[0] = curand_uniform(&s), d[1] = curand_uniform_double(&s);
    d[2] = curand_normal(&s), d[3] = curand_normal(&s), d[4] = curand_normal_double(&s);
    d[5] = curand_normal_double(&s), d[6] = curand_log_normal(&s, 1, 0.5f);
    float2 two = curand_normal2(&s);
    d[7] = two.x, d[8] = two.y, d[9] = curand_log_normal_double(&s, 0, 1), d[10] = d[11] = 0;
}

template <class State> __global__ void kernel(unsigned *u, double *d)
{
    int i = threadIdx.x;
    work<State>(i, u + i * FIELDS, d + i * FIELDS);
}

template <class State> static void same_on_device(void)
{
    unsigned *u = shared_array<unsigned>(N * FIELDS), want_u[FIELDS];
    double *d = shared_array<double>(N * FIELDS), want_d[FIELDS];
    kernel<State><<<1, N>>>(u, d);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        work<State>(i, want_u, want_d);
        for (int k = 0; k < FIELDS; k++) {
            CHECK(u[i * FIELDS + k] == want_u[k]);
            CHECK(fabs(d[i * FIELDS + k] - want_d[k]) <= 2e-5 * (1 + fabs(want_d[k])));
        }
        CHECK(d[i * FIELDS] > 0 && d[i * FIELDS] <= 1 && d[i * FIELDS] == want_d[0]);
    }
}

__global__ void fours(float4 *uniform, float4 *normal, double2 *pair)
{
    curandStatePhilox4_32_10_t s;
    curand_init(9, threadIdx.x, 0, &s);
    uniform[threadIdx.x] = curand_uniform4(&s);
    normal[threadIdx.x] = curand_normal4(&s);
    pair[threadIdx.x] = curand_uniform2_double(&s);
}

int main()
{
    published();
    jumps<curandState>();
    jumps<curandStatePhilox4_32_10_t>();
    jumps<curandStateMRG32k3a>();
    distance();
    same_on_device<curandState>();
    same_on_device<curandStatePhilox4_32_10_t>();
    same_on_device<curandStateMRG32k3a>();
    float4 *u = shared_array<float4>(N), *n = shared_array<float4>(N);
    double2 *p = shared_array<double2>(N);
    fours<<<1, N>>>(u, n, p);
    finish_kernels();
    double mean = 0, squares = 0;
    for (int i = 0; i < N; i++) {
        CHECK(u[i].x > 0 && u[i].w <= 1 && p[i].y > 0 && p[i].y <= 1);
        mean += n[i].x + n[i].y + n[i].z + n[i].w;
        squares += n[i].x * n[i].x + n[i].y * n[i].y + n[i].z * n[i].z + n[i].w * n[i].w;
    }
    CHECK(fabs(mean / (4 * N)) < 0.3 && fabs(squares / (4 * N) - 1) < 0.4);
    return finish();
}
