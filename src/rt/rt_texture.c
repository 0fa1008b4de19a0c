/*
 * rt_texture.c -- textures on memory and arrays, and binding them to texture references.
 *
 * A binding is a snapshot: address, extent and format of the memory, and the fields of the
 * reference as they are now.  Linear memory reads as zeros beyond its end, whatever the
 * reference's address mode.  Objects (rt_object.c) are made of the same textures.
 */
#include <inttypes.h>
#include <string.h>

#include "rt/rt.h"

/* Buffers start at multiples of it, so only pointers into the middle of one need an offset. */
u64 rt_texture_align(void)
{
    return rt.dev->conf.mem.align;
}

static struct texture *slot_of(const struct rt_texture *t)
{
    const struct var *v = t->module->prog ? program_var(t->module->prog, t->name) : NULL;

    for (u32 i = 0; v && v->is_texture && i < rt.dev->n_prog; i++)
        if (rt.dev->prog[i] == t->module->prog)
            return &rt.dev->texture[i][v->texture];
    return NULL;
}

/* --- what the bindings have in common --- */

static cudaError_t set_texel_format(struct texture *x, const struct rt_sampler *s,
                                    const struct cudaChannelFormatDesc *d)
{
    u32 bytes = rt_channel_bytes(d);

    if (!bytes)
        return rt_fail_text(cudaErrorInvalidChannelDescriptor,
                            "channels of %d, %d, %d and %d bits: 1, 2 or 4 equal ones of 8, 16 or "
                            "32 bits are possible",
                            d->x, d->y, d->z, d->w);
    x->bits = (u32)d->x;
    x->channels = bytes * 8 / x->bits;
    x->is_float = d->f == cudaChannelFormatKindFloat;
    x->is_signed = d->f == cudaChannelFormatKindSigned;
    x->to_float = s->to_float && !x->is_float;
    x->linear = s->linear;
    x->normalized = s->normalized;
    x->srgb = s->srgb && x->to_float && x->bits == 8 && !x->is_signed;
    memcpy(x->border, s->border, sizeof x->border);
    if (x->to_float && x->bits == 32)
        return rt_fail_text(cudaErrorInvalidNormSetting,
                            "32-bit integers read as normalized floats");
    if (x->linear && !x->is_float && !x->to_float)
        return rt_fail_text(cudaErrorInvalidFilterSetting, "linear filtering of integers");
    return cudaSuccess;
}

/* Repeating and mirroring are for normalized coordinates; otherwise they clamp. */
static void set_wrap(struct texture *x, const struct rt_sampler *s)
{
    for (u32 i = 0; i < 3; i++) {
        bool whole = s->wrap[i] == WRAP_REPEAT || s->wrap[i] == WRAP_MIRROR;

        x->wrap[i] = whole && !s->normalized ? WRAP_CLAMP : s->wrap[i];
    }
}

static cudaError_t bind_texture(struct rt_texture *t, const struct texture *x, size_t offset)
{
    struct err e;

    if (!device_bind_texture(rt.dev, t->module->prog, t->name, x, &e))
        return rt_fail(cudaErrorInvalidTexture, &e);
    t->bound = true;
    t->offset = offset;
    return cudaSuccess;
}

/* Splits a pointer into an aligned base and the offset that the program has to add itself. */
static cudaError_t align_base(u64 at, u64 need, const struct span **span, size_t *rest,
                              size_t *offset)
{
    const struct span *s = vmem_find(&rt.dev->mem, at);
    char near[200], buf[RT_POINTER];

    if (!s || need > s->size - (at - s->lo))
        return rt_fail_text(
            cudaErrorInvalidValue, "%" PRIu64 " bytes at %s are outside of device memory: %s", need,
            rt_pointer(at, buf), vmem_describe(&rt.dev->mem, at, near, sizeof near));
    *span = s;
    *rest = at % rt_texture_align();
    if (at - *rest < s->lo) /* host memory or a variable, which may start anywhere */
        *rest = 0;
    if (*rest && !offset)
        return rt_fail_text(cudaErrorInvalidValue,
                            "%s is no multiple of %" PRIu64 " and no offset is asked for",
                            rt_pointer(at, buf), rt_texture_align());
    if (offset)
        *offset = *rest;
    return cudaSuccess;
}

/* --- the three kinds --- */

cudaError_t rt_texture_linear(struct texture *x, const struct rt_sampler *s, u64 at, u64 size,
                              const struct cudaChannelFormatDesc *d, size_t *offset)
{
    const struct span *span = NULL;
    size_t rest = 0;

    memset(x, 0, sizeof *x);
    cudaError_t code = set_texel_format(x, s, d);

    if (code == cudaSuccess)
        code = align_base(at, 1, &span, &rest, offset);
    if (code != cudaSuccess)
        return code;
    u64 left = span->size - (at - span->lo), texel = x->channels * x->bits / 8;
    u64 width = (rest + (size < left ? size : left)) / texel;

    if (!width || width > RT_MAX_TEXELS)
        return rt_fail_text(cudaErrorInvalidValue, "%" PRIu64 " texels; 1 to %d are possible",
                            width, RT_MAX_TEXELS);
    x->addr = at - rest;
    x->width = (u32)width;
    x->pitch = (u32)(width * texel);
    memset(x->wrap, WRAP_BORDER, sizeof x->wrap);
    memset(x->border, 0, sizeof x->border);
    return cudaSuccess;
}

