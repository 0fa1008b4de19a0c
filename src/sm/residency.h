/*
 * residency.h -- which components of an SM are on, off or being switched on, and for how long they were.
 *
 * An account, whoever switches and why.  The components are those of sm/component.def that an SM has: front end,
 * registers, collectors, pipelines, load/store unit, caches, its router.  Each is switched in parts:
 *
 *     pipelines (sp0_int .. dp)    as many as it has; pipe_switch does it
 *     anything else                RESIDENCY_WHOLE of equal leakage, so that a third of the ways or an eighth of
 *                                  the banks is a whole number of them
 *
 * A mechanism says from which cycle on how many parts are off and how many are waking:
 *
 *     residency_set(&sm->residency, COMP_icache, RESIDENCY_WHOLE, 0, 14 * RESIDENCY_WHOLE, sm->now);
 *     residency_set(&sm->residency, COMP_icache, 0, RESIDENCY_WHOLE, 0, later);      waking
 *     residency_set(&sm->residency, COMP_icache, 0, 0, 0, later still);              on
 *
 * Parts that are off do not leak; waking ones leak and are of no use yet.  That what is off is not used is up to the
 * mechanism: of the baseline only pipelines read whether they are off (unit_off).
 *
 * Time is counted when the SM's accounts are closed (sm_settle), all cycles since the last time at once; an SM with
 * everything on pays one test for it.  An SM without a warp does not know whether the launch is over: other SMs
 * decide.  So a change waits in a list until its cycle is closed, and what comes after the launch is not counted.
 */
#ifndef SM_RESIDENCY_H
#define SM_RESIDENCY_H

#include "base/base.h"
#include "base/text.h"
#include "sm/component.h"
#include "sm/sm_conf.h"

enum power { POWER_ON, POWER_OFF, POWER_WAKING };

enum { RESIDENCY_WHOLE = 192 }; /* sizes are powers of two, or three times one */

_Static_assert(N_COMPONENT <= 32, "a bit for each in residency.dark");

struct power_parts {
    u8 off, waking;
};

struct change {
    u64 cycle, cost;
    u8 component;
    struct power_parts parts; /* from this cycle on */
};

struct residency {
    u32 dark;                                /* components that are not all on, or have changed */
    bool open;                               /* a launch is under way */
    u64 last;                                /* counted up to here, exclusively */
    struct power_parts at_last[N_COMPONENT]; /* as they were then */
    VEC(struct change) changes;              /* since, in order of time */
    u8 whole[N_COMPONENT];                   /* parts of each; 0: not of an SM */
    u64 pipes[N_COMPONENT]; /* pipelines that it is made of: bit sub * MAX_PIPES + pipe */
    struct account {
        u64 off, waking, gating; /* parts x cycles; cycles of the leakage of a part */
    } account[N_COMPONENT];
};

/* Parts that a component of such an SM has. */
u32 residency_parts(const struct sm_conf *conf, enum component c);

void residency_init(struct residency *r, const struct sm_conf *conf);
void residency_free(struct residency *r);

/*
 * From cycle `now` on `off` parts are off and `waking` are being switched on.  `cost`: of the leakage of a part, in
 * cycles, for those that were switched off.  `now` is not before the accounts were closed: in a hook of a cycle sm->now
 * or the next one, in kernel_begin sm->front->last.  Between launches neither time nor cost is counted.
 */
void residency_set(struct residency *r, enum component c, u32 off, u32 waking, u64 cost, u64 now);

/* For sm.c: a launch begins; counts the cycles before `now`, if anything is dark; a launch has ended. */
void residency_begin(struct residency *r, u64 now);
void residency_settle(struct residency *r, u64 now);
void residency_end(struct residency *r, u64 now);

/* Adds the account to the rows of residency.def. */
void residency_add(const struct residency *r, struct sm_stat *to);

#endif
