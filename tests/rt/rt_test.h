/*
 * rt_test.h -- testing libcudart.so as a compiled CUDA program would use it, but in C.
 *
 * The PTX below is registered the way a compiler's start-up code does it; kernel_x stand in for
 * the stubs of its kernels, var_x for the shadows of its variables.  Every case begins with a
 * reset device (RT_CASE) on the GPU `tiny`, and one of the driver API with a context (CU_CASE).
 *
 *     static void a_copy_arrives(void **state)
 *     {
 *         int *d = new_ints(4, 7);                         device memory, all 7
 *         LAUNCH(kernel_add, 1, 4, ARGS(&d, &one, &n));    fails the case if it does
 *         assert_int_equal(int_at(d, 3), 8);
 *     }
 */
#ifndef TESTS_RT_RT_TEST_H
#define TESTS_RT_RT_TEST_H

#include <stdlib.h>
#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "rt/fatbin.h"
#include "tests/test_main.h"

#define RT_OK(call) assert_int_equal(call, cudaSuccess)
#define RT_ERR(call, code) assert_int_equal(call, code)
#define CU_OK(call) assert_int_equal(call, CUDA_SUCCESS)
#define CU_ERR(call, code) assert_int_equal(call, code)
#define ARGS(...) ((void *[]){__VA_ARGS__})
#define DIM(x_) ((dim3){(x_), 1, 1})
#define LAUNCH(kernel, grid, block, args)                                                          \
    do {                                                                                           \
        RT_OK(cudaLaunchKernel(kernel, DIM(grid), DIM(block), args, 0, NULL));                     \
        RT_OK(cudaGetLastError());                                                                 \
    } while (0)

static const char rt_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 5;\n"
    ".visible .const .align 4 .b8 table[64];\n"
    /* add(int *p, int v, int n): p[i] += v for i < n */
    ".visible .entry add(.param .u64 p, .param .u32 v, .param .u32 n)\n"
    "{\n.reg .pred %q; .reg .b32 %r<9>; .reg .b64 %d<4>;\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r4, %r1, %r2, %r3;\nld.param.u32 %r5, [n];\nsetp.ge.s32 %q, %r4, %r5;\n@%q ret;\n"
    "ld.param.u64 %d1, [p];\nmul.wide.s32 %d2, %r4, 4;\nadd.s64 %d3, %d1, %d2;\n"
    "ld.global.u32 %r6, [%d3];\nld.param.u32 %r7, [v];\nadd.s32 %r8, %r6, %r7;\n"
    "st.global.u32 [%d3], %r8;\nret;\n}\n"
    /* vars(int *p): p[i] = table[i] + counter, and counter += 1 once */
    ".visible .entry vars(.param .u64 p)\n"
    "{\n.reg .pred %q; .reg .b32 %r<6>; .reg .b64 %d<7>;\n"
    "mov.u32 %r1, %tid.x;\nmul.wide.s32 %d1, %r1, 4;\nmov.u64 %d2, table;\nadd.s64 %d3, %d2, %d1;\n"
    "ld.const.u32 %r2, [%d3];\nld.global.u32 %r3, [counter];\nadd.s32 %r4, %r2, %r3;\n"
    "ld.param.u64 %d4, [p];\nadd.s64 %d5, %d4, %d1;\nst.global.u32 [%d5], %r4;\n"
    "bar.sync 0;\nsetp.ne.s32 %q, %r1, 0;\n@%q ret;\nadd.s32 %r5, %r3, 1;\n"
    "st.global.u32 [counter], %r5;\nret;\n}\n"
    /* mixed(char a, double b, short c, double *out): *out = a + b + c */
    ".visible .entry mixed(.param .u8 a, .param .f64 b, .param .u16 c, .param .u64 out)\n"
    "{\n.reg .b16 %h<3>; .reg .f64 %f<6>; .reg .b64 %d<2>;\n"
    "ld.param.s8 %h1, [a];\nld.param.f64 %f1, [b];\nld.param.s16 %h2, [c];\n"
    "cvt.rn.f64.s16 %f2, %h1;\ncvt.rn.f64.s16 %f3, %h2;\nadd.f64 %f4, %f1, %f2;\n"
    "add.f64 %f5, %f4, %f3;\nld.param.u64 %d1, [out];\nst.global.f64 [%d1], %f5;\nret;\n}\n"
    /* kernels that go wrong */
    ".visible .entry trap()\n{\ntrap;\n}\n"
    ".visible .entry misaligned(.param .u64 p)\n{\n.reg .b64 %d<3>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %d1, [p];\nadd.s64 %d2, %d1, 2;\nld.global.u32 %r1, [%d2];\n"
    "st.global.u32 [%d1], %r1;\nret;\n}\n"
    ".visible .entry bad_call()\n{\n.reg .b64 %d<2>;\nmov.u64 %d1, 64;\n"
    "proto: .callprototype _ ();\ncall %d1, (), proto;\nret;\n}\n"
    ".visible .entry half_wait()\n{\n.reg .pred %q; .reg .b32 %r<2>;\n"
    "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %q, %r1, 32;\n@%q bar.sync 0, 64;\nret;\n}\n"
    /* what the device provides: printf, assert, malloc */
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
    ".param .b64 s);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
    ".global .align 1 .b8 text[4] = {104, 105, 10, 0};\n"
    ".visible .entry hello()\n{\n.reg .b64 %d<3>;\nmov.u64 %d1, text;\n"
    "cvta.global.u64 %d2, %d1;\n{\n.param .b64 f; .param .b64 a; .param .b32 r;\n"
    "st.param.b64 [f], %d2;\nst.param.b64 [a], 0;\n"
    "call.uni (r), vprintf, (f, a);\n}\nret;\n}\n"
    ".visible .entry asserts()\n{\n.reg .b64 %d<3>;\nmov.u64 %d1, text;\n"
    "cvta.global.u64 %d2, %d1;\n{\n.param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n;\n"
    ".param .b64 s;\nst.param.b64 [m], %d2;\nst.param.b64 [f], %d2;\nst.param.b32 [l], 7;\n"
    "st.param.b64 [n], %d2;\nst.param.b64 [s], 1;\n"
    "call.uni __assertfail, (m, f, l, n, s);\n}\nret;\n}\n"
    /* grabs(long *out, long n): *out = malloc(n) */
    ".visible .entry grabs(.param .u64 out, .param .u64 n)\n{\n.reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [n];\n{\n.param .b64 a; .param .b64 r;\nst.param.b64 [a], %d1;\n"
    "call.uni (r), malloc, (a);\nld.param.b64 %d2, [r];\n}\n"
    "ld.param.u64 %d3, [out];\nst.global.u64 [%d3], %d2;\nret;\n}\n"
    ".visible .entry endless()\n{\n.shared .u32 s; L: st.shared.u32 [s], 0; bra L;\n}\n"
    ".visible .entry bounded() .maxntid 64, 1, 1\n{\nret;\n}\n"
    ".visible .entry shared_4k(.param .u64 p)\n{\n.shared .align 4 .b8 s[4096];\n"
    ".reg .b64 %d<2>; .reg .b32 %r<2>;\nld.shared.u32 %r1, [s];\nld.param.u64 %d1, [p];\n"
    "st.global.u32 [%d1], %r1;\nret;\n}\n";

