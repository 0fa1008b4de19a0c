/* t_tex.c -- texture fetches; see memory_path.h */
#include "tests/micro/memory_path.h"

#define HEAD                                                                                       \
    ".version 6.0\n.target sm_35\n.address_size 64\n.global .texref tex;\n"                        \
    ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<16>; .reg .b64 %rd<8>;\n"
#define FETCH "tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [tex, {%r1}];"

/* A texture of 64 words, word i is 5 i, that lies at the beginning of the buffer. */
static void tex_open(struct timed *t, const char *text)
{
    struct texture x = {.width = 64, .channels = 1, .bits = 32, .is_signed = true};
    u32 v[64];

    timed_open_module(t, text, path_set(NULL));
    for (u32 i = 0; i < 64; i++)
        v[i] = 5 * i;
    timed_write(t, 0, v, sizeof v);
    for (u32 i = 0; i < 2; i++) {
        x.addr = t->buf[i];
        assert_true(device_bind_texture(t->d[i], t->p[i], "tex", &x, &t->e));
    }
}

/*
 * As a load, but with a queue of 20 in front of the tags, not 35.  mov 3, the first fetch in 9
 * misses: 165.  The second waits for its registers, issues in 174, and hits at the tags, 24 later.
 */
static void a_texture_line_is_fetched_once(void **state)
{
    struct timed t;

    (void)state;
    tex_open(&t, HEAD "mov.u32 %r1, %tid.x;" FETCH FETCH "\nret;\n}\n");
    assert_int_equal(timed_run(&t, 1, 32), 9 + 165 + 24 + 1);
    assert_int_equal(STAT(&t, sm.tex_insts), 2);
    assert_int_equal(STAT(&t, l1t.access), 2);
    assert_int_equal(STAT(&t, l1t.miss), 1);
    assert_int_equal(STAT(&t, slice.texture), 4);
    assert_int_equal(STAT(&t, l1d.access), 0);
    timed_close(&t);
}

/* Two warps fetch their words; what they got is stored behind the texture. */
static void fetches_bring_texels(void **state)
{
    struct timed t;

    (void)state;
    tex_open(&t, HEAD "mov.u32 %r1, %tid.x; ld.param.u64 %rd0, [a];" FETCH
                      "mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd0, %rd1;"
                      "st.global.u32 [%rd1+256], %r2;\nret;\n}\n");
    timed_run(&t, 1, 64);
    for (u32 i = 0; i < 64; i++)
        assert_int_equal(timed_u32(&t, 256 + 4 * i), 5 * i);
    timed_close(&t);
}

/*
 * Surfaces: an instruction for the address and an access through L1D, nothing in the texture cache.
 * mov, suld of two instructions, sust of two, ret; what was read is written 128 bytes further on.
 */
static void surfaces_are_global_memory_by_coordinates(void **state)
{
    struct timed t;

    (void)state;
    tex_open(&t, ".version 6.0\n.target sm_35\n.address_size 64\n.global .surfref tex;\n"
                 ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<16>;\n"
                 "mov.u32 %r1, %laneid; shl.b32 %r1, %r1, 2; add.u32 %r2, %r1, 128;\n"
                 "suld.b.1d.b32.trap %r3, [tex, {%r1}]; sust.b.1d.b32.trap [tex, {%r2}], %r3;\n"
                 "ret;\n}\n");
    timed_run(&t, 1, 32);
    assert_int_equal(STAT(&t, ptx.warp_insts), 8);
    assert_int_equal(STAT(&t, l1d.access), 2);
    assert_int_equal(STAT(&t, l1t.access), 0);
    for (u32 i = 0; i < 32; i++)
        assert_int_equal(timed_u32(&t, 128 + 4 * i), 5 * i);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_texture_line_is_fetched_once),
    cmocka_unit_test(fetches_bring_texels),
    cmocka_unit_test(surfaces_are_global_memory_by_coordinates),
};

TEST_MAIN(tests)
