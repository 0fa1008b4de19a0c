/*
 * lsu_atom.c -- atomics under way: their operands wait here until an L2 slice performs them.
 *
 * An atomic instruction keeps its captured operands in a slot; each of its accesses is a part that
 * says which lanes it is for.  The slice that performs a part touches only those lanes, so parts in different slices do not meet.
 */
#include <string.h>

#include "base/text.h"
#include "sm/stages.h"

void atom_init(struct memunit *mu, u32 n)
{
    mu->n_atom = n, mu->n_part = 32 * n;
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
    mu->free_part = mu->part[p].next;
    mu->part[p].op = op, mu->part[p].lanes = a->lanes, mu->part[p].word = a->word;
    return p;
}

void atom_part_free(struct memunit *mu, u32 p)
{
    mu->part[p].next = mu->free_part;
    mu->free_part = p;
}

void atom_perform(struct memunit *mu, u32 p)
{
    struct atom_part *part = &mu->part[p];
    struct atom_capture *c = &mu->atom[mu->op[part->op].atom].capture;

    for (u32 m = part->lanes; m; m &= m - 1)
        exec_atom_perform(c, part->word, (u32)__builtin_ctz(m));
}

/* The reply is here: results into registers; the operation it was for. */
u32 atom_arrived(struct sm *sm, u32 p)
{
    struct memunit *mu = &sm->mu;
    struct atom_part *part = &mu->part[p];
    struct memop *op = &mu->op[part->op];
    struct atom_capture *c = &mu->atom[op->atom].capture;

    exec_atom_write(sm->x, op->fe->ctx[op->slot].w, c, part->word, part->lanes);
    atom_part_free(mu, p);
    return part->op;
}