/* Stand-ins: only their addresses matter. */
static char kernel_add[1], kernel_vars[1], kernel_mixed[1], kernel_trap[1], kernel_misaligned[1],
    kernel_bad_call[1], kernel_half_wait[1], kernel_endless[1], kernel_bounded[1],
    kernel_shared_4k[1], kernel_missing[1], kernel_hello[1], kernel_asserts[1], kernel_grabs[1];
static char var_counter[4], var_table[64], var_missing[4];

static inline void **register_text(const char *text)
{
    static struct fatbin all[16]; /* the library keeps what it is given */
    static unsigned int n;
    struct fatbin *f = &all[n++];

    assert_true(n <= sizeof all / sizeof all[0]);
    f->magic = FATBIN_MAGIC;
    f->version = 1;
    f->text = text;
    return __cudaRegisterFatBinary(f);
}

static inline void register_kernel(void **module, char *stub, const char *name)
{
    __cudaRegisterFunction(module, stub, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static inline void register_var(void **module, char *shadow, const char *name, size_t size)
{
    __cudaRegisterVar(module, shadow, NULL, name, 0, size, 0, 0);
}

static inline void register_program(void)
{
    void **m = register_text(rt_ptx);

    register_kernel(m, kernel_add, "add");
    register_kernel(m, kernel_vars, "vars");
    register_kernel(m, kernel_mixed, "mixed");
    register_kernel(m, kernel_trap, "trap");
    register_kernel(m, kernel_misaligned, "misaligned");
    register_kernel(m, kernel_bad_call, "bad_call");
    register_kernel(m, kernel_half_wait, "half_wait");
    register_kernel(m, kernel_endless, "endless");
    register_kernel(m, kernel_bounded, "bounded");
    register_kernel(m, kernel_shared_4k, "shared_4k");
    register_kernel(m, kernel_missing, "missing");
    register_kernel(m, kernel_hello, "hello");
    register_kernel(m, kernel_asserts, "asserts");
    register_kernel(m, kernel_grabs, "grabs");
    register_var(m, var_counter, "counter", 4);
    register_var(m, var_table, "table", 64);
    register_var(m, var_missing, "missing", 4);
    __cudaRegisterFatBinaryEnd(m);
}

static inline int rt_fresh(void **state)
{
    static int registered;

    (void)state;
    if (!registered++) {
        unsetenv("SMELT_ARGS");
        unsetenv("SMELT_JSON");
        setenv("SMELT_GPU", "tiny", 1);
        register_program();
    }
    return cudaDeviceReset() == cudaSuccess && cudaGetLastError() == cudaSuccess ? 0 : -1;
}

#define RT_CASE(name) cmocka_unit_test_setup(name, rt_fresh)

static CUcontext driver_context; /* of the case */

static inline int driver_start(void **state)
{
    if (rt_fresh(state) || cuInit(0) != CUDA_SUCCESS)
        return -1;
    return cuCtxCreate(&driver_context, 0, 0) == CUDA_SUCCESS ? 0 : -1;
}

static inline int driver_stop(void **state)
{
    (void)state;
    return cuCtxDestroy(driver_context) == CUDA_SUCCESS ? 0 : -1;
}

#define CU_CASE(name) cmocka_unit_test_setup_teardown(name, driver_start, driver_stop)

static inline void *new_bytes(size_t n)
{
    void *p = NULL;

    RT_OK(cudaMalloc(&p, n));
    assert_non_null(p);
    return p;
}

static inline int *new_ints(int n, int value)
{
    int *host = malloc((size_t)n * sizeof *host), *p = new_bytes((size_t)n * sizeof *p);

    for (int i = 0; i < n; i++)
        host[i] = value;
    RT_OK(cudaMemcpy(p, host, (size_t)n * sizeof *p, cudaMemcpyHostToDevice));
    free(host);
    return p;
}

static inline int int_at(const int *p, int i)
{
    int v = 0;

    RT_OK(cudaMemcpy(&v, p + i, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}

#endif
