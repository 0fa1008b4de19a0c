/*
 * lsu.c -- the load/store unit of a memory unit, and its caches.
 *
 * One cycle, in this order:
 *
 *     write-back   the load chosen in the last cycle frees its registers if their banks are free; the
 *                  next is chosen round robin: shared memory, textures, constants, bypassed loads, L1D
 *                  Then the collectors have their turn, so that a memory instruction arrives a cycle
 *                  earlier than others
 *     a reply      from the reply FIFO
 *     misses       of each cache, one into the network
 *     L1D          the head of the queue in front of its tags; then, if no miss waits, a prefetch of a
 *                  mechanism
 *     dispatch     the instruction in the latch: accesses to where they go
 *     accept       the next instruction into the latch
 *
 * The latch holds one instruction until all its accesses are on their way, and blocks all others.
 * Hits of L1D and of the constant cache free registers at once, without the write-back above.
 */
#include "sm/memunit/memunit.h"

#include <string.h>

#include "base/hostile.h"
#include "base/text.h"
#include "mem/cache_watch.h"
#include "sm/datapath/datapath.h"
#include "sm/front/depend.h"
#include "sm/front/front.h"
#include "sm/sm.h"

enum { CLIENT_SHARED, CLIENT_TEX, CLIENT_CONST, CLIENT_GLOBAL, CLIENT_L1D, N_CLIENT };

/* ---- operations */

static void free_list(struct memunit *mu, struct memop *op)
{
    ensure(op, op->list < N_LIST);
    check(op, mu->n_list_used);
    mu->list[op->list].next_free = mu->free_list;
    mu->free_list = op->list;
    mu->n_list_used--;
}

static void free_op(struct memunit *mu, u32 i)
{
    check(&mu->op[i], mu->used_op && !mu->op[i].left && !mu->op[i].waiting);
    if (mu->op[i].atom != REQ_NONE)
        atom_release(mu, mu->op[i].atom);
    mu->op[i].next = mu->free_op;
    mu->free_op = i;
    mu->used_op--;
}

/* ---- the end of loads and atomics */

/* Its registers are free; those of an instruction in lock step when all members' operations are. */
static void release_registers(struct memop *op, u64 now)
{
    struct flight *lead = op->lead;

    if (LIKELY(!lead)) {
        depend_release(op->fe, op->slot, op->u, op->tag);
        return;
    }
    if (lead->fe->lock.terms.ack && op->fe != lead->fe && op->u->n_def)
        ring_push(&lead->fe->lock.acks, ((struct ack){now + lead->fe->lock.terms.ack, lead}));
    else
        memop_ended(lead);
}

void memop_ended(struct flight *lead)
{
    check(lead, lead->parts);
    if (--lead->parts)
        return;
    check(lead, lead->fe->flights->held);
    depend_release(lead->fe, lead->slot, lead->u, lead->tag);
    flight_free(lead->fe->flights, lead);
    lead->fe->flights->held--;
}

static void end_copy(const struct memop *op)
{
    struct wctx *c = &op->fe->ctx[op->slot];

    check(op, c->copies[op->copy - 1] && c->stores);
    c->copies[op->copy - 1]--, c->stores--;
}

static void complete(struct memunit *mu, u32 i, u64 now)
{
    struct memop *op = &mu->op[i];
    struct front *fe = op->fe;

    check(op, fe->ctx[op->slot].w);
    release_registers(op, now);
    if (op->kind == MEM_GLOBAL && op->u->flags & UOP_LOAD) {
        mu->st->load_latency += now - op->issued;
        mu->st->load_done++;
    }
    if (UNLIKELY(op->copy))
        end_copy(op);
    warp_waited(fe, op->slot);
    HOOK(mu->sm, load_done, op->slot);
    free_op(mu, i);
}

static void atom_done(const struct memop *op)
{
    struct wctx *c = &op->fe->ctx[op->slot];

    check(op, c->atoms);
    if (!--c->atoms)
        warp_no_atoms(op->fe, op->slot);
}

