// status: 1
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// stdout: 7
// stderr: smelt: kernel store: ...
//
// cudaDeviceReset makes the device usable again, with variables as they were in the beginning;
// the run has failed all the same.
#include "say.h"

__device__ int start = 7;

extern "C" __global__ void store(int *p)
{
    *p = start;
    start = 8;
}

int main(void)
{
    int *p, v = 0;
    store<<<1, 1>>>(NULL);
    say_launch();
    SAY(cudaDeviceReset());
    cudaMalloc((void **)&p, sizeof *p);
    store<<<1, 1>>>(p);
    say_launch();
    cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
    printf("%d\n", v);
    cudaFree(p);
    return 0;
}
