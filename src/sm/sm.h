/*
 * sm.h -- one streaming multiprocessor: three organs and a binding.
 *
 *   front end     fetch, decode, instruction buffers, scoreboard, schedulers        fetch.c issue.c sched.c
 *                                                                                   scoreboard.h warps.c
 *   datapath      sub-cores with latches, collectors, register banks, pipelines     collector.c pipe.c
 *   memory unit   load/store unit, L1D, shared memory, constants, textures, port    lsu.c coalesce.c reply.c
 *
 * Organs are separate structs joined by pointers; a binding says which work together.  In the
 * baseline an SM's front end drives its own datapath, which uses its own memory unit.
 *
 * One cycle (sm_step), last stage first, so that a stage sees what its successor freed and
 * never what its predecessor did in this cycle:
 *
 *     replies     one packet from the network to the reply queue, one from there to the memory unit or L1I
 *     write-back  results due now free their registers                    (pipe.c)
 *     execute     each pipeline may take an instruction                   (pipe.c)
 *     load/store  write-back of loads, collectors, caches, dispatch       (lsu.c, collector.c)
 *     issue       each scheduler, the first in turns                      (issue.c)
 *     decode      the instructions fetched in the last cycle              (fetch.c)
 *     fetch       one warp with an empty buffer                           (fetch.c)
 *
 * An SM that can do nothing sleeps until `wake`; the cycles between are accounted in one addition.
 */
#ifndef SM_SM_H
#define SM_SM_H

#include "base/base.h"
#include "base/hist.h"
#include "base/hostile.h"
#include "base/ring.h"
#include "base/wheel.h"
#include "exec/atom.h"
#include "exec/exec.h"
#include "mech/hook.h"
#include "mem/addr.h"
#include "mem/cache.h"
#include "mem/noc.h"
#include "mem/req.h"
#include "sm/sm_conf.h"
#include "sm/uop.h"

enum {
    MAX_WARPS = 64, /* hardware warps of a front end */
    MAX_SCHED = 4,
    MAX_SUB = 4,
    MAX_BIND = 4, /* datapaths that one front end can drive */
    MAX_CTAS = 64,
    MAX_LATCH = 8,
    MAX_CU = 32,
    MAX_BANKS = 32,
    MAX_PIPES = 16, /* of a sub-core */
    AHEAD = 1024,   /* how far results are booked ahead */
    NONE16 = 0xffff,
};

struct sm;
struct front;
struct datapath;
struct memunit;
struct sched_policy;

/* ---- an instruction between issue and write-back */

struct flight {
    const struct uop *u;
    struct front *fe;
    u32 mem; /* its memory operation, or REQ_NONE */
    u32 age; /* order of issue in its SM */
    u16 id;
    u16 slot;        /* hardware warp */
    u16 row0, pred0; /* frame of its registers */
    u16 next;        /* free list */
    u8 wait;         /* operands still to be read */
    u8 sub, sched;
    u8 lanes; /* that execute it */
    u8 pipe;  /* pipeline that executes it */
    u8 bank;  /* added to its bank numbers */
};

struct latch { /* between two stages: oldest first */
    u8 n, cap;
    struct flight *at[MAX_LATCH];
};

/* ---- front end */

enum reg_state { REG_BUSY = 1, REG_LOADING = 2 }; /* in wctx.pend */

struct wctx {       /* a hardware warp */
    struct warp *w; /* NULL: free */
    u8 *pend;       /* scoreboard: enum reg_state of each register */
    u8 *readers;    /* sm.war: instructions that still read it; NULL: off */
    u32 ib_pc;      /* buffered: ib_n instructions from this one */
    u32 fetch_pc;   /* what is fetched next */
    u8 ib_n;
    u8 sched, pos;   /* scheduler, and its place there */
    u8 cta;          /* slot of its CTA */
    u16 in_flight;   /* instructions between issue and completion */
    u16 n_pend;      /* registers pending */
    u16 stores;      /* acknowledgements to come */
    u16 atoms;       /* atomics to come back, accesses */
    u32 atom_op;     /* memory operation of the last one on global memory */
    u8 bank;         /* added to its bank numbers */
    bool ended;      /* all its threads have exited */
    bool fenced;     /* it waits at a memory fence */
    bool fence_sent; /* which has left the load/store unit */
};

