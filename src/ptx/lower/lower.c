/*
 * lower.c -- from selected PTX to allocated machine code: the order of the passes.
 *
 * PTX is written for a compiler that is still to come.  What that compiler does to the
 * instruction stream is done here: enough of it that occupancy, register banks and
 * dependences look like those of machine code, and never so much that a result changes.
 */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"

enum { MAX_ROUNDS = 8 }; /* of clean-up; most functions need two or three */

bool lower_is_pure(const struct ir_inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (o->flags & (OPF_PIN | OPF_END) || in->op == OP_prefetch)
        return false;
    switch (o->form) {
    case FORM_ST:
    case FORM_ATOM:
    case FORM_COPY:
    case FORM_CTRL:
        return false;
    case FORM_LD:
        return !(in->mod & MOD_VOLATILE);
    default:
        return true;
    }
}

bool lower_reads_const(const struct ir_func *f, const struct ir_inst *in)
{
    const struct op_info *o = &op_info[in->op];

    if (o->form != FORM_LD || in->mod & MOD_VOLATILE)
        return false;
    return o->space == SP_CONST || (o->space == SP_PARAM && f->is_entry);
}

void lower_remove(struct ir_func *f, const bool *dead)
{
    u32 n = 0;

    for (u32 b = 0; b < f->n_block; b++) {
        struct ir_block *k = &f->block[b];
        u32 first = n;

        for (u32 i = k->first; i < k->first + k->n; i++)
            if (!dead[i])
                f->inst[n++] = f->inst[i];
        k->first = first;
        k->n = n - first;
    }
    f->n_inst = n;
}

/* Every block becomes a label; an empty one stands before what follows it. */
void lower_rebuild(struct ir_func *f)
{
    f->n_label = f->n_block;
    f->label = xrealloc(f->label, f->n_label * sizeof(u32));
    for (u32 b = 0; b < f->n_block; b++)
        f->label[b] = f->block[b].first;
    cfg_build(f, true);
}

/* The passes keep what ir_check asks for; a debug build asks after each. */
static void check_pass(const struct ir_func *f)
{
#ifndef NDEBUG
    struct err e;

    if (!ir_check(f, &e)) {
        err_print(&e, stderr);
        assert(!"the lowering made code that is not sound");
    }
#endif
    (void)f;
}

static bool clean_up(struct ir_func *f)
{
    bool changed = lower_fold(f);

    changed |= lower_cse(f);
    changed |= lower_dead(f);
    changed |= lower_branches(f);
    check_pass(f);
    return changed;
}

bool lower_func(struct ir_func *f, const struct lower_opts *o, struct err *e)
{
    check_pass(f);
    lower_rebuild(f);
    lower_rename(f);
    for (u32 i = 0; i < MAX_ROUNDS && clean_up(f); i++)
        ;
    if (lower_fuse(f, o->contract))
        clean_up(f);
    check_pass(f);
    if (o->schedule)
        lower_sched(f, o->max_regs);
    if (!lower_alloc(f, o->max_regs, e))
        return false;
    lower_branches(f);
    check_pass(f);
    return true;
}
