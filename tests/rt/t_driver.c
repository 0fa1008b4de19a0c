/* The driver API: contexts, modules, launches, memory, textures. */
#include <fcntl.h>

#include "tests/rt/rt_test.h"

static const char texture_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n.global .texref tex;\n"
    ".visible .entry fetch(.param .u64 out)\n{\n.reg .b64 %d<3>; .reg .b32 %r<2>; .reg .f32 "
    "%f<5>;\n"
    "mov.u32 %r1, %tid.x;\ntex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1}];\n"
    "ld.param.u64 %d1, [out];\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d1, %d1, %d2;\n"
    "st.global.f32 [%d1], %f1;\nret;\n}\n";

static CUmodule load(const char *text)
{
    CUmodule m = NULL;

    CU_OK(cuModuleLoadData(&m, text));
    return m;
}

static CUfunction get(CUmodule m, const char *name)
{
    CUfunction f = NULL;

    CU_OK(cuModuleGetFunction(&f, m, name));
    return f;
}

static CUdeviceptr ints(int n, unsigned int value)
{
    CUdeviceptr p = 0;

    CU_OK(cuMemAlloc(&p, (size_t)n * 4));
    CU_OK(cuMemsetD32(p, value, (size_t)n));
    return p;
}

static int at(CUdeviceptr p, int i)
{
    int v = 0;

    CU_OK(cuMemcpyDtoH(&v, p + 4 * (unsigned int)i, 4));
    return v;
}

/* --- device and contexts --- */

static void the_device_is_described(void **state)
{
    (void)state;
    CUdevice dev = 9;
    CUdevprop prop;
    char name[64];
    int n = 0, major = 0, minor = 0, warp = 0;
    size_t bytes = 0;

    CU_OK(cuDriverGetVersion(&n));
    assert_int_equal(n, CUDA_VERSION);
    CU_OK(cuDeviceGetCount(&n));
    CU_OK(cuDeviceGet(&dev, 0));
    CU_OK(cuDeviceGetName(name, sizeof name, dev));
    CU_OK(cuDeviceComputeCapability(&major, &minor, dev));
    CU_OK(cuDeviceTotalMem(&bytes, dev));
    CU_OK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, dev));
    CU_OK(cuDeviceGetProperties(&prop, dev));
    assert_int_equal(n, 1);
    assert_string_equal(name, "smelt tiny");
    assert_int_equal(10 * major + minor, 35);
    assert_int_equal(bytes, 16 << 20);
    assert_int_equal(warp, 32);
    assert_int_equal(prop.maxThreadsPerBlock, 256);
    CU_ERR(cuDeviceGet(&dev, 1), CUDA_ERROR_INVALID_DEVICE);
    CU_ERR(cuDeviceGetName(name, sizeof name, 1), CUDA_ERROR_INVALID_DEVICE);
}

static void contexts_are_a_stack(void **state)
{
    (void)state;
    CUcontext now = NULL, second, popped;
    CUdevice dev = 9;

    CU_OK(cuCtxGetCurrent(&now));
    assert_ptr_equal(now, driver_context);
    CU_OK(cuCtxCreate(&second, 0, 0));
    CU_OK(cuCtxGetCurrent(&now));
    assert_ptr_equal(now, second);
    CU_OK(cuCtxPopCurrent(&popped));
    assert_ptr_equal(popped, second);
    CU_OK(cuCtxGetCurrent(&now));
    assert_ptr_equal(now, driver_context);
    CU_OK(cuCtxPushCurrent(second));
    CU_OK(cuCtxDestroy(second));
    CU_ERR(cuCtxPushCurrent(second), CUDA_ERROR_INVALID_CONTEXT);
    CU_ERR(cuCtxDestroy(second), CUDA_ERROR_INVALID_CONTEXT);
    CU_OK(cuCtxSetCurrent(driver_context));
    CU_OK(cuCtxGetDevice(&dev));
    assert_int_equal(dev, 0);
    CU_OK(cuCtxSynchronize());
}

