/*
 * device.h -- a simulated GPU as its users see it: memory, modules, launches.
 *
 * The command line, libcudart and the tests all go through this.  A device has one
 * configuration for its life.  A failed launch leaves the device usable: memory is
 * as the kernel left it.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"
#include "conf/conf.h"
#include "exec/exec.h"
#include "exec/vmem.h"
#include "gpu/counters.h"
#include "ptx/program.h"

struct run_opts {
    bool check;                  /* report reads of memory that nobody wrote */
    bool functional;             /* results only, no timing */
    bool no_skip;                /* timing: idle cycles one by one */
    u32 threads;                 /* timing: of the host */
    u64 max_insts;               /* warp instructions over all launches, 0: no limit */
    u64 max_cycles;              /* likewise cycles */
    u64 sample;                  /* timing: counters every so many cycles, 0: not */
    u32 first_timed, last_timed; /* launches, from 1; others run functionally; 0: all are timed */
    bool lines;              /* timing: which lines of the program lost the cycles (gpu/lines.h) */
    const char *isa;         /* NULL: the best this host has */
    const char *const *mech; /* "noop:timer=50", n_mech of them; only read by device_new */
    u32 n_mech;
    volatile int *stop; /* not 0 (Ctrl-C): end at the next convenient place */
    void (*progress)(void *arg, u64 ctas_done, u64 ctas, u64 warp_insts); /* or NULL */
    void *progress_arg;
    void (*print)(void *arg, const char *text, size_t n); /* printf of kernels; NULL: to stdout */
    void *print_arg;
};

enum run_end { RUN_DONE, RUN_FAULT, RUN_DEADLOCK, RUN_MAX_INSTS, RUN_MAX_CYCLES, RUN_STOPPED };

struct launch_result {
    const char *kernel, *label; /* its name in PTX, and as written */
    u32 grid[3], block[3];
    u32 smem;                /* dynamic */
    u32 regs, shared, local; /* per thread, CTA, thread */
    u32 ctas_per_sm;
    const char *
        limit; /* what limits CTAs per SM: "threads", "warps", "registers", "shared memory", "CTAs" */
    struct ptx_stat n;
    enum run_end end;
    enum fault_kind fault;        /* of RUN_FAULT */
    u64 time_ps;                  /* of the device: see functional.h */
    u64 begin_ps;                 /* when it began, in device.time_ps */
    u32 stream;                   /* device.stream */
    u64 cycles;                   /* timing: of this launch */
    struct counters *counters;    /* timing: NULL without */
    VEC(struct counters) samples; /* run_opts.sample */
};

struct kernel_sum { /* the launches of one kernel */
    const char *kernel, *label;
    u32 regs, ctas_per_sm; /* of the first */
    const char *limit;
    u32 first_grid[3], first_block[3], last_grid[3], last_block[3];
    u32 n, n_timed;
    u64 warp_insts;
    u64 cycles, timed_insts; /* of those that were timed; timed_insts: of threads */
    u64 timed_ctas;
    struct counters *counters; /* of those; NULL: none was timed */
};

struct stray_line { /* of a program's source, or of its PTX if file is 0 */
    const struct program *p;
    u32 file, line;
};

struct launch_time { /* of one launch, in the order in which they ended */
    const char *kernel;
    u32 stream;
    u64 begin_ps, end_ps;
};

enum { MAX_TIMES = 512 };

/* Of a launch only the last is kept, and sums: a program may make millions. */
struct device {
    struct conf conf;
    struct vmem mem;
    struct run_opts opts;
    u32 n_prog;
    struct program **prog;
    struct texture **texture;   /* of each program: its variables */
    VEC(struct texture) object; /* textures and surfaces by handle */
    u64 var_next;               /* where the next module's variables go */
    u32 n_asked;  /* launches that were asked for, and not refused: --kernels counts them ... */
    u32 n_launch; /* ... that have begun alone, or ended beside others */
    struct launch_result last;
    VEC(struct kernel_sum) kernel;     /* in the order of their first launches */
    struct ptx_stat n;                 /* over all launches */
    VEC(struct stray_line) stray_line; /* that have been told: strays.h */
    u64 n_uninit;                      /* reads that check reported */
    double first_start, last_end;      /* host seconds */
    double cpu_seconds;                /* of the host, all threads, in launches */
    enum refusal refusal;              /* of the last device_run */
    u32 n_refused;                     /* launches and modules that a program asked for in vain */
    struct machine *machine;           /* timing: NULL without */
    struct mech_set *mechs;
    struct energy energy;     /* over all timed launches */
    struct counters counters; /* over all timed launches */
    struct lines *lines;      /* run_opts.lines, else NULL */
    u64 time_ps;              /* simulated time: the next launch begins, the last one ended then */
    u32 stream;               /* of the next launch, a number that means nothing here */
    bool several_streams;     /* launches were in */
    VEC(struct launch_time) times; /* of the first MAX_TIMES */
    struct timing *timing;         /* launches in flight, NULL until there were some */
    u64 heap_size; /* of the device's malloc: mem.heap unless device_set_heap was called */
};

