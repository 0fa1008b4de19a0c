/* t_map.c -- host memory that kernels touch where it is on the host */
#include <inttypes.h>

#include "base/text.h"
#include "tests/kit.h"

/* words and bytes add 1 to an element a thread, pairs swaps two, count adds 2 to one by atomics. */
static const char text[] =
    ".version 6.0 .target sm_35 .address_size 64\n.global .texref tex;\n"
    ".visible .entry words(.param .u64 a) { .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "mov.u32 %r1, %tid.x; ld.param.u64 %d1, [a]; mad.wide.u32 %d2, %r1, 4, %d1;\n"
    "ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; st.global.u32 [%d2], %r2; ret; }\n"
    ".visible .entry bytes(.param .u64 a) { .reg .b16 %h; .reg .b32 %r<4>;\n"
    ".reg .b64 %d<5>; mov.u32 %r1, %tid.x; cvt.u64.u32 %d3, %r1; ld.param.u64 %d1, [a];\n"
    "add.u64 %d2, %d1, %d3; ld.u8 %h, [%d2]; add.u16 %h, %h, 1; st.u8 [%d2], %h; ret; }\n"
    ".visible .entry pairs(.param .u64 a) { .reg .b32 %r<4>; .reg .b64 %d<6>;\n"
    "mov.u32 %r1, %tid.x; ld.param.u64 %d1, [a]; mad.wide.u32 %d2, %r1, 16, %d1;\n"
    "ld.global.v2.u64 {%d3, %d4}, [%d2]; st.global.v2.u64 [%d2], {%d4, %d3}; ret; }\n"
    ".visible .entry count(.param .u64 a) { .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [a]; mov.u32 %r1, 1; atom.global.add.u32 %r2, [%d1], %r1;\n"
    "atom.add.u32 %r2, [%d1], %r1; ret; }\n"
    ".visible .entry fetch(.param .u64 out) { .reg .b32 %r<6>; .reg .b64 %d<4>;\n"
    "mov.u32 %r1, %tid.x; tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [tex, {%r1}];\n"
    "ld.param.u64 %d1, [out]; mad.wide.u32 %d2, %r1, 4, %d1; st.global.u32 [%d2], %r2; ret; }\n";

/* The memory ends where malloc's block ends, so that the sanitizer sees a byte too many. */
struct map {
    struct kit k;
    u8 *host;
    u64 addr;
};

static void start(struct map *m, const char *isa, u32 bytes, bool check)
{
    struct run_opts opts = {.functional = true, .isa = isa, .check = check};

    memset(m, 0, sizeof *m);
    assert_true(conf_make(&m->k.conf, "tiny", NULL, 0, &m->k.e));
    m->k.d = device_new(&m->k.conf, &opts, &m->k.e);
    m->k.p = device_load(m->k.d, "test.ptx", text, strlen(text), &m->k.e);
    if (!m->k.p)
        fail_msg("%s", m->k.e.msg);
    m->host = malloc(bytes);
    memset(m->host, 0, bytes);
    m->addr = (uintptr_t)m->host;
    assert_true(device_map(m->k.d, m->host, bytes, &m->k.e));
}

static void finish(struct map *m)
{
    kit_close(&m->k);
    free(m->host);
}

/* Block sizes around 32, so that whole and partial warps end at the end of the memory. */
static void loads_and_stores_reach_to_the_last_byte(void **state)
{
    static const char *const isa[] = {"base", NULL};

    (void)state;
    for (u32 i = 0; i < LEN(isa); i++)
        for (u32 n = 31; n <= 64; n += n == 33 ? 31 : 1) {
            struct map m;
            u32 word;

            start(&m, isa[i], 4 * n, false);
            kit_run(&m.k, "words", 1, n, KIT_ARGS(m.addr));
            for (u32 t = 0; t < n; t++) {
                memcpy(&word, m.host + 4 * t, 4);
                assert_int_equal(word, 1);
            }
            kit_run(&m.k, "bytes", 1, n, KIT_ARGS(m.addr + 3 * n));
            for (u32 t = 3 * n; t < 4 * n; t++)
                assert_int_equal(m.host[t], 1 + (t % 4 == 0));
            finish(&m);
        }
}

static void vectors_and_atomics_work(void **state)
{
    struct map m;
    u64 v[64];
    u32 sum;

    (void)state;
    start(&m, NULL, sizeof v, false);
    for (u32 i = 0; i < 64; i++)
        v[i] = i;
    memcpy(m.host, v, sizeof v);
    kit_run(&m.k, "pairs", 1, 32, KIT_ARGS(m.addr));
    memcpy(v, m.host, sizeof v);
    for (u32 i = 0; i < 64; i++)
        assert_int_equal(v[i], i ^ 1);
    kit_run(&m.k, "count", 2, 32, KIT_ARGS(m.addr + sizeof v - 4));
    memcpy(&sum, m.host + sizeof v - 4, 4);
    assert_int_equal(sum, 128);
    finish(&m);
}

