/* rt_launch.c -- launching kernels, by both ABIs, and what can be asked about a kernel before */
#include <inttypes.h>
#include <string.h>

#include "mech/mech.h"
#include "rt/rt_queue.h"

/* --- running --- */

/* As the documentation of these codes says; none of them breaks the context. */
static cudaError_t refused(enum refusal r)
{
    switch (r) {
    case REFUSE_KERNEL:
        return cudaErrorInvalidDeviceFunction;
    case REFUSE_REGS:
        return cudaErrorLaunchOutOfResources;
    default: /* "more shared memory per block than the device supports", "too many threads" */
        return cudaErrorInvalidConfiguration;
    }
}

static cudaError_t faulted(const struct launch_result *r)
{
    if (r->end == RUN_DEADLOCK)
        return cudaErrorLaunchTimeout;
    switch (r->fault) {
    case FAULT_BOUNDS:
    case FAULT_READ_ONLY:
        return cudaErrorIllegalAddress;
    case FAULT_ALIGN:
        return cudaErrorMisalignedAddress;
    case FAULT_STACK:
        return cudaErrorHardwareStackError;
    case FAULT_CALL:
        return cudaErrorInvalidPc;
    case FAULT_BRX:
    case FAULT_BARRIER:
        return cudaErrorIllegalInstruction;
    case FAULT_ASSERT:
        return cudaErrorAssert;
    default:
        return cudaErrorLaunchFailure;
    }
}

/* As on a GPU the launch itself succeeds: its fault is found out by whoever asks next. */
void rt_launch_failed(const struct err *e)
{
    const struct launch_result *r = &rt.dev->last;

    if (r->end == RUN_MAX_INSTS || r->end == RUN_MAX_CYCLES || r->end == RUN_STOPPED)
        rt_report_abandon(e);
    rt_say(e);
    rt_report_failure(e);
    rt.sticky = faulted(r);
}

/* Does the GPU hold all CTAs at once?  A launch that fits nowhere is refused by device_run. */
static bool is_resident(struct rt_kernel *k, const struct rt_shape *s, struct err *e)
{
    const char *limit;
    u64 ctas = (u64)s->grid[0] * s->grid[1] * s->grid[2];
    u32 fit = device_fit(rt.dev, k->module->prog, k->name, s->block, (u32)s->shared, &limit, e);
    u64 sms = mech_active_sms(rt.dev->mechs, (u32)rt.dev->conf.gpu.n_sm);

    return !fit || ctas <= fit * sms ||
           err_program(e,
                       "kernel %s: a cooperative launch of %" PRIu64
                       " blocks; the GPU holds %" PRIu64 ", %u on each of %" PRIu64 " SMs (%s)",
                       k->func->label, ctas, fit * sms, fit, sms, limit);
}

/*
 * The barrier of the grid as cooperative_groups.h has it: is there one, who has arrived, how often
 * all have.  Set for each launch, since the one before may have been stopped halfway.
 */
static cudaError_t set_barrier(const struct rt_module *m, bool cooperative)
{
    const u32 state[3] = {cooperative, 0, 0};
    struct err e;

    if (!m->grid || m->grid->size != sizeof state)
        return cudaSuccess;
    return device_write(rt.dev, m->grid->addr, state, sizeof state, &e)
               ? cudaSuccess
               : rt_fail(cudaErrorUnknown, &e);
}

static cudaError_t refuse(const struct err *e)
{
    rt_say(e);
    rt_report_refusal(e);
    return refused(rt.dev->refusal);
}

/* What can be refused is refused here; the rest is found out when it runs. */
static cudaError_t note_launch(struct rt_kernel *k, const struct rt_shape *s, const u8 *param,
                               cudaStream_t stream)
{
    struct err e;
    struct rt_op op = {.work = RT_LAUNCH};

    op.launch = device_launch_new(rt.dev, k->module->prog, k->name, s->grid, s->block,
                                  (u32)s->shared, param, &e);
    if (!op.launch)
        return refuse(&e);
    rt_queue_add(stream, &op);
    return cudaSuccess;
}