struct issue_order { /* of the scheduler `gates` */
    u8 first;        /* the type that goes first: PIPE_INT or PIPE_FP; the other one goes last */
    u8 dark;     /* bit of a type: all its pipelines are in Blackout, the other one goes first */
    bool strict; /* INT and FP in one cycle only if the SM has no two others to issue */
    bool hold;   /* so in this cycle: nothing of the type that goes last */
    u64 since,
        longest; /* cycle in which `first` changed; for how long it may be first, 0: any time */
};

/* Sets of warps are masks over the places of a scheduler; places are in order of age. */
struct sched {
    u64 live;
    u64 valid; /* an instruction of the right path is buffered */
    u64 wrong; /* what is buffered is not where the warp goes on: flushed when looked at */
    u64 dirty; /* hazards must be looked at again */
    u64 raw, raw_mem, waw, war; /* hazards of the next instruction */
    u64 bar, atom, fence, ended, imiss;
    u64 need[N_UNIT]; /* unit that the next instruction wants */
    u64 need_fp;      /* of need[UNIT_SP]: the FP half */
    u64 need_flow;    /* of need[UNIT_SP]: control, which is neither INT nor FP */
    u64 active;       /* two_level, gates */
    u32 last;         /* place that issued last; 64: none */
    u32 n;            /* places in use */
    u8 sub;
    u8 at[64]; /* hardware warp of a place */
    const struct sched_policy *policy;
    enum stall why, why_asleep; /* of the cycle that was stepped last, and of those slept since */
    u32 why_pc, asleep_pc;      /* --lines: whose fault it is, or PC_NONE */
    struct stall_stat st;
    u32 active_max;
    struct issue_order own, *order; /* gates: its own or one for the SM */
    const struct sched *peer;       /* gates: the schedulers whose warps decide the order */
    u32 n_peer;
};

struct cta_slot {
    struct cta *cta; /* allocated for the kernel */
    bool used, started;
    u16 first;   /* its hardware warps: first .. first + n */
    u16 n, left; /* left: not yet retired */
    u64 start;
};

struct issued { /* for hooks */
    const struct uop *u;
    u32 pc, sched;
};

struct front {
    struct sm *sm;
    struct datapath *dp[MAX_BIND]; /* that it drives */
    u32 n_dp;
    struct sched sched[MAX_SCHED];
    u32 n_sched;
    u32 phase; /* cycle + phase, modulo their number, is the one that goes first */
    const struct uop *uop;
    struct wctx ctx[MAX_WARPS];
    u64 want_fetch; /* buffer empty, no miss under way, not ended */
    u64 may_retire; /* ended, and nothing under way */
    u32 n_warp;
    u32 last_fetched;
    struct {
        u32 pc;
        u16 slot;
    } fetched[8];
    u32 n_fetched;
    struct cache l1i;
    struct flight *flight;
    u16 free_flight;
    u32 n_flight;
    struct issued last_issue;
    u32 subset; /* as of the last hook `subset` */
    struct cta_slot slot[MAX_CTAS];
    u32 n_slot, n_cta, n_starting; /* slots of this kernel, CTAs, of them not yet started */
    u32 n_issued;
    u8 *pend_rows; /* memory of the scoreboards */
    u32 n_regs;    /* places of one */
    u32 n_inst;    /* of the program */
};

/* ---- datapath */

struct ahead { /* what is booked for later cycles */
    u8 n[AHEAD];
    u64 upto; /* entries before this cycle are stale */
};

struct pipeline {
    u64 free_at;         /* its input is free from this cycle */
    u64 empty_at;        /* and nothing is inside from this one */
    struct ahead leaves; /* one instruction a cycle leaves it */
    u8 unit, half, cluster;
};

struct cuset { /* collector units that serve one kind of instruction */
    u32 mask;  /* of them */
    u8 in_ports, out_ports;
    u8 last[8]; /* of each out port: where its round robin stands */
};

struct subcore {
    struct latch issue[N_UNIT]; /* issue to collectors */
    struct latch exec[N_UNIT];  /* collectors to units */
    u32 cu_free, cu_ready;      /* masks of collector units */
    struct flight *cu[MAX_CU];
    struct cuset set[N_UNIT];
    bool any;       /* one set for all */
    u32 bank_busy;  /* banks with reads waiting */
    u32 bank_write; /* banks that a write-back has in this cycle */
    struct {
        u8 head, n;
        u8 cu[128];
    } bank[MAX_BANKS];
    struct pipeline pipe[MAX_PIPES];
    u32 n_pipe, n_cluster;
    u8 flow; /* sp_split: pipelines from here on take the clusters' control instructions */
    u8 next_cluster;
    struct ahead bus;
};

