/*
 * context.h -- a hardware warp: the context that a warp has in a front end, and the CTA it is of.
 *
 * The baseline has one context for each warp.  A warp in parts (parts.h) has one for each part; what
 * only those need is in a struct of its own (part_table.h).  Contexts keep their slot while their warp
 * lives; its place in a scheduler changes with its age.
 */
#ifndef SM_CONTEXT_H
#define SM_CONTEXT_H

#include "base/base.h"

enum {
    MAX_WARPS = 64, /* hardware warps of a front end */
    MAX_CTAS = 64,
    COPY_GROUPS = 8, /* of asynchronous copies that are told apart */
};

struct cta;
struct front;
struct warp;
struct wpart;

struct wctx {
    struct warp *w;     /* NULL: free */
    struct front *home; /* the front end that has its CTA */
    u8 *pend;           /* scoreboard: enum reg_state of each register */
    u8 *readers;        /* sm.war: instructions that still read it; NULL: off */
    u32 ib_pc;          /* buffered: ib_n instructions from this one */
    u32 fetch_pc;       /* what is fetched next */
    u32 asked_pc;       /* what was looked up last */
    u32 frame;          /* of its next instruction: see frame_tag */
    u8 ib_n;
    u8 sched, pos;           /* scheduler, and its place there */
    u8 cta;                  /* slot of its CTA, in its home */
    u64 opens;               /* when it goes on from a barrier, if it is one of `opening` */
    u16 in_flight;           /* instructions between issue and completion */
    u16 n_pend;              /* registers pending */
    u16 stores;              /* acknowledgements to come */
    u16 atoms;               /* atomics to come back, accesses */
    u32 atom_op;             /* memory operation of the last one on global memory */
    u8 bank;                 /* added to its bank numbers */
    u8 dp, sub;              /* datapath and sub-core where its registers are */
    bool ended;              /* all its threads have exited */
    bool fenced;             /* it waits at a memory fence */
    bool fence_sent;         /* which has left the load/store unit */
    u8 copy_group;           /* of asynchronous copies: the one that is open, modulo COPY_GROUPS */
    u8 copy_wait;            /* fenced: groups that it waits for, not a memory fence */
    u16 copies[COPY_GROUPS]; /* under way, by group; `stores` has them too */
    bool parts;              /* of a warp in parts, or that may come to be: `part` says more */
    bool gone;               /* a part that went home; something of it is under way */
    u16 lost;                /* misses of instructions that it was flushed in front of */
    struct wpart *part;
};

/*
 * A CTA that a front end was given.  Its warps are in that front end, or dealt out to several that
 * work over one memory unit: warp i of it to share[i % n_share] of its
 * binding (binding.h).
 */
struct cta_slot {
    struct cta *cta; /* allocated for the kernel */
    bool used, started;
    bool carried; /* into a fused pair: no other CTA comes here */
    u16 n, left;  /* warps; left: not yet retired, parts included */
    u16 first;    /* of the contexts of each share: first, first + 1, .. */
    u8 kernel;    /* of those on board */
    u64 at[2];    /* contexts of each share that have its warps and their parts */
    u64 start;
    u64 place; /* carried: of its first thread, in local memory */
};

#endif
