/* t_memory.c -- global memory: what programs may touch, and what they are told if they stray */
#include "tests/unit/memory.h"

/* ---- global memory */

static void an_access_right_after_a_buffer_is_caught(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "st.global.u32 [%a+64], 1;"},
          "global write of 4 bytes at 0xc0000040 is out of bounds: right after buffer "
          "0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "ld.global.u8 %r1, [%a+64]; " OUT},
          "global read of 1 byte at 0xc0000040 is out of bounds: right after buffer "
          "0xc0000000..0xc000003f");
}

/* b is at 0xc0001100: 64 bytes, 4096 of guard, the next multiple of 256. */
static void the_nearest_buffer_is_named(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+80]; " OUT},
          "global read of 4 bytes at 0xc0000050 is out of bounds: 16 bytes after buffer "
          "0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%b+-8]; " OUT},
          "global read of 4 bytes at 0xc00010f8 is out of bounds: 8 bytes before buffer "
          "0xc0001100..0xc000113f");
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+-4]; " OUT},
          "global read of 4 bytes at 0xbffffffc is out of bounds: 4 bytes before buffer "
          "0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "st.global.u32 [%b+64], 1;"},
          "global write of 4 bytes at 0xc0001140 is out of bounds: right after buffer "
          "0xc0001100..0xc000113f");
}

static void an_access_across_the_end_is_caught(void **state)
{
    (void)state;
    fails(&(struct mem_case){.a_bytes = 60,
                             .body = "ld.global.u64 %d1, [%a+56]; st.global.u64 [%b], %d1;"},
          "global read of 8 bytes at 0xc0000038 is out of bounds: 4 bytes before the end of buffer "
          "0xc0000000..0xc000003b");
    fails(&(struct mem_case){.a_bytes = 61, .body = "st.global.u16 [%a+60], %h1;"},
          "global write of 2 bytes at 0xc000003c is out of bounds: 1 byte before the end of buffer "
          "0xc0000000..0xc000003c");
}

/* gtx480 has no guard: 0xc0000100 is a's end and b's start, and an overrun of a reads b. */
static void without_a_guard_an_overrun_reaches_the_next_buffer(void **state)
{
    (void)state;
    gives(&(struct mem_case){.gpu = "gtx480",
                             .a_bytes = 256,
                             .body = "st.global.u32 [%b], 5; st.global.u32 [%a+256], 7;"},
          7);
    fails(&(struct mem_case){.gpu = "gtx480", .a_bytes = 256, .body = "st.global.u32 [%b+64], 7;"},
          "global write of 4 bytes at 0xc0000140 is out of bounds: right after buffer "
          "0xc0000100..0xc000013f");
    fails(&(struct mem_case){.a_bytes = 256, .body = "st.global.u32 [%a+256], 7;"},
          "global write of 4 bytes at 0xc0000100 is out of bounds: right after buffer "
          "0xc0000000..0xc00000ff");
}

/*
 * a ends 4 bytes before b begins: a vector that starts in a and ends where b is about to is stray.
 */
static void an_access_must_lie_in_one_buffer(void **state)
{
    (void)state;
    fails(
        &(struct mem_case){.gpu = "gtx480",
                           .a_bytes = 252,
                           .body = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a+240]; " OUT},
        "global read of 16 bytes at 0xc00000f0 is out of bounds: 12 bytes before the end of buffer "
        "0xc0000000..0xc00000fb");
    gives(
        &(struct mem_case){.gpu = "gtx480",
                           .a_bytes = 252,
                           .body = "st.global.u32 [%a+248], 3; ld.global.u32 %r1, [%a+248]; " OUT},
        3);
}

/* Lanes of one instruction may go to different buffers. */
static void lanes_may_use_several_buffers_at_once(void **state)
{
    (void)state;
    gives(
        &(struct mem_case){.block = 32,
                           .a_bytes = 128,
                           .b_bytes = 128,
                           .body =
                               "and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; selp.b64 %d1, %a, "
                               "%b, %p1; mul.wide.u32 %d2, %r0, 4;"
                               "add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r0; bar.sync 0; "
                               "ld.global.u32 %r2, [%a+8];"
                               "ld.global.u32 %r3, [%b+124]; mad.lo.u32 %r1, %r2, 100, %r3; " OUT},
        231);
}

static void the_first_stray_lane_is_named(void **state)
{
    static const char body[] =
        "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %a; st.global.u32 [%d1], %r0;";
    static const char what[] =
        "global write of 4 bytes at 0xc0000028 is out of bounds: right after buffer "
        "0xc0000000..0xc0000027";

    (void)state;
    fails_in(&(struct mem_case){.block = 32, .a_bytes = 40, .body = body}, 10, what);
    fails_in(&(struct mem_case){.block = 32, .a_bytes = 40, .body = body, .set = "sm.warp_words=4"},
             10, what);
}

