/*
 * stray.cu -- accesses out of bounds of every kind from all SMs, at times that differ: which of them
 * is the first of its line must not depend on the host.
 */
#include <cuda_runtime.h>
#include <stdio.h>

__device__ int variable[4];

__global__ void stray(int *buffer, const int *mapped, int n, int *sum)
{
    __shared__ int tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;

    tile[threadIdx.x] = i;
    for (int k = 0; k < blockIdx.x % 7; k++)
        v += buffer[(i * 13 + k) % n];
    v += buffer[i + 32];
    v += mapped[i % 80];
    v += variable[i % 6];
    v += tile[threadIdx.x + 8];
    buffer[i - 32] = v;
    atomicAdd(&buffer[i + 64], 1);
    __syncthreads();
    atomicAdd(sum, v);
}

/* Some of its atomics arrive when their memory is gone. */
__global__ void late(int *sum)
{
    __shared__ int *p;

    if (threadIdx.x == 0)
        p = (int *)malloc(sizeof *p);
    __syncthreads();
    if (threadIdx.x == 32) {
        free(p);
    } else if (threadIdx.x == 0) {
        for (int i = 0; i < 20; i++)
            atomicAdd(sum, atomicAdd(p, 1) & 0);
    }
}

int main(int argc, char **)
{
    int *buffer, *mapped, *sum, have;
    const int n = 64 * 60;

    cudaMalloc((void **)&buffer, n * sizeof *buffer);
    cudaMemset(buffer, 1, n * sizeof *buffer);
    cudaMallocHost((void **)&mapped, 64 * sizeof *mapped);
    for (int i = 0; i < 64; i++)
        mapped[i] = i;
    cudaMalloc((void **)&sum, sizeof *sum);
    stray<<<60, 64>>>(buffer, mapped, n, sum);
    if (argc == 1)
        late<<<8, 64>>>(sum);
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(&have, sum, sizeof have, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorName(e), have);
    return e != cudaSuccess;
}
