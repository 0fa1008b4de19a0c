/*
 * rt.h -- inside libcudart.so: one device, one context, one lock.
 *
 *     program -> cudaX() / cuX()     rt_*.c the runtime API, drv_*.c the driver API
 *             -> rt_x()              the work, the same for both, with the lock held
 *             -> gpu/device.h        the simulated GPU
 *
 * A call of the API runs between rt_enter and rt_leave (RT_API): the lock is held, the device is
 * there, the thread's floating-point environment is the default one, and if an earlier kernel
 * broke the context, the call gets that error instead of being done.  What it returns is also kept
 * as the host thread's last error.  The driver API does the same with its own codes (drv.h).
 *
 * What is done when a call returns, and what is only noted, is in rt_queue.h.  Mistakes of the program are told twice: as the code that
 * CUDA documents, and as one line on stderr (rt_fail), which names the call.
 *
 * The CUDA headers are included with default visibility: what they declare is exported, and
 * nothing else is.
 */
#ifndef RT_RT_H
#define RT_RT_H

#include "base/base.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "gpu/device.h"
#include "conf/settings.h"

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#define RT_EXPORT __attribute__((visibility("default")))

/* The one context.  Only touched with the lock held. */
struct rt {
    struct device *dev; /* NULL until the first call that needs it */
    struct settings settings;
    cudaError_t sticky; /* a kernel fault: every call's result until cudaDeviceReset */
    unsigned int flags; /* cudaSetDeviceFlags */
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig banks;
    size_t stack, printf_fifo;
    bool lost; /* memory ran out inside a call: nothing of the device may be touched again */
    bool runtime_used; /* the runtime API made its context: driver calls find it current */
};
extern struct rt rt;

/* --- rt_state.c: the frame around every call --- */

cudaError_t rt_enter(const char *call);       /* cudaSuccess: go on */
cudaError_t rt_leave(cudaError_t e);          /* returns e */
cudaError_t rt_enter_async(const char *call); /* what streams have noted stays so (rt_queue.h) */
void rt_lock(const char *call);               /* without a device, for calls that need none */
bool rt_try_lock(void);
void rt_unlock(void);
void rt_start(void); /* the device: a bad setting ends the process with status 2 */
cudaError_t rt_reset(void);
cudaError_t rt_synchronize(void); /* with all streams; what a kernel broke */

/*
 * Around all that a call does: where memory runs out, RT_OUT ends it, which gives back the lock and loses
 * the device, deliberately leaked, as nobody knows what state it is in.  From then on each call that
 * needs it gets cudaErrorMemoryAllocation; the program goes on.
 */
struct rt_guard {
    struct memory_guard memory;
    u32 held; /* of the lock, before */
};

void rt_guard(struct rt_guard *g); /* for the macros */
cudaError_t rt_out_of_memory(struct rt_guard *g, const char *call);
void rt_live(
    void); /* after code of the program that may have called us: has the device been lost? */

#define RT_GUARD(g) (rt_guard(g), MEMORY_GUARD(&(g)->memory))

#define RT_FRAME(type, enter, leave, ok, out, result)                                              \
    do {                                                                                           \
        struct rt_guard rt_guard_;                                                                 \
        if (!RT_GUARD(&rt_guard_))                                                                 \
            return out(rt_out_of_memory(&rt_guard_, __func__));                                    \
        type rt_result = enter(__func__);                                                          \
        if (rt_result == (ok))                                                                     \
            rt_result = result;                                                                    \
        memory_unguard(&rt_guard_.memory);                                                         \
        return leave(rt_result);                                                                   \
    } while (0)

#define RT_API(work) RT_FRAME(cudaError_t, rt_enter, rt_leave, cudaSuccess, , work)
#define RT_ASYNC(work) RT_FRAME(cudaError_t, rt_enter_async, rt_leave, cudaSuccess, , work)

