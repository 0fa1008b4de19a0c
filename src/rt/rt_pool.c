/*
 * rt_pool.c -- memory that is allocated and freed in stream order, from pools.
 *
 * Whatever a stream is given has been done when the call returns, so this is device memory like any
 * other, freed at once.  A pool only counts what comes from it: it holds nothing back, so that what
 * is reserved is what is used, and a threshold for holding back is kept and told, and that is all.
 */
#include <stdlib.h>

#include "rt/rt.h"

struct CUmemPoolHandle_st {
    int reuse[3]; /* the attributes that say what may be used again */
    u64 threshold, used, most;
    u32 n_block; /* of blocks that came from it */
    bool dropped;
};

struct block {
    u64 addr, size;
    struct CUmemPoolHandle_st *pool;
};

static struct CUmemPoolHandle_st main_pool = {.reuse = {1, 1, 1}};
static struct CUmemPoolHandle_st *current = &main_pool;
static struct rt_handles pools; /* that the program created */
static VEC(struct block) blocks;

static cudaError_t check_pool(cudaMemPool_t p)
{
    return p == &main_pool || rt_handle_is_live(&pools, p)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidValue, p, "memory pool");
}

static void end_if_unused(struct CUmemPoolHandle_st *p)
{
    if (p->dropped && !p->n_block)
        free(p);
}

/* --- allocations --- */

cudaError_t rt_pool_alloc(u64 *addr, u64 size, cudaMemPool_t p, cudaStream_t stream)
{
    cudaError_t code = rt_stream_check(stream);

    p = p ? p : current;
    *addr = 0;
    if (code == cudaSuccess)
        code = check_pool(p);
    if (code == cudaSuccess)
        code = rt_alloc(addr, size);
    if (code != cudaSuccess || !size)
        return code;
    *VEC_ADD(&blocks) = (struct block){*addr, size, p};
    p->used += size, p->n_block++;
    p->most = p->used > p->most ? p->used : p->most;
    return code;
}

void rt_pool_freed(u64 addr)
{
    for (u32 i = 0; i < blocks.n; i++) {
        struct block b = blocks.at[i];

        if (b.addr != addr)
            continue;
        blocks.at[i] = blocks.at[--blocks.n];
        b.pool->used -= b.size, b.pool->n_block--;
        end_if_unused(b.pool);
        return;
    }
}

static cudaError_t malloc_from_pool(void **p, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    u64 addr = 0;
    cudaError_t code = p ? rt_pool_alloc(&addr, size, pool, stream) : cudaErrorInvalidValue;

    if (p)
        *p = (void *)(uintptr_t)addr;
    return code;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    RT_API(malloc_from_pool(devPtr, size, NULL, hStream));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                    cudaStream_t stream)
{
    RT_API(memPool ? malloc_from_pool(ptr, size, memPool, stream) : cudaErrorInvalidValue);
}

cudaError_t rt_pool_free(u64 addr, cudaStream_t stream)
{
    cudaError_t code = rt_stream_check(stream);

    return code == cudaSuccess ? rt_release(addr, cudaErrorInvalidValue) : code;
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    RT_API(rt_pool_free((u64)(uintptr_t)devPtr, hStream));
}

/* --- pools --- */

cudaError_t rt_pool_new(cudaMemPool_t *p)
{
    if (!p)
        return cudaErrorInvalidValue;
    *p = xcalloc(1, sizeof **p);
    for (u32 i = 0; i < LEN((*p)->reuse); i++)
        (*p)->reuse[i] = 1;
    rt_handle_add(&pools, *p);
    return cudaSuccess;
}

cudaError_t rt_pool_delete(cudaMemPool_t p)
{
    cudaError_t code = check_pool(p);

    if (code != cudaSuccess)
        return code;
    if (p == &main_pool)
        return rt_fail_text(cudaErrorInvalidValue, "the default pool cannot be destroyed");
    rt_handle_remove(&pools, p);
    current = p == current ? &main_pool : current;
    p->dropped = true;
    end_if_unused(p);
    return cudaSuccess;
}