/* One access of a load is done; the last one frees registers and operation. */
static void access_done(struct memunit *mu, u32 i, u64 now)
{
    struct memop *op = &mu->op[i];

    check(mu, i < mu->n_op);
    check(op, op->left);
    if (op->u->flags & UOP_ATOM)
        atom_done(op);
    if (!--op->left && !op->waiting)
        complete(mu, i, now);
}

/* ---- write-back */

/* A wide warp's registers are in all datapaths that its front end drives, its words one after the other. */
static bool write_registers(struct memop *op, u32 words)
{
    const struct front *fe = op->fe;

    if (LIKELY(!fe->bind.wide) || op->narrow)
        return collector_write(op->dp, &op->dp->sub[op->sub], op->u, op->bank,
                               op->narrow ? 1 : popc_4(words), &op->written);
    for (; op->written_dp < fe->n_dp; op->written_dp++) {
        struct datapath *dp = fe->dp[op->written_dp];
        u32 of_it = words >> op->written_dp * dp->words & ((1u << dp->words) - 1);

        if (of_it &&
            !collector_write(dp, &dp->sub[op->sub], op->u, op->bank, popc_4(of_it), &op->written))
            return false;
        op->written = 0;
    }
    return true;
}

static void write_back(struct memunit *mu, u64 now)
{
    u32 i = mu->wb & TOKEN_OP;
    struct memop *op = &mu->op[i];

    check(mu, i < mu->n_op);
    if (!write_registers(op, mu->wb >> TOKEN_WORDS))
        return;
    op->written = 0, op->written_dp = 0; /* the next access of it writes them again */
    mu->wb = REQ_NONE;
    if (op->kind == MEM_SHARED) {
        if (op->u->flags & UOP_ATOM)
            atom_done(op);
        complete(mu, i, now);
    } else {
        access_done(mu, i, now);
    }
}

static u32 offer(struct memunit *mu, u32 client, u64 now)
{
    u32 i = REQ_NONE;

    switch (client) {
    case CLIENT_SHARED:
        if (mu->smem.n && ring_head(&mu->smem).ready <= now) {
            i = ring_head(&mu->smem).op;
            ring_pop(&mu->smem);
            flight_landed(&mu->op[i].fe->ctx[mu->op[i].slot]);
            i = load_token(i, (1u << mu->op[i].fe->words) - 1);
        }
        return i;
    case CLIENT_TEX:
        return cache_ready(&mu->l1t);
    case CLIENT_CONST:
        return cache_ready(&mu->l1c);
    case CLIENT_GLOBAL:
        i = mu->next_global;
        mu->next_global = REQ_NONE;
        return i;
    default:
        return cache_ready(&mu->l1d);
    }
}

static void choose(struct memunit *mu, u64 now)
{
    u32 client = mu->wb_turn;

    if (hostile(&mu->chance))
        return;

    for (u32 n = 0; n < N_CLIENT; n++) {
        u32 next = client + 1 == N_CLIENT ? 0 : client + 1;

        mu->wb = offer(mu, client, now);
        if (mu->wb != REQ_NONE) {
            mu->wb_turn = next;
            return;
        }
        client = next;
    }
}

/* ---- into the network */

/* Of two ports every second line takes the other's. */
static u32 port_for(const struct memunit *mu, u64 addr)
{
    return mu->beside && addr / LINE % 2 ? mu->beside->port : mu->port;
}

