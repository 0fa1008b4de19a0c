/*
 * rt_props.c -- the one device as programs see it: properties, limits, choices.
 *
 * What the configuration says comes from there.  Limits of textures and the like, which no
 * simulated result depends on, are those the CUDA C Programming Guide gives for compute capability
 * 2.x and up.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mech/mech.h"
#include "rt/rt.h"

enum {
    MAX_GRID_X = 0x7fffffff,
    MAX_GRID_YZ = 65535,
    MAX_BLOCK_Z = 64,
    PCI_BUS = 1,
};

/* --- properties --- */

static void put_sm(struct cudaDeviceProp *p, const struct conf *c)
{
    p->sharedMemPerBlock = p->sharedMemPerMultiprocessor = c->sm.shared;
    p->sharedMemPerBlockOptin = c->sm.shared;
    p->regsPerBlock = p->regsPerMultiprocessor = (int)c->sm.regs;
    p->warpSize = LANES;
    p->maxThreadsPerBlock = (int)c->sm.max_block_threads;
    p->maxThreadsPerMultiProcessor = (int)c->sm.max_threads;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = (int)c->sm.max_block_threads;
    p->maxThreadsDim[2] = MAX_BLOCK_Z;
    p->maxGridSize[0] = c->gpu.cc_major >= 3 ? MAX_GRID_X : MAX_GRID_YZ;
    p->maxGridSize[1] = p->maxGridSize[2] = MAX_GRID_YZ;
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->singleToDoublePrecisionPerfRatio = c->gpu.cc_major == 2 ? 8 : 32;
}

/*
 * In kHz: half of the beats that move over a pin in a second, whatever the memory does in a command
 * clock (GDDR5 four beats, HBM2 two).  Programs compute the peak bandwidth as twice this x the bus.
 */
static int memory_clock(const struct conf *c)
{
    u64 bits = 8 * c->mem.channels * c->dram.burst_bytes; /* in burst_cycles */
    u64 khz = 1000 * c->gpu.mem_mhz * bits / (2 * c->dram.burst_cycles * c->gpu.bus_bits);

    return khz < INT_MAX ? (int)khz : INT_MAX;
}

static void put_memory(struct cudaDeviceProp *p, const struct conf *c)
{
    p->totalGlobalMem = c->mem.size;
    p->totalConstMem = c->mem.const_size;
    p->memPitch = 0x7fffffff;
    p->memoryClockRate = memory_clock(c);
    p->memoryBusWidth = (int)c->gpu.bus_bits;
    p->l2CacheSize = (int)conf_l2_bytes(c);
    p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = 1;
    p->canUseHostPointerForRegisteredMem = p->concurrentManagedAccess = 1;
    p->hostNativeAtomicSupported = 1;
}

static void put_textures(struct cudaDeviceProp *p)
{
    p->textureAlignment = p->surfaceAlignment = rt_texture_align();
    p->texturePitchAlignment = RT_TEXTURE_PITCH;
    p->maxTexture1D = 65536;
    p->maxTexture1DLinear = RT_MAX_TEXELS;
    p->maxTexture2D[0] = 65536, p->maxTexture2D[1] = 65535;
    p->maxTexture2DLinear[0] = p->maxTexture2DLinear[1] = 65000;
    p->maxTexture2DLinear[2] = 1 << 20;
    p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 2048;
    p->maxTexture1DLayered[0] = 16384, p->maxTexture1DLayered[1] = 2048;
    p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 16384;
    p->maxTexture2DLayered[2] = 2048;
}

void rt_properties(struct cudaDeviceProp *p)
{
    const struct conf *c = &rt.dev->conf;

    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", c->gpu.name[0] ? c->gpu.name : c->name);
    p->major = (int)c->gpu.cc_major;
    p->minor = (int)c->gpu.cc_minor;
    p->clockRate = (int)(1000 * c->gpu.core_mhz);
    p->multiProcessorCount = (int)mech_active_sms(rt.dev->mechs, (u32)c->gpu.n_sm);
    p->asyncEngineCount = (int)c->gpu.copy_engines;
    p->deviceOverlap = c->gpu.copy_engines > 0;
    p->concurrentKernels = p->cooperativeLaunch = 1;
    p->streamPrioritiesSupported = 1;
    p->computeMode = cudaComputeModeDefault;
    p->pciBusID = PCI_BUS;
    put_sm(p, c);
    put_memory(p, c);
    put_textures(p);
}

static cudaError_t check_ordinal(int device)
{
    return device == RT_DEVICE
               ? cudaSuccess
               : rt_fail_text(cudaErrorInvalidDevice, "device %d; there is only 0", device);
}

