// assert in kernels: one that holds, and none with NDEBUG (the one that fails is tests/cuda's).
#include "check.h"

#include <assert.h>

__global__ void sure(int *p)
{
    assert(p && threadIdx.x < 32);
    p[threadIdx.x] = 1;
}

#define NDEBUG
#include <assert.h>

__global__ void unsure(int *p)
{
    assert(p == NULL);
    p[threadIdx.x]++;
}

int main()
{
    int *p = shared_array<int>(32);
    sure<<<1, 32>>>(p);
    unsure<<<1, 32>>>(p);
    finish_kernels();
    CHECK(p[5] == 2);
    return finish();
}
