/*
 * drv_object.c -- the driver API's texture and surface objects: those of rt_object.c with
 * descriptors of its own, which are kept for who asks (see drv.h).
 */
#include <string.h>

#include "rt/drv.h"

struct driver_object {
    u64 handle;
    bool has_view;
    CUDA_RESOURCE_DESC res;
    CUDA_TEXTURE_DESC tex;
    CUDA_RESOURCE_VIEW_DESC view;
};

static VEC(struct driver_object) objects;

static struct driver_object *known_object(u64 handle)
{
    for (u32 i = 0; i < objects.n; i++)
        if (objects.at[i].handle == handle)
            return &objects.at[i];
    return NULL;
}

/* A handle may be given out again after a reset. */
static void remember(const struct driver_object *o)
{
    struct driver_object *old = known_object(o->handle);

    if (old)
        *old = *o;
    else
        *VEC_ADD(&objects) = *o;
}

static void forget_object(u64 handle)
{
    struct driver_object *o = known_object(handle);

    if (o)
        *o = objects.at[--objects.n];
}

/* --- from the driver's descriptors to the runtime's --- */

static cudaError_t resource(const CUDA_RESOURCE_DESC *d, struct cudaResourceDesc *r)
{
    memset(r, 0, sizeof *r);
    switch (d->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        r->resType = cudaResourceTypeArray;
        r->res.array.array = (struct cudaArray *)d->res.array.hArray;
        return cudaSuccess;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        r->resType = cudaResourceTypeMipmappedArray;
        r->res.mipmap.mipmap = (struct cudaMipmappedArray *)d->res.mipmap.hMipmappedArray;
        return cudaSuccess;
    case CU_RESOURCE_TYPE_LINEAR:
        r->resType = cudaResourceTypeLinear;
        r->res.linear.devPtr = drv_pointer(d->res.linear.devPtr);
        r->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
        return drv_channels(d->res.linear.format, d->res.linear.numChannels, &r->res.linear.desc)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    case CU_RESOURCE_TYPE_PITCH2D:
        r->resType = cudaResourceTypePitch2D;
        r->res.pitch2D.devPtr = drv_pointer(d->res.pitch2D.devPtr);
        r->res.pitch2D.width = d->res.pitch2D.width, r->res.pitch2D.height = d->res.pitch2D.height;
        r->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
        return drv_channels(d->res.pitch2D.format, d->res.pitch2D.numChannels, &r->res.pitch2D.desc)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    default:
        return cudaErrorInvalidValue;
    }
}

/* Elements of 8 and 16 bits are read as floats unless it says otherwise. */
static bool is_narrow(const struct cudaResourceDesc *r)
{
    const struct cudaChannelFormatDesc *d = NULL;

    if (r->resType == cudaResourceTypeLinear)
        d = &r->res.linear.desc;
    else if (r->resType == cudaResourceTypePitch2D)
        d = &r->res.pitch2D.desc;
    else if (r->resType == cudaResourceTypeArray)
        d = rt_array_is_live(r->res.array.array) ? &r->res.array.array->desc : NULL;
    else if (rt_mipmap_is_live(r->res.mipmap.mipmap))
        d = &r->res.mipmap.mipmap->level[0]->desc;
    return d && d->x < 32;
}

static struct cudaTextureDesc texture_desc(const CUDA_TEXTURE_DESC *d, bool narrow)
{
    struct cudaTextureDesc t = {
        .filterMode = (enum cudaTextureFilterMode)d->filterMode,
        .readMode = narrow && !(d->flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat
                                                                    : cudaReadModeElementType,
        .sRGB = (d->flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = d->maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)d->mipmapFilterMode,
        .mipmapLevelBias = d->mipmapLevelBias,
        .minMipmapLevelClamp = d->minMipmapLevelClamp,
        .maxMipmapLevelClamp = d->maxMipmapLevelClamp};

