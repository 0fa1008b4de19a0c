// status: 1
// stdout: cudaErrorHardwareStackError 714
// stdout: cudaErrorHardwareStackError 714
// stderr: smelt: kernel deep: calls are nested too deeply ...
#include "say.h"

__device__ __noinline__ int down(int n)
{
    if (n == 0)
        return 1;
    int below = down(n - 1); // used twice: no compiler makes a loop of this

    return below / 3 + below * n;
}

extern "C" __global__ void deep(int *p)
{
    *p = down(1000000);
}

int main(void)
{
    int *p;
    cudaMalloc((void **)&p, sizeof *p);
    deep<<<1, 1>>>(p);
    say_launch();
    return 0;
}
