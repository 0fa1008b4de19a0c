/*
 * noc.h -- one subnet of the network: packets from n_in nodes to n_out nodes.
 *
 * A GPU has two: requests (SMs to L2 slices) and replies (back).  The kinds `ideal`, `xbar` and
 * `mesh` answer the same calls (noc_ideal.c, noc_xbar.c, noc_mesh.c).
 *
 * Who does what when.  Time is in core cycles and proceeds in windows [from, to):
 *
 *   - during the window a source calls noc_room and noc_push on its own input, with cycles in
 *     ascending order; a sink calls noc_arrived and noc_take on its own output.  Nobody else
 *     touches that port, so different nodes may do so from different host threads.
 *   - at the edge one thread calls noc_advance(n, from, to): the network takes what was pushed
 *     and decides everything up to cycle `to`.  Room that was freed during a window is seen by
 *     the source after the edge (its injection queue drains one flit a cycle meanwhile), and one
 *     flit at a time, so that those who share an input come in their order.  Sinks may also run
 *     their window after the edge, for they know all that arrives in it: those of requests do.
 *     Room that sinks made in a window is there from the first tick after it.
 *
 * What noc_advance(.., to) has not yet decided arrives in cycle `to` + lookahead or later: a sink
 * may run `lookahead` cycles on before the next edge without missing anything.  So lookahead bounds
 * the window; only a span in which nobody pushes (a time jump) may be longer.
 *
 * The network runs on its own clock; core cycles and its ticks both started at time 0.  A tick sees
 * what was pushed at its time or before; what arrives at a tick is there in the first core cycle at
 * or after it.
 *
 * Order: packets of one input to one output stay in order; in a mesh with noc.vc=any only those that
 * say so do, among themselves (`ordered`): atomics, which are performed as they arrive.  Nothing else
 * depends on it: values of loads and stores do not travel, fences and barriers wait for the answers,
 * and whoever sent a request knows its answers by its number.  Ties are broken round robin from
 * pointers that are part of the state, so two runs are identical.
 */
#ifndef MEM_NOC_H
#define MEM_NOC_H

#include "base/base.h"
#include "base/err.h"
#include "base/hist.h"
#include "base/ring.h"
#include "base/sheet.h"

#define SHEET_DEF "mem/noc.def"
struct noc_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mem/noc.def"
struct noc_stat {
#include "base/sheet_stats.inc"
};
extern const struct sheet noc_sheet;

bool noc_conf_check(const struct noc_conf *c, u64 n_sm, u64 n_slice, struct err *e);

struct packet {
    u64 at;       /* core cycle: of the push, at the output of the arrival */
    u32 req;      /* number of the request */
    u16 src, dst; /* input, output */
    u8 flits;     /* 1.. */
    u8 sector;    /* replies: which sector of the request's line; requests: 0 */
    bool ordered; /* never passes or is passed by another one that is, of the same pair */
};

/* Ports are a cache line each: neighbours may belong to different host threads. */
struct noc_in {                            /* a source's side */
    _Alignas(64) RING(struct packet) sent; /* pushed and not yet past the first router's buffer */
    u32 queued;                            /* flits in the injection queue */
    u32 credit;  /* flits free in the first router's buffer, as of the last edge */
    u64 late;    /* bit k: room for one more flit comes to sight k cycles after `drained` */
    u64 drained; /* cycle up to which `queued` is right */
    u64 pushed;  /* flits, ever */
    u64 stalls;
};

struct noc_out {                              /* a sink's side */
    _Alignas(64) RING(struct packet) arrived; /* in order of `at`, possibly later than now */
    u32 flits; /* in `arrived` or granted the way there, as of the last edge */
    u32 taken; /* flits taken since */
};

struct noc;
struct noc_port;

/* One topology.  Steps are ticks of the network's clock; see noc_int.h for what a kind may use. */
struct noc_kind {
    const char *name;
    void (*init)(struct noc *n, bool reverse);  /* sets n->ahead and n->buffer */
    bool (*step)(struct noc *n, u64 tick);      /* did anything move? */
    u64 (*wake)(const struct noc *n, u64 tick); /* nothing moved: the next tick that may differ */
    void (*bypass)(struct noc *n, u32 node, bool on); /* or NULL */
    void (*free)(struct noc *n);
};

struct noc_ratio { /* x * num / den, rounded */
    u64 num, den, inverse;
};

struct noc {
    u32 n_in, n_out;
    u32 inject_flits;
    u32 lookahead; /* core cycles, at least 1 */
    struct noc_in *in;
    struct noc_out *out;
    u64 in_flight; /* packets pushed and not yet taken, as of the last edge */

