// A kernel that polls what the host writes after the launch: the launch returns when the kernel has ended.
// status: 1
// stdout: cudaErrorLaunchTimeout 702
// stdout: cudaErrorLaunchTimeout 702
// stderr: smelt: kernel wait_for_managed: waits for the host for ever: thread 0,0,0 of block 0,0,0 reads host memory at ...
#include "say.h"

extern "C" __global__ void wait_for_managed(volatile int *flag)
{
    while (!*flag)
        ;
}

int main(void)
{
    int *flag;
    cudaMallocManaged((void **)&flag, sizeof *flag);
    *flag = 0;
    wait_for_managed<<<1, 32>>>(flag);
    *(volatile int *)flag = 1;
    say_launch();
    return 0;
}
