// saxpy.cu -- y = a x + y on a simulated GPU: an ordinary CUDA program.
#include <stdio.h>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    const int n = 1 << 16;
    float *x, *y, sum = 0;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = 1, y[i] = 2;
    saxpy<<<(n + 255) / 256, 256>>>(n, 3, x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        sum += y[i];
    printf("mean %g\n", sum / n);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
