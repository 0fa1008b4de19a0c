// An atomic whose result nobody wants is done before its warp's free, a barrier and a load, though the warp does not wait for it.
// status: 0
// stdout: own 0, of the block 256
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// timing
// options: --set sm.atom_blocks=off
#include "say.h"

__global__ void use(int *wrong, int *sum)
{
    __shared__ int *of_block;
    int *own = (int *)malloc(4);
    *own = 0;
    atomicAdd(own, 1);
    if (*own != 1)
        atomicAdd(wrong, 1);
    atomicAdd(own, 1);
    free(own);

    if (threadIdx.x == 0) {
        of_block = (int *)malloc(4);
        *of_block = 0;
    }
    __syncthreads();
    atomicAdd(of_block, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        *sum = *of_block;
        free(of_block);
    }
}

int main(void)
{
    int *d, h[2];
    cudaMalloc((void **)&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    use<<<1, 256>>>(d, d + 1);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("own %d, of the block %d\n", h[0], h[1]);
    say_launch();
    return 0;
}
