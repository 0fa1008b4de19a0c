/*
 * noc_int.h -- what the kinds of network share: ports, sets, clocks, delivery.
 *
 * An input, seen from the network:
 *
 *     injection queue --one flit a tick--> buffer --> the kind's switch
 *     |<------------- noc_in.sent ------------->|
 *
 * The set noc_due(n, tick) are the inputs of which a flit wants to go from the queue into the
 * buffer in that tick.  A kind visits all of them in its step and calls noc_enter or, if the buffer
 * is full, noc_block; it calls noc_leave for every flit that goes on and noc_forget when that was
 * the tail.
 *
 * Ejection space is reserved when a packet is granted its way to the output (noc_fits,
 * noc_reserve), not when it gets there: the time of arrival is then final as soon as the tail flit
 * was granted, which is what lets the sinks run ahead.
 */
#ifndef MEM_NOC_INT_H
#define MEM_NOC_INT_H

#include "mem/noc.h"

extern const struct noc_kind noc_ideal, noc_xbar, noc_mesh;

struct noc_port {
    u64 entered;  /* flits, ever */
    u64 entries;  /* bit k: one entered k ticks after the beginning of the window */
    u32 inside;   /* flits in the buffer */
    u32 known;    /* packets of noc_in.sent as of the last edge */
    u32 next;     /* the packet among these that is entering; known: none */
    u32 left;     /* flits of that packet that are still outside */
    bool blocked; /* the next flit waits for another one to leave the buffer */
    bool dirty;   /* its noc_in has to be set at this edge */
};

#define NOC_NONE UINT32_MAX

static inline u32 noc_words(u32 n)
{
    return (n + 63) / 64;
}

static inline void noc_set(u64 *set, u32 i)
{
    set[i / 64] |= (u64)1 << i % 64;
}

static inline void noc_clear(u64 *set, u32 i)
{
    set[i / 64] &= ~((u64)1 << i % 64);
}

static inline bool noc_has(const u64 *set, u32 i)
{
    return set[i / 64] >> i % 64 & 1;
}

/* The first member that is not below `from`, or NOC_NONE. */
static inline u32 noc_first(const u64 *set, u32 words, u32 from)
{
    u32 w = from / 64;

    if (w >= words)
        return NOC_NONE;
    for (u64 m = set[w] & UINT64_MAX << from % 64;; m = set[w]) {
        if (m)
            return w * 64 + (u32)__builtin_ctzll(m);
        if (++w == words)
            return NOC_NONE;
    }
}

/* The same, but the search goes on from 0: whose turn is it?  The set is not empty. */
static inline u32 noc_turn(const u64 *set, u32 words, u32 from)
{
    if (words == 1) { /* without a branch that nobody can predict */
        u64 later = set[0] & UINT64_MAX << from;
        return (u32)__builtin_ctzll(later ? later : set[0]);
    }
    u32 i = noc_first(set, words, from);
    return i == NOC_NONE ? noc_first(set, words, 0) : i;
}

/* For every member i of a set; members that come in during the loop may or may not be visited. */
#define NOC_FOR_EACH(i, set, words)                                                                \
    for (u32 w_ = 0; w_ < (words); w_++)                                                           \
        for (u64 m_ = (set)[w_]; m_; m_ &= m_ - 1)                                                 \
            for (u32 i = w_ * 64 + (u32)__builtin_ctzll(m_), once_ = 1; once_; once_ = 0)

/* Exact for x * num < 2^63; the inverse saves the division by a variable. */
static inline u64 noc_scale(const struct noc_ratio *r, u64 x, bool up)
{
    u64 y = x * r->num;
    u64 q = (u64)((unsigned __int128)y * r->inverse >> 64);
    u64 rest = y - q * r->den;

    for (; rest >= r->den; rest -= r->den)
        q++;
    return q + (up && rest);
}

/*
 * The first tick at or after the beginning of a core cycle; the first core cycle at or after a
 * tick.
 */
