/* t_memory.c -- what programs may touch, and what they are told if they touch something else */
#include <unistd.h>

#include "base/text.h"
#include "tests/kit.h"

/*
 * A kernel of one thread block with two pointer parameters, already in %a and %b.  All before the body is
 * on line 1, so that the body is on line 2.  OUT stores %r1 of thread 0 where %b points.
 */
struct mem_case {
    const char *before; /* module variables and functions, or NULL */
    const char *body;
    const char *gpu;    /* NULL: tiny, which leaves a gap of 256 bytes after each buffer */
    u32 a_bytes, b_bytes; /* 0: 64 */
    u32 block, smem;
    const char *set;    /* a key */
    bool null_a, check;
};

#define OUT "st.global.u32 [%b], %r1;"

static char *mem_text(const struct mem_case *c)
{
    return text_printf(".version 6.0 .target sm_35 .address_size 64 %s .visible .entry k(.param .u64 a, .param .u64 b) {"
                       ".reg .b16 %%h<4>; .reg .b32 %%r<9>; .reg .b64 %%d<9>, %%a, %%b; .reg .f32 %%f<5>; .reg .pred %%p<4>;"
                       "mov.u32 %%r0, %%tid.x; ld.param.u64 %%a, [a]; ld.param.u64 %%b, [b];\n%s\nret;}\n",
                       c->before ? c->before : "", c->body);
}

static void mem_open(struct kit *k, const struct mem_case *c, u32 mode)
{
    const char *set[] = {mode == KIT_OFF ? "front.lower=off" : "front.lower=on", c->set};
    struct run_opts opts = {.check = c->check};
    char *text = mem_text(c);

    memset(k, 0, sizeof *k);
    assert_true(conf_make(&k->conf, c->gpu ? c->gpu : "tiny", set, c->set ? 2 : 1, &k->e));
    k->d = device_new(&k->conf, &opts, &k->e);
    assert_non_null(k->d);
    k->p = device_load(k->d, "test.ptx", text, strlen(text), &k->e);
    if (!k->p) {
        err_print(&k->e, stdout);
        fail_msg("the PTX does not load");
    }
    free(text);
}

static bool mem_launch(struct kit *k, const struct mem_case *c, u64 a, u64 b)
{
    const u32 grid[3] = {1, 1, 1}, block[3] = {c->block ? c->block : 1, 1, 1};
    u64 param[2] = {a, b};

    return device_run(k->d, k->p, "k", grid, block, c->smem, (const u8 *)param, &k->e);
}

static u64 mem_buf(struct kit *k, u32 bytes)
{
    return kit_buf(k, NULL, bytes ? bytes : 64);
}

/* The kernel fails with "kernel k: WHAT (test.ptx:2, thread THREAD,0,0 of block 0,0,0)". */
static void fails_in(const struct mem_case *c, u32 thread, const char *what)
{
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct kit k;
        char *want = text_printf("kernel k: %s (test.ptx:2, thread %u,0,0 of block 0,0,0)", what, thread);

        mem_open(&k, c, mode);
        u64 a = mem_buf(&k, c->a_bytes), b = mem_buf(&k, c->b_bytes);

        assert_false(mem_launch(&k, c, c->null_a ? 0 : a, b));
        assert_string_equal(k.e.msg, want);
        assert_int_equal(k.e.status, ERR_PROGRAM);
        assert_int_equal(k.d->launch[0].end, RUN_FAULT);
        kit_close(&k);
        free(want);
    }
}

static void fails(const struct mem_case *c, const char *what)
{
    fails_in(c, 0, what);
}

/* The kernel runs and leaves `want` in the first word of b. */
static void gives(const struct mem_case *c, u32 want)
{
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct kit k;
        u32 have;

        mem_open(&k, c, mode);
        u64 a = mem_buf(&k, c->a_bytes), b = mem_buf(&k, c->b_bytes);

        if (!mem_launch(&k, c, c->null_a ? 0 : a, b))
            fail_msg("%s", k.e.msg);
        kit_get(&k, b, &have, sizeof have);
        assert_int_equal(have, want);
        kit_close(&k);
    }
}

