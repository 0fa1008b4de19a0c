/*
 * noc_ideal.c -- a network without contention: every packet takes `latency`.
 *
 * What remains is what belongs to the nodes: a source's port is one flit wide (that is how its
 * injection queue drains, and what keeps its packets in order), and a packet waits at its input,
 * and what is behind it waits too, while the ejection side of its output is full.  Outputs take any
 * number of flits a tick.
 *
 * Lookahead: a packet arrives `latency` ticks after the tick in which its tail came in and was let
 * through, so what tick T or a later one lets through arrives at T + latency or later.
 */
#include "mem/noc_int.h"

struct ideal {
    u64 *busy;    /* set of inputs with a packet */
    u32 *passing; /* per input: flits of the oldest packet that are still to pass; 0: not granted */
    u32 first;    /* input that is served first: one that was refused before */
};

static void ideal_init(struct noc *n, bool reverse)
{
    struct ideal *s = xcalloc(1, sizeof(*s));

    (void)reverse;
    s->busy = xcalloc(n->words_in, sizeof(u64));
    s->passing = xcalloc(n->n_in, sizeof(u32));
    n->state = s;
    n->ahead = (u32)n->conf->latency;
    n->buffer = (u32)n->conf->buffer_flits;
}

static void ideal_free(struct noc *n)
{
    struct ideal *s = n->state;

    free(s->busy);
    free(s->passing);
    free(s);
}

static bool ideal_enter(struct noc *n, struct ideal *s, u64 tick)
{
    bool moved = false;

    NOC_FOR_EACH(i, noc_due(n, tick), n->words_in)
    {
        if (n->port[i].inside == n->buffer) {
            noc_block(n, i);
            continue;
        }
        noc_enter(n, i, tick);
        noc_set(s->busy, i);
        moved = true;
    }
    noc_done(n, tick);
    return moved;
}

/* One flit of input i goes; false if its packet is refused. */
static bool ideal_pass(struct noc *n, struct ideal *s, u32 i, u64 tick)
{
    const struct packet *head = noc_head(n, i);

    if (!s->passing[i]) {
        if (!noc_fits(n, head))
            return false;
        noc_reserve(n, head);
        s->passing[i] = head->flits;
    }
    noc_leave(n, i, tick);
    if (--s->passing[i])
        return true;
    noc_deliver(n, *head, tick + n->conf->latency, n->conf->latency + head->flits - 1);
    noc_forget(n, i);
    return true;
}

/* Everything that is in goes, unless it is refused. */
static bool drain(struct noc *n, struct ideal *s, u32 i, u64 tick)
{
    bool moved = false;

    while (n->port[i].inside) {
        if (!ideal_pass(n, s, i, tick))
            return moved;
        moved = true;
    }
    noc_clear(s->busy, i);
    return moved;
}

static bool ideal_step(struct noc *n, u64 tick)
{
    struct ideal *s = n->state;
    bool moved = ideal_enter(n, s, tick);
    u32 start = s->first, refused = NOC_NONE;

    for (u32 i = noc_first(s->busy, n->words_in, start); i != NOC_NONE;
         i = noc_first(s->busy, n->words_in, i + 1)) {
        moved |= drain(n, s, i, tick);
        if (refused == NOC_NONE && noc_has(s->busy, i))
            refused = i;
    }
    for (u32 i = noc_first(s->busy, n->words_in, 0); i < start;
         i = noc_first(s->busy, n->words_in, i + 1)) {
        moved |= drain(n, s, i, tick);
        if (refused == NOC_NONE && noc_has(s->busy, i))
            refused = i;
    }
    s->first = refused == NOC_NONE ? start : refused;
    return moved;
}

const struct noc_kind noc_ideal = {
    .name = "ideal",
    .init = ideal_init,
    .step = ideal_step,
    .wake = noc_due_wake,
    .free = ideal_free,
};