bool lsu_send(struct memunit *mu, u64 now, enum req_kind kind, u64 addr, u8 sectors, u8 full,
              u32 owner, u32 bytes, bool bypass)
{
    check(mu, sectors && sectors < 1 << LINE_SECTORS && bytes / SECTOR < LEN(mu->flits));
    u32 flits = mu->flits[bytes / SECTOR], port = port_for(mu, addr);
    u32 room = noc_room(mu->request, port, now);

    if ((room < flits && room < mu->request->inject_flits) || hostile(&mu->chance)) {
        mu->request->in[port].stalls++;
        mu->st->noc_stalls++;
        return false;
    }
    u32 i = req_alloc(mu->pool);
    struct req *r = req_get(mu->pools, i);
    u64 first = (addr & ~(u64)127) + 32u * (u32)__builtin_ctz(sectors);

    *r = (struct req){.addr = first,
                      .born = now,
                      .owner = owner,
                      .port = (u16)port,
                      .kind = (u8)kind,
                      .sectors = sectors,
                      .full = full,
                      .left = (u8)popc_4(sectors),
                      .bypass = bypass,
                      .beside = port != mu->port};
    noc_push(mu->request, port,
             (struct packet){.req = i,
                             .src = (u16)port,
                             .dst = (u16)addr_node(mu->map, first),
                             .flits = (u8)flits,
                             .ordered = kind == REQ_ATOM},
             now);
    mu->st->req_sent++;
    return true;
}

static u32 store_token(const struct memop *op, const struct access *a)
{
    return warp_token(op->fe, op->slot) | (u32)a->sectors << STORE_SECTORS |
           (u32)a->full << STORE_FULL | (u32)a->bytes << STORE_BYTES;
}

static void send_miss(struct memunit *mu, struct cache *c, enum req_kind kind, u64 now)
{
    const struct cache_send *q = &ring_head(&c->send);
    u32 t = q->token;
    bool sent;

    if (q->kind == SEND_READ)
        sent = lsu_send(mu, now, kind, q->addr, block_sectors(c, q->addr), 0, t, 0, false);
    else if (q->kind == SEND_WRITE)
        sent = lsu_send(mu, now, REQ_WRITE, q->addr, store_sectors(t), store_full(t), store_warp(t),
                        t >> STORE_BYTES, false);
    else
        sent = lsu_send(mu, now, REQ_WRITE, q->addr, q->sectors, q->sectors, REQ_NONE,
                        32u * popc_4(q->sectors), false);
    if (sent)
        ring_pop(&c->send);
}

static void send_misses(struct memunit *mu, u64 now)
{
    if (mu->l1t.send.n)
        send_miss(mu, &mu->l1t, REQ_TEX, now);
    if (mu->l1c.send.n)
        send_miss(mu, &mu->l1c, REQ_CONST, now);
    if (mu->l1d.send.n)
        send_miss(mu, &mu->l1d, REQ_READ, now);
}

/* ---- L1D, texture and constant cache, behind their queues */

static bool l1_store(struct memunit *mu, const struct l1_entry *e)
{
    struct cache *c = &mu->l1d;
    u32 n = c->send.n, t = e->store;
    bool full = store_full(t) == 15 && store_sectors(t) == 15;

    if (cache_store(c, e->addr, t, full, e->local) == CACHE_FAIL)
        return false;
    if (c->send.n > n && ring_at(&c->send, c->send.n - 1).kind == SEND_WRITE)
        return true;
    for (u32 k = popc_4(store_sectors(t)); k; k--) /* L1D keeps it */
        store_ack(mu, store_warp(t));
    return true;
}

/* When all accesses of a load have been looked up, some have their data and others do not. */
static RARE void tell_part(struct memunit *mu, const struct l1_entry *e, bool hit)
{
    struct memop *op = &mu->op[e->load & TOKEN_OP];

    if (op->kind != MEM_GLOBAL || op->local)
        return;
    check(op, op->unseen);
    op->unseen--;
    for (u32 k = 0; k < MAX_WORDS && !hit; k++)
        op->slow[k] |= e->lanes[k];
    if (op->unseen)
        return;
    mu->load_part = op;
    HOOK(mu->sm, load_part, op->slot);
}

