/* rt_state.c -- the context: its lock, its start at the first use, its reset */
#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rt/rt.h"

struct rt rt;

/* Recursive: a stream's callback runs inside the call that adds it, and may call back. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

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

void rt_lock(const char *call)
{
    pthread_mutex_lock(&lock);
    rt_call = call;
}

bool rt_try_lock(void)
{
    return pthread_mutex_trylock(&lock) == 0;
}

void rt_unlock(void)
{
    pthread_mutex_unlock(&lock);
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
    rt.dev = settings_device(&rt.settings, &e);
    if (!rt.dev)
        refuse(&e);
    set_defaults();
    rt_report_start();
}

cudaError_t rt_enter(const char *call)
{
    rt_lock(call);
    rt_start();
    rt.runtime_used = true;
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

    rt_host_forget();
    rt_arrays_forget();
    rt_streams_forget();
    rt_textures_forget();
    set_defaults();
    return device_reset(rt.dev, &e) ? cudaSuccess : rt_fail(cudaErrorUnknown, &e);
}

cudaError_t cudaDeviceReset(void)
{
    rt_enter(__func__); /* whatever it says: this is how a broken context is mended */
    rt_last_error(true);
    return rt_leave(rt_reset());
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaDeviceSynchronize(void)
{
    RT_API(cudaSuccess);
}

cudaError_t cudaThreadSynchronize(void)
{
    RT_API(cudaSuccess);
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
