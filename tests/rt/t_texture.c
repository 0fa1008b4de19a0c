/* Arrays and texture references: binding, formats, coordinates, copies. */
#include "tests/rt/rt_test.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n.global .texref tex;\n"
#define OUT "ld.param.u64 %d1, [out];\n"
#define REGS ".reg .b64 %d<3>; .reg .b32 %r<9>; .reg .f32 %f<9>;\n"

static const char texture_ptx[] = HEAD
    /* fetch(float *out): out[4 * tid ..] = four channels of texel tid */
    ".visible .entry fetch(.param .u64 out)\n{\n" REGS OUT "mov.u32 %r1, %tid.x;\n"
    "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1}];\n"
    "mul.wide.u32 %d2, %r1, 16;\nadd.s64 %d1, %d1, %d2;\n"
    "st.global.v4.f32 [%d1], {%f1, %f2, %f3, %f4};\nret;\n}\n"
    ".visible .entry fetch_int(.param .u64 out)\n{\n" REGS OUT "mov.u32 %r1, %tid.x;\n"
    "tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [tex, {%r1}];\n"
    "mul.wide.u32 %d2, %r1, 16;\nadd.s64 %d1, %d1, %d2;\n"
    "st.global.v4.s32 [%d1], {%r2, %r3, %r4, %r5};\nret;\n}\n"
    /* at(float *out, float x, float y, float z): one texel of a 1D, 2D, 3D or layered texture */
    ".visible .entry at1(.param .u64 out, .param .f32 x, .param .f32 y, .param .f32 z)\n"
    "{\n" REGS OUT "ld.param.f32 %f5, [x];\n"
    "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, {%f5}];\n"
    "st.global.v4.f32 [%d1], {%f1, %f2, %f3, %f4};\nret;\n}\n"
    ".visible .entry at2(.param .u64 out, .param .f32 x, .param .f32 y, .param .f32 z)\n"
    "{\n" REGS OUT "ld.param.f32 %f5, [x];\nld.param.f32 %f6, [y];\n"
    "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, {%f5, %f6}];\n"
    "st.global.v4.f32 [%d1], {%f1, %f2, %f3, %f4};\nret;\n}\n"
    ".visible .entry at3(.param .u64 out, .param .f32 x, .param .f32 y, .param .f32 z)\n"
    "{\n" REGS OUT "ld.param.f32 %f5, [x];\nld.param.f32 %f6, [y];\nld.param.f32 %f7, [z];\n"
    "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, {%f5, %f6, %f7, %f7}];\n"
    "st.global.v4.f32 [%d1], {%f1, %f2, %f3, %f4};\nret;\n}\n"
    ".visible .entry layer1(.param .u64 out, .param .f32 x, .param .f32 y, .param .f32 z)\n"
    "{\n" REGS OUT "ld.param.f32 %f5, [x];\nld.param.f32 %f6, [y];\ncvt.rzi.s32.f32 %r1, %f6;\n"
    "mov.b32 %f8, %r1;\ntex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, {%r1, %f5}];\n"
    "st.global.v4.f32 [%d1], {%f1, %f2, %f3, %f4};\nret;\n}\n";

static char kernel_fetch[1], kernel_fetch_int[1], kernel_at1[1], kernel_at2[1], kernel_at3[1],
    kernel_layer1[1];
static struct textureReference ref, ref_normalized; /* element type; normalized float */
static char kernel_fetch_n[1], kernel_at2_n[1];

