/*
 * issue.h -- for tests that drive warps one instruction at a time, as the timing model does.
 *
 *     struct rig r;
 *     rig_open(&r, text, KIT_LOWER, 2);             hardware warps of 2 words
 *     rig_launch(&r, "k", 64, KIT_ARGS(a, b));      one CTA, ready to run
 *     rig_until(&r, &r.c->warp[0], "ld.global");    up to and with the next such instruction
 *     rig_finish(&r);                               all warps, in turns
 *     rig_close(&r);
 */
#ifndef TESTS_UNIT_ISSUE_H
#define TESTS_UNIT_ISSUE_H

#include "exec/builtin_call.h"
#include "tests/unit/printed.h"

struct rig {
    struct kit k;
    u32 words;
    struct launch l;
    struct cta *c;
    struct exec x;
    struct texture_set tex;
    u8 param[256];
    u32 n_calls, n_atoms; /* that were deferred, so far */
};

static inline void rig_open(struct rig *r, const char *text, enum kit_mode mode, u32 words)
{
    char set[32];

    memset(r, 0, sizeof *r);
    r->words = words;
    snprintf(set, sizeof set, "sm.warp_words=%u", words);
    open_printing(&r->k, text, mode, set, NULL);
}

/* Another executor of the launch: another group of SMs. */
static inline void rig_exec(struct rig *r, struct exec *x)
{
    r->tex = (struct texture_set){.ref = r->k.d->texture[0], .n_ref = r->k.p->n_texture};
    exec_init(x, &r->l, &r->k.d->mem, &r->tex, false);
    x->table = exec_table(NULL, &r->k.e);
    x->n_sm = 1;
    x->sm_warps = 48;
}

static inline void rig_end_launch(struct rig *r)
{
    if (!r->c)
        return;
    exec_release(&r->x);
    cta_free(r->c);
    launch_release(&r->l);
    r->c = NULL;
}

static inline void rig_launch(struct rig *r, const char *kernel, u32 block, const u64 *arg,
                              size_t n)
{
    struct func *f = program_kernel(r->k.p, kernel, &r->k.e);

    assert_non_null(f);
    assert_int_equal(f->n_param, n);
    rig_end_launch(r);
    for (u32 i = 0; i < n; i++)
        memcpy(r->param + f->param[i].off, &arg[i], f->param[i].size);
    r->l = (struct launch){
        .prog = r->k.p, .func = f, .grid = {1, 1, 1}, .block = {block, 1, 1}, .param = r->param};
    assert_true(launch_prepare(&r->l, &r->k.e));
    r->c = cta_new(&r->l, r->words, false);
    cta_start(r->c, &r->l, 0, 0);
    rig_exec(r, &r->x);
}

static inline void rig_close(struct rig *r)
{
    rig_end_launch(r);
    kit_close(&r->k);
}

/* As a memory slice and the reply would: from a copy, lane by lane. */
static inline void rig_atoms(struct rig *r, struct exec *x, struct warp *w)
{
    size_t bytes = atom_capture_bytes(&x->atom);
    struct atom_capture *a = xcalloc(1, sizeof *a);

    memcpy(a, &x->atom, bytes);
    memset(&x->atom, 0x5a, sizeof x->atom);
    for (u32 k = 0; k < a->n_word; k++)
        for (u32 i = 0; i < LANES; i++)
            if (a->mask[k] >> i & 1)
                assert_true(exec_atom_perform(x->mem, a, k, i));
    for (u32 k = 0; k < a->n_word; k++) {
        exec_atom_write(x, w, a, k, a->mask[k] & 0x0f0f0f0f);
        exec_atom_write(x, w, a, k, a->mask[k] & 0xf0f0f0f0);
    }
    free(a);
    r->n_atoms++;
}

/* One instruction and what was deferred of it. */
static inline enum step rig_step(struct rig *r, struct exec *x, struct warp *w)
{
    x->clock++;
    enum step s = exec_issue(x, w);

    if (s == STEP_CALL) {
        r->n_calls++;
        s = exec_call(x, w);
    }
    const u32 *m = x->atom.mask;

    if (s == STEP_GO && x->defer_atoms && (m[0] | m[1] | m[2] | m[3]))
        rig_atoms(r, x, w);
    return s;
}

static inline bool rig_is(const struct exec *x, const char *name)
{
    return !strncmp(op_info[x->out.in->op].name, name, strlen(name));
}

static inline void rig_until(struct rig *r, struct warp *w, const char *name)
{
    do {
        assert_false(w->done);
        rig_step(r, &r->x, w);
    } while (!rig_is(&r->x, name));
}

static inline void rig_finish_on(struct rig *r, struct exec *x, struct warp *w)
{
    while (!w->done)
        assert_int_not_equal(rig_step(r, x, w), STEP_FAULT);
}

static inline void rig_finish(struct rig *r)
{
    while (!cta_done(r->c))
        for (u32 i = 0; i < r->c->n_warp; i++) {
            struct warp *w = &r->c->warp[i];

            if (!w->done && w->waiting < 0)
                assert_int_not_equal(rig_step(r, &r->x, w), STEP_FAULT);
        }
}

static inline u64 rig_random(u64 *seed) /* splitmix64 */
{
    u64 z = *seed += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

#endif
