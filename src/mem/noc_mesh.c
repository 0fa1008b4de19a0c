/*
 * noc_mesh.c -- routers on a grid, XY routing, wormhole switching with virtual channels.
 *
 *        N         A router has five ports.  Each input port has `vcs` channels, each with a buffer
 *      W R E       of `buffer_flits`; a flit is only sent if there is a credit for the buffer at
 *        S  \node  the other end, and the credit comes back one tick after the flit has left it.
 *
 * Where nodes are says noc_mesh_map.h.  Both subnets have the same grid; the reply subnet's inputs are
 * the slices.
 *
 * A packet holds one channel of a link from its head to its tail.  Which one, `noc.vc` says:
 *
 *     static    (source + destination) mod vcs, all the way (Shim et al., "Static virtual channel
 *               allocation in oblivious routing", NOCS 2009).  Packets of one pair of nodes stay in
 *               order.  If only even SMs talk to a slice, as fused pairs do, its replies have half of
 *               the channels: one of two.
 *     any       on each link the next one, round robin, that is free and has room, and when it enters
 *               the network the next that has room, as in BookSim.  Packets of one pair may overtake
 *               each other.  Those that must not (packet.ordered) keep to the static channel, where
 *               they stay in order.  If one waits for a channel, no second other packet in a row gets
 *               it; right after an ordered one all have the same right to it.  So neither starve.
 *
 * XY routing has no cyclic dependence between links, so whatever the channels are, nothing deadlocks
 * as long as sinks take.
 *
 * A tick of a router: each input port picks a channel with a flit that could go (round robin), each
 * output port picks one of the input ports that want it (round robin).  With `input_speedup` k an
 * input port is k of them, one for every k-th of its channels (BookSim's interleaving): so many flits
 * may leave it in a tick, for different outputs.  The flit then spends router_stages in the pipeline
 * and link_latency on the link, after which the next router may pick it; at its destination the
 * ejection link takes 1.  Without contention a packet of f flits over h links takes
 * h * (router_stages + link_latency) + router_stages + 1 + f - 1 ticks.  A router that is bypassed
 * costs packets that pass through it nothing but the link.
 *
 * A flit under way is kept in the buffer that it goes to, where its credit has reserved a place,
 * with the tick from which it counts as arrived.  A router is only looked at in ticks in which a
 * flit comes up, or in which one that is left over may find what it waits for: what others of this
 * router have given free, a credit, or room at the sink.
 *
 * Lookahead is router_stages + 1: that long before the arrival of a tail the last router sent it.
 */
#include "mem/noc_int.h"
#include "mem/noc_mesh_map.h"

enum { NORTH, EAST, SOUTH, WEST, NODE, N_DIR, MAX_VC = 16, MAX_SPEEDUP = 4 };
enum { SLOTS = 32 }; /* of `due`: more than router_stages + link_latency can be */

struct channel {
    RING(u64) flit;             /* tick from which the flit is here */
    RING(struct packet) packet; /* whose flits these are, in order */
    u32 left;                   /* flits of the oldest packet that have not left */
};

struct link { /* an output port */
    u64 last; /* tick at which the latest flit sent arrives: flits do not overtake */
    u16 credit[MAX_VC];
    u16 credited;         /* channels with credit; to a node, all */
    u16 owned;            /* channels that a packet holds */
    u16 awaited;          /* channels for which ordered packets wait, if others may take them: .. */
    u8 n_awaited[MAX_VC]; /* .. how many */
    u16 latest;           /* channels of which an ordered packet was the latest to get hold */
    u8 next;              /* channel that is tried first */
    u8 turn;              /* input that is asked first */
};

/* A set of channels of each input port. */
struct channels {
    u16 of[N_DIR];
};