static int fresh(void **state)
{
    static int registered;

    if (!registered++) {
        void **m = register_text(texture_ptx), **n = register_text(texture_ptx);

        register_kernel(m, kernel_fetch, "fetch");
        register_kernel(m, kernel_fetch_int, "fetch_int");
        register_kernel(m, kernel_at1, "at1");
        register_kernel(m, kernel_at2, "at2");
        register_kernel(m, kernel_at3, "at3");
        register_kernel(m, kernel_layer1, "layer1");
        __cudaRegisterTexture(m, &ref, NULL, "tex", 1, cudaReadModeElementType, 0);
        register_kernel(n, kernel_fetch_n, "fetch");
        register_kernel(n, kernel_at2_n, "at2");
        __cudaRegisterTexture(n, &ref_normalized, NULL, "tex", 1, cudaReadModeNormalizedFloat, 0);
    }
    memset(&ref, 0, sizeof ref);
    for (int i = 0; i < 3; i++)
        ref.addressMode[i] = cudaAddressModeClamp;
    ref_normalized = ref;
    return rt_fresh(state);
}

#define CASE(name) cmocka_unit_test_setup(name, fresh)

static const struct cudaChannelFormatDesc f1 = {32, 0, 0, 0, cudaChannelFormatKindFloat},
                                          f2 = {32, 32, 0, 0, cudaChannelFormatKindFloat},
                                          s32 = {32, 0, 0, 0, cudaChannelFormatKindSigned},
                                          u8x4 = {8, 8, 8, 8, cudaChannelFormatKindUnsigned},
                                          s16 = {16, 0, 0, 0, cudaChannelFormatKindSigned};

static float result[4 * 32];

static void fetch(const char *kernel, int n)
{
    float *d = new_bytes((size_t)n * 16);

    LAUNCH(kernel, 1, (unsigned int)n, ARGS(&d));
    RT_OK(cudaMemcpy(result, d, (size_t)n * 16, cudaMemcpyDeviceToHost));
    RT_OK(cudaFree(d));
}

static float at(const char *kernel, float x, float y, float z)
{
    float *d = new_bytes(16);

    LAUNCH(kernel, 1, 1, ARGS(&d, &x, &y, &z));
    RT_OK(cudaMemcpy(result, d, 16, cudaMemcpyDeviceToHost));
    RT_OK(cudaFree(d));
    return result[0];
}

static void count_up(float *p, int n, int first)
{
    for (int i = 0; i < n; i++)
        p[i] = (float)(first + i);
}

static float *device_floats(int n) /* 0, 1, 2, .. */
{
    float host[256], *d = new_bytes((size_t)n * sizeof *d);

    count_up(host, n, 0);
    RT_OK(cudaMemcpy(d, host, (size_t)n * sizeof *d, cudaMemcpyHostToDevice));
    return d;
}

/* --- linear memory --- */

static void linear_memory_is_fetched_by_index(void **state)
{
    (void)state;
    size_t offset = 9;

    RT_OK(cudaBindTexture(&offset, &ref, device_floats(32), &f1, 32 * sizeof(float)));
    assert_int_equal(offset, 0);
    fetch(kernel_fetch, 32);
    assert_true(result[4 * 31] == 31);
    assert_true(result[4 * 31 + 1] == 0 &&
                result[4 * 31 + 3] == 1); /* channels that are not there */
}

static void beyond_its_size_linear_memory_is_zero(void **state)
{
    (void)state;
    RT_OK(cudaBindTexture(NULL, &ref, device_floats(32), &f1, 5 * sizeof(float)));
    fetch(kernel_fetch, 32);
    assert_true(result[4 * 4] == 4 && result[4 * 5] == 0 && result[4 * 31] == 0);
}

static void without_a_size_all_of_the_buffer_is_bound(void **state)
{
    (void)state;
    RT_OK(cudaBindTexture(NULL, &ref, device_floats(20), &f1, UINT_MAX));
    fetch(kernel_fetch, 32);
    assert_true(result[4 * 19] == 19 && result[4 * 20] == 0);
}