/* Thread 40 is in the second word of a 64-lane warp. */
static void a_thread_of_a_wide_warp_is_named(void **state)
{
    (void)state;
    fails_in(
        &(struct mem_case){
            .block = 64,
            .a_bytes = 160,
            .set = "sm.warp_words=2",
            .body = "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %a; st.global.u32 [%d1], %r0;"},
        40,
        "global write of 4 bytes at 0xc00000a0 is out of bounds: right after buffer "
        "0xc0000000..0xc000009f");
}

static void a_null_pointer_is_called_one(void **state)
{
    (void)state;
    fails(&(struct mem_case){.null_a = true,
                             .body = "ld.global.f32 %f1, [%a+16]; st.global.f32 [%b], %f1;"},
          "global read of 4 bytes at 0x10 is out of bounds: a null pointer");
    fails(&(struct mem_case){.null_a = true, .body = "st.u32 [%a], 1;"},
          "global write of 4 bytes at 0x0 is out of bounds: a null pointer");
}

/* A stray store leaves memory as it was, for all lanes of the instruction. */
static void a_stray_store_writes_nothing(void **state)
{
    const struct mem_case c = {
        .block = 32,
        .a_bytes = 40,
        .body = "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %a; st.global.u32 [%d1], 9;"};
    u32 have[10], none[10] = {0};
    struct kit k;

    (void)state;
    mem_open(&k, &c, KIT_LOWER);
    u64 a = mem_buf(&k, 40);

    assert_false(mem_launch(&k, &c, a, a));
    kit_get(&k, a, have, sizeof have);
    assert_memory_equal(have, none, sizeof have);
    kit_close(&k);
}

static void a_freed_buffer_is_gone(void **state)
{
    const struct mem_case c = {.body = "ld.global.u32 %r1, [%a+4]; " OUT};
    struct kit k;

    (void)state;
    mem_open(&k, &c, KIT_LOWER);
    u64 a = mem_buf(&k, 64), b = mem_buf(&k, 64);

    assert_true(device_release(k.d, a, &k.e));
    assert_false(mem_launch(&k, &c, a, b));
    assert_string_equal(
        k.e.msg,
        "kernel k: global read of 4 bytes at 0xc0000004 is out of bounds: inside the freed buffer "
        "0xc0000000..0xc000003f (test.ptx:2, thread 0,0,0 of block 0,0,0)" MEM_HINT);
    assert_true(mem_launch(&k, &c, b, b)); /* the device goes on */
    assert_false(device_release(k.d, a, &k.e));
    assert_string_equal(k.e.msg, "free of 0xc0000000, which is not the start of a live buffer");
    assert_false(device_release(k.d, b + 16, &k.e));
    assert_string_equal(k.e.msg, "free of 0xc0001110, which is not the start of a live buffer");
    kit_close(&k);
}

/*
 * 16M of memory: 10M and 4M, then the first is freed and 8M fit where it was; its rest is free
 * still.
 */
static void freed_room_is_used_again(void **state)
{
    const struct mem_case c = {.body = "ld.global.u32 %r1, [%a+8388608]; " OUT};
    struct kit k;

    (void)state;
    mem_open(&k, &c, KIT_OFF);
    u64 big = kit_buf(&k, NULL, 10 << 20), rest = kit_buf(&k, NULL, 4 << 20);

    assert_int_equal(device_alloc(k.d, 8 << 20, &k.e), 0);
    assert_string_equal(
        k.e.msg,
        "out of device memory: 8388608 bytes asked, 14680064 of 16777216 in use (mem.size)");
    assert_true(device_release(k.d, big, &k.e));
    assert_int_equal(kit_buf(&k, NULL, 8 << 20), big);
    assert_false(mem_launch(&k, &c, big, rest));
    assert_string_equal(
        k.e.msg,
        "kernel k: global read of 4 bytes at 0xc0800000 is out of bounds: inside the freed buffer "
        "0xc0000000..0xc09fffff (test.ptx:2, thread 0,0,0 of block 0,0,0)" MEM_HINT);
    kit_close(&k);
}