/* What arbitration reads is all here. */
struct router {
    struct channels ready;  /* channels in which a flit has come up */
    struct channels open;   /* channels whose oldest packet holds a channel of its link, .. */
    u8 held[N_DIR][MAX_VC]; /* .. which is this */
    struct channels fixed;  /* channels whose oldest packet stays in a channel of this number */
    u8 way[N_DIR][MAX_VC];  /* output port of a channel's oldest packet */
    u8 turn[N_DIR * MAX_SPEEDUP]; /* per input, the channel that is asked first */
    bool bypassed;
    u16 x, y;
    u32 input;    /* of the subnet, if its node is one */
    u32 to[NODE]; /* the next router, or NOC_NONE beyond the edge */
    struct link link[N_DIR];
};

struct credit { /* that comes back at the end of a tick */
    u32 router;
    u8 link, vc;
};

struct mesh {
    struct router *router;
    struct channel *channel; /* [router][port][vc] */
    u64 *due;                /* [tick mod SLOTS]: set of routers where a flit comes up .. */
    struct channels *due_in; /* [tick mod SLOTS][router]: .. and in which channels */
    u64 *left_over;          /* set of routers with flits that came up and may go next */
    struct credit *credit;
    u32 n_credit;
    u32 n_router, words, vcs, depth;
    u32 stages, link, n_bypassed;
    u32 speedup;                  /* inputs of a port */
    u16 channels_of[MAX_SPEEDUP]; /* of such an input */
    bool any; /* a packet takes any channel; else that of its input and output */
    struct mesh_map map;
    const u32 *in_at, *out_at; /* router of an input, output */
    u8 *vc;                    /* of packets that stay in one, by the sum of input and output */
    u8 *entry;                 /* per input, the channel that its latest packet entered by */
};

static struct channel *channel_at(const struct mesh *m, u32 r, u32 port, u32 vc)
{
    return &m->channel[(r * N_DIR + port) * m->vcs + vc];
}

static u32 opposite(u32 dir)
{
    return (dir + 2) & 3;
}

static u64 *due_at(const struct mesh *m, u64 tick)
{
    return m->due + tick % SLOTS * m->words;
}

static struct channels *due_in(const struct mesh *m, u64 tick, u32 r)
{
    return m->due_in + tick % SLOTS * m->n_router + r;
}

static u16 bit(u32 vc)
{
    return (u16)(1u << vc);
}

static void expect(struct mesh *m, u32 r, u32 port, u32 vc, u64 tick)
{
    noc_set(due_at(m, tick), r);
    due_in(m, tick, r)->of[port] |= bit(vc);
}

static void init_router(struct mesh *m, u32 r)
{
    struct router *at = &m->router[r];
    u32 width = m->map.width;

    at->x = (u16)(r % width);
    at->y = (u16)(r / width);
    at->to[NORTH] = at->y ? r - width : NOC_NONE;
    at->to[EAST] = at->x + 1u < width ? r + 1 : NOC_NONE;
    at->to[SOUTH] = at->y + 1u < m->map.height ? r + width : NOC_NONE;
    at->to[WEST] = at->x ? r - 1 : NOC_NONE;
    for (u32 port = 0; port < N_DIR; port++) {
        if (port != NODE && at->to[port] == NOC_NONE)
            continue;
        for (u32 v = 0; v < m->vcs; v++) {
            struct channel *c = channel_at(m, r, port, v);
            ring_init(&c->flit, m->depth);
            ring_init(&c->packet, m->depth + 1); /* the oldest may have all but its tail gone */
            at->link[port].credit[v] = (u16)m->depth;
            at->link[port].credited |= bit(v);
        }
    }
}

static void init_nodes(struct noc *n, struct mesh *m, bool reverse)
{
    u32 n_sm = reverse ? n->n_out : n->n_in;

    m->in_at = m->map.router + (reverse ? n_sm : 0);
    m->out_at = m->map.router + (reverse ? 0 : n_sm);
    for (u32 i = 0; i < n->n_in; i++)
        m->router[m->in_at[i]].input = i;
    m->vc = xcalloc(n->n_in + n->n_out, sizeof(u8));
    for (u32 k = 0; k < n->n_in + n->n_out; k++)
        m->vc[k] = (u8)(k % m->vcs);
    m->entry = xcalloc(n->n_in, sizeof(u8));
}