/* ---- global memory */

static void an_access_right_after_a_buffer_is_caught(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "st.global.u32 [%a+64], 1;"},
          "global write of 4 bytes at 0xc0000040 is out of bounds: right after buffer 0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "ld.global.u8 %r1, [%a+64]; " OUT},
          "global read of 1 byte at 0xc0000040 is out of bounds: right after buffer 0xc0000000..0xc000003f");
}

/* b is at 0xc0000200: 64 bytes, 256 of guard, the next multiple of 256. */
static void the_nearest_buffer_is_named(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+80]; " OUT},
          "global read of 4 bytes at 0xc0000050 is out of bounds: 16 bytes after buffer 0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%b+-8]; " OUT},
          "global read of 4 bytes at 0xc00001f8 is out of bounds: 8 bytes before buffer 0xc0000200..0xc000023f");
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+-4]; " OUT},
          "global read of 4 bytes at 0xbffffffc is out of bounds: 4 bytes before buffer 0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "st.global.u32 [%b+64], 1;"},
          "global write of 4 bytes at 0xc0000240 is out of bounds: right after buffer 0xc0000200..0xc000023f");
}

static void an_access_across_the_end_is_caught(void **state)
{
    (void)state;
    fails(&(struct mem_case){.a_bytes = 60, .body = "ld.global.u64 %d1, [%a+56]; st.global.u64 [%b], %d1;"},
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
    gives(&(struct mem_case){.gpu = "gtx480", .a_bytes = 256, .body = "st.global.u32 [%b], 5; st.global.u32 [%a+256], 7;"}, 7);
    fails(&(struct mem_case){.gpu = "gtx480", .a_bytes = 256, .body = "st.global.u32 [%b+64], 7;"},
          "global write of 4 bytes at 0xc0000140 is out of bounds: right after buffer 0xc0000100..0xc000013f");
    fails(&(struct mem_case){.a_bytes = 256, .body = "st.global.u32 [%a+256], 7;"},
          "global write of 4 bytes at 0xc0000100 is out of bounds: right after buffer 0xc0000000..0xc00000ff");
}

/* a ends 4 bytes before b begins: a vector that starts in a and ends where b is about to is stray. */
static void an_access_must_lie_in_one_buffer(void **state)
{
    (void)state;
    fails(&(struct mem_case){.gpu = "gtx480", .a_bytes = 252, .body = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a+240]; " OUT},
          "global read of 16 bytes at 0xc00000f0 is out of bounds: 12 bytes before the end of buffer "
          "0xc0000000..0xc00000fb");
    gives(&(struct mem_case){.gpu = "gtx480", .a_bytes = 252, .body = "st.global.u32 [%a+248], 3; ld.global.u32 %r1, [%a+248]; " OUT}, 3);
}

/* Lanes of one instruction may go to different buffers. */
static void lanes_may_use_several_buffers_at_once(void **state)
{
    (void)state;
    gives(&(struct mem_case){.block = 32,
                             .a_bytes = 128,
                             .b_bytes = 128,
                             .body = "and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; selp.b64 %d1, %a, %b, %p1; mul.wide.u32 %d2, %r0, 4;"
                                     "add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r0; bar.sync 0; ld.global.u32 %r2, [%a+8];"
                                     "ld.global.u32 %r3, [%b+124]; mad.lo.u32 %r1, %r2, 100, %r3; " OUT},
          231);
}

static void the_first_stray_lane_is_named(void **state)
{
    static const char body[] = "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %a; st.global.u32 [%d1], %r0;";
    static const char what[] = "global write of 4 bytes at 0xc0000028 is out of bounds: right after buffer "
                               "0xc0000000..0xc0000027";

    (void)state;
    fails_in(&(struct mem_case){.block = 32, .a_bytes = 40, .body = body}, 10, what);
    fails_in(&(struct mem_case){.block = 32, .a_bytes = 40, .body = body, .set = "sm.warp_words=4"}, 10, what);
}

/* Thread 40 is in the second word of a 64-lane warp. */
static void a_thread_of_a_wide_warp_is_named(void **state)
{
    (void)state;
    fails_in(&(struct mem_case){.block = 64,
                                .a_bytes = 160,
                                .set = "sm.warp_words=2",
                                .body = "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %a; st.global.u32 [%d1], %r0;"},
             40, "global write of 4 bytes at 0xc00000a0 is out of bounds: right after buffer 0xc0000000..0xc000009f");
}

static void a_null_pointer_is_called_one(void **state)
{
    (void)state;
    fails(&(struct mem_case){.null_a = true, .body = "ld.global.f32 %f1, [%a+16]; st.global.f32 [%b], %f1;"},
          "global read of 4 bytes at 0x10 is out of bounds: a null pointer");
    fails(&(struct mem_case){.null_a = true, .body = "st.u32 [%a], 1;"},
          "global write of 4 bytes at 0x0 is out of bounds: a null pointer");
}

/* A stray store leaves memory as it was, for all lanes of the instruction. */
static void a_stray_store_writes_nothing(void **state)
{
    const struct mem_case c = {.block = 32, .a_bytes = 40, .body = "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %a; st.global.u32 [%d1], 9;"};
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
    assert_string_equal(k.e.msg, "kernel k: global read of 4 bytes at 0xc0000004 is out of bounds: inside the freed buffer "
                                 "0xc0000000..0xc000003f (test.ptx:2, thread 0,0,0 of block 0,0,0)");
    assert_true(mem_launch(&k, &c, b, b)); /* the device goes on */
    assert_false(device_release(k.d, a, &k.e));
    assert_string_equal(k.e.msg, "free of 0xc0000000, which is not the start of a live buffer");
    assert_false(device_release(k.d, b + 16, &k.e));
    assert_string_equal(k.e.msg, "free of 0xc0000210, which is not the start of a live buffer");
    kit_close(&k);
}

/* 16M of memory: 10M and 4M, then the first is freed and 8M fit where it was; its rest is free still. */
static void freed_room_is_used_again(void **state)
{
    const struct mem_case c = {.body = "ld.global.u32 %r1, [%a+8388608]; " OUT};
    struct kit k;

    (void)state;
    mem_open(&k, &c, KIT_OFF);
    u64 big = kit_buf(&k, NULL, 10 << 20), rest = kit_buf(&k, NULL, 4 << 20);

    assert_int_equal(device_alloc(k.d, 8 << 20, &k.e), 0);
    assert_string_equal(k.e.msg, "out of device memory: 8388608 bytes asked, 14680064 of 16777216 in use (mem.size)");
    assert_true(device_release(k.d, big, &k.e));
    assert_int_equal(kit_buf(&k, NULL, 8 << 20), big);
    assert_false(mem_launch(&k, &c, big, rest));
    assert_string_equal(k.e.msg, "kernel k: global read of 4 bytes at 0xc0800000 is out of bounds: inside the freed buffer "
                                 "0xc0000000..0xc09fffff (test.ptx:2, thread 0,0,0 of block 0,0,0)");
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
    assert_string_equal(k.e.msg, "copy to the device of 65 bytes at 0xc0000000 is outside of device memory: 64 bytes before "
                                 "the end of buffer 0xc0000000..0xc000003f");
    assert_false(device_read(k.d, a + 64, bytes, 1, &k.e));
    assert_string_equal(k.e.msg, "copy from the device of 1 byte at 0xc0000040 is outside of device memory: right after buffer "
                                 "0xc0000000..0xc000003f");
    assert_true(device_read(k.d, 5, bytes, 0, &k.e));
    kit_close(&k);
}

/* ---- alignment and vectors */

static void accesses_must_be_aligned(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+2]; " OUT}, "global read of 4 bytes at 0xc0000002 is misaligned");
    fails(&(struct mem_case){.body = "st.global.u16 [%a+1], %h1;"}, "global write of 2 bytes at 0xc0000001 is misaligned");
    fails(&(struct mem_case){.body = "st.global.v2.u32 [%a+4], {%r1, %r2};"}, "global write of 8 bytes at 0xc0000004 is misaligned");
    fails(&(struct mem_case){.body = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%a+8]; st.global.f32 [%b], %f4;"},
          "global read of 16 bytes at 0xc0000008 is misaligned");
    fails(&(struct mem_case){.before = ".shared .align 8 .b8 s[16];", .body = "st.shared.u64 [s+4], %d1;"},
          "shared write of 8 bytes at 0x4 is misaligned");
    fails(&(struct mem_case){.body = "atom.global.add.u64 %d1, [%a+4], 1; st.global.u64 [%b], %d1;"},
          "global write of 8 bytes at 0xc0000004 is misaligned");
}