static void a_pointer_into_a_buffer_needs_an_offset(void **state)
{
    (void)state;
    float *d = device_floats(256);
    size_t offset = 0;

    RT_ERR(cudaBindTexture(NULL, &ref, d + 10, &f1, 16), cudaErrorInvalidValue);
    RT_ERR(cudaGetLastError(), cudaErrorInvalidValue);
    RT_OK(cudaBindTexture(&offset, &ref, d + 10, &f1, 16));
    assert_int_equal(offset, 40);
    RT_OK(cudaGetTextureAlignmentOffset(&offset, &ref));
    assert_int_equal(offset, 40);
    fetch(kernel_fetch, 32);
    assert_true(result[4 * 10] == 10 && result[4 * 13] == 13 && result[4 * 14] == 0);
    RT_OK(cudaBindTexture(NULL, &ref, d + 64, &f1, 16)); /* 256 bytes: aligned */
    fetch(kernel_fetch, 1);
    assert_true(result[0] == 64);
}

static void formats_are_the_descriptors(void **state)
{
    (void)state;
    const unsigned char bytes[8] = {1, 2, 3, 255, 5, 6, 7, 8};
    int got[4 * 32];
    void *d = new_bytes(8);

    RT_OK(cudaMemcpy(d, bytes, 8, cudaMemcpyHostToDevice));
    RT_OK(cudaBindTexture(NULL, &ref, d, &u8x4, 8));
    fetch(kernel_fetch_int, 2);
    memcpy(got, result, sizeof got);
    assert_int_equal(got[3], 255);
    assert_int_equal(got[4], 5);
    RT_OK(cudaBindTexture(NULL, &ref, d, &s16, 8));
    fetch(kernel_fetch_int, 4);
    memcpy(got, result, sizeof got);
    assert_int_equal(got[4], (short)0xff03);
    RT_OK(cudaBindTexture(NULL, &ref, d, &s32, 8));
    fetch(kernel_fetch_int, 2);
    memcpy(got, result, sizeof got);
    assert_int_equal(got[4], 0x08070605);
}

static void integers_can_be_read_as_fractions(void **state)
{
    (void)state;
    const unsigned char bytes[4] = {0, 51, 255, 102};
    void *d = new_bytes(4);

    RT_OK(cudaMemcpy(d, bytes, 4, cudaMemcpyHostToDevice));
    RT_OK(cudaBindTexture(NULL, &ref_normalized, d, &u8x4, 4));
    fetch(kernel_fetch_n, 1);
    assert_true(result[0] == 0 && result[1] == 0.2f && result[2] == 1 && result[3] == 0.4f);
    RT_ERR(cudaBindTexture(NULL, &ref_normalized, d, &s32, 4), cudaErrorInvalidNormSetting);
}

/* --- pitched memory --- */

static void pitched_memory_is_fetched_by_coordinates(void **state)
{
    (void)state;
    float in[4][6], *d;
    size_t pitch;

    count_up(&in[0][0], 24, 0);
    RT_OK(cudaMallocPitch((void **)&d, &pitch, sizeof in[0], 4));
    RT_OK(cudaMemcpy2D(d, pitch, in, sizeof in[0], sizeof in[0], 4, cudaMemcpyHostToDevice));
    RT_OK(cudaBindTexture2D(NULL, &ref, d, &f1, 6, 4, pitch));
    assert_true(at(kernel_at2, 5.5f, 2.5f, 0) == 17);
    assert_true(at(kernel_at2, 99, -1, 0) == 5); /* clamped */
    ref.addressMode[0] = cudaAddressModeBorder;
    assert_true(at(kernel_at2, 99, -1, 0) == 5); /* as it was when bound */
    RT_OK(cudaBindTexture2D(NULL, &ref, d, &f1, 6, 4, pitch));
    assert_true(at(kernel_at2, 99, 1, 0) == 0);
    RT_ERR(cudaBindTexture2D(NULL, &ref, d, &f1, 6, 5, pitch), cudaErrorInvalidValue);
    RT_ERR(cudaBindTexture2D(NULL, &ref, d, &f1, 6, 4, 20), cudaErrorInvalidValue);
    RT_ERR(cudaBindTexture2D(NULL, &ref, d, &f1, 6, 4, 36), cudaErrorInvalidValue);
}

