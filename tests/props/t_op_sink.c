/* t_op_sink.c -- a result into '_' goes nowhere, whatever computes it */
#include "tests/props/op_job.h"

static const char *const statements[] = {
    "add.s32 _, %w1, %w1",
    "add.s64 _, %d1, %d1",
    "addc.cc.u32 _, %w1, %w1",
    "mul.wide.u32 _, %w1, 3",
    "fma.rn.f64 _, %d1, %d1, %d1",
    "selp.b32 _, %w1, %w1, %p1",
    "set.eq.u32.u32 _, %w1, %w1",
    "setp.eq.u32 _, %w1, 0",
    "setp.eq.u32 _|_, %w1, 0",
    "testp.finite.f32 _, %w1",
    "not.pred _, %p1",
    "cvt.u64.u32 _, %w1",
    "mov.u64 _, %d1",
    "mov.u64 _, lo",
    "mov.u64 _, %tid.x",
    "mov.u32 _, %clock",
    "mov.u64 _, %clock64",
    "mov.b64 {_, _}, %d1",
    "mov.b64 _, {%w1, %w1}",
    "ld.global.u32 _, [%d1]",
    "ld.global.u64 _, [%d1]",
    "ld.global.v2.u32 {_, %w2}, [%d1]",
    "ld.param.u32 _, [in]",
    "ld.param.u64 _, [in]",
    "atom.global.add.u32 _, [%d1+8], 1",
    "atom.global.add.u64 _, [%d1+8], 1",
    "shfl.idx.b32 _, %w1, 0, 31",
    "match.any.sync.b32 _, %w1, -1",
    "vote.ballot.b32 _, %p1",
    "activemask.b32 _",
    "bar.red.popc.u32 _, 0, %p1",
    "txq.width.b32 _, [tx]",
};

static void a_result_nobody_wants_goes_nowhere(void **state)
{
    static const u32 in[4] = {1}, want[1] = {3};

    (void)state;
    for (u32 i = 0; i < LEN(statements); i++) {
        char text[1000];

        snprintf(text, sizeof text,
                 OP_HEAD ".global .texref tx;\n"
                         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                         ".reg .b32 %%w<4>; .reg .b64 %%d<4>; .reg .pred %%p<3>; .local .b32 lo;\n"
                         "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out];\n"
                         "mov.u32 %%w1, 3; setp.eq.u32 %%p1, %%w1, 3;\n%s;\n@%%p1 %s;\n"
                         "st.global.u32 [%%d2], %%w1; ret;\n}\n",
                 statements[i], statements[i]);
        op_job_check(statements[i], text,
                     (struct op_job){.kernel = "k",
                                     .in = in,
                                     .n_in = sizeof in,
                                     .want = want,
                                     .n_want = sizeof want,
                                     .grid = 1,
                                     .block = 64});
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_result_nobody_wants_goes_nowhere),
};

TEST_MAIN(tests)
