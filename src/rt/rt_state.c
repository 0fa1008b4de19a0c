/* rt_state.c -- the context: its lock, its start at the first use, its reset */
#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
#include <fenv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "rt/rt_queue.h"

struct rt rt;

/* Recursive: a stream's callback runs inside the call that adds it, and may call back. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/*
 * What a call puts aside of its thread and gives back: rounding, flushing and traps of the
 * program's own arithmetic, which are not the simulated GPU's; and being cancelled, which would
 * leave the lock held.
 */
static struct {
    fenv_t fp;
    int cancel;
    u32 depth; /* calls within calls */
} frame;

static __thread u32 held; /* how often this thread has the lock */
static bool torn;         /* this is a child, forked while another thread was inside a call */

enum { DEFAULT_STACK = 1024, DEFAULT_PRINTF_FIFO = 1 << 20 };

static void set_defaults(void)
{
    rt.sticky = cudaSuccess;
    rt.flags = cudaDeviceMapHost;
    rt.cache = cudaFuncCachePreferNone;
    rt.banks = cudaSharedMemBankSizeFourByte;
    rt.stack = DEFAULT_STACK;
    rt.printf_fifo = DEFAULT_PRINTF_FIFO;
}

static void put_aside(int cancel)
{
    if (frame.depth++)
        return;
    frame.cancel = cancel;
    fegetenv(&frame.fp);
    fesetenv(FE_DFL_ENV);
}

void rt_lock(const char *call)
{
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&lock);
    held++;
    put_aside(cancel);
    rt_call = call;
}

bool rt_try_lock(void)
{
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (pthread_mutex_trylock(&lock)) {
        pthread_setcancelstate(cancel, NULL);
        return false;
    }
    held++;
    put_aside(cancel);
    return true;
}

void rt_unlock(void)
{
    int cancel = frame.cancel;
    bool last = --frame.depth == 0;

    held--;
    if (last)
        fesetenv(&frame.fp);
    pthread_mutex_unlock(&lock);
    if (last)
        pthread_setcancelstate(cancel, NULL);
}

/* --- fork: a child has a copy of the device, and one thread --- */

static __thread bool locked_for_fork;

static void before_fork(void)
{
    locked_for_fork = rt_try_lock(); /* waiting could take as long as a kernel */
}

static void after_fork(void)
{
    if (locked_for_fork)
        rt_unlock();
}

/* The lock remembers its owner by a number that is another in the child. */
static void in_child(void)
{
    u32 own = locked_for_fork ? frame.depth : 0;

    lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    for (u32 i = 0; i < own; i++)
        pthread_mutex_lock(&lock);
    after_fork();
    if (own)
        return;
    frame.depth = 0;
    torn = true;
    rt.sticky = cudaErrorInitializationError;
}

/* The program cannot run as it was asked to: the user's mistake, told as the command tells it. */
NORETURN static void refuse(const struct err *e)
{
    fflush(NULL);
    err_print(e, stderr);
    _exit(ERR_USER);
}

/* --- memory that runs out --- */

void rt_guard(struct rt_guard *g)
{
    g->held = held;
}

/* Nothing in here asks for memory. */
cudaError_t rt_out_of_memory(struct rt_guard *g, const char *call)
{
    struct err e;

    rt_lock(call);
    if (!rt.lost) {
        err_program(&e, "out of host memory: the simulated GPU is lost");
        rt.lost = true;
        rt_fail(cudaErrorMemoryAllocation, &e);
        rt_report_lost(&e);
    }
    rt.sticky = cudaErrorMemoryAllocation;
    rt_set_last_error(rt.sticky);
    while (held > g->held)
        rt_unlock();
    return cudaErrorMemoryAllocation;
}

void rt_live(void)
{
    if (rt.lost)
        memory_out();
}

static void start(void)
{
    struct err e = {0};

    if (!settings_from_env(&rt.settings, &e))
        refuse(&e);
    rt.dev = device_of_settings(&rt.settings, &e);
    if (!rt.dev)
        refuse(&e);
    set_defaults();
    rt_report_start();
    ensure_settings(settings_text(&rt.settings));
    pthread_atfork(before_fork, after_fork, in_child);
}

void rt_start(void)
{
    struct rt_guard g;

    if (rt.dev || rt.lost)
        return;
    if (!RT_GUARD(&g)) {
        rt_out_of_memory(&g, rt_call);
        return;
    }
    start();
    memory_unguard(&g.memory);
}

cudaError_t rt_enter_async(const char *call)
{
    rt_lock(call);
    rt_start();
    rt.runtime_used = true;
    return rt.sticky;
}

cudaError_t rt_enter(const char *call)
{
    rt_enter_async(call);
    if (!rt.lost)
        rt_queue_finish();
    return rt.sticky;
}

cudaError_t rt_leave(cudaError_t e)
{
    rt_set_last_error(e);
    rt_unlock();
    return e;
}

/* Code stays loaded; memory, handles and bindings are gone. */
static cudaError_t reset(void)
{
    struct err e;

    rt_queue_wait_all();
    rt_host_forget();
    rt_mipmaps_forget();
    rt_pools_forget();
    rt_arrays_forget();
    rt_objects_forget();
    rt_streams_forget();
    rt_textures_forget();
    set_defaults();
    return device_reset(rt.dev, &e) && rt_modules_reset(&e) ? cudaSuccess
                                                            : rt_fail(cudaErrorUnknown, &e);
}

cudaError_t rt_reset(void)
{
    struct rt_guard g;

    if (torn || rt.lost)
        return rt.sticky;
    if (!RT_GUARD(&g))
        return rt_out_of_memory(&g, rt_call);
    cudaError_t e = reset();

    memory_unguard(&g.memory);
    return e;
}

/* Whatever the frame says: this is how a context that a kernel broke is mended. */
static cudaError_t enter_broken(const char *call)
{
    rt_enter(call);
    rt_last_error(true);
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
    RT_FRAME(cudaError_t, enter_broken, rt_leave, cudaSuccess, , rt_reset());
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t rt_synchronize(void)
{
    rt_queue_wait_all();
    return rt.sticky;
}

cudaError_t cudaDeviceSynchronize(void)
{
    RT_ASYNC(rt_synchronize());
}

cudaError_t cudaThreadSynchronize(void)
{
    RT_ASYNC(rt_synchronize());
}

/* --- handles --- */

bool rt_handle_is_live(const struct rt_handles *h, const void *p)
{
    for (u32 i = 0; i < h->live.n; i++)
        if (h->live.at[i] == p)
            return true;
    return false;
}

void rt_handle_add(struct rt_handles *h, void *p)
{
    *VEC_ADD(&h->live) = p;
}

void rt_handle_remove(struct rt_handles *h, const void *p)
{
    for (u32 i = 0; i < h->live.n; i++)
        if (h->live.at[i] == p) {
            h->live.at[i] = h->live.at[--h->live.n];
            return;
        }
}
