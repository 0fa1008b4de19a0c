// Several kernels and static device functions in one file; overloads; namespaces.
#include "check.h"

static __device__ int helper(int x)
{
    return x + 1;
}

static __device__ __noinline__ int far_helper(int x)
{
    return helper(x) * 2;
}

namespace one {
static __global__ void fill(int *p)
{
    p[threadIdx.x] = helper(threadIdx.x);
}
}

namespace two {
__global__ void fill(int *p)
{
    p[threadIdx.x] += far_helper(threadIdx.x);
}
}

__global__ void fill(int *p, int v)
{
    p[threadIdx.x] += v;
}

__global__ void fill(int *p, float v)
{
    p[threadIdx.x] += (int)(10 * v);
}

int main()
{
    int *p = shared_array<int>(32);
    one::fill<<<1, 32>>>(p);
    two::fill<<<1, 32>>>(p);
    fill<<<1, 32>>>(p, 100);
    fill<<<1, 32>>>(p, 0.5f);
    finish_kernels();
    for (int i = 0; i < 32; i++)
        CHECK(p[i] == 3 * (i + 1) + 105);
    return finish();
}
