/* t_heap.c -- malloc and free in kernels */
#include <inttypes.h>

#include "base/text.h"
#include "tests/kit.h"

/* The address of the thread's place in `at`, in %d2. */
#define PLACE                                                                                      \
    ".reg .b64 %d<9>; .reg .b32 %r<4>; { .param .b64 p; .param .b64 q; ld.param.u64 %d1, [at];"    \
    " st.param.b64 [p], %d1; call.uni (q), place, (p); ld.param.b64 %d2, [q]; }\n"

/*
 * Each thread has a place in `at`: take and give allocate and free what is there, put and get use
 * it.
 */
static const char text[] =
    ".version 6.0 .target sm_35 .address_size 64\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p);\n"
    ".func (.param .b64 r) place(.param .b64 at) { .reg .b32 %t, %c, %n; .reg .b64 %d;\n"
    "mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x; mad.lo.u32 %t, %c, %n, %t;\n"
    "ld.param.u64 %d, [at]; mad.wide.u32 %d, %t, 8, %d; st.param.b64 [r], %d; ret; }\n"
    ".visible .entry take(.param .u64 at, .param .u64 bytes) {" PLACE
    "ld.param.u64 %d3, [bytes]; { .param .b64 p; .param .b64 q; st.param.b64 [p], %d3;\n"
    "call.uni (q), malloc, (p); ld.param.b64 %d4, [q]; } st.global.u64 [%d2], %d4; ret; }\n"
    ".visible .entry give(.param .u64 at) {" PLACE
    "ld.global.u64 %d4, [%d2]; { .param .b64 p; st.param.b64 [p], %d4; call.uni free, (p); }\n"
    "ret; }\n"
    ".visible .entry put(.param .u64 at, .param .u64 off, .param .u32 v) {" PLACE
    "ld.global.u64 %d4, [%d2]; ld.param.u64 %d5, [off]; add.u64 %d4, %d4, %d5;\n"
    "ld.param.u32 %r1, [v]; mov.u32 %r2, %tid.x; add.u32 %r1, %r1, %r2; st.u32 [%d4], %r1; ret; }\n"
    ".visible .entry get(.param .u64 at, .param .u64 off, .param .u64 out) {" PLACE
    "ld.global.u64 %d4, [%d2]; ld.param.u64 %d5, [off]; add.u64 %d4, %d4, %d5; ld.u32 %r1, [%d4];\n"
    "mov.u32 %r2, %tid.x; ld.param.u64 %d6, [out]; mad.wide.u32 %d6, %r2, 4, %d6;\n"
    "st.global.u32 [%d6], %r1; ret; }\n";

enum { N = 32 };

struct heap {
    struct kit k;
    u64 at; /* N pointers, on the device */
    u64 p[N];
};

/* gtx480 leaves no gap between buffers: what is caught, the heap itself has to catch. */
static void start(struct heap *h, u32 mode, bool check)
{
    const char *set[] = {mode == KIT_OFF ? "front.lower=off" : "front.lower=on"};
    struct run_opts opts = {.check = check, .functional = true};

    memset(h, 0, sizeof *h);
    assert_true(conf_make(&h->k.conf, "gtx480", set, 1, &h->k.e));
    h->k.d = device_new(&h->k.conf, &opts, &h->k.e);
    h->k.p = device_load(h->k.d, "test.ptx", text, strlen(text), &h->k.e);
    if (!h->k.p)
        fail_msg("%s", h->k.e.msg);
    h->at = kit_buf(&h->k, h->p, sizeof h->p);
}

static void take(struct heap *h, u64 bytes)
{
    kit_run(&h->k, "take", 1, N, KIT_ARGS(h->at, bytes));
    kit_get(&h->k, h->at, h->p, sizeof h->p);
}

static bool put(struct heap *h, u64 off, u32 v)
{
    return kit_try(&h->k, "put", 1, N, KIT_ARGS(h->at, off, v));
}

static void give(struct heap *h)
{
    kit_run(&h->k, "give", 1, N, KIT_ARGS(h->at));
}

static u32 n_taken(const struct heap *h)
{
    u32 n = 0;

    for (u32 i = 0; i < N; i++)
        n += h->p[i] != 0;
    return n;
}

