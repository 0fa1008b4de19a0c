#include "mem/noc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "mem/noc_int.h"
#include "mem/noc_mesh_map.h"

#define SHEET noc
#define SHEET_DEF "mem/noc.def"
#define SHEET_DOC "the network between SMs and L2 slices"
#include "base/sheet_table.inc"

enum { KIND_IDEAL, KIND_XBAR, KIND_MESH }; /* as in noc.def */
enum { MESH_FLITS = 4096 };                /* of all channels of a port: a bound of our memory, */
enum { MAX_LOOKAHEAD = 1024 };             /* as this is, under a network that is very slow */

static const struct noc_kind *const kinds[] = {&noc_ideal, &noc_xbar, &noc_mesh};

bool noc_conf_check(const struct noc_conf *c, u64 n_sm, u64 n_slice, struct err *e)
{
    if (c->kind != KIND_MESH)
        return true;
    if (c->vcs * c->buffer_flits > MESH_FLITS)
        return err_set(e,
                       "noc.buffer_flits: %" PRIu64 " flits in each of %" PRIu64
                       " channels (noc.vcs) are more than %d in all",
                       c->buffer_flits, c->vcs, MESH_FLITS);
    return mesh_map_check(c, n_sm, n_slice, e);
}

static struct noc_ratio ratio(u64 num, u64 den)
{
    u64 a = num, b = den;

    while (b) {
        u64 rest = a % b;
        a = b, b = rest;
    }
    return (struct noc_ratio){num / a, den / a, UINT64_MAX / (den / a)};
}

static void init_clocks(struct noc *n, u64 core_mhz)
{
    n->core_mhz = core_mhz;
    n->noc_mhz = n->conf->mhz ? n->conf->mhz : core_mhz;
    n->same_clock = n->noc_mhz == n->core_mhz;
    n->to_tick = ratio(n->noc_mhz, n->core_mhz);
    n->to_cycle = ratio(n->core_mhz, n->noc_mhz);
}

static void *alloc_ports(void **memory, u32 n, size_t size)
{
    *memory = xcalloc((size_t)n * size + 64, 1);
    return (void *)align_up((uintptr_t)*memory, 64);
}

/*
 * Bounds, in packets of one flit.  A source pushes while its injection queue has room, and the
 * queue drains a flit a cycle: inject_flits + window, and one packet that is larger than the queue.
 * To that come a full buffer and a packet of which all but the tail has left it.
 */
static void init_ports(struct noc *n)
{
    n->in = alloc_ports(&n->ports_memory[0], n->n_in, sizeof(n->in[0]));
    n->out = alloc_ports(&n->ports_memory[1], n->n_out, sizeof(n->out[0]));
    n->port = xcalloc(n->n_in, sizeof(n->port[0]));
    for (u32 i = 0; i < n->n_in; i++) {
        ring_init(&n->in[i].sent, n->inject_flits + n->lookahead + n->buffer + 4);
        n->in[i].credit = n->buffer;
    }
    for (u32 o = 0; o < n->n_out; o++)
        ring_init(&n->out[o].arrived, n->eject_flits);
}

/*
 * Ticks from the first that is not over to that of the last push: those of a window, and rounding.
 */
static void init_due(struct noc *n)
{
    u64 slots = ring_slots((u32)noc_tick(n, n->lookahead) + 3);

    n->due = xcalloc(slots * n->words_in, sizeof(u64));
    n->due_mask = slots - 1;
}

void noc_init(struct noc *n, const struct noc_conf *conf, u64 core_mhz, u32 n_in, u32 n_out,
              bool reverse)
{
    ensure_here(conf->kind < LEN(kinds) && core_mhz && n_in && n_out);
    *n = (struct noc){.n_in = n_in, .n_out = n_out, .conf = conf, .kind = kinds[conf->kind]};
    n->sinks_after = !reverse;
    n->inject_flits = (u32)conf->inject_flits;
    n->eject_flits = (u32)conf->eject_flits;
    n->words_in = noc_words(n_in);
    n->wake = UINT64_MAX;
    init_clocks(n, core_mhz);
    n->kind->init(n, reverse);

    /*
     * What tick T = noc_tick(to) or a later one grants arrives at tick T + ahead or later, and T is
     * not before cycle `to`; so it is there in cycle to + ceil(ahead ticks in cycles) at the
     * earliest.
     */
    n->lookahead = (u32)noc_cycle(n, n->ahead);
    n->lookahead = min_u32(n->lookahead, MAX_LOOKAHEAD);
    init_ports(n);
    init_due(n);
}

void noc_free(struct noc *n)
{
    for (u32 i = 0; i < n->n_in; i++)
        ring_free(&n->in[i].sent);
    for (u32 o = 0; o < n->n_out; o++)
        ring_free(&n->out[o].arrived);
    n->kind->free(n);
    free(n->port);
    free(n->due);
    free(n->ports_memory[0]);
    free(n->ports_memory[1]);
    *n = (struct noc){0};
}

u64 noc_due_wake(const struct noc *n, u64 tick)
{
    for (u64 t = tick + 1; t <= tick + n->due_mask; t++)
        if (noc_first(noc_due(n, t), n->words_in, 0) != NOC_NONE)
            return t;
    return UINT64_MAX;
}

/* The network sees what the source of input i pushed since the last edge. */
static void take_over(struct noc *n, u32 i)
{
    struct noc_port *p = &n->port[i];
    bool waits = p->next == p->known;

    n->under_way += n->in[i].sent.n - p->known;
    p->known = n->in[i].sent.n;
    p->dirty = true;
    if (!waits)
        return;
    u64 tick = noc_expect(n, i, 0);
    n->wake = tick < n->wake ? tick : n->wake;
}