static void vectors_move_their_elements_in_order(void **state)
{
    (void)state;
    gives(&(struct mem_case){.body = "st.global.v4.u32 [%a+16], {1, 2, 3, 4}; ld.global.v2.u32 {%r1, %r2}, [%a+24]; mad.lo.u32 %r1, %r1, 10, %r2; " OUT}, 34);
    gives(&(struct mem_case){.body = "st.global.v2.u64 [%a], {%a, %b}; ld.global.v4.u32 {_, _, %r1, %r2}, [%a]; " OUT}, 0xc0000200);
    gives(&(struct mem_case){.body = "st.global.u32 [%a], 0x80ff0201; ld.global.v4.s8 {%r1, %r2, %r3, %r4}, [%a];"
                                     "add.s32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3; sub.s32 %r1, %r1, %r4; " OUT},
          1 + 2 - 1 + 128);
}

/* ---- atomics */

static void stray_atomics_are_caught(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "atom.global.add.u32 %r1, [%a+64], 1; " OUT},
          "global write of 4 bytes at 0xc0000040 is out of bounds: right after buffer 0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "red.global.max.u64 [%a+64], %d1;"},
          "global write of 8 bytes at 0xc0000040 is out of bounds: right after buffer 0xc0000000..0xc000003f");
    fails(&(struct mem_case){.before = ".shared .u32 s[2];", .body = "atom.shared.cas.b32 %r1, [s+8], 0, 1; " OUT},
          "shared write of 4 bytes at 0x8 is out of bounds: the CTA has 8 bytes of shared memory");
    fails(&(struct mem_case){.null_a = true, .body = "atom.exch.b32 %r1, [%a], 1; " OUT},
          "global write of 4 bytes at 0x0 is out of bounds: a null pointer");
}

