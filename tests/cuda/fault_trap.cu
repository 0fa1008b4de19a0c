// status: 1
// stdout: cudaErrorLaunchFailure 719
// stdout: cudaErrorLaunchFailure 719
// stderr: smelt: kernel stop: trap ...
#include "say.h"

extern "C" __global__ void stop()
{
    asm volatile("trap;");
}

int main(void)
{
    stop<<<1, 32>>>();
    say_launch();
    return 0;
}
