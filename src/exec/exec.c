/* exec.c -- see exec.h: the loop around the lane functions, and the choice of their table */
#include "exec/exec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exec/lane_ops.h"
#include "exec/lanes.h"
#include "exec/part.h"
#include "exec/path.h"

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

/* Aligned: wide stores that cross cache lines, and loads right after them, take much longer. */
static u64 *addr_new(void)
{
    return xcalloc_lines(LANES, sizeof(u64));
}

void exec_init(struct exec *x, const struct launch *l, struct vmem *mem,
               const struct texture_set *tex, bool check)
{
    memset(x, 0, sizeof *x);
    x->code = l->prog->inst;
    x->funcs = l->prog->func;
    x->launch = l;
    x->mem = mem;
    x->texture = tex;
    x->check = check;
    x->time_ns = functional_ns;
    x->insts_per_us = 1000;
    x->addr = addr_new();
    x->hint = xcalloc(l->prog->n_inst + 1, sizeof x->hint[0]);
    x->stray_seen =
        mem->bounds == BOUNDS_REPORT ? xcalloc(l->prog->n_inst + 1, sizeof x->stray_seen[0]) : NULL;
    x->uninit_seen = check ? xcalloc(l->prog->n_inst + 1, 1) : NULL;
}

void exec_release(struct exec *x)
{
    free(x->addr);
    free(x->hint);
    free(x->stray_seen);
    VEC_FREE(&x->stray);
    free(x->uninit_seen);
    free(x->text);
    free((void *)x->spin), free(x->own_table);
    x->spin = NULL, x->own_table = NULL;
    x->addr = NULL;
    x->hint = NULL;
    x->stray_seen = NULL;
    x->uninit_seen = NULL;
    x->text = NULL;
}

void exec_bind(struct exec *x, struct warp *w, u32 word)
{
    const struct simt *e = warp_top(w);
    const struct func *f = &x->funcs[e->func];

    x->warp = w;
    x->cta = w->cta;
    x->word = word;
    x->func = f;
    x->frame = e->frame;
    x->row[0] = w->word[word].reg + (size_t)e->row * ROW_BYTES;
    x->row[1] = f->consts;
    x->pred = w->word[word].pred + e->pred;
}

/* Each word of a wide warp overwrites the addresses of the one before. */
static void keep_addr(struct exec *x, const struct inst *in, u32 word)
{
    if (op_info[in->op].cls >= CL_LD)
        memcpy(x->out.addr[word], x->addr, sizeof x->out.addr[word]);
}

/* The other words of a wide warp; the first is bound already and stays so. */
static void other_words(struct exec *x, struct warp *w, const struct simt *e, const struct inst *in)
{
    keep_addr(x, in, 0);
    for (u32 k = 1; k < w->n_word; k++) {
        exec_bind(x, w, k);
        u32 mask = e->mask[k] & exec_guard(x->pred, in);
        u32 n = lanes_in(mask);

        x->n.thread_insts += n;
        x->out.n += n;
        x->out.mask[k] = mask;
        if (mask)
            x->table[in->op](x, in, mask);
        keep_addr(x, in, k);
        if (UNLIKELY(x->fault)) /* its word stays bound: the message names the thread */
            return;
    }
    exec_bind(x, w, 0);
}

/* Where a memory instruction among lanes was: exec_gather has had other registers bound. */
static void find_rows(struct exec *x, struct warp *w, const struct inst *in)
{
    for (u32 k = 0; k < w->n_word; k++) {
        u64 *addr = w->n_word == 1 ? x->addr : x->out.addr[k];

        exec_where(x, w, (u32)(in - x->code), k, addr);
        matrix_rows(addr, mod_vec(in->mod));
    }
    exec_bind(x, w, 0);
}

/* What exec_gather has computed is only counted. */
static RARE bool count_words(struct exec *x, struct warp *w, const struct simt *e,
                             const struct inst *in)
{
    assert(op_info[in->op].flags & OPF_CROSS);
    for (u32 k = 1; k < w->n_word; k++) {
        x->out.mask[k] = e->mask[k] & exec_guard(w->word[k].pred + e->pred, in);
        x->out.n += lanes_in(x->out.mask[k]);
        x->n.thread_insts += lanes_in(x->out.mask[k]);
    }
    if (op_info[in->op].cls >= CL_LD)
        find_rows(x, w, in);
    w->gathered = w->aside = false;
    return true;
}

/* Of a warp whose next instruction has been computed, or in paths. */
static RARE bool compute_aside(struct exec *x, struct warp *w, const struct simt *e,
                               const struct inst *in, u32 mask)
{
    if (w->gathered)
        return count_words(x, w, e, in);
    if (mask)
        x->table[in->op](x, in, mask);
    if (x->fault)
        return false;
    warp_track(w, &x->launch->prog->regs[in - x->code], e->row);
    return true;
}

/* It is not done: a fault, or lanes have to wait for others. */
static RARE enum step halt(struct exec *x, struct warp *w)
{
    if (x->fault != FAULT_GATHER)
        return STEP_FAULT;
    x->fault = FAULT_NONE;
    path_arrive(x, w);
    exec_bind(x, w, 0);
    return STEP_GO;
}

