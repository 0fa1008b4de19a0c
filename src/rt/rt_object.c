/*
 * rt_object.c -- texture and surface objects, and surface references.
 *
 * An object is a texture of rt_texture.c with a handle (exec/texture.h), and what it was made of,
 * for who asks.
 */
#include <inttypes.h>
#include <string.h>

#include "rt/rt.h"

struct object {
    u64 handle;
    bool surface, has_view;
    struct cudaResourceDesc res;
    struct cudaTextureDesc tex;
    struct cudaResourceViewDesc view;
};

static VEC(struct object) objects;

static cudaError_t find_object(u64 handle, bool surface, struct object **out)
{
    for (u32 i = 0; i < objects.n; i++)
        if (objects.at[i].handle == handle && objects.at[i].surface == surface) {
            *out = &objects.at[i];
            return cudaSuccess;
        }
    return rt_fail_text(cudaErrorInvalidValue, "0x%" PRIx64 " is no %s object", handle,
                        surface ? "surface" : "texture");
}

/* --- views: another format of the same size, some of the levels and layers --- */

static bool view_format(enum cudaResourceViewFormat f, struct cudaChannelFormatDesc *d)
{
    static const struct {
        int bits;
        enum cudaChannelFormatKind kind;
    } row[] = {
        {8, cudaChannelFormatKindUnsigned},  {8, cudaChannelFormatKindSigned},
        {16, cudaChannelFormatKindUnsigned}, {16, cudaChannelFormatKindSigned},
        {32, cudaChannelFormatKindUnsigned}, {32, cudaChannelFormatKindSigned},
        {16, cudaChannelFormatKindFloat},    {32, cudaChannelFormatKindFloat},
    };
    u32 i = (u32)f - 1, k = i % 3;

    if (f == cudaResViewFormatNone || i / 3 >= LEN(row))
        return false;
    int bits = row[i / 3].bits;

    *d = (struct cudaChannelFormatDesc){bits, k > 0 ? bits : 0, k > 1 ? bits : 0, k > 1 ? bits : 0,
                                        row[i / 3].kind};
    return rt_channel_bytes(d) != 0;
}

static cudaError_t bad_view(const char *what)
{
    return rt_fail_text(cudaErrorInvalidValue, "a resource view: %s", what);
}

static cudaError_t view_levels(struct texture *x, const struct cudaResourceViewDesc *v)
{
    u32 first = v->firstMipmapLevel, last = v->lastMipmapLevel;

    if (!x->n_level)
        return first || last ? bad_view("there are no levels") : cudaSuccess;
    if (first > last || last >= x->n_level)
        return bad_view("levels that are not there");
    memmove(x->level, x->level + first, (last - first + 1) * sizeof x->level[0]);
    x->n_level = last - first + 1;
    x->addr = x->level[0].addr, x->pitch = x->level[0].pitch;
    x->width = (u32)v->width, x->height = (u32)v->height;
    return cudaSuccess;
}

static cudaError_t view_layers(struct texture *x, const struct cudaResourceViewDesc *v,
                               bool layered)
{
    u32 *layers = x->depth ? &x->depth : &x->height, first = v->firstLayer, last = v->lastLayer;

    if (!layered)
        return first || last ? bad_view("there are no layers") : cudaSuccess;
    if (first > last || last >= *layers)
        return bad_view("layers that are not there");
    if (first && x->n_level)
        return bad_view("layers of a mipmapped array can be left out at the end only");
    x->addr += (u64)first * (x->depth ? x->height : 1) * x->pitch;
    *layers = last - first + 1;
    return cudaSuccess;
}

static cudaError_t apply_view(struct texture *x, const struct cudaArray *a,
                              const struct cudaResourceViewDesc *v)
{
    bool layered = a->flags & (cudaArrayLayered | cudaArrayCubemap);
    u32 first = v->firstMipmapLevel;

    if (v->width != rt_halved(a->width, first) || v->height != rt_halved(a->height, first))
        return bad_view("its extent is to be that of its first level");
    cudaError_t code = view_levels(x, v);

    return code == cudaSuccess ? view_layers(x, v, layered) : code;
}

