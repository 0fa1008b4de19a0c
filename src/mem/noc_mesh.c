/*
 * noc_mesh.c -- routers on a grid, XY routing, wormhole switching with virtual channels.
 *
 * Grid.  `mesh_width` columns (0: the square root of the number of nodes, rounded up) and as many
 * rows as it takes; a router without a node only passes packets on.  Of N nodes, L2 slice m of M
 * gets place (2m+1)N/2M in row-major order, rotated within its row by three columns per row, so
 * that slices are spread over columns as well as rows.  SMs fill the other places in order, row by
 * row to and fro: SMs of successive numbers are neighbours, and every second SM is in no column more
 * often than in others.  Both subnets have the same grid; the reply subnet's inputs are the slices.
 *
 *        N         A router has five ports.  Each input port has `vcs` channels, each with a buffer
 *      W R E       of `buffer_flits`; a flit is only sent if there is a credit for the buffer at
 *        S  \node  the other end, and the credit comes back one tick after the flit has left it.
 *
 * A packet uses channel (source + destination) mod vcs all the way (static allocation: Shim et al.,
 * "Static virtual channel allocation in oblivious routing", NOCS 2009), which keeps packets of one
 * pair of nodes in order, and uses all channels when every second node is silent.  It holds the channel of a link from its head to its tail.  XY routing has no
 * cyclic dependence within a channel, so nothing deadlocks as long as sinks take.
 *
 * A tick of a router: each input port picks a channel with a flit that could go (round robin), each
 * output port picks one of the input ports that want it (round robin).  The flit then spends
 * router_stages in the pipeline and link_latency on the link, after which the next router may pick
 * it; at its destination the ejection link takes 1.  Without contention a packet of f flits over h
 * links takes h * (router_stages + link_latency) + router_stages + 1 + f - 1 ticks.  A router that
 * is bypassed costs packets that pass through it nothing but the link.
 *
 * A flit under way is kept in the buffer that it goes to, where its credit has reserved a place,
 * with the tick from which it counts as arrived.  A router is only looked at in ticks in which a
 * flit comes up, or in which one that is left over may find what it waits for: what others of this
 * router have given free, a credit, or room at the sink.
 *
 * Lookahead is router_stages + 1: that long before the arrival of a tail the last router sent it.
 */
#include "mem/noc_int.h"

enum { NORTH, EAST, SOUTH, WEST, NODE, N_DIR, MAX_VC = 8 };
enum { SLOTS = 32 }; /* of `due`: more than router_stages + link_latency can be */

struct channel {
    RING(u64) flit;             /* tick from which the flit is here */
    RING(struct packet) packet; /* whose flits these are, in order */
    u32 left;                   /* flits of the oldest packet that have not left */
};

struct link { /* an output port */
    u64 last; /* tick at which the latest flit sent arrives: flits do not overtake */
    u32 credit[MAX_VC];
    u8 credited; /* channels with credit; to a node, all */
    u8 owned;    /* channels that a packet holds */
    u8 turn;     /* input port that is asked first */
};

/* Sets of channels have bit port * vcs + channel.  What arbitration reads is all here. */
struct router {
    u64 ready;              /* channels in which a flit has come up */
    u64 open;               /* channels whose oldest packet holds the channel of its link */
    u8 way[N_DIR * MAX_VC]; /* output port of a channel's oldest packet */
    u8 turn[N_DIR];         /* per input port, the channel that is asked first */
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
    u64 *due_in;             /* [tick mod SLOTS][router]: .. and in which channels */
    u64 *left_over;          /* set of routers with flits that came up and may go next */
    struct credit *credit;
    u32 n_credit;
    u32 n_router, width, height, words, vcs, depth;
    u32 stages, link, n_bypassed;
    u32 *in_at, *out_at; /* router of an input, output */
    u32 *node_at;        /* of a node */
    u8 *vc;              /* of packets, by the sum of their input and output */
};

/* Channel ch of router r: port * vcs + channel. */
static struct channel *channel_at(const struct mesh *m, u32 r, u32 ch)
{
    return &m->channel[r * N_DIR * m->vcs + ch];
}