static void host_copies_stay_inside_one_buffer(void **state)
{
    const struct mem_case c = {.body = ""};
    u8 bytes[65] = {0};
    struct kit k;

    (void)state;
    mem_open(&k, &c, KIT_OFF);
    u64 a = mem_buf(&k, 64), none = device_alloc(k.d, 0, &k.e);

    assert_true(none != 0 && none != a);
    assert_true(device_release(k.d, none, &k.e));
    assert_int_equal(k.d->mem.used, 64);
    assert_false(device_write(k.d, a, bytes, 65, &k.e));
    assert_string_equal(
        k.e.msg,
        "copy to the device of 65 bytes at 0xc0000000 is outside of device memory: 64 bytes before "
        "the end of buffer 0xc0000000..0xc000003f");
    assert_false(device_read(k.d, a + 64, bytes, 1, &k.e));
    assert_string_equal(k.e.msg, "copy from the device of 1 byte at 0xc0000040 is outside of "
                                 "device memory: right after buffer "
                                 "0xc0000000..0xc000003f");
    assert_true(device_read(k.d, 5, bytes, 0, &k.e));
    kit_close(&k);
}

/* ---- alignment and vectors */

static void accesses_must_be_aligned(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+2]; " OUT},
          "global read of 4 bytes at 0xc0000002 is misaligned");
    fails(&(struct mem_case){.body = "st.global.u16 [%a+1], %h1;"},
          "global write of 2 bytes at 0xc0000001 is misaligned");
    fails(&(struct mem_case){.body = "st.global.v2.u32 [%a+4], {%r1, %r2};"},
          "global write of 8 bytes at 0xc0000004 is misaligned");
    fails(
        &(struct mem_case){
            .body = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%a+8]; st.global.f32 [%b], %f4;"},
        "global read of 16 bytes at 0xc0000008 is misaligned");
    fails(&(struct mem_case){.before = ".shared .align 8 .b8 s[16];",
                             .body = "st.shared.u64 [s+4], %d1;"},
          "shared write of 8 bytes at 0x4 is misaligned");
    fails(
        &(struct mem_case){.body = "atom.global.add.u64 %d1, [%a+4], 1; st.global.u64 [%b], %d1;"},
        "global write of 8 bytes at 0xc0000004 is misaligned");
}

static void vectors_move_their_elements_in_order(void **state)
{
    (void)state;
    gives(&(struct mem_case){.body = "st.global.v4.u32 [%a+16], {1, 2, 3, 4}; ld.global.v2.u32 "
                                     "{%r1, %r2}, [%a+24]; mad.lo.u32 %r1, %r1, 10, %r2; " OUT},
          34);
    gives(
        &(struct mem_case){
            .body =
                "st.global.v2.u64 [%a], {%a, %b}; ld.global.v4.u32 {_, _, %r1, %r2}, [%a]; " OUT},
        0xc0001100);
    gives(
        &(struct mem_case){
            .body = "st.global.u32 [%a], 0x80ff0201; ld.global.v4.s8 {%r1, %r2, %r3, %r4}, [%a];"
                    "add.s32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3; sub.s32 %r1, %r1, %r4; " OUT},
        1 + 2 - 1 + 128);
}

/* ---- atomics */

static void stray_atomics_are_caught(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "atom.global.add.u32 %r1, [%a+64], 1; " OUT},
          "global write of 4 bytes at 0xc0000040 is out of bounds: right after buffer "
          "0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "red.global.max.u64 [%a+64], %d1;"},
          "global write of 8 bytes at 0xc0000040 is out of bounds: right after buffer "
          "0xc0000000..0xc000003f");
    fails(&(struct mem_case){.before = ".shared .u32 s[2];",
                             .body = "atom.shared.cas.b32 %r1, [s+8], 0, 1; " OUT},
          "shared write of 4 bytes at 0x8 is out of bounds: the CTA has 8 bytes of shared memory");
    fails(&(struct mem_case){.null_a = true, .body = "atom.exch.b32 %r1, [%a], 1; " OUT},
          "global write of 4 bytes at 0x0 is out of bounds: a null pointer");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_access_right_after_a_buffer_is_caught),
    cmocka_unit_test(the_nearest_buffer_is_named),
    cmocka_unit_test(an_access_across_the_end_is_caught),
    cmocka_unit_test(without_a_guard_an_overrun_reaches_the_next_buffer),
    cmocka_unit_test(an_access_must_lie_in_one_buffer),
    cmocka_unit_test(lanes_may_use_several_buffers_at_once),
    cmocka_unit_test(the_first_stray_lane_is_named),
    cmocka_unit_test(a_thread_of_a_wide_warp_is_named),
    cmocka_unit_test(a_null_pointer_is_called_one),
    cmocka_unit_test(a_stray_store_writes_nothing),
    cmocka_unit_test(a_freed_buffer_is_gone),
    cmocka_unit_test(freed_room_is_used_again),
    cmocka_unit_test(host_copies_stay_inside_one_buffer),
    cmocka_unit_test(accesses_must_be_aligned),
    cmocka_unit_test(vectors_move_their_elements_in_order),
    cmocka_unit_test(stray_atomics_are_caught),
};

TEST_MAIN(tests)
