// status: 1
// stdout: 720 too many blocks in cooperative launch
// stdout: 0 no error
// stdout: 801 operation not supported
// options: -g tiny
// stderr: smelt: cudaLaunchCooperativeKernel: kernel spin: a cooperative launch of 1000 blocks; the GPU holds 8, 4 on each of 2 SMs (CTAs)
// stderr: smelt: cudaLaunchCooperativeKernelMultiDevice is not supported
// stderr: smelt: warning: 1 launch or module of the program was refused: its results cannot be right
#include <cooperative_groups.h>
#include <stdio.h>

__global__ void spin()
{
    cooperative_groups::this_grid().sync();
}

static void say(cudaError_t e)
{
    printf("%d %s\n", e, cudaGetErrorString(e));
}

int main()
{
    say(cudaLaunchCooperativeKernel(spin, 1000, 32, NULL));
    cudaGetLastError();
    say(cudaLaunchCooperativeKernel(spin, 2, 32, NULL));
    say(cudaLaunchCooperativeKernelMultiDevice(NULL, 1, 0));
    return 0;
}
