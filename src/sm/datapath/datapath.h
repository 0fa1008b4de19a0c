/*
 * datapath.h -- the datapath, an organ of an SM: registers, collectors and execution pipelines.
 *
 *     collector.c   operand collectors over banked registers
 *     pipe.c        pipelines, result buses, write-back
 *
 * It has 1 to 4 sub-cores.  A front end gives it flights (flight.h); their operands are read, they
 * execute, and the front end that they belong to is told.  Memory instructions go to the memory
 * unit of the binding.
 */
#ifndef SM_DATAPATH_H
#define SM_DATAPATH_H

#include "base/base.h"
#include "base/wheel.h"
#include "sm/flight.h"
#include "sm/residency.h"
#include "sm/shape.h"
#include "sm/sm_conf.h"

enum {
    MAX_SUB = 4,
    MAX_CU = 32,
    MAX_BANKS = 32,
    MAX_PIPES = 16, /* of a sub-core */
    AHEAD = 2048,   /* bookings are kept for so many cycles: the longest latency, and a chunk */
    CHUNK = 64,     /* they are forgotten by so many cycles */
};

struct sm;
struct memunit;

struct pipeline {
    u64 free_at;   /* its input is free from this cycle */
    u64 empty_at;  /* and nothing is inside from this one */
    u64 *lanes[2]; /* counters of a cluster: INT, FP */
    u8 unit, half, cluster;
};

struct cuset { /* collector units that serve one kind of instruction */
    u32 mask;  /* of them */
    u8 in_ports, out_ports;
    u8 last[8]; /* of each out port: where its round robin stands */
};

struct bank { /* of registers: collector units that wait for a read, oldest first */
    u8 head, n;
    u8 cu[128];
};

struct subcore {
    u32 issued;            /* units with something in `issue` */
    u32 cu_free, cu_ready; /* masks of collector units */
    u32 bank_busy;         /* banks with reads waiting */
    u32 bank_write;        /* banks that a write-back has in this cycle */
    u32 n_pipe, n_cluster;
    struct subcore *units; /* the binding: whose pipelines execute what is read here */
    u64 chunk;             /* bookings of chunks before this one are forgotten */
    bool any;              /* one set of collector units for all */
    u8 next_cluster;
    u8 sp[MAX_PIPES][3];        /* of a cluster: the pipeline of each enum pipe */
    struct latch issue[N_UNIT]; /* issue to collectors */
    struct latch exec[N_UNIT];  /* collectors to units */
    struct cuset set[N_UNIT];
    struct flight *cu[MAX_CU];
    struct pipeline pipe[MAX_PIPES];
    struct bank bank[MAX_BANKS];
    u8 booked[AHEAD];                     /* results to be written back, by cycle */
    u64 leaves[AHEAD / CHUNK][MAX_PIPES]; /* one instruction a cycle leaves a pipeline: bits */
};

struct datapath {
    struct sm *sm;
    struct sm_stat *st;
    const struct sm_conf *conf;
    /* the binding */
    struct memunit *mu; /* where memory instructions go */
    /* of its shape: stages more */
    u32 late_issue;    /* on the way here */
    u32 late_operands; /* from here to the pipelines */
    u32 n_sub;         /* sub-cores, of each part */
    u64 unit_off;      /* pipelines that take nothing: bit sub * MAX_PIPES + pipe */
    u64 unit_cold;     /* of them those that do not leak: not being switched on */
    u64 unit_shut;     /* and those that nothing is issued for */
    u32 banks, rf_steps, result_buses;
    u32 forward; /* sm.forward */
    u32 words;   /* of 32 lanes, in an entry of a register bank */
    u8 width[N_UNIT];
    u8 ports_two, choice, split;
    u32 chance;              /* of a hostile build */
    struct flights *flights; /* its group's */
    struct wheel wheel;      /* those that are due for write-back */
    struct subcore sub[MAX_SUB];
};

void datapath_init(struct datapath *dp, const struct sm_conf *c);
void datapath_reshape(struct datapath *dp, const struct shape *s);
void datapath_late_issue(struct datapath *dp, u32 late); /* nothing has been issued to it */
void datapath_free(struct datapath *dp);
bool datapath_has_work(const struct datapath *dp); /* in the next cycle */

/* ---- collector.c */
void collector_reshape(struct datapath *dp, u32 parts); /* of the register file: see shape.h */
void collector_step(struct datapath *dp, u64 now);

/*
 * The registers of a result, of so many words of the warp, that are not *written yet take their banks
 * for this cycle; false if one of them must wait because its bank is taken, perhaps by another of them.
 */
bool collector_write(struct datapath *dp, struct subcore *sc, const struct uop *u, u32 bank,
                     u32 words, u32 *written);

static inline bool collector_has_work(const struct subcore *sc)
{
    return sc->bank_busy | sc->cu_ready | sc->issued;
}

/* ---- pipe.c */
void pipe_init(struct datapath *dp, const struct sm_conf *c);
void writeback_step(struct datapath *dp, u64 now);
void execute_step(struct datapath *dp, u64 now);

/* Does an instruction wait in front of its pipelines? */
static inline bool execute_has_work(const struct datapath *dp)
{
    u32 n = 0;

    for (u32 i = 0; i < dp->n_sub; i++)
        n |= dp->sub[i].exec[UNIT_SP].n | dp->sub[i].exec[UNIT_SFU].n | dp->sub[i].exec[UNIT_DP].n |
             dp->sub[i].exec[UNIT_TENSOR].n;
    return n;
}

/* Can pipeline i execute it, if it is on?  `sched` is the scheduler that issues it. */
static inline bool pipe_serves(const struct datapath *dp, const struct subcore *sc, u32 i,
                               const struct uop *u, u32 sched)
{
    const struct pipeline *p = &sc->pipe[i];

    if (p->unit != u->unit || (p->unit == UNIT_SP && dp->split && p->half != u->pipe))
        return false;
    return p->unit != UNIT_SP || dp->choice != 2 || sched % sc->n_cluster == p->cluster;
}

/*
 * Switches a pipeline (sub * MAX_PIPES + pipe) and keeps its account: one that is off takes nothing
 * and does not leak, one that is waking takes nothing either; off costs `cost` cycles of its leakage.
 */
void pipe_switch(struct datapath *dp, u32 pipe, enum power power, u32 cost);

/* May instructions be issued for it while it is off?  They wait in front of it until it is on. */
static inline void pipe_shut(struct datapath *dp, u32 pipe, bool shut)
{
    dp->unit_shut = (dp->unit_shut & ~((u64)1 << pipe)) | (u64)shut << pipe;
}

#endif