static void init_keys(struct mesh *m, const struct noc_conf *c)
{
    ensure_here(c->vcs <= MAX_VC && c->input_speedup <= MAX_SPEEDUP &&
                c->router_stages + c->link_latency < SLOTS);
    m->any = c->vc;
    m->vcs = (u32)c->vcs;
    m->depth = (u32)c->buffer_flits;
    m->stages = (u32)c->router_stages;
    m->link = (u32)c->link_latency;
    m->speedup = (u32)c->input_speedup;
    for (u32 v = 0; v < m->vcs; v++)
        m->channels_of[v % m->speedup] |= bit(v);
}

static void mesh_init(struct noc *n, bool reverse)
{
    struct mesh *m = xcalloc(1, sizeof(*m));

    init_keys(m, n->conf);
    mesh_map_make(&m->map, n->conf, reverse ? n->n_out : n->n_in, reverse ? n->n_in : n->n_out);
    m->n_router = m->map.width * m->map.height;
    m->words = noc_words(m->n_router);
    m->router = xcalloc(m->n_router, sizeof(m->router[0]));
    m->channel = xcalloc((size_t)m->n_router * N_DIR * m->vcs, sizeof(m->channel[0]));
    m->due = xcalloc((size_t)m->words * SLOTS, sizeof(u64));
    m->due_in = xcalloc((size_t)m->n_router * SLOTS, sizeof(m->due_in[0]));
    m->left_over = xcalloc(m->words, sizeof(u64));
    m->credit = xcalloc((size_t)m->n_router * N_DIR, sizeof(m->credit[0]));
    for (u32 r = 0; r < m->n_router; r++)
        init_router(m, r);
    init_nodes(n, m, reverse);
    n->state = m;
    n->ahead = m->stages + 1;
    n->buffer = m->vcs * m->depth;
}

static void mesh_free(struct noc *n)
{
    struct mesh *m = n->state;

    for (u32 c = 0; c < m->n_router * N_DIR * m->vcs; c++) {
        ring_free(&m->channel[c].flit);
        ring_free(&m->channel[c].packet);
    }
    free(m->channel);
    free(m->router);
    free(m->due);
    free(m->due_in);
    free(m->left_over);
    free(m->credit);
    mesh_map_free(&m->map);
    free(m->vc);
    free(m->entry);
    free(m);
}

static void bypass(struct noc *n, u32 node, bool on)
{
    struct mesh *m = n->state;
    struct router *r = &m->router[m->map.router[node]];

    m->n_bypassed += (u32)on - (u32)r->bypassed;
    r->bypassed = on;
}

static u8 route(const struct mesh *m, u32 r, u32 output)
{
    const struct router *at = &m->router[r], *to = &m->router[m->out_at[output]];

    if (to->x != at->x)
        return to->x > at->x ? EAST : WEST;
    if (to->y != at->y)
        return to->y > at->y ? SOUTH : NORTH;
    return NODE;
}

/* The oldest packet of a channel is another one. */
static void look_at_packet(struct mesh *m, u32 r, u32 port, u32 vc)
{
    struct router *at = &m->router[r];
    struct channel *c = channel_at(m, r, port, vc);
    const struct packet *p = &ring_head(&c->packet);

    c->left = p->flits;
    at->way[port][vc] = route(m, r, p->dst);
    if (m->any && !p->ordered) {
        at->fixed.of[port] &= (u16)~bit(vc);
        return;
    }
    at->fixed.of[port] |= bit(vc);
    if (!m->any)
        return;
    struct link *l = &at->link[at->way[port][vc]];

    l->n_awaited[vc]++;
    l->awaited |= bit(vc);
}

/* A flit is sent to router r; with the head comes the packet. */
static void receive(struct mesh *m, u32 r, u32 port, u32 vc, const struct packet *head, u64 tick)
{
    struct channel *c = channel_at(m, r, port, vc);

    if (head) {
        ring_push(&c->packet, *head);
        if (c->packet.n == 1)
            look_at_packet(m, r, port, vc);
    }
    ring_push(&c->flit, tick);
    if (c->flit.n == 1)
        expect(m, r, port, vc, tick);
}