    /* Only for noc*.c */
    u64 wake;              /* the next tick in which anything may move; UINT64_MAX: none */
    u64 edge;              /* core cycle up to which everything is decided */
    u64 first;             /* tick of the window at hand */
    u64 under_way;         /* packets seen at an edge and not yet in `arrived` */
    struct noc_port *port; /* of every input, the network's side */
    u64 *due;              /* per tick, the set of inputs of which a flit enters then; a ring */
    u64 due_mask;
    u32 words_in; /* u64 words of a set of inputs */
    u32 eject_flits;
    u32 buffer; /* flits between an injection queue and the first arbitration, per input */
    u32 ahead;  /* lookahead in ticks */
    bool same_clock;
    bool sinks_after; /* sinks run their window after the edge */
    struct noc_ratio to_tick, to_cycle;
    const struct noc_kind *kind;
    void *state; /* of the kind */
    const struct noc_conf *conf;
    u64 core_mhz, noc_mhz;
    struct noc_stat st;  /* without stalls: use noc_count */
    struct hist latency; /* of packets, core cycles */
    void *ports_memory[2];
};

/* `reverse`: the reply subnet; a mesh then has the same nodes in the same places. */
void noc_init(struct noc *n, const struct noc_conf *conf, u64 core_mhz, u32 n_in, u32 n_out,
              bool reverse);
void noc_free(struct noc *n);
void noc_advance(struct noc *n, u64 from, u64 to);

/*
 * The next core cycle at which noc_advance would do anything although nobody pushes; UINT64_MAX:
 * none.  Packets in `arrived` are the sinks' business, but what they took since the last edge has
 * to be heard at the next.
 */
u64 noc_next(const struct noc *n);

/* Nothing pushed, under way or arrived. */
bool noc_is_idle(const struct noc *n);

/* Adds the counters, the sources' stalls included. */
void noc_count(const struct noc *n, struct noc_stat *to);

/* What is not empty, in one line, for a deadlock report. */
void noc_describe(const struct noc *n, char *buf, size_t size);

/*
 * Mesh: packets that neither start nor end at this node pass its router without its pipeline (SMs
 * fused by a mechanism); other kinds have no such routers and ignore it.  Between edges only.
 * Nodes are numbered alike in both subnets: the SMs, then the L2 slices.
 */
void noc_bypass(struct noc *n, u32 node, bool on);

/* Flits of a packet with so much data; one without any takes a flit too. */
static inline u32 noc_flits(const struct noc_conf *c, u32 bytes)
{
    u64 all = bytes + c->header_bytes;

    return all ? (u32)((all + c->flit_bytes - 1) / c->flit_bytes) : 1;
}

/*
 * The injection queue as its source sees it at cycle now.
 * MODEL: between edges it drains one flit a core cycle, whatever the network's clock; where the
 * buffer behind it was nearly full, as it did in the window before.
 */
static inline void noc_drain(struct noc_in *p, u64 now)
{
    u64 d = now - p->drained;

    if (p->late) {
        u64 due = d < 63 ? p->late & (((u64)2 << d) - 1) : p->late;

        for (u64 m = due; m; m &= m - 1) /* one, mostly */
            p->queued--;
        p->late = d < 63 ? (p->late & ~due) >> d : 0;
    }
    d = d < p->queued ? d : p->queued;
    d = d < p->credit ? d : p->credit;
    p->queued -= (u32)d;
    p->credit -= (u32)d;
    p->drained = now;
}

/* Flits that the injection queue still takes at cycle now. */
static inline u32 noc_room(struct noc *n, u32 i, u64 now)
{
    struct noc_in *p = &n->in[i];

    noc_drain(p, now);
    return n->inject_flits > p->queued ? n->inject_flits - p->queued : 0;
}

/* Only after noc_room said that there is room.  A packet larger than the queue needs it empty. */
static inline void noc_push(struct noc *n, u32 i, struct packet p, u64 now)
{
    p.at = now;
    n->in[i].queued += p.flits;
    n->in[i].pushed += p.flits;
    ring_push(&n->in[i].sent, p);
}

/* Is there a packet that has arrived by now?  It is then the head of out[o].arrived. */
static inline bool noc_arrived(const struct noc *n, u32 o, u64 now)
{
    const struct noc_out *p = &n->out[o];

    return p->arrived.n && ring_head(&p->arrived).at <= now;
}

static inline struct packet noc_take(struct noc *n, u32 o)
{
    struct packet p = ring_head(&n->out[o].arrived);

    ring_pop(&n->out[o].arrived);
    n->out[o].arrived.head &= n->out[o].arrived.n ? UINT32_MAX : 0; /* short queues stay in cache */
    n->out[o].taken += p.flits;
    return p;
}

#endif
