// status: 1
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stderr: smelt: kernel store: global write of 4 bytes at 0x180 is out of bounds: right after variable first 0x100..0x17f ...
//
// One element too far in a variable whose neighbour follows at once, by way of a pointer in memory.
#include "say.h"

__device__ int first[32], second[32];
__device__ int *where = first;

extern "C" __global__ void store(int n)
{
    if (threadIdx.x < n)
        where[threadIdx.x] = second[threadIdx.x % 32];
}

int main(void)
{
    store<<<1, 64>>>(33);
    say_launch();
    return 0;
}