struct datapath {
    struct sm *sm;
    struct memunit *mu;
    struct subcore sub[MAX_SUB];
    u32 n_sub;
    u64 unit_off;  /* pipelines that take nothing: bit sub * MAX_PIPES + pipe */
    u64 unit_cold; /* of them those that do not leak: not being switched on */
    u64 unit_shut; /* and those that nothing is issued for */
    u32 banks, rf_steps, result_buses;
    u8 width[N_UNIT];
    u8 ports_two, choice, split;
    u8 war;             /* 0 off, 1 until read, 2 until write-back */
    struct wheel wheel; /* flights due for write-back, then timers */
};

/* ---- memory unit */

struct access {
    u64 addr;
    u32 lanes; /* of its word */
    u8 word;
    u8 sectors, full; /* of its 128-byte line */
    u8 bytes;
};

enum { MAX_ACCESS = 512, N_LIST = 40 };

struct access_list {
    u32 n;
    u8 next_free;
    struct access at[MAX_ACCESS];
};

enum mem_kind { MEM_SHARED, MEM_CONST, MEM_GLOBAL, MEM_TEX, MEM_FENCE };

struct memop {
    const struct uop *u;
    struct front *fe;
    u64 issued;
    u32 atom;    /* captured operands, or REQ_NONE */
    u32 next;    /* free list */
    u32 written; /* registers of its result */
    u16 slot, row0, pred0;
    u16 left;     /* accesses whose data have not come */
    u16 conflict; /* shared: cycles it still takes */
    u8 kind, list;
    u8 bank, sub;
    bool bypass, local;
    bool waiting; /* in the latch: not all accesses are on their way */
};

struct l1_entry { /* in front of the tags */
    u64 ready, addr;
    u32 op;    /* load: its operation */
    u32 store; /* else: a store's token */
    bool is_store, local;
};

struct smem_entry {
    u64 ready;
    u32 op;
};

struct atom_slot { /* see lsu_atom.c */
    u32 next;
    struct atom_capture capture;
};

struct atom_part {
    u32 op, lanes, next;
    u32 gone; /* lanes whose memory was not there when the slice looked */
    u8 word;
    bool done; /* performed; the reply is on its way */
};

struct reply {
    u32 req;
    u8 sector;
};

struct memunit {
    struct sm *sm;
    struct noc *request, *reply;
    u32 port;
    struct req_pool *pool;
    const struct req_pools *pools;
    /* load/store unit */
    u32 latch;       /* memory operation being dispatched, or REQ_NONE */
    u32 wb;          /* operation that writes back next cycle, or REQ_NONE */
    u32 next_global; /* bypassed load whose data are here, or REQ_NONE */
    u32 wb_turn, sub_turn;
    RING(struct l1_entry) l1q[32];
    u32 n_l1q, l1q_banks;
    RING(struct l1_entry) texq;
    RING(struct smem_entry) smem; /* shared memory pipeline */
    struct cache l1d, l1c, l1t;
    RING(struct reply) queue, fifo;
    struct memop *op;
    u32 free_op, n_op, used_op;
    struct access_list *list;
    u8 free_list;
    u32 n_list_used;
    struct atom_slot *atom;
    struct atom_part *part;
    u32 free_atom, n_atom, free_part, n_part;
    const struct addr_map *map;
    u8 flits[LINE / SECTOR + 1]; /* of a packet with so many sectors of data */
    u32 smem_latency, smem_banks, l1_latency, l1t_latency;
    bool sector, global_l1, atom_blocks, perfect_const;
    u64 local_base, local_stride,
        first_thread; /* local memory: word w of thread t is at base + w stride + 4 t */
    u32 warp_threads;
    struct hist latency; /* of requests, from making to the last reply */
};

/* ---- the SM */

enum { N_TIMER = 1024 };

struct sys_call { /* printf, malloc, ..: performed at the edge of the window */
    u64 cycle;
    u16 sm, slot;
};

struct sm {
    u64 now;  /* the cycle being stepped */
    u64 wake; /* next cycle with something to do */
    u64 last; /* cycle that was stepped last: accounts are closed up to it, exclusively */
    struct hooks hooks;
    struct exec *x; /* its group's */
    struct front front;
    struct datapath dp;
    struct memunit mu;
    u32 id;
    bool no_more; /* no CTA is left for it */
    bool failed;  /* a kernel fault: x says which */
    struct warp *failed_warp;
    u32 failed_pc;
    bool empty;    /* has run empty: L1D forgets its lines */
    u64 last_done; /* last cycle in which a warp retired */
    u32 n_resident;
    u64 resident_since;
    struct sm_stat st;
    struct ops_stat ops;
    const struct sm_conf *conf;
    u64 (*line_stall)[N_STALL]; /* --lines: per pc and reason, or NULL */
    u64 *line_issued;           /* per pc */
    u64 failed_at;              /* cycle */
    u32 chance;                 /* of a hostile build */
    VEC(struct sys_call) calls; /* of this window */
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
    u64 local_base;   /* where local memory lies for the caches */
    u64 local_stride; /* bytes between two words of a thread: 4 for each thread of the GPU */
};

