/*
 * helper_cuda.h -- checks and the choice of a device as the samples of CUDA 5 and later make them.
 * There is one device, so every way to choose gives 0.
 */
#ifndef SMELT_HELPER_CUDA_H
#define SMELT_HELPER_CUDA_H

#include <helper_string.h>

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

#define checkCudaErrors(call) cut_check_cuda((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) cut_check_cuda(cudaGetLastError(), (message), __FILE__, __LINE__)

/* Cores of an SM by compute capability, from the CUDA C Programming Guide. */
static inline int _ConvertSMVer2Cores(int major, int minor)
{
    switch (major) {
    case 1:
        return 8;
    case 2:
        return minor == 0 ? 32 : 48;
    case 3:
        return 192;
    case 5:
        return 128;
    case 6:
        return minor == 0 ? 64 : 128;
    default:
        return major == 8 && minor > 0 ? 128 : 64;
    }
}

static inline int gpuDeviceInit(int device)
{
    checkCudaErrors(cudaSetDevice(device));
    return device;
}

static inline int gpuGetMaxGflopsDeviceId(void)
{
    return 0;
}

static inline int findCudaDevice(int argc, const char **argv)
{
    (void)argc, (void)argv;
    return gpuDeviceInit(0);
}

static inline bool checkCudaCapabilities(int major, int minor)
{
    struct cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, 0));
    return prop.major > major || (prop.major == major && prop.minor >= minor);
}

#endif