/* For what returns nothing and needs no device: registration. */
#define RT_VOID(work)                                                                              \
    do {                                                                                           \
        struct rt_guard rt_guard_;                                                                 \
        if (!RT_GUARD(&rt_guard_)) {                                                               \
            rt_out_of_memory(&rt_guard_, __func__);                                                \
            break;                                                                                 \
        }                                                                                          \
        rt_lock(__func__);                                                                         \
        if (!rt.lost) {                                                                            \
            work;                                                                                  \
        }                                                                                          \
        memory_unguard(&rt_guard_.memory);                                                         \
        rt_unlock();                                                                               \
    } while (0)

/* --- rt_error.c --- */

cudaError_t rt_last_error(bool forget);
void rt_set_last_error(cudaError_t e);
const char *rt_error_name(int code, bool driver);
const char *rt_error_text(int code);

/* One line on stderr, "smelt: cudaMemcpy: MSG", unless it has just been said; returns code. */
cudaError_t rt_fail(cudaError_t code, const struct err *e);
cudaError_t rt_fail_text(cudaError_t code, const char *fmt, ...) PRINTF(2, 3);

/*
 * A pointer in a message: an address of the GPU's as a number; one of the host's differs from run to run,
 * which results and messages must not, and is "this pointer".
 */
enum { RT_POINTER = 24 };
const char *rt_pointer(u64 addr, char buf[RT_POINTER]);
cudaError_t rt_fail_handle(cudaError_t code, const void *handle,
                           const char *what); /* .. is no WHAT */
void rt_say(const struct err *e);             /* without the call's name */
extern __thread const char *rt_call;

/* --- rt_report.c: JSON, summary, SMELT_STATUS --- */

void rt_report_start(void);
void rt_report_launch(void);
void rt_report_lost(const struct err *e);    /* memory ran out: uses none */
void rt_report_failure(const struct err *e); /* of a launch that was begun */
void rt_report_refusal(
    const struct err *e); /* of a launch or a module: it was not run, or loaded */
NORETURN void rt_report_abandon(const struct err *e);
void rt_watch_signals(bool on); /* Ctrl-C stops the running kernel instead of the process */

/* --- rt_module.c: PTX texts and the names in them --- */

/* What names are registered with: a module, or one of the parts that it was linked from. */
struct rt_part {
    struct rt_module *module;
    bool linked;
    u32 number;
};

struct rt_module {
    struct rt_part whole;
    const char *text; /* a fat binary's stays the program's; otherwise owned */
    size_t len;
    char *name; /* in messages */
    struct program *prog;
    struct var *grid;   /* the barrier of cooperative_groups.h, NULL: its kernels have none */
    cudaError_t broken; /* it was tried and does not load: .. */
    char *why;          /* .. because of this */
    bool owned, live;
};

/* Parses and lowers at the first call. */
cudaError_t rt_module_load(struct rt_module *m);
bool rt_looks_like_ptx(const char *text);
u64 rt_const_bytes(const struct program *p); /* constant memory of all its variables */
struct rt_module *rt_module_new(const char *text, size_t len, const char *name, bool copy);
cudaError_t rt_module_from_text(struct rt_module **m, const char *text, size_t len,
                                const char *name);
bool rt_modules_reset(struct err *e);     /* what device_reset leaves to us */
void rt_module_drop(struct rt_module *m); /* its code is kept for the next with the same text */

struct rt_kernel {
    const void *stub;
    struct rt_module *module;
    const char *name;
    struct func *func; /* NULL until it is needed */
};

struct rt_symbol {
    const void *shadow;
    struct rt_module *module;
    const char *name;
    struct var *var; /* NULL until it is needed */
    bool managed;
};

struct rt_texture {
    const struct textureReference *ref;
    struct rt_module *module;
    const char *name;
    bool to_float; /* cudaReadModeNormalizedFloat */
    size_t offset; /* cudaGetTextureAlignmentOffset */
    bool bound;
};

struct rt_surface {
    const struct surfaceReference *ref;
    struct rt_module *module;
    const char *name;
};

