/* libnvrtc.so: CUDA source compiled at run time, and its PTX in the driver API. */
#include <nvrtc.h>
#include <string.h>

#include "tests/rt/rt_test.h"

#define RTC_OK(call) assert_int_equal(call, NVRTC_SUCCESS)

static nvrtcProgram program(const char *source)
{
    nvrtcProgram p = NULL;

    RTC_OK(nvrtcCreateProgram(&p, source, "test.cu", 0, NULL, NULL));
    return p;
}

/* To be freed. */
static char *log_of(nvrtcProgram p)
{
    size_t n = 0;

    RTC_OK(nvrtcGetProgramLogSize(p, &n));
    char *log = calloc(n, 1);

    RTC_OK(nvrtcGetProgramLog(p, log));
    assert_int_equal(strlen(log) + 1, n);
    return log;
}

static void compile(nvrtcProgram p, int n, const char *const *option)
{
    nvrtcResult result = nvrtcCompileProgram(p, n, option);

    if (result != NVRTC_SUCCESS) {
        char *log = log_of(p);

        print_message("%s: %s\n", nvrtcGetErrorString(result), log);
        free(log);
    }
    RTC_OK(result);
}

static CUmodule load(nvrtcProgram p)
{
    CUmodule m = NULL;
    size_t n = 0;

    RTC_OK(nvrtcGetPTXSize(p, &n));
    char *ptx = malloc(n);

    RTC_OK(nvrtcGetPTX(p, ptx));
    assert_int_equal(ptx[n - 1], 0);
    CU_OK(cuModuleLoadDataEx(&m, ptx, 0, NULL, NULL));
    free(ptx);
    return m;
}

/* Runs k(int *p) on one number. */
static int run(CUmodule m, const char *kernel, int v)
{
    CUfunction f = NULL;
    CUdeviceptr p = 0;
    void *arg[] = {&p};

    CU_OK(cuModuleGetFunction(&f, m, kernel));
    CU_OK(cuMemAlloc(&p, sizeof v));
    CU_OK(cuMemcpyHtoD(p, &v, sizeof v));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arg, NULL));
    CU_OK(cuMemcpyDtoH(&v, p, sizeof v));
    CU_OK(cuMemFree(p));
    return v;
}

/* --- */

static void headers_macros_and_options_count(void **state)
{
    (void)state;
    static const char *const header[] = {"#define ADD 3\n",
                                         "__device__ int deep(int x) { return x * 2; }\n"};
    static const char *const name[] = {"add.h", "sub/folder/deep.cuh"};
    static const char *const option[] = {"--gpu-architecture=compute_60",
                                         "-DTIMES=10",
                                         "-D",
                                         "MORE=(400)",
                                         "--std=c++17",
                                         "-I",
                                         "/nonexistent",
                                         "--fmad=false",
                                         "-lineinfo"};
    nvrtcProgram p = NULL;

    RTC_OK(nvrtcCreateProgram(
        &p,
        "#include \"add.h\"\n#include <sub/folder/deep.cuh>\n"
        "extern \"C\" __global__ void k(int *p) {\n"
        "  if constexpr (__CUDA_ARCH__ == 600) *p = deep(*p + ADD) * TIMES + MORE;\n"
        "}\n",
        NULL, 2, header, name));
    compile(p, 9, option);
    char *log = log_of(p);

    assert_string_equal(log, "");
    free(log);
    CUmodule m = load(p);

    assert_int_equal(run(m, "k", 7), 600);
    CU_OK(cuModuleUnload(m));
    RTC_OK(nvrtcDestroyProgram(&p));
    assert_null(p);
}

