/*
 * rt_array.c -- CUDA arrays: device memory whose layout is the library's own, and copies from and
 * to them.  An array is rows of its pitch, one after the other, slices without a gap.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "rt/rt.h"

static struct rt_handles arrays;

/* --- making --- */

u32 rt_channel_bytes(const struct cudaChannelFormatDesc *d)
{
    const int bits[4] = {d->x, d->y, d->z, d->w};
    u32 n = 0;

    while (n < 4 && bits[n])
        n++;
    for (u32 i = 0; i < 4; i++)
        if (bits[i] != (i < n ? d->x : 0))
            return 0;
    if (n == 0 || n == 3 || (d->x != 8 && d->x != 16 && d->x != 32))
        return 0;
    if (d->f < cudaChannelFormatKindSigned || d->f > cudaChannelFormatKindFloat ||
        (d->f == cudaChannelFormatKindFloat && d->x != 32))
        return 0;
    return n * (u32)d->x / 8;
}

static u64 at_least_1(u64 n)
{
    return n ? n : 1;
}

cudaError_t rt_array_new(struct cudaArray **a, const struct cudaChannelFormatDesc *desc, u64 width,
                         u64 height, u64 depth, unsigned int flags)
{
    const unsigned int known =
        cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    u32 element = desc ? rt_channel_bytes(desc) : 0;
    struct cudaArray made = {.width = width, .height = height, .depth = depth, .flags = flags};

    if (!a || !desc || !width || width > UINT32_MAX / 16 || height > UINT32_MAX ||
        depth > UINT32_MAX)
        return cudaErrorInvalidValue;
    if (flags & ~known)
        return rt_fail_text(cudaErrorNotSupported, "array flags 0x%x: 0x%x are supported", flags,
                            known);
    if (flags & cudaArrayCubemap &&
        (width != height || (flags & cudaArrayLayered ? !depth || depth % 6 : depth != 6)))
        return rt_fail_text(cudaErrorInvalidValue,
                            "a cube map of %" PRIu64 " x %" PRIu64 " x %" PRIu64
                            " elements: faces are square, and there are 6, or 6 of each layer",
                            width, height, depth);
    if (!element)
        return rt_fail_text(cudaErrorInvalidChannelDescriptor,
                            "channels of %d, %d, %d and %d bits: 1, 2 or 4 equal ones of 8, 16 or "
                            "32 bits are possible",
                            desc->x, desc->y, desc->z, desc->w);
    made.desc = *desc;
    made.element = element;
    cudaError_t code = rt_alloc_pitch(&made.at, &made.pitch, width * element, at_least_1(height),
                                      at_least_1(depth));

    if (code != cudaSuccess)
        return code;
    *a = xmalloc(sizeof **a);
    **a = made;
    rt_handle_add(&arrays, *a);
    return cudaSuccess;
}

bool rt_array_is_live(const struct cudaArray *a)
{
    return rt_handle_is_live(&arrays, a);
}

static cudaError_t check_array(const struct cudaArray *a)
{
    return rt_array_is_live(a) ? cudaSuccess
                               : rt_fail_handle(cudaErrorInvalidResourceHandle, a, "array");
}

cudaError_t rt_array_delete(struct cudaArray *a)
{
    cudaError_t code = a ? check_array(a) : cudaSuccess;

    if (!a || code != cudaSuccess)
        return code;
    code = rt_release(a->at, cudaErrorInvalidValue);
    rt_handle_remove(&arrays, a);
    free(a);
    return code;
}