static inline u64 noc_tick(const struct noc *n, u64 cycle)
{
    return n->same_clock ? cycle : noc_scale(&n->to_tick, cycle, true);
}

static inline u64 noc_cycle(const struct noc *n, u64 tick)
{
    return n->same_clock ? tick : noc_scale(&n->to_cycle, tick, true);
}

static inline u64 *noc_due(const struct noc *n, u64 tick)
{
    return n->due + (tick & n->due_mask) * n->words_in;
}

static inline void noc_done(struct noc *n, u64 tick)
{
    for (u32 w = 0; w < n->words_in; w++)
        noc_due(n, tick)[w] = 0;
}

/* The oldest packet of input i that is there. */
static inline struct packet *noc_head(const struct noc *n, u32 i)
{
    return &ring_head(&n->in[i].sent);
}

static inline const struct packet *noc_entering(const struct noc *n, u32 i)
{
    return &ring_at(&n->in[i].sent, n->port[i].next);
}

/* The next packet of input i may enter from this tick on. */
static inline u64 noc_expect(struct noc *n, u32 i, u64 from)
{
    const struct packet *p = noc_entering(n, i);
    u64 tick = noc_tick(n, p->at);

    n->port[i].left = p->flits;
    tick = tick > from ? tick : from;
    noc_set(noc_due(n, tick), i);
    return tick;
}

/* A flit of input i goes from the injection queue into the buffer. */
static inline void noc_enter(struct noc *n, u32 i, u64 tick)
{
    struct noc_port *p = &n->port[i];

    u64 k = tick > n->first ? tick - n->first : 0;

    p->inside++;
    p->entered++;
    p->entries |= (u64)1 << (k < 63 ? k : 63);
    if (--p->left)
        noc_set(noc_due(n, tick + 1), i);
    else if (++p->next < p->known)
        noc_expect(n, i, tick + 1);
}

static inline void noc_block(struct noc *n, u32 i)
{
    n->port[i].blocked = true;
}

/* A flit of input i leaves the buffer. */
static inline void noc_leave(struct noc *n, u32 i, u64 tick)
{
    struct noc_port *p = &n->port[i];

    check_here(p->inside);
    p->inside--;
    if (p->blocked)
        noc_set(noc_due(n, tick + 1), i);
    p->blocked = false;
}

/* The tail of the oldest packet of input i has left. */
static inline void noc_forget(struct noc *n, u32 i)
{
    struct noc_in *in = &n->in[i];

    check_here(n->port[i].next);
    ring_pop(&in->sent);
    in->sent.head &= in->sent.n ? UINT32_MAX : 0; /* short queues stay in the host's cache */
    n->port[i].next--;
    n->port[i].known--;
}

/* The first later tick in which a flit enters. */
u64 noc_due_wake(const struct noc *n, u64 tick);

static inline bool noc_fits(const struct noc *n, const struct packet *p)
{
    u32 flits = n->out[p->dst].flits;

    return !flits || flits + p->flits <= n->eject_flits;
}

static inline void noc_reserve(struct noc *n, const struct packet *p)
{
    n->out[p->dst].flits += p->flits;
}

/*
 * The tail arrives at `tick`; without contention it would have been `least` ticks after the push.
 */
static inline void noc_deliver(struct noc *n, struct packet p, u64 tick, u64 least)
{
    u64 pushed = p.at, ideal = noc_cycle(n, noc_tick(n, pushed) + least);

    check_here(n->under_way && p.dst < n->n_out);
    p.at = noc_cycle(n, tick);
    n->under_way--;
    n->st.packets++;
    n->st.flits += p.flits;
    n->st.latency_cycles += p.at - pushed;
    n->st.cycles_waited += p.at > ideal ? p.at - ideal : 0;
    hist_add(&n->latency, p.at - pushed);
    ring_push(&n->out[p.dst].arrived, p);
}

#endif