/* ---- shared memory */

static void shared_memory_ends_where_the_kernel_says(void **state)
{
    (void)state;
    gives(&(struct mem_case){.before = ".shared .u32 s[4];", .body = "st.shared.u32 [s+12], 8; ld.shared.u32 %r1, [s+12]; " OUT}, 8);
    fails(&(struct mem_case){.before = ".shared .u32 s[4];", .body = "st.shared.u32 [s+16], 8;"},
          "shared write of 4 bytes at 0x10 is out of bounds: the CTA has 16 bytes of shared memory");
    fails(&(struct mem_case){.before = ".shared .u32 s[4];", .body = "ld.shared.u32 %r1, [s+-4]; " OUT},
          "shared read of 4 bytes at 0xfffffffffffffffc is out of bounds: the CTA has 16 bytes of shared memory");
    fails(&(struct mem_case){.body = "ld.shared.u32 %r1, [0]; " OUT},
          "shared read of 4 bytes at 0x0 is out of bounds: the CTA has 0 bytes of shared memory");
}

/* 20 static bytes (if the kernel names them); dynamic ones begin at the next multiple of 16, so 32 of them end at 64. */
static void dynamic_shared_memory_follows_the_static(void **state)
{
    static const char both[] = ".shared .u32 s[5]; .extern .shared .align 16 .b8 dyn[];";

    (void)state;
    gives(&(struct mem_case){.before = both, .smem = 32, .body = "mov.u32 %r3, s; mov.u32 %r1, dyn; " OUT}, 32);
    gives(&(struct mem_case){.before = both, .smem = 32, .body = "mov.u32 %r3, s; st.shared.u32 [dyn+28], 6; ld.shared.u32 %r1, [s+60]; " OUT}, 6);
    gives(&(struct mem_case){.before = both, .smem = 32, .body = "mov.u32 %r3, s; mov.u32 %r1, %dynamic_smem_size; mov.u32 %r2, %total_smem_size;"
                                                                  "mad.lo.u32 %r1, %r1, 100, %r2; " OUT},
          3264);
    fails(&(struct mem_case){.before = both, .smem = 32, .body = "mov.u32 %r3, s; st.shared.u32 [dyn+32], 6;"},
          "shared write of 4 bytes at 0x40 is out of bounds: the CTA has 64 bytes of shared memory");
    fails(&(struct mem_case){.before = both, .body = "mov.u32 %r3, s; st.shared.u32 [dyn], 6;"},
          "shared write of 4 bytes at 0x20 is out of bounds: the CTA has 20 bytes of shared memory");
}

