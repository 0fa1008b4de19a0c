// status: 1
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stderr: smelt: kernel store: global write of 4 bytes at 0x ...
//
// One element too far; the line of this file is named.
#include "say.h"

extern "C" __global__ void store(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        p[i] = i;
}

int main(void)
{
    int *p;
    cudaMalloc((void **)&p, 100 * sizeof *p);
    store<<<4, 32>>>(p, 100);
    say_launch();
    return 0;
}