static void normalized_coordinates_and_wrapping(void **state)
{
    (void)state;
    float in[4] = {10, 20, 30, 40}, *d = new_bytes(sizeof in);

    RT_OK(cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice));
    ref.normalized = 1;
    ref.addressMode[0] = cudaAddressModeWrap;
    RT_OK(cudaBindTexture2D(NULL, &ref, d, &f1, 4, 1, 32));
    assert_true(at(kernel_at2, 0.3f, 0, 0) == 20);
    assert_true(at(kernel_at2, 1.3f, 0, 0) == 20);
    assert_true(at(kernel_at2, -0.1f, 0, 0) == 40);
    ref.addressMode[0] = cudaAddressModeMirror;
    RT_OK(cudaBindTexture2D(NULL, &ref, d, &f1, 4, 1, 32));
    assert_true(at(kernel_at2, 1.1f, 0, 0) == 40);
    ref.normalized = 0; /* wrapping needs normalized coordinates */
    RT_OK(cudaBindTexture2D(NULL, &ref, d, &f1, 4, 1, 32));
    assert_true(at(kernel_at2, 4.5f, 0, 0) == 40);
    assert_true(at(kernel_at2, 7.5f, 0, 0) == 40);
}

static void linear_filtering_is_for_floats(void **state)
{
    (void)state;
    float in[4] = {10, 20, 30, 40}, *d = new_bytes(sizeof in);

    RT_OK(cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice));
    ref.filterMode = cudaFilterModeLinear;
    RT_OK(cudaBindTexture2D(NULL, &ref, d, &f1, 4, 1, 32));
    assert_true(at(kernel_at2, 1, 0.5f, 0) == 15);
    RT_ERR(cudaBindTexture2D(NULL, &ref, d, &s32, 4, 1, 32), cudaErrorInvalidFilterSetting);
}

/* --- arrays --- */