static cudaError_t properties(struct cudaDeviceProp *p, int device)
{
    cudaError_t code = p ? check_ordinal(device) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        rt_properties(p);
    return code;
}

/* A broken context too, but a lost one: programs print these in their error messages. */
static cudaError_t enter_any(const char *call)
{
    rt_enter(call);
    return rt.lost ? rt.sticky : cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    RT_FRAME(cudaError_t, enter_any, rt_leave, cudaSuccess, , properties(prop, device));
}

/* Long because: one row per attribute, and nothing else. */
cudaError_t rt_attribute(int *value, int attr)
{
    struct cudaDeviceProp p;
    rt_properties(&p);
    const struct {
        int attr, value;
    } row[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)p.sharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, (int)p.totalConstMem},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxPitch, (int)p.memPitch},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrClockRate, p.clockRate},
        {cudaDevAttrTextureAlignment, (int)p.textureAlignment},
        {cudaDevAttrGpuOverlap, p.deviceOverlap},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrKernelExecTimeout, p.kernelExecTimeoutEnabled},
        {cudaDevAttrIntegrated, p.integrated},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrComputeMode, p.computeMode},
        {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
        {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
        {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
        {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
        {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
        {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
        {cudaDevAttrSurfaceAlignment, (int)p.surfaceAlignment},
        {cudaDevAttrConcurrentKernels, p.concurrentKernels},
        {cudaDevAttrEccEnabled, p.ECCEnabled},
        {cudaDevAttrPciBusId, p.pciBusID},
        {cudaDevAttrPciDeviceId, p.pciDeviceID},
        {cudaDevAttrTccDriver, p.tccDriver},
        {cudaDevAttrMemoryClockRate, p.memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrPciDomainId, p.pciDomainID},
        {cudaDevAttrTexturePitchAlignment, (int)p.texturePitchAlignment},
        {cudaDevAttrMaxTexture1DLinearWidth, p.maxTexture1DLinear},
        {cudaDevAttrMaxTexture2DLinearWidth, p.maxTexture2DLinear[0]},
        {cudaDevAttrMaxTexture2DLinearHeight, p.maxTexture2DLinear[1]},
        {cudaDevAttrMaxTexture2DLinearPitch, p.maxTexture2DLinear[2]},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
        {cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported},
        {cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)p.sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, p.managedMemory},
        {cudaDevAttrIsMultiGpuBoard, p.isMultiGpuBoard},
        {cudaDevAttrMultiGpuBoardGroupID, p.multiGpuBoardGroupID},
        {cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio},
        {cudaDevAttrPageableMemoryAccess, p.pageableMemoryAccess},
        {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
        {cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem},
        {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
        {cudaDevAttrCooperativeMultiDeviceLaunch, p.cooperativeMultiDeviceLaunch},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)p.sharedMemPerBlockOptin},
        {cudaDevAttrMemoryPoolsSupported, 1},
    };
    for (u32 i = 0; value && i < LEN(row); i++)
        if (row[i].attr == attr) {
            *value = row[i].value;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

static cudaError_t device_attribute(int *value, int attr, int device)
{
    cudaError_t code = check_ordinal(device);

    return code == cudaSuccess ? rt_attribute(value, attr) : code;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    RT_FRAME(cudaError_t, enter_any, rt_leave, cudaSuccess, ,
             device_attribute(value, (int)attr, device));
}

/* --- choosing among one --- */

static cudaError_t put_int(int *to, int value)
{
    if (!to)
        return cudaErrorInvalidValue;
    *to = value;
    return cudaSuccess;
}

/* Needs no device, and so starts none. */
static cudaError_t answer_int(const char *call, int *to, int value)
{
    rt_lock(call);
    return rt_leave(put_int(to, value));
}

cudaError_t cudaGetDeviceCount(int *count)
{
    return answer_int(__func__, count, 1);
}

cudaError_t cudaGetDevice(int *device)
{
    return answer_int(__func__, device, RT_DEVICE);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    return answer_int(__func__, driverVersion, RT_VERSION);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    return answer_int(__func__, runtimeVersion, RT_VERSION);
}

cudaError_t cudaSetDevice(int device)
{
    rt_lock(__func__);
    return rt_leave(check_ordinal(device));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    RT_API(prop ? put_int(device, RT_DEVICE) : cudaErrorInvalidValue);
}

cudaError_t cudaSetValidDevices(int *device_arr, int len)
{
    RT_API(len < 0 || (len && !device_arr) ? cudaErrorInvalidValue
           : len                           ? check_ordinal(device_arr[0])
                                           : cudaSuccess);
}

static cudaError_t bus_id(char *text, int len, int device)
{
    cudaError_t code = text && len > 0 ? check_ordinal(device) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        snprintf(text, (size_t)len, "0000:%02X:00.0", PCI_BUS);
    return code;
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    RT_API(bus_id(pciBusId, len, device));
}

static cudaError_t by_bus_id(int *device, const char *text)
{
    char own[32];

    bus_id(own, sizeof own, RT_DEVICE);
    if (!device || !text)
        return cudaErrorInvalidValue;
    if (strcmp(text, own) && strcmp(text, own + 5)) /* with or without the domain */
        return cudaErrorInvalidDevice;
    *device = RT_DEVICE;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    RT_API(by_bus_id(device, pciBusId));
}

/* A device is no peer of itself. */
static cudaError_t can_access(int *can, int device, int peer)
{
    cudaError_t code = check_ordinal(device);

    if (code == cudaSuccess)
        code = check_ordinal(peer);
    return code == cudaSuccess ? put_int(can, 0) : code;
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    RT_API(can_access(canAccessPeer, device, peerDevice));
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    (void)peerDevice, (void)flags;
    RT_API(rt_fail_text(cudaErrorInvalidDevice, "there is only one device"));
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    (void)peerDevice;
    RT_API(cudaErrorPeerAccessNotEnabled);
}

/* --- settings --- */

static cudaError_t set_device_flags(unsigned int flags)
{
    if (flags & ~(unsigned int)cudaDeviceMask)
        return cudaErrorInvalidValue;
    rt.flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    RT_API(set_device_flags(flags));
}

static cudaError_t get_flags(unsigned int *flags)
{
    if (!flags)
        return cudaErrorInvalidValue;
    *flags = rt.flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    RT_API(get_flags(flags));
}

/* Local memory and printf are as large as needed: those two limits are only remembered. */
cudaError_t rt_set_limit(enum cudaLimit limit, size_t value)
{
    struct err e;

    switch (limit) {
    case cudaLimitStackSize:
        rt.stack = value;
        return cudaSuccess;
    case cudaLimitPrintfFifoSize:
        rt.printf_fifo = value;
        return cudaSuccess;
    case cudaLimitMallocHeapSize:
        return device_set_heap(rt.dev, value, &e) ? cudaSuccess
                                                  : rt_fail(cudaErrorInvalidValue, &e);
    default:
        return rt_fail_text(cudaErrorUnsupportedLimit, "limit %d is not supported", (int)limit);
    }
}

cudaError_t rt_get_limit(size_t *value, enum cudaLimit limit)
{
    if (!value)
        return cudaErrorInvalidValue;
    switch (limit) {
    case cudaLimitStackSize:
        *value = rt.stack;
        return cudaSuccess;
    case cudaLimitPrintfFifoSize:
        *value = rt.printf_fifo;
        return cudaSuccess;
    case cudaLimitMallocHeapSize:
        *value = rt.dev->heap_size;
        return cudaSuccess;
    default:
        return rt_fail_text(cudaErrorUnsupportedLimit, "limit %d is not supported", (int)limit);
    }
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    RT_API(rt_set_limit(limit, value));
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    RT_API(rt_set_limit(limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    RT_API(rt_get_limit(pValue, limit));
}

cudaError_t cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit)
{
    RT_API(rt_get_limit(pValue, limit));
}

/* Preferences that no GPU of ours has to follow; they are told back. */
static cudaError_t set_cache(enum cudaFuncCache cache)
{
    if (cache > cudaFuncCachePreferEqual)
        return cudaErrorInvalidValue;
    rt.cache = cache;
    return cudaSuccess;
}

static cudaError_t get_cache(enum cudaFuncCache *cache)
{
    if (!cache)
        return cudaErrorInvalidValue;
    *cache = rt.cache;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    RT_API(set_cache(cacheConfig));
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    RT_API(set_cache(cacheConfig));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    RT_API(get_cache(pCacheConfig));
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    RT_API(get_cache(pCacheConfig));
}

static cudaError_t set_banks(enum cudaSharedMemConfig config)
{
    if (config > cudaSharedMemBankSizeEightByte)
        return cudaErrorInvalidValue;
    rt.banks = config == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : config;
    return cudaSuccess;
}

static cudaError_t get_banks(enum cudaSharedMemConfig *config)
{
    if (!config)
        return cudaErrorInvalidValue;
    *config = rt.banks;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    RT_API(set_banks(config));
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
    RT_API(get_banks(pConfig));
}

cudaError_t cudaProfilerStart(void)
{
    RT_API(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    RT_API(cudaSuccess);
}