/* --- making --- */

static struct rt_sampler object_sampler(const struct cudaTextureDesc *t)
{
    struct rt_sampler s = {.normalized = t->normalizedCoords != 0,
                           .linear = t->filterMode == cudaFilterModeLinear,
                           .to_float = t->readMode == cudaReadModeNormalizedFloat,
                           .srgb = t->sRGB != 0,
                           .level_linear = t->mipmapFilterMode == cudaFilterModeLinear,
                           .lod_bias = t->mipmapLevelBias,
                           .lod_min = t->minMipmapLevelClamp,
                           .lod_max = t->maxMipmapLevelClamp};

    for (u32 i = 0; i < 3; i++)
        s.wrap[i] = rt_wrap(t->addressMode[i]);
    memcpy(s.border, t->borderColor, sizeof s.border);
    return s;
}

static cudaError_t on_array(struct texture *x, const struct rt_sampler *s,
                            const struct cudaResourceDesc *r, const struct cudaResourceViewDesc *v)
{
    const struct cudaMipmappedArray *m = r->res.mipmap.mipmap;
    struct cudaChannelFormatDesc d;
    bool other = v && v->format != cudaResViewFormatNone, levels;

    if (other && !view_format(v->format, &d))
        return bad_view("this format is not supported");
    levels = r->resType == cudaResourceTypeMipmappedArray;
    cudaError_t code = levels ? rt_texture_mipmap(x, s, m, other ? &d : NULL)
                              : rt_texture_array(x, s, r->res.array.array, other ? &d : NULL);

    if (code == cudaSuccess && v)
        code = apply_view(x, levels ? m->level[0] : r->res.array.array, v);
    return code;
}

static cudaError_t make_texture(struct texture *x, const struct cudaResourceDesc *r,
                                const struct cudaTextureDesc *t,
                                const struct cudaResourceViewDesc *v)
{
    struct rt_sampler s = object_sampler(t);

    switch (r->resType) {
    case cudaResourceTypeArray:
    case cudaResourceTypeMipmappedArray:
        return on_array(x, &s, r, v);
    case cudaResourceTypeLinear:
        if (v)
            return bad_view("only arrays have one");
        return rt_texture_linear(x, &s, (u64)(uintptr_t)r->res.linear.devPtr,
                                 r->res.linear.sizeInBytes, &r->res.linear.desc, NULL);
    case cudaResourceTypePitch2D:
        if (v)
            return bad_view("only arrays have one");
        return rt_texture_pitch(x, &s, (u64)(uintptr_t)r->res.pitch2D.devPtr,
                                &(struct rt_rows){r->res.pitch2D.width, r->res.pitch2D.height,
                                                  r->res.pitch2D.pitchInBytes},
                                &r->res.pitch2D.desc, NULL);
    default:
        return rt_fail_text(cudaErrorInvalidValue, "resource type %d", (int)r->resType);
    }
}

cudaError_t rt_object_texture(cudaTextureObject_t *handle, const struct cudaResourceDesc *res,
                              const struct cudaTextureDesc *tex,
                              const struct cudaResourceViewDesc *view)
{
    struct texture x;
    cudaError_t code =
        handle && res && tex ? make_texture(&x, res, tex, view) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    struct object o = {.handle = device_texture_new(rt.dev, &x), .res = *res, .tex = *tex};

    if (view)
        o.view = *view, o.has_view = true;
    *VEC_ADD(&objects) = o;
    *handle = o.handle;
    return code;
}

/* Its format is the accesses' own: x counts bytes. */
static cudaError_t make_surface(struct texture *x, const struct cudaArray *a)
{
    const struct rt_sampler plain = {.normalized = false};
    cudaError_t code = rt_texture_array(x, &plain, a, NULL);

    if (code == cudaSuccess && !(a->flags & cudaArraySurfaceLoadStore))
        return rt_fail_text(cudaErrorInvalidValue,
                            "the array was made without cudaArraySurfaceLoadStore");
    return code;
}

