/*
 * Random sequences of calls against a model.
 *
 * A world is a handful of buffers of every kind, and beside each the bytes it must hold.  Each step
 * draws a call, right or wrong; a right one is done to the model too, a wrong one must give an
 * error, and after each step the buffer in question is compared with its model.  The seeds are
 * fixed, so a failure ("line 213, seed 2, step 7711") repeats.
 */
#include <fcntl.h>
#include <pthread.h>

#include "base/rng.h"
#include "tests/rt/rt_test.h"

enum { BUFFERS = 12, LONGEST = 3000, STEPS = 4000, SEEDS = 10 };

enum where { DEVICE, PINNED, MANAGED, REGISTERED, PLAIN, N_WHERE };

struct buffer {
    u8 *at, *model; /* at is NULL: there is none */
    size_t size;
    enum where where;
};

struct world {
    struct rng rng;
    struct buffer buffer[BUFFERS];
    u8 *freed; /* a device buffer that was */
    unsigned int seed;
    int step, line; /* line: of the first failure */
};

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition) && !w->line)                                                              \
            w->line = __LINE__;                                                                    \
    } while (0)

static u32 below(struct world *w, size_t n)
{
    return rng_below(&w->rng, (u32)n);
}

static bool one_in(struct world *w, u32 n)
{
    return below(w, n) == 0;
}

/* --- buffers --- */

static cudaError_t make_at(struct buffer *b)
{
    switch (b->where) {
    case DEVICE:
        return cudaMalloc((void **)&b->at, b->size);
    case PINNED:
        return cudaMallocHost((void **)&b->at, b->size);
    case MANAGED:
        return cudaMallocManaged((void **)&b->at, b->size, cudaMemAttachGlobal);
    case REGISTERED:
        b->at = malloc(b->size);
        return cudaHostRegister(b->at, b->size, cudaHostRegisterMapped);
    default:
        b->at = malloc(b->size);
        return cudaSuccess;
    }
}

static cudaError_t drop_at(struct buffer *b)
{
    cudaError_t code = cudaSuccess;

    switch (b->where) {
    case DEVICE:
    case MANAGED:
        return cudaFree(b->at);
    case PINNED:
        return cudaFreeHost(b->at);
    case REGISTERED:
        code = cudaHostUnregister(b->at);
        break;
    default:
        break;
    }
    free(b->at);
    return code;
}

static void make(struct world *w, struct buffer *b)
{
    b->where = (enum where)below(w, N_WHERE);
    b->size = 1 + below(w, LONGEST);
    b->model = malloc(b->size);
    CHECK(make_at(b) == cudaSuccess);
    for (size_t i = 0; i < b->size; i++)
        b->model[i] = (u8)rng_u32(&w->rng);
    if (b->where == DEVICE)
        CHECK(cudaMemcpy(b->at, b->model, b->size, cudaMemcpyHostToDevice) == cudaSuccess);
    else
        memcpy(b->at, b->model, b->size);
}

static void compare(struct world *w, const struct buffer *b)
{
    static __thread u8 got[LONGEST];

    if (b->where == DEVICE) {
        CHECK(cudaMemcpy(got, b->at, b->size, cudaMemcpyDeviceToHost) == cudaSuccess);
        CHECK(memcmp(got, b->model, b->size) == 0);
    } else {
        CHECK(memcmp(b->at, b->model, b->size) == 0);
    }
}

static void drop(struct world *w, struct buffer *b)
{
    compare(w, b);
    if (b->where == DEVICE)
        w->freed = b->at;
    CHECK(drop_at(b) == cudaSuccess);
    free(b->model);
    b->at = NULL;
}

static struct buffer *any(struct world *w)
{
    return &w->buffer[below(w, BUFFERS)];
}

/* A buffer takes another's place. */
static void renew(struct world *w)
{
    struct buffer *b = any(w);

    drop(w, b);
    make(w, b);
}

