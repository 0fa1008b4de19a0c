/*
 * memunit.h -- the memory unit, an organ of an SM: load/store unit, L1 caches, shared memory, port.
 *
 *     memop.c      a memory instruction becomes an operation
 *     memunit.c    beginning, shapes, end
 *     lsu.c        operations from there to completion
 *     coalesce.c   lanes' addresses become accesses
 *     lsu_atom.c   atomics under way
 *     reply.c      what comes back from the memory side
 *
 * It serves the datapaths of its binding, dp[0] to dp[n_dp - 1]; in the baseline that of its own SM.
 * Operations, store tokens and fetches carry the front end they belong to.
 */
#ifndef SM_MEMUNIT_H
#define SM_MEMUNIT_H

#include "base/base.h"
#include "base/hist.h"
#include "base/ring.h"
#include "exec/atom.h"
#include "mem/addr.h"
#include "mem/cache.h"
#include "mem/noc.h"
#include "mem/req.h"
#include "sm/front/front.h"

struct access {
    u64 addr;
    u8 sectors, full; /* of its 128-byte line */
    u8 bytes;
    u8 words; /* mask of the warp's words with lanes in it */
    u8 atom;  /* of an atomic: its lanes are access_list.lanes[atom] */
};

enum { SMEM_BANKS = 64 }; /* of shared memory, at most */

/* 16 bytes of local memory are four accesses of each lane; an atomic is at most one. */
enum { MAX_ACCESS = 4 * MAX_WORDS * LANES, MAX_ATOM = MAX_WORDS * LANES, N_LIST = 40 };

struct access_list {
    u32 n;
    u8 next_free;
    struct access at[MAX_ACCESS];
    u32 lanes[MAX_ATOM][MAX_WORDS]; /* of atomics; of loads of global memory, if they are kept */
};

enum mem_kind { MEM_SHARED, MEM_CONST, MEM_GLOBAL, MEM_TEX, MEM_FENCE };

struct memop {
    const struct uop *u;
    struct front *fe;
    struct datapath *dp; /* whose registers its result is for */
    u64 issued;
    u32 tag;     /* of the dependence tracker */
    u32 atom;    /* captured operands, or REQ_NONE */
    u32 next;    /* free list */
    u32 written; /* registers of its result, in datapath written_dp of a wide warp */
    u16 slot;
    u16 left;     /* accesses whose data have not come */
    u16 conflict; /* shared: cycles it still takes */
    u8 kind, list;
    u8 bank, sub, written_dp;
    struct flight *lead; /* in lock step: the first of its instruction's flights; else NULL */
    bool bypass, local;
    bool narrow;         /* one word of registers, whichever lanes it is for */
    u16 unseen;          /* accesses that L1D has not looked up */
    u32 slow[MAX_WORDS]; /* lanes of those that missed, if lanes are kept */
    u8 route;     /* of its next access, if mechanisms are asked: 0 not asked, 1 L1D, 2 around it */
    u8 copy;      /* an asynchronous copy: its group + 1; else 0 */
    bool waiting; /* in the latch: not all accesses are on their way */
};

static inline u32 memop_pc(const struct memop *op)
{
    return (u32)(op->u - uops_of(op->fe, &op->fe->ctx[op->slot]));
}

struct l1_entry { /* in front of the tags */
    u64 ready, addr;
    u32 load;  /* load: its token */
    u32 store; /* else: a store's token */
    bool is_store, local;
    u32 lanes[MAX_WORDS]; /* of a load, if they are kept */
};

struct smem_entry {
    u64 ready;
    u32 op;
};

struct atom_slot { /* see lsu_atom.c */
    u32 next;
    struct atom_capture capture;
};

struct atom_part {
    u32 op, next;
    u32 lanes[MAX_WORDS];
    u32 gone[MAX_WORDS]; /* lanes whose memory was not there when the slice looked */
    bool done;           /* performed; the reply is on its way */
};

struct reply {
    u32 req;
    u8 sector;
};

struct memunit {
    struct sm *sm;
    struct sm_stat *st;
    struct exec *x; /* its group's */
    /* the binding */
    struct datapath *dp[MAX_BIND];
    u32 n_dp;
    struct noc *request, *reply;
    u32 port;
    struct memunit *home;   /* who may use this port: itself; of SMs that are joined, .. */
    struct memunit *beside; /* .. the first, which then has this one's port too; or NULL */
    struct req_pool *pool;
    const struct req_pools *pools;
    /* load/store unit */
    u32 latch;       /* memory operation being dispatched, or REQ_NONE */
    u32 wb;          /* token of a load that writes back next cycle, or REQ_NONE */
    u32 next_global; /* of a bypassed one whose data are here, or REQ_NONE */
    u32 wb_turn, dp_turn, sub_turn;
    u32 n_l1q, l1q_banks;
    u32 free_op, n_op, used_op;
    struct memop *op;
    RING(struct smem_entry) smem; /* shared memory pipeline */
    RING(struct reply) queue, fifo;
    RING(struct l1_entry) texq, constq;
    RING(struct l1_entry) l1q[32];
    struct cache l1d, l1c, l1t;
    const struct cache_conf *l1d_conf, *l1c_conf, *l1t_conf; /* as the keys say */
    bool empty;                    /* has run empty: L1D forgets its lines */
    bool keep_lanes;               /* somebody wants to know which lanes' data come late */
    const struct memop *load_part; /* for the hook of this name: `slow` lanes do not have theirs */
    struct access_list *list;
    u8 free_list;
    u32 n_list_used;
    struct atom_slot *atom;
    struct atom_part *part;
    u32 free_atom, free_part, n_part;
    const struct addr_map *map;
    u8 flits[LINE / SECTOR + 1]; /* of a packet with so many sectors of data */
    bool one_ack;                /* of a store, for all of its sectors */
    bool one_reply;              /* of any request, likewise */
    u32 smem_latency, smem_banks, l1_latency, l1t_latency, l1c_latency;
    bool sector, global_l1, atom_blocks, perfect_const;
    bool words_apart; /* sm.wide_memory */
    u64 local_base, local_stride,
        first_thread; /* local memory: word w of thread t is at base + w stride + 4 t */
    u32 warp_threads;
    u32 chance;          /* of a hostile build */
    struct hist latency; /* of requests, from making to the last reply */
};

