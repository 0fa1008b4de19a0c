/* The device as programs see it; errors and their names; modules; what is absent. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>

#include "tests/rt/rt_test.h"

static void there_is_one_device(void **state)
{
    (void)state;
    int n = 0, device = 9, version = 0;
    struct cudaDeviceProp p = {0};

    RT_OK(cudaGetDeviceCount(&n));
    assert_int_equal(n, 1);
    RT_OK(cudaSetDevice(0));
    RT_OK(cudaGetDevice(&device));
    assert_int_equal(device, 0);
    RT_OK(cudaChooseDevice(&device, &p));
    assert_int_equal(device, 0);
    RT_ERR(cudaSetDevice(1), cudaErrorInvalidDevice);
    RT_ERR(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    RT_ERR(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
    RT_OK(cudaRuntimeGetVersion(&version));
    assert_int_equal(version, 10010);
    RT_OK(cudaDriverGetVersion(&version));
    assert_int_equal(version, 10010);
}

static void properties_are_the_configurations(void **state)
{
    (void)state;
    struct cudaDeviceProp p;

    RT_OK(cudaGetDeviceProperties(&p, 0));
    assert_string_equal(p.name, "smelt tiny");
    assert_int_equal(p.major, 3);
    assert_int_equal(p.minor, 5);
    assert_int_equal(p.multiProcessorCount, 2);
    assert_int_equal(p.totalGlobalMem, 16 << 20);
    assert_int_equal(p.sharedMemPerBlock, 16 << 10);
    assert_int_equal(p.regsPerBlock, 8192);
    assert_int_equal(p.warpSize, 32);
    assert_int_equal(p.maxThreadsPerBlock, 256);
    assert_int_equal(p.maxThreadsPerMultiProcessor, 256);
    assert_int_equal(p.clockRate, 1000000);
    assert_int_equal(p.totalConstMem, 65536);
    assert_int_equal(p.l2CacheSize, 64 << 10);
    assert_int_equal(p.memoryBusWidth, 64);
    assert_int_equal(p.memoryClockRate, 2000000);
    assert_int_equal(p.canMapHostMemory, 1);
}

static void attributes_agree_with_properties(void **state)
{
    (void)state;
    int v = 0;

    RT_OK(cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0));
    assert_int_equal(v, 2);
    RT_OK(cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMinor, 0));
    assert_int_equal(v, 5);
    RT_OK(cudaDeviceGetAttribute(&v, cudaDevAttrMaxGridDimY, 0));
    assert_int_equal(v, 65535);
    RT_ERR(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
    RT_ERR(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);
}

static void the_bus_id_finds_the_device(void **state)
{
    (void)state;
    char id[32];
    int device = 9;

    RT_OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    RT_OK(cudaDeviceGetByPCIBusId(&device, id));
    assert_int_equal(device, 0);
    RT_ERR(cudaDeviceGetByPCIBusId(&device, "0000:77:00.0"), cudaErrorInvalidDevice);
}

static void limits_are_told_back(void **state)
{
    (void)state;
    size_t v = 0;

    RT_OK(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
    assert_int_equal(v, 1 << 20); /* tiny */
    RT_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 << 20));
    RT_OK(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
    assert_int_equal(v, 2 << 20);
    RT_OK(cudaThreadSetLimit(cudaLimitStackSize, 4096));
    RT_OK(cudaThreadGetLimit(&v, cudaLimitStackSize));
    assert_int_equal(v, 4096);
    RT_OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22));
    RT_ERR(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2), cudaErrorUnsupportedLimit);
}

