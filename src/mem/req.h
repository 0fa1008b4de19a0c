/*
 * req.h -- a memory request: what travels from an SM over the NoC to an L2 slice and back.
 *
 * A request covers up to one line of 128 bytes in sectors of 32.  It is allocated by the group of
 * SMs that sends it and freed there when its last reply has come.  Queues hold its number.  The
 * memory side answers each sector by a reply packet of its own; with noc.line_replies packets of data
 * after the first have no header, and the last acknowledgement of a store stands for all; with
 * mem.l2_requests=whole one packet answers all sectors.
 *
 * Pools grow only between windows (req_pool_reserve), so that the loop allocates nothing and the
 * memory side may look requests up while the SMs stand still.
 */
#ifndef MEM_REQ_H
#define MEM_REQ_H

#include "base/base.h"
#include "base/ensure.h"

enum { SECTOR = 32, LINE = 128, LINE_SECTORS = 4, REQ_NONE = 0xffffffffu };

enum req_kind {
    REQ_READ,  /* data for L1D, or for a register where L1D is bypassed */
    REQ_WRITE, /* answered by acknowledgements */
    REQ_ATOM,  /* performed by the L2 slice as its reply leaves */
    REQ_INST,
    REQ_CONST,
    REQ_TEX,
    N_REQ_KIND
};

struct req {
    u64 addr;    /* of its first byte; a multiple of 32 */
    u64 born;    /* core cycle in which it was made */
    u32 owner;   /* means something to the sender only */
    u16 port;    /* of the sender, where replies go */
    u8 kind;     /* enum req_kind */
    u8 sectors;  /* which of the line's four it is for: bit k is sector k of the 128-byte line */
    u8 full;     /* REQ_WRITE: sectors of which every byte is written */
    u8 left;     /* sectors still to be answered; kept by the sender */
    u8 answered; /* sectors; kept by the L2 slice */
    bool bypass : 1; /* REQ_READ: not for L1D */
    bool beside : 1; /* sent by the port of another memory unit */
    u32 next;        /* free list, or the sender's own list */
};

/* All pools of a GPU; a request's number is its pool and its place in it. */
enum { REQ_BITS = 20 };

struct req_pool {
    struct req *at;
    u32 cap, n_free, free; /* `free` is the head of the list */
    u32 id;
};

struct req_pools {
    u32 n;
    struct req_pool *pool;
};

static inline struct req *req_get(const struct req_pools *p, u32 r)
{
    return &p->pool[r >> REQ_BITS].at[r & ((1u << REQ_BITS) - 1)];
}

void req_pools_init(struct req_pools *p, u32 n);
void req_pools_free(struct req_pools *p);

/* At least `room` free requests; may move the pool, so only between windows. */
void req_pool_reserve(struct req_pool *p, u32 room);

static inline u32 req_alloc(struct req_pool *p)
{
    u32 i = p->free;

    ensure_here(p->n_free && i < p->cap);
    p->free = p->at[i].next;
    p->n_free--;
    return p->id << REQ_BITS | i;
}

static inline void req_release(struct req_pool *p, u32 r)
{
    u32 i = r & ((1u << REQ_BITS) - 1);

    check_here(r >> REQ_BITS == p->id && i < p->cap && p->n_free < p->cap);
    p->at[i].next = p->free;
    p->free = i;
    p->n_free++;
}

#endif
