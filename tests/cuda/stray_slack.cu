// status: 1
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// stdout: cudaErrorIllegalAddress 700
// stdout: cudaErrorIllegalAddress 700
// stderr: smelt: kernel touch: global read of 4 bytes at 0xc0010000 is out of bounds: 65436 bytes after buffer 0xc0000000..0xc0000063 ...
// stderr: smelt: warning: 1 read and 0 writes of threads were out of bounds: they read 0 and wrote nothing (mem.bounds)
// options: -g tiny --set mem.bounds=slack
//
// Within mem.slack bytes of a buffer a read is counted and not told; farther it is an error.
#include "say.h"

extern "C" __global__ void touch(const int *in, int *out, int i)
{
    *out = in[i];
}

int main(void)
{
    int *p;

    cudaMalloc((void **)&p, 100);
    touch<<<1, 1>>>(p, p, 25);
    say_launch();
    touch<<<1, 1>>>(p, p, 16384);
    say_launch();
    return 0;
}
