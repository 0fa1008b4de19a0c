/* lines.c -- see lines.h */
#include "gpu/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gpu/machine.h"

/* ---- counting */

static struct line_counts *counts_of(struct lines *s, const struct program *p)
{
    for (u32 i = 0; i < s->n_prog; i++)
        if (s->at[i].prog == p)
            return &s->at[i];
    s->at = xrealloc(s->at, (s->n_prog + 1) * sizeof s->at[0]);
    struct line_counts *c = &s->at[s->n_prog++];

    c->prog = p;
    c->stalled = xcalloc(p->n_inst + 1, sizeof c->stalled[0]);
    c->issued = xcalloc(p->n_inst + 1, sizeof c->issued[0]);
    return c;
}

void lines_begin(struct device *d, const struct program *p)
{
    struct machine *m = d->machine;

    if (!d->lines)
        d->lines = xcalloc(1, sizeof *d->lines);
    counts_of(d->lines, p);
    for (u32 i = 0; i < m->n_sm; i++) {
        struct front *fe = m->sm[i].front;

        fe->line_stall = xcalloc(p->n_inst + 1, sizeof fe->line_stall[0]);
        fe->line_issued = xcalloc(p->n_inst + 1, sizeof fe->line_issued[0]);
        for (u32 k = 0; k < fe->n_sched; k++)
            fe->sched[k].why.pc = fe->sched[k].asleep.pc = PC_NONE;
    }
}

static u64 take(u64 *to, u64 *from, size_t n)
{
    u64 sum = 0;

    for (size_t i = 0; i < n; i++) {
        to[i] += from[i];
        sum += from[i];
    }
    free(from);
    return sum;
}

void lines_end(struct device *d, const struct program *p, const struct counters *c)
{
    struct line_counts *to = counts_of(d->lines, p);
    u64 charged = 0;

    for (u32 i = 0; i < d->machine->n_sm; i++) {
        struct front *fe = d->machine->sm[i].front;

        charged += take(*to->stalled, *fe->line_stall, (size_t)(p->n_inst + 1) * N_STALL);
        take(to->issued, fe->line_issued, p->n_inst + 1);
        fe->line_stall = NULL, fe->line_issued = NULL;
    }
    d->lines->elsewhere += c->stall.scheduler_cycles - c->stall.issued - charged;
}

void lines_free(struct lines *s)
{
    if (!s)
        return;
    for (u32 i = 0; i < s->n_prog; i++)
        free(s->at[i].stalled), free(s->at[i].issued);
    free(s->at);
    free(s);
}
