/* t_local.c -- local memory: interleaved by thread, kept in L1D; see memory_path.h */
#include "tests/micro/memory_path.h"

#define HEAD                                                                                       \
    ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"         \
    ".local .align 8 .b8 l[256];\n.reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
#define TAIL "\nret;\n}\n"

/* Word 0 of 32 threads is a line: a store of 128 bytes, issued in 3, acknowledged in 3 + 181. */
static void the_same_word_of_all_lanes_is_one_line(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t, HEAD "st.local.u32 [l], %r1;" TAIL, path_set(NULL));
    assert_int_equal(timed_run(&t, 1, 32), 3 + 181 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 1);
    assert_int_equal(STAT(&t, request.flits), 4);
    assert_int_equal(STAT(&t, reply.packets), 4);
    timed_close(&t);
}

/* Eight bytes are two words and two lines; the second store is 4 flits behind the first: 185. */
static void eight_bytes_are_two_lines(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t, HEAD "st.local.u64 [l], %rd1;" TAIL, path_set(NULL));
    assert_int_equal(timed_run(&t, 1, 32), 3 + 185 + 1);
    assert_int_equal(STAT(&t, sm.mem_accesses), 2);
    assert_int_equal(STAT(&t, request.flits), 8);
    timed_close(&t);
}

/* Lane i writes its word i: 32 lines, of each 4 bytes in one sector. */
static void different_words_are_different_lines(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t,
                      HEAD "mov.u32 %r0, %tid.x; mov.u64 %rd0, l; mul.wide.u32 %rd1, %r0, 4;"
                           "add.u64 %rd1, %rd0, %rd1; st.local.u32 [%rd1], %r0;" TAIL,
                      path_set(NULL));
    timed_run(&t, 1, 32);
    assert_int_equal(STAT(&t, sm.mem_accesses), 32);
    assert_int_equal(STAT(&t, request.packets), 32);
    assert_int_equal(STAT(&t, request.flits), 32);
    assert_int_equal(STAT(&t, reply.packets), 32);
    timed_close(&t);
}

/*
 * The load has no register operand, 314 instead of 315 from DRAM: 3 .. 317.  The store then hits in L1D, which keeps it:
 * at the tags in 317 + 39 its warp is done with it.
 */
static void a_store_that_hits_stays_in_l1(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t, HEAD "ld.local.u32 %r1, [l]; st.local.u32 [l], %r1;" TAIL,
                      path_set(TIMED_SET("gpu.mem_mhz=700")));
    assert_int_equal(timed_run(&t, 1, 32), 317 + 39 + 1);
    assert_int_equal(STAT(&t, l1d.access), 2);
    assert_int_equal(STAT(&t, l1d.miss), 1);
    assert_int_equal(STAT(&t, request.packets), 1);
    timed_close(&t);
}

/* Each thread has its own: lane i writes i to both words of 8 bytes and reads their sum back. */
static void each_thread_has_its_own_words(void **state)
{
    struct timed t;

    (void)state;
    timed_open_module(&t,
                      HEAD "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a]; mul.wide.u32 %rd1, %r0, 4;"
                           "add.u64 %rd1, %rd0, %rd1; st.local.v2.u32 [l+8], {%r0, %r0};"
                           "ld.local.u32 %r1, [l+8]; ld.local.u32 %r2, [l+12];"
                           "add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;" TAIL,
                      path_set(NULL));
    timed_run(&t, 1, 64);
    for (u32 i = 0; i < 64; i++)
        assert_int_equal(timed_u32(&t, 4 * i), 2 * i);
    timed_close(&t);
}

/* ---- places of threads */

/* The second of two warps of a CTA that stands at warp 4 of the first SM: word 3 of local memory of some of its threads. */
struct rig {
    struct memunit mu;
    struct front fe;
    struct memop op;
    struct warp w;
    struct exec x;
    struct access_list l;
    u16 thread[MAX_WORDS][LANES];
    u64 addr[LANES];
};

static struct rig *rig_new(u32 words)
{
    struct rig *r = xcalloc_lines(1, sizeof *r);

    r->mu.local_base = 1 << 20, r->mu.local_stride = 1 << 16, r->mu.warp_threads = 32 * words;
    r->fe.slot[2].n = 2;
    r->fe.ctx[5].cta = 2, r->fe.ctx[5].home = &r->fe;
    r->op = (struct memop){.fe = &r->fe, .slot = 5, .local = true};
    r->w.n_word = words;
    r->x.addr = r->addr;
    for (u32 k = 0; k < words; k++) {
        r->w.word[k].thread = r->thread[k];
        for (u32 i = 0; i < LANES; i++)
            r->thread[k][i] = (u16)(32 * (words + k) + i);
    }
    for (u32 i = 0; i < LANES; i++)
        for (u32 k = 0; k < words; k++)
            r->addr[i] = r->x.out.addr[k][i] = 12;
    return r;
}

static void rig_load(struct rig *r, const u32 *mask)
{
    const struct uop u = {.flags = UOP_LOAD, .bytes = 4};

    coalesce(&r->mu, &r->w, &r->x, &u, &r->op, mask, &r->l);
}

/* Thread t of the CTA is at 4 * (4 warps of threads + t) in row 3, in order: one line for 32 of them. */
static void a_thread_has_its_place_in_local_memory(void **state)
{
    const u32 all[MAX_WORDS] = {~0u, ~0u, ~0u, ~0u};

    (void)state;
    for (u32 words = 1; words <= MAX_WORDS; words *= 2) {
        struct rig *r = rig_new(words);

        rig_load(r, all);
        assert_int_equal(r->l.n, words);
        for (u32 k = 0; k < words; k++)
            assert_int_equal(r->l.at[k].addr,
                             (1 << 20) + 3 * (1 << 16) + 4 * (32 * words * 4 + 32 * (words + k)));
        free(r);
    }
}

/* Threads that have changed lanes, here all in reverse over both words, stay where they are. */
static void a_thread_in_another_lane_keeps_its_place(void **state)
{
    const u32 low[MAX_WORDS] = {~0u, 0}, high[MAX_WORDS] = {0, ~0u};
    struct rig *r = rig_new(2);
    u64 place;

    (void)state;
    rig_load(r, low);
    place = r->l.at[0].addr;
    for (u32 i = 0; i < 64; i++)
        r->thread[i / 32][i % 32] = (u16)(64 + 63 - i);
    rig_load(r, high);
    assert_int_equal(r->l.n, 1);
    assert_int_equal(r->l.at[0].addr, place);
    rig_load(r, low);
    assert_int_equal(r->l.at[0].addr, place + 128);
    free(r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_same_word_of_all_lanes_is_one_line),
    cmocka_unit_test(eight_bytes_are_two_lines),
    cmocka_unit_test(different_words_are_different_lines),
    cmocka_unit_test(a_store_that_hits_stays_in_l1),
    cmocka_unit_test(each_thread_has_its_own_words),
    cmocka_unit_test(a_thread_has_its_place_in_local_memory),
    cmocka_unit_test(a_thread_in_another_lane_keeps_its_place),
};

TEST_MAIN(tests)
