/* The driver API's linker: PTX texts joined at run time. */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#include "tests/rt/rt_test.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"

static char kernel[] = HEAD
    ".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .global .align 4 .u32 more;\n"
    ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<5>; .reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\n"
    "{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\n"
    "call (b), twice, (a);\nld.param.b32 %r2, [b];\n}\n"
    "ld.global.u32 %r3, [more];\nadd.s32 %r4, %r2, %r3;\nst.global.u32 [%d1], %r4;\nret;\n}\n";
static char function[] =
    HEAD ".visible .global .align 4 .u32 more = 7;\n"
         ".visible .func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
         "ld.param.u32 %r1, [x];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n";

static CUlinkState linker(void)
{
    CUlinkState s = NULL;

    CU_OK(cuLinkCreate(0, NULL, NULL, &s));
    return s;
}

static CUresult add(CUlinkState s, char *text, const char *name)
{
    return cuLinkAddData(s, CU_JIT_INPUT_PTX, text, strlen(text) + 1, name, 0, NULL, NULL);
}

/* k(5) of the joined text is 2 * 5 + 7. */
static void runs(CUlinkState s)
{
    CUmodule m = NULL;
    CUfunction f = NULL;
    CUdeviceptr p = 0;
    void *image = NULL;
    size_t size = 0;
    int v = 5;

    CU_OK(cuLinkComplete(s, &image, &size));
    assert_int_equal(size, strlen(image) + 1);
    CU_OK(cuModuleLoadData(&m, image));
    CU_OK(cuLinkDestroy(s));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuMemAlloc(&p, sizeof v));
    CU_OK(cuMemcpyHtoD(p, &v, sizeof v));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, ARGS(&p), NULL));
    CU_OK(cuMemcpyDtoH(&v, p, sizeof v));
    assert_int_equal(v, 17);
    CU_OK(cuModuleUnload(m));
}

static void texts_are_joined(void **state)
{
    (void)state;
    CUlinkState s = linker();

    CU_OK(add(s, kernel, "kernel"));
    CU_OK(cuLinkAddData(s, CU_JIT_INPUT_CUBIN, function, strlen(function), NULL, 0, NULL, NULL));
    runs(s);
}

static void files_are_joined(void **state)
{
    (void)state;
    static const char path[] = "linked.ptx", library[] = "empty.a";
    CUlinkState s = linker();
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    assert_int_equal(write(fd, function, strlen(function)), strlen(function));
    close(fd);
    fd = open(library, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert_int_equal(write(fd, "!<arch>\n", 8), 8);
    close(fd);
    CU_OK(add(s, kernel, NULL));
    CU_OK(cuLinkAddFile(s, CU_JIT_INPUT_LIBRARY, library, 0, NULL, NULL));
    CU_OK(cuLinkAddFile(s, CU_JIT_INPUT_PTX, path, 0, NULL, NULL));
    unlink(path), unlink(library);
    CU_ERR(cuLinkAddFile(s, CU_JIT_INPUT_PTX, path, 0, NULL, NULL), CUDA_ERROR_FILE_NOT_FOUND);
    runs(s);
}

static void what_is_missing_is_in_the_log(void **state)
{
    (void)state;
    char error[200] = "", info[20] = "x";
    CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                             CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *value[] = {error, (void *)(uintptr_t)sizeof error, info, (void *)(uintptr_t)sizeof info};
    CUlinkState s = NULL;
    void *image = NULL;

    CU_OK(cuLinkCreate(4, option, value, &s));
    CU_OK(add(s, kernel, "kernel"));
    CU_ERR(cuLinkComplete(s, &image, NULL), CUDA_ERROR_INVALID_PTX);
    assert_string_equal(
        error, "kernel: undefined device function twice: no file that is linked defines it");
    assert_int_equal((uintptr_t)value[1], strlen(error));
    value[1] = (void *)(uintptr_t)sizeof error;
    CU_OK(add(s, function, "one"));
    CU_OK(add(s, function, "two"));
    CU_ERR(cuLinkComplete(s, &image, NULL), CUDA_ERROR_INVALID_PTX);
    assert_string_equal(error, "two: device variable more is defined in one, too");
    CU_OK(cuLinkDestroy(s));
}

static void misuse_is_refused(void **state)
{
    (void)state;
    CUlinkState s = linker();
    char elf[] = "\x7f"
                 "ELF",
         list[] = HEAD ".global .u32 a, b;\n";
    void *image = NULL;

    CU_ERR(cuLinkAddData(s, CU_JIT_INPUT_PTX, NULL, 0, NULL, 0, NULL, NULL),
           CUDA_ERROR_INVALID_VALUE);
    CU_ERR(cuLinkAddData(s, CU_JIT_INPUT_CUBIN, elf, 4, "x", 0, NULL, NULL),
           CUDA_ERROR_NO_BINARY_FOR_GPU);
    CU_ERR(cuLinkAddData(s, CU_JIT_INPUT_OBJECT, elf, 4, "x.o", 0, NULL, NULL),
           CUDA_ERROR_NOT_SUPPORTED);
    CU_ERR(add(s, list, "x"), CUDA_ERROR_INVALID_PTX);
    CU_ERR(cuLinkComplete(s, &image, NULL), CUDA_ERROR_INVALID_PTX); /* there is nothing in it */
    CU_ERR(cuLinkComplete(s, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuLinkDestroy(s));
    CU_ERR(cuLinkDestroy(s), CUDA_ERROR_INVALID_HANDLE);
    CU_ERR(cuLinkComplete(s, &image, NULL), CUDA_ERROR_INVALID_HANDLE);
    CU_ERR(cuLinkCreate(1, NULL, NULL, &s), CUDA_ERROR_INVALID_VALUE);
}

static const struct CMUnitTest tests[] = {
    CU_CASE(texts_are_joined),
    CU_CASE(files_are_joined),
    CU_CASE(what_is_missing_is_in_the_log),
    CU_CASE(misuse_is_refused),
};
TEST_MAIN(tests)
