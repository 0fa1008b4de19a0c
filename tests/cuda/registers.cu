// status: 1
// options: --set sm.regs=4096
// stdout: cudaErrorLaunchOutOfResources 701
// stdout: cudaSuccess 0
// stderr: smelt: kernel many: a block needs ...
// stderr: smelt: warning: 1 launch or module of the program was refused: its results cannot be right
//
// 1024 threads with a few registers each do not fit into 4096 registers.
#include "say.h"

extern "C" __global__ void many(float *p)
{
    p[threadIdx.x] = p[threadIdx.x + 1] * p[threadIdx.x + 2] + p[threadIdx.x + 3];
}

int main(void)
{
    many<<<1, 1024>>>(NULL);
    say_launch();
    return 0;
}