static void open_world(struct world *w, unsigned int seed)
{
    memset(w, 0, sizeof *w);
    w->seed = seed;
    w->rng = rng_make(seed);
    for (int i = 0; i < BUFFERS; i++)
        make(w, &w->buffer[i]);
}

static void close_world(struct world *w)
{
    for (int i = 0; i < BUFFERS; i++)
        drop(w, &w->buffer[i]);
}

/* --- copies --- */

/* One end of a copy: rows of a buffer. */
struct end {
    struct buffer *b;
    size_t at, pitch, slice;
    bool device; /* as the kind says; where both are possible it does not matter */
};

struct box {
    size_t width, height, depth;
};

static size_t reach(const struct end *e, const struct box *b)
{
    return e->at + (b->depth - 1) * e->slice + (b->height - 1) * e->pitch + b->width;
}

static bool is_possible(const struct end *e)
{
    return e->device ? e->b->where != PLAIN : e->b->where != DEVICE;
}

static enum cudaMemcpyKind draw_kind(struct world *w, struct end *to, struct end *from)
{
    static const enum cudaMemcpyKind kinds[] = {cudaMemcpyHostToHost, cudaMemcpyHostToDevice,
                                                cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                                                cudaMemcpyDefault};
    enum cudaMemcpyKind kind = kinds[below(w, 5)];

    to->device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    from->device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault)
        to->device = to->b->where != PLAIN, from->device = from->b->where != PLAIN;
    return kind;
}

/* Where it fits, or, where that is checked, a little further on. */
static bool draw_place(struct world *w, struct end *e, const struct box *box)
{
    size_t n;

    e->at = 0;
    e->pitch = box->width + below(w, 20);
    e->slice = e->pitch * (box->height + below(w, 3));
    n = reach(e, box);
    if (n > e->b->size) /* does not fit at all: then without gaps */
        e->pitch = box->width, e->slice = e->pitch * box->height, n = reach(e, box);
    if (n <= e->b->size)
        e->at = below(w, e->b->size - n + 1);
    if (n > 1 && n <= e->b->size && e->device && is_possible(e) && one_in(w, 10))
        e->at = e->b->size - n + 1 + below(w, n > 3 ? 3 : n - 1); /* its start is still inside */
    return reach(e, box) <= e->b->size;
}

/* Past the end of host memory: only the program knows. */
static bool is_unknown(const struct end *e, const struct box *box)
{
    return !e->device && e->b->where != DEVICE && reach(e, box) > e->b->size;
}

static void copy_model(const struct end *to, const struct end *from, const struct box *b)
{
    u8 held[LONGEST];

    for (size_t z = 0; z < b->depth; z++)
        for (size_t y = 0; y < b->height; y++) {
            memcpy(held, from->b->model + from->at + z * from->slice + y * from->pitch, b->width);
            memcpy(to->b->model + to->at + z * to->slice + y * to->pitch, held, b->width);
        }
}

static cudaError_t call_3d(const struct end *to, const struct end *from, const struct box *b,
                           enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = {.kind = kind};

    p.dstPtr = make_cudaPitchedPtr(to->b->at + to->at, to->pitch, b->width, to->slice / to->pitch);
    p.srcPtr = make_cudaPitchedPtr(from->b->at + from->at, from->pitch, b->width,
                                   from->slice / from->pitch);
    p.extent = make_cudaExtent(b->width, b->height, b->depth);
    return cudaMemcpy3D(&p);
}

