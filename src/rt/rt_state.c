/* rt_state.c -- the context: its lock, its start at the first use, its reset */
#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
#include <fenv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static bool torn; /* this is a child, forked while another thread was inside a call */

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
    put_aside(cancel);
    return true;
}

void rt_unlock(void)
{
    int cancel = frame.cancel;
    bool last = --frame.depth == 0;

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

void rt_start(void)
{
    struct err e = {0};

    if (rt.dev)
        return;
    if (!settings_from_env(&rt.settings, &e))
        refuse(&e);
    rt.dev = device_of_settings(&rt.settings, &e);
    if (!rt.dev)
        refuse(&e);
    set_defaults();
    rt_report_start();
    pthread_atfork(before_fork, after_fork, in_child);
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
cudaError_t rt_reset(void)
{
    struct err e;

    if (torn)
        return cudaErrorInitializationError;
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

cudaError_t cudaDeviceReset(void)
{
    rt_enter(__func__); /* whatever it says: this is how a context that a kernel broke is mended */
    rt_last_error(true);
    return rt_leave(rt_reset());
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
