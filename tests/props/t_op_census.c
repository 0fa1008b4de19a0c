/*
 * t_op_census.c -- no form of the census goes untested
 *
 * census.txt lists the opcode forms that real CUDA programs use.  The forms_*.inc files are
 * the rows the tests of this folder run, so a form in one of them is run and compared.
 */
#include "tests/test_main.h"

#include <stdlib.h>

#include "base/base.h"
#include "places.h"

/* The files' rows, reduced to the form. */
#define ROW(form, sig, ref) form,
#define TEXT(form, sig, ref, text) form,
#define REGS(form, sig, ref, text) form,
#define NEAR(form, sig, near) form,
#define HALF(form, sig, ref) form,
#define LD(form) form,
#define ST(form) form,
#define ATOM(form) form,
#define PARAM(form) form,
#define TEX(form) form,
#define TXQ(form) form,
#define SULD(form) form,
#define SUST(form) form,
#define SURED(form) form,
#define SUQ(form) form,
#define WARP(form, ref, text) form,
#define CTRL(form, text) form,
#define SPACE(form, text) form,
#define MMA(form) form,
#define MATRIX(form, n) form,
#define ASYNC(form) form,
#define WMMA(form, ...) form,

static const char *const tested[] = {
#include "tests/props/forms_approx.inc"
#include "tests/props/forms_async.inc"
#include "tests/props/forms_atom.inc"
#include "tests/props/forms_bits.inc"
#include "tests/props/forms_call.inc"
#include "tests/props/forms_cmp.inc"
#include "tests/props/forms_ctrl.inc"
#include "tests/props/forms_cvt.inc"
#include "tests/props/forms_double.inc"
#include "tests/props/forms_float.inc"
#include "tests/props/forms_half.inc"
#include "tests/props/forms_half_approx.inc"
#include "tests/props/forms_half_cvt.inc"
#include "tests/props/forms_int.inc"
#include "tests/props/forms_matrix.inc"
#include "tests/props/forms_mem.inc"
#include "tests/props/forms_mma.inc"
#include "tests/props/forms_mul.inc"
#include "tests/props/forms_packed.inc"
#include "tests/props/forms_space.inc"
#include "tests/props/forms_surf.inc"
#include "tests/props/forms_tex.inc"
#include "tests/props/forms_video.inc"
#include "tests/props/forms_warp.inc"
#include "tests/props/forms_wmma.inc"
    "lop3.b32", /* rows made by t_op_bits.c */
};

static bool is_tested(const char *form)
{
    for (size_t i = 0; i < LEN(tested); i++)
        if (!strcmp(tested[i], form))
            return true;
    return false;
}

static bool has_opcode(const char *name)
{
    for (size_t i = 0; i < LEN(tested); i++)
        if (strcspn(tested[i], ".") == strlen(name) && !strncmp(tested[i], name, strlen(name)))
            return true;
    return false;
}

static void every_form_of_the_census_is_tested(void **state)
{
    FILE *f = fopen(SMELT_SOURCE_DIR "/tests/props/census.txt", "r");
    char form[80];
    u32 n = 0, missing = 0;

    (void)state;
    assert_non_null(f);
    while (fgets(form, sizeof form, f)) {
        form[strcspn(form, "\n")] = 0;
        n++;
        if (is_tested(form))
            continue;
        printf("not tested: %s\n", form);
        missing++;
    }
    fclose(f);
    assert_int_equal(n, 405);
    assert_int_equal(missing, 0);
}

static void every_opcode_of_the_isa_we_take_is_tested(void **state)
{
    static const char *const opcode[] = {
        "abs",      "activemask", "add",       "addc",     "and",          "applypriority",
        "atom",     "bar",        "barrier",   "bfe",      "bfi",          "bfind",
        "bmsk",     "bra",        "brev",      "brkpt",    "brx",          "call",
        "clz",      "cnot",       "copysign",  "cos",      "createpolicy", "cvt",
        "cvta",     "discard",    "div",       "dp2a",     "dp4a",         "ex2",
        "exit",     "fence",      "fma",       "fns",      "isspacep",     "ld",
        "ldmatrix", "stmatrix",   "movmatrix", "mma",      "ldu",          "lg2",
        "lop3",     "mad",        "mad24",     "madc",     "match",        "max",
        "membar",   "min",        "mov",       "mul",      "mul24",        "nanosleep",
        "neg",      "not",        "or",        "popc",     "prefetch",     "prefetchu",
        "prmt",     "rcp",        "red",       "redux",    "rem",          "ret",
        "rsqrt",    "sad",        "selp",      "set",      "setp",         "shf",
        "shfl",     "shl",        "shr",       "sin",      "slct",         "sqrt",
        "st",       "sub",        "subc",      "szext",    "tanh",         "testp",
        "tex",      "trap",       "txq",       "vabsdiff", "vabsdiff2",    "vabsdiff4",
        "vadd",     "vadd2",      "vadd4",     "vavrg2",   "vavrg4",       "vmad",
        "vmax",     "vmax2",      "vmax4",     "vmin",     "vmin2",        "vmin4",
        "vote",     "vset",       "vset2",     "vset4",    "vshl",         "vshr",
        "vsub",     "vsub2",      "vsub4",     "cp",       "mbarrier",     "wmma",
        "xor",
    };

    (void)state;
    for (size_t i = 0; i < LEN(opcode); i++)
        if (!has_opcode(opcode[i]))
            fail_msg("no form of %s is tested", opcode[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_form_of_the_census_is_tested),
    cmocka_unit_test(every_opcode_of_the_isa_we_take_is_tested),
};

TEST_MAIN(tests)