/* The first of a set of channels from `turn` on. */
static u32 first_from(u32 set, u32 turn)
{
    u32 later = set >> turn << turn;

    return (u32)__builtin_ctz(later ? later : set);
}

static u8 after(u32 i, u32 n)
{
    return (u8)(i + 1 == n ? 0 : i + 1);
}

/* The channel by which a packet enters that may take any; the latest one's if all are full. */
static u32 free_entry(const struct mesh *m, u32 r, u32 latest)
{
    u32 vc = latest;

    do
        vc = after(vc, m->vcs);
    while (vc != latest && ring_full(&channel_at(m, r, NODE, vc)->flit));
    return vc;
}

static bool mesh_enter(struct noc *n, struct mesh *m, u64 tick)
{
    bool moved = false;

    NOC_FOR_EACH(i, noc_due(n, tick), n->words_in)
    {
        struct packet p = *noc_entering(n, i);
        u32 r = m->in_at[i], vc = m->entry[i];
        bool head = n->port[i].left == p.flits;
        if (head)
            vc = m->any && !p.ordered ? free_entry(m, r, vc) : m->vc[i + p.dst];
        if (ring_full(&channel_at(m, r, NODE, vc)->flit)) {
            noc_block(n, i);
            continue;
        }
        m->entry[i] = (u8)vc;
        receive(m, r, NODE, vc, head ? &p : NULL, tick);
        noc_enter(n, i, tick);
        if (n->port[i].next)
            noc_forget(n, i); /* all of it is in: from here on the channel has it */
        moved = true;
    }
    noc_done(n, tick);
    return moved;
}

/* Channels of its link that the packet which has come up in a channel may take. */
static u16 may_take(const struct router *at, const struct link *l, u32 port, u32 vc)
{
    u16 vacant = l->credited & (u16)~l->owned;

    if (at->fixed.of[port] & bit(vc))
        return vacant & bit(vc);
    return vacant & (u16) ~(l->awaited & (u16)~l->latest);
}

/* May the flit that has come up in a channel go? */
static bool may_go(const struct noc *n, const struct mesh *m, u32 r, u32 port, u32 vc)
{
    const struct router *at = &m->router[r];
    u32 way = at->way[port][vc];
    const struct link *l = &at->link[way];

    if (at->open.of[port] & bit(vc))
        return l->credited & bit(at->held[port][vc]);
    return may_take(at, l, port, vc) &&
           (way != NODE || noc_fits(n, &ring_head(&channel_at(m, r, port, vc)->packet)));
}

/* The channel that an input lets go, one of `here`, or NOC_NONE. */
static u32 pick_channel(const struct noc *n, const struct mesh *m, u32 r, u32 port, u32 here,
                        u32 turn)
{
    u32 first = here >> turn << turn;

    for (u32 set = first; set; set &= set - 1)
        if (may_go(n, m, r, port, (u32)__builtin_ctz(set)))
            return (u32)__builtin_ctz(set);
    for (u32 set = here ^ first; set; set &= set - 1)
        if (may_go(n, m, r, port, (u32)__builtin_ctz(set)))
            return (u32)__builtin_ctz(set);
    return NOC_NONE;
}

static u32 hops_between(const struct router *a, const struct router *b)
{
    return (u32)(a->x > b->x ? a->x - b->x : b->x - a->x) +
           (u32)(a->y > b->y ? a->y - b->y : b->y - a->y);
}

/* Ticks of a packet without contention, as routers are now. */
static u64 least_ticks(const struct mesh *m, const struct packet *p)
{
    u32 r = m->in_at[p->src], to = m->out_at[p->dst];
    u64 ticks = m->stages + p->flits +
                (u64)hops_between(&m->router[r], &m->router[to]) * (m->stages + m->link);

    if (!m->n_bypassed)
        return ticks;
    for (r = m->router[r].to[route(m, r, p->dst)]; r != to;
         r = m->router[r].to[route(m, r, p->dst)])
        ticks -= m->router[r].bypassed ? m->stages : 0;
    return ticks;
}

