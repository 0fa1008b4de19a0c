/* exec.c -- see exec.h: the loop around the lane functions, and the choice of their table */
#include "front/exec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/lanes.h"

static const struct {
    const char *name;
    const lane_fn *table;
} tables[] = {
/* best first */
#ifdef SMELT_HAVE_X86_LANES
    {"avx512", lanes_avx512},
    {"avx2", lanes_avx2},
#endif
    {"base", lanes_base},
};

static bool host_has(const char *isa)
{
#ifdef SMELT_HAVE_X86_LANES
    if (!strcmp(isa, "avx512"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (!strcmp(isa, "avx2"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi2");
#endif
    return !strcmp(isa, "base");
}

const lane_fn *exec_table(const char *isa, struct err *e)
{
    for (size_t i = 0; i < LEN(tables); i++)
        if ((!isa || !strcmp(isa, tables[i].name)) && host_has(tables[i].name))
            return tables[i].table;
        else if (isa && !strcmp(isa, tables[i].name))
            return err_set(e, "this machine cannot execute %s", isa), NULL;
    err_set(e, "no instruction set '%s'; there are base, avx2 and avx512", isa ? isa : "?");
    return NULL;
}

const char *exec_table_name(const lane_fn *t)
{
    for (size_t i = 0; i < LEN(tables); i++)
        if (tables[i].table == t)
            return tables[i].name;
    return "?";
}

/* Without timing a timer runs with the clock, at the rate at which the SM can issue. */
static u64 functional_ns(const struct exec *x)
{
    return (x->start_ps + x->clock * 1000000 / x->insts_per_us) / 1000;
}

void exec_init(struct exec *x, const struct launch *l, struct vmem *mem, struct texture *tex,
               bool check)
{
    memset(x, 0, sizeof *x);
    x->code = l->prog->inst;
    x->launch = l;
    x->mem = mem;
    x->texture = tex;
    x->check = check;
    x->time_ns = functional_ns;
    x->insts_per_us = 1000;
    x->hint = xcalloc(l->prog->n_inst + 1, sizeof x->hint[0]);
    x->uninit_seen = check ? xcalloc(l->prog->n_inst + 1, 1) : NULL;
}

void exec_release(struct exec *x)
{
    free(x->hint);
    free(x->uninit_seen);
    free(x->text);
    x->hint = NULL;
    x->uninit_seen = NULL;
    x->text = NULL;
}

void exec_bind(struct exec *x, struct warp *w, u32 word)
{
    const struct simt *e = &w->stack[w->depth - 1];
    const struct func *f = &x->launch->prog->func[e->func];

    x->warp = w;
    x->cta = w->cta;
    x->word = word;
    x->func = f;
    x->frame = e->frame;
    x->row[0] = w->word[word].reg + (size_t)e->row * ROW_BYTES;
    x->row[1] = f->consts;
    x->pred = w->word[word].pred + e->pred;
}

/* The other words of a wide warp; the first is bound already and stays so. */
static void other_words(struct exec *x, struct warp *w, const struct simt *e, const struct inst *in)
{
    for (u32 k = 1; k < w->n_word; k++) {
        exec_bind(x, w, k);
        u32 mask = e->mask[k] & exec_guard(x->pred, in);

        x->n.thread_insts += (u32)__builtin_popcount(mask);
        if (mask)
            x->table[in->op](x, in, mask);
        if (UNLIKELY(x->fault)) /* its word stays bound: the message names the thread */
            return;
    }
    exec_bind(x, w, 0);
}

static inline enum step one(struct exec *x, struct warp *w)
{
    struct simt *e = &w->stack[w->depth - 1];
    const struct inst *in = &x->code[e->pc];

    x->n.warp_insts++;
    x->clock++;
    if (in->op >= OP_bra) {
        enum step s = exec_ctrl(x, w, in);

        if (s == STEP_GO)
            exec_bind(x, w, 0);
        return s;
    }
    u32 mask = e->mask[0] & exec_guard(x->pred, in);

    x->n.thread_insts += (u32)__builtin_popcount(mask);
    if (LIKELY(mask))
        x->table[in->op](x, in, mask);
    if (UNLIKELY(w->n_word > 1) && !x->fault)
        other_words(x, w, e, in);
    if (UNLIKELY(x->fault))
        return STEP_FAULT;
    if (UNLIKELY(++e->pc == e->rpc)) {
        simt_pop(w);
        exec_bind(x, w, 0);
    }
    return STEP_GO;
}

enum step exec_run(struct exec *x, struct warp *w, u64 budget, u64 *used)
{
    enum step s = STEP_GO;
    u64 n = 0;

    assert(!w->done && w->waiting < 0);
    exec_bind(x, w, 0);
    while (n < budget && s == STEP_GO) {
        s = one(x, w);
        n++;
    }
    *used = n;
    return s;
}