/* An instruction that is not control flow, in all words.  False: a fault. */
static inline bool compute(struct exec *x, struct warp *w, const struct simt *e,
                           const struct inst *in, u32 mask, u32 n)
{
    x->n.thread_insts += n;
    if (UNLIKELY(w->aside))
        return compute_aside(x, w, e, in, mask);
    if (LIKELY(mask))
        x->table[in->op](x, in, mask);
    if (UNLIKELY(w->n_word > 1) && !x->fault)
        other_words(x, w, e, in);
    return LIKELY(!x->fault);
}

static inline enum step execute_one(struct exec *x, struct warp *w)
{
    struct simt *e = warp_top(w);
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

    if (!compute(x, w, e, in, mask, lanes_in(mask)))
        return halt(x, w);
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
        s = execute_one(x, w);
        n++;
    }
    *used = n;
    return s;
}

/* ---- one at a time, with a report */

/* What is known before it executes; of the words, the first alone. */
static inline void begin_inst(struct exec *x, struct warp *w, const struct simt *e, u32 pc)
{
    const struct inst *in = &x->code[pc];
    struct exec_out *out = &x->out;

    assert(!w->done && w->waiting < 0 && !w->call.builtin);
    exec_bind(x, w, 0);
    u32 mask = e->mask[0] & exec_guard(x->pred, in);

    out->in = in, out->pc = pc, out->n = lanes_in(mask);
    memcpy(out->simt, e->mask, sizeof out->simt);
    memcpy(out->mask, (const u32[MAX_WORDS]){mask}, sizeof out->mask);
    memset(out->exited, 0, sizeof out->exited);
    out->n_exited = 0, out->taken = out->diverged = false;
    if (UNLIKELY(x->captured))
        memset(x->atom.mask, 0, sizeof x->atom.mask);
    x->captured = false;
    x->n.warp_insts++;
}

static inline void report_top(struct exec_out *out, const struct warp *w)
{
    static const struct simt nowhere = {.pc = PC_NONE};
    const struct simt *e = LIKELY(w->depth) ? warp_top(w) : &nowhere;

    out->next_pc = e->pc;
    memcpy(out->next, e->mask, sizeof out->next);
}

/* Masks of control flow, which exec_ctrl finds by itself again. */
static void report_words(struct exec *x, const struct warp *w, const struct simt *e)
{
    for (u32 k = 1; k < w->n_word; k++) {
        x->out.mask[k] = e->mask[k] & exec_guard(w->word[k].pred + e->pred, x->out.in);
        x->out.n += lanes_in(x->out.mask[k]);
    }
}

static inline bool compute_at(struct exec *x, struct warp *w, const struct simt *e, u32 pc)
{
    assert(x->code[pc].op < OP_bra);
    begin_inst(x, w, e, pc);
    return compute(x, w, e, x->out.in, x->out.mask[0], x->out.n);
}

static inline void advance_entry(struct exec *x, struct warp *w, struct simt *e)
{
    assert(x->code[e->pc].op < OP_bra);
    if (UNLIKELY(++e->pc == e->rpc))
        simt_pop(w);
    report_top(&x->out, w);
}

void exec_where(struct exec *x, struct warp *w, u32 pc, u32 word, u64 addr[LANES])
{
    const struct inst *in = &x->code[pc];
    bool atom = op_info[in->op].form == FORM_ATOM;
    bool narrow = in->mod & (atom ? MOD_ATOM_ADDR32 : MOD_ADDR32);

    exec_bind(x, w, word);
    u64 off = (u64)in->imm + (!atom && in->mod & MOD_FRAME ? x->frame : 0);

    if (in->src[0] == OPND_NONE) {
        for (u32 i = 0; i < LANES; i++)
            addr[i] = off;
        return;
    }
    const u8 *row = exec_row(x, in->src[0]);

    for (u32 i = 0; i < LANES; i++) {
        u64 wide = 0;

        memcpy(&wide, row + i * (narrow ? 4 : 8), narrow ? 4 : 8);
        addr[i] = wide + off;
    }
}

enum step exec_compute(struct exec *x, struct warp *w, u32 pc)
{
    return compute_at(x, w, warp_top(w), pc) ? STEP_GO : STEP_FAULT;
}

void exec_advance(struct exec *x, struct warp *w)
{
    advance_entry(x, w, warp_top(w));
}

static enum step issue_control(struct exec *x, struct warp *w, const struct simt *e)
{
    begin_inst(x, w, e, e->pc);
    report_words(x, w, e);
    enum step s = exec_ctrl(x, w, x->out.in);

    report_top(&x->out, w);
    return s;
}

HOT enum step exec_issue(struct exec *x, struct warp *w)
{
    struct simt *e = warp_top(w);

    if (x->code[e->pc].op >= OP_bra)
        return issue_control(x, w, e);
    if (!compute_at(x, w, e, e->pc)) {
        enum step s = halt(x, w);

        report_top(&x->out, w);
        return s;
    }
    advance_entry(x, w, e);
    return STEP_GO;
}
