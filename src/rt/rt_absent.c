/* rt_absent.c -- the functions of cuda_absent.h: each says once that it is not there */
#include "rt/rt.h"

static cudaError_t absent(const char *name)
{
    struct err e;

    rt_lock(name);
    err_program(&e, "%s is not supported", name);
    rt_say(&e);
    return rt_leave(cudaErrorNotSupported);
}

/* Callers pass what they like: no parameter is looked at. */
#define DEFINE(name)                                                                               \
    RT_EXPORT cudaError_t name(void);                                                              \
    cudaError_t name(void)                                                                         \
    {                                                                                              \
        return absent(#name);                                                                      \
    }

CUDA_ABSENT(DEFINE)