static void fails(struct heap *h, bool ok, enum fault_kind kind, const char *start_of_msg)
{
    assert_false(ok);
    assert_int_equal(h->k.d->last.fault, kind);
    if (strncmp(h->k.e.msg, start_of_msg, strlen(start_of_msg)))
        fail_msg("%s", h->k.e.msg);
}

static void blocks_are_aligned_and_apart_from_everything(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct heap h;

        start(&h, mode, false);
        take(&h, 20);
        for (u32 i = 0; i < N; i++) {
            assert_int_equal(h.p[i] % 16, 0);
            assert_true(h.p[i] >= h.k.conf.mem.base + h.k.conf.mem.size);
            assert_true(i == 0 || h.p[i] >= h.p[i - 1] + 20 + 16);
        }
        kit_close(&h.k);
    }
}

/* Blocks of 256 bytes every 272: the 15th ends at 4064, the 16th would at 4336. */
static void a_full_heap_gives_null_until_something_is_freed(void **state)
{
    struct heap h;

    (void)state;
    start(&h, KIT_LOWER, false);
    assert_true(device_set_heap(h.k.d, 4096, &h.k.e));
    assert_int_equal(h.k.d->heap_size, 4096);
    take(&h, 256);
    assert_int_equal(n_taken(&h), 15);
    u64 first = h.p[0];

    give(&h); /* of NULL, too */
    take(&h, 4097);
    assert_int_equal(n_taken(&h), 0);
    take(&h, ~0ull);
    assert_int_equal(n_taken(&h), 0);
    take(&h, 4096);
    assert_int_equal(n_taken(&h), 1);
    assert_int_equal(h.p[0], first);
    give(&h);
    take(&h, 0);
    assert_int_equal(n_taken(&h), N);
    for (u32 i = 1; i < N; i++)
        assert_int_equal(h.p[i], h.p[i - 1] + 32); /* a byte, the gap, and up to a multiple of 16 */
    kit_close(&h.k);
}

/* Of one byte, so that each is another one and can be freed. */
static void blocks_of_nothing_are_blocks(void **state)
{
    struct heap h;

    (void)state;
    start(&h, KIT_LOWER, false);
    take(&h, 0);
    u64 first = h.p[0];
    char *want =
        text_printf("kernel put: global write of 4 bytes at 0x%" PRIx64
                    " is out of bounds: 3 bytes after heap block 0x%" PRIx64 "..0x%" PRIx64,
                    first + 4, first, first);

    assert_int_equal(n_taken(&h), N);
    give(&h);
    take(&h, 0);
    assert_int_equal(h.p[0], first);
    fails(&h, put(&h, 4, 1), FAULT_BOUNDS, want);
    free(want);
    kit_close(&h.k);
}

static void a_freed_gap_is_used_again(void **state)
{
    struct heap h;
    u64 only[N] = {0};

    (void)state;
    start(&h, KIT_LOWER, false);
    assert_true(device_set_heap(h.k.d, 4096, &h.k.e));
    take(&h, 256);
    u64 gap = only[7] = h.p[7];

    assert_true(device_write(h.k.d, h.at, only, sizeof only, &h.k.e));
    give(&h);
    take(&h, 256);
    assert_int_equal(n_taken(&h), 1);
    assert_int_equal(h.p[0], gap);
    kit_close(&h.k);
}

static void blocks_live_across_launches_until_a_kernel_frees_them(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct heap h;
        u32 out[N];

        start(&h, mode, false);
        u64 a = kit_buf(&h.k, NULL, sizeof out);

        take(&h, 8);
        assert_true(put(&h, 4, 100));
        kit_run(&h.k, "get", 1, N, KIT_ARGS(h.at, 4, a));
        kit_get(&h.k, a, out, sizeof out);
        for (u32 i = 0; i < N; i++)
            assert_int_equal(out[i], 100 + i);
        give(&h);
        fails(&h, put(&h, 4, 100), FAULT_BOUNDS,
              "kernel put: global write of 4 bytes at 0x"); /* use after free */
        assert_non_null(strstr(h.k.e.msg, "inside the freed heap block 0x"));
        kit_close(&h.k);
    }
}

