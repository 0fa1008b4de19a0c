/*
 * drv_texture.c -- the driver API's texture references (see drv.h).
 *
 * The driver looks at a reference when a kernel starts; here each change of one that is bound
 * binds it anew, which is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "rt/drv.h"

struct CUtexref_st {
    struct rt_texture *texture;
    struct rt_module *module;
    CUarray_format format;
    int channels;
    unsigned int flags;
    CUfilter_mode filter;
    CUaddress_mode wrap[3];
    enum { NOTHING, LINEAR, PITCH, ARRAY } bound;
    CUdeviceptr at;
    size_t size, width, height, pitch;
    CUarray array;
};

static struct rt_handles references;

bool drv_channels(CUarray_format format, unsigned int n, struct cudaChannelFormatDesc *d)
{
    int bits = format == CU_AD_FORMAT_FLOAT ? 32 : 0;

    memset(d, 0, sizeof *d);
    d->f = bits                                 ? cudaChannelFormatKindFloat
           : format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned
                                                : cudaChannelFormatKindUnsigned;
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        bits = 8;
        break;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
        bits = 16;
        break;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
        bits = 32;
        break;
    default:
        return false;
    }
    d->x = bits;
    d->y = n > 1 ? bits : 0;
    d->z = d->w = n > 2 ? bits : 0;
    return n == 1 || n == 2 || n == 4;
}

static struct rt_sampler reference_sampler(const struct CUtexref_st *t)
{
    static const u8 wrap[] = {
        [CU_TR_ADDRESS_MODE_WRAP] = WRAP_REPEAT,
        [CU_TR_ADDRESS_MODE_CLAMP] = WRAP_CLAMP,
        [CU_TR_ADDRESS_MODE_MIRROR] = WRAP_MIRROR,
        [CU_TR_ADDRESS_MODE_BORDER] = WRAP_BORDER,
    };
    bool narrow =
        t->format != CU_AD_FORMAT_UNSIGNED_INT32 && t->format != CU_AD_FORMAT_SIGNED_INT32;
    struct rt_sampler s = {
        .normalized = (t->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .linear = t->filter == CU_TR_FILTER_MODE_LINEAR,
        .to_float = narrow && !(t->flags & CU_TRSF_READ_AS_INTEGER),
    };

    for (u32 i = 0; i < 3; i++)
        s.wrap[i] = wrap[t->wrap[i]];
    return s;
}

static cudaError_t rebind(struct CUtexref_st *t, size_t *offset)
{
    struct rt_sampler s = reference_sampler(t);
    struct cudaChannelFormatDesc d;

    if (!drv_channels(t->format, (unsigned int)t->channels, &d))
        return cudaErrorInvalidValue;
    switch (t->bound) {
    case LINEAR:
        return rt_bind_linear(t->texture, &s, t->at, t->size, &d, offset);
    case PITCH:
        return rt_bind_pitch(t->texture, &s, t->at,
                             &(struct rt_rows){t->width, t->height, t->pitch}, &d, NULL);
    case ARRAY:
        return rt_bind_array(t->texture, &s, (struct cudaArray *)t->array, NULL);
    default:
        return cudaSuccess;
    }
}

/* The program knows the offset of its pointer by now. */
static cudaError_t refresh_reference(struct CUtexref_st *t)
{
    size_t known_offset;

    return rebind(t, &known_offset);
}

/* --- references of a module --- */

static struct CUtexref_st *known_reference(const struct rt_texture *texture)
{
    for (u32 i = 0; i < references.live.n; i++) {
        struct CUtexref_st *t = references.live.at[i];

        if (t->texture == texture)
            return t;
    }
    return NULL;
}

cudaError_t drv_texture_new(CUtexref *out, struct rt_module *m, const char *name)
{
    struct rt_texture *texture = rt_texture_by_name(m, name);

    if (!texture)
        return rt_fail_text(cudaErrorSymbolNotFound, "%s has no texture '%s'", m->name, name);
    *out = known_reference(texture);
    if (*out)
        return cudaSuccess;
    *out = xcalloc(1, sizeof **out);
    (*out)->texture = texture;
    (*out)->module = m;
    (*out)->format = CU_AD_FORMAT_FLOAT;
    (*out)->channels = 1;
    for (u32 i = 0; i < 3; i++)
        (*out)->wrap[i] = CU_TR_ADDRESS_MODE_CLAMP;
    rt_handle_add(&references, *out);
    return cudaSuccess;
}

