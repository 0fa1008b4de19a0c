/*
 * cuda_device_runtime_api.h -- what kernels would launch kernels by: declared, since libraries for
 * host and device mention it in the host's turn, and defined nowhere (docs/MODEL.md).
 */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include <cuda_runtime_api.h>

#if defined(__CUDA__) && defined(__cplusplus)
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *func, void *params, dim3 grid, dim3 block,
                                        unsigned int shared, cudaStream_t stream);
}
#endif

#endif