static void an_overrun_is_caught(void **state)
{
    struct heap h;

    (void)state;
    start(&h, KIT_LOWER, false);
    take(&h, 8);
    char *want = text_printf("kernel put: global write of 4 bytes at 0x%" PRIx64
                             " is out of bounds: right after heap block 0x%" PRIx64 "..0x%" PRIx64,
                             h.p[0] + 8, h.p[0], h.p[0] + 7);

    fails(&h, put(&h, 8, 1), FAULT_BOUNDS, want);
    fails(&h, put(&h, (u64)-4, 1), FAULT_BOUNDS, "kernel put: global write of 4 bytes at 0x");
    free(want);
    kit_close(&h.k);
}

static void freeing_twice_or_something_else_is_a_fault(void **state)
{
    static const char *const near[] = {"inside the freed heap block", "8 bytes before the end of",
                                       "256 bytes before the end of buffer"};
    struct heap h;

    (void)state;
    start(&h, KIT_LOWER, false);
    for (u32 i = 0; i < LEN(near); i++) {
        take(&h, 16);
        if (i == 0)
            give(&h);
        u64 wrong[N] = {i == 0 ? h.p[0] : i == 1 ? h.p[0] + 8 : h.at};
        char *want =
            text_printf("kernel give: free of 0x%" PRIx64 ", which is no live heap block: %s",
                        wrong[0], near[i]);

        assert_true(device_write(h.k.d, h.at, wrong, sizeof wrong, &h.k.e));
        fails(&h, kit_try(&h.k, "give", 1, N, KIT_ARGS(h.at)), FAULT_FREE, want);
        free(want);
    }
    kit_close(&h.k);
}

static void the_host_cannot_free_blocks(void **state)
{
    struct heap h;

    (void)state;
    start(&h, KIT_LOWER, false);
    take(&h, 16);
    assert_false(device_release(h.k.d, h.p[0], &h.k.e));
    assert_true(device_release(h.k.d, h.at, &h.k.e));
    kit_close(&h.k);
}

static void the_size_is_fixed_once_used_and_reset_empties_the_heap(void **state)
{
    struct heap h;
    u64 zero[N] = {0};

    (void)state;
    start(&h, KIT_LOWER, false);
    assert_int_equal(h.k.d->heap_size, 8 << 20);
    assert_true(device_set_heap(h.k.d, 64, &h.k.e));
    assert_false(device_set_heap(h.k.d, h.k.conf.mem.size + 1, &h.k.e));
    take(&h, 64);
    assert_int_equal(n_taken(&h), 1);
    u64 old = h.p[0];

    assert_false(device_set_heap(h.k.d, 128, &h.k.e));
    assert_true(device_reset(h.k.d, &h.k.e));
    assert_int_equal(h.k.d->heap_size, 8 << 20);
    assert_false(device_read(h.k.d, old, zero, 8, &h.k.e));
    assert_true(device_set_heap(h.k.d, 128, &h.k.e));
    h.at = kit_buf(&h.k, zero, sizeof zero);
    take(&h, 64);
    assert_int_equal(n_taken(&h), 1);
    assert_int_equal(h.p[0], old);
    kit_close(&h.k);
}

static void fresh_blocks_are_unwritten_for_the_check(void **state)
{
    struct heap h;

    (void)state;
    start(&h, KIT_LOWER, true);
    u64 a = kit_buf(&h.k, NULL, 4 * N);

    take(&h, 8);
    assert_true(put(&h, 0, 1));
    kit_run(&h.k, "get", 1, N, KIT_ARGS(h.at, 0, a));
    assert_int_equal(h.k.d->n_uninit, 0);
    kit_run(&h.k, "get", 1, N, KIT_ARGS(h.at, 4, a));
    assert_int_equal(h.k.d->n_uninit, 1);
    kit_close(&h.k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_are_aligned_and_apart_from_everything),
    cmocka_unit_test(a_full_heap_gives_null_until_something_is_freed),
    cmocka_unit_test(blocks_of_nothing_are_blocks),
    cmocka_unit_test(a_freed_gap_is_used_again),
    cmocka_unit_test(blocks_live_across_launches_until_a_kernel_frees_them),
    cmocka_unit_test(an_overrun_is_caught),
    cmocka_unit_test(freeing_twice_or_something_else_is_a_fault),
    cmocka_unit_test(the_host_cannot_free_blocks),
    cmocka_unit_test(the_size_is_fixed_once_used_and_reset_empties_the_heap),
    cmocka_unit_test(fresh_blocks_are_unwritten_for_the_check),
};

TEST_MAIN(tests)
