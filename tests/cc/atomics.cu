// Atomic functions on 32 and 64 bits and on float, in global and in shared memory.
// options: -arch=sm_20
#include "check.h"

__global__ void ints(int *p, unsigned *u)
{
    int i = threadIdx.x;
    atomicAdd(&p[0], i);
    atomicSub(&p[1], i);
    atomicMin(&p[2], -i);
    atomicMax(&p[3], i);
    atomicAnd(&p[4], ~(1 << i % 31));
    atomicOr(&p[5], 1 << i % 31);
    atomicXor(&p[6], 1 << i % 7);
    atomicExch(&p[7], 5);
    atomicCAS(&p[8], i, i + 1);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicMax(&u[2], 0xfffffff0u + i % 8);
}

__global__ void others(float *f, unsigned long long *l, int *out)
{
    __shared__ int sum;
    __shared__ unsigned long long sum_l;
    if (threadIdx.x == 0)
        sum = 0, sum_l = 0;
    __syncthreads();
    atomicAdd(f, 0.5f);
    atomicAdd(l, 1ull << 33);
    atomicAdd(&sum, 1);
    atomicAdd(&sum_l, 1ull << 32);
    __syncthreads();
    atomicCAS(l + 1, (unsigned long long)threadIdx.x, threadIdx.x + 1ull);
    atomicExch(l + 2, 77ull << 32);
    if (threadIdx.x == 0)
        out[0] = sum, out[1] = (int)(sum_l >> 32);
}

int main()
{
    int *p = shared_array<int>(16), *out = shared_array<int>(2);
    unsigned *u = shared_array<unsigned>(3);
    float *f = shared_array<float>(1);
    unsigned long long *l = shared_array<unsigned long long>(3);
    p[4] = ~0;
    ints<<<1, 64>>>(p, u);
    others<<<1, 64>>>(f, l, out);
    finish_kernels();
    CHECK(p[0] == 2016 && p[1] == -2016 && p[2] == -63 && p[3] == 63);
    CHECK(p[4] == (int)0x80000000 && p[5] == 0x7fffffff && p[6] == 0x7e && p[7] == 5);
    CHECK(p[8] >= 1 && u[0] == 4 && u[1] == 6 && u[2] == 0xfffffff7u);
    CHECK(f[0] == 32 && l[0] == 64ull << 33 && l[1] >= 1 && l[2] == 77ull << 32);
    CHECK(out[0] == 64 && out[1] == 64);
    return finish();
}