struct device *device_new(const struct conf *conf, const struct run_opts *opts, struct err *e);
void device_free(struct device *d);

/* As the settings want it; they must outlive it. */
struct settings;
struct device *device_of_settings(const struct settings *s, struct err *e);

/* Loads PTX text (path is for messages), places and initialises its variables. */
struct program *device_load(struct device *d, const char *path, const char *text, size_t len,
                            struct err *e);

/*
 * The same, but variables with a pin stand there and are the caller's: it maps their memory
 * (device_map), fills it, and does both again after a reset.
 */
struct program *device_load_pinned(struct device *d, const char *path, const char *text, size_t len,
                                   const struct var_pin *pin, u32 n_pin, struct err *e);

u64 device_alloc(struct device *d, u64 bytes, struct err *e);
bool device_release(struct device *d, u64 addr, struct err *e);
bool device_write(struct device *d, u64 addr, const void *from, u64 bytes, struct err *e);
bool device_read(struct device *d, u64 addr, void *to, u64 bytes, struct err *e);
bool device_set(struct device *d, u64 addr, int byte, u64 bytes, struct err *e);

/*
 * Host memory that kernels may touch, at the address it has on the host (CUDA's unified
 * addresses).  The memory stays the caller's.  Refused at addresses that the simulated GPU
 * has itself (the heap of a program that is not position-independent can be there; mmap
 * gives addresses far above).  Must be unmapped before it is given back to the host.
 */
bool device_map(struct device *d, void *host, u64 bytes, struct err *e);
bool device_unmap(struct device *d, const void *host, struct err *e);

/* For malloc in kernels; false once a kernel has used it.  Its blocks live until device_reset. */
bool device_set_heap(struct device *d, u64 bytes, struct err *e);

/*
 * As after device_new, but modules stay loaded: no buffers, no heap, nothing mapped, no
 * texture bound, variables at their initial values.  Results and simulated time go on.
 */
bool device_reset(struct device *d, struct err *e);
bool device_reset_vars(struct device *d, struct program *p, struct err *e); /* of one module */

bool device_bind_texture(struct device *d, struct program *p, const char *name,
                         const struct texture *t, struct err *e);

/*
 * Texture and surface objects (exec/texture.h): the handle is what a kernel gets as an argument of 8
 * bytes.  It is never 0, holds for all programs until device_texture_free or device_reset, and may
 * be given out again after that.  device_texture: NULL if there is none.
 */
u64 device_texture_new(struct device *d, const struct texture *t);
const struct texture *device_texture(struct device *d, u64 handle);
bool device_texture_free(struct device *d, u64 handle, struct err *e);

/*
 * CTAs of this kernel, which is not to run, that one SM holds at a time, 0 and a message if none fits:
 * occupancy questions of programs.
 */
u32 device_fit(const struct device *d, struct program *p, const char *kernel, const u32 block[3],
               u32 smem, const char **limit, struct err *e);

/* ---- inside gpu/: the result of a launch that begins in d->last, and it is in the sums */

struct launch_result *device_new_result(struct device *d, const struct launch *l);
void device_add_result(struct device *d);

/*
 * Runs a kernel to its end without timing.  param: param_bytes as func->param[] lays them
 * out.  False and a message if it cannot be launched (status 2, and d->refusal says why)
 * or fails (status 1); the result, also of a failed run, is d->last.
 * What kernels print has been delivered when it returns.
 */
bool device_run(struct device *d, struct program *p, const char *kernel, const u32 grid[3],
                const u32 block[3], u32 smem, const u8 *param, struct err *e);

#endif