static void textures_can_be_bound_to_it(void **state)
{
    struct texture t = {.width = 7, .channels = 1, .bits = 16, .is_signed = true};
    struct map m;
    u32 out[32];
    s16 v[7];

    (void)state;
    start(&m, NULL, sizeof v, false);
    for (u32 i = 0; i < 7; i++)
        v[i] = (s16)(-3 * (int)i);
    memcpy(m.host, v, sizeof v);
    t.addr = m.addr;
    assert_true(device_bind_texture(m.k.d, m.k.p, "tex", &t, &m.k.e));
    u64 a = kit_buf(&m.k, NULL, sizeof out);

    kit_run(&m.k, "fetch", 1, 32, KIT_ARGS(a));
    kit_get(&m.k, a, out, sizeof out);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal((s32)out[i], v[i < 7 ? i : 6]);
    finish(&m);
}

static void an_overrun_is_a_fault(void **state)
{
    struct map m;

    (void)state;
    start(&m, NULL, 40, false);
    char *want = text_printf("kernel words: global read of 4 bytes at 0x%" PRIx64
                             " is out of bounds: right after mapped host memory 0x%" PRIx64
                             "..0x%" PRIx64 " (test.ptx:5, thread 10,0,0 of block 0,0,0)"
                             "; --set mem.bounds=report goes on",
                             m.addr + 40, m.addr, m.addr + 39);

    assert_false(kit_try(&m.k, "words", 1, 32, KIT_ARGS(m.addr)));
    assert_string_equal(m.k.e.msg, want);
    free(want);
    finish(&m);
}

static void the_host_copies_to_and_from_it(void **state)
{
    struct map m;
    u32 v = 0x01020304;

    (void)state;
    start(&m, NULL, 16, false);
    assert_true(device_write(m.k.d, m.addr + 12, &v, 4, &m.k.e));
    assert_memory_equal(m.host + 12, &v, 4);
    assert_true(device_set(m.k.d, m.addr, 7, 12, &m.k.e));
    assert_true(device_read(m.k.d, m.addr + 8, &v, 4, &m.k.e));
    assert_int_equal(v, 0x07070707);
    assert_true(device_write(m.k.d, m.addr, m.host + 4, 12, &m.k.e)); /* both sides the same */
    assert_false(device_write(m.k.d, m.addr, &v, 17, &m.k.e));
    finish(&m);
}

static void it_counts_as_written(void **state)
{
    struct map m;

    (void)state;
    start(&m, NULL, 128, true);
    kit_run(&m.k, "words", 1, 32, KIT_ARGS(m.addr));
    assert_int_equal(m.k.d->n_uninit, 0);
    finish(&m);
}

static void only_what_was_mapped_can_be_unmapped_and_is_gone_then(void **state)
{
    struct map m;
    u32 v;

    (void)state;
    start(&m, NULL, 64, false);
    u64 buf = kit_buf(&m.k, NULL, 64);

    assert_false(device_release(m.k.d, m.addr, &m.k.e));
    assert_false(device_unmap(m.k.d, m.host + 4, &m.k.e));
    assert_false(device_unmap(m.k.d, (void *)(uintptr_t)buf, &m.k.e));
    assert_true(device_unmap(m.k.d, m.host, &m.k.e));
    assert_false(device_unmap(m.k.d, m.host, &m.k.e));
    assert_false(device_read(m.k.d, m.addr, &v, 4, &m.k.e));
    assert_true(device_map(m.k.d, m.host, 64, &m.k.e));
    assert_true(device_reset(m.k.d, &m.k.e));
    assert_false(device_read(m.k.d, m.addr, &v, 4, &m.k.e));
    m.host[63] = 1; /* still ours */
    finish(&m);
}

static void overlaps_and_the_addresses_of_the_gpu_are_refused(void **state)
{
    struct map m;

    (void)state;
    start(&m, NULL, 64, false);
    assert_false(device_map(m.k.d, m.host, 64, &m.k.e));
    assert_false(device_map(m.k.d, m.host + 60, 64, &m.k.e));
    assert_false(device_map(m.k.d, m.host - 60, 61, &m.k.e));
    assert_false(device_map(m.k.d, m.host, 0, &m.k.e));
    assert_false(device_map(m.k.d, m.host, ~0ull, &m.k.e));
    for (u64 a = 0x01000000; a < 0xD0000000; a += 0x01000000)
        if (device_map(m.k.d, (void *)(uintptr_t)a, 16, &m.k.e))
            assert_true(a >= 0xC3000000); /* 16 MB of buffers, up to as much heap */
    finish(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(loads_and_stores_reach_to_the_last_byte),
    cmocka_unit_test(vectors_and_atomics_work),
    cmocka_unit_test(textures_can_be_bound_to_it),
    cmocka_unit_test(an_overrun_is_a_fault),
    cmocka_unit_test(the_host_copies_to_and_from_it),
    cmocka_unit_test(it_counts_as_written),
    cmocka_unit_test(only_what_was_mapped_can_be_unmapped_and_is_gone_then),
    cmocka_unit_test(overlaps_and_the_addresses_of_the_gpu_are_refused),
};

TEST_MAIN(tests)
