/* drv_module.c -- the driver API's modules, functions and launches (see drv.h) */
#include <stdlib.h>
#include <string.h>

#include "rt/drv.h"
#include "rt/fatbin.h"

static struct rt_handles modules;
static struct rt_handles functions;

/* --- modules --- */

static cudaError_t module_check(CUmodule m)
{
    return rt_handle_is_live(&modules, m)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidResourceHandle, m, "module");
}

/* *why: what is wrong with it, for the JIT's error log. */
static cudaError_t load_text(CUmodule *out, const char *text, const char *name, const char **why)
{
    struct rt_module *m;
    cudaError_t code = rt_module_from_text(&m, text, strlen(text), name);

    if (code == cudaSuccess) {
        rt_handle_add(&modules, m);
        *out = (CUmodule)m;
    } else if (m->why) {
        *why = m->why;
    }
    return code;
}

static cudaError_t load_from_file(CUmodule *out, const char *path)
{
    const char *why = "";
    struct err e;

    if (!out || !path)
        return cudaErrorInvalidValue;
    char *text = text_read_file(path, NULL, &e);

    if (!text)
        return rt_fail(cudaErrorFileNotFound, &e);
    cudaError_t code = load_text(out, text, path, &why);

    free(text);
    return code;
}

CUresult cuModuleLoad(CUmodule *module, const char *fname)
{
    DRV_API(load_from_file(module, fname));
}

/* PTX text, or the wrapper that a compiler puts around it. */
const char *drv_image_text(const void *image)
{
    unsigned int magic = 0;

    for (u32 i = 0; i < sizeof magic && ((const u8 *)image)[i]; i++) /* a text may be shorter */
        magic |= (unsigned int)((const u8 *)image)[i] << 8 * i;
    return magic == FATBIN_MAGIC ? ((const struct fatbin *)image)->text : image;
}

static cudaError_t load_image(CUmodule *out, const void *image, const char **why)
{
    *why = "";
    return out && image ? load_text(out, drv_image_text(image), "module", why)
                        : cudaErrorInvalidValue;
}

static cudaError_t load_data(CUmodule *out, const void *image)
{
    const char *why;

    return load_image(out, image, &why);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    DRV_API(load_data(module, image));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
    DRV_API(load_data(module, fatCubin));
}

/* Buffer and size are options of their own; the size tells back what was written. */
static void put_log(const char *text, unsigned int n, const CUjit_option *option, void **value,
                    CUjit_option buffer, CUjit_option buffer_size)
{
    char *to = NULL;
    void **size = NULL;

    for (unsigned int i = 0; i < n; i++) {
        if (option[i] == buffer)
            to = value[i];
        if (option[i] == buffer_size)
            size = &value[i];
    }
    if (!to || !size || !(uintptr_t)*size)
        return;
    int len = snprintf(to, (size_t)(unsigned int)(uintptr_t)*size, "%s", text);
    uintptr_t room = (unsigned int)(uintptr_t)*size - 1;

    *size = (void *)((uintptr_t)len < room ? (uintptr_t)len : room);
}

