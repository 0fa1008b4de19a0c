/* sgemm.cu -- C = A * B, n x n, in 16 x 16 tiles of shared memory. */
#include "device.cuh"

extern "C" __global__ void sgemm(const float *a, const float *b, float *c, int n)
{
    static __shared__ float ta[16][16], tb[16][16];
    unsigned x = thread_x(), y = thread_y();
    unsigned row = block_y() * 16 + y, col = block_x() * 16 + x;
    float sum = 0;

    for (unsigned k = 0; k < (unsigned)n; k += 16) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum = __builtin_fmaf(ta[y][i], tb[i][x], sum);
        __syncthreads();
    }
    c[row * n + col] = sum;
}