static void preferences_are_told_back(void **state)
{
    (void)state;
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig banks;
    unsigned int flags;

    RT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    RT_OK(cudaDeviceGetCacheConfig(&cache));
    assert_int_equal(cache, cudaFuncCachePreferL1);
    RT_OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    RT_OK(cudaDeviceGetSharedMemConfig(&banks));
    assert_int_equal(banks, cudaSharedMemBankSizeEightByte);
    RT_OK(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    RT_OK(cudaGetDeviceFlags(&flags));
    assert_int_equal(flags, cudaDeviceScheduleSpin | cudaDeviceMapHost);
    RT_ERR(cudaSetDeviceFlags(0x100), cudaErrorInvalidValue);
    RT_OK(cudaProfilerStart());
    RT_OK(cudaProfilerStop());
}

static void a_device_is_no_peer_of_itself(void **state)
{
    (void)state;
    int can = 9;

    RT_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    assert_int_equal(can, 0);
    RT_ERR(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
    RT_ERR(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
}

/* --- errors --- */

static void errors_have_names_and_texts(void **state)
{
    (void)state;
    assert_string_equal(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
    assert_string_equal(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    assert_string_equal(cudaGetErrorString(cudaErrorIllegalAddress),
                        "an illegal memory access was encountered");
    assert_string_equal(cudaGetErrorString(cudaErrorInvalidConfiguration),
                        "invalid configuration argument");
    assert_string_equal(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
    assert_string_equal(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
}

static void peeking_keeps_the_error(void **state)
{
    (void)state;
    RT_ERR(cudaSetDevice(7), cudaErrorInvalidDevice);
    RT_OK(cudaDeviceSynchronize()); /* a call that succeeds does not wipe it */
    RT_ERR(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    RT_ERR(cudaGetLastError(), cudaErrorInvalidDevice);
    RT_OK(cudaPeekAtLastError());
}

/* --- modules --- */

static void broken(const char *text, cudaError_t code)
{
    char stub[1], shadow[4]; /* on the stack: dropped again below */
    void **m = register_text(text);
    int v = 0;

    register_kernel(m, stub, "k");
    register_var(m, shadow, "v", 4);
    RT_ERR(cudaLaunchKernel(stub, DIM(1), DIM(1), NULL, 0, NULL), code);
    RT_ERR(cudaGetLastError(), code);
    RT_ERR(cudaMemcpyToSymbol(shadow, &v, 4, 0, cudaMemcpyHostToDevice), code);
    __cudaUnregisterFatBinary(m);
    RT_ERR(cudaLaunchKernel(stub, DIM(1), DIM(1), NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    RT_ERR(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
    RT_OK(cudaDeviceSynchronize()); /* nothing is broken but that module */
}

static void ptx_that_does_not_parse_is_invalid_ptx(void **state)
{
    (void)state;
    broken(".version 6.0\n.target sm_35\n.address_size 64\n.entry k()\n{\nadd.what;\n}\n",
           cudaErrorInvalidPtx);
}

static void too_much_constant_memory_is_invalid_ptx(void **state)
{
    (void)state;
    broken(".version 6.0\n.target sm_35\n.address_size 64\n.const .b8 big[65537];\n"
           ".entry k()\n{\nret;\n}\n",
           cudaErrorInvalidPtx);
}

static void machine_code_is_no_image_for_this_device(void **state)
{
    (void)state;
    broken("\x50\xed\x55\xba", cudaErrorNoKernelImageForDevice);
    broken("", cudaErrorNoKernelImageForDevice);
}

static void modules_have_variables_of_their_own(void **state)
{
    (void)state;
    static char shadow_a[4], shadow_b[4];
    static const char text[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                               ".visible .global .u32 v = 3;\n";
    void **a = register_text(text), **b = register_text(text);
    int seven = 7, got_a = 0, got_b = 0;

    register_var(a, shadow_a, "v", 4);
    register_var(b, shadow_b, "v", 4);
    RT_OK(cudaMemcpyToSymbol(shadow_a, &seven, 4, 0, cudaMemcpyHostToDevice));
    RT_OK(cudaMemcpyFromSymbol(&got_a, shadow_a, 4, 0, cudaMemcpyDeviceToHost));
    RT_OK(cudaMemcpyFromSymbol(&got_b, shadow_b, 4, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(got_a, 7);
    assert_int_equal(got_b, 3);
    __cudaUnregisterFatBinary(a);
    __cudaUnregisterFatBinary(b);
}

/* --- absent --- */

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to);

static void what_is_absent_says_so(void **state)
{
    (void)state;
    int value;

    RT_ERR(cudaGraphLaunch(NULL, NULL), cudaErrorNotSupported);
    RT_ERR(cudaGetLastError(), cudaErrorNotSupported);
    RT_ERR(cudaDeviceGetP2PAttribute(&value, 0, 0, 1), cudaErrorNotSupported);
}

static void everything_absent_can_be_called(void **state)
{
    (void)state;
#define CALL(name)                                                                                 \
    {                                                                                              \
        cudaError_t (*f)(void) = (cudaError_t(*)(void))dlsym(RTLD_DEFAULT, #name);                 \
        assert_non_null(f);                                                                        \
        RT_ERR(f(), cudaErrorNotSupported);                                                        \
    }
    CUDA_ABSENT(CALL)
#undef CALL
}

static const struct CMUnitTest tests[] = {
    RT_CASE(there_is_one_device),
    RT_CASE(properties_are_the_configurations),
    RT_CASE(attributes_agree_with_properties),
    RT_CASE(the_bus_id_finds_the_device),
    RT_CASE(limits_are_told_back),
    RT_CASE(preferences_are_told_back),
    RT_CASE(a_device_is_no_peer_of_itself),
    RT_CASE(errors_have_names_and_texts),
    RT_CASE(peeking_keeps_the_error),
    RT_CASE(ptx_that_does_not_parse_is_invalid_ptx),
    RT_CASE(too_much_constant_memory_is_invalid_ptx),
    RT_CASE(machine_code_is_no_image_for_this_device),
    RT_CASE(modules_have_variables_of_their_own),
    RT_CASE(what_is_absent_says_so),
    RT_CASE(everything_absent_can_be_called),
};

TEST_MAIN(tests)
