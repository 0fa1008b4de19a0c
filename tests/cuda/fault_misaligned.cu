// status: 1
// stdout: cudaErrorMisalignedAddress 716
// stdout: cudaErrorMisalignedAddress 716
// stderr: smelt: kernel store: global write of 4 bytes at 0x ...
#include "say.h"

extern "C" __global__ void store(char *p)
{
    *(int *)(p + 1) = 1;
}

int main(void)
{
    char *p;
    cudaMalloc((void **)&p, 64);
    store<<<1, 1>>>(p);
    say_launch();
    return 0;
}