/* ---- local memory, parameters, constants */

static void local_arrays_belong_to_their_thread(void **state)
{
    static const char fill[] = ".local .align 4 .b8 x[64]; mov.u64 %d1, x; and.b32 %r1, %r0, 15; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2;"
                               "st.local.u32 [%d2], %r0; bar.sync 0; ld.local.u32 %r1, [%d2];"
                               "vote.all.pred %p1, 1; setp.eq.and.u32 %p1, %r1, %r0, %p1; vote.all.pred %p2, %p1; selp.u32 %r1, 1, 0, %p2; " OUT;

    (void)state;
    gives(&(struct mem_case){.block = 64, .body = fill}, 1);
    fails(&(struct mem_case){.body = ".local .align 4 .b8 x[16]; ld.local.u32 %r1, [x+16]; " OUT},
          "local read of 4 bytes at 0x10 is out of bounds: a thread has 16 bytes of local memory");
    fails(&(struct mem_case){.body = ".local .align 4 .b8 x[16]; mov.u64 %d1, x; cvta.local.u64 %d1, %d1; st.u32 [%d1+4096], 1;"},
          "local write of 4 bytes at 0x1000 is out of bounds: a thread has 16 bytes of local memory");
}

static void parameters_end_where_they_end(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "ld.param.u32 %r1, [a+16]; " OUT},
          "param read of 4 bytes at 0x10 is out of bounds: the kernel has 16 bytes of parameters");
    fails(&(struct mem_case){.body = "ld.u32 %r1, [0x3000010]; " OUT},
          "param read of 4 bytes at 0x10 is out of bounds: the kernel has 16 bytes of parameters");
    fails(&(struct mem_case){.body = "st.u32 [0x3000008], 1;"}, "write of 4 bytes at 0x8 of param memory, which is read-only");
    gives(&(struct mem_case){.body = "ld.u32 %r1, [0x3000000]; " OUT}, 0xc0000000);
}

/* tiny puts variables at 0x10000 and on. */
static void constants_end_where_they_end(void **state)
{
    static const char two[] = ".const .u32 c[2] = {11, 22};";

    (void)state;
    gives(&(struct mem_case){.before = two, .body = "ld.const.u32 %r1, [c+4]; " OUT}, 22);
    gives(&(struct mem_case){.before = two, .body = "mov.u64 %d1, c; cvta.const.u64 %d1, %d1; ld.u32 %r1, [%d1+4]; " OUT}, 22);
    fails(&(struct mem_case){.before = two, .body = "ld.const.u32 %r1, [c+8]; " OUT},
          "const read of 4 bytes at 0x10008 is out of bounds: right after buffer 0x10000..0x10007");
    fails(&(struct mem_case){.before = two, .body = "ld.const.u64 %d1, [c+4]; st.global.u64 [%b], %d1;"},
          "const read of 8 bytes at 0x10004 is misaligned");
}