void rt_pools_forget(void)
{
    for (u32 i = 0; i < blocks.n; i++)
        blocks.at[i].pool->n_block = 0;
    for (u32 i = 0; i < blocks.n; i++) {
        bool last = true; /* of a pool that nobody can name any more */

        for (u32 k = i + 1; k < blocks.n; k++)
            last &= blocks.at[k].pool != blocks.at[i].pool;
        if (last)
            end_if_unused(blocks.at[i].pool);
    }
    blocks.n = 0;
    while (pools.live.n)
        free(pools.live.at[--pools.live.n]);
    current = &main_pool;
    main_pool = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1}};
}

cudaError_t rt_pool_get(cudaMemPool_t *p, int device, bool by_default)
{
    if (!p)
        return cudaErrorInvalidValue;
    if (device != RT_DEVICE)
        return cudaErrorInvalidDevice;
    *p = by_default ? &main_pool : current;
    return cudaSuccess;
}

cudaError_t rt_pool_set(int device, cudaMemPool_t p)
{
    cudaError_t code = device == RT_DEVICE ? check_pool(p) : cudaErrorInvalidDevice;

    if (code == cudaSuccess)
        current = p;
    return code;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    RT_API(rt_pool_get(memPool, device, true));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    RT_API(rt_pool_get(memPool, device, false));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    RT_API(rt_pool_set(device, memPool));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
    RT_API(poolProps ? rt_pool_new(memPool) : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    RT_API(rt_pool_delete(memPool));
}

cudaError_t rt_pool_trim(cudaMemPool_t p)
{
    return check_pool(p); /* nothing is held back */
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    (void)minBytesToKeep;
    RT_API(rt_pool_trim(memPool));
}

/* --- attributes --- */

static bool is_reuse(int attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
           attr <= cudaMemPoolReuseAllowInternalDependencies;
}

/* Marks of the most can only be set to 0, which is to what there is now. */
cudaError_t rt_pool_set_attribute(cudaMemPool_t p, int attr, const void *value)
{
    cudaError_t code = value ? check_pool(p) : cudaErrorInvalidValue;
    bool mark = attr == cudaMemPoolAttrReservedMemHigh || attr == cudaMemPoolAttrUsedMemHigh;

    if (code != cudaSuccess)
        return code;
    if (is_reuse(attr))
        p->reuse[attr - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value;
    else if (attr == cudaMemPoolAttrReleaseThreshold)
        p->threshold = *(const u64 *)value;
    else if (mark && !*(const u64 *)value)
        p->most = p->used;
    else
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t rt_pool_get_attribute(cudaMemPool_t p, int attr, void *value)
{
    cudaError_t code = value ? check_pool(p) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    if (is_reuse(attr)) {
        *(int *)value = p->reuse[attr - cudaMemPoolReuseFollowEventDependencies];
        return cudaSuccess;
    }
    switch (attr) {
    case cudaMemPoolAttrReleaseThreshold:
        *(u64 *)value = p->threshold;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        *(u64 *)value = p->used;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        *(u64 *)value = p->most;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    RT_API(rt_pool_set_attribute(memPool, attr, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    RT_API(rt_pool_get_attribute(memPool, attr, value));
}

/* There is one device, and it may read and write all of its memory. */
static cudaError_t set_access(cudaMemPool_t p, const struct cudaMemAccessDesc *list, size_t n)
{
    cudaError_t code = n && !list ? cudaErrorInvalidValue : check_pool(p);

    for (size_t i = 0; i < n && code == cudaSuccess; i++)
        if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id != RT_DEVICE)
            code = cudaErrorInvalidDevice;
        else if (list[i].flags != cudaMemAccessFlagsProtReadWrite)
            code = cudaErrorInvalidValue;
    return code;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    RT_API(set_access(memPool, descList, count));
}

static cudaError_t get_access(enum cudaMemAccessFlags *flags, cudaMemPool_t p,
                              const struct cudaMemLocation *place)
{
    cudaError_t code = flags && place ? check_pool(p) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *flags = place->type == cudaMemLocationTypeDevice && place->id == RT_DEVICE
                     ? cudaMemAccessFlagsProtReadWrite
                     : cudaMemAccessFlagsProtNone;
    return code;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    RT_API(get_access(flags, memPool, location));
}
