/*
 * parts.h -- for tests of warps in parts: issue.h with the registers tracked.
 *
 *     open_parts(&r, text, 64, n);               one CTA of 64 threads, %p1: those below n
 *     go(&r, w, "bra");                          warp w up to and with the next such instruction
 *     struct warp *p = part_side(w);
 *     finish(&r);                                all warps and parts, as they may
 *
 * Kernels are not lowered unless the test says so: a pc is the place of an instruction in the text.
 */
#ifndef TESTS_UNIT_PARTS_H
#define TESTS_UNIT_PARTS_H

#include "exec/part.h"
#include "tests/unit/issue.h"

#define HEAD ".version 6.0 .target sm_60 .address_size 64\n"
#define KERNEL HEAD ".visible .entry k(.param .u64 out, .param .u32 n) {\n"
/* r1: thread; p1: threads below n; d1: where the thread's 16 bytes of the result are */
#define BELOW                                                                                      \
    ".reg .b32 %r<12>; .reg .b64 %d<8>; .reg .pred %p<6>; mov.u32 %r1, %tid.x;\n"                  \
    "ld.param.u32 %r2, [n]; setp.lt.u32 %p1, %r1, %r2; ld.param.u64 %d1, [out];\n"                 \
    "mul.wide.u32 %d2, %r1, 16; add.u64 %d1, %d1, %d2;\n"

enum { THREADS = 128, RECORD = 16 };

static inline u32 first(u32 n) /* lanes of a word that are below n */
{
    return n >= 32 ? ~0u : (1u << n) - 1;
}

static inline void open_mode(struct rig *r, const char *text, enum kit_mode mode, u32 words,
                             u32 block, u32 n)
{
    rig_open(r, text, mode, words);
    u64 out = kit_buf(&r->k, NULL, THREADS * RECORD);

    rig_launch(r, "k", block, KIT_ARGS(out, n));
    cta_track(r->c);
}

static inline void open_parts(struct rig *r, const char *text, u32 block, u32 n)
{
    open_mode(r, text, KIT_OFF, 1, block, n);
}

static inline struct simt *top_of(const struct warp *w)
{
    return &w->stack[w->depth - 1];
}

static inline u32 pc_of(const struct warp *w)
{
    return top_of(w)->pc;
}

/* One instruction, as the timing model issues it. */
static inline enum step step(struct rig *r, struct warp *w)
{
    u32 row = top_of(w)->row;
    enum step s = rig_step(r, &r->x, w);

    assert_int_not_equal(s, STEP_FAULT);
    warp_track(w, &r->k.p->regs[r->x.out.pc], row);
    return s;
}

static inline void go(struct rig *r, struct warp *w, const char *name)
{
    do
        step(r, w);
    while (!rig_is(&r->x, name));
}

/* Up to the instruction, which is the next. */
static inline void go_to(struct rig *r, struct warp *w, const char *name)
{
    while (strncmp(op_info[r->x.code[pc_of(w)].op].name, name, strlen(name)) != 0)
        step(r, w);
}

/* May it run?  Who is home, or waits for others to come home, may not. */
static inline bool may_run(const struct warp *w)
{
    return !w->done && w->depth && w->waiting < 0 && !part_is_home(w) && !part_is_awaited(w);
}

/* Parts that can go home do; the number of them. */
static inline u32 bring_home(const struct rig *r)
{
    u32 n = 0;

    for (u32 i = 0; i < r->c->n_part; i++) {
        struct warp *p = r->c->part[i];

        if (p->done || p->n_part || p->waiting >= 0 || !part_is_expected(p))
            continue;
        part_return(p);
        n++;
    }
    return n;
}

/* Turns of one instruction, parts first or last. */
static inline void finish_in_order(struct rig *r, bool parts_first)
{
    while (!cta_done(r->c)) {
        bool moved = bring_home(r) != 0;
        u32 n = r->c->n_warp + r->c->n_part;

        for (u32 k = 0; k < n; k++) {
            u32 i = parts_first ? n - 1 - k : k;
            struct warp *w = i < r->c->n_warp ? &r->c->warp[i] : r->c->part[i - r->c->n_warp];

            if (may_run(w))
                step(r, w), moved = true;
        }
        assert_true(moved);
    }
}

static inline void finish(struct rig *r)
{
    finish_in_order(r, false);
}

static inline void results(struct rig *r, u8 to[THREADS * RECORD])
{
    u64 out;

    memcpy(&out, r->param, sizeof out);
    kit_get(&r->k, out, to, THREADS * RECORD);
}

/* Of a kernel that nobody divides; the memory is zero again. */
static inline void results_of_whole(struct rig *r, u32 block, u32 n, u8 to[THREADS * RECORD])
{
    u64 out;

    memcpy(&out, r->param, sizeof out);
    finish(r);
    results(r, to);
    assert_true(device_set(r->k.d, out, 0, THREADS * RECORD, &r->k.e));
    rig_launch(r, "k", block, KIT_ARGS(out, n));
    cta_track(r->c);
}

#endif
