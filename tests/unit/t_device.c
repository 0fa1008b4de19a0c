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
        "0xc0000000..0xc0000027 (test.ptx:11, thread 10,0,0 of block 0,0,0); --set "
        "mem.bounds=report goes on");
    assert_int_equal(k.e.status, ERR_PROGRAM);
    kit_close(&k);
}

/*
 * Even threads call twice, odd ones inc, through a table; shared and local addresses have 32 bits.
 */
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

/* ---- launches that are refused, and what fits */

static enum refusal refused(struct kit *k, const char *kernel, u32 gx, u32 bx, u32 by, u32 smem)
{
    const u32 grid[3] = {gx, 1, 1}, block[3] = {bx, by, 1};
    u64 param[1] = {0};

    assert_false(device_run(k->d, k->p, kernel, grid, block, smem, (const u8 *)param, &k->e));
    assert_int_equal(k->e.status, ERR_USER);
    return k->d->refusal;
}

static void a_refused_launch_says_why(void **state)
{
    struct kit k;

    (void)state;
    kit_open(&k, iota, KIT_LOWER, NULL);
    assert_int_equal(refused(&k, "atoi", 1, 32, 1, 0), REFUSE_KERNEL);
    assert_int_equal(refused(&k, "iota", 0, 32, 1, 0), REFUSE_SHAPE);
    assert_int_equal(refused(&k, "iota", 1, 0, 1, 0), REFUSE_SHAPE);
    assert_int_equal(refused(&k, "iota", 1, 1025, 1, 0), REFUSE_SHAPE);
    assert_int_equal(refused(&k, "iota", 1, 64, 32, 0), REFUSE_THREADS);
    assert_int_equal(refused(&k, "iota", 1, 32, 1, 48 * 1024 + 1), REFUSE_SHARED);
    assert_int_equal(refused(&k, "iota", 1, 32, 1, 0x7fffffff), REFUSE_SHARED);
    assert_int_equal(k.d->n_launch, 0);
    u64 a = kit_buf(&k, NULL, 128);

    kit_run(&k, "iota", 1, 32, KIT_ARGS(a));
    assert_int_equal(k.d->refusal, REFUSE_NONE);
    kit_close(&k);

    assert_true(kit_try_open(&k, iota, KIT_LOWER, NULL, "tiny")); /* 256 threads a block */
    assert_int_equal(refused(&k, "iota", 1, 512, 1, 0), REFUSE_THREADS);
    kit_close(&k);
}

/* An SM of tiny has 8 warps, 4 CTAs, 16 KB. */
static void a_kernel_can_be_asked_whether_it_fits(void **state)
{
    const u32 small[3] = {32, 1, 1}, large[3] = {96, 1, 1}, wrong[3] = {512, 1, 1};
    const char *limit;
    struct kit k;

    (void)state;
    assert_true(kit_try_open(&k, iota, KIT_LOWER, NULL, "tiny"));
    assert_int_equal(device_fit(k.d, k.p, "iota", small, 0, &limit, &k.e), 4);
    assert_string_equal(limit, "CTAs");
    assert_int_equal(device_fit(k.d, k.p, "iota", large, 0, &limit, &k.e), 2);
    assert_string_equal(limit, "threads");
    assert_int_equal(device_fit(k.d, k.p, "iota", small, 8192, &limit, &k.e), 2);
    assert_string_equal(limit, "shared memory");
    assert_int_equal(device_fit(k.d, k.p, "iota", wrong, 0, &limit, &k.e), 0);
    assert_int_equal(device_fit(k.d, k.p, "none", small, 0, &limit, &k.e), 0);
    kit_close(&k);
}

/* ---- variables, and starting afresh */

