/*
 * noc_xbar.c -- one crossbar, input queued, with iSLIP arbitration; as GPGPU-Sim's intersim2 has it
 * for a single-stage network with one virtual channel.
 *
 *   injection queue -> input buffer -> switch, `speedup` rounds a tick -> output buffer -> ejection
 *                                      |<--------------- latency ticks --------------->|
 *
 * A round: every input whose oldest packet has its head in the buffer asks for that packet's
 * output; every output that no packet holds grants one of those that ask, round robin (McKeown,
 * "The iSLIP scheduling algorithm for input-queued switches", ToN 1999; one iteration: an input
 * asks for one output only, so it never has to choose among grants).  The packet then holds input
 * and output until its tail has passed, one flit a round; with vc_alloc its head passes a round
 * after the grant.  What stands behind a packet that is not granted waits with it; speedup lets the
 * switch catch up.
 *
 * Behind the switch an output delivers one flit a tick.  Its buffer is as large as the ejection
 * side (intersim2's is unbounded, and credits of the ejection side bound what is in it): space
 * there is reserved with the grant, for the whole packet, and an output that has none grants
 * nothing.
 *
 * MODEL: the fixed part of the latency (VC allocation, traversal, channels) lies behind the switch,
 * so the tick of a flit's arrival is known when it passes: max(tick + latency, that of the flit
 * before it at this output + 1).
 *
 * Lookahead is latency: a tail that passes in tick T or later arrives at T + latency or later; one
 * that passed before T has been delivered into `arrived` with its final time.  A packet of one flit
 * that is pushed in tick c enters and passes in tick c if nothing is in its way.
 */
#include "mem/noc_int.h"

struct output {
    u64 last; /* tick at which the latest flit that passed arrives */
    u32 turn; /* input that is asked first */
};

struct xbar {
    struct output *out;
    u64 *request; /* per output: set of inputs that ask for it */
    u64 *wanted;  /* set of outputs that somebody asks for */
    u64 *held;    /* set of outputs that a packet of several flits holds */
    u64 *idle;    /* set of outputs that may grant in this round */
    u64 *moving;  /* set of inputs whose oldest packet holds its output */
    u32 *left;    /* per input: flits that have not passed of a packet that was granted */
    u32 *later;   /* inputs that ask from the next round on */
    u32 n_later, n_moving, words_out;
};

static void xbar_init(struct noc *n, bool reverse)
{
    struct xbar *x = xcalloc(1, sizeof(*x));

    (void)reverse;
    x->words_out = noc_words(n->n_out);
    x->out = xcalloc(n->n_out, sizeof(x->out[0]));
    x->request = xcalloc((size_t)n->n_out * n->words_in, sizeof(u64));
    x->wanted = xcalloc(x->words_out, sizeof(u64));
    x->held = xcalloc(x->words_out, sizeof(u64));
    x->moving = xcalloc(n->words_in, sizeof(u64));
    x->left = xcalloc(n->n_in, sizeof(u32));
    x->idle = xcalloc(x->words_out, sizeof(u64));
    x->later = xcalloc(n->n_out, sizeof(u32)); /* at most one per output and round */
    n->state = x;
    n->ahead = (u32)n->conf->latency;
    n->buffer = (u32)n->conf->buffer_flits;
}

static void xbar_free(struct noc *n)
{
    struct xbar *x = n->state;

    free(x->out);
    free(x->request);
    free(x->wanted);
    free(x->held);
    free(x->moving);
    free(x->left);
    free(x->idle);
    free(x->later);
    free(x);
}

static void ask(struct noc *n, struct xbar *x, u32 i)
{
    u32 o = noc_head(n, i)->dst;

    noc_set(x->request + (size_t)o * n->words_in, i);
    noc_set(x->wanted, o);
}

static bool xbar_enter(struct noc *n, struct xbar *x, u64 tick)
{
    bool moved = false;

    NOC_FOR_EACH(i, noc_due(n, tick), n->words_in)
    {
        if (n->port[i].inside == n->buffer) {
            noc_block(n, i);
            continue;
        }
        noc_enter(n, i, tick);
        if (n->port[i].inside == 1 && !x->left[i])
            ask(n, x, i);
        moved = true;
    }
    noc_done(n, tick);
    return moved;
}

/* One flit of the oldest packet of input i goes through; true if it was the last. */
static inline bool xbar_pass(struct noc *n, struct xbar *x, u32 i, u64 tick)
{
    const struct packet *p = noc_head(n, i);
    struct output *out = &x->out[p->dst];
    u64 at = tick + n->ahead;

    out->last = at > out->last ? at : out->last + 1;
    noc_leave(n, i, tick);
    if (--x->left[i])
        return false;
    noc_deliver(n, *p, out->last, n->ahead + p->flits - 1);
    noc_forget(n, i);
    if (n->port[i].inside)
        x->later[x->n_later++] = i;
    return true;
}

/* Packets of several flits that hold their output from an earlier round on. */
static bool pass_moving(struct noc *n, struct xbar *x, u64 tick)
{
    bool moved = false;

    NOC_FOR_EACH(i, x->moving, n->words_in)
    {
        u32 o = noc_head(n, i)->dst;
        if (!n->port[i].inside)
            continue;
        moved = true;
        if (!xbar_pass(n, x, i, tick))
            continue;
        noc_clear(x->moving, i);
        noc_clear(x->held, o);
        x->n_moving--;
    }
    return moved;
}

/* Output o grants the input whose turn it is, if the ejection side takes its packet. */
static bool grant(struct noc *n, struct xbar *x, u32 o, u64 tick)
{
    u64 *request = x->request + (size_t)o * n->words_in;
    u32 i = noc_turn(request, n->words_in, x->out[o].turn);
    const struct packet *p = noc_head(n, i);

    if (!noc_fits(n, p))
        return false;
    noc_reserve(n, p);
    x->out[o].turn = i + 1 == n->n_in ? 0 : i + 1;
    noc_clear(request, i);
    if (noc_first(request, n->words_in, 0) == NOC_NONE)
        noc_clear(x->wanted, o);
    x->left[i] = p->flits;
    if (!n->conf->vc_alloc && xbar_pass(n, x, i, tick))
        return true;
    noc_set(x->moving, i);
    noc_set(x->held, o);
    x->n_moving++;
    return true;
}

/*
 * Outputs and inputs that become free in a round are so from the next one on: hence the copy of the
 * idle outputs, and `later`.
 */
static bool switch_round(struct noc *n, struct xbar *x, u64 tick)
{
    bool moved = false;

    x->n_later = 0;
    for (u32 w = 0; w < x->words_out; w++)
        x->idle[w] = x->wanted[w] & ~x->held[w];
    if (x->n_moving)
        moved = pass_moving(n, x, tick);
    NOC_FOR_EACH(o, x->idle, x->words_out)
    {
        moved |= grant(n, x, o, tick);
    }
    for (u32 k = 0; k < x->n_later; k++)
        ask(n, x, x->later[k]);
    return moved;
}

static bool xbar_step(struct noc *n, u64 tick)
{
    struct xbar *x = n->state;
    bool moved = xbar_enter(n, x, tick);

    for (u32 round = 0; round < n->conf->speedup; round++) {
        if (!switch_round(n, x, tick))
            break;
        moved = true;
    }
    return moved;
}

const struct noc_kind noc_xbar = {
    .name = "xbar",
    .init = xbar_init,
    .step = xbar_step,
    .wake = noc_due_wake,
    .free = xbar_free,
};