void drv_textures_forget(const struct rt_module *m)
{
    for (u32 i = references.live.n; i-- > 0;) {
        struct CUtexref_st *t = references.live.at[i];

        if (m && t->module != m)
            continue;
        rt_handle_remove(&references, t);
        free(t);
    }
}

static cudaError_t check_reference(CUtexref t)
{
    return rt_handle_is_live(&references, t)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidResourceHandle, t, "texture reference");
}

/* --- binding --- */

static cudaError_t set_array(CUtexref t, CUarray array, unsigned int flags)
{
    const struct cudaArray *a = (struct cudaArray *)array;
    CUDA_ARRAY_DESCRIPTOR d;
    cudaError_t code =
        flags == CU_TRSA_OVERRIDE_FORMAT ? check_reference(t) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    if (!rt_array_is_live(a) || cuArrayGetDescriptor(&d, array) != CUDA_SUCCESS)
        return cudaErrorInvalidResourceHandle;
    t->format = d.Format, t->channels = (int)d.NumChannels;
    t->bound = ARRAY;
    t->array = array;
    return rebind(t, NULL);
}

CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags)
{
    DRV_API(set_array(hTexRef, hArray, Flags));
}

static cudaError_t set_address(size_t *offset, CUtexref t, CUdeviceptr p, size_t bytes)
{
    cudaError_t code = check_reference(t);

    if (code != cudaSuccess)
        return code;
    if (!bytes) {
        t->bound = NOTHING;
        return rt_unbind(t->texture);
    }
    t->bound = LINEAR;
    t->at = p, t->size = bytes;
    return rebind(t, offset);
}

CUresult cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)
{
    DRV_API(set_address(ByteOffset, hTexRef, dptr, bytes));
}
DRV_V2(cuTexRefSetAddress);

static cudaError_t set_address_2d(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr p,
                                  size_t pitch)
{
    cudaError_t code = d ? check_reference(t) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    t->format = d->Format, t->channels = (int)d->NumChannels;
    t->bound = PITCH;
    t->at = p, t->width = d->Width, t->height = d->Height, t->pitch = pitch;
    return rebind(t, NULL);
}

CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr,
                              size_t Pitch)
{
    DRV_API(set_address_2d(hTexRef, desc, dptr, Pitch));
}

/* --- settings --- */

static cudaError_t set_reference_format(CUtexref t, CUarray_format format, int n)
{
    struct cudaChannelFormatDesc d;
    cudaError_t code =
        drv_channels(format, (unsigned int)n, &d) ? check_reference(t) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    t->format = format, t->channels = n;
    return refresh_reference(t);
}

CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents)
{
    DRV_API(set_reference_format(hTexRef, fmt, NumPackedComponents));
}

static cudaError_t set_address_mode(CUtexref t, int dim, CUaddress_mode mode)
{
    cudaError_t code = dim >= 0 && dim < 3 && mode <= CU_TR_ADDRESS_MODE_BORDER
                           ? check_reference(t)
                           : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    t->wrap[dim] = mode;
    return refresh_reference(t);
}

CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am)
{
    DRV_API(set_address_mode(hTexRef, dim, am));
}

static cudaError_t set_filter(CUtexref t, CUfilter_mode mode)
{
    cudaError_t code =
        mode <= CU_TR_FILTER_MODE_LINEAR ? check_reference(t) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    t->filter = mode;
    return refresh_reference(t);
}

CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm)
{
    DRV_API(set_filter(hTexRef, fm));
}

static cudaError_t set_reference_flags(CUtexref t, unsigned int flags)
{
    const unsigned int known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES;
    cudaError_t code = flags & ~known ? cudaErrorInvalidValue : check_reference(t);

    if (code != cudaSuccess)
        return code;
    t->flags = flags;
    return refresh_reference(t);
}

CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags)
{
    DRV_API(set_reference_flags(hTexRef, Flags));
}
