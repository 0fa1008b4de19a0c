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

    CUdevice driver = 9;
    checkCudaErrors(cuDeviceGet(&driver, 0));
    CHECK(driver == 0 && findIntegratedGPU() < 0 && ftoi(-2.5f) == -3 && ftoi(2.4f) == 2);
    CHECK(!strcmp(_cudaGetErrorEnum(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    CHECK(!strcmp(_ConvertSMVer2ArchName(3, 5), "Kepler") && _ConvertSMVer2Cores(2, 0) == 32);
    char name[] = "picture.old.pgm", *extension = NULL;
    CHECK(stringRemoveDelimiter('-', "--n=3") == 2 && !STRNCASECMP("ABC", "abd", 2));
    CHECK(getFileExtension(name, &extension) == 12 && !strcmp(extension, "pgm"));
    unsigned u[4] = {1, 2, 3, 4}, *again = NULL, len = 0;
    CHECK(sdkWriteFile("u.txt", u, 4, 0u, false) && sdkReadFile<unsigned>("u.txt", &again, &len, false));
    CHECK(len == 4 && again[3] == 4);
    free(again);
    sdkDumpBin(u, sizeof(u), "u.bin");
    u[3] = 6;
    sdkDumpBin(u, sizeof(u), "v.bin");
    CHECK(sdkCompareBin2BinUint("u.bin", "v.bin", 4, 2, 0, name));
    CHECK(!sdkCompareBin2BinUint("u.bin", "v.bin", 4, 1, 0, name));
    CHECK(sdkCompareBin2BinUint("u.bin", "v.bin", 4, 1, 0.25f, name));
    CHECK(!sdkCompareBin2BinFloat("u.bin", "no such file", 4, 1, 1, name));
    cudaMalloc((void **)&extension, (size_t)1 << 60);
    printLastCudaError("what is told on stderr, and no more");
    CHECK(cudaGetLastError() == cudaSuccess);
    checkCudaErrors(cudaFree(p));
    return finish();
}