/* ---- generic addresses */

static void generic_addresses_reach_every_memory(void **state)
{
    static const char body[] = ".local .u32 l; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; mov.u64 %d2, l; cvta.local.u64 %d2, %d2;"
                               "st.u32 [%d1], 1; st.u32 [%d2], 20; st.u32 [%a], 300; ld.shared.u32 %r1, [s]; ld.local.u32 %r2, [l];"
                               "ld.global.u32 %r3, [%a]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; " OUT;

    (void)state;
    gives(&(struct mem_case){.before = ".shared .u32 s;", .body = body}, 321);
    gives(&(struct mem_case){.before = ".shared .u32 s;", .body = "mov.u64 %d1, s; cvta.shared.u64 %d2, %d1; isspacep.shared %p1, %d2;"
                                                                   "isspacep.global %p2, %a; selp.u32 %r1, 1, 0, %p1; @%p2 add.u32 %r1, %r1, 2;"
                                                                   "isspacep.local %p3, %d2; @%p3 add.u32 %r1, %r1, 4; " OUT},
          3);
}

static void generic_windows_end_with_their_memory(void **state)
{
    (void)state;
    fails(&(struct mem_case){.before = ".shared .u32 s[4];", .body = "mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.u32 %r1, [%d1+16]; " OUT},
          "shared read of 4 bytes at 0x10 is out of bounds: the CTA has 16 bytes of shared memory");
    fails(&(struct mem_case){.body = "ld.u32 %r1, [0x4000000]; " OUT},
          "global read of 4 bytes at 0x4000000 is out of bounds: 3154116608 bytes before buffer 0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "mov.u64 %d1, 0x7fffffffffffff00; ld.u32 %r1, [%d1]; " OUT},
          "global read of 4 bytes at 0x7fffffffffffff00 is out of bounds: 9223372033633549504 bytes after buffer "
          "0xc0000200..0xc000023f");
}

/* ---- variables of modules */

static void variables_start_with_their_initial_values(void **state)
{
    (void)state;
    gives(&(struct mem_case){.before = ".global .u16 n[4] = {1, 2, 0xfffe};", .body = "ld.global.u16 %r1, [n+4]; ld.global.u16 %r2, [n+6]; add.u32 %r1, %r1, %r2; " OUT}, 0xfffe);
    gives(&(struct mem_case){.before = ".global .f32 f = 1.5;", .body = "ld.global.u32 %r1, [f]; " OUT}, 0x3fc00000);
    gives(&(struct mem_case){.before = ".global .u32 m[2][2] = {{1}, {3, 4}};", .body = "ld.global.u32 %r1, [m+4]; ld.global.u32 %r2, [m+8]; mad.lo.u32 %r1, %r1, 10, %r2; " OUT}, 3);
    gives(&(struct mem_case){.before = ".global .u32 zero[8];", .body = "ld.global.u32 %r1, [zero+28]; " OUT}, 0);
}

/* x is at 0x10000, y at 0x10008 (each aligned to its type), p holds &y + 4. */
static void variables_hold_addresses_of_others(void **state)
{
    static const char vars[] = ".global .u32 x[2] = {5, 6}; .global .u32 y[2] = {7, 8}; .global .u64 p[2] = {x, y + 4}; .global .u64 q = generic(p) + 8;";

    (void)state;
    gives(&(struct mem_case){.before = vars, .body = "ld.global.u64 %d1, [q]; ld.u64 %d1, [%d1]; ld.u32 %r1, [%d1]; " OUT}, 8);
    gives(&(struct mem_case){.before = vars, .body = "ld.global.u64 %d1, [p]; ld.global.u32 %r1, [%d1+4]; " OUT}, 6);
}

