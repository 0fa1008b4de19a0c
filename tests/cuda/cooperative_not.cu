// status: 1
// stdout: 710 device-side assert triggered
// stderr: cooperative_groups.h:0: this_grid().sync(): block: [0,0,0], thread: [0,0,0] Assertion ...
// stderr: smelt: kernel k: assertion `the launch is cooperative (cudaLaunchCooperativeKernel)` failed ...
#include <cooperative_groups.h>
#include <stdio.h>

__global__ void k()
{
    cooperative_groups::this_grid().sync();
}

int main()
{
    k<<<2, 32>>>();
    cudaError_t e = cudaDeviceSynchronize();
    printf("%d %s\n", e, cudaGetErrorString(e));
    return 0;
}
