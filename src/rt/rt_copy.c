/*
 * rt_copy.c -- copies and fills: boxes of bytes between host and device.
 *
 * Before a byte moves, both sides are checked: on the device the whole box lies in one
 * allocation; on the host there is memory in each page, to be written if it is the destination.
 * The latter catches what would end the program otherwise: a device address given for a host one
 * above all, and what the program has unmapped or protected since it was registered.  What is only
 * noted is checked again when it is done.
 */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rt/rt_queue.h"

enum { HOST_PAGE = 4096 }; /* or a multiple of it */

bool rt_is_device(const void *p)
{
    return vmem_find_shut(&rt.dev->mem, (u64)(uintptr_t)p) != NULL;
}

/* --- checks --- */

/*
 * A futex that is waited for no time at all is read by the kernel, which says EFAULT where we
 * would get a signal, and changes nothing.
 */
bool rt_is_host(u64 addr)
{
    const struct timespec no_time = {0};
    void *word = (void *)(uintptr_t)(addr & ~3ull);

    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, &no_time, NULL, 0) == 0 ||
           errno != EFAULT;
}

/* The same with an addition of nothing, which is a write. */
bool rt_is_writable(u64 addr)
{
    void *word = (void *)(uintptr_t)(addr & ~3ull);

    return syscall(SYS_futex, word, FUTEX_WAKE_OP_PRIVATE, 0, NULL, word,
                   FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0)) >= 0 ||
           errno != EFAULT;
}

bool rt_is_all(bool (*is)(u64 addr), u64 at, u64 size)
{
    u64 last = at + size - 1;

    if (last < at || !is(last))
        return false;
    for (u64 page = at; page < last; page = align_up(page + 1, HOST_PAGE))
        if (!is(page))
            return false;
    return true;
}

/*
 * Rows and slices that are not further apart than a page leave none out, and are looked at as one span: a box of
 * 2^63 slices that are one and the same is one look.
 */
static bool box_is_there(bool (*is)(u64 addr), const struct rt_side *s, const struct rt_box *b)
{
    u64 rows = (b->height - 1) * s->pitch, slices = (b->depth - 1) * s->slice;
    bool one_row = s->pitch <= HOST_PAGE || s->pitch == b->width;
    bool one_slice = s->slice <= HOST_PAGE || (one_row && s->slice <= rows + b->width);
    u64 size = b->width + (one_row ? rows : 0) + (one_slice ? slices : 0);

    for (u64 z = 0; z < (one_slice ? 1 : b->depth); z++)
        for (u64 y = 0; y < (one_row ? 1 : b->height); y++)
            if (!rt_is_all(is, s->at + z * s->slice + y * s->pitch, size))
                return false;
    return true;
}

/* Bytes from the first of a box to its last; false if that is more than an address can say. */
static bool bytes_reached(const struct rt_side *s, const struct rt_box *b, u64 *n)
{
    u64 rows, slices;

    return !__builtin_mul_overflow(b->height - 1, s->pitch, &rows) &&
           !__builtin_mul_overflow(b->depth - 1, s->slice, &slices) &&
           !__builtin_add_overflow(rows, slices, n) && !__builtin_add_overflow(*n, b->width, n);
}

/* One end of a copy, in words. */
static const char *end_name(bool writes)
{
    return writes ? "destination" : "source";
}

static cudaError_t check_host(const struct rt_side *s, const struct rt_box *b, u64 n, bool writes)
{
    const char *why = "read-only, in whole or in part";
    char buf[RT_POINTER];

    if (box_is_there(writes ? rt_is_writable : rt_is_host, s, b))
        return cudaSuccess;
    if (!rt_is_host(s->at))
        why = !s->device && vmem_find_shut(&rt.dev->mem, s->at) ? "device memory, not the host's"
                                                                : "nobody's memory, not the host's";
    else if (!writes || !box_is_there(rt_is_host, s, b))
        why = "not all memory";
    return rt_fail_text(cudaErrorInvalidValue, "the %s, %" PRIu64 " bytes at %s, is %s",
                        end_name(writes), n, rt_pointer(s->at, buf), why);
}

static cudaError_t check_device_side(const struct rt_side *s, const struct rt_box *b, u64 n,
                                     bool writes)
{
    const struct span *span = vmem_find_shut(&rt.dev->mem, s->at);
    const char *what = end_name(writes);
    char near[200], buf[RT_POINTER];

    if (span && span->kind == SPAN_MAPPED && n <= span->whole - (s->at - span->lo))
        return check_host(s, b, n, writes);
    if (span && n <= span->size - (s->at - span->lo))
        return cudaSuccess;
    if (!span && rt_is_host(s->at))
        return rt_fail_text(cudaErrorInvalidValue,
                            "the %s, %" PRIu64 " bytes at %s, is host memory, not the device's",
                            what, n, rt_pointer(s->at, buf));
    return rt_fail_text(
        cudaErrorInvalidValue, "the %s, %" PRIu64 " bytes at %s, is outside of device memory: %s",
        what, n, rt_pointer(s->at, buf), vmem_describe(&rt.dev->mem, s->at, near, sizeof near));
}

