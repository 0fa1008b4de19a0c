// status: 0
// stdout: 0 wrong
// What one thread has read of shared memory it must read again after a barrier.
#include <stdio.h>

__global__ void neighbours(int *out)
{
    __shared__ int a[65], b[65];
    int t = threadIdx.x;

    a[t] = b[t] = t;
    a[64] = b[64] = 0;
    for (int i = 0; i < 4; i += 2) {
        __syncthreads();
        b[t] = a[t + 1] + a[t];
        __syncthreads();
        a[t] = b[t + 1] + b[t];
    }
    out[t] = a[t];
}

int main(void)
{
    int *d, got[64], want[65], wrong = 0;

    for (int i = 0; i < 64; i++)
        want[i] = i;
    want[64] = 0;
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < 64; i++)
            want[i] += want[i + 1];
    cudaMalloc((void **)&d, sizeof got);
    neighbours<<<1, 64>>>(d);
    cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        wrong += got[i] != want[i];
    printf("%d wrong\n", wrong);
    return 0;
}