cudaError_t rt_kernel_find(const void *stub, struct rt_kernel **k);
cudaError_t rt_kernel_resolve(struct rt_kernel *k);
cudaError_t rt_symbol_find(const void *shadow, struct rt_symbol **s);
const struct rt_symbol *rt_symbol_at(u32 i); /* i-th of all, NULL: there are no more */
cudaError_t rt_texture_find(const struct textureReference *ref, struct rt_texture **t);
cudaError_t rt_surface_find(const struct surfaceReference *ref, struct rt_surface **s);
struct rt_texture *rt_texture_by_name(struct rt_module *m, const char *name); /* or NULL */
void rt_textures_forget(void); /* bindings, after a reset */

/* --- rt_managed.c: __managed__ variables, which stand where the host has them --- */

bool rt_is_managed(const void *shadow);
void rt_managed_begin(struct rt_module *m); /* initial values, when all names are known */
struct var_pin *rt_managed_pins(const struct rt_module *m, u32 *n); /* to be freed */
bool rt_managed_map(struct rt_module *m, bool anew, struct err *e); /* anew: after a reset */

/* --- rt_launch.c --- */

enum { RT_PARAM_MAX = 4096 };

struct rt_shape {
    u32 grid[3], block[3];
    u64 shared;
    bool cooperative; /* all its CTAs are to be resident at once */
};

/* param: as the kernel lays its parameters out. */
cudaError_t rt_launch(struct rt_kernel *k, const struct rt_shape *s, const u8 *param,
                      cudaStream_t stream);
void rt_launch_failed(const struct err *e); /* of the launch that ended last */
void rt_gather_params(const struct func *f, void *const *arg, u8 *param);
cudaError_t rt_occupancy(struct rt_kernel *k, u32 threads, u64 shared, u32 *blocks);
cudaError_t rt_kernel_attributes(struct rt_kernel *k, struct cudaFuncAttributes *a);

/* --- rt_memory.c --- */

enum rt_host_kind { RT_PINNED, RT_REGISTERED, RT_MANAGED, RT_VARIABLE /* managed, too */ };

struct rt_host { /* host memory that kernels reach, at its own address */
    u8 *at;
    u64 size, reserved; /* reserved: bytes of address space, 0 if the memory is the program's */
    enum rt_host_kind kind;
    unsigned int flags;
};

cudaError_t rt_alloc(u64 *addr, u64 size);
cudaError_t rt_release(u64 addr, cudaError_t bad);
cudaError_t rt_alloc_pitch(u64 *addr, u64 *pitch, u64 width, u64 height, u64 depth);
cudaError_t rt_host_alloc(void **at, u64 size, enum rt_host_kind kind, unsigned int flags);
cudaError_t rt_host_release(void *at, enum rt_host_kind kind, cudaError_t bad);
cudaError_t rt_host_register(void *p, u64 size, unsigned int flags);
bool rt_host_map(const struct rt_host *h, struct err *e);
bool rt_host_is_managed(const struct rt_host *h); /* NULL: no */
struct rt_host *rt_host_find(const void *p);      /* or NULL */
cudaError_t rt_host_flags(unsigned int *flags, void *at);
void rt_host_forget(void); /* all of it, before a reset */
void rt_host_look(void); /* before a kernel: what of it is still there, and what may be written? */
void rt_memory_info(u64 *free_bytes, u64 *total);
u64 rt_pitch_align(void);

/* --- rt_pool.c --- */

cudaError_t rt_pool_alloc(u64 *addr, u64 size, cudaMemPool_t p, cudaStream_t stream);
cudaError_t rt_pool_free(u64 addr, cudaStream_t stream);
void rt_pool_freed(u64 addr); /* of any memory: it may have come from a pool */
cudaError_t rt_pool_new(cudaMemPool_t *p);
cudaError_t rt_pool_delete(cudaMemPool_t p);
cudaError_t rt_pool_trim(cudaMemPool_t p);
cudaError_t rt_pool_get(cudaMemPool_t *p, int device, bool by_default);
cudaError_t rt_pool_set(int device, cudaMemPool_t p);
cudaError_t rt_pool_set_attribute(cudaMemPool_t p, int attr, const void *value);
cudaError_t rt_pool_get_attribute(cudaMemPool_t p, int attr, void *value);
void rt_pools_forget(void);

