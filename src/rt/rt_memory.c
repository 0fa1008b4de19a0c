/*
 * rt_memory.c -- allocating: device memory, and host memory that kernels reach at its own address.
 *
 * Pinned, registered and managed memory are the same to the simulator: host memory mapped into the
 * device's address space.  So a kernel and the host see the same bytes at once, and no such memory
 * counts as device memory.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/rt_queue.h"

/* --- device memory --- */

cudaError_t rt_alloc(u64 *addr, u64 size)
{
    struct err e;

    *addr = size ? device_alloc(rt.dev, size, &e) : 0;
    return *addr || !size ? cudaSuccess : rt_fail(cudaErrorMemoryAllocation, &e);
}

cudaError_t rt_release(u64 addr, cudaError_t bad)
{
    struct rt_host *h = rt_host_find((void *)(uintptr_t)addr);
    struct err e;

    if (!addr)
        return cudaSuccess;
    rt_queue_wait_all();
    if (rt_host_is_managed(h))
        return rt_host_release((void *)(uintptr_t)addr, RT_MANAGED, bad);
    if (!vmem_is_own(&rt.dev->mem, addr))
        return rt_fail_text(bad, "free of an address of the host's, which is no live buffer");
    if (!device_release(rt.dev, addr, &e))
        return rt_fail(bad, &e);
    rt_pool_freed(addr);
    return cudaSuccess;
}

static cudaError_t malloc_device(void **p, size_t size)
{
    u64 addr = 0;
    cudaError_t code = p ? rt_alloc(&addr, size) : cudaErrorInvalidValue;

    if (p)
        *p = (void *)(uintptr_t)addr;
    return code;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    RT_API(malloc_device(devPtr, size));
}

cudaError_t cudaFree(void *devPtr)
{
    RT_API(rt_release((u64)(uintptr_t)devPtr, cudaErrorInvalidValue));
}

/* Rows start at multiples of this: GPUs of compute capability 2 and up use 512. */
u64 rt_pitch_align(void)
{
    return 512;
}

cudaError_t rt_alloc_pitch(u64 *addr, u64 *pitch, u64 width, u64 height, u64 depth)
{
    u64 size;

    *pitch = align_up(width, rt_pitch_align());
    if (*pitch < width || __builtin_mul_overflow(*pitch, height, &size) ||
        __builtin_mul_overflow(size, depth, &size))
        return rt_fail_text(cudaErrorMemoryAllocation,
                            "%" PRIu64 " x %" PRIu64 " x %" PRIu64
                            " bytes are more than any memory",
                            width, height, depth);
    return rt_alloc(addr, size);
}

static cudaError_t allocate_pitch(void **p, size_t *pitch, size_t width, size_t height)
{
    u64 addr, row;

    if (!p || !pitch)
        return cudaErrorInvalidValue;
    cudaError_t code = rt_alloc_pitch(&addr, &row, width, height, 1);

    if (code == cudaSuccess)
        *p = (void *)(uintptr_t)addr, *pitch = row;
    return code;
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    RT_API(allocate_pitch(devPtr, pitch, width, height));
}

static cudaError_t allocate_3d(struct cudaPitchedPtr *p, struct cudaExtent extent)
{
    u64 addr, row;

    if (!p)
        return cudaErrorInvalidValue;
    cudaError_t code = rt_alloc_pitch(&addr, &row, extent.width, extent.height, extent.depth);

    if (code == cudaSuccess)
        *p = make_cudaPitchedPtr((void *)(uintptr_t)addr, row, extent.width, extent.height);
    return code;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
    RT_API(allocate_3d(pitchedDevPtr, extent));
}

void rt_memory_info(u64 *free_bytes, u64 *total)
{
    const struct vmem *m = &rt.dev->mem;

    *total = m->size;
    *free_bytes = m->used < m->size ? m->size - m->used : 0;
}

static cudaError_t memory_info(size_t *free_bytes, size_t *total)
{
    u64 f, t;

    rt_memory_info(&f, &t);
    if (free_bytes)
        *free_bytes = f;
    if (total)
        *total = t;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    RT_API(memory_info(free, total));
}

/* --- host memory --- */

static VEC(struct rt_host) hosts;

static u8 *bytes_at(const void *p)
{
    return (u8 *)(uintptr_t)p;
}

