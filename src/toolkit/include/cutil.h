/*
 * cutil.h -- what programs of the first years of CUDA expect of the SDK's utility library: checks,
 * timers, the command line, small files.  All of it is here, for C as well as C++, and again in
 * libcutil.a, for programs that bring the SDK's own header or declare what they call (sdk/cutil.c).
 *
 * Timers measure the host's time, so what they say about kernels is the time to simulate them.
 */
#ifndef SMELT_CUTIL_H
#define SMELT_CUTIL_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
#define CUT_DEFAULT(value) = value
#else
#include <stdbool.h>
#define CUT_DEFAULT(value)
#endif

/* The libraries are made of these same functions: there they are visible. */
#ifndef CUT_API
#define CUT_API static inline
#endif

typedef int CUTBoolean;
#define CUTFalse 0
#define CUTTrue 1

/* --- checks: say where and what, and end --- */

static inline void cut_check_cuda(cudaError_t error, const char *what, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

static inline void cut_check(int ok, const char *what, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: %s failed\n", file, line, what);
    exit(EXIT_FAILURE);
}

#define CUDA_SAFE_CALL_NO_SYNC(call) cut_check_cuda((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCall(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeThreadSync() CUDA_SAFE_CALL_NO_SYNC(cudaThreadSynchronize())
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilDeviceReset() cudaDeviceReset()
#define cutilThreadExit() cudaThreadExit()
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define CU_SAFE_CALL_NO_SYNC(call) cut_check((call) == 0, #call, __FILE__, __LINE__)
#define CU_SAFE_CALL(call) CU_SAFE_CALL_NO_SYNC(call)
#define CUFFT_SAFE_CALL(call) cut_check((call) == 0, #call, __FILE__, __LINE__)
#define cufftSafeCall(call) CUFFT_SAFE_CALL(call)
#define CUT_SAFE_CALL(call) cut_check((call), #call, __FILE__, __LINE__)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define CUT_SAFE_MALLOC(p) cut_check((p) != 0, #p, __FILE__, __LINE__)
#define cutilSafeMalloc(p) CUT_SAFE_MALLOC(p)
#define CUT_CHECK_ERROR(message) cut_check_cuda(cudaGetLastError(), (message), __FILE__, __LINE__)
#define CUT_CONDITION(value) cut_check((value), #value, __FILE__, __LINE__)
#define CUT_BANK_CHECKER(array, index) (array)[index]

/* There is one device, and it is ready. */
#define CUT_DEVICE_INIT(...) ((void)0)
#define CUT_DEVICE_INIT_DRV(device) ((device) = 0)
#define cutilDeviceInit(...) 0
#define cutilChooseCudaDevice(...) 0
#define cutGetMaxGflopsDeviceId() 0
#define cutilGetMaxGflopsDeviceId() 0
#define CUT_EXIT(...) exit(EXIT_SUCCESS)
#define cutilExit(...) exit(EXIT_SUCCESS)

/* --- timers, in milliseconds --- */

enum { CUT_MAX_TIMER = 256 };

struct cut_timer {
    double start, sum;
    unsigned int n;
    bool runs;
};

static struct cut_timer cut_timers[CUT_MAX_TIMER];
static unsigned int cut_n_timer;

static inline double cut_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

CUT_API CUTBoolean cutCreateTimer(unsigned int *name)
{
    *name = cut_n_timer++ % CUT_MAX_TIMER;
    memset(&cut_timers[*name], 0, sizeof(cut_timers[*name]));
    return CUTTrue;
}

CUT_API CUTBoolean cutDeleteTimer(unsigned int name)
{
    return name < CUT_MAX_TIMER;
}

CUT_API CUTBoolean cutStartTimer(unsigned int name)
{
    cut_timers[name].start = cut_now();
    cut_timers[name].runs = true;
    return CUTTrue;
}

CUT_API CUTBoolean cutStopTimer(unsigned int name)
{
    struct cut_timer *t = &cut_timers[name];
    t->sum += cut_now() - t->start;
    t->n++;
    t->runs = false;
    return CUTTrue;
}

CUT_API CUTBoolean cutResetTimer(unsigned int name)
{
    struct cut_timer *t = &cut_timers[name];
    t->sum = 0;
    t->n = 0;
    t->start = cut_now();
    return CUTTrue;
}

CUT_API float cutGetTimerValue(unsigned int name)
{
    const struct cut_timer *t = &cut_timers[name];
    return (float)(t->sum + (t->runs ? cut_now() - t->start : 0));
}

CUT_API float cutGetAverageTimerValue(unsigned int name)
{
    unsigned int n = cut_timers[name].n;
    return n ? (float)(cut_timers[name].sum / n) : 0.0f;
}

/* --- the command line: -name, --name, -name=value --- */

/* What follows the name: "" or "=value"; NULL if it is not there. */
static inline const char *cut_find_arg(int argc, const char **argv, const char *name)
{
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *s = argv[i] + strspn(argv[i], "-");
        if (s > argv[i] && strncmp(s, name, n) == 0 && (s[n] == 0 || s[n] == '='))
            return s + n;
    }
    return NULL;
}

static inline const char *cut_find_value(int argc, const char **argv, const char *name)
{
    const char *s = cut_find_arg(argc, argv, name);
    return s && *s == '=' ? s + 1 : NULL;
}

CUT_API CUTBoolean cutCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
    return cut_find_arg(argc, argv, name) != NULL;
}

CUT_API CUTBoolean cutGetCmdLineArgumenti(int argc, const char **argv, const char *name, int *value)
{
    const char *s = cut_find_value(argc, argv, name);
    if (s)
        *value = (int)strtol(s, NULL, 10);
    return s != NULL;
}

CUT_API CUTBoolean cutGetCmdLineArgumentf(int argc, const char **argv, const char *name,
                                          float *value)
{
    const char *s = cut_find_value(argc, argv, name);
    if (s)
        *value = strtof(s, NULL);
    return s != NULL;
}

CUT_API CUTBoolean cutGetCmdLineArgumentstr(int argc, const char **argv, const char *name,
                                            char **value)
{
    const char *s = cut_find_value(argc, argv, name);
    if (s)
        *value = strdup(s);
    return s != NULL;
}

/* Data files are where the program says, or in data/. */
CUT_API char *cutFindFilePath(const char *file, const char *program)
{
    (void)program;
    char *path = (char *)malloc(strlen(file) + 6);
    for (int i = 0; path && i < 2; i++) {
        snprintf(path, strlen(file) + 6, "%s%s", i ? "data/" : "", file);
        FILE *f = fopen(path, "rb");
        if (f) {
            fclose(f);
            return path;
        }
    }
    free(path);
    return NULL;
}

CUT_API void cutFree(void *p)
{
    free(p);
}

CUT_API CUTBoolean cutCheckCondition(int value, const char *file, const int line)
{
    if (!value)
        fprintf(stderr, "%s:%d: condition failed\n", file, line);
    return value != 0;
}

#include <smelt/cutil_data.h>

#endif
