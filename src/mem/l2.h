/*
 * l2.h -- one L2 slice: the queues around its tags, in the order of a request's way.
 *
 *     NoC -> l2_take -> rop (delay) -> in -> look-up -> out -> l2_reply -> NoC
 *                                          miss |  ^
 *                                        to_dram v  | from_dram
 *
 * A request is cut into sectors as it is taken; from then on each goes its own way.  With
 * mem.l2_requests=whole it stays in one piece, known by its first sector: one look-up, one place in
 * queues and MSHRs, one packet.  Writes are answered at once, hit or miss; reads and atomics wait in
 * an MSHR for their sector.
 *
 * One tick of the L2 clock, in this order (l2_step): a request is taken from the NoC if the input
 * queue has room for a whole line; one waiting sector whose data has come goes to the reply queue;
 * one sector of data is filled; one miss goes to the queue to DRAM; the head of the input queue is
 * looked up or, if it is empty, a prefetch of a mechanism; one sector that has been delayed long
 * enough enters the input queue.
 *
 * The partition owns the slice, moves to_dram and from_dram, and says when to step.
 * Not modelled: banks of the data array, ECC.  Every sector is held as (request << 2 | sector).
 */
#ifndef MEM_L2_H
#define MEM_L2_H

#include "base/base.h"
#include "base/hostile.h"
#include "base/ring.h"
#include "base/sheet.h"
#include "mem/cache.h"
#include "mem/domain.h"
#include "mem/dram.h"

#define SHEET_DEF "mem/l2.def"
struct slice_stat {
#include "base/sheet_stats.inc"
};
extern const struct sheet slice_sheet; /* no keys */

struct l2_count {
    struct cache_stat cache;
    struct slice_stat slice;
};

struct partition;
struct partition_env;

struct l2_sector {
    u64 ready; /* core cycle at which its delay is over */
    u64 local; /* address within the slice */
    u32 token; /* request << 2 | sector */
    u8 kind;   /* enum req_kind */
    bool full; /* a write of all its bytes */
};

struct l2_slice {
    struct cache cache;
    RING(struct l2_sector) rop; /* grows: the delay has no bound */
    RING(struct l2_sector) in;
    RING(u32) out;
    RING(struct dram_req) to_dram;
    RING(u64) from_dram; /* addresses within the slice */
    u64 port_at;         /* tick from which on the data port is free */
    u64 wake;            /* core cycle of the next step, kept by the partition */
    u32 held;            /* sectors taken and not yet answered */
    u32 node, number;    /* on the NoC; within the partition */
    u32 chance;          /* of a hostile build */
    u64 now;             /* core cycle of the step */
    const struct partition_env *env;
    struct slice_stat st;
    /* cold */
    u8 data_flits, more_flits, ack_flits; /* more: of the data packets after a request's first */
    bool one_ack, whole;
    u8 hit_ticks;
    u8 whole_flits[LINE_SECTORS + 1];  /* of the data of a request, by its sectors */
    u8 whole_ticks[LINE_SECTORS + 1];  /* data port, by the same */
    u8 back_ticks[LINE_SECTORS + 1];   /* data port, by dirty blocks */
    u8 bursts[LINE_SECTORS + 1];       /* of DRAM, by blocks */
    u8 write_bursts[LINE_SECTORS + 1]; /* the same of a store that is sent on, by sectors */
};

void l2_init(struct l2_slice *s, const struct partition_env *env, u32 node, u32 number);
void l2_free(struct l2_slice *s);

/* Mechanisms will listen to its cache, as one of partition `part`, or prefetch into it. */
void l2_watch(struct l2_slice *s, struct partition *part);

/* At most one reply into the NoC at core cycle `now`; an atomic is performed as it leaves. */
void l2_reply(struct l2_slice *s, u64 now);

/* One tick of the L2 clock, which falls in core cycle `now`. */
void l2_step(struct l2_slice *s, u64 tick, u64 now);

/* The next core cycle from `from` on with something to do but taking requests; UINT64_MAX: none. */
u64 l2_next(const struct l2_slice *s, const struct domain *clock, u64 from);

void l2_add(const struct l2_slice *s, struct l2_count *to);

#endif
