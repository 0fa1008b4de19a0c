/* t_stray.c -- accesses out of bounds that a kernel survives: mem.bounds, in each kind of memory */
#include "tests/unit/memory.h"

/* Two buffers of a_bytes (64) and 64 bytes, 0xc0000000 and 0xc0001100 of GPU tiny; b is all ones. */
struct stray_case {
    const char *before, *body;
    const char *bounds; /* mem.bounds */
    const char *slack;  /* mem.slack=.., or NULL */
    u32 a_bytes;
    u64 at;      /* not 0: a is this address, not that of the buffer */
    bool timing; /* else results only */
};

struct stray_run {
    bool ok;
    u64 reads, writes;
    u32 b[16];
    u8 a[64];
    char msg[768];
};

static struct stray_run run_stray(const struct stray_case *c)
{
    const struct mem_case m = {.before = c->before, .body = c->body};
    char *bounds = text_printf("mem.bounds=%s", c->bounds), *text = mem_text(&m);
    const char *set[] = {"front.lower=on", bounds, c->slack};
    const u32 one[3] = {1, 1, 1};
    struct run_opts opts = {.functional = !c->timing};
    struct stray_run r = {.ok = false};
    u8 ones[64];
    struct kit k = {0};

    memset(ones, 0xff, sizeof ones);
    assert_true(conf_make(&k.conf, "tiny", set, c->slack ? 3 : 2, &k.e));
    k.d = device_new(&k.conf, &opts, &k.e);
    assert_non_null(k.d);
    k.p = device_load(k.d, "test.ptx", text, strlen(text), &k.e);
    assert_non_null(k.p);
    u64 a = kit_buf(&k, ones, c->a_bytes ? c->a_bytes : 64), b = kit_buf(&k, ones, 64);
    u64 param[2] = {c->at ? c->at : a, b};

    r.ok = device_run(k.d, k.p, "k", one, one, 0, (const u8 *)param, &k.e);
    r.reads = k.d->n.stray_reads, r.writes = k.d->n.stray_writes;
    kit_get(&k, b, r.b, sizeof r.b);
    kit_get(&k, a, r.a, c->a_bytes ? c->a_bytes : 64);
    if (!r.ok)
        memcpy(r.msg, k.e.msg, sizeof r.msg);
    kit_close(&k);
    free(bounds), free(text);
    return r;
}

/* Each runs with results only and with timing; OUT left `want`. */
static void goes_on(struct stray_case c, u32 want, u64 reads, u64 writes)
{
    for (u32 i = 0; i < 2; i++) {
        c.timing = i;
        struct stray_run r = run_stray(&c);

        if (!r.ok)
            fail_msg("%s", r.msg);
        assert_int_equal(r.b[0], want);
        assert_int_equal(r.reads, reads);
        assert_int_equal(r.writes, writes);
    }
}

/* hint: report would have let it go on. */
static void ends(struct stray_case c, const char *what, bool hint)
{
    for (u32 i = 0; i < 2; i++) {
        c.timing = i;
        struct stray_run r = run_stray(&c);
        char *want = text_printf("kernel k: %s (test.ptx:2, thread 0,0,0 of block 0,0,0)%s", what,
                                 hint ? MEM_HINT : "");

        assert_false(r.ok);
        assert_string_equal(r.msg, want);
        assert_int_equal(r.reads + r.writes, 0);
        free(want);
    }
}

static void a_read_out_of_bounds_gives_zero(void **state)
{
    (void)state;
    goes_on((struct stray_case){.bounds = "report", .body = "ld.global.u32 %r1, [%a+64]; " OUT}, 0,
            1, 0);
    goes_on((struct stray_case){.bounds = "report", .body = "ld.global.u32 %r1, [%a+-4]; " OUT}, 0,
            1, 0);
    goes_on((struct stray_case){.bounds = "slack", .body = "ld.global.u32 %r1, [%a+64]; " OUT}, 0,
            1, 0);
    goes_on((struct stray_case){.bounds = "report", .body = "ld.u32 %r1, [%a+72]; " OUT}, 0, 1, 0);
}

static void a_write_out_of_bounds_is_dropped(void **state)
{
    (void)state;
    /* and a read of the same place finds nothing */
    goes_on((struct stray_case){.bounds = "report",
                                .body = "mov.u32 %r2, 7; st.global.u32 [%a+64], %r2; "
                                        "ld.global.u32 %r1, [%a+64]; " OUT},
            0, 1, 1);
    goes_on(
        (struct stray_case){.bounds = "slack", .body = "mov.u32 %r1, 7; st.u32 [%a+-4], %r1; " OUT},
        7, 0, 1);
}