void drv_put_logs(const char *why, unsigned int n, const CUjit_option *option, void **value)
{
    put_log("", n, option, value, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
    put_log(why, n, option, value, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
}

static cudaError_t load_with(CUmodule *out, const void *image, unsigned int n,
                             const CUjit_option *option, void **value)
{
    const char *why;
    cudaError_t code =
        n && (!option || !value) ? cudaErrorInvalidValue : load_image(out, image, &why);

    if (code != cudaErrorInvalidValue)
        drv_put_logs(why, n, option, value);
    return code;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                            CUjit_option *options, void **optionValues)
{
    DRV_API(load_with(module, image, numOptions, options, optionValues));
}

static void drop_functions(const struct rt_module *m)
{
    for (u32 i = functions.live.n; i-- > 0;) {
        struct CUfunc_st *f = functions.live.at[i];

        if (f->kernel.module != m)
            continue;
        rt_handle_remove(&functions, f);
        free(f);
    }
}

static void forget_module(struct rt_module *m)
{
    drop_functions(m);
    drv_textures_forget(m);
    rt_module_drop(m);
    rt_handle_remove(&modules, m);
}

void drv_modules_forget(void)
{
    while (modules.live.n)
        forget_module(modules.live.at[modules.live.n - 1]);
}

static cudaError_t unload_module(CUmodule m)
{
    cudaError_t code = module_check(m);

    if (code == cudaSuccess)
        forget_module((struct rt_module *)m);
    return code;
}

CUresult cuModuleUnload(CUmodule hmod)
{
    DRV_API(unload_module(hmod));
}

/* --- names in them --- */

static struct CUfunc_st *known_function(const struct rt_module *m, const char *name)
{
    for (u32 i = 0; i < functions.live.n; i++) {
        struct CUfunc_st *f = functions.live.at[i];

        if (f->kernel.module == m && !strcmp(f->kernel.name, name))
            return f;
    }
    return NULL;
}

static cudaError_t get_function(CUfunction *out, CUmodule module, const char *name)
{
    struct rt_module *m = (struct rt_module *)module;
    struct rt_kernel k = {.module = m, .name = name};
    cudaError_t code = out && name ? module_check(module) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_kernel_resolve(&k);
    if (code != cudaSuccess)
        return code;
    *out = known_function(m, name);
    if (*out)
        return code;
    *out = xcalloc(1, sizeof **out);
    k.name = k.func->name;
    (*out)->kernel = k;
    (*out)->shape = (struct rt_shape){.grid = {1, 1, 1}, .block = {1, 1, 1}};
    rt_handle_add(&functions, *out);
    return code;
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
    DRV_API(get_function(hfunc, hmod, name));
}

static cudaError_t get_global(CUdeviceptr *at, size_t *bytes, CUmodule module, const char *name)
{
    cudaError_t code = name ? module_check(module) : cudaErrorInvalidValue;

    if (code != cudaSuccess)
        return code;
    const struct rt_module *m = (struct rt_module *)module;
    const struct var *v = program_var(m->prog, name);

    if (!v || v->is_texture)
        return rt_fail_text(cudaErrorSymbolNotFound, "%s has no variable '%s'", m->name, name);
    if (at)
        *at = v->addr;
    if (bytes)
        *bytes = v->size;
    return code;
}

CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
    DRV_API(get_global(dptr, bytes, hmod, name));
}
DRV_V2(cuModuleGetGlobal);

static cudaError_t get_texture(CUtexref *out, CUmodule module, const char *name)
{
    cudaError_t code = out && name ? module_check(module) : cudaErrorInvalidValue;

    return code == cudaSuccess ? drv_texture_new(out, (struct rt_module *)module, name) : code;
}

CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name)
{
    DRV_API(get_texture(pTexRef, hmod, name));
}

/* --- questions about kernels --- */

cudaError_t drv_function_check(CUfunction f)
{
    return rt_handle_is_live(&functions, f)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidResourceHandle, f, "function");
}

