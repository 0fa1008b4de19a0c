/* rt_error.c -- error codes: the last one of each host thread, their names, and our diagnoses */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/log.h"
#include "rt/rt.h"

static const struct {
    int code;
    const char *runtime, *driver, *text;
} row[] = {
#define ERROR(code, runtime, driver, text) {code, runtime, driver, text},
#include "rt/error.def"
#undef ERROR
};

__thread const char *rt_call = "";
static __thread cudaError_t last;

/* --- names --- */

static int find_code(int code)
{
    for (u32 i = 0; i < LEN(row); i++)
        if (row[i].code == code)
            return (int)i;
    return -1;
}

const char *rt_error_name(int code, bool driver)
{
    int i = find_code(code);

    return i < 0 ? NULL : driver ? row[i].driver : row[i].runtime;
}

const char *rt_error_text(int code)
{
    int i = find_code(code);

    return i < 0 ? NULL : row[i].text;
}

const char *cudaGetErrorName(cudaError_t error)
{
    const char *name = rt_error_name((int)error, false);

    return name ? name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    const char *text = rt_error_text((int)error);

    return text ? text : "unrecognized error code";
}

/* --- the last one --- */

void rt_set_last_error(cudaError_t e)
{
    if (e != cudaSuccess)
        last = e;
}

/* A broken context is every thread's, and asking does not mend it. */
cudaError_t rt_last_error(bool forget)
{
    cudaError_t e = rt.sticky != cudaSuccess ? rt.sticky : last;

    if (forget)
        last = cudaSuccess;
    return e;
}

cudaError_t cudaGetLastError(void)
{
    rt_lock(__func__);
    cudaError_t e = rt_last_error(true);

    rt_unlock();
    return e;
}

cudaError_t cudaPeekAtLastError(void)
{
    rt_lock(__func__);
    cudaError_t e = rt_last_error(false);

    rt_unlock();
    return e;
}

/* --- diagnoses --- */

/* Programs that do not look at errors repeat them: the last few lines are not said again. */
static bool said_before(const char *line)
{
    static u64 said[64];
    static u32 n;
    u64 hash = 1469598103934665603ull; /* FNV-1a */

    for (const char *c = line; *c; c++)
        hash = (hash ^ (u8)*c) * 1099511628211ull;
    for (u32 i = 0; i < n && i < LEN(said); i++)
        if (said[i] == hash)
            return true;
    said[n++ % LEN(said)] = hash;
    return false;
}

void rt_say(const struct err *e)
{
    if (!said_before(e->msg)) {
        fflush(stdout); /* what the program printed came first */
        log_progress_end();
        err_print(e, stderr);
    }
}

/* The name as programs write it: cuMemAlloc, which the header makes cuMemAlloc_v2. */
cudaError_t rt_fail(cudaError_t code, const struct err *e)
{
    struct err named = *e;
    const char *version = strstr(rt_call, "_v");

    err_at(&named, "%.*s", version ? (int)(version - rt_call) : (int)strlen(rt_call), rt_call);
    rt_say(&named);
    return code;
}

const char *rt_pointer(u64 addr, char buf[RT_POINTER])
{
    if (!addr)
        snprintf(buf, RT_POINTER, "NULL");
    else if (rt.dev && vmem_is_own(&rt.dev->mem, addr))
        snprintf(buf, RT_POINTER, "0x%" PRIx64, addr);
    else
        snprintf(buf, RT_POINTER, "this pointer");
    return buf;
}

cudaError_t rt_fail_handle(cudaError_t code, const void *handle, const char *what)
{
    return rt_fail_text(code, "%s is no %s", handle ? "this pointer" : "NULL", what);
}

cudaError_t rt_fail_text(cudaError_t code, const char *fmt, ...)
{
    struct err e;
    char text[sizeof e.msg];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    err_program(&e, "%s", text);
    return rt_fail(code, &e);
}
