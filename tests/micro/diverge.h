/*
 * diverge.h -- programs that write down which lanes ran where.
 *
 * A case is the body of a kernel.  `MARK n;` in it (or in a function it calls) appends (n, active
 * mask) to the history of the logical warp; `OUT %r1;` stores a thread's result.  Each case runs
 * lowered and not, with the plain and the AVX2 lanes, in hardware warps of 32, 64 and 128 lanes,
 * and must leave the same histories and results every time.
 *
 * How histories are derived by hand: at a branch that its lanes do not agree on, the lanes that
 * jump run first, to the immediate post-dominator of the branch, then those that fall through;
 * there both go on together.  Sides that do not meet before the kernel (or the function) ends run
 * to that end one after the other.
 */
#ifndef TESTS_MICRO_DIVERGE_H
#define TESTS_MICRO_DIVERGE_H

#include "tests/kit.h"

enum { DV_WARPS = 8, DV_VISITS = 63, DV_THREADS = 256 };

struct visit {
    u32 mark, mask;
};

/* The histories as the kernel writes them: 512 bytes a warp. */
struct dv_log {
    u32 n, unused;
    struct visit at[DV_VISITS];
};

struct dv_case {
    const char *before; /* functions and variables of the module, or NULL */
    const char *body;
    u32 grid, block;                   /* 0: 1 and 32 */
    u32 (*out)(u32 thread);            /* what each thread of the grid stores, NULL: nothing */
    const struct visit *log[DV_WARPS]; /* ended by {0, 0}; NULL: not looked at */
};

#define LOG(...)                                                                                   \
    (const struct visit[])                                                                         \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }

/*
 * Registers of the block only, so that it may stand anywhere; guards, so that it does not branch.
 */
static const char dv_mark[] =
    "{.reg .b32 m, l, i; .reg .b64 a, b; .reg .pred first;\n"
    "activemask.b32 m; mov.u32 l, %%lanemask_lt; and.b32 l, l, m; setp.eq.u32 first, l, 0;\n"
    "mov.u32 l, %%tid.x; shr.u32 l, l, 5; mul.wide.u32 b, l, 512; mov.u64 a, log;\n"
    "add.u64 b, b, a; @first atom.global.add.u32 i, [b], 1; mul.wide.u32 a, i, 8;\n"
    "add.u64 a, a, b; @first st.global.v2.u32 [a+8], {%u, m};}\n";

static const char dv_head[] =
    ".visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %r<20>, %t, %g; .reg .b64 %d<10>, %out; .reg .pred %p<10>;\n"
    "mov.u32 %t, %tid.x; mov.u32 %r0, %ntid.x; mov.u32 %r1, %ctaid.x;\n"
    "mad.lo.u32 %g, %r0, %r1, %t; mov.u32 %r0, 0; mov.u32 %r1, 0;\n"
    "ld.param.u64 %out, [out]; mul.wide.u32 %d0, %g, 4; add.u64 %out, %out, %d0;\n";

/* PTX with MARK and OUT in it becomes PTX. */
static inline void dv_expand(FILE *f, const char *s)
{
    while (*s) {
        const char *end = strchr(s, ';');

        if (strncmp(s, "MARK ", 5) == 0) {
            fprintf(f, dv_mark, (u32)strtoul(s + 5, NULL, 10));
            s = end + 1;
        } else if (strncmp(s, "OUT ", 4) == 0) {
            fprintf(f, "st.global.u32 [%%out], %.*s;", (int)(end - s - 4), s + 4);
            s = end + 1;
        } else {
            fputc(*s++, f);
        }
    }
}

static inline char *dv_text(const struct dv_case *c)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    assert_non_null(f);
    fputs(".version 6.0\n.target sm_35\n.address_size 64\n.global .align 8 .b8 log[4096];\n", f);
    dv_expand(f, c->before ? c->before : "");
    fputs(dv_head, f);
    dv_expand(f, c->body);
    fputs("ret;\n}\n", f);
    fclose(f);
    return text;
}

static inline void dv_open(struct kit *k, const char *text, u32 mode, const char *isa, u32 words)
{
    static const char *const wide[] = {"", "sm.warp_words=1", "sm.warp_words=2", "",
                                       "sm.warp_words=4"};
    const char *set[] = {mode == KIT_OFF ? "front.lower=off" : "front.lower=on", wide[words]};
    struct run_opts opts = {.isa = isa, .functional = true, .max_insts = 1000000};

    memset(k, 0, sizeof *k);
    assert_true(conf_make(&k->conf, "gtx480", set, 2, &k->e));
    k->d = device_new(&k->conf, &opts, &k->e);
    assert_non_null(k->d);
    k->p = device_load(k->d, "test.ptx", text, strlen(text), &k->e);
    if (!k->p) {
        err_print(&k->e, stdout);
        fail_msg("the PTX does not load");
    }
}

static inline void dv_check_log(const struct dv_log *have, const struct visit *want,
                                const char *how)
{
    u32 n = 0;

    while (want[n].mark)
        n++;
    for (u32 i = 0; i < n && i < have->n; i++)
        if (have->at[i].mark != want[i].mark || have->at[i].mask != want[i].mask)
            fail_msg("%s: visit %u is %u %08x, not %u %08x", how, i, have->at[i].mark,
                     have->at[i].mask, want[i].mark, want[i].mask);
    if (have->n != n)
        fail_msg("%s: %u visits, not %u", how, have->n, n);
}

static inline void dv_check(struct kit *k, const struct dv_case *c, u64 out, u32 threads,
                            const char *how)
{
    struct dv_log log[DV_WARPS];
    u32 have[DV_THREADS];

    kit_get(k, program_var(k->p, "log")->addr, log, sizeof log);
    for (u32 w = 0; w < DV_WARPS; w++)
        if (c->log[w])
            dv_check_log(&log[w], c->log[w], how);
    kit_get(k, out, have, threads * sizeof have[0]);
    for (u32 t = 0; t < threads && c->out; t++)
        if (have[t] != c->out(t))
            fail_msg("%s: thread %u has %u, not %u", how, t, have[t], c->out(t));
}

static inline void dv_run_one(const struct dv_case *c, u32 mode, const char *isa, u32 words)
{
    u32 grid = c->grid ? c->grid : 1, block = c->block ? c->block : 32;
    char *text = dv_text(c), how[80];
    struct kit k;

    snprintf(how, sizeof how, "lower %s, %s, %u lanes", mode == KIT_OFF ? "off" : "on", isa,
             32 * words);
    dv_open(&k, text, mode, isa, words);
    u64 out = kit_buf(&k, NULL, DV_THREADS * sizeof(u32));

    if (!kit_try(&k, "k", grid, block, KIT_ARGS(out)))
        fail_msg("%s: %s", how, k.e.msg);
    dv_check(&k, c, out, grid * block, how);
    kit_close(&k);
    free(text);
}

static inline void dv_run(const struct dv_case *c)
{
    struct err e;

    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++)
        for (u32 words = 1; words <= 4; words *= 2) {
            dv_run_one(c, mode, "base", words);
            if (exec_table("avx2", &e))
                dv_run_one(c, mode, "avx2", words);
        }
}

#endif
