// __launch_bounds__, of one and of two numbers, and what cudaFuncGetAttributes then says.
#include "check.h"

__global__ void __launch_bounds__(128) small(int *p)
{
    p[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(256, 2) two(int *p)
{
    p[threadIdx.x] = 2;
}

int main()
{
    int *p = shared_array<int>(256);
    struct cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, small) == cudaSuccess && a.maxThreadsPerBlock == 128);
    CHECK(a.numRegs > 0);
    CHECK(cudaFuncSetCacheConfig(small, cudaFuncCachePreferL1) == cudaSuccess);
    two<<<1, 256>>>(p);
    small<<<1, 128>>>(p);
    finish_kernels();
    CHECK(p[127] == 1 && p[128] == 2 && p[255] == 2);
    return finish();
}