/* A flit leaves a channel: its place is free, and the next one comes up. */
static void take_flit(struct noc *n, struct mesh *m, u32 r, u32 port, u32 vc, u64 tick)
{
    struct router *at = &m->router[r];
    struct channel *c = channel_at(m, r, port, vc);

    ring_pop(&c->flit);
    if (!c->flit.n || ring_head(&c->flit) > tick)
        at->ready.of[port] &= (u16)~bit(vc);
    if (!c->flit.n)
        ring_clear(&c->flit); /* short queues stay in the host's cache */
    else if (ring_head(&c->flit) > tick)
        expect(m, r, port, vc, ring_head(&c->flit));
    if (port == NODE)
        noc_leave(n, at->input, tick);
    else
        m->credit[m->n_credit++] = (struct credit){at->to[port], (u8)opposite(port), (u8)vc};
}

/* An ordered packet has what it waited for. */
static void end_wait(struct link *l, u32 vc)
{
    if (!--l->n_awaited[vc])
        l->awaited &= (u16)~bit(vc);
}

static void claim_link(struct noc *n, struct mesh *m, u32 r, u32 port, u32 vc, bool through)
{
    struct router *at = &m->router[r];
    struct link *l = &at->link[at->way[port][vc]];
    u32 held = at->held[port][vc];

    check_here(!(l->owned & bit(held)));
    at->open.of[port] |= bit(vc);
    l->owned |= bit(held);
    if (m->any && at->fixed.of[port] & bit(vc)) {
        end_wait(l, vc);
        l->latest |= bit(vc);
    } else {
        l->latest &= (u16)~bit(held);
        l->next = after(held, m->vcs);
    }
    if (at->way[port][vc] == NODE)
        noc_reserve(n, &ring_head(&channel_at(m, r, port, vc)->packet));
    n->st.hops += !through;
}

static void release_link(struct mesh *m, u32 r, u32 port, u32 vc)
{
    struct router *at = &m->router[r];
    struct channel *c = channel_at(m, r, port, vc);

    at->open.of[port] &= (u16)~bit(vc);
    at->link[at->way[port][vc]].owned &= (u16)~bit(at->held[port][vc]);
    ring_pop(&c->packet);
    if (c->packet.n)
        look_at_packet(m, r, port, vc);
    else
        ring_clear(&c->packet);
}

static void spend_credit(struct link *l, u32 vc)
{
    if (!--l->credit[vc])
        l->credited &= (u16)~bit(vc);
}

/* The flit at the head of a channel goes. */
static void send_flit(struct noc *n, struct mesh *m, u32 r, u32 port, u32 vc, u64 tick)
{
    struct router *at = &m->router[r];
    u32 way = at->way[port][vc];
    struct channel *c = channel_at(m, r, port, vc);
    struct link *l = &at->link[way];
    const struct packet *p = &ring_head(&c->packet);
    bool head = !(at->open.of[port] & bit(vc));
    bool through = at->bypassed && port != NODE && way != NODE;
    u64 there = tick + (through ? 0 : m->stages) + (way == NODE ? 1 : m->link);

    l->last = there > l->last ? there : l->last + 1;
    n->st.flit_hops += !through;
    if (head)
        claim_link(n, m, r, port, vc, through);
    take_flit(n, m, r, port, vc, tick);
    c->left--;
    if (way != NODE) {
        spend_credit(l, at->held[port][vc]);
        receive(m, at->to[way], opposite(way), at->held[port][vc], head ? p : NULL, l->last);
    } else if (!c->left) {
        noc_deliver(n, *p, l->last, least_ticks(m, p));
    }
    if (!c->left)
        release_link(m, r, port, vc);
}

static bool has_any(const struct channels *c)
{
    return c->of[0] | c->of[1] | c->of[2] | c->of[3] | c->of[4];
}

