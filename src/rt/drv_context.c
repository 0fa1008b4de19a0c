/* drv_context.c -- the driver API's start, its device and contexts (see drv.h) */
#include <stdlib.h>
#include <string.h>

#include "rt/drv.h"
#include "rt/rt_queue.h"

struct CUctx_st {
    u32 refs;
};

static bool initialised;
static struct rt_handles contexts; /* those that the program created */
static struct CUctx_st primary;

enum { STACK = 64 };
static __thread struct CUctx_st *stack[STACK];
static __thread u32 depth;

/* --- the frame --- */

CUresult drv_result(cudaError_t e)
{
    switch (e) {
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidResourceHandle:
        return CUDA_ERROR_INVALID_HANDLE;
    default:
        if (rt_error_name((int)e, true))
            return (CUresult)e;
        return rt_error_name((int)e, false) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_UNKNOWN;
    }
}

static bool context_is_live(const struct CUctx_st *c)
{
    return c == &primary || rt_handle_is_live(&contexts, c);
}

static struct CUctx_st *current(void)
{
    if (depth && context_is_live(stack[depth - 1]))
        return stack[depth - 1];
    return !depth && rt.runtime_used ? &primary : NULL;
}

CUresult drv_enter(const char *call)
{
    rt_lock(call);
    if (rt.lost)
        return CUDA_ERROR_OUT_OF_MEMORY;
    return initialised || rt.runtime_used ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult drv_enter_async(const char *call)
{
    CUresult r = drv_enter(call);

    if (r == CUDA_SUCCESS && !current())
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (r != CUDA_SUCCESS)
        return r;
    rt_start();
    return (CUresult)rt.sticky;
}

CUresult drv_enter_context(const char *call)
{
    CUresult r = drv_enter_async(call);

    if (r != CUDA_SUCCESS)
        return r;
    rt_queue_finish();
    return (CUresult)rt.sticky;
}

CUresult drv_leave(CUresult r)
{
    rt_unlock();
    return r;
}

/* --- errors, start, device --- */

CUresult cuGetErrorName(CUresult error, const char **pStr)
{
    *pStr = rt_error_name((int)error, true);
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    *pStr = rt_error_name((int)error, true) ? rt_error_text((int)error) : NULL;
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuInit(unsigned int Flags)
{
    rt_lock(__func__);
    if (!Flags)
        initialised = true;
    return drv_leave(Flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult cuDriverGetVersion(int *driverVersion)
{
    if (!driverVersion)
        return CUDA_ERROR_INVALID_VALUE;
    *driverVersion = RT_VERSION;
    return CUDA_SUCCESS;
}

static CUresult give_value(int *to, int value)
{
    if (!to)
        return CUDA_ERROR_INVALID_VALUE;
    *to = value;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    CUresult r = drv_enter(__func__);

    return drv_leave(r == CUDA_SUCCESS ? give_value(count, 1) : r);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS)
        r = ordinal == RT_DEVICE ? give_value(device, RT_DEVICE) : CUDA_ERROR_INVALID_DEVICE;
    return drv_leave(r);
}

/* Properties need a device, but no context. */
static CUresult enter_device(const char *call, CUdevice dev, struct cudaDeviceProp *p)
{
    CUresult r = drv_enter(call);

    if (r == CUDA_SUCCESS && dev != RT_DEVICE)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (r == CUDA_SUCCESS) {
        rt_start();
        r = rt.lost ? CUDA_ERROR_OUT_OF_MEMORY : r;
    }
    if (r == CUDA_SUCCESS)
        rt_properties(p);
    return r;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    struct cudaDeviceProp p;
    CUresult r = name && len > 0 ? enter_device(__func__, dev, &p) : CUDA_ERROR_INVALID_VALUE;

    if (!name || len <= 0)
        return r;
    if (r == CUDA_SUCCESS)
        snprintf(name, (size_t)len, "%s", p.name);
    return drv_leave(r);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    struct cudaDeviceProp p;
    CUresult r = enter_device(__func__, dev, &p);

    if (r == CUDA_SUCCESS && bytes)
        *bytes = p.totalGlobalMem;
    return drv_leave(bytes ? r : CUDA_ERROR_INVALID_VALUE);
}
DRV_V2(cuDeviceTotalMem);

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
    struct cudaDeviceProp p;
    CUresult r = enter_device(__func__, dev, &p);

    return drv_leave(r == CUDA_SUCCESS ? drv_result(rt_attribute(pi, (int)attrib)) : r);
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
    struct cudaDeviceProp p;
    CUresult r = enter_device(__func__, dev, &p);

    if (r == CUDA_SUCCESS && prop) {
        prop->maxThreadsPerBlock = p.maxThreadsPerBlock;
        memcpy(prop->maxThreadsDim, p.maxThreadsDim, sizeof prop->maxThreadsDim);
        memcpy(prop->maxGridSize, p.maxGridSize, sizeof prop->maxGridSize);
        prop->sharedMemPerBlock = (int)p.sharedMemPerBlock;
        prop->totalConstantMemory = (int)p.totalConstMem;
        prop->SIMDWidth = p.warpSize;
        prop->memPitch = (int)p.memPitch;
        prop->regsPerBlock = p.regsPerBlock;
        prop->clockRate = p.clockRate;
        prop->textureAlign = (int)p.textureAlignment;
    }
    return drv_leave(prop ? r : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    struct cudaDeviceProp p;
    CUresult r = enter_device(__func__, dev, &p);

    if (r == CUDA_SUCCESS)
        r = give_value(major, p.major);
    if (r == CUDA_SUCCESS)
        r = give_value(minor, p.minor);
    return drv_leave(r);
}

/* --- contexts --- */

static CUresult push_context(struct CUctx_st *c)
{
    if (depth == STACK)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack[depth++] = c;
    return CUDA_SUCCESS;
}

static CUresult create_context(CUcontext *c, unsigned int flags, CUdevice dev)
{
    if (!c || flags & ~(unsigned int)cudaDeviceMask)
        return CUDA_ERROR_INVALID_VALUE;
    if (dev != RT_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    rt_start();
    if (rt.lost)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *c = xcalloc(1, sizeof **c);
    (*c)->refs = 1;
    rt_handle_add(&contexts, *c);
    return push_context(*c);
}

CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    RT_FRAME(CUresult, drv_enter, drv_leave, CUDA_SUCCESS, drv_result,
             create_context(pctx, flags, dev));
}
DRV_V2(cuCtxCreate);

/* With the last context goes everything that was made in one, and a fault is forgiven. */
static CUresult reset_if_last(void)
{
    if (contexts.live.n || primary.refs || rt.runtime_used || !rt.dev)
        return CUDA_SUCCESS;
    drv_modules_forget();
    return drv_result(rt_reset());
}

static CUresult destroy_context(CUcontext c)
{
    if (!rt_handle_is_live(&contexts, c))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (depth && stack[depth - 1] == c)
        depth--;
    rt_handle_remove(&contexts, c);
    free(c);
    return reset_if_last();
}

CUresult cuCtxDestroy(CUcontext ctx)
{
    CUresult r = drv_enter(__func__);

    return drv_leave(r == CUDA_SUCCESS ? destroy_context(ctx) : r);
}
DRV_V2(cuCtxDestroy);

CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags)
{
    CUresult r = drv_enter_context(__func__);

    if (r == CUDA_SUCCESS && (!pctx || flags))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS) {
        *pctx = current();
        (*pctx)->refs++;
    }
    return drv_leave(r);
}

CUresult cuCtxDetach(CUcontext ctx)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && !context_is_live(ctx))
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (r == CUDA_SUCCESS && --ctx->refs == 0 && ctx != &primary)
        r = destroy_context(ctx);
    return drv_leave(r);
}

