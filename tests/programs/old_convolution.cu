// A separable convolution as programs of the first SDKs were written: cutil and shrUtils, texture
// references, blanks within the marks of a launch, __mul24, warps that trust their lock step.
// options: -arch=sm_20 -Xptxas -dlcm=cg -use_fast_math
#include <cutil_inline.h>
#include <shrUtils.h>
#include <stdio.h>
#include <stdlib.h>

#include "verdict.h"

#define RADIUS 4
#define DATA_W 70
#define DATA_H 40
#define IMUL(a, b) __mul24(a, b)
#define TAPS _Pragma("unroll 9")

__constant__ float taps[2 * RADIUS + 1];
texture<float, 2, cudaReadModeElementType> tex_data;

////////////////////////////////////////////////////////////////////////////////////////////////////
// Rows by the texture, columns by shared memory
////////////////////////////////////////////////////////////////////////////////////////////////////
__global__ __device__ void convolve_rows(float *d_result, int w, int h)
{
    const int ix = IMUL(blockDim.x, blockIdx.x) + threadIdx.x;
    const int iy = IMUL(blockDim.y, blockIdx.y) + threadIdx.y;
    if (ix >= w || iy >= h)
        return;
    float sum = 0;
    TAPS
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += tex2D(tex_data, (float)ix + 0.5f + k, (float)iy + 0.5f) * taps[RADIUS - k];
    d_result[IMUL(iy, w) + ix] = sum;
}

__global__ void convolve_columns(float *d_result, const float *d_data, int w, int h)
{
    extern __shared__ float column[];
    const int ix = blockIdx.x, n = h + 2 * RADIUS;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int y = min(max(i - RADIUS, 0), h - 1);
        column[i] = d_data[IMUL(y, w) + ix];
    }
    __syncthreads();
    for (int y = threadIdx.x; y < h; y += blockDim.x) {
        float sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += column[y + RADIUS + k] * taps[RADIUS - k];
        d_result[IMUL(y, w) + ix] = sum;
    }
}

// The sum of all: within a warp without a barrier, as was usual.  Which warp a thread is in, the
// hardware is asked.
__global__ void sum_up(const float *d_data, int n, float *d_sum)
{
    __shared__ volatile float part[64];
    unsigned int lane;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    float v = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        v += d_data[i];
    part[lane] = v;
    part[lane + 32] = 0;
    part[lane] += part[lane + 16];
    part[lane] += part[lane + 8];
    part[lane] += part[lane + 4];
    part[lane] += part[lane + 2];
    part[lane] += part[lane + 1];
    if (lane == 0)
        *d_sum = part[0];
}

////////////////////////////////////////////////////////////////////////////////////////////////////
// Reference
////////////////////////////////////////////////////////////////////////////////////////////////////
static void convolve_host(float *to, const float *from, const float *kernel, int dx, int dy)
{
    for (int y = 0; y < DATA_H; y++)
        for (int x = 0; x < DATA_W; x++) {
            float sum = 0;
            for (int k = -RADIUS; k <= RADIUS; k++) {
                int at_x = MIN(MAX(x + k * dx, 0), DATA_W - 1);
                int at_y = MIN(MAX(y + k * dy, 0), DATA_H - 1);
                sum += from[at_y * DATA_W + at_x] * kernel[RADIUS - k];
            }
            to[y * DATA_W + x] = sum;
        }
}

int main(int argc, char **argv)
{
    const unsigned int n = DATA_W * DATA_H, bytes = n * sizeof(float);
    float kernel[2 * RADIUS + 1], norm = 0, sum = 0, total = 0;
    float *h_data = (float *)malloc(bytes), *h_rows = (float *)malloc(bytes);
    float *h_want = (float *)malloc(bytes), *h_have = (float *)malloc(bytes);
    float *d_rows, *d_result, *d_sum;
    cudaArray *a_data;
    unsigned int timer = 0;
    cudaSetDevice(cutGetMaxGflopsDeviceId());
    cutilCheckError(cutCreateTimer(&timer));
    shrSetLogFileName("old_convolution.txt");
    shrFillArray(h_data, n);
    for (int i = 0; i <= 2 * RADIUS; i++)
        norm += kernel[i] = expf(-(i - RADIUS + 0.5f) * (i - RADIUS + 0.5f) / 8);
    for (int i = 0; i <= 2 * RADIUS; i++)
        kernel[i] /= norm;

    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cutilSafeCall(cudaMallocArray(&a_data, &desc, DATA_W, DATA_H));
    cutilSafeCall(cudaMalloc((void **)&d_rows, bytes));
    cutilSafeCall(cudaMalloc((void **)&d_result, bytes));
    cutilSafeCall(cudaMalloc((void **)&d_sum, sizeof(float)));
    cutilSafeCall(cudaMemcpyToSymbol(taps, kernel, sizeof(kernel)));
    cutilSafeCall(cudaMemcpyToArray(a_data, 0, 0, h_data, bytes, cudaMemcpyHostToDevice));
    cutilSafeCall(cudaBindTextureToArray(tex_data, a_data));

    cutilCheckError(cutStartTimer(timer));
    dim3 threads(16, 12), grid(shrRoundUp(16, DATA_W) / 16, shrRoundUp(12, DATA_H) / 12);
    convolve_rows << < grid, threads >> > (d_rows, DATA_W, DATA_H);
    cutilCheckMsg("convolve_rows");
    convolve_columns << < DATA_W, 32, (DATA_H + 2 * RADIUS) * sizeof(float) >> > (d_result, d_rows,
                                                                                 DATA_W, DATA_H);
    cutilCheckMsg("convolve_columns");
    sum_up << < 1, 32 >> > (d_result, n, d_sum);
    cutilCheckMsg("sum_up");
    cutilSafeCall(cudaThreadSynchronize());
    cutilCheckError(cutStopTimer(timer));
    cutilSafeCall(cudaMemcpy(h_have, d_result, bytes, cudaMemcpyDeviceToHost));
    cutilSafeCall(cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost));

    convolve_host(h_rows, h_data, kernel, 1, 0);
    convolve_host(h_want, h_rows, kernel, 0, 1);
    for (unsigned int i = 0; i < n; i++) {
        expect("element", i, h_have[i], h_want[i], 1e-4);
        total += h_have[i];
    }
    expect("L2 norm is small:", n, cutCompareL2fe(h_want, h_have, n, 1e-5f), 1);
    expect("sum of elements", n, sum, total, 1e-4);
    expect("some time has passed:", 0, cutGetTimerValue(timer) > 0, 1);
    cutilSafeCall(cudaUnbindTexture(tex_data));
    cutilSafeCall(cudaFreeArray(a_data));
    cutilSafeCall(cudaFree(d_rows));
    cutilSafeCall(cudaFree(d_result));
    cutilSafeCall(cudaFree(d_sum));
    cutilCheckError(cutDeleteTimer(timer));
    free(h_data), free(h_rows), free(h_want), free(h_have);
    cudaThreadExit();
    return verdict();
}
