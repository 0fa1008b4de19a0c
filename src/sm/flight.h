/*
 * flight.h -- an instruction between issue and write-back, and the latches it waits in.
 *
 * A flight belongs to the front end whose warp it is of, and its registers are in one datapath.  An
 * instruction that is given to several datapaths is several flights: the first leads, and counts
 * those that have not ended.
 */
#ifndef SM_FLIGHT_H
#define SM_FLIGHT_H

#include "base/base.h"
#include "sm/ensure.h"
#include "sm/uop.h"

enum { MAX_WIDTH = 8, MAX_LATE = 3, NONE16 = 0xffff };
enum { MAX_LATCH = MAX_WIDTH * (1 + MAX_LATE) + 1, N_FLIGHT = 2048 /* of an SM */ };

struct front;
struct datapath;

struct flight {
    const struct uop *u;
    struct front *fe;
    struct datapath *dp; /* where its registers are */
    struct flight *lead; /* of its instruction; itself, if it is the only one */
    u64 from;            /* cycle from which the stage behind its latch sees it */
    u32 mem;             /* its memory operation, or REQ_NONE */
    u32 age;             /* order of issue in its front end */
    u32 tag;             /* of the dependence tracker (depend.h) */
    u16 id;
    union {
        u16 slot; /* hardware warp */
        u16 next; /* free list */
    };
    u8 wait; /* operands still to be read */
    u8 sub, sched;
    u8 lanes;   /* that execute it here */
    u8 bank;    /* added to its bank numbers */
    bool alone; /* the only one of its instruction */
    bool loose; /* of a follower in lock step: nobody waits for its result */
    u8 parts;   /* of a lead: flights of its instruction that have not ended, itself included */
    u8 reads;   /* of a lead: flights whose operands have not all been read */
};

/* All flights of a group of SMs. */
struct flights {
    struct flight *at;
    u32 n, used;
    u32 held; /* of them leads that have ended themselves and wait for the rest */
    u16 free; /* head of the list; NONE16: all are under way */
};

static inline struct flight *flight_new(struct flights *p)
{
    struct flight *f = &p->at[p->free];

    ensure_here(p->free != NONE16);
    check_here(p->free < p->n && p->used < p->n);
    p->free = f->next;
    p->used++;
    return f;
}

static inline void flight_free(struct flights *p, struct flight *f)
{
    check(f, p->used && f == &p->at[f->id]);
    p->used--;
    f->next = p->free;
    p->free = f->id;
}

struct latch { /* between two stages: oldest first */
    u8 n, cap;
    struct flight *at[MAX_LATCH];
};

/* Entry i leaves; the others keep their order. */
static inline void latch_drop(struct latch *l, u32 i)
{
    u32 n = l->n - 1u;

    check_here(i < l->n);
    l->n = (u8)n;
    for (; i < n; i++)
        l->at[i] = l->at[i + 1];
}

/* Both words of a wide warp may go where there is room for one. */
static inline void latch_add(struct latch *l, struct flight *f)
{
    ensure(f, l->n < MAX_LATCH);
    check(f, l->n <= l->cap);
    l->at[l->n++] = f;
}

#endif
