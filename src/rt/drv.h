/*
 * drv.h -- inside the driver API (drv_*.c): its frame around the work that rt.h declares.
 *
 * A call needs cuInit and a current context, or gets the code that says so.  The context that the
 * runtime API made counts as current in every thread.  Work gives the runtime's codes, which
 * drv_leave turns into the driver's.
 */
#ifndef RT_DRV_H
#define RT_DRV_H

#include "rt/rt.h"

#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

CUresult drv_enter(const char *call);         /* cuInit has been called */
CUresult drv_enter_context(const char *call); /* and a context is current, and unbroken */
CUresult drv_enter_async(const char *call);   /* the same; what streams have noted stays so */
CUresult drv_leave(CUresult r);               /* returns r */
CUresult drv_result(cudaError_t e);

#define DRV_API(work)                                                                              \
    RT_FRAME(CUresult, drv_enter_context, drv_leave, CUDA_SUCCESS, drv_result, drv_result(work))
#define DRV_ASYNC(work)                                                                            \
    RT_FRAME(CUresult, drv_enter_async, drv_leave, CUDA_SUCCESS, drv_result, drv_result(work))

/* The same function under its name without _v2, for programs that look it up by that name. */
#define DRV_V2(name)                                                                               \
    extern RT_EXPORT __typeof__(name##_v2) drv_plain_##name __asm__(#name)                         \
        __attribute__((alias(#name "_v2")))

/* --- drv_module.c --- */

struct CUfunc_st {
    struct rt_kernel kernel;
    struct rt_shape shape; /* of the launches before CUDA 4, with their parameters */
    u8 param[RT_PARAM_MAX];
};

cudaError_t drv_function_check(CUfunction f);
void drv_modules_forget(void); /* handles, when the last context goes */
const char *drv_image_text(const void *image);
/* Into the log buffers among the options, if there are any. */
void drv_put_logs(const char *why, unsigned int n, const CUjit_option *option, void **value);

/* --- drv_texture.c --- */

void drv_textures_forget(const struct rt_module *m); /* NULL: all */
cudaError_t drv_texture_new(CUtexref *t, struct rt_module *m, const char *name);
bool drv_channels(CUarray_format format, unsigned int n, struct cudaChannelFormatDesc *d);

static inline void *drv_pointer(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

#endif