CUresult cuCtxPushCurrent(CUcontext ctx)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS)
        r = context_is_live(ctx) ? push_context(ctx) : CUDA_ERROR_INVALID_CONTEXT;
    return drv_leave(r);
}
DRV_V2(cuCtxPushCurrent);

CUresult cuCtxPopCurrent(CUcontext *pctx)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && !depth)
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (r == CUDA_SUCCESS) {
        depth--;
        if (pctx)
            *pctx = stack[depth];
    }
    return drv_leave(r);
}
DRV_V2(cuCtxPopCurrent);

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && ctx && !context_is_live(ctx))
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (r == CUDA_SUCCESS && depth)
        depth--;
    return drv_leave(r == CUDA_SUCCESS && ctx ? push_context(ctx) : r);
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && pctx)
        *pctx = current();
    return drv_leave(pctx ? r : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    CUresult r = drv_enter_context(__func__);

    return drv_leave(r == CUDA_SUCCESS ? give_value(device, RT_DEVICE) : r);
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && ctx && !context_is_live(ctx))
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (r == CUDA_SUCCESS && version)
        *version = RT_VERSION;
    return drv_leave(version ? r : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuCtxSynchronize(void)
{
    DRV_ASYNC(rt_synchronize());
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    DRV_API(rt_set_limit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
    DRV_API(rt_get_limit(pvalue, (enum cudaLimit)limit));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    DRV_API(config > CU_FUNC_CACHE_PREFER_EQUAL ? cudaErrorInvalidValue : cudaSuccess);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && dev != RT_DEVICE)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (r == CUDA_SUCCESS && pctx) {
        rt_start();
        primary.refs++;
        *pctx = &primary;
    }
    return drv_leave(pctx ? r : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && dev != RT_DEVICE)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (r == CUDA_SUCCESS && !primary.refs)
        r = CUDA_ERROR_INVALID_CONTEXT;
    if (r == CUDA_SUCCESS && --primary.refs == 0)
        r = reset_if_last();
    return drv_leave(r);
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    CUresult r = drv_enter(__func__);

    if (r == CUDA_SUCCESS && dev != RT_DEVICE)
        r = CUDA_ERROR_INVALID_DEVICE;
    if (r == CUDA_SUCCESS && rt.dev) {
        drv_modules_forget();
        r = drv_result(rt_reset());
    }
    return drv_leave(r);
}
