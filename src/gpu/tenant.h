/*
 * tenant.h -- launches that are being timed, inside gpu/.
 *
 * They are tenants of the GPU: one if a launch has it for itself, several if kernels of different
 * streams run at the same time (overlap.h).  One loop runs them all.  What a tenant has on an SM is a
 * kernel there (sm/front/board.h).
 *
 *     timing.c    the loop: windows, and what happens at the edges between them
 *     tenants.c   which of them has which SM: how it comes there, gets CTAs, hands over, and leaves
 *     shares.c    accounts: whose counts are whose
 *     calls.c     calls of the system that kernels make, at edges
 *     results.c   what is left of one that has ended
 *     launch.c    the plan of a launch that has the GPU for itself
 *     overlap.c   launches of several streams, as device.h's users begin and end them
 */
#ifndef GPU_TENANT_H
#define GPU_TENANT_H

#include "gpu/dispatch.h"
#include "gpu/overlap.h"
#include "gpu/timing.h"
#include "gpu/watch.h"
#include "sm/binding/kernels.h"

enum { MAX_TENANTS = 128 };

struct device_launch {
    struct launch l;
    u8 *param;  /* its own */
    u32 prog;   /* number of its program */
    u32 per_sm; /* CTAs that fit on an SM; what limits them */
    const char *limit;
    u32 ctas; /* that an SM gets at most, beside others */
    bool timed;
    u64 end_ps;
};

struct tenant {
    struct timing *timing;
    struct device_launch *launch;
    struct texture_set tex;
    struct uop *uop; /* its own; NULL: the machine's, as it is alone */
    struct dispatch dispatch;
    u64 start, from, end; /* cycles: its beginning, its first CTA, behind its last warp so far */
    u32 stream;
    enum run_end end_kind;
    enum fault_kind fault;
    double host_start;
    struct counters c;       /* its part so far */
    u64 sm_cycles, accesses; /* of them, those that were there when parts were shared out last */
    u64 next_sample;
    struct counters sampled; /* .. those that are in samples */
    VEC(struct counters) samples;
    u64 lost; /* scheduler cycles charged to its lines: lines.h */
};

struct host { /* an SM: who is there */
    struct tenant
        *at[MAX_SM_KERNELS]; /* by their number there (sm/binding/kernels.h), NULL: nobody */
    u32 n;
    u64 insts[MAX_SM_KERNELS]; /* of each: warp instructions since accounts were closed ... */
    u64 ctas[MAX_SM_KERNELS];  /* ... and, when they were, CTAs that had ended, ... */
    struct tally issued[MAX_SM_KERNELS]; /* ... what had been counted for it alone ... */
    struct ptx_stat ran[MAX_SM_KERNELS]; /* ... and what its executor had */
};

struct timing {
    struct device *d;
    u32 n;                          /* in flight; then, after a failure, those to be told of */
    struct tenant *at[MAX_TENANTS]; /* the oldest first */
    bool alone;            /* its tenant has the GPU for itself: nobody joins, and it has a plan */
    u32 sm_kernels;        /* that share an SM, at most */
    struct host *host;     /* of each SM */
    struct counters *sm;   /* of each SM: what has been given out of its counts */
    struct counters rest;  /* the same of networks, L2 and DRAM, and of mechanisms beside them */
    u64 shared_at;         /* the cycle of that */
    u64 anchor, anchor_ps; /* cycle and time of the first edge */
    u64 anchor_offset_ps;  /* what that many cycles take */
    u64 n_edge;            /* since then */
    u64 ctas, ctas_before; /* of all tenants since then; all that had ended before */
    struct watch watch;
    struct tenant *culprit;
    u32 n_aborted;
};

/* ---- tenants.c */

struct timing *timing_of(struct device *d); /* made when it is first needed */
void timing_free(struct timing *g);         /* NULL is none */

/* It begins, now, and gets its first CTAs.  alone: the machine's plan is its own. */
void tenant_begin(struct timing *g, struct device_launch *l, bool alone);

/* CTAs for the window that begins now, up to cycle `end`. */
void tenant_give_out(struct timing *g, struct tenant *t, u64 end);

/* On an SM: its number among those there, or NO_KERNEL; has it a CTA, there or to come? */
u32 tenant_number(const struct timing *g, u32 sm, const struct tenant *t);
bool tenant_has_ctas(const struct timing *g, const struct tenant *t);
bool tenant_has_ended(const struct timing *g, const struct tenant *t);

/* It has ended: its SMs go to others, its accounts are closed.  It is in g->at no more. */
void tenant_end(struct timing *g, struct tenant *t);
void tenants_abort(struct timing *g); /* all; g->n_aborted of them stay in g->at */

/* ---- results.c */

void tenant_publish(struct tenant *t); /* its result is d->last, and in the sums; it goes */
void tenant_free(struct tenant *t);

/* ---- shares.c */

void tenants_count_from(struct timing *g, u64 now);      /* all counts so far are nobody's */
void tenants_account(struct timing *g, u32 sm, u64 now); /* of one SM, to whom it belongs */
void tenants_share(struct timing *g, u64 now);           /* of all, and of memory and chip */
void tenants_sample(struct timing *g, u64 now);          /* .. for those whose time has come */

/* ---- calls.c */

/* printf, malloc, .. of the window that has ended; false, and whose it was, if one of them failed. */
bool tenants_perform_calls(struct timing *g, struct tenant **whose, struct err *e);

/* ---- times: edges are counted from the first launch of those that overlap */

u64 timing_ps(const struct timing *g, u64 cycle);
u64 timing_cycle(const struct timing *g, u64 ps); /* the first that is not before this time */

double host_seconds(void); /* the host's clock, and its processors' */
double host_cpu_seconds(void);

#endif