static void the_primary_context_is_shared(void **state)
{
    (void)state;
    CUcontext a, b;

    CU_OK(cuDevicePrimaryCtxRetain(&a, 0));
    CU_OK(cuDevicePrimaryCtxRetain(&b, 0));
    assert_ptr_equal(a, b);
    CU_OK(cuDevicePrimaryCtxRelease(0));
    CU_OK(cuDevicePrimaryCtxRelease(0));
    CU_ERR(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
}

/* --- modules --- */

static void modules_hold_functions_and_variables(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUdeviceptr p = 0;
    size_t size = 0;
    CUfunction f = get(m, "add"), again = get(m, "add");

    assert_ptr_equal(f, again);
    CU_OK(cuModuleGetGlobal(&p, &size, m, "counter"));
    assert_int_equal(size, 4);
    assert_int_equal(at(p, 0), 5);
    CU_OK(cuModuleGetGlobal(NULL, &size, m, "table"));
    assert_int_equal(size, 64);
    CU_ERR(cuModuleGetGlobal(&p, &size, m, "none"), CUDA_ERROR_NOT_FOUND);
    CU_ERR(cuModuleGetFunction(&f, m, "none"), CUDA_ERROR_NOT_FOUND);
    CU_OK(cuModuleUnload(m));
    CU_ERR(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
    CU_ERR(cuModuleGetFunction(&f, m, "add"), CUDA_ERROR_INVALID_HANDLE);
    CU_ERR(cuLaunchKernel(again, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void a_module_loaded_again_starts_afresh(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx), other = load(rt_ptx);
    CUdeviceptr p, q;

    CU_OK(cuModuleGetGlobal(&p, NULL, m, "counter"));
    CU_OK(cuModuleGetGlobal(&q, NULL, other, "counter"));
    CU_OK(cuMemsetD32(p, 99, 1));
    assert_int_equal(at(q, 0), 5); /* loaded twice: two of each */
    CU_OK(cuModuleUnload(m));
    m = load(rt_ptx);
    CU_OK(cuModuleGetGlobal(&p, NULL, m, "counter"));
    assert_int_equal(at(p, 0), 5);
    CU_OK(cuModuleUnload(m));
    CU_OK(cuModuleUnload(other));
}

static void modules_come_from_files(void **state)
{
    (void)state;
    CUmodule m;
    char path[] = "t_driver_XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, rt_ptx, sizeof rt_ptx - 1), sizeof rt_ptx - 1);
    close(fd);
    CU_OK(cuModuleLoad(&m, path));
    unlink(path);
    get(m, "add");
    CU_OK(cuModuleUnload(m));
    CU_ERR(cuModuleLoad(&m, path), CUDA_ERROR_FILE_NOT_FOUND);
}

static void bad_ptx_is_told_in_the_log(void **state)
{
    (void)state;
    CUmodule m;
    char error[200] = "", info[20] = "x";
    CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                             CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *value[] = {error, (void *)(uintptr_t)sizeof error, info, (void *)(uintptr_t)sizeof info};

    CU_ERR(cuModuleLoadDataEx(&m, ".version 6.0\n.target sm_35\nnonsense\n", 4, option, value),
           CUDA_ERROR_INVALID_PTX);
    assert_non_null(strstr(error, "nonsense"));
    assert_int_equal((uintptr_t)value[1], strlen(error));
    assert_string_equal(info, "");
    CU_ERR(cuModuleLoadData(&m, "\x7f"
                                "ELF"),
           CUDA_ERROR_NO_BINARY_FOR_GPU);
    CU_OK(cuModuleLoadDataEx(&m, rt_ptx, 0, NULL, NULL));
    CU_OK(cuModuleUnload(m));
}

/* --- launches --- */

static void launches_take_pointers_to_parameters(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUdeviceptr p = ints(8, 1);
    int v = 2, n = 8;

    CU_OK(cuLaunchKernel(get(m, "add"), 1, 1, 1, 32, 1, 1, 0, NULL, ARGS(&p, &v, &n), NULL));
    assert_int_equal(at(p, 7), 3);
    CU_OK(cuModuleUnload(m));
}

static void launches_take_one_block_of_parameters(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    struct {
        CUdeviceptr p;
        int v, n;
    } block = {ints(8, 1), 3, 8};
    size_t size = sizeof block;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};

    CU_OK(cuLaunchKernel(get(m, "add"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    assert_int_equal(at(block.p, 7), 4);
    size = 12;
    CU_ERR(cuLaunchKernel(get(m, "add"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra),
           CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuLaunchKernel(get(m, "add"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL),
           CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuModuleUnload(m));
}

static void launches_as_before_cuda_4(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUfunction f = get(m, "add");
    CUdeviceptr p = ints(70, 1);

    CU_OK(cuFuncSetBlockShape(f, 32, 1, 1));
    CU_OK(cuFuncSetSharedSize(f, 16));
    CU_OK(cuParamSetv(f, 0, &p, sizeof p));
    CU_OK(cuParamSeti(f, 8, 5));
    CU_OK(cuParamSeti(f, 12, 70));
    CU_OK(cuParamSetSize(f, 16));
    CU_OK(cuLaunchGrid(f, 3, 1));
    assert_int_equal(at(p, 69), 6);
    CU_OK(cuLaunch(f)); /* one block */
    assert_int_equal(at(p, 31), 11);
    assert_int_equal(at(p, 32), 6);
    CU_ERR(cuParamSeti(f, 4094, 5), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuFuncSetBlockShape(f, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuModuleUnload(m));
}

/* "tiny" has 2 SMs. */
static void cooperative_launches_must_fit(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUdeviceptr p = ints(8, 1);
    int v = 2, n = 8, per_sm = 0, yes = 0;
    CUfunction f = get(m, "add");
    void **args = ARGS(&p, &v, &n);

    CU_OK(cuDeviceGetAttribute(&yes, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 0));
    assert_int_equal(yes, 1);
    CU_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, f, 32, 0));
    CU_OK(cuLaunchCooperativeKernel(f, 2 * (unsigned)per_sm, 1, 1, 32, 1, 1, 0, NULL, args));
    assert_int_equal(at(p, 7), 3);
    CU_ERR(cuLaunchCooperativeKernel(f, 2 * (unsigned)per_sm + 1, 1, 1, 32, 1, 1, 0, NULL, args),
           CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    assert_int_equal(at(p, 7), 3);
    CU_OK(cuModuleUnload(m));
}

static void refused_launches(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUdeviceptr p = ints(1, 1);
    int v = 1, n = 1;
    void **args = ARGS(&p, &v, &n);

    CU_ERR(cuLaunchKernel(get(m, "add"), 1, 1, 1, 512, 1, 1, 0, NULL, args, NULL),
           CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuLaunchKernel(get(m, "add"), 1, 1, 1, 1, 1, 1, 1 << 20, NULL, args, NULL),
           CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuCtxSynchronize());
    CU_OK(cuModuleUnload(m));
}

static void faults_stick_until_the_context_goes(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUdeviceptr p;

    CU_OK(cuLaunchKernel(get(m, "trap"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CU_ERR(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    CU_ERR(cuMemAlloc(&p, 4), CUDA_ERROR_LAUNCH_FAILED);
    CU_OK(cuDevicePrimaryCtxReset(0));
    CU_OK(cuMemAlloc(&p, 4));
}

static void functions_have_attributes(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUfunction f = get(m, "shared_4k");
    int v = 0;

    CU_OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
    assert_int_equal(v, 4096);
    CU_OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    assert_int_equal(v, 256);
    CU_ERR(cuFuncGetAttribute(&v, (CUfunction_attribute)77, f), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1));
    CU_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 32, 8192));
    assert_int_equal(v, 1);
    CU_OK(cuModuleUnload(m));
}

/* --- memory --- */

static void memory_of_all_kinds(void **state)
{
    (void)state;
    CUdeviceptr p, q, base;
    size_t pitch, size, f, t;
    int *host;
    unsigned int flags;

    CU_OK(cuMemAllocPitch(&p, &pitch, 100, 4, 4));
    assert_int_equal(pitch, 512);
    CU_OK(cuMemGetAddressRange(&base, &size, p + 600));
    assert_true(base == p);
    assert_int_equal(size, 2048);
    CU_OK(cuMemGetInfo(&f, &t));
    assert_int_equal(t - f, 2048);
    CU_OK(cuMemFree(p));
    CU_ERR(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuMemAlloc(&p, 1ul << 40), CUDA_ERROR_OUT_OF_MEMORY);
    CU_OK(cuMemHostAlloc((void **)&host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    CU_OK(cuMemHostGetDevicePointer(&q, host, 0));
    CU_OK(cuMemsetD32(q, 7, 16));
    assert_int_equal(host[15], 7);
    CU_OK(cuMemHostGetFlags(&flags, host));
    assert_int_equal(flags, CU_MEMHOSTALLOC_DEVICEMAP);
    CU_OK(cuMemFreeHost(host));
    CU_OK(cuMemAllocManaged(&q, 16, CU_MEM_ATTACH_GLOBAL));
    *(int *)(uintptr_t)q = 5;
    CU_OK(cuMemFree(q));
}

static void fills_of_one_two_and_four_bytes(void **state)
{
    (void)state;
    CUdeviceptr p = ints(8, 0);

    CU_OK(cuMemsetD8(p, 0xab, 3));
    assert_int_equal(at(p, 0), 0xababab);
    CU_OK(cuMemsetD16(p + 4, 0x1234, 2));
    assert_int_equal(at(p, 1), 0x12341234);
    CU_OK(cuMemsetD32Async(p + 8, 0x89abcdef, 2, NULL));
    assert_int_equal(at(p, 3), (int)0x89abcdef);
    CU_OK(cuMemsetD2D32(p, 16, 1, 2, 2));
    assert_int_equal(at(p, 1), 1);
    assert_int_equal(at(p, 2), (int)0x89abcdef);
    assert_int_equal(at(p, 5), 1);
    CU_ERR(cuMemsetD32(p + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuMemsetD32(p, 0, 9), CUDA_ERROR_INVALID_VALUE);
}

static void copies_of_rows_and_arrays(void **state)
{
    (void)state;
    unsigned char in[4][8], out[4][8] = {{0}};
    CUDA_ARRAY_DESCRIPTOR d = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1}, got;
    CUarray a;
    CUDA_MEMCPY2D c = {0};

    for (int i = 0; i < 32; i++)
        in[i / 8][i % 8] = (unsigned char)i;
    CU_OK(cuArrayCreate(&a, &d));
    CU_OK(cuArrayGetDescriptor(&got, a));
    assert_int_equal(got.Format, CU_AD_FORMAT_UNSIGNED_INT8);
    assert_int_equal(got.Height, 4);
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = in, c.srcPitch = 8;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = a;
    c.WidthInBytes = 8, c.Height = 4;
    CU_OK(cuMemcpy2D(&c));
    memset(&c, 0, sizeof c);
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = a, c.srcXInBytes = 2, c.srcY = 1;
    c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = out, c.dstPitch = 8;
    c.WidthInBytes = 6, c.Height = 3;
    CU_OK(cuMemcpy2DUnaligned(&c));
    assert_memory_equal(out[2], &in[3][2], 6);
    c.WidthInBytes = 7;
    CU_ERR(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuMemcpyAtoH(out, a, 3, 5));
    assert_memory_equal(out, &in[0][3], 5);
    CU_OK(cuArrayDestroy(a));
    CU_ERR(cuArrayDestroy(a), CUDA_ERROR_INVALID_HANDLE);
}

static void copies_check_both_ends(void **state)
{
    (void)state;
    CUdeviceptr p = ints(4, 1), q = ints(4, 2);
    int host[4] = {0};

    CU_OK(cuMemcpyDtoD(p, q, 16));
    CU_OK(cuMemcpyDtoHAsync(host, p, 16, NULL));
    assert_int_equal(host[3], 2);
    CU_OK(cuMemcpy(q, (CUdeviceptr)(uintptr_t)host, 16));
    CU_ERR(cuMemcpyHtoD(p, host, 17), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuMemcpyDtoH(host, p + 16, 4), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuMemcpyHtoD(p, (void *)(uintptr_t)q, 4), CUDA_ERROR_INVALID_VALUE);
}

/* --- textures, streams, events, names --- */

static void textures_are_bound_by_reference(void **state)
{
    (void)state;
    CUmodule m = load(texture_ptx);
    CUfunction f = get(m, "fetch");
    CUtexref t, same;
    const unsigned char bytes[4] = {0, 51, 102, 255};
    float out[4];
    CUdeviceptr in = ints(1, 0), p = ints(4, 0);

    CU_OK(cuMemcpyHtoD(in, bytes, 4));
    CU_OK(cuModuleGetTexRef(&t, m, "tex"));
    CU_OK(cuModuleGetTexRef(&same, m, "tex"));
    assert_ptr_equal(t, same);
    CU_ERR(cuModuleGetTexRef(&same, m, "none"), CUDA_ERROR_NOT_FOUND);
    CU_OK(cuTexRefSetFormat(t, CU_AD_FORMAT_UNSIGNED_INT8, 1));
    CU_OK(cuTexRefSetAddress(NULL, t, in, 4));
    CU_OK(cuTexRefSetFlags(t, 0)); /* read as fractions */
    CU_OK(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, t));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, NULL, ARGS(&p), NULL));
    CU_OK(cuMemcpyDtoH(out, p, sizeof out));
    assert_true(out[0] == 0 && out[1] == 0.2f && out[2] == 0.4f && out[3] == 1);
    CU_ERR(cuTexRefSetFormat(t, CU_AD_FORMAT_HALF, 1), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuTexRefSetAddress(NULL, t, 12345, 4), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuModuleUnload(m));
    CU_ERR(cuTexRefSetFlags(t, 0), CUDA_ERROR_INVALID_HANDLE);
}

static const char object_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    /* out[tid] = the texel; then 7 + tid into the surface */
    ".visible .entry k(.param .u64 out, .param .u64 tex, .param .u64 surf)\n{\n"
    ".reg .b64 %d<5>; .reg .b32 %r<5>; .reg .f32 %f<5>;\n"
    "ld.param.u64 %d1, [out];\nld.param.u64 %d2, [tex];\nld.param.u64 %d3, [surf];\n"
    "mov.u32 %r1, %tid.x;\ntex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d2, {%r1}];\n"
    "mul.wide.u32 %d4, %r1, 4;\nadd.u64 %d1, %d1, %d4;\nst.global.f32 [%d1], %f1;\n"
    "add.u32 %r2, %r1, 7;\nmul.lo.u32 %r3, %r1, 4;\n"
    "sust.b.1d.b32.trap [%d3, {%r3}], {%r2};\nret;\n}\n";

static void textures_and_surfaces_are_objects(void **state)
{
    (void)state;
    CUfunction f = get(load(object_ptx), "k");
    const unsigned char bytes[4] = {0, 51, 102, 255};
    float out[4];
    int word[4];
    CUdeviceptr in = ints(1, 0), p = ints(4, 0);
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_LINEAR}, on = {0}, back;
    CUDA_TEXTURE_DESC d = {.flags = 0}, back_d;
    CUDA_RESOURCE_VIEW_DESC none;
    const CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 4, .Format = CU_AD_FORMAT_SIGNED_INT32, .NumChannels = 1, .Flags = 2};
    CUtexObject t = 0;
    CUsurfObject s = 0;
    CUarray a;

    CU_OK(cuMemcpyHtoD(in, bytes, 4));
    r.res.linear.devPtr = in, r.res.linear.sizeInBytes = 4;
    r.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8, r.res.linear.numChannels = 1;
    CU_OK(cuTexObjectCreate(&t, &r, &d, NULL)); /* fractions */
    CU_OK(cuArray3DCreate(&a, &shape));
    on.res.array.hArray = a;
    CU_OK(cuSurfObjectCreate(&s, &on));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, NULL, ARGS(&p, &t, &s), NULL));
    CU_OK(cuMemcpyDtoH(out, p, sizeof out));
    assert_true(out[0] == 0 && out[1] == 0.2f && out[2] == 0.4f && out[3] == 1);
    CU_OK(cuMemcpyAtoH(word, a, 0, sizeof word));
    for (int i = 0; i < 4; i++)
        assert_int_equal(word[i], 7 + i);
    CU_OK(cuTexObjectGetResourceDesc(&back, t));
    assert_memory_equal(&back, &r, sizeof r);
    CU_OK(cuTexObjectGetTextureDesc(&back_d, t));
    assert_memory_equal(&back_d, &d, sizeof d);
    CU_ERR(cuTexObjectGetResourceViewDesc(&none, t), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuSurfObjectGetResourceDesc(&back, s));
    assert_ptr_equal(back.res.array.hArray, a);
    CU_ERR(cuSurfObjectCreate(&s, &r), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuTexObjectDestroy(t));
    CU_ERR(cuTexObjectDestroy(t), CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuTexObjectGetResourceDesc(&back, t), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuSurfObjectDestroy(s));
    r.res.linear.format = CU_AD_FORMAT_HALF;
    CU_ERR(cuTexObjectCreate(&t, &r, &d, NULL), CUDA_ERROR_INVALID_VALUE);
}

static void streams_and_events(void **state)
{
    (void)state;
    CUmodule m = load(rt_ptx);
    CUstream s;
    CUevent a, b;
    CUdeviceptr p = ints(4, 0);
    int v = 1, n = 4;
    float ms = 0;

    CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU_OK(cuEventCreate(&a, CU_EVENT_DEFAULT));
    CU_OK(cuEventCreate(&b, CU_EVENT_DEFAULT));
    CU_OK(cuEventRecord(a, s));
    CU_OK(cuLaunchKernel(get(m, "add"), 1, 1, 1, 32, 1, 1, 0, s, ARGS(&p, &v, &n), NULL));
    CU_OK(cuEventRecord(b, s));
    CU_OK(cuStreamWaitEvent(s, b, 0));
    CU_OK(cuStreamSynchronize(s));
    CU_OK(cuEventElapsedTime(&ms, a, b));
    assert_true(ms > 0);
    CU_OK(cuEventDestroy(a));
    CU_OK(cuStreamDestroy(s));
    CU_ERR(cuStreamQuery(s), CUDA_ERROR_INVALID_HANDLE);
    CU_ERR(cuEventQuery(a), CUDA_ERROR_INVALID_HANDLE);
    CU_OK(cuModuleUnload(m));
}

static void results_have_names(void **state)
{
    (void)state;
    const char *text;

    CU_OK(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
    assert_string_equal(text, "CUDA_ERROR_INVALID_PTX");
    CU_OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    assert_string_equal(text, "out of memory");
    CU_ERR(cuGetErrorName((CUresult)9, &text), CUDA_ERROR_INVALID_VALUE); /* the runtime's only */
    assert_null(text);
}

static void both_apis_see_the_same_memory(void **state)
{
    (void)state;
    CUdeviceptr p = ints(4, 6);
    int v = 1, n = 4;
    int *q = (int *)(uintptr_t)p;

    LAUNCH(kernel_add, 1, 32, ARGS(&q, &v, &n));
    assert_int_equal(at(p, 3), 7);
}

static const struct CMUnitTest tests[] = {
    CU_CASE(the_device_is_described),
    CU_CASE(contexts_are_a_stack),
    CU_CASE(the_primary_context_is_shared),
    CU_CASE(modules_hold_functions_and_variables),
    CU_CASE(a_module_loaded_again_starts_afresh),
    CU_CASE(modules_come_from_files),
    CU_CASE(bad_ptx_is_told_in_the_log),
    CU_CASE(launches_take_pointers_to_parameters),
    CU_CASE(launches_take_one_block_of_parameters),
    CU_CASE(launches_as_before_cuda_4),
    CU_CASE(cooperative_launches_must_fit),
    CU_CASE(refused_launches),
    CU_CASE(faults_stick_until_the_context_goes),
    CU_CASE(functions_have_attributes),
    CU_CASE(memory_of_all_kinds),
    CU_CASE(fills_of_one_two_and_four_bytes),
    CU_CASE(copies_of_rows_and_arrays),
    CU_CASE(copies_check_both_ends),
    CU_CASE(textures_are_bound_by_reference),
    CU_CASE(textures_and_surfaces_are_objects),
    CU_CASE(streams_and_events),
    CU_CASE(results_have_names),
    CU_CASE(both_apis_see_the_same_memory),
};

TEST_MAIN(tests)