static u32 opposite(u32 dir)
{
    return (dir + 2) & 3;
}

static u64 *due_at(const struct mesh *m, u64 tick)
{
    return m->due + tick % SLOTS * m->words;
}

static u64 *due_in(const struct mesh *m, u64 tick, u32 r)
{
    return m->due_in + tick % SLOTS * m->n_router + r;
}

static void expect(struct mesh *m, u32 r, u32 ch, u64 tick)
{
    noc_set(due_at(m, tick), r);
    *due_in(m, tick, r) |= (u64)1 << ch;
}

static void size_grid(struct mesh *m, u32 n_node, u32 width)
{
    if (!width)
        while (width * width < n_node)
            width++;
    m->width = min_u32(width, n_node);
    m->height = (n_node + m->width - 1) / m->width;
    m->n_router = m->width * m->height;
    m->words = noc_words(m->n_router);
}

/* The k-th router, if every second row is walked backwards. */
static u32 to_and_fro(const struct mesh *m, u32 k)
{
    u32 row = k / m->width, col = k % m->width;

    return row * m->width + (row % 2 ? m->width - 1 - col : col);
}

/* m->node_at: SMs first, then slices.  See the top of the file. */
static void place_nodes(struct mesh *m, u32 n_sm, u32 n_slice)
{
    u32 n_node = n_sm + n_slice, k = 0;
    u64 *taken = xcalloc(m->words, sizeof(u64));

    m->node_at = xcalloc(n_node, sizeof(u32));
    for (u32 s = 0; s < n_slice; s++) {
        u32 place = (u32)((2 * (u64)s + 1) * n_node / (2 * (u64)n_slice));
        u32 row = place / m->width, col = (place + 3 * row) % m->width;
        m->node_at[n_sm + s] = row * m->width + col;
        noc_set(taken, m->node_at[n_sm + s]);
    }
    for (u32 s = 0; s < n_sm; s++, k++) {
        while (noc_has(taken, to_and_fro(m, k)))
            k++;
        m->node_at[s] = to_and_fro(m, k);
    }
    free(taken);
}

static void init_router(struct mesh *m, u32 r)
{
    struct router *at = &m->router[r];

    at->x = (u16)(r % m->width);
    at->y = (u16)(r / m->width);
    at->to[NORTH] = at->y ? r - m->width : NOC_NONE;
    at->to[EAST] = at->x + 1u < m->width ? r + 1 : NOC_NONE;
    at->to[SOUTH] = at->y + 1u < m->height ? r + m->width : NOC_NONE;
    at->to[WEST] = at->x ? r - 1 : NOC_NONE;
    for (u32 port = 0; port < N_DIR; port++) {
        if (port != NODE && at->to[port] == NOC_NONE)
            continue;
        for (u32 v = 0; v < m->vcs; v++) {
            struct channel *c = channel_at(m, r, port * m->vcs + v);
            ring_init(&c->flit, m->depth);
            ring_init(&c->packet, m->depth + 1); /* the oldest may have all but its tail gone */
            at->link[port].credit[v] = m->depth;
        }
        at->link[port].credited = UINT8_MAX;
    }
}

static void init_nodes(struct noc *n, struct mesh *m, bool reverse)
{
    u32 n_sm = reverse ? n->n_out : n->n_in;

    place_nodes(m, n_sm, n->n_in + n->n_out - n_sm);
    m->in_at = m->node_at + (reverse ? n_sm : 0);
    m->out_at = m->node_at + (reverse ? 0 : n_sm);
    for (u32 i = 0; i < n->n_in; i++)
        m->router[m->in_at[i]].input = i;
    m->vc = xcalloc(n->n_in + n->n_out, sizeof(u8));
    for (u32 k = 0; k < n->n_in + n->n_out; k++)
        m->vc[k] = (u8)(k % m->vcs);
}