struct rt_host *rt_host_find(const void *p)
{
    for (u32 i = 0; i < hosts.n; i++)
        if ((u64)(bytes_at(p) - hosts.at[i].at) < hosts.at[i].size)
            return &hosts.at[i];
    return NULL;
}

bool rt_host_is_managed(const struct rt_host *h)
{
    return h && (h->kind == RT_MANAGED || h->kind == RT_VARIABLE);
}

bool rt_host_map(const struct rt_host *h, struct err *e)
{
    if (!device_map(rt.dev, h->at, h->size, e))
        return false;
    *VEC_ADD(&hosts) = *h;
    return true;
}

static cudaError_t map(const struct rt_host *h, cudaError_t bad)
{
    struct err e;

    return rt_host_map(h, &e) ? cudaSuccess : rt_fail(bad, &e);
}

cudaError_t rt_host_alloc(void **at, u64 size, enum rt_host_kind kind, unsigned int flags)
{
    u64 reserved = align_up(size, 4096);
    void *p = size && reserved >= size ? mmap(NULL, reserved, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                       : MAP_FAILED;

    *at = NULL;
    if (!size)
        return cudaSuccess;
    if (p == MAP_FAILED)
        return rt_fail_text(cudaErrorMemoryAllocation, "no %" PRIu64 " bytes of host memory", size);
    struct rt_host h = {.at = p, .size = size, .reserved = reserved, .kind = kind, .flags = flags};
    cudaError_t code = map(&h, cudaErrorMemoryAllocation);

    if (code == cudaSuccess)
        *at = p;
    else
        munmap(p, reserved);
    return code;
}

static void forget_host(struct rt_host *h)
{
    struct err e;

    if (!device_unmap(rt.dev, h->at, &e))
        rt_fail(cudaErrorUnknown, &e);
    if (h->reserved)
        munmap(h->at, h->reserved);
    *h = hosts.at[--hosts.n];
}

void rt_host_forget(void)
{
    while (hosts.n)
        forget_host(&hosts.at[hosts.n - 1]);
}

cudaError_t rt_host_release(void *at, enum rt_host_kind kind, cudaError_t bad)
{
    static const char *const what[] = {
        [RT_PINNED] = "allocated by cudaMallocHost or cudaHostAlloc",
        [RT_REGISTERED] = "registered by cudaHostRegister",
        [RT_MANAGED] = "allocated by cudaMallocManaged",
    };
    struct rt_host *h = rt_host_find(at);
    char buf[RT_POINTER];

    if (!h || h->at != at || h->kind != kind)
        return rt_fail_text(bad, "%s was not %s", rt_pointer((uintptr_t)at, buf), what[kind]);
    forget_host(h);
    return cudaSuccess;
}

static cudaError_t host_alloc(void **p, size_t size, enum rt_host_kind kind, unsigned int flags)
{
    const unsigned int known = kind == RT_MANAGED ? cudaMemAttachGlobal | cudaMemAttachHost
                                                  : cudaHostAllocPortable | cudaHostAllocMapped |
                                                        cudaHostAllocWriteCombined;

    if (!p || flags & ~known || (kind == RT_MANAGED && (!size || flags == 0 || flags == known)))
        return cudaErrorInvalidValue;
    return rt_host_alloc(p, size, kind, flags);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    RT_API(host_alloc(ptr, size, RT_PINNED, cudaHostAllocDefault));
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    RT_API(host_alloc(pHost, size, RT_PINNED, flags));
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    RT_API(host_alloc(devPtr, size, RT_MANAGED, flags));
}

cudaError_t cudaFreeHost(void *ptr)
{
    RT_API(ptr ? rt_host_release(ptr, RT_PINNED, cudaErrorInvalidValue) : cudaSuccess);
}

/*
 * What is registered stays the program's, which may unmap or protect any page of it.  What is ours it
 * might unmap, too, but as a whole; to ask for each page would be to touch it.
 */
static enum shut shut_state(const struct rt_host *h)
{
    u64 at = (u64)(uintptr_t)h->at;

    if (h->kind != RT_REGISTERED)
        return rt_is_host(at) && rt_is_host(at + h->size - 1) ? SHUT_NOT : SHUT_TO_ALL;
    return rt_is_all(rt_is_writable, at, h->size) ? SHUT_NOT
           : rt_is_all(rt_is_host, at, h->size)   ? SHUT_TO_WRITES
                                                  : SHUT_TO_ALL;
}

void rt_host_look(void)
{
    for (u32 i = 0; i < hosts.n; i++)
        vmem_shut(&rt.dev->mem, hosts.at[i].at, shut_state(&hosts.at[i]));
}

/* Kernels will be let into every page of it, to write as well. */
cudaError_t rt_host_register(void *p, u64 size, unsigned int flags)
{
    const unsigned int known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory;
    struct rt_host h = {.at = p, .size = size, .kind = RT_REGISTERED, .flags = flags};
    char buf[RT_POINTER];

    if (!p || !size || flags & ~known)
        return cudaErrorInvalidValue;
    if (!rt_is_all(rt_is_host, (u64)(uintptr_t)p, size))
        return rt_fail_text(cudaErrorInvalidValue, "%" PRIu64 " bytes at %s are not all memory",
                            size, rt_pointer((uintptr_t)p, buf));
    if (!rt_is_all(rt_is_writable, (u64)(uintptr_t)p, size))
        return rt_fail_text(cudaErrorInvalidValue,
                            "%" PRIu64 " bytes at %s are read-only, in whole or in part", size,
                            rt_pointer((uintptr_t)p, buf));
    for (u32 i = 0; i < hosts.n; i++)
        if (h.at < hosts.at[i].at + hosts.at[i].size && hosts.at[i].at < h.at + size)
            return rt_fail_text(cudaErrorHostMemoryAlreadyRegistered,
                                "%" PRIu64 " bytes at %s are mapped already, in whole or in part",
                                size, rt_pointer((uintptr_t)p, buf));
    return map(&h, cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    RT_API(rt_host_register(ptr, size, flags));
}

cudaError_t cudaHostUnregister(void *ptr)
{
    RT_API(rt_host_release(ptr, RT_REGISTERED, cudaErrorHostMemoryNotRegistered));
}

static cudaError_t device_pointer(void **device, void *host, unsigned int flags)
{
    if (!device || flags)
        return cudaErrorInvalidValue;
    *device = NULL;
    if (!rt_host_find(host))
        return rt_fail_handle(cudaErrorInvalidValue, host, "pinned or registered memory");
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    RT_API(device_pointer(pDevice, pHost, flags));
}

cudaError_t rt_host_flags(unsigned int *flags, void *host)
{
    const struct rt_host *h = rt_host_find(host);

    if (!flags || !h || h->kind != RT_PINNED)
        return cudaErrorInvalidValue;
    *flags = h->flags | cudaHostAllocMapped; /* all of it is */
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    RT_API(rt_host_flags(pFlags, pHost));
}

/* --- questions and advice --- */

static cudaError_t pointer_attributes(struct cudaPointerAttributes *a, const void *p)
{
    const struct rt_host *h = rt_host_find(p);

    if (!a || (!h && !vmem_find(&rt.dev->mem, (u64)(uintptr_t)p)))
        return cudaErrorInvalidValue; /* no diagnosis: programs ask in order to learn this */
    memset(a, 0, sizeof *a);
    a->type = !h                      ? cudaMemoryTypeDevice
              : rt_host_is_managed(h) ? cudaMemoryTypeManaged
                                      : cudaMemoryTypeHost;
    a->memoryType = a->type == cudaMemoryTypeHost ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
    a->device = RT_DEVICE;
    a->devicePointer = bytes_at(p);
    a->hostPointer = h ? bytes_at(p) : NULL;
    a->isManaged = a->type == cudaMemoryTypeManaged;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    RT_API(pointer_attributes(attributes, ptr));
}

static cudaError_t managed_range(const void *p, size_t n, int device)
{
    const struct rt_host *h = rt_host_find(p);
    char buf[RT_POINTER];

    if (device != RT_DEVICE && device != cudaCpuDeviceId)
        return cudaErrorInvalidDevice;
    if (!rt_host_is_managed(h) || !n || n > h->size - (u64)(bytes_at(p) - h->at))
        return rt_fail_text(cudaErrorInvalidValue, "%zu bytes at %s are not in managed memory", n,
                            rt_pointer((uintptr_t)p, buf));
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                 cudaStream_t stream)
{
    RT_API(rt_stream_check(stream) == cudaSuccess ? managed_range(devPtr, count, dstDevice)
                                                  : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    RT_API(advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy
               ? cudaErrorInvalidValue
               : managed_range(devPtr, count,
                               advice <= cudaMemAdviseUnsetReadMostly ? RT_DEVICE : device));
}