static void arrays_are_fetched_by_coordinates(void **state)
{
    (void)state;
    float in[3][5];
    cudaArray_t a;
    struct cudaChannelFormatDesc d;

    count_up(&in[0][0], 15, 1);
    RT_OK(cudaMallocArray(&a, &f1, 5, 3, 0));
    RT_OK(cudaMemcpyToArray(a, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    RT_OK(cudaGetChannelDesc(&d, a));
    assert_memory_equal(&d, &f1, sizeof d);
    RT_OK(cudaBindTextureToArray(&ref, a, &d));
    assert_true(at(kernel_at2, 4.5f, 2.5f, 0) == 15);
    assert_true(at(kernel_at2, 0.5f, 1.5f, 0) == 6);
    RT_OK(cudaFreeArray(a));
    RT_ERR(cudaBindTextureToArray(&ref, a, &f1), cudaErrorInvalidResourceHandle);
    RT_ERR(cudaFreeArray(a), cudaErrorInvalidResourceHandle);
    RT_OK(cudaFreeArray(NULL));
}

static void arrays_of_one_and_three_dimensions(void **state)
{
    (void)state;
    float in[2][3][4];
    cudaArray_t line, box;
    struct cudaMemcpy3DParms p = {0};

    count_up(&in[0][0][0], 24, 0);
    RT_OK(cudaMallocArray(&line, &f1, 4, 0, 0));
    RT_OK(cudaMemcpyToArray(line, 0, 0, in, 16, cudaMemcpyHostToDevice));
    RT_OK(cudaBindTextureToArray(&ref, line, NULL));
    assert_true(at(kernel_at1, 3.5f, 0, 0) == 3);
    RT_OK(cudaMalloc3DArray(&box, &f1, make_cudaExtent(4, 3, 2), 0));
    p.srcPtr = make_cudaPitchedPtr(in, 16, 4, 3);
    p.dstArray = box;
    p.extent = make_cudaExtent(4, 3, 2); /* elements, since there is an array */
    p.kind = cudaMemcpyHostToDevice;
    RT_OK(cudaMemcpy3D(&p));
    RT_OK(cudaBindTextureToArray(&ref, box, &f1));
    assert_true(at(kernel_at3, 3.5f, 2.5f, 1.5f) == 23);
    assert_true(at(kernel_at3, 1.5f, 0.5f, 1.5f) == 13);
}

static void layers_are_picked_by_number(void **state)
{
    (void)state;
    float in[3][4];
    cudaArray_t a;
    struct cudaMemcpy3DParms p = {0};

    count_up(&in[0][0], 12, 0);
    RT_OK(cudaMalloc3DArray(&a, &f1, make_cudaExtent(4, 0, 3), cudaArrayLayered));
    p.srcPtr = make_cudaPitchedPtr(in, 16, 4, 1);
    p.dstArray = a;
    p.extent = make_cudaExtent(4, 1, 3);
    p.kind = cudaMemcpyHostToDevice;
    RT_OK(cudaMemcpy3D(&p));
    RT_OK(cudaBindTextureToArray(&ref, a, &f1));
    assert_true(at(kernel_layer1, 1.5f, 2, 0) == 9);
}

static void array_copies_go_every_way(void **state)
{
    (void)state;
    unsigned char in[4][8], out[4][8];
    struct cudaChannelFormatDesc u8 = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    cudaArray_t a, b;

    for (int i = 0; i < 32; i++)
        in[i / 8][i % 8] = (unsigned char)i;
    RT_OK(cudaMallocArray(&a, &u8, 8, 4, 0));
    RT_OK(cudaMallocArray(&b, &u8, 8, 4, 0));
    RT_OK(cudaMemcpy2DToArray(a, 0, 0, in, 8, 8, 4, cudaMemcpyHostToDevice));
    RT_OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 8, 4, cudaMemcpyDeviceToDevice));
    RT_OK(cudaMemcpy2DFromArray(out, 8, b, 0, 0, 8, 4, cudaMemcpyDeviceToHost));
    assert_memory_equal(in, out, 32);
    memset(out, 0, sizeof out);
    RT_OK(cudaMemcpyFromArray(out, b, 3, 1, 18, cudaMemcpyDeviceToHost)); /* over three rows */
    assert_memory_equal(out, &in[1][3], 18);
    RT_OK(cudaMemcpyArrayToArray(b, 1, 0, a, 6, 2, 5, cudaMemcpyDeviceToDevice));
    RT_OK(cudaMemcpy2DFromArrayAsync(out, 8, b, 0, 0, 8, 1, cudaMemcpyDeviceToHost, NULL));
    assert_memory_equal(&out[0][1], &in[2][6], 5);
    RT_ERR(cudaMemcpy2DToArray(a, 1, 0, in, 8, 8, 4, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
    RT_ERR(cudaMemcpyToArray(a, 0, 3, in, 9, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    RT_ERR(cudaMemcpyToArray(a, 0, 0, in, 8, cudaMemcpyDeviceToHost),
           cudaErrorInvalidMemcpyDirection);
}

static void arrays_tell_their_shape(void **state)
{
    (void)state;
    struct cudaChannelFormatDesc d;
    struct cudaExtent e;
    unsigned int flags = 9;
    cudaArray_t a;
    const struct cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};

    RT_OK(cudaMallocArray(&a, &f2, 7, 2, 0));
    RT_OK(cudaArrayGetInfo(&d, &e, &flags, a));
    assert_int_equal(d.y, 32);
    assert_int_equal(e.width, 7);
    assert_int_equal(e.depth, 0);
    assert_int_equal(flags, 0);
    RT_ERR(cudaMallocArray(&a, &three, 7, 2, 0), cudaErrorInvalidChannelDescriptor);
    RT_ERR(cudaMallocArray(&a, &f1, 0, 2, 0), cudaErrorInvalidValue);
    RT_ERR(cudaMallocArray(&a, &f1, 4, 4, 0x40), cudaErrorNotSupported); /* sparse */
    RT_OK(cudaMallocArray(&a, &f1, 4, 4, cudaArraySurfaceLoadStore));
    RT_OK(cudaArrayGetInfo(NULL, NULL, &flags, a));
    assert_int_equal(flags, cudaArraySurfaceLoadStore);
    RT_ERR(cudaMallocArray(&a, &f1, 1 << 20, 1 << 20, 0), cudaErrorMemoryAllocation);
}

/* --- not bound --- */

static void fetching_from_nothing_fails_the_kernel(void **state)
{
    (void)state;
    float *d = device_floats(4), *out = new_bytes(16);
    size_t offset;

    RT_OK(cudaBindTexture(NULL, &ref, d, &f1, 16));
    RT_OK(cudaUnbindTexture(&ref));
    RT_ERR(cudaGetTextureAlignmentOffset(&offset, &ref), cudaErrorInvalidTextureBinding);
    RT_OK(cudaLaunchKernel(kernel_fetch, DIM(1), DIM(1), ARGS(&out), 0, NULL));
    RT_ERR(cudaGetLastError(), cudaErrorLaunchFailure);
}

static void a_reset_unbinds(void **state)
{
    (void)state;
    float *out;

    RT_OK(cudaBindTexture(NULL, &ref, device_floats(4), &f1, 16));
    RT_OK(cudaDeviceReset());
    out = new_bytes(16);
    RT_OK(cudaLaunchKernel(kernel_fetch, DIM(1), DIM(1), ARGS(&out), 0, NULL));
    RT_ERR(cudaGetLastError(), cudaErrorLaunchFailure);
}

static void what_is_no_texture_or_no_memory(void **state)
{
    (void)state;
    struct textureReference none = ref;
    const struct textureReference *found;
    float host[4];

    RT_ERR(cudaBindTexture(NULL, &none, device_floats(4), &f1, 16), cudaErrorInvalidTexture);
    RT_ERR(cudaBindTexture(NULL, &ref, host, &f1, 16), cudaErrorInvalidValue);
    RT_ERR(cudaUnbindTexture(NULL), cudaErrorInvalidTexture);
    RT_OK(cudaGetTextureReference(&found, &ref));
    assert_ptr_equal(found, &ref);
}

/* 32768 texels, 16384, .. 1: 16 levels, however many are asked for. */
static void levels_go_down_to_one_texel(void **state)
{
    const struct cudaChannelFormatDesc desc = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    const struct cudaExtent line = {32768, 0, 0};
    struct cudaExtent extent;
    cudaMipmappedArray_t m;
    cudaArray_t level;

    (void)state;
    RT_OK(cudaMallocMipmappedArray(&m, &desc, line, 20, 0));
    for (unsigned i = 0; i < 16; i++) {
        RT_OK(cudaGetMipmappedArrayLevel(&level, m, i));
        RT_OK(cudaArrayGetInfo(NULL, &extent, NULL, level));
        assert_int_equal(extent.width, 32768 >> i);
    }
    RT_ERR(cudaGetMipmappedArrayLevel(&level, m, 16), cudaErrorInvalidValue);
    RT_OK(cudaFreeMipmappedArray(m));
}

static const struct CMUnitTest tests[] = {
    CASE(linear_memory_is_fetched_by_index),
    CASE(beyond_its_size_linear_memory_is_zero),
    CASE(without_a_size_all_of_the_buffer_is_bound),
    CASE(a_pointer_into_a_buffer_needs_an_offset),
    CASE(formats_are_the_descriptors),
    CASE(integers_can_be_read_as_fractions),
    CASE(pitched_memory_is_fetched_by_coordinates),
    CASE(normalized_coordinates_and_wrapping),
    CASE(linear_filtering_is_for_floats),
    CASE(arrays_are_fetched_by_coordinates),
    CASE(arrays_of_one_and_three_dimensions),
    CASE(layers_are_picked_by_number),
    CASE(levels_go_down_to_one_texel),
    CASE(array_copies_go_every_way),
    CASE(arrays_tell_their_shape),
    CASE(fetching_from_nothing_fails_the_kernel),
    CASE(a_reset_unbinds),
    CASE(what_is_no_texture_or_no_memory),
};

TEST_MAIN(tests)