static cudaError_t call_copy(struct world *w, const struct end *to, const struct end *from,
                             const struct box *b, enum cudaMemcpyKind kind)
{
    u8 *dst = to->b->at + to->at, *src = from->b->at + from->at;

    if (b->depth > 1)
        return call_3d(to, from, b, kind);
    if (b->height > 1)
        return one_in(w, 2)
                   ? cudaMemcpy2D(dst, to->pitch, src, from->pitch, b->width, b->height, kind)
                   : cudaMemcpy2DAsync(dst, to->pitch, src, from->pitch, b->width, b->height, kind,
                                       cudaStreamLegacy);
    if (kind == cudaMemcpyDeviceToDevice && one_in(w, 2))
        return cudaMemcpyPeer(dst, 0, src, 0, b->width);
    return one_in(w, 2) ? cudaMemcpy(dst, src, b->width, kind)
                        : cudaMemcpyAsync(dst, src, b->width, kind, cudaStreamPerThread);
}

/* Rows of one buffer are copied within it only one at a time: CUDA leaves the rest open. */
static void copy(struct world *w, u32 dims)
{
    struct end to = {.b = any(w)}, from = {.b = any(w)};
    struct box box = {below(w, 200), 1, 1};

    if (dims > 1 && to.b != from.b)
        box.height = 1 + below(w, 6);
    if (dims > 2 && to.b != from.b)
        box.depth = 1 + below(w, 4);
    if (box.height * box.depth > 1)
        box.width = 1 + box.width / 8;
    enum cudaMemcpyKind kind = draw_kind(w, &to, &from);
    bool fits = draw_place(w, &to, &box);

    fits &= draw_place(w, &from, &box);
    if (is_unknown(&to, &box) || is_unknown(&from, &box))
        return;
    cudaError_t code = call_copy(w, &to, &from, &box, kind);

    if (!box.width || (fits && is_possible(&to) && is_possible(&from))) {
        CHECK(code == cudaSuccess);
        if (box.width)
            copy_model(&to, &from, &box);
    } else {
        CHECK(code == cudaErrorInvalidValue);
    }
    compare(w, to.b);
    compare(w, from.b);
}

/* --- fills --- */

static void fill(struct world *w)
{
    struct end to = {.b = any(w), .device = true};
    struct box box = {below(w, 100), 1 + below(w, 5), 1 + below(w, 3)};
    u8 byte = (u8)rng_u32(&w->rng);
    u32 dims = 1 + below(w, 3);
    cudaError_t code;

    box.height = dims < 2 ? 1 : box.height;
    box.depth = dims < 3 ? 1 : box.depth;
    box.width += dims > 1; /* a pitch of 0 says nothing */
    bool fits = draw_place(w, &to, &box);

    if (dims == 1)
        code = cudaMemset(to.b->at + to.at, byte | 0x500, box.width);
    else if (dims == 2)
        code = cudaMemset2DAsync(to.b->at + to.at, to.pitch, byte, box.width, box.height, NULL);
    else
        code = cudaMemset3D(
            make_cudaPitchedPtr(to.b->at + to.at, to.pitch, box.width, to.slice / to.pitch), byte,
            make_cudaExtent(box.width, box.height, box.depth));
    if (!box.width || (fits && is_possible(&to))) {
        CHECK(code == cudaSuccess);
        for (size_t i = 0; box.width && i < box.depth * box.height; i++)
            memset(to.b->model + to.at + i / box.height * to.slice + i % box.height * to.pitch,
                   byte, box.width);
    } else {
        CHECK(code == cudaErrorInvalidValue);
    }
    compare(w, to.b);
}

/* --- kernels --- */

/* add(p, v, n) on whole integers somewhere in a buffer that a kernel reaches. */
static void launch(struct world *w)
{
    struct buffer *b = any(w);
    int v = (int)below(w, 1000), n = (int)below(w, 100);
    size_t skip = -(uintptr_t)b->at % sizeof v;

    if (b->where == PLAIN || b->size < skip + (size_t)n * sizeof v)
        return;
    int *p = (int *)(void *)(b->at + skip);

    CHECK(cudaLaunchKernel(kernel_add, DIM(1 + (u32)n / 32), DIM(32), ARGS(&p, &v, &n), 0, NULL) ==
          cudaSuccess);
    for (int i = 0; i < n; i++) {
        int x;

        memcpy(&x, b->model + skip + (size_t)i * sizeof x, sizeof x);
        x = (int)((u32)x + (u32)v);
        memcpy(b->model + skip + (size_t)i * sizeof x, &x, sizeof x);
    }
    compare(w, b);
}

