/* l2.c -- see l2.h */
#include "mem/l2.h"

#include <string.h>

#include "mem/cache_watch.h"
#include "mem/partition.h"

#define SHEET slice
#define SHEET_DEF "mem/l2.def"
#define SHEET_DOC "queues of one L2 slice"
#include "base/sheet_table.inc"

static u8 ceil_div(u64 a, u64 b)
{
    return (u8)((a + b - 1) / b);
}

/* What would be divisions in the loop. */
static void init_tables(struct l2_slice *s, const struct partition_env *env)
{
    u64 block = 1ull << s->cache.block_shift;

    s->data_flits = (u8)noc_flits(env->noc, SECTOR);
    s->more_flits = env->noc->line_replies ? ceil_div(SECTOR, env->noc->flit_bytes) : s->data_flits;
    s->ack_flits = (u8)noc_flits(env->noc, 0);
    s->one_ack = env->noc->line_replies;
    s->whole = env->mem->l2_requests;
    s->hit_ticks = ceil_div(SECTOR, env->mem->l2_port_bytes);
    for (u32 i = 0; i <= LINE_SECTORS; i++) {
        s->whole_flits[i] = (u8)noc_flits(env->noc, i * SECTOR);
        s->whole_ticks[i] = ceil_div((u64)i * SECTOR, env->mem->l2_port_bytes);
        s->write_bursts[i] = ceil_div((u64)i * SECTOR, env->dram->burst_bytes);
    }
    for (u32 i = 0; i <= LINE_SECTORS && i * block <= LINE; i++) {
        s->back_ticks[i] = (u8)(i * block / env->mem->l2_port_bytes);
        s->bursts[i] = ceil_div(i * block, env->dram->burst_bytes);
    }
}

void l2_init(struct l2_slice *s, const struct partition_env *env, u32 node, u32 number)
{
    const struct mem_conf *mem = env->mem;

    memset(s, 0, sizeof *s);
    s->env = env;
    s->node = node, s->number = number;
    s->wake = UINT64_MAX;
    cache_init(&s->cache, env->l2);
    ring_init(&s->rop, 256);
    ring_init(&s->in, mem->l2_in);
    ring_init(&s->out, mem->l2_out);
    ring_init(&s->to_dram, mem->l2_dram);
    ring_init(&s->from_dram, mem->dram_l2);
    init_tables(s, env);
    ensure_here(env->pools->n <= 1u << (30 - REQ_BITS)); /* a token holds request and sector */
}

void l2_free(struct l2_slice *s)
{
    cache_free(&s->cache);
    ring_free(&s->rop);
    ring_free(&s->in);
    ring_free(&s->out);
    ring_free(&s->to_dram);
    ring_free(&s->from_dram);
}

/* The SM behind a token; the slice's cache knows addresses within the slice. */
static void who(const struct cache_watch *w, u32 token, struct cache_event *ev)
{
    const struct l2_slice *s = w->owner;

    ev->addr = addr_global(s->env->map, s->node, ev->addr);
    if (token != REQ_NONE)
        ev->sm_id = req_get(s->env->pools, token >> 2)->port;
}

void l2_watch(struct l2_slice *s, struct partition *part)
{
    struct cache_watch *w = cache_watch(&s->cache);

    w->like =
        (struct cache_event){.cache = &s->cache, .part = part, .sm_id = EVENT_NONE, .which = IN_L2};
    w->now = &s->now;
    w->who = who;
    w->owner = s;
}

static void answered(struct l2_slice *s, struct req *r)
{
    check_here(s->held && r->answered < __builtin_popcount(r->sectors));
    r->answered++;
    ring_pop(&s->out);
    s->held--;
}

static u8 reply_flits(const struct l2_slice *s, const struct req *r)
{
    if (r->kind == REQ_WRITE)
        return s->ack_flits;
    if (s->whole)
        return s->whole_flits[__builtin_popcount(r->sectors)];
    return r->answered ? s->more_flits : s->data_flits;
}

/* One of a request's acknowledgements that another, later one stands for. */
static bool is_silent(const struct l2_slice *s, const struct req *r)
{
    return r->kind == REQ_WRITE && s->one_ack && !s->whole &&
           r->answered + 1 < __builtin_popcount(r->sectors);
}