/* An atomic access has reached its L2 slice: see partition_env.atomic. */
void atom_perform(struct memunit *mu, u32 part);

/*
 * For the watchdog: what the atomic under way of warp c will give goes into the registers of a copy
 * of the warp.  False: it may change memory, or there are several.
 */
bool atom_foresee(const struct memunit *mu, const struct wctx *c, struct warp *copy);

void sm_init(struct sm *sm, u32 id, const struct sm_env *env, struct exec *x);
void sm_free(struct sm *sm);

/* A kernel begins: `ctas` of it fit; their memory is allocated here, not in the loop. */
void sm_begin(struct sm *sm, const struct launch *l, const struct uop *uop, u32 ctas, u64 now);
void sm_end(struct sm *sm, u64 now); /* closes the accounts at `now` */

bool sm_has_room(const struct sm *sm);
void sm_place(struct sm *sm, const struct launch *l, u64 cta, u64 start); /* needs room */

/* The cycles [from, to); without skipping also those in which it sleeps. */
void sm_run(struct sm *sm, u64 from, u64 to, bool no_skip);

/* `by` more warps are resident from now on. */
void sm_count_warps(struct sm *sm, u64 now, s32 by);

/* A fault of warp w, whose x says what; the SM stops, and the edge finds it. */
static inline void sm_fail(struct sm *sm, struct warp *w, u32 pc)
{
    sm->failed = true;
    sm->failed_warp = w, sm->failed_pc = pc;
    sm->failed_at = sm->now;
}

/* Something came from outside (a CTA, a reply): not later than this cycle it must look. */
static inline void sm_wake(struct sm *sm, u64 cycle)
{
    if (cycle < sm->wake)
        sm->wake = cycle;
}

/* Counts what the cycles up to `now` (exclusive) were. */
void sm_settle(struct sm *sm, u64 now);

void sm_set_no_more(struct sm *sm, u64 now); /* no CTA is left for it */

/* The timer comes back as hook `timer`; each at most once at a time; delay < WHEEL. */
void sm_timer(struct sm *sm, u32 timer, u64 now, u64 delay);

/* Can pipeline i execute it, if it is on?  `sched` is the scheduler that issues it. */
static inline bool pipe_serves(const struct datapath *dp, const struct subcore *sc, u32 i,
                               const struct uop *u, u32 sched)
{
    const struct pipeline *p = &sc->pipe[i];

    if (p->unit != u->unit || (p->unit == UNIT_SP && dp->split && p->half != u->pipe))
        return false;
    return p->unit != UNIT_SP || dp->choice != 2 || sched % sc->n_cluster == p->cluster;
}

/* A pipeline that is off takes nothing and does not leak; one that is waking leaks already. */
enum power { POWER_ON, POWER_OFF, POWER_WAKING };

/* Switches a pipeline (sub * MAX_PIPES + pipe); off costs `cost` cycles of its leakage. */
void sm_switch(struct sm *sm, u32 pipe, enum power power, u32 cost);

/* May instructions be issued for it while it is off?  They wait in front of it until it is on. */
static inline void sm_shut(struct sm *sm, u32 pipe, bool shut)
{
    sm->dp.unit_shut = (sm->dp.unit_shut & ~((u64)1 << pipe)) | (u64)shut << pipe;
}

/*
 * The active warps: types of their next instructions (1 << PIPE_INT, 1 << PIPE_FP), at SUBSET_READY how
 * many of INT and of FP are ready (two bits each, 3: three or more), at SUBSET_WARPS their number.
 */
enum { SUBSET_READY = 2, SUBSET_WARPS = 8 };
u32 sm_subset(struct sm *sm);

static inline u32 subset_ready(u32 subset, u32 type)
{
    return subset >> (SUBSET_READY + 2 * type) & 3;
}

bool sm_is_idle(const struct sm *sm); /* no CTA, nothing under way */

/* Why its warps and queues do not move, for a deadlock report. */
void sm_describe(const struct sm *sm, FILE *f);

#endif