/* --- calls that make no sense --- */

static bool is_somewhere(const struct world *w, const u8 *p)
{
    for (int i = 0; i < BUFFERS; i++)
        if ((size_t)(p - w->buffer[i].at) < w->buffer[i].size)
            return true;
    return false;
}

static u8 *draw_nowhere(struct world *w)
{
    u8 *const none[] = {NULL,     (u8 *)8,           (u8 *)UINTPTR_MAX, (u8 *)(UINTPTR_MAX << 12),
                        w->freed, (u8 *)(1ull << 47)};
    u8 *p = none[below(w, 6)];

    return is_somewhere(w, p) ? NULL : p;
}

static void wrong_pointer(struct world *w)
{
    struct buffer *b = any(w);
    u8 *p = draw_nowhere(w);
    enum cudaMemcpyKind kind = (enum cudaMemcpyKind)below(w, 5);
    size_t n = 1 + below(w, b->size);

    CHECK(cudaMemcpy(b->at, p, n, kind) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(p, b->at, n, kind) == cudaErrorInvalidValue);
    CHECK(cudaMemset(p, 1, n) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(p, p, 0, kind) == cudaSuccess);
    CHECK(!p || cudaFree(p) == cudaErrorInvalidValue);
    CHECK(!p || cudaFreeHost(p) == cudaErrorInvalidValue);
    CHECK(cudaHostUnregister(p) != cudaSuccess);
    CHECK(cudaMemcpy(b->at, b->at, n, (enum cudaMemcpyKind)(5 + below(w, 9))) ==
          cudaErrorInvalidMemcpyDirection);
    compare(w, b);
}

/* Frees by the wrong function, or of the middle. */
static void wrong_free(struct world *w)
{
    struct buffer *b = any(w);

    if (b->where != DEVICE && b->where != MANAGED)
        CHECK(cudaFree(b->at) == cudaErrorInvalidValue);
    if (b->where != PINNED)
        CHECK(cudaFreeHost(b->at) == cudaErrorInvalidValue);
    if (b->where != REGISTERED)
        CHECK(cudaHostUnregister(b->at) == cudaErrorHostMemoryNotRegistered);
    if (b->size > 1) {
        CHECK(cudaFree(b->at + 1) == cudaErrorInvalidValue);
        CHECK(cudaFreeHost(b->at + 1) == cudaErrorInvalidValue);
    }
    compare(w, b);
}

