/*
 * partition.h -- one memory partition: the L2 slices of a channel and the DRAM behind them.
 *
 *     request NoC -> [ROP delay] -> input queue -> L2 tags -> output queue -> reply NoC
 *                                                  |   ^
 *                                     L2->DRAM queue   DRAM->L2 queue
 *                                                  v   |
 *                         [delay] -> scheduler queue -> banks -> return queue
 *
 * A request is cut into sectors of 32 bytes on arrival; each sector goes its own way and is
 * answered by a packet of its own.  Slice s of partition p is node p * slices + s of both subnets.
 *
 * One step of a core cycle, in this order: each slice sends at most one reply; DRAM steps if its
 * clock ticks; each slice takes at most one request and does one cache step.  Partitions share
 * nothing but their NoC ports, so each may run on another host thread.
 */
#ifndef MEM_PARTITION_H
#define MEM_PARTITION_H

#include "base/base.h"
#include "mem/addr.h"
#include "mem/cache.h"
#include "mem/cache_hook.h"
#include "mem/dram.h"
#include "mem/l2.h"
#include "mem/mem_conf.h"
#include "mem/noc.h"
#include "mem/req.h"

struct partition_env { /* the same for all partitions of a GPU */
    const struct mem_conf *mem;
    const struct cache_conf *l2;
    const struct dram_conf *dram;
    u64 core_mhz, l2_mhz, dram_mhz;
    const struct addr_map *map;
    struct noc *request, *reply;
    const struct req_pools *pools;
    const struct noc_conf *noc;
    void (*atomic)(void *arg, u32 req, u32 sector); /* performs it, as its reply leaves the slice */
    void *atomic_arg;
};

struct partition;

struct partition *partition_new(const struct partition_env *env, u32 id);
void partition_free(struct partition *p);

/*
 * The core cycles [from, to).  Sleeps through those in which nothing can happen, unless `no_skip`.
 */
void partition_run(struct partition *p, u64 from, u64 to, bool no_skip);

/* The next core cycle, at least `from`, with something to do; UINT64_MAX: it waits for requests. */
u64 partition_next(const struct partition *p, u64 from);

/* Holds a request of an SM: a launch has not ended.  Write-backs do not count. */
bool partition_is_busy(const struct partition *p);

/* Clocks start anew with a launch at this core cycle; what is queued stays. */
void partition_restart(struct partition *p, u64 cycle);
u64 partition_dram_clocks(const struct partition *p, u64 now); /* over before core cycle `now` */

/* A host copy leaves this sector valid and clean in L2 (mem.copy_warms_l2). */
void partition_warm(struct partition *p, u64 addr);

/* ---- for mechanisms */

/* They will listen to its slices (cache_watch.h) or prefetch. */
void partition_watch(struct partition *p);
void partition_listen(struct partition *p, enum cache_hook hook,
                      void (*call)(void *self, struct cache_event *ev), void *self);

/* Into the slice of this address, see cache_prefetch; false if it is not of this partition. */
bool partition_prefetch(struct partition *p, u64 addr, u64 *count);

/* Another order of requests in its channel, between launches; `state` is the policy's. */
void partition_schedule(struct partition *p, const struct dram_policy *policy, void *state);

u32 partition_id(const struct partition *p);

/* ---- counters */

/* Counters of its slices and its channel are added to these. */
void partition_count(const struct partition *p, struct l2_count *l2, struct dram_stat *dram);

/* Of its reads from DRAM: core cycles from the queue of the slice to the answer. */
const struct hist *partition_latency(const struct partition *p);

/* Queues that are not empty, one a line, for a deadlock report. */
void partition_describe(const struct partition *p, char *buf, size_t size);

#endif
