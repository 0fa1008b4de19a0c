/*
 * rt_mipmap.c -- mipmapped arrays: an array for each level, every one half as large as the one
 * before.  Programs fill the levels themselves.
 */
#include <stdlib.h>

#include "rt/rt.h"

static struct rt_handles mipmaps;

bool rt_mipmap_is_live(const struct cudaMipmappedArray *m)
{
    return rt_handle_is_live(&mipmaps, m);
}

static cudaError_t check_mipmap(const struct cudaMipmappedArray *m)
{
    return rt_mipmap_is_live(m)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidResourceHandle, m, "mipmapped array");
}

u64 rt_halved(u64 n, u32 level)
{
    return n && !(n >> level) ? 1 : n >> level;
}

static u32 most_levels(const struct cudaExtent *e, bool layered)
{
    u64 size = e->width > e->height ? e->width : e->height;
    u32 n = 0;

    if (!layered && e->depth > size)
        size = e->depth;
    for (; size; size >>= 1)
        n++;
    return n < MAX_LEVELS ? n : MAX_LEVELS;
}

static cudaError_t delete_mipmap(struct cudaMipmappedArray *m)
{
    cudaError_t code = cudaSuccess;

    for (u32 i = 0; i < m->n_level && code == cudaSuccess; i++)
        code = rt_array_delete(m->level[i]);
    free(m);
    return code;
}

static cudaError_t make(struct cudaMipmappedArray **out, const struct cudaChannelFormatDesc *desc,
                        const struct cudaExtent *e, u32 levels, unsigned int flags)
{
    bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
    u32 most = most_levels(e, layered);

    if (!out || !desc)
        return cudaErrorInvalidValue;
    struct cudaMipmappedArray *m = xcalloc(1, sizeof *m);
    cudaError_t code = cudaSuccess;

    levels = levels ? levels < most ? levels : most : 1;
    for (u32 i = 0; i < levels && code == cudaSuccess; i++) {
        code = rt_array_new(&m->level[i], desc, rt_halved(e->width, i), rt_halved(e->height, i),
                            layered ? e->depth : rt_halved(e->depth, i), flags);
        m->n_level += code == cudaSuccess;
    }
    if (code != cudaSuccess) {
        delete_mipmap(m);
        return code;
    }
    rt_handle_add(&mipmaps, m);
    *out = m;
    return code;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int numLevels,
                                     unsigned int flags)
{
    RT_API(make(mipmappedArray, desc, &extent, numLevels, flags));
}

static cudaError_t free_mipmap(struct cudaMipmappedArray *m)
{
    cudaError_t code = m ? check_mipmap(m) : cudaSuccess;

    if (!m || code != cudaSuccess)
        return code;
    rt_handle_remove(&mipmaps, m);
    return delete_mipmap(m);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray)
{
    RT_API(free_mipmap(mipmappedArray));
}

static cudaError_t get_level(struct cudaArray **out, const struct cudaMipmappedArray *m, u32 level)
{
    cudaError_t code = out ? check_mipmap(m) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    if (level >= m->n_level)
        return rt_fail_text(cudaErrorInvalidValue, "level %u of %u", level, m->n_level);
    *out = m->level[level];
    return code;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                                       cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level)
{
    RT_API(get_level(levelArray, mipmappedArray, level));
}

/* Their arrays go with all others. */
void rt_mipmaps_forget(void)
{
    while (mipmaps.live.n)
        free(mipmaps.live.at[--mipmaps.live.n]);
}