static cudaError_t check_side(const struct rt_side *s, const struct rt_box *b, bool writes)
{
    u64 n;

    if (!bytes_reached(s, b, &n) || s->at + n < s->at)
        return rt_fail_text(cudaErrorInvalidValue, "the %s is larger than any memory",
                            end_name(writes));
    return (s->device ? check_device_side : check_host)(s, b, n, writes);
}

cudaError_t rt_check_from(const struct rt_side *s, const struct rt_box *b)
{
    return check_side(s, b, false);
}

cudaError_t rt_check_to(const struct rt_side *s, const struct rt_box *b)
{
    return check_side(s, b, true);
}

/* --- copies --- */

/* Where the simulator keeps a byte of either side; the side has been checked. */
static u8 *host_bytes(const struct rt_side *s, u64 addr)
{
    const struct span *span = s->device ? vmem_find_shut(&rt.dev->mem, addr) : NULL;

    return span ? span->host + (addr - span->lo) : (u8 *)(uintptr_t)addr;
}

static void copy_row(const struct rt_side *to, u64 to_addr, const struct rt_side *from,
                     u64 from_addr, u64 n)
{
    u8 *dst = host_bytes(to, to_addr), *src = host_bytes(from, from_addr), *held = NULL;
    struct err e;

    if (!to->device) {
        memmove(dst, src, n);
        return;
    }
    if (dst < src + n && src < dst + n) /* within one buffer */
        src = held = memcpy(xmalloc(n), src, n);
    device_write(rt.dev, to_addr, src, n, &e);
    free(held);
}

/* Rows that follow each other without a gap on both sides are one row. */
static void merge_rows(const struct rt_side *to, const struct rt_side *from, struct rt_box *b)
{
    if (to->pitch == b->width && from->pitch == b->width &&
        (b->depth == 1 ||
         (to->slice == b->width * b->height && from->slice == b->width * b->height))) {
        b->width *= b->height * b->depth;
        b->height = b->depth = 1;
    }
}

void rt_move(const struct rt_side *to, const struct rt_side *from, const struct rt_box *box)
{
    struct rt_box b = *box;

    merge_rows(to, from, &b);
    for (u64 z = 0; z < b.depth; z++)
        for (u64 y = 0; y < b.height; y++)
            copy_row(to, to->at + z * to->slice + y * to->pitch, from,
                     from->at + z * from->slice + y * from->pitch, b.width);
}

static bool is_pageable(const struct rt_side *s)
{
    return !s->device && !rt_host_find((void *)(uintptr_t)s->at);
}

/* The bytes of a box on the host, as they are now. */
static u8 *stage(const struct rt_side *from, const struct rt_box *b)
{
    u8 *bytes = xmalloc(b->width * b->height * b->depth);
    const struct rt_side to = {
        .at = (u64)(uintptr_t)bytes, .pitch = b->width, .slice = b->width * b->height};

    rt_move(&to, from, b);
    return bytes;
}

cudaError_t rt_copy_box(const struct rt_side *to, const struct rt_side *from,
                        const struct rt_box *box, cudaStream_t stream)
{
    struct rt_op op = {.work = RT_COPY, .to = *to, .from = *from, .box = *box};

    if (!box->width || !box->height || !box->depth)
        return cudaSuccess;
    cudaError_t code = rt_check_to(to, box);

    if (code == cudaSuccess)
        code = rt_check_from(from, box);
    if (code != cudaSuccess)
        return code;
    if (is_pageable(from) && rt_queue_defers())
        op.staged = stage(from, box);
    rt_queue_add(stream, &op);
    return is_pageable(to) && rt_queue_defers() ? rt_stream_wait(stream) : cudaSuccess;
}

cudaError_t rt_waited(cudaError_t code)
{
    return code == cudaSuccess ? rt_stream_wait(NULL) : code;
}

cudaError_t rt_sides(struct rt_side *to, struct rt_side *from, enum cudaMemcpyKind kind)
{
    switch (kind) {
    case cudaMemcpyHostToHost:
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToHost:
    case cudaMemcpyDeviceToDevice:
        to->device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        from->device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        return cudaSuccess;
    case cudaMemcpyDefault:
        to->device = rt_is_device((void *)(uintptr_t)to->at);
        from->device = rt_is_device((void *)(uintptr_t)from->at);
        return cudaSuccess;
    }
    return rt_fail_text(cudaErrorInvalidMemcpyDirection, "%d is no cudaMemcpyKind", (int)kind);
}

static cudaError_t copy_2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                           size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct rt_side to = {.at = (u64)(uintptr_t)dst, .pitch = dpitch};
    struct rt_side from = {.at = (u64)(uintptr_t)src, .pitch = spitch};
    const struct rt_box box = {width, height, 1};
    cudaError_t code = rt_sides(&to, &from, kind);

    return code == cudaSuccess ? rt_copy_box(&to, &from, &box, stream) : code;
}