static void names_are_lowered(void **state)
{
    (void)state;
    static const char *const expression[] = {"ns::k<int, 5>", "&ns::k<int, (3 > 2) ? 7 : 8>",
                                             "ns::var", "& table"};
    nvrtcProgram p =
        program("namespace ns {\n__device__ int var = 4;\n"
                "template <class T, int N> __global__ void k(T *p) { *p = *p * N + var; }\n}\n"
                "__constant__ float table[3];\n");
    const char *lowered[4];
    CUdeviceptr at = 0;
    size_t bytes = 0;
    int v = 30;

    for (int i = 0; i < 4; i++)
        RTC_OK(nvrtcAddNameExpression(p, expression[i]));
    assert_int_equal(nvrtcGetLoweredName(p, expression[0], lowered),
                     NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    compile(p, 0, NULL);
    assert_int_equal(nvrtcAddNameExpression(p, "x"),
                     NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    for (int i = 0; i < 4; i++)
        RTC_OK(nvrtcGetLoweredName(p, expression[i], &lowered[i]));
    assert_int_equal(nvrtcGetLoweredName(p, "ns::k<int, 6>", &lowered[0]),
                     NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    assert_string_equal(lowered[0], "_ZN2ns1kIiLi5EEEvPT_");
    assert_string_equal(lowered[3], "table");
    CUmodule m = load(p);

    CU_OK(cuModuleGetGlobal(&at, &bytes, m, lowered[2]));
    assert_int_equal(bytes, 4);
    CU_OK(cuMemcpyHtoD(at, &v, sizeof v));
    assert_int_equal(run(m, lowered[0], 2), 40);
    assert_int_equal(run(m, lowered[1], 2), 44);
    CU_OK(cuModuleGetGlobal(NULL, &bytes, m, lowered[3]));
    assert_int_equal(bytes, 12);
    assert_int_equal(cuModuleGetGlobal(&at, &bytes, m, "__smelt_name_0"), CUDA_ERROR_NOT_FOUND);
    RTC_OK(nvrtcDestroyProgram(&p));
}

/* And what stands for machine code is PTX, too. */
static void functions_may_be_the_devices_by_default(void **state)
{
    (void)state;
    static const char *const option[] = {"-default-device", "-arch=sm_35"};
    nvrtcProgram p = program("int plain(int x) { return x + 1; }\n"
                             "extern \"C\" __global__ void k(int *p) { *p = plain(*p); }\n");
    size_t n = 0;
    CUmodule m = NULL;

    assert_int_equal(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
    compile(p, 2, option);
    RTC_OK(nvrtcGetCUBINSize(p, &n));
    char *image = malloc(n);

    RTC_OK(nvrtcGetCUBIN(p, image));
    CU_OK(cuModuleLoadData(&m, image));
    free(image);
    assert_int_equal(run(m, "k", 5), 6);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static void mistakes_are_in_the_log(void **state)
{
    (void)state;
    static const char *const header[] = {"\nint wrong = ;\n"}, *const name[] = {"a/wrong.h"};
    nvrtcProgram p = program("__global__ void k(int *p)\n{\n    *p = missing;\n}\n");
    size_t n;

    assert_int_equal(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
    char *log = log_of(p);

    assert_non_null(strstr(log, "test.cu:3:10: error: use of undeclared identifier 'missing'"));
    free(log);
    assert_int_equal(nvrtcGetPTXSize(p, &n), NVRTC_ERROR_INVALID_INPUT);
    RTC_OK(nvrtcDestroyProgram(&p));

    RTC_OK(nvrtcCreateProgram(&p, "#include <a/wrong.h>\n", "x.cu", 1, header, name));
    assert_int_equal(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
    log = log_of(p);
    assert_ptr_equal(strstr(log, "a/wrong.h:2:13: error: expected expression"),
                     strstr(log, "a/wrong.h:2:"));
    assert_non_null(strstr(log, "a/wrong.h:2:"));
    assert_null(strstr(log, "smelt-nvrtc-"));
    free(log);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static void unknown_options_are_told(void **state)
{
    (void)state;
    static const char *const unknown[] = {"-w", "--no-such-option"}, *const cut[] = {"-arch"};
    nvrtcProgram p = program("__global__ void k() {}\n");

    assert_int_equal(nvrtcCompileProgram(p, 2, unknown), NVRTC_ERROR_INVALID_OPTION);
    char *log = log_of(p);

    assert_string_equal(log, "nvrtc: error: unknown option '--no-such-option'\n");
    free(log);
    assert_int_equal(nvrtcCompileProgram(p, 1, cut), NVRTC_ERROR_INVALID_OPTION);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static void misuse_is_refused(void **state)
{
    (void)state;
    static const char *const text[] = {""}, *const outside[] = {"../x.h"};
    nvrtcProgram p = NULL;
    int major = 0, minor = 0;
    size_t n = 0;

    RTC_OK(nvrtcVersion(&major, &minor));
    assert_int_equal(1000 * major + 10 * minor, CUDA_VERSION);
    assert_string_equal(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION");
    assert_int_equal(nvrtcVersion(NULL, &minor), NVRTC_ERROR_INVALID_INPUT);
    assert_int_equal(nvrtcCreateProgram(&p, NULL, "x", 0, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    assert_int_equal(nvrtcCreateProgram(&p, "", "x", 1, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    assert_int_equal(nvrtcCreateProgram(&p, "", "x", 1, text, outside), NVRTC_ERROR_INVALID_INPUT);
    assert_int_equal(nvrtcDestroyProgram(&p), NVRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(nvrtcCompileProgram(NULL, 0, NULL), NVRTC_ERROR_INVALID_PROGRAM);
    p = program("");
    assert_int_equal(nvrtcCompileProgram(p, -1, NULL), NVRTC_ERROR_INVALID_INPUT);
    assert_int_equal(nvrtcGetPTXSize(p, &n), NVRTC_ERROR_INVALID_INPUT);
    RTC_OK(nvrtcGetProgramLogSize(p, &n));
    assert_int_equal(n, 1);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static const struct CMUnitTest tests[] = {
    CU_CASE(headers_macros_and_options_count),
    CU_CASE(names_are_lowered),
    CU_CASE(functions_may_be_the_devices_by_default),
    CU_CASE(mistakes_are_in_the_log),
    CU_CASE(unknown_options_are_told),
    CU_CASE(misuse_is_refused),
};
TEST_MAIN(tests)
