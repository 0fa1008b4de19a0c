/* reply.c -- what comes back from the memory side: data, acknowledgements, instructions */
#include "sm/memunit/memunit.h"

#include "base/hostile.h"
#include "sm/binding/group.h"
#include "sm/front/front.h"

/* All sectors of a request have come; its last reply ends it. */
static bool last_sector(struct memunit *mu, struct req *r, u64 now)
{
    check(mu, r->left);
    if (--r->left)
        return false;
    hist_add(&mu->latency, now - r->born);
    return true;
}

/* The same, where a packet may have brought all of them. */
static bool last_reply(struct memunit *mu, struct req *r, u64 now)
{
    if (mu->one_reply)
        r->left = 1;
    return last_sector(mu, r, now);
}

static void free_request(struct memunit *mu, u32 req)
{
    req_release(mu->pool, req);
}

static void take_instructions(struct memunit *mu, u32 req, u64 now)
{
    struct req *r = req_get(mu->pools, req);

    if (!last_reply(mu, r, now))
        return;
    fetch_reply(token_front(mu->sm->group, r->owner), r->addr);
    free_request(mu, req);
}

/* For whom the packet is that has arrived: SMs that are joined may have both of their ports. */
static struct memunit *asked(struct memunit *mu)
{
    u32 req = ring_head(&mu->reply->out[mu->port].arrived).req;

    return mu->home != mu && req_get(mu->pools, req)->beside ? mu->home : mu;
}

/* One packet from the network, one to the memory unit or the instruction cache. */
HOT void reply_step(struct memunit *mu, u64 now)
{
    if (hostile(&mu->chance))
        return;
    if (mu->queue.n) {
        struct reply p = ring_head(&mu->queue);

        if (req_get(mu->pools, p.req)->kind == REQ_INST) {
            ring_pop(&mu->queue);
            take_instructions(mu, p.req, now);
        } else if (!ring_full(&mu->fifo)) {
            ring_pop(&mu->queue);
            ring_push(&mu->fifo, p);
        }
    }
    if (!noc_arrived(mu->reply, mu->port, now))
        return;
    struct memunit *who = asked(mu);

    if (!ring_full(&who->queue)) {
        struct packet p = noc_take(mu->reply, mu->port);

        ring_push(&who->queue, ((struct reply){p.req, p.sector}));
        who->st->reply_got++;
    }
}

void store_ack(struct memunit *mu, u32 owner)
{
    if (owner == REQ_NONE) /* a write-back of L1D: nobody waits */
        return;
    struct front *fe = token_front(mu->sm->group, owner);
    struct wctx *c = &fe->ctx[token_slot(owner)];

    check(c, c->w && c->stores);
    c->stores--;
    warp_waited(fe, token_slot(owner));
}

/* True if the reply could be used. */
static bool take_data(struct memunit *mu, u32 req, struct req *r, u64 now)
{
    if (!r->bypass && r->kind == REQ_READ) {
        if (last_reply(mu, r, now)) {
            cache_fill(&mu->l1d, r->addr);
            free_request(mu, req);
        }
        return true;
    }
    if (mu->next_global != REQ_NONE)
        return false;
    if (!last_reply(mu, r, now))
        return true;
    mu->next_global = r->kind == REQ_ATOM ? atom_arrived(mu, r->owner, now) : r->owner;
    free_request(mu, req);
    return true;
}

static bool take_line(struct memunit *mu, struct cache *c, u32 req, struct req *r, u64 now)
{
    if (last_reply(mu, r, now)) {
        cache_fill(c, r->addr);
        free_request(mu, req);
    }
    return true;
}

static bool take_ack(struct memunit *mu, u32 req, struct req *r, u64 now)
{
    bool last;

    do {
        store_ack(mu, r->owner);
        last = last_sector(mu, r, now);
    } while (!last && mu->one_ack);
    if (last)
        free_request(mu, req);
    return true;
}

void reply_take(struct memunit *mu, u64 now)
{
    if (!mu->fifo.n)
        return;
    u32 req = ring_head(&mu->fifo).req;
    struct req *r = req_get(mu->pools, req);
    bool used;

    switch (r->kind) {
    case REQ_CONST:
        used = take_line(mu, &mu->l1c, req, r, now);
        break;
    case REQ_TEX:
        used = take_line(mu, &mu->l1t, req, r, now);
        break;
    case REQ_WRITE:
        used = take_ack(mu, req, r, now);
        break;
    default:
        check(mu, r->kind == REQ_READ || r->kind == REQ_ATOM);
        used = take_data(mu, req, r, now);
    }
    if (used)
        ring_pop(&mu->fifo);
}
