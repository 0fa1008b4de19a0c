/* endless.c -- see endless.h */
#include "exec/endless.h"

#include "exec/path.h"

#include <string.h>

enum { STEPS = 1 << 14 }; /* that are tried: loops that wait are short */

void endless_init(struct endless_try *t, const struct exec *like, u32 words)
{
    memset(t, 0, sizeof *t);
    exec_init(&t->x, like->launch, like->mem, like->texture, false);
    t->x.table = like->lanes ? like->lanes : like->table;
    t->x.n_sm = like->n_sm, t->x.sm_warps = like->sm_warps;
    t->x.sm_shared = like->sm_shared;
    t->x.defer_atoms = t->x.defer_calls = true;
    warp_new(&t->run, like->launch->func, words);
    warp_new(&t->seen, like->launch->func, words);
}

void endless_free(struct endless_try *t)
{
    exec_release(&t->x);
    warp_free(&t->run);
    warp_free(&t->seen);
}

static bool any_lane(const struct warp *w, const struct simt *e, const struct inst *in)
{
    u32 any = 0;

    for (u32 k = 0; k < w->n_word; k++)
        any |= e->mask[k] & exec_guard(w->word[k].pred + e->pred, in);
    return any != 0;
}

/* Does it stay within the warp, and do the same each time? */
static bool stays_in_warp(const struct warp *w, const struct simt *e, const struct inst *in)
{
    const struct op_info *o = &op_info[in->op];

    switch (in->op) {
    case OP_bar:
        return false;
    case OP_mov_clock:
    case OP_mov_clock_64:
    case OP_exit:
    case OP_trap:
        return !any_lane(w, e, in);
    case OP_ret:
        return e->caller != PC_NONE || !any_lane(w, e, in);
    default:
        break;
    }
    if (o->form == FORM_ST)
        return o->space == SP_LOCAL || !any_lane(w, e, in);
    if (o->form == FORM_COPY)
        return !any_lane(w, e, in);
    if (o->form == FORM_ATOM)
        return o->space == SP_GLOBAL || !any_lane(w, e, in);
    return true;
}

/* The atomic just issued, if it changes nothing: its results into the registers. */
static bool atomics_only_read(struct exec *x, struct warp *w)
{
    struct atom_capture *a = &x->atom;

    for (u32 k = 0; k < w->n_word; k++) {
        for (u32 m = a->mask[k]; m; m &= m - 1)
            if (!exec_atom_reads(x->mem, a, k, (u32)__builtin_ctz(m)))
                return false;
        if (a->mask[k])
            exec_atom_write(x, w, a, k, a->mask[k]);
    }
    return true;
}

static void note_load(const struct exec *x, const struct warp *w, struct endless *found)
{
    for (u32 k = 0; k < w->n_word; k++)
        for (u32 m = x->out.mask[k]; m && !found->host; m &= m - 1) {
            u32 lane = (u32)__builtin_ctz(m);
            u64 addr = exec_addr(x, w, k)[lane];
            const struct span *s = vmem_find(x->mem, addr);
            bool host = s && s->kind == SPAN_MAPPED;

            if (found->loads && !host)
                continue;
            found->pc = x->out.pc, found->thread = w->word[k].thread[lane];
            found->loads = true, found->host = host, found->addr = addr;
        }
}

static bool step_endless(struct exec *x, struct warp *w, struct endless *found)
{
    const struct simt *e = &w->stack[w->depth - 1];
    const struct inst *in = &x->code[e->pc];
    u32 space = op_info[in->op].space;

    if (!stays_in_warp(w, e, in) || exec_issue(x, w) != STEP_GO || !atomics_only_read(x, w))
        return false;
    if (op_info[in->op].form == FORM_LD || op_info[in->op].form == FORM_ATOM)
        if (space == SP_GLOBAL || space == SP_GENERIC)
            note_load(x, w, found);
    return true;
}

static u32 first_thread(const struct warp *w)
{
    for (u32 k = 0; k < w->n_word; k++)
        if (w->stack[w->depth - 1].mask[k])
            return w->word[k].thread[__builtin_ctz(w->stack[w->depth - 1].mask[k])];
    return 0;
}

struct warp *endless_copy(struct endless_try *t, const struct warp *w)
{
    warp_copy(&t->run, w, t->x.launch);
    return &t->run;
}

struct warp *endless_copy_path(struct endless_try *t, const struct warp *w, u32 i)
{
    path_copy(endless_copy(t, w), w, i, t->x.launch);
    return &t->run;
}

/* Brent's way to find a cycle: remember a state, and another one after twice as many steps. */
bool endless(struct endless_try *t, struct endless *found)
{
    const struct launch *l = t->x.launch;
    struct warp *w = &t->run;
    struct endless f = {.pc = w->stack[w->depth - 1].pc, .thread = first_thread(w), .cta = w->cta};
    bool again = false;

    if (w->call.builtin)
        return false;
    f.behind = path_waiting_lanes(&t->x, w, &f.behind_pc);
    warp_copy(&t->seen, w, l);
    for (u32 n = 1, next = 1; n < STEPS && !again; n++) {
        if (!step_endless(&t->x, w, &f))
            break;
        again = warp_equal(w, &t->seen, l);
        if (n != next || again)
            continue;
        warp_copy(&t->seen, w, l);
        next *= 2;
    }
    if (again)
        *found = f;
    t->x.fault = FAULT_NONE;
    return again;
}
