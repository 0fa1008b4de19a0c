/* drv_memory.c -- the driver API's memory: allocations, copies, fills, arrays (see drv.h) */
#include <stdlib.h>
#include <string.h>

#include "rt/drv.h"

/* --- allocations --- */

static cudaError_t info(size_t *free_bytes, size_t *total)
{
    u64 f, t;

    if (!free_bytes || !total)
        return cudaErrorInvalidValue;
    rt_memory_info(&f, &t);
    *free_bytes = f, *total = t;
    return cudaSuccess;
}

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    DRV_API(info(free, total));
}
DRV_V2(cuMemGetInfo);

static cudaError_t mem_alloc(CUdeviceptr *p, size_t size)
{
    u64 addr;
    cudaError_t code = p && size ? rt_alloc(&addr, size) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *p = addr;
    return code;
}

CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
    DRV_API(mem_alloc(dptr, bytesize));
}
DRV_V2(cuMemAlloc);

static cudaError_t alloc_pitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height,
                               unsigned int element)
{
    u64 addr, row;

    if (!p || !pitch || !width || !height || (element != 4 && element != 8 && element != 16))
        return cudaErrorInvalidValue;
    cudaError_t code = rt_alloc_pitch(&addr, &row, width, height, 1);

    if (code == cudaSuccess)
        *p = addr, *pitch = row;
    return code;
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes)
{
    DRV_API(alloc_pitch(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes));
}
DRV_V2(cuMemAllocPitch);

static cudaError_t alloc_managed(CUdeviceptr *p, size_t size, unsigned int flags)
{
    void *at;

    if (!p || !size || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return cudaErrorInvalidValue;
    cudaError_t code = rt_host_alloc(&at, size, RT_MANAGED, flags);

    if (code == cudaSuccess)
        *p = (CUdeviceptr)(uintptr_t)at;
    return code;
}

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
    DRV_API(alloc_managed(dptr, bytesize, flags));
}

CUresult cuMemFree(CUdeviceptr dptr)
{
    DRV_API(dptr ? rt_release(dptr, cudaErrorInvalidValue) : cudaErrorInvalidValue);
}
DRV_V2(cuMemFree);

static cudaError_t address_range(CUdeviceptr *base, size_t *size, CUdeviceptr p)
{
    const struct span *s = vmem_find(&rt.dev->mem, p);

    if (!s)
        return cudaErrorSymbolNotFound;
    if (base)
        *base = s->lo;
    if (size)
        *size = s->size;
    return cudaSuccess;
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
    DRV_API(address_range(pbase, psize, dptr));
}
DRV_V2(cuMemGetAddressRange);

static cudaError_t alloc_host(void **p, size_t size, unsigned int flags)
{
    const unsigned int known =
        CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;

    return p && size && !(flags & ~known) ? rt_host_alloc(p, size, RT_PINNED, flags)
                                          : cudaErrorInvalidValue;
}

CUresult cuMemAllocHost(void **pp, size_t bytesize)
{
    DRV_API(alloc_host(pp, bytesize, 0));
}
DRV_V2(cuMemAllocHost);

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
    DRV_API(alloc_host(pp, bytesize, Flags));
}

CUresult cuMemFreeHost(void *p)
{
    DRV_API(rt_host_release(p, RT_PINNED, cudaErrorInvalidValue));
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
    DRV_API(rt_host_register(p, bytesize, Flags));
}
DRV_V2(cuMemHostRegister);

CUresult cuMemHostUnregister(void *p)
{
    DRV_API(rt_host_release(p, RT_REGISTERED, cudaErrorHostMemoryNotRegistered));
}

static cudaError_t host_device_pointer(CUdeviceptr *device, void *host, unsigned int flags)
{
    if (!device || flags || !rt_host_find(host))
        return cudaErrorInvalidValue;
    *device = (CUdeviceptr)(uintptr_t)host;
    return cudaSuccess;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
    DRV_API(host_device_pointer(pdptr, p, Flags));
}
DRV_V2(cuMemHostGetDevicePointer);

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
    DRV_API(rt_host_flags(pFlags, p));
}

/* --- copies --- */