/* --- rt_copy.c --- */

/* One end of a copy: rows of bytes on the host or on the device. */
struct rt_side {
    u64 at;           /* address of the first byte */
    u64 pitch, slice; /* bytes from row to row, from slice to slice */
    bool device;
};

struct rt_box {
    u64 width, height, depth; /* bytes, rows, slices */
};

/* Is the memory at p the device's, as far as this pointer can tell? */
bool rt_is_device(const void *p);
bool rt_is_host(u64 addr);     /* is there memory that this process can read? */
bool rt_is_writable(u64 addr); /* .. and write? */
bool rt_is_all(bool (*is)(u64 addr), u64 at, u64 size); /* in each of its pages; size is not 0 */
/* Is all of the box there, and may it be written?  It has at least one byte. */
cudaError_t rt_check_from(const struct rt_side *s, const struct rt_box *b);
cudaError_t rt_check_to(const struct rt_side *s, const struct rt_box *b);
cudaError_t rt_copy_box(const struct rt_side *to, const struct rt_side *from,
                        const struct rt_box *box, cudaStream_t stream);
cudaError_t rt_copy(void *to, const void *from, u64 n, enum cudaMemcpyKind kind,
                    cudaStream_t stream);
/* The result of a copy in the default stream that the host waits for. */
cudaError_t rt_waited(cudaError_t code);
/* The bytes of a copy and a fill, which have been checked. */
void rt_move(const struct rt_side *to, const struct rt_side *from, const struct rt_box *box);
void rt_spread(const struct rt_side *to, const struct rt_box *box, const void *unit,
               u32 unit_bytes);
/* Which side is which, from the kind and, for cudaMemcpyDefault, from the pointers. */
cudaError_t rt_sides(struct rt_side *to, struct rt_side *from, enum cudaMemcpyKind kind);
cudaError_t rt_fill(u64 at, u64 pitch, u64 slice, const struct rt_box *box, const void *unit,
                    u32 unit_bytes, cudaStream_t stream);

/* --- rt_array.c --- */

struct cudaArray {
    struct cudaChannelFormatDesc desc;
    u64 width, height, depth; /* elements; 0 where it has no such dimension */
    u32 element;              /* bytes */
    u64 at, pitch;
    unsigned int flags;
};

cudaError_t rt_array_new(struct cudaArray **a, const struct cudaChannelFormatDesc *desc, u64 width,
                         u64 height, u64 depth, unsigned int flags);
cudaError_t rt_array_delete(struct cudaArray *a);
bool rt_array_is_live(const struct cudaArray *a);
u32 rt_channel_bytes(const struct cudaChannelFormatDesc *d); /* of an element; 0: impossible */
cudaError_t rt_array_side(struct cudaArray *a, u64 x_bytes, u64 y, u64 z, const struct rt_box *box,
                          struct rt_side *side);
void rt_arrays_forget(void);
/* Of pitched memory; which side of the machine it is on is left open. */
cudaError_t rt_pitched_side(struct rt_side *s, const struct cudaPitchedPtr *p,
                            const struct cudaPos *pos, const struct rt_box *box);

/* --- rt_texture.c --- */

struct rt_sampler {
    bool normalized, linear, to_float, srgb;
    u8 wrap[3]; /* enum tex_wrap */
    float border[4];
    bool level_linear; /* of mipmapped arrays, as are: */
    float lod_bias, lod_min, lod_max;
};

struct rt_rows { /* of pitched memory: texels, rows, bytes from row to row */
    u64 width, height, pitch;
};

u8 rt_wrap(enum cudaTextureAddressMode mode); /* enum tex_wrap */

/* Textures on linear memory, rows of it, an array (desc NULL: its own format), one with levels. */
cudaError_t rt_texture_linear(struct texture *x, const struct rt_sampler *s, u64 at, u64 size,
                              const struct cudaChannelFormatDesc *d, size_t *offset);
