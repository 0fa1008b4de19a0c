/* lines.c -- see lines.h */
#include "gpu/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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
    if (!d->lines)
        d->lines = xcalloc(1, sizeof *d->lines);
    counts_of(d->lines, p);
}

void lines_enter(const struct program *p, struct front *fe, u32 k)
{
    fe->board.line[k] =
        (struct line_tally){.stall = xcalloc(p->n_inst + 1, sizeof *fe->board.line[k].stall),
                            .issued = xcalloc(p->n_inst + 1, sizeof *fe->board.line[k].issued)};
    fe->has_lines = true;
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

u64 lines_leave(struct device *d, const struct program *p, struct front *fe, u32 k)
{
    struct line_counts *to = counts_of(d->lines, p);
    struct line_tally *from = &fe->board.line[k];
    u64 lost = take(*to->stalled, *from->stall, (size_t)(p->n_inst + 1) * N_STALL);

    take(to->issued, from->issued, p->n_inst + 1);
    *from = (struct line_tally){.stall = NULL};
    return lost;
}

/* Of several at once one may seem to have lost less than its lines; the sum over all is right. */
void lines_end(struct device *d, const struct counters *c, u64 lost)
{
    d->lines->elsewhere += c->stall.scheduler_cycles - c->stall.issued - lost;
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
