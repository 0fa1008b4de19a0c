/* t_mend.c -- CUDA source as nvcc takes it, for clang */
#include <stdlib.h>
#include <string.h>

#include "base/mend.h"
#include "tests/test_main.h"

static void becomes(const char *text, const char *want)
{
    char *got = mend_text(text);

    assert_string_equal(got, want);
    free(got);
}

static void stays(const char *text)
{
    becomes(text, text);
}

static void launch_marks_close_up(void **state)
{
    (void)state;
    becomes("k << <1, 2 >> >(p);", "k <<< 1, 2 >>> (p);");
    becomes("k<3> < < <1, 2 > > > (p);", "k<3> <<<  1, 2 >>>   (p);");
    becomes("k<<<g, b>> >(p); k<< <g, b>>>(p);", "k<<<g, b>>> (p); k<<< g, b>>>(p);");
    becomes("k <<\n<1,\n2 >>\n>(p);", "k <<<\n1,\n2 >>>\n(p);");
    becomes("k << <f(a >> 1), (b > c), x[1] >> >(p);", "k <<< f(a >> 1), (b > c), x[1] >>> (p);");
    becomes("{ k << <1, 2 >> >(p); } k << <1, 2 >> >(q);",
            "{ k <<< 1, 2 >>> (p); } k <<< 1, 2 >>> (q);");
}

static void other_marks_stay(void **state)
{
    (void)state;
    stays("cout << a << b; v = x >> 1 >> 2; k<<<1, 2>>>(p);");
    stays("V<V<V<int> > > (x); friend S &operator<< <T>(S &); bool operator < (S);");
    stays("f(operator<< <int>);");
    stays("s = \"k << <1 >> >(\"; c = '<'; n = 1'000'000; r = R\"x(\" << <)\" << <)x\";");
    stays("# 1 \"a << <b.cu\"\n  #pragma omp << <\nx");
}

static void special_registers_beside_operands(void **state)
{
    (void)state;
    becomes("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));",
            "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));");
    becomes("__asm__ volatile (\"a %tid.x\" \"%1 %clock64 %%smid\" :: \"r\"(f(\"%smid\")));",
            "__asm__ volatile (\"a %%tid.x\" \"%1 %%clock64 %%smid\" :: \"r\"(f(\"%smid\")));");
    stays("asm volatile(\"mov.u32 %r1, %laneid;\"); f(\"%laneid\", a ? b : c);");
    stays("asm(\"add.u32 %0, %1, %r2;\" : \"=r\"(x) : \"r\"(\"%tid\"));");
    stays("asm(\"unfinished %tid");
    stays("asm(\"no end\" ");
}

static void kernels_that_are_functions_as_well(void **state)
{
    (void)state;
    becomes("__attribute__((global)) __attribute__((device)) void k();",
            "__attribute__((global))                         void k();");
    becomes("__attribute__((device))\n__attribute__((global)) void k();",
            "                       \n__attribute__((global)) void k();");
    stays("__attribute__((host)) __attribute__((device)) __attribute__((global)");
}

static void pragmas_get_their_numbers(void **state)
{
    (void)state;
    becomes("#define N 4\n#define M (N * 2)\n#define F(x) x\n#pragma unroll M + K\nN F(1)",
            "\n\n\n#pragma unroll (4 * 2) + K\nN F(1)");
    becomes("#define N 4\n#undef N\n# pragma unroll (N)\n#pragma other N\n",
            "\n\n# pragma unroll (N)\n#pragma other N\n");
    becomes("#define N M\n#define M 1 N\n#pragma unroll\n", "\n\n#pragma unroll\n");
    stays("#pragma unroll");
    becomes("#define N (0)\n#pragma unroll N\nx;\n#pragma unroll 0\ny;\n", "\n\nx;\n\ny;\n");
    stays("#pragma unroll 0 + 4\n#pragma unroll 0x4\n#pragma unroll 10\n");
    char *got = mend_text("#define N N N N\n#pragma unroll N\n"); /* ends, one way or another */
    assert_memory_equal(got, "\n#pragma unroll N N", 18);
    free(got);
}

static void files_are_known_by_what_they_have(void **state)
{
    (void)state;
    assert_true(mend_needed("k << <1, 2 >> >(p);"));
    assert_true(mend_needed("k<<<1, 2 >> >(p);"));
    assert_true(mend_needed("#define GO <<\t<1, 1>>>"));
    assert_true(mend_needed("asm(\"mov.u32 %0, %smid;\" : \"=r\"(x));"));
    assert_true(mend_needed("__global__\n__device__ void k();"));
    assert_true(mend_needed("#pragma unroll 0\n"));
    assert_true(mend_needed("_Pragma(\"unroll (0)\")"));
    assert_true(mend_needed("#define N 0 // not at all\n#pragma unroll(N)\n"));
    assert_false(
        mend_needed("#define N 01\n#pragma unroll N\n#pragma unroll 04\n#pragma unroll\n0;"));
    assert_false(mend_needed("k<<<1, 2>>>(p); V<V<V<int> > > x; operator<< <int>(s); a << b < c;"));
    assert_false(mend_needed("asm(\"mov.u32 %0, %%smid;\" : \"=r\"(x)); printf(\"%s %d\");"));
    assert_false(mend_needed("__device__ int f(); __global__ void k();"));
    assert_false(mend_needed(""));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(launch_marks_close_up),
    cmocka_unit_test(other_marks_stay),
    cmocka_unit_test(special_registers_beside_operands),
    cmocka_unit_test(kernels_that_are_functions_as_well),
    cmocka_unit_test(pragmas_get_their_numbers),
    cmocka_unit_test(files_are_known_by_what_they_have),
};
TEST_MAIN(tests)
