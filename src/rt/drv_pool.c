/* drv_pool.c -- the driver API's memory pools: the runtime's, with its own codes */
#include "rt/drv.h"

static cudaError_t mem_alloc_from_pool(CUdeviceptr *p, size_t size, CUmemoryPool pool,
                                       CUstream stream)
{
    u64 addr;
    cudaError_t code = p && size ? rt_pool_alloc(&addr, size, pool, stream) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *p = addr;
    return code;
}

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
    DRV_API(mem_alloc_from_pool(dptr, bytesize, NULL, hStream));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
                                 CUstream hStream)
{
    DRV_API(pool ? mem_alloc_from_pool(dptr, bytesize, pool, hStream) : cudaErrorInvalidValue);
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
    DRV_API(rt_pool_free(dptr, hStream));
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)
{
    DRV_API(rt_pool_get(pool_out, dev, true));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
    DRV_API(rt_pool_get(pool, dev, false));
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
    DRV_API(rt_pool_set(dev, pool));
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
    DRV_API(poolProps ? rt_pool_new(pool) : cudaErrorInvalidValue);
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    DRV_API(rt_pool_delete(pool));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
    (void)minBytesToKeep;
    DRV_API(rt_pool_trim(pool));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    DRV_API(rt_pool_set_attribute(pool, (int)attr, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    DRV_API(rt_pool_get_attribute(pool, (int)attr, value));
}