static void variables_hold_functions_to_call(void **state)
{
    static const char table[] = ".func (.param .b32 r) one(.param .b32 x) {st.param.b32 [r], 1; ret;}"
                                ".func (.param .b32 r) inc(.param .b32 x) {.reg .b32 v; ld.param.u32 v, [x]; add.u32 v, v, 1; st.param.b32 [r], v; ret;}"
                                ".global .u64 tab[2] = {one, inc};";

    (void)state;
    gives(&(struct mem_case){.before = table, .body = "P: .callprototype (.param .b32 _) _ (.param .b32 _); ld.global.u64 %d1, [tab+8];"
                                                      "call (%r1), %d1, (41), P; " OUT},
          42);
    fails(&(struct mem_case){.before = table, .body = "P: .callprototype (.param .b32 _) _ (.param .b32 _); mov.u64 %d1, 4096; call (%r1), %d1, (41), P; " OUT},
          "call of 0x1000, which is no function");
}

/* The prototype claims more parameters than the function has: its frame must hold them, or it is refused. */
static void a_wrong_prototype_cannot_write_past_the_frames(void **state)
{
    (void)state;
    fails(&(struct mem_case){.before = ".func f() {ret;}", .body = "P: .callprototype _ (.param .b8 _[4096]); .param .b8 big[4096]; mov.u64 %d1, f; call %d1, (big), P;"},
          "calls are nested too deeply; raise front.call_depth");
}

/* Two modules on one device: each has its x, and addresses can be passed from one to the other. */
static void modules_have_variables_of_their_own(void **state)
{
    const struct mem_case first = {.before = ".global .u32 x = 1;", .body = "ld.global.u32 %r1, [x]; add.u32 %r1, %r1, 10; st.global.u32 [x], %r1; " OUT};
    const struct mem_case second = {.before = ".global .u32 x = 2;", .body = "ld.global.u32 %r1, [x]; ld.global.u32 %r2, [%a]; mad.lo.u32 %r1, %r1, 100, %r2; " OUT};
    u64 param[2];
    const u32 one[3] = {1, 1, 1};
    struct kit k;
    u32 have;

    (void)state;
    mem_open(&k, &first, KIT_LOWER);
    char *text = mem_text(&second);
    struct program *p = device_load(k.d, "second.ptx", text, strlen(text), &k.e);
    u64 b = mem_buf(&k, 64);

    assert_non_null(p);
    assert_int_equal(program_var(k.p, "x")->addr, 0x10000);
    assert_int_equal(program_var(p, "x")->addr, 0x10100);
    assert_true(mem_launch(&k, &first, 0, b));
    param[0] = program_var(k.p, "x")->addr, param[1] = b;
    assert_true(device_run(k.d, p, "k", one, one, 0, (const u8 *)param, &k.e));
    kit_get(&k, b, &have, sizeof have);
    assert_int_equal(have, 211);
    free(text);
    kit_close(&k);
}

/* The host writes a constant between two launches. */
static void the_host_can_write_constants(void **state)
{
    const struct mem_case c = {.before = ".const .u32 c;", .body = "ld.const.u32 %r1, [c]; " OUT};
    struct kit k;
    u32 have = 77;

    (void)state;
    mem_open(&k, &c, KIT_LOWER);
    u64 b = mem_buf(&k, 64);

    assert_true(device_write(k.d, program_var(k.p, "c")->addr, &have, sizeof have, &k.e));
    assert_true(mem_launch(&k, &c, b, b));
    have = 0;
    kit_get(&k, b, &have, sizeof have);
    assert_int_equal(have, 77);
    kit_close(&k);
}

/* ---- reads of what nobody wrote */

/* Runs with checking on; what goes to stderr meanwhile is returned, to be freed. */
static char *checked(const struct mem_case *c, u32 mode, u64 *n)
{
    FILE *f = tmpfile();
    int keep = dup(STDERR_FILENO);
    char *text = xcalloc(1, 4096);
    struct kit k;

    assert_non_null(f);
    mem_open(&k, c, mode);
    u64 a = mem_buf(&k, 0), b = mem_buf(&k, 0);

    dup2(fileno(f), STDERR_FILENO);
    bool ok = mem_launch(&k, c, a, b);

    dup2(keep, STDERR_FILENO);
    close(keep);
    assert_true(ok);
    rewind(f);
    text[fread(text, 1, 4095, f)] = 0;
    fclose(f);
    *n = k.d->n_uninit;
    kit_close(&k);
    return text;
}

