// What nvcc takes and clang by itself does not: launches with blanks in their marks, one % before a
// special register, NaNs of the device, words in any order.
// options: -Xcompiler -DH=1 -DV=2 -DU=3 -std=c++17
#include "check.h"

#define LAUNCH(kernel, ...) kernel << < __VA_ARGS__ >> >
#define LANE "mov.u32 %0, %laneid;"
#define UNROLL _Pragma("unroll")
#define TIMES(n) _Pragma(#n)
#define FOUR 4

char *const name = "a literal";

__global__ __device__ void both(int *p)
{
    p[threadIdx.x] += H + V + U;
}

__device__ __global__ static void __launch_bounds__(64) other_order(int *p)
{
    p[threadIdx.x] += 10;
}

template <int N> void __global__ sum(int *p)
{
    int s = 0;
UNROLL
    for (int i = 0; i < N; i++)
        s += i;
#pragma unroll FOUR
    for (int i = 0; i < N; i++)
        s += i;
    TIMES(unroll FOUR * 2)
    for (int i = 0; i < N; i++)
        s += i;
#pragma unroll(2)
    for (int i = 0; i < N; i++)
        s += i;
#pragma unroll 0
    for (int i = 0; i < N; i++)
        s += i;
    p[threadIdx.x] = s;
}

inline __global__ void registers(unsigned *u, float *f, double *d)
{
    unsigned lane, block, warp = 7;
    asm(LANE : "=r"(lane));
    asm volatile("mov.u32 %0, %ctaid.x;" /* with one % */
                 "add.u32 %0, %0, %%ntid.x;" : "=r"(block) : : "memory");
    asm("{ .reg .u32 %mine; mov.u32 %mine, %laneid; }");
    asm volatile("{ .reg .u32 %%mine; mov.u32 %%mine, %%laneid; }");
    u[threadIdx.x] = 1000 * block + 10 * lane + warp;
    f[threadIdx.x] = nanf("");
    d[threadIdx.x] = nan("1");
}

int main()
{
    register int n = 5; /* C++17 has no meaning for it */
    int *p = shared_array<int>(32);
    unsigned *u = shared_array<unsigned>(32);
    float *f = shared_array<float>(32);
    double *d = shared_array<double>(32);
    n == 5, name[0];

    sum<5> << <1, 32 >> >(p);
    both << < dim3(1), dim3(64 >> 1) >> > (p);
    LAUNCH(other_order, 1, 32, 0)(p);
    registers<<<1, 32>> >(u, f, d);
    finish_kernels();
    for (int i = 0; i < 32; i++) {
        CHECK(p[i] == 5 * 10 + 6 + 10);
        CHECK(u[i] == 1000u * 32 + 10u * i + 7);
        CHECK(f[i] != f[i] && d[i] != d[i]);
    }
    return finish();
}