cudaError_t rt_texture_pitch(struct texture *x, const struct rt_sampler *s, u64 at,
                             const struct rt_rows *rows, const struct cudaChannelFormatDesc *d,
                             size_t *offset)
{
    u64 width = rows->width, height = rows->height, pitch = rows->pitch;
    const struct span *span = NULL;
    size_t rest = 0;

    memset(x, 0, sizeof *x);
    cudaError_t code = set_texel_format(x, s, d);
    u64 texel = x->channels * x->bits / 8;

    if (code != cudaSuccess)
        return code;
    if (!width || !height || width > UINT16_MAX || height > UINT16_MAX || pitch > UINT32_MAX ||
        width * texel > pitch || (height > 1 && pitch % RT_TEXTURE_PITCH))
        return rt_fail_text(cudaErrorInvalidValue,
                            "%" PRIu64 " x %" PRIu64 " texels of %" PRIu64
                            " bytes with a pitch of %" PRIu64 ", which is to be a multiple of %d",
                            width, height, texel, pitch, RT_TEXTURE_PITCH);
    code = align_base(at, (height - 1) * pitch + width * texel, &span, &rest, offset);
    if (code != cudaSuccess)
        return code;
    x->addr = at - rest;
    x->width = (u32)(width + rest / texel);
    x->height = (u32)height;
    x->pitch = (u32)pitch;
    set_wrap(x, s);
    return cudaSuccess;
}

cudaError_t rt_texture_array(struct texture *x, const struct rt_sampler *s,
                             const struct cudaArray *a, const struct cudaChannelFormatDesc *d)
{
    memset(x, 0, sizeof *x);
    if (!rt_array_is_live(a))
        return rt_fail_handle(cudaErrorInvalidResourceHandle, a, "array");
    if (d && rt_channel_bytes(d) != a->element)
        return rt_fail_text(cudaErrorInvalidChannelDescriptor, "the array has elements of %u bytes",
                            a->element);
    cudaError_t code = set_texel_format(x, s, d ? d : &a->desc);

    if (code != cudaSuccess)
        return code;
    x->addr = a->at;
    x->width = (u32)a->width;
    x->height = (u32)(a->height ? a->height : a->depth); /* layers of rows lie as rows do */
    x->depth = a->height ? (u32)a->depth : 0;
    x->pitch = (u32)a->pitch;
    set_wrap(x, s);
    return cudaSuccess;
}

cudaError_t rt_texture_mipmap(struct texture *x, const struct rt_sampler *s,
                              const struct cudaMipmappedArray *m,
                              const struct cudaChannelFormatDesc *d)
{
    if (!rt_mipmap_is_live(m))
        return rt_fail_handle(cudaErrorInvalidResourceHandle, m, "mipmapped array");
    cudaError_t code = rt_texture_array(x, s, m->level[0], d);

    if (code != cudaSuccess)
        return code;
    if (!s->normalized)
        return rt_fail_text(cudaErrorInvalidValue,
                            "a mipmapped array is read by normalized coordinates only");
    x->n_level = m->n_level;
    x->level_linear = s->level_linear;
    x->lod_bias = s->lod_bias, x->lod_min = s->lod_min, x->lod_max = s->lod_max;
    for (u32 i = 0; i < m->n_level; i++)
        x->level[i].addr = m->level[i]->at, x->level[i].pitch = (u32)m->level[i]->pitch;
    return cudaSuccess;
}

cudaError_t rt_bind_linear(struct rt_texture *t, const struct rt_sampler *s, u64 at, u64 size,
                           const struct cudaChannelFormatDesc *d, size_t *offset)
{
    struct texture x;
    cudaError_t code = rt_texture_linear(&x, s, at, size, d, offset);

    return code == cudaSuccess ? bind_texture(t, &x, at - x.addr) : code;
}

cudaError_t rt_bind_pitch(struct rt_texture *t, const struct rt_sampler *s, u64 at,
                          const struct rt_rows *rows, const struct cudaChannelFormatDesc *d,
                          size_t *offset)
{
    struct texture x;
    cudaError_t code = rt_texture_pitch(&x, s, at, rows, d, offset);

    return code == cudaSuccess ? bind_texture(t, &x, at - x.addr) : code;
}

cudaError_t rt_bind_array(struct rt_texture *t, const struct rt_sampler *s,
                          const struct cudaArray *a, const struct cudaChannelFormatDesc *d)
{
    struct texture x;
    cudaError_t code = rt_texture_array(&x, s, a, d);

    return code == cudaSuccess ? bind_texture(t, &x, 0) : code;
}

