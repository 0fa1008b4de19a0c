// status: 1
// stdout: cudaErrorLaunchTimeout 702
// stdout: cudaErrorLaunchTimeout 702
// stderr: smelt: kernel wait: deadlock: ...
//
// Half of the warps wait at a barrier that the other half never comes to.
#include "say.h"

extern "C" __global__ void wait()
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;");
}

int main(void)
{
    wait<<<1, 64>>>();
    say_launch();
    return 0;
}
