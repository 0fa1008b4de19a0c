/*
 * timed.h -- kernels whose cycles were counted by hand.
 *
 *     struct timed t;
 *     timed_open(&t, "add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;", NULL);
 *     assert_int_equal(timed_run(&t, 1, 32), 10 + 6 + 10 ..);
 *     assert_int_equal(STAT(&t, sm.flushes), 0);
 *     timed_close(&t);
 *
 * The machine is gtx480 with a perfect instruction and constant cache and an ideal NoC of 6 cycles, not lowered: one line
 * of PTX is one instruction.  Further keys are given as a NULL-ended list, TIMED_SET("sm.war=read").
 * The body stands in a kernel with registers %r<64> %rd<32> %f<32> %fd<16> %p<8>, a parameter `a`
 * (the address of a zeroed buffer of 1 MB), which is in %rd0 if the body begins with TIMED_A, and
 * shared memory `s` of 16 KB.  With timed_mech set before it is opened a mechanism is attached.  A `ret` follows the body.  The kernel runs with every check twice: with and without skipping.
 *
 * How cycles are derived (gtx480_parameters.md in the reference, docs/MODEL.md): a CTA is placed at the end of cycle 0, the
 * first fetch is in cycle 1, decode in 2, the first issue in 3.  Two instructions are fetched at a
 * time and the next fetch waits until the buffer is empty: a warp alone issues in cycles 3, 4, 6, 7,
 * 9, 10, .. if nothing holds it.  An instruction of latency L that reads registers and is issued in
 * t writes back in t + L + 6 (one earlier without register operands), and a dependent one can issue in
 * that cycle.  `ret` (L 1, no operands) issued in t ends the warp in t + 6, and the launch takes t + 7 cycles.
 */
#ifndef TESTS_MICRO_TIMED_H
#define TESTS_MICRO_TIMED_H

#include "gpu/machine.h"
#include "tests/kit.h"

#define TIMED_A "ld.param.u64 %rd0, [a];\n"
#define TIMED_SET(...)                                                                             \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define STAT(t, field) ((t)->last->counters->field)

enum { TIMED_BYTES = 1 << 20 };

static const char *timed_mech;   /* "name:key=value", or NULL */
static const char *timed_beside; /* another one with it, or NULL */

struct timed {
    struct conf conf;
    struct device *d[2]; /* with and without skipping */
    struct program *p[2];
    u64 buf[2];
    const struct launch_result *last;
    struct err e;
};

static inline void timed_fail(struct timed *t, const char *what)
{
    err_print(&t->e, stdout);
    fail_msg("%s", what);
}

static inline void timed_load(struct timed *t, u32 i, const char *text)
{
    const char *mech[] = {timed_mech, timed_beside};
    struct run_opts opts = {.threads = 1,
                            .no_skip = i == 1,
                            .mech = mech,
                            .n_mech = (timed_mech != NULL) + (timed_beside != NULL)};

    t->d[i] = device_new(&t->conf, &opts, &t->e);
    t->p[i] = t->d[i] ? device_load(t->d[i], "test.ptx", text, strlen(text), &t->e) : NULL;
    if (!t->p[i])
        timed_fail(t, "the PTX does not load");
    t->buf[i] = device_alloc(t->d[i], TIMED_BYTES, &t->e);
}

/* Any module whose kernel is `k(.param .u64 a)`. */
static inline void timed_open_module(struct timed *t, const char *text, const char *const *set)
{
    const char *all[64] = {"front.lower=off", "sm.perfect_icache=on", "sm.perfect_const=on",
                           "noc.kind=ideal", "noc.latency=6"};
    u32 n = 5;

    memset(t, 0, sizeof *t);
    for (; set && *set; set++)
        all[n++] = *set;
    if (!conf_make(&t->conf, "gtx480", all, n, &t->e))
        timed_fail(t, "no such configuration");
    for (u32 i = 0; i < 2; i++)
        timed_load(t, i, text);
}

static inline void timed_open(struct timed *t, const char *body, const char *const *set)
{
    static const char head[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                               ".visible .entry k(.param .u64 a)\n{\n"
                               ".reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<32>;\n"
                               ".reg .f64 %fd<16>; .reg .pred %p<8>;\n"
                               ".shared .align 128 .b8 s[16384];\n";
    char *text = text_printf("%s%s\nret;\n}\n", head, body);

    timed_open_module(t, text, set);
    free(text);
}

static inline u64 timed_once(struct timed *t, u32 i, u32 grid, u32 block)
{
    const u32 g[3] = {grid, 1, 1}, b[3] = {block, 1, 1};

    if (!device_run(t->d[i], t->p[i], "k", g, b, 0, (const u8 *)&t->buf[i], &t->e))
        timed_fail(t, "the kernel fails");
    t->last = &t->d[i]->last;
    return t->last->cycles;
}

/* Cycles of a launch; t->last has its counters. */
static inline u64 timed_run(struct timed *t, u32 grid, u32 block)
{
    u64 no_skip = timed_once(t, 1, grid, block);
    const struct launch_result *slow = t->last;
    u64 cycles = timed_once(t, 0, grid, block);

    assert_int_equal(cycles, no_skip);
    assert_memory_equal(slow->counters, t->last->counters, sizeof *slow->counters);
    return cycles;
}

static inline void timed_write(struct timed *t, u64 off, const void *from, u64 bytes)
{
    for (u32 i = 0; i < 2; i++)
        assert_true(device_write(t->d[i], t->buf[i] + off, from, bytes, &t->e));
}

static inline void timed_read(struct timed *t, u64 off, void *to, u64 bytes)
{
    assert_true(device_read(t->d[0], t->buf[0] + off, to, bytes, &t->e));
}

static inline void timed_close(struct timed *t)
{
    device_free(t->d[0]);
    device_free(t->d[1]);
    conf_free(&t->conf);
}

#endif