static void mesh_init(struct noc *n, bool reverse)
{
    struct mesh *m = xcalloc(1, sizeof(*m));

    ensure_here(n->conf->vcs <= MAX_VC && n->conf->router_stages + n->conf->link_latency < SLOTS);
    size_grid(m, n->n_in + n->n_out, (u32)n->conf->mesh_width);
    m->vcs = (u32)n->conf->vcs;
    m->depth = (u32)n->conf->buffer_flits;
    m->stages = (u32)n->conf->router_stages;
    m->link = (u32)n->conf->link_latency;
    m->router = xcalloc(m->n_router, sizeof(m->router[0]));
    m->channel = xcalloc((size_t)m->n_router * N_DIR * m->vcs, sizeof(m->channel[0]));
    m->due = xcalloc((size_t)m->words * SLOTS, sizeof(u64));
    m->due_in = xcalloc((size_t)m->n_router * SLOTS, sizeof(u64));
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
    free(m->node_at);
    free(m->vc);
    free(m);
}

static void bypass(struct noc *n, u32 node, bool on)
{
    struct mesh *m = n->state;
    struct router *r = &m->router[m->node_at[node]];

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
static void look_at_packet(const struct mesh *m, u32 r, u32 ch)
{
    struct channel *c = channel_at(m, r, ch);

    c->left = ring_head(&c->packet).flits;
    m->router[r].way[ch] = route(m, r, ring_head(&c->packet).dst);
}

/* A flit is sent to router r; with the head comes the packet. */
static void receive(struct mesh *m, u32 r, u32 ch, const struct packet *head, u64 tick)
{
    struct channel *c = channel_at(m, r, ch);

    if (head) {
        ring_push(&c->packet, *head);
        if (c->packet.n == 1)
            look_at_packet(m, r, ch);
    }
    ring_push(&c->flit, tick);
    if (c->flit.n == 1)
        expect(m, r, ch, tick);
}

static bool mesh_enter(struct noc *n, struct mesh *m, u64 tick)
{
    bool moved = false;

    NOC_FOR_EACH(i, noc_due(n, tick), n->words_in)
    {
        struct packet head = *noc_entering(n, i);
        u32 r = m->in_at[i], ch = NODE * m->vcs + m->vc[i + head.dst];
        if (ring_full(&channel_at(m, r, ch)->flit)) {
            noc_block(n, i);
            continue;
        }
        receive(m, r, ch, n->port[i].left == head.flits ? &head : NULL, tick);
        noc_enter(n, i, tick);
        if (n->port[i].next)
            noc_forget(n, i); /* all of it is in: from here on the channel has it */
        moved = true;
    }
    noc_done(n, tick);
    return moved;
}

/* May the flit that has come up in a channel go? */
static bool may_go(const struct noc *n, const struct mesh *m, u32 r, u32 ch, u32 vc)
{
    const struct router *at = &m->router[r];
    const struct link *l = &at->link[at->way[ch]];

    if (!(l->credited >> vc & 1))
        return false;
    if (at->open >> ch & 1)
        return true;
    return !(l->owned >> vc & 1) &&
           (at->way[ch] != NODE || noc_fits(n, &ring_head(&channel_at(m, r, ch)->packet)));
}

/* The channel that an input port lets go, one of `here`, or NOC_NONE. */
static u32 pick_channel(const struct noc *n, const struct mesh *m, u32 r, u32 port, u64 here)
{
    u64 first = here & UINT64_MAX << m->router[r].turn[port];
    u32 base = port * m->vcs;

    for (u64 set = first; set; set &= set - 1)
        if (may_go(n, m, r, base + (u32)__builtin_ctzll(set), (u32)__builtin_ctzll(set)))
            return (u32)__builtin_ctzll(set);
    for (u64 set = here ^ first; set; set &= set - 1)
        if (may_go(n, m, r, base + (u32)__builtin_ctzll(set), (u32)__builtin_ctzll(set)))
            return (u32)__builtin_ctzll(set);
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
    u32 ch = port * m->vcs + vc;
    struct channel *c = channel_at(m, r, ch);

    ring_pop(&c->flit);
    if (!c->flit.n || ring_head(&c->flit) > tick)
        at->ready &= ~((u64)1 << ch);
    if (!c->flit.n)
        ring_clear(&c->flit); /* short queues stay in the host's cache */
    else if (ring_head(&c->flit) > tick)
        expect(m, r, ch, ring_head(&c->flit));
    if (port == NODE)
        noc_leave(n, at->input, tick);
    else
        m->credit[m->n_credit++] = (struct credit){at->to[port], (u8)opposite(port), (u8)vc};
}

static void claim_link(struct noc *n, struct mesh *m, u32 r, u32 ch, u32 vc, bool through)
{
    struct router *at = &m->router[r];

    at->open |= (u64)1 << ch;
    at->link[at->way[ch]].owned |= (u8)(1u << vc);
    if (at->way[ch] == NODE)
        noc_reserve(n, &ring_head(&channel_at(m, r, ch)->packet));
    n->st.hops += !through;
}

static void release_link(struct mesh *m, u32 r, u32 ch, u32 vc)
{
    struct router *at = &m->router[r];
    struct channel *c = channel_at(m, r, ch);

    at->open &= ~((u64)1 << ch);
    at->link[at->way[ch]].owned &= (u8) ~(1u << vc);
    ring_pop(&c->packet);
    if (c->packet.n)
        look_at_packet(m, r, ch);
    else
        ring_clear(&c->packet);
}

static void spend_credit(struct link *l, u32 vc)
{
    if (!--l->credit[vc])
        l->credited &= (u8) ~(1u << vc);
}

/* The flit at the head of a channel goes. */
static void send_flit(struct noc *n, struct mesh *m, u32 r, u32 port, u32 vc, u64 tick)
{
    struct router *at = &m->router[r];
    u32 ch = port * m->vcs + vc, way = at->way[ch];
    struct channel *c = channel_at(m, r, ch);
    struct link *l = &at->link[way];
    const struct packet *p = &ring_head(&c->packet);
    bool head = !(at->open >> ch & 1), through = at->bypassed && port != NODE && way != NODE;
    u64 there = tick + (through ? 0 : m->stages) + (way == NODE ? 1 : m->link);

    l->last = there > l->last ? there : l->last + 1;
    n->st.flit_hops += !through;
    if (head)
        claim_link(n, m, r, ch, vc, through);
    take_flit(n, m, r, port, vc, tick);
    c->left--;
    if (way != NODE) {
        spend_credit(l, vc);
        receive(m, at->to[way], opposite(way) * m->vcs + vc, head ? p : NULL, l->last);
    } else if (!c->left) {
        noc_deliver(n, *p, l->last, least_ticks(m, p));
    }
    if (!c->left)
        release_link(m, r, ch, vc);
}

static u32 pick_port(u32 want, u32 turn)
{
    u32 from_turn = want >> turn << turn;

    return (u32)__builtin_ctz(from_turn ? from_turn : want);
}

static bool waits_for_sink(const struct router *at)
{
    for (u64 set = at->ready; set; set &= set - 1)
        if (at->way[__builtin_ctzll(set)] == NODE)
            return true;
    return false;
}

static bool switch_router(struct noc *n, struct mesh *m, u32 r, u64 tick)
{
    struct router *at = &m->router[r];
    u64 mask = ((u64)1 << m->vcs) - 1;
    u32 want[N_DIR] = {0}, vc[N_DIR];
    bool moved = false;

    at->ready |= *due_in(m, tick, r);
    *due_in(m, tick, r) = 0;
    for (u32 port = 0; port < N_DIR; port++) {
        vc[port] = pick_channel(n, m, r, port, at->ready >> port * m->vcs & mask);
        if (vc[port] != NOC_NONE)
            want[at->way[port * m->vcs + vc[port]]] |= 1u << port;
    }
    for (u32 way = 0; way < N_DIR; way++) {
        if (!want[way])
            continue;
        u32 port = pick_port(want[way], at->link[way].turn);
        at->link[way].turn = (u8)(port + 1 == N_DIR ? 0 : port + 1);
        at->turn[port] = (u8)(vc[port] + 1 == m->vcs ? 0 : vc[port] + 1);
        send_flit(n, m, r, port, vc[port], tick);
        moved = true;
    }
    if (moved ? !at->ready : !waits_for_sink(at))
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
        r->link[c.link].credited |= (u8)(1u << c.vc);
        if (r->ready)
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