cudaError_t rt_object_surface(cudaSurfaceObject_t *handle, const struct cudaResourceDesc *res)
{
    struct texture x;

    if (!handle || !res)
        return cudaErrorInvalidValue;
    if (res->resType != cudaResourceTypeArray)
        return rt_fail_text(cudaErrorInvalidValue, "a surface object is made of an array only");
    cudaError_t code = make_surface(&x, res->res.array.array);

    if (code != cudaSuccess)
        return code;
    struct object o = {.handle = device_texture_new(rt.dev, &x), .surface = true, .res = *res};

    *VEC_ADD(&objects) = o;
    *handle = o.handle;
    return code;
}

cudaError_t rt_object_delete(u64 handle, bool surface)
{
    struct object *o = NULL;
    struct err e;
    cudaError_t code = handle ? find_object(handle, surface, &o) : cudaSuccess;

    if (!handle || code != cudaSuccess)
        return code;
    *o = objects.at[--objects.n];
    return device_texture_free(rt.dev, handle, &e) ? cudaSuccess : rt_fail(cudaErrorUnknown, &e);
}

/* device_reset has dropped the textures. */
void rt_objects_forget(void)
{
    objects.n = 0;
}

/* --- the runtime's functions --- */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject,
                                    const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc)
{
    RT_API(rt_object_texture(pTexObject, pResDesc, pTexDesc, pResViewDesc));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
    RT_API(rt_object_delete(texObject, false));
}

static cudaError_t resource_of(struct cudaResourceDesc *res, u64 handle, bool surface)
{
    struct object *o = NULL;
    cudaError_t code = res ? find_object(handle, surface, &o) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *res = o->res;
    return code;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaTextureObject_t texObject)
{
    RT_API(resource_of(pResDesc, texObject, false));
}

static cudaError_t texture_of(struct cudaTextureDesc *tex, u64 handle)
{
    struct object *o = NULL;
    cudaError_t code = tex ? find_object(handle, false, &o) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *tex = o->tex;
    return code;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc,
                                            cudaTextureObject_t texObject)
{
    RT_API(texture_of(pTexDesc, texObject));
}

static cudaError_t view_of(struct cudaResourceViewDesc *view, u64 handle)
{
    struct object *o = NULL;
    cudaError_t code = view ? find_object(handle, false, &o) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    if (!o->has_view)
        return rt_fail_text(cudaErrorInvalidValue, "the object was made without a view");
    *view = o->view;
    return code;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                 cudaTextureObject_t texObject)
{
    RT_API(view_of(pResViewDesc, texObject));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                    const struct cudaResourceDesc *pResDesc)
{
    RT_API(rt_object_surface(pSurfObject, pResDesc));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
    RT_API(rt_object_delete(surfObject, true));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaSurfaceObject_t surfObject)
{
    RT_API(resource_of(pResDesc, surfObject, true));
}

/* --- surface references --- */

static cudaError_t bind_surface(const struct surfaceReference *ref, const struct cudaArray *a)
{
    struct rt_surface *s;
    struct texture x;
    struct err e;
    cudaError_t code = rt_surface_find(ref, &s);

    if (code == cudaSuccess)
        code = make_surface(&x, a);
    if (code != cudaSuccess)
        return code;
    return device_bind_texture(rt.dev, s->module->prog, s->name, &x, &e)
               ? code
               : rt_fail(cudaErrorInvalidSurface, &e);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    (void)desc; /* accesses have their own */
    RT_API(bind_surface(surfref, array));
}

static cudaError_t surface_reference(const struct surfaceReference **ref, const void *symbol)
{
    struct rt_surface *s;
    cudaError_t code = ref ? rt_surface_find(symbol, &s) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *ref = s->ref;
    return code;
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol)
{
    RT_API(surface_reference(surfref, symbol));
}