    for (u32 i = 0; i < 3; i++)
        t.addressMode[i] = (enum cudaTextureAddressMode)d->addressMode[i];
    memcpy(t.borderColor, d->borderColor, sizeof t.borderColor);
    return t;
}

static struct cudaResourceViewDesc view(const CUDA_RESOURCE_VIEW_DESC *d)
{
    return (struct cudaResourceViewDesc){(enum cudaResourceViewFormat)d->format,
                                         d->width,
                                         d->height,
                                         d->depth,
                                         d->firstMipmapLevel,
                                         d->lastMipmapLevel,
                                         d->firstLayer,
                                         d->lastLayer};
}

/* --- textures --- */

static cudaError_t texture_new(CUtexObject *out, const CUDA_RESOURCE_DESC *res,
                               const CUDA_TEXTURE_DESC *tex, const CUDA_RESOURCE_VIEW_DESC *v)
{
    struct cudaResourceDesc r;
    cudaError_t code = out && res && tex ? resource(res, &r) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    const struct cudaTextureDesc t = texture_desc(tex, is_narrow(&r));
    const struct cudaResourceViewDesc as = v ? view(v) : (struct cudaResourceViewDesc){0};

    code = rt_object_texture(out, &r, &t, v ? &as : NULL);
    if (code != cudaSuccess)
        return code;
    struct driver_object o = {.handle = *out, .has_view = v, .res = *res, .tex = *tex};

    if (v)
        o.view = *v;
    remember(&o);
    return code;
}

CUresult cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)
{
    DRV_API(texture_new(pTexObject, pResDesc, pTexDesc, pResViewDesc));
}

static cudaError_t delete_object(u64 handle, bool surface)
{
    cudaError_t code = rt_object_delete(handle, surface);

    if (code == cudaSuccess)
        forget_object(handle);
    return code;
}

CUresult cuTexObjectDestroy(CUtexObject texObject)
{
    DRV_API(delete_object(texObject, false));
}

/* Of an object that is there and that the driver API made. */
static const struct driver_object *made_by_driver(u64 handle)
{
    return device_texture(rt.dev, handle) ? known_object(handle) : NULL;
}

static cudaError_t given_resource(CUDA_RESOURCE_DESC *res, u64 handle)
{
    const struct driver_object *o = res ? made_by_driver(handle) : NULL;

    if (o)
        *res = o->res;
    return o ? cudaSuccess : cudaErrorInvalidValue;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject)
{
    DRV_API(given_resource(pResDesc, texObject));
}

static cudaError_t given_texture(CUDA_TEXTURE_DESC *tex, u64 handle)
{
    const struct driver_object *o = tex ? made_by_driver(handle) : NULL;

    if (o)
        *tex = o->tex;
    return o ? cudaSuccess : cudaErrorInvalidValue;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject)
{
    DRV_API(given_texture(pTexDesc, texObject));
}

static cudaError_t given_view(CUDA_RESOURCE_VIEW_DESC *v, u64 handle)
{
    const struct driver_object *o = v ? made_by_driver(handle) : NULL;

    if (!o || !o->has_view)
        return cudaErrorInvalidValue;
    *v = o->view;
    return cudaSuccess;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc,
                                        CUtexObject texObject)
{
    DRV_API(given_view(pResViewDesc, texObject));
}

/* --- surfaces --- */

static cudaError_t surface_new(CUsurfObject *out, const CUDA_RESOURCE_DESC *res)
{
    struct cudaResourceDesc r;
    cudaError_t code = out && res ? resource(res, &r) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_object_surface(out, &r);
    if (code == cudaSuccess)
        remember(&(struct driver_object){.handle = *out, .res = *res});
    return code;
}

CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc)
{
    DRV_API(surface_new(pSurfObject, pResDesc));
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject)
{
    DRV_API(delete_object(surfObject, true));
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject)
{
    DRV_API(given_resource(pResDesc, surfObject));
}
