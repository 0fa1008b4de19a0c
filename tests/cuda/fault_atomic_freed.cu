// A warp frees what another's atomic is under way to: the slice finds nothing there.
// status: 1
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stderr: smelt: kernel race: global write of 4 bytes at 0x120010000 is out of bounds: inside the freed heap block 0x120010000..0x120010003 (fault_atomic_freed: ...
// timing
#include "say.h"

__global__ void race(int *out)
{
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = (int *)malloc(4);
    __syncthreads();
    int *q = p;
    if (threadIdx.x == 0)
        *out = atomicAdd(q, 1);
    else if (threadIdx.x == 32)
        free(q);
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 4);
    race<<<1, 64>>>(out);
    say_launch();
    return 0;
}
