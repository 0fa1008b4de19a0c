/*
 * lsu_atom.c -- atomics under way: their operands wait here until an L2 slice performs them.
 *
 * An atomic instruction keeps its captured operands in a slot; each of its accesses is a part that
 * says which lanes it is for, of any of the warp's words.  The slice that performs a part touches only
 * those lanes, so parts in different slices do not meet.
 *
 * A slice that finds no memory at the address (the kernel has freed it) answers so; the fault is raised where the answer arrives.
 */
#include "sm/memunit/memunit.h"

#include <string.h>

#include "base/text.h"
#include "sm/binding/kernels.h"
#include "sm/front/front.h"
#include "sm/sm.h"

void atom_init(struct memunit *mu, u32 n, u32 parts)
{
    mu->n_part = parts;
    mu->atom = xcalloc(n, sizeof mu->atom[0]);
    mu->part = xcalloc(mu->n_part, sizeof mu->part[0]);
    for (u32 i = 0; i < n; i++)
        mu->atom[i].next = i + 1 < n ? i + 1 : REQ_NONE;
    for (u32 i = 0; i < mu->n_part; i++)
        mu->part[i].next = i + 1 < mu->n_part ? i + 1 : REQ_NONE;
    mu->free_atom = mu->free_part = 0;
}

void atom_free(struct memunit *mu)
{
    free(mu->atom), free(mu->part);
}

u32 atom_keep(struct memunit *mu, const struct exec *x)
{
    u32 a = mu->free_atom;

    ensure(mu, a != REQ_NONE);
    mu->free_atom = mu->atom[a].next;
    memcpy(&mu->atom[a].capture, &x->atom, atom_capture_bytes(&x->atom));
    return a;
}

void atom_release(struct memunit *mu, u32 a)
{
    mu->atom[a].next = mu->free_atom;
    mu->free_atom = a;
}

/* REQ_NONE: all parts are under way, try again later. */
u32 atom_part(struct memunit *mu, u32 op, const struct access *a)
{
    u32 p = mu->free_part;

    if (p == REQ_NONE)
        return p;
    struct atom_part *part = &mu->part[p];

    check(&mu->op[op], mu->op[op].atom != REQ_NONE && a->atom < MAX_ATOM);
    mu->free_part = part->next;
    part->op = op, part->done = false;
    memcpy(part->lanes, mu->list[mu->op[op].list].lanes[a->atom], sizeof part->lanes);
    memset(part->gone, 0, sizeof part->gone);
    return p;
}

void atom_part_free(struct memunit *mu, u32 p)
{
    ensure(mu, p < mu->n_part);
    mu->part[p].next = mu->free_part;
    memset(mu->part[p].lanes, 0, sizeof mu->part[p].lanes);
    mu->free_part = p;
}

void atom_perform(struct memunit *mu, u32 p)
{
    struct atom_part *part = &mu->part[p];
    struct atom_capture *c = &mu->atom[mu->op[part->op].atom].capture;

    ensure(mu, p < mu->n_part && part->op < mu->n_op);
    check(&mu->op[part->op], !part->done && mu->op[part->op].atom != REQ_NONE);
    for (u32 k = 0; k < c->n_word; k++)
        for (u32 m = part->lanes[k]; m; m &= m - 1)
            if (!exec_atom_perform(mu->x->mem, c, k, (u32)__builtin_ctz(m)))
                part->gone[k] |= m & -m;
    part->done = true;
}

/* As if these lanes had touched it now: those that may stray. */
static RARE u32 stray(struct exec *x, const struct memop *op, const struct atom_capture *c,
                      u32 word, u32 gone, u64 now)
{
    struct warp *w = op->fe->ctx[op->slot].w;
    u32 pc = memop_pc(op);

    x->warp = w, x->cta = w->cta, x->word = word, x->clock = now;
    x->fault_space = SP_GLOBAL, x->fault_write = true;
    for (u32 m = gone; m; m &= m - 1) {
        u32 lane = (u32)__builtin_ctz(m);

        x->addr[lane] = c->word[word].addr[lane];
        if (exec_stray(x, pc, lane, c->bytes))
            continue;
        front_fail(op->fe, w, pc, now);
        return 0;
    }
    return gone;
}

/* The reply is here: results into registers. */
u32 atom_arrived(struct memunit *mu, u32 p, u64 now)
{
    struct atom_part *part = &mu->part[p];
    struct memop *op = &mu->op[part->op];
    struct atom_capture *c = &mu->atom[op->atom].capture;
    u32 words = 0;

    check(op, part->done && op->fe->ctx[op->slot].w);
    if (UNLIKELY(op->fe->mixed))
        kernel_turn(op->fe, &op->fe->ctx[op->slot]);
    for (u32 k = 0; k < c->n_word; k++) {
        words |= (u32)(part->lanes[k] != 0) << k;
        if (UNLIKELY(part->gone[k]) && !op->fe->failed)
            part->gone[k] &= ~stray(mu->x, op, c, k, part->gone[k], now);
        exec_atom_write(mu->x, op->fe->ctx[op->slot].w, c, k, part->lanes[k] & ~part->gone[k]);
    }
    atom_part_free(mu, p);
    return load_token(part->op, words);
}

static u32 lanes_done(const struct memunit *mu, u32 op, u32 word)
{
    u32 done = 0;

    for (u32 p = 0; p < mu->n_part; p++)
        if (mu->part[p].op == op && mu->part[p].done)
            done |= mu->part[p].lanes[word];
    return done;
}

bool atom_foresee(const struct memunit *mu, const struct wctx *c, struct warp *copy)
{
    const struct memop *op = &mu->op[c->atom_op];

    if (!c->atoms)
        return true;
    if (!mu->atom_blocks || op->atom == REQ_NONE)
        return false;
    struct atom_capture *a = &mu->atom[op->atom].capture;

    for (u32 k = 0; k < copy->n_word; k++) {
        u32 left = a->mask[k] & ~lanes_done(mu, c->atom_op, k);

        for (u32 m = left; m; m &= m - 1)
            if (!exec_atom_reads(mu->x->mem, a, k, (u32)__builtin_ctz(m)))
                return false;
        for (u32 m = a->has_dst ? a->mask[k] : 0; m; m &= m - 1) {
            u32 i = (u32)__builtin_ctz(m);
            size_t at = (size_t)(a->row[k] - c->w->word[k].reg) + (size_t)i * atom_row_bytes(a);

            memcpy(copy->word[k].reg + at, &a->word[k].old[i], atom_row_bytes(a));
        }
    }
    return true;
}