static cudaError_t function_attribute(int *value, CUfunction_attribute which, CUfunction f)
{
    struct cudaFuncAttributes a;
    cudaError_t code = value ? drv_function_check(f) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_kernel_attributes(&f->kernel, &a);
    if (code != cudaSuccess)
        return code;
    const int row[] = {
        [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = a.maxThreadsPerBlock,
        [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)a.sharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)a.constSizeBytes,
        [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)a.localSizeBytes,
        [CU_FUNC_ATTRIBUTE_NUM_REGS] = a.numRegs,
        [CU_FUNC_ATTRIBUTE_PTX_VERSION] = a.ptxVersion,
        [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = a.binaryVersion,
        [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = a.cacheModeCA,
        [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = a.maxDynamicSharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = a.preferredShmemCarveout,
    };

    if ((unsigned int)which >= LEN(row))
        return cudaErrorInvalidValue;
    *value = row[which];
    return code;
}

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
    DRV_API(function_attribute(pi, attrib, hfunc));
}

static cudaError_t set_function_attribute(CUfunction f, CUfunction_attribute which, int value)
{
    cudaError_t code = drv_function_check(f);

    if (code != cudaSuccess || which == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        return code;
    return which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 &&
                   (u64)value + f->kernel.func->shared <= rt.dev->conf.sm.shared
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
    DRV_API(set_function_attribute(hfunc, attrib, value));
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
    DRV_API(config > CU_FUNC_CACHE_PREFER_EQUAL ? cudaErrorInvalidValue
                                                : drv_function_check(hfunc));
}

static cudaError_t occupancy(int *n, CUfunction f, int threads, size_t shared)
{
    u32 blocks = 0;
    cudaError_t code = n && threads > 0 ? drv_function_check(f) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_occupancy(&f->kernel, (u32)threads, shared, &blocks);
    if (code == cudaSuccess)
        *n = (int)blocks;
    return code;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize)
{
    DRV_API(occupancy(numBlocks, func, blockSize, dynamicSMemSize));
}

/* --- launches --- */

/* `extra`: the parameters as one block, given by pairs of a name and a value. */
static cudaError_t packed_params(const struct func *f, void **extra, u8 *param)
{
    const void *from = NULL;
    size_t size = 0;

    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            from = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            size = *(const size_t *)extra[1];
        else
            return cudaErrorInvalidValue;
    }
    if (size < f->param_bytes || size > RT_PARAM_MAX || (size && !from))
        return rt_fail_text(cudaErrorInvalidValue, "kernel %s: %zu bytes of parameters, it has %u",
                            f->name, size, f->param_bytes);
    memcpy(param, from, size);
    return cudaSuccess;
}

static cudaError_t launch_function(CUfunction f, const struct rt_shape *s, CUstream stream,
                                   void **params, void **extra)
{
    u8 param[RT_PARAM_MAX] = {0};
    cudaError_t code = drv_function_check(f);

    if (code == cudaSuccess)
        code = rt_stream_check(stream);
    if (code != cudaSuccess)
        return code;
    const struct func *func = f->kernel.func;

    if ((params && extra) || (func->n_param && !params && !extra))
        return rt_fail_text(cudaErrorInvalidValue, "kernel %s: one of kernelParams and extra",
                            func->name);
    if (params)
        rt_gather_params(func, params, param);
    else if (extra)
        code = packed_params(func, extra, param);
    return code == cudaSuccess ? rt_launch(&f->kernel, s, param, stream) : code;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                        void **kernelParams, void **extra)
{
    const struct rt_shape s = {.grid = {gridDimX, gridDimY, gridDimZ},
                               .block = {blockDimX, blockDimY, blockDimZ},
                               .shared = sharedMemBytes};

    DRV_ASYNC(launch_function(f, &s, hStream, kernelParams, extra));
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void **kernelParams)
{
    const struct rt_shape s = {.grid = {gridDimX, gridDimY, gridDimZ},
                               .block = {blockDimX, blockDimY, blockDimZ},
                               .shared = sharedMemBytes,
                               .cooperative = true};

    DRV_ASYNC(launch_function(f, &s, hStream, kernelParams, NULL));
}

/* --- launches before CUDA 4: a function remembers what it was told --- */

static cudaError_t block_shape(CUfunction f, int x, int y, int z)
{
    cudaError_t code = x > 0 && y > 0 && z > 0 ? drv_function_check(f) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        f->shape.block[0] = (u32)x, f->shape.block[1] = (u32)y, f->shape.block[2] = (u32)z;
    return code;
}

CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)
{
    DRV_API(block_shape(hfunc, x, y, z));
}

static cudaError_t shared_size(CUfunction f, unsigned int bytes)
{
    cudaError_t code = drv_function_check(f);

    if (code == cudaSuccess)
        f->shape.shared = bytes;
    return code;
}

CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)
{
    DRV_API(shared_size(hfunc, bytes));
}

static cudaError_t set_param(CUfunction f, int offset, const void *from, size_t n)
{
    cudaError_t code = drv_function_check(f);

    if (code != cudaSuccess)
        return code;
    if (offset < 0 || (size_t)offset > RT_PARAM_MAX || n > RT_PARAM_MAX - (size_t)offset)
        return cudaErrorInvalidValue;
    memcpy(f->param + offset, from, n);
    return code;
}

CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes)
{
    DRV_API(numbytes <= RT_PARAM_MAX ? drv_function_check(hfunc) : cudaErrorInvalidValue);
}

CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value)
{
    DRV_API(set_param(hfunc, offset, &value, sizeof value));
}

CUresult cuParamSetf(CUfunction hfunc, int offset, float value)
{
    DRV_API(set_param(hfunc, offset, &value, sizeof value));
}

CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes)
{
    DRV_API(ptr ? set_param(hfunc, offset, ptr, numbytes) : cudaErrorInvalidValue);
}

/* Every kernel of a module sees its textures without being told. */
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef)
{
    (void)hTexRef;
    DRV_API(texunit == CU_PARAM_TR_DEFAULT ? drv_function_check(hfunc) : cudaErrorInvalidValue);
}

static cudaError_t launch_grid(CUfunction f, int width, int height, CUstream stream)
{
    cudaError_t code = width > 0 && height > 0 ? drv_function_check(f) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_stream_check(stream);
    if (code != cudaSuccess)
        return code;
    f->shape.grid[0] = (u32)width, f->shape.grid[1] = (u32)height;
    return rt_launch(&f->kernel, &f->shape, f->param, stream);
}

CUresult cuLaunch(CUfunction f)
{
    DRV_ASYNC(launch_grid(f, 1, 1, NULL));
}

CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height)
{
    DRV_ASYNC(launch_grid(f, grid_width, grid_height, NULL));
}

CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream)
{
    DRV_ASYNC(launch_grid(f, grid_width, grid_height, hStream));
}