static bool l1_access(struct memunit *mu, struct cache *c, const struct l1_entry *e, u64 now)
{
    bool more = mu->op[e->load & TOKEN_OP].left > 1;

    if (e->is_store)
        return l1_store(mu, e);
    switch (cache_load(c, e->addr, e->load)) {
    case CACHE_HIT:
        access_done(mu, e->load & TOKEN_OP, now);
        if (UNLIKELY(mu->keep_lanes) && more)
            tell_part(mu, e, true);
        return true;
    case CACHE_FAIL:
        return false;
    default:
        if (UNLIKELY(mu->keep_lanes))
            tell_part(mu, e, false);
        return true;
    }
}

static bool const_access(struct memunit *mu, u64 now)
{
    const struct l1_entry *e = &ring_head(&mu->constq);

    if (!mu->perfect_const)
        return l1_access(mu, &mu->l1c, e, now);
    access_done(mu, e->load & TOKEN_OP, now);
    return true;
}

static void l1_step(struct memunit *mu, u64 now)
{
    for (u32 b = 0; b < mu->l1q_banks; b++)
        if (mu->l1q[b].n && ring_head(&mu->l1q[b]).ready <= now &&
            l1_access(mu, &mu->l1d, &ring_head(&mu->l1q[b]), now)) {
            ring_pop(&mu->l1q[b]);
            check(mu, mu->n_l1q);
            mu->n_l1q--;
        }
    if (mu->texq.n && ring_head(&mu->texq).ready <= now &&
        l1_access(mu, &mu->l1t, &ring_head(&mu->texq), now))
        ring_pop(&mu->texq);
    if (mu->constq.n && ring_head(&mu->constq).ready <= now && const_access(mu, now))
        ring_pop(&mu->constq);
}

/* ---- dispatch */

static void leave_latch(struct memunit *mu, u64 now)
{
    u32 i = mu->latch;
    struct memop *op = &mu->op[i];

    check(op, op->waiting);
    mu->latch = REQ_NONE;
    free_list(mu, op);
    op->waiting = false;
    flight_landed(&op->fe->ctx[op->slot]);
    if (op->kind == MEM_FENCE)
        op->fe->ctx[op->slot].fence_sent = true;
    if (op->u->flags & UOP_LONG) {
        if (!op->left)
            complete(mu, i, now);
        return;
    }
    release_registers(op, now);
    warp_waited(op->fe, op->slot);
    op->left = 0; /* nobody waits for its acknowledgements by the operation */
    free_op(mu, i);
}

static void dispatch_shared(struct memunit *mu, struct memop *op, u64 now)
{
    if (op->conflict > 1) {
        op->conflict--;
        return;
    }
    if (op->u->flags & UOP_STORE) {
        leave_latch(mu, now);
        return;
    }
    if (ring_full(&mu->smem))
        return;
    ring_push(&mu->smem, ((struct smem_entry){now + mu->smem_latency, mu->latch}));
    mu->latch = REQ_NONE;
    op->waiting = false;
    free_list(mu, op);
}

/* The tags of the constant cache are looked up in this cycle. */
static void look_up_const(struct memunit *mu, struct memop *op)
{
    struct access_list *l = &mu->list[op->list];
    const struct access *a = &l->at[l->n - 1];
    enum cache_result r = CACHE_HIT;

    if (!mu->perfect_const)
        r = cache_load(&mu->l1c, a->addr, load_token(mu->latch, a->words));
    if (r == CACHE_FAIL)
        return;
    check(op, op->left);
    l->n--;
    if (r == CACHE_HIT)
        op->left--;
}

static struct l1_entry next_entry(const struct memunit *mu, struct access_list *l, u64 ready)
{
    const struct access *a = &l->at[--l->n];

    return (struct l1_entry){
        .ready = ready, .addr = a->addr, .load = load_token(mu->latch, a->words)};
}

static void dispatch_const(struct memunit *mu, struct memop *op, u64 now)
{
    struct access_list *l = &mu->list[op->list];

    if (l->n && !mu->l1c_latency)
        look_up_const(mu, op);
    else if (l->n && !ring_full(&mu->constq))
        ring_push(&mu->constq, next_entry(mu, l, now + mu->l1c_latency));
    if (!l->n)
        leave_latch(mu, now);
}

