// extern "C" kernels and functions keep their names.
#include "check.h"

extern "C" __device__ int plain_function(int x)
{
    return 3 * x;
}

extern "C" __global__ void plain_kernel(int *p)
{
    p[threadIdx.x] = plain_function(threadIdx.x);
}

extern "C" int host_function(void)
{
    int *p = shared_array<int>(32);
    plain_kernel<<<1, 32>>>(p);
    finish_kernels();
    return p[11];
}

int main()
{
    CHECK(host_function() == 33);
    return finish();
}