static void wrong_size(struct world *w)
{
    static const size_t huge[] = {SIZE_MAX, SIZE_MAX - 4095, (size_t)1 << 63, (size_t)1 << 62};
    struct buffer *b = any(w);
    size_t n = huge[below(w, 4)], pitch = 0;
    void *p = w;
    u8 byte = 0;

    CHECK(cudaMalloc(&p, n) == cudaErrorMemoryAllocation && !p);
    CHECK(cudaMallocHost(&p, n) == cudaErrorMemoryAllocation && !p);
    CHECK(cudaMallocPitch(&p, &pitch, n, n) == cudaErrorMemoryAllocation);
    CHECK(cudaMallocPitch(&p, &pitch, 8, n) == cudaErrorMemoryAllocation);
    CHECK(cudaHostRegister(b->at, n, 0) != cudaSuccess);
    CHECK(cudaMemcpy(b->at, &byte, n, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(&byte, b->at, n, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy2D(b->at, n, &byte, n, 1, n, cudaMemcpyDefault) == cudaErrorInvalidValue);
    CHECK(cudaMemset2D(b->at, n, 1, 1, n) == cudaErrorInvalidValue);
    CHECK(cudaMemset(b->at, 1, n) == cudaErrorInvalidValue);
    compare(w, b);
}

/* Boxes whose products and sums do not fit 64 bits. */
static void wrong_box(struct world *w)
{
    static const size_t huge[] = {SIZE_MAX, (size_t)1 << 63, (size_t)1 << 32, SIZE_MAX - 50};
    struct buffer *to = any(w), *from = any(w);
    struct cudaMemcpy3DParms p = {.kind = cudaMemcpyDefault, .extent = {1, 1, 1}};
    size_t n = huge[below(w, 4)];

    p.dstPtr = make_cudaPitchedPtr(to->at + to->size / 2, below(w, 2), 1, below(w, 2));
    p.srcPtr = make_cudaPitchedPtr(from->at + from->size / 2, 1, 1, 1);
    switch (below(w, 5)) {
    case 0:
        p.extent.height = p.extent.depth = n;
        break;
    case 1:
        p.extent.depth = n;
        break;
    case 2:
        p.dstPos.x = n;
        break;
    case 3:
        p.srcPos.z = n;
        p.srcPtr.ysize = n;
        break;
    default:
        p.extent.width = n;
    }
    CHECK(cudaMemcpy3D(&p) != cudaSuccess);
    CHECK(cudaMemset3D(p.dstPtr, 1, make_cudaExtent(1, n, n)) == cudaErrorInvalidValue);
    compare(w, to);
    compare(w, from);
}

/* --- variables --- */

static void symbols(struct world *w)
{
    static u8 model[64];
    struct buffer *b = any(w);
    size_t offset = below(w, 80), n = below(w, 80);
    bool to = one_in(w, 2), fits = offset <= 64 && n <= 64 - offset;
    enum cudaMemcpyKind kind = cudaMemcpyDefault;
    u8 got[64];

    if (n > b->size)
        return;
    if (one_in(w, 3))
        kind = b->where == PLAIN ? to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost
                                 : cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpyFromSymbol(model, var_table, 64, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaError_t code = to ? cudaMemcpyToSymbol(var_table, b->at, n, offset, kind)
                          : cudaMemcpyFromSymbol(b->at, var_table, n, offset, kind);

    CHECK(code == (fits ? cudaSuccess : cudaErrorInvalidValue));
    if (fits && to)
        memcpy(model + offset, b->model, n);
    if (fits && !to)
        memcpy(b->model, model + offset, n);
    CHECK(cudaMemcpyFromSymbol(got, var_table, 64, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(memcmp(got, model, 64) == 0);
    kind = to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice; /* the other way */
    CHECK((to ? cudaMemcpyToSymbol(var_table, b->at, 1, 0, kind)
              : cudaMemcpyFromSymbol(b->at, var_table, 1, 0, kind)) ==
          cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemcpyToSymbol(draw_nowhere(w), b->at, 1, 0, kind) == cudaErrorInvalidSymbol);
    compare(w, b);
}

/* --- arrays: each lives for a few steps, its model is rows without gaps --- */

enum { WIDEST = 40, HIGHEST = 14, ARRAY = WIDEST * HIGHEST * 8 };

struct array {
    cudaArray_t a;
    u8 model[ARRAY];
    size_t row, rows;
};

static bool make_array(struct world *w, struct array *a)
{
    struct cudaChannelFormatDesc d = {8 << below(w, 3), 0, 0, 0, cudaChannelFormatKindUnsigned};
    size_t width = 1 + below(w, WIDEST), height = below(w, HIGHEST + 1);

    d.y = one_in(w, 2) ? d.x : 0;
    a->row = width * (size_t)(d.x + d.y) / 8;
    a->rows = height ? height : 1;
    CHECK(cudaMallocArray(&a->a, &d, width, height, 0) == cudaSuccess);
    for (size_t i = 0; i < a->row * a->rows; i++)
        a->model[i] = (u8)rng_u32(&w->rng);
    CHECK(cudaMemcpyToArray(a->a, 0, 0, a->model, a->row * a->rows, cudaMemcpyHostToDevice) ==
          cudaSuccess);
    return !w->line;
}

static void compare_array(struct world *w, const struct array *a)
{
    static __thread u8 got[ARRAY];

    CHECK(cudaMemcpy2DFromArray(got, a->row, a->a, 0, 0, a->row, a->rows, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    CHECK(memcmp(got, a->model, a->row * a->rows) == 0);
}

/* Bytes on from x, y, in whichever direction. */
static void array_run(struct world *w, struct array *a)
{
    struct buffer *b = any(w);
    size_t x = below(w, a->row + 2), y = below(w, a->rows + 1), n = below(w, a->row * a->rows + 9);
    size_t start = y * a->row + x;
    bool fits = x < a->row && start + n <= a->row * a->rows, to = one_in(w, 2);
    enum cudaMemcpyKind kind = b->where == DEVICE  ? cudaMemcpyDeviceToDevice
                               : b->where != PLAIN ? cudaMemcpyDefault
                               : to                ? cudaMemcpyHostToDevice
                                                   : cudaMemcpyDeviceToHost;
    bool enough = n <= b->size;

    if (!enough && b->where != DEVICE)
        return;
    cudaError_t code = to ? cudaMemcpyToArray(a->a, x, y, b->at, n, kind)
                          : cudaMemcpyFromArrayAsync(b->at, a->a, x, y, n, kind, NULL);

    CHECK(code == (!n || (fits && enough) ? cudaSuccess : cudaErrorInvalidValue));
    if (fits && enough && to)
        memcpy(a->model + start, b->model, n);
    if (fits && enough && !to)
        memcpy(b->model, a->model + start, n);
    compare(w, b);
    compare_array(w, a);
}

static void array_rows(struct world *w, struct array *a)
{
    u8 host[LONGEST];
    size_t x = below(w, a->row), y = below(w, a->rows), n = below(w, 60), rows = below(w, 9);
    size_t pitch = 60;
    bool fits = x + n <= a->row && y + rows <= a->rows;

    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (u8)rng_u32(&w->rng);
    cudaError_t code =
        cudaMemcpy2DToArray(a->a, x, y, host, pitch, n, rows, cudaMemcpyHostToDevice);

    CHECK(code == (fits ? cudaSuccess : cudaErrorInvalidValue));
    for (size_t i = 0; fits && i < rows; i++)
        memcpy(a->model + (y + i) * a->row + x, host + i * pitch, n);
    CHECK(cudaMemcpy2DToArray(a->a, 0, 0, host, 60, 61, 1, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(cudaMemcpy2DToArray(a->a, 0, 0, host, 60, 1, 1, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemcpyToArray(a->a, x, y, host, SIZE_MAX, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    compare_array(w, a);
}

static void array_to_array(struct world *w, struct array *to, struct array *from)
{
    size_t tx = below(w, to->row), fx = below(w, from->row);
    size_t n = one_in(w, 8) ? SIZE_MAX - below(w, 100) : below(w, from->row * from->rows);
    bool fits = tx + n <= to->row * to->rows && fx + n <= from->row * from->rows && n < ARRAY;

    CHECK(cudaMemcpyArrayToArray(to->a, tx, 0, from->a, fx, 0, n, cudaMemcpyDeviceToDevice) ==
          (fits ? cudaSuccess : cudaErrorInvalidValue));
    if (fits)
        memmove(to->model + tx, from->model + fx, n);
    compare_array(w, to);
    compare_array(w, from);
}

static void arrays(struct world *w)
{
    struct array a, b;

    if (!make_array(w, &a) || !make_array(w, &b))
        return;
    for (int i = 0; i < 8; i++) {
        array_run(w, one_in(w, 2) ? &a : &b);
        array_rows(w, &a);
        array_to_array(w, &a, &b);
    }
    CHECK(cudaFreeArray(a.a) == cudaSuccess);
    CHECK(cudaFreeArray(a.a) == cudaErrorInvalidResourceHandle);
    CHECK(cudaMemcpyToArray(a.a, 0, 0, &a, 1, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidResourceHandle);
    CHECK(cudaFreeArray(b.a) == cudaSuccess);
}

/* --- themes --- */

static void copy_1d(struct world *w)
{
    copy(w, 1);
}

static void copy_2d(struct world *w)
{
    copy(w, 2);
}

static void copy_3d(struct world *w)
{
    copy(w, 3);
}

typedef void step_fn(struct world *w);

/* Mistakes are told on stderr, here by the thousand: not now. */
static int mute(void)
{
    int kept = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

    dup2(null, STDERR_FILENO);
    close(null);
    return kept;
}

static void unmute(int kept)
{
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
}

static void live(struct world *w, step_fn *const *step, u32 n, int steps)
{
    for (w->step = 0; w->step < steps && !w->line; w->step++) {
        step[below(w, n)](w);
        if (one_in(w, 20))
            renew(w);
    }
}

static void tell(const struct world *w)
{
    if (w->line)
        fail_msg("line %d, seed %u, step %d", w->line, w->seed, w->step);
}

static void run(step_fn *const *step, u32 n, int steps)
{
    static struct world w;
    int kept = mute();

    for (unsigned int seed = 1; seed <= SEEDS && !w.line; seed++) {
        open_world(&w, seed);
        live(&w, step, n, steps);
        close_world(&w);
    }
    unmute(kept);
    tell(&w);
}

#define RUN(steps, ...)                                                                            \
    run((step_fn *const[]){__VA_ARGS__}, sizeof((step_fn *[]){__VA_ARGS__}) / sizeof(step_fn *),   \
        steps)

static void copies_of_bytes(void **state)
{
    (void)state;
    RUN(STEPS, copy_1d);
}

static void copies_of_rows_and_slices(void **state)
{
    (void)state;
    RUN(STEPS, copy_2d, copy_3d);
}

static void fills(void **state)
{
    (void)state;
    RUN(STEPS, fill);
}

static void kernels_between_copies(void **state)
{
    (void)state;
    RUN(STEPS, launch, launch, copy_1d, fill);
}

static void wrong_calls_change_nothing(void **state)
{
    (void)state;
    RUN(STEPS, wrong_pointer, wrong_free, wrong_size, wrong_box, copy_1d);
}

static void variables_of_kernels(void **state)
{
    (void)state;
    RUN(STEPS, symbols);
}

static void copies_from_and_to_arrays(void **state)
{
    (void)state;
    RUN(STEPS / 8, arrays, copy_1d);
}

/* --- several threads --- */

enum { THREADS = 4 };

static void *live_in_thread(void *arg)
{
    step_fn *const step[] = {copy_1d, copy_2d,    copy_3d,    fill,
                             launch,  wrong_free, wrong_size, arrays};

    live(arg, step, sizeof step / sizeof step[0], STEPS / 8);
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    static struct world w[THREADS];
    pthread_t thread[THREADS];
    int kept = mute();

    (void)state;
    for (unsigned int i = 0; i < THREADS; i++)
        open_world(&w[i], 100 + i);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, live_in_thread, &w[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        close_world(&w[i]);
    unmute(kept);
    for (int i = 0; i < THREADS; i++)
        tell(&w[i]);
}

static const struct CMUnitTest tests[] = {
    RT_CASE(copies_of_bytes),
    RT_CASE(copies_of_rows_and_slices),
    RT_CASE(fills),
    RT_CASE(kernels_between_copies),
    RT_CASE(wrong_calls_change_nothing),
    RT_CASE(variables_of_kernels),
    RT_CASE(copies_from_and_to_arrays),
    RT_CASE(threads_do_not_disturb_each_other),
};

TEST_MAIN(tests)