void rt_arrays_forget(void)
{
    while (arrays.live.n)
        free(arrays.live.at[--arrays.live.n]);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
    RT_API(rt_array_new(array, desc, width, height, 0, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    RT_API(rt_array_new(array, desc, extent.width, extent.height, extent.depth, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    RT_API(rt_array_delete(array));
}

static cudaError_t array_info(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                              unsigned int *flags, const struct cudaArray *a)
{
    cudaError_t code = check_array(a);

    if (code != cudaSuccess)
        return code;
    if (desc)
        *desc = a->desc;
    if (extent)
        *extent = make_cudaExtent(a->width, a->height, a->depth);
    if (flags)
        *flags = a->flags;
    return code;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array)
{
    RT_API(array_info(desc, extent, flags, array));
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    RT_API(desc ? array_info(desc, NULL, NULL, array) : cudaErrorInvalidValue);
}

/* --- copies of boxes --- */

cudaError_t rt_array_side(struct cudaArray *a, u64 x_bytes, u64 y, u64 z, const struct rt_box *box,
                          struct rt_side *side)
{
    u64 row = 0, rows = 0, slices = 0;
    cudaError_t code = check_array(a);

    if (code != cudaSuccess)
        return code;
    row = a->width * a->element, rows = at_least_1(a->height), slices = at_least_1(a->depth);
    if (x_bytes > row || box->width > row - x_bytes || y > rows || box->height > rows - y ||
        z > slices || box->depth > slices - z)
        return rt_fail_text(cudaErrorInvalidValue,
                            "%" PRIu64 " bytes x %" PRIu64 " x %" PRIu64 " at %" PRIu64 ",%" PRIu64
                            ",%" PRIu64 " of an array of %" PRIu64 " bytes x %" PRIu64
                            " x %" PRIu64,
                            box->width, box->height, box->depth, x_bytes, y, z, row, rows, slices);
    side->device = true;
    side->pitch = a->pitch;
    side->slice = a->pitch * rows;
    side->at = a->at + z * side->slice + y * side->pitch + x_bytes;
    return code;
}

/* The side that is no array; the kind speaks of it alone. */
static cudaError_t other_side(struct rt_side *s, const void *p, u64 pitch, enum cudaMemcpyKind kind,
                              bool is_source)
{
    bool device = kind == cudaMemcpyDeviceToDevice;
    bool fits = kind == (is_source ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);

    if (!device && !fits && kind != cudaMemcpyDefault)
        return rt_fail_text(cudaErrorInvalidMemcpyDirection, "an array is on the device");
    s->at = (u64)(uintptr_t)p;
    s->pitch = s->slice = pitch;
    s->device = kind == cudaMemcpyDefault ? rt_is_device(p) : device;
    return cudaSuccess;
}

struct array_copy {
    struct cudaArray *array;
    size_t x, y; /* bytes, rows */
    const void *other;
    size_t pitch, width, height;
    enum cudaMemcpyKind kind;
    bool to_array;
};

static cudaError_t copy_array_2d(const struct array_copy *c)
{
    const struct rt_box box = {c->width, c->height, 1};
    struct rt_side in, out;
    cudaError_t code = rt_array_side(c->array, c->x, c->y, 0, &box, &in);

    if (code == cudaSuccess)
        code = other_side(&out, c->other, c->pitch, c->kind, c->to_array);
    if (code != cudaSuccess)
        return code;
    if (c->pitch < c->width)
        return rt_fail_text(cudaErrorInvalidPitchValue, "rows of %zu bytes with a pitch of %zu",
                            c->width, c->pitch);
    return rt_waited(c->to_array ? rt_copy_box(&in, &out, &box, NULL)
                                 : rt_copy_box(&out, &in, &box, NULL));
}

/* Before the first byte of a run moves: is the array long enough? */
static cudaError_t check_run(const struct array_copy *c, size_t count)
{
    cudaError_t code = check_array(c->array);

    if (code != cudaSuccess)
        return code;
    size_t row = c->array->width * c->array->element, rows = at_least_1(c->array->height);

    if (c->x < row && c->y < rows && count <= (rows - c->y) * row - c->x)
        return code;
    return rt_fail_text(cudaErrorInvalidValue,
                        "%zu bytes from %zu,%zu on of an array of %zu bytes x %zu", count, c->x,
                        c->y, row, rows);
}

/* And the other side? */
static cudaError_t check_other(const struct array_copy *c, size_t count)
{
    const struct rt_box all = {count, 1, 1};
    struct rt_side out;
    cudaError_t code = other_side(&out, c->other, count, c->kind, c->to_array);

    if (code != cudaSuccess)
        return code;
    return (c->to_array ? rt_check_from : rt_check_to)(&out, &all);
}

/* Bytes that fill rows one after the other, the first and last perhaps in part. */
static cudaError_t copy_run(struct array_copy c, size_t count)
{
    cudaError_t code = count ? check_run(&c, count) : check_array(c.array);

    if (count && code == cudaSuccess)
        code = check_other(&c, count);
    if (code != cudaSuccess)
        return code;
    size_t row = c.array->width * c.array->element;

    while (count && code == cudaSuccess) {
        size_t left = row - c.x;

        c.height = c.x == 0 && count >= row ? count / row : 1;
        c.width = c.height > 1 || count >= left ? left : count;
        c.pitch = c.width;
        code = copy_array_2d(&c);
        c.other = (const char *)c.other + c.width * c.height;
        count -= c.width * c.height;
        c.y += c.height;
        c.x = 0;
    }
    return code;
}

static cudaError_t in_stream(const struct array_copy *c, size_t count, cudaStream_t stream)
{
    cudaError_t code = rt_stream_check(stream);

    if (code != cudaSuccess)
        return code;
    return count == SIZE_MAX ? copy_array_2d(c) : copy_run(*c, count);
}

enum { TO_ARRAY = 1, FROM_ARRAY = 0 };

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                              size_t count, enum cudaMemcpyKind kind)
{
    const struct array_copy c = {dst, wOffset, hOffset, src, 0, 0, 0, kind, TO_ARRAY};

    RT_API(copy_run(c, count));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct array_copy c = {dst, wOffset, hOffset, src, 0, 0, 0, kind, TO_ARRAY};

    RT_API(in_stream(&c, count, stream));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, enum cudaMemcpyKind kind)
{
    const struct array_copy c = {(cudaArray_t)src, wOffset, hOffset, dst, 0, 0, 0, kind,
                                 FROM_ARRAY};

    RT_API(copy_run(c, count));
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset,
                                     size_t hOffset, size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    const struct array_copy c = {(cudaArray_t)src, wOffset, hOffset, dst, 0, 0, 0, kind,
                                 FROM_ARRAY};

    RT_API(in_stream(&c, count, stream));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    const struct array_copy c = {dst, wOffset, hOffset, src, spitch, width, height, kind, TO_ARRAY};

    RT_API(copy_array_2d(&c));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void *src, size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct array_copy c = {dst, wOffset, hOffset, src, spitch, width, height, kind, TO_ARRAY};

    RT_API(in_stream(&c, SIZE_MAX, stream));
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    const struct array_copy c = {(cudaArray_t)src, wOffset, hOffset,   dst, dpitch, width,
                                 height,           kind,    FROM_ARRAY};

    RT_API(copy_array_2d(&c));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct array_copy c = {(cudaArray_t)src, wOffset, hOffset,   dst, dpitch, width,
                                 height,           kind,    FROM_ARRAY};

    RT_API(in_stream(&c, SIZE_MAX, stream));
}

static cudaError_t between(struct cudaArray *dst, size_t dx, size_t dy, struct cudaArray *src,
                           size_t sx, size_t sy, const struct rt_box *box, enum cudaMemcpyKind kind)
{
    struct rt_side to, from;
    cudaError_t code =
        kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault
            ? rt_array_side(dst, dx, dy, 0, box, &to)
            : rt_fail_text(cudaErrorInvalidMemcpyDirection, "arrays are on the device");

    if (code == cudaSuccess)
        code = rt_array_side(src, sx, sy, 0, box, &from);
    return code == cudaSuccess ? rt_waited(rt_copy_box(&to, &from, box, NULL)) : code;
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    const struct rt_box box = {width, height, 1};

    RT_API(
        between(dst, wOffsetDst, hOffsetDst, (cudaArray_t)src, wOffsetSrc, hOffsetSrc, &box, kind));
}

/* Through a buffer: the rows of the two may differ in length. */
static cudaError_t run_between(struct array_copy to, struct array_copy from, size_t count)
{
    cudaError_t code = count ? check_run(&to, count) : check_array(to.array);

    if (code == cudaSuccess)
        code = count ? check_run(&from, count) : check_array(from.array);
    if (code != cudaSuccess || !count)
        return code;
    u8 *held = xmalloc(count);

    from.other = to.other = held;
    from.kind = cudaMemcpyDeviceToHost, to.kind = cudaMemcpyHostToDevice;
    code = copy_run(from, count);
    if (code == cudaSuccess)
        code = copy_run(to, count);
    free(held);
    return code;
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                   size_t count, enum cudaMemcpyKind kind)
{
    const struct array_copy to = {.array = dst, .x = wOffsetDst, .y = hOffsetDst, .to_array = true};
    const struct array_copy from = {.array = (cudaArray_t)src, .x = wOffsetSrc, .y = hOffsetSrc};

    RT_API(kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault
               ? run_between(to, from, count)
               : cudaErrorInvalidMemcpyDirection);
}

/* --- cudaMemcpy3D: any two of arrays and pitched memory --- */

/* Where the box at pos starts: nothing may wrap around, or it would be in the memory before. */
static bool place_box(struct rt_side *s, const struct cudaPitchedPtr *p, const struct cudaPos *pos)
{
    u64 rows, slices;

    s->at = (u64)(uintptr_t)p->ptr;
    s->pitch = p->pitch;
    return !__builtin_mul_overflow(p->pitch, p->ysize, &s->slice) &&
           !__builtin_mul_overflow(pos->z, s->slice, &slices) &&
           !__builtin_mul_overflow(pos->y, s->pitch, &rows) &&
           !__builtin_add_overflow(s->at, slices, &s->at) &&
           !__builtin_add_overflow(s->at, rows, &s->at) &&
           !__builtin_add_overflow(s->at, pos->x, &s->at);
}

/* A pitch and a number of rows are needed only by who goes from row to row, slice to slice. */
cudaError_t rt_pitched_side(struct rt_side *s, const struct cudaPitchedPtr *p,
                            const struct cudaPos *pos, const struct rt_box *box)
{
    bool fits_row = pos->x <= p->pitch && box->width <= p->pitch - pos->x;
    bool fits_slice = pos->y <= p->ysize && box->height <= p->ysize - pos->y;

    if ((box->height > 1 || box->depth > 1) && !fits_row)
        return rt_fail_text(cudaErrorInvalidPitchValue,
                            "rows of %" PRIu64 " bytes at %zu with a pitch of %zu", box->width,
                            pos->x, p->pitch);
    if (box->depth > 1 && !fits_slice)
        return rt_fail_text(cudaErrorInvalidValue,
                            "slices of %" PRIu64 " rows at %zu with %zu rows in a slice",
                            box->height, pos->y, p->ysize);
    return place_box(s, p, pos)
               ? cudaSuccess
               : rt_fail_text(cudaErrorInvalidValue, "a position beyond any memory");
}

static cudaError_t side_3d(struct rt_side *s, struct cudaArray *a, const struct cudaPitchedPtr *p,
                           const struct cudaPos *pos, const struct rt_box *box)
{
    bool device = s->device;

    if (!a == !p->ptr)
        return rt_fail_text(cudaErrorInvalidValue,
                            "of array and pointer exactly one is to be given");
    if (!a)
        return rt_pitched_side(s, p, pos, box);
    if (pos->x > a->width)
        return rt_fail_text(cudaErrorInvalidValue, "position %zu in rows of %" PRIu64 " elements",
                            pos->x, a->width);
    return device ? rt_array_side(a, pos->x * a->element, pos->y, pos->z, box, s)
                  : rt_fail_text(cudaErrorInvalidMemcpyDirection, "an array is on the device");
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    struct rt_side to = {0}, from = {0};
    cudaError_t code = p ? rt_stream_check(stream) : cudaErrorInvalidValue;

    for (int i = 0; i < 2 && code == cudaSuccess; i++) {
        const struct cudaArray *a = i ? p->srcArray : p->dstArray;

        code = a ? check_array(a) : cudaSuccess;
    }
    if (code != cudaSuccess)
        return code;
    const struct cudaArray *any = p->dstArray ? p->dstArray : p->srcArray;
    struct rt_box box = {.height = p->extent.height, .depth = p->extent.depth};

    if (__builtin_mul_overflow(p->extent.width, any ? any->element : 1u, &box.width))
        return rt_fail_text(cudaErrorInvalidValue, "rows of %zu elements", p->extent.width);
    to.at = p->dstArray ? p->dstArray->at : (u64)(uintptr_t)p->dstPtr.ptr;
    from.at = p->srcArray ? p->srcArray->at : (u64)(uintptr_t)p->srcPtr.ptr;
    code = rt_sides(&to, &from, p->kind);
    if (code == cudaSuccess)
        code = side_3d(&to, p->dstArray, &p->dstPtr, &p->dstPos, &box);
    if (code == cudaSuccess)
        code = side_3d(&from, p->srcArray, &p->srcPtr, &p->srcPos, &box);
    return code == cudaSuccess ? rt_copy_box(&to, &from, &box, stream) : code;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    RT_API(rt_waited(copy_3d(p, NULL)));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    RT_ASYNC(copy_3d(p, stream));
}