void l2_reply(struct l2_slice *s, u64 now)
{
    const struct partition_env *env = s->env;

    if (!s->out.n)
        return;
    u32 token = ring_head(&s->out), number = token >> 2, sector = token & 3;
    struct req *r = req_get(env->pools, number);
    u8 flits = reply_flits(s, r);

    if (is_silent(s, r)) {
        answered(s, r);
        return;
    }
    if (noc_room(env->reply, s->node, now) < min_u32(flits, env->reply->inject_flits) ||
        hostile(&s->chance)) {
        env->reply->in[s->node].stalls++;
        s->st.noc_full++;
        return;
    }
    if (r->kind == REQ_ATOM && env->atomic)
        env->atomic(env->atomic_arg, number, sector);
    noc_push(env->reply, s->node,
             ((struct packet){.req = number,
                              .src = (u16)s->node,
                              .dst = r->port,
                              .flits = flits,
                              .sector = (u8)sector}),
             now);
    answered(s, r);
}

/* Room for a whole line in the delay queue, which has no bound of its own. */
static void reserve_rop(struct l2_slice *s)
{
    if (LIKELY(ring_room(&s->rop) >= LINE_SECTORS))
        return;
    struct l2_sector *old = s->rop.at;
    u32 n = s->rop.n, head = s->rop.head, mask = s->rop.mask;

    ring_init(&s->rop, 2 * s->rop.cap);
    for (u32 i = 0; i < n; i++)
        ring_push(&s->rop, old[(head + i) & mask]);
    free(old);
}

static void take_request(struct l2_slice *s, u64 now)
{
    const struct partition_env *env = s->env;

    if (!noc_arrived(env->request, s->node, now))
        return;
    if (ring_room(&s->in) < (s->whole ? 1 : LINE_SECTORS) || hostile(&s->chance)) {
        s->st.in_full++;
        return;
    }
    u32 number = noc_take(env->request, s->node).req;
    const struct req *r = req_get(env->pools, number);
    u64 local = addr_local(env->map, r->addr & ~(u64)(LINE - 1));

    reserve_rop(s);
    for (u32 m = s->whole ? r->sectors & -r->sectors : r->sectors; m; m &= m - 1) {
        u32 k = (u32)__builtin_ctz(m);

        ring_push(&s->rop, ((struct l2_sector){now + env->mem->rop_latency, local + k * SECTOR,
                                               number << 2 | k, r->kind, r->full >> k & 1}));
        s->held++;
    }
}

/* A sector whose data has come; tokens of a store's own fetch wake nobody. */
static void wake_one(struct l2_slice *s)
{
    if (!cache_has_ready(&s->cache) || ring_full(&s->out))
        return;
    u32 token = cache_ready(&s->cache);

    if (token != REQ_NONE)
        ring_push(&s->out, token);
}

static void fill_one(struct l2_slice *s)
{
    if (!s->from_dram.n)
        return;
    cache_fill(&s->cache, ring_head(&s->from_dram));
    ring_pop(&s->from_dram);
}

/* MODEL: a store that is sent on (policies through and around) is answered before it is in DRAM. */
static void send_one(struct l2_slice *s, u64 now)
{
    if (!s->cache.send.n || ring_full(&s->to_dram))
        return;
    struct cache_send x = ring_head(&s->cache.send);
    const struct addr_map *map = s->env->map;
    u8 bursts = x.kind == SEND_BACK    ? s->bursts[__builtin_popcount(x.sectors)]
                : x.kind == SEND_WRITE ? s->write_bursts[x.sectors]
                                       : s->bursts[1];
    static const u8 kind[] = {
        [SEND_READ] = DRAM_READ, [SEND_WRITE] = DRAM_WRITE, [SEND_BACK] = DRAM_BACK};

    ring_pop(&s->cache.send);
    ring_push(&s->to_dram, ((struct dram_req){.addr = x.addr,
                                              .born = now,
                                              .row = addr_row(map, s->number, x.addr),
                                              .bank = (u8)addr_bank(map, s->number, x.addr),
                                              .slice = (u8)s->number,
                                              .kind = kind[x.kind],
                                              .bursts = bursts}));
}