static cudaError_t run_launch(struct rt_kernel *k, const struct rt_shape *s, const u8 *param,
                              cudaStream_t stream)
{
    struct err e;
    cudaError_t code = set_barrier(k->module, s->cooperative);

    if (code != cudaSuccess)
        return code;
    rt_watch_signals(true);
    bool ok = rt_queue_run_launch(stream, k, s, param, &e);

    rt_watch_signals(false);
    if (!ok && rt.dev->refusal != REFUSE_NONE)
        return refuse(&e);
    if (!ok)
        rt_launch_failed(&e);
    rt_report_launch();
    return cudaSuccess;
}

cudaError_t rt_launch(struct rt_kernel *k, const struct rt_shape *s, const u8 *param,
                      cudaStream_t stream)
{
    cudaError_t code = rt_kernel_resolve(k);
    struct err e;

    if (code != cudaSuccess) {
        err_program(&e, "kernel %s: its module could not be loaded", k->name);
        rt_report_refusal(&e);
        return code;
    }
    if (s->shared > UINT32_MAX) {
        err_program(&e, "kernel %s: %zu bytes of shared memory", k->name, (size_t)s->shared);
        rt_report_refusal(&e);
        return rt_fail(cudaErrorInvalidConfiguration, &e);
    }
    if (s->cooperative && !is_resident(k, s, &e)) {
        rt_report_refusal(&e);
        return rt_fail(cudaErrorCooperativeLaunchTooLarge, &e);
    }
    /* the barrier of grids is one for all kernels of a module: these run alone */
    if (!k->module->grid && rt_queue_defers())
        return note_launch(k, s, param, stream);
    rt_queue_finish();
    return rt.sticky == cudaSuccess ? run_launch(k, s, param, stream) : rt.sticky;
}

void rt_gather_params(const struct func *f, void *const *arg, u8 *param)
{
    for (u32 i = 0; i < f->n_param; i++)
        memcpy(param + f->param[i].off, arg[i], f->param[i].size);
}

static struct rt_shape shape_of(dim3 grid, dim3 block, size_t shared)
{
    return (struct rt_shape){
        .grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}, .shared = shared};
}

/* --- the ABI since CUDA 7 --- */