cudaError_t rt_unbind(struct rt_texture *t)
{
    struct texture *x = slot_of(t);

    if (x)
        x->bound = false;
    t->bound = false;
    return cudaSuccess;
}

/* --- the runtime's functions --- */

u8 rt_wrap(enum cudaTextureAddressMode mode)
{
    static const u8 wrap[] = {
        [cudaAddressModeWrap] = WRAP_REPEAT,
        [cudaAddressModeClamp] = WRAP_CLAMP,
        [cudaAddressModeMirror] = WRAP_MIRROR,
        [cudaAddressModeBorder] = WRAP_BORDER,
    };

    return wrap[(unsigned int)mode & 3];
}

static struct rt_sampler sampler_of(const struct rt_texture *t)
{
    const struct textureReference *r = t->ref;
    struct rt_sampler s = {.normalized = r->normalized != 0,
                           .to_float = t->to_float,
                           .srgb = r->sRGB != 0,
                           .level_linear = r->mipmapFilterMode == cudaFilterModeLinear,
                           .lod_bias = r->mipmapLevelBias,
                           .lod_min = r->minMipmapLevelClamp,
                           .lod_max = r->maxMipmapLevelClamp};

    s.linear = r->filterMode == cudaFilterModeLinear;
    for (u32 i = 0; i < 3; i++)
        s.wrap[i] = rt_wrap(r->addressMode[i]);
    return s;
}

static cudaError_t bind_linear(size_t *offset, const struct textureReference *ref, const void *p,
                               const struct cudaChannelFormatDesc *desc, size_t size)
{
    struct rt_texture *t;
    cudaError_t code = rt_texture_find(ref, &t);

    if (code != cudaSuccess)
        return code;
    struct rt_sampler s = sampler_of(t);

    return rt_bind_linear(t, &s, (u64)(uintptr_t)p, size, desc ? desc : &ref->channelDesc, offset);
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref,
                            const void *devPtr, const struct cudaChannelFormatDesc *desc,
                            size_t size)
{
    RT_API(bind_linear(offset, texref, devPtr, desc, size));
}

static cudaError_t bind_2d(size_t *offset, const struct textureReference *ref, const void *p,
                           const struct cudaChannelFormatDesc *desc, const struct rt_rows *size)
{
    struct rt_texture *t;
    cudaError_t code = rt_texture_find(ref, &t);

    if (code != cudaSuccess)
        return code;
    struct rt_sampler s = sampler_of(t);

    return rt_bind_pitch(t, &s, (u64)(uintptr_t)p, size, desc ? desc : &ref->channelDesc, offset);
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref,
                              const void *devPtr, const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch)
{
    const struct rt_rows size = {width, height, pitch};

    RT_API(bind_2d(offset, texref, devPtr, desc, &size));
}

static cudaError_t bind_array(const struct textureReference *ref, cudaArray_const_t array,
                              const struct cudaChannelFormatDesc *desc)
{
    struct rt_texture *t;
    cudaError_t code = rt_texture_find(ref, &t);

    if (code != cudaSuccess)
        return code;
    struct rt_sampler s = sampler_of(t);

    return rt_bind_array(t, &s, (struct cudaArray *)array, desc);
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    RT_API(bind_array(texref, array, desc));
}

static cudaError_t bind_mipmap(const struct textureReference *ref,
                               const struct cudaMipmappedArray *m,
                               const struct cudaChannelFormatDesc *desc)
{
    struct rt_texture *t;
    struct texture x;
    cudaError_t code = rt_texture_find(ref, &t);

    if (code != cudaSuccess)
        return code;
    struct rt_sampler s = sampler_of(t);

    code = rt_texture_mipmap(&x, &s, m, desc);
    return code == cudaSuccess ? bind_texture(t, &x, 0) : code;
}

cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc)
{
    RT_API(bind_mipmap(texref, mipmappedArray, desc));
}

static cudaError_t unbind(const struct textureReference *ref)
{
    struct rt_texture *t;
    cudaError_t code = rt_texture_find(ref, &t);

    return code == cudaSuccess ? rt_unbind(t) : code;
}

cudaError_t cudaUnbindTexture(const struct textureReference *texref)
{
    RT_API(unbind(texref));
}

static cudaError_t alignment_offset(size_t *offset, const struct textureReference *ref)
{
    struct rt_texture *t;
    cudaError_t code = offset ? rt_texture_find(ref, &t) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    if (!t->bound)
        return rt_fail_text(cudaErrorInvalidTextureBinding, "texture '%s' is not bound", t->name);
    *offset = t->offset;
    return code;
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref)
{
    RT_API(alignment_offset(offset, texref));
}

static cudaError_t texture_reference(const struct textureReference **ref, const void *symbol)
{
    struct rt_texture *t;
    cudaError_t code = ref ? rt_texture_find(symbol, &t) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *ref = t->ref;
    return code;
}

cudaError_t cudaGetTextureReference(const struct textureReference **texref, const void *symbol)
{
    RT_API(texture_reference(texref, symbol));
}