/* 6 bytes: the word at 4 has two bytes of its own, which are 0xff. */
static void of_an_access_half_in_bounds_that_half_takes_place(void **state)
{
    const struct stray_case c = {.bounds = "report",
                                 .a_bytes = 6,
                                 .body = "mov.u32 %r2, 0x44332211; st.global.u32 [%a+4], %r2; "
                                         "ld.global.u32 %r1, [%a+4]; " OUT};
    const u8 want[6] = {0xff, 0xff, 0xff, 0xff, 0x11, 0x22};

    (void)state;
    goes_on((struct stray_case){.bounds = "report",
                                .a_bytes = 6,
                                .body = "ld.global.u32 %r1, [%a+4]; " OUT},
            0xffff, 1, 0);
    goes_on(c, 0x2211, 1, 1);
    assert_memory_equal(run_stray(&c).a, want, sizeof want);
}

/* Of 16 bytes at 56 of 64, the last two words are nobody's. */
static void a_vector_may_hang_over_the_end(void **state)
{
    const struct stray_case c = {.bounds = "report",
                                 .a_bytes = 56,
                                 .body = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a+48]; "
                                         "st.global.v4.u32 [%b], {%r1, %r2, %r3, %r4};"};
    struct stray_run r = run_stray(&c);

    (void)state;
    assert_true(r.ok);
    assert_int_equal(r.b[0], 0xffffffff);
    assert_int_equal(r.b[1], 0xffffffff);
    assert_int_equal(r.b[2], 0);
    assert_int_equal(r.b[3], 0);
    assert_int_equal(r.reads, 1);
}

static void an_atomic_out_of_bounds_changes_nothing(void **state)
{
    (void)state;
    goes_on((struct stray_case){.bounds = "report",
                                .body = "atom.global.add.u32 %r1, [%a+64], 5; " OUT},
            0, 0, 1);
    goes_on((struct stray_case){.bounds = "report",
                                .body = "atom.global.add.u32 %r2, [%a+64], 5; "
                                        "atom.add.u32 %r1, [%a+64], 6; " OUT},
            0, 0, 2);
    goes_on((struct stray_case){.bounds = "slack",
                                .body = "red.global.add.u32 [%a+64], 5; mov.u32 %r1, 3; " OUT},
            3, 0, 1);
}

/* The nearest byte of a is 0xc000003f: 64 on is 1 byte away, 4160 on 4097. */
static void slack_ends(void **state)
{
    (void)state;
    goes_on((struct stray_case){.bounds = "slack",
                                .slack = "mem.slack=1",
                                .body = "ld.global.u32 %r1, [%a+64]; " OUT},
            0, 1, 0);
    ends((struct stray_case){.bounds = "slack",
                             .slack = "mem.slack=0",
                             .body = "ld.global.u32 %r1, [%a+64]; " OUT},
         "global read of 4 bytes at 0xc0000040 is out of bounds: right after buffer "
         "0xc0000000..0xc000003f",
         true);
    goes_on((struct stray_case){.bounds = "slack", .body = "ld.global.u32 %r1, [%b+4156]; " OUT}, 0,
            1, 0);
    ends((struct stray_case){.bounds = "slack", .body = "ld.global.u32 %r1, [%b+4160]; " OUT},
         "global read of 4 bytes at 0xc0002140 is out of bounds: 4096 bytes after buffer "
         "0xc0001100..0xc000113f",
         true);
    goes_on((struct stray_case){.bounds = "report", .body = "ld.global.u32 %r1, [%b+4160]; " OUT},
            0, 1, 0);
}

static void null_and_misaligned_are_fatal_in_every_mode(void **state)
{
    static const char *const modes[] = {"exact", "slack", "report"};

    (void)state;
    for (u32 i = 0; i < LEN(modes); i++) {
        ends((struct stray_case){.bounds = modes[i],
                                 .at = 16,
                                 .body = "ld.global.u32 %r1, [%a]; " OUT},
             "global read of 4 bytes at 0x10 is out of bounds: a null pointer", false);
        ends((struct stray_case){.bounds = modes[i], .body = "ld.global.u32 %r1, [%a+66]; " OUT},
             "global read of 4 bytes at 0xc0000042 is misaligned", false);
    }
}

/* 16M from 0xc0000000 and 64K, then the heap, 16M at most: 0xc2020000 is nobody's. */
static void beyond_the_address_space_is_fatal(void **state)
{
    (void)state;
    goes_on((struct stray_case){.bounds = "report",
                                .at = 0xc0800000,
                                .body = "ld.global.u32 %r1, [%a]; " OUT},
            0, 1, 0);
    ends((struct stray_case){.bounds = "report",
                             .at = 0x7fffffffff00,
                             .body = "ld.global.u32 %r1, [%a]; " OUT},
         "global read of 4 bytes at 0x7fffffffff00 is out of bounds: 140734267125184 bytes after "
         "buffer 0xc0001100..0xc000113f",
         false);
}

