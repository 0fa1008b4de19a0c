// status: 1
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stderr: smelt: kernel store: global write of 4 bytes at 0x0 is out of bounds: ...
//
// The error stays, whatever the program asks for; it ends with 0, smelt run does not.
#include "say.h"

extern "C" __global__ void store(int *p)
{
    p[threadIdx.x] = 1;
}

int main(void)
{
    void *p;
    store<<<1, 32>>>(NULL);
    say_launch();
    SAY(cudaMalloc(&p, 64));
    SAY(cudaGetLastError());
    return 0;
}
