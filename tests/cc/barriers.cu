// Barriers that count and vote, and memory fences.
#include "check.h"

__device__ volatile int data, flag;

__global__ void votes(int *out)
{
    int i = threadIdx.x;
    int count = __syncthreads_count(i % 3 == 0), all = __syncthreads_and(i < 96),
        any = __syncthreads_or(i == 95), none = __syncthreads_or(i > 95);
    if (i == 50)
        out[0] = count, out[1] = all != 0, out[2] = any != 0, out[3] = none;
}

__global__ void fences(int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data = 42;
        __threadfence();
        flag = 1;
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (!flag)
            ;
        __threadfence_block();
        __threadfence_system();
        *out = data;
    }
}

int main()
{
    int *out = shared_array<int>(4);
    votes<<<1, 96>>>(out);
    finish_kernels();
    CHECK(out[0] == 32 && out[1] == 1 && out[2] == 1 && out[3] == 0);
    fences<<<2, 32>>>(out);
    finish_kernels();
    CHECK(out[0] == 42);
    return finish();
}
