/*
 * runtime.h -- functions of the runtime as C++ programs call them: with pointers of their own
 * types, variables and kernels by name.
 *
 * A kernel's or variable's name means an object on the host; the library knows it by its address.
 */
#ifndef SMELT_RUNTIME_H
#define SMELT_RUNTIME_H

/* --- memory --- */

template <class T> static inline cudaError_t cudaMalloc(T **p, size_t size)
{
    return cudaMalloc((void **)(void *)p, size);
}

template <class T>
static inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)p, pitch, width, height);
}

template <class T>
static inline cudaError_t cudaMallocHost(T **p, size_t size, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)(void *)p, size, flags);
}

template <class T> static inline cudaError_t cudaHostAlloc(T **p, size_t size, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)p, size, flags);
}

template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **p, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)p, host, flags);
}

template <class T>
static inline cudaError_t cudaMallocManaged(T **p, size_t size,
                                            unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)p, size, flags);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **p, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync((void **)(void *)p, size, stream);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **p, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)p, size, pool, stream);
}

template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **p, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)p, size, pool, stream);
}

/* --- variables of kernels --- */

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}

template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}

template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}

template <class T> static inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}

template <class T, class U> static inline cudaError_t cudaGetSymbolAddress(U **p, const T &symbol)
{
    return cudaGetSymbolAddress((void **)(void *)p, (const void *)&symbol);
}

template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return cudaGetSymbolSize(size, (const void *)&symbol);
}

/* --- kernels --- */

template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block, void **args,
                                           size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)func, grid, block, args, shared, stream);
}

template <class T>
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, T *func,
                                              void **args)
{
    return cudaLaunchKernelExC(config, (const void *)func, args);
}

#if __cplusplus >= 201103L
/* Arguments become what the kernel takes, as in a call. */
template <class T> struct __smelt_as_is {
    typedef T type;
};

template <class... Params>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Params...),
                                             typename __smelt_as_is<Params>::type... values)
{
    void *args[sizeof...(Params) + 1] = {(void *)&values..., 0};
    return cudaLaunchKernelExC(config, (const void *)kernel, args);
}
#endif

template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 grid, dim3 block, void **args,
                                                      size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)func, grid, block, args, shared, stream);
}

template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)func, config);
}

template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)func, config);
}

template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return cudaFuncSetAttribute((const void *)func, attr, value);
}

template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func)
{
    return cudaFuncGetAttributes(attr, (const void *)func);
}

template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, T *func, int block_size, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)func, block_size, shared);
}

/* The block size, a multiple of a warp, with which most threads are on an SM; the largest such. */
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size,
                                                             T *func, size_t shared = 0,
                                                             int limit = 0)
{
    struct cudaDeviceProp prop;
    struct cudaFuncAttributes attr;
    cudaError_t error = cudaGetDeviceProperties(&prop, 0);
    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&attr, func);
    if (error != cudaSuccess)
        return error;
    int most = attr.maxThreadsPerBlock, best = 0;
    if (limit > 0 && limit < most)
        most = limit;
    for (int size = most / prop.warpSize * prop.warpSize; size > 0; size -= prop.warpSize) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, func, size, shared);
        if (error != cudaSuccess)
            return error;
        if (blocks * size > best) {
            best = blocks * size;
            *block_size = size;
            *min_grid = blocks * prop.multiProcessorCount;
        }
    }
    return cudaSuccess;
}

/* --- others --- */

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

#include <channel_descriptor.h>

#endif
