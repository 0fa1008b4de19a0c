/* t_device.c -- a kernel from text to results, the shortest way */
#include "tests/kit.h"

static const char iota[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".visible .entry iota(.param .u64 out)\n{\n"
                           ".reg .b32 %r<6>; .reg .b64 %rd<5>;\n"
                           "ld.param.u64 %rd1, [out];\n"
                           "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                           "mad.lo.s32 %r4, %r1, %r2, %r3;\n"
                           "mul.wide.s32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
                           "st.global.u32 [%rd3], %r4;\nret;\n}\n";

static void a_kernel_writes_its_thread_numbers(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct kit k;
        u32 out[100];

        kit_open(&k, iota, mode, NULL);
        u64 a = kit_buf(&k, NULL, sizeof out);

        kit_run(&k, "iota", 4, 25, KIT_ARGS(a));
        kit_get(&k, a, out, sizeof out);
        for (u32 i = 0; i < 100; i++)
            assert_int_equal(out[i], i);
        assert_int_equal(k.d->n.thread_insts % 100, 0);
        kit_close(&k);
    }
}

static void a_stray_store_names_kernel_line_thread_and_address(void **state)
{
    struct kit k;

    (void)state;
    kit_open(&k, iota, KIT_OFF, NULL);
    u64 a = kit_buf(&k, NULL, 40);

    assert_false(kit_try(&k, "iota", 1, 32, KIT_ARGS(a)));
    assert_string_equal(
        k.e.msg,
        "kernel iota: global write of 4 bytes at 0xc0000028 is out of bounds: right after buffer "
        "0xc0000000..0xc0000027 (test.ptx:11, thread 10,0,0 of block 0,0,0)");
    assert_int_equal(k.e.status, ERR_PROGRAM);
    kit_close(&k);
}

/* Even threads call twice, odd ones inc, through a table; shared and local addresses have 32 bits. */
static const char narrow[] =
    ".version 2.3\n.target sm_20\n.address_size 32\n"
    ".func (.param .u32 r) twice(.param .u32 a)\n{ .reg .u32 %a; ld.param.u32 %a, [a];\n"
    "add.u32 %a, %a, %a; st.param.u32 [r], %a; ret; }\n"
    ".func (.param .u32 r) inc(.param .u32 a)\n{ .reg .u32 %a; ld.param.u32 %a, [a];\n"
    "add.u32 %a, %a, 1; st.param.u32 [r], %a; ret; }\n"
    ".global .u32 table[2] = {twice, inc};\n"
    ".entry k(.param .u32 out)\n{\n.reg .u32 %r<12>; .shared .u32 s[32]; .local .u32 l[4];\n"
    "ld.param.u32 %r1, [out]; mov.u32 %r2, %tid.x; shl.b32 %r3, %r2, 2; add.u32 %r1, %r1, %r3;\n"
    "mov.u32 %r4, s; add.u32 %r4, %r4, %r3; st.shared.u32 [%r4], %r2; ld.shared.u32 %r5, [%r4];\n"
    "mov.u32 %r6, l; st.local.u32 [%r6+4], %r5; cvta.local.u32 %r6, %r6; ld.u32 %r5, [%r6+4];\n"
    "and.b32 %r7, %r2, 1; shl.b32 %r7, %r7, 2; mov.u32 %r8, table; add.u32 %r8, %r8, %r7;\n"
    "ld.global.u32 %r9, [%r8];\n{ .param .u32 p; .param .u32 q; st.param.u32 [p], %r5;\n"
    "P: .callprototype (.param .u32 _) _ (.param .u32 _);\n"
    "call (q), %r9, (p), P; ld.param.u32 %r10, [q]; }\n"
    "st.global.u32 [%r1], %r10; ret;\n}\n";

static void a_module_with_32_bit_addresses_runs(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct kit k;
        u32 out[32];

        kit_open(&k, narrow, mode, NULL);
        u64 a = kit_buf(&k, NULL, sizeof out);

        kit_run(&k, "k", 1, 32, KIT_ARGS(a));
        kit_get(&k, a, out, sizeof out);
        for (u32 i = 0; i < 32; i++)
            assert_int_equal(out[i], i & 1 ? i + 1 : 2 * i);
        kit_close(&k);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_writes_its_thread_numbers),
    cmocka_unit_test(a_module_with_32_bit_addresses_runs),
    cmocka_unit_test(a_stray_store_names_kernel_line_thread_and_address),
};

TEST_MAIN(tests)
