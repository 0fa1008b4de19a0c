/* tenant.h -- inside overlap.c and shares.c: launches that are in flight together; see overlap.h. */
#ifndef GPU_TENANT_H
#define GPU_TENANT_H

#include "gpu/dispatch.h"
#include "gpu/overlap.h"
#include "gpu/watch.h"
#include "sm/binding/resident.h"

enum { MAX_TENANTS = 128 };

struct device_launch {
    struct launch l;
    u8 *param;  /* its own */
    u32 prog;   /* number of its program */
    u32 per_sm; /* CTAs that fit on an SM; what limits them */
    const char *limit;
    u32 ctas; /* that an SM gets at most */
    u64 end_ps;
};

struct tenant {
    struct overlap *o;
    struct device_launch *launch;
    struct texture_set tex;
    struct uop *uop;
    struct dispatch dispatch;
    u64 start, from, end; /* cycles: its beginning, its first CTA, behind its last warp so far */
    u32 stream;
    enum run_end end_kind;
    enum fault_kind fault;
    double host_start;
    struct counters c;       /* its part so far */
    u64 sm_cycles, accesses; /* of them, those that were there when parts were shared out last */
};

struct host { /* an SM: who is there */
    struct tenant
        *at[MAX_RESIDENTS]; /* by their number there (sm/binding/resident.h), NULL: nobody */
    u32 n;
    u64 insts[MAX_RESIDENTS]; /* of each: warp instructions since accounts were closed ... */
    u64 ctas[MAX_RESIDENTS];  /* ... and, when they were, CTAs that had ended and ... */
    struct tally issued[MAX_RESIDENTS]; /* ... what had been counted for it alone */
};

struct overlap {
    struct device *d;
    u32 n;                          /* in flight; then, after a failure, those to be told of */
    struct tenant *at[MAX_TENANTS]; /* the oldest first */
    struct host *host;              /* of each SM */
    struct exec *x;                 /* of each SM, MAX_RESIDENTS of them */
    struct counters *sm;            /* of each SM: what has been given out of its counts */
    struct counters memory;         /* the same of networks, L2 and DRAM */
    u64 shared_at;                  /* the cycle of that */
    u64 anchor, anchor_ps;          /* cycle and time of the first edge */
    u64 anchor_offset_ps;           /* what that many cycles take */
    u64 n_edge;
    struct watch watch;
    struct tenant *culprit;
    u32 n_aborted;
};

/* ---- shares.c */

void tenants_begin(struct overlap *o, u64 now);           /* all counts so far are nobody's */
void tenants_account(struct overlap *o, u32 sm, u64 now); /* of one SM, to whom it belongs */
void tenants_count_sms(struct overlap *o, u64 now);       /* of all */
void tenants_count_insts(struct overlap *o);    /* .. what they have executed, to m->x too */
void tenants_share(struct overlap *o, u64 now); /* of all, and of memory and chip */

#endif
