// Dynamic shared memory, beside static one, with its size and a stream in the launch.
#include "check.h"

extern __shared__ int dynamic[];

__global__ void reverse(int *p, int n)
{
    __shared__ int offset[2];
    if (threadIdx.x < 2)
        offset[threadIdx.x] = 100 * threadIdx.x;
    float *second = (float *)&dynamic[n];
    dynamic[threadIdx.x] = p[threadIdx.x];
    second[threadIdx.x] = 0.5f * threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = dynamic[n - 1 - threadIdx.x] + (int)(2 * second[n - 1 - threadIdx.x]) + offset[1];
}

int main()
{
    const int n = 256;
    int *p = shared_array<int>(n);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    for (int i = 0; i < n; i++)
        p[i] = i;
    reverse<<<dim3(1), dim3(n), n * (sizeof(int) + sizeof(float)), stream>>>(p, n);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    for (int i = 0; i < n; i++)
        CHECK(p[i] == 2 * (n - 1 - i) + 100);
    return finish();
}
