/*
 * memory.h -- for tests of what programs may touch: one kernel, one launch, and either a
 * fault with an exact message or a value.
 *
 * Everything before the body of the kernel is on line 1 of the text, so that the body is on line 2.
 * Its two pointer parameters are in %a and %b already.  OUT stores %r1 where %b points.  Each case
 * runs lowered and not.
 */
#ifndef TESTS_UNIT_MEMORY_H
#define TESTS_UNIT_MEMORY_H

#include "base/text.h"
#include "tests/kit.h"

struct mem_case {
    const char *before; /* module variables and functions, or NULL */
    const char *body;
    const char *gpu;      /* NULL: tiny, which leaves a gap of 256 bytes after each buffer */
    u32 a_bytes, b_bytes; /* 0: 64 */
    u32 block, smem;
    const char *set; /* a key */
    bool null_a, check;
};

#define OUT "st.global.u32 [%b], %r1;"

static inline char *mem_text(const struct mem_case *c)
{
    return text_printf(
        ".version 6.0 .target sm_35 .address_size 64 %s .visible .entry k(.param .u64 a, .param "
        ".u64 b) {"
        ".reg .b16 %%h<4>; .reg .b32 %%r<9>; .reg .b64 %%d<9>, %%a, %%b; .reg .f32 %%f<5>; .reg "
        ".pred %%p<4>;"
        "mov.u32 %%r0, %%tid.x; ld.param.u64 %%a, [a]; ld.param.u64 %%b, [b];\n%s\nret;}\n",
        c->before ? c->before : "", c->body);
}

static inline void mem_open(struct kit *k, const struct mem_case *c, u32 mode)
{
    const char *set[] = {mode == KIT_OFF ? "front.lower=off" : "front.lower=on", c->set};
    struct run_opts opts = {.check = c->check, .functional = true};
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

static inline bool mem_launch(struct kit *k, const struct mem_case *c, u64 a, u64 b)
{
    const u32 grid[3] = {1, 1, 1}, block[3] = {c->block ? c->block : 1, 1, 1};
    u64 param[2] = {a, b};

    return device_run(k->d, k->p, "k", grid, block, c->smem, (const u8 *)param, &k->e);
}

static inline u64 mem_buf(struct kit *k, u32 bytes)
{
    return kit_buf(k, NULL, bytes ? bytes : 64);
}

/* Follows where mem.bounds=report would let it go on (t_stray.c says where). */
#define MEM_HINT "; --set mem.bounds=report goes on"

/* The kernel fails with "kernel k: WHAT (test.ptx:2, thread THREAD,0,0 of block 0,0,0)". */
static inline void fails_in(const struct mem_case *c, u32 thread, const char *what)
{
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct kit k;
        char *want =
            text_printf("kernel k: %s (test.ptx:2, thread %u,0,0 of block 0,0,0)", what, thread);

        mem_open(&k, c, mode);
        u64 a = mem_buf(&k, c->a_bytes), b = mem_buf(&k, c->b_bytes);

        assert_false(mem_launch(&k, c, c->null_a ? 0 : a, b));
        if (strcmp(k.e.msg + strlen(k.e.msg) - strlen(MEM_HINT), MEM_HINT) == 0)
            k.e.msg[strlen(k.e.msg) - strlen(MEM_HINT)] = 0;
        assert_string_equal(k.e.msg, want);
        assert_int_equal(k.e.status, ERR_PROGRAM);
        assert_int_equal(k.d->last.end, RUN_FAULT);
        kit_close(&k);
        free(want);
    }
}

static inline void fails(const struct mem_case *c, const char *what)
{
    fails_in(c, 0, what);
}

/* The kernel runs and leaves `want` in the first word of b. */
static inline void gives(const struct mem_case *c, u32 want)
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

#endif
