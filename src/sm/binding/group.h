/*
 * group.h -- SMs that are bound to each other: the unit of a host thread's work.
 *
 * The members of a group share an executor, a log of global stores, a pool of requests and one of
 * flights, and are stepped together, stage by stage.  In the baseline each SM is a group of its
 * own.  Within a group the binding may change in any cycle; which SMs form a group changes at a
 * launch.
 *
 * One cycle, last stage first, so that a stage sees what its successor freed and never what its
 * predecessor did in this cycle:
 *
 *     replies     one packet from the network to the reply queue, one from there to the memory unit or L1I
 *     write-back  results due now free their registers                    (pipe.c)
 *     timers      of mechanisms
 *     execute     each pipeline may take an instruction                   (pipe.c)
 *     return      loads write back                                        (lsu.c)
 *     collect     operands are read                                       (collector.c)
 *     load/store  replies, misses, caches, dispatch                       (lsu.c)
 *     issue       each scheduler, the first in turns                      (issue.c)
 *     decode      the instructions fetched in the last cycle              (fetch.c)
 *     fetch       one warp with an empty buffer                           (fetch.c)
 *
 * A group that can do nothing sleeps until `wake`; the cycles between are accounted in one addition.
 */
#ifndef SM_GROUP_H
#define SM_GROUP_H

#include "sm/flight.h"
#include "sm/sm.h"

enum { MAX_GROUP = 8 };

struct group {
    u64 wake; /* next cycle with something to do */
    u32 n;
    struct sm *sm[MAX_GROUP]; /* and their organs */
    struct front *front[MAX_GROUP];
    struct datapath *dp[MAX_GROUP];
    struct memunit *mu[MAX_GROUP];
    const struct noc_out *in[MAX_GROUP]; /* where replies to them arrive */
    struct exec *x;
    struct req_pool *pool;
    struct flights flights;
};

void group_init(struct group *g, struct sm *const *sm, u32 n, struct exec *x,
                struct req_pool *pool);
void group_free(struct group *g);

/* The cycles [from, to); without skipping also those in which it sleeps. */
void group_run(struct group *g, u64 from, u64 to, bool no_skip);

/* Something came from outside (a CTA, a reply): not later than this cycle it must look. */
static inline void group_wake(struct group *g, u64 cycle)
{
    if (cycle < g->wake)
        g->wake = cycle;
}

/* The next cycle in which it, or a reply on its way to it, has something to do. */
u64 group_next(const struct group *g);

/* Asserts that what is under way adds up, counted by who waits and by where it is; at an edge. */
void group_check(const struct group *g);

/* The front end that a token belongs to: see warp_token. */
static inline struct front *token_front(const struct group *g, u32 token)
{
    return g->sm[token >> 6 & (MAX_GROUP - 1)]->front;
}

#endif
