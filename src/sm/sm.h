/*
 * sm.h -- one streaming multiprocessor: three organs and a binding.
 *
 *   front end     fetch, decode, instruction buffers, dependences, schedulers       front.h
 *   datapath      sub-cores with latches, collectors, register banks, pipelines     datapath.h
 *   memory unit   load/store unit, L1D, shared memory, constants, textures, port    memunit.h
 *
 * Organs are separate structs joined by pointers; a binding says which work together.  In the
 * baseline an SM's front end drives its own datapath, which uses its own memory unit.  A struct sm
 * is what is left: the number, the counters, the hooks and timers of one physical SM, and which
 * organs are its own.
 *
 * SMs whose organs are bound to each other form a group (group.h), which steps them together.
 */
#ifndef SM_SM_H
#define SM_SM_H

#include "base/base.h"
#include "base/wheel.h"
#include "sm/hook.h"
#include "sm/residency.h"
#include "sm/shape.h"
#include "sm/sm_conf.h"

enum { N_TIMER = 1024 };

struct group;
struct front;
struct datapath;
struct memunit;
struct launch;
struct uop;
struct noc;
struct req_pools;
struct addr_map;
struct noc_conf;

struct sm {
    u64 now; /* the cycle being stepped */
    u32 id;
    struct group *group;
    struct front *front;
    struct datapath *dp;
    struct memunit *mu;
    struct hooks hooks;
    struct residency residency;
    struct shape shape;
    struct wheel timers; /* of mechanisms */
    struct sm_stat st;
    struct ops_stat ops;
};

/* What an SM is made of; the same for all of a GPU. */
struct sm_env {
    const struct sm_conf *sm;
    const struct op_conf *op;
    const struct cache_conf *l1i, *l1d, *l1c, *l1t;
    const struct noc_conf *noc;
    struct noc *request, *reply;
    const struct req_pools *pools;
    const struct addr_map *map;
    u64 local_base; /* where local memory lies for the caches */
    bool one_reply; /* L2 answers a request by one packet */
};

void sm_init(struct sm *sm, u32 id, const struct sm_env *env);
void sm_free(struct sm *sm);

/* What it is from the next launch on; it must be idle.  Lines of L1D go if their number changes. */
void sm_reshape(struct sm *sm, const struct shape *s);

/*
 * Another shape while a kernel runs, in which `ctas` of it fit; at an edge, and it must be idle.  It is
 * bound to nobody then, and its levers are as at the beginning.
 */
void sm_refit(struct sm *sm, const struct shape *s, u32 ctas, u64 now);

/*
 * .. around its CTAs, which stay (sm/front/carry.c): nothing of them is under way, and it is bound to nobody.  Its
 * levers are as at the beginning, but those that hold warps.
 */
void sm_refit_around(struct sm *sm, const struct shape *s, u32 ctas, u64 now);

/*
 * A kernel begins: `ctas` of it fit; their memory is allocated here, not in the loop.  None of them
 * comes before cycle `from`: gpu.launch_latency.
 */
void sm_begin(struct sm *sm, const struct launch *l, const struct uop *uop, u32 ctas, u64 now,
              u64 from);
void sm_end(struct sm *sm, u64 now); /* closes the accounts at `now` */

/* Into a slot that is free, of an SM that has room. */
void sm_place(struct sm *sm, const struct launch *l, u32 slot, u64 cta, u64 start);

/* Counts what the cycles up to `now` (exclusive) were. */
void sm_settle(struct sm *sm, u64 now);

void sm_set_no_more(struct sm *sm, bool no_more, u64 now); /* no CTA is left for it, or some are */

/* The timer comes back as hook `timer`; each at most once at a time; delay < WHEEL. */
void sm_timer(struct sm *sm, u32 timer, u64 now, u64 delay);

/* ---- levers of mechanisms; `who` is the mechanism's number, 0 to MAX_LISTENERS - 1 (mech_number) */

/*
 * Warps `all` may not issue, warps `mem` no memory instructions, until it says otherwise; masks over
 * hardware warps, whatever CTA they have.  Those of several mechanisms add up.  A cycle that a
 * scheduler loses by it is charged to the mechanism, of several to the first.  If all warps are held for
 * ever, the launch ends in a deadlock.
 */
void sm_hold(struct sm *sm, u32 who, u64 all, u64 mem);

/*
 * No CTA is placed while the SM has `ctas`, 0: as many as fit; at least one is.  In `kernel_begin`,
 * for that launch, and at edges.  CTAs that are there stay.  The least of several mechanisms counts.
 */
void sm_limit_ctas(struct sm *sm, u32 who, u32 ctas);

/*
 * No CTA is placed until it says otherwise; when and where as sm_limit_ctas.  If all SMs are closed for
 * ever, the launch ends in a deadlock.
 */
void sm_close(struct sm *sm, u32 who, bool closed);

/* Listeners and prefetches need it: what the events of its caches have in common. */
void sm_watch(struct sm *sm);

/* Into L1D, see cache_prefetch. */
void sm_prefetch(struct sm *sm, u64 addr, u64 *count);

bool sm_is_idle(const struct sm *sm);  /* no CTA, nothing under way */
bool sm_is_still(const struct sm *sm); /* its CTAs have nothing under way: sm_refit_around */

/* Why its warps and queues do not move, for a deadlock report. */
void sm_describe(const struct sm *sm, FILE *f);

#endif