cudaError_t rt_copy(void *to, const void *from, u64 n, enum cudaMemcpyKind kind,
                    cudaStream_t stream)
{
    cudaError_t code = rt_stream_check(stream);

    return code == cudaSuccess ? copy_2d(to, n, from, n, n, 1, kind, stream) : code;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    RT_API(rt_waited(rt_copy(dst, src, count, kind, NULL)));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    RT_ASYNC(rt_copy(dst, src, count, kind, stream));
}

static cudaError_t peers(int a, int b)
{
    return a == RT_DEVICE && b == RT_DEVICE ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    RT_API(peers(dstDevice, srcDevice) == cudaSuccess
               ? rt_waited(rt_copy(dst, src, count, cudaMemcpyDeviceToDevice, NULL))
               : cudaErrorInvalidDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                size_t count, cudaStream_t stream)
{
    RT_ASYNC(peers(dstDevice, srcDevice) == cudaSuccess
                 ? rt_copy(dst, src, count, cudaMemcpyDeviceToDevice, stream)
                 : cudaErrorInvalidDevice);
}

static cudaError_t pitched(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                           size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t code = rt_stream_check(stream);

    if (code != cudaSuccess)
        return code;
    if (dpitch < width || spitch < width)
        return rt_fail_text(cudaErrorInvalidPitchValue,
                            "rows of %zu bytes with a pitch of %zu to and %zu from", width, dpitch,
                            spitch);
    return copy_2d(dst, dpitch, src, spitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    RT_API(rt_waited(pitched(dst, dpitch, src, spitch, width, height, kind, NULL)));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    RT_ASYNC(pitched(dst, dpitch, src, spitch, width, height, kind, stream));
}

/* --- fills --- */

void rt_spread(const struct rt_side *to, const struct rt_box *box, const void *unit, u32 unit_bytes)
{
    struct rt_box b = *box;
    struct err e;

    merge_rows(to, to, &b);
    u8 *row = unit_bytes == 1 ? NULL : xmalloc(b.width);

    for (u64 i = 0; row && i + unit_bytes <= b.width; i += unit_bytes)
        memcpy(row + i, unit, unit_bytes);
    for (u64 z = 0; z < b.depth; z++)
        for (u64 y = 0; y < b.height; y++) {
            u64 addr = to->at + z * to->slice + y * to->pitch;

            if (row)
                device_write(rt.dev, addr, row, b.width, &e);
            else
                device_set(rt.dev, addr, *(const u8 *)unit, b.width, &e);
        }
    free(row);
}

cudaError_t rt_fill(u64 at, u64 pitch, u64 slice, const struct rt_box *box, const void *unit,
                    u32 unit_bytes, cudaStream_t stream)
{
    struct rt_op op = {.work = RT_FILL, .box = *box, .unit_bytes = unit_bytes};

    op.to = (struct rt_side){.at = at, .pitch = pitch, .slice = slice, .device = true};
    if (!box->width || !box->height || !box->depth)
        return cudaSuccess;
    cudaError_t code = rt_check_to(&op.to, box);

    if (code != cudaSuccess)
        return code;
    memcpy(op.unit, unit, unit_bytes);
    rt_queue_add(stream, &op);
    return cudaSuccess;
}

static cudaError_t fill_bytes(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    const struct rt_box box = {extent.width, extent.height, extent.depth};
    u8 byte = (u8)value;
    u64 slice;
    cudaError_t code = rt_stream_check(stream);

    if (code != cudaSuccess)
        return code;
    if (p.pitch < box.width || (box.depth > 1 && p.ysize < box.height) ||
        __builtin_mul_overflow(p.pitch, p.ysize, &slice))
        return rt_fail_text(cudaErrorInvalidValue,
                            "%" PRIu64 " bytes x %" PRIu64 " with a pitch of %zu and %zu rows",
                            box.width, box.height, p.pitch, p.ysize);
    return rt_fill((u64)(uintptr_t)p.ptr, p.pitch, slice, &box, &byte, 1, stream);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    RT_API(fill_bytes(make_cudaPitchedPtr(devPtr, count, count, 1), value,
                      make_cudaExtent(count, 1, 1), NULL));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    RT_ASYNC(fill_bytes(make_cudaPitchedPtr(devPtr, count, count, 1), value,
                        make_cudaExtent(count, 1, 1), stream));
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    RT_API(fill_bytes(make_cudaPitchedPtr(devPtr, pitch, width, height), value,
                      make_cudaExtent(width, height, 1), NULL));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    RT_ASYNC(fill_bytes(make_cudaPitchedPtr(devPtr, pitch, width, height), value,
                        make_cudaExtent(width, height, 1), stream));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)
{
    RT_API(fill_bytes(pitchedDevPtr, value, extent, NULL));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    RT_ASYNC(fill_bytes(pitchedDevPtr, value, extent, stream));
}