/* 16 bytes of 16K that an SM of tiny has. */
static void shared_memory_reaches_to_its_end_on_the_sm(void **state)
{
#define VAR ".shared .align 4 .b8 v[16];"
    (void)state;
    goes_on((struct stray_case){.bounds = "report",
                                .before = VAR,
                                .body = "mov.u32 %r2, 5; st.shared.u32 [v+16], %r2; "
                                        "ld.shared.u32 %r1, [v+16]; " OUT},
            0, 1, 1);
    goes_on((struct stray_case){.bounds = "slack",
                                .before = VAR,
                                .body = "mov.u64 %d1, v; cvta.shared.u64 %d1, %d1; "
                                        "ld.u32 %r1, [%d1+20]; " OUT},
            0, 1, 0);
    goes_on((struct stray_case){.bounds = "report",
                                .before = VAR,
                                .body = "atom.shared.add.u32 %r1, [v+16], 5; " OUT},
            0, 0, 1);
    goes_on((struct stray_case){.bounds = "report",
                                .before = VAR,
                                .body = "ld.shared.u32 %r1, [v+16380]; " OUT},
            0, 1, 0);
    ends((struct stray_case){.bounds = "report",
                             .before = VAR,
                             .body = "ld.shared.u32 %r1, [v+1048576]; " OUT},
         "shared read of 4 bytes at 0x100000 is out of bounds: the CTA has 16 bytes of shared "
         "memory",
         false);
    ends((struct stray_case){.bounds = "slack",
                             .slack = "mem.slack=16",
                             .before = VAR,
                             .body = "ld.shared.u32 %r1, [v+32]; " OUT},
         "shared read of 4 bytes at 0x20 is out of bounds: the CTA has 16 bytes of shared memory",
         true);
#undef VAR
}

static void local_memory_too(void **state)
{
    (void)state;
    goes_on((struct stray_case){.bounds = "report",
                                .body = ".local .align 4 .b8 v[16]; mov.u32 %r2, 5; "
                                        "st.local.u32 [v+4096], %r2; st.local.u32 [v+12], %r2;"
                                        "ld.local.u32 %r1, [v+12]; ld.local.u32 %r3, [v+4096]; "
                                        "add.u32 %r1, %r1, %r3;" OUT},
            5, 1, 1);
    ends((struct stray_case){.bounds = "slack",
                             .body = ".local .align 4 .b8 v[16]; ld.local.u32 %r1, [v+8192]; " OUT},
         "local read of 4 bytes at 0x2000 is out of bounds: a thread has 16 bytes of local memory",
         true);
}

/* Two variables next to each other: what runs out of the first does not see the second. */
static void variables_have_no_neighbours(void **state)
{
    (void)state;
    goes_on((struct stray_case){.bounds = "slack",
                                .before = ".global .u32 va = 1; .global .u32 vb = 2; "
                                          ".const .u32 vc = 3;",
                                .body = "ld.global.u32 %r1, [va+4]; ld.const.u32 %r2, [vc+4]; "
                                        "ld.global.u32 %r3, [va]; add.u32 %r1, %r1, %r2; "
                                        "add.u32 %r1, %r1, %r3;" OUT},
            1, 2, 0);
}

static void parameters_are_exact(void **state)
{
    (void)state;
    ends((struct stray_case){.bounds = "report",
                             .body = "mov.u64 %d1, 16; ld.param.u32 %r1, [%d1]; " OUT},
         "param read of 4 bytes at 0x10 is out of bounds: the kernel has 16 bytes of parameters",
         false);
}

/* As memory that never was. */
static void freed_memory_is_nobodys(void **state)
{
    const struct mem_case c = {.body = "ld.global.u32 %r1, [%a]; " OUT, .set = "mem.bounds=report"};
    struct kit k;
    u32 have;

    (void)state;
    mem_open(&k, &c, KIT_LOWER);
    u64 a = mem_buf(&k, 64), b = kit_buf(&k, "abcd", 4);

    assert_true(device_release(k.d, a, &k.e));
    assert_true(mem_launch(&k, &c, a, b));
    kit_get(&k, b, &have, sizeof have);
    assert_int_equal(have, 0);
    assert_int_equal(k.d->n.stray_reads, 1);
    kit_close(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_read_out_of_bounds_gives_zero),
    cmocka_unit_test(a_write_out_of_bounds_is_dropped),
    cmocka_unit_test(of_an_access_half_in_bounds_that_half_takes_place),
    cmocka_unit_test(a_vector_may_hang_over_the_end),
    cmocka_unit_test(an_atomic_out_of_bounds_changes_nothing),
    cmocka_unit_test(slack_ends),
    cmocka_unit_test(null_and_misaligned_are_fatal_in_every_mode),
    cmocka_unit_test(beyond_the_address_space_is_fatal),
    cmocka_unit_test(shared_memory_reaches_to_its_end_on_the_sm),
    cmocka_unit_test(local_memory_too),
    cmocka_unit_test(variables_have_no_neighbours),
    cmocka_unit_test(parameters_are_exact),
    cmocka_unit_test(freed_memory_is_nobodys),
};

TEST_MAIN(tests)
