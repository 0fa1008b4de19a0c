// A program in the manner of the samples of CUDA 5: helper_*.h.
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <math_constants.h>

#include "check.h"

__global__ void work(float *p)
{
    float2 v = make_float2(p[threadIdx.x], 1.0f);
    p[threadIdx.x] = dot(v, v) + length(v * 0.0f) + CUDART_PI_F;
}

int main(int argc, char **argv)
{
    int device = findCudaDevice(argc, (const char **)argv);
    CHECK(device == 0);
    StopWatchInterface *timer = NULL;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    float *p;
    checkCudaErrors(cudaMalloc((void **)&p, 32 * sizeof(float)));
    checkCudaErrors(cudaMemset(p, 0, 32 * sizeof(float)));
    work<<<1, 32>>>(p);
    getLastCudaError("work");
    checkCudaErrors(cudaDeviceSynchronize());
    sdkStopTimer(&timer);
    float host[32];
    checkCudaErrors(cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK(host[31] == 1.0f + CUDART_PI_F && sdkGetTimerValue(&timer) >= 0);
    sdkDeleteTimer(&timer);
    checkCudaErrors(cudaFree(p));
    return finish();
}
