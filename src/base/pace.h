/*
 * pace.h -- are host threads worth having right now?
 *
 * Threads that have no core of their own are worse than none: their caller waits for them, mostly
 * for as long as the host's scheduler lets others run.  Two rules keep that small:
 *
 *   - no more threads than CPUs that this process may use (affinity, quota of its control group);
 *   - an account of each piece of work done together: it saves what the others did meanwhile and costs what the caller
 *     waited for them.  If the account is overdrawn the caller works alone for PACE_ALONE times as long as
 *     was lost, and twice as long each time until much was saved again, so that losses stay below a few per cent whatever else runs on the host.
 *
 * Times are the host's, in ns.  They decide who works, never what comes out.
 */
#ifndef BASE_PACE_H
#define BASE_PACE_H

#include "base/base.h"

enum {
    PACE_ALLOW = 200000,    /* ns that may be lost before it counts: some wake-ups of threads */
    PACE_CREDIT = 20000000, /* ns that the account holds: what was saved may be lost again */
    PACE_MOST = 20000, /* ns that one piece can save: more is the caller itself without a core */
    PACE_ALONE = 32,
    PACE_ALONE_MOST = 2048,
};

struct pace {
    s64 account;     /* ns saved, at most PACE_CREDIT */
    u64 alone_until; /* work together from this time on */
    u32 factor;      /* of the next loss */
};

void pace_init(struct pace *p);

/* Together?  Asked before each piece of work. */
static inline bool pace_together(const struct pace *p, u64 now)
{
    return now >= p->alone_until;
}

/*
 * A piece was done with `others` threads: the caller worked for `own`, then waited; now it is
 * `now`.
 */
void pace_tell(struct pace *p, u64 own, u64 waited, u32 others, u64 now);

/* CPUs of this process, at least 1. */
u32 pace_cpus(void);

/*
 * For tests: CPUs of a quota, as cpu.max of a control group has it: "150000 100000", "max 100000";
 * 0: no limit.
 */
u32 pace_quota(const char *text);

#endif
