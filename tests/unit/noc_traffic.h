/*
 * noc_traffic.h -- a network under test: sources, sinks and the windows between edges.
 *
 * Packets carry their number within their (source, destination) pair in `req`, so that the sinks
 * see what is lost, doubled or overtaken.  Where packets may overtake each other, one in three is
 * ordered, and these are looked at.
 */
#ifndef TESTS_UNIT_NOC_TRAFFIC_H
#define TESTS_UNIT_NOC_TRAFFIC_H

#include "base/rng.h"
#include "mem/noc.h"
#include "tests/test_main.h"

enum { MAX_NODE = 100 };

static struct noc n;
static struct noc_conf conf;

static void defaults(const char *kind)
{
    struct err e;

    sheet_defaults(&noc_sheet, &conf);
    assert_true(sheet_set(&noc_sheet, &conf, "kind", kind, &e));
}

static void start(u32 n_in, u32 n_out)
{
    noc_init(&n, &conf, 1000, n_in, n_out, false);
}

static void push(u32 i, u32 o, u32 flits, u64 at)
{
    assert_true(noc_room(&n, i, at) >= flits || n.in[i].queued == 0);
    noc_push(&n, i, (struct packet){.src = (u16)i, .dst = (u16)o, .flits = (u8)flits}, at);
}

/* `at` of the k-th packet that waits at an output. */
static u64 arrival(u32 o, u32 k)
{
    assert_true(k < n.out[o].arrived.n);
    return ring_at(&n.out[o].arrived, k).at;
}

static u32 source(u32 o, u32 k)
{
    assert_true(k < n.out[o].arrived.n);
    return ring_at(&n.out[o].arrived, k).src;
}

struct traffic {
    u64 seed;
    u32 cycles;       /* in which packets are pushed */
    u32 push_percent; /* chance of a push, per source and cycle */
    u32 take_percent; /* chance that a sink looks, per sink and cycle */
    u32 max_flits;
    u32 window;
    u32 burst; /* if not 0: push only in the first so many of every 128 cycles */
    bool jump; /* over what noc_next and the arrivals let us jump */
    bool late; /* sinks run their window after the edge */

    struct rng rng;
    u32 pushed[MAX_NODE][MAX_NODE], taken[MAX_NODE][MAX_NODE];
    u32 least[MAX_NODE][MAX_NODE]; /* that the next ordered packet can be */
    u64 n_pushed, n_taken, n_flits;
    u64 away;   /* sum of marks of packets on their way */
    u64 digest; /* of who arrived where and when, in order per output */
    u64 out_digest[MAX_NODE];
};

/* Packets may pass others of their pair. */
static bool traffic_passes(void)
{
    return n.kind->name[0] == 'm' && conf.vc;
}

static u64 traffic_mark(struct packet p)
{
    return ((u64)p.src << 48 | (u64)p.dst << 32 | p.req) * 0x9e3779b97f4a7c15u;
}

static void traffic_push(struct traffic *t, u32 i, u64 now)
{
    if (rng_below(&t->rng, 100) >= t->push_percent)
        return;
    u32 flits = 1 + rng_below(&t->rng, t->max_flits), o = rng_below(&t->rng, n.n_out);
    u32 room = noc_room(&n, i, now);
    if (room < flits && room < n.inject_flits) {
        n.in[i].stalls++;
        return;
    }
    struct packet p = {.src = (u16)i, .dst = (u16)o, .flits = (u8)flits};
    p.req = t->pushed[i][o]++;
    p.ordered = traffic_passes() && rng_below(&t->rng, 3) == 0;
    t->away += traffic_mark(p);
    noc_push(&n, i, p, now);
    t->n_pushed++;
    t->n_flits += flits;
}

static void traffic_take(struct traffic *t, u32 o, u64 now)
{
    if (!noc_arrived(&n, o, now) ||
        (t->take_percent < 100 && rng_below(&t->rng, 100) >= t->take_percent))
        return;
    struct packet p = noc_take(&n, o);
    assert_int_equal(p.dst, o);
    if (!traffic_passes())
        assert_int_equal(p.req, t->taken[p.src][o]); /* none lost, doubled or overtaken */
    if (p.ordered) {
        assert_true(p.req >= t->least[p.src][o]);
        t->least[p.src][o] = p.req + 1;
    }
    t->away -= traffic_mark(p);
    t->taken[p.src][o]++;
    t->n_taken++;
    t->out_digest[o] = (t->out_digest[o] ^ p.at ^ (u64)p.src << 48) * 0x9e3779b97f4a7c15u;
}