static const char vars[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".global .u32 one[3] = {1, 2, 3};\n.global .u32 none[2];\n"
                           ".global .u64 there = one;\n"
                           ".visible .entry k()\n{ .reg .u32 %r; mov.u32 %r, 9;\n"
                           "st.global.u32 [one+4], %r; st.global.u32 [none], %r; ret; }\n";

static void variables_hold(struct kit *k, u32 one, u32 none)
{
    u32 a[3], b[2];
    u64 there;

    kit_get(k, program_var(k->p, "one")->addr, a, sizeof a);
    kit_get(k, program_var(k->p, "none")->addr, b, sizeof b);
    kit_get(k, program_var(k->p, "there")->addr, &there, sizeof there);
    assert_int_equal(a[0], 1);
    assert_int_equal(a[1], one);
    assert_int_equal(a[2], 3);
    assert_int_equal(b[0], none);
    assert_int_equal(there, program_var(k->p, "one")->addr);
}

static void reset_gives_variables_their_initial_values(void **state)
{
    struct kit k;
    u32 v;

    (void)state;
    kit_open(&k, vars, KIT_LOWER, NULL);
    kit_run(&k, "k", 1, 1, NULL, 0);
    variables_hold(&k, 9, 9);
    assert_true(device_reset_vars(k.d, k.p, &k.e));
    variables_hold(&k, 2, 0);
    kit_run(&k, "k", 1, 1, NULL, 0);
    u64 a = kit_buf(&k, NULL, 4), used = k.d->mem.used;

    assert_true(device_reset(k.d, &k.e));
    variables_hold(&k, 2, 0);
    assert_int_equal(used, 4);
    assert_int_equal(k.d->mem.used, 0);
    assert_false(device_read(k.d, a, &v, 4, &k.e));
    assert_int_equal(kit_buf(&k, NULL, 4), a);
    kit_run(&k, "k", 1, 1, NULL, 0);
    assert_false(device_release(k.d, program_var(k.p, "one")->addr, &k.e));
    kit_close(&k);
}

/* ---- simulated time */

/* Each CTA stores what %globaltimer says at its start and end: 3 instructions before the first. */
static const char timer[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                            ".visible .entry k(.param .u64 out)\n{ .reg .b32 %r; .reg .b64 %d<5>;\n"
                            "mov.u64 %d1, %globaltimer; mov.u32 %r, %ctaid.x;\n"
                            "ld.param.u64 %d2, [out]; mad.wide.u32 %d2, %r, 16, %d2;\n"
                            "mov.u64 %d3, %globaltimer;\n"
                            "st.global.u64 [%d2], %d1; st.global.u64 [%d2+8], %d3; ret; }\n";

/* Two SMs at 1 GHz: 3 CTAs of 8 instructions are 16 on the one and 8 on the other. */
static void time_is_what_the_busiest_sm_issues(void **state)
{
    struct kit k;
    u64 t[6];

    (void)state;
    assert_true(kit_try_open(&k, timer, KIT_OFF, NULL, "tiny"));
    u64 a = kit_buf(&k, NULL, sizeof t);

    for (u32 run = 0; run < 3; run++) {
        kit_run(&k, "k", 3, 1, KIT_ARGS(a));
        assert_int_equal(k.d->last.time_ps, 16000);
        assert_int_equal(k.d->time_ps, (run + 1) * 16000);
        kit_get(&k, a, t, sizeof t);
        assert_int_equal(t[0], run * 16 + 1);
        assert_int_equal(t[1], run * 16 + 5);
        assert_int_equal(t[4], run * 16 + 9); /* CTA 2 follows CTA 0 */
    }
    kit_close(&k);
}

/* The other block has ended before, and its place is empty; so has the last block's. */
static void a_deadlock_is_found_beside_blocks_that_have_ended(void **state)
{
    static const char text[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .b32 %r<4>; .reg .pred %p;\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; setp.ne.u32 %p, %r2, 1; @%p ret;\n"
        "setp.lt.u32 %p, %r1, 32; @%p ret;\nbar.sync 3, 64;\nret;\n}\n";
    struct kit k;

    (void)state;
    kit_open(&k, text, KIT_OFF, NULL);
    assert_false(kit_try(&k, "k", 3, 64, NULL, 0));
    assert_string_equal(k.e.msg, "kernel k: deadlock: warp 1 of block 1,0,0 waits at barrier 3 for "
                                 "ever (test.ptx:9)");
    assert_int_equal(k.d->last.end, RUN_DEADLOCK);
    kit_close(&k);
}

/* Blocks of 5 x 3 x 2 threads, of which each is the lane of its number, in a grid of 2 x 3 x 2. */
static void threads_and_blocks_are_numbered_x_first(void **state)
{
    static const char text[] =
        ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .b32 %r<9>; .reg .b64 %d<2>;\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;\n"
        "mad.lo.u32 %r1, %r2, 10, %r1; mad.lo.u32 %r1, %r3, 100, %r1; add.u32 %r1, %r1, 1000;\n"
        "mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z;\n"
        "mad.lo.u32 %r5, %r6, 3, %r5; mad.lo.u32 %r4, %r5, 2, %r4; mov.u32 %r7, %laneid;\n"
        "mad.lo.u32 %r7, %r4, 30, %r7; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r7, 4, %d1;\n"
        "st.global.u32 [%d1], %r1; ret; }\n";
    const u32 grid[3] = {2, 3, 2}, block[3] = {5, 3, 2};
    struct kit k;
    u32 got[12 * 30];

    (void)state;
    kit_open(&k, text, KIT_LOWER, NULL);
    u64 out = kit_buf(&k, NULL, sizeof got);

    assert_true(device_run(k.d, k.p, "k", grid, block, 0, (const u8 *)&out, &k.e));
    kit_get(&k, out, got, sizeof got);
    for (u32 i = 0; i < LEN(got); i++) {
        u32 t = i % 30;

        assert_int_equal(got[i], 1000 + t / 15 * 100 + t / 5 % 3 * 10 + t % 5);
    }
    kit_close(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_writes_its_thread_numbers),
    cmocka_unit_test(threads_and_blocks_are_numbered_x_first),
    cmocka_unit_test(a_module_with_32_bit_addresses_runs),
    cmocka_unit_test(a_stray_store_names_kernel_line_thread_and_address),
    cmocka_unit_test(a_refused_launch_says_why),
    cmocka_unit_test(a_kernel_can_be_asked_whether_it_fits),
    cmocka_unit_test(reset_gives_variables_their_initial_values),
    cmocka_unit_test(time_is_what_the_busiest_sm_issues),
    cmocka_unit_test(a_deadlock_is_found_beside_blocks_that_have_ended),
};

TEST_MAIN(tests)