void memunit_init(struct memunit *mu, const struct sm_env *env);
void memunit_reshape(struct memunit *mu, const struct shape *from, const struct shape *to);
void memunit_free(struct memunit *mu);
u64 memunit_next(const struct memunit *mu, u64 now); /* next cycle with something to do */
bool memunit_is_idle(const struct memunit *mu);

/* ---- lsu.c */
void lsu_return_step(struct memunit *mu, u64 now); /* loads write back */

/* Something of a load has come, or may have. */
static inline bool lsu_has_result(const struct memunit *mu)
{
    return mu->smem.n | mu->l1d.ready.n | mu->l1c.ready.n | mu->l1t.ready.n ||
           mu->next_global != REQ_NONE;
}

static inline bool lsu_has_return(const struct memunit *mu)
{
    return mu->wb != REQ_NONE || lsu_has_result(mu);
}

void lsu_step(struct memunit *mu, u64 now);

/* Places in front of the tags: what is in them is under way for `latency` cycles. */
static inline u32 mu_queue_slots(u64 latency)
{
    return latency ? (u32)latency : 1;
}

/* A store on its way through L1D, in a token: its warp's, and above it what it writes. */
enum { STORE_SECTORS = TOKEN_BITS, STORE_FULL = STORE_SECTORS + 4, STORE_BYTES = STORE_FULL + 4 };

static inline u32 store_warp(u32 token)
{
    return token & ((1u << TOKEN_BITS) - 1);
}

static inline u8 store_sectors(u32 token)
{
    return token >> STORE_SECTORS & 15;
}

static inline u8 store_full(u32 token)
{
    return token >> STORE_FULL & 15;
}

/* Room for one more memory instruction. */
static inline bool lsu_has_room(const struct memunit *mu)
{
    return mu->used_op < mu->n_op && mu->n_list_used < N_LIST && mu->free_atom != REQ_NONE;
}

/* Makes the memory operation of flight f, which x has just executed; its number. */
u32 lsu_make(struct memunit *mu, const struct flight *f, u64 now);

bool lsu_send(struct memunit *mu, u64 now, enum req_kind kind, u64 addr, u8 sectors, u8 full,
              u32 owner, u32 bytes, bool bypass);

/* Sectors of its 128-byte line that a block of this cache has. */
static inline u8 block_sectors(const struct cache *c, u64 addr)
{
    u32 n = 1u << (c->block_shift - 5);

    return (u8)(((1u << n) - 1) << (addr >> 5 & 3));
}

/* An access of a load on its way: its operation, and which of the warp's words it is for. */
enum { TOKEN_OP = 0xffff, TOKEN_WORDS = 16 };

static inline u32 load_token(u32 op, u32 words)
{
    return op | words << TOKEN_WORDS;
}

void memop_ended(struct flight *lead); /* in lock step: one of the instruction's is done */

/* ---- reply.c */
void reply_step(struct memunit *mu, u64 now);
void reply_take(struct memunit *mu, u64 now); /* the memory unit takes one */
void store_ack(struct memunit *mu, u32 owner);

/* ---- coalesce.c */
void coalesce(struct memunit *mu, const struct warp *w, const struct exec *x, const struct uop *u,
              struct memop *op, const u32 *mask, struct access_list *l);
void coalesce_lines(const struct warp *w, const struct exec *x, const u32 *mask, u32 shift,
                    struct access_list *l);

/* Cycles that a shared memory access takes; words of the warp apart, or together. */
u32 shared_conflict(const struct exec *x, const struct warp *w, const u32 *mask, u32 banks,
                    bool apart);

/* ---- lsu_atom.c */
void atom_init(struct memunit *mu, u32 n, u32 parts);
void atom_free(struct memunit *mu);
u32 atom_keep(struct memunit *mu, const struct exec *x);
void atom_release(struct memunit *mu, u32 atom);
u32 atom_part(struct memunit *mu, u32 op, const struct access *a);
void atom_part_free(struct memunit *mu, u32 part);
u32 atom_arrived(struct memunit *mu, u32 part, u64 now); /* the access's token */

/* An atomic access has reached its L2 slice: see partition_env.atomic. */
void atom_perform(struct memunit *mu, u32 part);

/*
 * For the watchdog: what the atomic under way of warp c will give goes into the registers of a copy
 * of the warp.  False: it may change memory, or there are several.
 */
bool atom_foresee(const struct memunit *mu, const struct wctx *c, struct warp *copy);

#endif