static void dispatch_tex(struct memunit *mu, struct memop *op, u64 now)
{
    struct access_list *l = &mu->list[op->list];

    if (l->n && !ring_full(&mu->texq))
        ring_push(&mu->texq, next_entry(mu, l, now + mu->l1t_latency));
    if (!l->n)
        leave_latch(mu, now);
}

/* Straight into the network: loads that skip L1D, stores likewise, atomics. */
static bool send_around(struct memunit *mu, struct memop *op, const struct access *a, u64 now)
{
    u32 part;

    if (op->u->flags & UOP_STORE) {
        if (!lsu_send(mu, now, REQ_WRITE, a->addr, a->sectors, a->full,
                      warp_token(op->fe, op->slot), a->bytes, true))
            return false;
        op->fe->ctx[op->slot].stores += (u16)popc_4(a->sectors);
        return true;
    }
    if (!(op->u->flags & UOP_ATOM))
        return lsu_send(mu, now, REQ_READ, a->addr, a->sectors, 0, load_token(mu->latch, a->words),
                        0, true);
    part = atom_part(mu, mu->latch, a);
    if (part == REQ_NONE)
        return false;
    if (lsu_send(mu, now, REQ_ATOM, a->addr, a->sectors, 0, part, 32, true))
        return true;
    atom_part_free(mu, part);
    return false;
}

static bool into_l1(struct memunit *mu, struct memop *op, const struct access *a, u32 *used,
                    u64 now)
{
    u32 b = (u32)(a->addr >> 7) & (mu->l1q_banks - 1);
    struct l1_entry e = {.ready = now + mu->l1_latency,
                         .addr = a->addr,
                         .load = load_token(mu->latch, a->words),
                         .is_store = (op->u->flags & UOP_STORE) != 0,
                         .local = op->local};

    if (ring_full(&mu->l1q[b]) || *used >> b & 1)
        return false;
    *used |= 1u << b;
    if (UNLIKELY(mu->keep_lanes) && !e.is_store && !op->local)
        memcpy(e.lanes, mu->list[op->list].lanes[a->atom], sizeof e.lanes);
    if (e.is_store) {
        e.store = store_token(op, a);
        op->fe->ctx[op->slot].stores += (u16)popc_4(a->sectors);
    }
    ring_push(&mu->l1q[b], e);
    mu->n_l1q++;
    return true;
}

enum { ROUTE_ASK, ROUTE_L1D, ROUTE_AROUND };

/* The mechanism's word on an access, asked once; it leaves L1D as the access itself would. */
static bool goes_around(struct memunit *mu, struct memop *op, const struct access *a, u64 now)
{
    struct cache_event ev = mu->l1d.watch->like;

    if (op->local || op->route != ROUTE_ASK)
        return op->route == ROUTE_AROUND;
    ev.addr = a->addr, ev.now = now;
    ev.warp = op->slot, ev.pc = memop_pc(op);
    ev.store = (op->u->flags & UOP_STORE) != 0;
    cache_call(mu->l1d.watch, ON_route, &ev);
    op->route = ev.bypass ? ROUTE_AROUND : ROUTE_L1D;
    if (ev.bypass && ev.store)
        cache_drop(&mu->l1d, a->addr);
    else if (ev.bypass && !mu->sector) /* count_sectors took it for a whole line */
        mu->st->load_sectors -= LINE_SECTORS - a->bytes / SECTOR;
    return ev.bypass;
}

static void dispatch_global(struct memunit *mu, struct memop *op, u64 now)
{
    struct access_list *l = &mu->list[op->list];
    u32 used = 0; /* banks that have got their access of this cycle */

    for (u32 n = op->bypass ? 1 : mu->l1q_banks; n && l->n; n--) {
        const struct access *a = &l->at[l->n - 1];
        bool around = op->bypass;

        if (UNLIKELY(mu->l1d.armed >> ON_route & 1) && !around)
            around = goes_around(mu, op, a, now);
        if (!(around ? send_around(mu, op, a, now) : into_l1(mu, op, a, &used, now)))
            break;
        l->n--;
        op->route = ROUTE_ASK;
        if (around)
            break;
    }
    if (!l->n)
        leave_latch(mu, now);
}