static cudaError_t mem_copy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                            CUstream stream)
{
    return rt_copy(to, from, n, kind, stream);
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    DRV_API(rt_waited(
        mem_copy(drv_pointer(dst), drv_pointer(src), ByteCount, cudaMemcpyDefault, NULL)));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
    DRV_ASYNC(mem_copy(drv_pointer(dst), drv_pointer(src), ByteCount, cudaMemcpyDefault, hStream));
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
    DRV_API(rt_waited(
        mem_copy(drv_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, NULL)));
}
DRV_V2(cuMemcpyHtoD);

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    DRV_API(rt_waited(
        mem_copy(dstHost, drv_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost, NULL)));
}
DRV_V2(cuMemcpyDtoH);

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
    DRV_API(rt_waited(mem_copy(drv_pointer(dstDevice), drv_pointer(srcDevice), ByteCount,
                               cudaMemcpyDeviceToDevice, NULL)));
}
DRV_V2(cuMemcpyDtoD);

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                           CUstream hStream)
{
    DRV_ASYNC(
        mem_copy(drv_pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, hStream));
}
DRV_V2(cuMemcpyHtoDAsync);

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
    DRV_ASYNC(
        mem_copy(dstHost, drv_pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost, hStream));
}
DRV_V2(cuMemcpyDtoHAsync);

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                           CUstream hStream)
{
    DRV_ASYNC(mem_copy(drv_pointer(dstDevice), drv_pointer(srcDevice), ByteCount,
                       cudaMemcpyDeviceToDevice, hStream));
}
DRV_V2(cuMemcpyDtoDAsync);

struct end { /* of a copy, as the two descriptors name it */
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

static cudaError_t side_of(const struct end *e, const struct rt_box *box, struct rt_side *s)
{
    u64 start = e->type == CU_MEMORYTYPE_HOST ? (u64)(uintptr_t)e->host : e->device;

    if (e->type == CU_MEMORYTYPE_ARRAY)
        return rt_array_side((struct cudaArray *)e->array, e->x, e->y, e->z, box, s);
    if (e->type < CU_MEMORYTYPE_HOST || e->type > CU_MEMORYTYPE_UNIFIED)
        return cudaErrorInvalidValue;
    struct cudaPitchedPtr p = {.pitch = e->pitch, .ysize = e->height};
    const struct cudaPos pos = {e->x, e->y, e->z};
    cudaError_t code;

    p.ptr = drv_pointer(start);
    if (!e->pitch && __builtin_add_overflow(e->x, box->width, &p.pitch))
        return cudaErrorInvalidValue;
    code = rt_pitched_side(s, &p, &pos, box);
    if (code != cudaSuccess)
        return code;
    s->device = e->type == CU_MEMORYTYPE_UNIFIED ? rt_is_device(drv_pointer(e->device))
                                                 : e->type == CU_MEMORYTYPE_DEVICE;
    return cudaSuccess;
}

static cudaError_t copy_ends(const struct end *to, const struct end *from, const struct rt_box *box,
                             CUstream stream)
{
    struct rt_side dst = {0}, src = {0};
    cudaError_t code = rt_stream_check(stream);

    if (code == cudaSuccess)
        code = side_of(to, box, &dst);
    if (code == cudaSuccess)
        code = side_of(from, box, &src);
    return code == cudaSuccess ? rt_copy_box(&dst, &src, box, stream) : code;
}

static cudaError_t mem_copy_2d(const CUDA_MEMCPY2D *c, CUstream stream)
{
    if (!c)
        return cudaErrorInvalidValue;
    const struct end to = {
        c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0,
        c->dstPitch,      0};
    const struct end from = {
        c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0,
        c->srcPitch,      0};
    const struct rt_box box = {c->WidthInBytes, c->Height, 1};

    return copy_ends(&to, &from, &box, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
    DRV_API(rt_waited(mem_copy_2d(pCopy, NULL)));
}
DRV_V2(cuMemcpy2D);

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
    DRV_API(rt_waited(mem_copy_2d(pCopy, NULL)));
}
DRV_V2(cuMemcpy2DUnaligned);

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
    DRV_ASYNC(mem_copy_2d(pCopy, hStream));
}
DRV_V2(cuMemcpy2DAsync);

static cudaError_t mem_copy_3d(const CUDA_MEMCPY3D *c)
{
    if (!c)
        return cudaErrorInvalidValue;
    const struct end to = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes,
                           c->dstY,          c->dstZ,    c->dstPitch,  c->dstHeight};
    const struct end from = {c->srcMemoryType, c->srcHost,     c->srcDevice,
                             c->srcArray,      c->srcXInBytes, c->srcY,
                             c->srcZ,          c->srcPitch,    c->srcHeight};
    const struct rt_box box = {c->WidthInBytes, c->Height, c->Depth};

    return copy_ends(&to, &from, &box, NULL);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy)
{
    DRV_API(rt_waited(mem_copy_3d(pCopy)));
}
DRV_V2(cuMemcpy3D);

static cudaError_t copy_array(CUarray array, size_t offset, const void *host, size_t n, bool in)
{
    const struct rt_box box = {n, 1, 1};
    struct rt_side dev = {0}, mem = {.at = (u64)(uintptr_t)host, .pitch = n};
    cudaError_t code = rt_array_side((struct cudaArray *)array, offset, 0, 0, &box, &dev);

    if (code != cudaSuccess)
        return code;
    return rt_waited(in ? rt_copy_box(&dev, &mem, &box, NULL)
                        : rt_copy_box(&mem, &dev, &box, NULL));
}

CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)
{
    DRV_API(copy_array(dstArray, dstOffset, srcHost, ByteCount, true));
}
DRV_V2(cuMemcpyHtoA);

CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    DRV_API(copy_array(srcArray, srcOffset, dstHost, ByteCount, false));
}
DRV_V2(cuMemcpyAtoH);

/* --- fills --- */

static cudaError_t mem_set(CUdeviceptr p, size_t pitch, const void *unit, u32 unit_bytes, size_t n,
                           size_t rows, CUstream stream)
{
    const struct rt_box box = {n * unit_bytes, rows, 1};
    cudaError_t code = n <= SIZE_MAX / unit_bytes ? rt_stream_check(stream) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    if (p % unit_bytes || (rows > 1 && (pitch < box.width || pitch % unit_bytes)))
        return rt_fail_text(cudaErrorInvalidValue, "0x%llx is no multiple of %u", p, unit_bytes);
    return rt_fill(p, rows > 1 ? pitch : box.width, 0, &box, unit, unit_bytes, stream);
}

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
    DRV_API(mem_set(dstDevice, 0, &uc, sizeof uc, N, 1, NULL));
}
DRV_V2(cuMemsetD8);

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
    DRV_API(mem_set(dstDevice, 0, &us, sizeof us, N, 1, NULL));
}
DRV_V2(cuMemsetD16);

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
    DRV_API(mem_set(dstDevice, 0, &ui, sizeof ui, N, 1, NULL));
}
DRV_V2(cuMemsetD32);

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)
{
    DRV_ASYNC(mem_set(dstDevice, 0, &uc, sizeof uc, N, 1, hStream));
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)
{
    DRV_ASYNC(mem_set(dstDevice, 0, &us, sizeof us, N, 1, hStream));
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)
{
    DRV_ASYNC(mem_set(dstDevice, 0, &ui, sizeof ui, N, 1, hStream));
}

CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                      size_t Height)
{
    DRV_API(mem_set(dstDevice, dstPitch, &uc, sizeof uc, Width, Height, NULL));
}
DRV_V2(cuMemsetD2D8);

CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                       size_t Height)
{
    DRV_API(mem_set(dstDevice, dstPitch, &us, sizeof us, Width, Height, NULL));
}
DRV_V2(cuMemsetD2D16);

CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                       size_t Height)
{
    DRV_API(mem_set(dstDevice, dstPitch, &ui, sizeof ui, Width, Height, NULL));
}
DRV_V2(cuMemsetD2D32);

/* --- arrays --- */

static cudaError_t array_new(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    struct cudaChannelFormatDesc desc;
    struct cudaArray *a;

    if (!out || !d || !drv_channels(d->Format, d->NumChannels, &desc))
        return cudaErrorInvalidValue;
    cudaError_t code = rt_array_new(&a, &desc, d->Width, d->Height, d->Depth, d->Flags);

    if (code == cudaSuccess)
        *out = (CUarray)a;
    return code;
}

CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
    DRV_API(array_new(pHandle, pAllocateArray));
}
DRV_V2(cuArray3DCreate);

static cudaError_t array_2d(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
    CUDA_ARRAY3D_DESCRIPTOR full = {0};

    if (!d)
        return cudaErrorInvalidValue;
    full.Width = d->Width, full.Height = d->Height;
    full.Format = d->Format, full.NumChannels = d->NumChannels;
    return array_new(out, &full);
}

CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)
{
    DRV_API(array_2d(pHandle, pAllocateArray));
}
DRV_V2(cuArrayCreate);

static CUarray_format format_of(const struct cudaChannelFormatDesc *d)
{
    static const CUarray_format integer[2][3] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32},
        {CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT32},
    };

    if (d->f == cudaChannelFormatKindFloat)
        return CU_AD_FORMAT_FLOAT;
    return integer[d->f == cudaChannelFormatKindSigned][d->x == 8 ? 0 : d->x == 16 ? 1 : 2];
}

static cudaError_t array_descriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray array)
{
    const struct cudaArray *a = (struct cudaArray *)array;

    if (!d)
        return cudaErrorInvalidValue;
    if (!rt_array_is_live(a))
        return cudaErrorInvalidResourceHandle;
    d->Width = a->width, d->Height = a->height;
    d->Format = format_of(&a->desc);
    d->NumChannels = a->element * 8 / (unsigned int)a->desc.x;
    return cudaSuccess;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    DRV_API(array_descriptor(pArrayDescriptor, hArray));
}
DRV_V2(cuArrayGetDescriptor);

CUresult cuArrayDestroy(CUarray hArray)
{
    DRV_API(hArray ? rt_array_delete((struct cudaArray *)hArray) : cudaErrorInvalidResourceHandle);
}