static void count_kind(struct slice_stat *st, u8 kind, u32 sectors)
{
    switch (kind) {
    case REQ_READ:
        st->read += sectors;
        break;
    case REQ_WRITE:
        st->write += sectors;
        break;
    case REQ_ATOM:
        st->atomic += sectors;
        break;
    case REQ_INST:
        st->inst += sectors;
        break;
    case REQ_CONST:
        st->constant += sectors;
        break;
    default:
        st->texture += sectors;
    }
}

static enum cache_result look_up_sector(struct cache *c, const struct l2_sector *x)
{
    if (x->kind == REQ_WRITE)
        return cache_store(c, x->local, x->token, x->full && 1u << c->block_shift == SECTOR, false);
    if (x->kind == REQ_ATOM)
        return cache_modify(c, x->local, x->token);
    return cache_load(c, x->local, x->token);
}

/* May the head of the input queue be looked up in this tick?  If there is none, a prefetch is. */
static bool can_look_up(struct l2_slice *s, u64 tick)
{
    if (!s->in.n) {
        if (UNLIKELY(s->cache.armed & ARMED_ASKED))
            cache_prefetch_step(&s->cache);
        return false;
    }
    if (ring_full(&s->to_dram)) {
        s->st.dram_full++;
        return false;
    }
    if (ring_full(&s->out)) {
        s->st.out_full++;
        return false;
    }
    s->st.port_busy += s->port_at > tick;
    return s->port_at <= tick;
}

/* The cache knows lines: a store that it has sent on writes what the request has of one. */
static void tell_size(struct l2_slice *s, const struct l2_sector *x, u32 sectors)
{
    if (x->kind != REQ_WRITE || !s->cache.send.n)
        return;
    struct cache_send *last = &ring_at(&s->cache.send, s->cache.send.n - 1);

    if (last->kind == SEND_WRITE && !last->sectors)
        last->sectors = (u8)sectors;
}

static void serve_head(struct l2_slice *s, u64 tick)
{
    if (!can_look_up(s, tick))
        return;
    struct l2_sector x = ring_head(&s->in);
    u64 back = s->cache.st.write_back;
    enum cache_result r = look_up_sector(&s->cache, &x);

    if (r == CACHE_FAIL)
        return;
    ring_pop(&s->in);
    u32 sectors =
        s->whole ? (u32)__builtin_popcount(req_get(s->env->pools, x.token >> 2)->sectors) : 1;

    count_kind(&s->st, x.kind, sectors);
    tell_size(s, &x, sectors);
    if (r == CACHE_HIT || x.kind == REQ_WRITE)
        ring_push(&s->out, x.token);
    s->port_at = tick + (r != CACHE_HIT ? s->back_ticks[s->cache.st.write_back - back]
                         : s->whole     ? s->whole_ticks[sectors]
                                        : s->hit_ticks);
}

static void leave_rop(struct l2_slice *s, u64 now)
{
    if (!s->rop.n || ring_head(&s->rop).ready > now || ring_full(&s->in))
        return;
    ring_push(&s->in, ring_head(&s->rop));
    ring_pop(&s->rop);
}

void l2_step(struct l2_slice *s, u64 tick, u64 now)
{
    s->now = now;
    take_request(s, now);
    wake_one(s);
    fill_one(s);
    send_one(s, now);
    serve_head(s, tick);
    leave_rop(s, now);
}

u64 l2_next(const struct l2_slice *s, const struct domain *clock, u64 from)
{
    if (s->out.n)
        return from;
    if (s->in.n || s->cache.send.n || s->from_dram.n || cache_has_ready(&s->cache) ||
        s->cache.armed & ARMED_ASKED)
        return domain_from(clock, from);
    if (!s->rop.n)
        return UINT64_MAX;
    u64 ready = ring_head(&s->rop).ready;

    return domain_from(clock, ready > from ? ready : from);
}

void l2_add(const struct l2_slice *s, struct l2_count *to)
{
    sheet_add(&l2_sheet, &to->cache, &s->cache.st);
    sheet_add(&slice_sheet, &to->slice, &s->st);
}