static void dispatch(struct memunit *mu, u64 now)
{
    struct memop *op = &mu->op[mu->latch];

    switch (op->kind) {
    case MEM_SHARED:
        dispatch_shared(mu, op, now);
        break;
    case MEM_CONST:
        dispatch_const(mu, op, now);
        break;
    case MEM_TEX:
        dispatch_tex(mu, op, now);
        break;
    case MEM_GLOBAL:
        dispatch_global(mu, op, now);
        break;
    default:
        leave_latch(mu, now);
    }
}

/* Words of wide warps but the first only say that their operands are here. */
static RARE void take_words(struct memunit *mu, u64 now)
{
    for (u32 d = 0; d < mu->n_dp; d++)
        for (u32 sub = 0; sub < mu->dp[d]->n_sub; sub++) {
            struct latch *l = &mu->dp[d]->sub[sub].exec[UNIT_MEM];

            if (!l->n || l->at[0]->from > now || l->at[0]->mem != REQ_NONE)
                continue;
            check(l->at[0], l->at[0]->lead->parts > 1);
            l->at[0]->lead->parts--;
            flight_free(mu->dp[d]->flights, l->at[0]);
            latch_drop(l, 0);
        }
}

/*
 * The oldest memory instruction of a sub-core comes into the latch.  Of a wide warp the first word has
 * the operation, and comes when the operands of all are here; in lock step each
 * has one of its own, and the first flight stays until all have ended.
 */
static bool accept_from(struct memunit *mu, struct datapath *dp, u32 sub, u64 now)
{
    struct latch *l = &dp->sub[sub].exec[UNIT_MEM];

    if (!l->n || l->at[0]->from > now || l->at[0]->mem == REQ_NONE)
        return false;
    struct flight *f = l->at[0], *lead = f->lead;

    check(f, mu->latch == REQ_NONE && dp->mu == mu && lead->parts && f->mem < mu->n_op);
    struct memop *op = &mu->op[f->mem];

    if (!op->lead && lead->parts > 1)
        return false;
    latch_drop(l, 0);
    mu->latch = f->mem;
    op->waiting = true;
    if (f == op->lead)
        dp->flights->held++;
    else
        flight_free(dp->flights, f);
    return true;
}

/* Sub-cores of all datapaths have their turns. */
static void accept(struct memunit *mu, u64 now)
{
    u32 d = mu->dp_turn, sub = mu->sub_turn;

    if (UNLIKELY(mu->n_dp != 1)) {
        if (!mu->n_dp)
            return;
        take_words(mu, now);
    }
    do {
        struct datapath *dp = mu->dp[d];

        check(mu, d < mu->n_dp && sub < dp->n_sub);
        bool found = accept_from(mu, dp, sub, now);

        if (++sub == dp->n_sub)
            sub = 0, d = d + 1 == mu->n_dp ? 0 : d + 1;
        if (found) {
            mu->dp_turn = d, mu->sub_turn = sub;
            return;
        }
    } while (d != mu->dp_turn || sub != mu->sub_turn);
}

HOT void lsu_return_step(struct memunit *mu, u64 now)
{
    if (mu->wb != REQ_NONE)
        write_back(mu, now);
    if (mu->wb == REQ_NONE && lsu_has_result(mu))
        choose(mu, now);
}

HOT void lsu_step(struct memunit *mu, u64 now)
{
    reply_take(mu, now);
    send_misses(mu, now);
    if (mu->n_l1q || mu->texq.n || mu->constq.n)
        l1_step(mu, now);
    if (UNLIKELY(mu->l1d.armed & ARMED_ASKED))
        cache_prefetch_step(&mu->l1d);
    if (mu->latch != REQ_NONE)
        dispatch(mu, now);
    if (mu->latch == REQ_NONE)
        accept(mu, now);
}