cudaError_t rt_texture_pitch(struct texture *x, const struct rt_sampler *s, u64 at,
                             const struct rt_rows *rows, const struct cudaChannelFormatDesc *d,
                             size_t *offset);
cudaError_t rt_texture_array(struct texture *x, const struct rt_sampler *s,
                             const struct cudaArray *a, const struct cudaChannelFormatDesc *d);
cudaError_t rt_texture_mipmap(struct texture *x, const struct rt_sampler *s,
                              const struct cudaMipmappedArray *m,
                              const struct cudaChannelFormatDesc *d);

/* The same, bound to a reference. */
cudaError_t rt_bind_linear(struct rt_texture *t, const struct rt_sampler *s, u64 at, u64 size,
                           const struct cudaChannelFormatDesc *d, size_t *offset);
cudaError_t rt_bind_pitch(struct rt_texture *t, const struct rt_sampler *s, u64 at,
                          const struct rt_rows *rows, const struct cudaChannelFormatDesc *d,
                          size_t *offset);
cudaError_t rt_bind_array(struct rt_texture *t, const struct rt_sampler *s,
                          const struct cudaArray *a, const struct cudaChannelFormatDesc *d);
cudaError_t rt_unbind(struct rt_texture *t);
u64 rt_texture_align(void);
enum { RT_MAX_TEXELS = 1 << 27, RT_TEXTURE_PITCH = 32 }; /* of linear memory; rows' multiples */

/* --- rt_object.c: texture and surface objects, surface references --- */

/* view may be NULL. */
cudaError_t rt_object_texture(cudaTextureObject_t *handle, const struct cudaResourceDesc *res,
                              const struct cudaTextureDesc *tex,
                              const struct cudaResourceViewDesc *view);
cudaError_t rt_object_surface(cudaSurfaceObject_t *handle, const struct cudaResourceDesc *res);
cudaError_t rt_object_delete(u64 handle, bool surface);
void rt_objects_forget(void);

/* --- rt_mipmap.c --- */

struct cudaMipmappedArray {
    u32 n_level;
    struct cudaArray *level[MAX_LEVELS];
};

u64 rt_halved(u64 n, u32 level); /* level times, but what there is does not vanish */
bool rt_mipmap_is_live(const struct cudaMipmappedArray *m);
void rt_mipmaps_forget(void);

/* --- rt_stream.c --- */

cudaError_t rt_stream_check(cudaStream_t s);
cudaError_t rt_stream_new(cudaStream_t *s, unsigned int flags, int priority);
cudaError_t rt_stream_delete(cudaStream_t s);
cudaError_t rt_stream_wait(cudaStream_t s);
cudaError_t rt_stream_wait_event(cudaStream_t s, cudaEvent_t e, unsigned int flags);
cudaError_t rt_event_wait(cudaEvent_t e);
cudaError_t rt_event_new(cudaEvent_t *e, unsigned int flags);
cudaError_t rt_event_delete(cudaEvent_t e);
cudaError_t rt_event_check(cudaEvent_t e);
cudaError_t rt_event_record(cudaEvent_t e, cudaStream_t s);
cudaError_t rt_event_elapsed(float *ms, cudaEvent_t start, cudaEvent_t end);
void rt_streams_forget(void);

/* --- rt_props.c --- */

void rt_properties(struct cudaDeviceProp *p);
cudaError_t rt_attribute(int *value, int attr);
cudaError_t rt_set_limit(enum cudaLimit limit, size_t value);
cudaError_t rt_get_limit(size_t *value, enum cudaLimit limit);
enum { RT_VERSION = CUDART_VERSION, RT_DEVICE = 0 };

/* A list of live handles: what is not in it is not one of ours, and is never followed. */
struct rt_handles {
    VEC(void *) live;
};
bool rt_handle_is_live(const struct rt_handles *h, const void *p);
void rt_handle_add(struct rt_handles *h, void *p);
void rt_handle_remove(struct rt_handles *h, const void *p);

#endif
