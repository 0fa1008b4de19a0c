/*
 * machine.h -- the simulated hardware of one device: SMs, two subnets, memory partitions.
 *
 * It lives as long as the device: caches and DRAM rows keep their contents from launch to launch.
 * Time is `now`, in core cycles since the device was made.
 *
 * Groups.  SMs that a binding couples form a group, which runs on one host thread; in the
 * baseline each SM is a group of its own.  A group has an executor, a log of its global stores
 * and a pool of requests.
 */
#ifndef GPU_MACHINE_H
#define GPU_MACHINE_H

#include "base/team.h"
#include "conf/conf.h"
#include "exec/store_log.h"
#include "gpu/counters.h"
#include "gpu/dispatch.h"
#include "mech/mech.h"
#include "mem/partition.h"
#include "sm/binding/bind.h"
#include "sm/binding/group.h"
#include "sm/binding/plan.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

enum { MAX_PASSES = 128 }; /* of a warp of 128 lanes, one at a time */

struct machine {
    const struct conf *conf;
    u64 now;
    u32 window; /* cycles between two edges */
    u32 n_sm;
    struct sm *sm;
    u32 n_group;
    struct group *group;
    struct exec *x; /* machine_exec */
    struct store_log *log, **logs;
    struct noc request, reply;
    struct noc_conf request_conf; /* as conf->noc, but for its latency */
    struct req_pools pools;
    struct addr_map map;
    struct partition_env env;
    struct sm_env sm_env;
    u32 n_part;
    struct partition **part;
    struct team *team;
    u32 threads;
    bool no_skip;
    struct dispatch dispatch;
    struct shape keys; /* an SM as the keys say */
    struct plan plan;  /* of the launch */
    u16 *first;        /* of each SM: the first one of its group, as the groups are now */
    u64 window_end;    /* of the window that the members of the team are in */

    /* decoded for the kernel that ran last */
    const struct program *prog;
    const struct func *func;
    bool reorders;                   /* a mechanism does: see uop.waits */
    struct uop *uop[MAX_PASSES + 1]; /* by the passes of a warp through a pipeline, or NULL */
};

struct machine *machine_new(const struct conf *conf, u32 threads, bool no_skip);
void machine_attach(struct machine *m, struct mech_set *mechs); /* to a new one */
void machine_free(struct machine *m);

/*
 * Forms the groups of the plan, gives SMs their shapes, and lets each organ work with its own SM's.
 * The machine stands still.
 */
void machine_form(struct machine *m);

/* The kernel's instructions for datapaths that execute so many words of a warp. */
const struct uop *machine_decode(struct machine *m, const struct launch *l, u32 passes);

/* The executor of kernel k on an SM (board.h); of bound SMs the first one's works for all. */
static inline struct exec *machine_exec(const struct machine *m, u32 sm, u32 k)
{
    return &m->x[k * m->n_sm + sm];
}

/* As many for each SM as there can be kernels on it. */
static inline u32 machine_n_exec(const struct machine *m)
{
    return m->n_sm * (m->conf->gpu.concurrent_kernels > 1 ? (u32)m->conf->gpu.sm_kernels : 1);
}

/* The kernel's number, by an executor. */
static inline u32 machine_number(const struct machine *m, const struct exec *x)
{
    return (u32)(x - m->x) / m->n_sm;
}

u64 machine_insts(const struct machine *m); /* warp instructions so far */

/*
 * All counters since the machine was made, but what executors count; accounts are closed at `now`.  Of
 * one SM, added to c; of networks, L2 and DRAM, put there.
 */
void machine_count_sm(struct machine *m, u32 sm, u64 now, struct counters *c);
void machine_count_memory(struct machine *m, u64 now, struct counters *c);

/* A host copy to [addr, addr + bytes) leaves its sectors in L2 (mem.copy_warms_l2). */
void machine_warm(struct machine *m, u64 addr, u64 bytes);

/* Every warp and queue that does not move, on stderr. */
void machine_describe(const struct machine *m);

#endif