static void reports(const struct mem_case *c, u64 times, const char *want)
{
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        u64 n;
        char *have = checked(c, mode, &n);

        assert_string_equal(have, want);
        assert_int_equal(n, times);
        free(have);
    }
}

static void unwritten_memory_is_reported(void **state)
{
    (void)state;
    reports(&(struct mem_case){.check = true, .body = "ld.global.u32 %r1, [%a+8]; " OUT}, 1,
            "smelt: check: kernel k: global read at 0xc0000008 of memory that nobody wrote (test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
    reports(&(struct mem_case){.check = true, .before = ".shared .u32 s[2];", .body = "ld.shared.u32 %r1, [s+4]; " OUT}, 1,
            "smelt: check: kernel k: shared read at 0x4 of memory that nobody wrote (test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
    reports(&(struct mem_case){.check = true, .body = "atom.global.add.u32 %r1, [%a], 1; " OUT}, 1,
            "smelt: check: kernel k: global read at 0xc0000000 of memory that nobody wrote (test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
}

/* A word of which only half was written; and a loop that reads eight of them says it once. */
static void unwritten_memory_is_reported_once_per_instruction(void **state)
{
    (void)state;
    reports(&(struct mem_case){.check = true, .body = "st.global.u16 [%a], %h1; ld.global.u32 %r1, [%a]; " OUT}, 1,
            "smelt: check: kernel k: global read at 0xc0000000 of memory that nobody wrote (test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
    reports(&(struct mem_case){.check = true, .body = "mov.u64 %d1, %a; mov.u32 %r2, 0; mov.u32 %r1, 0; L: ld.global.u32 %r3, [%d1]; add.u32 %r1, %r1, %r3;"
                                                      "add.u64 %d1, %d1, 4; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 8; @%p1 bra L; " OUT}, 8,
            "smelt: check: kernel k: global read at 0xc0000000 of memory that nobody wrote (test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
}

static void written_memory_is_not_reported(void **state)
{
    (void)state;
    reports(&(struct mem_case){.check = true, .body = "st.global.u32 [%a+8], 3; ld.global.u32 %r1, [%a+8]; " OUT}, 0, "");
    reports(&(struct mem_case){.check = true, .before = ".global .u32 g[2] = {1}; .global .u32 z;", .body = "ld.global.u32 %r1, [g+4]; ld.global.u32 %r2, [z]; add.u32 %r1, %r1, %r2; " OUT}, 0, "");
    reports(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+8]; " OUT}, 0, "");
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
    cmocka_unit_test(shared_memory_ends_where_the_kernel_says),
    cmocka_unit_test(dynamic_shared_memory_follows_the_static),
    cmocka_unit_test(local_arrays_belong_to_their_thread),
    cmocka_unit_test(parameters_end_where_they_end),
    cmocka_unit_test(constants_end_where_they_end),
    cmocka_unit_test(generic_addresses_reach_every_memory),
    cmocka_unit_test(generic_windows_end_with_their_memory),
    cmocka_unit_test(variables_start_with_their_initial_values),
    cmocka_unit_test(variables_hold_addresses_of_others),
    cmocka_unit_test(variables_hold_functions_to_call),
    cmocka_unit_test(a_wrong_prototype_cannot_write_past_the_frames),
    cmocka_unit_test(modules_have_variables_of_their_own),
    cmocka_unit_test(the_host_can_write_constants),
    cmocka_unit_test(unwritten_memory_is_reported),
    cmocka_unit_test(unwritten_memory_is_reported_once_per_instruction),
    cmocka_unit_test(written_memory_is_not_reported),
};

TEST_MAIN(tests)
