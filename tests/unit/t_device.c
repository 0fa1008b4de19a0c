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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_writes_its_thread_numbers),
    cmocka_unit_test(a_stray_store_names_kernel_line_thread_and_address),
};

TEST_MAIN(tests)
