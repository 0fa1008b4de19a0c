/* reply.c -- what comes back from the memory side: data, acknowledgements, instructions */
#include "sm/stages.h"

/* All sectors of a request have come; its last reply ends it. */
static bool last_sector(struct memunit *mu, struct req *r, u64 now)
{
    if (--r->left)
        return false;
    hist_add(&mu->latency, now - r->born);
    return true;
}

static void free_request(struct memunit *mu, u32 req)
{
    req_release(mu->pool, req);
}

static void take_instructions(struct sm *sm, u32 req, u64 now)
{
    struct req *r = req_get(sm->mu.pools, req);

    if (!last_sector(&sm->mu, r, now))
        return;
    fetch_reply(sm, r->addr);
    free_request(&sm->mu, req);
}

/* One packet from the network, one to the memory unit or the instruction cache. */
void reply_step(struct sm *sm, u64 now)
{
    struct memunit *mu = &sm->mu;

    if (hostile(&sm->chance))
        return;
    if (mu->queue.n) {
        struct reply p = ring_head(&mu->queue);

        if (req_get(mu->pools, p.req)->kind == REQ_INST) {
            ring_pop(&mu->queue);
            take_instructions(sm, p.req, now);
        } else if (!ring_full(&mu->fifo)) {
            ring_pop(&mu->queue);
            ring_push(&mu->fifo, p);
        }
    }
    if (!ring_full(&mu->queue) && noc_arrived(mu->reply, mu->port, now)) {
        struct packet p = noc_take(mu->reply, mu->port);

        ring_push(&mu->queue, ((struct reply){p.req, p.sector}));
        sm->st.reply_got++;
    }
}

void store_ack(struct sm *sm, u32 owner)
{
    struct front *fe = &sm->front;

    if (owner == REQ_NONE) /* a write-back of L1D: nobody waits */
        return;
    fe->ctx[owner].stores--;
    warp_waited(fe, owner);
}

/* True if the reply could be used. */
static bool take_data(struct sm *sm, u32 req, struct req *r, u64 now)
{
    struct memunit *mu = &sm->mu;

    if (!r->bypass && r->kind == REQ_READ) {
        if (last_sector(mu, r, now)) {
            cache_fill(&mu->l1d, r->addr);
            free_request(mu, req);
        }
        return true;
    }
    if (mu->next_global != REQ_NONE)
        return false;
    if (!last_sector(mu, r, now))
        return true;
    mu->next_global = r->kind == REQ_ATOM ? atom_arrived(sm, r->owner) : r->owner;
    free_request(mu, req);
    return true;
}

static bool take_line(struct memunit *mu, struct cache *c, u32 req, struct req *r, u64 now)
{
    if (last_sector(mu, r, now)) {
        cache_fill(c, r->addr);
        free_request(mu, req);
    }
    return true;
}

static bool take_ack(struct sm *sm, u32 req, struct req *r, u64 now)
{
    store_ack(sm, r->owner);
    if (last_sector(&sm->mu, r, now))
        free_request(&sm->mu, req);
    return true;
}

void reply_take(struct sm *sm, u64 now)
{
    struct memunit *mu = &sm->mu;

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
        used = take_ack(sm, req, r, now);
        break;
    default:
        used = take_data(sm, req, r, now);
    }
    if (used)
        ring_pop(&mu->fifo);
}
