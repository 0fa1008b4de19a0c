// A kernel that polls what the host writes after the launch: the launch returns when the kernel has ended.
// status: 1
// stdout: cudaErrorLaunchTimeout 702
// stdout: cudaErrorLaunchTimeout 702
// stderr: smelt: kernel wait_for_host: waits for the host for ever: thread 0,0,0 of block 0,0,0 reads host memory at ...
// timing
#include "say.h"

extern "C" __global__ void wait_for_host(volatile int *flag)
{
    while (!*flag)
        ;
}

int main(void)
{
    int *flag;
    cudaMallocHost((void **)&flag, sizeof *flag);
    *flag = 0;
    wait_for_host<<<1, 32>>>(flag);
    *(volatile int *)flag = 1;
    say_launch();
    return 0;
}
