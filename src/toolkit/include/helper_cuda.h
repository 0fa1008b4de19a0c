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

static inline const char *_cudaGetErrorEnum(cudaError_t error)
{
    return cudaGetErrorName(error);
}

/* Results of the driver and of other libraries are numbers, and 0 is well. */
static inline const char *_cudaGetErrorEnum(int)
{
    return "an error of a library";
}

template <class T> void check(T result, const char *call, const char *file, int line)
{
    if (!result)
        return;
    fprintf(stderr, "%s:%d: %s: %d (%s)\n", file, line, call, (int)result,
            _cudaGetErrorEnum(result));
    exit(EXIT_FAILURE);
}

static inline void __getLastCudaError(const char *message, const char *file, int line)
{
    cut_check_cuda(cudaGetLastError(), message, file, line);
}

/* As getLastCudaError, but the program goes on. */
static inline void __printLastCudaError(const char *message, const char *file, int line)
{
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, message, cudaGetErrorString(error));
}

#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

static inline int ftoi(float value)
{
    return (int)(value >= 0 ? value + 0.5f : value - 0.5f);
}

static inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
    static const char *const names[] = {"", "Tesla", "Fermi", "Kepler", "", "Maxwell", "Pascal"};
    if (major == 7)
        return minor < 5 ? "Volta" : "Turing";
    return major > 7 ? "Ampere" : names[major];
}

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

/* The simulated one has memory of its own. */
static inline int findIntegratedGPU(void)
{
    return -1;
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