static cudaError_t launch_args(const void *stub, const struct rt_shape *s, void **args,
                               cudaStream_t stream)
{
    struct rt_kernel *k;
    u8 param[RT_PARAM_MAX] = {0};
    cudaError_t code = rt_stream_check(stream);

    if (code == cudaSuccess)
        code = rt_kernel_find(stub, &k);
    if (code != cudaSuccess)
        return code;
    if (k->func->n_param && !args)
        return rt_fail_text(cudaErrorInvalidValue, "kernel %s: no arguments are given", k->name);
    rt_gather_params(k->func, args, param);
    return rt_launch(k, s, param, stream);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream)
{
    struct rt_shape s = shape_of(gridDim, blockDim, sharedMem);

    RT_ASYNC(launch_args(func, &s, args, stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    struct rt_shape s = shape_of(gridDim, blockDim, sharedMem);

    s.cooperative = true;
    RT_ASYNC(launch_args(func, &s, args, stream));
}

/* Hints have no effect; clusters of CTAs are not there, but one CTA is one. */
static cudaError_t take_attribute(const cudaLaunchAttribute *a, struct rt_shape *s)
{
    const cudaLaunchAttributeValue *v = &a->val;

    if (a->id == cudaLaunchAttributeCooperative)
        s->cooperative = v->cooperative != 0;
    if (a->id == cudaLaunchAttributeClusterDimension &&
        (v->clusterDim.x != 1 || v->clusterDim.y != 1 || v->clusterDim.z != 1))
        return rt_fail_text(cudaErrorNotSupported, "clusters of %u x %u x %u blocks",
                            v->clusterDim.x, v->clusterDim.y, v->clusterDim.z);
    return (unsigned int)a->id > cudaLaunchAttributePriority ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t launch_config(const cudaLaunchConfig_t *c, const void *func, void **args)
{
    if (!c || (c->numAttrs && !c->attrs))
        return cudaErrorInvalidValue;
    struct rt_shape s = shape_of(c->gridDim, c->blockDim, c->dynamicSmemBytes);
    cudaError_t code = cudaSuccess;

    for (u32 i = 0; i < c->numAttrs && code == cudaSuccess; i++)
        code = take_attribute(&c->attrs[i], &s);
    return code == cudaSuccess ? launch_args(func, &s, args, c->stream) : code;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config_, const void *func, void **args)
{
    RT_ASYNC(launch_config(config_, func, args));
}

/* Configurations on their way from <<<>>> to the kernel's stub: evaluating one may need another. */
struct config {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    u32 used;               /* bytes of param */
    u8 param[RT_PARAM_MAX]; /* of the old ABI */
};

enum { CONFIG_DEPTH = 16 };
static __thread struct config config[CONFIG_DEPTH];
static __thread u32 depth;

static bool push_config(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (depth == CONFIG_DEPTH)
        return false;
    struct config *c = &config[depth++];

    c->grid = grid, c->block = block, c->shared = shared, c->stream = stream, c->used = 0;
    return true;
}

unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                         void *stream)
{
    return !push_config(gridDim, blockDim, sharedMem, stream);
}

cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                       void *stream)
{
    if (!depth)
        return cudaErrorMissingConfiguration;
    const struct config *c = &config[--depth];

    *gridDim = c->grid, *blockDim = c->block, *sharedMem = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

/* --- the ABI before --- */

static cudaError_t configure(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    return push_config(grid, block, shared, stream)
               ? cudaSuccess
               : rt_fail_text(cudaErrorLaunchOutOfResources, "launches are nested too deeply");
}

cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream)
{
    RT_ASYNC(configure(gridDim, blockDim, sharedMem, stream));
}

static cudaError_t set_argument(const void *arg, size_t size, size_t offset)
{
    if (!depth)
        return rt_fail_text(cudaErrorMissingConfiguration, "no cudaConfigureCall before");
    struct config *c = &config[depth - 1];

    if (offset > RT_PARAM_MAX || size > RT_PARAM_MAX - offset)
        return rt_fail_text(cudaErrorInvalidValue, "an argument of %zu bytes at %zu; there are %d",
                            size, offset, RT_PARAM_MAX);
    memcpy(c->param + offset, arg, size);
    if (c->used < offset + size)
        c->used = (u32)(offset + size);
    return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset)
{
    RT_ASYNC(set_argument(arg, size, offset));
}

static cudaError_t launch_configured(const void *stub)
{
    struct rt_kernel *k;

    if (!depth)
        return rt_fail_text(cudaErrorMissingConfiguration, "no cudaConfigureCall before");
    const struct config *c = &config[--depth];
    struct rt_shape s = shape_of(c->grid, c->block, c->shared);
    cudaError_t code = rt_stream_check(c->stream);

    if (code == cudaSuccess)
        code = rt_kernel_find(stub, &k);
    if (code != cudaSuccess)
        return code;
    if (c->used < k->func->param_bytes)
        return rt_fail_text(cudaErrorInvalidValue,
                            "kernel %s: %u bytes of arguments are given, %u are needed", k->name,
                            c->used, k->func->param_bytes);
    return rt_launch(k, &s, c->param, c->stream);
}

cudaError_t cudaLaunch(const void *func)
{
    RT_ASYNC(launch_configured(func));
}

/* --- questions --- */

static bool kernel_fits(struct rt_kernel *k, u32 threads, u32 shared, u32 *blocks)
{
    const u32 block[3] = {threads, 1, 1};
    const char *limit;
    struct err e;

    *blocks = device_fit(rt.dev, k->module->prog, k->name, block, shared, &limit, &e);
    return *blocks > 0;
}

cudaError_t rt_occupancy(struct rt_kernel *k, u32 threads, u64 shared, u32 *blocks)
{
    cudaError_t code = rt_kernel_resolve(k);

    *blocks = 0;
    if (code == cudaSuccess && shared <= UINT32_MAX)
        kernel_fits(k, threads, (u32)shared, blocks);
    return code;
}

/* The most threads a block may have, registers and the kernel's own bounds included. */
static u32 max_threads(struct rt_kernel *k)
{
    u32 most = (u32)rt.dev->conf.sm.max_block_threads, blocks;
    const u32 *own = k->func->reqntid[0] ? k->func->reqntid : k->func->maxntid;

    if (own[0])
        return min_u32(most, own[0] * (own[1] ? own[1] : 1) * (own[2] ? own[2] : 1));
    while (most && !kernel_fits(k, most, 0, &blocks))
        most = most > LANES ? most - LANES : 0;
    return most;
}

cudaError_t rt_kernel_attributes(struct rt_kernel *k, struct cudaFuncAttributes *a)
{
    cudaError_t code = rt_kernel_resolve(k);
    const struct conf *c = &rt.dev->conf;

    if (code != cudaSuccess)
        return code;
    memset(a, 0, sizeof *a);
    a->sharedSizeBytes = k->func->shared;
    a->constSizeBytes = rt_const_bytes(k->module->prog);
    a->localSizeBytes = k->func->local;
    a->maxThreadsPerBlock = (int)max_threads(k);
    a->numRegs = (int)k->func->regs;
    a->ptxVersion = (int)k->module->prog->ptx->sm;
    a->binaryVersion = (int)(10 * c->gpu.cc_major + c->gpu.cc_minor);
    a->maxDynamicSharedSizeBytes = (int)(c->sm.shared - k->func->shared);
    a->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return code;
}

static cudaError_t attributes(struct cudaFuncAttributes *attr, const void *stub)
{
    struct rt_kernel *k;
    cudaError_t code = attr ? rt_kernel_find(stub, &k) : cudaErrorInvalidValue;

    return code == cudaSuccess ? rt_kernel_attributes(k, attr) : code;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    RT_API(attributes(attr, func));
}

/* Hints for the hardware: the kernel must exist, that is all. */
static cudaError_t kernel_exists(const void *stub)
{
    struct rt_kernel *k;

    return rt_kernel_find(stub, &k);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    RT_API(cacheConfig > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : kernel_exists(func));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config_)
{
    RT_API(config_ > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : kernel_exists(func));
}

static cudaError_t set_kernel_attribute(const void *stub, enum cudaFuncAttribute attr, int value)
{
    struct rt_kernel *k;
    cudaError_t code = rt_kernel_find(stub, &k);

    if (code != cudaSuccess)
        return code;
    if (attr == cudaFuncAttributePreferredSharedMemoryCarveout)
        return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaErrorInvalidValue;
    return value >= 0 && (u64)value + k->func->shared <= rt.dev->conf.sm.shared
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    RT_API(set_kernel_attribute(func, attr, value));
}

static cudaError_t ctas_that_fit(int *n, const void *stub, int threads, size_t shared)
{
    struct rt_kernel *k;
    u32 blocks = 0;

    if (!n || threads <= 0)
        return cudaErrorInvalidValue;
    cudaError_t code = rt_kernel_find(stub, &k);

    if (code == cudaSuccess)
        code = rt_occupancy(k, (u32)threads, shared, &blocks);
    *n = (int)blocks;
    return code;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                          int blockSize, size_t dynamicSMemSize)
{
    RT_API(ctas_that_fit(numBlocks, func, blockSize, dynamicSMemSize));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags)
{
    RT_API(flags > cudaOccupancyDisableCachingOverride
               ? cudaErrorInvalidValue
               : ctas_that_fit(numBlocks, func, blockSize, dynamicSMemSize));
}