/* What an edge adds is not in the past of a sink, and in order. */
static void traffic_edge(u64 from, u64 to)
{
    u32 had[MAX_NODE];

    for (u32 o = 0; o < n.n_out; o++)
        had[o] = n.out[o].arrived.n;
    noc_advance(&n, from, to);
    for (u32 o = 0; o < n.n_out; o++)
        for (u32 k = had[o]; k < n.out[o].arrived.n; k++) {
            assert_true(arrival(o, k) >= to);
            assert_true(!k || arrival(o, k) >= arrival(o, k - 1));
        }
}

static bool traffic_pushes(const struct traffic *t, u64 cycle)
{
    return cycle < t->cycles && (!t->burst || cycle % 128 < t->burst);
}

/* On by whole windows, as far as nothing happens. */
static u64 traffic_jump(const struct traffic *t, u64 now)
{
    u64 next = noc_next(&n);

    for (u32 o = 0; o < n.n_out; o++)
        if (n.out[o].arrived.n && arrival(o, 0) < next)
            next = arrival(o, 0);
    for (u64 c = now; c < now + 128 && c < next; c++)
        if (traffic_pushes(t, c))
            next = c;
    return next > now && next != UINT64_MAX ? now + (next - now) / t->window * t->window : now;
}

static void traffic_sinks(struct traffic *t, u64 from, u64 to)
{
    for (u64 c = from; c < to; c++)
        for (u32 o = 0; o < n.n_out; o++)
            traffic_take(t, o, c);
}

static void traffic_run(struct traffic *t)
{
    u64 limit = (u64)t->cycles * 1000 + 1000000, now = 0;

    t->rng = rng_make(t->seed);
    while (now < t->cycles || !noc_is_idle(&n)) {
        assert_true(now < limit);
        u64 to = now + t->window;
        for (u64 c = now; c < to; c++)
            for (u32 i = 0; i < n.n_in && traffic_pushes(t, c); i++)
                traffic_push(t, i, c);
        if (!t->late)
            traffic_sinks(t, now, to);
        traffic_edge(now, to);
        if (t->late)
            traffic_sinks(t, now, to);
        now = t->jump ? traffic_jump(t, to) : to;
    }
    noc_advance(&n, now, now + 1); /* to hear of what was taken last */
    for (u32 o = 0; o < n.n_out; o++)
        t->digest = (t->digest ^ t->out_digest[o]) * 0x9e3779b97f4a7c15u;
}

/* Everything that was pushed has been taken, and the counters say so. */
static void traffic_check(const struct traffic *t)
{
    struct noc_stat st = {0};

    noc_count(&n, &st);
    assert_int_equal(t->n_pushed, t->n_taken);
    assert_int_equal(t->away, 0); /* and these are the same */
    assert_int_equal(st.packets, t->n_pushed);
    assert_int_equal(st.flits, t->n_flits);
    assert_int_equal(n.latency.n, t->n_pushed);
    assert_int_equal(n.latency.sum, st.latency_cycles);
    assert_true(noc_is_idle(&n));
    assert_true(noc_next(&n) == UINT64_MAX);
}

/* Random traffic over a network of this size; the digest of the arrivals. */
static inline u64 traffic(struct traffic t, u32 n_in, u32 n_out)
{
    start(n_in, n_out);
    t.window = t.window ? t.window : n.lookahead;
    assert_true(t.window <= n.lookahead);
    traffic_run(&t);
    traffic_check(&t);
    noc_free(&n);
    return t.digest;
}

/* The same pushes give the same arrivals whatever the window, if nothing backs up. */
static inline void windows_agree(u32 n_in, u32 n_out, u32 max_flits)
{
    struct traffic t = {.seed = 7, .cycles = 3000, .push_percent = 15, .max_flits = max_flits};

    conf.inject_flits = conf.buffer_flits = 256, conf.eject_flits = 4096;
    t.take_percent = 100, t.window = 1;
    u64 want = traffic(t, n_in, n_out);
    start(n_in, n_out);
    u32 lookahead = n.lookahead;
    noc_free(&n);
    for (t.window = 1; t.window <= lookahead; t.window++) {
        t.jump = t.window & 1;
        assert_true(traffic(t, n_in, n_out) == want);
    }
}

#endif