static bool waits_for_sink(const struct router *at)
{
    for (u32 port = 0; port < N_DIR; port++)
        for (u32 set = at->ready.of[port]; set; set &= set - 1)
            if (at->way[port][__builtin_ctz(set)] == NODE)
                return true;
    return false;
}

static void come_up(struct mesh *m, u32 r, u64 tick)
{
    struct channels *due = due_in(m, tick, r);

    for (u32 port = 0; port < N_DIR; port++)
        m->router[r].ready.of[port] |= due->of[port];
    *due = (struct channels){0};
}

/* The channel of its link that a packet gets if it goes in this tick: chosen before any has gone. */
static void choose_link_channel(struct router *at, u32 port, u32 vc)
{
    const struct link *l = &at->link[at->way[port][vc]];

    if (!(at->open.of[port] & bit(vc)))
        at->held[port][vc] = (u8)first_from(may_take(at, l, port, vc), l->next);
}

/* Per output, the set of inputs that have a flit for it; of each, which channel. */
static void pick_channels(const struct noc *n, const struct mesh *m, u32 r, u32 *want, u32 *vc)
{
    struct router *at = &m->router[r];

    for (u32 port = 0, in = 0; port < N_DIR; port++)
        for (u32 k = 0; k < m->speedup; k++, in++) {
            u32 here = at->ready.of[port] & m->channels_of[k];
            if (!here)
                continue;
            vc[in] = pick_channel(n, m, r, port, here, at->turn[in]);
            if (vc[in] == NOC_NONE)
                continue;
            choose_link_channel(at, port, vc[in]);
            want[at->way[port][vc[in]]] |= 1u << in;
        }
}

static bool switch_router(struct noc *n, struct mesh *m, u32 r, u64 tick)
{
    struct router *at = &m->router[r];
    u32 want[N_DIR] = {0}, vc[N_DIR * MAX_SPEEDUP];
    bool moved = false;

    come_up(m, r, tick);
    pick_channels(n, m, r, want, vc);
    for (u32 way = 0; way < N_DIR; way++) {
        if (!want[way])
            continue;
        u32 in = first_from(want[way], at->link[way].turn);
        at->link[way].turn = after(in, N_DIR * m->speedup);
        at->turn[in] = after(vc[in], m->vcs);
        send_flit(n, m, r, in / m->speedup, vc[in], tick);
        moved = true;
    }
    if (moved ? !has_any(&at->ready) : !waits_for_sink(at))
        noc_clear(m->left_over, r);
    return moved;
}

/* A flit that waits for it may be the only one of its router. */
static void return_credits(struct mesh *m)
{
    for (u32 i = 0; i < m->n_credit; i++) {
        struct credit c = m->credit[i];
        struct router *r = &m->router[c.router];

        r->link[c.link].credit[c.vc]++;
        r->link[c.link].credited |= bit(c.vc);
        if (has_any(&r->ready))
            noc_set(m->left_over, c.router);
    }
    m->n_credit = 0;
}

/*
 * The order of routers within a tick does not matter: a flit that is sent is there in a later tick,
 * and credits come back at the end.
 */
static bool mesh_step(struct noc *n, u64 tick)
{
    struct mesh *m = n->state;
    bool moved = mesh_enter(n, m, tick);

    for (u32 w = 0; w < m->words; w++) {
        m->left_over[w] |= due_at(m, tick)[w];
        due_at(m, tick)[w] = 0;
    }
    NOC_FOR_EACH(r, m->left_over, m->words)
    {
        moved |= switch_router(n, m, r, tick);
    }
    return_credits(m);
    return moved;
}

static u64 wake(const struct noc *n, u64 tick)
{
    const struct mesh *m = n->state;
    u64 entry = noc_due_wake(n, tick);

    for (u64 t = tick + 1; t < tick + SLOTS && t < entry; t++)
        if (noc_first(due_at(m, t), m->words, 0) != NOC_NONE)
            return t;
    return entry;
}

const struct noc_kind noc_mesh = {
    .name = "mesh",
    .init = mesh_init,
    .step = mesh_step,
    .wake = wake,
    .bypass = bypass,
    .free = mesh_free,
};