static bool take_over_all(struct noc *n)
{
    bool any = false;

    for (u32 i = 0; i < n->n_in; i++)
        if (n->in[i].sent.n != n->port[i].known) {
            take_over(n, i);
            any = true;
        }
    return any;
}

static void run_network(struct noc *n, u64 end)
{
    u64 t = n->wake;

    while (t < end) {
        u64 next = n->kind->step(n, t) ? t + 1 : n->kind->wake(n, t);
        check_here(next > t);
        t = next;
    }
    n->wake = t;
}

/* The `n` highest members. */
static u64 highest_of(u64 set, u32 n)
{
    while (popc_64(set) > n)
        set &= set - 1;
    return set;
}

/*
 * Room that a source could not foresee, because the buffer was nearly full, comes to its sight a
 * window late, flit by flit as it was made.  All of it at once would let several who share an input
 * (L1D, I-cache) through in one cycle, where in truth the first of them takes each place that opens
 * and the others starve.
 */
static void tell_source(struct noc *n, u32 i, u64 to)
{
    struct noc_port *p = &n->port[i];
    struct noc_in *in = &n->in[i];
    u32 queued = (u32)(in->pushed - p->entered), credit = p->blocked ? 0 : n->buffer - p->inside;

    noc_drain(in, to);
    bool late = in->queued > queued && credit < n->lookahead;

    in->late = late ? highest_of(p->entries, in->queued - queued) : 0;
    in->queued = queued + popc_64(in->late);
    in->credit = late ? 0 : credit;
    p->dirty = queued || p->inside;
    p->entries = 0;
}

static void tell_sources(struct noc *n, u64 to)
{
    for (u32 i = 0; i < n->n_in; i++)
        if (n->port[i].dirty)
            tell_source(n, i, to);
}

/* Space that sinks made during a window can be granted from tick `end`, after it, on. */
static void hear_sinks(struct noc *n, u64 end)
{
    bool freed = false;

    n->in_flight = n->under_way;
    for (u32 o = 0; o < n->n_out; o++) {
        struct noc_out *out = &n->out[o];
        n->in_flight += out->arrived.n;
        if (!out->taken)
            continue;
        out->flits -= out->taken;
        out->taken = 0;
        freed = true;
    }
    if (freed && n->under_way && end < n->wake)
        n->wake = end;
}

void noc_advance(struct noc *n, u64 from, u64 to)
{
    if (n->wake < noc_tick(n, from)) /* nobody pushed in a time that was jumped over */
        run_network(n, noc_tick(n, from));
    bool pushed = take_over_all(n);
    n->edge = to;
    n->first = noc_tick(n, from);
    if (n->sinks_after)
        hear_sinks(n, n->first);
    check_here(from <= to && (!pushed || to - from <= n->lookahead));
    if (!pushed && !n->in_flight)
        return;
    u64 end = noc_tick(n, to);
    if (n->under_way) {
        run_network(n, end);
        tell_sources(n, to);
    }
    hear_sinks(n, end);
}

u64 noc_next(const struct noc *n)
{
    for (u32 o = 0; o < n->n_out; o++)
        if (n->out[o].taken)
            return n->edge;
    if (!n->under_way)
        return UINT64_MAX;
    for (u32 i = 0; i < n->n_in; i++) /* noc_room's guess holds for one window */
        if (n->in[i].queued && n->in[i].credit)
            return n->edge;
    if (n->wake == UINT64_MAX)
        return UINT64_MAX;
    return n->same_clock ? n->wake : noc_scale(&n->to_cycle, n->wake, false);
}

bool noc_is_idle(const struct noc *n)
{
    if (n->under_way)
        return false;
    for (u32 i = 0; i < n->n_in; i++)
        if (n->in[i].sent.n)
            return false;
    for (u32 o = 0; o < n->n_out; o++)
        if (n->out[o].arrived.n)
            return false;
    return true;
}

void noc_bypass(struct noc *n, u32 node, bool on)
{
    ensure_here(node < n->n_in + n->n_out);
    if (n->kind->bypass)
        n->kind->bypass(n, node, on);
}

void noc_count(const struct noc *n, struct noc_stat *to)
{
    sheet_add(&noc_sheet, to, &n->st);
    for (u32 i = 0; i < n->n_in; i++)
        to->inject_stalls += n->in[i].stalls;
}

/* A line that is being written into a buffer; what does not fit is left out. */
struct line {
    char *buf;
    size_t size, len;
};

static void PRINTF(2, 3) add(struct line *l, const char *fmt, ...)
{
    va_list ap;

    if (l->len >= l->size)
        return;
    va_start(ap, fmt);
    int len = vsnprintf(l->buf + l->len, l->size - l->len, fmt, ap);
    va_end(ap);
    l->len += len > 0 ? (size_t)len : 0;
}

void noc_describe(const struct noc *n, char *buf, size_t size)
{
    struct line l = {buf, size, 0};

    add(&l, "%s, %" PRIu64 " packets under way", n->kind->name, n->under_way);
    for (u32 i = 0; i < n->n_in; i++) {
        u64 queued = n->in[i].pushed - n->port[i].entered;
        if (queued || n->port[i].inside)
            add(&l, "; in %" PRIu32 ": %" PRIu64 " flits queued, %" PRIu32 " in the buffer", i,
                queued, n->port[i].inside);
    }
    for (u32 o = 0; o < n->n_out; o++)
        if (n->out[o].flits - n->out[o].taken)
            add(&l, "; out %" PRIu32 ": %" PRIu32 " of %" PRIu32 " flits not taken", o,
                n->out[o].flits - n->out[o].taken, n->eject_flits);
}
